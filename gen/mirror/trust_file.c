/* The list of the folders that the user trusts. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "gen/mirror/files.h"
#include "gen/mirror/trust.h"
#include "gen/sink/fs.h"

enum { FILE_MAX = 4 << 20, DIGEST = 64 };

static const char *folder_of_file(hm_arena *a) {
  const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  if (config && *config == '/')
    return hm_path_join(a, config, "hmirror");
  return home && *home == '/' ? hm_path_join(a, home, ".config/hmirror") : NULL;
}

const char *hm_trust_file(hm_arena *a) {
  const char *folder = folder_of_file(a);
  return folder ? hm_path_join(a, folder, "trusted") : NULL;
}

/* Somebody else's list is no word of the user's. */
static int check_owner(const char *path, const struct stat *st, hm_err *err) {
  if (st->st_uid != geteuid())
    return hm_fail(err, HM_E_OUTPUT, path, "it belongs to another user, and is not believed",
                   "remove it, or set XDG_CONFIG_HOME to a folder of your own");
  return st->st_mode & (S_IWGRP | S_IWOTH)
      ? hm_fail(err, HM_E_OUTPUT, path, "others may write to it, so it is not believed",
                "look through 'hmirror trust --list', then chmod 600")
      : 0;
}

int hm_trust_file_read(hm_arena *a, hm_trusted_folder **v, size_t *n, bool *there, hm_err *err) {
  const char *path = hm_trust_file(a);
  struct stat st;
  hm_str text;
  *n = 0;
  *v = NULL;
  *there = path && (stat(path, &st) == 0 || errno != ENOENT);
  if (!*there)
    return 0;
  if (hm_file_read(a, path, FILE_MAX, HM_E_OUTPUT, &text, err) || check_owner(path, &st, err))
    return -1;
  *v = hm_alloc_array(a, text.n / (DIGEST + 2) + 1, sizeof **v);
  while (text.n) {
    ptrdiff_t end = hm_str_find(text, "\n");
    hm_str line = end < 0 ? text : hm_str_sub(text, 0, (size_t)end);
    text = hm_str_sub(text, line.n + 1, text.n);
    if (line.n > DIGEST + 1 && line.p[DIGEST] == ' ')
      (*v)[(*n)++] =
          (hm_trusted_folder){ hm_str_sub(line, 0, DIGEST), hm_str_sub(line, DIGEST + 1, line.n) };
  }
  return 0;
}

/* Writes the list whole. */
static int write_list(const char *path, hm_str text, hm_err *err) {
  hm_file_out f;
  if (hm_file_begin(&f, path, err))
    return -1;
  bool ok = fchmod(fileno(f.out), 0600) == 0;
  if (!ok)
    hm_fail(err, HM_E_OUTPUT, path, strerror(errno), hm_errno_suggest_fix(errno));
  else
    fwrite(text.p, 1, text.n, f.out);
  return hm_file_end(&f, ok, err);
}

static int change_list(hm_arena *a, const char *folder, const char *digest, bool *had,
                       hm_err *err) {
  hm_trusted_folder *v;
  size_t n;
  bool there;
  hm_buf b = { 0 };
  *had = false;
  if (hm_trust_file_read(a, &v, &n, &there, err))
    return -1;
  for (size_t i = 0; i < n; i++) {
    if (hm_str_is(v[i].folder, folder))
      *had = true;
    else
      hm_buf_fmt(&b, "%.*s %.*s\n", HM_FMT(v[i].digest), HM_FMT(v[i].folder));
  }
  if (digest)
    hm_buf_fmt(&b, "%s %s\n", digest, folder);
  int rc = digest || *had ? write_list(hm_trust_file(a), hm_buf_view(&b), err) : 0;
  hm_buf_free(&b);
  return rc;
}

int hm_trust_file_change(hm_arena *a, const char *folder, const char *digest, bool *had,
                         hm_err *err) {
  const char *place = folder_of_file(a);
  hm_lock lock = { .fd = -1 };
  *had = false;
  if (!place)
    return hm_fail(err, HM_E_OUTPUT, "the list of trusted folders",
                   "neither XDG_CONFIG_HOME nor HOME names a place for it",
                   "set one of them, or give --trust for one run");
  if (strpbrk(folder, "\n"))
    return hm_fail(err, HM_E_USAGE, folder, "a folder with a line break in its name",
                   "rename it, or give --trust for one run");
  const char *path = hm_trust_file(a);
  if (hm_make_parent_folders(a, place, err))
    return -1;
  if (mkdir(place, 0700) && errno != EEXIST)
    return hm_fail(err, HM_E_OUTPUT, place, strerror(errno), hm_errno_suggest_fix(errno));
  int dir = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0)
    return hm_fail(err, HM_E_OUTPUT, place, strerror(errno), hm_errno_suggest_fix(errno));
  int rc = hm_lock_take(&lock, dir, "trusted.lock", hm_str_fmt(a, "%s.lock", path).p,
                        HM_LOCK_WAIT_MS, err);
  if (rc == 0)
    rc = change_list(a, folder, digest, had, err);
  hm_lock_release(&lock);
  close(dir);
  return rc;
}
