/* The verb serve: its options, and the parts that it puts together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gen/cli/commands.h"
#include "gen/mirror/files.h"
#include "gen/cli/out.h"
#include "gen/cli/preview_build.h"
#include "gen/cli/work.h"
#include "gen/http/preview_http.h"
#include "gen/http/server.h"

enum { PORT = 8080, TOKEN_LEAST = 16, TOKEN_MOST = 4096 };

static const hm_option options[] = {
  { "address", 0, "A", "listen there; 127.0.0.1. What others can reach needs a token" },
  { "port", 'p', "N", "listen on port N; 8080, 0 for any that is free" },
  { "token-file", 0, "F", "ask for the token in F, of at least 16 characters" },
  { "host", 0, "NAME", "a further name by which it may be asked for" },
  { "api-only", 0, NULL, "the HTTP API without the mirror, which then is not made" },
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
      return hm_fail(&cli->err, HM_E_USAGE, what,
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
    return hm_fail(&cli->err, HM_E_USAGE, "--host", "not the name of a machine",
                   "give the name alone, without port and scheme");
  return 0;
}

static int listen_and_serve(hm_cli *cli, hm_server_options *opt) {
  hm_server *server = NULL;
  if (hm_server_start(opt, &server, &cli->err)) return -1;
  hm_progress_phase(cli->progress, NULL);
  hm_progress_clear(cli->progress);
  printf("%s\n", hm_server_url(server));
  int rc = hm_out_close(&cli->err);
  if (!rc) hm_server_run(server);
  hm_server_free(server);
  return rc;
}

static int serve_api(hm_cli *cli, hm_api *api, hm_server_options *opt) {
  const hm_route_table table = hm_api_routes(api, cli->a);
  opt->tables = &table;
  opt->n_tables = 1;
  return listen_and_serve(cli, opt);
}

/* A file of the mirror stands before what the API calls so; what neither has is the mirror's 404
 * page. */
static int serve_all(hm_cli *cli, hm_api *api, hm_preview_http *preview, hm_server_options *opt) {
  const hm_route_table tables[] = { hm_preview_routes(preview), hm_api_routes(api, cli->a),
                                    hm_preview_fallback(preview) };
  opt->tables = tables;
  opt->n_tables = sizeof tables / sizeof *tables;
  return listen_and_serve(cli, opt);
}

/* What a run serves; the parts refer to each other. */
typedef struct {
  hm_store_source store;
  hm_preview_builder builder;
  hm_preview_http preview;
  hm_api *api;
  hm_actor who;
} served;

static int open_api(hm_cli *cli, served *v, bool alone, bool token) {
  const hm_api_options opt = { .store = &v->store,
                               .rules = &cli->mirror.config.rules,
                               .by = v->who.by,
                               .busy_ms = HM_BUSY_MS,
                               .token = token,
                               .trial = alone ? NULL : hm_preview_http_try,
                               .trial_ctx = &v->preview };
  hm_progress_phase(cli->progress, "looking through the store");
  return hm_api_open(&opt, &v->api, &cli->err);
}

static int serve_mirror(hm_cli *cli, served *v, hm_server_options *opt) {
  hm_progress_phase(cli->progress, "making the mirror");
  hm_str by = hm_str_is(v->who.by, "unknown") ? HM_EMPTY : v->who.by;
  if (hm_preview_http_open(&v->preview, &v->builder, &v->store, by, cli->a, &cli->err)) return -1;
  int rc = serve_all(cli, v->api, &v->preview, opt);
  hm_preview_http_close(&v->preview);
  return rc;
}

/* A review file of another store is told before anything is shown. */
static int look_at_store(hm_cli *cli) {
  hm_store *store = NULL;
  if (hm_mirror_open(&cli->mirror, HM_STORE_READ, &store, &cli->err)) return -1;
  hm_store_close(store);
  return 0;
}

static int run(hm_cli *cli) {
  hm_server_options opt;
  bool alone = hm_cli_option(cli, "api-only") != NULL;
  served v = { .store = hm_mirror_source(&cli->mirror), .builder = hm_preview_builder_of(cli) };
  if (read_options(cli, &opt) || hm_mirror_actor(&cli->mirror, &v.who, &cli->err)) return -1;
  if (look_at_store(cli)) return -1;
  hm_server_hold_signals();
  if (open_api(cli, &v, alone, opt.token.n > 0)) return -1;
  int rc = alone ? serve_api(cli, v.api, &opt) : serve_mirror(cli, &v, &opt);
  hm_api_close(v.api);
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
  .options = options,
  .exits =
      "0    ended by Ctrl-C or SIGTERM\n2    trouble, with a message\n130  ended at once by a second Ctrl-C\n",
  .examples = "hmirror serve\ncurl -s http://127.0.0.1:8080/conflicts?project=p05\n"
              "curl -s -H 'Content-Type: application/json' -d '{\"reason\":\"two lots\"}' \\\n"
              "  http://127.0.0.1:8080/conflicts/c1f0a2b3c4d5e/dismiss\n",
  .run = run
};
