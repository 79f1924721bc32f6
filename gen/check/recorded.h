/* The conflicts of a conflicts.json, of a site in memory or of a commit. Pure. */
#ifndef HM_CHECK_RECORDED_H
#define HM_CHECK_RECORDED_H
#include "core/base/json.h"
#include "core/base/str.h"
#include "core/store/row.h"

/* Of one conflict, bits. */
enum { HM_WAS_OPEN = 1, HM_WAS_DISPUTED = 2, HM_WAS_SETTLED = 4 };

/* id -> bits, in a. Bytes that are no conflicts.json (edited by hand) give none; returns
 * whether they are one. */
bool hm_recorded_read(hm_str json, hm_map *out, hm_arena *a);
/* The same of one conflict. */
uint32_t hm_recorded_state(const hm_json *conflict);
/* Distinct values of its members, "GF-PTFE | PEEK", raw; each cut to max bytes, the list after a
 * few. */
hm_str hm_conflict_values(hm_arena *a, const hm_json *conflict, size_t max);
/* What the entity at an end of a relation is called; the id of one without a name, or that is
 * hidden (beside the rows; NULL: none is). */
hm_str hm_end_name(const hm_snapshot *snap, const bool *hidden, hm_str id);
/* Puts names in place of the ends that relations claim, as pages have them: with the id where two
 * ends have one name. tree: a conflict as JSON, which changes. */
void hm_conflict_name_ends(hm_arena *a, const hm_snapshot *snap, const bool *hidden,
                           hm_json *tree);
#endif
