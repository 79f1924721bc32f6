#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gen/sink/git_impl.h"

static bool is_empty_folder(const char *path) {
  DIR *d = opendir(path);
  bool empty = d != NULL;
  for (struct dirent *e; empty && (e = readdir(d));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) empty = false;
  if (d) closedir(d);
  return empty;
}

bool hm_git_may_create(const char *path) {
  struct stat st;
  if (lstat(path, &st) != 0) return errno == ENOENT;
  return S_ISDIR(st.st_mode) && is_empty_folder(path);
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

/* One process at a time; what a killed one left there is ours to go on with. -1 with err. */
static int take_new(hm_git *g, char *new, hm_err *err) {
  enum { HOW = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
  int fd;
  do {
    if (mkdir(new, 0777) != 0 && errno != EEXIST)
      return hm_fs_fail(err, g->opt->repo, "make the repository");
    fd = hm_lock_open(AT_FDCWD, new, HOW, 0, HM_LOCK_WAIT_MS);
  } while (fd < 0 && errno == ENOENT);   /* another one was done with it just then */
  if (fd < 0 && errno == EWOULDBLOCK)
    return hm_fail(err, HM_E_BUSY, new, "another hmirror makes the repository there",
                   "wait for it to end, then run this again");
  return fd < 0 ? hm_fs_fail(err, new, "open the folder") : fd;
}

/* Made beside its place and renamed, so that a kill does not leave half a
 * repository there. A rename onto a folder works only while that is empty. */
int hm_git_create(hm_git *g, hm_err *err) {
  int n = (int)without_slashes(g->opt->repo), rc = 0;
  char *place = hm_str_z(g->a, hm_str_fmt(g->a, "%.*s", n, g->opt->repo));
  char *new = hm_str_z(g->a, hm_str_fmt(g->a, "%s.hmirror-new", place));
  hm_str parent = hm_fs_parent(hm_str_c(place));
  if (parent.n && hm_fs_mkdirs(hm_str_z(g->a, parent)) != 0)
    return hm_fs_fail(err, place, "make the folder above");
  int fd = take_new(g, new, err);
  if (fd < 0) return -1;
  if (hm_git_may_create(place)) {
    if (hm_fs_empty(fd) != 0) rc = hm_fs_fail(err, new, "remove what a killed run left");
    if (rc == 0) rc = init_at(g, new, err);
    if (rc == 0 && rename(new, place) != 0 && errno != ENOTEMPTY && errno != EEXIST)
      rc = hm_fs_fail(err, place, "make the repository");
  }
  hm_fs_remove(AT_FDCWD, new);
  close(fd);
  return rc;
}
