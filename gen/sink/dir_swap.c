#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gen/sink/dir_impl.h"

int hm_dir_swap_in_two(int parent, const char *temp, const char *base) {
  char aside[NAME_MAX + 1];
  if (snprintf(aside, sizeof aside, "%s.hmirror-0", base) >= (int)sizeof aside) {
    errno = ENAMETOOLONG;
    return -1;
  }
  if (renameat(parent, base, parent, aside) != 0) return -1;
  if (renameat(parent, temp, parent, base) != 0) {
    int eno = errno;
    renameat(parent, aside, parent, base);
    errno = eno;
    return -1;
  }
  return renameat(parent, aside, parent, temp);
}

static bool unsupported(int eno) { return eno == EINVAL || eno == ENOSYS || eno == EOPNOTSUPP; }

int hm_dir_swap(const hm_dir_target *t, hm_err *err) {
  int rc;
  if (t->old < 0) {
    rc = renameat2(t->parent, t->temp, t->parent, t->base, RENAME_NOREPLACE);
    if (rc != 0 && unsupported(errno)) rc = renameat(t->parent, t->temp, t->parent, t->base);
  } else {
    rc = renameat2(t->parent, t->temp, t->parent, t->base, RENAME_EXCHANGE);
    if (rc != 0 && unsupported(errno)) rc = hm_dir_swap_in_two(t->parent, t->temp, t->base);
  }
  return rc == 0 ? 0 : hm_fs_fail(err, t->real, "put the new files in place");
}
