/* What a text of somebody's memory states of a thing, sentence by sentence, in several languages:
 * an amount, a day, a person, a place, a permission. Prose (core/prose) reads English by
 * its grammar; here all that a sentence says beside the value is what the value is about, whatever
 * its order.
 *
 * So two sentences meet only where they name the same things: a place, a season, a number of a
 * thing more keeps them apart. Words of grammar, and those that say no more than the kind of the
 * value ("costs" of money), are left out, and words are compared by their stems. */
#ifndef HM_SENTENCE_H
#define HM_SENTENCE_H
#include "core/base/str.h"

typedef struct {
  hm_str slot;    /* folded: sorted stems and the kind: "passeng_van_count" */
  hm_str called;  /* the same in the sentence's own words and order: "van_passengers" */
  hm_str value;   /* to be parsed: "6", "30 seconds", "monday" */
  hm_str written; /* slice of the text that gives it */
  hm_str words;   /* the sentence, a slice of the text */
  bool rule;      /* what is allowed or required */
  bool frame;     /* only the words are known, not what they say: for a text that claims nothing */
} hm_sentence_claim;

/* What one thread knows of words that it has read. Lives in a. */
typedef struct hm_sentence_words hm_sentence_words;
hm_sentence_words *hm_sentence_words_new(hm_arena *a);

/* What the text states; about: bytes at its beginning that name what it is about; frames: also of
 * sentences of which only the words are known. A sentence that
 * asks, quotes, doubts, plans, tells of the past, of one day, a condition or of its speaker states
 * nothing, nor does one that says too little or too much, and slots of which the text says several
 * values are left out. Returns how many there are; *out is in a. Cost: linear in the text; a text
 * of over 64 KiB is not read. */
size_t hm_sentences_read(hm_sentence_words *known, hm_str text, size_t about, bool frames,
                         hm_arena *a, hm_sentence_claim **out);

/* Does a heading say nothing of what is below it: "Notes", "Setup"? */
bool hm_heading_is_generic(hm_str heading, hm_arena *a);

/* An amount, a time of day or a day in a text, whatever the sentence says of it. */
typedef struct {
  const char *kind; /* "duration", "interval", "money", "time", "weekday", ... */
  hm_str value;     /* in one spelling: "2 weeks" */
} hm_sentence_amount;
/* At most `most` of them, in a. */
size_t hm_sentence_amounts(hm_str text, hm_arena *a, hm_sentence_amount *out, size_t most);
#endif
