/* Rows by their ends and their projects: see tied_rows.h.
 *
 * Types are few, rows of a type may be many: types are found one after another, each by one search
 * in an index, and only then rows. */
#include "core/store/tied_rows.h"

#include <stdlib.h>

#include "core/store/links.h"
#include "core/store/sql_impl.h"

static const char MAKE[] =
    "CREATE INDEX IF NOT EXISTS relations_from ON relations (from_id, type);"
    "CREATE INDEX IF NOT EXISTS relations_to ON relations (to_id, type);"
    "CREATE INDEX IF NOT EXISTS relations_project ON relations (project, type);"
    "CREATE INDEX IF NOT EXISTS entities_project ON entities (project, entity_type);"
    "CREATE INDEX IF NOT EXISTS memories_project ON memories (project);"
    "CREATE INDEX IF NOT EXISTS project_state_project ON project_state (project)";

/* The next type there, and rows of a type. */
typedef struct {
  hm_layer layer;
  const char *next, *rows;
} type_index;
#define TYPES(table, column, type)                                                                 \
  "SELECT min(" type ") FROM " table " WHERE " column " = ?1 AND " type " > ?2"
#define ROWS(table, column, type, more)                                                            \
  "SELECT id FROM " table " WHERE " column " = ?1 AND " type " = ?2" more " LIMIT ?3"
static const type_index AT[] = {
  { HM_RELATION, TYPES("relations", "from_id", "type"), ROWS("relations", "from_id", "type", "") },
  { HM_RELATION, TYPES("relations", "to_id", "type"), ROWS("relations", "to_id", "type", "") },
};
#define ACTIVE " AND status = 'active'"
static const type_index IN[] = {
  { HM_RELATION, TYPES("relations", "project", "type"),
    ROWS("relations", "project", "type", ACTIVE) },
  { HM_ENTITY, TYPES("entities", "project", "entity_type"),
    ROWS("entities", "project", "entity_type", ACTIVE) },
};
static const struct {
  hm_layer layer;
  const char *sql;
} ANY[] = {
  { HM_MEMORY, "SELECT id FROM memories WHERE project = ?1" ACTIVE " LIMIT ?2" },
  { HM_STATE, "SELECT id FROM project_state WHERE project = ?1" ACTIVE " LIMIT ?2" },
};
#define BY(table)                                                                                  \
  { "SELECT id FROM " table " WHERE project = ?1 LIMIT ?2", NULL, NULL,                            \
    "SELECT id FROM " table " WHERE ?1 = '' LIMIT ?2" }
static const char *const WITH[HM_RELATION + 1][HM_ROWS_ALL + 1] = {
  [HM_MEMORY] = BY("memories"),
  [HM_ENTITY] = BY("entities"),
  [HM_STATE] = BY("project_state"),
  [HM_RELATION] = { "SELECT id FROM relations WHERE project = ?1 LIMIT ?2",
                    "SELECT id FROM relations WHERE from_id = ?1 LIMIT ?2",
                    "SELECT id FROM relations WHERE to_id = ?1 LIMIT ?2",
                    "SELECT id FROM relations WHERE ?1 = '' LIMIT ?2" },
};
static const char ALIASES[] = "SELECT alias FROM project_aliases WHERE project = ?1";

int hm_tied_rows_index(hm_store *s, hm_err *err) {
  return hm_sql_exec(s, MAKE, err) || hm_links_index(s, err) ? -1 : 0;
}

static int add_ids(hm_store *s, const char *sql, hm_layer layer, const hm_arg *args, hm_arena *a,
                   hm_row_keys *out, hm_err *err) {
  hm_stmt *st;
  int rc;
  if (hm_sql_query(s, sql, args, &st, err)) return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1)
    hm_row_keys_add(out, (hm_row_key){ layer, hm_sql_copy(st, 0, a) });
  return rc;
}

/* Types without a text (NULL, '') are none. */
static int add_by_type(hm_store *s, const type_index *x, hm_str key, hm_wants_type *wants,
                       void *ctx, size_t max, hm_arena *a, hm_row_keys *out, hm_err *err) {
  hm_str type = HM_STR("");
  for (;;) {
    if (hm_sql_one(s, x->next, HM_ARGS(hm_arg_text(key), hm_arg_text(type)), a, &type, err))
      return -1;
    if (!type.n) return 0;
    hm_arg args[] = {
      hm_arg_text(key), hm_arg_text(type), hm_arg_int((int64_t)max), { .type = HM_ARG_END }
    };
    if ((!wants || wants(ctx, type)) && add_ids(s, x->rows, x->layer, args, a, out, err)) return -1;
  }
}

int hm_tied_rows_of(hm_store *s, hm_str ref, bool to, hm_wants_type *wants, void *ctx, size_t max,
                    hm_arena *a, hm_row_keys *out, hm_err *err) {
  return add_by_type(s, &AT[to], ref, wants, ctx, max, a, out, err);
}

int hm_rows_by(hm_store *s, hm_layer layer, hm_rows_key by, hm_str text, size_t max, hm_arena *a,
               hm_row_keys *out, hm_err *err) {
  const char *sql = WITH[layer][by];
  hm_stmt *st;
  hm_str *names;
  size_t n = 0;
  if (!sql) return 0;
  if (by == HM_ROWS_OF_PROJECT && (hm_sql_query(s, ALIASES, HM_ARGS(hm_arg_text(text)), &st, err) ||
                                hm_sql_texts(s, st, a, &names, &n, err)))
    return -1;
  for (size_t i = 0; i <= n; i++) {
    hm_str name = i < n ? names[i] : text;
    if (add_ids(s, sql, layer, HM_ARGS(hm_arg_text(name), hm_arg_int((int64_t)max)), a, out, err))
      return -1;
  }
  return 0;
}

int hm_project_witnesses(hm_store *s, hm_str project, size_t max, hm_arena *a, hm_row_keys *out,
                         hm_err *err) {
  hm_stmt *st;
  hm_str *names;
  size_t n;
  if (hm_sql_query(s, ALIASES, HM_ARGS(hm_arg_text(project)), &st, err) ||
      hm_sql_texts(s, st, a, &names, &n, err))
    return -1;
  for (size_t i = 0; i <= n; i++) {
    hm_str name = i < n ? names[i] : project;
    for (size_t k = 0; k < HM_COUNT(IN); k++)
      if (add_by_type(s, &IN[k], name, NULL, NULL, max, a, out, err)) return -1;
    for (size_t k = 0; k < HM_COUNT(ANY); k++)
      if (add_ids(s, ANY[k].sql, ANY[k].layer, HM_ARGS(hm_arg_text(name), hm_arg_int((int64_t)max)),
                  a, out, err))
        return -1;
  }
  return 0;
}
