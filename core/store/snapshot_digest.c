/* Equal stores, equal digests: everything that can show, in sorted order,
 * each string with its length. Rows are hashed in chunks of fixed size on all
 * cores, and the chunks' digests in order. Besides, a hash of each row alone, for who looks which of them are as they were. */
#include <endian.h>
#include <stddef.h>
#include <stdlib.h>
#include "core/base/digest.h"
#include "core/base/par.h"
#include "core/store/snapshot.h"

#define CHUNK 4096

static const size_t ROW_FIELDS[] = {
  offsetof(hm_row, id), offsetof(hm_row, type), offsetof(hm_row, name), offsetof(hm_row, text), offsetof(hm_row, props),
  offsetof(hm_row, from), offsetof(hm_row, to), offsetof(hm_row, slot_rule), offsetof(hm_row, valid_from),
  offsetof(hm_row, valid_until), offsetof(hm_row, created_at), offsetof(hm_row, superseded_by), offsetof(hm_row, graduated_to),
};
static const size_t DETAIL_FIELDS[] = {
  offsetof(hm_row_detail, source_refs), offsetof(hm_row_detail, tags), offsetof(hm_row_detail, confidence),
  offsetof(hm_row_detail, importance), offsetof(hm_row_detail, polarity), offsetof(hm_row_detail, scope),
  offsetof(hm_row_detail, agent), offsetof(hm_row_detail, superseded_at), offsetof(hm_row_detail, updated_at),
};

enum { N_ROW_FIELDS = sizeof ROW_FIELDS / sizeof *ROW_FIELDS, N_DETAIL_FIELDS = sizeof DETAIL_FIELDS / sizeof *DETAIL_FIELDS };

static void put_int(hm_buf *b, uint64_t v) {
  v = htole64(v);
  hm_buf_add(b, &v, sizeof v);
}

static void put(hm_buf *b, hm_str s) {
  put_int(b, s.n);
  hm_buf_str(b, s);
}

static hm_str field(const void *of, size_t offset) { return *(const hm_str *)(const void *)((const char *)of + offset); }

static size_t size_of(const void *of, const size_t *offsets, size_t n) {
  size_t size = n * sizeof(uint64_t);
  for (size_t i = 0; i < n; i++) size += field(of, offsets[i]).n;
  return size;
}

/* As put, for many at once: b has the room. */
static void put_fields(hm_buf *b, const void *of, const size_t *offsets, size_t n) {
  char *at = b->p + b->n;
  for (size_t i = 0; i < n; i++) {
    hm_str s = field(of, offsets[i]);
    uint64_t length = htole64(s.n);
    memcpy(at, &length, sizeof length);
    at += sizeof length;
    if (s.n) memcpy(at, s.p, s.n);
    at += s.n;
  }
  b->n = (size_t)(at - b->p);
}

/* A buffer has an upper bound, a digest has none. */
static void flush(hm_sha256 *h, hm_buf *b, size_t beyond) {
  if (b->n <= beyond) return;
  hm_sha256_add(h, hm_buf_view(b));
  hm_buf_clear(b);
}

void hm_row_bytes(const hm_snapshot *s, size_t i, hm_buf *b) {
  const hm_row *row = &s->rows[i];
  const hm_row_detail *d = &s->details[i];
  put_int(b, (uint64_t)row->layer << 16 | (uint64_t)row->status << 8 | (uint64_t)row->value_is_json << 1 | d->hand_authored);
  put(b, s->projects[row->project].id);
  if (!hm_buf_room(b, size_of(row, ROW_FIELDS, N_ROW_FIELDS) + size_of(d, DETAIL_FIELDS, N_DETAIL_FIELDS))) return;
  put_fields(b, row, ROW_FIELDS, N_ROW_FIELDS);
  put_fields(b, d, DETAIL_FIELDS, N_DETAIL_FIELDS);
}

void hm_project_bytes(const hm_project *p, hm_buf *b) {
  const hm_str fields[] = { p->id, p->name, p->description, p->created_at, p->updated_at };
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) put(b, fields[k]);
  put_int(b, p->declared);
  put_int(b, p->n_aliases);
  for (size_t k = 0; k < p->n_aliases; k++) put(b, p->aliases[k]);
}

/* Without detected_at: when a sweep ran is no part of what is known. */
void hm_conflict_bytes(const hm_conflict_rec *c, hm_buf *b) {
  const hm_str fields[] = { c->id, c->slot_kind, c->slot_key, c->project, c->resolved_at, c->resolution,
                            c->resolved_by, c->action, c->winner, c->rule };
  for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) put(b, fields[k]);
  put_int(b, c->status);
  put_int(b, (uint64_t)c->rule_version);
  put_int(b, c->n_members);
  for (size_t k = 0; k < c->n_members; k++) {
    const hm_member_rec *m = &c->members[k];
    const hm_str member[] = { m->id, m->field, m->value, m->normal, m->conflicts_with };
    put_int(b, (uint64_t)m->layer << 1 | m->flagged);
    for (size_t f = 0; f < sizeof member / sizeof *member; f++) put(b, member[f]);
  }
}

static size_t chunks_of(const hm_snapshot *s) { return (s->n_rows + CHUNK - 1) / CHUNK; }

static size_t chunk_end(const hm_snapshot *s, size_t chunk) { return (chunk + 1) * CHUNK < s->n_rows ? (chunk + 1) * CHUNK : s->n_rows; }

/* A row's hash is made besides when there is a seed: its bytes are at hand. */
static int digest_chunk(void *ctx, size_t chunk, int worker) {
  const hm_snapshot *s = ctx;
  size_t end = chunk_end(s, chunk);
  hm_sha256 h;
  hm_buf b = { 0 };
  (void)worker;
  hm_sha256_init(&h);
  for (size_t i = chunk * CHUNK; i < end; i++) {
    size_t from = b.n;
    hm_row_bytes(s, i, &b);
    if (s->sums->seed) s->sums->hashes[i] = hm_str_hash128(hm_str_sub(hm_buf_view(&b), from, b.n), s->sums->seed);
    flush(&h, &b, 1 << 16);
  }
  flush(&h, &b, 0);
  hm_sha256_end(&h, s->sums->digests[chunk]);
  hm_buf_free(&b);
  return 0;
}

/* --- each row alone -------------------------------------------------------- */

static void hash_row(hm_snapshot *s, size_t i, hm_buf *b) {
  hm_buf_clear(b);
  hm_row_bytes(s, i, b);
  s->sums->hashes[i] = hm_str_hash128(hm_buf_view(b), s->sums->seed);
}

static int hash_chunk(void *ctx, size_t chunk, int worker) {
  hm_snapshot *s = ctx;
  size_t end = chunk_end(s, chunk);
  hm_buf b = { 0 };
  (void)worker;
  for (size_t i = chunk * CHUNK; i < end; i++) hash_row(s, i, &b);
  hm_buf_free(&b);
  return 0;
}

void hm_snapshot_hash_rows(hm_snapshot *s, uint64_t seed, int threads) {
  size_t failed;
  if (!s->sums || s->sums->seed == seed) return;
  s->sums->seed = seed;
  hm_par_for(chunks_of(s), threads, hash_chunk, s, &failed);
}

/* chunks: each once; NULL: all from the first on. */
typedef struct { hm_snapshot *s; size_t first, *chunks; } rest;

static int digest_rest(void *ctx, size_t i, int worker) {
  const rest *r = ctx;
  return digest_chunk(r->s, r->chunks ? r->chunks[i] : r->first + i, worker);
}

void hm_snapshot_rows_changed(hm_snapshot *s, const uint32_t *rows, size_t n) {
  if (!n || !s->sums) return;
  rest r = { .s = s, .chunks = hm_xmalloc(n * sizeof *r.chunks) };
  size_t k = 0;
  for (size_t i = 0; i < n; i++)
    if (!i || rows[i] / CHUNK != rows[i - 1] / CHUNK) r.chunks[k++] = rows[i] / CHUNK;
  hm_par_for(k, hm_par_cores(), digest_rest, &r, NULL);
  free(r.chunks);
}

void hm_snapshot_rows_inserted(hm_snapshot *s, const uint32_t *rows, size_t n) {
  if (!n || !s->sums) return;
  rest r = { .s = s, .first = rows[0] / CHUNK };
  hm_par_for(chunks_of(s) - r.first, hm_par_cores(), digest_rest, &r, NULL);
}

void hm_snapshot_sum(hm_snapshot *s, size_t spare, uint64_t seed, hm_arena *a) {
  s->sums = hm_alloc(a, sizeof *s->sums);
  s->sums->seed = seed;
  s->sums->digests = hm_alloc_array(a, (s->n_rows + spare) / CHUNK + 1, sizeof *s->sums->digests);
  s->sums->hashes = hm_alloc_array(a, s->n_rows + spare + 1, sizeof *s->sums->hashes);
  hm_par_for(chunks_of(s), hm_par_cores(), digest_chunk, s, NULL);
}

/* --- the whole ------------------------------------------------------------- */

static void put_projects(const hm_snapshot *s, hm_sha256 *h, hm_buf *b) {
  put_int(b, s->n_projects);
  for (size_t i = 0; i < s->n_projects; i++) {
    hm_project_bytes(&s->projects[i], b);
    flush(h, b, 1 << 16);
  }
}

static void put_links(const hm_snapshot *s, hm_sha256 *h, hm_buf *b) {
  put_int(b, s->n_links);
  for (size_t i = 0; i < s->n_links; i++) {
    put(b, s->links[i].src);
    put(b, s->links[i].dst);
    put(b, s->links[i].rel);
    flush(h, b, 1 << 16);
  }
}

static void put_conflicts(const hm_snapshot *s, hm_sha256 *h, hm_buf *b) {
  put_int(b, s->n_conflicts);
  for (size_t i = 0; i < s->n_conflicts; i++) {
    hm_conflict_bytes(&s->conflicts[i], b);
    flush(h, b, 1 << 16);
  }
}

hm_str hm_snapshot_digest(hm_snapshot *s, hm_arena *a) {
  if (!s->details) return HM_EMPTY;
  size_t n = chunks_of(s);
  hm_sha256 h;
  hm_buf b = { 0 };
  if (!s->sums) hm_snapshot_sum(s, 0, 0, a);
  hm_sha256_init(&h);
  put_int(&b, s->n_rows);
  hm_buf_add(&b, s->sums->digests, n * sizeof *s->sums->digests);
  put_projects(s, &h, &b);
  put_links(s, &h, &b);
  put_conflicts(s, &h, &b);
  flush(&h, &b, 0);
  hm_buf_free(&b);
  return hm_sha256_hex(&h, a, 64);
}
