/* All rows to claims. */
#include "core/claim/claim.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/claim/claim_impl.h"

enum { CHUNK_ROWS = 4096 };

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

int hm_claims_read_chunk(void *ctx, size_t i, int worker) {
  hm_claims_job *j = ctx;
  hm_reader *r = &j->workers[worker];
  r->claims = NULL;
  r->findings = NULL;
  r->n = r->cap = r->n_findings = r->cap_findings = 0;
  size_t end = min_size(j->snap->n_rows, (i + 1) * CHUNK_ROWS);
  for (size_t row = i * CHUNK_ROWS; row < end; row++)
    if (!j->wanted || j->wanted[row]) hm_read_row(r, (uint32_t)row);
  j->chunks[i] = (hm_claims_chunk){ .claims = r->claims, .n = r->n, .findings = r->findings, .n_findings = r->n_findings };
  return 0;
}

static void copy(void *to, const void *from, size_t n) {
  if (n) memcpy(to, from, n);
}

static int place_chunk(void *ctx, size_t i, int worker) {
  (void)worker;
  hm_claims_job *j = ctx;
  hm_claims_chunk *c = &j->chunks[i];
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

void hm_claims_put_together(hm_claims_job *j) {
  hm_claims *out = j->out;
  for (size_t i = 0; i < j->n_chunks; i++) {
    j->chunks[i].at = out->n;
    j->chunks[i].findings_at = out->n_findings;
    out->n += j->chunks[i].n;
    out->n_findings += j->chunks[i].n_findings;
  }
  out->claims = hm_xrealloc(out->claims, out->n * sizeof *out->claims);
  out->findings = hm_xrealloc(out->findings, out->n_findings * sizeof *out->findings);
  hm_par_for(j->n_chunks, j->n_workers, place_chunk, j, NULL);
  if (out->n_findings) qsort(out->findings, out->n_findings, sizeof *out->findings, cmp_findings);
}

hm_map hm_claims_types(const hm_snapshot *snap, hm_arena *a) {
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

void hm_claims_begin(hm_claims_job *j, const hm_snapshot *snap, const hm_rules *rules, int threads) {
  hm_arena *a = hm_arena_new();
  hm_claims *out = hm_xmalloc(sizeof *out);
  *j = (hm_claims_job){ .snap = snap, .out = out, .n_chunks = (snap->n_rows + CHUNK_ROWS - 1) / CHUNK_ROWS };
  if ((size_t)threads > j->n_chunks) threads = (int)j->n_chunks;
  j->n_workers = threads < 1 ? 1 : threads;
  j->workers = hm_alloc_array(a, (size_t)j->n_workers, sizeof *j->workers);
  j->chunks = hm_alloc_array(a, j->n_chunks, sizeof *j->chunks);
  *out = (hm_claims){ .n_arenas = j->n_workers + 1 };
  out->arenas = hm_xmalloc((size_t)out->n_arenas * sizeof *out->arenas);
  out->arenas[j->n_workers] = a;
  for (int i = 0; i < j->n_workers; i++) {
    hm_arena *kept = out->arenas[i] = hm_arena_new();
    j->workers[i] = (hm_reader){ .snap = snap, .rules = rules, .types = &j->types, .a = kept, .told = kept,
                                 .scratch = hm_arena_new(), .units = hm_units_new() };
  }
}

void hm_claims_read(hm_claims_job *j) {
  hm_par_for(j->n_chunks, j->n_workers, hm_claims_read_chunk, j, NULL);
  hm_claims_put_together(j);
}

hm_claims *hm_claims_end(hm_claims_job *j) {
  for (int i = 0; i < j->n_workers; i++) {
    hm_arena_free(j->workers[i].scratch);
    hm_units_free(j->workers[i].units);
  }
  return j->out;
}

int hm_claims_check_rows(const hm_snapshot *snap, hm_err *err) {
  if (snap->n_rows < UINT32_MAX) return 0;
  return hm_fail(err, HM_E_STORE, "claims", "more than 4294967294 rows", "split the store");
}

int hm_claims_of(const hm_snapshot *snap, const hm_rules *rules, int threads, hm_claims **out, hm_err *err) {
  hm_claims_job j;
  if (hm_claims_check_rows(snap, err)) return -1;
  hm_claims_begin(&j, snap, rules, threads);
  j.types = hm_claims_types(snap, j.out->arenas[j.n_workers]);
  j.out->speaks = hm_alloc_array(j.out->arenas[j.n_workers], snap->n_rows, sizeof *j.out->speaks);
  for (int i = 0; i < j.n_workers; i++) j.workers[i].speaks = j.out->speaks;
  hm_claims_read(&j);
  *out = hm_claims_end(&j);
  (*out)->total = (*out)->n;
  return 0;
}

void hm_claims_free(hm_claims *c) {
  if (!c) return;
  hm_claims_keep_free(c->keep);
  for (int i = 0; i < c->n_arenas; i++) hm_arena_free(c->arenas[i]);
  free(c->arenas);
  if (!c->lent) free(c->claims);
  free(c->findings);
  free(c);
}
