/* What a sweep saw besides conflicts: findings, and rows that claim nothing. */
#ifndef HM_FINDING_TEXT_H
#define HM_FINDING_TEXT_H
#include "core/claim/silence.h"
#include "gen/cli/out.h"

/* "findings":[...] as design section 10 writes them. */
void hm_findings_json(hm_jw *w, const hm_finding *f, size_t n);
/* At most `most` of them, a line each, and how many more there are. */
void hm_findings_list(hm_cli *cli, const hm_finding *f, size_t n, size_t most);

/* A line of `health`, where a row is silent. */
void hm_silence_line(hm_cli *cli, const hm_silence *s);
/* A line on standard error where hardly a memory claims. */
void hm_silence_note(hm_cli *cli, const hm_silence *s);
#endif
