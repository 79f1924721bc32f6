#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/text_impl.h"

enum { STEM_MAX = 64, DIGITS = 8 };

typedef struct { char p[STEM_MAX]; size_t n; bool gap, lost; } stem;

static void stem_put(stem *t, char c) {
  size_t need = t->gap && t->n ? 2 : 1;
  if (t->n + need > STEM_MAX) {
    t->lost = true;
    return;
  }
  if (need == 2) t->p[t->n++] = '-';
  t->gap = false;
  t->p[t->n++] = c;
}

static void stem_take(stem *t, int32_t cp) {
  if (cp >= 'A' && cp <= 'Z') cp += 32;
  if ((cp >= 'a' && cp <= 'z') || (cp >= '0' && cp <= '9')) {
    stem_put(t, (char)cp);
    return;
  }
  if (cp >= 0x80 && hm_cp_classify(cp) == HM_CP_MARK) return;
  if (cp != ' ' && cp != '_' && cp != '-') t->lost = true;
  t->gap = true;
}

static stem stem_of(hm_str s) {
  stem t = { .n = 0 };
  if (hm_ascii_prefix(s) == s.n) {
    for (size_t i = 0; i < s.n; i++) stem_take(&t, s.p[i]);
    return t;
  }
  hm_cps c = hm_norm_nfkd(s);
  for (size_t i = 0; i < c.n; i++) stem_take(&t, c.p[i]);
  free(c.p);
  t.lost = true;
  return t;
}

/* Windows opens a device for these, whatever the suffix. */
static bool is_device(hm_str s) {
  static const char *const names[] = { "con", "prn", "aux", "nul" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hm_str_is(s, names[i])) return true;
  return s.n == 4 && (hm_str_starts(s, "com") || hm_str_starts(s, "lpt")) && s.p[3] >= '0' &&
      s.p[3] <= '9';
}

static hm_str with_digest(hm_arena *a, const stem *t, hm_str s) {
  size_t n = t->n < STEM_MAX - 1 - DIGITS ? t->n : STEM_MAX - 1 - DIGITS;
  while (n && t->p[n - 1] == '-') n--;
  hm_str hex = hm_digest_hex(a, s, DIGITS);
  if (n == 0) return hm_str_fmt(a, "x-%.*s", HM_FMT(hex));
  return hm_str_fmt(a, "%.*s-%.*s", (int)n, t->p, HM_FMT(hex));
}

hm_str hm_text_slug(hm_arena *a, hm_str s) {
  stem t = stem_of(s);
  hm_str plain = { t.p, t.n };
  if (t.lost || t.n == 0 || is_device(plain)) return with_digest(a, &t, s);
  return hm_str_dup(a, plain);
}

hm_str hm_text_slug_digest(hm_arena *a, hm_str s) {
  stem t = stem_of(s);
  return with_digest(a, &t, s);
}
