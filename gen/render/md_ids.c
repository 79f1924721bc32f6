/* Ids of headings, by GitHub's rule, and of the anchors that stand before rows. */
#include <string.h>

#include "core/base/text.h"
#include "gen/render/escape.h"
#include "gen/render/md_impl.h"

/* Letters, marks and numbers stay, in lower case; what folds to more than one
 * character ("ß") stays as it is. */
static void put_wide(hm_buf *b, hm_arena *a, hm_str one) {
  hm_str folded = hm_text_name(a, one);
  size_t i = 0;
  if (folded.n) hm_text_next(folded, &i);
  if (folded.n) hm_buf_str(b, i == folded.n ? folded : one);
}

hm_str hm_heading_id(hm_arena *a, hm_str text) {
  text = hm_clean(a, text);
  hm_buf b = { 0 };
  for (size_t i = 0, from = 0; i < text.n; from = i) {
    uint32_t cp = hm_text_next(text, &i);
    bool word = (cp >= 'a' && cp <= 'z') || (cp >= '0' && cp <= '9') || cp == '-' || cp == '_';
    if (cp >= 0x80) put_wide(&b, a, hm_str_sub(text, from, i));
    else if (cp >= 'A' && cp <= 'Z') hm_buf_ch(&b, (char)(cp - 'A' + 'a'));
    else if (cp == ' ') hm_buf_ch(&b, '-');
    else if (word) hm_buf_ch(&b, (char)cp);
  }
  hm_str id = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return id;
}

/* --- anchors -------------------------------------------------------------- */

static hm_str anchor_id(hm_str tag) {
  static const char begin[] = "<a id=\"";
  if (!hm_str_starts(tag, begin) || !hm_str_ends(tag, "\">")) return HM_EMPTY;
  hm_str id = hm_str_sub(tag, sizeof begin - 1, tag.n - 2);
  for (size_t i = 0; i < id.n; i++) {
    char c = id.p[i];
    if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-') return HM_EMPTY;
  }
  return id;
}

hm_str hm_md_anchor(cmark_node *node) {
  if (cmark_node_get_type(node) != CMARK_NODE_HTML_INLINE) return HM_EMPTY;
  cmark_node *next = cmark_node_next(node);
  if (!next || cmark_node_get_type(next) != CMARK_NODE_HTML_INLINE) return HM_EMPTY;
  return hm_str_is(hm_md_literal(next), "</a>") ? anchor_id(hm_md_literal(node)) : HM_EMPTY;
}

/* Anchors come first, wherever they stand: a heading from a fact cannot take the id of a row. */
static void take_anchors(hm_md_ids *ids) {
  ids->started = true;
  hm_map_init(&ids->counts, ids->a, 16);
  for (cmark_node *n = ids->root; n; n = hm_md_next(n, ids->root)) {
    hm_str id = hm_md_anchor(n);
    if (id.n) hm_map_add(&ids->counts, id, 0);
  }
}

/* --- headings -------------------------------------------------------------- */

/* Counting goes on where the last repeat of the same text ended, so that a page
 * of equal headings is no square. */
hm_str hm_md_ids_heading(hm_md_ids *ids, hm_str text) {
  hm_str base = hm_heading_id(ids->a, text);
  if (!base.n) return base;
  if (!ids->started) take_anchors(ids);
  uint32_t n = hm_map_get(&ids->counts, base);
  if (n == HM_MAP_NONE) {
    hm_map_add(&ids->counts, base, 0);
    return base;
  }
  hm_str id;
  do id = hm_str_fmt(ids->a, "%.*s-%u", HM_FMT(base), (unsigned)++n);
  while (hm_map_get(&ids->counts, id) != HM_MAP_NONE);
  hm_map_set(&ids->counts, base, n);
  hm_map_add(&ids->counts, id, 0);
  return id;
}
