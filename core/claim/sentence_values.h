/* Values that say more than a word: the sentences of a definition, a summary, an answer; and what
 * was before.
 *
 * Two people seldom say one thing in the same words, so two sentences of such a slot agree, unless
 * they are the same but for a number or a negation. */
#ifndef HM_SENTENCE_VALUES_H
#define HM_SENTENCE_VALUES_H
#include "core/claim/claim.h"

/* Does a slot of this name have sentences as values? By its last word: "root_cause_summary". */
bool hm_slot_has_sentences(hm_str slot_name);
/* Are both values sentences of such a slot, and do they not contradict each other? */
bool hm_sentence_values_agree(const hm_claim *a, const hm_claim *b);
/* Does one of the values, of no texts, name the other as what holds now, or as what held before,
 * in its own words: "formerly SKF, now Schaeffler" beside "Schaeffler" and beside "SKF"? False if
 * each names the other as left. */
bool hm_value_change_settles(const hm_claim *a, const hm_claim *b);
#endif
