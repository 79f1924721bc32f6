#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gen/sink/git_impl.h"

static int refuse(const char *path, const char *why, hm_err *err) {
  return hm_fail(err, HM_E_OUTPUT, path, why,
                 "move it away; git fsck tells what the repository lacks then");
}

static int check(const char *base, const char *name, bool is_ref, hm_err *err) {
  char path[PATH_MAX];
  struct stat st;
  if (snprintf(path, sizeof path, "%s/%s", base, name) >= (int)sizeof path)
    return 0; /* libgit2 says so */
  if (is_ref && lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
    return refuse(path, "a symbolic link, and no branch is written through one", err);
  if (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) return 0;
  return refuse(path, "not a regular file", err);
}

/* --- links ------------------------------------------------------------------------ */

static int check_link(int dir, const char *shown, hm_str name, hm_err *err) {
  char path[PATH_MAX];
  struct stat st;
  if (snprintf(path, sizeof path, "%.*s", HM_FMT(name)) >= (int)sizeof path) return 0;
  if (fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISLNK(st.st_mode)) return 0;
  if (snprintf(path, sizeof path, "%s%.*s", shown, HM_FMT(name)) >= (int)sizeof path) path[0] = 0;
  return refuse(path, "a symbolic link, through which a repository is not written", err);
}

/* "refs", "refs/heads", "refs/heads/mirror". */
static int check_steps(int dir, const char *shown, const char *path, hm_err *err) {
  hm_str all = hm_str_c(path);
  for (size_t i = 1; i <= all.n; i++)
    if ((i == all.n || all.p[i] == '/') && check_link(dir, shown, hm_str_sub(all, 0, i), err))
      return -1;
  return 0;
}

/* Its folders by the first two digits of an id, among others. */
static int check_objects(int dir, const char *shown, hm_err *err) {
  int rc = 0, fd = openat(dir, "objects", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *d = fd < 0 ? NULL : fdopendir(fd);
  for (struct dirent *e; d && !rc && (e = readdir(d));) {
    char name[NAME_MAX + 16];
    if (e->d_type != DT_LNK && e->d_type != DT_UNKNOWN) continue;
    snprintf(name, sizeof name, "objects/%s", e->d_name);
    rc = check_link(dir, shown, hm_str_c(name), err);
  }
  if (d) closedir(d);
  else if (fd >= 0) close(fd);
  return rc;
}

int hm_git_check_links(int dir, const char *shown, const char *ref, hm_err *err) {
  static const char *const names[] = { "packed-refs",       "hmirror.lock", "hmirror.packs",
                                       "hmirror.packs.new", "objects",      "objects/info",
                                       "logs/HEAD" };
  char log[PATH_MAX];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (check_steps(dir, shown, names[i], err)) return -1;
  if (check_objects(dir, shown, err) || check_steps(dir, shown, ref, err)) return -1;
  if (snprintf(log, sizeof log, "logs/%s", ref) >= (int)sizeof log) return 0;
  return check_steps(dir, shown, log, err);
}

/* --- kinds ------------------------------------------------------------------------ */

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
