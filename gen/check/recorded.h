/* What a conflicts.json tells: that of a site in memory, or of a commit. Pure. */
#ifndef HM_CHECK_RECORDED_H
#define HM_CHECK_RECORDED_H
#include "core/base/json.h"
#include "core/base/map.h"

/* Of one conflict, bits. */
enum { HM_WAS_OPEN = 1, HM_WAS_DISPUTED = 2, HM_WAS_SETTLED = 4 };

/* id -> bits, in a. Bytes that are no conflicts.json (somebody edited it) give none; returns whether they are one. */
bool hm_recorded_read(hm_str json, hm_map *out, hm_arena *a);
/* The same of one conflict. */
uint32_t hm_recorded_state(const hm_json *conflict);
/* Distinct values of its members, "GF-PTFE | PEEK", raw; each cut to max bytes, the list after a few. */
hm_str hm_conflict_values(hm_arena *a, const hm_json *conflict, size_t max);
#endif
