/* What hmirror writes stands apart from what it publishes. */
#ifndef HM_APART_H
#define HM_APART_H
#include "gen/cli/cli.h"

/* Files of the folders `static` and `theme` become part of the site, whatever they are. So one that
 * holds the store, the site or the repository is an error, HM_E_USAGE: it would be published with
 * them, each time with what the last time left. what: "the store", for the message; path: which may
 * be absent yet. After hm_cli_read_config. */
int hm_cli_apart(hm_cli *cli, const char *what, const char *path);
#endif
