#include "core/base/text.h"

#include <stdlib.h>

#include "core/base/text_impl.h"

/* Which characters are gaps, of which a run becomes one separator. */
typedef struct {
  char separator;
  const bool *ascii;         /* by byte, after lower-casing */
  bool (*any)(int32_t cp);
} gaps;

static const bool name_ascii[128] = {
  [0 ... '0' - 1] = true, ['9' + 1 ... 'a' - 1] = true, ['z' + 1 ... 127] = true,
};
static const bool value_ascii[128] = { ['\t' ... '\r'] = true, [' '] = true };

static bool name_any(int32_t cp) {
  hm_cp_class c = hm_cp_classify(cp);
  return c != HM_CP_WORD && c != HM_CP_MARK;
}
static bool value_any(int32_t cp) { return hm_cp_classify(cp) == HM_CP_SPACE; }

static const gaps name_gaps = { '_', name_ascii, name_any };
static const gaps value_gaps = { ' ', value_ascii, value_any };

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

/* For ASCII, NFKC with case folding is lower-casing. */
static hm_str squeeze_ascii(hm_arena *a, hm_str s, const gaps *g) {
  char *p = hm_alloc(a, s.n + 1);
  size_t n = 0;
  bool gap = false;
  for (size_t i = 0; i < s.n; i++) {
    char c = lower(s.p[i]);
    if (g->ascii[(unsigned char)c]) {
      gap = n > 0;
      continue;
    }
    if (gap) p[n++] = g->separator;
    gap = false;
    p[n++] = c;
  }
  return (hm_str){ p, n };
}

/* Writes over the code points that it has read: none has more than 4 bytes. */
static hm_str squeeze_any(hm_arena *a, hm_str s, const gaps *g) {
  hm_cps c = hm_norm_fold(s);
  char *p = (char *)c.p;
  size_t n = 0;
  bool gap = false;
  for (size_t i = 0; i < c.n; i++) {
    int32_t cp = c.p[i];
    if (g->any(cp)) {
      gap = n > 0;
      continue;
    }
    if (gap) p[n++] = g->separator;
    gap = false;
    n += hm_utf8_encode(p + n, (uint32_t)cp);
  }
  hm_str out = hm_str_dup(a, (hm_str){ p, n });
  free(c.p);
  return out;
}

static hm_str squeeze(hm_arena *a, hm_str s, const gaps *g) {
  return (hm_ascii_prefix(s) == s.n ? squeeze_ascii : squeeze_any)(a, s, g);
}

hm_str hm_text_name(hm_arena *a, hm_str s) { return squeeze(a, s, &name_gaps); }

hm_str hm_text_value(hm_arena *a, hm_str s) {
  hm_str v = squeeze(a, s, &value_gaps);
  if (v.n && v.p[v.n - 1] == '.') v.n--;
  if (v.n && v.p[v.n - 1] == ' ') v.n--;
  return v;
}
