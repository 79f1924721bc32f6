/* What recall stores beside the facts: an index of words and vectors of texts, in the store, or for
 * a foreign one in the review file. Both can be deleted at any time; they are rebuilt. */
#ifndef HM_RECALL_TABLES_H
#define HM_RECALL_TABLES_H
#include "core/store/store.h"

/* --- an index of words -----------------------------------------------------------------------
 *
 * Finds the rows with a word, by SQLite's FTS5. The index holds words, no texts. A second table has
 * the row and the hash of the text of each document. So a reader that has the rows can tell which
 * documents are current, and nobody has to report a change: a changed row is simply not in the
 * index.
 *
 * Document numbers only grow, also in a rebuild, so a reader continues after the last number that
 * it read. */

/* The rows of a snapshot from 0 to n - 1, borrowed. texts and hashes: of each row its text and a
 * hash (hm_str_hash) of it, or of anything else that changes with it. Layer 0: no row. */
typedef struct {
  const hm_snapshot *snap;
  const hm_str *texts;
  const uint64_t *hashes;
  size_t n;
} hm_fts_rows;

/* The documents of the index. */
typedef struct {
  bool there; /* the store has the tables */
  bool built; /* somebody filled them */
  uint32_t *row_of;
  size_t n, cap;        /* by document number: the row, UINT32_MAX if no longer
                         * current; 0 to n - 1 were read */
  int64_t *document_of; /* by row; 0: no document */
  uint32_t *missing;
  size_t n_missing; /* rows without a document, ascending */
  size_t from;      /* first document number: a rebuild left none before it */
  size_t read;      /* table rows read, in all calls */
} hm_fts_documents;

/* Compares the index with the rows. In a. */
int hm_fts_compare(hm_store *s, const hm_fts_rows *rows, hm_arena *a, hm_fts_documents *out,
                   hm_err *err);
/* Updates out from an earlier call: reads the documents added since, and those of the changed rows.
 * Needs the same a and as many rows as before. */
int hm_fts_compare_again(hm_store *s, const hm_fts_rows *rows, const uint32_t *changed,
                         size_t n_changed, hm_arena *a, hm_fts_documents *out, hm_err *err);
/* Updates the index to these rows, in the open write transaction. have: from hm_fts_compare in the
 * same transaction. Outdated documents stay until they outnumber the current ones; then the index
 * is rebuilt. */
int hm_fts_update(hm_store *s, const hm_fts_rows *rows, const hm_fts_documents *have, hm_err *err);
/* Gives the documents with one of the words to `take`, best first by FTS5's bm25, until it returns
 * false. Words as in hm_text_each_word. */
int hm_fts_find(hm_store *s, const hm_str *words, size_t n,
                bool (*take)(void *ctx, int64_t document), void *ctx, hm_err *err);
/* Empties it; the next update rebuilds it. */
int hm_fts_clear_documents(hm_store *s, hm_err *err);
/* Empties it and restarts its numbers, to remove a redacted text. Readers must then read all rows
 * again, as after every change. */
int hm_fts_clear(hm_store *s, hm_err *err);

/* --- vectors of texts ------------------------------------------------------------------------
 *
 * Vectors that models made of texts, by the model's name and the digest of the text. The first
 * vector creates the table, so most stores have none. A vector reveals something of its text, so a
 * redaction empties the table. Vectors of texts that no row has any more are removed when the
 * missing ones are made (gen/mirror/embedding.h). */

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
#endif
