/* Hides the missing parents of a shallow clone. libgit2 walks from every local
 * branch, and from every local commit that the remote names, and fails on commits
 * whose parents are missing. So for the time of the connection it gets a repository
 * with our branch only, in which those commits have no parents, as git sees them. */
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "gen/sink/git_impl.h"

typedef struct {
  git_odb_backend parent;
  git_odb *odb; /* what there really is; borrowed */
  git_oid *ends;
  size_t n; /* commits whose parents are not here; in malloc */
} shallow_odb;

static bool is_end(const shallow_odb *m, const git_oid *id) {
  for (size_t i = 0; i < m->n; i++)
    if (git_oid_equal(&m->ends[i], id))
      return true;
  return false;
}

/* A commit begins with its tree's line; then come those of its parents. */
static hm_str without_parents(hm_str commit, hm_str *tree) {
  ptrdiff_t end = hm_str_find(commit, "\n");
  *tree = hm_str_sub(commit, 0, end < 0 ? commit.n : (size_t)end + 1);
  hm_str rest = hm_str_sub(commit, tree->n, commit.n);
  while (hm_str_starts(rest, "parent ") && (end = hm_str_find(rest, "\n")) >= 0)
    rest = hm_str_sub(rest, (size_t)end + 1, rest.n);
  return rest;
}

static int shallow_read(void **data, size_t *n, git_object_t *type, git_odb_backend *b,
                        const git_oid *id) {
  shallow_odb *m = (shallow_odb *)b;
  git_odb_object *o = NULL;
  int rc = git_odb_read(&o, m->odb, id);
  if (rc < 0)
    return rc;
  hm_str first = HM_EMPTY, rest = { git_odb_object_data(o), git_odb_object_size(o) };
  if (is_end(m, id))
    rest = without_parents(rest, &first);
  *n = first.n + rest.n;
  *type = git_odb_object_type(o);
  *data = git_odb_backend_data_alloc(b, *n + 1);
  if (*data && first.n)
    memcpy(*data, first.p, first.n);
  if (*data && rest.n)
    memcpy((char *)*data + first.n, rest.p, rest.n);
  git_odb_object_free(o);
  return *data ? 0 : -1;
}

static int shallow_read_header(size_t *n, git_object_t *type, git_odb_backend *b,
                               const git_oid *id) {
  shallow_odb *m = (shallow_odb *)b;
  void *data;
  if (!is_end(m, id))
    return git_odb_read_header(n, type, m->odb, id);
  int rc = shallow_read(&data, n, type, b, id);
  if (rc == 0)
    git_odb_backend_data_free(b, data);
  return rc;
}

static int shallow_exists(git_odb_backend *b, const git_oid *id) {
  return git_odb_exists(((shallow_odb *)b)->odb, id);
}

static int shallow_write_pack(git_odb_writepack **out, git_odb_backend *b, git_odb *odb,
                              git_indexer_progress_cb progress, void *payload) {
  (void)odb;
  return git_odb_write_pack(out, ((shallow_odb *)b)->odb, progress, payload);
}

static void shallow_free(git_odb_backend *b) {
  shallow_odb *m = (shallow_odb *)b;
  free(m->ends);
  free(m);
}

/* The file "shallow": a line for each commit whose parents are not here. */
static void read_shallow(hm_git *g, shallow_odb *m) {
  hm_str text;
  if (hm_fs_read_at(g->dir, "shallow", 1 << 24, g->a, &text) != 0)
    return;
  m->ends = hm_xmalloc((text.n / GIT_OID_HEXSZ + 1) * sizeof *m->ends);
  for (size_t at = 0; at + GIT_OID_HEXSZ <= text.n; at += GIT_OID_HEXSZ + 1)
    if (git_oid_fromstrn(&m->ends[m->n], text.p + at, GIT_OID_HEXSZ) == 0)
      m->n++;
}

static const char *shallow_path(const hm_git *g) {
  return hm_str_fmt(g->a, "%shmirror-remote", g->common).p;
}

static git_odb_backend *new_shallow_odb(hm_git *g) {
  shallow_odb *m = hm_xmalloc(sizeof *m);
  *m = (shallow_odb){ .odb = g->odb };
  git_odb_init_backend(&m->parent, GIT_ODB_BACKEND_VERSION);
  m->parent.read = shallow_read;
  m->parent.read_header = shallow_read_header;
  m->parent.exists = shallow_exists;
  m->parent.writepack = shallow_write_pack;
  m->parent.free = shallow_free;
  read_shallow(g, m);
  return &m->parent;
}

static int copy_branch(hm_git *g, git_repository *to) {
  git_oid tip;
  git_reference *ref = NULL;
  int rc = git_reference_name_to_id(&tip, g->repo, g->ref);
  if (rc == GIT_ENOTFOUND)
    return 0;
  if (rc == 0)
    rc = git_reference_create(&ref, to, g->ref, &tip, 1, NULL);
  git_reference_free(ref);
  return rc;
}

int hm_git_shallow_open(hm_git *g, git_repository **out, hm_err *err) {
  git_odb *odb = NULL;
  *out = NULL;
  hm_fs_remove(AT_FDCWD, shallow_path(g)); /* of a killed run; we hold the lock */
  int rc = git_repository_init(out, shallow_path(g), 1);
  git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION,
                   0); /* a commit without its parents is not what its id says */
  if (rc == 0)
    rc = git_odb_new(&odb);
  if (rc == 0)
    rc = git_odb_add_backend(odb, new_shallow_odb(g), 1);
  if (rc == 0)
    rc = git_repository_set_odb(*out, odb);
  if (rc == 0)
    rc = copy_branch(g, *out);
  git_odb_free(odb);
  if (rc == 0)
    return 0;
  hm_git_fail(g, "read the shallow clone", err);
  hm_git_shallow_close(g, *out);
  *out = NULL;
  return -1;
}

void hm_git_shallow_close(hm_git *g, git_repository *shallow) {
  if (!shallow)
    return;
  git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1);
  git_repository_free(shallow);
  hm_fs_remove(AT_FDCWD, shallow_path(g));
}
