/* Compares a commit of the mirror with the site that the store gives today, and the store's journal
 * with the one that the commits saw. Writes nothing. */
#ifndef HM_VERIFY_COMMIT_H
#define HM_VERIFY_COMMIT_H
#include "core/base/err.h"
#include "core/record/journal.h"
#include "gen/sink/git_read.h"
#include "gen/site/site.h"

/* --- files ------------------------------------------------------------------------------------ */

typedef enum { HM_DRIFT_CHANGED, HM_DRIFT_MISSING, HM_DRIFT_EXTRA, HM_DRIFT_MODE } hm_drift_kind;
const char *hm_drift_name(hm_drift_kind k); /* changed | missing | extra | mode */

/* missing: in the site, not in the commit; extra: the other way round. mode: the same bytes, but no
 * plain file. */
typedef struct {
  hm_str path;
  hm_drift_kind kind;
} hm_drift_file;

/* A possible reason for a difference: a value that the newest publication at or before the commit
 * recorded, and the value now. */
typedef struct {
  const char *what;
  hm_str then, now;
} hm_drift_reason; /* "store", "time", "tool", "rules", "templates" */

typedef struct {
  char commit[41];
  hm_drift_file *files;
  size_t n; /* by path */
  hm_drift_reason *reasons;
  size_t n_reasons;
  char published[41]; /* the newest publication at or before the commit (first parents); "": none */
  size_t by_hand;     /* commits that came after it */
} hm_drift;

typedef struct {
  const hm_site *site;
  /* As a publication now would write them into trailers and manifest. */
  hm_str snapshot, now, tool, rules, templates;
  const char *const *keep;
  size_t n_keep; /* publish.keep: paths of the commit to ignore */
  int threads;
} hm_drift_input;

/* Compares ids of blobs: hashes the site's bytes, does not read the commit's. Linear in the site.
 * Errors: those of the reader. commit: from hm_git_resolve. */
int hm_drift_compare(hm_git_reader *g, const char *commit, const hm_drift_input *in, hm_arena *a,
                     hm_drift *out, hm_err *err);

/* --- the journal ------------------------------------------------------------------------------ */

/* Compares the trailers Mirror-Store and Mirror-Journal of each commit with the store
 * (core/record/journal.h). */

/* A commit that names the last line of its store's journal. */
typedef struct {
  char commit[41];
  int64_t when; /* as in hm_git_commit */
  hm_str store, head;
  int64_t seq;
  hm_journal_seen seen; /* of this store's own */
} hm_seen_commit;

/* The commits that saw another store, counted by its id. */
typedef struct {
  hm_str store;
  size_t n;
  char newest[41];
} hm_other_store;

typedef struct {
  hm_journal_proof proof; /* of the journal as it stands */
  hm_seen_commit *commits;
  size_t n;                      /* that saw this store, newest first */
  size_t same;                   /* how many of them saw a line that is unchanged */
  int64_t seen_to;               /* the last line that any of them saw */
  const hm_seen_commit *changed; /* the oldest commit that contradicts the journal, or NULL */
  int64_t from; /* then the first line that may have changed: commits before `changed`
                   confirm the lines before it */
  const hm_seen_commit *witness; /* with proof.bad: the oldest commit that saw that line, or NULL */
  hm_other_store *others;
  size_t n_others; /* by newest commit, newest first */
} hm_seen_journal;

/* True when every line that commits of this store saw is unchanged, the chain is whole, and no
 * commit saw another store. */
bool hm_seen_journal_is_intact(const hm_seen_journal *j);

/* Walks from commit along first parents, and reads the journal once. In a. Errors: those of the
 * reader and of the store. */
int hm_seen_journal_compare(hm_git_reader *g, const char *commit, hm_store *s, hm_arena *a,
                            hm_seen_journal *out, hm_err *err);
#endif
