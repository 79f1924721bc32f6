/* Writes that are stored together: each is kept or undone alone, they share one find, and each is told what concerns
 * its row. */
#include "core/record/journal.h"
#include "tests/unit/core_review_help.h"

typedef struct {
  hm_shared_find *find;
  hm_review r[4];
  hm_written out[4];
  int rc[4];
  hm_err err[4];
} together;

static void begin_batch(world *w, together *t) {
  memset(t, 0, sizeof *t);
  ok(w, hm_store_begin_batch(w->s, &w->err));
  t->find = hm_shared_find_new(w->s, NULL);
}

static void put(world *w, together *t, int i, const char *by, hm_layer layer, const char *record) {
  t->r[i] = review();
  t->r[i].who.by = hm_str_c(by);
  t->r[i].shared = t->find;
  t->rc[i] = hm_review_add(w->s, &t->r[i], layer, json(w, record), w->a, &t->out[i], &t->err[i]);
}

static void end_batch(world *w, together *t) {
  ok(w, hm_shared_find_end(t->find, &w->err));
  ok(w, hm_store_end_batch(w->s, true, &w->err));
  hm_shared_find_finish(t->find);
}

#define STATE(id, key, value) "{\"project\":\"p\",\"key\":\"" key "\",\"value\":\"" value "\",\"id\":\"" id "\"}"

static void what_fails_fails_alone(void **state) {
  world *w = *state;
  together t;
  create(w);
  begin_batch(w, &t);
  put(w, &t, 0, "ann", HM_STATE, STATE("s1", "speed", "45 rpm"));
  put(w, &t, 1, "bob", HM_STATE, STATE("s1", "speed", "50 rpm")); /* the id is taken */
  put(w, &t, 2, "cid", HM_STATE, STATE("s2", "colour", "red"));
  end_batch(w, &t);
  assert_int_equal(t.rc[0] | t.rc[2], 0);
  assert_int_equal(t.rc[1], -1);
  assert_int_equal(t.err[1].code, HM_E_STATE);
  assert_str(t.out[2].ref, "project_state:s2");
  assert_string_equal(ask(w, "SELECT group_concat(id || ' ' || value) FROM project_state"), "s1 45 rpm,s2 red");
  assert_string_equal(ask(w, "SELECT group_concat(actor || ' ' || verb) FROM journal WHERE ref LIKE 'project_state:%'"),
                      "ann add,cid add");
  hm_shared_find_free(t.find, true);
  int64_t lines, bad;
  ok(w, hm_journal_verify(w->s, &lines, &bad, &w->err));
  assert_int_equal(bad, 0);
  expect_sweep_changes_nothing(w);
}

/* Two of them contradict each other, a third stands aside; who wrote the row is named in the journal. */
static void each_is_told_what_concerns_its_row(void **state) {
  world *w = *state;
  together t;
  create(w);
  begin_batch(w, &t);
  put(w, &t, 0, "ann", HM_STATE, STATE("s1", "speed", "45 rpm"));
  put(w, &t, 1, "bob", HM_STATE, STATE("s2", "speed", "50 rpm"));
  put(w, &t, 2, "cid", HM_STATE, STATE("s3", "colour", "red"));
  end_batch(w, &t);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(t.out[i].n_opened, 1);
    assert_int_equal(t.out[i].n_conflicts, 1);
    assert_true(hm_str_eq(t.out[i].opened[0], t.out[0].opened[0]));
  }
  assert_int_equal(t.out[2].n_opened + t.out[2].n_conflicts, 0);
  assert_string_equal(ask(w, "SELECT actor FROM journal WHERE verb = 'open'"), "bob");
  hm_shared_find_free(t.find, true);
  expect_sweep_changes_nothing(w);
}

/* What concerns no row of them any may have caused: all are told. */
static void what_concerns_no_row_is_told_to_all(void **state) {
  world *w = *state;
  together t;
  create(w);
  add(w, HM_ENTITY, "{\"id\":\"a\",\"entity_type\":\"Person\",\"name\":\"Ann\"}");
  add(w, HM_ENTITY, "{\"id\":\"b\",\"entity_type\":\"Person\",\"name\":\"Bea\"}");
  begin_batch(w, &t);
  put(w, &t, 0, "ann", HM_RELATION, "{\"id\":\"r\",\"from\":\"a\",\"type\":\"PARENT_OF\",\"to\":\"b\"}");
  put(w, &t, 1, "bob", HM_STATE, STATE("s1", "speed", "45 rpm"));
  end_batch(w, &t);
  assert_int_equal(t.rc[0] | t.rc[1], 0);
  assert_int_equal(t.out[0].n_vanished, 2);
  assert_int_equal(t.out[1].n_vanished, 2);
  hm_shared_find_free(t.find, true);
}

/* A find of its own, in the same batch, sees what came before it. */
static void what_decides_by_its_answer_sees_the_rest(void **state) {
  world *w = *state;
  together t;
  hm_review r = review();
  hm_written out;
  create(w);
  begin_batch(w, &t);
  put(w, &t, 0, "ann", HM_STATE, STATE("s1", "speed", "45 rpm"));
  ok(w, hm_shared_find_end(t.find, &w->err));
  ok(w, hm_review_add_by(w->s, &r, HM_STATE, json(w, STATE("s2", "speed", "50 rpm")), HM_POLICY_RAISE, w->a, &out,
                         &w->err));
  assert_string_equal(out.action, "rejected");
  r.dry_run = true;
  ok(w, hm_review_add(w->s, &r, HM_STATE, json(w, STATE("s3", "speed", "55 rpm")), w->a, &out, &w->err));
  assert_int_equal(out.n_opened, 1);
  ok(w, hm_store_end_batch(w->s, true, &w->err));
  hm_shared_find_free(t.find, true);
  assert_string_equal(ask(w, "SELECT group_concat(id) FROM project_state"), "s1");
  assert_string_equal(ask(w, "SELECT count(*) FROM conflicts"), "0");
  expect_sweep_changes_nothing(w);
}

static void a_batch_is_undone_whole(void **state) {
  world *w = *state;
  together t;
  create(w);
  begin_batch(w, &t);
  put(w, &t, 0, "ann", HM_STATE, STATE("s1", "speed", "45 rpm"));
  assert_int_equal(hm_store_end_batch(w->s, false, NULL), 0);
  hm_shared_find_free(t.find, true);
  assert_false(hm_store_in_txn(w->s));
  assert_string_equal(ask(w, "SELECT count(*) FROM project_state"), "0");
  assert_string_equal(add(w, HM_STATE, STATE("s1", "speed", "45 rpm")).action, "stored");
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(what_fails_fails_alone),
    T(each_is_told_what_concerns_its_row),
    T(what_concerns_no_row_is_told_to_all),
    T(what_decides_by_its_answer_sees_the_rest),
    T(a_batch_is_undone_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
