/* Escapes facts; escape.h says what is written for which place.
 *
 * A fact is cleaned first, the same for every place. Nearly all facts are clean already: a scan of
 * eight bytes at a time finds that. Then HTML, links and Markdown each have a table of the
 * characters to escape. Cost: linear in the bytes. */
#include "core/markdown/escape.h"

#include <string.h>
#include <strings.h>

#include "core/base/ascii.h"
#include "core/base/text.h"

/* --- clean text --------------------------------------------------------------- */

/* A run of these becomes one space. */
static bool is_break(uint32_t cp) {
  return cp == ' ' || (cp >= 9 && cp <= 13) || cp == 0x85 || cp == 0x2028 || cp == 0x2029;
}

/* The other Unicode spaces. They stay inside a text, where they can have a meaning, and are trimmed
 * from its ends, where they would keep the program's own "**" from working. */
static bool is_wide_space(uint32_t cp) {
  return cp == 0xA0 || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200A) || cp == 0x202F ||
      cp == 0x205F || cp == 0x3000;
}

/* Steps over one non-ASCII character. Returns false when it must be changed. */
static bool stays(hm_str s, size_t *i) {
  size_t from = *i;
  uint32_t cp = hm_text_next(s, i);
  if (cp == HM_REPLACEMENT)
    return *i - from == 3 && (unsigned char)s.p[from] == 0xEF;
  if (is_wide_space(cp))
    return from > 0 && *i < s.n;
  return !hm_cp_is_hidden(cp);
}

/* True when the first seven of eight bytes are clean: visible ASCII or single spaces. The eighth is
 * the first byte of the next call. */
static bool plain_word(uint64_t w) {
  const uint64_t ones = 0x0101010101010101u, high = ones << 7;
  uint64_t low = (w - ones * 0x20) | (w + ones) | w; /* high bit: below 0x20, 0x7F, not ASCII */
  uint64_t x = w ^ ones * 0x20, space = ~(((x & ~high) + ~high) | x) & high;
  return !(low & high) && !(space & space >> 8);
}

static size_t plain_run(hm_str s) {
  size_t i = 0;
  for (uint64_t w; i + sizeof w <= s.n; i += sizeof w - 1) {
    memcpy(&w, s.p + i, sizeof w);
    if (!plain_word(w))
      break;
  }
  return i;
}

/* True when hm_clean_text would return s itself. */
static bool is_clean(hm_str s) {
  if (s.n && (s.p[0] == ' ' || s.p[s.n - 1] == ' '))
    return false;
  for (size_t i = plain_run(s); i < s.n;) {
    unsigned char c = (unsigned char)s.p[i];
    if (c > 0x20 && c < 0x7F) { /* nearly all bytes */
      i++;
    } else if (c >= 0x80) {
      if (!stays(s, &i))
        return false;
    } else {
      if (c < 0x20 || c == 0x7F || (c == ' ' && (unsigned char)s.p[i + 1] <= ' '))
        return false;
      i++;
    }
  }
  return true;
}

/* Appends s, cleaned as by hm_clean_text. */
static void append_clean(hm_buf *b, hm_str s) {
  size_t start = b->n, end = b->n; /* end: after the last character that is no space */
  bool space = false;
  for (size_t i = 0; i < s.n;) {
    uint32_t cp = hm_text_next(s, &i);
    if (is_break(cp)) {
      space = b->n > start;
      continue;
    }
    bool wide = is_wide_space(cp);
    if (cp == 0xFEFF || (wide && b->n == start))
      continue;
    if (space)
      hm_buf_ch(b, ' ');
    space = false;
    if (hm_cp_is_hidden(cp))
      hm_buf_fmt(b, "\u27E6U+%04X\u27E7", (unsigned)cp);
    else if (cp < 0x80)
      hm_buf_ch(b, (char)cp);
    else
      hm_text_append(b, cp);
    if (!wide)
      end = b->n;
  }
  b->n = end;
}

hm_str hm_clean_text(hm_arena *a, hm_str fact) {
  if (is_clean(fact))
    return fact;
  hm_buf b = { 0 };
  append_clean(&b, fact);
  return hm_buf_take(&b, a);
}

/* --- HTML ---------------------------------------------------------------------- */

static const char *const entities[256] = {
  ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
};

static void append_entities(hm_buf *b, hm_str s, bool apostrophes) {
  size_t from = 0;
  for (size_t i = 0; i < s.n; i++) {
    const char *entity = entities[(unsigned char)s.p[i]];
    if (!entity || (s.p[i] == '\'' && !apostrophes))
      continue;
    hm_buf_add(b, s.p + from, i - from);
    hm_buf_c(b, entity);
    from = i + 1;
  }
  hm_buf_add(b, s.p + from, s.n - from);
}

void hm_html_escape_clean(hm_buf *b, hm_str s) { append_entities(b, s, false); }

/* The sign of the marker, of which U+FE0F makes a picture, and what stands in its place. */
static const char sign[] = "\u26A0", instead[] = "\u27E6!\u27E7";

/* Returns the fact without the sign of the marker, in b where it had one. */
static hm_str replace_sign(hm_str fact, hm_buf *b) {
  ptrdiff_t at = hm_str_find(fact, sign);
  if (at < 0)
    return fact;
  for (; at >= 0; at = hm_str_find(fact, sign)) {
    hm_buf_add(b, fact.p, (size_t)at);
    hm_buf_c(b, instead);
    fact = hm_str_sub(fact, (size_t)at + sizeof sign - 1, fact.n);
    if (hm_str_starts(fact, "\uFE0F") || hm_str_starts(fact, "\uFE0E"))
      fact = hm_str_sub(fact, 3, fact.n);
  }
  hm_buf_str(b, fact);
  return hm_buf_view(b);
}

/* Cleans the fact and appends it with `write`. */
static void append_fact(hm_buf *b, hm_str fact, void (*write)(hm_buf *b, hm_str clean)) {
  hm_buf clean = { 0 }, other = { 0 };
  fact = replace_sign(fact, &other);
  if (!is_clean(fact)) {
    append_clean(&clean, fact);
    fact = hm_buf_view(&clean);
  }
  write(b, fact);
  hm_buf_free(&clean);
  hm_buf_free(&other);
}

static void append_entities_and_quotes(hm_buf *b, hm_str s) { append_entities(b, s, true); }

void hm_html_escape(hm_buf *b, hm_str fact) { append_fact(b, fact, append_entities_and_quotes); }

void hm_xml_escape(hm_buf *b, hm_str fact) {
  hm_buf html = { 0 };
  hm_html_escape(&html, fact);
  hm_str s = hm_buf_view(&html);
  for (size_t i = 0; i < s.n; i++) {
    bool is_none = i + 2 < s.n && !memcmp(s.p + i, "\xef\xbf", 2) && (s.p[i + 2] & 0xfe) == 0xbe;
    hm_buf_ch(b, s.p[i]);
    if (!is_none)
      continue;
    hm_buf_c(b, "\xbf\xbd");
    i += 2;
  }
  hm_buf_free(&html);
}

/* --- links --------------------------------------------------------------------- */

/* KEPT: unchanged in a URL. OWN: also allowed in the paths that this program makes. */
enum { KEPT = 1, OWN = 2 };
static const unsigned char classes[256] = {
  ['0' ... '9'] = KEPT | OWN,
  ['a' ... 'z'] = KEPT | OWN,
  ['A' ... 'Z'] = KEPT | OWN,
  ['.'] = KEPT | OWN,
  ['/'] = KEPT | OWN,
  ['_'] = KEPT | OWN,
  ['#'] = KEPT | OWN,
  ['-'] = KEPT | OWN,
  ['~'] = KEPT,
  ['?'] = KEPT,
  ['='] = KEPT,
  ['%'] = KEPT,
  [':'] = KEPT,
  ['@'] = KEPT,
  ['+'] = KEPT,
  [','] = KEPT,
  [';'] = KEPT,
  ['!'] = KEPT,
  ['*'] = KEPT,
  ['\''] = KEPT,
};

/* The number of bytes of this class from `from` on. */
static size_t run_of(hm_str s, size_t from, int class) {
  size_t i = from;
  while (i < s.n && classes[(unsigned char)s.p[i]] & class)
    i++;
  return i - from;
}

static void percent(hm_buf *b, char c) {
  static const char hex[] = "0123456789ABCDEF";
  unsigned char byte = (unsigned char)c;
  hm_buf_add(b, (char[]){ '%', hex[byte >> 4], hex[byte & 15] }, 3);
}

void hm_url_encode(hm_buf *b, hm_str s, const char *plain) {
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (hm_is_alnum(c) || (c && strchr(plain, c)))
      hm_buf_ch(b, c);
    else
      percent(b, c);
  }
}

void hm_url_escape_safe(hm_buf *b, hm_str url) {
  for (size_t i = 0; i < url.n; i++) {
    size_t kept = run_of(url, i, KEPT);
    hm_buf_add(b, url.p + i, kept);
    if ((i += kept) == url.n)
      break;
    if (url.p[i] == '&')
      hm_buf_c(b, "&amp;");
    else
      percent(b, url.p[i]);
  }
}

bool hm_url_is_web(hm_str url) {
  size_t scheme = hm_str_starts(url, "https://") ? 8 : hm_str_starts(url, "http://") ? 7 : 0;
  return scheme && scheme < url.n && !memchr("/?#:@.", url.p[scheme], 6);
}

/* A path that this program makes; letters beyond ASCII are percent-encoded in it. */
static bool is_own_path(hm_str url) {
  size_t i = 0;
  while (i < url.n) {
    size_t run = run_of(url, i, OWN);
    bool coded = !run && url.p[i] == '%' && i + 2 < url.n && strchr("89ABCDEF", url.p[i + 1]) &&
        hm_is_hex(url.p[i + 2]);
    if (!run && !coded)
      return false;
    i += coded ? 3 : run;
  }
  return url.n && url.p[0] != '/';
}

bool hm_url_is_safe(hm_str url) {
  if (is_own_path(url))
    return true;
  if (!hm_url_is_web(url))
    return false;
  for (size_t i = 0; i < url.n;) {
    uint32_t cp = hm_text_next(url, &i);
    if (cp <= ' ' || cp == '\\' || cp == HM_REPLACEMENT || is_wide_space(cp) || hm_cp_is_hidden(cp))
      return false;
  }
  return true;
}

void hm_html_escape_url(hm_buf *b, hm_str url) {
  if (hm_url_is_safe(url))
    hm_url_escape_safe(b, url);
  else
    hm_buf_ch(b, '#');
}

/* True for an ASCII letter or digit at i, the ones that every Markdown parser knows. */
static bool word_at(hm_str s, size_t i) { return i < s.n && hm_is_alnum(s.p[i]); }

void hm_md_escape_url(hm_buf *b, hm_str url) {
  size_t from = 0;
  if (!hm_url_is_safe(url)) {
    hm_buf_ch(b, '#');
    return;
  }
  for (size_t i = 0; i < url.n; i++) {
    /* Some parsers look for emphasis before links: these characters could end it. */
    bool word = i && word_at(url, i - 1) && word_at(url, i + 1);
    if (url.p[i] != '*' && (url.p[i] != '_' || word))
      continue;
    hm_url_escape_safe(b, hm_str_sub(url, from, i));
    hm_buf_ch(b, '\\');
    from = i;
  }
  hm_url_escape_safe(b, hm_str_sub(url, from, url.n));
}

/* --- Markdown ------------------------------------------------------------------------ */

/* Which characters of a fact are escaped, and how.
 *
 * A parser that makes "http://x\<b>" a link takes the backslash into the link, and the tag acts. So
 * '<', '>' and '&' are written as references, and no address in a fact can begin: "//", "www." and
 * the dot before a top-level domain get a backslash inside. cmark-gfm looks for e-mail addresses in
 * the parsed text, where no backslash is left; so their '@' is a code span, which it does not
 * search. */
enum {
  NEVER,
  ALWAYS,
  NO_WORD,    /* not between two letters or digits: '_' */
  HASH,       /* at the start, after a space or '#': headings, and their closing marks */
  BANG,       /* before '[' and at the end, where the program's own '[' may follow */
  START,      /* first character, unless a word follows: "-5" is no list */
  OPEN,       /* first character, where a "]" of the template may stand before, and after ']':
                 marked undoes "\\[" in a link's text and reads it again */
  COLON,      /* first character, and the beginning of ":name:" */
  NUMBER_END, /* right after leading digits, before a space or the end: "1) a" */
  DOT,        /* the same, and in "www.", before two letters, and in four numbers: "1.2.3.4" */
  NO_SPACE,   /* unless a space follows: '&' */
  SLASH,      /* after another, and at the end after ':', where another may follow */
  AT          /* before a host, unless a space stands before it */
};

static const unsigned char rules[256] = {
  ['\\'] = ALWAYS,    ['`'] = ALWAYS,  ['*'] = ALWAYS, ['['] = ALWAYS, [']'] = ALWAYS,
  ['<'] = ALWAYS,     ['>'] = ALWAYS,  ['|'] = ALWAYS, ['~'] = ALWAYS, ['$'] = ALWAYS,
  ['&'] = NO_SPACE,   ['_'] = NO_WORD, ['#'] = HASH,   ['!'] = BANG,   [':'] = COLON,
  ['+'] = START,      ['-'] = START,   ['='] = START,  ['('] = OPEN,   ['.'] = DOT,
  [')'] = NUMBER_END, ['/'] = SLASH,   ['@'] = AT,
};

/* Characters written as these texts instead of with a backslash. */
static const char *const written[256] = {
  ['<'] = "&lt;",
  ['>'] = "&gt;",
  ['&'] = "&amp;",
  ['@'] = "`@`",
};

/* True for a letter at i, of any script. */
static bool letter_at(hm_str s, size_t i) {
  return i < s.n && (hm_is_letter(s.p[i]) || (unsigned char)s.p[i] >= 0x80);
}

/* True for a character that may stand in a label of a domain. */
static bool label_at(hm_str s, size_t i) {
  return word_at(s, i) || letter_at(s, i) || (i < s.n && (s.p[i] == '-' || s.p[i] == '_'));
}

/* True for ":name:", which git hosts turn into a picture. Times such as 09:00:00 are none: only
 * four names have no letter. */
static bool begins_emoji(hm_str s, size_t i) {
  static const char *const bare[] = { "+1", "-1", "100", "1234" };
  bool letter = false;
  size_t k = i + 1;
  for (; k < s.n && (word_at(s, k) || memchr("_+-", s.p[k], 3)); k++)
    letter |= hm_is_letter(s.p[k]);
  if (k == i + 1 || k == s.n || s.p[k] != ':')
    return false;
  for (size_t j = 0; j < HM_COUNT(bare) && !letter; j++)
    letter = hm_str_is(hm_str_sub(s, i + 1, k), bare[j]);
  return letter;
}

/* True for ".2.3.4" at i, the end of an IPv4 address. */
static bool is_quad_end(hm_str s, size_t i) {
  for (int part = 0; part < 3; part++) {
    size_t from = i + 1;
    if (i == s.n || s.p[i] != '.')
      return false;
    for (i = from; i < s.n && i < from + 3 && hm_is_digit(s.p[i]);)
      i++;
    if (i == from)
      return false;
  }
  return true;
}

static bool begins_domain_end(hm_str s, size_t i) {
  if (i >= 3 && strncasecmp(s.p + i - 3, "www", 3) == 0)
    return true;
  if (i == 0 || s.p[i - 1] == ' ' || s.p[i - 1] == '.')
    return false;
  if (letter_at(s, i + 1) && letter_at(s, i + 2))
    return true; /* also in "a=b.com" */
  return hm_is_digit(s.p[i - 1]) && is_quad_end(s, i);
}

/* True for "example.org" or "localhost" from i on. Reads each byte for one '@' only. */
static bool is_host(hm_str s, size_t i) {
  static const char local[] = "localhost";
  size_t from = i, same = 0;
  while (label_at(s, i))
    i++;
  if (i > from && i + 1 < s.n && s.p[i] == '.' && label_at(s, i + 1))
    return true;
  while (local[same] && from + same < i && (s.p[from + same] | 32) == local[same])
    same++;
  return !local[same];
}

static bool must_escape(hm_str s, size_t i, size_t digits) {
  bool ends_number = digits > 0 && i == digits && (i + 1 == s.n || s.p[i + 1] == ' ');
  switch (rules[(unsigned char)s.p[i]]) {
    case ALWAYS:
      return true;
    case NO_WORD:
      return i == 0 || !word_at(s, i - 1) || !word_at(s, i + 1);
    case HASH:
      return i == 0 || s.p[i - 1] == ' ' || s.p[i - 1] == '#';
    case BANG:
      return i + 1 == s.n || s.p[i + 1] == '[';
    case START:
      return i == 0 && !word_at(s, 1);
    case OPEN:
      return i == 0 || s.p[i - 1] == ']';
    case COLON:
      return i == 0 || begins_emoji(s, i);
    case NUMBER_END:
      return ends_number;
    case DOT:
      return ends_number || begins_domain_end(s, i);
    case NO_SPACE:
      return i + 1 == s.n || s.p[i + 1] != ' ';
    case SLASH:
      return i && (s.p[i - 1] == '/' || (s.p[i - 1] == ':' && i + 1 == s.n));
    case AT:
      return (i == 0 || s.p[i - 1] != ' ') && is_host(s, i + 1);
    default:
      return false;
  }
}

static void append_escaped(hm_buf *b, hm_str s) {
  size_t from = 0, digits = 0;
  while (digits < s.n && hm_is_digit(s.p[digits]))
    digits++;
  for (size_t i = 0; i < s.n; i++) {
    const char *other = written[(unsigned char)s.p[i]];
    if (rules[(unsigned char)s.p[i]] == NEVER || !must_escape(s, i, digits))
      continue;
    hm_buf_add(b, s.p + from, i - from);
    hm_buf_c(b, other ? other : "\\");
    from = other ? i + 1 : i;
  }
  hm_buf_add(b, s.p + from, s.n - from);
}

void hm_md_escape(hm_buf *b, hm_str fact) { append_fact(b, fact, append_escaped); }
