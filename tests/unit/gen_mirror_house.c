/* The house's own style: its keys in mirror.yml. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gen/mirror/config.h"
#include "gen/mirror/theme.h"
#include "gen/render/builtin.h"

static int setup(void **state) { *state = hm_arena_new(); return 0; }
static int teardown(void **state) { hm_arena_free(*state); return 0; }

static void keys(void **state) {
  hm_config c;
  hm_err err = { 0 };
  const char yaml[] = "extra_css: [brand.css, style/more.css]\nextra_head: head.html\n"
                      "logo: pictures/logo.svg\n"
                      "colours: {accent: '#ABC', link: '#14586e  #84c9e0'}\n";
  assert_int_equal(hm_config_parse(*state, hm_str_c(yaml), "mirror.yml", "conf", &c, &err), 0);
  const hm_house_config *h = &c.house;
  assert_string_equal(h->folder, "conf");
  assert_int_equal(h->n_css, 2);
  assert_string_equal(h->css[1], "style/more.css");
  assert_string_equal(h->head, "head.html");
  assert_string_equal(h->logo, "pictures/logo.svg");
  assert_int_equal(h->n_colours, 2);
  assert_string_equal(h->colours[0].light, "#ABC");
  assert_string_equal(h->colours[0].dark, "#ABC");
  assert_string_equal(h->colours[1].name, "link");
  assert_string_equal(h->colours[1].light, "#14586e");
  assert_string_equal(h->colours[1].dark, "#84c9e0");
}

/* Figures of WCAG's own examples: black on white, and the greys at both sides of 4.5. */
static void contrast(void **state) {
  (void)state;
  static const struct { const char *x, *y; int hundredths; } cases[] = {
    { "#000", "#fff", 2100 },       { "#FFF", "#ffffff", 100 }, { "#777777", "#ffffff", 447 },
    { "#767676", "#ffffff", 454 },  { "#f00", "#fff", 399 },    { "#0000ff", "#ffffff", 859 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal((int)(100 * hm_contrast_ratio(cases[i].x, cases[i].y)), cases[i].hundredths);
    assert_int_equal((int)(100 * hm_contrast_ratio(cases[i].y, cases[i].x)), cases[i].hundredths);
  }
}

/* What the theme's sheet gives the colour in its two modes, both of seven characters. */
static hm_colour own_colour(hm_arena *a, hm_str css, const char *name) {
  hm_str want = hm_str_fmt(a, "--%s: #", name);
  ptrdiff_t light = hm_str_find(css, want.p);
  hm_str rest = hm_str_sub(css, (size_t)light + want.n, css.n);
  ptrdiff_t dark = hm_str_find(rest, want.p);
  return (hm_colour){ name, hm_str_fmt(a, "#%.6s", rest.p).p,
                      hm_str_fmt(a, "#%.6s", rest.p + dark + want.n).p };
}

/* The theme keeps what it asks of others: none of its own pairs is too close. */
static void theme_has_contrast(void **state) {
  static const char *const names[] = { "accent", "alert", "ink", "link", "quiet", "visited" };
  const hm_builtin *css = hm_builtin_find("themes/default/style.css");
  const hm_str bytes = { css->bytes, css->n };
  size_t n;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    for (int bad = 0; bad < 2; bad++) {
      /* Set to what it is, and, so that the test can fail, to what its paper is. */
      hm_colour one = { names[i], bad ? "#fdfcfa" : NULL, bad ? "#14191d" : NULL };
      if (!bad) one = own_colour(*state, bytes, names[i]);
      hm_house_config h = { .colours = &one, .n_colours = 1 };
      hm_low_contrasts(&h, bytes, *state, &n);
      assert_int_equal(n > 0, bad);
    }
  }
}

static void refusals(void **state) {
  static const char name[] = "write brand.css or style/brand.css",
                    colour[] = "write \"#14586e\" in quotes; a second one is that of dark mode";
  const char *const cases[][3] = {
    { "extra_css: [a.css, /etc/b.css]", "extra_css[1]: not a file of the mirror's folder", name },
    { "extra_css: [../a.css]", "extra_css[0]: not a file of the mirror's folder", name },
    { "extra_css: ['']", "extra_css[0]: not a file of the mirror's folder", name },
    { "extra_css: [a b.css]", "extra_css[0]: its name cannot be published",
      "use letters, digits and . _ - in names" },
    { "extra_css: [a.js]", "extra_css[0]: not a file of that kind", name },
    { "logo: logo.exe", "logo: not a file of that kind",
      "name a .svg, .png, .jpg, .gif, .webp or .avif file" },
    { "extra_head: ./head.html", "extra_head: not a file of the mirror's folder",
      "write head.html or style/head.html" },
    { "colours: {acent: '#fff'}", "colours.acent: the theme has no such colour",
      "did you mean 'accent'?" },
    { "colours: {zzzzz: '#fff'}", "colours.zzzzz: the theme has no such colour",
      "see hmirror-config(5) for their names" },
    { "colours: {link: red}", "colours.link: not a colour", colour },
    { "colours: {link: '#ffff'}", "colours.link: not a colour", colour },
    { "colours: {link: '#fff;}'}", "colours.link: not a colour", colour },
    { "colours: {link: '#fff #000 #111'}", "colours.link: not a colour", colour },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_config c;
    hm_err err = { 0 };
    char line[1000], want[1000];
    assert_int_equal(hm_config_parse(*state, hm_str_c(cases[i][0]), "mirror.yml", "", &c, &err),
                     -1);
    hm_err_format_line(&err, line, sizeof line);
    snprintf(want, sizeof want, "mirror.yml:1: %s: %s", cases[i][1], cases[i][2]);
    assert_string_equal(line, want);
  }
}

/* Every custom property of the theme that has a hexadecimal value is a colour by that name. */
static void the_colours_are_those_of_the_theme(void **state) {
  const hm_builtin *b = hm_builtin_find("themes/default/style.css");
  hm_str css = { b->bytes, b->n };
  size_t seen = 0;
  for (ptrdiff_t at; (at = hm_str_find(css, "\n  --")) >= 0;) {
    css = hm_str_sub(css, (size_t)at + 5, css.n);
    size_t n = strcspn(css.p, ":");
    if (css.p[n + 2] != '#') continue;
    hm_config c;
    hm_err err = { 0 };
    hm_str yaml = hm_str_fmt(*state, "colours: {%.*s: '#123'}", (int)n, css.p);
    if (hm_config_parse(*state, yaml, "mirror.yml", "", &c, &err)) fail_msg("%s", err.what);
    seen++;
  }
  assert_int_equal(seen, 12);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(keys, setup, teardown),
    cmocka_unit_test_setup_teardown(refusals, setup, teardown),
    cmocka_unit_test_setup_teardown(contrast, setup, teardown),
    cmocka_unit_test_setup_teardown(theme_has_contrast, setup, teardown),
    cmocka_unit_test_setup_teardown(the_colours_are_those_of_the_theme, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
