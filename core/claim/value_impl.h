/* What the files of values share (value*.c, unit*.c, decimal.c). Not for others. */
#ifndef HM_VALUE_IMPL_H
#define HM_VALUE_IMPL_H
#include "core/base/ascii.h"
#include "core/base/str.h"
#include "core/claim/value.h"

/* Is the character at i, which may be past the end, a digit, a letter, c? */
static inline bool hm_digit_at(hm_str s, size_t i) { return i < s.n && hm_is_digit(s.p[i]); }
static inline bool hm_letter_at(hm_str s, size_t i) { return i < s.n && hm_is_letter(s.p[i]); }
static inline bool hm_char_at(hm_str s, size_t i, char c) { return i < s.n && s.p[i] == c; }
/* Behind the digits, or the spaces, at i. */
static inline size_t hm_skip_digits(hm_str s, size_t i) {
  while (hm_digit_at(s, i)) i++;
  return i;
}
static inline size_t hm_skip_spaces(hm_str s, size_t i) {
  while (hm_char_at(s, i, ' ')) i++;
  return i;
}

/* --- numbers (decimal.c): exact decimals of any length ---------------------------------- */

/* ±0.D1D2D3... × 10^exp. */
typedef struct {
  bool neg;        /* never for zero */
  hm_str digits;   /* '0' to '9', no '0' at either end; empty: zero */
  int64_t exp;
} hm_number;

/* A greater exponent than this, as written, is no number but text. */
#define HM_NUMBER_EXP_MAX INT64_C(1000000000000000)

/* Reads the longest number at the beginning of s: [+|-|U+2212] digits, with ','
 * only between whole groups of three, [. digits] [e [sign] digits]. Returns its
 * length in bytes, or 0 when s does not begin with a number, has leading zeros
 * ("007"), wrong groups ("1,00") or too great an exponent. Digits are in s or in a. */
size_t hm_number_scan(hm_number *out, hm_str s, hm_arena *a);
/* The same for the whole of s. */
bool hm_number_parse(hm_number *out, hm_str s, hm_arena *a);
/* Canonical form (see value.h); hm_number_parse reads it back as the same number. */
hm_str hm_number_text(hm_arena *a, const hm_number *v);
/* -1, 0, 1. */
int hm_number_cmp(const hm_number *x, const hm_number *y);
/* x + y, or x - y: exact. false when the result would have many more digits than
 * the two together (1e9000000 + 1). */
bool hm_number_add(hm_number *out, const hm_number *x, const hm_number *y, hm_arena *a);
bool hm_number_sub(hm_number *out, const hm_number *x, const hm_number *y, hm_arena *a);
/* v × m × 10^e; m below 2^53. */
void hm_number_scale(hm_number *out, const hm_number *v, uint64_t m, int64_t e, hm_arena *a);
/* Nearest double; ±inf when too great. */
double hm_number_double(const hm_number *v);
/* The decimal that prints as %.*g. d must be finite. */
hm_number hm_number_of_double(double d, int significant, hm_arena *a);

/* --- values -------------------------------------------------------------------------------- */

/* An empty value of that raw text, kind NONE. */
void hm_value_init(hm_value *out, hm_str raw);
void hm_value_set_forms(hm_value *out, hm_value_kind kind, hm_str norm, hm_str key);
/* The elements of x that fit none of y: returns how many, and the first max of them. What is not a
 * set or list is one of one element. */
size_t hm_value_missing_items(const hm_value *x, const hm_value *y, const hm_tolerance *tol,
                        const hm_value **out, size_t max);
/* The elements of a set or list; anything else is one of one. */
const hm_value *hm_value_items(const hm_value *v, size_t *n);
/* Both are numeric, of one base, and no further apart than tol allows. */
bool hm_values_within_tolerance(const hm_value *a, const hm_value *b, const hm_tolerance *tol);
/* Sorts the items by key and drops those of equal key. */
void hm_value_sort_items(hm_value *v);
/* "set:[a,b]" of the keys or the norms of the items; likewise of a LIST or OBJECT. */
hm_str hm_value_parts_form(const hm_value *v, hm_value_kind kind, bool key, hm_arena *a);
/* Both are dates, or both times of day, that begin no further apart than tol, a time, allows. */
bool hm_value_times_within_tolerance(const hm_value *a, const hm_value *b, const hm_tolerance *tol);
bool hm_value_is_numeric(const hm_value *v);            /* NUMBER or QUANTITY */
/* The number as stated, without its unit, canonical: "30" of "30 s". For numeric values. */
hm_str hm_value_number_text(const hm_value *v);
hm_str hm_value_unit(const hm_value *v);             /* "s"; empty for a NUMBER */
/* Base unit; "1" for a NUMBER. */
hm_str hm_value_base(const hm_value *v);
/* Number of the key: in base units. */
hm_str hm_value_base_text(const hm_value *v);

/* --- units of measure: unit.c --------------------------------------------------- */

/* A value v in this unit is scale * v + offset in base units. */
typedef struct {
  bool known;
  hm_str base;            /* "s", "kg.m.s-2"; "1" for a dimensionless one */
  double scale, offset;
  bool exact;             /* scale is m * 10^e and offset is shift, as decimals */
  uint64_t m;
  int64_t e;
  hm_number shift;
} hm_unit;

#define HM_UNIT_TOKEN_MAX 40

/* s as the spelling of one unit, compatibility characters replaced ("㎏", "m²",
 * "N·m"); empty when it has not the form of one: up to HM_UNIT_TOKEN_MAX bytes of
 * NAME[[^][-]DIGITS] or (SPELLING), with one of . * - / between. */
hm_str hm_unit_spelling(hm_str s, hm_arena *a);
/* The unit, or NULL when it is unknown. Borrowed from u; valid until the next call. */
const hm_unit *hm_units_get(hm_units *u, hm_str spelling);
/* Memory for the steps of one normal form; forgotten by the next call. */
hm_arena *hm_units_scratch(hm_units *u);

/* --- readers: each reads the whole of a text, or returns false ------------------------------ */

/* What a reader works with: a is the value's memory, scratch that of the steps. ordered: a list in
 * prose has an order. */
typedef struct {
  hm_units *units;
  hm_arena *a, *scratch;
  bool ordered;
  const struct hm_families *families; /* NULL: none */
} hm_reader;

/* Characters that are only another spelling as ASCII (value_text.c); s itself where it is ASCII. */
hm_str hm_value_fold(hm_arena *a, hm_str s);
/* ASCII letters in lower case; in a. */
hm_str hm_value_lower(hm_arena *a, hm_str s);
/* s begins with these words, in any case; words are in lower case. */
bool hm_value_starts_folded(hm_str s, const char *words);
/* The same, with a space behind; then s goes on behind it. */
bool hm_value_skip_word(hm_str *s, const char *word);

/* A number as people write it (value_number.c). */
typedef struct {
  hm_number n;
  bool bare;    /* digits without anything */
  bool whole;   /* a whole number of things: no decimals, no power */
  bool name;    /* "5E1": a number only with a unit behind */
} hm_numeral;
/* The longest numeral at the begin of s; its bytes, or 0. money: k, m, M, b, B multiply. */
size_t hm_numeral_scan(hm_numeral *out, hm_str s, bool money, hm_arena *a);
bool hm_value_is_number_word(hm_str word);

/* What stands behind a number as one unit (unit_phrase.c), or NULL. Borrowed from r->units, valid
 * until the next call; *spelling as unit.c has it. */
const hm_unit *hm_unit_parse_phrase(hm_reader *r, hm_str s, hm_str *spelling);
/* Its tables are in order: for the test. */
bool hm_unit_tables_are_sorted(void);

bool hm_read_amount(hm_value *out, hm_str s, hm_reader *r);     /* value_amount.c */
void hm_value_set_number(hm_value *out, const hm_number *n, hm_reader *r);
bool hm_value_set_quantity(hm_value *out, const hm_number *n, const hm_unit *u, hm_str spelling,
                           hm_reader *r);
/* The code of the currency that s is, "usd" or "USD", or NULL. */
const char *hm_value_money_code(hm_str s);
/* A sign or code of a currency begins s. */
bool hm_value_begins_money(hm_str s);

bool hm_read_date(hm_value *out, hm_str s, hm_reader *r);       /* value_date.c */
bool hm_value_is_date_word(hm_str word);
bool hm_read_clock(hm_value *out, hm_str s, hm_reader *r);      /* value_date.c */
bool hm_read_range(hm_value *out, hm_str s, hm_reader *r);      /* value_range.c */

/* The normal form of a text, which perhaps is a list (value_text.c). */
void hm_read_text(hm_value *out, hm_str s, bool as_text, hm_reader *r);
/* The same of a text that is no list. */
void hm_read_single_text(hm_value *out, hm_str s, bool as_text, hm_reader *r);
void hm_value_set_text(hm_value *out, hm_str trimmed, hm_arena *a);
/* Words of this letter and length may open a special class; hm_value_openers_pass_filter: all that
 * do, of every table, pass it. For the test. */
bool hm_value_word_passes_filter(hm_str word);
bool hm_value_openers_pass_filter(void);
bool hm_number_words_pass_filter(void);
bool hm_date_words_pass_filter(void);
bool hm_money_codes_pass_filter(void);
/* Any class but a list; s is folded. */
void hm_value_read_plain(hm_value *out, hm_str s, bool as_text, hm_reader *r);
#endif
