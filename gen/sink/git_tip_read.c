/* Reads the tip of the branch, whose commits it has, and which paths are kept (publish.keep). */
#include <string.h>

#include "core/base/digest.h"
#include "gen/sink/git_impl.h"
#include "gen/sink/git_read.h"
#include "gen/site/manifest.h"

/* --- what is kept -------------------------------------------------------------------------- */

enum { COMPONENTS = 32 };

/* Relative, no component empty, "." or "..", not too deep. */
static bool is_keep_path(hm_str path) {
  int components = 0;
  for (size_t from = 0; from <= path.n;) {
    const char *slash = memchr(path.p + from, '/', path.n - from);
    size_t to = slash ? (size_t)(slash - path.p) : path.n;
    hm_str name = hm_str_sub(path, from, to);
    if (name.n == 0 || hm_str_is(name, ".") || hm_str_is(name, "..") || ++components > COMPONENTS)
      return false;
    from = to + 1;
  }
  return true;
}

/* "./static/" -> "static" */
static hm_str trim_keep(const char *keep) {
  hm_str k = hm_str_c(keep);
  if (hm_str_starts(k, "./"))
    k = hm_str_sub(k, 2, k.n);
  while (k.n && k.p[k.n - 1] == '/')
    k.n--;
  return k;
}

int hm_git_read_keep(hm_git *g, hm_err *err) {
  g->keep = hm_alloc_array(g->a, g->opt->n_keep, sizeof *g->keep);
  for (size_t i = 0; i < g->opt->n_keep; i++) {
    hm_str k = trim_keep(g->opt->keep[i]);
    if (!is_keep_path(k))
      return hm_failf(err, HM_E_USAGE, "publish.keep",
                      "write a path in the mirror, like CNAME or static/",
                      "\"%s\" is not a path inside the mirror", g->opt->keep[i]);
    g->keep[g->n_keep++] = k;
  }
  return 0;
}

/* dir is path, or a folder above it. */
static bool is_at_or_below(hm_str dir, hm_str path) {
  return path.n >= dir.n && memcmp(path.p, dir.p, dir.n) == 0 &&
      (path.n == dir.n || path.p[dir.n] == '/');
}

bool hm_git_is_kept(const hm_git *g, hm_str path) {
  for (size_t i = 0; i < g->n_keep; i++)
    if (is_at_or_below(g->keep[i], path))
      return true;
  return false;
}

bool hm_git_path_kept(const char *const *keep, size_t n, hm_str path) {
  for (size_t i = 0; i < n; i++)
    if (is_at_or_below(trim_keep(keep[i]), path))
      return true;
  return false;
}

bool hm_git_keeps_below(const hm_git *g, hm_str dir) {
  for (size_t i = 0; i < g->n_keep; i++)
    if (is_at_or_below(dir, g->keep[i]))
      return true;
  return false;
}

/* --- the tip ------------------------------------------------------------------------------- */

enum { LOOK_BACK = 1000 };

/* What anybody pushed may unpack to any size: the head of an object says to which. */
static int read_at_tip(hm_git *g, const char *path, hm_arena *a, bool *too_large, hm_str *out,
                       hm_err *err) {
  git_tree *tree = NULL;
  git_tree_entry *e = NULL;
  git_odb_object *o = NULL;
  git_object_t type;
  size_t n;
  *out = HM_EMPTY;
  if (!g->exists)
    return 0;
  int rc = git_tree_lookup(&tree, g->repo, &g->tip_tree);
  if (rc == 0)
    rc = git_tree_entry_bypath(&e, tree, path);
  bool there = rc == 0 && git_tree_entry_type(e) == GIT_OBJECT_BLOB;
  if (there)
    rc = git_odb_read_header(&n, &type, g->odb, git_tree_entry_id(e));
  if (there && rc == 0 && n > HM_GIT_MAX_BLOB)
    *too_large = true, there = false;
  if (there && rc == 0)
    rc = git_odb_read(&o, g->odb, git_tree_entry_id(e));
  if (o)
    *out = hm_str_dup(a, (hm_str){ git_odb_object_data(o), git_odb_object_size(o) });
  git_odb_object_free(o);
  git_tree_entry_free(e);
  git_tree_free(tree);
  return rc == 0 || (rc == GIT_ENOTFOUND && !there) ? 0 : hm_git_fail(g, "read the branch", err);
}

int hm_git_tip_read(void *git, hm_str path, hm_arena *a, hm_str *out, hm_err *err) {
  bool too_large;
  return read_at_tip(git, hm_str_z(a, path), a, &too_large, out, err);
}

/* Plain SHA-1: two files of one id are one file to git, too. */
bool hm_git_tip_has(void *git, hm_str path, hm_str bytes, hm_arena *a) {
  hm_git *g = git;
  git_tree *tree = NULL;
  git_tree_entry *e = NULL;
  hm_sha1 h;
  git_oid id;
  bool has = g->exists && git_tree_lookup(&tree, g->repo, &g->tip_tree) == 0 &&
      git_tree_entry_bypath(&e, tree, hm_str_z(a, path)) == 0;
  if (has) {
    hm_str head = hm_str_fmt(a, "blob %zu", bytes.n);
    hm_sha1_init(&h);
    hm_sha1_add(&h, (hm_str){ head.p, head.n + 1 }); /* with its NUL */
    hm_sha1_add(&h, bytes);
    hm_sha1_end(&h, id.id);
    has = git_oid_cmp(&id, git_tree_entry_id(e)) == 0;
  }
  git_tree_entry_free(e);
  git_tree_free(tree);
  return has;
}

/* The newest commit of ours, first parents only; NULL when there is none near. */
static int find_last_ours(hm_git *g, git_commit **out, hm_err *err) {
  git_commit *c = NULL, *parent;
  *out = NULL;
  if (git_commit_lookup(&c, g->repo, &g->tip) < 0)
    return hm_git_fail(g, "read the branch", err);
  for (int i = 0; i < LOOK_BACK && c && !hm_git_commit_is_ours(c); i++) {
    int rc = git_commit_parentcount(c) ? git_commit_parent(&parent, c, 0) : GIT_ENOTFOUND;
    git_commit_free(c);
    c = rc < 0 ? NULL : parent; /* a shallow clone ends here, too */
  }
  if (c && hm_git_commit_is_ours(c))
    *out = c;
  else
    git_commit_free(c);
  return 0;
}

static int refuse_foreign(const hm_git *g, git_tree *tip, hm_err *err) {
  for (size_t i = 0; i < git_tree_entrycount(tip); i++) {
    const char *name = git_tree_entry_name(git_tree_entry_byindex(tip, i));
    if (!hm_git_is_kept(g, hm_str_c(name)) && !hm_git_keeps_below(g, hm_str_c(name)))
      return hm_failf(err, HM_E_OUTPUT, g->opt->repo,
                      "publish to another branch, or list what must stay in publish.keep",
                      "branch %s holds files that are not hmirror's (\"%s\")", g->opt->branch,
                      name);
  }
  return 0;
}

/* What others committed on top of us. Whether a commit is ours costs one look
 * at its message; only after a foreign one are trees compared. */
static int find_edited(hm_git *g, git_tree *tree, hm_arena *a, hm_git_tip *tip, hm_err *err) {
  int rc = -1;
  git_commit *ours = NULL;
  git_tree *then = NULL;
  git_diff *d = NULL;
  if (find_last_ours(g, &ours, err) != 0)
    return -1;
  if (!ours)
    return refuse_foreign(g, tree, err);
  if (git_oid_equal(git_commit_tree_id(ours), &g->tip_tree))
    rc = 0;
  else if (git_commit_tree(&then, ours) < 0 ||
           git_diff_tree_to_tree(&d, g->repo, then, tree, NULL) < 0)
    hm_git_fail(g, "compare the branch with our last commit", err);
  else {
    size_t n = git_diff_num_deltas(d);
    tip->edited = hm_alloc_array(a, n, sizeof *tip->edited);
    for (size_t i = 0; i < n; i++) {
      const git_diff_delta *delta = git_diff_get_delta(d, i);
      hm_str path = hm_str_c(delta->new_file.path ? delta->new_file.path : delta->old_file.path);
      if (!hm_git_is_kept(g, path))
        tip->edited[tip->n_edited++] = hm_str_dup(a, path);
    }
    rc = 0;
  }
  git_diff_free(d);
  git_tree_free(then);
  git_commit_free(ours);
  return rc;
}

static int find_tip(hm_git *g, hm_err *err) {
  git_reference *ref = NULL;
  git_commit *c = NULL;
  int rc = git_reference_lookup(&ref, g->repo, g->ref);
  if (rc == GIT_ENOTFOUND)
    return 0;
  if (rc < 0)
    return hm_git_fail(g, "read the branch", err);
  if (git_reference_type(ref) != GIT_REFERENCE_DIRECT) {
    rc = hm_failf(err, HM_E_OUTPUT, g->opt->repo, "publish to another branch",
                  "branch %s is a symbolic reference", g->opt->branch);
  } else if (git_commit_lookup(&c, g->repo, git_reference_target(ref)) < 0) {
    rc = hm_git_fail(g, "read the branch", err);
  } else {
    g->exists = true;
    git_oid_cpy(&g->tip, git_commit_id(c));
    git_oid_cpy(&g->tip_tree, git_commit_tree_id(c));
  }
  git_commit_free(c);
  git_reference_free(ref);
  return rc;
}

int hm_git_read_tip(hm_git *g, hm_arena *a, hm_git_tip *tip, hm_err *err) {
  git_tree *tree = NULL;
  int rc = -1;
  if (find_tip(g, err) != 0)
    return -1;
  if (!g->exists)
    return 0;
  tip->exists = true;
  char id[GIT_OID_HEXSZ + 1];
  g->known = g->opt->known_tree &&
      strcmp(g->opt->known_tree, git_oid_tostr(id, sizeof id, &g->tip_tree)) == 0;
  tip->known = tip->present.all = g->known;
  git_oid_tostr(tip->commit, sizeof tip->commit, &g->tip);
  if (git_tree_lookup(&tree, g->repo, &g->tip_tree) < 0)
    return hm_git_fail(g, "read the branch", err);
  if (!g->known &&
      (read_at_tip(g, "conflicts.json", a, &tip->too_large, &tip->conflicts_json, err) != 0 ||
       read_at_tip(g, "manifest.json", a, &tip->too_large, &tip->manifest_json, err) != 0))
    goto out;
  if (hm_parts_join(HM_STR("conflicts.json"), tip->conflicts_json, hm_git_tip_read, g,
                    HM_GIT_MAX_BLOB, a, &tip->conflicts_json, err) != 0)
    goto out;
  if (find_edited(g, tree, a, tip, err) != 0)
    goto out;
  rc = 0;
out:
  git_tree_free(tree);
  return rc;
}
