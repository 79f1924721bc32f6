/* Values in normal form, and when two of them are compatible. Design section 6.
 *
 * White space around a value and one full stop at its end are ignored. Variants of a character are
 * replaced by the plain one (value_spelling.c: dashes, quotes, primes, spaces, the signs for x, <=,
 * >=, +/-, wide ASCII; zero-width characters and soft hyphens are dropped). norm is exact, key is
 * equal across spellings. The first of these kinds that reads the whole text wins:
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
 *             without separators, a count of things with    its items>, which stand in items; of a
 *             its number in digits (value_text)             demand on a version demand:<spans>
 *   set       JSON array, duplicates dropped                set:[norm,...] sorted; key
 *                                                           set:[key,...] sorted
 *   list      JSON array where the field means an order     ordered:[norm,...]; key with the keys
 *   object    JSON object, by folded names                  object:{name=norm,...}; key with keys
 *
 * Text fields (HM_READ_TEXT) have only texts. What could be several things is read as its slot
 * supports: by the name (slot_reading.h), by the other rows (slot_evidence.c). Elements of a set
 * or list escape \ , [ ] by a backslash, those of an object also { } =; a long one inside another
 * is set:#<SHA-256>. Canonical number: [-]digits[.digits] without leading or trailing zeros while
 * the exponent is in [-30, 30], else [-]d.ddde[-]x; "-0" is "0". */
#ifndef HM_VALUE_H
#define HM_VALUE_H
#include "core/base/json.h"
#include "core/base/time.h"
#include "core/value/rules.h"
#include "core/value/unit.h"

typedef enum {
  HM_V_NONE, /* null, empty, blank, silence or redacted (redaction.h): claims nothing */
  HM_V_TEXT,
  HM_V_BOOL,
  HM_V_NUMBER,
  HM_V_QUANTITY,
  HM_V_DATE,
  HM_V_SET,
  HM_V_CLOCK,
  HM_V_RANGE,
  HM_V_LIST,
  HM_V_OBJECT
} hm_value_kind;

typedef struct hm_value {
  hm_value_kind kind;
  hm_reading supports; /* by the slot: slot_reading.h */
  bool cased;          /* TEXT: its case is a part of it */
  bool silent;         /* NONE because of hm_value_is_silence */
  bool denied;         /* polarity -1: denied; raw, norm and key begin with "not:" */
  hm_str named;        /* if the text is the id of an entity, its name; else empty */
  hm_str raw;          /* a string's text, else JSON text; empty for parts inside another */
  hm_str norm, key;
  double num;             /* NUMBER: the value; QUANTITY: in base units; RANGE: its least */
  double most;            /* RANGE of numbers or quantities: its greatest, in base units; of a
                             bound num or most is infinite */
  hm_str base;            /* QUANTITY: base unit, "1" for a dimensionless one (%); RANGE: of its
                             sides, "1" for numbers, empty for "about"; else empty */
  hm_precision precision; /* DATE */
  hm_time time, last;     /* DATE: first and last instant; CLOCK: of 1970-01-01 */
  struct hm_value *items;
  size_t n_items; /* SET: sorted by key; LIST; OBJECT: by name; TEXT that
                     is a list: sorted, or in order as a LIST */
} hm_value;

/* --- parts of a value: value.c -------------------------------------------------------- */

/* Denies a value: "not: rebase", "not:text:rebas". */
void hm_value_deny(hm_value *v, hm_arena *a);
/* The key without the denial. */
hm_str hm_value_undenied_key(const hm_value *v);
/* Is it a set of versions that may be used: ">=20", "18 or later"? */
bool hm_value_is_demand(const hm_value *v);
/* SET, LIST or OBJECT: items are its parts. */
bool hm_value_has_parts(const hm_value *v);
/* The names of an OBJECT's items. */
const hm_str *hm_value_item_names(const hm_value *v);
/* The id in a text of that shape: one token of at most 64 bytes of letters, digits and . _ : / -,
 * with a letter in it or after "entity:"; else empty. */
hm_str hm_value_parse_id(hm_str text);
/* Can a value of this kind be the id of an entity (see hm_value_parse_id)? */
bool hm_value_may_be_id(const hm_value *v);
/* Is v a number or quantity within the sides, inclusive, of a range of its base unit: "45 s" in "30
 * to 60 s", in "at most 60 s"? False if either is denied. */
bool hm_value_in_range(const hm_value *v, const hm_value *range);

/* --- reading: value_read.c -------------------------------------------------------------------- */

/* Normal form of a string, read as its slot supports. HM_READ_TEXT: never a number, quantity, date
 * or boolean (fields named version, serial, ...). Phrases longer than 48 bytes are not units. */
void hm_value_parse_text(hm_value *out, hm_str raw, hm_reading supports, hm_units *u, hm_arena *a);
/* The context in which a text is read. */
typedef struct {
  const hm_rules *rules; /* for silence; NULL: the built-in words only */
  /* The name of the entity with this id, or empty; NULL: ids are texts. */
  hm_str (*name_of)(void *ctx, hm_str id);
  void *ctx;
  bool ordered;                       /* arrays are lists */
  const struct hm_families *families; /* names with several spellings; NULL: none */
} hm_value_reading;

/* The same in a context: silence gives NONE, and the id of an entity is read as its name. */
void hm_value_parse(hm_value *out, hm_str raw, hm_reading supports, const hm_value_reading *by,
                    hm_units *u, hm_arena *a);
/* Normal form of a JSON value, its strings read by hm_value_parse. An array or object of only
 * silence is silence; else silent parts are dropped. */
void hm_value_parse_json(hm_value *out, const hm_json *v, hm_reading supports,
                         const hm_value_reading *by, hm_units *u, hm_arena *a);
/* Adds a unit from another field: "4.8" and "kg" give "4.8 kg" if that is a quantity; [1, 2] and mm
 * give [1, 2] mm; a unit of mass leaves "4.8 kg". False, with v unchanged, if the unit does not fit
 * v or one of its elements. */
bool hm_value_add_unit(hm_value *v, hm_str unit, hm_units *u, hm_arena *a);

/* --- comparison: value_compare.c, value_refines.c, value_words.c ------------------------------ */

/* True if a and b can both hold: equal keys; within one unit (or none) equal decimals; across units
 * 12 equal significant digits (also a number and a dimensionless quantity: 12 pcs and 12, but not 5
 * % and 0.05; 24 V and 24 VDC); dates and times of day if one lies in the other (a bare integer
 * 1000..9999 beside a date is a year); sets if one contains the other, element by compatible
 * element (a scalar is a set of one, a list in prose also the set of its items); lists if one is a
 * subsequence of the other; objects if all values under common names are compatible; an object and
 * anything but an object or array; numbers within tol (NULL: none), whose unit may be any of the
 * same base, or, if it has none, is the unit that both state. NONE is compatible with all. A denied
 * value is incompatible with the same one (equal keys) that is not denied, and with nothing else.
 * Texts in two spellings (value_wording.c) are compatible. Symmetric and reflexive, not
 * transitive. */
bool hm_values_are_compatible(const hm_value *a, const hm_value *b, const hm_tolerance *tol);
/* The greatest difference in base units if tol names a unit of that base, else -1. */
double hm_tolerance_in_base(const hm_tolerance *tol, hm_str base);
/* Can both hold, because one says the other more exactly, or may be it? "Dr. Dana Reyes" and "Dana
 * Reyes", "Berlin, Germany" and "Berlin", "178 cm" and "5 ft 10 in": value_refines.c has the list.
 * slot: the folded name. Symmetric, not transitive; compatible values need not refine. */
bool hm_values_refine(hm_str slot, const hm_value *a, const hm_value *b);
/* What a value is read as, in words: "a temperature", "a version or a code". */
hm_str hm_value_describe_reading(const hm_value *v);
/* The arithmetic between two values in words, for explain: "30 s = 30 s, 31 s =
 * 31 s: differ by 1 s"; in arena. Never empty. */
hm_str hm_value_describe_difference(hm_arena *a, const hm_value *x, const hm_value *y,
                                    const hm_tolerance *tol);
/* The common meaning of two values that agree but are spelled differently: "both are 30 seconds",
 * "both are 2 April 2026", "both list the same three things"; in arena. Empty if they are spelled
 * alike or cannot both hold. */
hm_str hm_value_describe_agreement(hm_arena *a, const hm_value *x, const hm_value *y,
                                   const hm_tolerance *tol);

/* The change from x to y, for a reader who sees both: "+0.02 kg (0.4 %)", "+0.5 percentage points",
 * "3 days later", "adds C, leaves out A"; in a. An amount is in the unit of x. Empty if they do not
 * differ by an amount, a time or nameable elements. */
hm_str hm_value_describe_change(hm_arena *a, const hm_value *x, const hm_value *y);

/* --- versions: value_compare.c ---------------------------------------------------------------- */

/* A version: numbers with points between them, perhaps behind a v. */
bool hm_is_version(hm_str s);
/* Is x a higher version than y, and not y stated more exactly? "14.2" is above 14.1, but is also
 * 14. */
bool hm_version_above(hm_str x, hm_str y);
/* Orders two versions by their numbers; one that refines another follows it. */
int hm_version_order(hm_str x, hm_str y);
/* Is one of two versions a more exact form of the other? */
bool hm_version_refines(hm_str x, hm_str y);
#endif
