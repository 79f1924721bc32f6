/* What the claims of a row depend on besides the row itself. Pure. */
#ifndef HM_DEPENDS_H
#define HM_DEPENDS_H
#include "core/claim/slot.h"

/* The ids (bare) that the elements of an entity's slot may be: an entity of the same project that
 * has one of them gives its name to the slot. There need not be such an entity. Texts in a. Returns
 * how many. */
size_t hm_depends_on_ids(const hm_row *entity, hm_str ids[HM_ELEMENTS_MAX], hm_arena *a);

/* Calls each with every text of the row that may be an id its claims depend on: the ids of other
 * entities that its values may be (hm_value_id), some perhaps of fields that claim nothing. Of any
 * status. Texts in a. */
void hm_depends_on_values(const hm_row *row, void (*each)(void *ctx, hm_str id), void *ctx,
                          hm_arena *a);

/* The key of the type of an entity, or of the one that a state's category names, when the
 * specification does not have it; else empty. A state with such a category is compared with other
 * types too as long as no entity of the store, active or not, is of that type. Other layers: empty.
 * In a. */
hm_str hm_depends_on_type(const hm_row *row, hm_arena *a);
#endif
