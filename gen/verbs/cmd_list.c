/* list: rows of the store by kind, status and project; of candidates what each would contradict.
 * show: one row, and how it stands. */
#include <stdio.h>
#include <string.h>
#include "core/claim/trace.h"
#include "core/record/journal.h"
#include "core/review/candidates.h"
#include "gen/verbs/commands.h"
#include "gen/cli/conflict_text.h"

enum { LISTED = 100, LISTED_MOST = 100000, LINE_SHOWN = 240, OTHERS_SHOWN = 10 };

static const hm_option list_options[] = {
  { "status", 0, "candidate|active|superseded|invalid|graduated|all",
    "rows with this status; active" },
  { "project", 'p', "P", "of this project only, by id, alias or name" },
  { "limit", 0, "N", "at most so many rows; 100" },
  { 0 }
};

static int read_query(hm_cli *cli, hm_row_query *q) {
  const char *kind = cli->args.n_words ? cli->args.words[0] : NULL,
             *status = hm_cli_get_option(cli, "status");
  long limit = LISTED;
  *q = (hm_row_query){ .status = HM_ACTIVE, .after = HM_MAP_NONE };
  if (kind && strcmp(kind, "state") == 0)
    q->layer = HM_STATE;
  else if (kind && !hm_layer_parse(hm_str_c(kind), &q->layer))
    return hm_failf(&cli->err, HM_E_USAGE, "list",
                    "say memory, entity, state, relation or project, or nothing for all rows",
                    "'%.60s' is none of the kinds", kind);
  q->any_status = status && strcmp(status, "all") == 0;
  if (status && !q->any_status) {
    q->status = hm_status_parse(hm_str_c(status));
    if (q->status == HM_STATUS_OTHER)
      return hm_fail_usage(cli, "--status", "not a status",
                           "give candidate, active, superseded, invalid, graduated or all");
  }
  if (hm_cli_read_count(cli, "limit", LISTED_MOST, &limit))
    return -1;
  q->limit = (size_t)limit;
  return 0;
}

static void print_candidate(hm_cli *cli, const hm_snapshot *snap, const hm_candidate *c) {
  for (size_t i = 0; i < c->n && i < OTHERS_SHOWN; i++)
    printf("  would contradict %s: %s: %s\n",
           hm_terminal_line(cli->a, hm_row_ref(cli->a, &snap->rows[c->v[i].row]), 120),
           hm_terminal_line(cli->a, c->v[i].slot, 120),
           hm_terminal_line(cli->a, c->v[i].value, 120));
  if (c->n > OTHERS_SHOWN)
    printf("  would contradict %zu more\n", c->n - OTHERS_SHOWN);
  if (c->reading.unread.n)
    printf("  nothing of it can be compared: %s\n",
           hm_terminal_line(cli->a, c->reading.unread, 200));
}

static int print_list(hm_cli *cli, const hm_snapshot *snap, const hm_row_listing *l,
                      const hm_standings *standings) {
  for (size_t i = 0; i < l->n; i++) {
    uint32_t at = l->v[i].row;
    const hm_row *row = &snap->rows[at];
    const hm_json *props = hm_json_parse_as(cli->a, row->props, HM_JSON_OBJECT);
    printf("%s  %s  %s  %s\n", hm_terminal_line(cli->a, hm_row_ref(cli->a, row), 120),
           hm_status_name(row->status),
           hm_terminal_line(cli->a, snap->projects[row->project].id, 80),
           hm_terminal_line(cli->a, hm_row_line(snap, NULL, at, props, cli->a), LINE_SHOWN));
    hm_print_standing(cli, hm_standing_of(standings, hm_row_ref(cli->a, row)), 2);
    if (row->status == HM_CANDIDATE)
      print_candidate(cli, snap, &l->v[i]);
  }
  if (l->more)
    printf("%s more: see --limit\n", hm_format_thousands(cli->a, l->more));
  if (!l->n && !cli->quiet)
    puts("No rows.");
  return HM_EXIT_FINE;
}

static int print_list_json(hm_cli *cli, hm_store *store, const hm_snapshot *snap,
                           const hm_row_listing *l, const hm_standings *standings) {
  hm_jw *j = hm_cli_json_begin(cli);
  int rc = hm_row_listing_json(j, store, snap, l, hm_standing_tell, standings, cli->a, &cli->err);
  return rc ? -1 : hm_cli_json_end(cli);
}

/* With how each row stands. */
static int tell_list(hm_cli *cli, const hm_answer_source *from, const hm_snapshot *snap,
                     const hm_row_listing *l) {
  hm_standings *standings;
  hm_str *refs = hm_row_listing_refs(snap, l, cli->a);
  if (hm_standings_read(from, refs, l->n, cli->a, &standings, &cli->err))
    return -1;
  return cli->json ? print_list_json(cli, from->s, snap, l, standings)
                   : print_list(cli, snap, l, standings);
}

static int tell_projects(hm_cli *cli, const hm_snapshot *snap) {
  const size_t *counts = hm_projects_count_rows(snap, cli->a);
  if (cli->json) {
    hm_projects_json(hm_cli_json_begin(cli), snap, cli->a);
    return hm_cli_json_end(cli);
  }
  for (size_t i = 0; i < snap->n_projects; i++) {
    const hm_project *p = &snap->projects[i];
    if (p->id.n || counts[i])
      printf("%s  %s%s%s\n", p->id.n ? hm_terminal_line(cli->a, p->id, 120) : "(global)",
             hm_format_thousands(cli->a, counts[i]), p->name.n ? "  " : "",
             hm_terminal_line(cli->a, p->name, 120));
  }
  return HM_EXIT_FINE;
}

/* What a candidate would contradict is found among the claims of a sweep. */
static int run_list(hm_cli *cli) {
  const hm_rules *rules = &cli->mirror.config.rules;
  hm_cli_answers now;
  hm_snapshot *snap;
  hm_row_query q;
  hm_row_listing l;
  bool projects = cli->args.n_words && !strcmp(cli->args.words[0], "project");
  if (!projects && read_query(cli, &q))
    return -1;
  bool claims = !projects && (q.any_status || q.status == HM_CANDIDATE);
  if (claims ? hm_cli_open_sweep(cli, &now) : hm_cli_open_answers(cli, &now))
    return -1;
  int rc = hm_cli_read_snapshot(cli, &now, &snap);
  if (!rc && projects)
    rc = tell_projects(cli, snap);
  else if (!rc)
    rc = hm_cli_read_project(cli, snap, &q.project) ||
            hm_rows_list(snap, claims ? now.sweep.claims : NULL, rules, &q, cli->mirror.threads,
                         cli->a, &l, &cli->err) ||
            tell_list(cli, &now.from, snap, &l)
        ? -1
        : 0;
  hm_cli_close_answers(&now);
  return rc;
}

const hm_command hm_cmd_list = {
  .name = "list",
  .words = "[memory|entity|state|relation|project]",
  .brief = "list rows; of candidates what each would contradict",
  .about = "Lists the active rows, or those of another status, by kind and id; below each stand\n"
           "what it was, its disputes and its findings. A candidate waits for a person and claims\n"
           "nothing: below it stands what it would contradict if it were promoted, or why nothing\n"
           "of it can be compared. Of projects: how many active rows each has, and its name.\n",
  .options = list_options,
  .exits = "0  done\n2  trouble, with a message\n",
  .examples = "hmirror list --status candidate\nhmirror list memory --status candidate -p p05\n"
              "hmirror list state --limit 20 --format json\n",
  .most_words = 1,
  .run = run_list
};

/* --- one row ---------------------------------------------------------------------------------- */

static void print_row(hm_cli *cli, const hm_snapshot *snap, uint32_t at, const hm_standing *of) {
  const hm_row *row = &snap->rows[at];
  const hm_json *props = hm_json_parse_as(cli->a, row->props, HM_JSON_OBJECT);
  printf("%s  %s  %s\n", hm_terminal_line(cli->a, of->ref, 120), hm_status_name(row->status),
         hm_terminal_line(cli->a, snap->projects[row->project].id, 80));
  printf("  %s\n", hm_terminal_line(cli->a, hm_row_line(snap, NULL, at, props, cli->a), 0));
  if (of->given.at.n || of->given.by.n)
    printf("  since %s, by %s\n",
           of->given.at.n ? hm_terminal_line(cli->a, of->given.at, 40) : "a time nobody gave",
           of->given.by.n ? hm_terminal_line(cli->a, of->given.by, 120) : "nobody that is known");
  hm_print_standing(cli, of, 2);
}

static int print_row_json(hm_cli *cli, hm_store *store, const hm_standing *of) {
  hm_str record;
  if (hm_journal_record_json(store, of->ref, cli->a, &record, &cli->err))
    return -1;
  hm_jw *j = hm_cli_json_begin(cli);
  hm_jw_str(j, "ref", of->ref);
  hm_jw_members(j, record);
  hm_standing_json(j, of);
  return hm_cli_json_end(cli);
}

static int run_show(hm_cli *cli) {
  hm_cli_answers now;
  hm_snapshot *snap;
  hm_standings *standings;
  uint32_t row;
  if (hm_cli_open_answers(cli, &now))
    return -1;
  int rc = hm_cli_read_snapshot(cli, &now, &snap) ||
          hm_trace_find_row(snap, hm_str_c(cli->args.words[0]), cli->a, &row, &cli->err)
      ? -1
      : 0;
  if (!rc) {
    const hm_str ref = hm_row_ref(cli->a, &snap->rows[row]);
    rc = hm_standings_read(&now.from, &ref, 1, cli->a, &standings, &cli->err);
    if (!rc && cli->json)
      rc = print_row_json(cli, now.store, hm_standing_of(standings, ref));
    else if (!rc)
      print_row(cli, snap, row, hm_standing_of(standings, ref));
  }
  hm_cli_close_answers(&now);
  if (rc && cli->err.code == HM_E_UNKNOWN && !hm_str_find(hm_str_c(cli->err.why), "there is no"))
    snprintf(cli->err.fix, sizeof cli->err.fix,
             "give kind:id, an id, or the name of an entity; 'hmirror conflicts show ID' shows a "
             "conflict");
  return rc;
}

const hm_command hm_cmd_show = {
  .name = "show",
  .words = "ROW",
  .brief = "show a row: what it says, since when, by whom, what says otherwise",
  .about = "Shows one row of any layer and status: whose its value is, since when, what it was\n"
           "before, the disputes that it is in with what the other sides say, and its findings.\n"
           "ROW is kind:id, an id, or the name of an entity.\n",
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror show memory:m1\nhmirror show p05-s1 --format json\n",
  .least_words = 1,
  .most_words = 1,
  .run = run_show
};
