/* What a tree has: which paths are there, which surely are not, and what is there instead. The
 * paths come from git or from the walk; they are sorted when somebody asks first, and then it is
 * read which pages the build of a site writes. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/ascii.h"
#include "core/base/near_names.h"
#include "core/base/sort.h"
#include "core/tree/tree_impl.h"

static int by_name(const void *x, const void *y) {
  const hm_str *a = x, *b = y;
  int by_last = hm_str_cmp(hm_str_behind_last(*a, '/'), hm_str_behind_last(*b, '/'));
  return by_last ? by_last : hm_str_cmp(*a, *b);
}

hm_str hm_tree_folder(hm_str path) {
  size_t name = hm_str_behind_last(path, '/').n;
  return hm_str_sub(path, 0, path.n > name ? path.n - name - 1 : 0);
}

hm_str hm_tree_file_folder(const hm_tree_file *f, hm_arena *a) {
  return hm_tree_folder(HM_CAT(a, f->folder, HM_STR("/"), f->below));
}

static int by_source(const void *item, const void *key) {
  return hm_str_cmp(((const hm_tree_file *)item)->source, *(const hm_str *)key);
}

const hm_tree_file *hm_tree_find(const hm_tree *t, hm_str source) {
  size_t at = hm_lower_bound(t->files, t->n_files, sizeof *t->files, &source, by_source);
  return at < t->n_files && hm_str_eq(t->files[at].source, source) ? &t->files[at] : NULL;
}

static bool is_sign_of_path(char c) { return hm_is_alnum(c) || (c && strchr("._-/", c)); }

/* Does the site have a plugin that writes pages? Else what its navigation names must be there. */
static bool writes_pages(hm_str config) {
  static const char *const plugins[] = { "add-file",  "autoapi",      "autonav", "gen-files",
                                         "gen_files", "literate-nav", "macros",  "mkdoxy",
                                         "monorepo",  "multirepo",    "schema" };
  ptrdiff_t at = hm_str_find(config, "plugins:");
  for (size_t i = 0; i < HM_COUNT(plugins) && at >= 0; i++)
    if (hm_str_find(hm_str_sub(config, (size_t)at, config.n), plugins[i]) >= 0)
      return true;
  return false;
}

/* Takes a page of the navigation of which no file has the name. */
static void add_page(hm_tree_files *f, hm_str page) {
  size_t named = 0;
  const char *end = hm_str_z(f->a, page);
  const hm_str *v = hm_tree_files_named(f, hm_str_behind_last(page, '/'), &named);
  while (named && !hm_str_ends(v[named - 1], end))
    named--;
  if (!named)
    hm_map_add(&f->pages, page, 0);
}

/* Reads the configuration of the site that the tree is, which lies at its top. */
static void read_site(hm_tree_files *f, const char *name) {
  enum { MOST = 2000 };
  const hm_str config = hm_str_c(name);
  const hm_tree_file file = { .path = config, .folder = f->top, .below = config };
  hm_str bytes;
  hm_err err = { 0 };
  bool comment = false;
  size_t pages = 0;
  if (hm_tree_read(&file, f->a, &bytes, &err) || !writes_pages(bytes))
    return; /* then links are as they look */
  f->writes_pages = true;
  for (size_t from = 0, i = 0; i <= bytes.n && pages < MOST; i++) {
    char c = i < bytes.n ? bytes.p[i] : '\n';
    if (is_sign_of_path(c))
      continue;
    hm_str page = hm_str_sub(bytes, from, i);
    from = i + 1;
    if (!comment && hm_str_ends(page, ".md") && ++pages)
      add_page(f, page);
    comment = c == '#' || (comment && c != '\n');
  }
}

/* Takes the folders of submodules, "path = libs/clay", as links: nobody knows what they hold. */
static void read_submodules(hm_tree_files *f) {
  static const char name[] = ".gitmodules", key[] = "path";
  const hm_tree_file file = { .path = hm_str_c(name), .folder = f->top, .below = hm_str_c(name) };
  hm_str bytes;
  hm_err err = { 0 };
  if (hm_tree_read(&file, f->a, &bytes, &err))
    return;
  while (bytes.n) {
    hm_str line = hm_str_trim(hm_str_next_line(&bytes));
    if (!hm_str_starts(line, key))
      continue;
    hm_str value = hm_str_trim(hm_str_sub(line, sizeof key - 1, line.n));
    if (!hm_str_starts(value, "="))
      continue;
    value = hm_str_trim(hm_str_sub(value, 1, value.n));
    if (value.n > 1 && value.p[0] == '"' && hm_str_ends(value, "\""))
      value = hm_str_sub(value, 1, value.n - 1);
    hm_map_add(&f->submodules, value, 0);
  }
}

/* Is the path one of them, wherever the folder of the site's documents is? */
static bool is_page(const hm_tree_files *f, hm_str path) {
  for (size_t i = 0; f->pages.n && i < path.n; i++)
    if ((!i || path.p[i - 1] == '/') &&
        hm_map_get(&f->pages, hm_str_sub(path, i, path.n)) != HM_MAP_NONE)
      return true;
  return false;
}

/* Notes the folder for which the file configures a host of tests: "ext/json" of
 * "ext/json/.travis.yml". Packages of one repository have folders ".github", too. */
static void note_host(hm_tree_files *f, hm_str path) {
  static const char *const hosts[] = { ".appveyor.yml", ".circleci", ".gitlab-ci.yml",
                                       ".travis.yml", "appveyor.yml" };
  for (; path.n; path = hm_tree_folder(path))
    for (size_t i = 0; i < HM_COUNT(hosts); i++)
      if (hm_str_is(hm_str_behind_last(path, '/'), hosts[i]))
        hm_map_add(&f->hosted, hm_tree_folder(path), 0);
}

static void make_ready(hm_tree_files *f) {
  if (f->git && !f->past)
    f->git->tracked(f->git->ctx, f->top.p, f->a, &f->v, &f->n);
  hm_strs_sort(f->v, f->n);
  f->by_name = hm_alloc_array(f->a, f->n + 1, sizeof *f->by_name);
  hm_map_init(&f->licensed, f->a, 16);
  hm_map_init(&f->hosted, f->a, 16);
  for (size_t i = 0; i < f->n; i++) {
    if (hm_tree_is_license(hm_str_behind_last(f->v[i], '/')))
      hm_map_add(&f->licensed, hm_tree_folder(f->v[i]), 0);
    note_host(f, f->v[i]);
    f->by_name[i] = f->v[i];
    f->sources |= hm_tree_is_source(f->v[i]);
  }
  qsort(f->by_name, f->n, sizeof *f->by_name, by_name);
  hm_map_init(&f->pages, f->a, 16);
  hm_map_init(&f->submodules, f->a, 16);
  read_submodules(f);
  if (!f->past) {
    read_site(f, "mkdocs.yaml");
    read_site(f, "mkdocs.yml");
  }
  f->ready = true;
}

hm_tree_files hm_tree_files_past(const hm_tree_files *now, const hm_str *paths, size_t n,
                                 hm_arena *a) {
  hm_tree_files f = { .top = now->top, .git = now->git, .past = true, .a = a };
  f.v = hm_alloc_array(a, n + 1, sizeof *f.v);
  for (size_t i = 0; i < n; i++)
    if (hm_tree_lies_in(paths[i], f.top) && paths[i].n > f.top.n)
      f.v[f.n++] = hm_str_sub(paths[i], f.top.n + 1, paths[i].n);
  return f;
}

const hm_tree_files *hm_tree_files_around(const hm_tree *t, hm_str folder) {
  hm_tree_files *best = NULL;
  for (size_t i = 0; i < t->n_whole; i++) {
    hm_tree_files *f = &t->whole[i];
    if (!hm_tree_lies_in(folder, f->top))
      continue;
    /* of work trees the inner one, of folders the outer one */
    bool better = !best || (f->git && !best->git) ||
        (!f->git == !best->git && (f->git ? f->top.n > best->top.n : f->top.n < best->top.n));
    if (better)
      best = f;
  }
  if (best && !best->ready)
    make_ready(best);
  return best && (best->git || best->sources) ? best : NULL;
}

hm_str hm_tree_files_top(const hm_tree_files *f) { return f->top; }

hm_str hm_tree_files_below(const hm_tree_files *f, hm_str folder) {
  return hm_str_sub(folder, folder.n > f->top.n ? f->top.n + 1 : folder.n, folder.n);
}

/* The first of its paths that is not before this one. */
static size_t first_from(const hm_tree_files *f, hm_str path) {
  return hm_lower_bound(f->v, f->n, sizeof *f->v, &path, hm_order_str);
}

static bool has_file(const hm_tree_files *f, hm_str path) {
  size_t at = first_from(f, path);
  return at < f->n && hm_str_eq(f->v[at], path);
}

/* Is it a folder with something in it? */
static bool has_folder(const hm_tree_files *f, hm_str path, hm_arena *work) {
  size_t at = first_from(f, HM_CAT(work, path, HM_STR("/")));
  return !path.n || (at < f->n && hm_tree_lies_in(f->v[at], path));
}

static hm_tree_presence ask(const hm_tree_files *f, hm_str path, hm_arena *work) {
  struct stat st;
  hm_str real = HM_CAT(work, f->top, HM_STR("/"), path);
  if (has_file(f, path) || has_folder(f, path, work))
    return HM_TREE_HAS;
  for (size_t i = 0; i < path.n; i++)
    if (path.p[i] == '/' &&
        (has_file(f, hm_str_sub(path, 0, i)) ||
         hm_map_get(&f->submodules, hm_str_sub(path, 0, i)) != HM_MAP_NONE))
      return HM_TREE_UNSURE;
  if (!f->past && lstat(hm_str_z(work, real), &st) == 0)
    return HM_TREE_HAS;
  const hm_tree_git *git = f->git && f->git->ignores ? f->git : NULL;
  const char *at = hm_str_z(work, real); /* it would be a file, or a folder */
  bool ignored = git && (git->ignores(git->ctx, at, false) || git->ignores(git->ctx, at, true));
  hm_str folder = hm_tree_folder(path);
  bool of_plugin = f->writes_pages && hm_str_ends(path, ".md") && !has_folder(f, folder, work);
  return ignored || of_plugin || is_page(f, path) ? HM_TREE_UNSURE : HM_TREE_LACKS;
}

hm_tree_presence hm_tree_files_ask(const hm_tree_files *f, hm_str path) {
  hm_arena *work = hm_arena_new();
  hm_tree_presence out = ask(f, path, work);
  hm_arena_free(work);
  return out;
}

bool hm_tree_files_licensed(const hm_tree_files *f, hm_str folder) {
  while (folder.n && hm_map_get(&f->licensed, folder) == HM_MAP_NONE)
    folder = hm_tree_folder(folder);
  return hm_map_get(&f->licensed, folder) != HM_MAP_NONE;
}

bool hm_tree_files_copied(const hm_tree_files *f, hm_str folder) {
  if (hm_map_get(&f->hosted, HM_EMPTY) == HM_MAP_NONE &&
      hm_map_get(&f->licensed, HM_EMPTY) == HM_MAP_NONE)
    return false;
  for (folder = hm_tree_files_below(f, folder); folder.n; folder = hm_tree_folder(folder))
    if (hm_map_get(&f->hosted, folder) != HM_MAP_NONE &&
        hm_map_get(&f->licensed, folder) != HM_MAP_NONE)
      return true;
  return false;
}

bool hm_tree_files_have_folder(const hm_tree_files *f, hm_str path) {
  hm_arena *work = hm_arena_new();
  const char *inside = hm_str_z(work, HM_CAT(work, HM_STR("/"), path, HM_STR("/")));
  bool found = false;
  for (size_t i = 0; i < f->n && !found; i++)
    found = hm_str_find(f->v[i], inside) >= 0 || hm_str_starts(f->v[i], inside + 1);
  hm_arena_free(work);
  return found;
}

static int by_last_part(const void *item, const void *key) {
  return hm_str_cmp(hm_str_behind_last(*(const hm_str *)item, '/'), *(const hm_str *)key);
}

const hm_str *hm_tree_files_named(const hm_tree_files *f, hm_str name, size_t *n) {
  size_t at = hm_lower_bound(f->by_name, f->n, sizeof *f->by_name, &name, by_last_part);
  for (*n = 0; *n < HM_TREE_NAMED && at + *n < f->n && !by_last_part(&f->by_name[at + *n], &name);
       ++*n) {
  }
  return f->by_name + at;
}

hm_str hm_tree_files_nearest(const hm_tree_files *f, hm_str path, hm_arena *work) {
  hm_known_name known[HM_TREE_NEAR];
  size_t n = 0;
  hm_str name = hm_str_behind_last(path, '/'), suffix = hm_str_behind_last(name, '.');
  hm_str folder = hm_str_sub(path, 0, path.n - name.n);
  hm_str end = suffix.n < name.n ? hm_str_sub(name, name.n - suffix.n - 1, name.n) : HM_EMPTY;
  for (size_t i = first_from(f, folder), last = i + HM_TREE_NAMED;
       i < f->n && i < last && n < HM_TREE_NEAR; i++) {
    hm_str rest = hm_str_sub(f->v[i], folder.n, f->v[i].n);
    if (!hm_str_eq(hm_str_sub(f->v[i], 0, folder.n), folder))
      break;
    bool same = hm_str_eq(hm_str_sub(rest, rest.n > end.n ? rest.n - end.n : 0, rest.n), end);
    if (same && !memchr(rest.p, '/', rest.n))
      known[n++] = hm_known_name_fold(hm_str_sub(rest, 0, rest.n - end.n), work);
  }
  hm_str near = hm_find_near_name(hm_str_sub(name, 0, name.n - end.n), known, n);
  return near.n ? HM_CAT(work, folder, near, end) : HM_EMPTY;
}
