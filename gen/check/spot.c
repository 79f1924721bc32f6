#include "gen/check/spot.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "gen/site/markers.h"

enum { HANDS_MAX = 64 };

typedef struct { uint32_t conflict, file; size_t line; } marker;
typedef struct { marker *v; size_t n; } page_markers;

struct hm_spots {
  const hm_site *s;
  const hm_view *v;
  hm_arena *a;
  hm_map conflict_at;            /* page of a conflict -> its index */
  marker *markers; size_t n;     /* by conflict, file, line */
  hm_map page_at;                /* list page -> index into anchors */
  hm_map *anchors; size_t n_anchors, cap_anchors;   /* permalink's name -> line */
};

/* --- markers ------------------------------------------------------------------ */

typedef struct {
  hm_spots *p;
  page_markers *pages;
  hm_arena *keep[HANDS_MAX], *scratch[HANDS_MAX];
} search;

static size_t lines_between(const char *from, const char *to) {
  size_t n = 0;
  while (from < to && (from = memchr(from, '\n', (size_t)(to - from)))) n++, from++;
  return n;
}

typedef struct { marker *v; size_t n, cap; } pile;

static void push(pile *x, marker m, hm_arena *a) {
  if (x->n == x->cap) {
    size_t cap = x->cap ? 2 * x->cap : 8;
    marker *v = hm_alloc_array(a, cap, sizeof *v);
    if (x->n) memcpy(v, x->v, x->n * sizeof *v);
    x->v = v;
    x->cap = cap;
  }
  x->v[x->n++] = m;
}

static int search_page(void *ctx, size_t i, int worker) {
  search *w = ctx;
  const hm_file *f = &w->p->s->files[i];
  if (!hm_str_ends(f->path, ".md")) return 0;
  pile found = { 0 };
  hm_str md = f->bytes, link, to;
  const char *counted = md.p;
  size_t line = 1;
  hm_arena_reset(w->scratch[worker]);
  while (hm_next_marker(f->path, &md, w->scratch[worker], &link, &to)) {
    uint32_t c = hm_map_get(&w->p->conflict_at, to);
    if (c == HM_MAP_NONE) continue;
    line += lines_between(counted, link.p);
    counted = link.p;
    push(&found, (marker){ c, (uint32_t)i, line }, w->keep[worker]);
  }
  w->pages[i] = (page_markers){ found.v, found.n };
  return 0;
}

static int by_conflict(const void *x, const void *y) {
  const marker *a = x, *b = y;
  if (a->conflict != b->conflict) return a->conflict < b->conflict ? -1 : 1;
  if (a->file != b->file) return a->file < b->file ? -1 : 1;
  return a->line < b->line ? -1 : a->line > b->line;
}

static void find_markers(hm_spots *p, int threads) {
  search w = { .p = p };
  hm_arena *tmp = hm_arena_new();
  threads = threads < 1 ? 1 : threads > HANDS_MAX ? HANDS_MAX : threads;
  w.pages = hm_alloc_array(tmp, p->s->n + 1, sizeof *w.pages);
  for (int i = 0; i < threads; i++) w.keep[i] = hm_arena_new(), w.scratch[i] = hm_arena_new();
  hm_par_for(p->s->n, threads, search_page, &w, NULL);
  for (size_t i = 0; i < p->s->n; i++) p->n += w.pages[i].n;
  p->markers = hm_alloc_array(p->a, p->n + 1, sizeof *p->markers);
  size_t n = 0;
  for (size_t i = 0; i < p->s->n; i++)
    for (size_t k = 0; k < w.pages[i].n; k++) p->markers[n++] = w.pages[i].v[k];
  if (n) qsort(p->markers, n, sizeof *p->markers, by_conflict);
  for (int i = 0; i < threads; i++) hm_arena_free(w.keep[i]), hm_arena_free(w.scratch[i]);
  hm_arena_free(tmp);
}

hm_spots *hm_spots_new(const hm_site *s, const hm_view *v, int threads, hm_arena *a) {
  hm_spots *p = hm_alloc(a, sizeof *p);
  *p = (hm_spots){ .s = s, .v = v, .a = a };
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
    if (end) hm_map_add(m, hm_str_sub(md, 0, (size_t)(end - md.p)), (uint32_t)line);
  }
}

static const hm_map *anchors_of(hm_spots *p, hm_str path) {
  uint32_t i = hm_map_get(&p->page_at, path);
  if (i != HM_MAP_NONE) return &p->anchors[i];
  const hm_file *f = hm_site_file(p->s, path);
  if (p->n_anchors == p->cap_anchors) {
    size_t cap = p->cap_anchors ? 2 * p->cap_anchors : 16;
    hm_map *grown = hm_alloc_array(p->a, cap, sizeof *grown);
    if (p->n_anchors) memcpy(grown, p->anchors, p->n_anchors * sizeof *grown);
    p->anchors = grown;
    p->cap_anchors = cap;
  }
  hm_map_add(&p->page_at, path, (uint32_t)p->n_anchors);
  hm_map *m = &p->anchors[p->n_anchors++];
  read_anchors(m, f ? f->bytes : HM_EMPTY, p->a);
  return m;
}

/* A mirror may be HTML only. */
static hm_spot spot_at(hm_spots *p, hm_str path, size_t line) {
  if (!path.n || hm_site_file(p->s, path)) return (hm_spot){ path, line };
  return (hm_spot){ hm_html_path(path, p->a), 0 };
}

/* On the Markdown page. */
static hm_spot row_at(hm_spots *p, uint32_t row) {
  hm_str anchor, path = hm_view_home(p->v, row, p->a, &anchor);
  if (!path.n) return (hm_spot){ HM_EMPTY, 0 };
  uint32_t line = hm_map_get(anchors_of(p, path), anchor);
  return (hm_spot){ path, line == HM_MAP_NONE ? 1 : line };
}

hm_spot hm_spot_row(hm_spots *p, uint32_t row) {
  hm_spot s = row_at(p, row);
  return spot_at(p, s.path, s.line);
}

hm_spot hm_spot_page(hm_spots *p, hm_str md) { return spot_at(p, md, 1); }

hm_spot hm_spot_project(hm_spots *p, hm_str project) {
  hm_str path = hm_view_project_path(p->v, project, p->a);
  return spot_at(p, path.n ? path : HM_STR("README.md"), 1);
}

/* --- conflicts -------------------------------------------------------------------- */

static size_t first_of(const hm_spots *p, uint32_t conflict) {
  size_t lo = 0, hi = p->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (p->markers[mid].conflict < conflict) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

static bool is_overview(hm_str path) {
  return hm_str_starts(path, "projects/") && hm_str_ends(path, "/README.md") &&
         memchr(path.p + 9, '/', path.n - 9) == path.p + path.n - sizeof "/README.md" + 1;
}

static int rank_of(hm_str path) {
  return is_overview(path) ? 0 : hm_str_starts(path, "projects/") ? 1 : 2;
}

/* The marker of the row on its list page: the first behind its permalink. NULL: there is none. */
static const marker *in_row(const hm_spots *p, const marker *m, size_t n, hm_spot row) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(p->s->files[m[i].file].path, row.path) && m[i].line >= row.line) return &m[i];
  return NULL;
}

static const marker *best(const hm_spots *p, const marker *m, size_t n) {
  const marker *found = m;
  for (size_t i = 1; i < n; i++)
    if (rank_of(p->s->files[m[i].file].path) < rank_of(p->s->files[found->file].path))
      found = &m[i];
  return found;
}

hm_spot hm_spot_conflict(hm_spots *p, uint32_t conflict, const uint32_t *rows, size_t n) {
  size_t from = first_of(p, conflict), to = from;
  while (to < p->n && p->markers[to].conflict == conflict) to++;
  const marker *m = p->markers + from, *found = NULL;
  hm_spot shown = { HM_EMPTY, 0 };
  for (size_t i = 0; i < n && !found; i++) {
    hm_spot row = row_at(p, rows[i]);
    if (!shown.path.n) shown = row;
    if (row.path.n) found = in_row(p, m, to - from, row);
  }
  if (!found && to > from) found = best(p, m, to - from);
  if (found) return (hm_spot){ p->s->files[found->file].path, found->line };
  if (shown.path.n) return spot_at(p, shown.path, shown.line);
  size_t all;
  const hm_conflict_rec **recs = hm_view_conflicts(p->v, &all);
  return spot_at(p, hm_view_conflict_path(p->v, recs[conflict], p->a), 1);
}
