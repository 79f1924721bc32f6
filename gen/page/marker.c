/* Which field is disputed, and by which verdict a row lost. Every field that a
 * page shows asks here. */
#include "view_private.h"

uint32_t hm_view_mark(const hm_view *v, uint32_t row, hm_str field) {
  size_t lo = 0, hi = v->n_marks;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    const hm_mark *m = &v->marks[mid];
    int c = m->row != row ? (m->row < row ? -1 : 1) : hm_str_cmp(m->field, field);
    if (c == 0) return m->conflict;
    if (c < 0) lo = mid + 1;
    else hi = mid;
  }
  return HM_NONE;
}

uint32_t hm_view_settled(const hm_view *v, uint32_t row, uint32_t winner) {
  size_t lo = 0, hi = v->n_settled;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (v->settled[mid].row < row) lo = mid + 1;
    else hi = mid;
  }
  for (; lo < v->n_settled && v->settled[lo].row == row; lo++)
    if (v->settled[lo].winner == winner) return v->settled[lo].conflict;
  return HM_NONE;
}
