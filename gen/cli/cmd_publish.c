#include <stdio.h>
#include "gen/cli/watch_loop.h"
#include "gen/cli/commands.h"
#include "gen/cli/out.h"
#include "gen/cli/publication.h"

static const hm_option options[] = {
  { "repo", 0, "P", "the repository, made if it does not exist (config: publish.repo)" },
  { "branch", 0, "B", "the branch (config: publish.branch)" },
  { "message", 'm', "MSG", "first line of the commit message (config: publish.message)" },
  { "push", 0, "REMOTE", "push to a name, a path or an address (config: publish.push)" },
  { "push-timeout", 0, "SECONDS",
    "give a silent remote up after that; 60 (config: publish.push_timeout)" },
  { "markdown-only", 0, NULL, "no HTML, no theme in the branch (config: publish.pages)" },
  { "html-only", 0, NULL, "no Markdown in the branch (config: publish.pages)" },
  { "full", 0, NULL, "make every page anew, also those that did not change" },
  { "watch", 0, NULL, "go on: publish again whenever anything changes" },
  { "no-sweep", 0, NULL, "only read the store; new disputes are shown, not recorded" },
  { 0 }
};

static hm_str first_line(hm_str message) {
  ptrdiff_t end = hm_str_find(message, "\n");
  return end < 0 ? message : hm_str_sub(message, 0, (size_t)end);
}

static int as_json(hm_cli *cli, const hm_publication *p) {
  hm_jw w;
  hm_buf b;
  hm_json_begin(&w, &b);
  hm_jw_str(&w, "repo", hm_str_c(p->opt.repo));
  hm_jw_str(&w, "branch", hm_str_c(p->opt.branch));
  hm_jw_str(&w, "commit", hm_str_c(p->result.commit));
  hm_jw_bool(&w, "created", p->result.created);
  hm_jw_str_or_null(&w, "remote",
                    p->opt.remote ? hm_remote_shown(cli->a, p->opt.remote->url) : HM_EMPTY);
  hm_jw_bool(&w, "pushed", p->sent);
  hm_jw_int(&w, "objects", (int64_t)p->result.objects);
  hm_jw_int(&w, "edited", (int64_t)p->result.edited);
  hm_jw_str_or_null(&w, "summary", p->result.created ? first_line(p->message) : HM_EMPTY);
  hm_made_json(&w, &p->made);
  return hm_json_end(cli, &w, &b);
}

static int as_text(hm_cli *cli, const hm_publication *p) {
  if (cli->quiet) return HM_EXIT_FINE;
  if (p->result.created)
    printf("%s, branch %s: %.12s %s\n", p->opt.repo, p->opt.branch, p->result.commit,
           hm_show(cli, first_line(p->message), 0));
  else
    printf("%s, branch %s: nothing changed since %.12s\n", p->opt.repo, p->opt.branch,
           p->result.commit);
  if (p->opt.remote)
    printf("%s: %s\n", hm_remote_shown(cli->a, p->opt.remote->url).p,
           p->sent ? "pushed" : "has it already");
  return HM_EXIT_FINE;
}

static int tell(hm_cli *cli, const hm_publication *p) {
  hm_progress_clear(cli->progress);
  return cli->json ? as_json(cli, p) : as_text(cli, p);
}

static int publish(hm_cli *cli) {
  hm_publication p = { 0 };
  int rc = hm_publication_options(cli, &p) || hm_publication_run(cli, &p) ? -1 : tell(cli, &p);
  hm_publication_free(&p);
  return rc;
}

/* Of many publications those that are none are told only to who waits for it. 1: nobody could be
 * told. */
static int publish_again(void *ctx, hm_cli *cli) {
  hm_publication p = { 0 };
  (void)ctx;
  int rc = hm_publication_options(cli, &p) || hm_publication_run(cli, &p) ? -1 : 0;
  if (!rc && (p.result.created || p.sent || cli->awaited)) rc = tell(cli, &p);
  hm_publication_free(&p);
  if (rc) return -1;
  return hm_out_close(&cli->err) ? 1 : 0;
}

static int run(hm_cli *cli) {
  return hm_cli_option(cli, "watch") ? hm_watch_loop(cli, publish_again, NULL) : publish(cli);
}

const hm_command hm_cmd_publish = {
  .name = "publish",
  .words = "",
  .brief = "commit the pages to a branch",
  .about =
      "Sweeps the store, renders the site and commits it to a branch; one that moved meanwhile is\n"
      "never overwritten. Equal pages make no commit. Now and the date: SOURCE_DATE_EPOCH, else the\n"
      "newest fact's. --push fetches the remote's branch first and sends the commit there (over https\n"
      "with HMIRROR_GIT_TOKEN); a lost race is begun anew. --watch goes on until Ctrl-C or SIGTERM.\n",
  .options = options,
  .exits =
      "0  the branch has the site\n2  trouble, with a message; the branch is as it was\n130  with --watch: ended at once by a second Ctrl-C\n",
  .examples =
      "hmirror publish\nhmirror publish --repo ../mirror.git --branch gh-pages -m 'Nightly mirror'\n"
      "hmirror publish --push git@example.org:team/mirror.git\nhmirror publish --watch\n",
  .run = run
};
