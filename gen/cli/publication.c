#include "gen/cli/publication.h"
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#include "core/base/text.h"
#include "gen/cli/apart.h"
#include "gen/cli/out.h"
#include "gen/cli/publish.h"
#include "gen/cli/remember.h"
#include "gen/sink/git_read.h"
#include "gen/sink/lock.h"

/* How often a push that lost a race is begun anew: each time somebody else's publication arrived.
 */
enum { PUSHES = 50, PAUSE_MS = 100 };

static void server_says(void *ctx, hm_str line) {
  hm_note(ctx, "remote: %s", hm_show(ctx, line, 0));
}

/* Where to push to, if anywhere. A secret is no part of a command line, which others can read. */
static int check_remote(hm_cli *cli, hm_publication *p) {
  const char *push = hm_cli_option(cli, "push"), *timeout = hm_cli_option(cli, "push-timeout");
  const char *token = getenv("HMIRROR_GIT_TOKEN");
  int seconds = cli->config.push_timeout;
  if (push && hm_check_push(push, "--push", &cli->err)) return -1;
  if (timeout && hm_check_push_timeout(timeout, "--push-timeout", &seconds, &cli->err)) return -1;
  p->remote = (hm_remote_options){ .url = push ? push : cli->config.push,
                                   .ssh_key = cli->config.ssh_key,
                                   .token = token && *token ? token : NULL,
                                   .credentials = cli->config.credentials,
                                   .timeout_ms = seconds * 1000,
                                   .says = server_says,
                                   .ctx = cli };
  if (p->remote.url) p->opt.remote = &p->remote;
  else if (timeout)
    return hm_fail(&cli->err, HM_E_USAGE, "--push-timeout", "nothing is pushed",
                   "give --push REMOTE too");
  return 0;
}

int hm_publication_options(hm_cli *cli, hm_publication *p) {
  const hm_config *c = &cli->config;
  const char *repo = hm_cli_option(cli, "repo"), *branch = hm_cli_option(cli, "branch");
  const char *message = hm_cli_option(cli, "message");
  if (repo && !*repo)
    return hm_fail(&cli->err, HM_E_USAGE, "--repo", "an empty path", "name a folder");
  if (branch && hm_check_branch(branch, "--branch", &cli->err)) return -1;
  if (message && !hm_str_trim(hm_str_c(message)).n)
    return hm_fail(&cli->err, HM_E_USAGE, hm_cli_shown(cli, "message"), "an empty message", NULL);
  if (message && hm_text_repair(cli->a, hm_str_c(message)).p != message)
    return hm_fail(&cli->err, HM_E_USAGE, hm_cli_shown(cli, "message"), "not valid UTF-8", NULL);
  *p = (hm_publication){ 0 };
  p->opt = (hm_git_options){ .repo = repo ? repo : c->repo,
                             .branch = branch ? branch : c->branch,
                             .author_name = c->author_name,
                             .author_email = c->author_email,
                             .keep = c->keep,
                             .n_keep = c->n_keep,
                             .durable = true,
                             .threads = cli->threads };
  if (hm_cli_apart(cli, "the repository", p->opt.repo) || check_remote(cli, p) ||
      hm_make_forms(cli))
    return -1;
  return 0;
}

/* What opening did to the branch here is worth a word. */
static void tell_state(hm_cli *cli, const hm_publication *p) {
  static const char *const told[] = {
    [HM_REMOTE_TAKEN] = "its branch was newer and was taken over",
    [HM_REMOTE_REPLACED] =
        "its branch had other commits; those made here by hmirror give way and are made anew",
  };
  hm_remote_state s = hm_git_remote_state(p->git);
  if (s == HM_REMOTE_REPLACED)
    hm_note(cli, "%s: %s", hm_remote_shown(cli->a, p->remote.url).p, told[s]);
  else if (s == HM_REMOTE_TAKEN)
    hm_detail(cli, "%s: %s", hm_remote_shown(cli->a, p->remote.url).p, told[s]);
}

static int commit(hm_cli *cli, hm_publication *p, const hm_memory *memory) {
  hm_made *m = &p->made;
  const hm_cache_entry *was = p->tip.known ? &memory->cache.entry : NULL;
  p->opt.when = cli->epoch < 0 ? hm_publish_when(cli, &m->sweep, m->view) : cli->epoch;
  if (p->tip.too_large)
    hm_note(
        cli,
        "%s: branch %s: conflicts.json or manifest.json is over %d MB, so hmirror did not write it; it is not read but written anew, and "
        "the commit message tells every open conflict",
        p->opt.repo, p->opt.branch, (int)(HM_GIT_MAX_BLOB >> 20));
  p->message = hm_publish_message(cli, m, &p->tip, p->git, was);
  hm_progress_phase(cli->progress, "committing");
  if (hm_git_publish(p->git, m->site, p->message, &p->result, &cli->err)) return -1;
  hm_remember(cli, m, memory, hm_str_c(p->result.tree));
  return 0;
}

/* The repository is locked before the store is read: of two publishers the
 * later one must not bring older facts. */
static int publish_once(hm_cli *cli, hm_publication *p) {
  hm_memory memory;
  hm_made *m = &p->made;
  const hm_target to = { .sort = "git",
                         .path = p->opt.repo,
                         .branch = p->opt.branch,
                         .same = p->opt.keep,
                         .n_same = p->opt.n_keep };
  if (hm_make_ready(cli, m)) return -1;
  hm_recall(cli, m, to, hm_cli_option(cli, "full") != NULL, &memory);
  p->opt.known_tree = memory.cache.found ? hm_str_z(cli->a, memory.cache.entry.note) : NULL;
  hm_progress_phase(cli->progress, "opening the repository");
  if (hm_git_open(&p->opt, cli->a, &p->git, &p->tip, &cli->err)) return -1;
  tell_state(cli, p);
  const hm_make_sink sink = { .holds = hm_git_holds,
                              .ctx = p->git,
                              .known = p->tip.known ? &memory.cache.entry : NULL,
                              .stands = p->tip.known,
                              .inputs = memory.inputs };
  if (hm_make_site(cli, m, &sink)) return -1;
  if (m->same) memcpy(p->result.commit, p->tip.commit, sizeof p->result.commit);
  else if (commit(cli, p, &memory)) return -1;
  if (!p->opt.remote) return 0;
  hm_progress_phase(cli->progress, "pushing");
  return hm_git_push(p->git, &p->sent, &cli->err);
}

void hm_publication_free(hm_publication *p) {
  if (p->git) hm_git_close(p->git);
  p->git = NULL;
  hm_made_free(&p->made);
}

/* Those that lost to each other part: a random pause, longer after each loss. */
static void pause_before(int attempt) {
  unsigned random = 0;
  if (getrandom(&random, sizeof random, 0) < 0) random = (unsigned)getpid();
  hm_pause_ms((int)(random % (unsigned)(PAUSE_MS * (attempt < 10 ? attempt : 10))));
}

int hm_publication_run(hm_cli *cli, hm_publication *p) {
  for (int i = 1; publish_once(cli, p) != 0; i++) {
    if (cli->err.code != HM_E_MOVED || !p->opt.remote || i == PUSHES) return -1;
    hm_publication_free(p);
    hm_note(cli, "%s: its branch moved meanwhile: publishing anew on what is there",
            hm_remote_shown(cli->a, p->remote.url).p);
    pause_before(i);
  }
  return 0;
}
