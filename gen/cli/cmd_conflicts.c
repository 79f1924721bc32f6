#include <stdio.h>
#include <string.h>
#include "core/detect/explain.h"
#include "gen/cli/commands.h"
#include "gen/cli/conflict_text.h"
#include "gen/cli/out.h"

static const hm_option options[] = {
  { "status", 0, "S", "list: open (default), resolved, dismissed or all" },
  { "project", 0, "P", "list: of this project only, by id or alias" },
  { "exit-code", 0, NULL, "list: end with 1 when the list is not empty" },
  { 0 }
};

/* Which conflicts `list` shows. */
typedef struct { bool all; hm_verdict status; bool one_project; hm_str project; } filter;

/* What is listed. */
typedef struct { const hm_conflict_rec **v; size_t n; } listed;

static int read_status(hm_cli *cli, filter *f) {
  const char *s = hm_cli_option(cli, "status");
  *f = (filter){ .status = HM_OPEN };
  if (!s) return 0;
  if (strcmp(s, "all") == 0) { f->all = true; return 0; }
  for (hm_verdict v = HM_OPEN; v <= HM_DISMISSED; v++)
    if (strcmp(s, hm_verdict_name(v)) == 0) { f->status = v; return 0; }
  return hm_failf(&cli->err, HM_E_USAGE, "--status", "give one of open, resolved, dismissed, all", "'%.60s'", s);
}

static int read_project(hm_cli *cli, const hm_snapshot *snap, filter *f) {
  const char *p = hm_cli_option(cli, "project");
  f->one_project = p != NULL;
  if (!p) return 0;
  for (size_t i = 0; i < snap->n_projects; i++) {
    const hm_project *project = &snap->projects[i];
    bool found = hm_str_is(project->id, p);
    for (size_t k = 0; !found && k < project->n_aliases; k++) found = hm_str_is(project->aliases[k], p);
    if (found) { f->project = project->id; return 0; }
  }
  return hm_failf(&cli->err, HM_E_USAGE, "--project", "give the id or an alias of a project", "'%.60s' is not in %s", p,
                  cli->store);
}

static bool passes(const filter *f, const hm_conflict_rec *c) {
  if (!f->all && c->status != f->status) return false;
  return !f->one_project || hm_str_eq(c->project, f->project);
}

static listed choose(hm_cli *cli, const hm_sweep *w, const filter *f) {
  listed l = { 0 };
  size_t n;
  l.v = hm_cli_recorded(cli, w, &n);
  for (size_t i = 0; i < n; i++)
    if (passes(f, l.v[i])) l.v[l.n++] = l.v[i];
  return l;
}

static int list_json(hm_cli *cli, const hm_sweep *w, const listed *l) {
  hm_jw j;
  hm_buf b, one = { 0 };
  hm_json_begin(&j, &b);
  hm_jw_arr(&j, "conflicts");
  for (size_t i = 0; i < l->n; i++) {
    hm_buf_clear(&one);
    hm_conflict_json(&one, w, l->v[i], NULL, true, cli->a);
    hm_jw_raw(&j, NULL, hm_buf_view(&one));
  }
  hm_buf_free(&one);
  hm_jw_end(&j);
  hm_jw_int(&j, "count", (int64_t)l->n);
  return hm_json_end(cli, &j, &b);
}

static int list_text(hm_cli *cli, const hm_sweep *w, const listed *l) {
  for (size_t i = 0; i < l->n; i++) {
    const hm_json *tree = hm_conflict_tree(cli, w, l->v[i]);
    if (!tree) return -1;
    hm_conflict_line(cli, tree);
  }
  return 0;
}

static int list(hm_cli *cli, const hm_sweep *w) {
  filter f;
  if (cli->args.n_words > 1)
    return hm_fail(&cli->err, HM_E_USAGE, "conflicts list", "takes no more words",
                   "to see one: hmirror conflicts show ID");
  if (read_status(cli, &f) || read_project(cli, w->snap, &f)) return -1;
  hm_note_unrecorded(cli, w);
  listed l = choose(cli, w, &f);
  if (cli->json ? list_json(cli, w, &l) : list_text(cli, w, &l)) return -1;
  return l.n && hm_cli_option(cli, "exit-code") ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

static int show(hm_cli *cli, const hm_sweep *w) {
  if (cli->args.n_words < 2)
    return hm_fail(&cli->err, HM_E_USAGE, "conflicts show", "the ID is missing", "see 'hmirror conflicts list'");
  const hm_conflict_rec *rec = hm_cli_conflict(cli, w, cli->args.words[1]);
  if (!rec) return -1;
  if (cli->json) {
    hm_buf b = { 0 };
    hm_conflict_json(&b, w, rec, NULL, true, cli->a);
    printf("%.*s\n", HM_FMT(hm_buf_view(&b)));
    hm_buf_free(&b);
    return HM_EXIT_FINE;
  }
  const hm_json *tree = hm_conflict_tree(cli, w, rec);
  if (!tree) return -1;
  hm_conflict_show(cli, tree);
  return HM_EXIT_FINE;
}

static const struct { const char *name; int (*run)(hm_cli *cli, const hm_sweep *w); } actions[] = {
  { "list", list }, { "show", show }
};

static int unknown_word(hm_cli *cli, const char *word) {
  if (strcmp(word, "resolve") == 0 || strcmp(word, "dismiss") == 0)
    return hm_failf(&cli->err, HM_E_USAGE, "conflicts", "import the conflict's record with a verdict: see 'hmirror conflicts --help'",
                    "this version has no '%s'", word);
  return hm_failf(&cli->err, HM_E_USAGE, "conflicts", "say 'conflicts list' or 'conflicts show ID'",
                  "'%.60s' is neither list nor show", word);
}

static int run(hm_cli *cli) {
  const char *word = cli->args.words[0];
  size_t i = 0, n = sizeof actions / sizeof *actions;
  while (i < n && strcmp(word, actions[i].name) != 0) i++;
  if (i == n) return unknown_word(cli, word);
  hm_sweep w;
  if (hm_cli_sweep(cli, false, true, &w)) return -1;
  hm_progress_clear(cli->progress);
  int rc = actions[i].run(cli, &w);
  hm_sweep_free(&w);
  return rc;
}

const hm_command hm_cmd_conflicts = {
  .name = "conflicts", .words = "list|show [ID]", .brief = "list recorded conflicts, or show one",
  .about = "'list' shows the recorded conflicts, a line each, by slot and id; 'show' all sides\n"
           "of one. The beginning of an id is enough where only one conflict begins so. A\n"
           "conflict whose rows no longer disagree is awaiting sign-off. This version writes no\n"
           "verdicts: to settle a conflict, import its record with one.\n",
  .options = options,
  .exits = "0  done\n1  with --exit-code: there are such conflicts\n2  trouble, with a message\n",
  .examples = "hmirror conflicts list --project p05\nhmirror conflicts show c1f0\n"
              "hmirror conflicts list --status all --format json\n"
              "echo '{\"kind\":\"conflict\",\"id\":\"c1f0a2b3c4d5e\",\"status\":\"dismissed\"}' | hmirror import -\n",
  .least_words = 1, .most_words = 2, .run = run
};
