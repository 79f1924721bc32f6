#include "core/claim/silence.h"

#include <stdlib.h>

typedef struct { hm_map seen; hm_silence_type *v; size_t cap; hm_arena *a; } types;

/* Rows come by layer and often alike: the last type is mostly the one. */
static hm_silence_type *type_of(types *t, hm_silence *out, hm_str type) {
  uint32_t i = hm_map_add(&t->seen, type, (uint32_t)out->n);
  if (i < out->n) return &out->types[i];
  if (out->n == t->cap) {
    hm_silence_type *more = hm_alloc_array(t->a, t->cap = 2 * t->cap + 16, sizeof *more);
    if (out->n) memcpy(more, out->types, out->n * sizeof *more);
    out->types = more;
  }
  out->types[out->n] = (hm_silence_type){ .type = type };
  return &out->types[out->n++];
}

static int by_type(const void *x, const void *y) {
  return hm_str_cmp(((const hm_silence_type *)x)->type, ((const hm_silence_type *)y)->type);
}

void hm_silence_of(const hm_snapshot *snap, const hm_claims *claims, hm_arena *a, hm_silence *out) {
  types t = { .a = a };
  *out = (hm_silence){ 0 };
  hm_map_init(&t.seen, a, 16);
  for (size_t i = 0; i < snap->n_rows; i++) {
    const hm_row *row = &snap->rows[i];
    if (row->status != HM_ACTIVE || row->layer > HM_STATE) continue;
    out->active[row->layer]++;
    out->silent[row->layer] += !claims->speaks[i];
    if (row->layer != HM_MEMORY) continue;
    hm_silence_type *type = type_of(&t, out, row->type);
    type->active++;
    type->silent += !claims->speaks[i];
  }
  if (out->n) qsort(out->types, out->n, sizeof *out->types, by_type);
}

bool hm_silence_is_notable(const hm_silence *s) {
  return s->active[HM_MEMORY] >= 10 && 10 * s->silent[HM_MEMORY] > 9 * s->active[HM_MEMORY];
}

void hm_silence_json(hm_jw *w, const hm_silence *s) {
  hm_jw_obj(w, "silent");
  for (hm_layer l = HM_MEMORY; l <= HM_STATE; l++) {
    hm_jw_obj(w, hm_layer_kind(l));
    hm_jw_int(w, "active", s->active[l]);
    hm_jw_int(w, "silent", s->silent[l]);
    if (l == HM_MEMORY) hm_jw_arr(w, "types");
    for (size_t i = 0; i < s->n && l == HM_MEMORY; i++) {
      hm_jw_obj(w, NULL);
      hm_jw_str(w, "type", s->types[i].type);
      hm_jw_int(w, "active", s->types[i].active);
      hm_jw_int(w, "silent", s->types[i].silent);
      hm_jw_end(w);
    }
    if (l == HM_MEMORY) hm_jw_end(w);
    hm_jw_end(w);
  }
  hm_jw_end(w);
}
