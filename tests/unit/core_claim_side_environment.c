/* Side environments, identities read as prose, and what then meets what. */
#include "core_claim_help.h"

#include <stdio.h>

#include "core/claim/side_environment.h"

static hm_arena *A;

static void test_many_words(void **state) {
  (void)state;
  char name[400];
  for (size_t n = 1; n < 80; n++) {
    size_t at = 0;
    for (size_t i = 0; i < n; i++) at += (size_t)sprintf(name + at, "%sw%zu", i ? "_" : "", i % 10);
    assert_int_equal(hm_side_environment(hm_str_c(name), HM_STR("x")).n, 0);
    strcpy(name + at, "_staging");
    assert_int_equal(hm_side_environment(hm_str_c(name), HM_STR("x")).n > 0, n < 24);
  }
}

static void test_side_environments(void **state) {
  (void)state;
  static const struct { const char *qualifier, *slot, *side; } cases[] = {
    { "staging", "pool_size", "staging" },
    { "staging_cluster", "pool_size", "staging" },
    { "load_test", "pool_size", "load_test" },
    { "load_test_environment", "pool_size", "load_test" },
    { "test_environment", "pool_size", "test" },
    { "test_set", "accuracy", "test_set" },
    { "local", "port", "local" },
    { "local_development", "port", "local_development" },
    { "local_machine", "port", "local" },
    { "development", "port", "development" },
    { "non_production", "port", "non_production" },
    { "pre_production", "port", "pre_production" },
    { "staging_admin", "session_timeout", "staging_admin" },
    { "canary", "port", "canary" }, { "ci", "port", "ci" }, { "debug_build", "port", "debug" },
    { "demo", "port", "demo" }, { "dev", "port", "dev" }, { "e2e", "port", "e2e" },
    { "emulator", "port", "emulator" }, { "mock_server", "port", "mock" },
    { "playground", "port", "playground" }, { "preprod", "port", "preprod" },
    { "preview_deployment", "port", "preview" }, { "qa", "port", "qa" },
    { "sandbox", "port", "sandbox" }, { "simulator", "port", "simulator" },
    { "testing", "port", "testing" }, { "uat", "port", "uat" },
    { "localhost", "port", "localhost" },
    { "nonprod", "port", "nonprod" }, { "nonproduction", "port", "nonproduction" },
    { "preproduction", "port", "preproduction" },
    { "non_prod", "port", "non_prod" }, { "pre_prod", "port", "pre_prod" },
    { "stg", "port", "stg" }, { "nightly_build", "port", "nightly" },
    { "staging_and_production", "pool_size", "" },
    { "non_staging_environments", "pool_size", "" },
    { "all_test_environments", "pool_size", "" },
    { "integration_testing", "test_runner", "" },
    { "local_development", "local_development_port", "" },
    { "", "pool_size", "" },
    { "production", "pool_size", "" },
    { "live", "pool_size", "" },
    { "per_ip", "rate", "" },
    { "per_test", "timeout", "" },
    { "each_test", "timeout", "" },
    { "free_plan", "seats", "" },
    { "local_time", "start", "" },
    { "software_development", "tool", "" },
    { "cluster", "nodes", "" },
    { "environment", "nodes", "" },
    { "stage", "temperature", "" },
    { "contest", "prize", "" },
    { "unit_test", "test_framework", "" },   /* the tool for tests */
    { "staging", "staging_url", "" },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_str got = hm_side_environment(hm_str_c(cases[i].qualifier), hm_str_c(cases[i].slot));
    if (!hm_str_is(got, cases[i].side))
      fail_msg("%s: '%.*s', not '%s'", cases[i].qualifier, HM_FMT(got), cases[i].side);
  }
}

/* --- rows ---------------------------------------------------------------------------------- */

/* Do any two claims of the two rows, which both claim, disagree? */
static bool disagree(hm_row x, hm_row y) {
  bool both, yes = help_disagreements(A, x, y, &both) > 0;
  assert_true(both);
  return yes;
}

static void test_what_meets(void **state) {
  (void)state;
  hm_row pool = help_state("pool size", "20"), staging = help_state("staging pool size", "20");
  /* a side environment meets only itself */
  assert_false(disagree(pool, help_text("In staging, the pool size is 50.")));
  assert_false(disagree(pool, help_text("The pool size is 50 in the sandbox.")));
  assert_false(disagree(pool, help_text("In the load test environment, the pool size is 50.")));
  assert_false(disagree(pool, help_text("The pool size is 50 in CI.")));
  assert_false(disagree(help_text("The pool size is 20."),
                        help_text("In the demo environment, the pool size is 50.")));
  assert_false(disagree(help_text("The pool size is 20 in staging."),
                        help_text("In production, the pool size is 50.")));
  assert_false(disagree(help_text("The pool size is 20 in staging."),
                        help_text("In the sandbox, the pool size is 50.")));
  assert_true(disagree(help_text("The pool size is 20 in staging."),
                       help_text("In the staging environment, the pool size is 50.")));
  assert_true(disagree(staging, help_text("In staging, the pool size is 50.")));
  assert_false(disagree(staging, help_text("In staging, the pool size is 20.")));
  assert_false(disagree(staging, help_text("The pool size is 50.")));
  assert_false(disagree(staging, help_text("In production, the pool size is 50.")));
  hm_row both = help_text("The pool size is 20 in production and 50 in staging.");
  assert_true(disagree(both, help_state("pool_size", "30")));
  assert_false(disagree(both, pool));
  assert_true(disagree(both, staging));
  assert_false(disagree(both, help_state("staging_pool_size", "50")));
  /* what people use meets what is said without a place */
  assert_true(disagree(pool, help_text("In production, the pool size is 50.")));
  assert_true(disagree(help_text("The pool size is 20."),
                       help_text("In production, the pool size is 50.")));
  assert_true(disagree(help_text("The pool size is 20 in production."),
                       help_text("In the production environment, the pool size is 50.")));
}

/* Does the text claim nothing? */
static bool is_silent(const char *text) {
  hm_row row = help_text(text);
  hm_snapshot s = help_snapshot(A, &row, 1);
  hm_claims *c = help_claims(&s, 1);
  bool silent = !c->n;
  hm_claims_free(c);
  return silent;
}

/* Behind a stop it limits the statement all the same. */
static void test_behind_a_stop(void **state) {
  (void)state;
  static const char *const limited[] = {
    "The pool size is 50, in staging.",           "The pool size is 50 - staging only.",
    "The pool size is 50 (in staging).",          "The pool size is 50, but only in staging.",
    "The pool size is 50, at least in staging.",  "The pool size is 50, except for reports.",
    "The pool size is 50 but only for reports.",  "The pool size is 50 (proposed).",
  };
  for (size_t i = 0; i < HM_COUNT(limited); i++) assert_true(is_silent(limited[i]));
  static const char *const plain[] = {
    "The pool size is 50, in line with our policy.", "The pool size is 50 (see the wiki).",
    "The pool size is 50, which is fine.",           "The pool size is 50, in production.",
    "In staging and production, the pool size is 50.",
  };
  hm_row pool = help_state("pool size", "20");
  for (size_t i = 0; i < HM_COUNT(plain); i++) assert_true(disagree(pool, help_text(plain[i])));
  assert_false(disagree(pool, help_text("The pool size (staging) is 50.")));
  assert_false(disagree(pool, help_text("The pool size is 50 in the proposal.")));
}

/* An identity says who holds what, too. */
static hm_row identity(const char *text, const char *scope) {
  hm_row r = help_row(HM_MEMORY, "m", "identity", "", text);
  r.scope = hm_str_c(scope);
  return r;
}

static void test_identities(void **state) {
  (void)state;
  hm_row owner = help_state("billing_owner", "Rosa Lind");
  assert_true(disagree(owner, identity("The owner of billing is Tom Hale.", "")));
  assert_true(disagree(help_text("The owner of billing is Rosa Lind."),
                       identity("The owner of billing is Tom Hale.", "")));
  assert_false(disagree(owner, identity("The owner of billing is Rosa Lind.", "")));
  assert_false(disagree(owner, identity("The owner of shipping is Tom Hale.", "")));
  /* its own grammar comes first, in a space of its own */
  assert_false(disagree(help_state("role", "cook"), identity("role: welder", "")));
  assert_true(disagree(identity("role: cook", ""), identity("role: welder", "")));
  /* the users of two scopes are two */
  assert_true(disagree(identity("The user lives in Berlin.", "ann"),
                       identity("The user lives in Lyon.", "ann")));
  assert_false(disagree(identity("The user lives in Berlin.", "ann"),
                        identity("The user lives in Lyon.", "bob")));
  assert_false(disagree(identity("Native language is German.", "ann"),
                        identity("Native language is French.", "bob")));
  assert_true(disagree(identity("Native language is German.", "ann"),
                       identity("Native language is French.", "ann")));
  assert_true(disagree(identity("The user lives in Berlin.", ""),
                       identity("The user lives in Lyon.", "")));
}

/* One of several values, names with initials, and limits that a value keeps. */
static void test_look_alikes(void **state) {
  (void)state;
  hm_row timeout = help_state("api_timeout", "30 s");
  hm_row owner = help_state("search_owner", "D. Reyes");
  assert_false(
      disagree(timeout, help_text("The API timeout is 30 s by default and 60 s for uploads.")));
  assert_true(disagree(timeout, help_text("The API timeout is 60 s for uploads.")));
  assert_false(disagree(owner, help_text("Search is owned by D. Reyes.")));
  assert_true(disagree(owner, help_text("Search is owned by D. Stone.")));
  hm_row limit = help_state("frame_mass", "at most 12 kg");
  hm_row upload = help_state("upload_limit", "at most 12 MB");
  assert_false(disagree(limit, help_text("The frame mass is 10 kg.")));
  assert_false(disagree(limit, help_text("The frame mass is 12 kg.")));
  assert_true(disagree(limit, help_text("The frame mass is 15 kg.")));
  assert_true(disagree(limit, help_text("The frame mass is 10 m.")));
  assert_true(disagree(help_state("frame_mass", "< 12 kg"), help_text("The frame mass is 12 kg.")));
  assert_true(disagree(upload, help_text("The upload limit is 10 MB.")));
}

static int setup(void **state) { (void)state; A = hm_arena_new(); return 0; }
static int teardown(void **state) { (void)state; hm_arena_free(A); return 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_many_words), cmocka_unit_test(test_side_environments),
    cmocka_unit_test(test_what_meets), cmocka_unit_test(test_identities),
    cmocka_unit_test(test_behind_a_stop), cmocka_unit_test(test_look_alikes),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
