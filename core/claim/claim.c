/* All rows to claims, on all cores: rows in chunks, each worker with memory of
 * its own, the chunks put together in their order. */
#include "core/claim/claim.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/claim/claim_impl.h"

enum { CHUNK_ROWS = 4096, THREADS_MAX = 256 };

typedef struct {
  hm_claim *claims; size_t n;
  hm_finding *findings; size_t n_findings;
  size_t at, findings_at;      /* where they go in the whole */
} chunk;

typedef struct {
  const hm_snapshot *snap;
  hm_reader *workers; int n_workers;
  chunk *chunks; size_t n_chunks;
  hm_map types;
  hm_claims *out;
} job;

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

static int read_chunk(void *ctx, size_t i, int worker) {
  job *j = ctx;
  hm_reader *r = &j->workers[worker];
  r->claims = NULL;
  r->findings = NULL;
  r->n = r->cap = r->n_findings = r->cap_findings = 0;
  size_t end = min_size(j->snap->n_rows, (i + 1) * CHUNK_ROWS);
  for (size_t row = i * CHUNK_ROWS; row < end; row++) hm_read_row(r, (uint32_t)row);
  j->chunks[i] = (chunk){ .claims = r->claims, .n = r->n, .findings = r->findings, .n_findings = r->n_findings };
  return 0;
}

static void copy(void *to, const void *from, size_t n) {
  if (n) memcpy(to, from, n);
}

static int place_chunk(void *ctx, size_t i, int worker) {
  (void)worker;
  job *j = ctx;
  chunk *c = &j->chunks[i];
  copy(j->out->claims + c->at, c->claims, c->n * sizeof *c->claims);
  copy(j->out->findings + c->findings_at, c->findings, c->n_findings * sizeof *c->findings);
  free(c->claims);
  free(c->findings);
  return 0;
}

static int cmp_findings(const void *x, const void *y) {
  const hm_finding *a = x, *b = y;
  return hm_str_cmp(a->id, b->id);
}

static int put_together(job *j, int threads) {
  for (size_t i = 0; i < j->n_chunks; i++) {
    j->chunks[i].at = j->out->n;
    j->chunks[i].findings_at = j->out->n_findings;
    j->out->n += j->chunks[i].n;
    j->out->n_findings += j->chunks[i].n_findings;
  }
  j->out->claims = hm_xmalloc(j->out->n * sizeof *j->out->claims);
  j->out->findings = hm_xmalloc(j->out->n_findings * sizeof *j->out->findings);
  size_t failed;
  int rc = hm_par_for(j->n_chunks, threads, place_chunk, j, &failed);
  if (j->out->n_findings) qsort(j->out->findings, j->out->n_findings, sizeof *j->out->findings, cmp_findings);
  return rc;
}

/* Keys of the types that the store brought: a state's category may name one. */
static void find_types(job *j, hm_arena *a) {
  hm_map seen;
  hm_map_init(&j->types, a, 32);
  hm_map_init(&seen, a, 32);
  for (size_t i = 0; i < j->snap->n_rows; i++) {
    const hm_row *row = &j->snap->rows[i];
    if (row->layer != HM_ENTITY) continue;
    size_t before = seen.n;
    hm_map_add(&seen, row->type, 0);
    if (seen.n != before) hm_map_add(&j->types, hm_entity_type_key(a, row->type), 0);
  }
}

static void make_workers(job *j, int threads, const hm_rules *rules) {
  hm_arena *a = hm_arena_new();
  j->n_workers = threads;
  j->workers = hm_alloc_array(a, (size_t)threads, sizeof *j->workers);
  j->chunks = hm_alloc_array(a, j->n_chunks, sizeof *j->chunks);
  j->out->n_arenas = threads + 1;
  j->out->arenas = hm_xmalloc((size_t)j->out->n_arenas * sizeof *j->out->arenas);
  j->out->arenas[threads] = a;
  for (int i = 0; i < threads; i++) {
    j->out->arenas[i] = hm_arena_new();
    j->workers[i] = (hm_reader){
      .snap = j->snap, .rules = rules, .types = &j->types, .a = j->out->arenas[i],
      .scratch = hm_arena_new(), .units = hm_units_new(),
    };
  }
  find_types(j, a);
}

static void free_workers(job *j) {
  for (int i = 0; i < j->n_workers; i++) {
    hm_arena_free(j->workers[i].scratch);
    hm_units_free(j->workers[i].units);
  }
}

int hm_claims_of(const hm_snapshot *snap, const hm_rules *rules, int threads, hm_claims **out, hm_err *err) {
  if (snap->n_rows >= UINT32_MAX) return hm_fail(err, HM_E_STORE, "claims", "more than 4294967294 rows", "split the store");
  hm_claims *c = hm_xmalloc(sizeof *c);
  *c = (hm_claims){ 0 };
  job j = { .snap = snap, .n_chunks = (snap->n_rows + CHUNK_ROWS - 1) / CHUNK_ROWS, .out = c };
  threads = threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : threads;
  make_workers(&j, threads, rules);
  size_t failed;
  int rc = hm_par_for(j.n_chunks, threads, read_chunk, &j, &failed);
  if (rc == 0) rc = put_together(&j, threads);
  free_workers(&j);
  if (rc) {
    hm_claims_free(c);
    return hm_fail(err, HM_E_INTERNAL, "claims", "a chunk of rows could not be read", "");
  }
  *out = c;
  return 0;
}

void hm_claims_free(hm_claims *c) {
  if (!c) return;
  for (int i = 0; i < c->n_arenas; i++) hm_arena_free(c->arenas[i]);
  free(c->arenas);
  free(c->claims);
  free(c->findings);
  free(c);
}
