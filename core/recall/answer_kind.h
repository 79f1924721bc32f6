/* What kind of answer a question wants, and whether a text has one: who asks what the meatballs
 * cost is not answered by "The special of Saturday is meatballs". Pure. */
#ifndef HM_ANSWER_KIND_H
#define HM_ANSWER_KIND_H
#include "core/recall/terms.h"

typedef enum {
  HM_ANSWER_ANY,
  HM_ANSWER_AMOUNT, /* "how many", "how large" */
  HM_ANSWER_LENGTH, /* "how deep" */
  HM_ANSWER_LONG,   /* "how long": a length or a duration */
  HM_ANSWER_MASS,   /* "how heavy" */
  HM_ANSWER_SPEED,  /* "how fast" */
  HM_ANSWER_AGE,    /* "how old" */
  HM_ANSWER_OFTEN,  /* "how often" */
  HM_ANSWER_COST,   /* "what does it cost" */
  HM_ANSWER_TIME,   /* "when", "on which day" */
  HM_ANSWER_AGENT,  /* "who", "which firm" */
  HM_ANSWER_NAME,   /* "what is it called" */
  HM_ANSWER_COLOUR
} hm_answer_kind;

/* Does the word name the kind ("colour", "cost")? */
bool hm_answer_kind_is_word(hm_str word);
/* Is it a word of the calendar ("monday", "spring")? */
bool hm_answer_kind_is_time(hm_str word);
hm_answer_kind hm_answer_kind_of(hm_str question, hm_arena *scratch);
/* Has the text, besides what the question says, words that may be such an answer? Lenient: it says
 * no only where none can be. */
bool hm_answer_kind_fits(hm_answer_kind kind, hm_str question, hm_str text, hm_arena *scratch);
#endif
