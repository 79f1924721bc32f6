/* The table of verbs in the order of help, the options of all, help, and one run: it reads the
 * command line and the config, runs the verb and gives its exit code. */
#include "gen/verbs/commands.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/base/near_names.h"
#include "gen/api/doors.h"

const hm_option hm_global_options[] = {
  { "directory", 'C', "DIR", "work in DIR; given again, relative to the one before" },
  { "config", 0, "F", "read F instead of mirror.yml" },
  { "store", 0, "F", "the file that holds the facts (config: store)" },
  { "format", 0, "text|json", "how results are written; text" },
  { "threads", 'j', "N", "threads, 0 for one a core (config: threads)" },
  { "by", 0, "NAME", "who the journal names for changes; $USER" },
  { "trust", 0, NULL, "let mirror.yml do what 'hmirror trust' lists, for this run" },
  { "quiet", 'q', NULL, "errors, warnings and asked-for results only" },
  { "verbose", 'v', NULL, "say what is done, on standard error" },
  { "color", 0, "auto|always|never", "colours in text; auto" },
  { "help", 'h', NULL, "show help and end" },
  { "version", 0, NULL, "show the version and end" },
  { 0 }
};

const hm_command *const hm_commands[] = { &hm_cmd_init,
                                          &hm_cmd_trust,
                                          &hm_cmd_import,
                                          &hm_cmd_export,
                                          &hm_cmd_add,
                                          &hm_cmd_list,
                                          &hm_cmd_show,
                                          &hm_cmd_edit,
                                          &hm_cmd_promote,
                                          &hm_cmd_graduate,
                                          &hm_cmd_reflect,
                                          &hm_cmd_sweep,
                                          &hm_cmd_judge,
                                          &hm_cmd_build,
                                          &hm_cmd_publish,
                                          &hm_cmd_check,
                                          &hm_cmd_verify,
                                          &hm_cmd_conflicts,
                                          &hm_cmd_findings,
                                          &hm_cmd_flag,
                                          &hm_cmd_unflag,
                                          &hm_cmd_report,
                                          &hm_cmd_review,
                                          &hm_cmd_supersede,
                                          &hm_cmd_restore,
                                          &hm_cmd_redact,
                                          &hm_cmd_recall,
                                          &hm_cmd_alike,
                                          &hm_cmd_context,
                                          &hm_cmd_link,
                                          &hm_cmd_unlink,
                                          &hm_cmd_neighbors,
                                          &hm_cmd_subgraph,
                                          &hm_cmd_explain,
                                          &hm_cmd_impact,
                                          &hm_cmd_evidence,
                                          &hm_cmd_query,
                                          &hm_cmd_rules,
                                          &hm_cmd_log,
                                          &hm_cmd_diff,
                                          &hm_cmd_health,
                                          &hm_cmd_serve,
                                          &hm_cmd_mcp,
                                          &hm_cmd_theme,
                                          &hm_cmd_adopt,
                                          &hm_cmd_completion,
                                          &hm_cmd_help,
                                          &hm_cmd_version,
                                          NULL };

static const hm_command *find_command(const char *name) {
  for (const hm_command *const *c = hm_commands; *c; c++)
    if (strcmp((*c)->name, name) == 0)
      return *c;
  return NULL;
}

/* Verbs of other programs that people try, sorted, and what does that here. */
static const struct {
  const char *word, *instead;
} tried_verbs[] = {
  { "delete", "'hmirror edit ROW --set status=invalid' ends a row, 'hmirror redact' a secret" },
  { "detect", "'hmirror sweep' looks for contradictions" },
  { "dismiss", "'hmirror conflicts dismiss ID --reason TEXT'" },
  { "fix", "'hmirror conflicts resolve ID --winner MEMBER --notes TEXT' settles a conflict" },
  { "forget", "'hmirror redact' takes a value out of the store" },
  { "generate", "'hmirror build' makes the pages" },
  { "get", "'hmirror export' writes all rows, 'hmirror conflicts show ID' a conflict" },
  { "graph", "'hmirror subgraph ROW' shows rows and the links between them" },
  { "history", "'hmirror log' tells what each publication changed" },
  { "load", "'hmirror import FILE' stores facts, 'hmirror adopt' another program's store" },
  { "ls", "'hmirror list' lists rows, 'hmirror conflicts list' conflicts" },
  { "merge", "nothing is merged: 'hmirror conflicts resolve ID --winner MEMBER' settles" },
  { "new", "'hmirror init' makes a mirror, 'hmirror add' a fact" },
  { "preview", "'hmirror serve' shows the pages as they change" },
  { "push", "'hmirror publish --push REMOTE' commits the pages and sends the branch" },
  { "remove", "'hmirror edit ROW --set status=invalid' ends a row, 'hmirror redact' a secret" },
  { "render", "'hmirror build' makes the pages" },
  { "reopen", "'hmirror conflicts reopen ID --reason TEXT'" },
  { "resolve", "'hmirror conflicts resolve ID --winner MEMBER --notes TEXT'" },
  { "run", "'hmirror sweep' looks for contradictions, 'hmirror build' makes the pages" },
  { "scan", "'hmirror sweep' looks for contradictions" },
  { "search",
    "'hmirror recall WORDS' finds rows, 'hmirror conflicts list --touching NAME' conflicts" },
  { "set", "'hmirror edit ROW --set FIELD=VALUE' changes a row" },
  { "settle", "'hmirror conflicts resolve ID --winner MEMBER --notes TEXT'" },
  { "stats", "'hmirror health' counts rows and conflicts" },
  { "status", "'hmirror health' counts rows and conflicts; 'hmirror conflicts list'" },
  { "undo", "'hmirror conflicts reopen ID' takes a verdict back, 'hmirror restore ROW' a change" },
  { "update", "'hmirror edit ROW --set FIELD=VALUE' changes a row" },
  { "validate", "'hmirror import --dry-run FILE' tries a file, 'hmirror check' the pages" },
  { "watch",
    "'hmirror serve' shows the pages as they change, 'hmirror publish --watch' publishes"
    " them" },
  { "why", "'hmirror explain ID' says why a conflict is one" },
};

static const char *nth_verb(void *ctx, size_t i) {
  (void)ctx;
  return hm_commands[i] ? hm_commands[i]->name : NULL;
}

/* Fails with HM_E_USAGE: there is no such verb; names the nearest. Gives -1. */
static int fail_unknown_command(hm_cli *cli, const char *verb) {
  const char *fix = "see 'hmirror --help'", *near = hm_find_nearest_word(verb, nth_verb, NULL);
  if (near)
    fix = hm_str_fmt(cli->a, "did you mean '%s'? %s", near, fix).p;
  for (size_t i = 0; i < HM_COUNT(tried_verbs); i++)
    if (!strcmp(verb, tried_verbs[i].word))
      fix = tried_verbs[i].instead;
  return hm_fail_usage(cli, hm_str_fmt(cli->a, "%.60s", verb).p, "unknown verb", fix);
}

/* --- help and version ------------------------------------------------------------------------- */

static void print_indented(FILE *out, const char *lines) {
  for (const char *p = lines; *p;) {
    const char *end = strchr(p, '\n');
    size_t n = end ? (size_t)(end - p) : strlen(p);
    fprintf(out, "  %.*s\n", (int)n, p);
    p += n + (end != NULL);
  }
}

/* but: a verb whose own options are listed elsewhere, or NULL. */
static void print_options(FILE *out, const hm_option *table, const hm_command *but) {
  for (const hm_option *o = table; o && o->name; o++) {
    if (but && hm_command_has_option(but, o))
      continue;
    char left[80];
    snprintf(left, sizeof left, "%c%c%s --%s%s%s", o->letter ? '-' : ' ',
             o->letter ? o->letter : ' ', o->letter ? "," : " ", o->name, o->arg ? " " : "",
             o->arg ? o->arg : "");
    fprintf(out, "  %-26s  %s\n", left, o->help);
  }
}

void hm_print_verb_help(FILE *out, const hm_command *c) {
  fprintf(out, "usage: hmirror %s%s%s%s\n\n", c->name,
          c->options && c->options->name ? " [options]" : "", *c->words ? " " : "", c->words);
  fputs(c->about, out);
  if (c->options && c->options->name) {
    fputs("\nOptions:\n", out);
    print_options(out, c->options, NULL);
  }
  fputs("\nOptions of every verb:\n", out);
  print_options(out, hm_global_options, c);
  fputs("\nExit codes:\n", out);
  print_indented(out, c->exits);
  fputs("\nExamples:\n", out);
  print_indented(out, c->examples);
}

/* The whole program's help. */
static void print_help(FILE *out) {
  fputs("usage: hmirror [options] VERB [options] [words]\n\n"
        "Mirrors a store of facts as Markdown and HTML pages, and marks where they\n"
        "contradict each other.\n\nVerbs:\n",
        out);
  for (const hm_command *const *c = hm_commands; *c; c++)
    fprintf(out, "  %-10s  %s\n", (*c)->name, (*c)->brief);
  fputs("\nOptions:\n", out);
  print_options(out, hm_global_options, NULL);
  fputs("\nExit codes:\n"
        "  0  fine\n"
        "  1  findings or a difference, where they were asked for\n"
        "  2  trouble, with a message\n"
        "\nExamples:\n"
        "  hmirror init mirror && cd mirror\n"
        "  hmirror import facts.jsonl && hmirror build\n"
        "  hmirror VERB --help\n",
        out);
}

/* Two lines for a command line without a verb. */
static void print_short_help(FILE *out) {
  fputs("usage: hmirror [options] VERB [options] [words]\nverbs:", out);
  for (const hm_command *const *c = hm_commands; *c; c++)
    fprintf(out, " %s", (*c)->name);
  fputs("\nsee 'hmirror --help'\n", out);
}

/* --- the verbs ------------------------------------------------------------------------- */

static int run_help(hm_cli *cli) {
  if (!cli->args.n_words) {
    print_help(stdout);
    return HM_EXIT_FINE;
  }
  if (!strcmp(cli->args.words[0], "doors")) {
    hm_str text = hm_doors_text(cli->a);
    printf("%.*s", HM_FMT(text));
    return HM_EXIT_FINE;
  }
  const hm_command *c = find_command(cli->args.words[0]);
  if (!c)
    return fail_unknown_command(cli, cli->args.words[0]);
  hm_print_verb_help(stdout, c);
  return HM_EXIT_FINE;
}

const hm_command hm_cmd_help = {
  .name = "help",
  .words = "[VERB|doors]",
  .brief = "show help for a verb",
  .about = "Shows what a verb does, its options, exit codes and examples; without a verb,\n"
           "the list of verbs. The same as 'hmirror VERB --help'. 'doors' shows what can be done\n"
           "with each layer by command, over HTTP and by agents.\n",
  .exits = "0  done\n2  no such verb\n",
  .examples = "hmirror help build\nhmirror help doors\n",
  .most_words = 1,
  .no_config = true,
  .run = run_help
};

static int run_version(hm_cli *cli) {
  if (!cli->json) {
    puts(HM_TOOL);
    return HM_EXIT_FINE;
  }
  hm_jw *w = hm_cli_json_begin(cli);
  hm_jw_str(w, "version", HM_STR(HM_VERSION));
  hm_jw_int(w, "store_version", HM_STORE_VERSION);
  return hm_cli_json_end(cli);
}

const hm_command hm_cmd_version = {
  .name = "version",
  .words = "",
  .brief = "show the version",
  .about = "Shows the version of the program; with --format json also that of the stores\n"
           "it writes.\n",
  .exits = "0  done\n",
  .examples = "hmirror version --format json\n",
  .no_config = true,
  .run = run_version
};

/* --- one run ---------------------------------------------------------------------------------- */

/* A store opened as descriptor 1 would be overwritten by results. */
static void open_standard_descriptors(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
        open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY) < 0)
      _exit(HM_EXIT_TROUBLE);
}

static const hm_option *options_of(const char *verb) {
  const hm_command *c = find_command(verb);
  return c ? c->options : NULL;
}

static bool terminal_takes_colors(void) {
  const char *term = getenv("TERM"), *no = getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

static int read_globals(hm_cli *cli) {
  static const char *const usual[] = { "text", "json", NULL },
                           *const colors[] = { "auto", "always", "never", NULL };
  const char *const *formats = cli->command->formats ? cli->command->formats : usual;
  int format = hm_cli_read_choice(cli, "format", formats, 0),
      color = hm_cli_read_choice(cli, "color", colors, 0);
  if (format < 0 || color < 0)
    return -1;
  cli->format = formats[format];
  cli->json = strcmp(cli->format, "json") == 0;
  cli->quiet = hm_cli_get_option(cli, "quiet");
  cli->verbose = hm_cli_get_option(cli, "verbose");
  bool colors_on = !cli->json && (color == 1 || (color == 0 && terminal_takes_colors()));
  cli->plain = colors_on ? "\033[0m" : "";
  cli->bold = colors_on ? "\033[1m" : "";
  cli->dim = colors_on ? "\033[2m" : "";
  cli->red = colors_on ? "\033[31m" : "";
  cli->green = colors_on ? "\033[32m" : "";
  cli->yellow = colors_on ? "\033[33m" : "";
  cli->cyan = colors_on ? "\033[36m" : "";
  const char *j = hm_cli_get_option(cli, "threads");
  return j
      ? hm_check_threads(j, hm_cli_option_as_typed(cli, "threads"), &cli->mirror.threads, &cli->err)
      : 0;
}

static int change_directory(hm_cli *cli) {
  for (size_t i = 0; i < cli->args.n_given; i++) {
    const hm_given_option *g = &cli->args.given[i];
    if (strcmp(g->option->name, "directory") != 0)
      continue;
    if (chdir(g->value))
      return hm_fail_usage(cli, g->value, strerror(errno),
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
    return hm_fail_usage(cli, c->name, "too few words", see);
  if (c->most_words >= 0 && n > (size_t)c->most_words)
    return hm_failf(&cli->err, HM_E_USAGE, c->name, see, "'%.60s' is one word too many",
                    cli->args.words[c->most_words]);
  return 0;
}

static int run_verb(hm_cli *cli, const char *verb) {
  cli->command = find_command(verb);
  if (!cli->command)
    return fail_unknown_command(cli, verb);
  if (hm_cli_get_option(cli, "help")) {
    hm_print_verb_help(stdout, cli->command);
    return HM_EXIT_FINE;
  }
  if (check_words(cli) || read_globals(cli) || change_directory(cli))
    return -1;
  if (!cli->command->no_config && hm_cli_read_config(cli))
    return -1;
  cli->progress = hm_progress_new(!cli->quiet);
  int rc = cli->command->run(cli);
  if (rc >= 0)
    hm_cli_tell_trust(cli);
  return rc;
}

static int parse_and_run(hm_cli *cli, int argc, char **argv) {
  const char *verb = NULL;
  if (hm_args_parse(cli->a, argc, argv, hm_global_options, options_of, &verb, &cli->args,
                    &cli->err))
    return verb && !find_command(verb) ? fail_unknown_command(cli, verb) : -1;
  if (hm_cli_get_option(cli, "version"))
    return find_command("version")->run(cli);
  if (verb)
    return run_verb(cli, verb);
  if (hm_cli_get_option(cli, "help")) {
    print_help(stdout);
    return HM_EXIT_FINE;
  }
  print_short_help(stderr);
  return HM_EXIT_TROUBLE;
}

int hm_cli_run(int argc, char **argv) {
  open_standard_descriptors();
  hm_cli cli = { .a = hm_arena_new(), .commands = hm_commands, .globals = hm_global_options };
  hm_err lost;
  int rc = parse_and_run(&cli, argc, argv);
  hm_progress_free(cli.progress);
  cli.progress = NULL;
  if (hm_flush_stdout(&lost) && rc >= 0) {
    cli.err = lost;
    rc = -1;
  } /* one line is enough */
  if (rc < 0) {
    hm_print_error(&cli, &cli.err);
    rc = HM_EXIT_TROUBLE;
  }
  hm_buf_free(&cli.json_bytes);
  hm_arena_free(cli.a);
  return rc;
}
