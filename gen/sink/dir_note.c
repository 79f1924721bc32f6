/* What stat says of our files, noted when they stand as they must, so that the next build need not
 * read those of which it says the same. Whoever changes a file cannot keep its ctime, unless by
 * setting the clock back. */
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/par.h"
#include "gen/sink/dir_impl.h"

enum { TICK_MS = 1, TICKS_MAX = 20 };

typedef struct { uint64_t dev, ino, size; int64_t mtime, ctime; } stamp;

static int64_t ns(struct timespec t) { return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec; }

static stamp stamp_of(const struct stat *st) {
  return (stamp){ (uint64_t)st->st_dev, (uint64_t)st->st_ino, (uint64_t)st->st_size,
                  ns(st->st_mtim), ns(st->st_ctim) };
}

/* File times are taken from the coarse one, or, since Linux 6.13, from the other where that tells
 * more. */
static int64_t clock_of(clockid_t id) {
  struct timespec t = { 0 };
  clock_gettime(id, &t);
  return ns(t);
}

static bool same(const stamp *x, const stamp *y) {
  return x->dev == y->dev && x->ino == y->ino && x->size == y->size && x->mtime == y->mtime &&
      x->ctime == y->ctime;
}

static bool next(hm_str *note, hm_str *path, stamp *s) {
  uint32_t n;
  if (note->n < sizeof n) return false;
  memcpy(&n, note->p, sizeof n);
  if (note->n - sizeof n < n || note->n - sizeof n - n < sizeof *s) return false;
  *path = (hm_str){ note->p + sizeof n, n };
  memcpy(s, path->p + n, sizeof *s);
  *note = hm_str_sub(*note, sizeof n + n + sizeof *s, note->n);
  return true;
}

/* Both are sorted by path. */
void hm_dir_note_compare(hm_dir_scan *scan, hm_str note) {
  hm_str path;
  stamp s;
  for (size_t i = 0; next(&note, &path, &s);) {
    while (i < scan->n && hm_str_cmp(scan->e[i].path, path) < 0) i++;
    if (i == scan->n) return;
    stamp now = stamp_of(&scan->e[i].st);
    scan->e[i].noted = hm_str_eq(scan->e[i].path, path) && same(&s, &now);
  }
}

static void put(hm_buf *out, hm_str path, const struct stat *st) {
  stamp s = stamp_of(st);
  uint32_t n = (uint32_t)path.n;
  hm_buf_add(out, &n, sizeof n);
  hm_buf_str(out, path);
  hm_buf_add(out, &s, sizeof s);
}

/* A file whose time is this very moment's could be changed once more without a trace in its times:
 * that moment has to pass. The coarse clock of a machine that slept may go on and still be behind
 * what files have. */
static int64_t a_moment_later(void) {
  int64_t began = clock_of(CLOCK_REALTIME);
  for (int i = 0; i < TICKS_MAX && clock_of(CLOCK_REALTIME_COARSE) <= began; i++)
    hm_pause_ms(TICK_MS);
  return clock_of(CLOCK_REALTIME_COARSE);
}

/* The file that was looked at, or written, and not another. */
static bool is_what_it_was(const hm_dir *d, const struct stat *st, const hm_file *f) {
  if (!S_ISREG(st->st_mode) || (uint64_t)st->st_size != f->bytes.n) return false;
  uint32_t at = hm_map_get(&d->old_at, f->path);
  const hm_dir_entry *was = at == HM_MAP_NONE ? NULL : &d->old.e[at];
  if (!was || was->st.st_ino != st->st_ino) return true;
  return ns(was->st.st_mtim) == ns(st->st_mtim) &&
      (d->swapped || ns(was->st.st_ctim) == ns(st->st_ctim));
}

typedef struct { int root; const hm_site *s; struct stat *st; } looking;

/* One that is gone, or no longer to be reached, is not noted. */
static int look_at(void *ctx, size_t i, int worker) {
  const looking *l = ctx;
  char path[PATH_MAX];
  hm_str p = l->s->files[i].path;
  (void)worker;
  memcpy(path, p.p, p.n);
  path[p.n] = 0;
  if (fstatat(l->root, path, &l->st[i], AT_SYMLINK_NOFOLLOW) != 0) l->st[i].st_mode = 0;
  return 0;
}

int hm_dir_note(hm_dir *d, const hm_site *s, hm_buf *out, hm_err *err) {
  int64_t moment = a_moment_later();
  int root =
      openat(d->target.parent, d->target.base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (root < 0) return hm_fs_fail(err, d->path, "open the folder");
  looking l = { root, s, hm_alloc_array(d->a, s->n, sizeof *l.st) };
  hm_par_for(s->n, d->opt.threads, look_at, &l, NULL);
  close(root);
  for (size_t i = 0; i < s->n; i++)
    if (is_what_it_was(d, &l.st[i], &s->files[i]) && ns(l.st[i].st_ctim) < moment)
      put(out, s->files[i].path, &l.st[i]);
  return 0;
}
