/* Brings the local branch up to the remote's, and pushes it. */
#include <string.h>

#include "gen/sink/git_impl.h"

/* --- what is there ------------------------------------------------------------ */

static int connect_to_fetch(hm_git_connection *l, hm_err *err) {
  return git_remote_connect(l->remote, GIT_DIRECTION_FETCH, &l->calls, NULL, NULL) < 0
      ? hm_git_connection_fail(l, "reach it", err)
      : 0;
}

static int find_remote_tip(const hm_git *g, hm_git_connection *l, git_oid *tip, bool *there,
                           hm_err *err) {
  const git_remote_head **heads;
  size_t n;
  *there = false;
  if (git_remote_ls(&heads, &n, l->remote) < 0)
    return hm_git_connection_fail(l, "list its branches", err);
  for (size_t i = 0; i < n; i++) {
    if (strcmp(heads[i]->name, g->ref) != 0)
      continue;
    git_oid_cpy(tip, &heads[i]->oid);
    *there = true;
  }
  return 0;
}

/* Fetches the commit and all that it needs into our objects; makes no ref. */
static int fetch_branch(hm_git *g, hm_git_connection *l, hm_err *err) {
  git_fetch_options o;
  char *spec[] = { (char *)g->ref };
  git_strarray specs = { spec, 1 };
  git_fetch_options_init(&o, GIT_FETCH_OPTIONS_VERSION);
  o.callbacks = l->calls;
  o.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE;
  if (git_odb_exists(g->odb, &g->remote_tip))
    return 0;
  if (git_remote_download(l->remote, &specs, &o) < 0)
    return hm_git_connection_fail(l, "fetch its branch", err);
  git_odb_refresh(g->odb);
  return 0;
}

/* --- bringing both together ---------------------------------------------------- */

static int set_branch(hm_git *g, const git_oid *to, const git_oid *from, hm_err *err) {
  git_reference *ref = NULL;
  int rc = git_reference_create_matching(&ref, g->repo, g->ref, to, from != NULL, from,
                                         "hmirror: taken from the remote");
  git_reference_free(ref);
  if (rc == 0)
    return 0;
  if (rc == GIT_EMODIFIED)
    return hm_failf(err, HM_E_MOVED, g->opt->repo, "publish again",
                    "branch %s moved while we were at work", g->opt->branch);
  return hm_git_fail(g, "bring the branch up to the remote's", err);
}

/* Sets *ours when every commit that only the local branch has is one of ours. */
static int all_are_ours(hm_git *g, const git_oid *here, const git_oid *there, bool *ours,
                        hm_err *err) {
  git_revwalk *walk = NULL;
  git_oid id;
  int rc = git_revwalk_new(&walk, g->repo);
  if (rc == 0)
    rc = git_revwalk_push(walk, here);
  if (rc == 0)
    rc = git_revwalk_hide(walk, there);
  *ours = true;
  while (rc == 0 && (rc = git_revwalk_next(&id, walk)) == 0 && *ours) {
    git_commit *c = NULL;
    rc = git_commit_lookup(&c, g->repo, &id);
    if (rc == 0)
      *ours = hm_git_commit_is_ours(c);
    git_commit_free(c);
  }
  git_revwalk_free(walk);
  return rc < 0 && rc != GIT_ITEROVER ? hm_git_fail(g, "compare the branch with the remote's", err)
                                      : 0;
}

static int fail_diverged(hm_git *g, const hm_git_connection *l, hm_err *err) {
  return hm_failf(
      err, HM_E_OUTPUT, g->opt->repo,
      "merge them with git, or delete the branch here: git branch -D, then publish again",
      "branch %s has commits here that are not hmirror's, and others at %s", g->opt->branch,
      l->shown);
}

static int join_branches(hm_git *g, const hm_git_connection *l, const git_oid *here, hm_err *err) {
  bool ours;
  int ahead = git_graph_descendant_of(g->repo, here, &g->remote_tip);
  int behind = git_graph_descendant_of(g->repo, &g->remote_tip, here);
  if (ahead < 0 || behind < 0)
    return hm_git_fail(g, "compare the branch with the remote's", err);
  if (ahead) {
    g->remote_state = HM_REMOTE_BEHIND;
    return 0;
  }
  g->remote_state = behind ? HM_REMOTE_TAKEN : HM_REMOTE_REPLACED;
  if (!behind && all_are_ours(g, here, &g->remote_tip, &ours, err) != 0)
    return -1;
  if (!behind && !ours)
    return fail_diverged(g, l, err);
  return set_branch(g, &g->remote_tip, here, err);
}

static int sync_branch(hm_git *g, hm_git_connection *l, hm_err *err) {
  git_oid here;
  if (connect_to_fetch(l, err) != 0)
    return -1;
  if (find_remote_tip(g, l, &g->remote_tip, &g->remote_exists, err) != 0)
    return -1;
  if (!g->remote_exists)
    return 0;
  if (fetch_branch(g, l, err) != 0)
    return -1;
  int rc = git_reference_name_to_id(&here, g->repo, g->ref);
  if (rc == GIT_ENOTFOUND) {
    g->remote_state = HM_REMOTE_TAKEN;
    return set_branch(g, &g->remote_tip, NULL, err);
  }
  if (rc < 0)
    return hm_git_fail(g, "read the branch", err);
  if (!git_oid_equal(&here, &g->remote_tip))
    return join_branches(g, l, &here, err);
  g->remote_state = HM_REMOTE_SAME;
  return 0;
}

int hm_git_remote_sync(hm_git *g, hm_err *err) {
  hm_git_connection l;
  if (!g->opt->remote)
    return 0;
  int rc = hm_git_connection_open(&l, g, GIT_DIRECTION_FETCH, err);
  if (rc == 0)
    rc = sync_branch(g, &l, err);
  hm_git_connection_close(&l);
  return rc;
}

hm_remote_state hm_git_remote_state(const hm_git *g) { return g->remote_state; }

/* --- sending ------------------------------------------------------------------- */

static int fail_moved(const hm_git *g, const hm_git_connection *l, hm_err *err) {
  return hm_failf(err, HM_E_MOVED, l->shown, "publish again",
                  "branch %s moved there while we were at work; nothing was overwritten",
                  g->opt->branch);
}

/* Servers word "another push came first" in many ways; so this checks whether the remote's branch
 * moved. */
static int fail_refused(hm_git *g, hm_git_connection *l, hm_err *err) {
  git_oid now;
  bool there;
  hm_git_connection again;
  hm_git_connection_close(l); /* and with it the lock of a repository on this machine */
  int rc = hm_git_connection_open(&again, g, GIT_DIRECTION_FETCH, err);
  if (rc == 0)
    rc = connect_to_fetch(&again, err);
  if (rc == 0)
    rc = find_remote_tip(g, &again, &now, &there, err);
  hm_git_connection_close(&again);
  if (rc != 0)
    return -1;
  if (there != g->remote_exists || (there && !git_oid_equal(&now, &g->remote_tip)))
    return fail_moved(g, l, err);
  return hm_failf(err, HM_E_OUTPUT, l->shown, "ask who runs it, or push to another branch",
                  "it refused branch %s: %.*s", g->opt->branch, HM_FMT(l->refused));
}

static int push_as(hm_git *g, hm_git_connection *l, const char *there, hm_err *err) {
  git_push_options o;
  char *spec[] = { hm_str_z(g->a, hm_str_fmt(g->a, "%s:%s", g->ref, there)) };
  git_strarray specs = { spec, 1 };
  git_push_options_init(&o, GIT_PUSH_OPTIONS_VERSION);
  o.callbacks = l->calls;
  o.pb_parallelism = g->opt->threads > 0 ? (unsigned)g->opt->threads : 1;
  int rc = git_remote_push(l->remote, &specs, &o);
  if (rc == GIT_ENONFASTFORWARD)
    return fail_moved(g, l, err);
  if (rc < 0)
    return hm_git_connection_fail(l, "push", err);
  return l->refused.n ? fail_refused(g, l, err) : 0;
}

/* --- a repository on this machine ------------------------------------------------
 * libgit2 sets its refs without looking at what they were. So the objects go
 * there under a ref that nobody else uses, and our own compare-and-swap moves the branch. */

static int swap_remote_ref(hm_git *g, const hm_git_connection *l, git_repository *repo,
                           const git_oid *to, hm_err *err) {
  git_reference *ref = NULL;
  int rc = git_reference_create_matching(&ref, repo, g->ref, to, g->remote_exists,
                                         g->remote_exists ? &g->remote_tip : NULL, "hmirror: push");
  git_reference_free(ref);
  if (rc == GIT_EMODIFIED || rc == GIT_EEXISTS || rc == GIT_ENOTFOUND)
    return fail_moved(g, l, err);
  if (rc == GIT_ELOCKED)
    return hm_fail(err, HM_E_MOVED, l->shown, "the branch is locked there by another git process",
                   "publish again");
  return rc < 0 ? hm_git_fail_at(l->shown, "move the branch there", err) : 0;
}

static int push_to_path(hm_git *g, hm_git_connection *l, const git_oid *tip, hm_err *err) {
  git_repository *repo = NULL;
  if (push_as(g, l, HM_GIT_INCOMING, err) != 0)
    return -1;
  int rc = hm_git_repository_open(&repo, l->path);
  if (rc < 0)
    return hm_git_connection_fail(l, "open it", err);
  git_repository_set_ident(repo, g->opt->author_name, g->opt->author_email);
  rc = swap_remote_ref(g, l, repo, tip, err);
  git_reference_remove(repo, HM_GIT_INCOMING);
  git_repository_free(repo);
  return rc;
}

int hm_git_push(hm_git *g, bool *sent, hm_err *err) {
  hm_git_connection l;
  git_oid tip;
  *sent = false;
  if (git_reference_name_to_id(&tip, g->repo, g->ref) < 0)
    return hm_git_fail(g, "read the branch", err);
  if (g->remote_exists && git_oid_equal(&tip, &g->remote_tip))
    return 0;
  int rc = hm_git_connection_open(&l, g, GIT_DIRECTION_PUSH, err);
  if (rc == 0)
    rc = l.path ? push_to_path(g, &l, &tip, err) : push_as(g, &l, g->ref, err);
  hm_git_connection_close(&l);
  if (rc != 0)
    return -1;
  *sent = true;
  git_oid_cpy(&g->remote_tip, &tip);
  g->remote_exists = true;
  return 0;
}
