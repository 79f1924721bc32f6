/* Disputes against their definition, pair by pair, on random slots. */
#include "tests/unit/core_detect_help.h"

#include "core/base/par.h"
#include "tests/unit/core_base_prng.h"

enum { SLOTS = 3, CLAIMS_MAX = 150 };

typedef struct {
  hm_arena *a;
  hm_units *units;
  uint64_t rng;
  size_t offset, variety;   /* which values come */
  hm_snapshot *snap;
  hm_claim *claims; size_t n;
  const hm_rules *rules;
} world;

static const char *const POOL[] = { "PEEK", "GF-PTFE", "peek", "30 s", "30000 ms", "31 s", "0.5 min", "4.8 kg", "4.82 kg", "4820 g",
                                    "5 kg", "2026", "2026-04", "2026-04-02", "2026-05", "1", "1.0", "1.05", "1.1", "1.2", "1.3",
                                    "true", "false", "1.0000000000001 s", "1.0000000000002 s", "1000.0000000001 ms", "1000 ms",
                                    "50 %", "0.5", "a", "b", "c" };
static const char *const SETS[] = { "[\"a\"]", "[\"a\",\"b\"]", "[\"b\",\"A\"]", "[\"a\",\"c\"]", "[\"a\",\"b\",\"c\"]", "[1]" };
static const char *const TYPES[] = { "decision", "parameter", "result" };

static uint64_t below(world *w, uint64_t n) { return prng(&w->rng) % n; }

static void random_value(world *w, hm_value *out) {
  size_t n = sizeof POOL / sizeof *POOL, m = sizeof SETS / sizeof *SETS;
  size_t at = (w->offset + below(w, w->variety)) % (n + m);
  if (at < n) {
    hm_value_of_text(out, hm_str_c(POOL[at]), false, w->units, w->a);
    return;
  }
  hm_json *v;
  bool unreadable = false;
  assert_int_equal(hm_json_parse(w->a, hm_str_c(SETS[at - n]), &v, NULL), 0);
  hm_value_of_json(out, v, false, NULL, w->units, w->a, &unreadable);
}

/* Some are certain at no time. */
static void random_window(world *w, hm_claim *c, unsigned open_of_8) {
  hm_time from = below(w, 8) < open_of_8 ? HM_TIME_MIN : (hm_time)below(w, 30);
  hm_time begin = from == HM_TIME_MIN ? 0 : from;
  hm_time until = below(w, 8) < open_of_8 ? HM_TIME_MAX : begin + 1 + (hm_time)below(w, 9);
  bool empty = below(w, 16) == 0;
  c->when.from = empty ? HM_TIME_MAX : from;
  c->when.until = empty ? HM_TIME_MIN : until;
  c->stands = below(w, 4) ? (hm_time)below(w, 12) : HM_TIME_MIN;
}

static hm_str compare_of(world *w, hm_layer layer) {
  const char *type = TYPES[below(w, 3)];
  if (layer == HM_MEMORY) return HM_EMPTY;
  if (layer == HM_STATE && below(w, 2)) return below(w, 3) ? HM_STR("\x1f") : HM_STR("\x1f" "fact");
  if (layer == HM_STATE) return hm_str_fmt(w->a, "%s\x1f", type);
  return hm_str_fmt(w->a, "%s\x1f%d", type, (int)below(w, 2));
}

/* Claims of several slots; in own, all are preferences. */
static void random_world(world *w, uint64_t seed) {
  hm_row rows[CLAIMS_MAX];
  w->rng = seed;
  w->a = hm_arena_new();
  size_t max = below(w, 3) ? 12 : CLAIMS_MAX;
  w->offset = below(w, 64);
  w->variety = 1 + below(w, below(w, 2) ? 4 : 50);
  w->n = 2 + below(w, max - 2);
  unsigned open = (unsigned)below(w, 9), layers = 1 + (unsigned)below(w, 7);
  bool own = below(w, 5) == 0;
  unsigned deniers = (unsigned)below(w, 4);
  w->claims = hm_alloc_array(w->a, w->n, sizeof *w->claims);
  for (size_t i = 0; i < w->n; i++) {
    hm_layer layer;
    do layer = own ? HM_MEMORY : (hm_layer)(1 + below(w, 3)); while (!own && !(layers >> (layer - 1) & 1));
    rows[i] = help_bare_row(layer, hm_str_fmt(w->a, "r%d", (int)below(w, 1000) * 1000 + (int)i));
    hm_claim *c = &w->claims[i];
    *c = (hm_claim){ .layer = layer, .memory_type = own ? HM_STR("preference") : HM_EMPTY, .field = HM_STR("value"),
                     .name = hm_str_fmt(w->a, "slot_%d", (int)below(w, SLOTS)), .compare = compare_of(w, layer) };
    random_window(w, c, open);
    random_value(w, &c->value);
    if (layer == HM_MEMORY && c->value.kind != HM_V_NONE && deniers && !below(w, deniers)) hm_value_deny(&c->value, w->a);
    help_hash(c);
  }
  const char *projects[] = { "p" };
  w->snap = help_snapshot(w->a, projects, 1, rows, w->n);
  for (size_t i = 0; i < w->n; i++) w->claims[i].row = hm_snapshot_row(w->snap, rows[i].layer, rows[i].id);
}

static int naive_order(const void *x, const void *y, void *ctx) {
  const hm_claim *a = *(const hm_claim *const *)x, *b = *(const hm_claim *const *)y;
  const hm_snapshot *s = ctx;
  if (a->layer != b->layer) return a->layer > b->layer ? -1 : 1;
  return hm_str_cmp(s->rows[a->row].id, s->rows[b->row].id);
}

static size_t slot_claims(const world *w, const char *name, const hm_claim **out) {
  size_t n = 0;
  for (size_t i = 0; i < w->n; i++)
    if (hm_str_is(w->claims[i].name, name)) out[n++] = &w->claims[i];
  qsort_r(out, n, sizeof *out, naive_order, w->snap);
  return n;
}

/* The definition, as design section 7 has it. */
typedef struct { hm_party parties[CLAIMS_MAX]; size_t n; hm_time since; const hm_claim *first[2]; } naive;

static void naive_parties(naive *out, const hm_claim **c, size_t n, const hm_rules *rules) {
  bool fights[CLAIMS_MAX] = { false };
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) fights[i] |= i != j && hm_claim_disagree(c[i], c[j], rules);
  out->n = 0;
  for (size_t i = 0; i < n; i++) {
    bool in = fights[i];
    for (size_t j = 0; j < n && !in; j++)
      in = i != j && fights[j] && hm_claim_comparable(c[i], c[j]) && hm_claim_overlap(c[i], c[j]);
    if (in) out->parties[out->n++] = (hm_party){ .claim = c[i], .disagrees = fights[i] };
  }
}

static void naive_flags(naive *out, const hm_rules *rules) {
  for (size_t i = 0; i < out->n; i++) {
    hm_party *p = &out->parties[i];
    hm_layer top = out->parties[0].claim->layer;
    for (size_t j = 0; j < out->n && !p->flagged; j++) {
      const hm_claim *q = out->parties[j].claim;
      if (p->claim->layer == top || q->layer != top || !hm_claim_disagree(p->claim, q, rules)) continue;
      p->flagged = true;
      p->against = q;
    }
  }
}

static hm_time later(const hm_claim *a, const hm_claim *b) { return a->stands > b->stands ? a->stands : b->stands; }

static void naive_since(naive *out, const hm_rules *rules) {
  out->since = HM_TIME_MAX;
  out->first[0] = NULL;
  bool known = false;
  for (size_t i = 0; i < out->n; i++)
    for (size_t j = i + 1; j < out->n; j++) {
      const hm_claim *a = out->parties[i].claim, *b = out->parties[j].claim;
      if (!hm_claim_disagree(a, b, rules)) continue;
      bool both = a->stands != HM_TIME_MIN && b->stands != HM_TIME_MIN;
      if (!out->first[0]) out->first[0] = a, out->first[1] = b;
      if (!both || (known && later(a, b) >= out->since)) continue;
      known = true;
      out->since = later(a, b);
    }
  if (!known) out->since = HM_TIME_MIN;
}

static void check_slot(const world *w, const hm_disputes *d, const char *name, size_t *disputes) {
  const hm_claim *c[CLAIMS_MAX];
  naive want;
  size_t n = slot_claims(w, name, c);
  hm_str key = n ? hm_claim_slot_key(w->a, w->snap, c[0]) : HM_STR("nothing");
  const hm_dispute *got = hm_disputes_find(d, key);
  naive_parties(&want, c, n, w->rules);
  if (!want.n) {
    assert_null(got);
    return;
  }
  (*disputes)++;
  assert_non_null(got);
  naive_flags(&want, w->rules);
  naive_since(&want, w->rules);
  assert_int_equal(got->n, want.n);
  for (size_t i = 0; i < want.n; i++) {
    assert_ptr_equal(got->parties[i].claim, want.parties[i].claim);
    assert_int_equal(got->parties[i].disagrees, want.parties[i].disagrees);
    assert_int_equal(got->parties[i].flagged, want.parties[i].flagged);
    assert_ptr_equal(got->parties[i].against, want.parties[i].against);
  }
  assert_true(got->since == want.since);
  assert_true(hm_claim_disagree(got->first[0], got->first[1], w->rules));
  if (want.since == HM_TIME_MIN) {
    assert_ptr_equal(got->first[0], want.first[0]);
    assert_ptr_equal(got->first[1], want.first[1]);
  } else {
    assert_true(later(got->first[0], got->first[1]) == want.since);
  }
}

static void as_defined(const hm_rules *rules, uint64_t seeds, size_t at_least) {
  size_t disputes = 0;
  hm_units *units = hm_units_new();
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    world w = { .units = units, .rules = rules };
    random_world(&w, seed);
    hm_disputes *d, *again;
    hm_claims claims = { .claims = w.claims, .n = w.n };
    assert_int_equal(hm_disputes_of(w.snap, &claims, rules, 1, w.a, &d, NULL), 0);
    check_slot(&w, d, "slot_0", &disputes);
    check_slot(&w, d, "slot_1", &disputes);
    check_slot(&w, d, "slot_2", &disputes);
    assert_int_equal(hm_disputes_of(w.snap, &claims, rules, 8, w.a, &again, NULL), 0);
    assert_int_equal(again->n, d->n);
    hm_arena_free(w.a);
  }
  hm_units_free(units);
  assert_true(disputes > at_least);
}

static void disputes_are_as_defined(void **unused) {
  (void)unused;
  as_defined(hm_rules_default(), 4000, 4000);
}

static void disputes_are_as_defined_under_tolerances(void **unused) {
  (void)unused;
  static const hm_tolerance tols[][3] = {
    { { HM_STR("slot_0"), 0.1, HM_STR("") }, { HM_STR("slot_1"), 0.02, HM_STR("kg") }, { HM_STR("slot_2"), 5, HM_STR("%") } },
    { { HM_STR("slot_0"), 1, HM_STR("s") }, { HM_STR("slot_1"), 250, HM_STR("%") }, { HM_STR("slot_2"), 0, HM_STR("") } },
  };
  for (size_t i = 0; i < 2; i++) {
    hm_rules rules = *hm_rules_default();
    rules.tolerances = tols[i];
    rules.n_tolerances = 3;
    as_defined(&rules, 1500, 1000);
  }
}

/* Claims in another order, rows in another order: the same disputes. */
static void order_makes_no_difference(void **unused) {
  (void)unused;
  hm_units *units = hm_units_new();
  for (uint64_t seed = 1; seed <= 300; seed++) {
    world w = { .units = units, .rules = hm_rules_default() };
    random_world(&w, seed);
    hm_disputes *d, *e;
    hm_claims claims = { .claims = w.claims, .n = w.n }, mixed = claims;
    mixed.claims = hm_alloc_array(w.a, w.n, sizeof *w.claims);
    memcpy(mixed.claims, w.claims, w.n * sizeof *w.claims);
    for (size_t i = w.n - 1; i > 0; i--) {
      size_t j = below(&w, i + 1);
      hm_claim t = mixed.claims[i];
      mixed.claims[i] = mixed.claims[j];
      mixed.claims[j] = t;
    }
    assert_int_equal(hm_disputes_of(w.snap, &claims, w.rules, 1, w.a, &d, NULL), 0);
    assert_int_equal(hm_disputes_of(w.snap, &mixed, w.rules, 3, w.a, &e, NULL), 0);
    assert_int_equal(d->n, e->n);
    assert_int_equal(d->slots, e->slots);
    for (size_t i = 0; i < d->n; i++) {
      const hm_dispute *x = &d->disputes[i], *y = &e->disputes[i];
      assert_true(hm_str_eq(x->slot_key, y->slot_key));
      assert_int_equal(x->n, y->n);
      assert_true(x->since == y->since);
      assert_string_equal(x->slot_kind, y->slot_kind);
      assert_int_equal(x->first[0]->row, y->first[0]->row);
      assert_int_equal(x->first[1]->row, y->first[1]->row);
      for (size_t k = 0; k < x->n; k++) {
        assert_int_equal(x->parties[k].claim->row, y->parties[k].claim->row);
        assert_int_equal(x->parties[k].flagged, y->parties[k].flagged);
      }
    }
    hm_arena_free(w.a);
  }
  hm_units_free(units);
}

/* All claims under one hash: told apart by their names, whatever the order. */
static void equal_hashes_are_told_apart(void **unused) {
  (void)unused;
  hm_units *units = hm_units_new();
  for (uint64_t seed = 1; seed <= 300; seed++) {
    world w = { .units = units, .rules = hm_rules_default() };
    random_world(&w, seed);
    hm_disputes *d, *e;
    hm_claims claims = { .claims = w.claims, .n = w.n };
    assert_int_equal(hm_disputes_of(w.snap, &claims, w.rules, 2, w.a, &d, NULL), 0);
    for (size_t i = 0; i < w.n; i++) w.claims[i].hash = 42;
    assert_int_equal(hm_disputes_of(w.snap, &claims, w.rules, 2, w.a, &e, NULL), 0);
    assert_int_equal(d->n, e->n);
    assert_int_equal(d->slots, e->slots);
    for (size_t i = 0; i < d->n; i++) {
      assert_true(hm_str_eq(d->disputes[i].slot_key, e->disputes[i].slot_key));
      assert_int_equal(d->disputes[i].n, e->disputes[i].n);
    }
    hm_arena_free(w.a);
  }
  hm_units_free(units);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(disputes_are_as_defined),
    cmocka_unit_test(disputes_are_as_defined_under_tolerances),
    cmocka_unit_test(order_makes_no_difference),
    cmocka_unit_test(equal_hashes_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
