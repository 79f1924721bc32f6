/* Texts that say that a value is not known: "TBD", "n/a", "not known yet".
 *
 * Compared is the whole text: folded, without brackets or quotes around it and without closing
 * punctuation. "TBD-3", "-5" and "unknown pleasures" are values, and so are "none" and "no",
 * which say something. mirror.yml adds to the list (rules.silence).
 * Cost: a binary search for a short text, nothing for a long one. */
#include <string.h>

#include "core/base/text.h"
#include "core/claim/value.h"

enum { LONGEST = 64 };   /* bytes of a folded text; rules.silence takes no longer ones */

/* Folded and sorted by bytes. ".." is what folding makes of an ellipsis. */
static const char *const words[] = {
  "-", "..", "?", "??", "???", "n/a", "na", "nil", "not decided", "not known", "not known yet",
  "not yet decided", "not yet known", "null", "tba", "tbc", "tbd", "to be confirmed",
  "to be determined", "undecided", "unknown", "\u2013", "\u2014",
};

static bool is_word(hm_str s) {
  size_t lo = 0, hi = sizeof words / sizeof *words;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    int d = hm_str_cmp(s, hm_str_c(words[mid]));
    if (!d) return true;
    if (d < 0) hi = mid;
    else lo = mid + 1;
  }
  return false;
}

static bool is_added(hm_str s, const hm_rules *r) {
  size_t lo = 0, hi = r ? r->n_silence : 0;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    int d = hm_str_cmp(s, r->silence[mid]);
    if (!d) return true;
    if (d < 0) hi = mid;
    else lo = mid + 1;
  }
  return false;
}

/* hm_text_value of ASCII in a buffer; other texts, which are few, in an arena. */
static hm_str fold(hm_str s, char buffer[LONGEST], hm_arena *scratch) {
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (c & 0x80) return hm_text_value(scratch, s);
    if (c == ' ' || (c >= '\t' && c <= '\r')) c = ' ';
    if (c == ' ' && n && buffer[n - 1] == ' ') continue;
    buffer[n++] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
  }
  return (hm_str){ buffer, n };
}

/* What is inside brackets or quotes; s itself without them. */
static hm_str inside(hm_str s) {
  static const char open[] = "([{<\"'`", close[] = ")]}>\"'`";
  const char *at = s.n > 2 && s.p[0] ? strchr(open, s.p[0]) : NULL;
  return at && s.p[s.n - 1] == close[at - open] ? hm_str_trim(hm_str_sub(s, 1, s.n - 1)) : s;
}

/* s without its last closing punctuation, or without brackets; s itself when it has neither. */
static hm_str peeled(hm_str s) {
  size_t stop = hm_str_ends(s, "\u3002")                      ? 3
      : s.n && s.p[s.n - 1] && strchr(".!?,;:", s.p[s.n - 1]) ? 1
                                                              : 0;
  return stop ? hm_str_trim(hm_str_sub(s, 0, s.n - stop)) : inside(s);
}

bool hm_value_is_silence(hm_str text, const hm_rules *rules, hm_arena *scratch) {
  char buffer[LONGEST];
  hm_str s = hm_str_trim(text);
  if (!s.n || s.n > LONGEST) return false;
  s = fold(s, buffer, scratch);
  while (s.n && !is_word(s) && !is_added(s, rules)) {
    size_t before = s.n;
    s = peeled(s);
    if (s.n == before) return false;
  }
  return s.n > 0;
}

hm_str hm_silence_word(hm_str text, hm_arena *a) {
  hm_str s = hm_text_value(a, hm_str_trim(text));
  for (size_t before = s.n + 1; s.n < before && !is_word(s);) {
    before = s.n;
    s = peeled(s);
  }
  return s.n > LONGEST ? HM_EMPTY : hm_str_dup(a, s);
}
