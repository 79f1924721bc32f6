/* Colours of the house against the contrast that readers need. */
#ifndef HM_CONTRAST_H
#define HM_CONTRAST_H
#include "gen/mirror/config.h"

/* front stands on back, in light or dark mode: with `ratio` to one, where `least` is asked for. */
typedef struct {
  const char *front, *back;              /* names */
  const char *front_colour, *back_colour; /* "#14586e" */
  bool dark;
  double ratio, least;
} hm_low_contrast;

/* How much lighter the one is than the other, by WCAG 2.2: 1 to 21. Both are "#rgb" or
 * "#rrggbb". */
double hm_contrast(const char *x, const char *y);
/* The pairs that are too close, of those that the theme puts upon each other and of which the house
 * set at least one; css: the theme's style sheet, which has the others as custom properties. A
 * colour that neither knows is passed over. *n of them, in a; no error. */
const hm_low_contrast *hm_contrasts_low(const hm_house_config *house, hm_str css, hm_arena *a,
                                        size_t *n);
#endif
