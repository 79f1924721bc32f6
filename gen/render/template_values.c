/* The values that templates show. */
#include "gen/render/template_values_impl.h"

#include <string.h>

static hm_node *new_value(hm_arena *a, hm_node_kind kind) {
  hm_node *v = hm_alloc(a, sizeof *v);
  v->kind = (uint8_t)kind;
  v->a = a;
  return v;
}

hm_node *hm_node_new_obj(hm_arena *a) { return new_value(a, HM_NODE_OBJ); }

hm_node *hm_node_new_list(hm_arena *a) { return new_value(a, HM_NODE_LIST); }

hm_node *hm_node_new_bool(hm_arena *a, bool yes) {
  hm_node *v = new_value(a, HM_NODE_BOOL);
  v->yes = yes;
  return v;
}

hm_node *hm_node_new_text(hm_arena *a, hm_str s, hm_place place) {
  hm_node *v = new_value(a, HM_NODE_TEXT);
  v->place = (uint8_t)place;
  v->text = s;
  return v;
}

hm_node *hm_node_new_raw(hm_arena *a, hm_str s) {
  hm_node *v = new_value(a, HM_NODE_RAW);
  v->text = s;
  return v;
}

static bool same_key(hm_key a, hm_key b) {
  size_t n = a.tag >> 32;
  return a.tag == b.tag && (n <= 4 || a.p == b.p || memcmp(a.p + 4, b.p + 4, n - 4) == 0);
}

/* p, the n elements of v, in twice the room when it is full. */
static void *grown(hm_node *v, void *p, size_t size) {
  if (v->n < v->cap) return p;
  v->cap = v->cap ? v->cap * 2 : 8;
  void *more = hm_alloc_array(v->a, v->cap, size);
  if (v->n) memcpy(more, p, v->n * size);
  return more;
}

/* A key is hardly ever set twice: the last one counts, and this does not search. */
void hm_node_put(hm_node *obj, hm_key key, hm_node *v) {
  obj->fields = grown(obj, obj->fields, sizeof *obj->fields);
  obj->fields[obj->n++] = (hm_node_field){ key, v };
}

void hm_node_push(hm_node *list, hm_node *v) {
  list->items = grown(list, list->items, sizeof *list->items);
  list->items[list->n++] = v;
}

void hm_node_put_text(hm_node *obj, hm_key key, hm_str s, hm_place place) {
  hm_node_put(obj, key, hm_node_new_text(obj->a, s, place));
}

void hm_node_put_int(hm_node *obj, hm_key key, int64_t n) {
  hm_node *v = new_value(obj->a, HM_NODE_INT);
  v->number = n;
  hm_node_put(obj, key, v);
}

void hm_node_put_bool(hm_node *obj, hm_key key, bool v) {
  hm_node_put(obj, key, hm_node_new_bool(obj->a, v));
}

void hm_node_set_row(hm_node *obj, hm_str ref) { obj->text = ref; }

const hm_node *hm_node_get(const hm_node *v, const hm_key *key) {
  for (uint32_t i = v->kind == HM_NODE_OBJ ? v->n : 0; i-- > 0;)
    if (same_key(v->fields[i].key, *key)) return v->fields[i].value;
  return NULL;
}

bool hm_node_is_true(const hm_node *v) {
  if (!v) return false;
  switch ((hm_node_kind)v->kind) {
    case HM_NODE_OBJ: return true;
    case HM_NODE_LIST: return v->n > 0;
    case HM_NODE_BOOL: return v->yes;
    case HM_NODE_INT: return v->number != 0;
    case HM_NODE_TEXT: case HM_NODE_RAW: return v->text.n > 0;
  }
  return false;
}

const hm_node *hm_node_at(const hm_node *obj, const char *key) {
  hm_key k = hm_key_c(key);
  return hm_node_get(obj, &k);
}

size_t hm_node_count(const hm_node *list) {
  return list && list->kind == HM_NODE_LIST ? list->n : 0;
}

const hm_node *hm_node_item(const hm_node *list, size_t i) { return list->items[i]; }

hm_str hm_node_str(const hm_node *v) {
  return v && (v->kind == HM_NODE_TEXT || v->kind == HM_NODE_RAW) ? v->text : HM_EMPTY;
}

/* --- as bytes, for digests ------------------------------------------------------ */

static void write_str(hm_buf *out, hm_str s) {
  hm_buf_add(out, &s.n, sizeof s.n);
  hm_buf_str(out, s);
}

/* Each part says what it is and how long, so no two values look alike. What an object is about is
 * for messages only. */
void hm_node_append_bytes(const hm_node *v, hm_buf *out) {
  hm_buf_ch(out, (char)v->kind);
  switch ((hm_node_kind)v->kind) {
    case HM_NODE_OBJ:
      hm_buf_add(out, &v->n, sizeof v->n);
      for (const hm_node_field *f = v->fields; f < v->fields + v->n; f++) {
        write_str(out, (hm_str){ f->key.p, f->key.tag >> 32 });
        hm_node_append_bytes(f->value, out);
      }
      break;
    case HM_NODE_LIST:
      hm_buf_add(out, &v->n, sizeof v->n);
      for (uint32_t i = 0; i < v->n; i++) hm_node_append_bytes(v->items[i], out);
      break;
    case HM_NODE_BOOL: hm_buf_ch(out, v->yes); break;
    case HM_NODE_INT: hm_buf_add(out, &v->number, sizeof v->number); break;
    case HM_NODE_TEXT: hm_buf_ch(out, (char)v->place); write_str(out, v->text); break;
    case HM_NODE_RAW: write_str(out, v->text); break;
  }
}
