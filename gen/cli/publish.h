/* What a publication says and when it says it happened. */
#ifndef HM_PUBLISH_H
#define HM_PUBLISH_H
#include "gen/cli/make.h"
#include "gen/sink/git.h"

/* SOURCE_DATE_EPOCH in seconds since 1970, -1 when it is not set; one that is no number is an error. */
int hm_publish_epoch(hm_cli *cli, int64_t *out);
/* Seconds since 1970 of the newest time of a fact or verdict that is published, else 0. */
int64_t hm_publish_when(const hm_cli *cli, const hm_sweep *sweep, const hm_view *view);
/* The commit message for the site against what the branch has, of which was tells (NULL: the tip does, which git can read). */
hm_str hm_publish_message(hm_cli *cli, const hm_made *m, const hm_git_tip *tip, hm_git *git, const hm_cache_entry *was);
/* The rules by which conflicts are found, as the trailer Mirror-Rules has them. */
hm_str hm_publish_rules(const hm_cli *cli);
#endif
