/* Tables of the sandbox: arrays in memory as SQLite's virtual tables, and their indexes.
 *
 * A constraint "column = value" is answered by an index, the most selective one; how many rows a
 * literal value has is counted, so the planner begins with the rarest. Every index holds its rows
 * in their order, so results do not depend on hashes. Cost: an index is one pass over its column,
 * made once for all statements and threads; a look-up is one hash.
 * A table with only some of its rows (hm_sandbox_lookups) is first asked whether it has all rows of
 * a lookup. Plans then assume large tables, so that they look up by a column that allows it. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/store/sqlite_sandbox_impl.h"

enum { LARGE = 1000 * 1000 };

typedef struct {
  hm_sandbox_state *state;
  size_t number;
  const hm_sandbox_table *t;
} module_data;
typedef struct {
  sqlite3_vtab base;
  module_data *m;
} vtab;
typedef struct {
  sqlite3_vtab_cursor base;
  const uint32_t *rows; /* NULL: all of the table */
  size_t at, end;
} cursor;

/* --- indexes --------------------------------------------------------------------------- */

static hm_str key_of(const hm_sandbox *s, const hm_sandbox_column *c, hm_str text, hm_arena *a) {
  return c->holds == HM_COLUMN_TYPE ? s->world->fold(a, text) : text;
}

/* Types are compared folded, and few: folding costs more than a look-up, so `raw` knows the value
 * of each as it is written. */
static uint32_t type_value(const hm_sandbox *s, hm_sandbox_index *x, hm_map *raw,
                           const hm_sandbox_cell *cell) {
  uint32_t known = hm_map_get(raw, cell->text);
  if (known != HM_MAP_NONE)
    return known;
  hm_str text = hm_str_dup(x->a, cell->text);
  known = hm_map_add(&x->values, s->world->fold(x->a, text), (uint32_t)x->values.n);
  return hm_map_add(raw, text, known);
}

static void fill_index(const hm_sandbox *s, const hm_sandbox_table *t, size_t column,
                       hm_sandbox_index *x) {
  const hm_sandbox_column *c = &t->columns[column];
  hm_arena *scratch = hm_arena_new();
  uint32_t *value_of = hm_xmalloc((t->n_rows + 1) * sizeof *value_of);
  hm_map types;
  x->a = hm_arena_new();
  hm_map_init(&x->values, x->a, c->same == 1 ? t->n_rows : 64);
  hm_map_init(&types, x->a, c->holds == HM_COLUMN_TYPE ? 64 : 0);
  for (size_t i = 0; i < t->n_rows; i++) {
    hm_sandbox_cell cell = t->cell(t->ctx, i, column, scratch);
    value_of[i] = HM_MAP_NONE;
    if (cell.type == HM_CELL_TEXT && c->holds == HM_COLUMN_TYPE) {
      value_of[i] = type_value(s, x, &types, &cell);
    } else if (cell.type == HM_CELL_TEXT) {
      uint32_t known = cell.temporary ? hm_map_get(&x->values, cell.text) : HM_MAP_NONE;
      hm_str key = cell.text;
      if (known == HM_MAP_NONE)
        known = hm_map_add(&x->values, cell.temporary ? hm_str_dup(x->a, key) : key,
                           (uint32_t)x->values.n);
      value_of[i] = known;
    }
    if (cell.temporary)
      hm_arena_reset(scratch);
  }
  x->first = hm_alloc_array(x->a, x->values.n + 2, sizeof *x->first);
  x->rows = hm_alloc_array(x->a, t->n_rows + 1, sizeof *x->rows);
  for (size_t i = 0; i < t->n_rows; i++)
    if (value_of[i] != HM_MAP_NONE)
      x->first[value_of[i] + 2]++;
  for (size_t v = 2; v < x->values.n + 2; v++)
    x->first[v] += x->first[v - 1];
  for (size_t i = 0; i < t->n_rows; i++)
    if (value_of[i] != HM_MAP_NONE)
      x->rows[x->first[value_of[i] + 1]++] = (uint32_t)i;
  free(value_of);
  hm_arena_free(scratch);
}

/* The index of a column, made at first use; NULL if the column has none. */
static const hm_sandbox_index *sandbox_index_of(hm_sandbox *s, size_t table, size_t column) {
  const hm_sandbox_table *t = &s->world->tables[table];
  hm_sandbox_index *x = &s->indexes[s->first_index[table] + column];
  if (t->columns[column].same == HM_SAME_NONE)
    return NULL;
  if (atomic_load_explicit(&x->ready, memory_order_acquire))
    return x;
  pthread_mutex_lock(&x->lock);
  if (!atomic_load_explicit(&x->ready, memory_order_relaxed))
    fill_index(s, t, column, x);
  atomic_store_explicit(&x->ready, true, memory_order_release);
  pthread_mutex_unlock(&x->lock);
  return x;
}

/* Its rows, and how many. */
static const uint32_t *look_up(const hm_sandbox *s, const hm_sandbox_index *x,
                               const hm_sandbox_column *c, sqlite3_value *v, hm_arena *scratch,
                               size_t *n) {
  const char *p = (const char *)sqlite3_value_text(v);
  uint32_t value = HM_MAP_NONE;
  if (p)
    value = hm_map_get(&x->values,
                       key_of(s, c, (hm_str){ p, (size_t)sqlite3_value_bytes(v) }, scratch));
  *n = value == HM_MAP_NONE ? 0 : x->first[value + 1] - x->first[value];
  return value == HM_MAP_NONE ? x->rows : x->rows + x->first[value];
}

/* --- the plan ------------------------------------------------------------------------------ */

static const hm_sandbox_lookups *lookups_of(const module_data *m) {
  return m->state->s->world->lookups;
}

/* The number of rows of a table that holds only some of them is unknown. */
static size_t rows_of(const module_data *m) { return lookups_of(m) ? LARGE : m->t->n_rows; }

/* How many rows the constraint will find, as far as one can tell. */
static size_t rows_found(const module_data *m, sqlite3_index_info *info, int i) {
  const hm_sandbox_column *c = &m->t->columns[info->aConstraint[i].iColumn];
  sqlite3_value *literal = NULL;
  size_t n;
  if (!lookups_of(m) && sqlite3_vtab_rhs_value(info, i, &literal) == SQLITE_OK && literal) {
    const hm_sandbox_index *x =
        sandbox_index_of(m->state->s, m->number, (size_t)info->aConstraint[i].iColumn);
    look_up(m->state->s, x, c, literal, m->state->scratch, &n);
    return n;
  }
  if (c->same > 0)
    return (size_t)c->same < rows_of(m) ? (size_t)c->same : rows_of(m);
  return rows_of(m) / 8 + 1;
}

static bool has_index(const module_data *m, sqlite3_index_info *info, int i) {
  const struct sqlite3_index_constraint *k = &info->aConstraint[i];
  if (!k->usable || k->op != SQLITE_INDEX_CONSTRAINT_EQ || k->iColumn < 0)
    return false;
  const hm_sandbox_column *c = &m->t->columns[k->iColumn];
  const char *wants = c->holds == HM_COLUMN_TYPE ? "type" : "BINARY";
  const hm_sandbox_lookups *by = lookups_of(m);
  if (by && !by->finds(by->ctx, m->number, (size_t)k->iColumn))
    return false;
  return c->same != HM_SAME_NONE && !sqlite3_stricmp(sqlite3_vtab_collation(info, i), wants);
}

void hm_sandbox_note_column(hm_sandbox_state *st, size_t table, int column) {
  if (column < 0)
    return; /* the number of a row */
  st->reads_columns[table] |= UINT64_C(1) << column;
  st->reads_now = st->reads_now || st->s->world->tables[table].columns[column].of_now;
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info) {
  const module_data *m = ((vtab *)base)->m;
  size_t least = rows_of(m) + 1;
  int best = -1;
  for (size_t k = 0; k < m->t->n_columns; k++)
    if (info->colUsed >> k & 1)
      hm_sandbox_note_column(m->state, m->number, (int)k);
  for (int i = 0; i < info->nConstraint; i++) {
    if (!has_index(m, info, i))
      continue;
    hm_sandbox_note_column(m->state, m->number, info->aConstraint[i].iColumn);
    size_t n = rows_found(m, info, i);
    if (n < least)
      least = n, best = i;
  }
  info->idxNum = best < 0 ? 0 : info->aConstraint[best].iColumn + 1;
  if (best >= 0)
    info->aConstraintUsage[best].argvIndex = 1;
  if (best >= 0 && m->t->columns[info->aConstraint[best].iColumn].same == 1)
    info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
  info->estimatedRows = (sqlite3_int64)least;
  info->estimatedCost = (double)least + (best < 0 ? 2 : 1);
  return SQLITE_OK;
}

/* --- the cursor ------------------------------------------------------------------------------ */

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out) {
  (void)base;
  cursor *c = sqlite3_malloc(sizeof *c);
  if (!c)
    return SQLITE_NOMEM;
  *c = (cursor){ .at = 0 };
  *out = &c->base;
  return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base) {
  sqlite3_free(base);
  return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *base, int column, const char *name, int n,
                  sqlite3_value **args) {
  cursor *c = (cursor *)base;
  const module_data *m = ((vtab *)base->pVtab)->m;
  (void)name;
  c->at = 0;
  c->rows = NULL;
  c->end = m->t->n_rows;
  const hm_sandbox_lookups *by = lookups_of(m);
  if (!column || !n) {
    if (by && !by->holds(by->ctx, m->number, HM_SANDBOX_ALL_ROWS, HM_EMPTY))
      c->end = 0;
    return SQLITE_OK;
  }
  const char *text = (const char *)sqlite3_value_text(args[0]);
  if (by && text &&
      !by->holds(by->ctx, m->number, column - 1,
                 (hm_str){ text, (size_t)sqlite3_value_bytes(args[0]) })) {
    c->end = 0;
    return SQLITE_OK;
  }
  const hm_sandbox_index *x = sandbox_index_of(m->state->s, m->number, (size_t)column - 1);
  c->rows =
      look_up(m->state->s, x, &m->t->columns[column - 1], args[0], m->state->scratch, &c->end);
  hm_arena_reset(m->state->scratch);
  return SQLITE_OK;
}

static int next(sqlite3_vtab_cursor *base) {
  ((cursor *)base)->at++;
  return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *base) {
  return ((cursor *)base)->at >= ((cursor *)base)->end;
}

static size_t row_of(const cursor *c) { return c->rows ? c->rows[c->at] : c->at; }

static int rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out) {
  *out = (sqlite3_int64)row_of((cursor *)base);
  return SQLITE_OK;
}

void hm_sandbox_result_cell(sqlite3_context *ctx, const hm_sandbox_cell *c) {
  hm_str text = c->text;
  switch (c->type) {
    case HM_CELL_NULL:
      sqlite3_result_null(ctx);
      break;
    case HM_CELL_INT:
      sqlite3_result_int64(ctx, c->number);
      break;
    case HM_CELL_REAL:
      sqlite3_result_double(ctx, c->real);
      break;
    case HM_CELL_TEXT:
      if (text.n > HM_SANDBOX_TEXT)
        text = hm_text_cut(text, HM_SANDBOX_TEXT);
      sqlite3_result_text64(ctx, text.p, text.n, c->temporary ? SQLITE_TRANSIENT : SQLITE_STATIC,
                            SQLITE_UTF8);
  }
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i) {
  const module_data *m = ((vtab *)base->pVtab)->m;
  hm_sandbox_cell cell =
      m->t->cell(m->t->ctx, row_of((cursor *)base), (size_t)i, m->state->scratch);
  m->state->steps += (int64_t)(cell.text.n / HM_SANDBOX_BYTES_A_STEP);
  m->state->reads_columns[m->number] |= UINT64_C(1) << i;
  hm_sandbox_result_cell(ctx, &cell);
  if (cell.temporary)
    hm_arena_reset(m->state->scratch);
  return SQLITE_OK;
}

/* --- the module ------------------------------------------------------------------------------ */

static int connect_table(sqlite3 *db, void *data, int argc, const char *const *argv,
                         sqlite3_vtab **out, char **why) {
  static const char *const types[] = { "TEXT", "TEXT COLLATE type", "" };
  module_data *m = data;
  hm_buf b = { 0 };
  (void)argc, (void)argv, (void)why;
  hm_buf_c(&b, "CREATE TABLE t(");
  for (size_t i = 0; i < m->t->n_columns; i++)
    hm_buf_fmt(&b, "%s\"%s\" %s", i ? ", " : "", m->t->columns[i].name,
               types[m->t->columns[i].holds]);
  hm_buf_add(&b, ")", 2);
  m->state->declares = true;
  int rc = sqlite3_declare_vtab(db, b.p);
  m->state->declares = false;
  hm_buf_free(&b);
  vtab *v = rc ? NULL : sqlite3_malloc(sizeof *v);
  if (!v)
    return rc ? rc : SQLITE_NOMEM;
  *v = (vtab){ .m = m };
  *out = &v->base;
  return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *base) {
  sqlite3_free(base);
  return SQLITE_OK;
}

/* Without xCreate a module is one table of its own name; without xUpdate nothing can be written. */
static const sqlite3_module module = {
  .xConnect = connect_table,
  .xDisconnect = disconnect_table,
  .xDestroy = disconnect_table,
  .xBestIndex = best_index,
  .xOpen = open_cursor,
  .xClose = close_cursor,
  .xFilter = filter,
  .xNext = next,
  .xEof = at_end,
  .xColumn = column,
  .xRowid = rowid,
};

int hm_sandbox_add_tables(sqlite3 *db, hm_sandbox_state *state) {
  const hm_sandbox_world *w = state->s->world;
  int rc = SQLITE_OK;
  for (size_t i = 0; i < w->n_tables && !rc; i++) {
    module_data *m = hm_xmalloc(sizeof *m);
    *m = (module_data){ state, i, &w->tables[i] };
    rc = sqlite3_create_module_v2(db, w->tables[i].name, &module, m, free);
  }
  return rc;
}
