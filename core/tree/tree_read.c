/* The bytes of a file of a tree: no link is followed on the way to it, and what grew over the limit
 * since it was found is not read. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/tree/tree.h"

/* Opens the folder of the file part by part, so that no part is a link. */
static int open_below(const hm_tree_file *f, hm_arena *a) {
  int dir = open(f->folder.p, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  for (size_t i = 0, from = 0; i <= f->below.n && dir >= 0; i++) {
    if (i < f->below.n && f->below.p[i] != '/')
      continue;
    char *part = hm_str_z(a, hm_str_sub(f->below, from, i));
    int flags = i < f->below.n ? O_DIRECTORY : O_NONBLOCK;
    int next = openat(dir, part, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags);
    int code = errno;
    close(dir);
    errno = code;
    dir = next;
    from = i + 1;
  }
  return dir;
}

int hm_tree_read(const hm_tree_file *f, hm_arena *a, hm_str *bytes, hm_err *err) {
  struct stat st;
  if (f->past.p) {
    *bytes = f->past;
    return 0;
  }
  int fd = open_below(f, a);
  if (fd < 0)
    return hm_fail(err, HM_E_INPUT, f->path.p, strerror(errno), hm_errno_suggest_fix(errno));
  size_t n = 0;
  char *p = NULL;
  ssize_t got = 1;
  bool fits = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= HM_TREE_FILE_MAX;
  size_t room = fits ? (size_t)st.st_size + 1 : 0;
  if (fits)
    p = hm_alloc(a, room);
  while (fits && n < room && (got = read(fd, p + n, room - n)) > 0)
    n += (size_t)got;
  int code = errno;
  close(fd);
  if (got < 0)
    return hm_fail(err, HM_E_INPUT, f->path.p, strerror(code), hm_errno_suggest_fix(code));
  if (!fits || n == room)
    return hm_fail(err, HM_E_INPUT, f->path.p, "changed while it was read", "try again");
  *bytes = (hm_str){ p, n };
  return 0;
}
