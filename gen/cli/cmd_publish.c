#include <stdio.h>
#include "core/base/text.h"
#include "gen/cli/watch_loop.h"
#include "gen/cli/commands.h"
#include "gen/cli/out.h"
#include "gen/cli/work.h"
#include "gen/mirror/publication.h"

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

static int as_json(hm_cli *cli, const hm_publisher *p) {
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
  hm_cli_made_json(&w, &p->made);
  return hm_json_end(cli, &w, &b);
}

static int as_text(hm_cli *cli, const hm_publisher *p) {
  if (cli->quiet) return HM_EXIT_FINE;
  if (p->result.created)
    printf("%s, branch %s: %.12s %s\n", p->opt.repo, p->opt.branch, p->result.commit,
           hm_show(cli->a, first_line(p->message), 0));
  else
    printf("%s, branch %s: nothing changed since %.12s\n", p->opt.repo, p->opt.branch,
           p->result.commit);
  if (p->opt.remote)
    printf("%s: %s\n", hm_remote_shown(cli->a, p->opt.remote->url).p,
           p->sent ? "pushed" : "has it already");
  return HM_EXIT_FINE;
}

static int tell(hm_cli *cli, const hm_publisher *p) {
  hm_mirror_say_work(&cli->mirror, "");
  hm_progress_clear(cli->progress);
  return cli->json ? as_json(cli, p) : as_text(cli, p);
}

/* The config's choice, and the options of this run instead of it. */
static int read_options(hm_cli *cli, hm_publisher *p) {
  const char *repo = hm_cli_option(cli, "repo"), *branch = hm_cli_option(cli, "branch");
  const char *message = hm_cli_option(cli, "message"), *push = hm_cli_option(cli, "push"),
             *timeout = hm_cli_option(cli, "push-timeout");
  int seconds;
  if (hm_cli_page_forms(cli)) return -1;
  hm_publisher_init(&cli->mirror, p);
  p->full = hm_cli_option(cli, "full") != NULL;
  p->record = !hm_cli_option(cli, "no-sweep");
  if (repo && !*repo)
    return hm_fail(&cli->err, HM_E_USAGE, "--repo", "an empty path", "name a folder");
  if (branch && hm_check_branch(branch, "--branch", &cli->err)) return -1;
  if (message && !hm_str_trim(hm_str_c(message)).n)
    return hm_fail(&cli->err, HM_E_USAGE, hm_cli_shown(cli, "message"), "an empty message", NULL);
  if (message && hm_text_repair(cli->a, hm_str_c(message)).p != message)
    return hm_fail(&cli->err, HM_E_USAGE, hm_cli_shown(cli, "message"), "not valid UTF-8", NULL);
  if (push && hm_check_push(push, "--push", &cli->err)) return -1;
  if (timeout && hm_check_push_timeout(timeout, "--push-timeout", &seconds, &cli->err)) return -1;
  if (timeout && !push && !p->remote.url)
    return hm_fail(&cli->err, HM_E_USAGE, "--push-timeout", "nothing is pushed",
                   "give --push REMOTE too");
  if (repo) p->opt.repo = repo;
  if (branch) p->opt.branch = branch;
  if (message) p->summary = hm_str_c(message);
  if (push) p->remote.url = push;
  if (timeout) p->remote.timeout_ms = seconds * 1000;
  return 0;
}

static int publish(hm_cli *cli) {
  hm_publisher p = { 0 };
  int rc = read_options(cli, &p) || hm_publish_run(&cli->mirror, &p, &cli->err) ? -1 : tell(cli, &p);
  hm_publisher_free(&p);
  return rc;
}

/* Of many publications those that are none are told only to who waits for it. 1: nobody could be
 * told. */
static int publish_again(void *ctx, hm_cli *cli) {
  hm_publisher p = { 0 };
  (void)ctx;
  int rc = read_options(cli, &p) || hm_publish_run(&cli->mirror, &p, &cli->err) ? -1 : 0;
  if (!rc && (p.result.created || p.sent || cli->awaited)) rc = tell(cli, &p);
  hm_publisher_free(&p);
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
