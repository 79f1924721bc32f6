/* The table line_commits: line_commits.h. It is small, so it is read and written whole. */
#include "core/store/line_commits.h"

#include "core/sqlite/sql.h"

enum { ALL, PUT, CLEAR };
static const char *const SQL[] = {
  [ALL] = "SELECT ref, place, said FROM main.line_commits ORDER BY ref",
  [PUT] = "INSERT INTO main.line_commits (ref, place, said) VALUES (?1, ?2, ?3)",
  [CLEAR] = "DELETE FROM main.line_commits",
};

int hm_line_commits_read(hm_store *s, hm_arena *a, hm_line_commit **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (s->theirs || s->version < HM_STORE_COMMITS_VERSION)
    return 0;
  if (hm_sql_cached(s, SQL[ALL], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] =
        (hm_line_commit){ hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a), hm_sql_copy(st, 2, a) };
  }
  return rc;
}

static bool are_same(const hm_line_commit *x, size_t nx, const hm_line_commit *y, size_t ny) {
  bool same = nx == ny;
  for (size_t i = 0; i < nx && same; i++)
    same = hm_str_eq(x[i].ref, y[i].ref) && hm_str_eq(x[i].place, y[i].place) &&
        hm_str_eq(x[i].said, y[i].said);
  return same;
}

/* A change moves the number of the facts, so that whoever holds a snapshot reads it again. */
static int replace(hm_store *s, const hm_line_commit *v, size_t n, hm_err *err) {
  s->facts_changed = true;
  int rc = hm_sql_do(s, SQL[CLEAR], NULL, err);
  for (size_t i = 0; i < n && !rc; i++)
    rc = hm_sql_do(s, SQL[PUT],
                   HM_ARGS(hm_arg_text(v[i].ref), hm_arg_text(v[i].place), hm_arg_text(v[i].said)),
                   err);
  return rc;
}

int hm_line_commits_put(hm_store *s, const hm_line_commit *v, size_t n, hm_err *err) {
  hm_line_commit *old;
  size_t n_old;
  bool mine;
  if (hm_store_txn(s, true, &mine, err))
    return -1;
  hm_arena *a = hm_arena_new();
  int rc = hm_line_commits_read(s, a, &old, &n_old, err);
  if (!rc && !are_same(old, n_old, v, n))
    rc = replace(s, v, n, err);
  hm_arena_free(a);
  return hm_store_txn_end(s, mine, rc, err);
}
