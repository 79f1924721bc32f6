/* Text of SVG files: its width, by kind of sign. The widths are those of the widest of
 * the fonts that the drawings ask for, rounded up; nobody knows which font a reader has. */
#include "gen/draw/svg_text.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/text.h"

static int sign_width(uint32_t c) {
  if (c >= 0x1100) return c < 0x2000 ? 13 : c < 0x2E80 ? 12 : 14;   /* wide scripts, signs */
  if (c >= 0x80) return 9;
  if (strchr(" .,:;'!|ijl()[]/-", (int)c)) return 5;
  if (strchr("mwMW@%", (int)c)) return 13;
  return c >= 'A' && c <= 'Z' ? 10 : 8;
}

int hm_svg_text_width(hm_str text) {
  int width = 0;
  for (size_t i = 0; i < text.n && width < 1 << 20;) width += sign_width(hm_text_next(text, &i));
  return width;
}

hm_str hm_svg_text_cut(hm_arena *a, hm_str text, int width) {
  size_t i = 0, keep = 0;
  int at = 0, dots = sign_width(0x2026);
  while (i < text.n) {
    at += sign_width(hm_text_next(text, &i));
    if (at > width) return HM_CAT(a, hm_str_trim(hm_str_sub(text, 0, keep)), HM_STR("\u2026"));
    if (at + dots <= width) keep = i;
  }
  return text;
}
