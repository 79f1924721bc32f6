/* A recipe is the mirror.yml for the store of a known program: a file of site-example/stores, which
 * this program carries. A comment in its head serves this file: "# known by:
 * TABLE.COLUMN ...". Columns tell programs, and versions of one, apart; what a store
 * has besides does not matter. Cost: the tables' columns for each column of each recipe, once. */
#ifndef HM_RECIPES_H
#define HM_RECIPES_H
#include "core/sqlite/file.h"

typedef struct {
  hm_str name;     /* "engram" */
  hm_str config;   /* a whole mirror.yml; its `store` is a file of the program's usual name */
  hm_str known_by; /* TABLE.COLUMN, separated by spaces: a store that has them all is of it */
} hm_recipe;

/* The recipe for a store of these tables, in a: of several that fit, the one that is known by the
 * most columns. NULL: no program's that is known. Names of tables and columns in any case. */
const hm_recipe *hm_recipe_by_tables(const hm_foreign_table *tables, size_t n, hm_arena *a);
/* The recipe's mirror.yml for the store at this path. */
hm_str hm_recipe_config(const hm_recipe *r, hm_str store, hm_arena *a);
#endif
