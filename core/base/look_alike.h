/* Texts that look the same and are not: Latin A, Greek Α, Cyrillic А. */
#ifndef HM_LOOK_ALIKE_H
#define HM_LOOK_ALIKE_H
#include "str.h"

/* Where two texts differ that look alike, at most `most` places: "U+0061 / U+0430, U+0063 /
 * U+0441", in a. Empty when they do not look alike, or do not differ. Lower case. */
hm_str hm_look_alike(hm_arena *a, hm_str x, hm_str y, size_t most);
#endif
