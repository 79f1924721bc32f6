/* What value.c, value_json.c, value_compare.c, value_words.c and unit.c share. Not for others. */
#ifndef HM_VALUE_IMPL_H
#define HM_VALUE_IMPL_H
#include "number.h"
#include "value.h"

/* An empty value of that raw text, kind NONE. */
void hm_value_init(hm_value *out, hm_str raw);
void hm_value_set_forms(hm_value *out, hm_value_kind kind, hm_str norm, hm_str key);
/* The elements of a set, by key; a scalar is a set of one. */
const hm_value *hm_value_items(const hm_value *v, size_t *n);
/* Both are numeric, of one base, and no further apart than tol allows. */
bool hm_value_within(const hm_value *a, const hm_value *b, const hm_tolerance *tol);
bool hm_value_numeric(const hm_value *v);            /* NUMBER or QUANTITY */
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

#define HM_UNIT_TOKEN_MAX 24

/* s as the spelling of one unit, compatibility characters replaced ("㎏", "m²",
 * "N·m"); empty when it has not the form of one: up to HM_UNIT_TOKEN_MAX bytes of
 * NAME[[^][-]DIGITS] or (SPELLING), with one of . * - / between. */
hm_str hm_unit_spelling(hm_str s, hm_arena *a);
/* The unit, or NULL when it is unknown. Borrowed from u; valid until the next call. */
const hm_unit *hm_units_get(hm_units *u, hm_str spelling);
/* Memory for the steps of one normal form; forgotten by the next call. */
hm_arena *hm_units_scratch(hm_units *u);
#endif
