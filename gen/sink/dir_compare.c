#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/par.h"
#include "gen/sink/dir_impl.h"

enum { BLOCK = 32 * 1024 };

typedef struct { hm_dir_plan *p; int old; } comparing;

/* Byte for byte, since a file that somebody edited may well have kept its size. */
bool hm_dir_same_bytes(int root, const char *path, hm_str want) {
  char block[BLOCK];
  int fd = hm_fs_open_at(root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
  if (fd < 0) return false;
  size_t done = 0;
  for (;;) {
    ssize_t n = read(fd, block, sizeof block);
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

static int compare_job(void *ctx, size_t i, int worker) {
  comparing *c = ctx;
  (void)worker;
  hm_dir_job *j = &c->p->jobs[i];
  if (j->action != HM_DIR_LINK || j->old->same) return 0;
  if (!hm_dir_same_bytes(c->old, j->old->path.p, j->file->bytes)) j->action = HM_DIR_WRITE;
  return 0;
}

void hm_dir_compare(hm_dir_plan *p, int old, int threads) {
  comparing c = { .p = p, .old = old };
  hm_par_for(p->n, threads, compare_job, &c, NULL);
  for (size_t i = 0; i < p->n; i++) {
    if (p->jobs[i].action == HM_DIR_WRITE || p->jobs[i].action == HM_DIR_THERE) p->counts.written++;
    if (p->jobs[i].action == HM_DIR_LINK) p->counts.kept++;
  }
  if (p->counts.written) p->changes = true;
}
