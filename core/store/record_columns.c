/* Single records changed by columns, and what a verdict must know of its conflict: see
 * record_edit.h. */
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/store/journal.h"
#include "core/store/record_edit.h"
#include "core/store/records_impl.h"

enum { CONFLICTS_FROM, RIVAL, SUPERSESSIONS };
static const char *const SQL[] = {
  [CONFLICTS_FROM] = "SELECT id FROM conflicts WHERE id >= ?1 ORDER BY id LIMIT 2",
  [RIVAL] = "SELECT c.id FROM conflicts c JOIN conflicts o ON o.id = ?1 AND c.slot_key = o.slot_key"
      " AND c.id <> o.id WHERE c.status = 'open'"
      " AND ((c.rule = o.rule AND c.anchor = o.anchor AND c.anchor <> '') OR EXISTS"
      " (SELECT 1 FROM conflict_members m JOIN conflict_members n"
      " USING (member_kind, member_id, field) WHERE m.conflict_id = c.id AND n.conflict_id = ?1))"
      " ORDER BY c.id LIMIT 1",
  [SUPERSESSIONS] = "SELECT id, type, from_id, to_id FROM relations WHERE status = 'active' AND"
      " type LIKE '%supersede%' ORDER BY id",
};

/* --- kinds and fields by name ------------------------------------------------------ */

bool hm_kind_is_said(hm_kind_index k) {
  return k == HM_K_ACKNOWLEDGEMENT || k == HM_K_FLAG || k == HM_K_PROPOSAL;
}

hm_kind_index hm_kind_of(hm_str name) {
  int k = 0;
  while (k < HM_N_KINDS && !hm_str_is(name, hm_kinds[k].name)) k++;
  return (hm_kind_index)k;
}

hm_kind_index hm_kind_of_ref(hm_str ref, hm_str *id) {
  ptrdiff_t colon = hm_str_find(ref, ":");
  if (colon < 0) return HM_N_KINDS;
  hm_kind_index k = hm_kind_of(hm_str_sub(ref, 0, (size_t)colon));
  *id = hm_str_sub(ref, (size_t)colon + 1, ref.n);
  return k == HM_K_LINK ? HM_N_KINDS : k;
}

int hm_field_of_key(const hm_kind *k, hm_str key) {
  for (int i = 0; i < k->n; i++)
    if (k->fields[i].key && hm_str_is(key, k->fields[i].key)) return i;
  return -1;
}

int hm_field_of_column(const hm_kind *k, const char *column) {
  for (int i = 0; i < k->n; i++)
    if (k->fields[i].column && !strcmp(column, k->fields[i].column)) return i;
  return -1;
}

/* --- columns ------------------------------------------------------------------- */

/* The cells of one record, before or after a change. */
typedef struct {
  hm_kind_index kind;
  hm_cell cells[HM_MAX_FIELDS + 1];
} record;

/* Splits the reference; false when its kind has no records that a reference can name. */
static bool begin_record(record *rec, hm_str ref) {
  *rec = (record){ .cells = { { HM_CELL_TEXT, HM_EMPTY } } };
  rec->kind = hm_kind_of_ref(ref, &rec->cells[0].text);
  return rec->kind != HM_N_KINDS;
}

static int load_record(record *rec, hm_store *s, hm_str ref, bool *found, hm_arena *a,
                       hm_err *err) {
  *found = false;
  return begin_record(rec, ref) ? hm_record_load(s, rec->kind, rec->cells, found, a, err) : 0;
}

static int save_record(hm_store *s, const record *rec, hm_str ref, hm_str before, const char *verb,
                       const hm_actor *who, hm_arena *a, hm_err *err) {
  if (hm_record_save(s, rec->kind, rec->cells, !before.n, a, err)) return -1;
  return hm_journal_add(s, who, verb, ref, before,
                        hm_record_json(&hm_kinds[rec->kind], rec->cells, a), err);
}

/* Returns whether any of them differs from what stood there. */
static bool set_columns(record *rec, const hm_column *columns, size_t n) {
  bool changed = false;
  for (size_t i = 0; i < n; i++) {
    int at = hm_field_of_column(&hm_kinds[rec->kind], columns[i].column);
    if (at < 0) continue;
    hm_str value = columns[i].value;
    hm_cell now = { value.p ? HM_CELL_TEXT : HM_CELL_NULL, value.p ? value : HM_EMPTY };
    changed |= now.state != rec->cells[at].state || !hm_str_eq(now.text, rec->cells[at].text);
    rec->cells[at] = now;
  }
  return changed;
}

int hm_store_get_columns(hm_store *s, hm_str ref, hm_column *columns, size_t n, bool *found,
                     hm_arena *a, hm_err *err) {
  record rec;
  if (load_record(&rec, s, ref, found, a, err)) return -1;
  for (size_t i = 0; i < n; i++) {
    int at = *found ? hm_field_of_column(&hm_kinds[rec.kind], columns[i].column) : -1;
    bool text = at >= 0 && rec.cells[at].state == HM_CELL_TEXT;
    columns[i].value = text ? rec.cells[at].text : (hm_str){ NULL, 0 };
  }
  return 0;
}

static int unknown_row(hm_str ref, hm_err *err) {
  char what[96];
  snprintf(what, sizeof what, "%.*s", HM_FMT(hm_text_cut(ref, sizeof what - 1)));
  return hm_fail(err, HM_E_UNKNOWN, what, "there is no such row",
                 "give it as kind:id, for example entity:e1");
}

int hm_store_set_columns(hm_store *s, hm_str ref, const hm_column *columns, size_t n,
                         const char *verb, const hm_actor *who, hm_arena *a, hm_err *err) {
  record rec;
  bool found;
  if (load_record(&rec, s, ref, &found, a, err)) return -1;
  if (!found) return unknown_row(ref, err);
  hm_str before = hm_record_json(&hm_kinds[rec.kind], rec.cells, a);
  if (!set_columns(&rec, columns, n)) return 0;
  return save_record(s, &rec, ref, before, verb, who, a, err);
}

int hm_store_insert_record(hm_store *s, hm_str ref, const hm_column *columns, size_t n,
                           const char *verb, const hm_actor *who, hm_arena *a, hm_err *err) {
  record rec;
  if (!begin_record(&rec, ref)) return unknown_row(ref, err);
  const hm_kind *k = &hm_kinds[rec.kind];
  for (int i = 1; i < k->n; i++) rec.cells[i] = hm_cell_default(&k->fields[i]);
  set_columns(&rec, columns, n);
  return save_record(s, &rec, ref, HM_EMPTY, verb, who, a, err);
}

/* --- conflicts --------------------------------------------------------------------- */

static bool begins(hm_str id, hm_str prefix) {
  return prefix.n && hm_str_eq(hm_str_sub(id, 0, prefix.n), prefix);
}

/* Ids are sorted: the first that does not stand before the prefix is it, begins so, or none does.
 */
int hm_store_find_conflict(hm_store *s, hm_str prefix, hm_arena *a, hm_str *id, hm_err *err) {
  hm_stmt *st;
  hm_str *met;
  size_t n;
  char what[96];
  if (hm_sql_query(s, SQL[CONFLICTS_FROM], HM_ARGS(hm_arg_text(prefix)), &st, err) ||
      hm_sql_texts(s, st, a, &met, &n, err))
    return -1;
  *id = n ? met[0] : HM_EMPTY;
  if (n && hm_str_eq(met[0], prefix)) return 0;
  snprintf(what, sizeof what, "conflict '%.*s'", HM_FMT(hm_text_cut(prefix, 60)));
  if (!n || !begins(met[0], prefix))
    return hm_fail(
        err, HM_E_UNKNOWN, what, "there is none",
        "see 'hmirror conflicts list --status all'; one that only a page shows is recorded by"
        " 'hmirror sweep'");
  if (n < 2 || !begins(met[1], prefix)) return 0;
  return hm_fail(err, HM_E_INPUT, what, "several conflicts begin so", "give more of its id");
}

int hm_store_open_rival(hm_store *s, hm_str id, hm_arena *a, hm_str *rival, hm_err *err) {
  return hm_sql_one(s, SQL[RIVAL], HM_ARGS(hm_arg_text(id)), a, rival, err);
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
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *refs = NULL;
  *n = 0;
  if (hm_sql_cached(s, SQL[SUPERSESSIONS], &st, err)) return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    if (!says(hm_sql_text(st, 1, a), hm_sql_text(st, 2, a), hm_sql_text(st, 3, a), older, newer, a))
      continue;
    const hm_str ref[] = { HM_STR("relation:"), hm_sql_text(st, 0, a) };
    *refs = hm_array_grow_in(a, *refs, *n, &cap, sizeof **refs);
    (*refs)[(*n)++] = hm_str_join(a, ref, 2);
  }
  return rc;
}
