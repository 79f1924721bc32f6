/* The story of a slot: random ones against a model that asks every pair, written from the rules in
 * words; and many claims. */
#include "tests/unit/core_detect_arc_help.h"
#include "tests/unit/core_base_thorough.h"

/* --- the model ------------------------------------------------------------------------------- */

typedef struct {
  const story *s;
  int left[MOST], gone[MOST], session[MOST], first[MOST];   /* claims, -1: none; gone: left by */
  hm_arc_state why[MOST];
  bool ret[MOST];
} model;

static bool part(const hm_arc_claim *c) { return c->at != HM_TIME_MIN && !c->also && !c->ends; }
static bool same_hand(const hm_arc_claim *x, const hm_arc_claim *y) {
  return x->agent.n && hm_str_eq(x->agent, y->agent) && hm_str_eq(x->scope, y->scope);
}
static bool close(const hm_arc_claim *x, const hm_arc_claim *y) {
  return same_hand(x, y) && llabs(x->at - y->at) <= GAP;
}
static bool fit(const hm_arc_claim *x, const hm_arc_claim *y) {
  return !x->qualifier.n || !y->qualifier.n || hm_str_eq(x->qualifier, y->qualifier);
}
static bool earlier(const story *s, size_t x, size_t y) {
  return s->c[x].at != s->c[y].at ? s->c[x].at < s->c[y].at : x < y;
}
static bool clash(const story *s, size_t x, size_t y) {
  return hm_arc_comparable(&s->c[x], &s->c[y]) && s->c[x].value != s->c[y].value &&
      differ((void *)s, (uint32_t)x, (uint32_t)y);
}

/* Do words of y count for x? */
static bool counts(const hm_arc_claim *y, const hm_arc_claim *x) {
  if (y->via && (!y->agent.n || !hm_str_eq(y->agent, x->agent))) return false;
  return y->settles;
}

/* How does y overtake x? HOLDS: it does not. */
static hm_arc_state overtakes(const model *m, size_t y, size_t x) {
  const hm_arc_claim *a = &m->s->c[x], *b = &m->s->c[y];
  if (!part(a) || !part(b) || b->at <= a->at || !clash(m->s, x, y)) return HM_ARC_HOLDS;
  if (counts(b, a)) return HM_ARC_WORDS;
  if (b->left == a->value && (!b->via || (b->agent.n && hm_str_eq(b->agent, a->agent)))) return HM_ARC_WORDS;
  if (a->by == b->row && a->by != HM_ARC_NONE) return HM_ARC_SUPERSEDED;
  if (same_hand(a, b) && b->at - a->at > GAP) return HM_ARC_AGENT;
  if (hm_version_above(b->version, a->version) && b->at - a->at > 30 * DAY) return HM_ARC_VERSION;
  if (b->log || b->count) return HM_ARC_UPDATE;
  bool one = a->agent.n || b->agent.n || a->origin.n ? hm_str_eq(a->agent, b->agent) : false;
  if (a->status && b->status && one && hm_str_eq(a->origin, b->origin) && b->at - a->at >= 60 * MINUTE)
    return HM_ARC_PROGRESS;
  return m->ret[y] ? HM_ARC_RETURN : HM_ARC_HOLDS;
}

/* The first claim whose words end x, which has no time; -1: none. */
static int undated_end(const story *s, size_t x) {
  const hm_arc_claim *c = &s->c[x];
  if (c->at != HM_TIME_MIN || c->settles || c->left != HM_ARC_NONE || c->also || c->log) return -1;
  for (size_t y = 0; y < s->n; y++) {
    const hm_arc_claim *b = &s->c[y];
    bool one = hm_str_eq(b->agent, c->agent);
    bool counts_for = b->via ? one && b->agent.n : one || !b->agent.n || !c->agent.n;
    if (!b->ends && counts_for && (b->settles || b->left == c->value) && clash(s, y, x))
      return (int)y;
  }
  return -1;
}

/* Is z a return, given who is one before it? */
static bool comes_back(model *m, size_t z) {
  const story *s = m->s;
  const hm_arc_claim *c = &s->c[z];
  hm_time words = HM_TIME_MIN;
  bool found = false;
  m->first[z] = -1;
  if (!part(c) || (c->settles && !c->via) || c->count || c->retired || m->session[z] >= 0) return false;
  for (size_t w = 0; w < s->n; w++)
    if (part(&s->c[w]) && s->c[w].value == c->value && s->c[w].settles && !s->c[w].via &&
        fit(&s->c[w], c) && s->c[w].at < c->at && s->c[w].at > words)
      words = s->c[w].at;
  for (size_t x = 0; x < s->n; x++) {
    if (!part(&s->c[x]) || !fit(&s->c[x], c) || s->c[x].at >= c->at) continue;
    bool names = s->c[x].left == c->value && s->c[x].left != s->c[x].value;
    bool left = s->c[x].value == c->value && m->gone[x] >= 0 && s->c[m->gone[x]].at < c->at;
    if (!names && !left) continue;
    size_t y = names ? x : (size_t)m->gone[x];
    if (m->first[z] < 0 || earlier(s, x, (size_t)m->first[z])) m->first[z] = (int)x;
    bool own = counts(c, &s->c[y]);   /* the agent of both decided it */
    for (size_t w = 0; w < s->n; w++)
      own |= part(&s->c[w]) && s->c[w].via && s->c[w].value == c->value && fit(&s->c[w], c) &&
          s->c[w].at < c->at && s->c[w].at >= s->c[y].at && counts(&s->c[w], &s->c[y]) &&
          counts(&s->c[w], c);
    found = found || (!own && clash(s, y, z) && !close(&s->c[y], c) && s->c[y].at > words);
  }
  return found;
}

static void model_of(model *m, const story *s) {
  *m = (model){ .s = s };
  for (size_t x = 0; x < s->n; x++) {
    m->left[x] = m->session[x] = m->gone[x] = -1;
    for (size_t y = 0; y < s->n; y++)
      if (part(&s->c[x]) && part(&s->c[y]) && close(&s->c[x], &s->c[y]) &&
          s->c[y].at > s->c[x].at && clash(s, x, y) && (m->session[x] < 0 || s->c[y].at < s->c[m->session[x]].at))
        m->session[x] = (int)y;
  }
  for (size_t round = 0; round < s->n + 1; round++) {
    for (size_t z = 0; z < s->n; z++) m->ret[z] = comes_back(m, z);
    for (size_t x = 0; x < s->n; x++) {
      m->left[x] = -1;
      for (size_t y = 0; y < s->n; y++) {
        hm_arc_state why = overtakes(m, y, x);
        if (why == HM_ARC_HOLDS || (m->left[x] >= 0 && s->c[m->left[x]].at <= s->c[y].at)) continue;
        m->left[x] = (int)y;
        m->why[x] = why;
      }
      m->gone[x] = m->left[x];
      for (size_t y = 0; y < s->n; y++)
        if (part(&s->c[x]) && part(&s->c[y]) && clash(s, x, y) && s->c[y].at > s->c[x].at &&
            !close(&s->c[x], &s->c[y]) && (m->gone[x] < 0 || earlier(s, y, (size_t)m->gone[x])))
          m->gone[x] = (int)y;
    }
  }
}

/* Does the claim v, whose words count for its agent, come after the return z, and are all that meet
 * z, from what was left first, that agent's? */
static bool ends_own_return(const model *m, size_t z, size_t v) {
  const story *s = m->s;
  if (!part(&s->c[v]) || s->c[v].at <= s->c[z].at || !fit(&s->c[v], &s->c[z])) return false;
  for (size_t x = 0; x < s->n; x++)
    if (part(&s->c[x]) && fit(&s->c[x], &s->c[z]) && !earlier(s, x, (size_t)m->first[z]) &&
        !earlier(s, z, x) && !counts(&s->c[v], &s->c[x]))
      return false;
  return true;
}

static bool open_return(const model *m, size_t z) {
  if (!m->ret[z]) return false;
  for (size_t v = 0; v < m->s->n; v++)
    if (part(&m->s->c[v]) && m->s->c[v].settles && !m->s->c[v].via && fit(&m->s->c[v], &m->s->c[z]) &&
        m->s->c[v].at > m->s->c[z].at)
      return false;
  for (size_t v = 0; v < m->s->n; v++)
    if (m->s->c[v].via && ends_own_return(m, z, v)) return false;
  return true;
}

/* Is claim p between the first that was left and the last open return of qualifier q? */
static bool in_span(const model *m, hm_str q, size_t p) {
  const story *s = m->s;
  int from = -1, to = -1;
  for (size_t z = 0; z < s->n; z++) {
    if (!open_return(m, z) || !hm_str_eq(s->c[z].qualifier, q)) continue;
    if (from < 0 || earlier(s, (size_t)m->first[z], (size_t)from)) from = m->first[z];
    if (to < 0 || earlier(s, (size_t)to, z)) to = (int)z;
  }
  hm_arc_claim of = { .qualifier = q };
  return from >= 0 && part(&s->c[p]) && fit(&of, &s->c[p]) && !earlier(s, p, (size_t)from) &&
      !earlier(s, (size_t)to, p);
}

/* Reversals as sets: claims that share a span, through others. */
static void reversals_of(const model *m, int *of) {
  const story *s = m->s;
  for (size_t p = 0; p < s->n; p++) of[p] = -1;
  for (size_t z = 0; z < s->n; z++) {
    if (!open_return(m, z)) continue;
    int id = (int)z;
    for (size_t p = 0; p < s->n; p++) {
      if (!in_span(m, s->c[z].qualifier, p)) continue;
      int old = of[p];
      if (old >= 0 && old != id)
        for (size_t k = 0; k < s->n; k++)
          if (of[k] == old) of[k] = id;
      of[p] = id;
    }
  }
}

static story random_story(uint64_t *seed) {
  static const char *const agents[] = { "", "x", "y" }, *const places[] = { "", "s" },
                    *const qualifiers[] = { "", "", "p", "t" },
                    *const versions[] = { "1", "1.2", "2", "3" };
  story s = { .n = 2 + prng(seed) % 9 };
  bool versioned = prng(seed) % 4 == 0, logs = prng(seed) % 6 == 0,
       statuses = prng(seed) % 6 == 0, q = prng(seed) % 2;
  hm_time step = prng(seed) % 3 == 0 ? 5 * MINUTE : prng(seed) % 2 ? 6 * DAY : 17 * DAY;
  for (size_t i = 0; i < s.n; i++) {
    hm_arc_claim *c = &s.c[i];
    uint64_t r = prng(seed);
    *c = (hm_arc_claim){ .at = prng(seed) % 15 ? (hm_time)i * step : HM_TIME_MIN,
                         .agent = hm_str_c(agents[r % 3]), .scope = hm_str_c(places[r / 8 % 2]),
                         .qualifier = hm_str_c(q ? qualifiers[r / 16 % 4] : ""),
                         .version = HM_EMPTY, .value = (uint32_t)('A' + r / 64 % 3),
                         .left = HM_ARC_NONE, .row = (uint32_t)i, .by = HM_ARC_NONE };
    if (versioned) {
      c->value = (uint32_t)('A' + r / 64 % 4);
      c->version = hm_str_c(versions[r / 64 % 4]);
    }
    if (versioned && prng(seed) % 4 == 0) c->version = hm_str_c(versions[prng(seed) % 4]);
    c->settles = r / 1024 % 4 == 0;
    c->via = c->settles && r / 8388608 % 3 == 0;
    c->log = logs;
    c->status = logs || statuses;
    c->origin = hm_str_c(!c->status || c->agent.n ? "" : r / 33554432 % 2 ? "u" : "v");
    c->count = !logs && r / 4096 % 20 == 0;
    c->also = r / 131072 % 20 == 0;
    c->ends = r / 4194304 % 20 == 0;
    if (prng(seed) % 10 == 0) c->value |= 0x80;
    if (prng(seed) % 20 == 0) c->value = 'z';
    if (prng(seed) % 10 == 0) c->left = (uint32_t)('A' + prng(seed) % 3);
    if (prng(seed) % 7 == 0) c->by = (uint32_t)(prng(seed) % s.n), c->retired = true;
    if (prng(seed) % 12 == 0 && i) c->at = s.c[i - 1].at;
    if (prng(seed) % 20 == 0 && i) c->row = (uint32_t)i - 1;
  }
  return s;
}

static void random_stories_end_as_the_model_says(void **state) {
  (void)state;
  uint64_t seed = 7;
  const int rounds = thorough() ? 60000 : 6000;
  size_t n_reversals = 0, n_states[HM_N_ARC_STATES] = { 0 };
  for (int round = 0; round < rounds; round++) {
    story s = random_story(&seed);
    model m;
    hm_arc arc;
    int of[MOST];
    read_arc(&arc, &s);
    model_of(&m, &s);
    reversals_of(&m, of);
    n_reversals += arc.n_reversals;
    for (size_t x = 0; x < s.n; x++) {
      n_states[arc.ends[x].state]++;
      bool overtaken = m.left[x] >= 0 || m.session[x] >= 0;
      bool session = m.session[x] >= 0 &&
          (m.left[x] < 0 || s.c[m.session[x]].at < s.c[m.left[x]].at);
      hm_arc_state want = session ? HM_ARC_SESSION : m.left[x] >= 0 ? m.why[x] : HM_ARC_HOLDS;
      int words = overtaken || s.c[x].retired ? -1 : undated_end(&s, x);
      if (!overtaken && s.c[x].retired) want = HM_ARC_SUPERSEDED;
      if (words >= 0) {
        want = HM_ARC_WORDS;
        assert_int_equal(arc.ends[x].by, words);
      }
      if (want != HM_ARC_HOLDS || arc.ends[x].state != HM_ARC_UNDATED) {
        if (arc.ends[x].state != want)
          fail_msg("round %d claim %zu: want %s: %s", round, x, hm_arc_state_name(want),
                   show(&arc));
      }
      if (overtaken) assert_int_equal(arc.ends[x].by, session ? m.session[x] : m.left[x]);
      if ((arc.reversal_of[x] == HM_ARC_NONE) != (of[x] < 0))
        fail_msg("round %d claim %zu: %s", round, x, show(&arc));
      for (size_t y = 0; y < x; y++) {
        bool one = arc.reversal_of[x] != HM_ARC_NONE && arc.reversal_of[x] == arc.reversal_of[y];
        assert_int_equal(of[x] >= 0 && of[x] == of[y], one);
        bool both = arc.ends[x].state == HM_ARC_HOLDS && arc.ends[y].state == HM_ARC_HOLDS;
        if (clash(&s, x, y) && both && !one)
          assert_true(!overtaken && m.left[y] < 0 && m.session[y] < 0);
      }
    }
    hm_arena_reset(A);
  }
  assert_true(n_reversals > (size_t)rounds / 20);
  for (int i = 0; i < HM_N_ARC_STATES; i++) assert_true(n_states[i] > (size_t)rounds / 300);
}

static bool always(void *ctx, uint32_t x, uint32_t y) {
  (void)ctx;
  return x != y;
}

static bool never(void *ctx, uint32_t x, uint32_t y) {
  (void)ctx, (void)x, (void)y;
  return false;
}

/* Shapes: any; each another value; words; versions that fall; one session; two values that agree.
 */
static void fill_shape(hm_arc_claim *c, uint32_t n, int shape) {
  static const char *const agents[] = { "", "x", "y" };
  uint64_t seed = 3;
  for (uint32_t i = 0; i < n; i++) {
    c[i] = (hm_arc_claim){ .at = i * (shape == 4 ? SECOND / 1000 : MINUTE),
                           .agent = hm_str_c(agents[shape ? 1 : prng(&seed) % 3]),
                           .scope = HM_EMPTY,
                           .qualifier = HM_EMPTY,
                           .version = HM_EMPTY,
                           .left = HM_ARC_NONE,
                           .value = 'A' + (shape == 1 ? i : (uint32_t)(prng(&seed) % 5)),
                           .settles = shape == 2 || prng(&seed) % 3 == 0,
                           .row = i,
                           .by = HM_ARC_NONE };
    if (shape == 4) c[i].value = i + 1 < n ? 'A' : 'B';
    if (shape == 5) c[i].value = 'A' + i % 2;
    if (shape != 3) continue;
    c[i].agent = HM_EMPTY;
    c[i].version = hm_str_fmt(A, "%u", n - i);
    c[i].value = n - i;
    c[i].settles = false;
  }
}

static void many_claims_take_little_time(void **state) {
  (void)state;
  const uint32_t n = thorough() ? 20000 : 4000;
  hm_arc_claim *c = malloc(n * sizeof *c);
  for (int shape = 0; shape < 6; shape++) {
    hm_arc arc;
    fill_shape(c, n, shape);
    hm_find_overtaken_claims(&arc, c, n, &(hm_arc_rules){ shape == 5 ? never : always, NULL, GAP }, A);
    assert_int_equal(arc.ends[0].state != HM_ARC_HOLDS, shape != 3 && shape != 5);
    hm_arena_reset(A);
  }
  free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_stories_end_as_the_model_says),
    cmocka_unit_test(many_claims_take_little_time),
  };
  A = hm_arena_new();
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  hm_arena_free(A);
  return rc;
}
