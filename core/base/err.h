/* Errors: what failed, why, and what the user can do, set where these are known.
 *
 * A function that can fail takes `hm_err *err` last and returns 0, or -1 after
 * filling it. Callers pass it up unchanged, or prefix their own "what" (hm_err_within). */
#ifndef HM_ERR_H
#define HM_ERR_H
#include <stddef.h>
#include "core/base/str.h"

typedef enum {
  HM_OK = 0,
  HM_E_USAGE,   /* the command line or the config */
  HM_E_INPUT,   /* a file to import, a template, a theme */
  HM_E_STORE,   /* the SQLite file */
  HM_E_BUSY,    /* another process holds a lock */
  HM_E_OUTPUT,  /* a directory, a repository */
  HM_E_MOVED,   /* a ref moved while we worked */
  HM_E_UNKNOWN, /* there is no such row, conflict, revision */
  HM_E_STATE,   /* it exists, but its state forbids this: settled by another, not a candidate */
  HM_E_INTERNAL /* a fault of hmirror, found by a check of its own */
} hm_code;

typedef struct {
  hm_code code;
  char what[512];  /* the thing that failed: "store /x/y.db", "facts.jsonl:12: valid_from" */
  char why[512];   /* the cause */
  char fix[1024];  /* what the user can do, perhaps a command to paste; may be empty */
  char field[64];  /* the field of a request that is at fault; may be empty */
  size_t at;       /* byte offset in the parsed text, from 1; 0: not known */
  bool of_request; /* `what` is a part of a request, which not every door calls so */
} hm_err;

/* Fills err (NULL allowed) and returns -1. Cuts each text (NULL: empty) at its size and replaces
 * hidden characters (hm_cp_is_hidden) and invalid UTF-8 by '?', since texts may quote facts; live
 * secrets in them are hidden (hm_credential_hide). The arguments may point into *err. */
int hm_fail(hm_err *err, hm_code code, const char *what, const char *why, const char *fix);
/* The same with a format for `why`; `what` and `fix` are no formats. */
int hm_failf(hm_err *err, hm_code code, const char *what, const char *fix, const char *why_fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* Sets the field at fault (cleaned and cut like the other texts). Returns -1. */
int hm_err_at_field(hm_err *err, hm_str field);
/* Replaces what by "FORMATTED: old what" ("FORMATTED" if what was empty). Returns -1. */
int hm_err_within(hm_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The fix to suggest for a system error with this errno, or NULL. */
const char *hm_errno_suggest_fix(int eno);
/* Writes "what: why: fix", without empty parts, to out: NUL-terminated, cut at n. */
void hm_err_format_line(const hm_err *err, char *out, size_t n);
#endif
