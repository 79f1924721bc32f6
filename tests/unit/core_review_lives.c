/* Relations that end with a death, while deaths, eras and now change: after a write the recorded
 * conflicts are those that a sweep would record, and recorded answers are those of a sweep.
 * HM_SEED repeats a run. */
#include "tests/unit/core_review_play.h"
#include "tests/unit/core_base_thorough.h"

enum { STEPS = 500 };

static const char *thing(play *p) { return PICK(p, "a", "b", "c", "x", "y", "s", "t"); }

/* When something existed: before, about and after now. */
static const char *life(play *p) {
  return PICK(p, "{}", "{}", "{\"died\":\"2026-03\"}", "{\"died\":\"2026\"}",
              "{\"dissolved\":\"2026-04-10T08:00:00Z\"}", "{\"died\":\"about 2026-03\"}",
              "{\"founded\":\"2026-02\",\"ends\":\"2027\"}", "{\"born\":\"2026-02-10\"}",
              "{\"born\":\"2027\",\"died\":\"2020\"}", "{\"died\":\"8999\"}");
}

static void changes_thing(play *p) {
  char q[400];
  const char *id = thing(p);
  const char *type = *id < 'd' ? "Person" : *id > 'w' ? "Faction" : PICK(p, "Place", "Realm");
  if (!roll(p, 9)) snprintf(q, sizeof q, "DELETE FROM entities WHERE id = '%s'", id);
  else if (!roll(p, 5))
    snprintf(q, sizeof q, "UPDATE entities SET status = '%s' WHERE id = '%s'",
             PICK(p, "active", "invalid"), id);
  else
    snprintf(q, sizeof q,
             "INSERT OR REPLACE INTO entities (id, entity_type, name, project, properties)"
             " VALUES ('%s', '%s', 'the %s', 'p', '%s')",
             id, type, id, life(p));
  sql(p->w, q);
}

static void changes_era(play *p) {
  char q[400];
  snprintf(q, sizeof q,
           "INSERT OR REPLACE INTO entities (id, entity_type, name, project, status, properties)"
           " VALUES ('%s', 'Era', 'dawn', 'p', '%s', '%s')",
           PICK(p, "dawn", "dusk"), PICK(p, "active", "active", "invalid"),
           PICK(p, "{}", "{\"start\":\"2026-02\",\"end\":\"2026-04\"}",
                "{\"start\":\"2025\",\"end\":\"2026-01\"}"));
  sql(p->w, q);
}

static void changes_relation(play *p) {
  char q[500];
  bool existed = !roll(p, 3);
  const char *type = existed
      ? PICK(p, "EXISTED_DURING", "existed during")
      : PICK(p, "RULES", "RULES", "SPOUSE_OF", "MEMBER_OF", "POSSESSES", "LOCATED_IN", "PARENT_OF");
  const char *from = roll(p, 5) ? thing(p) : PICK(p, "entity:a", "entity:x", "nobody");
  const char *to = existed ? PICK(p, "dawn", "dusk", "entity:dawn", "2026", "w") : thing(p);
  if (!roll(p, 8)) snprintf(q, sizeof q, "DELETE FROM relations WHERE id = 'l%u'", roll(p, 14));
  else
    snprintf(q, sizeof q,
             "INSERT OR REPLACE INTO relations (id, type, from_id, to_id, project, status,"
             " valid_from, valid_until) VALUES ('%c%u', '%s', '%s', '%s', 'p', '%s', %s, %s)",
             existed ? 'x' : 'l', roll(p, existed ? 5 : 14), type, from, to,
             PICK(p, "active", "active", "active", "active", "invalid"),
             PICK(p, "NULL", "NULL", "'2024'", "'2024'", "'2026-01'", "'2026-04-10T08:00:00Z'"),
             PICK(p, "NULL", "NULL", "NULL", "'2026-05'", "'current'"));
  sql(p->w, q);
}

static void moves_now(play *p) {
  char q[200];
  snprintf(q, sizeof q, "UPDATE project_state SET created_at = '%s', updated_at = NULL",
           PICK(p, "2026-02-01", "2026-03-20", "2026-04-10T08:00:00Z", "2026-06-01", "8999"));
  sql(p->w, q);
}

static void others_write(play *p) {
  switch (roll(p, 8)) {
    case 0: moves_now(p); return;
    case 1: changes_era(p); return;
    case 2: case 3: changes_thing(p); return;
    default: changes_relation(p);
  }
}

static void writes_agree_with_a_sweep(void **state) {
  world *w = *state;
  const char *seed = getenv("HM_SEED");
  play p = { .w = w, .rng = seed ? strtoull(seed, NULL, 10) : 1 };
  int looked = 0, cut = 0;
  begin_run(w);
  sql(w, "INSERT INTO project_state (id, project, key, value) VALUES ('o', 'p', 'k', 'v')");
  for (int i = 0; i < (thorough() ? STEPS : STEPS / 5); i++) {
    hm_arena_reset(w->a);
    const char *since = ask(w, "SELECT coalesce(max(seq), 0) FROM journal");
    others_write(&p);
    if (i % 3 == 0) expect_answers_as_swept(&p);
    if (!roll(&p, 3)) continue;
    if (!write_nothing(&p)) fail();
    expect_agreement(&p, since);
    looked++;
    if (looked % 10 == 5) expect_as_swept_afresh(&p);
    cut += atoi(ask(w, "SELECT count(*) FROM conflicts WHERE slot_kind = 'relation_slot' AND"
                       " window_until <> '2026-05'"));
  }
  if (seed || !thorough()) return;
  assert_true(looked > STEPS / 3 && cut > 10);
  assert_true(atoi(ask(w, "SELECT count(*) FROM conflicts")) > 10);
}

/* nobody lies in c from April on, so it is contradicted only before who possesses y: where now passes
 * a bound of one relation, slots of others are compared. */
static void a_place_that_now_leaves_is_none(void **state) {
  world *w = *state;
  play p = { .w = w, .rng = 1 };
  begin_run(w);
  sql(w,
      "INSERT INTO project_state (id, project, key, value, created_at)"
      " VALUES ('o', 'p', 'k', 'v', '2026-06-01')");
  sql(w,
      "INSERT INTO relations (id, type, from_id, to_id, project, valid_from, valid_until) VALUES"
      " ('l4', 'POSSESSES', 'nobody', 'y', 'p', '2026-01', 'current'),"
      " ('l8', 'POSSESSES', 'c', 'y', 'p', NULL, NULL),"
      " ('l5', 'LOCATED_IN', 'nobody', 'c', 'p', '2026-04-10T08:00:00Z', 'current')");
  assert_true(write_nothing(&p));
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts"), "0");
  sql(w, "UPDATE project_state SET created_at = '2026-03-20'");
  expect_answers_as_swept(&p);
  assert_true(p.unrecorded > 0);
  assert_true(write_nothing(&p));
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts"), "1");
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = { T(writes_agree_with_a_sweep), T(a_place_that_now_leaves_is_none) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
