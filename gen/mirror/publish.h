/* What a publication says and when it says it happened. */
#ifndef HM_PUBLISH_H
#define HM_PUBLISH_H
#include "gen/mirror/make.h"
#include "gen/sink/git.h"

/* Without SOURCE_DATE_EPOCH: seconds since 1970 of now or the newest verdict, whichever is later,
 * else 0. Of rows and verdicts that are published only. */
int64_t hm_publish_when(const hm_mirror *m, const hm_sweep *sweep, const hm_view *view);
/* Now as the trailer Mirror-Now has it; empty when there is none, or when only rows that are left
 * out have that time. */
hm_str hm_publish_now(const hm_mirror *m, const hm_sweep *sweep, const hm_view *view);
/* The commit message for the site against what the branch has, of which was tells (NULL: the tip
 * does, which git can read). summary: the first line; empty: what changed, in words. */
hm_str hm_publish_message(const hm_mirror *m, const hm_made *made, hm_str summary, const hm_git_tip *tip,
                          hm_git *git, const hm_cache_entry *was);
/* The rules by which conflicts are found, as the trailer Mirror-Rules has them. */
hm_str hm_publish_rules(const hm_mirror *m);
#endif
