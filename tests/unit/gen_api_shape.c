/* Shapes: what fits, what is refused and where, and the schema that says the same; the API's table
 * is whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>
#include "core/record/record_edit.h"
#include "gen/api/api_impl.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const hm_api_shape SHAPE = {
  "Thing", NULL, "A thing.",
  "text    string\n"
  "maybe?  string?    a word\n"
  "choice? a|b?\n"
  "flag?   boolean\n"
  "n?      integer\n"
  "list?   [#Other]\n"
  "other?  #Other?\n"
  "any?    any\n"
};

static void expect(const char *json, const char *field) {
  hm_arena *a = hm_arena_new();
  hm_json *v = NULL;
  hm_err err = { 0 };
  if (json) assert_int_equal(hm_json_parse(a, hm_str_c(json), &v, &err), 0);
  int rc = hm_shape_check(&SHAPE, v, &err);
  if (!field && rc) fail_msg("%s: %s: %s", json, err.what, err.why);
  if (field && (!rc || strcmp(err.field, field) != 0))
    fail_msg("%s: not refused at %s but at '%s'", json, field, err.field);
  if (field) assert_int_equal(err.code, HM_E_INPUT);
  hm_arena_free(a);
}

static void test_check(void **state) {
  (void)state;
  expect("{\"text\":\"\"}", NULL);
  expect(
      "{\"text\":\"x\",\"maybe\":null,\"choice\":\"a\",\"flag\":false,\"n\":12,\"list\":[],\"other\":{},\"any\":[1]}",
      NULL);
  expect("{\"text\":\"x\",\"choice\":null,\"other\":null}", NULL);
  expect(NULL, "text");
  expect("{}", "text");
  expect("[]", "");
  expect("{\"text\":null}", "text");
  expect("{\"text\":1}", "text");
  expect("{\"text\":\"x\",\"choice\":\"c\"}", "choice");
  expect("{\"text\":\"x\",\"choice\":\"a|b\"}", "choice");
  expect("{\"text\":\"x\",\"choice\":\"\"}", "choice");
  expect("{\"text\":\"x\",\"flag\":null}", "flag");
  expect("{\"text\":\"x\",\"n\":1.5}", "n");
  expect("{\"text\":\"x\",\"n\":12345678901234567890}", "n");
  expect("{\"text\":\"x\",\"list\":{}}", "list");
  expect("{\"text\":\"x\",\"other\":[]}", "other");
  expect("{\"text\":\"x\",\"more\":1}", "more");
}

static void test_fits_text(void **state) {
  (void)state;
  assert_true(hm_shape_fits_text(HM_STR("a|b"), HM_STR("b")));
  assert_false(hm_shape_fits_text(HM_STR("a|b"), HM_STR("")));
  assert_false(hm_shape_fits_text(HM_STR("a|b"), HM_STR("a|b")));
  assert_true(hm_shape_fits_text(HM_STR("boolean"), HM_STR("true")));
  assert_false(hm_shape_fits_text(HM_STR("boolean"), HM_STR("1")));
  assert_true(hm_shape_fits_text(HM_STR("string"), HM_STR("anything")));
  assert_true(hm_shape_fits_text(HM_STR("integer"), HM_STR("250")));
  assert_false(hm_shape_fits_text(HM_STR("integer"), HM_STR("")));
  assert_false(hm_shape_fits_text(HM_STR("integer"), HM_STR("-1")));
  assert_false(hm_shape_fits_text(HM_STR("integer"), HM_STR("1234567890")));
}

static void test_schema(void **state) {
  (void)state;
  hm_jw w;
  hm_buf b = { 0 };
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  hm_shape_write_schema(&w, &SHAPE, "");
  hm_jw_end(&w);
  hm_buf_ch(&b, 0);
  static const char *const has[] = {
    "\"required\":[\"text\"]",
    "\"text\":{\"type\":\"string\"}",
    "\"maybe\":{\"description\":\"a word\",\"type\":[\"string\",\"null\"]}",
    "\"choice\":{\"enum\":[\"a\",\"b\",null]}",
    "\"list\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Other\"}}",
    "\"any\":{}",
    "\"additionalProperties\":false",
  };
  for (size_t i = 0; i < COUNT(has); i++)
    if (!strstr(b.p, has[i])) fail_msg("no %s in %s", has[i], b.p);
  hm_buf_free(&b);
}

/* An operation without a word in the document, a path out of its place, a schema that nobody wrote.
 */
static void test_table_is_whole(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  size_t n;
  const hm_api_operation *all = hm_api_operations(&n);
  hm_str doc = hm_openapi_document(all, n, true, a);
  hm_json *v;
  assert_int_equal(hm_json_parse(a, doc, &v, NULL), 0);
  const hm_json *schemas = hm_json_get(hm_json_get(v, "components"), "schemas");
  for (size_t i = 0; i < n; i++) {
    const hm_api_operation *op = &all[i];
    assert_int_equal((op->flags & HM_API_WRITES) != 0, op->takes != NULL);
    assert_int_equal((op->flags & HM_API_WRITES) != 0, op->method != HM_GET);
    assert_ptr_equal(hm_api_find_operation(hm_str_c(op->name)), op);
    if (op->takes) assert_non_null(hm_json_get(schemas, op->takes + 1));
    if (op->gives[0] == '#') assert_non_null(hm_json_get(schemas, op->gives + 1));
    assert_non_null(hm_json_get(hm_json_get(v, "paths"), op->path));
    int order = i ? strcmp(all[i - 1].path, op->path) : -1;
    assert_true(order < 0 || (order == 0 && all[i - 1].method < op->method));
  }
  hm_arena_free(a);
}

static void test_record_schema(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  for (hm_layer l = HM_MEMORY; l <= HM_STATE; l++) {
    hm_jw w;
    hm_buf b = { 0 };
    hm_json *v;
    hm_jw_init(&w, &b, 0);
    hm_jw_obj(&w, NULL);
    hm_record_schema(&w, "stored", l, HM_SCHEMA_STORED);
    hm_record_schema(&w, "new", l, HM_SCHEMA_NEW);
    hm_record_schema(&w, "patch", l, HM_SCHEMA_PATCH);
    hm_jw_end(&w);
    assert_int_equal(hm_json_parse(a, hm_buf_view(&b), &v, NULL), 0);
    const hm_json *stored = hm_json_get(v, "stored"), *new = hm_json_get(v, "new"),
                  *patch = hm_json_get(v, "patch");
    assert_non_null(hm_json_get(hm_json_get(stored, "properties"), "kind"));
    assert_null(hm_json_get(hm_json_get(new, "properties"), "kind"));
    assert_non_null(hm_json_get(hm_json_get(new, "properties"), "id"));
    assert_null(hm_json_get(hm_json_get(patch, "properties"), "id"));
    assert_null(hm_json_get(patch, "required"));
    assert_int_equal(hm_json_get(new, "required")->count, 2);
    assert_int_equal(hm_json_get(new, "additionalProperties")->type, HM_JSON_FALSE);
    hm_buf_free(&b);
  }
  hm_arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_check),         cmocka_unit_test(test_fits_text),
    cmocka_unit_test(test_schema),        cmocka_unit_test(test_table_is_whole),
    cmocka_unit_test(test_record_schema),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
