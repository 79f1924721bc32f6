/* The parameters of a write, and conflict detection during it. After hm_write_check_end the
 * recorded conflicts and findings are those of a sweep, also after earlier changes by other
 * programs. */
#ifndef HM_WRITE_CHECK_H
#define HM_WRITE_CHECK_H
#include "core/value/rules.h"
#include "core/sweep/beside.h"
#include "core/sweep/sweep.h"
#include "core/store/store.h"

/* --- parameters of every write of a person or an agent --------------------------------------- */

/* Who decided an imported verdict, and when; empty: not known. */
typedef struct {
  hm_str by, at;
} hm_decided;

struct hm_shared_find; /* write.h */

typedef struct {
  const hm_rules *rules;
  hm_actor who; /* at: the time of the write, as data */
  bool dry_run; /* do everything, then roll back */
  const hm_decided
      *decided; /* for an imported verdict, replaces who; its reason may be missing. Else NULL */
  struct hm_shared_find *shared; /* NULL: the write finds for itself; else see hm_shared_find_new */
  bool swept_later; /* a verdict inside the caller's transaction: the caller sweeps afterwards */
  const hm_sweep *look; /* with swept_later: a sweep by which to judge, with details; NULL: none */
} hm_review;

/* Ends the transaction of a write if it is mine: commits if rc is 0 and it is no dry run, else
 * rolls back. Returns rc, or -1 if the commit fails. */
int hm_review_end(hm_store *s, const hm_review *r, bool mine, int rc, hm_err *err);

/* Reads the notes or the reason of a decision into *out, trimmed, in a. HM_E_INPUT with
 * hm_err.field: longer than HM_NOTES_MAX; without a letter or digit; where it is needed, missing.
 */
enum { HM_NOTES_MAX = 64 * 1024 }; /* bytes */
int hm_review_read_reason(hm_str given, const char *field, bool needed, hm_arena *a, hm_str *out,
                          hm_err *err);

/* Records what a sweep finds now, unless what is recorded holds. Inside a write transaction. */
int hm_review_record(hm_store *s, const hm_review *r, hm_arena *a, hm_err *err);

/* --- the check ------------------------------------------------------------------------------- */

typedef struct hm_write_check hm_write_check;

/* Call inside an open write transaction, before the first row changes. Notes what is disputed and
 * found: as recorded, or where that does not hold (core/store/swept.h) by a sweep. Free *out with
 * hm_write_check_end or hm_write_check_free. */
int hm_write_check_begin(hm_store *s, const hm_rules *rules, hm_arena *a, hm_write_check **out,
                         hm_err *err);
/* The same in a process that holds a sweep: where that holds, hm_write_check_end_beside may do
 * without another one. */
int hm_write_check_begin_beside(hm_store *s, const hm_rules *rules, hm_beside *beside, hm_arena *a,
                                hm_write_check **out, hm_err *err);
/* The same without noting anything, for a write after which the caller sweeps. before: what
 * hm_write_check_before gives; NULL: it sweeps. */
hm_write_check *hm_write_check_new(hm_store *s, const hm_rules *rules, const hm_sweep *before,
                                   hm_arena *a);
/* A sweep of the store, with details, as it was at hm_write_check_begin. Call it before the first
 * row changes. *out lives as long as the check. */
int hm_write_check_before(hm_write_check *t, const hm_sweep **out, hm_err *err);
void hm_write_check_free(hm_write_check *t);

/* A conflict that hm_write_check_end records is journaled by the writer of a row of it, if it is
 * one of these. Borrows them. */
void hm_write_check_set_writers(hm_write_check *t, const hm_row_writer *writers, size_t n);
/* The transaction is rolled back in the end: hm_write_check_end records nothing. */
void hm_write_check_try(hm_write_check *t);

typedef struct {
  hm_sweep sweep; /* of the store after the write; free with hm_sweep_free */
  hm_str *opened;
  size_t n_opened; /* ids of conflicts that this write opened, by slot key */
  hm_str *quieted;
  size_t n_quieted; /* open conflicts that are no longer disputed and now await sign-off; not those
                     * whose members disagree in another conflict now */
  hm_str *revived;
  size_t n_revived; /* open conflicts that awaited sign-off and are disputed again by this write */
  const hm_finding **appeared;
  size_t n_appeared; /* findings that were not there before */
  const hm_finding **vanished;
  size_t n_vanished; /* and those that are gone */
  bool pending;      /* found beside a held sweep: only the conflicts in the slots of the written
                      * rows, and findings about these. `sweep` has these slots only */
} hm_write_result;

/* Call after the rows changed, before commit. Sweeps, and records conflicts (journaled by who) and
 * findings; people's rules in SQL do not run here, and their findings stay as they are recorded. A
 * conflict or finding that earlier changes of others caused is recorded, but not in the lists.
 * Frees t; out lives in the arena of hm_write_check_begin. */
int hm_write_check_end(hm_write_check *t, const hm_actor *who, hm_write_result *out, hm_err *err);
/* The same after hm_write_check_begin_beside. changed: the only rows that changed; NULL: not known.
 */
int hm_write_check_end_beside(hm_write_check *t, const hm_row_name *changed, size_t n,
                              const hm_actor *who, hm_write_result *out, hm_err *err);
/* After the commit: people's rules in SQL (hm_sweep_finish). a: of the check. */
void hm_write_finish(hm_store *s, const hm_review *r, hm_sweep *w, hm_arena *a);
#endif
