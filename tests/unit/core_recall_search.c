/* Recall against a model that looks at every row: scores, order, pool, weights; and the vectors. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/recall/recall.h"
#include "tests/unit/core_base_prng.h"

enum { ROWS = 120, PROJECTS = 3 };
#define DAY ((hm_time)86400 * 1000000)

typedef struct {
  hm_arena *a;
  hm_snapshot s;
  hm_recall_index *x;
} world;

static const char *const WORDS[] = {
  "ruff",  "linting", "parser", "the", "is",   "deploy", "window", "friday", "leak",
  "state", "gate",    "code",   "441", "1441", "never",  "use",    "python", "service",
};

static uint64_t below(uint64_t *state, uint64_t n) { return prng(state) % n; }

static hm_str draw_text(hm_arena *a, uint64_t *p) {
  hm_buf b = { 0 };
  for (uint64_t n = below(p, 12) + 1; n; n--) {
    hm_buf_c(&b, WORDS[below(p, HM_COUNT(WORDS))]);
    hm_buf_ch(&b, ' ');
  }
  return hm_buf_take(&b, a);
}

/* Memories and entities of all statuses, in chains of supersession, with few times and
 * importances, so that many tie. */
static void draw(world *w, uint64_t seed) {
  uint64_t p = seed;
  hm_snapshot *s = &w->s;
  *s = (hm_snapshot){ .now = 100 * DAY, .n_rows = ROWS, .n_projects = PROJECTS };
  s->projects = hm_alloc_array(w->a, PROJECTS, sizeof *s->projects);
  for (int i = 0; i < PROJECTS; i++) s->projects[i].id = hm_str_fmt(w->a, "p%d", i);
  s->rows = hm_alloc_array(w->a, ROWS, sizeof *s->rows);
  s->details = hm_alloc_array(w->a, ROWS, sizeof *s->details);
  size_t memories = ROWS * 3 / 4;
  for (size_t i = 0; i < ROWS; i++) {
    hm_row *r = &s->rows[i];
    r->layer = i < memories ? HM_MEMORY : HM_ENTITY;
    r->id = hm_str_fmt(w->a, "r%03zu", i);
    r->project = (uint32_t)below(&p, PROJECTS);
    r->text = draw_text(w->a, &p);
    r->type = below(&p, 2) ? HM_STR("knowledge") : HM_STR("preference");
    r->status = below(&p, 5) ? HM_ACTIVE : below(&p, 2) ? HM_SUPERSEDED : HM_INVALID;
    if (r->status == HM_SUPERSEDED && i < memories)
      r->superseded_by = hm_str_fmt(w->a, "r%03zu", (size_t)below(&p, memories));
    if (below(&p, 4))
      r->created_at = hm_time_iso(w->a, (hm_time)below(&p, 4) * 40 * DAY);
    if (!below(&p, 4)) r->valid_until = hm_time_iso(w->a, (hm_time)below(&p, 200) * DAY);
    if (below(&p, 2))
      s->details[i].importance = hm_str_fmt(w->a, "0.%d", (int)below(&p, 3));
  }
  for (int l = 0; l <= 5; l++) s->first[l] = l < 2 ? 0 : l == 2 ? memories : ROWS;
  for (int l = 1; l < 5; l++) hm_row_index_init(&s->by_id[l], w->a, ROWS);
  for (uint32_t i = 0; i < ROWS; i++) hm_row_index_add(&s->by_id[s->rows[i].layer], s->rows[i].id, i);
  w->x = hm_recall_index_new(s, hm_rules_default(), 2, w->a);
}

static int begin(void **state) {
  world *w = calloc(1, sizeof *w);
  w->a = hm_arena_new();
  *state = w;
  return 0;
}

static int end(void **state) {
  world *w = *state;
  hm_arena_free(w->a);
  free(w);
  return 0;
}

/* --- the model -------------------------------------------------------------------- */

/* The row that stands for this one now, by following names as a reader would. */
static uint32_t model_target(const world *w, uint32_t row, bool superseded) {
  for (int steps = 0; !superseded && steps <= ROWS; steps++) {
    const hm_row *r = &w->s.rows[row];
    if (r->status != HM_SUPERSEDED && !r->superseded_by.n) break;
    if (steps == ROWS || !r->superseded_by.n) return HM_MAP_NONE;
    row = hm_snapshot_row(&w->s, r->layer, r->superseded_by);
  }
  const hm_row *r = &w->s.rows[row];
  hm_time until;
  hm_precision p;
  if (r->status == HM_INVALID) return HM_MAP_NONE;
  if (r->valid_until.n && hm_time_parse(r->valid_until, &until, &p) && until <= w->s.now)
    return HM_MAP_NONE;
  return row;
}

static double model_importance(const world *w, uint32_t row) {
  hm_str text = w->s.details[row].importance;
  return text.n ? atof(hm_str_z(w->a, text)) : 0.5;
}

static double model_recency(const world *w, uint32_t row, double decay) {
  hm_time created;
  hm_precision p;
  if (!w->s.rows[row].created_at.n) return 0;
  assert_true(hm_time_parse(w->s.rows[row].created_at, &created, &p));
  double days = (double)(w->s.now - created) / (double)DAY;
  return exp(-decay * (days > 0 ? days : 0));
}

/* Times that a content word of the text is in the row. */
static double model_times(hm_str text, const char *word) {
  double n = 0;
  for (size_t i = 0; i < text.n;) {
    size_t end = i;
    while (end < text.n && text.p[end] != ' ') end++;
    n += hm_str_is(hm_str_sub(text, i, end), word);
    i = end + 1;
  }
  return n;
}

static double model_length(hm_str text) {
  double n = 0;
  for (size_t i = 0; i < text.n; i++) n += text.p[i] == ' ';
  return n;
}

/* Of the texts of the store as the index has them: of an entity ". " before its description. */
static double model_bm25(const world *w, uint32_t row, const char *const *words) {
  double all = 0, score = 0;
  for (size_t i = 0; i < ROWS; i++) all += model_length(w->s.rows[i].text);
  for (; *words; words++) {
    double with = 0, tf = model_times(w->s.rows[row].text, *words);
    for (size_t i = 0; i < ROWS; i++) with += model_times(w->s.rows[i].text, *words) > 0;
    double idf = log(1 + (ROWS - with + 0.5) / (with + 0.5));
    if (tf > 0)
      score += idf * tf * 2.2 /
               (tf + 1.2 * (0.25 + 0.75 * model_length(w->s.rows[row].text) / (all / ROWS)));
  }
  return score;
}

/* --- properties ------------------------------------------------------------------- */

static size_t search(world *w, const char *text, const hm_recall_options *opt,
                     hm_recall_hit **out) {
  hm_recall_query q;
  hm_err err = { 0 };
  assert_int_equal(hm_recall_options_check(opt, &err), 0);
  hm_recall_query_parse(w->x, hm_str_c(text), w->a, &q);
  return hm_recall_search(w->x, &q, opt, 2, w->a, out);
}

/* Every part of every hit, and that no row is missing, when k lets all of them through. */
static void scores_are_those_of_the_model(void **state) {
  static const char *const words[] = { "gate", "441", "linting", NULL };
  world *w = *state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    draw(w, seed);
    hm_recall_options opt = hm_recall_default_options();
    opt.below_floor = true;
    hm_recall_hit *hits;
    bool wanted[ROWS] = { false };
    double highest = 0;
    size_t n_wanted = 0;
    opt.k = ROWS;
    size_t n = search(w, "what is the gate 441 linting", &opt, &hits);
    for (uint32_t i = 0; i < ROWS; i++) {
      uint32_t t = model_target(w, i, false);
      if (t == HM_MAP_NONE) continue;
      n_wanted += !wanted[t];
      wanted[t] = true;
      highest = fmax(highest, model_bm25(w, t, words));
    }
    assert_int_equal(n, n_wanted);
    for (size_t i = 0; i < n; i++) {
      const hm_recall_hit *h = &hits[i];
      hm_recall_query q;
      hm_recall_query_parse(w->x, HM_STR("what is the gate 441 linting"), w->a, &q);
      assert_true(wanted[h->row]);
      hm_vector own;
      hm_vector_from_text(w->x->corpus, w->x->texts[h->row], HM_VECTOR_RECALL, w->a, &own);
      assert_float_equal(h->likeness, hm_vector_cosine(&q.vector, &own), 1e-9);
      assert_float_equal(h->lexical, highest > 0 ? model_bm25(w, h->row, words) / highest : 0, 1e-9);
      assert_float_equal(h->recency, model_recency(w, h->row, 0.1), 1e-9);
      assert_float_equal(h->importance, model_importance(w, h->row), 1e-9);
      assert_float_equal(h->score,
                         0.55 * h->likeness + 0.20 * h->lexical + 0.15 * h->recency +
                             0.10 * h->importance,
                         1e-9);
    }
  }
}

static hm_time created(const world *w, uint32_t row) {
  hm_time t = HM_TIME_MIN;
  hm_precision p;
  if (w->s.rows[row].created_at.n) hm_time_parse(w->s.rows[row].created_at, &t, &p);
  return t;
}

/* By score, importance, created_at, id; the first k of a longer answer are the shorter one where
 * the pool is the same. */
static void the_order_is_total(void **state) {
  world *w = *state;
  for (uint64_t seed = 30; seed < 50; seed++) {
    draw(w, seed);
    hm_recall_options opt = hm_recall_default_options();
    hm_recall_hit *hits;
    opt.k = ROWS;
    opt.weights = (hm_recall_weights){ .importance = 1 };
    size_t n = search(w, "gate code", &opt, &hits);
    for (size_t i = 1; i < n; i++) {
      const hm_recall_hit *a = &hits[i - 1], *b = &hits[i];
      assert_true(a->score >= b->score);
      if (a->score > b->score) continue;
      assert_true(created(w, a->row) >= created(w, b->row));
      if (created(w, a->row) == created(w, b->row)) assert_true(a->row < b->row);
    }
  }
}

/* Threads and a second run change nothing; hybrid with the weight of likeness alone is likeness. */
static void weights_of_one_part_are_that_part(void **state) {
  world *w = *state;
  for (uint64_t seed = 60; seed < 80; seed++) {
    draw(w, seed);
    hm_recall_options likeness = hm_recall_default_options(), hybrid = likeness;
    hm_recall_hit *a, *b;
    likeness.likeness = true;
    hybrid.weights = (hm_recall_weights){ .likeness = 1 };
    size_t n = search(w, "deploy window python", &likeness, &a);
    assert_int_equal(search(w, "deploy window python", &hybrid, &b), n);
    for (size_t i = 0; i < n; i++) {
      assert_int_equal(a[i].row, b[i].row);
      assert_float_equal(a[i].score, b[i].score, 1e-12);
    }
    hm_recall_index *again = hm_recall_index_new(&w->s, hm_rules_default(), 1, w->a);
    assert_memory_equal(again->matrix->v, w->x->matrix->v,
                        (size_t)HM_VECTOR_DIMS * HM_MATRIX_BLOCK);
  }
}

/* A pool of one by the cosine and one by words: the best by words is in it, whatever its cosine. */
static void the_pool_has_the_best_by_words(void **state) {
  static const char *const words[] = { "1441", "leak", NULL };
  world *w = *state;
  for (uint64_t seed = 90; seed < 110; seed++) {
    draw(w, seed);
    hm_recall_options opt = hm_recall_default_options();
    hm_recall_hit *hits;
    double best = 0;
    opt.k = opt.overfetch = 1;
    opt.weights = (hm_recall_weights){ .lexical = 1 };
    assert_int_equal(search(w, "1441 leak", &opt, &hits), 1);
    for (uint32_t i = 0; i < ROWS; i++)
      if (model_target(w, i, false) == i) best = fmax(best, model_bm25(w, i, words));
    assert_true(model_bm25(w, hits[0].row, words) >= best - 1e-9);
  }
}

static void filters_and_targets(void **state) {
  world *w = *state;
  draw(w, 3);
  hm_recall_options opt = hm_recall_default_options();
  for (uint32_t i = 0; i < ROWS; i++) {
    opt.include_superseded = false;
    assert_int_equal(hm_recall_current_row(w->x, i, &opt, w->a), model_target(w, i, false));
    opt.include_superseded = true;
    assert_int_equal(hm_recall_current_row(w->x, i, &opt, w->a), model_target(w, i, true));
    opt.include_superseded = false;
    opt.type = HM_STR("Preference");
    opt.project = 1;
    uint32_t t = hm_recall_current_row(w->x, i, &opt, w->a);
    if (t != HM_MAP_NONE)
      assert_true(w->s.rows[t].project == 1 && hm_str_is(w->s.rows[t].type, "preference"));
    opt = hm_recall_default_options();
  }
}

static void odd_options_are_refused(void **state) {
  hm_recall_options opt = hm_recall_default_options();
  hm_err err = { 0 };
  (void)state;
  opt.weights = (hm_recall_weights){ 0 };
  assert_int_equal(hm_recall_options_check(&opt, &err), -1);
  assert_string_equal(err.field, "weights");
  opt.weights.recency = -1;
  assert_int_equal(hm_recall_options_check(&opt, &err), -1);
  opt = hm_recall_default_options();
  opt.k = 0;
  assert_int_equal(hm_recall_options_check(&opt, &err), -1);
  assert_int_equal(hm_recall_weights_parse(HM_STR("lexical=0.5, recency=0"), &opt.weights, &err),
                   0);
  assert_true(opt.weights.lexical == 0.5 && opt.weights.recency == 0 &&
              opt.weights.likeness == 0.55);
  static const char *const odd[] = { "lexical", "lexical=", "lexical=x", "age=1", "=1", "," };
  for (size_t i = 0; i < HM_COUNT(odd); i++)
    assert_int_equal(hm_recall_weights_parse(hm_str_c(odd[i]), &opt.weights, &err), -1);
}

/* --- words and vectors -------------------------------------------------------------- */

static void words_of_a_text(void **state) {
  static const char *const expected[] = { "don't", "use", "memorystore", "recall", "pr", "441",
                                          "kim",   "strasse", "e0502",   "it" };
  world *w = *state;
  hm_terms t = hm_terms_begin(HM_STR("Don\xe2\x80\x99t use MemoryStore.recall (PR #441)! Kim's "
                                     "STRASSE, E0502 it's'"),
                              w->a);
  hm_str word;
  size_t n = 0, from, to;
  while (hm_terms_next(&t, &word, &from, &to)) {
    if (n == HM_COUNT(expected) || !hm_str_is(word, expected[n])) fail_msg("%zu: %.*s", n, HM_FMT(word));
    assert_true(from < to && to <= t.text.n);
    n++;
  }
  assert_int_equal(n, HM_COUNT(expected));
  assert_true(hm_term_is_negator(HM_STR("don't")) && hm_term_is_function(HM_STR("never")));
  assert_false(hm_term_is_negator(HM_STR("note")) || hm_term_is_function(HM_STR("ruff")));
}

/* Of scripts without spaces, pairs of letters; offsets are in the text. */
static void words_without_spaces(void **state) {
  static const char *const expected[] = { "pg", "\xe6\x95\xb0\xe6\x8d\xae", "\xe6\x8d\xae\xe5\xba\x93", "17", "\xe8\x8c\xb6",
                                          "\xe3\x81\x8c\xe3\x82\xbf" };
  world *w = *state;
  hm_terms t = hm_terms_begin(HM_STR("PG\xe6\x95\xb0\xe6\x8d\xae\xe5\xba\x93" "17\xe8\x8c\xb6, \xe3\x81\x8b\xe3\x82\x99\xef\xbe\x80"), w->a);
  hm_str word;
  size_t n = 0, from, to;
  while (hm_terms_next(&t, &word, &from, &to)) {
    if (n == HM_COUNT(expected) || !hm_str_is(word, expected[n])) fail_msg("%zu: %.*s", n, HM_FMT(word));
    assert_true(from < to && to <= t.text.n);
    n++;
  }
  assert_int_equal(n, HM_COUNT(expected));
}

static void similar_texts_have_similar_vectors(void **state) {
  static const char *const texts[] = { "Use ruff for linting the services",
                                       "Use ruff for linting services", "linters of the service",
                                       "PR 441 closes the leak", "PR 414 closes the leak", "" };
  world *w = *state;
  hm_str all[HM_COUNT(texts)];
  hm_vector v[HM_COUNT(texts)];
  for (size_t i = 0; i < HM_COUNT(texts); i++) all[i] = hm_str_c(texts[i]);
  hm_corpus *c = hm_corpus_new(all, HM_COUNT(texts), 1, w->a, v);
  assert_true(hm_vector_cosine(&v[0], &v[0]) > 0.9999);
  assert_true(hm_vector_cosine(&v[0], &v[1]) > 0.95);
  assert_true(hm_vector_cosine(&v[0], &v[2]) > 0.3);
  assert_true(hm_vector_cosine(&v[0], &v[3]) < 0.2);
  assert_true(hm_vector_cosine(&v[3], &v[4]) < 0.85);
  assert_true(hm_vector_cosine(&v[0], &v[5]) == 0);
  hm_vector again;
  hm_vector_from_text(c, all[3], HM_VECTOR_RECALL, w->a, &again);
  assert_memory_equal(&again, &v[3], sizeof again);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(scores_are_those_of_the_model, begin, end),
    cmocka_unit_test_setup_teardown(the_order_is_total, begin, end),
    cmocka_unit_test_setup_teardown(weights_of_one_part_are_that_part, begin, end),
    cmocka_unit_test_setup_teardown(the_pool_has_the_best_by_words, begin, end),
    cmocka_unit_test_setup_teardown(filters_and_targets, begin, end),
    cmocka_unit_test_setup_teardown(odd_options_are_refused, begin, end),
    cmocka_unit_test_setup_teardown(words_of_a_text, begin, end),
    cmocka_unit_test_setup_teardown(words_without_spaces, begin, end),
    cmocka_unit_test_setup_teardown(similar_texts_have_similar_vectors, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
