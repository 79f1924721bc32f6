#include "core/store/records.h"
#include <stdlib.h>
#include <string.h>
#include "core/base/text.h"
#include "core/store/changes.h"
#include "core/store/claim_index.h"

static void free_statements(sqlite3_stmt **list) {
  for (int k = 0; k < HM_N_KINDS; k++) sqlite3_finalize(list[k]);
}

void hm_records_free(hm_records *r) {
  free_statements(r->select);
  free_statements(r->insert);
  free_statements(r->update);
}

/* Appends the fields that have a column and, in flags & mask, the value want,
 * as `column` or `column = ?N`, N being the field's number from 1. */
static void put_columns(hm_buf *b, const hm_kind *k, int mask, int want, const char *between,
                        bool assign) {
  bool first = true;
  for (int i = 0; i < k->n; i++) {
    const hm_field *f = &k->fields[i];
    if (!f->column || (f->flags & mask) != want) continue;
    if (!first) hm_buf_c(b, between);
    first = false;
    hm_buf_c(b, f->column);
    if (assign) hm_buf_fmt(b, " = ?%d", i + 1);
  }
}

/* A store of an older version is read as it is: what it lacks is NULL. */
static void put_select(hm_buf *b, const hm_kind *k, int version) {
  bool first = true;
  hm_buf_c(b, "SELECT ");
  for (int i = 0; i < k->n; i++) {
    if (!k->fields[i].column) continue;
    if (!first) hm_buf_c(b, ", ");
    first = false;
    hm_buf_c(b, k->fields[i].since <= version ? k->fields[i].column : "NULL");
  }
  hm_buf_fmt(b, " FROM %s", k->table);
}

static void put_where_keys(hm_buf *b, const hm_kind *k) {
  hm_buf_c(b, " WHERE ");
  put_columns(b, k, HM_F_KEY, HM_F_KEY, " AND ", true);
}

static void build_select(hm_buf *b, const hm_kind *k, int version) {
  put_select(b, k, version);
  put_where_keys(b, k);
}

static void build_insert(hm_buf *b, const hm_kind *k, int version) {
  (void)version;
  hm_buf_fmt(b, "INSERT INTO %s (", k->table);
  put_columns(b, k, 0, 0, ", ", false);
  hm_buf_c(b, ") VALUES (");
  bool first = true;
  for (int i = 0; i < k->n; i++) {
    if (!k->fields[i].column) continue;
    hm_buf_fmt(b, first ? "?%d" : ", ?%d", i + 1);
    first = false;
  }
  hm_buf_ch(b, ')');
}

static void build_update(hm_buf *b, const hm_kind *k, int version) {
  (void)version;
  hm_buf_fmt(b, "UPDATE %s SET ", k->table);
  put_columns(b, k, HM_F_KEY, 0, ", ", true);
  put_where_keys(b, k);
}

static void build_all(hm_buf *b, const hm_kind *k, int version) {
  put_select(b, k, version);
  hm_buf_c(b, k == &hm_kinds[HM_K_LINK] ? " ORDER BY src, rel, dst" : " ORDER BY id");
}

/* Sorted as the keys will be written, which is not the order of their bytes
 * when some are not UTF-8. */
static void build_all_repaired(hm_buf *b, const hm_kind *k, int version) {
  put_select(b, k, version);
  hm_buf_c(b,
           k == &hm_kinds[HM_K_LINK]
               ? " ORDER BY repaired(src), repaired(rel), repaired(dst), src, rel, dst"
               : " ORDER BY repaired(id), id");
}

static void build_any_bad(hm_buf *b, const hm_kind *k, int version) {
  (void)version;
  hm_buf_fmt(b, "SELECT 1 FROM %s WHERE ", k->table);
  hm_buf_c(b,
           k == &hm_kinds[HM_K_LINK]
               ? "repaired(src) <> src OR repaired(dst) <> dst OR repaired(rel) <> rel"
               : "repaired(id) <> id");
  hm_buf_c(b, " LIMIT 1");
}

typedef void (*builder)(hm_buf *, const hm_kind *, int version);

static int prepare(hm_store *s, const hm_kind *k, builder build, sqlite3_stmt **st, hm_err *err) {
  hm_buf b = { 0 };
  if (*st) return 0;
  build(&b, k, s->version);
  hm_buf_ch(&b, '\0');
  int rc = hm_sql_prepare(s, b.p, st, err);
  hm_buf_free(&b);
  return rc;
}

int hm_records_all(hm_store *s, hm_kind_index k, sqlite3_stmt **out, hm_err *err) {
  sqlite3_stmt *any = NULL;
  *out = NULL;
  if (prepare(s, &hm_kinds[k], build_any_bad, &any, err)) return -1;
  int bad = hm_sql_step(s, any, err);
  sqlite3_finalize(any);
  return bad < 0 ? -1 : prepare(s, &hm_kinds[k], bad ? build_all_repaired : build_all, out, err);
}

int hm_records_row(hm_store *s, hm_kind_index k, sqlite3_stmt *st, hm_cell *cells, hm_arena *a,
                   hm_err *err) {
  const hm_kind *kind = &hm_kinds[k];
  int column = 0;
  for (int i = 0; i < kind->n; i++) {
    if (!kind->fields[i].column) continue;
    bool null = sqlite3_column_type(st, column) == SQLITE_NULL;
    cells[i].state = null ? HM_CELL_NULL : HM_CELL_TEXT;
    cells[i].text = null ? HM_EMPTY : hm_sql_copy(st, column, a);
    column++;
  }
  for (int i = 0; i < kind->n; i++)
    if (!kind->fields[i].column &&
        hm_side_load(s, kind->fields[i].type, cells[0].text, &cells[i], a, err))
      return -1;
  return 0;
}

int hm_records_load(hm_records *r, hm_kind_index k, hm_cell *cells, bool *found, hm_arena *a,
                    hm_err *err) {
  const hm_kind *kind = &hm_kinds[k];
  if (prepare(r->s, kind, build_select, &r->select[k], err)) return -1;
  sqlite3_stmt *st = r->select[k];
  for (int i = 0; i < kind->n; i++)
    if (kind->fields[i].flags & HM_F_KEY) hm_sql_bind(st, i + 1, cells[i].text);
  int rc = hm_sql_step(r->s, st, err);
  *found = rc == 1;
  if (rc == 1) rc = hm_records_row(r->s, k, st, cells, a, err);
  sqlite3_reset(st);
  return rc;
}

static bool is_decimal(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (!s.p[i] || !strchr("0123456789+-.eE", s.p[i])) return false;
  return s.n && s.n < 64;
}

/* SQLite's own reading of decimals is not always the nearest double. */
static void bind_cell(sqlite3_stmt *st, int i, hm_field_type type, const hm_cell *cell) {
  char digits[64], *end;
  if (cell->state != HM_CELL_TEXT) {
    sqlite3_bind_null(st, i);
    return;
  }
  if (type != HM_F_UNIT || !is_decimal(cell->text)) {
    hm_sql_bind(st, i, cell->text);
    return;
  }
  memcpy(digits, cell->text.p, cell->text.n);
  digits[cell->text.n] = 0;
  double d = strtod(digits, &end);
  if (*end) hm_sql_bind(st, i, cell->text);
  else sqlite3_bind_double(st, i, d);
}

/* Rows may belong to the project now that named another before; the triggers of schema.sql say the
 * same. */
static int log_project(hm_store *s, hm_str id, bool is_new, hm_err *err) {
  static const char sql[] =
      "SELECT 1 WHERE EXISTS (SELECT 1 FROM project_aliases WHERE alias = ?1)"
      " OR EXISTS (SELECT 1 FROM claim_slots WHERE key = 0 AND kind = 7 AND (id = ?1"
      " OR (id NOT IN (SELECT id FROM projects) AND id NOT IN (SELECT alias FROM project_aliases))))";
  sqlite3_stmt *st;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, is_new ? id : HM_EMPTY);
  int rc = hm_sql_step(s, st, err);
  sqlite3_reset(st);
  return rc < 0 ? -1 : hm_log_add(s, rc ? HM_LOG_PROJECT_NAMES : HM_LOG_PROJECT, id, err);
}

/* What is saved is logged here: no trigger of the file runs. */
static int log_saved(hm_store *s, hm_kind_index k, const hm_cell *cells, bool is_new, hm_err *err) {
  const hm_kind *kind = &hm_kinds[k];
  switch (k) {
    case HM_K_MEMORY: return hm_log_add(s, HM_LOG_MEMORY, cells[0].text, err);
    case HM_K_ENTITY: return hm_log_add(s, HM_LOG_ENTITY, cells[0].text, err);
    case HM_K_STATE: return hm_log_add(s, HM_LOG_STATE, cells[0].text, err);
    case HM_K_RELATION:
      if (hm_log_add(s, HM_LOG_RELATION, cells[0].text, err)) return -1;
      return hm_index_add_name(s, HM_INDEX_PROJECT_NAME,
                               cells[hm_field_of_column(kind, HM_STR("project"))].text, err);
    case HM_K_LINK:
      return hm_log_add(s, HM_LOG_LINK_END, cells[0].text, err) ||
              hm_log_add(s, HM_LOG_LINK_END, cells[1].text, err)
          ? -1
          : 0;
    case HM_K_PROJECT: return log_project(s, cells[0].text, is_new, err);
    case HM_K_CONFLICT:
      return hm_log_add_conflict(s, cells[0].text,
                                 cells[hm_field_of_column(kind, HM_STR("slot_key"))].text, err);
    default: return 0;
  }
}

int hm_records_save(hm_records *r, hm_kind_index k, const hm_cell *cells, bool is_new, hm_arena *a,
                    hm_err *err) {
  const hm_kind *kind = &hm_kinds[k];
  sqlite3_stmt **st = is_new ? &r->insert[k] : &r->update[k];
  if (k != HM_K_CONFLICT && hm_store_may_change(r->s, err)) return -1;
  if (prepare(r->s, kind, is_new ? build_insert : build_update, st, err)) return -1;
  for (int i = 0; i < kind->n; i++)
    if (kind->fields[i].column) bind_cell(*st, i + 1, kind->fields[i].type, &cells[i]);
  if (hm_sql_run(r->s, *st, err)) return -1;
  for (int i = 0; i < kind->n; i++) {
    /* A new record has nothing elsewhere yet. */
    if (kind->fields[i].column || (is_new && cells[i].state != HM_CELL_TEXT)) continue;
    if (hm_side_save(r->s, kind->fields[i].type, cells[0].text, &cells[i], a, err))
      return err && !err->what[0] ? hm_err_within(err, "%s", kind->fields[i].key) : -1;
  }
  return log_saved(r->s, k, cells, is_new, err);
}
