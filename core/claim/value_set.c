/* Arrays are sets: order and repetition say nothing. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/claim/value_impl.h"

/* A set inside a set is written out up to here and by its digest beyond, so that
 * depth does not multiply the text. */
enum { INNER_MAX = 1024 };

typedef struct {
  bool as_text;
  const hm_value_reading *by;
  hm_units *u;
  hm_arena *a;
  bool unreadable;
} reading;

static int cmp_items(const void *x, const void *y) {
  const hm_value *a = x, *b = y;
  int d = hm_str_cmp(a->key, b->key);
  if (!d) d = hm_str_cmp(a->norm, b->norm);
  return d ? d : hm_str_cmp(a->raw, b->raw);
}

static void read_set(hm_value *out, const hm_json *v, reading *r);

static void read_item(hm_value *item, const hm_json *v, reading *r) {
  if (v->type != HM_JSON_ARRAY) {
    hm_value_of_json(item, v, r->as_text, r->by, r->u, r->a, &r->unreadable);
    return;
  }
  *item = (hm_value){ .raw = HM_EMPTY, .norm = HM_EMPTY, .key = HM_EMPTY, .base = HM_EMPTY };
  read_set(item, v, r);
}

static void read_items(hm_value *out, const hm_json *v, reading *r) {
  bool silent = false;
  out->items = hm_alloc_array(r->a, v->count, sizeof *out->items);
  for (const hm_json *i = v->child; i; i = i->next) {
    hm_value *item = &out->items[out->n_items];
    read_item(item, i, r);
    if (item->kind != HM_V_NONE) out->n_items++;
    else silent = silent || item->silent;
  }
  out->silent = silent && !out->n_items;
}

static void sort_items(hm_value *out) {
  if (!out->n_items) return;
  qsort(out->items, out->n_items, sizeof *out->items, cmp_items);
  size_t n = 1;
  for (size_t i = 1; i < out->n_items; i++)
    if (!hm_str_eq(out->items[i].key, out->items[n - 1].key)) out->items[n++] = out->items[i];
  out->n_items = n;
}

/* The brackets of sets are the only bare ones. */
static void put_leaf(hm_buf *b, hm_str form) {
  for (size_t i = 0; i < form.n; i++) {
    if (form.p[i] && strchr("\\,[]", form.p[i])) hm_buf_ch(b, '\\');
    hm_buf_ch(b, form.p[i]);
  }
}

static void put_inner(hm_buf *b, hm_str form, hm_arena *a) {
  if (form.n <= INNER_MAX) {
    hm_buf_str(b, form);
    return;
  }
  hm_buf_c(b, "set:#");
  hm_buf_str(b, hm_digest_hex(a, form, 64));
}

static hm_str set_form(const hm_value *v, bool key, hm_arena *a) {
  hm_buf b = { 0 };
  hm_buf_c(&b, "set:[");
  for (size_t i = 0; i < v->n_items; i++) {
    hm_str form = key ? v->items[i].key : v->items[i].norm;
    if (i) hm_buf_ch(&b, ',');
    if (v->items[i].kind == HM_V_SET) put_inner(&b, form, a);
    else put_leaf(&b, form);
  }
  hm_buf_ch(&b, ']');
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

static void read_set(hm_value *out, const hm_json *v, reading *r) {
  read_items(out, v, r);
  if (!out->n_items || r->unreadable) return;
  sort_items(out);
  out->kind = HM_V_SET;
  out->norm = set_form(out, false, r->a);
  out->key = set_form(out, true, r->a);
}

void hm_value_of_array(hm_value *out, const hm_json *v, bool as_text, const hm_value_reading *by,
                       hm_units *u, hm_arena *a, bool *unreadable) {
  reading r = { as_text, by, u, a, false };
  out->raw = hm_json_keep(v, a);
  read_set(out, v, &r);
  if (!r.unreadable) return;
  *unreadable = true;
  *out = (hm_value){ .raw = out->raw, .norm = HM_EMPTY, .key = HM_EMPTY, .base = HM_EMPTY };
}
