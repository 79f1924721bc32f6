/* What a model is asked, and what it answered, read strictly: it can propose that facts disagree,
 * and nothing else. Source of the question: the narrative detective, "The Prompt". */
#ifndef HM_JUDGE_CHAT_H
#define HM_JUDGE_CHAT_H
#include "core/base/err.h"
#include "core/judge/judge.h"

/* --- the question ------------------------------------------------------------------------- */

/* The body of a request to a chat endpoint as OpenAI has it, temperature 0, in a. lines: of a
 * batch (hm_judge_batch). The fence has a number that is made from the lines, so no fact can hold
 * it, and a fact is one line of JSON, so none can begin a line of its own. */
hm_str hm_judge_request_body(hm_str model, hm_str lines, hm_arena *a);

/* --- the answer ------------------------------------------------------------------------------ */

enum {
  HM_JUDGE_ANSWER_BYTES = 1 << 20,    /* of an answer at most */
  HM_JUDGE_ANSWER_ITEMS = 100,        /* in an answer at most */
  HM_JUDGE_ANSWER_FACTS = 32,         /* in an element at most */
  HM_JUDGE_ANSWER_QUESTION = 400      /* bytes of a question at most */
};

typedef struct {
  uint32_t *facts; size_t n;    /* two or more, ascending, each once */
  hm_str question;              /* one line of UTF-8, not empty */
} hm_judge_answer_item;

typedef struct {
  hm_judge_answer_item *items; size_t n;   /* in the order of the answer */
  hm_str *notes; size_t n_notes;     /* why elements were passed over, one each: may quote them */
} hm_judge_answer;

/* The text that the model wrote, from the body that a chat endpoint answered with; in a. Errors
 * (HM_E_INPUT): the body is no such answer. */
int hm_judge_answer_text(hm_str body, hm_arena *a, hm_str *text, hm_err *err);
/* Reads the text: a JSON array, a code block around it allowed, of objects with "fact_ids" and
 * "question" and no other member. facts[first] up to facts[first + n] are those that the model was
 * shown; items count in facts. An element is passed over, with a note, where it is something else,
 * names fewer than two ids, or one that is unknown, or one twice, has no question or one that is
 * too long, or says the same as one before it. Texts in a. Errors (HM_E_INPUT): no array, or more
 * than HM_JUDGE_ANSWER_ITEMS elements. */
int hm_judge_answer_parse(hm_str text, const hm_judge_fact *facts, size_t first, size_t n,
                          hm_arena *a, hm_judge_answer *out, hm_err *err);
#endif
