/* A remote that is a repository on this machine. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "gen/sink/git_impl.h"

/* What a killed one left, who held this lock: nobody else uses the ref that objects come under. */
static int clear_path(hm_git_line *l, git_repository *there, hm_err *err) {
  const hm_git_place p = { l->a, l->shown,
                           hm_str_dup(l->a, hm_str_c(git_repository_commondir(there))).p, l->dir,
                           l->lock.died };
  hm_git_remove_half_files(&p);
  if (hm_git_clear_ref_lock(&p, HM_GIT_INCOMING, err) != 0 ||
      hm_git_clear_ref_lock(&p, l->g->ref, err) != 0)
    return -1;
  git_oid id;
  if (git_reference_name_to_id(&id, there, HM_GIT_INCOMING) == 0)
    git_reference_remove(there, HM_GIT_INCOMING);
  return 0;
}

/* libgit2 runs no hook, and what one refuses must not come in by another door. */
static const char *hook_of(hm_git_line *l, git_repository *there) {
  static const char *const hooks[] = { "pre-receive",           "update",       "proc-receive",
                                       "reference-transaction", "post-receive", "post-update" };
  git_config *c = NULL;
  git_buf own = { 0 };
  const char *dir = hm_str_fmt(l->a, "%shooks", git_repository_commondir(there)).p;
  if (git_repository_config_snapshot(&c, there) == 0 &&
      git_config_get_path(&own, c, "core.hooksPath") == 0)
    dir = *own.ptr == '/' ? hm_str_dup(l->a, hm_str_c(own.ptr)).p
                          : hm_str_fmt(l->a, "%s%s", git_repository_path(there), own.ptr).p;
  git_buf_dispose(&own);
  git_config_free(c);
  for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
    if (access(hm_str_fmt(l->a, "%s/%s", dir, hooks[i]).p, X_OK) == 0) return hooks[i];
  return NULL;
}

static int check(hm_git_line *l, git_repository *there, hm_err *err) {
  if (strcmp(git_repository_commondir(there), l->g->common) == 0)
    return hm_fail(err, HM_E_USAGE, l->shown, "it is the repository itself", "push to another one");
  if (!git_repository_is_bare(there))
    return hm_fail(err, HM_E_OUTPUT, l->shown,
                   "it has a work tree, and only bare repositories are pushed to by their path",
                   "publish into it: --repo instead of --push");
  const char *hook = hook_of(l, there);
  if (hook)
    return hm_failf(err, HM_E_OUTPUT, l->shown,
                    "push to it over ssh, git:// or https, where git runs it",
                    "it has the hook %s, which hmirror cannot run", hook);
  return 0;
}

static int lock(hm_git_line *l, const char *common, hm_err *err) {
  l->dir = open(common, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (l->dir < 0) return hm_fs_fail(err, l->path, "open the folder");
  if (hm_git_check_links(l->dir, common, l->g->ref, err) != 0) return -1;
  return hm_lock_take(&l->lock, l->dir, "hmirror.lock",
                      hm_str_fmt(l->a, "%shmirror.lock", common).p, l->opt->timeout_ms, err);
}

/* Others of us push to it, and publish into it: one at a time. */
int hm_git_line_lock(hm_git_line *l, hm_err *err) {
  git_repository *there = NULL;
  int rc = git_repository_open_ext(&there, l->path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
  if (rc < 0 && hm_git_is_foreign(l->path, rc)) return hm_git_foreign(l->path, err);
  if (rc < 0) return hm_git_line_fail(l, "open it", err);
  rc = check(l, there, err);
  if (rc == 0) rc = lock(l, git_repository_commondir(there), err);
  if (rc == 0) rc = clear_path(l, there, err);
  git_repository_free(there);
  return rc;
}
