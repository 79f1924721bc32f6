#include "gen/cli/history_text.h"

#include "core/base/time.h"

int hm_branch_open(hm_cli *cli, hm_branch *b) {
  const char *repo = hm_cli_option(cli, "repo"), *branch = hm_cli_option(cli, "branch");
  *b = (hm_branch){ .repo = repo ? repo : cli->config.repo, .branch = branch ? branch : cli->config.branch };
  if (!*b->repo) return hm_fail(&cli->err, HM_E_USAGE, "--repo", "an empty path", NULL);
  if (branch && hm_check_branch(branch, "--branch", &cli->err)) return -1;
  if (hm_git_reader_open(b->repo, &b->git, &cli->err)) return -1;
  if (hm_git_branch(b->git, b->branch, b->tip, &cli->err)) {
    hm_branch_close(b);
    return -1;
  }
  b->history = hm_history_new(b->git, b->tip, &cli->config.rules);
  return 0;
}

void hm_branch_close(hm_branch *b) {
  hm_history_free(b->history);
  hm_git_reader_close(b->git);
  b->history = NULL;
  b->git = NULL;
}

static hm_str iso(hm_cli *cli, const hm_git_commit *c) {
  enum { MICROSECONDS = 1000000 };
  return c->when > HM_TIME_MAX / MICROSECONDS || c->when < HM_TIME_MIN / MICROSECONDS ? HM_EMPTY
                                                                                     : hm_time_iso(cli->a, c->when * MICROSECONDS);
}

const char *hm_commit_day(hm_cli *cli, const hm_git_commit *c) {
  hm_str t = iso(cli, c);
  return hm_str_z(cli->a, hm_str_sub(t, 0, 10));
}

void hm_commit_json(hm_cli *cli, hm_jw *w, const hm_git_commit *c) {
  hm_jw_str(w, "commit", hm_str_c(c->id));
  hm_jw_str(w, "date", iso(cli, c));
  if (!c->ours) hm_jw_str(w, "author", c->author);
}
