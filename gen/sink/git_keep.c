#include <string.h>

#include "gen/sink/git_impl.h"

enum { COMPONENTS = 32 };

/* Relative, no component empty, "." or "..", not too deep. */
static bool keep_ok(hm_str path) {
  int components = 0;
  for (size_t from = 0; from <= path.n;) {
    const char *slash = memchr(path.p + from, '/', path.n - from);
    size_t to = slash ? (size_t)(slash - path.p) : path.n;
    hm_str name = hm_str_sub(path, from, to);
    if (name.n == 0 || hm_str_is(name, ".") || hm_str_is(name, "..") || ++components > COMPONENTS)
      return false;
    from = to + 1;
  }
  return true;
}

/* "./static/" -> "static" */
static hm_str plain(const char *keep) {
  hm_str k = hm_str_c(keep);
  if (hm_str_starts(k, "./")) k = hm_str_sub(k, 2, k.n);
  while (k.n && k.p[k.n - 1] == '/') k.n--;
  return k;
}

int hm_git_keep_init(hm_git *g, hm_err *err) {
  g->keep = hm_alloc_array(g->a, g->opt->n_keep, sizeof *g->keep);
  for (size_t i = 0; i < g->opt->n_keep; i++) {
    hm_str k = plain(g->opt->keep[i]);
    if (!keep_ok(k))
      return hm_failf(err, HM_E_USAGE, "publish.keep",
                      "write a path in the mirror, like CNAME or static/",
                      "\"%s\" is not a path inside the mirror", g->opt->keep[i]);
    g->keep[g->n_keep++] = k;
  }
  return 0;
}

/* dir is path, or a folder above it. */
static bool holds(hm_str dir, hm_str path) {
  return path.n >= dir.n && memcmp(path.p, dir.p, dir.n) == 0 &&
      (path.n == dir.n || path.p[dir.n] == '/');
}

bool hm_git_is_kept(const hm_git *g, hm_str path) {
  for (size_t i = 0; i < g->n_keep; i++)
    if (holds(g->keep[i], path)) return true;
  return false;
}

bool hm_git_path_kept(const char *const *keep, size_t n, hm_str path) {
  for (size_t i = 0; i < n; i++)
    if (holds(plain(keep[i]), path)) return true;
  return false;
}

bool hm_git_keeps_below(const hm_git *g, hm_str dir) {
  for (size_t i = 0; i < g->n_keep; i++)
    if (holds(dir, g->keep[i])) return true;
  return false;
}
