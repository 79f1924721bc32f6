/* Removes a value from the store: from texts, slots, conflicts, findings, verdicts, the journal.
 *
 * Records of a named row lose all of its values. Everything else loses only values long enough not
 * to match by chance, except for rows that hold them too and are not redacted. In JSON only strings
 * and numbers are searched. */

#include <string.h>

#include "core/base/redaction.h"
#include "core/record/journal.h"
#include "core/record/records.h"

enum {
  MEMBERS,
  SET_MEMBER,
  CONFLICTS,
  SET_CONFLICT,
  FINDINGS,
  DROP_FINDING,
  VERDICTS,
  SET_VERDICT
};
static const char *const SQL[] = {
  [MEMBERS] = "SELECT rowid, member_kind || ':' || member_id, value_detected, value_normal"
              " FROM conflict_members WHERE conflict_id = ?1 ORDER BY rowid",
  [SET_MEMBER] =
      "UPDATE conflict_members SET value_detected = ?2, value_normal = ?3 WHERE rowid = ?1",
  [CONFLICTS] = "SELECT id, slot_key, resolution FROM conflicts ORDER BY id",
  [SET_CONFLICT] = "UPDATE conflicts SET slot_key = ?2, resolution = ?3 WHERE id = ?1",
  [FINDINGS] = "SELECT rowid, \"rows\", message, expected, actual, reason FROM findings",
  [DROP_FINDING] = "DELETE FROM findings WHERE rowid = ?1",
  [VERDICTS] = "SELECT id, record, why FROM verdicts ORDER BY id",
  [SET_VERDICT] = "UPDATE verdicts SET record = ?2, why = ?3 WHERE id = ?1",
};

static bool is_among(const hm_str *refs, size_t n, hm_str ref) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(refs[i], ref))
      return true;
  return false;
}

/* May this row's texts, and statements about them, stay? */
static bool stays(const hm_redaction *r, hm_str ref) {
  return is_among(r->others, r->n_others, ref);
}

/* --- texts ------------------------------------------------------------------ */

/* The needles to remove from the texts of one row, or from statements about it. */
typedef struct {
  const hm_needles *needles;
  hm_str mark;
  hm_arena *a;
} cleaning;

static cleaning cleaning_of(const hm_redaction *r, hm_str ref, hm_arena *a) {
  return (cleaning){ is_among(r->named, r->n_named, ref) ? r->own : r->values, r->mark, a };
}

static bool replace(const cleaning *c, hm_str *text) {
  if (!hm_needles_found_in(c->needles, *text))
    return false;
  *text = hm_needles_replace(c->needles, *text, c->mark, c->a);
  return true;
}

/* A member of a conflict without the value; true when it held it. value, normal: as recorded, or
 * empty. */
static bool redact_member(const hm_redaction *r, hm_str ref, hm_str *value, hm_str *normal,
                          hm_arena *a) {
  cleaning c = cleaning_of(r, ref, a);
  if (stays(r, ref) || !(replace(&c, value) || hm_needles_found_in(c.needles, *normal)))
    return false;
  *normal = HM_EMPTY; /* it is folded, and would give away most of it */
  return true;
}

/* --- slots ------------------------------------------------------------------ */

/* The last element is the slot's name. */
static hm_json *name_of(hm_json *key) {
  hm_json *e = key && key->type == HM_JSON_ARRAY ? key->child : NULL;
  while (e && e->next)
    e = e->next;
  return e && e != key->child && e->type == HM_JSON_STRING ? e : NULL;
}

/* The name of the slot holds the value. */
static bool slot_holds(const hm_redaction *r, hm_str slot_key, hm_arena *a) {
  const hm_json *name = name_of(hm_json_parse_as(a, slot_key, HM_JSON_ARRAY));
  return name &&
      (hm_needles_found_in(r->names, name->text) || hm_needles_found_in(r->values, name->text));
}

static bool rename_slot(hm_json *key, hm_str conflict, hm_arena *a) {
  hm_json *name = name_of(key);
  if (name)
    name->text = HM_CAT(a, HM_STR("redacted_"), conflict);
  return name != NULL;
}

/* --- records ---------------------------------------------------------------- */

/* Keys with texts of people and programs; the others are ids, times and fixed words. */
static bool holds_texts(hm_str key) {
  static const char *const keys[] = { "content",  "description", "name",        "properties",
                                      "key",      "value",       "source",      "source_refs",
                                      "tags",     "scope",       "slot_rule",   "agent",
                                      "category", "resolution",  "as_stored",   "aliases",
                                      "reason",   "question",    "memory_type", "entity_type",
                                      "type",     "via",         "why" };
  for (size_t i = 0; i < HM_COUNT(keys); i++)
    if (hm_str_is(key, keys[i]))
      return true;
  return false;
}

/* Depth is bounded by the parser. */
static bool replace_below(const cleaning *c, hm_json *v) {
  bool changed = false;
  if (v->type == HM_JSON_STRING)
    return replace(c, &v->text);
  if (v->type == HM_JSON_NUMBER && hm_needles_equal(c->needles, v->text)) {
    v->type = HM_JSON_STRING;
    v->text = c->mark;
    return true;
  }
  for (hm_json *e = v->child; e; e = e->next)
    changed |= replace_below(c, e);
  return changed;
}

static hm_str *text_at(hm_json *object, const char *key) {
  for (hm_json *c = object->child; c; c = c->next)
    if (c->type == HM_JSON_STRING && hm_str_is(c->key, key))
      return &c->text;
  return NULL;
}

static bool replace_members(const hm_redaction *r, hm_json *members, hm_arena *a) {
  bool changed = false;
  for (hm_json *m = members->child; m; m = m->next) {
    hm_str nothing = HM_EMPTY, *kind = text_at(m, "member_kind"), *id = text_at(m, "member_id");
    hm_str *value = text_at(m, "value"), *normal = text_at(m, "normal");
    hm_str ref = kind && id ? HM_CAT(a, *kind, HM_STR(":"), *id) : HM_EMPTY;
    changed |= redact_member(r, ref, value ? value : &nothing, normal ? normal : &nothing, a);
  }
  return changed;
}

/* The row that the record ref is about; for statements about rows, a named row if they include
 * one. */
static hm_str row_of(const hm_redaction *r, hm_str ref, const hm_json *record) {
  const hm_json *row = hm_json_get(record, "row"), *rows = hm_json_get(record, "rows");
  if (hm_str_starts(ref, "flag:") && row && row->type == HM_JSON_STRING)
    return row->text;
  if (!(hm_str_starts(ref, "acknowledgement:") || hm_str_starts(ref, "proposal:")) || !rows)
    return ref;
  for (const hm_json *e = rows->child; e; e = e->next)
    if (is_among(r->named, r->n_named, e->text))
      return e->text;
  return rows->child ? rows->child->text : ref;
}

static bool replace_in_record(const hm_redaction *r, hm_str ref, hm_json *record, hm_arena *a) {
  bool changed = false;
  bool named = is_among(r->named, r->n_named, ref);
  hm_str conflict = hm_str_starts(ref, "conflict:") ? hm_str_sub(ref, 9, ref.n) : HM_EMPTY;
  cleaning c = cleaning_of(r, ref, a);
  for (hm_json *f = record->child; f; f = f->next) {
    bool words = hm_str_is(f->key, "question") || hm_str_is(f->key, "why");
    if (named && words && f->type == HM_JSON_STRING) {
      f->text = c.mark; /* somebody's own words of what they read */
      changed = true;
    } else if (holds_texts(f->key))
      changed |= replace_below(&c, f);
    else if (hm_str_is(f->key, "members"))
      changed |= replace_members(r, f, a);
    else if (hm_str_is(f->key, "evidence") && named && f->type == HM_JSON_STRING && f->text.n) {
      f->text = HM_EMPTY;
      changed = true;
    } else if (hm_str_is(f->key, "digests") && named && f->count) {
      f->child = NULL; /* of short texts, which could be guessed */
      f->count = 0;
      changed = true;
    } else if (hm_str_is(f->key, "slot_key") && is_among(r->renamed, r->n_renamed, conflict))
      changed |= rename_slot(f, conflict, a);
  }
  return changed;
}

/* The record that ref names, as a line of the journal has it; false when it does not hold the
 * value. What is no JSON and holds it becomes the mark. */
bool hm_redact_record(const hm_redaction *r, hm_str ref, hm_str *json, hm_arena *a) {
  if (!json->n || stays(r, ref))
    return false;
  hm_json *v = hm_json_parse_as(a, *json, HM_JSON_OBJECT);
  if (!v) {
    cleaning c = cleaning_of(r, ref, a);
    if (!hm_needles_found_in(c.needles, *json))
      return false;
    *json = r->mark;
    return true;
  }
  ref = row_of(r, ref, v);
  if (stays(r, ref) || !replace_in_record(r, ref, v, a))
    return false;
  *json = hm_json_as_text(v, a);
  return true;
}

bool hm_redact_text(const hm_redaction *r, bool json, hm_str *text, hm_arena *a) {
  cleaning c = { r->own, r->mark, a };
  hm_json *v;
  if (!json || hm_json_parse(a, *text, &v, NULL))
    return replace(&c, text);
  if (!replace_below(&c, v))
    return false;
  *text = hm_json_as_text(v, a);
  return true;
}

/* --- conflicts ----------------------------------------------------------------------------- */

typedef struct {
  hm_str *v;
  size_t n, cap;
} list;

static void list_add(list *l, hm_str s, hm_arena *a) {
  l->v = hm_array_grow_in(a, l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = hm_str_dup(a, s);
}

typedef struct {
  int64_t rowid;
  hm_str ref, value, normal;
} member;
typedef struct {
  hm_str id, slot_key, resolution;
} conflict;

static int read_members(hm_store *s, hm_str id, hm_arena *a, member **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_query(s, SQL[MEMBERS], HM_ARGS(hm_arg_text(id)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] = (member){ hm_sql_number(st, 0), hm_sql_copy(st, 1, a), hm_sql_copy(st, 2, a),
                               hm_sql_copy(st, 3, a) };
  }
  return rc;
}

static int read_conflicts(hm_store *s, hm_arena *a, conflict **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_cached(s, SQL[CONFLICTS], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] =
        (conflict){ hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a), hm_sql_copy(st, 2, a) };
  }
  return rc;
}

/* Its name is a question about its members, a model's or one that a person confirmed. */
static bool is_judged(hm_str slot_key, hm_arena *a) {
  const hm_json *key = hm_json_parse_as(a, slot_key, HM_JSON_ARRAY);
  if (!key || key->count != 3)
    return false;
  hm_str space = key->child->next->text;
  return hm_str_is(space, "judged") || hm_str_is(space, "duplicate") ||
      hm_str_is(space, "contradiction");
}

/* A slot is renamed when its name holds the value, or nobody else, whose value is still known, was
 * ever said to claim there; unless one of its members stays as it is. */
static bool must_rename(const hm_redaction *r, const conflict *c, const member *m, size_t n,
                        hm_arena *a) {
  bool lonely = r->lonely && n > 0;
  for (size_t i = 0; i < n; i++)
    if (is_among(r->named, r->n_named, m[i].ref) && is_judged(c->slot_key, a))
      return true;
  for (size_t i = 0; i < n; i++) {
    if (stays(r, m[i].ref))
      return false;
    lonely = lonely && (is_among(r->named, r->n_named, m[i].ref) || hm_is_redacted(m[i].value));
  }
  return lonely || slot_holds(r, c->slot_key, a);
}

static int redact_conflict(hm_store *s, const hm_redaction *r, conflict *c, bool *changed,
                           bool *renamed, hm_arena *a, hm_err *err) {
  member *m;
  size_t n;
  hm_str was = c->resolution;
  *changed = *renamed = false;
  if (read_members(s, c->id, a, &m, &n, err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    if (!redact_member(r, m[i].ref, &m[i].value, &m[i].normal, a))
      continue;
    *changed = true;
    if (hm_sql_do(
            s, SQL[SET_MEMBER],
            HM_ARGS(hm_arg_int(m[i].rowid), hm_arg_text(m[i].value), hm_arg_text(m[i].normal)),
            err))
      return -1;
  }
  *renamed = must_rename(r, c, m, n, a);
  c->resolution = hm_needles_replace(r->values, was, r->mark, a);
  hm_json *key = *renamed ? hm_json_parse_as(a, c->slot_key, HM_JSON_ARRAY) : NULL;
  if (*renamed && rename_slot(key, c->id, a))
    c->slot_key = hm_json_as_text(key, a);
  if (!*renamed && hm_str_eq(c->resolution, was))
    return 0;
  *changed = true;
  return hm_sql_do(
      s, SQL[SET_CONFLICT],
      HM_ARGS(hm_arg_text(c->id), hm_arg_text(c->slot_key), hm_arg_text(c->resolution)), err);
}

int hm_redact_conflicts(hm_store *s, const hm_redaction *r, hm_arena *a, hm_redacted_conflicts *out,
                        hm_err *err) {
  list changes = { 0 }, renames = { 0 };
  conflict *c;
  size_t all;
  hm_arena *tmp = hm_arena_new(), *one = hm_arena_new();
  int rc = read_conflicts(s, tmp, &c, &all, err);
  for (size_t i = 0; i < all && !rc; i++) {
    bool changed, renamed;
    rc = redact_conflict(s, r, &c[i], &changed, &renamed, one, err);
    if (changed)
      list_add(&changes, c[i].id, a);
    if (renamed)
      list_add(&renames, c[i].id, a);
    hm_arena_reset(one);
  }
  hm_arena_free(one);
  hm_arena_free(tmp);
  *out = (hm_redacted_conflicts){ changes.v, renames.v, changes.n, renames.n };
  return rc;
}

/* --- findings ---------------------------------------------------------------------- */

static bool finding_goes(const hm_redaction *r, hm_stmt *st, hm_arena *a) {
  hm_json *rows;
  for (int i = 2; i <= 5; i++)
    if (hm_needles_found_in(r->values, hm_sql_text(st, i, a)))
      return true;
  if (hm_json_parse(a, hm_sql_text(st, 1, a), &rows, NULL))
    return false;
  for (const hm_json *e = rows->child; e; e = e->next)
    if (is_among(r->named, r->n_named, e->text))
      return true;
  return false;
}

int hm_redact_findings(hm_store *s, const hm_redaction *r, hm_arena *a, size_t *n, hm_err *err) {
  hm_stmt *st;
  int rc;
  *n = 0;
  if (hm_sql_cached(s, SQL[FINDINGS], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    if (!finding_goes(r, st, a))
      continue;
    if (hm_sql_do(s, SQL[DROP_FINDING], HM_ARGS(hm_arg_int(hm_sql_number(st, 0))), err))
      return -1;
    ++*n;
  }
  return rc;
}

/* --- records beside them ------------------------------------------------------------- */

void hm_redacted_note(hm_redacted_records *l, const char *kind, hm_str ref, hm_arena *a) {
  l->v = hm_array_grow_in(a, l->v, l->n, &l->cap, sizeof *l->v);
  l->v[l->n++] = (hm_redacted_record){ kind, hm_str_dup(a, ref) };
}

/* --- verdicts from elsewhere -------------------------------------------------------- */

static int redact_verdict(hm_store *s, const hm_redaction *r, hm_str id, hm_str record, hm_str why,
                          hm_arena *a, hm_redacted_records *out, hm_err *err) {
  hm_json *v;
  if (hm_json_parse(a, record, &v, NULL))
    return 0;
  const hm_json *about = hm_json_get(v, "conflict");
  hm_str ref = HM_CAT(a, HM_STR("conflict:"), about ? about->text : HM_EMPTY);
  hm_str clean = hm_needles_replace(r->values, why, r->mark, a);
  if (!hm_redact_record(r, ref, &record, a) && hm_str_eq(clean, why))
    return 0;
  hm_redacted_note(out, "verdict", id, a);
  return hm_sql_do(s, SQL[SET_VERDICT],
                   HM_ARGS(hm_arg_text(id), hm_arg_text(record), hm_arg_text(clean)), err);
}

int hm_redact_verdicts(hm_store *s, const hm_redaction *r, hm_arena *a, hm_redacted_records *out,
                       hm_err *err) {
  hm_stmt *st;
  int rc = hm_sql_cached(s, SQL[VERDICTS], &st, err);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1)
    rc = redact_verdict(s, r, hm_sql_copy(st, 0, a), hm_sql_copy(st, 1, a), hm_sql_copy(st, 2, a),
                        a, out, err);
  return rc;
}

/* --- acknowledgements and flags ------------------------------------------------------- */

static int redact_remarks(hm_store *s, hm_kind_index k, const hm_redaction *r, hm_arena *a,
                          hm_redacted_records *out, hm_err *err) {
  const hm_kind *kind = &hm_kinds[k];
  hm_record_place place = { .name = kind->name, .err = err };
  hm_record changed[1];
  hm_cell cells[HM_MAX_FIELDS + 1];
  hm_str *records = NULL;
  size_t n = 0, cap = 0;
  hm_stmt *st;
  int rc = hm_records_select_all(s, k, &st, err);
  while (!rc && (rc = hm_sql_step(s, st, err)) == 1) {
    if ((rc = hm_records_read_row(s, k, st, cells, a, err)))
      break;
    hm_str json = hm_record_json(kind, cells, a);
    if (!hm_redact_record(r, HM_CAT(a, hm_str_c(kind->name), HM_STR(":"), cells[0].text), &json, a))
      continue;
    records = hm_array_grow_in(a, records, n, &cap, sizeof *records);
    records[n++] = json;
    hm_redacted_note(out, kind->name, cells[0].text, a);
  }
  for (size_t i = 0; i < n && !rc; i++) {
    rc = hm_record_parse(&place, records[i], changed, a);
    if (!rc)
      rc = hm_record_merge(&place, changed, NULL, cells);
    if (!rc)
      rc = hm_record_save(s, k, cells, false, a, err);
  }
  return rc;
}

int hm_redact_remarks(hm_store *s, const hm_redaction *r, hm_arena *a, hm_redacted_records *out,
                      hm_err *err) {
  return redact_remarks(s, HM_K_ACKNOWLEDGEMENT, r, a, out, err) ||
          redact_remarks(s, HM_K_FLAG, r, a, out, err) ||
          redact_remarks(s, HM_K_PROPOSAL, r, a, out, err)
      ? -1
      : 0;
}

/* --- the journal ----------------------------------------------------------------------- */

typedef struct {
  const hm_redaction *r;
  int64_t *seqs;
  size_t n, cap;
  hm_map conflicts; /* with a redacted line so far */
  hm_arena *a;
} scrub;

/* The digest of members that are not in the line: of a short value, which could be guessed. */
static bool drop_digest(hm_str *record, hm_arena *a) {
  hm_json *v = hm_json_parse_as(a, *record, HM_JSON_OBJECT);
  hm_json *rest = (hm_json *)hm_json_get(v, "rest");
  hm_str *digest = rest ? text_at(rest, "sha256") : NULL;
  if (!digest || !digest->n)
    return false;
  *digest = HM_EMPTY;
  *record = hm_json_as_text(v, a);
  return true;
}

static int scrub_line(void *ctx, hm_journal_line *l, hm_arena *a, hm_err *err) {
  scrub *c = ctx;
  (void)err;
  bool changed = hm_redact_record(c->r, l->ref, &l->before, a);
  changed |= hm_redact_record(c->r, l->ref, &l->after, a);
  if (hm_needles_found_in(c->r->values, l->why)) {
    l->why = hm_needles_replace(c->r->values, l->why, c->r->mark, a);
    changed = true;
  }
  if (changed && hm_str_starts(l->ref, "conflict:"))
    hm_map_add(&c->conflicts, hm_str_dup(c->a, l->ref), 0);
  if (hm_map_get(&c->conflicts, l->ref) != HM_MAP_NONE)
    changed |= drop_digest(&l->after, a);
  if (!changed)
    return 0;
  c->seqs = hm_array_grow_in(c->a, c->seqs, c->n, &c->cap, sizeof *c->seqs);
  c->seqs[c->n++] = l->seq;
  return 1;
}

int hm_redact_journal(hm_store *s, const hm_redaction *r, const hm_actor *who, hm_arena *a,
                      int64_t **seqs, size_t *n, hm_journal_rewritten *chain, hm_err *err) {
  scrub c = { .r = r, .a = a };
  hm_map_init(&c.conflicts, a, 0);
  int rc = hm_journal_rewrite(s, scrub_line, &c, who, chain, err);
  *n = c.n;
  *seqs = c.seqs;
  return rc;
}
