/* serve and mcp: the two long-running servers. They show the current pages, built by a second run
 * (hm_rerun_new). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "gen/verbs/commands.h"
#include "gen/http/preview.h"
#include "gen/http/preview_http.h"
#include "gen/http/http.h"
#include "gen/mcp/mcp.h"
#include "gen/mirror/embedding.h"
#include "gen/mirror/files.h"
#include "gen/mirror/judging.h"
#include "gen/mirror/watch.h"

/* --- pages as they are now -------------------------------------------------------------------- */

typedef struct {
  hm_cli *cli;
  hm_made made;
} draft_run;

static void free_draft(draft_run *r) {
  if (!r)
    return;
  hm_made_free(&r->made);
  hm_arena_free(r->cli->a);
  hm_rerun_free(r->cli);
  free(r);
}

/* Writes are compared by the rules that the first run began with. */
static int check_rules(hm_cli *now, const hm_cli *first) {
  const hm_config *c = &now->mirror.config;
  if (hm_str_eq(hm_rules_digest(&c->rules, now->a),
                hm_rules_digest(&first->mirror.config.rules, now->a)))
    return 0;
  return hm_fail(&now->err, HM_E_USAGE,
                 hm_str_fmt(now->a, "%s: rules, or world.yml", hm_config_file_name(c)).p,
                 "they differ from those that writes to this server are compared by",
                 hm_str_fmt(now->a, "start `hmirror %s` again", first->command->name).p);
}

/* Reads config and store as they are now and lays out the pages. What is read is added to w, also
 * where this then fails. Errors: of config and store; HM_E_USAGE: the rules differ from those of
 * `first`, by which it compares writes. Free with free_draft. */
static int begin_draft(const hm_cli *first, hm_watcher *w, draft_run **out, hm_err *err) {
  draft_run *r = hm_xmalloc(sizeof *r);
  *r = (draft_run){ .cli = hm_rerun_new(first, hm_arena_new()) };
  hm_cli *cli = r->cli;
  cli->progress = NULL;
  cli->silent = true;
  if (hm_rerun_read_config(cli, first, w) || check_rules(cli, first) ||
      hm_make_preview(&cli->mirror, &r->made, &cli->err)) {
    *err = cli->err;
    free_draft(r);
    return -1;
  }
  *out = r;
  return 0;
}

/* --- the API behind both doors ---------------------------------------------------------------- */

/* Reports a review file of another store before anybody asks. */
static int check_store(hm_cli *cli) {
  hm_store *seen = NULL;
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &seen, &cli->err))
    return -1;
  hm_store_close(seen);
  return 0;
}

/* Fills the rest of opt, whose store is set, and opens the API. Free with close_api. */
static int open_api(hm_cli *cli, hm_api_options *opt, hm_api **out) {
  opt->rules = &cli->mirror.config.rules;
  opt->queue = cli->mirror.config.queue;
  opt->reports_per_day = cli->mirror.config.reports_per_day;
  opt->busy_ms = HM_BUSY_MS;
  opt->embedding_off = hm_embedding_why_off(&cli->mirror);
  opt->embedding_named = cli->mirror.config.recall.url;
  opt->embedding = hm_embedding_start(&cli->mirror);
  hm_progress_phase(cli, "looking through the store");
  if (!hm_api_open(opt, out, &cli->err))
    return 0;
  hm_embedding_stop(opt->embedding);
  return -1;
}

static void close_api(hm_api *api, const hm_api_options *opt) {
  hm_embedding_stop(opt->embedding);
  hm_api_close(api);
}

/* --- serve ------------------------------------------------------------------------------------ */

enum { PORT = 8080, TOKEN_LEAST = 16, TOKEN_MOST = 4096 };

static const hm_option serve_options[] = {
  { "address", 0, "A", "listen there; 127.0.0.1. What others can reach needs a token" },
  { "port", 'p', "N", "listen on port N; 8080, 0 for any that is free" },
  { "token-file", 0, "F", "ask for the token in F, of at least 16 characters" },
  { "host", 0, "NAME", "another name that requests may use for this machine" },
  { "api-only", 0, NULL, "only the HTTP API: the mirror is not rendered" },
  { 0 }
};

static int check_token(hm_cli *cli, const char *what, hm_str token) {
  if (token.n < TOKEN_LEAST)
    return hm_failf(&cli->err, HM_E_USAGE, what, "try `openssl rand -hex 32`",
                    "the token has less than %d characters", TOKEN_LEAST);
  for (size_t i = 0; i < token.n; i++)
    if (token.p[i] <= ' ' || token.p[i] > '~')
      return hm_fail_usage(cli, what, "the token has characters that no header may have",
                           "try `openssl rand -hex 32`");
  return 0;
}

/* Never from the command line, which everybody on the machine can read. */
static int read_token(hm_cli *cli, hm_str *out) {
  const char *file = hm_cli_get_option(cli, "token-file"), *env = getenv("HMIRROR_TOKEN");
  *out = HM_EMPTY;
  if (!file && (!env || !*env))
    return 0;
  if (file && hm_file_read(cli->a, file, TOKEN_MOST, HM_E_USAGE, out, &cli->err))
    return -1;
  if (!file)
    *out = hm_str_c(env);
  *out = hm_str_trim(*out);
  if (check_token(cli, file ? file : "HMIRROR_TOKEN", *out))
    return -1;
  if (file)
    hm_warn_of_readers(&cli->mirror.say, file);
  return 0;
}

static int read_options(hm_cli *cli, hm_server_options *out) {
  const char *address = hm_cli_get_option(cli, "address"), *host = hm_cli_get_option(cli, "host");
  *out = (hm_server_options){ .address = address ? address : "127.0.0.1", .host = hm_str_c(host) };
  uint64_t port = PORT;
  bool given;
  if (hm_cli_read_number(cli, "port", UINT16_MAX, &port, &given) || read_token(cli, &out->token))
    return -1;
  out->port = (int)port;
  if (host && (!*host || strpbrk(host, ":/@ \t")))
    return hm_fail_usage(cli, "--host", "not the name of a machine",
                         "give the name alone, without port and scheme");
  return 0;
}

static int listen_and_serve(hm_cli *cli, hm_server_options *opt) {
  hm_server *server = NULL;
  if (hm_server_start(opt, &server, &cli->err))
    return -1;
  hm_progress_end_phase(cli);
  printf("%s\n", hm_server_url(server));
  int rc = hm_flush_stdout(&cli->err);
  if (!rc)
    hm_server_run(server);
  hm_server_free(server);
  return rc;
}

/* --- builds for the preview: each a run of its own ------------------------------------ */

static int begin_build(void *ctx, hm_watcher *w, hm_preview_build *out, hm_err *err) {
  draft_run *r;
  if (begin_draft(ctx, w, &r, err))
    return -1;
  *out = (hm_preview_build){ .view = r->made.view,
                             .rules = &r->cli->mirror.config.rules,
                             .templates = r->made.look.templates,
                             .threads = r->cli->mirror.threads,
                             .assets = hm_site_draft_assets_digest(r->made.draft),
                             .own = r };
  return 0;
}

static int render_file(void *ctx, const hm_preview_build *b, hm_str path, hm_arena *a, hm_file *out,
                       hm_err *err) {
  const draft_run *r = b->own;
  (void)ctx;
  return hm_site_draft_render_file(r->made.draft, path, a, out, err);
}

static int finish_build(void *ctx, const hm_preview_build *b, const hm_preview_build *before,
                        bool (*proceed)(void *), void *proceed_ctx, const hm_site **out,
                        hm_err *err) {
  draft_run *r = b->own, *last = before ? before->own : NULL;
  const hm_cli *served = ctx;
  size_t first = hm_site_draft_count_rendered(r->made.draft);
  if (hm_make_preview_site(&r->cli->mirror, &r->made, last ? &last->made : NULL, proceed,
                           proceed_ctx, err))
    return -1;
  *out = r->made.site;
  if (served->verbose)
    fprintf(stderr,
            "hmirror: all %zu pages: %zu rendered when asked for, then %zu; the others as "
            "they were\n",
            r->made.site->pages, first, r->made.site->rendered);
  return 0;
}

static void free_build(void *ctx, hm_preview_build *b) {
  (void)ctx;
  free_draft(b->own);
}

static void report_build(void *ctx, const hm_preview_build *b, const hm_err *problem,
                         double seconds) {
  const hm_cli *cli = ctx;
  char line[2048];
  if (problem) {
    hm_err_format_line(problem, line, sizeof line);
    fprintf(stderr, "hmirror: %s\n", line);
  } else if (cli->verbose) {
    const draft_run *r = b->own;
    fprintf(stderr, "hmirror: %zu pages to show, after %.2f s\n",
            hm_site_draft_pages(r->made.draft), seconds);
  }
}

/* --- the verb -------------------------------------------------------------------------- */

static int run_serve(hm_cli *cli) {
  hm_server_options opt;
  hm_actor who;
  hm_api *api;
  hm_preview_http preview;
  bool alone = hm_cli_get_option(cli, "api-only");
  const hm_store_source store = hm_mirror_source(&cli->mirror);
  /* Builds what this run's options ask for. Store and rules stay those of the run. */
  const hm_preview_builder builder = { .ctx = cli,
                                       .begin = begin_build,
                                       .file = render_file,
                                       .finish = finish_build,
                                       .free = free_build,
                                       .report = report_build };
  if (read_options(cli, &opt) || hm_mirror_actor(&cli->mirror, &who, &cli->err))
    return -1;
  if (check_store(cli))
    return -1;
  hm_cli_tell_trust(cli);
  hm_server_hold_signals();
  hm_api_options api_opt = { .store = &store,
                             .by = who.by,
                             .token = opt.token.n > 0,
                             .trial = alone ? NULL : hm_preview_http_try_verdict,
                             .trial_ctx = &preview };
  if (open_api(cli, &api_opt, &api))
    return -1;
  hm_progress_phase(cli, "making the mirror");
  hm_str by = hm_str_is(who.by, "unknown") ? HM_EMPTY : who.by;
  int rc = alone ? 0 : hm_preview_http_open(&preview, &builder, &store, api, by, cli->a, &cli->err);
  if (!rc) {
    /* A file of the mirror stands before what the API calls so; what neither has is the mirror's
     * 404 page. */
    const hm_route_table api_table = hm_api_routes(api, cli->a);
    const hm_route_table all[] = { alone ? api_table : hm_preview_routes(&preview), api_table,
                                   alone ? api_table : hm_preview_fallback_routes(&preview) };
    opt.tables = all;
    opt.n_tables = alone ? 1 : HM_COUNT(all);
    hm_judging *judging = hm_judging_start(&cli->mirror);
    rc = listen_and_serve(cli, &opt);
    hm_judging_stop(judging);
    if (!alone)
      hm_preview_http_close(&preview);
  }
  close_api(api, &api_opt);
  return rc;
}

const hm_command hm_cmd_serve = {
  .name = "serve",
  .words = "",
  .brief = "show the mirror as it changes, settle conflicts, answer over HTTP",
  .about = "Shows the mirror as it would be published, with each change within a second, lets\n"
           "you settle conflicts on their pages, and serves the HTTP API (/openapi.json). Prints\n"
           "its address when it listens; Ctrl-C ends it. Where others can reach it (--address),\n"
           "each request needs the token of --token-file or HMIRROR_TOKEN. It speaks no TLS.\n",
  .options = serve_options,
  .exits = "0    ended by Ctrl-C or SIGTERM\n2    trouble, with a message\n"
           "130  ended at once by a second Ctrl-C\n",
  .examples = "hmirror serve\ncurl -s http://127.0.0.1:8080/conflicts?project=p05\n"
              "curl -s -H 'Content-Type: application/json' -d '{\"reason\":\"two lots\"}' \\\n"
              "  http://127.0.0.1:8080/conflicts/c1f0a2b3c4d5e/dismiss\n",
  .run = run_serve
};

/* --- mcp -------------------------------------------------------------------------------------- */

static const hm_option mcp_options[] = {
  { "agent", 0, "NAME", "who the journal names, and whose memories they are; as the client says" },
  { "allow-verdicts", 0, NULL, "let the agent supersede and restore rows" },
  { "tools", 0, "WHICH", "all: list every name, what it takes and what its answer holds" },
  { 0 }
};

/* --- the pages as they are now --------------------------------------------------------------- */

/* Laid out when somebody asks, and again when anything changed since. */
typedef struct {
  const hm_cli *cli;
  hm_watcher *watcher;
  draft_run *run;
} shown_pages;

static int lay_out_pages(shown_pages *p, hm_err *err) {
  if (p->run && hm_watcher_poll(p->watcher) == HM_WATCH_STILL)
    return 0;
  hm_watcher_accept(p->watcher);
  free_draft(p->run);
  p->run = NULL;
  return begin_draft(p->cli, p->watcher, &p->run, err);
}

/* The page as it is laid out; it lives in a or with the run. */
static int draft_page(const shown_pages *p, hm_str path, hm_arena *a, hm_file *out, bool *found,
                      hm_err *err) {
  int state = hm_site_draft_render_file(p->run->made.draft, path, a, out, err);
  *found = state == HM_FILE_READY;
  return state < 0 ? -1 : 0;
}

static int read_page(void *ctx, hm_str path, hm_arena *a, hm_str *text, bool *found, hm_err *err) {
  shown_pages *p = ctx;
  hm_file file;
  *found = false;
  if (!hm_str_ends(path, ".md"))
    return 0;
  if (lay_out_pages(p, err) || draft_page(p, path, a, &file, found, err))
    return -1;
  if (*found)
    *text = hm_str_dup(a, file.bytes);
  return 0;
}

static int list_pages(void *ctx, hm_arena *a, hm_str **paths, size_t *n, hm_err *err) {
  shown_pages *p = ctx;
  hm_pages *pages;
  hm_file first;
  bool markdown = true; /* the config may have none made */
  *n = 0;
  if (lay_out_pages(p, err) || hm_list_pages(p->run->made.view, a, &pages, err))
    return -1;
  if (pages->n && draft_page(p, pages->pages[0].path, a, &first, &markdown, err))
    return -1;
  *paths = hm_alloc_array(a, pages->n, sizeof **paths);
  for (size_t i = 0; i < pages->n && markdown; i++)
    (*paths)[(*n)++] = hm_str_dup(a, pages->pages[i].path);
  return 0;
}

/* --- the verb -------------------------------------------------------------------------------- */

static int run_mcp(hm_cli *cli) {
  hm_api *api;
  hm_str agent = hm_str_trim(hm_str_c(hm_cli_get_option(cli, "agent")));
  const hm_store_source store = hm_mirror_source(&cli->mirror);
  shown_pages shown = { .cli = cli };
  const hm_mcp_pages pages = { .ctx = &shown, .list = list_pages, .read = read_page };
  hm_api_options api_opt = { .store = &store, .by = agent.n ? agent : HM_STR("mcp") };
  if (hm_cli_get_option(cli, "agent") && !hm_actor_name_fits(agent))
    return hm_fail_usage(cli, "--agent", "not a name",
                         "give 1 to 200 bytes without control characters");
  if (hm_cli_get_option(cli, "by"))
    return hm_fail_usage(cli, "--by", "an agent writes in its own name", "give --agent NAME");
  const char *tools = hm_cli_get_option(cli, "tools");
  if (tools && strcmp(tools, "all") != 0)
    return hm_fail_usage(cli, "--tools", "not 'all'", "leave it out, or give --tools all");
  if (check_store(cli))
    return -1;
  hm_cli_tell_trust(cli);
  if (open_api(cli, &api_opt, &api))
    return -1;
  hm_progress_end_phase(cli);
  shown.watcher = hm_watcher_new();
  hm_watcher_add_store(shown.watcher, &store);
  const bool may_judge = hm_cli_get_option(cli, "allow-verdicts") != NULL;
  const hm_mcp_options opt = {
    .api = api, .pages = &pages, .agent = agent, .may_judge = may_judge, .all_tools = tools != NULL
  };
  hm_judging *judging = hm_judging_start(&cli->mirror);
  int rc = hm_mcp_serve(&opt, STDIN_FILENO, STDOUT_FILENO, &cli->err);
  hm_judging_stop(judging);
  free_draft(shown.run);
  hm_watcher_free(shown.watcher);
  close_api(api, &api_opt);
  return rc;
}

const hm_command hm_cmd_mcp = {
  .name = "mcp",
  .words = "",
  .brief = "answer agents over the Model Context Protocol, on standard input and output",
  .about = "Speaks the Model Context Protocol with one client, which starts it: tools to recall,\n"
           "remember, check and explain, and the pages and conflicts as resources. An agent adds\n"
           "memories and entities; verdicts stay with people, unless --allow-verdicts is given.\n",
  .options = mcp_options,
  .exits = "0  the client ended the conversation\n2  trouble, with a message\n",
  .examples = "hmirror mcp -C ~/mirror\nhmirror mcp -C ~/mirror --agent ci-reviewer\n"
              "claude mcp add hmirror -- hmirror mcp -C ~/mirror\n",
  .run = run_mcp
};
