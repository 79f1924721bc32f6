/* Splits text into words for recall and similarity. Pure. */
#ifndef HM_TERMS_H
#define HM_TERMS_H
#include "core/base/text.h"

enum { HM_TERM_MAX = 64 }; /* bytes of a word; a longer one is split */

/* An iterator over the words of a text. A word is a run of letters, numbers and marks, or of these
 * with single apostrophes between letters ("don't"), case-folded, NFKC, without a possessive 's. Of
 * scripts without spaces (hm_cp_is_unspaced) each letter with the next one is a word. */
typedef struct {
  hm_str text;
  size_t at;
  hm_arena *a; /* for non-ASCII words */
  char room[HM_TERM_MAX + 8];
} hm_terms;

hm_terms hm_terms_begin(hm_str text, hm_arena *a);
/* The next word, borrowed until the next call; false at the end. *from, *to (may be NULL): its
 * offsets in the text. */
bool hm_terms_next(hm_terms *w, hm_str *word, size_t *from, size_t *to);

/* Is it a function word ("the", "what", "is")? Includes negators. */
bool hm_term_is_function(hm_str word);
/* Does it say little of what somebody asks for ("good", "time", "goes")? */
bool hm_term_is_light(hm_str word);
/* The number that the word says, in digits ("seven", "half", "twice"); or empty. */
hm_str hm_term_number(hm_str word);
/* Does it ask ("which"), or as the first word ("does")? */
bool hm_term_asks(hm_str word, bool first);
/* Is it "is", "are", "was" or "were"? */
bool hm_term_is_be(hm_str word);
/* Is it a negator: "not", "never", "don't", ... (list in terms.c)? */
bool hm_term_is_negator(hm_str word);
/* The English stem; for a word with a digit or a non-ASCII byte the word itself. In a, or word. s
 * NULL: creates a stemmer. */
hm_str hm_term_stem(hm_stemmer *s, hm_arena *a, hm_str word);
/* Is it a verb in the form of "carved", "built"? */
bool hm_term_is_participle(hm_str word, hm_arena *scratch);
#endif
