/* The whole program. */
#ifndef HM_CLI_RUN_H
#define HM_CLI_RUN_H

/* argv as main gets it. Returns the exit code. */
int hm_cli_run(int argc, char **argv);
#endif
