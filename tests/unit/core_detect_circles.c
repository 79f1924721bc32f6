/* Circles against all paths of small random graphs, and how long large ones take. */
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_detect_help.h"

#include "core/detect/rule.h"

enum { ROUNDS = 3000, N = 7, EDGES_MAX = 14, FAR = 1000 };

static const char *const P[] = { "", "p" };

typedef struct {
  int from, to, since, until;
} edge; /* in years; since 0: no bounds */

static hm_str vertex_id(int i, hm_arena *a) { return hm_str_fmt(a, "e%d", i); }

static size_t find(const edge *edges, size_t n, bool timed, hm_arena *a, hm_finding **out) {
  hm_row *rows = hm_alloc_array(a, N + n, sizeof *rows);
  hm_claims *claims;
  hm_disputes *d;
  hm_err err;
  hm_rule_table table = { hm_rule_named(hm_config_rule_table(NULL),
                                        timed ? HM_STR("circle/parts") : HM_STR("circle/parents")),
                          1 };
  hm_rules rules = *hm_rules_default();
  rules.table = &table;
  for (int i = 0; i < N; i++) rows[i] = help_entity(vertex_id(i, a).p, "Thing", 1, "x", "{}");
  for (size_t i = 0; i < n; i++) {
    const edge *e = &edges[i];
    rows[N + i] = (hm_row){ .layer = HM_RELATION,
                            .status = HM_ACTIVE,
                            .project = 1,
                            .id = hm_str_fmt(a, "r%02zu", i),
                            .type = timed ? HM_STR("PART_OF") : HM_STR("PARENT_OF"),
                            .from = vertex_id(e->from, a),
                            .to = vertex_id(e->to, a) };
    if (e->since) rows[N + i].valid_from = hm_str_fmt(a, "%04d", e->since);
    if (e->since) rows[N + i].valid_until = hm_str_fmt(a, "%04d", e->until);
  }
  hm_snapshot *snap = help_snapshot(a, P, 2, rows, N + n);
  assert_int_equal(hm_claims_read(snap, &rules, 1, &claims, &err), 0);
  assert_int_equal(hm_rules_run(snap, claims, &rules, HM_RUN_ALL, 1, a, &d, &err), 0);
  hm_claims_free(claims);
  *out = d->findings;
  return d->n_findings;
}

/* Steps from one to another, all paths, by the edges that hold at the end of a year. */
static void distances(const edge *edges, size_t n, int year, int d[N][N]) {
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++) d[i][k] = FAR;
  for (size_t i = 0; i < n; i++)
    if (!edges[i].since || (edges[i].since <= year && year < edges[i].until))
      d[edges[i].from][edges[i].to] = 1;
  for (int via = 0; via < N; via++)
    for (int i = 0; i < N; i++)
      for (int k = 0; k < N; k++)
        if (d[i][via] + d[via][k] < d[i][k]) d[i][k] = d[i][via] + d[via][k];
}

/* Steps of the circle that the finding names, each of which must be an edge; where: a vertex. */
static int named_length(const hm_finding *f, const edge *edges, int *where) {
  int length = (int)f->n_rows / 2;
  for (int i = 0; i < length; i++) {
    int from = atoi(f->rows[2 * i].p + strlen("entity:e"));
    int to = atoi(f->rows[2 * ((i + 1) % length)].p + strlen("entity:e"));
    const edge *e = &edges[atoi(f->rows[2 * i + 1].p + strlen("relation:r"))];
    assert_true(e->from == from && e->to == to);
    if (!i) *where = from;
  }
  return length;
}

static size_t random_edges(edge *edges, uint64_t *rng, bool timed) {
  size_t n = prng(rng) % EDGES_MAX;
  for (size_t i = 0; i < n; i++) {
    edges[i] = (edge){ .from = (int)(prng(rng) % N), .to = (int)(prng(rng) % N) };
    if (timed) edges[i].since = 300 + (int)(prng(rng) % 8);
    if (timed) edges[i].until = edges[i].since + 2 + (int)(prng(rng) % 5);
  }
  return n;
}

static void circles_of_parents(void **unused) {
  (void)unused;
  uint64_t rng = 13;
  size_t met = 0;
  for (int round = 0; round < ROUNDS; round++) {
    hm_arena *a = hm_arena_new();
    edge edges[EDGES_MAX];
    hm_finding *f;
    int d[N][N], where;
    bool told[N] = { false };
    size_t n = random_edges(edges, &rng, false), found = find(edges, n, false, a, &f), want = 0;
    distances(edges, n, 0, d);
    /* One of each component, by its least vertex. */
    for (int i = 0; i < N; i++) {
      bool least = d[i][i] < FAR;
      for (int k = 0; k < i; k++) least = least && d[i][k] + d[k][i] >= FAR;
      want += least;
      if (least) told[i] = true;
    }
    assert_int_equal(found, want);
    for (size_t i = 0; i < found; i++) {
      int length = named_length(&f[i], edges, &where);
      assert_true(told[where]);
      told[where] = false;
      assert_int_equal(length, d[where][where]);
    }
    met += found;
    hm_arena_free(a);
  }
  assert_true(met > ROUNDS / 4);
}

/* Bounds are years, so windows certainly hold from the last instant of one to the begin of
 * another. */
static void circles_of_parts(void **unused) {
  (void)unused;
  uint64_t rng = 7;
  size_t met = 0;
  for (int round = 0; round < ROUNDS; round++) {
    hm_arena *a = hm_arena_new();
    edge edges[EDGES_MAX];
    hm_finding *f;
    int d[N][N], where;
    bool there = false, as_named = false;
    size_t n = random_edges(edges, &rng, true), found = find(edges, n, true, a, &f);
    for (int year = 300; year < 315 && !there; year++) {
      distances(edges, n, year, d);
      for (int i = 0; i < N; i++) there = there || d[i][i] < FAR;
      for (size_t k = 0; k < found && there; k++)
        as_named = as_named || named_length(&f[k], edges, &where) == d[where][where];
    }
    assert_int_equal(there, found > 0);
    assert_int_equal(there, as_named);
    met += there;
    hm_arena_free(a);
  }
  assert_true(met > ROUNDS / 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(circles_of_parents),
    cmocka_unit_test(circles_of_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
