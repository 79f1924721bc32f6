#include "core/base/json.h"
#include "core/base/text.h"
#include "tests/unit/core_base_help.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_base_thorough.h"

/* What parsing and writing makes of s; NULL when it is refused. */
static const char *again(hm_str s, hm_err *err) {
  hm_json *v;
  hm_buf b = { 0 };
  if (hm_json_parse(arena, s, &v, err)) return NULL;
  hm_json_write(&b, v);
  char *z = hm_str_z(arena, hm_buf_view(&b));
  hm_buf_free(&b);
  return z;
}

typedef struct { hm_str in; const char *out; } sample;

static void values_of_one_type(void **unused) {
  hm_str *texts;
  (void)unused;
  const hm_json *v = hm_json_parse_as(arena, HM_STR(" [\"a\", 1, [\"b\"], \"\"] "), HM_JSON_ARRAY);
  assert_non_null(v);
  assert_int_equal(hm_json_texts(v, arena, &texts), 2);
  assert_true(hm_str_is(texts[0], "a") && !texts[1].n);
  assert_null(hm_json_parse_as(arena, HM_STR("{}"), HM_JSON_ARRAY));
  assert_null(hm_json_parse_as(arena, HM_STR("[\"a\""), HM_JSON_ARRAY));
  assert_null(hm_json_parse_as(arena, HM_EMPTY, HM_JSON_ARRAY));
  assert_int_equal(hm_json_texts(NULL, arena, &texts), 0);
  v = hm_json_parse_as(arena, HM_STR("{\"k\": \"a\"}"), HM_JSON_OBJECT);
  assert_int_equal(hm_json_texts(v, arena, &texts), 0);
}

static void good_values(void **unused) {
  (void)unused;
  const sample t[] = {
    { HM_STR("1"), "1" },
    { HM_STR(" null "), "null" },
    { HM_STR("true"), "true" },
    { HM_STR("false\n"), "false" },
    { HM_STR("-0"), "-0" },
    { HM_STR("4.80"), "4.80" },
    { HM_STR("12345678901234567890123"), "12345678901234567890123" },
    { HM_STR("1e5"), "1e5" },
    { HM_STR("1E+400"), "1E+400" },
    { HM_STR("\"\""), "\"\"" },
    { HM_STR("[ ]"), "[]" },
    { HM_STR("{ }"), "{}" },
    { HM_STR("[1, [2,[]], {}]"), "[1,[2,[]],{}]" },
    { HM_STR("{\"b\": 1, \"a\": {\"b\": [null]}}"), "{\"b\":1,\"a\":{\"b\":[null]}}" },
    { HM_STR("\"\\u0000\\u001f\\n\\/\\\\\\\"\""), "\"\\u0000\\u001f\\n/\\\\\\\"\"" },
    { HM_STR("\"\\ud83d\\ude00\""), "\"\xF0\x9F\x98\x80\"" },
    { HM_STR("\"\\\\ud800\""), "\"\\\\ud800\"" },
    { HM_STR("\"\\u2028\xE2\x80\xA9\x7F\""), "\"\\u2028\\u2029\\u007f\"" },
    { HM_STR("\"</script><!-- <b>\""), "\"\\u003c/script>\\u003c!-- <b>\"" },
    { HM_STR("\"a\xFF\xE2\x82z\""), "\"a\xEF\xBF\xBD\xEF\xBF\xBDz\"" },
  };
  for (size_t i = 0; i < COUNT(t); i++) {
    hm_err e = { 0 };
    const char *got = again(t[i].in, &e);
    if (!got) fail_msg("%s: %s", t[i].in.p, e.why);
    assert_string_equal(got, t[i].out);
  }
}

static void bad_texts(void **unused) {
  (void)unused;
  const hm_str t[] = {
    HM_STR(""),
    HM_STR("  "),
    HM_STR("1 2"),
    HM_STR("1,"),
    HM_STR("{} \""),
    HM_STR("1 \"abc"),
    HM_STR("1 \"a\\"),
    HM_STR("1 tru"),
    HM_STR("[] ]"),
    HM_STR("[1,]"),
    HM_STR("[,1]"),
    HM_STR("{\"a\":1,}"),
    HM_STR("{a:1}"),
    HM_STR("{\"a\"}"),
    HM_STR("{1:2}"),
    HM_STR("[01]"),
    HM_STR("[1.]"),
    HM_STR("[.5]"),
    HM_STR("[+1]"),
    HM_STR("[-]"),
    HM_STR("[1e]"),
    HM_STR("nul"),
    HM_STR("nullx"),
    HM_STR("NaN"),
    HM_STR("-Infinity"),
    HM_STR("'a'"),
    HM_STR("\"abc"),
    HM_STR("\"\\"),
    HM_STR("\"\\x\""),
    HM_STR("\"\\u12g4\""),
    HM_STR("\"\\u12"),
    HM_STR("\"a\tb\""),
    HM_STR("\"a\0b\""),
    HM_STR("1\0"),
    HM_STR("//x\n1"),
    HM_STR("1 /* x */"),
    HM_STR("[1}"),
    HM_STR("\xEF\xBB\xBF"
           "1"),
    HM_STR("\"\\ud800\""),
    HM_STR("\"\\udc00\""),
    HM_STR("\"\\udc00\\udc00\""),
    HM_STR("\"\\ud800\\u0041\""),
    HM_STR("\"\\ud800\\ud800\""),
    HM_STR("\"\\ud83d\\ude00\\ude00\""),
    HM_STR("\"\\uD800x\""),
    HM_STR("{\"a\":1,\"a\":1}"),
    HM_STR("{\"a\":1,\"\\u0061\":1}"),
    HM_STR("[{\"x\":{\"\":1,\"\":2}}]"),
    HM_STR("{\"\xFF\":1,\"\xFE\":1}"),
  };
  for (size_t i = 0; i < COUNT(t); i++) {
    hm_err e = { 0 };
    if (again(t[i], &e)) fail_msg("accepted: %s", t[i].p);
    assert_int_equal(e.code, HM_E_INPUT);
    assert_string_equal(e.what, "");
    assert_true(strlen(e.why) > 5);
    assert_null(strchr(e.why, '\n'));
  }
  assert_null(again(HM_STR("]"), NULL));
}

static hm_str nested(int depth) {
  hm_buf b = { 0 };
  for (int i = 0; i < depth; i++) hm_buf_c(&b, i % 2 ? "{\"a\":" : "[");
  hm_buf_c(&b, "1");
  for (int i = depth; i-- > 0;) hm_buf_ch(&b, i % 2 ? '}' : ']');
  hm_str s = hm_buf_copy(&b, arena);
  hm_buf_free(&b);
  return s;
}

static void depth_is_bounded(void **unused) {
  (void)unused;
  hm_err e = { 0 };
  hm_str s = nested(HM_JSON_MAX_DEPTH);
  assert_string_equal(again(s, &e), s.p);
  assert_null(again(nested(HM_JSON_MAX_DEPTH + 1), &e));
  assert_non_null(strstr(e.why, "64"));
  assert_null(again(nested(1000000), &e));
  hm_json deep[HM_JSON_MAX_DEPTH + 1] = { 0 };
  for (int i = 0; i <= HM_JSON_MAX_DEPTH; i++)
    deep[i] =
        (hm_json){ .type = HM_JSON_ARRAY, .child = i < HM_JSON_MAX_DEPTH ? &deep[i + 1] : NULL };
  hm_buf b = { 0 };
  hm_json_write(&b, &deep[1]);
  assert_false(b.failed);
  hm_json_write(&b, &deep[0]);
  assert_true(b.failed);
  hm_buf_free(&b);
}

static hm_str big_object(size_t n, const char *last) {
  hm_buf b = { 0 };
  hm_buf_ch(&b, '{');
  for (size_t i = 0; i < n; i++) hm_buf_fmt(&b, "\"k%zu\":%zu,", i, i);
  hm_buf_fmt(&b, "\"%s\":1}", last);
  hm_str s = hm_buf_copy(&b, arena);
  hm_buf_free(&b);
  return s;
}

static void duplicate_keys_are_found_in_objects_of_all_sizes(void **unused) {
  (void)unused;
  hm_err e = { 0 };
  for (size_t n = 1; n < 60; n++)
    for (size_t k = 0; k < n; k++) {
      assert_non_null(again(big_object(n, "k"), &e));
      char last[32];
      snprintf(last, sizeof last, "k%zu", k);
      assert_null(again(big_object(n, last), &e));
      assert_non_null(strstr(e.why, last));
    }
  hm_str huge = big_object(300000, "k299999");
  double begun = computed();
  assert_null(again(huge, &e));
  expect_within(3, begun, "an object"); /* comparing all pairs takes minutes */
}

static void the_tree_stands_by_itself(void **unused) {
  (void)unused;
  char src[] = "{\"key\":\"value\",\"n\":1.50,\"list\":[1,2,3],\"none\":null}";
  hm_json *v;
  assert_int_equal(hm_json_parse(arena, hm_str_c(src), &v, NULL), 0);
  memset(src, 'x', sizeof src);
  assert_true(hm_str_is(hm_json_get(v, "key")->text, "value"));
  assert_true(hm_str_is(hm_json_get(v, "n")->text, "1.50"));
  const hm_json *list = hm_json_get(v, "list");
  assert_int_equal(list->count, 3);
  assert_true(hm_str_is(list->child->next->next->text, "3"));
  assert_null(list->child->next->next->next);
  assert_int_equal(v->count, 4);
  assert_int_equal(hm_json_get(v, "none")->type, HM_JSON_NULL);
  assert_null(hm_json_get(v, "other"));
  assert_null(hm_json_get(list, "key"));
  assert_null(hm_json_get(NULL, "key"));
}

static hm_str random_text(uint64_t *seed) {
  hm_buf b = { 0 };
  for (size_t n = prng(seed) % 12; n; n--) {
    uint64_t r = prng(seed);
    hm_text_append(&b,
                r % 3 == 0       ? r / 3 % 128
                    : r % 3 == 1 ? (uint32_t) "</!\"\\\n<"[r / 3 % 7]
                                 : r / 3 % 0x110000);
  }
  hm_str s = hm_buf_copy(&b, arena);
  hm_buf_free(&b);
  return s;
}

static hm_json *random_value(uint64_t *seed, int depth) {
  hm_json *v = hm_alloc(arena, sizeof *v);
  v->type = (hm_json_type)(prng(seed) % (depth < 5 ? 7 : 5));
  v->key = v->text = HM_EMPTY;
  if (v->type == HM_JSON_STRING) v->text = random_text(seed);
  if (v->type == HM_JSON_NUMBER)
    v->text = hm_str_fmt(arena, "-%llu.%03de%d", (unsigned long long)prng(seed),
                         (int)(prng(seed) % 1000), (int)(prng(seed) % 999));
  if (v->type < HM_JSON_ARRAY) return v;
  hm_json **at = &v->child;
  v->count = prng(seed) % 20;
  for (size_t i = 0; i < v->count; i++, at = &(*at)->next) {
    *at = random_value(seed, depth + 1);
    hm_str t = random_text(seed);
    if (v->type != HM_JSON_OBJECT) continue;
    (*at)->key = hm_str_fmt(arena, "%zu ", i);
    if (t.n && !memchr(t.p, 0, t.n)) (*at)->key = hm_str_fmt(arena, "%zu %.*s", i, HM_FMT(t));
  }
  return v;
}

static bool same(const hm_json *a, const hm_json *b) {
  if (a->type != b->type || a->count != b->count || !hm_str_eq(a->key, b->key) ||
      !hm_str_eq(a->text, b->text))
    return false;
  const hm_json *x = a->child, *y = b->child;
  for (; x && y; x = x->next, y = y->next)
    if (!same(x, y)) return false;
  return !x && !y;
}

static void parse_undoes_put(void **unused) {
  (void)unused;
  uint64_t seed = 31;
  hm_buf b = { 0 };
  for (int k = 0; k < 3000; k++) {
    hm_arena_reset(arena);
    hm_json *v = random_value(&seed, 3), *back;
    hm_err e = { 0 };
    hm_buf_clear(&b);
    hm_json_write(&b, v);
    if (hm_json_parse(arena, hm_buf_view(&b), &back, &e))
      fail_msg("%s: %.*s", e.why, HM_FMT(hm_buf_view(&b)));
    assert_true(same(v, back));
    assert_int_equal(hm_str_find(hm_buf_view(&b), "</"), -1);
    assert_int_equal(hm_str_find(hm_buf_view(&b), "<!"), -1);
  }
  hm_buf_free(&b);
}

static void random_bytes_never_break_it(void **unused) {
  (void)unused;
  static const char often[] = "{}[],:\"\\u0dD8aefnrtl123.-+ \xFF\xC3\n";
  uint64_t seed = 37;
  for (int k = 0; k < 300000; k++) {
    char bytes[24];
    size_t n = prng(&seed) % sizeof bytes;
    for (size_t i = 0; i < n; i++) bytes[i] = often[prng(&seed) % (sizeof often - 1)];
    hm_err e = { 0 };
    const char *once = again((hm_str){ bytes, n }, &e);
    if (once) assert_string_equal(again(hm_str_c(once), &e), once);
    else assert_int_equal(e.code, HM_E_INPUT);
    if (k % 1000 == 0) hm_arena_reset(arena);
  }
}

static void writes_strings_of_any_bytes(void **unused) {
  (void)unused;
  uint64_t seed = 41;
  char bytes[64];
  hm_buf b = { 0 };
  for (int k = 0; k < 100000; k++) {
    size_t n = prng(&seed) % sizeof bytes;
    for (size_t i = 0; i < n; i++) bytes[i] = (char)prng(&seed);
    hm_str s = { bytes, n };
    hm_json *v;
    hm_buf_clear(&b);
    hm_json_write_str(&b, s);
    assert_int_equal(hm_json_parse(arena, hm_buf_view(&b), &v, NULL), 0);
    assert_true(hm_str_eq(v->text, hm_text_repair(arena, s)));
    if (k % 1000 == 0) hm_arena_reset(arena);
  }
  hm_buf_free(&b);
}

static void write_sample(hm_jw *w) {
  hm_jw_obj(w, NULL);
  hm_jw_arr(w, "list");
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "id", HM_STR("a\"b"));
  hm_jw_str_or_null(w, "none", HM_EMPTY);
  hm_jw_str_or_null(w, "some", HM_STR("x"));
  hm_jw_end(w);
  hm_jw_int(w, NULL, INT64_MIN);
  hm_jw_raw(w, NULL, HM_STR("[1]"));
  hm_jw_end(w);
  hm_jw_obj(w, "empty");
  hm_jw_end(w);
  hm_jw_bool(w, "yes", true);
  hm_jw_null(w, "nil");
  hm_jw_end(w);
}

static void the_writer_puts_commas_and_lines(void **unused) {
  (void)unused;
  const char *expect[] = {
    "{\"list\":[{\"id\":\"a\\\"b\",\"none\":null,\"some\":\"x\"},-9223372036854775808,[1]],\"empty\":{},\"yes\":true,\"nil\":null}",
    "{\n  \"list\":[{\"id\":\"a\\\"b\",\"none\":null,\"some\":\"x\"},-9223372036854775808,[1]],\n  \"empty\":{},\n  \"yes\":true,\n  \"nil\":null\n}",
    "{\n  \"list\":[\n    {\"id\":\"a\\\"b\",\"none\":null,\"some\":\"x\"},\n    -9223372036854775808,\n    [1]\n  ],\n  \"empty\":{},\n  \"yes\":true,\n  \"nil\":null\n}",
  };
  for (int indent = 0; indent < 3; indent++) {
    hm_buf b = { 0 };
    hm_jw w;
    hm_jw_init(&w, &b, indent);
    write_sample(&w);
    assert_string_equal(hm_str_z(arena, hm_buf_view(&b)), expect[indent]);
    assert_string_equal(again(hm_buf_view(&b), NULL), expect[0]);
    hm_buf_free(&b);
  }
}

static void the_writer_adds_members_of_an_object(void **unused) {
  (void)unused;
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_members(&w, HM_STR("{}"));
  hm_jw_members(&w, HM_STR("{\"a\":1,\"b\":{}}"));
  hm_jw_members(&w, HM_STR("{}"));
  hm_jw_null(&w, "c");
  hm_jw_end(&w);
  assert_string_equal(hm_str_z(arena, hm_buf_view(&b)), "{\"a\":1,\"b\":{},\"c\":null}");
  hm_buf_free(&b);
}

static void misuse_of_the_writer_fails_the_buffer(void **unused) {
  (void)unused;
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  for (int i = 0; i < HM_JSON_MAX_DEPTH; i++) hm_jw_arr(&w, NULL);
  assert_false(b.failed);
  hm_jw_arr(&w, NULL);
  assert_true(b.failed);
  hm_buf_clear(&b);
  hm_jw_init(&w, &b, 0);
  hm_jw_end(&w);
  assert_true(b.failed);
  hm_buf_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    T(values_of_one_type),
    T(good_values),
    T(bad_texts),
    T(depth_is_bounded),
    T(duplicate_keys_are_found_in_objects_of_all_sizes),
    T(the_tree_stands_by_itself),
    T(parse_undoes_put),
    T(random_bytes_never_break_it),
    T(writes_strings_of_any_bytes),
    T(the_writer_puts_commas_and_lines),
    T(the_writer_adds_members_of_an_object),
    T(misuse_of_the_writer_fails_the_buffer),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
