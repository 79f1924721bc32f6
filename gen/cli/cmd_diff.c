#include <stdio.h>
#include <string.h>
#include "gen/cli/commands.h"
#include "gen/cli/history_text.h"

static const hm_option options[] = {
  { "repo", 0, "P", "the repository (config: publish.repo)" },
  { "branch", 0, "B", "the branch (config: publish.branch)" },
  { "exit-code", 0, NULL, "end with 1 when a fact or a conflict differs" },
  { 0 }
};

/* The two sides; an empty id is the time before the first publication. */
typedef struct { hm_git_commit from, to; } sides;

/* --- which two ------------------------------------------------------------------ */

typedef struct { hm_cli *cli; sides *s; int n; } newest;

static int take_newest(void *ctx, const hm_git_commit *c, hm_err *err) {
  newest *w = ctx;
  (void)err;
  if (!c->ours) return 0;
  hm_git_commit *side = w->n++ ? &w->s->from : &w->s->to;
  *side = *c;
  side->author = hm_str_dup(w->cli->a, c->author);
  return w->n == 2;
}

static int read_side(hm_cli *cli, hm_branch *b, const char *rev, hm_git_commit *out) {
  char id[41];
  if (hm_git_resolve(b->git, rev, id, &cli->err)) return -1;
  if (hm_git_commit_read(b->git, id, cli->a, out, &cli->err)) return -1;
  if (!out->ours)
    hm_note(cli, "%s is a commit by %s, not a publication of hmirror's", rev,
            hm_show(cli->a, out->author, 60));
  return 0;
}

/* "A B", "A..B", "A" (to the tip), or nothing: the last two publications. */
static int read_sides(hm_cli *cli, hm_branch *b, sides *s) {
  const char *from = cli->args.n_words ? cli->args.words[0] : NULL,
             *to = cli->args.n_words > 1 ? cli->args.words[1] : b->tip;
  newest w = { cli, s, 0 };
  if (!from) {
    if (hm_git_walk(b->git, b->tip, take_newest, &w, &cli->err)) return -1;
    if (w.n == 0)
      return hm_failf(&cli->err, HM_E_UNKNOWN, b->repo, "hmirror publish makes one",
                      "branch %s has no publication", b->branch);
    return 0;
  }
  const char *dots = cli->args.n_words == 1 ? strstr(from, "..") : NULL;
  if (dots) {
    to = dots[2] ? dots + 2 : b->tip;
    from = hm_str_z(cli->a, (hm_str){ from, (size_t)(dots - from) });
  }
  return read_side(cli, b, from, &s->from) || read_side(cli, b, to, &s->to) ? -1 : 0;
}

/* --- text ------------------------------------------------------------------- */

static void print_side(hm_cli *cli, const hm_git_commit *c) {
  if (*c->id)
    printf("%s%.12s%s (%s)", hm_style_of(cli, HM_YELLOW), c->id, hm_style_of(cli, HM_PLAIN),
           hm_commit_day(cli, c));
  else printf("nothing");
}

static void print_project(hm_cli *cli, hm_str id) {
  printf("\n%s%s%s\n", hm_style_of(cli, HM_BOLD), id.n ? hm_show(cli->a, id, 120) : "global",
         hm_style_of(cli, HM_PLAIN));
}

static int as_text(hm_cli *cli, const sides *s, const hm_difference *d) {
  size_t facts = 0;
  print_side(cli, &s->from);
  printf(" to ");
  print_side(cli, &s->to);
  printf("\n");
  for (size_t i = 0; i < d->events.n; i++) {
    const hm_event *e = &d->events.v[i];
    if (i == 0 || !hm_str_eq(e->project, e[-1].project)) print_project(cli, e->project);
    printf("  %.*s: %.*s\n", HM_FMT(hm_event_subject_short(e, cli->a)),
           HM_FMT(hm_event_words(e, cli->a)));
    facts += e->conflict.n == 0;
  }
  if (d->events.n)
    printf("\n%s of facts, %s of conflicts\n", hm_count_text(cli->a, (int64_t)facts, "change", NULL),
           hm_count_text(cli->a, (int64_t)(d->events.n - facts), "change", NULL));
  else if (d->untold)
    printf("\nno conflict differs, but %s\n", hm_count_text(cli->a, (int64_t)d->files, "file", NULL));
  else if (d->files)
    printf("no fact and no conflict differs, but %s: the pages look different\n",
           hm_count_text(cli->a, (int64_t)d->files, "file", NULL));
  else printf("nothing differs\n");
  return 0;
}

/* --- JSON ------------------------------------------------------------------- */

static void side_json(hm_cli *cli, hm_jw *w, const char *key, const hm_git_commit *c) {
  if (!*c->id) {
    hm_jw_null(w, key);
    return;
  }
  hm_jw_obj(w, key);
  hm_commit_json(cli, w, c);
  hm_jw_end(w);
}

static int as_json(hm_cli *cli, const sides *s, const hm_difference *d) {
  hm_jw w;
  hm_buf b;
  hm_json_begin(&w, &b);
  side_json(cli, &w, "from", &s->from);
  side_json(cli, &w, "to", &s->to);
  hm_jw_arr(&w, "events");
  for (size_t i = 0; i < d->events.n; i++) {
    hm_jw_obj(&w, NULL);
    hm_event_json(&w, &d->events.v[i]);
    hm_jw_end(&w);
  }
  hm_jw_end(&w);
  hm_jw_int(&w, "count", (int64_t)d->events.n);
  hm_jw_int(&w, "files", (int64_t)d->files);
  hm_jw_bool(&w, "facts_told", d->untold == 0);
  return hm_json_end(cli, &w, &b);
}

static int run(hm_cli *cli) {
  sides s = { .from = { .author = HM_EMPTY } };
  hm_branch b;
  hm_question everything = { .folder = HM_EMPTY };
  hm_difference d;
  int rc = -1;
  if (hm_branch_open(cli, &b)) return -1;
  hm_progress_phase(cli->progress, "comparing");
  if (read_sides(cli, &b, &s)) goto out;
  if (hm_history_between(b.history, s.from.id, s.to.id, &everything, cli->a, &d, &cli->err))
    goto out;
  hm_progress_clear(cli->progress);
  if (d.untold)
    hm_note(
        cli,
        "one of the two has no data files, from before they were published: its facts are not told");
  rc = (cli->json ? as_json : as_text)(cli, &s, &d);
  if (rc == 0 && (d.events.n || d.untold) && hm_cli_option(cli, "exit-code")) rc = HM_EXIT_FOUND;
  hm_events_free(&d.events);
out:
  hm_branch_close(&b);
  return rc;
}

const hm_command hm_cmd_diff = {
  .name = "diff",
  .words = "[REV [REV]]",
  .brief = "compare two publications as facts and conflicts",
  .about = "Tells what differs between two commits of the mirror: facts that appeared, changed,\n"
           "left; conflicts that were opened, joined, settled, reopened. REV is a commit or a\n"
           "branch, in git's notations (mirror~3, 3f1c2ab). One REV is compared with the tip of\n"
           "the branch; none compares the last two publications. A..B will do for A B.\n",
  .options = options,
  .exits = "0  done\n1  with --exit-code: something differs\n2  trouble, with a message\n",
  .examples =
      "hmirror diff\nhmirror diff mirror~5\nhmirror diff --format json 84f141e 3f1c2ab\nhmirror diff --exit-code v1..mirror\n",
  .least_words = 0,
  .most_words = 2,
  .run = run
};
