#include "gen/mirror/files.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *hm_path_join(hm_arena *a, const char *dir, const char *name) {
  if (name[0] == '/' || !dir[0] || strcmp(dir, ".") == 0) return name;
  size_t n = strlen(dir);
  return hm_str_fmt(a, "%s%s%s", dir, dir[n - 1] == '/' ? "" : "/", name).p;
}

int hm_make_parents(hm_arena *a, const char *path, hm_err *err) {
  char *p = hm_str_z(a, hm_str_c(path));
  for (char *slash = p + (p[0] == '/'); (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    if (mkdir(p, 0777) && errno != EEXIST)
      return hm_fail(err, HM_E_OUTPUT, p, strerror(errno), hm_errno_fix(errno));
    *slash = '/';
  }
  return 0;
}

/* Reads to the end; the size of a file may change meanwhile. */
static int read_all(int fd, hm_arena *a, size_t size, const char *path, hm_code code, hm_str *out,
                    hm_err *err) {
  char *p = hm_alloc(a, size + 1);
  size_t n = 0;
  while (n < size) {
    ssize_t got = read(fd, p + n, size - n);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return hm_fail(err, code, path, strerror(errno), hm_errno_fix(errno));
    if (got == 0) break;
    n += (size_t)got;
  }
  *out = (hm_str){ p, n };
  return 0;
}

int hm_file_read(hm_arena *a, const char *path, size_t max, hm_code code, hm_str *out,
                 hm_err *err) {
  struct stat st;
  int rc = -1, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return hm_fail(err, code, path, strerror(errno), hm_errno_fix(errno));
  if (fstat(fd, &st)) { hm_fail(err, code, path, strerror(errno), hm_errno_fix(errno)); goto out; }
  if (!S_ISREG(st.st_mode)) { hm_fail(err, code, path, "not a regular file", NULL); goto out; }
  if ((size_t)st.st_size > max) {
    hm_failf(err, code, path, "", "%lld bytes, and at most %zu are read", (long long)st.st_size,
             max);
    goto out;
  }
  rc = read_all(fd, a, (size_t)st.st_size, path, code, out, err);
out:
  close(fd);
  return rc;
}

static int cannot_write(const char *path, hm_err *err) {
  return hm_fail(err, HM_E_OUTPUT, path, strerror(errno), hm_errno_fix(errno));
}

static char *copy_of(const char *z) {
  size_t n = strlen(z) + 1;
  return memcpy(hm_xmalloc(n), z, n);
}

/* A name that nothing has, beside f->path; f->tmp is it. */
static int open_beside(hm_file_out *f, mode_t mode) {
  size_t n = strlen(f->path) + 32;
  int fd = -1;
  f->tmp = hm_xmalloc(n);
  for (int i = 0; i < 100; i++) {
    snprintf(f->tmp, n, "%s.hmirror-%ld-%d", f->path, (long)getpid(), i);
    fd = open(f->tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0 || errno != EEXIST) break;
  }
  return fd;
}

int hm_file_begin(hm_file_out *f, const char *path, hm_err *err) {
  struct stat st;
  *f = (hm_file_out){ 0 };
  bool there = stat(path, &st) == 0;
  if (there && !S_ISREG(st.st_mode)) {
    if (!(f->out = fopen(path, "we"))) return cannot_write(path, err);
    f->path = copy_of(path);
    return 0;
  }
  char *real = realpath(path, NULL);   /* through a link: its target is replaced, not the link */
  f->path = real ? real : copy_of(path);
  int fd = open_beside(f, there ? 0600 : 0666);
  /* What only its owner could read stays so. */
  if (fd >= 0 && (!there || fchmod(fd, st.st_mode & 0777) == 0)) f->out = fdopen(fd, "w");
  if (f->out) return 0;
  cannot_write(path, err);
  if (fd >= 0) {
    close(fd);
    unlink(f->tmp);
  }
  free(f->tmp);
  free(f->path);
  *f = (hm_file_out){ 0 };
  return -1;
}

int hm_file_end(hm_file_out *f, bool ok, hm_err *err) {
  int rc = ok ? 0 : -1;
  bool failed = ferror(f->out) != 0;
  if (!rc && (failed || fflush(f->out) || (f->tmp && fsync(fileno(f->out)))))
    rc = cannot_write(f->path, err);
  if (fclose(f->out) && !rc) rc = cannot_write(f->path, err);
  if (!rc && f->tmp && rename(f->tmp, f->path)) rc = cannot_write(f->path, err);
  if (rc && f->tmp) unlink(f->tmp);
  free(f->tmp);
  free(f->path);
  return rc;
}

int hm_file_write(const char *path, hm_str bytes, hm_err *err) {
  hm_file_out f;
  if (hm_file_begin(&f, path, err)) return -1;
  fwrite(bytes.p, 1, bytes.n, f.out);
  return hm_file_end(&f, true, err);
}
