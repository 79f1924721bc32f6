#include "gen/site/site.h"

#include <stdlib.h>

#include "gen/page/view.h"
#include "gen/site/site_impl.h"

/* --- the parts of one build ------------------------------------------------- */

void hm_build_begin(hm_build *b, const hm_view *v, const hm_templates *t,
                    const hm_site_options *opt, hm_arena *a) {
  const hm_view_options *o = hm_view_options_of(v);
  *b = (hm_build){
    .v = v, .t = t, .opt = opt, .title = o->title, .tool = o->tool, .base_url = o->base_url
  };
  if (b->base_url.n && !hm_str_ends(b->base_url, "/"))
    b->base_url = hm_str_fmt(a, "%.*s/", HM_FMT(b->base_url));
  b->conflicts = hm_view_conflicts(v, &b->n_conflicts);
}

static void set_up(hm_work *w, const hm_view *v, const hm_templates *t,
                   const hm_site_options *opt) {
  hm_build *b = &w->b;
  hm_build_begin(b, v, t, opt, w->a);
  w->forms = (size_t)opt->markdown + (size_t)opt->html;
  w->n_hands = opt->threads < 1 ? 1 : opt->threads > HM_HANDS_MAX ? HM_HANDS_MAX : opt->threads;
  for (int i = 0; i < w->n_hands; i++)
    w->hands[i] = (hm_hand){ .keep = hm_arena_new(), .scratch = hm_arena_new(),
                             .marked = hm_alloc_array(w->a, b->n_conflicts, sizeof(bool)) };
}

static int list_pages(hm_work *w, hm_err *err) {
  hm_pages *pages;
  w->b.known = w->b.opt->known;
  w->b.seed = w->b.known ? w->b.known->seed : hm_random_seed();
  if (w->b.opt->inputs) w->b.inputs = hm_page_inputs_new(w->b.v, w->b.seed, w->n_hands, w->a);
  if (hm_pages_of(w->b.v, w->a, &pages, err) != 0) return -1;
  w->b.pages = pages;
  w->b.now = hm_alloc_array(w->a, pages->n, sizeof *w->b.now);
  w->b.raw_inputs = hm_alloc_array(w->a, pages->n_raws + 1, sizeof *w->b.raw_inputs);
  w->rendered = hm_alloc_array(w->a, pages->n * w->forms + pages->n_raws, sizeof *w->rendered);
  return 0;
}

static int page_by_path(const void *key, const void *page) {
  return hm_str_cmp(*(const hm_str *)key, ((const hm_page *)page)->path);
}

/* Only conflicts whose page is there can be led to. */
void hm_build_index_conflicts(hm_build *b, hm_arena *a) {
  hm_map_init(&b->conflict_at, a, b->n_conflicts);
  for (size_t i = 0; i < b->n_conflicts; i++) {
    hm_str path = hm_view_conflict_path(b->v, b->conflicts[i], a);
    bool there = b->pages->n &&
        bsearch(&path, b->pages->pages, b->pages->n, sizeof *b->pages->pages, page_by_path);
    if (there) hm_map_add(&b->conflict_at, path, (uint32_t)i);
  }
}

static int check_conflicts(hm_work *w, hm_err *err) {
  bool *marked = w->hands[0].marked;
  for (int k = 1; k < w->n_hands; k++)
    for (size_t i = 0; i < w->b.n_conflicts; i++) marked[i] |= w->hands[k].marked[i];
  return hm_check_conflicts(&w->b, marked, err);
}

void hm_hand_free(hm_hand *h) {
  hm_arena_free(h->scratch);
  hm_buf_free(&h->md);
  hm_buf_free(&h->body);
  hm_buf_free(&h->html);
  hm_buf_free(&h->marks);
}

/* The site owns what the hands kept; what they needed for a while goes. */
static void put_down(hm_work *w) {
  w->site->n_arenas = w->n_hands + 1;
  w->site->arenas = hm_alloc_array(w->a, (size_t)w->site->n_arenas, sizeof *w->site->arenas);
  w->site->arenas[w->n_hands] = w->a;
  for (int i = 0; i < w->n_hands; i++) {
    hm_hand *h = &w->hands[i];
    w->site->arenas[i] = h->keep;
    hm_hand_free(h);
  }
}

/* --- the way of a site -------------------------------------------------------- */

static int make(hm_work *w, hm_err *err) {
  if (list_pages(w, err) != 0) return -1;
  hm_build_index_conflicts(&w->b, w->a);
  if (hm_render_all(w, err) != 0) return -1;
  return check_conflicts(w, err) != 0 ? -1 : hm_collect(w, err);
}

int hm_site_build(const hm_view *v, const hm_templates *t, const hm_site_options *opt,
                  hm_site **out, hm_err *err) {
  hm_work *w = hm_xmalloc(sizeof *w);
  *out = NULL;
  *w = (hm_work){ .a = hm_arena_new() };
  w->site = hm_alloc(w->a, sizeof *w->site);
  set_up(w, v, t, opt);
  int rc = make(w, err);
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

static int by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_file *)x)->path, ((const hm_file *)y)->path);
}

const hm_file *hm_site_file(const hm_site *s, hm_str path) {
  hm_file key = { .path = path };
  return s->n ? bsearch(&key, s->files, s->n, sizeof *s->files, by_path) : NULL;
}
