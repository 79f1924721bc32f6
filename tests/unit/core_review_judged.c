/* What a model proposed and a person confirmed beside what rules find: the same rows are flagged once, whoever was first;
 * a verdict stays; and a write finds what a sweep would. */
#include "tests/unit/core_review_play.h"
#include "core/claim/judged.h"
#include "core/store/remarks.h"

#define MEMORY(id, content, time)                                                                  \
  "{\"kind\":\"memory\",\"id\":\"" id "\",\"memory_type\":\"knowledge\",\"project\":\"p\","  \
  "\"content\":\"" content "\",\"created_at\":\"" time "\"}\n"

/* A person confirms that these rows contradict each other, as they stand; nobody looks what it
 * meets. */
static void propose(world *w, const char *const *refs, size_t n) {
  hm_proposal p = { .rows = hm_alloc_array(w->a, n, sizeof *p.rows),
                    .digests = hm_alloc_array(w->a, n, sizeof *p.digests),
                    .question = HM_STR("Is it so?"),
                    .model = HM_STR("m"),
                    .says = HM_STR(HM_SAYS_CONFIRMED) };
  hm_actor who = review().who;
  hm_snapshot *snap = snapshot(w, true);
  bool added;
  for (size_t i = 0; i < n; i++) {
    hm_judged_row j;
    uint32_t row = hm_snapshot_ref(snap, HM_MEMORY, hm_str_c(refs[i]));
    bool twice = false;
    for (size_t k = 0; k < p.n; k++) twice = twice || hm_str_is(p.rows[k], refs[i]);
    if (twice || row == HM_MAP_NONE || !hm_judged_row_read(&snap->rows[row], w->a, &j)) continue;
    p.rows[p.n] = hm_str_c(refs[i]);
    p.digests[p.n++] = hm_judged_digest(&snap->rows[row], &j, w->a);
  }
  if (p.n < 2) return;
  ok(w, hm_store_begin(w->s, true, &w->err));
  ok(w, hm_proposal_add(w->s, &p, &who, w->a, &added, &w->err));
  ok(w, hm_store_commit(w->s, &w->err));
}

static void sweep(world *w) {
  hm_sweep_options opt = {
    .rules = hm_rules_default(), .threads = 1, .record = true, .who = review().who
  };
  hm_sweep out;
  ok(w, hm_sweep_run_all(w->s, &opt, w->a, &out, &w->err));
  hm_sweep_free(&out);
  expect_sweep_changes_nothing(w);
}

static const char *conflicts(world *w) {
  return ask(w, "SELECT group_concat(rule || ' ' || status, ', ') FROM"
                " (SELECT * FROM conflicts ORDER BY rule, slot_key)");
}

static hm_str id_of(world *w, const char *rule) {
  return hm_str_c(ask(w, hm_str_fmt(w->a, "SELECT id FROM conflicts WHERE rule = '%s'", rule).p));
}

/* Two notes that say other things of a port; the first says it in words that no rule reads. */
static void begin_story(world *w) {
  create(w);
  import(w, "{\"kind\":\"project\",\"id\":\"p\"}\n"
         MEMORY("a", "nobody listens there", "2026-01-01T00:00:00Z")
         MEMORY("b", "API timeout is 60 s", "2026-01-05T00:00:00Z")
         MEMORY("c", "API timeout is 30 s", "2026-01-09T00:00:00Z"));
}

static void dismiss(world *w, const char *rule) {
  hm_review r = review();
  hm_verdict_report out;
  ok(w, hm_review_dismiss(w->s, &r, id_of(w, rule), HM_STR("so"), w->a, &out, &w->err));
}

static const char *const BOTH[] = { "memory:b", "memory:c" }, *const ALL[] = { "memory:a",
                                                                               "memory:b",
                                                                               "memory:c" };

/* The rule comes later than the judge: off until then. */
static void the_same_rows_are_flagged_once(void **state) {
  world *w = *state;
  begin_story(w);
  sql(w, "UPDATE memories SET status = 'invalid' WHERE id = 'c'");
  sweep(w);
  propose(w, BOTH, 2);
  sql(w, "UPDATE memories SET status = 'active' WHERE id = 'c'");
  sweep(w);
  assert_string_equal(conflicts(w), "slot open");
  propose(w, ALL, 3); /* one row more is another question */
  sweep(w);
  assert_string_equal(conflicts(w), "judged open, slot open");
}

/* Entities are judged by their main field, and may conflict by another: which one person mends. */
static void begin_parts(world *w, const char *mass) {
  create(w);
  import(w, hm_str_fmt(w->a,
    "{\"kind\":\"project\",\"id\":\"p\"}\n"
    "{\"kind\":\"entity\",\"id\":\"e1\",\"entity_type\":\"Material\",\"name\":\"frame\","
    "\"project\":\"p\",\"properties\":{\"component_id\":\"frame\",\"material\":\"PEEK\","
    "\"mass\":\"3 kg\"}}\n"
    "{\"kind\":\"entity\",\"id\":\"e2\",\"entity_type\":\"Material\",\"name\":\"frame\","
    "\"project\":\"p\",\"properties\":{\"component_id\":\"frame\",\"material\":\"PEEK\","
    "\"mass\":\"%s\"}}\n",
    mass).p);
}

static const char *const PARTS[] = { "entity:e1", "entity:e2" };
static const char HEAVIER[] =
    "{\"properties\":{\"component_id\":\"frame\",\"material\":\"PEEK\",\"mass\":\"4 kg\"}}";
static const char AS_HEAVY[] =
    "{\"properties\":{\"component_id\":\"frame\",\"material\":\"PEEK\",\"mass\":\"3 kg\"}}";

/* Does the answer of a write name the conflict as one that it opened, and that its row is in? */
static void expect_told(world *w, const hm_written *out, hm_str id, bool told) {
  bool opened = false, listed = false;
  for (size_t i = 0; i < out->n_opened; i++) opened = opened || hm_str_eq(out->opened[i], id);
  for (size_t i = 0; i < out->n_conflicts; i++) listed = listed || hm_str_eq(out->conflicts[i].id, id);
  hm_buf b = { 0 };
  hm_written_json(&b, out, false, w->a);
  bool printed = hm_str_find(hm_buf_view(&b), hm_str_z(w->a, id)) >= 0;
  hm_buf_free(&b);
  assert_int_equal(opened, told);
  assert_int_equal(listed, told);
  assert_int_equal(printed, told);
}

/* The proposal is open first; a write brings the rule's conflict, and takes it away again. */
static void a_judged_conflict_goes_on_in_that_of_a_rule(void **state) {
  world *w = *state;
  begin_parts(w, "3 kg");
  sweep(w);
  propose(w, PARTS, 2);
  sweep(w);
  assert_string_equal(conflicts(w), "judged open");
  hm_str id = id_of(w, "judged");
  edit(w, "entity:e2", HEAVIER);
  expect_sweep_changes_nothing(w);
  assert_string_equal(conflicts(w), "judged merged, slot open");
  assert_string_equal(ask(w, "SELECT merged_into FROM conflicts WHERE rule = 'judged'"),
                      id_of(w, "slot").p);
  hm_written out = edit(w, "entity:e2", AS_HEAVY);
  expect_sweep_changes_nothing(w);
  assert_string_equal(conflicts(w), "judged open, slot open");
  assert_string_equal(id_of(w, "judged").p, id.p);
  expect_told(w, &out, id, true);
}

/* The one who takes the rule's conflict away is told of the judged one, also where that is recorded
 * only now; who writes elsewhere is not. */
static void who_takes_away_a_rules_conflict_is_told(void **state) {
  world *w = *state;
  begin_parts(w, "4 kg");
  sweep(w);
  propose(w, PARTS, 2);
  sweep(w);
  assert_string_equal(conflicts(w), "slot open");
  sql(w, "UPDATE entities SET properties = replace(properties, '4 kg', '3 kg')");
  hm_written out = add(w, HM_STATE, "{\"project\":\"p\",\"key\":\"colour\",\"value\":\"red\"}");
  assert_string_equal(conflicts(w), "judged open, slot open");
  expect_told(w, &out, id_of(w, "judged"), false);
  edit(w, "entity:e2", HEAVIER);
  sql(w, "DELETE FROM conflicts WHERE rule = 'judged'");
  out = edit(w, "entity:e2", AS_HEAVY);
  expect_told(w, &out, id_of(w, "judged"), true);
}

/* Both at once: the project gets another id, and a rule finds what a model had proposed. */
static void a_judged_conflict_of_a_renamed_project_goes_on_too(void **state) {
  world *w = *state;
  begin_parts(w, "3 kg");
  sweep(w);
  propose(w, PARTS, 2);
  sweep(w);
  sql(w, "UPDATE entities SET project = 'q'");
  edit(w, "entity:e2", HEAVIER);
  expect_sweep_changes_nothing(w);
  assert_string_equal(conflicts(w), "judged merged, slot open");
  edit(w, "entity:e2", AS_HEAVY);
  expect_sweep_changes_nothing(w);
  assert_string_equal(conflicts(w), "judged open, slot open");
}

/* A member that stayed behind keeps the record where it is. */
static void a_judged_conflict_of_which_a_row_stays_behind_waits(void **state) {
  static const char *const three[] = { "entity:e1", "entity:e2", "project_state:s" };
  world *w = *state;
  begin_parts(w, "3 kg");
  import(w,
         "{\"kind\":\"project_state\",\"id\":\"s\",\"project\":\"p\",\"category\":\"fact\","
         "\"key\":\"hue\",\"value\":\"red\"}\n");
  sweep(w);
  propose(w, three, 3);
  sweep(w);
  sql(w, "UPDATE entities SET project = 'q'");
  edit(w, "entity:e2", HEAVIER);
  expect_sweep_changes_nothing(w);
  assert_string_equal(conflicts(w), "judged open, slot open");
}

static void it_stays_quiet_where_the_rules_is_settled(void **state) {
  world *w = *state;
  begin_parts(w, "4 kg");
  sweep(w);
  dismiss(w, "slot");
  propose(w, PARTS, 2);
  sweep(w);
  assert_string_equal(conflicts(w), "slot dismissed");
}

/* What a person said of the judged one holds, also when the rule's comes and goes. */
static void a_verdict_on_it_is_not_lost(void **state) {
  world *w = *state;
  begin_parts(w, "3 kg");
  sweep(w);
  propose(w, PARTS, 2);
  sweep(w);
  dismiss(w, "judged");
  for (int k = 0; k < 2; k++) {
    edit(w, "entity:e2", HEAVIER);
    expect_sweep_changes_nothing(w);
    assert_string_equal(conflicts(w), "judged dismissed, slot open");
    edit(w, "entity:e2", AS_HEAVY);
    expect_sweep_changes_nothing(w);
    assert_string_equal(conflicts(w), "judged dismissed, slot open");
  }
}

/* Each row is in two proposals; sweeps record the same conflicts again and again. */
static void proposals_may_share_rows(void **state) {
  static const char *const first[] = { "memory:a", "memory:b" },
                           *const last[] = { "memory:a", "memory:c" };
  world *w = *state;
  begin_story(w);
  sql(w, "UPDATE memories SET content = 'everybody listens there' WHERE id IN ('b', 'c')");
  propose(w, first, 2);
  propose(w, BOTH, 2);
  propose(w, last, 2);
  for (int k = 0; k < 3; k++) {
    sweep(w);
    assert_string_equal(conflicts(w), "judged open, judged open, judged open");
  }
}

/* --- whatever is written ------------------------------------------------------------------ */

static const char *part_of(play *p) {
  return hm_str_fmt(p->w->a,
                    "{\"component_id\":\"%s\",\"material\":\"%s\",\"mass\":\"%s\"}",
                    PICK(p, "frame", "frame", "cell"), PICK(p, "PEEK", "PEEK", "PTFE"),
                    PICK(p, "3 kg", "3 kg", "4 kg", "5 kg")).p;
}

static const char *row_to_judge(play *p) {
  if (!roll(p, 4)) return any(p, HM_MEMORY, "status = 'active'");
  return any(p, roll(p, 3) ? HM_ENTITY : HM_STATE, "status = 'active'");
}

static bool writes(play *p) {
  world *w = p->w;
  hm_review r = review();
  hm_written out;
  if (!roll(p, 4)) return gives_verdict(p);
  const char *props = part_of(p), *ref = any(p, HM_ENTITY, "status = 'active'");
  const char *state = hm_str_fmt(
      w->a, "{\"project\":\"p\",\"key\":\"frame mass\",\"value\":\"%s\"%s}",
      PICK(p, "3 kg", "4 kg"), PICK(p, "", ",\"valid_until\":\"2026-02\"")).p;
  if (!roll(p, 8))
    return done(p, hm_review_add(w->s, &r, HM_STATE, json(w, state), w->a, &out, &w->err), &out);
  if (!*ref || !roll(p, 5)) {
    const char *text = hm_str_fmt(
        w->a,
        "{\"entity_type\":\"Material\",\"project\":\"p\",\"name\":\"frame\",\"properties\":%s}",
        props).p;
    return done(p, hm_review_add(w->s, &r, HM_ENTITY, json(w, text), w->a, &out, &w->err), &out);
  }
  const char *patch = hm_str_fmt(w->a, "{\"properties\":%s}", props).p;
  return done(p, hm_review_edit(w->s, &r, hm_str_c(ref), json(w, patch), w->a, &out, &w->err),
              &out);
}

static void others_write(play *p) {
  static const char *const statements[] = {
    "UPDATE entities SET status = 'superseded' WHERE id = (SELECT max(id) FROM entities)",
    "UPDATE entities SET status = 'active' WHERE id ="
    " (SELECT min(id) FROM entities WHERE status <> 'active')",
    "DELETE FROM entities WHERE id = (SELECT min(id) FROM entities)",
    "UPDATE entities SET properties = replace(properties, '3 kg', '4 kg')",
    "UPDATE entities SET properties = replace(properties, '4 kg', '3 kg') WHERE id < 'e5'",
    "DELETE FROM proposals WHERE id = (SELECT min(id) FROM proposals)",
    "INSERT OR REPLACE INTO memories (id, memory_type, project, content, created_at) VALUES"
    " ('m1', 'knowledge', 'p', 'frame mass is 5 kg', '2026-01-01T00:00:00Z')",
    "DELETE FROM memories",
    "UPDATE entities SET project = CASE project WHEN 'p' THEN 'q' ELSE 'p' END",
    "UPDATE project_state SET valid_until = NULL"
  };
  if (!roll(p, 3)) {
    sql(p->w, statements[roll(p, sizeof statements / sizeof *statements)]);
    return;
  }
  const char *refs[] = { row_to_judge(p), row_to_judge(p), row_to_judge(p) };
  propose(p->w, refs, 2 + roll(p, 2));
}

static void play_on(world *w, uint64_t seed, int steps) {
  play p = { .w = w, .rng = seed, .verdicts = true };
  int looked = 0;
  begin_run(w);
  for (int i = 0; i < steps; i++) {
    hm_arena_reset(w->a);
    if (i % 4 == 0) expect_answers_as_swept(&p);
    if (!roll(&p, 3)) {
      others_write(&p);
      continue;
    }
    const char *since = ask(w, "SELECT coalesce(max(seq), 0) FROM journal");
    if (!writes(&p)) continue;
    expect_agreement(&p, since);
    looked++;
  }
  assert_true(p.answered && looked > steps / 4);
}

static void writes_agree_with_a_sweep(void **state) {
  world *w = *state;
  const char *seed = getenv("HM_SEED");
  play_on(w, seed ? strtoull(seed, NULL, 10) : 5, 300);
  if (seed) return;
  assert_true(atoi(ask(w, "SELECT count(*) FROM conflicts WHERE rule = 'judged'")) > 5);
  assert_true(atoi(ask(w, "SELECT count(*) FROM conflicts WHERE status = 'merged'")) > 1);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = { T(the_same_rows_are_flagged_once),
                                      T(a_judged_conflict_goes_on_in_that_of_a_rule),
                                      T(who_takes_away_a_rules_conflict_is_told),
                                      T(a_judged_conflict_of_a_renamed_project_goes_on_too),
                                      T(a_judged_conflict_of_which_a_row_stays_behind_waits),
                                      T(it_stays_quiet_where_the_rules_is_settled),
                                      T(a_verdict_on_it_is_not_lost),
                                      T(proposals_may_share_rows),
                                      T(writes_agree_with_a_sweep) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
