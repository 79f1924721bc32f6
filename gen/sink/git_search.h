/* Which commits of a branch hold some bytes (library: libgit2). Read only. */
#ifndef HM_GIT_SEARCH_H
#define HM_GIT_SEARCH_H
#include "gen/sink/git_read.h"

typedef struct {
  hm_git_commit commit;          /* texts in the arena */
  bool in_message;               /* its message holds it */
} hm_git_hit;

typedef struct {
  size_t commits;                /* all that were looked at */
  hm_git_hit *hits; size_t n;    /* those that hold it, newest first in the order of git log */
  hm_str *paths; size_t n_paths; /* where, in any of them, sorted */
  size_t blobs;                  /* distinct files that hold it */
} hm_git_hits;

/* Every commit that can be reached from tip, over all parents; each distinct file is read once,
 * however many commits have it. holds: whether bytes hold it; it is also asked of paths and
 * messages. */
int hm_git_search(hm_git_reader *g, const char *tip, bool (*holds)(void *ctx, hm_str bytes),
                  void *ctx, hm_arena *a, hm_git_hits *out, hm_err *err);
#endif
