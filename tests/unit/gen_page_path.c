/* File names and links: whatever the facts, [a-z0-9-], no two alike. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core_base_prng.h"
#include "gen/page/view_private.h"

static void check_slug(hm_str s) {
  assert_true(s.n >= 1 && s.n <= 64);
  for (size_t i = 0; i < s.n; i++)
    assert_true((s.p[i] >= 'a' && s.p[i] <= 'z') || (s.p[i] >= '0' && s.p[i] <= '9') ||
                s.p[i] == '-');
}

static void check_all(const hm_named *names, size_t n) {
  for (size_t i = 0; i < n; i++) {
    check_slug(names[i].slug);
    for (size_t k = 0; k < i; k++) assert_false(hm_str_eq(names[i].slug, names[k].slug));
  }
}

static hm_named named(const char *name, const char *id) {
  return (hm_named){ .name = hm_str_c(name), .id = hm_str_c(id) };
}

static void test_plain_names_stay(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_named n[] = { named("frame", "1"), named("Lateral Support", "2") };
  hm_make_slugs(n, 2, NULL, HM_SLUG_ASCII, a);
  assert_true(hm_str_is(n[0].slug, "frame"));
  assert_true(hm_str_is(n[1].slug, "lateral-support"));
  hm_arena_free(a);
}

/* Whoever folds to a name that another has as it is, gives way. */
static void test_exact_name_keeps(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_named n[] = { named("Frame", "1"), named("frame", "2"), named("FRAME", "3") };
  hm_make_slugs(n, 3, NULL, HM_SLUG_ASCII, a);
  assert_true(hm_str_is(n[1].slug, "frame"));
  assert_true(hm_str_starts(n[0].slug, "frame-"));
  check_all(n, 3);
  hm_arena_free(a);
}

static void test_same_name_twice(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_named n[] = { named("leg", "e1"), named("leg", "e2") },
           turned[] = { named("leg", "e2"), named("leg", "e1") };
  hm_make_slugs(n, 2, NULL, HM_SLUG_ASCII, a);
  hm_make_slugs(turned, 2, NULL, HM_SLUG_ASCII, a);
  check_all(n, 2);
  assert_true(hm_str_eq(n[0].slug, turned[1].slug));
  assert_true(hm_str_eq(n[1].slug, turned[0].slug));
  hm_arena_free(a);
}

static void test_reserved(void **state) {
  (void)state;
  static const char *const reserved[] = { "readme", "index", NULL };
  hm_arena *a = hm_arena_new();
  hm_named n[] = { named("README", "1"), named("index", "2"), named("other", "3") };
  hm_make_slugs(n, 3, reserved, HM_SLUG_ASCII, a);
  assert_false(hm_str_is(n[0].slug, "readme"));
  assert_false(hm_str_is(n[1].slug, "index"));
  assert_true(hm_str_is(n[2].slug, "other"));
  check_all(n, 3);
  hm_arena_free(a);
}

/* Somebody's plain name is what another would get with its digest. */
static void test_name_that_looks_like_a_digest(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_named n[] = { named("leg", "e1"), named("leg", "e2") };
  hm_make_slugs(n, 2, NULL, HM_SLUG_ASCII, a);
  hm_named m[] = { named("leg", "e1"),
                   named("leg", "e2"),
                   { .name = n[0].slug, .id = HM_STR("e3") } };
  hm_make_slugs(m, 3, NULL, HM_SLUG_ASCII, a);
  check_all(m, 3);
  hm_arena_free(a);
}

static void test_any_bytes(void **state) {
  (void)state;
  static const char pool[] = "aA./\\_- \0\n\xff\xc3\xa9\xe2\x80\xaeZ9";
  uint64_t seed = 3;
  for (int round = 0; round < 200; round++) {
    hm_arena *a = hm_arena_new();
    enum { N = 40 };
    hm_named n[N];
    for (int i = 0; i < N; i++) {
      size_t len = prng(&seed) % (round % 10 == 0 ? 200 : 4);
      char *p = hm_alloc(a, len + 1);
      for (size_t k = 0; k < len; k++) p[k] = pool[prng(&seed) % (sizeof pool - 1)];
      n[i] = (hm_named){ .name = { p, len }, .id = hm_str_fmt(a, "id%d", i) };
    }
    hm_make_slugs(n, N, NULL, HM_SLUG_ASCII, a);
    check_all(n, N);
    hm_arena_free(a);
  }
}

static void link_is(const char *from, const char *to, const char *anchor, const char *want) {
  hm_arena *a = hm_arena_new();
  hm_str got = hm_path_link(a, hm_str_c(from), hm_str_c(to), hm_str_c(anchor));
  if (!hm_str_is(got, want)) fail_msg("%s to %s: %.*s", from, to, HM_FMT(got));
  hm_arena_free(a);
}

static void test_links(void **state) {
  (void)state;
  link_is("README.md", "conflicts/README.md", "", "conflicts/README.md");
  link_is("conflicts/c1.md", "README.md", "", "../README.md");
  link_is("projects/a/README.md", "projects/a/state.md", "state-1", "state.md#state-1");
  link_is("projects/a/entities/x.md", "projects/a/state.md", "", "../state.md");
  link_is("projects/a/entities/x.md", "projects/ab/state.md", "", "../../ab/state.md");
  link_is("projects/a/state.md", "projects/a/state.md", "s", "#s");
  link_is("projects/a/state.md", "projects/a/state.md", "", "state.md");
}

static void test_root(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  assert_true(hm_str_is(hm_path_to_root(a, HM_STR("README.md")), ""));
  assert_true(hm_str_is(hm_path_to_root(a, HM_STR("projects/a/entities/x.md")), "../../../"));
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(test_plain_names_stay),
                                      cmocka_unit_test(test_exact_name_keeps),
                                      cmocka_unit_test(test_same_name_twice),
                                      cmocka_unit_test(test_reserved),
                                      cmocka_unit_test(test_name_that_looks_like_a_digest),
                                      cmocka_unit_test(test_any_bytes),
                                      cmocka_unit_test(test_links),
                                      cmocka_unit_test(test_root) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
