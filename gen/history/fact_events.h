/* Rows before and after to events. Pure. */
#ifndef HM_FACT_EVENTS_H
#define HM_FACT_EVENTS_H
#include "gen/history/event.h"
#include "gen/history/slots.h"

/* One row in both; NULL where it is not. Not both NULL. */
typedef struct { const hm_fact *before, *after; } hm_fact_pair;

/* What each pair tells, appended to out; texts live in a or are the facts'. What is the same in
 * both, and where a row stands, tells nothing. */
int hm_fact_events(const hm_fact_pair *pairs, size_t n, const hm_folders *folders,
                   const hm_rules *rules, hm_arena *a, hm_events *out, hm_err *err);
#endif
