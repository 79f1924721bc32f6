/* What a build and a publication do with the cache. */
#ifndef HM_REMEMBER_H
#define HM_REMEMBER_H
#include "gen/cli/cache.h"
#include "gen/cli/make.h"

/* Where the site goes: sort "dir" or "git", path of the folder or repository, and what else tells it from others there
 * (the branch), or "". same: what the sink does as well (publish.keep), digested with the look. */
typedef struct {
  const char *sort, *path, *branch;
  const char *const *same; size_t n_same;
} hm_target;

/* After hm_make_ready: what the last site that went there left. full: nothing is looked at, but c can be saved to. */
void hm_recall(hm_cli *cli, const hm_made *m, const hm_target *p, bool full, hm_cache *c);
/* After the site went there; note: the sink's own. Not when it is what c says already. */
void hm_remember(hm_cli *cli, const hm_made *m, const hm_target *p, hm_str note, const hm_cache *c);
#endif
