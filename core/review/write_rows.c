/* Rows that people and programs write: added, replaced, edited, promoted, graduated, touched. */
#include "core/review/write.h"

#include <string.h>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/review/supersede.h"
#include "core/review/write_impl.h"
#include "core/record/journal.h"
#include "core/record/record_edit.h"

enum { SHOWN = 200 }; /* bytes of a reference in a message */

typedef hm_writing writing;

/* --- what may be given ------------------------------------------------------------ */

static int refuse_field(writing *w, hm_layer layer, const char *field, const char *why,
                        const char *fix) {
  hm_fail(w->err, HM_E_INPUT, hm_str_fmt(w->a, "%s: %s", hm_layer_name(layer), field).p, why, fix);
  return hm_err_at_field(w->err, hm_str_c(field));
}

/* What only a verb of its own sets. */
static int check_owned(writing *w, hm_layer layer, const hm_json *fields) {
  static const struct {
    const char *key, *why, *fix;
  } owned[] = {
    { "superseded_by", "is set when another row supersedes this one",
      "use `hmirror supersede OLD NEW`" },
    { "superseded_at", "is set when another row supersedes this one",
      "use `hmirror supersede OLD NEW`" },
    { "graduated_to", "is set when the memory becomes an entity", "use `hmirror graduate MEMORY`" },
  };
  for (size_t i = 0; i < HM_COUNT(owned); i++)
    if (hm_json_get(fields, owned[i].key))
      return refuse_field(w, layer, owned[i].key, owned[i].why, owned[i].fix);
  return 0;
}

static bool is_text(const hm_json *v, const char *text) {
  return v && v->type == HM_JSON_STRING && hm_str_is(v->text, text);
}

static int check_new_status(writing *w, hm_layer layer, const hm_json *record) {
  const hm_json *status = hm_json_get(record, "status");
  if (!is_text(status, "superseded") && !is_text(status, "invalid") &&
      !is_text(status, "graduated"))
    return 0;
  return refuse_field(w, layer, "status", "a new row is active or a candidate",
                      "`hmirror import` takes history");
}

static int check_status_move(writing *w, const hm_named_row *row, const hm_json *patch) {
  const hm_json *status = hm_json_get(patch, "status");
  if (is_text(status, "superseded"))
    return refuse_field(w, row->layer, "status", "a row is superseded by another",
                        "use `hmirror supersede OLD NEW`");
  if (is_text(status, "graduated"))
    return refuse_field(w, row->layer, "status", "a memory graduates to an entity",
                        "use `hmirror graduate MEMORY`");
  if (row->status == HM_CANDIDATE &&
      (is_text(status, "active") || (status && status->type == HM_JSON_NULL)))
    return refuse_field(w, row->layer, "status", "a candidate becomes active by being promoted",
                        "use `hmirror promote ROW`");
  return 0;
}

/* object with this member before its others. */
static hm_json *with(hm_arena *a, const hm_json *object, const char *key, const hm_json *value) {
  hm_json *out = hm_alloc(a, sizeof *out), *member = hm_alloc(a, sizeof *member);
  *member = *value;
  member->key = hm_str_c(key);
  member->next = object->child;
  *out = *object;
  out->child = member;
  out->count++;
  return out;
}

static hm_json text_value(hm_str text) {
  return (hm_json){ .type = HM_JSON_STRING, .key = HM_EMPTY, .text = text };
}

/* --- the verbs ------------------------------------------------------------------------ */

typedef struct {
  hm_layer layer;
  hm_str ref;
  const hm_json *fields;
} order;

int hm_write_add_row(hm_writing *w, hm_layer layer, const hm_json *record, const char *verb) {
  hm_json now = text_value(hm_time_to_second(w->a, w->r->who.at));
  if (check_owned(w, layer, record) || check_new_status(w, layer, record))
    return -1;
  if (record->type == HM_JSON_OBJECT && !hm_json_get(record, "created_at"))
    record = with(w->a, record, "created_at", &now);
  w->layer = layer;
  return hm_store_add_row(w->s, layer, record, verb, &w->r->who, w->a, &w->row, w->err);
}

static int replace(writing *w, const void *in) {
  const order *o = in;
  hm_named_row older, newer;
  if (hm_named_row_find(w->s, o->ref, w->a, &older, w->err) ||
      hm_write_add_row(w, o->layer, o->fields, "add"))
    return -1;
  hm_str ref = hm_ref_text(w->a, w->layer, w->row.id);
  if (hm_named_row_find(w->s, ref, w->a, &newer, w->err))
    return -1;
  return hm_supersede(w->s, &older, &newer, w->r->who.why, false, &w->r->who, w->a, &w->made,
                      w->err);
}

int hm_review_replace(hm_store *s, const hm_review *r, hm_layer l, const hm_json *record,
                      hm_str older, hm_arena *a, hm_written *out, hm_err *err) {
  return hm_write_run(s, r, replace, &(order){ .layer = l, .fields = record, .ref = older }, a, out,
                      err);
}

/* --- which rows may change ------------------------------------------------------------- */

static int refuse_row(writing *w, const hm_named_row *row, const char *why, const char *fix) {
  return hm_fail(w->err, HM_E_STATE,
                 hm_str_fmt(w->a, "%.*s", HM_FMT(hm_text_cut(row->ref, SHOWN))).p, why, fix);
}

/* Finds a row that may change: not history, not graduated. */
static int find_writable(writing *w, hm_str ref, hm_named_row *row) {
  if (hm_named_row_find(w->s, ref, w->a, row, w->err))
    return -1;
  if (row->status == HM_GRADUATED) {
    hm_column to = { .column = "graduated_to" };
    bool found;
    if (hm_store_get_columns(w->s, row->ref, &to, 1, &found, w->a, w->err))
      return -1;
    hm_str shown = to.value.n ? hm_text_cut(to.value, SHOWN) : HM_EMPTY;
    hm_str fix = hm_str_fmt(w->a, "change the entity that it became: '%.*s'", HM_FMT(shown));
    return refuse_row(w, row, "it has graduated and is frozen", shown.n ? fix.p : "");
  }
  if (row->status != HM_SUPERSEDED && row->status != HM_INVALID)
    return 0;
  hm_str words = hm_text_cut(hm_named_row_status_text(row, w->a), SHOWN);
  hm_str shown = hm_text_cut(row->ref, SHOWN);
  return refuse_row(
      w, row, hm_str_fmt(w->a, "it is %.*s, and history", HM_FMT(words)).p,
      hm_str_fmt(w->a, "`hmirror restore %.*s` makes it active again", HM_FMT(shown)).p);
}

/* --- rows that are there ---------------------------------------------------------------- */

/* What the old text stated by its slot_rule the new one does not: it is read by itself. */
static int drop_stated(writing *w, const hm_named_row *row, const hm_json **fields) {
  hm_column rule = { .column = "slot_rule" };
  bool found;
  if (row->layer != HM_MEMORY || !hm_json_get(*fields, "content") ||
      hm_json_get(*fields, rule.column))
    return 0;
  if (hm_store_get_columns(w->s, row->ref, &rule, 1, &found, w->a, w->err))
    return -1;
  if (!rule.value.n || hm_str_find(rule.value, " = ") < 0)
    return 0;
  hm_json *value = hm_alloc(w->a, sizeof *value); /* without one: null */
  hm_str last = hm_str_behind_last(rule.value, '\n');
  if (hm_str_ends(last, "*"))
    *value = text_value(last);
  *fields = with(w->a, *fields, rule.column, value);
  return 0;
}

static int edit(writing *w, const void *in) {
  const order *o = in;
  const hm_json *fields = o->fields;
  hm_named_row row;
  if (find_writable(w, o->ref, &row) || check_owned(w, row.layer, fields) ||
      check_status_move(w, &row, fields) || drop_stated(w, &row, &fields))
    return -1;
  w->layer = row.layer;
  w->alone = true;
  return hm_row_patch(w->s, row.layer, row.id, fields, "edit", &w->r->who, w->a, &w->row, w->err);
}

int hm_review_edit(hm_store *s, const hm_review *r, hm_str ref, const hm_json *patch, hm_arena *a,
                   hm_written *out, hm_err *err) {
  return hm_write_run(s, r, edit, &(order){ .ref = ref, .fields = patch }, a, out, err);
}

static const hm_json no_fields = { .type = HM_JSON_OBJECT, .key = { "", 0 }, .text = { "", 0 } };

static int promote(writing *w, const void *in) {
  const order *o = in;
  hm_named_row row;
  hm_json active = text_value(HM_STR("active"));
  if (find_writable(w, o->ref, &row))
    return -1;
  if (row.status == HM_ACTIVE)
    return refuse_row(w, &row, "it is active already", "nothing is to be done");
  if (row.status != HM_CANDIDATE)
    return refuse_row(w, &row, "it is no candidate", "nothing is to be done");
  w->layer = row.layer;
  w->alone = true;
  return hm_row_patch(w->s, row.layer, row.id, with(w->a, &no_fields, "status", &active), "promote",
                      &w->r->who, w->a, &w->row, w->err);
}

int hm_review_promote(hm_store *s, const hm_review *r, hm_str ref, hm_arena *a, hm_written *out,
                      hm_err *err) {
  return hm_write_run(s, r, promote, &(order){ .ref = ref }, a, out, err);
}

/* What the entity has of the memory unless it says otherwise. */
static int inherit(writing *w, const hm_named_row *memory, const hm_json **entity) {
  static const char *const keys[] = { "confidence", "source_refs", "project" };
  hm_str record;
  hm_json *of;
  if ((*entity)->type != HM_JSON_OBJECT)
    return 0;
  if (hm_journal_record_json(w->s, memory->ref, w->a, &record, w->err) ||
      hm_json_parse(w->a, record, &of, w->err))
    return -1;
  for (size_t i = 0; i < HM_COUNT(keys); i++) {
    const hm_json *v = hm_json_get(of, keys[i]);
    if (v && !hm_json_get(*entity, keys[i]))
      *entity = with(w->a, *entity, keys[i], v);
  }
  return 0;
}

static int graduate(writing *w, const void *in) {
  const order *o = in;
  hm_named_row row;
  hm_row_edited memory;
  const hm_json *entity = o->fields;
  if (find_writable(w, o->ref, &row))
    return -1;
  if (row.layer != HM_MEMORY)
    return refuse_row(w, &row, "only a memory graduates", "give a memory, as memory:id");
  if (row.status != HM_ACTIVE && row.status != HM_CANDIDATE)
    return refuse_row(w, &row, "it is neither active nor a candidate",
                      "give it one of these states first");
  if (inherit(w, &row, &entity) || hm_write_add_row(w, HM_ENTITY, entity, "graduate"))
    return -1;
  /* "entity:ID" where the bare id could be read as a reference itself. */
  bool like_ref = w->row.id.n && memchr(w->row.id.p, ':', w->row.id.n);
  hm_json status = text_value(HM_STR("graduated"));
  hm_json to = text_value(like_ref ? hm_ref_text(w->a, w->layer, w->row.id) : w->row.id);
  const hm_json *patch = with(w->a, with(w->a, &no_fields, "graduated_to", &to), "status", &status);
  return hm_row_patch(w->s, row.layer, row.id, patch, "graduate", &w->r->who, w->a, &memory,
                      w->err);
}

int hm_review_graduate(hm_store *s, const hm_review *r, hm_str memory, const hm_json *entity,
                       hm_arena *a, hm_written *out, hm_err *err) {
  return hm_write_run(s, r, graduate, &(order){ .ref = memory, .fields = entity }, a, out, err);
}

/* --- rows that were used ---------------------------------------------------------------- */

int hm_review_touch(hm_store *s, const hm_actor *who, const hm_str *refs, size_t n, hm_arena *a,
                    hm_err *err) {
  if (hm_store_may_change(s, err) || hm_store_begin(s, true, err))
    return -1;
  hm_column used = { "last_accessed_at", hm_time_to_second(a, who->at) };
  for (size_t i = 0; i < n; i++) {
    if (!hm_str_starts(refs[i], "memory:"))
      continue;
    if (hm_store_set_columns(s, refs[i], &used, 1, "touch", who, a, err)) {
      hm_store_rollback(s);
      return -1;
    }
  }
  return hm_store_commit(s, err);
}
