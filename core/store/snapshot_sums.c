/* Digests of rows by chunks, and a hash of each row alone: who compares with an earlier snapshot
 * sees which rows changed. The id of a chunk's first row alone decides where it begins, so a row
 * that comes changes one chunk, wherever it stands. */
#include <stdlib.h>
#include <string.h>
#include "core/base/par.h"
#include "core/store/snapshot_impl.h"

enum {
  ONE_IN = 1024,           /* rows begin a chunk, about */
  STRETCH = 8192           /* rows that a thread looks at */
};

typedef struct { hm_row_chunk *v; size_t n, cap; } chunks;

static bool begins_chunk(const hm_snapshot *s, size_t row) {
  return row == 0 || hm_str_hash(s->rows[row].id) % ONE_IN == 0;
}

static size_t next_beginning(const hm_snapshot *s, size_t row) {
  while (row < s->n_rows && !begins_chunk(s, row)) row++;
  return row;
}

static void hash_row(hm_snapshot *s, size_t i, hm_str bytes) {
  s->sums->hashes[i] = hm_str_hash128(bytes, s->sums->seed);
}

/* A row's hash is made besides when there is a seed: its bytes are at hand. Returns where the next
 * chunk begins. */
static size_t add_chunk(hm_snapshot *s, size_t from, chunks *out) {
  hm_row_chunk c = { .from = (uint32_t)from };
  hm_sha256 h;
  hm_buf b = { 0 };
  size_t i = from;
  hm_sha256_init(&h);
  do {
    size_t at = b.n;
    hm_row_bytes(s, i, &b);
    if (s->sums->seed) hash_row(s, i, hm_str_sub(hm_buf_view(&b), at, b.n));
    hm_sha256_flush(&h, &b, 1 << 16);
  } while (++i < s->n_rows && !begins_chunk(s, i));
  hm_sha256_flush(&h, &b, 0);
  hm_sha256_end(&h, c.digest);
  hm_buf_free(&b);
  if (out->n == out->cap)
    out->v = hm_xrealloc(out->v, (out->cap = 2 * out->cap + 8) * sizeof *out->v);
  out->v[out->n++] = c;
  return i;
}

/* The chunks that begin in one stretch of rows. */
typedef struct { hm_snapshot *s; chunks *v; } job;

static int sum_part(void *ctx, size_t i, int worker) {
  job *j = ctx;
  size_t end = (i + 1) * STRETCH < j->s->n_rows ? (i + 1) * STRETCH : j->s->n_rows;
  (void)worker;
  for (size_t row = next_beginning(j->s, i * STRETCH); row < end;)
    row = add_chunk(j->s, row, &j->v[i]);
  return 0;
}

void hm_snapshot_sum(hm_snapshot *s, uint64_t seed, hm_arena *a) {
  size_t n = (s->n_rows + STRETCH - 1) / STRETCH, total = 0;
  job j = { s, memset(hm_xmalloc((n + 1) * sizeof *j.v), 0, (n + 1) * sizeof *j.v) };
  s->sums = hm_alloc(a, sizeof *s->sums);
  s->sums->seed = seed;
  s->sums->hashes = hm_alloc_array(a, s->n_rows + 1, sizeof *s->sums->hashes);
  hm_par_for(n, hm_par_cores(), sum_part, &j, NULL);
  for (size_t i = 0; i < n; i++) total += j.v[i].n;
  s->sums->chunks = hm_alloc_array(a, total, sizeof *s->sums->chunks);
  for (size_t i = 0; i < n; i++) {
    if (j.v[i].n)
      memcpy(s->sums->chunks + s->sums->n_chunks, j.v[i].v, j.v[i].n * sizeof *s->sums->chunks);
    s->sums->n_chunks += j.v[i].n;
    free(j.v[i].v);
  }
  free(j.v);
  hm_snapshot_sum_frame(s);
}

static int hash_part(void *ctx, size_t part, int worker) {
  hm_snapshot *s = ctx;
  size_t end = (part + 1) * STRETCH < s->n_rows ? (part + 1) * STRETCH : s->n_rows;
  hm_buf b = { 0 };
  (void)worker;
  for (size_t i = part * STRETCH; i < end; i++) {
    hm_buf_clear(&b);
    hm_row_bytes(s, i, &b);
    hash_row(s, i, hm_buf_view(&b));
  }
  hm_buf_free(&b);
  return 0;
}

void hm_snapshot_hash_rows(hm_snapshot *s, uint64_t seed, int threads) {
  size_t failed;
  if (!s->sums || s->sums->seed == seed) return;
  s->sums->seed = seed;
  hm_par_for((s->n_rows + STRETCH - 1) / STRETCH, threads, hash_part, s, &failed);
}
