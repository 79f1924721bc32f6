/* The commit message: what it tells, and that facts cannot act in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "gen/mirror/message.h"
#include "tests/unit/core_base_prng.h"

#define N(a) (sizeof(a) / sizeof *(a))

static hm_message_conflict conflict(const char *id, hm_verdict status, bool disputed) {
  return (hm_message_conflict){ hm_str_c(id), HM_STR("p05 / mass"), HM_STR("4.8 kg | 5 kg"), status,
                                disputed };
}

static hm_message_input input(const hm_message_conflict *c, size_t n, const char *old) {
  return (hm_message_input){ .conflicts = c,
                             .n = n,
                             .old_conflicts = hm_str_c(old),
                             .projects = 2,
                             .facts = 40,
                             .pages_changed = 3,
                             .snapshot = HM_STR("abc"),
                             .tool = HM_STR("hmirror 0.1.0"),
                             .rules = HM_STR("slot/1 0123") };
}

static void expect(const hm_message_input *in, const char *want) {
  hm_arena *a = hm_arena_new();
  hm_str got = hm_message(in, a);
  assert_int_equal(strlen(want), got.n);
  assert_memory_equal(want, got.p, got.n);
  hm_arena_free(a);
}

#define TRAILERS(open)                                                                                   \
  "\nMirror-Snapshot: abc\nMirror-Tool: hmirror 0.1.0\nMirror-Rules: slot/1 0123\nOpen-Conflicts: " open \
  "\n"

static void first(void **state) {
  (void)state;
  hm_message_conflict c[] = { conflict("c1", HM_OPEN, true), conflict("c2", HM_DISMISSED, false) };
  hm_message_input in = input(c, N(c), "");
  in.first = true;
  expect(
      &in,
      "First publication: 2 projects, 40 facts, 1 dispute\n\n- opened c1: p05 / mass: 4.8 kg | 5 kg\n" TRAILERS(
          "1") "Conflict-Opened: c1\n");
}

static const char old[] =
    "{\"conflicts\":[{\"id\":\"c1\",\"status\":\"open\",\"disputed\":true},{\"id\":\"c2\",\"status\":\"open\",\"disputed\":true},"
    "{\"id\":\"c3\",\"status\":\"open\",\"disputed\":true},{\"id\":\"c4\",\"status\":\"dismissed\",\"disputed\":false},"
    "{\"id\":\"c6\",\"status\":\"open\",\"disputed\":true}],\"count\":5}";

static void what_changed(void **state) {
  (void)state;
  hm_message_conflict c[] = {
    conflict("c1", HM_RESOLVED, false), conflict("c2", HM_DISMISSED, false),
    conflict("c3", HM_OPEN, false),     conflict("c4", HM_DISMISSED, false),
    conflict("c5", HM_OPEN, true),      conflict("c6", HM_OPEN, true)
  };
  hm_message_input in = input(c, N(c), old);
  expect(&in, "Mirror: 1 dispute opened, 1 resolved, 1 dismissed, 1 no longer disputed\n\n"
              "- opened c5: p05 / mass: 4.8 kg | 5 kg\n"
              "- resolved c1: p05 / mass: 4.8 kg | 5 kg\n"
              "- dismissed c2: p05 / mass: 4.8 kg | 5 kg\n"
              "- no longer disputed, awaiting sign-off: c3: p05 / mass: 4.8 kg | 5 kg\n"
              TRAILERS("3") "Conflict-Opened: c5\nConflict-Resolved: c1\nConflict-Resolved: c2\n");
}

static void nothing_about_conflicts(void **state) {
  (void)state;
  hm_message_conflict c[] = { conflict("c1", HM_OPEN, true) };
  hm_message_input in = input(c, N(c), old);
  expect(&in, "Mirror: 3 pages changed\n" TRAILERS("1"));
  in.pages_changed = 1;
  expect(&in, "Mirror: 1 page changed\n" TRAILERS("1"));
  in.pages_changed = -1;
  expect(&in, "Mirror: facts changed\n" TRAILERS("1"));
}

static void own_summary_and_edits(void **state) {
  (void)state;
  const hm_str edited[] = { HM_STR("README.md"), HM_STR("x\nMirror-Tool: evil") };
  hm_message_input in = input(NULL, 0, old);
  in.edited = edited;
  in.n_edited = 2;
  expect(&in, "Mirror: 2 pages restored\n\n- restored README.md, which was edited by hand\n"
              "- restored x Mirror-Tool: evil, which was edited by hand\n" TRAILERS("0"));
  in.summary = HM_STR("Nightly mirror \n");
  in.n_edited = 0;
  expect(&in, "Nightly mirror\n" TRAILERS("0"));
}

/* A tip whose conflicts.json was edited into nonsense is no reason to fail. */
static void unreadable_tip(void **state) {
  (void)state;
  const char *const tips[] = { "{", "[]", "{\"conflicts\":3}", "{\"conflicts\":[1,{\"id\":2},{}]}",
                               "\xff" };
  hm_message_conflict c[] = { conflict("c1", HM_OPEN, true) };
  for (size_t i = 0; i < N(tips); i++) {
    hm_message_input in = input(c, 1, tips[i]);
    expect(&in,
           "p05 / mass disputed: 4.8 kg | 5 kg\n\n- opened c1: p05 / mass: 4.8 kg | 5 kg\n" TRAILERS(
               "1") "Conflict-Opened: c1\n");
  }
}

static void many(void **state) {
  (void)state;
  enum { MANY = HM_MESSAGE_LINES + 7 };
  static hm_message_conflict c[MANY];
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < MANY; i++) c[i] = conflict(hm_str_fmt(a, "c%zu", i).p, HM_OPEN, true);
  hm_message_input in = input(c, MANY, "");
  hm_str got = hm_message(&in, a);
  assert_true(hm_str_find(got, "- and 7 more opened\n") > 0);
  assert_true(hm_str_find(got, "Conflict-Opened: c206\n") > 0);
  assert_int_equal(hm_str_find(got, "- opened c206:"), -1);
  hm_arena_free(a);
}

static void defused(void **state) {
  (void)state;
  const char *const cases[][2] = {
    { "GF-PTFE", "GF-PTFE" },
    { "@all see #12", "(at)all see 12" },
    { "a\nSigned-off-by: x", "a Signed-off-by: x" },
    { "[skip ci]", "(skip ci)" },
    { "fixes https://github.com/o/r/issues/1", "fixes https: //github.com/o/r/issues/1" },
    { "GH-12 gh-1 GH-x", "GH 12 gh 1 GH-x" },
    { "***NO_CI***", "NO_CI" },
    { "  \t ", "" },
    { "\xE2\x80\xAE"
      "evil",
      "⟦U+202E⟧evil" },
  };
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < N(cases); i++) {
    hm_str got = hm_message_fact(a, hm_str_c(cases[i][0]), 100);
    assert_string_equal(hm_str_z(a, got), cases[i][1]);
  }
  assert_string_equal(hm_str_z(a, hm_message_fact(a, HM_STR("abcdefgh"), 4)), "abcd…");
  hm_arena_free(a);
}

/* Whatever stands in a conflict: as many lines as a harmless one gives, one line a trailer, and
 * nothing that a host acts on. */
static void random_facts(void **state) {
  (void)state;
  static const char *const pieces[] = {
    "\n",   "\r\n", "\n\nMirror-Tool: x\n", "@", "#1", "://", "GH-1", "[", "]", "a", " ",
    "\xff", "\0x",  "\xE2\x80\xA8",         ":", "-",  "*"
  };
  uint64_t r = 3;
  hm_arena *a = hm_arena_new();
  for (int i = 0; i < 5000; i++) {
    hm_buf b = { 0 };
    for (size_t n = prng(&r) % 30; n > 0; n--) {
      size_t k = prng(&r) % N(pieces);
      hm_buf_add(&b, pieces[k], k == 12 ? 2 : strlen(pieces[k]));
    }
    hm_str fact = hm_buf_view(&b);
    hm_message_conflict c = { fact, fact, fact, HM_OPEN, true };
    hm_message_input in = input(&c, 1, "");
    hm_str got = hm_message(&in, a);
    size_t lines = 0;
    for (size_t k = 0; k < got.n; k++) lines += got.p[k] == '\n';
    assert_int_equal(lines, 9);
    assert_null(memchr(got.p, '@', got.n));
    assert_null(memchr(got.p, '#', got.n));
    assert_null(memchr(got.p, '[', got.n));
    assert_int_equal(hm_str_find(got, "://"), -1);
    hm_buf_free(&b);
    hm_arena_reset(a);
  }
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(first),
    cmocka_unit_test(what_changed),
    cmocka_unit_test(nothing_about_conflicts),
    cmocka_unit_test(own_summary_and_edits),
    cmocka_unit_test(unreadable_tip),
    cmocka_unit_test(many),
    cmocka_unit_test(defused),
    cmocka_unit_test(random_facts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
