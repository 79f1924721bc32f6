/* Makes entries of the index of claims from rows and claims, and the digests that tell when it is
 * stale.
 *
 * An entry has a key, a kind, and the id of a row. Keys are slots of a row's claims and stories,
 * ids and types on which claims depend, instants of bounds, inclusions, when a memory was written,
 * and the key by which its text is compared. Cost: rows and claims, on all cores. */
#include "core/review/index_entries.h"

#include <stdlib.h>

#include "core/base/digest.h"
#include "core/base/par.h"
#include "core/claim/existence.h"
#include "core/claim/relation.h"
#include "core/claim/slot.h"
#include "core/claim/story.h"
#include "core/claim/world.h"
#include "core/detect/conflict.h"
#include "core/detect/similar_groups.h"

enum { CHUNK = 4096 };

/* The version of reading claims from rows and naming slots; raise it when either changes. */
static const char READING[] = "21";
/* Says how claims are compared and conflicts planned: likewise. */
static const char COMPARING[] = "12";

/* --- digests of the rules ---------------------------------------------------------- */

static void digest_list(hm_sha256 *h, const hm_str *v, size_t n) {
  unsigned char count[8];
  for (int i = 0; i < 8; i++)
    count[i] = (unsigned char)((uint64_t)n >> 8 * i);
  hm_sha256_add(h, (hm_str){ (const char *)count, sizeof count });
  for (size_t i = 0; i < n; i++)
    hm_sha256_field(h, v[i]);
}

/* Tolerances are not among them: they compare claims, and the index holds no values. */
hm_str hm_index_rules_digest(const hm_rules *rules, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, hm_str_c(READING));
  digest_list(&h, rules->prose, rules->n_prose);
  digest_list(&h, rules->text_fields, rules->n_text_fields);
  digest_list(&h, rules->ordered_fields, rules->n_ordered_fields);
  digest_list(&h, rules->silence, rules->n_silence);
  hm_sha256_field(&h, hm_worlds_digest(rules->worlds));
  hm_sha256_field(&h, hm_story_digest(rules->story, a));
  hm_sha256_field(&h, hm_relation_kinds_digest(rules->relations, a));
  return hm_sha256_hex(&h, a, 16);
}

hm_str hm_index_compare_rules_digest(const hm_rules *rules, hm_arena *a) {
  hm_sha256 h;
  hm_sha256_init(&h);
  hm_sha256_field(&h, hm_str_c(COMPARING));
  hm_sha256_field(&h, hm_index_rules_digest(rules, a));
  for (size_t i = 0; i < rules->n_tolerances; i++) {
    const hm_tolerance *t = &rules->tolerances[i];
    hm_sha256_field(&h, t->slot);
    hm_sha256_field(&h, hm_str_fmt(a, "%a", t->value));
    hm_sha256_field(&h, t->unit);
  }
  digest_list(&h, rules->off, rules->n_off);
  return hm_sha256_hex(&h, a, 16);
}

/* --- rows to entries ----------------------------------------------------------------- */

/* The memory and results of one thread. */
typedef struct {
  hm_arena *scratch;
  hm_index_entries found;
} entry_worker;

typedef struct {
  const hm_snapshot *snap;
  const hm_claims *claims;
  const hm_rules *rules;
  const bool *only; /* rows; NULL: all */
  entry_worker *workers;
} entry_job;

/* Adds a value that is, or may become, the id of an entity. */
static void add_value_ids(entry_worker *w, const hm_claim *c, const hm_value *v, hm_str row) {
  for (size_t i = 0; i < v->n_items; i++)
    add_value_ids(w, c, &v->items[i], row);
  bool may = v->named.n || hm_value_may_be_id(v);
  hm_str id = may ? hm_value_parse_id(hm_value_undenied_raw(v)) : HM_EMPTY;
  if (id.n)
    hm_index_entries_add(&w->found,
                         (hm_index_entry){ hm_str_hash(id), hm_index_id_kind(c->layer), row });
}

/* The instants that a bound of the window may be, at the earliest and at the latest. */
static void add_bounds(entry_worker *w, const hm_window *window, hm_index_kind kind, hm_str row) {
  const hm_bound *bounds[] = { &window->begin, &window->end };
  for (int k = 0; k < 2; k++) {
    if (!bounds[k]->known)
      continue;
    hm_index_entries_add(&w->found, (hm_index_entry){ (uint64_t)bounds[k]->first, kind, row });
    if (bounds[k]->last != bounds[k]->first)
      hm_index_entries_add(&w->found, (hm_index_entry){ (uint64_t)bounds[k]->last, kind, row });
  }
}

/* Its slot; the ids that it claims; and once a window its bounds. */
static void add_claim_entries(const entry_job *j, entry_worker *w, size_t i) {
  const hm_claim *c = &j->claims->claims[i];
  if (j->only && !j->only[c->row])
    return;
  hm_str id = j->snap->rows[c->row].id;
  if (i >= j->claims->n) {
    uint64_t slot = hm_str_hash(hm_conflict_slot_key(w->scratch, j->snap, c));
    hm_index_entries_add(&w->found, (hm_index_entry){ slot, HM_INDEX_TOLD, id });
    return;
  }
  if (!i || c[-1].row != c->row || c[-1].when != c->when)
    add_bounds(w, c->when, hm_index_bound_kind(c->layer), id);
  uint64_t key = hm_str_hash(hm_conflict_slot_key(w->scratch, j->snap, c));
  hm_index_entries_add(&w->found, (hm_index_entry){ key, hm_index_claim_kind(c->layer), id });
  if (!c->space.n)
    add_value_ids(w, c, &c->value, id);
}

static void add_ids(entry_worker *w, const hm_str *ids, size_t n, hm_index_kind kind, hm_str row) {
  for (size_t i = 0; i < n; i++)
    hm_index_entries_add(&w->found, (hm_index_entry){ hm_str_hash(ids[i]), kind, row });
}

/* What it says the existence of, and the era that may say when that was. */
static void add_existence_entries(entry_worker *w, const hm_row *row) {
  hm_str ids[HM_RELATION_END_IDS];
  const hm_relation_kind outwards = { .subject = HM_SUBJECT_FROM };
  if (!hm_is_existence_relation(row->type))
    return;
  add_ids(w, ids, hm_relation_end_ids(row, &outwards, true, ids), HM_INDEX_EXISTS, row->id);
  add_ids(w, ids, hm_relation_end_ids(row, &outwards, false, ids), HM_INDEX_ERA, row->id);
}

/* Adds the bounds of inclusions, also if the outer place is unknown and the row claims nothing. */
static void add_nesting_bounds(const entry_job *j, entry_worker *w, const hm_row *row) {
  uint32_t i = (uint32_t)(row - j->snap->rows);
  const hm_world *world = hm_world_find_by_row(j->snap, j->rules->worlds, i, w->scratch);
  hm_str from, until;
  hm_window window;
  hm_relation_read_bounds(world, row, w->scratch, w->scratch, &from, &until);
  if (hm_window_parse(world, from, until, j->snap->now, &window) == HM_WINDOW_OK)
    add_bounds(w, &window, HM_INDEX_RELATION_BOUND, row->id);
}

/* Adds the ids on which its claims depend and, for a kind that nests, the inclusion and its
 * bounds. */
static void add_relation_entries(const entry_job *j, entry_worker *w, const hm_row *row) {
  const hm_relation_kind *k = hm_relation_kind_find(hm_config_relation_kinds(j->rules), row->type);
  hm_str ids[HM_RELATION_INPUTS];
  add_existence_entries(w, row);
  if (!k)
    return;
  size_t n = hm_relation_input_ids(j->snap, row, k, j->rules, ids);
  add_ids(w, ids, n, HM_INDEX_RELATION_ID, row->id);
  if (k->nests) {
    add_ids(w, ids, hm_relation_end_ids(row, k, true, ids), HM_INDEX_LIES_IN, row->id);
    add_nesting_bounds(j, w, row);
  }
  if (hm_relation_values_nest(k))
    add_ids(w, ids, hm_relation_end_ids(row, k, false, ids), HM_INDEX_HOLDS, row->id);
}

/* The type that it makes known or would exclude others by: of an entity whatever its status is. And
 * the ids of entities on which the slots of an entity or a relation depend. */
static void add_row_entries(const entry_job *j, entry_worker *w, size_t i) {
  const hm_row *row = &j->snap->rows[i];
  hm_str ids[HM_ELEMENTS_MAX], type = HM_EMPTY;
  if (j->only && !j->only[i])
    return;
  if (row->layer == HM_ENTITY || (row->layer == HM_STATE && row->status == HM_ACTIVE))
    type = hm_claim_input_type(row, w->scratch);
  hm_index_kind kind = row->layer == HM_ENTITY ? HM_INDEX_TYPE : HM_INDEX_CATEGORY;
  if (type.n)
    hm_index_entries_add(&w->found, (hm_index_entry){ hm_str_hash(type), kind, row->id });
  hm_time written;
  if (row->layer == HM_MEMORY && hm_parse_written_second(row->created_at, &written))
    hm_index_entries_add(&w->found,
                         (hm_index_entry){ (uint64_t)written, HM_INDEX_WRITTEN, row->id });
  uint64_t alike = hm_similar_row_key(row, w->scratch);
  if (alike)
    hm_index_entries_add(&w->found, (hm_index_entry){ alike, HM_INDEX_SIMILAR, row->id });
  if (row->status != HM_ACTIVE)
    return;
  if (row->layer == HM_RELATION)
    add_relation_entries(j, w, row);
  if (row->layer == HM_ENTITY)
    add_ids(w, ids, hm_claim_input_ids(row, ids, w->scratch), HM_INDEX_NAMES, row->id);
}

static int add_chunk_entries(void *ctx, size_t i, int worker) {
  const entry_job *j = ctx;
  entry_worker *w = &j->workers[worker];
  size_t n_claims = j->claims->n + j->claims->n_context;
  for (size_t k = i * CHUNK; k < n_claims && k < (i + 1) * CHUNK; k++)
    add_claim_entries(j, w, k);
  for (size_t k = i * CHUNK; k < j->snap->n_rows && k < (i + 1) * CHUNK; k++)
    add_row_entries(j, w, k);
  hm_arena_reset(w->scratch);
  return 0;
}

void hm_index_entries_collect(const hm_snapshot *snap, const hm_claims *claims,
                              const hm_rules *rules, const bool *only, hm_index_entries *out) {
  size_t n_claims = claims->n + claims->n_context,
         most = n_claims > snap->n_rows ? n_claims : snap->n_rows,
         chunks = (most + CHUNK - 1) / CHUNK, failed;
  int threads = chunks < 2 ? 1 : hm_par_cores();
  entry_worker *workers = hm_xmalloc((size_t)threads * sizeof *workers);
  for (int i = 0; i < threads; i++)
    workers[i] = (entry_worker){ .scratch = hm_arena_new() };
  hm_par_for(chunks, threads, add_chunk_entries, &(entry_job){ snap, claims, rules, only, workers },
             &failed);
  for (int i = 0; i < threads; i++) {
    for (size_t k = 0; k < workers[i].found.n; k++)
      hm_index_entries_add(out, workers[i].found.v[k]);
    free(workers[i].found.v);
    hm_arena_free(workers[i].scratch);
  }
  free(workers);
}

/* --- sets of slots, as hashes: gathered, then sorted, then searched ----------------------- */

void hm_slot_set_add(hm_slot_set *s, uint64_t hash) {
  s->v = hm_array_grow(s->v, s->n, &s->cap, sizeof *s->v);
  s->v[s->n++] = hash;
}

void hm_slot_set_add_all(hm_slot_set *s, const hm_slot_set *more) {
  for (size_t i = 0; i < more->n; i++)
    hm_slot_set_add(s, more->v[i]);
}

static int hash_order(const void *x, const void *y) {
  uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
  return (a > b) - (a < b);
}

void hm_slot_set_sort(hm_slot_set *s) {
  size_t n = 0;
  if (s->n)
    qsort(s->v, s->n, sizeof *s->v, hash_order);
  for (size_t i = 0; i < s->n; i++)
    if (!n || s->v[n - 1] != s->v[i])
      s->v[n++] = s->v[i];
  s->n = n;
}

bool hm_slot_set_has(const hm_slot_set *s, uint64_t hash) {
  return s->n && bsearch(&hash, s->v, s->n, sizeof *s->v, hash_order);
}

/* --- places that lie in places ----------------------------------------------------------------
 *
 * Outwards: what does a place lie in, which decides whether two values agree? Inwards: whose values
 * does a changed chain concern? Both follow entries of the index of the claims (claim_index.h), one
 * look-up a place and row. Circles end, as each row is met once. */

int hm_partial_want_outer(hm_store *s, hm_partial *p, const hm_row *relation, const hm_rules *rules,
                          hm_arena *a, hm_err *err) {
  hm_str ids[HM_RELATION_END_IDS];
  const hm_relation_kind *k =
      hm_relation_kind_find(hm_config_relation_kinds(rules), relation->type);
  size_t n = k && hm_relation_values_nest(k) ? hm_relation_end_ids(relation, k, false, ids) : 0;
  hm_row_keys around = { 0 };
  int rc = 0;
  for (size_t i = 0; i < n && !rc; i++)
    rc = hm_index_find_rows(s, hm_str_hash(ids[i]), HM_INDEX_LIES_IN, HM_INDEX_LIES_IN, SIZE_MAX, a,
                            &around, err);
  for (size_t i = 0; i < around.n && !rc; i++)
    hm_partial_want(p, around.v[i].layer, around.v[i].id);
  free(around.v);
  return rc;
}

/* The slots of this row, and the places that it says lie in something. */
static int take_row(hm_store *s, hm_row_key row, hm_slot_set *places, hm_slot_set *touched,
                    hm_arena *a, hm_err *err) {
  hm_index_entries e = { 0 };
  int rc = hm_index_read_row(s, row, a, &e, err);
  for (size_t i = 0; i < e.n && !rc; i++) {
    hm_row_keys rivals = { 0 };
    if (e.v[i].kind == HM_INDEX_LIES_IN)
      hm_slot_set_add(places, e.v[i].key);
    if (e.v[i].kind > HM_INDEX_STATE)
      continue;
    rc =
        hm_index_find_rows(s, e.v[i].key, HM_INDEX_RELATION, HM_INDEX_RELATION, 2, a, &rivals, err);
    if (rivals.n > 1)
      hm_slot_set_add(touched, e.v[i].key);
    free(rivals.v);
  }
  free(e.v);
  return rc;
}

int hm_slot_set_add_inner(hm_store *s, hm_slot_set *places, hm_slot_set *touched, hm_arena *a,
                          hm_err *err) {
  hm_map seen;
  int rc = 0;
  hm_map_init(&seen, a, 64);
  for (size_t i = 0; i < places->n && !rc; i++) {
    hm_row_keys inside = { 0 };
    rc = hm_index_find_rows(s, places->v[i], HM_INDEX_HOLDS, HM_INDEX_HOLDS, SIZE_MAX, a, &inside,
                            err);
    for (size_t k = 0; k < inside.n && !rc; k++) {
      size_t had = seen.n;
      hm_map_add(&seen, inside.v[k].id, 0);
      if (seen.n > had)
        rc = take_row(s, inside.v[k], places, touched, a, err);
    }
    free(inside.v);
  }
  return rc;
}
