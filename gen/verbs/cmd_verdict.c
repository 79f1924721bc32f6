/* Verdicts: conflicts resolve, dismiss, reopen; supersede, restore. A dry run gives the verdict in
 * a transaction that is rolled back, and says which pages would gain or lose a marker. */
#include <stdio.h>
#include <string.h>
#include "core/base/shell.h"
#include "core/record/record_edit.h"
#include "gen/verbs/commands.h"
#include "gen/mirror/make.h"
#include "gen/mirror/theme.h"
#include "gen/site/verdict_dry_run.h"

enum { LISTED = 40, REF_SHOWN = 200, VALUE_SHOWN = 120 };

/* --- the report ----------------------------------------------------------------------- */

typedef struct {
  hm_cli *cli;
  const hm_verdict_report *r;
} verdict_teller;

static const char *show_ref(const verdict_teller *t, hm_str fact) {
  return hm_terminal_line(t->cli->a, fact, REF_SHOWN);
}

static const char *show_value(const verdict_teller *t, hm_str value) {
  return hm_terminal_line(t->cli->a, value, VALUE_SHOWN);
}

/* The head of a list of n, unless it is empty; returns how many of them follow. */
static size_t print_head(const verdict_teller *t, const char *done, const char *tried, size_t n) {
  hm_cli *cli = t->cli;
  if (n)
    printf("%s%s", cli->bold, t->r->dry_run ? tried : done);
  if (n > LISTED)
    printf(" (%d of %s; --format json lists them all)", LISTED, hm_format_thousands(cli->a, n));
  if (n)
    printf(":%s\n", cli->plain);
  return n < LISTED ? n : LISTED;
}

static void print_conflict(const verdict_teller *t) {
  static const struct {
    const char *verb, *done, *tried;
  } words[] = {
    { "resolve", "resolved", "would be resolved" },
    { "dismiss", "dismissed", "would be dismissed" },
    { "reopen", "open again", "would be open again" },
  };
  const hm_verdict_report *r = t->r;
  const char *done = r->verb;
  if (!r->conflict.n)
    return;
  for (size_t i = 0; i < HM_COUNT(words); i++)
    if (strcmp(r->verb, words[i].verb) == 0)
      done = r->dry_run ? words[i].tried : words[i].done;
  printf("%s%s%s  %s: %s", t->cli->bold, show_ref(t, r->conflict), t->cli->plain, done,
         show_value(t, r->title));
  if (r->winner.n)
    printf(": %s",
           hm_terminal_line(t->cli->a, hm_winners_sentence(t->cli->a, r->winner, REF_SHOWN), 0));
  if (hm_str_is(r->action, "no_action"))
    printf("%s no row changes", r->winner.n ? "," : ":");
  putchar('\n');
}

static void print_rows(const verdict_teller *t) {
  const hm_verdict_report *r = t->r;
  size_t n = print_head(t, "Changed", "Would change", r->n_changes);
  for (size_t i = 0; i < n; i++)
    printf("  %s: %s -> %s\n", show_ref(t, r->changes[i].ref), show_ref(t, r->changes[i].before),
           show_ref(t, r->changes[i].after));
  n = print_head(t, "Left alone", "Would be left alone", r->n_left);
  for (size_t i = 0; i < n; i++)
    printf("  %s %s\n", show_ref(t, r->left[i].ref), show_ref(t, r->left[i].why));
  n = print_head(t, "Linked", "Would be linked", r->n_links);
  for (size_t i = 0; i < n; i++)
    printf("  %s %s %s\n", show_ref(t, r->links[i].src), show_ref(t, r->links[i].rel),
           show_ref(t, r->links[i].dst));
  n = print_head(t, "", "Would no longer be said, in other slots", r->n_withdrawn);
  for (size_t i = 0; i < n; i++)
    printf("  %s also asserts %s = %s, which %s\n", show_ref(t, r->withdrawn[i].ref),
           show_ref(t, r->withdrawn[i].slot), show_value(t, r->withdrawn[i].value),
           r->withdrawn[i].alone ? "nothing else asserts" : "another active row asserts too");
  n = print_head(t, "", "Other rows that assert a losing value", r->n_others);
  for (size_t i = 0; i < n; i++)
    printf("  %s (%s): %s = %s%s\n", show_ref(t, r->others[i].ref),
           show_ref(t, r->others[i].status), show_ref(t, r->others[i].slot),
           show_value(t, r->others[i].value), r->others[i].elsewhere ? ", in another slot" : "");
}

static void print_ids(const verdict_teller *t, const char *done, const char *tried,
                      const hm_str *ids, size_t n) {
  n = print_head(t, done, tried, n);
  for (size_t i = 0; i < n; i++)
    printf("  %s\n", show_ref(t, ids[i]));
}

/* What a reopened conflict did not bring back. */
static void print_restorable(const verdict_teller *t) {
  const hm_verdict_report *r = t->r;
  hm_arena *a = t->cli->a;
  size_t n = print_head(t, "Still superseded; to bring one back",
                        "Would stay superseded; to bring one back", r->n_restorable);
  for (size_t i = 0; i < n; i++)
    printf("  hmirror restore %.*s\n", HM_FMT(hm_shell_quote_word(a, r->restorable[i], false)));
  n = print_head(t, "Still out of their rows; to bring one back",
                 "Would stay out of their rows; to bring one back", r->n_removed);
  for (size_t i = 0; i < n; i++)
    printf("  hmirror restore %.*s --field %.*s\n",
           HM_FMT(hm_shell_quote_word(a, r->removed[i].ref, false)),
           HM_FMT(hm_shell_quote_word(a, r->removed[i].field, false)));
}

/* Pages that would gain, or lose, a marker. */
static void print_markers(const verdict_teller *t, bool gained, const char *head) {
  const hm_verdict_report *r = t->r;
  size_t n = 0;
  for (size_t i = 0; i < r->n_markers; i++)
    n += r->markers[i].gained == gained;
  n = print_head(t, "", head, n);
  for (size_t i = 0; i < r->n_markers && n; i++) {
    if (r->markers[i].gained != gained)
      continue;
    printf("  %s (%s)\n", show_ref(t, r->markers[i].page), show_ref(t, r->markers[i].conflict));
    n--;
  }
}

static int print_report(hm_cli *cli, const hm_verdict_report *r) {
  verdict_teller t = { cli, r };
  if (cli->json) {
    hm_buf b = { 0 };
    hm_verdict_json(&b, r, cli->a);
    return hm_cli_print_json(cli, &b);
  }
  print_conflict(&t);
  print_rows(&t);
  print_ids(&t, "Opened, since rows disagree", "Would be opened, since rows disagree", r->opened,
            r->n_opened);
  print_ids(&t, "⚠ Disputed again", "⚠ Would be disputed again", r->revived, r->n_revived);
  print_ids(&t, "No longer disputed, awaiting sign-off",
            "Would no longer be disputed and await sign-off", r->quieted, r->n_quieted);
  print_restorable(&t);
  hm_cli_tell_warnings(cli, r->warnings, r->n_warnings, r->n_warnings);
  if (!r->dry_run)
    return HM_EXIT_FINE;
  print_markers(&t, false, "Pages that would lose a marker");
  print_markers(&t, true, "Pages that would gain a marker");
  if (!r->n_markers)
    puts("No page would lose or gain a marker");
  hm_note(cli, "this was a dry run: nothing was changed");
  return HM_EXIT_FINE;
}

/* --- giving, or trying ---------------------------------------------------------------- */

/* What was asked for; each verdict takes what it needs. */
typedef struct {
  enum { RESOLVE, DISMISS, REOPEN, SUPERSEDE, RESTORE } verdict;
  hm_review review;
  hm_str id, notes, row, newer, field;
  bool keep_rows;    /* of reopen */
  hm_resolution how; /* of resolve */
} verdict_order;

static int give_verdict(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  verdict_order *q = ctx;
  const hm_review *r = &q->review;
  hm_str id;
  if (q->verdict <= REOPEN && hm_store_find_conflict(s, q->id, a, &id, err))
    return -1;
  switch (q->verdict) {
    case RESOLVE:
      return hm_review_resolve(s, r, id, &q->how, a, out, err);
    case DISMISS:
      return hm_review_dismiss(s, r, id, q->notes, a, out, err);
    case REOPEN:
      return hm_review_reopen(s, r, id, q->notes, q->keep_rows, a, out, err);
    case SUPERSEDE:
      return hm_review_supersede(s, r, q->row, q->newer, q->notes, a, out, err);
    default:
      return hm_review_restore(s, r, q->row, q->field, q->notes, a, out, err);
  }
}

/* Tries the verdict in a transaction that is rolled back; compares the markers before and after. */
static int try_verdict(hm_cli *cli, verdict_order *q, hm_store *store, hm_verdict_report *out) {
  hm_appearance look;
  hm_view_options view = hm_mirror_view_options(&cli->mirror);
  if (hm_appearance_load(&cli->mirror, &look, &cli->err))
    return -1;
  hm_dry_run_options trial = { .templates = look.templates,
                               .view = &view,
                               .rules = &cli->mirror.config.rules,
                               .threads = cli->mirror.threads };
  hm_progress_phase(cli, "looking for what would change");
  int rc = hm_try_verdict(store, &trial, give_verdict, q, cli->a, out, &cli->err);
  hm_templates_free(look.templates);
  return rc;
}

static int run_verdict(hm_cli *cli, verdict_order *q) {
  hm_store *store = NULL;
  hm_verdict_report report;
  if (hm_cli_begin_review(cli, NULL, &q->review, &store))
    return -1;
  int rc = q->review.dry_run ? try_verdict(cli, q, store, &report)
                             : give_verdict(q, store, cli->a, &report, &cli->err);
  hm_store_close(store);
  hm_progress_end_phase(cli);
  return rc ? -1 : print_report(cli, &report);
}

/* --- conflicts ------------------------------------------------------------------------ */

/* The ID, and why: `option` must say something when it is required. */
static int read_order(hm_cli *cli, verdict_order *q, const char *option, bool required) {
  const char *verb = hm_str_fmt(cli->a, "conflicts %s", cli->args.words[0]).p;
  if (cli->args.n_words < 2)
    return hm_fail_usage(cli, verb, "the ID is missing", "see 'hmirror conflicts list'");
  q->id = hm_str_c(cli->args.words[1]);
  q->notes = hm_str_c(hm_cli_get_option(cli, option));
  if (!required)
    return 0;
  q->notes = hm_str_trim(q->notes);
  return q->notes.n
      ? 0
      : hm_fail_usage(cli, hm_str_fmt(cli->a, "%s: --%s", verb, option).p, "it is missing",
                      hm_str_fmt(cli->a, "say why: --%s \"...\"", option).p);
}

/* Who wins, and what becomes of the rows that lose. */
static int read_resolution(hm_cli *cli, hm_resolution *how) {
  const hm_args *args = &cli->args;
  hm_str *winners = hm_alloc_array(cli->a, args->n_given, sizeof *winners);
  size_t n = 0;
  bool empty = false;
  bool others = hm_cli_get_option(cli, "supersede-others"),
       none = hm_cli_get_option(cli, "no-action"), row = hm_cli_get_option(cli, "whole-row"),
       field = hm_cli_get_option(cli, "field-only"), link = hm_cli_get_option(cli, "link");
  for (size_t i = 0; i < args->n_given; i++) {
    if (strcmp(args->given[i].option->name, "winner") != 0)
      continue;
    empty |= !*args->given[i].value;
    winners[n++] = hm_str_c(args->given[i].value);
  }
  *how = (hm_resolution){ .winners = winners,
                          .n_winners = n,
                          .action = none ? HM_NO_ACTION
                              : others   ? HM_SUPERSEDE_OTHERS
                                         : HM_SUPERSEDE_OPPONENTS,
                          .scope = row ? HM_SCOPE_WHOLE_ROW
                              : field  ? HM_SCOPE_FIELD_ONLY
                                       : HM_SCOPE_UNSAID,
                          .from = hm_str_c(hm_cli_get_option(cli, "from")),
                          .link = link };
  if (how->from.n && n != 1)
    return hm_fail_usage(cli, "--from", "it belongs to one winner",
                         "give --winner MEMBER before it");
  if (empty)
    return hm_fail_usage(cli, "--winner", "it is empty",
                         "name a member: see 'hmirror conflicts show ID'");
  if (others && none)
    return hm_fail_usage(cli, "--supersede-others", "given together with --no-action",
                         "give one of them");
  if (!n && !none)
    return hm_fail_usage(cli, "conflicts resolve", "neither --winner nor --no-action is given",
                         "name the claim that stands: --winner MEMBER; or let all rows be: "
                         "--no-action");
  if (row && field)
    return hm_fail_usage(cli, "--whole-row", "given together with --field-only",
                         "give one of them");
  if ((row || field) && none)
    return hm_fail_usage(cli, row ? "--whole-row" : "--field-only",
                         "no row gives way with --no-action", "leave it out");
  if (link && !none)
    return hm_fail_usage(cli, "--link", "sides are linked where all of them stay",
                         "give it together with --no-action");
  return 0;
}

int hm_cli_conflicts_resolve(hm_cli *cli) {
  verdict_order q = { .verdict = RESOLVE };
  if (read_resolution(cli, &q.how) || read_order(cli, &q, "notes", true))
    return -1;
  q.how.notes = q.notes;
  return run_verdict(cli, &q);
}

int hm_cli_conflicts_dismiss(hm_cli *cli) {
  verdict_order q = { .verdict = DISMISS };
  return read_order(cli, &q, "reason", true) ? -1 : run_verdict(cli, &q);
}

int hm_cli_conflicts_reopen(hm_cli *cli) {
  verdict_order q = { .verdict = REOPEN, .keep_rows = hm_cli_get_option(cli, "keep-rows") != NULL };
  return read_order(cli, &q, "reason", false) ? -1 : run_verdict(cli, &q);
}

/* --- rows ----------------------------------------------------------------------------- */

static int run_supersede(hm_cli *cli) {
  verdict_order q = { .verdict = SUPERSEDE,
                      .notes = hm_str_c(hm_cli_get_option(cli, "notes")),
                      .row = hm_str_c(cli->args.words[0]),
                      .newer = hm_str_c(cli->args.words[1]) };
  return run_verdict(cli, &q);
}

static int run_restore(hm_cli *cli) {
  verdict_order q = { .verdict = RESTORE,
                      .notes = hm_str_c(hm_cli_get_option(cli, "notes")),
                      .field = hm_str_c(hm_cli_get_option(cli, "field")),
                      .row = hm_str_c(cli->args.words[0]) };
  return run_verdict(cli, &q);
}

static const hm_option supersede_options[] = {
  { "notes", 0, "TEXT", "why, for the journal; of supersede, for the pages too" },
  { "dry-run", 0, NULL, "only say what would change, pages too" },
  { 0 }
};

const hm_command hm_cmd_supersede = {
  .name = "supersede",
  .words = "OLD NEW",
  .brief = "let one row give way to another of its layer",
  .about =
      "OLD stays in the store as superseded by NEW and claims nothing any more. Name rows as\n"
      "kind:id, or by an id that only one row has. Both must be active and of one layer, and no\n"
      "circle may come of it; rows of two layers are settled by their conflict. 'restore' undoes "
      "it.\n",
  .options = supersede_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror supersede entity:e2 entity:e1 --notes \"Design review 3\" --by kim\n"
              "hmirror supersede e2 e1 --dry-run\n",
  .least_words = 2,
  .most_words = 2,
  .run = run_supersede
};

static const hm_option restore_options[] = {
  { "field", 0, "NAME", "only this field, which a verdict took out of the row" },
  { "notes", 0, "TEXT", "why, for the journal" },
  { "dry-run", 0, NULL, "only say what would change, pages too" },
  { 0 }
};

const hm_command hm_cmd_restore = {
  .name = "restore",
  .words = "ROW",
  .brief = "bring a superseded row back, or a field that a verdict took out",
  .about =
      "ROW (kind:id, or an id that only one row has) claims again as before. An active row gets "
      "back\n"
      "the fields that verdicts took out of it, or the one that --field names. If it then "
      "contradicts\n"
      "another row, a conflict opens, or one that awaits sign-off is disputed again; the answer "
      "names\n"
      "it.\n",
  .options = restore_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror restore entity:e2 --notes \"The test was wrong\" --by kim\n"
              "hmirror restore e2 --dry-run\n"
              "hmirror restore entity:e5 --field mass\n",
  .least_words = 1,
  .most_words = 1,
  .run = run_restore
};
