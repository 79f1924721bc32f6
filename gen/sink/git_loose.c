#include "gen/sink/git_impl.h"

/* Left to libgit2 with its own level: level 0 writes objects that nobody can read. */
int hm_git_write_loose(hm_git *g, const hm_git_objects *l, hm_err *err) {
  int rc = 0;
  git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, g->opt->durable ? 1 : 0);
  for (size_t i = 0; rc == 0 && i < l->n; i++) {
    git_oid id;
    const hm_git_object *o = &l->o[i];
    if (git_odb_write(&id, g->odb, o->bytes.p, o->bytes.n, o->type) < 0) rc = hm_git_fail(g, "write an object", err);
    else if (!git_oid_equal(&id, &o->id)) rc = hm_fail(err, HM_E_INTERNAL, g->opt->repo, "an object has another id than it had", NULL);
  }
  git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 0);
  return rc;
}
