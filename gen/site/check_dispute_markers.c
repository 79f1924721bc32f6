/* Checks a site before it is published: every marker must lead to a conflict's page, every dispute
 * must have a marker, and every path must be valid. */
#include <stdlib.h>
#include <string.h>

#include "gen/site/site_impl.h"

#define MARKER "[\u26A0 disputed]("

enum { PATH_SHOWN = 256 };

/* "a/b.md" -> "a"; empty at the root. */
static hm_str folder_of(hm_str path) {
  const char *slash = memrchr(path.p, '/', path.n);
  return hm_str_sub(path, 0, slash ? (size_t)(slash - path.p) : 0);
}

/* Resolves a link of the page at path: "../../conflicts/c1.md#x" -> "conflicts/c1.md"; empty when
 * it leads out of the site. */
static hm_str resolve(hm_str path, hm_str link, hm_arena *a) {
  const char *hash = link.n ? memchr(link.p, '#', link.n) : NULL;
  if (hash)
    link = hm_str_sub(link, 0, (size_t)(hash - link.p));
  hm_str dir = folder_of(path);
  while (hm_str_starts(link, "../")) {
    if (!dir.n)
      return HM_EMPTY;
    dir = folder_of(dir);
    link = hm_str_sub(link, 3, link.n);
  }
  return dir.n ? hm_str_fmt(a, "%.*s/%.*s", HM_FMT(dir), HM_FMT(link)) : link;
}

/* A fact cannot look like a marker: its brackets are escaped. */
bool hm_next_marker(hm_str path, hm_str *md, hm_arena *a, hm_str *link, hm_str *to) {
  ptrdiff_t at = hm_str_find(*md, MARKER);
  if (at < 0)
    return false;
  *md = hm_str_sub(*md, (size_t)at + sizeof MARKER - 1, md->n);
  const char *end = md->n ? memchr(md->p, ')', md->n) : NULL;
  *link = hm_str_sub(*md, 0, end ? (size_t)(end - md->p) : md->n);
  *to = end ? resolve(path, *link, a) : HM_EMPTY;
  return true;
}

int hm_check_markers(const hm_build *b, const hm_page *p, hm_str md, hm_render_worker *h,
                     hm_err *err) {
  for (hm_str link, page; hm_next_marker(p->path, &md, h->scratch, &link, &page);) {
    uint32_t to = hm_map_get(&b->conflict_at, page);
    if (to == HM_MAP_NONE) {
      hm_str what = hm_str_fmt(h->scratch, "page %.*s", HM_FMT(p->path));
      return hm_failf(err, HM_E_INTERNAL, what.p, NULL,
                      "a marker leads to \"%.*s\", which is no page of a conflict",
                      HM_FMT(hm_str_sub(link, 0, 200)));
    }
    h->marks = hm_array_grow(h->marks, h->n_marks, &h->cap_marks, sizeof *h->marks);
    h->marks[h->n_marks++] = (hm_mark_link){ (uint32_t)(p - b->pages->pages), to };
  }
  return 0;
}

int hm_check_conflicts_marked(const hm_work *w, hm_err *err) {
  const hm_build *b = &w->b;
  const hm_plan *plan = hm_view_sweep(b->v)->plan;
  bool *marked = hm_alloc_array(w->a, b->n_conflicts, sizeof *marked);
  for (int k = 0; k < w->n_workers; k++)
    for (size_t i = 0; i < w->workers[k].n_marks; i++)
      marked[w->workers[k].marks[i].conflict] = true;
  for (size_t i = 0; i < b->n_conflicts; i++) {
    if (marked[i] || !hm_plan_dispute(plan, b->conflicts[i]))
      continue;
    char what[64];
    snprintf(what, sizeof what, "conflict %.40s", hm_str_z(w->a, b->conflicts[i]->id));
    return hm_fail(
        err, HM_E_INTERNAL, what, "it is open and disputed, and no page has a marker for it",
        "if you changed templates/partials/marker.md.mustache, or a template that uses it: the "
        "link's text must be \"⚠ disputed\"");
  }
  return 0;
}

/* --- which pages carry a marker ---------------------------------------------------- */

static int marker_by_page(const void *x, const void *y) {
  const hm_marker *a = x, *b = y;
  int c = hm_str_cmp(a->page, b->page);
  return c ? c : hm_str_cmp(a->conflict, b->conflict);
}

void hm_collect_markers(const hm_work *w, hm_arena *a, hm_site_marks *out) {
  const hm_build *b = &w->b;
  size_t all = b->before ? b->before->n : 0, kept = 0;
  for (int k = 0; k < w->n_workers; k++)
    all += w->workers[k].n_marks;
  hm_marker *m = out->v = hm_alloc_array(a, all + 1, sizeof *m);
  all = 0;
  hm_map same;
  hm_map_init(&same, w->a, b->pages->n);
  for (size_t i = 0; i < b->pages->n; i++)
    if (b->sums[i].same)
      hm_map_add(&same, b->sums[i].path, 0);
  for (size_t i = 0; b->before && i < b->before->n; i++)
    if (hm_map_get(&same, b->before->v[i].page) != HM_MAP_NONE)
      m[all++] = b->before->v[i];
  for (int k = 0; k < w->n_workers; k++)
    for (size_t i = 0; i < w->workers[k].n_marks; i++) {
      hm_mark_link at = w->workers[k].marks[i];
      m[all++] = (hm_marker){ hm_str_dup(a, b->pages->pages[at.page].path),
                              hm_str_dup(a, b->conflicts[at.conflict]->id) };
    }
  qsort(m, all, sizeof *m, marker_by_page);
  for (size_t i = 0; i < all; i++)
    if (!i || marker_by_page(&m[kept - 1], &m[i]) != 0)
      m[kept++] = m[i];
  out->n = kept;
}

/* --- paths ------------------------------------------------------------------------- */

static bool is_static(const hm_build *b, hm_str path) {
  for (size_t i = 0; i < b->opt->n_statics; i++)
    if (hm_str_eq(b->opt->statics[i].name, path))
      return true;
  return false;
}

/* The user can rename their own file; a bad path of any other file is an internal error. */
static int bad_path(const hm_build *b, hm_str path, const char *why, hm_err *err) {
  bool theirs = is_static(b, path);
  char what[PATH_SHOWN];
  size_t n = path.n < sizeof what - 8 ? path.n : sizeof what - 8;
  size_t at = theirs ? 7 : 0;
  memcpy(what, "static/", at);
  memcpy(what + at, path.p, n);
  what[at + n] = 0;
  return hm_fail(err, theirs ? HM_E_INPUT : HM_E_INTERNAL, what, why, theirs ? "rename it" : NULL);
}

/* Skips the folders that path shares with the path before it: those are checked already. */
static int check_parents(const hm_build *b, const hm_site *s, hm_str before, hm_str path,
                         hm_err *err) {
  hm_str dir = path;
  for (const char *slash; (slash = memrchr(dir.p, '/', dir.n));) {
    dir.n = (size_t)(slash - dir.p);
    if (before.n > dir.n && before.p[dir.n] == '/' && memcmp(before.p, dir.p, dir.n) == 0)
      return 0;
    if (!hm_site_file(s, dir))
      continue;
    return bad_path(b, is_static(b, dir) ? dir : path,
                    "a file and a folder of the site have the same name", err);
  }
  return 0;
}

int hm_check_paths(const hm_build *b, const hm_site *s, hm_err *err) {
  for (size_t i = 0; i < s->n; i++) {
    const hm_file *f = &s->files[i];
    if (!f->held && !hm_is_site_path(f->path))
      return bad_path(b, f->path, "the name of a published file has only letters, digits and . _ -",
                      err);
    if (i && hm_str_eq(f->path, f[-1].path))
      return bad_path(b, f->path, "two files of the site have this name", err);
  }
  for (size_t i = 0; i < s->n; i++)
    if (check_parents(b, s, i ? s->files[i - 1].path : HM_EMPTY, s->files[i].path, err) != 0)
      return -1;
  return 0;
}
