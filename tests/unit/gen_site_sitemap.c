/* sitemap.xml in parts, and robots.txt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "gen/site/site_impl.h"

static int setup(void **state) { *state = hm_arena_new(); return 0; }
static int teardown(void **state) { hm_arena_free(*state); return 0; }

static hm_pages pages_of(hm_arena *a, size_t n) {
  hm_pages p = { .pages = hm_alloc_array(a, n + 1, sizeof *p.pages), .n = n };
  for (size_t i = 0; i < n; i++) p.pages[i].path = hm_str_fmt(a, "p%04zu/README.md", i);
  return p;
}

static void few_pages_are_one_file(void **state) {
  hm_arena *a = *state;
  hm_page pages[] = { { .path = HM_STR("README.md") }, { .path = HM_STR("a/README.md") },
                      { .path = HM_STR("a/b.md") } };
  hm_pages p = { .pages = pages, .n = 3 };
  hm_file_part *f;
  assert_int_equal(hm_sitemap_files(&p, HM_STR("https://x.org/?&/"), 1 << 20, a, &f), 2);
  assert_true(hm_str_is(f[0].path, "sitemap.xml"));
  assert_true(hm_str_is(f[0].bytes,
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
                        "<url><loc>https://x.org/?&amp;/</loc></url>\n"
                        "<url><loc>https://x.org/?&amp;/a/</loc></url>\n"
                        "<url><loc>https://x.org/?&amp;/a/b.html</loc></url>\n"
                        "</urlset>\n"));
  assert_true(hm_str_is(f[1].path, "robots.txt"));
  assert_true(hm_str_is(f[1].bytes,
                        "User-agent: *\nAllow: /\nSitemap: https://x.org/?&/sitemap.xml\n"));
}

static size_t count(hm_str text, const char *word) {
  size_t n = 0;
  for (ptrdiff_t at; (at = hm_str_find(text, word)) >= 0; n++)
    text = hm_str_sub(text, (size_t)at + 1, text.n);
  return n;
}

static void many_are_an_index_and_parts_within_the_bound(void **state) {
  hm_arena *a = *state;
  enum { PAGES = 500, MAX = 4096 };
  hm_pages p = pages_of(a, PAGES);
  hm_file_part *f;
  size_t n = hm_sitemap_files(&p, HM_STR("https://x.org/"), MAX, a, &f), urls = 0;
  assert_true(n > 5);
  for (size_t i = 0; i < n; i++) assert_in_range(f[i].bytes.n, 1, MAX);
  assert_int_equal(count(f[0].bytes, "<sitemap>"), n - 2);
  for (size_t i = 1; i + 1 < n; i++) {
    assert_true(hm_str_eq(f[i].path, hm_str_fmt(a, "sitemap-%zu.xml", i)));
    assert_true(hm_str_find(f[0].bytes,
                            hm_str_fmt(a, "<loc>https://x.org/sitemap-%zu.xml<", i).p) >= 0);
    assert_true(hm_str_ends(f[i].bytes, "</urlset>\n"));
    urls += count(f[i].bytes, "<url>");
  }
  assert_int_equal(urls, PAGES);
  assert_true(hm_str_is(f[n - 1].path, "robots.txt"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(few_pages_are_one_file, setup, teardown),
    cmocka_unit_test_setup_teardown(many_are_an_index_and_parts_within_the_bound, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
