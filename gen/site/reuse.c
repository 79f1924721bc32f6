/* Skips unchanged pages, and records what the next build needs for that.
 *
 * A page or raw file is not made if the digest of its inputs is the recorded one and the sink still
 * has its files. */
#include <stdlib.h>
#include <string.h>

#include "gen/site/site_impl.h"

static bool is_zero(hm_hash128 x) { return !(x.hi | x.lo); }

static bool same_hash(hm_hash128 x, hm_hash128 y) { return x.hi == y.hi && x.lo == y.lo; }

/* Digest of the page's inputs; zero when they are unknown. Overwrites h->body. */
static hm_hash128 page_inputs(const hm_build *b, const hm_page *p, hm_render_worker *h) {
  struct {
    hm_hash128 facts;
    uint64_t family;
  } all = { .family = 0 };
  if (b->inputs)
    all.facts = hm_page_digest(b->inputs, p, h->scratch, &h->body);
  if (is_zero(all.facts))
    return all.facts;
  all.family = hm_str_hash_seeded(hm_str_c(p->tmpl), b->seed);
  return hm_str_hash128((hm_str){ (const char *)&all, sizeof all }, b->seed);
}

/* --- files that the sink has --------------------------------------------------------- */

static int sink_file_by_path(const void *key, const void *file) {
  return hm_str_cmp(*(const hm_str *)key, ((const hm_sink_file *)file)->path);
}

static bool sink_has_file(const hm_sink_files *s, hm_str path, uint64_t size) {
  if (!s || s->all)
    return s != NULL;
  const hm_sink_file *f =
      s->n ? bsearch(&path, s->files, s->n, sizeof *s->files, sink_file_by_path) : NULL;
  return f && f->size == size;
}

/* Fills *out for an unchanged file that the sink still has. Returns false when it must be made. */
static bool reuse_file(const hm_build *b, hm_str path, const hm_last_bytes *is, hm_file *out) {
  if (!sink_has_file(b->opt->present, path, is->size))
    return false;
  *out = (hm_file){ .path = path, .bytes = { NULL, is->size }, .held = true };
  memcpy(out->sha256, is->sha256, sizeof out->sha256);
  return true;
}

int hm_reuse_part(const hm_build *b, const hm_file_part *p, hm_arena *keep, hm_file *out,
                  hm_err *err) {
  const hm_site_options *o = b->opt;
  const hm_last_file *was = b->known ? hm_last_site_find_file(b->known, p->path) : NULL;
  hm_str path = hm_str_dup(keep, p->path);
  if (was && memcmp(was->is.sha256, p->sha256, sizeof p->sha256) == 0 &&
      reuse_file(b, path, &was->is, out))
    return 0;
  *out = (hm_file){ .path = path, .bytes = o->take ? p->bytes : hm_str_dup(keep, p->bytes) };
  memcpy(out->sha256, p->sha256, sizeof out->sha256);
  if (!o->take)
    return 0;
  int rc = o->take(o->take_ctx, out, err);
  out->bytes.p = NULL;
  return rc;
}

bool hm_reuse_raw(const hm_build *b, const hm_raw_file *r, hm_render_worker *h, hm_hash128 *inputs,
                  hm_file *out) {
  *inputs = (hm_hash128){ 0 };
  if (!b->inputs)
    return false;
  *inputs = hm_raw_digest(b->inputs, r, &h->body);
  const hm_last_file *was = b->known ? hm_last_site_find_file(b->known, r->path) : NULL;
  return was && !is_zero(*inputs) && same_hash(was->inputs, *inputs) &&
      reuse_file(b, r->path, &was->is, out);
}

static hm_str next_line(hm_str *rest) {
  const char *end = rest->n ? memchr(rest->p, '\n', rest->n) : NULL;
  hm_str line = hm_str_sub(*rest, 0, end ? (size_t)(end - rest->p) : rest->n);
  *rest = hm_str_sub(*rest, line.n + 1, rest->n);
  return line;
}

/* Fills the page's files and h->marks from its record. Returns false when a marker is no live link
 * any more: the page is made again, and the check reports the error. */
static bool reuse_page(const hm_build *b, const hm_page *p, const hm_last_page *was,
                       hm_render_worker *h, hm_file *md, hm_file *html) {
  for (hm_str rest = was->marks; rest.n;)
    if (hm_map_get(&b->conflict_at, next_line(&rest)) == HM_MAP_NONE)
      return false;
  if (md && !reuse_file(b, p->path, &was->form[HM_FORM_MD], md))
    return false;
  if (html && !reuse_file(b, hm_html_path(p->path, h->keep), &was->form[HM_FORM_HTML], html))
    return false;
  for (hm_str rest = was->marks; rest.n;)
    h->marked[hm_map_get(&b->conflict_at, next_line(&rest))] = true;
  hm_buf_clear(&h->marks);
  hm_buf_str(&h->marks, was->marks);
  return true;
}

static void note_page(const hm_build *b, const hm_page *p, hm_hash128 inputs, hm_render_worker *h,
                      const hm_file *md, const hm_file *html) {
  hm_last_page *now = &b->now[p - b->pages->pages];
  const hm_file *forms[HM_FORMS] = { [HM_FORM_MD] = md, [HM_FORM_HTML] = html };
  hm_str marks = h->marks.n ? hm_str_dup(h->keep, hm_buf_view(&h->marks)) : HM_EMPTY;
  *now = (hm_last_page){ .path = p->path, .marks = marks, .inputs = inputs };
  for (int i = 0; i < HM_FORMS; i++) {
    if (!forms[i])
      continue;
    now->form[i].size = forms[i]->bytes.n;
    memcpy(now->form[i].sha256, forms[i]->sha256, sizeof now->form[i].sha256);
  }
}

bool hm_reuse_page(const hm_build *b, const hm_page *p, hm_render_worker *h, hm_file *md,
                   hm_file *html) {
  const hm_last_page *was = hm_last_site_find_page(b->known, p->path);
  hm_hash128 inputs = was ? page_inputs(b, p, h) : (hm_hash128){ 0 };
  if (is_zero(inputs) || !same_hash(was->inputs, inputs) || !reuse_page(b, p, was, h, md, html))
    return false;
  note_page(b, p, inputs, h, md, html);
  return true;
}

void hm_reuse_note_page(const hm_build *b, const hm_page *p, hm_render_worker *h, const hm_file *md,
                        const hm_file *html) {
  note_page(b, p, page_inputs(b, p, h), h, md, html);
}

/* --- the record for the next build ---------------------------------------------------- */

static int known_by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_last_file *)x)->path, ((const hm_last_file *)y)->path);
}

void hm_reuse_record_site(const hm_build *b, hm_site *s, const hm_file *const *others, size_t n,
                          const hm_file *parts, size_t n_parts, hm_arena *a) {
  hm_last_site *k = &s->known;
  *k = (hm_last_site){ .seed = b->seed,
                       .pages = b->now,
                       .n_pages = b->pages->n,
                       .others = hm_alloc_array(a, n + n_parts, sizeof *k->others),
                       .n_others = n + n_parts };
  for (size_t i = 0; i < n + n_parts; i++) {
    const hm_file *f = i < n ? others[i] : &parts[i - n];
    k->others[i] = (hm_last_file){ .path = f->path, .is.size = f->bytes.n };
    memcpy(k->others[i].is.sha256, f->sha256, sizeof f->sha256);
    if (i < b->pages->n_raws)
      k->others[i].inputs = b->raw_inputs[i];
  }
  qsort(k->others, n + n_parts, sizeof *k->others, known_by_path);
}

const hm_last_file *hm_last_site_find_file(const hm_last_site *k, hm_str path) {
  hm_last_file key = { .path = path };
  return k->n_others ? bsearch(&key, k->others, k->n_others, sizeof key, known_by_path) : NULL;
}

static int known_page_by_path(const void *key, const void *page) {
  return hm_str_cmp(*(const hm_str *)key, ((const hm_last_page *)page)->path);
}

const hm_last_page *hm_last_site_find_page(const hm_last_site *k, hm_str path) {
  return k->n_pages ? bsearch(&path, k->pages, k->n_pages, sizeof *k->pages, known_page_by_path)
                    : NULL;
}

/* --- the site compared with the last one ------------------------------------------------ */

static void note_gone(hm_site *s, hm_str path, size_t *cap, hm_arena *a) {
  if (hm_site_file(s, path))
    return;
  s->gone = hm_array_grow_in(a, s->gone, s->n_gone, cap, sizeof *s->gone);
  s->gone[s->n_gone++] = hm_str_dup(a, path);
}

/* Notes the files of pages that are gone, by one merge of two sorted lists. */
static void note_gone_pages(const hm_build *b, hm_site *s, size_t *cap, hm_arena *a) {
  const hm_last_site *was = b->known;
  for (size_t i = 0, k = 0; i < was->n_pages; i++) {
    hm_str path = was->pages[i].path;
    while (k < b->pages->n && hm_str_cmp(b->pages->pages[k].path, path) < 0)
      k++;
    if (k < b->pages->n && hm_str_eq(b->pages->pages[k].path, path))
      continue;
    if (b->opt->markdown)
      note_gone(s, path, cap, a);
    if (b->opt->html)
      note_gone(s, hm_html_path(path, a), cap, a);
  }
}

/* True for a new or changed Markdown file. HTML files are not counted. */
static bool is_changed(const hm_last_site *was, const hm_file *f) {
  if (f->held || !hm_str_ends(f->path, ".md"))
    return false;
  const hm_last_page *p = hm_last_site_find_page(was, f->path);
  const hm_last_file *other = p ? NULL : hm_last_site_find_file(was, f->path);
  const hm_last_bytes *is = p ? &p->form[HM_FORM_MD] : other ? &other->is : NULL;
  return !is || memcmp(is->sha256, f->sha256, sizeof f->sha256) != 0;
}

void hm_reuse_find_changes(const hm_build *b, hm_site *s, hm_arena *a) {
  const hm_last_site *was = b->known;
  s->made = hm_alloc_array(a, s->n, sizeof *s->made);
  for (size_t i = 0; i < s->n; i++)
    if (!s->files[i].held)
      s->made[s->n_made++] = (uint32_t)i;
  s->changed_pages = -1;
  if (!was)
    return;
  size_t cap = 0;
  note_gone_pages(b, s, &cap, a);
  for (size_t i = 0; i < was->n_others; i++)
    note_gone(s, was->others[i].path, &cap, a);
  hm_strs_sort(s->gone, s->n_gone);
  s->changed_pages = 0;
  for (size_t i = 0; i < s->n_made; i++)
    s->changed_pages += is_changed(was, &s->files[s->made[i]]);
  for (size_t i = 0; i < s->n_gone; i++)
    s->changed_pages += hm_str_ends(s->gone[i], ".md");
}

/* --- the record as bytes ----------------------------------------------------------------- */

static void write_text(hm_buf *b, hm_str s) {
  uint32_t n = (uint32_t)s.n;
  hm_buf_add(b, &n, sizeof n);
  hm_buf_str(b, s);
}

void hm_last_site_write(const hm_last_site *k, hm_buf *b) {
  enum { PATH_USUAL = 64 }; /* a guess to grow the buffer once; a longer path is fine */
  const uint64_t head[] = { k->seed, k->n_pages, k->n_others };
  hm_buf_room(b,
              k->n_pages * (sizeof(hm_last_page) + PATH_USUAL) +
                  k->n_others * (sizeof(hm_last_file) + PATH_USUAL));
  hm_buf_add(b, head, sizeof head);
  for (size_t i = 0; i < k->n_pages; i++) {
    const hm_last_page *p = &k->pages[i];
    write_text(b, p->path);
    write_text(b, p->marks);
    hm_buf_add(b, &p->inputs, sizeof p->inputs);
    hm_buf_add(b, p->form, sizeof p->form);
  }
  for (size_t i = 0; i < k->n_others; i++) {
    write_text(b, k->others[i].path);
    hm_buf_add(b, &k->others[i].is, sizeof k->others[i].is);
    hm_buf_add(b, &k->others[i].inputs, sizeof k->others[i].inputs);
  }
}

/* Every length is checked against what is left. */
static bool read_bytes(hm_str *in, void *to, size_t n) {
  if (in->n < n)
    return false;
  memcpy(to, in->p, n);
  *in = hm_str_sub(*in, n, in->n);
  return true;
}

static bool read_text(hm_str *in, hm_str *s) {
  uint32_t n;
  if (!read_bytes(in, &n, sizeof n) || in->n < n)
    return false;
  *s = hm_str_sub(*in, 0, n);
  *in = hm_str_sub(*in, n, in->n);
  return true;
}

bool hm_last_site_read(hm_str in, hm_arena *a, hm_last_site *k) {
  uint64_t head[3];
  *k = (hm_last_site){ 0 };
  if (!read_bytes(&in, head, sizeof head) || head[1] > in.n || head[2] > in.n)
    return false;
  *k = (hm_last_site){ .seed = head[0],
                       .pages = hm_alloc_array(a, head[1], sizeof *k->pages),
                       .n_pages = head[1],
                       .others = hm_alloc_array(a, head[2], sizeof *k->others),
                       .n_others = head[2] };
  for (size_t i = 0; i < k->n_pages; i++) {
    hm_last_page *p = &k->pages[i];
    if (!read_text(&in, &p->path) || !read_text(&in, &p->marks) ||
        !read_bytes(&in, &p->inputs, sizeof p->inputs) ||
        !read_bytes(&in, p->form, sizeof p->form) || (i && hm_str_cmp(p[-1].path, p->path) >= 0))
      return false;
  }
  for (size_t i = 0; i < k->n_others; i++) {
    hm_last_file *f = &k->others[i];
    if (!read_text(&in, &f->path) || !read_bytes(&in, &f->is, sizeof f->is) ||
        !read_bytes(&in, &f->inputs, sizeof f->inputs) ||
        (i && hm_str_cmp(f[-1].path, f->path) >= 0))
      return false;
  }
  return in.n == 0;
}
