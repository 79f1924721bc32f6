/* Texts in normal form: folded characters, then hm_text_fold_value, one spelling of a word, and in
 * some classes without what is only another way of writing:
 *
 *   release   "v1.2.3", "V1.2.3", "version 1.2.3" is 1.2.3; in a field of texts also "v3"
 *   address   scheme and host in lower case, no slash at the end; the rest of an address keeps its
 *             case. A path loses its slash at the end, too
 *   name      another spelling of a value of a family: "PostgreSQL" is postgres, "k8s" kubernetes
 *   MAC       six or more pairs of hexadecimal digits with : or - or blanks between (also a
 *             fingerprint), or three groups of four: the digits alone
 *
 * A list in prose ("a, b and c", "a; b", "TCP & UDP") stays a text, and is also a set: its key is
 * "list:[...]". Items are values of at most four words; "or", "not", "but" make no list.
 * Cost: linear in the bytes; a binary search for each character that is not ASCII, and for each
 * word of a short text. */
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/claim/prose.h"
#include "core/claim/value_impl.h"

/* --- characters ------------------------------------------------------------------------------- */

typedef struct { uint32_t from; const char *to; } spelling;

/* Sorted by character. */
static const spelling folds[] = {
  { 0xA0, " " }, { 0xAB, "\"" }, { 0xAD, "" }, { 0xB1, "+/-" }, { 0xB4, "'" },
  { 0xBB, "\"" }, { 0xD7, "x" }, { 0x2BC, "'" }, { 0x2000, " " }, { 0x2001, " " },
  { 0x2002, " " }, { 0x2003, " " }, { 0x2004, " " }, { 0x2005, " " }, { 0x2006, " " },
  { 0x2007, " " }, { 0x2008, " " }, { 0x2009, " " }, { 0x200A, " " }, { 0x200B, "" },
  { 0x200E, "" }, { 0x200F, "" }, { 0x2010, "-" }, { 0x2011, "-" }, { 0x2012, "-" },
  { 0x2013, "-" }, { 0x2014, "-" }, { 0x2015, "-" }, { 0x2018, "'" }, { 0x2019, "'" },
  { 0x201A, "'" }, { 0x201B, "'" }, { 0x201C, "\"" }, { 0x201D, "\"" }, { 0x201E, "\"" },
  { 0x201F, "\"" }, { 0x2026, "..." }, { 0x202F, " " }, { 0x2032, "'" }, { 0x2033, "\"" },
  { 0x2044, "/" }, { 0x205F, " " }, { 0x2060, "" }, { 0x2103, "\u00B0C" },
  { 0x2109, "\u00B0F" }, { 0x2212, "-" }, { 0x2215, "/" }, { 0x2236, ":" }, { 0x223C, "~" },
  { 0x2248, "~" }, { 0x2264, "<=" }, { 0x2265, ">=" }, { 0x2A7D, "<=" }, { 0x2A7E, ">=" },
  { 0x3000, " " }, { 0xFE58, "-" }, { 0xFE63, "-" }, { 0xFEFF, "" },
};

/* Sorted by character. After a digit a blank stands between: "1½" is "1 1/2". */
static const spelling fractions[] = {
  { 0xBC, "1/4" }, { 0xBD, "1/2" }, { 0xBE, "3/4" }, { 0x2153, "1/3" }, { 0x2154, "2/3" },
  { 0x2155, "1/5" }, { 0x2156, "2/5" }, { 0x2157, "3/5" }, { 0x2158, "4/5" }, { 0x2159, "1/6" },
  { 0x215A, "5/6" }, { 0x215B, "1/8" }, { 0x215C, "3/8" }, { 0x215D, "5/8" }, { 0x215E, "7/8" },
};

static int cmp_char(const void *key, const void *row) {
  uint32_t a = *(const uint32_t *)key, b = ((const spelling *)row)->from;
  return (a > b) - (a < b);
}

/* The digit or sign that cp is in superscript, else 0. */
static char raised(uint32_t cp) {
  if (cp == 0xB9) return '1';
  if (cp == 0xB2 || cp == 0xB3) return (char)(cp - 0xB0 + '0');
  if (cp == 0x2070 || (cp >= 0x2074 && cp <= 0x2079)) return (char)(cp - 0x2070 + '0');
  return cp == 0x207A ? '+' : cp == 0x207B ? '-' : 0;
}

static bool is_joiner(uint32_t cp) { return cp == 0x200C || cp == 0x200D; }

/* What is being folded. */
typedef struct {
  hm_buf b;
  bool digit;    /* the last character is a digit, and no power */
  bool power;    /* a power after a digit is being written */
} fold;

static void put(fold *f, hm_str bytes) {
  char last = bytes.n ? bytes.p[bytes.n - 1] : 0;
  hm_buf_str(&f->b, bytes);
  if (!bytes.n) return;
  f->digit = hm_is_digit(last);
  f->power = false;
}

/* "10³" is 10^3; "m³" stays, units read it. */
static bool put_power(fold *f, uint32_t cp) {
  char c = raised(cp);
  if (!c || !(f->digit || f->power)) return false;
  if (!f->power) hm_buf_ch(&f->b, '^');
  hm_buf_ch(&f->b, c);
  f->digit = false;
  f->power = true;
  return true;
}

static void put_char(fold *f, uint32_t cp, hm_str bytes) {
  if (put_power(f, cp)) return;
  if (cp > 0xFF00 && cp < 0xFF5F) {
    char c = (char)(cp - 0xFF00 + ' ');
    put(f, (hm_str){ &c, 1 });
    return;
  }
  const spelling *is = bsearch(&cp, folds, HM_COUNT(folds), sizeof *folds, cmp_char);
  const spelling *part =
      is ? NULL : bsearch(&cp, fractions, HM_COUNT(fractions), sizeof *fractions, cmp_char);
  if (part && f->digit) put(f, HM_STR(" "));
  if (part) is = part;
  put(f, is ? hm_str_c(is->to) : bytes);
}

hm_str hm_value_fold(hm_arena *a, hm_str s) {
  size_t i = 0;
  for (uint64_t w; i + sizeof w <= s.n; i += sizeof w) {
    memcpy(&w, s.p + i, sizeof w);
    if (w & 0x8080808080808080u) break;
  }
  while (i < s.n && !(s.p[i] & 0x80)) i++;
  if (i == s.n) return s;
  fold f = { 0 };
  put(&f, hm_str_sub(s, 0, i));
  while (i < s.n) {
    size_t at = i;
    uint32_t cp = hm_text_next(s, &i);
    bool ascii_before = !at || !(s.p[at - 1] & 0x80), ascii_after = i == s.n || !(s.p[i] & 0x80);
    if (is_joiner(cp) && ascii_before && ascii_after) continue;
    hm_str bytes = hm_str_sub(s, at, i);
    if (cp < 0x80) put(&f, bytes);
    else put_char(&f, cp, bytes);
  }
  return hm_buf_take(&f.b, a);
}

/* --- spellings of words ----------------------------------------------------------------------- */

enum { LONGEST = 48, WORDS_MAX = 4 };

typedef struct {
  const char *other, *one;
} word_spelling;

/* Sorted. */
static const word_spelling WORDS[] = {
  { "aluminum", "aluminium" },     { "anodised", "anodized" },     { "armour", "armor" },
  { "armoured", "armored" },       { "centre", "center" },         { "chequered", "checkered" },
  { "colour", "color" },           { "coloured", "colored" },      { "enamelled", "enameled" },
  { "fibre", "fiber" },            { "fibreglass", "fiberglass" }, { "galvanised", "galvanized" },
  { "grey", "gray" },              { "greyish", "grayish" },
  { "harbour", "harbor" },         { "jewelled", "jeweled" },      { "mould", "mold" },
  { "moulded", "molded" },         { "multicoloured", "multicolored" }, { "oxidised", "oxidized" },
  { "panelled", "paneled" },       { "plough", "plow" },           { "polarised", "polarized" },
  { "sulphur", "sulfur" },         { "theatre", "theater" },       { "vulcanised", "vulcanized" },
};

static int by_other(const void *key, const void *row) {
  return strcmp(key, ((const word_spelling *)row)->other);
}

/* word: in small letters. */
static hm_str one_spelling(hm_str word) {
  char text[LONGEST + 1];
  memcpy(text, word.p, word.n);
  text[word.n] = 0;
  const word_spelling *s = bsearch(text, WORDS, HM_COUNT(WORDS), sizeof *WORDS, by_other);
  return s ? hm_str_c(s->one) : word;
}

/* A text of a few words in the one spelling, in a; empty: it is, or has none. */
static hm_str one_spelling_of_text(hm_str s, hm_arena *a) {
  char low[LONGEST];
  size_t n = 1;
  bool lowered = false, changed = false;
  if (!s.n || s.n > LONGEST) return HM_EMPTY;
  for (size_t i = 0; i < s.n; i++) {
    bool upper = hm_is_upper(s.p[i]);
    if ((s.p[i] < 'a' || s.p[i] > 'z') && !upper && s.p[i] != ' ' && s.p[i] != '-') return HM_EMPTY;
    low[i] = upper ? (char)(s.p[i] | 32) : s.p[i];
    n += s.p[i] == ' ' || s.p[i] == '-';
    lowered = lowered || upper;
  }
  if (n > WORDS_MAX || (n > 1 && lowered)) return HM_EMPTY;
  hm_str out = HM_EMPTY;
  for (size_t from = 0, i = 0; i <= s.n; i++) {
    if (i < s.n && low[i] != ' ' && low[i] != '-') continue;
    hm_str word = { low + from, i - from }, one = one_spelling(word);
    changed = changed || one.p != word.p;
    out = HM_CAT(a, out, one, (hm_str){ low + i, i < s.n });
    from = i + 1;
  }
  return changed ? out : HM_EMPTY;
}

/* --- texts ------------------------------------------------------------------------------------ */

hm_str hm_value_lower(hm_arena *a, hm_str s) {
  char *p = hm_alloc(a, s.n + 1);
  for (size_t i = 0; i < s.n; i++) p[i] = hm_ascii_lower(s.p[i]);
  return (hm_str){ p, s.n };
}

bool hm_value_starts_folded(hm_str s, const char *words) {
  size_t i = 0;
  while (i < s.n && words[i] && hm_ascii_lower(s.p[i]) == words[i]) i++;
  return !words[i];
}

bool hm_value_skip_word(hm_str *s, const char *word) {
  size_t n = strlen(word);
  if (!hm_value_starts_folded(*s, word) || s->n == n || s->p[n] != ' ') return false;
  *s = hm_str_trim(hm_str_sub(*s, n, s->n));
  return true;
}

#define TEXT_PREFIX "text:"
enum { TEXT_PREFIX_LEN = sizeof TEXT_PREFIX - 1 };

/* What a text may be, by the characters in it. */
enum { WIDE = 1, DIGITS = 2, SLASH = 4, GROUPS = 8, COMMA = 16, BLANK = 32 };
static const unsigned char marks[256] = {
  ['0' ... '9'] = DIGITS, ['/'] = SLASH, [':'] = GROUPS, ['-'] = GROUPS, ['.'] = GROUPS,
  [','] = COMMA, [';'] = COMMA, ['&'] = COMMA, [' '] = BLANK, [0x80 ... 0xFF] = WIDE,
};

/* hm_text_fold_value behind the prefix, without its copy, for what most values are:
 * ASCII. Returns an empty slice when s is not. *seen: marks of its characters, of ASCII. */
static hm_str ascii_norm(hm_arena *a, hm_str s, unsigned *seen) {
  char *p = hm_alloc(a, s.n + TEXT_PREFIX_LEN + 1), *from = p + TEXT_PREFIX_LEN, *at = from;
  memcpy(p, TEXT_PREFIX, TEXT_PREFIX_LEN);
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    *seen |= marks[(unsigned char)c];
    if (c & 0x80) return HM_EMPTY;
    if (!hm_is_space(c)) *at++ = hm_ascii_lower(c);
    else if (at > from && at[-1] != ' ') *at++ = ' ';
  }
  if (at > from && at[-1] == ' ') at--;
  if (at > from && at[-1] == '.') at--;
  if (at > from && at[-1] == ' ') at--;
  return (hm_str){ p, (size_t)(at - p) };
}

/* A value of nothing but white space of any kind is none; a lone full stop is a text. */
static void set_text(hm_value *out, hm_str trimmed, hm_arena *a, unsigned *seen) {
  hm_str norm = ascii_norm(a, trimmed, seen);
  if (!norm.n) {
    for (size_t i = 0; i < trimmed.n; i++) *seen |= marks[(unsigned char)trimmed.p[i]];
    norm = HM_CAT(a, HM_STR(TEXT_PREFIX), hm_text_fold_value(a, trimmed));
  }
  if (norm.n == TEXT_PREFIX_LEN) {
    if (!hm_str_ends(trimmed, ".")) return;
    norm = HM_STR("text:.");
  }
  hm_value_set_forms(out, HM_V_TEXT, norm, norm);
}

void hm_value_set_text(hm_value *out, hm_str trimmed, hm_arena *a) {
  unsigned seen = 0;
  set_text(out, trimmed, a, &seen);
}

/* --- releases, addresses, hardware addresses ------------------------------------------- */

/* "1.2", "1.2.3-rc1": digits, a point and a digit, then no space; or digits alone. */
static bool is_release(hm_str s, bool whole) {
  size_t i = 0;
  while (i < s.n && hm_is_digit(s.p[i])) i++;
  if (!i || (i == s.n && !whole)) return false;
  if (i < s.n && (s.p[i] != '.' || i + 1 == s.n || !hm_is_digit(s.p[i + 1]))) return false;
  for (; i < s.n; i++)
    if (hm_is_space(s.p[i])) return false;
  return true;
}

static hm_str without_v(hm_str s, bool as_text) {
  static const char *const words[] = { "version", "ver.", "ver", "v.", "v" };
  for (size_t i = 0; i < HM_COUNT(words); i++) {
    if (!hm_value_starts_folded(s, words[i])) continue;
    hm_str rest = hm_str_trim(hm_str_sub(s, strlen(words[i]), s.n));
    return is_release(rest, as_text) ? rest : s;
  }
  return s;
}

static bool is_hex(char c) {
  return hm_is_digit(c) || (hm_ascii_lower(c) >= 'a' && hm_ascii_lower(c) <= 'f');
}

/* Groups of `digits` with one of `separators` between. */
static bool is_grouped(hm_str s, size_t digits, const char *separators) {
  char separator = s.p[digits];
  if (!separator || !strchr(separators, separator)) return false;
  for (size_t i = 0; i < s.n; i++)
    if (i % (digits + 1) == digits ? s.p[i] != separator : !is_hex(s.p[i])) return false;
  return true;
}

/* "{550e8400-...}" and "urn:uuid:550e8400-..." without what is around them. */
static hm_str bare_uuid(hm_str s) {
  enum { UUID = 36, IN_BRACES = UUID + 2 };
  static const char urn[] = "urn:uuid:";
  hm_str in = s;
  bool braces = s.n == IN_BRACES && s.p[0] == '{' && s.p[IN_BRACES - 1] == '}';
  if (braces) in = hm_str_sub(s, 1, s.n - 1);
  else if (hm_value_starts_folded(s, urn)) in = hm_str_sub(s, sizeof urn - 1, s.n);
  if (in.n != UUID) return s;
  for (size_t i = 0; i < UUID; i++)
    if (i == 8 || i == 13 || i == 18 || i == 23 ? in.p[i] != '-' : !is_hex(in.p[i])) return s;
  return in;
}

/* The digits of a hardware address or a fingerprint, or s. */
static hm_str without_separators(hm_str s, hm_arena *a) {
  enum { FINGERPRINT = 3 * 64 - 1 };
  bool pairs = s.n >= 17 && s.n <= FINGERPRINT && s.n % 3 == 2 && is_grouped(s, 2, ":- ");
  bool fours = (s.n == 14 && is_grouped(s, 4, ".:-")) || (s.n == 19 && is_grouped(s, 4, "."));
  if (!pairs && !fours) return s;
  char *p = hm_alloc(a, s.n);
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++)
    if (is_hex(s.p[i])) p[n++] = s.p[i];
  return (hm_str){ p, n };
}

/* Bytes of "https://" at the begin of s, or 0. */
static size_t scheme_of(hm_str s) {
  size_t i = 0;
  while (i < s.n && (hm_is_letter(s.p[i]) || (i && (hm_is_digit(s.p[i]) || s.p[i] == '+')))) i++;
  return i && hm_str_starts(hm_str_sub(s, i, s.n), "://") ? i + 3 : 0;
}

/* An address: what comes behind the host keeps its case. */
static bool set_address(hm_value *out, hm_str s, hm_arena *a) {
  size_t scheme = scheme_of(s), host;
  if (!scheme || memchr(s.p, ' ', s.n)) return false;
  if (hm_str_ends(s, "/") && s.n > scheme + 1) s.n--;
  for (host = scheme; host < s.n && !strchr("/?#", s.p[host]);) host++;
  hm_str norm = HM_CAT(a, HM_STR(TEXT_PREFIX), hm_value_lower(a, hm_str_sub(s, 0, host)),
                       hm_text_repair(a, hm_str_sub(s, host, s.n)));
  hm_value_set_forms(out, HM_V_TEXT, norm, norm);
  return true;
}

/* "/var/lib/", "example.org/docs/", "src/lib/" without the last slash. */
static hm_str without_slash(hm_str s) {
  if (s.n < 3 || s.p[s.n - 1] != '/' || memchr(s.p, ' ', s.n) || s.p[s.n - 2] == '/') return s;
  hm_str rest = hm_str_sub(s, 0, s.n - 1);
  return memchr(rest.p, '/', rest.n) || memchr(rest.p, '.', rest.n) ? rest : s;
}

/* --- lists in prose -------------------------------------------------------------------- */

enum { LIST_LONGEST = 400, ITEMS_MAX = 64, ITEM_WORDS_MAX = 4 };

/* What the items of the list are cut at: ';', ',' or only "and". */
static char separator_of(hm_str s) {
  if (memchr(s.p, ';', s.n)) return ';';
  if (memchr(s.p, ',', s.n)) return ',';
  return hm_str_find(s, " and ") >= 0 || hm_str_find(s, " & ") >= 0 ? ' ' : 0;
}

static bool is_item(hm_str s) {
  static const char *const no_items[] = { "or", "not", "but", "no", "except", "nor", "then" };
  size_t words = 1;
  for (size_t i = 0; i < s.n && words <= ITEM_WORDS_MAX; i++) words += s.p[i] == ' ';
  if (!s.n || words > ITEM_WORDS_MAX) return false;
  for (size_t i = 0; i < HM_COUNT(no_items) && words > 1; i++) {
    hm_str rest = s;
    if (hm_value_skip_word(&rest, no_items[i])) return false;
  }
  return words == 1 || hm_str_find(s, " or ") < 0;
}

/* The last item may hold "x and y", or begin with "and". */
static size_t cut_last(hm_str *items, size_t n, size_t most) {
  hm_str last = items[n - 1];
  if (hm_value_skip_word(&last, "and") || hm_value_skip_word(&last, "&")) {
    items[n - 1] = last;
    return n;
  }
  ptrdiff_t at = hm_str_find(last, " and ");
  size_t joint = sizeof " and " - 1;
  if (at < 0) at = hm_str_find(last, " & "), joint = sizeof " & " - 1;
  if (at < 0 || n == most) return n;
  items[n - 1] = hm_str_trim(hm_str_sub(last, 0, (size_t)at));
  items[n] = hm_str_trim(hm_str_sub(last, (size_t)at + joint, last.n));
  return n + 1;
}

static size_t split_list(hm_str s, hm_str items[ITEMS_MAX]) {
  char separator = separator_of(s);
  size_t n = 0;
  if (!separator) return 0;
  for (const char *end = s.p; end;) {
    if (n == ITEMS_MAX) return 0;
    end = separator == ' ' ? NULL : memchr(s.p, separator, s.n);
    size_t len = end ? (size_t)(end - s.p) : s.n;
    items[n++] = hm_str_trim(hm_str_sub(s, 0, len));
    if (end) s = hm_str_sub(s, len + 1, s.n);
  }
  /* "a, b and c" has one "and"; "a and b and c" as many as it needs. */
  for (size_t before = 0; n != before;) {
    before = n;
    n = cut_last(items, n, ITEMS_MAX);
    if (separator != ' ') break;
  }
  for (size_t i = 0; i < n; i++)
    if (!is_item(items[i])) return 0;
  return n > 1 ? n : 0;
}

/* Gives a text that is a list its items and the key of one. */
static void add_list(hm_value *out, hm_str s, bool as_text, hm_reader *r) {
  hm_str items[ITEMS_MAX];
  if (s.n > LIST_LONGEST) return;
  if (s.n > 2 && s.p[0] == '[' && s.p[s.n - 1] == ']') s = hm_str_trim(hm_str_sub(s, 1, s.n - 1));
  size_t n = split_list(s, items);
  if (!n) return;
  out->items = hm_alloc_array(r->a, n, sizeof *out->items);
  for (size_t i = 0; i < n; i++) {
    hm_value_read_plain(&out->items[i], items[i], as_text, r);
    if (out->items[i].kind == HM_V_NONE) return;
    out->n_items++;
  }
  if (!r->ordered) hm_value_sort_items(out);
  hm_value_kind kind = r->ordered ? HM_V_LIST : HM_V_SET;
  if (out->n_items < 2) out->n_items = 0;
  else out->key = HM_CAT(r->a, HM_STR("list:"), hm_value_parts_form(out, kind, true, r->a));
}

/* A text of one of the classes above instead of what is in out. */
static bool read_class(hm_value *out, hm_str s, bool as_text, unsigned seen, hm_reader *r) {
  hm_str name = r->families ? hm_families_usual_spelling(r->families, s) : HM_EMPTY;
  if (name.n) {
    hm_value_set_text(out, name, r->a);
    return true;
  }
  hm_str spelled = seen & (DIGITS | SLASH | GROUPS) ? HM_EMPTY : one_spelling_of_text(s, r->a);
  if (spelled.n) hm_value_set_text(out, spelled, r->a);
  if (!(seen & (DIGITS | SLASH | GROUPS))) return spelled.n > 0;
  if (seen & SLASH && set_address(out, s, r->a)) return true;
  hm_str one = s;
  if (seen & DIGITS && hm_ascii_lower(s.p[0]) == 'v') one = without_v(s, as_text);
  if (seen & (GROUPS | BLANK)) one = without_separators(bare_uuid(one), r->scratch);
  if (seen & SLASH) one = without_slash(one);
  if (one.n == s.n) return false;
  hm_value_set_text(out, one, r->a);
  return true;
}

void hm_read_single_text(hm_value *out, hm_str s, bool as_text, hm_reader *r) {
  unsigned seen = 0;
  set_text(out, s, r->a, &seen);
  read_class(out, s, as_text, seen, r);
}

void hm_read_text(hm_value *out, hm_str s, bool as_text, hm_reader *r) {
  unsigned seen = 0;
  set_text(out, s, r->a, &seen);
  if (out->kind != HM_V_TEXT || read_class(out, s, as_text, seen, r)) return;
  if (seen & COMMA || (seen & BLANK && hm_str_find(s, " and ") > 0)) add_list(out, s, as_text, r);
}
