/* One run of the program: its options, and the state that every verb needs. */
#ifndef HM_CLI_H
#define HM_CLI_H
#include "core/base/json.h"
#include "gen/cli/options.h"
#include "gen/mirror/mirror.h"

enum { HM_EXIT_FINE = 0, HM_EXIT_FOUND = 1, HM_EXIT_TROUBLE = 2 };

typedef struct hm_command hm_command;
typedef struct hm_progress hm_progress;

typedef struct {
  hm_arena *a;
  const hm_command *command;
  hm_args args;
  hm_mirror mirror;            /* of verbs that read the config; mirror.a is a */
  const char *format;          /* "text" */
  bool json, quiet, verbose;
  /* Escapes of the styles of standard output, all "" without colours; plain ends any. */
  const char *plain, *bold, *dim, *red, *green, *yellow, *cyan;
  hm_jw json_out; hm_buf json_bytes;   /* of hm_json_begin */
  struct hm_progress *progress;
  bool awaited; /* of many runs that change nothing, this one's result is told: the first, and one
                   after a failure */
  hm_err err;
} hm_cli;

/* A verb: its words and help, and what it does. Each is in a file of its own. */
struct hm_command {
  const char *name;
  const char *words;           /* usage of what follows the options: "FILE..." */
  const char *brief;           /* half a line for lists */
  const char *about;           /* two to four lines */
  const hm_option *options;    /* one of a global option's name stands for it */
  const char *const *formats;  /* what --format takes; NULL: text and json */
  const char *exits;           /* lines of exit codes, for help */
  const char *examples;        /* lines */
  int least_words, most_words; /* most -1: any number */
  bool no_config;              /* works without mirror.yml and store */
  bool only_reads;             /* never writes to the store */
  bool tells_excludes; /* warns of every name in publish.exclude that leaves nothing out, also where
                          that takes a look at all properties */
  /* Exit code, or -1 with cli->err filled. */
  int (*run)(hm_cli *cli);
};

/* Value of an option of this run ("" for one that takes none), or NULL. */
static inline const char *hm_cli_option(const hm_cli *cli, const char *name) {
  return hm_args_get(&cli->args, name);
}
/* The option as the user typed it, "-d" or "--output", for messages about its value; "--name" when
 * it was not given. In cli->a. */
static inline const char *hm_cli_shown(const hm_cli *cli, const char *name) {
  const char *shown = hm_args_shown(&cli->args, name);
  return shown ? shown : hm_str_fmt(cli->a, "--%s", name).p;
}
#endif
