#include "core/base/time.h"
#include "core/store/change.h"
#include "gen/cli/commands.h"
#include "gen/mirror/make.h"
#include "gen/cli/out.h"
#include "gen/mirror/theme.h"
#include "gen/cli/verdict.h"
#include "gen/cli/work.h"
#include "gen/site/trial.h"

/* What was asked for; each verb takes what it needs. */
typedef struct {
  hm_cli *cli;
  hm_review review;
  hm_trial_verdict *give;
  hm_str id, notes, row, newer, field;
  hm_resolution how;         /* of resolve */
} asked;

/* --- giving, or trying -------------------------------------------------------- */

static int try_it(asked *q, hm_store *store, hm_verdict_report *out) {
  hm_cli *cli = q->cli;
  hm_appearance look;
  hm_view_options view = hm_mirror_view_options(&cli->mirror);
  if (hm_appearance_load(&cli->mirror, &look, &cli->err)) return -1;
  hm_trial trial = { .templates = look.templates,
                     .view = &view,
                     .rules = &cli->mirror.config.rules,
                     .threads = cli->mirror.threads,
                     .inputs = hm_make_inputs };
  hm_progress_phase(cli->progress, "looking for what would change");
  int rc = hm_trial_run(store, &trial, q->give, q, cli->a, out, &cli->err);
  hm_templates_free(look.templates);
  return rc;
}

static int run_verdict(asked *q) {
  hm_cli *cli = q->cli;
  hm_store *store = NULL;
  hm_verdict_report report;
  q->review.rules = &cli->mirror.config.rules;
  q->review.dry_run = hm_cli_option(cli, "dry-run") != NULL;
  if (hm_mirror_actor(&cli->mirror, &q->review.who, &cli->err) || hm_cli_open_writer(cli, q->review.dry_run, &store))
    return -1;
  int rc =
      q->review.dry_run ? try_it(q, store, &report) : q->give(q, store, cli->a, &report, &cli->err);
  hm_store_close(store);
  hm_progress_clear(cli->progress);
  return rc ? -1 : hm_verdict_show(cli, &report);
}

/* --- conflicts ------------------------------------------------------------------ */

static int ask_conflict(hm_cli *cli, asked *q, const char *verb) {
  *q = (asked){ .cli = cli, .notes = HM_EMPTY };
  if (cli->args.n_words == 2) {
    q->id = hm_str_c(cli->args.words[1]);
    return 0;
  }
  return hm_fail(&cli->err, HM_E_USAGE, hm_str_fmt(cli->a, "conflicts %s", verb).p,
                 "the ID is missing", "see 'hmirror conflicts list'");
}

/* Every verdict says why. */
static int ask_why(hm_cli *cli, asked *q, const char *verb, const char *option) {
  q->notes = hm_str_trim(hm_str_c(hm_cli_option(cli, option)));
  if (q->notes.n) return 0;
  return hm_fail(&cli->err, HM_E_USAGE, hm_str_fmt(cli->a, "%s: --%s", verb, option).p,
                 "it is missing", hm_str_fmt(cli->a, "say why: --%s \"...\"", option).p);
}

static int give_resolve(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  asked *q = ctx;
  hm_str id;
  if (hm_store_find_conflict(s, q->id, a, &id, err)) return -1;
  return hm_review_resolve(s, &q->review, id, &q->how, a, out, err);
}

static int refuse_option(hm_cli *cli, const char *option, const char *why, const char *fix) {
  return hm_fail(&cli->err, HM_E_USAGE, option, why, fix);
}

/* What becomes of the rows that lose. */
static int ask_scope(hm_cli *cli, hm_resolution *how) {
  bool row = hm_cli_option(cli, "whole-row"), field = hm_cli_option(cli, "field-only");
  how->scope = row ? HM_SCOPE_WHOLE_ROW : field ? HM_SCOPE_FIELD_ONLY : HM_SCOPE_UNSAID;
  how->link = hm_cli_option(cli, "link") != NULL;
  if (row && field)
    return refuse_option(cli, "--whole-row", "given together with --field-only",
                         "give one of them");
  if ((row || field) && how->action == HM_NO_ACTION)
    return refuse_option(cli, row ? "--whole-row" : "--field-only",
                         "no row gives way with --no-action", "leave it out");
  if (how->link && how->action != HM_NO_ACTION)
    return refuse_option(cli, "--link", "sides are linked where all of them stay",
                         "give it together with --no-action");
  return 0;
}

static int ask_action(hm_cli *cli, hm_resolution *how) {
  const char *winner = hm_cli_option(cli, "winner");
  bool others = hm_cli_option(cli, "supersede-others"), none = hm_cli_option(cli, "no-action");
  how->winner = hm_str_c(winner);
  how->action = none ? HM_NO_ACTION : others ? HM_SUPERSEDE_OTHERS : HM_SUPERSEDE_OPPONENTS;
  if (winner && !*winner)
    return refuse_option(cli, "--winner", "it is empty",
                         "name a member: see 'hmirror conflicts show ID'");
  if (others && none)
    return refuse_option(cli, "--supersede-others", "given together with --no-action",
                         "give one of them");
  if (winner || none) return ask_scope(cli, how);
  return refuse_option(
      cli, "conflicts resolve", "neither --winner nor --no-action is given",
      "name the claim that stands: --winner MEMBER; or let all rows be: --no-action");
}

int hm_cli_resolve(hm_cli *cli) {
  asked q;
  if (ask_conflict(cli, &q, "resolve") || ask_action(cli, &q.how) ||
      ask_why(cli, &q, "conflicts resolve", "notes"))
    return -1;
  q.how.notes = q.notes;
  q.give = give_resolve;
  return run_verdict(&q);
}

static int give_dismiss(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  asked *q = ctx;
  hm_str id;
  return hm_store_find_conflict(s, q->id, a, &id, err) ||
          hm_review_dismiss(s, &q->review, id, q->notes, a, out, err)
      ? -1
      : 0;
}

int hm_cli_dismiss(hm_cli *cli) {
  asked q;
  if (ask_conflict(cli, &q, "dismiss") || ask_why(cli, &q, "conflicts dismiss", "reason"))
    return -1;
  q.give = give_dismiss;
  return run_verdict(&q);
}

static int give_reopen(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  asked *q = ctx;
  hm_str id;
  return hm_store_find_conflict(s, q->id, a, &id, err) ||
          hm_review_reopen(s, &q->review, id, q->notes, a, out, err)
      ? -1
      : 0;
}

int hm_cli_reopen(hm_cli *cli) {
  asked q;
  if (ask_conflict(cli, &q, "reopen")) return -1;
  q.notes = hm_str_c(hm_cli_option(cli, "reason"));
  q.give = give_reopen;
  return run_verdict(&q);
}

/* --- rows ------------------------------------------------------------------------ */

static const hm_option row_options[] = {
  { "notes", 0, "TEXT", "why, for the journal; of supersede, for the pages too" },
  { "dry-run", 0, NULL, "only say what would change, pages too" },
  { 0 }
};

static int give_supersede(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out,
                          hm_err *err) {
  asked *q = ctx;
  return hm_review_supersede(s, &q->review, q->row, q->newer, q->notes, a, out, err);
}

static int run_supersede(hm_cli *cli) {
  asked q = { .cli = cli, .give = give_supersede, .notes = hm_str_c(hm_cli_option(cli, "notes")),
              .row = hm_str_c(cli->args.words[0]), .newer = hm_str_c(cli->args.words[1]) };
  return run_verdict(&q);
}

const hm_command hm_cmd_supersede = {
  .name = "supersede",
  .words = "OLD NEW",
  .brief = "let one row give way to another of its layer",
  .about =
      "OLD stays in the store with status superseded and NEW as its successor; it claims\n"
      "nothing any more. Rows are given as kind:id, or by an id that one row alone has.\n"
      "Refused: a row and itself, rows that do not exist or are not active, circles, and rows\n"
      "of two layers, which are settled by their conflict. 'restore' undoes it.\n",
  .options = row_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror supersede entity:e2 entity:e1 --notes \"Design review 3\" --by kim\n"
              "hmirror supersede e2 e1 --dry-run\n",
  .least_words = 2,
  .most_words = 2,
  .run = run_supersede
};

static int give_restore(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  asked *q = ctx;
  return hm_review_restore(s, &q->review, q->row, q->field, q->notes, a, out, err);
}

static int run_restore(hm_cli *cli) {
  asked q = { .cli = cli, .give = give_restore, .notes = hm_str_c(hm_cli_option(cli, "notes")),
              .field = hm_str_c(hm_cli_option(cli, "field")), .row = hm_str_c(cli->args.words[0]) };
  return run_verdict(&q);
}

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
      "ROW, kind:id or an id that one row alone has, claims again as before. An active row gets\n"
      "back the fields that verdicts took out of it (--field-only), or the one that --field names.\n"
      "Where that contradicts another row a conflict is opened, or one that awaits sign-off is\n"
      "disputed again; the answer names it.\n",
  .options = restore_options,
  .exits = HM_EXITS_USUAL,
  .examples =
      "hmirror restore entity:e2 --notes \"The test was wrong\" --by kim\nhmirror restore e2 --dry-run\n"
      "hmirror restore entity:e5 --field mass\n",
  .least_words = 1,
  .most_words = 1,
  .run = run_restore
};
