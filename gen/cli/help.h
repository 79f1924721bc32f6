/* Help texts, from the tables. */
#ifndef HM_HELP_H
#define HM_HELP_H
#include <stdio.h>
#include "gen/cli/commands.h"

/* The whole program's help. */
void hm_help_all(FILE *out);
/* One verb's: usage, what it does, options, exit codes, examples. */
void hm_help_verb(FILE *out, const hm_command *c);
/* Two lines for a command line without a verb. */
void hm_help_short(FILE *out);
#endif
