/* Normal forms. utf8proc_map would do it in one call, but it sorts combining
 * marks by swapping neighbours: 1 MB of marks in the wrong order takes minutes. */
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "core/base/text_impl.h"

/* The longest full decomposition of one code point (U+FDFA) has 18. */
enum { LONGEST = 32, SHORT_RUN = 16, CLASSES = 256 };

static void cps_room(hm_cps *c, size_t n) {
  if (n <= c->cap - c->n) return;
  c->cap = c->cap * 2 + n + 32;
  c->p = hm_xrealloc(c->p, c->cap * sizeof *c->p);
}

static void decompose_one(hm_cps *out, int32_t cp, utf8proc_option_t how) {
  cps_room(out, LONGEST);
  int boundary = 0;
  utf8proc_ssize_t n = utf8proc_decompose_char(cp, out->p + out->n, LONGEST, how, &boundary);
  if (n < 0 || n > LONGEST) {
    out->p[out->n] = cp;
    n = 1;
  }
  out->n += (size_t)n;
}

static int mark_class(int32_t cp) {
  return cp < 0x300 ? 0 : utf8proc_get_property(cp)->combining_class;
}

static void sort_short(int32_t *p, size_t n) {
  for (size_t i = 1; i < n; i++) {
    int32_t cp = p[i];
    int c = mark_class(cp);
    size_t j = i;
    for (; j > 0 && mark_class(p[j - 1]) > c; j--) p[j] = p[j - 1];
    p[j] = cp;
  }
}

static void sort_long(int32_t *p, size_t n) {
  size_t at[CLASSES + 1] = { 0 };
  int32_t *copy = hm_xmalloc(n * sizeof *copy);
  memcpy(copy, p, n * sizeof *copy);
  for (size_t i = 0; i < n; i++) at[mark_class(copy[i]) + 1]++;
  for (size_t c = 0; c < CLASSES; c++) at[c + 1] += at[c];
  for (size_t i = 0; i < n; i++) p[at[mark_class(copy[i])]++] = copy[i];
  free(copy);
}

/* Canonical order: each run of marks, stable by combining class. */
static void reorder(hm_cps *c) {
  for (size_t i = 0; i < c->n; i++) {
    if (!mark_class(c->p[i])) continue;
    size_t from = i;
    while (i < c->n && mark_class(c->p[i])) i++;
    (i - from <= SHORT_RUN ? sort_short : sort_long)(c->p + from, i - from);
  }
}

static void compose(hm_cps *c) {
  utf8proc_ssize_t n =
      utf8proc_normalize_utf32(c->p, (utf8proc_ssize_t)c->n, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  if (n >= 0) c->n = (size_t)n;
}

static hm_cps decompose_text(hm_str s, utf8proc_option_t how) {
  hm_cps out = { 0 };
  cps_room(&out, s.n + LONGEST);
  for (size_t i = 0; i < s.n;) decompose_one(&out, (int32_t)hm_text_next(s, &i), how);
  reorder(&out);
  return out;
}

hm_cps hm_norm_nfkd(hm_str s) {
  return decompose_text(s, UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_DECOMPOSE);
}

/* Canonical order comes before folding, since folding makes a letter of one
 * mark (U+0345), which then would hold back those that belong before it. */
hm_cps hm_norm_fold(hm_str s) {
  hm_cps in = decompose_text(s, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE), out = { 0 };
  cps_room(&out, in.n + LONGEST);
  for (size_t i = 0; i < in.n; i++)
    decompose_one(&out, in.p[i],
                  UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
  free(in.p);
  reorder(&out);
  compose(&out);
  return out;
}

static hm_cp_class class_of(utf8proc_category_t c) {
  switch (c) {
    case UTF8PROC_CATEGORY_LU: case UTF8PROC_CATEGORY_LL: case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM: case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND: case UTF8PROC_CATEGORY_NL: case UTF8PROC_CATEGORY_NO:
      return HM_CP_WORD;
    case UTF8PROC_CATEGORY_MN: case UTF8PROC_CATEGORY_MC: case UTF8PROC_CATEGORY_ME:
      return HM_CP_MARK;
    case UTF8PROC_CATEGORY_ZS: case UTF8PROC_CATEGORY_ZL: case UTF8PROC_CATEGORY_ZP:
      return HM_CP_SPACE;
    default:
      return HM_CP_OTHER;
  }
}

hm_cp_class hm_cp_classify(int32_t cp) {
  if ((cp >= '\t' && cp <= '\r') || cp == 0x85) return HM_CP_SPACE;
  return class_of(utf8proc_category(cp));
}
