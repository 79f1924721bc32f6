/* The new objects of one publication, and the pack that takes them.
 *
 * Each object is deflated whole, on all cores, pages as they are rendered; none is a delta. The
 * output waits for the pack in unnamed files, since it may not fit in memory. Pack and index (both
 * version 2) are complete and synced before either gets its name. Git uses a pack once its index
 * has its name, so the index is renamed last. */
#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/par.h"
#include "core/base/digest.h"
#include "gen/sink/git_impl.h"

/* LEVEL: measured over pages of a mirror, 1 is twice as fast as 6 and gives 2% more bytes. */
enum { LEVEL = 1, HEAD_BYTES = 12, FLUSH_AT = 1 << 20 };
static const char new_pack[] = "tmp_hmirror_pack", new_idx[] = "tmp_hmirror_idx";

/* --- objects ---------------------------------------------------------------------- */

void hm_git_objects_init(hm_git_objects *l, size_t expect, hm_arena *a) {
  *l = (hm_git_objects){ 0 };
  hm_map_init(&l->seen, a, expect);
}

void hm_git_objects_add(hm_git_objects *l, hm_arena *a, hm_git_object o) {
  l->o = hm_array_grow(l->o, l->n, &l->cap, sizeof *l->o);
  hm_str key = hm_str_dup(a, (hm_str){ (const char *)o.id.id, GIT_OID_RAWSZ });
  if (hm_map_add(&l->seen, key, (uint32_t)l->n) != l->n)
    return;
  l->o[l->n++] = o;
}

void hm_git_objects_free(hm_git_objects *l) {
  free(l->o);
  l->o = NULL;
}

/* --- deflated ----------------------------------------------------------------------- */

/* The deflate state of one thread, and its output. The hm_git owns the idle ones. */
typedef struct hm_git_deflater {
  struct hm_git_deflater *next;
  size_t number;
  struct libdeflate_compressor *z;
  hm_buf made; /* behind the bytes that are in the file */
  int file;
  uint64_t in_file; /* -1: there is none yet */
} deflater;

/* *failed: the errno of a deflater that failed before, else 0. */
static deflater *take_deflater(hm_git *g, int *failed) {
  pthread_mutex_lock(&g->lock_put);
  deflater *d = g->idle;
  if (d)
    g->idle = d->next;
  size_t number = d ? 0 : g->n_deflaters++;
  *failed = g->deflate_errno;
  pthread_mutex_unlock(&g->lock_put);
  if (d)
    return d;
  d = hm_xmalloc(sizeof *d);
  *d = (deflater){ .number = number, .z = libdeflate_alloc_compressor(LEVEL), .file = -1 };
  return d;
}

static void return_deflater(hm_git *g, deflater *d, int failed) {
  pthread_mutex_lock(&g->lock_put);
  d->next = g->idle;
  g->idle = d;
  if (failed)
    g->deflate_errno = failed;
  pthread_mutex_unlock(&g->lock_put);
}

void hm_git_deflaters_free(hm_git *g) {
  for (deflater *d; (d = g->idle);) {
    g->idle = d->next;
    libdeflate_free_compressor(d->z);
    hm_buf_free(&d->made);
    if (d->file >= 0)
      close(d->file);
    free(d);
  }
}

/* Opens a new file and removes its name; -1 and errno. */
static int create_unnamed(hm_git *g, size_t number) {
  enum { HOW = O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC };
  char name[64];
  int dir = hm_git_open_pack_folder(g);
  if (dir < 0)
    return -1;
  snprintf(name, sizeof name, "tmp_hmirror_deflated_%zu", number);
  int fd = openat(dir, name, HOW, 0600), eno = errno;
  if (fd >= 0)
    unlinkat(dir, name, 0);
  close(dir);
  errno = eno;
  return fd;
}

/* Writes the output to the file, to free memory. -1 and errno. */
static int put_aside(hm_git *g, deflater *d) {
  if (d->file < 0 && (d->file = create_unnamed(g, d->number)) < 0)
    return -1;
  if (hm_fs_write(d->file, hm_buf_view(&d->made)) != 0)
    return -1;
  d->in_file += d->made.n;
  hm_buf_clear(&d->made);
  return 0;
}

/* Appends the object as it stands in a pack; -1 and errno. */
static int append_packed(const hm_git_packed *p, hm_buf *out) {
  const deflater *d = p->of;
  errno = EFBIG;
  if (p->at >= d->in_file) {
    hm_buf_add(out, d->made.p + (p->at - d->in_file), p->n);
    return 0;
  }
  if (!hm_buf_room(out, p->n))
    return -1;
  for (size_t got = 0; got < p->n;) {
    ssize_t n = pread(d->file, out->p + out->n + got, p->n - got, (off_t)(p->at + got));
    if (n < 0 && errno == EINTR)
      continue;
    if (n == 0)
      errno = EIO;
    if (n <= 0)
      return -1;
    got += (size_t)n;
  }
  errno = EIO; /* a disk over a network may tell nobody that it did not write */
  if (libdeflate_crc32(0, out->p + out->n, p->n) != p->crc)
    return -1;
  out->n += p->n;
  return 0;
}

/* Type and size: four bits of the size beside the type, then seven a byte. */
static size_t entry_head(unsigned char out[12], git_object_t type, size_t size) {
  size_t n = 0;
  unsigned char c = (unsigned char)(((unsigned)type << 4) | (size & 15));
  for (size >>= 4; size; size >>= 7) {
    out[n++] = c | 0x80;
    c = size & 0x7f;
  }
  out[n++] = c;
  return n;
}

/* -1 and errno, which is 0 when the object cannot be deflated. */
static int deflate_into(hm_git *g, deflater *d, git_object_t type, hm_str bytes,
                        hm_git_packed *out) {
  unsigned char head[12];
  hm_buf *b = &d->made;
  size_t n = entry_head(head, type, bytes.n),
         bound = n + libdeflate_zlib_compress_bound(d->z, bytes.n);
  if (b->n >= FLUSH_AT && put_aside(g, d) != 0)
    return -1;
  errno = 0;
  if (!d->z || !hm_buf_room(b, bound))
    return -1;
  memcpy(b->p + b->n, head, n);
  size_t z = libdeflate_zlib_compress(d->z, bytes.p, bytes.n, b->p + b->n + n, bound - n);
  if (z == 0)
    return -1;
  *out = (hm_git_packed){ d, d->in_file + b->n, (uint32_t)(n + z),
                          libdeflate_crc32(0, b->p + b->n, n + z) };
  b->n += n + z;
  return 0;
}

/* The same, by any free deflater. After a failed write every call fails, since the deflater's file
 * may end in half an object. */
static int deflate(hm_git *g, git_object_t type, hm_str bytes, hm_git_packed *out) {
  int eno;
  deflater *d = take_deflater(g, &eno);
  int rc = eno ? -1 : deflate_into(g, d, type, bytes, out);
  if (rc && !eno)
    eno = errno;
  return_deflater(g, d, rc ? eno : 0);
  errno = eno;
  return rc;
}

typedef struct {
  hm_git *g;
  hm_git_objects *l;
} packing;

static int deflate_object(void *ctx, size_t i, int worker) {
  packing *p = ctx;
  hm_git_object *o = &p->l->o[i];
  (void)worker;
  return o->packed.n ? 0 : deflate(p->g, o->type, o->bytes, &o->packed);
}

static int fail_deflate(const hm_git *g, int eno, hm_err *err) {
  errno = eno;
  return eno ? hm_fs_fail(err, g->opt->repo, "write a pack")
             : hm_fail(err, HM_E_INTERNAL, g->opt->repo, "cannot compress an object", NULL);
}

int hm_git_put_file(void *git, const hm_file *f, hm_err *err) {
  hm_git *g = git;
  hm_git_put put = { .path = f->path };
  if (git_odb_hash(&put.id, f->bytes.p, f->bytes.n, GIT_OBJECT_BLOB) < 0)
    return hm_git_fail(g, "hash a file", err);
  bool has = g->exists && git_odb_exists_ext(g->odb, &put.id, GIT_ODB_LOOKUP_NO_REFRESH);
  if (!has && deflate(g, GIT_OBJECT_BLOB, f->bytes, &put.packed) != 0)
    return fail_deflate(g, errno, err);
  pthread_mutex_lock(&g->lock_put);
  g->put = hm_array_grow(g->put, g->n_put, &g->cap_put, sizeof *g->put);
  g->put[g->n_put++] = put;
  pthread_mutex_unlock(&g->lock_put);
  return 0;
}

static int put_by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_git_put *)x)->path, ((const hm_git_put *)y)->path);
}

void hm_git_puts_sort(hm_git *g) {
  if (g->n_put)
    qsort(g->put, g->n_put, sizeof *g->put, put_by_path);
}

/* --- the index ------------------------------------------------------------------------ */

static void put32(hm_buf *b, uint32_t v) {
  unsigned char be[4] = { (unsigned char)(v >> 24), (unsigned char)(v >> 16),
                          (unsigned char)(v >> 8), (unsigned char)v };
  hm_buf_add(b, be, 4);
}

/* Offsets of 2 GiB and more stand in a table of their own. */
void hm_git_write_pack_index(const hm_idx_entry *e, size_t n, const unsigned char pack_sum[20],
                             hm_buf *out) {
  enum { LARGE = 0x80000000u };
  hm_sha1 h;
  unsigned char sum[20];
  uint32_t large = 0;
  hm_buf_add(out, "\377tOc\0\0\0\2", 8);
  for (unsigned first = 0, i = 0; first < 256; first++) {
    while (i < n && e[i].id.id[0] <= first)
      i++;
    put32(out, i);
  }
  for (size_t i = 0; i < n; i++)
    hm_buf_add(out, e[i].id.id, GIT_OID_RAWSZ);
  for (size_t i = 0; i < n; i++)
    put32(out, e[i].crc);
  for (size_t i = 0; i < n; i++)
    put32(out, e[i].offset < LARGE ? (uint32_t)e[i].offset : LARGE | large++);
  for (size_t i = 0; large && i < n; i++) {
    if (e[i].offset < LARGE)
      continue;
    put32(out, (uint32_t)(e[i].offset >> 32));
    put32(out, (uint32_t)e[i].offset);
  }
  hm_buf_add(out, pack_sum, 20);
  hm_sha1_init(&h);
  hm_sha1_add(&h, hm_buf_view(out));
  hm_sha1_end(&h, sum);
  hm_buf_add(out, sum, 20);
}

static int entry_by_id(const void *x, const void *y) {
  return git_oid_cmp(&((const hm_idx_entry *)x)->id, &((const hm_idx_entry *)y)->id);
}

/* --- both on their way to the disk ------------------------------------------------------- */

static int create_file(int dir, const char *name) {
  return openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Read-only for all, as git leaves its packs; closed in any case. */
static int seal_file(int fd, bool durable) {
  int rc = fchmod(fd, 0444) == 0 && (!durable || fsync(fd) == 0) ? 0 : -1, eno = errno;
  if (close(fd) != 0 && rc == 0)
    return -1;
  errno = eno;
  return rc;
}

/* Writes the buffer, and starts writing it to disk early. */
static int flush(int fd, hm_buf *b, hm_sha1 *h, bool durable) {
  if (h)
    hm_sha1_add(h, hm_buf_view(b));
  if (b->failed || hm_fs_write(fd, hm_buf_view(b)) != 0)
    return -1;
  if (durable && b->n >= FLUSH_AT)
    sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);
  hm_buf_clear(b);
  return 0;
}

/* Writes the last object first: the commit was added last, and git's packs begin with it. Fills the
 * entries of the index. */
static int write_pack(int fd, const hm_git_objects *l, bool durable, hm_idx_entry *e,
                      git_oid *sum) {
  size_t n = l->n;
  uint64_t at = HEAD_BYTES;
  hm_buf b = { 0 };
  hm_sha1 h;
  int rc = 0;
  hm_sha1_init(&h);
  hm_buf_add(&b, "PACK\0\0\0\2", 8);
  put32(&b, (uint32_t)n);
  for (size_t i = n; rc == 0 && i-- > 0;) {
    const hm_git_packed *p = &l->o[i].packed;
    e[i] = (hm_idx_entry){ l->o[i].id, p->crc, at };
    at += p->n;
    rc = append_packed(p, &b);
    if (rc == 0 && (b.n >= FLUSH_AT || b.failed))
      rc = flush(fd, &b, &h, durable);
  }
  if (rc == 0)
    rc = flush(fd, &b, &h, false);
  hm_sha1_end(&h, sum->id);
  hm_buf_add(&b, sum->id, GIT_OID_RAWSZ);
  if (rc == 0)
    rc = flush(fd, &b, NULL, false);
  hm_buf_free(&b);
  if (n)
    qsort(e, n, sizeof *e, entry_by_id);
  return rc;
}

/* Writes both files before it syncs either. name: "pack-<sum>". -1 and errno. */
static int write_files(const hm_git_objects *l, int dir, bool durable, char *name) {
  hm_idx_entry *e = hm_xmalloc((l->n + 1) * sizeof *e);
  hm_buf b = { 0 };
  git_oid sum;
  char hex[GIT_OID_HEXSZ + 1];
  int rc = -1, eno, pack = create_file(dir, new_pack), idx = create_file(dir, new_idx);
  if (pack < 0 || idx < 0 || write_pack(pack, l, durable, e, &sum) != 0)
    goto out;
  snprintf(name, HM_PACK_NAME, "pack-%s", git_oid_tostr(hex, sizeof hex, &sum));
  hm_git_write_pack_index(e, l->n, sum.id, &b);
  errno = EFBIG;
  if (flush(idx, &b, NULL, false) != 0)
    goto out;
  rc = seal_file(pack, durable);
  pack = -1;
  if (rc == 0)
    rc = seal_file(idx, durable), idx = -1;
out:
  eno = errno;
  if (pack >= 0)
    close(pack);
  if (idx >= 0)
    close(idx);
  hm_buf_free(&b);
  free(e);
  errno = eno;
  return rc;
}

static void list_pack(hm_git *g, const char *name) {
  char line[HM_PACK_NAME + 1];
  int n = snprintf(line, sizeof line, "%s\n", name);
  int fd = openat(g->dir, HM_GIT_PACK_LIST,
                  O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
  if (fd < 0)
    return; /* it is never gathered, then */
  hm_fs_write(fd, (hm_str){ line, (size_t)n });
  close(fd);
}

/* Gives both files their names. The list of packs names the pack first, so that one that a kill
 * leaves without its index is known to be ours. */
static int link_pack_files(hm_git *g, int dir, const char *name) {
  char pack[HM_PACK_NAME + 8], idx[HM_PACK_NAME + 8];
  snprintf(pack, sizeof pack, "%s.pack", name);
  snprintf(idx, sizeof idx, "%s.idx", name);
  list_pack(g, name);
  if (renameat(dir, new_pack, dir, pack) != 0)
    return -1;
  if (g->opt->durable && fsync(dir) != 0)
    return -1;
  if (renameat(dir, new_idx, dir, idx) != 0)
    return -1;
  return g->opt->durable ? fsync(dir) : 0;
}

int hm_git_open_pack_folder(hm_git *g) {
  if (mkdirat(g->dir, "objects/pack", 0777) != 0 && errno != EEXIST)
    return -1;
  return openat(g->dir, "objects/pack", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int hm_git_write_pack(hm_git *g, hm_git_objects *l, char *name, hm_err *err) {
  int rc = 0, dir = hm_git_open_pack_folder(g);
  if (dir < 0)
    return hm_fs_fail(err, g->opt->repo, "open objects/pack");
  packing p = { .g = g, .l = l };
  if (hm_par_for(l->n, g->opt->threads, deflate_object, &p, NULL) != 0)
    rc = fail_deflate(g, g->deflate_errno, err);
  else if (write_files(l, dir, g->opt->durable, name) != 0 || link_pack_files(g, dir, name) != 0) {
    rc = hm_fs_fail(err, g->opt->repo, "write a pack");
    unlinkat(dir, new_pack, 0);
    unlinkat(dir, new_idx, 0);
  } else if (git_odb_refresh(g->odb) < 0)
    rc = hm_git_fail(g, "read the new pack", err);
  close(dir);
  return rc;
}
