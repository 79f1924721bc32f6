/* Digests of rows by chunks, and a hash of each row alone, for who looks which of them are as they were. Where a chunk begins is told by the id of its first
 * row alone, so a row that comes changes one of them, wherever it stands. */
#include <stdlib.h>
#include "core/base/par.h"
#include "core/store/snapshot.h"

enum {
  ONE_IN = 1024,           /* rows begin a chunk, about */
  STRETCH = 8192           /* rows that a thread looks at */
};

typedef struct { hm_row_chunk *v; size_t n, cap; } chunks;

static bool begins_chunk(const hm_snapshot *s, size_t row) { return row == 0 || hm_str_hash(s->rows[row].id) % ONE_IN == 0; }

static size_t next_beginning(const hm_snapshot *s, size_t row) {
  while (row < s->n_rows && !begins_chunk(s, row)) row++;
  return row;
}

static void hash_row(hm_snapshot *s, size_t i, hm_str bytes) { s->sums->hashes[i] = hm_str_hash128(bytes, s->sums->seed); }

/* A row's hash is made besides when there is a seed: its bytes are at hand. Returns where the next chunk begins. */
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
  if (out->n == out->cap) out->v = hm_xrealloc(out->v, (out->cap = 2 * out->cap + 8) * sizeof *out->v);
  out->v[out->n++] = c;
  return i;
}

/* From a beginning to another one, or the end. */
typedef struct { size_t from, to; chunks made; } stretch;
typedef struct { hm_snapshot *s; stretch *v; } job;

static int sum_stretch(void *ctx, size_t i, int worker) {
  job *j = ctx;
  stretch *x = &j->v[i];
  (void)worker;
  for (size_t row = x->from; row < x->to;) row = add_chunk(j->s, row, &x->made);
  return 0;
}

static int sum_part(void *ctx, size_t i, int worker) {
  job *j = ctx;
  size_t end = (i + 1) * STRETCH < j->s->n_rows ? (i + 1) * STRETCH : j->s->n_rows;
  j->v[i].from = next_beginning(j->s, i * STRETCH);
  j->v[i].to = end;
  return sum_stretch(ctx, i, worker);
}

/* --- all rows ---------------------------------------------------------------- */

static void make_room(hm_row_sums *sums, size_t n, hm_arena *a) {
  if (n <= sums->cap) return;
  hm_row_chunk *more = hm_alloc_array(a, 2 * n, sizeof *more);
  if (sums->n_chunks) memcpy(more, sums->chunks, sums->n_chunks * sizeof *more);
  sums->chunks = more;
  sums->cap = 2 * n;
}

static void take(hm_row_sums *sums, chunks *made) {
  if (made->n) memcpy(sums->chunks + sums->n_chunks, made->v, made->n * sizeof *made->v);
  sums->n_chunks += made->n;
  free(made->v);
}

void hm_snapshot_sum(hm_snapshot *s, size_t spare, uint64_t seed, hm_arena *a) {
  size_t n = (s->n_rows + STRETCH - 1) / STRETCH, total = 0;
  job j = { s, memset(hm_xmalloc((n + 1) * sizeof *j.v), 0, (n + 1) * sizeof *j.v) };
  s->sums = hm_alloc(a, sizeof *s->sums);
  s->sums->a = a;
  s->sums->seed = seed;
  s->sums->hashes = hm_alloc_array(a, s->n_rows + spare + 1, sizeof *s->sums->hashes);
  hm_par_for(n, hm_par_cores(), sum_part, &j, NULL);
  for (size_t i = 0; i < n; i++) total += j.v[i].made.n;
  make_room(s->sums, total, a);
  for (size_t i = 0; i < n; i++) take(s->sums, &j.v[i].made);
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

/* --- some -------------------------------------------------------------------- */

/* The chunk that a row is in. */
static size_t chunk_of(const hm_row_sums *sums, uint32_t row) {
  size_t lo = 0, hi = sums->n_chunks;
  while (lo + 1 < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (sums->chunks[mid].from <= row) lo = mid;
    else hi = mid;
  }
  return lo;
}

/* Those that have changed are made again, and may be more than they were. */
static size_t find_changed(const hm_snapshot *s, const uint32_t *rows, size_t n, stretch *out) {
  const hm_row_sums *sums = s->sums;
  size_t found = 0;
  for (size_t i = 0; i < n; i++) {
    size_t at = chunk_of(sums, rows[i]), from = sums->n_chunks ? sums->chunks[at].from : 0;
    if (found && out[found - 1].from == from) continue;
    out[found++] = (stretch){ .from = from, .to = at + 1 < sums->n_chunks ? sums->chunks[at + 1].from : s->n_rows };
  }
  return found;
}

static void replace_chunks(hm_row_sums *sums, stretch *x, size_t n) {
  size_t more = 0, k = 0;
  for (size_t i = 0; i < n; i++) more += x[i].made.n;
  hm_row_chunk *old = hm_xmalloc((sums->n_chunks + 1) * sizeof *old);
  size_t n_old = sums->n_chunks;
  if (n_old) memcpy(old, sums->chunks, n_old * sizeof *old);
  make_room(sums, n_old + more, sums->a);
  sums->n_chunks = 0;
  for (size_t i = 0; i < n; i++) {
    while (k < n_old && old[k].from < x[i].from) sums->chunks[sums->n_chunks++] = old[k++];
    take(sums, &x[i].made);
    while (k < n_old && old[k].from < x[i].to) k++;
  }
  while (k < n_old) sums->chunks[sums->n_chunks++] = old[k++];
  free(old);
}

void hm_snapshot_rows_changed(hm_snapshot *s, const uint32_t *rows, size_t n) {
  if (!n || !s->sums) return;
  job j = { s, hm_xmalloc(n * sizeof *j.v) };
  size_t found = find_changed(s, rows, n, j.v);
  hm_par_for(found, hm_par_cores(), sum_stretch, &j, NULL);
  replace_chunks(s->sums, j.v, found);
  free(j.v);
}

/* From the end, so that each hash moves once. */
static void open_gaps(hm_row_sums *sums, size_t n_rows, const uint32_t *rows, size_t n) {
  for (size_t end = n_rows; n > 0; end = rows[--n])
    memmove(sums->hashes + rows[n - 1] + 1, sums->hashes + rows[n - 1] + 1 - n, (end - rows[n - 1] - 1) * sizeof *sums->hashes);
}

void hm_snapshot_rows_inserted(hm_snapshot *s, const uint32_t *rows, size_t n) {
  if (!n || !s->sums) return;
  hm_row_sums *sums = s->sums;
  if (sums->seed) open_gaps(sums, s->n_rows, rows, n);
  for (size_t i = 1, k = 0; i < sums->n_chunks; i++) {
    while (k < n && rows[k] - k <= sums->chunks[i].from) k++;
    sums->chunks[i].from += (uint32_t)k;
  }
  hm_snapshot_rows_changed(s, rows, n);
}
