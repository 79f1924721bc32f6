/* Scans the folder, and plans how to make it hold the site.
 *
 * The scan: the folder's tree, which files are ours, and which are unchanged since the note. The
 * manifest in the folder names our files. The note holds the stat result of each correct file of
 * ours, so the next build need not read files with the same stat result. No program can change a
 * file and keep its ctime without setting the clock back.
 *
 * The plan: each of the site's files is written, linked from the old tree, or there already; each
 * foreign file is carried along, if it is not in the place of one of ours. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "core/base/par.h"
#include "gen/sink/dir_impl.h"
#include "gen/site/manifest.h"

/* --- the tree ---------------------------------------------------------------------- */

typedef struct {
  hm_dir_entry *e;
  size_t n, cap;
  const char *shown;
  hm_arena *a;
  hm_err *err;
} scan;

static int scan_dir(scan *s, int dir, hm_str path, int depth);

static int scan_entry(scan *s, int dir, hm_str under, const char *name, int depth) {
  struct stat st;
  if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT)
      return 0; /* gone while we looked */
    return hm_fs_fail(s->err, s->shown, "look at its files");
  }
  hm_str path =
      under.n ? hm_str_fmt(s->a, "%.*s/%s", HM_FMT(under), name) : hm_str_dup(s->a, hm_str_c(name));
  s->e = hm_array_grow(s->e, s->n, &s->cap, sizeof *s->e);
  s->e[s->n++] = (hm_dir_entry){ .path = path, .st = st };
  if (!S_ISDIR(st.st_mode))
    return 0;
  int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return hm_fs_fail(s->err, path.p, "open the folder");
  return scan_dir(s, fd, path, depth + 1);
}

/* Takes ownership of dir. */
static int scan_dir(scan *s, int dir, hm_str path, int depth) {
  if (depth > HM_FS_DEPTH) {
    close(dir);
    return hm_fail(s->err, HM_E_OUTPUT, s->shown, "it holds folders nested too deep",
                   "choose another folder for the output");
  }
  DIR *d = fdopendir(dir);
  if (!d) {
    hm_fs_fail(s->err, s->shown, "read the folder");
    close(dir);
    return -1;
  }
  int rc = 0;
  while (rc == 0) {
    errno = 0;
    struct dirent *e = readdir(d);
    if (!e && errno)
      rc = hm_fs_fail(s->err, s->shown, "read the folder"); /* what was not seen would be lost */
    if (!e)
      break;
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
      rc = scan_entry(s, dir, path, e->d_name, depth);
  }
  closedir(d);
  return rc;
}

int hm_dir_entry_compare(const void *x, const void *y) {
  return hm_str_cmp(((const hm_dir_entry *)x)->path, ((const hm_dir_entry *)y)->path);
}

int hm_dir_scan_tree(int root, const char *shown, hm_arena *a, hm_dir_scan *out, hm_err *err) {
  scan s = { .shown = shown, .a = a, .err = err };
  int rc = -1;
  *out = (hm_dir_scan){ 0 };
  int fd = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    hm_fs_fail(err, shown, "open the folder");
    goto out;
  }
  if (scan_dir(&s, fd, HM_EMPTY, 0) != 0)
    goto out;
  if (s.n)
    qsort(s.e, s.n, sizeof *s.e, hm_dir_entry_compare);
  out->n = s.n;
  out->e = hm_alloc_array(a, s.n, sizeof *s.e);
  if (s.n)
    memcpy(out->e, s.e, s.n * sizeof *s.e);
  rc = 0;
out:
  free(s.e);
  return rc;
}

/* --- what is ours ------------------------------------------------------------------- */

enum { MANIFEST_MAX = 256 << 20 };

static void add_parents(hm_map *m, hm_str path) {
  for (hm_str d = hm_fs_parent(path); d.n && hm_map_get(m, d) == HM_MAP_NONE; d = hm_fs_parent(d))
    hm_map_add(m, d, 1);
}

static void add_ours(hm_dir_manifest *m, hm_str path) {
  if (path.n >= PATH_MAX)
    return;
  hm_map_add(&m->files, path, 1);
  add_parents(&m->dirs, path);
}

/* hm_part_read below the open folder *root. */
static int read_below(void *root, hm_str path, hm_arena *a, hm_str *bytes, hm_err *err) {
  hm_str folder = hm_fs_parent(path);
  int dir = hm_fs_open_folder_at(*(int *)root, folder);
  const char *name = hm_str_z(a, hm_str_sub(path, folder.n ? folder.n + 1 : 0, path.n));
  int rc = dir < 0 ? -1 : hm_fs_read_at(dir, name, MANIFEST_MAX, a, bytes);
  (void)err;
  if (dir >= 0)
    close(dir);
  return rc;
}

/* The manifest is data from outside: its paths are only looked up among those that a scan found,
 * and never opened, except its own parts. */
void hm_dir_manifest_read(int root, hm_arena *a, hm_dir_manifest *m) {
  static const hm_str name = { "manifest.json", sizeof "manifest.json" - 1 };
  hm_manifest all;
  hm_str bytes;
  *m = (hm_dir_manifest){ 0 };
  hm_map_init(&m->files, a, 0);
  hm_map_init(&m->dirs, a, 0);
  hm_map_init(&m->parts, a, 0);
  if (read_below(&root, name, a, &bytes, NULL) != 0 ||
      !hm_manifest_read(bytes, read_below, &root, a, &all) || !hm_str_starts(all.tool, "hmirror "))
    return;
  m->present = true;
  add_ours(m, name);
  for (size_t i = 0; i < all.n; i++)
    add_ours(m, all.rows[i].path);
  for (size_t i = 0; i < all.n_parts; i++) {
    add_ours(m, all.parts[i]);
    hm_map_add(&m->parts, all.parts[i], 1);
  }
}

void hm_dir_mark_ours(hm_dir_scan *s, const hm_dir_manifest *m) {
  for (size_t i = 0; i < s->n; i++) {
    hm_dir_entry *e = &s->e[i];
    e->ours = hm_map_get(S_ISDIR(e->st.st_mode) ? &m->dirs : &m->files, e->path) != HM_MAP_NONE;
  }
}

/* --- the note ----------------------------------------------------------------------- */

enum { TICK_MS = 1, TICKS_MAX = 20 };

typedef struct {
  uint64_t dev, ino, size;
  int64_t mtime, ctime;
} stamp;

static int64_t nanoseconds(struct timespec t) { return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec; }

static stamp stamp_of(const struct stat *st) {
  return (stamp){ (uint64_t)st->st_dev, (uint64_t)st->st_ino, (uint64_t)st->st_size,
                  nanoseconds(st->st_mtim), nanoseconds(st->st_ctim) };
}

/* File times come from the coarse clock, or, since Linux 6.13, from the fine one when needed. */
static int64_t clock_of(clockid_t id) {
  struct timespec t = { 0 };
  clock_gettime(id, &t);
  return nanoseconds(t);
}

static bool next_note(hm_str *note, hm_str *path, stamp *s) {
  uint32_t n;
  if (note->n < sizeof n)
    return false;
  memcpy(&n, note->p, sizeof n);
  if (note->n - sizeof n < n || note->n - sizeof n - n < sizeof *s)
    return false;
  *path = (hm_str){ note->p + sizeof n, n };
  memcpy(s, path->p + n, sizeof *s);
  *note = hm_str_sub(*note, sizeof n + n + sizeof *s, note->n);
  return true;
}

/* Both are sorted by path. */
void hm_dir_note_compare(hm_dir_scan *all, hm_str note) {
  hm_str path;
  stamp s;
  for (size_t i = 0; next_note(&note, &path, &s);) {
    while (i < all->n && hm_str_cmp(all->e[i].path, path) < 0)
      i++;
    if (i == all->n)
      return;
    stamp now = stamp_of(&all->e[i].st);
    all->e[i].noted = hm_str_eq(all->e[i].path, path) && s.dev == now.dev && s.ino == now.ino &&
        s.size == now.size && s.mtime == now.mtime && s.ctime == now.ctime;
  }
}

/* Waits until the clock has passed the files' times: a file could change again within the same tick
 * and keep its times. After a suspend, the coarse clock may be behind the files' times. */
static int64_t wait_a_clock_tick(void) {
  int64_t began = clock_of(CLOCK_REALTIME);
  for (int i = 0; i < TICKS_MAX && clock_of(CLOCK_REALTIME_COARSE) <= began; i++)
    hm_sleep_ms(TICK_MS);
  return clock_of(CLOCK_REALTIME_COARSE);
}

/* True for the file that was compared or written, and not another one. */
static bool is_still_the_file(const hm_dir *d, const struct stat *st, const hm_file *f) {
  if (!S_ISREG(st->st_mode) || (uint64_t)st->st_size != f->bytes.n)
    return false;
  uint32_t at = hm_map_get(&d->old_at, f->path);
  const hm_dir_entry *was = at == HM_MAP_NONE ? NULL : &d->old.e[at];
  if (!was || was->st.st_ino != st->st_ino)
    return true;
  return nanoseconds(was->st.st_mtim) == nanoseconds(st->st_mtim) &&
      (d->swapped || nanoseconds(was->st.st_ctim) == nanoseconds(st->st_ctim));
}

typedef struct {
  int root;
  const hm_site *s;
  struct stat *st;
} looking;

/* Does not note a file that is gone or unreachable. */
static int stat_file(void *ctx, size_t i, int worker) {
  const looking *l = ctx;
  char path[PATH_MAX];
  hm_str p = l->s->files[i].path;
  (void)worker;
  memcpy(path, p.p, p.n);
  path[p.n] = 0;
  if (fstatat(l->root, path, &l->st[i], AT_SYMLINK_NOFOLLOW) != 0)
    l->st[i].st_mode = 0;
  return 0;
}

int hm_dir_write_note(hm_dir *d, const hm_site *s, hm_buf *out, hm_err *err) {
  int64_t moment = wait_a_clock_tick();
  int root =
      openat(d->target.parent, d->target.base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (root < 0)
    return hm_fs_fail(err, d->path, "open the folder");
  looking l = { root, s, hm_alloc_array(d->a, s->n, sizeof *l.st) };
  hm_par_for(s->n, d->opt.threads, stat_file, &l, NULL);
  close(root);
  for (size_t i = 0; i < s->n; i++) {
    if (!is_still_the_file(d, &l.st[i], &s->files[i]) || nanoseconds(l.st[i].st_ctim) >= moment)
      continue;
    stamp now = stamp_of(&l.st[i]);
    uint32_t n = (uint32_t)s->files[i].path.n;
    hm_buf_add(out, &n, sizeof n);
    hm_buf_str(out, s->files[i].path);
    hm_buf_add(out, &now, sizeof now);
  }
  return 0;
}

/* --- the plan --------------------------------------------------------------------------------- */

enum { BLOCK = 32 * 1024 };

static bool may_be_same(const hm_dir *d, const hm_dir_entry *e, const hm_file *f) {
  return S_ISREG(e->st.st_mode) && (e->st.st_mode & 07777) == d->file_mode &&
      (uint64_t)e->st.st_size == f->bytes.n;
}

/* Compares bytes, since an edited file may have the same size. */
bool hm_dir_has_bytes(const hm_dir *d, const hm_dir_entry *e, const hm_file *f) {
  char block[BLOCK];
  size_t done = 0;
  if (!may_be_same(d, e, f))
    return false;
  int fd =
      hm_fs_open_at(d->target.old, e->path.p, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
  if (fd < 0)
    return false;
  for (;;) {
    ssize_t n = read(fd, block, sizeof block);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0 || (size_t)n > f->bytes.n - done ||
        memcmp(block, f->bytes.p + done, (size_t)n) != 0) {
      if (n != 0)
        done = SIZE_MAX;
      break;
    }
    done += (size_t)n;
  }
  close(fd);
  return done == f->bytes.n;
}

/* --- files of others ------------------------------------------------------------- */

typedef struct {
  const hm_dir *d;
  const hm_site *site;
  const hm_dir_scan *old;
  hm_arena *a;
  hm_err *err;
  hm_map files;   /* path of the site -> index */
  hm_map dirs;    /* folders of the site */
  hm_map carried; /* folders that somebody else's files stand in */
} planning;

static int fail_in_the_way(const planning *p, hm_str path) {
  const char *fix = "move it away, or choose another folder for the output";
  return hm_failf(p->err, HM_E_OUTPUT, p->d->path, fix,
                  "\"%.*s\" is not hmirror's and stands where the mirror needs a place",
                  HM_FMT(path));
}

/* Fails when a foreign entry, or a folder above it, is in the place of one of ours. */
static int check_foreign(planning *p, const hm_dir_entry *e) {
  if (hm_map_get(&p->files, e->path) != HM_MAP_NONE)
    return fail_in_the_way(p, e->path);
  if (!S_ISDIR(e->st.st_mode) && hm_map_get(&p->dirs, e->path) != HM_MAP_NONE)
    return fail_in_the_way(p, e->path);
  for (hm_str d = hm_fs_parent(e->path); d.n; d = hm_fs_parent(d))
    if (hm_map_get(&p->files, d) != HM_MAP_NONE)
      return fail_in_the_way(p, e->path);
  add_parents(&p->carried, e->path);
  if (S_ISDIR(e->st.st_mode))
    hm_map_add(&p->carried, e->path, 1);
  return 0;
}

/* --- jobs ------------------------------------------------------------------------ */

/* A file that may be unchanged begins as LINK. */
static hm_dir_job job_of(const planning *p, const hm_file *f, const hm_dir_entry *e) {
  hm_str path = f ? f->path : e->path;
  hm_dir_job j = { .path = path, .dir = hm_fs_parent(path), .file = f, .old = e };
  if (!f)
    j.action = HM_DIR_CARRY;
  else if (f->held)
    j.action = HM_DIR_LINK;
  else if (!f->bytes.p)
    j.action = e && e->same ? HM_DIR_LINK : HM_DIR_THERE;
  else
    j.action = e && !p->d->opt.full && may_be_same(p->d, e, f) ? HM_DIR_LINK : HM_DIR_WRITE;
  return j;
}

static int job_by_folder(const void *x, const void *y) {
  const hm_dir_job *a = x, *b = y;
  int c = hm_str_cmp(a->dir, b->dir);
  return c ? c : hm_str_cmp(a->path, b->path);
}

static void list_jobs(planning *p, hm_dir_plan *out) {
  out->jobs = hm_alloc_array(p->a, p->site->n + p->old->n, sizeof *out->jobs);
  for (size_t i = 0; i < p->old->n; i++) {
    const hm_dir_entry *e = &p->old->e[i];
    if (S_ISDIR(e->st.st_mode))
      continue;
    if (!e->ours)
      out->jobs[out->n++] = job_of(p, NULL, e);
    else if (hm_map_get(&p->files, e->path) == HM_MAP_NONE)
      out->counts.removed++;
  }
  for (size_t i = 0; i < p->site->n; i++) {
    uint32_t at = hm_map_get(&p->d->old_at, p->site->files[i].path);
    out->jobs[out->n++] = job_of(p, &p->site->files[i], at == HM_MAP_NONE ? NULL : &p->old->e[at]);
  }
  if (out->n)
    qsort(out->jobs, out->n, sizeof *out->jobs, job_by_folder);
  /* A batch is a whole folder: threads that make files in one folder would wait for each other. */
  out->batches = hm_alloc_array(p->a, out->n, sizeof *out->batches);
  for (size_t i = 0, to; i < out->n; i = to) {
    for (to = i + 1; to < out->n && hm_str_eq(out->jobs[to].dir, out->jobs[i].dir);)
      to++;
    out->batches[out->n_batches++] = (hm_dir_batch){ .from = i, .to = to };
  }
}

static void list_dirs(planning *p, hm_dir_plan *out) {
  out->dirs = hm_alloc_array(p->a, p->dirs.n + p->carried.n, sizeof *out->dirs);
  const hm_map *from[] = { &p->dirs, &p->carried };
  for (int m = 0; m < 2; m++)
    for (size_t i = 0; i < from[m]->cap; i++)
      if (from[m]->hashes[i] && (m == 0 || hm_map_get(&p->dirs, from[m]->keys[i]) == HM_MAP_NONE))
        out->dirs[out->n_dirs++] = from[m]->keys[i];
  if (out->n_dirs)
    hm_strs_sort(out->dirs, out->n_dirs); /* parents stand first */
}

typedef struct {
  const hm_dir *d;
  hm_dir_plan *p;
} comparing;

static int compare_job(void *ctx, size_t i, int worker) {
  const comparing *c = ctx;
  hm_dir_job *j = &c->p->jobs[i];
  (void)worker;
  if (j->action == HM_DIR_LINK && j->file->bytes.p && !hm_dir_has_bytes(c->d, j->old, j->file))
    j->action = HM_DIR_WRITE;
  return 0;
}

/* A folder of ours that is no longer used is not carried, so it is a change, even when empty. */
int hm_dir_plan_make(const hm_dir *d, const hm_site *s, hm_dir_plan *p, hm_err *err) {
  planning w = { .d = d, .site = s, .old = &d->old, .a = d->a, .err = err };
  *p = (hm_dir_plan){ .foreign_dirs = hm_alloc_array(d->a, d->old.n, sizeof *p->foreign_dirs) };
  hm_map_init(&w.files, d->a, s->n);
  hm_map_init(&w.dirs, d->a, 64);
  hm_map_init(&w.carried, d->a, 0);
  for (size_t i = 0; i < s->n; i++) {
    hm_map_add(&w.files, s->files[i].path, (uint32_t)i);
    add_parents(&w.dirs, s->files[i].path);
    uint32_t at = s->files[i].held ? hm_map_get(&d->old_at, s->files[i].path) : 0;
    if (s->files[i].held && (at == HM_MAP_NONE || !d->old.e[at].noted))
      return hm_fail(err, HM_E_INTERNAL, d->path, "a file is held that does not stand there",
                     "hmirror build --full");
  }
  for (size_t i = 0; i < d->old.n; i++)
    if (!d->old.e[i].ours && check_foreign(&w, &d->old.e[i]) != 0)
      return -1;
  list_jobs(&w, p);
  list_dirs(&w, p);
  hm_par_for(p->n, d->opt.threads, compare_job, &(comparing){ d, p }, NULL);
  for (size_t i = 0; i < p->n; i++) {
    hm_dir_action action = p->jobs[i].action;
    p->counts.written += action == HM_DIR_WRITE || action == HM_DIR_THERE;
    p->counts.kept += action == HM_DIR_LINK;
  }
  p->changes = p->counts.written || p->counts.removed;
  for (size_t i = 0; i < d->old.n; i++) {
    const hm_dir_entry *e = &d->old.e[i];
    if (!S_ISDIR(e->st.st_mode))
      continue;
    bool used = hm_map_get(&w.dirs, e->path) != HM_MAP_NONE;
    if (!e->ours && !used)
      p->foreign_dirs[p->n_foreign_dirs++] = e;
    else if (used && (e->st.st_mode & 07777) != d->folder_mode)
      p->changes = true;
  }
  return 0;
}
