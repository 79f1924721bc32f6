/* The one udunits2 system of the process, behind a lock. For unit.c only. */
#ifndef HM_UNIT_SYSTEM_H
#define HM_UNIT_SYSTEM_H
#include "core/base/str.h"

/* hm_units_expect. */
void hm_unit_system_begin(void);
/* What a spelling means: v of it is scale * v + offset of base. base is in a.
 * false: unknown, or no plain unit (a time since, a logarithm). Thread-safe. */
bool hm_unit_system_read(hm_str spelling, hm_arena *a, hm_str *base, double *scale, double *offset);
#endif
