/* The table of verbs, and declarations that their files share. */
#ifndef HM_COMMANDS_H
#define HM_COMMANDS_H
#include <stdio.h>
#include "gen/cli/verb_common.h"

extern const hm_option hm_global_options[];
/* In the order of help; NULL ends. */
extern const hm_command *const hm_commands[];

/* Prints the help of one verb: usage, what it does, options, exit codes, examples. */
void hm_print_verb_help(FILE *out, const hm_command *c);

/* Runs the whole program; argv is main's. Returns the exit code. */
int hm_cli_run(int argc, char **argv);

/* `conflicts resolve ID ...` and so on, of cmd_verdict.c. */
int hm_cli_conflicts_resolve(hm_cli *cli);
int hm_cli_conflicts_dismiss(hm_cli *cli);
int hm_cli_conflicts_reopen(hm_cli *cli);

extern const hm_command hm_cmd_report, hm_cmd_review, hm_cmd_add, hm_cmd_adopt, hm_cmd_alike,
    hm_cmd_build, hm_cmd_context, hm_cmd_check, hm_cmd_completion, hm_cmd_conflicts, hm_cmd_diff,
    hm_cmd_edit, hm_cmd_evidence, hm_cmd_explain, hm_cmd_export, hm_cmd_findings, hm_cmd_flag,
    hm_cmd_graduate, hm_cmd_health, hm_cmd_help, hm_cmd_impact, hm_cmd_list, hm_cmd_show,
    hm_cmd_import, hm_cmd_init, hm_cmd_judge, hm_cmd_link, hm_cmd_log, hm_cmd_mcp, hm_cmd_neighbors,
    hm_cmd_promote, hm_cmd_publish, hm_cmd_query, hm_cmd_recall, hm_cmd_redact, hm_cmd_reflect,
    hm_cmd_restore, hm_cmd_rules, hm_cmd_serve, hm_cmd_subgraph, hm_cmd_supersede, hm_cmd_sweep,
    hm_cmd_theme, hm_cmd_trust, hm_cmd_unflag, hm_cmd_unlink, hm_cmd_verify, hm_cmd_version;

#define HM_EXITS_USUAL "0  done\n2  trouble, with a message; nothing is half-written\n"
#endif
