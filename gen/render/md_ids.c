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

void hm_md_ids_take(hm_md_ids *ids, hm_str id) { hm_map_add(counts(ids), id, 0); }

/* Counting goes on where the last repeat of the same text ended, so that a page
 * of equal headings is no square. */
hm_str hm_md_ids_heading(hm_md_ids *ids, hm_str text) {
  hm_str base = hm_heading_id(ids->a, text);
  if (!base.n) return base;
  hm_map *m = counts(ids);
  uint32_t n = hm_map_get(m, base);
  if (n == HM_MAP_NONE) {
    hm_map_add(m, base, 0);
    return base;
  }
  hm_str id;
  do id = hm_str_fmt(ids->a, "%.*s-%u", HM_FMT(base), (unsigned)++n);
  while (hm_map_get(m, id) != HM_MAP_NONE);
  hm_map_set(m, base, n);
  hm_map_add(m, id, 0);
  return id;
}
