/* Orders of strings and numbers, over random ones: those that comparisons give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/sort.h"
#include "tests/unit/core_base_prng.h"

enum { MOST = 300, LONGEST = 14 };

/* Strings of few letters and NULs, most with the same beginning. */
static hm_str random_string(uint64_t *seed, char *room) {
  size_t n = prng(seed) % LONGEST, same = prng(seed) % 4 ? 3 : 0;
  for (size_t i = 0; i < n; i++) room[i] = i < same ? 'p' : "\0ab\xff"[prng(seed) % 4];
  return (hm_str){ room, n };
}

static void strings_are_in_byte_order(void **unused) {
  (void)unused;
  char rooms[MOST][LONGEST];
  hm_str v[MOST];
  uint32_t order[MOST];
  int moved = 0;
  for (uint64_t round = 0; round < 400; round++) {
    uint64_t seed = round;
    size_t n = 1 + prng(&seed) % (MOST - 1);
    for (size_t i = 0; i < n; i++) v[i] = random_string(&seed, rooms[i]);
    bool sorted = true;
    for (size_t i = 1; i < n; i++) sorted = sorted && hm_str_cmp(v[i - 1], v[i]) <= 0;
    assert_int_equal(hm_strs_order(v, sizeof *v, n, order), !sorted);
    if (sorted) continue;
    moved++;
    bool seen[MOST] = { 0 };
    for (size_t i = 0; i < n; i++) {
      assert_false(seen[order[i]]);
      seen[order[i]] = true;
      int d = i ? hm_str_cmp(v[order[i - 1]], v[order[i]]) : -1;
      assert_true(d < 0 || (d == 0 && order[i - 1] < order[i]));
    }
  }
  assert_true(moved > 300);
}

/* Strings that go on alike further than a sort looks before it compares. */
static void long_strings_are_in_byte_order(void **unused) {
  (void)unused;
  enum { LONG = 600, N = 120 };
  static char rooms[N][LONG];
  hm_str v[N];
  uint32_t order[N];
  uint64_t seed = 1;
  for (int round = 0; round < 40; round++) {
    for (int i = 0; i < N; i++) {
      memset(rooms[i], round % 2 ? 0 : 'x', LONG);
      for (int k = 0; k < 3; k++) rooms[i][prng(&seed) % LONG] = "\0y"[prng(&seed) % 2];
      v[i] = (hm_str){ rooms[i], prng(&seed) % 3 ? LONG : prng(&seed) % LONG };
    }
    assert_true(hm_strs_order(v, sizeof *v, N, order));
    for (int i = 1; i < N; i++) {
      int d = hm_str_cmp(v[order[i - 1]], v[order[i]]);
      assert_true(d < 0 || (d == 0 && order[i - 1] < order[i]));
    }
  }
}

static void strings_have_numbers(void **unused) {
  (void)unused;
  char rooms[MOST][LONGEST];
  hm_str v[MOST];
  uint32_t number[MOST];
  for (uint64_t round = 0; round < 100; round++) {
    uint64_t seed = round;
    size_t n = prng(&seed) % MOST, last = 0;
    for (size_t i = 0; i < n; i++) v[i] = random_string(&seed, rooms[i]);
    size_t count = hm_strs_number(v, sizeof *v, n, number);
    for (size_t i = 0; i < n; i++) {
      if (number[i] > last) last = number[i];
      for (size_t k = 0; k < n; k++) {
        int d = hm_str_cmp(v[i], v[k]);
        assert_int_equal((d > 0) - (d < 0), (number[i] > number[k]) - (number[i] < number[k]));
      }
    }
    assert_int_equal(count, n ? last + 1 : 0);
  }
}

static int by_number(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return (a > b) - (a < b);
}

static void numbers_are_in_order(void **unused) {
  (void)unused;
  for (uint64_t round = 0; round < 400; round++) {
    uint64_t seed = round, v[MOST], want[MOST];
    size_t n = prng(&seed) % MOST;
    int shift = (int)(prng(&seed) % 64);
    for (size_t i = 0; i < n; i++) v[i] = want[i] = prng(&seed) >> shift << prng(&seed) % 3;
    if (n) qsort(want, n, sizeof *want, by_number);
    hm_numbers_sort(v, n);
    if (n) assert_memory_equal(v, want, n * sizeof *v);
  }
}

/* Of items with a key as their first member, some of them equal: the first that is not less. */
static void lower_bound_is_the_first_not_less(void **unused) {
  (void)unused;
  for (uint64_t round = 0; round < 400; round++) {
    struct { uint32_t key; char more; } v[MOST];
    hm_str texts[MOST];
    char rooms[MOST][LONGEST];
    uint64_t seed = round;
    size_t n = prng(&seed) % 30;
    for (size_t i = 0; i < n; i++) v[i].key = (uint32_t)i / 3 * 2;
    for (size_t i = 0; i < n; i++) texts[i] = random_string(&seed, rooms[i]);
    hm_strs_sort(texts, n);
    for (uint32_t key = 0; key < 24; key++) {
      size_t want = 0;
      while (want < n && v[want].key < key) want++;
      assert_int_equal(hm_lower_bound(v, n, sizeof *v, &key, hm_order_u32), want);
    }
    for (size_t i = 0; i < n; i++) {
      size_t want = 0;
      while (hm_str_cmp(texts[want], texts[i]) < 0) want++;
      assert_int_equal(hm_lower_bound(texts, n, sizeof *texts, &texts[i], hm_order_str), want);
    }
  }
  assert_int_equal(hm_lower_bound(NULL, 0, 4, &(uint32_t){ 1 }, hm_order_u32), 0);
}

static int sign(int x) { return (x > 0) - (x < 0); }

/* Of two members the second decides where the first is the same, whatever stands behind it. */
static void two_members_decide_in_their_order(void **unused) {
  (void)unused;
  struct { uint32_t a, b, more; } p[] = { { 1, 9, 0 }, { 2, 3, 7 }, { 2, 3, 1 }, { 2, 4, 0 } };
  struct { uint64_t a; uint32_t b; } q[] = { { 7, UINT32_MAX }, { UINT64_C(1) << 40, 1 }, { UINT64_C(1) << 40, 1 }, { UINT64_C(1) << 40, 2 } };
  struct { uint32_t a; hm_str b; } r[] = { { 1, HM_STR("z") }, { 2, HM_STR("a") }, { 2, HM_STR("a") }, { 2, HM_STR("aa") } };
  static const int of[] = { 0, 1, 1, 2 };
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++) {
      assert_int_equal(sign(hm_order_u32_pair(&p[i], &p[k])), sign(of[i] - of[k]));
      assert_int_equal(sign(hm_order_u64_u32(&q[i], &q[k])), sign(of[i] - of[k]));
      assert_int_equal(sign(hm_order_u32_str(&r[i], &r[k])), sign(of[i] - of[k]));
    }
}

static void words_of_a_table_are_found(void **unused) {
  (void)unused;
  static const struct { const char *word; int n; } table[] = { { "", 0 }, { "a", 1 }, { "ab", 2 }, { "b", 3 }, { "\xc3\xa9", 4 } };
  static const char *const others[] = { " ", "aa", "abc", "c", "\xc3" };
  for (int i = 0; i < 5; i++) {
    hm_str word = hm_str_c(table[i].word), other = hm_str_c(others[i]);
    assert_ptr_equal(bsearch(&word, table, 5, sizeof *table, hm_order_word), &table[i]);
    assert_ptr_equal(bsearch(table[i].word, table, 5, sizeof *table, hm_order_name), &table[i]);
    assert_null(bsearch(&other, table, 5, sizeof *table, hm_order_word));
    assert_null(bsearch(others[i], table, 5, sizeof *table, hm_order_name));
  }
  const int64_t times[] = { INT64_MIN, -1, 0, INT64_MAX };
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++) assert_int_equal(sign(hm_order_i64(&times[i], &times[k])), sign(i - k));
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(strings_are_in_byte_order),
                                      cmocka_unit_test(long_strings_are_in_byte_order),
                                      cmocka_unit_test(strings_have_numbers),
                                      cmocka_unit_test(numbers_are_in_order),
                                      cmocka_unit_test(lower_bound_is_the_first_not_less),
                                      cmocka_unit_test(two_members_decide_in_their_order),
                                      cmocka_unit_test(words_of_a_table_are_found) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
