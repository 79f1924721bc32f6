/* Checks who owns a repository and whether it is safe to open, and reports errors. */
#include "gen/sink/git_common.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int hm_git_fail_at(const char *repo, const char *verb, hm_err *err) {
  const git_error *e = git_error_last();
  return hm_failf(
      err, HM_E_OUTPUT, repo,
      "check its permissions and the space on its disk; git fsck tells whether it is damaged",
      "cannot %s: %s", verb, e && e->message ? e->message : "unknown error");
}

/* libgit2 reports "not found" also for a repository of another user. */
bool hm_git_is_foreign(const char *path, int rc) {
  struct stat st;
  return rc == GIT_EOWNER || (stat(path, &st) == 0 && st.st_uid != geteuid());
}

int hm_git_fail_foreign(const char *path, hm_err *err) {
  return hm_fail(
      err, HM_E_OUTPUT, path, "the repository belongs to another user",
      "chown it, or say: git config --global --add safe.directory FULL-PATH-OF-THE-REPOSITORY");
}

bool hm_git_commit_is_ours(const git_commit *c) {
  git_message_trailer_array t = { 0 };
  bool ours = false;
  if (git_message_trailers(&t, git_commit_message(c)) < 0)
    return false;
  for (size_t i = 0; i < t.count; i++)
    if (strcmp(t.trailers[i].key, "Mirror-Tool") == 0)
      ours = true;
  git_message_trailer_array_free(&t);
  return ours;
}

int hm_git_refuse_file(const char *path, const char *why, hm_err *err) {
  return hm_fail(err, HM_E_OUTPUT, path, why,
                 "move it away; git fsck tells what the repository lacks then");
}

static int check_kind(const char *base, const char *name, bool is_ref, hm_err *err) {
  char path[PATH_MAX];
  struct stat st;
  if (snprintf(path, sizeof path, "%s/%s", base, name) >= (int)sizeof path)
    return 0; /* libgit2 says so */
  if (is_ref && lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
    return hm_git_refuse_file(path, "a symbolic link, and no branch is written through one", err);
  if (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
    return 0;
  return hm_git_refuse_file(path, "not a regular file", err);
}

int hm_git_check_file_kinds(const char *repo, const char *ref, hm_err *err) {
  static const char *const folders[] = { "%s", "%s/.git" };
  static const char *const names[] = { "HEAD", "config", "packed-refs" };
  char base[PATH_MAX];
  for (size_t f = 0; f < HM_COUNT(folders); f++) {
    if (snprintf(base, sizeof base, folders[f], repo) >= (int)sizeof base)
      continue;
    for (size_t i = 0; i < HM_COUNT(names); i++)
      if (check_kind(base, names[i], false, err))
        return -1;
    if (ref && check_kind(base, ref, true, err))
      return -1;
  }
  return 0;
}

int hm_git_name_order(hm_str x, bool x_is_tree, hm_str y, bool y_is_tree) {
  size_t n = x.n < y.n ? x.n : y.n;
  int c = memcmp(x.p, y.p, n);
  if (c)
    return c;
  int p = x.n > n ? (unsigned char)x.p[n] : x_is_tree ? '/' : 0;
  int q = y.n > n ? (unsigned char)y.p[n] : y_is_tree ? '/' : 0;
  return p - q;
}
