#include "gen/cli/cli.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/base/par.h"
#include "gen/cli/help.h"
#include "gen/cli/out.h"

const char *hm_cli_option(const hm_cli *cli, const char *name) {
  return hm_args_get(&cli->args, name);
}

const char *hm_cli_shown(const hm_cli *cli, const char *name) {
  const char *shown = hm_args_shown(&cli->args, name);
  return shown ? shown : hm_str_fmt(cli->a, "--%s", name).p;
}

/* A store opened as descriptor 1 would be overwritten by results. */
static void keep_standard_descriptors(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
        open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY) < 0)
      _exit(HM_EXIT_TROUBLE);
}

static const hm_option *options_of(void *ctx, const char *verb) {
  (void)ctx;
  const hm_command *c = hm_command_find(verb);
  return c ? c->options : NULL;
}

static int one_of(hm_cli *cli, const char *option, const char *const *allowed, int def) {
  const char *v = hm_cli_option(cli, option);
  if (!v) return def;
  for (int i = 0; allowed[i]; i++)
    if (strcmp(v, allowed[i]) == 0) return i;
  hm_buf all = { 0 };
  for (int i = 0; allowed[i]; i++) hm_buf_fmt(&all, "%s%s", i ? ", " : "give one of ", allowed[i]);
  hm_failf(&cli->err, HM_E_USAGE, hm_str_fmt(cli->a, "--%s", option).p, hm_buf_keep(&all, cli->a).p,
           "'%.60s'", v);
  hm_buf_free(&all);
  return -1;
}

static bool terminal_takes_colors(void) {
  const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

static int read_globals(hm_cli *cli) {
  static const char *const usual[] = { "text", "json", NULL },
                           *const colors[] = { "auto", "always", "never", NULL };
  const char *const *formats = cli->command->formats ? cli->command->formats : usual;
  int format = one_of(cli, "format", formats, 0), color = one_of(cli, "color", colors, 0);
  if (format < 0 || color < 0) return -1;
  cli->format = formats[format];
  cli->json = strcmp(cli->format, "json") == 0;
  cli->quiet = hm_cli_option(cli, "quiet") != NULL;
  cli->verbose = hm_cli_option(cli, "verbose") != NULL;
  cli->color = !cli->json && (color == 1 || (color == 0 && terminal_takes_colors()));
  const char *j = hm_cli_option(cli, "threads");
  return j ? hm_check_threads(j, hm_cli_shown(cli, "threads"), &cli->mirror.threads, &cli->err) : 0;
}

static int change_directory(hm_cli *cli) {
  for (size_t i = 0; i < cli->args.n_given; i++) {
    const hm_given *g = &cli->args.given[i];
    if (strcmp(g->option->name, "directory") != 0) continue;
    if (chdir(g->value))
      return hm_fail(&cli->err, HM_E_USAGE, g->value, strerror(errno),
                     hm_str_fmt(cli->a, "give %s a folder that exists", g->shown).p);
  }
  return 0;
}

/* --- the mirror of this run ------------------------------------------------- */

static void warn(void *ctx, const char *line) { hm_note(ctx, "%s", line); }
static void detail(void *ctx, const char *line) { hm_detail(ctx, "%s", line); }
static void phase(void *ctx, const char *text) {
  hm_progress_phase(((hm_cli *)ctx)->progress, text);
}
static void count(void *ctx, size_t done, size_t all) {
  hm_progress_count(((hm_cli *)ctx)->progress, done, all);
}

static int read_epoch(hm_cli *cli) {
  static const int64_t year_9999 = 253402300799;
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  size_t n = epoch ? strlen(epoch) : 0;
  cli->mirror.epoch = -1;
  if (!n) return 0;
  if (n <= 12 && strspn(epoch, "0123456789") == n) cli->mirror.epoch = strtoll(epoch, NULL, 10);
  if (cli->mirror.epoch >= 0 && cli->mirror.epoch <= year_9999) return 0;
  return hm_failf(&cli->err, HM_E_USAGE, "SOURCE_DATE_EPOCH",
                  "give seconds since 1970 in digits, or unset it", "'%.40s' is no time", epoch);
}

int hm_cli_read_config(hm_cli *cli) {
  hm_mirror *m = &cli->mirror;
  const char *store = hm_cli_option(cli, "store");
  m->a = cli->a;
  m->say = (hm_reporter){ cli, warn, detail, phase, count };
  m->by = hm_cli_option(cli, "by");
  m->same_store = hm_cli_option(cli, "same-store") != NULL;
  m->checks_values = cli->command->tells_excludes;
  if (hm_config_load(cli->a, hm_cli_option(cli, "config"), &m->config, &cli->err)) return -1;
  if (store && !*store)
    return hm_fail(&cli->err, HM_E_USAGE, "--store", "an empty path", "name a file");
  m->store = store ? store : m->config.store;
  if (!hm_cli_option(cli, "threads")) m->threads = m->config.threads;
  if (!m->threads) m->threads = hm_par_cores();
  return read_epoch(cli);
}

static int check_words(hm_cli *cli) {
  const hm_command *c = cli->command;
  size_t n = cli->args.n_words;
  const char *see =
      hm_str_fmt(cli->a, "usage: hmirror %s%s%s", c->name, *c->words ? " " : "", c->words).p;
  if (n < (size_t)c->least_words)
    return hm_fail(&cli->err, HM_E_USAGE, c->name, "something is missing", see);
  if (c->most_words >= 0 && n > (size_t)c->most_words)
    return hm_failf(&cli->err, HM_E_USAGE, c->name, see, "'%.60s' is one word too many",
                    cli->args.words[c->most_words]);
  return 0;
}

static int run_verb(hm_cli *cli, const char *verb) {
  cli->command = hm_command_find(verb);
  if (!cli->command) return hm_command_unknown(cli, verb);
  if (hm_cli_option(cli, "help")) { hm_help_verb(stdout, cli->command); return HM_EXIT_FINE; }
  if (check_words(cli) || read_globals(cli) || change_directory(cli)) return -1;
  if (!cli->command->no_config && hm_cli_read_config(cli)) return -1;
  cli->progress = hm_progress_new(!cli->quiet);
  return cli->command->run(cli);
}

static int run(hm_cli *cli, int argc, char **argv) {
  const char *verb = NULL;
  if (hm_args_parse(cli->a, argc, argv, hm_global_options, options_of, NULL, &verb, &cli->args,
                    &cli->err))
    return -1;
  if (hm_cli_option(cli, "version")) return hm_command_find("version")->run(cli);
  if (verb) return run_verb(cli, verb);
  if (hm_cli_option(cli, "help")) { hm_help_all(stdout); return HM_EXIT_FINE; }
  hm_help_short(stderr);
  return HM_EXIT_TROUBLE;
}

int hm_cli_run(int argc, char **argv) {
  keep_standard_descriptors();
  hm_cli cli = { .a = hm_arena_new() };
  hm_err lost;
  int rc = run(&cli, argc, argv);
  hm_progress_free(cli.progress);
  cli.progress = NULL;
  if (hm_out_close(&lost) && rc >= 0) { cli.err = lost; rc = -1; }   /* one line is enough */
  if (rc < 0) { hm_complain(&cli, &cli.err); rc = HM_EXIT_TROUBLE; }
  hm_arena_free(cli.a);
  return rc;
}
