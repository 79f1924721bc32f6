/* Checks who owns a repository and whether it is safe to open, and reports errors. */
#include "gen/sink/git_common.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/ascii.h"
#include "gen/sink/fs.h"

/* --- opening ------------------------------------------------------------------------------- */

/* Extensions of the format that change nothing of how objects and refs are stored, and after them
 * two of which one value does not. git writes them by itself: sparse clones, partial ones,
 * maintenance, linked work trees. */
static const char *const extensions[] = {
  "noop-v1",        "partialclone", "preciousobjects", "relativeworktrees", "submodulepathconfig",
  "worktreeconfig", "objectformat", "refstorage"
};

static int check_format(git_repository *repo) {
  static const struct {
    const char *key, *same, *otherwise;
  } values[] = {
    { "extensions.objectformat", "sha1", "unsupported SHA-256 objects (extensions.objectFormat)" },
    { "extensions.refstorage", "files", "unsupported reftable refs (extensions.refStorage)" },
  };
  git_config *c = NULL;
  int rc = git_repository_config_snapshot(&c, repo);
  for (size_t i = 0; rc == 0 && i < HM_COUNT(values); i++) {
    const char *is;
    if (git_config_get_string(&is, c, values[i].key) < 0 || strcasecmp(is, values[i].same) == 0)
      continue;
    git_error_set_str(GIT_ERROR_REPOSITORY, values[i].otherwise);
    rc = GIT_EINVALID;
  }
  git_config_free(c);
  return rc;
}

int hm_git_repository_open(git_repository **out, const char *path) {
  git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, HM_COUNT(extensions));
  int rc = git_repository_open_ext(out, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
  if (rc == 0 && (rc = check_format(*out)) < 0) {
    git_repository_free(*out);
    *out = NULL;
  }
  return rc;
}

/* libgit2's own words of other extensions and versions begin so, too. */
static bool is_unsupported(const git_error *e) {
  return e && e->klass == GIT_ERROR_REPOSITORY && e->message &&
      strncmp(e->message, "unsupported ", 12) == 0;
}

/* What may help, by libgit2's last error. */
static const char *suggest_fix(const git_error *e) {
  if (is_unsupported(e))
    return "publish into a bare repository of its own, --repo mirror.git, and --push from there";
  if (e && e->klass == GIT_ERROR_ODB && e->message &&
      strncmp(e->message, "object not found", 16) == 0)
    return "a partial clone lacks objects: git fetch --refetch --no-filter brings them; else git "
           "fsck tells what is damaged";
  return "check its permissions and the space on its disk; git fsck tells whether it is damaged";
}

int hm_git_fail_at(const char *repo, const char *verb, hm_err *err) {
  const git_error *e = git_error_last();
  return hm_failf(err, HM_E_OUTPUT, repo, suggest_fix(e), "cannot %s: %s", verb,
                  e && e->message ? e->message : "unknown error");
}

/* libgit2 reports "not found" also for a repository of another user. */
bool hm_git_is_foreign(const char *path, int rc) {
  struct stat st;
  return rc == GIT_EOWNER ||
      (!is_unsupported(git_error_last()) && stat(path, &st) == 0 && st.st_uid != geteuid());
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

static int check_path(const char *path, hm_err *err) {
  struct stat st;
  if (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
    return 0;
  return hm_git_refuse_file(path, "not a regular file", err);
}

static int check_kind(const char *base, const char *name, bool is_ref, hm_err *err) {
  char path[PATH_MAX];
  struct stat st;
  if (snprintf(path, sizeof path, "%s/%s", base, name) >= (int)sizeof path)
    return 0; /* libgit2 says so */
  if (is_ref && lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
    return hm_git_refuse_file(path, "a symbolic link, and no branch is written through one", err);
  return check_path(path, err);
}

/* --- what a config includes ------------------------------------------------------------------ */

enum { INCLUDES_DEEP = 10 /* of libgit2 */, CONFIG_MAX = 1 << 20 };

static bool has_letters(hm_str s, const char *small, size_t at) {
  size_t n = strlen(small);
  return s.n >= n && at <= s.n - n && !strncasecmp(s.p + at, small, n);
}

/* The value of "path = VALUE" in a line; empty: it has none. */
static hm_str value_of_path(hm_str line) {
  static const char key[] = "path";
  for (size_t i = 0; i < line.n; i++) {
    size_t equals = has_letters(line, key, i) ? hm_skip_spaces(line, i + sizeof key - 1) : 0;
    if (equals && hm_char_at(line, equals, '='))
      return hm_str_trim(hm_str_sub(line, equals + 1, line.n));
  }
  return HM_EMPTY;
}

static bool includes(hm_str text) {
  for (size_t i = 0; i < text.n; i++)
    if (text.p[i] == '[' && has_letters(text, "include", hm_skip_spaces(text, i + 1)))
      return true;
  return false;
}

/* The path that a config file in the folder of `of` includes by this value, in a; NULL: it is not
 * written plainly. */
static const char *included_path(const char *of, hm_str value, hm_arena *a) {
  const char *home = getenv("HOME");
  bool quoted = value.n > 1 && value.p[0] == '"' && value.p[value.n - 1] == '"';
  value = quoted ? hm_str_sub(value, 1, value.n - 1) : value;
  for (size_t i = 0; i < value.n; i++)
    if (strchr("\"\\#;", value.p[i]))
      return NULL;
  if (hm_str_starts(value, "~/"))
    return hm_str_fmt(a, "%s%.*s", home ? home : "", HM_FMT(hm_str_sub(value, 1, value.n))).p;
  hm_str own = hm_str_c(of);
  own.n -= hm_char_at(value, 0, '/') ? own.n : hm_str_behind_last(own, '/').n;
  return hm_str_z(a, HM_CAT(a, own, value));
}

/* Looks at the files that a config file includes, and at those that they include. */
static int check_includes(const char *config, int deep, hm_err *err) {
  char path[PATH_MAX];
  hm_str text;
  int rc = 0;
  if (deep > INCLUDES_DEEP || !realpath(config, path))
    return 0;
  hm_arena *a = hm_arena_new();
  if (hm_fs_read_at(AT_FDCWD, path, CONFIG_MAX, a, &text) != 0) {
    rc = errno == EFBIG ? hm_git_refuse_file(path, "over 1 MiB", err) : 0;
    text = HM_EMPTY;
  }
  if (!includes(text))
    text = HM_EMPTY;
  while (!rc && text.n) {
    hm_str value = value_of_path(hm_str_next_line(&text));
    const char *next = value.n ? included_path(path, value, a) : "";
    if (!next)
      rc = hm_git_refuse_file(path, "a path that it includes is not written plainly", err);
    else if (*next)
      rc = check_path(next, err) || check_includes(next, deep + 1, err) ? -1 : 0;
  }
  hm_arena_free(a);
  return rc;
}

/* --- files of a repository ---------------------------------------------------------------------
 */

/* The folder that a file of a repository names behind the prefix: ".git" of a linked work tree,
 * "commondir". False: there is no such file. */
static bool read_folder(const char *base, const char *name, const char *prefix,
                        char out[PATH_MAX]) {
  char path[PATH_MAX];
  hm_str text = HM_EMPTY;
  bool fits = snprintf(path, sizeof path, "%s/%s", base, name) < (int)sizeof path;
  hm_arena *a = hm_arena_new();
  bool read =
      fits && hm_fs_read_at(AT_FDCWD, path, PATH_MAX, a, &text) == 0 && hm_str_starts(text, prefix);
  if (read) {
    text = hm_str_trim(hm_str_sub(text, strlen(prefix), text.n));
    bool whole = hm_char_at(text, 0, '/');
    read = snprintf(out, PATH_MAX, "%s%s%.*s", whole ? "" : base, whole ? "" : "/", HM_FMT(text)) <
        PATH_MAX;
  }
  hm_arena_free(a);
  return read;
}

static int check_folder(const char *base, const char *ref, hm_err *err) {
  static const char *const names[] = { "HEAD",  "commondir",  "config", "config.worktree",
                                       "index", "packed-refs" };
  char path[PATH_MAX];
  for (size_t i = 0; i < HM_COUNT(names); i++) {
    if (check_kind(base, names[i], false, err))
      return -1;
    bool config = hm_str_starts(hm_str_c(names[i]), "config") &&
        snprintf(path, sizeof path, "%s/%s", base, names[i]) < (int)sizeof path;
    if (config && check_includes(path, 0, err))
      return -1;
  }
  return ref && check_kind(base, ref, true, err) ? -1 : 0;
}

int hm_git_check_file_kinds(const char *repo, const char *ref, hm_err *err) {
  char base[PATH_MAX], other[PATH_MAX];
  if (snprintf(base, sizeof base, "%s/.git", repo) >= (int)sizeof base)
    return 0; /* libgit2 says so */
  if (check_kind(repo, ".git", false, err) || check_folder(repo, ref, err) ||
      check_folder(base, ref, err))
    return -1;
  bool linked = read_folder(repo, ".git", "gitdir:", base);
  if (linked && check_folder(base, ref, err))
    return -1;
  return read_folder(base, "commondir", "", other) && check_folder(other, ref, err) ? -1 : 0;
}

int hm_git_worktree_open(git_repository **out, const char *top) {
  hm_err err = { 0 };
  return hm_git_check_file_kinds(top, NULL, &err) ? GIT_EINVALID : hm_git_repository_open(out, top);
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
