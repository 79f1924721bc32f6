/* Texts of graphs and charts: hostile labels stay text, long ones are cut; charts say their counts.
 * HM_SEED repeats a run of the random labels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/digest.h"
#include "tests/unit/gen_draw_help.h"

/* --- hostile labels -------------------------------------------------------------------------------- */

static void assert_harmless(hm_str s, const char *what) {
  if (count(s, "<script") || count(s, "<svg") != 1 || count(s, " onload=\"") ||
      count(s, "\xef\xbf\xbf") || count(s, "\xef\xbf\xbe") || count(s, "\xe2\x80\xae"))
    fail_msg("%s: %.*s", what, HM_FMT(s));
  for (size_t c = 0; c < s.n; c++)
    if ((unsigned char)s.p[c] < 0x20 && s.p[c] != '\n') fail_msg("a control character: %s", what);
}

static void hostile_labels_are_text(void **state) {
  static const char *const labels[] = { "<script>alert(1)</script>", "]]>", "\" onload=\"x",
                                        "&quot;&#0;", "a\x01" "b\x7f", "\xff\xfe", "", "\n\n",
                                        "\xef\xbf\xbf and \xef\xbf\xbe", "\xe2\x80\xae" "rtl",
                                        "--><svg onload=x>", "\\N \\G \\l", "<b>html</b>", "%s%n",
                                        "\xe2\x80\x8b\xe2\x80\x8b", "url(#t)" };
  hm_arena *a = hm_arena_new();
  (void)state;
  for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
    hm_str l = hm_str_c(labels[i]);
    hm_draw_node n[] = { { .key = l, .label = l, .kind = l, .disputed = true },
                         { .key = HM_STR("z"), .label = l, .kind = HM_EMPTY } };
    hm_draw_edge e = { 0, 1, l, false };
    hm_str s = draw(a, &(hm_draw_graph){ l, l, n, 2, &e, 1 });
    assert_harmless(s, labels[i]);
    assert_count(s, "<rect class=\"n", 2);
    hm_draw_bar_row c = { l, { 1, 2, 0, 0 } };
    hm_draw_bar_chart m = { l, l, { "x", "y" }, &c, 1 };
    hm_buf b = { 0 };
    hm_draw_bar_chart_svg(&m, &b);
    assert_harmless(hm_buf_view(&b), labels[i]);
    hm_buf_free(&b);
  }
  hm_arena_free(a);
}

/* Random bytes, and 10,000 of them, do not get out either, and make no box wide. */
static void random_labels_are_text(void **state) {
  static const char *const pieces[] = { "<", ">", "&", "\"", "'", "]]>", "<!--", "a", "W", "\xf0",
                                        "\xe2\x80\xae", "\xef\xbf\xbf", "\x01", "\xcc\x81",
                                        "\xe4\xb8\xad", "\n", " onload=\"", "<script", "\xff" };
  const char *env = getenv("HM_SEED");
  uint64_t seed = env ? strtoull(env, NULL, 10) : hm_random_seed() % 1000000, random = seed + 1;
  char *text = malloc(20000);
  (void)state;
  print_message("HM_SEED=%llu\n", (unsigned long long)seed);
  for (int round = 0; round < 300; round++) {
    hm_arena *a = hm_arena_new();
    size_t n = 0, most = round % 10 ? 60 : 10000;
    while (n < most) {
      const char *p = pieces[prng(&random) % (sizeof pieces / sizeof *pieces)];
      memcpy(text + n, p, strlen(p));
      n += strlen(p);
    }
    hm_str l = { text, n };
    hm_draw_node nodes[] = { { .key = HM_STR("a"), .label = l, .kind = l },
                             { .key = HM_STR("b"), .label = l, .kind = l } };
    hm_draw_edge e = { 0, 1, l, true };
    hm_str s = draw(a, &(hm_draw_graph){ HM_STR("T"), HM_STR("D"), nodes, 2, &e, 1 });
    assert_harmless(s, hm_str_fmt(a, "HM_SEED=%llu, round %d", (unsigned long long)seed, round).p);
    assert_true(atoi(s.p + hm_str_find(s, "width=\"") + 7) < 1000);
    assert_true(s.n < 20000);
    hm_arena_free(a);
  }
  free(text);
}

static void cut_text_fits(void **state) {
  hm_arena *a = hm_arena_new();
  (void)state;
  static const struct { const char *text; int width; const char *is; } cases[] = {
    { "short", 100, "short" },
    { "WWWWWWWWWW", 60, "WWW\u2026" },
    { "iiiiiiiiii", 60, "iiiiiiiiii" },
    { "\u4e2d\u6587\u4e2d\u6587", 45, "\u4e2d\u6587\u2026" },
    { "two words", 45, "two\u2026" },
    { "", 10, "" },
    { "W", 5, "\u2026" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_str is = hm_svg_text_cut(a, hm_str_c(cases[i].text), cases[i].width);
    if (!hm_str_is(is, cases[i].is)) fail_msg("%s: %.*s", cases[i].text, HM_FMT(is));
  }
  hm_arena_free(a);
}

/* --- columns ----------------------------------------------------------------------------------------- */

static void columns_say_their_counts(void **state) {
  hm_arena *a = hm_arena_new();
  hm_buf b = { 0 };
  (void)state;
  hm_draw_bar_row c[] = { { HM_STR("2026-01"), { 1, 0, 3, 0 } }, { HM_STR("2026-02"), { 0 } },
                         { HM_STR("2026-03"), { 0, 2, 0, 0 } } };
  hm_draw_bar_chart m = { HM_STR("T"), HM_STR("D"), { "state", "entities", "memories" }, c, 3 };
  hm_draw_bar_chart_svg(&m, &b);
  hm_str s = hm_buf_view(&b);
  assert_count(s, "2026-01<tspan class=\"k\"> \u2014 4: state 1, memories 3</tspan>", 1);
  assert_count(s, "2026-02<tspan class=\"k\"> \u2014 0</tspan>", 1);
  assert_count(s, "<rect class=\"b b0\" x=\"2.00%\" y=\"28\" width=\"24.00%\"", 1);
  assert_count(s, "<rect class=\"b b2\" x=\"26.00%\" y=\"28\" width=\"72.00%\"", 1);
  assert_count(s, "<rect class=\"b b1\" x=\"2.00%\" y=\"104\" width=\"48.00%\"", 1);
  hm_buf_clear(&b);
  /* the largest counts fit; more columns than there is room for are left out */
  hm_draw_bar_row *many = hm_alloc_array(a, 1000, sizeof *many);
  for (int i = 0; i < 1000; i++)
    many[i] = (hm_draw_bar_row){ HM_STR("x"), { UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX } };
  m.rows = many;
  m.n = 1000;
  m.parts[3] = "relations";
  hm_draw_bar_chart_svg(&m, &b);
  assert_count(hm_buf_view(&b), "width=\"24.00%\"", 4 * HM_CHART_ROWS_MAX);
  hm_buf_free(&b);
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(hostile_labels_are_text),
    cmocka_unit_test(random_labels_are_text),
    cmocka_unit_test(cut_text_fits),
    cmocka_unit_test(columns_say_their_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
