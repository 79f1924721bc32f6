/* From one line of JSON to the cells of one record. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/store/import_impl.h"

int hm_import_at(const hm_import_place *p, hm_str field) {
  hm_err *e = p->err;
  if (!e) return -1;
  /* hm_err_within cleans what comes from a fact. */
  e->what[0] = 0;
  field = hm_text_cut(field, 80);
  char line[32] = "";
  if (p->number) snprintf(line, sizeof line, ":%lld", (long long)p->number);
  if (field.n) hm_err_within(e, "%.400s%s: %.*s", p->name, line, HM_FMT(field));
  else hm_err_within(e, "%.400s%s", p->name, line);
  return hm_err_at_field(e, field);
}

int hm_import_bad_field(const hm_import_place *p, const char *field, const char *why,
                        const char *fix) {
  hm_fail(p->err, HM_E_INPUT, "", why, fix);
  return hm_import_at(p, hm_str_c(field));
}

/* --- the record as a digest sees it ---------------------------------------- */

static int by_key(const void *x, const void *y) {
  return hm_str_cmp((*(const hm_json *const *)x)->key, (*(const hm_json *const *)y)->key);
}

static void put_scalar(hm_buf *b, const hm_json *v) {
  hm_json alone = *v;
  alone.next = NULL;
  hm_json_put(b, &alone);
}

/* Depth is bounded by HM_JSON_MAX_DEPTH. */
static void put_sorted(hm_buf *b, const hm_json *v, bool top, hm_arena *a) {
  bool object = v->type == HM_JSON_OBJECT;
  if (!object && v->type != HM_JSON_ARRAY) {
    put_scalar(b, v);
    return;
  }
  const hm_json **list = hm_alloc_array(a, v->count, sizeof *list);
  size_t n = 0;
  for (const hm_json *e = v->child; e; e = e->next)
    if (!(top && e->type == HM_JSON_NULL)) list[n++] = e;
  if (object && n) qsort(list, n, sizeof *list, by_key);
  hm_buf_ch(b, object ? '{' : '[');
  for (size_t i = 0; i < n; i++) {
    if (i) hm_buf_ch(b, ',');
    if (object) hm_json_put_str(b, list[i]->key);
    if (object) hm_buf_ch(b, ':');
    put_sorted(b, list[i], false, a);
  }
  hm_buf_ch(b, object ? '}' : ']');
}

/* --- reading ---------------------------------------------------------------- */

static int read_kind(const hm_import_place *p, const hm_json *json, hm_import_record *r) {
  static const char fix[] =
      "use one of: project, memory, entity, project_state, relation, link, conflict, verdict";
  if (json->type != HM_JSON_OBJECT)
    return hm_import_bad_field(p, "", "not a JSON object",
                               "write one record a line: {\"kind\":...}");
  const hm_json *kind = hm_json_get(json, "kind");
  if (!kind) return hm_import_bad_field(p, "kind", "missing", fix);
  if (kind->type != HM_JSON_STRING) return hm_import_bad_field(p, "kind", "must be a string", fix);
  r->index = hm_kind_of(kind->text);
  if (r->index == HM_N_KINDS) {
    hm_str shown = hm_text_cut(kind->text, 60);
    hm_failf(p->err, HM_E_INPUT, "", fix, "unknown: \"%.*s\"", HM_FMT(shown));
    return hm_import_at(p, HM_STR("kind"));
  }
  r->kind = &hm_kinds[r->index];
  return 0;
}

static int unknown_key(const hm_import_place *p, const hm_kind *k, hm_str key) {
  char fix[512] = "known keys: kind";
  size_t n = strlen(fix);
  for (int i = 0; i < k->n && n < sizeof fix; i++)
    if (k->fields[i].key) n += (size_t)snprintf(fix + n, sizeof fix - n, ", %s", k->fields[i].key);
  hm_failf(p->err, HM_E_INPUT, "", fix, "unknown key of a %s", k->name);
  return hm_import_at(p, key.n ? key : HM_STR("\"\""));
}

static int read_fields(const hm_import_place *p, const hm_json *json, hm_import_record *r,
                       hm_arena *a) {
  const hm_json *as_stored = NULL;
  for (const hm_json *v = json->child; v; v = v->next) {
    if (hm_str_is(v->key, "kind")) continue;
    if (hm_str_is(v->key, "as_stored")) {
      as_stored = v;
      continue;
    }
    int i = hm_field_of_key(r->kind, v->key);
    if (i < 0) return unknown_key(p, r->kind, v->key);
    if (hm_cell_read(r->kind, i, v, r->cells, a, p->err)) return hm_import_at(p, v->key);
  }
  if (as_stored && hm_as_stored_read(r->kind, as_stored, r->cells, p->err))
    return hm_import_at(p, HM_STR("as_stored"));
  return 0;
}

static int check_link(const hm_import_place *p, const hm_import_record *r) {
  if (r->index != HM_K_LINK || !hm_str_eq(r->cells[0].text, r->cells[1].text)) return 0;
  return hm_import_bad_field(p, "dst", "the same row as src: a row has no link to itself",
                             "name two rows");
}

/* Keys that the line lacks: an id of its own content, or a default. */
static int complete_keys(const hm_import_place *p, hm_import_record *r, hm_arena *a) {
  for (int i = 0; i < r->kind->n; i++) {
    const hm_field *f = &r->kind->fields[i];
    if (!(f->flags & HM_F_KEY) || r->cells[i].state == HM_CELL_TEXT) continue;
    if (f->dflt) {
      r->cells[i] = (hm_cell){ HM_CELL_TEXT, hm_str_c(f->dflt) };
    } else if (r->kind->letter) {
      hm_str hex = hm_digest_hex(a, r->sorted, 16);
      r->cells[i] =
          (hm_cell){ HM_CELL_TEXT, hm_str_fmt(a, "%c-%.*s", r->kind->letter, HM_FMT(hex)) };
    } else {
      return hm_import_bad_field(p, f->key, "missing", "give it a value");
    }
  }
  return 0;
}

int hm_import_read_tree(const hm_import_place *p, hm_kind_index kind, const hm_json *json,
                        hm_import_record *r, hm_arena *a) {
  memset(r, 0, sizeof *r);
  r->index = kind;
  r->kind = &hm_kinds[kind];
  if (json->type != HM_JSON_OBJECT)
    return hm_import_bad_field(p, "", "not a JSON object", "give an object of fields");
  const hm_json *named = hm_json_get(json, "kind");
  if (named && !(named->type == HM_JSON_STRING && hm_str_is(named->text, r->kind->name)))
    return hm_import_bad_field(p, "kind", "another kind of record", "leave it out");
  if (hm_json_get(json, "as_stored")) return unknown_key(p, r->kind, HM_STR("as_stored"));
  return read_fields(p, json, r, a);
}

int hm_import_read(const hm_import_place *p, hm_str line, hm_import_record *r, hm_arena *a) {
  hm_json *json;
  memset(r, 0, sizeof *r);
  if (hm_json_parse(a, line, &json, p->err)) return hm_import_at(p, HM_EMPTY);
  const hm_json *kind = hm_json_get(json, "kind");
  if (kind && kind->type == HM_JSON_STRING && hm_str_is(kind->text, "verdict")) {
    r->verdict = json;
    return 0;
  }
  if (read_kind(p, json, r) || read_fields(p, json, r, a)) return -1;
  return hm_import_sorted(p, json, r, a) || complete_keys(p, r, a) || check_link(p, r) ? -1 : 0;
}

int hm_import_sorted(const hm_import_place *p, const hm_json *json, hm_import_record *r,
                     hm_arena *a) {
  hm_buf b = { 0 };
  put_sorted(&b, json, true, a);
  r->sorted = hm_buf_keep(&b, a);
  bool failed = b.failed;
  hm_buf_free(&b);
  return failed ? hm_import_bad_field(p, "", "larger than 2 GB", "split the record") : 0;
}

hm_str hm_import_sorted_value(const hm_json *v, hm_arena *a) {
  hm_buf b = { 0 };
  put_sorted(&b, v, false, a);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

/* --- merging ---------------------------------------------------------------- */

static const hm_cell *cell_of(const hm_kind *k, const hm_cell *cells, const char *column) {
  int i = hm_field_of_column(k, hm_str_c(column));
  return i < 0 ? NULL : &cells[i];
}

/* Is there no way to read the bounds in which the window begins before it ends? As
 * core/claim/window.h has it. */
static bool is_inverted(hm_str from, hm_str until) {
  hm_time begin, end;
  hm_precision p, unit;
  if (!hm_time_parse(from, &begin, &p) || !hm_time_parse(until, &end, &unit)) return false;
  hm_time last = unit <= HM_P_DAY ? hm_time_last(end, unit) : end;
  bool alike = begin == end && last == (p <= HM_P_DAY ? hm_time_last(begin, p) : begin);
  return begin >= last && !alike;
}

int hm_import_check_window(const hm_import_place *p, const hm_import_record *r,
                           const hm_cell *after) {
  const hm_cell *from = cell_of(r->kind, after, "valid_from"),
                *until = cell_of(r->kind, after, "valid_until");
  if (!from || !until || from->state != HM_CELL_TEXT || until->state != HM_CELL_TEXT) return 0;
  if (cell_of(r->kind, r->cells, "valid_from")->state == HM_CELL_ABSENT &&
      cell_of(r->kind, r->cells, "valid_until")->state == HM_CELL_ABSENT) return 0;
  if (!is_inverted(from->text, until->text)) return 0;
  hm_str shown = hm_text_cut(from->text, 60);
  hm_failf(p->err, HM_E_INPUT, "", "let it end after it begins, or leave one bound open",
           "not after valid_from \"%.*s\"", HM_FMT(shown));
  return hm_import_at(p, HM_STR("valid_until"));
}

static hm_cell default_cell(const hm_field *f) {
  return f->dflt ? (hm_cell){ HM_CELL_TEXT, hm_str_c(f->dflt) }
                 : (hm_cell){ HM_CELL_NULL, HM_EMPTY };
}

int hm_import_merge(const hm_import_place *p, const hm_import_record *r, const hm_cell *before,
                    hm_cell *after) {
  for (int i = 0; i < r->kind->n; i++) {
    const hm_field *f = &r->kind->fields[i];
    if (r->cells[i].state != HM_CELL_ABSENT) after[i] = r->cells[i];
    else if (before) after[i] = before[i];
    else if (f->flags & HM_F_REQUIRED)
      return hm_import_bad_field(p, f->key, "missing", "give it a value");
    else after[i] = default_cell(f);
  }
  return 0;
}
