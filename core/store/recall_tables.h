/* What recall stores beside the facts: an index of words, and vectors of texts. Both are in our
 * store, or for a foreign one in the review file; both can be deleted and are made again. */
#ifndef HM_RECALL_TABLES_H
#define HM_RECALL_TABLES_H
#include "core/store/store.h"

/* --- an index of words -----------------------------------------------------------------------
 *
 * Which rows have a word, by SQLite's FTS5. The index holds words and no texts: a
 * table beside it says of each document which row it is and what hash its text had. So a reader
 * that has the rows sees by itself which documents are true, and a row that changed is one that the
 * index does not know; nobody has to report a change.
 *
 * Numbers of documents only grow, also when all is made again: who read the table up to a number
 * reads on from there. */

/* The rows of a snapshot from 0 to n - 1, borrowed. Beside them their texts, and a hash of each
 * text (hm_str_hash), or of anything else that changes with it. A row of layer 0 is none. */
typedef struct {
  const hm_snapshot *snap;
  const hm_str *texts;
  const uint64_t *hashes;
  size_t n;
} hm_fts_rows;

/* Which documents the index has. */
typedef struct {
  bool there;                  /* the store has the tables: it is of this version */
  bool built;                  /* somebody filled them */
  uint32_t *row_of; size_t n, cap;   /* by number of the document: the row, UINT32_MAX of one that
                                        holds no longer; 0 to n - 1 were read */
  int64_t *document_of;        /* by row; 0: none holds it */
  uint32_t *missing; size_t n_missing;   /* rows that no document holds, ascending */
  size_t from;                 /* before it is nothing: the index was rebuilt */
  size_t read;                 /* lines of the table that were read, in all calls */
} hm_fts_documents;

/* Compares the index with the rows. In a. */
int hm_fts_compare(hm_store *s, const hm_fts_rows *rows, hm_arena *a, hm_fts_documents *out,
                   hm_err *err);
/* The same where out is of an earlier look: reads the documents that were added since, and those of
 * the rows that changed meanwhile. a: as before; rows: as many as before. */
int hm_fts_compare_again(hm_store *s, const hm_fts_rows *rows, const uint32_t *changed,
                         size_t n_changed, hm_arena *a, hm_fts_documents *out, hm_err *err);
/* Brings the index to these rows, in the open write transaction. have: of hm_fts_compare in the
 * same one. Documents that hold no longer stay behind until they are more than those that do; then
 * all is rebuilt. */
int hm_fts_update(hm_store *s, const hm_fts_rows *rows, const hm_fts_documents *have, hm_err *err);
/* Documents with one of the words, best first by FTS5's bm25, until `take` says false or there are
 * no more. Words as a text has them. */
int hm_fts_find(hm_store *s, const hm_str *words, size_t n,
                bool (*take)(void *ctx, int64_t document), void *ctx, hm_err *err);
/* Empties it; the next update rebuilds it. */
int hm_fts_clear_documents(hm_store *s, hm_err *err);
/* Empties it and forgets its numbers: a text must go. Readers that compare again must read all rows
 * again: the change log, which is cleared then, too, says so. */
int hm_fts_clear(hm_store *s, hm_err *err);

/* --- vectors of texts ------------------------------------------------------------------------
 *
 * Vectors that models made of texts, kept by the model's name and the digest of the text. The table
 * comes with the first vector: most stores have none. A vector says something of its text, so who
 * takes a text out of the store empties the table. Those of texts that no row has any more go when
 * the missing ones are made (gen/mirror/embedding.h). */

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
