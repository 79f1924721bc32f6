/* A commit of the mirror that a verb reads. */
#ifndef HM_REVISION_H
#define HM_REVISION_H
#include "gen/cli/cli.h"
#include "gen/sink/git_read.h"

typedef struct {
  const char *repo, *branch;   /* --repo, --branch, else the config's */
  hm_git_reader *git;
  char commit[41];
} hm_revision;

/* Opens the repository and finds rev (NULL: the tip of the branch). Errors: those of the reader;
 * for a branch that is not there the message says how it comes there. Close it in any case. */
int hm_revision_open(hm_cli *cli, const char *rev, hm_revision *out);
void hm_revision_close(hm_revision *r);
#endif
