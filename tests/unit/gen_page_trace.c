/* What a verdict leaves beside a value, and what a row says was before; and where neither may
 * stand. */
#include "tests/unit/gen_page_help.h"

#define STATE(id, value, more)                                                                     \
  "{\"kind\":\"project_state\",\"id\":\"" id "\",\"project\":\"p\",\"key\":\"gain\",\"value\":\""  \
  value "\",\"created_at\":\"2026-04-02\"" more "}\n"
#define MEMBER(id, value, normal)                                                                  \
  "{\"member_kind\":\"project_state\",\"member_id\":\"" id "\",\"field\":\"value\",\"value\":\""   \
  value "\",\"normal\":\"" normal "\",\"flagged\":false,\"conflicts_with\":null}"
/* Between s1, which says 2, and s2, which says 3. */
#define CONFLICT(id, status, at, why, action, winner)                                              \
  "{\"kind\":\"conflict\",\"id\":\"" id "\",\"status\":\"" status "\",\"slot_kind\":\"state_slot\"," \
  "\"slot_key\":[\"p\",\"gain\"],\"project\":\"p\",\"rule\":\"slot/1\","                           \
  "\"detected_at\":\"2026-04-03T00:00:00Z\",\"resolved_at\":" at ",\"resolution\":\"" why          \
  "\",\"action\":" action ",\"winner\":" winner ",\"resolved_by\":\"kim\",\"members\":["           \
  MEMBER("s1", "2", "number:2") "," MEMBER("s2", "3", "number:3") "]}\n"
#define LOST ",\"status\":\"superseded\",\"superseded_by\":\"s1\",\"superseded_at\":\"2026-05-03\""
#define NOW ",\"updated_at\":\"2026-06-01\""

static help_site site_of(const char *lines) {
  hm_view_options opt = { .title = HM_STR("M"), .list_limit = 500, .value_limit = 2000 };
  return help_site_of(hm_str_c(lines), &opt);
}

/* The line of the state's page that has this; "": none has. */
static hm_str line_with(help_site *s, const char *part) {
  hm_str md = help_page(s, "projects/p/state.md");
  ptrdiff_t at = hm_str_find(md, part);
  if (at < 0) return HM_EMPTY;
  size_t from = (size_t)at, to = from;
  while (from && md.p[from - 1] != '\n') from--;
  while (md.p[to] != '\n') to++;
  return hm_str_sub(md, from, to);
}

static const char resolved[] = STATE("s1", "2", "") STATE("s2", "3", LOST)
    CONFLICT("c1", "resolved", "\"2026-05-03T00:00:00Z\"", "Two legs.", "\"supersede_others\"",
             "\"project_state:s1\"");

static void a_verdict_stands_beside_the_value(void **state) {
  (void)state;
  help_site s = site_of(resolved);
  assert_has(line_with(&s, "state-s1\""),
             "| 2 [✓ settled: Two legs, kim, 3 May 2026](../../conflicts/c1.md) |");
  assert_has_not(line_with(&s, "state-s2\""), "✓");
  help_site_done(&s);
}

/* What lost stood beside the winner, and not before it. */
static void what_lost_was_not_before(void **state) {
  (void)state;
  help_site s = site_of(resolved);
  assert_has_not(help_everything(&s), "before:");
  help_site_done(&s);
}

static void a_value_that_changed_since_has_no_trace(void **state) {
  (void)state;
  help_site s = site_of(STATE("s1", "5", NOW) STATE("s2", "3", LOST)
                            CONFLICT("c1", "resolved", "\"2026-05-03T00:00:00Z\"", "Two legs.",
                                     "\"supersede_others\"", "\"project_state:s1\""));
  assert_has_not(line_with(&s, "state-s1\""), "✓");
  help_site_done(&s);
}

static void a_value_in_dispute_has_its_marker_and_no_trace(void **state) {
  (void)state;
  help_site s = site_of(STATE("s1", "2", "") STATE("s2", "3", LOST) STATE("s3", "9", NOW)
                            CONFLICT("c1", "resolved", "\"2026-05-03T00:00:00Z\"", "Two legs.",
                                     "\"supersede_others\"", "\"project_state:s1\""));
  hm_str line = line_with(&s, "state-s1\"");
  assert_has(line, "2 [⚠ disputed](");
  assert_has_not(line, "✓");
  help_site_done(&s);
}

static void a_dismissed_one_says_so_of_all(void **state) {
  (void)state;
  help_site s = site_of(STATE("s1", "2", "") STATE("s2", "3", "")
                            CONFLICT("c1", "dismissed", "\"2026-05-03T00:00:00Z\"", "", "null",
                                     "null"));
  assert_has(line_with(&s, "state-s1\""), "2 [✓ no contradiction: kim, 3 May 2026](");
  assert_has(line_with(&s, "state-s2\""), "3 [✓ no contradiction: kim, 3 May 2026](");
  help_site_done(&s);
}

static void the_latest_verdict_stands(void **state) {
  (void)state;
  help_site s = site_of(
      STATE("s1", "2", "") STATE("s2", "3", "")
          CONFLICT("c1", "dismissed", "\"2026-05-03T00:00:00Z\"", "late", "null", "null")
              CONFLICT("c2", "dismissed", "\"2026-05-01T00:00:00Z\"", "early", "null", "null"));
  assert_has(line_with(&s, "state-s1\""), "✓ no contradiction: late,");
  assert_has_not(line_with(&s, "state-s1\""), "early");
  help_site_done(&s);
}

static void what_awaits_sign_off_says_so(void **state) {
  (void)state;
  help_site s = site_of(STATE("s1", "3", NOW) STATE("s2", "3", "")
                            CONFLICT("c1", "open", "null", "", "null", "null"));
  assert_has(line_with(&s, "state-s1\""), "3 [awaits sign-off](../../conflicts/c1.md) |");
  assert_has(line_with(&s, "state-s2\""), "3 [awaits sign-off](");
  help_site_done(&s);
}

static void what_was_before_is_told(void **state) {
  (void)state;
  help_site s = site_of(STATE("s1", "GF-PTFE", "")
                            STATE("s2", "PTFE", ",\"status\":\"superseded\",\"superseded_by\":\"s1\""));
  assert_has(line_with(&s, "state-s1\""), "2 Apr 2026</time>; before: [PTFE](#state-s2) |");
  help_site_done(&s);
}

static void what_said_the_same_was_nothing_else(void **state) {
  (void)state;
  help_site s = site_of(STATE("s1", "PTFE", "")
                            STATE("s2", "PTFE", ",\"status\":\"superseded\",\"superseded_by\":\"s1\""));
  assert_has_not(help_everything(&s), "before:");
  help_site_done(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_verdict_stands_beside_the_value),
    cmocka_unit_test(what_lost_was_not_before),
    cmocka_unit_test(a_value_that_changed_since_has_no_trace),
    cmocka_unit_test(a_value_in_dispute_has_its_marker_and_no_trace),
    cmocka_unit_test(a_dismissed_one_says_so_of_all),
    cmocka_unit_test(the_latest_verdict_stands),
    cmocka_unit_test(what_awaits_sign_off_says_so),
    cmocka_unit_test(what_was_before_is_told),
    cmocka_unit_test(what_said_the_same_was_nothing_else)
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
