/* See contrast.h. Rule: WCAG 2.2, success criteria 1.4.3 (text: 4.5) and 1.4.11 (what shows where
 * the focus is: 3), with its relative luminance. Colours that the house did not set are read from
 * the theme's sheet: the first "--ink:" is that of light mode, the second that of dark mode. The
 * table of pairs is what themes/default/style.css does with them. Cost: O(pairs * sheet). */
#include "gen/mirror/contrast.h"

#include <math.h>
#include <string.h>

#define TEXT 4.5
#define SHAPE 3.0

static const struct { const char *front, *back; double least; } pairs[] = {
  { "accent", "paper", SHAPE },   { "alert", "alert-paper", TEXT }, { "ink", "alert-paper", TEXT },
  { "ink", "paper", TEXT },       { "ink", "sheet", TEXT },         { "ink", "stripe", TEXT },
  { "link", "paper", TEXT },      { "link", "sheet", TEXT },        { "link", "stripe", TEXT },
  { "quiet", "alert-paper", TEXT }, { "quiet", "paper", TEXT },     { "quiet", "sheet", TEXT },
  { "visited", "paper", TEXT },   { "visited", "sheet", TEXT },     { "visited", "stripe", TEXT },
};

static int digit(char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; }

static double luminance(const char *s) {
  static const double weight[] = { 0.2126, 0.7152, 0.0722 };
  bool is_long = strspn(s + 1, "0123456789abcdefABCDEF") >= 6;
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    int value = is_long ? digit(s[1 + 2 * i]) * 16 + digit(s[2 + 2 * i]) : digit(s[1 + i]) * 17;
    double x = value / 255.0;
    sum += weight[i] * (x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double hm_contrast(const char *x, const char *y) {
  double a = luminance(x), b = luminance(y);
  return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

/* The colour that the sheet gives the property for the first or the second time; NULL: none. */
static const char *colour_in(hm_str css, const char *name, bool second, hm_arena *a) {
  char want[40];
  snprintf(want, sizeof want, "--%s:", name);
  for (int left = second; left >= 0; left--) {
    ptrdiff_t at = hm_str_find(css, want);
    if (at < 0) return NULL;
    css = hm_str_sub(css, (size_t)at + strlen(want), css.n);
  }
  hm_str value = hm_str_trim(hm_str_sub(css, 0, css.n < 40 ? css.n : 40));
  const char *z = hm_str_z(a, value);
  size_t digits = *z == '#' ? strspn(z + 1, "0123456789abcdefABCDEF") : 0;
  return digits == 3 || digits == 6 ? hm_str_z(a, hm_str_sub(value, 0, digits + 1)) : NULL;
}

static const hm_colour *set_by(const hm_house_config *house, const char *name) {
  for (size_t i = 0; i < house->n_colours; i++)
    if (strcmp(house->colours[i].name, name) == 0) return &house->colours[i];
  return NULL;
}

static const char *colour_of(const hm_house_config *house, hm_str css, const char *name, bool dark,
                             hm_arena *a) {
  const hm_colour *c = set_by(house, name);
  return !c ? colour_in(css, name, dark, a) : dark ? c->dark : c->light;
}

const hm_low_contrast *hm_contrasts_low(const hm_house_config *house, hm_str css, hm_arena *a,
                                        size_t *n) {
  hm_low_contrast *v = hm_alloc_array(a, 2 * HM_COUNT(pairs), sizeof *v);
  *n = 0;
  for (int dark = 0; dark < 2; dark++)
    for (size_t i = 0; i < HM_COUNT(pairs); i++) {
      const char *front = pairs[i].front, *back = pairs[i].back;
      if (!set_by(house, front) && !set_by(house, back)) continue;
      const char *x = colour_of(house, css, front, dark, a),
                 *y = colour_of(house, css, back, dark, a);
      double ratio = x && y ? hm_contrast(x, y) : 21;
      if (ratio >= pairs[i].least) continue;
      v[(*n)++] = (hm_low_contrast){ front, back, x, y, dark, ratio, pairs[i].least };
    }
  return v;
}
