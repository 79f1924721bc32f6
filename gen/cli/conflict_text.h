/* What a sweep found, as a terminal shows it: conflicts, findings, rows that claim nothing. */
#ifndef HM_CONFLICT_TEXT_H
#define HM_CONFLICT_TEXT_H
#include "core/base/json.h"
#include "core/claim/silence.h"
#include "gen/cli/verb_common.h"

/* The conflict of design section 10 as a tree, in cli->a; of a slot of relations its ends by name,
 * and `title`. */
const hm_json *hm_conflict_build_tree(hm_cli *cli, const hm_sweep *sweep,
                                      const hm_conflict_rec *rec);
/* Puts names in place of the ends of relations, and `title`, in a tree of the same. snap: has these
 * ends. */
void hm_conflict_tree_name_ends(hm_cli *cli, const hm_snapshot *snap, hm_json *tree);
/* Its slot as "project / name", at most max bytes (0: all). */
const char *hm_conflict_slot_text(hm_cli *cli, const hm_json *conflict, size_t max);
/* One line for lists. */
void hm_print_conflict_line(hm_cli *cli, const hm_json *conflict);
/* Everything about it, several lines. */
void hm_print_conflict(hm_cli *cli, const hm_json *conflict);
/* A hint: so many disputes are not recorded; run a sweep. */
void hm_note_unrecorded(hm_cli *cli, size_t n);

/* "findings":[...] as design section 10 writes them. */
void hm_findings_json(hm_jw *w, const hm_finding *f, size_t n);
/* At most `most` of them, a line each, and how many more there are. */
void hm_print_findings(hm_cli *cli, const hm_finding *f, size_t n, size_t most);

/* The last sweep, in the lines of `health`. */
void hm_print_sweep_run(hm_cli *cli, const hm_sweep_run *r);
/* A line of `health`, where a row is silent. */
void hm_print_silence(hm_cli *cli, const hm_silence *s);
/* A line on standard error where hardly a memory claims. */
void hm_note_silence(hm_cli *cli, const hm_silence *s);
#endif
