/* Text to words, as recall and similarity compare them. Pure. */
#ifndef HM_TERMS_H
#define HM_TERMS_H
#include "core/base/text.h"

enum { HM_TERM_MAX = 64 };   /* bytes of a word; a longer one goes on as the next */

/* A walk over a text. A word is a run of letters, numbers and marks, or of these with single
 * apostrophes between letters ("don't"), case-folded, NFKC, without a possessive 's. */
typedef struct {
  hm_str text;
  size_t at;
  hm_arena *a;                     /* for words that are not ASCII */
  char room[HM_TERM_MAX + 8];
} hm_terms;

hm_terms hm_terms_begin(hm_str text, hm_arena *a);
/* The next word, borrowed until the next call; false: there is none. *from, *to (may be NULL): its
 * place in the text. */
bool hm_terms_next(hm_terms *w, hm_str *word, size_t *from, size_t *to);

/* A word of grammar and not of content ("the", "what", "is"), negators among them. */
bool hm_term_is_function(hm_str word);
/* A word that denies: "not", "never", "don't", ... (the list is data: terms.c). */
bool hm_term_is_negator(hm_str word);
/* What texts are compared by: the English stem; of a word with a digit or a byte that is not ASCII
 * the word itself. In a, or word. s: NULL: one of its own. */
hm_str hm_term_stem(hm_stemmer *s, hm_arena *a, hm_str word);
#endif
