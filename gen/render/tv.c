#include "gen/render/tv.h"

#include <string.h>

hm_key hm_key_of(hm_str s) {
  uint32_t first = 0;
  if (s.n >= 4) memcpy(&first, s.p, 4);   /* of a fixed size: no call */
  else for (size_t i = 0; i < s.n; i++) first |= (uint32_t)(unsigned char)s.p[i] << 8 * i;
  return (hm_key){ s, (uint64_t)s.n << 32 | first };
}

static hm_tv *make(hm_arena *a, hm_tv_kind kind) {
  hm_tv *v = hm_alloc(a, sizeof *v);
  v->kind = (uint8_t)kind;
  v->a = a;
  return v;
}

hm_tv *hm_tv_obj(hm_arena *a) { return make(a, HM_TV_OBJ); }

hm_tv *hm_tv_list(hm_arena *a) { return make(a, HM_TV_LIST); }

hm_tv *hm_tv_bool(hm_arena *a, bool yes) {
  hm_tv *v = make(a, HM_TV_BOOL);
  v->yes = yes;
  return v;
}

hm_tv *hm_tv_text(hm_arena *a, hm_str s, hm_place place) {
  hm_tv *v = make(a, HM_TV_TEXT);
  v->place = (uint8_t)place;
  v->text = s;
  return v;
}

hm_tv *hm_tv_raw(hm_arena *a, hm_str s) {
  hm_tv *v = make(a, HM_TV_RAW);
  v->text = s;
  return v;
}

static bool same_key(const hm_key *a, const hm_key *b) {
  return a->tag == b->tag && (a->s.n <= 4 || memcmp(a->s.p + 4, b->s.p + 4, a->s.n - 4) == 0);
}

static hm_field *find(const hm_tv *obj, const hm_key *key) {
  for (uint32_t i = 0; i < obj->n; i++)
    if (same_key(&obj->fields[i].key, key)) return &obj->fields[i];
  return NULL;
}

/* A copy of the n elements at p with room for twice as many. */
static void *grown(hm_tv *v, const void *p, size_t size) {
  uint32_t cap = v->cap ? v->cap * 2 : 8;
  void *q = hm_alloc_array(v->a, cap, size);
  if (v->n) memcpy(q, p, v->n * size);
  v->cap = cap;
  return q;
}

hm_tv *hm_tv_set(hm_tv *obj, const char *key, hm_tv *v) {
  hm_key k = hm_key_of(hm_str_c(key));
  hm_field *f = find(obj, &k);
  if (!f) {
    if (obj->n == obj->cap) obj->fields = grown(obj, obj->fields, sizeof *f);
    f = &obj->fields[obj->n++];
    f->key = k;
  }
  f->value = v;
  return obj;
}

void hm_tv_push(hm_tv *list, hm_tv *v) {
  if (list->n == list->cap) list->items = grown(list, list->items, sizeof *list->items);
  list->items[list->n++] = v;
}

void hm_tv_set_text(hm_tv *obj, const char *key, hm_str s) { hm_tv_set(obj, key, hm_tv_text(obj->a, s, HM_IN_TEXT)); }

void hm_tv_set_cell(hm_tv *obj, const char *key, hm_str s) { hm_tv_set(obj, key, hm_tv_text(obj->a, s, HM_IN_CELL)); }

void hm_tv_set_url(hm_tv *obj, const char *key, hm_str s) { hm_tv_set(obj, key, hm_tv_text(obj->a, s, HM_IN_URL)); }

void hm_tv_set_int(hm_tv *obj, const char *key, int64_t n) {
  hm_tv *v = make(obj->a, HM_TV_INT);
  v->number = n;
  hm_tv_set(obj, key, v);
}

void hm_tv_set_bool(hm_tv *obj, const char *key, bool v) { hm_tv_set(obj, key, hm_tv_bool(obj->a, v)); }

void hm_tv_about(hm_tv *obj, hm_str ref) { obj->text = ref; }

const hm_tv *hm_tv_get(const hm_tv *v, const hm_key *key) {
  if (v->kind != HM_TV_OBJ) return NULL;
  const hm_field *f = find(v, key);
  return f ? f->value : NULL;
}

bool hm_tv_true(const hm_tv *v) {
  if (!v) return false;
  switch ((hm_tv_kind)v->kind) {
    case HM_TV_OBJ: return true;
    case HM_TV_LIST: return v->n > 0;
    case HM_TV_BOOL: return v->yes;
    case HM_TV_INT: return v->number != 0;
    case HM_TV_TEXT: case HM_TV_RAW: return v->text.n > 0;
  }
  return false;
}

const hm_tv *hm_tv_at(const hm_tv *obj, const char *key) {
  hm_key k = hm_key_of(hm_str_c(key));
  return hm_tv_get(obj, &k);
}

size_t hm_tv_count(const hm_tv *list) { return list && list->kind == HM_TV_LIST ? list->n : 0; }

const hm_tv *hm_tv_item(const hm_tv *list, size_t i) { return list->items[i]; }

hm_str hm_tv_str(const hm_tv *v) {
  return v && (v->kind == HM_TV_TEXT || v->kind == HM_TV_RAW) ? v->text : HM_EMPTY;
}
