/* Shared by the files of the git reader. Not for others. */
#ifndef HM_GIT_READ_IMPL_H
#define HM_GIT_READ_IMPL_H
#include "gen/sink/git_common.h"
#include "gen/sink/git_read.h"

struct hm_git_reader {
  char *path;
  git_repository *repo;
  git_odb *odb;
};

enum { HM_GIT_MAX_NODE = 64 << 20 }; /* bytes of a commit or a tree */

/* Sets HM_E_OUTPUT with libgit2's message. Returns -1. */
int hm_git_read_fail(const hm_git_reader *g, const char *verb, hm_err *err);
/* Return -1 when the object is missing or has more than HM_GIT_MAX_NODE bytes. */
int hm_git_read_commit(hm_git_reader *g, const git_oid *id, git_commit **out, hm_err *err);
int hm_git_read_tree(hm_git_reader *g, const git_oid *id, git_tree **out, hm_err *err);
#endif
