/* What `redact` looks for outside the store, and what it says. */
#ifndef HM_CLI_REDACT_H
#define HM_CLI_REDACT_H
#include "core/review/redact.h"
#include "gen/cli/out.h"
#include "gen/sink/git_search.h"

/* The values as they may stand in a file: bare, in Markdown, HTML, JSON, a link, a commit message, a slot's name, a file's
 * name; and as pages and messages cut them. value_limit: of the config. Of a value over HM_REDACT_WHOLE bytes so many
 * from its beginning count as all of it. */
enum { HM_REDACT_WHOLE = 1000 };
void hm_redact_forms(const hm_needles *values, size_t value_limit, hm_arena *a, hm_needles *out);

/* A file holds one of them. False too when it cannot be read. */
bool hm_redact_file_holds(const char *path, const hm_needles *forms);
/* Backups beside the store ("<store>*.bak") that hold one of them, sorted, in a. */
size_t hm_redact_backups(hm_arena *a, const char *store, const hm_needles *forms, hm_str **out);

typedef struct {
  const hm_redacted *done;
  bool dry_run;
  bool remains;                           /* the store's own file holds it, though no other row does */
  hm_str *backups; size_t n_backups;
  const char *repo, *branch;
  bool has_mirror;                        /* the repository and the branch are there, and were searched */
  char tip[41];
  hm_git_hits hits;
} hm_redact_report;

/* Exit code, or -1. The value is in none of it. */
int hm_redact_tell(hm_cli *cli, const hm_redact_report *r);
#endif
