/* Which files git ignores or holds back, by the work tree in which they lie. A folder is searched
 * upwards for its repository once; what lies below it belongs to the same one.
 *
 * libgit2 reads the files of patterns (.gitignore) by itself, waits at a pipe, and tries all
 * ways in which the stars of a pattern can match. So each file is looked at before it: a pipe or a
 * large one is not used, nor is one with a pattern of more than STARS that match in several ways.
 * Git is not asked below a file that is not used. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "gen/sink/fs.h"
#include "gen/sink/git_common.h"
#include "gen/sink/git_worktree.h"

enum { STARS = 4 }; /* "report.[0-9]*.[0-9]*.[0-9]*.[0-9]*.json" is in many repositories */

typedef struct {
  char *folder; /* the top of the work tree; of none the folder that was searched */
  git_repository *repo;
  git_index *index;
  hm_str patterns[2]; /* its files of patterns outside of the work tree; or empty */
} worktree;

/* A file of patterns, also one that is not there. */
typedef struct {
  hm_str path;
  bool unused;
  hm_tree_skip_reason why;
} pattern_file;

struct hm_worktrees {
  worktree *v;
  size_t n, cap;
  pattern_file *patterns;
  size_t n_patterns, cap_patterns;
  hm_map at; /* path -> index into patterns */
  hm_arena *a;
};

hm_worktrees *hm_worktrees_new(void) {
  hm_worktrees *w = hm_xmalloc(sizeof *w);
  *w = (hm_worktrees){ .a = hm_arena_new() };
  hm_map_init(&w->at, w->a, 64);
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
  free(w->patterns);
  hm_arena_free(w->a);
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

static void find_patterns(hm_worktrees *w, worktree *t) {
  git_config *c = NULL;
  git_buf path = { 0 };
  t->patterns[0] = hm_str_fmt(w->a, "%sinfo/exclude", git_repository_commondir(t->repo));
  if (git_repository_config_snapshot(&c, t->repo) == 0 &&
      git_config_get_path(&path, c, "core.excludesfile") == 0)
    t->patterns[1] = hm_str_dup(w->a, hm_str_c(path.ptr));
  git_buf_dispose(&path);
  git_config_free(c);
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
  else if (hm_git_worktree_open(&t->repo, t->folder) == 0) {
    git_repository_index(&t->index, t->repo);
    find_patterns(w, t);
  }
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

/* --- files of patterns ------------------------------------------------------------------------ */

/* How many stars of the line can match in several ways: those that are no whole part of a path. */
static size_t count_stars(hm_str line) {
  size_t stars = 0;
  line = hm_str_trim(line);
  for (size_t i = 0; i < line.n; i++) {
    if (line.p[i] != '*' || (i && line.p[i - 1] == '*'))
      continue;
    size_t end = i;
    while (hm_char_at(line, end, '*'))
      end++;
    bool whole = (!i || line.p[i - 1] == '/') && (end == line.n || line.p[end] == '/');
    stars += !whole;
  }
  return stars;
}

static void read_patterns(pattern_file *f) {
  struct stat st;
  size_t size, cap = 0;
  ssize_t n;
  char *line = NULL;
  if (stat(f->path.p, &st) != 0)
    return;
  f->unused = S_ISFIFO(st.st_mode) || (S_ISREG(st.st_mode) && st.st_size > HM_TREE_FILE_MAX);
  f->why = S_ISFIFO(st.st_mode) ? HM_TREE_SKIP_NO_FILE : HM_TREE_SKIP_LARGE;
  int fd = hm_fs_open_regular(AT_FDCWD, f->path.p, 0, HM_TREE_FILE_MAX, &size);
  FILE *in = fd < 0 ? NULL : fdopen(fd, "r");
  while (in && !f->unused && (n = getline(&line, &cap, in)) > 0)
    if (line[0] != '#' && count_stars((hm_str){ line, (size_t)n }) > STARS) {
      f->unused = true;
      f->why = HM_TREE_SKIP_PATTERNS;
    }
  free(line);
  if (in)
    fclose(in);
  else if (fd >= 0)
    close(fd);
}

static pattern_file *patterns_at(hm_worktrees *w, const char *path) {
  uint32_t known = hm_map_get(&w->at, hm_str_c(path));
  if (known != HM_MAP_NONE)
    return &w->patterns[known];
  w->patterns = hm_array_grow(w->patterns, w->n_patterns, &w->cap_patterns, sizeof *w->patterns);
  pattern_file *f = &w->patterns[w->n_patterns];
  *f = (pattern_file){ .path = hm_str_dup(w->a, hm_str_c(path)) };
  hm_map_add(&w->at, f->path, (uint32_t)w->n_patterns++);
  read_patterns(f);
  return f;
}

/* May all files of patterns be used that libgit2 reads for the path? */
static bool may_ask(hm_worktrees *w, const worktree *t, const char *path, hm_arena *a) {
  const char *top = git_repository_workdir(t->repo); /* ends in a slash */
  bool may = !top || !patterns_at(w, hm_str_fmt(a, "%s.gitignore", top).p)->unused;
  for (size_t i = 0; i < HM_COUNT(t->patterns); i++)
    may &= !t->patterns[i].n || !patterns_at(w, t->patterns[i].p)->unused;
  for (size_t i = 0; top && may && path[i]; i++)
    if (path[i] == '/')
      may = !patterns_at(w, hm_str_fmt(a, "%s%.*s/.gitignore", top, (int)i, path).p)->unused;
  return may;
}

static void list_unused(void *ctx, hm_arena *a, hm_tree_skip **out, size_t *n) {
  const hm_worktrees *w = ctx;
  *out = hm_alloc_array(a, w->n_patterns + 1, sizeof **out);
  *n = 0;
  for (size_t i = 0; i < w->n_patterns; i++)
    if (w->patterns[i].unused)
      (*out)[(*n)++] = (hm_tree_skip){ .real = hm_str_dup(a, w->patterns[i].path),
                                       .reason = w->patterns[i].why };
}

/* --- questions -------------------------------------------------------------------------------- */

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
  bool is = may_ask(ctx, t, rest, a) && git_ignore_path_is_ignored(&ignored, t->repo, asked) == 0 &&
      ignored && !is_tracked(t, rest, folder, a);
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
  return (hm_tree_git){ w, top_of, ignores, held_back, tracked, list_unused };
}
