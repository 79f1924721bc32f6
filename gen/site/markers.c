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
  for (size_t i = 0; i < n; i++) hm_map_add(&w->conflict_at, hm_view_conflict_path(v, w->conflicts[i], w->scratch), (uint32_t)i);
}

static void add(work *w, hm_str page, hm_str conflict) {
  if (w->n == w->cap) {
    w->cap = w->cap ? 2 * w->cap : 256;
    w->v = hm_xrealloc(w->v, w->cap * sizeof *w->v);
  }
  w->v[w->n++] = (hm_marker){ page, conflict };
}

/* Pages come by path; a page that has no marker costs no memory. */
static void read_page(work *w, const hm_file *f) {
  hm_str md = f->bytes, link, to, page = HM_EMPTY;
  if (!hm_str_ends(f->path, ".md")) return;
  hm_arena *tmp = hm_arena_new();
  while (hm_next_marker(f->path, &md, tmp, &link, &to)) {
    uint32_t at = hm_map_get(&w->conflict_at, to);
    if (at == HM_MAP_NONE) continue;
    if (!page.n) page = hm_str_dup(w->a, f->path);
    add(w, page, w->conflicts[at]->id);
  }
  hm_arena_free(tmp);
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
    if (!i || by_page(&w->v[i - 1], &w->v[i]) != 0) (*out)[(*n)++] = (hm_marker){ w->v[i].page, hm_str_dup(w->a, w->v[i].conflict) };
}

int hm_markers_of(const hm_view *v, const hm_templates *t, int threads, hm_arena *a, hm_marker **out, size_t *n, hm_err *err) {
  hm_site_options opt = { .threads = threads, .markdown = true };
  hm_site *site;
  if (hm_site_build(v, t, &opt, &site, err)) return -1;
  work w = { .a = a, .scratch = hm_arena_new() };
  index_pages(&w, v);
  for (size_t i = 0; i < site->n; i++) read_page(&w, &site->files[i]);
  keep(&w, out, n);
  free(w.v);
  hm_arena_free(w.scratch);
  hm_site_free(site);
  return 0;
}
