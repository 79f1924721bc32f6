/* The parts of a value: its forms, number and unit, items, denial. value.h has the table of
 * classes; their readers are in other files (value_read.c). */
#include "core/value/value.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/value/value_impl.h"

void hm_value_init(hm_value *out, hm_str raw) {
  *out = (hm_value){
    .raw = raw, .norm = HM_EMPTY, .key = HM_EMPTY, .base = HM_EMPTY, .named = HM_EMPTY
  };
}

void hm_value_set_forms(hm_value *out, hm_value_kind kind, hm_str norm, hm_str key) {
  out->kind = kind;
  out->norm = norm;
  out->key = key;
}

/* --- denials -------------------------------------------------------------------------- */

#define DENIAL "not:"
enum { DENIAL_LEN = sizeof DENIAL - 1 };

void hm_value_deny(hm_value *v, hm_arena *a) {
  v->denied = true;
  v->raw = HM_CAT(a, HM_STR(DENIAL " "), v->raw);
  v->key = HM_CAT(a, HM_STR(DENIAL), v->key);
  v->norm = HM_CAT(a, HM_STR(DENIAL), v->norm);
}

hm_str hm_value_undenied_key(const hm_value *v) {
  return v->denied ? hm_str_sub(v->key, DENIAL_LEN, v->key.n) : v->key;
}

/* --- numbers and units ----------------------------------------------------------------- */

bool hm_value_is_numeric(const hm_value *v) {
  return v->kind == HM_V_NUMBER || v->kind == HM_V_QUANTITY;
}

hm_str hm_value_without_class(hm_str form) {
  const char *colon = memchr(form.p, ':', form.n);
  return hm_str_sub(form, colon ? (size_t)(colon - form.p) + 1 : 0, form.n);
}

/* Behind "number:" or "quantity:", up to the unit. */
static hm_str number_in(hm_str form) {
  hm_str s = hm_value_without_class(form);
  return hm_str_next_word(&s);
}

hm_str hm_value_number_text(const hm_value *v) { return number_in(v->norm); }
hm_str hm_value_base_text(const hm_value *v) { return number_in(v->key); }
hm_str hm_value_base(const hm_value *v) { return v->kind == HM_V_QUANTITY ? v->base : HM_STR("1"); }

bool hm_value_in_range(const hm_value *v, const hm_value *range) {
  if (range->kind != HM_V_RANGE || !range->base.n || !hm_value_is_numeric(v))
    return false;
  if (v->denied || range->denied || !hm_str_eq(hm_value_base(v), range->base))
    return false;
  return v->num >= range->num && v->num <= range->most;
}

hm_str hm_value_unit(const hm_value *v) {
  hm_str s = v->kind == HM_V_QUANTITY ? v->norm : HM_EMPTY;
  hm_str_next_word(&s);
  return s;
}

/* --- parts ----------------------------------------------------------------------------- */

bool hm_value_has_parts(const hm_value *v) {
  return v->kind == HM_V_SET || v->kind == HM_V_LIST || v->kind == HM_V_OBJECT;
}

const hm_str *hm_value_item_names(const hm_value *v) {
  return (const hm_str *)(v->items + v->n_items);
}

static int cmp_items(const void *x, const void *y) {
  const hm_value *a = x, *b = y;
  int d = hm_str_cmp(a->key, b->key);
  if (!d)
    d = hm_str_cmp(a->norm, b->norm);
  return d ? d : hm_str_cmp(a->raw, b->raw);
}

static void write_escaped(hm_buf *b, hm_str s, const char *special) {
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] && strchr(special, s.p[i]))
      hm_buf_ch(b, '\\');
    hm_buf_ch(b, s.p[i]);
  }
}

/* "set:[a,b]", "ordered:[b,a]", "object:{x=a,y=b}" of the keys or the norms of the parts. Only the
 * brackets of such values are bare. One inside another is written out up to a length and by its
 * digest beyond, so that depth does not multiply the text. */
hm_str hm_value_parts_form(const hm_value *v, hm_value_kind kind, bool key, hm_arena *a) {
  enum { INNER_MAX = 1024 };
  bool object = kind == HM_V_OBJECT;
  const char *special = object ? "\\,[]{}=" : "\\,[]";
  const hm_str *name = object ? hm_value_item_names(v) : NULL;
  hm_buf b = { 0 };
  hm_buf_c(&b, object ? "object:{" : kind == HM_V_LIST ? "ordered:[" : "set:[");
  for (size_t i = 0; i < v->n_items; i++) {
    const hm_value *item = &v->items[i];
    hm_str form = key ? item->key : item->norm;
    if (item > v->items)
      hm_buf_ch(&b, ',');
    if (object)
      write_escaped(&b, *name++, special), hm_buf_ch(&b, '=');
    if (!hm_value_has_parts(item)) {
      write_escaped(&b, form, special);
      continue;
    }
    if (form.n > INNER_MAX)
      hm_buf_c(&b, "set:#"), form = hm_str_digest_hex(a, form, 64);
    hm_buf_str(&b, form);
  }
  hm_buf_ch(&b, object ? '}' : ']');
  return hm_buf_take(&b, a);
}

void hm_value_sort_items(hm_value *v) {
  size_t n = 1;
  qsort(v->items, v->n_items, sizeof *v->items, cmp_items);
  for (size_t i = 1; i < v->n_items; i++)
    if (!hm_str_eq(v->items[i].key, v->items[n - 1].key))
      v->items[n++] = v->items[i];
  v->n_items = n;
}

/* --- ids ------------------------------------------------------------------------------- */

hm_str hm_value_parse_id(hm_str text) {
  enum { LONGEST = 64 };
  hm_str s = hm_str_trim(text);
  bool letter = false;
  if (s.n > 1 && s.p[s.n - 1] == '.')
    s.n--;
  bool said = hm_str_starts(s, "entity:");
  if (said)
    s = hm_str_sub(s, sizeof "entity:" - 1, s.n);
  if (!s.n || s.n > LONGEST)
    return HM_EMPTY;
  for (size_t i = 0; i < s.n; i++) {
    letter = letter || hm_is_letter(s.p[i]);
    if (!hm_is_letter(s.p[i]) && !hm_is_digit(s.p[i]) && (!s.p[i] || !strchr("._:/-", s.p[i])))
      return HM_EMPTY;
  }
  return said || letter ? s : HM_EMPTY;
}

bool hm_value_may_be_id(const hm_value *v) {
  return v->kind == HM_V_TEXT || v->kind == HM_V_BOOL || v->kind == HM_V_RANGE ||
      (v->kind != HM_V_NONE && v->raw.n && hm_is_letter(v->raw.p[0]));
}
