/* help and version; help texts come from the tables of verbs and options. */
#include "gen/cli/help.h"
#include <stdio.h>
#include <string.h>
#include "gen/cli/commands.h"

static void print_indented(FILE *out, const char *lines) {
  for (const char *p = lines; *p; ) {
    const char *end = strchr(p, '\n');
    size_t n = end ? (size_t)(end - p) : strlen(p);
    fprintf(out, "  %.*s\n", (int)n, p);
    p += n + (end != NULL);
  }
}

/* but: a verb whose own options are listed elsewhere, or NULL. */
static void print_options(FILE *out, const hm_option *table, const hm_command *but) {
  for (const hm_option *o = table; o && o->name; o++) {
    if (but && hm_command_has(but, o)) continue;
    char left[80];
    snprintf(left, sizeof left, "%c%c%s --%s%s%s", o->letter ? '-' : ' ',
             o->letter ? o->letter : ' ', o->letter ? "," : " ", o->name, o->arg ? " " : "",
             o->arg ? o->arg : "");
    fprintf(out, "  %-26s  %s\n", left, o->help);
  }
}

void hm_help_verb(FILE *out, const hm_command *c) {
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

void hm_help_all(FILE *out) {
  fputs("usage: hmirror [options] VERB [options] [words]\n\n"
        "Mirrors a store of facts as Markdown and HTML pages, and marks where they\n"
        "contradict each other.\n\nVerbs:\n", out);
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
        "  hmirror VERB --help\n", out);
}

void hm_help_short(FILE *out) {
  fputs("usage: hmirror [options] VERB [options] [words]\nverbs:", out);
  for (const hm_command *const *c = hm_commands; *c; c++) fprintf(out, " %s", (*c)->name);
  fputs("\nsee 'hmirror --help'\n", out);
}

/* --- the verbs ------------------------------------------------------------------------- */

static int run_help(hm_cli *cli) {
  if (!cli->args.n_words) { hm_help_all(stdout); return HM_EXIT_FINE; }
  const hm_command *c = hm_command_find(cli->args.words[0]);
  if (!c) return hm_command_unknown(cli, cli->args.words[0]);
  hm_help_verb(stdout, c);
  return HM_EXIT_FINE;
}

const hm_command hm_cmd_help = {
  .name = "help", .words = "[VERB]", .brief = "show help for a verb",
  .about = "Shows what a verb does, its options, exit codes and examples; without a verb,\n"
           "the list of verbs. The same as 'hmirror VERB --help'.\n",
  .exits = "0  done\n2  no such verb\n",
  .examples = "hmirror help build\n",
  .most_words = 1, .no_config = true, .run = run_help
};

static int run_version(hm_cli *cli) {
  if (!cli->json) { puts(HM_TOOL); return HM_EXIT_FINE; }
  hm_jw *w = hm_json_begin(cli);
  hm_jw_str(w, "version", HM_STR(HM_VERSION));
  hm_jw_int(w, "store_version", HM_STORE_VERSION);
  return hm_json_end(cli);
}

const hm_command hm_cmd_version = {
  .name = "version", .words = "", .brief = "show the version",
  .about = "Shows the version of the program; with --format json also that of the stores\n"
           "it writes.\n",
  .exits = "0  done\n",
  .examples = "hmirror version --format json\n",
  .no_config = true, .run = run_version
};
