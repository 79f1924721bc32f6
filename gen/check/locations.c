/* Finds the places of conflicts and rows on the Markdown pages: check_impl.h.
 *
 * Finds markers once, on all cores, sorted by conflict; finds permalinks page by page, when the
 * first row of a page is looked up. Cost: linear in the bytes of the Markdown. */
#include "gen/check/check_impl.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/sort.h"
#include "gen/site/site.h"

enum { WORKERS_MAX = 64 };

typedef struct {
  uint32_t conflict, file;
  size_t line;
} marker;
typedef struct {
  marker *v;
  size_t n;
} page_markers;

struct hm_locations {
  const hm_site *s;
  const hm_view *v;
  hm_arena *a;
  hm_map conflict_at; /* page of a conflict -> its index */
  marker *markers;
  size_t n;       /* by conflict, file, line */
  hm_map page_at; /* list page -> index into anchors */
  hm_map *anchors;
  size_t n_anchors, cap_anchors; /* permalink's name -> line */
};

/* --- markers ------------------------------------------------------------------ */

typedef struct {
  hm_locations *p;
  page_markers *pages;
  hm_arena *keep[WORKERS_MAX], *scratch[WORKERS_MAX];
} search;

static size_t lines_between(const char *from, const char *to) {
  size_t n = 0;
  while (from < to && (from = memchr(from, '\n', (size_t)(to - from))))
    n++, from++;
  return n;
}

static int search_page(void *ctx, size_t i, int worker) {
  search *w = ctx;
  const hm_file *f = &w->p->s->files[i];
  if (!hm_str_ends(f->path, ".md"))
    return 0;
  page_markers *found = &w->pages[i];
  size_t cap = 0;
  hm_str md = f->bytes, link, to;
  const char *counted = md.p;
  size_t line = 1;
  hm_arena_reset(w->scratch[worker]);
  while (hm_next_marker(f->path, &md, w->scratch[worker], &link, &to)) {
    uint32_t c = hm_map_get(&w->p->conflict_at, to);
    if (c == HM_MAP_NONE)
      continue;
    line += lines_between(counted, link.p);
    counted = link.p;
    found->v = hm_array_grow_in(w->keep[worker], found->v, found->n, &cap, sizeof *found->v);
    found->v[found->n++] = (marker){ c, (uint32_t)i, line };
  }
  return 0;
}

static int by_conflict(const void *x, const void *y) {
  const marker *a = x, *b = y;
  if (a->conflict != b->conflict)
    return a->conflict < b->conflict ? -1 : 1;
  if (a->file != b->file)
    return a->file < b->file ? -1 : 1;
  return a->line < b->line ? -1 : a->line > b->line;
}

static void find_markers(hm_locations *p, int threads) {
  search w = { .p = p };
  hm_arena *tmp = hm_arena_new();
  threads = threads < 1 ? 1 : threads > WORKERS_MAX ? WORKERS_MAX : threads;
  w.pages = hm_alloc_array(tmp, p->s->n + 1, sizeof *w.pages);
  for (int i = 0; i < threads; i++)
    w.keep[i] = hm_arena_new(), w.scratch[i] = hm_arena_new();
  hm_par_for(p->s->n, threads, search_page, &w, NULL);
  for (size_t i = 0; i < p->s->n; i++)
    p->n += w.pages[i].n;
  p->markers = hm_alloc_array(p->a, p->n + 1, sizeof *p->markers);
  size_t n = 0;
  for (size_t i = 0; i < p->s->n; i++)
    for (size_t k = 0; k < w.pages[i].n; k++)
      p->markers[n++] = w.pages[i].v[k];
  if (n)
    qsort(p->markers, n, sizeof *p->markers, by_conflict);
  for (int i = 0; i < threads; i++)
    hm_arena_free(w.keep[i]), hm_arena_free(w.scratch[i]);
  hm_arena_free(tmp);
}

hm_locations *hm_find_locations(const hm_site *s, const hm_view *v, int threads, hm_arena *a) {
  hm_locations *p = hm_alloc(a, sizeof *p);
  *p = (hm_locations){ .s = s, .v = v, .a = a };
  size_t n;
  const hm_conflict_rec **recs = hm_view_conflicts(v, &n);
  hm_map_init(&p->conflict_at, a, n);
  for (size_t i = 0; i < n; i++)
    hm_map_add(&p->conflict_at, hm_view_conflict_path(v, recs[i], a), (uint32_t)i);
  hm_map_init(&p->page_at, a, 64);
  find_markers(p, threads);
  return p;
}

/* --- permalinks ----------------------------------------------------------------- */

static void read_anchors(hm_map *m, hm_str md, hm_arena *a) {
  static const char open[] = "<a id=\"";
  size_t line = 1;
  hm_map_init(m, a, 64);
  for (ptrdiff_t at; (at = hm_str_find(md, open)) >= 0;) {
    line += lines_between(md.p, md.p + at);
    md = hm_str_sub(md, (size_t)at + sizeof open - 1, md.n);
    const char *end = md.n ? memchr(md.p, '"', md.n) : NULL;
    if (end)
      hm_map_add(m, hm_str_sub(md, 0, (size_t)(end - md.p)), (uint32_t)line);
  }
}

static const hm_map *anchors_of(hm_locations *p, hm_str path) {
  uint32_t i = hm_map_get(&p->page_at, path);
  if (i != HM_MAP_NONE)
    return &p->anchors[i];
  const hm_file *f = hm_site_file(p->s, path);
  p->anchors =
      hm_array_grow_in(p->a, p->anchors, p->n_anchors, &p->cap_anchors, sizeof *p->anchors);
  hm_map_add(&p->page_at, path, (uint32_t)p->n_anchors);
  hm_map *m = &p->anchors[p->n_anchors++];
  read_anchors(m, f ? f->bytes : HM_EMPTY, p->a);
  return m;
}

/* A mirror may be HTML only. */
static hm_location location_on(hm_locations *p, hm_str path, size_t line) {
  if (!path.n || hm_site_file(p->s, path))
    return (hm_location){ path, line };
  return (hm_location){ hm_html_path(path, p->a), 0 };
}

/* On the Markdown page. */
static hm_location row_at(hm_locations *p, uint32_t row) {
  hm_str anchor, path = hm_view_find_row_page(p->v, row, p->a, &anchor);
  if (!path.n)
    return (hm_location){ HM_EMPTY, 0 };
  uint32_t line = hm_map_get(anchors_of(p, path), anchor);
  return (hm_location){ path, line == HM_MAP_NONE ? 1 : line };
}

hm_location hm_locate_row(hm_locations *p, uint32_t row) {
  hm_location s = row_at(p, row);
  return location_on(p, s.path, s.line);
}

hm_location hm_locate_page(hm_locations *p, hm_str md) { return location_on(p, md, 1); }

hm_location hm_locate_project(hm_locations *p, hm_str project) {
  hm_str path = hm_view_project_path(p->v, project, p->a);
  return location_on(p, path.n ? path : HM_STR("README.md"), 1);
}

/* --- conflicts -------------------------------------------------------------------- */

/* 0: a project's overview, 1: another page of a project, 2: any other. */
static int rank_of(hm_str path) {
  if (!hm_str_starts(path, "projects/"))
    return 2;
  bool overview = hm_str_ends(path, "/README.md") &&
      memchr(path.p + 9, '/', path.n - 9) == path.p + path.n - sizeof "/README.md" + 1;
  return overview ? 0 : 1;
}

hm_location hm_locate_conflict(hm_locations *p, uint32_t conflict, const uint32_t *rows, size_t n) {
  size_t from = hm_lower_bound(p->markers, p->n, sizeof *p->markers, &conflict, hm_order_u32);
  const marker *m = p->markers + from, *end = m, *found = NULL;
  while (end < p->markers + p->n && end->conflict == conflict)
    end++;
  hm_location shown = { HM_EMPTY, 0 };
  for (size_t i = 0; i < n && !found; i++) {
    hm_location row = row_at(p, rows[i]);
    if (!shown.path.n)
      shown = row;
    /* On its list page a row's marker is the first one after its permalink. */
    for (const marker *x = m; x < end && row.path.n && !found; x++)
      if (hm_str_eq(p->s->files[x->file].path, row.path) && x->line >= row.line)
        found = x;
  }
  bool in_row = found != NULL;
  int best = 3;
  for (const marker *x = m; x < end && !in_row; x++) {
    int rank = rank_of(p->s->files[x->file].path);
    if (rank >= best)
      continue;
    best = rank;
    found = x;
  }
  if (found)
    return (hm_location){ p->s->files[found->file].path, found->line };
  if (shown.path.n)
    return location_on(p, shown.path, shown.line);
  size_t all;
  const hm_conflict_rec **recs = hm_view_conflicts(p->v, &all);
  return location_on(p, hm_view_conflict_path(p->v, recs[conflict], p->a), 1);
}
