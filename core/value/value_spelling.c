/* Variant spellings of characters and words.
 *
 * Cost: linear in the bytes; a binary search for each character that is not ASCII, and for each
 * word of a short text. */
#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/value/value_impl.h"

/* --- characters ------------------------------------------------------------------------------- */

typedef struct {
  uint32_t from;
  const char *to;
} spelling;

/* Sorted by character. "^": a power, where it stands behind a number, as of 10³; else, as of
 * m³, the character stays. Of "1½" the blank stands only behind a digit. Sources: Unicode
 * NFKC and its confusables; ISO 8859-1 and CLDR parse-lenient sets. */
static const spelling folds[] = {
  { 0xA0, " " },      { 0xAB, "\"" },     { 0xAD, "" },          { 0xB1, "+/-" },
  { 0xB2, "^2" },     { 0xB3, "^3" },     { 0xB4, "'" },         { 0xB9, "^1" },
  { 0xBB, "\"" },     { 0xBC, " 1/4" },   { 0xBD, " 1/2" },      { 0xBE, " 3/4" },
  { 0xD7, "x" },      { 0x2BC, "'" },     { 0x2000, " " },       { 0x2001, " " },
  { 0x2002, " " },    { 0x2003, " " },    { 0x2004, " " },       { 0x2005, " " },
  { 0x2006, " " },    { 0x2007, " " },    { 0x2008, " " },       { 0x2009, " " },
  { 0x200A, " " },    { 0x200B, "" },     { 0x200E, "" },        { 0x200F, "" },
  { 0x2010, "-" },    { 0x2011, "-" },    { 0x2012, "-" },       { 0x2013, "-" },
  { 0x2014, "-" },    { 0x2015, "-" },    { 0x2018, "'" },       { 0x2019, "'" },
  { 0x201A, "'" },    { 0x201B, "'" },    { 0x201C, "\"" },      { 0x201D, "\"" },
  { 0x201E, "\"" },   { 0x201F, "\"" },   { 0x2026, "..." },     { 0x202F, " " },
  { 0x2032, "'" },    { 0x2033, "\"" },   { 0x2044, "/" },       { 0x205F, " " },
  { 0x2060, "" },     { 0x2070, "^0" },   { 0x2074, "^4" },      { 0x2075, "^5" },
  { 0x2076, "^6" },   { 0x2077, "^7" },   { 0x2078, "^8" },      { 0x2079, "^9" },
  { 0x207A, "^+" },   { 0x207B, "^-" },   { 0x2103, "\u00B0C" }, { 0x2109, "\u00B0F" },
  { 0x2153, " 1/3" }, { 0x2154, " 2/3" }, { 0x2155, " 1/5" },    { 0x2156, " 2/5" },
  { 0x2157, " 3/5" }, { 0x2158, " 4/5" }, { 0x2159, " 1/6" },    { 0x215A, " 5/6" },
  { 0x215B, " 1/8" }, { 0x215C, " 3/8" }, { 0x215D, " 5/8" },    { 0x215E, " 7/8" },
  { 0x2212, "-" },    { 0x2215, "/" },    { 0x2236, ":" },       { 0x223C, "~" },
  { 0x2248, "~" },    { 0x2264, "<=" },   { 0x2265, ">=" },      { 0x2A7D, "<=" },
  { 0x2A7E, ">=" },   { 0x3000, " " },    { 0xFE58, "-" },       { 0xFE63, "-" },
  { 0xFEFF, "" },
};

static int cmp_char(const void *key, const void *row) {
  uint32_t a = *(const uint32_t *)key, b = ((const spelling *)row)->from;
  return (a > b) - (a < b);
}

/* What is being folded. */
typedef struct {
  hm_buf b;
  bool digit; /* the last character is a digit, and no power */
  bool power; /* a power after a digit is being written */
} fold;

static void put(fold *f, hm_str bytes, bool power) {
  hm_buf_str(&f->b, bytes);
  if (!bytes.n)
    return;
  f->digit = hm_is_digit(bytes.p[bytes.n - 1]) && !power;
  f->power = power;
}

static void put_char(fold *f, uint32_t cp, hm_str bytes) {
  char wide = (char)(cp - 0xFF00 + ' ');
  const spelling *is = bsearch(&cp, folds, HM_COUNT(folds), sizeof *folds, cmp_char);
  hm_str to = is ? hm_str_c(is->to) : bytes;
  if (cp > 0xFF00 && cp < 0xFF5F)
    to = (hm_str){ &wide, 1 };
  bool power = is && to.n && to.p[0] == '^';
  if (power && !f->digit && !f->power)
    to = bytes, power = false;
  else if (is && to.n > 1 && (power ? f->power : to.p[0] == ' ' && !f->digit))
    to = hm_str_sub(to, 1, to.n);
  put(f, to, power);
}

hm_str hm_value_fold(hm_arena *a, hm_str s) {
  size_t i = 0;
  while (i < s.n && !(s.p[i] & 0x80))
    i++;
  if (i == s.n)
    return s;
  fold f = { 0 };
  put(&f, hm_str_sub(s, 0, i), false);
  while (i < s.n) {
    size_t at = i;
    uint32_t cp = hm_text_next(s, &i);
    bool ascii_before = !at || !(s.p[at - 1] & 0x80), ascii_after = i == s.n || !(s.p[i] & 0x80);
    bool joiner = cp == 0x200C || cp == 0x200D;
    if (joiner && ascii_before && ascii_after)
      continue;
    put_char(&f, cp, hm_str_sub(s, at, i));
  }
  return hm_buf_take(&f.b, a);
}

/* --- spellings of words ----------------------------------------------------------------------- */

enum { LONGEST = 48, WORDS_MAX = 4 };

typedef struct {
  const char *other, *one;
} word_spelling;

/* British and American, and languages as those who speak them write them; sorted. Sources: Oxford
 * English Dictionary; Merriam-Webster; CLDR; Duden, Larousse, RAE. */
static const word_spelling WORDS[] = {
  { "allemand", "german" },
  { "aluminum", "aluminium" },
  { "anaesthetic", "anesthetic" },
  { "analysed", "analyzed" },
  { "anglais", "english" },
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
  { "dansk", "danish" },
  { "decentralised", "decentralized" },
  { "defence", "defense" },
  { "deutsch", "german" },
  { "enamelled", "enameled" },
  { "englisch", "english" },
  { "enrolment", "enrollment" },
  { "espanol", "spanish" },
  { "espa\u00F1ol", "spanish" },
  { "favourite", "favorite" },
  { "fibre", "fiber" },
  { "fibreglass", "fiberglass" },
  { "finalised", "finalized" },
  { "flavour", "flavor" },
  { "francais", "french" },
  { "franz\u00F6sisch", "french" },
  { "fran\u00E7ais", "french" },
  { "fulfil", "fulfill" },
  { "galvanised", "galvanized" },
  { "grey", "gray" },
  { "greyish", "grayish" },
  { "harbour", "harbor" },
  { "ingl\u00E9s", "english" },
  { "initialised", "initialized" },
  { "instalment", "installment" },
  { "italiano", "italian" },
  { "italienisch", "italian" },
  { "jewelled", "jeweled" },
  { "labelled", "labeled" },
  { "localised", "localized" },
  { "magyar", "hungarian" },
  { "modelled", "modeled" },
  { "modelling", "modeling" },
  { "mould", "mold" },
  { "moulded", "molded" },
  { "multicoloured", "multicolored" },
  { "nederlands", "dutch" },
  { "neighbour", "neighbor" },
  { "normalised", "normalized" },
  { "norsk", "norwegian" },
  { "optimised", "optimized" },
  { "organisation", "organization" },
  { "organised", "organized" },
  { "oxidised", "oxidized" },
  { "paediatric", "pediatric" },
  { "panelled", "paneled" },
  { "plough", "plow" },
  { "polarised", "polarized" },
  { "polski", "polish" },
  { "portugu\u00EAs", "portuguese" },
  { "prioritised", "prioritized" },
  { "randomised", "randomized" },
  { "recognised", "recognized" },
  { "serialised", "serialized" },
  { "signalled", "signaled" },
  { "spanisch", "spanish" },
  { "specialised", "specialized" },
  { "standardised", "standardized" },
  { "sterilised", "sterilized" },
  { "sulphur", "sulfur" },
  { "suomi", "finnish" },
  { "svenska", "swedish" },
  { "synchronised", "synchronized" },
  { "theatre", "theater" },
  { "travelled", "traveled" },
  { "t\u00FCrk\u00E7e", "turkish" },
  { "unauthorised", "unauthorized" },
  { "unlabelled", "unlabeled" },
  { "virtualised", "virtualized" },
  { "visualisation", "visualization" },
  { "vulcanised", "vulcanized" },
};

hm_str hm_value_one_spelling(hm_str s, hm_arena *a) {
  hm_str out = HM_EMPTY;
  size_t words = 0, from = 0, done = 0;
  bool upper = false;
  if (s.n > LONGEST)
    return HM_EMPTY;
  for (size_t i = 0; i <= s.n; i++) {
    upper = upper || (i < s.n && hm_is_upper(s.p[i]));
    if (hm_any_letter_at(s, i))
      continue;
    hm_str one = HM_LOOK_UP(hm_str_sub(s, from, i), WORDS);
    if (++words > WORDS_MAX || (i < s.n && s.p[i] != ' ' && s.p[i] != '-'))
      return HM_EMPTY;
    if (one.n) {
      out = HM_CAT(a, out, hm_str_sub(s, done, from), one);
      done = i;
    }
    from = i + 1;
  }
  return done && (words == 1 || !upper) ? HM_CAT(a, out, hm_str_sub(s, done, s.n)) : HM_EMPTY;
}

/* --- words in any case ------------------------------------------------------------------------ */

hm_str hm_value_without_stop(hm_str word) {
  while (hm_str_ends(word, ".") || hm_str_ends(word, ","))
    word.n--;
  return word;
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

bool hm_value_is_word(hm_str s, const char *word) {
  return s.n == strlen(word) && hm_value_starts_folded(s, word);
}

bool hm_value_is_any(hm_str s, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (hm_value_is_word(s, words[i]))
      return true;
  return false;
}

/* --- tables of words -------------------------------------------------------------------------- */

const void *hm_value_find(hm_str word, const void *rows, size_t n, size_t size) {
  return bsearch(&word, rows, n, size, hm_order_lower_word);
}

hm_str hm_value_look_up(hm_str word, const void *rows, size_t n, size_t size) {
  const char *const *row = hm_value_find(word, rows, n, size);
  return row ? hm_str_c(row[1]) : HM_EMPTY;
}
