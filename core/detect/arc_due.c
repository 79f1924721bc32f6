/* What overtakes by its row or by its version: known before the walk (arc.c).
 *
 * Of a version, the first higher one more than 30 days later is found in a tree of maxima over the
 * versions by time. Cost: O(versions log versions), but for higher ones that it does not meet. */
#include <stdlib.h>
#include <string.h>

#include "core/claim/value.h"
#include "core/detect/arc_impl.h"

#define DAYS_30 ((hm_time)30 * 24 * 3600 * 1000000)

/* --- the first higher one ------------------------------------------------------------- */

typedef struct { const arc_work *w; uint32_t *v; size_t n; uint32_t *top; size_t leaves; } versions;

static hm_str version_of(const versions *t, uint32_t i) {
  return t->w->arc->claims[t->w->order[t->v[i]]].version;
}

static int by_version(const void *x, const void *y, void *ctx) {
  const versions *t = ctx;
  uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
  int d = hm_version_compare(version_of(t, i), version_of(t, k));
  return d ? d : (i > k) - (i < k);
}

/* Ranks, equal for equal versions, from 1 on, as the leaves of a tree of maxima. */
static void rank_versions(versions *t, hm_arena *a) {
  uint32_t *order = hm_alloc_array(a, t->n, sizeof *order);
  for (uint32_t i = 0; i < t->n; i++) order[i] = i;
  qsort_r(order, t->n, sizeof *order, by_version, t);
  for (t->leaves = 1; t->leaves < t->n;) t->leaves *= 2;
  t->top = hm_alloc_array(a, 2 * t->leaves, sizeof *t->top);
  for (uint32_t i = 0, rank = 0; i < t->n; i++) {
    if (!i || hm_version_compare(version_of(t, order[i - 1]), version_of(t, order[i]))) rank++;
    t->top[t->leaves + order[i]] = rank;
  }
  for (size_t i = t->leaves; i-- > 1;)
    t->top[i] = t->top[2 * i] > t->top[2 * i + 1] ? t->top[2 * i] : t->top[2 * i + 1];
}

/* The first leaf from `first` on of a higher rank, below node i; SIZE_MAX: none. */
static size_t first_above(const versions *t, size_t i, size_t lo, size_t size, size_t first,
                          uint32_t rank) {
  if (t->top[i] <= rank || lo + size <= first) return SIZE_MAX;
  if (size == 1) return lo;
  size_t got = first_above(t, 2 * i, lo, size / 2, first, rank);
  return got != SIZE_MAX ? got : first_above(t, 2 * i + 1, lo + size / 2, size / 2, first, rank);
}

static void add_versions(const arc_work *w, arc_due *due, size_t *n) {
  versions t = { .w = w, .v = hm_alloc_array(w->a, w->n, sizeof *t.v) };
  const hm_arc_claim *claims = w->arc->claims;
  for (uint32_t p = 0; p < w->n; p++)
    if (hm_is_version(claims[w->order[p]].version)) t.v[t.n++] = p;
  if (t.n < 2) return;
  rank_versions(&t, w->a);
  for (size_t i = 0, later = 0; i < t.n; i++) {
    const hm_arc_claim *x = &claims[w->order[t.v[i]]];
    while (later < t.n && claims[w->order[t.v[later]]].at - DAYS_30 <= x->at) later++;
    for (size_t k = later;; k++) {
      k = first_above(&t, 1, 0, t.leaves, k, t.top[t.leaves + i]);
      if (k == SIZE_MAX) break;
      const hm_arc_claim *y = &claims[w->order[t.v[k]]];
      if (!hm_version_above(y->version, x->version) || !hm_arc_meet(x, y)) continue;
      if (!w->rules->differ(w->rules->ctx, w->order[t.v[i]], w->order[t.v[k]])) continue;
      due[(*n)++] = (arc_due){ t.v[k], t.v[i], HM_ARC_VERSION };
      break;
    }
  }
}

/* --- rows ------------------------------------------------------------------------------- */

static int by_row(const void *x, const void *y) {
  const arc_row *a = x, *b = y;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return (a->claim > b->claim) - (a->claim < b->claim);
}

const arc_row *arc_rows_of(const hm_arc *arc, hm_arena *a) {
  arc_row *v = hm_alloc_array(a, arc->n, sizeof *v);
  for (uint32_t i = 0; i < arc->n; i++) v[i] = (arc_row){ arc->claims[i].row, i };
  if (arc->n) qsort(v, arc->n, sizeof *v, by_row);
  return v;
}

const arc_row *arc_rows_find(const arc_row *rows, size_t n, uint32_t row) {
  size_t lo = 0, hi = n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (rows[mid].row < row) lo = mid + 1;
    else hi = mid;
  }
  return lo < n && rows[lo].row == row ? &rows[lo] : NULL;
}

static void add_superseded(const arc_work *w, arc_due *due, size_t *n) {
  const hm_arc *arc = w->arc;
  uint32_t *place = hm_alloc_array(w->a, arc->n, sizeof *place);
  for (size_t i = 0; i < arc->n; i++) place[i] = HM_ARC_NONE;
  for (uint32_t p = 0; p < w->n; p++) place[w->order[p]] = p;
  for (uint32_t p = 0; p < w->n; p++) {
    const hm_arc_claim *x = &arc->claims[w->order[p]];
    const arc_row *r = x->by == HM_ARC_NONE ? NULL : arc_rows_find(w->rows, arc->n, x->by);
    for (; r && r < w->rows + arc->n && r->row == x->by; r++) {
      const hm_arc_claim *y = &arc->claims[r->claim];
      if (place[r->claim] == HM_ARC_NONE || y->at <= x->at || y->value == x->value ||
          !hm_arc_meet(x, y) || !w->rules->differ(w->rules->ctx, w->order[p], r->claim))
        continue;
      due[(*n)++] = (arc_due){ place[r->claim], p, HM_ARC_SUPERSEDED };
      break;
    }
  }
}

static int by_comer(const void *x, const void *y) {
  const arc_due *a = x, *b = y;
  if (a->y != b->y) return a->y < b->y ? -1 : 1;
  return (a->x > b->x) - (a->x < b->x);
}

void arc_due_of(const arc_work *w, const arc_due **out, size_t *n) {
  arc_due *v = hm_alloc_array(w->a, 2 * w->n, sizeof *v);
  *n = 0;
  add_superseded(w, v, n);
  add_versions(w, v, n);
  if (*n) qsort(v, *n, sizeof *v, by_comer);
  *out = v;
}
