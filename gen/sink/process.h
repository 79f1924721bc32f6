/* Starts programs of the user's, each on a leash: no shell, a fixed list of arguments, a few
 * environment variables, a session and process group of its own without a terminal, a limit of
 * time, and one of what it may print.
 *
 * Between hmirror and the program stands a small process, the leash: hmirror, executed again by the
 * hidden verb of hm_process_be_leash. It waits for the program, for its time, and at a pair of
 * sockets whose other end only hmirror holds, and at the first of them kills the whole group, also
 * after a good end. So nothing in the group outlives hmirror, however that ends. */
#ifndef HM_PROCESS_H
#define HM_PROCESS_H
#include "core/base/err.h"
#include "core/base/str.h"

enum {
  HM_PROCESS_PRINTS = 64 << 10, /* bytes on each of standard output and standard error */
  HM_PROCESS_FILES = 2
};

typedef struct {
  const char *const *argv;     /* NULL ends it; argv[0] is looked up in PATH */
  const char *absent_fix;      /* what to do where it is not installed */
  hm_str in;                   /* its standard input */
  int files[HM_PROCESS_FILES]; /* descriptors that it has as 3 and 4; -1: none. Borrowed */
  int seconds;                 /* after which it is ended */
  bool bounded; /* 256 MB of addresses a process, files of at most 64 KiB; not for a program whose
                   helpers live on and would inherit that */
} hm_process;

typedef struct {
  hm_str out, said; /* standard output; standard error, without white space around it */
  int code;         /* its exit code; of one that a signal ended 128 and the signal's number */
} hm_process_end;

/* Runs the program to its end, in a. HM_E_OUTPUT: it cannot be started, took too long, or printed
 * too much; then nothing of its group is left, either. */
int hm_process_run(const hm_process *p, hm_arena *a, hm_process_end *end, hm_err *err);
/* Opens a file in memory with these bytes, to be one of `files`. -1 and errno. */
int hm_process_file(hm_str bytes);
/* The first call of main in every program that calls hm_process_run: is the leash, and does not
 * return, when the command line says so. */
void hm_process_be_leash(int argc, char **argv);
#endif
