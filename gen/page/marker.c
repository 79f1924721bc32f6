/* Which field is disputed, and by which verdict a row lost. Every field that a
 * page shows asks here. */
#include "view_private.h"

static const hm_mark *find(const hm_mark *marks, size_t n, uint32_t row, hm_str field) {
  size_t lo = 0, hi = n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    const hm_mark *m = &marks[mid];
    int c = m->row != row ? (m->row < row ? -1 : 1) : hm_str_cmp(m->field, field);
    if (c == 0) return m;
    if (c < 0) lo = mid + 1;
    else hi = mid;
  }
  return NULL;
}

uint32_t hm_view_mark(const hm_view *v, uint32_t row, hm_str field) {
  const hm_mark *m = find(v->marks, v->n_marks, row, field);
  return m ? m->conflict : HM_NONE;
}

bool hm_view_may_overlap(const hm_view *v, uint32_t row, hm_str field) {
  return find(v->may, v->n_may, row, field);
}

static const hm_mark *marks_of(const hm_mark *marks, size_t n_marks, uint32_t row, size_t *n) {
  size_t lo = 0, hi = n_marks, to;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (marks[mid].row < row) lo = mid + 1;
    else hi = mid;
  }
  for (to = lo; to < n_marks && marks[to].row == row; to++) continue;
  *n = to - lo;
  return *n ? &marks[lo] : NULL;
}

const hm_mark *hm_view_marks(const hm_view *v, uint32_t row, size_t *n) {
  return marks_of(v->marks, v->n_marks, row, n);
}

const hm_mark *hm_view_may_marks(const hm_view *v, uint32_t row, size_t *n) {
  return marks_of(v->may, v->n_may, row, n);
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
