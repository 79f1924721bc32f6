/* What superseded what because of a conflict, for a terminal or as JSON. */
#ifndef HM_SUCCESSION_TEXT_H
#define HM_SUCCESSION_TEXT_H
#include "core/base/json.h"
#include "core/review/conflict_filter.h"
#include "gen/cli/cli.h"

/* Into the open array of json; NULL: as lines on standard output. */
void hm_successions_show(hm_cli *cli, hm_jw *json, const hm_snapshot *snap,
                         const hm_succession *list, size_t n);
#endif
