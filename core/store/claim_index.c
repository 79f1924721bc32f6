/* The tables of the index of the claims: claim_slots, claim_rows, claim_index.
 *
 * An entry is in two tables, by slot and by row. Both are filled in the order of their keys, so
 * that they only grow at their end. The index is current while the change log has the line of its
 * stamp (change_log.h) and no later line says that rows may belong to other projects. */
#include "core/store/claim_index.h"
#include <stdlib.h>
#include <string.h>
#include "core/base/par.h"
#include "core/store/change_log.h"
#include "core/store/sql_impl.h"

#define IN_SLOTS " claim_slots (key, kind, id) VALUES (?1, ?2, ?3)"
#define IN_ROWS " claim_rows (key, kind, id, layer) VALUES (?1, ?2, ?3, ?4)"

enum {
  STAMP,
  RENAMED,
  COMPARED,
  SET_COMPARED,
  SET_STAMP,
  HAS_STAMP,
  SET_RULES,
  CLEAR,
  FILL_SLOTS,
  FILL_ROWS,
  ADD_SLOT,
  ADD_ROW,
  DROP_SLOT,
  DROP_ROW,
  OF_ROW,
  OF_KEY,
  BOUNDS,
  HAS_ENTITY,
  HAS_NAME,
  NAMES,
  CHANGED,
  CHANGED_PROJECTS,
  CHANGED_SINCE
};
static const char *const SQL[] = {
  [STAMP] = "SELECT seq, nonce, schema, rules FROM claim_index WHERE seq IS NOT NULL",
  [RENAMED] = "SELECT 1 FROM changes WHERE seq > ?1 AND layer = 6",
  [COMPARED] = "SELECT compared FROM claim_index",
  [SET_COMPARED] = "UPDATE claim_index SET compared = ?1 WHERE compared <> ?1",
  [SET_STAMP] = "UPDATE claim_index SET seq = ?1, nonce = ?2, schema = ?3",
  [HAS_STAMP] = "SELECT 1 FROM claim_index WHERE seq = ?1 AND nonce = ?2 AND schema = ?3",
  [SET_RULES] = "INSERT OR REPLACE INTO claim_index (one, rules) VALUES (1, ?1)",
  [CLEAR] = "DELETE FROM claim_slots; DELETE FROM claim_rows",
  [FILL_SLOTS] = "INSERT INTO" IN_SLOTS,
  [FILL_ROWS] = "INSERT INTO" IN_ROWS,
  [ADD_SLOT] = "INSERT OR IGNORE INTO" IN_SLOTS,
  [ADD_ROW] = "INSERT OR IGNORE INTO" IN_ROWS,
  [DROP_SLOT] = "DELETE FROM claim_slots WHERE key = ?1 AND kind = ?2 AND id = ?3",
  [DROP_ROW] = "DELETE FROM claim_rows WHERE key = ?1 AND kind = ?2 AND id = ?3 AND layer = ?4",
  [OF_ROW] = "SELECT kind, key FROM claim_rows WHERE layer = ?1 AND id = ?2 ORDER BY kind, key",
  [OF_KEY] = "SELECT kind, id FROM claim_slots WHERE key = ?1 AND kind BETWEEN ?2 AND ?3",
  [BOUNDS] = "SELECT kind, id FROM claim_slots WHERE key BETWEEN ?1 AND ?2"
             " AND (kind BETWEEN 10 AND 12 OR kind = 17)",
  [HAS_ENTITY] = "SELECT 1 FROM entities WHERE id = ?1",
  [HAS_NAME] = "SELECT 1 FROM claim_slots WHERE key = 0 AND kind = ?1 AND id = ?2",
  [NAMES] = "SELECT id FROM claim_slots WHERE key = 0 AND kind = ?1 ORDER BY id",
  /* Layer 8, a slot key, as 0. */
  [CHANGED] = "SELECT DISTINCT layer % 8, id FROM changes WHERE seq >"
              " (SELECT seq FROM claim_index) AND layer IN (1, 2, 3, 4, 8) ORDER BY layer % 8, id",
  [CHANGED_PROJECTS] = "SELECT 1 FROM changes WHERE seq > ?1 AND layer IN (5, 6)",
  [CHANGED_SINCE] =
      "SELECT DISTINCT layer, id FROM changes WHERE seq > ?1 AND layer IN (1, 2, 3, 4)",
};

/* Entries of rows, by layer. */
static const hm_index_kind CLAIM[] = { 0, HM_INDEX_MEMORY, HM_INDEX_ENTITY, HM_INDEX_STATE,
                                       HM_INDEX_RELATION };
static const hm_index_kind BOUND[] = { 0, HM_INDEX_MEMORY_BOUND, HM_INDEX_ENTITY_BOUND,
                                       HM_INDEX_STATE_BOUND, HM_INDEX_RELATION_BOUND };
static const hm_index_kind ID[] = { 0, HM_INDEX_MEMORY_ID, HM_INDEX_ENTITY_ID, HM_INDEX_STATE_ID,
                                    HM_INDEX_RELATION_ID };

hm_index_kind hm_index_claim_kind(hm_layer layer) { return CLAIM[layer]; }
hm_index_kind hm_index_bound_kind(hm_layer layer) { return BOUND[layer]; }
hm_index_kind hm_index_id_kind(hm_layer layer) { return ID[layer]; }

bool hm_index_is_slot(hm_index_kind kind) {
  return kind <= HM_INDEX_STATE || kind == HM_INDEX_TOLD;
}

/* The layer of an entry's row. */
static hm_layer index_layer(hm_index_kind kind) {
  for (hm_layer l = HM_MEMORY; l <= HM_RELATION; l++)
    if (kind == CLAIM[l] || kind == BOUND[l] || kind == ID[l])
      return l;
  if (kind == HM_INDEX_TOLD || kind == HM_INDEX_WRITTEN || kind == HM_INDEX_SIMILAR)
    return HM_MEMORY;
  if (kind >= HM_INDEX_LIES_IN)
    return HM_RELATION;
  return kind == HM_INDEX_CATEGORY ? HM_STATE : HM_ENTITY;
}

void hm_index_entries_add(hm_index_entries *l, hm_index_entry e) {
  l->v = hm_array_grow(l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = e;
}

void hm_row_keys_add(hm_row_keys *l, hm_row_key k) {
  l->v = hm_array_grow(l->v, l->n, &l->cap, sizeof *l->v);
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
  int d = (int)index_layer(a->kind) - (int)index_layer(b->kind);
  if (!d)
    d = hm_str_cmp(a->id, b->id);
  if (!d)
    d = (int)a->kind - (int)b->kind;
  return d ? d : by_key(a, b);
}

static int by_slot(const void *x, const void *y) {
  const hm_index_entry *a = x, *b = y;
  int d = by_key(a, b);
  if (!d)
    d = (int)a->kind - (int)b->kind;
  return d ? d : hm_str_cmp(a->id, b->id);
}

void hm_index_entries_sort(hm_index_entries *l) {
  size_t n = 0;
  if (l->n)
    qsort(l->v, l->n, sizeof *l->v, by_row);
  for (size_t i = 0; i < l->n; i++)
    if (!n || by_row(&l->v[n - 1], &l->v[i]))
      l->v[n++] = l->v[i];
  l->n = n;
}

/* --- built or not --------------------------------------------------------------- */

int hm_index_is_current(hm_store *s, hm_str rules, bool *current, hm_err *err) {
  hm_stmt *st;
  bool renamed;
  *current = false;
  if (s->version < 4 || s->theirs)
    return 0; /* nothing logs what another program changes in its own file */
  if (hm_sql_cached(s, SQL[STAMP], &st, err))
    return -1;
  int rc = hm_sql_step(s, st, err);
  if (rc != 1)
    return rc;
  hm_log_stamp stamp = { hm_sql_number(st, 0), hm_sql_number(st, 1), hm_sql_number(st, 2) };
  bool same = !rules.p || hm_str_eq(hm_sql_text(st, 3, NULL), rules);
  hm_sql_reset(st);
  if (!same)
    return 0;
  if (hm_log_stamp_holds(s, &stamp, current, err) ||
      hm_sql_has(s, SQL[RENAMED], HM_ARGS(hm_arg_int(stamp.seq)), &renamed, err))
    return -1;
  *current = *current && !renamed;
  return 0;
}

int hm_index_read_compare_digest(hm_store *s, hm_arena *a, hm_str *digest, hm_err *err) {
  return hm_sql_one(s, SQL[COMPARED], NULL, a, digest, err);
}

int hm_index_set_compare_digest(hm_store *s, hm_str digest, hm_err *err) {
  return hm_sql_do(s, SQL[SET_COMPARED], HM_ARGS(hm_arg_text(digest)), err);
}

int hm_index_set_stamp(hm_store *s, hm_err *err) {
  hm_log_stamp t;
  bool same;
  if (hm_log_make_stamp(s, &t, err))
    return -1;
  const hm_arg *stamp = HM_ARGS(hm_arg_int(t.seq), hm_arg_int(t.nonce), hm_arg_int(t.schema));
  if (hm_sql_has(s, SQL[HAS_STAMP], stamp, &same, err))
    return -1;
  if (same)
    return 0;
  if (hm_sql_do(s, SQL[SET_STAMP], stamp, err))
    return -1;
  return hm_log_prune(s, err);
}

/* --- entries -------------------------------------------------------------------- */

/* Runs a statement of the table of slots or of that of rows. */
static int run_entry(hm_store *s, const char *sql, bool of_rows, const hm_index_entry *e,
                     hm_err *err) {
  hm_arg args[] = { hm_arg_int((int64_t)e->key),
                    hm_arg_int(e->kind),
                    hm_arg_text(e->id),
                    hm_arg_int(index_layer(e->kind)),
                    { .type = HM_ARG_END } };
  if (!of_rows)
    args[3].type = HM_ARG_END;
  return hm_sql_do(s, sql, args, err);
}

typedef struct {
  hm_index_entry *v;
  size_t n;
  const char *sql;
  bool of_rows;
  int (*order)(const void *, const void *);
} index_table;

static int sort_table(void *ctx, size_t i, int worker) {
  index_table *t = (index_table *)ctx + i;
  (void)worker;
  if (t->n)
    qsort(t->v, t->n, sizeof *t->v, t->order);
  return 0;
}

/* Only a change of the schema takes triggers away, and after one the index is built. */
int hm_index_fill(hm_store *s, hm_index_entries *entries, hm_str rules, hm_err *err) {
  if (hm_sql_exec(s, SQL[CLEAR], err))
    return -1;
  hm_index_entry *copy = hm_xmalloc(entries->n * sizeof *copy);
  index_table tables[] = { { entries->v, entries->n, SQL[FILL_SLOTS], false, by_slot },
                           { copy, entries->n, SQL[FILL_ROWS], true, by_row } };
  size_t failed;
  bool logged;
  int rc = 0;
  if (entries->n)
    memcpy(copy, entries->v, entries->n * sizeof *copy);
  hm_par_for(2, hm_par_cores(), sort_table, tables, &failed);
  for (const index_table *t = tables; t < tables + 2; t++)
    for (size_t i = 0; i < t->n && !rc; i++)
      if (!i || t->order(&t->v[i - 1], &t->v[i]))
        rc = run_entry(s, t->sql, t->of_rows, &t->v[i], err);
  free(copy);
  if (rc || hm_sql_do(s, SQL[SET_RULES], HM_ARGS(hm_arg_text(rules)), err) ||
      hm_sql_restore_triggers(s, &logged, err))
    return -1;
  return logged ? hm_index_set_stamp(s, err) : hm_log_prune(s, err);
}

int hm_index_read_row(hm_store *s, hm_row_key row, hm_arena *a, hm_index_entries *out,
                      hm_err *err) {
  hm_stmt *st;
  hm_str id = HM_EMPTY;
  int rc;
  if (hm_sql_query(s, SQL[OF_ROW], HM_ARGS(hm_arg_int(row.layer), hm_arg_text(row.id)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_index_kind kind = (hm_index_kind)hm_sql_number(st, 0);
    if (kind > HM_INDEX_CATEGORY && kind < HM_INDEX_MEMORY_BOUND)
      continue;
    if (!id.n)
      id = hm_str_dup(a, row.id);
    hm_index_entries_add(out, (hm_index_entry){ (uint64_t)hm_sql_number(st, 1), kind, id });
  }
  return rc;
}

int hm_index_set_rows(hm_store *s, const hm_index_entries *before, const hm_index_entries *now,
                      hm_err *err) {
  for (size_t i = 0, k = 0; i < before->n || k < now->n;) {
    int d = i == before->n ? 1 : k == now->n ? -1 : by_row(&before->v[i], &now->v[k]);
    const hm_index_entry *e = d < 0 ? &before->v[i] : &now->v[k];
    if (d &&
        (run_entry(s, d < 0 ? SQL[DROP_SLOT] : SQL[ADD_SLOT], false, e, err) ||
         run_entry(s, d < 0 ? SQL[DROP_ROW] : SQL[ADD_ROW], true, e, err)))
      return -1;
    i += d <= 0;
    k += d >= 0;
  }
  return 0;
}

/* The rows of entries, kind and id. */
static int read_row_keys(hm_store *s, const char *sql, const hm_arg *args, size_t max, hm_arena *a,
                         hm_row_keys *out, hm_err *err) {
  hm_stmt *st;
  int rc = 1;
  if (hm_sql_query(s, sql, args, &st, err))
    return -1;
  for (size_t i = 0; i < max && (rc = hm_sql_step(s, st, err)) == 1; i++) {
    int number = (int)hm_sql_number(st, 0);
    bool logged = sql == SQL[CHANGED] || sql == SQL[CHANGED_SINCE];
    hm_layer layer = logged ? (hm_layer)number : index_layer((hm_index_kind)number);
    hm_row_keys_add(out, (hm_row_key){ layer, hm_sql_copy(st, 1, a) });
  }
  hm_sql_reset(st);
  return rc < 0 ? -1 : 0;
}

int hm_index_find_rows(hm_store *s, uint64_t key, hm_index_kind first, hm_index_kind last,
                       size_t max, hm_arena *a, hm_row_keys *out, hm_err *err) {
  const hm_arg *args = HM_ARGS(hm_arg_int((int64_t)key), hm_arg_int(first), hm_arg_int(last));
  return read_row_keys(s, SQL[OF_KEY], args, max, a, out, err);
}

int hm_store_has_entity(hm_store *s, hm_str id, bool *has, hm_err *err) {
  return hm_sql_has(s, SQL[HAS_ENTITY], HM_ARGS(hm_arg_text(id)), has, err);
}

int hm_index_find_bounds(hm_store *s, hm_time first, hm_time last, size_t max, hm_arena *a,
                         hm_row_keys *out, hm_err *err) {
  return read_row_keys(s, SQL[BOUNDS], HM_ARGS(hm_arg_int(first), hm_arg_int(last)), max, a, out,
                       err);
}

int hm_index_read_changed_rows(hm_store *s, size_t max, hm_arena *a, hm_row_keys *out,
                               hm_err *err) {
  return read_row_keys(s, SQL[CHANGED], NULL, max, a, out, err);
}

int hm_log_read_changed_rows(hm_store *s, const hm_log_stamp *stamp, size_t max, hm_arena *a,
                             hm_row_keys *out, bool *complete, hm_err *err) {
  const hm_arg *seq = HM_ARGS(hm_arg_int(stamp->seq));
  bool projects = false;
  size_t had = out->n;
  if (hm_log_stamp_holds(s, stamp, complete, err) ||
      (*complete && hm_sql_has(s, SQL[CHANGED_PROJECTS], seq, &projects, err)))
    return -1;
  *complete = *complete && !projects;
  if (!*complete)
    return 0;
  if (read_row_keys(s, SQL[CHANGED_SINCE], seq, max + 1, a, out, err))
    return -1;
  *complete = out->n - had <= max;
  return 0;
}

/* --- names ------------------------------------------------------------------------- */

int hm_index_add_name(hm_store *s, hm_index_kind kind, hm_str name, hm_err *err) {
  return name.n ? run_entry(s, SQL[ADD_SLOT], false, &(hm_index_entry){ 0, kind, name }, err) : 0;
}

int hm_index_has_name(hm_store *s, hm_index_kind kind, hm_str name, bool *has, hm_err *err) {
  return hm_sql_has(s, SQL[HAS_NAME], HM_ARGS(hm_arg_int(kind), hm_arg_text(name)), has, err);
}

int hm_index_list_names(hm_store *s, hm_index_kind kind, hm_arena *a, hm_str **out, size_t *n,
                        hm_err *err) {
  hm_stmt *st;
  if (hm_sql_query(s, SQL[NAMES], HM_ARGS(hm_arg_int(kind)), &st, err))
    return -1;
  return hm_sql_texts(s, st, a, out, n, err);
}
