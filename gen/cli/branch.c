/* See branch.h. A commit is found by git's own notations. */
#include "gen/cli/branch.h"
#include "core/base/time.h"

int hm_branch_open(hm_cli *cli, const char *rev, hm_branch *out) {
  const char *repo = hm_cli_option(cli, "repo"), *branch = hm_cli_option(cli, "branch");
  *out = (hm_branch){ .repo = repo ? repo : cli->mirror.config.repo,
                      .branch = branch ? branch : cli->mirror.config.branch };
  if (!*out->repo) return hm_usage(cli, "--repo", "an empty path", "name a folder");
  if (branch && hm_check_branch(branch, "--branch", &cli->err)) return -1;
  if (hm_git_reader_open(out->repo, &out->git, &cli->err)) return -1;
  if (rev) return hm_git_resolve(out->git, rev, out->commit, &cli->err);
  if (hm_git_branch(out->git, out->branch, out->commit, &cli->err) == 0) return 0;
  if (cli->err.code == HM_E_UNKNOWN)
    hm_fail(&cli->err, HM_E_UNKNOWN, cli->err.what, cli->err.why,
            "publish once, or fetch the branch: git fetch origin BRANCH:BRANCH; --repo and "
            "--branch name others");
  return -1;
}

void hm_branch_close(hm_branch *b) {
  hm_git_reader_close(b->git);
  b->git = NULL;
}

/* Empty for a year that no calendar has. */
static hm_str commit_time(hm_cli *cli, const hm_git_commit *c) {
  enum { MICROSECONDS = 1000000 };
  return c->when > HM_TIME_MAX / MICROSECONDS || c->when < HM_TIME_MIN / MICROSECONDS
      ? HM_EMPTY
      : hm_time_iso(cli->a, c->when * MICROSECONDS);
}

const char *hm_commit_day(hm_cli *cli, const hm_git_commit *c) {
  return hm_str_z(cli->a, hm_str_sub(commit_time(cli, c), 0, 10));
}

void hm_commit_json(hm_cli *cli, hm_jw *w, const hm_git_commit *c) {
  hm_jw_str(w, "commit", hm_str_c(c->id));
  hm_jw_str(w, "date", commit_time(cli, c));
  if (!c->ours) hm_jw_str(w, "author", c->author);
}
