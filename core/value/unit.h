/* Units of measure. */
#ifndef HM_UNIT_H
#define HM_UNIT_H
#include "core/value/decimal.h"

/* A cache of units, one per thread; calls udunits2 under a lock. Looks up (base, scale, offset)
 * once per spelling. */
typedef struct hm_units hm_units;
hm_units *hm_units_new(void);
void hm_units_free(hm_units *u);

/* Starts a thread that loads udunits2 (5 to 8 ms), unless loaded. The first lookup of a unit waits
 * for it. */
void hm_units_preload(void);

/* A value v in this unit is scale * v + offset in base units. */
typedef struct {
  bool known;
  hm_str base; /* "s", "kg.m.s-2"; "1" for a dimensionless one */
  double scale, offset;
  bool exact; /* scale is m * 10^e and offset is shift, as decimals */
  uint64_t m;
  int64_t e;
  hm_number shift;
} hm_unit;

#define HM_UNIT_TOKEN_MAX 40

/* s as the spelling of one unit, with compatibility characters replaced ("㎏", "m²", "N·m"); empty
 * if it does not have the form of one: up to HM_UNIT_TOKEN_MAX bytes of NAME[[^][-]DIGITS] or
 * (SPELLING), with one of . * - / between. */
hm_str hm_unit_spelling(hm_str s, hm_arena *a);
/* The unit, or NULL if unknown. Borrowed from u; valid until the next call. */
const hm_unit *hm_units_get(hm_units *u, hm_str spelling);
/* A currency code, which is a unit, as it stands in the table: "USD"; NULL: it is none. */
const char *hm_money_code(hm_str s);
/* Scratch memory for making one normal form; the next call resets it. */
hm_arena *hm_units_scratch(hm_units *u);
#endif
