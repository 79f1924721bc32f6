/* Answers of a model that makes vectors: what is read, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/recall/embed.h"
#include "tests/unit/core_base_prng.h"

static const char GOOD[] =
    "{\"object\":\"list\",\"data\":[{\"index\":1,\"embedding\":[0,-2,1]},"
    "{\"index\":0,\"embedding\":[0.5,0.25,-5e-1]}],\"usage\":{\"total_tokens\":3}}";

static int read_answer(const char *body, size_t n, int dims, hm_arena *a, hm_embedded *out) {
  hm_err err = { 0 };
  int rc = hm_embed_parse_answer(hm_str_c(body), n, dims, a, out, &err);
  if (rc) assert_true(err.code == HM_E_INPUT && *err.why && *err.fix);
  return rc;
}

static void vectors_go_where_their_index_says(void **state) {
  static const int8_t expected[] = { 127, 64, -127, 0, -127, 64 };
  hm_arena *a = hm_arena_new();
  hm_embedded out;
  (void)state;
  for (int dims = 0; dims <= 3; dims += 3) {
    assert_int_equal(read_answer(GOOD, 2, dims, a, &out), 0);
    assert_int_equal(out.dims, 3);
    assert_memory_equal(out.v, expected, sizeof expected);
  }
  assert_int_equal(read_answer("{\"data\":[{\"embedding\":[1]},{\"embedding\":[-1]}]}", 2, 0, a, &out), 0);
  assert_true(out.v[0] == 127 && out.v[1] == -127);   /* without an index: in order */
  hm_arena_free(a);
}

static void odd_answers_are_refused(void **state) {
  static const char *const odd[] = {
    "", "x", "[]", "{}", "{\"data\":1}", "{\"data\":[]}", "{\"data\":[{\"embedding\":[1]}]}",
    "{\"data\":[{\"embedding\":[1]},{\"embedding\":[1,2]}]}",
    "{\"data\":[{\"embedding\":[1]},{\"embedding\":[0]}]}",
    "{\"data\":[{\"embedding\":[1]},{\"embedding\":[]}]}",
    "{\"data\":[{\"embedding\":[1]},{\"embedding\":[null]}]}",
    "{\"data\":[{\"embedding\":[1]},{\"embedding\":[\"1\"]}]}",
    "{\"data\":[{\"embedding\":[1]},{\"embedding\":[[1]]}]}",
    "{\"data\":[{\"embedding\":[1]},{\"embedding\":[1e999]}]}",
    "{\"data\":[{\"embedding\":[1]},{\"embedding\":[NaN]}]}",
    "{\"data\":[{\"embedding\":[1]},{\"embedding\":{}}]}",
    "{\"data\":[{\"embedding\":[1]},{}]}",
    "{\"data\":[{\"embedding\":[1]},null]}",
    "{\"data\":[{\"index\":1,\"embedding\":[1]},{\"index\":1,\"embedding\":[1]}]}",
    "{\"data\":[{\"index\":0,\"embedding\":[1]},{\"index\":2,\"embedding\":[1]}]}",
    "{\"data\":[{\"index\":0,\"embedding\":[1]},{\"index\":-1,\"embedding\":[1]}]}",
    "{\"data\":[{\"index\":0,\"embedding\":[1]},{\"index\":0.5,\"embedding\":[1]}]}",
    "{\"data\":[{\"index\":0,\"embedding\":[1]},{\"index\":1e300,\"embedding\":[1]}]}",
  };
  hm_arena *a = hm_arena_new();
  hm_embedded out;
  (void)state;
  for (size_t i = 0; i < HM_COUNT(odd); i++)
    if (!read_answer(odd[i], 2, 0, a, &out)) fail_msg("taken: %s", odd[i]);
  assert_int_equal(read_answer(GOOD, 2, 4, a, &out), -1);
  assert_int_equal(read_answer(GOOD, 1, 3, a, &out), -1);
  assert_int_equal(read_answer(GOOD, 3, 3, a, &out), -1);
  hm_arena_free(a);
}

/* Cut off, or with a byte that is another one: read or refused, and never more than was asked. */
static void damaged_answers_end(void **state) {
  uint64_t seed = 20261123;
  char text[sizeof GOOD];
  hm_embedded out;
  (void)state;
  for (int round = 0; round < 4000; round++) {
    hm_arena *a = hm_arena_new();
    memcpy(text, GOOD, sizeof GOOD);
    if (round % 2) text[prng(&seed) % (sizeof GOOD - 1)] = 0;
    else text[prng(&seed) % (sizeof GOOD - 1)] = (char)(prng(&seed) % 255 + 1);
    if (!read_answer(text, 2, 3, a, &out)) assert_true(out.v && out.dims == 3);
    hm_arena_free(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(vectors_go_where_their_index_says),
    cmocka_unit_test(odd_answers_are_refused),
    cmocka_unit_test(damaged_answers_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
