/* Editions of the preview: what `build` would write, from the files as they are now. */
#ifndef HM_CLI_PRESS_H
#define HM_CLI_PRESS_H
#include "gen/cli/cli.h"
#include "gen/serve/preview.h"

/* A press that makes what this run's options ask for, and says on standard error when a build fails
 * and when it succeeds again. cli must outlive it, and is only read. Store and rules stay those of
 * the run: a config that now has others is an error, HM_E_USAGE. */
hm_press hm_cli_press(hm_cli *cli);
#endif
