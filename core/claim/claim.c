/* All rows to claims, on all cores: rows in chunks, each worker with memory of
 * its own, the chunks put together in their order. */
#include "core/claim/claim.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/claim/claim_impl.h"

enum { CHUNK_ROWS = 4096 };

typedef struct {
  hm_claim *claims; size_t n;
  hm_finding *findings; size_t n_findings;
  size_t at, findings_at;      /* where they go in the whole */
} chunk;

typedef struct {
  const hm_snapshot *snap;
  const unsigned char *wanted;   /* for each row; NULL: all are */
  hm_reader *workers; int n_workers;
  chunk *chunks; size_t n_chunks;
  hm_map types;
  hm_claims_keep *keep;          /* while rows are read in brief */
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
  for (size_t row = i * CHUNK_ROWS; row < end; row++)
    if (!j->wanted || j->wanted[row]) hm_read_row(r, (uint32_t)row);
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

static void put_together(job *j) {
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

/* Keys of the types that the store brought: a state's category may name one. Rows of one type mostly share its text. */
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

static void begin(job *j, const hm_snapshot *snap, const hm_rules *rules, int threads) {
  hm_arena *a = hm_arena_new();
  hm_claims *out = hm_xmalloc(sizeof *out);
  *j = (job){ .snap = snap, .out = out, .n_chunks = (snap->n_rows + CHUNK_ROWS - 1) / CHUNK_ROWS };
  if ((size_t)threads > j->n_chunks) threads = (int)j->n_chunks;
  j->n_workers = threads < 1 ? 1 : threads;
  j->workers = hm_alloc_array(a, (size_t)j->n_workers, sizeof *j->workers);
  j->chunks = hm_alloc_array(a, j->n_chunks, sizeof *j->chunks);
  *out = (hm_claims){ .n_arenas = j->n_workers + 1, .speaks = hm_alloc_array(a, snap->n_rows, sizeof *out->speaks) };
  out->arenas = hm_xmalloc((size_t)out->n_arenas * sizeof *out->arenas);
  out->arenas[j->n_workers] = a;
  for (int i = 0; i < j->n_workers; i++) {
    hm_arena *kept = out->arenas[i] = hm_arena_new();
    j->workers[i] = (hm_reader){ .snap = snap, .rules = rules, .types = &j->types, .a = kept, .told = kept, .speaks = out->speaks,
                                 .scratch = hm_arena_new(), .units = hm_units_new() };
  }
}

static void read_rows(job *j) {
  hm_par_for(j->n_chunks, j->n_workers, read_chunk, j, NULL);
  put_together(j);
}

static hm_claims *end(job *j) {
  for (int i = 0; i < j->n_workers; i++) {
    hm_arena_free(j->workers[i].scratch);
    hm_units_free(j->workers[i].units);
  }
  return j->out;
}

static int check_rows(const hm_snapshot *snap, hm_err *err) {
  if (snap->n_rows < UINT32_MAX) return 0;
  return hm_fail(err, HM_E_STORE, "claims", "more than 4294967294 rows", "split the store");
}

int hm_claims_of(const hm_snapshot *snap, const hm_rules *rules, int threads, hm_claims **out, hm_err *err) {
  job j;
  if (check_rows(snap, err)) return -1;
  begin(&j, snap, rules, threads);
  j.types = types_of(snap, j.out->arenas[j.n_workers]);
  read_rows(&j);
  *out = end(&j);
  (*out)->total = (*out)->n;
  return 0;
}

/* --- in brief ------------------------------------------------------------------ */

static void be_brief(job *j, hm_claims_keep *k) {
  for (int i = 0; i < j->n_workers && i < k->n_workers; i++) {
    hm_reader *r = &j->workers[i];
    r->briefs = k->briefs[i];
    r->a = r->scratch;
    r->told = k->told[i];
    r->speaks = k->speaks;
  }
}

static void be_whole(job *j) {
  for (int i = 0; i < j->n_workers; i++) {
    hm_reader *r = &j->workers[i];
    r->briefs = NULL;
    r->a = j->out->arenas[i];
    r->told = NULL;
  }
}

/* Only an entity that is new or was changed can bring a type or take it away. */
static const hm_map *keep_types(hm_claims_keep *k, const hm_snapshot *snap) {
  if (k->of_types) return &k->types;
  k->of_types = hm_arena_new();
  k->types = types_of(snap, k->of_types);
  return &k->types;
}

/* The types are looked for beside: what is brief does not ask for them. */
static int read_brief_chunk(void *ctx, size_t i, int worker) {
  job *j = ctx;
  if (i > 0) return read_chunk(j, i - 1, worker);
  keep_types(j->keep, j->snap);
  return 0;
}

static void read_all_briefs(job *j, hm_claims_keep *k) {
  if (j->n_workers > 1) hm_units_expect();   /* rows in brief need no units, those that are contested do */
  hm_keep_begin(k, j->n_workers, j->snap->n_rows);
  be_brief(j, k);
  j->keep = k;
  hm_par_for(j->n_chunks + 1, j->n_workers, read_brief_chunk, j, NULL);
  put_together(j);
  hm_keep_findings(k, j->out->findings, j->out->n_findings);
  k->has = true;
}

/* A few rows, on this thread. */
static void read_stale_briefs(job *j, hm_claims_keep *k) {
  hm_reader *r = &j->workers[0];
  if (!k->n_stale) return;
  be_brief(j, k);
  for (size_t i = 0; i < k->n_rows; i++) {
    if (!k->stale[i]) continue;
    hm_read_row(r, (uint32_t)i);
    k->stale[i] = 0;
  }
  hm_keep_findings(k, r->findings, r->n_findings);
  free(r->findings);
  k->n_stale = 0;
}

/* Every row in brief: findings, counts, and the rows that are worth reading whole. */
static void read_briefs(job *j, hm_claims_keep *k, unsigned char *contested) {
  hm_claims *out = j->out;
  if (k->has) read_stale_briefs(j, k);
  else read_all_briefs(j, k);
  j->types = *keep_types(k, j->snap);
  be_whole(j);
  hm_briefs_judge(k->briefs, k->n_workers, j->n_workers, contested, &out->total, &out->slots);
  out->speaks = k->speaks;
  out->n_findings = k->n_findings;
  out->findings = hm_xrealloc(out->findings, k->n_findings * sizeof *out->findings);
  copy(out->findings, k->findings, k->n_findings * sizeof *out->findings);
}

/* What is told of a settled conflict, or of one that awaits sign-off, is what its members claim now. */
static void want_members(const hm_snapshot *snap, unsigned char *wanted) {
  for (size_t i = 0; i < snap->n_conflicts; i++) {
    const hm_conflict_rec *c = &snap->conflicts[i];
    for (size_t k = 0; k < c->n_members; k++) {
      uint32_t row = hm_snapshot_row(snap, c->members[k].layer, c->members[k].id);
      if (row != HM_MAP_NONE) wanted[row] = 1;
    }
  }
}

int hm_claims_contested_again(hm_claims_keep *k, const hm_snapshot *snap, const hm_rules *rules, int threads, hm_claims **out, hm_err *err) {
  job j;
  if (check_rows(snap, err)) return -1;
  begin(&j, snap, rules, threads);
  unsigned char *contested = hm_alloc_array(j.out->arenas[j.n_workers], snap->n_rows, sizeof *contested);
  read_briefs(&j, k, contested);
  want_members(snap, contested);
  j.wanted = contested;
  read_rows(&j);
  *out = end(&j);
  return 0;
}

int hm_claims_contested(const hm_snapshot *snap, const hm_rules *rules, int threads, hm_claims **out, hm_err *err) {
  hm_claims_keep *k = hm_claims_keep_new();
  if (hm_claims_contested_again(k, snap, rules, threads, out, err)) {
    hm_claims_keep_free(k);
    return -1;
  }
  hm_keep_drop_briefs(k);
  (*out)->keep = k;
  return 0;
}

void hm_claims_free(hm_claims *c) {
  if (!c) return;
  hm_claims_keep_free(c->keep);
  for (int i = 0; i < c->n_arenas; i++) hm_arena_free(c->arenas[i]);
  free(c->arenas);
  free(c->claims);
  free(c->findings);
  free(c);
}
