/* A pack, version 2, and its index on their way to the disk. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gen/sink/git_impl.h"

enum { WRITE_BLOCK = 256 << 10 };
static const char new_pack[] = "tmp_hmirror_pack", new_idx[] = "tmp_hmirror_idx";

/* The disk begins with what is there while the rest is summed up. */
static int put(hm_git_pack_file *f, hm_str bytes) {
  if (hm_fs_write(f->fd, bytes) != 0) return -1;
  if (f->durable && bytes.n >= WRITE_BLOCK) sync_file_range(f->fd, 0, 0, SYNC_FILE_RANGE_WRITE);
  hm_sha1_add(&f->sum, bytes);
  return 0;
}

static int flush(hm_git_pack_file *f) {
  int rc = put(f, hm_buf_view(&f->pending));
  hm_buf_clear(&f->pending);
  return rc;
}

static int append(hm_git_pack_file *f, hm_str bytes) {
  f->at += bytes.n;
  if (f->pending.n + bytes.n > WRITE_BLOCK && flush(f) != 0) return -1;
  if (bytes.n >= WRITE_BLOCK) return put(f, bytes);   /* as it is, and not a copy */
  hm_buf_str(&f->pending, bytes);
  return 0;
}

static int create(int dir, const char *name) {
  return openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
}

int hm_git_pack_begin(hm_git_pack_file *f, int dir, uint32_t n, bool durable) {
  *f = (hm_git_pack_file){ .dir = dir, .fd = create(dir, new_pack), .durable = durable, .idx = hm_xmalloc(n * sizeof *f->idx) };
  if (f->fd < 0) return -1;
  char head[12] = { 'P', 'A', 'C', 'K', 0, 0, 0, 2, (char)(n >> 24), (char)(n >> 16), (char)(n >> 8), (char)n };
  hm_sha1_init(&f->sum);
  return append(f, (hm_str){ head, sizeof head });
}

int hm_git_pack_add(hm_git_pack_file *f, const git_oid *id, uint32_t crc, const hm_str *parts, size_t n) {
  f->idx[f->n++] = (hm_idx_entry){ *id, crc, f->at };
  for (size_t i = 0; i < n; i++)
    if (append(f, parts[i]) != 0) return -1;
  return 0;
}

/* Read-only for all, as git leaves its packs; closed in any case. */
static int seal(int fd, bool durable) {
  int rc = fchmod(fd, 0444) == 0 && (!durable || fsync(fd) == 0) ? 0 : -1, eno = errno;
  if (close(fd) != 0 && rc == 0) return -1;
  errno = eno;
  return rc;
}

static int by_id(const void *x, const void *y) {
  return git_oid_cmp(&((const hm_idx_entry *)x)->id, &((const hm_idx_entry *)y)->id);
}

/* Open, or -1 and errno. */
static int write_idx(hm_git_pack_file *f, const unsigned char sum[20]) {
  hm_buf b = { 0 };
  int fd = create(f->dir, new_idx);
  if (fd < 0) return -1;
  qsort(f->idx, f->n, sizeof *f->idx, by_id);
  hm_git_idx_bytes(f->idx, f->n, sum, &b);
  int rc = b.failed ? (errno = EFBIG, -1) : hm_fs_write(fd, hm_buf_view(&b)), eno = errno;
  hm_buf_free(&b);
  if (rc == 0) return fd;
  close(fd);
  errno = eno;
  return -1;
}

/* Both are written before either is waited for. */
int hm_git_pack_end(hm_git_pack_file *f) {
  git_oid sum;
  char hex[GIT_OID_HEXSZ + 1];
  if (flush(f) != 0) return -1;
  hm_sha1_end(&f->sum, sum.id);
  if (hm_fs_write(f->fd, (hm_str){ (const char *)sum.id, 20 }) != 0) return -1;
  int idx = write_idx(f, sum.id), fd = f->fd;
  if (idx < 0) return -1;
  f->fd = -1;
  snprintf(f->name, sizeof f->name, "pack-%s", git_oid_tostr(hex, sizeof hex, &sum));
  if (seal(fd, f->durable) == 0) return seal(idx, f->durable);
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
  hm_buf_free(&f->pending);
  free(f->idx);
  errno = eno;
}
