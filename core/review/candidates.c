/* What candidates would contradict: see candidates.h.
 *
 * The rules by slot run over the claims of the candidates and of the active rows in the slots of
 * these. So that no candidate changes what another one meets, those that share a slot are looked at
 * in rounds, one of a slot a round. */
#include "core/review/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/claim/judged.h"
#include "core/sweep/answer.h"
#include "core/detect/rule.h"
#include "core/record/journal.h"

/* --- claims of the slots in which candidates claim ----------------------------------------- */

static int by_hash(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return a < b ? -1 : a > b;
}

/* Sorted hashes of slots, each once. */
typedef struct {
  uint64_t *v;
  size_t n;
} slot_set;

static bool has_slot(const slot_set *s, const hm_claim *c) {
  return s->n && bsearch(&c->hash, s->v, s->n, sizeof *s->v, by_hash);
}

static void sort_slots(slot_set *s) {
  size_t n = 0;
  if (s->n)
    qsort(s->v, s->n, sizeof *s->v, by_hash);
  for (size_t i = 0; i < s->n; i++)
    if (!n || s->v[n - 1] != s->v[i])
      s->v[n++] = s->v[i];
  s->n = n;
}

typedef struct {
  const hm_snapshot *snap;
  const hm_claims *held, *own; /* of active rows; of the candidates */
  const hm_rules *rules;
  int threads;
  hm_candidate *v;
  size_t n;
  const hm_claim **near; /* of held: in a slot of some candidate, context behind n_near */
  size_t n_near, n_near_context;
  const struct hm_containment *containment; /* of held */
  hm_arena *a;
} looking;

static void find_near(looking *l, hm_arena *tmp) {
  const hm_claims *own = l->own, *held = l->held;
  slot_set all = { hm_alloc_array(tmp, own->n + 1, sizeof *all.v), own->n };
  for (size_t i = 0; i < own->n; i++)
    all.v[i] = own->claims[i].hash;
  sort_slots(&all);
  l->near = hm_alloc_array(tmp, held->n + held->n_context + 1, sizeof *l->near);
  for (size_t i = 0; i < held->n + held->n_context; i++) {
    const hm_claim *c = &held->claims[i];
    if (!l->containment)
      l->containment = c->containment;
    if (!has_slot(&all, c) || hm_claim_is_judged(c))
      continue;
    l->near[l->n_near + l->n_near_context] = c;
    *(i < held->n ? &l->n_near : &l->n_near_context) += 1;
  }
}

/* The claims of one round in the order of rows, context behind them. */
static hm_claims claims_of_round(const looking *l, const bool *in_round, hm_arena *tmp) {
  const hm_claims *own = l->own;
  size_t all = l->n_near + l->n_near_context, n = 0, k = 0;
  slot_set slots = { hm_alloc_array(tmp, own->n + 1, sizeof *slots.v), 0 };
  hm_claims out = *l->held;
  hm_claim *v = hm_alloc_array(tmp, all + own->n + 1, sizeof *v);
  const hm_claim **mine = hm_alloc_array(tmp, own->n + 1, sizeof *mine);
  size_t n_mine = 0, at = 0;
  for (size_t i = 0; i < own->n; i++) {
    const hm_claim *c = &own->claims[i];
    while (at + 1 < l->n && l->v[at].row < c->row)
      at++;
    if (l->v[at].row != c->row || !in_round[at] || hm_claim_is_judged(c))
      continue;
    mine[n_mine++] = c;
    slots.v[slots.n++] = c->hash;
  }
  sort_slots(&slots);
  for (size_t i = 0; i < l->n_near || k < n_mine;) {
    bool own_first = k < n_mine && (i == l->n_near || mine[k]->row < l->near[i]->row);
    const hm_claim *c = own_first ? mine[k++] : l->near[i++];
    if (!own_first && !has_slot(&slots, c))
      continue;
    v[n] = *c;
    if (v[n].containment && l->containment)
      v[n].containment = l->containment;
    n++;
  }
  out.n = n;
  for (size_t i = l->n_near; i < all; i++)
    if (has_slot(&slots, l->near[i]))
      v[n++] = *l->near[i];
  out.n_context = n - out.n;
  out.claims = v;
  out.n_silences = out.n_findings = 0;
  hm_claims_reread_values(&out, tmp);
  return out;
}

/* --- what is found ------------------------------------------------------------------------- */

static hm_candidate *candidate_of(const looking *l, uint32_t row) {
  size_t lo = 0, hi = l->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (l->v[mid].row < row)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < l->n && l->v[lo].row == row ? &l->v[lo] : NULL;
}

static void add_met(const looking *l, hm_candidate *c, const hm_claim *own, const hm_claim *other) {
  hm_arena *a = l->a;
  hm_str slot = hm_claim_title(a, l->snap, other);
  for (size_t i = 0; i < c->n; i++)
    if (c->v[i].row == other->row && hm_str_eq(c->v[i].slot, slot))
      return;
  hm_would_contradict *v = hm_alloc_array(a, c->n + 1, sizeof *v);
  if (c->n)
    memcpy(v, c->v, c->n * sizeof *v);
  v[c->n++] = (hm_would_contradict){ .row = other->row,
                                     .slot = slot,
                                     .field = hm_str_dup(a, other->field),
                                     .own_field = hm_str_dup(a, own->field),
                                     .value = hm_str_dup(a, other->value.raw),
                                     .own = hm_str_dup(a, own->value.raw) };
  c->v = v;
}

/* Parties stand in the order of trust. */
static void read_dispute(const looking *l, const hm_dispute *d, hm_arena *tmp) {
  hm_opponents *o = NULL;
  for (size_t x = 0; x < d->n; x++) {
    hm_candidate *c = candidate_of(l, d->parties[x].claim->row);
    if (!c)
      continue;
    if (!o)
      o = hm_opponents_new(l->snap, d, l->rules, tmp);
    for (size_t y = 0; y < d->n; y++) {
      const hm_claim *other = d->parties[y].claim;
      if (l->snap->rows[other->row].status == HM_ACTIVE && hm_opponents_contradict(o, x, y))
        add_met(l, c, d->parties[x].claim, other);
    }
  }
}

static int look_round(const looking *l, const bool *in_round, hm_err *err) {
  hm_arena *tmp = hm_arena_new();
  hm_disputes *found;
  hm_claims claims = claims_of_round(l, in_round, tmp);
  int rc = hm_rules_run(l->snap, &claims, l->rules, HM_RUN_SLOTS, l->threads, tmp, &found, err);
  for (size_t i = 0; !rc && i < found->n; i++)
    read_dispute(l, &found->disputes[i], tmp);
  hm_arena_free(tmp);
  return rc;
}

/* The round of each candidate: behind all before it that claim in a slot of its own. */
static size_t set_rounds(const looking *l, size_t *round, hm_arena *tmp) {
  hm_map next;
  size_t most = 0;
  const hm_claims *own = l->own;
  hm_map_init(&next, tmp, own->n);
  for (size_t i = 0; i < l->n; i++) {
    size_t first = hm_claims_first_of_row(own, l->v[i].row);
    for (size_t k = first; k < own->n && own->claims[k].row == l->v[i].row; k++) {
      hm_str key = { (const char *)&own->claims[k].hash, sizeof own->claims[k].hash };
      uint32_t at = hm_map_get(&next, key);
      if (at != HM_MAP_NONE && at > round[i])
        round[i] = at;
    }
    if (round[i] >= HM_CANDIDATE_ROUNDS)
      round[i] = HM_CANDIDATE_ROUNDS - 1;
    for (size_t k = first; k < own->n && own->claims[k].row == l->v[i].row; k++)
      hm_map_set(&next, (hm_str){ (const char *)&own->claims[k].hash, sizeof(uint64_t) },
                 (uint32_t)round[i] + 1);
    most = round[i] + 1 > most ? round[i] + 1 : most;
  }
  return most;
}

int hm_candidates_look(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                       const uint32_t *rows, size_t n, int threads, hm_arena *a, hm_candidate **out,
                       hm_err *err) {
  hm_claims *own = NULL;
  looking l = { .snap = snap, .held = claims, .rules = rules, .threads = threads, .n = n, .a = a };
  *out = l.v = hm_alloc_array(a, n + 1, sizeof *l.v);
  if (!n)
    return 0;
  if (hm_claims_read_rows(snap, rules, rows, n, threads, &own, err))
    return -1;
  hm_arena *tmp = hm_arena_new();
  l.own = own;
  for (size_t i = 0; i < n; i++) {
    l.v[i].row = rows[i];
    hm_row_reading_from_claims(snap, own, rules, rows[i], a, &l.v[i].reading);
  }
  find_near(&l, tmp);
  size_t *round = hm_alloc_array(tmp, n, sizeof *round), rounds = set_rounds(&l, round, tmp);
  bool *in_round = hm_alloc_array(tmp, n, sizeof *in_round);
  int rc = 0;
  for (size_t r = 0; r < rounds && !rc; r++) {
    for (size_t i = 0; i < n; i++)
      in_round[i] = round[i] == r;
    rc = look_round(&l, in_round, err);
  }
  hm_arena_free(tmp);
  hm_claims_free(own);
  return rc;
}

/* --- lists of rows --------------------------------------------------------------------------- */

static void put_props(hm_buf *b, const hm_json *props, hm_arena *a) {
  const char *sep = ": ";
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next) {
    if (p->type == HM_JSON_NULL)
      continue;
    hm_str value = p->type == HM_JSON_STRING ? p->text : hm_json_as_text(p, a);
    hm_buf_fmt(b, "%s%.*s: %.*s", sep, HM_FMT(p->key), HM_FMT(value));
    sep = ", ";
  }
}

hm_str hm_row_line(const hm_snapshot *snap, const bool *hidden, uint32_t row, const hm_json *props,
                   hm_arena *a) {
  const hm_row *r = &snap->rows[row];
  hm_buf b = { 0 };
  switch (r->layer) {
    case HM_MEMORY:
      hm_buf_str(&b, r->text);
      break;
    case HM_STATE:
      hm_buf_fmt(&b, "%.*s: %.*s", HM_FMT(r->name), HM_FMT(r->text));
      break;
    case HM_RELATION:
      hm_buf_fmt(&b, "%.*s %.*s %.*s", HM_FMT(hm_relation_end_name(snap, hidden, r->from)),
                 HM_FMT(r->type), HM_FMT(hm_relation_end_name(snap, hidden, r->to)));
      put_props(&b, props, a);
      break;
    default:
      hm_buf_fmt(&b, "%.*s %.*s", HM_FMT(r->type), HM_FMT(r->name));
      put_props(&b, props, a);
  }
  return hm_buf_take(&b, a);
}

static bool is_listed(const hm_snapshot *snap, const hm_row_query *q, size_t i) {
  const hm_row *r = &snap->rows[i];
  return (!q->layer || r->layer == q->layer) && (q->any_status || r->status == q->status) &&
      (q->project == HM_MAP_NONE || r->project == q->project) &&
      (q->after == HM_MAP_NONE || i > q->after);
}

int hm_rows_list(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                 const hm_row_query *q, int threads, hm_arena *a, hm_row_listing *out,
                 hm_err *err) {
  size_t room = q->limit < snap->n_rows ? q->limit : snap->n_rows, waiting = 0;
  uint32_t *candidates = hm_alloc_array(a, room + 1, sizeof *candidates);
  hm_candidate *seen;
  *out = (hm_row_listing){ .v = hm_alloc_array(a, room + 1, sizeof *out->v) };
  for (size_t i = 0; i < snap->n_rows; i++) {
    if (!is_listed(snap, q, i))
      continue;
    if (out->n == room) {
      out->more++;
      continue;
    }
    out->v[out->n++].row = (uint32_t)i;
    if (snap->rows[i].status == HM_CANDIDATE)
      candidates[waiting++] = (uint32_t)i;
  }
  if (hm_candidates_look(snap, claims, rules, candidates, waiting, threads, a, &seen, err))
    return -1;
  for (size_t i = 0, k = 0; i < out->n && k < waiting; i++)
    if (out->v[i].row == seen[k].row)
      out->v[i] = seen[k++];
  return 0;
}

static void put_candidate(hm_jw *j, const hm_snapshot *snap, const hm_candidate *c, hm_arena *a) {
  hm_row_reading_json(j, &c->reading);
  hm_jw_arr(j, "contradicts");
  for (size_t i = 0; i < c->n; i++) {
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "row", hm_row_ref(a, &snap->rows[c->v[i].row]));
    hm_jw_str(j, "slot", c->v[i].slot);
    hm_jw_str(j, "value", c->v[i].value);
    hm_jw_str(j, "own", c->v[i].own);
    hm_jw_end(j);
  }
  hm_jw_end(j);
}

hm_str *hm_row_listing_refs(const hm_snapshot *snap, const hm_row_listing *l, hm_arena *a) {
  hm_str *refs = hm_alloc_array(a, l->n + 1, sizeof *refs);
  for (size_t i = 0; i < l->n; i++)
    refs[i] = hm_row_ref(a, &snap->rows[l->v[i].row]);
  return refs;
}

int hm_row_listing_json(hm_jw *j, hm_store *s, const hm_snapshot *snap, const hm_row_listing *l,
                        hm_row_tell *tell, const void *ctx, hm_arena *a, hm_err *err) {
  size_t n = 0;
  hm_jw_arr(j, "rows");
  for (size_t i = 0; i < l->n; i++) {
    const hm_row *row = &snap->rows[l->v[i].row];
    hm_str record, ref = hm_row_ref(a, row);
    if (hm_journal_record_json(s, ref, a, &record, err))
      return -1;
    if (!record.n)
      continue;
    hm_jw_obj(j, NULL);
    hm_jw_members(j, record);
    hm_jw_str(j, "ref", ref);
    tell(ctx, ref, j);
    if (row->status == HM_CANDIDATE)
      put_candidate(j, snap, &l->v[i], a);
    hm_jw_end(j);
    n++;
  }
  hm_jw_end(j);
  hm_jw_int(j, "count", (int64_t)n);
  hm_jw_int(j, "more", (int64_t)l->more);
  return 0;
}

/* --- projects --------------------------------------------------------------------------------- */

size_t *hm_projects_count_rows(const hm_snapshot *snap, hm_arena *a) {
  size_t *counts = hm_alloc_array(a, snap->n_projects + 1, sizeof *counts);
  for (size_t i = 0; i < snap->n_rows; i++)
    counts[snap->rows[i].project] += snap->rows[i].status == HM_ACTIVE;
  return counts;
}

void hm_projects_json(hm_jw *j, const hm_snapshot *snap, hm_arena *a) {
  const size_t *counts = hm_projects_count_rows(snap, a);
  int64_t n = 0;
  hm_jw_arr(j, "projects");
  for (size_t i = 0; i < snap->n_projects; i++) {
    const hm_project *p = &snap->projects[i];
    if (!p->id.n && !counts[i])
      continue;
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "id", p->id);
    hm_jw_str(j, "name", p->name);
    hm_jw_str(j, "description", p->description);
    hm_jw_strs(j, "aliases", p->aliases, p->n_aliases);
    hm_jw_bool(j, "declared", p->declared);
    hm_jw_int(j, "rows", (int64_t)counts[i]);
    hm_jw_end(j);
    n++;
  }
  hm_jw_end(j);
  hm_jw_int(j, "count", n);
}
