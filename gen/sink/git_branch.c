#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <limits.h>
#include <unistd.h>

#include "gen/sink/git_impl.h"

int hm_git_check_name(hm_git *g, hm_err *err) {
  int ok = 0;
  if (git_branch_name_is_valid(&ok, g->opt->branch) < 0 || !ok)
    return hm_failf(err, HM_E_USAGE, "branch", "choose a name like mirror",
                    "\"%s\" cannot be the name of a branch", g->opt->branch);
  g->ref = hm_str_fmt(g->a, "refs/heads/%s", g->opt->branch).p;
  return 0;
}

/* Reads HEAD itself: libgit2 tells of branches that exist, but an unborn one is checked out as
 * well. */
static bool head_is(const hm_git *g, int dir, const char *head) {
  hm_str text;
  if (hm_fs_read_at(dir, head, 4096, g->a, &text) != 0 || !hm_str_starts(text, "ref:"))
    return false;
  return hm_str_is(hm_str_trim(hm_str_sub(text, 4, text.n)), g->ref);
}

static int checked_out(const hm_git *g, const char *where, hm_err *err) {
  return hm_failf(err, HM_E_OUTPUT, g->opt->repo,
                  "check out another branch there, or publish to another one",
                  "branch %s is checked out in %s", g->opt->branch, where);
}

static int check_worktrees(const hm_git *g, hm_err *err) {
  int rc = 0, fd = openat(g->dir, "worktrees", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *d = fd < 0 ? NULL : fdopendir(fd);
  for (struct dirent *e; rc == 0 && d && (e = readdir(d));) {
    char head[NAME_MAX + 8];
    snprintf(head, sizeof head, "%s/HEAD", e->d_name);
    if (e->d_name[0] != '.' && head_is(g, fd, head)) rc = checked_out(g, "a linked work tree", err);
  }
  if (d) closedir(d);
  else if (fd >= 0) close(fd);
  return rc;
}

static bool main_is_bare(const hm_git *g) {
  git_config *c = NULL;
  int bare = 0;
  if (git_repository_config(&c, g->repo) == 0 && git_config_get_bool(&bare, c, "core.bare") < 0)
    bare = 0;
  git_config_free(c);
  return bare;
}

int hm_git_check_branch(hm_git *g, hm_err *err) {
  if (!main_is_bare(g) && head_is(g, g->dir, "HEAD")) return checked_out(g, "its work tree", err);
  return check_worktrees(g, err);
}
