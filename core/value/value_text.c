/* The normal form of texts: hm_text_fold_value after replacing variants of characters and words
 * (value_spelling.c), and in some classes without irrelevant differences:
 *
 *   release   "v1.2.3", "V1.2.3", "version 1.2.3" is 1.2.3; in a field of texts also "v3"
 *   address   scheme and host in lower case, no slash at the end; the rest of an address keeps its
 *             case. A path loses its slash at the end, too
 *   name      another spelling of a value of a family: "PostgreSQL" is postgres, "k8s" kubernetes;
 *             with a release behind it, the key is
 *   MAC       six or more pairs of hexadecimal digits with : or - or blanks between (also a
 *             fingerprint), or three groups of four: the digits alone
 *
 * Cost: linear in the bytes. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/prose/prose.h"
#include "core/value/value_impl.h"

#define TEXT_PREFIX "text:"
enum { TEXT_PREFIX_LEN = sizeof TEXT_PREFIX - 1 };

/* What a text may be, by the characters in it. */
enum { WIDE = 1, DIGITS = 2, SLASH = 4, GROUPS = 8, COMMA = 16, BLANK = 32 };
static const unsigned char marks[256] = {
  ['0' ... '9'] = DIGITS, ['/'] = SLASH, [':'] = GROUPS, ['-'] = GROUPS, ['.'] = GROUPS,
  [','] = COMMA,          [';'] = COMMA, ['&'] = COMMA,  [' '] = BLANK,  [0x80 ... 0xFF] = WIDE,
};

/* The norm of an ASCII text, as most values are: hm_text_fold_value after the prefix, without a
 * copy. Empty if s is not ASCII. *seen: marks of its characters. */
static hm_str ascii_norm(hm_arena *a, hm_str s, bool cased, unsigned *seen) {
  char *p = hm_alloc(a, s.n + TEXT_PREFIX_LEN + 1), *from = p + TEXT_PREFIX_LEN, *at = from;
  memcpy(p, TEXT_PREFIX, TEXT_PREFIX_LEN);
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    *seen |= marks[(unsigned char)c];
    if (c & 0x80)
      return HM_EMPTY;
    if (!hm_is_space(c))
      *at++ = cased ? c : hm_ascii_lower(c);
    else if (at > from && at[-1] != ' ')
      *at++ = ' ';
  }
  if (at > from && at[-1] == ' ')
    at--;
  if (at > from && at[-1] == '.')
    at--;
  if (at > from && at[-1] == ' ')
    at--;
  return (hm_str){ p, (size_t)(at - p) };
}

/* A value of nothing but white space of any kind is none; a lone full stop is a text. */
static void set_text(hm_value *out, hm_str trimmed, bool cased, hm_arena *a, unsigned *seen) {
  hm_str norm = ascii_norm(a, trimmed, cased, seen);
  if (!norm.n) {
    for (size_t i = 0; i < trimmed.n; i++)
      *seen |= marks[(unsigned char)trimmed.p[i]];
    norm = HM_CAT(a, HM_STR(TEXT_PREFIX), hm_text_fold_value(a, trimmed));
  }
  if (norm.n == TEXT_PREFIX_LEN) {
    if (!hm_str_ends(trimmed, "."))
      return;
    norm = HM_STR("text:.");
  }
  hm_value_set_forms(out, HM_V_TEXT, norm, norm);
}

void hm_value_set_text(hm_value *out, hm_str trimmed, hm_arena *a) {
  unsigned seen = 0;
  set_text(out, trimmed, false, a, &seen);
}

/* --- letters whose case is the meaning --------------------------------------------------- */

/* "NaCl", "H2O": symbols of elements, with numbers. */
static bool is_formula(hm_str s) {
  enum { LONGEST = 24 };
  if (!s.n || s.n > LONGEST)
    return false;
  for (size_t i = 0; i < s.n;) {
    if (!hm_is_upper(s.p[i++]))
      return false;
    i += i < s.n && hm_is_lower(s.p[i]);
    i = hm_skip_digits(s, i);
  }
  return true;
}

/* "/home/Kim", "./Docs", "~/x": a path of a system that tells cases apart. */
static bool is_path(hm_str s) {
  size_t slash = s.n && s.p[0] == '~' ? 1 : 0;
  while (s.n && s.p[0] == '.' && slash < 2 && slash < s.n && s.p[slash] == '.')
    slash++;
  return slash + 1 < s.n && s.p[slash] == '/' && s.p[slash + 1] != '/' && !memchr(s.p, ' ', s.n);
}

/* "dQw4", "x2Z": a capital behind a small letter, perhaps with digits between them. */
static bool is_mixed(hm_str s) {
  bool small = false, mixed = false;
  for (size_t i = 0; i < s.n; i++) {
    mixed = mixed || (small && hm_is_upper(s.p[i]));
    small = hm_is_lower(s.p[i]) || (small && hm_is_digit(s.p[i]));
  }
  return mixed;
}

bool hm_value_case_counts(hm_str s, hm_reading supports) {
  enum { UNIT_MAX = 12 };
  return is_path(s) || supports & HM_READ_CASED || (supports & HM_READ_FORMULA && is_formula(s)) ||
      (supports & HM_READ_UNIT && s.n <= UNIT_MAX) || (supports & HM_READ_CODE && is_mixed(s));
}

/* --- releases, addresses, hardware addresses ------------------------------------------- */

/* "1.2", "1.2.3-rc1": digits, a point and a digit, then no space; or digits alone. */
static bool is_release(hm_str s, bool whole) {
  size_t i = 0;
  while (i < s.n && hm_is_digit(s.p[i]))
    i++;
  if (!i || (i == s.n && !whole))
    return false;
  if (i < s.n && (s.p[i] != '.' || i + 1 == s.n || !hm_is_digit(s.p[i + 1])))
    return false;
  for (; i < s.n; i++)
    if (hm_is_space(s.p[i]))
      return false;
  return true;
}

static hm_str without_v(hm_str s, bool as_text) {
  static const char *const words[] = { "version", "ver.", "ver", "v.", "v" };
  for (size_t i = 0; i < HM_COUNT(words); i++) {
    if (!hm_value_starts_folded(s, words[i]))
      continue;
    hm_str rest = hm_str_trim(hm_str_sub(s, strlen(words[i]), s.n));
    return is_release(rest, as_text) ? rest : s;
  }
  return s;
}

/* Groups of `digits` with one of `separators` between. */
static bool is_grouped(hm_str s, size_t digits, const char *separators) {
  char separator = s.p[digits];
  if (!separator || !strchr(separators, separator))
    return false;
  for (size_t i = 0; i < s.n; i++)
    if (i % (digits + 1) == digits ? s.p[i] != separator : !hm_is_hex(s.p[i]))
      return false;
  return true;
}

/* The digits of a hardware address or a fingerprint, or s. */
static hm_str without_separators(hm_str s, hm_arena *a) {
  enum { FINGERPRINT = 3 * 64 - 1 };
  bool pairs = s.n >= 17 && s.n <= FINGERPRINT && s.n % 3 == 2 && is_grouped(s, 2, ":- ");
  bool fours = (s.n == 14 && is_grouped(s, 4, ".:-")) || (s.n == 19 && is_grouped(s, 4, "."));
  if (!pairs && !fours)
    return s;
  char *p = hm_alloc(a, s.n);
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++)
    if (hm_is_hex(s.p[i]))
      p[n++] = s.p[i];
  return (hm_str){ p, n };
}

/* Bytes of "https://" at the begin of s, or 0. */
static size_t scheme_of(hm_str s) {
  size_t i = 0;
  while (i < s.n && (hm_is_letter(s.p[i]) || (i && (hm_is_digit(s.p[i]) || s.p[i] == '+'))))
    i++;
  return i && hm_str_starts(hm_str_sub(s, i, s.n), "://") ? i + 3 : 0;
}

/* "https://x.org" of "https://x.org:443". */
static hm_str without_port(hm_str head) {
  static const struct {
    const char *scheme, *port;
  } ports[] = {
    { "http:", ":80" },       { "https:", ":443" },       { "ws:", ":80" },
    { "wss:", ":443" },       { "ftp:", ":21" },          { "ssh:", ":22" },
    { "amqp:", ":5672" },     { "mongodb:", ":27017" },   { "mysql:", ":3306" },
    { "postgres:", ":5432" }, { "postgresql:", ":5432" }, { "redis:", ":6379" },
  };
  for (size_t i = 0; i < HM_COUNT(ports); i++)
    if (hm_value_starts_folded(head, ports[i].scheme) && hm_str_ends(head, ports[i].port))
      return hm_str_sub(head, 0, head.n - strlen(ports[i].port));
  return head;
}

/* An address: the part after the host keeps its case. */
static bool set_address(hm_value *out, hm_str s, hm_arena *a) {
  size_t scheme = scheme_of(s), host;
  if (!scheme || memchr(s.p, ' ', s.n))
    return false;
  if (hm_str_ends(s, "/") && s.n > scheme + 1)
    s.n--;
  for (host = scheme; host < s.n && !strchr("/?#", s.p[host]);)
    host++;
  hm_str head = without_port(hm_str_sub(s, 0, host));
  hm_str norm = HM_CAT(a, HM_STR(TEXT_PREFIX), hm_str_lower(a, head),
                       hm_text_repair(a, hm_str_sub(s, host, s.n)));
  hm_value_set_forms(out, HM_V_TEXT, norm, norm);
  return true;
}

/* "example.org/docs/", "src/lib/" without the last slash; "src/" of a slot of paths. */
static hm_str without_slash(hm_str s, hm_reading supports) {
  if (s.n < 3 || s.p[s.n - 1] != '/' || memchr(s.p, ' ', s.n) || s.p[s.n - 2] == '/')
    return s;
  hm_str rest = hm_str_sub(s, 0, s.n - 1);
  return supports & HM_READ_PATH || memchr(rest.p, '/', rest.n) || memchr(rest.p, '.', rest.n)
      ? rest
      : s;
}

/* "PostgreSQL 15.4" has the key of "postgres 15.4". */
static void name_product(hm_value *out, hm_str s, hm_reader *r) {
  const char *blank = r->families ? memrchr(s.p, ' ', s.n) : NULL;
  hm_str release = blank ? hm_str_sub(s, (size_t)(blank - s.p), s.n) : HM_EMPTY;
  if (release.n < 2 || !is_release(hm_str_sub(release, 1, release.n), true))
    return;
  hm_str name = hm_families_usual_spelling(r->families, hm_str_sub(s, 0, s.n - release.n));
  if (name.n)
    out->key = HM_CAT(r->a, HM_STR(TEXT_PREFIX), name, hm_str_lower(r->a, release));
}

/* Replaces out if the text is of one of the classes above. */
static bool read_class(hm_value *out, hm_str s, bool as_text, unsigned seen, hm_reader *r) {
  hm_str name = r->families ? hm_families_usual_spelling(r->families, s) : HM_EMPTY;
  if (name.n) {
    hm_value_set_text(out, name, r->a);
    return true;
  }
  hm_str spelled = seen & (DIGITS | SLASH | GROUPS) ? HM_EMPTY : hm_value_one_spelling(s, r->a);
  if (spelled.n)
    hm_value_set_text(out, spelled, r->a);
  if (!(seen & (DIGITS | SLASH | GROUPS)))
    return spelled.n > 0;
  if (seen & SLASH && set_address(out, s, r->a))
    return true;
  hm_str one = s;
  if (seen & DIGITS && hm_ascii_lower(s.p[0]) == 'v')
    one = without_v(s, as_text);
  if (seen & (GROUPS | BLANK))
    one = without_separators(one, r->scratch);
  if (seen & SLASH)
    one = without_slash(one, r->supports);
  if (seen & BLANK && seen & DIGITS)
    name_product(out, s, r);
  if (one.n == s.n)
    return false;
  set_text(out, one, out->cased, r->a, &(unsigned){ 0 });
  return true;
}

bool hm_value_read_text(hm_value *out, hm_str s, bool as_text, hm_reader *r) {
  unsigned seen = 0;
  bool cased = hm_value_case_counts(s, r->supports);
  set_text(out, s, cased, r->a, &seen);
  out->cased = cased;
  if (out->kind != HM_V_TEXT)
    return false;
  bool is_class = read_class(out, s, as_text, seen, r);
  hm_str one =
      hm_value_one_form(seen & SLASH ? without_slash(s, r->supports) : s, r->supports, r->scratch);
  if (one.n) {
    hm_value form;
    set_text(&form, one, out->cased, r->a, &seen);
    out->key = form.key;
  }
  if (one.n || is_class)
    return false;
  bool list = r->supports & HM_READ_LIST || hm_str_find(s, " and ") > 0;
  return seen & COMMA || (seen & BLANK && list);
}
