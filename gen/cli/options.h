/* The command line: words and options, by tables. Pure. */
#ifndef HM_OPTIONS_H
#define HM_OPTIONS_H
#include "core/base/err.h"
#include "core/base/str.h"

/* A table of these ends with a NULL name. */
typedef struct {
  const char *name;     /* "output", given as --output */
  char letter;          /* 'o', given as -o; 0: none */
  const char *arg;      /* what its value is called in help, "FILE"; NULL: takes none */
  const char *help;     /* one sentence, no full stop */
} hm_option;

typedef struct {
  const hm_option *option;
  const char *value;
  const char *shown;
} hm_given; /* shown: as it was typed, "-d" or "--output" */

typedef struct {
  hm_given *given; size_t n_given;      /* in the order of the command line */
  const char **words; size_t n_words;   /* what is no option; the verb is not among them */
} hm_args;

/* The options of a verb: NULL when there is no such verb. */
typedef const hm_option *hm_verb_options(void *ctx, const char *verb);

/* Reads argv[1..argc). Options of `globals` may stand anywhere, those of the
 * verb after it. Forms: --name=value, --name value, -xvalue, -x value, -xy for
 * letters without a value; "--" ends options; "-" is a word. *verb is the first word, or NULL;
 * after an error, of what stands before that.
 * Errors (HM_E_USAGE): an unknown option (with the nearest known one), a missing value, a value
 * too many. An unknown verb is no error here: its options are then the globals. */
int hm_args_parse(hm_arena *a, int argc, char *const *argv, const hm_option *globals,
                  hm_verb_options *of_verb, void *ctx, const char **verb, hm_args *out,
                  hm_err *err);
/* Last value given for --name ("" for one that takes none), or NULL. */
const char *hm_args_get(const hm_args *args, const char *name);
/* All values given for --name, each a list of texts with commas between, in a; returns how many. */
size_t hm_args_list(const hm_args *args, const char *name, hm_arena *a, hm_str **out);
/* How that one was typed, for messages; NULL: it was not given. */
const char *hm_args_shown(const hm_args *args, const char *name);
#endif
