#include "gen/cli/revision.h"

static const char come_by[] =
    "publish once, or fetch the branch: git fetch origin BRANCH:BRANCH; --repo and --branch name others";

int hm_revision_open(hm_cli *cli, const char *rev, hm_revision *out) {
  const char *repo = hm_cli_option(cli, "repo"), *branch = hm_cli_option(cli, "branch");
  *out = (hm_revision){ .repo = repo ? repo : cli->mirror.config.repo,
                        .branch = branch ? branch : cli->mirror.config.branch };
  if (!*out->repo)
    return hm_fail(&cli->err, HM_E_USAGE, "--repo", "an empty path", "name a folder");
  if (branch && hm_check_branch(branch, "--branch", &cli->err)) return -1;
  if (hm_git_reader_open(out->repo, &out->git, &cli->err)) return -1;
  if (rev) return hm_git_resolve(out->git, rev, out->commit, &cli->err);
  if (hm_git_branch(out->git, out->branch, out->commit, &cli->err) == 0) return 0;
  if (cli->err.code == HM_E_UNKNOWN)
    hm_fail(&cli->err, HM_E_UNKNOWN, cli->err.what, cli->err.why, come_by);
  return -1;
}

void hm_revision_close(hm_revision *r) {
  hm_git_reader_close(r->git);
  r->git = NULL;
}
