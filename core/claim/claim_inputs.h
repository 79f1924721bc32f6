/* What the claims of a row depend on besides the row, by their values. By the names of their slots:
 * hm_claim_input_ids and hm_claim_input_type (slot.h). */
#ifndef HM_CLAIM_INPUTS_H
#define HM_CLAIM_INPUTS_H
#include "core/store/row.h"

/* Calls each with every text of the row that may be an id its claims depend on: the ids of other
 * entities that its values may be (hm_value_parse_id), some perhaps of fields that claim nothing.
 * Of any status. Texts in a. */
void hm_claim_each_input_id(const hm_row *row, void (*each)(void *ctx, hm_str id), void *ctx,
                          hm_arena *a);
#endif
