/* What changes from one value to another, for a reader who sees both. */
#ifndef HM_VALUE_CHANGE_H
#define HM_VALUE_CHANGE_H
#include "value.h"

/* From x to y: "+0.02 kg (0.4 %)", "-1 s (3.2 %)", "3 days later", "adds C, leaves out A"; in a.
 * An amount is in the unit of x. Empty: the two do not differ by an amount, a time or an element
 * that can be named. */
hm_str hm_value_change(hm_arena *a, const hm_value *x, const hm_value *y);
#endif
