#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "core/base/str.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_base_thorough.h"

static void add_keeps_and_set_replaces(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new();
  hm_map m;
  hm_map_init(&m, a, 0);
  assert_int_equal(hm_map_get(&m, HM_STR("x")), HM_MAP_NONE);
  assert_int_equal(hm_map_add(&m, HM_STR("x"), 1), 1);
  assert_int_equal(hm_map_add(&m, HM_STR("x"), 2), 1);
  hm_map_set(&m, HM_STR("x"), 3);
  assert_int_equal(hm_map_get(&m, HM_STR("x")), 3);
  hm_map_set(&m, HM_STR("y"), 4);
  assert_int_equal(hm_map_get(&m, HM_STR("y")), 4);
  assert_int_equal(m.n, 2);
  hm_arena_free(a);
}

static void keys_are_bytes(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new();
  hm_map m;
  hm_map_init(&m, a, 4);
  hm_map_add(&m, HM_EMPTY, 1);
  hm_map_add(&m, HM_STR("\0"), 2);
  hm_map_add(&m, HM_STR("\0\0"), 3);
  assert_int_equal(hm_map_get(&m, (hm_str){ NULL, 0 }), 1);
  assert_int_equal(hm_map_get(&m, HM_STR("\0")), 2);
  assert_int_equal(hm_map_get(&m, HM_STR("\0\0")), 3);
  assert_int_equal(hm_map_get(&(hm_map){ 0 }, HM_STR("a")), HM_MAP_NONE);
  hm_arena_free(a);
}

static void a_map_is_what_a_plain_table_is(void **unused) {
  (void)unused;
  enum { KEYS = 5000 };
  for (size_t expect = 0; expect <= 10000; expect += 5000) {
    hm_arena *a = hm_arena_new();
    uint32_t plain[KEYS];
    memset(plain, 0xFF, sizeof plain);
    hm_map m;
    hm_map_init(&m, a, expect);
    uint64_t seed = 17;
    for (uint32_t step = 0; step < 40000; step++) {
      size_t k = prng(&seed) % KEYS;
      hm_str key = hm_str_fmt(a, "k%zu", k);
      uint64_t what = prng(&seed) % 3;
      if (what == 0) {
        if (plain[k] == HM_MAP_NONE) plain[k] = step;
        assert_int_equal(hm_map_add(&m, key, step), plain[k]);
      } else if (what == 1 && step % 5 == 0) {
        hm_map_set(&m, key, plain[k] = step);
      }
      assert_int_equal(hm_map_get(&m, key), plain[k]);
    }
    for (size_t k = 0; k < KEYS; k++)
      assert_int_equal(hm_map_get(&m, hm_str_fmt(a, "k%zu", k)), plain[k]);
    hm_arena_free(a);
  }
}

/* XXH3 multiplies the two words of a lane after mixing them with its secret: a
 * word that makes one factor 0 hides the other, if the seed is known. */
static void keys_that_collide_under_seed_0_do_no_harm(void **unused) {
  (void)unused;
  enum { KEYS = 200000, LEN = 32 };
  const uint64_t secret = 0xBE4BA423396CFEB8u;   /* the first word of kSecret, little-endian */
  hm_arena *a = hm_arena_new();
  hm_map m;
  hm_map_init(&m, a, KEYS);
  uint64_t first = 0;
  bool collide = true;
  double begun = computed();
  for (uint64_t i = 0; i < KEYS; i++) {
    char *p = hm_alloc(a, LEN);
    memcpy(p, &secret, 8);
    memcpy(p + 8, &i, 8);
    hm_str key = { p, LEN };
    if (i == 0) first = hm_str_hash(key);
    collide = collide && hm_str_hash(key) == first;
    assert_int_equal(hm_map_add(&m, key, (uint32_t)i), i);
  }
  assert_int_equal(m.n, KEYS);
  assert_true(collide);   /* else this test tests nothing */
  expect_within(2, begun, "keys");
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(add_keeps_and_set_replaces),
    cmocka_unit_test(keys_are_bytes),
    cmocka_unit_test(a_map_is_what_a_plain_table_is),
    cmocka_unit_test(keys_that_collide_under_seed_0_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
