/* Verdicts: conflicts resolve, dismiss, reopen; supersede, restore. A dry run tries them on a copy
 * of the facts in memory and says which pages would change. */
#include <stdio.h>
#include "core/base/shell.h"
#include "core/base/time.h"
#include "core/store/change.h"
#include "gen/cli/commands.h"
#include "gen/mirror/make.h"
#include "gen/mirror/theme.h"
#include "gen/site/trial.h"

enum { LISTED = 40, REF_SHOWN = 200, VALUE_SHOWN = 120 };

typedef struct { hm_cli *cli; const hm_verdict_report *r; } verdict_teller;

static const char *show_ref(const verdict_teller *t, hm_str fact) {
  return hm_show(t->cli->a, fact, REF_SHOWN);
}

static void print_head(const verdict_teller *t, const char *done, const char *tried) {
  printf("%s%s:%s\n", t->cli->bold, t->r->dry_run ? tried : done,
         t->cli->plain);
}

/* After the n-th line of a list of `all`: is there no room for more? */
static bool is_full(const verdict_teller *t, size_t n, size_t all) {
  if (n < LISTED) return false;
  printf("  and %s more; --format json lists them all\n", hm_thousands(t->cli->a, (all - n)));
  return true;
}

/* --- one line --------------------------------------------------------------------- */

static const char *verdict_done(const hm_verdict_report *r) {
  static const struct { const char *verb, *done, *tried;
  } words[] = {
    { "resolve", "resolved", "would be resolved" },
    { "dismiss", "dismissed", "would be dismissed" },
    { "reopen", "open again", "would be open again" },
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hm_str_is(hm_str_c(r->verb), words[i].verb))
      return r->dry_run ? words[i].tried : words[i].done;
  return r->verb;
}

static void print_conflict(const verdict_teller *t) {
  const hm_verdict_report *r = t->r;
  if (!r->conflict.n) return;
  printf("%s%s%s  %s", t->cli->bold, show_ref(t, r->conflict),
         t->cli->plain, verdict_done(r));
  printf(": %s", hm_show(t->cli->a, hm_slot_title(t->cli->a, r->slot_key), VALUE_SHOWN));
  if (r->winner.n) printf(": %s stands", show_ref(t, r->winner));
  if (hm_str_is(r->action, "no_action")) printf("%s no row changes", r->winner.n ? "," : ":");
  putchar('\n');
}

/* --- rows --------------------------------------------------------------------------- */

static void print_rows(const verdict_teller *t) {
  const hm_verdict_report *r = t->r;
  if (r->n_changes) print_head(t, "Changed", "Would change");
  for (size_t i = 0; i < r->n_changes && !is_full(t, i, r->n_changes); i++)
    printf("  %s: %s -> %s\n", show_ref(t, r->changes[i].ref), show_ref(t, r->changes[i].before),
           show_ref(t, r->changes[i].after));
  if (r->n_left) print_head(t, "Left alone", "Would be left alone");
  for (size_t i = 0; i < r->n_left && !is_full(t, i, r->n_left); i++)
    printf("  %s %s\n", show_ref(t, r->left[i].ref), show_ref(t, r->left[i].why));
}

static void print_withdrawn(const verdict_teller *t) {
  const hm_verdict_report *r = t->r;
  if (r->n_withdrawn) print_head(t, "", "Would no longer be said, in other slots");
  for (size_t i = 0; i < r->n_withdrawn && !is_full(t, i, r->n_withdrawn); i++) {
    const hm_withdrawal *w = &r->withdrawn[i];
    printf("  %s also asserts %s = %s, which %s\n", show_ref(t, w->ref), show_ref(t, w->slot),
           hm_show(t->cli->a, w->value, VALUE_SHOWN),
           w->alone ? "nothing else asserts" : "another active row asserts too");
  }
}

static void print_others(const verdict_teller *t) {
  const hm_verdict_report *r = t->r;
  if (r->n_others) print_head(t, "", "Other rows that assert a losing value");
  for (size_t i = 0; i < r->n_others && !is_full(t, i, r->n_others); i++) {
    const hm_assertion *o = &r->others[i];
    printf("  %s (%s): %s = %s%s\n", show_ref(t, o->ref), show_ref(t, o->status),
           show_ref(t, o->slot), hm_show(t->cli->a, o->value, VALUE_SHOWN),
           o->elsewhere ? ", in another slot" : "");
  }
}

/* --- conflicts and pages -------------------------------------------------------------- */

static void print_ids(const verdict_teller *t, const char *done, const char *tried,
                      const hm_str *ids, size_t n) {
  if (n) print_head(t, done, tried);
  for (size_t i = 0; i < n && !is_full(t, i, n); i++) printf("  %s\n", show_ref(t, ids[i]));
}

static void print_markers(const verdict_teller *t, bool gained) {
  const hm_verdict_report *r = t->r;
  size_t n = 0, shown = 0;
  for (size_t i = 0; i < r->n_markers; i++) n += r->markers[i].gained == gained;
  if (n)
    print_head(t, "", gained ? "Pages that would gain a marker" : "Pages that would lose a marker");
  for (size_t i = 0; i < r->n_markers && n; i++) {
    if (r->markers[i].gained != gained) continue;
    if (is_full(t, shown, n)) break;
    printf("  %s (%s)\n", show_ref(t, r->markers[i].page), show_ref(t, r->markers[i].conflict));
    shown++;
  }
}

/* A reopened conflict brings no row back by itself. */
static void print_restorable(const verdict_teller *t) {
  const hm_verdict_report *r = t->r;
  if (r->n_restorable)
    print_head(t, "Still superseded; to bring one back",
               "Would stay superseded; to bring one back");
  for (size_t i = 0; i < r->n_restorable && !is_full(t, i, r->n_restorable); i++)
    printf("  hmirror restore %.*s\n", HM_FMT(hm_shell_word(t->cli->a, r->restorable[i], false)));
  if (r->n_removed)
    print_head(t, "Still out of their rows; to bring one back",
         "Would stay out of their rows; to bring one back");
  for (size_t i = 0; i < r->n_removed && !is_full(t, i, r->n_removed); i++)
    printf("  hmirror restore %.*s --field %.*s\n",
           HM_FMT(hm_shell_word(t->cli->a, r->removed[i].ref, false)),
           HM_FMT(hm_shell_word(t->cli->a, r->removed[i].field, false)));
}

static void print_links(const verdict_teller *t) {
  const hm_verdict_report *r = t->r;
  if (r->n_links) print_head(t, "Linked", "Would be linked");
  for (size_t i = 0; i < r->n_links && !is_full(t, i, r->n_links); i++)
    printf("  %s %s %s\n", show_ref(t, r->links[i].src), show_ref(t, r->links[i].rel),
           show_ref(t, r->links[i].dst));
}

static int print_report_json(hm_cli *cli, const hm_verdict_report *r) {
  hm_buf b = { 0 };
  hm_verdict_json(&b, r, cli->a);
  return hm_json_print(cli, &b);
}

static int print_report(hm_cli *cli, const hm_verdict_report *r) {
  verdict_teller t = { cli, r };
  if (cli->json) return print_report_json(cli, r) ? -1 : HM_EXIT_FINE;
  print_conflict(&t);
  print_rows(&t);
  print_links(&t);
  print_withdrawn(&t);
  print_others(&t);
  print_ids(&t, "Opened, since rows disagree", "Would be opened, since rows disagree", r->opened,
           r->n_opened);
  print_ids(&t, "⚠ Disputed again", "⚠ Would be disputed again", r->revived, r->n_revived);
  print_ids(&t, "No longer disputed, awaiting sign-off",
           "Would no longer be disputed and await sign-off", r->quieted, r->n_quieted);
  print_restorable(&t);
  if (!r->dry_run) return HM_EXIT_FINE;
  print_markers(&t, false);
  print_markers(&t, true);
  if (!r->n_markers) puts("No page would lose or gain a marker");
  hm_note(cli, "this was a dry run: nothing was changed");
  return HM_EXIT_FINE;
}

/* What was asked for; each verb takes what it needs. */
typedef struct {
  hm_cli *cli;
  hm_review review;
  hm_trial_verdict *give;
  hm_str id, notes, row, newer, field;
  hm_resolution how;         /* of resolve */
} verdict_order;

/* --- giving, or trying -------------------------------------------------------- */

static int try_verdict(verdict_order *q, hm_store *store, hm_verdict_report *out) {
  hm_cli *cli = q->cli;
  hm_appearance look;
  hm_view_options view = hm_mirror_view_options(&cli->mirror);
  if (hm_appearance_load(&cli->mirror, &look, &cli->err)) return -1;
  hm_trial trial = { .templates = look.templates,
                     .view = &view,
                     .rules = &cli->mirror.config.rules,
                     .threads = cli->mirror.threads,
                     .inputs = hm_make_inputs };
  hm_phase(cli, "looking for what would change");
  int rc = hm_trial_run(store, &trial, q->give, q, cli->a, out, &cli->err);
  hm_templates_free(look.templates);
  return rc;
}

static int run_verdict(verdict_order *q) {
  hm_cli *cli = q->cli;
  hm_store *store = NULL;
  hm_verdict_report report;
  q->review.rules = &cli->mirror.config.rules;
  q->review.dry_run = hm_cli_option(cli, "dry-run") != NULL;
  if (hm_mirror_actor(&cli->mirror, &q->review.who, &cli->err) ||
      hm_cli_open_writer(cli, q->review.dry_run, &store))
    return -1;
  int rc = q->review.dry_run ? try_verdict(q, store, &report)
                             : q->give(q, store, cli->a, &report, &cli->err);
  hm_store_close(store);
  hm_phase_end(cli);
  return rc ? -1 : print_report(cli, &report);
}

/* --- conflicts ------------------------------------------------------------------ */

static int read_conflict_id(hm_cli *cli, verdict_order *q, const char *verb) {
  *q = (verdict_order){ .cli = cli, .notes = HM_EMPTY };
  if (cli->args.n_words == 2) {
    q->id = hm_str_c(cli->args.words[1]);
    return 0;
  }
  return hm_usage(cli, hm_str_fmt(cli->a, "conflicts %s", verb).p,
                 "the ID is missing", "see 'hmirror conflicts list'");
}

/* Every verdict says why. */
static int read_reason(hm_cli *cli, verdict_order *q, const char *verb, const char *option) {
  q->notes = hm_str_trim(hm_str_c(hm_cli_option(cli, option)));
  if (q->notes.n) return 0;
  return hm_usage(cli, hm_str_fmt(cli->a, "%s: --%s", verb, option).p,
                 "it is missing", hm_str_fmt(cli->a, "say why: --%s \"...\"", option).p);
}

static int give_resolve(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  verdict_order *q = ctx;
  hm_str id;
  if (hm_store_find_conflict(s, q->id, a, &id, err)) return -1;
  return hm_review_resolve(s, &q->review, id, &q->how, a, out, err);
}

/* What becomes of the rows that lose. */
static int read_scope(hm_cli *cli, hm_resolution *how) {
  bool row = hm_cli_option(cli, "whole-row"), field = hm_cli_option(cli, "field-only");
  how->scope = row ? HM_SCOPE_WHOLE_ROW : field ? HM_SCOPE_FIELD_ONLY : HM_SCOPE_UNSAID;
  how->link = hm_cli_option(cli, "link") != NULL;
  if (row && field)
    return hm_usage(cli, "--whole-row", "given together with --field-only",
                         "give one of them");
  if ((row || field) && how->action == HM_NO_ACTION)
    return hm_usage(cli, row ? "--whole-row" : "--field-only",
                         "no row gives way with --no-action", "leave it out");
  if (how->link && how->action != HM_NO_ACTION)
    return hm_usage(cli, "--link", "sides are linked where all of them stay",
                         "give it together with --no-action");
  return 0;
}

static int read_action(hm_cli *cli, hm_resolution *how) {
  const char *winner = hm_cli_option(cli, "winner");
  bool others = hm_cli_option(cli, "supersede-others"), none = hm_cli_option(cli, "no-action");
  how->winner = hm_str_c(winner);
  how->action = none ? HM_NO_ACTION : others ? HM_SUPERSEDE_OTHERS : HM_SUPERSEDE_OPPONENTS;
  if (winner && !*winner)
    return hm_usage(cli, "--winner", "it is empty",
                         "name a member: see 'hmirror conflicts show ID'");
  if (others && none)
    return hm_usage(cli, "--supersede-others", "given together with --no-action",
                         "give one of them");
  if (winner || none) return read_scope(cli, how);
  return hm_usage(
      cli, "conflicts resolve", "neither --winner nor --no-action is given",
      "name the claim that stands: --winner MEMBER; or let all rows be: --no-action");
}

int hm_cli_resolve(hm_cli *cli) {
  verdict_order q;
  if (read_conflict_id(cli, &q, "resolve") || read_action(cli, &q.how) ||
      read_reason(cli, &q, "conflicts resolve", "notes"))
    return -1;
  q.how.notes = q.notes;
  q.give = give_resolve;
  return run_verdict(&q);
}

static int give_dismiss(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  verdict_order *q = ctx;
  hm_str id;
  return hm_store_find_conflict(s, q->id, a, &id, err) ||
          hm_review_dismiss(s, &q->review, id, q->notes, a, out, err)
      ? -1
      : 0;
}

int hm_cli_dismiss(hm_cli *cli) {
  verdict_order q;
  if (read_conflict_id(cli, &q, "dismiss") || read_reason(cli, &q, "conflicts dismiss", "reason"))
    return -1;
  q.give = give_dismiss;
  return run_verdict(&q);
}

static int give_reopen(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  verdict_order *q = ctx;
  hm_str id;
  return hm_store_find_conflict(s, q->id, a, &id, err) ||
          hm_review_reopen(s, &q->review, id, q->notes, a, out, err)
      ? -1
      : 0;
}

int hm_cli_reopen(hm_cli *cli) {
  verdict_order q;
  if (read_conflict_id(cli, &q, "reopen")) return -1;
  q.notes = hm_str_c(hm_cli_option(cli, "reason"));
  q.give = give_reopen;
  return run_verdict(&q);
}

/* --- rows ------------------------------------------------------------------------ */

static const hm_option supersede_options[] = {
  { "notes", 0, "TEXT", "why, for the journal; of supersede, for the pages too" },
  { "dry-run", 0, NULL, "only say what would change, pages too" },
  { 0 }
};

static int give_supersede(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out,
                          hm_err *err) {
  verdict_order *q = ctx;
  return hm_review_supersede(s, &q->review, q->row, q->newer, q->notes, a, out, err);
}

static int run_supersede(hm_cli *cli) {
  verdict_order q = { .cli = cli,
                      .give = give_supersede,
                      .notes = hm_str_c(hm_cli_option(cli, "notes")),
                      .row = hm_str_c(cli->args.words[0]),
                      .newer = hm_str_c(cli->args.words[1]) };
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
  .options = supersede_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror supersede entity:e2 entity:e1 --notes \"Design review 3\" --by kim\n"
              "hmirror supersede e2 e1 --dry-run\n",
  .least_words = 2,
  .most_words = 2,
  .run = run_supersede
};

static int give_restore(void *ctx, hm_store *s, hm_arena *a, hm_verdict_report *out, hm_err *err) {
  verdict_order *q = ctx;
  return hm_review_restore(s, &q->review, q->row, q->field, q->notes, a, out, err);
}

static int run_restore(hm_cli *cli) {
  verdict_order q = { .cli = cli,
                      .give = give_restore,
                      .notes = hm_str_c(hm_cli_option(cli, "notes")),
                      .field = hm_str_c(hm_cli_option(cli, "field")),
                      .row = hm_str_c(cli->args.words[0]) };
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
      "back the fields that verdicts took out of it (--field-only), or the one that --field "
      "names.\n"
      "Where that contradicts another row a conflict is opened, or one that awaits sign-off is\n"
      "disputed again; the answer names it.\n",
  .options = restore_options,
  .exits = HM_EXITS_USUAL,
  .examples =
      "hmirror restore entity:e2 --notes \"The test was wrong\" --by kim\n"
      "hmirror restore e2 --dry-run\n"
      "hmirror restore entity:e5 --field mass\n",
  .least_words = 1,
  .most_words = 1,
  .run = run_restore
};
