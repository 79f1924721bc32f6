/* What the sink and the reader of a branch share: checks of a repository, and errors. Private to
 * the folder. */
#ifndef HM_GIT_COMMON_H
#define HM_GIT_COMMON_H
#include <git2.h>
#include "core/base/err.h"
#include "core/base/str.h"

/* HM_E_OUTPUT with libgit2's own words. Returns -1. */
int hm_git_fail_at(const char *repo, const char *verb, hm_err *err);
/* HM_E_OUTPUT: a file of the repository is not what it must be. */
int hm_git_refuse_file(const char *path, const char *why, hm_err *err);
/* Before libgit2 opens it: it would wait for ever at a pipe in the place of one of the repository's
 * files, and write through a link in the place of the branch. repo: its path, of a bare one or of a
 * work tree; ref may be NULL. HM_E_OUTPUT names the file. */
int hm_git_check_file_kinds(const char *repo, const char *ref, hm_err *err);
/* Whether a repository that was not opened (rc) is another user's, and the error for that. */
bool hm_git_is_foreign(const char *path, int rc);
int hm_git_fail_foreign(const char *path, hm_err *err);
/* How git sorts the entries of a tree: by bytes, a folder as if its name ended in '/'. */
int hm_git_name_order(hm_str x, bool x_is_tree, hm_str y, bool y_is_tree);
/* One of our commits: it has the trailer Mirror-Tool. */
bool hm_git_commit_is_ours(const git_commit *c);
#endif
