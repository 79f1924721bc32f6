/* One version of the store in memory: the sweep of a process that runs on, shared by its readers
 * and made again when the store changes. Thread-safe. */
#ifndef HM_HELD_H
#define HM_HELD_H
#include "core/sweep/sweep.h"
#include "core/recall/answer.h"

/* The holder of a process, and a sweep that somebody uses. */
typedef struct hm_held hm_held;
typedef struct hm_held_sweep {
  hm_sweep sweep;        /* with details */
  hm_recaller *recaller; /* of its rows, from the first question on: who asks makes it, one at a
                          * time; NULL: none yet */
  /* for hm_held */
  hm_arena *a;
  uint64_t version;   /* hm_facts_version */
  const hm_store *of; /* a foreign store's version is that of this connection; else NULL */
  int users;
} hm_held_sweep;

hm_held *hm_held_new(const hm_rules *rules);
/* Call it when all sweeps have been returned. NULL is allowed. */
void hm_held_free(hm_held *h);
/* The sweep of the state that the open transaction of s reads: the held one, or a new one, for
 * which other callers wait. Return it. Takes the memory of a sweep; two while a new one is made.
 * Errors: those of hm_sweep_run_all. */
int hm_held_take(hm_held *h, hm_store *s, hm_held_sweep **out, hm_err *err);
/* Makes the index of its rows that are alike (core/recall/alike.h), once, while others wait. */
void hm_held_index(hm_held *h, hm_held_sweep *x);
/* The sweep that is held, of whatever state; NULL: none. Return it. */
hm_held_sweep *hm_held_last(hm_held *h);
void hm_held_return(hm_held *h, hm_held_sweep *x); /* NULL is allowed */
/* Holds a sweep with details that a writer recorded, w->version, of the state that its transaction
 * then committed; takes over its memory, a. The held one, to be returned. */
hm_held_sweep *hm_held_give(hm_held *h, hm_sweep *w, hm_arena *a);
#endif
