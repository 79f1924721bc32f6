#include "core/store/put.h"

#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/store/import_impl.h"
#include "core/store/journal.h"

typedef struct {
  hm_store *s;
  hm_kind_index index;
  const hm_kind *kind;
  hm_records records;
  hm_import_place place;
  hm_arena *a;
  hm_err *err;
} change;

static change begin(hm_store *s, hm_layer layer, hm_arena *a, hm_err *err) {
  hm_kind_index k = hm_kind_of(hm_str_c(hm_layer_kind(layer)));
  return (change){ .s = s, .index = k, .kind = &hm_kinds[k], .records = { .s = s },
                   .place = { .name = hm_kinds[k].name, .err = err }, .a = a, .err = err };
}

static hm_str json_of(const change *c, const hm_cell *cells) {
  hm_buf b = { 0 };
  hm_record_put(&b, c->kind, cells, c->a);
  hm_str out = hm_buf_keep(&b, c->a);
  hm_buf_free(&b);
  return out;
}

static hm_str ref_of(const change *c, hm_str id) {
  hm_buf b = { 0 };
  hm_buf_c(&b, c->kind->name);
  hm_buf_ch(&b, ':');
  hm_buf_str(&b, id);
  hm_str out = hm_buf_keep(&b, c->a);
  hm_buf_free(&b);
  return out;
}

static int unknown_row(const change *c, hm_str id) {
  const char *what = hm_str_fmt(c->a, "%s '%.*s'", c->kind->name, HM_FMT(hm_text_cut(id, 80))).p;
  return hm_fail(c->err, HM_E_UNKNOWN, what, "there is none", "check the kind and the id");
}

/* Loads the cells of the row with this id. */
static int load(change *c, hm_str id, hm_cell *cells, bool *found) {
  memset(cells, 0, (HM_MAX_FIELDS + 1) * sizeof *cells);
  cells[0] = (hm_cell){ HM_CELL_TEXT, id };
  return hm_records_load(&c->records, c->index, cells, found, c->a, c->err);
}

/* What the store's own rules refuse of a record is the record's fault. */
static int save(change *c, const hm_cell *cells, bool is_new, const char *verb, const hm_actor *who,
                hm_put *out) {
  if (hm_records_save(&c->records, c->index, cells, is_new, c->a, c->err)) {
    if (c->err && c->err->code == HM_E_STORE && c->s->refused)
      c->err->code = HM_E_INPUT;
    return -1;
  }
  out->changed = true;
  return hm_journal_add(c->s, who, verb, ref_of(c, out->id), out->before, out->after, c->err);
}

/* --- adding ---------------------------------------------------------------------- */

static hm_str made_id(const change *c, hm_str sorted, unsigned number) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_add(&h, sorted);
  if (number) hm_sha256_add(&h, hm_str_fmt(c->a, "\x1f%u", number));
  return hm_str_fmt(c->a, "%c-%.*s", c->kind->letter, HM_FMT(hm_sha256_hex(&h, c->a, 16)));
}

static int choose_id(change *c, const hm_json *record, hm_import_record *r) {
  hm_cell cells[HM_MAX_FIELDS + 1];
  bool found = r->cells[0].state == HM_CELL_TEXT;
  if (found) {
    if (load(c, r->cells[0].text, cells, &found)) return -1;
    if (!found) return 0;
    const char *why = hm_str_fmt(c->a, "there is a %s '%.*s' already", c->kind->name,
                                 HM_FMT(hm_text_cut(r->cells[0].text, 80)))
                          .p;
    hm_fail(c->err, HM_E_STATE, "", why, "change it with `hmirror edit`, or give another id");
    return hm_import_at(&c->place, HM_STR("id"));
  }
  if (hm_import_sorted(&c->place, record, r, c->a)) return -1;
  found = true;
  for (unsigned number = 0; found; number++) {
    r->cells[0] = (hm_cell){ HM_CELL_TEXT, made_id(c, r->sorted, number) };
    if (load(c, r->cells[0].text, cells, &found)) return -1;
  }
  return 0;
}

static int add(change *c, const hm_json *record, const char *verb, const hm_actor *who,
               hm_put *out) {
  hm_import_record r;
  hm_cell cells[HM_MAX_FIELDS + 1];
  if (hm_import_read_tree(&c->place, c->index, record, &r, c->a) || choose_id(c, record, &r))
    return -1;
  if (hm_import_merge(&c->place, &r, NULL, cells) || hm_import_check_window(&c->place, &r, cells))
    return -1;
  *out = (hm_put){ .id = hm_str_dup(c->a, cells[0].text),
                   .before = HM_EMPTY,
                   .after = json_of(c, cells) };
  return save(c, cells, true, verb, who, out);
}

int hm_put_new(hm_store *s, hm_layer layer, const hm_json *record, const char *verb,
               const hm_actor *who, hm_arena *a, hm_put *out, hm_err *err) {
  change c = begin(s, layer, a, err);
  int rc = add(&c, record, verb, who, out);
  hm_records_free(&c.records);
  return rc;
}

/* --- changing --------------------------------------------------------------------- */

static void put_member(hm_buf *b, const hm_json *v) {
  hm_json alone = *v;
  alone.next = NULL;
  if (b->p[b->n - 1] != '{') hm_buf_ch(b, ',');
  hm_json_put_str(b, v->key);
  hm_buf_ch(b, ':');
  hm_json_put(b, &alone);
}

/* The members of `old` in their order with those of `patch` in their place, the new ones at the
 * end; null takes away. */
static hm_str merge_objects(const hm_json *old, const hm_json *patch, hm_arena *a) {
  hm_map in_old, in_patch;
  const hm_json **changed = hm_alloc_array(a, patch->count, sizeof *changed);
  hm_buf b = { 0 };
  uint32_t n = 0;
  hm_map_init(&in_old, a, old->count);
  hm_map_init(&in_patch, a, patch->count);
  for (const hm_json *v = patch->child; v; v = v->next)
    hm_map_add(&in_patch, v->key, n), changed[n++] = v;
  hm_buf_ch(&b, '{');
  for (const hm_json *v = old->child; v; v = v->next) {
    uint32_t i = hm_map_get(&in_patch, v->key);
    hm_map_add(&in_old, v->key, 0);
    if (i == HM_MAP_NONE) put_member(&b, v);
    else if (changed[i]->type != HM_JSON_NULL) put_member(&b, changed[i]);
  }
  for (const hm_json *v = patch->child; v; v = v->next)
    if (v->type != HM_JSON_NULL && hm_map_get(&in_old, v->key) == HM_MAP_NONE) put_member(&b, v);
  hm_buf_ch(&b, '}');
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

/* The cell that the patch has for `properties` becomes the whole object. */
static void merge_properties(change *c, const hm_json *json, const hm_cell *before,
                             hm_import_record *r) {
  int i = hm_field_of_column(c->kind, HM_STR("properties"));
  const hm_json *patch = hm_json_get(json, "properties");
  hm_json *old;
  if (i < 0 || !patch || patch->type != HM_JSON_OBJECT || before[i].state != HM_CELL_TEXT) return;
  if (hm_json_parse(c->a, before[i].text, &old, NULL) || old->type != HM_JSON_OBJECT) return;
  r->cells[i].text = merge_objects(old, patch, c->a);
}

static int patch(change *c, hm_str id, const hm_json *json, const char *verb, const hm_actor *who,
                 hm_put *out) {
  hm_import_record r;
  hm_cell before[HM_MAX_FIELDS + 1], after[HM_MAX_FIELDS + 1];
  bool found;
  if (hm_import_read_tree(&c->place, c->index, json, &r, c->a)) return -1;
  if (r.cells[0].state != HM_CELL_ABSENT)
    return hm_import_bad_field(&c->place, "id", "a row keeps its id", "add another row");
  if (load(c, id, before, &found)) return -1;
  if (!found) return unknown_row(c, id);
  merge_properties(c, json, before, &r);
  if (hm_import_merge(&c->place, &r, before, after) || hm_import_check_window(&c->place, &r, after))
    return -1;
  *out = (hm_put){ .id = hm_str_dup(c->a, id),
                   .before = json_of(c, before),
                   .after = json_of(c, after) };
  if (hm_str_eq(out->before, out->after)) return 0;
  int stamp = hm_field_of_column(c->kind, HM_STR("updated_at"));
  if (r.cells[stamp].state == HM_CELL_ABSENT)
    after[stamp] = (hm_cell){ HM_CELL_TEXT, hm_time_to_second(c->a, who->at) };
  out->after = json_of(c, after);
  return save(c, after, false, verb, who, out);
}

int hm_put_patch(hm_store *s, hm_layer layer, hm_str id, const hm_json *json, const char *verb,
                 const hm_actor *who, hm_arena *a, hm_put *out, hm_err *err) {
  change c = begin(s, layer, a, err);
  int rc = patch(&c, id, json, verb, who, out);
  hm_records_free(&c.records);
  return rc;
}
