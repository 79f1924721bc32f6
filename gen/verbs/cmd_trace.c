/* impact, evidence, query: the rows that a row affects, the rows that it depends on, and three
 * questions of engineers about a project. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/detect/rule_list.h"
#include "core/claim/trace.h"
#include "core/store/lookup.h"
#include "gen/verbs/commands.h"
#include "gen/cli/conflict_text.h"

enum { NAME_SHOWN = 80, REF_SHOWN = 200 };

/* --- impact and evidence ------------------------------------------------------------------ */

static const hm_option trace_options[] = {
  { "depth", 0, "N", "so many relations deep, 1 to 10; 3" },
  { 0 },
};

/* "entity:leg (Component Frame leg)". */
static const char *row_text(hm_cli *cli, const hm_snapshot *s, uint32_t row) {
  const hm_row *r = &s->rows[row];
  const char *ref = hm_terminal_line(cli->a, hm_row_ref(cli->a, r), REF_SHOWN);
  hm_buf b = { 0 };
  hm_buf_fmt(&b, "%s (%s%s%s", ref, hm_terminal_line(cli->a, r->type, NAME_SHOWN),
             r->name.n ? " " : "", hm_terminal_line(cli->a, r->name, NAME_SHOWN));
  hm_buf_fmt(&b, "%s%s)", r->status == HM_ACTIVE ? "" : ", ",
             r->status == HM_ACTIVE ? "" : hm_status_name(r->status));
  return hm_str_z(cli->a, hm_buf_take(&b, cli->a));
}

/* What is printed of a trace. */
typedef struct {
  const hm_snapshot *snap;
  const hm_standings *standings;
} shown;

static void print_row_standing(hm_cli *cli, const shown *x, uint32_t row, int indent) {
  hm_str ref = hm_row_ref(cli->a, &x->snap->rows[row]);
  hm_print_standing(cli, hm_standing_of(x->standings, ref), indent);
}

static void print_step(hm_cli *cli, const shown *x, const hm_trace_step *t) {
  const hm_snapshot *s = x->snap;
  const char *row = hm_terminal_line(cli->a, hm_row_ref(cli->a, &s->rows[t->row]), REF_SHOWN);
  const char *from = hm_terminal_line(cli->a, hm_row_ref(cli->a, &s->rows[t->from]), REF_SHOWN);
  printf("%*s%s  %s%s %s %s%s\n", 2 * t->depth, "", row_text(cli, s, t->row), cli->dim,
         t->reverse ? row : from, hm_terminal_line(cli->a, t->word, NAME_SHOWN),
         t->reverse ? from : row, cli->plain);
  print_row_standing(cli, x, t->row, 2 * t->depth + 2);
}

static void print_cut(const hm_trace *t) {
  if (t->cut)
    printf("and more: the first %d are shown\n", HM_TRACE_MOST);
}

static void print_impact(hm_cli *cli, const shown *x, const hm_trace *t, int depth) {
  const hm_snapshot *s = x->snap;
  printf("A change of %s%s%s touches %s within %s:\n", cli->bold, row_text(cli, s, t->row),
         cli->plain, hm_format_count(cli->a, t->n, "row"),
         hm_format_count(cli->a, (uint64_t)depth, "relation"));
  print_row_standing(cli, x, t->row, 2);
  for (size_t i = 0; i < t->n; i++)
    print_step(cli, x, &t->steps[i]);
  print_cut(t);
}

static void print_sources(hm_cli *cli, const hm_snapshot *s, uint32_t row, int indent) {
  hm_str *sources;
  size_t n = hm_trace_sources(s, row, cli->a, &sources);
  for (size_t i = 0; i < n; i++)
    printf("%*ssource: %s\n", indent, "", hm_terminal_line(cli->a, sources[i], REF_SHOWN));
  if (!n)
    printf("%*s%s\n", indent, "",
           s->details[row].hand_authored ? "written by hand, no source" : "no source");
}

static void print_verdicts(hm_cli *cli, const hm_snapshot *s, uint32_t row) {
  const hm_row *r = &s->rows[row];
  for (size_t i = 0; i < s->n_conflicts; i++) {
    const hm_conflict_rec *c = &s->conflicts[i];
    bool in = false;
    for (size_t k = 0; k < c->n_members; k++)
      in = in || (c->members[k].layer == r->layer && hm_str_eq(c->members[k].id, r->id));
    if (!in)
      continue;
    printf("  conflict %s: %s", hm_terminal_line(cli->a, c->id, REF_SHOWN),
           hm_verdict_name(c->status));
    if (c->winner.n)
      printf(", %s stands", hm_terminal_line(cli->a, c->winner, REF_SHOWN));
    if (c->resolution.n)
      printf(": %s", hm_terminal_line(cli->a, c->resolution, REF_SHOWN));
    putchar('\n');
  }
}

static void print_evidence(hm_cli *cli, const shown *x, const hm_trace *t, int depth) {
  const hm_snapshot *s = x->snap;
  static const char *const heads[] = { "", "supports it", "speaks against it", "is its basis",
                                       "came before it" };
  (void)depth;
  printf("%s%s%s\n", cli->bold, row_text(cli, s, t->row), cli->plain);
  print_sources(cli, s, t->row, 2);
  print_verdicts(cli, s, t->row);
  print_row_standing(cli, x, t->row, 2);
  for (size_t i = 0; i < t->n; i++) {
    const hm_trace_step *step = &t->steps[i];
    print_step(cli, x, step);
    if (step->depth == 1)
      printf("    %s\n", heads[step->meaning]);
    print_sources(cli, s, step->row, 2 * step->depth + 2);
  }
  print_cut(t);
}

typedef void trace_fn(const hm_snapshot *, uint32_t, int, hm_arena *, hm_trace *);
typedef void print_fn(hm_cli *, const shown *, const hm_trace *, int);
typedef void json_fn(const hm_snapshot *, const hm_trace *, int, hm_row_tell *, const void *,
                     hm_jw *, hm_arena *);

static int read_trace(hm_cli *cli, trace_fn *trace, int depth, hm_cli_answers *now, hm_trace *t,
                      shown *out) {
  hm_snapshot *snap;
  hm_standings *standings;
  uint32_t row;
  size_t n;
  if (hm_cli_read_snapshot(cli, now, &snap) ||
      hm_trace_find_row(snap, hm_str_c(cli->args.words[0]), cli->a, &row, &cli->err))
    return -1;
  trace(snap, row, depth, cli->a, t);
  const hm_str *refs = hm_trace_refs(snap, t, cli->a, &n);
  if (hm_standings_read(&now->from, refs, n, cli->a, &standings, &cli->err))
    return -1;
  *out = (shown){ snap, standings };
  return 0;
}

static int run_trace(hm_cli *cli, trace_fn *trace, print_fn *print, json_fn *json) {
  hm_cli_answers now;
  hm_trace t;
  shown x;
  long most = HM_TRACE_DEPTH;
  if (hm_cli_read_count(cli, "depth", HM_TRACE_DEPTH_MAX, &most) || hm_cli_open_answers(cli, &now))
    return -1;
  const int depth = (int)most;
  int rc = read_trace(cli, trace, depth, &now, &t, &x);
  if (!rc && cli->json) {
    json(x.snap, &t, depth, hm_standing_tell, x.standings, hm_cli_json_begin(cli), cli->a);
    rc = hm_cli_json_end(cli);
  } else if (!rc) {
    print(cli, &x, &t, depth);
    rc = HM_EXIT_FINE;
  }
  hm_cli_close_answers(&now);
  return rc;
}

static int run_impact(hm_cli *cli) {
  return run_trace(cli, hm_trace_impact, print_impact, hm_impact_json);
}

static int run_evidence(hm_cli *cli) {
  return run_trace(cli, hm_trace_evidence, print_evidence, hm_evidence_json);
}

const hm_command hm_cmd_impact = {
  .name = "impact",
  .words = "ROW",
  .brief = "say what a change of a row touches",
  .about = "Walks relations, links and properties from a row to all that a change of it touches,\n"
           "through active rows: a component its requirements, a material what is made of it.\n"
           "ROW is kind:id, an id, or the name of an entity.\n",
  .options = trace_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror impact entity:frame\nhmirror impact PEEK --depth 5 --format json\n",
  .least_words = 1,
  .most_words = 1,
  .run = run_impact
};

const hm_command hm_cmd_evidence = {
  .name = "evidence",
  .words = "ROW",
  .brief = "show what a row rests on",
  .about = "Shows the sources of a row, what supports it and what speaks against it, what it is\n"
           "based on, what it replaced, and so on for each of these; and verdicts on it.\n"
           "ROW is kind:id, an id, or the name of an entity.\n",
  .options = trace_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror evidence entity:d1\nhmirror evidence claim-7 --depth 5\n",
  .least_words = 1,
  .most_words = 1,
  .run = run_evidence
};

/* --- questions ------------------------------------------------------------------------------ */

static const hm_option query_options[] = {
  { "project", 0, "P", "of this project only, by id, alias or name" },
  { "exit-code", 0, NULL, "end with 1 when the list is not empty" },
  { 0 },
};

/* Keeps the findings of the project of --project. */
static int keep_of_project(hm_cli *cli, hm_sweep *w) {
  uint32_t i;
  size_t n = 0;
  if (hm_cli_read_project(cli, w->snap, &i))
    return -1;
  if (i == HM_MAP_NONE)
    return 0;
  for (size_t k = 0; k < w->sql.n; k++)
    if (hm_str_eq(w->sql.findings[k].project, w->snap->projects[i].id))
      w->sql.findings[n++] = w->sql.findings[k];
  w->sql.n = n;
  return 0;
}

static int print_query(hm_cli *cli, const hm_sql_question *q, const hm_sweep *w) {
  size_t n = w->sql.n;
  if (cli->json) {
    hm_jw *j = hm_cli_json_begin(cli);
    hm_jw_str(j, "query", hm_str_c(q->name));
    hm_jw_str(j, "question", hm_str_c(q->question));
    hm_findings_json(j, w->sql.findings, n);
    hm_jw_int(j, "count", (int64_t)n);
    if (hm_cli_json_end(cli))
      return -1;
  } else {
    for (size_t i = 0; i < n; i++)
      printf("%s  %s\n",
             w->sql.findings[i].n_rows
                 ? hm_terminal_line(cli->a, w->sql.findings[i].rows[0], REF_SHOWN)
                 : "",
             hm_terminal_line(cli->a, w->sql.findings[i].message, 300));
    if (!n && !cli->quiet)
      puts(q->none);
  }
  return n && hm_cli_get_option(cli, "exit-code") ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

static int run_query(hm_cli *cli) {
  int i = hm_cli_find_action(cli, cli->args.words[0], hm_sql_questions, hm_n_sql_questions,
                             sizeof *hm_sql_questions);
  if (i < 0)
    return -1;
  const hm_sql_question *q = &hm_sql_questions[i];
  hm_sweep w;
  cli->mirror.config.rules.sql =
      hm_sql_question_rules(q, cli->mirror.config.rules.sql, cli->a, &cli->err);
  if (!cli->mirror.config.rules.sql)
    return -1;
  if (hm_mirror_sweep(&cli->mirror, &(hm_sweep_options){ .details = true }, &w, &cli->err))
    return -1;
  hm_progress_end_phase(cli);
  int rc = w.sql.runs[0].failed  ? HM_EXIT_TROUBLE
      : keep_of_project(cli, &w) ? -1
                                 : print_query(cli, q, &w);
  hm_sweep_free(&w);
  return rc;
}

const hm_command hm_cmd_query = {
  .name = "query",
  .words = "requirements|decisions|claims",
  .brief = "ask which requirements, decisions or claims are in question",
  .about =
      "'requirements' lists requirements that no component satisfies, 'decisions' those that rest\n"
      "on an assumption that is superseded, invalid, disputed or flagged, 'claims' validation\n"
      "claims without support; requirements and claims of projects that say of one what satisfies\n"
      "or supports it. Each is a rule in SQL; see 'hmirror rules explain'.\n",
  .options = query_options,
  .exits = "0  done\n1  with --exit-code: there are such rows\n2  trouble, with a message\n",
  .examples = "hmirror query requirements --project p05\nhmirror query decisions --exit-code\n",
  .least_words = 1,
  .most_words = 1,
  .run = run_query
};
