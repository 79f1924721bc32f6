#include "core/claim/slot.h"

#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/claim/claim.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

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
  for (size_t i = 0; i < COUNT(types); i++)
    if (hm_str_is(key, types[i].key)) return &types[i];
  return NULL;
}

/* What no person wrote is cut, for it stands in the name of every field of its row. */
static hm_str bounded(hm_arena *a, hm_str name) {
  enum { PART_MAX = 512, KEPT = 448 };
  if (name.n <= PART_MAX) return name;
  hm_str kept = hm_text_cut(name, KEPT), digest = hm_digest_hex(a, name, 16);
  return hm_str_fmt(a, "%.*s_%.*s", HM_FMT(kept), HM_FMT(digest));
}

hm_str hm_slot_part(hm_arena *a, hm_str s) { return bounded(a, hm_text_name(a, s)); }

hm_str hm_entity_type_key(hm_arena *a, hm_str type) {
  hm_str name = hm_text_name(a, type);
  if (!name.n || !memchr(name.p, '_', name.n)) return bounded(a, name);
  char *p = hm_alloc(a, name.n);
  size_t n = 0;
  for (size_t i = 0; i < name.n; i++)
    if (name.p[i] != '_') p[n++] = name.p[i];
  return bounded(a, (hm_str){ p, n });
}

static bool is_element(hm_str name, const char *base) {
  if (!name.n || name.p[0] != *base || !hm_str_starts(name, base))
    return false; /* most differ in the first letter */
  hm_str rest = hm_str_sub(name, strlen(base), name.n);
  for (size_t i = 0; i < COUNT(suffixes); i++)
    if (hm_str_is(rest, suffixes[i])) return true;
  return false;
}

bool hm_slot_is_element(const hm_slot *s, hm_str name) {
  for (size_t i = 0; s->type && i < HM_ELEMENTS_MAX && s->type->elements[i]; i++)
    if (is_element(name, s->type->elements[i])) return true;
  return false;
}

static hm_str scalar_text(const hm_json *v) {
  switch (v->type) {
    case HM_JSON_STRING: case HM_JSON_NUMBER: return hm_str_trim(v->text);
    case HM_JSON_TRUE: return HM_STR("true");
    case HM_JSON_FALSE: return HM_STR("false");
    default: return HM_EMPTY;
  }
}

/* X, else X_id, else X_name. */
static hm_str find_element(const char *base, const hm_prop *props, size_t n) {
  size_t len = strlen(base);
  for (size_t k = 0; k < COUNT(suffixes); k++)
    for (size_t i = 0; i < n; i++) {
      if (!props[i].name.n || props[i].name.p[0] != *base || !hm_str_starts(props[i].name, base))
        continue;
      if (!hm_str_is(hm_str_sub(props[i].name, len, props[i].name.n), suffixes[k])) continue;
      hm_str s = scalar_text(props[i].v);
      if (s.n) return s;
    }
  return HM_EMPTY;
}

/* The id that an element's text is, if it is one. */
static hm_str id_of(hm_str s) {
  return hm_str_starts(s, "entity:") ? hm_str_sub(s, sizeof "entity:" - 1, s.n) : s;
}

size_t hm_slot_ids(const hm_entity_type *type, const hm_prop *props, size_t n,
                   hm_str ids[HM_ELEMENTS_MAX]) {
  size_t n_ids = 0;
  for (size_t i = 0; i < HM_ELEMENTS_MAX && type->elements[i]; i++) {
    hm_str s = find_element(type->elements[i], props, n);
    if (s.n) ids[n_ids++] = id_of(s);
  }
  return n_ids;
}

/* The name of the entity of that project that s is the id of, else s. */
static hm_str resolve(const hm_snapshot *snap, const hm_row *row, hm_str s) {
  uint32_t at = hm_snapshot_row(snap, HM_ENTITY, id_of(s));
  if (at == HM_MAP_NONE || snap->rows[at].project != row->project || !snap->rows[at].name.n)
    return s;
  return snap->rows[at].name;
}

static hm_str folded_element(const hm_snapshot *snap, const hm_row *row, hm_str s, hm_arena *a) {
  return s.n ? hm_slot_part(a, resolve(snap, row, s)) : HM_EMPTY;
}

void hm_slot_read(hm_slot *out, const hm_snapshot *snap, const hm_row *row, const hm_prop *props,
                  size_t n, hm_arena *a) {
  *out = (hm_slot){ .key = hm_entity_type_key(a, row->type) };
  out->type = hm_entity_type_find(out->key);
  if (!out->type) {
    out->parts[out->n_parts++] = hm_slot_part(a, row->type);
    out->parts[out->n_parts++] = hm_slot_part(a, row->name);
    return;
  }
  for (size_t i = 0; i < HM_ELEMENTS_MAX && out->type->elements[i]; i++)
    out->parts[out->n_parts++] =
        folded_element(snap, row, find_element(out->type->elements[i], props, n), a);
  if (out->n_parts && !out->parts[out->n_parts - 1].n)
    out->parts[out->n_parts - 1] = hm_slot_part(a, row->name);
}

static char *put(char *at, hm_str s) {
  return s.n ? (char *)mempcpy(at, s.p, s.n) : at;
}

static size_t room_for(const hm_slot *s, hm_str field) {
  size_t n = s->key.n + field.n + HM_ELEMENTS_MAX + 2;
  for (size_t i = 0; i < s->n_parts; i++) n += s->parts[i].n;
  return n;
}

hm_str hm_slot_name(hm_arena *a, const hm_slot *s, hm_str field) {
  char *p = hm_alloc(a, room_for(s, field)), *at = p;
  for (size_t i = 0; i <= s->n_parts; i++) {
    hm_str part = i < s->n_parts ? s->parts[i] : field;
    if (!part.n) continue;
    if (at > p) *at++ = '_';
    at = put(at, part);
  }
  return (hm_str){ p, (size_t)(at - p) };
}

hm_str hm_slot_compare(hm_arena *a, const hm_slot *s, hm_str field) {
  enum { UNIT_SEPARATOR = 0x1f };
  char *p = hm_alloc(a, room_for(s, field)), *at = put(p, s->key);
  for (size_t i = 0; i <= s->n_parts; i++) {
    *at++ = UNIT_SEPARATOR;
    at = put(at, i < s->n_parts ? s->parts[i] : field);
  }
  return (hm_str){ p, (size_t)(at - p) };
}

/* Null, "" and [] are not there. */
static bool is_there(const hm_json *v) {
  if (v->type == HM_JSON_STRING) return hm_str_trim(v->text).n > 0;
  return v->type != HM_JSON_NULL && !(v->type == HM_JSON_ARRAY && !v->count);
}

const hm_prop *hm_slot_main(const hm_slot *s, const hm_prop *props, size_t n) {
  for (size_t k = 0; s->type && k < COUNT(s->type->main) && s->type->main[k]; k++)
    for (size_t i = 0; i < n; i++)
      if (hm_str_is(props[i].name, s->type->main[k]) && is_there(props[i].v)) return &props[i];
  return NULL;
}

bool hm_prop_says_part_of(hm_str name) {
  static const char *const names[] = { "subsystem", "subsystem_id", "subsystem_name",   "parent",
                                       "parent_id", "parent_name",  "parent_subsystem", "part_of" };
  for (size_t i = 0; i < COUNT(names); i++)
    if (hm_str_is(name, names[i])) return true;
  return false;
}

static bool matches(hm_str name, hm_str rule) {
  if (!rule.n || rule.p[rule.n - 1] != '*') return hm_str_eq(name, rule);
  return name.n >= rule.n - 1 && memcmp(name.p, rule.p, rule.n - 1) == 0;
}

bool hm_rules_is_prose(const hm_rules *r, hm_str name) {
  for (size_t i = 0; i < r->n_prose; i++)
    if (matches(name, r->prose[i])) return true;
  return false;
}

bool hm_rules_as_text(const hm_rules *r, hm_str slot_name) {
  const char *last = slot_name.n ? memrchr(slot_name.p, '_', slot_name.n) : NULL;
  hm_str word =
      last ? hm_str_sub(slot_name, (size_t)(last - slot_name.p) + 1, slot_name.n) : slot_name;
  for (size_t i = 0; i < r->n_text_fields; i++)
    if (hm_str_eq(word, r->text_fields[i])) return true;
  return false;
}
