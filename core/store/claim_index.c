/* The tables of the index of the claims: claim_slots, claim_rows, claim_index. */
#include "core/store/claim_index.h"
#include <stdlib.h>
#include <string.h>
#include "core/base/par.h"
#include "core/store/changes.h"
#include "core/store/sql.h"

hm_layer hm_index_layer(hm_index_kind kind) {
  if (kind <= HM_INDEX_STATE) return (hm_layer)kind;
  if (kind >= HM_INDEX_MEMORY_BOUND)
    return (hm_layer)((kind - HM_INDEX_MEMORY_BOUND) % 3 + HM_MEMORY);
  return kind == HM_INDEX_CATEGORY ? HM_STATE : HM_ENTITY;
}

void hm_index_entries_add(hm_index_entries *l, hm_index_entry e) {
  if (l->n == l->cap) l->v = hm_xrealloc(l->v, (l->cap = 2 * l->cap + 16) * sizeof *l->v);
  l->v[l->n++] = e;
}

void hm_row_keys_add(hm_row_keys *l, hm_row_key k) {
  if (l->n == l->cap) l->v = hm_xrealloc(l->v, (l->cap = 2 * l->cap + 16) * sizeof *l->v);
  l->v[l->n++] = k;
}

/* --- orders ------------------------------------------------------------------- */

/* As SQLite orders integers. */
static int by_key(const hm_index_entry *a, const hm_index_entry *b) {
  int64_t x = (int64_t)a->key, y = (int64_t)b->key;
  return (x > y) - (x < y);
}

static int by_row(const void *x, const void *y) {
  const hm_index_entry *a = x, *b = y;
  int d = (int)hm_index_layer(a->kind) - (int)hm_index_layer(b->kind);
  if (!d) d = hm_str_cmp(a->id, b->id);
  if (!d) d = (int)a->kind - (int)b->kind;
  return d ? d : by_key(a, b);
}

static int by_slot(const void *x, const void *y) {
  const hm_index_entry *a = x, *b = y;
  int d = by_key(a, b);
  if (!d) d = (int)a->kind - (int)b->kind;
  return d ? d : hm_str_cmp(a->id, b->id);
}

void hm_index_entries_sort(hm_index_entries *l) {
  size_t n = 0;
  if (l->n) qsort(l->v, l->n, sizeof *l->v, by_row);
  for (size_t i = 0; i < l->n; i++)
    if (!n || by_row(&l->v[n - 1], &l->v[i])) l->v[n++] = l->v[i];
  l->n = n;
}

/* --- built or not --------------------------------------------------------------- */

/* Why an index that has a stamp may not be used: the stamp does not hold, or rows may belong to
 * other projects. */
static int stamp_is_current(hm_store *s, const hm_log_stamp *stamp, bool *current, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_log_stamp_holds(s, stamp, current, err) || !*current) return *current ? -1 : 0;
  if (hm_sql_cached(s, "SELECT 1 FROM changes WHERE seq > ?1 AND layer = 6", &st, err)) return -1;
  sqlite3_bind_int64(st, 1, stamp->seq);
  int rc = hm_sql_step(s, st, err);
  sqlite3_reset(st);
  *current = rc == 0;
  return rc < 0 ? -1 : 0;
}

int hm_index_current(hm_store *s, hm_str rules, bool *current, hm_err *err) {
  sqlite3_stmt *st;
  *current = false;
  if (s->version < 4 || s->theirs)
    return 0; /* nothing logs what another program changes in its own file */
  if (hm_sql_cached(s, "SELECT seq, nonce, schema, rules FROM claim_index WHERE seq IS NOT NULL",
                    &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc != 1) return rc;
  hm_log_stamp stamp = { sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1),
                         sqlite3_column_int64(st, 2) };
  bool same = !rules.p || hm_str_eq(hm_sql_text(st, 3, NULL), rules);
  sqlite3_reset(st);
  return same ? stamp_is_current(s, &stamp, current, err) : 0;
}

int hm_index_compared(hm_store *s, hm_arena *a, hm_str *digest, hm_err *err) {
  sqlite3_stmt *st;
  *digest = HM_EMPTY;
  if (hm_sql_cached(s, "SELECT compared FROM claim_index", &st, err)) return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc == 1) *digest = hm_sql_copy(st, 0, a);
  sqlite3_reset(st);
  return rc < 0 ? -1 : 0;
}

int hm_index_set_compared(hm_store *s, hm_str digest, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, "UPDATE claim_index SET compared = ?1 WHERE compared <> ?1", &st, err))
    return -1;
  hm_sql_bind(st, 1, digest);
  return hm_sql_run(s, st, err);
}

/* --- entries -------------------------------------------------------------------- */

#define IN_SLOTS " claim_slots (key, kind, id) VALUES (?1, ?2, ?3)"
#define IN_ROWS " claim_rows (key, kind, id, layer) VALUES (?1, ?2, ?3, ?4)"

/* st: with the columns of an entry as ?1 to ?3, and its layer as ?4 where it wants that. */
static int run_bound(hm_store *s, sqlite3_stmt *st, const hm_index_entry *e, hm_err *err) {
  sqlite3_bind_int64(st, 1, (int64_t)e->key);
  sqlite3_bind_int(st, 2, (int)e->kind);
  hm_sql_bind(st, 3, e->id);
  if (sqlite3_bind_parameter_count(st) > 3) sqlite3_bind_int(st, 4, (int)hm_index_layer(e->kind));
  return hm_sql_run(s, st, err);
}

static int run_with(hm_store *s, const char *sql, const hm_index_entry *e, hm_err *err) {
  sqlite3_stmt *st;
  return hm_sql_cached(s, sql, &st, err) || run_bound(s, st, e, err) ? -1 : 0;
}

static int insert(hm_store *s, const hm_index_entry *e, hm_err *err) {
  return run_with(s, "INSERT OR IGNORE INTO" IN_SLOTS, e, err) ||
          run_with(s, "INSERT OR IGNORE INTO" IN_ROWS, e, err)
      ? -1
      : 0;
}

static int delete(hm_store *s, const hm_index_entry *e, hm_err *err) {
  return run_with(s, "DELETE FROM claim_slots WHERE key = ?1 AND kind = ?2 AND id = ?3", e, err) ||
          run_with(s,
                   "DELETE FROM claim_rows WHERE key = ?1 AND kind = ?2 AND id = ?3 AND layer = ?4",
                   e, err)
      ? -1
      : 0;
}

/* One table: its entries, and the order of its key, in which it only grows at its end. */
typedef struct {
  hm_index_entry *v;
  size_t n;
  const char *sql;
  int (*order)(const void *, const void *);
} table;

static int sort_table(void *ctx, size_t i, int worker) {
  table *t = (table *)ctx + i;
  (void)worker;
  if (t->n) qsort(t->v, t->n, sizeof *t->v, t->order);
  return 0;
}

static int fill_table(hm_store *s, const table *t, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, t->sql, &st, err)) return -1;
  for (size_t i = 0; i < t->n; i++)
    if ((!i || t->order(&t->v[i - 1], &t->v[i])) && run_bound(s, st, &t->v[i], err)) return -1;
  return 0;
}

static int fill_tables(hm_store *s, hm_index_entries *entries, hm_err *err) {
  hm_index_entry *copy = hm_xmalloc(entries->n * sizeof *copy);
  table tables[] = { { entries->v, entries->n, "INSERT INTO" IN_SLOTS, by_slot },
                     { copy, entries->n, "INSERT INTO" IN_ROWS, by_row } };
  size_t failed;
  if (entries->n) memcpy(copy, entries->v, entries->n * sizeof *copy);
  hm_par_for(2, hm_par_cores(), sort_table, tables, &failed);
  int rc = fill_table(s, &tables[0], err) || fill_table(s, &tables[1], err) ? -1 : 0;
  free(copy);
  return rc;
}

int hm_index_stamp(hm_store *s, hm_err *err) {
  hm_log_stamp stamp;
  sqlite3_stmt *st;
  if (hm_log_end(s, &stamp, err)) return -1;
  if (hm_sql_cached(s, "UPDATE claim_index SET seq = ?1, nonce = ?2, schema = ?3", &st, err))
    return -1;
  sqlite3_bind_int64(st, 1, stamp.seq);
  sqlite3_bind_int64(st, 2, stamp.nonce);
  sqlite3_bind_int64(st, 3, stamp.schema);
  return hm_sql_run(s, st, err) ? -1 : hm_log_prune(s, err);
}

static int mark_built(hm_store *s, hm_str rules, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, "INSERT OR REPLACE INTO claim_index (one, rules) VALUES (1, ?1)", &st, err))
    return -1;
  hm_sql_bind(st, 1, rules);
  return hm_sql_run(s, st, err) ? -1 : hm_index_stamp(s, err);
}

int hm_index_fill(hm_store *s, hm_index_entries *entries, hm_str rules, hm_err *err) {
  if (hm_sql_exec(s, "DELETE FROM claim_slots; DELETE FROM claim_rows", err)) return -1;
  return fill_tables(s, entries, err) ? -1 : mark_built(s, rules, err);
}

int hm_index_of_row(hm_store *s, hm_row_key row, hm_arena *a, hm_index_entries *out, hm_err *err) {
  sqlite3_stmt *st;
  int rc;
  if (hm_sql_cached(
          s, "SELECT kind, key FROM claim_rows WHERE layer = ?1 AND id = ?2 ORDER BY kind, key",
          &st, err))
    return -1;
  sqlite3_bind_int(st, 1, (int)row.layer);
  hm_sql_bind(st, 2, row.id);
  hm_str id = HM_EMPTY;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_index_kind kind = (hm_index_kind)sqlite3_column_int(st, 0);
    bool of_row = kind >= HM_INDEX_MEMORY && kind <= HM_INDEX_CATEGORY;
    if (!of_row && (kind < HM_INDEX_MEMORY_BOUND || kind > HM_INDEX_STATE_ID)) continue;
    if (!id.n) id = hm_str_dup(a, row.id);
    hm_index_entries_add(out, (hm_index_entry){ (uint64_t)sqlite3_column_int64(st, 1), kind, id });
  }
  return rc;
}

int hm_index_set_rows(hm_store *s, const hm_index_entries *before, const hm_index_entries *now,
                      hm_err *err) {
  for (size_t i = 0, k = 0; i < before->n || k < now->n;) {
    int d = i == before->n ? 1 : k == now->n ? -1 : by_row(&before->v[i], &now->v[k]);
    if (d < 0 && delete(s, &before->v[i], err)) return -1;
    if (d > 0 && insert(s, &now->v[k], err)) return -1;
    i += d <= 0;
    k += d >= 0;
  }
  return 0;
}

int hm_index_rows(hm_store *s, uint64_t key, hm_index_kind first, hm_index_kind last, size_t max,
                  hm_arena *a, hm_row_keys *out, hm_err *err) {
  sqlite3_stmt *st;
  int rc = 1;
  if (hm_sql_cached(s, "SELECT kind, id FROM claim_slots WHERE key = ?1 AND kind BETWEEN ?2 AND ?3",
                    &st, err))
    return -1;
  sqlite3_bind_int64(st, 1, (int64_t)key);
  sqlite3_bind_int(st, 2, (int)first);
  sqlite3_bind_int(st, 3, (int)last);
  for (size_t i = 0; i < max && (rc = hm_sql_step(s, st, err)) == 1; i++)
    hm_row_keys_add(out,
                    (hm_row_key){ hm_index_layer((hm_index_kind)sqlite3_column_int(st, 0)),
                                  hm_sql_copy(st, 1, a) });
  sqlite3_reset(st);
  return rc < 0 ? -1 : 0;
}

int hm_index_bounds(hm_store *s, hm_time first, hm_time last, size_t max, hm_arena *a,
                    hm_row_keys *out, hm_err *err) {
  sqlite3_stmt *st;
  int rc = 1;
  if (hm_sql_cached(
          s,
          "SELECT kind, id FROM claim_slots WHERE key BETWEEN ?1 AND ?2 AND kind BETWEEN 10 AND 12",
          &st, err))
    return -1;
  sqlite3_bind_int64(st, 1, first);
  sqlite3_bind_int64(st, 2, last);
  for (size_t i = 0; i < max && (rc = hm_sql_step(s, st, err)) == 1; i++)
    hm_row_keys_add(out, (hm_row_key){ hm_index_layer((hm_index_kind)sqlite3_column_int(st, 0)),
                                       hm_sql_copy(st, 1, a) });
  sqlite3_reset(st);
  return rc < 0 ? -1 : 0;
}

/* --- names ------------------------------------------------------------------------- */

int hm_index_add_name(hm_store *s, hm_index_kind kind, hm_str name, hm_err *err) {
  if (!name.n) return 0;
  return run_with(s, "INSERT OR IGNORE INTO" IN_SLOTS, &(hm_index_entry){ 0, kind, name }, err);
}

int hm_index_has_name(hm_store *s, hm_index_kind kind, hm_str name, bool *has, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, "SELECT 1 FROM claim_slots WHERE key = 0 AND kind = ?1 AND id = ?2", &st,
                    err))
    return -1;
  sqlite3_bind_int(st, 1, (int)kind);
  hm_sql_bind(st, 2, name);
  int rc = hm_sql_step(s, st, err);
  sqlite3_reset(st);
  *has = rc == 1;
  return rc < 0 ? -1 : 0;
}

int hm_index_names(hm_store *s, hm_index_kind kind, hm_arena *a, hm_str **out, size_t *n,
                   hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, "SELECT id FROM claim_slots WHERE key = 0 AND kind = ?1 ORDER BY id", &st,
                    err))
    return -1;
  sqlite3_bind_int(st, 1, (int)kind);
  return hm_sql_texts(s, st, a, out, n, err);
}

/* --- rows that were changed --------------------------------------------------------- */

int hm_index_changed(hm_store *s, size_t max, hm_arena *a, hm_row_keys *out, hm_err *err) {
  sqlite3_stmt *st;
  int rc = 1;
  if (hm_sql_cached(s,
                    "SELECT DISTINCT layer % 8, id FROM changes WHERE seq > (SELECT seq FROM"
                    " claim_index) AND layer IN (1, 2, 3, 4, 8) ORDER BY layer % 8, id",
                    &st, err))
    return -1;
  for (size_t i = 0; i < max && (rc = hm_sql_step(s, st, err)) == 1; i++)
    hm_row_keys_add(out,
                    (hm_row_key){ (hm_layer)sqlite3_column_int(st, 0), hm_sql_copy(st, 1, a) });
  sqlite3_reset(st);
  return rc < 0 ? -1 : 0;
}
