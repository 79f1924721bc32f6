/* What the files of value*.c share. Not for others. */
#ifndef HM_VALUE_IMPL_H
#define HM_VALUE_IMPL_H
#include "number.h"
#include "value.h"

bool hm_value_numeric(const hm_value *v);            /* NUMBER or QUANTITY */
/* The number as stated, without its unit, canonical: "30" of "30 s". For numeric values. */
hm_str hm_value_number_text(const hm_value *v);
hm_str hm_value_unit(const hm_value *v);             /* "s"; empty for a NUMBER */
/* Base unit; "1" for a NUMBER. */
hm_str hm_value_base(const hm_value *v);
/* Number of the key: in base units. */
hm_str hm_value_base_text(const hm_value *v);
/* Both are numeric, of one base, and no further apart than tol allows. */
bool hm_value_within(const hm_value *a, const hm_value *b, const hm_tolerance *tol);
/* Normal form of the elements of a set. */
void hm_value_of_array(hm_value *out, const hm_json *v, bool as_text, const hm_value_reading *by,
                       hm_units *u, hm_arena *a, bool *unreadable);
#endif
