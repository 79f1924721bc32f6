/* Is the journal of this store the one that the commits of a branch saw? The trailers Mirror-Store
 * and Mirror-Journal of each commit, held against the store (core/store/journal.h). */
#ifndef HM_CHECK_SEEN_JOURNAL_H
#define HM_CHECK_SEEN_JOURNAL_H
#include "core/store/journal.h"
#include "gen/sink/git_read.h"

/* A commit that says where the journal of its store stood. */
typedef struct {
  char commit[41];
  int64_t when;              /* as in hm_git_commit */
  hm_str store, head;
  int64_t seq;
  hm_journal_seen seen;              /* of this store's own */
} hm_seen_commit;

/* The commits that saw another store, counted by its id. */
typedef struct { hm_str store; size_t n; char newest[41]; } hm_other_store;

typedef struct {
  hm_journal_proof proof;    /* of the journal as it stands */
  hm_seen_commit *commits; size_t n;           /* that saw this store, newest first */
  size_t same;               /* of them, whose line is as they saw it */
  int64_t seen_to;           /* the last line that one of them saw */
  const hm_seen_commit *changed; /* the oldest commit to which the journal does not fit, or NULL */
  int64_t from;              /* then the first line that may be another one: those before it are
                                as commits before `changed` saw them */
  const hm_seen_commit *witness; /* with proof.bad: the oldest commit that saw that line, or NULL */
  hm_other_store *others; size_t n_others;     /* by newest commit, newest first */
} hm_seen_journal;

/* Nothing speaks against it: what commits of this store saw is there as it was, the chain fits to
 * its end, and no commit saw another store. */
bool hm_seen_journal_whole(const hm_seen_journal *j);

/* Walks from commit along first parents, and the journal once. In a. Errors: those of the reader
 * and of the store. */
int hm_seen_journal_of(hm_git_reader *g, const char *commit, hm_store *s, hm_arena *a,
                       hm_seen_journal *out, hm_err *err);
#endif
