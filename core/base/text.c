#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/text_impl.h"

typedef enum { WORD, GAP } kind;   /* what stays, what is squeezed to one separator */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static kind name_ascii(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? WORD : GAP; }
static kind value_ascii(char c) { return c == ' ' || (c >= '\t' && c <= '\r') ? GAP : WORD; }

static kind name_any(int32_t cp) {
  hm_cp_class c = hm_cp_classify(cp);
  return c == HM_CP_WORD || c == HM_CP_MARK ? WORD : GAP;
}
static kind value_any(int32_t cp) { return hm_cp_classify(cp) == HM_CP_SPACE ? GAP : WORD; }

typedef struct { char gap; kind (*ascii)(char c); kind (*any)(int32_t cp); } rules;
static const rules name_rules = { '_', name_ascii, name_any };
static const rules value_rules = { ' ', value_ascii, value_any };

/* For ASCII, NFKC with case folding is lower-casing. */
static hm_str squeeze_ascii(hm_arena *a, hm_str s, const rules *r) {
  char *p = hm_alloc(a, s.n + 1);
  size_t n = 0;
  bool gap = false;
  for (size_t i = 0; i < s.n; i++) {
    char c = lower(s.p[i]);
    if (r->ascii(c) == GAP) {
      gap = n > 0;
      continue;
    }
    if (gap) p[n++] = r->gap;
    gap = false;
    p[n++] = c;
  }
  p[n] = 0;
  return (hm_str){ p, n };
}

static hm_str squeeze_any(hm_arena *a, hm_str s, const rules *r) {
  hm_cps c = hm_norm_fold(s);
  char *p = hm_alloc(a, c.n * 4 + 1);
  size_t n = 0;
  bool gap = false;
  for (size_t i = 0; i < c.n; i++) {
    if (r->any(c.p[i]) == GAP) {
      gap = n > 0;
      continue;
    }
    if (gap) p[n++] = r->gap;
    gap = false;
    n += hm_utf8_encode(p + n, (uint32_t)c.p[i]);
  }
  free(c.p);
  return (hm_str){ p, n };
}

static hm_str squeeze(hm_arena *a, hm_str s, const rules *r) {
  return (hm_ascii_prefix(s) == s.n ? squeeze_ascii : squeeze_any)(a, s, r);
}

hm_str hm_text_name(hm_arena *a, hm_str s) { return squeeze(a, s, &name_rules); }

hm_str hm_text_value(hm_arena *a, hm_str s) {
  hm_str v = squeeze(a, s, &value_rules);
  if (v.n && v.p[v.n - 1] == '.') v.n--;
  if (v.n && v.p[v.n - 1] == ' ') v.n--;
  return v;
}
