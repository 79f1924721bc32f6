/* The Mustache specification's own suites, each test by its name. The folder
 * with them is HM_SHARED, else ../shared/data/mustache-spec. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "gen/render/template.h"

static const char *const suites[] = { "comments", "delimiters", "interpolation", "inverted",
                                      "partials", "sections",   "~inheritance",  "~dynamic-names" };

typedef struct { hm_arena *a; const hm_json *test; bool raw; } one;

static const char *folder(void) {
  const char *dir = getenv("HM_SHARED");
  return dir ? dir : "../shared/data/mustache-spec";
}

static hm_str read_all(hm_arena *a, const char *suite) {
  hm_buf b = { 0 };
  FILE *f = fopen(hm_str_fmt(a, "%s/%s.json", folder(), suite).p, "rb");
  if (!f) return HM_EMPTY;
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) hm_buf_add(&b, part, n);
  fclose(f);
  hm_str s = hm_buf_copy(&b, a);
  hm_buf_free(&b);
  return s;
}

/* Strings are facts, but in the tests that print one raw. */
static hm_node *model(const one *t, const hm_json *v) {
  hm_node *out = NULL;
  switch (v->type) {
    case HM_JSON_NULL: return hm_node_new_bool(t->a, false);
    case HM_JSON_FALSE: case HM_JSON_TRUE: return hm_node_new_bool(t->a, v->type == HM_JSON_TRUE);
    case HM_JSON_NUMBER: return hm_node_new_raw(t->a, v->text);
    case HM_JSON_STRING:
      return t->raw ? hm_node_new_raw(t->a, v->text) : hm_node_new_text(t->a, v->text, HM_IN_TEXT);
    case HM_JSON_ARRAY:
      out = hm_node_new_list(t->a);
      for (const hm_json *c = v->child; c; c = c->next) hm_node_push(out, model(t, c));
      return out;
    case HM_JSON_OBJECT:
      out = hm_node_new_obj(t->a);
      for (const hm_json *c = v->child; c; c = c->next) hm_node_set(out, c->key.p, model(t, c));
  }
  return out;
}

static bool prints_raw(const hm_json *test) {
  hm_buf all = { 0 };
  hm_json_write(&all, test);
  hm_str s = hm_buf_view(&all);
  bool raw = hm_str_find(s, "{{{") >= 0 || hm_str_find(s, "{{&") >= 0;
  hm_buf_free(&all);
  return raw;
}

static void run_one(void **state) {
  one *t = *state;
  const hm_json *partials = hm_json_get(t->test, "partials"),
                *text = hm_json_get(t->test, "template");
  size_t n = 0;
  hm_template_file *files =
      hm_alloc_array(t->a, 1 + (partials ? partials->count : 0), sizeof *files);
  files[n++] = (hm_template_file){ HM_STR("the template"), text->text, HM_STR("the template") };
  for (const hm_json *p = partials ? partials->child : NULL; p; p = p->next)
    files[n++] = (hm_template_file){ p->key, p->text, p->key };

  hm_err err = { 0 };
  hm_templates *set = NULL;
  hm_buf out = { 0 };
  int rc = hm_templates_compile(files, n, &set, &err);
  if (!rc)
    rc = hm_template_render(set, files[0].name, model(t, hm_json_get(t->test, "data")), t->a, &out,
                            &err);
  hm_templates_free(set);
  char *got = hm_str_z(t->a, hm_buf_view(&out));
  hm_buf_free(&out);
  if (rc) fail_msg("%s: %s", err.what, err.why);
  assert_string_equal(got, hm_json_get(t->test, "expected")->text.p);
}

static size_t load(hm_arena *a, const char *suite, struct CMUnitTest *tests, size_t n) {
  hm_str bytes = read_all(a, suite);
  if (!bytes.n) return n;
  hm_json *root;
  hm_err err = { 0 };
  if (hm_json_parse(a, bytes, &root, &err)) {
    fprintf(stderr, "%s: %s\n", suite, err.why);
    exit(2);
  }
  for (const hm_json *t = hm_json_get(root, "tests")->child; t; t = t->next) {
    one *o = hm_alloc(a, sizeof *o);
    *o = (one){ a, t, prints_raw(t) };
    tests[n++] =
        (struct CMUnitTest){ hm_str_fmt(a, "%s: %s", suite, hm_json_get(t, "name")->text.p).p,
                             run_one, NULL, NULL, o };
  }
  return n;
}

int main(void) {
  hm_arena *a = hm_arena_new();
  struct CMUnitTest *tests = hm_alloc_array(a, 1000, sizeof *tests);
  size_t n = 0;
  for (size_t i = 0; i < sizeof suites / sizeof *suites; i++) n = load(a, suites[i], tests, n);
  int failed = 0;
  if (n) failed = _cmocka_run_group_tests("mustache-spec", tests, n, NULL, NULL);
  else printf("1..1\nok 1 # SKIP the suites of mustache are not in %s (set HM_SHARED)\n", folder());
  hm_arena_free(a);
  return failed;
}
