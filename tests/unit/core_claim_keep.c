/* What is kept of rows that did not change gives what reading all of them gives. */
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_claim_help.h"

enum { MOST = 400 };

static hm_arena *A;
static uint64_t seed = 3;

#define PICK(list) (list)[prng(&seed) % (sizeof(list) / sizeof *(list))]

static const char *const keys[] = { "frame mass", "gain", "gain_code", "lens / pitch", "r7 / pitch" };
static const char *const words[] = { "5 kg", "5000 g", "5 kg.", "PEEK", "[1,2]", "6 kg", "", "true" };
static const char *const types[] = { "Parameter", "Parameter", "Parameter", "Subsystem" };
static const char *const categories[] = { "fact", "fact", "parameter", "gizmo" };
static const char *const names[] = { "Lens", "Mount", "" };
/* Only r1 is ever a gizmo. Of r3 and r7 the names go into the slots of others, if they are entities. */
static const char *const props[] = {
  "{\"parameter_scope\":\"r3\",\"parameter\":\"gain\",\"value\":\"5 kg\"}", "{\"parameter_scope\":\"entity:r7\",\"parameter\":\"pitch\",\"value\":\"6 kg\"}",
  "{\"parameter_scope\":\"lens\",\"parameter\":\"gain\",\"value\":\"7 kg\"}", "{\"parameter_scope\":\"mount\",\"parameter\":\"pitch\",\"value\":5}",
  "{\"value\":{}}", "[1]", "{\"parameter\":", "",
};
static const char *const contents[] = { "gain is 5 kg", "gain: 6 kg", "frame mass is 5 kg", "prefers rebase workflow", "prefers merge workflow", "hm" };
static const char *const memory_types[] = { "knowledge", "preference", "identity" };

static hm_row random_row(hm_layer layer, const char *id) {
  hm_row r = layer == HM_MEMORY ? help_row(layer, id, PICK(memory_types), "", PICK(contents))
           : layer == HM_ENTITY ? help_row(layer, id, strcmp(id, "r1") == 0 && prng(&seed) % 2 ? "Gizmo" : PICK(types), PICK(names), PICK(props))
                                : help_row(layer, id, PICK(categories), PICK(keys), PICK(words));
  r.project = (uint32_t)(1 + prng(&seed) % 2);
  if (prng(&seed) % 15 == 0) r.valid_from = HM_STR("soon");
  if (prng(&seed) % 9 == 0) r.status = HM_SUPERSEDED;
  return r;
}

/* --- the same claims --------------------------------------------------------------- */

static bool same_claim(const hm_claim *a, const hm_claim *b) {
  return a->row == b->row && a->hash == b->hash && a->from == b->from && a->until == b->until && a->stands == b->stands &&
         hm_str_eq(a->name, b->name) && hm_str_eq(a->field, b->field) && hm_str_eq(a->compare, b->compare) &&
         hm_str_eq(a->value.raw, b->value.raw) && hm_str_eq(a->value.key, b->value.key);
}

static void check_again(hm_claims_keep *k, const hm_snapshot *s) {
  hm_claims *all, *again;
  hm_err err;
  assert_int_equal(hm_claims_contested(s, hm_rules_default(), 1, &all, &err), 0);
  assert_int_equal(hm_claims_contested_again(k, s, hm_rules_default(), 1 + (int)(prng(&seed) % 4), &again, &err), 0);
  assert_int_equal(again->n, all->n);
  assert_int_equal(again->total, all->total);
  assert_int_equal(again->slots, all->slots);
  assert_int_equal(again->n_findings, all->n_findings);
  assert_memory_equal(again->speaks, all->speaks, s->n_rows);
  for (size_t i = 0; i < all->n; i++) assert_true(same_claim(&all->claims[i], &again->claims[i]));
  for (size_t i = 0; i < all->n_findings; i++)
    assert_true(hm_str_eq(all->findings[i].id, again->findings[i].id) && hm_str_eq(all->findings[i].message, again->findings[i].message));
  hm_claims_free(all);
  hm_claims_free(again);
}

/* --- rows that come and change --------------------------------------------------------- */

typedef struct { hm_row rows[MOST]; size_t n; hm_str updated[MOST], inserted[MOST]; hm_layer of[2][MOST]; hm_follow_news news; } world;

static hm_row *find(world *w, hm_layer layer, hm_str id) {
  for (size_t i = 0; i < w->n; i++)
    if (w->rows[i].layer == layer && hm_str_eq(w->rows[i].id, id)) return &w->rows[i];
  return NULL;
}

static bool is_told(const world *w, hm_layer layer, hm_str id) {
  for (size_t i = 0; i < w->news.n_updated; i++)
    if (w->of[0][i] == layer && hm_str_eq(w->updated[i], id)) return true;
  for (size_t i = 0; i < w->news.n_inserted; i++)
    if (w->of[1][i] == layer && hm_str_eq(w->inserted[i], id)) return true;
  return false;
}

static void change_one(world *w) {
  hm_layer layer = (hm_layer)(1 + prng(&seed) % 4);
  hm_str id = hm_str_fmt(A, "r%u", (unsigned)(prng(&seed) % 60));
  hm_row now = random_row(layer, id.p), *was = find(w, layer, id);
  if (is_told(w, layer, id) || (!was && w->n == MOST)) return;
  if (was) {
    now.project = was->project;
    w->news.names |= layer == HM_ENTITY && !hm_str_eq(now.name, was->name);
    w->news.types |= layer == HM_ENTITY && !hm_str_eq(now.type, was->type);
    w->of[0][w->news.n_updated] = layer;
    w->updated[w->news.n_updated++] = id;
    *was = now;
    return;
  }
  w->news.names |= layer == HM_ENTITY;
  w->of[1][w->news.n_inserted] = layer;
  w->inserted[w->news.n_inserted++] = id;
  w->rows[w->n++] = now;
}

static int by_number(const void *x, const void *y) { return (*(const uint32_t *)x > *(const uint32_t *)y) - (*(const uint32_t *)x < *(const uint32_t *)y); }

static uint32_t *numbers(const hm_snapshot *s, const hm_layer *of, const hm_str *ids, size_t n) {
  uint32_t *out = hm_alloc_array(A, n + 1, sizeof *out);
  for (size_t i = 0; i < n; i++) out[i] = hm_snapshot_row(s, of[i], ids[i]);
  if (n) qsort(out, n, sizeof *out, by_number);
  return out;
}

static hm_snapshot snapshot_of(world *w) {
  hm_row *rows = hm_alloc_array(A, w->n + 1, sizeof *rows);
  memcpy(rows, w->rows, w->n * sizeof *rows);
  hm_snapshot s = help_snapshot(A, rows, w->n);
  w->news.updated = numbers(&s, w->of[0], w->updated, w->news.n_updated);
  w->news.inserted = numbers(&s, w->of[1], w->inserted, w->news.n_inserted);
  return s;
}

static void kept_or_read_anew(void **state) {
  world *w = calloc(1, sizeof *w);
  hm_claims_keep *k = hm_claims_keep_new();
  (void)state;
  for (int i = 0; i < 1500; i++) {
    w->news = (hm_follow_news){ .all = prng(&seed) % 40 == 0 };
    for (uint64_t n = prng(&seed) % 5; n; n--) change_one(w);
    hm_snapshot s = snapshot_of(w);
    hm_claims_keep_note(k, &s, &w->news);
    if (prng(&seed) % 4) check_again(k, &s);   /* not each time */
  }
  assert_in_range(w->n, 150, MOST);
  hm_claims_keep_free(k);
  free(w);
}

/* Enough rows for several threads and parts. */
static void many_rows(void **state) {
  enum { N = 30000 };
  hm_row *rows = hm_alloc_array(A, N, sizeof *rows);
  hm_claims_keep *k = hm_claims_keep_new();
  (void)state;
  for (size_t i = 0; i < N; i++) rows[i] = random_row((hm_layer)(1 + i % 4), hm_str_fmt(A, "r%05zu", i).p);
  hm_snapshot s = help_snapshot(A, rows, N);
  check_again(k, &s);
  for (int i = 0; i < 20; i++) {
    uint32_t at = (uint32_t)(prng(&seed) % N);
    hm_row now = random_row(rows[at].layer, rows[at].id.p);
    hm_follow_news news = { .updated = &at, .n_updated = 1, .names = now.layer == HM_ENTITY && !hm_str_eq(now.name, rows[at].name),
                            .types = now.layer == HM_ENTITY && !hm_str_eq(now.type, rows[at].type) };
    now.project = rows[at].project;
    rows[at] = now;
    hm_claims_keep_note(k, &s, &news);
    check_again(k, &s);
  }
  hm_claims_keep_free(k);
}

/* Rows that come in numbers, with slots of their own that go again, until nobody's places are where they were. */
static void come_and_go(size_t first, size_t last) {
  hm_row *rows = hm_alloc_array(A, last, sizeof *rows), *sorted = hm_alloc_array(A, last, sizeof *rows);
  hm_str *fresh = hm_alloc_array(A, last, sizeof *fresh), *changed = hm_alloc_array(A, last, sizeof *changed);
  hm_layer *of = hm_alloc_array(A, last, sizeof *of);
  hm_claims_keep *k = hm_claims_keep_new();
  size_t n = 0;
  for (size_t i = 0; i < last; i++) of[i] = HM_STATE;
  for (size_t step = 0; n < last; step++) {
    hm_follow_news news = { .all = !step };
    for (uint64_t i = prng(&seed) % 40; step && i; i--) {
      hm_row *r = &rows[prng(&seed) % n];
      bool twice = false;
      for (size_t c = 0; c < news.n_updated; c++) twice |= hm_str_eq(changed[c], r->id);
      if (twice) continue;
      r->name = hm_str_fmt(A, "key %u", (unsigned)prng(&seed) % 100000);
      r->text = PICK(words)[0] ? HM_STR("5 kg") : HM_STR("6 kg");
      changed[news.n_updated++] = r->id;
    }
    for (uint64_t i = step ? prng(&seed) % 60 : first; i && n < last; i--) {
      fresh[news.n_inserted++] = hm_str_fmt(A, "r%05u-%zu", (unsigned)prng(&seed) % 100000, n);
      rows[n++] = help_row(HM_STATE, fresh[news.n_inserted - 1].p, "fact", hm_str_fmt(A, "key %u", (unsigned)prng(&seed) % 3000).p, PICK(words));
    }
    memcpy(sorted, rows, n * sizeof *rows);
    hm_snapshot s = help_snapshot(A, sorted, n);
    news.updated = numbers(&s, of, changed, news.n_updated);
    news.inserted = numbers(&s, of, fresh, news.n_inserted);
    hm_claims_keep_note(k, &s, &news);
    check_again(k, &s);
  }
  hm_claims_keep_free(k);
}

static void rows_and_slots_that_come_and_go(void **state) {
  (void)state;
  come_and_go(10, 1000);
  come_and_go(4200, 6000);   /* in parts */
}

/* Of what was claimed before, so much is kept and no more. */
static void it_does_not_grow(void **state) {
  enum { LONG = 64 << 10, TURNS = 1000 };
  char *text = hm_alloc(A, LONG + 1);
  (void)state;
  for (int layer = HM_ENTITY; layer <= HM_STATE; layer++) {
    hm_claims_keep *k = hm_claims_keep_new();
    memset(text, 'x', LONG);
    hm_row rows[] = { help_row((hm_layer)layer, "a", layer == HM_STATE ? "fact" : "Part", "gain", layer == HM_STATE ? "5 kg" : "{\"mass\":5}"),
                      help_row((hm_layer)layer, "b", layer == HM_STATE ? "fact" : "Part", "gain", "") };
    for (uint32_t i = 0; i < TURNS; i++) {
      text[9] = (char)('a' + i % 26);
      if (layer == HM_STATE) rows[1].text = hm_str_c(text);
      else rows[1].props = hm_str_fmt(A, "{\"mass\":\"%s\"}", text);
      hm_snapshot s = help_snapshot(A, rows, 2);
      hm_follow_news news = { .all = i == 0, .updated = &(uint32_t){ 1 }, .n_updated = i > 0 };
      hm_claims_keep_note(k, &s, &news);
      check_again(k, &s);
      assert_in_range(hm_claims_keep_held(k), 0, 2 * (8 << 20) + 64 * LONG);
    }
    hm_claims_keep_free(k);
  }
}

static int setup(void **state) { (void)state; A = hm_arena_new(); return 0; }
static int teardown(void **state) { (void)state; hm_arena_free(A); return 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(kept_or_read_anew, setup, teardown),
    cmocka_unit_test_setup_teardown(many_rows, setup, teardown),
    cmocka_unit_test_setup_teardown(rows_and_slots_that_come_and_go, setup, teardown),
    cmocka_unit_test_setup_teardown(it_does_not_grow, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
