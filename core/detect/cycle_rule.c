/* Rows that supersede each other in a circle.
 *
 * A row has one successor at most, so a component of n rows has a circle just where all n have a
 * successor in it, and then one: n steps from anywhere end on it. Cost: O(n log n). */
#include "core/detect/rules_shipped.h"

enum { SHOWN_MAX = 100 };

/* All rows have a successor: cards[i] is of rows[i]. */
static uint32_t successor(const hm_scope *s, uint32_t row) {
  size_t lo = 0, hi = s->n_rows;
  while (hi - lo > 1) {
    size_t mid = lo + (hi - lo) / 2;
    if (s->rows[mid] <= row) lo = mid;
    else hi = mid;
  }
  return s->cards[lo].to;
}

int hm_find_supersession_cycles(const hm_scope *s, hm_found *out, hm_err *err) {
  (void)err;
  hm_arena *a = hm_found_arena(out);
  if (s->n_cards < s->n_rows) return 0;
  for (size_t i = 0; i < s->n_cards; i++)
    if (s->cards[i].to == HM_MAP_NONE) return 0;
  uint32_t at = s->rows[0], least;
  for (size_t i = 0; i < s->n_rows; i++) at = successor(s, at);
  size_t length = 1;
  least = at;
  for (uint32_t i = successor(s, at); i != at; i = successor(s, i), length++)
    if (i < least) least = i;
  hm_str project = s->snap->projects[s->snap->rows[least].project].id;
  size_t shown = length < SHOWN_MAX ? length : SHOWN_MAX;
  hm_str *rows = hm_alloc_array(a, shown, sizeof *rows);
  for (size_t k = 0; k < shown; k++, least = successor(s, least))
    rows[k] = hm_row_ref(a, &s->snap->rows[least]);
  hm_str size = hm_str_fmt(a, "%zu", length);
  hm_str message = length == 1
      ? HM_CAT(a, rows[0], HM_STR(" is superseded by itself"))
      : HM_CAT(a, rows[0],
               HM_STR(" and the rows after it are superseded by each other in a circle of "), size);
  hm_found_finding(out, (hm_finding){ .project = project,
                                      .rows = rows,
                                      .n_rows = shown,
                                      .message = message,
                                      .actual = HM_CAT(a, HM_STR("a circle of "), size) });
  return 0;
}
