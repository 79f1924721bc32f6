/* What a write says of its row is what a sweep says of it afterwards; what it says has appeared or
 * vanished has. Random writes over few rows. */
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_review_help.h"
#include "tests/unit/core_base_thorough.h"

enum { WRITES = 40 };

typedef struct {
  world *w;
  uint64_t rng;
  size_t told, appeared, vanished;
} play;

static unsigned roll(play *p, unsigned n) { return (unsigned)(prng(&p->rng) % n); }
#define PICK(p, ...)                                                                               \
  ((const char *const[]){                                                                          \
      __VA_ARGS__ }[roll((p), sizeof(const char *const[]){ __VA_ARGS__ } / sizeof(char *))])

static const char *project(play *p) { return PICK(p, "w", "w", "w", "alias", "q", ""); }
static const char *thing(play *p) {
  return PICK(p, "a", "b", "c", "d", "e", "f", "entity:a", "entity:c", "memory:m", "relation:r1",
              "gone");
}

static const char *entity(play *p) {
  static char text[400];
  snprintf(text, sizeof text,
           "\"entity_type\":\"%s\",\"project\":\"%s\",\"name\":\"n\",\"properties\":%s",
           PICK(p, "Person", "Faction", "Location", "location", "Region", "Event", "Era", "Item",
                "Component", "Material"),
           project(p),
           PICK(p, "{}", "{}", "{\"birth\":\"0300\",\"death\":\"0200\"}", "{\"birth\":\"0310\"}",
                "{\"date\":\"0140\"}", "{\"begins\":\"0200\",\"ends\":\"0250\"}",
                "{\"founded\":\"unknown\"}"));
  return text;
}

static const char *relation(play *p) {
  static char text[400];
  snprintf(text, sizeof text,
           "\"type\":\"%s\",\"project\":\"%s\",\"from\":\"%s\",\"to\":\"%s\",\"valid_from\":%s",
           PICK(p, "PARENT_OF", "PARENT_OF", "part of", "PART_OF", "LOCATED_IN", "OCCURRED_AT",
                "OCCURRED_DURING", "EXISTED_DURING", "PARTICIPATED_IN", "POSSESSES", "FOUNDED",
                "USES_MATERIAL", "MEMBER_OF", "CONTAINS", "CHILD_OF", "SUPERSEDES"),
           project(p), thing(p), thing(p), PICK(p, "null", "\"0150\"", "\"0320\""));
  return text;
}

static bool exists(play *p, const char *ref) {
  char q[200];
  snprintf(q, sizeof q,
           "SELECT count(*) FROM (SELECT 'entity:'||id r FROM entities UNION ALL "
           "SELECT 'relation:'||id FROM relations UNION ALL SELECT 'memory:'||id FROM "
           "memories) WHERE r = '%s'",
           ref);
  return strcmp(ask(p->w, q), "1") == 0;
}

/* --- sweeps ---------------------------------------------------------------------------- */

static hm_sweep sweep_of(play *p, hm_arena *a) {
  hm_sweep_options opt = { .rules = hm_rules_default(), .threads = 1 };
  hm_sweep s;
  ok(p->w, hm_sweep_run_all(p->w->s, &opt, a, &s, &p->w->err));
  return s;
}

static bool names(const hm_finding *f, hm_str ref) {
  for (size_t i = 0; i < f->n_rows; i++)
    if (hm_str_eq(f->rows[i], ref)) return true;
  return false;
}

static bool has(const hm_sweep *s, const hm_finding *f) {
  for (size_t i = 0; i < s->n_findings; i++)
    if (hm_str_eq(s->findings[i].id, f->id) && hm_str_eq(s->findings[i].message, f->message) &&
        hm_str_eq(s->findings[i].actual, f->actual) &&
        hm_str_eq(s->findings[i].severity, f->severity))
      return true;
  return false;
}

static void expect(bool yes, const hm_written *w, const hm_finding *f, const char *what) {
  if (!yes)
    fail_msg("%.*s: %s: %.*s %.*s", HM_FMT(w->ref), what, HM_FMT(f->rule), HM_FMT(f->message));
}

static void compare(play *p, const hm_written *w, const hm_sweep *before, const hm_sweep *now) {
  size_t about = 0;
  for (size_t i = 0; i < now->n_findings; i++) {
    const hm_finding *f = &now->findings[i];
    if (!names(f, w->ref) || hm_str_is(f->rule, "orphan/project")) continue;
    size_t k = 0;
    while (
        k < w->n_findings &&
        (!hm_str_eq(w->findings[k]->id, f->id) || !hm_str_eq(w->findings[k]->message, f->message)))
      k++;
    expect(k < w->n_findings, w, f, "not told");
    about++;
  }
  for (size_t i = 0; i < w->n_findings; i++)
    expect(has(now, w->findings[i]), w, w->findings[i], "told");
  assert_int_equal(about, w->n_findings);
  for (size_t i = 0; i < w->n_appeared; i++)
    expect(has(now, w->appeared[i]) && !has(before, w->appeared[i]), w, w->appeared[i], "appeared");
  for (size_t i = 0; i < w->n_vanished; i++)
    expect(has(before, w->vanished[i]) && !has(now, w->vanished[i]), w, w->vanished[i], "vanished");
  p->told += w->n_findings;
  p->appeared += w->n_appeared;
  p->vanished += w->n_vanished;
}

static hm_written write_one(play *p) {
  char ref[40], text[900];
  if (!roll(p, 8)) {
    if (exists(p, "memory:m")) return edit(p->w, "memory:m", "{\"content\":\"the mass is 3 kg\"}");
    return add(p->w, HM_MEMORY,
               "{\"id\":\"m\",\"memory_type\":\"knowledge\",\"project\":\"w\","
               "\"content\":\"the mass is 2 kg\"}");
  }
  bool tie = roll(p, 2);
  const char *id = tie ? PICK(p, "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7")
                       : PICK(p, "a", "b", "c", "d", "e", "f");
  snprintf(ref, sizeof ref, "%s:%s", tie ? "relation" : "entity", id);
  const char *status = PICK(p, "active", "active", "active", "candidate");
  if (!exists(p, ref)) {
    snprintf(text, sizeof text, "{\"id\":\"%s\",%s,\"status\":\"%s\"}", id,
             tie ? relation(p) : entity(p), status);
    return add(p->w, tie ? HM_RELATION : HM_ENTITY, text);
  }
  char q[200];
  snprintf(q, sizeof q, "SELECT status FROM %s WHERE id='%s'", tie ? "relations" : "entities", id);
  if (strcmp(ask(p->w, q), "candidate") == 0) return promote(p->w, ref);
  snprintf(text, sizeof text, "{%s}", tie ? relation(p) : entity(p));
  return edit(p->w, ref, text);
}

static void a_write_tells_what_a_sweep_tells(void **state) {
  play p = { .w = *state, .rng = 3 };
  const size_t rounds = thorough() ? 60 : 6;
  for (size_t i = 0; i < rounds; i++) {
    create(p.w);
    import(p.w, "{\"kind\":\"project\",\"id\":\"w\",\"aliases\":[\"alias\"]}\n");
    for (int k = 0; k < WRITES; k++) {
      hm_arena *a = hm_arena_new();
      hm_sweep before = sweep_of(&p, a);
      hm_written w = write_one(&p);
      hm_sweep now = sweep_of(&p, a);
      compare(&p, &w, &before, &now);
      hm_sweep_free(&before);
      hm_sweep_free(&now);
      hm_arena_free(a);
    }
    hm_store_close(p.w->s);
    p.w->s = NULL;
    unlink(p.w->path);
  }
  if (p.told < 3 * rounds || p.appeared < rounds / 3 || p.vanished < rounds)
    fail_msg("told %zu, appeared %zu, vanished %zu", p.told, p.appeared, p.vanished);
}

/* --- by hand -------------------------------------------------------------------------------- */

static bool is_rule(const hm_finding *f, const char *rule, const char *row) {
  return hm_str_is(f->rule, rule) && f->n_rows == 1 && hm_str_is(f->rows[0], row);
}

static void a_relation_answers_for_both_its_ends(void **state) {
  world *w = *state;
  create(w);
  hm_written a = add(w, HM_ENTITY, "{\"id\":\"a\",\"entity_type\":\"Person\",\"name\":\"Ann\"}");
  assert_true(a.n_findings == 1 && is_rule(a.findings[0], "gap/person-lineage", "entity:a"));
  add(w, HM_ENTITY, "{\"id\":\"b\",\"entity_type\":\"Person\",\"name\":\"Bea\"}");
  add(w, HM_ENTITY, "{\"id\":\"c\",\"entity_type\":\"Person\",\"name\":\"Cid\"}");
  hm_written r =
      add(w, HM_RELATION, "{\"id\":\"r\",\"type\":\"PARENT_OF\",\"from\":\"a\",\"to\":\"b\"}");
  assert_true(r.n_findings == 0 && r.n_appeared == 0 && r.n_vanished == 2);
  r = edit(w, "relation:r", "{\"to\":\"c\"}");
  assert_true(r.n_appeared == 1 && is_rule(r.appeared[0], "gap/person-lineage", "entity:b"));
  assert_true(r.n_vanished == 1 && is_rule(r.vanished[0], "gap/person-lineage", "entity:c"));
  r = edit(w, "relation:r", "{\"status\":\"invalid\"}");
  assert_int_equal(r.n_appeared, 2);
}

static void a_row_that_was_named_before_it_came(void **state) {
  world *w = *state;
  create(w);
  add(w, HM_ENTITY, "{\"id\":\"f\",\"entity_type\":\"Faction\",\"name\":\"Guild\"}");
  hm_written r =
      add(w, HM_RELATION, "{\"id\":\"r\",\"type\":\"FOUNDED\",\"from\":\"a\",\"to\":\"f\"}");
  assert_true(r.n_findings == 1 && is_rule(r.findings[0], "orphan/from", "relation:r"));
  assert_true(r.n_vanished == 1 && is_rule(r.vanished[0], "gap/faction-origin", "entity:f"));
  hm_written a = add(w, HM_ENTITY, "{\"id\":\"a\",\"entity_type\":\"God\",\"name\":\"Ann\"}");
  assert_true(a.n_vanished == 1 && is_rule(a.vanished[0], "orphan/from", "relation:r"));
}

/* A finding names what says when something existed: a relation, and the era that it leads to. */
static void a_row_that_dates_another_tells_of_it(void **state) {
  static const struct {
    const char *ref, *patch;
  } dates[] = {
    { "relation:d", "{\"properties\":{\"note\":\"x\"}}" },
    { "entity:era", "{\"description\":\"x\"}" },
    { "entity:era", "{\"properties\":{\"begins\":\"0310\",\"ends\":\"0350\"}}" },
  };
  world *w = *state;
  create(w);
  add(w, HM_ENTITY, "{\"id\":\"p\",\"entity_type\":\"Person\",\"name\":\"Pia\"}");
  add(w, HM_ENTITY, "{\"id\":\"i\",\"entity_type\":\"Item\",\"name\":\"Ring\"}");
  add(w, HM_ENTITY, "{\"id\":\"era\",\"entity_type\":\"Era\",\"name\":\"Dawn\","
                    "\"properties\":{\"begins\":\"0300\",\"ends\":\"0350\"}}");
  add(w, HM_RELATION, "{\"id\":\"d\",\"type\":\"EXISTED_DURING\",\"from\":\"p\",\"to\":\"era\"}");
  hm_written r = add(w, HM_RELATION,
                     "{\"id\":\"r\",\"type\":\"POSSESSES\",\"from\":\"p\",\"to\":\"i\","
                     "\"valid_from\":\"0150\"}");
  assert_int_equal(r.n_findings, 1);
  for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
    r = edit(w, dates[i].ref, dates[i].patch);
    assert_int_equal(r.n_findings, 1);
    assert_true(hm_str_is(r.findings[0]->rule, "time/existed-before"));
  }
  r = edit(w, "relation:d", "{\"from\":\"i\"}");
  assert_true(r.n_findings == 1 && r.n_vanished == 1);
  r = edit(w, "entity:era", "{\"properties\":{\"begins\":\"0100\"}}");
  assert_true(r.n_findings == 0 && r.n_vanished == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(a_write_tells_what_a_sweep_tells, begin, end),
    cmocka_unit_test_setup_teardown(a_relation_answers_for_both_its_ends, begin, end),
    cmocka_unit_test_setup_teardown(a_row_that_was_named_before_it_came, begin, end),
    cmocka_unit_test_setup_teardown(a_row_that_dates_another_tells_of_it, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
