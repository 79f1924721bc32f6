/* Trees of two commits side by side. In git's order of entries, where a folder
 * sorts as its name and '/', a walk meets the paths in bytewise order. */
#include <stdlib.h>
#include <string.h>

#include "gen/sink/fs.h"
#include "gen/sink/git_read_impl.h"

typedef struct {
  hm_git_reader *g;
  hm_arena *a;
  hm_err *err;
  hm_git_change *v; size_t n, cap;
  unsigned *modes;             /* of v[].after */
  char path[4096]; size_t at;  /* of the folder, with its '/' */
  int depth;
} walk;

static bool is_tree(const git_tree_entry *e) {
  return e && git_tree_entry_filemode(e) == GIT_FILEMODE_TREE;
}

static void grow(walk *w) {
  if (w->n < w->cap) return;
  w->cap = w->cap ? 2 * w->cap : 64;
  w->v = hm_xrealloc(w->v, w->cap * sizeof *w->v);
  w->modes = hm_xrealloc(w->modes, w->cap * sizeof *w->modes);
}

static int too_deep(const walk *w) {
  return hm_failf(w->err, HM_E_OUTPUT, w->g->path,
                  "no mirror has such folders; look at the branch with git ls-tree -r",
                  "a path in it is longer than %zu bytes or %d folders", sizeof w->path,
                  HM_FS_DEPTH);
}

static int add(walk *w, const git_tree_entry *from, const git_tree_entry *to) {
  const char *name = git_tree_entry_name(from ? from : to);
  grow(w);
  hm_git_change *c = &w->v[w->n];
  *c = (hm_git_change){ .path = hm_str_fmt(w->a, "%.*s%s", (int)w->at, w->path, name) };
  if (from) git_oid_tostr(c->before, sizeof c->before, git_tree_entry_id(from));
  if (to) git_oid_tostr(c->after, sizeof c->after, git_tree_entry_id(to));
  w->modes[w->n++] = to ? git_tree_entry_filemode_raw(to) : 0;
  return 0;
}

static int compare(walk *w, const git_tree *from, const git_tree *to);

static int enter(walk *w, const git_tree_entry *from, const git_tree_entry *to) {
  git_tree *a = NULL, *b = NULL;
  const char *name = git_tree_entry_name(from ? from : to);
  size_t before = w->at, n = strlen(name);
  if (w->at + n + 2 > sizeof w->path || w->depth >= HM_FS_DEPTH) return too_deep(w);
  int rc = from ? hm_git_read_tree(w->g, git_tree_entry_id(from), &a, w->err) : 0;
  if (rc == 0 && to) rc = hm_git_read_tree(w->g, git_tree_entry_id(to), &b, w->err);
  memcpy(w->path + w->at, name, n);
  w->path[w->at + n] = '/';
  w->at += n + 1;
  w->depth++;
  if (rc == 0) rc = compare(w, a, b);
  w->depth--;
  w->at = before;
  git_tree_free(a);
  git_tree_free(b);
  return rc;
}

/* One of them may be NULL; else both are of one name, and both folders or neither. */
static int differing(walk *w, const git_tree_entry *from, const git_tree_entry *to) {
  if (from && to && git_oid_equal(git_tree_entry_id(from), git_tree_entry_id(to)) &&
      git_tree_entry_filemode_raw(from) == git_tree_entry_filemode_raw(to)) return 0;
  return is_tree(from ? from : to) ? enter(w, from, to) : add(w, from, to);
}

/* By name, a folder's with '/' at its end. */
static int order(const git_tree_entry *x, const git_tree_entry *y) {
  if (!x || !y) return x ? -1 : 1;
  const char *a = git_tree_entry_name(x), *b = git_tree_entry_name(y);
  size_t na = strlen(a), nb = strlen(b), n = na < nb ? na : nb;
  int c = memcmp(a, b, n);
  if (c) return c;
  int ca = na > n ? (unsigned char)a[n] : is_tree(x) ? '/' : 0;
  int cb = nb > n ? (unsigned char)b[n] : is_tree(y) ? '/' : 0;
  return ca - cb;
}

static int compare(walk *w, const git_tree *from, const git_tree *to) {
  size_t i = 0, j = 0, n = from ? git_tree_entrycount(from) : 0,
         m = to ? git_tree_entrycount(to) : 0;
  int rc = 0;
  while (rc == 0 && (i < n || j < m)) {
    const git_tree_entry *x = i < n ? git_tree_entry_byindex(from, i) : NULL;
    const git_tree_entry *y = j < m ? git_tree_entry_byindex(to, j) : NULL;
    int c = order(x, y);
    if (c < 0) y = NULL;
    if (c > 0) x = NULL;
    rc = differing(w, x, y);
    i += x != NULL;
    j += y != NULL;
  }
  return rc;
}

static int walk_both(walk *w, const char *from, const char *to) {
  git_tree *a = NULL, *b = NULL;
  int rc = hm_git_tree_of(w->g, from, &a, w->err);
  if (rc == 0) rc = hm_git_tree_of(w->g, to, &b, w->err);
  if (rc == 0 && !(a && b && git_oid_equal(git_tree_id(a), git_tree_id(b)))) rc = compare(w, a, b);
  git_tree_free(a);
  git_tree_free(b);
  return rc;
}

int hm_git_changed(hm_git_reader *g, const char *from, const char *to, hm_arena *a,
                   hm_git_change **out, size_t *n, hm_err *err) {
  walk w = { .g = g, .a = a, .err = err };
  int rc = walk_both(&w, from, to);
  *n = rc == 0 ? w.n : 0;
  *out = hm_alloc_array(a, *n + 1, sizeof **out);
  if (*n) memcpy(*out, w.v, *n * sizeof **out);
  free(w.v);
  free(w.modes);
  return rc;
}

int hm_git_files(hm_git_reader *g, const char *commit, hm_arena *a, hm_git_file **files, size_t *n,
                 hm_err *err) {
  walk w = { .g = g, .a = a, .err = err };
  int rc = walk_both(&w, "", commit);
  *n = rc == 0 ? w.n : 0;
  *files = hm_alloc_array(a, *n + 1, sizeof **files);
  for (size_t i = 0; i < *n; i++) {
    hm_git_file *f = &(*files)[i];
    *f = (hm_git_file){ .path = w.v[i].path, .mode = w.modes[i] };
    memcpy(f->id, w.v[i].after, sizeof f->id);
  }
  free(w.v);
  free(w.modes);
  return rc;
}

int hm_git_names(hm_git_reader *g, const char *commit, const char *folder, hm_arena *a,
                 hm_str **names, size_t *n, hm_err *err) {
  git_tree *root = NULL, *tree = NULL;
  git_tree_entry *e = NULL;
  *n = 0;
  *names = hm_alloc(a, sizeof **names);
  int rc = hm_git_tree_of(g, commit, &root, err);
  if (rc == 0 && root && git_tree_entry_bypath(&e, root, folder) == 0 && is_tree(e))
    rc = hm_git_read_tree(g, git_tree_entry_id(e), &tree, err);
  if (tree) {
    *names = hm_alloc_array(a, git_tree_entrycount(tree) + 1, sizeof **names);
    for (; *n < git_tree_entrycount(tree); ++*n)
      (*names)[*n] = hm_str_dup(a, hm_str_c(git_tree_entry_name(git_tree_entry_byindex(tree, *n))));
  }
  git_tree_entry_free(e);
  git_tree_free(tree);
  git_tree_free(root);
  return rc;
}
