/* Variant spellings of characters and words.
 *
 * Cost: linear in the bytes; a binary search for each character that is not ASCII, and for each
 * word of a short text. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/value/value_impl.h"
#include "core/base/sort.h"

/* --- characters ------------------------------------------------------------------------------- */

typedef struct {
  uint32_t from;
  const char *to;
} spelling;

/* Sorted by character. Sources: Unicode NFKC and its confusables; CLDR parse-lenient sets. */
static const spelling folds[] = {
  { 0xA0, " " },         { 0xAB, "\"" },   { 0xAD, "" },     { 0xB1, "+/-" },
  { 0xB4, "'" },         { 0xBB, "\"" },   { 0xD7, "x" },    { 0x2BC, "'" },
  { 0x2000, " " },       { 0x2001, " " },  { 0x2002, " " },  { 0x2003, " " },
  { 0x2004, " " },       { 0x2005, " " },  { 0x2006, " " },  { 0x2007, " " },
  { 0x2008, " " },       { 0x2009, " " },  { 0x200A, " " },  { 0x200B, "" },
  { 0x200E, "" },        { 0x200F, "" },   { 0x2010, "-" },  { 0x2011, "-" },
  { 0x2012, "-" },       { 0x2013, "-" },  { 0x2014, "-" },  { 0x2015, "-" },
  { 0x2018, "'" },       { 0x2019, "'" },  { 0x201A, "'" },  { 0x201B, "'" },
  { 0x201C, "\"" },      { 0x201D, "\"" }, { 0x201E, "\"" }, { 0x201F, "\"" },
  { 0x2026, "..." },     { 0x202F, " " },  { 0x2032, "'" },  { 0x2033, "\"" },
  { 0x2044, "/" },       { 0x205F, " " },  { 0x2060, "" },   { 0x2103, "\u00B0C" },
  { 0x2109, "\u00B0F" }, { 0x2212, "-" },  { 0x2215, "/" },  { 0x2236, ":" },
  { 0x223C, "~" },       { 0x2248, "~" },  { 0x2264, "<=" }, { 0x2265, ">=" },
  { 0x2A7D, "<=" },      { 0x2A7E, ">=" }, { 0x3000, " " },  { 0xFE58, "-" },
  { 0xFE63, "-" },       { 0xFEFF, "" },
};

/* Sorted by character. After a digit a blank stands between: "1½" is "1 1/2". Sources: Unicode
 * NFKC; ISO 8859-1. */
static const spelling fractions[] = {
  { 0xBC, "1/4" },   { 0xBD, "1/2" },   { 0xBE, "3/4" },   { 0x2153, "1/3" }, { 0x2154, "2/3" },
  { 0x2155, "1/5" }, { 0x2156, "2/5" }, { 0x2157, "3/5" }, { 0x2158, "4/5" }, { 0x2159, "1/6" },
  { 0x215A, "5/6" }, { 0x215B, "1/8" }, { 0x215C, "3/8" }, { 0x215D, "5/8" }, { 0x215E, "7/8" },
};

static int cmp_char(const void *key, const void *row) {
  uint32_t a = *(const uint32_t *)key, b = ((const spelling *)row)->from;
  return (a > b) - (a < b);
}

/* The digit or sign that cp is in superscript, else 0. */
static char raised(uint32_t cp) {
  if (cp == 0xB9)
    return '1';
  if (cp == 0xB2 || cp == 0xB3)
    return (char)(cp - 0xB0 + '0');
  if (cp == 0x2070 || (cp >= 0x2074 && cp <= 0x2079))
    return (char)(cp - 0x2070 + '0');
  return cp == 0x207A ? '+' : cp == 0x207B ? '-' : 0;
}

/* What is being folded. */
typedef struct {
  hm_buf b;
  bool digit; /* the last character is a digit, and no power */
  bool power; /* a power after a digit is being written */
} fold;

static void put(fold *f, hm_str bytes) {
  char last = bytes.n ? bytes.p[bytes.n - 1] : 0;
  hm_buf_str(&f->b, bytes);
  if (!bytes.n)
    return;
  f->digit = hm_is_digit(last);
  f->power = false;
}

/* "10³" is 10^3; "m³" stays, units read it. */
static bool put_power(fold *f, uint32_t cp) {
  char c = raised(cp);
  if (!c || !(f->digit || f->power))
    return false;
  if (!f->power)
    hm_buf_ch(&f->b, '^');
  hm_buf_ch(&f->b, c);
  f->digit = false;
  f->power = true;
  return true;
}

static void put_char(fold *f, uint32_t cp, hm_str bytes) {
  if (put_power(f, cp))
    return;
  if (cp > 0xFF00 && cp < 0xFF5F) {
    char c = (char)(cp - 0xFF00 + ' ');
    put(f, (hm_str){ &c, 1 });
    return;
  }
  const spelling *is = bsearch(&cp, folds, HM_COUNT(folds), sizeof *folds, cmp_char);
  const spelling *part =
      is ? NULL : bsearch(&cp, fractions, HM_COUNT(fractions), sizeof *fractions, cmp_char);
  if (part && f->digit)
    put(f, HM_STR(" "));
  if (part)
    is = part;
  put(f, is ? hm_str_c(is->to) : bytes);
}

hm_str hm_value_fold(hm_arena *a, hm_str s) {
  size_t i = 0;
  for (uint64_t w; i + sizeof w <= s.n; i += sizeof w) {
    memcpy(&w, s.p + i, sizeof w);
    if (w & 0x8080808080808080u)
      break;
  }
  while (i < s.n && !(s.p[i] & 0x80))
    i++;
  if (i == s.n)
    return s;
  fold f = { 0 };
  put(&f, hm_str_sub(s, 0, i));
  while (i < s.n) {
    size_t at = i;
    uint32_t cp = hm_text_next(s, &i);
    bool ascii_before = !at || !(s.p[at - 1] & 0x80), ascii_after = i == s.n || !(s.p[i] & 0x80);
    bool joiner = cp == 0x200C || cp == 0x200D;
    if (joiner && ascii_before && ascii_after)
      continue;
    hm_str bytes = hm_str_sub(s, at, i);
    if (cp < 0x80)
      put(&f, bytes);
    else
      put_char(&f, cp, bytes);
  }
  return hm_buf_take(&f.b, a);
}

/* --- umlauts -------------------------------------------------------------------------------------
 */

/* "mueller" of "müller". */
static hm_str spelled_out(hm_str s, char out[HM_WORDING_MAX]) {
  static const char *const letters[][2] = { { "\u00E4", "ae" },
                                            { "\u00F6", "oe" },
                                            { "\u00FC", "ue" } };
  size_t n = 0;
  for (size_t i = 0; i < s.n && i < HM_WORDING_MAX; i++) {
    out[n++] = s.p[i];
    for (size_t k = 0; s.p[i] & 0x80 && k < HM_COUNT(letters); k++)
      if (hm_str_starts(hm_str_sub(s, i, s.n), letters[k][0])) {
        memcpy(out + n - 1, letters[k][1], 2);
        n++, i++;
      }
  }
  return (hm_str){ out, n };
}

bool hm_value_same_but_for_umlauts(hm_str x, hm_str y) {
  char a[HM_WORDING_MAX + 2], b[HM_WORDING_MAX + 2];
  return x.n <= HM_WORDING_MAX && y.n <= HM_WORDING_MAX &&
      hm_str_eq(spelled_out(x, a), spelled_out(y, b));
}

/* --- spellings of words ----------------------------------------------------------------------- */

enum { LONGEST = 48, WORDS_MAX = 4 };

typedef struct {
  const char *other, *one;
} word_spelling;

/* British and American; sorted. Sources: Oxford English Dictionary; Merriam-Webster. */
static const word_spelling WORDS[] = {
  { "aluminum", "aluminium" },
  { "anaesthetic", "anesthetic" },
  { "analysed", "analyzed" },
  { "anodised", "anodized" },
  { "anonymised", "anonymized" },
  { "armour", "armor" },
  { "armoured", "armored" },
  { "authorised", "authorized" },
  { "behaviour", "behavior" },
  { "cancelled", "canceled" },
  { "cancelling", "canceling" },
  { "catalogue", "catalog" },
  { "centralised", "centralized" },
  { "centre", "center" },
  { "chequered", "checkered" },
  { "colour", "color" },
  { "coloured", "colored" },
  { "customised", "customized" },
  { "decentralised", "decentralized" },
  { "defence", "defense" },
  { "enamelled", "enameled" },
  { "enrolment", "enrollment" },
  { "favourite", "favorite" },
  { "fibre", "fiber" },
  { "fibreglass", "fiberglass" },
  { "finalised", "finalized" },
  { "flavour", "flavor" },
  { "fulfil", "fulfill" },
  { "galvanised", "galvanized" },
  { "grey", "gray" },
  { "greyish", "grayish" },
  { "harbour", "harbor" },
  { "initialised", "initialized" },
  { "instalment", "installment" },
  { "jewelled", "jeweled" },
  { "labelled", "labeled" },
  { "localised", "localized" },
  { "modelled", "modeled" },
  { "modelling", "modeling" },
  { "mould", "mold" },
  { "moulded", "molded" },
  { "multicoloured", "multicolored" },
  { "neighbour", "neighbor" },
  { "normalised", "normalized" },
  { "optimised", "optimized" },
  { "organisation", "organization" },
  { "organised", "organized" },
  { "oxidised", "oxidized" },
  { "paediatric", "pediatric" },
  { "panelled", "paneled" },
  { "plough", "plow" },
  { "polarised", "polarized" },
  { "prioritised", "prioritized" },
  { "randomised", "randomized" },
  { "recognised", "recognized" },
  { "serialised", "serialized" },
  { "signalled", "signaled" },
  { "specialised", "specialized" },
  { "standardised", "standardized" },
  { "sterilised", "sterilized" },
  { "sulphur", "sulfur" },
  { "synchronised", "synchronized" },
  { "theatre", "theater" },
  { "travelled", "traveled" },
  { "unauthorised", "unauthorized" },
  { "unlabelled", "unlabeled" },
  { "virtualised", "virtualized" },
  { "visualisation", "visualization" },
  { "vulcanised", "vulcanized" },
};

/* word: in small letters. */
static hm_str one_spelling(hm_str word) {
  char text[LONGEST + 1];
  memcpy(text, word.p, word.n);
  text[word.n] = 0;
  const word_spelling *s = bsearch(text, WORDS, HM_COUNT(WORDS), sizeof *WORDS, hm_order_name);
  return s ? hm_str_c(s->one) : word;
}

hm_str hm_value_one_spelling(hm_str s, hm_arena *a) {
  char low[LONGEST];
  size_t n = 1;
  bool lowered = false, changed = false;
  if (!s.n || s.n > LONGEST)
    return HM_EMPTY;
  for (size_t i = 0; i < s.n; i++) {
    bool upper = hm_is_upper(s.p[i]);
    if ((s.p[i] < 'a' || s.p[i] > 'z') && !upper && s.p[i] != ' ' && s.p[i] != '-')
      return HM_EMPTY;
    low[i] = upper ? (char)(s.p[i] | 32) : s.p[i];
    n += s.p[i] == ' ' || s.p[i] == '-';
    lowered = lowered || upper;
  }
  if (n > WORDS_MAX || (n > 1 && lowered))
    return HM_EMPTY;
  hm_str out = HM_EMPTY;
  for (size_t from = 0, i = 0; i <= s.n; i++) {
    if (i < s.n && low[i] != ' ' && low[i] != '-')
      continue;
    hm_str word = { low + from, i - from }, one = one_spelling(word);
    changed = changed || one.p != word.p;
    out = HM_CAT(a, out, one, (hm_str){ low + i, i < s.n });
    from = i + 1;
  }
  return changed ? out : HM_EMPTY;
}

/* --- words in any case ------------------------------------------------------------------------ */

hm_str hm_value_lower(hm_arena *a, hm_str s) {
  char *p = hm_alloc(a, s.n + 1);
  for (size_t i = 0; i < s.n; i++)
    p[i] = hm_ascii_lower(s.p[i]);
  return (hm_str){ p, s.n };
}

bool hm_value_starts_folded(hm_str s, const char *words) {
  size_t i = 0;
  while (i < s.n && words[i] && hm_ascii_lower(s.p[i]) == words[i])
    i++;
  return !words[i];
}

bool hm_value_skip_word(hm_str *s, const char *word) {
  size_t n = strlen(word);
  if (!hm_value_starts_folded(*s, word) || s->n == n || s->p[n] != ' ')
    return false;
  *s = hm_str_trim(hm_str_sub(*s, n, s->n));
  return true;
}
