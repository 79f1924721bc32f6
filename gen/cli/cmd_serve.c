/* The verb serve: its options, and the parts that it puts together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gen/cli/commands.h"
#include "gen/cli/draft_run.h"
#include "gen/mirror/files.h"
#include "gen/mirror/embedding.h"
#include "gen/mirror/judging.h"
#include "gen/http/preview.h"
#include "gen/http/preview_http.h"
#include "gen/http/server.h"

enum { PORT = 8080, TOKEN_LEAST = 16, TOKEN_MOST = 4096 };

static const hm_option serve_options[] = {
  { "address", 0, "A", "listen there; 127.0.0.1. What others can reach needs a token" },
  { "port", 'p', "N", "listen on port N; 8080, 0 for any that is free" },
  { "token-file", 0, "F", "ask for the token in F, of at least 16 characters" },
  { "host", 0, "NAME", "another name that requests may use for this machine" },
  { "api-only", 0, NULL, "only the HTTP API: the mirror is not rendered" },
  { 0 }
};

static int read_port(hm_cli *cli, int *out) {
  const char *z = hm_cli_option(cli, "port");
  char *end = NULL;
  *out = PORT;
  if (!z) return 0;
  long n = strtol(z, &end, 10);
  if (*z < '0' || *z > '9' || *end || n > 65535)
    return hm_failf(&cli->err, HM_E_USAGE, "--port", "give a number from 0 to 65535", "'%.60s'", z);
  *out = (int)n;
  return 0;
}

static int check_token(hm_cli *cli, const char *what, hm_str token) {
  if (token.n < TOKEN_LEAST)
    return hm_failf(&cli->err, HM_E_USAGE, what, "try `openssl rand -hex 32`",
                    "the token has less than %d characters", TOKEN_LEAST);
  for (size_t i = 0; i < token.n; i++)
    if (token.p[i] <= ' ' || token.p[i] > '~')
      return hm_usage(cli, what,
                     "the token has characters that no header may have",
                     "try `openssl rand -hex 32`");
  return 0;
}

/* Never from the command line, which everybody on the machine can read. */
static int read_token(hm_cli *cli, hm_str *out) {
  const char *file = hm_cli_option(cli, "token-file"), *env = getenv("HMIRROR_TOKEN");
  *out = HM_EMPTY;
  if (!file && (!env || !*env)) return 0;
  if (file && hm_file_read(cli->a, file, TOKEN_MOST, HM_E_USAGE, out, &cli->err)) return -1;
  if (!file) *out = hm_str_c(env);
  *out = hm_str_trim(*out);
  return check_token(cli, file ? file : "HMIRROR_TOKEN", *out);
}

static int read_options(hm_cli *cli, hm_server_options *out) {
  const char *address = hm_cli_option(cli, "address"), *host = hm_cli_option(cli, "host");
  *out = (hm_server_options){ .address = address ? address : "127.0.0.1", .host = hm_str_c(host) };
  if (read_port(cli, &out->port) || read_token(cli, &out->token)) return -1;
  if (host && (!*host || strpbrk(host, ":/@ \t")))
    return hm_usage(cli, "--host", "not the name of a machine",
                   "give the name alone, without port and scheme");
  return 0;
}

static int listen_and_serve(hm_cli *cli, hm_server_options *opt) {
  hm_server *server = NULL;
  if (hm_server_start(opt, &server, &cli->err)) return -1;
  hm_phase_end(cli);
  printf("%s\n", hm_server_url(server));
  int rc = hm_out_close(&cli->err);
  if (!rc) hm_server_run(server);
  hm_server_free(server);
  return rc;
}

/* --- builds for the preview: each a run of its own ------------------------------------ */

static int begin_build(void *ctx, hm_watcher *w, hm_preview_build *out, hm_err *err) {
  hm_draft_run *r;
  if (hm_draft_run_begin(ctx, w, &r, err)) return -1;
  *out = (hm_preview_build){ .view = r->made.view,
                             .rules = &r->cli->mirror.config.rules,
                             .templates = r->made.look.templates,
                             .inputs = r->made.inputs,
                             .threads = r->cli->mirror.threads,
                             .assets = hm_site_draft_assets(r->made.draft),
                             .own = r };
  return 0;
}

static int render_file(void *ctx, const hm_preview_build *b, hm_str path, hm_arena *a, hm_file *out,
                       hm_err *err) {
  const hm_draft_run *r = b->own;
  (void)ctx;
  return hm_site_draft_file(r->made.draft, path, a, out, err);
}

static int finish_build(void *ctx, const hm_preview_build *b, const hm_preview_build *before,
                        bool (*proceed)(void *), void *proceed_ctx, const hm_site **out,
                        hm_err *err) {
  hm_draft_run *r = b->own, *last = before ? before->own : NULL;
  const hm_cli *served = ctx;
  size_t first = hm_site_draft_rendered(r->made.draft);
  if (hm_make_preview_site(&r->cli->mirror, &r->made, last ? &last->made : NULL, proceed,
                           proceed_ctx, err))
    return -1;
  *out = r->made.site;
  if (served->verbose)
    fprintf(stderr, "hmirror: all %zu pages: %zu rendered when asked for, then %zu; the others as "
            "they were\n", r->made.site->pages, first, r->made.site->modelled);
  return 0;
}

static void free_build(void *ctx, hm_preview_build *b) {
  (void)ctx;
  hm_draft_run_free(b->own);
}

static void report_build(void *ctx, const hm_preview_build *b, const hm_err *problem,
                         double seconds) {
  const hm_cli *cli = ctx;
  char line[2048];
  if (problem) {
    hm_err_line(problem, line, sizeof line);
    fprintf(stderr, "hmirror: %s\n", line);
  } else if (cli->verbose) {
    const hm_draft_run *r = b->own;
    fprintf(stderr, "hmirror: %zu pages to show, after %.2f s\n",
            hm_site_draft_pages(r->made.draft), seconds);
  }
}

/* --- the verb -------------------------------------------------------------------------- */

static int run_serve(hm_cli *cli) {
  hm_server_options opt;
  hm_actor who;
  hm_api *api;
  hm_store *seen = NULL;
  hm_preview_http preview;
  bool alone = hm_cli_option(cli, "api-only");
  const hm_store_source store = hm_mirror_source(&cli->mirror);
  /* Builds what this run's options ask for. Store and rules stay those of the run. */
  const hm_preview_builder builder = { .ctx = cli,
                                       .begin = begin_build,
                                       .file = render_file,
                                       .finish = finish_build,
                                       .free = free_build,
                                       .report = report_build };
  if (read_options(cli, &opt) || hm_mirror_actor(&cli->mirror, &who, &cli->err)) return -1;
  /* Reports a review file of another store before any page is shown. */
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &seen, &cli->err)) return -1;
  hm_store_close(seen);
  hm_server_hold_signals();
  const hm_api_options api_opt = { .store = &store,
                                   .rules = &cli->mirror.config.rules,
                                   .by = who.by,
                                   .busy_ms = HM_BUSY_MS,
                                   .token = opt.token.n > 0,
                                   .trial = alone ? NULL : hm_preview_http_try,
                                   .trial_ctx = &preview,
                                   .embedding = hm_embedding_start(&cli->mirror),
                                   .embedding_off = hm_embedding_off(&cli->mirror),
                                   .embedding_named = cli->mirror.config.recall.url };
  hm_phase(cli, "looking through the store");
  if (hm_api_open(&api_opt, &api, &cli->err)) {
    hm_embedding_stop(api_opt.embedding);
    return -1;
  }
  hm_phase(cli, "making the mirror");
  hm_str by = hm_str_is(who.by, "unknown") ? HM_EMPTY : who.by;
  int rc =
      alone ? 0 : hm_preview_http_open(&preview, &builder, &store, by, cli->a, &cli->err);
  if (!rc) {
    /* A file of the mirror stands before what the API calls so; what neither has is the mirror's
     * 404 page. */
    const hm_route_table api_table = hm_api_routes(api, cli->a);
    const hm_route_table all[] = { alone ? api_table : hm_preview_routes(&preview), api_table,
                                   alone ? api_table : hm_preview_fallback(&preview) };
    opt.tables = all;
    opt.n_tables = alone ? 1 : HM_COUNT(all);
    hm_judging *judging = hm_judging_start(&cli->mirror);
    rc = listen_and_serve(cli, &opt);
    hm_judging_stop(judging);
    if (!alone) hm_preview_http_close(&preview);
  }
  hm_embedding_stop(api_opt.embedding);
  hm_api_close(api);
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
  .exits =
      "0    ended by Ctrl-C or SIGTERM\n2    trouble, with a message\n"
      "130  ended at once by a second Ctrl-C\n",
  .examples = "hmirror serve\ncurl -s http://127.0.0.1:8080/conflicts?project=p05\n"
              "curl -s -H 'Content-Type: application/json' -d '{\"reason\":\"two lots\"}' \\\n"
              "  http://127.0.0.1:8080/conflicts/c1f0a2b3c4d5e/dismiss\n",
  .run = run_serve
};
