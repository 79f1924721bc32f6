/* Redaction: the mark in place of a removed value, and the search for removed texts: redaction.h.
 *
 * A text is looked for twice, by its bytes and by its letters and digits in lower case with any gap
 * between; the search stops at the first place of either. Cost: bytes of the text times needles. */
#include "core/base/redaction.h"

#include <string.h>
#include <utf8proc.h>

#include "core/base/ascii.h"
#include "core/base/text.h"

/* --- the mark ------------------------------------------------------------------------ */

static const char mark_begin[] = "[redacted ";
enum { BEGIN = sizeof mark_begin - 1, DAY = 10 };

hm_str hm_redacted_mark(hm_arena *a, hm_str at, hm_str reason) {
  return hm_str_fmt(a, "%s%.*s: %.*s]", mark_begin, HM_FMT(hm_str_sub(at, 0, DAY)), HM_FMT(reason));
}

/* "dddd-dd-dd:" at the beginning of s. */
static bool is_day(hm_str s) {
  static const char day[] = "dddd-dd-dd:";
  if (s.n < DAY + 1)
    return false;
  for (size_t i = 0; i <= DAY; i++)
    if (day[i] == 'd' ? !hm_is_digit(s.p[i]) : s.p[i] != day[i])
      return false;
  return true;
}

bool hm_is_redacted(hm_str s) {
  s = hm_str_trim(s);
  if (!hm_str_starts(s, mark_begin) || !hm_str_ends(s, "]") || s.n < BEGIN + DAY + 3)
    return false;
  return is_day(hm_str_sub(s, BEGIN, s.n));
}

bool hm_has_redacted_mark(hm_str s) {
  for (ptrdiff_t at; (at = hm_str_find(s, mark_begin)) >= 0;) {
    s = hm_str_sub(s, (size_t)at + BEGIN, s.n);
    if (is_day(s))
      return true;
  }
  return false;
}

/* --- needles ------------------------------------------------------------------------- */

static void add_needle(hm_needles *l, hm_str text, hm_arena *a) {
  for (size_t i = 0; i < l->n; i++)
    if (hm_str_eq(l->v[i], text))
      return;
  l->v = hm_array_grow_in(a, l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = hm_str_dup(a, text);
}

void hm_needles_add(hm_needles *l, hm_str text, hm_arena *a) {
  hm_str trimmed = hm_str_trim(text);
  if (!trimmed.n)
    return;
  add_needle(l, text, a);
  add_needle(l, trimmed, a);
}

/* Bytes beyond ASCII are letters here. */
static bool is_word(char c) { return hm_is_alnum(c) || (c & 0x80); }

static bool stands_alone(hm_str text, size_t at, hm_str needle) {
  size_t end = at + needle.n;
  if (at && is_word(text.p[at - 1]) && is_word(needle.p[0]))
    return false;
  return end == text.n || !is_word(text.p[end]) || !is_word(needle.p[needle.n - 1]);
}

/* --- in another case, with other white space -------------------------------------- */

/* The letter or digit at i in lower case, or 0 for anything else; *n: its bytes. */
static uint32_t folded_at(hm_str s, size_t i, size_t *n) {
  unsigned char c = (unsigned char)s.p[i];
  size_t end = i;
  *n = 1;
  if (c < 0x80)
    return is_word(s.p[i]) ? (uint32_t)hm_ascii_lower(s.p[i]) : 0;
  uint32_t cp = hm_text_next(s, &end);
  *n = end - i;
  if (cp == HM_REPLACEMENT && *n == 1)
    return 0x110000u + c; /* no UTF-8: itself and nothing else */
  hm_cp_class kind = hm_cp_classify((int32_t)cp);
  return kind == HM_CP_WORD || kind == HM_CP_MARK ? (uint32_t)utf8proc_tolower((int32_t)cp) : 0;
}

static size_t skip_gap(hm_str s, size_t i) {
  size_t n;
  while (i < s.n && !folded_at(s, i, &n))
    i += n;
  return i;
}

/* The end of the needle's words if they begin at i, or 0. */
static size_t words_at(hm_str text, size_t i, hm_str needle) {
  size_t k = skip_gap(needle, 0), tn, kn;
  while (k < needle.n) {
    uint32_t want = folded_at(needle, k, &kn);
    if (!want && (k = skip_gap(needle, k)) == needle.n)
      break;
    if (i == text.n)
      return 0;
    uint32_t got = folded_at(text, i, &tn);
    if (got != want)
      return 0;
    i = want ? i + tn : skip_gap(text, i);
    k += want ? kn : 0;
  }
  return i;
}

static size_t letters_of(hm_str needle) {
  size_t letters = 0, n;
  for (size_t i = 0; i < needle.n; i += n)
    if (folded_at(needle, i, &n))
      letters += n;
  return letters;
}

/* The first place from `from` on, before `to`. */
static ptrdiff_t find_words(hm_str text, size_t from, size_t to, hm_str needle, size_t *n) {
  if (letters_of(needle) < HM_NEEDLE_FREE)
    return -1;
  size_t k = skip_gap(needle, 0), step;
  uint32_t first = folded_at(needle, k, &step);
  for (size_t i = from; i < to; i += step) {
    if (folded_at(text, i, &step) != first)
      continue;
    size_t end = words_at(text, i, needle);
    if (!end)
      continue;
    if (needle.n < HM_NEEDLE_WHOLE && !stands_alone(text, i, hm_str_sub(text, i, end)))
      continue;
    *n = end - i;
    return (ptrdiff_t)i;
  }
  return -1;
}

static bool same_words(hm_str a, hm_str b) {
  size_t from = skip_gap(a, 0);
  if (from == a.n || letters_of(b) < HM_NEEDLE_FREE)
    return false;
  size_t end = words_at(a, from, b);
  return end && skip_gap(a, end) == a.n;
}

/* --- looking ------------------------------------------------------------------------ */

bool hm_needles_equal(const hm_needles *l, hm_str text) {
  hm_str trimmed = hm_str_trim(text);
  for (size_t i = 0; i < l->n; i++) {
    if (hm_str_eq(l->v[i], text) || hm_str_eq(l->v[i], trimmed))
      return true;
    if (!l->exact && same_words(trimmed, l->v[i]))
      return true;
  }
  return false;
}

static ptrdiff_t find_bytes(hm_str text, size_t from, hm_str needle) {
  while (from + needle.n <= text.n) {
    const char *p = memmem(text.p + from, text.n - from, needle.p, needle.n);
    if (!p)
      return -1;
    size_t at = (size_t)(p - text.p);
    if (needle.n >= HM_NEEDLE_WHOLE || stands_alone(text, at, needle))
      return (ptrdiff_t)at;
    from = at + 1;
  }
  return -1;
}

/* The first match of the needle at or after from, or -1; *n: its bytes. */
static ptrdiff_t find_needle(const hm_needles *l, hm_str text, size_t from, hm_str needle,
                             size_t *n) {
  if (needle.n < HM_NEEDLE_FREE)
    return -1;
  ptrdiff_t at = find_bytes(text, from, needle);
  *n = needle.n;
  if (l->exact)
    return at;
  ptrdiff_t other = find_words(text, from, at < 0 ? text.n : (size_t)at, needle, n);
  return other < 0 ? at : other;
}

bool hm_needles_found_in_bytes(const hm_needles *l, hm_str bytes) {
  size_t n;
  for (size_t i = 0; i < l->n; i++)
    if (find_needle(l, bytes, 0, l->v[i], &n) >= 0)
      return true;
  return false;
}

bool hm_needles_found_in(const hm_needles *l, hm_str text) {
  return hm_needles_equal(l, text) || hm_needles_found_in_bytes(l, text);
}

/* The first match of any needle from `from` on, the longest of those at one place. */
static ptrdiff_t find_next(const hm_needles *l, hm_str text, size_t from, size_t *n) {
  ptrdiff_t best = -1;
  for (size_t i = 0; i < l->n; i++) {
    size_t len;
    ptrdiff_t at = find_needle(l, text, from, l->v[i], &len);
    if (at < 0 || (best >= 0 && (at > best || (at == best && len <= *n))))
      continue;
    best = at;
    *n = len;
  }
  return best;
}

hm_str hm_needles_replace(const hm_needles *l, hm_str text, hm_str mark, hm_arena *a) {
  size_t from = 0, n = 0;
  if (hm_needles_equal(l, text))
    return mark;
  ptrdiff_t at = find_next(l, text, 0, &n);
  if (at < 0)
    return text;
  hm_buf b = { 0 };
  for (; at >= 0; at = find_next(l, text, from, &n)) {
    hm_buf_add(&b, text.p + from, (size_t)at - from);
    hm_buf_str(&b, mark);
    from = (size_t)at + n;
  }
  hm_buf_add(&b, text.p + from, text.n - from);
  return hm_buf_take(&b, a);
}
