/* See publication.h. A push that loses a race begins again on what the winner published. */
#include "gen/mirror/publication.h"
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#include "gen/sink/git_read.h"
#include "gen/sink/lock.h"

/* How often a push that lost a race is begun anew: each time somebody else's publication arrived.
 */
enum { PUSHES = 50, PAUSE_MS = 100 };

static void server_says(void *ctx, hm_str line) {
  const hm_mirror *m = ctx;
  hm_warn(&m->say, "remote: %s", hm_show(m->a, line, 0));
}

void hm_publisher_init(hm_mirror *m, hm_publisher *p) {
  const hm_config *c = &m->config;
  const char *token = getenv("HMIRROR_GIT_TOKEN");   /* others can read a command line */
  *p = (hm_publisher){ .summary = c->message, .record = true };
  p->opt = (hm_git_options){ .repo = c->repo,
                             .branch = c->branch,
                             .author_name = c->author_name,
                             .author_email = c->author_email,
                             .keep = c->keep,
                             .n_keep = c->n_keep,
                             .durable = true,
                             .threads = m->threads };
  p->remote = (hm_remote_options){ .url = c->push,
                                   .ssh_key = c->ssh_key,
                                   .token = token && *token ? token : NULL,
                                   .credentials = c->credentials,
                                   .timeout_ms = c->push_timeout * 1000,
                                   .says = server_says,
                                   .ctx = m };
}

/* What opening did to the branch here is worth a word. */
static void tell_state(hm_mirror *m, const hm_publisher *p) {
  static const char *const told[] = {
    [HM_REMOTE_TAKEN] = "its branch was newer and was taken over",
    [HM_REMOTE_REPLACED] =
        "its branch had other commits; those made here by hmirror give way and are made anew",
  };
  hm_remote_state s = hm_git_remote_state(p->git);
  if (s == HM_REMOTE_REPLACED)
    hm_warn(&m->say, "%s: %s", hm_remote_shown(m->a, p->remote.url).p, told[s]);
  else if (s == HM_REMOTE_TAKEN)
    hm_say_detail(&m->say, "%s: %s", hm_remote_shown(m->a, p->remote.url).p, told[s]);
}

static int commit_site(hm_mirror *m, hm_publisher *p, const hm_cache *cache,
                  hm_err *err) {
  hm_made *made = &p->made;
  const hm_cache_entry *was = p->tip.known ? &cache->entry : NULL;
  p->opt.when = m->epoch < 0 ? hm_publish_when(m, &made->sweep, made->view) : m->epoch;
  if (p->tip.too_large)
    hm_warn(&m->say,
        "%s: branch %s: conflicts.json or manifest.json is over %d MB, so hmirror did "
        "not write it; it is not read but written anew, and the commit message tells every open "
        "conflict",
        p->opt.repo, p->opt.branch, (int)(HM_GIT_MAX_BLOB >> 20));
  p->message = hm_publish_message(m, made, p->summary, &p->tip, p->git, was);
  hm_say_phase(&m->say, "committing");
  if (hm_git_publish(p->git, made->site, p->message, &p->result, err)) return -1;
  m->work.files_written += p->result.files;
  hm_made_remember(m, made, cache, hm_str_c(p->result.tree));
  return 0;
}

/* The repository is locked before the store is read: of two publishers the
 * later one must not bring older facts. */
static int publish_once(hm_mirror *m, hm_publisher *p, hm_err *err) {
  hm_cache cache;
  hm_made *made = &p->made;
  const hm_site_target to = { .sort = "git",
                         .path = p->opt.repo,
                         .branch = p->opt.branch,
                         .same = p->opt.keep,
                         .n_same = p->opt.n_keep };
  if (hm_make_ready(m, p->record, made, err)) return -1;
  hm_cache_load(m, &made->look, to, made->foreign, p->full, &cache);
  p->opt.known_tree = cache.found ? hm_str_z(m->a, cache.entry.note) : NULL;
  hm_say_phase(&m->say, "opening the repository");
  if (hm_git_open(&p->opt, m->a, &p->git, &p->tip, err)) return -1;
  tell_state(m, p);
  const hm_make_sink sink = { .present = &p->tip.present,
                              .known = p->tip.known ? &cache.entry : NULL,
                              .inputs = cache.inputs };
  if (hm_make_site(m, made, &sink, err)) return -1;
  if (made->same) memcpy(p->result.commit, p->tip.commit, sizeof p->result.commit);
  else if (commit_site(m, p, &cache, err)) return -1;
  if (!p->opt.remote) return 0;
  hm_say_phase(&m->say, "pushing");
  return hm_git_push(p->git, &p->sent, err);
}

void hm_publisher_free(hm_publisher *p) {
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

int hm_publish_run(hm_mirror *m, hm_publisher *p, hm_err *err) {
  if (hm_check_path_overlap(m, "the repository", p->opt.repo, err)) return -1;
  if (p->remote.url) p->opt.remote = &p->remote;
  for (int i = 1; publish_once(m, p, err) != 0; i++) {
    if (err->code != HM_E_MOVED || !p->opt.remote || i == PUSHES) return -1;
    hm_publisher_free(p);
    hm_warn(&m->say, "%s: its branch moved meanwhile: publishing anew on what is there",
            hm_remote_shown(m->a, p->remote.url).p);
    pause_before(i);
  }
  return 0;
}
