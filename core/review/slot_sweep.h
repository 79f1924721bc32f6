/* A sweep of a few slots: its claims, disputes and plan equal those of a sweep of the whole store.
 * The cost depends on the rows with claims in these slots. For core/review. */
#ifndef HM_SLOT_SWEEP_H
#define HM_SLOT_SWEEP_H
#include "core/detect/sweep.h"
#include "core/review/index_entries.h"
#include "core/store/claim_index.h"
#include "core/store/partial_snapshot.h"

/* --- claims of a few rows ------------------------------------------------------------ */

/* Reads some rows and everything that their claims depend on. */
typedef struct {
  hm_store *s;
  hm_arena *a;
  hm_partial *partial;
  hm_map wanted[HM_RELATION + 1];  /* rows that may have claims */
  const hm_rules *nesting;         /* not NULL: also read what the values of relations lie in */
  bool counts;                     /* find the crowded seconds (row.h); else none is */
  const hm_row_keys *stale;        /* not NULL: rows that changed since the index was updated, */
  const hm_index_entries *types;   /* and their types now, by key */
  const hm_index_entries *written; /* and when they were written, by key; NULL: read them */
  const hm_index_entries *exists;  /* and of what they say the existence, by key; likewise */
  hm_map is_stale;                 /* ids of entities among them */
  hm_map asked;                    /* types looked up so far */
} hm_claim_reader;

/* Set nesting, counts, stale, types, written and exists afterwards. */
void hm_claim_reader_begin(hm_claim_reader *r, hm_store *s, bool details, hm_arena *a);
void hm_claim_reader_end(hm_claim_reader *r);
/* Requests a row. */
void hm_claim_reader_want(hm_claim_reader *r, hm_layer layer, hm_str id);
/* Reads the snapshot of the requested rows and their claims (free with hm_claims_free). Rows on
 * which these only depend (an entity that an element names, one of the type that a category names)
 * have HM_STATUS_OTHER in the snapshot, so that they claim nothing. Relations that only say what
 * lies in what stay as they are; other rows of their slots may be missing. */
int hm_claim_reader_read(hm_claim_reader *r, const hm_rules *rules, hm_snapshot **snap,
                         hm_claims **claims, hm_err *err);

/* --- the sweep ------------------------------------------------------------------------ */

typedef struct {
  const hm_slot_set *slots; /* sorted */
  const hm_str *slot_keys;  /* distinct keys of slots whose conflicts to read in any case */
  size_t n_slot_keys;
  const hm_row_keys *unindexed; /* rows that may have claims there though the index lacks them; or
                                 * NULL */
  const hm_row_keys *stale;     /* rows that changed since the index was updated, but have no claims
                                 * in the slots, before or now; or NULL */
  const hm_index_entries *types, *written, *exists; /* with stale: those of hm_pending */
  bool details; /* for display: details, and the rows of recorded members */
  hm_str at;    /* detected_at of new conflicts */
} hm_slot_sweep_options;

/* Call inside a transaction; it records nothing and makes no findings. The snapshot has the needed
 * rows, and the conflicts, of all statuses, of slots in which a row has a claim or that are named,
 * or with a disputed claim as a member. claims may include other slots. Free with hm_sweep_free;
 * lives in a. */
int hm_sweep_slots(hm_store *s, const hm_rules *rules, const hm_slot_sweep_options *opt,
                   hm_arena *a, hm_sweep *out, hm_err *err);
/* The same over all slots. Use it also if a rule of the table yields conflicts and does not read by
 * slot, since a sweep of slots misses these. */
int hm_sweep_all_slots(hm_store *s, const hm_rules *rules, bool details, hm_str at, hm_arena *a,
                       hm_sweep *out, hm_err *err);
#endif
