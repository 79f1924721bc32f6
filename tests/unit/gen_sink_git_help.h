/* What the tests of the git sink itself share: a site that fills a pack, refusals, and whether the
 * branch holds a site. */
#ifndef GEN_SINK_GIT_HELP_H
#define GEN_SINK_GIT_HELP_H
#include <fcntl.h>
#include <sys/stat.h>

#include "gen/sink/git_impl.h"
#include "tests/unit/gen_sink_help.h"

static inline maker *large(const char *mark) {
  maker *m = maker_new();
  char name[64];
  for (int i = 0; i < 300; i++) {
    snprintf(name, sizeof name, "d%d/e%d/f%d.md", i % 5, i % 3, i);
    put(m, name, name);
  }
  char *big = malloc(3000001);
  for (size_t i = 0; i < 3000000; i++) big[i] = (char)('a' + (i * i >> 7) % 23);
  big[3000000] = 0;
  put(m, "big.txt", big);
  free(big);
  put(m, "empty", "");
  put(m, "mark", mark);
  return m;
}

static inline hm_err refused(place *p) {
  hm_git *g;
  hm_git_tip tip;
  hm_err err = { 0 };
  assert_int_equal(hm_git_open(&p->opt, p->a, &g, &tip, &err), -1);
  assert_null(g);
  return err;
}

static inline void assert_holds(place *p, const maker *m) {
  sh(p, "git -C %s fsck --strict", p->repo);
  sh(p, "rm -rf clone && git clone -q -b %s %s clone", p->opt.branch, p->repo);
  char path[256];
  for (size_t i = 0; i < m->site.n; i++) {
    snprintf(path, sizeof path, "%s/clone/%.*s", p->root, HM_FMT(m->files[i].path));
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    char *got = malloc(m->files[i].bytes.n + 1);
    assert_int_equal(read(fd, got, m->files[i].bytes.n + 1), m->files[i].bytes.n);
    assert_memory_equal(got, m->files[i].bytes.p, m->files[i].bytes.n);
    free(got);
    close(fd);
  }
  size_t n = strtoul(sh(p, "git -C clone ls-files | wc -l"), NULL, 10);
  assert_int_equal(n, m->site.n);
}
#endif
