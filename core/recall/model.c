/* Vectors of the store put beside the rows that they are of: model.h. */
#include "core/recall/model.h"

#include <string.h>

#include "core/base/digest.h"

typedef struct {
  const hm_recall_index *x;
  hm_str model;
  unsigned char (*digests)[HM_DIGEST_BYTES];   /* of each row */
  hm_map first;                /* digest -> its first row */
  uint32_t *next;              /* the next row with the same text, or HM_MAP_NONE */
  bool *has;
  hm_matrix *rows;
  hm_stale_vector *stale; size_t n_stale, cap_stale;
  hm_arena *a;
} reading;

static void index_digests(reading *r) {
  for (size_t i = hm_recall_texts(r->x); i--;) {
    r->next[i] = HM_MAP_NONE;
    if (!hm_recall_may_answer(r->x, (uint32_t)i)) continue;
    hm_sha256_of(hm_recall_text(r->x, (uint32_t)i), r->digests[i]);
    hm_str digest = { (const char *)r->digests[i], HM_DIGEST_BYTES };
    r->next[i] = hm_map_get(&r->first, digest);
    hm_map_set(&r->first, digest, (uint32_t)i);
  }
}

static void note_stale(reading *r, hm_str model, hm_str digest) {
  bool same = r->n_stale && hm_str_eq(r->stale[r->n_stale - 1].model, model);
  if (digest.n != HM_DIGEST_BYTES) return;
  r->stale = hm_array_grow_in(r->a, r->stale, r->n_stale, &r->cap_stale, sizeof *r->stale);
  hm_stale_vector *v = &r->stale[r->n_stale];
  v->model = same ? r->stale[r->n_stale - 1].model : hm_str_dup(r->a, model);
  memcpy(v->digest, digest.p, HM_DIGEST_BYTES);
  r->n_stale++;
}

/* Of another length than those before it: a vector of another model by the same name. */
static void take_vector(void *ctx, hm_str model, hm_str digest, hm_str bytes) {
  reading *r = ctx;
  uint32_t row = hm_map_get(&r->first, digest);
  if (row == HM_MAP_NONE) note_stale(r, model, digest);
  if (row == HM_MAP_NONE || !hm_str_eq(model, r->model)) return;
  if (bytes.n > HM_MATRIX_DIMS_MAX || (bytes.n && r->rows && (int)bytes.n != r->rows->dims)) return;
  if (bytes.n && !r->rows) r->rows = hm_matrix_new(hm_recall_texts(r->x), (int)bytes.n, r->a);
  for (; row != HM_MAP_NONE; row = r->next[row]) {
    r->has[row] = true;
    if (bytes.n) hm_matrix_set(r->rows, row, (const int8_t *)bytes.p);
  }
}

int hm_model_rows_read(hm_store *s, const hm_recall_index *x, hm_str model, hm_arena *a,
                       hm_model_rows *out, hm_err *err) {
  size_t n = hm_recall_texts(x);
  reading r = { .x = x, .model = model, .a = a };
  *out = (hm_model_rows){ 0 };
  r.digests = hm_alloc_array(a, n + 1, sizeof *r.digests);
  r.next = hm_alloc_array(a, n + 1, sizeof *r.next);
  r.has = hm_alloc_array(a, n + 1, sizeof *r.has);
  hm_map_init(&r.first, a, n);
  index_digests(&r);
  if (hm_vectors_read(s, take_vector, &r, err)) return -1;
  out->missing = hm_alloc_array(a, n + 1, sizeof *out->missing);
  for (size_t i = 0; i < n; i++) {
    hm_str digest = { (const char *)r.digests[i], HM_DIGEST_BYTES };
    if (r.has[i] || !hm_recall_may_answer(x, (uint32_t)i) || hm_map_get(&r.first, digest) != i)
      continue;
    hm_unembedded *u = &out->missing[out->n_missing++];
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

bool hm_unembedded_stands(const hm_unembedded *u, const hm_snapshot *rows, hm_arena *scratch) {
  unsigned char digest[HM_DIGEST_BYTES];
  uint32_t row = hm_snapshot_ref(rows, HM_MEMORY, u->ref);
  if (row == HM_MAP_NONE) return false;
  hm_sha256_of(hm_recall_row_text(&rows->rows[row], scratch), digest);
  return !memcmp(digest, u->digest, sizeof digest);
}
