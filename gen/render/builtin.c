#include "gen/render/builtin.h"

#include <string.h>

const hm_builtin *hm_builtin_find(const char *path) {
  size_t low = 0, high = hm_n_builtins;
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    int cmp = strcmp(path, hm_builtins[mid].path);
    if (cmp == 0) return &hm_builtins[mid];
    if (cmp < 0) high = mid;
    else low = mid + 1;
  }
  return NULL;
}
