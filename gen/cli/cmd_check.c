/* check: what is disputed, broken or leaked, for CI; verify: is a commit of the mirror what the
 * store gives? */
#include <stdio.h>
#include <string.h>
#include "gen/check/check.h"
#include "gen/check/drift.h"
#include "gen/check/report.h"
#include "gen/cli/branch.h"
#include "gen/cli/commands.h"
#include "gen/cli/verify_journal.h"
#include "gen/cli/verify_signatures.h"
#include "gen/cli/work.h"
#include "gen/mirror/make.h"
#include "gen/mirror/publication.h"

static const hm_option check_options[] = {
  { "fail-on", 0, "none|open|new", "which conflicts end the check with 1; none" },
  { "baseline", 0, "REV",
    "the commit that new conflicts are compared with; the tip of the branch" },
  { "repo", 0, "P", "the repository of the baseline (config: publish.repo)" },
  { "branch", 0, "B", "its branch (config: publish.branch)" },
  { "path-prefix", 0, "DIR", "folder of the Markdown in the checkout, put before every path" },
  { "format", 0, "text|json|junit|sarif|github", "how the report is written; text" },
  { 0 }
};
static const char *const check_formats[] = { "text", "json", "junit", "sarif", "github", NULL };

typedef struct { hm_check_input in; hm_format_options format; hm_format_fn *put; } check_run;

static int read_fail_on(hm_cli *cli, hm_fail_on *out) {
  static const char *const names[] = { "none", "open", "new" };
  const char *v = hm_cli_option(cli, "fail-on");
  *out = HM_FAIL_ON_NONE;
  if (!v) return 0;
  for (int i = 0; i < 3; i++)
    if (strcmp(v, names[i]) == 0) { *out = (hm_fail_on)i; return 0; }
  return hm_failf(&cli->err, HM_E_USAGE, "--fail-on", "give one of none, open, new", "'%.60s'", v);
}

/* "docs/mirror/": without "./" and with one '/' at the end. */
static hm_str path_prefix(hm_cli *cli) {
  hm_str p = hm_str_c(hm_cli_option(cli, "path-prefix"));
  while (hm_str_starts(p, "./")) p = hm_str_sub(p, 2, p.n);
  while (p.n > 1 && p.p[p.n - 1] == '/') p.n--;
  if (!p.n || hm_str_is(p, ".")) return HM_EMPTY;
  return hm_str_is(p, "/") ? p : hm_str_fmt(cli->a, "%.*s/", HM_FMT(p));
}

/* The file is read before the store is swept: a baseline that is not there should not cost a build.
 */
static int read_baseline(hm_cli *cli, check_run *c) {
  const char *rev = hm_cli_option(cli, "baseline");
  hm_branch r;
  bool found = false;
  if (!rev && c->in.fail_on != HM_FAIL_ON_NEW) return 0;
  int rc = hm_branch_open(cli, rev, &r);
  if (!rc)
    rc = hm_git_list(r.git, r.commit, HM_STR("conflicts.json"), cli->a, &c->in.baseline_conflicts,
                     &found, &cli->err);
  if (!rc && !found)
    rc = hm_failf(&cli->err, HM_E_INPUT, r.repo, "give a commit that hmirror publish made",
                  "%.12s has no conflicts.json: it is none of a mirror", r.commit);
  c->in.compare = true;
  c->in.baseline = hm_str_dup(cli->a, hm_str_c(r.commit));
  hm_branch_close(&r);
  return rc;
}

static int read_check_options(hm_cli *cli, check_run *c) {
  c->format = (hm_format_options){ .prefix = path_prefix(cli),
                                   .tool = HM_STR("hmirror"),
                                   .version = HM_STR(HM_VERSION),
                                   .quiet = cli->quiet };
  for (const hm_format *f = hm_formats; f->name; f++)
    if (strcmp(f->name, cli->format) == 0) c->put = f->put;
  return read_fail_on(cli, &c->in.fail_on) || read_baseline(cli, c) ? -1 : 0;
}

static int check_site(hm_cli *cli, hm_made *m, check_run *c) {
  hm_report *r;
  hm_buf out = { 0 };
  if (read_check_options(cli, c) || hm_make_ready(&cli->mirror, false, m, &cli->err) ||
      hm_make_site(&cli->mirror, m, &(hm_make_sink){ 0 }, &cli->err))
    return -1;
  c->in.view = m->view;
  c->in.site = m->site;
  c->in.keep = cli->mirror.config.keep;
  c->in.n_keep = cli->mirror.config.n_keep;
  c->in.published = cli->mirror.config.published;
  c->in.n_published = cli->mirror.config.n_published;
  c->in.threads = cli->mirror.threads;
  hm_phase(cli, "checking pages");
  if (hm_check_run(&c->in, cli->a, &r, &cli->err)) return -1;
  hm_phase_end(cli);
  c->put(&out, r, &c->format);
  int rc = out.failed
      ? hm_fail(&cli->err, HM_E_OUTPUT, "standard output", "the report is over 2 GiB", NULL)
      : r->fails;
  if (rc >= 0) fwrite(out.p, 1, out.n, stdout);
  hm_buf_free(&out);
  return rc;
}

static int run_check(hm_cli *cli) {
  hm_made m = { 0 };
  check_run c = { 0 };
  int rc = check_site(cli, &m, &c);
  hm_made_free(&m);
  return rc;
}

const hm_command hm_cmd_check = {
  .name = "check",
  .words = "",
  .brief = "report what is disputed, broken or leaked, for CI",
  .about =
      "Renders the site in memory and writes nothing. Reports, at file and line of the Markdown:\n"
      "broken links and anchors, and leaks of what publish.exclude leaves out, which always fail\n"
      "the check; open conflicts, which fail it when --fail-on says so (all open ones, or those\n"
      "that were not disputed at the baseline); findings, which never fail it.\n",
  .options = check_options,
  .formats = check_formats,
  .exits =
      "0  nothing that fails\n"
      "1  a broken link, a missing anchor, a leak, or a conflict that --fail-on names\n"
      "2  trouble, with a message; nothing was checked\n",
  .examples = "hmirror check\nhmirror check --fail-on new --format github\n"
              "hmirror check --format sarif --path-prefix mirror > hmirror.sarif\n"
              "hmirror check --fail-on new --baseline mirror~7 --format junit > report.xml\n",
  .only_reads = true,
  .tells_excludes = true,
  .run = run_check
};

static const hm_option verify_options[] = {
  { "repo", 0, "P", "the repository (config: publish.repo)" },
  { "branch", 0, "B", "the branch whose newest commit is compared (config: publish.branch)" },
  { "markdown-only", 0, NULL, "the branch has no HTML (config: publish.pages)" },
  { "html-only", 0, NULL, "the branch has no Markdown (config: publish.pages)" },
  { "signatures", 0, NULL, "check who signed each commit instead of comparing files" },
  { 0 }
};

static int print_drift_json(hm_cli *cli, const hm_branch *r, const hm_drift *d,
                            const hm_seen_journal *journal) {
  hm_jw *w = hm_json_begin(cli);
  hm_jw_bool(w, "same", d->n == 0);
  hm_jw_str(w, "repo", hm_str_c(r->repo));
  hm_jw_str(w, "commit", hm_str_c(d->commit));
  hm_jw_str_or_null(w, "published", hm_str_c(d->published));
  hm_jw_int(w, "commits_by_hand", d->by_hand);
  hm_jw_arr(w, "differs");
  for (size_t i = 0; i < d->n; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "path", d->files[i].path);
    hm_jw_str(w, "how", hm_str_c(hm_drift_name(d->files[i].kind)));
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_arr(w, "reasons");
  for (size_t i = 0; i < d->n_reasons; i++) {
    hm_jw_obj(w, NULL);
    hm_jw_str(w, "what", hm_str_c(d->reasons[i].what));
    hm_jw_str(w, "then", d->reasons[i].then);
    hm_jw_str(w, "now", d->reasons[i].now);
    hm_jw_end(w);
  }
  hm_jw_end(w);
  hm_jw_int(w, "count", d->n);
  hm_verify_journal_json(cli, w, journal);
  return hm_json_end(cli);
}

static void note_drift_reasons(hm_cli *cli, const hm_drift *d) {
  if (!d->published[0])
    hm_note(cli, "no commit up to %.12s is a publication of hmirror", d->commit);
  else if (d->by_hand)
    hm_note(cli, "%s by others after the publication %.12s",
            hm_count_text(cli->a, d->by_hand, "commit"), d->published);
  for (size_t i = 0; i < d->n_reasons; i++)
    hm_note(cli, "not the same %s: %s then, %s now", d->reasons[i].what,
            hm_show(cli->a, d->reasons[i].then, 24), hm_show(cli->a, d->reasons[i].now, 24));
  if (d->published[0] && !d->by_hand && !d->n_reasons)
    hm_note(
        cli,
        "the same store, time, tool, rules and templates: the theme, static files or other "
        "settings changed, or publish.exclude");
}

static int print_drift(hm_cli *cli, const hm_branch *r, const hm_drift *d,
                       const hm_seen_journal *journal) {
  for (size_t i = 0; i < d->n; i++)
    printf("%-7s  %s\n", hm_drift_name(d->files[i].kind), hm_show(cli->a, d->files[i].path, 0));
  if (d->n) note_drift_reasons(cli, d);
  if (journal) hm_verify_journal_print(cli, journal);
  if (cli->quiet) return 0;
  if (d->n)
    printf("%s, %.12s: %s\n", r->repo, d->commit,
           hm_count_words(cli->a, d->n, "file differs", "files differ"));
  else printf("%s, %.12s: as the store gives it\n", r->repo, d->commit);
  return 0;
}

/* hm_part_read of a commit; ctx: the hm_branch. */
static int read_commit(void *ctx, hm_str path, hm_arena *a, hm_str *bytes, hm_err *err) {
  const hm_branch *r = ctx;
  bool found;
  *bytes = HM_EMPTY;
  return hm_git_blob(r->git, r->commit, path, a, bytes, &found, err);
}

/* What a publication onto this commit would be made with. */
static int commit_files(hm_cli *cli, hm_branch *r, hm_tip_files *out) {
  hm_git_file *files;
  size_t n;
  if (hm_git_files(r->git, r->commit, cli->a, &files, &n, &cli->err)) return -1;
  hm_str *paths = hm_alloc_array(cli->a, n + 1, sizeof *paths);
  for (size_t i = 0; i < n; i++) paths[i] = files[i].path;
  *out = (hm_tip_files){ .exists = true, .read = read_commit, .ctx = r, .paths = paths, .n = n };
  return 0;
}

static int verify_commit(hm_cli *cli, hm_made *m, hm_branch *r) {
  hm_drift d;
  hm_tip_files files;
  if (hm_cli_page_forms(cli) ||
      hm_branch_open(cli, cli->args.n_words ? cli->args.words[0] : NULL, r) ||
      commit_files(cli, r, &files))
    return -1;
  if (hm_make_ready(&cli->mirror, false, m, &cli->err) ||
      hm_make_site(&cli->mirror, m, &(hm_make_sink){ .tip = &files }, &cli->err))
    return -1;
  hm_drift_input in = { .site = m->site,
                        .snapshot = m->sweep.snap->digest,
                        .now = hm_publish_now(&cli->mirror, &m->sweep, m->view),
                        .tool = HM_STR(HM_TOOL),
                        .rules = hm_publish_rules(&cli->mirror),
                        .templates = hm_templates_digest(m->look.templates),
                        .keep = cli->mirror.config.keep,
                        .n_keep = cli->mirror.config.n_keep,
                        .threads = cli->mirror.threads };
  hm_phase(cli, "comparing");
  if (hm_drift_of(r->git, r->commit, &in, cli->a, &d, &cli->err)) return -1;
  hm_phase_end(cli);
  hm_seen_journal seen, *journal = cli->mirror.config.journal ? &seen : NULL;
  if (journal && hm_verify_journal(cli, r, &seen)) return -1;
  if (cli->json ? print_drift_json(cli, r, &d, journal) : print_drift(cli, r, &d, journal))
    return -1;
  return d.n || (journal && !hm_seen_journal_whole(journal)) ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

static int run_verify(hm_cli *cli) {
  hm_made m = { 0 };
  hm_branch r = { 0 };
  int rc = hm_cli_option(cli, "signatures") ? hm_verify_signatures(cli, &r)
                                            : verify_commit(cli, &m, &r);
  hm_branch_close(&r);
  hm_made_free(&m);
  return rc;
}

const hm_command hm_cmd_verify = {
  .name = "verify",
  .words = "[REV]",
  .brief = "compare a commit of the mirror with what the store gives",
  .about =
      "Renders the site in memory and compares it with the files of REV, or of the newest commit\n"
      "of the branch, and says why they differ; files that publish.keep names are not compared.\n"
      "With publish.journal it also proves that the journal is the one that the commits saw.\n"
      "With --signatures it checks who signed each commit instead. Writes nothing.\n",
  .options = verify_options,
  .exits = "0  the same; all signed\n"
           "1  some file or the journal differs; some commit has no good signature\n"
           "2  trouble, with a message\n",
  .examples =
      "hmirror verify\nhmirror verify mirror~1 --repo ../mirror.git\n"
      "hmirror verify --format json\n",
  .most_words = 1,
  .only_reads = true,
  .run = run_verify
};
