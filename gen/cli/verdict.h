/* Verdicts from the command line: on conflicts (resolve, dismiss, reopen) and on rows (supersede,
 * restore). */
#ifndef HM_CLI_VERDICT_H
#define HM_CLI_VERDICT_H
#include "core/review/verdict.h"
#include "gen/cli/cli.h"

/* Words and options of `conflicts resolve ID ...`; each gives the verdict, or with --dry-run tries
 * it, and prints the report. Exit code, or -1 with cli->err filled. */
int hm_cli_resolve(hm_cli *cli);
int hm_cli_dismiss(hm_cli *cli);
int hm_cli_reopen(hm_cli *cli);

/* verdict_text.c: the report for a terminal, or as JSON under --format json. */
int hm_verdict_show(hm_cli *cli, const hm_verdict_report *r);
#endif
