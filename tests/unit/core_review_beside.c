/* Writes that are found beside a held sweep: after each batch the recorded conflicts, and the answers about them, are
 * those of a sweep, however many writes came since the last one. Random writes over few slots. */
#include "tests/unit/core_review_agree_rows.h"
#include "tests/unit/core_base_thorough.h"

enum { TOGETHER = 3 };

typedef struct {
  play p;
  hm_held *held;
  hm_beside *beside;
  hm_shared_find *find;
  hm_review r[TOGETHER];
  hm_written out[TOGETHER];
  hm_err err[TOGETHER];
  bool written[TOGETHER];
  size_t pending, swept, undone, taken, late;
  hm_sweep later; /* of an earlier state, not recorded yet */
  hm_arena *later_a;
} game;

static int write_one(game *g, int i) {
  play *p = &g->p;
  world *w = p->w;
  hm_review *r = &g->r[i];
  hm_layer l = (hm_layer)PICK(p, "m", "m", "s", "s", "s", "e")[0];
  l = l == 'm' ? HM_MEMORY : l == 's' ? HM_STATE : HM_ENTITY;
  if (l == HM_ENTITY && roll(p, 2)) l = HM_STATE;
  *r = review_at(p);
  r->shared = g->find;
  unsigned what = roll(p, 20); /* 5, 6 and 7 change a row */
  const char *ref = any(p, l, "status IN ('active', 'candidate')");
  if (what < 5 || what > 7 || !*ref) {
    const char *record = l == HM_MEMORY ? memory(p) : l == HM_ENTITY ? entity(p) : state_record(p);
    return hm_review_add(w->s, r, l, json(w, record), w->a, &g->out[i], &g->err[i]);
  }
  char patch[300];
  if (what == 5) {
    ref = any(p, l, "status = 'candidate'");
    return hm_review_promote(w->s, r, hm_str_c(*ref ? ref : "memory:none"), w->a, &g->out[i], &g->err[i]);
  }
  if (what == 6)
    snprintf(patch, sizeof patch, "%s", PICK(p, "{\"status\":\"invalid\"}", "{\"project\":\"q\"}", "{\"project\":\"p\"}"));
  else if (l == HM_MEMORY)
    snprintf(patch, sizeof patch, "{\"content\":\"%s\"}", PICK(p, "frame mass is 5 kg", "role: pilot", "API timeout is 30 s", "x"));
  else if (l == HM_STATE)
    snprintf(patch, sizeof patch, "{\"value\":%s,\"valid_until\":%s}", value(p), PICK(p, "null", "null", "\"2026-02\""));
  else
    snprintf(patch, sizeof patch, "{\"name\":\"%s\"}", name(p));
  return hm_review_edit(w->s, r, hm_str_c(ref), json(w, patch), w->a, &g->out[i], &g->err[i]);
}

/* 0: nothing was written. */
static int write_batch(game *g) {
  world *w = g->p.w;
  int n = 0, want = 1 + (int)roll(&g->p, TOGETHER);
  bool keeps = roll(&g->p, 12) != 0;
  memset(g->err, 0, sizeof g->err);
  ok(w, hm_store_begin_batch(w->s, &w->err));
  g->find = hm_shared_find_new(w->s, g->beside);
  for (int i = 0; i < want; i++) {
    g->written[i] = !write_one(g, i);
    n += g->written[i];
    if (!g->written[i])
      assert_true(g->err[i].code == HM_E_STATE || g->err[i].code == HM_E_INPUT || g->err[i].code == HM_E_UNKNOWN);
  }
  ok(w, hm_shared_find_end(g->find, &w->err));
  bool pending = hm_shared_find_is_pending(g->find);
  ok(w, hm_store_end_batch(w->s, keeps, &w->err));
  for (int i = 0; i < want && keeps; i++)
    if (g->written[i]) assert_int_equal(g->out[i].pending, pending);
  hm_shared_find_free(g->find, keeps);
  g->undone += !keeps;
  g->pending += keeps && pending;
  g->swept += keeps && !pending;
  return keeps ? n : 0;
}

static void expect_conflicts_as_swept(game *g) {
  world *w = g->p.w;
  hm_sweep_options opt = { .rules = hm_rules_default(), .threads = 1, .details = true, .who.at = HM_EMPTY };
  hm_arena *a = hm_arena_new();
  hm_sweep whole;
  hm_swept holds;
  ok(w, hm_store_begin(w->s, false, &w->err));
  ok(w, hm_sweep_run_all(w->s, &opt, a, &whole, &w->err));
  ok(w, hm_swept_read(w->s, hm_sweep_decided(opt.rules, a), &holds, &w->err));
  assert_true(holds != HM_SWEPT_NOT);
  expect_answer(&g->p, &whole, NULL, NULL, a);
  hm_store_rollback(w->s);
  hm_sweep_free(&whole);
  hm_arena_free(a);
}

static void others_write(game *g) {
  play *p = &g->p;
  static const char *const statements[] = {
    "UPDATE project_state SET value = 'E' WHERE id = (SELECT min(id) FROM project_state)",
    "INSERT OR REPLACE INTO project_state (id, project, key, value) VALUES ('o1', 'p', 'material', 'F')",
    "DELETE FROM memories WHERE id = (SELECT max(id) FROM memories)",
    "UPDATE entities SET name = 'frame' WHERE id = 'e1'",
  };
  if (roll(p, 2)) gives_verdict(p);
  else sql(p->w, statements[roll(p, HM_COUNT(statements))]);
}

/* The sweep of a thread that runs beside the writers: it reads, writers go on, it is recorded. */
static void read_later(game *g) {
  world *w = g->p.w;
  hm_store *s;
  hm_sweep_options opt = { .rules = hm_rules_default(), .threads = 1, .details = true, .lets_go = true, .who = review().who };
  ok(w, hm_store_open(&s, w->path, HM_STORE_READ, 50, &w->err));
  s->dated = w->s->dated;
  s->epoch = w->s->epoch;
  g->later_a = hm_arena_new();
  ok(w, hm_sweep_run_all(s, &opt, g->later_a, &g->later, &w->err));
  assert_false(hm_store_in_txn(s));
  hm_store_close(s);
}

static void take_later(game *g) {
  world *w = g->p.w;
  bool taken;
  hm_sweep_options opt = { .rules = hm_rules_default(), .threads = 1, .details = true, .who = review().who };
  uint64_t read = g->later.version, now = 0;
  ok(w, hm_store_begin(w->s, false, &w->err));
  ok(w, hm_facts_version(w->s, &now, &w->err));
  hm_store_rollback(w->s);
  ok(w, hm_beside_take(g->beside, w->s, &g->later, g->later_a, &opt, &taken, &w->err));
  g->later_a = NULL;
  assert_true(taken || read != now);
  g->taken += taken;
  g->late += taken && read != now;
  if (taken && read == now) expect_answers_as_swept(&g->p);
}

/* A reader of the process takes the sweep of what is stored now. */
static void reader_asks(game *g) {
  world *w = g->p.w;
  hm_held_sweep *x;
  ok(w, hm_store_begin(w->s, false, &w->err));
  ok(w, hm_held_take(g->held, w->s, &x, &w->err));
  hm_held_return(g->held, x);
  hm_store_rollback(w->s);
}

static void run(world *w, uint64_t seed, int n, bool dated) {
  game g = { .p = { .w = w, .rng = seed } };
  begin_run(w);
  w->s->dated = dated;
  hm_time_parse(HM_STR("2026-07-01T00:00:00Z"), &w->s->epoch, &(hm_precision){ 0 });
  g.held = hm_held_new(hm_rules_default());
  g.beside = hm_beside_new(g.held, hm_rules_default(), 0);
  for (int i = 0; i < n; i++) {
    hm_arena_reset(w->a);
    if (!roll(&g.p, 25)) others_write(&g);
    if (!roll(&g.p, 4)) reader_asks(&g);
    if (g.later_a && !roll(&g.p, 2)) take_later(&g);
    if (!g.later_a && !roll(&g.p, 3)) read_later(&g);
    if (!write_batch(&g)) continue;
    if (!dated) continue;
    expect_agreement(&g.p, "1000000");
    expect_conflicts_as_swept(&g);
  }
  /* The sweep that follows makes it whole. */
  if (g.later_a) take_later(&g);
  read_later(&g);
  take_later(&g);
  expect_answers_as_swept(&g.p);
  expect_agreement(&g.p, "1000000");
  hm_beside_free(g.beside);
  hm_held_free(g.held);
  if (!thorough()) return;
  assert_true(g.pending > (size_t)n / 4);
  assert_true(g.swept > (size_t)n / 20 && g.undone > 5);
  assert_true(g.taken > (size_t)n / 40 && g.late > (size_t)n / 80);
}

static int steps(int n) { return thorough() ? n : n / 16; }
static void as_a_sweep(void **state) { run(*state, 3, steps(2000), true); }
static void as_a_sweep_too(void **state) { run(*state, 11, steps(2000), true); }
static void while_now_moves(void **state) { run(*state, 5, steps(1000), false); }

/* The first write of a process needs no sweep where a reader has one of what is recorded. */
static void beside_what_readers_hold(void **state) {
  world *w = *state;
  game g = { .p = { .w = w, .rng = 3 } };
  bool holds;
  begin_run(w);
  hm_sweep_options opt = { .rules = hm_rules_default(), .threads = 1, .record = true, .who = review().who };
  hm_sweep whole;
  ok(w, hm_sweep_run_all(w->s, &opt, w->a, &whole, &w->err));
  hm_sweep_free(&whole);
  g.held = hm_held_new(hm_rules_default());
  g.beside = hm_beside_new(g.held, hm_rules_default(), 0);
  for (int asked = 0; asked < 2; asked++) {
    ok(w, hm_store_begin(w->s, true, &w->err));
    ok(w, hm_beside_holds(g.beside, w->s, &holds, &w->err));
    hm_store_rollback(w->s);
    assert_int_equal(holds, asked);
    reader_asks(&g);
  }
  sql(w, "INSERT INTO project_state (id, project, key, value) VALUES ('o1', 'p', 'material', 'F')");
  reader_asks(&g);
  ok(w, hm_store_begin(w->s, true, &w->err));
  ok(w, hm_beside_holds(g.beside, w->s, &holds, &w->err));
  hm_store_rollback(w->s);
  assert_false(holds); /* nobody recorded what that changed */
  hm_beside_free(g.beside);
  hm_held_free(g.held);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = { T(as_a_sweep), T(as_a_sweep_too), T(while_now_moves), T(beside_what_readers_hold) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
