/* What the pieces of a split list are called. */
#include "core/base/text.h"
#include "view_private.h"

enum { LABEL_SCAN = 200, LABEL_BYTES = 60 };

/* The separators of a key as spaces; one at the beginning is that of an empty head. */
static hm_str spaced(hm_arena *a, hm_str s) {
  if (s.n && s.p[0] == 1) s = hm_str_sub(s, 1, s.n);
  char *p = hm_alloc(a, s.n + 1);
  for (size_t i = 0; i < s.n; i++)
    p[i] = (unsigned char)s.p[i] < 0x20 || s.p[i] == '_' ? ' ' : s.p[i];
  return (hm_str){ p, s.n };
}

hm_str hm_piece_label(hm_arena *a, const hm_piece *p) {
  hm_str prefix =
      hm_text_cut(hm_text_repair(a, spaced(a, hm_text_cut(p->prefix, LABEL_SCAN))), LABEL_BYTES);
  if (!*p->range) return prefix;
  return hm_str_fmt(a, "%.*s%s%s", HM_FMT(prefix), prefix.n ? " … " : "", p->range);
}

hm_str hm_piece_stem(hm_arena *a, const hm_piece *p) {
  hm_str head = spaced(a, p->prefix);
  hm_str stem = head.n ? hm_text_slug(a, head) : HM_EMPTY;
  return hm_str_fmt(a, "%.*s%s%s", HM_FMT(stem), stem.n && *p->range ? "-" : "", p->range);
}

hm_str hm_piece_key(hm_arena *a, hm_str list, const hm_piece *p) {
  hm_buf b = { 0 };
  hm_buf_ch(&b, '/');
  hm_buf_str(&b, list);
  hm_buf_fmt(&b, "/%s/", p->range);
  hm_buf_str(&b, p->prefix);
  hm_str key = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return key;
}
