/* Values from texts and JSON, and whether two fit, for the tests of core/claim/value. */
#ifndef CORE_CLAIM_VALUE_HELP_H
#define CORE_CLAIM_VALUE_HELP_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/value/rules.h"
#include "core/value/value.h"

static hm_arena *A;
static hm_units *U;

__attribute__((unused)) static hm_value text_value(const char *s) {
  hm_value v;
  hm_value_parse_text(&v, hm_str_c(s), false, U, A);
  return v;
}

__attribute__((unused)) static hm_value json_value(const char *s, bool as_text) {
  hm_json *j;
  hm_err err;
  assert_int_equal(hm_json_parse(A, hm_str_c(s), &j, &err), 0);
  hm_value v;
  hm_value_parse_json(&v, j, as_text, NULL, U, A);
  return v;
}

/* A test value: JSON when it begins with '[', '{', '"' or is a JSON word after '#'. */
__attribute__((unused)) static hm_value value(const char *s) {
  if (*s == '#') return json_value(s + 1, false);
  return *s == '[' || *s == '{' ? json_value(s, false) : text_value(s);
}

__attribute__((unused)) static bool fit(hm_value a, hm_value b, const hm_tolerance *tol) {
  bool yes = hm_values_are_compatible(&a, &b, tol);
  assert_int_equal(hm_values_are_compatible(&b, &a, tol), yes);
  assert_true(hm_values_are_compatible(&a, &a, tol) && hm_values_are_compatible(&b, &b, tol));
  return yes;
}

__attribute__((unused)) static hm_value list(const char *s) {
  hm_json *j = NULL;
  hm_value v;
  assert_int_equal(hm_json_parse(A, hm_str_c(s), &j, NULL), 0);
  hm_value_parse_json(&v, j, false, &(hm_value_reading){ .ordered = true }, U, A);
  return v;
}

static int setup(void **state) { (void)state; A = hm_arena_new(); U = hm_units_new(); return 0; }
static int teardown(void **state) { (void)state; hm_arena_free(A); hm_units_free(U); return 0; }
#endif
