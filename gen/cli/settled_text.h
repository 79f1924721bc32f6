/* What became of verdicts that an import brought, for people and programs. */
#ifndef HM_SETTLED_TEXT_H
#define HM_SETTLED_TEXT_H
#include "core/review/verdict_import.h"
#include "gen/cli/cli.h"

/* On standard error: how many were carried out or wait; each that does not fit, and each two that
 * differ. news: only what was not so before. */
void hm_settled_note(hm_cli *cli, const hm_settled *s, bool news);
/* "verdicts": the counts, and each that stays open with its why. */
void hm_settled_json(hm_jw *w, const hm_settled *s);
#endif
