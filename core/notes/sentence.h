/* Amounts in texts without headings, as memories are: "Our van holds 8 passengers". */
#ifndef HM_SENTENCE_H
#define HM_SENTENCE_H
#include "core/base/str.h"
#include "core/base/arena.h"

/* What a sentence states: that the amount of what the words of slot say is value. */
typedef struct {
  hm_str slot, hints; /* core/claim/topic.h */
  hm_str value;
} hm_sentence_amount;

/* Reads each line and sentence of the text as one of a document (note_statement.c), but what the
 * amount is about must stand in it, in two words at least, and it must speak of now. Slots of which
 * the text says several values are left out. Returns how many there are; *out is in a. Cost: linear
 * in the text; one without a number costs next to nothing. */
size_t hm_sentence_amounts(hm_str text, hm_arena *a, hm_sentence_amount **out);
#endif
