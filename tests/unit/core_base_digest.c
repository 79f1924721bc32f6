#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/digest.h"

static void known_answers(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new();
  assert_string_equal(hm_str_digest_hex(a, HM_EMPTY, 64).p,
                      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert_string_equal(hm_str_digest_hex(a, HM_STR("abc"), 64).p,
                      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert_string_equal(hm_str_digest_hex(a, HM_STR("abc"), 7).p, "ba7816b");
  assert_int_equal(hm_str_digest_hex(a, HM_STR("abc"), 0).n, 1);
  assert_int_equal(hm_str_digest_hex(a, HM_STR("abc"), 65).n, 64);
  hm_arena_free(a);
}

static void pieces_make_the_whole(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new();
  char bytes[300];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (char)(i * 7);
  hm_str whole = hm_str_digest_hex(a, (hm_str){ bytes, sizeof bytes }, 64);
  for (size_t cut = 0; cut <= sizeof bytes; cut++) {
    hm_sha256 h;
    hm_sha256_init(&h);
    hm_sha256_add(&h, (hm_str){ bytes, cut });
    hm_sha256_add(&h, (hm_str){ cut == sizeof bytes ? NULL : bytes + cut, sizeof bytes - cut });
    assert_true(hm_str_eq(hm_sha256_hex(&h, a, 64), whole));
  }
  hm_arena_free(a);
}

static hm_str two_fields(hm_arena *a, hm_str x, hm_str y) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, x);
  hm_sha256_field(&h, y);
  return hm_sha256_hex(&h, a, 64);
}

static void fields_have_boundaries(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new();
  assert_false(hm_str_eq(two_fields(a, HM_STR("ab"), HM_STR("c")),
                         two_fields(a, HM_STR("a"), HM_STR("bc"))));
  assert_false(
      hm_str_eq(two_fields(a, HM_STR(""), HM_STR("a")), two_fields(a, HM_STR("a"), HM_STR(""))));
  hm_str spelled = hm_str_digest_hex(a, HM_STR("\2\0\0\0\0\0\0\0ab\1\0\0\0\0\0\0\0c"), 64);
  assert_true(hm_str_eq(two_fields(a, HM_STR("ab"), HM_STR("c")), spelled));
  hm_arena_free(a);
}

static void base64(void **unused) {
  (void)unused;
  hm_arena *a = hm_arena_new();
  assert_true(
      hm_str_is(hm_digest_base64(a, HM_EMPTY), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="));
  assert_true(hm_str_is(hm_digest_base64(a, HM_STR("abc")),
                        "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="));
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(known_answers),
    cmocka_unit_test(pieces_make_the_whole),
    cmocka_unit_test(fields_have_boundaries),
    cmocka_unit_test(base64),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
