/* Shared by the files of writes beside a held sweep: what is held, and one search. beside_part.c
 * reads what a search needs, beside.c the rest. */
#ifndef HM_BESIDE_IMPL_H
#define HM_BESIDE_IMPL_H
#include "core/sweep/beside.h"

/* A row that was written since the base was swept, and the slots in which it claims. */
typedef struct {
  hm_row_name name;
  hm_time second; /* of a memory, in which it was written */
  bool written;   /* second is known */
  hm_time stands; /* of what it claims (core/claim/claim.h) */
  uint64_t *slots;
  hm_str *keys;
  size_t n_slots;
  uint64_t version; /* of the store, after it was written last */
  hm_str names;     /* the texts by which it could name an entity */
} hm_newer_row;

/* A slot in which conflicts were found, and the version of the store then. */
typedef struct {
  hm_str key;
  uint64_t version;
} hm_found_slot;

/* A conflict that was opened or changed since. */
typedef struct {
  hm_conflict_rec rec;
  uint64_t version;
} hm_newer_conflict;

struct hm_beside {
  hm_held *held;
  const hm_rules *rules;
  size_t least;
  hm_held_sweep *base;
  uint64_t version; /* of the store, of which all is known; 0: a sweep is needed */
  uint64_t *slots;  /* of the base's claims, context too: their hashes */
  uint64_t *seconds;
  size_t n_seconds; /* when its memories were written, sorted, as unsigned numbers */
  hm_time *crowded;
  size_t n_crowded;
  hm_time now; /* of the store */
  hm_arena *a; /* of all below: what was written since */
  hm_newer_row *rows;
  size_t n, cap;
  hm_map of; /* "kind:id" -> index in rows */
  hm_newer_conflict *conflicts;
  size_t n_conflicts, cap_conflicts;
  hm_map conflict_of; /* id -> index in conflicts */
  hm_found_slot *found;
  size_t n_found, cap_found;
  hm_belongs *belongs; /* of the base, from the first dispute on; or NULL */
};

/* --- one search ------------------------------------------------------------------------------- */

/* What the written rows change in their slots. */
typedef struct hm_beside_search {
  hm_beside *b;
  hm_store *s;
  const hm_snapshot *base;
  const hm_row_name *written;
  size_t n_written;
  hm_snapshot *now;  /* the written rows as they are now */
  hm_claims *claims; /* and what they claim */
  hm_time *crowded;  /* seconds, with those that they make so */
  size_t n_crowded;
  hm_time *crossing; /* these */
  size_t n_crossing;
  uint64_t *slots; /* touched: sorted hashes */
  size_t n_slots, cap_slots;
  hm_map keys; /* their slot keys */
  hm_str *key_list;
  size_t n_keys, cap_keys;
  /* The rows that are read again: those of the base by number, the others by name. */
  uint32_t *old;
  size_t n_old, cap_old;
  hm_row_name *newer;
  size_t n_newer, cap_newer;
  hm_map wanted; /* "kind:id" of both */
  hm_snapshot *part;
  hm_arena *a;
  hm_err *err;
} hm_beside_search;

/* Borrows all; lives in a. */
hm_beside_search hm_beside_search_of(hm_beside *b, hm_store *s, const hm_row_name *written,
                                     size_t n, hm_arena *a, hm_err *err);
/* Reads the written rows and what they claim. *may false: only a sweep can tell what they change.
 */
int hm_beside_read_written(hm_beside_search *f, bool *may);
/* Then all rows of the slots in which they claim or claimed, as out->snap, and what these claim
 * there. */
int hm_beside_read_slots(hm_beside_search *f, hm_sweep *out, bool *may);
/* What was kept of this row, or NULL. */
static inline hm_newer_row *hm_beside_newer_row(const hm_beside_search *f, hm_row_name n) {
  uint32_t i = f->b->n ? hm_map_get(&f->b->of, hm_ref_text(f->a, n.layer, n.id)) : HM_MAP_NONE;
  return i == HM_MAP_NONE ? NULL : &f->b->rows[i];
}
/* May this written row, an entity, be found beside the base? Cost: one pass over its rows.
 * beside_entity.c. */
bool hm_beside_takes_entity(const hm_beside_search *f, const hm_row *r);
/* The texts by which the row could name an entity, in a. */
hm_str hm_beside_names_of(const hm_row *r, hm_arena *a);

/* As unsigned numbers times are in their order when the sign is the other way round. */
static inline uint64_t hm_time_as_number(hm_time t) { return (uint64_t)t ^ UINT64_C(1) << 63; }
#endif
