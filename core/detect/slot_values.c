/* Numbers for values: one for each normal form, and then one for several where these are all
 * compatible with each other (30 s and 30000 ms; measurements within a tolerance). A search that
 * meets another number has then most likely met a disagreement. */
#include <stdlib.h>
#include <string.h>

#include "core/detect/numbering.h"
#include "core/detect/slot.h"

enum { TOGETHER_MAX = 8 };

/* Values of one unit, all compatible: those from lo to hi in size. */
typedef struct { const hm_value *lo, *hi; hm_str base, unit; uint32_t number; } range;

static int num_cmp(const range *a, const range *b) {
  if (a->lo->num != b->lo->num) return a->lo->num < b->lo->num ? -1 : 1;
  return hm_str_cmp(a->lo->norm, b->lo->norm);
}

static int by_unit(const void *x, const void *y) {
  const range *a = x, *b = y;
  int d = hm_str_cmp(a->base, b->base);
  if (!d) d = hm_str_cmp(a->unit, b->unit);
  return d ? d : num_cmp(a, b);
}

static int by_base(const void *x, const void *y) {
  const range *a = x, *b = y;
  int d = hm_str_cmp(a->base, b->base);
  return d ? d : num_cmp(a, b);
}

/* Up to 100 % a tolerance that holds between the ends of a range holds between any two inside. */
static bool spans(const hm_tolerance *tol) {
  return tol && !(hm_str_is(tol->unit, "%") && tol->value > 100);
}

/* Values of one unit that follow each other within the tolerance become one range. Two that are the
 * same double stay apart, as they may not be in order. */
static size_t join_by_tolerance(range *r, size_t n, const hm_tolerance *tol, uint32_t *to) {
  size_t out = 0;
  qsort(r, n, sizeof *r, by_unit);
  for (size_t i = 0; i < n; i++) {
    range *last = out ? &r[out - 1] : NULL;
    if (last && hm_str_eq(last->base, r[i].base) && hm_str_eq(last->unit, r[i].unit) &&
        last->hi->num < r[i].lo->num && hm_value_compatible(last->lo, r[i].lo, tol)) {
      last->hi = r[i].hi;
      to[r[i].number] = last->number;
    } else {
      r[out++] = r[i];
    }
  }
  return out;
}

static bool ranges_compatible(const range *a, const range *b, const hm_tolerance *tol) {
  return hm_value_compatible(a->lo, b->lo, tol) && hm_value_compatible(a->hi, b->hi, tol) &&
         hm_value_compatible(a->lo, b->hi, tol) && hm_value_compatible(a->hi, b->lo, tol);
}

static bool joins(const range *group, size_t n, const range *r, const hm_tolerance *tol) {
  for (size_t i = 0; i < n; i++)
    if (!ranges_compatible(&group[i], r, tol)) return false;
  return n < TOGETHER_MAX;
}

/* Ranges of different units that hold the same. */
static void join_units(range *r, size_t n, const hm_tolerance *tol, uint32_t *to) {
  qsort(r, n, sizeof *r, by_base);
  for (size_t i = 0, j; i < n; i = j)
    for (j = i + 1; j < n && joins(r + i, j - i, &r[j], tol); j++) to[r[j].number] = r[i].number;
}

/* What follows the number in a quantity's normal form. */
static hm_str unit_of(const hm_value *v) {
  const char *space = v->kind == HM_V_QUANTITY ? memchr(v->norm.p, ' ', v->norm.n) : NULL;
  return space ? hm_str_sub(v->norm, (size_t)(space - v->norm.p) + 1, v->norm.n) : HM_EMPTY;
}

static range range_of(const hm_value *v, uint32_t number) {
  return (range){ v, v, v->kind == HM_V_QUANTITY ? v->base : HM_STR("1"), unit_of(v), number };
}

/* to[] may lead to a number that leads on: at most twice. */
static uint32_t end_of(const uint32_t *to, uint32_t number) { return to[to[number]]; }

void hm_slot_number_values(hm_slot *s, hm_arena *a) {
  hm_numbering norms;
  hm_numbering_init(&norms, a);
  range *ranges = hm_alloc_array(a, s->n, sizeof *ranges);
  uint32_t *to = hm_alloc_array(a, s->n, sizeof *to);
  size_t n = 0;
  bool plain = !s->tol;
  for (size_t i = 0; i < s->n; i++) {
    const hm_value *v = &s->items[i].claim->value;
    uint32_t known = norms.n, number = hm_numbering_of(&norms, v->norm);
    s->items[i].norm = s->items[i].value = number;
    if (number < known) continue;
    to[number] = number;
    if (v->denied) continue;   /* in no range: it is compatible with all but one */
    if (v->kind == HM_V_QUANTITY || v->kind == HM_V_NUMBER) ranges[n++] = range_of(v, number);
    if (v->kind == HM_V_QUANTITY) plain = false;
  }
  if (n < 2 || plain) return;
  if (spans(s->tol)) n = join_by_tolerance(ranges, n, s->tol, to);
  join_units(ranges, n, s->tol, to);
  for (size_t i = 0; i < s->n; i++) s->items[i].value = end_of(to, s->items[i].value);
}
