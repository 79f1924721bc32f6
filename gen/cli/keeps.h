/* What a run leaves in memory for the next one of a program that goes on. */
#ifndef HM_KEEPS_H
#define HM_KEEPS_H
#include "core/detect/sweep.h"
#include "gen/cli/cache_keep.h"
#include "gen/page/view.h"
#include "gen/sink/git.h"
#include "gen/site/keep.h"

/* All of them of one store and by the same rules. */
typedef struct {
  hm_sweep_keep *sweep;
  hm_view_keep *view;
  hm_site_keep *site;
  hm_git_memory *git;
  hm_cache_keep *cache;
} hm_keeps;

hm_keeps *hm_keeps_new(void);          /* never NULL */
void hm_keeps_free(hm_keeps *k);       /* NULL is allowed; what was made with them has to be gone */
#endif
