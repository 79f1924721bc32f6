/* The story of a conflict: conflict_story.h.
 *
 * Its lines are the texts of the slot, including those of superseded rows, and the parties that are
 * not texts. */
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
    if (hm_claim_values_agree(s->values[at].best, c, NULL))
      break;
  if (at == VALUES_MAX)
    at = (uint32_t)s->n_values;
  if (at == s->n_values)
    s->values[s->n_values++] = (hm_story_value){ .best = c };
  hm_map_set(known, spelling(c), at);
  return at;
}

/* Does c speak for its value, better than what spoke for it before? */
static bool is_better(const story_builder *t, const hm_claim *c, const hm_claim *than) {
  bool holds = t->snap->rows[c->row].status == HM_ACTIVE;
  bool held = t->snap->rows[than->row].status == HM_ACTIVE;
  if (holds != held)
    return holds;
  return hm_layer_trust(c->layer) >= hm_layer_trust(than->layer);
}

/* Values are in the order of trust, and then of time, as lines are. A row that says a value twice
 * is one row. */
static void collect_values(story_builder *t) {
  hm_conflict_story *s = t->out;
  hm_map known, rows;
  hm_map_init(&known, t->a, s->n);
  hm_map_init(&rows, t->a, s->n);
  s->values = hm_alloc_array(t->a, t->d->n, sizeof *s->values);
  for (int trust = hm_layer_trust(HM_STATE); trust; trust--)
    for (size_t i = 0; i < s->n; i++) {
      const hm_story_line *l = &s->lines[i];
      if (!l->party || hm_layer_trust(l->claim->layer) != trust)
        continue;
      value_of(t, &known, l->claim);
      if (l->claim->said && !s->text)
        s->text = l->claim;
    }
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
    if (is_better(t, l->claim, v->best))
      v->best = l->claim;
  }
}

/* --- the question ----------------------------------------------------------------------- */

/* The value of a claim that returns to what was left; HM_STORY_NO_VALUE: none does. */
static uint32_t find_return(const hm_conflict_story *s) {
  const hm_claim *back = NULL;
  uint32_t value = HM_STORY_NO_VALUE;
  for (size_t i = 0; i < s->n; i++)
    if (s->lines[i].state == HM_ARC_RETURN)
      back = s->lines[i].by;
  for (size_t i = 0; i < s->n && back; i++)
    if (s->lines[i].claim == back && s->lines[i].party)
      value = s->lines[i].value;
  return value;
}

/* Of two values that only time tells apart the one that returned, else the one whose last claim is
 * the older; where the others are withheld, the one that is shown. */
static uint32_t find_value_in_doubt(const hm_conflict_story *s) {
  hm_time last[2] = { HM_TIME_MIN, HM_TIME_MIN };
  if (s->n_values > 2)
    return HM_STORY_NO_VALUE;
  for (size_t i = 0; i < s->n; i++) {
    const hm_story_line *l = &s->lines[i];
    if (!l->party)
      continue;
    if (!l->claim->said || l->claim->layer != s->text->layer)
      return HM_STORY_NO_VALUE;
    if (l->at == HM_TIME_MIN && s->n_values == 2)
      return HM_STORY_NO_VALUE;
    last[l->value] = l->at;
  }
  uint32_t back = find_return(s);
  if (back != HM_STORY_NO_VALUE)
    return back;
  if (s->n_values == 2 && last[0] == last[1])
    return HM_STORY_NO_VALUE;
  return s->n_values == 2 && last[1] < last[0] ? 1 : 0;
}

/* What a text claims, denied also where its row says so (polarity). */
static hm_prose_claim claim_of(const hm_claim *c) {
  hm_prose_claim said = c->said->claim;
  said.denied = c->value.denied;
  return said;
}

hm_str hm_conflict_story_ask(const hm_conflict_story *s, hm_str project, hm_arena *a) {
  if (s->in_doubt != HM_STORY_NO_VALUE) {
    hm_prose_claim asked = claim_of(s->values[s->in_doubt].best);
    return hm_story_question(&asked, project, a);
  }
  hm_str *values = hm_alloc_array(a, s->n_values, sizeof *values);
  for (size_t i = 0; i < s->n_values; i++) {
    const hm_claim *c = s->values[i].best;
    if (!c->said) {
      values[i] = c->value.raw;
      continue;
    }
    hm_prose_claim said = claim_of(c);
    values[i] = hm_story_value_in_words(&said, a);
  }
  return hm_story_choice(&s->text->said->claim, project, values, s->n_values, a);
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
  if (!out->text)
    return false;
  out->in_doubt = find_value_in_doubt(out);
  out->question = hm_conflict_story_ask(out, snap->projects[out->text->project].id, a);
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

static hm_time time_of(const hm_claim *c) { return c->said ? c->said->at : c->stands; }

const hm_overtaken *hm_conflict_find_settling_claim(const hm_sweep *w, const hm_conflict_rec *rec,
                                                    hm_arena *a) {
  const hm_overtaken *last = NULL;
  if (rec->status != HM_OPEN || hm_plan_dispute(w->plan, rec))
    return NULL;
  for (size_t i = 0; i < rec->n_members; i++) {
    const hm_overtaken *o = overtaken_member(w, rec, &rec->members[i], a);
    if (o && (!last || time_of(o->by) > time_of(last->by)))
      last = o;
  }
  return last;
}
