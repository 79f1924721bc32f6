#include <stdlib.h>
#include <string.h>

#include "gen/sink/git_impl.h"

typedef struct { hm_str name; git_filemode_t mode; git_oid id; } entry;
typedef struct { entry *e; size_t n, cap; } entries;

typedef struct {
  hm_git *g;
  const hm_site *s;
  const git_oid *ids;        /* of the site's files */
  hm_git_objects *news;
  hm_err *err;
} building;

static void add_entry(building *b, entries *l, hm_str name, git_filemode_t mode, const git_oid *id) {
  if (l->n == l->cap) {
    size_t cap = l->cap ? l->cap * 2 : 16;
    entry *e = hm_alloc_array(b->g->a, cap, sizeof *e);
    if (l->n) memcpy(e, l->e, l->n * sizeof *e);
    l->e = e;
    l->cap = cap;
  }
  l->e[l->n++] = (entry){ name, mode, *id };
}

static int by_git_order(const void *x, const void *y) {
  const entry *a = x, *b = y;
  return hm_git_name_order(a->name, a->mode == GIT_FILEMODE_TREE, b->name, b->mode == GIT_FILEMODE_TREE);
}

static hm_str tree_bytes(building *b, entries *l) {
  hm_buf out = { 0 };
  if (l->n) qsort(l->e, l->n, sizeof *l->e, by_git_order);
  for (size_t i = 0; i < l->n; i++) hm_git_entry_put(&out, l->e[i].mode, l->e[i].name, l->e[i].id.id);
  hm_str kept = hm_buf_keep(&out, b->g->a);
  hm_buf_free(&out);
  return kept;
}

static hm_str join(building *b, hm_str dir, hm_str name) {
  return dir.n ? hm_str_fmt(b->g->a, "%.*s/%.*s", HM_FMT(dir), HM_FMT(name)) : name;
}

/* What the tip has under this name; NULL for nothing. */
static const git_tree_entry *at_tip(building *b, git_tree *parent, hm_str name) {
  return parent ? git_tree_entry_byname(parent, hm_str_z(b->g->a, name)) : NULL;
}

typedef struct { hm_str path; size_t from, to; } range;   /* a folder and its files in the site */

static int build_dir(building *b, range r, git_tree *parent, git_oid *id, bool *empty);

/* The folder `name`, whose old tree is `old` (NULL: none), into l. */
static int add_subdir(building *b, range r, hm_str name, const git_tree_entry *old, entries *l) {
  git_tree *tree = NULL;
  git_oid id;
  bool empty;
  bool was_dir = old && git_tree_entry_type(old) == GIT_OBJECT_TREE;
  if (was_dir && git_tree_lookup(&tree, b->g->repo, git_tree_entry_id(old)) < 0)
    return hm_git_fail(b->g, "read the branch", b->err);
  int rc = build_dir(b, r, tree, &id, &empty);
  git_tree_free(tree);
  if (rc == 0 && !empty) add_entry(b, l, name, GIT_FILEMODE_TREE, &id);
  return rc;
}

int hm_git_clash(hm_str path, hm_err *err) {
  return hm_failf(err, HM_E_OUTPUT, "publish.keep", "keep another path",
                  "it keeps files in \"%.*s\", which is a file of the mirror", HM_FMT(path));
}

static int add_file(building *b, size_t i, hm_str name, const git_tree_entry *old, entries *l) {
  const hm_file *f = &b->s->files[i];
  if (old && git_tree_entry_type(old) == GIT_OBJECT_TREE && hm_git_keeps_below(b->g, f->path)) return hm_git_clash(f->path, b->err);
  bool known = old && git_oid_equal(git_tree_entry_id(old), &b->ids[i]);
  if (!known) hm_git_objects_add(b->news, b->g->a, &b->ids[i], GIT_OBJECT_BLOB, f->bytes);
  add_entry(b, l, name, GIT_FILEMODE_BLOB, &b->ids[i]);
  return 0;
}

/* Length of the first component of the path below dir, and whether it is a folder. */
static size_t first_name(hm_str path, hm_str dir, hm_str *name) {
  size_t skip = dir.n ? dir.n + 1 : 0;
  const char *slash = memchr(path.p + skip, '/', path.n - skip);
  size_t end = slash ? (size_t)(slash - path.p) : path.n;
  *name = hm_str_sub(path, skip, end);
  return end;
}

/* The files of one folder of the site stand together, since paths are sorted. */
static int add_site(building *b, range r, git_tree *parent, entries *l) {
  for (size_t i = r.from, to; i < r.to; i = to) {
    hm_str name, path = b->s->files[i].path;
    size_t end = first_name(path, r.path, &name);
    bool folder = end < path.n;
    const git_tree_entry *old = at_tip(b, parent, name);
    hm_str here = { path.p, end };
    to = i + 1;
    while (folder && to < r.to && b->s->files[to].path.n > end && memcmp(b->s->files[to].path.p, path.p, end + 1) == 0) to++;
    if (old && hm_git_is_kept(b->g, here)) continue;
    int rc = folder ? add_subdir(b, (range){ here, i, to }, name, old, l) : add_file(b, i, name, old, l);
    if (rc != 0) return -1;
  }
  return 0;
}

static bool has_name(const entries *l, hm_str name) {
  for (size_t i = 0; i < l->n; i++)
    if (hm_str_eq(l->e[i].name, name)) return true;
  return false;
}

/* What is kept, and folders that hold something kept and nothing of the site. */
static int add_kept(building *b, range r, git_tree *parent, entries *l) {
  size_t n = parent && b->g->n_keep ? git_tree_entrycount(parent) : 0;
  for (size_t i = 0; i < n; i++) {
    const git_tree_entry *e = git_tree_entry_byindex(parent, i);
    hm_str name = hm_str_dup(b->g->a, hm_str_c(git_tree_entry_name(e)));
    hm_str path = join(b, r.path, name);
    if (hm_git_is_kept(b->g, path)) {
      add_entry(b, l, name, git_tree_entry_filemode_raw(e), git_tree_entry_id(e));
    } else if (git_tree_entry_type(e) == GIT_OBJECT_TREE && hm_git_keeps_below(b->g, path) && !has_name(l, name)) {
      if (add_subdir(b, (range){ path, 0, 0 }, name, e, l) != 0) return -1;
    }
  }
  return 0;
}

void hm_git_add_tree(hm_git *g, hm_git_objects *l, hm_str path, const git_oid *id, hm_str bytes, const git_oid *was) {
  if (bytes.n > HM_PIECE_MAX) {
    hm_git_long *new = hm_git_objects_long(l, g->a, hm_str_fmt(g->a, "%.*s/", HM_FMT(path)), GIT_OBJECT_TREE, bytes);
    new->has_was = was != NULL;
    if (was) new->was = *was;
    hm_git_long_cut(new, hm_git_memory_find(g->opt->memory, new->key));
  }
  hm_git_objects_add(l, g->a, id, GIT_OBJECT_TREE, bytes);
}

static int build_dir(building *b, range r, git_tree *parent, git_oid *id, bool *empty) {
  entries l = { 0 };
  if (add_site(b, r, parent, &l) != 0 || add_kept(b, r, parent, &l) != 0) return -1;
  *empty = l.n == 0;
  hm_str bytes = tree_bytes(b, &l);
  hm_git_object_sum(GIT_OBJECT_TREE, bytes, id->id);
  bool known = parent && git_oid_equal(git_tree_id(parent), id);
  if (!known && (!*empty || r.path.n == 0)) hm_git_add_tree(b->g, b->news, r.path, id, bytes, parent ? git_tree_id(parent) : NULL);
  return 0;
}

/* The site has a list of them, unless it was put together by hand. */
static int find_made(hm_git *g, const hm_site *s, hm_git_made *m, hm_err *err) {
  size_t n = s->made ? s->n_made : s->n;
  m->at = hm_alloc_array(g->a, n, sizeof *m->at);
  for (size_t k = 0; k < n; k++) {
    size_t i = s->made ? s->made[k] : k;
    if (s->files[i].held) continue;
    if (!hm_site_path_ok(s->files[i].path))
      return hm_failf(err, HM_E_INTERNAL, g->opt->repo, NULL, "\"%.*s\" cannot be the name of a file", HM_FMT(s->files[i].path));
    m->at[m->n++] = (uint32_t)i;
  }
  m->ids = hm_alloc_array(g->a, m->n, sizeof *m->ids);
  return 0;
}

/* No file is held, or the tip would be known. */
static int build(hm_git *g, const hm_site *s, const hm_git_made *m, hm_git_objects *l, git_oid *root, hm_err *err) {
  building b = { .g = g, .s = s, .ids = m->ids, .news = l, .err = err };
  git_tree *tip = NULL;
  bool empty;
  if (m->n != s->n) return hm_fail(err, HM_E_INTERNAL, g->opt->repo, "files are held that it does not have", "publish --full");
  if (g->exists && git_tree_lookup(&tip, g->repo, &g->tip_tree) < 0) return hm_git_fail(g, "read the branch", err);
  int rc = build_dir(&b, (range){ HM_EMPTY, 0, s->n }, tip, root, &empty);
  git_tree_free(tip);
  return rc;
}

int hm_git_tree_build(hm_git *g, const hm_site *s, hm_git_objects *l, git_oid *root, hm_err *err) {
  hm_git_made m = { 0 };
  if (find_made(g, s, &m, err) != 0) return -1;
  if (hm_git_hash_files(g, s, &m, l) != 0) return hm_git_fail(g, "hash a file", err);
  return g->known ? hm_git_tree_patch(g, s, &m, l, root, err) : build(g, s, &m, l, root, err);
}
