#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gen/cli/commands.h"
#include "gen/cli/history_text.h"

static const hm_option options[] = {
  { "repo", 0, "P", "the repository (config: publish.repo)" },
  { "branch", 0, "B", "the branch (config: publish.branch)" },
  { "max", 'n', "N", "the newest N publications only" },
  { 0 }
};

enum { FACTS_SHOWN = 20, FILES_SHOWN = 3, ID_DIGITS = 7 };

typedef struct {
  hm_cli *cli;
  hm_question q;
  int64_t most, told;        /* publications */
  hm_buf out;
  hm_jw json;
  bool hold;                 /* nothing is printed before the end is known */
  hm_str *projects; size_t n_projects;   /* that speak of the slot */
} teller;

static bool asks_one_thing(const hm_question *q) { return q->slot.n || q->conflict.n || q->row.n; }

/* --- text ------------------------------------------------------------------- */

static void begin_line(teller *t, const hm_git_commit *c) {
  hm_cli *cli = t->cli;
  hm_buf_fmt(&t->out, "%s%s%s  %s%.*s%s  ", hm_style_of(cli, HM_DIM), hm_commit_day(cli, c),
             hm_style_of(cli, HM_PLAIN), hm_style_of(cli, HM_YELLOW), ID_DIGITS, c->id,
             hm_style_of(cli, HM_PLAIN));
}

static void event_line(teller *t, const hm_git_commit *c, const hm_event *e) {
  hm_cli *cli = t->cli;
  begin_line(t, c);
  hm_buf_fmt(&t->out, "%s%.*s%s: ", hm_style_of(cli, HM_BOLD), HM_FMT(hm_event_subject(e, cli->a)),
             hm_style_of(cli, HM_PLAIN));
  hm_buf_str(&t->out, hm_event_words(e, cli->a));
  hm_buf_ch(&t->out, '\n');
}

/* What it said of itself, where its facts are not to be had. */
static void message_line(teller *t, const hm_publication *p) {
  hm_str message = p->commit->message;
  const char *end = message.n ? memchr(message.p, '\n', message.n) : NULL;
  begin_line(t, p->commit);
  hm_buf_fmt(
      &t->out, "%s (its facts are not told)\n",
      hm_show(t->cli->a, hm_str_sub(message, 0, end ? (size_t)(end - message.p) : message.n), 200));
}

/* Conflicts are told one by one, of many facts the first: the others are a matter for diff. */
static void publication_text(teller *t, const hm_publication *p) {
  const hm_events *l = &p->difference->events;
  hm_cli *cli = t->cli;
  bool all = asks_one_thing(&t->q) || cli->verbose;
  size_t shown = all ? SIZE_MAX : p->first ? 0 : FACTS_SHOWN, facts = 0;
  if (p->difference->untold && !asks_one_thing(&t->q)) {
    message_line(t, p);
  } else if (p->first && !asks_one_thing(&t->q)) {
    begin_line(t, p->commit);
    hm_buf_fmt(&t->out, "first publication: %s\n",
               hm_count_text(cli->a, (int64_t)p->difference->rows, "fact", NULL));
  }
  for (size_t i = 0; i < l->n; i++) {
    bool fact = l->v[i].conflict.n == 0;
    facts += fact;
    if (!fact || facts <= shown) event_line(t, p->commit, &l->v[i]);
  }
  if (shown == 0 || facts <= shown) return;
  begin_line(t, p->commit);
  hm_buf_fmt(&t->out, "and %s: hmirror diff %.*s~1 %.*s\n",
             hm_count_text(cli->a, (int64_t)(facts - shown), "more change", NULL), ID_DIGITS, p->commit->id,
             ID_DIGITS, p->commit->id);
}

static void by_hand_text(teller *t, const hm_publication *p) {
  hm_cli *cli = t->cli;
  begin_line(t, p->commit);
  hm_buf_fmt(&t->out, "by hand, by %s: %s changed:", hm_show(cli->a, p->commit->author, 60),
             hm_count_text(cli->a, (int64_t)p->n_changes, "file", NULL));
  for (size_t i = 0; i < p->n_changes && i < FILES_SHOWN; i++)
    hm_buf_fmt(&t->out, "%s %s", i ? "," : "", hm_show(cli->a, p->changes[i].path, 100));
  if (p->n_changes > FILES_SHOWN) hm_buf_fmt(&t->out, " and %zu more", p->n_changes - FILES_SHOWN);
  hm_buf_ch(&t->out, '\n');
}

static void cut_text(teller *t, const hm_publication *p) {
  begin_line(t, p->commit);
  hm_buf_c(&t->out, "what it changed is not in this clone, which is shallow\n");
}

/* --- JSON ------------------------------------------------------------------- */

static void first_json(teller *t, const hm_publication *p) {
  hm_jw_obj(&t->json, NULL);
  hm_commit_json(t->cli, &t->json, p->commit);
  hm_jw_str(&t->json, "event", HM_STR("first_publication"));
  hm_jw_int(&t->json, "facts", (int64_t)p->difference->rows);
  hm_jw_int(&t->json, "disputed", (int64_t)p->difference->disputed);
  hm_jw_end(&t->json);
}

static void untold_json(teller *t, const hm_publication *p) {
  hm_jw_obj(&t->json, NULL);
  hm_commit_json(t->cli, &t->json, p->commit);
  hm_jw_str(&t->json, "event", HM_STR("facts_not_told"));
  hm_jw_str(&t->json, "message", p->commit->message);
  hm_jw_end(&t->json);
}

static void publication_json(teller *t, const hm_publication *p) {
  if (p->difference->untold && !asks_one_thing(&t->q)) untold_json(t, p);
  else if (p->first && !asks_one_thing(&t->q)) first_json(t, p);
  for (size_t i = 0; i < p->difference->events.n; i++) {
    hm_jw_obj(&t->json, NULL);
    hm_commit_json(t->cli, &t->json, p->commit);
    hm_event_json(&t->json, &p->difference->events.v[i]);
    hm_jw_end(&t->json);
  }
}

static void other_json(teller *t, const hm_publication *p) {
  hm_jw_obj(&t->json, NULL);
  hm_commit_json(t->cli, &t->json, p->commit);
  hm_jw_str(&t->json, "event", p->cut ? HM_STR("shallow") : HM_STR("edited_by_hand"));
  hm_jw_arr(&t->json, "files");
  for (size_t i = 0; i < p->n_changes; i++) hm_jw_str(&t->json, NULL, p->changes[i].path);
  hm_jw_end(&t->json);
  hm_jw_end(&t->json);
}

/* --- the walk ----------------------------------------------------------------- */

static void note_projects(teller *t, const hm_events *l) {
  for (size_t i = 0; i < l->n; i++) {
    size_t k = 0;
    while (k < t->n_projects && !hm_str_eq(t->projects[k], l->v[i].project)) k++;
    if (k < t->n_projects || k == FACTS_SHOWN) continue;
    t->projects[t->n_projects++] = hm_str_dup(t->cli->a, l->v[i].project);
  }
}

static int tell(void *ctx, const hm_publication *p, hm_err *err) {
  teller *t = ctx;
  (void)err;
  if (t->told == t->most) return 1;
  t->told++;
  bool told = p->difference && !p->cut;
  if (t->cli->json) (told ? publication_json : other_json)(t, p);
  else if (told) publication_text(t, p);
  else (p->cut ? cut_text : by_hand_text)(t, p);
  if (t->hold && told) note_projects(t, &p->difference->events);
  if (!t->hold && !t->cli->json) {
    fwrite(t->out.p, 1, t->out.n, stdout);
    hm_buf_clear(&t->out);
  }
  return 0;
}

/* Where the facts begin. */
static void note_facts_from(teller *t, const hm_branch *b) {
  const char *from;
  if (!hm_history_without_facts(b->history, &from)) return;
  if (*from)
    hm_note(t->cli, "facts are told from %.12s on; what was published before has no data files",
            from);
  else
    hm_note(
        t->cli,
        "what is published here has no data files yet: facts are told from the next hmirror publish on");
}

static int unknown(teller *t, const char *branch) {
  hm_str word = hm_str_c(t->cli->args.words[0]);
  const char *what = hm_str_fmt(t->cli->a, "log '%.*s'", HM_FMT(hm_str_sub(word, 0, 100))).p;
  return hm_failf(
      &t->cli->err, HM_E_UNKNOWN, what,
      "give a slot as 'project / name', a conflict's id, a row as kind:id, or a project",
      "nothing on branch %s speaks of it", branch);
}

static int ambiguous(teller *t) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < t->n_projects; i++)
    hm_buf_fmt(&b, "%s%s", i ? ", " : "",
               t->projects[i].n ? hm_show(t->cli->a, t->projects[i], 60) : "global");
  hm_str list = hm_buf_keep(&b, t->cli->a);
  hm_buf_free(&b);
  return hm_failf(&t->cli->err, HM_E_USAGE,
                  hm_str_fmt(t->cli->a, "log '%.100s'", t->cli->args.words[0]).p,
                  "put the project before it: 'project / name'",
                  "several projects have this slot: %.*s", HM_FMT(list));
}

static int walk(teller *t, hm_branch *b) {
  if (hm_history_walk(b->history, b->tip, &t->q, tell, t, &t->cli->err)) return -1;
  note_facts_from(t, b);
  if (t->n_projects > 1 && !t->q.one_project) return ambiguous(t);
  if (t->told == 0 && asks_one_thing(&t->q)) return unknown(t, b->branch);
  return 0;
}

static int read_most(hm_cli *cli, int64_t *out) {
  const char *n = hm_cli_option(cli, "max");
  char *end;
  *out = n ? strtoll(n, &end, 10) : INT64_MAX;
  if (n && (*end || *out < 1 || n[0] < '0' || n[0] > '9'))
    return hm_fail(&cli->err, HM_E_USAGE, hm_cli_shown(cli, "max"), "no number above 0",
                   "give how many publications to tell of");
  return 0;
}

static int print(teller *t, const hm_branch *b) {
  hm_buf json;
  hm_cli *cli = t->cli;
  if (!cli->json) {
    fwrite(t->out.p, 1, t->out.n, stdout);
    return HM_EXIT_FINE;
  }
  hm_jw w;
  hm_json_begin(&w, &json);
  hm_jw_str(&w, "repo", hm_str_c(b->repo));
  hm_jw_str(&w, "branch", hm_str_c(b->branch));
  const char *from;
  if (hm_history_without_facts(b->history, &from))
    hm_jw_str_or_null(&w, "facts_from", hm_str_c(from));
  hm_jw_end(&t->json);
  hm_jw_raw(&w, "events", hm_buf_view(&t->out));
  return hm_json_end(cli, &w, &json);
}

static int run(hm_cli *cli) {
  teller t = { .cli = cli, .projects = hm_alloc_array(cli->a, FACTS_SHOWN, sizeof(hm_str)) };
  hm_branch b;
  int rc = -1;
  if (read_most(cli, &t.most) || hm_branch_open(cli, &b)) return -1;
  hm_progress_phase(cli->progress, "reading the branch");
  if (cli->args.n_words && hm_history_ask(b.history, cli->args.words[0], cli->a, &t.q, &cli->err))
    goto out;
  t.hold = t.q.slot.n && !t.q.one_project;
  t.q.first_in_brief = !cli->json && !cli->verbose && !asks_one_thing(&t.q);
  hm_jw_init(&t.json, &t.out, 0);
  if (cli->json) hm_jw_arr(&t.json, NULL);
  if (walk(&t, &b)) goto out;
  hm_progress_clear(cli->progress);
  rc = print(&t, &b);
out:
  hm_buf_free(&t.out);
  hm_branch_close(&b);
  return rc;
}

const hm_command hm_cmd_log = {
  .name = "log",
  .words = "[SLOT|CONFLICT|ROW|PROJECT]",
  .brief = "tell when facts changed, were disputed, were settled",
  .about =
      "Tells what each publication on the branch changed, newest first: of everything, or of\n"
      "one slot ('p05 / lateral_support_material', or its name alone where only one project\n"
      "has it), conflict, row (kind:id) or project (id, alias or name). Commits of others, and\n"
      "of times without data files, are named as such. -v: all facts of a large publication.\n",
  .options = options,
  .exits = HM_EXITS_USUAL,
  .examples =
      "hmirror log 'p05 / lateral_support_material'\nhmirror log c10e1600fe43f\nhmirror log p05 -n 5\n"
      "hmirror log --format json entity:p05-e14\n",
  .least_words = 0,
  .most_words = 1,
  .run = run
};
