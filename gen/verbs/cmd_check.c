/* check: what is disputed, broken or leaked, for CI. */
#include <stdio.h>
#include <string.h>
#include "gen/check/check.h"
#include "gen/check/check_files.h"
#include "gen/verbs/commands.h"
#include "gen/cli/tree_words.h"
#include "gen/mirror/make.h"
#include "gen/sink/git_blame.h"

static const hm_option check_options[] = {
  { "fail-on", 0, "none|open|new", "which conflicts end the check with 1; none" },
  { "baseline", 0, "REV", "compare with this commit; the tip of the branch, of FILEs origin/HEAD" },
  { "repo", 0, "P", "the repository of the baseline (config: publish.repo)" },
  { "branch", 0, "B", "its branch (config: publish.branch)" },
  { "path-prefix", 0, "DIR", "folder of the Markdown in the checkout, put before every path" },
  HM_TREE_WORD_OPTIONS,
  { "no-git", 0, NULL, "of FILEs: do not tell which commits last changed the lines" },
  { "format", 0, "text|json|junit|sarif|github", "how the report is written; text" },
  { 0 }
};
static const char *const check_formats[] = { "text", "json", "junit", "sarif", "github", NULL };

typedef struct {
  hm_check_input in;
  hm_format_options format;
  hm_format_fn *put;
} check_run;

static int read_fail_on(hm_cli *cli, hm_fail_on *out) {
  static const char *const names[] = { "none", "open", "new", NULL };
  int i = hm_cli_read_choice(cli, "fail-on", names, (int)*out);
  if (i >= 0)
    *out = (hm_fail_on)i;
  return i < 0 ? -1 : 0;
}

/* "docs/mirror/": without "./" and with one '/' at the end. */
static hm_str path_prefix(hm_cli *cli) {
  hm_str p = hm_str_c(hm_cli_get_option(cli, "path-prefix"));
  while (hm_str_starts(p, "./"))
    p = hm_str_sub(p, 2, p.n);
  while (p.n > 1 && p.p[p.n - 1] == '/')
    p.n--;
  if (!p.n || hm_str_is(p, "."))
    return HM_EMPTY;
  return hm_str_is(p, "/") ? p : hm_str_fmt(cli->a, "%.*s/", HM_FMT(p));
}

/* The file is read before the store is swept: a baseline that is not there should not cost a build.
 */
static int read_baseline(hm_cli *cli, check_run *c) {
  const char *rev = hm_cli_get_option(cli, "baseline");
  hm_branch r;
  bool found = false;
  if (!rev && c->in.fail_on != HM_FAIL_ON_NEW)
    return 0;
  int rc = hm_branch_open(cli, rev, &r);
  if (!rc)
    rc = hm_git_read_list(r.git, r.commit, HM_STR("conflicts.json"), cli->a,
                          &c->in.baseline_conflicts, &found, &cli->err);
  if (!rc && !found)
    rc = hm_failf(&cli->err, HM_E_INPUT, r.repo, "give a commit that hmirror publish made",
                  "%.12s has no conflicts.json: it is none of a mirror", r.commit);
  c->in.compare = true;
  c->in.baseline = hm_str_dup(cli->a, hm_str_c(r.commit));
  hm_branch_close(&r);
  return rc;
}

static void read_format(hm_cli *cli, check_run *c) {
  c->format = (hm_format_options){ .prefix = path_prefix(cli),
                                   .tool = HM_STR("hmirror"),
                                   .version = HM_STR(HM_VERSION),
                                   .quiet = cli->quiet };
  for (const hm_format *f = hm_formats; f->name; f++)
    if (strcmp(f->name, cli->format) == 0)
      c->put = f->put;
}

static int check_site(hm_cli *cli, hm_made *m, check_run *c) {
  hm_report *r;
  hm_buf out = { 0 };
  read_format(cli, c);
  if (read_fail_on(cli, &c->in.fail_on) || read_baseline(cli, c) ||
      hm_make_prepare(&cli->mirror, false, m, &cli->err) ||
      hm_make_site(&cli->mirror, m, &(hm_make_sink){ 0 }, &cli->err))
    return -1;
  c->in.view = m->view;
  c->in.site = m->site;
  c->in.keep = cli->mirror.config.keep;
  c->in.n_keep = cli->mirror.config.n_keep;
  c->in.published = cli->mirror.config.published;
  c->in.n_published = cli->mirror.config.n_published;
  c->in.store = m->store;
  c->in.threads = cli->mirror.threads;
  hm_progress_phase(cli, "checking pages");
  if (hm_check_run(&c->in, cli->a, &r, &cli->err))
    return -1;
  hm_progress_end_phase(cli);
  c->put(&out, r, &c->format);
  int rc = out.failed
      ? hm_fail(&cli->err, HM_E_OUTPUT, "standard output", "the report is over 2 GiB", NULL)
      : r->fails;
  if (rc >= 0)
    fwrite(out.p, 1, out.n, stdout);
  hm_buf_free(&out);
  return rc;
}

/* The same files in another commit of their work tree. */
static int read_files_baseline(hm_cli *cli, hm_cli_tree *tree, hm_check_files_input *in) {
  char commit[41];
  hm_tree *past;
  if (hm_worktrees_list_past(tree->work, tree->tree, hm_cli_get_option(cli, "baseline"), cli->a,
                             &past, commit, &cli->err))
    return -1;
  in->past = past;
  in->baseline = hm_str_dup(cli->a, hm_str_c(commit));
  in->touched = hm_git_touched_lines;
  return 0;
}

typedef struct {
  const hm_cli_tree *tree;
  hm_git_blames *blames;
} files_git;

static hm_str changed_in(void *ctx, const hm_tree_file *f, size_t line, hm_arena *a) {
  const files_git *g = ctx;
  return hm_git_blame_line(g->blames, f, line, a);
}

static hm_str written_in(void *ctx, const hm_tree_file *f, size_t line, hm_arena *a) {
  const files_git *g = ctx;
  return hm_git_blame_comment(g->blames, f, line, a);
}

static bool reads_history(void *ctx, const hm_tree_file *f) {
  const files_git *g = ctx;
  return hm_git_blame_reads(g->blames, f);
}

static const hm_tree *list_past(void *ctx, hm_str commit, hm_arena *a) {
  const files_git *g = ctx;
  hm_err none = { 0 };
  char id[41];
  hm_tree *past = NULL;
  int rc = hm_worktrees_list_past(g->tree->work, g->tree->tree, hm_str_z(a, commit), a, &past, id,
                                  &none);
  return rc ? NULL : past;
}

static bool is_unread(const hm_tree_file *f) {
  return f->kind == HM_TREE_OTHER && !hm_str_ends(f->path, ".jsonl");
}

/* Tells which files are neither documents nor records. Are all that are named such? */
static bool tell_unread(hm_cli *cli, const hm_tree *t) {
  enum { TOLD = 20 };
  hm_map unread;
  hm_map_init(&unread, cli->a, 16);
  for (size_t i = 0; i < t->n_files; i++) {
    if (!is_unread(&t->files[i]))
      continue;
    hm_map_add(&unread, t->files[i].path, 0);
    if (unread.n <= TOLD)
      hm_cli_warn(cli, "%s: not read: it is not Markdown",
                  hm_terminal_line(cli->a, t->files[i].path, 200));
  }
  if (unread.n > TOLD)
    hm_cli_warn(cli, "and %zu more files that are not Markdown", unread.n - TOLD);
  for (size_t i = 0; i < cli->args.n_words; i++)
    if (hm_map_get(&unread, hm_str_c(cli->args.words[i])) == HM_MAP_NONE)
      return false;
  return true;
}

/* Files without a mirror. */
static int check_files(hm_cli *cli) {
  hm_check_files_input in = { .rules = &cli->mirror.config.rules, .threads = cli->mirror.threads };
  check_run c = { .in.fail_on = HM_FAIL_ON_OPEN };
  hm_cli_tree tree;
  files_git known = { .tree = &tree };
  const hm_check_git git = { &known, changed_in, written_in, reads_history, list_past };
  hm_report *r;
  hm_buf out = { 0 };
  int rc = -1;
  if (hm_cli_list_tree(cli, cli->args.words, cli->args.n_words, &tree))
    goto out;
  read_format(cli, &c);
  if (tell_unread(cli, tree.tree) || !tree.tree->n_files) {
    hm_cli_note_unread(cli, (int64_t[HM_N_NOTES_UNREAD]){ 0 }, tree.tree, true);
    hm_fail(&cli->err, HM_E_INPUT, cli->args.words[0],
            "no file of those that are named can be read", NULL);
    goto out;
  }
  if (read_fail_on(cli, &c.in.fail_on))
    goto out;
  if ((c.in.fail_on == HM_FAIL_ON_NEW || hm_cli_get_option(cli, "baseline")) &&
      read_files_baseline(cli, &tree, &in))
    goto out;
  in.tree = tree.tree;
  if (!hm_cli_get_option(cli, "no-git")) {
    known.blames = hm_git_blames_new(tree.work);
    in.git = &git;
  }
  in.fail_on = c.in.fail_on;
  if (hm_check_files(&in, cli->a, &r, &cli->err))
    goto out;
  if (!r->files && tree.tree->files[0].kind == HM_TREE_OTHER) {
    hm_fail(&cli->err, HM_E_INPUT, cli->args.words[0],
            "no document is among the files that are named",
            "name those that the verdicts are about, too");
    goto out;
  }
  c.put(&out, r, &c.format);
  if (out.n)
    fwrite(out.p, 1, out.n, stdout);
  for (size_t i = 0; i < r->n_limits; i++)
    hm_cli_warn(cli, "%s:%zu: not read: %s", hm_terminal_line(cli->a, r->limits[i].path, 200),
                r->limits[i].line, r->limits[i].why);
  hm_cli_note_unread(cli, r->unread, tree.tree, cli->verbose);
  rc = r->fails;
out:
  hm_buf_free(&out);
  hm_git_blames_free(known.blames);
  hm_cli_tree_free(&tree);
  return rc;
}

static int run_check(hm_cli *cli) {
  hm_made m = { 0 };
  check_run c = { 0 };
  if (cli->args.n_words)
    return check_files(cli);
  int rc = check_site(cli, &m, &c);
  hm_made_free(&m);
  return rc;
}

const hm_command hm_cmd_check = {
  .name = "check",
  .words = "[FILE|FOLDER...]",
  .most_words = -1,
  .brief = "report what is disputed, broken or leaked, for CI",
  .about =
      "Of FILEs: what contradicts what, at file and line of each side; it needs no mirror. Else:\n"
      "renders the site in memory and reports, at file and line of the Markdown, broken links and\n"
      "leaks of what publish.exclude leaves out, which always fail the check; open conflicts,\n"
      "which fail it when --fail-on says so; findings, which never do. Writes nothing.\n",
  .options = check_options,
  .formats = check_formats,
  .exits = "0  nothing that fails\n"
           "1  a broken link, a missing anchor, a leak, or a conflict that --fail-on names\n"
           "2  trouble, with a message; nothing was checked\n",
  .examples = "hmirror check\n"
              "hmirror check --fail-on new docs CLAUDE.md\n"
              "hmirror check --fail-on new --format github\n"
              "hmirror check --format sarif --path-prefix mirror > hmirror.sarif\n"
              "hmirror check --fail-on new --baseline mirror~7 --format junit > report.xml\n",
  .words_need_no_config = true,
  .tells_excludes = true,
  .run = run_check
};
