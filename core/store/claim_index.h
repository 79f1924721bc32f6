/* The index of the claims: the tables claim_slots, claim_rows and claim_index of schema.sql, and no
 * knowledge of claims (see core/review/index_entries.h). All calls but hm_index_is_current need an
 * open transaction; calls that change the index need a write transaction. */
#ifndef HM_CLAIM_INDEX_H
#define HM_CLAIM_INDEX_H
#include "core/store/change_log.h"
#include "core/store/store.h"

/* What an entry says of its row, and what its key is; see schema.sql. */
typedef enum {
  HM_INDEX_RELATION = 0,
  HM_INDEX_MEMORY = 1,
  HM_INDEX_ENTITY = 2,
  HM_INDEX_STATE = 3, /* up to here: it claims */
  HM_INDEX_NAMES = 4,
  HM_INDEX_TYPE = 5,
  HM_INDEX_CATEGORY = 6,
  /* Not of a row: its id is a name that some row has, or had; see new_names.h. The key is 0. */
  HM_INDEX_PROJECT_NAME = 7,
  HM_INDEX_MEMORY_TYPE = 8,
  HM_INDEX_ENTITY_TYPE = 9,
  /* A bound of its window may be this instant; what it claims may depend on the entity of this id.
   */
  HM_INDEX_MEMORY_BOUND = 10,
  HM_INDEX_ENTITY_BOUND = 11,
  HM_INDEX_STATE_BOUND = 12,
  HM_INDEX_MEMORY_ID = 13,
  HM_INDEX_ENTITY_ID = 14,
  HM_INDEX_STATE_ID = 15,
  HM_INDEX_RELATION_ID = 16,
  HM_INDEX_RELATION_BOUND = 17,
  /* A relation: what this id names lies in something; something lies in what this id names. */
  HM_INDEX_LIES_IN = 18,
  HM_INDEX_HOLDS = 19,
  /* A memory: only a story reads what it says in this slot; it was written in this second. */
  HM_INDEX_TOLD = 20,
  HM_INDEX_WRITTEN = 21,
  /* An active memory: the key by which texts are alike (core/detect/similar_groups.h). */
  HM_INDEX_SIMILAR = 22,
  /* A relation: it says when what this id names existed; this id may be the era in which. */
  HM_INDEX_EXISTS = 23,
  HM_INDEX_ERA = 24
} hm_index_kind;

typedef struct { uint64_t key; hm_index_kind kind; hm_str id; } hm_index_entry;
typedef struct { hm_layer layer; hm_str id; } hm_row_key;

/* Is the key a slot's? */
bool hm_index_is_slot(hm_index_kind kind);
/* The kind of an entry by which a row of this layer claims, has a bound, depends on an id. */
hm_index_kind hm_index_claim_kind(hm_layer layer);
hm_index_kind hm_index_bound_kind(hm_layer layer);
hm_index_kind hm_index_id_kind(hm_layer layer);

/* Lists that grow. Begin with { 0 }; free v. */
typedef struct { hm_index_entry *v; size_t n, cap; } hm_index_entries;
typedef struct { hm_row_key *v; size_t n, cap; } hm_row_keys;
void hm_index_entries_add(hm_index_entries *l, hm_index_entry e);
void hm_row_keys_add(hm_row_keys *l, hm_row_key k);
/* By row, kind, key; each once. */
void hm_index_entries_sort(hm_index_entries *l);

/* Is the index built, by these rules (a digest; .p NULL: any), and does the change log say what it
 * has not taken in? False for a store of an older version, and for a foreign one. */
int hm_index_is_current(hm_store *s, hm_str rules, bool *current, hm_err *err);
/* The digest of the rules by which the recorded conflicts were compared, all of them; empty: by
 * several, or that is not known. Of a store of version 3. */
int hm_index_read_compare_digest(hm_store *s, hm_arena *a, hm_str *digest, hm_err *err);
int hm_index_set_compare_digest(hm_store *s, hm_str digest, hm_err *err);
/* Makes the index hold these entries and no others, marks it as built and stamps it. The order of
 * the entries may change. */
int hm_index_fill(hm_store *s, hm_index_entries *entries, hm_str rules, hm_err *err);

/* Adds all entries of a row, sorted, ids in a. */
int hm_index_read_row(hm_store *s, hm_row_key row, hm_arena *a, hm_index_entries *out, hm_err *err);
/* Makes `now` the entries of the rows whose entries were `before`; both are sorted. */
int hm_index_set_rows(hm_store *s, const hm_index_entries *before, const hm_index_entries *now,
                      hm_err *err);
/* Adds the rows of the entries with this key and a kind from `first` to `last`; at most `max` of
 * them; ids in a. */
int hm_index_find_rows(hm_store *s, uint64_t key, hm_index_kind first, hm_index_kind last,
                       size_t max, hm_arena *a, hm_row_keys *out, hm_err *err);

/* Is there an entity of this id, of whatever status? */
int hm_store_has_entity(hm_store *s, hm_str id, bool *has, hm_err *err);

/* Adds the rows with a bound from `first` to `last`, each as often as it has one; at most `max`. */
int hm_index_find_bounds(hm_store *s, hm_time first, hm_time last, size_t max, hm_arena *a,
                         hm_row_keys *out, hm_err *err);

/* --- the now of looks: now.c ------------------------------------------------------------------ */

/* The now of the last look (HM_TIME_MIN: none is known), and hm_store_now. */
int hm_now_passed(hm_store *s, hm_time *before, hm_time *now, hm_err *err);
/* Takes the changed rows into the newest time of all rows, and keeps hm_store_now as the now of the
 * last look. *before: that of the look before, *now: this one's; both may be NULL. Before
 * hm_index_set_stamp, or after hm_index_fill. */
int hm_now_update(hm_store *s, hm_time *before, hm_time *now, hm_err *err);

/* --- names, and what changed: claim_index.c --------------------------------------------------- */

/* Adds a name of one of the last three kinds. Nothing for one that is known or empty. */
int hm_index_add_name(hm_store *s, hm_index_kind kind, hm_str name, hm_err *err);
int hm_index_has_name(hm_store *s, hm_index_kind kind, hm_str name, bool *has, hm_err *err);
/* All of a kind, sorted, in a. */
int hm_index_list_names(hm_store *s, hm_index_kind kind, hm_arena *a, hm_str **out, size_t *n,
                   hm_err *err);

/* The rows that the change log has after the index's stamp, each once, at most `max`, ids in a;
 * layer 0: the slot key of a conflict that changed. */
int hm_index_read_changed_rows(hm_store *s, size_t max, hm_arena *a, hm_row_keys *out, hm_err *err);
/* The same after the stamp of another reader, without conflicts. *complete false: the log does not
 * say what changed, or projects did, or more than `max` rows; then a reader reads all. */
int hm_log_read_changed_rows(hm_store *s, const hm_log_stamp *stamp, size_t max, hm_arena *a,
                             hm_row_keys *out, bool *complete, hm_err *err);
/* Says that the index has taken in everything that the change log has, and prunes the log. Writes
 * nothing where it said so already. */
int hm_index_set_stamp(hm_store *s, hm_err *err);
#endif
