/* The values that templates show: objects, lists, texts, numbers, yes and no. False in a section:
 * false, empty text, empty list, absent, integer 0. */
#ifndef HM_TEMPLATE_VALUES_H
#define HM_TEMPLATE_VALUES_H
#include "gen/render/escape.h"

typedef struct hm_node hm_node;    /* lives in the arena it was made in; immutable once rendered */

hm_node *hm_node_new_obj(hm_arena *a);
hm_node *hm_node_new_list(hm_arena *a);
hm_node *hm_node_new_bool(hm_arena *a, bool v);
/* A fact or any other text; escaped when it is printed, whatever the tag. bytes are borrowed. */
hm_node *hm_node_new_text(hm_arena *a, hm_str s, hm_place place);
/* Bytes that the program made (rendered Markdown, a number, a path that was made by hm_text_slug).
 * The only thing that {{{x}}} takes; {{x}} escapes it like a text. */
hm_node *hm_node_new_raw(hm_arena *a, hm_str s);
/* A name with what is compared first: its length, above, and its first four bytes. Of a literal all
 * of it is known before the program runs. */
typedef struct { const char *p; uint64_t tag; } hm_key;
static inline hm_key hm_key_from_str(hm_str s) {
  uint32_t first = 0;
  if (s.n >= 4) memcpy(&first, s.p, 4);
  else for (size_t i = 0; i < s.n; i++) first |= (uint32_t)(unsigned char)s.p[i] << 8 * i;
  return (hm_key){ s.p, (uint64_t)s.n << 32 | first };
}
static inline hm_key hm_key_c(const char *z) { return hm_key_from_str((hm_str){ z, strlen(z) }); }

void hm_node_put(hm_node *obj, hm_key key, hm_node *v);
void hm_node_put_text(hm_node *obj, hm_key key, hm_str s, hm_place place);
void hm_node_put_int(hm_node *obj, hm_key key, int64_t n);
void hm_node_put_bool(hm_node *obj, hm_key key, bool v);
/* key is borrowed and must be [a-z0-9_]+. Setting a key twice replaces it. Returns obj. */
static inline hm_node *hm_node_set(hm_node *obj, const char *key, hm_node *v) {
  hm_node_put(obj, hm_key_c(key), v);
  return obj;
}
void hm_node_push(hm_node *list, hm_node *v);
/* Shorthands that make the value in obj's arena. An int is raw, and 0 is false in a section. */
static inline void hm_node_set_text(hm_node *obj, const char *key, hm_str s) {
  hm_node_put_text(obj, hm_key_c(key), s, HM_IN_TEXT);
}
static inline void hm_node_set_url(hm_node *obj, const char *key, hm_str s) {
  hm_node_put_text(obj, hm_key_c(key), s, HM_IN_URL);
}
static inline void hm_node_set_int(hm_node *obj, const char *key, int64_t n) {
  hm_node_put_int(obj, hm_key_c(key), n);
}
static inline void hm_node_set_bool(hm_node *obj, const char *key, bool v) {
  hm_node_put_bool(obj, hm_key_c(key), v);
}
/* Names the row this object shows ("memory:m1"), for messages. */
void hm_node_set_row(hm_node *obj, hm_str ref);

/* Reading back what was set, for models that are made from models: the value of a key, or NULL
 * (also when obj is NULL or no object); the number of a list's items (0: no list); its item i <
 * count; the bytes of a text or raw value, else empty. */
const hm_node *hm_node_at(const hm_node *obj, const char *key);
size_t hm_node_count(const hm_node *list);
const hm_node *hm_node_item(const hm_node *list, size_t i);
hm_str hm_node_str(const hm_node *v);

/* Appends all that a template can see of a value: equal bytes, equal pages. Lists and objects nest
 * without bound, as deep as the program made them. */
void hm_node_append_bytes(const hm_node *v, hm_buf *out);
#endif
