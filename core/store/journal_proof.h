/* Is this journal the one whose hashes somebody noted? For publish.journal and verify.
 *
 * A hash covers its line and all lines before it, so whoever knows number and hash of a line
 * can tell whether all of them are what they were. A store gets an id when that is first asked
 * for, by a line of the journal: a copy of the file has the same one, an export has none. */
#ifndef HM_JOURNAL_PROOF_H
#define HM_JOURNAL_PROOF_H
#include "core/store/store.h"

typedef struct {
  hm_str store;             /* 32 hex digits, in the arena; empty: the journal names no store yet */
  int64_t seq;              /* of the last line; 0: there is none */
  char head[65];            /* its hash */
} hm_journal_stand;
/* Where the journal stands. Reads one or two lines. */
int hm_journal_stand_of(hm_store *s, hm_arena *a, hm_journal_stand *out, hm_err *err);

typedef struct {
  int64_t salted;           /* so many lines of before version 9 got a salt; hashes from the first
                               of them on were made anew */
  int64_t broken;           /* the first line that did not fit before that, or 0 */
} hm_journal_begun;
/* The same after it gave the store an id, if it had none: in a write transaction, of its own where
 * none is open. From then on no hash is made anew. Cost: once all lines. */
int hm_journal_begin(hm_store *s, const hm_actor *who, hm_arena *a, hm_journal_stand *out,
                     hm_journal_begun *begun, hm_err *err);

typedef enum {
  HM_SEEN_SAME,
  HM_SEEN_OTHER,            /* that line has another hash, or there is none of this number */
  HM_SEEN_LATER             /* the journal ends before that line */
} hm_journal_seen;
/* A line that somebody saw, by number and hash; head is borrowed. */
typedef struct { int64_t seq; hm_str head; hm_journal_seen seen; } hm_journal_sight;

typedef struct { int64_t from, to; hm_str at, by, why; } hm_journal_redaction;

typedef struct {
  hm_str store;             /* as above */
  int64_t lines, last;      /* how many; number of the last one */
  int64_t bad;              /* the first line that does not fit its chain, or 0 */
  int64_t missing;          /* the first missing line, if bad comes after a gap; else 0 */
  hm_journal_redaction *redactions; size_t n_redactions;   /* in the order in which they were made;
                                                               in the arena */
} hm_journal_proof;
/* Checks the chain as hm_journal_verify does, and fills seen of each sight; these come sorted by
 * seq. One pass over the journal. -1 only when the store cannot be read. */
int hm_journal_prove(hm_store *s, hm_journal_sight *sights, size_t n, hm_arena *a,
                     hm_journal_proof *out, hm_err *err);
#endif
