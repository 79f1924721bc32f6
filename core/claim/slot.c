/* Slots: what an entity of each type is about, how slots are named, and on which other rows those
 * names depend.
 *
 * A slot's name is the folded elements of its type, then the field unless it is the main one,
 * joined by '_'. The table below has the types of the specification; a type that a store brings has
 * the slot (type, name), or (type, elements) where the config says them. All functions are pure and
 * linear in the bytes of a row. Source: design section 6, "Name of an entity claim". */
#include "core/claim/slot.h"

#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/claim/memory.h"
#include "core/prose/attribute_names.h"
#include "core/value/value.h"

static const hm_entity_type types[] = {
  { "project", { NULL }, { NULL }, false, false },
  { "subsystem", { "subsystem" }, { NULL }, false, false },
  { "component", { "subsystem", "component" }, { NULL }, false, false },
  { "requirement", { "requirement_key" }, { "limit", "text" }, false, false },
  { "constraint", { "constraint_target", "constraint_kind" }, { "limit", "value" }, false, false },
  { "decision", { "decision_target", "decision_field" }, { "value" }, true, false },
  { "material", { "component" }, { "material" }, false, false },
  { "parameter", { "parameter_scope", "parameter" }, { "value" }, false, false },
  { "analysismodel", { "subsystem", "model" }, { NULL }, false, false },
  { "result", { "analysis_model", "result_key" }, { "value" }, false, false },
  { "validationclaim", { "claim_key" }, { NULL }, false, false },
  { "artifact", { NULL }, { NULL }, false, true },
};

static const char *const suffixes[] = { "", "_id", "_name" };

const hm_entity_type *hm_entity_type_find(hm_str key) {
  for (size_t i = 0; i < HM_COUNT(types); i++)
    if (hm_str_is(key, types[i].key))
      return &types[i];
  return NULL;
}

/* What no person wrote is cut, for it stands in the name of every field of its row. */
static hm_str cut_part(hm_arena *a, hm_str name) {
  enum { PART_MAX = 512, KEPT = 448 };
  if (name.n <= PART_MAX)
    return name;
  hm_str kept = hm_text_cut(name, KEPT), digest = hm_str_digest_hex(a, name, 16);
  return hm_str_fmt(a, "%.*s_%.*s", HM_FMT(kept), HM_FMT(digest));
}

hm_str hm_slot_shorten_part(hm_arena *a, hm_str s) {
  return cut_part(a, hm_text_refold_name(a, s));
}

hm_str hm_entity_type_key(hm_arena *a, hm_str type) {
  hm_str name = hm_text_fold_name(a, type);
  if (!name.n || !memchr(name.p, '_', name.n))
    return cut_part(a, name);
  char *p = hm_alloc(a, name.n);
  size_t n = 0;
  for (size_t i = 0; i < name.n; i++)
    if (name.p[i] != '_')
      p[n++] = name.p[i];
  return cut_part(a, (hm_str){ p, n });
}

/* The index of the suffix that follows base in name; HM_COUNT(suffixes) for any other name. */
static size_t suffix_behind(hm_str name, hm_str base) {
  size_t k = 0;
  if (name.n < base.n || !base.n || name.p[0] != *base.p || memcmp(name.p, base.p, base.n) != 0)
    return HM_COUNT(suffixes); /* most differ in the first letter */
  hm_str rest = hm_str_sub(name, base.n, name.n);
  while (k < HM_COUNT(suffixes) && !hm_str_is(rest, suffixes[k]))
    k++;
  return k;
}

bool hm_slot_is_element(const hm_entity_slot *s, hm_str name) {
  for (size_t i = 0; s->type && i < HM_ELEMENTS_MAX && s->type->elements[i]; i++)
    if (suffix_behind(name, hm_str_c(s->type->elements[i])) < HM_COUNT(suffixes))
      return true;
  for (size_t i = 0; s->own && i < s->own->n; i++)
    if (suffix_behind(name, s->own->elements[i]) < HM_COUNT(suffixes))
      return true;
  return false;
}

const hm_prop *hm_props_collect(const hm_json *object, hm_arena *a) {
  hm_prop *props = hm_alloc_array(a, object->count, sizeof *props), *p = props;
  for (const hm_json *v = object->child; v; v = v->next)
    *p++ = (hm_prop){ hm_text_refold_name(a, v->key), v };
  return props;
}

static hm_str scalar_text(const hm_json *v) {
  switch (v->type) {
    case HM_JSON_STRING:
    case HM_JSON_NUMBER:
      return hm_str_trim(v->text);
    case HM_JSON_TRUE:
      return HM_STR("true");
    case HM_JSON_FALSE:
      return HM_STR("false");
    default:
      return HM_EMPTY;
  }
}

/* X, else X_id, else X_name. */
static hm_str find_element(hm_str base, const hm_prop *props, size_t n) {
  size_t best = HM_COUNT(suffixes);
  hm_str found = HM_EMPTY;
  for (size_t i = 0; i < n; i++) {
    size_t k = suffix_behind(props[i].name, base);
    hm_str s = k < best ? scalar_text(props[i].v) : HM_EMPTY;
    if (!s.n)
      continue;
    best = k;
    found = s;
  }
  return found;
}

/* The id that an element's text is, if it is one. */
static hm_str id_of_element(hm_str s) {
  return hm_str_starts(s, "entity:") ? hm_str_sub(s, sizeof "entity:" - 1, s.n) : s;
}

/* An element that is the id of an entity of the project stands for that entity's name. */
static hm_str element_part(const hm_snapshot *snap, const hm_row *row, hm_str s, hm_arena *a) {
  if (!s.n)
    return HM_EMPTY;
  const hm_row *named = hm_snapshot_find_entity(snap, id_of_element(s));
  return hm_slot_shorten_part(
      a, named && named->project == row->project && named->name.n ? named->name : s);
}

void hm_entity_slot_read(hm_entity_slot *out, const hm_snapshot *snap, const hm_rules *rules,
                         const hm_row *row, const hm_prop *props, size_t n, hm_arena *a) {
  *out = (hm_entity_slot){ .key = hm_entity_type_key(a, row->type) };
  out->type = hm_entity_type_find(out->key);
  if (!out->type) {
    out->own = hm_rules_type_slot(rules, out->key);
    out->parts[out->n_parts++] = hm_slot_shorten_part(a, row->type);
  }
  if (!out->type && !out->own) {
    out->parts[out->n_parts++] = hm_slot_shorten_part(a, row->name);
    return;
  }
  for (size_t i = 0; out->own && i < out->own->n; i++) {
    bool is_name = hm_str_is(out->own->elements[i], "name");
    hm_str s = is_name ? row->name : find_element(out->own->elements[i], props, n);
    out->parts[out->n_parts++] = element_part(snap, row, s, a);
  }
  for (size_t i = 0; out->type && i < HM_ELEMENTS_MAX && out->type->elements[i]; i++)
    out->parts[out->n_parts++] =
        element_part(snap, row, find_element(hm_str_c(out->type->elements[i]), props, n), a);
  if (out->n_parts && !out->parts[out->n_parts - 1].n)
    out->parts[out->n_parts - 1] = hm_slot_shorten_part(a, row->name);
}

static char *append_part(char *at, hm_str s) { return s.n ? (char *)mempcpy(at, s.p, s.n) : at; }

static size_t room_for(const hm_entity_slot *s, hm_str field) {
  size_t n = s->key.n + field.n + HM_ELEMENTS_MAX + 3;
  for (size_t i = 0; i < s->n_parts; i++)
    n += s->parts[i].n;
  return n;
}

hm_str hm_slot_name(hm_arena *a, const hm_entity_slot *s, hm_str field) {
  char *p = hm_alloc(a, room_for(s, field)), *at = p;
  for (size_t i = 0; i <= s->n_parts; i++) {
    hm_str part = i < s->n_parts ? s->parts[i] : field;
    if (!part.n)
      continue;
    if (at > p)
      *at++ = '_';
    at = append_part(at, part);
  }
  return (hm_str){ p, (size_t)(at - p) };
}

hm_str hm_claim_compare_key(hm_arena *a, const hm_entity_slot *s, hm_str field) {
  enum { UNIT_SEPARATOR = 0x1f };
  char *p = hm_alloc(a, room_for(s, field)), *at = append_part(p, s->key);
  for (size_t i = 0; i <= s->n_parts; i++) {
    *at++ = UNIT_SEPARATOR;
    at = append_part(at, i < s->n_parts ? s->parts[i] : field);
  }
  return (hm_str){ p, (size_t)(at - p) };
}

/* Null, "" and [] are not there. */
static bool has_value(const hm_json *v) {
  if (v->type == HM_JSON_STRING)
    return hm_str_trim(v->text).n > 0;
  return v->type != HM_JSON_NULL && !(v->type == HM_JSON_ARRAY && !v->count);
}

const hm_prop *hm_slot_main_prop(const hm_entity_slot *s, const hm_prop *props, size_t n) {
  for (size_t k = 0; s->type && k < HM_COUNT(s->type->main) && s->type->main[k]; k++)
    for (size_t i = 0; i < n; i++)
      if (hm_str_is(props[i].name, s->type->main[k]) && has_value(props[i].v))
        return &props[i];
  return NULL;
}

bool hm_prop_says_part_of(hm_str name) {
  static const char *const names[] = { "subsystem", "subsystem_id", "subsystem_name",   "parent",
                                       "parent_id", "parent_name",  "parent_subsystem", "part_of" };
  for (size_t i = 0; i < HM_COUNT(names); i++)
    if (hm_str_is(name, names[i]))
      return true;
  return false;
}

bool hm_prop_may_be_value(hm_str name) {
  bool named = hm_str_is(name, "unit") || hm_str_is(name, "units") || hm_str_is(name, "name") ||
      hm_rules_is_prose(hm_rules_default(), name);
  for (size_t i = 0; i < HM_COUNT(types) && !named; i++)
    for (size_t k = 0; k < HM_ELEMENTS_MAX && types[i].elements[k] && !named; k++)
      named = suffix_behind(name, hm_str_c(types[i].elements[k])) < HM_COUNT(suffixes);
  return !named;
}

/* Words other than these say nothing; properties without such a name are not parsed. */
hm_str hm_props_claim_kind(hm_str props, hm_arena *scratch) {
  static const char *const kinds[] = { "prophetic", "subjective" };
  bool may = hm_str_find(props, "laim") >= 0 || hm_str_find(props, "LAIM") >= 0 ||
      hm_str_find(props, "\\") >= 0;
  const hm_json *object =
      may ? hm_json_parse_as(scratch, hm_str_trim(props), HM_JSON_OBJECT) : NULL;
  for (const hm_json *p = object ? object->child : NULL; p; p = p->next) {
    if (p->type != HM_JSON_STRING || !hm_str_is(hm_text_fold_name(scratch, p->key), "claim_kind"))
      continue;
    hm_str said = hm_text_fold_name(scratch, p->text);
    for (size_t i = 0; i < HM_COUNT(kinds); i++)
      if (hm_str_is(said, kinds[i]))
        return hm_str_c(kinds[i]);
  }
  return HM_EMPTY;
}

/* --- keys of slots ------------------------------------------------------------- */

void hm_called_add(hm_called *c, hm_str called, hm_str own) {
  hm_str name = called.n ? called : own;
  size_t at = 0;
  while (at < c->n && hm_str_cmp(c->names[at], name) < 0)
    at++;
  if (at < c->n && hm_str_eq(c->names[at], name))
    return;
  bool full = c->n == HM_CALLED_MAX;
  c->more |= full;
  if (at == HM_CALLED_MAX)
    return;
  for (size_t i = full ? c->n - 1 : c->n++; i > at; i--)
    c->names[i] = c->names[i - 1];
  c->names[at] = name;
}

hm_str hm_called_join(const hm_called *c, hm_str own, hm_arena *a) {
  hm_buf b = { 0 };
  if (!c->n || (c->n == 1 && hm_str_eq(c->names[0], own)))
    return HM_EMPTY;
  for (size_t i = 0; i < c->n; i++) {
    hm_buf_c(&b, i ? ", " : "");
    hm_buf_str(&b, c->names[i]);
  }
  hm_buf_c(&b, c->more ? ", …" : "");
  return hm_buf_take(&b, a);
}

hm_str hm_slot_title(hm_arena *a, hm_str slot_key, hm_str called) {
  const hm_json *key = hm_json_parse_as(a, slot_key, HM_JSON_ARRAY);
  if (!key)
    return slot_key;
  hm_buf b = { 0 };
  size_t i = 0;
  for (const hm_json *e = key->child; e; e = e->next, i++) {
    if (i)
      hm_buf_c(&b, i == 1 ? " / " : ": ");
    if (e->type == HM_JSON_NULL)
      hm_buf_c(&b, "(name withheld)");
    else if (called.n && i && !e->next)
      hm_buf_str(&b, called);
    else
      hm_buf_str(&b, e->text.n || i ? e->text : HM_STR("global"));
  }
  return hm_buf_take(&b, a);
}

hm_str hm_slot_drop_redundant_word(hm_str name) {
  static const struct {
    hm_str noun, kind;
  } said[] = {
    { { "cladding", 8 }, { "_material", 9 } },  { { "coating", 7 }, { "_material", 9 } },
    { { "firmware", 8 }, { "_version", 8 } },   { { "plating", 7 }, { "_material", 9 } },
    { { "substrate", 9 }, { "_material", 9 } },
  };
  for (size_t i = 0; i < HM_COUNT(said); i++) {
    size_t cut = name.n - said[i].kind.n, noun = said[i].noun.n;
    if (name.n < noun + said[i].kind.n ||
        memcmp(name.p + cut, said[i].kind.p, said[i].kind.n) != 0 ||
        memcmp(name.p + cut - noun, said[i].noun.p, noun) != 0)
      continue;
    if (cut > noun + 1 && name.p[cut - noun - 1] == '_')
      return hm_str_sub(name, 0, cut);
  }
  return name;
}

hm_str hm_slot_one_name(hm_arena *a, hm_str name, const hm_value *v) {
  bool seconds = v->kind == HM_V_NUMBER && hm_str_ends(name, "ttl");
  bool time = seconds || (v->kind == HM_V_QUANTITY && hm_str_is(v->base, "s"));
  hm_attribute_of of = time ? HM_OF_TIME : v->kind == HM_V_DATE ? HM_OF_DAY : HM_OF_OTHER;
  return hm_attribute_one_name(a, hm_slot_drop_redundant_word(name), of);
}

/* --- what a slot depends on besides its row ------------------------------------------ */

size_t hm_claim_input_ids(const hm_row *entity, hm_str ids[HM_ELEMENTS_MAX], hm_arena *a) {
  const hm_entity_type *type = hm_entity_type_find(hm_entity_type_key(a, entity->type));
  if (!type || type->silent || !type->elements[0])
    return 0;
  const hm_json *object = hm_json_parse_as(a, hm_str_trim(entity->props), HM_JSON_OBJECT);
  if (!object)
    return 0;
  const hm_prop *props = hm_props_collect(object, a);
  size_t n = 0;
  for (size_t i = 0; i < HM_ELEMENTS_MAX && type->elements[i]; i++) {
    hm_str s = find_element(hm_str_c(type->elements[i]), props, object->count);
    if (s.n)
      ids[n++] = id_of_element(s);
  }
  return n;
}

/* --- what values depend on besides their row ------------------------------------------------- */

/* On the entities whose ids stand in the row: such a value is read as the name of the entity. */
