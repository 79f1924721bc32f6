/* One function with a case for every verb, and for every option that takes a value. */
#include "gen/cli/completion.h"

static void put_verbs(hm_buf *b) {
  for (const hm_command *const *c = hm_commands; *c; c++)
    hm_buf_fmt(b, "%s%s", c == hm_commands ? "" : " ", (*c)->name);
}

static void put_options(hm_buf *b, const hm_option *o) {
  for (; o && o->name; o++) hm_buf_fmt(b, " --%s", o->name);
}

static void put_alternatives(hm_buf *b, const char *words) {
  hm_str one;
  for (size_t i = 0; (one = hm_alternative(words, i)).n; i++)
    hm_buf_fmt(b, "%s%.*s", i ? " " : "", HM_FMT(one));
}

/* "--format) words="text json"; return ...": what may follow an option that takes a value. */
static void put_values(hm_buf *b, const char *verb, const hm_option *o) {
  for (; o && o->name; o++) {
    if (!o->arg) continue;
    hm_buf_fmt(b, "    %s:--%s", verb, o->name);
    if (o->letter) hm_buf_fmt(b, "|%s:-%c", verb, o->letter);
    hm_buf_c(b, ") ");
    if (hm_alternative(o->arg, 0).n) {
      hm_buf_c(b, "_hmirror_words \"");
      put_alternatives(b, o->arg);
      hm_buf_c(b, "\"");
    } else {
      hm_buf_c(b, "_hmirror_files");
    }
    hm_buf_c(b, "; return ;;\n");
  }
}

static void put_verb_words(hm_buf *b, const hm_command *c) {
  bool verbs = hm_str_is(hm_str_c(c->words), "[VERB]");
  if (!verbs && !hm_alternative(c->words, 0).n) return;
  hm_buf_fmt(b, "    %s:1) _hmirror_words \"", c->name);
  if (verbs) put_verbs(b);
  else put_alternatives(b, c->words);
  hm_buf_c(b, "\"; return ;;\n");
}

static const char start[] =
    "# Completion of hmirror for bash.\n"
    "_hmirror_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$cur\")); }\n"
    "_hmirror_files() { compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY=($(compgen -f -- \"$cur\")); }\n"
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
    "  [ \"$cur\" = = ] && cur=\n";

static void put_valued(hm_buf *b, const hm_option *o) {
  for (; o && o->name; o++) {
    if (!o->arg) continue;
    hm_buf_fmt(b, " --%s", o->name);
    if (o->letter) hm_buf_fmt(b, " -%c", o->letter);
  }
}

void hm_completion_bash(hm_buf *b) {
  hm_buf_c(b, start);
  hm_buf_c(b, "  case \"$verb:$prev\" in\n");
  for (const hm_command *const *c = hm_commands; *c; c++) put_values(b, (*c)->name, (*c)->options);
  put_values(b, "*", hm_global_options);
  hm_buf_c(b, "  esac\n  case \"$cur\" in\n    -*)\n      case \"$verb\" in\n");
  for (const hm_command *const *c = hm_commands; *c; c++) {
    hm_buf_fmt(b, "        %s) _hmirror_words \"", (*c)->name);
    put_options(b, (*c)->options);
    put_options(b, hm_global_options);
    hm_buf_c(b, "\" ;;\n");
  }
  hm_buf_c(b, "        *) _hmirror_words \"");
  put_options(b, hm_global_options);
  hm_buf_c(
      b,
      "\" ;;\n      esac\n      return ;;\n  esac\n  case \"$verb:$((n + 1))\" in\n    :*) _hmirror_words \"");
  put_verbs(b);
  hm_buf_c(b, "\"; return ;;\n");
  for (const hm_command *const *c = hm_commands; *c; c++) put_verb_words(b, *c);
  hm_buf_c(b, "  esac\n  _hmirror_files\n}\n_hmirror_valued=\"");
  put_valued(b, hm_global_options);
  for (const hm_command *const *c = hm_commands; *c; c++) put_valued(b, (*c)->options);
  hm_buf_c(b, "\"\ncomplete -F _hmirror hmirror\n");
}
