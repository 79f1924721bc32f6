/* Finds a file that the program carries. */
#include "gen/render/builtin.h"

#include <stdlib.h>
#include <string.h>

static int cmp_path(const void *path, const void *builtin) {
  return strcmp(path, ((const hm_builtin *)builtin)->path);
}

const hm_builtin *hm_builtin_find(const char *path) {
  return bsearch(path, hm_builtins, hm_n_builtins, sizeof *hm_builtins, cmp_path);
}
