/* Vectors of texts by a model behind an HTTP endpoint, as OpenAI has it: {"model","input":[...]}
 * to {"data":[{"index","embedding":[numbers]}]}.
 *
 * What comes back is checked as a whole: a vector for each text, all of one length, of numbers that
 * are numbers. An answer with one fault in it gives no vector. */
#ifndef HM_EMBED_H
#define HM_EMBED_H
#include "core/base/err.h"
#include "core/base/str.h"
#include "core/recall/recall.h"
#include "core/store/recall_tables.h"

enum { HM_EMBED_BATCH = 64, HM_EMBED_TEXT = 8000 };   /* texts of a request; bytes of one */

typedef struct {
  const char *url, *model, *key;
  int timeout_ms;                  /* of one request */
  bool (*is_stopped)(void *ctx);   /* as hm_post has it */
  void *ctx;
} hm_embed_endpoint;

/* Bytes of vectors: those of text i begin at v + i * dims. */
typedef struct { int8_t *v; int dims; } hm_embedded;

/* Asks for the vectors of at most HM_EMBED_BATCH texts, none of them empty; of a longer one its
 * first HM_EMBED_TEXT bytes are sent. dims: how long they must be; 0: any. All in a. May run in
 * many threads. Errors: those of hm_net_post; HM_E_OUTPUT: another status than 200; HM_E_INPUT: the
 * answer is not what was asked for. Nothing shows the key, or what was sent. */
int hm_embed_request(const hm_embed_endpoint *to, const hm_str *texts, size_t n, int dims,
                     hm_arena *a,
                     hm_embedded *out, hm_err *err);
/* Reads an answer. Pure. */
int hm_embed_parse_answer(hm_str body, size_t n, int dims, hm_arena *a, hm_embedded *out,
                          hm_err *err);

/* --- vectors beside the rows ----------------------------------------------------------- */

/* The vectors that a model behind an endpoint made of the rows of an index, as the store
 * keeps them (core/store/recall_tables.h).
 *
 * Vectors of two models are never compared: an answer is by the model when every row that may be
 * an answer has its vector, else by the built-in vectors alone. A row whose text was withheld from
 * the model has a vector of zeros: its words find it. */

/* A vector of a text that no row has any more with which it may be an answer. */
typedef struct { hm_str model; unsigned char digest[HM_DIGEST_BYTES]; } hm_stale_vector;
/* A text that has no vector yet. */
typedef struct { hm_str ref, text; unsigned char digest[HM_DIGEST_BYTES]; } hm_missing_vector;

typedef struct {
  const hm_matrix *rows;       /* NULL: some are missing, or there are none */
  int dims;                    /* of those that the store has; 0: none yet */
  hm_missing_vector *missing; size_t n_missing;   /* each text once; ref: of its first row */
  hm_stale_vector *stale; size_t n_stale;     /* of any model */
} hm_embed_vectors;

/* Reads what the store has of this model for the index. Texts are borrowed from the index, the rest
 * is in a. Cost: a digest of each text, and the vectors of all models. */
int hm_embed_vectors_read(hm_store *s, const hm_recall_index *x, hm_str model, hm_arena *a,
                          hm_embed_vectors *out, hm_err *err);

/* Does the row still say this, as far as recall reads it? rows: those of a partial snapshot. */
bool hm_missing_vector_is_current(const hm_missing_vector *u, const hm_snapshot *rows,
                                  hm_arena *scratch);

/* What a question is compared by: the rows' vectors of a model and the question's own. */
typedef struct { hm_str name; const hm_matrix *rows; const int8_t *question; } hm_recall_model;
#endif
