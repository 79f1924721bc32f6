/* Makes claims of proposals: judged.h.
 *
 * A row has a claim in the slot of a proposal while its digest is the judged one. The claims hold
 * at all times, since a model reads rows without windows. Each claim has a value of its own, the
 * digest, so it contradicts all others of its slot, and a verdict covers them until a text
 * changes. */
#include "core/claim/judged.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/base/sort.h"
#include "core/record/given.h"

enum { DIGEST_DIGITS = 16, NAME_MAX_BYTES = 80, ID_TAIL = 8 };

static const char DENIED[] = "Which of them holds: ", SAME[] = "Do they say the same: ";
static const char DENIES[] = "Does one deny the other: ";
static const char DENIES_NAME[] = "does_one_deny_the_other_";

/* Is this the space of a slot of proposals? */
static bool is_judged_space(hm_str space) {
  return hm_str_is(space, HM_JUDGED_SPACE) || hm_str_is(space, HM_CONFIRMED_SAME) ||
      hm_str_is(space, HM_CONFIRMED_DENIED);
}

bool hm_claim_is_judged(const hm_claim *c) { return c->space.n && is_judged_space(c->space); }

bool hm_claim_is_confirmed(const hm_claim *c) {
  return hm_claim_is_judged(c) && !hm_str_is(c->space, HM_JUDGED_SPACE);
}

hm_str hm_question_to_confirm(bool denied, hm_str older, hm_str newer, hm_arena *a) {
  return HM_CAT(a, hm_str_c(denied ? DENIED : SAME), older, HM_STR(" or "), newer, HM_STR("?"));
}

hm_str hm_confirmed_judged_question(hm_str older, hm_str newer, hm_arena *a) {
  return HM_CAT(a, hm_str_c(DENIES), older, HM_STR(" or "), newer, HM_STR("?"));
}

bool hm_claim_is_confirmed_judged(const hm_claim *c) {
  return hm_str_is(c->space, HM_CONFIRMED_DENIED) && hm_str_starts(c->name, DENIES_NAME);
}

/* Did a person confirm it? */
static bool proposal_claims(const hm_proposal *p) {
  return hm_str_is(p->says, HM_SAYS_CONFIRMED) || (!p->says.n && !p->model.n);
}

bool hm_proposal_is_open(const hm_proposal *p) {
  return !p->taken_back && (hm_str_is(p->says, HM_SAYS_REPORTED) || (!p->says.n && p->model.n));
}

bool hm_proposal_row_holds(const hm_snapshot *snap, const hm_proposal *p, size_t i,
                           hm_arena *scratch) {
  uint32_t row = hm_snapshot_ref(snap, HM_MEMORY, p->rows[i]);
  hm_judged_row j;
  return row != HM_MAP_NONE && snap->rows[row].status == HM_ACTIVE &&
      hm_judged_row_read(&snap->rows[row], scratch, &j) &&
      hm_str_eq(hm_judged_digest(&snap->rows[row], &j, scratch), p->digests[i]);
}

bool hm_proposal_holds(const hm_snapshot *snap, const hm_proposal *p, hm_arena *scratch) {
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++)
    n += hm_proposal_row_holds(snap, p, i, scratch);
  return n > 1;
}

bool hm_proposal_is_similar(const hm_proposal *p) {
  return hm_proposal_is_open(p) && !p->says.n && p->n == 2 &&
      hm_str_starts(p->question, HM_SIMILAR_QUESTION);
}

/* --- what a row says --------------------------------------------------------------- */

static bool read_entity(const hm_row *r, hm_arena *a, hm_judged_row *out) {
  const hm_entity_type *type = hm_entity_type_find(hm_entity_type_key(a, r->type));
  if (!type || type->silent)
    return false;
  const hm_json *object = hm_json_parse_as(a, r->props, HM_JSON_OBJECT);
  if (!object)
    return false;
  const hm_prop *props = hm_props_collect(object, a);
  for (size_t m = 0; m < HM_COUNT(type->main) && type->main[m]; m++)
    for (size_t i = 0; i < object->count; i++) {
      const hm_json *v = props[i].v;
      if (!hm_str_is(props[i].name, type->main[m]) || v->type == HM_JSON_NULL)
        continue;
      out->field = v->key;
      out->value = v->type == HM_JSON_STRING ? v->text : hm_json_as_text(v, a);
      out->text = HM_CAT(a, r->name, HM_STR(": "), out->value);
      return true;
    }
  return false;
}

bool hm_judged_row_read(const hm_row *r, hm_arena *a, hm_judged_row *out) {
  *out = (hm_judged_row){ HM_EMPTY, HM_EMPTY, HM_EMPTY };
  if (r->layer == HM_ENTITY)
    return read_entity(r, a, out) && hm_str_trim(out->value).n;
  out->value = r->text;
  if (r->layer == HM_MEMORY)
    out->field = HM_STR("content"), out->text = r->text;
  if (r->layer == HM_STATE)
    out->field = HM_STR("value"), out->text = HM_CAT(a, r->name, HM_STR(": "), r->text);
  return out->field.n && hm_str_trim(out->value).n;
}

hm_str hm_judged_digest(const hm_row *r, const hm_judged_row *j, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, hm_str_c(hm_layer_name(r->layer)));
  hm_sha256_field(&h, r->id);
  hm_sha256_field(&h, r->type);
  hm_sha256_field(&h, j->text);
  return hm_sha256_hex(&h, a, DIGEST_DIGITS);
}

/* --- slots ------------------------------------------------------------------------- */

/* What names its slot: its rows; of texts that are alike the question, which has two of them. */
static hm_str named_by(const hm_proposal *p, hm_arena *a) {
  hm_buf b = { 0 };
  if (!p->says.n)
    return p->question;
  for (size_t i = 0; i < p->n; i++)
    hm_buf_fmt(&b, "%s%.*s", i ? " or " : "", HM_FMT(p->rows[i]));
  return hm_buf_take(&b, a);
}

/* A digest of that. */
static hm_str tail_of_proposal(const hm_proposal *p, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, named_by(p, a));
  return hm_sha256_hex(&h, a, ID_TAIL);
}

/* That, folded as all names of slots are, and an ending that makes it unique. */
hm_str hm_judged_slot_name(const hm_proposal *p, hm_arena *a) {
  hm_str words = hm_text_cut(hm_text_fold_name(a, named_by(p, a)), NAME_MAX_BYTES);
  return HM_CAT(a, words, HM_STR("_"), tail_of_proposal(p, a));
}

const hm_proposal *hm_judged_slot_find_proposal(const hm_snapshot *snap, hm_str name, hm_arena *a) {
  hm_str tail = hm_str_sub(name, name.n < ID_TAIL ? 0 : name.n - ID_TAIL, name.n);
  for (size_t k = 0; k < snap->n_proposals; k++) {
    const hm_proposal *p = &snap->proposals[k];
    if (proposal_claims(p) && hm_str_eq(tail, tail_of_proposal(p, a)) &&
        hm_str_eq(name, hm_judged_slot_name(p, a)))
      return p;
  }
  return NULL;
}

const hm_proposal *hm_judged_find_proposal(const hm_snapshot *snap, hm_str slot_key, hm_arena *a) {
  const hm_json *key = hm_json_parse_as(a, slot_key, HM_JSON_ARRAY);
  if (!key || key->count != 3 || !is_judged_space(key->child->next->text))
    return NULL;
  return hm_judged_slot_find_proposal(snap, key->child->next->next->text, a);
}

/* --- claims ------------------------------------------------------------------------- */

/* A row in a proposal. */
typedef struct {
  uint32_t row;
  const hm_proposal *p;
  hm_str digest;
} judged_member;

static int by_row(const void *x, const void *y) {
  const judged_member *a = x, *b = y;
  if (a->row != b->row)
    return a->row < b->row ? -1 : 1;
  return hm_str_cmp(a->p->id, b->p->id);
}

static bool has_row(const uint32_t *rows, size_t n, uint32_t row) {
  size_t lo = hm_lower_bound(rows, n, sizeof *rows, &row, hm_order_u32);
  return lo < n && rows[lo] == row;
}

/* Sorted; one of a row that a damaged proposal names twice. */
static size_t members_of(const hm_snapshot *snap, const uint32_t *rows, size_t n_rows, hm_arena *a,
                         judged_member **out) {
  size_t most = 0, n = 0, kept = 0;
  for (size_t i = 0; i < snap->n_proposals; i++)
    most += snap->proposals[i].n;
  judged_member *v = *out = hm_alloc_array(a, most + 1, sizeof *v);
  for (size_t k = 0; k < snap->n_proposals; k++) {
    const hm_proposal *p = &snap->proposals[k];
    for (size_t i = 0; i < p->n && proposal_claims(p); i++) {
      uint32_t row = hm_snapshot_ref(snap, HM_MEMORY, p->rows[i]);
      if (row == HM_MAP_NONE)
        continue;
      if (rows ? has_row(rows, n_rows, row) : snap->rows[row].status == HM_ACTIVE)
        v[n++] = (judged_member){ row, p, p->digests[i] };
    }
  }
  if (n)
    qsort(v, n, sizeof *v, by_row);
  for (size_t i = 0; i < n; i++)
    if (!i || by_row(&v[i - 1], &v[i]))
      v[kept++] = v[i];
  return kept;
}

/* False: the row no longer says what was judged. */
static bool claim_of(const hm_claims *c, const hm_snapshot *snap, const judged_member *m,
                     hm_arena *a, hm_claim *out) {
  const hm_row *r = &snap->rows[m->row];
  hm_judged_row j;
  hm_precision precision;
  if (!hm_judged_row_read(r, a, &j))
    return false;
  hm_str digest = hm_judged_digest(r, &j, a);
  if (!hm_str_eq(digest, m->digest))
    return false;
  hm_str space = m->p->says.n               ? HM_STR(HM_JUDGED_SPACE)
      : hm_str_starts(m->p->question, SAME) ? HM_STR(HM_CONFIRMED_SAME)
                                            : HM_STR(HM_CONFIRMED_DENIED);
  *out = (hm_claim){ .row = m->row,
                     .project = r->project,
                     .layer = r->layer,
                     .space = space,
                     .name = hm_judged_slot_name(m->p, a),
                     .field = hm_str_dup(a, j.field),
                     .compare = m->p->says.n || !r->polarity ? HM_EMPTY
                         : r->polarity > 0                   ? HM_STR("+")
                                                             : HM_STR("-"),
                     .when = &c->open,
                     .stands = HM_TIME_MIN };
  hm_time_parse(hm_row_text_date(snap, m->row), &out->stands, &precision);
  out->value = (hm_value){ .kind = HM_V_TEXT, .raw = j.value };
  out->value.norm = out->value.key = HM_CAT(a, HM_STR(HM_JUDGED_NORM), digest);
  out->hash =
      hm_hash_mix(hm_hash_mix(out->project, hm_str_hash(out->space)), hm_str_hash(out->name));
  return true;
}

/* What a person confirmed twice is one claim. */
static bool claims_before(const hm_claim *new, size_t at) {
  for (size_t i = at; i-- > 0 && new[i].row == new[at].row;)
    if (hm_claims_share_slot(&new[i], &new[at]))
      return true;
  return false;
}

void hm_judged_claims_add(hm_claims *c, const hm_snapshot *snap, const uint32_t *rows, size_t n,
                          hm_arena *a) {
  judged_member *members;
  size_t n_members = snap->n_proposals ? members_of(snap, rows, n, a, &members) : 0, n_new = 0;
  if (!n_members)
    return;
  hm_claim *new = hm_alloc_array(a, n_members, sizeof *new);
  for (size_t i = 0; i < n_members; i++)
    n_new += claim_of(c, snap, &members[i], a, &new[n_new]) && !claims_before(new, n_new);
  if (!n_new)
    return;
  /* From the end, the context of stories first, so that each claim moves once. */
  size_t from = c->n, at = c->n + n_new;
  c->claims = hm_xrealloc(c->claims, (at + c->n_context) * sizeof *c->claims);
  memmove(c->claims + at, c->claims + from, c->n_context * sizeof *c->claims);
  c->n = at;
  while (n_new) {
    bool old = from && c->claims[from - 1].row > new[n_new - 1].row;
    c->claims[--at] = old ? c->claims[--from] : new[--n_new];
  }
}
