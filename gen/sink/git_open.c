#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <git2/sys/repository.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/sink/git_impl.h"

int hm_git_fail_at(const char *repo, const char *verb, hm_err *err) {
  const git_error *e = git_error_last();
  return hm_failf(err, HM_E_OUTPUT, repo, "check its permissions and the space on its disk; git fsck tells whether it is damaged",
                  "cannot %s: %s", verb, e && e->message ? e->message : "unknown error");
}

int hm_git_fail(const hm_git *g, const char *verb, hm_err *err) {
  return hm_git_fail_at(g->opt->repo, verb, err);
}

static bool is_empty_folder(const char *path) {
  DIR *d = opendir(path);
  bool empty = d != NULL;
  for (struct dirent *e; empty && (e = readdir(d));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) empty = false;
  if (d) closedir(d);
  return empty;
}

static int init_at(const hm_git *g, const char *path, hm_err *err) {
  git_repository *made = NULL;
  git_repository_init_options o;
  git_repository_init_options_init(&o, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
  o.flags = GIT_REPOSITORY_INIT_BARE | GIT_REPOSITORY_INIT_NO_REINIT | GIT_REPOSITORY_INIT_MKPATH;
  o.initial_head = g->ref;
  int rc = git_repository_init_ext(&made, path, &o);
  git_repository_free(made);
  return rc < 0 ? hm_git_fail(g, "make the repository", err) : 0;
}

static size_t without_slashes(const char *path) {
  size_t n = strlen(path);
  while (n > 1 && path[n - 1] == '/') n--;
  return n;
}

/* Made beside its place and renamed, so that a kill does not leave half a
 * repository there. A rename onto a folder works only while that is empty. */
static int create(hm_git *g, hm_err *err) {
  int n = (int)without_slashes(g->opt->repo);
  char *temp = hm_str_z(g->a, hm_str_fmt(g->a, "%.*s.hmirror-%ld", n, g->opt->repo, (long)getpid()));
  char *place = hm_str_z(g->a, hm_str_fmt(g->a, "%.*s", n, g->opt->repo));
  hm_str parent = hm_fs_parent(hm_str_c(place));
  if (parent.n && hm_fs_mkdirs(hm_str_z(g->a, parent)) != 0) return hm_fs_fail(err, place, "make the folder above");
  if (hm_fs_remove(AT_FDCWD, temp) != 0) return hm_fs_fail(err, temp, "remove what a killed run left");
  int rc = init_at(g, temp, err);
  if (rc == 0 && rename(temp, place) != 0 && errno != ENOTEMPTY && errno != EEXIST) rc = hm_fs_fail(err, place, "make the repository");
  hm_fs_remove(AT_FDCWD, temp);
  return rc;
}

/* libgit2 says "not found" of what another user owns, too. */
bool hm_git_is_foreign(const char *path, int rc) {
  struct stat st;
  return rc == GIT_EOWNER || (stat(path, &st) == 0 && st.st_uid != geteuid());
}

int hm_git_foreign(const char *path, hm_err *err) {
  return hm_fail(err, HM_E_OUTPUT, path, "the repository belongs to another user",
                 "chown it, or say: git config --global --add safe.directory FULL-PATH-OF-THE-REPOSITORY");
}

static int not_opened(const hm_git *g, int rc, hm_err *err) {
  const char *path = g->opt->repo;
  if (hm_git_is_foreign(path, rc)) return hm_git_foreign(path, err);
  if (rc == GIT_ENOTFOUND)
    return hm_fail(err, HM_E_OUTPUT, path, "it is not a git repository", "choose another path; one that does not exist is made");
  return hm_git_fail(g, "open the repository", err);
}

/* Something stands there that a new repository must not replace. */
static bool occupied(const char *path) {
  struct stat st;
  if (lstat(path, &st) != 0) return errno != ENOENT;
  return !S_ISDIR(st.st_mode) || !is_empty_folder(path);
}

/* The settings of the user and the machine, their name, their habits, are
 * nothing to the mirror: only the repository's own are read from here on. */
static int own_config(hm_git *g, hm_err *err) {
  git_config *c = NULL;
  char *path = hm_str_z(g->a, hm_str_fmt(g->a, "%sconfig", g->common));
  int rc = 0;
  if (git_config_new(&c) < 0 || git_config_add_file_ondisk(c, path, GIT_CONFIG_LEVEL_LOCAL, NULL, 0) < 0 ||
      git_repository_set_config(g->repo, c) < 0 || git_repository_set_ident(g->repo, g->opt->author_name, g->opt->author_email) < 0)
    rc = hm_git_fail(g, "read the repository's config", err);
  git_config_free(c);
  return rc;
}

int hm_git_open_repository(hm_git *g, hm_err *err) {
  const char *path = g->opt->repo;
  if (!*path) return hm_fail(err, HM_E_USAGE, "repository", "its path is empty", "give the path of a git repository");
  int rc = git_repository_open_ext(&g->repo, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
  if (rc == GIT_ENOTFOUND && !occupied(path)) {
    if (create(g, err) != 0) return -1;
    rc = git_repository_open_ext(&g->repo, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
  }
  if (rc < 0) return not_opened(g, rc, err);
  g->common = git_repository_commondir(g->repo);
  g->dir = open(g->common, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (g->dir < 0) return hm_fs_fail(err, g->common, "open the folder");
  if (own_config(g, err) != 0) return -1;
  if (git_repository_odb(&g->odb, g->repo) < 0) return hm_git_fail(g, "open the objects", err);
  return 0;
}
