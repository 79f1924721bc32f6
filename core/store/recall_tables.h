/* What recall stores beside the facts: vectors that models made of texts, in the store, or for a
 * foreign one in the review file.
 *
 * By the model's name and the digest of the text. The first
 * vector creates the table, so most stores have none. A vector reveals something of its text, so a
 * redaction empties the table. Vectors of texts that no row has any more are removed when the
 * missing ones are made (gen/mirror/embedding.h). They can be deleted at any time; they are made
 * again. */
#ifndef HM_RECALL_TABLES_H
#define HM_RECALL_TABLES_H
#include "core/store/store.h"

enum { HM_DIGEST_BYTES = 32 }; /* SHA-256 */

/* Gives each vector, by model and digest. bytes: one for each number, empty for a text that was
 * withheld from the model. Valid during the call. */
typedef void hm_vector_take(void *ctx, hm_str model, hm_str digest, hm_str bytes);
int hm_vectors_read(hm_store *s, hm_vector_take *take, void *ctx, hm_err *err);
/* Stores one, in the open write transaction; replaces that of the same text and model. */
int hm_vectors_put(hm_store *s, hm_str model, hm_str digest, hm_str bytes, hm_err *err);

/* Removes one, in the open write transaction, if it is there. */
int hm_vectors_remove(hm_store *s, hm_str model, hm_str digest, hm_err *err);

/* texts: number with a vector; withheld: number not sent. */
typedef struct {
  hm_str model;
  int64_t texts, withheld;
} hm_vector_model;
/* By model, in a. */
int hm_vectors_models(hm_store *s, hm_arena *a, hm_vector_model **out, size_t *n, hm_err *err);
/* Removes all, in the open write transaction. */
int hm_vectors_clear(hm_store *s, hm_err *err);

/* --- last uses ----------------------------------------------------------------------------- */

/* Gives last_accessed_at of each memory that has one. Valid during the call. */
typedef void hm_use_take(void *ctx, hm_str id, hm_str at);
int hm_uses_read(hm_store *s, hm_use_take *take, void *ctx, hm_err *err);
#endif
