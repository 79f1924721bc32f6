#include "gen/site/site.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "gen/page/view.h"
#include "gen/site/site_impl.h"

enum { HANDS_MAX = 64 };

typedef struct {
  hm_build b;
  hm_arena *a;             /* of the whole site */
  hm_hand hands[HANDS_MAX];
  int n_hands;
  hm_file *rendered;       /* a slot for each page and form, then the raw files */
  size_t forms;            /* files a page becomes */
  atomic_size_t done;
  hm_site *site;
} work;

/* --- the parts of one build ------------------------------------------------- */

static void set_up(work *w, const hm_view *v, const hm_templates *t, const hm_site_options *opt) {
  hm_build *b = &w->b;
  b->v = v;
  b->t = t;
  b->opt = opt;
  const hm_view_options *o = hm_view_options_of(v);
  b->title = o->title;
  b->tool = o->tool;
  b->base_url = o->base_url;
  if (b->base_url.n && !hm_str_ends(b->base_url, "/")) b->base_url = hm_str_fmt(w->a, "%.*s/", HM_FMT(b->base_url));
  b->conflicts = hm_view_conflicts(v, &b->n_conflicts);
  w->forms = (size_t)opt->markdown + (size_t)opt->html;
  w->n_hands = opt->threads < 1 ? 1 : opt->threads > HANDS_MAX ? HANDS_MAX : opt->threads;
  for (int i = 0; i < w->n_hands; i++)
    w->hands[i] = (hm_hand){ .keep = hm_arena_new(), .scratch = hm_arena_new(),
                             .marked = hm_alloc_array(w->a, b->n_conflicts, sizeof(bool)) };
}

static int list_pages(work *w, hm_err *err) {
  hm_pages *pages;
  if (hm_pages_of(w->b.v, w->a, &pages, err) != 0) return -1;
  w->b.pages = pages;
  w->b.seed = w->b.opt->known ? w->b.opt->known->seed : hm_random_seed();
  if (w->b.opt->inputs) w->b.inputs = hm_page_inputs(w->b.v, w->b.seed, w->n_hands, w->a);
  w->b.now = hm_alloc_array(w->a, pages->n, sizeof *w->b.now);
  w->rendered = hm_alloc_array(w->a, pages->n * w->forms + pages->n_raws, sizeof *w->rendered);
  return 0;
}

static int page_by_path(const void *key, const void *page) { return hm_str_cmp(*(const hm_str *)key, ((const hm_page *)page)->path); }

/* Only conflicts whose page is there can be led to. */
static void index_conflicts(work *w) {
  const hm_build *b = &w->b;
  hm_map_init(&w->b.conflict_at, w->a, b->n_conflicts);
  for (size_t i = 0; i < b->n_conflicts; i++) {
    hm_str path = hm_view_conflict_path(b->v, b->conflicts[i], w->a);
    if (b->pages->n && bsearch(&path, b->pages->pages, b->pages->n, sizeof *b->pages->pages, page_by_path)) hm_map_add(&w->b.conflict_at, path, (uint32_t)i);
  }
}

static int render_raw(work *w, size_t i, hm_hand *h, hm_err *err) {
  const hm_raw_file *r = &w->b.pages->raws[i];
  hm_arena_reset(h->scratch);
  hm_buf_clear(&h->md);
  int rc = r->bytes(w->b.v, r, h->scratch, &h->md, err);
  if (rc == 0 && h->md.failed) rc = hm_fail(err, HM_E_INTERNAL, NULL, "too long", NULL);
  if (rc != 0) return hm_err_within(err, "%.*s", HM_FMT(r->path));
  return hm_hand_on(&w->b, h, r->path, hm_buf_view(&h->md), &w->rendered[w->b.pages->n * w->forms + i], err);
}

static int render(work *w, size_t i, hm_hand *h, hm_err *err) {
  const hm_site_options *o = w->b.opt;
  if (i >= w->b.pages->n) return render_raw(w, i - w->b.pages->n, h, err);
  hm_file *slot = &w->rendered[i * w->forms];
  return hm_render_page(&w->b, &w->b.pages->pages[i], h, o->markdown ? slot : NULL, o->html ? slot + o->markdown : NULL, err);
}

static int render_one(void *ctx, size_t i, int worker) {
  work *w = ctx;
  if (render(w, i, &w->hands[worker], &w->hands[worker].ignored) != 0) return -1;
  size_t done = atomic_fetch_add_explicit(&w->done, 1, memory_order_relaxed) + 1;
  if (w->b.opt->progress) w->b.opt->progress(w->b.opt->ctx, done, w->b.pages->n + w->b.pages->n_raws);
  return 0;
}

/* The first page that fails is the same on every run; it is rendered once more to hear why. */
static int render_all(work *w, hm_err *err) {
  size_t bad = 0;
  if (hm_par_for(w->b.pages->n + w->b.pages->n_raws, w->n_hands, render_one, w, &bad) == 0) return 0;
  if (render(w, bad, &w->hands[0], err) == 0) return hm_fail(err, HM_E_INTERNAL, "page", "it failed once and then did not", NULL);
  return -1;
}

static int check_conflicts(work *w, hm_err *err) {
  bool *marked = w->hands[0].marked;
  for (int k = 1; k < w->n_hands; k++)
    for (size_t i = 0; i < w->b.n_conflicts; i++) marked[i] |= w->hands[k].marked[i];
  return hm_check_conflicts(&w->b, marked, err);
}

static bool has_static(const hm_site_options *o, const char *name) {
  for (size_t i = 0; i < o->n_statics; i++)
    if (hm_str_is(o->statics[i].name, name)) return true;
  return false;
}

static void add(work *w, hm_file f) { w->site->files[w->site->n++] = f; }

static int by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_file *)x)->path, ((const hm_file *)y)->path);
}

/* The user's own .nojekyll and 404.html stand before ours. */
static int collect(work *w, hm_err *err) {
  const hm_site_options *o = w->b.opt;
  size_t rendered = w->b.pages->n * w->forms + w->b.pages->n_raws;
  hm_file f;
  w->site->files = hm_alloc_array(w->a, rendered + o->n_assets + o->n_statics + 3, sizeof *w->site->files);
  if (rendered) memcpy(w->site->files, w->rendered, rendered * sizeof *w->rendered);
  w->site->n = rendered;
  for (size_t i = 0; o->html && i < o->n_assets; i++)
    add(w, hm_file_of(w->a, hm_str_fmt(w->a, "assets/%.*s", HM_FMT(o->assets[i].name)), o->assets[i].bytes));
  for (size_t i = 0; i < o->n_statics; i++) add(w, hm_file_of(w->a, o->statics[i].name, o->statics[i].bytes));
  if (!has_static(o, ".nojekyll")) add(w, hm_file_of(w->a, HM_STR(".nojekyll"), HM_EMPTY));
  if (o->html && hm_templates_has(w->b.t, HM_STR("404.html")) && !has_static(o, "404.html")) {
    if (hm_render_404(&w->b, &w->hands[0], &f, err) != 0) return -1;
    add(w, f);
  }
  size_t pages = w->b.pages->n * w->forms;
  hm_reuse_remember(&w->b, w->site, w->site->files + pages, w->site->n - pages, w->a);
  qsort(w->site->files, w->site->n, sizeof *w->site->files, by_path);
  return 0;
}

/* Into its place among files that are sorted. */
static void insert(work *w, hm_file f) {
  hm_site *s = w->site;
  size_t at = s->n++;
  for (; at > 0 && hm_str_cmp(f.path, s->files[at - 1].path) < 0; at--) s->files[at] = s->files[at - 1];
  s->files[at] = f;
}

static int seal(work *w, hm_err *err) {
  hm_site *s = w->site;
  s->digest = hm_site_digest(s->files, s->n, w->a);
  hm_file manifest = hm_manifest_of(&w->b, s->files, s->n, w->a);
  insert(w, manifest);
  s->pages = w->b.pages->n;
  hm_reuse_gone(&w->b, s, w->a);
  return hm_check_paths(&w->b, s, err);
}

/* The site owns what the hands kept; what they needed for a while goes. */
static void put_down(work *w) {
  w->site->n_arenas = w->n_hands + 1;
  w->site->arenas = hm_alloc_array(w->a, (size_t)w->site->n_arenas, sizeof *w->site->arenas);
  w->site->arenas[w->n_hands] = w->a;
  for (int i = 0; i < w->n_hands; i++) {
    hm_hand *h = &w->hands[i];
    w->site->arenas[i] = h->keep;
    hm_arena_free(h->scratch);
    hm_buf_free(&h->md);
    hm_buf_free(&h->body);
    hm_buf_free(&h->html);
    hm_buf_free(&h->marks);
  }
}

/* --- the way of a site -------------------------------------------------------- */

int hm_site_build(const hm_view *v, const hm_templates *t, const hm_site_options *opt, hm_site **out, hm_err *err) {
  int rc = -1;
  work *w = hm_xmalloc(sizeof *w);
  *w = (work){ .a = hm_arena_new() };
  w->site = hm_alloc(w->a, sizeof *w->site);
  *out = NULL;
  set_up(w, v, t, opt);
  if (list_pages(w, err) != 0) goto out;
  index_conflicts(w);
  if (render_all(w, err) != 0) goto out;
  if (check_conflicts(w, err) != 0) goto out;
  if (collect(w, err) != 0) goto out;
  if (seal(w, err) != 0) goto out;
  rc = 0;
out:
  put_down(w);
  if (rc == 0) *out = w->site;
  else hm_site_free(w->site);
  free(w);
  return rc;
}

/* The last arena holds the site and the list of arenas. */
void hm_site_free(hm_site *s) {
  if (!s) return;
  int n = s->n_arenas;
  hm_arena **arenas = s->arenas;
  for (int i = 0; i < n - 1; i++) hm_arena_free(arenas[i]);
  hm_arena_free(arenas[n - 1]);
}

const hm_file *hm_site_file(const hm_site *s, hm_str path) {
  hm_file key = { .path = path };
  return s->n ? bsearch(&key, s->files, s->n, sizeof *s->files, by_path) : NULL;
}
