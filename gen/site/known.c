#include "gen/site/known.h"

#include <stdlib.h>

static void put_str(hm_buf *b, hm_str s) {
  uint32_t n = (uint32_t)s.n;
  hm_buf_add(b, &n, sizeof n);
  hm_buf_str(b, s);
}

static void put_bytes(hm_buf *b, const hm_known_bytes *is) {
  hm_buf_add(b, &is->size, sizeof is->size);
  hm_buf_add(b, is->sha256, sizeof is->sha256);
}

enum { PATH_USUAL = 64 };   /* to ask for room once; a longer one is no harm */

void hm_known_put(const hm_known *k, hm_buf *b) {
  uint64_t counts[] = { k->n_pages, k->n_others };
  hm_buf_room(b,
              k->n_pages * (sizeof(hm_known_page) + PATH_USUAL) +
                  k->n_others * (sizeof(hm_known_file) + PATH_USUAL));
  hm_buf_add(b, &k->seed, sizeof k->seed);
  hm_buf_ch(b, k->markdown);
  hm_buf_ch(b, k->html);
  hm_buf_add(b, counts, sizeof counts);
  for (size_t i = 0; i < k->n_pages; i++) {
    const hm_known_page *p = &k->pages[i];
    put_str(b, p->path);
    put_str(b, p->marks);
    hm_buf_add(b, &p->key, sizeof p->key);
    hm_buf_add(b, &p->inputs, sizeof p->inputs);
    for (int f = 0; f < HM_FORMS; f++) put_bytes(b, &p->form[f]);
  }
  for (size_t i = 0; i < k->n_others; i++) {
    put_str(b, k->others[i].path);
    put_bytes(b, &k->others[i].is);
    hm_buf_add(b, &k->others[i].names, sizeof k->others[i].names);
    hm_buf_add(b, &k->others[i].inputs, sizeof k->others[i].inputs);
  }
}

/* --- and back: every length is checked against what is left ------------------ */

static bool get(hm_str *in, void *to, size_t n) {
  if (in->n < n) return false;
  memcpy(to, in->p, n);
  *in = hm_str_sub(*in, n, in->n);
  return true;
}

static bool get_str(hm_str *in, hm_str *s) {
  uint32_t n;
  if (!get(in, &n, sizeof n) || in->n < n) return false;
  *s = hm_str_sub(*in, 0, n);
  *in = hm_str_sub(*in, n, in->n);
  return true;
}

static bool get_bytes(hm_str *in, hm_known_bytes *is) {
  return get(in, &is->size, sizeof is->size) && get(in, is->sha256, sizeof is->sha256);
}

static bool get_bool(hm_str *in, bool *yes) {
  char c;
  if (!get(in, &c, 1) || (c != 0 && c != 1)) return false;
  *yes = c;
  return true;
}

static bool get_page(hm_str *in, hm_known_page *p) {
  if (!get_str(in, &p->path) || !get_str(in, &p->marks) || !get(in, &p->key, sizeof p->key) ||
      !get(in, &p->inputs, sizeof p->inputs)) return false;
  for (int f = 0; f < HM_FORMS; f++)
    if (!get_bytes(in, &p->form[f])) return false;
  return true;
}

static bool get_file(hm_str *in, hm_known_file *f) {
  return get_str(in, &f->path) && get_bytes(in, &f->is) && get(in, &f->names, sizeof f->names) &&
         get(in, &f->inputs, sizeof f->inputs);
}

bool hm_known_get(hm_str in, hm_arena *a, hm_known *out) {
  uint64_t counts[2];
  *out = (hm_known){ 0 };
  if (!get(&in, &out->seed, sizeof out->seed) || !get_bool(&in, &out->markdown) ||
      !get_bool(&in, &out->html) || !get(&in, counts, sizeof counts) || counts[0] > in.n ||
      counts[1] > in.n)
    return false;
  out->n_pages = counts[0];
  out->n_others = counts[1];
  out->pages = hm_alloc_array(a, out->n_pages, sizeof *out->pages);
  out->others = hm_alloc_array(a, out->n_others, sizeof *out->others);
  for (size_t i = 0; i < out->n_pages; i++)
    if (!get_page(&in, &out->pages[i]) ||
        (i && hm_str_cmp(out->pages[i - 1].path, out->pages[i].path) >= 0))
      return false;
  for (size_t i = 0; i < out->n_others; i++)
    if (!get_file(&in, &out->others[i]) ||
        (i && hm_str_cmp(out->others[i - 1].path, out->others[i].path) >= 0))
      return false;
  return in.n == 0;
}

static int by_path(const void *key, const void *page) {
  return hm_str_cmp(*(const hm_str *)key, ((const hm_known_page *)page)->path);
}

static int file_by_path(const void *key, const void *file) {
  return hm_str_cmp(*(const hm_str *)key, ((const hm_known_file *)file)->path);
}

const hm_known_file *hm_known_file_at(const hm_known *k, hm_str path) {
  return k->n_others ? bsearch(&path, k->others, k->n_others, sizeof *k->others, file_by_path)
                     : NULL;
}

const hm_known_page *hm_known_page_at(const hm_known *k, hm_str path) {
  return k->n_pages ? bsearch(&path, k->pages, k->n_pages, sizeof *k->pages, by_path) : NULL;
}
