/* Records in the making: record_maker.h. */
#include "core/foreign/record_maker.h"

#include <stdlib.h>

#include "core/base/time.h"

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

static const hm_json *first_member(const hm_json *object, const char *const *names) {
  for (; *names; names++) {
    const hm_json *v = hm_json_get(object, *names);
    if (v && v->type != HM_JSON_NULL)
      return v;
  }
  return NULL;
}

bool hm_record_take(hm_record_maker *m, const hm_json *object, const char *const *theirs,
                    const char *ours) {
  const hm_json *v = first_member(object, theirs);
  if (v)
    hm_record_add(m, ours, v);
  return v != NULL;
}

int hm_record_take_time(hm_record_maker *m, const hm_record_place *place, const hm_json *object,
                        const char *const *theirs, const char *ours) {
  static const double MS_SINCE = 1e11, LAST = 253402300799e3; /* the years 5138 and 9999 */
  const hm_json *v = first_member(object, theirs);
  hm_time t;
  hm_precision p;
  if (!v || (v->type == HM_JSON_STRING && !v->text.n))
    return 0;
  if (v->type == HM_JSON_STRING && hm_time_parse(v->text, &t, &p)) {
    hm_record_add(m, ours, v);
    return 0;
  }
  double n = v->type == HM_JSON_NUMBER ? strtod(hm_str_z(m->a, v->text), NULL) : -1;
  if (!(n >= 0 && n <= LAST))
    return hm_record_bad(place, hm_str_z(m->a, v->key), "no time", "write 2026-04-30T12:00:00Z");
  hm_time ms = (hm_time)(n > MS_SINCE ? n : n * 1000);
  hm_record_add_text(m, ours, hm_time_iso(m->a, ms * 1000), v->at);
  return 0;
}

hm_json *hm_record_parse_line(hm_record_place *place, hm_str line, hm_arena *a) {
  hm_json *v;
  place->text = line;
  if (!hm_json_parse(a, line, &v, place->err))
    return v;
  hm_record_error(place, HM_EMPTY);
  return NULL;
}
