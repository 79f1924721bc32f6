/* Which commit last changed a line of a file in a git work tree (library: libgit2). */
#ifndef HM_GIT_BLAME_H
#define HM_GIT_BLAME_H
#include "gen/sink/git_worktree.h"

typedef struct hm_git_blames hm_git_blames;

/* w must live as long. Free it. */
hm_git_blames *hm_git_blames_new(hm_worktrees *w);
void hm_git_blames_free(hm_git_blames *b); /* NULL is allowed */
/* "1a2b3c4d5e6f, 2026-03-02, Kim": the commit, its author's day in UTC and name, of the line of f;
 * in a. Empty: the line is not committed, the file lies in no work tree, its history is not whole
 * or too long after the files that were asked for before (STEPS). ctx: the
 * hm_git_blames. */
hm_str hm_git_blame_line(void *ctx, const hm_tree_file *f, size_t line, hm_arena *a);
/* The same of the commit that wrote the comment in the line, "<!-- hmirror: ok REASON -->": it may
 * be older than one that changed the line beside it, or only its marks. Empty also: the comment is
 * not committed. */
hm_str hm_git_blame_comment(void *ctx, const hm_tree_file *f, size_t line, hm_arena *a);
/* False where git cannot tell that of the file at all: it lies in no work tree, or its history is
 * not whole or too long. */
bool hm_git_blame_reads(void *ctx, const hm_tree_file *f);
#endif
