/* Reads a repository: names, commits, files, and the trees of two commits side by side. Git sorts a
 * folder as its name and '/', so a walk meets the paths in bytewise order. */
#include "gen/sink/git_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/sink/fs.h"
#include "gen/sink/git_read_impl.h"
#include "gen/site/manifest.h"

int hm_git_read_fail(const hm_git_reader *g, const char *verb, hm_err *err) {
  return hm_git_fail_at(g->path, verb, err);
}

static int fail_open(const char *path, int rc, hm_err *err) {
  struct stat st;
  if (hm_git_is_foreign(path, rc))
    return hm_git_fail_foreign(path, err);
  if (stat(path, &st) != 0)
    return hm_fail(err, HM_E_OUTPUT, path, "there is no repository",
                   "hmirror publish makes it; --repo names another one");
  if (rc == GIT_ENOTFOUND)
    return hm_fail(err, HM_E_OUTPUT, path, "it is not a git repository",
                   "name the mirror's by --repo");
  return hm_git_fail_at(path, "open the repository", err);
}

int hm_git_reader_open(const char *path, hm_git_reader **out, hm_err *err) {
  hm_git_reader *g = hm_xmalloc(sizeof *g);
  *g = (hm_git_reader){ .path = strdup(path) };
  git_libgit2_init();
  int rc = hm_git_check_file_kinds(path, NULL, err);
  if (rc == 0 && (rc = hm_git_repository_open(&g->repo, path)) < 0)
    fail_open(path, rc, err);
  if (rc < 0)
    rc = -1;
  else if (git_repository_odb(&g->odb, g->repo) < 0)
    rc = hm_git_read_fail(g, "open the objects", err);
  if (rc < 0) {
    hm_git_reader_close(g);
    g = NULL;
  }
  *out = g;
  return rc < 0 ? -1 : 0;
}

/* libgit2 stays open: see hm_git_close(). */
void hm_git_reader_close(hm_git_reader *g) {
  if (!g)
    return;
  git_odb_free(g->odb);
  git_repository_free(g->repo);
  free(g->path);
  free(g);
}

/* --- names ------------------------------------------------------------------ */

static int fail_unknown(const hm_git_reader *g, const char *rev, const char *why, hm_err *err) {
  hm_failf(err, HM_E_UNKNOWN, g->path,
           "give a branch, a tag or the id of a commit; git log --oneline --all lists them",
           "\"%s\" %s", rev, why);
  return -1;
}

int hm_git_resolve(hm_git_reader *g, const char *rev, char commit[41], hm_err *err) {
  git_object *o = NULL, *c = NULL;
  int rc = git_revparse_single(&o, g->repo, rev);
  if (rc == GIT_EAMBIGUOUS)
    rc = fail_unknown(g, rev, "is the beginning of several ids", err);
  else if (rc == GIT_ENOTFOUND || rc == GIT_EINVALIDSPEC)
    rc = fail_unknown(g, rev, "is neither a branch nor a commit there", err);
  else if (rc < 0)
    rc = hm_git_read_fail(g, "read what a revision names", err);
  else if (git_object_peel(&c, o, GIT_OBJECT_COMMIT) < 0)
    rc = fail_unknown(g, rev, "is no commit", err);
  else
    git_oid_tostr(commit, 41, git_object_id(c));
  git_object_free(c);
  git_object_free(o);
  return rc < 0 ? -1 : 0;
}

void hm_git_take_merge_base(hm_git_reader *g, char commit[41]) {
  git_oid head, theirs, base;
  if (git_reference_name_to_id(&head, g->repo, "HEAD") == 0 &&
      git_oid_fromstr(&theirs, commit) == 0 && git_merge_base(&base, g->repo, &head, &theirs) == 0)
    git_oid_tostr(commit, 41, &base);
  git_error_clear();
}

int hm_git_branch_tip(hm_git_reader *g, const char *branch, char commit[41], hm_err *err) {
  git_reference *ref = NULL;
  git_object *c = NULL;
  char name[256];
  snprintf(name, sizeof name, "refs/heads/%s", branch);
  if (hm_git_check_file_kinds(g->path, name, err) != 0)
    return -1;
  int rc = git_branch_lookup(&ref, g->repo, branch, GIT_BRANCH_LOCAL);
  if (rc == GIT_ENOTFOUND || rc == GIT_EINVALIDSPEC)
    rc =
        hm_failf(err, HM_E_UNKNOWN, g->path, "hmirror publish makes it; --branch names another one",
                 "there is no branch %s", branch);
  else if (rc < 0 || git_reference_peel(&c, ref, GIT_OBJECT_COMMIT) < 0)
    rc = hm_git_read_fail(g, "read the branch", err);
  else
    git_oid_tostr(commit, 41, git_object_id(c));
  git_object_free(c);
  git_reference_free(ref);
  return rc < 0 ? -1 : 0;
}

/* --- objects ------------------------------------------------------------------ */

static int git_bounded(hm_git_reader *g, const git_oid *id, size_t max, hm_err *err) {
  size_t n;
  git_object_t type;
  char hex[41];
  if (git_odb_read_header(&n, &type, g->odb, id) < 0)
    return hm_git_read_fail(g, "read an object", err);
  if (n <= max)
    return 0;
  git_oid_tostr(hex, sizeof hex, id);
  return hm_failf(err, HM_E_OUTPUT, g->path,
                  "no mirror has objects of that size; look at it by git cat-file -s",
                  "object %s has %zu bytes, over the limit of %zu", hex, n, max);
}

int hm_git_read_commit(hm_git_reader *g, const git_oid *id, git_commit **out, hm_err *err) {
  *out = NULL;
  if (git_bounded(g, id, HM_GIT_MAX_NODE, err) != 0)
    return -1;
  return git_commit_lookup(out, g->repo, id) < 0 ? hm_git_read_fail(g, "read a commit", err) : 0;
}

int hm_git_read_tree(hm_git_reader *g, const git_oid *id, git_tree **out, hm_err *err) {
  *out = NULL;
  if (git_bounded(g, id, HM_GIT_MAX_NODE, err) != 0)
    return -1;
  return git_tree_lookup(out, g->repo, id) < 0 ? hm_git_read_fail(g, "read a folder", err) : 0;
}

static int read_blob(hm_git_reader *g, const git_oid *id, hm_arena *a, hm_str *bytes, hm_err *err) {
  git_odb_object *o = NULL;
  if (git_bounded(g, id, HM_GIT_MAX_BLOB, err) != 0)
    return -1;
  if (git_odb_read(&o, g->odb, id) < 0)
    return hm_git_read_fail(g, "read a file", err);
  *bytes = hm_str_dup(a, (hm_str){ git_odb_object_data(o), git_odb_object_size(o) });
  git_odb_object_free(o);
  return 0;
}

static int parse_id(const hm_git_reader *g, const char *hex, git_oid *id, hm_err *err) {
  return git_oid_fromstr(id, hex) < 0 ? hm_git_read_fail(g, "read the id of an object", err) : 0;
}

int hm_git_read_blob_id(hm_git_reader *g, const char *id, hm_arena *a, hm_str *bytes, hm_err *err) {
  git_oid oid;
  *bytes = HM_EMPTY;
  return parse_id(g, id, &oid, err) != 0 ? -1 : read_blob(g, &oid, a, bytes, err);
}

/* The tree of a commit; *out is NULL for the commit "". */
static int git_tree_of(hm_git_reader *g, const char *commit, git_tree **out, hm_err *err) {
  git_oid id;
  git_commit *c;
  *out = NULL;
  if (!*commit)
    return 0;
  if (parse_id(g, commit, &id, err) != 0 || hm_git_read_commit(g, &id, &c, err) != 0)
    return -1;
  int rc = hm_git_read_tree(g, git_commit_tree_id(c), out, err);
  git_commit_free(c);
  return rc;
}

int hm_git_read_blob(hm_git_reader *g, const char *commit, hm_str path, hm_arena *a, hm_str *bytes,
                     bool *found, hm_err *err) {
  git_tree *tree = NULL;
  git_tree_entry *e = NULL;
  *bytes = HM_EMPTY;
  *found = false;
  if (git_tree_of(g, commit, &tree, err) != 0 || !tree)
    return tree || !*commit ? 0 : -1;
  int rc = git_tree_entry_bypath(&e, tree, hm_str_z(a, path));
  if (rc == GIT_ENOTFOUND || (rc == 0 && git_tree_entry_type(e) != GIT_OBJECT_BLOB))
    rc = 0;
  else if (rc < 0)
    rc = hm_git_read_fail(g, "read a folder", err);
  else if ((rc = read_blob(g, git_tree_entry_id(e), a, bytes, err)) == 0)
    *found = true;
  git_tree_entry_free(e);
  git_tree_free(tree);
  return rc;
}

typedef struct {
  hm_git_reader *g;
  const char *commit;
} part_source;

static int read_part(void *ctx, hm_str path, hm_arena *a, hm_str *bytes, hm_err *err) {
  const part_source *from = ctx;
  bool found;
  return hm_git_read_blob(from->g, from->commit, path, a, bytes, &found, err);
}

int hm_git_read_list(hm_git_reader *g, const char *commit, hm_str path, hm_arena *a, hm_str *json,
                     bool *found, hm_err *err) {
  part_source from = { g, commit };
  if (hm_git_read_blob(g, commit, path, a, json, found, err) != 0)
    return -1;
  return hm_parts_join(path, *json, read_part, &from, HM_GIT_MAX_BLOB, a, json, err);
}

/* --- commits ------------------------------------------------------------------ */

int hm_git_commit_read(hm_git_reader *g, const char *commit, hm_arena *a, hm_git_commit *out,
                       hm_err *err) {
  git_oid id;
  git_commit *c;
  *out = (hm_git_commit){ .author = HM_EMPTY, .message = HM_EMPTY };
  if (parse_id(g, commit, &id, err) != 0 || hm_git_read_commit(g, &id, &c, err) != 0)
    return -1;
  const git_signature *who = git_commit_author(c);
  git_oid_tostr(out->id, sizeof out->id, &id);
  out->parents = git_commit_parentcount(c);
  const git_oid *parent = out->parents ? git_commit_parent_id(c, 0) : NULL;
  if (parent && git_odb_exists(g->odb, parent)) /* else a shallow clone ends here */
    git_oid_tostr(out->parent, sizeof out->parent, parent);
  out->when = who ? (int64_t)who->when.time : 0;
  out->author = hm_str_dup(a, hm_str_c(who ? who->name : NULL));
  out->message = hm_str_dup(a, hm_str_c(git_commit_message(c)));
  out->ours = hm_git_commit_is_ours(c);
  git_commit_free(c);
  return 0;
}

int hm_git_signed_bytes(hm_git_reader *g, const char *commit, hm_arena *a, hm_str *signature,
                        hm_str *bytes, hm_err *err) {
  git_oid id;
  git_buf sig = { 0 }, data = { 0 };
  *signature = *bytes = HM_EMPTY;
  if (parse_id(g, commit, &id, err) != 0)
    return -1;
  int rc = git_commit_extract_signature(&sig, &data, g->repo, &id, NULL);
  if (rc == 0) {
    *signature = hm_str_dup(a, (hm_str){ sig.ptr, sig.size });
    *bytes = hm_str_dup(a, (hm_str){ data.ptr, data.size });
  }
  git_buf_dispose(&sig);
  git_buf_dispose(&data);
  return rc == 0 || rc == GIT_ENOTFOUND ? 0 : hm_git_read_fail(g, "read a signature", err);
}

int hm_git_walk(hm_git_reader *g, const char *commit,
                int (*each)(void *ctx, const hm_git_commit *c, hm_err *err), void *ctx,
                hm_err *err) {
  hm_arena *a = hm_arena_new();
  hm_git_commit c;
  char next[41];
  int rc = 0;
  snprintf(next, sizeof next, "%s", commit);
  while (rc == 0 && next[0]) {
    rc = hm_git_commit_read(g, next, a, &c, err);
    if (rc == 0)
      rc = each(ctx, &c, err);
    memcpy(next, c.parent, sizeof next);
    hm_arena_reset(a);
  }
  hm_arena_free(a);
  return rc < 0 ? -1 : 0;
}

/* --- trees --------------------------------------------------------------------------------- */

typedef struct {
  hm_git_reader *g;
  hm_arena *a;
  hm_err *err;
  hm_git_change *v;
  size_t n, cap;
  unsigned *modes; /* of v[].after */
  char path[4096];
  size_t at; /* of the folder, with its '/' */
  int depth;
} walk;

static bool is_tree(const git_tree_entry *e) {
  return e && git_tree_entry_filemode(e) == GIT_FILEMODE_TREE;
}

static void walk_grow(walk *w) {
  if (w->n < w->cap)
    return;
  w->cap = w->cap ? 2 * w->cap : 64;
  w->v = hm_xrealloc(w->v, w->cap * sizeof *w->v);
  w->modes = hm_xrealloc(w->modes, w->cap * sizeof *w->modes);
}

static int add_change(walk *w, const git_tree_entry *from, const git_tree_entry *to) {
  const char *name = git_tree_entry_name(from ? from : to);
  walk_grow(w);
  hm_git_change *c = &w->v[w->n];
  *c = (hm_git_change){ .path = hm_str_fmt(w->a, "%.*s%s", (int)w->at, w->path, name) };
  if (from)
    git_oid_tostr(c->before, sizeof c->before, git_tree_entry_id(from));
  if (to)
    git_oid_tostr(c->after, sizeof c->after, git_tree_entry_id(to));
  w->modes[w->n++] = to ? git_tree_entry_filemode_raw(to) : 0;
  return 0;
}

static int compare_trees(walk *w, const git_tree *from, const git_tree *to);

static int compare_subtrees(walk *w, const git_tree_entry *from, const git_tree_entry *to) {
  git_tree *a = NULL, *b = NULL;
  const char *name = git_tree_entry_name(from ? from : to);
  size_t before = w->at, n = strlen(name);
  if (w->at + n + 2 > sizeof w->path || w->depth >= HM_FS_DEPTH)
    return hm_failf(w->err, HM_E_OUTPUT, w->g->path,
                    "no mirror has such folders; look at the branch with git ls-tree -r",
                    "a path in it is longer than %zu bytes or %d folders", sizeof w->path,
                    HM_FS_DEPTH);
  int rc = from ? hm_git_read_tree(w->g, git_tree_entry_id(from), &a, w->err) : 0;
  if (rc == 0 && to)
    rc = hm_git_read_tree(w->g, git_tree_entry_id(to), &b, w->err);
  memcpy(w->path + w->at, name, n);
  w->path[w->at + n] = '/';
  w->at += n + 1;
  w->depth++;
  if (rc == 0)
    rc = compare_trees(w, a, b);
  w->depth--;
  w->at = before;
  git_tree_free(a);
  git_tree_free(b);
  return rc;
}

/* One of them may be NULL; else both have one name, and both or neither are folders. */
static int compare_entries(walk *w, const git_tree_entry *from, const git_tree_entry *to) {
  if (from && to && git_oid_equal(git_tree_entry_id(from), git_tree_entry_id(to)) &&
      git_tree_entry_filemode_raw(from) == git_tree_entry_filemode_raw(to))
    return 0;
  return is_tree(from ? from : to) ? compare_subtrees(w, from, to) : add_change(w, from, to);
}

static int entry_order(const git_tree_entry *x, const git_tree_entry *y) {
  if (!x || !y)
    return x ? -1 : 1;
  return hm_git_name_order(hm_str_c(git_tree_entry_name(x)), is_tree(x),
                           hm_str_c(git_tree_entry_name(y)), is_tree(y));
}

static int compare_trees(walk *w, const git_tree *from, const git_tree *to) {
  size_t i = 0, j = 0, n = from ? git_tree_entrycount(from) : 0,
         m = to ? git_tree_entrycount(to) : 0;
  int rc = 0;
  while (rc == 0 && (i < n || j < m)) {
    const git_tree_entry *x = i < n ? git_tree_entry_byindex(from, i) : NULL;
    const git_tree_entry *y = j < m ? git_tree_entry_byindex(to, j) : NULL;
    int c = entry_order(x, y);
    if (c < 0)
      y = NULL;
    if (c > 0)
      x = NULL;
    rc = compare_entries(w, x, y);
    i += x != NULL;
    j += y != NULL;
  }
  return rc;
}

static int walk_both(walk *w, const char *from, const char *to) {
  git_tree *a = NULL, *b = NULL;
  int rc = git_tree_of(w->g, from, &a, w->err);
  if (rc == 0)
    rc = git_tree_of(w->g, to, &b, w->err);
  if (rc == 0 && !(a && b && git_oid_equal(git_tree_id(a), git_tree_id(b))))
    rc = compare_trees(w, a, b);
  git_tree_free(a);
  git_tree_free(b);
  return rc;
}

int hm_git_changed_files(hm_git_reader *g, const char *from, const char *to, hm_arena *a,
                         hm_git_change **out, size_t *n, hm_err *err) {
  walk w = { .g = g, .a = a, .err = err };
  int rc = walk_both(&w, from, to);
  *n = rc == 0 ? w.n : 0;
  *out = hm_alloc_array(a, *n + 1, sizeof **out);
  if (*n)
    memcpy(*out, w.v, *n * sizeof **out);
  free(w.v);
  free(w.modes);
  return rc;
}

int hm_git_commit_files(hm_git_reader *g, const char *commit, hm_arena *a, hm_git_file **files,
                        size_t *n, hm_err *err) {
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

int hm_git_folder_names(hm_git_reader *g, const char *commit, const char *folder, hm_arena *a,
                        hm_str **names, size_t *n, hm_err *err) {
  git_tree *root = NULL, *tree = NULL;
  git_tree_entry *e = NULL;
  *n = 0;
  *names = hm_alloc(a, sizeof **names);
  int rc = git_tree_of(g, commit, &root, err);
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
