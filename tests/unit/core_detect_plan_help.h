/* Rows looked at again and again, with what was recorded before, for the tests of the plan. */
#ifndef CORE_DETECT_PLAN_HELP_H
#define CORE_DETECT_PLAN_HELP_H
#include "tests/unit/core_detect_help.h"

#include "core/base/digest.h"
#include "core/base/time.h"
#include "tests/unit/core_base_prng.h"

static const char *const P[] = { "", "p05" };
static hm_arena *a;
__attribute__((unused))
static int begin(void **unused) { (void)unused; a = hm_arena_new(); return 0; }
__attribute__((unused)) static int end(void **unused) { (void)unused; hm_arena_free(a); return 0; }

__attribute__((unused)) static hm_row says(const char *id, const char *key, const char *value) {
  return help_state(id, "fact", 1, key, value);
}

/* Rows beside conflicts, as a second sweep would find them. */
__attribute__((unused))
static help_look look(const hm_row *rows, size_t n, const help_look *before) {
  help_look l = { .snap = help_snapshot(a, P, 2, rows, n) };
  assert_int_equal(hm_claims_read(l.snap, hm_rules_default(), 1, &l.claims, NULL), 0);
  assert_int_equal(hm_disputes_find(l.snap, l.claims, hm_rules_default(), 1, a, &l.disputes, NULL),
                   0);
  if (before) {
    l.snap->conflicts = before->plan->conflicts;
    l.snap->n_conflicts = before->plan->n_conflicts;
  }
  help_replan(&l, a);
  return l;
}
#define LOOK(rows, before) look((rows), sizeof(rows) / sizeof *(rows), (before))

/* Settles the open conflict. */
__attribute__((unused))
static hm_conflict_rec *settle(help_look *l, hm_verdict verdict, const char *action) {
  for (size_t i = 0; i < l->plan->n_conflicts; i++) {
    hm_conflict_rec *c = &l->plan->conflicts[i];
    if (c->status != HM_OPEN) continue;
    c->status = verdict;
    c->action = hm_str_c(action);
    return c;
  }
  fail_msg("nothing is open");
  return NULL;
}

__attribute__((unused)) static size_t count_open(const help_look *l) {
  size_t n = 0;
  for (size_t i = 0; i < l->plan->n_conflicts; i++) n += l->plan->conflicts[i].status == HM_OPEN;
  return n;
}

__attribute__((unused))
static void expect(help_look *l, size_t opened, size_t updated, size_t quiet, size_t conflicts) {
  assert_int_equal(l->plan->opened, opened);
  assert_int_equal(l->plan->updated, updated);
  assert_int_equal(l->plan->n, opened + updated);
  assert_int_equal(l->plan->quiet, quiet);
  assert_int_equal(l->plan->n_conflicts, conflicts);
  for (size_t i = 1; i < conflicts; i++) {
    const hm_conflict_rec *x = &l->plan->conflicts[i - 1], *y = &l->plan->conflicts[i];
    int d = hm_str_cmp(x->slot_key, y->slot_key);
    assert_true(d < 0 || (d == 0 && hm_str_cmp(x->id, y->id) < 0));
  }
}

__attribute__((unused))
static hm_str id_by_design(const char *key, const char *anchor, const char *verdicts) {
  hm_str text = hm_str_fmt(a, "slot\x1f%s\x1f%s\x1f%s", key, anchor, verdicts);
  return hm_str_fmt(a, "c%s", hm_str_z(a, hm_str_digest_hex(a, text, 12)));
}

__attribute__((unused))
static hm_row in_time(const char *id, const char *key, const char *value, const char *from,
                      const char *until) {
  hm_row r = says(id, key, value);
  r.valid_from = hm_str_c(from);
  r.valid_until = hm_str_c(until);
  return r;
}

#define IN_ARENA(f) cmocka_unit_test_setup_teardown(f, begin, end)

#endif
