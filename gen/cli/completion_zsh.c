#include <string.h>
#include "gen/cli/completion.h"

/* Between single quotes, inside a specification of _arguments. */
static void put_text(hm_buf *b, const char *z) {
  for (; *z && *z != '\n'; z++) {
    if (*z == '\'') hm_buf_c(b, "'\\'");
    else if (strchr("[]:\\", *z)) hm_buf_ch(b, '\\');
    hm_buf_ch(b, *z);
  }
}

static void put_action(hm_buf *b, const char *arg) {
  hm_str one;
  if (hm_alternative(arg, 0).n) {
    hm_buf_ch(b, '(');
    for (size_t i = 0; (one = hm_alternative(arg, i)).n; i++)
      hm_buf_fmt(b, "%s%.*s", i ? " " : "", HM_FMT(one));
    hm_buf_ch(b, ')');
  } else if (hm_completes_files(arg)) {
    hm_buf_c(b, "_files");
  }
}

static void put_spec(hm_buf *b, const hm_option *o, const char *dashes, const char *name) {
  hm_buf_fmt(b, "        '*%s%s%s[", dashes, name, o->arg ? (dashes[1] ? "=" : "+") : "");
  put_text(b, o->help);
  hm_buf_ch(b, ']');
  if (o->arg) {
    hm_buf_ch(b, ':');
    put_text(b, o->arg);
    hm_buf_ch(b, ':');
    put_action(b, o->arg);
  }
  hm_buf_c(b, "' \\\n");
}

/* but: a verb whose own options stand there already, or NULL. */
static void put_options(hm_buf *b, const hm_option *o, const hm_command *but) {
  for (; o && o->name; o++) {
    if (but && hm_command_has(but, o)) continue;
    char letter[2] = { o->letter, 0 };
    put_spec(b, o, "--", o->name);
    if (o->letter) put_spec(b, o, "-", letter);
  }
}

static void put_verb(hm_buf *b, const hm_command *c) {
  hm_buf_fmt(b, "      %s)\n        _arguments -s -S \\\n", c->name);
  put_options(b, c->options, NULL);
  put_options(b, hm_global_options, c);
  if (hm_str_is(hm_str_c(c->words), "[VERB]")) hm_buf_c(b, "        '1: :_hmirror_verbs' \\\n");
  if (hm_alternative(c->words, 0).n) {
    hm_buf_c(b, "        '1: :");
    put_action(b, c->words);
    hm_buf_c(b, "' \\\n");
  }
  hm_buf_fmt(b, "        '*: :%s' ;;\n", hm_completes_files(c->words) ? "_files" : "");
}

void hm_completion_zsh(hm_buf *b) {
  hm_buf_c(
      b,
      "#compdef hmirror\n# Completion of hmirror for zsh.\n_hmirror_verbs() {\n  local -a verbs=(\n");
  for (const hm_command *const *c = hm_commands; *c; c++) {
    hm_buf_fmt(b, "    '%s:", (*c)->name);
    put_text(b, (*c)->brief);
    hm_buf_c(b, "'\n");
  }
  hm_buf_c(
      b,
      "  )\n  _describe verb verbs\n}\n_hmirror() {\n  local curcontext=$curcontext state line\n"
      "  _arguments -C -s -S \\\n");
  put_options(b, hm_global_options, NULL);
  hm_buf_c(b, "        '1: :_hmirror_verbs' \\\n        '*:: :->words'\n"
              "  [[ $state == words ]] || return\n  case $words[1] in\n");
  for (const hm_command *const *c = hm_commands; *c; c++) put_verb(b, *c);
  hm_buf_c(
      b,
      "  esac\n}\nif [[ $funcstack[1] == _hmirror ]]; then _hmirror \"$@\"; else compdef _hmirror hmirror; fi\n");
}
