/* Vectors that models made of texts, kept by the model's name and the digest of the text.
 *
 * They stand in our store, or for a foreign one in the review file. The table comes with the first
 * vector: most stores have none. A vector says something of its text, so who takes a text out of
 * the store empties the table; it can be made again at any time. Those of texts that no row has any
 * more go when the missing ones are made (gen/mirror/embedding.h). */
#ifndef HM_VECTORS_H
#define HM_VECTORS_H
#include "core/store/store.h"

enum { HM_DIGEST_BYTES = 32 };   /* SHA-256 */

/* Gives each vector, by model and digest; bytes: one for each number, none for a text that was
 * withheld from the model. Borrowed for the call. */
typedef void hm_vector_take(void *ctx, hm_str model, hm_str digest, hm_str bytes);
int hm_vectors_read(hm_store *s, hm_vector_take *take, void *ctx, hm_err *err);
/* Keeps one, in the open write transaction; another of the same text and model gives way. */
int hm_vectors_put(hm_store *s, hm_str model, hm_str digest, hm_str bytes, hm_err *err);

/* Removes one, in the open write transaction, if it is there. */
int hm_vectors_remove(hm_store *s, hm_str model, hm_str digest, hm_err *err);

/* texts: of which there is a vector; withheld: which were not sent. */
typedef struct { hm_str model; int64_t texts, withheld; } hm_vector_model;
/* By model, in a. */
int hm_vectors_models(hm_store *s, hm_arena *a, hm_vector_model **out, size_t *n, hm_err *err);
/* Removes all, in the open write transaction. */
int hm_vectors_clear(hm_store *s, hm_err *err);
#endif
