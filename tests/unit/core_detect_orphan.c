/* References that lead nowhere, and rows that supersede each other in a circle. */
#include "tests/unit/core_detect_help.h"

#include "core/base/par.h"
#include "core/detect/rule.h"

static const char *const P[] = { "", "p05" };
static hm_arena *a;
static int begin(void **unused) { (void)unused; a = hm_arena_new(); return 0; }
static int end(void **unused) { (void)unused; hm_arena_free(a); return 0; }

static hm_row relation(const char *id, const char *from, const char *to) {
  return (hm_row){ .layer = HM_RELATION,
                   .status = HM_ACTIVE,
                   .project = 1,
                   .id = hm_str_c(id),
                   .type = HM_STR("USES_MATERIAL"),
                   .from = hm_str_c(from),
                   .to = hm_str_c(to) };
}
static hm_row entity(const char *id) { return help_entity(id, "Component", 1, id, "{}"); }

static hm_row succeeded(const char *id, const char *by) {
  hm_row r = entity(id);
  r.status = HM_SUPERSEDED;
  r.superseded_by = hm_str_c(by);
  return r;
}

/* What the shipped rules find whose name begins so. */
static size_t found(const char *rules, const hm_snapshot *s, hm_finding **f) {
  hm_claims *claims = NULL;
  hm_disputes *d = NULL;
  hm_err err;
  size_t n = 0;
  assert_int_equal(hm_claims_read(s, hm_rules_default(), 1, &claims, &err), 0);
  assert_int_equal(
      hm_rules_run(s, claims, hm_rules_default(), HM_RUN_ALL, hm_par_cores(), a, &d, &err), 0);
  *f = d->findings;
  for (size_t i = 0; i < d->n_findings; i++) {
    if (!hm_str_starts(d->findings[i].rule, rules)) continue;
    assert_int_equal(d->findings[i].id.n, 13);
    assert_true(d->findings[i].message.n > 0);
    bool circle = hm_str_is(d->findings[i].rule, "row/supersession-cycle");
    assert_true(hm_str_is(d->findings[i].severity, circle ? "error" : "warn"));
    (*f)[n++] = d->findings[i];
  }
  hm_claims_free(claims);
  return n;
}

static const hm_finding *by_rule(const hm_finding *f, size_t n, const char *rule) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_is(f[i].rule, rule)) return &f[i];
  fail_msg("no finding of rule %s", rule);
  return NULL;
}

static void nothing_to_find(void **unused) {
  (void)unused;
  hm_row rows[] = { entity("e1"),
                    entity("e2"),
                    succeeded("e0", "e1"),
                    relation("r1", "e1", "entity:e2"),
                    relation("r2", "memory:m1", "e2"),
                    help_memory("m1", "knowledge", 1, "x"),
                    help_memory("m0", "knowledge", 1, "y") };
  rows[6].superseded_by = HM_STR("entity:e1");
  rows[6].status = HM_SUPERSEDED;
  hm_snapshot *s = help_snapshot(a, P, 2, rows, 7);
  hm_link links[] = { { HM_STR("memory:m1"), HM_STR("entity:e1"), HM_STR("refines") } };
  s->links = links;
  s->n_links = 1;
  hm_finding *f;
  assert_int_equal(found("orphan/", s, &f), 0);
  assert_int_equal(found("row/", s, &f), 0);
}

static void every_kind_of_orphan(void **unused) {
  (void)unused;
  hm_row rows[] = { entity("e1"),
                    succeeded("e0", "e9"),
                    relation("r1", "e7", "e1"),
                    relation("r2", "e1", "entity:e8"),
                    relation("r3", "e1", ""),
                    help_memory("m1", "knowledge", 1, "x") };
  hm_snapshot *s = help_snapshot(a, P, 2, rows, 6);
  s->rows[s->first[HM_MEMORY]].graduated_to = HM_STR("entity:e6");
  hm_link links[] = { { HM_STR("memory:m1"), HM_STR("memory:m2"), HM_STR("refines") },
                      { HM_STR("memory:m3"), HM_STR("entity:e1"), HM_STR("x") } };
  s->links = links;
  s->n_links = 2;
  hm_finding *f;
  size_t n = found("orphan/", s, &f);
  assert_int_equal(n, 7);
  const hm_finding *from = by_rule(f, n, "orphan/from");
  assert_true(hm_str_is(from->kind, "orphan"));
  assert_true(hm_str_is(from->project, "p05"));
  assert_true(hm_str_is(from->rows[0], "relation:r1"));
  assert_true(hm_str_is(from->message, "relation:r1: from names e7, which is not in the store"));
  assert_true(hm_str_is(from->actual, "e7"));
  assert_true(hm_str_is(by_rule(f, n, "orphan/superseded_by")->rows[0], "entity:e0"));
  assert_true(hm_str_is(by_rule(f, n, "orphan/graduated_to")->rows[0], "memory:m1"));
  assert_true(hm_str_is(by_rule(f, n, "orphan/link_src")->project, "p05"));
  assert_true(hm_str_is(by_rule(f, n, "orphan/link_dst")->actual, "memory:m2"));
}

static void candidates_are_left_alone(void **unused) {
  (void)unused;
  hm_row rows[] = { relation("r1", "e7", "e1"), relation("r2", "e7", "e1") };
  rows[0].status = HM_CANDIDATE;
  rows[1].status = HM_INVALID;
  hm_finding *f;
  assert_int_equal(found("orphan/", help_snapshot(a, P, 2, rows, 2), &f), 0);
}

static void circles(void **unused) {
  (void)unused;
  hm_row rows[] = { succeeded("a", "b"), succeeded("b", "c"),     succeeded("c", "b"),
                    succeeded("d", "d"), succeeded("e", "a"),     succeeded("f", "g"),
                    entity("g"),         succeeded("h", "nobody") };
  hm_finding *f;
  size_t n = found("row/", help_snapshot(a, P, 2, rows, 8), &f);
  assert_int_equal(n, 2);
  for (size_t i = 0; i < n; i++) {
    assert_true(hm_str_is(f[i].kind, "ontology_violation"));
    assert_true(hm_str_is(f[i].rule, "row/supersession-cycle"));
  }
  const hm_finding *self = f[0].n_rows == 1 ? &f[0] : &f[1], *two = self == f ? &f[1] : &f[0];
  assert_true(hm_str_is(self->message, "entity:d is superseded by itself"));
  assert_int_equal(two->n_rows, 2);
  assert_true(hm_str_is(two->rows[0], "entity:b"));
  assert_true(hm_str_is(two->rows[1], "entity:c"));
}

/* Circles and chains of any length, in linear time. */
static void long_circles(void **unused) {
  (void)unused;
  enum { N = 200000 };
  hm_row *rows = hm_alloc_array(a, N, sizeof *rows);
  char (*ids)[16] = hm_alloc_array(a, N + 1, sizeof *ids);
  for (int i = 0; i <= N; i++) snprintf(ids[i], sizeof *ids, "e%06d", i);
  for (int i = 0; i < N; i++) rows[i] = succeeded(ids[i], ids[i + 1]);
  hm_finding *f;
  assert_int_equal(found("row/", help_snapshot(a, P, 2, rows, N), &f), 0);
  rows[N - 1].superseded_by = hm_str_c(ids[N / 2]);
  assert_int_equal(found("row/", help_snapshot(a, P, 2, rows, N), &f), 1);
  assert_true(hm_str_is(f[0].actual, "a circle of 100000"));
  assert_int_equal(f[0].n_rows, 100);
}

/* Ids are bytes: one with a NUL in it is told whole. */
static void ids_are_bytes(void **unused) {
  (void)unused;
  hm_row rows[] = { relation("r1", "e7", "e1"), entity("e1") };
  rows[0].from = (hm_str){ "x\0y", 3 };
  hm_finding *f;
  assert_int_equal(found("orphan/", help_snapshot(a, P, 2, rows, 2), &f), 1);
  hm_str want = { "relation:r1: from names x\0y, which is not in the store", 54 };
  assert_true(hm_str_eq(f[0].message, want));
}

#define IN_ARENA(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    IN_ARENA(nothing_to_find), IN_ARENA(every_kind_of_orphan), IN_ARENA(candidates_are_left_alone),
    IN_ARENA(circles), IN_ARENA(long_circles), IN_ARENA(ids_are_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
