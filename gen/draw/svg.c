/* Shared by all SVG files: how they begin, and how wide text is. A width depends on the kind of
 * character: that of the widest font that the drawings name, rounded up, since the reader's font is
 * unknown. */
#include "gen/draw/draw.h"

#include <stdio.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/text.h"
#include "core/markdown/escape.h"

static int sign_width(uint32_t c) {
  if (c >= 0x1100)
    return c < 0x2000 ? 13 : c < 0x2E80 ? 12 : 14; /* wide scripts, signs */
  if (c >= 0x80)
    return 9;
  if (strchr(" .,:;'!|ijl()[]/-", (int)c))
    return 5;
  if (strchr("mwMW@%", (int)c))
    return 13;
  return c >= 'A' && c <= 'Z' ? 10 : 8;
}

int hm_svg_text_width(hm_str text) {
  int width = 0;
  for (size_t i = 0; i < text.n && width < 1 << 20;)
    width += sign_width(hm_text_next(text, &i));
  return width;
}

hm_str hm_svg_text_cut(hm_arena *a, hm_str text, int width) {
  size_t i = 0, keep = 0;
  int at = 0, dots = sign_width(0x2026);
  while (i < text.n) {
    at += sign_width(hm_text_next(text, &i));
    if (at > width)
      return HM_CAT(a, hm_str_trim(hm_str_sub(text, 0, keep)), HM_STR("\u2026"));
    if (at + dots <= width)
      keep = i;
  }
  return text;
}

void hm_svg_begin(hm_buf *out, hm_str size, hm_str title, hm_str desc, const char *style) {
  hm_buf_fmt(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" %.*s role=\"img\" "
             "aria-labelledby=\"title desc\">\n<title id=\"title\">",
             HM_FMT(size));
  hm_xml_escape(out, title);
  hm_buf_c(out, "</title>\n<desc id=\"desc\">");
  hm_xml_escape(out, desc);
  hm_buf_c(out, "</desc>\n");
  hm_buf_c(out, style);
}

void hm_svg_begin_wide(hm_buf *out, size_t height, hm_str title, hm_str desc, const char *style) {
  char size[64];
  snprintf(size, sizeof size, "width=\"100%%\" height=\"%zu\"", height);
  hm_svg_begin(out, hm_str_c(size), title, desc, style);
  hm_buf_c(out, "<rect class=\"p\" x=\".5\" y=\".5\" width=\"99.8%\" height=\"99%\" rx=\"6\"/>\n");
}

void hm_svg_put_percent(hm_buf *out, const char *name, int hundredths) {
  hm_buf_fmt(out, " %s=\"%d.%02d%%\"", name, hundredths / 100, hundredths % 100);
}
