/* Fields of a record that are no column of its table: a project's aliases, a
 * conflict's members, its rule with the version. As cells they are JSON, or
 * "rule/version". Not for other folders. */
#ifndef HM_SIDE_H
#define HM_SIDE_H
#include "core/store/fields.h"
#include "core/store/sql.h"

/* JSON value -> cell text, in one spelling whatever the order given. */
int hm_aliases_read(const hm_json *v, hm_str *out, hm_arena *a, hm_err *err);
int hm_members_read(const hm_json *v, hm_str *out, hm_arena *a, hm_err *err);
int hm_rule_read(const hm_json *v, hm_str *out, hm_err *err);

/* The members that such a cell has, in its order; an empty one has none. */
int hm_members_list(hm_str cell, hm_member_rec **out, size_t *n, hm_arena *a, hm_err *err);

/* The cell of the record with this id, from the store. */
int hm_side_load(hm_store *s, hm_field_type type, hm_str id, hm_cell *cell, hm_arena *a,
                 hm_err *err);
/* Makes the store hold what the cell says. An alias that another project has
 * is an error (HM_E_INPUT, why and fix; the caller knows what). */
int hm_side_save(hm_store *s, hm_field_type type, hm_str id, const hm_cell *cell, hm_arena *a,
                 hm_err *err);
/* Writes one member, new or known. */
int hm_member_save(hm_store *s, hm_str conflict, const hm_member_rec *m, hm_err *err);
#endif
