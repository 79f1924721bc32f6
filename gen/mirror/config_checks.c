/* What an option and a key of mirror.yml of the same meaning must both be. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "gen/mirror/config.h"
#include "gen/render/escape.h"

int hm_check_base_url(hm_arena *a, const char *url, const char *what, hm_str *out, hm_err *err) {
  hm_str s = hm_str_trim(hm_str_c(url));
  *out = s;
  if (!s.n) return 0;
  bool http = hm_str_starts(s, "http://") || hm_str_starts(s, "https://");
  if (!http || !hm_url_safe(s) || memchr(s.p, '?', s.n) || memchr(s.p, '#', s.n))
    return hm_fail(err, HM_E_USAGE, what, "not an address of a folder on the web",
                   "write it as https://host/path/");
  *out = hm_str_fmt(a, "%.*s%s", HM_FMT(s), hm_str_ends(s, "/") ? "" : "/");
  return 0;
}

int hm_check_branch(const char *branch, const char *what, hm_err *err) {
  static const char allowed[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-";
  const char *framed_by[] = { "..", "//", "/.", ".lock" };
  size_t n = strlen(branch);
  bool ok = n > 0 && n <= 100 && !strchr("-/.", branch[0]) && !strchr("/.", branch[n - 1]) &&
      strspn(branch, allowed) == n && strcmp(branch, "HEAD") != 0;
  for (size_t i = 0; i < HM_COUNT(framed_by); i++)
    ok = ok && !strstr(branch, framed_by[i]);
  return ok ? 0
            : hm_failf(err, HM_E_USAGE, what, "use letters, digits and . _ / -",
                       "'%.60s' is no name for a branch", branch);
}

int hm_check_threads(const char *given, const char *what, int *out, hm_err *err) {
  char *end;
  errno = 0;
  long n = given[0] >= '0' && given[0] <= '9' ? strtol(given, &end, 10) : -1;
  if (n < 0 || n > 256 || errno || *end)
    return hm_failf(err, HM_E_USAGE, what, "give 1 to 256, or 0 for one a core",
                    "'%.40s' is no number of threads", given);
  *out = (int)n;
  return 0;
}

int hm_check_push(const char *remote, const char *what, hm_err *err) {
  static const char fix[] = "write origin, ../mirror.git or https://host/mirror.git";
  for (const char *p = remote; *p; p++)
    if ((unsigned char)*p <= 0x20 || *p == 0x7f || *remote == '-')
      return hm_fail(err, HM_E_USAGE, what, "not the name or the address of a remote", fix);
  return *remote ? 0 : hm_fail(err, HM_E_USAGE, what, "empty", fix);
}

int hm_check_push_timeout(const char *given, const char *what, int *out, hm_err *err) {
  char *end;
  long n = strtol(given, &end, 10);
  if (end == given || *end || n < 1 || n > 3600)
    return hm_fail(err, HM_E_USAGE, what, "not a number of seconds from 1 to 3600", NULL);
  *out = (int)n;
  return 0;
}
