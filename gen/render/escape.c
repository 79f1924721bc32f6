#include "gen/render/escape_impl.h"

static const char *const entities[256] = {
  ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
};

static void put_entities(hm_buf *b, hm_str s, bool apostrophes) {
  size_t from = 0;
  for (size_t i = 0; i < s.n; i++) {
    const char *entity = entities[(unsigned char)s.p[i]];
    if (!entity || (s.p[i] == '\'' && !apostrophes)) continue;
    hm_buf_add(b, s.p + from, i - from);
    hm_buf_c(b, entity);
    from = i + 1;
  }
  hm_buf_add(b, s.p + from, s.n - from);
}

void hm_html_put(hm_buf *b, hm_str s) { put_entities(b, s, false); }

void hm_html_escape(hm_buf *b, hm_str fact) {
  hm_buf clean = { 0 };
  if (!hm_is_clean(fact)) {
    hm_clean_into(&clean, fact);
    fact = hm_buf_view(&clean);
  }
  put_entities(b, fact, true);
  hm_buf_free(&clean);
}
