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
  /* nothing that could be read */
  { "", -1, 0, "" },
  { "null", -1, 0, "" },
  { "All is well.", -1, 0, "" },
  { "see [1] and [2]", -1, 0, "" },
  { "```json\n```", -1, 0, "" },
  /* an array with something around it, or none */
  { "{}", 0, 1, "element 1: fewer than two known ids: \"{}\"" },
  { GOOD, 1, 0, "Is it so?" },
  { "{\"conflicts\":[" GOOD "]}", 1, 0, "Is it so?" },
  { "Here you are [1]: [" GOOD "]", 1, 0, "Is it so?" },
  { "[" GOOD "] That is all.", 1, 0, "Is it so?" },
  { "[" GOOD "][" ITEM(A3 "," A1, "Other?") "]", 1, 0, "Is it so?" },
  { "No: []. Or rather [" GOOD "]", 1, 0, "Is it so?" },
  { "<think>[" ITEM(A3 "," A1, "Perhaps?") "]</think>[" GOOD "]", 1, 0, "Is it so?" },
  { "Sure!\n```json\n[]\n```", 0, 0, "" },
  { "Sure!\n```json\n[" GOOD "]\n```\nAnd more\n```", 1, 0, "Is it so?" },
  { "[" GOOD ",]", 1, 0, "Is it so?" },
  { "[" GOOD " " ITEM(A3 "," A1, "Other?") "]", 2, 0, "Is it so?" },
  /* one that ends in the middle */
  { "[" GOOD, 1, 1, "element 2: the answer ends in the middle" },
  { "[" GOOD ",{\"fact_ids\":[" A1, 1, 2, "element 2: fewer than two known ids: \"{\"fact_ids\":[\"aaaaaaa1\"\"" },
  { "[{\"fact_ids\":[" A1 "," A2 "],\"question\":\"Is it", 1, 1, "element 2: the answer ends in the middle" },
  { "[{\"fact_ids\":[\"", 0, 2, "element 1: fewer than two known ids: \"{\"fact_ids\":[\"\"" },
  /* broken objects that name their facts */
  { "[{'fact_ids': ['aaaaaaa1', 'aaaaaaa2'], 'question': 'Is it?'}]", 1, 0, "Do these facts contradict each other?" },
  { "[{\"fact_ids\":[" A1 "," A2 "],\"fact_ids\":[" A1 "],\"question\":\"x\"}]", 1, 0, "Do these facts contradict each other?" },
  /* other members, other ways to write ids */
  { "[{\"fact_ids\":[" A1 "," A2 "],\"question\":\"Is it?\",\"resolve\":true}," GOOD "]", 1, 1,
    "element 2: the facts of an element before it" },
  { "[{\"fact_ids\":[" A1 "," A2 "],\"question\":\"Is it?\",\"winner\":\"aaaaaaa3\"}]", 1, 0, "Is it?" },
  { "[{\"facts\":[" A1 "," A2 "],\"question\":\"Is aaaaaaa3?\"}]", 1, 0, "Is aaaaaaa3?" },
  { "[{\"fact_ids\":\"aaaaaaa1, AAAAAAA2\",\"question\":\"Is it?\"}]", 1, 0, "Is it?" },
  { "[" ITEM("[" A1 "],{\"id\":" A2 "}", "Is it?") "]", 1, 0, "Is it?" },
  { "[" ITEM(A1 "," A2 ",\"deadbeef\"", "Is it?") "]", 1, 0, "Is it?" },
  { "[" ITEM(A1 "," A2 "," A1, "Is it?") "]", 1, 0, "Is it?" },
  /* questions */
  { "[" ITEM(A1 "," A2, "") "]", 1, 0, "Do these facts contradict each other?" },
  { "[" ITEM(A1 "," A2, " \\n\\u0000 ") "]", 1, 0, "Do these facts contradict each other?" },
  { "[{\"fact_ids\":[" A1 "," A2 "]}]", 1, 0, "Do these facts contradict each other?" },
  { "[{\"fact_ids\":[" A1 "," A2 "],\"question\":[\"Is it?\"]}]", 1, 0, "Do these facts contradict each other?" },
  { "[" ITEM(A1 "," A2, HUNDRED HUNDRED HUNDRED HUNDRED "0") "]", 1, 0, HUNDRED HUNDRED HUNDRED HUNDRED "…" },
  /* elements that are passed over, and the others go on */
  { "[1," GOOD "]", 1, 1, "element 1: no object: \"1\"" },
  { "[[" GOOD "]," ITEM(A3 "," A1, "Other?") "]", 1, 1, "element 1: no object: \"[{\"fact_ids\":[\"aaaaaaa1\",\"aaaaaaa2\"],\"question\":\"Is it so?\"}\"" },
  { "[" GOOD ",null]", 1, 1, "element 2: no object: \"null\"" },
  { "[" ITEM(A1 ",\"deadbeef\"", "") "," GOOD "]", 1, 1,
    "element 1: fewer than two known ids: \"{\"fact_ids\":[\"aaaaaaa1\",\"deadbeef\"],\"question\":\"\"}\"" },
  { "[" ITEM(A1 ",\"aaaaaaa0\"", "") "]", 0, 1,
    "element 1: fewer than two known ids: \"{\"fact_ids\":[\"aaaaaaa1\",\"aaaaaaa0\"],\"question\":\"\"}\"" },
  { "[" ITEM(A1 ",\"aaaaaaa4\"", "") "]", 0, 1,
    "element 1: fewer than two known ids: \"{\"fact_ids\":[\"aaaaaaa1\",\"aaaaaaa4\"],\"question\":\"\"}\"" },
  { "[" ITEM(A1 ",\"memory:m2\"", "") "]", 0, 1,
    "element 1: fewer than two known ids: \"{\"fact_ids\":[\"aaaaaaa1\",\"memory:m2\"],\"question\":\"\"}\"" },
  { "[" ITEM(A1 "," A1, "") "]", 0, 1,
    "element 1: fewer than two known ids: \"{\"fact_ids\":[\"aaaaaaa1\",\"aaaaaaa1\"],\"question\":\"\"}\"" },
  { "[" ITEM(A1, "") "," GOOD "]", 1, 1,
    "element 1: fewer than two known ids: \"{\"fact_ids\":[\"aaaaaaa1\"],\"question\":\"\"}\"" },
  { "[" GOOD "," ITEM(A2 "," A1, "Other words?") "]", 1, 1,
    "element 2: the facts of an element before it" },
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
  assert_int_equal(hm_judge_answer_parse(hm_buf_view(&b), facts, 1, 3, a, &out, NULL), 0);
  assert_int_equal(out.n, 1);
  assert_int_equal(out.n_notes, HM_JUDGE_ANSWER_ITEMS);
  assert_string_equal(hm_str_z(a, out.notes[out.n_notes - 1]),
                      "element 101: more elements than are read");
  hm_buf_clear(&b);
  hm_buf_c(&b, "[{\"question\":\"Is it?\",\"fact_ids\":[");
  hm_judge_fact many[HM_JUDGE_ANSWER_FACTS + 1] = { 0 };
  for (int i = 0; i <= HM_JUDGE_ANSWER_FACTS; i++) {
    snprintf(many[i].label, sizeof many[i].label, "aaaaaa%02d", i);
    hm_buf_fmt(&b, "%s\"%s\"", i ? "," : "", many[i].label);
  }
  hm_buf_c(&b, "]}]");
  size_t n = HM_COUNT(many);
  assert_int_equal(hm_judge_answer_parse(hm_buf_view(&b), many, 0, n, a, &out, NULL), 0);
  assert_int_equal(out.n, 0);
  assert_true(out.is_refused);
  assert_true(hm_str_starts(out.notes[0], "element 1: too many facts"));
  hm_buf_free(&b);
  hm_arena_free(a);
}

static const struct { const char *body, *text; } bodies[] = {
  { "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"[]\"}}],\"usage\":{}}", "[]" },
  { "{\"choices\":[{\"message\":{\"content\":\"a\"}},{\"message\":{\"content\":\"b\"}}]}", "a" },
  { "{\"choices\":[{\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"[]\"}]}}]}", "[]" },
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
