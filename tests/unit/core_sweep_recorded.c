/* What a sweep records is what it says, whatever changes in the store between two of them. */
#include "core/detect/conflict.h"
#include "core/sqlite/sqlite_impl.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_sweep_help.h"
#include "tests/unit/core_store_realistic.h"
#include "tests/unit/core_base_thorough.h"

/* After a sweep that records, the snapshot says what the store says (the digest too), and the next
 * one finds nothing new. */
static void sweep_twice(world *w, const char *at) {
  hm_sweep first = sweep(w, true, 2, at);
  hm_snapshot *s = snapshot(w);
  same_conflicts(first.snap, s);
  assert_true(hm_findings_equal(first.findings, first.n_findings, s->findings, s->n_findings));
  hm_sweep next = sweep(w, true, 1, at);
  assert_true(next.nothing_new);
  assert_true(hm_str_eq(next.snap->digest, s->digest));
  hm_sweep_free(&first);
  hm_sweep_free(&next);
}

/* Of few rows, which refer to each other, to rows that come later or never, and to rows of ids that
 * look like a reference. */
static void random_reference(uint64_t *seed, char *out, size_t cap) {
  static const char *const refs[] = { "\"x0\"",
                                      "\"x1\"",
                                      "\"x2\"",
                                      "\"memory:x1\"",
                                      "\"memory:x3\"",
                                      "\"entity:x2\"",
                                      "\"project_state:x3\"",
                                      "\"none\"",
                                      "null",
                                      "null",
                                      "null" };
  static const char *const ids[] = { "x0",        "x1",        "x2",        "x3",
                                     "memory:x1", "memory:x3", "entity:x2", "project_state:x3" };
  static const char *const status[] = { "active", "superseded", "invalid", "candidate" };
#define ANY(list) (list)[prng(seed) % (sizeof(list) / sizeof *(list))]
  const char *id = ANY(ids), *is = ANY(status);
  unsigned some = (unsigned)(prng(seed) % 100);
  static const char *const facts[] = {
    "{\"kind\":\"memory\",\"id\":\"%s\",\"memory_type\":\"episodic\",\"project\":\"p\",\"status\":\"%s\",\"content\":\"it is %u\",\"superseded_by\":%s,\"graduated_to\":%s}\n",
    "{\"kind\":\"project_state\",\"id\":\"%s\",\"project\":\"p\",\"status\":\"%s\",\"category\":\"c\",\"key\":\"k\",\"value\":\"%u\",\"superseded_by\":%s}\n",
    "{\"kind\":\"entity\",\"id\":\"%s\",\"entity_type\":\"Part\",\"project\":\"p\",\"status\":\"%s\",\"name\":\"x\",\"description\":\"%u\",\"superseded_by\":%s}\n",
    "{\"kind\":\"relation\",\"id\":\"%s\",\"type\":\"PART_OF\",\"status\":\"%s\",\"properties\":{\"n\":%u},\"superseded_by\":null,\"from\":%s,\"to\":%s}\n",
  };
  if (some % 5 == 4)
    snprintf(out, cap, facts[3], id, is, some, refs[some % 8], refs[prng(seed) % 8]);
  else snprintf(out, cap, facts[some % 3], id, is, some, some % 2 ? "null" : ANY(refs), ANY(refs));
#undef ANY
}

static void random_fact(uint64_t *seed, char *out, size_t cap) {
  unsigned kind = (unsigned)(prng(seed) % 9) / 2, id = (unsigned)(prng(seed) % 20),
           slot = (unsigned)(prng(seed) % 4), value = (unsigned)(prng(seed) % 3);
  static const char *const status[] = { "active", "active", "active", "superseded", "invalid" };
  const char *is = status[prng(seed) % 5];
  if (kind == 0)
    snprintf(
        out, cap,
        "{\"kind\":\"memory\",\"id\":\"m%u\",\"memory_type\":\"knowledge\",\"project\":\"p\",\"status\":\"%s\",\"content\":\"slot %u is %u kg\"}\n",
        id, is, slot, value);
  if (kind == 1)
    snprintf(
        out, cap,
        "{\"kind\":\"project_state\",\"id\":\"s%u\",\"project\":\"p\",\"status\":\"%s\",\"category\":\"%s\",\"key\":\"slot %u%s\",\"value\":\"%u kg\"}\n",
        id, is, id % 3 ? "gizmo" : "fact", slot, id % 2 ? "" : " slot 1", value);
  if (kind == 2)
    snprintf(
        out, cap,
        "{\"kind\":\"entity\",\"id\":\"e%u\",\"entity_type\":\"%s\",\"project\":\"p\",\"status\":\"%s\",\"name\":\"slot %u\","
        "\"properties\":{\"parameter_scope\":\"e%u\",\"parameter\":\"slot %u\",\"value\":\"%u kg\"}}\n",
        id, id == 3 && value ? "Gizmo" : "Parameter", is, id == 3 ? 0 : slot, id / 2, slot, value);
  if (kind == 4)
    snprintf(
        out, cap,
        "{\"kind\":\"conflict\",\"id\":\"c%012u\",\"slot_key\":[\"p\",\"old %u\"],\"project\":\"p\",\"status\":\"dismissed\",\"resolved_at\":\"2026-07-01T00:00:00Z\","
        "\"detected_at\":\"2026\",\"members\":[{\"member_kind\":\"memory\",\"member_id\":\"m%u\",\"field\":\"content\",\"value\":\"%u\"}]}\n",
        id, id / 2, id, value);
  if (kind == 3)
    snprintf(
        out, cap,
        "{\"kind\":\"relation\",\"id\":\"r%u\",\"type\":\"PART_OF\",\"project\":\"p\",\"status\":\"%s\",\"from\":\"e%u\",\"to\":\"e%u\"}\n",
        id, is, slot, value + 17);
}

/* A verdict, one taken back, or one that knew others. */
static void settle_one(world *w, uint64_t *seed) {
  static const char *const verdicts[] = {
    "\"status\":\"dismissed\",\"resolved_at\":\"2026-07-01T00:00:00Z\"",
    "\"status\":\"open\",\"resolved_at\":null,\"action\":null",
    "\"status\":\"resolved\",\"resolved_at\":\"2026-07-01T00:00:00Z\",\"action\":\"no_action\"",
    "\"members\":[{\"member_kind\":\"memory\",\"member_id\":\"m1\",\"field\":\"content\",\"value\":\"9\"}]"
  };
  const hm_snapshot *s = snapshot(w);
  if (!s->n_conflicts) return;
  const hm_conflict_rec *c = &s->conflicts[prng(seed) % s->n_conflicts];
  const char *verdict = verdicts[prng(seed) % 4];
  for (size_t i = 0; verdict == verdicts[1] && i < s->n_conflicts; i++)
    if (hm_str_eq(s->conflicts[i].slot_key, c->slot_key) && &s->conflicts[i] != c)
      return; /* one of a slot is open at most */
  import(
      w,
      hm_str_fmt(w->a, "{\"kind\":\"conflict\",\"id\":\"%.*s\",%s}\n", HM_FMT(c->id), verdict).p);
}

static void whatever_changes(void **state) {
  world *w = *state;
  uint64_t seed = 5;
  size_t most = 0;
  hm_err err;
  if (hm_sql_exec(w->s, "PRAGMA synchronous = OFF", &err)) fail_with(&err);
  for (int i = 0; i < (thorough() ? 200 : 40); i++) {
    char fact[600];
    for (uint64_t n = 1 + prng(&seed) % 3; n; n--) {
      random_fact(&seed, fact, sizeof fact);
      import(w, fact);
    }
    if (prng(&seed) % 5 == 0) settle_one(w, &seed);
    sweep_twice(w, "2026-05-02T00:00:00Z");
    size_t n = snapshot(w)->n_conflicts;
    most = n > most ? n : most;
  }
  assert_true(most > 4);
}

/* By another program. */
static void delete_some(world *w, uint64_t *seed) {
  static const char *const deletes[] = {
    "DELETE FROM memories WHERE id = 'x1'",
    "DELETE FROM entities WHERE id IN ('x2', 'memory:x1')",
    "DELETE FROM memories; DELETE FROM project_state",
    "DELETE FROM relations",
    "DELETE FROM entities",
    "INSERT OR IGNORE INTO links (src, dst) VALUES ('memory:x3', 'none')",
    "DELETE FROM links"
  };
  hm_err err;
  if (hm_sql_exec(w->s, deletes[prng(seed) % (sizeof deletes / sizeof *deletes)], &err))
    fail_with(&err);
}

/* The same in a store as real ones are, where others delete, too. */
static void whatever_changes_in_a_realistic_store(void **state) {
  world *w = *state;
  uint64_t seed = 21;
  size_t gone = 0;
  hm_err err;
  hm_buf b = { 0 };
  if (hm_sql_exec(w->s, "PRAGMA synchronous = OFF", &err)) fail_with(&err);
  realistic_store(&b, &seed, 160);
  hm_buf_ch(&b, 0);
  import(w, b.p);
  hm_buf_free(&b);
  sweep_twice(w, "2026-05-02T00:00:00Z");
  assert_true(snapshot(w)->n_conflicts > 20);
  for (int i = 0; i < (thorough() ? 60 : 30); i++) {
    char fact[600];
    random_fact(&seed, fact, sizeof fact);
    import(w, fact);
    if (prng(&seed) % 3 == 0) settle_one(w, &seed);
    if (prng(&seed) % 8 == 0 && ++gone)
      if (hm_sql_exec(w->s, realistic_deletes[prng(&seed) % REALISTIC_DELETES], &err))
        fail_with(&err);
    sweep_twice(w, "2026-05-02T00:00:00Z");
  }
  assert_true(gone > 0);
}

static void whatever_is_referred_to(void **state) {
  world *w = *state;
  uint64_t seed = 11;
  size_t most = 0;
  hm_err err;
  if (hm_sql_exec(w->s, "PRAGMA synchronous = OFF", &err)) fail_with(&err);
  for (int i = 0; i < (thorough() ? 200 : 40); i++) {
    char fact[600];
    for (uint64_t k = prng(&seed) % 3; k < 3; k++) {
      random_reference(&seed, fact, sizeof fact);
      import(w, fact);
    }
    sweep_twice(w, "2026-05-02T00:00:00Z");
    if (prng(&seed) % 12 == 0) delete_some(w, &seed);
    size_t found = snapshot(w)->n_findings;
    most = found > most ? found : most;
  }
  assert_true(most > 6);
}

#define NOTE(id, more)                                                                             \
  "{\"kind\":\"memory\",\"id\":\"" id                                                              \
  "\",\"memory_type\":\"episodic\",\"project\":\"p\",\"content\":\"it is\"" more "}\n"
#define RELATION(from)                                                                             \
  "{\"kind\":\"relation\",\"id\":\"r\",\"type\":\"PART_OF\",\"from\":\"" from                      \
  "\",\"to\":\"memory:a\"}\n"

#define GONE ",\"status\":\"superseded\",\"superseded_by\":\""

/* Each line makes or unmakes a finding. */
static void one_reference_after_another(void **state) {
  static const struct { const char *line; size_t findings;
  } steps[] = {
    { NOTE("a", GONE "memory:x\"") NOTE("memory:x", GONE "a\""), 1 }, /* a circle of two */
    { NOTE("x", ""), 0 }, /* "memory:x" is another row now */
    { RELATION("project_state:y"), 1 },
    { "{\"kind\":\"project_state\",\"id\":\"y\",\"project\":\"p\",\"key\":\"k\",\"value\":\"v\"}\n",
      0 },
    { RELATION("memory:none"), 1 },
    { RELATION("memory:x"), 0 },
    { NOTE("x", ",\"graduated_to\":\"e\""), 1 },
    { "{\"kind\":\"entity\",\"id\":\"e\",\"project\":\"p\",\"entity_type\":\"Part\",\"name\":\"E\"}\n",
      0 },
    { NOTE("z", GONE "z\""), 1 },
    { NOTE("z", GONE "new\""), 1 },
    { NOTE("new", ""), 0 },
    { NOTE("new", ",\"status\":\"candidate\""), 1 }, /* nobody holds in place of z */
    { NOTE("new", ",\"status\":\"active\""), 0 },
    { NOTE("z", ",\"status\":\"active\",\"superseded_by\":\"new\""), 1 },
  };
  world *w = *state;
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    import(w, steps[i].line);
    hm_sweep x = sweep(w, i % 2, 1, "2026-05-02T00:00:00Z");
    if (x.n_findings != steps[i].findings) fail_msg("step %zu: %zu findings", i, x.n_findings);
    hm_sweep_free(&x);
  }
}

/* What a recorded sweep says of a store that has not changed since: nothing is written, so whoever
 * waits for a change comes to rest. */
static void nothing_new_writes_nothing(void **state) {
  world *w = *state;
  hm_store_counts before, after;
  hm_err err;
  char fact[600];
  uint64_t seed = 6;
  for (int i = 0; i < 20; i++) {
    random_fact(&seed, fact, sizeof fact);
    import(w, fact);
  }
  hm_sweep first = sweep(w, true, 1, "2026-05-02T00:00:00Z");
  hm_sweep_last_result known = { .digest = hm_str_dup(w->a, first.snap->digest), .now = first.snap->now };
  hm_sweep_free(&first);
  hm_sweep_options opt = { .rules = hm_rules_default(),
                           .threads = 1,
                           .details = true,
                           .digest = true,
                           .record = true,
                           .known = &known,
                           .skip_idle_run = true,
                           .who = { HM_STR("test"), HM_STR("2026-05-03T00:00:00Z") } };
  assert_int_equal(hm_store_count(w->s, w->a, &before, &err), 0);
  for (int i = 0; i < 3; i++) {
    hm_sweep again;
    assert_int_equal(hm_sweep_run_all(w->s, &opt, w->a, &again, &err), 0);
    assert_true(again.same == (i < 2));
    assert_true(again.same || again.nothing_new);
    hm_sweep_free(&again);
    if (i == 1) opt.known = NULL;
  }
  hm_sweep later;   /* of another now the same store says other things */
  opt.known = &known;
  known.now--;
  assert_int_equal(hm_sweep_run_all(w->s, &opt, w->a, &later, &err), 0);
  assert_false(later.same);
  hm_sweep_free(&later);
  assert_int_equal(hm_store_count(w->s, w->a, &after, &err), 0);
  assert_int_equal(after.sweeps, before.sweeps);
}

/* Whatever is recorded otherwise than it is found is recorded anew. */
static void what_is_recorded_wrongly(void **state) {
  static const char *const wrongs[] = {
    "UPDATE conflict_members SET flagged = 1 - flagged WHERE member_id = 'm1'",
    "UPDATE conflict_members SET conflicts_with = 'memory:x' WHERE member_id = 'm1'",
    "UPDATE conflict_members SET conflicts_with = 'entity:' WHERE member_id = 'm1'",
    "UPDATE conflict_members SET conflicts_with = '' WHERE member_id = 'm1'",
    "UPDATE conflict_members SET value_detected = 'x' WHERE member_id = 's1'",
    "UPDATE conflict_members SET value_normal = 'x' WHERE member_id = 's1'",
    "UPDATE conflict_members SET conflicts_with = 'memory:m1' WHERE member_id = 's1'",
    "UPDATE conflicts SET slot_kind = 'memory_slot'",
    "DELETE FROM conflict_members WHERE member_id = 's1'",
    "SELECT 1",
  };
  world *w = *state;
  import(
      w,
      "{\"kind\":\"project_state\",\"id\":\"s1\",\"project\":\"p\",\"category\":\"fact\",\"key\":\"gain\",\"value\":\"5 kg\"}\n"
      "{\"kind\":\"memory\",\"id\":\"m1\",\"memory_type\":\"knowledge\",\"project\":\"p\",\"content\":\"gain is 6 kg\"}\n");
  for (size_t i = 0, n = sizeof wrongs / sizeof *wrongs; i <= n; i++) {
    hm_sweep x = sweep(w, true, 1, "2026-05-02T00:00:00Z");
    hm_err err;
    if (x.plan->n != (i < n)) fail_msg("after %s", i ? wrongs[i - 1] : "the import");
    assert_true(hm_str_eq(x.snap->digest, snapshot(w)->digest));
    assert_true(x.snap->conflicts[0].members[1].flagged &&
                hm_str_is(x.snap->conflicts[0].members[1].conflicts_with, "project_state:s1"));
    hm_sweep_free(&x);
    if (i < n && hm_sql_exec(w->s, wrongs[i], &err)) fail_with(&err);
  }
}

/* Once. */
static int stop(void *left) { return --*(int *)left == -1; }

/* A sweep that records may be broken off anywhere: the store is then as it was. */
static void broken_off_anywhere(void **state) {
  world *w = *state;
  hm_sweep_options opt = { .rules = hm_rules_default(),
                           .threads = 1,
                           .details = true,
                           .record = true,
                           .who = { HM_STR("test"), HM_STR("2026-05-03T00:00:00Z") } };
  uint64_t seed = 7;
  int broken = 0;
  for (int steps = 0, left = -1; left < 0; steps++) {   /* until nothing stopped it */
    char fact[600];
    hm_sweep broke;
    hm_err err;
    random_fact(&seed, fact, sizeof fact);
    import(w, fact);
    hm_str before = snapshot(w)->digest;
    left = steps * steps / 8;
    sqlite3_progress_handler(w->s->sqlite->db, 1, stop, &left);
    int rc = hm_sweep_run_all(w->s, &opt, w->a, &broke, &err);
    sqlite3_progress_handler(w->s->sqlite->db, 0, NULL, NULL);
    broken += rc != 0;
    if (rc) assert_true(hm_str_eq(before, snapshot(w)->digest));
    else hm_sweep_free(&broke);
    sweep_twice(w, "2026-05-04T00:00:00Z");
  }
  assert_in_range(broken, 40, 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(whatever_changes, begin, end),
    cmocka_unit_test_setup_teardown(whatever_changes_in_a_realistic_store, begin, end),
    cmocka_unit_test_setup_teardown(whatever_is_referred_to, begin, end),
    cmocka_unit_test_setup_teardown(one_reference_after_another, begin, end),
    cmocka_unit_test_setup_teardown(what_is_recorded_wrongly, begin, end),
    cmocka_unit_test_setup_teardown(nothing_new_writes_nothing, begin, end),
    cmocka_unit_test_setup_teardown(broken_off_anywhere, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
