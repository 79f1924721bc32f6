/* The words by which a text is found. themes/default/search.js has the same rule, for what a reader
 * types; tests/data/search_words.txt holds both to it. */
#ifndef HM_WORDS_H
#define HM_WORDS_H
#include "str.h"

enum { HM_WORD_CODE_POINTS = 32 };   /* a longer word is cut */

typedef void hm_word_fn(void *ctx, hm_str word);

/* Calls each(ctx, word) for the words of text, in their order. A word is a run of letters and
 * numbers, in normal form KD without marks, in lower case; a full stop between two ASCII digits
 * belongs to it ("4.8"). After several words that no white space parts ("p05-e14", "GF-PTFE")
 * comes one more, which is all of them in one ("p05e14", "gfptfe"), so that an id is found as one.
 * Any bytes are a text; what is no UTF-8 parts words. word is valid during the call. Cost: linear,
 * no memory. */
void hm_text_each_word(hm_str text, hm_word_fn *each, void *ctx);

/* "the", "of": so common in English that no index has them. word: as hm_text_each_word gives it. */
bool hm_word_is_common(hm_str word);
#endif
