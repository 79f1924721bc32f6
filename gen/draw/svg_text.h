/* How much room text takes in an SVG file. */
#ifndef HM_SVG_TEXT_H
#define HM_SVG_TEXT_H
#include "core/base/str.h"

/* How wide a text may be in a font of 13 pixels, in pixels: by kind of sign, since no font is read.
 * In monospace fonts and in nearly all others it is narrower. */
int hm_svg_text_width(hm_str text);
/* The text cut so that it is at most `width` wide, in a; "…" ends one that is cut. */
hm_str hm_svg_text_cut(hm_arena *a, hm_str text, int width);
#endif
