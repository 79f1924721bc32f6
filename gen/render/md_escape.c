#include "gen/render/escape_impl.h"

#include <string.h>

/* Which characters of a fact are written otherwise, and how.
 *
 * A backslash can be swallowed: a reader that makes "http://x\<b>" a link takes the backslash into
 * it, and the tag is open. So '<', '>' and '&' are written as references, and no address of a fact
 * begins: "//", "www." and the dot before a top-level domain get a backslash inside. An e-mail
 * address is looked for by cmark-gfm in the finished text, where no backslash is left, so its '@'
 * is a code span of its own, which nobody looks into. */
enum {
  NEVER, ALWAYS,
  NO_WORD,       /* not between two letters or digits: '_' */
  HASH,          /* at the start, after a space or '#': headings, and their closing marks */
  BANG,          /* before '[' and at the end, where the program's own '[' may follow */
  START,         /* first character, unless a word follows: "-5" is no list */
  OPEN,          /* first character, where a "]" of the template may stand before, and after ']':
                    marked undoes "\\[" in a link's text and reads it again */
  COLON,         /* first character, and the beginning of ":name:" */
  NUMBER_END,    /* right after leading digits, before a space or the end: "1) a" */
  DOT,           /* the same, and in "www.", before two letters, and in four numbers: "1.2.3.4" */
  NO_SPACE,      /* unless a space follows: '&' */
  SLASH,         /* after another, and at the end after ':', where another may follow */
  AT             /* before a host, unless a space stands before it */
};

static const unsigned char rules[256] = {
  ['\\'] = ALWAYS, ['`'] = ALWAYS, ['*'] = ALWAYS, ['['] = ALWAYS, [']'] = ALWAYS, ['<'] = ALWAYS,
  ['>'] = ALWAYS, ['|'] = ALWAYS, ['~'] = ALWAYS, ['$'] = ALWAYS,
  ['&'] = NO_SPACE, ['_'] = NO_WORD, ['#'] = HASH, ['!'] = BANG, [':'] = COLON,
  ['+'] = START, ['-'] = START, ['='] = START, ['('] = OPEN,
  ['.'] = DOT, [')'] = NUMBER_END, ['/'] = SLASH, ['@'] = AT,
};

/* What has no backslash before it, but is written so. */
static const char *const written[256] = {
  ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['@'] = "`@`",
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* A letter or digit at i; beyond the ends there is none. */
static bool word_at(hm_str s, size_t i) {
  return i < s.n && (is_letter(s.p[i]) || is_digit(s.p[i]));
}

/* A letter of a domain at i, of any script. */
static bool letter_at(hm_str s, size_t i) {
  return i < s.n && (is_letter(s.p[i]) || (unsigned char)s.p[i] >= 0x80);
}

/* May stand in a label of a domain. */
static bool label_at(hm_str s, size_t i) {
  return word_at(s, i) || letter_at(s, i) || (i < s.n && (s.p[i] == '-' || s.p[i] == '_'));
}

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

/* "www" before i, in any case. */
static bool follows_www(hm_str s, size_t i) {
  return i >= 3 && (s.p[i - 1] | 32) == 'w' && (s.p[i - 2] | 32) == 'w' && (s.p[i - 3] | 32) == 'w';
}

/* ".2.3.4" at i, as an address of the internet ends. */
static bool is_quad_end(hm_str s, size_t i) {
  for (int part = 0; part < 3; part++) {
    size_t from = i + 1;
    if (i == s.n || s.p[i] != '.') return false;
    for (i = from; i < s.n && i < from + 3 && is_digit(s.p[i]);) i++;
    if (i == from) return false;
  }
  return true;
}

static bool begins_domain_end(hm_str s, size_t i) {
  if (follows_www(s, i)) return true;
  if (i == 0 || s.p[i - 1] == ' ' || s.p[i - 1] == '.') return false;
  if (letter_at(s, i + 1) && letter_at(s, i + 2)) return true;   /* also in "a=b.com" */
  return is_digit(s.p[i - 1]) && is_quad_end(s, i);
}

/* "example.org" or "localhost" from i on. Each byte is looked at for one '@' only. */
static bool is_host(hm_str s, size_t i) {
  static const char local[] = "localhost";
  size_t from = i, same = 0;
  while (label_at(s, i)) i++;
  if (i > from && i + 1 < s.n && s.p[i] == '.' && label_at(s, i + 1)) return true;
  while (local[same] && from + same < i && (s.p[from + same] | 32) == local[same]) same++;
  return !local[same];
}

static bool acts(hm_str s, size_t i, size_t digits) {
  bool ends_number = digits > 0 && i == digits && (i + 1 == s.n || s.p[i + 1] == ' ');
  switch (rules[(unsigned char)s.p[i]]) {
    case ALWAYS: return true;
    case NO_WORD: return i == 0 || !word_at(s, i - 1) || !word_at(s, i + 1);
    case HASH: return i == 0 || s.p[i - 1] == ' ' || s.p[i - 1] == '#';
    case BANG: return i + 1 == s.n || s.p[i + 1] == '[';
    case START: return i == 0 && !word_at(s, 1);
    case OPEN: return i == 0 || s.p[i - 1] == ']';
    case COLON: return i == 0 || begins_emoji(s, i);
    case NUMBER_END: return ends_number;
    case DOT: return ends_number || begins_domain_end(s, i);
    case NO_SPACE: return i + 1 == s.n || s.p[i + 1] != ' ';
    case SLASH: return i && (s.p[i - 1] == '/' || (s.p[i - 1] == ':' && i + 1 == s.n));
    case AT: return (i == 0 || s.p[i - 1] != ' ') && is_host(s, i + 1);
    default: return false;
  }
}

static void put_escaped(hm_buf *b, hm_str s) {
  size_t from = 0, digits = 0;
  while (digits < s.n && is_digit(s.p[digits])) digits++;
  for (size_t i = 0; i < s.n; i++) {
    const char *other = written[(unsigned char)s.p[i]];
    if (rules[(unsigned char)s.p[i]] == NEVER || !acts(s, i, digits)) continue;
    hm_buf_add(b, s.p + from, i - from);
    hm_buf_c(b, other ? other : "\\");
    from = other ? i + 1 : i;
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
