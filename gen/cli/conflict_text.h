/* Prints what a sweep found: conflicts, findings, rows that claim nothing. */
#ifndef HM_CONFLICT_TEXT_H
#define HM_CONFLICT_TEXT_H
#include "core/base/json.h"
#include "core/claim/silence.h"
#include "core/recall/alike.h"
#include "core/sweep/standing.h"
#include "gen/cli/verb_common.h"

/* The answer about a conflict as a JSON tree, with names for people, in cli->a; NULL: cli->err. */
const hm_json *hm_conflict_parse_answer(hm_cli *cli, const hm_conflict_answer *x);
/* Its slot as "project / name", at most max bytes (0: all). */
const char *hm_conflict_slot_text(hm_cli *cli, const hm_json *conflict, size_t max);
/* Prints one line, for lists. */
void hm_print_conflict_line(hm_cli *cli, const hm_json *conflict);
/* Prints all details, on several lines. */
void hm_print_conflict(hm_cli *cli, const hm_json *conflict);
/* Prints a hint: n disputes are not recorded; run a sweep. */
void hm_note_unrecorded(hm_cli *cli, size_t n);

/* Prints how a row stands, a line for each dispute and finding, behind so many spaces. */
void hm_print_standing(hm_cli *cli, const hm_standing *s, int indent);

/* Prints the nearest rows that no rule compared, and what to do with them. */
void hm_print_alike(hm_cli *cli, const hm_alike_row *v, size_t n);

/* Writes "findings":[...] of design section 10. */
void hm_findings_json(hm_jw *w, const hm_finding *f, size_t n);
/* Prints at most `most` findings, a line each, and how many more there are. */
void hm_print_findings(hm_cli *cli, const hm_finding *f, size_t n, size_t most);

/* Prints the last sweep, for `health`. */
void hm_print_sweep_run(hm_cli *cli, const hm_sweep_run *r);
/* Prints a line for `health` when some row is silent. */
void hm_print_silence(hm_cli *cli, const hm_silence *s);
/* Prints a line on standard error when hardly any memory claims something. */
void hm_note_silence(hm_cli *cli, const hm_silence *s);
#endif
