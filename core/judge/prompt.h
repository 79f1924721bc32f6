/* What a model is asked: the question, and the facts behind a fence. Source: the narrative
 * detective, "The Prompt". */
#ifndef HM_JUDGE_PROMPT_H
#define HM_JUDGE_PROMPT_H
#include "core/base/str.h"

/* The body of a request to a chat endpoint as OpenAI has it, temperature 0, in a. lines: of a
 * batch (hm_story_batch). The fence has a number that is made from the lines, so no fact can hold
 * it, and a fact is one line of JSON, so none can begin a line of its own. */
hm_str hm_prompt_body(hm_str model, hm_str lines, hm_arena *a);
/* The same for pairs of texts that are alike: which of them contradict each other? */
hm_str hm_prompt_pairs_body(hm_str model, hm_str lines, hm_arena *a);
#endif
