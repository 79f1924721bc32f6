/* Reads a record from JSON: its kind, its cells, its id; and merges it over the stored one. Every
 * error names the field, and the line where there is one. */
#include <stdio.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/near_names.h"
#include "core/base/shell.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/record/records.h"

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
    bool is_bound = r->kind->fields[i].type == HM_F_BOUND && v->type == HM_JSON_STRING;
    if (is_bound && hm_bound_is_time(p->store, v->text)) /* an era alone, too */
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

int hm_record_read(const hm_record_place *p, hm_kind_index kind, const hm_json *json, hm_record *r,
                   hm_arena *a) {
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

int hm_record_sort(const hm_record_place *p, const hm_json *json, hm_record *r, hm_arena *a) {
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
      " acknowledgement, flag, proposal, evidence, verdict, world";
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
  if (read_fields(p, json, r, a) || hm_record_sort(p, json, r, a) || complete_keys(p, r, a))
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

/* --- what a writer can correct at once ------------------------------------------------- */

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

/* A fact must say something; its value alone may be empty. */
static int check_said(const hm_record_place *p, const hm_record *r) {
  static const char *const columns[] = { "memory_type", "content", "entity_type",
                                         "name",        "key",     "type" };
  for (size_t c = 0; r->index != HM_K_PROJECT && c < HM_COUNT(columns); c++) {
    int i = hm_field_of_column(r->kind, columns[c]);
    if (i >= 0 && r->cells[i].state == HM_CELL_TEXT && !hm_str_trim(r->cells[i].text).n)
      return hm_record_bad(p, columns[c], "empty", "give it a value");
  }
  return 0;
}

/* A bound that the record does not set is not checked. */
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

int hm_record_check(const hm_record_place *p, const hm_record *r, const hm_cell *after) {
  return check_said(p, r) || check_window(p, r, after) ? -1 : 0;
}
