/* Makes claims of rows: "this row says that slot S has value V, from T1 until T2".
 *
 * Threads with memory of their own read rows in chunks, which are joined in order, so the result
 * does not depend on the number of threads. memory_claims.c, entity_claims.c and relation_claims.c
 * read the layers.
 * Cost: linear in the rows and the bytes of their texts.
 * Source: design section 6. */
#include "core/claim/row_reader.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/sort.h"
#include "core/claim/slot.h"
#include "core/words/sentence.h"

enum { CHUNK_ROWS = 1024, STRETCH = 32 };

/* hm_value_reading.name_of. */
static hm_str name_of_id(void *ctx, hm_str id) {
  const row_reader *r = ctx;
  const hm_row *entity = hm_snapshot_find_entity(r->snap, id);
  if (!entity)
    return HM_EMPTY;
  bool near = entity->project == r->row->project || !r->snap->projects[entity->project].id.n;
  return near ? entity->name : HM_EMPTY;
}

static void read_layer(row_reader *r) {
  const hm_row *row = r->row;
  if (hm_props_claim_kind(row->props, r->scratch).n)
    return;
  if (row->layer == HM_RELATION)
    hm_row_read_relation(r);
  else if (!hm_row_read_window(r))
    return;
  if (row->layer == HM_MEMORY)
    hm_row_read_memory(r);
  if (row->layer == HM_STATE)
    hm_row_read_state(r);
  if (row->layer == HM_ENTITY)
    hm_row_read_entity(r);
}

static void read_row(row_reader *r, uint32_t i) {
  const hm_row *row = r->row = &r->snap->rows[i];
  bool past = row->status == HM_SUPERSEDED && !r->any_status;
  if (row->status != HM_ACTIVE && !r->any_status && !past)
    return;
  hm_arena_reset(r->scratch);
  if (past && !hm_story_reads_row(r->rules->story, row, r->scratch))
    return;
  r->past = past;
  r->proto = (hm_claim){ .row = i,
                         .project = row->project,
                         .layer = row->layer,
                         .space = HM_EMPTY,
                         .stands = HM_TIME_MIN,
                         .author = HM_EMPTY,
                         .source = HM_EMPTY };
  size_t n;
  const hm_evidence *said = hm_snapshot_evidence(r->snap, i, &n);
  r->said = said;
  r->proto.said_by = said;
  if (said && !said->only && !past)
    hm_row_read_evidence(r, said, n, read_layer);
  else
    read_layer(r);
}

/* Chunks are read a stretch at a time, and the claims of a stretch are put in their place before
 * the next is read: so all claims stand in memory once, and those of a few chunks for each worker
 * a second time. */
typedef struct {
  const uint32_t *rows;
  size_t n_rows; /* rows NULL: all of the snapshot */
  row_reader *workers;
  int n_workers;
  chunk *chunks;
  size_t n_chunks;
  size_t first, end;        /* chunks of the stretch that is read: at most STRETCH */
  claim_list room[STRETCH]; /* for the claims of its chunks */
  size_t cap;               /* of out->claims */
  hm_containment *containment;
  hm_claims *out;
} job;

static int read_chunk(void *ctx, size_t i, int worker) {
  job *j = ctx;
  row_reader *r = &j->workers[worker];
  size_t k = (j->first + i) * CHUNK_ROWS;
  size_t end = k + CHUNK_ROWS < j->n_rows ? k + CHUNK_ROWS : j->n_rows;
  r->out = &j->chunks[j->first + i];
  r->out->claims = j->room[i];
  for (; k < end; k++)
    read_row(r, j->rows ? j->rows[k] : (uint32_t)k);
  j->room[i] = (claim_list){ .v = r->out->claims.v, .cap = r->out->claims.cap };
  return 0;
}

static int place_claims(void *ctx, size_t i, int worker) {
  (void)worker;
  const job *j = ctx;
  const chunk *c = &j->chunks[j->first + i];
  if (c->claims.n)
    memcpy(j->out->claims + c->claims_at, c->claims.v, c->claims.n * sizeof *j->out->claims);
  return 0;
}

static void make_room(job *j, size_t n) {
  if (n <= j->cap)
    return;
  j->cap = n + n / 2;
  j->out->claims = hm_xrealloc(j->out->claims, j->cap * sizeof *j->out->claims);
}

static void read_chunks(job *j) {
  hm_claims *out = j->out;
  size_t stretch = (size_t)j->n_workers * 4 < STRETCH ? (size_t)j->n_workers * 4 : STRETCH;
  j->cap = j->n_rows; /* most rows claim one thing */
  out->claims = hm_xmalloc(j->cap * sizeof *out->claims);
  for (j->first = 0; j->first < j->n_chunks; j->first = j->end) {
    j->end = j->first + stretch < j->n_chunks ? j->first + stretch : j->n_chunks;
    hm_par_for(j->end - j->first, j->n_workers, read_chunk, j, NULL);
    for (chunk *c = j->chunks + j->first; c < j->chunks + j->end; c++) {
      c->claims_at = out->n;
      out->n += c->claims.n;
    }
    make_room(j, out->n);
    hm_par_for(j->end - j->first, j->n_workers, place_claims, j, NULL);
  }
  for (size_t i = 0; i < STRETCH; i++)
    free(j->room[i].v);
}

static void move_array(void *to, void *from, size_t bytes) {
  if (bytes)
    memcpy(to, from, bytes);
  free(from);
}

/* All but the claims. */
static int place_chunk(void *ctx, size_t i, int worker) {
  (void)worker;
  job *j = ctx;
  chunk *c = &j->chunks[i];
  hm_claims *out = j->out;
  move_array(out->claims + out->n + c->context_at, c->context.v,
             c->context.n * sizeof *out->claims);
  move_array(out->silences + c->silences_at, c->silences.v, c->silences.n * sizeof *out->silences);
  move_array(out->findings + c->findings_at, c->findings, c->n_findings * sizeof *out->findings);
  return 0;
}

static void place_chunks(job *j) {
  hm_claims *out = j->out;
  hm_arena *a = out->arenas[j->n_workers];
  hm_inclusions **inclusions = hm_alloc_array(a, j->n_chunks, sizeof *inclusions);
  for (chunk *c = j->chunks; c < j->chunks + j->n_chunks; c++) {
    inclusions[c - j->chunks] = &c->inclusions;
    c->context_at = out->n_context;
    c->silences_at = out->n_silences;
    c->findings_at = out->n_findings;
    out->n_context += c->context.n;
    out->n_silences += c->silences.n;
    out->n_findings += c->n_findings;
  }
  make_room(j, out->n + out->n_context);
  out->silences = hm_xmalloc(out->n_silences * sizeof *out->silences);
  out->findings = hm_xmalloc(out->n_findings * sizeof *out->findings);
  hm_par_for(j->n_chunks, j->n_workers, place_chunk, j, NULL);
  hm_containment_fill(j->containment, inclusions, j->n_chunks, a);
  if (out->n_findings)
    qsort(out->findings, out->n_findings, sizeof *out->findings, hm_order_str);
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
    if (i > snap->first[HM_ENTITY] && type.p == last.p && type.n == last.n)
      continue;
    size_t before = seen.n;
    last = type;
    hm_map_add(&seen, type, 0);
    if (seen.n != before)
      hm_map_add(&types, hm_entity_type_key(a, type), 0);
  }
  return types;
}

/* Lives in a, or borrows from snap. */
static const hm_existences *lives_of(const hm_snapshot *snap, const hm_rules *rules, int threads,
                                     hm_arena *a) {
  bool asked = snap->n_sources || snap->first[HM_RELATION] < snap->first[HM_RELATION + 1];
  if (snap->lives || !asked)
    return snap->lives;
  hm_existences *lives = hm_alloc(a, sizeof *lives);
  hm_existences_build(snap, rules, threads, a, lives);
  return lives;
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
  if (j.n_workers < 1)
    j.n_workers = 1;
  if (j.n_workers > 1)
    hm_units_preload();
  j.workers = hm_alloc_array(a, (size_t)j.n_workers, sizeof *j.workers);
  j.chunks = hm_alloc_array(a, j.n_chunks, sizeof *j.chunks);
  hm_map types = types_of(snap->around ? snap->around : snap, a);
  j.containment = hm_containment_new(a);
  const hm_families *families =
      hm_families_prepare(rules->story ? rules->story->families : NULL, a);
  size_t n_crowded;
  const hm_time *crowded = hm_list_crowded_seconds(snap, a, &n_crowded);
  *claims = (hm_claims){ .n_arenas = j.n_workers + 1,
                         .speaks = hm_alloc_array(a, snap->n_rows, sizeof *claims->speaks) };
  claims->arenas = hm_xmalloc((size_t)claims->n_arenas * sizeof *claims->arenas);
  claims->arenas[j.n_workers] = a;
  hm_window_parse(NULL, HM_EMPTY, HM_EMPTY, snap->now, &claims->open);
  claims->lives = lives_of(snap, rules, j.n_workers, a);
  const hm_things *things = hm_things_build(snap, claims->lives, a);
  for (int i = 0; i < j.n_workers; i++) {
    row_reader *r = &j.workers[i];
    claims->arenas[i] = hm_arena_new();
    *r = (row_reader){ .snap = snap,
                       .rules = rules,
                       .types = &types,
                       .containment = j.containment,
                       .lives = claims->lives,
                       .things = things,
                       .families = families,
                       .words = hm_sentence_words_new(claims->arenas[i]),
                       .crowded = crowded,
                       .n_crowded = n_crowded,
                       .a = claims->arenas[i],
                       .scratch = hm_arena_new(),
                       .units = hm_units_new(),
                       .by = { rules, name_of_id, r, false, families },
                       .open = &claims->open,
                       .windows = hm_alloc_array(a, WINDOWS_KEPT, sizeof *r->windows),
                       .speaks = claims->speaks,
                       .any_status = rows != NULL };
  }
  read_chunks(&j);
  place_chunks(&j);
  hm_claims_reread_values(claims, a);
  hm_judged_claims_add(claims, snap, rows, n, a);
  for (int i = 0; i < j.n_workers; i++) {
    hm_arena_free(j.workers[i].scratch);
    hm_units_free(j.workers[i].units);
  }
  *out = claims;
  return 0;
}

int hm_claims_read(const hm_snapshot *snap, const hm_rules *rules, int threads, hm_claims **out,
                   hm_err *err) {
  return read_claims(snap, rules, NULL, snap->n_rows, threads, out, err);
}

int hm_claims_read_rows(const hm_snapshot *snap, const hm_rules *rules, const uint32_t *rows,
                        size_t n, int threads, hm_claims **out, hm_err *err) {
  return read_claims(snap, rules, rows, n, threads, out, err);
}

void hm_claims_free(hm_claims *c) {
  if (!c)
    return;
  for (int i = 0; i < c->n_arenas; i++)
    hm_arena_free(c->arenas[i]);
  free(c->arenas);
  free(c->claims);
  free(c->silences);
  free(c->findings);
  free(c);
}

size_t hm_claims_first_of_row(const hm_claims *c, uint32_t row) {
  return hm_lower_bound(c->claims, c->n, sizeof *c->claims, &row, hm_order_u32);
}
