/* What is not known, and who says so. */
#include "tests/unit/core_claim_help.h"
#include "core/claim/silence.h"

static hm_arena *A;

static hm_row says(hm_layer layer, const char *id, const char *name, const char *value) {
  if (layer == HM_STATE) return help_row(layer, id, "fact", name, value);
  if (layer == HM_MEMORY)
    return help_row(layer, id, "knowledge", "", hm_str_fmt(A, "%s is %s", name, value).p);
  return help_row(layer, id, "Parameter", name, hm_str_fmt(A, "{\"value\":\"%s\"}", value).p);
}

static bool not_hidden(void *ctx, const hm_claim *c) { return !((const bool *)ctx)[c->row]; }

/* The messages, a line each. */
static const char *gaps_of(hm_row *rows, size_t n, const char *hidden) {
  hm_snapshot s = help_snapshot(A, rows, n);
  hm_claims *c = help_claims(&s, 1);
  bool *of_row = hm_alloc_array(A, n, sizeof *of_row);
  for (size_t i = 0; i < n; i++) of_row[i] = hidden && hm_str_is(rows[i].id, hidden);
  hm_gap *gaps;
  size_t found;
  hm_gaps_collect(&s, c, hidden ? not_hidden : NULL, of_row, A, &gaps, &found);
  hm_buf b = { 0 };
  for (size_t i = 0; i < found; i++) {
    hm_finding f = hm_gap_finding(&s, &gaps[i], A);
    assert_true(hm_str_is(f.kind, "gap") && hm_str_is(f.severity, "info") &&
                f.n_rows == gaps[i].n && f.id.n == 13);
    hm_buf_fmt(&b, "%.*s", HM_FMT(f.message));
    for (size_t k = 0; k < f.n_rows; k++) hm_buf_fmt(&b, " %.*s", HM_FMT(f.rows[k]));
    hm_buf_c(&b, "\n");
  }
  const char *out = hm_str_z(A, hm_buf_view(&b));
  hm_buf_free(&b);
  hm_claims_free(c);
  return out;
}
#define GAPS(hidden, ...)                                                                          \
  gaps_of((hm_row[]){ __VA_ARGS__ }, sizeof(hm_row[]){ __VA_ARGS__ } / sizeof(hm_row), hidden)

static void one_a_slot(void **state) {
  (void)state;
  assert_string_equal(GAPS(NULL, says(HM_STATE, "s1", "spindle speed", "TBD")),
                      "p / spindle_speed: not known yet, says the state project_state:s1\n");
  assert_string_equal(
      GAPS(NULL, says(HM_STATE, "s1", "speed", "TBD"), says(HM_ENTITY, "e1", "speed", "?"),
           says(HM_ENTITY, "e2", "Speed", "n/a"), says(HM_MEMORY, "m1", "speed", "not known yet"),
           says(HM_STATE, "s2", "mass", "3 kg"), says(HM_MEMORY, "m2", "cost", "unknown.")),
      "p / cost: not known yet, says the memory memory:m2\n"
      "p / speed: not known yet, say the state, 2 entities and the memory project_state:s1 entity:e1 entity:e2 memory:m1\n");
  assert_string_equal(
      GAPS(NULL, says(HM_STATE, "s1", "speed", "open"), says(HM_STATE, "s2", "cost", "")), "");
}

static void none_where_a_row_knows(void **state) {
  (void)state;
  assert_string_equal(
      GAPS(NULL, says(HM_STATE, "s1", "speed", "TBD"), says(HM_MEMORY, "m1", "speed", "5 m/s")),
      "");
  hm_row candidate = says(HM_MEMORY, "m1", "speed", "5 m/s"), elsewhere = candidate,
         quiet = says(HM_STATE, "s2", "mass", "TBD");
  candidate.status = quiet.status = HM_CANDIDATE;
  elsewhere.project = 2;
  assert_string_equal(GAPS(NULL, says(HM_STATE, "s1", "speed", "TBD"), candidate, elsewhere, quiet),
                      "p / speed: not known yet, says the state project_state:s1\n");
  hm_row over = says(HM_MEMORY, "m1", "speed", "5 m/s"),
         quiet_then = says(HM_STATE, "s2", "mass", "TBD");
  over.valid_until = quiet_then.valid_until = HM_STR("2020");   /* now lies after every bound */
  assert_string_equal(GAPS(NULL, says(HM_STATE, "s1", "speed", "TBD"), over, quiet_then),
                      "p / speed: not known yet, says the state project_state:s1\n");
  hm_row own = help_row(HM_MEMORY, "m2", "preference", "", "prefers TBD workflow");
  own.scope = HM_STR("git");
  assert_string_equal(
      GAPS(NULL, own, help_row(HM_MEMORY, "m3", "preference", "", "prefers rebase workflow")),
      "p / preference: workflow (git): not known yet, says the memory memory:m2\n");
}

/* A row that is left out neither says that there is a gap, nor that there is none. */
static void what_is_hidden_is_not_there(void **state) {
  (void)state;
  assert_string_equal(
      GAPS("s1", says(HM_STATE, "s1", "speed", "TBD"), says(HM_STATE, "s2", "mass", "3")), "");
  assert_string_equal(
      GAPS("m1", says(HM_STATE, "s1", "speed", "TBD"), says(HM_MEMORY, "m1", "speed", "5 m/s")),
      "p / speed: not known yet, says the state project_state:s1\n");
}

/* Every slot against every other: the same, and in time. */
static void many(void **state) {
  (void)state;
  enum { N = 20000 };
  hm_row *rows = hm_alloc_array(A, N, sizeof *rows);
  for (size_t i = 0; i < N; i++)
    rows[i] = says(i % 2 ? HM_STATE : HM_MEMORY, hm_str_fmt(A, "r%zu", i).p,
                   hm_str_fmt(A, "part %zu mass", i % 7000).p, i % 3 ? "TBD" : "5");
  size_t want = 0;
  for (size_t slot = 0; slot < 7000; slot++) {
    bool known = false;
    for (size_t i = slot; i < N; i += 7000) known = known || i % 3 == 0;
    want += !known;
  }
  const char *all = gaps_of(rows, N, NULL);
  size_t lines = 0;
  for (const char *p = all; *p; p++) lines += *p == '\n';
  assert_int_equal(lines, want);
}

static int begin(void **state) { (void)state; A = hm_arena_new(); return 0; }
static int end(void **state) { (void)state; hm_arena_free(A); return 0; }

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(one_a_slot),
                                      cmocka_unit_test(none_where_a_row_knows),
                                      cmocka_unit_test(what_is_hidden_is_not_there),
                                      cmocka_unit_test(many) };
  return cmocka_run_group_tests(tests, begin, end);
}
