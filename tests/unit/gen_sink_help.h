/* What the tests of the git sink and of its reader share: sites made by hand, a
 * folder to work in, the real git. */
#ifndef GEN_SINK_HELP_H
#define GEN_SINK_HELP_H
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gen/sink/git.h"

/* --- sites made by hand --------------------------------------------------- */

enum { MOST = 4096 };
typedef struct { hm_arena *a; hm_file files[MOST]; hm_site site; } maker;

static int by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_file *)x)->path, ((const hm_file *)y)->path);
}

static inline maker *maker_new(void) {
  maker *m = calloc(1, sizeof *m);
  m->a = hm_arena_new();
  m->site.files = m->files;
  return m;
}

static inline void maker_free(maker *m) {
  hm_arena_free(m->a);
  free(m);
}

/* Adds or replaces. */
static inline void put(maker *m, const char *path, const char *bytes) {
  size_t i = 0;
  while (i < m->site.n && !hm_str_is(m->files[i].path, path)) i++;
  m->files[i] = (hm_file){ .path = hm_str_dup(m->a, hm_str_c(path)),
                           .bytes = hm_str_dup(m->a, hm_str_c(bytes)) };
  if (i == m->site.n) m->site.n++;
  qsort(m->files, m->site.n, sizeof *m->files, by_path);
}

static inline maker *basic(void) {
  maker *m = maker_new();
  put(m, "README.md", "one\n");
  put(m, "manifest.json", "{}\n");
  put(m, "conflicts.json", "{\"conflicts\":[],\"count\":0}\n");
  put(m, "projects/p05/README.md", "overview\n");
  put(m, "projects/p05.md", "sorts before the folder\n");
  put(m, "projects/p05-x/README.md", "and this, too\n");
  put(m, "projects/p050", "sorts after\n");
  return m;
}

/* --- a folder to work in --------------------------------------------------- */

typedef struct { char root[64], repo[96]; hm_git_options opt; hm_arena *a; } place;

static inline int setup(void **state) {
  place *p = calloc(1, sizeof *p);
  strcpy(p->root, "/tmp/hmirror-git-XXXXXX");
  if (!mkdtemp(p->root)) return -1;
  snprintf(p->repo, sizeof p->repo, "%s/mirror.git", p->root);
  p->opt = (hm_git_options){ .repo = p->repo,
                             .branch = "mirror",
                             .author_name = "Mirror",
                             .author_email = "mirror@example.org",
                             .when = 1775120400,
                             .threads = 4 };
  p->a = hm_arena_new();
  setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
  setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
  *state = p;
  return 0;
}

static int rm_one(const char *path, const struct stat *st, int type, struct FTW *f) {
  (void)st, (void)type, (void)f;
  return remove(path);
}

static inline int teardown(void **state) {
  place *p = *state;
  nftw(p->root, rm_one, 16, FTW_DEPTH | FTW_PHYS);
  hm_arena_free(p->a);
  free(p);
  return 0;
}

static inline __attribute__((format(printf, 2, 3))) const char *sh(const place *p, const char *fmt,
                                                                   ...) {
  static char out[65536];
  char line[2048], cmd[2300];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(line, sizeof line, fmt, ap);
  va_end(ap);
  snprintf(cmd, sizeof cmd, "cd %s && { %s ; } 2>&1", p->root, line);
  FILE *f = popen(cmd, "r");
  assert_non_null(f);
  size_t n = fread(out, 1, sizeof out - 1, f);
  int rc = pclose(f);
  while (n && out[n - 1] == '\n') n--;
  out[n] = 0;
  if (rc != 0) fail_msg("%s: exit %d: %s", line, rc, out);
  return out;
}

#define MESSAGE "Mirror of 1 project\n\nMirror-Tool: hmirror test\n"

static inline void die(const hm_err *err) {
  char line[2048];
  hm_err_format_line(err, line, sizeof line);
  fail_msg("%s", line);
}

static inline hm_git *begin(place *p, hm_git_tip *tip) {
  hm_git *g;
  hm_err err = { 0 };
  if (hm_git_open(&p->opt, p->a, &g, tip, &err) != 0) die(&err);
  return g;
}

static inline hm_git_result publish(place *p, const maker *m) {
  hm_git_tip tip;
  hm_git_result r;
  hm_err err = { 0 };
  hm_git *g = begin(p, &tip);
  if (hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err) != 0) die(&err);
  hm_git_close(g);
  return r;
}

/* A commit by hand on top of the branch. */
static inline void by_hand(place *p, const char *what) {
  sh(p,
     "rm -rf work && git clone -q -b %s %s work && cd work && { %s ; } && git add -A && "
     "git -c user.name=a -c user.email=a@b commit -q -m 'by hand' && git push -q origin HEAD",
     p->opt.branch, p->repo, what);
}
#endif
