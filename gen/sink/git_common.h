/* Shared by the git sink and the git reader: checks of a repository, and errors. Private to the
 * folder. */
#ifndef HM_GIT_COMMON_H
#define HM_GIT_COMMON_H
#include <git2.h>
#include "core/base/err.h"
#include "core/base/str.h"

/* Sets HM_E_OUTPUT with libgit2's message. Returns -1. */
int hm_git_fail_at(const char *repo, const char *verb, hm_err *err);
/* Sets HM_E_OUTPUT: a file of the repository has the wrong type. Returns -1. */
int hm_git_refuse_file(const char *path, const char *why, hm_err *err);
/* Checks a repository before libgit2 opens it: libgit2 would block on a pipe in the place of one of
 * its files, or of one that its config includes, and write through a link in the place of the
 * branch. repo: path of a bare repository or of a work tree, also a linked one; ref may be NULL.
 * HM_E_OUTPUT names the file. */
int hm_git_check_file_kinds(const char *repo, const char *ref, hm_err *err);
/* Opens the repository at path itself, and returns libgit2's code. Also one whose format has
 * extensions that change nothing here; SHA-256 objects and reftable refs are GIT_EINVALID, of which
 * hm_git_fail_at tells. */
int hm_git_repository_open(git_repository **out, const char *path);
/* Opens the repository of the work tree with this top, and returns libgit2's code. GIT_EINVALID: a
 * pipe lies in it, at which libgit2 would wait. */
int hm_git_worktree_open(git_repository **out, const char *top);
/* True when libgit2 did not open a repository (rc) because it belongs to another user; the error
 * for that. */
bool hm_git_is_foreign(const char *path, int rc);
int hm_git_fail_foreign(const char *path, hm_err *err);
/* Compares as git sorts the entries of a tree: by bytes, a folder as if its name ended in '/'. */
int hm_git_name_order(hm_str x, bool x_is_tree, hm_str y, bool y_is_tree);
/* True for one of our commits: it has the trailer Mirror-Tool. */
bool hm_git_commit_is_ours(const git_commit *c);
#endif
