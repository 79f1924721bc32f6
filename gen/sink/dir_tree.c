#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "gen/sink/dir_impl.h"

/* A umask, an access list or a group that is passed on shows in the first folder, and what stands
 * in it is made alike. */
static int look_at_modes(hm_dir_tree *t, int fd) {
  struct stat st;
  if (fstat(fd, &st) != 0) return -1;
  t->plain = (st.st_mode & 07777) == 0755;
  return t->plain ? 0 : fchmod(fd, 0755);
}

static int make(hm_dir_tree *t, hm_err *err) {
  const hm_dir_target *to = t->target;
  if (mkdirat(to->parent, to->temp, 0755) != 0)
    return hm_fs_fail(err, to->real, "make a folder beside it");
  int fd = openat(to->parent, to->temp, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return hm_fs_fail(err, to->real, "open the new folder");
  if (look_at_modes(t, fd) != 0) {
    hm_fs_fail(err, to->real, "make the new folder");
    close(fd);
    return -1;
  }
  if (t->durable) hm_dir_pump_start(&t->pump, fd);
  return fd;
}

int hm_dir_tree_fd(hm_dir_tree *t, hm_err *err) {
  int fd = atomic_load(&t->fd);
  if (fd >= 0) return fd;
  pthread_mutex_lock(&t->lock);
  fd = atomic_load(&t->fd);
  if (fd < 0) {
    fd = make(t, err);
    atomic_store(&t->fd, fd);
  }
  pthread_mutex_unlock(&t->lock);
  return fd;
}

int hm_dir_fail_at(const char *shown, hm_str path, const char *verb, hm_err *err) {
  char what[PATH_MAX];
  hm_buf full = { 0 };
  int eno = errno;
  hm_buf_fmt(&full, "%s/%.*s", shown, HM_FMT(path));
  size_t n = full.n < sizeof what - 1 ? full.n : sizeof what - 1;
  memcpy(what, full.p, n);
  what[n] = 0;
  hm_buf_free(&full);
  errno = eno;
  return hm_fs_fail(err, what, verb);
}

int hm_dir_tree_mkdir(const hm_dir_tree *t, const char *path) {
  int fd = atomic_load(&t->fd);
  if (mkdirat(fd, path, 0755) != 0) return errno == EEXIST ? 0 : -1;
  return t->plain ? 0 : fchmodat(fd, path, 0755, 0);
}

/* Mostly all but the last are there. */
static int make_parents(const hm_dir_tree *t, char *path) {
  char *slash = strrchr(path, '/');
  if (!slash) return 0;
  *slash = 0;
  int rc = hm_dir_tree_mkdir(t, path);
  if (rc != 0 && errno == ENOENT && make_parents(t, path) == 0) rc = hm_dir_tree_mkdir(t, path);
  *slash = '/';
  return rc;
}

/* Nearly always the folder is there, and then this is one call. */
static int create(const hm_dir_tree *t, char *path) {
  enum { HOW = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC };
  int root = atomic_load(&t->fd), fd = hm_fs_open_at(root, path, HOW, 0644);
  if (fd >= 0 || errno != ENOENT) return fd;
  return make_parents(t, path) == 0 ? hm_fs_open_at(root, path, HOW, 0644) : -1;
}

static int fill(const hm_dir_tree *t, int fd, hm_str bytes, bool sync) {
  if (hm_fs_write(fd, bytes) != 0 || (!t->plain && fchmod(fd, 0644) != 0)) return -1;
  return sync ? fsync(fd) : 0;
}

/* path as a C string in z[PATH_MAX]; -1 and errno when it is too long. */
static int to_z(hm_str path, char *z) {
  errno = ENAMETOOLONG;
  if (path.n >= PATH_MAX) return -1;
  memcpy(z, path.p, path.n);
  z[path.n] = 0;
  return 0;
}

int hm_dir_tree_write(hm_dir_tree *t, hm_str path, hm_str bytes, bool sync) {
  char z[PATH_MAX];
  if (to_z(path, z) != 0) return -1;
  int fd = create(t, z);
  if (fd < 0) return -1;
  int rc = fill(t, fd, bytes, sync), eno = errno;
  if (close(fd) != 0 && rc == 0) rc = -1, eno = errno;
  if (rc != 0) unlinkat(atomic_load(&t->fd), z, 0);
  else hm_dir_pump_add(&t->pump, bytes.n);
  errno = eno;
  return rc;
}

int hm_dir_tree_sync(const hm_dir_tree *t, hm_str path) {
  char z[PATH_MAX];
  if (to_z(path, z) != 0) return -1;
  int fd = hm_fs_open_at(atomic_load(&t->fd), z, O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0);
  if (fd < 0) return -1;
  int rc = fsync(fd), eno = errno;
  close(fd);
  errno = eno;
  return rc;
}
