#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/sink/dir_impl.h"

typedef struct {
  hm_dir_entry *e; size_t n, cap;
  const char *shown;
  hm_arena *a;
  hm_err *err;
} scan;

static hm_dir_entry *add(scan *s, hm_str path, const struct stat *st) {
  if (s->n == s->cap) {
    s->cap = s->cap ? s->cap * 2 : 1024;
    s->e = hm_xrealloc(s->e, s->cap * sizeof *s->e);
  }
  s->e[s->n] = (hm_dir_entry){ .path = path, .st = *st };
  return &s->e[s->n++];
}

static int scan_dir(scan *s, int dir, hm_str path, int depth);

static int scan_entry(scan *s, int dir, hm_str under, const char *name, int depth) {
  struct stat st;
  if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return 0;   /* gone while we looked */
    return hm_fs_fail(s->err, s->shown, "look at its files");
  }
  hm_str path =
      under.n ? hm_str_fmt(s->a, "%.*s/%s", HM_FMT(under), name) : hm_str_dup(s->a, hm_str_c(name));
  add(s, path, &st);
  if (!S_ISDIR(st.st_mode)) return 0;
  int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return hm_fs_fail(s->err, path.p, "open the folder");
  return scan_dir(s, fd, path, depth + 1);
}

/* Takes dir over. */
static int scan_dir(scan *s, int dir, hm_str path, int depth) {
  if (depth > HM_FS_DEPTH) {
    close(dir);
    return hm_fail(s->err, HM_E_OUTPUT, s->shown, "it holds folders nested too deep",
                   "choose another folder for the output");
  }
  DIR *d = fdopendir(dir);
  if (!d) {
    hm_fs_fail(s->err, s->shown, "read the folder");
    close(dir);
    return -1;
  }
  int rc = 0;
  while (rc == 0) {
    errno = 0;
    struct dirent *e = readdir(d);
    if (!e && errno)
      rc = hm_fs_fail(s->err, s->shown, "read the folder"); /* what was not seen would be lost */
    if (!e) break;
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
      rc = scan_entry(s, dir, path, e->d_name, depth);
  }
  closedir(d);
  return rc;
}

static int by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_dir_entry *)x)->path, ((const hm_dir_entry *)y)->path);
}

int hm_dir_scan_tree(int root, const char *shown, hm_arena *a, hm_dir_scan *out, hm_err *err) {
  scan s = { .shown = shown, .a = a, .err = err };
  int rc = -1;
  *out = (hm_dir_scan){ 0 };
  int fd = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    hm_fs_fail(err, shown, "open the folder");
    goto out;
  }
  if (scan_dir(&s, fd, HM_EMPTY, 0) != 0) goto out;
  if (s.n) qsort(s.e, s.n, sizeof *s.e, by_path);
  out->n = s.n;
  out->e = hm_alloc_array(a, s.n, sizeof *s.e);
  if (s.n) memcpy(out->e, s.e, s.n * sizeof *s.e);
  rc = 0;
out:
  free(s.e);
  return rc;
}
