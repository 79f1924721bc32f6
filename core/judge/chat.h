/* The request to a model, and its answer, parsed strictly: it can only propose that facts disagree.
 * Source of the question: the narrative detective, "The Prompt". */
#ifndef HM_JUDGE_CHAT_H
#define HM_JUDGE_CHAT_H
#include "core/base/err.h"
#include "core/judge/judge.h"

/* --- the question ------------------------------------------------------------------------- */

/* The body of a request to a chat endpoint in OpenAI's format, temperature 0, in a. lines: of a
 * batch (hm_judge_batch). The fence around the lines has a number made from them, so no fact can
 * contain it; and a fact is one line of JSON, so it cannot begin a new line. */
hm_str hm_judge_request_body(hm_str model, hm_str lines, hm_arena *a);

/* --- the answer ------------------------------------------------------------------------------ */

enum {
  HM_JUDGE_ANSWER_BYTES = 1 << 20, /* most bytes of an answer */
  HM_JUDGE_ANSWER_ITEMS = 100,     /* most elements of an answer */
  HM_JUDGE_ANSWER_FACTS = 32,      /* most facts of an element */
  HM_JUDGE_ANSWER_QUESTION = 400   /* most bytes of a question */
};

typedef struct {
  uint32_t *facts;
  size_t n;        /* two or more, ascending, distinct */
  hm_str question; /* one line of UTF-8, not empty */
} hm_judge_answer_item;

typedef struct {
  hm_judge_answer_item *items;
  size_t n; /* in the order of the answer */
  hm_str *notes;
  size_t n_notes; /* why elements were skipped, one each; may quote them */
} hm_judge_answer;

/* The model's text in the body of a chat endpoint's answer; in a. HM_E_INPUT: not such an
 * answer. */
int hm_judge_answer_text(hm_str body, hm_arena *a, hm_str *text, hm_err *err);
/* Parses the text: a JSON array, perhaps in a code block, of objects with only the members
 * "fact_ids" and "question". The model was shown facts[first] up to facts[first + n]; items have
 * indices into facts. Skips an element, with a note, if it is anything else, has fewer than two
 * ids, an unknown or repeated id, no question or one that is too long, or repeats an earlier one.
 * Texts in a. HM_E_INPUT: not an array, or more than HM_JUDGE_ANSWER_ITEMS elements. */
int hm_judge_answer_parse(hm_str text, const hm_judge_fact *facts, size_t first, size_t n,
                          hm_arena *a, hm_judge_answer *out, hm_err *err);
#endif
