/* One slot of as many claims as are compared, or more, and very many slots: of a quarter and a
 * tenth of them where the run is not thorough, which holds them to seconds. */
#include "tests/unit/core_detect_help.h"

#include <stdio.h>

#include "core/base/par.h"
#include "core/claim/story.h"
#include "core/slot/slot_claims.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_base_thorough.h"

/* Claims of one slot, and of many. */
static size_t many = HM_SLOT_COMPARED / 4, many_apart = 20000;

static const hm_window ALWAYS = { .from = HM_TIME_MIN, .until = HM_TIME_MAX };

typedef struct {
  hm_arena *a;
  hm_snapshot *snap;
  hm_claims claims;
  hm_units *units;
  hm_rules rules;
  uint64_t rng;
} world;

/* n claims of one slot, always, of nothing; the test says the rest. */
static world world_new(size_t n, hm_layer layer) {
  world w = {
    .a = hm_arena_new(), .units = hm_units_new(), .rules = *hm_rules_default(), .rng = n
  };
  hm_row *rows = hm_alloc_array(w.a, n, sizeof *rows);
  for (size_t i = 0; i < n; i++) rows[i] = help_bare_row(layer, hm_str_fmt(w.a, "r%07zu", i));
  const char *projects[] = { "p" };
  w.snap = help_snapshot(w.a, projects, 1, rows, n);
  w.claims = (hm_claims){ .claims = hm_alloc_array(w.a, n, sizeof(hm_claim)), .n = n };
  for (size_t i = 0; i < n; i++) {
    w.claims.claims[i] = (hm_claim){ .row = (uint32_t)i,
                                     .layer = layer,
                                     .name = HM_STR("slot"),
                                     .field = HM_STR("value"),
                                     .space = HM_EMPTY,
                                     .compare = HM_EMPTY,
                                     .when = &ALWAYS,
                                     .stands = (hm_time)(n - i) };
    help_hash(&w.claims.claims[i]);
  }
  return w;
}

static void make_state(world *w, size_t i) {
  w->claims.claims[i].layer = w->snap->rows[i].layer = HM_STATE;
}

static void say(world *w, size_t i, hm_str text) {
  hm_value_parse_text(&w->claims.claims[i].value, text, false, w->units, w->a);
}

static void window(world *w, size_t i, hm_time from, hm_time until) {
  hm_window *when = hm_alloc(w->a, sizeof *when);
  *when = (hm_window){ .from = from, .until = until };
  w->claims.claims[i].when = when;
}

/* The parties of all disputes of the only slot; ends w. */
static size_t parties(world *w, const char *what, double limit) {
  hm_disputes *d;
  double begun = computed();
  assert_int_equal(hm_disputes_find(w->snap, &w->claims, &w->rules, 4, w->a, &d, NULL), 0);
  expect_within(limit, begun, what);
  size_t n = 0;
  for (size_t i = 0; i < d->n; i++) n += d->disputes[i].n;
  hm_units_free(w->units);
  hm_arena_free(w->a);
  return n;
}

/* Seconds of processor time: most take less than one. */
enum { SLACK = 8 };

static void all_different(void **unused) {
  (void)unused;
  world w = world_new(many, HM_STATE);
  for (size_t i = 0; i < many; i++) say(&w, i, hm_str_fmt(w.a, "value %zu", i));
  assert_int_equal(parties(&w, "all different", SLACK), many);
}

static void all_equal(void **unused) {
  (void)unused;
  world w = world_new(many, HM_STATE);
  for (size_t i = 0; i < many; i++) say(&w, i, HM_STR("value"));
  assert_int_equal(parties(&w, "all equal", SLACK), 0);
}

static void all_equal_but_one(void **unused) {
  (void)unused;
  world w = world_new(many, HM_STATE);
  for (size_t i = 0; i < many; i++) say(&w, i, i == many / 2 ? HM_STR("other") : HM_STR("value"));
  assert_int_equal(parties(&w, "all equal but one", SLACK), many);
}

static void one_after_the_other(void **unused) {
  (void)unused;
  world w = world_new(many, HM_STATE);
  for (size_t i = 0; i < many; i++) {
    say(&w, i, hm_str_fmt(w.a, "value %zu", i));
    window(&w, i, (hm_time)i, (hm_time)i + 1);
  }
  assert_int_equal(parties(&w, "one after the other", SLACK), 0);
}

static void staggered(void **unused) {
  (void)unused;
  world w = world_new(many, HM_STATE);
  for (size_t i = 0; i < many; i++) {
    say(&w, i, i % 3 == 0 ? HM_STR("a") : hm_str_fmt(w.a, "value %d", (int)(prng(&w.rng) % 50)));
    hm_time from = (hm_time)(prng(&w.rng) % many);
    window(&w, i, from, from + 1 + (hm_time)(prng(&w.rng) % 1000));
  }
  assert_true(parties(&w, "random windows and values", SLACK) > many / 2);
}

/* Memories are not compared with each other, and one state is. */
static void memories_and_a_state(void **unused) {
  (void)unused;
  world w = world_new(many, HM_MEMORY);
  make_state(&w, many - 1);
  for (size_t i = 0; i < many; i++) say(&w, i, hm_str_fmt(w.a, "value %zu", i / 2));
  /* One memory says what the state says, and contradicts nobody. */
  assert_int_equal(parties(&w, "memories and a state", SLACK), many - 1);
}

static void memories_alone(void **unused) {
  (void)unused;
  world w = world_new(many, HM_MEMORY);
  for (size_t i = 0; i < many; i++) say(&w, i, hm_str_fmt(w.a, "value %zu", i));
  assert_int_equal(parties(&w, "memories alone", SLACK), 0);
}

/* Each denies what one other says, and all others agree with it. */
static void statements_and_denials(void **unused) {
  (void)unused;
  world w = world_new(many, HM_MEMORY);
  for (size_t i = 0; i < many; i++) {
    say(&w, i, hm_str_fmt(w.a, "value %zu", i / 2));
    if (i % 2) hm_value_deny(&w.claims.claims[i].value, w.a);
  }
  assert_int_equal(parties(&w, "statements and denials", SLACK), many);
}

static void as_many_categories_as_states(void **unused) {
  (void)unused;
  world w = world_new(many, HM_STATE);
  for (size_t i = 0; i < many; i++) {
    say(&w, i, hm_str_fmt(w.a, "value %zu", i));
    w.claims.claims[i].compare = hm_str_fmt(w.a, "\x1f" "c%zu", i);
  }
  assert_int_equal(parties(&w, "a category a state", SLACK), 0);
}

static void as_many_types_as_entities(void **unused) {
  (void)unused;
  world w = world_new(many, HM_ENTITY);
  for (size_t i = 0; i < many; i++) {
    say(&w, i, hm_str_fmt(w.a, "value %zu", i));
    w.claims.claims[i].compare = hm_str_fmt(w.a, "type%zu\x1fx", i);
  }
  assert_int_equal(parties(&w, "as many types as entities", SLACK), 0);
}

static void two_spellings(void **unused) {
  (void)unused;
  world w = world_new(many, HM_STATE);
  for (size_t i = 0; i < many; i++) {
    say(&w, i, i % 2 ? HM_STR("30 s") : HM_STR("30000 ms"));
    window(&w, i, (hm_time)i, (hm_time)i + 1000 + (hm_time)(prng(&w.rng) % 1000));
  }
  assert_int_equal(parties(&w, "30 s and 30000 ms", SLACK), 0);
}

static void within_tolerance(void **unused) {
  (void)unused;
  world w = world_new(many, HM_STATE);
  static const hm_tolerance tol = { HM_STR("slot"), 1, HM_STR("s") };
  w.rules.tolerances = &tol;
  w.rules.n_tolerances = 1;
  for (size_t i = 0; i < many; i++)
    say(&w, i, i % 2 ? hm_str_fmt(w.a, "4.%06zu s", i) : hm_str_fmt(w.a, "4%09zu us", i));
  parties(&w, "within a tolerance", 3 * SLACK);
}

static void sets_that_hold_a_scalar(void **unused) {
  (void)unused;
  const size_t N = many;
  world w = world_new(N, HM_STATE);
  for (size_t i = 0; i < N; i++) {
    window(&w, i, (hm_time)(i / 2), N);
    say(&w, i, HM_STR("a"));
    if (i % 2) continue;
    hm_json *v;
    assert_int_equal(hm_json_parse(w.a, hm_str_fmt(w.a, "[\"a\",\"b%zu\"]", i), &v, NULL), 0);
    hm_value_parse_json(&w.claims.claims[i].value, v, false, NULL, w.units, w.a);
  }
  /* The scalars are in each set, and contradict nobody. */
  assert_int_equal(parties(&w, "sets that hold a scalar", SLACK / 2), N / 2);
}

/* A city and its country, said again and again: different values that agree. */
static void texts_of_nested_places(void **unused) {
  (void)unused;
  const size_t N = many;
  world w = world_new(N, HM_MEMORY);
  for (size_t i = 0; i < N; i++) {
    hm_story_claim *t = hm_alloc(w.a, sizeof *t);
    hm_claim *c = &w.claims.claims[i];
    say(&w, i, i % 2 ? HM_STR("London") : HM_STR("England"));
    *t = (hm_story_claim){ .text = c->value.raw,
                           .key = i % 2 ? HM_STR("is:london") : HM_STR("is:england"),
                           .at = HM_TIME_MIN, .by = HM_MAP_NONE, .compared = true };
    t->claim.value = t->claim.reading = c->value.raw;
    c->name = HM_STR("depot_location");
    c->compare = HM_STR("one");
    c->said = t;
    help_hash(c);
  }
  assert_int_equal(parties(&w, "a city and its country", SLACK), 0);
}

/* Each two contradict each other, for a time of their own: as many disputes as pairs, which one
 * verdict covers. */
static void many_disputes(void **unused) {
  (void)unused;
  world w = world_new(many, HM_STATE);
  for (size_t i = 0; i < many; i++) {
    say(&w, i, i % 2 ? HM_STR("a") : HM_STR("b"));
    window(&w, i, (hm_time)(i / 2), (hm_time)(i / 2) + 1);
  }
  hm_disputes *d;
  hm_plan *opened, *quiet;
  double begun = computed();
  assert_int_equal(hm_disputes_find(w.snap, &w.claims, &w.rules, 4, w.a, &d, NULL), 0);
  assert_int_equal(d->n, many / 2);
  opened = hm_plan_build(w.snap, d, HM_STR("2026-01-01"), w.a);
  assert_int_equal(opened->opened, many / 2);
  hm_conflict_rec all = opened->conflicts[0];   /* as one conflict a slot had been recorded */
  all.status = HM_DISMISSED;
  all.window_from = all.window_until = HM_EMPTY;
  all.n_members = many;
  all.members = hm_alloc_array(w.a, many, sizeof *all.members);
  for (size_t i = 0; i < many / 2; i++)
    memcpy(&all.members[2 * i], opened->conflicts[i].members, 2 * sizeof *all.members);
  w.snap->conflicts = &all;
  w.snap->n_conflicts = 1;
  quiet = hm_plan_build(w.snap, d, HM_STR("2026-01-01"), w.a);
  expect_within(SLACK, begun, "as many disputes as pairs");
  assert_int_equal(quiet->quiet, many / 2);
  assert_int_equal(quiet->n, 0);
  hm_units_free(w.units);
  hm_arena_free(w.a);
}

/* Who agrees with one state contradicts no other; of dates, also with a month or a year. */
static void memories_that_agree_with_a_state(void **unused) {
  (void)unused;
  world w = world_new(many, HM_MEMORY);
  for (size_t i = 0; i < many; i++) {
    if (i >= many / 2) make_state(&w, i);
    say(&w, i, hm_str_fmt(w.a, "value %zu", i % (many / 2)));
  }
  assert_int_equal(parties(&w, "memories that agree", SLACK), many / 2);
  w = world_new(many, HM_MEMORY);
  for (size_t i = 0; i < many; i++) {
    if (i >= many / 2) make_state(&w, i);
    say(&w, i,
        hm_str_fmt(w.a, i % 2 ? "2026-%02d" : "2026-%02d-%02d", 1 + (int)(i % 12),
                   1 + (int)(i % 28)));
  }
  parties(&w, "days and months", SLACK);
}

/* A year among its own minutes, with which it is compatible, and those of the next one, all of
 * which it contradicts. */
static void a_year_and_its_minutes(void **unused) {
  (void)unused;
  const size_t N = many;
  world w = world_new(N, HM_MEMORY);
  for (size_t i = 1; i < N; i++) {
    int m = (int)(i / 2), day = m / 1440;
    say(&w, i,
        hm_str_fmt(w.a, "%d-%02d-%02dT%02d:%02d", i % 2 ? 2027 : 2026, 1 + day / 28, 1 + day % 28,
                   m % 1440 / 60, m % 60));
  }
  w.claims.claims[0].layer = w.snap->rows[0].layer = HM_ENTITY;
  say(&w, 0, HM_STR("2026"));
  assert_int_equal(parties(&w, "a year and its minutes", SLACK / 4), N / 2 + 1);
}

/* Names are folded otherwise in a later version: all conflicts go on by other keys; and stay, where
 * somebody claims by the keys that they had. */
static void all_keys_are_others(void **unused) {
  (void)unused;
  const size_t N = many_apart / 2;
  world w = world_new(N, HM_STATE);
  for (size_t i = 0; i < N; i++) {
    say(&w, i, i % 2 ? HM_STR("a") : HM_STR("b"));
    w.claims.claims[i].name = hm_str_fmt(w.a, "slot_%zu", i / 2);
    help_hash(&w.claims.claims[i]);
  }
  hm_disputes *d;
  hm_plan *opened, *moved;
  assert_int_equal(hm_disputes_find(w.snap, &w.claims, &w.rules, 4, w.a, &d, NULL), 0);
  opened = hm_plan_build(w.snap, d, HM_STR("2026-01-01"), w.a);
  assert_int_equal(opened->opened, N / 2);
  for (size_t i = 0; i < N / 2; i++) {
    hm_conflict_rec *c = &opened->conflicts[i];
    c->slot_key = hm_str_fmt(w.a, "[\"p\",\"%s_%zu\"]", i % 2 ? "old" : "slot",
                             i % 2 ? i : (i + 2) % (N / 2));
  }
  w.snap->conflicts = opened->conflicts;
  w.snap->n_conflicts = N / 2;
  double begun = computed();
  moved = hm_plan_build(w.snap, d, HM_STR("2026-01-01"), w.a);
  expect_within(SLACK / 4, begun, "other keys");
  assert_int_equal(moved->opened, N / 4);
  assert_int_equal(moved->updated, N / 4);
  hm_units_free(w.units);
  hm_arena_free(w.a);
}

/* The first by trust, then id, are compared, and a finding says so. */
static void more_than_are_compared(void **unused) {
  (void)unused;
  enum { MANY = HM_SLOT_COMPARED, MORE = MANY + MANY / 4, STATES = MANY - 10 };
  world w = world_new(MORE, HM_MEMORY);
  for (size_t i = 0; i < MORE; i++) {
    if (i >= MORE - STATES) make_state(&w, i);
    say(&w, i, hm_str_fmt(w.a, "value %zu", i));
  }
  hm_disputes *d;
  assert_int_equal(hm_disputes_find(w.snap, &w.claims, &w.rules, 4, w.a, &d, NULL), 0);
  assert_int_equal(d->n, 1);
  assert_int_equal(d->disputes[0].n, MANY);
  for (size_t i = 0; i < MANY; i++) {
    size_t row = i < STATES ? MORE - STATES + i : i - STATES;
    assert_int_equal(d->disputes[0].parties[i].claim->row, row);
  }
  assert_int_equal(d->n_findings, 1);
  hm_finding *f = &d->findings[0];
  assert_true(hm_str_is(f->rule, "slot/left-out") && hm_str_is(f->kind, "review"));
  assert_int_equal(f->n_rows, 1);
  assert_true(hm_str_eq(f->rows[0], hm_row_ref(w.a, &w.snap->rows[MORE - STATES])));
  assert_true(hm_str_is(f->message, "p / slot: 20000 of 25000 claims are compared, "
                                    "the first by trust, then id"));
  hm_units_free(w.units);
  hm_arena_free(w.a);
}

/* Five times as many claims, in half as many slots, one in fifty contested. */
static void many_slots(void **unused) {
  (void)unused;
  const size_t N = 5 * many_apart;
  world w = world_new(N, HM_STATE);
  hm_value a, b;
  say(&w, 0, HM_STR("a"));
  say(&w, 1, HM_STR("b"));
  a = w.claims.claims[0].value;
  b = w.claims.claims[1].value;
  for (size_t i = 0; i < N; i++) {
    hm_claim *c = &w.claims.claims[i];
    size_t slot = i % (N / 2);
    c->name = hm_str_fmt(w.a, "slot_%zu", slot);
    c->value = i >= N / 2 && slot % 50 == 0 ? b : a;
    help_hash(c);
  }
  hm_disputes *d;
  assert_int_equal(hm_disputes_find(w.snap, &w.claims, &w.rules, hm_par_cores(), w.a, &d, NULL), 0);
  assert_int_equal(d->slots, N / 2);
  assert_int_equal(d->n, N / 100);
  hm_plan *p = hm_plan_build(w.snap, d, HM_STR("2026-01-01"), w.a);
  assert_int_equal(p->opened, N / 100);
  hm_units_free(w.units);
  hm_arena_free(w.a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_different),
    cmocka_unit_test(all_equal),
    cmocka_unit_test(all_equal_but_one),
    cmocka_unit_test(one_after_the_other),
    cmocka_unit_test(staggered),
    cmocka_unit_test(memories_and_a_state),
    cmocka_unit_test(memories_alone),
    cmocka_unit_test(statements_and_denials),
    cmocka_unit_test(as_many_categories_as_states),
    cmocka_unit_test(as_many_types_as_entities),
    cmocka_unit_test(two_spellings),
    cmocka_unit_test(within_tolerance),
    cmocka_unit_test(sets_that_hold_a_scalar),
    cmocka_unit_test(texts_of_nested_places),
    cmocka_unit_test(many_slots),
    cmocka_unit_test(many_disputes),
    cmocka_unit_test(memories_that_agree_with_a_state),
    cmocka_unit_test(a_year_and_its_minutes),
    cmocka_unit_test(all_keys_are_others),
    cmocka_unit_test(more_than_are_compared),
  };
  if (thorough()) many = HM_SLOT_COMPARED, many_apart *= 10;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
