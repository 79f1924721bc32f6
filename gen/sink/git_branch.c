#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include "gen/sink/git_impl.h"

enum { STEP_MS = 20, ORPHAN_MS = 1000, STALE_S = 60 };

int hm_git_check_name(hm_git *g, hm_err *err) {
  int ok = 0;
  if (git_branch_name_is_valid(&ok, g->opt->branch) < 0 || !ok)
    return hm_failf(err, HM_E_USAGE, "branch", "choose a name like mirror", "\"%s\" cannot be the name of a branch", g->opt->branch);
  g->ref = hm_str_fmt(g->a, "refs/heads/%s", g->opt->branch).p;
  return 0;
}

/* Reads HEAD itself: libgit2 tells of branches that exist, but an unborn one is checked out as well. */
static bool head_is(const hm_git *g, int dir, const char *head) {
  hm_str text;
  if (hm_fs_read_at(dir, head, 4096, g->a, &text) != 0 || !hm_str_starts(text, "ref:")) return false;
  return hm_str_is(hm_str_trim(hm_str_sub(text, 4, text.n)), g->ref);
}

static int checked_out(const hm_git *g, const char *where, hm_err *err) {
  return hm_failf(err, HM_E_OUTPUT, g->opt->repo, "check out another branch there, or publish to another one",
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
  if (git_repository_config(&c, g->repo) == 0 && git_config_get_bool(&bare, c, "core.bare") < 0) bare = 0;
  git_config_free(c);
  return bare;
}

int hm_git_check_branch(hm_git *g, hm_err *err) {
  if (!main_is_bare(g) && head_is(g, g->dir, "HEAD")) return checked_out(g, "its work tree", err);
  return check_worktrees(g, err);
}

static bool is_old(const struct stat *st) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec - st->st_mtim.tv_sec > STALE_S;
}

/* Ours are the only long-lived writers of this branch, and those hold our lock:
 * the ref's lock file is a dead process's if our lock's last holder died, or if
 * it is far older than any update of a ref takes. Else real git is at work. */
static int clear_ref_lock(hm_git *g, hm_err *err) {
  char *name = hm_str_z(g->a, hm_str_fmt(g->a, "%s.lock", g->ref));
  struct stat st;
  for (int waited = 0; fstatat(g->dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0; waited += STEP_MS) {
    if (is_old(&st) || (g->lock.died && waited >= ORPHAN_MS)) {
      if (unlinkat(g->dir, name, 0) != 0 && errno != ENOENT) return hm_fs_fail(err, name, "remove the stale lock");
      return 0;
    }
    if (waited >= HM_LOCK_WAIT_MS)
      return hm_fail(err, HM_E_BUSY, g->opt->repo, hm_str_fmt(g->a, "%s%s is held by another git process", g->common, name).p,
                     "wait for it to end; if there is none, remove that file");
    hm_pause_ms(STEP_MS);
  }
  return 0;
}

/* Nobody else uses this name, and whoever does holds our lock. */
static void remove_half_packs(hm_git *g) {
  int fd = openat(g->dir, "objects/pack", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *d = fd < 0 ? NULL : fdopendir(fd);
  for (struct dirent *e; d && (e = readdir(d));)
    if (strncmp(e->d_name, "tmp_hmirror_", 12) == 0) unlinkat(fd, e->d_name, 0);
  if (d) closedir(d);
  else if (fd >= 0) close(fd);
}

int hm_git_clear_stale(hm_git *g, hm_err *err) {
  if (clear_ref_lock(g, err) != 0) return -1;
  if (g->lock.died) remove_half_packs(g);
  return 0;
}
