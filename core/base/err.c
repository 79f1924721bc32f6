/* Errors, and their texts made fit for a terminal: err.h. */
#include "core/base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/credential.h"
#include "core/base/text.h"

/* Longer than a text of hm_err, so that the cut at a code point happens here. */
enum { LONG = 2048 };

/* Copies z so that it can be shown on a terminal; cut at a code point, ended by NUL. */
static void copy_clean_str(char *out, size_t size, hm_str s) {
  size_t n = 0;
  for (size_t i = 0, step; i < s.n; i += step) {
    uint32_t cp;
    step = hm_utf8_step(s, i, &cp);
    bool shown = cp != HM_BAD_BYTES && !hm_cp_is_hidden(cp);
    size_t len = shown ? step : 1;
    if (n + len >= size)
      break;
    memcpy(out + n, shown ? s.p + i : "?", len);
    n += len;
  }
  out[n] = 0;
}

/* Live secrets are hidden before the text is cut: half of one is no known shape any more. */
static void copy_hiding(char *out, size_t size, hm_str s) {
  hm_arena *a = hm_arena_new();
  copy_clean_str(out, size, hm_credential_hide(s, a));
  hm_arena_free(a);
}

static void copy_clean(char *out, size_t size, const char *z) {
  copy_hiding(out, size, hm_str_c(z));
}

int hm_fail(hm_err *err, hm_code code, const char *what, const char *why, const char *fix) {
  if (!err)
    return -1;
  hm_err e = { .code = code }; /* the texts may be those of *err */
  copy_clean(e.what, sizeof e.what, what);
  copy_clean(e.why, sizeof e.why, why);
  copy_clean(e.fix, sizeof e.fix, fix);
  *err = e;
  return -1;
}

int hm_failf(hm_err *err, hm_code code, const char *what, const char *fix, const char *why_fmt,
             ...) {
  char why[LONG];
  va_list ap;
  va_start(ap, why_fmt);
  if (vsnprintf(why, sizeof why, why_fmt, ap) < 0)
    why[0] = 0;
  va_end(ap);
  return hm_fail(err, code, what, why, fix);
}

int hm_err_at_field(hm_err *err, hm_str field) {
  if (err)
    copy_hiding(err->field, sizeof err->field, field);
  return -1;
}

int hm_err_within(hm_err *err, const char *fmt, ...) {
  if (!err)
    return -1;
  char what[LONG];
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(what, sizeof what - sizeof err->what - 2, fmt, ap);
  va_end(ap);
  if (n < 0)
    what[0] = 0;
  if (err->what[0]) {
    strcat(what, ": ");
    strcat(what, err->what);
  }
  copy_clean(err->what, sizeof err->what, what);
  return -1;
}

void hm_err_format_line(const hm_err *err, char *out, size_t n) {
  if (n == 0)
    return;
  char line[sizeof err->what + sizeof err->why + sizeof err->fix + 8] = "";
  const char *part[] = { err->what, err->why, err->fix };
  for (size_t i = 0; i < 3; i++) {
    if (!part[i][0])
      continue;
    if (line[0])
      strcat(line, ": ");
    strcat(line, part[i]);
  }
  copy_clean(out, n, line);
}

const char *hm_errno_suggest_fix(int eno) {
  static const struct {
    int eno;
    const char *fix;
  } remedies[] = {
    { ENOENT, "check the path" },
    { ENOTDIR, "check the path" },
    { ENAMETOOLONG, "choose a shorter path" },
    { ENOSPC, "free some space and run it again" },
    { EDQUOT, "free some space and run it again" },
    { EACCES, "check who owns it and its permissions" },
    { EPERM, "check who owns it and its permissions" },
    { EROFS, "choose a place that is not read-only" },
    { EBUSY, "if it is a mount point, choose a folder inside it" },
    { ELOOP, "look for a symbolic link that leads to itself" },
    { EMFILE, "raise the limit of open files (ulimit -n)" },
    { ENFILE, "raise the limit of open files (ulimit -n)" },
    { EIO, "check the disk" },
  };
  for (size_t i = 0; i < HM_COUNT(remedies); i++)
    if (remedies[i].eno == eno)
      return remedies[i].fix;
  return NULL;
}
