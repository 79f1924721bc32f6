#include <stdio.h>
#include "core/detect/explain.h"
#include "gen/cli/commands.h"
#include "gen/cli/out.h"
#include "gen/cli/work.h"

static int as_json(hm_cli *cli, const hm_sweep *w, const hm_explanation *x) {
  hm_jw j;
  hm_buf b, conflict = { 0 };
  hm_json_begin(&j, &b);
  hm_jw_str(&j, "id", x->rec->id);
  hm_jw_bool(&j, "disputed", x->dispute != NULL);
  hm_jw_arr(&j, "lines");
  for (size_t i = 0; i < x->n; i++) hm_jw_str(&j, NULL, x->lines[i]);
  if (x->found.n) hm_jw_str(&j, NULL, x->found);
  hm_jw_end(&j);
  hm_conflict_json(&conflict, w, x->rec, NULL, true, cli->a);
  hm_jw_raw(&j, "conflict", hm_buf_view(&conflict));
  hm_buf_free(&conflict);
  return hm_json_end(cli, &j, &b);
}

static int explain(hm_cli *cli, const hm_sweep *w) {
  hm_explanation x;
  const hm_conflict_rec *rec = hm_cli_conflict(cli, w, cli->args.words[0]);
  if (!rec || hm_explain(w, rec, &cli->mirror.config.rules, cli->a, &x, &cli->err)) return -1;
  if (cli->json) return as_json(cli, w, &x);
  for (size_t i = 0; i < x.n; i++) puts(hm_show(cli->a, x.lines[i], 0));
  if (x.found.n) puts(hm_show(cli->a, x.found, 0));
  return HM_EXIT_FINE;
}

static int run(hm_cli *cli) {
  hm_sweep w;
  if (hm_cli_sweep_for_conflict(cli, cli->args.words[0], &w)) return -1;
  int rc = explain(cli, &w);
  hm_sweep_free(&w);
  return rc;
}

const hm_command hm_cmd_explain = {
  .name = "explain", .words = "ID", .brief = "say why a conflict was flagged",
  .about = "Derives a conflict again from the store and says why it is one: the rule and its\n"
           "version, the rows and fields, each value as written and in normal form, the\n"
           "windows, and the arithmetic between values that disagree.\n",
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror explain c1f0\n",
  .least_words = 1, .most_words = 1, .run = run
};
