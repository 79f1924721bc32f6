/* Checks the links of a finished site; check_impl.h says how.
 *
 * Three rounds on all cores: collect the ids and links of each page; look up each link; and, for
 * pages with dead links, find these again with their lines. Between the rounds a link takes sixteen
 * bytes. Cost: linear in the bytes of the pages. */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/par.h"
#include "gen/check/check_impl.h"
#include "core/markdown/escape.h"
#include "core/markdown/markdown.h"
#include "gen/sink/git.h"

enum { WORKERS_MAX = 64, SHOWN_MAX = 200 };

/* --- what there is to lead to --------------------------------------------------------- */

#define LINKS_NONE HM_MAP_NONE
#define LINKS_FOLDER (HM_MAP_NONE - 1) /* a folder without a page, which git hosts list */

typedef struct {
  const hm_check_input *in;
  hm_str base_url; /* ending in '/', or empty */
  hm_map files, folders;
} link_index;

static void add_folders(hm_map *folders, hm_str path) {
  for (const char *slash; (slash = memrchr(path.p, '/', path.n));) {
    path.n = (size_t)(slash - path.p);
    if (hm_map_get(folders, path) != HM_MAP_NONE)
      return;
    hm_map_add(folders, path, 1);
  }
}

static void make_index(link_index *x, const hm_check_input *in, hm_arena *a) {
  x->in = in;
  x->base_url = hm_view_get_options(in->view)->base_url;
  hm_map_init(&x->files, a, in->site->n);
  hm_map_init(&x->folders, a, 64);
  hm_map_add(&x->folders, HM_EMPTY, 1);
  for (size_t i = 0; i < in->site->n; i++) {
    hm_map_add(&x->files, in->site->files[i].path, (uint32_t)i);
    add_folders(&x->folders, in->site->files[i].path);
  }
}

/* The file that a path on a page of that kind leads to, LINKS_FOLDER or LINKS_NONE. */
static uint32_t find_file(const link_index *x, hm_str path, bool markdown, hm_arena *scratch) {
  uint32_t file = hm_map_get(&x->files, path);
  if (file != HM_MAP_NONE)
    return file;
  while (path.n && path.p[path.n - 1] == '/')
    path.n--;
  if (hm_map_get(&x->folders, path) == HM_MAP_NONE)
    return LINKS_NONE;
  file = hm_map_get(&x->files,
                    hm_str_fmt(scratch, "%.*s%s%s", HM_FMT(path), path.n ? "/" : "",
                               markdown ? "README.md" : "index.html"));
  if (file != HM_MAP_NONE)
    return file;
  return markdown ? LINKS_FOLDER : LINKS_NONE;
}

/* --- pages ------------------------------------------------------------------------ */

/* A link that leads nowhere. */
typedef struct {
  uint32_t file;
  size_t line;
  bool anchor;
  hm_str url, why;
} bad_link;

/* An id that a page must have, by its hash. */
typedef struct {
  uint64_t fragment;
  uint32_t page;
} wanted;

typedef struct {
  uint32_t file;
  bool markdown, bad;
  uint64_t *ids;
  size_t n_ids; /* hashes, sorted */
  wanted *wants;
  size_t n_wants;
  size_t links;
  bad_link *broken;
  size_t n_broken;
} page;

typedef struct {
  void *p;
  size_t n, cap;
} pile;

/* One thread's own. */
typedef struct {
  hm_arena *keep, *scratch;
  pile ids, wants, broken;
  hm_err ignored;
} worker_state;

typedef struct {
  link_index index;
  hm_arena *a;
  page *pages;
  size_t n;
  uint32_t *page_of; /* file -> page, or LINKS_NONE */
  worker_state workers[WORKERS_MAX];
  bool listing; /* the last round */
} work;

/* A page being read. */
typedef struct {
  work *w;
  worker_state *h;
  page *p;
  hm_str from;
  bool elsewhere;
} reading;

static void *pile_push(pile *x, size_t size) {
  x->p = hm_array_grow(x->p, x->n, &x->cap, size);
  return (char *)x->p + size * x->n++;
}

static void *pile_copy(const pile *x, size_t size, hm_arena *a) {
  void *p = hm_alloc_array(a, x->n + 1, size);
  if (x->n)
    memcpy(p, x->p, x->n * size);
  return p;
}

static int by_hash(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return a < b ? -1 : a > b;
}

/* --- one link ---------------------------------------------------------------- */

static void add_broken(reading *r, bool anchor, hm_str url, size_t line, hm_str why) {
  r->p->bad = true;
  if (!r->w->listing)
    return;
  hm_arena *a = r->h->keep;
  *(bad_link *)pile_push(&r->h->broken, sizeof(bad_link)) = (bad_link){ .file = r->p->file,
                                                                        .line = line,
                                                                        .anchor = anchor,
                                                                        .url = hm_str_dup(a, url),
                                                                        .why = hm_str_dup(a, why) };
}

static bool has_id(const page *p, uint64_t hash) {
  return p->n_ids && bsearch(&hash, p->ids, p->n_ids, sizeof *p->ids, by_hash);
}

/* The link asks for an id of the file; folders and data files have none. */
static void want_id(reading *r, uint32_t file, hm_str fragment, hm_str url, size_t line) {
  uint32_t to = file == LINKS_FOLDER ? LINKS_NONE : r->w->page_of[file];
  ptrdiff_t directive = hm_str_find(fragment, ":~:");
  if (directive >= 0)
    fragment = hm_str_sub(fragment, 0, (size_t)directive);
  bool is_top = fragment.n == 3 && strncasecmp(fragment.p, "top", 3) == 0;
  if (to == LINKS_NONE || !fragment.n || is_top)
    return;
  uint64_t hash = hm_str_hash(fragment);
  if (!r->w->listing) {
    *(wanted *)pile_push(&r->h->wants, sizeof(wanted)) = (wanted){ hash, to };
  } else if (!has_id(&r->w->pages[to], hash)) {
    hm_str path = r->w->index.in->site->files[file].path;
    add_broken(r, true, url, line,
               hm_str_fmt(r->h->scratch, "%.*s has no \"%.*s\"", HM_FMT(path),
                          HM_FMT(hm_str_sub(fragment, 0, 200))));
  }
}

static void on_link(void *ctx, hm_str url, size_t line) {
  reading *r = ctx;
  hm_link_target t;
  hm_arena *a = r->h->scratch;
  hm_link_kind kind = hm_link_resolve(r->from, url, r->w->index.base_url, a, &t);
  if (kind == HM_LINK_ELSEWHERE || (r->elsewhere && !t.here))
    return;
  r->p->links++;
  if (kind == HM_LINK_OUTSIDE) {
    add_broken(r, false, url, line, HM_STR("it leads out of the site"));
    return;
  }
  uint32_t file = t.here ? r->p->file : find_file(&r->w->index, t.path, r->p->markdown, a);
  if (file != LINKS_NONE)
    want_id(r, file, t.fragment, url, line);
  else if (!hm_git_path_kept(r->w->index.in->keep, r->w->index.in->n_keep, t.path))
    add_broken(r, false, url, line,
               hm_str_fmt(a, "the site has no %.*s", HM_FMT(hm_str_sub(t.path, 0, 400))));
}

static void on_id(void *ctx, hm_str id, size_t line) {
  reading *r = ctx;
  (void)line;
  if (id.n && !r->w->listing)
    *(uint64_t *)pile_push(&r->h->ids, sizeof(uint64_t)) = hm_str_hash(id);
}

static void on_base(void *ctx, hm_str url) {
  reading *r = ctx;
  hm_link_target t;
  r->elsewhere =
      hm_link_resolve(r->from, url, r->w->index.base_url, r->h->scratch, &t) != HM_LINK_INSIDE;
  if (!r->elsewhere)
    r->from = t.path;
}

static const hm_html_visitor in_html = { on_link, on_id, on_base };

static void on_raw(void *ctx, hm_str html, size_t line) {
  reading *r = ctx;
  hm_html_visit(html, line, r->h->scratch, &in_html, r);
}

static const hm_markdown_visitor in_markdown = { on_link, on_id, on_raw };

/* --- one page ---------------------------------------------------------------- */

static int read_page(work *w, size_t i, worker_state *h, hm_err *err) {
  page *p = &w->pages[i];
  const hm_file *f = &w->index.in->site->files[p->file];
  reading r = { .w = w, .h = h, .p = p, .from = f->path };
  h->ids.n = h->wants.n = h->broken.n = 0;
  p->links = 0;
  hm_arena_reset(h->scratch);
  if (!p->markdown)
    hm_html_visit(f->bytes, 1, h->scratch, &in_html, &r);
  else if (hm_markdown_visit(f->bytes, h->scratch, &in_markdown, &r, err) != 0)
    return hm_err_within(err, "%.*s", HM_FMT(f->path));
  if (w->listing) {
    p->broken = pile_copy(&h->broken, sizeof *p->broken, h->keep);
    p->n_broken = h->broken.n;
    return 0;
  }
  p->ids = pile_copy(&h->ids, sizeof *p->ids, h->keep);
  p->n_ids = h->ids.n;
  p->wants = pile_copy(&h->wants, sizeof *p->wants, h->keep);
  p->n_wants = h->wants.n;
  if (p->n_ids)
    qsort(p->ids, p->n_ids, sizeof *p->ids, by_hash);
  return 0;
}

static int read_any_page(void *ctx, size_t i, int worker) {
  work *w = ctx;
  return read_page(w, i, &w->workers[worker], &w->workers[worker].ignored);
}

static int compare_ids(void *ctx, size_t i, int worker) {
  work *w = ctx;
  page *p = &w->pages[i];
  (void)worker;
  for (size_t k = 0; k < p->n_wants && !p->bad; k++)
    p->bad = !has_id(&w->pages[p->wants[k].page], p->wants[k].fragment);
  return 0;
}

static int read_bad_page(void *ctx, size_t i, int worker) {
  work *w = ctx;
  return w->pages[i].bad ? read_page(w, i, &w->workers[worker], &w->workers[worker].ignored) : 0;
}

/* --- the report ------------------------------------------------------------------- */

/* An HTML page and an address on it, as one key. */
static hm_str key_of(hm_arena *a, hm_str path, hm_str url) {
  return hm_str_fmt(a, "%.*s %.*s", HM_FMT(path), HM_FMT(url));
}

/* Notes the dead links of the Markdown, which the HTML of the page will have, too. */
static void note_markdown(hm_map *listed_html, const hm_site *s, const bad_link *bad, size_t n,
                          hm_arena *tmp) {
  for (size_t i = 0; i < n; i++) {
    hm_str path = s->files[bad[i].file].path;
    if (hm_str_ends(path, ".md"))
      hm_map_add(listed_html, key_of(tmp, hm_html_path(path, tmp), hm_html_path(bad[i].url, tmp)),
                 1);
  }
}

static void add_item(const hm_site *s, const bad_link *b, size_t more, hm_report_list *l) {
  hm_arena *a = l->a;
  hm_report_rule_id rule = b->anchor ? HM_R_ANCHOR : HM_R_LINK;
  hm_str path = s->files[b->file].path, why = hm_str_dup(a, hm_clean_text(a, b->why));
  if (more)
    why = hm_str_fmt(a, "%.*s; %zu more such links are not listed", HM_FMT(why), more);
  hm_str id = hm_report_make_item_id(
      a, (const hm_str[]){ hm_str_c(hm_report_rules[rule].id), path, b->url, { NULL, 0 } });
  hm_report_add(l,
                (hm_report_item){ .rule = rule,
                                  .fails = true,
                                  .path = path,
                                  .line = b->line,
                                  .id = id,
                                  .project = HM_EMPTY,
                                  .subject = hm_str_dup(a, hm_shorten(a, b->url, SHOWN_MAX)),
                                  .detail = why,
                                  .see = HM_EMPTY });
}

/* How many links there are of each kind and address: counts[i] is that of the i-th such pair. */
typedef struct {
  hm_map at;
  size_t *all, *listed;
} tally;

/* The pair of each link; HM_MAP_NONE: it is listed at its Markdown. */
static uint32_t *count_pairs(tally *t, const hm_site *s, const bad_link *bad, size_t n,
                             hm_report *r, hm_arena *tmp) {
  uint32_t *pair = hm_alloc_array(tmp, n + 1, sizeof *pair);
  hm_map listed_html;
  hm_map_init(&listed_html, tmp, n);
  note_markdown(&listed_html, s, bad, n, tmp);
  for (size_t i = 0; i < n; i++) {
    hm_str path = s->files[bad[i].file].path;
    bool twice = !hm_str_ends(path, ".md") &&
        hm_map_get(&listed_html, key_of(tmp, path, bad[i].url)) != HM_MAP_NONE;
    pair[i] = twice
        ? HM_MAP_NONE
        : hm_map_add(&t->at,
                     hm_str_fmt(tmp, "%c%.*s", bad[i].anchor ? 'a' : 'l', HM_FMT(bad[i].url)),
                     (uint32_t)t->at.n);
    if (twice)
      continue;
    t->all[pair[i]]++;
    r->found[bad[i].anchor ? HM_R_ANCHOR : HM_R_LINK]++;
  }
  return pair;
}

/* Adds items for the bad links, which are in the order of the files. */
static void report_broken(const hm_site *s, const bad_link *bad, size_t n, hm_report *r,
                          hm_report_list *l) {
  hm_arena *tmp = hm_arena_new();
  tally t = { .all = hm_alloc_array(tmp, n + 1, sizeof(size_t)),
              .listed = hm_alloc_array(tmp, n + 1, sizeof(size_t)) };
  hm_map_init(&t.at, tmp, n);
  uint32_t *pair = count_pairs(&t, s, bad, n, r, tmp);
  size_t listed[2] = { 0 };
  for (size_t i = 0; i < n; i++) {
    if (pair[i] == HM_MAP_NONE || t.listed[pair[i]] == HM_LINKS_ALIKE ||
        listed[bad[i].anchor] == HM_LINKS_LISTED)
      continue;
    listed[bad[i].anchor]++;
    bool last = ++t.listed[pair[i]] == HM_LINKS_ALIKE;
    add_item(s, &bad[i], last ? t.all[pair[i]] - HM_LINKS_ALIKE : 0, l);
  }
  hm_arena_free(tmp);
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
    w->page_of[i] = markdown || html ? (uint32_t)w->n : LINKS_NONE;
    if (markdown || html)
      w->pages[w->n++] = (page){ .file = (uint32_t)i, .markdown = markdown };
  }
}

static void collect_broken(work *w, hm_report *r, hm_report_list *l) {
  size_t n = 0;
  for (size_t i = 0; i < w->n; i++) {
    n += w->pages[i].n_broken;
    r->links += w->pages[i].links;
  }
  r->pages = w->n;
  bad_link *all = hm_alloc_array(w->a, n + 1, sizeof *all);
  n = 0;
  for (size_t i = 0; i < w->n; i++)
    for (size_t k = 0; k < w->pages[i].n_broken; k++)
      all[n++] = w->pages[i].broken[k];
  report_broken(w->index.in->site, all, n, r, l);
}

int hm_check_links(const hm_check_input *in, hm_report *r, hm_report_list *l, hm_err *err) {
  work *w = hm_xmalloc(sizeof *w);
  *w = (work){ .a = hm_arena_new() };
  int threads = in->threads < 1 ? 1 : in->threads > WORKERS_MAX ? WORKERS_MAX : in->threads;
  for (int i = 0; i < threads; i++)
    w->workers[i] = (worker_state){ .keep = hm_arena_new(), .scratch = hm_arena_new() };
  make_index(&w->index, in, w->a);
  list_pages(w);
  size_t bad = 0;
  int rc = 0;
  if (hm_par_for(w->n, threads, read_any_page, w, &bad) != 0) {
    rc = read_page(w, bad, &w->workers[0], err); /* once more, to hear why; the same on every run */
  } else {
    hm_par_for(w->n, threads, compare_ids, w, NULL);
    w->listing = true;
    hm_par_for(w->n, threads, read_bad_page, w, NULL);
    collect_broken(w, r, l);
  }
  for (int i = 0; i < threads; i++) {
    worker_state *h = &w->workers[i];
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
