/* Disputes to conflicts: opened, brought up to date, kept quiet; and nothing twice. */
#include "tests/unit/core_detect_plan_help.h"

static void opens(void **unused) {
  (void)unused;
  hm_row rows[] = { says("s1", "color", "red"), says("s2", "color", "Blue"),
                    says("s3", "size", "1"), says("s4", "size", "1.0") };
  help_look l = LOOK(rows, NULL);
  expect(&l, 1, 0, 0, 1);
  const hm_conflict_rec *c = &l.plan->conflicts[0];
  assert_true(hm_str_eq(c->id, id_by_design("[\"p05\",\"color\"]", "project_state:s1#value", "0")));
  assert_true(hm_str_is(c->slot_key, "[\"p05\",\"color\"]"));
  assert_true(hm_str_is(c->project, "p05"));
  assert_true(hm_str_is(c->detected_at, "2026-05-01T00:00:00Z"));
  assert_true(hm_str_is(c->rule, "slot"));
  assert_int_equal(c->rule_version, 1);
  assert_int_equal(c->n_members, 2);
  assert_true(hm_str_is(c->members[1].value, "Blue"));
  assert_true(hm_str_is(c->members[1].normal, "text:blue"));
  help_done(&l);
}

static void the_same_again_changes_nothing(void **unused) {
  (void)unused;
  hm_row rows[] = { says("s1", "color", "red"), says("s2", "color", "blue"),
                    help_memory("m1", "knowledge", 1, "Color is green") };
  help_look l = LOOK(rows, NULL), again = LOOK(rows, &l);
  expect(&l, 1, 0, 0, 1);
  expect(&again, 0, 0, 0, 1);
  help_done(&l);
  help_done(&again);
}

static void new_members_join(void **unused) {
  (void)unused;
  hm_row two[] = { says("s1", "color", "red"), says("s2", "color", "blue") };
  hm_row three[] = { two[0], two[1], help_memory("m1", "knowledge", 1, "Color is green") };
  help_look l = LOOK(two, NULL), more = LOOK(three, &l), again = LOOK(three, &more);
  expect(&more, 0, 1, 0, 1);
  const hm_conflict_rec *c = &more.plan->conflicts[0];
  assert_true(hm_str_eq(c->id, l.plan->conflicts[0].id));
  assert_true(hm_str_is(c->slot_kind, "cross_layer"));
  assert_int_equal(c->n_members, 3);
  assert_true(hm_str_is(c->members[2].id, "m1"));
  assert_true(c->members[2].flagged);
  assert_true(hm_str_is(c->members[2].conflicts_with, "project_state:s1"));
  expect(&again, 0, 0, 0, 1);
  help_done(&l);
  help_done(&more);
  help_done(&again);
}

/* Evidence is never thrown away: who was a member stays one. */
static void members_that_left_stay_on_record(void **unused) {
  (void)unused;
  hm_row three[] = { says("s1", "color", "red"), says("s2", "color", "blue"),
                     help_memory("m1", "knowledge", 1, "Color is green") };
  hm_row changed[] = { says("s1", "color", "Red!"), says("s2", "color", "blue") };
  help_look l = LOOK(three, NULL), less = LOOK(changed, &l), again = LOOK(changed, &less);
  expect(&less, 0, 1, 0, 1);
  const hm_conflict_rec *c = &less.plan->conflicts[0];
  assert_int_equal(c->n_members, 3);
  assert_true(hm_str_is(c->slot_kind, "state_slot"));
  assert_true(hm_str_is(c->members[0].value, "Red!"));
  assert_true(hm_str_is(c->members[2].id, "m1"));
  assert_true(hm_str_is(c->members[2].normal, "text:green"));
  assert_false(c->members[2].flagged);
  assert_int_equal(c->members[2].conflicts_with.n, 0);
  expect(&again, 0, 0, 0, 1);
  help_done(&l);
  help_done(&less);
  help_done(&again);
}

static void what_is_no_longer_disputed_stays_open(void **unused) {
  (void)unused;
  hm_row two[] = { says("s1", "color", "red"), help_memory("m1", "knowledge", 1, "Color is blue") };
  hm_row one[] = { two[0] };
  help_look l = LOOK(two, NULL), after = LOOK(one, &l);
  expect(&after, 0, 0, 0, 1);
  assert_int_equal(count_open(&after), 1);
  assert_true(after.plan->conflicts[0].members[1].flagged);
  assert_non_null(hm_plan_dispute(l.plan, &l.plan->conflicts[0]));
  assert_null(hm_plan_dispute(after.plan, &after.plan->conflicts[0]));
  help_done(&l);
  help_done(&after);
}

static void stays_quiet(hm_verdict verdict, const char *action) {
  hm_row two[] = { says("s1", "color", "red"), says("s2", "color", "blue") };
  help_look l = LOOK(two, NULL);
  settle(&l, verdict, action);
  help_look quiet = LOOK(two, &l);
  expect(&quiet, 0, 0, 1, 1);
  assert_null(hm_plan_dispute(quiet.plan, &quiet.plan->conflicts[0]));
  hm_row spelled[] = { says("s1", "color", " RED. "), says("s2", "color", "blue") };
  help_look same = LOOK(spelled, &quiet);
  expect(&same, 0, 0, 1, 1);
  hm_row three[] = { two[0], two[1], says("s3", "color", "green") };
  help_look again = LOOK(three, &same);
  expect(&again, 1, 0, 0, 2);
  assert_true(hm_str_eq(again.plan->changes[0].rec.id,
                        id_by_design("[\"p05\",\"color\"]", "project_state:s1#value", "1")));
  assert_int_equal(again.plan->changes[0].rec.n_members, 3);
  settle(&again, HM_DISMISSED, "");
  help_look twice = LOOK(three, &again);
  expect(&twice, 0, 0, 1, 2);
  help_look back = LOOK(two, &twice);
  expect(&back, 0, 0, 1, 2);
  hm_row other[] = { two[0], says("s2", "color", "yellow") };
  help_look third = LOOK(other, &back);
  expect(&third, 1, 0, 0, 3);
  assert_true(hm_str_eq(third.plan->changes[0].rec.id,
                        id_by_design("[\"p05\",\"color\"]", "project_state:s1#value", "2")));
  help_look all[] = { l, quiet, same, again, twice, back, third };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) help_done(&all[i]);
}

static void dismissed_stays_quiet(void **unused) { (void)unused; stays_quiet(HM_DISMISSED, ""); }
static void no_action_stays_quiet(void **unused) {
  (void)unused;
  stays_quiet(HM_RESOLVED, "no_action");
}

/* Also where no instant is certain: in any of 2019 that the other value held, this one did. */
static void uncertain_times_stay_quiet(void **unused) {
  (void)unused;
  hm_row two[] = { in_time("s1", "color", "red", "2012", "2030"),
                   in_time("s2", "color", "blue", "2019-06", "2019") };
  help_look l = LOOK(two, NULL);
  settle(&l, HM_DISMISSED, "");
  help_look quiet = LOOK(two, &l);
  expect(&quiet, 0, 0, 1, 1);
  hm_row longer[] = { two[0], in_time("s2", "color", "blue", "2019-06", "2019-11") };
  help_look again = LOOK(longer, &quiet);
  expect(&again, 0, 0, 1, 1);
  hm_row later[] = { two[0], in_time("s2", "color", "blue", "2021-06", "2021") };
  help_look other = LOOK(later, &again);
  expect(&other, 1, 0, 0, 2);
  help_look all[] = { l, quiet, again, other };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) help_done(&all[i]);
}

static void superseding_promises_no_quiet(void **unused) {
  (void)unused;
  hm_row two[] = { says("s1", "color", "red"), says("s2", "color", "blue") };
  help_look l = LOOK(two, NULL);
  settle(&l, HM_RESOLVED, "supersede_others");
  help_look again = LOOK(two, &l);
  expect(&again, 1, 0, 0, 2);
  help_done(&l);
  help_done(&again);
}

/* Each pair was settled, the three never together. */
static void pairs_may_be_covered_by_several(void **unused) {
  (void)unused;
  hm_row r = says("s1", "color", "red"), b = says("s2", "color", "blue"),
         g = says("s3", "color", "green");
  hm_row rb[] = { r, b }, bg[] = { b, g }, rg[] = { r, g }, all[] = { r, b, g };
  help_look x = LOOK(rb, NULL);
  settle(&x, HM_DISMISSED, "");
  help_look y = LOOK(bg, &x);
  settle(&y, HM_DISMISSED, "");
  help_look two = LOOK(all, &y);
  expect(&two, 1, 0, 0, 3);
  help_look z = LOOK(rg, &y);
  settle(&z, HM_DISMISSED, "");
  help_look three = LOOK(all, &z);
  expect(&three, 0, 0, 1, 3);
  help_look looks[] = { x, y, two, z, three };
  for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) help_done(&looks[i]);
}

static void ids_step_aside(void **unused) {
  (void)unused;
  hm_row two[] = { says("s1", "color", "red"), says("s2", "color", "blue") };
  help_look l = LOOK(two, NULL);
  hm_conflict_rec taken[] = {
    { .id = id_by_design("[\"p05\",\"color\"]", "project_state:s1#value", "0"),
      .slot_key = HM_STR("[\"x\",\"y\"]"),
      .status = HM_DISMISSED },
    { .id = id_by_design("[\"p05\",\"color\"]", "project_state:s1#value", "0,1"),
      .slot_key = HM_STR("[\"x\",\"z\"]"),
      .status = HM_DISMISSED }
  };
  l.snap->conflicts = taken;
  l.snap->n_conflicts = 2;
  help_replan(&l, a);
  expect(&l, 1, 0, 0, 3);
  assert_true(hm_str_eq(l.plan->changes[0].rec.id,
                        id_by_design("[\"p05\",\"color\"]", "project_state:s1#value", "0,2")));
  help_done(&l);
}

/* Projects whose ids are no text, and look alike when repaired. */
static void odd_projects_have_keys_of_their_own(void **unused) {
  (void)unused;
  const char *projects[] = { "", "p\xfe", "p\xff" };
  hm_row rows[] = { says("s1", "color", "red"), says("s2", "color", "blue"),
                    says("s3", "color", "red"), says("s4", "color", "blue") };
  rows[2].project = rows[3].project = 2;
  help_look l = help_look_at(a, projects, 3, rows, 4, hm_rules_default(), 1);
  expect(&l, 2, 0, 0, 2);
  assert_false(hm_str_eq(l.disputes->disputes[0].slot_key, l.disputes->disputes[1].slot_key));
  help_done(&l);
}

/* --- silence is for values ------------------------------------------------------------ */

static void known_values_stay_quiet_in_new_rows(void **unused) {
  (void)unused;
  hm_row two[] = { says("s1", "color", "red"), says("s2", "color", "blue") };
  hm_row five[] = { two[0], two[1], says("s3", "color", "Blue"), says("s4", "color", "red"),
                    help_memory("m1", "knowledge", 1, "Color is blue") };
  hm_row gone[] = { five[2], five[3] };
  hm_row fresh[] = { five[2], says("s5", "color", "green") };
  help_look l = LOOK(two, NULL);
  settle(&l, HM_DISMISSED, "");
  help_look more = LOOK(five, &l), others = LOOK(gone, &l), another = LOOK(fresh, &l);
  expect(&more, 0, 0, 1, 1);
  expect(&others, 0, 0, 1, 1);
  expect(&another, 1, 0, 0, 2);
  /* Normal forms may be others in a later version, and the raw text is known. */
  for (size_t i = 0; i < l.plan->conflicts[0].n_members; i++)
    l.plan->conflicts[0].members[i].normal = HM_STR("text:otherwise");
  help_look raw = LOOK(two, &l);
  expect(&raw, 0, 0, 1, 1);
  help_look all[] = { l, more, others, another, raw };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) help_done(&all[i]);
}

static void silence_is_for_the_contested_time(void **unused) {
  (void)unused;
  hm_row then[] = { in_time("s1", "color", "red", "2020-01-01", "2021-01-01"),
                    in_time("s2", "color", "blue", "2020-01-01", "2021-01-01") };
  hm_row now[] = { then[0], then[1], in_time("s3", "color", "red", "2026-01-01", ""),
                   in_time("s4", "color", "blue", "2026-01-01", "") };
  help_look l = LOOK(then, NULL);
  settle(&l, HM_DISMISSED, "");
  help_look again = LOOK(now, &l);
  expect(&again, 1, 0, 1, 2);
  assert_true(hm_str_is(again.plan->changes[0].rec.members[0].id, "s3"));
  /* A conflict from before times were recorded is for all times. */
  l.plan->conflicts[0].window_from = l.plan->conflicts[0].window_until = HM_EMPTY;
  help_look all = LOOK(now, &l);
  expect(&all, 0, 0, 2, 1);
  help_done(&l);
  help_done(&again);
  help_done(&all);
}

/* --- coverage against its definition ---------------------------------------------- */

static bool knew(const hm_conflict_rec *c, const hm_claim *claim) {
  for (size_t i = 0; i < c->n_members; i++)
    if (hm_str_eq(c->members[i].normal, claim->value.norm) ||
        hm_str_eq(c->members[i].value, claim->value.raw))
      return true;
  return false;
}

/* Do the three share an instant? */
static bool in_its_time(const hm_conflict_rec *c, const hm_claim *x, const hm_claim *y) {
  hm_time from, until, f, u;
  hm_conflict_stated_window(c, NULL, &from, &until);
  const hm_claim *both[] = { x, y };
  for (int i = 0; i < 2; i++) {
    hm_claim_stated_window(both[i], &f, &u);
    if (f > from) from = f;
    if (u < until) until = u;
  }
  return from < until;
}

static bool naive_covered(const hm_dispute *d, const hm_conflict_rec *recs, size_t n) {
  for (size_t i = 0; i < d->n; i++)
    for (size_t j = i + 1; j < d->n; j++) {
      const hm_claim *x = d->parties[i].claim, *y = d->parties[j].claim;
      bool covered = !hm_claim_disagree(x, y, hm_rules_default(), 2);
      for (size_t k = 0; k < n && !covered; k++)
        covered = knew(&recs[k], x) && knew(&recs[k], y) && in_its_time(&recs[k], x, y);
      if (!covered) return false;
    }
  return true;
}

static void coverage_is_as_defined(void **unused) {
  (void)unused;
  static const char *const colors[] = { "red", "blue", "green", "white", "black", "grey" };
  uint64_t rng = 7;
  size_t covered = 0, open = 0;
  for (int round = 0; round < 1500; round++) {
    hm_row rows[50];
    size_t n = 2 + prng(&rng) % (round % 10 ? 6 : 48);
    for (size_t i = 0; i < n; i++) {
      rows[i] = says(hm_str_z(a, hm_str_fmt(a, "s%zu", i)), "color", colors[prng(&rng) % 6]);
      if (prng(&rng) % 2) rows[i].valid_from = hm_str_fmt(a, "20%02d", (int)(10 + prng(&rng) % 5));
      if (prng(&rng) % 2) rows[i].valid_until = hm_str_fmt(a, "20%02d", (int)(15 + prng(&rng) % 5));
    }
    help_look l = look(rows, n, NULL);
    if (l.disputes->n) {
      size_t n_recs = 1 + prng(&rng) % 6;
      hm_conflict_rec *recs = hm_alloc_array(a, n_recs, sizeof *recs);
      for (size_t k = 0; k < n_recs; k++) {
        recs[k] = l.plan->conflicts[0];
        recs[k].id = hm_str_fmt(a, "c%zu", k);
        recs[k].status = HM_DISMISSED;
        recs[k].members = hm_alloc_array(a, n, sizeof *recs[k].members);
        recs[k].n_members = 0;
        for (size_t i = 0; i < l.plan->conflicts[0].n_members; i++)
          if (prng(&rng) % (2 + (uint64_t)round % 7))
            recs[k].members[recs[k].n_members++] = l.plan->conflicts[0].members[i];
        /* Values that no row has any more are known all the same; times as they were. */
        for (size_t i = 0; i < recs[k].n_members; i++)
          if (prng(&rng) % 4 == 0) recs[k].members[i].normal = HM_STR("text:of a version before");
        if (prng(&rng) % 3 == 0)
          recs[k].window_from = hm_str_fmt(a, "20%02d", (int)(10 + prng(&rng) % 6));
        if (prng(&rng) % 3 == 0)
          recs[k].window_until = hm_str_fmt(a, "20%02d", (int)(15 + prng(&rng) % 6));
      }
      size_t want = 0;
      for (size_t k = 0; k < l.disputes->n; k++)
        want += naive_covered(&l.disputes->disputes[k], recs, n_recs);
      l.snap->conflicts = recs;
      l.snap->n_conflicts = n_recs;
      help_replan(&l, a);
      assert_int_equal(l.plan->quiet, want);
      assert_int_equal(l.plan->opened, l.disputes->n - want);
      covered += want;
      open += l.disputes->n - want;
    }
    help_done(&l);
    hm_arena_reset(a);
  }
  assert_true(covered > 200);
  assert_true(open > 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    IN_ARENA(opens),
    IN_ARENA(the_same_again_changes_nothing),
    IN_ARENA(new_members_join),
    IN_ARENA(members_that_left_stay_on_record),
    IN_ARENA(what_is_no_longer_disputed_stays_open),
    IN_ARENA(dismissed_stays_quiet),
    IN_ARENA(uncertain_times_stay_quiet),
    IN_ARENA(no_action_stays_quiet),
    IN_ARENA(superseding_promises_no_quiet),
    IN_ARENA(pairs_may_be_covered_by_several),
    IN_ARENA(ids_step_aside),
    IN_ARENA(odd_projects_have_keys_of_their_own),
    IN_ARENA(coverage_is_as_defined),
    IN_ARENA(known_values_stay_quiet_in_new_rows),
    IN_ARENA(silence_is_for_the_contested_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
