/* When two values that are made of others can both hold: sets, lists and objects.
 *
 * Sets: one contains the other, each element by one that is compatible with it. Lists: one is left
 * when elements are taken out of the other. A value beside a set or a list is one of one element.
 * Objects: all values under names that both have are compatible; an object beside anything else
 * speaks of nothing that the other speaks of.
 * Cost: a merge of sorted elements; for those without an equal a search, nearest first, of a number
 * of steps that is linear in both. Past it they count as compatible: a false alarm is worse. */
#include "core/claim/value_impl.h"

enum { STEPS = 64, STEPS_EACH = 16 };

/* steps: pairs that may still be looked at. */
typedef struct { const hm_tolerance *tol; size_t steps; } comparing;

static bool fits(comparing *c, const hm_value *a, const hm_value *b);

bool hm_value_has_parts(const hm_value *v) {
  return v->kind == HM_V_SET || v->kind == HM_V_LIST || v->kind == HM_V_OBJECT;
}

static bool is_array(const hm_value *v) { return v->kind == HM_V_SET || v->kind == HM_V_LIST; }

static bool in_prose(const hm_value *v) { return v->kind == HM_V_TEXT && v->n_items; }

const hm_value *hm_value_items(const hm_value *v, size_t *n) {
  *n = is_array(v) ? v->n_items : 1;
  return is_array(v) ? v->items : v;
}

/* near: where one would stand among all. Texts without an equal key are not compatible. */
static bool has_fitting(comparing *c, const hm_value *all, size_t n, size_t near,
                        const hm_value *one) {
  if (!c->steps) return true;
  for (size_t k = 0; k < n; k++) {
    const hm_value *other = &all[(near + n - 1 + k) % n];
    bool texts = other->kind == HM_V_TEXT && one->kind == HM_V_TEXT;
    if (texts) c->steps -= c->steps > 0;
    if (texts ? hm_str_eq(other->key, one->key) : fits(c, other, one)) return true;
  }
  return false;
}

/* What is sorted by key, as sets are, is found by the merge. */
static bool contains(comparing *c, const hm_value *all, size_t n, const hm_value *some, size_t m) {
  size_t i = 0;
  for (size_t j = 0; j < m; j++) {
    int d = -1;
    while (i < n && (d = hm_str_cmp(all[i].key, some[j].key)) < 0) i++;
    if ((i == n || d > 0) && !has_fitting(c, all, n, i, &some[j])) return false;
  }
  return true;
}

/* The first of all that fits is taken: a later one leaves less for those behind. */
static bool contains_in_order(comparing *c, const hm_value *all, size_t n, const hm_value *some,
                              size_t m) {
  size_t j = 0;
  for (size_t i = 0; i < n && j < m && n - i >= m - j; i++) j += fits(c, &all[i], &some[j]);
  return j == m;
}

static bool objects_fit(comparing *c, const hm_value *a, const hm_value *b) {
  const hm_str *x = hm_value_names(a), *y = hm_value_names(b);
  for (size_t i = 0, j = 0; i < a->n_items && j < b->n_items;) {
    int d = hm_str_cmp(x[i], y[j]);
    if (!d && !fits(c, &a->items[i], &b->items[j])) return false;
    i += d <= 0;
    j += d >= 0;
  }
  return true;
}

static bool elements_fit(comparing *c, const hm_value *x, size_t n, const hm_value *y, size_t m,
                         bool ordered) {
  if (ordered) return contains_in_order(c, x, n, y, m) || contains_in_order(c, y, m, x, n);
  return contains(c, x, n, y, m) || contains(c, y, m, x, n);
}

/* A list in prose is one element, or its items. */
static bool fits(comparing *c, const hm_value *a, const hm_value *b) {
  if (!c->steps || hm_str_eq(a->key, b->key)) return true;
  size_t cost = 1 + (a->n_items + b->n_items) / 8;
  c->steps -= cost < c->steps ? cost : c->steps;
  if (!hm_value_has_parts(a) && !hm_value_has_parts(b)) return hm_value_compatible(a, b, c->tol);
  if (a->kind == HM_V_OBJECT && b->kind == HM_V_OBJECT) return objects_fit(c, a, b);
  if (a->kind == HM_V_OBJECT ? !is_array(b) : b->kind == HM_V_OBJECT && !is_array(a)) return true;
  size_t n, m;
  const hm_value *x = hm_value_items(a, &n), *y = hm_value_items(b, &m);
  bool ordered = a->kind != HM_V_SET && b->kind != HM_V_SET;
  return elements_fit(c, x, n, y, m, ordered) ||
      (in_prose(a) && elements_fit(c, a->items, a->n_items, y, m, ordered)) ||
      (in_prose(b) && elements_fit(c, x, n, b->items, b->n_items, ordered));
}

size_t hm_value_missing(const hm_value *x, const hm_value *y, const hm_tolerance *tol,
                        const hm_value **out, size_t max) {
  size_t n = x->n_items, m = y->n_items, found = 0, j = 0;
  const hm_value *xs = in_prose(x) ? x->items : hm_value_items(x, &n);
  const hm_value *ys = in_prose(y) ? y->items : hm_value_items(y, &m);
  comparing c = { tol, STEPS + STEPS_EACH * (n + m) };
  for (size_t i = 0; i < n; i++) {
    int d = -1;
    while (j < m && (d = hm_str_cmp(ys[j].key, xs[i].key)) < 0) j++;
    if (j < m && !d) continue;
    if (c.steps && has_fitting(&c, ys, m, j, &xs[i])) continue;
    if (found < max) out[found] = &xs[i];
    found++;
  }
  return found;
}

/* The order of the two must not change what is found before the steps are used up. */
bool hm_value_parts_compatible(const hm_value *a, const hm_value *b, const hm_tolerance *tol) {
  comparing c = { tol, STEPS + STEPS_EACH * (a->n_items + b->n_items) };
  bool swap = hm_str_cmp(a->key, b->key) > 0;
  return swap ? fits(&c, b, a) : fits(&c, a, b);
}
