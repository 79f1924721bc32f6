/* conflicts.json before and after to events. Pure. */
#ifndef HM_CONFLICT_EVENTS_H
#define HM_CONFLICT_EVENTS_H
#include "gen/history/event.h"

/* Both as published, a conflict a line; empty where there is none. Only lines that differ are
 * parsed; one that cannot be is passed over. Texts live in a. */
void hm_conflict_events(hm_str before, hm_str after, hm_arena *a, hm_events *out);
/* How many of the conflicts are disputed. */
size_t hm_count_disputed(hm_str conflicts_json);
#endif
