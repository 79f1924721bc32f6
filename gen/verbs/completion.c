/* `completion`: scripts that complete command lines, made from the tables of verbs and options.
 *
 * Each completes verbs, options, an option's choices ("text|json"), a verb's own words
 * ("list|show") and file names. Nothing in a script runs hmirror. */
#include <stdio.h>
#include <string.h>
#include "gen/verbs/commands.h"

/* --- what the three share ----------------------------------------------------------- */

/* The alternatives of "a|b|c" or "a|b [ID]", one after another; empty after the last. An upper-case
 * letter or a bracket stands for something that a user knows: then there is none. */
static hm_str alternative(const char *words, size_t i) {
  static const char lower[] = "abcdefghijklmnopqrstuvwxyz-_0123456789";
  const char *p = words ? words : "", *end = p + strcspn(p, " ");
  if (!memchr(p, '|', (size_t)(end - p)))
    return HM_EMPTY;
  for (; p < end; p++) {
    size_t n = strspn(p, lower);
    if (p[n] != '|' && p + n != end)
      return HM_EMPTY;
    if (i-- == 0)
      return (hm_str){ p, n };
    p += n;
  }
  return HM_EMPTY;
}

static bool has_alternatives(const char *words) { return alternative(words, 0).n > 0; }

static void write_alternatives(hm_buf *b, const char *words) {
  hm_str one;
  for (size_t i = 0; (one = alternative(words, i)).n; i++)
    hm_buf_fmt(b, "%s%.*s", i ? " " : "", HM_FMT(one));
}

/* FILE, DIR, F: a path goes there. */
static bool is_path(const char *words) {
  return words && (strstr(words, "FILE") || strstr(words, "DIR") || strcmp(words, "F") == 0);
}

static bool is_verb_name(const hm_command *c) { return strncmp(c->words, "[VERB", 5) == 0; }

static void write_verbs(hm_buf *b, const hm_cli *cli) {
  for (const hm_command *const *c = cli->commands; *c; c++)
    hm_buf_fmt(b, "%s%s", c == cli->commands ? "" : " ", (*c)->name);
}

/* One line of a text, with a backslash before each byte of `special`; quote stands for a single
 * quote. */
static void write_quoted(hm_buf *b, const char *z, const char *special, const char *quote) {
  for (; *z && *z != '\n'; z++) {
    if (*z == '\'') {
      hm_buf_c(b, quote);
      continue;
    }
    if (strchr(special, *z))
      hm_buf_ch(b, '\\');
    hm_buf_ch(b, *z);
  }
}

/* --- bash: one function with a case for each verb, and for each option with a value -- */

static const char bash_start[] =
    "# Completion of hmirror for bash.\n"
    "_hmirror_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$cur\")); }\n"
    "_hmirror_files() { compopt -o filenames 2>/dev/null; local IFS=$'\\n'; "
    "COMPREPLY=($(compgen -f -- \"$cur\")); }\n"
    "_hmirror() {\n"
    "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb= n=0 i word\n"
    "  COMPREPLY=()\n"
    "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "    word=${COMP_WORDS[i]}\n"
    "    case \"$word\" in\n"
    "      -*) case \" $_hmirror_valued \" in *\" $word \"*) ((i++)) ;; esac ;;\n"
    "      =) ((i++)) ;;\n"
    "      *) if [ -z \"$verb\" ]; then verb=$word; else ((n++)); fi ;;\n"
    "    esac\n"
    "  done\n"
    "  [ \"$prev\" = = ] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
    "  [ \"$cur\" = = ] && cur=\n"
    "  case \"$verb:$prev\" in\n";

/* "--format) words="text json"; return ...": what may follow an option that takes a value. */
static void bash_values(hm_buf *b, const char *verb, const hm_option *o) {
  for (; o && o->name; o++) {
    if (!o->arg)
      continue;
    hm_buf_fmt(b, "    %s:--%s", verb, o->name);
    if (o->letter)
      hm_buf_fmt(b, "|%s:-%c", verb, o->letter);
    hm_buf_c(b, has_alternatives(o->arg) ? ") _hmirror_words \"" : ") _hmirror_files");
    write_alternatives(b, o->arg);
    hm_buf_c(b, has_alternatives(o->arg) ? "\"; return ;;\n" : "; return ;;\n");
  }
}

static void bash_options(hm_buf *b, const hm_option *o, bool valued) {
  for (; o && o->name; o++) {
    if (valued && !o->arg)
      continue;
    hm_buf_fmt(b, " --%s", o->name);
    if (valued && o->letter)
      hm_buf_fmt(b, " -%c", o->letter);
  }
}

static void write_bash(hm_buf *b, const hm_cli *cli) {
  const hm_command *const *c;
  hm_buf_c(b, bash_start);
  for (c = cli->commands; *c; c++)
    bash_values(b, (*c)->name, (*c)->options);
  bash_values(b, "*", cli->globals);
  hm_buf_c(b, "  esac\n  case \"$cur\" in\n    -*)\n      case \"$verb\" in\n");
  for (c = cli->commands; *c; c++) {
    hm_buf_fmt(b, "        %s) _hmirror_words \"", (*c)->name);
    bash_options(b, (*c)->options, false);
    bash_options(b, cli->globals, false);
    hm_buf_c(b, "\" ;;\n");
  }
  hm_buf_c(b, "        *) _hmirror_words \"");
  bash_options(b, cli->globals, false);
  hm_buf_c(b,
           "\" ;;\n      esac\n      return ;;\n  esac\n  case \"$verb:$((n + 1))\" in\n"
           "    :*) _hmirror_words \"");
  write_verbs(b, cli);
  hm_buf_c(b, "\"; return ;;\n");
  for (c = cli->commands; *c; c++) {
    if (!is_verb_name(*c) && !has_alternatives((*c)->words))
      continue;
    hm_buf_fmt(b, "    %s:1) _hmirror_words \"", (*c)->name);
    if (is_verb_name(*c))
      write_verbs(b, cli);
    else
      write_alternatives(b, (*c)->words);
    hm_buf_c(b, "\"; return ;;\n");
  }
  hm_buf_c(b, "  esac\n  _hmirror_files\n}\n_hmirror_valued=\"");
  bash_options(b, cli->globals, true);
  for (c = cli->commands; *c; c++)
    bash_options(b, (*c)->options, true);
  hm_buf_c(b, "\"\ncomplete -F _hmirror hmirror\n");
}

/* --- fish: one line for each verb, option and list of words -------------------------- */

static void fish_about(hm_buf *b, const char *text) {
  hm_buf_c(b, " -d '");
  write_quoted(b, text, "\\", "\\'");
  hm_buf_c(b, "'\n");
}

static void fish_words(hm_buf *b, const char *words) {
  hm_buf_c(b, " -a '");
  write_alternatives(b, words);
  hm_buf_ch(b, '\'');
}

static void fish_options(hm_buf *b, const char *verb, const hm_option *o) {
  for (; o && o->name; o++) {
    hm_buf_c(b, "complete -c hmirror");
    if (verb)
      hm_buf_fmt(b, " -n '__fish_seen_subcommand_from %s'", verb);
    hm_buf_fmt(b, " -l %s", o->name);
    if (o->letter)
      hm_buf_fmt(b, " -s %c", o->letter);
    if (o->arg)
      hm_buf_c(b, is_path(o->arg) ? " -rF" : " -x");
    if (has_alternatives(o->arg))
      fish_words(b, o->arg);
    fish_about(b, o->help);
  }
}

/* __fish_use_subcommand takes the value of an option before the verb ("-C .") for the verb, so
 * there is a function of ours. */
static void write_fish(hm_buf *b, const hm_cli *cli) {
  hm_buf_c(b,
           "# Completion of hmirror for fish.\nfunction __hmirror_no_verb\n"
           "  not __fish_seen_subcommand_from ");
  write_verbs(b, cli);
  hm_buf_c(b, "\nend\ncomplete -c hmirror -f\n");
  fish_options(b, NULL, cli->globals);
  for (const hm_command *const *c = cli->commands; *c; c++) {
    const char *name = (*c)->name, *words = (*c)->words;
    hm_buf_fmt(b, "complete -c hmirror -n __hmirror_no_verb -a %s", name);
    fish_about(b, (*c)->brief);
    if (has_alternatives(words)) {
      hm_buf_fmt(b, "complete -c hmirror -n '__fish_seen_subcommand_from %s'", name);
      fish_words(b, words);
      hm_buf_ch(b, '\n');
    }
    if (is_path(words))
      hm_buf_fmt(b, "complete -c hmirror -n '__fish_seen_subcommand_from %s' -F\n", name);
    fish_options(b, name, (*c)->options);
  }
  hm_buf_c(b, "complete -c hmirror -n '__fish_seen_subcommand_from help' -a '");
  write_verbs(b, cli);
  hm_buf_c(b, "'\n");
}

/* --- zsh: specifications for _arguments ---------------------------------------------- */

static void zsh_text(hm_buf *b, const char *text) { write_quoted(b, text, "[]:\\", "'\\''"); }

static void zsh_action(hm_buf *b, const char *arg) {
  if (has_alternatives(arg)) {
    hm_buf_ch(b, '(');
    write_alternatives(b, arg);
    hm_buf_ch(b, ')');
  } else if (is_path(arg))
    hm_buf_c(b, "_files");
}

static void zsh_option(hm_buf *b, const hm_option *o, const char *dashes, const char *name) {
  hm_buf_fmt(b, "        '*%s%s%s[", dashes, name, o->arg ? (dashes[1] ? "=" : "+") : "");
  zsh_text(b, o->help);
  hm_buf_ch(b, ']');
  if (o->arg) {
    hm_buf_ch(b, ':');
    zsh_text(b, o->arg);
    hm_buf_ch(b, ':');
    zsh_action(b, o->arg);
  }
  hm_buf_c(b, "' \\\n");
}

/* but: a verb whose own options stand there already, or NULL. */
static void zsh_options(hm_buf *b, const hm_option *o, const hm_command *but) {
  for (; o && o->name; o++) {
    if (but && hm_command_has_option(but, o))
      continue;
    char letter[2] = { o->letter, 0 };
    zsh_option(b, o, "--", o->name);
    if (o->letter)
      zsh_option(b, o, "-", letter);
  }
}

static void write_zsh(hm_buf *b, const hm_cli *cli) {
  const hm_command *const *c;
  hm_buf_c(b,
           "#compdef hmirror\n# Completion of hmirror for zsh.\n_hmirror_verbs() {\n"
           "  local -a verbs=(\n");
  for (c = cli->commands; *c; c++) {
    hm_buf_fmt(b, "    '%s:", (*c)->name);
    zsh_text(b, (*c)->brief);
    hm_buf_c(b, "'\n");
  }
  hm_buf_c(b,
           "  )\n  _describe verb verbs\n}\n_hmirror() {\n"
           "  local curcontext=$curcontext state line\n  _arguments -C -s -S \\\n");
  zsh_options(b, cli->globals, NULL);
  hm_buf_c(b,
           "        '1: :_hmirror_verbs' \\\n        '*:: :->words'\n"
           "  [[ $state == words ]] || return\n  case $words[1] in\n");
  for (c = cli->commands; *c; c++) {
    hm_buf_fmt(b, "      %s)\n        _arguments -s -S \\\n", (*c)->name);
    zsh_options(b, (*c)->options, NULL);
    zsh_options(b, cli->globals, *c);
    if (is_verb_name(*c))
      hm_buf_c(b, "        '1: :_hmirror_verbs' \\\n");
    if (has_alternatives((*c)->words)) {
      hm_buf_c(b, "        '1: :");
      zsh_action(b, (*c)->words);
      hm_buf_c(b, "' \\\n");
    }
    hm_buf_fmt(b, "        '*: :%s' ;;\n", is_path((*c)->words) ? "_files" : "");
  }
  hm_buf_c(b,
           "  esac\n}\nif [[ $funcstack[1] == _hmirror ]]; then _hmirror \"$@\"; "
           "else compdef _hmirror hmirror; fi\n");
}

/* --- the verb ------------------------------------------------------------------------ */

static int run_completion(hm_cli *cli) {
  static const struct {
    const char *name;
    void (*put)(hm_buf *b, const hm_cli *cli);
  } shells[] = { { "bash", write_bash }, { "fish", write_fish }, { "zsh", write_zsh } };
  const char *shell = cli->args.words[0];
  for (size_t i = 0; i < HM_COUNT(shells); i++) {
    if (strcmp(shells[i].name, shell) != 0)
      continue;
    hm_buf b = { 0 };
    shells[i].put(&b, cli);
    fwrite(b.p, 1, b.n, stdout);
    hm_buf_free(&b);
    return HM_EXIT_FINE;
  }
  return hm_fail_usage(cli, hm_str_fmt(cli->a, "%.60s", shell).p, "no such shell",
                       "use one of: bash, fish, zsh");
}

const hm_command hm_cmd_completion = {
  .name = "completion",
  .words = "bash|fish|zsh",
  .brief = "print a script that completes command lines",
  .about = "Prints the script that lets a shell complete hmirror's verbs, options and\n"
           "their values. 'make install' puts the three where shells look for them.\n",
  .exits = "0  done\n2  no such shell\n",
  .examples = "source <(hmirror completion bash)\n"
              "hmirror completion fish >~/.config/fish/completions/hmirror.fish\n"
              "hmirror completion zsh >\"${fpath[1]}/_hmirror\"\n",
  .least_words = 1,
  .most_words = 1,
  .no_config = true,
  .run = run_completion
};
