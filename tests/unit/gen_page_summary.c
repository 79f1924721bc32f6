/* Sentences of what a page holds, and the names of parts by ranges of numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gen/page/model.h"

static void facts_in_words(void **state) {
  static const struct { int64_t rows[5]; const char *words; } cases[] = {
    { { 0 }, "nothing" },
    { { [HM_STATE] = 1 }, "1 curated value" },
    { { [HM_STATE] = 2, [HM_ENTITY] = 1 }, "2 curated values and 1 entity" },
    { { [HM_ENTITY] = 1234567, [HM_MEMORY] = 1, [HM_RELATION] = 999 },
      "1,234,567 entities, 1 memory and 999 relations" },
    { { [HM_STATE] = 1000, [HM_ENTITY] = 2, [HM_MEMORY] = 3, [HM_RELATION] = 1 },
      "1,000 curated values, 2 entities, 3 memories and 1 relation" } };
  (void)state;
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    assert_string_equal(hm_str_z(a, hm_format_fact_counts(a, cases[i].rows)), cases[i].words);
  hm_arena_free(a);
}

static void doubts_in_words(void **state) {
  static const struct { hm_doubts n; const char *words; } cases[] = {
    { { 0 }, "Nothing is disputed" },
    { { .disputed = 1 }, "1 value is disputed" },
    { { .disputed = 4, .signoff = 1 }, "4 values are disputed and 1 waits for sign-off" },
    { { .findings = 2 }, "Nothing is disputed and 2 findings stand" },
    { { .disputed = 2, .signoff = 2, .findings = 1, .unknown = 3 },
      "2 values are disputed, 2 wait for sign-off, 1 finding stands and 3 things are not known" } };
  (void)state;
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    assert_string_equal(hm_str_z(a, hm_format_doubt_counts(a, &cases[i].n)), cases[i].words);
  hm_arena_free(a);
}

/* --- ranges of numbers ------------------------------------------------------------- */

enum { MOST = 400 };

typedef struct { hm_arena *a; hm_str keys[MOST]; uint32_t n; } key_list;

static int by_bytes(const void *x, const void *y) {
  return hm_str_cmp(*(const hm_str *)x, *(const hm_str *)y);
}

static void add_key(key_list *l, const char *name) {
  hm_str key = hm_str_fmt(l->a, "%s|id%u", name, l->n);
  ((char *)key.p)[strlen(name)] = 0;
  l->keys[l->n++] = hm_split_key(l->a, key);
}

static void add_numbers(key_list *l, const char *form, unsigned from, unsigned to) {
  for (unsigned i = from; i <= to; i++) add_key(l, hm_str_z(l->a, hm_str_fmt(l->a, form, i)));
}

/* "label: count" of each piece. */
static const char *cut(key_list *l, size_t limit, const char *name) {
  hm_piece *p;
  uint32_t n, at = 0;
  hm_buf b = { 0 };
  qsort(l->keys, l->n, sizeof *l->keys, by_bytes);
  hm_split_list(l->keys, l->n, limit, NULL, NULL, HM_SPLIT_NAME, l->a, &p, &n);
  for (uint32_t i = 0; i < n; i++) {
    assert_int_equal(p[i].from, at);
    at = p[i].to;
    hm_buf_fmt(&b, "%.*s: %u\n", HM_FMT(hm_piece_label(l->a, &p[i], hm_str_c(name))),
               p[i].to - p[i].from);
  }
  assert_int_equal(at, l->n);
  return hm_str_z(l->a, hm_buf_take(&b, l->a));
}

static void numbers_are_cut_by_fixed_ranges(void **state) {
  (void)state;
  key_list l = { .a = hm_arena_new() };
  add_numbers(&l, "pep %u", 8, 12);
  add_numbers(&l, "pep %u", 290, 420);
  add_key(&l, "pep 3000");
  assert_string_equal(cut(&l, 100, "PEP 8: Style"),
                      "PEP 0 to 99: 5\nPEP 200 to 299: 10\nPEP 300 to 399: 100\n"
                      "PEP 400 to 499: 21\nPEP 3000 to 3999: 1\n");
  assert_string_equal(cut(&l, 60, "other name"),
                      "pep 0 to 99: 5\npep 200 to 299: 10\npep 300 to 349: 50\n"
                      "pep 350 to 399: 50\npep 400 to 499: 21\npep 3000 to 3999: 1\n");
  hm_arena_free(l.a);
}

/* Whatever comes: the ranges that do not overflow stay. */
static void a_new_number_moves_no_other(void **state) {
  (void)state;
  key_list l = { .a = hm_arena_new() };
  add_numbers(&l, "req_%u", 100, 210);
  const char *before = cut(&l, 60, "REQ-100");
  add_key(&l, "req_12000");
  assert_string_equal(hm_str_z(l.a, hm_str_fmt(l.a, "%sREQ-10000 to 19999: 1\n", before)),
                      cut(&l, 60, "REQ-100"));
  hm_arena_free(l.a);
}

static void names_and_numbers_together(void **state) {
  (void)state;
  key_list l = { .a = hm_arena_new() };
  add_numbers(&l, "r%u", 1, 4);
  add_key(&l, "rack");
  add_key(&l, "rig");
  add_key(&l, "007");
  assert_string_equal(cut(&l, 2, ""), "0-9: 1\nr1: 1\nr2: 1\nr3: 1\nr4: 1\nra to rc: 1\nrg to ri: 1\n");
  hm_arena_free(l.a);
}

/* By value, not by bytes; too many digits are no number, and the id stays as it is. */
static void keys_sort_by_value(void **state) {
  static const char *const order[] = { "a 2", "a 10", "a 010 b", "a 100", "a b" };
  (void)state;
  hm_arena *a = hm_arena_new();
  for (size_t i = 1; i < HM_COUNT(order); i++)
    assert_true(hm_str_cmp(hm_split_key(a, hm_str_c(order[i - 1])),
                           hm_split_key(a, hm_str_c(order[i]))) < 0);
  hm_str plain = { "name\0e12", 8 };
  assert_ptr_equal(hm_split_key(a, plain).p, plain.p);
  assert_true(hm_str_is(hm_split_key(a, HM_STR("x1234567890")), "x1234567890"));
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(facts_in_words),
                                      cmocka_unit_test(doubts_in_words),
                                      cmocka_unit_test(numbers_are_cut_by_fixed_ranges),
                                      cmocka_unit_test(a_new_number_moves_no_other),
                                      cmocka_unit_test(names_and_numbers_together),
                                      cmocka_unit_test(keys_sort_by_value) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
