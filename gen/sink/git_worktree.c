/* Which files git ignores or holds back, by the work tree in which they lie. A folder is searched
 * upwards for its repository once; what lies below it belongs to the same one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "gen/sink/git_common.h"
#include "gen/sink/git_worktree.h"

typedef struct {
  char *folder; /* the top of the work tree; of none the folder that was searched */
  git_repository *repo;
  git_index *index;
} worktree;

struct hm_worktrees {
  worktree *v;
  size_t n, cap;
};

hm_worktrees *hm_worktrees_new(void) {
  hm_worktrees *w = hm_xmalloc(sizeof *w);
  *w = (hm_worktrees){ 0 };
  git_libgit2_init(); /* stays open: see hm_git_close() */
  return w;
}

void hm_worktrees_free(hm_worktrees *w) {
  if (!w)
    return;
  for (size_t i = 0; i < w->n; i++) {
    git_index_free(w->v[i].index);
    git_repository_free(w->v[i].repo);
    free(w->v[i].folder);
  }
  free(w->v);
  free(w);
}

/* The path below the folder, or NULL. */
static const char *below(const char *folder, const char *path) {
  size_t n = strlen(folder);
  if (strncmp(folder, path, n) != 0)
    return NULL;
  if (path[n] == '/')
    return path + n + 1;
  if (!path[n])
    return path + n;
  return n && folder[n - 1] == '/' ? path + n : NULL;
}

static worktree *find_known(hm_worktrees *w, const char *path) {
  worktree *best = NULL;
  for (size_t i = 0; i < w->n; i++) {
    bool holds = below(w->v[i].folder, path) != NULL;
    if (holds && (!best || strlen(w->v[i].folder) > strlen(best->folder)))
      best = &w->v[i];
  }
  return best;
}

/* Cuts folder to the nearest one that has a ".git"; false where none has. */
static bool climb_to_top(char *folder) {
  for (;;) {
    struct stat st;
    char *dot_git = NULL;
    bool found = asprintf(&dot_git, "%s/.git", folder) > 0 && lstat(dot_git, &st) == 0;
    free(dot_git);
    if (found)
      return true;
    char *slash = strrchr(folder, '/');
    if (!slash || slash == folder)
      return false;
    *slash = 0;
  }
}

static worktree *add_worktree(hm_worktrees *w, const char *path) {
  char *top = strdup(path);
  bool has_top = top && climb_to_top(top);
  if (has_top)
    for (size_t i = 0; i < w->n; i++)
      if (strcmp(w->v[i].folder, top) == 0) {
        free(top);
        return &w->v[i];
      }
  w->v = hm_array_grow(w->v, w->n, &w->cap, sizeof *w->v);
  worktree *t = &w->v[w->n++];
  *t = (worktree){ .folder = has_top ? top : strdup(path) };
  if (!has_top)
    free(top);
  else if (hm_git_check_file_kinds(t->folder, NULL, NULL) == 0 &&
           hm_git_repository_open(&t->repo, t->folder) == 0)
    git_repository_index(&t->index, t->repo);
  return t;
}

static hm_str top_of(void *ctx, const char *path, hm_arena *a) {
  const worktree *t = add_worktree(ctx, path);
  return t->repo ? hm_str_dup(a, hm_str_c(t->folder)) : HM_EMPTY;
}

static bool is_tracked(const worktree *t, const char *path, bool folder, hm_arena *a) {
  if (!t->index)
    return false;
  if (!folder)
    return git_index_get_bypath(t->index, path, 0) != NULL;
  return git_index_find_prefix(NULL, t->index, hm_str_fmt(a, "%s/", path).p) == 0;
}

static bool ignores(void *ctx, const char *path, bool folder) {
  worktree *t = find_known(ctx, path);
  if (!t)
    t = add_worktree(ctx, path);
  const char *rest = t->repo ? below(t->folder, path) : NULL;
  if (!rest || !*rest)
    return false;
  hm_arena *a = hm_arena_new();
  int ignored = 0;
  const char *asked = folder ? hm_str_fmt(a, "%s/", rest).p : rest;
  bool is = git_ignore_path_is_ignored(&ignored, t->repo, asked) == 0 && ignored &&
      !is_tracked(t, rest, folder, a);
  hm_arena_free(a);
  return is;
}

static bool held_back(void *ctx, const char *path) {
  worktree *t = find_known(ctx, path);
  const char *rest = t && t->index ? below(t->folder, path) : NULL;
  const git_index_entry *e = rest ? git_index_get_bypath(t->index, rest, 0) : NULL;
  return e && (e->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE);
}

static void tracked(void *ctx, const char *top, hm_arena *a, hm_str **out, size_t *n) {
  const worktree *t = find_known(ctx, top);
  size_t most = t && t->index ? git_index_entrycount(t->index) : 0;
  *out = hm_alloc_array(a, most + 1, sizeof **out);
  for (*n = 0; *n < most; ++*n)
    (*out)[*n] = hm_str_dup(a, hm_str_c(git_index_get_byindex(t->index, *n)->path));
}

hm_tree_git hm_worktrees_git(hm_worktrees *w) {
  return (hm_tree_git){ w, top_of, ignores, held_back, tracked };
}
