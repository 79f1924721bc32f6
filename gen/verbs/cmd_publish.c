/* build: the site in a folder; publish: the site as a commit on a branch, with --watch again after
 * every change. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "core/base/par.h"
#include "core/base/text.h"
#include "gen/verbs/commands.h"
#include "gen/mirror/judging.h"
#include "gen/mirror/publication.h"
#include "gen/sink/dir.h"

/* --- build ------------------------------------------------------------------------------------ */

static const hm_option build_options[] = {
  { "output", 'd', "DIR", "put the site into DIR (config: output)" },
  { "base-url", 'b', "URL", "address the site will have (config: base_url)" },
  { "full", 0, NULL, "make and write every file, also those that did not change" },
  { "markdown-only", 0, NULL, "no HTML, no theme" },
  { "html-only", 0, NULL, "no Markdown" },
  { "no-sweep", 0, NULL, "only read the store; new disputes are shown, not recorded" },
  { 0 }
};

static void print_found(hm_cli *cli, const hm_made_counts *c) {
  printf("%s, %s open, %s; %s\n", hm_format_count(cli->a, c->disputed, "dispute"),
         hm_format_count(cli->a, c->open_conflicts, "conflict"),
         hm_format_count(cli->a, c->findings, "finding"), hm_compared_text(cli->a, &c->compared).p);
}

static int print_build_json(hm_cli *cli, const hm_made *m, const char *path,
                            const hm_dir_counts *n) {
  hm_jw *w = hm_cli_json_begin(cli);
  hm_jw_str(w, "path", hm_str_c(path));
  hm_cli_site_json(w, m);
  hm_jw_int(w, "written", n->written);
  hm_jw_int(w, "kept", n->kept);
  hm_jw_int(w, "removed", n->removed);
  return hm_cli_json_end(cli);
}

static int print_build(hm_cli *cli, const hm_made *m, const char *path, const hm_dir_counts *n) {
  const hm_made_counts *c = &m->counts;
  if (cli->quiet)
    return HM_EXIT_FINE;
  printf("%s: %s in %s: %s written, %s unchanged, %s removed\n", path,
         hm_format_count(cli->a, c->pages, "page"), hm_format_count(cli->a, c->files, "file"),
         hm_format_thousands(cli->a, n->written), hm_format_thousands(cli->a, n->kept),
         hm_format_thousands(cli->a, n->removed));
  print_found(cli, c);
  return HM_EXIT_FINE;
}

static int put_file(void *dir, const hm_file *f, hm_err *err) {
  return hm_dir_put_file(dir, f, err);
}

static int finish_folder(hm_cli *cli, hm_made *m, hm_dir *dir, const hm_cache *cache,
                         hm_dir_counts *n) {
  hm_buf note = { 0 };
  hm_err ignored;
  hm_progress_phase(cli, "writing the site");
  hm_made_free_claims(m);
  if (hm_dir_finish(dir, m->site, n, &cli->err))
    return -1;
  if (hm_dir_write_note(dir, m->site, &note, &ignored) == 0)
    hm_made_save_to_cache(&cli->mirror, m, cache, hm_buf_view(&note));
  hm_buf_free(&note);
  return 0;
}

/* The folder is locked before the store is read: of two builds the later one must not bring older
 * facts. */
static int build_site(hm_cli *cli, hm_made *m, const char *path, hm_dir **dir) {
  hm_dir_counts n = { 0 };
  hm_cache cache;
  bool full = hm_cli_get_option(cli, "full");
  if (hm_make_prepare(&cli->mirror, !hm_cli_get_option(cli, "no-sweep"), m, &cli->err))
    return -1;
  hm_cache_load(&cli->mirror, &m->look,
                (hm_site_target){ .sort = "dir", .path = path, .branch = "" }, m->foreign, full,
                &cache);
  const hm_cache_entry *known = cache.found ? &cache.entry : NULL;
  hm_dir_options opt = { .full = full,
                         .durable = true,
                         .threads = cli->mirror.threads,
                         .note = known ? known->note : HM_EMPTY,
                         .noted_files = known ? (size_t)known->counts.files : 0 };
  if (hm_dir_open(path, &opt, dir, &cli->err))
    return -1;
  const hm_make_sink sink = {
    .take = put_file, .ctx = *dir, .known = known, .present = hm_dir_present_files(*dir)
  };
  if (hm_make_site(&cli->mirror, m, &sink, &cli->err))
    return -1;
  if (m->same)
    n.kept = (size_t)m->counts.files;
  else if (finish_folder(cli, m, *dir, &cache, &n))
    return -1;
  cli->mirror.work.files_written = n.written;
  hm_mirror_say_work(&cli->mirror, "");
  hm_progress_end_phase(cli);
  return cli->json ? print_build_json(cli, m, path, &n) : print_build(cli, m, path, &n);
}

static int run_build(hm_cli *cli) {
  const char *d = hm_cli_get_option(cli, "output"), *url = hm_cli_get_option(cli, "base-url");
  hm_made m;
  if (d && !*d)
    return hm_fail_usage(cli, hm_cli_option_as_typed(cli, "output"), "an empty path",
                         "name a folder");
  if (url &&
      hm_check_base_url(cli->a, url, hm_cli_option_as_typed(cli, "base-url"),
                        &cli->mirror.config.base_url, &cli->err))
    return -1;
  cli->mirror.config.markdown = cli->mirror.config.html =
      true; /* the config's choice is the branch's */
  const char *path = d ? d : cli->mirror.config.output;
  if (hm_cli_read_page_forms(cli) || hm_trust_check(&cli->mirror.trust, path, &cli->err) ||
      hm_check_path_overlap(&cli->mirror, "the site", path, &cli->err))
    return -1;
  hm_dir *dir = NULL;
  int rc = build_site(cli, &m, path, &dir);
  hm_dir_close(dir);
  hm_made_free(&m);
  return rc;
}

const hm_command hm_cmd_build = {
  .name = "build",
  .words = "",
  .brief = "make the pages in a folder",
  .about = "Sweeps the store, renders every project as Markdown and HTML, marks what is\n"
           "disputed and puts the site into a folder, all of it or nothing. Files in the\n"
           "folder that are not the mirror's stay. Same store, same bytes.\n",
  .options = build_options,
  .exits = "0  the folder holds the site\n2  trouble, with a message; the folder is as it was\n",
  .examples = "hmirror build\nhmirror build -d /srv/www/mirror -b https://example.org/mirror/\n",
  .run = run_build
};

/* --- publish ---------------------------------------------------------------------------------- */

static const hm_option publish_options[] = {
  { "repo", 0, "P", "the repository, made if it does not exist (config: publish.repo)" },
  { "branch", 0, "B", "the branch (config: publish.branch)" },
  { "message", 'm', "MSG", "first line of the commit message (config: publish.message)" },
  { "push", 0, "REMOTE", "push to a name, a path or an address (config: publish.push)" },
  { "no-push", 0, NULL, "do not push, whatever publish.push says" },
  { "push-timeout", 0, "SECONDS",
    "longest silence of the remote; 60 (config: publish.push_timeout)" },
  { "markdown-only", 0, NULL, "no HTML, no theme in the branch (config: publish.pages)" },
  { "html-only", 0, NULL, "no Markdown in the branch (config: publish.pages)" },
  { "sign", 0, "KIND", "sign the commit: ssh, openpgp or off (config: publish.sign)" },
  { "full", 0, NULL, "make every page, also those that did not change" },
  { "watch", 0, NULL, "keep running: publish again whenever anything changes" },
  { "no-sweep", 0, NULL, "only read the store; new disputes are shown, not recorded" },
  { 0 }
};

static hm_str first_line(hm_str message) {
  ptrdiff_t end = hm_str_find(message, "\n");
  return end < 0 ? message : hm_str_sub(message, 0, (size_t)end);
}

static int print_publication_json(hm_cli *cli, const hm_publisher *p) {
  hm_jw *w = hm_cli_json_begin(cli);
  hm_jw_str(w, "repo", hm_str_c(p->opt.repo));
  hm_jw_str(w, "branch", hm_str_c(p->opt.branch));
  hm_jw_str(w, "commit", hm_str_c(p->result.commit));
  hm_jw_bool(w, "created", p->result.created);
  hm_jw_str_or_null(w, "remote",
                    p->opt.remote ? hm_remote_hide_password(cli->a, p->opt.remote->url) : HM_EMPTY);
  hm_jw_bool(w, "pushed", p->sent);
  hm_jw_int(w, "objects", p->result.objects);
  hm_jw_int(w, "edited", p->result.edited);
  hm_jw_str_or_null(w, "summary", p->result.created ? first_line(p->message) : HM_EMPTY);
  hm_cli_site_json(w, &p->made);
  return hm_cli_json_end(cli);
}

static int print_publication(hm_cli *cli, const hm_publisher *p) {
  if (cli->quiet)
    return HM_EXIT_FINE;
  if (p->result.created)
    printf("%s, branch %s: %.12s %s\n", p->opt.repo, p->opt.branch, p->result.commit,
           hm_terminal_line(cli->a, first_line(p->message), 0));
  else
    printf("%s, branch %s: nothing changed since %.12s\n", p->opt.repo, p->opt.branch,
           p->result.commit);
  print_found(cli, &p->made.counts);
  if (p->opt.remote)
    printf("%s: %s\n", hm_remote_hide_password(cli->a, p->opt.remote->url).p,
           p->sent ? "pushed" : "has it already");
  return HM_EXIT_FINE;
}

/* The config's choice, and the options of this run instead of it. */
static int read_options(hm_cli *cli, hm_publisher *p) {
  const char *repo = hm_cli_get_option(cli, "repo"), *branch = hm_cli_get_option(cli, "branch");
  const char *message = hm_cli_get_option(cli, "message"), *push = hm_cli_get_option(cli, "push"),
             *timeout = hm_cli_get_option(cli, "push-timeout");
  int seconds = 0;
  if (hm_cli_read_page_forms(cli))
    return -1;
  hm_publisher_init(&cli->mirror, p);
  p->full = hm_cli_get_option(cli, "full");
  p->record = !hm_cli_get_option(cli, "no-sweep");
  if (repo && !*repo)
    return hm_fail_usage(cli, "--repo", "an empty path", "name a folder");
  if (branch && hm_check_branch(branch, "--branch", &cli->err))
    return -1;
  if (message && !hm_str_trim(hm_str_c(message)).n)
    return hm_fail_usage(cli, hm_cli_option_as_typed(cli, "message"), "an empty message", NULL);
  if (message && hm_text_repair(cli->a, hm_str_c(message)).p != message)
    return hm_fail_usage(cli, hm_cli_option_as_typed(cli, "message"), "not valid UTF-8", NULL);
  if (push && hm_check_push_remote(push, "--push", &cli->err))
    return -1;
  if (push && hm_cli_get_option(cli, "no-push"))
    return hm_fail_usage(cli, "--push", "given together with --no-push", "give one of them");
  if (hm_cli_get_option(cli, "no-push"))
    p->remote.url = NULL;
  if (timeout && hm_check_push_timeout(timeout, "--push-timeout", &seconds, &cli->err))
    return -1;
  if (timeout && !push && !p->remote.url)
    return hm_fail_usage(cli, "--push-timeout", "nothing is pushed", "give --push REMOTE too");
  const char *sign = hm_cli_get_option(cli, "sign");
  if (sign && !hm_sign_kind_parse(sign, &p->signer.kind))
    return hm_fail_usage(cli, "--sign", "no such kind of signature", "write ssh, openpgp or off");
  if (repo)
    p->opt.repo = repo;
  if (branch)
    p->opt.branch = branch;
  if (message)
    p->summary = hm_str_c(message);
  if (push)
    hm_publisher_set_remote(&cli->mirror, p, push);
  if (timeout)
    p->remote.timeout_ms = seconds * 1000;
  return 0;
}

/* Of the many publications of a run that watches, those that are none are reported only to who
 * waits for them; then 1 means that nobody could be told. */
static int publish_once(hm_cli *cli) {
  hm_publisher p = { 0 };
  int rc = read_options(cli, &p) || hm_publish_run(&cli->mirror, &p, &cli->err) ? -1 : 0;
  bool news = !cli->mirror.watches || p.result.created || p.sent || cli->awaited;
  if (!rc && news) {
    hm_mirror_say_work(&cli->mirror, "");
    hm_progress_end_phase(cli);
    rc = cli->json ? print_publication_json(cli, &p) : print_publication(cli, &p);
  }
  hm_publisher_free(&p);
  return !rc && cli->mirror.watches && hm_flush_stdout(&cli->err) ? 1 : rc;
}

/* --- publish --watch ------------------------------------------------------------------ */

enum {
  POLL_MS = 100,
  SETTLE_MS = 30,
  PATIENCE_MS = 500,
  RETRY_MS = 500,
  RETRY_MAX_MS = 30000,
  EXIT_SECOND_SIGNAL = 130
};

typedef struct {
  hm_cli *first;
  hm_arena *a; /* of one run after the other: memory in use already costs less than new one */
  hm_watcher *in;
  char reported[2048]; /* the last error; empty: the last run went well */
  int retry_ms;        /* after which a failed run is retried; 0: it went well */
  pthread_t listener;
  atomic_bool ended; /* a signal came */
} watch_loop;

static void ending_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
}

/* The first signal lets the running publication end; the second one does not. */
static void *wait_for_signals(void *ctx) {
  watch_loop *l = ctx;
  sigset_t set;
  int signal;
  ending_signals(&set);
  while (sigwait(&set, &signal)) {
  }
  atomic_store(&l->ended, true);
  while (sigwait(&set, &signal)) {
  }
  _exit(EXIT_SECOND_SIGNAL);
}

static int start_listener(watch_loop *l) {
  sigset_t set;
  ending_signals(&set);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  int rc = pthread_create(&l->listener, NULL, wait_for_signals, l);
  return rc ? hm_fail(&l->first->err, HM_E_INTERNAL, l->first->command->name, strerror(rc), NULL)
            : 0;
}

/* --- the loop ----------------------------------------------------------------------- */

static void report_error(watch_loop *l, hm_cli *cli) {
  char line[sizeof l->reported];
  hm_err_format_line(&cli->err, line, sizeof line);
  if (strcmp(line, l->reported) != 0)
    hm_print_error(cli, &cli->err);
  memcpy(l->reported, line, sizeof line);
}

static int run_once(watch_loop *l, bool is_first) {
  hm_arena_reset(l->a);
  hm_cli *cli = hm_rerun_new(l->first, l->a);
  hm_watcher_accept(l->in);
  cli->mirror.watches = true;
  cli->awaited = is_first || l->reported[0];
  int rc = hm_rerun_read_config(cli, l->first, l->in);
  if (!rc)
    rc = publish_once(cli);
  l->first->mirror.review_warned = cli->mirror.review_warned;
  l->first->mirror.secrets_warned = cli->mirror.secrets_warned;
  l->first->mirror.unused_warned = cli->mirror.unused_warned;
  hm_progress_phase(cli, NULL);
  hm_progress_end_phase(cli);
  if (rc && is_first)
    l->first->err = cli->err;
  else if (rc)
    report_error(l, cli);
  else
    l->reported[0] = 0;
  hm_rerun_free(cli);
  return rc;
}

/* False when it is time to end. */
static bool pause_or_end(const watch_loop *l, int ms) {
  const struct timespec t = { 0, ms * 1000000L };
  nanosleep(&t, NULL);
  return !atomic_load(&l->ended);
}

/* Waits until a change has come to rest, or has gone on for PATIENCE_MS, or a retry is due. False
 * when it is time to end. */
static bool wait_for_change(watch_loop *l) {
  int64_t since = hm_clock_ms(), moving = -1;
  for (int pause = POLL_MS; pause_or_end(l, pause);) {
    hm_watch_state is = hm_watcher_poll(l->in);
    int64_t now = hm_clock_ms();
    if (is == HM_WATCH_STILL)
      moving = -1;
    else if (moving < 0)
      moving = now;
    bool impatient = moving >= 0 && now - moving >= PATIENCE_MS;
    bool retry = l->retry_ms && now - since >= l->retry_ms;
    if (is == HM_WATCH_CHANGED || impatient || retry)
      return true;
    pause = is == HM_WATCH_MOVING ? SETTLE_MS : POLL_MS;
  }
  return false;
}

static int loop_until_signal(watch_loop *l) {
  if (run_once(l, true))
    return -1;
  while (!atomic_load(&l->ended) && wait_for_change(l)) {
    int longer = 2 * l->retry_ms < RETRY_MAX_MS ? 2 * l->retry_ms : RETRY_MAX_MS;
    if (run_once(l, false) >= 0)
      l->retry_ms = 0;
    else
      l->retry_ms = l->retry_ms ? longer : RETRY_MS;
  }
  return 0;
}

/* Publishes now and whenever the store, the config, templates, theme or static files changed, until
 * SIGINT or SIGTERM: 0. Each publication is a run of its own, as a fresh process would do it. If
 * the first one fails, that is the result. A later failure is reported once as long as it says the
 * same, and retried after a change, or half a second, then twice as long each time, at most half a
 * minute. A write to the store meanwhile counts as a change. A second signal ends the process at
 * once. */
static int watch_and_publish(hm_cli *first) {
  const hm_store_source store = hm_mirror_source(&first->mirror);
  watch_loop l = { .first = first };
  if (start_listener(&l))
    return -1;
  l.a = hm_arena_new();
  l.in = hm_watcher_new();
  hm_watcher_add_store(l.in, &store);
  hm_cli_tell_trust(first);
  hm_judging *judging = hm_judging_start(&first->mirror);
  int rc = loop_until_signal(&l);
  hm_judging_stop(judging);
  pthread_cancel(l.listener);
  pthread_join(l.listener, NULL);
  hm_watcher_free(l.in);
  hm_arena_free(l.a);
  return rc;
}

static int run_publish(hm_cli *cli) {
  return hm_cli_get_option(cli, "watch") ? watch_and_publish(cli) : publish_once(cli);
}

const hm_command hm_cmd_publish = {
  .name = "publish",
  .words = "",
  .brief = "commit the pages to a branch",
  .about =
      "Sweeps the store, renders the site and commits it to a branch. A branch that moved "
      "meanwhile\n"
      "is never overwritten; equal pages make no commit. Now and the date are SOURCE_DATE_EPOCH, "
      "else\n"
      "the newest fact's. --push fetches the remote's branch and sends the commit there (over "
      "https\n"
      "with HMIRROR_GIT_TOKEN); after a lost race it tries again. Ctrl-C ends --watch.\n",
  .options = publish_options,
  .exits = "0  the branch has the site\n2  trouble, with a message; the branch is as it was\n"
           "130  with --watch: ended at once by a second Ctrl-C\n",
  .examples = "hmirror publish\n"
              "hmirror publish --repo ../mirror.git --branch gh-pages -m 'Nightly mirror'\n"
              "hmirror publish --push git@example.org:team/mirror.git\nhmirror publish --watch\n",
  .run = run_publish
};
