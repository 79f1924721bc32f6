/* One run of the program: its command line, the state that every verb needs, and its output.
 * A verb is a command of the program, such as `build`; the verbs are in gen/verbs. */
#ifndef HM_CLI_H
#define HM_CLI_H
#include "core/base/err.h"
#include "core/base/json.h"
#include "core/base/str.h"
#include "gen/mirror/mirror.h"

/* --- the command line: words and options, by tables (options.c) ------------------------------- */

/* A table of these ends with a NULL name. */
typedef struct {
  const char *name; /* "output", typed as --output */
  char letter;      /* 'o', typed as -o; 0: none */
  const char *arg;  /* the name of its value in help, "FILE"; NULL: takes none */
  const char *help; /* one sentence, no full stop */
} hm_option;

typedef struct {
  const hm_option *option;
  const char *value;
  const char *shown;
} hm_given_option; /* shown: as it was typed, "-d" or "--output" */

typedef struct {
  hm_given_option *given;
  size_t n_given; /* in the order of the command line */
  const char **words;
  size_t n_words; /* all that are no options, without the verb */
} hm_args;

/* The options of a verb: NULL when there is no such verb. */
typedef const hm_option *hm_verb_options(const char *verb);

/* Parses argv[1..argc). Options of `globals` may stand anywhere, those of the
 * verb after it. Forms: --name=value, --name value, -xvalue, -x value, -xy for
 * letters without a value; "--" ends options; "-" is a word. *verb is the first word (after an
 * error, the first before the error), or NULL.
 * Errors (HM_E_USAGE): an unknown option (with the nearest known one), a missing value, a value
 * too many. An unknown verb is no error here: its options are then the globals. */
int hm_args_parse(hm_arena *a, int argc, char *const *argv, const hm_option *globals,
                  hm_verb_options *of_verb, const char **verb, hm_args *out, hm_err *err);
/* Last value given for --name ("" for one that takes none), or NULL. */
const char *hm_args_get_option(const hm_args *args, const char *name);
/* All values given for --name, each a list of texts with commas between, in a; returns how many. */
size_t hm_args_list(const hm_args *args, const char *name, hm_arena *a, hm_str **out);
/* The option as it was typed, for messages; NULL when it was not given. */
const char *hm_args_as_typed(const hm_args *args, const char *name);

/* --- the run ---------------------------------------------------------------------------------- */

enum { HM_EXIT_FINE = 0, HM_EXIT_FOUND = 1, HM_EXIT_TROUBLE = 2 };

typedef struct hm_command hm_command;
typedef struct hm_progress hm_progress;

typedef struct {
  hm_arena *a;
  const hm_command *const *commands; /* all verbs, in the order of help; NULL ends */
  const hm_option *globals;          /* the options of every verb */
  const hm_command *command;
  hm_args args;
  hm_mirror mirror;   /* for verbs that read the config; mirror.a is a */
  const char *format; /* "text" */
  bool json, quiet, verbose;
  bool silent;     /* neither warnings nor notes: another run of this process gives them */
  bool trust_told; /* that judge and vectors are withheld, or the verb says so itself */
  /* Escapes of the styles of standard output, all "" without colours; plain ends any. */
  const char *plain, *bold, *dim, *red, *green, *yellow, *cyan;
  hm_jw json_out;
  hm_buf json_bytes; /* of hm_cli_json_begin */
  struct hm_progress *progress;
  bool awaited; /* publish --watch: report the result also when nothing changed, e.g. after the
                   first run and after a failure */
  hm_err err;
} hm_cli;

/* A verb: its words and help, and what it does. */
struct hm_command {
  const char *name;
  const char *words;           /* the words in its usage: "FILE..." */
  const char *brief;           /* half a line for lists */
  const char *about;           /* two to four lines */
  const hm_option *options;    /* one with the name of a global option replaces it */
  const char *const *formats;  /* the values of --format; NULL: text and json */
  const char *exits;           /* lines of exit codes, for help */
  const char *examples;        /* lines */
  int least_words, most_words; /* most -1: any number */
  bool no_config;              /* works without mirror.yml and store */
  bool words_need_no_config;   /* with words it uses mirror.yml only where that can be read */
  bool tells_excludes; /* warns of every unused entry of publish.exclude, also when that takes
                          reading all properties */
  /* Exit code, or -1 with cli->err filled. */
  int (*run)(hm_cli *cli);
};

/* True when the verb has its own option of this name (options.c). */
bool hm_command_has_option(const hm_command *c, const hm_option *global);

/* Value of an option of this run ("" for one that takes none), or NULL. */
static inline const char *hm_cli_get_option(const hm_cli *cli, const char *name) {
  return hm_args_get_option(&cli->args, name);
}
/* The option as the user typed it, "-d" or "--output", for messages about its value; "--name" when
 * it was not given. In cli->a. */
static inline const char *hm_cli_option_as_typed(const hm_cli *cli, const char *name) {
  const char *shown = hm_args_as_typed(&cli->args, name);
  return shown ? shown : hm_str_fmt(cli->a, "--%s", name).p;
}

/* --- output (out.c) --------------------------------------------------------------------------- */

/* The output of a run: results on standard output, everything else on standard error. On a
 * terminal, that also gets a line of progress for steps of over a second. */

/* "hmirror: ..." on standard error, also with -q: what somebody should mend or know. */
void hm_cli_warn(hm_cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A hint, the same way, unless -q. */
void hm_note(hm_cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same only under -v. */
void hm_note_verbose(hm_cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prints an error as one line, whatever the options. */
void hm_print_error(hm_cli *cli, const hm_err *err);
/* Fills cli->err with HM_E_USAGE; fix may be NULL. Returns -1. */
int hm_fail_usage(hm_cli *cli, const char *what, const char *why, const char *fix);

/* Starts the one JSON value of this run, an object; hm_cli_json_end prints it with a newline. */
hm_jw *hm_cli_json_begin(hm_cli *cli);
int hm_cli_json_end(hm_cli *cli);
/* Prints the JSON value that is in b already, with a newline, and frees b. */
int hm_cli_print_json(hm_cli *cli, hm_buf *b);

/* Flushes standard output. Returns -1 with err if any output since the last call was lost; each
 * loss is reported only once. */
int hm_flush_stdout(hm_err *err);

/* Begins a phase; text is static. After a second its line appears, with hm_progress_set_count's
 * numbers. */
void hm_progress_phase(hm_cli *cli, const char *text);
/* Ends the phase and erases its line. */
void hm_progress_end_phase(hm_cli *cli);

/* Returns NULL when on is false or standard error is no terminal; the functions below then do
 * nothing. */
hm_progress *hm_progress_new(bool on);
/* Erases the line and ends the thread that draws it. NULL is allowed. */
void hm_progress_free(hm_progress *p);
/* Sets the count: done of all (0: unknown). Callable from any thread; ctx is the hm_progress. */
void hm_progress_set_count(void *ctx, size_t done, size_t all);
#endif
