#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/par.h"
#include "core/base/sha1.h"
#include "gen/sink/git_impl.h"

/* Measured over pages of a mirror: 1 is twice as fast as 6 and gives 2% more bytes. */
enum { LEVEL = 1, THREADS_MAX = 64, WRITE_BLOCK = 1 << 20 };

typedef struct { hm_str raw; uint32_t crc; } packed;   /* an entry as it stands in the pack */

typedef struct {
  struct libdeflate_compressor *z;
  hm_arena *a;
  hm_buf scratch;
} worker_state;

typedef struct {
  const hm_git_objects *l;
  packed *packed;
  worker_state workers[THREADS_MAX];
} packing;

/* Type and size: four bits of the size beside the type, then seven a byte. */
static size_t entry_header(unsigned char out[12], git_object_t type, size_t size) {
  size_t n = 0;
  unsigned char c = (unsigned char)(((unsigned)type << 4) | (size & 15));
  for (size >>= 4; size; size >>= 7) {
    out[n++] = c | 0x80;
    c = size & 0x7f;
  }
  out[n++] = c;
  return n;
}

static int pack_entry(void *ctx, size_t i, int worker) {
  packing *p = ctx;
  worker_state *w = &p->workers[worker];
  hm_str in = p->l->o[i].bytes;
  unsigned char head[12];
  size_t n = entry_header(head, p->l->o[i].type, in.n);
  size_t bound = n + libdeflate_zlib_compress_bound(w->z, in.n);
  if (w->scratch.cap < bound) {
    w->scratch.p = hm_xrealloc(w->scratch.p, bound);
    w->scratch.cap = bound;
  }
  memcpy(w->scratch.p, head, n);
  size_t z = libdeflate_zlib_compress(w->z, in.p, in.n, w->scratch.p + n, bound - n);
  if (z == 0) return -1;
  p->packed[i].raw = hm_str_dup(w->a, (hm_str){ w->scratch.p, n + z });
  p->packed[i].crc = libdeflate_crc32(0, w->scratch.p, n + z);
  return 0;
}

static int workers_open(packing *p, int n) {
  for (int i = 0; i < n; i++) {
    p->workers[i].z = libdeflate_alloc_compressor(LEVEL);
    if (!p->workers[i].z) return -1;
    p->workers[i].a = hm_arena_new();
  }
  return 0;
}

static void workers_close(packing *p) {
  for (int i = 0; i < THREADS_MAX; i++) {
    libdeflate_free_compressor(p->workers[i].z);
    hm_arena_free(p->workers[i].a);
    hm_buf_free(&p->workers[i].scratch);
  }
}

typedef struct { int fd; hm_buf pending; hm_sha1 sum; uint64_t at; } pack_file;

static int flush(pack_file *f) {
  if (f->pending.failed) {
    errno = EFBIG;
    return -1;
  }
  hm_sha1_add(&f->sum, hm_buf_view(&f->pending));
  int rc = hm_fs_write(f->fd, hm_buf_view(&f->pending));
  hm_buf_clear(&f->pending);
  return rc;
}

static int append(pack_file *f, hm_str bytes) {
  hm_buf_str(&f->pending, bytes);
  f->at += bytes.n;
  return f->pending.n >= WRITE_BLOCK || f->pending.failed ? flush(f) : 0;
}

static int write_pack(pack_file *f, const packing *p, hm_idx_entry *idx, unsigned char sum[20]) {
  uint32_t n = (uint32_t)p->l->n;
  char head[12] = { 'P', 'A', 'C', 'K', 0, 0, 0, 2, (char)(n >> 24), (char)(n >> 16), (char)(n >> 8), (char)n };
  hm_sha1_init(&f->sum);
  if (append(f, (hm_str){ head, sizeof head }) != 0) return -1;
  for (size_t i = p->l->n; i-- > 0;) {   /* the commit was made last; git's packs begin with it */
    idx[i] = (hm_idx_entry){ p->l->o[i].id, p->packed[i].crc, f->at };
    if (append(f, p->packed[i].raw) != 0) return -1;
  }
  if (flush(f) != 0) return -1;
  hm_sha1_end(&f->sum, sum);
  return hm_fs_write(f->fd, (hm_str){ (const char *)sum, 20 });
}

static int by_id(const void *x, const void *y) {
  return git_oid_cmp(&((const hm_idx_entry *)x)->id, &((const hm_idx_entry *)y)->id);
}

/* Read-only for all, as git leaves its packs; closed in any case. */
static int seal(int fd, bool durable) {
  int rc = fchmod(fd, 0444) == 0 && (!durable || fsync(fd) == 0) ? 0 : -1, eno = errno;
  if (close(fd) != 0 && rc == 0) return -1;
  errno = eno;
  return rc;
}

static int create(int dir, const char *name) {
  return openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
}

static int write_idx(int dir, const char *name, const hm_idx_entry *idx, size_t n, const unsigned char sum[20], bool durable) {
  hm_buf b = { 0 };
  int fd = create(dir, name);
  if (fd < 0) return -1;
  hm_git_idx_bytes(idx, n, sum, &b);
  int rc = b.failed ? (errno = EFBIG, -1) : hm_fs_write(fd, hm_buf_view(&b)), eno = errno;
  hm_buf_free(&b);
  if (rc != 0) {
    close(fd);
    errno = eno;
    return -1;
  }
  return seal(fd, durable);
}

/* A pack counts from the moment its index has its name, so that goes last. */
static int put_in_place(int dir, const unsigned char sum[20], bool durable) {
  git_oid id;
  char hex[GIT_OID_HEXSZ + 1], pack[64], idx[64];
  memcpy(id.id, sum, 20);
  git_oid_tostr(hex, sizeof hex, &id);
  snprintf(pack, sizeof pack, "pack-%s.pack", hex);
  snprintf(idx, sizeof idx, "pack-%s.idx", hex);
  if (renameat(dir, "tmp_hmirror_pack", dir, pack) != 0) return -1;
  if (durable && fsync(dir) != 0) return -1;
  if (renameat(dir, "tmp_hmirror_idx", dir, idx) != 0) return -1;
  return durable ? fsync(dir) : 0;
}

static int write_files(const packing *p, int dir, bool durable) {
  int rc = -1;
  unsigned char sum[20];
  hm_idx_entry *idx = hm_xmalloc(p->l->n * sizeof *idx);
  pack_file f = { .fd = create(dir, "tmp_hmirror_pack") };
  if (f.fd < 0) goto out;
  rc = write_pack(&f, p, idx, sum);
  int eno = errno;
  if (seal(f.fd, durable && rc == 0) != 0) rc = -1;
  else errno = eno;
  if (rc != 0) goto out;
  qsort(idx, p->l->n, sizeof *idx, by_id);
  rc = write_idx(dir, "tmp_hmirror_idx", idx, p->l->n, sum, durable) == 0 && put_in_place(dir, sum, durable) == 0 ? 0 : -1;
out:
  eno = errno;
  if (rc != 0) {
    unlinkat(dir, "tmp_hmirror_pack", 0);
    unlinkat(dir, "tmp_hmirror_idx", 0);
  }
  hm_buf_free(&f.pending);
  free(idx);
  errno = eno;
  return rc;
}

int hm_git_write_pack(hm_git *g, const hm_git_objects *l, hm_err *err) {
  int rc = -1, dir = -1, threads = g->opt->threads < 1 ? 1 : g->opt->threads > THREADS_MAX ? THREADS_MAX : g->opt->threads;
  packing *p = hm_xmalloc(sizeof *p);
  *p = (packing){ .l = l, .packed = hm_xmalloc(l->n * sizeof *p->packed) };
  if (workers_open(p, threads) != 0 || hm_par_for(l->n, threads, pack_entry, p, NULL) != 0) {
    hm_fail(err, HM_E_INTERNAL, g->opt->repo, "cannot compress an object", NULL);
    goto out;
  }
  if (mkdirat(g->dir, "objects/pack", 0777) != 0 && errno != EEXIST) {
    hm_fs_fail(err, g->opt->repo, "make objects/pack");
    goto out;
  }
  dir = openat(g->dir, "objects/pack", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0 || write_files(p, dir, g->opt->durable) != 0) {
    hm_fs_fail(err, g->opt->repo, "write a pack");
    goto out;
  }
  rc = git_odb_refresh(g->odb) < 0 ? hm_git_fail(g, "read the new pack", err) : 0;
out:
  if (dir >= 0) close(dir);
  workers_close(p);
  free(p->packed);
  free(p);
  return rc;
}
