#include <string.h>
#include "core/base/text.h"
#include "gen/cli/message.h"
#include "gen/cli/redact.h"
#include "gen/render/escape.h"

enum { LOOKED_FOR = 48, ESCAPED = 4096 };

/* A text that was escaped whole, cut: what stands in a file begins so wherever it is cut there. */
static void add(hm_needles *out, hm_str form, hm_arena *a) { hm_needles_add(out, hm_str_trim(hm_text_cut(hm_str_trim(form), LOOKED_FOR)), a); }

typedef void escape(hm_buf *b, hm_str s);

static void json_escape(hm_buf *b, hm_str s) {
  size_t from = b->n;
  hm_json_put_str(b, s);
  memmove(b->p + from, b->p + from + 1, b->n - from - 1);   /* without its quotes */
  b->n -= 2;
}

/* Where text of a page stands, quotes may be left as they are. */
static void html_text(hm_buf *b, hm_str s) {
  for (size_t i = 0; i < s.n; i++) {
    if (s.p[i] == '&') hm_buf_c(b, "&amp;");
    else if (s.p[i] == '<') hm_buf_c(b, "&lt;");
    else if (s.p[i] == '>') hm_buf_c(b, "&gt;");
    else hm_buf_ch(b, s.p[i]);
  }
}

static void html_double(hm_buf *b, hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] == '"') hm_buf_c(b, "&quot;");
    else html_text(b, hm_str_sub(s, i, i + 1));
}

static void add_escaped(hm_needles *out, hm_str text, escape *fn, hm_arena *a) {
  hm_buf b = { 0 };
  fn(&b, text);
  add(out, hm_buf_view(&b), a);
  hm_buf_free(&b);
}

static void add_forms(hm_needles *out, hm_str value, hm_arena *a) {
  static escape *const escapes[] = { hm_md_escape, hm_html_escape, html_text, html_double, json_escape };
  hm_str head = hm_text_cut(value, ESCAPED), clean = hm_clean(a, head), name = hm_text_name(a, head);
  add(out, head, a);
  add(out, clean, a);
  for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) add_escaped(out, clean, escapes[i], a);
  add_escaped(out, head, json_escape, a);
  if (hm_url_safe(clean)) add_escaped(out, clean, hm_md_url, a);
  add(out, hm_message_fact(a, head, LOOKED_FOR), a);
  if (name.n >= HM_NEEDLE_WHOLE) add(out, name, a);
  if (name.n >= HM_NEEDLE_WHOLE && name.n <= LOOKED_FOR) add(out, hm_text_slug(a, head), a);
}

static void add_pieces(hm_needles *out, hm_str value, hm_arena *a) {
  for (size_t at = LOOKED_FOR; at + LOOKED_FOR <= value.n; at += (value.n + 7) / 8) add(out, hm_str_sub(value, at, value.n), a);
  if (value.n > LOOKED_FOR) add(out, hm_str_sub(value, value.n - LOOKED_FOR, value.n), a);
}

void hm_redact_forms(const hm_needles *values, bool deep, hm_arena *a, hm_needles *out) {
  *out = (hm_needles){ 0 };
  for (size_t i = 0; i < values->n; i++) {
    add_forms(out, values->v[i], a);
    if (deep) add_pieces(out, values->v[i], a);
  }
}
