/* A verdict touches what it judges: rows that also say other things, and links between sides that
 * stay. */
#include "tests/unit/core_review_help.h"
#include "core/review/verdict.h"

#define STATE(id, value)                                                                           \
  "{\"id\":\"" id "\",\"project\":\"p\",\"key\":\"leg mass\",\"value\":\"" value "\"}"
#define LEG(id, props)                                                                             \
  "{\"id\":\"" id                                                                                  \
  "\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"leg\",\"properties\":{" props     \
  "}}"
#define MEMORY(id, value)                                                                          \
  "{\"id\":\"" id                                                                                  \
  "\",\"memory_type\":\"knowledge\",\"project\":\"p\",\"content\":\"leg mass is " value "\"}"

typedef hm_verdict_report report;

static int try_resolve(world *w, hm_resolution how, bool dry, report *out) {
  hm_review r = review();
  r.dry_run = dry;
  how.notes = HM_STR("weighed");
  hm_str id = hm_str_c(ask(w, "SELECT id FROM conflicts WHERE status = 'open'"));
  return hm_review_resolve(w->s, &r, id, &how, w->a, out, &w->err);
}

static report resolve(world *w, hm_resolution how) {
  report out = { 0 };
  ok(w, try_resolve(w, how, false, &out));
  return out;
}

static int try_restore(world *w, const char *row, const char *field, report *out) {
  hm_review r = review();
  return hm_review_restore(w->s, &r, hm_str_c(row), hm_str_c(field), HM_STR("it holds"), w->a, out,
                           &w->err);
}

static report restore(world *w, const char *row, const char *field) {
  report out = { 0 };
  ok(w, try_restore(w, row, field, &out));
  return out;
}

static bool changed(const report *r, const char *ref, const char *before, const char *after) {
  for (size_t i = 0; i < r->n_changes; i++)
    if (hm_str_is(r->changes[i].ref, ref))
      return hm_str_is(r->changes[i].before, before) && hm_str_is(r->changes[i].after, after);
  return false;
}

static const char *properties(world *w) {
  return ask(w, "SELECT status || properties FROM entities WHERE id = 'e1'");
}

/* The state and a component that also has a vendor. */
static void two(world *w) {
  create(w);
  add(w, HM_STATE, STATE("s1", "4.8 kg"));
  add(w, HM_ENTITY, LEG("e1", "\"mass\":\"5 kg\",\"vendor\":\"ACME\",\"colour\":\"red\""));
}

#define WIN(...)                                                                                   \
  (hm_resolution) {                                                                                \
    .winners = &HM_STR("project_state:s1"), .n_winners = 1, .action = HM_SUPERSEDE_OPPONENTS,      \
    __VA_ARGS__                                                                                    \
  }
#define FIELD_ONLY WIN(.scope = HM_SCOPE_FIELD_ONLY)

static void a_row_that_says_more_is_not_retired_unasked(void **state) {
  world *w = *state;
  report r;
  two(w);
  for (int dry = 0; dry < 2; dry++) {
    assert_int_equal(try_resolve(w, WIN(.scope = HM_SCOPE_UNSAID), dry, &r), -1);
    assert_int_equal(w->err.code, HM_E_INPUT);
    assert_string_equal(w->err.field, "scope");
    assert_string_equal(w->err.what, "entity:e1");
    assert_string_equal(w->err.why, "it also says vendor, colour");
    assert_non_null(strstr(w->err.fix, "--whole-row"));
    assert_non_null(strstr(w->err.fix, "take only mass out of it: --field-only"));
  }
  assert_string_equal(ask(w, "SELECT count(*) FROM journal WHERE verb IN ('resolve', 'supersede')"),
                      "0");
  assert_string_equal(ask(w, "SELECT status FROM conflicts"), "open");
}

static void the_whole_row(void **state) {
  world *w = *state;
  two(w);
  report r = resolve(w, WIN(.scope = HM_SCOPE_WHOLE_ROW));
  assert_true(changed(&r, "entity:e1", "active", "superseded by project_state:s1"));
  assert_string_equal(
      ask(w, "SELECT scope || (SELECT sum(removed) FROM conflict_members) FROM conflicts"),
      "whole_row0");
  expect_sweep_changes_nothing(w);
}

static void only_the_field(void **state) {
  world *w = *state;
  two(w);
  report r = resolve(w, FIELD_ONLY);
  assert_int_equal(r.n_changes, 1);
  assert_true(changed(&r, "entity:e1", "mass = 5 kg", "taken out of the row"));
  assert_string_equal(properties(w), "active{\"vendor\":\"ACME\",\"colour\":\"red\"}");
  assert_string_equal(ask(w, "SELECT status || scope FROM conflicts"), "resolvedfield_only");
  assert_string_equal(
      ask(w,
          "SELECT field || value_detected || removed FROM conflict_members WHERE member_kind = 'entity'"),
      "mass5 kg1");
  assert_string_equal(
      ask(w,
          "SELECT before LIKE '%\"mass\":\"5 kg\"%' AND after NOT LIKE '%mass%' AND why LIKE 'conflict c%: weighed'"
          " FROM journal WHERE ref = 'entity:e1' AND verb = 'remove'"),
      "1");
  expect_sweep_changes_nothing(w);
}

/* A memory and a state say nothing else: they give way whole, under either scope, and unasked. */
static void who_says_one_thing_gives_way_whole(void **state) {
  world *w = *state;
  two(w);
  add(w, HM_MEMORY, MEMORY("m1", "6 kg"));
  report r = resolve(w, FIELD_ONLY);
  assert_true(changed(&r, "memory:m1", "active", "superseded by project_state:s1"));
  assert_true(changed(&r, "entity:e1", "mass = 5 kg", "taken out of the row"));
  expect_sweep_changes_nothing(w);
}

static void both_fields_of_a_row(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, STATE("s1", "4.8 kg"));
  add(w, HM_ENTITY,
      LEG("e1", "\"mass\":5,\"Mass\":\"4.8 kg\",\"vendor\":\"ACME\",\"MASS\":[6,\"7\"]"));
  report r = resolve(w, FIELD_ONLY);
  assert_int_equal(r.n_changes, 2);
  assert_string_equal(properties(w), "active{\"Mass\":\"4.8 kg\",\"vendor\":\"ACME\"}");
  expect_sweep_changes_nothing(w);
  restore(w, "e1", "MASS");
  assert_string_equal(properties(w),
                      "active{\"Mass\":\"4.8 kg\",\"vendor\":\"ACME\",\"MASS\":[6,\"7\"]}");
  restore(w, "e1", "");
  assert_string_equal(
      properties(w),
      "active{\"Mass\":\"4.8 kg\",\"vendor\":\"ACME\",\"MASS\":[6,\"7\"],\"mass\":5}");
}

static void a_field_comes_back(void **state) {
  world *w = *state;
  report r;
  two(w);
  resolve(w, FIELD_ONLY);
  assert_int_equal(try_restore(w, "e1", "vendor", &r), -1);
  assert_string_equal(w->err.field, "field");
  assert_string_equal(w->err.fix, "verdicts took out: mass");
  r = restore(w, "e1", "mass");
  assert_int_equal(r.n_opened, 1);
  assert_true(changed(&r, "entity:e1", "mass not there", "mass = \"5 kg\""));
  assert_string_equal(properties(w),
                      "active{\"vendor\":\"ACME\",\"colour\":\"red\",\"mass\":\"5 kg\"}");
  assert_string_equal(ask(w, "SELECT sum(removed) FROM conflict_members"), "0");
  expect_sweep_changes_nothing(w);
  assert_int_equal(try_restore(w, "e1", "", &r), -1);
  assert_int_equal(w->err.code, HM_E_STATE);
}

/* Without the journal the member's record says what it was. */
static void a_field_comes_back_in_another_store(void **state) {
  world *w = *state;
  two(w);
  edit(w, "e1", "{\"properties\":{\"mass\":5}}");
  resolve(w, FIELD_ONLY);
  sql(w,
      "UPDATE journal SET seq = seq WHERE 0; DROP TRIGGER journal_no_delete; DELETE FROM journal");
  restore(w, "e1", "");
  assert_string_equal(properties(w), "active{\"vendor\":\"ACME\",\"colour\":\"red\",\"mass\":5}");
}

static void given_back_by_hand(void **state) {
  world *w = *state;
  report r;
  two(w);
  resolve(w, FIELD_ONLY);
  edit(w, "e1", "{\"properties\":{\"mass\":\"4800 g\"}}");
  assert_int_equal(try_restore(w, "e1", "mass", &r), -1);
  assert_non_null(strstr(w->err.why, "or it is back"));
}

static void reopening_tells_what_is_out(void **state) {
  world *w = *state;
  hm_review k = review();
  report r;
  two(w);
  resolve(w, FIELD_ONLY);
  ok(w,
     hm_review_reopen(w->s, &k, hm_str_c(ask(w, "SELECT id FROM conflicts")), HM_STR("why"), true, w->a,
                      &r, &w->err));
  assert_int_equal(r.n_removed, 1);
  assert_str(r.removed[0].ref, "entity:e1");
  assert_str(r.removed[0].field, "mass");
  assert_int_equal(r.n_restorable, 0);
  r = restore(w, "e1", "mass");
  assert_int_equal(r.n_revived, 1);
  expect_sweep_changes_nothing(w);
}

static void a_dry_run_of_it(void **state) {
  world *w = *state;
  report r = { 0 };
  two(w);
  hm_str before = export(w);
  ok(w, try_resolve(w, FIELD_ONLY, true, &r));
  assert_int_equal(r.n_changes, 1);
  assert_int_equal(r.n_withdrawn, 0);
  assert_true(hm_str_eq(before, export(w)));
  ok(w, try_resolve(w, WIN(.scope = HM_SCOPE_WHOLE_ROW), true, &r));
  assert_int_equal(r.n_withdrawn, 2);
}

static void export_keeps_it(void **state) {
  world *w = *state;
  two(w);
  resolve(w, FIELD_ONLY);
  hm_str out = export(w);
  assert_true(hm_str_find(out, "\"scope\":\"field_only\"") >= 0);
  assert_true(hm_str_find(out, "\"removed\":true") >= 0);
}

/* --- links -------------------------------------------------------------------- */

#define KEEP (hm_resolution){ .action = HM_NO_ACTION, .link = true }

static void sides_are_linked(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, STATE("s1", "4.8 kg"));
  add(w, HM_STATE, STATE("s2", "4800 g"));
  add(w, HM_ENTITY, LEG("e1", "\"mass\":\"5 kg\""));
  add(w, HM_MEMORY, MEMORY("m1", "6 kg"));
  report r = resolve(w, KEEP);
  assert_int_equal(r.n_links, 3);
  assert_int_equal(r.n_changes, 0);
  assert_string_equal(
      ask(w,
          "SELECT group_concat(src || ' ' || rel || ' ' || dst, '; ') FROM (SELECT * FROM links ORDER BY src, dst)"),
      "entity:e1 contradicts memory:m1; project_state:s1 contradicts entity:e1; project_state:s1 contradicts memory:m1");
  assert_string_equal(
      ask(w, "SELECT ref || after FROM journal WHERE verb = 'link' AND ref LIKE '%e1 memory%'"),
      "link:entity:e1 memory:m1 contradicts{\"kind\":\"link\",\"src\":\"entity:e1\",\"dst\":\"memory:m1\",\"rel\":\"contradicts\"}");
  hm_review k = review();
  ok(w,
     hm_review_reopen(w->s, &k, hm_str_c(ask(w, "SELECT id FROM conflicts")), HM_STR("why"), true, w->a,
                      &r, &w->err));
  assert_int_equal(resolve(w, KEEP).n_links, 0);
  assert_string_equal(ask(w, "SELECT count(*) FROM links"), "3");
  expect_sweep_changes_nothing(w);
}

static void what_does_not_go_together(void **state) {
  world *w = *state;
  report r;
  two(w);
  assert_int_equal(try_resolve(w, WIN(.link = true), false, &r), -1);
  assert_string_equal(w->err.field, "link");
  assert_int_equal(
      try_resolve(w, (hm_resolution){ .action = HM_NO_ACTION, .scope = HM_SCOPE_FIELD_ONLY }, false,
                  &r),
      -1);
  assert_string_equal(w->err.field, "scope");
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(a_row_that_says_more_is_not_retired_unasked),
    T(the_whole_row),
    T(only_the_field),
    T(who_says_one_thing_gives_way_whole),
    T(both_fields_of_a_row),
    T(a_field_comes_back),
    T(a_field_comes_back_in_another_store),
    T(given_back_by_hand),
    T(reopening_tells_what_is_out),
    T(a_dry_run_of_it),
    T(export_keeps_it),
    T(sides_are_linked),
    T(what_does_not_go_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
