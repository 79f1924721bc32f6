#include "gen/history/inline.h"

#include <string.h>

ptrdiff_t hm_inline_find(hm_str md, size_t from, const char *needle) {
  size_t n = strlen(needle);
  for (size_t i = from; i + n <= md.n; i++) {
    if (memcmp(md.p + i, needle, n) == 0) return (ptrdiff_t)i;
    if (md.p[i] == '\\') i++;
  }
  return -1;
}

/* The next bare `needle` before any bare '[', or -1: neither labels nor targets of ours have one,
 * and a line of nothing but '[' is read in linear time. */
static ptrdiff_t find_within(hm_str md, size_t from, const char *needle) {
  size_t n = strlen(needle);
  for (size_t i = from; i + n <= md.n && md.p[i] != '['; i++) {
    if (memcmp(md.p + i, needle, n) == 0) return (ptrdiff_t)i;
    if (md.p[i] == '\\') i++;
  }
  return -1;
}

bool hm_inline_link_at(hm_str md, size_t at, hm_inline_link *out) {
  if (at >= md.n || md.p[at] != '[') return false;
  ptrdiff_t middle = find_within(md, at + 1, "](");
  ptrdiff_t end = middle < 0 ? -1 : find_within(md, (size_t)middle + 2, ")");
  if (end < 0) return false;
  *out = (hm_inline_link){ hm_str_sub(md, at + 1, (size_t)middle), hm_str_sub(md, (size_t)middle + 2, (size_t)end), (size_t)end + 1 };
  return true;
}

static bool is_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

/* Bytes of an HTML tag of ours at i: facts have no bare '<', so that one ends the search, and a line of
 * nothing but '<' is read in linear time. */
static size_t tag_at(hm_str md, size_t i) {
  if (md.p[i] != '<') return 0;
  for (size_t end = i + 1; end < md.n && md.p[end] != '<'; end++)
    if (md.p[end] == '>') return end + 1 - i;
  return 0;
}

/* Bytes of what the escaper writes for one character without a backslash (gen/render/md_escape.c) at i, or 0. */
static size_t written_at(hm_str md, size_t i, char *c) {
  static const struct { const char *as; char c; } written[] = {
    { "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "`@`", '@' } };
  if (md.p[i] != '&' && md.p[i] != '`') return 0;
  for (size_t k = 0; k < sizeof written / sizeof *written; k++) {
    size_t n = strlen(written[k].as);
    if (md.n - i < n || memcmp(md.p + i, written[k].as, n) != 0) continue;
    *c = written[k].c;
    return n;
  }
  return 0;
}

static void put_text(hm_buf *b, hm_str md) {
  hm_inline_link link;
  char c;
  for (size_t i = 0; i < md.n;) {
    size_t tag = tag_at(md, i), n = written_at(md, i, &c);
    if (tag) {
      i += tag;
    } else if (n) {
      hm_buf_ch(b, c);
      i += n;
    } else if (hm_inline_link_at(md, i, &link)) {
      put_text(b, link.label);   /* a label has no bare '[' */
      i = link.end;
    } else {
      if (md.p[i] == '\\' && i + 1 < md.n && is_punctuation(md.p[i + 1])) i++;
      else if (md.p[i] == '*') { i++; continue; }
      hm_buf_ch(b, md.p[i++]);
    }
  }
}

hm_str hm_inline_text(hm_str md, hm_arena *a) {
  md = hm_str_trim(md);
  size_t plain = 0;
  while (plain < md.n && !memchr("\\[<*&`", md.p[plain], 6)) plain++;
  if (plain == md.n) return md;
  hm_buf b = { 0 };
  put_text(&b, md);
  hm_str s = hm_str_trim(hm_buf_keep(&b, a));
  hm_buf_free(&b);
  return s;
}

static size_t count_bars(hm_str row, size_t most) {
  size_t n = 0;
  for (size_t i = 0; i < row.n && n < most; i++) n += row.p[i] == '|';
  return n;
}

size_t hm_inline_cells(hm_str row, size_t most, hm_arena *a, hm_str **out) {
  size_t n = 0, from = row.n && row.p[0] == '|' ? 1 : 0;
  *out = hm_alloc_array(a, count_bars(row, most), sizeof **out);
  for (ptrdiff_t bar; n < most && (bar = hm_inline_find(row, from, "|")) >= 0; from = (size_t)bar + 1)
    (*out)[n++] = hm_str_trim(hm_str_sub(row, from, (size_t)bar));
  return n;
}

bool hm_inline_last_link(hm_str md, const char *tail, size_t *at, hm_inline_link *out) {
  hm_inline_link link;
  bool found = false;
  for (size_t i = 0; i < md.n; i++) {
    if (hm_inline_link_at(md, i, &link)) {
      found = hm_str_is(hm_str_sub(md, link.end, md.n), tail);
      *at = i;
      *out = link;
      i = link.end - 1;
    } else if (md.p[i] == '\\') {
      i++;
    }
  }
  return found;
}

hm_inline_value hm_inline_value_of(hm_str md, hm_arena *a) {
  hm_inline_value v = { .whole = HM_EMPTY };
  hm_inline_link link;
  size_t at = 0;
  md = hm_str_trim(md);
  if (hm_inline_last_link(md, "", &at, &link) && hm_str_find(link.url, "conflicts/") >= 0) md = hm_str_trim(hm_str_sub(md, 0, at));
  if (hm_inline_last_link(md, ")", &at, &link) && at && md.p[at - 1] == '(') {
    v.whole = link.url;
    md = hm_str_trim(hm_str_sub(md, 0, at - 1));
  }
  v.text = hm_inline_text(md, a);
  return v;
}
