#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#include "core/base/text.h"
#include "gen/cli/commands.h"
#include "gen/cli/out.h"
#include "gen/cli/publish.h"
#include "gen/cli/remember.h"
#include "gen/sink/lock.h"
#include "gen/sink/git_read.h"

static const hm_option options[] = {
  { "repo", 0, "P", "the repository, made if it does not exist (config: publish.repo)" },
  { "branch", 0, "B", "the branch (config: publish.branch)" },
  { "message", 'm', "MSG", "first line of the commit message (config: publish.message)" },
  { "push", 0, "REMOTE", "push to a name, a path or an address (config: publish.push)" },
  { "push-timeout", 0, "SECONDS", "give a silent remote up after that; 60 (config: publish.push_timeout)" },
  { "markdown-only", 0, NULL, "no HTML, no theme in the branch (config: publish.pages)" },
  { "html-only", 0, NULL, "no Markdown in the branch (config: publish.pages)" },
  { "full", 0, NULL, "make every page anew, also those that did not change" },
  { "no-sweep", 0, NULL, "only read the store; new disputes are shown, not recorded" },
  { 0 }
};

/* How often a push that lost a race is begun anew: each time somebody else's publication arrived. */
enum { PUSHES = 50, PAUSE_MS = 100 };

typedef struct {
  hm_git_options opt;
  hm_remote_options remote;
  hm_git *git;
  hm_git_tip tip;
  hm_git_result result;
  hm_str message;
  int64_t when;          /* SOURCE_DATE_EPOCH, or -1 */
  bool sent;             /* the remote did not have it yet */
} publication;

static void server_says(void *ctx, hm_str line) { hm_note(ctx, "remote: %s", hm_show(ctx, line, 0)); }

/* Where to push to, if anywhere. A secret is no part of a command line, which others can read. */
static int check_remote(hm_cli *cli, publication *p) {
  const char *push = hm_cli_option(cli, "push"), *timeout = hm_cli_option(cli, "push-timeout");
  const char *token = getenv("HMIRROR_GIT_TOKEN");
  int seconds = cli->config.push_timeout;
  if (push && hm_check_push(push, "--push", &cli->err)) return -1;
  if (timeout && hm_check_push_timeout(timeout, "--push-timeout", &seconds, &cli->err)) return -1;
  p->remote = (hm_remote_options){ .url = push ? push : cli->config.push, .ssh_key = cli->config.ssh_key,
                                   .token = token && *token ? token : NULL, .credentials = cli->config.credentials,
                                   .timeout_ms = seconds * 1000, .says = server_says, .ctx = cli };
  if (p->remote.url) p->opt.remote = &p->remote;
  else if (timeout) return hm_fail(&cli->err, HM_E_USAGE, "--push-timeout", "nothing is pushed", "give --push REMOTE too");
  return 0;
}

static int check_options(hm_cli *cli, publication *p) {
  const hm_config *c = &cli->config;
  const char *repo = hm_cli_option(cli, "repo"), *branch = hm_cli_option(cli, "branch");
  const char *message = hm_cli_option(cli, "message");
  if (repo && !*repo) return hm_fail(&cli->err, HM_E_USAGE, "--repo", "an empty path", "name a folder");
  if (branch && hm_check_branch(branch, "--branch", &cli->err)) return -1;
  if (message && !hm_str_trim(hm_str_c(message)).n)
    return hm_fail(&cli->err, HM_E_USAGE, hm_cli_shown(cli, "message"), "an empty message", NULL);
  if (message && hm_text_repair(cli->a, hm_str_c(message)).p != message)
    return hm_fail(&cli->err, HM_E_USAGE, hm_cli_shown(cli, "message"), "not valid UTF-8", NULL);
  p->opt = (hm_git_options){ .repo = repo ? repo : c->repo, .branch = branch ? branch : c->branch,
                             .author_name = c->author_name, .author_email = c->author_email,
                             .keep = c->keep, .n_keep = c->n_keep, .durable = true, .threads = cli->threads };
  if (check_remote(cli, p) || hm_make_forms(cli)) return -1;
  return hm_publish_epoch(cli, &p->when);
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
  hm_jw_str_or_null(&w, "remote", p->opt.remote ? hm_remote_shown(cli->a, p->opt.remote->url) : HM_EMPTY);
  hm_jw_bool(&w, "pushed", p->sent);
  hm_jw_int(&w, "objects", (int64_t)p->result.objects);
  hm_jw_int(&w, "edited", (int64_t)p->result.edited);
  hm_jw_str_or_null(&w, "summary", p->result.created ? first_line(p->message) : HM_EMPTY);
  hm_made_json(&w, m);
  return hm_json_end(cli, &w, &b);
}

static int as_text(hm_cli *cli, const publication *p) {
  if (cli->quiet) return HM_EXIT_FINE;
  if (p->result.created)
    printf("%s, branch %s: %.12s %s\n", p->opt.repo, p->opt.branch, p->result.commit,
           hm_show(cli, first_line(p->message), 0));
  else
    printf("%s, branch %s: nothing changed since %.12s\n", p->opt.repo, p->opt.branch, p->result.commit);
  if (p->opt.remote)
    printf("%s: %s\n", hm_remote_shown(cli->a, p->opt.remote->url).p, p->sent ? "pushed" : "has it already");
  return HM_EXIT_FINE;
}

/* What opening did to the branch here is worth a word. */
static void tell_state(hm_cli *cli, const publication *p) {
  static const char *const told[] = {
    [HM_REMOTE_TAKEN] = "its branch was newer and was taken over",
    [HM_REMOTE_REPLACED] = "its branch had other commits; those made here by hmirror give way and are made anew",
  };
  hm_remote_state s = hm_git_remote_state(p->git);
  if (s == HM_REMOTE_REPLACED) hm_note(cli, "%s: %s", hm_remote_shown(cli->a, p->remote.url).p, told[s]);
  else if (s == HM_REMOTE_TAKEN) hm_detail(cli, "%s: %s", hm_remote_shown(cli->a, p->remote.url).p, told[s]);
}

static int commit(hm_cli *cli, hm_made *m, publication *p, const hm_memory *memory) {
  const hm_known *was = p->tip.known ? &memory->cache.entry.known : NULL;
  if (was && hm_git_conflicts(p->git, cli->a, &p->tip, &cli->err)) return -1;
  p->opt.when = p->when < 0 ? hm_publish_when(cli, &m->sweep, m->view) : p->when;
  if (p->tip.too_large)
    hm_note(cli, "%s: branch %s: conflicts.json or manifest.json is over %d MB, so hmirror did not write it; it is not read but written anew, and "
                 "the commit message tells every open conflict", p->opt.repo, p->opt.branch, (int)(HM_GIT_MAX_BLOB >> 20));
  p->message = hm_publish_message(cli, m, &p->tip, was);
  hm_progress_phase(cli->progress, "committing");
  if (hm_git_publish(p->git, m->site, p->message, &p->result, &cli->err)) return -1;
  hm_remember(cli, m, memory, hm_str_c(p->result.tree));
  return 0;
}

/* The repository is locked before the store is read: of two publishers the
 * later one must not bring older facts. */
static int publish_once(hm_cli *cli, hm_made *m, publication *p) {
  hm_memory memory;
  const hm_target to = { .sort = "git", .path = p->opt.repo, .branch = p->opt.branch, .same = p->opt.keep, .n_same = p->opt.n_keep };
  if (hm_make_ready(cli, m)) return -1;
  hm_recall(cli, m, to, hm_cli_option(cli, "full") != NULL, &memory);
  p->opt.known_tree = memory.cache.found ? hm_str_z(cli->a, memory.cache.entry.note) : NULL;
  hm_progress_phase(cli->progress, "opening the repository");
  if (hm_git_open(&p->opt, cli->a, &p->git, &p->tip, &cli->err)) return -1;
  tell_state(cli, p);
  const hm_make_sink sink = { NULL, hm_git_holds, p->git, p->tip.known ? &memory.cache.entry : NULL, p->tip.known, memory.inputs };
  if (hm_make_site(cli, m, &sink)) return -1;
  if (m->same) memcpy(p->result.commit, p->tip.commit, sizeof p->result.commit);
  else if (commit(cli, m, p, &memory)) return -1;
  if (!p->opt.remote) return 0;
  hm_progress_phase(cli->progress, "pushing");
  return hm_git_push(p->git, &p->sent, &cli->err);
}

static void put_down(hm_made *m, publication *p) {
  if (p->git) hm_git_close(p->git);
  p->git = NULL;
  hm_made_free(m);
}

/* Those that lost to each other part: a random pause, longer after each loss. */
static void pause_before(int attempt) {
  unsigned random = 0;
  if (getrandom(&random, sizeof random, 0) < 0) random = (unsigned)getpid();
  hm_pause_ms((int)(random % (unsigned)(PAUSE_MS * (attempt < 10 ? attempt : 10))));
}

/* Who loses a race for the remote's branch begins anew: on what is there now, with the facts of now. */
static int publish(hm_cli *cli, hm_made *m, publication *p) {
  for (int i = 1; publish_once(cli, m, p) != 0; i++) {
    if (cli->err.code != HM_E_MOVED || !p->opt.remote || i == PUSHES) return -1;
    put_down(m, p);
    hm_note(cli, "%s: its branch moved meanwhile: publishing anew on what is there", hm_remote_shown(cli->a, p->remote.url).p);
    pause_before(i);
  }
  hm_progress_clear(cli->progress);
  return cli->json ? as_json(cli, m, p) : as_text(cli, p);
}

static int run(hm_cli *cli) {
  hm_made m = { 0 };
  publication p = { 0 };
  if (check_options(cli, &p)) return -1;
  int rc = publish(cli, &m, &p);
  put_down(&m, &p);
  return rc;
}

const hm_command hm_cmd_publish = {
  .name = "publish", .words = "", .brief = "commit the pages to a branch",
  .about = "Sweeps the store, renders the site and commits it to a branch; one that moved meanwhile is\n"
           "never overwritten. Equal pages make no commit. SOURCE_DATE_EPOCH sets the date, which else\n"
           "is the newest fact's. --push fetches the remote's branch first and sends the commit there;\n"
           "a lost race is begun anew. HMIRROR_GIT_TOKEN is the password for https.\n",
  .options = options,
  .exits = "0  the branch has the site\n2  trouble, with a message; the branch is as it was\n",
  .examples = "hmirror publish\nhmirror publish --repo ../mirror.git --branch gh-pages -m 'Nightly mirror'\n"
              "hmirror publish --push git@example.org:team/mirror.git\n",
  .run = run
};
