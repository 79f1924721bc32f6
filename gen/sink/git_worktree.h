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

/* --- another commit of these work trees: git_past.c ------------------------------------------- */

/* The files that t's words find in a commit of the work trees in which its files lie, with their
 * content, in a. rev: the commit in git's notation; NULL: the branch that changes are made for:
 * origin/HEAD, origin/main, origin/master, main or master, the first that there is. Where that is
 * no ancestor of HEAD: the commit from which both went on (hm_git_take_merge_base). commit: its id,
 * of the first work tree. Errors: HM_E_UNKNOWN: no such commit; HM_E_INPUT: files lie in no work
 * tree; HM_E_OUTPUT: a repository that cannot be read. */
int hm_worktrees_list_past(hm_worktrees *w, const hm_tree *t, const char *rev, hm_arena *a,
                           hm_tree **out, char commit[41], hm_err *err);
/* Which lines of `now` are not lines of `before`: touched[i] of line i + 1, for n lines; in a. */
void hm_git_touched_lines(hm_str before, hm_str now, hm_arena *a, bool **touched, size_t *n);
#endif
