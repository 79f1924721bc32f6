#include <stdio.h>
#include "gen/check/drift.h"
#include "gen/cli/commands.h"
#include "gen/mirror/make.h"
#include "gen/cli/out.h"
#include "gen/mirror/publish.h"
#include "gen/cli/revision.h"

static const hm_option options[] = {
  { "repo", 0, "P", "the repository (config: publish.repo)" },
  { "branch", 0, "B", "the branch whose newest commit is compared (config: publish.branch)" },
  { 0 }
};

static int as_json(hm_cli *cli, const hm_revision *r, const hm_drift *d) {
  hm_jw w;
  hm_buf b;
  hm_json_begin(&w, &b);
  hm_jw_bool(&w, "same", d->n == 0);
  hm_jw_str(&w, "repo", hm_str_c(r->repo));
  hm_jw_str(&w, "commit", hm_str_c(d->commit));
  hm_jw_str_or_null(&w, "published", hm_str_c(d->published));
  hm_jw_int(&w, "commits_by_hand", (int64_t)d->by_hand);
  hm_jw_arr(&w, "differs");
  for (size_t i = 0; i < d->n; i++) {
    hm_jw_obj(&w, NULL);
    hm_jw_str(&w, "path", d->files[i].path);
    hm_jw_str(&w, "how", hm_str_c(hm_drift_name(d->files[i].kind)));
    hm_jw_end(&w);
  }
  hm_jw_end(&w);
  hm_jw_arr(&w, "reasons");
  for (size_t i = 0; i < d->n_reasons; i++) {
    hm_jw_obj(&w, NULL);
    hm_jw_str(&w, "what", hm_str_c(d->reasons[i].what));
    hm_jw_str(&w, "then", d->reasons[i].then);
    hm_jw_str(&w, "now", d->reasons[i].now);
    hm_jw_end(&w);
  }
  hm_jw_end(&w);
  hm_jw_int(&w, "count", (int64_t)d->n);
  return hm_json_end(cli, &w, &b);
}

static void say_why(hm_cli *cli, const hm_drift *d) {
  if (!d->published[0])
    hm_note(cli, "no commit up to %.12s is a publication of hmirror", d->commit);
  else if (d->by_hand)
    hm_note(cli, "%s by others after the publication %.12s",
            hm_count_text(cli->a, (int64_t)d->by_hand, "commit", NULL), d->published);
  for (size_t i = 0; i < d->n_reasons; i++)
    hm_note(cli, "not the same %s: %s then, %s now", d->reasons[i].what,
            hm_show(cli->a, d->reasons[i].then, 24), hm_show(cli->a, d->reasons[i].now, 24));
  if (d->published[0] && !d->by_hand && !d->n_reasons)
    hm_note(
        cli,
        "the same store, time, tool, rules and templates: the theme, static files or other settings changed, or publish.exclude");
}

static int as_text(hm_cli *cli, const hm_revision *r, const hm_drift *d) {
  for (size_t i = 0; i < d->n; i++)
    printf("%-7s  %s\n", hm_drift_name(d->files[i].kind), hm_show(cli->a, d->files[i].path, 0));
  if (d->n) say_why(cli, d);
  if (cli->quiet) return 0;
  if (d->n)
    printf("%s, %.12s: %s\n", r->repo, d->commit,
           hm_count_text(cli->a, (int64_t)d->n, "file differs", "files differ"));
  else printf("%s, %.12s: as the store gives it\n", r->repo, d->commit);
  return 0;
}

static int verify(hm_cli *cli, hm_made *m, hm_revision *r) {
  hm_drift d;
  if (hm_revision_open(cli, cli->args.n_words ? cli->args.words[0] : NULL, r)) return -1;
  if (hm_make_ready(&cli->mirror, false, m, &cli->err) || hm_make_site(&cli->mirror, m, &(hm_make_sink){ 0 }, &cli->err)) return -1;
  hm_drift_input in = { .site = m->site,
                        .snapshot = m->sweep.snap->digest,
                        .now = hm_publish_now(&cli->mirror, &m->sweep, m->view),
                        .tool = HM_STR(HM_TOOL),
                        .rules = hm_publish_rules(&cli->mirror),
                        .templates = hm_templates_digest(m->look.templates),
                        .keep = cli->mirror.config.keep,
                        .n_keep = cli->mirror.config.n_keep,
                        .threads = cli->mirror.threads };
  hm_progress_phase(cli->progress, "comparing");
  if (hm_drift_of(r->git, r->commit, &in, cli->a, &d, &cli->err)) return -1;
  hm_progress_clear(cli->progress);
  if (cli->json ? as_json(cli, r, &d) : as_text(cli, r, &d)) return -1;
  return d.n ? HM_EXIT_FOUND : HM_EXIT_FINE;
}

static int run(hm_cli *cli) {
  hm_made m = { 0 };
  hm_revision r = { 0 };
  int rc = verify(cli, &m, &r);
  hm_revision_close(&r);
  hm_made_free(&m);
  return rc;
}

const hm_command hm_cmd_verify = {
  .name = "verify",
  .words = "[REV]",
  .brief = "compare a commit of the mirror with what the store gives",
  .about =
      "Renders the site in memory and compares it with the files of REV, or of the newest\n"
      "commit of the branch: lists what changed, is missing or was added since, and says\n"
      "whether the store, the time, the tool, the rules or the templates are others now. What\n"
      "publish.keep names is not looked at. Nothing is written anywhere.\n",
  .options = options,
  .exits = "0  the same\n1  some file differs\n2  trouble, with a message\n",
  .examples =
      "hmirror verify\nhmirror verify mirror~1 --repo ../mirror.git\nhmirror verify --format json\n",
  .most_words = 1,
  .only_reads = true,
  .run = run
};
