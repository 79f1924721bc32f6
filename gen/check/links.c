/* Three rounds: what each page has and asks for; whether what is asked for is there; and, for the
 * pages where it is not, which links these are. Between the rounds a link is sixteen bytes, however
 * many there are. */
#include "gen/check/links.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "gen/check/links_impl.h"
#include "gen/render/markdown.h"
#include "gen/sink/git.h"

enum { HANDS_MAX = 64 };

typedef struct {
  uint64_t fragment;
  uint32_t file;
} wanted; /* hash of an id that a page must have */

typedef struct {
  uint32_t file;
  bool markdown, bad;
  uint64_t *ids; size_t n_ids;      /* hashes, sorted */
  wanted *wants; size_t n_wants;
  size_t links;
  hm_bad_link *broken; size_t n_broken;
} page;

typedef struct { void *p; size_t n, cap; } pile;

/* One thread's own. */
typedef struct {
  hm_arena *keep, *scratch;
  pile ids, wants, broken;
  hm_err ignored;
} hand;

typedef struct {
  hm_links_index index;
  hm_arena *a;
  page *pages; size_t n;
  uint32_t *page_of;                /* file -> page, or HM_LINKS_NONE */
  hand hands[HANDS_MAX];
  bool telling;                     /* the last round */
} work;

/* A page being read. */
typedef struct { work *w; hand *h; page *p; hm_str from; bool elsewhere; } reading;

static void *push(pile *x, size_t size) {
  if (x->n == x->cap) {
    x->cap = x->cap ? 2 * x->cap : 256;
    x->p = hm_xrealloc(x->p, x->cap * size);
  }
  return (char *)x->p + size * x->n++;
}

static void *keep(const pile *x, size_t size, hm_arena *a) {
  void *p = hm_alloc_array(a, x->n + 1, size);
  if (x->n) memcpy(p, x->p, x->n * size);
  return p;
}

static int by_hash(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return a < b ? -1 : a > b;
}

/* --- one link ---------------------------------------------------------------- */

static void broken(reading *r, bool anchor, hm_str url, size_t line, hm_str why) {
  r->p->bad = true;
  if (!r->w->telling) return;
  hm_arena *a = r->h->keep;
  *(hm_bad_link *)push(&r->h->broken, sizeof(hm_bad_link)) =
      (hm_bad_link){ .file = r->p->file,
                     .line = line,
                     .anchor = anchor,
                     .url = hm_str_dup(a, url),
                     .why = hm_str_dup(a, why) };
}

static bool has_id(const page *p, uint64_t hash) {
  return p->n_ids && bsearch(&hash, p->ids, p->n_ids, sizeof *p->ids, by_hash);
}

static hm_str without_directive(hm_str fragment) {
  ptrdiff_t at = hm_str_find(fragment, ":~:");
  return at < 0 ? fragment : hm_str_sub(fragment, 0, (size_t)at);
}

static bool is_top(hm_str s) {
  return s.n == 3 && (s.p[0] | 32) == 't' && (s.p[1] | 32) == 'o' && (s.p[2] | 32) == 'p';
}

static void want(reading *r, uint32_t file, hm_str fragment, hm_str url, size_t line) {
  uint32_t to = file == HM_LINKS_FOLDER ? HM_LINKS_NONE : r->w->page_of[file];
  fragment = without_directive(fragment);
  if (to == HM_LINKS_NONE || !fragment.n || is_top(fragment)) return;
  uint64_t hash = hm_str_hash(fragment);
  if (!r->w->telling) {
    *(wanted *)push(&r->h->wants, sizeof(wanted)) = (wanted){ hash, to };
  } else if (!has_id(&r->w->pages[to], hash)) {
    hm_str path = r->w->index.in->site->files[file].path;
    broken(r, true, url, line,
           hm_str_fmt(r->h->scratch, "%.*s has no \"%.*s\"", HM_FMT(path),
                      HM_FMT(hm_str_sub(fragment, 0, 200))));
  }
}

static void on_link(void *ctx, hm_str url, size_t line) {
  reading *r = ctx;
  hm_link_target t;
  hm_arena *a = r->h->scratch;
  hm_link_kind kind = hm_link_resolve(r->from, url, r->w->index.in->base_url, a, &t);
  if (kind == HM_LINK_ELSEWHERE || (r->elsewhere && !t.here)) return;
  r->p->links++;
  if (kind == HM_LINK_OUTSIDE) {
    broken(r, false, url, line, HM_STR("it leads out of the site"));
    return;
  }
  uint32_t file = t.here ? r->p->file : hm_links_find(&r->w->index, t.path, r->p->markdown, a);
  if (file != HM_LINKS_NONE) want(r, file, t.fragment, url, line);
  else if (!hm_git_path_kept(r->w->index.in->keep, r->w->index.in->n_keep, t.path))
    broken(r, false, url, line,
           hm_str_fmt(a, "the site has no %.*s", HM_FMT(hm_str_sub(t.path, 0, 400))));
}

static void on_id(void *ctx, hm_str id, size_t line) {
  reading *r = ctx;
  (void)line;
  if (id.n && !r->w->telling) *(uint64_t *)push(&r->h->ids, sizeof(uint64_t)) = hm_str_hash(id);
}

static void on_base(void *ctx, hm_str url) {
  reading *r = ctx;
  hm_link_target t;
  r->elsewhere =
      hm_link_resolve(r->from, url, r->w->index.in->base_url, r->h->scratch, &t) != HM_LINK_INSIDE;
  if (!r->elsewhere) r->from = t.path;
}

static const hm_html_visitor in_html = { on_link, on_id, on_base };

static void on_raw(void *ctx, hm_str html, size_t line) {
  reading *r = ctx;
  hm_html_visit(html, line, r->h->scratch, &in_html, r);
}

static const hm_markdown_visitor in_markdown = { on_link, on_id, on_raw };

/* --- one page ---------------------------------------------------------------- */

static int read_page(work *w, size_t i, hand *h, hm_err *err) {
  page *p = &w->pages[i];
  const hm_file *f = &w->index.in->site->files[p->file];
  reading r = { .w = w, .h = h, .p = p, .from = f->path };
  h->ids.n = h->wants.n = h->broken.n = 0;
  p->links = 0;
  hm_arena_reset(h->scratch);
  if (!p->markdown) hm_html_visit(f->bytes, 1, h->scratch, &in_html, &r);
  else if (hm_markdown_visit(f->bytes, h->scratch, &in_markdown, &r, err) != 0)
    return hm_err_within(err, "%.*s", HM_FMT(f->path));
  if (w->telling) {
    p->broken = keep(&h->broken, sizeof *p->broken, h->keep);
    p->n_broken = h->broken.n;
    return 0;
  }
  p->ids = keep(&h->ids, sizeof *p->ids, h->keep);
  p->n_ids = h->ids.n;
  p->wants = keep(&h->wants, sizeof *p->wants, h->keep);
  p->n_wants = h->wants.n;
  if (p->n_ids) qsort(p->ids, p->n_ids, sizeof *p->ids, by_hash);
  return 0;
}

static int look(void *ctx, size_t i, int worker) {
  work *w = ctx;
  return read_page(w, i, &w->hands[worker], &w->hands[worker].ignored);
}

static int compare(void *ctx, size_t i, int worker) {
  work *w = ctx;
  page *p = &w->pages[i];
  (void)worker;
  for (size_t k = 0; k < p->n_wants && !p->bad; k++)
    p->bad = !has_id(&w->pages[p->wants[k].file], p->wants[k].fragment);
  return 0;
}

static int tell(void *ctx, size_t i, int worker) {
  work *w = ctx;
  return w->pages[i].bad ? read_page(w, i, &w->hands[worker], &w->hands[worker].ignored) : 0;
}

/* --- all of them --------------------------------------------------------------- */

static void list_pages(work *w) {
  const hm_site *s = w->index.in->site;
  w->pages = hm_alloc_array(w->a, s->n + 1, sizeof *w->pages);
  w->page_of = hm_alloc_array(w->a, s->n + 1, sizeof *w->page_of);
  for (size_t i = 0; i < s->n; i++) {
    hm_str path = s->files[i].path;
    bool markdown = hm_str_ends(path, ".md"),
         html = hm_str_ends(path, ".html") || hm_str_ends(path, ".htm");
    w->page_of[i] = markdown || html ? (uint32_t)w->n : HM_LINKS_NONE;
    if (markdown || html) w->pages[w->n++] = (page){ .file = (uint32_t)i, .markdown = markdown };
  }
}

/* The first page that fails is the same on every run; it is read once more to hear why. */
static int run(work *w, int threads, hm_err *err) {
  size_t bad = 0;
  if (hm_par_for(w->n, threads, look, w, &bad) != 0) return read_page(w, bad, &w->hands[0], err);
  hm_par_for(w->n, threads, compare, w, NULL);
  w->telling = true;
  hm_par_for(w->n, threads, tell, w, NULL);
  return 0;
}

static void collect(work *w, hm_report *r, hm_report_list *l) {
  size_t n = 0;
  for (size_t i = 0; i < w->n; i++) {
    n += w->pages[i].n_broken;
    r->links += w->pages[i].links;
  }
  r->pages = w->n;
  hm_bad_link *all = hm_alloc_array(w->a, n + 1, sizeof *all);
  n = 0;
  for (size_t i = 0; i < w->n; i++)
    for (size_t k = 0; k < w->pages[i].n_broken; k++) all[n++] = w->pages[i].broken[k];
  hm_links_report(w->index.in->site, all, n, r, l);
}

int hm_check_links(const hm_links_input *in, hm_report *r, hm_report_list *l, hm_err *err) {
  work *w = hm_xmalloc(sizeof *w);
  *w = (work){ .a = hm_arena_new() };
  int threads = in->threads < 1 ? 1 : in->threads > HANDS_MAX ? HANDS_MAX : in->threads;
  for (int i = 0; i < threads; i++)
    w->hands[i] = (hand){ .keep = hm_arena_new(), .scratch = hm_arena_new() };
  hm_links_index_make(&w->index, in, w->a);
  list_pages(w);
  int rc = run(w, threads, err);
  if (rc == 0) collect(w, r, l);
  for (int i = 0; i < threads; i++) {
    hand *h = &w->hands[i];
    hm_arena_free(h->keep);
    hm_arena_free(h->scratch);
    free(h->ids.p);
    free(h->wants.p);
    free(h->broken.p);
  }
  hm_arena_free(w->a);
  free(w);
  return rc;
}
