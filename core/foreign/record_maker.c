/* Records in the making: record_maker.h. */
#include "core/foreign/record_maker.h"

hm_json *hm_record_add(hm_record_maker *m, const char *key, const hm_json *value) {
  hm_json *v = hm_alloc(m->a, sizeof *v);
  *v = *value;
  v->key = hm_str_c(key);
  v->next = NULL;
  *m->end = v;
  m->end = &v->next;
  m->record->count++;
  return v;
}

void hm_record_add_text(hm_record_maker *m, const char *key, hm_str text, uint32_t at) {
  hm_record_add(m, key, &(hm_json){ .type = HM_JSON_STRING, .text = text, .at = at });
}

void hm_record_add_texts(hm_record_maker *m, const char *key, const hm_str *v, size_t n,
                         uint32_t at) {
  hm_json *texts = hm_alloc_array(m->a, n, sizeof *texts);
  for (size_t i = 0; i < n; i++)
    texts[i] = (hm_json){
      .type = HM_JSON_STRING, .text = v[i], .at = at, .next = i + 1 < n ? &texts[i + 1] : NULL
    };
  hm_record_add(
      m, key, &(hm_json){ .type = HM_JSON_ARRAY, .child = n ? texts : NULL, .count = n, .at = at });
}

hm_record_maker hm_record_begin(hm_arena *a, const char *kind) {
  hm_record_maker m = { .a = a, .record = hm_alloc(a, sizeof *m.record) };
  *m.record = (hm_json){ .type = HM_JSON_OBJECT };
  m.end = &m.record->child;
  hm_record_add_text(&m, "kind", hm_str_c(kind), 1);
  return m;
}
