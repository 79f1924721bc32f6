#include "gen/cli/help.h"
#include <string.h>

static void indented(FILE *out, const char *lines) {
  for (const char *p = lines; *p; ) {
    const char *end = strchr(p, '\n');
    size_t n = end ? (size_t)(end - p) : strlen(p);
    fprintf(out, "  %.*s\n", (int)n, p);
    p += n + (end != NULL);
  }
}

/* but: a verb whose own options are told elsewhere, or NULL. */
static void option_table(FILE *out, const hm_option *table, const hm_command *but) {
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
    option_table(out, c->options, NULL);
  }
  fputs("\nOptions of every verb:\n", out);
  option_table(out, hm_global_options, c);
  fputs("\nExit codes:\n", out);
  indented(out, c->exits);
  fputs("\nExamples:\n", out);
  indented(out, c->examples);
}

void hm_help_all(FILE *out) {
  fputs("usage: hmirror [options] VERB [options] [words]\n\n"
        "Mirrors a store of facts as Markdown and HTML pages, and marks where they\n"
        "contradict each other.\n\nVerbs:\n", out);
  for (const hm_command *const *c = hm_commands; *c; c++)
    fprintf(out, "  %-10s  %s\n", (*c)->name, (*c)->brief);
  fputs("\nOptions:\n", out);
  option_table(out, hm_global_options, NULL);
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
