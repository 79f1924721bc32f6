/* Values in normal form, and when two of them are compatible. Design section 6.
 *
 * White space around a value and one full stop at its end say nothing. Characters that are only
 * another spelling are read as what they mean (value_spelling.c: dashes, quotes, primes, spaces,
 * the signs for x, <=, >=, +/-, wide ASCII; zero-width characters and soft hyphens are dropped).
 * norm is exact, key is equal across spellings. A kind reads the whole of a text, or not at all, in
 * this order:
 *
 *   kind      from                                          norm; key where it is another
 *   boolean   JSON true/false; true, yes, on, enabled and   bool:true
 *             false, no, off, disabled as the whole text
 *   date      ISO; year first with / or . (2026/4/2);       date:<as precise as stated, UTC>,
 *             month in words; weeks, quarters, halves with  date:2026-W14, date:2026-Q2,
 *             a year; a day and a time of day (value_date)  date:2026-H1
 *   clock     h:mm[:ss], am/pm, noon, midnight, a zone      time:09:00, time:09:00:30 in UTC
 *             behind (value_date)
 *   number    digits, groups, a decimal point or comma,     number:<canonical>
 *             powers, fractions, words, "million", "dozen"
 *             (value_number). "5E1" and leading zeros: no
 *   quantity  a number and a unit (unit.c, unit_phrase);    quantity:<n> <unit>; key quantity:<n in
 *             money; several of one dimension (1 h 30 min)  base units> <base>, exact where it is
 *             as the sum in the last unit (value_amount)    a decimal of its base, else 12 digits
 *   range     two sides, a bound, a deviation               range:5 kg..10 kg, range:<=5 kg,
 *             (value_range)                                 range:~5 kg; key of the sides' keys
 *   text      anything else; a release without its v, an    text:<hm_text_fold_value>; key of a
 *             address without the slash at its end, a MAC   list in prose list:<key of the set of
 *             without separators, a count of things with    its items>, which stand in items
 *             its number in digits (value_text)
 *   set       JSON array, duplicates dropped                set:[norm,...] sorted; key
 *                                                           set:[key,...] sorted
 *   list      JSON array where the field means an order     ordered:[norm,...]; key with the keys
 *   object    JSON object, by folded names                  object:{name=norm,...}; key with keys
 *
 * Fields of texts (hm_rules_is_text) have texts alone. Two kinds of values depend on the other
 * claims of their slot (claim_compare.c): decimals beside releases, "71A" beside a current.
 * In the elements of a set or list \ , [ ] have a backslash, in an object { } = too; a long one
 * inside another is set:#<SHA-256>.
 * Canonical number: [-]digits[.digits] without leading or trailing zeros while the exponent is in
 * [-30, 30], else [-]d.ddde[-]x; "-0" is "0". */
#ifndef HM_VALUE_H
#define HM_VALUE_H
#include "core/base/json.h"
#include "core/base/time.h"
#include "core/claim/rules.h"
#include "core/claim/unit.h"

typedef enum {
  HM_V_NONE,   /* null, empty, blank, silence or redacted (redaction.h): claims nothing */
  HM_V_TEXT, HM_V_BOOL, HM_V_NUMBER, HM_V_QUANTITY, HM_V_DATE, HM_V_SET,
  HM_V_CLOCK, HM_V_RANGE, HM_V_LIST, HM_V_OBJECT
} hm_value_kind;

typedef struct hm_value {
  hm_value_kind kind;
  bool silent;             /* NONE because it says that nothing is known; see hm_value_is_silence */
  bool denied;             /* polarity -1: this is not so; raw, norm and key begin with "not:" */
  hm_str named;            /* the name of the entity whose id the text is; else empty */
  hm_str raw;              /* a string's text, else its JSON text; empty: has parts, in another */
  hm_str norm, key;
  double num;              /* NUMBER: the value; QUANTITY: in base units; RANGE: its least */
  double most;             /* RANGE of numbers or quantities: its greatest, in base units */
  hm_str base;             /* QUANTITY: base unit, "1" for a dimensionless one (%); RANGE: of both
                              sides, "1" for numbers, empty for a bound; else empty */
  hm_precision precision;  /* DATE */
  hm_time time, last;      /* DATE: first and last instant; CLOCK: of 1970-01-01 */
  struct hm_value *items; size_t n_items;   /* SET: sorted by key; LIST; OBJECT: by name; TEXT that
                                               is a list: sorted, or in order as a LIST */
} hm_value;

/* --- what a value is made of: value.c -------------------------------------------------------- */

/* Denies a value: "not: rebase", "not:text:rebas". */
void hm_value_deny(hm_value *v, hm_arena *a);
/* raw without the denial. */
hm_str hm_value_undenied_raw(const hm_value *v);
/* The key without the denial: what a claim says something of. */
hm_str hm_value_undenied_key(const hm_value *v);
/* SET, LIST or OBJECT: items are its parts. */
bool hm_value_has_parts(const hm_value *v);
/* The names of an OBJECT's items. */
const hm_str *hm_value_item_names(const hm_value *v);
/* The id that a text is, if it has the shape of one: one token of at most 64 bytes, letters, digits
 * and . _ : / -, with a letter in it, or behind "entity:"; else empty. */
hm_str hm_value_parse_id(hm_str text);
/* A value that may be the id of an entity, by its kind: hm_value_parse_id says the rest. */
bool hm_value_may_be_id(const hm_value *v);
/* v is a number or quantity that lies between the sides of a range of its base unit, or is one of
 * them: "45 s" in "30 to 60 s". Never of a bound or where either is denied. */
bool hm_value_in_range(const hm_value *v, const hm_value *range);

/* --- reading: value_read.c -------------------------------------------------------------------- */

/* Normal form of a string. as_text: never a number, quantity, date or boolean
 * (fields named version, serial, ...). Phrases longer than 48 bytes are not units. */
void hm_value_parse_text(hm_value *out, hm_str raw, bool as_text, hm_units *u, hm_arena *a);
/* By what else than its words a text is read. */
typedef struct {
  const hm_rules *rules;   /* of silence; NULL: the built-in words only */
  /* The name of the entity with this id, or empty; NULL: ids are texts. */
  hm_str (*name_of)(void *ctx, hm_str id);
  void *ctx;
  bool ordered;            /* arrays are lists */
  const struct hm_families *families; /* names in several spellings; NULL: none are known */
} hm_value_reading;

/* Normal form of a string: silence gives NONE; the id of an entity is read as its name. */
void hm_value_parse(hm_value *out, hm_str raw, bool as_text, const hm_value_reading *by,
                    hm_units *u, hm_arena *a);
/* Normal form of a JSON value, its strings read by hm_value_parse. An array or object of silence
 * alone is silence; beside values it is no part. */
void hm_value_parse_json(hm_value *out, const hm_json *v, bool as_text, const hm_value_reading *by,
                         hm_units *u, hm_arena *a);
/* "4.8" and the unit "kg" beside it are "4.8 kg", when that is a quantity; [1, 2] and mm are
 * [1, 2] mm; to "4.8 kg" a unit of mass adds nothing. False, and v as before: the unit does not go
 * with it, or not with every element. */
bool hm_value_add_unit(hm_value *v, hm_str unit, hm_units *u, hm_arena *a);

/* --- comparison: value_compare.c, value_words.c ----------------------------------------------- */

/* True when a and b can both hold: equal keys; within one unit (or none) exact decimals; across
 * units 12 significant digits (a number and a dimensionless quantity too: 12 pcs and 12, but not
 * 5 % and 0.05; 24 V and 24 VDC); dates and times of day when one lies in the other (a bare integer
 * 1000..9999 beside a date is a year); sets when one contains the other, element by compatible
 * element, a scalar being a set of one, a list in prose also the set of its items; lists when one
 * is left of the other when elements are taken out; objects when all values under names that both
 * have are compatible, and an object with anything but an object or array; numbers within tol
 * (NULL: none), whose unit may be any of the same base; without a unit it counts in the unit that
 * both state. NONE is compatible with all. A denied value is incompatible with the same one (equal
 * keys) that is not denied, and with nothing else. Symmetric and reflexive, not transitive. */
bool hm_values_are_compatible(const hm_value *a, const hm_value *b, const hm_tolerance *tol);
/* The arithmetic between two values in words, for explain: "30 s = 30 s, 31 s =
 * 31 s: differ by 1 s"; in arena. Always says something true and specific. */
hm_str hm_value_describe_difference(hm_arena *a, const hm_value *x, const hm_value *y,
                                    const hm_tolerance *tol);
/* What two values that agree though they are spelled differently both mean: "both are 30 seconds",
 * "both are 2 April 2026", "both list the same three things"; in arena. Empty: they are spelled
 * alike, or cannot both hold. */
hm_str hm_value_describe_agreement(hm_arena *a, const hm_value *x, const hm_value *y,
                                   const hm_tolerance *tol);

/* What changes from x to y, for a reader who sees both: "+0.02 kg (0.4 %)", "-1 s (3.2 %)", "3 days
 * later", "adds C, leaves out A"; in a. An amount is in the unit of x. Empty: the two do not differ
 * by an amount, a time or an element that can be named. */
hm_str hm_value_describe_change(hm_arena *a, const hm_value *x, const hm_value *y);

/* --- versions: value_compare.c ---------------------------------------------------------------- */

/* A version: numbers with points between them, perhaps behind a v. */
bool hm_is_version(hm_str s);
/* By their numbers; of two that begin alike the shorter is first. Of versions. */
int hm_version_compare(hm_str x, hm_str y);
/* Is x a higher version than y, and not y said more exactly? "14.2" is 14, and above 14.1. */
bool hm_version_above(hm_str x, hm_str y);
/* Is one of two versions the other, said more exactly? */
bool hm_version_refines(hm_str x, hm_str y);
#endif
