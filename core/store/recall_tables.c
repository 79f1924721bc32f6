/* The table recall_vectors, and last_accessed_at: see recall_tables.h. */
#include "core/store/recall_tables.h"

#include "core/sqlite/sql.h"

enum {
  HAS_VECTORS,
  MAKE_VECTORS,
  ALL_VECTORS,
  PUT_VECTOR,
  MODELS,
  REMOVE_VECTOR,
  CLEAR_VECTORS,
  ALL_USES
};
static const char *const SQL[] = {
  [HAS_VECTORS] =
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'recall_vectors'",
  [MAKE_VECTORS] =
      "CREATE TABLE IF NOT EXISTS main.recall_vectors (model TEXT NOT NULL,"
      " digest BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, digest)) WITHOUT ROWID",
  [ALL_VECTORS] = "SELECT model, digest, vector FROM main.recall_vectors ORDER BY model, digest",
  [PUT_VECTOR] =
      "INSERT OR REPLACE INTO main.recall_vectors (model, digest, vector) VALUES (?1, ?2, ?3)",
  [MODELS] = "SELECT model, sum(length(vector) > 0), sum(length(vector) = 0)"
             " FROM main.recall_vectors GROUP BY model ORDER BY model",
  [REMOVE_VECTOR] = "DELETE FROM main.recall_vectors WHERE model = ?1 AND digest = ?2",
  [CLEAR_VECTORS] = "DELETE FROM main.recall_vectors",
  [ALL_USES] = "SELECT id, last_accessed_at FROM memories WHERE last_accessed_at IS NOT NULL",
};

int hm_vectors_read(hm_store *s, hm_vector_take *take, void *ctx, hm_err *err) {
  hm_stmt *st;
  hm_arena *a;
  bool there;
  int rc;
  if (hm_sql_has(s, SQL[HAS_VECTORS], NULL, &there, err))
    return -1;
  if (!there)
    return 0;
  if (hm_sql_cached(s, SQL[ALL_VECTORS], &st, err))
    return -1;
  a = hm_arena_new();
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_arena_reset(a);
    take(ctx, hm_sql_text(st, 0, a), hm_sql_bytes(st, 1), hm_sql_bytes(st, 2));
  }
  hm_arena_free(a);
  return rc;
}

int hm_vectors_put(hm_store *s, hm_str model, hm_str digest, hm_str bytes, hm_err *err) {
  bool there;
  if (hm_sql_has(s, SQL[HAS_VECTORS], NULL, &there, err))
    return -1;
  if (!there && hm_sql_exec(s, SQL[MAKE_VECTORS], err))
    return -1;
  return hm_sql_do(s, SQL[PUT_VECTOR],
                   HM_ARGS(hm_arg_text(model), hm_arg_bytes(digest), hm_arg_bytes(bytes)), err);
}

int hm_vectors_remove(hm_store *s, hm_str model, hm_str digest, hm_err *err) {
  bool there;
  if (hm_sql_has(s, SQL[HAS_VECTORS], NULL, &there, err))
    return -1;
  if (!there)
    return 0;
  return hm_sql_do(s, SQL[REMOVE_VECTOR], HM_ARGS(hm_arg_text(model), hm_arg_bytes(digest)), err);
}

int hm_vectors_models(hm_store *s, hm_arena *a, hm_vector_model **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  bool there;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_has(s, SQL[HAS_VECTORS], NULL, &there, err))
    return -1;
  if (!there)
    return 0;
  if (hm_sql_cached(s, SQL[MODELS], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] =
        (hm_vector_model){ hm_sql_copy(st, 0, a), hm_sql_number(st, 1), hm_sql_number(st, 2) };
  }
  return rc;
}

int hm_vectors_clear(hm_store *s, hm_err *err) {
  bool there;
  if (hm_sql_has(s, SQL[HAS_VECTORS], NULL, &there, err))
    return -1;
  return there ? hm_sql_exec(s, SQL[CLEAR_VECTORS], err) : 0;
}

int hm_uses_read(hm_store *s, hm_use_take *take, void *ctx, hm_err *err) {
  hm_stmt *st;
  int rc;
  if (hm_sql_cached(s, SQL[ALL_USES], &st, err))
    return -1;
  hm_arena *a = hm_arena_new();
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_arena_reset(a);
    take(ctx, hm_sql_text(st, 0, a), hm_sql_text(st, 1, a));
  }
  hm_arena_free(a);
  return rc;
}
