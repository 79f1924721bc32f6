/* What hmirror writes must not stand in what it publishes. */
#ifndef HM_PATH_OVERLAP_H
#define HM_PATH_OVERLAP_H
#include "gen/mirror/mirror.h"

/* Files of the folders `static` and `theme` become part of the site, whatever they are. So it is an
 * error (HM_E_USAGE) when one of them holds the store, the site or the repository, which would be
 * published with them. what: "the store", for the message; path need not exist yet. */
int hm_check_path_overlap(const hm_mirror *m, const char *what, const char *path, hm_err *err);
#endif
