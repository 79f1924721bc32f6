/* A sweep of a few slots: claims, disputes and plan as a sweep of the whole store has them, at the
 * cost of the rows that claim in these slots. For core/review. */
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
  hm_map wanted[HM_RELATION + 1];   /* rows that may claim */
  const hm_rules *nesting;          /* not NULL: what the values of relations lie in is read, too */
  bool counts;                      /* says which seconds are crowded (row.h); else none is */
  const hm_row_keys *stale;         /* not NULL: rows that are not as the index has them, */
  const hm_index_entries *types;    /* and which of them have which type now, by key */
  const hm_index_entries *written;  /* and when they were written, by key; NULL: they are read */
  const hm_index_entries *exists;   /* and what they say the existence of, by key; likewise */
  hm_map is_stale;                  /* ids of entities among them */
  hm_map asked;                     /* types for which an entity was looked up */
} hm_claim_reader;

/* nesting, counts, stale, types, written and exists may be set after it. */
void hm_claim_reader_begin(hm_claim_reader *r, hm_store *s, bool details, hm_arena *a);
void hm_claim_reader_end(hm_claim_reader *r);
/* Asks for a row. */
void hm_claim_reader_want(hm_claim_reader *r, hm_layer layer, hm_str id);
/* The snapshot of the rows asked for, and the claims of these (free with hm_claims_free). Rows on
 * which others only depend (an entity that an element names, one of the type that a category names)
 * are in the snapshot with HM_STATUS_OTHER, so that they claim nothing. Relations that only say
 * what lies in what stay as they are, and claim in slots of which the other rows may be missing. */
int hm_claim_reader_read(hm_claim_reader *r, const hm_rules *rules, hm_snapshot **snap,
                         hm_claims **claims, hm_err *err);

/* --- the sweep ------------------------------------------------------------------------ */

typedef struct {
  const hm_slot_set *slots;     /* sorted */
  const hm_str *slot_keys;      /* of those whose conflicts are wanted in any case, each once */
  size_t n_slot_keys;
  const hm_row_keys *unindexed; /* rows that may claim there though the index does not say so; or
                                   NULL */
  const hm_row_keys *stale;     /* rows that are not as the index has them but claim in none of the
                                   slots, then or now; or NULL */
  const hm_index_entries *types, *written, *exists; /* with stale: those of hm_pending */
  bool details;                 /* for showing: details, and the rows of recorded members */
  hm_str at;                    /* detected_at of new conflicts */
} hm_slot_sweep_options;

/* Inside a transaction; nothing is recorded. Findings: none. The snapshot has the rows that this
 * takes, and the conflicts of all statuses of slots in which a row claims or that are named, or
 * that have a claim in dispute as a member. claims may hold some of other slots. Free with
 * hm_sweep_free; lives in a. */
int hm_sweep_slots(hm_store *s, const hm_rules *rules, const hm_slot_sweep_options *opt,
                   hm_arena *a, hm_sweep *out, hm_err *err);
/* The same over all slots; also where a rule of the table yields conflicts and does not read by
 * slot, since a sweep of slots cannot tell of these. */
int hm_sweep_all_slots(hm_store *s, const hm_rules *rules, bool details, hm_str at, hm_arena *a,
                       hm_sweep *out, hm_err *err);
#endif
