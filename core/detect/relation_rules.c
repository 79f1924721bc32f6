/* Rules by slot on relations: more values at once than allowed, and one fact with different dates
 * in two sources. */
#include <stdlib.h>
#include <string.h>

#include "core/base/time.h"
#include "core/claim/relation.h"
#include "core/detect/explain.h"
#include "core/detect/rule.h"

/* --- too many values at once ----------------------------------------------------------- */

/* The rule for slots in which more than one value may hold at once: a child has two parents.
 *
 * A conflict is a set of claims that certainly hold at one instant with more values than may; such
 * sets that share a claim are one conflict. A sweep over the starts of windows finds them: it knows
 * how many values hold, and when these are too many, all claims that hold belong to one conflict,
 * that of those among them that belong to one already. A claim that holds at no certain instant
 * overlaps others for certain all the same (window.h): it is looked at afterwards, with those that
 * it overlaps. Claims that never hold in a crowd are no members. Cost: O(claims log claims) a slot;
 * for each claim without a certain instant the claims of the slot.
 * Source: lore consistency engine, category A (PARENT_OF). */

/* A conflict that is being found. */
typedef struct {
  size_t n;                      /* claims */
  const hm_claim *begins, *ends; /* by whose start, and by whose end, there is a crowd */
  const hm_claim *first[2];      /* the first to stand; the one that was too many */
  hm_time since;
} crowd;

typedef struct {
  const hm_slot_claims *s;
  uint32_t at_once;
  uint32_t *value; /* by item: a number for its value */
  uint32_t *starts, *ends;
  size_t n;     /* items that certainly hold, by start and by end */
  size_t ended; /* so many of ends have ended */
  uint32_t *waiting;
  size_t n_waiting;          /* items that began since the last crowd */
  uint32_t *holding, values; /* by value: claims that hold; values that do */
  uint32_t *seen, looks;     /* by value: the last look that counted it; looks */
  size_t n_members;          /* claims that hold and are in the last crowd */
  uint32_t *of;              /* by item: 1 + its crowd; 0: none */
  crowd *crowds;
  size_t n_crowds, cap;
  hm_arena *a;
} crowd_sweep;

static const hm_claim *claim_at(const crowd_sweep *w, uint32_t item) {
  return w->s->items[item].claim;
}

static int by_start(const void *x, const void *y, void *ctx) {
  uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
  hm_time a = claim_at(ctx, i)->when->from, b = claim_at(ctx, k)->when->from;
  return a != b ? (a > b) - (a < b) : (i > k) - (i < k);
}

static int by_end(const void *x, const void *y, void *ctx) {
  uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
  hm_time a = claim_at(ctx, i)->when->until, b = claim_at(ctx, k)->when->until;
  return a != b ? (a > b) - (a < b) : (i > k) - (i < k);
}

static void end_until(crowd_sweep *w, hm_time now) {
  for (; w->ended < w->n && claim_at(w, w->ends[w->ended])->when->until <= now; w->ended++) {
    uint32_t item = w->ends[w->ended], before = w->values;
    w->values -= --w->holding[w->value[item]] == 0;
    w->n_members -= w->of[item] > 0;
    if (before > w->at_once && w->values <= w->at_once)
      w->crowds[w->n_crowds - 1].ends = claim_at(w, item);
  }
}

typedef struct {
  hm_time stands;
  uint32_t item;
} standing;

static int by_standing(const void *x, const void *y) {
  const standing *a = x, *b = y;
  if (a->stands != b->stands)
    return a->stands < b->stands ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

/* Sets since: when the first too many values were all stated, among those that hold when the crowd
 * begins. All of these are waiting: a claim that holds and does not wait is in a crowd, and no
 * crowd is open. */
static void fill_since(crowd_sweep *w, crowd *c, hm_time now) {
  standing *v = hm_alloc_array(w->a, w->n_waiting, sizeof *v);
  size_t n = 0;
  uint32_t values = 0, look = ++w->looks;
  for (size_t i = 0; i < w->n_waiting; i++)
    if (claim_at(w, w->waiting[i])->when->until > now)
      v[n++] = (standing){ claim_at(w, w->waiting[i])->stands, w->waiting[i] };
  qsort(v, n, sizeof *v, by_standing);
  c->first[0] = claim_at(w, v[0].item);
  for (size_t i = 0; i < n && values <= w->at_once; i++) {
    uint32_t value = w->value[v[i].item];
    if (w->seen[value] == look)
      continue;
    w->seen[value] = look;
    values++;
    c->first[1] = claim_at(w, v[i].item);
    c->since = v[0].stands == HM_TIME_MIN ? HM_TIME_MIN : v[i].stands;
  }
}

static crowd *add_crowd(crowd_sweep *w, const hm_claim *begins, hm_time now) {
  w->crowds = hm_array_grow_in(w->a, w->crowds, w->n_crowds, &w->cap, sizeof *w->crowds);
  crowd *c = &w->crowds[w->n_crowds++];
  *c = (crowd){ .begins = begins };
  fill_since(w, c, now);
  return c;
}

/* Too many values hold. */
static void join_crowd(crowd_sweep *w, hm_time now) {
  if (!w->n_members)
    add_crowd(w, claim_at(w, w->waiting[w->n_waiting - 1]), now);
  for (size_t i = 0; i < w->n_waiting; i++) {
    if (claim_at(w, w->waiting[i])->when->until <= now)
      continue;
    w->of[w->waiting[i]] = (uint32_t)w->n_crowds;
    w->crowds[w->n_crowds - 1].n++;
    w->n_members++;
  }
  w->n_waiting = 0;
}

static bool has_certain_instant(const hm_claim *c) { return c->when->from < c->when->until; }

/* Moves the claims of a crowd into the last one, which then lasts as long as both. */
static void absorb(crowd_sweep *w, uint32_t number) {
  crowd *last = &w->crowds[w->n_crowds - 1], *old = &w->crowds[number - 1];
  for (uint32_t i = 0; i < w->s->n; i++)
    if (w->of[i] == number)
      w->of[i] = (uint32_t)w->n_crowds;
  if (old->begins->when->from <= last->begins->when->from) {
    last->begins = old->begins;
    last->since = old->since;
    memcpy(last->first, old->first, sizeof last->first);
  }
  if (old->ends->when->until > last->ends->when->until)
    last->ends = old->ends;
  last->n += old->n;
  old->n = 0;
}

/* The crowd of a claim without a certain instant. Those that it overlaps for certain hold for as
 * long as it may begin and end, so they share instants; and none of them is of its kind. */
static void join_brief(crowd_sweep *w, uint32_t item) {
  const hm_claim *c = claim_at(w, item);
  uint32_t values = 0;
  w->n_waiting = 0;
  for (uint32_t i = 0; i < w->s->n; i++)
    if (i == item || hm_claim_overlap(c, claim_at(w, i)))
      w->waiting[w->n_waiting++] = i;
  for (size_t i = 0; i < w->n_waiting; i++)
    values += w->holding[w->value[w->waiting[i]]]++ == 0;
  for (size_t i = 0; i < w->n_waiting; i++)
    w->holding[w->value[w->waiting[i]]] = 0;
  if (values <= w->at_once)
    return;
  add_crowd(w, c, HM_TIME_MIN)->ends = c;
  for (size_t i = 0; i < w->n_waiting; i++) {
    uint32_t *of = &w->of[w->waiting[i]];
    if (*of && *of != w->n_crowds)
      absorb(w, *of);
    w->crowds[w->n_crowds - 1].n += !*of;
    *of = (uint32_t)w->n_crowds;
  }
}

static void find_crowds(crowd_sweep *w) {
  for (uint32_t i = 0; i < w->s->n; i++)
    if (has_certain_instant(claim_at(w, i))) {
      w->starts[w->n] = i;
      w->ends[w->n++] = i;
    }
  if (w->n)
    qsort_r(w->starts, w->n, sizeof *w->starts, by_start, w);
  if (w->n)
    qsort_r(w->ends, w->n, sizeof *w->ends, by_end, w);
  for (size_t i = 0; i < w->n; i++) {
    uint32_t item = w->starts[i];
    hm_time now = claim_at(w, item)->when->from;
    end_until(w, now);
    w->values += w->holding[w->value[item]]++ == 0;
    w->waiting[w->n_waiting++] = item;
    if (w->values > w->at_once)
      join_crowd(w, now);
  }
  end_until(w, HM_TIME_MAX);
  for (uint32_t i = 0; i < w->s->n; i++)
    if (!has_certain_instant(claim_at(w, i)))
      join_brief(w, i);
}

/* One of each crowd, beside crowds; without parties for one whose claims are in another. */
static hm_dispute *disputes_of(const crowd_sweep *w, const hm_snapshot *snap, hm_arena *a) {
  hm_dispute *all = hm_alloc_array(w->a, w->n_crowds, sizeof *all);
  hm_time unused;
  for (size_t i = 0; i < w->n_crowds; i++) {
    const crowd *c = &w->crowds[i];
    if (!c->n)
      continue;
    all[i] = (hm_dispute){ .parties = hm_alloc_array(a, c->n, sizeof *all[i].parties),
                           .slot_kind = "relation_slot",
                           .since = c->since,
                           .first = { c->first[0], c->first[1] },
                           .begin = c->begins->when->begin,
                           .end = c->ends->when->end };
    hm_claim_stated_window(c->begins, &all[i].from, &unused);
    hm_claim_stated_window(c->ends, &unused, &all[i].until);
  }
  for (uint32_t i = 0; i < w->s->n; i++) {
    if (!w->of[i])
      continue;
    hm_dispute *d = &all[w->of[i] - 1];
    const hm_claim *c = d->parties[d->n++].claim = claim_at(w, i);
    if (!d->anchor || hm_anchor_order(snap, c, d->anchor) < 0)
      d->anchor = c;
    d->project = c->project;
  }
  return all;
}

void hm_find_crowded_slots(const hm_scope *s, hm_found *out) {
  size_t n = s->slot->n;
  crowd_sweep w = { .s = s->slot,
                    .at_once = hm_relation_max_at_once(s->config, s->slot->items[0].claim->space),
                    .a = s->scratch };
  if (w.at_once < 2 || n <= w.at_once)
    return;
  w.starts = hm_alloc_array(w.a, n, sizeof *w.starts);
  w.ends = hm_alloc_array(w.a, n, sizeof *w.ends);
  w.waiting = hm_alloc_array(w.a, n, sizeof *w.waiting);
  w.holding = hm_alloc_array(w.a, n, sizeof *w.holding);
  w.seen = hm_alloc_array(w.a, n, sizeof *w.seen);
  w.of = hm_alloc_array(w.a, n, sizeof *w.of);
  w.value = hm_alloc_array(w.a, n, sizeof *w.value);
  hm_numbering values;
  hm_numbering_init(&values, w.a);
  for (uint32_t i = 0; i < n; i++)
    w.value[i] = hm_numbering_add(&values, claim_at(&w, i)->value.key);
  find_crowds(&w);
  hm_str key = w.n_crowds
      ? hm_conflict_slot_key(hm_found_arena(out), s->snap, s->slot->items[0].claim)
      : HM_EMPTY;
  const hm_dispute *all = disputes_of(&w, s->snap, hm_found_arena(out));
  for (size_t i = 0; i < w.n_crowds; i++)
    if (all[i].n)
      hm_found_add_dispute(out, &all[i], key);
}

void hm_explain_crowded_slot(hm_explainer *t, const hm_dispute *d) {
  hm_arena *a = hm_arena_new();
  hm_str since = hm_time_iso(a, d->since);
  hm_numbering values;
  hm_numbering_init(&values, a);
  for (size_t i = 0; i < d->n; i++)
    hm_numbering_add(&values, d->parties[i].claim->value.key);
  uint32_t at_once = hm_relation_max_at_once(t->rules, d->anchor->space);
  hm_explain_members(t, d, hm_explain_relation);
  hm_buf_fmt(&t->line, "Together they have %u", values.n);
  hm_explain_window(t, " values; too many hold ", &d->begin, &d->end);
  hm_buf_fmt(&t->line, ", as at most %u", at_once);
  hm_explain_end_line(t, " may at one time.");
  if (since.n) {
    hm_explain_fact(t, "Disputed since ", since);
    hm_explain_ref(t, ", when ", d->first[1]);
    hm_explain_end_line(t, " was too many.");
  } else {
    hm_explain_ref(t, "Since when is not known; ", d->first[1]);
    hm_explain_end_line(t, " is the first that is too many.");
  }
  hm_arena_free(a);
}

/* --- one fact with two dates ----------------------------------------------------------- */

/* The rule for one fact with different dates in two sources: a member until 345, a member until
 * 350.
 *
 * It compares the bounds of rows in one slot with the same value. Two rows conflict about a bound
 * if their windows certainly overlap, both give the bound, no instant is possible for both ("2001"
 * and "2001-03" agree), and their sources differ: both name sources, and not the same. Rows that do
 * not overlap are two facts (a senator twice); one source with two bounds may mean two facts or a
 * correction. The claims are the rule's own: the row, its field valid_from or valid_until, and the
 * bound. A fact with two subjects (spouses) is compared at the end with the lesser id.
 * Cost: sorts rows with the same value; compares pairs of at most ROWS_MAX of them.
 * Source: relations as claims. */

enum { ROWS_MAX = 100 };

static hm_str sources_of(const hm_scope *s, const hm_claim *c) {
  hm_str refs = hm_str_trim(s->snap->rows[c->row].sources);
  return hm_str_is(refs, "[]") ? HM_EMPTY : refs;
}

static bool are_two_sources(const hm_scope *s, const hm_claim *a, const hm_claim *b) {
  hm_str x = sources_of(s, a), y = sources_of(s, b);
  return x.n && y.n && !hm_str_eq(x, y);
}

/* As the row gives it. */
static const hm_bound *bound_of(const hm_claim *c, bool begin) {
  static const hm_bound none = { 0 };
  if (c->when->of_props)
    return &none;
  return begin ? &c->when->begin : c->when->ends_with ? &none : &c->when->end;
}

/* "This row says that the fact begins, or ends, then." */
static const hm_claim *claim_of_bound(const hm_claim *c, bool begin, hm_arena *a) {
  hm_claim *out = hm_alloc(a, sizeof *out);
  const hm_bound *b = bound_of(c, begin);
  hm_str text = hm_bound_text(a, b);
  bool date = !b->axis && !b->vague;
  *out = *c;
  out->field = begin ? HM_STR("valid_from") : HM_STR("valid_until");
  out->value = (hm_value){ .kind = date ? HM_V_DATE : HM_V_TEXT,
                           .raw = text,
                           .norm = HM_CAT(a, date ? HM_STR("date:") : HM_STR("text:"), text),
                           .precision = b->precision,
                           .time = b->first,
                           .last = b->last,
                           .named = HM_EMPTY,
                           .base = HM_EMPTY };
  out->value.key = out->value.norm;
  return out;
}

static void find_about(const hm_scope *s, hm_found *out, const hm_claim *const *same, size_t n,
                       bool begin) {
  hm_party_pair *pairs = hm_alloc_array(s->scratch, n * (n - 1) / 2, sizeof *pairs);
  size_t n_pairs = 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = i + 1; k < n; k++)
      if (hm_claim_overlap(same[i], same[k]) &&
          hm_bounds_differ(bound_of(same[i], begin), bound_of(same[k], begin)) &&
          are_two_sources(s, same[i], same[k]))
        pairs[n_pairs++] = (hm_party_pair){ i, k };
  if (!n_pairs)
    return;
  hm_arena *a = hm_found_arena(out);
  const hm_claim **claims = hm_alloc_array(s->scratch, n, sizeof *claims);
  for (size_t i = 0; i < n; i++)
    claims[i] = claim_of_bound(same[i], begin, a);
  hm_found_add_conflict(out, s, hm_conflict_slot_key(a, s->snap, same[0]), claims, n, pairs,
                        n_pairs);
}

typedef struct {
  const hm_claim *claim;
  size_t place;
} member;

static int by_value(const void *x, const void *y) {
  const member *a = x, *b = y;
  int d = hm_str_cmp(a->claim->value.key, b->claim->value.key);
  return d ? d : (a->place > b->place) - (a->place < b->place);
}

void hm_find_other_bounds(const hm_scope *s, hm_found *out) {
  const hm_slot_claims *slot = s->slot;
  const hm_claim *first = slot->items[0].claim;
  const hm_relation_kind *k =
      hm_relation_kind_of_space(hm_config_relation_kinds(s->config), first->space);
  if (!k || k->window)
    return;
  member *v = hm_alloc_array(s->scratch, slot->n, sizeof *v);
  const hm_claim **same = hm_alloc_array(s->scratch, slot->n, sizeof *same);
  for (size_t i = 0; i < slot->n; i++)
    v[i] = (member){ slot->items[i].claim, i };
  qsort(v, slot->n, sizeof *v, by_value);
  for (size_t i = 0, n; i < slot->n; i += n) {
    hm_str value = v[i].claim->value.raw;
    for (n = 0; i + n < slot->n && hm_str_eq(v[i + n].claim->value.key, v[i].claim->value.key); n++)
      same[n] = v[i + n].claim;
    bool told_there = k->subject == HM_SUBJECT_BOTH && hm_str_cmp(value, first->name) < 0;
    for (int begin = 1; begin >= 0 && n > 1 && !told_there; begin--)
      find_about(s, out, same, n < ROWS_MAX ? n : ROWS_MAX, begin);
  }
}
