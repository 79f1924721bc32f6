/* Adding, editing, promoting, graduating: what is stored, refused, flagged. */
#include "tests/unit/core_review_help.h"

#define GF                                                                                         \
  "{\"project\":\"p\",\"key\":\"lateral_support_material\",\"value\":\"GF-PTFE\",\"id\":\"s1\"}"
#define PEEK                                                                                       \
  "{\"id\":\"e1\",\"entity_type\":\"Decision\",\"project\":\"p\",\"name\":\"d\",\"properties\":"   \
  "{\"decision_target\":\"lateral support\",\"decision_field\":\"material\",\"value\":\"PEEK\"}}"

static void a_conflicting_write_succeeds(void **state) {
  world *w = *state;
  create(w);
  hm_written s = add(w, HM_STATE, GF);
  assert_str(s.ref, "project_state:s1");
  assert_int_equal(s.n_conflicts, 0);
  assert_false(s.warn_open);
  hm_written e = add(w, HM_ENTITY, PEEK);
  assert_int_equal(e.n_conflicts, 1);
  assert_int_equal(e.n_opened, 1);
  assert_true(hm_str_eq(e.conflicts[0].id, e.opened[0]));
  assert_non_null(strstr(hm_str_z(w->a, e.conflicts[0].json), "\"value\":\"PEEK\""));
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts WHERE status = 'open'"), "1");
  assert_string_equal(
      ask(w, "SELECT count(*) FROM journal WHERE actor = 'kim' AND verb IN ('add', 'open')"), "3");
  assert_string_equal(ask(w, "SELECT created_at FROM entities"), "2026-06-01T10:00:00Z");
  expect_sweep_changes_nothing(w);
  hm_written again = add(
      w, HM_STATE, "{\"project\":\"p\",\"key\":\"Lateral support material\",\"value\":\"PTFE\"}");
  assert_true(again.warn_open);
  assert_int_equal(again.n_conflicts, 1);
  assert_int_equal(again.n_opened, 0);
  assert_string_equal(ask(w, "SELECT count(*) FROM project_state WHERE status = 'active'"), "2");
  expect_sweep_changes_nothing(w);
}

static void a_candidate_waits(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, GF);
  hm_written m =
      add(w, HM_MEMORY,
          "{\"id\":\"m1\",\"memory_type\":\"knowledge\",\"project\":\"p\",\"status\":\"candidate\","
          "\"content\":\"lateral support material is PTFE\"}");
  assert_int_equal(m.n_conflicts, 0);
  m = promote(w, "m1");
  assert_int_equal(m.n_conflicts, 1);
  assert_int_equal(m.n_opened, 1);
  assert_true(m.changed);
  expect_sweep_changes_nothing(w);
}

static int try_add(world *w, hm_layer layer, const char *record) {
  hm_review r = review();
  hm_written out;
  return hm_review_add(w->s, &r, layer, json(w, record), w->a, &out, &w->err);
}

static int try_edit(world *w, const char *ref, const char *patch) {
  hm_review r = review();
  hm_written out;
  return hm_review_edit(w->s, &r, hm_str_c(ref), json(w, patch), w->a, &out, &w->err);
}

static int try_promote(world *w, const char *ref) {
  hm_review r = review();
  hm_written out;
  return hm_review_promote(w->s, &r, hm_str_c(ref), w->a, &out, &w->err);
}

static int try_graduate(world *w, const char *ref, const char *entity) {
  hm_review r = review();
  hm_written out;
  return hm_review_graduate(w->s, &r, hm_str_c(ref), json(w, entity), w->a, &out, &w->err);
}

/* The call failed so, at that field, and nothing was written. */
static void refused(world *w, int rc, hm_code code, const char *field, const char *fix) {
  assert_int_equal(rc, -1);
  if (w->err.code != code || strcmp(w->err.field, field) || !strstr(w->err.fix, fix))
    fail_msg("code %d, field \"%s\": %s", w->err.code, w->err.field, line_of(w));
  assert_false(hm_store_in_txn(w->s));
  static char before[32];
  const char *lines = ask(w, "SELECT count(*) FROM journal");
  if (*before) assert_string_equal(before, lines);
  snprintf(before, sizeof before, "%s", lines);
}

static void what_is_refused(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, GF);
  add(w, HM_MEMORY, "{\"id\":\"m1\",\"memory_type\":\"knowledge\",\"content\":\"x is y\"}");
  add(w, HM_MEMORY, "{\"id\":\"both\",\"memory_type\":\"knowledge\",\"content\":\"x is y\"}");
  add(w, HM_STATE, "{\"id\":\"both\",\"key\":\"k\",\"value\":\"v\"}");
  const struct {
    hm_layer layer;
    const char *record;
    hm_code code;
    const char *field, *fix;
  } adds[] = {
    { HM_STATE, "{\"id\":\"s1\",\"key\":\"k\",\"value\":1}", HM_E_STATE, "id", "hmirror edit" },
    { HM_STATE, "{\"value\":1}", HM_E_INPUT, "key", "give it a value" },
    { HM_STATE, "{\"key\":\"k\",\"value\":{}}", HM_E_INPUT, "value", "key of its own" },
    { HM_STATE, "{\"key\":\"k\",\"value\":1,\"content\":\"x\"}", HM_E_INPUT, "content",
      "known keys" },
    { HM_STATE, "{\"key\":\"k\",\"value\":1,\"kind\":\"memory\"}", HM_E_INPUT, "kind",
      "leave it out" },
    { HM_STATE, "{\"key\":\"k\",\"as_stored\":{\"value\":\"x\",\"status\":\"odd\"}}", HM_E_INPUT,
      "as_stored", "" },
    { HM_STATE, "[]", HM_E_INPUT, "", "object" },
    { HM_MEMORY, "{\"content\":\"x\"}", HM_E_INPUT, "memory_type", "" },
    { HM_MEMORY, "{\"memory_type\":\"x\",\"content\":\"x\",\"confidence\":2}", HM_E_INPUT,
      "confidence", "" },
    { HM_MEMORY,
      "{\"memory_type\":\"x\",\"content\":\"x\",\"valid_from\":\"2026\",\"valid_until\":\"2025\"}",
      HM_E_INPUT, "valid_until", "" },
    { HM_MEMORY, "{\"memory_type\":\"x\",\"content\":\"x\",\"status\":\"done\"}", HM_E_INPUT,
      "status", "use one of" },
    { HM_MEMORY, "{\"memory_type\":\"x\",\"content\":\"x\",\"status\":\"invalid\"}", HM_E_INPUT,
      "status", "import" },
    { HM_MEMORY, "{\"memory_type\":\"x\",\"content\":\"x\",\"graduated_to\":\"e\"}", HM_E_INPUT,
      "graduated_to", "graduate" },
    { HM_ENTITY, "{\"entity_type\":\"x\",\"name\":\"x\",\"superseded_by\":\"e\"}", HM_E_INPUT,
      "superseded_by", "supersede" },
    { HM_ENTITY, "{\"entity_type\":\"x\",\"name\":\"x\",\"properties\":[]}", HM_E_INPUT,
      "properties", "" },
  };
  for (size_t i = 0; i < sizeof adds / sizeof *adds; i++)
    refused(w, try_add(w, adds[i].layer, adds[i].record), adds[i].code, adds[i].field, adds[i].fix);
  const struct { const char *ref, *patch; hm_code code; const char *field, *fix; } edits[] = {
    { "m1", "{\"id\":\"m2\"}", HM_E_INPUT, "id", "" },
    { "m1", "{\"status\":\"superseded\"}", HM_E_INPUT, "status", "hmirror supersede" },
    { "m1", "{\"status\":\"graduated\"}", HM_E_INPUT, "status", "hmirror graduate" },
    { "m1", "{\"superseded_at\":\"2026\"}", HM_E_INPUT, "superseded_at", "hmirror supersede" },
    { "m1", "{\"content\":null}", HM_E_INPUT, "content", "" },
    { "m1", "{\"name\":\"x\"}", HM_E_INPUT, "name", "known keys" },
    { "m1", "[]", HM_E_INPUT, "", "object" },
    { "nothing", "{}", HM_E_UNKNOWN, "", "kind:id" },
    { "memory:nothing", "{}", HM_E_UNKNOWN, "", "" },
    { "", "{}", HM_E_UNKNOWN, "", "" },
    { "both", "{}", HM_E_INPUT, "", "memory:both" },
  };
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
    refused(w, try_edit(w, edits[i].ref, edits[i].patch), edits[i].code, edits[i].field,
            edits[i].fix);
  refused(w, try_promote(w, "m1"), HM_E_STATE, "", "");
  refused(w, try_graduate(w, "s1", "{\"entity_type\":\"x\",\"name\":\"x\"}"), HM_E_STATE, "", "");
  refused(w, try_graduate(w, "m1", "{\"name\":\"x\"}"), HM_E_INPUT, "entity_type", "");
  assert_string_equal(ask(w, "SELECT status FROM memories WHERE id = 'm1'"), "active");
}

static void history_and_what_is_frozen_stay(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_MEMORY,
      "{\"id\":\"m1\",\"memory_type\":\"knowledge\",\"project\":\"p\",\"content\":\"mass is 3 kg\",\"confidence\":0.5,\"source_refs\":[\"chat:1\"]}");
  add(w, HM_MEMORY,
      "{\"id\":\"m2\",\"memory_type\":\"knowledge\",\"content\":\"x\",\"status\":\"candidate\"}");
  hm_written e = graduate(
      w, "m1",
      "{\"id\":\"chat:e\",\"entity_type\":\"Parameter\",\"name\":\"mass\",\"properties\":{\"value\":\"3 kg\"}}");
  assert_str(e.ref, "entity:chat:e");
  assert_string_equal(ask(w, "SELECT project || confidence || source_refs || status FROM entities"),
                      "p0.5[\"chat:1\"]active");
  assert_string_equal(ask(w, "SELECT status || ' ' || graduated_to FROM memories WHERE id = 'm1'"),
                      "graduated entity:chat:e");
  refused(w, try_edit(w, "m1", "{\"content\":\"x\"}"), HM_E_STATE, "", "entity:chat:e");
  refused(w, try_graduate(w, "m1", "{\"entity_type\":\"x\",\"name\":\"x\"}"), HM_E_STATE, "",
          "entity:chat:e");
  refused(w, try_promote(w, "m1"), HM_E_STATE, "", "entity:chat:e");
  refused(w, try_edit(w, "m2", "{\"status\":\"active\"}"), HM_E_INPUT, "status", "hmirror promote");
  edit(w, "m2", "{\"status\":\"invalid\"}");
  assert_int_equal(try_edit(w, "m2", "{\"status\":\"active\"}"), -1);
  assert_non_null(strstr(w->err.fix, "hmirror restore memory:m2"));
  assert_int_equal(try_promote(w, "m2"), -1);
  assert_int_equal(w->err.code, HM_E_STATE);
}

/* A candidate may graduate without ever having claimed. */
static void a_graduate_is_looked_at(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, GF);
  add(w, HM_MEMORY,
      "{\"id\":\"m1\",\"memory_type\":\"knowledge\",\"project\":\"p\",\"content\":\"lateral support material is PEEK\"}");
  hm_written e = graduate(
      w, "memory:m1",
      "{\"entity_type\":\"Decision\",\"name\":\"d\",\"properties\":"
      "{\"decision_target\":\"lateral support\",\"decision_field\":\"material\",\"value\":\"PEEK\"}}");
  assert_int_equal(e.n_conflicts, 1);
  assert_int_equal(e.n_opened, 0);   /* the memory had opened it */
  assert_int_equal(e.n_quieted, 0);
  assert_non_null(
      strstr(hm_str_z(w->a, e.conflicts[0].json), "\"status\":\"graduated\"") ? "" : "not shown");
  expect_sweep_changes_nothing(w);
}

static void an_edit_is_journaled_and_quiets(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, GF);
  hm_written e = add(w, HM_ENTITY, PEEK);
  hm_written same = edit(w, "e1", "{\"name\":\"d\",\"properties\":{\"value\":\"PEEK\"}}");
  assert_false(same.changed);
  assert_int_equal(same.n_conflicts, 1);
  hm_written now = edit(
      w, "e1",
      "{\"properties\":{\"value\":\"GF-PTFE\",\"source\":\"test\",\"decision_field\":\"material\"}}");
  assert_true(now.changed);
  assert_int_equal(now.n_conflicts, 0);
  assert_int_equal(now.n_quieted, 1);
  assert_true(hm_str_eq(now.quieted[0], e.conflicts[0].id));
  assert_string_equal(
      ask(w, "SELECT properties FROM entities"),
      "{\"decision_target\":\"lateral support\",\"decision_field\":\"material\",\"value\":\"GF-PTFE\",\"source\":\"test\"}");
  assert_string_equal(ask(w, "SELECT updated_at FROM entities"), "2026-06-01T10:00:00Z");
  assert_string_equal(
      ask(w,
          "SELECT instr(before, 'PEEK') > 0 AND instr(after, 'PEEK') = 0 FROM journal WHERE verb = 'edit'"),
      "1");
  assert_string_equal(ask(w, "SELECT count(*) FROM journal WHERE verb = 'edit'"), "1");
  /* It awaits sign-off, and is not quieted twice. */
  assert_int_equal(edit(w, "e1", "{\"properties\":{\"source\":null}}").n_quieted, 0);
  assert_string_equal(ask(w, "SELECT status FROM conflicts"), "open");
  expect_sweep_changes_nothing(w);
  int64_t lines, bad;
  ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
  assert_int_equal(bad, 0);
}

/* A state that is renamed away from its slot: nothing is left there to disagree. */
static void a_row_that_leaves_its_slot(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, GF);
  add(w, HM_ENTITY, PEEK);
  assert_int_equal(edit(w, "s1", "{\"key\":\"other\"}").n_quieted, 1);
  assert_int_equal(edit(w, "s1", "{\"key\":\"lateral support material\"}").n_conflicts, 1);
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts"), "1");
  expect_sweep_changes_nothing(w);
}

/* A name that others stand on moves their slots. */
static void an_entity_that_gives_others_its_name(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_ENTITY,
      "{\"id\":\"c1\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"leg\"}");
  add(w, HM_ENTITY,
      "{\"id\":\"x1\",\"entity_type\":\"Material\",\"project\":\"p\",\"name\":\"a\",\"properties\":{\"component_id\":\"c1\",\"material\":\"steel\"}}");
  hm_written s =
      add(w, HM_STATE, "{\"id\":\"s1\",\"project\":\"p\",\"key\":\"foot\",\"value\":\"brass\"}");
  assert_int_equal(s.n_conflicts, 0);
  hm_written e = edit(w, "c1", "{\"name\":\"foot\"}");
  assert_int_equal(e.n_conflicts, 0);   /* of the component itself */
  assert_int_equal(e.n_opened, 1);
  expect_sweep_changes_nothing(w);
  assert_int_equal(edit(w, "c1", "{\"name\":\"arm\"}").n_quieted, 1);
}

/* What is only read because others stand on it is read without what it stands on itself, and must
 * not speak. */
static void what_others_stand_on_says_nothing(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_ENTITY,
      "{\"id\":\"u\",\"entity_type\":\"Subsystem\",\"project\":\"p\",\"name\":\"frame\"}");
  add(w, HM_ENTITY,
      "{\"id\":\"c\",\"entity_type\":\"Component\",\"project\":\"p\",\"name\":\"leg\",\"properties\":{\"subsystem_id\":\"u\",\"mass\":\"2 kg\"}}");
  sql(w,
      "INSERT INTO entities (id, entity_type, project, name, properties) VALUES ('m', 'Material', 'p', 'm', '{\"component_id\":\"c\",\"material\":\"steel\"}');"
      "INSERT INTO project_state (id, project, key, value) VALUES ('s', 'p', 'u_leg_mass', '9 kg')");
  add(w, HM_MEMORY, "{\"memory_type\":\"episodic\",\"content\":\"x\"}");
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts"),
                      "0"); /* c is of frame_leg_mass, not of u_leg_mass */
}

static void a_new_value_replaces_when_asked(void **state) {
  world *w = *state;
  hm_review r = review();
  hm_written out;
  create(w);
  add(w, HM_STATE, GF);
  r.who.why = HM_STR("measured");
  ok(w,
     hm_review_replace(
         w->s, &r, HM_STATE,
         json(
             w,
             "{\"id\":\"s2\",\"project\":\"p\",\"key\":\"lateral_support_material\",\"value\":\"PEEK\"}"),
         HM_STR("s1"), w->a, &out, &w->err));
  assert_int_equal(out.n_conflicts, 0);
  assert_int_equal(out.n_opened, 0);
  assert_string_equal(
      ask(w, "SELECT status || ' ' || superseded_by FROM project_state WHERE id = 's1'"),
      "superseded s2");
  assert_string_equal(
      ask(w, "SELECT why FROM journal WHERE verb = 'supersede' AND ref = 'project_state:s1'"),
      "measured");
  expect_sweep_changes_nothing(w);
  int rc =
      hm_review_replace(w->s, &r, HM_STATE, json(w, "{\"id\":\"s3\",\"key\":\"k\",\"value\":1}"),
                        HM_STR("s1"), w->a, &out, &w->err);
  assert_int_equal(rc, -1);
  assert_int_equal(w->err.code, HM_E_STATE);
  assert_string_equal(ask(w, "SELECT count(*) FROM project_state WHERE id = 's3'"), "0");
}

static void a_dry_run_leaves_no_trace(void **state) {
  world *w = *state;
  hm_review r = review();
  hm_written out;
  create(w);
  add(w, HM_STATE, GF);
  const char *q =
      "SELECT (SELECT count(*) FROM journal) || (SELECT count(*) FROM entities) || (SELECT count(*) FROM conflicts)";
  const char *before = ask(w, q);
  r.dry_run = true;
  ok(w, hm_review_add(w->s, &r, HM_ENTITY, json(w, PEEK), w->a, &out, &w->err));
  assert_int_equal(out.n_opened, 1);
  assert_string_equal(ask(w, q), before);
  hm_written e = add(w, HM_ENTITY, PEEK);
  assert_true(hm_str_eq(e.opened[0], out.opened[0]));
}

static void ids_are_made_and_never_meet(void **state) {
  world *w = *state;
  create(w);
  const char *record = "{\"memory_type\":\"episodic\",\"content\":\"x\"}";
  hm_str a = add(w, HM_MEMORY, record).ref, b = add(w, HM_MEMORY, record).ref,
         c = add(w, HM_MEMORY, record).ref;
  assert_int_equal(a.n, strlen("memory:m-0123456789abcdef"));
  assert_false(hm_str_eq(a, b) || hm_str_eq(b, c) || hm_str_eq(a, c));
  assert_string_equal(
      ask(w, "SELECT count(*) FROM memories WHERE created_at = '2026-06-01T10:00:00Z'"), "3");
  hm_written given = add(
      w, HM_MEMORY, "{\"memory_type\":\"episodic\",\"content\":\"x\",\"created_at\":\"2025-01\"}");
  assert_non_null(strstr(hm_str_z(w->a, given.record), "\"created_at\":\"2025-01\""));
}

/* What others did before is recorded with the next write, but is not what this write opened. */
/* An entity that agrees with one of two states contradicts neither, but the memory beside them. */
static void a_row_meets_what_it_contradicts(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, GF);
  add(w, HM_STATE,
      "{\"project\":\"p\",\"key\":\"lateral_support_material\",\"value\":\"PEEK\",\"id\":\"s2\"}");
  add(w, HM_MEMORY,
      "{\"id\":\"m1\",\"memory_type\":\"knowledge\",\"project\":\"p\","
      "\"content\":\"lateral support material is PTFE\"}");
  hm_written e = add(w, HM_ENTITY, PEEK);
  assert_int_equal(e.n_conflicts, 1);
  assert_int_equal(e.n_met, 1);
  assert_true(hm_str_is(e.met[0].ref, "memory:m1"));
}

static void others_disputes_are_not_ours(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, GF);
  sql(w,
      "INSERT INTO project_state (id, project, key, value) VALUES ('s9', 'p', 'lateral support material', 'other')");
  hm_written m =
      add(w, HM_MEMORY, "{\"memory_type\":\"knowledge\",\"project\":\"q\",\"content\":\"a is b\"}");
  assert_int_equal(m.n_opened, 0);
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts"), "1");
  expect_sweep_changes_nothing(w);
}

/* A conflict far away has the id that the new one would get. */
/* Another program that checks no foreign keys leaves the members of what it takes away. */
static void a_conflict_that_lost_its_record_opens_again(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_STATE, "{\"id\":\"a\",\"project\":\"p\",\"key\":\"k\",\"value\":\"1\"}");
  add(w, HM_STATE, "{\"id\":\"b\",\"project\":\"p\",\"key\":\"k\",\"value\":\"2\"}");
  sql(w, "UPDATE project_state SET status = 'invalid' WHERE id = 'b'; DELETE FROM conflicts");
  assert_string_equal(ask(w, "SELECT count(*) FROM conflict_members"), "2");
  sql(w, "UPDATE conflict_members SET flagged = 1, conflicts_with = 'x' WHERE member_id = 'b'");
  hm_written c = add(w, HM_STATE,
                     "{\"id\":\"c\",\"project\":\"p\",\"key\":\"k\",\"value\":\"3\"}");
  assert_int_equal(c.n_opened, 1);
  assert_string_equal(ask(w, "SELECT count(*) FROM conflict_members"), "3");
  expect_sweep_changes_nothing(w);
}

static void an_id_that_is_taken(void **state) {
  world *w = *state;
  hm_review r = review();
  hm_written out;
  create(w);
  add(w, HM_STATE, GF);
  r.dry_run = true;
  ok(w, hm_review_add(w->s, &r, HM_ENTITY, json(w, PEEK), w->a, &out, &w->err));
  char q[200];
  snprintf(q, sizeof q,
           "INSERT INTO conflicts (id, slot_key) VALUES ('%.*s', '[\"far\",\"away\"]')",
           HM_FMT(out.opened[0]));
  sql(w, q);
  hm_written e = add(w, HM_ENTITY, PEEK);
  assert_int_equal(e.n_opened, 1);
  assert_false(hm_str_eq(e.opened[0], out.opened[0]));
  expect_sweep_changes_nothing(w);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(a_conflicting_write_succeeds),
    T(a_candidate_waits),
    T(what_is_refused),
    T(history_and_what_is_frozen_stay),
    T(a_graduate_is_looked_at),
    T(an_edit_is_journaled_and_quiets),
    T(a_row_that_leaves_its_slot),
    T(an_entity_that_gives_others_its_name),
    T(what_others_stand_on_says_nothing),
    T(a_new_value_replaces_when_asked),
    T(a_dry_run_leaves_no_trace),
    T(ids_are_made_and_never_meet),
    T(a_row_meets_what_it_contradicts),
    T(others_disputes_are_not_ours),
    T(an_id_that_is_taken),
    T(a_conflict_that_lost_its_record_opens_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
