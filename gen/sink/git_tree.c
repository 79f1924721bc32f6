/* The tree of a site: ids of its files, then folder by folder up to the root.
 *
 * A folder with no new and no deleted file reuses the tip's tree unread. Elsewhere a held file
 * reuses the tip's id; every other file is hashed. Paths of publish.keep are copied from the tip.
 * Only objects that the tip lacks are new. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/sort.h"
#include "gen/sink/git_impl.h"

typedef struct {
  hm_str name;
  git_filemode_t mode;
  git_oid id;
} entry;
typedef struct {
  entry *e;
  size_t n, cap;
} entries;

typedef struct {
  hm_git *g;
  const hm_site *s;
  git_oid *ids;           /* of the site's files; not set where a file is held */
  const hm_git_put **put; /* of the site's files; NULL: it was not put */
  hm_git_objects *news;
  hm_err *err;
} building;

static void add_entry(building *b, entries *l, hm_str name, git_filemode_t mode,
                      const git_oid *id) {
  l->e = hm_array_grow_in(b->g->a, l->e, l->n, &l->cap, sizeof *l->e);
  l->e[l->n++] = (entry){ name, mode, *id };
}

static int entry_by_name(const void *x, const void *y) {
  const entry *a = x, *b = y;
  return hm_git_name_order(a->name, a->mode == GIT_FILEMODE_TREE, b->name,
                           b->mode == GIT_FILEMODE_TREE);
}

static hm_str tree_bytes(building *b, entries *l) {
  hm_buf out = { 0 };
  if (l->n)
    qsort(l->e, l->n, sizeof *l->e, entry_by_name);
  for (size_t i = 0; i < l->n; i++) {
    hm_buf_fmt(&out, "%o %.*s", (unsigned)l->e[i].mode, HM_FMT(l->e[i].name));
    hm_buf_ch(&out, 0);
    hm_buf_add(&out, l->e[i].id.id, GIT_OID_RAWSZ);
  }
  return hm_buf_take(&out, b->g->a);
}

typedef struct {
  hm_str path;
  size_t from, to;
} range; /* a folder and its files in the site */

static int build_dir(building *b, range r, git_tree *parent, git_oid *id, bool *empty);

/* True if every file of the folder is held and none of it is gone: the tip has this very tree. */
static bool is_unchanged(const building *b, range r) {
  for (size_t i = r.from; i < r.to; i++)
    if (!b->s->files[i].held)
      return false;
  hm_str dir = hm_str_fmt(b->g->a, "%.*s/", HM_FMT(r.path));
  size_t lo = hm_lower_bound(b->s->gone, b->s->n_gone, sizeof dir, &dir, hm_order_str);
  return lo == b->s->n_gone || !hm_str_starts(b->s->gone[lo], dir.p);
}

/* The folder `name`, whose old tree is `old` (NULL: none), into l. */
static int add_subdir(building *b, range r, hm_str name, const git_tree_entry *old, entries *l) {
  git_tree *tree = NULL;
  git_oid id;
  bool empty;
  bool was_dir = old && git_tree_entry_type(old) == GIT_OBJECT_TREE;
  if (was_dir && r.from < r.to && is_unchanged(b, r)) {
    add_entry(b, l, name, GIT_FILEMODE_TREE, git_tree_entry_id(old));
    return 0;
  }
  if (was_dir && git_tree_lookup(&tree, b->g->repo, git_tree_entry_id(old)) < 0)
    return hm_git_fail(b->g, "read the branch", b->err);
  int rc = build_dir(b, r, tree, &id, &empty);
  git_tree_free(tree);
  if (rc == 0 && !empty)
    add_entry(b, l, name, GIT_FILEMODE_TREE, &id);
  return rc;
}

static int add_file(building *b, size_t i, hm_str name, const git_tree_entry *old, entries *l) {
  const hm_file *f = &b->s->files[i];
  bool was_dir = old && git_tree_entry_type(old) == GIT_OBJECT_TREE;
  if (was_dir && hm_git_keeps_below(b->g, f->path))
    return hm_failf(b->err, HM_E_OUTPUT, "publish.keep", "keep another path",
                    "it keeps files in \"%.*s\", which is a file of the mirror", HM_FMT(f->path));
  if (f->held && (!old || was_dir))
    return hm_fail(b->err, HM_E_INTERNAL, b->g->opt->repo,
                   "the branch lacks a file that it should have", "publish --full");
  const git_oid *id = f->held ? git_tree_entry_id(old) : &b->ids[i];
  const hm_git_put *put = f->bytes.p ? NULL : b->put[i];
  if ((!old || !git_oid_equal(git_tree_entry_id(old), id)) && !(put && !put->packed.n))
    hm_git_objects_add(b->news, b->g->a,
                       (hm_git_object){ *id, GIT_OBJECT_BLOB, f->bytes,
                                        put ? put->packed : (hm_git_packed){ 0 } });
  add_entry(b, l, name, GIT_FILEMODE_BLOB, id);
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
    const git_tree_entry *old = /* at the tip */
        parent ? git_tree_entry_byname(parent, hm_str_z(b->g->a, name)) : NULL;
    hm_str here = { path.p, end };
    to = i + 1;
    while (folder && to < r.to && b->s->files[to].path.n > end &&
           memcmp(b->s->files[to].path.p, path.p, end + 1) == 0)
      to++;
    if (old && hm_git_is_kept(b->g, here))
      continue;
    int rc =
        folder ? add_subdir(b, (range){ here, i, to }, name, old, l) : add_file(b, i, name, old, l);
    if (rc != 0)
      return -1;
  }
  return 0;
}

static bool has_name(const entries *l, hm_str name) {
  for (size_t i = 0; i < l->n; i++)
    if (hm_str_eq(l->e[i].name, name))
      return true;
  return false;
}

/* What is kept, and folders that hold something kept and nothing of the site. */
static int add_kept(building *b, range r, git_tree *parent, entries *l) {
  size_t n = parent && b->g->n_keep ? git_tree_entrycount(parent) : 0;
  for (size_t i = 0; i < n; i++) {
    const git_tree_entry *e = git_tree_entry_byindex(parent, i);
    hm_str name = hm_str_dup(b->g->a, hm_str_c(git_tree_entry_name(e)));
    hm_str path = r.path.n ? hm_str_fmt(b->g->a, "%.*s/%.*s", HM_FMT(r.path), HM_FMT(name)) : name;
    if (hm_git_is_kept(b->g, path)) {
      add_entry(b, l, name, git_tree_entry_filemode_raw(e), git_tree_entry_id(e));
    } else if (git_tree_entry_type(e) == GIT_OBJECT_TREE && hm_git_keeps_below(b->g, path) &&
               !has_name(l, name)) {
      if (add_subdir(b, (range){ path, 0, 0 }, name, e, l) != 0)
        return -1;
    }
  }
  return 0;
}

static int build_dir(building *b, range r, git_tree *parent, git_oid *id, bool *empty) {
  entries l = { 0 };
  if (add_site(b, r, parent, &l) != 0 || add_kept(b, r, parent, &l) != 0)
    return -1;
  *empty = l.n == 0;
  hm_str bytes = tree_bytes(b, &l);
  if (git_odb_hash(id, bytes.p, bytes.n, GIT_OBJECT_TREE) < 0)
    return hm_git_fail(b->g, "hash a folder", b->err);
  bool known = parent && git_oid_equal(git_tree_id(parent), id);
  if (!known && (!*empty || r.path.n == 0))
    hm_git_objects_add(b->news, b->g->a,
                       (hm_git_object){ .id = *id, .type = GIT_OBJECT_TREE, .bytes = bytes });
  return 0;
}

static int hash_file(void *ctx, size_t i, int worker) {
  building *b = ctx;
  const hm_file *f = &b->s->files[i];
  (void)worker;
  if (f->held)
    return 0;
  if (f->bytes.p)
    return git_odb_hash(&b->ids[i], f->bytes.p, f->bytes.n, GIT_OBJECT_BLOB);
  if (b->put[i])
    b->ids[i] = b->put[i]->id;
  return b->put[i] ? 0 : -1;
}

/* Both are by path, then. */
static void match_puts(building *b) {
  const hm_git *g = b->g;
  if (g->n_put)
    qsort(g->put, g->n_put, sizeof *g->put, hm_order_str);
  for (size_t i = 0, k = 0; i < b->s->n; i++) {
    hm_str path = b->s->files[i].path;
    while (k < g->n_put && hm_str_cmp(g->put[k].path, path) < 0)
      k++;
    if (k < g->n_put && hm_str_eq(g->put[k].path, path))
      b->put[i] = &g->put[k];
  }
}

int hm_git_tree_build(hm_git *g, const hm_site *s, hm_git_objects *l, git_oid *root, hm_err *err) {
  building b = { .g = g,
                 .s = s,
                 .ids = hm_alloc_array(g->a, s->n, sizeof *b.ids),
                 .put = hm_alloc_array(g->a, s->n, sizeof *b.put),
                 .news = l,
                 .err = err };
  git_tree *tip = NULL;
  bool empty;
  for (size_t i = 0; i < s->n; i++)
    if (!s->files[i].held && !hm_is_site_path(s->files[i].path))
      return hm_failf(err, HM_E_INTERNAL, g->opt->repo, NULL,
                      "\"%.*s\" cannot be the name of a file", HM_FMT(s->files[i].path));
  for (size_t i = 0; i < s->n && !g->known; i++)
    if (s->files[i].held)
      return hm_fail(err, HM_E_INTERNAL, g->opt->repo, "files are held that it does not have",
                     "publish --full");
  match_puts(&b);
  if (hm_par_for(s->n, g->opt->threads, hash_file, &b, NULL) != 0)
    return hm_git_fail(g, "hash a file", err);
  if (g->exists && git_tree_lookup(&tip, g->repo, &g->tip_tree) < 0)
    return hm_git_fail(g, "read the branch", err);
  int rc = build_dir(&b, (range){ HM_EMPTY, 0, s->n }, tip, root, &empty);
  git_tree_free(tip);
  return rc;
}
