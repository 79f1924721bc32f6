#include "core/store/lookup.h"
#include <stdlib.h>
#include <string.h>
#include "core/store/foreign.h"
#include "core/store/project_names.h"
#include "core/store/sql.h"

typedef struct { hm_conflict_place *v; size_t n, cap; } places;

static void add_place(places *l, sqlite3_stmt *st, hm_arena *a) {
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 16;
    hm_conflict_place *v = hm_alloc_array(a, l->cap, sizeof *v);
    if (l->n) memcpy(v, l->v, l->n * sizeof *v);
    l->v = v;
  }
  l->v[l->n++] = (hm_conflict_place){ hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a) };
}

static int read_places(hm_store *s, sqlite3_stmt *st, hm_arena *a, places *out, hm_err *err) {
  int rc;
  *out = (places){ 0 };
  while ((rc = hm_sql_step(s, st, err)) == 1) add_place(out, st, a);
  return rc;
}

static int find_conflict(hm_store *s, hm_str id, hm_arena *a, places *out, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, "SELECT id, slot_key FROM conflicts WHERE id = ?", &st, err)) return -1;
  hm_sql_bind(st, 1, id);
  return read_places(s, st, a, out, err);
}

int hm_lookup_conflict(hm_store *s, hm_str id, hm_arena *a, hm_conflict_place *out, hm_err *err) {
  bool mine;
  places l = { 0 };
  if (hm_sql_txn(s, false, &mine, err)) return -1;
  if (hm_sql_txn_end(s, mine, find_conflict(s, id, a, &l, err), err)) return -1;
  if (!l.n)
    return hm_fail(err, HM_E_UNKNOWN,
                   hm_str_fmt(a, "conflict '%.*s'", HM_FMT(hm_str_sub(id, 0, 60))).p,
                   "there is none", "list them all, of any status");
  *out = l.v[0];
  return 0;
}

int hm_lookup_conflicts_starting(hm_store *s, hm_str prefix, size_t max, hm_arena *a,
                                 hm_conflict_place **out, size_t *n, hm_err *err) {
  sqlite3_stmt *st;
  places l = { 0 };
  int rc = 1;
  if (hm_sql_cached(s, "SELECT id, slot_key FROM conflicts WHERE id >= ?1 ORDER BY id", &st, err))
    return -1;
  hm_sql_bind(st, 1, prefix);
  while (l.n < max && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_str id = hm_sql_text(st, 0, a);
    if (id.n < prefix.n || memcmp(id.p, prefix.p, prefix.n) != 0) break;
    add_place(&l, st, a);
  }
  sqlite3_reset(st);
  *out = l.v;
  *n = l.n;
  return rc < 0 ? -1 : 0;
}

/* What a project's name means: as hm_read_project_id says, then a project that only rows name; the
 * cheapest first. */
static const char *const PROJECT_OF[] = {
  "SELECT id FROM projects WHERE id = ?",
  "SELECT project FROM project_aliases WHERE alias = ?",
  NULL,   /* folded */
  "SELECT project FROM project_state WHERE project = ? LIMIT 1",
  "SELECT project FROM entities WHERE project = ? LIMIT 1",
  "SELECT project FROM memories WHERE project = ? LIMIT 1",
  "SELECT project FROM relations WHERE project = ? LIMIT 1",
};

enum { FOLDED = 2 };   /* its place among these */

/* Leaves *id alone when no row answers. */
static int ask_project(hm_store *s, const char *sql, hm_str name, hm_arena *a, hm_str *id,
                       hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, name);
  int rc = hm_sql_step(s, st, err);
  if (rc == 1) *id = hm_sql_copy(st, 0, a);
  sqlite3_reset(st);
  return rc < 0 ? -1 : 0;
}

static int find_folded(hm_store *s, hm_str name, hm_arena *a, hm_project_fit *fit, hm_err *err) {
  hm_project_names names;
  if (hm_project_names_read(s, a, &names, err)) return -1;
  const hm_project_fit *found = hm_project_names_find(&names, name);
  if (found) *fit = *found;
  return 0;
}

static int find_project(hm_store *s, hm_str name, hm_arena *a, hm_str *id, hm_project_fit *fit,
                        hm_err *err) {
  for (size_t i = 0; i < sizeof PROJECT_OF / sizeof *PROJECT_OF && !id->n; i++) {
    if (PROJECT_OF[i] && ask_project(s, PROJECT_OF[i], name, a, id, err)) return -1;
    if (PROJECT_OF[i]) continue;
    if (find_folded(s, name, a, fit, err)) return -1;
    if (!fit->other.n) *id = fit->project;
  }
  return 0;
}

int hm_lookup_project(hm_store *s, hm_str name, hm_arena *a, hm_str *id, hm_err *err) {
  bool mine;
  hm_project_fit fit = { HM_EMPTY, HM_EMPTY };
  *id = HM_EMPTY;
  if (!name.n) return 0;   /* the global project is always there */
  if (hm_sql_txn(s, false, &mine, err)) return -1;
  if (hm_sql_txn_end(s, mine, find_project(s, name, a, id, &fit, err), err)) return -1;
  return id->n ? 0 : hm_project_unknown(name, &fit, err);
}

/* --- the conflicts of a project ---------------------------------------------------- */

/* As hm_read_project_id has it. names: read when they are needed. */
static int fold_project(hm_store *s, hm_str name, hm_arena *a, hm_project_names *names, hm_str *id,
                        hm_err *err) {
  *id = HM_EMPTY;
  for (size_t i = 0; i < FOLDED && !id->n && name.n; i++)
    if (ask_project(s, PROJECT_OF[i], name, a, id, err)) return -1;
  if (id->n || !name.n) return 0;
  if (!names->ready && hm_project_names_read(s, a, names, err)) return -1;
  const hm_project_fit *fit = hm_project_names_find(names, name);
  *id = fit && !fit->other.n ? fit->project : hm_str_dup(a, name);
  return 0;
}

int hm_lookup_project_id(hm_store *s, hm_str name, hm_arena *a, hm_str *id, hm_err *err) {
  hm_project_names names = { .ready = false };
  return fold_project(s, name, a, &names, id, err);
}

static int has_row(hm_store *s, const char *sql, hm_str key, bool *has, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, key);
  int rc = hm_sql_step(s, st, err);
  sqlite3_reset(st);
  *has = rc == 1;
  return rc < 0 ? -1 : 0;
}

int hm_lookup_declared(hm_store *s, hm_str id, bool *declared, hm_err *err) {
  return has_row(s, PROJECT_OF[0], id, declared, err);
}

int hm_lookup_aliased(hm_store *s, hm_str id, bool *aliased, hm_err *err) {
  return has_row(s, "SELECT 1 FROM project_aliases WHERE project = ?1", id, aliased, err);
}

/* The projects that recorded conflicts name, by an index that steps from one to the next. */
#define NEXT "(SELECT min(project) FROM conflicts WHERE project > x)"
static const char SPELLINGS[] =
    "WITH RECURSIVE named (x) AS (SELECT min(project) FROM conflicts UNION ALL SELECT " NEXT
    " FROM named"
    " WHERE x IS NOT NULL) SELECT x FROM named WHERE x IS NOT NULL";

static int list_spelled(hm_store *s, const hm_verdict *status, hm_str spelled, hm_arena *a,
                        places *out, hm_err *err) {
  static const char sql[] =
    "SELECT id, slot_key FROM conflicts WHERE project = ?2 AND (?1 IS NULL OR status = ?1)";
  sqlite3_stmt *st;
  int rc;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  if (status) hm_sql_bind(st, 1, hm_str_c(hm_verdict_name(*status)));
  hm_sql_bind(st, 2, spelled);
  while ((rc = hm_sql_step(s, st, err)) == 1) add_place(out, st, a);
  return rc;
}

static int by_slot(const void *x, const void *y) {
  const hm_conflict_place *a = x, *b = y;
  int d = hm_str_cmp(a->slot_key, b->slot_key);
  return d ? d : hm_str_cmp(a->id, b->id);
}

/* A conflict keeps the name that its project had: an alias now, perhaps. */
static int list_project(hm_store *s, const hm_verdict *status, hm_str project, hm_arena *a,
                        places *out, hm_err *err) {
  sqlite3_stmt *st;
  hm_str *spelled;
  size_t n;
  hm_project_names names = { .ready = false };
  *out = (places){ 0 };
  if (hm_sql_cached(s, SPELLINGS, &st, err) || hm_sql_texts(s, st, a, &spelled, &n, err)) return -1;
  for (size_t i = 0; i < n; i++) {
    hm_str id;
    if (fold_project(s, spelled[i], a, &names, &id, err)) return -1;
    if (hm_str_eq(id, project) && list_spelled(s, status, spelled[i], a, out, err)) return -1;
  }
  if (out->n) qsort(out->v, out->n, sizeof *out->v, by_slot);
  return 0;
}

static int list(hm_store *s, const hm_verdict *status, const hm_str *project, hm_arena *a,
                places *out, hm_err *err) {
  static const char sql[] =
    "SELECT id, slot_key FROM conflicts WHERE ?1 IS NULL OR status = ?1 ORDER BY slot_key, id";
  sqlite3_stmt *st;
  if (project) return list_project(s, status, *project, a, out, err);
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  if (status) hm_sql_bind(st, 1, hm_str_c(hm_verdict_name(*status)));
  return read_places(s, st, a, out, err);
}

int hm_lookup_conflicts(hm_store *s, const hm_verdict *status, const hm_str *project, hm_arena *a,
                        hm_conflict_place **out, size_t *n, hm_err *err) {
  bool mine;
  places l = { 0 };
  if (hm_sql_txn(s, false, &mine, err)) return -1;
  if (hm_sql_txn_end(s, mine, list(s, status, project, a, &l, err), err)) return -1;
  *out = l.v;
  *n = l.n;
  return 0;
}

static int count_verdicts(hm_store *s, int64_t counts[HM_N_VERDICTS], hm_err *err) {
  sqlite3_stmt *st;
  int rc;
  if (hm_sql_cached(s, "SELECT status, count(*) FROM conflicts GROUP BY status", &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1)
    for (hm_verdict v = HM_OPEN; v < HM_N_VERDICTS; v++)
      if (hm_str_is(hm_sql_text(st, 0, NULL), hm_verdict_name(v)))
        counts[v] = sqlite3_column_int64(st, 1);
  return rc;
}

int hm_lookup_verdicts(hm_store *s, int64_t counts[HM_N_VERDICTS], hm_err *err) {
  bool mine;
  memset(counts, 0, HM_N_VERDICTS * sizeof *counts);
  if (hm_sql_txn(s, false, &mine, err)) return -1;
  return hm_sql_txn_end(s, mine, count_verdicts(s, counts, err), err);
}
