/* The files built into the program, so that it needs no data folder: templates, the theme, recipes,
 * rules. The Makefile generates them. */
#ifndef HM_BUILTIN_H
#define HM_BUILTIN_H
#include <stdlib.h>
#include <string.h>

#include "core/base/str.h"

typedef struct {
  const char *path;
  const char *bytes;
  size_t n;
} hm_builtin;                          /* "templates/x.md.mustache" */
extern const hm_builtin hm_builtins[]; /* sorted by path */
extern const size_t hm_n_builtins;
/* The recipes for stores of other programs, from site-example/stores; sorted by path. */
extern const hm_builtin hm_recipe_files[];
extern const size_t hm_n_recipe_files;
/* The rules in SQL that come with the program, from site-example/rules; sorted by path. */
extern const hm_builtin hm_rule_files[];
extern const size_t hm_n_rule_files;

static inline int hm_builtin_order(const void *path, const void *builtin) {
  return strcmp(path, ((const hm_builtin *)builtin)->path);
}
/* Returns NULL when absent. */
static inline const hm_builtin *hm_builtin_find(const char *path) {
  return bsearch(path, hm_builtins, hm_n_builtins, sizeof *hm_builtins, hm_builtin_order);
}
#endif
