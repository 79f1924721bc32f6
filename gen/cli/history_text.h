/* What `log` and `diff` share: the branch of the mirror, and its commits in text. */
#ifndef HM_HISTORY_TEXT_H
#define HM_HISTORY_TEXT_H
#include "gen/cli/out.h"
#include "gen/history/history.h"

typedef struct {
  const char *repo, *branch;
  hm_git_reader *git;
  hm_history *history;
  char tip[41];
} hm_branch;

/* The repository and branch of --repo, --branch or the config. */
int hm_branch_open(hm_cli *cli, hm_branch *b);
void hm_branch_close(hm_branch *b);
/* "2026-04-02" of a commit. */
const char *hm_commit_day(hm_cli *cli, const hm_git_commit *c);
/* "commit", "date" (and, of somebody else's, "author") of a commit, into the object that is open.
 */
void hm_commit_json(hm_cli *cli, hm_jw *w, const hm_git_commit *c);
#endif
