/* adopt --dry-run: what a store's layers hold and claim. */
#ifndef HM_ADOPT_REPORT_H
#define HM_ADOPT_REPORT_H
#include "gen/cli/cli.h"

/* Sweeps the mirror's store, recording nothing, and says for each layer how many rows are read, how
 * many claim, and how many are silent for which reason, with three rows of each. Exit code. */
int hm_adopt_report(hm_cli *cli);
#endif
