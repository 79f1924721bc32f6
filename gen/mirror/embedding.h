/* A mirror and the model whose vectors recall compares by: whether there is one, making the vectors
 * that the store lacks, and the vector of a question. */
#ifndef HM_EMBEDDING_H
#define HM_EMBEDDING_H
#include "core/recall/answer.h"
#include "core/recall/embed.h"
#include "gen/mirror/mirror.h"

/* NULL: a model is configured and its key is there. Else why not, in words; in m->a. */
const char *hm_embedding_why_off(const hm_mirror *m);

/* Has the model make vectors of these texts and keeps them in the store, some hundred at a time in
 * a transaction each, so that what is made stays made when a later request fails. Not sent are
 * empty texts, texts with a live secret, and rows of which publish.exclude leaves anything out: of
 * these the store keeps that they were withheld. Nothing is kept of a text that its row lost
 * meanwhile. dims: hm_embed_vectors. Errors: those of
 * hm_embed_request, of the store, and of a sweep where publish.exclude leaves anything out. */
int hm_embedding_build(hm_mirror *m, const hm_missing_vector *texts, size_t n, int dims,
                       bool (*is_stopped)(void *ctx), void *ctx, hm_err *err);

/* Removes vectors of texts that no row has any more. */
int hm_embedding_prune(hm_mirror *m, const hm_stale_vector *v, size_t n, hm_err *err);

/* By what the question is compared. false: by the built-in vectors; *note, in m->a, says why, or is
 * empty where nobody expects another. Asks the model. rows: those of the configured model; where it
 * is off, NULL. */
bool hm_embedding_embed_question(hm_mirror *m, hm_store *s, const hm_embed_vectors *rows,
                                 hm_str query, hm_recall_model *out, hm_str *note);
/* What `health` says of vectors, as an object under "vectors". off: hm_embedding_why_off. */
void hm_embedding_json(hm_jw *w, const char *off, const char *model, const hm_vector_model *kept,
                       size_t n);
/* "; the store has 7 vectors of M" of the models that are not `but`, or empty; in a. */
hm_str hm_embedding_format_other_models(hm_store *s, hm_str but, hm_arena *a);

/* Why there is no model to compare by: off, and the vectors that the store has of others; empty
 * where nobody expects one: none is configured (named false), and the store has no vectors. In a.
 */
hm_str hm_embedding_off_note(const char *off, bool named, hm_store *s, hm_arena *a);

/* For a server: makes vectors on a thread of its own, one order at a time, and asks nobody for a
 * while after a failure. NULL: there is no model. The config of m outlives it. */
typedef struct hm_embedding hm_embedding;
hm_embedding *hm_embedding_start(const hm_mirror *m);
/* As hm_embedding_embed_question, without a wait of more than recall.timeout: rows that are missing
 * are ordered, and the note says so; stale vectors go with the next order. For one thread at a
 * time. a: of the note and the vector. */
bool hm_embedding_ask_model(hm_embedding *e, hm_store *s, const hm_embed_vectors *rows,
                            hm_str query, hm_arena *a, hm_recall_model *out, hm_str *note);
const char *hm_embedding_model(const hm_embedding *e);
/* Ends a request under way. NULL is allowed. */
void hm_embedding_stop(hm_embedding *e);
#endif
