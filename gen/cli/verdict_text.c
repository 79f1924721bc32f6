/* What a verdict did, or would do, in words. */
#include <stdio.h>
#include "core/base/shell.h"
#include "gen/cli/out.h"
#include "gen/cli/verdict.h"
#include "gen/cli/work.h"

enum { LISTED = 40, REF = 200, VALUE = 120 };

typedef struct { hm_cli *cli; const hm_verdict_report *r; } teller;

static const char *show(const teller *t, hm_str fact) { return hm_show(t->cli->a, fact, REF); }

static void head(const teller *t, const char *done, const char *tried) {
  printf("%s%s:%s\n", hm_style_of(t->cli, HM_BOLD), t->r->dry_run ? tried : done,
         hm_style_of(t->cli, HM_PLAIN));
}

/* After the n-th line of a list of `all`: is there no room for more? */
static bool full(const teller *t, size_t n, size_t all) {
  if (n < LISTED) return false;
  printf("  and %s more; --format json lists them all\n", hm_thousands(t->cli->a, (int64_t)(all - n)));
  return true;
}

/* --- one line --------------------------------------------------------------------- */

static const char *done_to_conflict(const hm_verdict_report *r) {
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

static void tell_conflict(const teller *t) {
  const hm_verdict_report *r = t->r;
  if (!r->conflict.n) return;
  printf("%s%s%s  %s", hm_style_of(t->cli, HM_BOLD), show(t, r->conflict),
         hm_style_of(t->cli, HM_PLAIN), done_to_conflict(r));
  printf(": %s", hm_show(t->cli->a, hm_slot_title(t->cli->a, r->slot_key), VALUE));
  if (r->winner.n) printf(": %s stands", show(t, r->winner));
  if (hm_str_is(r->action, "no_action")) printf("%s no row changes", r->winner.n ? "," : ":");
  putchar('\n');
}

/* --- rows --------------------------------------------------------------------------- */

static void tell_rows(const teller *t) {
  const hm_verdict_report *r = t->r;
  if (r->n_changes) head(t, "Changed", "Would change");
  for (size_t i = 0; i < r->n_changes && !full(t, i, r->n_changes); i++)
    printf("  %s: %s -> %s\n", show(t, r->changes[i].ref), show(t, r->changes[i].before),
           show(t, r->changes[i].after));
  if (r->n_left) head(t, "Left alone", "Would be left alone");
  for (size_t i = 0; i < r->n_left && !full(t, i, r->n_left); i++)
    printf("  %s %s\n", show(t, r->left[i].ref), show(t, r->left[i].why));
}

static void tell_withdrawn(const teller *t) {
  const hm_verdict_report *r = t->r;
  if (r->n_withdrawn) head(t, "", "Would no longer be said, in other slots");
  for (size_t i = 0; i < r->n_withdrawn && !full(t, i, r->n_withdrawn); i++) {
    const hm_withdrawal *w = &r->withdrawn[i];
    printf("  %s also asserts %s = %s, which %s\n", show(t, w->ref), show(t, w->slot),
           hm_show(t->cli->a, w->value, VALUE),
           w->alone ? "nothing else asserts" : "another active row asserts too");
  }
}

static void tell_others(const teller *t) {
  const hm_verdict_report *r = t->r;
  if (r->n_others) head(t, "", "Other rows that assert a losing value");
  for (size_t i = 0; i < r->n_others && !full(t, i, r->n_others); i++) {
    const hm_assertion *o = &r->others[i];
    printf("  %s (%s): %s = %s%s\n", show(t, o->ref), show(t, o->status), show(t, o->slot),
           hm_show(t->cli->a, o->value, VALUE), o->elsewhere ? ", in another slot" : "");
  }
}

/* --- conflicts and pages -------------------------------------------------------------- */

static void tell_ids(const teller *t, const char *done, const char *tried, const hm_str *ids,
                     size_t n) {
  if (n) head(t, done, tried);
  for (size_t i = 0; i < n && !full(t, i, n); i++) printf("  %s\n", show(t, ids[i]));
}

static void tell_markers(const teller *t, bool gained) {
  const hm_verdict_report *r = t->r;
  size_t n = 0, shown = 0;
  for (size_t i = 0; i < r->n_markers; i++) n += r->markers[i].gained == gained;
  if (n) head(t, "", gained ? "Pages that would gain a marker" : "Pages that would lose a marker");
  for (size_t i = 0; i < r->n_markers && n; i++) {
    if (r->markers[i].gained != gained) continue;
    if (full(t, shown, n)) break;
    printf("  %s (%s)\n", show(t, r->markers[i].page), show(t, r->markers[i].conflict));
    shown++;
  }
}

/* A reopened conflict brings no row back by itself. */
static void tell_restorable(const teller *t) {
  const hm_verdict_report *r = t->r;
  if (r->n_restorable)
    head(t, "Still superseded; to bring one back", "Would stay superseded; to bring one back");
  for (size_t i = 0; i < r->n_restorable && !full(t, i, r->n_restorable); i++)
    printf("  hmirror restore %.*s\n", HM_FMT(hm_shell_word(t->cli->a, r->restorable[i], false)));
  if (r->n_removed)
    head(t, "Still out of their rows; to bring one back",
         "Would stay out of their rows; to bring one back");
  for (size_t i = 0; i < r->n_removed && !full(t, i, r->n_removed); i++)
    printf("  hmirror restore %.*s --field %.*s\n",
           HM_FMT(hm_shell_word(t->cli->a, r->removed[i].ref, false)),
           HM_FMT(hm_shell_word(t->cli->a, r->removed[i].field, false)));
}

static void tell_links(const teller *t) {
  const hm_verdict_report *r = t->r;
  if (r->n_links) head(t, "Linked", "Would be linked");
  for (size_t i = 0; i < r->n_links && !full(t, i, r->n_links); i++)
    printf("  %s %s %s\n", show(t, r->links[i].src), show(t, r->links[i].rel),
           show(t, r->links[i].dst));
}

static int show_json(hm_cli *cli, const hm_verdict_report *r) {
  hm_buf b = { 0 };
  hm_verdict_json(&b, r, cli->a);
  return hm_json_print(cli, &b);
}

int hm_verdict_show(hm_cli *cli, const hm_verdict_report *r) {
  teller t = { cli, r };
  if (cli->json) return show_json(cli, r) ? -1 : HM_EXIT_FINE;
  tell_conflict(&t);
  tell_rows(&t);
  tell_links(&t);
  tell_withdrawn(&t);
  tell_others(&t);
  tell_ids(&t, "Opened, since rows disagree", "Would be opened, since rows disagree", r->opened,
           r->n_opened);
  tell_ids(&t, "⚠ Disputed again", "⚠ Would be disputed again", r->revived, r->n_revived);
  tell_ids(&t, "No longer disputed, awaiting sign-off",
           "Would no longer be disputed and await sign-off", r->quieted, r->n_quieted);
  tell_restorable(&t);
  if (!r->dry_run) return HM_EXIT_FINE;
  tell_markers(&t, false);
  tell_markers(&t, true);
  if (!r->n_markers) puts("No page would lose or gain a marker");
  hm_note(cli, "this was a dry run: nothing was changed");
  return HM_EXIT_FINE;
}
