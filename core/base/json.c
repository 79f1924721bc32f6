#include "core/base/json.h"

#include <string.h>
#include <yajl/yajl_parse.h>

#include "core/base/map.h"
#include "core/base/text.h"

/* yajl's buffers double; far below where that could overflow. */
#define JSON_MAX ((size_t)1 << 30)
/* Up to here the keys of an object are compared one by one. */
enum { FEW_KEYS = 16 };

typedef struct {
  hm_json *node, *last;
  hm_map *keys;   /* once there are more than FEW_KEYS */
} level;

typedef struct {
  hm_arena *a;
  hm_err *err;
  hm_json *root;
  hm_str key;     /* of the member whose value comes next */
  int depth;
  level levels[HM_JSON_MAX_DEPTH];
} parser;

static hm_json *add_node(parser *p, hm_json_type type) {
  hm_json *v = hm_alloc(p->a, sizeof *v);
  *v = (hm_json){ .type = type, .key = p->key, .text = HM_EMPTY };
  p->key = HM_EMPTY;
  if (!p->depth) {
    p->root = v;
    return v;
  }
  level *l = &p->levels[p->depth - 1];
  *(l->last ? &l->last->next : &l->node->child) = v;
  l->last = v;
  l->node->count++;
  return v;
}

static int on_null(void *ctx) { return add_node(ctx, HM_JSON_NULL) != NULL; }

static int on_bool(void *ctx, int yes) {
  return add_node(ctx, yes ? HM_JSON_TRUE : HM_JSON_FALSE) != NULL;
}

static int on_text(parser *p, hm_json_type type, hm_str s) {
  add_node(p, type)->text = hm_str_dup(p->a, s);
  return 1;
}

static int on_number(void *ctx, const char *s, size_t n) {
  return on_text(ctx, HM_JSON_NUMBER, (hm_str){ s, n });
}

static int on_string(void *ctx, const unsigned char *s, size_t n) {
  return on_text(ctx, HM_JSON_STRING, (hm_str){ (const char *)s, n });
}

/* 0 stops yajl; the error is ours then. */
static int open_level(parser *p, hm_json_type type) {
  if (p->depth == HM_JSON_MAX_DEPTH) {
    hm_failf(p->err, HM_E_INPUT, "", "nest it less deeply", "more than %d levels of nesting",
             HM_JSON_MAX_DEPTH);
    return 0;
  }
  hm_json *v = add_node(p, type);
  p->levels[p->depth++] = (level){ .node = v };
  return 1;
}

static int close_level(void *ctx) {
  ((parser *)ctx)->depth--;
  return 1;
}

static int on_object(void *ctx) { return open_level(ctx, HM_JSON_OBJECT); }
static int on_array(void *ctx) { return open_level(ctx, HM_JSON_ARRAY); }

static bool seen_key(parser *p, level *l, hm_str key) {
  if (l->node->count < FEW_KEYS) {
    for (const hm_json *v = l->node->child; v; v = v->next)
      if (hm_str_eq(v->key, key)) return true;
    return false;
  }
  if (!l->keys) {
    l->keys = hm_alloc(p->a, sizeof *l->keys);
    hm_map_init(l->keys, p->a, 4 * FEW_KEYS);
    for (const hm_json *v = l->node->child; v; v = v->next) hm_map_add(l->keys, v->key, 0);
  }
  size_t before = l->keys->n;
  hm_map_add(l->keys, key, 0);
  return l->keys->n == before;
}

static int on_key(void *ctx, const unsigned char *s, size_t n) {
  parser *p = ctx;
  p->key = hm_str_dup(p->a, (hm_str){ (const char *)s, n });
  if (!seen_key(p, &p->levels[p->depth - 1], p->key)) return 1;
  hm_str shown = hm_text_cut(p->key, 100);
  hm_failf(p->err, HM_E_INPUT, "", "keep one of the two",
           "the key \"%.*s\" occurs twice in one object", HM_FMT(shown));
  return 0;
}

static const yajl_callbacks callbacks = {
  .yajl_null = on_null, .yajl_boolean = on_bool, .yajl_number = on_number, .yajl_string = on_string,
  .yajl_start_map = on_object, .yajl_map_key = on_key, .yajl_end_map = close_level,
  .yajl_start_array = on_array, .yajl_end_array = close_level,
};

/* The four hex digits of \uXXXX at s.p[i], or -1. */
static int32_t hex4(hm_str s, size_t i) {
  if (i + 6 > s.n || s.p[i] != '\\' || s.p[i + 1] != 'u') return -1;
  int32_t v = 0;
  for (size_t k = i + 2; k < i + 6; k++) {
    char c = s.p[k];
    int d = c >= '0' && c <= '9' ? c - '0'
        : c >= 'a' && c <= 'f'   ? c - 'a' + 10
        : c >= 'A' && c <= 'F'   ? c - 'A' + 10
                                 : -1;
    if (d < 0) return -1;
    v = v * 16 + d;
  }
  return v;
}

/* Steps over the escape at s.p[*i]; -1 for half a surrogate pair. */
static int skip_escape(hm_str s, size_t *i, hm_err *err) {
  int32_t u = hex4(s, *i), low = hex4(s, *i + 6);
  bool pair = u >= 0xD800 && u <= 0xDBFF && low >= 0xDC00 && low <= 0xDFFF;
  if (u >= 0xD800 && u <= 0xDFFF && !pair)
    return hm_failf(err, HM_E_INPUT, "", "write the character itself, or both halves",
                    "a lone surrogate \\u%04x at byte %zu", (unsigned)u, *i + 1);
  *i += pair ? 12 : u < 0 ? 2 : 6;
  return 0;
}

/* What yajl lets through: it makes '?' or invalid UTF-8 of half a surrogate
 * pair, and takes a string that begins after the value and has no end. */
static int check_strings(hm_str s, hm_err *err) {
  bool open = false;
  for (size_t i = 0; i < s.n;) {
    if (s.p[i] == '\\') {
      if (skip_escape(s, &i, err)) return -1;
      continue;
    }
    open ^= s.p[i++] == '"';
  }
  return open ? hm_fail(err, HM_E_INPUT, "", "a string without its closing quote", "") : 0;
}

/* yajl's reason is "parse error: trailing garbage\n", or a sentence with its full stop. */
static int syntax_error(yajl_handle h, hm_err *err) {
  unsigned char *text = yajl_get_error(h, 0, NULL, 0);
  if (!text)
    return hm_fail(err, HM_E_INPUT, "", "not valid JSON", "check quotes, commas and brackets");
  hm_str why = hm_str_trim(hm_str_c((const char *)text));
  if (why.n && why.p[why.n - 1] == '.') why.n--;
  hm_failf(err, HM_E_INPUT, "", "check quotes, commas and brackets", "not valid JSON: %.*s",
           HM_FMT(why));
  yajl_free_error(h, text);
  return -1;
}

int hm_json_parse(hm_arena *a, hm_str src, hm_json **out, hm_err *err) {
  if (src.n > JSON_MAX) return hm_fail(err, HM_E_INPUT, "", "longer than 1 GB", "split it");
  src = hm_text_repair(a, src);
  if (check_strings(src, err)) return -1;
  parser p = { .a = a, .err = err, .key = HM_EMPTY };
  yajl_handle h = yajl_alloc(&callbacks, NULL, &p);
  if (!h) return hm_fail(err, HM_E_INTERNAL, "", "no parser", "");
  yajl_status st = yajl_parse(h, (const unsigned char *)src.p, src.n);
  if (st == yajl_status_ok) st = yajl_complete_parse(h);
  int rc = st == yajl_status_ok ? 0 : -1;
  if (st == yajl_status_error) syntax_error(h, err);
  yajl_free(h);
  if (rc == 0) *out = p.root;
  return rc;
}

const hm_json *hm_json_get(const hm_json *v, const char *key) {
  if (!v || v->type != HM_JSON_OBJECT) return NULL;
  for (const hm_json *m = v->child; m; m = m->next)
    if (hm_str_is(m->key, key)) return m;
  return NULL;
}
