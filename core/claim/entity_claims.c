/* Makes claims of entities and project states.
 *
 * A state claims its value. An entity has a claim for each property that is neither an element of
 * its slot nor prose; a separate unit is added to its main value. */
#include "core/base/text.h"
#include "core/claim/row_reader.h"
#include "core/claim/sentence_values.h"
#include "core/claim/slot.h"
#include "core/value/slot_reading.h"

hm_reading hm_row_slot_reading(const row_reader *r, hm_str name, hm_str type) {
  hm_reading supports = hm_rules_reading(r->rules, name);
  return supports ? supports : hm_slot_reading(type);
}

/* --- project state ---------------------------------------------------------------------- */

void hm_row_read_state(row_reader *r) {
  const hm_row *row = r->row;
  hm_str name = hm_text_fold_name(r->a, row->name);
  hm_json *json = NULL;
  hm_value v;
  hm_err ignored;
  if (!name.n)
    return;
  hm_str type = hm_entity_type_key(r->scratch, row->type), other = HM_EMPTY;
  hm_reading supports = hm_row_slot_reading(r, name, type);
  r->by.ordered = hm_rules_is_ordered(r->rules, name);
  if (!row->value_is_json) {
    hm_value_parse(&v, row->text, supports, &r->by, r->units, r->a);
  } else if (hm_json_parse(r->a, row->text, &json, &ignored)) {
    hm_row_add_finding(r, HM_STR("row/value"),
                       HM_STR("the value cannot be compared: it is no JSON"), HM_STR("JSON"),
                       hm_row_shown_text(r, row->text));
    return;
  } else {
    hm_value_parse_json(&v, json, supports, &r->by, r->units, r->a);
  }
  if (v.kind == HM_V_NONE && !v.silent)
    return;
  /* hm_claim.compare: the entity type that the category names, else the category. */
  if (!type.n || !(hm_entity_type_find(type) || hm_map_get(r->types, type) != HM_MAP_NONE)) {
    type = HM_EMPTY;
    other = hm_slot_shorten_part(r->scratch, row->type);
  }
  hm_row_add_claim(r, name, HM_STR("value"),
                   hm_str_fmt(r->a, "%.*s\x1f%.*s", HM_FMT(type), HM_FMT(other)), &v);
}

/* --- entities ------------------------------------------------------------------------------ */

/* An entity while its properties are read. */
typedef struct {
  row_reader *r;
  hm_entity_slot slot;
  const hm_prop *props;
  size_t n;
  const hm_prop *main;
  const hm_prop *unit; /* taken into the main value */
} entity;

/* NULL, with a finding: the properties are no object. */
static const hm_json *parse_props(row_reader *r) {
  static const hm_json none = { .type = HM_JSON_OBJECT, .key = { "", 0 }, .text = { "", 0 } };
  hm_str text = hm_str_trim(r->row->props), why = HM_STR("another kind of value");
  if (!text.n || hm_str_is(text, "{}"))
    return &none;
  hm_json *v = NULL;
  hm_err err;
  if (hm_json_parse(r->scratch, text, &v, &err))
    why = hm_str_c(err.why);
  else if (v->type == HM_JSON_NULL)
    return &none;
  else if (v->type == HM_JSON_OBJECT)
    return v;
  why = hm_row_shown_text(r, why);
  hm_row_add_finding(
      r, HM_STR("row/properties"),
      hm_str_fmt(r->a, "the properties are no JSON object (%.*s); no field of them can be read",
                 HM_FMT(why)),
      HM_STR("a JSON object"), hm_row_shown_text(r, text));
  return NULL;
}

/* The property `unit` or `units` that says something, or NULL. */
static const hm_prop *find_unit(const entity *e) {
  for (size_t k = 0; k < e->n; k++) {
    const hm_prop *p = &e->props[k];
    bool named = hm_str_is(p->name, "unit") || hm_str_is(p->name, "units");
    if (named && p->v->type == HM_JSON_STRING && hm_str_trim(p->v->text).n)
      return p;
  }
  return NULL;
}

/* "Value" beside "value" says something of the same field. */
static bool is_main(const entity *e, const hm_prop *p) {
  return e->main && hm_str_eq(p->name, e->main->name);
}

static bool claims_nothing(const entity *e, const hm_prop *p) {
  if (is_main(e, p))
    return false;
  bool left_out = e->slot.type && e->slot.type->main_only && !hm_slot_has_sentences(p->name);
  if (p == e->unit || left_out || !p->name.n)
    return true;
  if (hm_str_is(p->name, "claim_kind"))
    return true;
  return hm_slot_is_element(&e->slot, p->name) || hm_rules_is_prose(e->r->rules, p->name);
}

/* Copies the shown text, since the tree of properties is freed with the row. */
static void copy_raw(hm_value *v, hm_arena *a) {
  if (!hm_value_has_parts(v))
    v->raw = hm_str_dup(a, v->raw);
  for (size_t i = 0; i < v->n_items; i++)
    copy_raw(&v->items[i], a);
}

/* Does the name of the property leave to the type what its values are: "value", "number"? */
static bool is_bare(const entity *e, const hm_prop *p) {
  static const char *const names[] = { "designation", "label", "no", "nr", "number", "value" };
  bool bare = is_main(e, p);
  for (size_t i = 0; i < HM_COUNT(names); i++)
    bare = bare || hm_str_is(p->name, names[i]);
  return bare;
}

/* Who has both an owner and a maintainer means two things by them. */
static bool has_property(const entity *e, hm_str name) {
  for (size_t i = 0; i < e->n; i++)
    if (hm_str_eq(e->props[i].name, name))
      return true;
  return false;
}

/* name: the slot's. */
static void read_prop(entity *e, const hm_prop *p, hm_str name, hm_value *out) {
  row_reader *r = e->r;
  hm_reading supports = hm_row_slot_reading(r, name, is_bare(e, p) ? e->slot.key : HM_EMPTY);
  r->by.ordered = hm_rules_is_ordered(r->rules, name);
  hm_value_parse_json(out, p->v, supports, &r->by, r->units, r->a);
  if (out->kind != HM_V_NONE || out->silent)
    copy_raw(out, r->a);
  const hm_prop *unit = !(supports & HM_READ_TEXT) && is_main(e, p) ? find_unit(e) : NULL;
  if (unit && hm_value_add_unit(out, hm_str_trim(unit->v->text), r->units, r->a))
    e->unit = unit;
}

void hm_row_read_entity(row_reader *r) {
  const hm_json *object = parse_props(r);
  hm_value main, v;
  if (!object)
    return;
  entity e = { .r = r, .n = object->count, .props = hm_props_collect(object, r->scratch) };
  hm_entity_slot_read(&e.slot, r->snap, r->rules, r->row, e.props, e.n, r->scratch);
  if (!e.slot.type && !e.slot.own)
    r->proto.thing = hm_thing_of_row(r->things, r->snap, r->proto.row);
  if (e.slot.type && e.slot.type->silent)
    return;
  e.main = hm_slot_main_prop(&e.slot, e.props, e.n);
  /* First: what it takes as its unit claims nothing. */
  if (e.main)
    read_prop(&e, e.main, hm_slot_name(r->scratch, &e.slot, HM_EMPTY), &main);
  for (size_t k = 0; k < e.n; k++) {
    const hm_prop *p = &e.props[k];
    if (p->v->type == HM_JSON_STRING && r->rules->story &&
        hm_story_reads_field(r->rules->story, e.slot.key, p->name, r->scratch)) {
      hm_row_read_prose(r, hm_str_dup(r->a, p->v->text), r->row->name, hm_str_dup(r->a, p->v->key),
                        hm_str_dup(r->a, e.slot.key));
      continue;
    }
    if (claims_nothing(&e, p))
      continue;
    hm_str field = is_main(&e, p) ? HM_EMPTY : p->name;
    hm_str name = hm_slot_name(r->a, &e.slot, field);
    if (!name.n)
      continue;
    if (p == e.main)
      v = main;
    else
      read_prop(&e, p, name, &v);
    if (v.kind == HM_V_NONE && !v.silent)
      continue;
    hm_str one = hm_slot_one_name(r->a, field, &v);
    if (!has_property(&e, one)) {
      r->proto.called = name;
      field = one;
      name = hm_slot_name(r->a, &e.slot, field);
    }
    if (hm_str_eq(r->proto.called, name))
      r->proto.called = HM_EMPTY;
    hm_row_add_claim(r, name, hm_str_dup(r->a, p->v->key),
                     hm_claim_compare_key(r->a, &e.slot, field), &v);
    r->proto.called = HM_EMPTY;
  }
}
