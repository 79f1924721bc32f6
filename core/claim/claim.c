/* All rows to claims. */
#include "core/claim/claim.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/claim/claim_impl.h"

enum { CHUNK_ROWS = 4096 };

/* Rows are read in chunks, each worker with memory of its own; the chunks are put together in their
 * order. */
typedef struct {
  hm_claim *claims; size_t n;
  hm_claim *silences; size_t n_silences;
  hm_finding *findings; size_t n_findings;
  size_t at, silences_at, findings_at;      /* where they go in the whole */
} chunk;

typedef struct {
  const uint32_t *rows; size_t n_rows;   /* rows NULL: all of the snapshot */
  hm_reader *workers; int n_workers;
  chunk *chunks; size_t n_chunks;
  hm_claims *out;
} job;

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

static int read_chunk(void *ctx, size_t i, int worker) {
  job *j = ctx;
  hm_reader *r = &j->workers[worker];
  r->claims = r->silences = NULL;
  r->findings = NULL;
  r->n = r->cap = r->n_silences = r->cap_silences = r->n_findings = r->cap_findings = 0;
  size_t end = min_size(j->n_rows, (i + 1) * CHUNK_ROWS);
  for (size_t k = i * CHUNK_ROWS; k < end; k++) hm_read_row(r, j->rows ? j->rows[k] : (uint32_t)k);
  j->chunks[i] = (chunk){ .claims = r->claims,
                          .n = r->n,
                          .silences = r->silences,
                          .n_silences = r->n_silences,
                          .findings = r->findings,
                          .n_findings = r->n_findings };
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
  copy(j->out->silences + c->silences_at, c->silences, c->n_silences * sizeof *c->silences);
  copy(j->out->findings + c->findings_at, c->findings, c->n_findings * sizeof *c->findings);
  free(c->claims);
  free(c->silences);
  free(c->findings);
  return 0;
}

static int cmp_findings(const void *x, const void *y) {
  const hm_finding *a = x, *b = y;
  return hm_str_cmp(a->id, b->id);
}

static void put_together(job *j) {
  hm_claims *out = j->out;
  for (size_t i = 0; i < j->n_chunks; i++) {
    j->chunks[i].at = out->n;
    j->chunks[i].silences_at = out->n_silences;
    j->chunks[i].findings_at = out->n_findings;
    out->n += j->chunks[i].n;
    out->n_silences += j->chunks[i].n_silences;
    out->n_findings += j->chunks[i].n_findings;
  }
  out->claims = hm_xmalloc(out->n * sizeof *out->claims);
  out->silences = hm_xmalloc(out->n_silences * sizeof *out->silences);
  out->findings = hm_xmalloc(out->n_findings * sizeof *out->findings);
  hm_par_for(j->n_chunks, j->n_workers, place_chunk, j, NULL);
  if (out->n_findings) qsort(out->findings, out->n_findings, sizeof *out->findings, cmp_findings);
}

/* Keys of the types that the store brought: a state's category may name one. Rows of one type
 * mostly share its text. */
static hm_map types_of(const hm_snapshot *snap, hm_arena *a) {
  hm_map types, seen;
  hm_str last = HM_EMPTY;
  hm_map_init(&types, a, 32);
  hm_map_init(&seen, a, 32);
  for (size_t i = snap->first[HM_ENTITY]; i < snap->first[HM_ENTITY + 1]; i++) {
    hm_str type = snap->rows[i].type;
    if (i > snap->first[HM_ENTITY] && type.p == last.p && type.n == last.n) continue;
    size_t before = seen.n;
    last = type;
    hm_map_add(&seen, type, 0);
    if (seen.n != before) hm_map_add(&types, hm_entity_type_key(a, type), 0);
  }
  return types;
}

/* rows NULL: all, the active ones; else n of them, whatever their status is. */
static int read_claims(const hm_snapshot *snap, const hm_rules *rules, const uint32_t *rows,
                       size_t n, int threads, hm_claims **out, hm_err *err) {
  if (snap->n_rows >= UINT32_MAX)
    return hm_fail(err, HM_E_STORE, "claims", "more than 4294967294 rows", "split the store");
  hm_arena *a = hm_arena_new();
  hm_claims *claims = hm_xmalloc(sizeof *claims);
  job j = {
    .rows = rows, .n_rows = n, .out = claims, .n_chunks = (n + CHUNK_ROWS - 1) / CHUNK_ROWS
  };
  j.n_workers = (size_t)threads > j.n_chunks ? (int)j.n_chunks : threads;
  if (j.n_workers < 1) j.n_workers = 1;
  if (j.n_workers > 1) hm_units_expect();
  j.workers = hm_alloc_array(a, (size_t)j.n_workers, sizeof *j.workers);
  j.chunks = hm_alloc_array(a, j.n_chunks, sizeof *j.chunks);
  hm_map types = types_of(snap, a);
  *claims = (hm_claims){ .n_arenas = j.n_workers + 1,
                         .speaks = hm_alloc_array(a, snap->n_rows, sizeof *claims->speaks) };
  claims->arenas = hm_xmalloc((size_t)claims->n_arenas * sizeof *claims->arenas);
  claims->arenas[j.n_workers] = a;
  for (int i = 0; i < j.n_workers; i++) {
    claims->arenas[i] = hm_arena_new();
    j.workers[i] = (hm_reader){ .snap = snap,
                                .rules = rules,
                                .types = &types,
                                .a = claims->arenas[i],
                                .scratch = hm_arena_new(),
                                .units = hm_units_new(),
                                .speaks = claims->speaks,
                                .any_status = rows != NULL };
    j.workers[i].by = (hm_value_reading){ rules, hm_read_name_of, &j.workers[i] };
  }
  hm_par_for(j.n_chunks, j.n_workers, read_chunk, &j, NULL);
  put_together(&j);
  for (int i = 0; i < j.n_workers; i++) {
    hm_arena_free(j.workers[i].scratch);
    hm_units_free(j.workers[i].units);
  }
  *out = claims;
  return 0;
}

int hm_claims_of(const hm_snapshot *snap, const hm_rules *rules, int threads, hm_claims **out,
                 hm_err *err) {
  return read_claims(snap, rules, NULL, snap->n_rows, threads, out, err);
}

int hm_claims_of_rows(const hm_snapshot *snap, const hm_rules *rules, const uint32_t *rows,
                      size_t n, int threads, hm_claims **out, hm_err *err) {
  return read_claims(snap, rules, rows, n, threads, out, err);
}

void hm_claims_free(hm_claims *c) {
  if (!c) return;
  for (int i = 0; i < c->n_arenas; i++) hm_arena_free(c->arenas[i]);
  free(c->arenas);
  free(c->claims);
  free(c->silences);
  free(c->findings);
  free(c);
}
