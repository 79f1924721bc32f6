#include "core/base/str.h"

#include <stdio.h>
#include <stdlib.h>

bool hm_buf_room(hm_buf *b, size_t n) {
  if (b->failed) return false;
  if (n <= b->cap - b->n) return true;
  if (n > HM_BUF_MAX - b->n) {
    b->failed = true;
    return false;
  }
  size_t cap = b->cap ? b->cap : 64;
  while (cap < b->n + n) cap *= 2;
  b->p = hm_xrealloc(b->p, cap);
  b->cap = cap;
  return true;
}

void hm_buf_fmt(hm_buf *b, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  hm_buf_vfmt(b, fmt, ap);
  va_end(ap);
}

void hm_buf_vfmt(hm_buf *b, const char *fmt, va_list ap) {
  va_list again;
  va_copy(again, ap);
  size_t space = b->cap - b->n;
  int n = vsnprintf(space ? b->p + b->n : NULL, space, fmt, ap);
  if (n < 0) b->failed = true;
  else if (hm_buf_room(b, (size_t)n + 1)) {   /* vsnprintf wants to end in a NUL */
    if ((size_t)n >= space) vsnprintf(b->p + b->n, (size_t)n + 1, fmt, again);
    b->n += (size_t)n;
  }
  va_end(again);
}

void hm_buf_clear(hm_buf *b) {
  b->n = 0;
  b->failed = false;
}

void hm_buf_free(hm_buf *b) {
  free(b->p);
  *b = (hm_buf){ 0 };
}

hm_str hm_buf_view(const hm_buf *b) { return b->n ? (hm_str){ b->p, b->n } : HM_EMPTY; }

hm_str hm_buf_keep(const hm_buf *b, hm_arena *a) { return hm_str_dup(a, hm_buf_view(b)); }

hm_str hm_buf_take(hm_buf *b, hm_arena *a) {
  hm_str s = hm_buf_keep(b, a);
  hm_buf_free(b);
  return s;
}
