/* Opens or creates a repository, refuses what must not be in it, and removes left-over files.
 *
 * Before libgit2 opens it, checks for pipes in the place of files, which would block libgit2, and
 * for links, through which it would write. Once our lock is taken, removes unfinished files of dead
 * processes. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <git2/sys/repository.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "gen/sink/git_impl.h"

/* --- symbolic links ------------------------------------------------------------------------ */

static int check_link(int dir, const char *shown, hm_str name, hm_err *err) {
  char path[PATH_MAX];
  struct stat st;
  if (snprintf(path, sizeof path, "%.*s", HM_FMT(name)) >= (int)sizeof path)
    return 0;
  if (fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISLNK(st.st_mode))
    return 0;
  if (snprintf(path, sizeof path, "%s%.*s", shown, HM_FMT(name)) >= (int)sizeof path)
    path[0] = 0;
  return hm_git_refuse_file(path, "a symbolic link, through which a repository is not written",
                            err);
}

/* "refs", "refs/heads", "refs/heads/mirror". */
static int check_path_links(int dir, const char *shown, const char *path, hm_err *err) {
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
    if (e->d_type != DT_LNK && e->d_type != DT_UNKNOWN)
      continue;
    snprintf(name, sizeof name, "objects/%s", e->d_name);
    rc = check_link(dir, shown, hm_str_c(name), err);
  }
  if (d)
    closedir(d);
  else if (fd >= 0)
    close(fd);
  return rc;
}

int hm_git_check_links(int dir, const char *shown, const char *ref, hm_err *err) {
  static const char *const names[] = { "packed-refs", "hmirror.lock", "objects", "objects/info",
                                       "logs/HEAD" };
  char log[PATH_MAX];
  for (size_t i = 0; i < HM_COUNT(names); i++)
    if (check_path_links(dir, shown, names[i], err))
      return -1;
  if (check_objects(dir, shown, err) || check_path_links(dir, shown, ref, err))
    return -1;
  if (snprintf(log, sizeof log, "logs/%s", ref) >= (int)sizeof log)
    return 0;
  return check_path_links(dir, shown, log, err);
}

/* --- what the dead have left --------------------------------------------------------------- */

enum { STEP_MS = 20, ORPHAN_MS = 1000, LOCK_S = 60, PACK_S = 3600 };

static long file_age(const struct stat *st) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (long)(now.tv_sec - st->st_mtim.tv_sec);
}

static const char *lock_name(const hm_git_folder *p, const char *ref) {
  return hm_str_fmt(p->a, "%s.lock", ref).p;
}

int hm_git_fail_locked(const hm_git_folder *p, const char *ref, hm_err *err) {
  struct stat st;
  const char *name = lock_name(p, ref);
  bool there = fstatat(p->dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
  return hm_failf(err, HM_E_BUSY, p->shown,
                  "wait for it to end; if there is none any more, remove that file",
                  "another git process is at the branch: it made %s%s %ld s ago", p->common, name,
                  there ? file_age(&st) : 0);
}

/* Ours are the only long-lived writers of this branch, and those hold our lock:
 * the ref's lock file is a dead process's if our lock's last holder died, or if
 * it is far older than any update of a ref takes. Else real git is at work. */
int hm_git_clear_ref_lock(const hm_git_folder *p, const char *ref, hm_err *err) {
  const char *name = lock_name(p, ref);
  struct stat st;
  for (int waited = 0; fstatat(p->dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0; waited += STEP_MS) {
    if (file_age(&st) > LOCK_S || (p->died && waited >= ORPHAN_MS)) {
      if (unlinkat(p->dir, name, 0) != 0 && errno != ENOENT)
        return hm_fs_fail(err, name, "remove the stale lock");
      return 0;
    }
    if (waited >= HM_LOCK_WAIT_MS)
      return hm_git_fail_locked(p, ref, err);
    hm_sleep_ms(STEP_MS);
  }
  return 0;
}

/* An index whose pack is not there: libgit2 names the index first, then the pack. Git and libgit2
 * take no notice of it. */
static bool is_lone_index(int dir, const char *name) {
  char pack[64];
  size_t n = strlen(name);
  struct stat st;
  if (n < 5 || n + 2 > sizeof pack || strncmp(name, "pack-", 5) != 0 ||
      strcmp(name + n - 4, ".idx") != 0)
    return false;
  snprintf(pack, sizeof pack, "%.*s.pack", (int)n - 4, name);
  return fstatat(dir, pack, &st, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT;
}

/* Any program may be writing to files with libgit2's names, and git never removes them. A lone
 * index is a dead process's if our lock's last holder died and nobody names its pack meanwhile. */
static bool is_unfinished(const hm_git_folder *p, int dir, const char *name) {
  struct stat st;
  bool lone = is_lone_index(dir, name);
  if ((!lone && strncmp(name, "pack_git2_", 10) != 0) ||
      fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
    return false;
  if (file_age(&st) > PACK_S)
    return true;
  if (!lone || !p->died)
    return false;
  hm_sleep_ms(ORPHAN_MS);
  return is_lone_index(dir, name);
}

void hm_git_remove_unfinished(const hm_git_folder *p) {
  int fd = openat(p->dir, "objects/pack", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *d = fd < 0 ? NULL : fdopendir(fd);
  for (struct dirent *e; d && (e = readdir(d));)
    if (is_unfinished(p, fd, e->d_name))
      unlinkat(fd, e->d_name, 0);
  if (d)
    closedir(d);
  else if (fd >= 0)
    close(fd);
}

/* --- a new one ----------------------------------------------------------------------------- */

/* True when path is absent or an empty folder. */
static bool may_create(const char *path) {
  struct stat st;
  if (lstat(path, &st) != 0)
    return errno == ENOENT;
  DIR *d = S_ISDIR(st.st_mode) ? opendir(path) : NULL;
  bool empty = d != NULL;
  for (struct dirent *e; empty && (e = readdir(d));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
      empty = false;
  if (d)
    closedir(d);
  return empty;
}

/* One process at a time; continues with what a killed one left. -1 with err. */
static int lock_new(hm_git *g, char *new, hm_err *err) {
  enum { HOW = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
  int fd;
  do {
    if (mkdir(new, 0777) != 0 && errno != EEXIST)
      return hm_fs_fail(err, g->opt->repo, "make the repository");
    fd = hm_open_locked(AT_FDCWD, new, HOW, 0, HM_LOCK_WAIT_MS);
  } while (fd < 0 && errno == ENOENT); /* another one was done with it just then */
  if (fd < 0 && errno == EWOULDBLOCK)
    return hm_fail(err, HM_E_BUSY, new, "another hmirror makes the repository there",
                   "wait for it to end, then run this again");
  return fd < 0 ? hm_fs_fail(err, new, "open the folder") : fd;
}

/* A bare repository has no tree from which git would read .gitattributes. */
static int write_attributes(int dir) {
  int fd = hm_fs_open_at(dir, "info/attributes", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0666);
  if (fd < 0)
    return -1;
  int rc = hm_fs_write(fd, hm_gitattributes_text());
  return close(fd) != 0 ? -1 : rc;
}

/* Creates a bare repository with HEAD on ref, beside its place, and renames it, so that a kill does
 * not leave half a repository. The rename fails when another process made one meanwhile; then that
 * one is used. */
static int create_repository(hm_git *g, hm_err *err) {
  int rc = 0;
  git_repository *made = NULL;
  git_repository_init_options o;
  char *place = hm_str_z(g->a, hm_str_c(g->opt->repo));
  for (size_t n = strlen(place); n > 1 && place[n - 1] == '/';)
    place[--n] = 0;
  char *new = hm_str_z(g->a, hm_str_fmt(g->a, "%s.hmirror-new", place));
  hm_str parent = hm_fs_parent(hm_str_c(place));
  if (parent.n && hm_fs_mkdirs(hm_str_z(g->a, parent)) != 0)
    return hm_fs_fail(err, place, "make the folder above");
  int fd = lock_new(g, new, err);
  if (fd < 0)
    return -1;
  git_repository_init_options_init(&o, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
  o.flags = GIT_REPOSITORY_INIT_BARE | GIT_REPOSITORY_INIT_NO_REINIT | GIT_REPOSITORY_INIT_MKPATH;
  o.initial_head = g->ref;
  if (may_create(place)) {
    if (hm_fs_clear_folder(fd) != 0)
      rc = hm_fs_fail(err, new, "remove what a killed run left");
    if (rc == 0 && git_repository_init_ext(&made, new, &o) < 0)
      rc = hm_git_fail(g, "make the repository", err);
    git_repository_free(made);
    if (rc == 0 && write_attributes(fd) != 0)
      rc = hm_fs_fail(err, new, "write its attributes");
    if (rc == 0 && rename(new, place) != 0 && errno != ENOTEMPTY && errno != EEXIST)
      rc = hm_fs_fail(err, place, "make the repository");
  }
  hm_fs_remove(AT_FDCWD, new);
  close(fd);
  return rc;
}

/* --- opening ------------------------------------------------------------------------------- */

int hm_git_fail(const hm_git *g, const char *verb, hm_err *err) {
  return hm_git_fail_at(g->opt->repo, verb, err);
}

static int fail_open(const hm_git *g, int rc, hm_err *err) {
  const char *path = g->opt->repo;
  if (hm_git_is_foreign(path, rc))
    return hm_git_fail_foreign(path, err);
  if (rc == GIT_ENOTFOUND)
    return hm_fail(err, HM_E_OUTPUT, path, "it is not a git repository",
                   "choose another path; one that does not exist is made");
  return hm_git_fail(g, "open the repository", err);
}

/* Ignores the settings of the user and the machine from here on: only the repository's own config
 * is read, and with its extension worktreeConfig that of its main work tree, where core.bare may
 * stand. */
static int use_own_config(hm_git *g, hm_err *err) {
  git_config *c = NULL;
  const char *path = hm_str_fmt(g->a, "%sconfig", g->common).p,
             *of_tree = hm_str_fmt(g->a, "%sconfig.worktree", g->common).p;
  int rc = 0, two = 0;
  if (git_config_new(&c) < 0 ||
      git_config_add_file_ondisk(c, path, GIT_CONFIG_LEVEL_LOCAL, NULL, 0) < 0 ||
      (git_config_get_bool(&two, c, "extensions.worktreeconfig") == 0 && two &&
       git_config_add_file_ondisk(c, of_tree, GIT_CONFIG_LEVEL_APP, NULL, 0) < 0) ||
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
  if (hm_git_check_file_kinds(path, g->ref, err) != 0)
    return -1;
  int rc = hm_git_repository_open(&g->repo, path);
  if (rc == GIT_ENOTFOUND) { /* or another one makes it just now */
    if (may_create(path) && create_repository(g, err) != 0)
      return -1;
    rc = hm_git_repository_open(&g->repo, path);
  }
  if (rc < 0)
    return fail_open(g, rc, err);
  g->common = git_repository_commondir(g->repo);
  g->dir = open(g->common, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (g->dir < 0)
    return hm_fs_fail(err, g->common, "open the folder");
  if (hm_git_check_links(g->dir, g->common, g->ref, err) != 0)
    return -1;
  if (use_own_config(g, err) != 0)
    return -1;
  mkdirat(g->dir, "objects/pack", 0777); /* libgit2 writes no pack without it */
  if (git_repository_odb(&g->odb, g->repo) < 0)
    return hm_git_fail(g, "open the objects", err);
  return 0;
}
