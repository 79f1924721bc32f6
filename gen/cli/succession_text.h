/* What superseded what because of a conflict, for a terminal or as JSON. */
#ifndef HM_SUCCESSION_TEXT_H
#define HM_SUCCESSION_TEXT_H
#include "core/review/succession.h"
#include "gen/cli/cli.h"

int hm_successions_show(hm_cli *cli, const hm_snapshot *snap, const hm_succession *list, size_t n);
#endif
