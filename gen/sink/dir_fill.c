#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/par.h"
#include "gen/sink/dir_impl.h"

enum { SYNC_EACH_BELOW = 64, COPY_BLOCK = 64 * 1024 };

typedef struct { hm_dir_plan *p; int old; hm_dir_tree *tree; bool sync_each; } filling;
typedef struct {
  int from, to;
  char name[NAME_MAX + 1];
} place; /* the job's folder in the old and the new tree */

/* Closes fd and keeps the errno of what went before. */
static int close_with(int fd, int rc) {
  int eno = errno;
  if (close(fd) != 0 && rc == 0) return -1;
  errno = eno;
  return rc;
}

static bool cannot_link(int eno) {
  return eno == EXDEV || eno == EPERM || eno == EMLINK || eno == EOPNOTSUPP || eno == ENOSYS ||
      eno == EACCES;
}

static int copy_bytes(int from, int to) {
  char block[COPY_BLOCK];
  for (;;) {
    ssize_t n = read(from, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return (int)n;
    if (hm_fs_write(to, (hm_str){ block, (size_t)n }) != 0) return -1;
  }
}

static int copy_regular(const place *at, const struct stat *st) {
  int from = openat(at->from, at->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (from < 0) return -1;
  int rc = -1,
      to = openat(at->to, at->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (to < 0) goto out;
  struct timespec times[2] = { st->st_atim, st->st_mtim };
  if (copy_bytes(from, to) == 0 && fchmod(to, st->st_mode & 0777) == 0 && futimens(to, times) == 0)
    rc = 0;
  rc = close_with(to, rc);
out:
  return close_with(from, rc);
}

static int copy_symlink(const place *at) {
  char target[PATH_MAX];
  ssize_t n = readlinkat(at->from, at->name, target, sizeof target - 1);
  if (n < 0) return -1;
  target[n] = 0;
  return symlinkat(target, at->to, at->name);
}

static int link_file(const place *at) { return linkat(at->from, at->name, at->to, at->name, 0); }

/* Someone's own file. The link is the file itself, so whoever has it open goes on writing to it. */
static int carry(const place *at, const struct stat *st) {
  if (link_file(at) == 0 || errno == ENOENT) return 0;   /* ENOENT: its owner has just removed it */
  if (!cannot_link(errno)) return -1;
  if (S_ISREG(st->st_mode)) return copy_regular(at, st);
  if (S_ISLNK(st->st_mode)) return copy_symlink(at);
  return -1;
}

/* A file of ours that did not change; on a file system without links a copy with the old time. */
static int keep(const place *at, const hm_dir_job *j) {
  if (link_file(at) == 0) return 0;
  return cannot_link(errno) ? copy_regular(at, &j->old->st) : -1;
}

static int run_job(const filling *f, place *at, const hm_dir_job *j) {
  size_t skip = j->dir.n ? j->dir.n + 1 : 0, n = j->path.n - skip;
  if (n > NAME_MAX) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(at->name, j->path.p + skip, n);
  at->name[n] = 0;
  switch (j->action) {
    case HM_DIR_WRITE: return hm_dir_tree_write(f->tree, j->path, j->file->bytes, f->sync_each);
    case HM_DIR_LINK: return keep(at, j);
    case HM_DIR_CARRY: return carry(at, &j->old->st);
    case HM_DIR_THERE: return f->sync_each ? hm_dir_tree_sync(f->tree, j->path) : 0;
  }
  return 0;
}

static bool is_manifest(const hm_dir_job *j) { return hm_str_is(j->path, "manifest.json"); }

static bool takes_from_old(const hm_dir_job *j) {
  return j->action == HM_DIR_LINK || j->action == HM_DIR_CARRY;
}

static bool needs_old(const hm_dir_plan *p, const hm_dir_batch *b) {
  for (size_t k = b->from; k < b->to; k++)
    if (takes_from_old(&p->jobs[k])) return true;
  return false;
}

static const char *const verbs[] = { "write the file", "link the file",
                                     "take somebody's file along", "bring the file to the disk" };

static int blame(hm_dir_batch *b, const hm_dir_job *j, const char *verb) {
  *b = (hm_dir_batch){ b->from, b->to, errno, verb, j->path };
  return -1;
}

/* The manifest is left for last: a tree without it is one that nobody finished. */
static int fill_jobs(filling *f, hm_dir_batch *b, bool manifest) {
  const hm_dir_job *first = &f->p->jobs[b->from];
  place at = { .from = -1, .to = -1 };
  int rc = 0;
  if (needs_old(f->p, b)) {
    if ((at.to = hm_fs_dir_at(atomic_load(&f->tree->fd), first->dir)) < 0)
      return blame(b, first, "open the new folder of");
    if ((at.from = hm_fs_dir_at(f->old, first->dir)) < 0)
      rc = blame(b, first, "open the folder of");
  }
  for (size_t k = b->from; rc == 0 && k < b->to; k++) {
    const hm_dir_job *j = &f->p->jobs[k];
    if (is_manifest(j) == manifest && run_job(f, &at, j) != 0) rc = blame(b, j, verbs[j->action]);
  }
  if (at.from >= 0) close(at.from);
  if (at.to >= 0) close(at.to);
  return rc;
}

static int fill_batch(void *ctx, size_t i, int worker) {
  filling *f = ctx;
  (void)worker;
  return fill_jobs(f, &f->p->batches[i], false);
}

static int fail_batch(const hm_dir_batch *b, const char *shown, hm_err *err) {
  errno = b->eno;
  return hm_dir_fail_at(shown, b->path, b->verb, err);
}

static int fill_manifest(filling *f, const char *shown, hm_err *err) {
  for (size_t i = 0; i < f->p->n_batches; i++) {
    hm_dir_batch *b = &f->p->batches[i];
    for (size_t k = b->from; k < b->to; k++)
      if (is_manifest(&f->p->jobs[k]))
        return fill_jobs(f, b, true) == 0 ? 0 : fail_batch(b, shown, err);
  }
  return 0;
}

static int make_dirs(const filling *f, const char *shown, hm_err *err) {
  char z[PATH_MAX];
  for (size_t i = 0; i < f->p->n_dirs; i++) {
    hm_str d = f->p->dirs[i];
    errno = ENAMETOOLONG;
    if (d.n >= sizeof z) return hm_fs_fail(err, shown, "make a folder");
    memcpy(z, d.p, d.n);
    z[d.n] = 0;
    if (hm_dir_tree_mkdir(f->tree, z) != 0) return hm_fs_fail(err, z, "make the folder");
  }
  return 0;
}

/* Somebody's folder looks as it did. Deepest first, since making a child changes its parent's time.
 */
static void dress_foreign_dirs(const filling *f) {
  for (size_t i = f->p->n_foreign_dirs; i-- > 0;) {
    const hm_dir_entry *e = f->p->foreign_dirs[i];
    struct timespec times[2] = { e->st.st_atim, e->st.st_mtim };
    int fd = hm_fs_dir_at(atomic_load(&f->tree->fd), e->path);
    if (fd < 0) continue;
    /* a new folder that lacks some of it is still a good copy */
    if (fchmod(fd, e->st.st_mode & 07777) != 0 || futimens(fd, times) != 0) errno = 0;
    close(fd);
  }
}

/* Many files: one call for the whole file system is far cheaper than one for each of them. */
static int sync_all(const filling *f, const char *shown, hm_err *err) {
  int temp = atomic_load(&f->tree->fd);
  if (hm_dir_pump_stop(&f->tree->pump) != 0)
    return hm_fs_fail(err, shown, "bring the files to the disk");
  if (!f->sync_each)
    return syncfs(temp) == 0 ? 0 : hm_fs_fail(err, shown, "bring the files to the disk");
  for (size_t i = 0; i < f->p->n_dirs; i++) {
    int fd = hm_fs_dir_at(atomic_load(&f->tree->fd), f->p->dirs[i]);
    int rc = fd < 0 ? -1 : close_with(fd, fsync(fd));
    if (rc != 0) return hm_fs_fail(err, shown, "bring a folder to the disk");
  }
  return fsync(temp) == 0 ? 0 : hm_fs_fail(err, shown, "bring the folder to the disk");
}

int hm_dir_fill(hm_dir_plan *p, int old, hm_dir_tree *tree, const char *shown, bool durable,
                int threads, hm_err *err) {
  filling f = { .p = p,
                .old = old,
                .tree = tree,
                .sync_each = durable && p->counts.written + p->n_dirs < SYNC_EACH_BELOW };
  size_t bad = 0;
  if (make_dirs(&f, shown, err) != 0) return -1;
  if (hm_par_for(p->n_batches, threads, fill_batch, &f, &bad) != 0)
    return fail_batch(&p->batches[bad], shown, err);
  if (fill_manifest(&f, shown, err) != 0) return -1;
  dress_foreign_dirs(&f);
  return durable ? sync_all(&f, shown, err) : 0;
}
