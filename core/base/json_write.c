#include "core/base/json.h"
#include "core/base/text_impl.h"

/* Short escapes by byte. */
static const char short_escape[128] = {
  ['"'] = '"', ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't',
};

static void put_escape(hm_buf *b, uint32_t cp) {
  char c = cp < 128 ? short_escape[cp] : 0;
  if (c) {
    hm_buf_ch(b, '\\');
    hm_buf_ch(b, c);
  } else if (cp == HM_BAD_BYTES) {
    hm_text_put(b, HM_REPLACEMENT);
  } else {
    hm_buf_fmt(b, "\\u%04x", (unsigned)cp);
  }
}

/* Bytes that need a look; all others are copied as they are. */
static const bool special[256] = {
  [0 ... 0x1F] = true, ['"'] = true, ['<'] = true, ['\\'] = true, [0x7F ... 0xFF] = true,
};

static bool must_escape(hm_str s, size_t i, uint32_t cp) {
  if (cp == '<') return i + 1 < s.n && (s.p[i + 1] == '/' || s.p[i + 1] == '!');
  return cp < 0xA0 || cp == 0x2028 || cp == 0x2029 || cp == HM_BAD_BYTES;
}

void hm_json_put_str(hm_buf *b, hm_str s) {
  size_t from = 0, i = 0;
  hm_buf_ch(b, '"');
  while (i < s.n) {
    uint32_t cp;
    size_t step = 1;
    if (special[(unsigned char)s.p[i]]) {
      step = hm_utf8_step(s, i, &cp);
      if (must_escape(s, i, cp)) {
        hm_buf_add(b, s.p + from, i - from);
        put_escape(b, cp);
        from = i + step;
      }
    }
    i += step;
  }
  if (i > from) hm_buf_add(b, s.p + from, i - from);
  hm_buf_ch(b, '"');
}

static void put_scalar(hm_buf *b, const hm_json *v) {
  static const char *const words[] = {
    [HM_JSON_NULL] = "null", [HM_JSON_FALSE] = "false", [HM_JSON_TRUE] = "true"
  };
  if (v->type == HM_JSON_STRING) hm_json_put_str(b, v->text);
  else if (v->type == HM_JSON_NUMBER) hm_buf_str(b, v->text);
  else hm_buf_c(b, words[v->type]);
}

/* The containers that are open, instead of recursion. */
typedef struct { const hm_json *up[HM_JSON_MAX_DEPTH]; int depth; } path;

/* Writes v up to where its members begin; true when it is open now. */
static bool put_begin(hm_buf *b, path *p, const hm_json *v) {
  if (p->depth && p->up[p->depth - 1]->type == HM_JSON_OBJECT) {
    hm_json_put_str(b, v->key);
    hm_buf_ch(b, ':');
  }
  if (v->type != HM_JSON_ARRAY && v->type != HM_JSON_OBJECT) {
    put_scalar(b, v);
    return false;
  }
  if (p->depth == HM_JSON_MAX_DEPTH) {   /* no parsed tree is that deep */
    b->failed = true;
    return false;
  }
  hm_buf_ch(b, v->type == HM_JSON_OBJECT ? '{' : '[');
  p->up[p->depth++] = v;
  return true;
}

/* The value that follows v, with the comma between; NULL after the last. */
static const hm_json *put_next(hm_buf *b, const path *p, const hm_json *v) {
  const hm_json *next = p->depth ? v->next : NULL;
  if (next) hm_buf_ch(b, ',');
  return next;
}

void hm_json_put(hm_buf *b, const hm_json *v) {
  path p = { .depth = 0 };
  while (v) {
    v = put_begin(b, &p, v) ? v->child : put_next(b, &p, v);
    while (!v && p.depth) {
      const hm_json *done = p.up[--p.depth];
      hm_buf_ch(b, done->type == HM_JSON_OBJECT ? '}' : ']');
      v = put_next(b, &p, done);
    }
  }
}

hm_str hm_json_keep(const hm_json *v, hm_arena *a) {
  hm_buf b = { 0 };
  hm_json_put(&b, v);
  hm_str s = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return s;
}

void hm_jw_init(hm_jw *w, hm_buf *b, int indent) { *w = (hm_jw){ .b = b, .indent = indent }; }

static void new_line(hm_jw *w) {
  if (w->depth > w->indent) return;
  hm_buf_ch(w->b, '\n');
  for (int i = 0; i < w->depth; i++) hm_buf_c(w->b, "  ");
}

/* What stands before a value: comma, line break, key. */
static void before(hm_jw *w, const char *key) {
  if (w->depth) {
    if (w->comma[w->depth - 1]) hm_buf_ch(w->b, ',');
    w->comma[w->depth - 1] = true;
    new_line(w);
  }
  if (key) {
    hm_json_put_str(w->b, hm_str_c(key));
    hm_buf_ch(w->b, ':');
  }
}

static void open_with(hm_jw *w, const char *key, char open, char close) {
  if (w->depth == HM_JSON_MAX_DEPTH) {
    w->b->failed = true;
    return;
  }
  before(w, key);
  hm_buf_ch(w->b, open);
  w->comma[w->depth] = false;
  w->close[w->depth++] = close;
}

void hm_jw_obj(hm_jw *w, const char *key) { open_with(w, key, '{', '}'); }
void hm_jw_arr(hm_jw *w, const char *key) { open_with(w, key, '[', ']'); }

void hm_jw_end(hm_jw *w) {
  if (!w->depth) {
    w->b->failed = true;
    return;
  }
  w->depth--;
  /* The bracket stands as deep as the line that opened it. */
  bool lines = w->comma[w->depth] && w->depth < w->indent;
  if (lines) new_line(w);
  hm_buf_ch(w->b, w->close[w->depth]);
}

void hm_jw_str(hm_jw *w, const char *key, hm_str s) {
  before(w, key);
  hm_json_put_str(w->b, s);
}

void hm_jw_str_or_null(hm_jw *w, const char *key, hm_str s) {
  if (s.n) hm_jw_str(w, key, s);
  else hm_jw_null(w, key);
}

void hm_jw_strs(hm_jw *w, const char *key, const hm_str *v, size_t n) {
  hm_jw_arr(w, key);
  for (size_t i = 0; i < n; i++) hm_jw_str(w, NULL, v[i]);
  hm_jw_end(w);
}

void hm_jw_raw(hm_jw *w, const char *key, hm_str json) {
  before(w, key);
  hm_buf_str(w->b, json);
}

void hm_jw_int(hm_jw *w, const char *key, int64_t v) {
  before(w, key);
  hm_buf_fmt(w->b, "%lld", (long long)v);
}

void hm_jw_bool(hm_jw *w, const char *key, bool v) {
  hm_jw_raw(w, key, v ? HM_STR("true") : HM_STR("false"));
}
void hm_jw_null(hm_jw *w, const char *key) { hm_jw_raw(w, key, HM_STR("null")); }
