/* One publication: make the site, commit it, push it. When another push came first, it starts again
 * from the remote's new tip. */
#include "gen/mirror/publication.h"
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#include "core/base/digest.h"
#include "core/base/shell.h"
#include "core/base/str.h"
#include "core/record/journal.h"
#include "gen/check/check.h"
#include "gen/mirror/changes.h"
#include "gen/sink/fs.h"
#include "gen/sink/git_read.h"
#include "gen/site/manifest.h"

/* Pages added, changed and removed since the tip's manifest; -1: unknown. */
static int64_t pages_changed(hm_arena *a, const hm_site *s, const hm_git_tip *tip, hm_git *git) {
  hm_manifest m;
  hm_map at;
  int64_t changed = 0, known = 0;
  char text[64];
  if (!hm_manifest_read(tip->manifest_json, hm_git_tip_read, git, a, &m) || !m.whole)
    return -1;
  hm_map_init(&at, a, m.n);
  for (size_t i = 0; i < m.n; i++) {
    if (!m.rows[i].sha256.n)
      return -1; /* no row of ours */
    if (hm_str_ends(m.rows[i].path, ".md"))
      hm_map_add(&at, m.rows[i].path, (uint32_t)i);
  }
  for (size_t i = 0; i < s->n; i++) {
    if (!hm_str_ends(s->files[i].path, ".md"))
      continue;
    uint32_t was = hm_map_get(&at, s->files[i].path);
    known += was != HM_MAP_NONE;
    hm_hex_encode(s->files[i].sha256, sizeof s->files[i].sha256, text);
    changed += was == HM_MAP_NONE || !hm_str_eq(m.rows[was].sha256, (hm_str){ text, sizeof text });
  }
  return changed + (int64_t)at.n - known;
}

hm_str hm_rules_trailer_text(const hm_mirror *m) {
  return hm_str_fmt(m->a, "slot/1 %s", hm_rules_digest(&m->config.rules, m->a).p);
}

/* The pages among the tip's edited ones that this site has: only they are restored, and the name of
 * another may say what is left out, or was redacted. */
static size_t restored_pages(const hm_mirror *m, const hm_made *made, const hm_git_tip *tip,
                             const hm_str **out) {
  hm_str *kept = hm_alloc_array(m->a, tip->n_edited + 1, sizeof *kept);
  size_t n = 0;
  for (size_t i = 0; i < tip->n_edited; i++)
    if (hm_site_file(made->site, tip->edited[i]))
      kept[n++] = tip->edited[i];
  *out = kept;
  return n;
}

/* The commit message. known: the cache knows the last site, whose pages were compared. */
static hm_str publication_message(const hm_mirror *m, const hm_made *made, hm_str summary,
                                  const hm_git_tip *tip, hm_git *git, bool known,
                                  const hm_journal_head *journal) {
  const hm_view_counts *c = hm_view_get_counts(made->view);
  hm_commit_message_input in = { .summary = summary,
                                 .first = !tip->exists,
                                 .events = &made->changes.events,
                                 .left_out = made->changes.left_out,
                                 .projects = c->projects,
                                 .disputed = (size_t)c->disputed,
                                 .open_conflicts = (size_t)c->open_conflicts,
                                 .snapshot = made->sweep.snap->digest,
                                 .now = hm_now_trailer_text(m, &made->sweep, made->view),
                                 .tool = HM_STR(HM_TOOL) };
  in.n_edited = restored_pages(m, made, tip, &in.edited);
  for (hm_layer l = HM_MEMORY; l <= HM_RELATION; l++)
    in.facts += c->rows[l];
  if (known)
    in.pages_changed = made->site->changed_pages;
  else
    in.pages_changed = tip->exists ? pages_changed(m->a, made->site, tip, git) : -1;
  in.rules = hm_rules_trailer_text(m);
  in.store = journal->store;
  if (journal->store.n)
    in.journal = hm_str_fmt(m->a, "%lld %s", (long long)journal->seq, journal->head);
  return hm_commit_message(&in, m->a);
}

/* Gives the store an id, when it has none yet. */
static int begin_journal(hm_mirror *m, const hm_made *made, hm_journal_head *out, hm_err *err) {
  hm_store *own = NULL; /* for writing, if it is open for reading */
  hm_actor who;
  hm_journal_salting begun;
  if (hm_mirror_actor(m, &who, err) ||
      (!made->recorded && hm_mirror_open(m, HM_STORE_WRITE, &own, err)))
    return -1;
  int rc = hm_journal_give_store_id(own ? own : made->store, &who, m->a, out, &begun, err);
  hm_store_close(own);
  if (!rc && begun.broken)
    hm_warn(&m->say,
            "%s: line %lld of the journal did not fit its chain: it was changed before "
            "any commit saw it",
            m->store, (long long)begun.broken);
  return rc;
}

/* Reads the journal after the sweep, so that the same store, published again, gives the same
 * commit. */
static int read_journal(hm_mirror *m, const hm_made *made, hm_journal_head *out, hm_err *err) {
  *out = (hm_journal_head){ 0 };
  if (!m->config.journal)
    return 0;
  int rc = hm_journal_read_head(made->store, m->a, out, err);
  return rc || out->store.n ? rc : begin_journal(m, made, out, err);
}

/* --- one publication ------------------------------------------------------------------ */

/* PUSHES: how often a publication starts again because another push came first.
 * MANY_PACKS: as many make git look at each of them for an object (gc.autoPackLimit). */
enum { PUSHES = 50, PAUSE_MS = 100, MANY_PACKS = 50 };

static void server_says(void *ctx, hm_str line) {
  const hm_mirror *m = ctx;
  hm_say_note(&m->say, "remote: %s", hm_terminal_line(m->a, line, 0));
}

/* What the user said, else the host of the address that the user named or trusted. The address
 * behind a name stands in the repository's config, which came with the folder. */
static hm_str token_host(const hm_mirror *m, const char *named) {
  const char *host = getenv("HMIRROR_GIT_TOKEN_HOST");
  if (host && *host)
    return strstr(host, "://") ? hm_remote_host(m->a, host) : hm_str_trim(hm_str_c(host));
  if (named)
    return hm_remote_is_name(named) ? HM_EMPTY : hm_remote_host(m->a, named);
  bool trusted = m->trust.push_address && !hm_trust_is_withheld(&m->trust);
  return trusted ? hm_remote_host(m->a, m->trust.push_address) : HM_EMPTY;
}

void hm_publisher_set_remote(const hm_mirror *m, hm_publisher *p, const char *remote) {
  p->remote.url = remote;
  p->remote.token_host = token_host(m, remote);
}

void hm_publisher_init(hm_mirror *m, hm_publisher *p) {
  const hm_config *c = &m->config;
  const char *token = getenv("HMIRROR_GIT_TOKEN"); /* others can read a command line */
  *p = (hm_publisher){ .summary = c->message, .record = true };
  p->opt = (hm_git_options){ .repo = c->repo,
                             .branch = c->branch,
                             .author_name = c->author_name,
                             .author_email = c->author_email,
                             .keep = c->keep,
                             .n_keep = c->n_keep,
                             .durable = true,
                             .threads = m->threads };
  hm_sign_kind_parse(c->sign, &p->signer.kind);
  p->signer.key = c->sign_key;
  p->remote = (hm_remote_options){ .url = c->push,
                                   .ssh_key = c->ssh_key,
                                   .token = token && *token ? token : NULL,
                                   .token_host = token_host(m, NULL),
                                   .credentials = c->credentials,
                                   .timeout_ms = c->push_timeout * 1000,
                                   .says = server_says,
                                   .ctx = m };
}

/* Reports what opening did to the local branch. */
static void report_remote_state(hm_mirror *m, const hm_publisher *p) {
  static const char *const states[] = {
    [HM_REMOTE_TAKEN] = "its branch was newer and was taken over",
    [HM_REMOTE_REPLACED] =
        "its branch had other commits; those that hmirror made here give way and are made again",
  };
  hm_remote_state s = hm_git_remote_state(p->git);
  if (s == HM_REMOTE_REPLACED)
    hm_warn(&m->say, "%s: %s", hm_remote_hide_password(m->a, p->remote.url).p, states[s]);
  else if (s == HM_REMOTE_TAKEN)
    hm_say_detail(&m->say, "%s: %s", hm_remote_hide_password(m->a, p->remote.url).p, states[s]);
}

/* Warns before anybody can read the commit; does not stop the publication. */
static int warn_of_secrets(hm_mirror *m, const hm_made *made, hm_err *err) {
  enum { SHOWN = 10 };
  hm_live_secrets all;
  if (hm_live_secrets_find(made->view, made->store, m->a, &all, err))
    return -1;
  if (all.n == m->secrets_warned)
    return 0;
  m->secrets_warned = all.n;
  for (size_t i = 0; i < all.n && i < SHOWN; i++)
    hm_warn(&m->say, "%s", hm_terminal_line(m->a, hm_live_secret_words(&all.v[i], m->a), 0));
  if (all.n > SHOWN)
    hm_warn(&m->say, "and %s: see 'hmirror check'",
            hm_format_count(m->a, (int64_t)(all.n - SHOWN), "more live secret"));
  return 0;
}

static int commit_site(hm_mirror *m, hm_publisher *p, const hm_cache *cache, hm_err *err) {
  hm_made *made = &p->made;
  p->opt.when = m->epoch < 0 ? hm_choose_publish_time(m, &made->sweep, made->view) : m->epoch;
  if (p->tip.too_large)
    hm_warn(
        &m->say,
        "%s: branch %s: conflicts.json or manifest.json is over %d MB, so hmirror did "
        "not write it; it is not read but written anew, and the commit message tells every open "
        "conflict",
        p->opt.repo, p->opt.branch, (int)(HM_GIT_MAX_BLOB >> 20));
  hm_journal_head journal;
  if (read_journal(m, made, &journal, err))
    return -1;
  p->message = publication_message(m, made, p->summary, &p->tip, p->git, p->tip.known, &journal);
  if (warn_of_secrets(m, made, err))
    return -1;
  hm_made_free_claims(made);
  hm_say_phase(&m->say, "committing");
  if (hm_git_publish(p->git, made->site, p->message, &p->result, err))
    return -1;
  m->work.files_written += p->result.files;
  if (p->result.packs >= MANY_PACKS)
    hm_say_note(&m->say, "%s has %zu packs: merge them with: git -C %.*s gc", p->opt.repo,
                p->result.packs, HM_FMT(hm_shell_quote_word(m->a, hm_str_c(p->opt.repo), false)));
  hm_made_save_to_cache(m, made, cache, hm_str_c(p->result.tree));
  return 0;
}

/* The files of the tip; when its tree is that of the last site, from the record of that site. */
static hm_tip_files tip_files(hm_mirror *m, hm_publisher *p, const hm_cache *cache) {
  hm_tip_files out = { .exists = p->tip.exists,
                       .read = hm_git_tip_read,
                       .has = hm_git_tip_has,
                       .ctx = p->git,
                       .edited = p->tip.edited,
                       .n_edited = p->tip.n_edited };
  const hm_last_site *known = p->tip.known ? &cache->entry.known : NULL;
  hm_manifest manifest = { 0 };
  bool read = !known &&
      hm_manifest_read(p->tip.manifest_json, hm_git_tip_read, p->git, m->a, &manifest) &&
      manifest.whole;
  out.n = known ? known->n : read ? manifest.n : 0;
  hm_str *paths = hm_alloc_array(m->a, out.n + 1, sizeof *paths);
  for (size_t i = 0; i < out.n; i++)
    paths[i] = known ? known->files[i].path : manifest.rows[i].path;
  out.paths = paths;
  return out;
}

/* Locks the repository before it reads the store, so that the later one of two publishers cannot
 * publish older facts. */
static int publish_once(hm_mirror *m, hm_publisher *p, hm_err *err) {
  hm_cache cache;
  hm_made *made = &p->made;
  const hm_site_target to = { .sort = "git",
                              .path = p->opt.repo,
                              .branch = p->opt.branch,
                              .same = p->opt.keep,
                              .n_same = p->opt.n_keep };
  if (hm_make_prepare(m, p->record, made, err))
    return -1;
  hm_cache_load(m, &made->look, to, made->foreign, p->full, &cache);
  p->opt.known_tree = cache.found ? hm_str_z(m->a, cache.entry.note) : NULL;
  hm_say_phase(&m->say, "opening the repository");
  if (hm_git_open(&p->opt, m->a, &p->git, &p->tip, err))
    return -1;
  report_remote_state(m, p);
  const hm_tip_files files = tip_files(m, p, &cache);
  const hm_make_sink sink = { .take = hm_git_put_file,
                              .ctx = p->git,
                              .present = &p->tip.present,
                              .known = p->tip.known ? &cache.entry : NULL,
                              .tip = &files };
  if (hm_make_site(m, made, &sink, err))
    return -1;
  if (made->same)
    memcpy(p->result.commit, p->tip.commit, sizeof p->result.commit);
  else if (commit_site(m, p, &cache, err))
    return -1;
  if (!p->opt.remote)
    return 0;
  hm_say_phase(&m->say, "pushing");
  return hm_git_push(p->git, &p->sent, err);
}

void hm_publisher_free(hm_publisher *p) {
  if (p->git)
    hm_git_close(p->git);
  p->git = NULL;
  hm_made_free(&p->made);
}

/* Waits for a random time, longer after each failed attempt, so that publishers do not collide
 * again. */
static void pause_before(int attempt) {
  unsigned random = 0;
  if (getrandom(&random, sizeof random, 0) < 0)
    random = (unsigned)getpid();
  hm_sleep_ms((int)(random % (unsigned)(PAUSE_MS * (attempt < 10 ? attempt : 10))));
}

static int check_trust(const hm_mirror *m, const hm_publisher *p, hm_err *err) {
  const bool pushes = p->remote.url, signs = p->signer.kind != HM_SIGN_OFF;
  const char *const uses[] = { p->opt.repo, p->remote.url, pushes ? p->remote.ssh_key : NULL,
                               pushes ? p->remote.credentials : NULL,
                               signs ? p->signer.key : NULL };
  for (size_t i = 0; i < HM_COUNT(uses); i++)
    if (hm_trust_check(&m->trust, uses[i], err))
      return -1;
  if (p->opt.repo != m->config.repo &&
      hm_trust_check_repository(&m->trust, &m->config, p->opt.repo, err))
    return -1;
  if (!pushes || p->remote.url != m->config.push ||
      strcmp(hm_git_remote_address(p->opt.repo, p->remote.url, m->a), m->trust.push_address) == 0)
    return 0;
  return hm_failf(err, HM_E_USAGE, "publish.push", "give --push the address itself, or --no-push",
                  "in %s the name %s stands for another address than in the repository of "
                  "mirror.yml, which you trusted",
                  p->opt.repo, p->remote.url);
}

int hm_publish_run(hm_mirror *m, hm_publisher *p, hm_err *err) {
  if (check_trust(m, p, err))
    return -1;
  if (hm_check_path_overlap(m, "the repository", p->opt.repo, err))
    return -1;
  if (p->remote.url)
    p->opt.remote = &p->remote;
  if (p->opt.remote && p->remote.credentials)
    hm_warn_of_readers(&m->say, p->remote.credentials);
  if (p->signer.kind != HM_SIGN_OFF)
    p->opt.signer = &p->signer;
  if (p->opt.signer && !p->signer.key)
    return hm_fail(err, HM_E_USAGE, "publish.sign", "no key to sign with",
                   "set publish.sign_key in mirror.yml: a key file for ssh, a user id for openpgp");
  for (int i = 1; publish_once(m, p, err) != 0; i++) {
    if (err->code != HM_E_MOVED || !p->opt.remote || i == PUSHES)
      return -1;
    hm_publisher_free(p);
    hm_say_note(&m->say, "%s: its branch moved meanwhile: publishing again on what is there",
                hm_remote_hide_password(m->a, p->remote.url).p);
    pause_before(i);
  }
  return 0;
}
