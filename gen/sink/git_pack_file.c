/* A pack, version 2, and its index on their way to the disk. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/base/par.h"
#include "gen/sink/git_impl.h"

enum { PARTS = 512, HEAD = 12, BEGIN_AT = 1 << 20 };
static const char new_pack[] = "tmp_hmirror_pack", new_idx[] = "tmp_hmirror_idx";

typedef struct {
  hm_git_pack_file *f;
  const hm_git_packed *p; size_t n;
  char head[HEAD];
  git_oid sum;
  int eno;              /* of the write that failed */
} writing;

/* --- the pack ------------------------------------------------------------------- */

static int write_parts(int fd, struct iovec *v, int n) {
  while (n > 0) {
    ssize_t got = writev(fd, v, n);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    for (; n > 0 && (size_t)got >= v->iov_len; n--) got -= (ssize_t)(v++)->iov_len;
    if (n > 0) {
      v->iov_base = (char *)v->iov_base + got;
      v->iov_len -= (size_t)got;
    }
  }
  return 0;
}

typedef struct { struct iovec v[PARTS]; int n; size_t bytes; } batch;

/* The disk begins with what is there before all is. */
static int flush(const writing *w, batch *b) {
  if (write_parts(w->f->fd, b->v, b->n) != 0) return -1;
  b->n = 0;
  if (b->bytes < BEGIN_AT) return 0;
  b->bytes = 0;
  if (w->f->durable) sync_file_range(w->f->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
  return 0;
}

static int append(const writing *w, batch *b, hm_str s) {
  b->v[b->n++] = (struct iovec){ (void *)(uintptr_t)s.p, s.n };
  b->bytes += s.n;
  return b->n == PARTS || b->bytes >= BEGIN_AT ? flush(w, b) : 0;
}

static int write_all(const writing *w) {
  batch b = { .n = 0 };
  if (append(w, &b, (hm_str){ w->head, HEAD }) != 0) return -1;
  for (size_t i = 0; i < w->n; i++)
    for (size_t k = 0; k < w->p[i].n; k++)
      if (append(w, &b, w->p[i].parts[k]) != 0) return -1;
  return flush(w, &b);
}

static void sum_up(writing *w) {
  hm_sha1 h;
  hm_sha1_init(&h);
  hm_sha1_add(&h, (hm_str){ w->head, HEAD });
  for (size_t i = 0; i < w->n; i++)
    for (size_t k = 0; k < w->p[i].n; k++) hm_sha1_add(&h, w->p[i].parts[k]);
  hm_sha1_end(&h, w->sum.id);
}

/* It is summed up while it is written. */
static int do_job(void *ctx, size_t i, int worker) {
  writing *w = ctx;
  (void)worker;
  if (i == 1) sum_up(w);
  else if (write_all(w) != 0) w->eno = errno;
  return 0;
}

static int create(int dir, const char *name) {
  return openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
}

static int write_pack(hm_git_pack_file *f, const hm_git_packed *p, size_t n, int threads,
                      git_oid *sum) {
  writing w = { .f = f,
                .p = p,
                .n = n,
                .head = { 'P', 'A', 'C', 'K', 0, 0, 0, 2, (char)(n >> 24), (char)(n >> 16),
                          (char)(n >> 8), (char)n } };
  f->fd = create(f->dir, new_pack);
  if (f->fd < 0) return -1;
  hm_par_for(2, threads, do_job, &w, NULL);
  *sum = w.sum;
  errno = w.eno;
  return w.eno ? -1 : hm_fs_write(f->fd, (hm_str){ (const char *)sum->id, GIT_OID_RAWSZ });
}

/* --- its index ------------------------------------------------------------------- */

static int by_id(const void *x, const void *y) {
  return git_oid_cmp(&((const hm_idx_entry *)x)->id, &((const hm_idx_entry *)y)->id);
}

static void list_entries(const hm_git_packed *p, size_t n, hm_idx_entry *e) {
  uint64_t at = HEAD;
  for (size_t i = 0; i < n; i++) {
    e[i] = (hm_idx_entry){ p[i].id, p[i].crc, at };
    for (size_t k = 0; k < p[i].n; k++) at += p[i].parts[k].n;
  }
  if (n) qsort(e, n, sizeof *e, by_id);
}

/* Open, or -1 and errno. */
static int write_idx(const hm_git_pack_file *f, const hm_git_packed *p, size_t n,
                     const git_oid *sum) {
  hm_buf b = { 0 };
  int fd = create(f->dir, new_idx);
  if (fd < 0) return -1;
  hm_idx_entry *e = hm_xmalloc((n + 1) * sizeof *e);
  list_entries(p, n, e);
  hm_git_idx_bytes(e, n, sum->id, &b);
  free(e);
  int rc = b.failed ? (errno = EFBIG, -1) : hm_fs_write(fd, hm_buf_view(&b)), eno = errno;
  hm_buf_free(&b);
  if (rc == 0) return fd;
  close(fd);
  errno = eno;
  return -1;
}

/* --- both -------------------------------------------------------------------------- */

/* Read-only for all, as git leaves its packs; closed in any case. */
static int seal(int fd, bool durable) {
  int rc = fchmod(fd, 0444) == 0 && (!durable || fsync(fd) == 0) ? 0 : -1, eno = errno;
  if (close(fd) != 0 && rc == 0) return -1;
  errno = eno;
  return rc;
}

/* Both are written before either is waited for. */
int hm_git_pack_write(hm_git_pack_file *f, int dir, const hm_git_packed *p, size_t n, bool durable,
                      int threads) {
  git_oid sum;
  char hex[GIT_OID_HEXSZ + 1];
  *f = (hm_git_pack_file){ .dir = dir, .fd = -1, .durable = durable };
  if (write_pack(f, p, n, threads, &sum) != 0) return -1;
  int idx = write_idx(f, p, n, &sum), fd = f->fd;
  if (idx < 0) return -1;
  f->fd = -1;
  snprintf(f->name, sizeof f->name, "pack-%s", git_oid_tostr(hex, sizeof hex, &sum));
  if (seal(fd, durable) == 0) return seal(idx, durable);
  int eno = errno;
  close(idx);
  errno = eno;
  return -1;
}

/* A pack counts from the moment its index has its name, so that goes last. */
int hm_git_pack_place(hm_git_pack_file *f) {
  char pack[HM_PACK_NAME + 8], idx[HM_PACK_NAME + 8];
  snprintf(pack, sizeof pack, "%s.pack", f->name);
  snprintf(idx, sizeof idx, "%s.idx", f->name);
  if (renameat(f->dir, new_pack, f->dir, pack) != 0) return -1;
  if (f->durable && fsync(f->dir) != 0) return -1;
  if (renameat(f->dir, new_idx, f->dir, idx) != 0) return -1;
  return f->durable ? fsync(f->dir) : 0;
}

void hm_git_pack_close(hm_git_pack_file *f, bool keep) {
  int eno = errno;
  if (f->fd >= 0) close(f->fd);
  if (!keep) {
    unlinkat(f->dir, new_pack, 0);
    unlinkat(f->dir, new_idx, 0);
  }
  errno = eno;
}
