/* Letters with accents, and how they are written without. */
#ifndef HM_LATIN_H
#define HM_LATIN_H
#include "str.h"

/* "ss" of ß, "o" of ø: of a letter that has no mark to take away; else NULL. */
const char *hm_latin_form(uint32_t cp);
/* The texts are one, or one of them writes plainly what has accents in the other: "Maria" and
 * "María", "Mueller" or "Muller" and "Müller". Two accents differ, and so do two plain letters.
 * Case counts. Cost: linear. */
bool hm_latin_same(hm_str x, hm_str y);
#endif
