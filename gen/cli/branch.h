/* The branch of the mirror that a verb reads, and its commits in words and JSON. */
#ifndef HM_CLI_BRANCH_H
#define HM_CLI_BRANCH_H
#include "gen/cli/out.h"
#include "gen/sink/git_read.h"

/* --repo and --branch, for tables of options. */
#define HM_BRANCH_OPTIONS \
  { "repo", 0, "P", "the repository (config: publish.repo)" }, \
  { "branch", 0, "B", "the branch (config: publish.branch)" }

typedef struct {
  const char *repo, *branch;   /* of the options, else of the config */
  hm_git_reader *git;
  char commit[41];
} hm_branch;

/* Opens the repository and finds rev (NULL: the tip of the branch). Errors: those of the reader;
 * for a branch that is not there the message says how it comes there. Close it in any case. */
int hm_branch_open(hm_cli *cli, const char *rev, hm_branch *out);
void hm_branch_close(hm_branch *b);
/* "2026-04-02" of a commit. */
const char *hm_commit_day(hm_cli *cli, const hm_git_commit *c);
/* "commit", "date" (and, of somebody else's, "author") of a commit, into the object that is open.
 */
void hm_commit_json(hm_cli *cli, hm_jw *w, const hm_git_commit *c);
#endif
