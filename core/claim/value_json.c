/* Normal forms of JSON values: an array is a set, its strings are read as value.c reads a text.
 *
 * Cost: linear in the bytes, but for the sort of a set. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/claim/value_impl.h"

static int cmp_items(const void *x, const void *y) {
  const hm_value *a = x, *b = y;
  int d = hm_str_cmp(a->key, b->key);
  if (!d) d = hm_str_cmp(a->norm, b->norm);
  return d ? d : hm_str_cmp(a->raw, b->raw);
}

/* "set:[a,b]" of the keys or the norms of the elements. Only the brackets of sets are bare. A set
 * inside a set is written out up to a length and by its digest beyond, so that depth does not
 * multiply the text. */
hm_str hm_value_set_form(const hm_value *v, bool key, hm_arena *a) {
  enum { INNER_MAX = 1024 };
  hm_buf b = { 0 };
  hm_buf_c(&b, "set:[");
  for (const hm_value *item = v->items; item < v->items + v->n_items; item++) {
    hm_str form = key ? item->key : item->norm;
    if (item > v->items) hm_buf_ch(&b, ',');
    if (item->kind == HM_V_SET) {
      if (form.n > INNER_MAX) hm_buf_c(&b, "set:#"), form = hm_digest_hex(a, form, 64);
      hm_buf_str(&b, form);
      continue;
    }
    for (size_t i = 0; i < form.n; i++) {
      if (form.p[i] && strchr("\\,[]", form.p[i])) hm_buf_ch(&b, '\\');
      hm_buf_ch(&b, form.p[i]);
    }
  }
  hm_buf_ch(&b, ']');
  return hm_buf_take(&b, a);
}

void hm_value_sort_items(hm_value *v) {
  size_t n = 1;
  qsort(v->items, v->n_items, sizeof *v->items, cmp_items);
  for (size_t i = 1; i < v->n_items; i++)
    if (!hm_str_eq(v->items[i].key, v->items[n - 1].key)) v->items[n++] = v->items[i];
  v->n_items = n;
}

/* How a JSON value is read, and whether something in it could not be. */
typedef struct {
  bool as_text;
  const hm_value_reading *by;
  hm_units *u;
  hm_arena *a;
  bool unreadable;
} json_reading;

static void read_json(hm_value *out, const hm_json *v, json_reading *r);

/* Arrays are sets: order and repetition say nothing. */
static void read_set(hm_value *out, const hm_json *v, json_reading *r) {
  bool silent = false;
  out->items = hm_alloc_array(r->a, v->count, sizeof *out->items);
  for (const hm_json *i = v->child; i; i = i->next) {
    hm_value *item = &out->items[out->n_items];
    read_json(item, i, r);
    if (item->kind != HM_V_NONE) out->n_items++;
    else silent = silent || item->silent;
  }
  out->silent = silent && !out->n_items;
  if (!out->n_items || r->unreadable) return;
  hm_value_sort_items(out);
  hm_value_set_forms(out, HM_V_SET, hm_value_set_form(out, false, r->a),
                     hm_value_set_form(out, true, r->a));
}

static void read_json(hm_value *out, const hm_json *v, json_reading *r) {
  hm_value_init(out, HM_EMPTY);
  switch (v->type) {
    case HM_JSON_NULL: return;
    case HM_JSON_STRING: hm_value_read(out, v->text, r->as_text, r->by, r->u, r->a); return;
    case HM_JSON_NUMBER: hm_value_of_number(out, v->text, r->as_text, r->u, r->a); return;
    case HM_JSON_TRUE: hm_value_of_text(out, HM_STR("true"), r->as_text, r->u, r->a); return;
    case HM_JSON_FALSE: hm_value_of_text(out, HM_STR("false"), r->as_text, r->u, r->a); return;
    case HM_JSON_ARRAY: read_set(out, v, r); return;
    case HM_JSON_OBJECT: r->unreadable = true; return;
  }
}

void hm_value_of_json(hm_value *out, const hm_json *v, bool as_text, const hm_value_reading *by,
                      hm_units *u, hm_arena *a, bool *unreadable) {
  json_reading r = { as_text, by, u, a, false };
  read_json(out, v, &r);
  if (r.unreadable) {
    *unreadable = true;
    hm_value_init(out, HM_EMPTY);
  }
  if (v->type == HM_JSON_ARRAY) out->raw = hm_json_as_text(v, a);
}
