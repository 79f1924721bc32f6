/* Who is compared with whom, whether they disagree, and the key of their slot: see claim.h. */
#include "core/claim/claim.h"

#include <string.h>

#include "core/base/json.h"
#include "core/claim/containment.h"

/* What stands before the first separator: of an entity its type, of a state the one that its
 * category names. */
static hm_str type_of(const hm_claim *c) {
  const char *end = c->compare.n ? memchr(c->compare.p, 0x1f, c->compare.n) : NULL;
  return end ? hm_str_sub(c->compare, 0, (size_t)(end - c->compare.p)) : c->compare;
}

static bool state_speaks_of(const hm_claim *state, const hm_claim *entity) {
  hm_str type = type_of(state);
  return !type.n || hm_str_eq(type, type_of(entity));
}

static bool peers(const hm_claim *a, const hm_claim *b) {
  if (a->layer != HM_MEMORY) return hm_str_eq(a->compare, b->compare);
  if (a->value.denied != b->value.denied) return true;
  return a->compare.n && b->compare.n && !a->value.denied;
}

/* Who denies something speaks of nothing else. */
static bool speak_of_the_same(const hm_value *a, const hm_value *b) {
  return (!a->denied && !b->denied) ||
      hm_str_eq(hm_value_undenied_key(a), hm_value_undenied_key(b));
}

bool hm_claim_comparable(const hm_claim *a, const hm_claim *b) {
  if (!speak_of_the_same(&a->value, &b->value)) return false;
  if (a->space.n) return true;
  if (a->layer == b->layer) return peers(a, b);
  if (a->layer == HM_STATE && b->layer == HM_ENTITY) return state_speaks_of(a, b);
  if (a->layer == HM_ENTITY && b->layer == HM_STATE) return state_speaks_of(b, a);
  return true;
}

static bool has_word(hm_str text, hm_str word) {
  for (size_t i = 0; i < text.n;) {
    const char *space = memchr(text.p + i, ' ', text.n - i);
    size_t end = space ? (size_t)(space - text.p) : text.n;
    if (hm_str_eq(hm_str_sub(text, i, end), word)) return true;
    i = end + 1;
  }
  return false;
}

/* Has `more` every word of `less`? */
static bool refines(hm_str more, hm_str less) {
  for (size_t i = 0; i < less.n;) {
    const char *space = memchr(less.p + i, ' ', less.n - i);
    size_t end = space ? (size_t)(space - less.p) : less.n;
    if (!has_word(more, hm_str_sub(less, i, end))) return false;
    i = end + 1;
  }
  return true;
}

static bool lies_in(const hm_claim *a, const hm_claim *b, size_t among) {
  size_t work = hm_containment_work(among);
  return hm_containment_throughout(a->lies, a->value.raw, b->value.raw, a->when, b->when, &work);
}

bool hm_claim_refines(const hm_claim *a, const hm_claim *b, size_t among) {
  const hm_value *x = &a->value, *y = &b->value;
  bool windows = a->layer == HM_RELATION && x->kind == HM_V_SET && y->kind == HM_V_SET;
  if (windows)
    return !hm_bounds_differ(&a->when->begin, &b->when->begin) &&
        !hm_bounds_differ(&a->when->end, &b->when->end);
  if (a->lies) return lies_in(a, b, among) || lies_in(b, a, among);
  if (a->layer != HM_MEMORY || b->layer != HM_MEMORY || !a->compare.n || !b->compare.n)
    return false;
  if (x->kind != HM_V_TEXT || y->kind != HM_V_TEXT) return false;
  size_t kind = sizeof "text:" - 1;
  hm_str s = hm_str_sub(x->norm, kind, x->norm.n), t = hm_str_sub(y->norm, kind, y->norm.n);
  return s.n < t.n ? refines(t, s) : refines(s, t);
}

bool hm_claims_share_slot(const hm_claim *a, const hm_claim *b) {
  return a->project == b->project && hm_str_eq(a->name, b->name) &&
      hm_str_eq(a->space, b->space);
}

bool hm_claim_overlap(const hm_claim *a, const hm_claim *b) {
  return hm_window_overlap(a->when, b->when);
}

bool hm_claim_may_overlap(const hm_claim *a, const hm_claim *b) {
  return hm_window_may_overlap(a->when, b->when);
}

bool hm_claim_disagree(const hm_claim *a, const hm_claim *b, const hm_rules *r, size_t among) {
  if (!hm_claim_comparable(a, b) || !hm_claim_overlap(a, b)) return false;
  if (hm_value_compatible(&a->value, &b->value, NULL) || hm_claim_refines(a, b, among))
    return false;
  const hm_tolerance *tol = hm_rules_tolerance(r, a->name);
  return !tol || !hm_value_compatible(&a->value, &b->value, tol);
}

hm_str hm_claim_slot_key(hm_arena *a, const hm_snapshot *snap, const hm_claim *c) {
  hm_buf b = { 0 };
  hm_buf_ch(&b, '[');
  hm_json_write_str(&b, snap->projects[c->project].id);
  if (c->space.n) {
    hm_buf_ch(&b, ',');
    hm_json_write_str(&b, c->space);
  }
  hm_buf_ch(&b, ',');
  hm_json_write_str(&b, c->name);
  hm_buf_ch(&b, ']');
  return hm_buf_take(&b, a);
}
