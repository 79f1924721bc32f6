#include <stdio.h>
#include <string.h>
#include "core/base/near.h"
#include "core/detect/explain.h"
#include "core/review/about.h"
#include "core/review/succession.h"
#include "core/store/project_names.h"
#include "gen/cli/commands.h"
#include "gen/cli/conflict_text.h"
#include "gen/cli/out.h"
#include "gen/cli/succession_text.h"
#include "gen/cli/verdict.h"

static const hm_option options[] = {
  { "status", 0, "S", "list: open (default), resolved, dismissed, merged, all" },
  { "project", 0, "P", "list: of this project only, by id, alias or name" },
  { "touching", 0, "ROW", "list: that concern ROW (a row, an entity's name) or its parts" },
  { "superseded", 0, NULL, "list: what superseded what because of a conflict" },
  { "type", 0, "T", "list: with --superseded, rows of this type only" },
  { "exit-code", 0, NULL, "list: end with 1 when the list is not empty" },
  { "winner", 0, "MEMBER", "resolve: the claim that stands, kind:id or the id of one member" },
  { "supersede-others", 0, NULL, "resolve: all other members give way, also those that agree" },
  { "whole-row", 0, NULL, "resolve: supersede rows that also say other things" },
  { "field-only", 0, NULL, "resolve: only the judged field leaves such a row, the rest stands" },
  { "no-action", 0, NULL, "resolve: no row changes" },
  { "link", 0, NULL, "resolve, with --no-action: link the sides as `contradicts`" },
  { "notes", 0, "TEXT", "resolve: why" },
  { "reason", 0, "TEXT", "dismiss, reopen: why" },
  { "dry-run", 0, NULL, "resolve, dismiss, reopen: only say what would change" },
  { 0 }
};

/* Which conflicts `list` shows. */
typedef struct {
  bool all;
  hm_verdict status;
  bool one_project;
  hm_str project;
  hm_about *about;
} filter;

/* What is listed. */
typedef struct { const hm_conflict_rec **v; size_t n; } listed;

static int read_status(hm_cli *cli, filter *f) {
  const char *s = hm_cli_option(cli, "status");
  /* What superseded what is a matter of settled conflicts. */
  *f = (filter){ .status = HM_OPEN, .all = !s && hm_cli_option(cli, "superseded") };
  if (!s) return 0;
  if (strcmp(s, "all") == 0) { f->all = true; return 0; }
  for (hm_verdict v = HM_OPEN; v < HM_N_VERDICTS; v++)
    if (strcmp(s, hm_verdict_name(v)) == 0) { f->status = v; return 0; }
  return hm_failf(&cli->err, HM_E_USAGE, "--status",
                  "give one of open, resolved, dismissed, merged, all", "'%.60s'", s);
}

/* Of a sweep of the whole store. */
static int read_project(hm_cli *cli, const hm_snapshot *snap, filter *f) {
  const char *p = hm_cli_option(cli, "project");
  hm_project_fit fit;
  if (!p) return 0;
  uint32_t i = hm_snapshot_project(snap, hm_str_c(p), cli->a, &fit);
  if (i == HM_MAP_NONE) {
    hm_project_unknown(hm_str_c(p), &fit, &cli->err);
    cli->err.code = HM_E_USAGE;
    return -1;
  }
  f->project = snap->projects[i].id;
  return 0;
}

static int read_touching(hm_cli *cli, const hm_snapshot *snap, filter *f) {
  const char *row = hm_cli_option(cli, "touching");
  if (!row) return 0;
  if (!*row)
    return hm_fail(&cli->err, HM_E_USAGE, "--touching", "it is empty",
                   "give a row (kind:id or id), or the name of an entity");
  f->about = hm_about_new(snap, hm_str_c(row), cli->a);
  return 0;
}

static bool passes(const filter *f, const hm_conflict_rec *c) {
  if (!f->all && c->status != f->status) return false;
  if (f->one_project && !hm_str_eq(c->project, f->project)) return false;
  return !f->about || hm_about_concerns(f->about, c);
}

/* A name that nothing has and that no conflict concerns is misspelt. */
static int check_touching(hm_cli *cli, const filter *f, const listed *l) {
  const uint32_t *rows;
  if (!f->about || l->n || hm_about_rows(f->about, &rows)) return 0;
  return hm_failf(
      &cli->err, HM_E_UNKNOWN, "--touching", "give a row (kind:id or id), or the name of an entity",
      "no row is '%.60s', and no conflict concerns that", hm_cli_option(cli, "touching"));
}

static listed choose(hm_cli *cli, const hm_sweep *w, const filter *f) {
  listed l = { 0 };
  size_t n;
  l.v = hm_cli_recorded(cli, w, &n);
  for (size_t i = 0; i < n; i++)
    if (passes(f, l.v[i])) l.v[l.n++] = l.v[i];
  return l;
}

static int list_json(hm_cli *cli, const hm_sweep *w, const listed *l) {
  hm_jw j;
  hm_buf b, one = { 0 };
  hm_json_begin(&j, &b);
  hm_jw_arr(&j, "conflicts");
  for (size_t i = 0; i < l->n; i++) {
    hm_buf_clear(&one);
    hm_conflict_json(&one, w, l->v[i], NULL, true, cli->a);
    hm_jw_raw(&j, NULL, hm_buf_view(&one));
  }
  hm_buf_free(&one);
  hm_jw_end(&j);
  hm_jw_int(&j, "count", (int64_t)l->n);
  return hm_json_end(cli, &j, &b);
}

static int list_text(hm_cli *cli, const hm_sweep *w, const listed *l) {
  for (size_t i = 0; i < l->n; i++) {
    const hm_json *tree = hm_conflict_tree(cli, w, l->v[i]);
    if (!tree) return -1;
    hm_conflict_line(cli, tree);
  }
  return 0;
}

/* Silence could be taken for a mistake. */
static void note_none(hm_cli *cli, const filter *f) {
  hm_note(cli, f->all ? "no such conflict is recorded" : "no such conflict is %s",
          hm_verdict_name(f->status));
}

static int list_superseded(hm_cli *cli, const hm_snapshot *snap, const listed *l) {
  hm_succession *list;
  hm_str type = hm_str_c(hm_cli_option(cli, "type"));
  size_t n = hm_successions_of(snap, l->v, l->n, type, cli->a, &list);
  if (!n && !cli->json) hm_note(cli, "no row is superseded because of such a conflict");
  if (hm_successions_show(cli, snap, list, n)) return -1;
  return n && hm_cli_option(cli, "exit-code") ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

static int list(hm_cli *cli, const hm_sweep *w, const filter *f) {
  hm_note_unrecorded(cli, w);
  listed l = choose(cli, w, f);
  if (check_touching(cli, f, &l)) return -1;
  if (hm_cli_option(cli, "superseded")) return list_superseded(cli, w->snap, &l);
  if (!l.n && !cli->json) note_none(cli, f);
  if (cli->json ? list_json(cli, w, &l) : list_text(cli, w, &l)) return -1;
  return l.n && hm_cli_option(cli, "exit-code") ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

static int check_list(hm_cli *cli) {
  if (cli->args.n_words > 1)
    return hm_fail(&cli->err, HM_E_USAGE, "conflicts list", "takes no more words",
                   "to see one: hmirror conflicts show ID");
  if (hm_cli_option(cli, "type") && !hm_cli_option(cli, "superseded"))
    return hm_fail(&cli->err, HM_E_USAGE, "--type",
                   "given without --superseded, and conflicts have no type of their own",
                   "add --superseded, or leave it out");
  return 0;
}

/* What a row touches is found by the relations of the whole store, so --touching takes a sweep. */
static int run_list(hm_cli *cli) {
  filter f;
  hm_sweep w;
  const char *p = hm_cli_option(cli, "project");
  if (check_list(cli) || read_status(cli, &f)) return -1;
  hm_str project = hm_str_c(p);
  f.one_project = p != NULL;
  hm_conflict_query q = { .id = HM_EMPTY,
                          .status = f.all ? NULL : &f.status,
                          .project = p ? &project : NULL };
  int rc = hm_cli_option(cli, "touching") ? 0 : hm_cli_query(cli, &q, &w, &f.project);
  if (rc < 0) return -1;
  if (!rc) {
    if (hm_mirror_sweep(&cli->mirror, &(hm_sweep_options){ .details = true }, &w, &cli->err)) return -1;
    hm_progress_clear(cli->progress);
    rc = read_project(cli, w.snap, &f) || read_touching(cli, w.snap, &f) ? -1 : 0;
  }
  if (rc >= 0) rc = list(cli, &w, &f);
  hm_sweep_free(&w);
  return rc;
}

static int show(hm_cli *cli, const hm_sweep *w) {
  const hm_conflict_rec *rec = hm_cli_conflict(cli, w, cli->args.words[1]);
  if (!rec) return -1;
  if (cli->json) {
    hm_buf b = { 0 };
    hm_conflict_json(&b, w, rec, NULL, true, cli->a);
    printf("%.*s\n", HM_FMT(hm_buf_view(&b)));
    hm_buf_free(&b);
    return HM_EXIT_FINE;
  }
  const hm_json *tree = hm_conflict_tree(cli, w, rec);
  if (!tree) return -1;
  hm_conflict_show(cli, tree);
  return HM_EXIT_FINE;
}

/* --- words -------------------------------------------------------------------- */

static int run_show(hm_cli *cli) {
  hm_sweep w;
  if (cli->args.n_words < 2)
    return hm_fail(&cli->err, HM_E_USAGE, "conflicts show", "the ID is missing",
                   "see 'hmirror conflicts list'");
  if (hm_cli_sweep_for_conflict(cli, cli->args.words[1], &w)) return -1;
  int rc = show(cli, &w);
  hm_sweep_free(&w);
  return rc;
}

/* takes: the options of this word; the verb has those of all. */
static const struct { const char *name; int (*run)(hm_cli *cli); const char *takes;
} words[] = {
  { "list", run_list, " status project touching type superseded exit-code " },
  { "show", run_show, "" },
  { "resolve", hm_cli_resolve,
    " winner supersede-others whole-row field-only no-action link notes dry-run " },
  { "dismiss", hm_cli_dismiss, " reason dry-run " },
  { "reopen", hm_cli_reopen, " reason dry-run " },
};
enum { N_WORDS = sizeof words / sizeof *words };

static const char *nth_word(void *ctx, size_t i) {
  (void)ctx;
  return i < N_WORDS ? words[i].name : NULL;
}

static int unknown_word(hm_cli *cli, const char *word) {
  const char *near = hm_nearest(word, nth_word, NULL),
             *fix = "say list, show, resolve, dismiss or reopen";
  if (near) fix = hm_str_fmt(cli->a, "did you mean '%s'?", near).p;
  return hm_failf(&cli->err, HM_E_USAGE, "conflicts", fix, "unknown: '%.60s'", word);
}

/* An option that does nothing would hide a mistake. */
static int check_options(hm_cli *cli, size_t word) {
  for (const hm_option *o = options; o->name; o++) {
    if (!hm_cli_option(cli, o->name)) continue;
    if (strstr(words[word].takes, hm_str_fmt(cli->a, " %s ", o->name).p)) continue;
    return hm_failf(&cli->err, HM_E_USAGE, hm_str_fmt(cli->a, "--%s", o->name).p,
                    "see 'hmirror conflicts --help'", "'conflicts %s' does not take it",
                    words[word].name);
  }
  return 0;
}

static int run(hm_cli *cli) {
  size_t i = 0;
  while (i < N_WORDS && strcmp(cli->args.words[0], words[i].name) != 0) i++;
  if (i == N_WORDS) return unknown_word(cli, cli->args.words[0]);
  return check_options(cli, i) ? -1 : words[i].run(cli);
}

const hm_command hm_cmd_conflicts = {
  .name = "conflicts",
  .words = "list|show|resolve|dismiss|reopen [ID]",
  .brief = "list recorded conflicts, show or settle one",
  .about =
      "'list' shows recorded conflicts, a line each, 'show' all sides of one. ID: its beginning is\n"
      "enough. 'resolve' lets the winner stand and supersedes what contradicts it; a row that also\n"
      "says other things wants --whole-row or --field-only. 'dismiss': it is no contradiction;\n"
      "'reopen' takes a verdict back ('hmirror restore', a row). Only people give verdicts.\n",
  .options = options,
  .exits =
      "0  done\n1  with --exit-code: there are such conflicts\n2  trouble, with a message; nothing is half-written\n",
  .examples =
      "hmirror conflicts list --project p05\nhmirror conflicts show c1f0\n"
      "hmirror conflicts resolve c1f0 --winner entity:e1 --notes \"Design review 3\" --dry-run\n"
      "hmirror conflicts resolve c1f0 --no-action --notes \"Both hold, for now\" --by kim\n"
      "hmirror conflicts dismiss c1f0 --reason \"Two different legs\"\n"
      "hmirror conflicts list --touching frame --status all\n"
      "hmirror conflicts list --superseded --type Decision --format json\n",
  .least_words = 1,
  .most_words = 2,
  .run = run
};
