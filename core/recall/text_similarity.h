/* Do two texts say the same, or does one deny the other? By their words alone. Specification:
 * houkai, "Conflict / contradiction detection".
 *
 * Candidates have a cosine of HM_SIMILAR_LEAST or more, and one key: the same content words, but
 * for those that carry no weight of their own ("use", "need"). A clause that rejects an
 * alternative ("not Y", "instead of Y", "rather than Y") is cut before that.
 * * duplicate: cosine of HM_SIMILAR_SAME or more, the same words in the same order, rejected
 *   clauses too; the same words denied; no opposite polarity.
 * * contradiction: opposite polarity, checked first; else the parity of the negators differs. The
 *   content words come in the same order, from whichever the text begins with, and no word of time,
 *   place or number differs ("before", "all"). Nothing that asks, or says that things have changed
 *   ("any more"), contradicts.
 *
 * The vectors are those of vector.h with all words of one weight: what two texts are to each other
 * depends on them alone, whatever else a store holds. Pure. Cost: the words of a text; a vector
 * where two texts share a key. */
#ifndef HM_SIMILAR_H
#define HM_SIMILAR_H
#include "core/recall/vector.h"

#define HM_SIMILAR_LEAST 0.80
#define HM_SIMILAR_SAME 0.95

/* A text, read once. */
typedef struct {
  hm_str said;               /* what its vector is made of: the text, "likes" for the verb "like" */
  uint64_t key;              /* of two similar texts the same; 0: it has no content word */
  uint64_t whole;            /* of all content words */
  uint64_t denied;           /* of what its negators stand before */
  uint64_t from;             /* what stands behind "from" */
  uint32_t marks, modals;    /* words of grammar that change what is said (text_similarity.c) */
  const uint64_t *words; size_t n;   /* stems that the key is made from, in order, hashed */
  bool odd, asks, changes;   /* an odd number of negators; a question; "any more" */
} hm_similar_text;
/* In a; borrows text. */
void hm_similar_text_parse(hm_str text, hm_arena *a, hm_similar_text *out);

typedef enum { HM_UNLIKE, HM_ALIKE_DUPLICATE, HM_ALIKE_CONTRADICTION } hm_alike;
typedef struct {
  hm_alike kind;
  const char *reason;        /* of a contradiction: "polarity", "negation_diff"; else NULL */
  double cosine;             /* 0 where the words alone say that they are unlike */
} hm_similarity;

/* Makes the vectors, each text's once. */
typedef struct hm_similar_vectors hm_similar_vectors;
hm_similar_vectors *hm_similar_vectors_new(hm_arena *a);
void hm_similar_make_vector(const hm_similar_vectors *v, hm_str text, hm_arena *scratch,
                            hm_vector *out);

/* What their words say, before any vector: HM_UNLIKE, or what they are if the cosine allows it.
 * polarity: -1, 0, 1, as the rows have it. */
hm_similarity hm_similar_compare_words(const hm_similar_text *x, int polarity_x,
                                       const hm_similar_text *y, int polarity_y);
/* The same with the cosine of their vectors. */
hm_similarity hm_similar_compare(const hm_similar_text *x, int polarity_x, const hm_vector *vx,
                                 const hm_similar_text *y, int polarity_y, const hm_vector *vy);
#endif
