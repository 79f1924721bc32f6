#include "core/review/entries.h"

#include <stdlib.h>

#include "core/base/digest.h"
#include "core/base/par.h"
#include "core/claim/depends.h"
#include "core/detect/conflict.h"

/* Says how claims are read from rows and slots are named: to be raised when either changes. */
static const char reading[] = "5";
/* Says how claims are compared and conflicts planned: likewise. */
static const char comparing[] = "1";

enum { CHUNK = 4096 };

uint64_t hm_slot_hash(hm_str slot_key) { return hm_str_hash(slot_key); }
uint64_t hm_names_hash(hm_str id) { return hm_str_hash(id); }
uint64_t hm_type_hash(hm_str type_key) { return hm_str_hash(type_key); }

static void add_list(hm_sha256 *h, const hm_str *v, size_t n) {
  unsigned char count[8];
  for (int i = 0; i < 8; i++) count[i] = (unsigned char)((uint64_t)n >> 8 * i);
  hm_sha256_add(h, (hm_str){ (const char *)count, sizeof count });
  for (size_t i = 0; i < n; i++) hm_sha256_field(h, v[i]);
}

/* Tolerances are not among them: they compare claims, and the index holds no values. */
hm_str hm_entries_rules(const hm_rules *rules, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, hm_str_c(reading));
  add_list(&h, rules->prose, rules->n_prose);
  add_list(&h, rules->text_fields, rules->n_text_fields);
  add_list(&h, rules->silence, rules->n_silence);
  return hm_sha256_hex(&h, a, 16);
}

hm_str hm_compare_rules(const hm_rules *rules, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, hm_str_c(comparing));
  hm_sha256_field(&h, hm_entries_rules(rules, a));
  for (size_t i = 0; i < rules->n_tolerances; i++) {
    const hm_tolerance *t = &rules->tolerances[i];
    hm_sha256_field(&h, t->slot);
    hm_sha256_field(&h, hm_str_fmt(a, "%a", t->value));
    hm_sha256_field(&h, t->unit);
  }
  return hm_sha256_hex(&h, a, 16);
}

/* What one thread works on, and what it found. */
typedef struct { hm_arena *scratch; hm_index_entries found; } desk;

typedef struct {
  const hm_snapshot *snap;
  const hm_claims *claims;
  const bool *only;
  desk *desks;
} job;

/* The instants that a bound may be, at the earliest and at the latest. */
static void add_bound(desk *d, const hm_bound *b, hm_layer layer, hm_str id) {
  hm_index_kind kind = (hm_index_kind)(HM_INDEX_MEMORY_BOUND + layer - HM_MEMORY);
  if (!b->known) return;
  hm_index_entries_add(&d->found, (hm_index_entry){ (uint64_t)b->first, kind, id });
  if (b->last != b->first)
    hm_index_entries_add(&d->found, (hm_index_entry){ (uint64_t)b->last, kind, id });
}

/* A value that is the id of an entity, or would be of one to come. */
static void add_ids(desk *d, const hm_claim *c, const hm_value *v, hm_str row) {
  for (size_t i = 0; i < v->n_items; i++) add_ids(d, c, &v->items[i], row);
  hm_str id = v->named.n || v->kind == HM_V_TEXT ? hm_value_id(hm_value_unsaid(v)) : HM_EMPTY;
  hm_index_kind kind = (hm_index_kind)(HM_INDEX_MEMORY_ID + (c->layer - HM_MEMORY));
  if (id.n) hm_index_entries_add(&d->found, (hm_index_entry){ hm_names_hash(id), kind, row });
}

static void add_claim(const job *j, desk *d, size_t i) {
  const hm_claim *c = &j->claims->claims[i];
  if (j->only && !j->only[c->row]) return;
  if (!i || c[-1].row != c->row) {
    add_bound(d, &c->when.begin, c->layer, j->snap->rows[c->row].id);
    add_bound(d, &c->when.end, c->layer, j->snap->rows[c->row].id);
  }
  uint64_t key = hm_slot_hash(hm_conflict_slot_key(d->scratch, j->snap, c));
  hm_index_entries_add(&d->found,
                       (hm_index_entry){ key, (hm_index_kind)c->layer, j->snap->rows[c->row].id });
  if (!c->memory_type.n) add_ids(d, c, &c->value, j->snap->rows[c->row].id);
}

static void add_names(const hm_row *row, desk *d) {
  hm_str ids[HM_ELEMENTS_MAX];
  size_t n = hm_depends_on_ids(row, ids, d->scratch);
  for (size_t i = 0; i < n; i++)
    hm_index_entries_add(&d->found,
                         (hm_index_entry){ hm_names_hash(ids[i]), HM_INDEX_NAMES, row->id });
}

/* An entity makes its type known whatever its status is. */
static void add_type(const hm_row *row, desk *d) {
  hm_str type = hm_depends_on_type(row, d->scratch);
  hm_index_kind kind = row->layer == HM_ENTITY ? HM_INDEX_TYPE : HM_INDEX_CATEGORY;
  if (type.n)
    hm_index_entries_add(&d->found, (hm_index_entry){ hm_type_hash(type), kind, row->id });
}

static void add_row(const job *j, desk *d, size_t i) {
  const hm_row *row = &j->snap->rows[i];
  if (j->only && !j->only[i]) return;
  if (row->layer == HM_ENTITY || (row->layer == HM_STATE && row->status == HM_ACTIVE))
    add_type(row, d);
  if (row->layer == HM_ENTITY && row->status == HM_ACTIVE) add_names(row, d);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* The i-th chunk of the claims and of the rows. */
static int take_chunk(void *ctx, size_t i, int worker) {
  const job *j = ctx;
  desk *d = &j->desks[worker];
  for (size_t k = i * CHUNK; k < least(j->claims->n, (i + 1) * CHUNK); k++) add_claim(j, d, k);
  for (size_t k = i * CHUNK; k < least(j->snap->n_rows, (i + 1) * CHUNK); k++) add_row(j, d, k);
  hm_arena_reset(d->scratch);
  return 0;
}

void hm_entries_of(const hm_snapshot *snap, const hm_claims *claims, const bool *only,
                   hm_index_entries *out) {
  size_t most = claims->n > snap->n_rows ? claims->n : snap->n_rows,
         chunks = (most + CHUNK - 1) / CHUNK, failed;
  int threads = chunks < 2 ? 1 : hm_par_cores();
  desk *desks = hm_xmalloc((size_t)threads * sizeof *desks);
  for (int i = 0; i < threads; i++) desks[i] = (desk){ .scratch = hm_arena_new() };
  hm_par_for(chunks, threads, take_chunk, &(job){ snap, claims, only, desks }, &failed);
  for (int i = 0; i < threads; i++) {
    for (size_t k = 0; k < desks[i].found.n; k++) hm_index_entries_add(out, desks[i].found.v[k]);
    free(desks[i].found.v);
    hm_arena_free(desks[i].scratch);
  }
  free(desks);
}

int hm_entries_depending(hm_store *s, hm_str id, hm_arena *a, hm_row_keys *out, hm_err *err) {
  uint64_t key = hm_names_hash(id);
  return hm_index_rows(s, key, HM_INDEX_NAMES, HM_INDEX_NAMES, SIZE_MAX, a, out, err) ||
          hm_index_rows(s, key, HM_INDEX_MEMORY_ID, HM_INDEX_STATE_ID, SIZE_MAX, a, out, err)
      ? -1
      : 0;
}
