/* The table of rules: each is sound and finds something; its answer depends on no number of threads;
 * what it did not declare it cannot read. Generated from the table, and from rules of this test. */
#include "tests/unit/core_detect_rules_help.h"

/* --- the table ------------------------------------------------------------------------- */

static void rules_say_what_they_are(void **unused) {
  (void)unused;
  const hm_rule *r;
  size_t worlds = 0;
  for (size_t i = 0; i < hm_config_rule_table(NULL)->n; i++) {
    r = nth_rule(i);
    assert_true(r->name && r->version > 0 && r->kind && r->find && strlen(r->says) > 10);
    assert_ptr_equal(hm_rule_named(hm_config_rule_table(NULL), hm_str_c(r->name)), r);
    assert_true(r->layers != 0);
    assert_int_equal(r->by == HM_BY_WORLD, r->world != NULL);
    assert_int_equal(r->by == HM_BY_TIES, r->types != NULL);
    assert_true(!r->explain || r->yields == HM_YIELDS_CONFLICT);
    assert_true(r->yields == HM_YIELDS_FINDING || r->columns & HM_COL_CREATED);
    if (r->world) assert_true(strlen(r->world) > 20);
    worlds += r->world != NULL;
  }
  assert_true(worlds <= 7); /* two of them read what people say of rows */
}

/* --- what they find ------------------------------------------------------------------------ */

static bool answers_equal(const look *at, const hm_rule *rule, int threads, hm_arena *a,
                          size_t *told) {
  lines *one = hm_alloc(a, sizeof *one), *many = hm_alloc(a, sizeof *many);
  answer(at, rule, 1, one, a);
  answer(at, rule, threads, many, a);
  *told += one->n;
  bool same = one->n == many->n;
  for (size_t i = 0; same && i < one->n; i++) same = hm_str_eq(one->v[i], many->v[i]);
  return same;
}

static void a_rule_finds_the_same_on_any_number_of_threads(void **unused) {
  (void)unused;
  for (size_t i = 0; nth_rule(i); i++) {
    const hm_rule *rule = nth_rule(i);
    size_t told = 0;
    rng = 1 + i;
    for (int k = 0; k < ROUNDS; k++) {
      hm_arena *a = hm_arena_new();
      facts f = { .unclear = roll(2),
                  .flagged = rule->find == hm_find_flagged && roll(2),
                  .lives = rule->reads_lives || rule->ends_of,
                  .rule = rule };
      do theme = roll(HM_COUNT(THEMES));
      while (rule->gap && strcasecmp(rule->types[0], THEMES[theme].type) != 0);
      for (size_t row = 0; row < 4 * OF_A_LAYER; row++) write_row(&f, row);
      write_links(&f);
      look at = look_at(&f, a);
      if (!answers_equal(&at, rule, 2 + k % 3, a, &told)) fail_msg("%s: round %d", rule->name, k);
      hm_claims_free(at.claims);
      hm_arena_free(a);
    }
    bool rare = rule->find == hm_find_left_out;   /* see core_detect_big.c */
    if (told < ROUNDS / 60 && !rare) fail_msg("%s: found only %zu things", rule->name, told);
  }
}

/* --- rules that read what they did not declare -------------------------------------------- */

/* Reads the row beside its own. */
static void find_beside(const hm_scope *s, hm_found *out) {
  uint32_t other = s->rows[0] ? s->rows[0] - 1 : 1;
  if (other < s->snap->n_rows && s->snap->rows[other].status == HM_ACTIVE) tell(s, out, HM_EMPTY);
}

static void find_text(const hm_scope *s, hm_found *out) {
  if (s->snap->rows[s->rows[0]].text.n > 1) tell(s, out, HM_EMPTY);
}

static void find_other_claims(const hm_scope *s, hm_found *out) {
  const hm_claim *c = s->slot->items[0].claim;
  for (int i = 1; i < 40; i++)   /* the nearest first: beyond the array lies anything */
    if (c[i].project == 2 || c[-i].project == 2) tell(s, out, HM_EMPTY);
}

static void find_other_life(const hm_scope *s, hm_found *out) {
  uint32_t first = (uint32_t)s->snap->first[HM_ENTITY];
  for (uint32_t i = first; i < s->snap->first[HM_ENTITY + 1]; i++)
    if (i != s->rows[0] && hm_existence_find(s->lives, i)) tell(s, out, HM_EMPTY);
}

#define PEEK .version = 1, .kind = "peek", .says = "", .layers = HM_IN_ROWS
static const hm_rule PEEKS[] = {
  { .name = "peek/row", PEEK, .by = HM_BY_ROW, .find = find_beside },
  { .name = "peek/column", PEEK, .by = HM_BY_ROW, .columns = HM_COL_NAME, .find = find_text },
  { .name = "peek/card", PEEK, .by = HM_BY_REF, .columns = HM_COL_FROM, .find = find_beside },
  { .name = "peek/claims", PEEK, .by = HM_BY_SLOT, .find = find_other_claims },
  { .name = "peek/component",
    PEEK,
    .by = HM_BY_COMPONENT,
    .columns = HM_COL_SUPERSEDED_BY,
    .find = find_text },
  { .name = "peek/lives", PEEK, .by = HM_BY_ROW, .reads_lives = true, .find = find_other_life },
};

/* What a child of the process ends with that runs the rule. The store is made before: only the rule
 * can end the child. */
static int run_in_child(const hm_rule *rule) {
  hm_arena *a = hm_arena_new();
  facts f = { .lives = rule->reads_lives || rule->ends_of, .rule = rule };
  lines *out = hm_alloc(a, sizeof *out);
  rng = 6; /* with a contested slot */
  for (size_t k = 0; k < 4 * OF_A_LAYER; k++) write_row(&f, k);
  look l = look_at(&f, a);
  pid_t child = fork();
  if (!child) {
    int quiet = open("/dev/null", O_WRONLY);
    dup2(quiet, 2);
    answer(&l, rule, 1, out, a);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  hm_claims_free(l.claims);
  hm_arena_free(a);
  return status;
}

static void an_undeclared_read_ends_the_program(void **unused) {
  (void)unused;
#ifndef __SANITIZE_ADDRESS__
  skip();
#endif
  for (size_t i = 0; i < sizeof PEEKS / sizeof *PEEKS; i++)
    if (!run_in_child(&PEEKS[i])) fail_msg("%s was not stopped", PEEKS[i].name);
  for (size_t i = 0; nth_rule(i); i++)
    if (run_in_child(nth_rule(i))) fail_msg("%s reads what it did not declare", nth_rule(i)->name);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(rules_say_what_they_are),
    cmocka_unit_test(a_rule_finds_the_same_on_any_number_of_threads),
    cmocka_unit_test(an_undeclared_read_ends_the_program),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
