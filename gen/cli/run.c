/* One run: reads the command line and the config, runs the verb, and gives its exit code. */
#include "gen/cli/commands.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "gen/cli/help.h"

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
  hm_failf(&cli->err, HM_E_USAGE, hm_str_fmt(cli->a, "--%s", option).p, hm_buf_copy(&all, cli->a).p,
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
  cli->quiet = hm_cli_option(cli, "quiet");
  cli->verbose = hm_cli_option(cli, "verbose");
  bool colors_on = !cli->json && (color == 1 || (color == 0 && terminal_takes_colors()));
  cli->plain = colors_on ? "\033[0m" : "";
  cli->bold = colors_on ? "\033[1m" : "";
  cli->dim = colors_on ? "\033[2m" : "";
  cli->red = colors_on ? "\033[31m" : "";
  cli->green = colors_on ? "\033[32m" : "";
  cli->yellow = colors_on ? "\033[33m" : "";
  cli->cyan = colors_on ? "\033[36m" : "";
  const char *j = hm_cli_option(cli, "threads");
  return j ? hm_check_threads(j, hm_cli_shown(cli, "threads"), &cli->mirror.threads, &cli->err) : 0;
}

static int change_directory(hm_cli *cli) {
  for (size_t i = 0; i < cli->args.n_given; i++) {
    const hm_given *g = &cli->args.given[i];
    if (strcmp(g->option->name, "directory") != 0) continue;
    if (chdir(g->value))
      return hm_usage(cli, g->value, strerror(errno),
                     hm_str_fmt(cli->a, "give %s a folder that exists", g->shown).p);
  }
  return 0;
}

static int check_words(hm_cli *cli) {
  const hm_command *c = cli->command;
  size_t n = cli->args.n_words;
  const char *see =
      hm_str_fmt(cli->a, "usage: hmirror %s%s%s", c->name, *c->words ? " " : "", c->words).p;
  if (n < (size_t)c->least_words)
    return hm_usage(cli, c->name, "too few words", see);
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
    return verb && !hm_command_find(verb) ? hm_command_unknown(cli, verb) : -1;
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
  hm_buf_free(&cli.json_bytes);
  hm_arena_free(cli.a);
  return rc;
}
