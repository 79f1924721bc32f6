#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/par.h"
#include "gen/sink/dir_impl.h"

enum { BLOCK = 128 * 1024, STRETCH = 64 };

typedef struct { hm_dir_plan *p; int old; char **blocks; } comparing;

/* Byte for byte, since a file that somebody edited may well have kept its size. */
static bool same_bytes(int dir, const char *name, hm_str want, char *block) {
  int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  size_t done = 0;
  for (;;) {
    ssize_t n = read(fd, block, BLOCK);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || (size_t)n > want.n - done || memcmp(block, want.p + done, (size_t)n) != 0) {
      if (n != 0) done = SIZE_MAX;
      break;
    }
    done += (size_t)n;
  }
  close(fd);
  return done == want.n;
}

/* A stretch of jobs, which are sorted by folder. */
static int compare_stretch(void *ctx, size_t i, int worker) {
  comparing *c = ctx;
  size_t from = i * STRETCH, to = from + STRETCH < c->p->n ? from + STRETCH : c->p->n;
  hm_str open = HM_EMPTY;
  int dir = -1;
  for (size_t k = from; k < to; k++) {
    hm_dir_job *j = &c->p->jobs[k];
    if (j->action != HM_DIR_LINK) continue;
    if (dir < 0 || !hm_str_eq(open, j->dir)) {
      if (dir >= 0) close(dir);
      dir = hm_fs_dir_at(c->old, open = j->dir);
    }
    const char *name = j->old->path.p + (j->dir.n ? j->dir.n + 1 : 0);
    if (dir < 0 || !same_bytes(dir, name, j->file->bytes, c->blocks[worker])) j->action = HM_DIR_WRITE;
  }
  if (dir >= 0) close(dir);
  return 0;
}

void hm_dir_compare(hm_dir_plan *p, int old, int threads) {
  enum { MOST = 64 };
  char *blocks[MOST];
  int n = threads < 1 ? 1 : threads > MOST ? MOST : threads;
  for (int i = 0; i < n; i++) blocks[i] = hm_xmalloc(BLOCK);
  comparing c = { .p = p, .old = old, .blocks = blocks };
  hm_par_for((p->n + STRETCH - 1) / STRETCH, n, compare_stretch, &c, NULL);
  for (int i = 0; i < n; i++) free(blocks[i]);
  for (size_t i = 0; i < p->n; i++) {
    if (p->jobs[i].action == HM_DIR_WRITE) p->counts.written++;
    if (p->jobs[i].action == HM_DIR_LINK) p->counts.kept++;
  }
  if (p->counts.written) p->changes = true;
}
