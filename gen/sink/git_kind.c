#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "gen/sink/git_impl.h"

static int refuse(const char *path, const char *why, hm_err *err) {
  return hm_fail(err, HM_E_OUTPUT, path, why, "move it away; git fsck tells what the repository lacks then");
}

static int check(const char *base, const char *name, bool is_ref, hm_err *err) {
  char path[PATH_MAX];
  struct stat st;
  if (snprintf(path, sizeof path, "%s/%s", base, name) >= (int)sizeof path) return 0;   /* libgit2 says so */
  if (is_ref && lstat(path, &st) == 0 && S_ISLNK(st.st_mode)) return refuse(path, "a symbolic link, and no branch is written through one", err);
  if (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) return 0;
  return refuse(path, "not a regular file", err);
}

int hm_git_check_kinds(const char *repo, const char *ref, hm_err *err) {
  static const char *const folders[] = { "%s", "%s/.git" };
  static const char *const names[] = { "HEAD", "config", "packed-refs" };
  char base[PATH_MAX];
  for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
    if (snprintf(base, sizeof base, folders[f], repo) >= (int)sizeof base) continue;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (check(base, names[i], false, err)) return -1;
    if (ref && check(base, ref, true, err)) return -1;
  }
  return 0;
}
