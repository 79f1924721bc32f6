/* The story of a conflict: conflict_story.h.
 *
 * Its lines are the texts of the slot, including those of superseded rows, and the parties that are
 * not texts. The question is about the last text in dispute; if none has a time, the last in member
 * order. */
#include "core/detect/conflict_story.h"
#include "core/base/sort.h"

#include <stdlib.h>

#include "core/slot/slot_claims.h"

enum { VALUES_MAX = 64, QUALIFIERS_MAX = 64 };

typedef struct {
  const hm_snapshot *snap;
  const hm_dispute *d;
  const hm_story_filter *filter;
  hm_arena *a;
  hm_conflict_story *out;
} story_builder;

static bool is_shown(const story_builder *t, const hm_claim *c) {
  return !t->filter || t->filter->shown(t->filter->ctx, c);
}

/* --- which texts belong to it ----------------------------------------------------------- */

/* Qualifiers of the parties; false: one has none, and meets all. */
static bool qualifiers_of(const hm_dispute *d, hm_str *out, size_t *n) {
  *n = 0;
  for (size_t i = 0; i < d->n; i++) {
    const hm_claim *c = d->parties[i].claim;
    hm_str q = c->said ? c->said->claim.qualifier : HM_EMPTY;
    size_t k = 0;
    while (k < *n && !hm_str_eq(out[k], q))
      k++;
    if (!q.n || *n == QUALIFIERS_MAX)
      return false;
    if (k == *n)
      out[(*n)++] = q;
  }
  return true;
}

static bool meets(const hm_claim *c, const hm_str *qualifiers, size_t n) {
  hm_str q = c->said->claim.qualifier;
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(qualifiers[i], q))
      return true;
  return !q.n;
}

typedef struct {
  const hm_snapshot *snap;
  const hm_claim *claim;
} party_key;

static int by_party(const void *item, const void *key) {
  const party_key *k = key;
  return hm_claim_member_order(k->snap, ((const hm_party *)item)->claim, k->claim);
}

static size_t party_of(const story_builder *t, const hm_claim *c) {
  const hm_party *v = t->d->parties;
  size_t lo = hm_lower_bound(v, t->d->n, sizeof *v, &(party_key){ t->snap, c }, by_party);
  while (lo < t->d->n && t->d->parties[lo].claim != c &&
         !hm_claim_member_order(t->snap, t->d->parties[lo].claim, c))
    lo++;
  return lo < t->d->n && t->d->parties[lo].claim == c ? lo : t->d->n;
}

static void add_line(story_builder *t, hm_story_line line) {
  if (is_shown(t, line.claim))
    t->out->lines[t->out->n++] = line;
  else
    t->out->withheld++;
}

static void collect_lines(story_builder *t) {
  const hm_slot_story *story = t->d->story;
  hm_str qualifiers[QUALIFIERS_MAX];
  size_t n;
  bool some = qualifiers_of(t->d, qualifiers, &n);
  t->out->lines = hm_alloc_array(t->a, story->n + t->d->n, sizeof *t->out->lines);
  for (size_t i = 0; i < story->n; i++) {
    const hm_claim *c = story->claims[i];
    const hm_arc_end *e = &story->arc.ends[i];
    bool party = party_of(t, c) < t->d->n;
    if (!party && some && !meets(c, qualifiers, n))
      continue;
    const hm_claim *by = e->by == HM_ARC_NONE ? NULL : story->claims[e->by];
    bool withheld = by && !is_shown(t, by);
    add_line(t,
             (hm_story_line){ .claim = c,
                              .at = c->said->at,
                              .state = e->state,
                              .by = withheld ? NULL : by,
                              .by_withheld = withheld,
                              .party = party });
  }
  for (size_t i = 0; i < t->d->n; i++) {
    const hm_claim *c = t->d->parties[i].claim;
    if (!c->said)
      add_line(
          t, (hm_story_line){ .claim = c, .at = c->stands, .state = HM_ARC_HOLDS, .party = true });
  }
}

static int by_time(const void *x, const void *y, void *snap) {
  const hm_story_line *a = x, *b = y;
  bool p = a->at == HM_TIME_MIN, q = b->at == HM_TIME_MIN;
  if (p != q)
    return p - q;
  if (a->at != b->at)
    return a->at < b->at ? -1 : 1;
  return hm_claim_member_order(snap, a->claim, b->claim);
}

/* --- values ----------------------------------------------------------------------------- */

static hm_str spelling(const hm_claim *c) { return c->said ? c->said->key : c->value.key; }

static uint32_t value_of(story_builder *t, hm_map *known, const hm_claim *c) {
  hm_conflict_story *s = t->out;
  uint32_t at = hm_map_get(known, spelling(c));
  if (at != HM_MAP_NONE)
    return at;
  for (at = 0; at < s->n_values && at < VALUES_MAX; at++)
    if (hm_claim_values_agree(s->values[at].last, c, NULL))
      break;
  if (at == VALUES_MAX)
    at = (uint32_t)s->n_values;
  if (at == s->n_values)
    s->values[s->n_values++] = (hm_story_value){ .last = c };
  hm_map_set(known, spelling(c), at);
  return at;
}

static bool is_active(const story_builder *t, const hm_claim *c) {
  return t->snap->rows[c->row].status == HM_ACTIVE;
}

/* Lines are in order of time. A row that says a value twice is one row. */
static void collect_values(story_builder *t) {
  hm_conflict_story *s = t->out;
  hm_map known, rows;
  hm_map_init(&known, t->a, s->n);
  hm_map_init(&rows, t->a, s->n);
  s->values = hm_alloc_array(t->a, s->n, sizeof *s->values);
  for (size_t i = 0; i < s->n; i++) {
    hm_story_line *l = &s->lines[i];
    if (!l->party)
      continue;
    l->value = value_of(t, &known, l->claim);
    hm_story_value *v = &s->values[l->value];
    const uint32_t key[] = { l->claim->row, l->value };
    hm_str bytes = { (const char *)key, sizeof key };
    if (hm_map_get(&rows, bytes) == HM_MAP_NONE)
      v->n_rows++;
    hm_map_set(&rows, hm_str_dup(t->a, bytes), 1);
    if (is_active(t, l->claim) || !is_active(t, v->last))
      v->last = l->claim;
    if (l->claim->said &&
        (l->at != HM_TIME_MIN || !s->asked ||
         (s->asked->said ? s->asked->said->at : s->asked->stands) == HM_TIME_MIN))
      s->asked = l->claim;
  }
}

bool hm_conflict_story_build(const hm_snapshot *snap, const hm_dispute *d, const hm_story_filter *f,
                             hm_arena *a, hm_conflict_story *out) {
  *out = (hm_conflict_story){ .question = HM_EMPTY };
  if (!d || !d->story)
    return false;
  story_builder t = { snap, d, f, a, out };
  collect_lines(&t);
  if (out->n)
    qsort_r(out->lines, out->n, sizeof *out->lines, by_time, (void *)snap);
  collect_values(&t);
  if (!out->asked)
    return false;
  for (size_t i = 0; i < out->n; i++) {
    hm_story_line *l = &out->lines[i];
    l->asked = l->claim == out->asked;
    if (l->asked)
      out->values[l->value].asked = true;
  }
  hm_str project = snap->projects[out->asked->project].id;
  out->question = hm_story_question(&out->asked->said->claim, project, a);
  return true;
}

hm_str hm_story_describe_speakers(const hm_conflict_story *s, uint32_t value, hm_arena *a) {
  static const struct {
    hm_layer layer;
    const char *one, *many;
  } words[] = { { HM_MEMORY, "memory", "memories" },
                { HM_ENTITY, "entity", "entities" },
                { HM_STATE, "curated state", "curated states" },
                { HM_RELATION, "relation", "relations" } };
  hm_buf b = { 0 };
  for (size_t w = 0; w < HM_COUNT(words); w++) {
    hm_map rows;
    hm_map_init(&rows, a, 8);
    for (size_t i = 0; i < s->n; i++) {
      const hm_story_line *l = &s->lines[i];
      hm_str row = { (const char *)&l->claim->row, sizeof l->claim->row };
      if (l->party && l->value == value && l->claim->layer == words[w].layer)
        hm_map_add(&rows, row, 1);
    }
    if (!rows.n)
      continue;
    if (b.n)
      hm_buf_c(&b, " and ");
    hm_buf_fmt(&b, "%zu %s", (size_t)rows.n, rows.n == 1 ? words[w].one : words[w].many);
  }
  return hm_buf_take(&b, a);
}

/* --- what a later statement settled ----------------------------------------------------- */

static int by_row(const void *item, const void *key) {
  return hm_order_u32(&((const hm_overtaken *)item)->claim->row, key);
}

const hm_overtaken *hm_overtaken_find_by_row(const hm_disputes *d, uint32_t row, size_t *n) {
  size_t lo =
      d ? hm_lower_bound(d->overtaken, d->n_overtaken, sizeof *d->overtaken, &row, by_row) : 0;
  *n = 0;
  while (d && lo + *n < d->n_overtaken && d->overtaken[lo + *n].claim->row == row)
    ++*n;
  return *n ? &d->overtaken[lo] : NULL;
}

/* The member's claim, as recorded and in the conflict's slot, that was overtaken; or NULL. */
static const hm_overtaken *overtaken_member(const hm_sweep *w, const hm_conflict_rec *rec,
                                            const hm_member_rec *m, hm_arena *a) {
  uint32_t row = hm_snapshot_row(w->snap, m->layer, m->id);
  size_t n = 0;
  const hm_overtaken *of =
      row == HM_MAP_NONE ? NULL : hm_overtaken_find_by_row(w->disputes, row, &n);
  for (size_t i = 0; i < n; i++) {
    const hm_claim *c = of[i].claim;
    if (of[i].by && hm_str_eq(c->field, m->field) && hm_str_eq(c->value.norm, m->normal) &&
        hm_str_eq(hm_conflict_slot_key(a, w->snap, c), rec->slot_key))
      return &of[i];
  }
  return NULL;
}

const hm_overtaken *hm_conflict_find_settling_claim(const hm_sweep *w, const hm_conflict_rec *rec,
                                                    hm_arena *a) {
  const hm_overtaken *last = NULL;
  if (rec->status != HM_OPEN || hm_plan_dispute(w->plan, rec))
    return NULL;
  for (size_t i = 0; i < rec->n_members; i++) {
    const hm_overtaken *o = overtaken_member(w, rec, &rec->members[i], a);
    if (o && (!last || o->by->said->at > last->by->said->at))
      last = o;
  }
  return last;
}
