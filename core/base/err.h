/* Errors carry what, why and what to do from where these are known.
 *
 * A function that can fail takes `hm_err *err` last and returns 0, or -1 after
 * filling it. Callers pass it up unchanged, or put their own "what" before it. */
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
  HM_E_STATE, /* it is there, but not in the state for this: settled by another, not a candidate */
  HM_E_INTERNAL /* our own mistake, found by a check of ours */
} hm_code;

typedef struct {
  hm_code code;
  char what[512];   /* the thing that failed: "store /x/y.db", "facts.jsonl:12: valid_from" */
  char why[512];    /* the cause */
  char fix[512];    /* what the user can do; may be empty */
  char field[64];   /* the field of a request that is at fault; may be empty */
  size_t at;        /* the byte of a text that was parsed, from 1; 0: not known */
} hm_err;

/* Fills err (NULL allowed) and returns -1. Texts (NULL: empty) are cut at their size;
 * hidden characters (hm_cp_is_hidden) and invalid UTF-8 are replaced by '?', since
 * facts may be in them. The texts may be those of *err. */
int hm_fail(hm_err *err, hm_code code, const char *what, const char *why, const char *fix);
/* The same with formats for `why`; `what` and `fix` are taken as they are. */
int hm_failf(hm_err *err, hm_code code, const char *what, const char *fix, const char *why_fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* Names the field at fault (cleaned and cut as the other texts). Returns -1. */
int hm_err_at_field(hm_err *err, hm_str field);
/* Replaces what by "FORMATTED: old what" ("FORMATTED" when that was empty). Returns -1. */
int hm_err_within(hm_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* What helps against a failure of the system with this errno, or NULL. */
const char *hm_errno_suggest_fix(int eno);
/* "what: why: fix" without the empty ones into out, NUL-terminated, cut at n. */
void hm_err_format_line(const hm_err *err, char *out, size_t n);
#endif
