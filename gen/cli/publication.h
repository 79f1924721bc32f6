/* One publication: from the store to a commit, and to a remote. */
#ifndef HM_PUBLICATION_H
#define HM_PUBLICATION_H
#include "gen/cli/make.h"
#include "gen/sink/git.h"

typedef struct {
  hm_git_options opt;
  hm_remote_options remote;
  hm_git *git;
  hm_git_tip tip;
  hm_git_result result;
  hm_str message;
  bool sent;             /* the remote did not have it yet */
  hm_made made;
} hm_publication;

/* From the options and the config of the run. Nothing is opened; errors: those of each option,
 * together or alone. */
int hm_publication_options(hm_cli *cli, hm_publication *p);
/* Makes and commits the site, and pushes it; who loses a race for the remote's branch begins anew.
 * p->result says what came of it, p->made what was made. On an error, too, p is to be freed. */
int hm_publication_run(hm_cli *cli, hm_publication *p);
/* What opened is closed and what was made is gone. */
void hm_publication_free(hm_publication *p);
#endif
