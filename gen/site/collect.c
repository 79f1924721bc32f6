/* From what was rendered to the whole site: files by path, digest, manifest. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "gen/render/template.h"
#include "gen/site/site_impl.h"

static bool has_static(const hm_site_options *o, const char *name) {
  for (size_t i = 0; i < o->n_statics; i++)
    if (hm_str_is(o->statics[i].name, name)) return true;
  return false;
}

static const char manifest[] = "manifest.json"; /* ours is known by the address, since a file of the
                                                   user's may have this name too */

typedef struct { hm_file *files; size_t n; } list;

static void add(list *l, hm_file f) { l->files[l->n++] = f; }

/* All files that are no pages, but manifest.json. The user's own .nojekyll and 404.html stand
 * before ours. */
static int others_of(hm_work *w, list *out, hm_err *err) {
  const hm_site_options *o = w->b.opt;
  const hm_pages *p = w->b.pages;
  hm_file f;
  out->files = hm_alloc_array(w->a, p->n_raws + o->n_assets + o->n_statics + 2, sizeof *out->files);
  for (size_t i = 0; i < p->n_raws; i++) add(out, w->rendered[p->n * w->forms + i]);
  for (size_t i = 0; o->html && i < o->n_assets; i++)
    add(out,
        hm_file_of(w->a, hm_str_fmt(w->a, "assets/%.*s", HM_FMT(o->assets[i].name)),
                   o->assets[i].bytes));
  for (size_t i = 0; i < o->n_statics; i++)
    add(out, hm_file_of(w->a, o->statics[i].name, o->statics[i].bytes));
  if (!has_static(o, ".nojekyll")) add(out, hm_file_of(w->a, HM_STR(".nojekyll"), HM_EMPTY));
  if (o->html && hm_templates_has(w->b.t, HM_STR("404.html")) && !has_static(o, "404.html")) {
    if (hm_render_404(&w->b, &w->hands[0], &f, err) != 0) return -1;
    add(out, f);
  }
  return 0;
}

/* --- by path --------------------------------------------------------------- */

static int by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_file *)x)->path, ((const hm_file *)y)->path);
}

static void sort(list *l) {
  if (l->n) qsort(l->files, l->n, sizeof *l->files, by_path);
}

/* Pages are sorted, and their files with them, but for those that are the index of a folder, as
 * README never is in HTML. */
static bool in_order(hm_str path) {
  return !hm_str_is(path, "index.html") && !hm_str_ends(path, "/index.html");
}

/* The files of pages, out of which those that are not in order go to the rest. */
static list take_run(hm_work *w, list *rest) {
  size_t n = w->b.pages->n * w->forms;
  list run = { w->rendered, 0 };
  bool sorted = true;
  for (size_t i = 0; i < n; i++) {
    if (!in_order(w->rendered[i].path)) {
      add(rest, w->rendered[i]);
      continue;
    }
    if (run.n != i) run.files[run.n] = w->rendered[i];
    sorted = sorted && (run.n == 0 || by_path(&run.files[run.n - 1], &run.files[run.n]) < 0);
    run.n++;
  }
  if (!sorted) sort(&run);
  return run;
}

static hm_file *merge(const list *x, const list *y, hm_file *out) {
  size_t i = 0;
  for (size_t k = 0; k < y->n; k++) {
    while (i < x->n && by_path(&x->files[i], &y->files[k]) <= 0) *out++ = x->files[i++];
    *out++ = y->files[k];
  }
  while (i < x->n) *out++ = x->files[i++];
  return out;
}

/* The places of manifests are among them already. */
static void sort_files(hm_work *w, const list *others, const list *folders) {
  hm_site *s = w->site;
  size_t all = w->b.pages->n * w->forms + others->n + folders->n + 1;
  list rest = { hm_alloc_array(w->a, all, sizeof *rest.files), 0 };
  s->files = hm_alloc_array(w->a, all, sizeof *s->files);
  for (size_t i = 0; i < others->n; i++) add(&rest, others->files[i]);
  for (size_t i = 0; i < folders->n; i++) add(&rest, folders->files[i]);
  add(&rest, (hm_file){ .path = { manifest, sizeof manifest - 1 } });
  list run = take_run(w, &rest);
  sort(&rest);
  s->n = (size_t)(merge(&run, &rest, s->files) - s->files);
}

/* --- of the whole ------------------------------------------------------------ */

typedef struct {
  hm_work *w;
  list root;
  size_t at;
  hm_file *manifest;
  hm_err *err;
} sealing; /* root: what its manifest names, and a place for it */

static size_t find_manifest(const list *l) {
  size_t i = 0;
  while (l->files[i].path.p != manifest) i++;
  return i;
}

static int seal_manifest(sealing *s, hm_arena *a) {
  (void)a;
  hm_file_seal(s->manifest);
  return 0;
}

static int seal_digest(sealing *s, hm_arena *a) {
  s->w->site->digest = hm_site_digest(s->root.files, s->root.n, &s->root.files[s->at], a);
  return 0;
}

static int seal_gone(sealing *s, hm_arena *a) {
  hm_reuse_gone(&s->w->b, s->w->site, a);
  return 0;
}

static int seal_paths(sealing *s, hm_arena *a) {
  (void)a;
  return hm_check_paths(&s->w->b, s->w->site, s->err);
}

static int (*const seals[])(sealing *s, hm_arena *a) = { seal_manifest, seal_digest, seal_gone,
                                                         seal_paths };
enum { N_SEALS = sizeof seals / sizeof *seals };

static int seal_one(void *ctx, size_t i, int worker) {
  sealing *s = ctx;
  return seals[i](s, s->w->hands[worker].keep);
}

static list list_folders(hm_work *w, const list *others) {
  list l;
  l.files = hm_folders_list(w, others->files, others->n, &l.n);
  return l;
}

/* The manifests of folders are known like other files. */
static void remember(hm_work *w, const list *others, const list *root) {
  list all = { hm_alloc_array(w->a, others->n + root->n, sizeof *all.files), 0 };
  for (size_t i = 0; i < others->n; i++) add(&all, others->files[i]);
  for (size_t i = 0; i < root->n; i++)
    if (root->files[i].names) add(&all, root->files[i]);
  hm_reuse_remember(&w->b, w->site, all.files, all.n, w->a);
}

int hm_collect(hm_work *w, hm_err *err) {
  list others = { 0 };
  size_t failed;
  if (others_of(w, &others, err) != 0) return -1;
  list folders = list_folders(w, &others);
  sort_files(w, &others, &folders);
  w->site->pages = w->b.pages->n;
  list root = { w->site->files, w->site->n };
  if (folders.n) root.files = hm_folders_seal(w, folders.n, &root.n);
  remember(w, &others, &root);
  sealing s = { w, root, find_manifest(&root),
                &w->site->files[find_manifest(&(list){ w->site->files, w->site->n })], err };
  s.manifest->bytes =
      hm_manifest_of(&w->b, root.files, root.n, &root.files[s.at], w->n_hands, w->a);
  if (hm_par_for(N_SEALS, w->n_hands, seal_one, &s, &failed) != 0) return -1;
  hm_reuse_made(&w->b, w->site, w->a);
  return 0;
}
