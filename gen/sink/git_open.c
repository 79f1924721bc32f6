#include <errno.h>
#include <fcntl.h>
#include <git2/sys/repository.h>
#include <unistd.h>

#include "gen/sink/git_impl.h"

int hm_git_fail_at(const char *repo, const char *verb, hm_err *err) {
  const git_error *e = git_error_last();
  return hm_failf(
      err, HM_E_OUTPUT, repo,
      "check its permissions and the space on its disk; git fsck tells whether it is damaged",
      "cannot %s: %s", verb, e && e->message ? e->message : "unknown error");
}

int hm_git_fail(const hm_git *g, const char *verb, hm_err *err) {
  return hm_git_fail_at(g->opt->repo, verb, err);
}

/* libgit2 says "not found" of what another user owns, too. */
bool hm_git_is_foreign(const char *path, int rc) {
  struct stat st;
  return rc == GIT_EOWNER || (stat(path, &st) == 0 && st.st_uid != geteuid());
}

int hm_git_foreign(const char *path, hm_err *err) {
  return hm_fail(
      err, HM_E_OUTPUT, path, "the repository belongs to another user",
      "chown it, or say: git config --global --add safe.directory FULL-PATH-OF-THE-REPOSITORY");
}

static int not_opened(const hm_git *g, int rc, hm_err *err) {
  const char *path = g->opt->repo;
  if (hm_git_is_foreign(path, rc)) return hm_git_foreign(path, err);
  if (rc == GIT_ENOTFOUND)
    return hm_fail(err, HM_E_OUTPUT, path, "it is not a git repository",
                   "choose another path; one that does not exist is made");
  return hm_git_fail(g, "open the repository", err);
}

/* The settings of the user and the machine, their name, their habits, are
 * nothing to the mirror: only the repository's own are read from here on. */
static int own_config(hm_git *g, hm_err *err) {
  git_config *c = NULL;
  char *path = hm_str_z(g->a, hm_str_fmt(g->a, "%sconfig", g->common));
  int rc = 0;
  if (git_config_new(&c) < 0 ||
      git_config_add_file_ondisk(c, path, GIT_CONFIG_LEVEL_LOCAL, NULL, 0) < 0 ||
      git_repository_set_config(g->repo, c) < 0 ||
      git_repository_set_ident(g->repo, g->opt->author_name, g->opt->author_email) < 0)
    rc = hm_git_fail(g, "read the repository's config", err);
  git_config_free(c);
  return rc;
}

int hm_git_open_repository(hm_git *g, hm_err *err) {
  const char *path = g->opt->repo;
  if (!*path)
    return hm_fail(err, HM_E_USAGE, "repository", "its path is empty",
                   "give the path of a git repository");
  if (hm_git_check_kinds(path, g->ref, err) != 0) return -1;
  int rc = git_repository_open_ext(&g->repo, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
  if (rc == GIT_ENOTFOUND) {   /* or another one makes it just now */
    if (hm_git_may_create(path) && hm_git_create(g, err) != 0) return -1;
    rc = git_repository_open_ext(&g->repo, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
  }
  if (rc < 0) return not_opened(g, rc, err);
  g->common = git_repository_commondir(g->repo);
  g->dir = open(g->common, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (g->dir < 0) return hm_fs_fail(err, g->common, "open the folder");
  if (hm_git_check_links(g->dir, g->common, g->ref, err) != 0) return -1;
  if (own_config(g, err) != 0) return -1;
  if (git_repository_odb(&g->odb, g->repo) < 0) return hm_git_fail(g, "open the objects", err);
  return 0;
}
