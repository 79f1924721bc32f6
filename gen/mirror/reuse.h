/* What a build and a publication do with the cache. */
#ifndef HM_REMEMBER_H
#define HM_REMEMBER_H
#include "gen/mirror/cache.h"
#include "gen/mirror/make.h"

/* Where the site goes: sort "dir" or "git", path of the folder or repository, and what else tells
 * it from others there (the branch), or "". same: what the sink does as well (publish.keep),
 * digested with the look. */
typedef struct {
  const char *sort, *path, *branch;
  const char *const *same; size_t n_same;
} hm_target;

typedef struct {
  hm_cache cache;            /* found: what the last site that went there left */
  hm_target to;
  unsigned char look[32], inputs[32];   /* of this run; see hm_cache_entry */
} hm_memory;

/* After hm_make_ready. full: nothing is found, whatever is there. */
void hm_recall(const hm_mirror *m, const hm_made *made, hm_target to, bool full, hm_memory *out);
/* After the site went there; note: the sink's own. */
void hm_remember(const hm_mirror *m, const hm_made *made, const hm_memory *memory, hm_str note);
#endif
