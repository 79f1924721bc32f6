#include "gen/sink/git_impl.h"

enum { STEP_MS = 20, WAIT_MS = 5000 };

static int moved(const hm_git *g, hm_err *err) {
  return hm_failf(err, HM_E_MOVED, g->opt->repo, "publish again",
                  "branch %s moved while we were at work; nothing was overwritten", g->opt->branch);
}

static int swap(hm_git *g, const git_oid *to) {
  git_reference *ref = NULL;
  int rc = git_reference_create_matching(&ref, g->repo, g->ref, to, g->exists,
                                         g->exists ? &g->tip : NULL, "hmirror: publish");
  git_reference_free(ref);
  return rc;
}

/* EEXISTS also means a branch "a" where "a/b" is wanted. */
static bool is_there(const hm_git *g) {
  git_oid id;
  return git_reference_name_to_id(&id, g->repo, g->ref) == 0;
}

int hm_git_move_ref(hm_git *g, const git_oid *to, hm_err *err) {
  int rc, waited = 0;
  while ((rc = swap(g, to)) == GIT_ELOCKED && waited < WAIT_MS) {
    hm_pause_ms(STEP_MS);
    waited += STEP_MS;
  }
  if (rc == 0) return 0;
  if (rc == GIT_ELOCKED) {
    const hm_git_place here = hm_git_here(g);
    return hm_git_ref_locked(&here, g->ref, err);
  }
  if (rc == GIT_EMODIFIED || rc == GIT_ENOTFOUND) return moved(g, err);
  if (rc == GIT_EEXISTS) {
    const git_error *e = git_error_last();
    hm_str why = hm_str_dup(g->a, hm_str_c(e ? e->message : ""));
    return is_there(g)
        ? moved(g, err)
        : hm_fail(err, HM_E_OUTPUT, g->opt->repo, why.p, "publish to a branch of another name");
  }
  return hm_git_fail(g, "move the branch", err);
}
