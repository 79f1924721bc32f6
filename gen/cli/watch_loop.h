/* A verb that is run again and again in one process. */
#ifndef HM_AGAIN_H
#define HM_AGAIN_H
#include "gen/cli/cli.h"
#include "gen/serve/inputs.h"

/* One more run: options and working folder are those of the first, all else is to be read anew, into a, which the caller owns. */
hm_cli *hm_again_new(const hm_cli *first, hm_arena *a);
void hm_again_free(hm_cli *cli);
/* Its config, and the folders that this names, which are watched from before they are read. A config that names another store than the first one's is an
 * error, HM_E_USAGE. */
int hm_again_config(hm_cli *cli, const hm_cli *first, hm_inputs *in);

/* Calls `once` now and whenever the store, the config, templates, theme or static files changed, until SIGINT or SIGTERM: 0. Each call gets a
 * run of its own. When the first one fails, that is the result. A later one that fails is told on standard error, once
 * as long as it says the same; it is tried again after a change, or half a second, then twice as long each time, at most half a minute. `once` gives -1 then, or 1 when it is done and only could not
 * be told, which is no reason to do it again. What is written to the store while `once` runs counts as a change. A second
 * signal ends the process at once, with exit code 130. */
int hm_again_run(hm_cli *first, int (*once)(void *ctx, hm_cli *cli), void *ctx);
#endif
