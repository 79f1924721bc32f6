/* The tables of recall: recall_documents, recall_words, recall_vectors.
 *
 * The FTS5 table is contentless, so it cannot delete a document without its old text. It need not:
 * a changed row gets a new document, and the old one belongs to no row. */
#include "core/store/recall_tables.h"

#include "core/store/sql_impl.h"

enum {
  HAS_INDEX,
  DOCUMENTS_SINCE,
  DOCUMENTS_OF_ROW,
  CLEARED_SINCE,
  LAST_DOCUMENT,
  DROP_ROW,
  ADD_DOCUMENT,
  ADD_WORDS,
  FIND,
  CLEAR_INDEX,
  HAS_VECTORS,
  MAKE_VECTORS,
  ALL_VECTORS,
  PUT_VECTOR,
  MODELS,
  REMOVE_VECTOR,
  CLEAR_VECTORS
};
static const char *const SQL[] = {
  [HAS_INDEX] = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'recall_documents'",
  [DOCUMENTS_SINCE] = "SELECT document, layer, id, hash FROM recall_documents"
                      " WHERE document >= ?1 ORDER BY document",
  [DOCUMENTS_OF_ROW] =
      "SELECT document, layer, id, hash FROM recall_documents WHERE layer = ?1 AND id = ?2",
  [CLEARED_SINCE] = "SELECT 1 FROM recall_documents WHERE document > ?1 AND layer = 0",
  [LAST_DOCUMENT] = "SELECT max(document) FROM recall_documents",
  [DROP_ROW] = "DELETE FROM recall_documents WHERE layer = ?1 AND id = ?2",
  [ADD_DOCUMENT] =
      "INSERT INTO recall_documents (document, layer, id, hash) VALUES (?1, ?2, ?3, ?4)",
  [ADD_WORDS] = "INSERT INTO recall_words (rowid, text) VALUES (?1, ?2)",
  [FIND] = "SELECT rowid FROM recall_words WHERE recall_words MATCH ?1 ORDER BY rank",
  [CLEAR_INDEX] = "INSERT INTO recall_words (recall_words) VALUES ('delete-all');"
                  " DELETE FROM recall_documents",
  [HAS_VECTORS] =
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'recall_vectors'",
  [MAKE_VECTORS] =
      "CREATE TABLE IF NOT EXISTS main.recall_vectors (model TEXT NOT NULL,"
      " digest BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, digest)) WITHOUT ROWID",
  [ALL_VECTORS] = "SELECT model, digest, vector FROM main.recall_vectors ORDER BY model, digest",
  [PUT_VECTOR] =
      "INSERT OR REPLACE INTO main.recall_vectors (model, digest, vector) VALUES (?1, ?2, ?3)",
  [MODELS] = "SELECT model, sum(length(vector) > 0), sum(length(vector) = 0)"
             " FROM main.recall_vectors GROUP BY model ORDER BY model",
  [REMOVE_VECTOR] = "DELETE FROM main.recall_vectors WHERE model = ?1 AND digest = ?2",
  [CLEAR_VECTORS] = "DELETE FROM main.recall_vectors",
};

/* --- an index of words ----------------------------------------------------------------------- */

enum { DOCUMENTS_MAX = 1 << 28, CLEARED = 0 /* layer of the line that says so */ };

/* --- reading ------------------------------------------------------------------------ */

static void hold(hm_fts_documents *d, uint32_t row, int64_t document) {
  if (d->document_of[row])
    d->row_of[d->document_of[row]] = UINT32_MAX;
  d->document_of[row] = document;
  if (document)
    d->row_of[document] = row;
}

/* The line of a document: it holds the row that it names, if the text is still the same. */
static void take_document(const hm_fts_rows *rows, hm_stmt *st, hm_fts_documents *d) {
  int64_t document = hm_sql_number(st, 0), layer = hm_sql_number(st, 1);
  d->read++;
  if (layer == CLEARED && document > 0)
    d->from = (size_t)document;
  if (layer < HM_MEMORY || layer > HM_STATE || document < 1 || document >= (int64_t)d->n)
    return;
  d->built = true;
  uint32_t row = hm_snapshot_row(rows->snap, (hm_layer)layer, hm_sql_text(st, 2, NULL));
  if (row < rows->n && (uint64_t)hm_sql_number(st, 3) == rows->hashes[row])
    hold(d, row, document);
}

/* Reads the documents from `first` up to the last. */
static int read_since(hm_store *s, const hm_fts_rows *rows, int64_t first, int64_t last,
                      hm_arena *a, hm_fts_documents *d, hm_err *err) {
  hm_stmt *st;
  int rc;
  while (d->n <= (size_t)last) {
    d->row_of = hm_array_grow_in(a, d->row_of, d->n, &d->cap, sizeof *d->row_of);
    d->row_of[d->n++] = UINT32_MAX;
  }
  if (hm_sql_query(s, SQL[DOCUMENTS_SINCE], HM_ARGS(hm_arg_int(first)), &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1)
    take_document(rows, st, d);
  return rc;
}

static void list_missing(const hm_fts_rows *rows, hm_fts_documents *d) {
  d->n_missing = 0;
  for (size_t i = 0; i < rows->n; i++)
    if (!d->document_of[i] && rows->snap->rows[i].layer)
      d->missing[d->n_missing++] = (uint32_t)i;
}

static int read_last(hm_store *s, int64_t *last, hm_err *err) {
  if (hm_sql_int(s, SQL[LAST_DOCUMENT], last, err))
    return -1;
  /* A number out of range was not written by hmirror. */
  if (*last < 0 || *last > DOCUMENTS_MAX)
    *last = 0;
  return 0;
}

int hm_fts_compare(hm_store *s, const hm_fts_rows *rows, hm_arena *a, hm_fts_documents *out,
                   hm_err *err) {
  int64_t last = 0;
  *out = (hm_fts_documents){ .missing = hm_alloc_array(a, rows->n + 1, sizeof *out->missing),
                             .document_of = hm_alloc_array(a, rows->n + 1, sizeof(int64_t)),
                             .read = out->read };
  if (hm_sql_has(s, SQL[HAS_INDEX], NULL, &out->there, err))
    return -1;
  if (out->there && (read_last(s, &last, err) || read_since(s, rows, 1, last, a, out, err)))
    return -1;
  list_missing(rows, out);
  return 0;
}

int hm_fts_compare_again(hm_store *s, const hm_fts_rows *rows, const uint32_t *changed,
                         size_t n_changed, hm_arena *a, hm_fts_documents *d, hm_err *err) {
  int64_t last = 0, before = (int64_t)d->n - 1;
  bool cleared = !d->there;
  if (!cleared && read_last(s, &last, err))
    return -1;
  if (!cleared && last > before &&
      hm_sql_has(s, SQL[CLEARED_SINCE], HM_ARGS(hm_arg_int(before)), &cleared, err))
    return -1;
  if (cleared || last < before)
    return hm_fts_compare(s, rows, a, d, err);
  for (size_t i = 0; i < n_changed; i++) {
    const hm_row *r = &rows->snap->rows[changed[i]];
    hm_stmt *st;
    hold(d, changed[i], 0);
    if (!r->layer)
      continue;
    const hm_arg *args = HM_ARGS(hm_arg_int(r->layer), hm_arg_text(r->id));
    if (hm_sql_query(s, SQL[DOCUMENTS_OF_ROW], args, &st, err))
      return -1;
    int rc = hm_sql_step(s, st, err);
    if (rc == 1)
      take_document(rows, st, d);
    hm_sql_reset(st);
    if (rc < 0)
      return -1;
  }
  if (last > before && read_since(s, rows, before + 1, last, a, d, err))
    return -1;
  if (n_changed || last > before)
    list_missing(rows, d);
  return 0;
}

/* --- writing ------------------------------------------------------------------------ */

static int add(hm_store *s, const hm_fts_rows *rows, uint32_t row, int64_t document, hm_err *err) {
  const hm_row *r = &rows->snap->rows[row];
  const hm_arg *args = HM_ARGS(hm_arg_int(document), hm_arg_int(r->layer), hm_arg_text(r->id),
                               hm_arg_int((int64_t)rows->hashes[row]));
  const hm_arg *text = HM_ARGS(hm_arg_int(document), hm_arg_text(rows->texts[row]));
  if (hm_sql_do(s, SQL[DROP_ROW], HM_ARGS(hm_arg_int(r->layer), hm_arg_text(r->id)), err) ||
      hm_sql_do(s, SQL[ADD_DOCUMENT], args, err) || hm_sql_do(s, SQL[ADD_WORDS], text, err))
    return -1;
  return 0;
}

int hm_fts_update(hm_store *s, const hm_fts_rows *rows, const hm_fts_documents *have, hm_err *err) {
  int64_t last;
  size_t n = 0;
  for (size_t i = 0; i < rows->n; i++)
    n += rows->snap->rows[i].layer != 0;
  if (have->n + have->n_missing > have->from + 2 * n + 1000) {
    if (hm_fts_clear_documents(s, err) || read_last(s, &last, err))
      return -1;
    for (uint32_t i = 0; i < rows->n; i++)
      if (rows->snap->rows[i].layer && add(s, rows, i, ++last, err))
        return -1;
    return 0;
  }
  last = have->n ? (int64_t)have->n - 1 : 0;
  for (size_t i = 0; i < have->n_missing; i++)
    if (add(s, rows, have->missing[i], ++last, err))
      return -1;
  return 0;
}

/* Each word as a string of FTS5, so that no word is an operator. */
static void put_match(hm_buf *b, const hm_str *words, size_t n) {
  for (size_t i = 0; i < n; i++) {
    hm_buf_c(b, i ? " OR \"" : "\"");
    for (size_t k = 0; k < words[i].n; k++) {
      if (words[i].p[k] == '"')
        hm_buf_ch(b, '"');
      hm_buf_ch(b, words[i].p[k] ? words[i].p[k] : ' ');
    }
    hm_buf_ch(b, '"');
  }
}

int hm_fts_find(hm_store *s, const hm_str *words, size_t n,
                bool (*take)(void *ctx, int64_t document), void *ctx, hm_err *err) {
  hm_buf match = { 0 };
  hm_stmt *st;
  int rc = 0;
  if (!n)
    return 0;
  put_match(&match, words, n);
  if (!hm_sql_query(s, SQL[FIND], HM_ARGS(hm_arg_text(hm_buf_view(&match))), &st, err)) {
    while ((rc = hm_sql_step(s, st, err)) == 1)
      if (!take(ctx, hm_sql_number(st, 0)))
        break;
    hm_sql_reset(st);
  } else
    rc = -1;
  hm_buf_free(&match);
  return rc < 0 ? -1 : 0;
}

int hm_fts_clear(hm_store *s, hm_err *err) { return hm_sql_exec(s, SQL[CLEAR_INDEX], err); }

/* A line without a row keeps the last number used, so that none is used again. */
int hm_fts_clear_documents(hm_store *s, hm_err *err) {
  int64_t last;
  if (read_last(s, &last, err) || hm_fts_clear(s, err))
    return -1;
  const hm_arg *args =
      HM_ARGS(hm_arg_int(last + 1), hm_arg_int(CLEARED), hm_arg_text(HM_EMPTY), hm_arg_int(0));
  return hm_sql_do(s, SQL[ADD_DOCUMENT], args, err);
}

/* --- vectors of texts ------------------------------------------------------------------------ */

int hm_vectors_read(hm_store *s, hm_vector_take *take, void *ctx, hm_err *err) {
  hm_stmt *st;
  hm_arena *a;
  bool there;
  int rc;
  if (hm_sql_has(s, SQL[HAS_VECTORS], NULL, &there, err))
    return -1;
  if (!there)
    return 0;
  if (hm_sql_cached(s, SQL[ALL_VECTORS], &st, err))
    return -1;
  a = hm_arena_new();
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    hm_arena_reset(a);
    take(ctx, hm_sql_text(st, 0, a), hm_sql_bytes(st, 1), hm_sql_bytes(st, 2));
  }
  hm_arena_free(a);
  return rc;
}

int hm_vectors_put(hm_store *s, hm_str model, hm_str digest, hm_str bytes, hm_err *err) {
  bool there;
  if (hm_sql_has(s, SQL[HAS_VECTORS], NULL, &there, err))
    return -1;
  if (!there && hm_sql_exec(s, SQL[MAKE_VECTORS], err))
    return -1;
  return hm_sql_do(s, SQL[PUT_VECTOR],
                   HM_ARGS(hm_arg_text(model), hm_arg_bytes(digest), hm_arg_bytes(bytes)), err);
}

int hm_vectors_remove(hm_store *s, hm_str model, hm_str digest, hm_err *err) {
  bool there;
  if (hm_sql_has(s, SQL[HAS_VECTORS], NULL, &there, err))
    return -1;
  if (!there)
    return 0;
  return hm_sql_do(s, SQL[REMOVE_VECTOR], HM_ARGS(hm_arg_text(model), hm_arg_bytes(digest)), err);
}

int hm_vectors_models(hm_store *s, hm_arena *a, hm_vector_model **out, size_t *n, hm_err *err) {
  hm_stmt *st;
  size_t cap = 0;
  bool there;
  int rc;
  *out = NULL;
  *n = 0;
  if (hm_sql_has(s, SQL[HAS_VECTORS], NULL, &there, err))
    return -1;
  if (!there)
    return 0;
  if (hm_sql_cached(s, SQL[MODELS], &st, err))
    return -1;
  while ((rc = hm_sql_step(s, st, err)) == 1) {
    *out = hm_array_grow_in(a, *out, *n, &cap, sizeof **out);
    (*out)[(*n)++] =
        (hm_vector_model){ hm_sql_copy(st, 0, a), hm_sql_number(st, 1), hm_sql_number(st, 2) };
  }
  return rc;
}

int hm_vectors_clear(hm_store *s, hm_err *err) {
  bool there;
  if (hm_sql_has(s, SQL[HAS_VECTORS], NULL, &there, err))
    return -1;
  return there ? hm_sql_exec(s, SQL[CLEAR_VECTORS], err) : 0;
}
