/* When a value counts as found, and what takes its place. */
#include "core/base/redaction.h"
#include "tests/unit/core_base_help.h"

static hm_needles one(const char *z) {
  hm_needles l = { 0 };
  hm_needles_add(&l, hm_str_c(z), arena);
  return l;
}

static void where_it_counts(void **state) {
  (void)state;
  static const struct { const char *needle, *text; bool in;
  } cases[] = { { "hunter2", "hunter2", true },
                { "hunter2", "xhunter2x", true },
                { "hunter2", "Hunter2", true },
                { "Green Door 7", "the green\tDOOR-7!", true },
                { "Green Door 7", "greendoor7", false },
                { "PEEK", "speek", false },
                { "PEEK", "a peek", true },
                { "Wörd Zwei", "WÖRD\u00a0zwei", true },
                { "!!!!", "!!!!", true },
                { "!!!!", "....", false },
                { "a-b!", "A B", false },
                { "straße", "STRASSE", false },
                { "PEEK", "PEEK", true },
                { "PEEK", " PEEK\n", true },
                { "PEEK", "of PEEK.", true },
                { "PEEK", "PEEKS", false },
                { "PEEK", "éPEEK", false },
                { "PEEK", "PEEKS and PEEK", true },
                { "4.8k", "14.8k", false },
                { "-4.8", "x-4.8", true },
                { "7 m", "7 m", true },
                { "7 m", "of 7 m", false },
                { "7", "7", true },
                { "7", "17", false },
                { "hunter2", "", false } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_needles l = one(cases[i].needle);
    if (hm_needles_found_in(&l, hm_str_c(cases[i].text)) != cases[i].in)
      fail_msg("'%s' in '%s'", cases[i].needle, cases[i].text);
    if (cases[i].in !=
        (hm_needles_replace(&l, hm_str_c(cases[i].text), HM_STR("#"), arena).p != cases[i].text))
      fail_msg("'%s' replaced in '%s'", cases[i].needle, cases[i].text);
  }
}

static void what_takes_its_place(void **state) {
  (void)state;
  hm_needles l = one("secret");
  hm_needles_add(&l, HM_STR("secret key"), arena);
  hm_needles_add(&l, HM_STR("other one"), arena);
  hm_str got =
      hm_needles_replace(&l, HM_STR("a secret key, secretsecret, another one"), HM_STR("#"), arena);
  assert_true(hm_str_is(got, "a #, ##, an#"));
  assert_true(hm_str_is(hm_needles_replace(&l, HM_STR(" secret\n"), HM_STR("#"), arena), "#"));
  hm_str same = HM_STR("nothing here");
  assert_ptr_equal(hm_needles_replace(&l, same, HM_STR("#"), arena).p, same.p);
}

static void blank_ones_are_none(void **state) {
  (void)state;
  hm_needles l = one(" \n");
  assert_int_equal(l.n, 0);
  assert_false(hm_needles_found_in(&l, HM_STR(" ")));
  hm_needles_add(&l, HM_STR(" x "), arena);
  hm_needles_add(&l, HM_STR("x"), arena);
  assert_int_equal(l.n, 2);   /* as it is, and trimmed; each once */
  assert_true(hm_needles_equal(&l, HM_STR("x\n")));
}

static void bytes_of_any_kind(void **state) {
  (void)state;
  hm_needles l = { 0 };
  hm_needles_add(&l, HM_STR("a\0b\xff" "cdef"), arena);
  assert_true(hm_needles_found_in_bytes(&l, HM_STR("\0\0a\0b\xff" "cdef\0")));
  assert_false(hm_needles_found_in_bytes(&l, HM_STR("a\0b\xfe" "cdef")));
}

int main(void) {
  const struct CMUnitTest tests[] = { T(where_it_counts), T(what_takes_its_place),
                                      T(blank_ones_are_none), T(bytes_of_any_kind) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
