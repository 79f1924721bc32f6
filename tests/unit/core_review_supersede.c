/* One row gives way to another, and back: what is written, and what is refused. */
#include "tests/unit/core_store_help.h"
#include "core/review/supersede.h"

static const hm_actor KIM = { .by = { "kim", 3 }, .at = { "2026-06-01T00:00:00Z", 20 } };

static const char FACTS[] =
    "{\"kind\":\"entity\",\"id\":\"e1\",\"entity_type\":\"Decision\",\"name\":\"a\",\"project\":\"p\",\"properties\":{\"value\":1}}\n"
    "{\"kind\":\"entity\",\"id\":\"e2\",\"entity_type\":\"Decision\",\"name\":\"b\",\"project\":\"p\"}\n"
    "{\"kind\":\"entity\",\"id\":\"e3\",\"entity_type\":\"Decision\",\"name\":\"c\",\"project\":\"p\"}\n"
    "{\"kind\":\"entity\",\"id\":\"cand\",\"entity_type\":\"Decision\",\"name\":\"d\",\"status\":\"candidate\"}\n"
    "{\"kind\":\"entity\",\"id\":\"memory:x\",\"entity_type\":\"Decision\",\"name\":\"odd\",\"project\":\"p\"}\n"
    "{\"kind\":\"memory\",\"id\":\"m1\",\"memory_type\":\"knowledge\",\"content\":\"a is 2\",\"project\":\"p\"}\n"
    "{\"kind\":\"memory\",\"id\":\"e3\",\"memory_type\":\"knowledge\",\"content\":\"a is 3\",\"project\":\"p\"}\n"
    "{\"kind\":\"memory\",\"id\":\"bad\",\"memory_type\":\"knowledge\",\"content\":\"a is 4\",\"project\":\"p\",\"status\":\"invalid\"}\n"
    "{\"kind\":\"memory\",\"id\":\"grad\",\"memory_type\":\"knowledge\",\"content\":\"a is 4\",\"project\":\"p\",\"status\":\"graduated\"}\n";

static void fill(world *w) {
  create(w);
  import(w, FACTS);
}

static hm_named_row row(world *w, const char *ref) {
  hm_named_row r;
  ok(w, hm_named_row_find(w->s, hm_str_c(ref), w->a, &r, &w->err));
  return r;
}

static int try_supersede(world *w, const char *older, const char *newer, const char *notes,
                         bool across) {
  hm_str relation;
  hm_named_row a = row(w, older), b = row(w, newer);
  ok(w, hm_store_begin(w->s, true, &w->err));
  if (hm_supersede(w->s, &a, &b, hm_str_c(notes), across, &KIM, w->a, &relation, &w->err)) {
    hm_store_rollback(w->s);
    return -1;
  }
  ok(w, hm_store_commit(w->s, &w->err));
  return 0;
}
#define supersede(w, ...) ok(w, try_supersede(w, __VA_ARGS__))

static int try_restore(world *w, const char *ref, size_t *n) {
  hm_str *relations;
  hm_named_row r = row(w, ref);
  ok(w, hm_store_begin(w->s, true, &w->err));
  int rc = hm_unsupersede(w->s, &r, &KIM, w->a, &relations, n, &w->err);
  if (rc) hm_store_rollback(w->s);
  else ok(w, hm_store_commit(w->s, &w->err));
  return rc;
}

static void refused(world *w, const char *older, const char *newer, bool across, hm_code code,
                    const char *why) {
  assert_int_equal(try_supersede(w, older, newer, "", across), -1);
  assert_int_equal(w->err.code, code);
  if (!strstr(w->err.why, why)) fail_msg("\"%s\" is not in \"%s\"", why, w->err.why);
  assert_true(w->err.fix[0] != 0);
}

static void the_row_is_kept(void **state) {
  world *w = *state;
  fill(w);
  supersede(w, "entity:e1", "e2", "", false);
  assert_string_equal(
      ask(w,
          "SELECT status || superseded_by || superseded_at || properties FROM entities WHERE id = 'e1'"),
      "supersedede22026-06-01T00:00:00Z{\"value\":1}");
  assert_string_equal(ask(w, "SELECT verb || actor || at || ref FROM journal ORDER BY seq DESC"),
                      "supersedekim2026-06-01T00:00:00Zentity:e1");
  assert_string_equal(ask(w, "SELECT count(*) FROM relations"), "0");
  hm_named_row r = row(w, "e1");
  assert_str(hm_named_row_status_text(&r, w->a), "superseded by entity:e2");
}

static void notes_become_a_relation(void **state) {
  world *w = *state;
  fill(w);
  supersede(w, "e1", "e2", "measured \"again\"", false);
  assert_string_equal(
      ask(w,
          "SELECT type || ' ' || from_id || ' ' || to_id || ' ' || project || status FROM relations"),
      "SUPERSEDES entity:e2 entity:e1 pactive");
  assert_string_equal(
      ask(w,
          "SELECT json_extract(properties, '$.rationale') || json_extract(properties, '$.decided_by') FROM relations"),
      "measured \"again\"kim");
  assert_string_equal(
      ask(w, "SELECT group_concat(verb) FROM (SELECT verb FROM journal ORDER BY seq DESC LIMIT 2)"),
      "supersede,supersede");
  int64_t lines, bad;
  ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
  assert_int_equal(bad, 0);
}

static void another_layer_is_named_in_full(void **state) {
  world *w = *state;
  fill(w);
  supersede(w, "m1", "entity:e1", "", true);
  assert_string_equal(ask(w, "SELECT superseded_by FROM memories WHERE id = 'm1'"), "entity:e1");
  /* So is an id that begins like a reference. */
  supersede(w, "e2", "memory:x", "", false);
  assert_string_equal(ask(w, "SELECT superseded_by FROM entities WHERE id = 'e2'"),
                      "entity:memory:x");
  hm_named_row r = row(w, "e2");
  assert_str(r.superseded_by, "entity:memory:x");
}

static void refuses(void **state) {
  world *w = *state;
  fill(w);
  const char *before = ask(w, "SELECT count(*) FROM journal");
  refused(w, "e1", "entity:e1", false, HM_E_INPUT, "itself");
  refused(w, "e1", "m1", false, HM_E_INPUT, "another layer");
  refused(w, "cand", "e1", false, HM_E_STATE, "candidate");
  refused(w, "e1", "cand", false, HM_E_STATE, "candidate");
  refused(w, "grad", "m1", false, HM_E_STATE, "graduated");
  refused(w, "m1", "bad", false, HM_E_STATE, "invalid");
  refused(w, "bad", "m1", false, HM_E_STATE, "invalid");
  assert_string_equal(ask(w, "SELECT count(*) FROM journal"), before);
  hm_named_row r;
  assert_int_equal(hm_named_row_find(w->s, HM_STR("nobody"), w->a, &r, &w->err), -1);
  assert_int_equal(w->err.code, HM_E_UNKNOWN);
  assert_int_equal(hm_named_row_find(w->s, HM_STR("entity:m1"), w->a, &r, &w->err), -1);
  assert_int_equal(w->err.code, HM_E_UNKNOWN);
  assert_int_equal(hm_named_row_find(w->s, HM_STR("e3"), w->a, &r, &w->err), -1);
  assert_int_equal(w->err.code, HM_E_INPUT);
  assert_non_null(strstr(w->err.why, "several layers"));
}

static void no_circle(void **state) {
  world *w = *state;
  fill(w);
  supersede(w, "e1", "e2", "", false);
  refused(w, "e2", "e1", false, HM_E_STATE, "circle");
  supersede(w, "e2", "entity:e3", "", false);
  refused(w, "entity:e3", "e1", false, HM_E_STATE, "through entity:e2");
  refused(w, "e1", "entity:e3", false, HM_E_STATE, "superseded by entity:e2");
  /* A circle that another program wrote ends the walk. */
  sql(w, "UPDATE entities SET status='superseded', superseded_by='e1' WHERE id='e3'");
  supersede(w, "entity:memory:x", "e1", "", false);
}

static void restore_undoes_it(void **state) {
  world *w = *state;
  fill(w);
  hm_str before = export(w);
  size_t n;
  supersede(w, "m1", "entity:e1", "", true);
  ok(w, try_restore(w, "m1", &n));
  assert_int_equal(n, 0);
  hm_str after = export(w);
  assert_true(hm_str_eq(before, after));
  assert_string_equal(ask(w, "SELECT verb || ref FROM journal ORDER BY seq DESC"),
                      "restorememory:m1");
  ok(w, try_restore(w, "bad", &n));
  assert_string_equal(ask(w, "SELECT status FROM memories WHERE id = 'bad'"), "active");
  assert_int_equal(try_restore(w, "bad", &n), -1);
  assert_int_equal(w->err.code, HM_E_STATE);
  assert_int_equal(try_restore(w, "cand", &n), -1);
  assert_int_equal(try_restore(w, "grad", &n), -1);
}

static void restore_ends_what_said_so(void **state) {
  world *w = *state;
  fill(w);
  import(
      w,
      "{\"kind\":\"relation\",\"id\":\"r1\",\"type\":\"superseded by\",\"from\":\"e1\",\"to\":\"e2\"}\n"
      "{\"kind\":\"relation\",\"id\":\"r2\",\"type\":\"SUPERSEDES\",\"from\":\"e3\",\"to\":\"e1\"}\n"
      "{\"kind\":\"relation\",\"id\":\"r3\",\"type\":\"AFFECTS\",\"from\":\"e2\",\"to\":\"e1\"}\n");
  supersede(w, "e1", "e2", "why", false);
  size_t n;
  ok(w, try_restore(w, "e1", &n));
  assert_int_equal(n, 2);
  assert_string_equal(
      ask(w,
          "SELECT group_concat(id || status) FROM (SELECT id, status FROM relations WHERE id IN ('r1','r2','r3') ORDER BY id)"),
      "r1invalid,r2active,r3active");
  /* At the same time once more: another relation. */
  supersede(w, "e1", "e2", "why", false);
  assert_string_equal(ask(w, "SELECT count(*) FROM relations"), "5");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(the_row_is_kept, begin, end),
    cmocka_unit_test_setup_teardown(notes_become_a_relation, begin, end),
    cmocka_unit_test_setup_teardown(another_layer_is_named_in_full, begin, end),
    cmocka_unit_test_setup_teardown(refuses, begin, end),
    cmocka_unit_test_setup_teardown(no_circle, begin, end),
    cmocka_unit_test_setup_teardown(restore_undoes_it, begin, end),
    cmocka_unit_test_setup_teardown(restore_ends_what_said_so, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
