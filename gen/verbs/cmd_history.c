/* log: what each publication on the branch changed; diff: what differs between two commits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/base/ascii.h"
#include "gen/verbs/commands.h"
#include "gen/history/history.h"

/* --- log -------------------------------------------------------------------------- */

enum { FACTS_SHOWN = 20, FILES_SHOWN = 3, ID_DIGITS = 7 };

typedef struct {
  hm_cli *cli;
  hm_history_question q;
  bool one_thing;     /* a slot, a conflict or a row was asked for */
  int64_t most, told; /* publications */
  hm_buf out;         /* text */
  hm_jw *json;
  bool hold; /* nothing is printed before the end is known */
  hm_str *projects;
  size_t n_projects; /* that speak of the slot */
} log_printer;

static void print_commit_head(log_printer *t, const hm_git_commit *c) {
  hm_cli *cli = t->cli;
  hm_buf_fmt(&t->out, "%s%-10s%s  %s%.*s%s  ", cli->dim, hm_commit_day(cli, c), cli->plain,
             cli->yellow, ID_DIGITS, c->id, cli->plain);
}

/* All conflicts are told, and of many facts the first: the others are a matter for diff. */
static void print_publication(log_printer *t, const hm_publication *p) {
  const hm_events *l = &p->difference->events;
  hm_cli *cli = t->cli;
  size_t shown = t->one_thing || cli->verbose ? SIZE_MAX : p->first ? 0 : FACTS_SHOWN, facts = 0;
  if (p->difference->untold && !t->one_thing) {
    hm_str message = p->commit->message;
    ptrdiff_t end = hm_str_find(message, "\n");
    print_commit_head(t, p->commit);
    hm_buf_fmt(
        &t->out, "%s (its facts are not told)\n",
        hm_terminal_line(cli->a, end < 0 ? message : hm_str_sub(message, 0, (size_t)end), 200));
  } else if (p->first && !t->one_thing) {
    print_commit_head(t, p->commit);
    hm_buf_fmt(&t->out, "first publication: %s\n",
               hm_format_count(cli->a, p->difference->rows, "fact"));
  }
  for (size_t i = 0; i < l->n; i++) {
    const hm_event *e = &l->v[i];
    if (!e->conflict.n && facts++ >= shown)
      continue;
    print_commit_head(t, p->commit);
    hm_buf_fmt(&t->out, "%s%.*s%s: %.*s\n", cli->bold, HM_FMT(hm_event_subject(e, cli->a)),
               cli->plain, HM_FMT(hm_event_format_text(e, cli->a)));
  }
  if (shown == 0 || facts <= shown)
    return;
  print_commit_head(t, p->commit);
  hm_buf_fmt(&t->out, "and %s: hmirror diff %.*s~1 %.*s\n",
             hm_format_count(cli->a, facts - shown, "more change"), ID_DIGITS, p->commit->id,
             ID_DIGITS, p->commit->id);
}

/* A commit of somebody else, or one that a shallow clone cuts off. */
static void print_other_commit(log_printer *t, const hm_publication *p) {
  hm_cli *cli = t->cli;
  print_commit_head(t, p->commit);
  if (p->cut) {
    hm_buf_c(&t->out, "what it changed is not in this clone, which is shallow\n");
    return;
  }
  hm_buf_fmt(&t->out,
             "by hand, by %s: %s changed:", hm_terminal_line(cli->a, p->commit->author, 60),
             hm_format_count(cli->a, p->n_changes, "file"));
  for (size_t i = 0; i < p->n_changes && i < FILES_SHOWN; i++)
    hm_buf_fmt(&t->out, "%s %s", i ? "," : "", hm_terminal_line(cli->a, p->changes[i].path, 100));
  if (p->n_changes > FILES_SHOWN)
    hm_buf_fmt(&t->out, " and %zu more", p->n_changes - FILES_SHOWN);
  hm_buf_ch(&t->out, '\n');
}

/* Opens the object of an event; name NULL: it says so itself. */
static hm_jw *begin_event_json(log_printer *t, const hm_publication *p, const char *name) {
  hm_jw_obj(t->json, NULL);
  hm_commit_json(t->cli, t->json, p->commit);
  if (name)
    hm_jw_str(t->json, "event", hm_str_c(name));
  return t->json;
}

static void print_publication_json(log_printer *t, const hm_publication *p) {
  const hm_difference *d = p->difference;
  hm_jw *w = t->json;
  if (!d || p->cut) {
    begin_event_json(t, p, p->cut ? "shallow" : "edited_by_hand");
    hm_jw_arr(w, "files");
    for (size_t i = 0; i < p->n_changes; i++)
      hm_jw_str(w, NULL, p->changes[i].path);
    hm_jw_end(w);
    hm_jw_end(w);
    return;
  }
  if (d->untold && !t->one_thing) {
    hm_jw_str(begin_event_json(t, p, "facts_not_told"), "message", p->commit->message);
    hm_jw_end(w);
  } else if (p->first && !t->one_thing) {
    begin_event_json(t, p, "first_publication");
    hm_jw_int(w, "facts", d->rows);
    hm_jw_int(w, "disputed", d->disputed);
    hm_jw_end(w);
  }
  for (size_t i = 0; i < d->events.n; i++) {
    hm_event_write_json(begin_event_json(t, p, NULL), &d->events.v[i]);
    hm_jw_end(w);
  }
}

static int on_publication(void *ctx, const hm_publication *p, hm_err *err) {
  log_printer *t = ctx;
  (void)err;
  if (t->told == t->most)
    return 1;
  t->told++;
  bool has_facts = p->difference && !p->cut;
  if (t->cli->json)
    print_publication_json(t, p);
  else
    (has_facts ? print_publication : print_other_commit)(t, p);
  for (size_t i = 0; t->hold && has_facts && i < p->difference->events.n; i++) {
    hm_str project = p->difference->events.v[i].project;
    size_t k = 0;
    while (k < t->n_projects && !hm_str_eq(t->projects[k], project))
      k++;
    if (k < t->n_projects || k == FACTS_SHOWN)
      continue;
    t->projects[t->n_projects++] = hm_str_dup(t->cli->a, project);
  }
  if (!t->hold) {
    if (t->out.n)
      fwrite(t->out.p, 1, t->out.n, stdout);
    hm_buf_clear(&t->out);
  }
  return 0;
}

/* A word that nothing on the branch speaks of, or a slot that several projects have. */
static int check_told(log_printer *t, const char *branch) {
  hm_cli *cli = t->cli;
  bool ambiguous = t->n_projects > 1 && !t->q.one_project;
  if (!ambiguous && (t->told || !t->one_thing))
    return 0;
  const char *what = hm_str_fmt(cli->a, "log '%.100s'", cli->args.words[0]).p;
  if (!ambiguous)
    return hm_failf(&cli->err, HM_E_UNKNOWN, what,
                    "give a slot as 'project / name', a conflict's id, a row as kind:id, or a "
                    "project",
                    "nothing on branch %s speaks of it", branch);
  hm_buf b = { 0 };
  for (size_t i = 0; i < t->n_projects; i++)
    hm_buf_fmt(&b, "%s%s", i ? ", " : "",
               t->projects[i].n ? hm_terminal_line(cli->a, t->projects[i], 60) : "global");
  hm_failf(&cli->err, HM_E_USAGE, what, "put the project before it: 'project / name'",
           "several projects have this slot: %.*s", HM_FMT(hm_buf_view(&b)));
  hm_buf_free(&b);
  return -1;
}

static int print_history(log_printer *t, const hm_branch *b, hm_history *history) {
  hm_cli *cli = t->cli;
  const char *word = cli->args.n_words ? cli->args.words[0] : NULL, *from;
  if (word && hm_history_resolve_question(history, word, cli->a, &t->q, &cli->err))
    return -1;
  t->one_thing = t->q.slot.n || t->q.conflict.n || t->q.row.n;
  t->hold = t->q.slot.n && !t->q.one_project;
  t->q.first_in_brief = !cli->json && !cli->verbose && !t->one_thing;
  if (cli->json) {
    t->json = hm_cli_json_begin(cli);
    hm_jw_str(t->json, "repo", hm_str_c(b->repo));
    hm_jw_str(t->json, "branch", hm_str_c(b->branch));
    hm_jw_arr(t->json, "events");
  }
  if (hm_history_walk(history, b->commit, &t->q, on_publication, t, &cli->err))
    return -1;
  bool lacks_facts = hm_history_lacks_data_files(history, &from);
  if (lacks_facts && *from)
    hm_note(cli, "facts are told from %.12s on; what was published before has no data files", from);
  else if (lacks_facts)
    hm_note(cli,
            "what is published here has no data files yet: facts are told from the next "
            "hmirror publish on");
  if (check_told(t, b->branch))
    return -1;
  hm_progress_end_phase(cli);
  if (!cli->json)
    return fwrite(t->out.p, 1, t->out.n, stdout), HM_EXIT_FINE;
  hm_jw_end(t->json);
  if (lacks_facts)
    hm_jw_str_or_null(t->json, "facts_from", hm_str_c(from));
  return hm_cli_json_end(cli);
}

static int run_log(hm_cli *cli) {
  log_printer t = { .cli = cli,
                    .most = INT64_MAX,
                    .projects = hm_alloc_array(cli->a, FACTS_SHOWN, sizeof(hm_str)) };
  hm_branch b;
  const char *n = hm_cli_get_option(cli, "max");
  char *end;
  if (n)
    t.most = strtoll(n, &end, 10);
  if (n && (*end || t.most < 1 || !hm_is_digit(n[0])))
    return hm_fail_usage(cli, hm_cli_option_as_typed(cli, "max"), "no number above 0",
                         "give how many publications to tell of");
  int rc = hm_branch_open(cli, NULL, &b);
  if (!rc) {
    hm_progress_phase(cli, "reading the branch");
    hm_history *history = hm_history_new(b.git, b.commit, &cli->mirror.config.rules);
    rc = print_history(&t, &b, history);
    hm_history_free(history);
  }
  hm_buf_free(&t.out);
  hm_branch_close(&b);
  return rc;
}

static const hm_option log_options[] = { HM_BRANCH_OPTIONS,
                                         { "max", 'n', "N", "the newest N publications only" },
                                         { 0 } };

const hm_command hm_cmd_log = {
  .name = "log",
  .words = "[SLOT|CONFLICT|ROW|PROJECT]",
  .brief = "tell when facts changed, were disputed, were settled",
  .about =
      "Tells what each publication on the branch changed, newest first: of everything, or of\n"
      "one slot ('p05 / lateral_support_material', or its name alone where only one project\n"
      "has it), conflict, row (kind:id) or project (id, alias or name). Says which commits are\n"
      "somebody else's or have no data files. -v lists all facts of a large publication.\n",
  .options = log_options,
  .exits = HM_EXITS_USUAL,
  .examples = "hmirror log 'p05 / lateral_support_material'\nhmirror log c10e1600fe43f\n"
              "hmirror log p05 -n 5\n"
              "hmirror log --format json entity:p05-e14\n",
  .least_words = 0,
  .most_words = 1,
  .run = run_log
};

/* --- diff ------------------------------------------------------------------------- */

/* The two sides; an empty id is the time before the first publication. */
typedef struct {
  hm_cli *cli;
  hm_git_commit from, to;
  int n;
} diff_sides;

/* The newest publication is `to`, the one before it `from`. */
static int take_newest(void *ctx, const hm_git_commit *c, hm_err *err) {
  diff_sides *s = ctx;
  (void)err;
  if (!c->ours)
    return 0;
  hm_git_commit *side = s->n++ ? &s->from : &s->to;
  *side = *c;
  side->author = hm_str_dup(s->cli->a, c->author);
  return s->n == 2;
}

static int read_side(hm_cli *cli, hm_branch *b, const char *rev, hm_git_commit *out) {
  char id[41];
  if (hm_git_resolve(b->git, rev, id, &cli->err) ||
      hm_git_commit_read(b->git, id, cli->a, out, &cli->err))
    return -1;
  if (!out->ours)
    hm_note(cli, "%s is a commit by %s, not a publication of hmirror's", rev,
            hm_terminal_line(cli->a, out->author, 60));
  return 0;
}

/* "A B", "A..B", "A" (to the tip), or nothing: the last two publications. */
static int read_sides(hm_cli *cli, hm_branch *b, diff_sides *s) {
  const char *from = cli->args.n_words ? cli->args.words[0] : NULL,
             *to = cli->args.n_words > 1 ? cli->args.words[1] : b->commit;
  if (!from) {
    if (hm_git_walk(b->git, b->commit, take_newest, s, &cli->err))
      return -1;
    return s->n ? 0
                : hm_failf(&cli->err, HM_E_UNKNOWN, b->repo, "hmirror publish makes one",
                           "branch %s has no publication", b->branch);
  }
  const char *dots = cli->args.n_words == 1 ? strstr(from, "..") : NULL;
  if (dots) {
    to = dots[2] ? dots + 2 : b->commit;
    from = hm_str_z(cli->a, (hm_str){ from, (size_t)(dots - from) });
  }
  return read_side(cli, b, from, &s->from) || read_side(cli, b, to, &s->to) ? -1 : 0;
}

static const char *side_text(hm_cli *cli, const hm_git_commit *c) {
  return *c->id
      ? hm_str_fmt(cli->a, "%s%.12s%s (%s)", cli->yellow, c->id, cli->plain, hm_commit_day(cli, c))
            .p
      : "nothing";
}

static int print_diff(hm_cli *cli, const diff_sides *s, const hm_difference *d) {
  size_t facts = 0;
  printf("%s to %s\n", side_text(cli, &s->from), side_text(cli, &s->to));
  for (size_t i = 0; i < d->events.n; i++) {
    const hm_event *e = &d->events.v[i];
    if (i == 0 || !hm_str_eq(e->project, e[-1].project))
      printf("\n%s%s%s\n", cli->bold,
             e->project.n ? hm_terminal_line(cli->a, e->project, 120) : "global", cli->plain);
    printf("  %.*s: %.*s\n", HM_FMT(hm_event_subject_short(e, cli->a)),
           HM_FMT(hm_event_format_text(e, cli->a)));
    facts += e->conflict.n == 0;
  }
  if (d->events.n)
    printf("\n%s of facts, %s of conflicts\n", hm_format_count(cli->a, facts, "change"),
           hm_format_count(cli->a, d->events.n - facts, "change"));
  else if (d->untold)
    printf("\nno conflict differs, but %s\n", hm_format_count(cli->a, d->files, "file"));
  else if (d->files)
    printf("no fact and no conflict differs, but %s: the pages look different\n",
           hm_format_count(cli->a, d->files, "file"));
  else
    printf("nothing differs\n");
  return 0;
}

static int print_diff_json(hm_cli *cli, const diff_sides *s, const hm_difference *d) {
  hm_jw *w = hm_cli_json_begin(cli);
  for (int to = 0; to < 2; to++) {
    const hm_git_commit *c = to ? &s->to : &s->from;
    if (!*c->id) {
      hm_jw_null(w, to ? "to" : "from");
      continue;
    }
    hm_jw_obj(w, to ? "to" : "from");
    hm_commit_json(cli, w, c);
    hm_jw_end(w);
  }
  hm_jw_arr(w, "events");
  for (size_t i = 0; i < d->events.n; i++) {
    hm_jw_obj(w, NULL);
    hm_event_write_json(w, &d->events.v[i]);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_int(w, "count", d->events.n);
  hm_jw_int(w, "files", d->files);
  hm_jw_bool(w, "facts_told", d->untold == 0);
  return hm_cli_json_end(cli);
}

static int run_diff(hm_cli *cli) {
  diff_sides s = { .cli = cli, .from = { .author = HM_EMPTY } };
  hm_branch b;
  hm_history *history = NULL;
  hm_difference d;
  int rc = hm_branch_open(cli, NULL, &b);
  hm_progress_phase(cli, "comparing");
  if (rc || (rc = read_sides(cli, &b, &s)))
    goto out;
  history = hm_history_new(b.git, b.commit, &cli->mirror.config.rules);
  rc = hm_history_compare(history, s.from.id, s.to.id, &(hm_history_question){ .folder = HM_EMPTY },
                          cli->a, &d, &cli->err);
  if (rc)
    goto out;
  hm_progress_end_phase(cli);
  if (d.untold)
    hm_note(cli,
            "one of the two has no data files, from before they were published: its facts are "
            "not told");
  rc = (cli->json ? print_diff_json : print_diff)(cli, &s, &d);
  if (rc == 0 && (d.events.n || d.untold) && hm_cli_get_option(cli, "exit-code"))
    rc = HM_EXIT_FOUND;
  hm_events_free(&d.events);
out:
  hm_history_free(history);
  hm_branch_close(&b);
  return rc;
}

static const hm_option diff_options[] = {
  HM_BRANCH_OPTIONS, { "exit-code", 0, NULL, "end with 1 when a fact or a conflict differs" }, { 0 }
};

const hm_command hm_cmd_diff = {
  .name = "diff",
  .words = "[REV [REV]]",
  .brief = "compare two publications as facts and conflicts",
  .about = "Tells what differs between two commits of the mirror: facts that appeared, changed,\n"
           "left; conflicts that were opened, joined, settled, reopened. REV is a commit or a\n"
           "branch, in git's notations (mirror~3, 3f1c2ab). One REV is compared with the tip of\n"
           "the branch; none compares the last two publications. A..B will do for A B.\n",
  .options = diff_options,
  .exits = "0  done\n1  with --exit-code: something differs\n2  trouble, with a message\n",
  .examples = "hmirror diff\nhmirror diff mirror~5\nhmirror diff --format json 84f141e 3f1c2ab\n"
              "hmirror diff --exit-code v1..mirror\n",
  .least_words = 0,
  .most_words = 2,
  .run = run_diff
};
