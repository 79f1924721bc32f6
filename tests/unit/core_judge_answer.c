/* Answers of a model, honest and hostile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/json.h"
#include "core/judge/judge.h"

/* The facts that the model was shown are 1 to 3; 0 and 4 are of other batches. */
static const hm_judge_fact facts[] = {
  { .ref = { "memory:m0", 9 }, .label = "aaaaaaa0" }, { .ref = { "memory:m1", 9 }, .label = "aaaaaaa1" },
  { .ref = { "memory:m2", 9 }, .label = "aaaaaaa2" }, { .ref = { "memory:m3", 9 }, .label = "aaaaaaa3" },
  { .ref = { "memory:m4", 9 }, .label = "aaaaaaa4" },
};

#define ITEM(ids, q) "{\"fact_ids\":[" ids "],\"question\":\"" q "\"}"
#define A1 "\"aaaaaaa1\""
#define A2 "\"aaaaaaa2\""
#define A3 "\"aaaaaaa3\""
#define GOOD ITEM(A1 "," A2, "Is it so?")
#define TEN "0123456789"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

/* items, notes: how many; items < 0: the whole is refused. said: of the first note, or question. */
static const struct { const char *text; int items, notes; const char *said; } answers[] = {
  { "[]", 0, 0, "" },
  { " \n[ ]\n ", 0, 0, "" },
  { "[" GOOD "]", 1, 0, "Is it so?" },
  { "```json\n[" GOOD "]\n```", 1, 0, "Is it so?" },
  { "```\n[]\n```\n", 0, 0, "" },
  { "[" GOOD "," ITEM(A3 "," A1, " Two\\nlines,\\tand  more ") "]", 2, 0, "Is it so?" },
  { "[" ITEM(A3 "," A1, " Two\\nlines,\\tand  more ") "]", 1, 0, "Two lines, and more" },
  /* nothing but an array */
  { "", -1, 0, "" },
  { "null", -1, 0, "" },
  { "{}", -1, 0, "" },
  { GOOD, -1, 0, "" },
  { "{\"conflicts\":[" GOOD "]}", -1, 0, "" },
  { "Here you are: [" GOOD "]", -1, 0, "" },
  { "[" GOOD "] That is all.", -1, 0, "" },
  { "[" GOOD "][" GOOD "]", -1, 0, "" },
  { "[" GOOD, -1, 0, "" },
  { "[" GOOD ",]", -1, 0, "" },
  { "Sure!\n```json\n[]\n```", -1, 0, "" },
  { "```json\n[]\n```\nAnd more\n```", -1, 0, "" },
  { "```json\n```", -1, 0, "" },
  { "[{\"fact_ids\":[" A1 "," A2 "],\"fact_ids\":[" A1 "],\"question\":\"x\"}]", -1, 0, "" },
  /* elements that are passed over, and the others go on */
  { "[1," GOOD "]", 1, 1, "element 1: no object" },
  { "[[" GOOD "]," GOOD "]", 1, 1, "element 1: no object" },
  { "[" GOOD ",null]", 1, 1, "element 2: no object" },
  { "[" ITEM(A1 ",\"deadbeef\"", "Is it?") "," GOOD "]", 1, 1, "element 1: an unknown id: \"deadbeef\"" },
  { "[" ITEM(A1 ",\"aaaaaaa0\"", "Is it?") "]", 0, 1, "element 1: an unknown id: \"aaaaaaa0\"" },
  { "[" ITEM(A1 ",\"aaaaaaa4\"", "Is it?") "]", 0, 1, "element 1: an unknown id: \"aaaaaaa4\"" },
  { "[" ITEM(A1 ",\"memory:m2\"", "Is it?") "]", 0, 1, "element 1: an unknown id: \"memory:m2\"" },
  { "[" ITEM(A1 ",2", "Is it?") "]", 0, 1, "element 1: an id that is no text" },
  { "[" ITEM(A1, "Is it?") "," GOOD "]", 1, 1, "element 1: fewer than two facts" },
  { "[" ITEM("", "Is it?") "]", 0, 1, "element 1: fewer than two facts" },
  { "[" ITEM(A1 "," A1, "Is it?") "]", 0, 1, "element 1: an id twice: \"aaaaaaa1\"" },
  { "[" ITEM(A1 "," A2 "," A1, "Is it?") "]", 0, 1, "element 1: an id twice: \"aaaaaaa1\"" },
  { "[" GOOD "," ITEM(A2 "," A1, "Other words?") "]", 1, 1,
    "element 2: the facts of an element before it" },
  { "[" ITEM(A1 "," A2, "") "]", 0, 1, "element 1: an empty question" },
  { "[" ITEM(A1 "," A2, " \\n\\u0000 ") "]", 0, 1, "element 1: an empty question" },
  { "[" ITEM(A1 "," A2, HUNDRED HUNDRED HUNDRED HUNDRED "0") "," GOOD "]", 1, 1,
    "element 1: a question that is too long: \"" TEN TEN TEN TEN TEN TEN "\"" },
  { "[{\"fact_ids\":[" A1 "," A2 "]}]", 0, 1, "element 1: no text question" },
  { "[{\"fact_ids\":[" A1 "," A2 "],\"question\":[\"Is it?\"]}]", 0, 1, "element 1: no text question" },
  { "[{\"question\":\"Is it?\"}]", 0, 1, "element 1: no array fact_ids" },
  { "[{\"fact_ids\":\"aaaaaaa1\",\"question\":\"Is it?\"}]", 0, 1, "element 1: no array fact_ids" },
  { "[{\"fact_ids\":[" A1 "," A2 "],\"question\":\"Is it?\",\"resolve\":true}," GOOD "]", 1, 1,
    "element 1: an unknown member: \"resolve\"" },
  { "[{\"fact_ids\":[" A1 "," A2 "],\"question\":\"Is it?\",\"winner\":\"aaaaaaa1\"}]", 0, 1,
    "element 1: an unknown member: \"winner\"" },
};

static void every_answer(void **state) {
  (void)state;
  for (size_t i = 0; i < HM_COUNT(answers); i++) {
    hm_arena *a = hm_arena_new();
    hm_judge_answer out;
    hm_err err = { 0 };
    int rc = hm_judge_answer_parse(hm_str_c(answers[i].text), facts, 1, 3, a, &out, &err);
    if (rc ? answers[i].items >= 0 || !err.why[0]
           : (int)out.n != answers[i].items || (int)out.n_notes != answers[i].notes)
      fail_msg("%s: rc %d, %zu items, %zu notes", answers[i].text, rc, out.n, out.n_notes);
    hm_str said = out.n_notes ? out.notes[0] : out.n ? out.items[0].question : HM_EMPTY;
    if (!rc) assert_string_equal(hm_str_z(a, said), answers[i].said);
    for (size_t k = 0; k < out.n && !rc; k++)
      for (size_t f = 0; f < out.items[k].n; f++) {
        assert_in_range(out.items[k].facts[f], 1, 3);
        if (f) assert_true(out.items[k].facts[f - 1] < out.items[k].facts[f]);
      }
    hm_arena_free(a);
  }
}

static void too_many_elements_and_facts(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_judge_answer out;
  hm_buf b = { 0 };
  for (int i = 0; i <= HM_JUDGE_ANSWER_ITEMS; i++) hm_buf_c(&b, i ? "," GOOD : "[" GOOD);
  hm_buf_c(&b, "]");
  assert_int_equal(hm_judge_answer_parse(hm_buf_view(&b), facts, 1, 3, a, &out, NULL), -1);
  hm_buf_clear(&b);
  hm_buf_c(&b, "[{\"question\":\"Is it?\",\"fact_ids\":[");
  for (int i = 0; i <= HM_JUDGE_ANSWER_FACTS; i++) hm_buf_fmt(&b, "%s\"aaaaaa%02d\"", i ? "," : "", i);
  hm_buf_c(&b, "]}]");
  assert_int_equal(hm_judge_answer_parse(hm_buf_view(&b), facts, 1, 3, a, &out, NULL), 0);
  assert_int_equal(out.n, 0);
  assert_string_equal(hm_str_z(a, out.notes[0]), "element 1: too many facts");
  hm_buf_free(&b);
  hm_arena_free(a);
}

static const struct { const char *body, *text; } bodies[] = {
  { "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"[]\"}}],\"usage\":{}}", "[]" },
  { "{\"choices\":[{\"message\":{\"content\":\"a\"}},{\"message\":{\"content\":\"b\"}}]}", "a" },
  { "", NULL },
  { "<html>502</html>", NULL },
  { "[]", NULL },
  { "{\"choices\":[]}", NULL },
  { "{\"choices\":{\"message\":{\"content\":\"[]\"}}}", NULL },
  { "{\"choices\":[{\"message\":{\"content\":null}}]}", NULL },
  { "{\"choices\":[{\"message\":{\"content\":[]}}]}", NULL },
  { "{\"choices\":[\"[]\"]}", NULL },
  { "{\"error\":{\"message\":\"no quota\"}}", NULL },
};

static void text_of_a_body(void **state) {
  (void)state;
  for (size_t i = 0; i < HM_COUNT(bodies); i++) {
    hm_arena *a = hm_arena_new();
    hm_str text = HM_EMPTY;
    int rc = hm_judge_answer_text(hm_str_c(bodies[i].body), a, &text, NULL);
    assert_int_equal(rc, bodies[i].text ? 0 : -1);
    if (bodies[i].text) assert_string_equal(hm_str_z(a, text), bodies[i].text);
    hm_arena_free(a);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_answer),
    cmocka_unit_test(too_many_elements_and_facts),
    cmocka_unit_test(text_of_a_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
