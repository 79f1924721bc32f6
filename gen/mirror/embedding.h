/* The embedding model of a mirror, for recall: tells whether there is one, makes the vectors that
 * the store lacks, and the vector of a question. */
#ifndef HM_EMBEDDING_H
#define HM_EMBEDDING_H
#include "core/recall/answer.h"
#include "core/recall/embed.h"
#include "gen/mirror/mirror.h"

/* Returns NULL when a model is configured and its key is set, else the reason why not; in m->a. */
const char *hm_embedding_why_off(const hm_mirror *m);

/* Has the model make vectors of these texts and stores them, some hundred in each transaction, so
 * that a failed request loses no earlier vectors. Does not send empty texts, texts with a live
 * secret, or rows of which publish.exclude leaves anything out; the store notes that these were
 * withheld. Drops the vector of a text that its row no longer has. dims: hm_embed_vectors. Errors:
 * those of hm_embed_request, of the store, and, with publish.exclude, of a sweep. */
int hm_embedding_build(hm_mirror *m, const hm_missing_vector *texts, size_t n, int dims,
                       bool (*is_stopped)(void *ctx), void *ctx, hm_err *err);

/* Removes vectors of texts that no row has any more. */
int hm_embedding_prune(hm_mirror *m, const hm_stale_vector *v, size_t n, hm_err *err);

/* Asks the model for the vector of a question. Returns false when recall must use the built-in
 * vectors; *note, in m->a, says why, or is empty when no model is configured or used before. rows:
 * the vectors of the configured model; NULL when it is off. */
bool hm_embedding_embed_question(hm_mirror *m, hm_store *s, const hm_embed_vectors *rows,
                                 hm_str query, hm_recall_model *out, hm_str *note);
/* Writes the object "vectors" of `health`. off: hm_embedding_why_off. */
void hm_embedding_json(hm_jw *w, const char *off, const char *model, const hm_vector_model *kept,
                       size_t n);
/* "; the store has 7 vectors of M" for the models other than `but`, or empty; in a. */
hm_str hm_embedding_format_other_models(hm_store *s, hm_str but, hm_arena *a);

/* Says why there is no model to compare by: `off`, and the store's vectors of other models. Empty
 * when nobody expects a model: none is configured (named false), and the store has no vectors. In
 * a. */
hm_str hm_embedding_off_note(const char *off, bool named, hm_store *s, hm_arena *a);

/* For a server: makes vectors on its own thread, one order at a time, and pauses after a failure.
 * Returns NULL when there is no model. m's config must outlive it. */
typedef struct hm_embedding hm_embedding;
hm_embedding *hm_embedding_start(const hm_mirror *m);
/* As hm_embedding_embed_question, but waits at most recall.timeout: orders the missing vectors of
 * rows, and the note says so; the next order also removes stale vectors. For one thread at a time.
 * a: for the note and the vector. */
bool hm_embedding_ask_model(hm_embedding *e, hm_store *s, const hm_embed_vectors *rows,
                            hm_str query, hm_arena *a, hm_recall_model *out, hm_str *note);
const char *hm_embedding_model(const hm_embedding *e);
/* Stops the thread; aborts a running request. NULL is allowed. */
void hm_embedding_stop(hm_embedding *e);
#endif
