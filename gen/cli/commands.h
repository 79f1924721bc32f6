/* The verbs. */
#ifndef HM_COMMANDS_H
#define HM_COMMANDS_H
#include "gen/cli/cli.h"

extern const hm_command hm_cmd_add, hm_cmd_edit, hm_cmd_promote, hm_cmd_graduate;
extern const hm_command hm_cmd_init, hm_cmd_import, hm_cmd_export, hm_cmd_sweep, hm_cmd_build,
    hm_cmd_publish, hm_cmd_check, hm_cmd_verify, hm_cmd_conflicts, hm_cmd_supersede, hm_cmd_restore,
    hm_cmd_redact, hm_cmd_explain, hm_cmd_log, hm_cmd_diff, hm_cmd_health, hm_cmd_serve,
    hm_cmd_theme, hm_cmd_adopt, hm_cmd_completion, hm_cmd_help, hm_cmd_version;

#define HM_EXITS_USUAL "0  done\n2  trouble, with a message; nothing is half-written\n"
#define HM_EXITS_WRITE                                                                             \
  "0  stored, whatever it contradicts\n2  trouble, with a message; nothing was stored\n"
#endif
