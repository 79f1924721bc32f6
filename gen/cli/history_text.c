#include "gen/cli/history_text.h"

#include <string.h>

#include "core/base/time.h"
#include "gen/cli/revision.h"

int hm_branch_open(hm_cli *cli, hm_branch *b) {
  hm_revision tip;
  *b = (hm_branch){ 0 };
  if (hm_revision_open(cli, NULL, &tip)) {
    hm_revision_close(&tip);
    return -1;
  }
  *b = (hm_branch){ .repo = tip.repo, .branch = tip.branch, .git = tip.git };
  memcpy(b->tip, tip.commit, sizeof b->tip);
  b->history = hm_history_new(b->git, b->tip, &cli->mirror.config.rules);
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
  return c->when > HM_TIME_MAX / MICROSECONDS || c->when < HM_TIME_MIN / MICROSECONDS
      ? HM_EMPTY
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
