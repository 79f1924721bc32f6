/* Which rows without an id of their own were edited in their source. */
#ifndef HM_EDITED_ROWS_H
#define HM_EDITED_ROWS_H
#include "core/store/import.h"
#include "core/value/rules.h"

/* For hm_import_options.edited; ctx: the hm_rules. A row that is gone was edited if the source
 * names a row with another value in its slot, at a time that they may share: a relation of a kind
 * that has one value at once, or the same relation with other bounds or properties. Reads the
 * store. */
int hm_edited_rows_find(void *ctx, hm_store *s, const hm_str *gone, size_t n, const hm_map *named,
                        bool *edited, hm_err *err);
#endif
