/* The new objects of one publication, and the pack that takes them.
 *
 * Each object is deflated whole, files as they are rendered and on all cores; none is a delta. The
 * output waits for the pack in an unnamed file, since it may not fit in memory. libgit2's indexer
 * inflates and hashes every object again, so a damaged one is an error; it syncs pack and index
 * before either gets its name. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <git2/odb_backend.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/digest.h"
#include "gen/sink/git_impl.h"

/* LEVEL: measured over pages of a mirror, 1 is twice as fast as 6 and gives 2% more bytes. */
enum { LEVEL = 1, CHUNK = 1 << 20 };

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

/* --- deflated ----------------------------------------------------------------------- */

/* Appends the object as it stands in a pack: type and size, four bits of the size beside the type,
 * then seven a byte; then the deflated bytes. -1 and errno. */
static int append_deflated(git_object_t type, hm_str bytes, hm_buf *out) {
  unsigned char c = (unsigned char)(((unsigned)type << 4) | (bytes.n & 15));
  for (size_t size = bytes.n >> 4; size; size >>= 7) {
    hm_buf_ch(out, (char)(c | 0x80));
    c = size & 0x7f;
  }
  hm_buf_ch(out, (char)c);
  struct libdeflate_compressor *z = libdeflate_alloc_compressor(LEVEL);
  errno = ENOMEM;
  if (!z)
    return -1;
  size_t n = 0, most = libdeflate_zlib_compress_bound(z, bytes.n);
  if (hm_buf_room(out, most))
    n = libdeflate_zlib_compress(z, bytes.p, bytes.n, out->p + out->n, most);
  libdeflate_free_compressor(z);
  out->n += n;
  errno = EFBIG;
  return n ? 0 : -1;
}

/* Opens the file in which deflated objects wait, and removes its name. Call it under lock_put. */
static int open_waiting(hm_git *g) {
  static const char name[] = "hmirror.waiting";
  if (g->waiting >= 0)
    return 0;
  g->waiting = openat(g->dir, name, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  return g->waiting < 0 ? -1 : unlinkat(g->dir, name, 0);
}

/* Writes a deflated object behind the others that wait. From any thread; -1 and errno. */
static int keep_waiting(hm_git *g, hm_str deflated, hm_git_packed *out) {
  pthread_mutex_lock(&g->lock_put);
  int rc = open_waiting(g);
  *out = (hm_git_packed){ g->waiting_bytes, deflated.n };
  g->waiting_bytes += deflated.n;
  pthread_mutex_unlock(&g->lock_put);
  for (size_t done = 0; rc == 0 && done < deflated.n;) {
    ssize_t n = pwrite(g->waiting, deflated.p + done, deflated.n - done, (off_t)(out->at + done));
    if (n >= 0)
      done += (size_t)n;
    else if (errno != EINTR)
      rc = -1;
  }
  return rc;
}

/* Appends an object that waits; -1 and errno. */
static int append_waiting(const hm_git *g, const hm_git_packed *p, hm_buf *out) {
  errno = EFBIG;
  if (!hm_buf_room(out, p->n))
    return -1;
  for (size_t done = 0; done < p->n;) {
    ssize_t n = pread(g->waiting, out->p + out->n, p->n - done, (off_t)(p->at + done));
    if (n < 0 && errno == EINTR)
      continue;
    if (n == 0)
      errno = EIO;
    if (n <= 0)
      return -1;
    done += (size_t)n;
    out->n += (size_t)n;
  }
  return 0;
}

int hm_git_put_file(void *git, const hm_file *f, hm_err *err) {
  hm_git *g = git;
  hm_git_put put = { .path = f->path };
  hm_buf b = { 0 };
  int rc = 0;
  if (git_odb_hash(&put.id, f->bytes.p, f->bytes.n, GIT_OBJECT_BLOB) < 0)
    return hm_git_fail(g, "hash a file", err);
  if (!g->exists || !git_odb_exists_ext(g->odb, &put.id, GIT_ODB_LOOKUP_NO_REFRESH)) {
    rc = append_deflated(GIT_OBJECT_BLOB, f->bytes, &b);
    if (rc == 0)
      rc = keep_waiting(g, hm_buf_view(&b), &put.packed);
  }
  if (rc != 0)
    hm_fs_fail(err, g->opt->repo, "write a pack");
  hm_buf_free(&b);
  pthread_mutex_lock(&g->lock_put);
  g->put = hm_array_grow(g->put, g->n_put, &g->cap_put, sizeof *g->put);
  if (rc == 0)
    g->put[g->n_put++] = put;
  pthread_mutex_unlock(&g->lock_put);
  return rc;
}

/* --- the pack ------------------------------------------------------------------------- */

typedef struct {
  hm_git *g;
  git_odb_writepack *to;
  git_indexer_progress done;
  hm_buf b;
  hm_sha1 sum;
  hm_err *err;
} packing;

static int pass_on(packing *p) {
  hm_sha1_add(&p->sum, hm_buf_view(&p->b));
  int rc = p->to->append(p->to, p->b.p, p->b.n, &p->done);
  hm_buf_clear(&p->b);
  return rc < 0 ? hm_git_fail(p->g, "write a pack", p->err) : 0;
}

/* The last object first: the commit was added last, and git's packs begin with it. */
static int pass_objects(packing *p, const hm_git_objects *l) {
  for (size_t i = l->n; i-- > 0;) {
    const hm_git_object *o = &l->o[i];
    int rc = o->packed.n ? append_waiting(p->g, &o->packed, &p->b)
                         : append_deflated(o->type, o->bytes, &p->b);
    if (rc != 0)
      return hm_fs_fail(p->err, p->g->opt->repo, "write a pack");
    if (p->b.n >= CHUNK && pass_on(p) != 0)
      return -1;
  }
  return 0;
}

int hm_git_write_pack(hm_git *g, const hm_git_objects *l, hm_err *err) {
  packing p = { .g = g, .err = err };
  unsigned char sum[GIT_OID_RAWSZ];
  const unsigned char n[] = { (unsigned char)(l->n >> 24), (unsigned char)(l->n >> 16),
                              (unsigned char)(l->n >> 8), (unsigned char)l->n };
  /* Asked first: libgit2 loses memory when it cannot make the file. */
  if (faccessat(g->dir, "objects/pack", W_OK, AT_EACCESS) != 0 && errno != ENOENT)
    return hm_fs_fail(err, g->opt->repo, "write a pack");
  if (git_odb_write_pack(&p.to, g->odb, NULL, NULL) < 0)
    return hm_git_fail(g, "write a pack", err);
  hm_sha1_init(&p.sum);
  hm_buf_add(&p.b, "PACK\0\0\0\2", 8);
  hm_buf_add(&p.b, n, sizeof n);
  int rc = pass_objects(&p, l);
  if (rc == 0)
    rc = pass_on(&p);
  hm_sha1_end(&p.sum, sum);
  if (rc == 0 &&
      (p.to->append(p.to, sum, sizeof sum, &p.done) < 0 || p.to->commit(p.to, &p.done) < 0))
    rc = hm_git_fail(g, "write a pack", err);
  p.to->free(p.to);
  hm_buf_free(&p.b);
  return rc;
}

size_t hm_git_count_packs(const hm_git *g) {
  size_t packs = 0;
  int fd = openat(g->dir, "objects/pack", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *d = fd < 0 ? NULL : fdopendir(fd);
  for (struct dirent *e; d && (e = readdir(d));)
    packs += hm_str_ends(hm_str_c(e->d_name), ".pack");
  if (d)
    closedir(d);
  else if (fd >= 0)
    close(fd);
  return packs;
}
