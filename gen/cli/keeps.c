#include "gen/cli/keeps.h"
#include <stdlib.h>

hm_keeps *hm_keeps_new(void) {
  hm_keeps *k = hm_xmalloc(sizeof *k);
  *k = (hm_keeps){ .sweep = hm_sweep_keep_new(), .view = hm_view_keep_new(), .site = hm_site_keep_new(),
                   .git = hm_git_memory_new(), .cache = hm_cache_keep_new() };
  return k;
}

void hm_keeps_free(hm_keeps *k) {
  if (!k) return;
  hm_cache_keep_free(k->cache);
  hm_git_memory_free(k->git);
  hm_site_keep_free(k->site);
  hm_view_keep_free(k->view);
  hm_sweep_keep_free(k->sweep);
  free(k);
}
