/* Entity row to claims: one for each property that is neither an element of the
 * slot nor prose. */
#include <string.h>

#include "core/base/text.h"
#include "core/claim/claim_impl.h"

/* hm_text_name of what is a name already, which property names mostly are. */
static hm_str fold(hm_arena *a, hm_str s) {
  bool gap = true;   /* no '_' at the beginning, none after another */
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!word && (c != '_' || gap)) return hm_text_name(a, s);
    gap = !word;
  }
  return gap && s.n ? hm_text_name(a, s) : s;
}

static hm_prop *fold_props(const hm_json *object, hm_arena *a) {
  hm_prop *props = hm_alloc_array(a, object->count, sizeof *props);
  size_t n = 0;
  for (const hm_json *v = object->child; v; v = v->next)
    props[n++] = (hm_prop){ fold(a, v->key), v };
  return props;
}

/* The object of an entity without properties. */
static const hm_json no_props = { .type = HM_JSON_OBJECT, .key = { "", 0 }, .text = { "", 0 } };

static const hm_json *parse_props(hm_reader *r, uint32_t i) {
  hm_str text = hm_str_trim(r->snap->rows[i].props);
  if (!text.n || hm_str_is(text, "{}")) return &no_props;
  hm_json *v = NULL;
  hm_err err;
  if (hm_json_parse(r->scratch, text, &v, &err)) {
    hm_find_properties(r, i, hm_str_c(err.why), text);
    return NULL;
  }
  if (v->type == HM_JSON_NULL) return &no_props;
  if (v->type == HM_JSON_OBJECT) return v;
  hm_find_properties(r, i, HM_STR("another kind of value"), text);
  return NULL;
}

/* An entity while its properties are read. */
typedef struct {
  hm_reader *r;
  const hm_claim *proto;
  hm_slot slot;
  const hm_prop *props; size_t n;
  const hm_prop *main;
  hm_value main_value;
  const hm_prop *unit;     /* taken into the main value */
  hm_buf objects;          /* names of the properties that are objects */
} entity;

static bool is_unit(const hm_prop *p) {
  return (hm_str_is(p->name, "unit") || hm_str_is(p->name, "units")) &&
      p->v->type == HM_JSON_STRING && hm_str_trim(p->v->text).n;
}

static const hm_prop *find_unit(const entity *e) {
  for (size_t i = 0; i < e->n; i++)
    if (is_unit(&e->props[i])) return &e->props[i];
  return NULL;
}

static hm_str with_unit(hm_str number, hm_str unit, hm_arena *a) {
  char *p = hm_alloc(a, number.n + unit.n + 1), *at = (char *)mempcpy(p, number.p, number.n);
  *at++ = ' ';
  memcpy(at, unit.p, unit.n);
  return (hm_str){ p, number.n + unit.n + 1 };
}

/* "4.8" and the unit "kg" beside it are "4.8 kg", when that is a quantity; beside
 * "4.8 kg" a unit of mass says nothing more. */
static void join_unit(entity *e, hm_value *main) {
  hm_value both;
  const hm_prop *unit = find_unit(e);
  if (!unit || main->named.n) return;
  bool number = main->kind == HM_V_NUMBER;
  if (!number && main->kind != HM_V_QUANTITY) return;
  hm_str text =
      with_unit(number ? hm_str_trim(main->raw) : HM_STR("1"), hm_str_trim(unit->v->text), e->r->a);
  hm_value_of_text(&both, text, false, e->r->units, e->r->a);
  if (both.kind != HM_V_QUANTITY || !(number || hm_str_eq(both.base, main->base))) return;
  if (number) *main = both;
  e->unit = unit;
}

/* "Value" beside "value" says something of the same field. */
static bool is_main(const entity *e, const hm_prop *p) {
  return e->main && hm_str_eq(p->name, e->main->name);
}

static bool claims_nothing(const entity *e, const hm_prop *p) {
  if (is_main(e, p)) return false;
  if (p == e->unit || (e->slot.type && e->slot.type->main_only) || !p->name.n) return true;
  return hm_slot_is_element(&e->slot, p->name) || hm_rules_is_prose(e->r->rules, p->name);
}

static void note_object(entity *e, const hm_prop *p) {
  hm_buf_c(&e->objects, e->objects.n ? ", " : "property ");
  hm_buf_str(&e->objects, hm_text_cut(p->v->key, 64));
}

/* The tree of the properties goes with the row, what is shown stays. */
static void keep_raw(hm_value *v, hm_arena *a) {
  if (v->kind != HM_V_SET) v->raw = hm_str_dup(a, v->raw);
  for (size_t i = 0; i < v->n_items; i++) keep_raw(&v->items[i], a);
}

static void read_value(entity *e, const hm_prop *p, bool as_text, hm_value *out) {
  bool unreadable = false;
  hm_read_json(e->r, p->v, as_text, out, &unreadable);
  if (unreadable) note_object(e, p);
  if (out->kind != HM_V_NONE || out->silent) keep_raw(out, e->r->a);
}

static void read_main(entity *e, const hm_prop *p, hm_value *out) {
  hm_str name = hm_slot_name(e->r->scratch, &e->slot, HM_EMPTY);
  bool as_text = hm_rules_as_text(e->r->rules, name);
  read_value(e, p, as_text, out);
  if (!as_text) join_unit(e, out);
}

static void read_prop(entity *e, const hm_prop *p) {
  hm_reader *r = e->r;
  hm_str field = is_main(e, p) ? HM_EMPTY : p->name;
  hm_str name = hm_slot_name(r->a, &e->slot, field);
  if (!name.n) return;
  hm_value v;
  if (p == e->main) v = e->main_value;
  else if (!field.n) read_main(e, p, &v);
  else read_value(e, p, hm_rules_as_text(r->rules, name), &v);
  if (v.kind == HM_V_NONE && !v.silent) return;
  hm_add_claim(r, e->proto, name, hm_str_dup(r->a, p->v->key),
               hm_slot_compare(r->a, &e->slot, field), &v);
}

static void read_props(entity *e) {
  if (e->main) read_main(e, e->main, &e->main_value);
  for (size_t i = 0; i < e->n; i++)
    if (!claims_nothing(e, &e->props[i])) read_prop(e, &e->props[i]);
  if (e->objects.n)
    hm_find_value(e->r, e->proto->row, hm_buf_view(&e->objects), HM_STR("an object"));
}

void hm_read_entity(hm_reader *r, const hm_claim *proto) {
  const hm_row *row = &r->snap->rows[proto->row];
  const hm_json *object = parse_props(r, proto->row);
  if (!object) return;
  entity e = { .r = r, .proto = proto, .n = object->count };
  e.props = fold_props(object, r->scratch);
  hm_slot_read(&e.slot, r->snap, row, e.props, e.n, r->scratch);
  if (e.slot.type && e.slot.type->silent) return;
  e.main = hm_slot_main(&e.slot, e.props, e.n);
  read_props(&e);
  hm_buf_free(&e.objects);
}
