/* Rows of a map that are no rows of its table: the cells of a matrix, the elements of lists. */
#include "core/sqlite/sqlite_impl.h"

hm_str hm_foreign_matrix_select(const hm_store_map *map, const char *layer, hm_arena *a) {
  hm_str table = map->table.n ? map->table : hm_str_c(layer);
  hm_buf b = { 0 };
  for (size_t i = 0; i < map->n_matrix; i++) {
    hm_buf_c(&b, i ? "\nUNION ALL SELECT trim(" : "SELECT trim(");
    hm_sql_put_name(&b, map->matrix_key);
    hm_buf_c(&b, ") || ':' || ");
    hm_buf_quoted(&b, map->matrix[i], '\'');
    hm_buf_c(&b, " AS id, trim(");
    hm_sql_put_name(&b, map->matrix_key);
    hm_buf_c(&b, ") AS key, ");
    hm_buf_quoted(&b, map->matrix[i], '\'');
    hm_buf_c(&b, " AS category, ");
    hm_sql_put_name(&b, map->matrix[i]);
    hm_buf_c(&b, " AS value FROM ");
    hm_sql_put_name(&b, table);
    hm_buf_c(&b, " WHERE trim(");
    hm_sql_put_name(&b, map->matrix[i]);
    hm_buf_c(&b, ") <> ''");
  }
  return hm_buf_take(&b, a);
}

void hm_foreign_put_elements(hm_buf *b, hm_str table, hm_str lists, bool numbered, hm_arena *a) {
  hm_buf name = { 0 };
  hm_sql_put_name(&name, lists);
  hm_str of = hm_buf_take(&name, a);
  hm_buf_c(b, "(SELECT t.*, ");
  if (numbered)
    hm_buf_c(b, "t.rowid AS rowid, ");
  hm_buf_c(b, "j.key AS " HM_ELEMENT_NUMBER ", j.value AS " HM_ELEMENT " FROM theirs.");
  hm_sql_put_name(b, table);
  hm_buf_fmt(b,
             " AS t, json_each(CASE WHEN json_valid(t.%.*s) AND json_type(t.%.*s) = 'array' THEN"
             " t.%.*s ELSE json_array(t.%.*s) END) AS j WHERE coalesce(j.value, '') <> '')",
             HM_FMT(of), HM_FMT(of), HM_FMT(of), HM_FMT(of));
}
