#include "core/claim/depends.h"

#include "core/base/text.h"
#include "core/claim/claim.h"
#include "core/claim/memory.h"

size_t hm_depends_on_ids(const hm_row *entity, hm_str ids[HM_ELEMENTS_MAX], hm_arena *a) {
  const hm_entity_type *type = hm_entity_type_find(hm_entity_type_key(a, entity->type));
  hm_json *object = NULL;
  if (!type || type->silent || !type->elements[0]) return 0;
  if (hm_json_parse(a, hm_str_trim(entity->props), &object, NULL) || object->type != HM_JSON_OBJECT)
    return 0;
  hm_prop *props = hm_alloc_array(a, object->count, sizeof *props);
  size_t n = 0;
  for (const hm_json *v = object->child; v; v = v->next)
    props[n++] = (hm_prop){ hm_text_name(a, v->key), v };
  return hm_slot_ids(type, props, n, ids);
}

hm_str hm_depends_on_type(const hm_row *row, hm_arena *a) {
  if (row->layer != HM_ENTITY && row->layer != HM_STATE) return HM_EMPTY;
  hm_str key = hm_entity_type_key(a, row->type);
  return hm_entity_type_find(key) ? HM_EMPTY : key;
}

typedef struct { void (*each)(void *ctx, hm_str id); void *ctx; } telling;

static void tell_text(const telling *t, hm_str text) {
  hm_str id = hm_value_id(text);
  if (id.n) t->each(t->ctx, id);
}

/* Strings of a value, of a list, of the members of an object; as deep as the parser goes. */
static void tell_json(const telling *t, const hm_json *v) {
  if (v->type == HM_JSON_STRING) tell_text(t, v->text);
  if (v->type != HM_JSON_ARRAY && v->type != HM_JSON_OBJECT) return;
  for (const hm_json *i = v->child; i; i = i->next) tell_json(t, i);
}

void hm_depends_on_values(const hm_row *row, void (*each)(void *ctx, hm_str id), void *ctx,
                          hm_arena *a) {
  telling t = { each, ctx };
  hm_json *v = NULL;
  hm_memory_claim m;
  switch (row->layer) {
    case HM_MEMORY:
      hm_memory_read(&m, row, a);
      if (!m.own_space) tell_text(&t, m.value);
      break;
    case HM_ENTITY:
      if (row->props.n && !hm_json_parse(a, hm_str_trim(row->props), &v, NULL)) tell_json(&t, v);
      break;
    case HM_STATE:
      if (!row->value_is_json) tell_text(&t, row->text);
      else if (!hm_json_parse(a, row->text, &v, NULL)) tell_json(&t, v);
      break;
    default: break;
  }
}
