#include "gen/sink/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "gen/sink/fs.h"

enum { STEP_MS = 20 };

void hm_pause_ms(int ms) {
  struct timespec t = { ms / 1000, (long)(ms % 1000) * 1000000 };
  nanosleep(&t, NULL);
}

/* A holder removes or renames the file before it lets go, so a lock on a
 * file that has lost its name keeps nobody out. */
static bool still_named(int fd, int dir, const char *name) {
  struct stat mine, named;
  return fstat(fd, &mine) == 0 && fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

int hm_lock_open(int dir, const char *name, int flags, mode_t mode, int wait_ms) {
  for (int waited = 0;; waited += STEP_MS) {
    int fd = openat(dir, name, flags, mode);
    if (fd < 0) return -1;
    bool got = flock(fd, LOCK_EX | LOCK_NB) == 0;
    int eno = errno;
    if (got && still_named(fd, dir, name)) return fd;
    close(fd);
    errno = eno;
    if (!got && ((eno != EWOULDBLOCK && eno != EINTR) || waited >= wait_ms)) return -1;
    if (!got) hm_pause_ms(STEP_MS);
  }
}

static long holder(int fd) {
  char text[32] = "";
  ssize_t n = pread(fd, text, sizeof text - 1, 0);
  return n > 0 ? strtol(text, NULL, 10) : 0;
}

/* Writes our process id, over the last holder's and never through an empty
 * file: a kill at any point leaves word that somebody died. A full disk must
 * not keep anybody from a lock. */
static void sign(int fd) {
  char text[32];
  int n = snprintf(text, sizeof text, "%-20ld\n", (long)getpid());
  if (pwrite(fd, text, (size_t)n, 0) != n) return;
}

static int busy(int dir, const char *name, const char *shown, hm_err *err) {
  int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  long pid = fd < 0 ? 0 : holder(fd);
  if (fd >= 0) close(fd);
  static const char fix[] = "wait for it to end, then run this again";
  if (!pid) return hm_fail(err, HM_E_BUSY, shown, "locked by another hmirror", fix);
  return hm_failf(err, HM_E_BUSY, shown, fix, "locked by another hmirror (process %ld)", pid);
}

int hm_lock_take(hm_lock *l, int dir, const char *name, const char *shown, int wait_ms,
                 hm_err *err) {
  *l = (hm_lock){ .dir = dir, .fd = -1 };
  if (snprintf(l->name, sizeof l->name, "%s", name) >= (int)sizeof l->name) {
    errno = ENAMETOOLONG;
    return hm_fs_fail(err, shown, "make the lock file");
  }
  l->fd = hm_lock_open(dir, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666,
                       wait_ms);
  if (l->fd < 0 && (errno == EWOULDBLOCK || errno == EINTR)) return busy(dir, name, shown, err);
  if (l->fd < 0) return hm_fs_fail(err, shown, "make the lock file");
  l->died = holder(l->fd) != 0;
  sign(l->fd);
  return 0;
}

void hm_lock_release(hm_lock *l) {
  if (l->fd < 0) return;
  unlinkat(l->dir, l->name, 0);
  close(l->fd);
  l->fd = -1;
}
