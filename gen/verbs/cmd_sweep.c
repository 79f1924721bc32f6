/* sweep: looks for contradictions and records them. */
#include <stdio.h>
#include "gen/verbs/commands.h"
#include "gen/cli/conflict_text.h"

enum { SHORT_LIST = 20 };

static const hm_option sweep_options[] = {
  { "dry-run", 'n', NULL, "write nothing; say what would be recorded" },
  { "scope", 0, "S", "show only what concerns entity:ID, project:ID or era:ERA; all" },
  { "latest", 0, NULL, "show the last recorded sweep, and sweep nothing" },
  { "same-store", 0, NULL, "another program's store was moved: keep using its review file" },
  { "exit-code", 0, NULL, "end with 1 when there are disputes or findings" },
  { 0 }
};

/* Without those that people acknowledged. */
static hm_finding *shown_findings(hm_cli *cli, const hm_sweep *w, size_t *n) {
  hm_finding *f = hm_alloc_array(cli->a, w->n_findings, sizeof *f);
  *n = 0;
  for (size_t i = 0; i < w->n_findings; i++)
    if (!w->findings[i].acked)
      f[(*n)++] = w->findings[i];
  return f;
}

static int print_sweep_json(hm_cli *cli, const hm_sweep *w, const hm_silence *silence, bool dry,
                            const hm_compared *compared, int64_t open, int64_t disputed) {
  hm_jw *j = hm_cli_json_begin(cli);
  hm_jw_bool(j, "recorded", !dry);
  hm_jw_str(j, "scope",
            hm_str_c(hm_cli_get_option(cli, "scope") ? hm_cli_get_option(cli, "scope") : "all"));
  hm_jw_int(j, "rows", w->snap->n_rows);
  hm_jw_int(j, "claims", w->claims->n);
  hm_jw_int(j, "slots", w->disputes->slots);
  hm_silence_json(j, silence);
  hm_compared_json(j, compared);
  hm_jw_int(j, "opened", w->plan->opened);
  hm_jw_int(j, "updated", w->plan->updated);
  hm_jw_int(j, "quiet", w->plan->quiet);
  hm_jw_int(j, "open_conflicts_count", open);
  hm_jw_int(j, "disputed_count", disputed);
  hm_jw_arr(j, "opened_ids");
  for (size_t i = 0; i < w->plan->n; i++)
    if (w->plan->changes[i].kind == HM_CHANGE_OPEN)
      hm_jw_str(j, NULL, w->plan->changes[i].rec.id);
  hm_jw_end(j);
  size_t n;
  const hm_finding *findings = shown_findings(cli, w, &n);
  hm_findings_json(j, findings, n);
  hm_jw_int(j, "count", n);
  hm_jw_int(j, "acknowledged", w->n_acked);
  return hm_cli_json_end(cli);
}

static int print_opened(hm_cli *cli, const hm_sweep *w, size_t most) {
  size_t n = 0;
  for (size_t i = 0; i < w->plan->n; i++) {
    if (w->plan->changes[i].kind != HM_CHANGE_OPEN || n++ >= most)
      continue;
    hm_conflict_answer x =
        hm_conflict_answer_make(w, &w->plan->changes[i].rec, &cli->mirror.config.rules, cli->a);
    const hm_json *tree = hm_conflict_parse_answer(cli, &x);
    if (!tree)
      return -1;
    hm_print_conflict_line(cli, tree);
  }
  if (n > most)
    printf("and %s more: see 'hmirror conflicts list'\n", hm_format_thousands(cli->a, (n - most)));
  return 0;
}

static int print_sweep(hm_cli *cli, const hm_sweep *w, bool dry, const hm_compared *compared,
                       int64_t open, int64_t disputed) {
  size_t most = cli->verbose ? SIZE_MAX : SHORT_LIST;
  if (cli->quiet)
    return 0;
  if (print_opened(cli, w, most))
    return -1;
  size_t n;
  const hm_finding *findings = shown_findings(cli, w, &n);
  hm_print_findings(cli, findings, n, most);
  printf("%s, %s, %s: %s %s, %zu updated, %zu settled and quiet\n",
         hm_format_count(cli->a, w->snap->n_rows, "row"),
         hm_format_count(cli->a, w->claims->n, "claim"),
         hm_format_count(cli->a, w->disputes->slots, "slot"),
         hm_format_count(cli->a, w->plan->opened, "conflict"), dry ? "would be opened" : "opened",
         w->plan->updated, w->plan->quiet);
  printf("%s open, %s of them disputed; %s; %s", hm_format_count(cli->a, open, "conflict"),
         hm_format_thousands(cli->a, disputed), hm_compared_text(cli->a, compared).p,
         hm_format_count(cli->a, n, "finding"));
  if (w->n_acked)
    printf(", %s more acknowledged", hm_format_thousands(cli->a, w->n_acked));
  putchar('\n');
  return 0;
}

/* --- the last one ------------------------------------------------------------------- */

static int print_latest(hm_cli *cli, const hm_sweep_run *r) {
  if (cli->json) {
    hm_jw *j = hm_cli_json_begin(cli);
    hm_sweep_run_json(j, "sweep", r);
    return hm_cli_json_end(cli);
  }
  if (cli->quiet)
    return 0;
  if (r)
    hm_print_sweep_run(cli, r);
  else
    puts("No sweep yet.");
  return 0;
}

static int show_latest(hm_cli *cli) {
  hm_store *store = NULL;
  hm_sweep_run run;
  bool found;
  if (hm_cli_get_option(cli, "dry-run") || hm_cli_get_option(cli, "scope") ||
      hm_cli_get_option(cli, "exit-code"))
    return hm_fail_usage(cli, "--latest", "it sweeps nothing", "give it alone");
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &store, &cli->err))
    return -1;
  int rc = hm_store_last_run(store, cli->a, &run, &found, &cli->err);
  hm_store_close(store);
  hm_progress_end_phase(cli);
  return rc ? -1 : print_latest(cli, found ? &run : NULL);
}

/* --- a new one ------------------------------------------------------------------------ */

static int run_sweep(hm_cli *cli) {
  bool dry = hm_cli_get_option(cli, "dry-run");
  hm_str scope = hm_str_c(hm_cli_get_option(cli, "scope"));
  int64_t open = 0, disputed = 0;
  bool faulty = false;
  hm_sweep w;
  hm_silence silence;
  if (hm_cli_get_option(cli, "latest"))
    return show_latest(cli);
  if (hm_cli_get_option(cli, "scope") && hm_sweep_scope_check(scope, &cli->err))
    return -1;
  if (hm_str_is(scope, "all"))
    scope = HM_EMPTY;
  /* Text shows values of the disputes only; pages' columns are not needed. */
  if (hm_mirror_sweep(&cli->mirror, &(hm_sweep_options){ .record = !dry, .scope = scope }, &w,
                      &cli->err))
    return -1;
  hm_sweep_keep_scope(&w);
  hm_mirror_say_work(&cli->mirror, "");
  hm_progress_end_phase(cli);
  for (size_t i = 0; i < w.plan->n_conflicts; i++) {
    open += w.plan->conflicts[i].status == HM_OPEN;
    disputed += w.plan->disputes[i] != NULL;
  }
  for (size_t i = 0; i < w.n_findings; i++) /* what only informs does not fail a run */
    faulty |= !w.findings[i].acked && !hm_str_is(w.findings[i].severity, "info");
  hm_silence_collect(w.snap, w.claims, cli->a, &silence);
  const hm_compared *compared =
      hm_compared_count(w.snap, w.claims, NULL, NULL, NULL, cli->a) + w.snap->n_projects;
  int rc = cli->json ? print_sweep_json(cli, &w, &silence, dry, compared, open, disputed)
                     : print_sweep(cli, &w, dry, compared, open, disputed);
  if (!cli->json)
    hm_note_silence(cli, &silence);
  if (!rc && hm_cli_get_option(cli, "exit-code") && (disputed || faulty))
    rc = HM_EXIT_FOUND;
  hm_sweep_free(&w);
  return rc;
}

const hm_command hm_cmd_sweep = {
  .name = "sweep",
  .words = "",
  .brief = "look for contradictions and record them",
  .about = "Reads the store, finds the slots whose claims contradict each other and records\n"
           "each as an open conflict for a human to settle. Nothing is merged, chosen or\n"
           "discarded. A sweep that finds nothing new changes nothing. --scope shows only what\n"
           "concerns a part of the store; everything is recorded.\n",
  .options = sweep_options,
  .exits = "0  done\n1  with --exit-code: disputes or findings\n"
           "2  trouble, with a message; nothing was recorded\n",
  .examples = "hmirror sweep --dry-run\nhmirror sweep --exit-code --format json\n"
              "hmirror sweep --scope entity:aldric\nhmirror sweep --latest\n",
  .run = run_sweep
};
