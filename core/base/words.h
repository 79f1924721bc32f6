/* Splits a text into search words. themes/default/search.js has the same rule for queries;
 * tests/data/search_words.txt tests both. */
#ifndef HM_WORDS_H
#define HM_WORDS_H
#include "str.h"

enum { HM_WORD_CODE_POINTS = 32 }; /* a longer word is cut */

typedef void hm_word_fn(void *ctx, hm_str word);

/* Calls each(ctx, word) for the words of text, in their order. A word is a run of letters and
 * numbers, in normal form KD without marks, in lower case; a full stop between two ASCII digits
 * belongs to it ("4.8"). After several words without white space between them ("p05-e14",
 * "GF-PTFE") it also gives them joined ("p05e14", "gfptfe"), so that an id is one word. Letters of
 * scripts without spaces (hm_cp_is_unspaced) are words by pairs: each with the next one. Text may
 * be any bytes; invalid UTF-8 separates words. word is valid during the call. Cost: linear, no
 * memory. */
void hm_text_each_word(hm_str text, hm_word_fn *each, void *ctx);

/* Is it so common in English ("the", "of") that no index has it? word: from hm_text_each_word. */
bool hm_word_is_common(hm_str word);
#endif
