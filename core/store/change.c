/* Single records changed where they stand, by columns: see record_edit.h. */
#include "core/store/record_edit.h"
#include <stdio.h>
#include <string.h>
#include "core/base/text.h"
#include "core/store/journal.h"
#include "core/store/records_impl.h"

/* The cells of one record, before or after a change. */
typedef struct {
  hm_kind_index kind;
  hm_cell cells[HM_MAX_FIELDS + 1];
  bool found;
} record;

/* Splits the reference; false when its kind has no records that a reference can name. */
static bool begin_record(record *rec, hm_str ref) {
  *rec = (record){ .cells = { { HM_CELL_TEXT, HM_EMPTY } } };
  rec->kind = hm_kind_of_ref(ref, &rec->cells[0].text);
  return rec->kind != HM_N_KINDS;
}

static int load(record *rec, hm_store *s, hm_str ref, hm_arena *a, hm_err *err) {
  if (!begin_record(rec, ref)) return 0;
  return hm_record_load(s, rec->kind, rec->cells, &rec->found, a, err);
}

static hm_str put(const record *rec, hm_arena *a) {
  return hm_record_json(&hm_kinds[rec->kind], rec->cells, a);
}

static hm_cell cell_of(hm_str value) {
  return value.p ? (hm_cell){ HM_CELL_TEXT, value } : (hm_cell){ HM_CELL_NULL, HM_EMPTY };
}

/* Returns whether any of them differs from what stood there. */
static bool set(record *rec, const hm_column *columns, size_t n) {
  bool changed = false;
  for (size_t i = 0; i < n; i++) {
    int at = hm_field_of_column(&hm_kinds[rec->kind], columns[i].column);
    if (at < 0) continue;
    hm_cell now = cell_of(columns[i].value), *was = &rec->cells[at];
    changed |= now.state != was->state || !hm_str_eq(now.text, was->text);
    *was = now;
  }
  return changed;
}

int hm_store_columns(hm_store *s, hm_str ref, hm_column *columns, size_t n, bool *found,
                     hm_arena *a, hm_err *err) {
  record rec;
  int rc = load(&rec, s, ref, a, err);
  *found = !rc && rec.found;
  for (size_t i = 0; i < n; i++) {
    int at = *found ? hm_field_of_column(&hm_kinds[rec.kind], columns[i].column) : -1;
    columns[i].value =
        at < 0 || rec.cells[at].state != HM_CELL_TEXT ? (hm_str){ NULL, 0 } : rec.cells[at].text;
  }
  return rc;
}

static int unknown(hm_str ref, hm_err *err) {
  char what[96];
  hm_str shown = hm_text_cut(ref, sizeof what - 1);
  memcpy(what, shown.p, shown.n);
  what[shown.n] = 0;
  return hm_fail(err, HM_E_UNKNOWN, what, "there is no such row",
                 "give it as kind:id, for example entity:e1");
}

int hm_store_change(hm_store *s, hm_str ref, const hm_column *columns, size_t n, const char *verb,
                    const hm_actor *who, hm_arena *a, hm_err *err) {
  record rec;
  int rc = load(&rec, s, ref, a, err);
  if (!rc && !rec.found) rc = unknown(ref, err);
  if (!rc) {
    hm_str before = put(&rec, a);
    if (set(&rec, columns, n)) {
      rc = hm_record_save(s, rec.kind, rec.cells, false, a, err);
      if (!rc) rc = hm_journal_add(s, who, verb, ref, before, put(&rec, a), err);
    }
  }
  return rc;
}

int hm_store_insert(hm_store *s, hm_str ref, const hm_column *columns, size_t n, const char *verb,
                    const hm_actor *who, hm_arena *a, hm_err *err) {
  record rec;
  if (!begin_record(&rec, ref)) return unknown(ref, err);
  const hm_kind *k = &hm_kinds[rec.kind];
  for (int i = 1; i < k->n; i++)
    rec.cells[i] = cell_of(k->fields[i].dflt ? hm_str_c(k->fields[i].dflt) : (hm_str){ NULL, 0 });
  set(&rec, columns, n);
  int rc = hm_record_save(s, rec.kind, rec.cells, true, a, err);
  if (!rc) rc = hm_journal_add(s, who, verb, ref, HM_EMPTY, put(&rec, a), err);
  return rc;
}

static int has_link(hm_store *s, hm_str src, hm_str dst, hm_str rel, bool *found, hm_arena *a,
                    hm_err *err) {
  hm_cell cells[HM_MAX_FIELDS + 1] = { { HM_CELL_TEXT, src },
                                   { HM_CELL_TEXT, dst },
                                   { HM_CELL_TEXT, rel } };
  return hm_record_load(s, HM_K_LINK, cells, found, a, err);
}

static int add_link(hm_store *s, hm_str src, hm_str dst, hm_str rel, const hm_actor *who,
                    hm_arena *a, hm_err *err) {
  const record link = { .kind = HM_K_LINK,
                        .cells = {
                            { HM_CELL_TEXT, src }, { HM_CELL_TEXT, dst }, { HM_CELL_TEXT, rel } } };
  const hm_str words[] = { HM_STR("link:"), src, HM_STR(" "), dst, HM_STR(" "), rel };
  if (hm_record_save(s, HM_K_LINK, link.cells, true, a, err)) return -1;
  return hm_journal_add(s, who, "link", hm_str_join(a, words, 6), HM_EMPTY, put(&link, a), err);
}

int hm_store_add_link(hm_store *s, hm_str src, hm_str dst, hm_str rel, const hm_actor *who,
                      bool *added, hm_arena *a, hm_err *err) {
  bool found = false;
  int rc = has_link(s, src, dst, rel, &found, a, err);
  if (!rc && !found) rc = has_link(s, dst, src, rel, &found, a, err);
  *added = !rc && !found;
  if (*added) rc = add_link(s, src, dst, rel, who, a, err);
  return rc;
}

static bool begins(hm_str id, hm_str prefix) {
  return prefix.n && hm_str_eq(hm_str_sub(id, 0, prefix.n), prefix);
}

/* Ids are sorted: the first that does not stand before the prefix is it, begins so, or none does.
 */
int hm_store_find_conflict(hm_store *s, hm_str prefix, hm_arena *a, hm_str *id, hm_err *err) {
  hm_stmt *st;
  hm_str met[2] = { HM_EMPTY, HM_EMPTY };
  char what[96];
  int n = 0, rc;
  if (hm_sql_cached(s, "SELECT id FROM conflicts WHERE id >= ?1 ORDER BY id LIMIT 2", &st, err))
    return -1;
  hm_sql_bind(st, 1, prefix);
  while ((rc = hm_sql_step(s, st, err)) == 1) met[n++] = hm_sql_copy(st, 0, a);
  if (rc) return -1;
  *id = met[0];
  if (hm_str_eq(met[0], prefix) && n) return 0;
  snprintf(what, sizeof what, "conflict '%.*s'", HM_FMT(hm_text_cut(prefix, 60)));
  if (!begins(met[0], prefix))
    return hm_fail(
        err, HM_E_UNKNOWN, what, "there is none",
        "see 'hmirror conflicts list --status all'; one that only a page shows is recorded by"
        " 'hmirror sweep'");
  return begins(met[1], prefix)
      ? hm_fail(err, HM_E_INPUT, what, "several conflicts begin so", "give more of its id")
      : 0;
}

int hm_store_open_rival(hm_store *s, hm_str id, hm_arena *a, hm_str *rival, hm_err *err) {
  static const char sql[] =
      "SELECT c.id FROM conflicts c JOIN conflicts o ON o.id = ?1 AND c.slot_key = o.slot_key"
      " AND c.id <> o.id WHERE c.status = 'open' AND EXISTS"
      " (SELECT 1 FROM conflict_members m JOIN conflict_members n"
      " USING (member_kind, member_id, field) WHERE m.conflict_id = c.id AND n.conflict_id = ?1)"
      " ORDER BY c.id LIMIT 1";
  hm_stmt *st;
  *rival = HM_EMPTY;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  hm_sql_bind(st, 1, id);
  int rc = hm_sql_step(s, st, err);
  if (rc == 1) *rival = hm_sql_copy(st, 0, a);
  hm_sql_reset(st);
  return rc < 0 ? -1 : 0;
}

/* --- relations that say what superseded what --------------------------------- */

/* A bare end of a relation is an entity's id. */
static bool is_end(hm_str end, hm_str ref) {
  return hm_str_eq(end, ref) ||
      (hm_str_starts(ref, "entity:") && hm_str_eq(end, hm_str_sub(ref, 7, ref.n)));
}

static bool says(hm_str type, hm_str from, hm_str to, hm_str older, hm_str newer, hm_arena *a) {
  hm_str name = hm_text_name(a, type);
  if (hm_str_is(name, "supersedes")) return is_end(from, newer) && is_end(to, older);
  return hm_str_is(name, "superseded_by") && is_end(from, older) && is_end(to, newer);
}

int hm_store_supersessions(hm_store *s, hm_str older, hm_str newer, hm_arena *a, hm_str **refs,
                           size_t *n, hm_err *err) {
  static const char sql[] =
      "SELECT id, type, from_id, to_id FROM relations WHERE status = 'active' AND"
      " type LIKE '%supersede%' ORDER BY id";
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *refs = NULL;
  *n = 0;
  if (hm_sql_cached(s, sql, &st, err)) return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    if (!says(hm_sql_text(st, 1, a), hm_sql_text(st, 2, a), hm_sql_text(st, 3, a), older, newer, a))
      continue;
    if (*n == cap) {
      hm_str *more = hm_alloc_array(a, cap = cap ? 2 * cap : 4, sizeof *more);
      if (*n) memcpy(more, *refs, *n * sizeof *more);
      *refs = more;
    }
    hm_buf b = { 0 };
    hm_buf_c(&b, "relation:");
    hm_buf_str(&b, hm_sql_text(st, 0, a));
    (*refs)[(*n)++] = hm_buf_keep(&b, a);
    hm_buf_free(&b);
  }
  return rc;
}
