#include "core/store/names.h"
#include "core/store/sql.h"

int hm_names_declared(hm_store *s, hm_str name, bool *declared, hm_err *err) {
  sqlite3_stmt *st;
  static const char sql[] =
      "SELECT 1 FROM projects WHERE id = ?1 UNION ALL SELECT 1 FROM project_aliases WHERE alias = ?1";
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, name);
  int rc = hm_sql_step(s, st, err);
  sqlite3_reset(st);
  *declared = rc == 1;
  return rc < 0 ? -1 : 0;
}

int hm_names_of_projects(hm_store *s, hm_arena *a, hm_str **out, size_t *n, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, "SELECT id FROM projects UNION SELECT alias FROM project_aliases ORDER BY 1",
                    &st, err))
    return -1;
  return hm_sql_texts(s, st, a, out, n, err);
}

static const char *const ALL[HM_NAME_KINDS] = {
  [HM_NAME_PROJECT] =
      "SELECT id FROM projects UNION SELECT alias FROM project_aliases UNION SELECT project FROM memories UNION "
      "SELECT project FROM entities UNION SELECT project FROM project_state UNION SELECT project FROM relations ORDER BY 1",
  [HM_NAME_MEMORY_TYPE] = "SELECT DISTINCT memory_type FROM memories ORDER BY 1",
  [HM_NAME_ENTITY_TYPE] = "SELECT DISTINCT entity_type FROM entities ORDER BY 1",
  [HM_NAME_RELATION_TYPE] = "SELECT DISTINCT type FROM relations ORDER BY 1",
};

int hm_names_all(hm_store *s, hm_name_kind kind, hm_arena *a, hm_str **out, size_t *n,
                 hm_err *err) {
  sqlite3_stmt *st;
  return hm_sql_cached(s, ALL[kind], &st, err) ? -1 : hm_sql_texts(s, st, a, out, n, err);
}
