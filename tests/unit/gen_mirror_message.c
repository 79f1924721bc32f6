/* The commit message: what it tells, and that facts cannot act in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "gen/mirror/changes.h"
#include "tests/unit/core_base_prng.h"

#define N(a) (sizeof(a) / sizeof *(a))

static hm_event conflict(hm_event_kind kind, const char *id, const char *status) {
  static hm_str values[] = { { "4.8 kg", 6 }, { "5 kg", 4 } };
  return (hm_event){ .kind = kind, .project = HM_STR("p05"), .conflict = hm_str_c(id),
                     .slot = HM_STR("[\"p05\",\"frame_mass\"]"), .status = hm_str_c(status),
                     .values = values, .n_values = 2 };
}

static hm_event fact(const char *before, const char *after) {
  return (hm_event){ .kind = HM_EV_CHANGED, .project = HM_STR("p06"), .row = HM_STR("entity:e1"),
                     .slot = HM_STR("[\"p06\",\"spindle_speed\"]"), .field = HM_STR("value"),
                     .before = hm_str_c(before), .after = hm_str_c(after) };
}

static hm_commit_message_input input(hm_events *l, hm_event *v, size_t n) {
  *l = (hm_events){ v, n, n };
  return (hm_commit_message_input){ .events = l,
                                    .disputed = 1,
                                    .open_conflicts = 2,
                                    .projects = 2,
                                    .facts = 40,
                                    .pages_changed = 3,
                                    .snapshot = HM_STR("abc"),
                                    .tool = HM_STR("hmirror 0.1.0"),
                                    .rules = HM_STR("slot/1 0123") };
}

static void expect(const hm_commit_message_input *in, const char *want) {
  hm_arena *a = hm_arena_new();
  hm_str got = hm_commit_message(in, a);
  assert_int_equal(strlen(want), got.n);
  assert_memory_equal(want, got.p, got.n);
  hm_arena_free(a);
}

#define TRAILERS(open)                                                                                   \
  "\nMirror-Snapshot: abc\nMirror-Tool: hmirror 0.1.0\nMirror-Rules: slot/1 0123\nOpen-Conflicts: " open \
  "\n"

static void first(void **state) {
  (void)state;
  hm_events l;
  hm_event v[] = { conflict(HM_EV_DISPUTED, "c1", "open") };
  hm_commit_message_input in = input(&l, v, N(v));
  in.first = true;
  expect(&in, "First publication: 2 projects, 40 facts, 1 dispute\n\n"
              "- p05 / frame_mass: became disputed (c1): 4.8 kg | 5 kg\n"
              TRAILERS("2") "Conflict-Opened: c1\n");
}

static void the_journal(void **state) {
  (void)state;
  hm_events l;
  hm_commit_message_input in = input(&l, NULL, 0);
  in.store = HM_STR("9f2c");
  in.journal = HM_STR("87 ab12");
  expect(&in, "Mirror: 3 pages changed\n\nMirror-Snapshot: abc\nMirror-Tool: hmirror 0.1.0\n"
              "Mirror-Rules: slot/1 0123\nMirror-Store: 9f2c\nMirror-Journal: 87 ab12\n"
              "Open-Conflicts: 2\n");
}

static void what_changed(void **state) {
  (void)state;
  hm_events l;
  hm_event v[] = { conflict(HM_EV_SETTLED, "c1", "resolved"),
                   conflict(HM_EV_SETTLED, "c2", "dismissed"),
                   conflict(HM_EV_QUIET, "c3", "open"),
                   conflict(HM_EV_DISPUTED, "c5", "open"),
                   conflict(HM_EV_SETTLED, "c6", "merged"),
                   fact("45 rpm", "50 rpm") };
  hm_commit_message_input in = input(&l, v, N(v));
  expect(&in, "p05: frame mass is disputed (2 sides), and 5 more\n\n"
              "- p05 / frame_mass: settled (c1)\n"
              "- p05 / frame_mass: dismissed (c2)\n"
              "- p05 / frame_mass: no longer disputed, awaits sign-off (c3): 4.8 kg | 5 kg\n"
              "- p05 / frame_mass: became disputed (c5): 4.8 kg | 5 kg\n"
              "- p05 / frame_mass: merged into another conflict (c6)\n"
              "- p06 / spindle_speed: changed: 45 rpm -> 50 rpm (entity:e1)\n"
              TRAILERS("2") "Conflict-Opened: c5\nConflict-Resolved: c1\nConflict-Resolved: c2\n");
}

/* The first line: the weightiest of what changed, whatever comes first. */
static void subjects(void **state) {
  (void)state;
  hm_str won[] = { HM_STR("PEEK") };
  hm_event settled = conflict(HM_EV_SETTLED, "c1", "resolved"), row = fact("", "");
  settled.stand = won;
  settled.n_winners = 1;
  settled.winners = won;
  row.kind = HM_EV_STATUS;
  row.slot = HM_EMPTY;
  row.name = HM_STR("Frame_leg");
  row.after = HM_STR("superseded");
  const struct { hm_event e; const char *want; } cases[] = {
    { fact("45 rpm", "50 rpm"), "p06: spindle speed 45 -> 50 rpm\n" },
    { fact("45 rpm", "50 Hz"), "p06: spindle speed 45 rpm -> 50 Hz\n" },
    { fact("", "50 Hz"), "p06: spindle speed is 50 Hz\n" },
    { fact("50 Hz", ""), "p06: spindle speed 50 Hz is removed\n" },
    { conflict(HM_EV_DISPUTED, "c1", "open"), "p05: frame mass is disputed (2 sides)\n" },
    { conflict(HM_EV_REOPENED, "c1", "open"), "p05: frame mass is disputed again (2 sides)\n" },
    { conflict(HM_EV_MEMBERS, "c1", "open"), "p05: frame mass is still disputed (2 sides)\n" },
    { conflict(HM_EV_QUIET, "c1", "open"), "p05: frame mass is no longer disputed\n" },
    { settled, "p05: frame mass is settled: PEEK\n" },
    { conflict(HM_EV_SETTLED, "c1", "dismissed"), "p05: frame mass: conflict dismissed\n" },
    { row, "p06: Frame_leg is now superseded\n" },
  };
  for (size_t i = 0; i < N(cases); i++) {
    hm_arena *a = hm_arena_new();
    hm_events l;
    hm_event v[] = { cases[i].e };
    hm_commit_message_input in = input(&l, v, 1);
    hm_str got = hm_commit_message(&in, a);
    if (!hm_str_starts(got, cases[i].want)) fail_msg("%s, not %s", got.p, cases[i].want);
    hm_arena_free(a);
  }
}

static void no_fact_changed(void **state) {
  (void)state;
  hm_events l;
  hm_commit_message_input in = input(&l, NULL, 0);
  expect(&in, "Mirror: 3 pages changed\n" TRAILERS("2"));
  in.pages_changed = 1;
  expect(&in, "Mirror: 1 page changed\n" TRAILERS("2"));
  in.pages_changed = -1;
  expect(&in, "Mirror: no fact changed\n" TRAILERS("2"));
}

static void own_summary_and_edits(void **state) {
  (void)state;
  hm_events l;
  const hm_str edited[] = { HM_STR("README.md"), HM_STR("x\nMirror-Tool: evil") };
  hm_commit_message_input in = input(&l, NULL, 0);
  in.open_conflicts = 0;
  in.edited = edited;
  in.n_edited = 2;
  expect(&in, "Mirror: 2 pages restored\n\n- restored README.md, which was edited by hand\n"
              "- restored x Mirror-Tool: evil, which was edited by hand\n" TRAILERS("0"));
  in.summary = HM_STR("Nightly mirror \n");
  in.n_edited = 0;
  expect(&in, "Nightly mirror\n" TRAILERS("0"));
}

/* More than a person reads are counted by project; the trailers stay complete. */
static void many(void **state) {
  (void)state;
  enum { MANY = HM_COMMIT_MESSAGE_LINES + 1 };
  static hm_event v[MANY];
  hm_arena *a = hm_arena_new();
  hm_events l;
  for (size_t i = 0; i < MANY; i++)
    v[i] = i < 3 ? conflict(HM_EV_DISPUTED, hm_str_fmt(a, "c%zu", i).p, "open") : fact("1", "2");
  hm_commit_message_input in = input(&l, v, MANY);
  hm_str got = hm_commit_message(&in, a);
  assert_true(hm_str_starts(got, "p05: frame mass is disputed (2 sides), and 100 more\n\n"
                                 "- p05: 3 disputes opened\n- p06: 98 changes of facts\n\n"));
  assert_true(hm_str_find(got, "Conflict-Opened: c2\n") > 0);
  hm_arena_free(a);
}

static void defused(void **state) {
  (void)state;
  const char *const cases[][2] = {
    { "GF-PTFE", "GF-PTFE" },
    { "@all see #12", "(at)all see # 12" },
    { "C# and F#: #fff, ##1, #\u00fc, #_x #", "C# and F#: # fff, ## 1, # \u00fc, # _x #" },
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
    hm_str got = hm_commit_message_fact(a, hm_str_c(cases[i][0]), 100);
    assert_string_equal(hm_str_z(a, got), cases[i][1]);
  }
  assert_string_equal(hm_str_z(a, hm_commit_message_fact(a, HM_STR("abcdefgh"), 4)), "abcd…");
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
    hm_str text = hm_buf_view(&b);
    hm_events l;
    hm_event v[] = { conflict(HM_EV_DISPUTED, "", "open") };
    v[0].conflict = v[0].project = text;
    v[0].values = &text;
    v[0].n_values = 1;
    hm_commit_message_input in = input(&l, v, 1);
    hm_str got = hm_commit_message(&in, a);
    size_t lines = 0;
    for (size_t k = 0; k < got.n; k++) lines += got.p[k] == '\n';
    assert_int_equal(lines, 9);
    assert_null(memchr(got.p, '@', got.n));
    assert_int_equal(hm_str_find(got, "#1"), -1);
    assert_int_equal(hm_str_find(got, "#a"), -1);
    assert_false(hm_str_find(got, "\n#") >= 0 || hm_str_starts(got, "#"));
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
    cmocka_unit_test(the_journal),
    cmocka_unit_test(what_changed),
    cmocka_unit_test(subjects),
    cmocka_unit_test(no_fact_changed),
    cmocka_unit_test(own_summary_and_edits),
    cmocka_unit_test(many),
    cmocka_unit_test(defused),
    cmocka_unit_test(random_facts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
