/* Units of measure. */
#ifndef HM_UNIT_H
#define HM_UNIT_H
#include "core/claim/decimal.h"

/* A cache of units, one for each thread that normalises; udunits2 itself is
 * called under a lock inside. The table of unit -> (base, scale, offset) is
 * filled once per spelling. */
typedef struct hm_units hm_units;
hm_units *hm_units_new(void);
void hm_units_free(hm_units *u);

/* Begins to load udunits2 (5 to 8 ms) on a thread of its own, unless that is done. The first unit
 * of a process waits for it. */
void hm_units_preload(void);

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
/* The codes of currencies, which are units: "USD"; NULL after the last. */
const char *hm_money_code(size_t i);
/* Memory for the steps of one normal form; forgotten by the next call. */
hm_arena *hm_units_scratch(hm_units *u);
#endif
