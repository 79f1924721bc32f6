/* What the verbs that write rows share: opening, and saying what was written. */
#ifndef HM_WRITE_VERB_H
#define HM_WRITE_VERB_H
#include "core/review/write.h"
#include "gen/cli/cli.h"

/* --notes and --dry-run, for tables of options. */
#define HM_WRITE_OPTIONS \
  { "notes", 0, "TEXT", "why, for the journal" }, \
  { "dry-run", 'n', NULL, "write nothing; say what would be written and contradicted" }

typedef int hm_write_fn(void *ctx, hm_store *s, const hm_review *r, hm_arena *a, hm_written *out,
                        hm_err *err);
/* Opens the store, calls fn and shows the answer; done: "added", what it is called when it was not
 * a dry run. */
int hm_write_verb(hm_cli *cli, hm_write_fn *fn, void *ctx, const char *done);
#endif
