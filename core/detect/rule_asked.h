/* What the rules by row and by reference ask of rows of one layer and type. */
#ifndef HM_RULE_ASKED_H
#define HM_RULE_ASKED_H
#include "core/detect/rule.h"

/* One call of a finder for each such row: for this rule and the n - 1 behind it in the table
 * (hm_rule.asked_together). */
typedef struct {
  const hm_rule *rule; size_t n;
  bool by_ref;
  uint32_t columns;       /* of the cards that it gets */
} hm_asked;

typedef struct {
  hm_layer layer;
  hm_str type;
  hm_asked *rules; size_t n;
} hm_asked_of_type;

enum { HM_TYPES_KEPT = 64 };

/* table, wanted (for each of its rules) and a are the caller's; the rest begins as zero. */
typedef struct {
  const hm_rule_table *table;
  const bool *wanted;
  hm_arena *a;
  hm_asked_of_type kept[HM_TYPES_KEPT];
} hm_askings;

/* Reads the row's head. Valid until the next call; never NULL. */
const hm_asked_of_type *hm_asked_of(hm_askings *x, const hm_row *row);
#endif
