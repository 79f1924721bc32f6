/* A verb that runs again whenever its inputs change: `publish --watch`; and the runs of the
 * preview. */
#ifndef HM_WATCH_LOOP_H
#define HM_WATCH_LOOP_H
#include "gen/cli/cli.h"
#include "gen/mirror/watch.h"

/* A new run: options and working folder of the first one, everything else is read anew into a,
 * which the caller owns. Free with hm_rerun_free. Never NULL. */
hm_cli *hm_rerun_new(const hm_cli *first, hm_arena *a);
void hm_rerun_free(hm_cli *cli);
/* Reads the run's config, and watches it and the folders that it names, from before they are read.
 * -1: the config cannot be read, or names another store than the first run's (HM_E_USAGE). */
int hm_rerun_config(hm_cli *cli, const hm_cli *first, hm_inputs *in);

/* Calls `once` now and whenever the store, the config, templates, theme or static files changed,
 * until SIGINT or SIGTERM: 0. Each call gets a run of its own, with `watches` set. If the first one
 * fails, that is the result. A later failure is reported on standard error, once as long as it says
 * the same, and retried after a change, or half a second, then twice as long each time, at most
 * half a minute. `once` returns -1 then; 0; or 1 when it is done and only its output failed, which
 * is not retried. A write to the store while `once` runs counts as a change. A second signal ends
 * the process at once, with exit code 130. */
int hm_watch_loop(hm_cli *first, int (*once)(void *ctx, hm_cli *cli), void *ctx);
#endif
