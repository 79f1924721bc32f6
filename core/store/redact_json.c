#include "core/store/redact_json.h"

#include <string.h>

bool hm_redact_is(const hm_str *refs, size_t n, hm_str ref) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(refs[i], ref)) return true;
  return false;
}

bool hm_redact_stays(const hm_redaction *r, hm_str ref) {
  return hm_redact_is(r->others, r->n_others, ref);
}

/* --- texts ------------------------------------------------------------------ */

/* What is taken out of the texts of one row, or of what is said of it. */
typedef struct { const hm_needles *needles; hm_str mark; hm_arena *a; } cleaning;

static cleaning cleaning_of(const hm_redaction *r, hm_str ref, hm_arena *a) {
  return (cleaning){ hm_redact_is(r->named, r->n_named, ref) ? r->own : r->values, r->mark, a };
}

static bool replace(const cleaning *c, hm_str *text) {
  if (!hm_needles_in(c->needles, *text)) return false;
  *text = hm_needles_replace(c->needles, *text, c->mark, c->a);
  return true;
}

bool hm_redact_member(const hm_redaction *r, hm_str ref, hm_str *value, hm_str *normal,
                      hm_arena *a) {
  cleaning c = cleaning_of(r, ref, a);
  if (hm_redact_stays(r, ref) || !(replace(&c, value) || hm_needles_in(c.needles, *normal)))
    return false;
  *normal = HM_EMPTY;   /* it is folded, and would give away most of it */
  return true;
}

/* --- slots ------------------------------------------------------------------ */

/* The last element is the slot's name. */
static hm_json *name_of(hm_json *key) {
  hm_json *e = key->type == HM_JSON_ARRAY ? key->child : NULL;
  while (e && e->next) e = e->next;
  return e && e != key->child && e->type == HM_JSON_STRING ? e : NULL;
}

bool hm_redact_slot_holds(const hm_redaction *r, hm_str slot_key, hm_arena *a) {
  hm_json *key;
  const hm_json *name = hm_json_parse(a, slot_key, &key, NULL) ? NULL : name_of(key);
  return name && (hm_needles_in(r->names, name->text) || hm_needles_in(r->values, name->text));
}

static bool rename_slot(hm_json *key, hm_str conflict, hm_arena *a) {
  hm_json *name = name_of(key);
  if (name) name->text = hm_str_join(a, (const hm_str[]){ HM_STR("redacted_"), conflict }, 2);
  return name != NULL;
}

hm_str hm_redact_slot_key(hm_str slot_key, hm_str conflict, hm_arena *a) {
  hm_json *key;
  return hm_json_parse(a, slot_key, &key, NULL) == 0 && rename_slot(key, conflict, a)
      ? hm_json_keep(key, a)
      : slot_key;
}

/* --- records ---------------------------------------------------------------- */

/* Keys whose texts people and programs write; the others are ids, times and words of ours. */
static bool holds_texts(hm_str key) {
  static const char *const keys[] = { "content",  "description", "name",      "properties",
                                      "key",      "value",       "source",    "source_refs",
                                      "tags",     "scope",       "slot_rule", "agent",
                                      "category", "resolution",  "as_stored", "aliases" };
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (hm_str_is(key, keys[i])) return true;
  return false;
}

/* Depth is bounded by the parser. */
static bool replace_below(const cleaning *c, hm_json *v) {
  bool changed = false;
  if (v->type == HM_JSON_STRING) return replace(c, &v->text);
  if (v->type == HM_JSON_NUMBER && hm_needles_are(c->needles, v->text)) {
    v->type = HM_JSON_STRING;
    v->text = c->mark;
    return true;
  }
  for (hm_json *e = v->child; e; e = e->next) changed |= replace_below(c, e);
  return changed;
}

static hm_str *text_at(hm_json *object, const char *key) {
  for (hm_json *c = object->child; c; c = c->next)
    if (c->type == HM_JSON_STRING && hm_str_is(c->key, key)) return &c->text;
  return NULL;
}

static bool replace_members(const hm_redaction *r, hm_json *members, hm_arena *a) {
  bool changed = false;
  for (hm_json *m = members->child; m; m = m->next) {
    hm_str nothing = HM_EMPTY, *kind = text_at(m, "member_kind"), *id = text_at(m, "member_id");
    hm_str *value = text_at(m, "value"), *normal = text_at(m, "normal");
    hm_str ref =
        kind && id ? hm_str_join(a, (const hm_str[]){ *kind, HM_STR(":"), *id }, 3) : HM_EMPTY;
    changed |= hm_redact_member(r, ref, value ? value : &nothing, normal ? normal : &nothing, a);
  }
  return changed;
}

static bool replace_in_record(const hm_redaction *r, hm_str ref, hm_json *record, hm_arena *a) {
  bool changed = false;
  hm_str conflict = hm_str_starts(ref, "conflict:") ? hm_str_sub(ref, 9, ref.n) : HM_EMPTY;
  cleaning c = cleaning_of(r, ref, a);
  for (hm_json *f = record->child; f; f = f->next) {
    if (holds_texts(f->key)) changed |= replace_below(&c, f);
    else if (hm_str_is(f->key, "members")) changed |= replace_members(r, f, a);
    else if (hm_str_is(f->key, "slot_key") && hm_redact_is(r->renamed, r->n_renamed, conflict))
      changed |= rename_slot(f, conflict, a);
  }
  return changed;
}

bool hm_redact_record(const hm_redaction *r, hm_str ref, hm_str *json, hm_arena *a) {
  hm_json *v;
  if (!json->n || hm_redact_stays(r, ref)) return false;
  if (hm_json_parse(a, *json, &v, NULL) || v->type != HM_JSON_OBJECT) {
    cleaning c = cleaning_of(r, ref, a);
    if (!hm_needles_in(c.needles, *json)) return false;
    *json = r->mark;
    return true;
  }
  if (!replace_in_record(r, ref, v, a)) return false;
  *json = hm_json_keep(v, a);
  return true;
}

bool hm_redact_text(const hm_redaction *r, bool json, hm_str *text, hm_arena *a) {
  cleaning c = { r->own, r->mark, a };
  hm_json *v;
  if (!json || hm_json_parse(a, *text, &v, NULL)) return replace(&c, text);
  if (!replace_below(&c, v)) return false;
  *text = hm_json_keep(v, a);
  return true;
}

/* --- looking only ------------------------------------------------------------- */

static bool held_below(const hm_needles *values, const hm_json *v) {
  if (v->type == HM_JSON_STRING && hm_needles_in(values, v->text)) return true;
  if (v->type == HM_JSON_NUMBER && hm_needles_are(values, v->text)) return true;
  for (const hm_json *c = v->child; c; c = c->next)
    if (held_below(values, c)) return true;
  return false;
}

bool hm_redact_json_holds(const hm_needles *values, hm_str json, hm_arena *a) {
  hm_json *v;
  if (!json.n) return false;
  if (hm_json_parse(a, json, &v, NULL)) return hm_needles_in(values, json);
  return held_below(values, v);
}
