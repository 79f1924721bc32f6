#include <string.h>

#include "core/base/text.h"
#include "gen/render/escape.h"
#include "gen/render/md_impl.h"

#define ANCHOR "<a id=\""

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
    if (cp >= 0x80) put_wide(&b, a, hm_str_sub(text, from, i));
    else if (cp >= 'A' && cp <= 'Z') hm_buf_ch(&b, (char)(cp - 'A' + 'a'));
    else if (cp == ' ') hm_buf_ch(&b, '-');
    else if ((cp >= 'a' && cp <= 'z') || (cp >= '0' && cp <= '9') || cp == '-' || cp == '_') hm_buf_ch(&b, (char)cp);
  }
  hm_str id = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return id;
}

/* --- anchors -------------------------------------------------------------- */

hm_str hm_md_anchor_id(hm_str tag) {
  if (!hm_str_starts(tag, ANCHOR) || !hm_str_ends(tag, "\">")) return HM_EMPTY;
  hm_str id = hm_str_sub(tag, sizeof ANCHOR - 1, tag.n - 2);
  for (size_t i = 0; i < id.n; i++)
    if (!(id.p[i] >= 'a' && id.p[i] <= 'z') && !(id.p[i] >= '0' && id.p[i] <= '9') && id.p[i] != '-') return HM_EMPTY;
  return id;
}

/* Nearly never does a heading want what an anchor has. So the text tells what anchors there may be, and only when one of
 * these is wanted the page is read for those that there are. */
static void start(hm_md_ids *ids) {
  hm_str md = ids->md;
  ids->started = true;
  hm_map_init(&ids->counts, ids->a, 16);
  for (ptrdiff_t at; (at = hm_str_find(md, ANCHOR)) >= 0;) {
    md = hm_str_sub(md, (size_t)at + sizeof ANCHOR - 1, md.n);
    const char *end = md.n ? memchr(md.p, '"', md.n) : NULL;
    if (!end) return;
    if (!ids->waiting) hm_map_init(&ids->maybe, ids->a, 64);
    ids->waiting = true;
    hm_map_add(&ids->maybe, (hm_str){ md.p, (size_t)(end - md.p) }, 1);
  }
}

typedef struct { hm_md_ids *ids; hm_str open; } anchors;

static int pass_block(MD_BLOCKTYPE type, void *detail, void *ctx) {
  (void)type, (void)detail;
  ((anchors *)ctx)->open = HM_EMPTY;
  return 0;
}

static int pass_span(MD_SPANTYPE type, void *detail, void *ctx) {
  (void)type, (void)detail;
  ((anchors *)ctx)->open = HM_EMPTY;
  return 0;
}

static int pass_text(MD_TEXTTYPE type, const MD_CHAR *p, MD_SIZE n, void *ctx) {
  anchors *x = ctx;
  hm_str s = { p, n };
  if (type == MD_TEXT_HTML && x->open.n && hm_str_is(s, "</a>")) hm_map_add(&x->ids->counts, x->open, 0);
  x->open = type == MD_TEXT_HTML ? hm_md_anchor_id(s) : HM_EMPTY;
  return 0;
}

/* The page was read once before, so this cannot fail but for want of memory, and then two ids are alike. */
static void take_anchors(hm_md_ids *ids) {
  static const MD_PARSER calls = { .enter_block = pass_block, .leave_block = pass_block, .enter_span = pass_span,
                                   .leave_span = pass_span, .text = pass_text };
  anchors x = { .ids = ids };
  hm_err ignored;
  ids->waiting = false;
  hm_md_parse(ids->md, &calls, &x, &ignored);
}

/* --- headings -------------------------------------------------------------- */

static uint32_t count_of(hm_md_ids *ids, hm_str id) {
  if (ids->waiting && hm_map_get(&ids->maybe, id) != HM_MAP_NONE) take_anchors(ids);
  return hm_map_get(&ids->counts, id);
}

/* Counting goes on where the last repeat of the same text ended, so that a page
 * of equal headings is no square. */
hm_str hm_md_ids_heading(hm_md_ids *ids, hm_str text) {
  hm_str base = hm_heading_id(ids->a, text);
  if (!base.n) return base;
  if (!ids->started) start(ids);
  uint32_t n = count_of(ids, base);
  if (n == HM_MAP_NONE) {
    hm_map_add(&ids->counts, base, 0);
    return base;
  }
  hm_str id;
  do id = hm_str_fmt(ids->a, "%.*s-%u", HM_FMT(base), (unsigned)++n);
  while (count_of(ids, id) != HM_MAP_NONE);
  hm_map_set(&ids->counts, base, n);
  hm_map_add(&ids->counts, id, 0);
  return id;
}
