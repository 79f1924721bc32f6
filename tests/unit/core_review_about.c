/* The two questions to the archive: what concerned this, and what superseded what. */
#include "tests/unit/core_detect_help.h"
#include "core/review/conflict_filter.h"

static const char *const projects[] = { "p", "q" };

static hm_row relation(const char *id, const char *type, const char *from, const char *to) {
  return (hm_row){ .layer = HM_RELATION,
                   .status = HM_ACTIVE,
                   .id = hm_str_c(id),
                   .type = hm_str_c(type),
                   .from = hm_str_c(from),
                   .to = hm_str_c(to) };
}

static hm_conflict_rec conflict(const char *id, const char *slot_key, hm_member_rec *members,
                                size_t n) {
  return (hm_conflict_rec){
    .id = hm_str_c(id), .slot_key = hm_str_c(slot_key), .members = members, .n_members = n
  };
}

static hm_member_rec member(hm_layer layer, const char *id) {
  return (hm_member_rec){ .layer = layer, .id = hm_str_c(id) };
}

static bool concerns(hm_arena *a, const hm_snapshot *s, const char *what,
                     const hm_conflict_rec *c) {
  return hm_conflict_concerns(hm_conflict_subject_new(s, hm_str_c(what), a), c);
}

/* Which of these is found for one member. */
static void expect(hm_arena *a, const hm_snapshot *s, const char *what, hm_layer layer,
                   const char *id, bool want) {
  hm_member_rec m = member(layer, id);
  hm_conflict_rec c = conflict("c", "[\"p\",\"x\"]", &m, 1);
  if (concerns(a, s, what, &c) != want)
    fail_msg("%s: %s:%s should %sbe found", what, hm_layer_name(layer), id, want ? "" : "not ");
}

static hm_snapshot *workshop(hm_arena *a) {
  const hm_row rows[] = {
    help_entity("sub", "Subsystem", 0, "Frame", "{}"),
    help_entity("sub2", "Subsystem", 1, "Frame", "{}"),
    help_entity("leg", "Component", 0, "Leg", "{\"subsystem_name\":\"frame\"}"),
    help_entity("foot", "Widget", 0, "Foot", "{\"part_of\":\"LEG\"}"),
    help_entity("dec", "Decision", 0, "d",
                "{\"decision_target\":\"frame\",\"decision_field\":\"colour\",\"value\":1}"),
    help_entity("par", "Parameter", 0, "mass",
                "{\"parameter_scope\":\"leg\",\"parameter_name\":\"mass\",\"value\":1}"),
    help_entity("mat", "Material", 0, "m", "{\"component_id\":\"leg\",\"material\":\"steel\"}"),
    help_entity("own", "Gadget", 0, "g", "{\"mounted_on\":\"foot\"}"),
    help_entity("req", "Requirement", 0, "r", "{\"requirement_key\":\"noise\"}"),
    help_entity("far", "Component", 1, "Leg", "{\"subsystem_name\":\"frame\"}"),
    help_entity("odd", "Decision", 0, "o", "no json"),
    help_entity("dead", "Decision", 0, "dead", "{}"),
    help_memory("gone", "knowledge", 0, "a is b"),
    help_memory("free", "knowledge", 0, "frame is b"),
    help_state("st", "x", 0, "frame mass", "1"),
    relation("r1", "AFFECTS", "req", "entity:leg"),
    relation("r2", "part of", "odd", "sub"),
    relation("r3", "REQUIRES", "dead", "sub"),
    relation("r4", "PART_OF", "sub", "foot"), /* a circle */
  };
  hm_snapshot *s = help_snapshot(a, projects, 2, rows, sizeof rows / sizeof *rows);
  s->rows[hm_snapshot_row(s, HM_MEMORY, HM_STR("gone"))].graduated_to = HM_STR("par");
  return s;
}

static void what_belongs_to_it(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_snapshot *s = workshop(a);
  static const char *const inside[] = { "sub", "leg", "foot", "dec", "par",
                                        "mat", "own", "req",  "odd" };
  for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
    expect(a, s, "entity:sub", HM_ENTITY, inside[i], true);
    expect(a, s, "sub", HM_ENTITY, inside[i], true);
    expect(a, s, " FRAME", HM_ENTITY, inside[i], true);
  }
  expect(a, s, "sub", HM_ENTITY, "far", false);
  expect(a, s, "frame", HM_ENTITY, "far", true);   /* a name is of any project */
  expect(a, s, "sub", HM_ENTITY, "dead", false);
  expect(a, s, "sub", HM_MEMORY, "gone", true);
  expect(a, s, "sub", HM_MEMORY, "free", false);
  expect(a, s, "leg", HM_ENTITY, "par", true);
  expect(a, s, "leg", HM_ENTITY, "dec",
         true); /* the frame is part of a foot, which is part of the leg */
  expect(a, s, "mat", HM_ENTITY, "leg", false);
  expect(a, s, "memory:free", HM_MEMORY, "free", true);
  expect(a, s, "memory:lost", HM_MEMORY, "lost", true);    /* its row is gone */
  expect(a, s, "lost", HM_MEMORY, "lost", true);
  expect(a, s, "nobody", HM_MEMORY, "free", false);
  hm_arena_free(a);
}

static void answers_do_not_depend_on_what_was_asked_before(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_snapshot *s = workshop(a);
  static const char *const ids[] = { "dead", "own", "mat",  "sub", "odd",
                                     "own",  "leg", "dead", "foot" };
  static const bool want[] = { false, true, true, true, true, true, true, false, true };
  hm_conflict_subject *q = hm_conflict_subject_new(s, HM_STR("sub"), a);
  for (int round = 0; round < 3; round++)
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
      hm_member_rec m = member(HM_ENTITY, ids[i]);
      hm_conflict_rec c = conflict("c", "[\"p\",\"x\"]", &m, 1);
      assert_int_equal(hm_conflict_concerns(q, &c), want[i]);
    }
  hm_arena_free(a);
}

static void the_name_of_the_slot(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_snapshot *s = workshop(a);
  hm_member_rec m = member(HM_STATE, "st");
  static const struct { const char *what, *key; bool want;
  } cases[] = {
    { "sub", "[\"p\",\"frame_mass\"]", true },
    { "sub", "[\"p\",\"frame\"]", true },
    { "sub", "[\"p\",\"frames_mass\"]", false },
    { "sub", "[\"q\",\"frame_mass\"]", false },
    { "Frame", "[\"q\",\"frame_mass\"]", true },
    { "sub", "[\"p\",\"identity\",\"frame\"]", false },
    { "dec", "[\"p\",\"d_x\"]", false },
    { "nothing called so", "[\"p\",\"nothing_called_so\"]", true },
    { "sub", "no json", false },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_conflict_rec c = conflict("c", cases[i].key, &m, 1);
    if (concerns(a, s, cases[i].what, &c) != cases[i].want)
      fail_msg("%s, %s", cases[i].what, cases[i].key);
  }
  hm_arena_free(a);
}

/* Chains of any length, without recursion. */
static void long_chains(void **state) {
  (void)state;
  enum { N = 20000 };
  hm_arena *a = hm_arena_new();
  hm_row *rows = hm_alloc_array(a, 2 * N, sizeof *rows);
  for (int i = 0; i < N; i++)
    rows[i] = help_entity(hm_str_fmt(a, "e%05d", i).p, "Thing", 0, "t", "{}");
  for (int i = 1; i < N; i++)
    rows[N + i - 1] = relation(hm_str_fmt(a, "r%05d", i).p, "PART_OF", hm_str_fmt(a, "e%05d", i).p,
                               hm_str_fmt(a, "e%05d", i - 1).p);
  hm_snapshot *s = help_snapshot(a, projects, 2, rows, 2 * N - 1);
  expect(a, s, "e00000", HM_ENTITY, "e19999", true);
  expect(a, s, "e19999", HM_ENTITY, "e00000", false);
  hm_arena_free(a);
}

/* --- successions ------------------------------------------------------------- */

static void who_superseded_whom(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  const hm_row rows[] = {
    help_entity("d1", "Decision", 0, "d", "{}"), help_entity("d2", "decision", 0, "d", "{}"),
    help_entity("d3", "Decision", 0, "d", "{}"), help_entity("p1", "Parameter", 0, "p", "{}"),
    help_memory("m1", "knowledge", 0, "x"),
  };
  hm_snapshot *s = help_snapshot(a, projects, 2, rows, sizeof rows / sizeof *rows);
  static const char *const gave_way[][2] = { { "d2", "d1" }, { "p1", "d1" } };
  for (size_t i = 0; i < 2; i++) {
    hm_row *r = &s->rows[hm_snapshot_row(s, HM_ENTITY, hm_str_c(gave_way[i][0]))];
    r->status = HM_SUPERSEDED;
    r->superseded_by = hm_str_c(gave_way[i][1]);
  }
  hm_row *m1 = &s->rows[hm_snapshot_row(s, HM_MEMORY, HM_STR("m1"))];
  m1->status = HM_SUPERSEDED;
  m1->superseded_by = HM_STR("entity:d1");
  hm_member_rec members[] = { member(HM_ENTITY, "d1"),  member(HM_ENTITY, "d2"),
                              member(HM_ENTITY, "d3"),  member(HM_ENTITY, "p1"),
                              member(HM_ENTITY, "p1"),  member(HM_MEMORY, "m1"),
                              member(HM_MEMORY, "lost") };
  hm_conflict_rec c[] = { conflict("c1", "[\"p\",\"x\"]", members, 7),
                          conflict("c2", "[\"p\",\"x\"]", members, 7),
                          conflict("c3", "[\"p\",\"x\"]", members, 7) };
  c[0].status = HM_RESOLVED;
  c[0].winner = HM_STR("entity:d1");
  c[1].winner = HM_STR("entity:d1");     /* open */
  c[2].status = HM_RESOLVED;
  c[2].winner = HM_STR("entity:d3");     /* superseded nobody */
  const hm_conflict_rec *list[] = { &c[0], &c[1], &c[2] };
  static const struct {
    const char *type;
    size_t n, rows;
  } cases[] = { { "", 1, 3 }, { "Decision", 1, 1 }, { "DECISION", 1, 1 }, { "Parameter", 0, 0 } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_succession *out;
    assert_int_equal(hm_successions_collect(s, list, 3, hm_str_c(cases[i].type), a, &out),
                     cases[i].n);
    if (!cases[i].n) continue;
    assert_ptr_equal(out[0].conflict, &c[0]);
    assert_true(hm_str_is(s->rows[out[0].winner].id, "d1"));
    assert_int_equal(out[0].n, cases[i].rows);
  }
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_belongs_to_it),
    cmocka_unit_test(answers_do_not_depend_on_what_was_asked_before),
    cmocka_unit_test(the_name_of_the_slot),
    cmocka_unit_test(long_chains),
    cmocka_unit_test(who_superseded_whom),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
