/* Groups of similar memories: held to a look at every pair, on random stores; and what a person
 * confirmed. */
#include "tests/unit/core_detect_help.h"

#include "core/claim/judged.h"
#include "core/value/rules.h"
#include "core/slot/similar_groups.h"
#include "tests/unit/core_base_prng.h"

enum { ROWS = 40, ENTITIES = 2, LINKS = 10, ROUNDS = 300 };

static uint64_t rng;
static unsigned roll(unsigned n) { return (unsigned)(prng(&rng) % n); }
#define PICK(...)                                                                                  \
  hm_str_c(((const char *const[]){                                                                 \
      __VA_ARGS__ })[roll(sizeof(const char *const[]){ __VA_ARGS__ } / sizeof(char *))])

typedef struct { hm_snapshot *snap; hm_claims *claims; hm_rules rules; } store;

/* near: texts of which words do not tell, too. */
static store draw(bool near, hm_arena *a) {
  static const char *const projects[] = { "p", "q" };
  hm_row rows[ROWS + ENTITIES];
  store s = { .rules = { 0 } };
  hm_err err;
  for (int i = 0; i < ROWS; i++) {
    rows[i] = help_memory(hm_str_fmt(a, "m%02d", i).p, "knowledge", roll(2), "");
    rows[i].text = PICK("Deploy on Fridays", "Never deploy on Fridays", "On Fridays, deploy",
                        "Deploy on Mondays", "The API timeout is 30 s", "The API timeout is 30 s!",
                        "Use pnpm, not npm", "Don't use pnpm at all", "", "Not.");
    if (near && roll(4))
      rows[i].text = PICK("Deploy the cluster before noon", "Deploy the cluster after noon",
                          "Deploy the cluster under noon", "Deploy the cluster before noon, twice",
                          "Deploy the cluster before noon?", "Never deploy the cluster after noon");
    if (!roll(8)) rows[i].type = HM_STR("episodic");
    rows[i].status = roll(8) ? HM_ACTIVE : HM_SUPERSEDED;
    rows[i].polarity = (signed char)(roll(6) ? 0 : roll(2) ? 1 : -1);
    rows[i].tags = PICK("", "[\"a\"]", "[\"A\",\"b\"]", "[\"c\"]", "[]", "no tags");
    rows[i].scope = PICK("", "", "", "", "git", "Git", "db");
    rows[i].slot_rule = PICK("", "", "", "", "", "*", "Alice *", "alice *", "bob *");
    if (near && roll(4)) rows[i].scope = rows[i].slot_rule = HM_EMPTY;
    rows[i].created_at = PICK("", "2026-01-02", "2026-03-04", "2026-02-01T10:00:00Z");
    rows[i].valid_until = roll(5) ? HM_EMPTY : PICK("2026-02", "2030");
    rows[i].valid_from = roll(5) ? HM_EMPTY : PICK("2026-01", "2028");
    if (!roll(9)) rows[i].superseded_by = hm_str_fmt(a, "m%02u", roll(ROWS));
  }
  for (int i = 0; i < ENTITIES; i++)
    rows[ROWS + i] = help_entity(i ? "e1" : "e0", "Pump", 0, i ? "North" : "South", "");
  s.snap = help_snapshot(a, projects, 2, rows, ROWS + ENTITIES);
  assert_true(hm_time_parse(HM_STR("2026-06-01"), &s.snap->now, &(hm_precision){ 0 }));
  s.snap->n_links = LINKS;
  s.snap->links = hm_alloc_array(a, LINKS, sizeof *s.snap->links);
  for (int i = 0; i < LINKS; i++) {
    hm_link l = { hm_str_fmt(a, "memory:m%02u", roll(ROWS)),
                  hm_str_fmt(a, "memory:m%02u", roll(ROWS)),
                  PICK("derived_from", "supersedes", "refines") };
    if (i > 3) l.dst = PICK("entity:e0", "entity:e1");
    if (i > 7) l = (hm_link){ l.dst, l.src, l.rel };
    s.snap->links[i] = l;
  }
  assert_int_equal(hm_claims_read(s.snap, &s.rules, 1, &s.claims, &err), 0);
  return s;
}

/* --- the model: every pair, by the words of the manual --------------------------------------- */

static bool is_compared(const store *s, const hm_row *r) {
  hm_time from = HM_TIME_MIN, until = HM_TIME_MAX;
  hm_precision p;
  if (hm_str_is(r->valid_from, "2028")) hm_time_parse(HM_STR("2028"), &from, &p);
  if (hm_str_is(r->valid_until, "2026-02")) hm_time_parse(HM_STR("2026-03"), &until, &p);
  return r->status == HM_ACTIVE && !hm_str_is(r->type, "episodic") && from <= s->snap->now &&
      s->snap->now < until;
}

static bool has(hm_str tags, const char *tag) { return hm_str_find(tags, tag) >= 0; }
static bool is_tagged(hm_str tags) { return has(tags, "\"") ; }
static bool share_tag(hm_str x, hm_str y) {
  bool a[] = { has(x, "\"a\"") || has(x, "\"A\""), has(x, "\"b\""), has(x, "\"c\"") };
  bool b[] = { has(y, "\"a\"") || has(y, "\"A\""), has(y, "\"b\""), has(y, "\"c\"") };
  return (a[0] && b[0]) || (a[1] && b[1]) || (a[2] && b[2]);
}

static bool linked(const hm_snapshot *s, const hm_row *x, const hm_row *y) {
  for (size_t i = 0; i < s->n_links; i++) {
    const hm_link *l = &s->links[i];
    bool counts = hm_str_is(l->rel, "derived_from") || hm_str_is(l->rel, "supersedes");
    hm_str src = hm_str_sub(l->src, 7, l->src.n), dst = hm_str_sub(l->dst, 7, l->dst.n);
    if (counts && hm_str_eq(src, x->id) && hm_str_eq(dst, y->id)) return true;
  }
  return hm_str_eq(x->superseded_by, y->id);
}

/* Bits of the entities that a link of the row names. */
static unsigned entities_of(const hm_snapshot *s, const hm_row *x) {
  unsigned bits = 0;
  hm_arena *a = hm_arena_new();
  hm_str own = hm_row_ref(a, x);
  for (size_t i = 0; i < s->n_links; i++) {
    const hm_link *l = &s->links[i];
    hm_str other = hm_str_eq(l->src, own) ? l->dst : hm_str_eq(l->dst, own) ? l->src : HM_EMPTY;
    if (hm_str_starts(other, "entity:e")) bits |= 1u << (other.p[8] - '0');
  }
  hm_arena_free(a);
  return bits;
}

/* Of one scope, one subject, one entity, or of none. */
static bool about_one_thing(const hm_snapshot *s, const hm_row *x, const hm_row *y) {
  unsigned e = entities_of(s, x), f = entities_of(s, y);
  hm_str rules[] = { x->slot_rule, y->slot_rule }, scopes[] = { x->scope, y->scope };
  char subject[2], scope[2];
  for (int i = 0; i < 2; i++) {
    subject[i] = hm_str_is(rules[i], "*") || !rules[i].n ? 0 : (char)(rules[i].p[0] | 32);
    scope[i] = scopes[i].n ? (char)(scopes[i].p[0] | 32) : 0;
  }
  return subject[0] == subject[1] && scope[0] == scope[1] && ((!e && !f) || (e & f));
}

/* Sentences that say the same of the same, by all their words. */
static bool repeat_each_other(const hm_claim *a, const hm_claim *b) {
  return a->said && a->said->claim.shape == HM_SHAPE_SENTENCE && hm_claim_values_agree(a, b, NULL);
}

static bool share_slot(const store *s, uint32_t x, uint32_t y) {
  for (size_t i = 0; i < s->claims->n; i++)
    for (size_t k = 0; k < s->claims->n; k++)
      if (s->claims->claims[i].row == x && s->claims->claims[k].row == y &&
          hm_claims_share_slot(&s->claims->claims[i], &s->claims->claims[k]) &&
          !repeat_each_other(&s->claims->claims[i], &s->claims->claims[k]))
        return true;
  return false;
}

/* *asked: the cosine where only a judge can tell, else -1. */
static hm_alike pair_of(const store *s, uint32_t i, uint32_t k, const hm_similar_vectors *v,
                        double *asked, hm_arena *a) {
  const hm_row *x = &s->snap->rows[i], *y = &s->snap->rows[k];
  hm_similar_text tx, ty;
  hm_vector vx, vy;
  *asked = -1;
  if (!is_compared(s, x) || !is_compared(s, y) || x->project != y->project ||
      !about_one_thing(s->snap, x, y) ||
      (is_tagged(x->tags) && is_tagged(y->tags) && !share_tag(x->tags, y->tags)) ||
      linked(s->snap, x, y) || linked(s->snap, y, x) || share_slot(s, i, k))
    return HM_UNLIKE;
  hm_similar_text_parse(x->text, a, &tx);
  hm_similar_text_parse(y->text, a, &ty);
  hm_similar_make_vector(v, tx.said, a, &vx);
  hm_similar_make_vector(v, ty.said, a, &vy);
  hm_alike kind = hm_similar_compare(&tx, x->polarity, &vx, &ty, y->polarity, &vy).kind;
  double cosine = hm_vector_cosine(&vx, &vy);
  bool open = !kind && tx.key && ty.key && !tx.asks && !ty.asks;
  if (open && cosine >= HM_SIMILAR_LEAST) *asked = cosine;
  return kind;
}

/* For each row the least row that pairs of the kind connect it with. */
static void model(const store *s, hm_alike kind, uint32_t *least, hm_arena *a) {
  hm_similar_vectors *v = hm_similar_vectors_new(a);
  static bool paired[ROWS][ROWS];
  double asked;
  for (uint32_t i = 0; i < ROWS; i++)
    for (uint32_t k = 0; k < ROWS; k++) paired[i][k] = i != k && pair_of(s, i, k, v, &asked, a) == kind;
  for (uint32_t i = 0; i < ROWS; i++) least[i] = i;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < ROWS; i++)
      for (uint32_t k = 0; k < ROWS; k++)
        if (paired[i][k] && least[k] < least[i]) least[i] = least[k], more = true;
  }
}

static void groups_are_those_of_all_pairs(void **state) {
  size_t found = 0;
  (void)state;
  rng = 11;
  for (int round = 0; round < ROUNDS; round++) {
    hm_arena *a = hm_arena_new();
    store s = draw(false, a);
    uint32_t rows[ROWS], want[2][ROWS], got[2][ROWS];
    hm_similar_group *g;
    for (uint32_t i = 0; i < ROWS; i++) rows[i] = got[0][i] = got[1][i] = i;
    model(&s, HM_ALIKE_DUPLICATE, want[0], a);
    model(&s, HM_ALIKE_CONTRADICTION, want[1], a);
    hm_similar_input q = { s.snap, s.claims, &s.rules, false, 2 };
    size_t n = hm_similar_find_groups(&q, rows, ROWS, a, &g);
    for (size_t i = 0; i < n; i++) {
      uint32_t least = UINT32_MAX;
      assert_true(g[i].n > 1);
      for (size_t k = 0; k < g[i].n; k++) least = g[i].rows[k] < least ? g[i].rows[k] : least;
      for (size_t k = 0; k < g[i].n; k++)
        got[g[i].kind == HM_ALIKE_CONTRADICTION][g[i].rows[k]] = least;
      for (size_t k = 1; k < g[i].n; k++)
        assert_true(hm_similar_age_order(s.snap, g[i].rows[k - 1], g[i].rows[k]) < 0);
    }
    assert_memory_equal(got, want, sizeof got);
    found += n;
    hm_claims_free(s.claims);
    hm_arena_free(a);
  }
  assert_true(found > ROUNDS / 2);
}

/* --- what a judge is asked ----------------------------------------------------------------- */

static int nearest_first(const void *x, const void *y) {
  const hm_similar_pair *a = x, *b = y;
  if (a->cosine != b->cosine) return a->cosine > b->cosine ? -1 : 1;
  return a->x != b->x ? (a->x > b->x) - (a->x < b->x) : (a->y > b->y) - (a->y < b->y);
}

/* Of new row i, with rows that are not new or older. */
static size_t asked_of(const store *s, uint32_t i, const bool *is_new, const hm_similar_vectors *v,
                       hm_similar_pair *out, hm_arena *a) {
  size_t n = 0;
  for (uint32_t k = 0; k < ROWS; k++) {
    bool older = hm_similar_age_order(s->snap, k, i) < 0;
    hm_similar_pair p = { older ? k : i, older ? i : k, 0, NULL };
    if (i == k || (is_new[k] && !older)) continue;
    pair_of(s, i, k, v, &p.cosine, a);
    if (p.cosine >= 0) out[n++] = p;
  }
  qsort(out, n, sizeof *out, nearest_first);
  return n < HM_SIMILAR_ASKED ? n : HM_SIMILAR_ASKED;
}

static void undecided_pairs_are_those_of_all_pairs(void **state) {
  size_t found = 0, full = 0;
  (void)state;
  rng = 12;
  for (int round = 0; round < ROUNDS / 3; round++) {
    hm_arena *a = hm_arena_new();
    store s = draw(true, a);
    bool is_new[ROWS];
    hm_similar_pair want[ROWS * ROWS], *got;
    size_t n = 0;
    const hm_similar_vectors *v = hm_similar_vectors_new(a);
    for (int i = 0; i < ROWS; i++) is_new[i] = !roll(3);
    for (uint32_t i = 0; i < ROWS; i++)
      if (is_new[i]) {
        size_t own = asked_of(&s, i, is_new, v, want + n, a);
        full += own == HM_SIMILAR_ASKED;
        n += own;
      }
    hm_similar_input q = { s.snap, s.claims, &s.rules, false, 2 };
    assert_int_equal(hm_similar_undecided_pairs(&q, is_new, a, &got, NULL), n);
    if (n) qsort(got, n, sizeof *got, nearest_first);
    if (n) qsort(want, n, sizeof *want, nearest_first);
    for (size_t i = 0; i < n; i++) {
      assert_int_equal(got[i].x, want[i].x);
      assert_int_equal(got[i].y, want[i].y);
    }
    found += n;
    hm_claims_free(s.claims);
    hm_arena_free(a);
  }
  assert_true(found > ROUNDS && full > 0);
}

/* How many pairs are compared where all of these rows are new. shape: of a text, for three numbers,
 * of which two are those of the row before or after it. */
static size_t compared_in(int n, const char *shape, size_t *found) {
  static const char *const projects[] = { "p" };
  hm_arena *a = hm_arena_new();
  hm_rules rules = { 0 };
  hm_err err;
  hm_claims *claims;
  hm_similar_pair *pairs;
  hm_row *rows = hm_alloc_array(a, (size_t)n, sizeof *rows);
  bool *is_new = hm_alloc_array(a, (size_t)n, sizeof *is_new);
  size_t compared;
  for (int i = 0; i < n; i++) {
    char text[200];
    snprintf(text, sizeof text, shape, i / 2, i / 2, i);
    rows[i] = help_memory(hm_str_fmt(a, "r%06d", i).p, "knowledge", 0, hm_str_fmt(a, "%s", text).p);
    is_new[i] = true;
  }
  hm_snapshot *s = help_snapshot(a, projects, 1, rows, (size_t)n);
  assert_int_equal(hm_claims_read(s, &rules, 1, &claims, &err), 0);
  hm_similar_input q = { s, claims, &rules, false, 0 };
  *found = hm_similar_undecided_pairs(&q, is_new, a, &pairs, &compared);
  hm_claims_free(claims);
  hm_arena_free(a);
  return compared;
}

/* In a project whose rows are all new each is compared with those that say nearly the same, and
 * with a bounded number of those that a machine made alike: never with all. */
static void many_new_rows_are_not_compared_with_each_other(void **state) {
  static const char pairs_of_two[] = "station%d reports pressure%d to the office daily, note%d",
                    all_alike[] = "The station sent reading number %d%d to office %d";
  size_t found;
  (void)state;
  assert_int_equal(compared_in(2000, pairs_of_two, &found), 2000);
  assert_true(found > 900 && found <= 1000);   /* of a station, but for its notes */
  size_t few = compared_in(2000, all_alike, &found), many = compared_in(4000, all_alike, &found);
  assert_true(many <= 4000 * HM_SIMILAR_COMPARED && many <= 2 * few + 4000);
}

/* What a person confirmed connects rows, and is told only with what is new. */
static void confirmed_pairs_are_told_when_they_grow(void **state) {
  static const char *const projects[] = { "p" };
  hm_arena *a = hm_arena_new();
  hm_rules rules = { 0 };
  hm_err err;
  (void)state;
  for (size_t n = 2; n <= 3; n++) {
    hm_row rows[] = { help_memory("a", "knowledge", 0, "Deploy on Fridays"),
                      help_memory("b", "knowledge", 0, "Never deploy on Fridays"),
                      help_memory("c", "knowledge", 0, "Don't deploy on Fridays") };
    hm_snapshot *s = help_snapshot(a, projects, 1, rows, n);
    hm_judged_row j;
    hm_str refs[] = { HM_STR("memory:a"), HM_STR("memory:b") }, digests[2];
    for (int i = 0; i < 2; i++) {
      assert_true(hm_judged_row_read(&rows[i], a, &j));
      digests[i] = hm_judged_digest(&rows[i], &j, a);
    }
    hm_proposal p = { .id = HM_STR("j-1"), .rows = refs, .digests = digests, .n = 2,
                      .question = hm_question_to_confirm(true, refs[0], refs[1], a),
                      .model = HM_EMPTY };
    hm_claims *claims;
    hm_similar_group *g;
    s->proposals = &p;
    s->n_proposals = 1;
    assert_int_equal(hm_claims_read(s, &rules, 1, &claims, &err), 0);
    hm_similar_input q = { s, claims, &rules, false, 0 };
    size_t found = hm_similar_find_groups(&q, (uint32_t[]){ 0, 1, 2 }, n, a, &g), denied = 0;
    for (size_t i = 0; i < found; i++)
      if (g[i].kind == HM_ALIKE_CONTRADICTION) assert_int_equal(g[i].n, 3), denied++;
    assert_int_equal(denied, n == 3);
    hm_claims_free(claims);
  }
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(groups_are_those_of_all_pairs),
    cmocka_unit_test(undecided_pairs_are_those_of_all_pairs),
    cmocka_unit_test(many_new_rows_are_not_compared_with_each_other),
    cmocka_unit_test(confirmed_pairs_are_told_when_they_grow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
