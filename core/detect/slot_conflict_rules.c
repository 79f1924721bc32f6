/* The rules by slot: claims that contradict each other, and claims that may.
 *
 * A dispute is one connected component of the slot's claims under "contradicts" (slot_claims.h).
 * Design section 7 adds "those that agree with one side and overlap one that it contradicts", and
 * "a claim that contradicts nobody is no member". Together: such a claim is a member if it
 * contradicts another itself, and then the component has it already. A claim that agrees and
 * contradicts none (a month beside two of its days, a value within the tolerance of both, an entity
 * that agrees with one of two states) is no member and has no marker. So every claim is in at most
 * one dispute. Sentences of one document are none. Cost: pairs of claims, in plain loops
 * (slot_claims.c).
 *
 * Where windows may overlap but need not (core/value/window.h), the rule reports a finding, not a
 * conflict: one a slot, with the rows of these claims in member order; where several values may
 * hold at once, as of parents, if one too many may. It compares pairs, and skips a slot of more
 * than OVERLAPPING_MAX claims: a missed finding costs less than the time. */
#include <stdlib.h>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/claim/judged.h"
#include "core/claim/memory.h"
#include "core/claim/relation.h"
#include "core/claim/story.h"
#include "core/detect/explain.h"
#include "core/detect/rule.h"

enum { OVERLAPPING_MAX = 100, VALUE_MAX = 80 };

/* One component. */
typedef struct {
  const hm_slot_claims *s;
  const hm_snapshot *snap;
  const uint32_t *items;
  size_t n; /* in member order */
  hm_arena *scratch;
} inquiry;

static const hm_slot_item *item(const inquiry *q, size_t i) { return &q->s->items[q->items[i]]; }

/* The first of these n items that contradicts x; NULL: none does. */
static const hm_slot_item *first_against(const inquiry *q, const uint32_t *items, size_t n,
                                         const hm_slot_item *x) {
  for (size_t i = 0; i < n; i++)
    if (hm_claims_contradict(q->s, x, &q->s->items[items[i]]))
      return &q->s->items[items[i]];
  return NULL;
}

/* --- flags ---------------------------------------------------------------------- */

/* Can both hold, at a time that they share? */
static bool agree(const inquiry *q, const hm_slot_item *x, const hm_slot_item *y) {
  size_t i = (size_t)(x - q->s->items), k = (size_t)(y - q->s->items);
  return hm_claim_overlap(x->claim, y->claim) && hm_claim_comparable(x->claim, y->claim) &&
      (x->norm == y->norm || hm_agreed_ask(&q->s->agreed, i, k));
}

/* Members are in the order of trust, so the first that a claim contradicts has the highest. */
static void fill_parties(hm_dispute *d, const inquiry *q, hm_arena *a) {
  d->n = q->n;
  d->parties = hm_alloc_array(a, q->n, sizeof *d->parties);
  for (size_t i = 0; i < q->n; i++) {
    const hm_slot_item *x = item(q, i);
    hm_party *p = &d->parties[i];
    *p = (hm_party){ .claim = x->claim, .spared = x->spared, .thing = x->thing };
    if (x->layer == item(q, 0)->layer)
      continue;
    const hm_slot_item *foe = first_against(q, q->items, q->n, x);
    if (foe->layer <= x->layer)
      continue;
    for (size_t k = 0; k < q->n && item(q, k)->layer >= foe->layer && !p->with; k++)
      if (agree(q, x, item(q, k)))
        p->with = item(q, k)->claim;
    p->flagged = !p->with;
    p->against = p->flagged ? foe->claim : NULL;
  }
}

static const char *kind_of(const hm_dispute *d) {
  static const char *const same[] = { [HM_MEMORY] = "memory_slot",
                                      [HM_ENTITY] = "entity_slot",
                                      [HM_STATE] = "state_slot",
                                      [HM_RELATION] = "relation_slot" };
  hm_layer l = d->parties[0].claim->layer;
  return l == d->parties[d->n - 1].claim->layer ? same[l] : "cross_layer";
}

/* --- since when, and over what time --------------------------------------------------- */

typedef struct {
  hm_time key;
  uint32_t item;
} keyed;

static int by_key(const void *x, const void *y) {
  const keyed *a = x, *b = y;
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  return (a->item > b->item) - (a->item < b->item);
}

static hm_time stands_of(const hm_claim *c) { return c->stands; }

static hm_time from_of(const hm_claim *c) {
  hm_time from, until;
  hm_claim_stated_window(c, &from, &until);
  return from;
}

/* What ends last comes first. */
static hm_time until_of(const hm_claim *c) {
  hm_time from, until;
  hm_claim_stated_window(c, &from, &until);
  return until == HM_TIME_MAX ? HM_TIME_MIN : -until;
}

/* Of all pairs that contradict each other, one whose later key is least: the first, in the order of
 * keys, that contradicts one before it. Claims of key `skip` are left out; false: no pair is left.
 */
static bool least_pair(const inquiry *q, hm_time (*key)(const hm_claim *), hm_time skip,
                       hm_time *out, uint32_t pair[2]) {
  keyed *v = hm_alloc_array(q->scratch, q->n, sizeof *v);
  uint32_t *order = hm_alloc_array(q->scratch, q->n, sizeof *order);
  size_t n = 0;
  for (size_t i = 0; i < q->n; i++) {
    hm_time k = key(item(q, i)->claim);
    if (k != skip)
      v[n++] = (keyed){ k, q->items[i] };
  }
  if (n)
    qsort(v, n, sizeof *v, by_key);
  for (size_t i = 0; i < n; i++)
    order[i] = v[i].item;
  for (size_t i = 1; i < n; i++) {
    const hm_slot_item *got = first_against(q, order, i, &q->s->items[order[i]]);
    if (!got)
      continue;
    *out = v[i].key;
    pair[0] = (uint32_t)(got - q->s->items);
    pair[1] = order[i];
    return true;
  }
  return false;
}

static void fill_since(hm_dispute *d, const inquiry *q) {
  uint32_t pair[2] = { q->items[0], 0 };
  if (!least_pair(q, stands_of, HM_TIME_MIN, &d->since, pair)) {
    d->since = HM_TIME_MIN;
    pair[1] = (uint32_t)(first_against(q, q->items, q->n, item(q, 0)) - q->s->items);
  }
  d->first[pair[0] > pair[1]] = q->s->items[pair[0]].claim;
  d->first[pair[0] <= pair[1]] = q->s->items[pair[1]].claim;
}

/* From when the first pair contradicts each other until when the last one does: the later begin of
 * the one, the earlier end of the other. */
static void fill_window(hm_dispute *d, const inquiry *q) {
  uint32_t pair[2] = { q->items[0], q->items[0] };
  hm_time unused;
  least_pair(q, from_of, HM_TIME_MAX, &unused, pair);
  const hm_claim *begins = q->s->items[pair[1]].claim;
  least_pair(q, until_of, HM_TIME_MAX, &unused, pair);
  const hm_claim *ends = q->s->items[pair[1]].claim;
  d->begin = begins->when->begin;
  d->end = ends->when->end;
  hm_claim_stated_window(begins, &d->from, &unused);
  hm_claim_stated_window(ends, &unused, &d->until);
}

static void fill_dispute(hm_dispute *d, const inquiry *q, hm_arena *a) {
  *d = (hm_dispute){ .project = item(q, 0)->claim->project };
  fill_parties(d, q, a);
  d->slot_kind = kind_of(d);
  d->anchor = d->parties[0].claim;
  for (size_t i = 1; i < d->n; i++)
    if (hm_anchor_order(q->snap, d->parties[i].claim, d->anchor) < 0)
      d->anchor = d->parties[i].claim;
  fill_since(d, q);
  fill_window(d, q);
}

/* Have all claims of it one twin, in whose slot they are compared? */
static bool is_told_by_twins(const inquiry *q) {
  hm_str twin = item(q, 0)->claim->twin;
  for (size_t i = 1; i < q->n; i++)
    if (!hm_str_eq(item(q, i)->claim->twin, twin))
      return false;
  return twin.n > 0;
}

static bool is_series(const hm_dispute *d, const hm_scope *s) {
  const hm_claim **claims = hm_alloc_array(s->scratch, d->n, sizeof *claims);
  for (size_t i = 0; i < d->n; i++)
    claims[i] = d->parties[i].claim;
  return hm_claims_are_series(claims, d->n, s->snap, s->scratch);
}

void hm_find_slot_conflicts(const hm_scope *s, hm_found *out) {
  hm_slot_components c;
  hm_str key = HM_EMPTY;
  if (hm_relation_max_at_once(s->config, s->slot->items[0].claim->space) > 1)
    return;
  if (hm_claim_is_judged(s->slot->items[0].claim))
    return;
  hm_slot_components_build(&c, s->slot, s->scratch);
  for (size_t i = 0; i < c.n; i++) {
    inquiry q = { .s = s->slot,
                  .snap = s->snap,
                  .items = c.items + c.first[i],
                  .n = c.first[i + 1] - c.first[i],
                  .scratch = s->scratch };
    hm_dispute d;
    if (is_told_by_twins(&q))
      continue;
    fill_dispute(&d, &q, hm_found_arena(out));
    if (is_series(&d, s))
      continue;
    if (!key.n)
      key = hm_conflict_slot_key(hm_found_arena(out), s->snap, d.parties[0].claim);
    hm_found_add_dispute(out, &d, key);
  }
}

/* --- claims that perhaps contradict each other --------------------------------------- */

/* Sets out[i] for each item that perhaps contradicts another. */
static bool find_overlapping(const hm_slot_claims *s, bool *out) {
  bool any = false;
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = i + 1; k < s->n; k++) {
      const hm_slot_item *a = &s->items[i], *b = &s->items[k];
      if (a->norm == b->norm || !hm_claim_may_overlap(a->claim, b->claim))
        continue;
      if (hm_claims_may_be_compared(a, b) && !hm_agreed_ask(&s->agreed, i, k))
        out[i] = out[k] = any = true;
    }
  return any;
}

static bool is_in(const hm_slot_claims *s, const size_t *some, size_t n, size_t item) {
  for (size_t i = 0; i < n; i++)
    if (some[i] == item || s->items[some[i]].norm == s->items[item].norm)
      return true;
  return false;
}

/* Where several values may hold at once: sets out[i] for each item of a set of one value too many
 * that perhaps hold at one instant. Windows of which each two share an instant share one. Greedy:
 * the others of a set are the first that fit. */
static bool find_possible_crowds(const hm_slot_claims *s, uint32_t at_once, hm_arena *a,
                                 bool *out) {
  size_t *set = hm_alloc_array(a, at_once + 1, sizeof *set);
  bool any = false;
  for (size_t i = 0; i < s->n; i++) {
    size_t n = 0;
    bool certain = true;
    set[n++] = i;
    for (size_t k = 0; k < s->n && n <= at_once; k++) {
      bool fits = !is_in(s, set, n, k), sure = true;
      for (size_t x = 0; fits && x < n; x++) {
        bool overlap = hm_claim_overlap(s->items[set[x]].claim, s->items[k].claim);
        sure = sure && overlap;
        fits = overlap || hm_claim_may_overlap(s->items[set[x]].claim, s->items[k].claim);
      }
      if (!fits)
        continue;
      certain = certain && sure;
      set[n++] = k;
    }
    for (size_t x = 0; n > at_once && !certain && x < n; x++)
      out[set[x]] = any = true;
  }
  return any;
}

static hm_str quoted(hm_arena *a, hm_str value) {
  hm_str cut = hm_text_cut(
      hm_text_repair(a, hm_str_sub(value, 0, value.n < 4 * VALUE_MAX ? value.n : 4 * VALUE_MAX)),
      VALUE_MAX);
  return HM_CAT(a, HM_STR("\""), cut, cut.n < value.n ? HM_STR("…\"") : HM_STR("\""));
}

void hm_find_possible_overlaps(const hm_scope *s, hm_found *out) {
  const hm_slot_claims *slot = s->slot;
  hm_arena *a = hm_found_arena(out);
  bool *overlaps = hm_alloc_array(s->scratch, slot->n, sizeof *overlaps);
  const hm_claim **claims = hm_alloc_array(s->scratch, slot->n, sizeof *claims);
  uint32_t at_once = hm_relation_max_at_once(s->config, slot->items[0].claim->space);
  size_t n = 0;
  if (slot->n > OVERLAPPING_MAX || slot->n <= at_once)
    return;
  if (!(at_once > 1 ? find_possible_crowds(slot, at_once, s->scratch, overlaps)
                    : find_overlapping(slot, overlaps)))
    return;
  for (size_t i = 0; i < slot->n; i++)
    if (overlaps[i])
      claims[n++] = slot->items[i].claim;
  hm_finding f = { .project = s->snap->projects[claims[0]->project].id,
                   .rows = hm_alloc_array(a, n, sizeof *f.rows),
                   .key = claims[0]->name };
  hm_called called = { .n = 0 };
  for (size_t i = 0; i < n; i++) {
    hm_found_mark_claim(out, claims[i]);
    hm_called_add(&called, claims[i]->called, claims[i]->name);
    if (!i || claims[i]->row != claims[i - 1]->row)
      f.rows[f.n_rows++] = hm_row_ref(a, &s->snap->rows[claims[i]->row]);
  }
  size_t other = 1;
  while (other + 1 < n && hm_str_eq(claims[other]->value.norm, claims[0]->value.norm))
    other++;
  hm_str shown = hm_called_join(&called, claims[0]->name, a);
  f.message =
      HM_CAT(a, hm_slot_title(a, hm_conflict_slot_key(a, s->snap, claims[0]), shown), HM_STR(": "),
             quoted(a, claims[0]->value.raw), HM_STR(" and "), quoted(a, claims[other]->value.raw),
             at_once > 1 ? HM_STR(" and others") : HM_EMPTY,
             HM_STR(" may hold at one time: their bounds do not say"));
  hm_found_add_finding(out, f);
}

/* --- slots of too many claims -------------------------------------------------------------- */

void hm_find_left_out(const hm_scope *s, hm_found *out) {
  const hm_claim *first = s->slot->items[0].claim;
  hm_arena *a = hm_found_arena(out);
  if (!s->n_left_out)
    return;
  hm_finding f = { .project = s->snap->projects[first->project].id,
                   .rows = hm_alloc(a, sizeof *f.rows),
                   .n_rows = 1,
                   .key = hm_claim_slot_key(a, s->snap, first) };
  f.rows[0] = hm_row_ref(a, &s->snap->rows[first->row]);
  hm_str title = hm_slot_title(a, hm_conflict_slot_key(a, s->snap, first), first->called);
  f.message = hm_str_fmt(a, "%.*s: %d of %zu claims are compared, the first by trust, then id",
                         HM_FMT(title), HM_SLOT_COMPARED, HM_SLOT_COMPARED + s->n_left_out);
  f.actual = hm_str_fmt(a, "%zu claims", HM_SLOT_COMPARED + s->n_left_out);
  hm_found_add_finding(out, f);
}

/* --- why ------------------------------------------------------------------------------ */

/* How a row came to speak of the slot. */
static void tell_way(hm_explainer *t, const hm_claim *c) {
  const hm_row *r = &t->w->snap->rows[c->row];
  hm_str subject;
  ptrdiff_t at = hm_str_find(c->compare, "\x1f");
  if (c->layer == HM_RELATION) {
    hm_explain_relation(t, c);
    return;
  }
  if (c->layer == HM_ENTITY) {
    hm_buf_c(&t->line, " is named by its type and slot (");
    hm_str rest = c->compare;
    for (bool first = true; rest.n; first = false) {
      at = hm_str_find(rest, "\x1f");
      hm_str part = at < 0 ? rest : hm_str_sub(rest, 0, (size_t)at);
      hm_explain_fact(t, part.n && !first ? ", " : "", part);
      rest = at < 0 ? HM_EMPTY : hm_str_sub(rest, (size_t)at + 1, rest.n);
    }
    hm_buf_c(&t->line, ")");
  } else if (c->layer == HM_STATE) {
    hm_explain_quote(t, " is named by its key ", r->name);
    hm_explain_quote(t, " in category ", r->type);
    if (at > 0) {
      hm_explain_fact(t, ", which leaves out entities of other types than ",
                      hm_str_sub(c->compare, 0, (size_t)at));
      hm_buf_c(&t->line, ",");
    }
  } else if (c->said) {
    hm_buf_fmt(&t->line, " is read as %s", c->said->claim.shape == HM_SHAPE_ATTRIBUTE ? "an" : "a");
    hm_explain_fact(t, " ", hm_shape_name(c->said->claim.shape));
    hm_explain_quote(t, " from ", c->said->claim.words);
  } else if (hm_memory_parse_subject_rule(r, &subject)) {
    if (subject.n) {
      hm_explain_quote(t, " is named by its subject ", subject);
      hm_buf_c(&t->line, " and what it says of that");
    } else
      hm_buf_c(&t->line, " is named by what its text speaks of");
  } else if (r->slot_rule.n) {
    hm_explain_quote(t, " is named by its slot rule ", r->slot_rule);
  } else if (hm_str_starts(c->name, "\"")) {
    hm_buf_c(&t->line, " is named by its own text, as it has a polarity and no grammar reads it,");
  } else {
    hm_explain_fact(t, " is read by the grammar of ", r->type);
    hm_buf_c(&t->line, " memories");
  }
  hm_buf_c(&t->line, " and");
}

void hm_explain_slot_conflict(hm_explainer *t, const hm_dispute *d) {
  hm_explain_dispute(t, d, tell_way);
}
