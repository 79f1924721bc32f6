/* Makes the new tree: writes files as they are put, and what the plan still lacks at the end; syncs
 * many to disk meanwhile. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/par.h"
#include "gen/sink/dir_impl.h"

/* SYNC_BYTES: creating files waits while the file system writes its journal, so sync seldom. */
enum { SYNC_BYTES = 32 << 20, SYNC_EACH_BELOW = 64, COPY_BLOCK = 64 * 1024 };

/* Closes fd and preserves errno of an earlier failure. */
static int close_with(int fd, int rc) {
  int eno = errno;
  if (close(fd) != 0 && rc == 0)
    return -1;
  errno = eno;
  return rc;
}

/* hm_fs_fail of a path in the folder. */
static int fail_at(const hm_dir *d, hm_str path, const char *verb, hm_err *err) {
  char what[2 * PATH_MAX];
  int eno = errno;
  snprintf(what, sizeof what, "%s/%.*s", d->target.real, HM_FMT(path));
  errno = eno;
  return hm_fs_fail(err, what, verb);
}

/* path as a C string in z[PATH_MAX]; -1 and errno when it is too long. */
static int copy_path(hm_str path, char *z) {
  errno = ENAMETOOLONG;
  if (path.n >= PATH_MAX)
    return -1;
  memcpy(z, path.p, path.n);
  z[path.n] = 0;
  return 0;
}

/* --- to the disk --------------------------------------------------------------------- */

static void *sync_in_background(void *arg) {
  hm_dir *d = arg;
  hm_dir_sync *s = &d->sync;
  pthread_mutex_lock(&s->lock);
  for (;;) {
    while (!s->stop && atomic_load(&s->bytes) < SYNC_BYTES)
      pthread_cond_wait(&s->more, &s->lock);
    if (s->stop)
      break;
    atomic_store(&s->bytes, 0);
    pthread_mutex_unlock(&s->lock);
    int eno = syncfs(atomic_load(&d->tree)) == 0 ? 0 : errno;
    pthread_mutex_lock(&s->lock);
    if (!s->eno)
      s->eno = eno; /* the kernel reports a failure only once, so it is stored */
  }
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

static void sync_signal(hm_dir_sync *s) {
  pthread_mutex_lock(&s->lock);
  pthread_cond_signal(&s->more);
  pthread_mutex_unlock(&s->lock);
}

int hm_dir_sync_stop(hm_dir_sync *s) {
  if (!s->running)
    return 0;
  pthread_mutex_lock(&s->lock);
  s->stop = true;
  pthread_mutex_unlock(&s->lock);
  sync_signal(s);
  pthread_join(s->thread, NULL);
  pthread_cond_destroy(&s->more);
  pthread_mutex_destroy(&s->lock);
  s->running = false;
  errno = s->eno;
  return s->eno ? -1 : 0;
}

/* --- the tree ------------------------------------------------------------------------ */

/* Makes the tree's folder and checks its mode: an access list or an inherited group affects
 * everything in it alike. */
static int make_tree(hm_dir *d, hm_err *err) {
  const hm_dir_target *to = &d->target;
  struct stat st;
  if (mkdirat(to->parent, to->temp, d->folder_mode) != 0)
    return hm_fs_fail(err, to->real, "make a folder beside it");
  int fd = openat(to->parent, to->temp, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return hm_fs_fail(err, to->real, "open the new folder");
  int rc = fstat(fd, &st);
  d->plain = rc == 0 && (st.st_mode & 07777) == d->folder_mode;
  if (rc == 0 && !d->plain)
    rc = fchmod(fd, d->folder_mode);
  if (rc == 0)
    return fd;
  hm_fs_fail(err, to->real, "make the new folder");
  close(fd);
  return -1;
}

/* Opens the tree's folder, made at the first call; callable from any thread. -1 with err. */
static int open_tree(hm_dir *d, hm_err *err) {
  int fd = atomic_load(&d->tree);
  if (fd >= 0)
    return fd;
  pthread_mutex_lock(&d->lock);
  fd = atomic_load(&d->tree);
  if (fd < 0) {
    fd = make_tree(d, err);
    if (fd >= 0 && d->opt.durable) {
      hm_dir_sync *s = &d->sync;
      pthread_mutex_init(&s->lock, NULL);
      pthread_cond_init(&s->more, NULL);
      /* Without a thread, everything is synced at the end. */
      s->running = pthread_create(&s->thread, NULL, sync_in_background, d) == 0;
    }
    atomic_store(&d->tree, fd); /* last: who sees the tree writes files into it */
  }
  pthread_mutex_unlock(&d->lock);
  return fd;
}

/* Makes a folder if it does not exist; its parents must. -1 and errno. */
static int make_folder(const hm_dir *d, const char *path) {
  int fd = atomic_load(&d->tree);
  if (mkdirat(fd, path, d->folder_mode) != 0)
    return errno == EEXIST ? 0 : -1;
  return d->plain ? 0 : fchmodat(fd, path, d->folder_mode, 0);
}

/* Mostly all except the last exist. */
static int make_parents(const hm_dir *d, char *path) {
  char *slash = strrchr(path, '/');
  if (!slash)
    return 0;
  *slash = 0;
  int rc = make_folder(d, path);
  if (rc != 0 && errno == ENOENT && make_parents(d, path) == 0)
    rc = make_folder(d, path);
  *slash = '/';
  return rc;
}

/* Creates the file first, since the folder nearly always exists. Returns -1 and errno without
 * leaving a file. */
static int write_file(hm_dir *d, hm_str path, hm_str bytes, bool sync) {
  enum { HOW = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC };
  char z[PATH_MAX];
  int root = atomic_load(&d->tree);
  if (copy_path(path, z) != 0)
    return -1;
  int fd = hm_fs_open_at(root, z, HOW, d->file_mode);
  if (fd < 0 && errno == ENOENT && make_parents(d, z) == 0)
    fd = hm_fs_open_at(root, z, HOW, d->file_mode);
  if (fd < 0)
    return -1;
  int rc = hm_fs_write(fd, bytes);
  if (rc == 0 && !d->plain)
    rc = fchmod(fd, d->file_mode);
  if (rc == 0 && sync)
    rc = fsync(fd);
  rc = close_with(fd, rc);
  int eno = errno;
  if (rc != 0)
    unlinkat(root, z, 0);
  else if (d->sync.running && atomic_fetch_add(&d->sync.bytes, bytes.n) + bytes.n >= SYNC_BYTES)
    sync_signal(&d->sync);
  errno = eno;
  return rc;
}

int hm_dir_write(hm_dir *d, hm_str path, hm_str bytes, hm_err *err) {
  if (open_tree(d, err) < 0)
    return -1;
  return write_file(d, path, bytes, false) == 0 ? 0 : fail_at(d, path, "write the file", err);
}

/* --- what comes from the old tree ------------------------------------------------------- */

static bool cannot_link(int eno) {
  return eno == EXDEV || eno == EPERM || eno == EMLINK || eno == EOPNOTSUPP || eno == ENOSYS ||
      eno == EACCES;
}

static int copy_bytes(int from, int to) {
  char block[COPY_BLOCK];
  for (;;) {
    ssize_t n = read(from, block, sizeof block);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return (int)n;
    if (hm_fs_write(to, (hm_str){ block, (size_t)n }) != 0)
      return -1;
  }
}

typedef struct {
  int from, to;
  char name[NAME_MAX + 1];
} place; /* the job's folder in the old and the new tree */

static int copy_regular(const place *at, const struct stat *st) {
  int from = openat(at->from, at->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (from < 0)
    return -1;
  int rc = -1,
      to = openat(at->to, at->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (to < 0)
    goto out;
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
  if (n < 0)
    return -1;
  target[n] = 0;
  return symlinkat(target, at->to, at->name);
}

static int link_file(const place *at) { return linkat(at->from, at->name, at->to, at->name, 0); }

/* Carries a foreign file by a hard link, so that a program that has it open still writes to it. */
static int carry_file(const place *at, const struct stat *st) {
  if (link_file(at) == 0 || errno == ENOENT)
    return 0; /* ENOENT: its owner has just removed it */
  if (!cannot_link(errno))
    return -1;
  if (S_ISREG(st->st_mode))
    return copy_regular(at, st);
  if (S_ISLNK(st->st_mode))
    return copy_symlink(at);
  return -1;
}

typedef struct {
  hm_dir *d;
  hm_dir_plan *p;
  bool sync_each;
} filling;

static int sync_file(const hm_dir *d, hm_str path) {
  char z[PATH_MAX];
  if (copy_path(path, z) != 0)
    return -1;
  int fd = hm_fs_open_at(atomic_load(&d->tree), z, O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0);
  return fd < 0 ? -1 : close_with(fd, fsync(fd));
}

static int run_job(const filling *f, place *at, const hm_dir_job *j) {
  size_t skip = j->dir.n ? j->dir.n + 1 : 0, n = j->path.n - skip;
  errno = ENAMETOOLONG;
  if (n > NAME_MAX)
    return -1;
  memcpy(at->name, j->path.p + skip, n);
  at->name[n] = 0;
  switch (j->action) {
    case HM_DIR_WRITE:
      return write_file(f->d, j->path, j->file->bytes, f->sync_each);
    case HM_DIR_LINK: /* on a file system without links, a copy with its time */
      if (link_file(at) == 0)
        return 0;
      return cannot_link(errno) ? copy_regular(at, &j->old->st) : -1;
    case HM_DIR_CARRY:
      return carry_file(at, &j->old->st);
    case HM_DIR_THERE:
      return f->sync_each ? sync_file(f->d, j->path) : 0;
  }
  return 0;
}

static bool is_manifest(const hm_dir_job *j) { return hm_str_is(j->path, "manifest.json"); }

static int set_batch_error(hm_dir_batch *b, const hm_dir_job *j, const char *verb) {
  *b = (hm_dir_batch){ b->from, b->to, errno, verb, j->path };
  return -1;
}

/* The manifest comes last: a tree without it is unfinished. */
static int fill_jobs(filling *f, hm_dir_batch *b, bool manifest) {
  static const char *const verbs[] = { "write the file", "link the file",
                                       "take somebody's file along", "bring the file to the disk" };
  const hm_dir_job *jobs = f->p->jobs, *first = &jobs[b->from];
  place at = { .from = -1, .to = -1 };
  bool needs_old = false;
  int rc = 0;
  for (size_t k = b->from; k < b->to; k++)
    needs_old |= jobs[k].action == HM_DIR_LINK || jobs[k].action == HM_DIR_CARRY;
  if (needs_old) {
    if ((at.to = hm_fs_open_folder_at(atomic_load(&f->d->tree), first->dir)) < 0)
      return set_batch_error(b, first, "open the new folder of");
    if ((at.from = hm_fs_open_folder_at(f->d->target.old, first->dir)) < 0)
      rc = set_batch_error(b, first, "open the folder of");
  }
  for (size_t k = b->from; rc == 0 && k < b->to; k++)
    if (is_manifest(&jobs[k]) == manifest && run_job(f, &at, &jobs[k]) != 0)
      rc = set_batch_error(b, &jobs[k], verbs[jobs[k].action]);
  if (at.from >= 0)
    close(at.from);
  if (at.to >= 0)
    close(at.to);
  return rc;
}

static int fill_batch(void *ctx, size_t i, int worker) {
  filling *f = ctx;
  (void)worker;
  return fill_jobs(f, &f->p->batches[i], false);
}

/* Restores modes and times of foreign folders, deepest first, since making a child changes its
 * parent's time. */
static void restore_foreign_dirs(const filling *f) {
  for (size_t i = f->p->n_foreign_dirs; i-- > 0;) {
    const hm_dir_entry *e = f->p->foreign_dirs[i];
    struct timespec times[2] = { e->st.st_atim, e->st.st_mtim };
    int fd = hm_fs_open_folder_at(atomic_load(&f->d->tree), e->path);
    if (fd < 0)
      continue;
    /* a new folder that lacks some of it is still a good copy */
    if (fchmod(fd, e->st.st_mode & 07777) != 0 || futimens(fd, times) != 0)
      errno = 0;
    close(fd);
  }
}

/* For many files, one syncfs is far cheaper than an fsync for each. */
static int sync_all(const filling *f, hm_err *err) {
  const char *shown = f->d->target.real;
  int tree = atomic_load(&f->d->tree);
  if (hm_dir_sync_stop(&f->d->sync) != 0 || (!f->sync_each && syncfs(tree) != 0))
    return hm_fs_fail(err, shown, "bring the files to the disk");
  for (size_t i = 0; f->sync_each && i < f->p->n_dirs; i++) {
    int fd = hm_fs_open_folder_at(tree, f->p->dirs[i]);
    if (fd < 0 || close_with(fd, fsync(fd)) != 0)
      return hm_fs_fail(err, shown, "bring a folder to the disk");
  }
  if (f->sync_each && fsync(tree) != 0)
    return hm_fs_fail(err, shown, "bring the folder to the disk");
  return 0;
}

int hm_dir_fill(hm_dir *d, hm_dir_plan *p, hm_err *err) {
  filling f = { d, p, d->opt.durable && p->counts.written + p->n_dirs < SYNC_EACH_BELOW };
  hm_dir_batch *bad = NULL;
  size_t failed;
  char z[PATH_MAX];
  if (open_tree(d, err) < 0)
    return -1;
  for (size_t i = 0; i < p->n_dirs; i++) {
    if (copy_path(p->dirs[i], z) != 0)
      return hm_fs_fail(err, d->target.real, "make a folder");
    if (make_folder(d, z) != 0)
      return hm_fs_fail(err, z, "make the folder");
  }
  if (hm_par_for(p->n_batches, d->opt.threads, fill_batch, &f, &failed) != 0)
    bad = &p->batches[failed];
  for (size_t i = 0; !bad && i < p->n_batches; i++)
    for (size_t k = p->batches[i].from; !bad && k < p->batches[i].to; k++)
      if (is_manifest(&p->jobs[k]) && fill_jobs(&f, &p->batches[i], true) != 0)
        bad = &p->batches[i];
  if (bad) {
    errno = bad->eno;
    return fail_at(d, bad->path, bad->verb, err);
  }
  restore_foreign_dirs(&f);
  return d->opt.durable ? sync_all(&f, err) : 0;
}
