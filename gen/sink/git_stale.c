/* What processes that died have left in a repository. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gen/sink/git_impl.h"

enum { STEP_MS = 20, ORPHAN_MS = 1000, LOCK_S = 60, PACK_S = 3600 };

static long age(const struct stat *st) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (long)(now.tv_sec - st->st_mtim.tv_sec);
}

static const char *lock_of(const hm_git_place *p, const char *ref) {
  return hm_str_fmt(p->a, "%s.lock", ref).p;
}

int hm_git_ref_locked(const hm_git_place *p, const char *ref, hm_err *err) {
  struct stat st;
  const char *name = lock_of(p, ref);
  bool there = fstatat(p->dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
  return hm_failf(err, HM_E_BUSY, p->shown,
                  "wait for it to end; if there is none any more, remove that file",
                  "another git process is at the branch: it made %s%s %ld s ago", p->common, name,
                  there ? age(&st) : 0);
}

/* Ours are the only long-lived writers of this branch, and those hold our lock:
 * the ref's lock file is a dead process's if our lock's last holder died, or if
 * it is far older than any update of a ref takes. Else real git is at work. */
int hm_git_clear_ref_lock(const hm_git_place *p, const char *ref, hm_err *err) {
  const char *name = lock_of(p, ref);
  struct stat st;
  for (int waited = 0; fstatat(p->dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0; waited += STEP_MS) {
    if (age(&st) > LOCK_S || (p->died && waited >= ORPHAN_MS)) {
      if (unlinkat(p->dir, name, 0) != 0 && errno != ENOENT)
        return hm_fs_fail(err, name, "remove the stale lock");
      return 0;
    }
    if (waited >= HM_LOCK_WAIT_MS) return hm_git_ref_locked(p, ref, err);
    hm_pause_ms(STEP_MS);
  }
  return 0;
}

/* Nobody else uses our names, and whoever does holds our lock. Those of libgit2's any program may
 * be writing to, and git never removes them. */
static bool is_left(int dir, const char *name, bool died) {
  struct stat st;
  if (strncmp(name, "tmp_hmirror_", 12) == 0) return died;
  return strncmp(name, "pack_git2_", 10) == 0 &&
      fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && age(&st) > PACK_S;
}

void hm_git_remove_half_files(const hm_git_place *p) {
  if (p->died) unlinkat(p->dir, "hmirror.packs.new", 0);
  int fd = openat(p->dir, "objects/pack", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *d = fd < 0 ? NULL : fdopendir(fd);
  for (struct dirent *e; d && (e = readdir(d));)
    if (is_left(fd, e->d_name, p->died)) unlinkat(fd, e->d_name, 0);
  if (d) closedir(d);
  else if (fd >= 0) close(fd);
}
