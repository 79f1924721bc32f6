/* Decides by words alone whether two texts say the same, or one denies the other. Specification:
 * houkai, "Conflict / contradiction detection".
 *
 * Candidates have a cosine of HM_SIMILAR_LEAST or more and the same key: the same content words,
 * except light ones ("use", "need"). A clause that rejects an alternative ("not Y", "instead of Y",
 * "rather than Y") is cut before that.
 * * duplicate: cosine of HM_SIMILAR_SAME or more, the same words in the same order, rejected
 *   clauses too; the same words denied; no opposite polarity.
 * * contradiction: opposite polarity, checked first; else the parity of the negators differs. The
 *   content words come in the same order, from whichever the text begins with, and no word of time,
 *   place or number differs ("before", "all"). Nothing that asks, or says that things have changed
 *   ("any more"), contradicts.
 *
 * The vectors are those of vector.h with equal weights for all words, so the result depends on the
 * two texts only. Pure. Cost: linear in the words of a text; a vector if two texts share a key. */
#ifndef HM_SIMILAR_H
#define HM_SIMILAR_H
#include "core/recall/vector.h"

#define HM_SIMILAR_LEAST 0.80
#define HM_SIMILAR_SAME 0.95

/* A parsed text. */
typedef struct {
  hm_str said;            /* input of its vector: the text, with "likes" for the verb "like" */
  uint64_t key;           /* equal for similar texts; 0: no content word */
  uint64_t whole;         /* hash of all content words */
  uint64_t denied;        /* hash of what its negators precede */
  uint64_t from;          /* hash of what follows "from" */
  uint32_t marks, modals; /* function words that change the meaning (text_similarity.c) */
  const uint64_t *words;
  size_t n;                /* hashed stems of the key, in order */
  bool odd, asks, changes; /* an odd number of negators; a question; "any more" */
} hm_similar_text;
/* In a; borrows text. */
void hm_similar_text_parse(hm_str text, hm_arena *a, hm_similar_text *out);

typedef enum { HM_UNLIKE, HM_ALIKE_DUPLICATE, HM_ALIKE_CONTRADICTION } hm_alike;
typedef struct {
  hm_alike kind;
  const char *reason; /* for a contradiction: "polarity", "negation_diff"; else NULL */
  double cosine;      /* 0 if the words alone show that they are unlike */
} hm_similarity;

/* Makes vectors of texts. */
typedef struct hm_similar_vectors hm_similar_vectors;
hm_similar_vectors *hm_similar_vectors_new(hm_arena *a);
void hm_similar_make_vector(const hm_similar_vectors *v, hm_str text, hm_arena *scratch,
                            hm_vector *out);

/* Compares their words only: HM_UNLIKE, or the kind if the cosine is high enough. polarity: -1, 0,
 * 1, from the rows. */
hm_similarity hm_similar_compare_words(const hm_similar_text *x, int polarity_x,
                                       const hm_similar_text *y, int polarity_y);
/* The same with the cosine of their vectors. */
hm_similarity hm_similar_compare(const hm_similar_text *x, int polarity_x, const hm_vector *vx,
                                 const hm_similar_text *y, int polarity_y, const hm_vector *vy);
#endif
