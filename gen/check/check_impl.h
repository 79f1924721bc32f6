/* The checks of hm_check_run that look at facts. Not for others. */
#ifndef HM_CHECK_IMPL_H
#define HM_CHECK_IMPL_H
#include "gen/check/check.h"
#include "gen/check/spot.h"

/* conflicts.c, findings.c: add their items to l and set what they found in r. */
int hm_check_conflicts_open(const hm_check_input *in, hm_spots *spots, hm_report *r,
                            hm_report_list *l, hm_err *err);
void hm_check_findings(const hm_check_input *in, hm_spots *spots, hm_report *r, hm_report_list *l);
#endif
