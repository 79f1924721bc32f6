/* Parses the command line in one pass; the verb decides which options may follow it. */
#include "gen/cli/cli.h"
#include <string.h>
#include "core/base/near_names.h"

/* What the parser knows at one point of the command line. */
typedef struct {
  hm_arena *a;
  int argc, at;
  char *const *argv;
  const hm_option *tables[2]; /* globals, the verb's */
  const char *verb;
  hm_args *out;
  hm_err *err;
} args_reader;

static const hm_option *find_name(const args_reader *r, const char *name, size_t n) {
  for (int t = 0; t < 2; t++)
    for (const hm_option *o = r->tables[t]; o && o->name; o++)
      if (strlen(o->name) == n && memcmp(o->name, name, n) == 0)
        return o;
  return NULL;
}

static const hm_option *find_letter(const args_reader *r, char letter) {
  for (int t = 0; t < 2; t++)
    for (const hm_option *o = r->tables[t]; o && o->name; o++)
      if (o->letter && o->letter == letter)
        return o;
  return NULL;
}

static const char *nth_name(void *ctx, size_t i) {
  const args_reader *r = ctx;
  for (int t = 0; t < 2; t++)
    for (const hm_option *o = r->tables[t]; o && o->name; o++)
      if (i-- == 0)
        return o->name;
  return NULL;
}

/* The option that other verbs have by this letter, if the verb has it without one; else NULL. */
static const char *name_of_letter(const args_reader *r, char letter) {
  static const char *const usual[] = { "dry-run", "hits", "message", "output", "project", "type" };
  static const char letters[] = "nkmopt";
  const char *at = strchr(letters, letter);
  const char *name = at ? usual[at - letters] : NULL;
  return name && find_name(r, name, strlen(name)) ? name : NULL;
}

static int unknown_option(args_reader *r, const char *shown, const char *name) {
  const char *near = name ? hm_find_nearest_word(name, nth_name, r) : name_of_letter(r, shown[1]);
  hm_str see = r->verb ? hm_str_fmt(r->a, "see 'hmirror %s --help'", r->verb)
                       : HM_STR("see 'hmirror --help'");
  if (near)
    see = hm_str_fmt(r->a, "did you mean '--%s'? %s", near, see.p);
  if (r->verb)
    return hm_failf(r->err, HM_E_USAGE, shown, see.p, "unknown option of '%s'", r->verb);
  return hm_fail(r->err, HM_E_USAGE, shown, "unknown option", see.p);
}

static void add_given(args_reader *r, const hm_option *o, const char *value, const char *shown) {
  r->out->given[r->out->n_given++] = (hm_given_option){ o, value, hm_str_z(r->a, hm_str_c(shown)) };
}

/* The value of an option that needs one and has none in its own argument. */
static int read_value(args_reader *r, const hm_option *o, const char *shown) {
  if (r->at + 1 >= r->argc)
    return hm_failf(r->err, HM_E_USAGE, shown, "", "needs a value: %s %s", shown, o->arg);
  add_given(r, o, r->argv[++r->at], shown);
  return 0;
}

static int read_long(args_reader *r, const char *arg) {
  const char *name = arg + 2, *eq = strchr(name, '=');
  size_t n = eq ? (size_t)(eq - name) : strlen(name);
  const char *shown = hm_str_fmt(r->a, "--%.*s", (int)(n < 100 ? n : 100), name).p;
  const hm_option *o = find_name(r, name, n);
  if (!o)
    return unknown_option(r, shown, shown + 2);
  if (!o->arg && eq)
    return hm_fail(r->err, HM_E_USAGE, shown, "takes no value", NULL);
  if (!o->arg) {
    add_given(r, o, "", shown);
    return 0;
  }
  if (eq) {
    add_given(r, o, eq + 1, shown);
    return 0;
  }
  return read_value(r, o, shown);
}

static int read_letters(args_reader *r, const char *arg) {
  for (const char *p = arg + 1; *p; p++) {
    char shown[3] = { '-', *p, 0 };
    const hm_option *o = find_letter(r, *p);
    if (!o)
      return unknown_option(r, (unsigned char)*p < 0x80 ? shown : arg, NULL);
    if (!o->arg) {
      add_given(r, o, "", shown);
      continue;
    }
    if (p[1]) {
      add_given(r, o, p + 1, shown);
      return 0;
    }
    return read_value(r, o, shown);
  }
  return 0;
}

int hm_args_parse(hm_arena *a, int argc, char *const *argv, const hm_option *globals,
                  hm_verb_options *of_verb, const char **verb, hm_args *out, hm_err *err) {
  args_reader r = {
    .a = a, .argc = argc, .at = 1, .argv = argv, .tables = { globals, NULL }, .out = out, .err = err
  };
  size_t room = 0;
  for (int i = 1; i < argc; i++)
    room += strlen(argv[i]) + 1; /* one letter can be one option */
  *out = (hm_args){ .given = hm_alloc_array(a, room + 1, sizeof *out->given),
                    .words = hm_alloc_array(a, (size_t)argc + 1, sizeof *out->words) };
  bool options = true;
  *verb = NULL;
  for (; r.at < argc; r.at++) {
    const char *arg = argv[r.at];
    if (options && strcmp(arg, "--") == 0) {
      options = false;
      continue;
    }
    if (options && arg[0] == '-' && arg[1] == '-') {
      if (read_long(&r, arg))
        return -1;
      continue;
    }
    if (options && arg[0] == '-' && arg[1]) {
      if (read_letters(&r, arg))
        return -1;
      continue;
    }
    if (r.verb) {
      out->words[out->n_words++] = arg;
      continue;
    }
    *verb = r.verb = arg;
    r.tables[1] = of_verb(arg);
  }
  return 0;
}

static const hm_given_option *find_given(const hm_args *args, const char *name) {
  for (size_t i = args->n_given; i-- > 0;)
    if (strcmp(args->given[i].option->name, name) == 0)
      return &args->given[i];
  return NULL;
}

const char *hm_args_get_option(const hm_args *args, const char *name) {
  const hm_given_option *g = find_given(args, name);
  return g ? g->value : NULL;
}

const char *hm_args_as_typed(const hm_args *args, const char *name) {
  const hm_given_option *g = find_given(args, name);
  return g ? g->shown : NULL;
}

size_t hm_args_list(const hm_args *args, const char *name, hm_arena *a, hm_str **out) {
  size_t n = 0, cap = 0;
  *out = NULL;
  for (size_t i = 0; i < args->n_given; i++) {
    if (strcmp(args->given[i].option->name, name) != 0)
      continue;
    hm_str *some;
    size_t more = hm_str_split_commas(hm_str_c(args->given[i].value), a, &some);
    for (size_t k = 0; k < more; k++) {
      *out = hm_array_grow_in(a, *out, n, &cap, sizeof **out);
      (*out)[n++] = some[k];
    }
  }
  return n;
}

bool hm_command_has_option(const hm_command *c, const hm_option *global) {
  for (const hm_option *o = c->options; o && o->name; o++)
    if (strcmp(o->name, global->name) == 0)
      return true;
  return false;
}
