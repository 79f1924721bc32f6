/* From the words of a command to files. Each word has a root: a folder, itself or the fixed part of
 * a glob, or the folder of a file. Folders are walked by their descriptors, entries in order of
 * their names, so a link that takes the place of a folder meanwhile leads nowhere. A file that
 * several words name belongs to the first of the outermost folder, the glob, the file itself, the
 * top of the work tree; so the order of words does not count. Cost: one look at each entry, and a
 * sort of the files. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/base/text.h"
#include "core/tree/tree_impl.h"

typedef enum { ROOT_FOLDER, ROOT_GLOB, ROOT_FILE, ROOT_TOP } root_sort;

typedef struct {
  root_sort sort;
  hm_str word;
  hm_str path;   /* of the folder, to show */
  hm_str source; /* of the folder */
  hm_str real;   /* of the folder */
  hm_str glob;   /* below the folder; or the name of the file */
  int levels;    /* folders inside each other in which files of it may lie */
  bool asks_git; /* git does not ignore the folder itself */
  size_t whole;  /* where the tree keeps all that it holds, from 1; 0: nowhere */
  size_t found;  /* its files */
} tree_root;

typedef struct hm_tree_walk {
  hm_arena *a;
  const hm_tree_options *opt;
  hm_tree *tree;
  tree_root *roots;
  size_t n_roots, cap_roots, cap_files, cap_skips;
  size_t entries;
  hm_map taken, skipped; /* real paths */
  hm_err *err;
} walk;

const char *hm_tree_skip_words(hm_tree_skip_reason reason) {
  static const char *const words[] = {
    [HM_TREE_SKIP_LINK] = "is a symbolic link",
    [HM_TREE_SKIP_NAME] = "has a name with a control character or invalid UTF-8",
    [HM_TREE_SKIP_UNREADABLE] = "cannot be read",
    [HM_TREE_SKIP_NO_FILE] = "is not a file",
    [HM_TREE_SKIP_LARGE] = "has more than 1 MiB",
    [HM_TREE_SKIP_DEEP] = "lies in too many folders",
    [HM_TREE_SKIP_PATTERNS] = "has patterns that take too long, so git ignores nothing by it",
    [HM_TREE_SKIP_IGNORED] = "is ignored by git",
    [HM_TREE_SKIP_EXCLUDED] = "is excluded",
    [HM_TREE_SKIP_FOREIGN] = "is a folder of another program",
    [HM_TREE_SKIP_COPY] = "is a copy of a file beside it",
  };
  return words[reason];
}

static hm_str join(hm_arena *a, hm_str folder, hm_str name) {
  bool bare = !folder.n || folder.p[folder.n - 1] == '/';
  return bare ? HM_CAT(a, folder, name) : HM_CAT(a, folder, HM_STR("/"), name);
}

static bool name_fits(hm_str name) {
  if (hm_text_valid_prefix(name) < name.n)
    return false;
  for (size_t i = 0; i < name.n;)
    if (hm_cp_is_hidden(hm_text_next(name, &i)))
      return false;
  return true;
}

/* --- what is taken ------------------------------------------------------------------------ */

static bool any_matches(const hm_str *globs, size_t n, hm_str below, bool folder) {
  for (size_t i = 0; i < n; i++)
    if (hm_glob_match(globs[i], below, folder))
      return true;
  return false;
}

/* Does the root ask for a file with this path below it? */
static bool is_wanted(const walk *w, const tree_root *r, hm_str below) {
  hm_tree_kind kind = hm_tree_kind_of(below);
  switch (r->sort) {
    case ROOT_FILE:
      return hm_str_eq(below, r->glob);
    case ROOT_TOP:
      return kind == HM_TREE_MANIFEST && !memchr(below.p, '/', below.n);
    case ROOT_GLOB:
      return hm_glob_match(HM_CAT(w->a, HM_STR("/"), r->glob), below, false);
    default:
      break;
  }
  if (kind == HM_TREE_MANIFEST)
    return true;
  return w->opt->n_include ? any_matches(w->opt->include, w->opt->n_include, below, false)
                           : kind == HM_TREE_NOTES;
}

static bool git_ignores(const walk *w, const tree_root *r, hm_str below, bool folder) {
  const hm_tree_git *git = w->opt->git;
  return r->asks_git && git->ignores(git->ctx, join(w->a, r->real, below).p, folder);
}

static void skip(walk *w, const tree_root *r, hm_str below, hm_tree_skip_reason why, bool folder) {
  hm_tree *t = w->tree;
  hm_str real = join(w->a, r->real, below);
  size_t before = w->skipped.n;
  hm_map_add(&w->skipped, real, 0);
  if (w->skipped.n == before)
    return;
  t->skips = hm_array_grow_in(w->a, t->skips, t->n_skips, &w->cap_skips, sizeof *t->skips);
  hm_str path = join(w->a, r->path, below), source = join(w->a, r->source, below);
  t->skips[t->n_skips++] = (hm_tree_skip){ path, source, why, folder, real, HM_EMPTY };
}

static void name_file(const walk *w, const tree_root *r, hm_tree_file *f) {
  bool named = r->sort == ROOT_FILE;
  f->source = named ? hm_tree_source_name(w->a, f->path) : join(w->a, r->source, f->below);
  const char *slash = f->source.n ? memchr(f->source.p, '/', f->source.n) : NULL;
  bool from_top = !slash || hm_str_eq(f->source, f->below); /* "." was named */
  f->top = from_top ? 0 : (size_t)(slash + 1 - f->source.p);
}

static int take_file(walk *w, tree_root *r, hm_str below, const struct stat *st) {
  hm_tree *t = w->tree;
  size_t before = w->taken.n;
  bool named = r->sort == ROOT_FILE;
  hm_str path = named ? r->word : join(w->a, r->path, below);
  if (!S_ISREG(st->st_mode) || st->st_size > HM_TREE_FILE_MAX) {
    skip(w, r, below, S_ISREG(st->st_mode) ? HM_TREE_SKIP_LARGE : HM_TREE_SKIP_NO_FILE, false);
    return 0;
  }
  r->found++;
  hm_map_add(&w->taken, join(w->a, r->real, below), 0);
  if (w->taken.n == before)
    return 0;
  if (t->n_files == HM_TREE_FILES)
    return hm_failf(w->err, HM_E_INPUT, r->word.p, "name a folder in it, or use --exclude",
                    "has more than %d files", HM_TREE_FILES);
  t->files = hm_array_grow_in(w->a, t->files, t->n_files, &w->cap_files, sizeof *t->files);
  hm_tree_file *f = &t->files[t->n_files++];
  *f = (hm_tree_file){ .path = path, .folder = r->real, .below = below, .size = st->st_size };
  name_file(w, r, f);
  f->kind = hm_tree_kind_of(path);
  return 0;
}

/* --- folders ------------------------------------------------------------------------------ */

static int walk_folder(walk *w, tree_root *r, int fd, hm_str below, int depth);

/* Keeps what lies there, whether it is taken or not. */
static void keep(walk *w, const tree_root *r, hm_str below) {
  hm_tree_files *f = r->whole ? &w->tree->whole[r->whole - 1] : NULL;
  if (!f)
    return;
  f->v = hm_array_grow_in(w->a, f->v, f->n, &f->cap, sizeof *f->v);
  f->v[f->n++] = below;
}

static int enter_folder(walk *w, tree_root *r, int dir, hm_str name, hm_str below, int depth) {
  if (hm_tree_is_foreign_folder(name)) {
    if (!hm_str_is(name, ".git"))
      skip(w, r, below, HM_TREE_SKIP_FOREIGN, true);
    keep(w, r, below);
    return 0;
  }
  hm_tree_skip_reason why = HM_TREE_SKIP_UNREADABLE;
  int fd = -1;
  if (any_matches(w->opt->exclude, w->opt->n_exclude, below, true))
    why = HM_TREE_SKIP_EXCLUDED;
  else if (git_ignores(w, r, below, true))
    why = HM_TREE_SKIP_IGNORED;
  else if (depth >= HM_TREE_DEPTH)
    why = HM_TREE_SKIP_DEEP;
  else
    fd = openat(dir, name.p, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0)
    return walk_folder(w, r, fd, below, depth + 1);
  keep(w, r, below);
  skip(w, r, below, why, true);
  return 0;
}

static int look_at_entry(walk *w, tree_root *r, int dir, hm_str name, hm_str under, int depth) {
  struct stat st;
  hm_str below = join(w->a, under, name);
  if (fstatat(dir, name.p, &st, AT_SYMLINK_NOFOLLOW) != 0)
    return 0; /* gone meanwhile */
  bool folder = S_ISDIR(st.st_mode);
  if (!folder)
    keep(w, r, below);
  /* A link without a suffix may be one to a folder */
  bool wanted = folder ? depth < r->levels
                       : is_wanted(w, r, below) ||
          (r->sort == ROOT_FOLDER && S_ISLNK(st.st_mode) && !memchr(name.p, '.', name.n));
  if (!wanted)
    return 0;
  if (!name_fits(name)) {
    skip(w, r, below, HM_TREE_SKIP_NAME, folder);
    return 0;
  }
  if (folder)
    return enter_folder(w, r, dir, name, below, depth);
  hm_tree_skip_reason why = HM_TREE_SKIP_UNREADABLE;
  if (any_matches(w->opt->exclude, w->opt->n_exclude, below, false))
    why = HM_TREE_SKIP_EXCLUDED;
  else if (git_ignores(w, r, below, false))
    why = HM_TREE_SKIP_IGNORED;
  else if (S_ISLNK(st.st_mode))
    why = HM_TREE_SKIP_LINK;
  else if (faccessat(dir, name.p, R_OK, AT_EACCESS) == 0)
    return take_file(w, r, below, &st);
  skip(w, r, below, why, false);
  return 0;
}

/* The names of an open folder, sorted. */
static int list_names(walk *w, const tree_root *r, DIR *d, hm_str **names, size_t *n) {
  size_t cap = 0;
  struct dirent *e;
  while (errno = 0, (e = readdir(d))) {
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
      continue;
    if (w->entries++ == HM_TREE_ENTRIES)
      return hm_failf(w->err, HM_E_INPUT, r->word.p, "name a folder in it, or use --exclude",
                      "has more than %d entries", HM_TREE_ENTRIES);
    *names = hm_array_grow_in(w->a, *names, *n, &cap, sizeof **names);
    (*names)[(*n)++] = hm_str_dup(w->a, hm_str_c(e->d_name));
  }
  hm_strs_sort(*names, *n);
  return errno ? hm_fail(w->err, HM_E_INPUT, r->word.p, strerror(errno), NULL) : 0;
}

/* Takes ownership of fd. */
static int walk_folder(walk *w, tree_root *r, int fd, hm_str below, int depth) {
  hm_str *names = NULL;
  size_t n = 0;
  DIR *d = fdopendir(fd);
  if (!d) {
    close(fd);
    return hm_fail(w->err, HM_E_INPUT, r->word.p, strerror(errno), NULL);
  }
  int rc = list_names(w, r, d, &names, &n);
  for (size_t i = 0; i < n && !rc; i++)
    rc = look_at_entry(w, r, dirfd(d), names[i], below, depth);
  closedir(d);
  return rc;
}

static int walk_root(walk *w, tree_root *r) {
  int fd = open(r->real.p, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return r->sort == ROOT_TOP
        ? 0
        : hm_fail(w->err, HM_E_INPUT, r->word.p, strerror(errno), hm_errno_suggest_fix(errno));
  if (r->sort != ROOT_FILE)
    return walk_folder(w, r, fd, HM_EMPTY, 0);
  struct stat st;
  int rc = fstatat(fd, r->glob.p, &st, AT_SYMLINK_NOFOLLOW);
  bool refused = !rc && faccessat(fd, r->glob.p, R_OK, AT_EACCESS) != 0;
  int code = errno;
  close(fd);
  if (rc || refused)
    return hm_fail(w->err, HM_E_INPUT, r->word.p, strerror(code), hm_errno_suggest_fix(code));
  return take_file(w, r, r->glob, &st);
}

/* --- words -------------------------------------------------------------------------------- */

static hm_str real_path(hm_arena *a, const char *path) {
  char *real = realpath(path, NULL);
  hm_str s = real ? hm_str_dup(a, hm_str_c(real)) : HM_EMPTY;
  free(real);
  return s;
}

static bool climbs(hm_str word) {
  return hm_str_is(word, "..") || hm_str_starts(word, "../") || hm_str_find(word, "/../") >= 0 ||
      hm_str_ends(word, "/..");
}

/* Splits a path before its last part; "." stands for no folder. */
static void split_last(hm_arena *a, hm_str path, hm_str *folder, hm_str *last) {
  size_t i = path.n;
  while (i > 0 && path.p[i - 1] != '/')
    i--;
  *folder = i ? hm_str_dup(a, hm_str_sub(path, 0, i)) : HM_STR(".");
  *last = hm_str_dup(a, hm_str_sub(path, i, path.n));
}

/* A relative word that does not climb means something in the working folder; another one, which is
 * a link to a file, something in the work tree or the folder in which the link lies. */
static int check_inside(walk *w, hm_str word, hm_str real) {
  hm_str here = real_path(w->a, "."), folder, name;
  if (hm_char_at(word, 0, '/') || climbs(word)) {
    const hm_tree_git *git = w->opt->git;
    struct stat st;
    bool link = lstat(word.p, &st) == 0 && S_ISLNK(st.st_mode);
    if (!link || (stat(word.p, &st) == 0 && S_ISDIR(st.st_mode)))
      return 0;
    split_last(w->a, word, &folder, &name);
    folder = real_path(w->a, folder.p);
    hm_str top = git && git->top ? git->top(git->ctx, folder.p, w->a) : HM_EMPTY;
    here = top.n ? top : folder;
  }
  if (hm_tree_lies_in(real, here))
    return 0;
  return hm_fail(w->err, HM_E_INPUT, word.p, "leads by a symbolic link out of this folder",
                 hm_str_fmt(w->a, "name %s itself, if you mean it", real.p).p);
}

static tree_root *add_root(walk *w, root_sort sort, hm_str word, hm_str path, hm_str real) {
  w->roots = hm_array_grow_in(w->a, w->roots, w->n_roots, &w->cap_roots, sizeof *w->roots);
  tree_root *r = &w->roots[w->n_roots++];
  *r = (tree_root){ .sort = sort, .word = word, .path = path, .real = real };
  r->source = hm_tree_source_name(w->a, path);
  r->levels = sort == ROOT_FOLDER ? INT_MAX : 0;
  if (hm_str_is(path, "."))
    r->path = HM_EMPTY;
  return r;
}

static int add_glob(walk *w, hm_str word) {
  size_t fixed = 0;
  for (size_t i = 0; i < word.n && !hm_glob_is(hm_str_sub(word, 0, i + 1)); i++)
    if (word.p[i] == '/')
      fixed = i + 1;
  hm_str folder = fixed ? hm_str_dup(w->a, hm_str_sub(word, 0, fixed)) : HM_STR(".");
  hm_str real = real_path(w->a, folder.p);
  if (!real.n)
    return hm_fail(w->err, HM_E_INPUT, word.p, "matches no file",
                   "write it in quotes, or name a folder");
  if (check_inside(w, word, real))
    return -1;
  tree_root *r = add_root(w, ROOT_GLOB, word, folder, real);
  r->glob = hm_str_dup(w->a, hm_str_sub(word, fixed, word.n));
  r->levels = hm_str_find(r->glob, "**") >= 0 ? INT_MAX : 0;
  for (size_t i = 0; i < r->glob.n && r->levels < INT_MAX; i++)
    r->levels += r->glob.p[i] == '/';
  return 0;
}

static int add_word(walk *w, hm_str given) {
  hm_str word = hm_str_dup(w->a, given);
  struct stat st;
  if (stat(word.p, &st) != 0) {
    if (hm_glob_is(word))
      return add_glob(w, word);
    return hm_fail(w->err, HM_E_INPUT, word.p, strerror(errno), hm_errno_suggest_fix(errno));
  }
  hm_str real = real_path(w->a, word.p);
  if (!real.n)
    return hm_fail(w->err, HM_E_INPUT, word.p, strerror(errno), hm_errno_suggest_fix(errno));
  if (check_inside(w, word, real))
    return -1;
  if (S_ISDIR(st.st_mode)) {
    while (word.n > 1 && word.p[word.n - 1] == '/')
      word.n--;
    add_root(w, ROOT_FOLDER, hm_str_dup(w->a, word), hm_str_dup(w->a, word), real);
    return 0;
  }
  hm_str folder, name, real_folder, real_name;
  split_last(w->a, word, &folder, &name);
  split_last(w->a, real, &real_folder, &real_name);
  if (!name_fits(word))
    return hm_fail(w->err, HM_E_INPUT, word.p, hm_tree_skip_words(HM_TREE_SKIP_NAME), "rename it");
  if (real_folder.n > 1)
    real_folder = hm_str_dup(w->a, hm_str_sub(real_folder, 0, real_folder.n - 1));
  tree_root *r = add_root(w, ROOT_FILE, word, folder, real_folder);
  r->glob = real_name;
  return 0;
}

/* The top of the work tree of each root, once. All of it is known, and of a folder outside of one
 * what is walked. */
static void add_tops(walk *w) {
  const hm_tree_git *git = w->opt->git;
  size_t n = w->n_roots;
  hm_tree *t = w->tree;
  hm_map tops;
  hm_map_init(&tops, w->a, n);
  t->whole = hm_alloc_array(w->a, n + 1, sizeof *t->whole);
  for (size_t i = 0; i < n; i++) {
    hm_str top = git && git->top ? git->top(git->ctx, w->roots[i].real.p, w->a) : HM_EMPTY;
    size_t before = tops.n;
    if (!top.n && w->roots[i].sort == ROOT_FOLDER) {
      t->whole[t->n_whole++] = (hm_tree_files){ .top = w->roots[i].real, .a = w->a };
      w->roots[i].whole = t->n_whole;
    }
    if (!top.n)
      continue;
    hm_map_add(&tops, top, 0);
    if (tops.n == before)
      continue;
    if (git->tracked)
      t->whole[t->n_whole++] = (hm_tree_files){ .top = top, .git = git, .a = w->a };
    if (w->opt->only_named)
      continue;
    tree_root *r =
        add_root(w, ROOT_TOP, top, hm_tree_folder_from(w->a, top, real_path(w->a, ".")), top);
    r->source = HM_EMPTY;
  }
}

/* Outer folders first, then globs, files, tops. */
static int order_roots(const void *x, const void *y) {
  const tree_root *a = x, *b = y;
  if (a->sort != b->sort)
    return a->sort < b->sort ? -1 : 1;
  if (a->real.n != b->real.n)
    return a->real.n < b->real.n ? -1 : 1;
  int by_real = hm_str_cmp(a->real, b->real);
  if (by_real)
    return by_real;
  int by_source = hm_str_cmp(a->source, b->source);
  return by_source ? by_source : hm_str_cmp(a->word, b->word);
}

static int order_files(const void *x, const void *y) {
  const hm_tree_file *a = x, *b = y;
  int by_source = hm_str_cmp(a->source, b->source);
  return by_source ? by_source : hm_str_cmp(a->path, b->path);
}

static int order_skips(const void *x, const void *y) {
  const hm_tree_skip *a = x, *b = y;
  int by_source = hm_str_cmp(a->source, b->source);
  return by_source ? by_source : hm_str_cmp(a->path, b->path);
}

/* Another word may name a file that a folder left out. */
static void drop_taken_skips(walk *w) {
  hm_tree *t = w->tree;
  size_t n = 0;
  for (size_t i = 0; i < t->n_skips; i++)
    if (hm_map_get(&w->taken, t->skips[i].real) == HM_MAP_NONE)
      t->skips[n++] = t->skips[i];
  t->n_skips = n;
}

/* The files of patterns that git did not use. */
static void skip_unused(walk *w) {
  const hm_tree_git *git = w->opt->git;
  hm_tree_skip *v = NULL;
  size_t n = 0;
  if (git && git->unused)
    git->unused(git->ctx, w->a, &v, &n);
  for (size_t i = 0; i < n; i++) {
    hm_tree_file f = { .below = v[i].real };
    f.path = hm_tree_folder_from(w->a, f.below, real_path(w->a, "."));
    f.source = hm_tree_source_name(w->a, f.path);
    hm_tree_skip_file(w->tree, &f, v[i].reason, HM_EMPTY, w->a);
  }
}

static int check_sources(const walk *w) {
  const hm_tree *t = w->tree;
  for (size_t i = 1; i < t->n_files; i++)
    if (hm_str_eq(t->files[i - 1].source, t->files[i].source))
      return hm_fail(w->err, HM_E_INPUT, t->files[i].path.p,
                     hm_str_fmt(w->a, "has the same source as %s: %s", t->files[i - 1].path.p,
                                t->files[i].source.p)
                         .p,
                     "name them from a folder that holds both");
  return 0;
}

int hm_tree_list(hm_arena *a, const hm_str *words, size_t n, const hm_tree_options *opt,
                 hm_tree **out, hm_err *err) {
  walk *w = hm_alloc(a, sizeof *w);
  *w = (walk){ .a = a, .opt = opt, .err = err, .tree = hm_alloc(a, sizeof *w->tree) };
  w->tree->walk = w;
  hm_map_init(&w->taken, a, 64);
  hm_map_init(&w->skipped, a, 64);
  *out = w->tree;
  for (size_t i = 0; i < n; i++)
    if (add_word(w, words[i]))
      return -1;
  add_tops(w);
  qsort(w->roots, w->n_roots, sizeof *w->roots, order_roots);
  for (size_t i = 0; i < w->n_roots; i++) {
    const hm_tree_git *git = w->opt->git;
    tree_root *r = &w->roots[i];
    bool asks = r->sort == ROOT_FOLDER || r->sort == ROOT_GLOB;
    r->asks_git = asks && git && git->ignores && !git->ignores(git->ctx, r->real.p, true);
    if (walk_root(w, r))
      return -1;
    if (w->roots[i].found)
      continue;
    if (w->roots[i].sort == ROOT_GLOB)
      return hm_fail(err, HM_E_INPUT, w->roots[i].word.p, "matches no file", NULL);
    if (w->roots[i].sort == ROOT_FOLDER && !w->tree->n_skips)
      return hm_fail(err, HM_E_INPUT, w->roots[i].word.p, "holds no file that is read",
                     "name Markdown files or a folder that has some");
  }
  drop_taken_skips(w);
  skip_unused(w);
  if (w->tree->n_files)
    qsort(w->tree->files, w->tree->n_files, sizeof *w->tree->files, order_files);
  if (w->tree->n_skips)
    qsort(w->tree->skips, w->tree->n_skips, sizeof *w->tree->skips, order_skips);
  return check_sources(w);
}

void hm_tree_skip_file(hm_tree *t, const hm_tree_file *f, hm_tree_skip_reason why, hm_str of,
                       hm_arena *a) {
  hm_str real = join(a, f->folder, f->below);
  t->skips = hm_array_grow_in(a, t->skips, t->n_skips, &t->walk->cap_skips, sizeof *t->skips);
  t->skips[t->n_skips++] = (hm_tree_skip){ f->path, f->source, why, false, real, of };
  qsort(t->skips, t->n_skips, sizeof *t->skips, order_skips);
}

/* --- afterwards ---------------------------------------------------------------------------- */

/* Was nothing left out on the way to the file? */
static bool is_looked_for(const walk *w, const tree_root *r, hm_str source, hm_str below) {
  const hm_tree_git *git = w->opt->git;
  for (size_t i = 0; i < w->tree->n_skips; i++)
    if (hm_tree_lies_in(source, w->tree->skips[i].source))
      return false;
  for (size_t i = 0; i <= below.n; i++)
    if ((i == below.n || below.p[i] == '/') &&
        any_matches(w->opt->exclude, w->opt->n_exclude, hm_str_sub(below, 0, i), i < below.n))
      return false;
  if (git_ignores(w, r, below, false))
    return false;
  return !(git && git->held_back && git->held_back(git->ctx, join(w->a, r->real, below).p));
}

/* Is the first folder of the source in that of the root, "."? Else another folder may have been "."
 * when it was read. */
static bool has_first_folder(const walk *w, const tree_root *r, hm_str source) {
  struct stat st;
  const char *slash = source.n ? memchr(source.p, '/', source.n) : NULL;
  hm_str first = hm_str_sub(source, 0, slash ? (size_t)(slash - source.p) : 0);
  return !first.n || lstat(hm_str_z(w->a, join(w->a, r->real, first)), &st) == 0;
}

static bool is_walked(const tree_root *r) { return r->sort == ROOT_FOLDER || r->sort == ROOT_GLOB; }

bool hm_tree_lacks_folder(const hm_tree *t, hm_str source) {
  const walk *w = t->walk;
  for (size_t i = 0; i < w->n_roots; i++) {
    const tree_root *r = &w->roots[i];
    if (is_walked(r) && !r->source.n && is_wanted(w, r, source))
      return !has_first_folder(w, r, source);
  }
  return false;
}

bool hm_tree_covers(const hm_tree *t, hm_str source, hm_arena *a) {
  const walk *w = t->walk;
  for (size_t i = 0; i < w->n_roots; i++) {
    const tree_root *r = &w->roots[i];
    if (!is_walked(r) || (r->source.n && !hm_tree_lies_in(source, r->source)))
      continue;
    size_t from = r->source.n ? r->source.n + 1 : 0;
    hm_str below = hm_str_dup(a, hm_str_sub(source, from, source.n));
    if (below.n && is_wanted(w, r, below))
      return is_looked_for(w, r, source, below);
  }
  return false;
}

/* Would the walk of this root come to the file? */
static bool would_find(const walk *w, const tree_root *r, hm_str below) {
  size_t from = 0;
  int depth = 0;
  if (!is_wanted(w, r, below) || !name_fits(below) ||
      any_matches(w->opt->exclude, w->opt->n_exclude, below, false))
    return false;
  for (size_t i = 0; i < below.n; i++) {
    if (below.p[i] != '/')
      continue;
    hm_str folder = hm_str_sub(below, 0, i);
    if (depth++ >= r->levels || depth > HM_TREE_DEPTH ||
        hm_tree_is_foreign_folder(hm_str_sub(below, from, i)) ||
        any_matches(w->opt->exclude, w->opt->n_exclude, folder, true))
      return false;
    from = i + 1;
  }
  return true;
}

void hm_tree_list_past(const hm_tree *t, const hm_str *paths, size_t n, hm_arena *a,
                       hm_tree **out) {
  walk *w = hm_alloc(a, sizeof *w);
  *w = *t->walk;
  w->a = a;
  w->tree = *out = hm_alloc(a, sizeof *w->tree);
  *w->tree = (hm_tree){ .walk = w, .files = hm_alloc_array(a, n + 1, sizeof *w->tree->files) };
  w->tree->whole = hm_alloc_array(a, t->n_whole + 1, sizeof *w->tree->whole);
  for (size_t i = 0; i < t->n_whole; i++)
    w->tree->whole[w->tree->n_whole++] = hm_tree_files_past(&t->whole[i], paths, n, a);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < w->n_roots; k++) {
      const tree_root *r = &w->roots[k];
      size_t from = r->real.n + !hm_str_is(r->real, "/");
      if (!hm_tree_lies_in(paths[i], r->real) || from >= paths[i].n)
        continue;
      hm_str below = hm_str_dup(a, hm_str_sub(paths[i], from, paths[i].n));
      if (!would_find(w, r, below))
        continue;
      bool named = r->sort == ROOT_FILE;
      hm_tree_file *f = &w->tree->files[w->tree->n_files++];
      *f = (hm_tree_file){ .path = named ? r->word : join(a, r->path, below),
                           .folder = r->real,
                           .below = below };
      name_file(w, r, f);
      f->kind = hm_tree_kind_of(f->path);
      break;
    }
  if (w->tree->n_files)
    qsort(w->tree->files, w->tree->n_files, sizeof *w->tree->files, order_files);
}
