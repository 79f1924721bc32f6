#include <stdlib.h>

#include "gen/sink/dir_impl.h"

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

static void index_site(planning *p) {
  hm_map_init(&p->files, p->a, p->site->n);
  hm_map_init(&p->dirs, p->a, 64);
  hm_map_init(&p->carried, p->a, 0);
  for (size_t i = 0; i < p->site->n; i++) {
    hm_map_add(&p->files, p->site->files[i].path, (uint32_t)i);
    add_parents(&p->dirs, p->site->files[i].path);
  }
}

static int check_all_foreign(planning *p) {
  for (size_t i = 0; i < p->old->n; i++)
    if (!p->old->e[i].ours && check_foreign(p, &p->old->e[i]) != 0) return -1;
  return 0;
}

bool hm_dir_may_be_same(const hm_dir_entry *e, const hm_file *f) {
  return S_ISREG(e->st.st_mode) && (e->st.st_mode & 07777) == 0644 &&
      (uint64_t)e->st.st_size == f->bytes.n;
}

static hm_dir_action action_of(const planning *p, const hm_file *f, const hm_dir_entry *e) {
  if (!f) return HM_DIR_CARRY;
  if (!f->bytes.p) return e && e->same ? HM_DIR_LINK : HM_DIR_THERE;
  return e && !p->d->opt.full && hm_dir_may_be_same(e, f) ? HM_DIR_LINK : HM_DIR_WRITE;
}

static hm_dir_job job_of(const planning *p, const hm_file *f, const hm_dir_entry *e) {
  hm_str path = f ? f->path : e->path;
  return (hm_dir_job){
    .path = path, .dir = hm_fs_parent(path), .action = action_of(p, f, e), .file = f, .old = e
  };
}

static int by_folder(const void *x, const void *y) {
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
  if (out->n) qsort(out->jobs, out->n, sizeof *out->jobs, by_folder);
}

/* A whole folder each: threads that make files in the same one only wait for each other. */
static void cut_batches(planning *p, hm_dir_plan *out) {
  out->batches = hm_alloc_array(p->a, out->n, sizeof *out->batches);
  for (size_t i = 0; i < out->n;) {
    size_t to = i + 1;
    while (to < out->n && hm_str_eq(out->jobs[to].dir, out->jobs[i].dir)) to++;
    out->batches[out->n_batches++] = (hm_dir_batch){ .from = i, .to = to };
    i = to;
  }
}

static int by_bytes(const void *x, const void *y) {
  return hm_str_cmp(*(const hm_str *)x, *(const hm_str *)y);
}

static void list_dirs(planning *p, hm_dir_plan *out) {
  out->dirs = hm_alloc_array(p->a, p->dirs.n + p->carried.n, sizeof *out->dirs);
  const hm_map *from[] = { &p->dirs, &p->carried };
  for (int m = 0; m < 2; m++)
    for (size_t i = 0; i < from[m]->cap; i++)
      if (from[m]->hashes[i] && (m == 0 || hm_map_get(&p->dirs, from[m]->keys[i]) == HM_MAP_NONE))
        out->dirs[out->n_dirs++] = from[m]->keys[i];
  if (out->n_dirs)
    qsort(out->dirs, out->n_dirs, sizeof *out->dirs,
          by_bytes); /* a parent is its child's beginning */
}

/* What was ours alone and is not in use any more does not come along, so that
 * is a change too, even when it holds no file. */
static void look_at_folders(planning *p, hm_dir_plan *out) {
  out->foreign_dirs = hm_alloc_array(p->a, p->old->n, sizeof *out->foreign_dirs);
  for (size_t i = 0; i < p->old->n; i++) {
    const hm_dir_entry *e = &p->old->e[i];
    if (!S_ISDIR(e->st.st_mode)) continue;
    bool used = hm_map_get(&p->dirs, e->path) != HM_MAP_NONE;
    if (!e->ours && !used) out->foreign_dirs[out->n_foreign_dirs++] = e;
    else if (used && (e->st.st_mode & 07777) != 0755) out->changes = true;
  }
}

int hm_dir_plan_make(const hm_dir *d, const hm_site *s, hm_dir_plan *p, hm_err *err) {
  planning w = { .d = d, .site = s, .old = &d->old, .a = d->a, .err = err };
  *p = (hm_dir_plan){ 0 };
  index_site(&w);
  if (check_all_foreign(&w) != 0) return -1;
  list_jobs(&w, p);
  cut_batches(&w, p);
  list_dirs(&w, p);
  look_at_folders(&w, p);
  if (p->counts.removed) p->changes = true;
  return 0;
}
