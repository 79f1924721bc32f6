/* The signatures of a branch, for verify. */
#ifndef HM_VERIFY_SIGNATURES_H
#define HM_VERIFY_SIGNATURES_H
#include "gen/cli/branch.h"

/* Opens the branch, or the commit that the verb was given, and tells of each commit whether its
 * signature is good, bad, by an unknown key, or missing. HM_EXIT_FOUND unless all are good. The
 * caller closes branch in any case. */
int hm_verify_signatures(hm_cli *cli, hm_branch *branch);
#endif
