/* What became of verdicts that an import brought, for people. */
#ifndef HM_SETTLED_TEXT_H
#define HM_SETTLED_TEXT_H
#include "core/review/verdict_import.h"
#include "gen/mirror/mirror.h"

/* Warns: how many were carried out or wait; each that does not fit, and each two that differ.
 * news: only what was not so before. */
void hm_settled_warn(const hm_mirror *m, const hm_settled *s, bool news);
#endif
