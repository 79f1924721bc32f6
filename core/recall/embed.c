/* Requests vectors from a model, parses its answer, and reads the stored vectors of rows:
 * embed.h. */
#include "core/recall/embed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/net/post.h"
#include "core/recall/vector.h"

enum { ANSWER_MAX = 64 << 20 };

/* --- the answer ------------------------------------------------------------------------ */

static int odd_answer(const char *why, hm_err *err) {
  return hm_fail(err, HM_E_INPUT, "answer of the model", why,
                 "see that recall.url in mirror.yml is an embeddings endpoint as OpenAI has it, and"
                 " recall.model a model of it");
}

static bool read_number(const hm_json *v, double *out) {
  char z[64];
  if (v->type != HM_JSON_NUMBER || v->text.n >= sizeof z)
    return false;
  memcpy(z, v->text.p, v->text.n);
  z[v->text.n] = 0;
  *out = strtod(z, NULL);
  return isfinite(*out);
}

/* One vector into its place; *dims 0: it is the first, and sets it. */
static int read_vector(const hm_json *embedding, size_t at, size_t n, int *dims, double *numbers,
                       hm_arena *a, hm_embedded *out, hm_err *err) {
  if (!embedding || embedding->type != HM_JSON_ARRAY || !embedding->count)
    return odd_answer("an element has no array of numbers under embedding", err);
  if (embedding->count > HM_MATRIX_DIMS_MAX)
    return odd_answer("a vector of more than 8192 numbers", err);
  if (*dims && embedding->count != (size_t)*dims)
    return hm_failf(err, HM_E_INPUT, "answer of the model",
                    "if the model is another one now, have all made anew: hmirror recall --rebuild",
                    "a vector of %zu numbers, where others of this model have %d", embedding->count,
                    *dims);
  *dims = (int)embedding->count;
  if (!out->v) {
    out->v = hm_alloc_array(a, n, (size_t)*dims);
    out->dims = *dims;
  }
  size_t i = 0;
  double most = 0;
  for (const hm_json *x = embedding->child; x; x = x->next, i++) {
    if (!read_number(x, &numbers[i]))
      return odd_answer("a vector holds what is no number", err);
    most = fabs(numbers[i]) > most ? fabs(numbers[i]) : most;
  }
  if (!(most > 0))
    return odd_answer("a vector of nothing but zeros", err);
  hm_matrix_pack(numbers, *dims, out->v + at * (size_t)*dims);
  return 0;
}

/* Where the element belongs; n: nowhere. */
static size_t place_of(const hm_json *element, size_t i, size_t n) {
  const hm_json *index = hm_json_get(element, "index");
  double at = (double)i;
  if (index && !read_number(index, &at))
    return n;
  return at >= 0 && at < (double)n && at == floor(at) ? (size_t)at : n;
}

int hm_embed_parse_answer(hm_str body, size_t n, int dims, hm_arena *a, hm_embedded *out,
                          hm_err *err) {
  hm_json *v;
  *out = (hm_embedded){ 0 };
  if (hm_json_parse(a, body, &v, NULL))
    return odd_answer("no JSON", err);
  const hm_json *data = hm_json_get(v, "data");
  if (!data || data->type != HM_JSON_ARRAY)
    return odd_answer("no array under data", err);
  if (data->count != n)
    return hm_failf(err, HM_E_INPUT, "answer of the model",
                    "try again, or see what the server's log says", "%zu vectors for %zu texts",
                    data->count, n);
  bool *has = hm_alloc_array(a, n + 1, sizeof *has);
  double *numbers = hm_xmalloc(HM_MATRIX_DIMS_MAX * sizeof *numbers);
  int rc = 0;
  size_t i = 0;
  for (const hm_json *x = data->child; x && !rc; x = x->next, i++) {
    size_t at = place_of(x, i, n);
    if (at == n || has[at])
      rc = odd_answer("an index that was not asked for, or twice", err);
    else
      rc = read_vector(hm_json_get(x, "embedding"), at, n, &dims, numbers, a, out, err);
    if (!rc)
      has[at] = true;
  }
  free(numbers);
  return rc;
}

/* --- the request ----------------------------------------------------------------------- */

static hm_str body_of(const char *model, const hm_str *texts, size_t n, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  hm_jw_init(&w, &b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "model", hm_str_c(model));
  hm_jw_str(&w, "encoding_format", HM_STR("float"));
  hm_jw_arr(&w, "input");
  for (size_t i = 0; i < n; i++)
    hm_jw_str(&w, NULL, hm_text_cut(texts[i], HM_EMBED_TEXT));
  hm_jw_end(&w);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

int hm_embed_request(const hm_embed_endpoint *to, const hm_str *texts, size_t n, int dims,
                     hm_arena *a, hm_embedded *out, hm_err *err) {
  const hm_post post = { .url = to->url,
                         .body = body_of(to->model, texts, n, a),
                         .key = to->key,
                         .section = "recall",
                         .timeout_ms = to->timeout_ms,
                         .answer_max = ANSWER_MAX,
                         .is_stopped = to->is_stopped,
                         .ctx = to->ctx };
  hm_post_answer got;
  if (hm_net_post(&post, a, &got, err) ||
      hm_net_check_status(&post, got.status, "made no vectors",
                          "ask again later: what is made is kept", err))
    return -1;
  return hm_embed_parse_answer(got.body, n, dims, a, out, err);
}

/* --- vectors beside the rows ----------------------------------------------------------- */

typedef struct {
  const hm_recall_index *x;
  hm_str model;
  unsigned char (*digests)[HM_DIGEST_BYTES]; /* of each row */
  hm_map first;                              /* digest -> its first row */
  uint32_t *next;                            /* the next row with the same text, or HM_MAP_NONE */
  bool *has;
  hm_matrix *rows;
  hm_stale_vector *stale;
  size_t n_stale, cap_stale;
  hm_arena *a;
} reading;

static void index_digests(reading *r) {
  for (size_t i = hm_recall_text_count(r->x); i--;) {
    r->next[i] = HM_MAP_NONE;
    if (!hm_recall_may_answer(r->x, (uint32_t)i))
      continue;
    hm_sha256_digest(hm_recall_text(r->x, (uint32_t)i), r->digests[i]);
    hm_str digest = { (const char *)r->digests[i], HM_DIGEST_BYTES };
    r->next[i] = hm_map_get(&r->first, digest);
    hm_map_set(&r->first, digest, (uint32_t)i);
  }
}

static void note_stale(reading *r, hm_str model, hm_str digest) {
  bool same = r->n_stale && hm_str_eq(r->stale[r->n_stale - 1].model, model);
  if (digest.n != HM_DIGEST_BYTES)
    return;
  r->stale = hm_array_grow_in(r->a, r->stale, r->n_stale, &r->cap_stale, sizeof *r->stale);
  hm_stale_vector *v = &r->stale[r->n_stale];
  v->model = same ? r->stale[r->n_stale - 1].model : hm_str_dup(r->a, model);
  memcpy(v->digest, digest.p, HM_DIGEST_BYTES);
  r->n_stale++;
}

/* A vector of another length is from another model with the same name. */
static void take_vector(void *ctx, hm_str model, hm_str digest, hm_str bytes) {
  reading *r = ctx;
  uint32_t row = hm_map_get(&r->first, digest);
  if (row == HM_MAP_NONE)
    note_stale(r, model, digest);
  if (row == HM_MAP_NONE || !hm_str_eq(model, r->model))
    return;
  if (bytes.n > HM_MATRIX_DIMS_MAX || (bytes.n && r->rows && (int)bytes.n != r->rows->dims))
    return;
  if (bytes.n && !r->rows)
    r->rows = hm_matrix_new(hm_recall_text_count(r->x), (int)bytes.n, r->a);
  for (; row != HM_MAP_NONE; row = r->next[row]) {
    r->has[row] = true;
    if (bytes.n)
      hm_matrix_set(r->rows, row, (const int8_t *)bytes.p);
  }
}

int hm_embed_vectors_read(hm_store *s, const hm_recall_index *x, hm_str model, hm_arena *a,
                          hm_embed_vectors *out, hm_err *err) {
  size_t n = hm_recall_text_count(x);
  reading r = { .x = x, .model = model, .a = a };
  *out = (hm_embed_vectors){ 0 };
  r.digests = hm_alloc_array(a, n + 1, sizeof *r.digests);
  r.next = hm_alloc_array(a, n + 1, sizeof *r.next);
  r.has = hm_alloc_array(a, n + 1, sizeof *r.has);
  hm_map_init(&r.first, a, n);
  index_digests(&r);
  if (hm_vectors_read(s, take_vector, &r, err))
    return -1;
  out->missing = hm_alloc_array(a, n + 1, sizeof *out->missing);
  for (size_t i = 0; i < n; i++) {
    hm_str digest = { (const char *)r.digests[i], HM_DIGEST_BYTES };
    if (r.has[i] || !hm_recall_may_answer(x, (uint32_t)i) || hm_map_get(&r.first, digest) != i)
      continue;
    hm_missing_vector *u = &out->missing[out->n_missing++];
    u->ref = hm_row_ref(a, &hm_recall_snapshot(x)->rows[i]);
    u->text = hm_recall_text(x, (uint32_t)i);
    memcpy(u->digest, r.digests[i], sizeof u->digest);
  }
  out->stale = r.stale;
  out->n_stale = r.n_stale;
  out->dims = r.rows ? r.rows->dims : 0;
  out->rows = out->n_missing ? NULL : r.rows;
  return 0;
}

bool hm_missing_vector_is_current(const hm_missing_vector *u, const hm_snapshot *rows,
                                  hm_arena *scratch) {
  unsigned char digest[HM_DIGEST_BYTES];
  uint32_t row = hm_snapshot_ref(rows, HM_MEMORY, u->ref);
  if (row == HM_MAP_NONE)
    return false;
  hm_sha256_digest(hm_recall_row_text(&rows->rows[row], scratch), digest);
  return !memcmp(digest, u->digest, sizeof digest);
}
