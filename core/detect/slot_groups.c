/* Grouping by hash in one pass: hashes are scattered by their top bits into partitions that fit a
 * cache, each partition is sorted, and runs of equal hash are walked. Most runs are of one claim,
 * which is never looked at. */
#include "core/detect/slot.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"

enum { PART_BITS = 8, PARTS = 1 << PART_BITS, CHUNKS = 64, SMALL = 4096 };

typedef struct { hm_slot_group *v; size_t n, cap, slots; } found;

typedef struct {
  const hm_claim *claims;
  size_t n, chunks;
  hm_slot_ref *unsorted, *refs;
  size_t (*at)[PARTS];          /* [chunk][part]: where that chunk's next claim of that part goes */
  size_t first[PARTS + 1];
  found found[PARTS];
} work;

static size_t part_of(uint64_t hash) { return (size_t)(hash >> (64 - PART_BITS)); }
static size_t chunk_start(const work *w, size_t chunk) { return w->n * chunk / w->chunks; }

static int count_chunk(void *ctx, size_t chunk, int worker) {
  (void)worker;
  work *w = ctx;
  for (size_t i = chunk_start(w, chunk); i < chunk_start(w, chunk + 1); i++) {
    w->unsorted[i] = (hm_slot_ref){ w->claims[i].hash, (uint32_t)i };
    w->at[chunk][part_of(w->unsorted[i].hash)]++;
  }
  return 0;
}

/* Counts to places: part by part, and in a part chunk by chunk, so that the scatter is stable. */
static void place_parts(work *w) {
  size_t sum = 0;
  for (size_t p = 0; p < PARTS; p++) {
    w->first[p] = sum;
    for (size_t c = 0; c < w->chunks; c++) {
      size_t n = w->at[c][p];
      w->at[c][p] = sum;
      sum += n;
    }
  }
  w->first[PARTS] = sum;
}

static int scatter_chunk(void *ctx, size_t chunk, int worker) {
  (void)worker;
  work *w = ctx;
  for (size_t i = chunk_start(w, chunk); i < chunk_start(w, chunk + 1); i++)
    w->refs[w->at[chunk][part_of(w->unsorted[i].hash)]++] = w->unsorted[i];
  return 0;
}

static int by_hash(const void *a, const void *b) {
  const hm_slot_ref *x = a, *y = b;
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  return (x->claim > y->claim) - (x->claim < y->claim);
}

static int slot_cmp(const hm_claim *a, const hm_claim *b) {
  if (a->project != b->project) return a->project < b->project ? -1 : 1;
  int d = hm_str_cmp(a->memory_type, b->memory_type);
  return d ? d : hm_str_cmp(a->name, b->name);
}

bool hm_claims_share_slot(const hm_claim *a, const hm_claim *b) {
  return a->project == b->project && hm_str_eq(a->name, b->name) &&
      hm_str_eq(a->memory_type, b->memory_type);
}

static int by_slot(const void *a, const void *b, void *ctx) {
  const hm_slot_ref *x = a, *y = b;
  const hm_claim *claims = ctx;
  int d = slot_cmp(&claims[x->claim], &claims[y->claim]);
  return d ? d : (x->claim > y->claim) - (x->claim < y->claim);
}

static void keep_group(found *f, const hm_slot_ref *refs, size_t n) {
  if (f->n == f->cap) {
    f->cap = f->cap ? f->cap * 2 : 16;
    f->v = hm_xrealloc(f->v, f->cap * sizeof *f->v);
  }
  f->v[f->n++] = (hm_slot_group){ refs, n };
}

/* Values of equal key are compatible whatever the rules say. */
static bool all_agree(const work *w, const hm_slot_ref *refs, size_t n) {
  hm_str key = w->claims[refs[0].claim].value.key;
  for (size_t i = 1; i < n; i++)
    if (!hm_str_eq(key, w->claims[refs[i].claim].value.key)) return false;
  return true;
}

static void end_slot(const work *w, found *f, const hm_slot_ref *refs, size_t n) {
  f->slots++;
  if (n > 1 && !all_agree(w, refs, n)) keep_group(f, refs, n);
}

static bool one_slot(const work *w, const hm_slot_ref *refs, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (!hm_claims_share_slot(&w->claims[refs[0].claim], &w->claims[refs[i].claim])) return false;
  return true;
}

/* A run of equal hash that is not one slot: sorted by slot, then cut. */
static void split_run(const work *w, found *f, hm_slot_ref *refs, size_t n) {
  qsort_r(refs, n, sizeof *refs, by_slot, (void *)w->claims);
  for (size_t i = 0, j; i < n; i = j) {
    for (j = i + 1;
         j < n && hm_claims_share_slot(&w->claims[refs[i].claim], &w->claims[refs[j].claim]);)
      j++;
    end_slot(w, f, refs + i, j - i);
  }
}

static int walk_part(void *ctx, size_t p, int worker) {
  (void)worker;
  work *w = ctx;
  hm_slot_ref *refs = w->refs + w->first[p];
  size_t n = w->first[p + 1] - w->first[p];
  qsort(refs, n, sizeof *refs, by_hash);
  for (size_t i = 0, j; i < n; i = j) {
    for (j = i + 1; j < n && refs[j].hash == refs[i].hash;) j++;
    if (one_slot(w, refs + i, j - i)) end_slot(w, &w->found[p], refs + i, j - i);
    else split_run(w, &w->found[p], refs + i, j - i);
  }
  return 0;
}

static void gather(work *w, hm_slot_groups *out) {
  for (size_t p = 0; p < PARTS; p++) {
    out->n += w->found[p].n;
    out->slots += w->found[p].slots;
  }
  out->groups = hm_xmalloc(out->n * sizeof *out->groups);
  size_t at = 0;
  for (size_t p = 0; p < PARTS; p++) {
    if (w->found[p].n) memcpy(out->groups + at, w->found[p].v, w->found[p].n * sizeof *out->groups);
    at += w->found[p].n;
    free(w->found[p].v);
  }
}

void hm_slot_groups_of(const hm_claim *claims, size_t n, int threads, hm_slot_groups *out) {
  work *w = hm_xmalloc(sizeof *w);
  memset(w, 0, sizeof *w);
  w->claims = claims;
  w->n = n;
  w->unsorted = hm_xmalloc(n * sizeof *w->unsorted);
  w->refs = hm_xmalloc(n * sizeof *w->refs);
  w->chunks = n < SMALL ? 1 : CHUNKS;
  w->at = hm_xmalloc(w->chunks * sizeof *w->at);
  memset(w->at, 0, w->chunks * sizeof *w->at);
  if (n < SMALL) threads = 1;
  hm_par_for(w->chunks, threads, count_chunk, w, NULL);
  place_parts(w);
  hm_par_for(w->chunks, threads, scatter_chunk, w, NULL);
  hm_par_for(PARTS, threads, walk_part, w, NULL);
  *out = (hm_slot_groups){ .refs = w->refs };
  gather(w, out);
  free(w->unsorted);
  free(w->at);
  free(w);
}

void hm_slot_groups_free(hm_slot_groups *g) {
  free(g->groups);
  free(g->refs);
  *g = (hm_slot_groups){ 0 };
}
