/* findings (list, ack, unack, confirm), flag, unflag. */
#include <stdio.h>
#include <string.h>
#include "core/review/candidates.h"
#include "core/review/finding_review.h"
#include "core/review/pairs.h"
#include "core/review/report.h"
#include "gen/verbs/commands.h"
#include "gen/cli/conflict_text.h"

enum { REF_SHOWN = 200, MESSAGE_SHOWN = 300 };

static const hm_option findings_options[] = {
  { "kind", 0, "K", "list: of this kind: anachronism, ontology_violation, orphan, ..." },
  { "severity", 0, "S", "list: error, warn or info" },
  { "rule", 0, "R", "list: of this rule" },
  { "project", 0, "P", "list: of this project only, by id, alias or name" },
  { "all", 'a', NULL, "list: acknowledged ones too" },
  { "exit-code", 0, NULL, "list: end with 1 when the list is not empty" },
  { "reason", 0, "TEXT", "ack: why it may stay (required); unack, confirm: why" },
  { "dry-run", 'n', NULL, "ack, unack, confirm, withdraw: write nothing" },
  { 0 }
};

/* --- list ------------------------------------------------------------------------------ */

static int list_found(hm_cli *cli, hm_finding_filter *f, const hm_answer_source *from, size_t *n) {
  const hm_finding *found;
  size_t acked = 0, n_found;
  if (hm_answers_findings(from, cli->a, &found, &n_found, &cli->err) ||
      hm_finding_filter_resolve(f, from->s, from->rules, cli->a, &cli->err))
    return -1;
  hm_finding *some = hm_alloc_array(cli->a, n_found, sizeof *some);
  *n = 0;
  for (size_t i = 0; i < n_found; i++) {
    hm_finding_filter also = *f;
    also.all = true;
    if (!hm_finding_passes(&also, &found[i]))
      continue;
    acked += found[i].acked;
    if (f->all || !found[i].acked)
      some[(*n)++] = found[i];
  }
  if (cli->json) {
    hm_jw *j = hm_cli_json_begin(cli);
    hm_findings_json(j, some, *n);
    hm_jw_int(j, "count", *n);
    hm_jw_int(j, "acknowledged", acked);
    return hm_cli_json_end(cli);
  }
  hm_print_findings(cli, some, *n, SIZE_MAX);
  if (!*n && !cli->quiet)
    puts("No findings.");
  if (acked && !f->all)
    hm_note(cli, "%s left out: see --all",
            hm_format_count_plural(cli->a, acked, "acknowledged finding is",
                                   "acknowledged findings are"));
  return 0;
}

static int run_list(hm_cli *cli) {
  hm_cli_answers x;
  size_t n;
  hm_finding_filter f = { .kind = hm_str_c(hm_cli_get_option(cli, "kind")),
                          .severity = hm_str_c(hm_cli_get_option(cli, "severity")),
                          .rule = hm_str_c(hm_cli_get_option(cli, "rule")),
                          .project = hm_str_c(hm_cli_get_option(cli, "project")),
                          .all = hm_cli_get_option(cli, "all") };
  if (cli->args.n_words > 1)
    return hm_fail_usage(cli, "findings list", "takes no more words",
                         "to see one: hmirror explain ID");
  if (hm_cli_open_answers(cli, &x))
    return -1;
  int rc = list_found(cli, &f, &x.from, &n);
  hm_cli_close_answers(&x);
  if (rc)
    return -1;
  return n && hm_cli_get_option(cli, "exit-code") ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

/* --- what people say -------------------------------------------------------------------- */

typedef int review_fn(hm_store *s, const hm_review *r, hm_str about, hm_str reason, hm_arena *a,
                      hm_remark_report *out, hm_err *err);

static int print_remark(hm_cli *cli, const hm_remark_report *r, const char *done) {
  hm_str about = r->finding.n ? r->finding : r->ref;
  if (cli->json) {
    hm_buf b = { 0 };
    hm_remark_json(&b, r);
    return hm_cli_print_json(cli, &b);
  }
  hm_cli_tell_warnings(cli, r->warnings, r->n_warnings, r->n_warnings);
  if (cli->quiet)
    return 0;
  printf("%s%s%s  %s%s%s%s\n", cli->bold, hm_terminal_line(cli->a, about, REF_SHOWN), cli->plain,
         r->dry_run ? "would be " : "", r->changed ? done : "acknowledged already",
         r->message.n ? ": " : "", hm_terminal_line(cli->a, r->message, MESSAGE_SHOWN));
  return 0;
}

static int review_finding(hm_cli *cli, review_fn *fn, const char *about, const char *done) {
  hm_store *store = NULL;
  if ((fn == hm_review_ack || fn == hm_review_flag) &&
      !hm_str_trim(hm_str_c(hm_cli_get_option(cli, "reason"))).n)
    return hm_fail_usage(cli, fn == hm_review_ack ? "findings ack: --reason" : "flag: --reason",
                         "it is missing", "say why: --reason \"...\"");
  hm_remark_report report;
  hm_review r = { 0 };
  if (hm_cli_begin_review(cli, NULL, &r, &store))
    return -1;
  int rc = fn(store, &r, hm_str_c(about), hm_str_c(hm_cli_get_option(cli, "reason")), cli->a,
              &report, &cli->err);
  hm_store_close(store);
  hm_progress_end_phase(cli);
  return rc ? -1 : print_remark(cli, &report, done);
}

/* --- what people make of it -------------------------------------------------------------- */

static int print_confirmed(hm_cli *cli, const hm_confirm_report *r) {
  if (cli->json) {
    hm_buf b = { 0 };
    hm_confirm_json(&b, r);
    return hm_cli_print_json(cli, &b);
  }
  const char *id = hm_terminal_line(cli->a, r->conflict, REF_SHOWN);
  hm_cli_tell_warnings(cli, r->warnings, r->n_warnings, r->n_warnings);
  if (cli->quiet)
    return puts(id) < 0 ? -1 : 0;
  printf("%s%s%s  %s%s: %s\n", cli->bold, hm_terminal_line(cli->a, r->finding, REF_SHOWN),
         cli->plain, r->dry_run ? "would be " : "", "confirmed",
         hm_terminal_line(cli->a, r->message, MESSAGE_SHOWN));
  printf("%s⚠ disputed%s: %s%s\n", cli->yellow, cli->plain, id,
         r->opened ? "" : ", with more members");
  return 0;
}

static int confirm_finding(hm_cli *cli, const char *id) {
  hm_store *store = NULL;
  hm_confirm_report report;
  hm_review r = { 0 };
  if (hm_cli_begin_review(cli, NULL, &r, &store))
    return -1;
  int rc = hm_review_confirm(store, &r, hm_str_c(id), hm_str_c(hm_cli_get_option(cli, "reason")),
                             cli->a, &report, &cli->err);
  hm_store_close(store);
  hm_progress_end_phase(cli);
  return rc ? -1 : print_confirmed(cli, &report);
}

/* --- reports -------------------------------------------------------------------------------- */

/* The agent, person or model is named as --by; the journal names the user. */
static int withdraw_reports(hm_cli *cli, const char *id) {
  hm_store *store = NULL;
  hm_withdrawn said;
  hm_review r = { 0 };
  const char *reporter = cli->mirror.by;
  if (id)
    return hm_fail_usage(cli, "findings withdraw", "takes no more words",
                         "name who reported: --by NAME");
  if (!reporter)
    return hm_fail_usage(cli, "findings withdraw: --by", "it is missing",
                         "name who reported: --by NAME");
  cli->mirror.by = NULL;
  if (hm_cli_begin_review(cli, NULL, &r, &store))
    return -1;
  int rc = hm_review_withdraw(store, &r, hm_str_c(reporter),
                              hm_str_c(hm_cli_get_option(cli, "reason")), cli->a, &said, &cli->err);
  hm_store_close(store);
  hm_progress_end_phase(cli);
  if (rc)
    return -1;
  if (cli->json) {
    hm_buf b = { 0 };
    hm_withdrawn_json(&b, &said);
    return hm_cli_print_json(cli, &b);
  }
  if (!cli->quiet)
    printf("%s%s of %s taken back: %s fewer\n", r.dry_run ? "dry run, would be: " : "",
           hm_format_count(cli->a, said.taken, "report"), hm_terminal_line(cli->a, said.by, 120),
           hm_format_count(cli->a, said.n, "finding"));
  return 0;
}

/* --- the words ------------------------------------------------------------------------------ */

static const struct {
  const char *name;
  review_fn *review;
  const char *done, *takes;
  int (*run)(hm_cli *cli, const char *id);
} actions[] = {
  { "list", NULL, NULL, " kind severity rule project all exit-code ", NULL },
  { "ack", hm_review_ack, "acknowledged", " reason dry-run ", NULL },
  { "unack", hm_review_unack, "no longer acknowledged", " reason dry-run ", NULL },
  { "confirm", NULL, NULL, " reason dry-run ", confirm_finding },
  { "withdraw", NULL, NULL, " reason dry-run ", withdraw_reports },
};

static int run_findings(hm_cli *cli) {
  const char *word = cli->args.n_words ? cli->args.words[0] : "list";
  int i = hm_cli_find_action(cli, word, actions, HM_COUNT(actions), sizeof *actions);
  if (i < 0)
    return -1;
  if (hm_cli_check_word_options(cli, "findings", actions[i].name, actions[i].takes))
    return -1;
  if (!actions[i].review && !actions[i].run)
    return run_list(cli);
  if (cli->args.n_words < 2 && actions[i].run != withdraw_reports)
    return hm_fail_usage(cli, hm_str_fmt(cli->a, "findings %s", word).p, "the ID is missing",
                         "see 'hmirror findings'");
  if (actions[i].run)
    return actions[i].run(cli, cli->args.n_words > 1 ? cli->args.words[1] : NULL);
  return review_finding(cli, actions[i].review, cli->args.words[1], actions[i].done);
}

const hm_command hm_cmd_findings = {
  .name = "findings",
  .words = "[list|ack|unack|confirm|withdraw] [ID]",
  .brief = "list findings, acknowledge or confirm one",
  .about =
      "Lists what a reader must know beside conflicts. 'ack' leaves a finding out of lists and\n"
      "pages until it, or what its rows say, changes; 'unack' takes that back. 'confirm' makes a\n"
      "conflict of what was reported, or of memories that seem to say the same or to deny each\n"
      "other. 'withdraw --by NAME' dismisses all open reports of one agent, person or model.\n",
  .options = findings_options,
  .exits = "0  done\n1  with --exit-code: there are such findings\n"
           "2  trouble, with a message; nothing is half-written\n",
  .examples = "hmirror findings --severity error\nhmirror findings --rule orphan/to --project p05\n"
              "hmirror findings ack f1f0 --reason \"Imported without its parents\" --by kim\n"
              "hmirror findings confirm f8ac --by kim\n"
              "hmirror findings withdraw --by night-agent\n",
  .most_words = 2,
  .run = run_findings
};

static const hm_option flag_options[] = { { "reason", 0, "TEXT", "why" },
                                          { "dry-run", 'n', NULL, "write nothing" },
                                          { 0 } };

static int run_flag(hm_cli *cli) {
  return review_finding(cli, hm_review_flag, cli->args.words[0], "flagged for review");
}

static int run_unflag(hm_cli *cli) {
  return review_finding(cli, hm_review_unflag, cli->args.words[0], "no longer flagged");
}

const hm_command hm_cmd_flag = {
  .name = "flag",
  .words = "ROW",
  .brief = "mark a row as suspicious, for somebody to look at",
  .about =
      "ROW (kind:id, or an id that only one row has) becomes a finding of rule review/flagged,\n"
      "with your name and --reason, until 'hmirror unflag' takes it back. The row itself stays\n"
      "as it is.\n",
  .options = flag_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror flag memory:m17 --reason \"Copied from the wrong drawing\" --by agent-3\n",
  .least_words = 1,
  .most_words = 1,
  .run = run_flag
};

const hm_command hm_cmd_unflag = {
  .name = "unflag",
  .words = "ROW",
  .brief = "take the flags of a row back",
  .about =
      "All flags of ROW are taken back, whoever set them. The journal and the verdict file keep\n"
      "what was said.\n",
  .options = flag_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror unflag memory:m17 --reason \"Checked: the drawing is right\" --by kim\n",
  .least_words = 1,
  .most_words = 1,
  .run = run_unflag
};

/* --- report ---------------------------------------------------------------------------------- */

static int print_reported(hm_cli *cli, const hm_reported *r) {
  if (cli->json) {
    hm_buf b = { 0 };
    hm_reported_json(&b, r);
    return hm_cli_print_json(cli, &b);
  }
  hm_cli_tell_warnings(cli, r->warnings, r->n_warnings, r->n_warnings);
  if (r->conflict.n)
    printf("in a conflict already: %s\n", hm_terminal_line(cli->a, r->conflict, REF_SHOWN));
  else if (r->denied.by.n)
    printf("not reported: no contradiction, said %s: %s\n",
           hm_terminal_line(cli->a, r->denied.by, REF_SHOWN),
           hm_terminal_line(cli->a, r->denied.why, MESSAGE_SHOWN));
  else if (r->finding.n)
    printf("%s%s%s  %s%s: %s\n", cli->bold, hm_terminal_line(cli->a, r->finding, REF_SHOWN),
           cli->plain, r->dry_run ? "would be " : "", r->changed ? "reported" : "reported already",
           hm_terminal_line(cli->a, r->message, MESSAGE_SHOWN));
  return 0;
}

static int run_report(hm_cli *cli) {
  hm_store *store = NULL;
  hm_reported said;
  hm_review r = { 0 };
  hm_str *rows = hm_alloc_array(cli->a, (size_t)cli->args.n_words + 1, sizeof *rows);
  for (size_t i = 0; i < cli->args.n_words; i++)
    rows[i] = hm_str_c(cli->args.words[i]);
  const hm_report_order o = { .rows = rows,
                              .n = cli->args.n_words,
                              .question = hm_str_c(hm_cli_get_option(cli, "question")),
                              .why = hm_str_c(hm_cli_get_option(cli, "why")),
                              .a_day = cli->mirror.config.reports_per_day };
  if (hm_cli_begin_review(cli, NULL, &r, &store))
    return -1;
  int rc = hm_review_report(store, &r, &o, cli->a, &said, &cli->err);
  hm_store_close(store);
  hm_progress_end_phase(cli);
  return rc ? -1 : print_reported(cli, &said);
}

static const hm_option report_options[] = {
  { "question", 0, "Q", "what is to be decided, one sentence (required)" },
  { "why", 0, "W", "what cannot both be true (required)" },
  { "dry-run", 'n', NULL, "write nothing" },
  { 0 }
};

const hm_command hm_cmd_report = {
  .name = "report",
  .words = "ROW ROW...",
  .brief = "say that rows contradict each other, for a person to confirm",
  .about =
      "Rules compare values; a reader sees more. What you report becomes a finding of rule\n"
      "review/reported, with your name, on the pages of the rows, until somebody confirms it\n"
      "('hmirror findings confirm', then it is a conflict) or dismisses it ('findings ack'), or a\n"
      "row says something else. One row that looks wrong by itself: 'hmirror flag'.\n",
  .options = report_options,
  .exits = HM_EXITS_USUAL,
  .examples =
      "hmirror report m1 m9 --question \"How long are invoices kept?\" --why \"6 or 10 years\"\n",
  .least_words = 2,
  .most_words = -1,
  .run = run_report
};

/* --- review ---------------------------------------------------------------------------------- */

enum { PAIRS = 20, PAIRS_MOST = 10000000, DAY = 10 };

static void print_pair(hm_cli *cli, const hm_snapshot *snap, const hm_pair_to_judge *p) {
  const uint32_t rows[] = { p->x, p->y };
  printf("%s\n", hm_alike_difference_words(p->differs, cli->a).p);
  for (int i = 0; i < 2; i++) {
    const hm_row *row = &snap->rows[rows[i]];
    const hm_json *props = hm_json_parse_as(cli->a, row->props, HM_JSON_OBJECT);
    hm_str by = hm_alike_said_by(snap, rows[i], cli->a), at = hm_row_text_date(snap, rows[i]);
    const char *said = hm_str_fmt(cli->a, "%.*s%s%.*s", HM_FMT(by), by.n && at.n ? ", " : "",
                                  HM_FMT(hm_str_sub(at, 0, at.n < DAY ? at.n : DAY)))
                           .p;
    printf("  %s  %s%s%s%s\n", hm_terminal_line(cli->a, hm_row_ref(cli->a, row), REF_SHOWN),
           hm_terminal_line(cli->a, hm_row_line(snap, NULL, rows[i], props, cli->a), MESSAGE_SHOWN),
           *said ? "  (" : "", hm_terminal_line(cli->a, hm_str_c(said), REF_SHOWN),
           *said ? ")" : "");
  }
  if (p->denied.by.n)
    printf("  no contradiction, says %s: %s\n", hm_terminal_line(cli->a, p->denied.by, 80),
           hm_terminal_line(cli->a, p->denied.why, MESSAGE_SHOWN));
}

static int list_pairs(hm_cli *cli, const hm_sweep *w, long limit) {
  hm_pair_query q = { .project = HM_MAP_NONE,
                      .source = hm_str_c(hm_cli_get_option(cli, "source")),
                      .asker = HM_EMPTY,
                      .limit = (size_t)limit };
  hm_pairs p;
  if (hm_cli_read_project(cli, w->snap, &q.project))
    return -1;
  if (hm_pairs_to_judge(w, &q, cli->mirror.threads, cli->a, &p, &cli->err))
    return -1;
  if (cli->json) {
    hm_jw *j = hm_cli_json_begin(cli);
    hm_pairs_json(j, w->snap, &p, cli->a);
    return hm_cli_json_end(cli);
  }
  for (size_t i = 0; i < p.n; i++)
    print_pair(cli, w->snap, &p.v[i]);
  if (p.more)
    printf("%s more: see --limit\n", hm_format_thousands(cli->a, p.more));
  if (!p.n && !cli->quiet)
    puts("No pair is left to judge.");
  return HM_EXIT_FINE;
}

static int deny_pair(hm_cli *cli) {
  hm_store *store = NULL;
  hm_reported said;
  hm_review r = { 0 };
  hm_str *rows = hm_alloc_array(cli->a, (size_t)cli->args.n_words + 1, sizeof *rows);
  for (size_t i = 1; i < cli->args.n_words; i++)
    rows[i - 1] = hm_str_c(cli->args.words[i]);
  const hm_report_order o = { .rows = rows,
                              .n = cli->args.n_words - 1,
                              .why = hm_str_c(hm_cli_get_option(cli, "why")) };
  if (hm_cli_begin_review(cli, NULL, &r, &store))
    return -1;
  int rc = hm_review_agree(store, &r, &o, cli->a, &said, &cli->err);
  hm_store_close(store);
  hm_progress_end_phase(cli);
  if (rc)
    return -1;
  if (cli->json)
    return print_reported(cli, &said);
  hm_cli_tell_warnings(cli, said.warnings, said.n_warnings, said.n_warnings);
  if (!cli->quiet)
    puts(r.dry_run ? "would be noted: no contradiction" : "noted: no contradiction");
  return 0;
}

static int run_review(hm_cli *cli) {
  static const struct {
    const char *name, *takes;
  } words[] = { { "list", " project source limit " }, { "deny", " why dry-run " } };
  const char *word = cli->args.n_words ? cli->args.words[0] : "list";
  int i = hm_cli_find_action(cli, word, words, HM_COUNT(words), sizeof *words);
  hm_sweep w;
  long limit = PAIRS;
  if (i < 0 || hm_cli_check_word_options(cli, "review", words[i].name, words[i].takes))
    return -1;
  if (i == 1)
    return deny_pair(cli);
  if (cli->args.n_words > 1)
    return hm_fail_usage(cli, "review list", "takes no more words",
                         "what is about the same as one row: hmirror alike ROW");
  if (hm_cli_read_count(cli, "limit", PAIRS_MOST, &limit))
    return -1;
  if (hm_mirror_sweep(&cli->mirror, &(hm_sweep_options){ .details = true }, &w, &cli->err))
    return -1;
  hm_progress_end_phase(cli);
  int rc = list_pairs(cli, &w, limit);
  hm_sweep_free(&w);
  return rc;
}

static const hm_option review_options[] = {
  { "project", 'p', "P", "list: of this project only, by id, alias or name" },
  { "source", 0, "S", "list: with a row of this agent or source, exactly as the row has it" },
  { "limit", 0, "N", "list: at most so many pairs; 20" },
  { "why", 0, "W", "deny: why both can be true (required)" },
  { "dry-run", 'n', NULL, "deny: write nothing" },
  { 0 }
};

const hm_command hm_cmd_review = {
  .name = "review",
  .words = "[list|deny] [ROW ROW]",
  .brief = "list pairs that nobody has judged, likeliest to contradict first",
  .about =
      "Lists pairs of rows about the same thing that no rule compared, those first that are most\n"
      "alike and differ in a value, negation or name. 'hmirror report' says that two contradict\n"
      "each other; 'deny' that they do not: nobody is asked about them again while both texts are\n"
      "as they are. What an agent denied comes last, with its word beside it.\n",
  .options = review_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror review -p billing\nhmirror review --source codex --format json\n"
              "hmirror review deny m1 m7 --why \"m7 is about guests\" --by kim\n",
  .most_words = -1,
  .run = run_review
};
