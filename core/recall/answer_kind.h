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
  HM_ANSWER_PLACE,  /* "where" */
  HM_ANSWER_REASON, /* "why" */
  HM_ANSWER_AGENT,  /* "who", "which firm" */
  HM_ANSWER_NAME,   /* "what is it called" */
  HM_ANSWER_COLOUR
} hm_answer_kind;

/* What a question wants. word: names the kind ("colour", "heavy"); key: what an answer is about
 * more than anything, the noun behind "how many" or of "what is the X of", the verb behind "who",
 * or what it does it to ("takes the photographs"); noun: another one behind "which", which an
 * answer may leave out ("which font"); must: what an answer says, too, the verb behind "when" and
 * "where", what is counted ("days of holiday", "drivers are women"). They are parts of the
 * question, or empty. */
typedef struct {
  hm_answer_kind kind;
  hm_str word, key, noun, must;
} hm_answer_wanted;
hm_answer_wanted hm_answer_wanted_by(hm_str question, hm_arena *scratch);
/* Is it a word of the calendar ("monday", "spring")? */
bool hm_answer_kind_is_time(hm_str word);
/* Has the text, besides what the question says, words that may be such an answer? Lenient: it says
 * no only where none can be. */
bool hm_answer_fits(const hm_answer_wanted *wanted, hm_str question, hm_str text,
                    hm_arena *scratch);
/* Tells a text that lacks the verb of "who" of somebody without another verb: "complaints go to Mr.
 * Fabre", "our adviser is Ms. Lee"? */
bool hm_answer_names_agent(hm_str question, hm_str text, hm_arena *scratch);
#endif
