/* The rule for one fact that two sources date otherwise: a member until 345, a member until 350.
 *
 * Rows of one slot that say the same are held against each other, bound by bound. They are in
 * conflict about a bound where their windows certainly overlap, both give the bound, no instant is
 * possible for both ("2001" and "2001-03" agree), and they come from two sources: each names one,
 * and they do not name the same. Rows that do not overlap are two facts (a senator twice), and one
 * source that gives two bounds tells of two facts or corrects itself: nobody knows.
 * The claims are the rule's own: the row, its field valid_from or valid_until, and the bound. A
 * fact that is told at both ends (spouses) is held against itself at the one of the lesser id.
 * Cost: rows that say the same are sorted; pairs among them, of at most ROWS_MAX.
 * Source: relations as claims. */
#include <stdlib.h>
#include <string.h>

#include "core/claim/relation.h"
#include "core/detect/rule.h"

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
  if (c->when->of_props) return &none;
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

/* --- one fact -------------------------------------------------------------------------- */

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
  if (!n_pairs) return;
  hm_arena *a = hm_found_arena(out);
  const hm_claim **claims = hm_alloc_array(s->scratch, n, sizeof *claims);
  for (size_t i = 0; i < n; i++) claims[i] = claim_of_bound(same[i], begin, a);
  hm_found_conflict(out, s, hm_conflict_slot_key(a, s->snap, same[0]), claims, n, pairs, n_pairs);
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

int hm_find_other_bounds(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  const hm_slot_claims *slot = s->slot;
  const hm_claim *first = slot->items[0].claim;
  const hm_relation_kind *k =
      hm_relation_kind_of_space(hm_relation_kinds_of(s->config), first->space);
  if (!k || k->window) return 0;
  member *v = hm_alloc_array(s->scratch, slot->n, sizeof *v);
  const hm_claim **same = hm_alloc_array(s->scratch, slot->n, sizeof *same);
  for (size_t i = 0; i < slot->n; i++) v[i] = (member){ slot->items[i].claim, i };
  qsort(v, slot->n, sizeof *v, by_value);
  for (size_t i = 0, n; i < slot->n; i += n) {
    hm_str value = v[i].claim->value.raw;
    for (n = 0; i + n < slot->n && hm_str_eq(v[i + n].claim->value.key, v[i].claim->value.key); n++)
      same[n] = v[i + n].claim;
    bool told_there = k->subject == HM_SUBJECT_BOTH && hm_str_cmp(value, first->name) < 0;
    for (int begin = 1; begin >= 0 && n > 1 && !told_there; begin--)
      find_about(s, out, same, n < ROWS_MAX ? n : ROWS_MAX, begin);
  }
  return 0;
}
