/* Shared by the files of values only (value*.c, unit_phrase.c). */
#ifndef HM_VALUE_IMPL_H
#define HM_VALUE_IMPL_H
#include "core/base/ascii.h"
#include "core/base/str.h"
#include "core/value/decimal.h"
#include "core/value/unit.h"
#include "core/value/value.h"

/* --- parts of a value: value.c ------------------------------------------------------- */

/* An empty value with this raw text, kind NONE. */
void hm_value_init(hm_value *out, hm_str raw);
void hm_value_set_forms(hm_value *out, hm_value_kind kind, hm_str norm, hm_str key);
/* What a norm or a key has behind the name of its class: "5 kg" of "quantity:5 kg". */
hm_str hm_value_without_class(hm_str form);
bool hm_value_is_numeric(const hm_value *v); /* NUMBER or QUANTITY */
/* The number as stated, without its unit, canonical: "30" of "30 s". For numeric values. */
hm_str hm_value_number_text(const hm_value *v);
hm_str hm_value_unit(const hm_value *v); /* "s"; empty for a NUMBER */
/* Base unit; "1" for a NUMBER. */
hm_str hm_value_base(const hm_value *v);
/* Number of the key: in base units. */
hm_str hm_value_base_text(const hm_value *v);
/* Sorts the items by key and drops duplicates. */
void hm_value_sort_items(hm_value *v);
/* "set:[a,b]" from the keys or the norms of the items; likewise for a LIST or OBJECT. */
hm_str hm_value_parts_form(const hm_value *v, hm_value_kind kind, bool key, hm_arena *a);

/* --- spellings: value_spelling.c ------------------------------------------------------------ */

/* s with variants of ASCII characters replaced; s itself if it is ASCII. */
hm_str hm_value_fold(hm_arena *a, hm_str s);
/* The canonical spelling of a text of a few words, in a; empty if it is that already or there is
 * none. */
hm_str hm_value_one_spelling(hm_str s, hm_arena *a);
/* Without the full stops and commas behind it. */
hm_str hm_value_without_stop(hm_str word);
/* s begins with these words, in any case; words are in lower case. */
bool hm_value_starts_folded(hm_str s, const char *words);
/* The same with a space after them; then advances s past both. */
bool hm_value_skip_word(hm_str *s, const char *word);
/* Is all of s this word, or one of these, in any case? They are in lower case. */
bool hm_value_is_word(hm_str s, const char *word);
bool hm_value_is_any(hm_str s, const char *const *words, size_t n);
#define HM_IS_ANY(s, words) hm_value_is_any(s, words, HM_COUNT(words))
/* The row of a sorted table of words in lower case, its first member, that this is in any case; and
 * the text that is the second member of that row. NULL, empty: there is none. */
const void *hm_value_find(hm_str word, const void *rows, size_t n, size_t size);
hm_str hm_value_look_up(hm_str word, const void *rows, size_t n, size_t size);
#define HM_FIND(word, rows) hm_value_find(word, rows, HM_COUNT(rows), sizeof *(rows))
#define HM_LOOK_UP(word, rows) hm_value_look_up(word, rows, HM_COUNT(rows), sizeof *(rows))

/* --- forms: value_forms.c --------------------------------------------------------------------- */

/* The one form of a text without blanks: "#ffffff" of "#FFF"; empty if it has no other. In a, or a
 * part of s. */
hm_str hm_value_one_form(hm_str s, hm_reading supports, hm_arena *a);
/* "755" of "0755" and "0o755"; empty if s is no mode of a file. */
hm_str hm_value_octal_mode(hm_str s);
/* s without the quotes around it. */
hm_str hm_value_without_quotes(hm_str s);
/* For the test: are its tables sorted? */
bool hm_value_forms_are_sorted(void);

/* --- patterns: value_pattern.c ---------------------------------------------------------------- */

/* The one text of those that are written in several patterns: "-18 °C" of "minus 18 °C", "1:3" of
 * "1 to 3" in a slot of ratios; s if there is no other. In a, or s. */
hm_str hm_value_by_pattern(hm_str s, hm_reading supports, hm_arena *a);

/* --- wordings: value_wording.c -------------------------------------------------------------- */

enum { HM_WORDING_MAX = 256 };
/* What a value says behind the name of its class, in the one wording of texts; in out. Empty: it is
 * too long. */
hm_str hm_value_wording(const hm_value *v, char out[HM_WORDING_MAX]);
/* Two texts say one thing in two spellings: "double-blind", "double blind". */
bool hm_value_same_wording(const hm_value *a, const hm_value *b);
/* "united states" as "united_states", "u.s" as "us": as the table of places has names. */
hm_str hm_value_as_name(hm_str wording, char out[HM_WORDING_MAX]);

/* Do two wordings name one phone, book, account, house, host or position (value_contacts.c)? */
bool hm_values_same_contact(hm_str slot, const hm_value *a, hm_str x, const hm_value *b, hm_str y);

/* Are two values one in a slot of this folded name, which says what its values are: 0 and "no" of
 * "debug", "P1" and "priority 1" of a priority (value_in_slot.c)? Symmetric. */
bool hm_values_same_in_slot(hm_str slot, const hm_value *a, const hm_value *b);

/* Are these the last words of the name of a slot? */
bool hm_value_slot_ends_in(hm_str slot, const char *word);

/* Do two texts in small letters name one country, each by a code or its name (country.c)? */
bool hm_countries_are_one(hm_str x, hm_str y);

/* --- readers: each reads the whole of a text, or returns false ------------------------------ */

/* The state of a reader. a: memory of the value; scratch: of the steps. ordered: lists in prose are
 * ordered. */
typedef struct {
  hm_units *units;
  hm_arena *a, *scratch;
  bool ordered;
  hm_reading supports;                /* by the slot */
  const struct hm_families *families; /* NULL: none */
} hm_reader;

/* A number as people write it (value_number.c). */
typedef struct {
  hm_number n;
  bool bare;  /* only digits */
  bool whole; /* a whole number of things: no decimals, no power */
  bool name;  /* "5E1": a number only before a unit */
} hm_numeral;
/* Reads the longest numeral at the beginning of s; returns its bytes, or 0. money: k, m, M, b, B
 * multiply. */
size_t hm_numeral_scan(hm_numeral *out, hm_str s, bool money, hm_arena *a);
bool hm_value_is_number_word(hm_str word);
/* The number of the digits in [from, end), at most nine. */
int hm_value_whole(hm_str s, size_t from, size_t end);

/* Does the slot say which unit this letter behind a number is: m is the minute of a timeout? */
bool hm_unit_letter_is_supported(hm_str unit, hm_reading supports);
/* Reads the text after a number as one unit (unit_phrase.c), or returns NULL. Borrowed from
 * r->units, valid until the next call; *spelling as in unit.c. */
const hm_unit *hm_unit_parse_phrase(hm_reader *r, hm_str s, hm_str *spelling);
/* Is it a word of a language that parts groups of digits by points? */
bool hm_unit_has_points(hm_str phrase);
/* For the test: are its tables sorted? */
bool hm_unit_tables_are_sorted(void);
/* The bytes of a currency sign or code at the beginning of s, or 0. *code: its meaning; *also: the
 * codes that may follow the same number. */
size_t hm_money_at(hm_str s, const char **code, const char **also);

/* Demands on a version, in slots of versions (value_demand.c). */
bool hm_value_read_demand(hm_value *out, hm_str s, hm_reader *r);
/* Of two values of which one is a demand, at least: is the other a version that it allows? */
bool hm_values_meet_demand(const hm_value *a, const hm_value *b);

/* Texts in normal form (value_text.c). */
void hm_value_set_text(hm_value *out, hm_str trimmed, hm_arena *a);
/* Is the case of this text, in a slot that supports these readings, a part of it? */
bool hm_value_case_counts(hm_str s, hm_reading supports);
/* Returns true if it has no class of its own and has a sign of a list. */
bool hm_value_read_text(hm_value *out, hm_str s, bool as_text, hm_reader *r);

bool hm_value_read_amount(hm_value *out, hm_str s, hm_reader *r); /* value_amount.c */
void hm_value_set_number(hm_value *out, const hm_number *n, hm_reader *r);

bool hm_value_read_date(hm_value *out, hm_str s, hm_reader *r); /* value_date.c */
bool hm_value_is_date_word(hm_str word);
/* What a text states of a day and a time of day (value_moment.c); HM_NOT_STATED where it does not.
 */
enum { HM_NOT_STATED = -1 };
typedef struct {
  int year, month, day, weekday; /* weekday: 0 is Monday */
  int months, number;            /* of a part of a year, and which; months 0: a week */
  int64_t clock;                 /* microseconds of the day */
  hm_precision precision;        /* of the clock */
  int zone;                      /* minutes east of UTC */
  hm_str zoned;                  /* the zone as it stands; empty: none */
  bool named, unknown;           /* the zone has a name; one that no table has */
  bool unsure, short_year;       /* the month may be the day; a year of two digits */
  bool halves;                   /* AM or PM */
} hm_moment;
/* False: a word or a sign in it belongs to no date. */
bool hm_moment_scan(hm_moment *m, hm_str s);
/* Are two days or times one in other spellings, one of which is no date (value_moment.c)? */
bool hm_values_same_moment(const hm_value *a, const hm_value *b);
bool hm_value_read_clock(hm_value *out, hm_str s, hm_reader *r); /* value_date.c */
bool hm_value_read_range(hm_value *out, hm_str s, hm_reader *r); /* value_range.c */

/* --- comparison: value_compare.c ------------------------------------------------------------ */

/* The elements of x that fit none of y: returns their number, and the first max in out. A value
 * that is not a set or list counts as one element. */
size_t hm_value_missing_items(const hm_value *x, const hm_value *y, const hm_tolerance *tol,
                              const hm_value **out, size_t max);
/* The elements of a set or list; for any other value itself. */
const hm_value *hm_value_items(const hm_value *v, size_t *n);
/* Are both numeric, of one base, and within tol? */
bool hm_values_within_tolerance(const hm_value *a, const hm_value *b, const hm_tolerance *tol);
/* Are both dates, or both times of day, that begin within tol, a time, of each other? */
bool hm_value_times_within_tolerance(const hm_value *a, const hm_value *b, const hm_tolerance *tol);
#endif
