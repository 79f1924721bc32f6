/* Runs that lay out the mirror's pages and render those that are asked for, inside a run that goes
 * on: `serve` and `mcp`. */
#ifndef HM_DRAFT_RUN_H
#define HM_DRAFT_RUN_H
#include "gen/cli/work.h"

typedef struct { hm_cli *cli; hm_made made; } hm_draft_run;

/* Reads config and store as they are now and lays out the pages. What is read is added to w, also
 * where this then fails. Errors: of config and store; HM_E_USAGE: the rules differ from those of
 * `first`, by which it compares writes. Free with hm_draft_run_free. */
int hm_draft_run_begin(const hm_cli *first, hm_watcher *w, hm_draft_run **out, hm_err *err);
void hm_draft_run_free(hm_draft_run *r);
#endif
