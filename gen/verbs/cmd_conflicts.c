/* conflicts list, conflicts show, explain. (resolve, dismiss and reopen: cmd_verdict.c) */
#include <stdio.h>
#include <string.h>
#include "core/sweep/answer.h"
#include "core/detect/explain.h"
#include "core/detect/conflict.h"
#include "core/review/conflict_filter.h"
#include "core/review/finding_review.h"
#include "core/store/lookup.h"
#include "gen/verbs/commands.h"
#include "gen/cli/conflict_text.h"

/* --- what superseded what because of a conflict ------------------------------------- */

enum { REF_SHOWN = 200, NOTES_SHOWN = 240, WHEN_SHOWN = 40 };

static void write_succession(hm_cli *cli, hm_jw *w, const hm_snapshot *snap,
                             const hm_succession *s) {
  hm_jw_obj(w, NULL);
  hm_jw_str(w, "winner", hm_row_ref(cli->a, &snap->rows[s->winner]));
  hm_jw_arr(w, "rows");
  for (size_t i = 0; i < s->n; i++)
    hm_jw_str(w, NULL, hm_row_ref(cli->a, &snap->rows[s->rows[i]]));
  hm_jw_end(w);
  hm_jw_str(w, "conflict", s->conflict->id);
  hm_slot_key_json(w, s->conflict->slot_key, cli->a);
  hm_jw_str_or_null(w, "resolved_at", s->conflict->resolved_at);
  hm_jw_str_or_null(w, "resolved_by", s->conflict->resolved_by);
  hm_jw_str(w, "resolution", s->conflict->resolution);
  hm_jw_end(w);
}

static const char *show_row(hm_cli *cli, const hm_snapshot *snap, uint32_t row) {
  return hm_terminal_line(cli->a, hm_row_ref(cli->a, &snap->rows[row]), REF_SHOWN);
}

static void print_succession(hm_cli *cli, hm_store *store, const hm_snapshot *snap,
                             const hm_succession *s) {
  const hm_conflict_rec *c = s->conflict;
  hm_str title = hm_answers_title(store, c->id, c->slot_key, cli->a);
  printf("%s superseded ", show_row(cli, snap, s->winner));
  for (size_t i = 0; i < s->n; i++)
    printf("%s%s", i ? ", " : "", show_row(cli, snap, s->rows[i]));
  printf(" because of %s%s%s (%s)", cli->bold, hm_terminal_line(cli->a, c->id, WHEN_SHOWN),
         cli->plain, hm_terminal_line(cli->a, title, REF_SHOWN));
  if (c->resolved_at.n)
    printf(", %s", hm_terminal_line(cli->a, c->resolved_at, WHEN_SHOWN));
  if (c->resolved_by.n)
    printf(", by %s", hm_terminal_line(cli->a, c->resolved_by, REF_SHOWN));
  if (c->resolution.n)
    printf(": %s", hm_terminal_line(cli->a, c->resolution, NOTES_SHOWN));
  putchar('\n');
}

/* --- list ---------------------------------------------------------------------------- */

static const hm_option conflicts_options[] = {
  { "status", 0, "S", "list: open (default), resolved, dismissed, merged, all" },
  { "project", 0, "P", "list: of this project only, by id, alias or name" },
  { "touching", 0, "ROW", "list: that concern ROW (a row, an entity's name) or its parts" },
  { "source", 0, "S", "list: with a row of this source, exactly as the row has it" },
  { "superseded", 0, NULL, "list: what superseded what because of a conflict" },
  { "type", 0, "T", "list: with --superseded, rows of this type only" },
  { "exit-code", 0, NULL, "list: end with 1 when the list is not empty" },
  { "winner", 0, "MEMBER", "resolve: the claim that stands; repeat it where several may" },
  { "from", 0, "SOURCE", "resolve: whose value of the winner stands, where its sources differ" },
  { "supersede-others", 0, NULL, "resolve: all other members give way, also those that agree" },
  { "whole-row", 0, NULL, "resolve: supersede rows that also say other things" },
  { "field-only", 0, NULL, "resolve: only the judged field leaves such a row, the rest stands" },
  { "no-action", 0, NULL, "resolve: no row changes" },
  { "link", 0, NULL, "resolve, with --no-action: link the sides as `contradicts`" },
  { "notes", 0, "TEXT", "resolve: why" },
  { "reason", 0, "TEXT", "dismiss, reopen: why" },
  { "keep-rows", 0, NULL, "reopen: leave superseded what the verdict superseded" },
  { "dry-run", 0, NULL, "resolve, dismiss, reopen: only say what would change" },
  { 0 }
};

/* Which conflicts `list` shows. */
typedef struct {
  bool all;
  hm_verdict status;
  bool one_project;
  hm_str project;
  hm_conflict_subject *about;
} list_filter;

static int read_status(hm_cli *cli, list_filter *f) {
  static const char *const words[] = { "open", "resolved", "dismissed", "merged", "all", NULL };
  int i = hm_cli_read_choice(cli, "status", words, HM_OPEN);
  if (i < 0)
    return -1;
  /* What superseded what is a matter of settled conflicts. */
  bool unsaid = !hm_cli_get_option(cli, "status");
  *f = (list_filter){ .status = (hm_verdict)i,
                      .all = unsaid ? hm_cli_get_option(cli, "superseded") != NULL
                                    : i == HM_N_VERDICTS };
  return 0;
}

static int read_touching(hm_cli *cli, const hm_snapshot *snap, list_filter *f) {
  const char *row = hm_cli_get_option(cli, "touching");
  if (!row)
    return 0;
  if (!*row)
    return hm_fail_usage(cli, "--touching", "it is empty",
                         "give a row (kind:id or id), or the name of an entity");
  f->about = hm_conflict_subject_new(snap, hm_str_c(row), cli->a);
  return 0;
}

static bool passes_filter(const list_filter *f, const hm_conflict_rec *c) {
  if (!f->all && c->status != f->status)
    return false;
  if (f->one_project && !hm_str_eq(c->project, f->project))
    return false;
  return !f->about || hm_conflict_concerns(f->about, c);
}

/* A name that nothing has and that no conflict concerns is misspelt. */
static int check_touching(hm_cli *cli, const list_filter *f, size_t listed) {
  return f->about && !listed ? hm_conflict_subject_check_known(f->about, NULL, &cli->err) : 0;
}

/* Conflicts are printed as they come: JSON that is longer than this does not wait for its end. */
enum { JSON_WAITS = 1 << 20 };

static void print_json_so_far(hm_cli *cli) {
  hm_buf *bytes = &cli->json_bytes;
  if (bytes->n < JSON_WAITS || bytes->failed)
    return;
  hm_str text = hm_json_escape_directions(cli->a, hm_buf_view(bytes));
  fwrite(text.p, 1, text.n, stdout);
  hm_buf_clear(bytes);
}

typedef struct {
  hm_cli *cli;
  hm_str source;
  hm_map of_source; /* with source: its rows */
  hm_map *picked;   /* ids; NULL: all */
  size_t n;
} list_printer;

/* What one line takes is freed with it. */
static int print_listed(void *ctx, const hm_conflict_answer *x, hm_err *err) {
  list_printer *p = ctx;
  hm_cli *cli = p->cli;
  hm_arena *run = cli->a;
  int rc = 0;
  (void)err;
  if (p->picked && hm_map_get(p->picked, x->id) == HM_MAP_NONE)
    return 0;
  cli->a = hm_arena_new();
  const hm_json *tree = cli->json && !p->source.n ? NULL : hm_conflict_parse_answer(cli, x);
  if (!tree && (!cli->json || p->source.n)) {
    rc = -1;
  } else if (!p->source.n || hm_conflict_answer_has_source(tree, &p->of_source, cli->a)) {
    p->n++;
    if (cli->json)
      hm_jw_raw(&cli->json_out, NULL, x->json);
    else
      hm_print_conflict_line(cli, tree);
  }
  hm_arena_free(cli->a);
  cli->a = run;
  print_json_so_far(cli);
  return rc;
}

/* What a row touches, and what superseded what, is found by the rows: the recorded conflicts that
 * they ask for are told, or what superseded what because of these. */
static int pick_by_rows(hm_cli *cli, list_filter *f, const hm_cli_answers *x, list_printer *p) {
  bool superseded = hm_cli_get_option(cli, "superseded");
  hm_snapshot *snap;
  if (hm_cli_read_snapshot(cli, x, &snap) || read_touching(cli, snap, f))
    return -1;
  const hm_conflict_rec **some = hm_alloc_array(cli->a, snap->n_conflicts + 1, sizeof *some);
  size_t n = 0;
  for (size_t i = 0; i < snap->n_conflicts; i++) {
    const hm_conflict_rec *c = &snap->conflicts[i];
    if (passes_filter(f, c) && !(x->sweep.snap && hm_plan_opens_conflict(x->sweep.plan, c->id)) &&
        (!p->source.n || hm_conflict_has_source(c, &p->of_source, cli->a)))
      some[n++] = c;
  }
  if (check_touching(cli, f, n))
    return -1;
  if (superseded) {
    hm_succession *list;
    p->n = hm_successions_collect(snap, some, n, hm_str_c(hm_cli_get_option(cli, "type")), cli->a,
                                  &list);
    for (size_t i = 0; i < p->n; i++)
      if (cli->json)
        write_succession(cli, &cli->json_out, snap, &list[i]);
      else
        print_succession(cli, x->from.s, snap, &list[i]);
    return 0;
  }
  p->picked = hm_alloc(cli->a, sizeof *p->picked);
  hm_map_init(p->picked, cli->a, n);
  for (size_t i = 0; i < n; i++)
    hm_map_add(p->picked, some[i]->id, 0);
  return 0;
}

static int list_answers(hm_cli *cli, list_filter *f, list_printer *p, size_t *unrecorded) {
  hm_cli_answers x;
  bool superseded = hm_cli_get_option(cli, "superseded");
  f->project = hm_str_c(hm_cli_get_option(cli, "project"));
  if (hm_cli_open_answers(cli, &x))
    return -1;
  int rc =
      f->one_project ? hm_lookup_project(x.store, f->project, cli->a, &f->project, &cli->err) : 0;
  if (rc)
    cli->err.code = HM_E_USAGE;
  if (!rc && p->source.n)
    rc = hm_source_rows(x.store, p->source, cli->a, &p->of_source, &cli->err);
  if (!rc && (superseded || hm_cli_get_option(cli, "touching")))
    rc = pick_by_rows(cli, f, &x, p);
  if (!rc && !superseded)
    rc = hm_answers_visit(&x.from, f->all ? NULL : &f->status, f->one_project ? &f->project : NULL,
                          print_listed, p, &cli->err);
  *unrecorded = x.sweep.snap ? x.sweep.plan->opened : 0;
  hm_cli_close_answers(&x);
  return rc;
}

static int run_list(hm_cli *cli) {
  list_filter f;
  size_t unrecorded;
  list_printer p = { .cli = cli };
  bool superseded = hm_cli_get_option(cli, "superseded");
  const char *source = hm_cli_get_option(cli, "source");
  if (source && !*source)
    return hm_fail_usage(cli, "--source", "it is empty", "give a source as the rows write it");
  p.source = hm_str_c(source);
  if (cli->args.n_words > 1)
    return hm_fail_usage(cli, "conflicts list", "takes no more words",
                         "to see one: hmirror conflicts show ID");
  if (hm_cli_get_option(cli, "type") && !superseded)
    return hm_fail_usage(cli, "--type", "given without --superseded, and conflicts have no type",
                         "add --superseded, or leave it out");
  if (read_status(cli, &f))
    return -1;
  f.one_project = hm_cli_get_option(cli, "project");
  if (cli->json)
    hm_jw_arr(hm_cli_json_begin(cli), superseded ? "superseded" : "conflicts");
  if (list_answers(cli, &f, &p, &unrecorded))
    return -1;
  hm_note_unrecorded(cli, unrecorded);
  if (cli->json) {
    hm_jw_end(&cli->json_out);
    hm_jw_int(&cli->json_out, "count", p.n);
    if (hm_cli_json_end(cli))
      return -1;
  } else if (!p.n && !cli->quiet) { /* silence could be taken for a mistake */
    if (superseded)
      puts("No row is superseded because of a conflict.");
    else
      printf("No %s%sconflicts.\n", f.all ? "" : hm_verdict_name(f.status), f.all ? "" : " ");
  }
  if (source && p.n && !cli->json && !cli->quiet && !superseded)
    printf("%s of this source.\n",
           hm_format_count_plural(cli->a, p.n, "conflict has a row", "conflicts have a row"));
  bool found = p.n || (unrecorded && !superseded && (f.all || f.status == HM_OPEN));
  return found && hm_cli_get_option(cli, "exit-code") ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

/* --- show ----------------------------------------------------------------------------- */

static int run_show(hm_cli *cli) {
  hm_cli_answers x;
  hm_conflict_answer found;
  if (cli->args.n_words < 2)
    return hm_fail_usage(cli, "conflicts show", "the ID is missing",
                         "see 'hmirror conflicts list'");
  if (hm_cli_open_answers(cli, &x))
    return -1;
  int rc = hm_cli_find_answer(cli, &x.from, cli->args.words[1], &found);
  const hm_json *tree = rc || cli->json ? NULL : hm_conflict_parse_answer(cli, &found);
  if (!rc && cli->json)
    printf("%.*s\n", HM_FMT(hm_json_escape_directions(cli->a, found.json)));
  else if (tree)
    hm_print_conflict(cli, tree);
  hm_cli_close_answers(&x);
  return rc || (!tree && !cli->json) ? -1 : HM_EXIT_FINE;
}

/* --- actions -------------------------------------------------------------------------- */

/* takes: the options of this action; the verb has those of all. */
static const struct {
  const char *name;
  int (*run)(hm_cli *cli);
  const char *takes;
} actions[] = {
  { "list", run_list, " status project touching source type superseded exit-code " },
  { "show", run_show, "" },
  { "resolve", hm_cli_conflicts_resolve,
    " winner from supersede-others whole-row field-only no-action link notes dry-run " },
  { "dismiss", hm_cli_conflicts_dismiss, " reason dry-run " },
  { "reopen", hm_cli_conflicts_reopen, " reason keep-rows dry-run " },
};

static int run_conflicts(hm_cli *cli) {
  int i = hm_cli_find_action(cli, cli->args.words[0], actions, HM_COUNT(actions), sizeof *actions);
  if (i < 0)
    return -1;
  if (hm_cli_check_word_options(cli, "conflicts", actions[i].name, actions[i].takes))
    return -1;
  return actions[i].run(cli);
}

const hm_command hm_cmd_conflicts = {
  .name = "conflicts",
  .words = "list|show|resolve|dismiss|reopen [ID]",
  .brief = "list recorded conflicts, show or settle one",
  .about =
      "'list' shows a line for each recorded conflict, 'show' all sides of one; the beginning of "
      "an ID\n"
      "is enough. 'resolve' keeps the winner and supersedes what contradicts it; a row that also "
      "says\n"
      "other things needs --whole-row or --field-only. 'dismiss' says that it is no "
      "contradiction.\n"
      "'reopen' takes a verdict back, and what it superseded. Only people decide.\n",
  .options = conflicts_options,
  .exits = "0  done\n1  with --exit-code: there are such conflicts\n"
           "2  trouble, with a message; nothing is half-written\n",
  .examples =
      "hmirror conflicts list --project p05\nhmirror conflicts show c1f0\n"
      "hmirror conflicts resolve c1f0 --winner entity:e1 --notes \"Design review 3\" --dry-run\n"
      "hmirror conflicts resolve c1f0 --no-action --notes \"Both hold, for now\" --by kim\n"
      "hmirror conflicts dismiss c1f0 --reason \"Two different legs\"\n"
      "hmirror conflicts list --touching frame --status all\n"
      "hmirror conflicts list --superseded --type Decision --format json\n",
  .least_words = 1,
  .most_words = 2,
  .run = run_conflicts
};

static int explain_json(hm_cli *cli, const hm_sweep *w, const hm_explanation *x) {
  hm_buf conflict = { 0 };
  hm_jw *j = hm_cli_json_begin(cli);
  hm_jw_str(j, "id", x->rec->id);
  hm_jw_bool(j, "disputed", x->dispute != NULL);
  hm_jw_arr(j, "lines");
  for (size_t i = 0; i < x->n; i++)
    hm_jw_str(j, NULL, x->lines[i]);
  if (x->found.n)
    hm_jw_str(j, NULL, x->found);
  hm_jw_end(j);
  hm_conflict_json(&conflict, w, x->rec, NULL, true, cli->a);
  hm_jw_raw(j, "conflict", hm_buf_view(&conflict));
  hm_buf_free(&conflict);
  return hm_cli_json_end(cli);
}

static int explain_conflict(hm_cli *cli, const hm_sweep *w) {
  hm_explanation x;
  const hm_conflict_rec *rec = hm_cli_find_conflict(cli, w, cli->args.words[0]);
  if (!rec)
    return -1;
  hm_explain_conflict(w, rec, &cli->mirror.config.rules, cli->a, &x);
  if (cli->json)
    return explain_json(cli, w, &x);
  if (x.question.n)
    printf("%s\n\n", hm_terminal_line(cli->a, x.question, 0));
  for (size_t i = 0; i < x.n_arc; i++)
    printf("  %s\n", hm_terminal_line(cli->a, x.arc[i], 0));
  if (x.n_arc)
    puts("");
  for (size_t i = 0; i < x.n; i++)
    puts(hm_terminal_line(cli->a, x.lines[i], 0));
  if (x.found.n)
    puts(hm_terminal_line(cli->a, x.found, 0));
  return HM_EXIT_FINE;
}

static int finding_lines(hm_cli *cli, const hm_sweep *w) {
  const hm_finding *f;
  hm_explanation x;
  if (hm_finding_named(w->findings, w->n_findings, hm_str_c(cli->args.words[0]), cli->a, &f,
                       &cli->err))
    return -1;
  hm_explain_finding(w, f, &cli->mirror.config.rules, cli->a, &x);
  for (size_t i = 0; i < x.n && !cli->json; i++)
    puts(hm_terminal_line(cli->a, x.lines[i], 0));
  if (!cli->json)
    return HM_EXIT_FINE;
  hm_jw *j = hm_cli_json_begin(cli);
  hm_jw_str(j, "id", f->id);
  hm_jw_strs(j, "lines", x.lines, x.n);
  hm_jw_arr(j, "findings");
  hm_finding_json(j, f);
  hm_jw_end(j);
  return hm_cli_json_end(cli);
}

/* Derives it again from the store. Ids of findings begin with f, those of conflicts with c. */
static int run_explain(hm_cli *cli) {
  hm_sweep w;
  bool finding = cli->args.words[0][0] == 'f';
  if (hm_mirror_sweep(&cli->mirror, &(hm_sweep_options){ .details = true }, &w, &cli->err))
    return -1;
  hm_progress_end_phase(cli);
  int rc = finding ? finding_lines(cli, &w) : explain_conflict(cli, &w);
  hm_sweep_free(&w);
  return rc;
}

const hm_command hm_cmd_explain = {
  .name = "explain",
  .words = "ID",
  .brief = "say why a conflict or a finding is one",
  .about = "Derives a conflict again from the store and says why it is one: the rule and its\n"
           "version, the rows and fields, each value as written and in normal form, the\n"
           "windows, and the arithmetic between values that disagree. Of a finding: rule, what\n"
           "was expected, rows with their times and sources, and how to silence it.\n",
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror explain c1f0\nhmirror explain f1f0\n",
  .least_words = 1,
  .most_words = 1,
  .run = run_explain
};
