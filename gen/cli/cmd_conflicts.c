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
static int check_touching(hm_cli *cli, const filter *f, size_t listed) {
  const uint32_t *rows;
  if (!f->about || listed || hm_about_rows(f->about, &rows)) return 0;
  return hm_failf(
      &cli->err, HM_E_UNKNOWN, "--touching", "give a row (kind:id or id), or the name of an entity",
      "no row is '%.60s', and no conflict concerns that", hm_cli_option(cli, "touching"));
}

/* Conflicts are printed as they come: JSON that is longer than this does not wait for its end. */
enum { JSON_WAITS = 1 << 20 };

typedef struct {
  hm_cli *cli;
  bool superseded;       /* what superseded what is listed, not the conflicts */
  hm_jw j;
  hm_buf b;              /* JSON; not begun: text */
  size_t n;
} printer;

static int print_conflict(printer *p, const hm_sweep *w, const hm_conflict_rec *c) {
  hm_cli *cli = p->cli;
  if (p->superseded) {
    hm_succession *list;
    size_t n = hm_successions_of(w->snap, &c, 1, hm_str_c(hm_cli_option(cli, "type")), cli->a, &list);
    hm_successions_show(cli, cli->json ? &p->j : NULL, w->snap, list, n);
    p->n += n;
  } else if (cli->json) {
    hm_buf one = { 0 };
    hm_conflict_json(&one, w, c, NULL, true, cli->a);
    hm_jw_raw(&p->j, NULL, hm_buf_view(&one));
    hm_buf_free(&one);
    p->n++;
  } else {
    const hm_json *tree = hm_conflict_tree(cli, w, c);
    if (!tree) return -1;
    hm_conflict_line(cli, tree);
    p->n++;
  }
  if (p->b.n < JSON_WAITS || p->b.failed) return 0;
  fwrite(p->b.p, 1, p->b.n, stdout);
  hm_buf_clear(&p->b);
  return 0;
}

/* What it takes lives in the arena of a page. */
static int visit_conflict(void *ctx, const hm_sweep *w, const hm_conflict_rec *c, hm_arena *a,
                          hm_err *err) {
  printer *p = ctx;
  hm_arena *run = p->cli->a;
  (void)err;
  p->cli->a = a;
  int rc = print_conflict(p, w, c);
  p->cli->a = run;
  return rc;
}

/* Silence could be taken for a mistake. */
static void note_none(hm_cli *cli, const filter *f) {
  hm_note(cli, f->all ? "no such conflict is recorded" : "no such conflict is %s",
          hm_verdict_name(f->status));
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

/* By a sweep of the whole store. */
static int list_swept(hm_cli *cli, filter *f, printer *p, size_t *unrecorded) {
  hm_sweep w;
  size_t n;
  if (hm_mirror_sweep(&cli->mirror, &(hm_sweep_options){ .details = true }, &w, &cli->err)) return -1;
  hm_progress_clear(cli->progress);
  int rc = read_project(cli, w.snap, f) || read_touching(cli, w.snap, f) ? -1 : 0;
  const hm_conflict_rec **all = hm_cli_recorded(cli, &w, &n);
  size_t passing = 0;
  for (size_t i = 0; i < n && !rc; i++)
    if (passes(f, all[i])) all[passing++] = all[i];
  if (!rc) rc = check_touching(cli, f, passing);
  for (size_t i = 0; i < passing && !rc; i++) rc = print_conflict(p, &w, all[i]);
  *unrecorded = w.plan->opened;
  hm_sweep_free(&w);
  return rc;
}

/* By the index of the claims: 1; 0 when only a sweep can tell. */
static int list_indexed(hm_cli *cli, const filter *f, printer *p, size_t *unrecorded) {
  hm_store *store = NULL;
  hm_conflict_list l;
  hm_str project = hm_str_c(hm_cli_option(cli, "project"));
  hm_conflict_query q = { .status = f->all ? NULL : &f->status,
                          .project = f->one_project ? &project : NULL };
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &store, &cli->err)) return -1;
  int rc = hm_query_conflicts(store, &cli->mirror.config.rules, &q, visit_conflict, p, &l, &cli->err);
  hm_store_close(store);
  if (rc) return -1;
  cli->mirror.work.rows_read += l.rows;
  cli->mirror.work.claims_made += l.claims;
  cli->mirror.work.slots_judged += l.slots;
  hm_note_indexed(cli, l.known);
  *unrecorded = l.unrecorded;
  return l.known;
}

/* What a row touches is found by the relations of the whole store, so --touching takes a sweep. */
static int run_list(hm_cli *cli) {
  filter f;
  size_t unrecorded;
  printer p = { .cli = cli, .superseded = hm_cli_option(cli, "superseded") };
  if (check_list(cli) || read_status(cli, &f)) return -1;
  f.one_project = hm_cli_option(cli, "project") != NULL;
  if (cli->json) {
    hm_json_begin(&p.j, &p.b);
    hm_jw_arr(&p.j, p.superseded ? "superseded" : "conflicts");
  }
  int rc = hm_cli_option(cli, "touching") ? 0 : list_indexed(cli, &f, &p, &unrecorded);
  if (!rc) rc = list_swept(cli, &f, &p, &unrecorded);
  if (rc < 0) {
    hm_buf_free(&p.b);
    return -1;
  }
  hm_note_unrecorded(cli, unrecorded);
  if (cli->json) {
    hm_jw_end(&p.j);
    hm_jw_int(&p.j, "count", (int64_t)p.n);
    if (hm_json_end(cli, &p.j, &p.b)) return -1;
  } else if (!p.n && p.superseded) {
    hm_note(cli, "no row is superseded because of such a conflict");
  } else if (!p.n) {
    note_none(cli, &f);
  }
  return p.n && hm_cli_option(cli, "exit-code") ? HM_EXIT_FOUND : HM_EXIT_FINE;
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
