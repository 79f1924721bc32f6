/* data/changes.jsonl: written and read back, bounded, and no line of it can break the reading. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "gen/page/changes_file.h"
#include "tests/unit/core_base_prng.h"

static hm_str any_text(uint64_t *r, hm_arena *a) {
  static const char *const pieces[] = { "a", "\"", "\\", "\n", "\xe2\x80\xae", "{", "}", " ", "é", "<" };
  hm_buf b = { 0 };
  for (size_t n = prng(r) % 12; n > 0; n--) hm_buf_c(&b, pieces[prng(r) % HM_COUNT(pieces)]);
  return b.n ? hm_buf_take(&b, a) : HM_EMPTY;
}

static hm_changes any_changes(uint64_t *r, hm_arena *a) {
  static const char *const events[] = { "changed", "disputed", "settled", "odd" };
  hm_changes c = { hm_alloc_array(a, 8, sizeof *c.v), prng(r) % 8 };
  for (size_t i = 0; i < c.n; i++) {
    hm_published *p = &c.v[i];
    *p = (hm_published){ (int64_t)i + 1, prng(r) % 2 ? HM_STR("2026-04-02T09:00:00Z") : HM_EMPTY,
                         (int64_t)(prng(r) % 50), prng(r) % 4, i == 0, NULL, prng(r) % 5, NULL, prng(r) % 3 };
    p->v = hm_alloc_array(a, p->n + 1, sizeof *p->v);
    p->more = hm_alloc_array(a, p->n_more + 1, sizeof *p->more);
    for (size_t k = 0; k < p->n; k++) {
      hm_change_line *x = &p->v[k];
      *x = (hm_change_line){ hm_str_c(events[prng(r) % 4]), any_text(r, a), any_text(r, a),
                             any_text(r, a), any_text(r, a), NULL, NULL, prng(r) % 3 };
      x->rows = hm_alloc_array(a, x->n_rows + 1, sizeof *x->rows);
      x->fields = hm_alloc_array(a, x->n_rows + 1, sizeof *x->fields);
      for (size_t m = 0; m < x->n_rows; m++) x->rows[m] = x->fields[m] = any_text(r, a);
    }
    for (size_t k = 0; k < p->n_more; k++)
      p->more[k] = (hm_more_changes){ any_text(r, a), (int64_t)(prng(r) % 1000) };
  }
  return c;
}

static hm_str written(const hm_changes *c, hm_arena *a) {
  hm_buf b = { 0 };
  hm_changes_write(c, &b);
  return hm_buf_take(&b, a);
}

static void reads_what_it_wrote(void **state) {
  (void)state;
  uint64_t r = 11;
  for (int i = 0; i < 500; i++) {
    hm_arena *a = hm_arena_new();
    hm_changes c = any_changes(&r, a), again;
    hm_str once = written(&c, a);
    assert_true(hm_changes_parse(once, a, &again));
    assert_int_equal(again.n, c.n);
    hm_str twice = written(&again, a);
    assert_int_equal(once.n, twice.n);
    assert_memory_equal(once.p, twice.p, once.n);
    hm_arena_free(a);
  }
}

/* A broken byte costs lines, never the process; what is read can be written. */
static void broken_bytes(void **state) {
  (void)state;
  uint64_t r = 5;
  for (int i = 0; i < 2000; i++) {
    hm_arena *a = hm_arena_new();
    hm_changes c = any_changes(&r, a), again;
    hm_str good = written(&c, a);
    char *bad = hm_alloc(a, good.n + 1);
    memcpy(bad, good.p, good.n);
    for (size_t k = prng(&r) % 4; k > 0; k--) bad[prng(&r) % good.n] = (char)prng(&r);
    hm_changes_parse((hm_str){ bad, prng(&r) % (good.n + 1) }, a, &again);
    written(&again, a);
    assert_true(again.n <= c.n);
    hm_arena_free(a);
  }
}

static void no_file_of_ours(void **state) {
  (void)state;
  static const char *const files[] = { "", "{}", "{\"kind\":\"mirror-data\",\"format\":2}\n", "x\n" };
  hm_arena *a = hm_arena_new();
  hm_changes c;
  for (size_t i = 0; i < HM_COUNT(files); i++) {
    assert_false(hm_changes_parse(hm_str_c(files[i]), a, &c));
    assert_int_equal(c.n, 0);
  }
  hm_arena_free(a);
}

static void the_oldest_go_first(void **state) {
  (void)state;
  enum { N = 230 };
  hm_arena *a = hm_arena_new();
  hm_changes c = { hm_alloc_array(a, N, sizeof *c.v), N };
  for (size_t i = 0; i < N; i++) c.v[i] = (hm_published){ .number = (int64_t)i + 1, .at = HM_EMPTY };
  hm_changes_drop_oldest(&c);
  assert_int_equal(c.n, HM_CHANGES_PUBLICATIONS);
  assert_int_equal(c.v[0].number, N - HM_CHANGES_PUBLICATIONS + 1);
  /* The newest stays, however long it is. */
  char *text = hm_alloc(a, HM_CHANGES_BYTES);
  memset(text, 'x', HM_CHANGES_BYTES);
  hm_change_line line = { .event = HM_STR("changed"), .project = HM_EMPTY, .subject = HM_EMPTY,
                          .text = { text, HM_CHANGES_BYTES }, .conflict = HM_EMPTY };
  c.v[c.n - 1].v = &line;
  c.v[c.n - 1].n = 1;
  hm_changes_drop_oldest(&c);
  assert_int_equal(c.n, 1);
  assert_int_equal(c.v[0].number, N);
  hm_arena_free(a);
}

static void sorts(void **state) {
  (void)state;
  static const struct { const char *event; hm_change_sort sort; } cases[] = {
    { "disputed", HM_CHANGE_OPENED }, { "reopened", HM_CHANGE_OPENED },
    { "members", HM_CHANGE_SIDES },   { "settled", HM_CHANGE_SETTLED },
    { "quiet", HM_CHANGE_SETTLED },   { "changed", HM_CHANGE_FACT },
    { "dropped", HM_CHANGE_FACT },    { "", HM_CHANGE_FACT },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    assert_int_equal(hm_classify_change(hm_str_c(cases[i].event)), cases[i].sort);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(reads_what_it_wrote), cmocka_unit_test(broken_bytes),
    cmocka_unit_test(no_file_of_ours),     cmocka_unit_test(the_oldest_go_first),
    cmocka_unit_test(sorts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
