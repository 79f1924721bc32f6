/* What has to be done to make the folder hold the site: each of its files written, linked from the
 * old tree, or there already; each of somebody else's carried along, if it is not in our way. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/par.h"
#include "gen/sink/dir_impl.h"

enum { BLOCK = 32 * 1024 };

static bool may_be_same(const hm_dir_entry *e, const hm_file *f) {
  return S_ISREG(e->st.st_mode) && (e->st.st_mode & 07777) == 0644 &&
         (uint64_t)e->st.st_size == f->bytes.n;
}

/* Byte for byte, since a file that somebody edited may well have kept its size. */
bool hm_dir_has_bytes(const hm_dir *d, const hm_dir_entry *e, const hm_file *f) {
  char block[BLOCK];
  size_t done = 0;
  if (!may_be_same(e, f)) return false;
  int fd =
      hm_fs_open_at(d->target.old, e->path.p, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
  if (fd < 0) return false;
  for (;;) {
    ssize_t n = read(fd, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || (size_t)n > f->bytes.n - done ||
        memcmp(block, f->bytes.p + done, (size_t)n) != 0) {
      if (n != 0) done = SIZE_MAX;
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
  hm_map files;      /* path of the site -> index */
  hm_map dirs;       /* folders of the site */
  hm_map carried;    /* folders that somebody else's files stand in */
} planning;

static void add_parents(hm_map *m, hm_str path) {
  for (hm_str d = hm_fs_parent(path); d.n && hm_map_get(m, d) == HM_MAP_NONE; d = hm_fs_parent(d))
    hm_map_add(m, d, 1);
}

static int in_the_way(const planning *p, hm_str path) {
  const char *fix = "move it away, or choose another folder for the output";
  return hm_failf(p->err, HM_E_OUTPUT, p->d->path, fix,
                  "\"%.*s\" is not hmirror's and stands where the mirror needs a place",
                  HM_FMT(path));
}

/* An entry of somebody else: it and its folders must not stand where ours go. */
static int check_foreign(planning *p, const hm_dir_entry *e) {
  if (hm_map_get(&p->files, e->path) != HM_MAP_NONE) return in_the_way(p, e->path);
  if (!S_ISDIR(e->st.st_mode) && hm_map_get(&p->dirs, e->path) != HM_MAP_NONE)
    return in_the_way(p, e->path);
  for (hm_str d = hm_fs_parent(e->path); d.n; d = hm_fs_parent(d))
    if (hm_map_get(&p->files, d) != HM_MAP_NONE) return in_the_way(p, e->path);
  add_parents(&p->carried, e->path);
  if (S_ISDIR(e->st.st_mode)) hm_map_add(&p->carried, e->path, 1);
  return 0;
}

/* --- jobs ------------------------------------------------------------------------ */

/* What may be unchanged begins as LINK. */
static hm_dir_job job_of(const planning *p, const hm_file *f, const hm_dir_entry *e) {
  hm_str path = f ? f->path : e->path;
  hm_dir_job j = { .path = path, .dir = hm_fs_parent(path), .file = f, .old = e };
  if (!f) j.action = HM_DIR_CARRY;
  else if (f->held) j.action = HM_DIR_LINK;
  else if (!f->bytes.p) j.action = e && e->same ? HM_DIR_LINK : HM_DIR_THERE;
  else j.action = e && !p->d->opt.full && may_be_same(e, f) ? HM_DIR_LINK : HM_DIR_WRITE;
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
    if (S_ISDIR(e->st.st_mode)) continue;
    if (!e->ours) out->jobs[out->n++] = job_of(p, NULL, e);
    else if (hm_map_get(&p->files, e->path) == HM_MAP_NONE) out->counts.removed++;
  }
  for (size_t i = 0; i < p->site->n; i++) {
    uint32_t at = hm_map_get(&p->d->old_at, p->site->files[i].path);
    out->jobs[out->n++] = job_of(p, &p->site->files[i], at == HM_MAP_NONE ? NULL : &p->old->e[at]);
  }
  if (out->n) qsort(out->jobs, out->n, sizeof *out->jobs, job_by_folder);
  /* A whole folder each: threads that make files in the same one only wait for each other. */
  out->batches = hm_alloc_array(p->a, out->n, sizeof *out->batches);
  for (size_t i = 0, to; i < out->n; i = to) {
    for (to = i + 1; to < out->n && hm_str_eq(out->jobs[to].dir, out->jobs[i].dir);) to++;
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
  if (out->n_dirs) hm_strs_sort(out->dirs, out->n_dirs); /* parents stand first */
}

typedef struct { const hm_dir *d; hm_dir_plan *p; } comparing;

static int compare_job(void *ctx, size_t i, int worker) {
  const comparing *c = ctx;
  hm_dir_job *j = &c->p->jobs[i];
  (void)worker;
  if (j->action == HM_DIR_LINK && j->file->bytes.p && !hm_dir_has_bytes(c->d, j->old, j->file))
    j->action = HM_DIR_WRITE;
  return 0;
}

/* A folder that was ours alone and is not in use any more does not come along, so that is a change
 * too, even when it holds no file. */
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
    if (!d->old.e[i].ours && check_foreign(&w, &d->old.e[i]) != 0) return -1;
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
    if (!S_ISDIR(e->st.st_mode)) continue;
    bool used = hm_map_get(&w.dirs, e->path) != HM_MAP_NONE;
    if (!e->ours && !used) p->foreign_dirs[p->n_foreign_dirs++] = e;
    else if (used && (e->st.st_mode & 07777) != 0755) p->changes = true;
  }
  return 0;
}
