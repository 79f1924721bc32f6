#include "core/store/redact.h"

#include <string.h>

#include "core/base/redacted.h"
#include "core/store/records.h"
#include "core/store/redact_json.h"

/* --- lists -------------------------------------------------------------------- */

typedef struct { hm_str *v; size_t n, cap; } list;

static void add(list *l, hm_str s, hm_arena *a) {
  if (l->n == l->cap) {
    hm_str *more = hm_alloc_array(a, l->cap = l->cap ? 2 * l->cap : 16, sizeof *more);
    if (l->n) memcpy(more, l->v, l->n * sizeof *more);
    l->v = more;
  }
  l->v[l->n++] = hm_str_dup(a, s);
}

/* --- rows that hold it ---------------------------------------------------------- */

static bool is_json(const hm_kind *k, int i, const hm_cell *cells) {
  hm_field_type t = k->fields[i].type;
  return t == HM_F_STRINGS || t == HM_F_OBJECT || t == HM_F_ALIASES ||
      (t == HM_F_VALUE && hm_str_is(cells[i + 1].text, "json"));
}

static bool cell_holds(const hm_kind *k, int i, const hm_cell *cells, const hm_needles *values,
                       hm_arena *a) {
  if (cells[i].state != HM_CELL_TEXT) return false;
  hm_str text = cells[i].text;
  if (!is_json(k, i, cells)) return hm_needles_in(values, text);
  return hm_redact_json_holds(values, text, a);
}

static int carriers_of(hm_store *s, hm_kind_index k, const hm_needles *values, list *out,
                       hm_arena *a, hm_err *err) {
  sqlite3_stmt *st;
  hm_cell cells[HM_MAX_FIELDS + 1];
  hm_arena *tmp = hm_arena_new();
  int rc = hm_records_all(s, k, &st, err);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    hm_arena_reset(tmp);
    if ((rc = hm_records_row(s, k, st, cells, tmp, err))) break;
    for (int i = 0; i < hm_kinds[k].n; i++) {
      if (!cell_holds(&hm_kinds[k], i, cells, values, tmp)) continue;
      add(out,
          hm_str_join(
              tmp, (const hm_str[]){ hm_str_c(hm_kinds[k].name), HM_STR(":"), cells[0].text }, 3),
          a);
      break;
    }
  }
  sqlite3_finalize(st);
  hm_arena_free(tmp);
  return rc;
}

int hm_redact_carriers(hm_store *s, const hm_needles *values, hm_arena *a, hm_str **refs, size_t *n,
                       hm_err *err) {
  list l = { 0 };
  int rc = 0;
  for (int k = HM_K_PROJECT; k <= HM_K_RELATION && !rc; k++)
    rc = carriers_of(s, (hm_kind_index)k, values, &l, a, err);
  *refs = l.v;
  *n = l.n;
  return rc;
}

/* --- conflicts -------------------------------------------------------------------- */

typedef struct { int64_t rowid; hm_str ref, value, normal; } member;

static int read_members(hm_store *s, hm_str conflict, hm_arena *a, member **out, size_t *n,
                        hm_err *err) {
  static const char sql[] =
      "SELECT rowid, member_kind || ':' || member_id, value_detected, value_normal FROM conflict_members"
      " WHERE conflict_id = ?1 ORDER BY rowid";
  sqlite3_stmt *st;
  size_t cap = 0;
  int rc;
  *n = 0;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, conflict);
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    if (*n == cap) {
      member *more = hm_alloc_array(a, cap = cap ? 2 * cap : 8, sizeof *more);
      if (*n) memcpy(more, *out, *n * sizeof *more);
      *out = more;
    }
    (*out)[(*n)++] = (member){ sqlite3_column_int64(st, 0), hm_sql_copy(st, 1, a),
                               hm_sql_copy(st, 2, a), hm_sql_copy(st, 3, a) };
  }
  return rc;
}

static int write_member(hm_store *s, const member *m, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(
          s, "UPDATE conflict_members SET value_detected = ?2, value_normal = ?3 WHERE rowid = ?1",
          &st, err))
    return -1;
  sqlite3_bind_int64(st, 1, m->rowid);
  hm_sql_bind(st, 2, m->value);
  hm_sql_bind(st, 3, m->normal);
  return hm_sql_run(s, st, err);
}

static int write_conflict(hm_store *s, hm_str id, hm_str slot_key, hm_str resolution, hm_err *err) {
  sqlite3_stmt *st;
  if (hm_sql_cached(s, "UPDATE conflicts SET slot_key = ?2, resolution = ?3 WHERE id = ?1", &st,
                    err))
    return -1;
  hm_sql_bind(st, 1, id);
  hm_sql_bind(st, 2, slot_key);
  hm_sql_bind(st, 3, resolution);
  return hm_sql_run(s, st, err);
}

typedef struct { hm_str id, slot_key, resolution; } conflict;

/* Nobody else, whose value is still known, was ever said to claim there: the slot is named by these
 * rows alone. */
static bool is_lonely(const hm_redaction *r, const member *m, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!hm_redact_is(r->named, r->n_named, m[i].ref) && !hm_is_redacted(m[i].value)) return false;
  return n > 0;
}

static bool must_rename(const hm_redaction *r, const conflict *c, const member *m, size_t n,
                        hm_arena *a) {
  for (size_t i = 0; i < n; i++)
    if (hm_redact_stays(r, m[i].ref)) return false;
  return (r->lonely && is_lonely(r, m, n)) || hm_redact_slot_holds(r, c->slot_key, a);
}

static int redact_conflict(hm_store *s, const hm_redaction *r, conflict *now, bool *changed,
                           bool *renamed, hm_arena *a, hm_err *err) {
  member *m = NULL;
  size_t n;
  conflict c = *now, was = c;
  *changed = *renamed = false;
  if (read_members(s, c.id, a, &m, &n, err)) return -1;
  for (size_t i = 0; i < n; i++) {
    if (!hm_redact_member(r, m[i].ref, &m[i].value, &m[i].normal, a)) continue;
    *changed = true;
    if (write_member(s, &m[i], err)) return -1;
  }
  c.resolution = hm_needles_replace(r->values, c.resolution, r->mark, a);
  *renamed = must_rename(r, &c, m, n, a);
  if (*renamed) c.slot_key = hm_redact_slot_key(c.slot_key, c.id, a);
  if (!*renamed && hm_str_eq(c.resolution, was.resolution)) return 0;
  *changed = true;
  *now = c;
  return write_conflict(s, c.id, c.slot_key, c.resolution,
                        err); /* not noted for the index, which would keep the old name */
}

/* What is written of it now, by every text that it has. */
static int holds_still(hm_store *s, const hm_redaction *r, const conflict *c, bool *holds,
                       hm_arena *a, hm_err *err) {
  member *m = NULL;
  size_t n;
  if (read_members(s, c->id, a, &m, &n, err)) return -1;
  *holds = hm_needles_in(r->values, c->resolution) || hm_needles_in(r->values, c->slot_key) ||
      hm_redact_slot_holds(r, c->slot_key, a);
  for (size_t i = 0; i < n && !*holds; i++)
    *holds = hm_needles_in(r->values, m[i].value) || hm_needles_in(r->values, m[i].normal);
  return 0;
}

static int read_conflicts(hm_store *s, hm_arena *a, conflict **out, size_t *n, hm_err *err) {
  sqlite3_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_cached(s, "SELECT id, slot_key, resolution FROM conflicts ORDER BY id", &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    if (*n == cap) {
      conflict *more = hm_alloc_array(a, cap = cap ? 2 * cap : 64, sizeof *more);
      if (*n) memcpy(more, *out, *n * sizeof *more);
      *out = more;
    }
    (*out)[(*n)++] =
        (conflict){ hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a), hm_sql_copy(st, 2, a) };
  }
  return rc;
}

int hm_redact_conflicts(hm_store *s, const hm_redaction *r, hm_arena *a, hm_redacted_conflicts *out,
                        hm_err *err) {
  list changes = { 0 }, renames = { 0 }, holding = { 0 };
  conflict *c;
  size_t all;
  hm_arena *tmp = hm_arena_new(), *one = hm_arena_new();
  int rc = read_conflicts(s, tmp, &c, &all, err);
  for (size_t i = 0; i < all && !rc; i++) {
    bool changed, renamed, holds = false;
    rc = redact_conflict(s, r, &c[i], &changed, &renamed, one, err);
    if (!rc) rc = holds_still(s, r, &c[i], &holds, one, err);
    if (holds) add(&holding, c[i].id, a);
    else if (changed) add(&changes, c[i].id, a);
    if (renamed) add(&renames, c[i].id, a);
    hm_arena_reset(one);
  }
  hm_arena_free(one);
  hm_arena_free(tmp);
  *out =
      (hm_redacted_conflicts){ changes.v, renames.v, holding.v, changes.n, renames.n, holding.n };
  return rc;
}

/* --- findings ---------------------------------------------------------------------- */

static bool finding_goes(const hm_redaction *r, sqlite3_stmt *st, hm_arena *a) {
  hm_json *rows;
  for (int i = 2; i <= 4; i++)
    if (hm_needles_in(r->values, hm_sql_text(st, i, a))) return true;
  if (hm_json_parse(a, hm_sql_text(st, 1, a), &rows, NULL)) return false;
  for (const hm_json *e = rows->child; e; e = e->next)
    if (hm_redact_is(r->named, r->n_named, e->text)) return true;
  return false;
}

int hm_redact_findings(hm_store *s, const hm_redaction *r, hm_arena *a, size_t *n, hm_err *err) {
  sqlite3_stmt *st, *gone;
  int rc;
  *n = 0;
  if (hm_sql_prepare(s, "SELECT rowid, \"rows\", message, expected, actual FROM findings", &st,
                     err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    if (!finding_goes(r, st, a)) continue;
    if ((rc = hm_sql_cached(s, "DELETE FROM findings WHERE rowid = ?1", &gone, err))) break;
    sqlite3_bind_int64(gone, 1, sqlite3_column_int64(st, 0));
    if ((rc = hm_sql_run(s, gone, err))) break;
    ++*n;
  }
  sqlite3_finalize(st);
  return rc;
}

/* --- verdicts from elsewhere -------------------------------------------------------- */

static int redact_verdict(hm_store *s, const hm_redaction *r, hm_str id, hm_str record, hm_str why,
                          hm_arena *a, hm_err *err) {
  hm_json *v;
  sqlite3_stmt *st;
  if (hm_json_parse(a, record, &v, NULL)) return 0;
  const hm_json *about = hm_json_get(v, "conflict");
  hm_str ref =
      hm_str_join(a, (const hm_str[]){ HM_STR("conflict:"), about ? about->text : HM_EMPTY }, 2);
  hm_str clean = hm_needles_replace(r->values, why, r->mark, a);
  if (!hm_redact_record(r, ref, &record, a) && hm_str_eq(clean, why)) return 0;
  if (hm_sql_cached(s, "UPDATE verdicts SET record = ?2, why = ?3 WHERE id = ?1", &st, err))
    return -1;
  hm_sql_bind(st, 1, id);
  hm_sql_bind(st, 2, record);
  hm_sql_bind(st, 3, clean);
  return hm_sql_run(s, st, err);
}

int hm_redact_verdicts(hm_store *s, const hm_redaction *r, hm_arena *a, hm_err *err) {
  sqlite3_stmt *st;
  int rc = hm_sql_prepare(s, "SELECT id, record, why FROM verdicts ORDER BY id", &st, err);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1)
    rc = redact_verdict(s, r, hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a), hm_sql_copy(st, 2, a),
                        a, err);
  sqlite3_finalize(st);
  return rc;
}
