/* One publication: from the store to a commit, and to a remote. */
#ifndef HM_PUBLICATION_H
#define HM_PUBLICATION_H
#include "gen/mirror/make.h"
#include "gen/sink/git.h"

typedef struct {
  hm_git_options opt;
  hm_remote_options remote; /* of opt.remote, when that is set */
  hm_signer signer;         /* used unless its kind is HM_SIGN_OFF */
  hm_str summary;           /* first line of the message; empty: what changed, in words */
  bool record;              /* put the sweep's findings into the store */
  bool full;                /* render every page */
  hm_git *git;
  hm_git_tip tip;
  hm_git_result result;
  hm_str message;
  bool sent; /* the remote did not have it yet */
  hm_made made;
} hm_publisher;

/* Fills p from the config: repository, branch, author, remote and its timeout, recording, signer.
 * The caller may change opt, remote, signer, summary, record and full before hm_publish_run. Opens
 * nothing. */
void hm_publisher_init(hm_mirror *m, hm_publisher *p);
/* Pushes there instead: a name or an address from the command line. */
void hm_publisher_set_remote(const hm_mirror *m, hm_publisher *p, const char *remote);
/* Makes, commits and pushes the site; starts again when another push to the remote's branch came
 * first. p->result holds the outcome, p->made the site. Free p also after an error. */
int hm_publish_run(hm_mirror *m, hm_publisher *p, hm_err *err);
/* Closes what was opened and frees what was made. */
void hm_publisher_free(hm_publisher *p);

/* --- trailers of the commit ---------------------------------------------------------- */

/* The text of the trailer Mirror-Rules, for the rules by which conflicts are found. */
hm_str hm_rules_trailer_text(const hm_mirror *m);
#endif
