/* JSON in and out: json.h (library: yajl).
 *
 * Reading builds a tree in an arena and refuses what yajl accepts (a repeated key, half a surrogate
 * pair, a string without an end). Writing is by tree or by stream, and never recurses.
 * Cost: linear in the bytes; keys of an object are compared one by one up to 16, then by hash. */
#include "core/base/json.h"

#include <string.h>
#include <yajl/yajl_parse.h>

#include "core/base/ascii.h"
#include "core/base/text.h"

/* --- reading ------------------------------------------------------------------------- */

/* yajl's buffers double; far below where that could overflow. */
#define JSON_MAX ((size_t)1 << 30)
/* Up to here the keys of an object are compared one by one. */
enum { FEW_KEYS = 16 };

typedef struct {
  hm_json *node, *last;
  hm_map *keys; /* once there are more than FEW_KEYS */
} level;

typedef struct {
  hm_arena *a;
  hm_err *err;
  hm_json *root;
  hm_str key; /* of the member whose value comes next */
  uint32_t key_at;
  int depth;
  hm_str src;
  yajl_handle yajl;
  level *levels; /* HM_JSON_MAX_DEPTH, each set when it opens */
} parser;

/* The begin of the token of n bytes that yajl has just read. n is 0 for a string or key, which may
 * have escapes: searches back for a quote with an even number of '\\' before it. */
static uint32_t token_at(const parser *p, size_t n) {
  size_t end = yajl_get_bytes_consumed(p->yajl), i = end - (n ? n : 2);
  if (n || end < 2)
    return (uint32_t)(end - n + 1);
  for (;; i--) {
    size_t k = i;
    while (p->src.p[i] == '"' && k > 0 && p->src.p[k - 1] == '\\')
      k--;
    if (!i || (p->src.p[i] == '"' && (i - k) % 2 == 0))
      return (uint32_t)(i + 1);
  }
}

/* n: the bytes of its token; 0: a string. */
static hm_json *add_node(parser *p, hm_json_type type, size_t n) {
  hm_json *v = hm_alloc(p->a, sizeof *v);
  *v = (hm_json){ .type = type, .key = p->key, .text = HM_EMPTY };
  v->at = p->key_at ? p->key_at : token_at(p, n);
  p->key_at = 0;
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

static int on_null(void *ctx) { return add_node(ctx, HM_JSON_NULL, 4) != NULL; }

static int on_bool(void *ctx, int yes) {
  return add_node(ctx, yes ? HM_JSON_TRUE : HM_JSON_FALSE, yes ? 4 : 5) != NULL;
}

static int on_text(parser *p, hm_json_type type, hm_str s) {
  add_node(p, type, type == HM_JSON_NUMBER ? s.n : 0)->text = hm_str_dup(p->a, s);
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
  hm_json *v = add_node(p, type, 1);
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
      if (hm_str_eq(v->key, key))
        return true;
    return false;
  }
  if (!l->keys) {
    l->keys = hm_alloc(p->a, sizeof *l->keys);
    hm_map_init(l->keys, p->a, 4 * FEW_KEYS);
    for (const hm_json *v = l->node->child; v; v = v->next)
      hm_map_add(l->keys, v->key, 0);
  }
  size_t before = l->keys->n;
  hm_map_add(l->keys, key, 0);
  return l->keys->n == before;
}

static int on_key(void *ctx, const unsigned char *s, size_t n) {
  parser *p = ctx;
  p->key = hm_str_dup(p->a, (hm_str){ (const char *)s, n });
  p->key_at = token_at(p, 0);
  if (!seen_key(p, &p->levels[p->depth - 1], p->key))
    return 1;
  hm_str shown = hm_text_cut(p->key, 100);
  hm_failf(p->err, HM_E_INPUT, "", "keep one of the two",
           "the key \"%.*s\" occurs twice in one object", HM_FMT(shown));
  return 0;
}

static const yajl_callbacks callbacks = {
  .yajl_null = on_null,
  .yajl_boolean = on_bool,
  .yajl_number = on_number,
  .yajl_string = on_string,
  .yajl_start_map = on_object,
  .yajl_map_key = on_key,
  .yajl_end_map = close_level,
  .yajl_start_array = on_array,
  .yajl_end_array = close_level,
};

/* The four hex digits of \uXXXX at s.p[i], or -1. */
static int32_t hex4(hm_str s, size_t i) {
  if (i + 6 > s.n || s.p[i] != '\\' || s.p[i + 1] != 'u')
    return -1;
  int32_t v = 0;
  for (size_t k = i + 2; k < i + 6; k++) {
    int32_t d = hm_hex_value(s.p[k]);
    if (d < 0)
      return -1;
    v = v * 16 + d;
  }
  return v;
}

/* Refuses what yajl accepts: half a surrogate pair, of which it makes '?' or invalid UTF-8, and an
 * unterminated string after the value. */
static int check_strings(hm_str s, hm_err *err) {
  bool open = false;
  for (size_t i = 0; i < s.n;) {
    if (s.p[i] != '\\') {
      open ^= s.p[i++] == '"';
      continue;
    }
    int32_t u = hex4(s, i), low = hex4(s, i + 6);
    bool pair = u >= 0xD800 && u <= 0xDBFF && low >= 0xDC00 && low <= 0xDFFF;
    if (u >= 0xD800 && u <= 0xDFFF && !pair) {
      hm_failf(err, HM_E_INPUT, "", "write the character itself, or both halves",
               "a lone surrogate \\u%04x at byte %zu", (unsigned)u, i + 1);
      if (err)
        err->at = i + 1;
      return -1;
    }
    i += pair ? 12 : u < 0 ? 2 : 6;
  }
  return open ? hm_fail(err, HM_E_INPUT, "", "a string without its closing quote", "") : 0;
}

/* yajl's reason is "parse error: trailing garbage\n", or a sentence with its full stop. */
static int syntax_error(yajl_handle h, hm_err *err) {
  unsigned char *text = yajl_get_error(h, 0, NULL, 0);
  if (!text)
    return hm_fail(err, HM_E_INPUT, "", "not valid JSON", "check quotes, commas and brackets");
  hm_str why = hm_str_trim(hm_str_c((const char *)text));
  if (why.n && why.p[why.n - 1] == '.')
    why.n--;
  hm_failf(err, HM_E_INPUT, "", "check quotes, commas and brackets", "not valid JSON: %.*s",
           HM_FMT(why));
  yajl_free_error(h, text);
  return -1;
}

int hm_json_parse(hm_arena *a, hm_str src, hm_json **out, hm_err *err) {
  if (src.n > JSON_MAX)
    return hm_fail(err, HM_E_INPUT, "", "longer than 1 GB", "split it");
  src = hm_text_repair(a, src);
  if (check_strings(src, err))
    return -1;
  level levels[HM_JSON_MAX_DEPTH];
  parser p = { .a = a, .err = err, .key = HM_EMPTY, .src = src, .levels = levels };
  yajl_handle h = p.yajl = yajl_alloc(&callbacks, NULL, &p);
  if (!h)
    return hm_fail(err, HM_E_INTERNAL, "", "no parser", "");
  yajl_status st = yajl_parse(h, (const unsigned char *)src.p, src.n);
  size_t at = yajl_get_bytes_consumed(h);
  if (at && src.p[at - 1] == '"')
    at = token_at(&p, 0);
  if (st == yajl_status_ok)
    st = yajl_complete_parse(h), at = src.n + 1;
  int rc = st == yajl_status_ok ? 0 : -1;
  if (st == yajl_status_error)
    syntax_error(h, err);
  if (st == yajl_status_client_canceled && p.key_at)
    at = p.key_at;
  if (rc && err)
    err->at = at ? at : 1;
  yajl_free(h);
  if (rc == 0)
    *out = p.root;
  return rc;
}

hm_json *hm_json_parse_as(hm_arena *a, hm_str src, hm_json_type type) {
  hm_json *v;
  return src.n && !hm_json_parse(a, src, &v, NULL) && v->type == type ? v : NULL;
}

size_t hm_json_texts(const hm_json *v, hm_arena *a, hm_str **out) {
  bool listed = v && v->type == HM_JSON_ARRAY;
  size_t n = 0;
  *out = hm_alloc_array(a, listed ? v->count : 0, sizeof **out);
  for (const hm_json *e = listed ? v->child : NULL; e; e = e->next)
    if (e->type == HM_JSON_STRING)
      (*out)[n++] = e->text;
  return n;
}

const hm_json *hm_json_get(const hm_json *v, const char *key) {
  if (!v || v->type != HM_JSON_OBJECT)
    return NULL;
  for (const hm_json *m = v->child; m; m = m->next)
    if (hm_str_is(m->key, key))
      return m;
  return NULL;
}

hm_str hm_json_get_text(const hm_json *v, const char *key) {
  const hm_json *m = hm_json_get(v, key);
  return m && m->type == HM_JSON_STRING ? m->text : HM_EMPTY;
}

bool hm_json_get_true(const hm_json *v, const char *key) {
  const hm_json *m = hm_json_get(v, key);
  return m && m->type == HM_JSON_TRUE;
}

const hm_json *hm_json_get_items(const hm_json *v, const char *key) {
  const hm_json *m = hm_json_get(v, key);
  return m && m->type == HM_JSON_ARRAY ? m->child : NULL;
}

/* --- writing ------------------------------------------------------------------------- */

/* Short escapes by byte. */
static const char short_escape[128] = {
  ['"'] = '"', ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't',
};

/* Bytes that need a look; all others are copied as they are. */
static const bool special[256] = {
  [0 ... 0x1F] = true, ['"'] = true, ['<'] = true, ['\\'] = true, [0x7F ... 0xFF] = true,
};

static bool must_escape(hm_str s, size_t i, uint32_t cp) {
  if (cp == '<')
    return i + 1 < s.n && (s.p[i + 1] == '/' || s.p[i + 1] == '!');
  return cp < 0xA0 || cp == 0x2028 || cp == 0x2029 || cp == HM_BAD_BYTES;
}

void hm_json_write_str(hm_buf *b, hm_str s) {
  size_t from = 0, i = 0;
  hm_buf_ch(b, '"');
  while (i < s.n) {
    uint32_t cp;
    size_t step = 1;
    if (special[(unsigned char)s.p[i]]) {
      step = hm_utf8_step(s, i, &cp);
      if (must_escape(s, i, cp)) {
        hm_buf_add(b, s.p + from, i - from);
        char c = cp < 128 ? short_escape[cp] : 0;
        if (c)
          hm_buf_add(b, (char[]){ '\\', c }, 2);
        else if (cp == HM_BAD_BYTES)
          hm_text_append(b, HM_REPLACEMENT);
        else
          hm_buf_fmt(b, "\\u%04x", (unsigned)cp);
        from = i + step;
      }
    }
    i += step;
  }
  if (i > from)
    hm_buf_add(b, s.p + from, i - from);
  hm_buf_ch(b, '"');
}

static bool is_direction(uint32_t cp) {
  return cp == 0x61C || cp == 0x200E || cp == 0x200F || (cp >= 0x202A && cp <= 0x202E) ||
      (cp >= 0x2066 && cp <= 0x2069);
}

/* They stand in strings alone, and begin with one of two bytes. */
hm_str hm_json_escape_directions(hm_arena *a, hm_str json) {
  hm_buf b = { 0 };
  size_t from = 0;
  for (size_t i = 0; i < json.n;) {
    uint32_t cp;
    unsigned char c = (unsigned char)json.p[i];
    size_t step = c == 0xE2 || c == 0xD8 ? hm_utf8_step(json, i, &cp) : 1;
    if ((c == 0xE2 || c == 0xD8) && is_direction(cp)) {
      hm_buf_add(&b, json.p + from, i - from);
      hm_buf_fmt(&b, "\\u%04x", (unsigned)cp);
      from = i + step;
    }
    i += step;
  }
  if (!from)
    return json;
  hm_buf_add(&b, json.p + from, json.n - from);
  return hm_buf_take(&b, a);
}

/* The containers that are open, instead of recursion. */
typedef struct {
  const hm_json *up[HM_JSON_MAX_DEPTH];
  int depth;
} path;

/* Writes v up to where its members begin; true when it is open now. */
static bool write_begin(hm_buf *b, path *p, const hm_json *v) {
  if (p->depth && p->up[p->depth - 1]->type == HM_JSON_OBJECT) {
    hm_json_write_str(b, v->key);
    hm_buf_ch(b, ':');
  }
  static const char *const words[] = {
    [HM_JSON_NULL] = "null", [HM_JSON_FALSE] = "false", [HM_JSON_TRUE] = "true"
  };
  switch (v->type) {
    case HM_JSON_STRING:
      hm_json_write_str(b, v->text);
      return false;
    case HM_JSON_NUMBER:
      hm_buf_str(b, v->text);
      return false;
    case HM_JSON_ARRAY:
    case HM_JSON_OBJECT:
      break;
    default:
      hm_buf_c(b, words[v->type]);
      return false;
  }
  if (p->depth == HM_JSON_MAX_DEPTH) { /* no parsed tree is that deep */
    b->failed = true;
    return false;
  }
  hm_buf_ch(b, v->type == HM_JSON_OBJECT ? '{' : '[');
  p->up[p->depth++] = v;
  return true;
}

/* The value that follows v, with the comma between; NULL after the last. */
static const hm_json *write_next(hm_buf *b, const path *p, const hm_json *v) {
  const hm_json *next = p->depth ? v->next : NULL;
  if (next)
    hm_buf_ch(b, ',');
  return next;
}

void hm_json_write(hm_buf *b, const hm_json *v) {
  path p = { .depth = 0 };
  while (v) {
    v = write_begin(b, &p, v) ? v->child : write_next(b, &p, v);
    while (!v && p.depth) {
      const hm_json *done = p.up[--p.depth];
      hm_buf_ch(b, done->type == HM_JSON_OBJECT ? '}' : ']');
      v = write_next(b, &p, done);
    }
  }
}

hm_str hm_json_as_text(const hm_json *v, hm_arena *a) {
  hm_buf b = { 0 };
  hm_json_write(&b, v);
  return hm_buf_take(&b, a);
}

void hm_jw_init(hm_jw *w, hm_buf *b, int indent) { *w = (hm_jw){ .b = b, .indent = indent }; }

static void start_line(hm_jw *w) {
  if (w->depth > w->indent)
    return;
  hm_buf_ch(w->b, '\n');
  for (int i = 0; i < w->depth; i++)
    hm_buf_c(w->b, "  ");
}

/* What stands before a value: comma, line break, key. */
static void begin_value(hm_jw *w, const char *key) {
  if (w->depth) {
    if (w->comma[w->depth - 1])
      hm_buf_ch(w->b, ',');
    w->comma[w->depth - 1] = true;
    start_line(w);
  }
  if (key) {
    hm_json_write_str(w->b, hm_str_c(key));
    hm_buf_ch(w->b, ':');
  }
}

static void open_container(hm_jw *w, const char *key, char open, char close) {
  if (w->depth == HM_JSON_MAX_DEPTH) {
    w->b->failed = true;
    return;
  }
  begin_value(w, key);
  hm_buf_ch(w->b, open);
  w->comma[w->depth] = false;
  w->close[w->depth++] = close;
}

void hm_jw_obj(hm_jw *w, const char *key) { open_container(w, key, '{', '}'); }
void hm_jw_arr(hm_jw *w, const char *key) { open_container(w, key, '[', ']'); }

void hm_jw_end(hm_jw *w) {
  if (!w->depth) {
    w->b->failed = true;
    return;
  }
  w->depth--;
  /* The bracket stands as deep as the line that opened it. */
  bool lines = w->comma[w->depth] && w->depth < w->indent;
  if (lines)
    start_line(w);
  hm_buf_ch(w->b, w->close[w->depth]);
}

void hm_jw_str(hm_jw *w, const char *key, hm_str s) {
  begin_value(w, key);
  hm_json_write_str(w->b, s);
}

void hm_jw_str_or_null(hm_jw *w, const char *key, hm_str s) {
  if (s.n)
    hm_jw_str(w, key, s);
  else
    hm_jw_null(w, key);
}

void hm_jw_strs(hm_jw *w, const char *key, const hm_str *v, size_t n) {
  hm_jw_arr(w, key);
  for (size_t i = 0; i < n; i++)
    hm_jw_str(w, NULL, v[i]);
  hm_jw_end(w);
}

void hm_jw_raw(hm_jw *w, const char *key, hm_str json) {
  begin_value(w, key);
  hm_buf_str(w->b, json);
}

void hm_jw_members(hm_jw *w, hm_str object) {
  hm_str members = hm_str_sub(object, 1, object.n - 1);
  if (members.n)
    hm_jw_raw(w, NULL, members);
}

void hm_jw_int(hm_jw *w, const char *key, int64_t v) {
  begin_value(w, key);
  hm_buf_fmt(w->b, "%lld", (long long)v);
}

void hm_jw_bool(hm_jw *w, const char *key, bool v) {
  hm_jw_raw(w, key, v ? HM_STR("true") : HM_STR("false"));
}
void hm_jw_null(hm_jw *w, const char *key) { hm_jw_raw(w, key, HM_STR("null")); }
