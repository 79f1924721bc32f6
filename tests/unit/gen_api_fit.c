/* Answers that are cut to a number of bytes: held to it, valid, and whole over their pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include "gen/api/api.h"

static hm_arena *A;

static hm_json *fit(const hm_answer_bounds *o, hm_str body) {
  hm_err err = { 0 };
  hm_json *v;
  assert_int_equal(hm_answer_fit(o, &body, A, &err), 0);
  if (o->most) {
    size_t n = body.n;
    for (size_t i = 0; i < body.n && o->quoted; i++) n += body.p[i] == '"' || body.p[i] == '\\';
    if (n > o->most + 1) fail_msg("%zu bytes of %zu", n, o->most);
  }
  assert_int_equal(hm_json_parse(A, body, &v, &err), 0);
  return v;
}

/* {"count":N,"items":[{"id":"i0","text":"..","sub":[0,1,..]},..],"few":[1]} */
static hm_str answer(size_t items, size_t text, size_t subs) {
  hm_buf b = { 0 };
  hm_buf_fmt(&b, "{\"count\":%zu,\"items\":[", items);
  for (size_t i = 0; i < items; i++) {
    hm_buf_fmt(&b, "%s{\"id\":\"i%zu\",\"text\":\"", i ? "," : "", i);
    for (size_t k = 0; k < text; k++) hm_buf_c(&b, k % 7 ? "x" : "\xc3\xa9");
    hm_buf_c(&b, "\",\"sub\":[");
    for (size_t k = 0; k < subs; k++) hm_buf_fmt(&b, "%s%zu", k ? "," : "", k);
    hm_buf_c(&b, "]}");
  }
  hm_buf_c(&b, "],\"few\":[1]}\n");
  return hm_buf_take(&b, A);
}

static void what_fits_is_not_touched(void **state) {
  (void)state;
  hm_str body = answer(10, 500, 300), same = body;
  const hm_answer_bounds o = { .most = body.n, .goes_on = true }, all = { .goes_on = true };
  hm_err err = { 0 };
  assert_int_equal(hm_answer_fit(&o, &same, A, &err), 0);
  assert_ptr_equal(same.p, body.p);
  assert_int_equal(hm_answer_fit(&all, &same, A, &err), 0);
  assert_ptr_equal(same.p, body.p);
}

/* Each item once, in order, whatever the sizes; a list that goes on by ids names its last item. */
static void pages_are_the_whole(void **state) {
  (void)state;
  static const struct { size_t items, text, subs, most; } cases[] = {
    { 2000, 10, 0, 32000 }, { 2000, 10, 0, 2000 }, { 50, 9000, 10, 32000 }, { 3, 400000, 1, 3000 },
    { 300, 40, 2000, 20000 }, { 2, 5, 9000, 1500 }, { 60, 100, 100, 8000 },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    for (int by_id = 0; by_id < 2; by_id++) {
      hm_answer_bounds o = { .most = cases[i].most, .quoted = i % 2, .goes_on = true, .by_id = by_id,
                             .after = HM_EMPTY };
      hm_str body = answer(cases[i].items, cases[i].text, cases[i].subs);
      size_t seen = 0;
      do {
        const hm_json *v = fit(&o, body);
        o.after = hm_json_get_text(v, "next");
        for (const hm_json *e = hm_json_get_items(v, "items"); e; e = e->next, seen++)
          assert_true(hm_str_eq(hm_json_get_text(e, "id"), hm_str_fmt(A, "i%zu", seen)));
        assert_true(hm_json_get(v, "few")->count == 1 && hm_json_get(v, "count"));
        const hm_json *left = hm_json_get(hm_json_get(v, "left_out"), "items");
        if (o.after.n) assert_true(hm_str_eq(left->text, hm_str_fmt(A, "%zu", cases[i].items - seen)));
        if (!by_id || !o.after.n) continue;
        assert_true(hm_str_eq(o.after, hm_str_fmt(A, "i%zu", seen - 1)));
        break; /* the operation begins there itself */
      } while (o.after.n);
      if (!by_id) assert_int_equal(seen, cases[i].items);
    }
}

static void what_cannot_be_cut_is_refused(void **state) {
  (void)state;
  hm_err err = { 0 };
  hm_str body = answer(3, 10, 3);
  const hm_answer_bounds o = { .most = 20 };
  assert_int_equal(hm_answer_fit(&o, &body, A, &err), -1);
  assert_int_equal(err.code, HM_E_STATE);
}

static int begin(void **state) {
  (void)state;
  A = hm_arena_new();
  return 0;
}
static int end(void **state) {
  (void)state;
  hm_arena_free(A);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(what_fits_is_not_touched, begin, end),
    cmocka_unit_test_setup_teardown(pages_are_the_whole, begin, end),
    cmocka_unit_test_setup_teardown(what_cannot_be_cut_is_refused, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
