/* One run of the program: what was asked for, and what every verb needs. */
#ifndef HM_CLI_H
#define HM_CLI_H
#include "gen/cli/options.h"
#include "gen/cli/progress.h"
#include "gen/mirror/mirror.h"

enum { HM_EXIT_FINE = 0, HM_EXIT_FOUND = 1, HM_EXIT_TROUBLE = 2 };

typedef struct hm_command hm_command;

typedef struct {
  hm_arena *a;
  const hm_command *command;
  hm_args args;
  hm_mirror mirror;            /* of verbs that read the config; mirror.a is a */
  const char *format;          /* "text" */
  bool json, quiet, verbose;
  bool color;                  /* standard output takes colours */
  hm_progress *progress;
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

extern const hm_option hm_global_options[];
/* The verb has an option of its own of this name. */
bool hm_command_has(const hm_command *c, const hm_option *global);
/* In the order of help; NULL ends. */
extern const hm_command *const hm_commands[];
const hm_command *hm_command_find(const char *name);

/* Fails with HM_E_USAGE: there is no such verb; names the nearest. Gives -1. */
int hm_command_unknown(hm_cli *cli, const char *verb);

/* The whole program; argv as main gets it. Returns the exit code. */
int hm_cli_run(int argc, char **argv);

/* Fills cli->mirror: from the config of this run (--config, else mirror.yml), the options that
 * stand for its keys, and SOURCE_DATE_EPOCH. What the mirror says then goes to standard error. */
int hm_cli_read_config(hm_cli *cli);
/* Value of an option of this run, or NULL. */
const char *hm_cli_option(const hm_cli *cli, const char *name);
/* The option as the user typed it, "-d" or "--output", for messages about its value; "--name" when
 * it was not given. In cli->a. */
const char *hm_cli_shown(const hm_cli *cli, const char *name);
#endif
