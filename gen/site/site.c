/* Builds a site: lists its pages, renders them, and sorts the files, with manifest and digest. */
#include "gen/site/site.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/par.h"
#include "core/base/sort.h"
#include "gen/render/template.h"
#include "gen/site/site_impl.h"

static int at_by_path(const void *x, const void *y) {
  return hm_str_cmp((*(const hm_file *const *)x)->path, (*(const hm_file *const *)y)->path);
}

/* --- what is to be made ---------------------------------------------------------- */

void hm_build_begin(hm_build *b, const hm_view *v, const hm_templates *t,
                    const hm_site_options *opt, hm_arena *a) {
  const hm_view_options *o = hm_view_get_options(v);
  *b = (hm_build){ .v = v,
                   .t = t,
                   .opt = opt,
                   .title = o->title,
                   .tool = o->tool,
                   .base_url = o->base_url,
                   .search = o->search };
  if (b->base_url.n && !hm_str_ends(b->base_url, "/"))
    b->base_url = hm_str_fmt(a, "%.*s/", HM_FMT(b->base_url));
  b->conflicts = hm_view_conflicts(v, &b->n_conflicts);
}

static hm_work *work_new(const hm_view *v, const hm_templates *t, const hm_site_options *opt) {
  hm_work *w = hm_xmalloc(sizeof *w);
  *w = (hm_work){ .a = hm_arena_new() };
  w->site = hm_alloc(w->a, sizeof *w->site);
  hm_build_begin(&w->b, v, t, opt, w->a);
  w->forms = (size_t)opt->markdown + (size_t)opt->html;
  w->n_workers = opt->threads < 1            ? 1
      : opt->threads > HM_RENDER_WORKERS_MAX ? HM_RENDER_WORKERS_MAX
                                             : opt->threads;
  for (int i = 0; i < w->n_workers; i++)
    w->workers[i] = (hm_render_worker){ .keep = hm_arena_new(), .scratch = hm_arena_new() };
  return w;
}

/* The site owns the workers' `keep` arenas; their other memory is freed. The last arena holds the
 * site and the list of arenas. */
static hm_site *work_free(hm_work *w) {
  hm_site *s = w->site;
  s->n_arenas = w->n_workers + 1;
  s->arenas = hm_alloc_array(w->a, (size_t)s->n_arenas, sizeof *s->arenas);
  s->arenas[w->n_workers] = w->a;
  for (int i = 0; i < w->n_workers; i++) {
    s->arenas[i] = w->workers[i].keep;
    hm_render_worker_free(&w->workers[i]);
  }
  free(w);
  return s;
}

const hm_page *hm_build_page_at(const hm_build *b, hm_str path) {
  const hm_pages *p = b->pages;
  return p->n ? bsearch(&path, p->pages, p->n, sizeof *p->pages, hm_order_str) : NULL;
}

/* Indexes only conflicts that have a page: markers can lead to no others. */
void hm_build_index_conflicts(hm_build *b, hm_arena *a) {
  hm_map_init(&b->conflict_at, a, b->n_conflicts);
  for (size_t i = 0; i < b->n_conflicts; i++) {
    hm_str path = hm_view_conflict_path(b->v, b->conflicts[i], a);
    if (hm_build_page_at(b, path))
      hm_map_add(&b->conflict_at, path, (uint32_t)i);
  }
}

/* raws: list also the files that are no pages. */
static int list_pages(hm_work *w, bool raws, hm_err *err) {
  hm_build *b = &w->b;
  hm_pages *p;
  if (hm_list_pages(b->v, w->a, &p, err) != 0)
    return -1;
  if (!raws)
    p->n_raws = 0;
  b->pages = p;
  w->rendered = hm_alloc_array(w->a, p->n * w->forms + p->n_raws, sizeof *w->rendered);
  w->raws = hm_alloc_array(w->a, p->n_raws, sizeof *w->raws);
  hm_build_index_conflicts(b, w->a);
  return 0;
}

/* --- all files ------------------------------------------------------------------- */

static bool has_static(const hm_site_options *o, hm_str name) {
  for (size_t i = 0; i < o->n_statics; i++)
    if (hm_str_eq(o->statics[i].name, name))
      return true;
  return false;
}

/* Lists all files except the manifest: those of pages, raw files, their parts, the others. The
 * user's own .nojekyll, .gitattributes, 404.html, robots.txt and sitemap.xml replace ours. */
static int list_files(hm_work *w, const hm_file ***out, size_t *n, hm_err *err) {
  const hm_site_options *o = w->b.opt;
  const hm_pages *p = w->b.pages;
  hm_file_part *maps = NULL;
  size_t max = o->file_max ? o->file_max : HM_FILE_MAX, n_maps = 0;
  if (o->html && w->b.base_url.n)
    n_maps = hm_sitemap_files(p, w->b.base_url, max, w->a, &maps);
  size_t rendered = p->n * w->forms + p->n_raws, parts = 0,
         others = o->n_assets + o->n_statics + n_maps + 3;
  for (size_t i = 0; i < p->n_raws; i++)
    parts += w->raws[i].n_parts;
  hm_file *first = hm_alloc_array(w->a, others, sizeof *first), *f = first;
  const hm_file **to = *out = hm_alloc_array(w->a, rendered + parts + others, sizeof *to);
  for (size_t i = 0; i < rendered; i++)
    *to++ = &w->rendered[i];
  for (size_t i = 0; i < p->n_raws; i++)
    for (size_t k = 0; k < w->raws[i].n_parts; k++)
      *to++ = &w->raws[i].parts[k];
  for (size_t i = 0; o->html && i < o->n_assets; i++)
    *f++ = hm_make_site_file(w->a, hm_str_fmt(w->a, "assets/%.*s", HM_FMT(o->assets[i].name)),
                             o->assets[i].bytes);
  for (size_t i = 0; i < o->n_statics; i++)
    *f++ = hm_make_site_file(w->a, o->statics[i].name, o->statics[i].bytes);
  for (size_t i = 0; i < n_maps; i++)
    if (!has_static(o, maps[i].path))
      *f++ = hm_make_site_file(w->a, maps[i].path, maps[i].bytes);
  if (!has_static(o, HM_STR(".nojekyll")))
    *f++ = hm_make_site_file(w->a, HM_STR(".nojekyll"), HM_EMPTY);
  const hm_str attributes = HM_STR(".gitattributes");
  if (!has_static(o, attributes))
    *f++ = hm_make_site_file(w->a, attributes, hm_gitattributes_text());
  const hm_str not_found = HM_STR("404.html");
  if (o->html && hm_templates_has(w->b.t, not_found) && !has_static(o, not_found) &&
      hm_render_404(&w->b, &w->workers[0], f++, err) != 0)
    return -1;
  while (first < f)
    *to++ = first++;
  *n = (size_t)(to - *out);
  return 0;
}

/* --- the manifest ----------------------------------------------------------------- */

typedef struct {
  hm_work *w;
  const hm_file **files;
  size_t n; /* by path */
  hm_part_list list;
  hm_file *made;
  size_t n_made; /* the manifest itself, then its parts */
} manifest_work;

/* Writes a line for each file, so that a diff of two publications shows which changed. No character
 * of a path needs escaping. */
static void write_line(const void *files, size_t at, hm_buf *out) {
  const hm_file *f = ((const hm_file *const *)files)[at];
  char hex[64];
  hm_hex_encode(f->sha256, sizeof f->sha256, hex);
  hm_buf_c(out, "{\"path\":\"");
  hm_buf_str(out, f->path);
  hm_buf_c(out, "\",\"sha256\":\"");
  hm_buf_add(out, hex, sizeof hex);
  hm_buf_fmt(out, "\",\"bytes\":%zu}", f->bytes.n);
}

static size_t line_bytes(const hm_file *f) {
  size_t digits = 1;
  for (size_t n = f->bytes.n; n > 9; n /= 10)
    digits++;
  return sizeof "{\"path\":\"\",\"sha256\":\"\",\"bytes\":}" - 1 + f->path.n + 64 + digits;
}

static void digest_site(manifest_work *m, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  for (size_t i = 0; i < m->n; i++) {
    hm_sha256_field(&h, m->files[i]->path);
    hm_sha256_field(&h, (hm_str){ (const char *)m->files[i]->sha256, 32 });
  }
  m->w->site->digest = hm_sha256_hex(&h, a, 64);
}

/* Makes part i. Part 0 is the index, made last: computes the digest of the site instead. */
static int make_part(void *ctx, size_t i, int worker) {
  manifest_work *m = ctx;
  hm_render_worker *h = &m->w->workers[worker];
  hm_err err = { 0 };
  if (i) {
    hm_part_list_write_part(&m->list, i, &h->md);
    const hm_file_part *p = &m->list.parts[i];
    int rc = hm_finish_file(&m->w->b, h, p->path, p->bytes, NULL, &m->made[i], &err);
    return hm_render_note_failure(h, i, rc, &err);
  }
  digest_site(m, h->keep);
  return 0;
}

static void write_head(const hm_build *b, hm_buf *out) {
  const hm_str head[][2] = { { HM_STR("tool"), b->tool },
                             { HM_STR("snapshot"), hm_view_sweep(b->v)->snap->digest },
                             { HM_STR("templates"), hm_templates_digest(b->t) } };
  hm_buf_clear(out);
  for (size_t i = 0; i < 3; i++) {
    hm_buf_fmt(out, "%s\"%s\":", i ? ",\n" : "{", head[i][0].p);
    hm_json_write_str(out, head[i][1]);
  }
  hm_buf_c(out, ",\n");
}

/* Makes all parts, and the index in out. */
static int make_parts(manifest_work *m, size_t max, hm_buf *out, hm_err *err) {
  hm_work *w = m->w;
  hm_part_list *l = &m->list;
  size_t bad, n;
  hm_part_list_cut(l, max, w->a);
  n = l->n_parts;
  m->made = hm_alloc_array(w->a, n, sizeof *m->made);
  int rc = hm_par_for(n, w->n_workers, make_part, m, &bad);
  if (rc != 0)
    return hm_render_failure(w, bad, err);
  write_head(&w->b, out);
  hm_part_list_write_index(l, max, w->a, out);
  m->n_made = l->n_parts;
  hm_file *all = hm_alloc_array(w->a, m->n_made, sizeof *all);
  memcpy(all, m->made, n * sizeof *all);
  m->made = all;
  for (size_t i = n; rc == 0 && i < l->n_parts; i++)
    rc = hm_finish_file(&w->b, &w->workers[0], l->parts[i].path, l->parts[i].bytes, NULL,
                        &m->made[i], err);
  qsort(m->made + 1, m->n_made - 1, sizeof *m->made, hm_site_file_compare);
  return rc;
}

/* Fills m->made: the manifest, and its parts when it would be too long. */
static int make_manifest(manifest_work *m, hm_err *err) {
  int rc = 0;
  hm_work *w = m->w;
  hm_part_list *l = &m->list;
  size_t max = w->b.opt->file_max ? w->b.opt->file_max : HM_FILE_MAX, size = 0;
  hm_buf out = { 0 };
  for (size_t i = 0; i < m->n; i++) {
    hm_str path = m->files[i]->path;
    hm_part_list_add(l, path, hm_manifest_group(path), line_bytes(m->files[i]));
    size += l->records[i].bytes;
  }
  write_head(&w->b, &out);
  hm_buf_c(&out, "\"files\":[");
  for (size_t i = 0; i < m->n && size <= max; i++) {
    hm_buf_c(&out, i ? ",\n" : "\n");
    write_line(m->files, i, &out);
  }
  hm_buf_c(&out, "\n]}\n");
  bool whole = size <= max && out.n <= max;
  if (whole) {
    digest_site(m, w->workers[0].keep);
    m->made = hm_alloc_array(w->a, m->n_made = 1, sizeof *m->made);
  } else if (make_parts(m, max, &out, err) != 0)
    rc = -1;
  if (rc == 0)
    m->made[0] = hm_make_site_file(w->a, l->path, hm_buf_view(&out));
  hm_buf_free(&out);
  free(l->records);
  return rc;
}

static int work_collect_files(hm_work *w, hm_err *err) {
  hm_site *s = w->site;
  const hm_file **files;
  size_t n, left = 0, k = 0;
  if (list_files(w, &files, &n, err) != 0)
    return -1;
  qsort(files, n, sizeof *files, at_by_path);
  manifest_work m = { .w = w,
                      .files = files,
                      .n = n,
                      .list = { .path = HM_STR("manifest.json"),
                                .name = HM_STR("files"),
                                .line = write_line,
                                .of = files } };
  if (make_manifest(&m, err) != 0)
    return -1;
  s->pages = w->b.pages->n;
  s->n = n + m.n_made;
  s->files = hm_alloc_array(w->a, s->n, sizeof *s->files);
  for (size_t i = 0; i < s->n; i++)
    s->files[i] = k < m.n_made && (left == n || hm_site_file_compare(&m.made[k], files[left]) <= 0)
        ? m.made[k++]
        : *files[left++];
  if (hm_check_paths(&w->b, s, err) != 0)
    return -1;
  hm_reuse_find_changes(&w->b, s, w->a);
  return 0;
}

/* --- the whole build --------------------------------------------------------------- */

void hm_render_worker_free(hm_render_worker *h) {
  hm_arena_free(h->scratch);
  hm_buf_free(&h->md);
  hm_buf_free(&h->body);
  hm_buf_free(&h->html);
  free(h->marks);
}

int hm_site_build(const hm_view *v, const hm_templates *t, const hm_site_options *opt,
                  hm_site **out, hm_err *err) {
  hm_work *w = work_new(v, t, opt);
  int rc = list_pages(w, true, err) || hm_render_all(w, err) || hm_check_conflicts_marked(w, err) ||
          work_collect_files(w, err)
      ? -1
      : 0;
  for (int i = 0; i < w->n_workers; i++)
    w->site->rendered += w->workers[i].rendered;
  *out = work_free(w);
  if (rc) {
    hm_site_free(*out);
    *out = NULL;
  }
  return rc;
}

int hm_site_markers(const hm_view *v, const hm_templates *t, int threads,
                    const hm_site_marks *before, hm_arena *a, hm_site_marks *out, hm_err *err) {
  const hm_site_options opt = { .threads = threads };
  hm_work *w = work_new(v, t, &opt);
  hm_build *b = &w->b;
  int rc = list_pages(w, false, err);
  if (!rc) {
    *out = (hm_site_marks){ .n_pages = b->pages->n };
    out->pages = b->sums = hm_alloc_array(a, b->pages->n + 1, sizeof *b->sums);
    b->before = before;
    hm_map_init(&b->before_at, w->a, before ? before->n_pages : 0);
    for (size_t i = 0; before && i < before->n_pages; i++)
      hm_map_add(&b->before_at, before->pages[i].path, (uint32_t)i);
    rc = hm_render_all(w, err);
  }
  if (!rc)
    hm_collect_markers(w, a, out);
  for (size_t i = 0; !rc && i < out->n_pages; i++)
    out->pages[i].path = hm_str_dup(a, out->pages[i].path);
  hm_site_free(work_free(w));
  return rc;
}

void hm_site_free(hm_site *s) {
  if (!s)
    return;
  int n = s->n_arenas;
  hm_arena **arenas = s->arenas;
  for (int i = 0; i < n - 1; i++)
    hm_arena_free(arenas[i]);
  hm_arena_free(arenas[n - 1]);
}
