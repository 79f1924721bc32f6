#include "core/base/needles.h"

#include <string.h>

static void add(hm_needles *l, hm_str text, hm_arena *a) {
  if (!text.n) return;
  for (size_t i = 0; i < l->n; i++)
    if (hm_str_eq(l->v[i], text)) return;
  if (l->n == l->cap) {
    hm_str *more = hm_alloc_array(a, l->cap = l->cap ? 2 * l->cap : 8, sizeof *more);
    if (l->n) memcpy(more, l->v, l->n * sizeof *more);
    l->v = more;
  }
  l->v[l->n++] = hm_str_dup(a, text);
}

void hm_needles_add(hm_needles *l, hm_str text, hm_arena *a) {
  hm_str trimmed = hm_str_trim(text);
  if (!trimmed.n) return;
  add(l, text, a);
  add(l, trimmed, a);
}

bool hm_needles_are(const hm_needles *l, hm_str text) {
  hm_str trimmed = hm_str_trim(text);
  for (size_t i = 0; i < l->n; i++)
    if (hm_str_eq(l->v[i], text) || hm_str_eq(l->v[i], trimmed)) return true;
  return false;
}

/* Bytes beyond ASCII are letters here. */
static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80);
}

static bool stands_alone(hm_str text, size_t at, hm_str needle) {
  size_t end = at + needle.n;
  if (at && is_word(text.p[at - 1]) && is_word(needle.p[0])) return false;
  return end == text.n || !is_word(text.p[end]) || !is_word(needle.p[needle.n - 1]);
}

/* First place at or behind from where the needle counts, or -1. */
static ptrdiff_t find(hm_str text, size_t from, hm_str needle) {
  if (needle.n < HM_NEEDLE_FREE) return -1;
  while (from + needle.n <= text.n) {
    const char *p = memmem(text.p + from, text.n - from, needle.p, needle.n);
    if (!p) return -1;
    size_t at = (size_t)(p - text.p);
    if (needle.n >= HM_NEEDLE_WHOLE || stands_alone(text, at, needle)) return (ptrdiff_t)at;
    from = at + 1;
  }
  return -1;
}

bool hm_needles_in_bytes(const hm_needles *l, hm_str bytes) {
  for (size_t i = 0; i < l->n; i++)
    if (find(bytes, 0, l->v[i]) >= 0) return true;
  return false;
}

bool hm_needles_in(const hm_needles *l, hm_str text) { return hm_needles_are(l, text) || hm_needles_in_bytes(l, text); }

/* The first needle from `from` on, and of those that begin there the longest. */
static ptrdiff_t next(const hm_needles *l, hm_str text, size_t from, size_t *n) {
  ptrdiff_t best = -1;
  for (size_t i = 0; i < l->n; i++) {
    ptrdiff_t at = find(text, from, l->v[i]);
    if (at < 0 || (best >= 0 && (at > best || (at == best && l->v[i].n <= *n)))) continue;
    best = at;
    *n = l->v[i].n;
  }
  return best;
}

hm_str hm_needles_replace(const hm_needles *l, hm_str text, hm_str mark, hm_arena *a) {
  size_t from = 0, n = 0;
  if (hm_needles_are(l, text)) return mark;
  ptrdiff_t at = next(l, text, 0, &n);
  if (at < 0) return text;
  hm_buf b = { 0 };
  for (; at >= 0; at = next(l, text, from, &n)) {
    hm_buf_add(&b, text.p + from, (size_t)at - from);
    hm_buf_str(&b, mark);
    from = (size_t)at + n;
  }
  hm_buf_add(&b, text.p + from, text.n - from);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}
