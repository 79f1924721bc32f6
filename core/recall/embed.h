/* Vectors of texts from a model behind an HTTP endpoint with OpenAI's format:
 * {"model","input":[...]} gives {"data":[{"index","embedding":[numbers]}]}.
 *
 * An answer must have a vector of finite numbers for each text, all of one length. With any fault
 * the whole answer is refused. */
#ifndef HM_EMBED_H
#define HM_EMBED_H
#include "core/base/err.h"
#include "core/base/str.h"
#include "core/recall/recall.h"
#include "core/store/recall_tables.h"

enum { HM_EMBED_BATCH = 64, HM_EMBED_TEXT = 8000 }; /* texts of a request; bytes of one */

typedef struct {
  const char *url, *model, *key;
  int timeout_ms;                /* of one request */
  bool (*is_stopped)(void *ctx); /* as in hm_post */
  void *ctx;
} hm_embed_endpoint;

/* Bytes of vectors: those of text i begin at v + i * dims. */
typedef struct {
  int8_t *v;
  int dims;
} hm_embedded;

/* Requests the vectors of at most HM_EMBED_BATCH texts, none empty; sends the first HM_EMBED_TEXT
 * bytes of each. dims: required length; 0: any. All in a. Thread-safe. Errors: those of
 * hm_net_post; HM_E_OUTPUT: another status than 200; HM_E_INPUT: an invalid answer. Errors never
 * contain the key or the texts. */
int hm_embed_request(const hm_embed_endpoint *to, const hm_str *texts, size_t n, int dims,
                     hm_arena *a, hm_embedded *out, hm_err *err);
/* Reads an answer. Pure. */
int hm_embed_parse_answer(hm_str body, size_t n, int dims, hm_arena *a, hm_embedded *out,
                          hm_err *err);

/* --- vectors beside the rows ----------------------------------------------------------- */

/* The stored vectors (core/store/recall_tables.h) of the rows of an index, from a model behind an
 * endpoint.
 *
 * Vectors of two models are never compared: an answer uses the model if every row that may be an
 * answer has its vector, else only the built-in vectors. A row whose text was withheld from the
 * model has a vector of zeros, so only its words find it. */

/* A vector whose text no row that may be an answer has any more. */
typedef struct {
  hm_str model;
  unsigned char digest[HM_DIGEST_BYTES];
} hm_stale_vector;
/* A text that has no vector yet. */
typedef struct {
  hm_str ref, text;
  unsigned char digest[HM_DIGEST_BYTES];
} hm_missing_vector;

typedef struct {
  const hm_matrix *rows; /* NULL: some are missing, or there are no rows */
  int dims;              /* of the stored vectors; 0: none yet */
  hm_missing_vector *missing;
  size_t n_missing; /* each text once; ref: of its first row */
  hm_stale_vector *stale;
  size_t n_stale; /* of any model */
} hm_embed_vectors;

/* Reads the store's vectors of this model for the index. Texts borrow from the index, the rest is
 * in a. Cost: digests each text, reads the vectors of all models. */
int hm_embed_vectors_read(hm_store *s, const hm_recall_index *x, hm_str model, hm_arena *a,
                          hm_embed_vectors *out, hm_err *err);

/* Has the row still this text for recall? rows: a partial snapshot. */
bool hm_missing_vector_is_current(const hm_missing_vector *u, const hm_snapshot *rows,
                                  hm_arena *scratch);

/* A model for answering a question: its vectors of the rows and of the question. */
typedef struct {
  hm_str name;
  const hm_matrix *rows;
  const int8_t *question;
} hm_recall_model;
#endif
