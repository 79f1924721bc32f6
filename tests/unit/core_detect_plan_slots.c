/* Several conflicts of one slot: which goes on when they grow together, fall apart, or move. */
#include "tests/unit/core_detect_plan_help.h"

static const hm_conflict_rec *conflict_of(const help_look *l, const char *member) {
  for (size_t i = 0; i < l->plan->n_conflicts; i++)
    for (size_t k = 0; k < l->plan->conflicts[i].n_members && l->plan->disputes[i]; k++)
      if (hm_str_is(l->plan->conflicts[i].members[k].id, member)) return &l->plan->conflicts[i];
  fail_msg("no conflict is disputed with %s", member);
  return NULL;
}

static const hm_conflict_rec *with_id(const help_look *l, hm_str id) {
  for (size_t i = 0; i < l->plan->n_conflicts; i++)
    if (hm_str_eq(l->plan->conflicts[i].id, id)) return &l->plan->conflicts[i];
  fail_msg("it is gone");
  return NULL;
}

static void grow_together_and_fall_apart(void **unused) {
  (void)unused;
  hm_row four[] = { in_time("s1", "owner", "Ann", "2020-01-01", "2021-01-01"),
                    in_time("s2", "owner", "Bob", "2020-01-01", "2021-01-01"),
                    in_time("s3", "owner", "Cid", "2026-01-01", ""),
                    in_time("s4", "owner", "Dee", "2026-01-01", "") };
  four[2].created_at = HM_STR("2019-05-05"); /* the anchor of the later dispute is the older one */
  hm_row five[] = { four[0], four[1], four[2], four[3],
                    in_time("s5", "owner", "Eve", "2020-06-01", "") };
  help_look l = LOOK(four, NULL);
  expect(&l, 2, 0, 0, 2);
  hm_str then = conflict_of(&l, "s1")->id, now = conflict_of(&l, "s3")->id;
  assert_true(hm_str_eq(then, id_by_design("[\"p05\",\"owner\"]", "project_state:s1#value", "0")));
  assert_true(hm_str_eq(now, id_by_design("[\"p05\",\"owner\"]", "project_state:s3#value", "0")));

  help_look one = LOOK(five, &l);
  expect(&one, 0, 2, 0, 2);
  assert_true(hm_str_eq(conflict_of(&one, "s1")->id, now));
  assert_int_equal(conflict_of(&one, "s1")->n_members, 5);
  assert_int_equal(with_id(&one, then)->status, HM_MERGED);
  assert_true(hm_str_eq(with_id(&one, then)->merged_into, now));
  assert_int_equal(one.plan->changes[0].kind, HM_CHANGE_MERGE);
  help_look same = LOOK(five, &one);
  expect(&same, 0, 0, 0, 2);

  help_look apart = LOOK(four, &same);   /* Eve's row is gone */
  expect(&apart, 1, 1, 0, 2);
  assert_true(hm_str_eq(conflict_of(&apart, "s3")->id, now));
  assert_int_equal(with_id(&apart, then)->status, HM_OPEN);
  assert_int_equal(with_id(&apart, then)->merged_into.n, 0);
  assert_non_null(hm_plan_dispute(apart.plan, with_id(&apart, then)));
  assert_true(hm_plan_opens_conflict(apart.plan, then));
  help_look still = LOOK(four, &apart);
  expect(&still, 0, 0, 0, 2);
  help_look all[] = { l, one, same, apart, still };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) help_done(&all[i]);
}

/* The part with the anchor goes on, also where the anchor is of the later dispute. */
static void what_falls_apart_goes_on_with_its_anchor(void **unused) {
  (void)unused;
  hm_row five[] = { in_time("s1", "owner", "Ann", "2020-01-01", "2021-01-01"),
                    in_time("s2", "owner", "Bob", "2020-01-01", "2021-01-01"),
                    in_time("s3", "owner", "Cid", "2026-01-01", ""),
                    in_time("s4", "owner", "Dee", "2026-01-01", ""),
                    in_time("s5", "owner", "Eve", "2020-06-01", "") };
  five[3].created_at = HM_STR("2019-05-05");
  help_look l = LOOK(five, NULL), apart = look(five, 4, &l);
  expect(&l, 1, 0, 0, 1);
  expect(&apart, 1, 1, 0, 2);
  assert_true(hm_str_eq(conflict_of(&apart, "s4")->id, l.plan->conflicts[0].id));
  assert_true(hm_str_eq(conflict_of(&apart, "s1")->id,
                        id_by_design("[\"p05\",\"owner\"]", "project_state:s1#value", "0")));
  help_done(&l);
  help_done(&apart);
}

/* When the anchor leaves, the conflict goes on with what is left; and takes no other along when it
 * comes back. */
static void the_anchor_may_leave(void **unused) {
  (void)unused;
  hm_row three[] = { says("s1", "owner", "Ann"), says("s2", "owner", "Bob"),
                     says("s3", "owner", "Cid") };
  hm_row then[] = { in_time("s1", "owner", "Ann", "2020-01-01", "2021-01-01"), three[1], three[2],
                    in_time("s4", "owner", "Dee", "2020-01-01", "2021-01-01") };
  then[1].valid_from = then[2].valid_from = HM_STR("2026-01-01");
  help_look l = LOOK(three, NULL), left = look(then + 1, 2, &l), back = LOOK(then, &left);
  hm_str id = l.plan->conflicts[0].id;
  expect(&left, 0, 1, 0, 1);
  assert_true(hm_str_is(left.plan->conflicts[0].anchor, "project_state:s2#value"));
  assert_true(hm_str_eq(left.plan->conflicts[0].id, id));
  expect(&back, 1, 0, 0, 2);
  assert_true(hm_str_eq(conflict_of(&back, "s3")->id, id));
  assert_false(hm_str_eq(conflict_of(&back, "s4")->id, id));
  help_done(&l);
  help_done(&left);
  help_done(&back);
}

/* Recorded before version 3: no anchor, no time, one conflict for all of a slot. */
static void records_without_an_anchor_get_one(void **unused) {
  (void)unused;
  hm_row four[] = { in_time("s1", "owner", "Ann", "2020-01-01", "2021-01-01"),
                    in_time("s2", "owner", "Bob", "2020-01-01", "2021-01-01"),
                    in_time("s3", "owner", "Cid", "2026-01-01", ""),
                    in_time("s4", "owner", "Dee", "2026-01-01", "") };
  four[3].created_at = HM_STR("2018");
  help_look l = LOOK(four, NULL);
  hm_conflict_rec old = l.plan->conflicts[0];
  old.id = HM_STR("c00000000old");
  old.anchor = old.window_from = old.window_until = HM_EMPTY;
  old.n_members = 4;
  old.members = hm_alloc_array(a, 4, sizeof *old.members);
  for (size_t i = 0; i < 4; i++)
    old.members[i] = (hm_member_rec){ .layer = HM_STATE,
                                      .id = four[i].id,
                                      .field = HM_STR("value"),
                                      .value = four[i].text,
                                      .normal = HM_STR("text:x") };
  l.snap->conflicts = &old;
  l.snap->n_conflicts = 1;
  help_replan(&l, a);
  expect(&l, 1, 1, 0, 2);
  assert_true(hm_str_is(conflict_of(&l, "s4")->id, "c00000000old"));
  assert_true(hm_str_is(conflict_of(&l, "s4")->anchor, "project_state:s4#value"));
  old.status = HM_DISMISSED;
  help_replan(&l, a);
  expect(&l, 0, 0, 2, 1);
  help_done(&l);
}

/* Names are folded otherwise in a later version: members say whose conflict it is. */
static void a_conflict_follows_its_members_to_another_key(void **unused) {
  (void)unused;
  hm_row two[] = { says("s1", "finish", "red"), says("s2", "finish", "blue") };
  help_look l = LOOK(two, NULL);
  hm_conflict_rec old = l.plan->conflicts[0];
  old.slot_key = HM_STR("[\"p05\",\"color\"]");
  l.snap->conflicts = &old;
  l.snap->n_conflicts = 1;
  help_replan(&l, a);
  expect(&l, 0, 1, 0, 1);
  assert_true(hm_str_eq(l.plan->conflicts[0].id, old.id));
  assert_true(hm_str_is(l.plan->conflicts[0].slot_key, "[\"p05\",\"finish\"]"));
  assert_non_null(hm_plan_dispute(l.plan, &l.plan->conflicts[0]));
  old.status = HM_DISMISSED;
  help_replan(&l, a);
  expect(&l, 0, 0, 1, 1);
  help_done(&l);
}

/* The values are alike, the question is another one. */
static void one_row_takes_no_verdict_along(void **unused) {
  (void)unused;
  hm_row before[] = { says("s1", "left_ready", "yes"), says("s2", "left_ready", "no"),
                      says("s3", "right_ready", "yes") };
  hm_row after[] = { before[0], says("s2", "right_ready", "no"), before[2] };
  hm_row both[] = { says("s1", "right_ready", "yes"), after[1], before[2] };
  help_look l = LOOK(before, NULL);
  settle(&l, HM_DISMISSED, "");
  help_look moved = LOOK(after, &l), two = LOOK(both, &l);
  expect(&moved, 1, 0, 0, 2);
  expect(&two, 0, 0, 1, 1);   /* both rows that it judged */
  help_done(&l);
  help_done(&moved);
  help_done(&two);
}

/* One row that is edited moves to another question and takes no conflict along. */
static void one_row_takes_no_conflict_along(void **unused) {
  (void)unused;
  hm_row before[] = { says("s1", "color", "red"), says("s2", "color", "blue"),
                      says("s3", "size", "1") };
  hm_row after[] = { says("s1", "size", "2"), before[1], before[2] };
  help_look l = LOOK(before, NULL), moved = LOOK(after, &l);
  expect(&moved, 1, 0, 0, 2);
  assert_false(hm_str_eq(conflict_of(&moved, "s1")->id, l.plan->conflicts[0].id));
  assert_null(hm_plan_dispute(moved.plan, with_id(&moved, l.plan->conflicts[0].id)));
  help_done(&l);
  help_done(&moved);
}

/* The order in which rows came, and what came between, makes no difference to a store that is made
 * again. */
static void a_rebuilt_store_has_the_same_ids(void **unused) {
  (void)unused;
  hm_row rows[] = { says("s1", "owner", "Ann"), says("s2", "owner", "Bob"),
                    says("s3", "owner", "Cid") };
  rows[0].created_at = HM_STR("2026-03-01T00:00:00Z");
  rows[1].created_at = HM_STR("2026-02-01T00:00:00+02:00"); /* the first, and is so as an instant */
  rows[2].created_at = HM_STR("2026-02-01T00:00:00Z");
  help_look two = look(rows, 2, NULL), three = LOOK(rows, &two), fresh = LOOK(rows, NULL);
  assert_true(hm_str_eq(three.plan->conflicts[0].id, fresh.plan->conflicts[0].id));
  assert_true(hm_str_is(fresh.plan->conflicts[0].anchor, "project_state:s2#value"));
  rows[1].created_at = HM_EMPTY;
  help_look absent = LOOK(rows, NULL);
  assert_true(hm_str_is(absent.plan->conflicts[0].anchor, "project_state:s3#value"));
  help_look all[] = { two, three, fresh, absent };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) help_done(&all[i]);
}

static void anchors_are_told_apart(void **unused) {
  (void)unused;
  hm_layer layer;
  hm_str id, field;
  assert_true(hm_str_is(hm_anchor_text(a, HM_ENTITY, HM_STR("a#b%c"), HM_STR("d#e")),
                        "entity:a%23b%25c#d#e"));
  assert_true(hm_anchor_parse(a, HM_STR("entity:a%23b%25c#d#e"), &layer, &id, &field));
  assert_true(layer == HM_ENTITY && hm_str_is(id, "a#b%c") && hm_str_is(field, "d#e"));
  assert_false(hm_anchor_parse(a, HM_EMPTY, &layer, &id, &field));
  assert_false(hm_anchor_parse(a, HM_STR("entity:e"), &layer, &id, &field));
  assert_false(hm_anchor_parse(a, HM_STR("x:e#value"), &layer, &id, &field));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    IN_ARENA(grow_together_and_fall_apart),
    IN_ARENA(what_falls_apart_goes_on_with_its_anchor),
    IN_ARENA(the_anchor_may_leave),
    IN_ARENA(records_without_an_anchor_get_one),
    IN_ARENA(a_conflict_follows_its_members_to_another_key),
    IN_ARENA(one_row_takes_no_conflict_along),
    IN_ARENA(one_row_takes_no_verdict_along),
    IN_ARENA(a_rebuilt_store_has_the_same_ids),
    IN_ARENA(anchors_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
