/* Pages as they are now, for a run that goes on; draft_run.h. */
#include "gen/cli/draft_run.h"
#include <stdlib.h>
#include "gen/cli/commands.h"

void hm_draft_run_free(hm_draft_run *r) {
  if (!r) return;
  hm_made_free(&r->made);
  hm_arena_free(r->cli->a);
  hm_rerun_free(r->cli);
  free(r);
}

/* Writes are compared by the rules that the first run began with. */
static int check_rules(hm_cli *now, const hm_cli *first) {
  const hm_config *c = &now->mirror.config;
  if (hm_str_eq(hm_rules_digest(&c->rules, now->a),
                hm_rules_digest(&first->mirror.config.rules, now->a)))
    return 0;
  return hm_fail(&now->err, HM_E_USAGE,
                 hm_str_fmt(now->a, "%s: rules, or world.yml", hm_config_name(c)).p,
                 "they differ from those that writes to this server are compared by",
                 hm_str_fmt(now->a, "start `hmirror %s` again", first->command->name).p);
}

int hm_draft_run_begin(const hm_cli *first, hm_watcher *w, hm_draft_run **out, hm_err *err) {
  hm_draft_run *r = hm_xmalloc(sizeof *r);
  *r = (hm_draft_run){ .cli = hm_rerun_new(first, hm_arena_new()) };
  hm_cli *cli = r->cli;
  cli->progress = NULL;
  cli->quiet = true;
  cli->verbose = false;
  if (hm_rerun_config(cli, first, w) || check_rules(cli, first) ||
      hm_make_preview(&cli->mirror, &r->made, &cli->err)) {
    *err = cli->err;
    hm_draft_run_free(r);
    return -1;
  }
  *out = r;
  return 0;
}
