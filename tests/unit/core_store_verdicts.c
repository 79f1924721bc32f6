/* Lines of verdicts: what one is known by, and what is read and written. */
#include "core_store_help.h"
#include "core/record/records.h"
#include "core/store/import_impl.h"
#include "core/store/verdict_lines.h"

#define MEMBERS                                                                                                                    \
  "\"members\":[{\"member_kind\":\"entity\",\"member_id\":\"e\",\"field\":\"value\",\"value\":\"PEEK\",\"normal\":\"text:peek\"}," \
  "{\"member_kind\":\"memory\",\"member_id\":\"m\",\"value\":\"PTFE\",\"normal\":\"text:ptfe\"}]"

static hm_verdict_line read_line(world *w, const char *text) {
  hm_json *v;
  hm_verdict_line line;
  ok(w, hm_json_parse(w->a, hm_str_c(text), &v, &w->err));
  ok(w, hm_verdict_line_parse(v, w->a, &line, &w->err));
  return line;
}

static hm_str put_line(world *w, const hm_verdict_line *v) {
  hm_buf b = { 0 };
  hm_verdict_line_json(&b, v, w->a);
  hm_str out = hm_buf_copy(&b, w->a);
  hm_buf_free(&b);
  return out;
}

static void what_is_read_is_written(void **state) {
  world *w = *state;
  hm_verdict_line v = read_line(
      w,
      "{\"replaces\":[\"v2\",\"v1\"],\"status\":\"resolved\",\"kind\":\"verdict\",\"window\":[\"2026-04\",null],"
      "\"slot_key\":[\"p\",\"k\"],\"rule\":\"slot/3\",\"conflict\":\"c1\",\"action\":\"supersede_others\",\"winner\":\"entity:e\","
      "\"resolved_by\":\"kim\",\"resolved_at\":\"2026-05\",\"resolution\":\"why\"," MEMBERS "}");
  hm_str text = put_line(w, &v);
  hm_verdict_line again = read_line(w, text.p);
  assert_true(hm_str_eq(put_line(w, &again), text));
  assert_str(v.replaces[0], "v1");
  assert_str(v.window_from, "2026-04");
  assert_int_equal(v.window_until.n, 0);
  assert_str(hm_verdict_line_value(&v, v.winner), "text:peek");
  assert_int_equal(v.id.n, 17);
}

/* What was decided, where, by whom, when and why; not which rows were there, nor what the conflict
 * was called. */
static void known_by_what_was_decided(void **state) {
  static const char base[] =
      "{\"kind\":\"verdict\",\"status\":\"resolved\",\"slot_key\":[\"p\",\"k\"],\"resolved_by\":\"kim\",\"conflict\":\"c1\"," MEMBERS
      "}";
  static const char *const same[] = {
    "{\"kind\":\"verdict\",\"status\":\"resolved\",\"slot_key\":[\"p\",\"k\"],\"resolved_by\":\"kim\",\"conflict\":\"c2\",\"rule\":\"slot/2\"}",
    "{\"kind\":\"verdict\",\"id\":\"v0\",\"status\":\"resolved\",\"slot_key\":[\"p\",\"k\"],\"resolved_by\":\"kim\",\"conflict\":\"c1\",\"replaces\":[\"v9\"]}",
  };
  static const char *const other[] = {
    "{\"kind\":\"verdict\",\"status\":\"dismissed\",\"slot_key\":[\"p\",\"k\"],\"resolved_by\":\"kim\",\"conflict\":\"c1\"}",
    "{\"kind\":\"verdict\",\"status\":\"resolved\",\"slot_key\":[\"p\",\"l\"],\"resolved_by\":\"kim\",\"conflict\":\"c1\"}",
    "{\"kind\":\"verdict\",\"status\":\"resolved\",\"slot_key\":[\"p\",\"k\"],\"resolved_by\":\"lee\",\"conflict\":\"c1\"}",
    "{\"kind\":\"verdict\",\"status\":\"resolved\",\"slot_key\":[\"p\",\"k\"],\"resolved_by\":\"kim\",\"conflict\":\"c1\",\"resolution\":\"x\"}",
    "{\"kind\":\"verdict\",\"status\":\"resolved\",\"slot_key\":[\"p\",\"k\"],\"resolved_by\":\"kim\",\"conflict\":\"c1\",\"winner\":\"entity:e\"}",
    "{\"kind\":\"verdict\",\"status\":\"resolved\",\"slot_key\":[\"p\",\"k\"],\"resolved_by\":\"kim\",\"conflict\":\"c1\",\"rule\":\"prose/1\"}",
  };
  world *w = *state;
  hm_verdict_line v = read_line(w, base);
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    assert_true(hm_str_eq(read_line(w, same[i]).id, v.id));
  for (size_t i = 0; i < sizeof other / sizeof *other; i++)
    assert_false(hm_str_eq(read_line(w, other[i]).id, v.id));
}

static void agree(void **state) {
#define LINE(rest)                                                                                 \
  "{\"kind\":\"verdict\",\"conflict\":\"c\",\"slot_key\":[\"k\"]," MEMBERS "," rest "}"
#define ACTS "\"status\":\"resolved\",\"action\":\"supersede_others\",\"winner\":"
#define WINS(row) ACTS "\"" row "\""
#define BOTH(one, other) ACTS "[\"" one "\",\"" other "\"]"
  static const struct { const char *x, *y; bool agree;
  } cases[] = {
    { LINE(WINS("entity:e")), LINE(WINS("entity:e")), true },
    { LINE(WINS("entity:e")), LINE(WINS("memory:m")), false },
    { LINE(BOTH("entity:e", "memory:m")), LINE(BOTH("memory:m", "entity:e")), true },
    { LINE(BOTH("entity:e", "memory:m")), LINE(WINS("entity:e")), false },
    { LINE(BOTH("entity:e", "memory:m")), LINE(BOTH("entity:e", "entity:f")), false },
    { LINE(WINS("entity:e")), LINE("\"status\":\"resolved\",\"action\":\"no_action\""), false },
    { LINE("\"status\":\"resolved\""), LINE("\"status\":\"resolved\",\"action\":\"no_action\""),
      true },
    { LINE("\"status\":\"resolved\""), LINE("\"status\":\"dismissed\""), false },
    { LINE("\"status\":\"dismissed\""), LINE("\"status\":\"dismissed\""), true },
  };
  world *w = *state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_verdict_line x = read_line(w, cases[i].x), y = read_line(w, cases[i].y);
    assert_int_equal(hm_verdict_lines_agree(&x, &y, w->a), cases[i].agree);
    assert_int_equal(hm_verdict_lines_agree(&y, &x, w->a), cases[i].agree);
  }
  /* Another row that says the same wins as well. */
  hm_verdict_line x = read_line(w, cases[0].x), y = x;
  y.winner = HM_STR("entity:f");
  y.members =
      (hm_member_rec[]){ { .layer = HM_ENTITY, .id = HM_STR("f"), .normal = HM_STR("text:peek") } };
  y.n_members = 1;
  assert_true(hm_verdict_lines_agree(&x, &y, w->a));
}

/* One is written as it always was; several as a list, in one order. */
static void winners_are_one_or_a_list(void **state) {
  static const struct {
    const char *read, *written;
  } cases[] = {
    { "\"entity:e\"", "\"winner\":\"entity:e\"}" },
    { "[\"entity:e\"]", "\"winner\":\"entity:e\"}" },
    { "[\"memory:m\",\"entity:e\"]", "\"winner\":[\"entity:e\",\"memory:m\"]}" },
  };
  static const struct {
    const char *read, *why;
  } refused[] = {
    { "[]", "must be a row, as kind:id, or an array of rows" },
    { "[\"entity:e\",1]", "must be an array of rows, as kind:id" },
    { "[\"entity:e\",\"memory:m\",\"entity:e\"]", "names \"entity:e\" twice" },
    { "7", "must be a row, as kind:id, or an array of rows" },
  };
  world *w = *state;
  hm_json *v;
  hm_verdict_line line;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    line = read_line(w,
                     hm_str_fmt(w->a,
                                "{\"kind\":\"verdict\",\"conflict\":\"c\",\"winner\":%s,"
                                "\"status\":\"resolved\"}",
                                cases[i].read)
                         .p);
    assert_true(hm_str_find(put_line(w, &line), cases[i].written) > 0);
  }
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    hm_str text = hm_str_fmt(w->a,
                             "{\"kind\":\"verdict\",\"conflict\":\"c\",\"winner\":%s,"
                             "\"status\":\"resolved\"}",
                             refused[i].read);
    ok(w, hm_json_parse(w->a, text, &v, &w->err));
    assert_int_equal(hm_verdict_line_parse(v, w->a, &line, &w->err), -1);
    assert_string_equal(w->err.field, "winner");
    assert_string_equal(w->err.why, refused[i].why);
  }
}

static void kept_once(void **state) {
  static const hm_actor who = { .by = { "tester", 6 }, .at = { "2026-05-01T00:00:00Z", 20 } };
  world *w = *state;
  hm_known_verdict *all;
  size_t n;
  bool added, any;
  create(w);
  hm_verdict_line v =
      read_line(w, "{\"kind\":\"verdict\",\"status\":\"dismissed\",\"conflict\":\"c1\"}");
  ok(w, hm_store_begin(w->s, true, &w->err));
  ok(w, hm_verdicts_waiting(w->s, &any, &w->err));
  assert_false(any);
  ok(w, hm_store_add_verdict(w->s, &v, &who, w->a, &added, &w->err));
  assert_true(added);
  ok(w, hm_store_add_verdict(w->s, &v, &who, w->a, &added, &w->err));
  assert_false(added);
  ok(w, hm_verdicts_all(w->s, w->a, &all, &n, &w->err));
  assert_int_equal(n, 1);
  assert_int_equal(all[0].state, HM_VERDICT_WAITS);
  all[0].state = HM_VERDICT_APPLIED;
  all[0].target = HM_STR("c7");
  ok(w, hm_verdicts_mark(w->s, &all[0], &w->err));
  ok(w, hm_verdicts_waiting(w->s, &any, &w->err));
  assert_false(any);
  ok(w, hm_store_commit(w->s, &w->err));
  assert_string_equal(ask(w, "SELECT verb || ' ' || ref FROM journal"),
                      hm_str_fmt(w->a, "import verdict:%.*s", HM_FMT(v.id)).p);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(what_is_read_is_written),
    T(known_by_what_was_decided),
    T(agree),
    T(winners_are_one_or_a_list),
    T(kept_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
