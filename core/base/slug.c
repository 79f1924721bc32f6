/* Stems of file names: slug.h. Cost: linear. */
#include "core/base/slug.h"

#include "core/base/digest.h"
#include "core/base/latin.h"
#include "core/base/text.h"

enum { DIGITS = 8 };

typedef struct {
  hm_slug_script script;
  char p[HM_SLUG_BYTES];
  size_t n, chars;
  bool gap, lost;
} slug;

/* --- a character --------------------------------------------------------------------------- */

bool hm_slug_has_letter(uint32_t cp) {
  if (cp < 0x80 || cp == HM_REPLACEMENT || hm_cp_is_hidden(cp))
    return false;
  hm_cp_class class = hm_cp_classify((int32_t)cp);
  return class == HM_CP_WORD || class == HM_CP_MARK;
}

static void put(slug *t, hm_str c) {
  size_t dash = t->gap && t->n ? 1 : 0;
  bool fits = t->chars + dash < HM_SLUG_CHARS && t->n + dash + c.n <= HM_SLUG_BYTES;
  t->lost |= !fits;
  if (!fits) {
    t->chars = HM_SLUG_CHARS; /* nothing follows what was left out */
    return;
  }
  if (dash)
    t->p[t->n++] = '-';
  memcpy(t->p + t->n, c.p, c.n);
  t->n += c.n;
  t->chars += dash + 1;
  t->gap = false;
}

static void take(slug *t, uint32_t cp, hm_str bytes) {
  char lower = (char)(cp < 0x80 ? hm_ascii_lower((char)cp) : 0);
  bool plain = hm_is_lower(lower) || hm_is_digit(lower);
  const char *latin = t->script == HM_SLUG_LATIN ? hm_latin_form(cp) : NULL;
  bool mark = cp >= 0x80 && hm_cp_classify((int32_t)cp) == HM_CP_MARK;
  bool own = t->script == HM_SLUG_OWN && hm_slug_has_letter(cp);
  if (plain) {
    put(t, (hm_str){ &lower, 1 });
  } else if (latin) {
    for (; *latin; latin++)
      put(t, (hm_str){ latin, 1 });
  } else if (own && (!mark || (t->n && !t->gap))) {
    put(t, bytes);
  } else if (!mark) {
    t->lost |= cp != ' ' && cp != '_' && cp != '-';
    t->gap = true;
  }
}

/* --- names --------------------------------------------------------------------------------- */

static bool is_ascii(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if ((unsigned char)s.p[i] >= 0x80)
      return false;
  return true;
}

static slug slug_of(hm_str s, hm_slug_script script) {
  slug t = { .script = script };
  if (is_ascii(s)) {
    for (size_t i = 0; i < s.n; i++)
      take(&t, (unsigned char)s.p[i], hm_str_sub(s, i, i + 1));
    return t;
  }
  hm_arena *tmp = hm_arena_new();
  hm_str form = script == HM_SLUG_OWN ? hm_text_lower(tmp, s) : hm_text_decompose(tmp, s);
  for (size_t i = 0, next = 0; i < form.n; i = next) {
    uint32_t cp = hm_text_next(form, &next);
    take(&t, cp, hm_str_sub(form, i, next));
  }
  t.lost |= script != HM_SLUG_OWN;
  hm_arena_free(tmp);
  return t;
}

/* Windows opens a device for these, whatever the suffix. */
static bool is_device(hm_str s) {
  static const char *const names[] = { "con", "prn", "aux", "nul" };
  for (size_t i = 0; i < HM_COUNT(names); i++)
    if (hm_str_is(s, names[i]))
      return true;
  return s.n == 4 && (hm_str_starts(s, "com") || hm_str_starts(s, "lpt")) && hm_is_digit(s.p[3]);
}

hm_str hm_slug_with_room(hm_str s, size_t digits) {
  size_t end = 0, chars = 0, next = 0;
  while (end < s.n) {
    hm_text_next(s, &next);
    if (++chars + 1 + digits > HM_SLUG_CHARS || next + 1 + digits > HM_SLUG_BYTES)
      break;
    end = next;
  }
  while (end && s.p[end - 1] == '-')
    end--;
  return hm_str_sub(s, 0, end);
}

hm_str hm_text_slug(hm_arena *a, hm_str s, hm_slug_script script) {
  slug t = slug_of(s, script);
  hm_str plain = { t.p, t.n };
  if (!t.lost && t.n && !is_device(plain))
    return hm_str_dup(a, plain);
  hm_str stem = hm_slug_with_room(plain, DIGITS);
  return HM_CAT(a, stem.n ? stem : HM_STR("x"), HM_STR("-"), hm_str_digest_hex(a, s, DIGITS));
}

hm_str hm_slug_fold(hm_arena *a, hm_str stem) {
  return is_ascii(stem) ? stem : hm_text_fold_value(a, stem);
}

hm_str hm_path_as_url(hm_arena *a, hm_str path) {
  static const char digits[] = "0123456789ABCDEF";
  size_t n = 0;
  for (size_t i = 0; i < path.n; i++)
    n += (unsigned char)path.p[i] >= 0x80;
  if (!n)
    return path;
  char *url = hm_alloc(a, path.n + 2 * n), *p = url;
  for (size_t i = 0; i < path.n; i++) {
    unsigned char c = (unsigned char)path.p[i];
    if (c < 0x80) {
      *p++ = (char)c;
      continue;
    }
    *p++ = '%';
    *p++ = digits[c >> 4];
    *p++ = digits[c & 15];
  }
  return (hm_str){ url, (size_t)(p - url) };
}
