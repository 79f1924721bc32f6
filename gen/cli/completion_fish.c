#include "gen/cli/completion.h"

static void put_text(hm_buf *b, const char *z) {
  hm_buf_ch(b, '\'');
  hm_put_quoted(b, z, "'\\");
  hm_buf_ch(b, '\'');
}

static void put_words(hm_buf *b, const char *words) {
  hm_str one;
  hm_buf_c(b, " -a '");
  for (size_t i = 0; (one = hm_alternative(words, i)).n; i++)
    hm_buf_fmt(b, "%s%.*s", i ? " " : "", HM_FMT(one));
  hm_buf_ch(b, '\'');
}

static void put_options(hm_buf *b, const char *verb, const hm_option *o) {
  for (; o && o->name; o++) {
    hm_buf_c(b, "complete -c hmirror");
    if (verb) hm_buf_fmt(b, " -n '__fish_seen_subcommand_from %s'", verb);
    hm_buf_fmt(b, " -l %s", o->name);
    if (o->letter) hm_buf_fmt(b, " -s %c", o->letter);
    if (o->arg) {
      bool fixed = hm_alternative(o->arg, 0).n > 0;
      hm_buf_c(b, hm_completes_files(o->arg) ? " -rF" : " -x");
      if (fixed) put_words(b, o->arg);
    }
    hm_buf_c(b, " -d ");
    put_text(b, o->help);
    hm_buf_ch(b, '\n');
  }
}

static void put_verbs(hm_buf *b) {
  for (const hm_command *const *c = hm_commands; *c; c++)
    hm_buf_fmt(b, "%s%s", c == hm_commands ? "" : " ", (*c)->name);
}

/* Not __fish_use_subcommand: it takes the value of an option before the verb ("-C .") for the verb.
 */
static void put_verb(hm_buf *b, const hm_command *c) {
  hm_buf_fmt(b, "complete -c hmirror -n __hmirror_no_verb -a %s -d ", c->name);
  put_text(b, c->brief);
  hm_buf_ch(b, '\n');
  if (hm_alternative(c->words, 0).n) {
    hm_buf_fmt(b, "complete -c hmirror -n '__fish_seen_subcommand_from %s'", c->name);
    put_words(b, c->words);
    hm_buf_ch(b, '\n');
  }
  if (hm_completes_files(c->words))
    hm_buf_fmt(b, "complete -c hmirror -n '__fish_seen_subcommand_from %s' -F\n", c->name);
  put_options(b, c->name, c->options);
}

void hm_completion_fish(hm_buf *b) {
  hm_buf_c(
      b,
      "# Completion of hmirror for fish.\nfunction __hmirror_no_verb\n  not __fish_seen_subcommand_from ");
  put_verbs(b);
  hm_buf_c(b, "\nend\ncomplete -c hmirror -f\n");
  put_options(b, NULL, hm_global_options);
  for (const hm_command *const *c = hm_commands; *c; c++) put_verb(b, *c);
  hm_buf_c(b, "complete -c hmirror -n '__fish_seen_subcommand_from help' -a '");
  put_verbs(b);
  hm_buf_c(b, "'\n");
}
