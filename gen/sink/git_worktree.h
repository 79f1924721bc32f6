/* What git knows of the files in work trees: which it ignores, which a sparse checkout holds back
 * (library: libgit2). Writes nothing. */
#ifndef HM_GIT_WORKTREE_H
#define HM_GIT_WORKTREE_H
#include "core/tree/tree.h"

typedef struct hm_worktrees hm_worktrees;

/* Never NULL. Repositories are opened when they are asked for. One that cannot be opened, or that
 * belongs to another user, is as none: nothing is ignored. */
hm_worktrees *hm_worktrees_new(void);
void hm_worktrees_free(hm_worktrees *w); /* NULL is allowed */
/* The questions of hm_tree_list, answered by w, which must live as long. What git tracks is not
 * ignored. libgit2 does not see a negation without a wildcard that undoes a rule of a folder above.
 */
hm_tree_git hm_worktrees_git(hm_worktrees *w);
#endif
