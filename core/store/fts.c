/* The index of words: fts.h.
 *
 * The table of FTS5 has no content of its own, so it cannot take a document back without its old
 * text. It does not have to: a changed row gets a new document, and the old one is of no row. */
#include "core/store/fts.h"

#include <stdlib.h>

#include "core/store/sql_impl.h"

static const char HAS[] =
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'recall_documents'";
static const char ALL[] = "SELECT document, layer, id, hash FROM recall_documents";
static const char LAST[] = "SELECT max(document) FROM recall_documents";
static const char DROP[] = "DELETE FROM recall_documents WHERE layer = ?1 AND id = ?2";
static const char ADD[] =
    "INSERT INTO recall_documents (document, layer, id, hash) VALUES (?1, ?2, ?3, ?4)";
static const char ADD_WORDS[] = "INSERT INTO recall_words (rowid, text) VALUES (?1, ?2)";
static const char FIND[] =
    "SELECT rowid FROM recall_words WHERE recall_words MATCH ?1 ORDER BY rank";
static const char CLEAR[] =
    "INSERT INTO recall_words (recall_words) VALUES ('delete-all'); DELETE FROM recall_documents";

/* The row of this layer and id, by bisection; n: none. */
static size_t row_at(const hm_fts_row *rows, size_t n, hm_layer layer, hm_str id) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t mid = (low + high) / 2;
    int d = (int)rows[mid].layer - (int)layer;
    if (!d) d = hm_str_cmp(rows[mid].id, id);
    if (!d) return mid;
    if (d < 0) low = mid + 1;
    else high = mid;
  }
  return n;
}

int hm_fts_look(hm_store *s, const hm_fts_row *rows, size_t n, hm_arena *a, hm_fts_documents *out,
                hm_err *err) {
  hm_stmt *st;
  int64_t last = 0;
  bool *held = hm_alloc_array(a, n + 1, sizeof *held);
  int rc;
  *out = (hm_fts_documents){ .missing = hm_alloc_array(a, n + 1, sizeof *out->missing) };
  if (hm_sql_has(s, HAS, NULL, &out->there, err)) return -1;
  if (out->there && hm_sql_int(s, LAST, &last, err)) return -1;
  out->built = last > 0;
  /* A number beyond what was ever counted up is not ours. */
  if (last < 0 || last > (int64_t)1 << 28) last = 0;
  out->n = (size_t)last + 1;
  out->row_of = hm_alloc_array(a, out->n, sizeof *out->row_of);
  for (size_t i = 0; i < out->n; i++) out->row_of[i] = UINT32_MAX;
  if (out->there) {
    if (hm_sql_cached(s, ALL, &st, err)) return -1;
    while ((rc = hm_sql_step(s, st, err)) == 1) {
      int64_t document = hm_sql_number(st, 0);
      size_t row = row_at(rows, n, (hm_layer)hm_sql_number(st, 1), hm_sql_text(st, 2, NULL));
      if (document < 1 || document > last || row == n || held[row] ||
          (uint64_t)hm_sql_number(st, 3) != rows[row].hash)
        continue;
      held[row] = true;
      out->row_of[document] = (uint32_t)row;
    }
    if (rc) return -1;
  }
  for (size_t i = 0; i < n; i++)
    if (!held[i]) out->missing[out->n_missing++] = (uint32_t)i;
  return 0;
}

static int add(hm_store *s, const hm_fts_row *r, int64_t document, hm_err *err) {
  const hm_arg *args = HM_ARGS(hm_arg_int(document), hm_arg_int(r->layer), hm_arg_text(r->id),
                               hm_arg_int((int64_t)r->hash));
  return hm_sql_do(s, DROP, HM_ARGS(hm_arg_int(r->layer), hm_arg_text(r->id)), err) ||
                 hm_sql_do(s, ADD, args, err) ||
                 hm_sql_do(s, ADD_WORDS, HM_ARGS(hm_arg_int(document), hm_arg_text(r->text)), err)
             ? -1
             : 0;
}

int hm_fts_update(hm_store *s, const hm_fts_row *rows, size_t n, const hm_fts_documents *have,
                  hm_err *err) {
  int64_t document = (int64_t)have->n;
  if (have->n + have->n_missing > 2 * n + 1000) {
    if (hm_fts_clear(s, err)) return -1;
    for (size_t i = 0; i < n; i++)
      if (add(s, &rows[i], (int64_t)i + 1, err)) return -1;
    return 0;
  }
  for (size_t i = 0; i < have->n_missing; i++)
    if (add(s, &rows[have->missing[i]], document++, err)) return -1;
  return 0;
}

/* Each word as a string of FTS5, so that no word is an operator. */
static void put_match(hm_buf *b, const hm_str *words, size_t n) {
  for (size_t i = 0; i < n; i++) {
    hm_buf_c(b, i ? " OR \"" : "\"");
    for (size_t k = 0; k < words[i].n; k++) {
      if (words[i].p[k] == '"') hm_buf_ch(b, '"');
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
  if (!n) return 0;
  put_match(&match, words, n);
  if (!hm_sql_query(s, FIND, HM_ARGS(hm_arg_text(hm_buf_view(&match))), &st, err)) {
    while ((rc = hm_sql_step(s, st, err)) == 1)
      if (!take(ctx, hm_sql_number(st, 0))) break;
    hm_sql_reset(st);
  } else rc = -1;
  hm_buf_free(&match);
  return rc < 0 ? -1 : 0;
}

int hm_fts_clear(hm_store *s, hm_err *err) { return hm_sql_exec(s, CLEAR, err); }
