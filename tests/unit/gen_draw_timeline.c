/* Timelines: places, what is said beside colour, hostile labels, bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tests/unit/gen_draw_help.h"

static hm_str draw_bars(hm_arena *a, const hm_draw_timeline *t) {
  hm_buf b = { 0 };
  hm_draw_timeline_svg(t, &b);
  hm_str s = hm_buf_copy(&b, a);
  hm_buf_free(&b);
  return s;
}

static hm_str one(hm_arena *a, const hm_draw_bar *b) {
  return draw_bars(a, &(hm_draw_timeline){ .title = HM_STR("T"), .bars = b, .n_bars = 1 });
}

static void a_bar_is_what_is_certain(void **state) {
  hm_arena *a = hm_arena_new();
  (void)state;
  hm_draw_bar b = { .label = HM_STR("Ann"), .certain = { 0, 5000 }, .possible = { 0, 5000 } };
  hm_str s = one(a, &b);
  assert_count(s, "<rect x=\"2.00%\" y=\"27\" width=\"48.00%\" height=\"12\" class=\"b\"/>", 1);
  assert_count(s, "class=\"m\"", 0);
  assert_count(s, "\u26A0 disputed", 0);
  /* dashed beyond it, and fading where it goes on */
  b.possible = (hm_draw_span){ 0, 6000 };
  assert_count(one(a, &b), "class=\"m\"", 1);
  b.open_until = true;
  assert_count(one(a, &b), "fill=\"url(#r)\"", 1);
  b.life = true;
  assert_count(one(a, &b), "fill=\"url(#R)\"", 1);
  /* nothing is certain: only the dashes */
  b = (hm_draw_bar){ .label = HM_STR("Ann"), .certain = { 5, 5 }, .possible = { 100, 200 } };
  s = one(a, &b);
  assert_count(s, "class=\"m\"", 1);
  assert_count(s, "class=\"b\"", 0);
  hm_arena_free(a);
}

static void what_is_contested_says_so(void **state) {
  hm_arena *a = hm_arena_new();
  (void)state;
  hm_draw_span spans[] = { { 100, 200 }, { 9999, 10000 } };
  hm_draw_bar b = { .label = HM_STR("Ann"),
                    .certain = { 0, 5000 },
                    .possible = { 0, 5000 },
                    .contested = spans,
                    .n_contested = 2 };
  hm_str s = one(a, &b);
  assert_count(s, "Ann<tspan class=\"a\"> \u26A0 disputed</tspan>", 1);
  assert_count(s, "fill=\"url(#h)\"", 2);
  hm_arena_free(a);
}

/* A legend tells of no end that fades where what is contested is drawn over it. */
static void signs_are_those_that_show(void **state) {
  static const hm_draw_span spans[] = { { 0, 1000 }, { 4000, 5000 } };
  hm_draw_bar b = { .certain = { 0, 5000 }, .possible = { 0, 5000 }, .open_until = true };
  hm_draw_timeline t = { .bars = &b, .n_bars = 1 };
  (void)state;
  assert_true(hm_draw_timeline_signs(&t).fading && !hm_draw_timeline_signs(&t).hatched);
  b.contested = spans;
  b.n_contested = 1;
  assert_true(hm_draw_timeline_signs(&t).fading && hm_draw_timeline_signs(&t).hatched);
  b.n_contested = 2;
  assert_false(hm_draw_timeline_signs(&t).fading);
  hm_arena *a = hm_arena_new();
  assert_count(draw_bars(a, &t), "fill=\"url(#r)\"", 0);
  hm_arena_free(a);
  b.open_from = true;
  assert_false(hm_draw_timeline_signs(&t).fading);
  b.contested = &spans[1];
  b.n_contested = 1;
  assert_true(hm_draw_timeline_signs(&t).fading);
}

/* No label opens a tag, ends an attribute or makes the file no XML. */
static void hostile_labels_are_text(void **state) {
  static const char *const labels[] = { "<script>alert(1)</script>",
                                        "]]>",
                                        "\" onload=\"x",
                                        "&quot;&#0;",
                                        "a\x01"
                                        "b\x7f",
                                        "\xef\xbf\xbf and \xef\xbf\xbe",
                                        "\xff\xfe",
                                        "\xe2\x80\xae"
                                        "rtl",
                                        "--><svg onload=x>" };
  hm_arena *a = hm_arena_new();
  (void)state;
  for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
    hm_str l = hm_str_c(labels[i]);
    hm_draw_bar b = { .label = l, .certain = { 0, 100 }, .possible = { 0, 100 } };
    hm_draw_tick k = { 50, l, true };
    hm_str s = draw_bars(a, &(hm_draw_timeline){ l, l, &b, 1, &k, 1 });
    assert_count(s, "<script", 0);
    assert_count(s, "<svg", 1);
    assert_count(s, " onload=\"", 0);
    assert_count(s, "\xef\xbf\xbf", 0);
    assert_count(s, "\xef\xbf\xbe", 0);
    for (size_t c = 0; c < s.n; c++)
      if ((unsigned char)s.p[c] < 0x20 && s.p[c] != '\n') fail_msg("a control character: %zu", i);
  }
  hm_arena_free(a);
}

static void it_is_bounded(void **state) {
  static hm_draw_bar bars[5000];
  static hm_draw_tick ticks[500];
  hm_arena *a = hm_arena_new();
  (void)state;
  for (size_t i = 0; i < 5000; i++)
    bars[i] = (hm_draw_bar){ .label = HM_STR("x"),
                             .certain = { -500, 20000 },
                             .possible = { -500, 20000 } };
  for (int i = 0; i < 500; i++) ticks[i] = (hm_draw_tick){ i * 30, HM_STR("t"), false };
  hm_draw_timeline t = { HM_STR("T"), HM_STR("D"), bars, 5000, ticks, 500 };
  hm_str s = draw_bars(a, &t);
  assert_count(s, "class=\"b\"", HM_DRAW_BARS_MAX);
  assert_count(s, "<line ", HM_DRAW_TICKS_MAX);
  assert_count(s, "width=\"96.00%\"", HM_DRAW_BARS_MAX);
  assert_true(hm_str_eq(s, draw_bars(a, &t)));
  assert_count(draw_bars(a, &(hm_draw_timeline){ .title = HM_STR("T") }), "</svg>\n", 1);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(a_bar_is_what_is_certain),
                                      cmocka_unit_test(what_is_contested_says_so),
                                      cmocka_unit_test(signs_are_those_that_show),
                                      cmocka_unit_test(hostile_labels_are_text),
                                      cmocka_unit_test(it_is_bounded) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
