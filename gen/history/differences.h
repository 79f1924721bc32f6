/* Rows and conflicts before and after to events. Pure. */
#ifndef HM_DIFFERENCES_H
#define HM_DIFFERENCES_H
#include "gen/history/event.h"
#include "gen/history/fact.h"

/* One row in both; NULL where it is not. Not both NULL. */
typedef struct { const hm_fact *before, *after; } hm_fact_pair;

/* Appends the events of each pair to out; texts live in a or are the facts'. Equal versions, and
 * another place of a row in the files, give none. */
int hm_fact_events(const hm_fact_pair *pairs, size_t n, const hm_folders *folders,
                   const hm_rules *rules, hm_arena *a, hm_events *out, hm_err *err);

/* Both as published, a conflict a line; empty where there is none. Only lines that differ are
 * parsed; one that cannot be is passed over. Texts live in a. */
void hm_conflict_events(hm_str before, hm_str after, hm_arena *a, hm_events *out);
/* How many of the conflicts are disputed. */
size_t hm_count_disputed(hm_str conflicts_json);
#endif
