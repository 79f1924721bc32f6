#include "gen/render/escape_impl.h"

#include <string.h>

/* When a character needs a backslash before it. */
enum {
  NEVER, ALWAYS,
  NO_WORD,       /* not between two letters or digits: '_' */
  HASH,          /* at the start, after a space or '#': headings, and their closing marks */
  BANG,          /* before '[' and at the end, where the program's own '[' may follow */
  START,         /* first character, unless a word follows: "-5" is no list */
  OPEN,          /* first character: a "]" of the template may stand before */
  COLON,         /* first character, and the beginning of ":name:" */
  AFTER_DIGITS   /* right after leading digits, before a space or the end: "1. a" */
};

static const unsigned char rules[256] = {
  ['\\'] = ALWAYS, ['`'] = ALWAYS, ['*'] = ALWAYS, ['['] = ALWAYS, [']'] = ALWAYS, ['<'] = ALWAYS, ['>'] = ALWAYS,
  ['&'] = ALWAYS, ['|'] = ALWAYS, ['~'] = ALWAYS, ['$'] = ALWAYS,
  ['_'] = NO_WORD, ['#'] = HASH, ['!'] = BANG, [':'] = COLON,
  ['+'] = START, ['-'] = START, ['='] = START, ['('] = OPEN,
  ['.'] = AFTER_DIGITS, [')'] = AFTER_DIGITS,
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* A letter or digit at i; beyond the ends there is none. */
static bool word_at(hm_str s, size_t i) { return i < s.n && (is_letter(s.p[i]) || is_digit(s.p[i])); }

/* ":name:" as git hosts turn into pictures. Times such as 09:00:00 are none:
 * of the names without a letter there are four. */
static bool begins_emoji(hm_str s, size_t i) {
  static const char *const bare[] = { "+1", "-1", "100", "1234" };
  bool letter = false;
  size_t k = i + 1;
  for (; k < s.n && (word_at(s, k) || memchr("_+-", s.p[k], 3)); k++)
    letter |= is_letter(s.p[k]);
  if (k == i + 1 || k == s.n || s.p[k] != ':') return false;
  for (size_t j = 0; j < sizeof bare / sizeof *bare && !letter; j++)
    letter = hm_str_is(hm_str_sub(s, i + 1, k), bare[j]);
  return letter;
}

static bool acts(hm_str s, size_t i, size_t digits) {
  switch (rules[(unsigned char)s.p[i]]) {
    case ALWAYS: return true;
    case NO_WORD: return i == 0 || !word_at(s, i - 1) || !word_at(s, i + 1);
    case HASH: return i == 0 || s.p[i - 1] == ' ' || s.p[i - 1] == '#';
    case BANG: return i + 1 == s.n || s.p[i + 1] == '[';
    case START: return i == 0 && !word_at(s, 1);
    case OPEN: return i == 0;
    case COLON: return i == 0 || begins_emoji(s, i);
    case AFTER_DIGITS: return digits > 0 && i == digits && (i + 1 == s.n || s.p[i + 1] == ' ');
    default: return false;
  }
}

static void put_escaped(hm_buf *b, hm_str s) {
  size_t from = 0, digits = 0;
  while (digits < s.n && is_digit(s.p[digits])) digits++;
  for (size_t i = 0; i < s.n; i++) {
    if (rules[(unsigned char)s.p[i]] == NEVER || !acts(s, i, digits)) continue;
    hm_buf_add(b, s.p + from, i - from);
    hm_buf_ch(b, '\\');
    from = i;
  }
  hm_buf_add(b, s.p + from, s.n - from);
}

void hm_md_escape(hm_buf *b, hm_str fact) {
  hm_buf clean = { 0 };
  if (!hm_is_clean(fact)) {
    hm_clean_into(&clean, fact);
    fact = hm_buf_view(&clean);
  }
  put_escaped(b, fact);
  hm_buf_free(&clean);
}
