/* The recipes: known programs' stores, and how each is read. */
#include "gen/verbs/recipes.h"

#include <string.h>
#include <strings.h>

#include "core/base/json.h"
#include "gen/render/builtin.h"

/* The text after `label` on its line of the head. */
static hm_str head_line(hm_str config, const char *label) {
  ptrdiff_t at = hm_str_find(config, label);
  if (at < 0)
    return HM_EMPTY;
  hm_str rest = hm_str_sub(config, (size_t)at + strlen(label), config.n);
  ptrdiff_t end = hm_str_find(rest, "\n");
  return hm_str_trim(end < 0 ? rest : hm_str_sub(rest, 0, (size_t)end));
}

/* All of them, by name, in a. */
static const hm_recipe *all_recipes(hm_arena *a, size_t *n) {
  static const char folder[] = "site-example/stores/", suffix[] = ".yml";
  hm_recipe *all = hm_alloc_array(a, hm_n_recipe_files, sizeof *all);
  *n = hm_n_recipe_files;
  for (size_t i = 0; i < *n; i++) {
    hm_str path = hm_str_c(hm_recipe_files[i].path);
    hm_str config = { hm_recipe_files[i].bytes, hm_recipe_files[i].n };
    all[i] = (hm_recipe){
      .name = hm_str_sub(path, sizeof folder - 1, path.n - (sizeof suffix - 1)),
      .config = config,
      .known_by = head_line(config, "# known by: "),
    };
  }
  return all;
}

static bool same_name(hm_str a, hm_str b) { return a.n == b.n && !strncasecmp(a.p, b.p, a.n); }

static bool has_column(const hm_foreign_table *tables, size_t n, hm_str column) {
  ptrdiff_t dot = hm_str_find(column, ".");
  if (dot < 0)
    return false;
  hm_str table = hm_str_sub(column, 0, (size_t)dot);
  column = hm_str_sub(column, (size_t)dot + 1, column.n);
  for (size_t i = 0; i < n; i++) {
    if (tables[i].is_view || !same_name(tables[i].name, table))
      continue;
    for (size_t k = 0; k < tables[i].n_columns; k++)
      if (same_name(tables[i].columns[k].name, column))
        return true;
  }
  return false;
}

/* How many columns it is known by, when they are all there; else 0. */
static size_t count_known_columns(const hm_recipe *r, const hm_foreign_table *tables, size_t n) {
  size_t known = 0;
  for (hm_str rest = r->known_by; rest.n; known++) {
    ptrdiff_t space = hm_str_find(rest, " ");
    size_t end = space < 0 ? rest.n : (size_t)space;
    if (!has_column(tables, n, hm_str_sub(rest, 0, end)))
      return 0;
    rest = hm_str_trim(hm_str_sub(rest, end, rest.n));
  }
  return known;
}

const hm_recipe *hm_recipe_by_tables(const hm_foreign_table *tables, size_t n, hm_arena *a) {
  size_t n_all, best = 0;
  const hm_recipe *all = all_recipes(a, &n_all), *found = NULL;
  for (const hm_recipe *r = all; r < all + n_all; r++) {
    size_t known = count_known_columns(r, tables, n);
    if (known > best)
      found = r, best = known;
  }
  return found;
}

hm_str hm_recipe_config(const hm_recipe *r, hm_str store, hm_arena *a) {
  hm_buf b = { 0 };
  ptrdiff_t at = hm_str_find(r->config, "\nstore: ");
  hm_str before = hm_str_sub(r->config, 0, (size_t)at + 1);
  hm_str rest = hm_str_sub(r->config, (size_t)at + 1, r->config.n);
  hm_buf_str(&b, before);
  hm_buf_c(&b, "store: ");
  hm_json_write_str(&b, store); /* a JSON string is one of YAML, too */
  hm_buf_str(&b, hm_str_sub(rest, (size_t)hm_str_find(rest, "\n"), rest.n));
  return hm_buf_take(&b, a);
}
