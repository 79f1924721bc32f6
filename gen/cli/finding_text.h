/* Findings: what a sweep saw besides conflicts. */
#ifndef HM_FINDING_TEXT_H
#define HM_FINDING_TEXT_H
#include "gen/cli/out.h"

/* "findings":[...] as design section 10 writes them. */
void hm_findings_json(hm_jw *w, const hm_finding *f, size_t n);
/* At most `most` of them, a line each, and how many more there are. */
void hm_findings_list(hm_cli *cli, const hm_finding *f, size_t n, size_t most);
#endif
