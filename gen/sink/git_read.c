#include "gen/sink/git_read_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/sink/git_impl.h"
#include "gen/site/parts.h"

int hm_git_read_fail(const hm_git_reader *g, const char *verb, hm_err *err) {
  return hm_git_fail_at(g->path, verb, err);
}

static int not_opened(const char *path, int rc, hm_err *err) {
  struct stat st;
  if (hm_git_is_foreign(path, rc)) return hm_git_foreign(path, err);
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
  int rc = hm_git_check_kinds(path, NULL, err);
  if (rc == 0 &&
      (rc = git_repository_open_ext(&g->repo, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL)) < 0)
    not_opened(path, rc, err);
  if (rc < 0) rc = -1;
  else if (git_repository_odb(&g->odb, g->repo) < 0)
    rc = hm_git_read_fail(g, "open the objects", err);
  if (rc < 0) {
    hm_git_reader_close(g);
    g = NULL;
  }
  *out = g;
  return rc < 0 ? -1 : 0;
}

void hm_git_reader_close(hm_git_reader *g) {
  if (!g) return;
  git_odb_free(g->odb);
  git_repository_free(g->repo);
  git_libgit2_shutdown();
  free(g->path);
  free(g);
}

/* --- names ------------------------------------------------------------------ */

static int no_such(const hm_git_reader *g, const char *rev, const char *why, hm_err *err) {
  hm_failf(err, HM_E_UNKNOWN, g->path,
           "give a branch, a tag or the id of a commit; git log --oneline --all lists them",
           "\"%s\" %s", rev, why);
  return -1;
}

int hm_git_resolve(hm_git_reader *g, const char *rev, char commit[41], hm_err *err) {
  git_object *o = NULL, *c = NULL;
  int rc = git_revparse_single(&o, g->repo, rev);
  if (rc == GIT_EAMBIGUOUS) rc = no_such(g, rev, "is the beginning of several ids", err);
  else if (rc == GIT_ENOTFOUND || rc == GIT_EINVALIDSPEC)
    rc = no_such(g, rev, "is neither a branch nor a commit there", err);
  else if (rc < 0) rc = hm_git_read_fail(g, "read what a revision names", err);
  else if (git_object_peel(&c, o, GIT_OBJECT_COMMIT) < 0) rc = no_such(g, rev, "is no commit", err);
  else git_oid_tostr(commit, 41, git_object_id(c));
  git_object_free(c);
  git_object_free(o);
  return rc < 0 ? -1 : 0;
}

int hm_git_branch(hm_git_reader *g, const char *branch, char commit[41], hm_err *err) {
  git_reference *ref = NULL;
  git_object *c = NULL;
  char name[256];
  snprintf(name, sizeof name, "refs/heads/%s", branch);
  if (hm_git_check_kinds(g->path, name, err) != 0) return -1;
  int rc = git_branch_lookup(&ref, g->repo, branch, GIT_BRANCH_LOCAL);
  if (rc == GIT_ENOTFOUND || rc == GIT_EINVALIDSPEC)
    rc =
        hm_failf(err, HM_E_UNKNOWN, g->path, "hmirror publish makes it; --branch names another one",
                 "there is no branch %s", branch);
  else if (rc < 0 || git_reference_peel(&c, ref, GIT_OBJECT_COMMIT) < 0)
    rc = hm_git_read_fail(g, "read the branch", err);
  else git_oid_tostr(commit, 41, git_object_id(c));
  git_object_free(c);
  git_reference_free(ref);
  return rc < 0 ? -1 : 0;
}

/* --- objects ------------------------------------------------------------------ */

int hm_git_bounded(hm_git_reader *g, const git_oid *id, size_t max, hm_err *err) {
  size_t n;
  git_object_t type;
  char hex[41];
  if (git_odb_read_header(&n, &type, g->odb, id) < 0)
    return hm_git_read_fail(g, "read an object", err);
  if (n <= max) return 0;
  git_oid_tostr(hex, sizeof hex, id);
  return hm_failf(err, HM_E_OUTPUT, g->path,
                  "no mirror has objects of that size; look at it by git cat-file -s",
                  "object %s has %zu bytes, over the limit of %zu", hex, n, max);
}

int hm_git_read_commit(hm_git_reader *g, const git_oid *id, git_commit **out, hm_err *err) {
  *out = NULL;
  if (hm_git_bounded(g, id, HM_GIT_MAX_NODE, err) != 0) return -1;
  return git_commit_lookup(out, g->repo, id) < 0 ? hm_git_read_fail(g, "read a commit", err) : 0;
}

int hm_git_read_tree(hm_git_reader *g, const git_oid *id, git_tree **out, hm_err *err) {
  *out = NULL;
  if (hm_git_bounded(g, id, HM_GIT_MAX_NODE, err) != 0) return -1;
  return git_tree_lookup(out, g->repo, id) < 0 ? hm_git_read_fail(g, "read a folder", err) : 0;
}

static int read_blob(hm_git_reader *g, const git_oid *id, hm_arena *a, hm_str *bytes, hm_err *err) {
  git_odb_object *o = NULL;
  if (hm_git_bounded(g, id, HM_GIT_MAX_BLOB, err) != 0) return -1;
  if (git_odb_read(&o, g->odb, id) < 0) return hm_git_read_fail(g, "read a file", err);
  *bytes = hm_str_dup(a, (hm_str){ git_odb_object_data(o), git_odb_object_size(o) });
  git_odb_object_free(o);
  return 0;
}

static int oid_of(const hm_git_reader *g, const char *hex, git_oid *id, hm_err *err) {
  return git_oid_fromstr(id, hex) < 0 ? hm_git_read_fail(g, "read the id of an object", err) : 0;
}

int hm_git_blob_id(hm_git_reader *g, const char *id, hm_arena *a, hm_str *bytes, hm_err *err) {
  git_oid oid;
  *bytes = HM_EMPTY;
  return oid_of(g, id, &oid, err) != 0 ? -1 : read_blob(g, &oid, a, bytes, err);
}

int hm_git_tree_of(hm_git_reader *g, const char *commit, git_tree **out, hm_err *err) {
  git_oid id;
  git_commit *c;
  *out = NULL;
  if (!*commit) return 0;
  if (oid_of(g, commit, &id, err) != 0 || hm_git_read_commit(g, &id, &c, err) != 0) return -1;
  int rc = hm_git_read_tree(g, git_commit_tree_id(c), out, err);
  git_commit_free(c);
  return rc;
}

int hm_git_blob(hm_git_reader *g, const char *commit, hm_str path, hm_arena *a, hm_str *bytes,
                bool *found, hm_err *err) {
  git_tree *tree = NULL;
  git_tree_entry *e = NULL;
  *bytes = HM_EMPTY;
  *found = false;
  if (hm_git_tree_of(g, commit, &tree, err) != 0 || !tree) return tree || !*commit ? 0 : -1;
  int rc = git_tree_entry_bypath(&e, tree, hm_str_z(a, path));
  if (rc == GIT_ENOTFOUND || (rc == 0 && git_tree_entry_type(e) != GIT_OBJECT_BLOB)) rc = 0;
  else if (rc < 0) rc = hm_git_read_fail(g, "read a folder", err);
  else if ((rc = read_blob(g, git_tree_entry_id(e), a, bytes, err)) == 0) *found = true;
  git_tree_entry_free(e);
  git_tree_free(tree);
  return rc;
}

typedef struct { hm_git_reader *g; const char *commit; } part_source;

static int read_part(void *ctx, hm_str path, hm_arena *a, hm_str *bytes, hm_err *err) {
  const part_source *from = ctx;
  bool found;
  return hm_git_blob(from->g, from->commit, path, a, bytes, &found, err);
}

int hm_git_list(hm_git_reader *g, const char *commit, hm_str path, hm_arena *a, hm_str *json,
                bool *found, hm_err *err) {
  part_source from = { g, commit };
  if (hm_git_blob(g, commit, path, a, json, found, err) != 0) return -1;
  return hm_parts_join(path, *json, read_part, &from, HM_GIT_MAX_BLOB, a, json, err);
}

/* --- commits ------------------------------------------------------------------ */

/* A parent that is not there is where a shallow clone ends. */
static void parent_of(hm_git_reader *g, const git_commit *c, char hex[41]) {
  const git_oid *id = git_commit_parentcount(c) ? git_commit_parent_id(c, 0) : NULL;
  hex[0] = 0;
  if (id && git_odb_exists(g->odb, id)) git_oid_tostr(hex, 41, id);
}

int hm_git_commit_read(hm_git_reader *g, const char *commit, hm_arena *a, hm_git_commit *out,
                       hm_err *err) {
  git_oid id;
  git_commit *c;
  *out = (hm_git_commit){ .author = HM_EMPTY, .message = HM_EMPTY };
  if (oid_of(g, commit, &id, err) != 0 || hm_git_read_commit(g, &id, &c, err) != 0) return -1;
  const git_signature *who = git_commit_author(c);
  git_oid_tostr(out->id, sizeof out->id, &id);
  parent_of(g, c, out->parent);
  out->parents = git_commit_parentcount(c);
  out->when = who ? (int64_t)who->when.time : 0;
  out->author = hm_str_dup(a, hm_str_c(who ? who->name : NULL));
  out->message = hm_str_dup(a, hm_str_c(git_commit_message(c)));
  out->ours = hm_git_is_ours(c);
  git_commit_free(c);
  return 0;
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
    if (rc == 0) rc = each(ctx, &c, err);
    memcpy(next, c.parent, sizeof next);
    hm_arena_reset(a);
  }
  hm_arena_free(a);
  return rc < 0 ? -1 : 0;
}
