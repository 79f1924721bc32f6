/* Bytes as what a chat endpoint answers, as what a model writes, and as a fact in a story. */
#include "core/base/json.h"
#include "core/judge/judge.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(bool holds) {
  if (!holds) abort();
}

/* Two facts or more of those shown, each once, and a question on one line. */
static void read_answer(hm_str text, const hm_judge_fact *facts, hm_arena *a) {
  hm_judge_answer out;
  if (hm_judge_answer_parse(text, facts, 1, 3, a, &out, NULL)) return;
  for (size_t i = 0; i < out.n; i++) {
    const hm_judge_answer_item *item = &out.items[i];
    check(item->n >= 2 && item->question.n && item->question.n <= HM_JUDGE_ANSWER_QUESTION * 3);
    for (size_t k = 0; k < item->n; k++)
      check(item->facts[k] >= 1 && item->facts[k] <= 3 &&
            (!k || item->facts[k - 1] < item->facts[k]));
    for (size_t k = 0; k < item->question.n; k++) check((unsigned char)item->question.p[k] >= ' ');
  }
}

static void tell_fact(hm_str text, hm_judge_fact *facts, size_t n, hm_arena *a) {
  hm_judge_batch *b;
  hm_json *v;
  facts[0].text = facts[1].scope = text;
  hm_judge_facts_order(facts, n);
  for (size_t i = 0, count = hm_judge_batches_build(facts, n, a, &b); i < count; i++) {
    size_t lines = 0;
    for (size_t k = 0; k < b[i].lines.n; k++) lines += b[i].lines.p[k] == '\n';
    check(lines == b[i].n && b[i].lines.n <= HM_JUDGE_BATCH);
    check(!hm_json_parse(a, hm_judge_request_body(HM_STR("m"), b[i].lines, a), &v, NULL));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  hm_arena *a = hm_arena_new();
  hm_str text = hm_str_dup(a, (hm_str){ (const char *)data, n }), said;
  hm_judge_fact facts[5] = { { .ref = { "memory:m0", 9 }, .label = "aaaaaaa0" },
                       { .ref = { "memory:m1", 9 }, .label = "aaaaaaa1" },
                       { .ref = { "memory:m2", 9 }, .label = "aaaaaaa2" },
                       { .ref = { "memory:m3", 9 }, .label = "aaaaaaa3" },
                       { .ref = { "memory:m4", 9 }, .label = "aaaaaaa4" } };
  read_answer(text, facts, a);
  if (!hm_judge_answer_text(text, a, &said, NULL)) read_answer(said, facts, a);
  tell_fact(text, facts, 5, a);
  hm_arena_free(a);
  return 0;
}
