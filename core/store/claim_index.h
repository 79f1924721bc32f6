/* The index of the claims: the tables claim_slots, claim_rows and claim_index of schema.sql. Knows
 * nothing of claims (see core/review/index_entries.h). All calls but hm_index_is_current need an
 * open transaction; calls that change the index need a write transaction. */
#ifndef HM_CLAIM_INDEX_H
#define HM_CLAIM_INDEX_H
#include "core/store/change_log.h"
#include "core/store/store.h"

/* What an entry says of its row, and what its key means; see schema.sql. */
typedef enum {
  HM_INDEX_RELATION = 0,
  HM_INDEX_MEMORY = 1,
  HM_INDEX_ENTITY = 2,
  HM_INDEX_STATE = 3, /* up to here: the row makes a claim */
  HM_INDEX_NAMES = 4,
  HM_INDEX_TYPE = 5,
  HM_INDEX_CATEGORY = 6,
  /* These three belong to no row: the id is a name that some row has or had; see new_names.h. The
   * key is 0. */
  HM_INDEX_PROJECT_NAME = 7,
  HM_INDEX_MEMORY_TYPE = 8,
  HM_INDEX_ENTITY_TYPE = 9,
  /* BOUND: a bound of the row's window may be this instant. ID: the row's claims may depend on the
   * entity with this id. */
  HM_INDEX_MEMORY_BOUND = 10,
  HM_INDEX_ENTITY_BOUND = 11,
  HM_INDEX_STATE_BOUND = 12,
  HM_INDEX_MEMORY_ID = 13,
  HM_INDEX_ENTITY_ID = 14,
  HM_INDEX_STATE_ID = 15,
  HM_INDEX_RELATION_ID = 16,
  HM_INDEX_RELATION_BOUND = 17,
  /* Relations: the place of this id lies in another; another place lies in it. */
  HM_INDEX_LIES_IN = 18,
  HM_INDEX_HOLDS = 19,
  /* Memories. TOLD: only a story reads its claim in this slot. WRITTEN: the second in which it was
   * written. */
  HM_INDEX_TOLD = 20,
  HM_INDEX_WRITTEN = 21,
  /* Active memories: a key of similar texts (core/detect/similar_groups.h). */
  HM_INDEX_SIMILAR = 22,
  /* Relations: it says when the entity of this id existed; this id may be the era in which. */
  HM_INDEX_EXISTS = 23,
  HM_INDEX_ERA = 24
} hm_index_kind;

typedef struct {
  uint64_t key;
  hm_index_kind kind;
  hm_str id;
} hm_index_entry;
typedef struct {
  hm_layer layer;
  hm_str id;
} hm_row_key;

/* Is the key of such an entry a slot? */
bool hm_index_is_slot(hm_index_kind kind);
/* The kind of the entries for a claim, a bound, an id of a row of this layer. */
hm_index_kind hm_index_claim_kind(hm_layer layer);
hm_index_kind hm_index_bound_kind(hm_layer layer);
hm_index_kind hm_index_id_kind(hm_layer layer);

/* Growing lists. Initialize with { 0 }; the caller frees v. */
typedef struct {
  hm_index_entry *v;
  size_t n, cap;
} hm_index_entries;
typedef struct {
  hm_row_key *v;
  size_t n, cap;
} hm_row_keys;
void hm_index_entries_add(hm_index_entries *l, hm_index_entry e);
void hm_row_keys_add(hm_row_keys *l, hm_row_key k);
/* Sorts by row, kind, key and removes duplicates. */
void hm_index_entries_sort(hm_index_entries *l);

/* Was the index built by these rules (a digest; .p NULL: any), and does the change log name all
 * changes since? False for a store of an older version and for a foreign one. */
int hm_index_is_current(hm_store *s, hm_str rules, bool *current, hm_err *err);
/* The digest of the rules by which all recorded conflicts were compared; empty if several or
 * unknown. Needs a store of version 3. */
int hm_index_read_compare_digest(hm_store *s, hm_arena *a, hm_str *digest, hm_err *err);
int hm_index_set_compare_digest(hm_store *s, hm_str digest, hm_err *err);
/* Replaces the whole index by these entries, marks it as built and stamps it. May reorder
 * entries. */
int hm_index_fill(hm_store *s, hm_index_entries *entries, hm_str rules, hm_err *err);

/* Adds all entries of a row, sorted, ids in a. */
int hm_index_read_row(hm_store *s, hm_row_key row, hm_arena *a, hm_index_entries *out, hm_err *err);
/* Replaces the entries `before` of some rows by `now`; both sorted. */
int hm_index_set_rows(hm_store *s, const hm_index_entries *before, const hm_index_entries *now,
                      hm_err *err);
/* Adds the rows of the entries with this key and a kind from `first` to `last`, at most `max`; ids
 * in a. */
int hm_index_find_rows(hm_store *s, uint64_t key, hm_index_kind first, hm_index_kind last,
                       size_t max, hm_arena *a, hm_row_keys *out, hm_err *err);

/* Is there an entity with this id, of any status? */
int hm_store_has_entity(hm_store *s, hm_str id, bool *has, hm_err *err);

/* Adds the rows with a bound from `first` to `last`, once per bound, at most `max`. */
int hm_index_find_bounds(hm_store *s, hm_time first, hm_time last, size_t max, hm_arena *a,
                         hm_row_keys *out, hm_err *err);

/* --- the now of index updates: now.c ---------------------------------------------------------- */

/* Reads the now of the last index update (HM_TIME_MIN: not known), and hm_store_now. */
int hm_now_passed(hm_store *s, hm_time *before, hm_time *now, hm_err *err);
/* Includes the changed rows in the newest time of all rows and records hm_store_now as the now of
 * this update. *before: that of the update before, *now: of this one; both may be NULL. Call before
 * hm_index_set_stamp or after hm_index_fill. */
int hm_now_update(hm_store *s, hm_time *before, hm_time *now, hm_err *err);

/* --- names, and what changed: claim_index.c --------------------------------------------------- */

/* Adds a name of kind PROJECT_NAME, MEMORY_TYPE or ENTITY_TYPE. Ignores a known or empty name. */
int hm_index_add_name(hm_store *s, hm_index_kind kind, hm_str name, hm_err *err);
int hm_index_has_name(hm_store *s, hm_index_kind kind, hm_str name, bool *has, hm_err *err);
/* All of a kind, sorted, in a. */
int hm_index_list_names(hm_store *s, hm_index_kind kind, hm_arena *a, hm_str **out, size_t *n,
                        hm_err *err);

/* Reads the rows in the change log after the index's stamp, each once, at most `max`, ids in a.
 * Layer 0: id is the slot key of a conflict that changed. */
int hm_index_read_changed_rows(hm_store *s, size_t max, hm_arena *a, hm_row_keys *out, hm_err *err);
/* The same after the stamp of another reader, without conflicts. *complete false: the log does not
 * know all changes, projects changed, or more than `max` rows did; then the reader must read
 * all. */
int hm_log_read_changed_rows(hm_store *s, const hm_log_stamp *stamp, size_t max, hm_arena *a,
                             hm_row_keys *out, bool *complete, hm_err *err);
/* Marks the index as current with the change log and prunes the log. Writes nothing if it was
 * marked so already. */
int hm_index_set_stamp(hm_store *s, hm_err *err);
#endif
