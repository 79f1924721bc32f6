/* Arrays are sets: order and repetition say nothing. */
#include <stdlib.h>
#include <string.h>

#include "core/claim/value_impl.h"

static int cmp_items(const void *x, const void *y) {
  const hm_value *a = x, *b = y;
  int d = hm_str_cmp(a->key, b->key);
  if (!d) d = hm_str_cmp(a->norm, b->norm);
  return d ? d : hm_str_cmp(a->raw, b->raw);
}

static void read_items(hm_value *out, const hm_json *v, bool as_text, hm_units *u, hm_arena *a, bool *unreadable) {
  out->items = hm_alloc_array(a, v->count, sizeof *out->items);
  for (const hm_json *i = v->child; i; i = i->next) {
    hm_value *item = &out->items[out->n_items];
    hm_value_of_json(item, i, as_text, u, a, unreadable);
    if (item->kind != HM_V_NONE) out->n_items++;
  }
}

static void sort_items(hm_value *out) {
  if (!out->n_items) return;
  qsort(out->items, out->n_items, sizeof *out->items, cmp_items);
  size_t n = 1;
  for (size_t i = 1; i < out->n_items; i++)
    if (!hm_str_eq(out->items[i].key, out->items[n - 1].key)) out->items[n++] = out->items[i];
  out->n_items = n;
}

/* A set inside is put as it is: its brackets are the only bare ones. */
static void put_item(hm_buf *b, hm_str form, bool set) {
  if (set) {
    hm_buf_str(b, form);
    return;
  }
  for (size_t i = 0; i < form.n; i++) {
    if (form.p[i] && strchr("\\,[]", form.p[i])) hm_buf_ch(b, '\\');
    hm_buf_ch(b, form.p[i]);
  }
}

static hm_str set_form(const hm_value *v, bool key, hm_arena *a) {
  hm_buf b = { 0 };
  hm_buf_c(&b, "set:[");
  for (size_t i = 0; i < v->n_items; i++) {
    if (i) hm_buf_ch(&b, ',');
    put_item(&b, key ? v->items[i].key : v->items[i].norm, v->items[i].kind == HM_V_SET);
  }
  hm_buf_ch(&b, ']');
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

static hm_str raw_of(const hm_json *v, hm_arena *a) {
  hm_buf b = { 0 };
  hm_json_put(&b, v);
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

void hm_value_of_array(hm_value *out, const hm_json *v, bool as_text, hm_units *u, hm_arena *a, bool *unreadable) {
  bool bad = false;
  out->raw = raw_of(v, a);
  read_items(out, v, as_text, u, a, &bad);
  if (bad) {
    *unreadable = true;
    out->n_items = 0;
  }
  if (!out->n_items) return;
  sort_items(out);
  out->kind = HM_V_SET;
  out->norm = set_form(out, false, a);
  out->key = set_form(out, true, a);
}
