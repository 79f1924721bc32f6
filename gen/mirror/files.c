/* Reads files and folders of the user within limits; writes a file whole or not at all. */
#include "gen/mirror/files.h"
#include "core/base/sort.h"
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *hm_path_join(hm_arena *a, const char *dir, const char *name) {
  if (name[0] == '/' || !dir[0] || strcmp(dir, ".") == 0)
    return name;
  size_t n = strlen(dir);
  return hm_str_fmt(a, "%s%s%s", dir, dir[n - 1] == '/' ? "" : "/", name).p;
}

int hm_make_parent_folders(hm_arena *a, const char *path, hm_err *err) {
  char *p = hm_str_z(a, hm_str_c(path));
  for (char *slash = p + (p[0] == '/'); (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    if (mkdir(p, 0777) && errno != EEXIST)
      return hm_fail(err, HM_E_OUTPUT, p, strerror(errno), hm_errno_suggest_fix(errno));
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
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return hm_fail(err, code, path, strerror(errno), hm_errno_suggest_fix(errno));
    if (got == 0)
      break;
    n += (size_t)got;
  }
  *out = (hm_str){ p, n };
  return 0;
}

int hm_file_read(hm_arena *a, const char *path, size_t max, hm_code code, hm_str *out,
                 hm_err *err) {
  struct stat st;
  int rc = -1, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return hm_fail(err, code, path, strerror(errno), hm_errno_suggest_fix(errno));
  if (fstat(fd, &st)) {
    hm_fail(err, code, path, strerror(errno), hm_errno_suggest_fix(errno));
    goto out;
  }
  if (!S_ISREG(st.st_mode)) {
    hm_fail(err, code, path, "not a regular file", NULL);
    goto out;
  }
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
  return hm_fail(err, HM_E_OUTPUT, path, strerror(errno), hm_errno_suggest_fix(errno));
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
    if (fd >= 0 || errno != EEXIST)
      break;
  }
  return fd;
}

int hm_file_begin(hm_file_out *f, const char *path, hm_err *err) {
  struct stat st;
  *f = (hm_file_out){ 0 };
  bool there = stat(path, &st) == 0;
  if (there && !S_ISREG(st.st_mode)) {
    if (!(f->out = fopen(path, "we")))
      return cannot_write(path, err);
    f->path = copy_of(path);
    return 0;
  }
  char *real = realpath(path, NULL); /* through a link: its target is replaced, not the link */
  f->path = real ? real : copy_of(path);
  int fd = open_beside(f, there ? 0600 : 0666);
  /* What only its owner could read stays so. */
  if (fd >= 0 && (!there || fchmod(fd, st.st_mode & 0777) == 0))
    f->out = fdopen(fd, "w");
  if (f->out)
    return 0;
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
  if (fclose(f->out) && !rc)
    rc = cannot_write(f->path, err);
  if (!rc && f->tmp && rename(f->tmp, f->path))
    rc = cannot_write(f->path, err);
  if (rc && f->tmp)
    unlink(f->tmp);
  free(f->tmp);
  free(f->path);
  return rc;
}

int hm_file_write(const char *path, hm_str bytes, hm_err *err) {
  hm_file_out f;
  if (hm_file_begin(&f, path, err))
    return -1;
  fwrite(bytes.p, 1, bytes.n, f.out);
  return hm_file_end(&f, true, err);
}

/* --- where a path leads ----------------------------------------------------------------- */

enum { LINKS_MAX = 40, PATH_LONGEST = 8192 };

/* Appends "/name" to place. 1: it is a link, whose target is in *target; -1: it cannot be told. */
static int enter(hm_arena *a, hm_buf *place, hm_str name, hm_str *target) {
  struct stat st;
  char to[PATH_LONGEST];
  hm_buf_ch(place, '/');
  hm_buf_str(place, name);
  const char *path = hm_buf_copy(place, a).p;
  if (lstat(path, &st))
    return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
  if (!S_ISLNK(st.st_mode))
    return 0;
  ssize_t n = readlink(path, to, sizeof to);
  if (n <= 0 || (size_t)n == sizeof to)
    return -1;
  *target = hm_str_dup(a, (hm_str){ to, (size_t)n });
  return 1;
}

/* As realpath, but the end of the path, and what a link names, may be absent: the folders that
 * hmirror then makes are no links. Cost: O(components + links), a system call each. */
const char *hm_path_resolve(hm_arena *a, const char *path) {
  hm_buf place = { 0 };
  char *here = *path == '/' ? NULL : realpath(".", NULL);
  const char *out = NULL;
  hm_str rest = hm_str_c(path), target;
  int links = 0;
  if (*path != '/' && !here)
    return NULL;
  hm_buf_c(&place, here && strcmp(here, "/") != 0 ? here : "");
  while (rest.n) {
    ptrdiff_t slash = hm_str_find(rest, "/");
    hm_str name = slash < 0 ? rest : hm_str_sub(rest, 0, (size_t)slash);
    size_t before = place.n;
    rest = hm_str_sub(rest, name.n + 1, rest.n);
    if (!name.n || hm_str_is(name, "."))
      continue;
    if (hm_str_is(name, "..")) {
      while (place.n && place.p[--place.n] != '/') {
      }
      continue;
    }
    int is_link = enter(a, &place, name, &target);
    if (is_link < 0 || (is_link && ++links > LINKS_MAX) || place.n > PATH_LONGEST)
      goto out;
    if (!is_link)
      continue;
    place.n = target.p[0] == '/' ? 0 : before;
    rest = HM_CAT(a, target, HM_STR("/"), rest);
  }
  out = place.n ? hm_buf_copy(&place, a).p : "/";
out:
  hm_buf_free(&place);
  free(here);
  return out;
}

bool hm_path_leads_out(hm_arena *a, const char *folder, const char *path) {
  const char *root = hm_path_resolve(a, *folder ? folder : "."), *real = hm_path_resolve(a, path);
  if (!root || !real)
    return true;
  size_t n = strlen(root);
  return n > 1 && (strncmp(real, root, n) != 0 || (real[n] && real[n] != '/'));
}

/* --- folders ------------------------------------------------------------------------ */

enum { DEEPEST = 16 };

/* A link out of the folder would publish what whoever made it only knew the name of.
 *
 * One entry of the walk; names without their folder begin at `from` in its path. */
static int read_entry(hm_arena *a, FTS *walk, FTSENT *e, const char *root, size_t from, bool hidden,
                      const hm_folder_limits *lim, hm_folder *out, hm_err *err) {
  const char *path = e->fts_path;
  struct stat st;
  if (e->fts_level == 0 || e->fts_info == FTS_DP)
    return 0;
  if ((!hidden && e->fts_name[0] == '.') || e->fts_name[e->fts_namelen - 1] == '~')
    return fts_set(walk, e, FTS_SKIP);
  if (e->fts_info == FTS_D)
    return e->fts_level < DEEPEST
        ? 0
        : hm_failf(err, HM_E_INPUT, path, "", "folders are nested more than %d deep", DEEPEST);
  if (e->fts_info == FTS_DNR || e->fts_info == FTS_NS || e->fts_info == FTS_ERR ||
      stat(path, &st)) {
    int eno = e->fts_errno ? e->fts_errno : errno;
    return hm_fail(err, HM_E_INPUT, path, strerror(eno), hm_errno_suggest_fix(eno));
  }
  if (!S_ISREG(st.st_mode))
    return hm_fail(err, HM_E_INPUT, path, "neither a regular file nor a folder",
                   "move it elsewhere");
  if (S_ISLNK(e->fts_statp->st_mode) && hm_path_leads_out(a, root, path))
    return hm_fail(err, HM_E_INPUT, path, "a link to a file outside of its folder",
                   "put a copy there");
  if (out->n == lim->max_files)
    return hm_failf(err, HM_E_INPUT, path, "", "one file too many: at most %zu %s are read",
                    lim->max_files, lim->what);
  if ((out->n & (out->n - 1)) == 0) { /* it is full at 0, 1, 2, 4, ... */
    hm_folder_file *v = hm_alloc_array(a, out->n ? 2 * out->n : 1, sizeof *v);
    if (out->n)
      memcpy(v, out->v, out->n * sizeof *v);
    out->v = v;
  }
  path = hm_str_dup(a, hm_str_c(path)).p;
  hm_folder_file *f = &out->v[out->n++];
  *f = (hm_folder_file){ .name = hm_str_c(path + from), .path = path };
  return hm_file_read(a, path, lim->max_bytes, HM_E_INPUT, &f->bytes, err);
}

int hm_folder_read(hm_arena *a, const char *folder, bool must, bool hidden,
                   const hm_folder_limits *lim, hm_folder *out, hm_err *err) {
  static const char another[] = "make that folder, or name another in mirror.yml";
  struct stat st;
  *out = (hm_folder){ 0 };
  if (stat(folder, &st)) {
    if (errno == ENOENT && !must)
      return 0;
    return hm_fail(err, HM_E_INPUT, folder, strerror(errno),
                   errno == ENOENT ? another : hm_errno_suggest_fix(errno));
  }
  if (!S_ISDIR(st.st_mode))
    return hm_fail(err, HM_E_INPUT, folder, "not a folder", another);
  char *root = realpath(folder, NULL), *const paths[] = { hm_str_z(a, hm_str_c(folder)), NULL };
  FTS *walk = root ? fts_open(paths, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL) : NULL;
  size_t from = strlen(folder) + (folder[strlen(folder) - 1] != '/');
  int rc =
      walk ? 0 : hm_fail(err, HM_E_INPUT, folder, strerror(errno), hm_errno_suggest_fix(errno));
  for (FTSENT *e; !rc && (e = fts_read(walk));)
    rc = read_entry(a, walk, e, root, from, hidden, lim, out, err);
  if (walk)
    fts_close(walk);
  free(root);
  if (!rc && out->n)
    qsort(out->v, out->n, sizeof *out->v, hm_order_str);
  return rc;
}
