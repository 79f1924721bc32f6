#include "gen/site/markers.h"

#include <stdlib.h>
#include <string.h>

#include "gen/site/site_impl.h"

typedef struct {
  hm_map conflict_at;            /* path of its page -> index into conflicts */
  const hm_conflict_rec **conflicts;
  hm_arena *a, *scratch;
  hm_marker *v; size_t n, cap;
} work;

static void index_pages(work *w, const hm_view *v) {
  size_t n;
  w->conflicts = hm_view_conflicts(v, &n);
  hm_map_init(&w->conflict_at, w->scratch, n);
  for (size_t i = 0; i < n; i++)
    hm_map_add(&w->conflict_at, hm_view_conflict_path(v, w->conflicts[i], w->scratch), (uint32_t)i);
}

static void add(work *w, hm_str page, hm_str conflict) {
  if (w->n == w->cap) {
    w->cap = w->cap ? 2 * w->cap : 256;
    w->v = hm_xrealloc(w->v, w->cap * sizeof *w->v);
  }
  w->v[w->n++] = (hm_marker){ page, conflict };
}

static void read_page(work *w, const hm_known_page *p) {
  hm_str marks = p->marks, page = p->marks.n ? hm_str_dup(w->a, p->path) : HM_EMPTY;
  for (const char *end; marks.n && (end = memchr(marks.p, '\n', marks.n));) {
    size_t n = (size_t)(end - marks.p);
    uint32_t at = hm_map_get(&w->conflict_at, hm_str_sub(marks, 0, n));
    if (at != HM_MAP_NONE) add(w, page, w->conflicts[at]->id);
    marks = hm_str_sub(marks, n + 1, marks.n);
  }
}

static int by_page(const void *x, const void *y) {
  const hm_marker *a = x, *b = y;
  int c = hm_str_cmp(a->page, b->page);
  return c ? c : hm_str_cmp(a->conflict, b->conflict);
}

static void keep(work *w, hm_marker **out, size_t *n) {
  if (w->n) qsort(w->v, w->n, sizeof *w->v, by_page);
  *out = hm_alloc_array(w->a, w->n, sizeof **out);
  *n = 0;
  for (size_t i = 0; i < w->n; i++)
    if (!i || by_page(&w->v[i - 1], &w->v[i]) != 0)
      (*out)[(*n)++] = (hm_marker){ w->v[i].page, hm_str_dup(w->a, w->v[i].conflict) };
}

void hm_markers_of(const hm_known *k, const hm_view *v, hm_arena *a, hm_marker **out, size_t *n) {
  work w = { .a = a, .scratch = hm_arena_new() };
  index_pages(&w, v);
  for (size_t i = 0; i < k->n_pages; i++) read_page(&w, &k->pages[i]);
  keep(&w, out, n);
  free(w.v);
  hm_arena_free(w.scratch);
}
