#include <stdio.h>
#include <string.h>
#include "core/base/text.h"
#include "gen/cli/commands.h"
#include "gen/cli/out.h"
#include "gen/cli/publish.h"

static const hm_option options[] = {
  { "repo", 0, "P", "the repository, made if it does not exist (config: publish.repo)" },
  { "branch", 0, "B", "the branch (config: publish.branch)" },
  { "message", 'm', "MSG", "first line of the commit message (config: publish.message)" },
  { "no-sweep", 0, NULL, "only read the store; new disputes are shown, not recorded" },
  { 0 }
};

typedef struct { hm_git_options opt; hm_git *git; hm_git_tip tip; hm_git_result result; hm_str message; } publication;

static int check_options(hm_cli *cli, publication *p) {
  const hm_config *c = &cli->config;
  const char *repo = hm_cli_option(cli, "repo"), *branch = hm_cli_option(cli, "branch");
  const char *message = hm_cli_option(cli, "message");
  if (repo && !*repo) return hm_fail(&cli->err, HM_E_USAGE, "--repo", "an empty path", NULL);
  if (branch && hm_check_branch(branch, "--branch", &cli->err)) return -1;
  if (message && !hm_str_trim(hm_str_c(message)).n)
    return hm_fail(&cli->err, HM_E_USAGE, "-m", "an empty message", NULL);
  if (message && hm_text_repair(cli->a, hm_str_c(message)).p != message)
    return hm_fail(&cli->err, HM_E_USAGE, "-m", "not valid UTF-8", NULL);
  p->opt = (hm_git_options){ .repo = repo ? repo : c->repo, .branch = branch ? branch : c->branch,
                             .author_name = c->author_name, .author_email = c->author_email,
                             .keep = c->keep, .n_keep = c->n_keep, .durable = true, .threads = cli->threads };
  return hm_publish_epoch(cli, &p->opt.when);
}

static hm_str first_line(hm_str message) {
  ptrdiff_t end = hm_str_find(message, "\n");
  return end < 0 ? message : hm_str_sub(message, 0, (size_t)end);
}

static int as_json(hm_cli *cli, const hm_made *m, const publication *p) {
  hm_jw w;
  hm_buf b;
  hm_json_begin(&w, &b);
  hm_jw_str(&w, "repo", hm_str_c(p->opt.repo));
  hm_jw_str(&w, "branch", hm_str_c(p->opt.branch));
  hm_jw_str(&w, "commit", hm_str_c(p->result.commit));
  hm_jw_bool(&w, "created", p->result.created);
  hm_jw_int(&w, "objects", (int64_t)p->result.objects);
  hm_jw_int(&w, "edited", (int64_t)p->result.edited);
  hm_jw_str_or_null(&w, "summary", p->result.created ? first_line(p->message) : HM_EMPTY);
  hm_made_json(&w, m);
  return hm_json_end(cli, &w, &b);
}

static int as_text(hm_cli *cli, const publication *p) {
  if (cli->quiet) return HM_EXIT_FINE;
  if (!p->result.created) {
    printf("%s, branch %s: nothing changed since %.12s\n", p->opt.repo, p->opt.branch, p->result.commit);
    return HM_EXIT_FINE;
  }
  printf("%s, branch %s: %.12s %s\n", p->opt.repo, p->opt.branch, p->result.commit,
         hm_show(cli, first_line(p->message), 0));
  return HM_EXIT_FINE;
}

/* The repository is locked before the store is read: of two publishers the
 * later one must not bring older facts. */
static int publish(hm_cli *cli, hm_made *m, publication *p) {
  if (hm_make_ready(cli, m)) return -1;
  hm_progress_phase(cli->progress, "opening the repository");
  if (hm_git_open(&p->opt, cli->a, &p->git, &p->tip, &cli->err)) return -1;
  if (hm_make_site(cli, m, NULL, NULL)) return -1;
  if (p->opt.when < 0) p->opt.when = hm_publish_when(cli, &m->sweep, m->view);
  p->message = hm_publish_message(cli, m, &p->tip);
  hm_progress_phase(cli->progress, "committing");
  if (hm_git_publish(p->git, m->site, p->message, &p->result, &cli->err)) return -1;
  hm_progress_clear(cli->progress);
  return cli->json ? as_json(cli, m, p) : as_text(cli, p);
}

static int run(hm_cli *cli) {
  hm_made m = { 0 };
  publication p = { 0 };
  if (check_options(cli, &p)) return -1;
  int rc = publish(cli, &m, &p);
  if (p.git) hm_git_close(p.git);
  hm_made_free(&m);
  return rc;
}

const hm_command hm_cmd_publish = {
  .name = "publish", .words = "", .brief = "commit the pages to a branch",
  .about = "Sweeps the store, renders the site and commits it to a branch of a git repository\n"
           "in one step; a branch that moved meanwhile is an error, never overwritten. Equal\n"
           "pages make no commit. The message tells which conflicts were opened and resolved.\n"
           "SOURCE_DATE_EPOCH sets the commit's date, which else is the newest fact's.\n",
  .options = options,
  .exits = "0  the branch has the site\n2  trouble, with a message; the branch is as it was\n",
  .examples = "hmirror publish\nhmirror publish --repo ../mirror.git --branch gh-pages -m 'Nightly mirror'\n",
  .run = run
};
