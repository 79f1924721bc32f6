#include "core/claim/depends.h"

#include "core/base/text.h"
#include "core/claim/claim.h"

size_t hm_depends_on_ids(const hm_row *entity, hm_str ids[HM_ELEMENTS_MAX], hm_arena *a) {
  const hm_entity_type *type = hm_entity_type_find(hm_entity_type_key(a, entity->type));
  hm_json *object = NULL;
  if (!type || type->silent || !type->elements[0]) return 0;
  if (hm_json_parse(a, hm_str_trim(entity->props), &object, NULL) || object->type != HM_JSON_OBJECT) return 0;
  hm_prop *props = hm_alloc_array(a, object->count, sizeof *props);
  size_t n = 0;
  for (const hm_json *v = object->child; v; v = v->next) props[n++] = (hm_prop){ hm_text_name(a, v->key), v };
  return hm_slot_ids(type, props, n, ids);
}

hm_str hm_depends_on_type(const hm_row *row, hm_arena *a) {
  if (row->layer != HM_ENTITY && row->layer != HM_STATE) return HM_EMPTY;
  hm_str key = hm_entity_type_key(a, row->type);
  return hm_entity_type_find(key) ? HM_EMPTY : key;
}
