#include <string.h>
#include <strings.h>

#include "gen/site/site.h"

enum { PATH_BYTES = 1024, NAME_BYTES = 255, COMPONENTS = 32 };

static bool name_ok(hm_str name) {
  if (name.n == 0 || name.n > NAME_BYTES || hm_str_is(name, ".") || hm_str_is(name, ".."))
    return false;
  if (name.n == 4 && strncasecmp(name.p, ".git", 4) == 0) return false;
  for (size_t i = 0; i < name.n; i++) {
    char c = name.p[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && c != '.' && c != '_' && c != '-') return false;
  }
  return true;
}

bool hm_site_path_ok(hm_str path) {
  if (path.n == 0 || path.n > PATH_BYTES) return false;
  int components = 0;
  for (size_t from = 0; from <= path.n;) {
    const char *slash = memchr(path.p + from, '/', path.n - from);
    size_t to = slash ? (size_t)(slash - path.p) : path.n;
    if (++components > COMPONENTS || !name_ok(hm_str_sub(path, from, to))) return false;
    from = to + 1;
  }
  return true;
}
