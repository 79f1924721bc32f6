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

static const char *const POOL[] = { "PEEK",
                                    "GF-PTFE",
                                    "peek",
                                    "30 s",
                                    "30000 ms",
                                    "31 s",
                                    "0.5 min",
                                    "4.8 kg",
                                    "4.82 kg",
                                    "4820 g",
                                    "5 kg",
                                    "2026",
                                    "2026-04",
                                    "2026-04-02",
                                    "2026-05",
                                    "1",
                                    "1.0",
                                    "1.05",
                                    "1.1",
                                    "1.2",
                                    "1.3",
                                    "true",
                                    "false",
                                    "1.0000000000001 s",
                                    "1.0000000000002 s",
                                    "1000.0000000001 ms",
                                    "1000 ms",
                                    "50 %",
                                    "0.5",
                                    "24 V",
                                    "24 VDC",
                                    "24 VAC",
                                    "yes",
                                    "a, b",
                                    "b and a",
                                    "a, b and c",
                                    "30-60 s",
                                    "0.5 to 1 min",
                                    "at most 30 s",
                                    "9:00",
                                    "9:00:30",
                                    "Q2 2026",
                                    "2026-W14",
                                    "April 2026",
                                    "71A",
                                    "a",
                                    "b",
                                    "c" };
static const char *const SETS[] = { "[\"a\"]",       "[\"a\",\"b\"]",       "[\"b\",\"A\"]",
                                    "[\"a\",\"c\"]", "[\"a\",\"b\",\"c\"]", "[1]" };
static const char *const TYPES[] = { "decision", "parameter", "result" };

static uint64_t below(world *w, uint64_t n) { return prng(&w->rng) % n; }

static void random_value(world *w, hm_value *out) {
  size_t n = sizeof POOL / sizeof *POOL, m = sizeof SETS / sizeof *SETS;
  size_t at = (w->offset + below(w, w->variety)) % (n + m);
  if (at < n) {
    hm_value_parse_text(out, hm_str_c(POOL[at]), false, w->units, w->a);
    return;
  }
  hm_json *v;
  assert_int_equal(hm_json_parse(w->a, hm_str_c(SETS[at - n]), &v, NULL), 0);
  hm_value_parse_json(out, v, false, NULL, w->units, w->a);
}

/* Some are certain at no time: they overlap nothing, or what holds longer than they can. */
static void random_window(world *w, hm_claim *c, unsigned open_of_8) {
  hm_time from = below(w, 8) < open_of_8 ? HM_TIME_MIN : (hm_time)below(w, 30);
  hm_time begin = from == HM_TIME_MIN ? 0 : from;
  hm_time until = below(w, 8) < open_of_8 ? HM_TIME_MAX : begin + 1 + (hm_time)below(w, 9);
  bool empty = below(w, 16) == 0;
  hm_window *when = hm_alloc(w->a, sizeof *when);
  *when = (hm_window){ .from = empty ? HM_TIME_MAX : from, .until = empty ? HM_TIME_MIN : until };
  if (below(w, 8) == 0)
    *when = (hm_window){ .from = begin + 4,
                         .until = begin + 2,
                         .may_from = begin,
                         .may_until = begin + 5 };
  when->begin.known = when->from != HM_TIME_MIN;
  when->end.known = when->until != HM_TIME_MAX;
  c->when = when;
  c->stands = below(w, 4) ? (hm_time)below(w, 12) : HM_TIME_MIN;
}

static hm_str compare_of(world *w, hm_layer layer) {
  const char *type = TYPES[below(w, 3)];
  if (layer == HM_MEMORY) return below(w, 2) ? HM_STR("one") : HM_EMPTY;
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
  w->offset = below(w, 96);
  w->variety = 1 + below(w, below(w, 2) ? 4 : 64);
  w->n = 2 + below(w, max - 2);
  unsigned open = (unsigned)below(w, 9), layers = 1 + (unsigned)below(w, 7);
  bool own = below(w, 5) == 0;
  unsigned deniers = (unsigned)below(w, 4);
  w->claims = hm_alloc_array(w->a, w->n, sizeof *w->claims);
  for (size_t i = 0; i < w->n; i++) {
    hm_layer layer;
    do layer = own ? HM_MEMORY : (hm_layer)(1 + below(w, 3));
    while (!own && !(layers >> (layer - 1) & 1));
    rows[i] = help_bare_row(layer, hm_str_fmt(w->a, "r%d", (int)below(w, 1000) * 1000 + (int)i));
    if (below(w, 3)) rows[i].created_at = hm_str_fmt(w->a, "2026-01-%02d", 1 + (int)below(w, 9));
    hm_claim *c = &w->claims[i];
    *c = (hm_claim){ .layer = layer,
                     .space = own ? HM_STR("preference") : HM_EMPTY,
                     .field = HM_STR("value"),
                     .name = hm_str_fmt(w->a, "slot_%d", (int)below(w, SLOTS)),
                     .compare = own ? HM_EMPTY : compare_of(w, layer) };
    random_window(w, c, open);
    random_value(w, &c->value);
    if (layer == HM_MEMORY && c->value.kind != HM_V_NONE && deniers && !below(w, deniers))
      hm_value_deny(&c->value, w->a);
    help_hash(c);
  }
  const char *projects[] = { "p" };
  w->snap = help_snapshot(w->a, projects, 1, rows, w->n);
  for (size_t i = 0; i < w->n; i++)
    w->claims[i].row = hm_snapshot_row(w->snap, rows[i].layer, rows[i].id);
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

/* The definition, pair by pair. */
typedef struct {
  const hm_claim *c[CLAIMS_MAX]; size_t n;
  bool spared[CLAIMS_MAX];
  size_t component[CLAIMS_MAX];     /* the first claim of its component */
  size_t size[CLAIMS_MAX];
  const hm_snapshot *snap;
  const hm_rules *rules;
} naive;

static bool agree(const naive *w, size_t i, size_t k) {
  const hm_claim *a = w->c[i], *b = w->c[k];
  return hm_claim_comparable(a, b) && hm_claim_overlap(a, b) &&
      !hm_claim_disagree(a, b, w->rules, 2);
}

static bool contradict(const naive *w, size_t i, size_t k) {
  bool of_state = (w->c[i]->layer == HM_STATE) != (w->c[k]->layer == HM_STATE);
  return hm_claim_disagree(w->c[i], w->c[k], w->rules, 2) &&
      !(of_state && (w->spared[i] || w->spared[k]));
}

static void find_components(naive *w) {
  for (size_t i = 0; i < w->n; i++) {
    w->component[i] = i;
    w->size[i] = 0;
    w->spared[i] = false;
    for (size_t k = 0; k < w->n && w->c[i]->layer != HM_STATE; k++)
      w->spared[i] |= w->c[k]->layer == HM_STATE && agree(w, i, k);
  }
  for (bool moved = true; moved;) {
    moved = false;
    for (size_t i = 0; i < w->n; i++)
      for (size_t k = 0; k < w->n; k++) {
        if (w->component[k] <= w->component[i] || !contradict(w, i, k)) continue;
        w->component[k] = w->component[i];
        moved = true;
      }
  }
  for (size_t i = 0; i < w->n; i++) w->size[w->component[i]]++;
}

static hm_time later(const hm_claim *a, const hm_claim *b) {
  return a->stands > b->stands ? a->stands : b->stands;
}
static hm_time most(hm_time a, hm_time b) { return a > b ? a : b; }
static hm_time least(hm_time a, hm_time b) { return a < b ? a : b; }

static void check_flag(const naive *w, size_t i, const hm_party *p) {
  const hm_claim *against = NULL, *with = NULL;
  for (int trust = HM_STATE; trust > (int)w->c[i]->layer && !against; trust--)
    for (size_t k = 0; k < w->n; k++) {
      if (w->component[k] != w->component[i] || (int)w->c[k]->layer != trust) continue;
      if (!against && contradict(w, i, k)) against = w->c[k];
      if (!with && agree(w, i, k)) with = w->c[k];
    }
  assert_int_equal(p->flagged, against && !with);
  assert_ptr_equal(p->against, with ? NULL : against);
  assert_ptr_equal(p->with, against ? with : NULL);
}

static void check_times(const naive *w, size_t first, const hm_dispute *d) {
  hm_time since = HM_TIME_MAX, from = HM_TIME_MAX, until = HM_TIME_MIN;
  for (size_t i = 0; i < w->n; i++)
    for (size_t k = i + 1; k < w->n; k++) {
      if (w->component[i] != first || !contradict(w, i, k)) continue;
      const hm_claim *a = w->c[i], *b = w->c[k];
      if (a->stands != HM_TIME_MIN && b->stands != HM_TIME_MIN) since = least(since, later(a, b));
      hm_time begins[2], ends[2];
      hm_claim_stated_window(a, &begins[0], &ends[0]);
      hm_claim_stated_window(b, &begins[1], &ends[1]);
      from = least(from, most(begins[0], begins[1]));
      until = most(until, least(ends[0], ends[1]));
    }
  assert_true(d->since == (since == HM_TIME_MAX ? HM_TIME_MIN : since));
  assert_true(d->from == from);
  assert_true(d->until == until);
  assert_true(hm_claim_disagree(d->first[0], d->first[1], w->rules, 2));
  if (since != HM_TIME_MAX) assert_true(later(d->first[0], d->first[1]) == since);
  else assert_ptr_equal(d->first[0], d->parties[0].claim);
}

static void check_component(const naive *w, size_t first, const hm_dispute *d) {
  size_t at = 0;
  const hm_claim *anchor = NULL;
  assert_int_equal(d->n, w->size[first]);
  for (size_t i = 0; i < w->n; i++) {
    if (w->component[i] != first) continue;
    assert_ptr_equal(d->parties[at].claim, w->c[i]);
    assert_int_equal(d->parties[at].spared, w->spared[i]);
    check_flag(w, i, &d->parties[at++]);
    if (!anchor || hm_anchor_order(w->snap, w->c[i], anchor) < 0) anchor = w->c[i];
  }
  assert_ptr_equal(d->anchor, anchor);
  check_times(w, first, d);
}

static const hm_dispute *dispute_of(const hm_dispute *d, size_t n, const hm_claim *first) {
  for (size_t i = 0; i < n; i++)
    if (d[i].parties[0].claim == first) return &d[i];
  return NULL;
}

static void check_slot(const world *w, const hm_disputes *d, const char *name, size_t *disputes,
                       size_t *several) {
  naive want = { .snap = w->snap, .rules = w->rules };
  want.n = slot_claims(w, name, want.c);
  if (!want.n) return;
  find_components(&want);
  size_t n, found = 0;
  const hm_dispute *got = hm_disputes_of_slot_key(d, hm_claim_slot_key(w->a, w->snap, want.c[0]), &n);
  for (size_t i = 0; i < want.n; i++) {
    if (want.component[i] != i || want.size[i] < 2) continue;
    const hm_dispute *one = dispute_of(got, n, want.c[i]);
    assert_non_null(one);
    check_component(&want, i, one);
    found++;
  }
  assert_int_equal(n, found);
  for (size_t i = 1; i < n; i++) assert_true(got[i - 1].from <= got[i].from);
  *disputes += found;
  *several += found > 1;
}

static void as_defined(const hm_rules *rules, uint64_t seeds, size_t at_least) {
  size_t disputes = 0, several = 0;
  hm_units *units = hm_units_new();
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    world w = { .units = units, .rules = rules };
    random_world(&w, seed);
    hm_disputes *d, *again;
    hm_claims claims = { .claims = w.claims, .n = w.n };
    assert_int_equal(hm_disputes_find(w.snap, &claims, rules, 1, w.a, &d, NULL), 0);
    check_slot(&w, d, "slot_0", &disputes, &several);
    check_slot(&w, d, "slot_1", &disputes, &several);
    check_slot(&w, d, "slot_2", &disputes, &several);
    assert_int_equal(hm_disputes_find(w.snap, &claims, rules, 8, w.a, &again, NULL), 0);
    assert_int_equal(again->n, d->n);
    hm_arena_free(w.a);
  }
  hm_units_free(units);
  assert_true(disputes > at_least);
  assert_true(several > at_least / 20);
}

static void disputes_are_as_defined(void **unused) {
  (void)unused;
  as_defined(hm_rules_default(), 4000, 4000);
}

static void disputes_are_as_defined_under_tolerances(void **unused) {
  (void)unused;
  static const hm_tolerance tols[][3] = {
    { { HM_STR("slot_0"), 0.1, HM_STR("") },
      { HM_STR("slot_1"), 0.02, HM_STR("kg") },
      { HM_STR("slot_2"), 5, HM_STR("%") } },
    { { HM_STR("slot_0"), 1, HM_STR("s") },
      { HM_STR("slot_1"), 250, HM_STR("%") },
      { HM_STR("slot_2"), 0, HM_STR("") } },
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
    assert_int_equal(hm_disputes_find(w.snap, &claims, w.rules, 1, w.a, &d, NULL), 0);
    assert_int_equal(hm_disputes_find(w.snap, &mixed, w.rules, 3, w.a, &e, NULL), 0);
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
    assert_int_equal(hm_disputes_find(w.snap, &claims, w.rules, 2, w.a, &d, NULL), 0);
    for (size_t i = 0; i < w.n; i++) w.claims[i].hash = 42;
    assert_int_equal(hm_disputes_find(w.snap, &claims, w.rules, 2, w.a, &e, NULL), 0);
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
