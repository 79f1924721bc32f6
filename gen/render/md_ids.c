#include <string.h>

#include "core/base/text.h"
#include "gen/render/escape.h"
#include "gen/render/md_impl.h"

/* Letters, marks and numbers stay, in lower case; what folds to more than one
 * character ("ß") stays as it is. */
static void put_wide(hm_buf *b, hm_arena *a, uint32_t cp) {
  hm_buf one = { 0 };
  hm_text_put(&one, cp);
  hm_str folded = hm_text_name(a, hm_buf_view(&one));
  size_t i = 0;
  if (folded.n) hm_text_next(folded, &i);
  if (folded.n) hm_buf_str(b, i == folded.n ? folded : hm_buf_view(&one));
  hm_buf_free(&one);
}

hm_str hm_heading_id(hm_arena *a, hm_str text) {
  text = hm_clean(a, text);
  hm_buf b = { 0 };
  for (size_t i = 0; i < text.n;) {
    uint32_t cp = hm_text_next(text, &i);
    if (cp >= 0x80) put_wide(&b, a, cp);
    else if (cp >= 'A' && cp <= 'Z') hm_buf_ch(&b, (char)(cp - 'A' + 'a'));
    else if (cp == ' ') hm_buf_ch(&b, '-');
    else if ((cp >= 'a' && cp <= 'z') || (cp >= '0' && cp <= '9') || cp == '-' || cp == '_') hm_buf_ch(&b, (char)cp);
  }
  hm_str id = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return id;
}

static hm_map *counts(hm_md_ids *ids) {
  if (!ids->started) hm_map_init(&ids->counts, ids->a, 16);
  ids->started = true;
  return &ids->counts;
}

/* --- anchors -------------------------------------------------------------- */

#define ANCHOR "<a id=\""

/* Nearly never does a heading want what an anchor has. So the text tells what anchors there may be, and only when one of
 * these is wanted the whole tree is looked through for those that there are. */
void hm_md_ids_anchors(hm_md_ids *ids, cmark_node *root, hm_str md) {
  for (ptrdiff_t at; (at = hm_str_find(md, ANCHOR)) >= 0;) {
    md = hm_str_sub(md, (size_t)at + sizeof ANCHOR - 1, md.n);
    const char *end = md.n ? memchr(md.p, '"', md.n) : NULL;
    if (!end) return;
    if (!ids->root) hm_map_init(&ids->maybe, ids->a, 64);
    ids->root = root;
    hm_map_add(&ids->maybe, (hm_str){ md.p, (size_t)(end - md.p) }, 1);
  }
}

static void take_anchors(hm_md_ids *ids) {
  cmark_node *root = ids->root;
  ids->root = NULL;
  for (cmark_node *n = root; n; n = hm_md_next(n, root, NULL, NULL)) {
    hm_str id = hm_md_anchor(n);
    if (id.n) hm_map_add(counts(ids), id, 0);
  }
}

/* --- headings -------------------------------------------------------------- */

static uint32_t count_of(hm_md_ids *ids, hm_str id) {
  if (ids->root && hm_map_get(&ids->maybe, id) != HM_MAP_NONE) take_anchors(ids);
  return hm_map_get(counts(ids), id);
}

/* Counting goes on where the last repeat of the same text ended, so that a page
 * of equal headings is no square. */
hm_str hm_md_ids_heading(hm_md_ids *ids, hm_str text) {
  hm_str base = hm_heading_id(ids->a, text);
  if (!base.n) return base;
  uint32_t n = count_of(ids, base);
  if (n == HM_MAP_NONE) {
    hm_map_add(counts(ids), base, 0);
    return base;
  }
  hm_str id;
  do id = hm_str_fmt(ids->a, "%.*s-%u", HM_FMT(base), (unsigned)++n);
  while (count_of(ids, id) != HM_MAP_NONE);
  hm_map_set(counts(ids), base, n);
  hm_map_add(counts(ids), id, 0);
  return id;
}
