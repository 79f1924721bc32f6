/* Files and folders below an open folder, by openat2 where the system has it; and locks. */
#include "gen/sink/fs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int hm_fs_fail(hm_err *err, const char *path, const char *verb) {
  int eno = errno;
  const char *reason = strerrordesc_np(eno);
  return hm_failf(err, HM_E_OUTPUT, path, hm_errno_suggest_fix(eno), "cannot %s: %s", verb,
                  reason ? reason : "unknown error");
}

/* Opens folder by folder, for systems without openat2. */
static int dir_by_steps(int root, hm_str path) {
  enum { HOW = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
  int fd = openat(root, ".", HOW);
  for (size_t from = 0; fd >= 0 && from < path.n;) {
    const char *slash = memchr(path.p + from, '/', path.n - from);
    size_t to = slash ? (size_t)(slash - path.p) : path.n;
    char name[NAME_MAX + 1];
    if (to - from > NAME_MAX) {
      close(fd);
      errno = ENAMETOOLONG;
      return -1;
    }
    memcpy(name, path.p + from, to - from);
    name[to - from] = 0;
    int next = openat(fd, name, HOW), eno = errno;
    close(fd);
    errno = eno;
    fd = next;
    from = to + 1;
  }
  return fd;
}

static int open_by_steps(int root, const char *path, int flags, mode_t mode) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    return openat(root, path, flags | O_NOFOLLOW, mode);
  int dir = dir_by_steps(root, (hm_str){ path, (size_t)(slash - path) });
  if (dir < 0)
    return -1;
  int fd = openat(dir, slash + 1, flags | O_NOFOLLOW, mode), eno = errno;
  close(dir);
  errno = eno;
  return fd;
}

/* EPERM: of sandboxes that do not know the call. */
int hm_fs_open_at(int root, const char *path, int flags, mode_t mode) {
  struct open_how how = { .flags = (unsigned)flags, .mode = mode, .resolve = RESOLVE_NO_SYMLINKS };
  long fd = syscall(SYS_openat2, root, path, &how, sizeof how);
  if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
    return (int)fd;
  return open_by_steps(root, path, flags, mode);
}

int hm_fs_open_folder_at(int root, hm_str path) {
  char z[PATH_MAX];
  if (path.n >= sizeof z) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(z, path.n ? path.p : ".", path.n ? path.n : 1);
  z[path.n ? path.n : 1] = 0;
  return hm_fs_open_at(root, z, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
}

int hm_fs_write(int fd, hm_str bytes) {
  for (size_t done = 0; done < bytes.n;) {
    ssize_t n = write(fd, bytes.p + done, bytes.n - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return -1;
    done += (size_t)n;
  }
  return 0;
}

/* Reads until the end of the file or n bytes. */
static ssize_t read_up_to(int fd, char *p, size_t n) {
  size_t done = 0;
  while (done < n) {
    ssize_t got = read(fd, p + done, n - done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    done += (size_t)got;
  }
  return (ssize_t)done;
}

int hm_fs_open_regular(int dir, const char *name, int flags, size_t max, size_t *n) {
  struct stat st;
  int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);
  if (fd < 0)
    return -1;
  errno = fstat(fd, &st) != 0 ? errno : !S_ISREG(st.st_mode) ? EINVAL : 0;
  if (!errno && (uintmax_t)st.st_size > max)
    errno = EFBIG;
  if (!errno) {
    *n = (size_t)st.st_size;
    return fd;
  }
  int eno = errno;
  close(fd);
  errno = eno;
  return -1;
}

int hm_fs_read_at(int dir, const char *name, size_t max, hm_arena *a, hm_str *out) {
  size_t size;
  int fd = hm_fs_open_regular(dir, name, O_NOFOLLOW, max, &size);
  if (fd < 0)
    return -1;
  char *p = hm_alloc(a, size + 1);
  ssize_t n = read_up_to(fd, p, size);
  int eno = errno;
  close(fd);
  errno = eno;
  *out = (hm_str){ p, n > 0 ? (size_t)n : 0 };
  return n < 0 ? -1 : 0;
}

int hm_fs_mkdirs(const char *path) {
  char part[PATH_MAX];
  size_t n = strlen(path);
  if (n >= sizeof part) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(part, path, n + 1);
  for (size_t i = 1; i <= n; i++) {
    if (part[i] != '/' && part[i] != 0)
      continue;
    part[i] = 0;
    if (mkdir(part, 0755) != 0 && errno != EEXIST)
      return -1;
    part[i] = path[i];
  }
  return 0;
}

static int remove_at(int dir, const char *name, int depth);

static int remove_inside(int dir, const char *name, int depth) {
  int rc = 0;
  int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return -1;
  DIR *d = fdopendir(fd);
  if (!d) {
    close(fd);
    return -1;
  }
  for (struct dirent *e; (e = readdir(d));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
        remove_at(fd, e->d_name, depth + 1) != 0)
      rc = -1;
  int eno = errno;
  closedir(d);
  errno = eno;
  return rc;
}

static int remove_at(int dir, const char *name, int depth) {
  if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
    return 0;
  if (errno != EISDIR && errno != EPERM)
    return -1;
  if (unlinkat(dir, name, AT_REMOVEDIR) == 0)
    return 0;
  if (errno != ENOTEMPTY && errno != EEXIST)
    return -1;
  if (depth > 2 * HM_FS_DEPTH) {
    errno = ELOOP;
    return -1;
  }
  if (remove_inside(dir, name, depth) != 0)
    return -1;
  return unlinkat(dir, name, AT_REMOVEDIR);
}

int hm_fs_remove(int dir, const char *name) { return remove_at(dir, name, 0); }

int hm_fs_clear_folder(int dir) { return remove_inside(dir, ".", 0); }

int hm_fs_sync_dir(int dir, const char *path) {
  int fd = openat(dir, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return -1;
  int rc = fsync(fd), eno = errno;
  close(fd);
  errno = eno;
  return rc;
}

hm_str hm_fs_parent(hm_str path) {
  const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;
  return slash ? (hm_str){ path.p, (size_t)(slash - path.p) } : HM_EMPTY;
}

/* --- locks --------------------------------------------------------------------------- */

/* One that has waited long asks more often: those that came later do not overtake it for ever. */
enum { LOCK_STEP_MS = 20, LONG_WAIT_MS = 1000, LONG_WAIT_STEP_MS = 2 };

void hm_sleep_ms(int ms) {
  struct timespec t = { ms / 1000, (long)(ms % 1000) * 1000000 };
  nanosleep(&t, NULL);
}

/* A holder removes or renames the file before it releases the lock, so a lock on a file that has
 * lost its name is worthless. */
static bool is_still_named(int fd, int dir, const char *name) {
  struct stat mine, named;
  return fstat(fd, &mine) == 0 && fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
      mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

int hm_open_locked(int dir, const char *name, int flags, mode_t mode, int wait_ms) {
  for (int waited = 0, step = LOCK_STEP_MS;; waited += step) {
    int fd = openat(dir, name, flags, mode);
    if (fd < 0)
      return -1;
    bool got = flock(fd, LOCK_EX | LOCK_NB) == 0;
    int eno = errno;
    if (got && is_still_named(fd, dir, name))
      return fd;
    close(fd);
    errno = eno;
    if (!got && ((eno != EWOULDBLOCK && eno != EINTR) || waited >= wait_ms))
      return -1;
    if (got)
      continue;
    if (waited >= LONG_WAIT_MS)
      step = LONG_WAIT_STEP_MS;
    hm_sleep_ms(step);
  }
}

static long lock_holder(int fd) {
  char text[32] = "";
  ssize_t n = pread(fd, text, sizeof text - 1, 0);
  return n > 0 ? strtol(text, NULL, 10) : 0;
}

static int fail_busy(int dir, const char *name, const char *shown, hm_err *err) {
  int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  long pid = fd < 0 ? 0 : lock_holder(fd);
  if (fd >= 0)
    close(fd);
  static const char fix[] = "wait for it to end, then run this again";
  if (!pid)
    return hm_fail(err, HM_E_BUSY, shown, "locked by another hmirror", fix);
  return hm_failf(err, HM_E_BUSY, shown, fix, "locked by another hmirror (process %ld)", pid);
}

int hm_lock_take(hm_lock *l, int dir, const char *name, const char *shown, int wait_ms,
                 hm_err *err) {
  *l = (hm_lock){ .dir = dir, .fd = -1 };
  if (snprintf(l->name, sizeof l->name, "%s", name) >= (int)sizeof l->name) {
    errno = ENAMETOOLONG;
    return hm_fs_fail(err, shown, "make the lock file");
  }
  l->fd = hm_open_locked(dir, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666,
                         wait_ms);
  if (l->fd < 0 && (errno == EWOULDBLOCK || errno == EINTR))
    return fail_busy(dir, name, shown, err);
  if (l->fd < 0)
    return hm_fs_fail(err, shown, "make the lock file");
  l->died = lock_holder(l->fd) != 0;
  /* Our process id over the last holder's, without truncating first: so the file shows after a kill
   * at any point that its holder died. On a full disk it does not. */
  char pid[32];
  int n = snprintf(pid, sizeof pid, "%-20ld\n", (long)getpid());
  (void)!pwrite(l->fd, pid, (size_t)n, 0);
  return 0;
}

void hm_lock_release(hm_lock *l) {
  if (l->fd < 0)
    return;
  unlinkat(l->dir, l->name, 0);
  close(l->fd);
  l->fd = -1;
}
