/* The vectors that a model behind an endpoint (embed.h) made of the rows of an index, as the store
 * keeps them (core/store/recall_tables.h).
 *
 * Vectors of two models are never compared: an answer is by the model when every row that may be
 * an answer has its vector, else by the built-in vectors alone. A row whose text was withheld from
 * the model has a vector of zeros: its words find it. */
#ifndef HM_RECALL_MODEL_H
#define HM_RECALL_MODEL_H
#include "core/recall/recall.h"
#include "core/store/recall_tables.h"

/* A vector of a text that no row has any more with which it may be an answer. */
typedef struct { hm_str model; unsigned char digest[HM_DIGEST_BYTES]; } hm_stale_vector;
/* A text that has no vector yet. */
typedef struct { hm_str ref, text; unsigned char digest[HM_DIGEST_BYTES]; } hm_unembedded;

typedef struct {
  const hm_matrix *rows;       /* NULL: some are missing, or there are none */
  int dims;                    /* of those that the store has; 0: none yet */
  hm_unembedded *missing; size_t n_missing;   /* each text once; ref: of its first row */
  hm_stale_vector *stale; size_t n_stale;     /* of any model */
} hm_model_rows;

/* Reads what the store has of this model for the index. Texts are borrowed from the index, the rest
 * is in a. Cost: a digest of each text, and the vectors of all models. */
int hm_model_rows_read(hm_store *s, const hm_recall_index *x, hm_str model, hm_arena *a,
                       hm_model_rows *out, hm_err *err);

/* Does the row still say this, as far as recall reads it? rows: those of a partial snapshot. */
bool hm_unembedded_stands(const hm_unembedded *u, const hm_snapshot *rows, hm_arena *scratch);

/* What a question is compared by: the rows' vectors of a model and the question's own. */
typedef struct { hm_str name; const hm_matrix *rows; const int8_t *question; } hm_recall_model;
#endif
