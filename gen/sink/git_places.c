/* What a repository leads to: the folders and files that its own files name, and the addresses of
 * its remotes. By its files, since a repository that libgit2 would not open may become one. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include "core/base/text.h"
#include "gen/sink/git_impl.h"

enum { FILE_MAX = 1 << 20, PLACES_MAX = 1000, ALTERNATES_DEEP = 8 };

typedef struct {
  hm_arena *a;
  const char **v; /* of PLACES_MAX + 1 */
  size_t n;
} place_list;

static const char *join(hm_arena *a, const char *folder, const char *path) {
  return *path == '/' ? path : hm_str_fmt(a, "%s/%s", folder, path).p;
}

/* What is not looked at leads anywhere. */
static void add_unknown(place_list *l) { l->v[l->n++] = "/"; }

static void add(place_list *l, const char *path) {
  if (l->n < PLACES_MAX)
    l->v[l->n++] = path;
  if (l->n == PLACES_MAX)
    add_unknown(l);
}

/* Empty for one that is no file. */
static hm_str read_small(place_list *l, const char *path) {
  hm_str text = HM_EMPTY;
  char *real = realpath(path, NULL);
  if (real && hm_fs_read_at(AT_FDCWD, real, FILE_MAX, l->a, &text) != 0) {
    text = HM_EMPTY;
    if (errno != EINVAL && l->n < PLACES_MAX)
      add_unknown(l);
  }
  free(real);
  return text;
}

/* --- configs ---------------------------------------------------------------------------------- */

static bool begins_include(hm_str section) {
  static const char name[] = "include";
  section = hm_str_trim(section);
  return section.n >= sizeof name - 1 && strncasecmp(section.p, name, sizeof name - 1) == 0;
}

bool hm_git_config_includes(hm_str text) {
  for (size_t i = 0; i < text.n; i++)
    if (text.p[i] == '[' && begins_include(hm_str_sub(text, i + 1, text.n)))
      return true;
  return false;
}

static void add_config(place_list *l, const char *path, int deep);

/* A file that is not there leads nowhere; a name that takes more than to be read leads anywhere. */
static void add_included(place_list *l, const char *config, hm_str name, int deep) {
  const char *folder = hm_str_fmt(l->a, "%.*s", (int)(strrchr(config, '/') - config), config).p;
  struct stat st;
  name = hm_str_trim(name);
  if (!name.n || strpbrk(hm_str_z(l->a, name), "\"\\~%#;"))
    return add_unknown(l);
  const char *path = join(l->a, folder, hm_str_z(l->a, name));
  if (lstat(path, &st) != 0)
    return;
  if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
    return add_unknown(l);
  add_config(l, path, deep + 1);
}

/* The values of `path` behind the names of sections [include] and [includeIf "..."], up to the next
 * section; git takes a value on the line of the name, too. */
static void add_config(place_list *l, const char *path, int deep) {
  static const char key[] = "path";
  hm_str text = deep < ALTERNATES_DEEP ? read_small(l, path) : HM_EMPTY;
  bool inside = false;
  add(l, path);
  for (size_t i = 0; i < text.n && l->n < PLACES_MAX; i++) {
    hm_str rest = hm_str_sub(text, i, text.n);
    if (*rest.p == '[')
      inside = begins_include(hm_str_sub(rest, 1, rest.n));
    if (!inside || rest.n < sizeof key || strncasecmp(rest.p, key, sizeof key - 1) != 0)
      continue;
    hm_str value = hm_str_trim(hm_str_sub(rest, sizeof key - 1, rest.n));
    if (!value.n || value.p[0] != '=')
      continue;
    ptrdiff_t end = hm_str_find(value, "\n");
    add_included(l, path, hm_str_sub(value, 1, end < 0 ? value.n : (size_t)end), deep);
  }
}

/* --- objects ---------------------------------------------------------------------------------- */

/* Links in the folder of objects, and in that of packs. */
static void add_links(place_list *l, const char *folder) {
  DIR *d = opendir(folder);
  for (struct dirent *e; d && (e = readdir(d));) {
    struct stat st;
    bool may_be = e->d_type == DT_LNK || e->d_type == DT_UNKNOWN;
    if (may_be && fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISLNK(st.st_mode))
      add(l, join(l->a, folder, hm_str_dup(l->a, hm_str_c(e->d_name)).p));
  }
  if (d)
    closedir(d);
}

/* A folder of objects, and those that it names as its alternates, and so on. */
static void add_objects(place_list *l, const char *objects, int deep) {
  const char *named = join(l->a, objects, "info/alternates");
  add(l, objects);
  add(l, named);
  add_links(l, objects);
  add_links(l, join(l->a, objects, "pack"));
  add_links(l, join(l->a, objects, "info"));
  /* Links among the objects of a folder, two digits of whose names it is named after. */
  for (unsigned i = 0; i < 256; i++)
    add_links(l, hm_str_fmt(l->a, "%s/%02x", objects, i).p);
  hm_str text = deep < ALTERNATES_DEEP ? read_small(l, named) : HM_EMPTY;
  while (text.n && l->n < PLACES_MAX) {
    ptrdiff_t end = hm_str_find(text, "\n");
    hm_str line = end < 0 ? text : hm_str_sub(text, 0, (size_t)end);
    text = hm_str_sub(text, line.n + 1, text.n);
    line = hm_str_trim(line);
    if (!line.n || line.p[0] == '#')
      continue;
    /* libgit2 takes some from the working folder */
    add_objects(l, join(l->a, objects, hm_str_z(l->a, line)), deep + 1);
    add_objects(l, hm_str_z(l->a, line), deep + 1);
  }
}

static void add_git_folder(place_list *l, const char *folder) {
  hm_str common = hm_str_trim(read_small(l, join(l->a, folder, "commondir")));
  const char *all[] = { folder, common.n ? join(l->a, folder, hm_str_z(l->a, common)) : NULL };
  for (size_t i = 0; i < HM_COUNT(all) && all[i]; i++) {
    add(l, all[i]);
    add_config(l, join(l->a, all[i], "config"), 0);
    add_config(l, join(l->a, all[i], "config.worktree"), 0);
    add_objects(l, join(l->a, all[i], "objects"), 0);
  }
}

const char **hm_git_list_places(const char *repo, hm_arena *a, size_t *n) {
  static const char label[] = "gitdir:";
  place_list l = { a, hm_alloc_array(a, PLACES_MAX + 1, sizeof *l.v), 0 };
  const char *dot = join(a, repo, ".git");
  hm_str text = read_small(&l, dot);
  struct stat st;
  if (stat(dot, &st) == 0) {
    add(&l, dot);
    add_git_folder(&l, dot);
  }
  if (hm_str_starts(text, label)) {
    hm_str to = hm_str_trim(hm_str_sub(text, sizeof label - 1, text.n));
    add_git_folder(&l, join(a, repo, hm_str_z(a, to)));
  }
  add_git_folder(&l, repo);
  *n = l.n;
  return l.v;
}
