/* Parses a record from JSON, checks it, merges it over the stored one, and stores it with its line
 * of the journal.
 *
 * An import reads lines here; people and agents add and patch one row. Every error names the field,
 * and the line where there is one. */
#include "core/store/record_edit.h"

#include <stdio.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/near_names.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/store/judge_queue.h"
#include "core/store/journal.h"
#include "core/store/records_impl.h"

/* --- reading ---------------------------------------------------------------- */

/* An error of this member of the record. */
static int bad_member(const hm_record_place *p, const hm_json *v) {
  if (p->err)
    p->err->at = v->at;
  return hm_record_error(p, v->key.n ? v->key : HM_STR("\"\""));
}

static int unknown_key(const hm_record_place *p, const hm_kind *k, const hm_json *v, hm_arena *a) {
  hm_str keys[HM_MAX_FIELDS + 1] = { HM_STR("kind") };
  size_t n = 1;
  bool has_properties = false;
  for (int i = 0; i < k->n; i++) {
    if (!k->fields[i].key)
      continue;
    keys[n++] = hm_str_c(k->fields[i].key);
    has_properties |= hm_str_is(keys[n - 1], "properties");
  }
  const char *known = has_properties
      ? "a key of your own goes into properties (edit: -P); known keys: "
      : "known keys: ";
  hm_failf(p->err, HM_E_INPUT, "", hm_hint_names(v->key, keys, n, known, a), "unknown key of %s %s",
           k->name[0] == 'e' ? "an" : "a", k->name);
  return bad_member(p, v);
}

static int unknown_kind(const hm_record_place *p, const hm_json *kind, hm_arena *a) {
  hm_str names[HM_N_KINDS + 2], named = kind->text;
  size_t n = 0;
  for (; n < HM_N_KINDS; n++) {
    names[n] = hm_str_c(hm_kinds[n].name);
    if (hm_str_is(named, hm_kinds[n].table))
      named = names[n];
  }
  names[n++] = HM_STR("verdict");
  names[n++] = HM_STR("world");
  hm_failf(p->err, HM_E_INPUT, "", hm_hint_names(named, names, n, "use one of: ", a),
           "unknown: \"%.*s\"", HM_FMT(hm_text_cut(kind->text, 60)));
  return bad_member(p, kind);
}

/* An era alone, which hm_cell_parse does not know. */
static bool names_era(const hm_record_place *p, const hm_record_field *f, const hm_json *v) {
  bool is_bound = f->type == HM_F_BOUND && v->type == HM_JSON_STRING;
  return is_bound && hm_bound_is_time(p->store, v->text);
}

static int read_fields(const hm_record_place *p, const hm_json *json, hm_record *r, hm_arena *a) {
  const hm_json *as_stored = NULL;
  for (const hm_json *v = json->child; v; v = v->next) {
    if (hm_str_is(v->key, "kind"))
      continue;
    if (hm_str_is(v->key, "as_stored")) {
      as_stored = v;
      continue;
    }
    int i = hm_field_of_key(r->kind, v->key);
    if (i < 0)
      return unknown_key(p, r->kind, v, a);
    if (names_era(p, &r->kind->fields[i], v))
      r->cells[i] = (hm_cell){ HM_CELL_TEXT, v->text };
    else if (hm_cell_parse(r->kind, i, v, r->cells, a, p->err))
      return bad_member(p, v);
  }
  if (as_stored && hm_as_stored_read(r->kind, as_stored, r->cells, p->err))
    return bad_member(p, as_stored);
  return 0;
}

/* Keys that the line lacks: an id of its own content, or a default. */
static int complete_keys(const hm_record_place *p, hm_record *r, hm_arena *a) {
  for (int i = 0; i < r->kind->n; i++) {
    const hm_record_field *f = &r->kind->fields[i];
    if (!(f->flags & HM_F_KEY) || r->cells[i].state == HM_CELL_TEXT)
      continue;
    if (f->dflt) {
      r->cells[i] = (hm_cell){ HM_CELL_TEXT, hm_str_c(f->dflt) };
    } else if (r->kind->letter) {
      hm_str hex = hm_str_digest_hex(a, r->sorted, 16);
      r->cells[i] =
          (hm_cell){ HM_CELL_TEXT, hm_str_fmt(a, "%c-%.*s", r->kind->letter, HM_FMT(hex)) };
    } else {
      return hm_record_bad(p, f->key, "missing", "give it a value");
    }
  }
  return 0;
}

/* Understands an object as a record of this kind: its cells, and nothing else of r. */
static int read_record(const hm_record_place *p, hm_kind_index kind, const hm_json *json,
                       hm_record *r, hm_arena *a) {
  *r = (hm_record){ .index = kind, .kind = &hm_kinds[kind] };
  if (json->type != HM_JSON_OBJECT)
    return hm_record_bad(p, "", "not a JSON object", "give an object of fields");
  const hm_json *named = hm_json_get(json, "kind");
  if (named && !(named->type == HM_JSON_STRING && hm_str_is(named->text, r->kind->name)))
    return hm_record_bad(p, "kind", "another kind of record", "leave it out");
  const hm_json *stored = hm_json_get(json, "as_stored");
  if (stored)
    return unknown_key(p, r->kind, stored, a);
  return read_fields(p, json, r, a);
}

static int sort_record(const hm_record_place *p, const hm_json *json, hm_record *r, hm_arena *a) {
  r->sorted = hm_json_sorted(json, true, a);
  return r->sorted.n ? 0 : hm_record_bad(p, "", "larger than 2 GB", "split the record");
}

int hm_record_parse(const hm_record_place *p, hm_str line, hm_record *r, hm_arena *a) {
  hm_json *json;
  if (hm_json_parse(a, line, &json, p->err))
    return hm_record_error(p, HM_EMPTY);
  return hm_record_from_json(p, json, r, a);
}

/* An object without `kind`: it may be misspelt, or the records are in a list of the object. */
static int no_kind(const hm_record_place *p, const hm_json *json, const char *fix, hm_arena *a) {
  const hm_known_name kind = hm_known_name_fold(HM_STR("kind"), a);
  for (const hm_json *v = json->child; v; v = v->next) {
    if (hm_find_near_name(v->key, &kind, 1).n) {
      hm_fail(p->err, HM_E_INPUT, "", "unknown key, and kind is missing", "did you mean 'kind'?");
      return bad_member(p, v);
    }
    if (v->type != HM_JSON_ARRAY || !v->child || v->child->type != HM_JSON_OBJECT)
      continue;
    hm_buf program = { 0 };
    hm_buf_ch(&program, '.');
    hm_json_write_str(&program, v->key);
    hm_buf_c(&program, "[]");
    hm_str word = hm_shell_quote_word(a, hm_buf_take(&program, a), false);
    hm_fail(p->err, HM_E_INPUT, "", "a list and no record, since it has no kind",
            hm_str_fmt(a, "jq -c %.*s FILE | hmirror import --source NAME -", HM_FMT(word)).p);
    return bad_member(p, v);
  }
  return hm_record_bad(p, "kind", "missing", fix);
}

int hm_record_from_json(const hm_record_place *p, const hm_json *json, hm_record *r, hm_arena *a) {
  static const char fix[] =
      "use one of: project, memory, entity, project_state, relation, link, conflict,"
      " acknowledgement, flag, proposal, verdict, world";
  memset(r, 0, sizeof *r);
  if (json->type != HM_JSON_OBJECT)
    return hm_record_bad(p, "", "not a JSON object", "write one record a line: {\"kind\":...}");
  const hm_json *kind = hm_json_get(json, "kind");
  if (!kind)
    return no_kind(p, json, fix, a);
  if (kind->type != HM_JSON_STRING) {
    hm_fail(p->err, HM_E_INPUT, "", "must be a string", fix);
    return bad_member(p, kind);
  }
  if (hm_str_is(kind->text, "verdict")) {
    r->verdict = json;
    return 0;
  }
  if (hm_str_is(kind->text, "world")) {
    r->world = json;
    return 0;
  }
  r->index = hm_kind_find(kind->text);
  if (r->index == HM_N_KINDS)
    return unknown_kind(p, kind, a);
  r->kind = &hm_kinds[r->index];
  if (read_fields(p, json, r, a) || sort_record(p, json, r, a) || complete_keys(p, r, a))
    return -1;
  if (r->index == HM_K_LINK && hm_str_eq(r->cells[0].text, r->cells[1].text))
    return hm_record_bad(p, "dst", "the same row as src: a row has no link to itself",
                         "name two rows");
  return 0;
}

/* --- merging ---------------------------------------------------------------- */

int hm_record_merge(const hm_record_place *p, const hm_record *r, const hm_cell *before,
                    hm_cell *after) {
  for (int i = 0; i < r->kind->n; i++) {
    const hm_record_field *f = &r->kind->fields[i];
    if (r->cells[i].state != HM_CELL_ABSENT)
      after[i] = r->cells[i];
    else if (before)
      after[i] = before[i];
    else if (f->flags & HM_F_REQUIRED)
      return hm_record_bad(p, f->key, "missing", "give it a value");
    else
      after[i] = hm_cell_default(f);
  }
  return 0;
}

/* Is there no way to read the bounds in which the window begins before it ends? As
 * core/value/window.h has it. */
static bool is_inverted(hm_str from, hm_str until) {
  hm_time begin, end;
  hm_precision p, unit;
  if (!hm_time_parse(from, &begin, &p) || !hm_time_parse(until, &end, &unit))
    return false;
  hm_time last = unit <= HM_P_DAY ? hm_time_last_instant(end, unit) : end;
  bool alike = begin == end && last == (p <= HM_P_DAY ? hm_time_last_instant(begin, p) : begin);
  return begin >= last && !alike;
}

/* Refuses a window that ends before it begins, since the writer can correct it at once. An import
 * accepts it, and a sweep reports it. A bound that the record does not set is not checked. */
static int check_window(const hm_record_place *p, const hm_record *r, const hm_cell *after) {
  int from = hm_field_of_column(r->kind, "valid_from"),
      until = hm_field_of_column(r->kind, "valid_until");
  if (from < 0 || after[from].state != HM_CELL_TEXT || after[until].state != HM_CELL_TEXT)
    return 0;
  if (r->cells[from].state == HM_CELL_ABSENT && r->cells[until].state == HM_CELL_ABSENT)
    return 0;
  if (!is_inverted(after[from].text, after[until].text))
    return 0;
  hm_failf(p->err, HM_E_INPUT, "", "let it end after it begins, or leave one bound open",
           "not after valid_from \"%.*s\"", HM_FMT(hm_text_cut(after[from].text, 60)));
  return hm_record_error(p, HM_STR("valid_until"));
}

/* --- one row ---------------------------------------------------------------------- */

typedef struct {
  hm_store *s;
  hm_record r; /* what was given; its kind is that of the row */
  hm_record_place place;
  const char *verb;
  const hm_actor *who;
  hm_arena *a;
  hm_err *err;
} edit;

static int begin_edit(edit *e, hm_layer layer, const hm_json *json) {
  hm_kind_index k = hm_kind_find(hm_str_c(hm_layer_name(layer)));
  e->place = (hm_record_place){ .name = hm_kinds[k].name, .store = e->s, .err = e->err };
  return read_record(&e->place, k, json, &e->r, e->a);
}

static int load_row(edit *e, hm_str id, hm_cell *cells, bool *found) {
  memset(cells, 0, (HM_MAX_FIELDS + 1) * sizeof *cells);
  cells[0] = (hm_cell){ HM_CELL_TEXT, id };
  return hm_record_load(e->s, e->r.index, cells, found, e->a, e->err);
}

static int save_row(edit *e, const hm_cell *cells, hm_row_edited *out) {
  const hm_str ref[] = { hm_str_c(e->r.kind->name), HM_STR(":"), out->id };
  if (hm_record_save(e->s, e->r.index, cells, !out->before.n, e->a, e->err)) {
    /* What the store's own rules refuse of a record is the record's fault. */
    if (e->err && e->err->code == HM_E_STORE && e->s->refused)
      e->err->code = HM_E_INPUT;
    return -1;
  }
  if (hm_judge_queue_add(e->s, hm_str_join(e->a, ref, 3), e->err))
    return -1;
  out->changed = true;
  out->after = hm_record_json(e->r.kind, cells, e->a);
  return hm_journal_add(e->s, e->who, e->verb, hm_str_join(e->a, ref, 3), out->before, out->after,
                        e->err);
}

/* The id that the record gives, if it is free; else one of its digest, with a number where rows
 * have that. */
static int choose_id(edit *e, const hm_json *json) {
  hm_cell cells[HM_MAX_FIELDS + 1], *id = &e->r.cells[0];
  bool found = true;
  if (id->state == HM_CELL_TEXT) {
    if (load_row(e, id->text, cells, &found))
      return -1;
    if (!found)
      return 0;
    hm_failf(e->err, HM_E_STATE, "", "change it with `hmirror edit`, or give another id",
             "there is a %s '%.*s' already", e->r.kind->name, HM_FMT(hm_text_cut(id->text, 80)));
    return hm_record_error(&e->place, HM_STR("id"));
  }
  if (sort_record(&e->place, json, &e->r, e->a))
    return -1;
  for (unsigned number = 0; found; number++) {
    hm_sha256 h;
    hm_sha256_init(&h);
    hm_sha256_add(&h, e->r.sorted);
    if (number)
      hm_sha256_add(&h, hm_str_fmt(e->a, "\x1f%u", number));
    hm_str hex = hm_sha256_hex(&h, e->a, 16);
    *id = (hm_cell){ HM_CELL_TEXT, hm_str_fmt(e->a, "%c-%.*s", e->r.kind->letter, HM_FMT(hex)) };
    if (load_row(e, id->text, cells, &found))
      return -1;
  }
  return 0;
}

int hm_store_add_row(hm_store *s, hm_layer layer, const hm_json *record, const char *verb,
                     const hm_actor *who, hm_arena *a, hm_row_edited *out, hm_err *err) {
  edit e = { .s = s, .verb = verb, .who = who, .a = a, .err = err };
  hm_cell cells[HM_MAX_FIELDS + 1];
  if (begin_edit(&e, layer, record) || choose_id(&e, record) ||
      hm_record_merge(&e.place, &e.r, NULL, cells) || check_window(&e.place, &e.r, cells))
    return -1;
  *out = (hm_row_edited){ .id = hm_str_dup(a, cells[0].text), .before = HM_EMPTY };
  return save_row(&e, cells, out);
}

static const hm_json *choose_member(void *ctx, const hm_json *now, const hm_json *was) {
  (void)ctx;
  if (!now)
    return was;
  return now->type == HM_JSON_NULL ? NULL : now;
}

int hm_row_patch(hm_store *s, hm_layer layer, hm_str id, const hm_json *json, const char *verb,
                 const hm_actor *who, hm_arena *a, hm_row_edited *out, hm_err *err) {
  edit e = { .s = s, .verb = verb, .who = who, .a = a, .err = err };
  hm_cell before[HM_MAX_FIELDS + 1], after[HM_MAX_FIELDS + 1];
  bool found;
  if (begin_edit(&e, layer, json))
    return -1;
  const hm_kind *k = e.r.kind;
  if (e.r.cells[0].state != HM_CELL_ABSENT)
    return hm_record_bad(&e.place, "id", "a row keeps its id", "add another row");
  if (load_row(&e, id, before, &found))
    return -1;
  if (!found)
    return hm_fail(err, HM_E_UNKNOWN,
                   hm_str_fmt(a, "%s '%.*s'", k->name, HM_FMT(hm_text_cut(id, 80))).p,
                   "there is none", "check the kind and the id");
  /* A patch of some properties becomes the whole object. */
  int at = hm_field_of_column(k, "properties"), stamp = hm_field_of_column(k, "updated_at");
  const hm_json *patch = hm_json_get(json, "properties");
  bool part = at >= 0 && patch && patch->type == HM_JSON_OBJECT && before[at].state == HM_CELL_TEXT;
  const hm_json *old = part ? hm_json_parse_as(a, before[at].text, HM_JSON_OBJECT) : NULL;
  if (old)
    e.r.cells[at].text = hm_json_merge(old, patch, choose_member, NULL, a);
  if (hm_record_merge(&e.place, &e.r, before, after) || check_window(&e.place, &e.r, after))
    return -1;
  *out = (hm_row_edited){ .id = hm_str_dup(a, id),
                          .before = hm_record_json(k, before, a),
                          .after = hm_record_json(k, after, a) };
  if (hm_str_eq(out->before, out->after))
    return 0;
  if (e.r.cells[stamp].state == HM_CELL_ABSENT)
    after[stamp] = (hm_cell){ HM_CELL_TEXT, hm_time_to_second(a, who->at) };
  return save_row(&e, after, out);
}

/* --- the shape of a record, as JSON Schema, from the table of fields -------------------------- */

static void put_type(hm_jw *w, const char *type, bool or_null) {
  if (!or_null) {
    hm_jw_str(w, "type", hm_str_c(type));
    return;
  }
  hm_jw_arr(w, "type");
  hm_jw_str(w, NULL, hm_str_c(type));
  hm_jw_str(w, NULL, HM_STR("null"));
  hm_jw_end(w);
}

static void put_choices(hm_jw *w, const hm_record_field *f, bool or_null) {
  hm_jw_arr(w, "enum");
  for (const char *const *c = f->choices; *c; c++)
    hm_jw_str(w, NULL, hm_str_c(*c));
  if (or_null)
    hm_jw_null(w, NULL);
  hm_jw_end(w);
}

static void put_number(hm_jw *w, const char *type, int least, bool or_null) {
  put_type(w, type, or_null);
  hm_jw_int(w, "minimum", least);
  hm_jw_int(w, "maximum", 1);
}

/* A list of one may be given as a text, but is never written so. */
static void put_strings(hm_jw *w, bool written, bool or_null) {
  static const char items[] = "{\"type\":\"string\"}";
  if (written)
    put_type(w, "array", false);
  else {
    hm_jw_arr(w, "type");
    hm_jw_str(w, NULL, HM_STR("array"));
    hm_jw_str(w, NULL, HM_STR("string"));
    if (or_null)
      hm_jw_str(w, NULL, HM_STR("null"));
    hm_jw_end(w);
  }
  hm_jw_raw(w, "items", hm_str_c(items));
}

static void put_value(hm_jw *w) {
  hm_jw_arr(w, "type");
  static const char *const types[] = { "string", "number", "boolean", "array" };
  for (size_t i = 0; i < HM_COUNT(types); i++)
    hm_jw_str(w, NULL, hm_str_c(types[i]));
  hm_jw_end(w);
}

static void put_field(hm_jw *w, const hm_record_field *f, hm_schema_use use) {
  bool or_null = use != HM_SCHEMA_STORED && !(f->flags & HM_F_REQUIRED);
  hm_jw_obj(w, f->key);
  switch (f->type) {
    case HM_F_UNIT:
      put_number(w, "number", 0, or_null);
      break;
    case HM_F_SIGN:
      put_number(w, "integer", -1, or_null);
      break;
    case HM_F_BOOL:
      put_type(w, "boolean", or_null);
      break;
    case HM_F_OBJECT:
      put_type(w, "object", or_null);
      break;
    case HM_F_STRINGS:
      put_strings(w, use == HM_SCHEMA_STORED, or_null);
      break;
    case HM_F_CHOICE:
      put_choices(w, f, or_null);
      break;
    case HM_F_VALUE:
      put_value(w);
      break;
    case HM_F_BOUND:
      put_type(w, "string", or_null);
      hm_jw_str(w, "description",
                HM_STR("ISO 8601, partial too, or 44 BC, about 1066 ± 5, "
                       "3rd_age.year_345, an era of world.yml"));
      break;
    case HM_F_TIME:
      put_type(w, "string", or_null);
      hm_jw_str(w, "description", HM_STR("ISO 8601; may be partial: 2026, 2026-04"));
      break;
    default:
      put_type(w, "string", or_null);
  }
  if (f->flags & HM_F_KEY)
    hm_jw_int(w, "minLength", 1);
  if (use == HM_SCHEMA_NEW && f->dflt && *f->dflt)
    hm_jw_str(w, "default", hm_str_c(f->dflt));
  hm_jw_end(w);
}

/* Any column may be under as_stored, so only kind and id are required. */
static void put_required(hm_jw *w, const hm_kind *k, hm_schema_use use) {
  if (use == HM_SCHEMA_PATCH)
    return;
  hm_jw_arr(w, "required");
  if (use == HM_SCHEMA_STORED) {
    hm_jw_str(w, NULL, HM_STR("kind"));
    hm_jw_str(w, NULL, HM_STR("id"));
  }
  for (int i = 0; use == HM_SCHEMA_NEW && i < k->n; i++)
    if (k->fields[i].key && k->fields[i].flags & HM_F_REQUIRED && !(k->fields[i].flags & HM_F_KEY))
      hm_jw_str(w, NULL, hm_str_c(k->fields[i].key));
  hm_jw_end(w);
}

static void put_stored_only(hm_jw *w, const hm_kind *k) {
  hm_jw_obj(w, "kind");
  hm_jw_str(w, "const", hm_str_c(k->name));
  hm_jw_end(w);
  hm_jw_obj(w, "as_stored");
  hm_jw_str(w, "type", HM_STR("object"));
  hm_jw_str(w, "description",
            HM_STR("columns that another program wrote and this one would refuse, as they are"));
  hm_jw_raw(w, "additionalProperties", HM_STR("{\"type\":[\"string\",\"null\"]}"));
  hm_jw_end(w);
}

void hm_record_schema(hm_jw *w, const char *key, hm_layer layer, hm_schema_use use) {
  const hm_kind *k = &hm_kinds[hm_kind_find(hm_str_c(hm_layer_name(layer)))];
  hm_jw_obj(w, key);
  hm_jw_str(w, "type", HM_STR("object"));
  put_required(w, k, use);
  hm_jw_obj(w, "properties");
  if (use == HM_SCHEMA_STORED)
    put_stored_only(w, k);
  for (int i = 0; i < k->n; i++)
    if (k->fields[i].key && !(use == HM_SCHEMA_PATCH && k->fields[i].flags & HM_F_KEY))
      put_field(w, &k->fields[i], use);
  hm_jw_end(w);
  if (use != HM_SCHEMA_STORED)
    hm_jw_bool(w, "additionalProperties", false);
  hm_jw_end(w);
}
