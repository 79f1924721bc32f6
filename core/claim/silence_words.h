/* Texts that say that a value is not known. */
#ifndef HM_SILENCE_WORDS_H
#define HM_SILENCE_WORDS_H
#include "core/claim/rules.h"

/* Does the text say that its value is not known: "TBD", "n/a", "not known yet." in any case, or
 * one of rules->silence? rules may be NULL. Texts that are not ASCII are folded in scratch. */
bool hm_value_is_silence(hm_str text, const hm_rules *rules, hm_arena *scratch);
/* A text as rules->silence has it; empty when nothing is left of it, or more than 64 bytes. In a.
 */
hm_str hm_silence_fold(hm_str text, hm_arena *a);
#endif
