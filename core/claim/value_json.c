/* Values in JSON.
 *
 * Strings are read as any text; an array is a set, or a list where its field means an order; an
 * object has members by their folded names. A member is read by its own name too: what is a
 * release, or has an order, says so there. Names that fold alike in one object stay as they are
 * written. A unit that stands beside a value goes with every element of it, or with none.
 * Cost: linear in the bytes, but for the sorts. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/claim/value_impl.h"

/* A JSON number is one whatever it looks like (1e3). */
static void read_number(hm_value *out, hm_str raw, bool as_text, hm_units *u, hm_arena *a) {
  hm_reader r = { .units = u, .a = a, .scratch = hm_units_scratch(u) };
  hm_number n;
  hm_value_init(out, raw);
  if (!as_text && hm_number_parse(&n, raw, r.scratch)) hm_value_set_number(out, &n, &r);
  else hm_value_parse_text(out, raw, as_text, u, a);
}

static void set_parts(hm_value *v, hm_value_kind kind, hm_arena *a) {
  if (kind == HM_V_SET) hm_value_sort_items(v);
  hm_value_set_forms(v, kind, hm_value_parts_form(v, kind, false, a),
                     hm_value_parts_form(v, kind, true, a));
}

/* How a JSON value is read. */
typedef struct {
  bool as_text, ordered;
  const hm_value_reading *by;
  hm_units *u;
  hm_arena *a;
} json_reading;

static void read_json(hm_value *out, const hm_json *v, const json_reading *r);

/* In a set, order and repetition say nothing. */
static void read_array(hm_value *out, const hm_json *v, const json_reading *r) {
  bool silent = false;
  out->items = hm_alloc_array(r->a, v->count, sizeof *out->items);
  for (const hm_json *i = v->child; i; i = i->next) {
    hm_value *item = &out->items[out->n_items];
    read_json(item, i, r);
    if (item->kind != HM_V_NONE) out->n_items++;
    else silent = silent || item->silent;
  }
  out->silent = silent && !out->n_items;
  if (out->n_items) set_parts(out, r->ordered ? HM_V_LIST : HM_V_SET, r->a);
}

typedef struct { hm_str name, written; hm_value value; } member;

static int by_name(const void *x, const void *y) {
  const member *a = x, *b = y;
  int d = hm_str_cmp(a->name, b->name);
  return d ? d : hm_str_cmp(a->written, b->written);
}

/* Of members that fold alike each goes by what is written. */
static void name_members(member *v, size_t n, hm_arena *a) {
  bool any = false;
  qsort(v, n, sizeof *v, by_name);
  for (size_t i = 0, j; i < n; i = j) {
    for (j = i + 1; j < n && hm_str_eq(v[i].name, v[j].name);) j++;
    any = any || j > i + 1 || !v[i].name.n;
    for (size_t k = i; k < j && (j > i + 1 || !v[i].name.n); k++)
      v[k].name = hm_str_dup(a, v[k].written);
  }
  if (any) qsort(v, n, sizeof *v, by_name);
}

static void read_object(hm_value *out, const hm_json *v, const json_reading *r) {
  const hm_rules *rules = r->by && r->by->rules ? r->by->rules : hm_rules_default();
  member *members = hm_xmalloc((v->count + 1) * sizeof *members);
  size_t n = 0;
  bool silent = false;
  for (const hm_json *i = v->child; i; i = i->next) {
    member *m = &members[n];
    json_reading of = *r;
    m->written = i->key;
    m->name = hm_text_fold_name(r->a, i->key);
    of.as_text = r->as_text || hm_rules_is_text(rules, m->name);
    of.ordered = r->ordered || hm_rules_is_ordered(rules, m->name);
    read_json(&m->value, i, &of);
    if (m->value.kind != HM_V_NONE) n++;
    else silent = silent || m->value.silent;
  }
  out->silent = silent && !n;
  if (n) {
    name_members(members, n, r->a);
    out->items = hm_alloc(r->a, n * (sizeof *out->items + sizeof(hm_str)));
    out->n_items = n;
    hm_str *names = (hm_str *)(out->items + n);
    for (size_t i = 0; i < n; i++) out->items[i] = members[i].value, names[i] = members[i].name;
    set_parts(out, HM_V_OBJECT, r->a);
  }
  free(members);
}

static void read_json(hm_value *out, const hm_json *v, const json_reading *r) {
  hm_value_init(out, HM_EMPTY);
  switch (v->type) {
    case HM_JSON_NULL: return;
    case HM_JSON_STRING: hm_value_parse(out, v->text, r->as_text, r->by, r->u, r->a); return;
    case HM_JSON_NUMBER: read_number(out, v->text, r->as_text, r->u, r->a); return;
    case HM_JSON_TRUE: hm_value_parse_text(out, HM_STR("true"), r->as_text, r->u, r->a); return;
    case HM_JSON_FALSE: hm_value_parse_text(out, HM_STR("false"), r->as_text, r->u, r->a); return;
    case HM_JSON_ARRAY: read_array(out, v, r); return;
    case HM_JSON_OBJECT: read_object(out, v, r); return;
  }
}

void hm_value_parse_json(hm_value *out, const hm_json *v, bool as_text, const hm_value_reading *by,
                         hm_units *u, hm_arena *a) {
  json_reading r = { as_text, by && by->ordered, by, u, a };
  read_json(out, v, &r);
  if (v->type == HM_JSON_ARRAY || v->type == HM_JSON_OBJECT) out->raw = hm_json_as_text(v, a);
}

/* --- units beside a value -------------------------------------------------------------- */

static bool join_unit(hm_value *v, hm_str unit, hm_units *u, hm_arena *a) {
  bool number = v->kind == HM_V_NUMBER;
  if (v->named.n || (!number && v->kind != HM_V_QUANTITY)) return false;
  hm_value both;
  hm_str amount = number ? hm_str_trim(v->raw) : HM_STR("1");
  hm_value_parse_text(&both, HM_CAT(a, amount, HM_STR(" "), unit), false, u, a);
  if (both.kind != HM_V_QUANTITY || !(number || hm_str_eq(both.base, v->base))) return false;
  if (number) *v = both;
  return true;
}

bool hm_value_add_unit(hm_value *v, hm_str unit, hm_units *u, hm_arena *a) {
  if (v->kind != HM_V_SET && v->kind != HM_V_LIST) return join_unit(v, unit, u, a);
  hm_value joined = *v;
  bool any = false;
  joined.items = hm_alloc_array(a, v->n_items, sizeof *joined.items);
  memcpy(joined.items, v->items, v->n_items * sizeof *joined.items);
  for (size_t i = 0; i < joined.n_items; i++) {
    any = any || joined.items[i].kind == HM_V_NUMBER;
    if (!join_unit(&joined.items[i], unit, u, a)) return false;
  }
  set_parts(&joined, v->kind, a);
  if (any) joined.raw = HM_CAT(a, v->raw, HM_STR(" "), unit);
  *v = joined;
  return true;
}
