/* The rows of a store in memory, and which of them the index of words has: answer.h. */
#include "core/recall/answer.h"

#include <stdlib.h>

enum { WORTH_A_WRITE = 200 }; /* rows that are looked through one by one in half a millisecond */

static hm_fts_rows words_of(const hm_recaller *r) {
  return (hm_fts_rows){ r->snap, r->index->texts, r->hashes, r->index->n };
}

/* --- the whole store ------------------------------------------------------------------- */

int hm_recaller_read(hm_store *s, const hm_rules *rules, int threads, hm_recaller **out,
                     hm_err *err) {
  hm_recaller *r = hm_xmalloc(sizeof *r);
  *r = (hm_recaller){ .a = hm_arena_new(), .looked = hm_arena_new(), .threads = threads };
  if (hm_store_snapshot_undigested(s, r->a, &r->snap, err)) {
    hm_recaller_free(r);
    return -1;
  }
  r->rows_read = r->snap->n_rows;
  r->index = hm_recall_index_new(r->snap, r->snap->first[HM_RELATION], rules, threads, r->a);
  r->hashes = hm_alloc_array(r->a, r->index->n + 1, sizeof *r->hashes);
  for (size_t i = 0; i < r->index->n; i++)
    r->hashes[i] = hm_str_hash(r->index->texts[i]);
  *out = r;
  return 0;
}

void hm_recaller_free(hm_recaller *r) {
  if (!r)
    return;
  hm_arena_free(r->looked);
  hm_arena_free(r->a);
  free(r);
}

const hm_recall_index *hm_recaller_rows(const hm_recaller *r) { return r->index; }

/* --- the index of words ------------------------------------------------------------------- */

int hm_recaller_read_word_index(hm_recaller *r, hm_store *s, hm_err *err) {
  hm_fts_rows rows = words_of(r);
  int rc;
  if (r->has_looked) {
    rc = hm_fts_compare_again(s, &rows, NULL, 0, r->looked, &r->documents, err);
  } else {
    hm_arena_reset(r->looked);
    rc = hm_fts_compare(s, &rows, r->looked, &r->documents, err);
  }
  r->has_looked = !rc;
  return rc;
}

size_t hm_recaller_unindexed_rows(const hm_recaller *r) {
  const hm_fts_documents *d = &r->documents;
  if (!d->there || (d->built && d->n_missing <= WORTH_A_WRITE))
    return 0;
  return d->n_missing;
}

int hm_recaller_update_word_index(hm_recaller *r, hm_store *writer, hm_err *err) {
  hm_fts_rows rows = words_of(r);
  if (hm_store_begin(writer, true, err))
    return -1;
  if (hm_recaller_read_word_index(r, writer, err) ||
      hm_fts_update(writer, &rows, &r->documents, err)) {
    hm_store_rollback(writer);
    return -1;
  }
  return hm_store_commit(writer, err);
}
