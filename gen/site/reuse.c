/* Unchanged pages are skipped. */
#include <stdlib.h>
#include <string.h>

#include "gen/site/site_impl.h"

static bool same(hm_hash128 x, hm_hash128 y) { return x.hi == y.hi && x.lo == y.lo; }

static hm_hash128 inputs_of(const hm_build *b, hm_hash128 facts, const char *family) {
  struct { hm_hash128 facts; uint64_t family; unsigned char with[32]; } all = { .facts = facts };
  if (!(facts.hi | facts.lo)) return (hm_hash128){ 0 };
  all.family = hm_str_hash_seeded(hm_str_c(family), b->seed);
  memcpy(all.with, b->opt->inputs, sizeof all.with);
  return hm_str_hash128((hm_str){ (const char *)&all, sizeof all }, b->seed);
}

hm_hash128 hm_reuse_inputs(const hm_build *b, const hm_page *p, hm_hand *h) {
  if (!b->inputs) return (hm_hash128){ 0 };
  return inputs_of(b, hm_page_digest(b->inputs, p, h->scratch, &h->body), p->tmpl);
}

bool hm_reuse_raw(const hm_build *b, const hm_raw_file *r, hm_hand *h, hm_hash128 *inputs,
                  hm_file *out) {
  *inputs = (hm_hash128){ 0 };
  if (!b->inputs) return false;
  *inputs = inputs_of(b, hm_raw_digest(b->inputs, r, &h->body), "data");
  const hm_known_file *was = b->known && b->opt->holds ? hm_known_file_at(b->known, r->path) : NULL;
  if (!was || was->names || !(inputs->hi | inputs->lo) || !same(was->inputs, *inputs)) return false;
  return hm_reuse_file(b, r->path, &was->is, out);
}

/* Pages are asked for in runs: after one that was known its neighbour is, most often. */
const hm_known_page *hm_reuse_was(const hm_build *b, const hm_page *p, hm_hand *h) {
  const hm_known *k = b->known;
  if (!k) return NULL;
  size_t next = h->was ? (size_t)(h->was - k->pages) + 1 : k->n_pages;
  bool there = next < k->n_pages && hm_str_eq(k->pages[next].path, p->path);
  const hm_known_page *was = there ? &k->pages[next] : hm_known_page_at(k, p->path);
  if (was) h->was = was;
  return was;
}

bool hm_reuse_all(const hm_build *b, const hm_page *p, hm_hand *h, hm_file *md, hm_file *html) {
  const hm_known_page *was = hm_reuse_was(b, p, h);
  hm_hash128 inputs = was ? hm_reuse_inputs(b, p, h) : (hm_hash128){ 0 };
  if (!(inputs.hi | inputs.lo) || !same(was->inputs, inputs) ||
      !hm_reuse_page(b, p, was, was->key, h, md, html))
    return false;
  hm_reuse_note(b, p, inputs, was->key, h, md, html);
  return true;
}

hm_hash128 hm_reuse_key(const hm_build *b, const hm_tv *model, hm_hand *h) {
  hm_hash128 md = hm_str_hash128(hm_buf_view(&h->md), b->seed);
  hm_buf_clear(&h->html);
  hm_buf_add(&h->html, &md, sizeof md);
  for (size_t i = 0; i < HM_SHELL_KEYS; i++) {
    const hm_tv *v = hm_tv_at(model, hm_shell_keys[i]);
    hm_buf_ch(&h->html, v != NULL);
    if (v) hm_tv_bytes(v, &h->html);
  }
  return hm_str_hash128(hm_buf_view(&h->html), b->seed);
}

static hm_str next_line(hm_str *rest) {
  const char *end = rest->n ? memchr(rest->p, '\n', rest->n) : NULL;
  hm_str line = hm_str_sub(*rest, 0, end ? (size_t)(end - rest->p) : rest->n);
  *rest = hm_str_sub(*rest, line.n + 1, rest->n);
  return line;
}

/* Its markers are live links still; else the page is made, and the check says what is wrong. */
static bool marks_lead(const hm_build *b, hm_str marks) {
  while (marks.n)
    if (hm_map_get(&b->conflict_at, next_line(&marks)) == HM_MAP_NONE) return false;
  return true;
}

static void note_marks(const hm_build *b, hm_str marks, hm_hand *h) {
  while (marks.n) h->marked[hm_map_get(&b->conflict_at, next_line(&marks))] = true;
}

bool hm_reuse_file(const hm_build *b, hm_str path, const hm_known_bytes *is, hm_file *out) {
  hm_file f = { .path = path, .bytes = { NULL, is->size }, .held = true };
  memcpy(f.sha256, is->sha256, sizeof f.sha256);
  if (!b->opt->holds(b->opt->holds_ctx, &f)) return false;
  *out = f;
  return true;
}

bool hm_reuse_page(const hm_build *b, const hm_page *p, const hm_known_page *was, hm_hash128 key,
                   hm_hand *h, hm_file *md, hm_file *html) {
  const hm_known *k = b->known;
  if (!was || !b->opt->holds || !same(was->key, key) || !marks_lead(b, was->marks)) return false;
  if ((md && !k->markdown) || (html && !k->html)) return false;
  if (md && !hm_reuse_file(b, p->path, &was->form[HM_FORM_MD], md)) return false;
  if (html && !hm_reuse_file(b, hm_html_path(p->path, h->keep), &was->form[HM_FORM_HTML], html))
    return false;
  note_marks(b, was->marks, h);
  h->marks.n = 0;
  hm_buf_str(&h->marks, was->marks);
  return true;
}

/* --- what the next build will know --------------------------------------------- */

static hm_known_bytes bytes_of(const hm_file *f) {
  hm_known_bytes is = { .size = f->bytes.n };
  memcpy(is.sha256, f->sha256, sizeof is.sha256);
  return is;
}

static hm_known_file as_known(const hm_file *f) {
  return (hm_known_file){ .path = f->path, .is = bytes_of(f), .names = f->names };
}

void hm_reuse_note(const hm_build *b, const hm_page *p, hm_hash128 inputs, hm_hash128 key,
                   hm_hand *h, const hm_file *md, const hm_file *html) {
  hm_known_page *now = &b->now[p - b->pages->pages];
  hm_str marks = h->marks.n ? hm_str_dup(h->keep, hm_buf_view(&h->marks)) : HM_EMPTY;
  *now = (hm_known_page){ .path = p->path, .marks = marks, .key = key, .inputs = inputs };
  if (md) now->form[HM_FORM_MD] = bytes_of(md);
  if (html) now->form[HM_FORM_HTML] = bytes_of(html);
}

static int by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_known_file *)x)->path, ((const hm_known_file *)y)->path);
}

void hm_reuse_remember(const hm_build *b, hm_site *s, const hm_file *others, size_t n,
                       hm_arena *a) {
  hm_known *k = &s->known;
  *k = (hm_known){ .seed = b->seed,
                   .markdown = b->opt->markdown,
                   .html = b->opt->html,
                   .pages = b->now,
                   .n_pages = b->pages->n };
  k->others = hm_alloc_array(a, n, sizeof *k->others);
  k->n_others = n;
  for (size_t i = 0; i < n; i++) k->others[i] = as_known(&others[i]);
  for (size_t i = 0; i < b->pages->n_raws; i++)
    k->others[i].inputs = b->raw_inputs[i]; /* these come first */
  if (n) qsort(k->others, n, sizeof *k->others, by_path);
}

/* --- what is there no more ------------------------------------------------------ */

typedef struct { hm_site *s; hm_arena *a; size_t cap; } goner;

static void check_gone(goner *g, hm_str path) {
  if (hm_site_file(g->s, path)) return;
  if (g->s->n_gone == g->cap) {
    size_t cap = g->cap ? 2 * g->cap : 64;
    hm_str *more = hm_alloc_array(g->a, cap, sizeof *more);
    if (g->s->n_gone) memcpy(more, g->s->gone, g->s->n_gone * sizeof *more);
    g->s->gone = more;
    g->cap = cap;
  }
  g->s->gone[g->s->n_gone++] = path;
}

static int by_bytes(const void *x, const void *y) {
  return hm_str_cmp(*(const hm_str *)x, *(const hm_str *)y);
}

void hm_reuse_gone(const hm_build *b, hm_site *s, hm_arena *a) {
  const hm_known *was = b->known;
  goner g = { s, a, 0 };
  if (!was) return;
  for (size_t i = 0, k = 0; i < was->n_pages; i++) {
    hm_str path = was->pages[i].path;
    while (k < b->pages->n && hm_str_cmp(b->pages->pages[k].path, path) < 0) k++;
    bool stays = k < b->pages->n && hm_str_eq(b->pages->pages[k].path, path);
    if (was->markdown && !(stays && b->opt->markdown)) check_gone(&g, hm_str_dup(a, path));
    if (was->html && !(stays && b->opt->html)) check_gone(&g, hm_str_dup(a, hm_html_path(path, a)));
  }
  for (size_t i = 0; i < was->n_others; i++) check_gone(&g, hm_str_dup(a, was->others[i].path));
  if (s->n_gone) qsort(s->gone, s->n_gone, sizeof *s->gone, by_bytes);
}

/* --- how much it was ------------------------------------------------------------ */

/* Of a page, its Markdown; HTML is looked for by nobody. */
static const hm_known_bytes *was_there(const hm_known *k, hm_str path) {
  const hm_known_page *p = k->markdown ? hm_known_page_at(k, path) : NULL;
  if (p) return &p->form[HM_FORM_MD];
  const hm_known_file *f = hm_known_file_at(k, path);
  return f ? &f->is : NULL;
}

static bool is_changed(const hm_known *was, const hm_file *f) {
  if (f->held || !hm_str_ends(f->path, ".md")) return false;
  const hm_known_bytes *is = was_there(was, f->path);
  return !is || memcmp(is->sha256, f->sha256, sizeof f->sha256) != 0;
}

static int64_t changed_pages(const hm_site *s, const hm_known *was) {
  int64_t n = 0;
  for (size_t i = 0; i < s->n_made; i++)
    n += is_changed(was, &s->files[s->made[i]]);
  for (size_t i = 0; i < s->n_gone; i++) n += hm_str_ends(s->gone[i], ".md");
  return n;
}

void hm_reuse_made(const hm_build *b, hm_site *s, hm_arena *a) {
  size_t n = 0;
  for (size_t i = 0; i < s->n; i++) n += !s->files[i].held;
  s->made = hm_alloc_array(a, n, sizeof *s->made);
  for (size_t i = 0; i < s->n; i++)
    if (!s->files[i].held) s->made[s->n_made++] = (uint32_t)i;
  s->changed_pages = b->known ? changed_pages(s, b->known) : -1;
}
