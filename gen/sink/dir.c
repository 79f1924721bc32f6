#include "gen/sink/dir.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "gen/sink/dir_impl.h"

static int look(hm_dir *d, hm_err *err) {
  hm_dir_manifest m;
  hm_map_init(&d->old_at, d->a, 0);
  if (d->target.old < 0) return 0;
  if (hm_dir_scan_tree(d->target.old, d->path, d->a, &d->old, err) != 0) return -1;
  hm_dir_manifest_read(d->target.old, d->a, &m);
  if (!m.present && d->old.n)
    return hm_fail(err, HM_E_OUTPUT, d->path,
                   "the folder is not empty and has no manifest.json of hmirror",
                   "choose an empty folder, or empty this one");
  hm_dir_mark_ours(&d->old, &m);
  if (!d->opt.full) hm_dir_note_compare(&d->old, d->opt.note);
  for (size_t i = 0; i < d->old.n; i++) hm_map_add(&d->old_at, d->old.e[i].path, (uint32_t)i);
  return 0;
}

int hm_dir_open(const char *path, const hm_dir_options *opt, hm_dir **out, hm_err *err) {
  hm_dir *d = hm_xmalloc(sizeof *d);
  *out = NULL;
  *d = (hm_dir){ .path = path,
                 .opt = *opt,
                 .a = hm_arena_new(),
                 .target = { .parent = -1, .old = -1, .lock.fd = -1 },
                 .tree = { .durable = opt->durable } };
  d->tree.target = &d->target;
  atomic_init(&d->tree.fd, -1);
  atomic_init(&d->failed, false);
  pthread_mutex_init(&d->lock, NULL);
  pthread_mutex_init(&d->tree.lock, NULL);
  if (hm_dir_target_open(&d->target, path, d->a, err) != 0 || look(d, err) != 0) {
    hm_dir_close(d);
    return -1;
  }
  *out = d;
  return 0;
}

/* --- one file ------------------------------------------------------------- */

static int bad_path(const hm_dir *d, hm_str path, hm_err *err) {
  return hm_failf(err, HM_E_INTERNAL, d->path, NULL, "\"%.*s\" cannot be the name of a file",
                  HM_FMT(path));
}

static bool stands_there(hm_dir *d, const hm_file *f) {
  uint32_t at = d->opt.full ? HM_MAP_NONE : hm_map_get(&d->old_at, f->path);
  if (at == HM_MAP_NONE) return false;
  hm_dir_entry *e = &d->old.e[at];
  e->same = hm_dir_may_be_same(e, f) && hm_dir_same_bytes(d->target.old, e->path.p, f->bytes);
  return e->same;
}

bool hm_dir_holds(void *dir, const hm_file *f) {
  hm_dir *d = dir;
  uint32_t at = hm_map_get(&d->old_at, f->path);
  if (at == HM_MAP_NONE) return false;
  hm_dir_entry *e = &d->old.e[at];
  if (!e->noted || !e->ours || !hm_dir_may_be_same(e, f)) return false;
  e->same = true;
  return true;
}

size_t hm_dir_standing(const hm_dir *d) {
  size_t n = 0;
  for (size_t i = 0; i < d->old.n; i++) {
    const hm_dir_entry *e = &d->old.e[i];
    bool folder = S_ISDIR(e->st.st_mode);
    if (e->ours && (folder ? (e->st.st_mode & 07777) != 0755 : !e->noted)) return 0;
    n += e->ours && !folder;
  }
  return n;
}

static int put(hm_dir *d, const hm_file *f, hm_err *err) {
  if (!hm_site_path_ok(f->path)) return bad_path(d, f->path, err);
  if (stands_there(d, f)) return 0;
  if (hm_dir_tree_fd(&d->tree, err) < 0) return -1;
  if (hm_dir_tree_write(&d->tree, f->path, f->bytes, false) != 0)
    return hm_dir_fail_at(d->target.real, f->path, "write the file", err);
  return 0;
}

int hm_dir_put(hm_dir *d, const hm_file *f, hm_err *err) {
  hm_err mine;
  if (!atomic_load(&d->failed) && put(d, f, &mine) == 0) return 0;
  pthread_mutex_lock(&d->lock);
  if (!atomic_load(&d->failed)) d->err = mine;
  atomic_store(&d->failed, true);
  if (err) *err = d->err;
  pthread_mutex_unlock(&d->lock);
  return -1;
}

/* --- all of them ----------------------------------------------------------- */

static int replace(hm_dir *d, hm_dir_plan *plan, hm_err *err) {
  const hm_dir_target *t = &d->target;
  int temp = hm_dir_tree_fd(&d->tree, err);
  if (temp < 0) return -1;
  if (hm_dir_fill(plan, t->old, &d->tree, t->real, d->opt.durable, d->opt.threads, err) != 0)
    return -1;
  if (hm_dir_swap(t, err) != 0) return -1;
  d->swapped = true;
  int rc = 0;
  if (d->opt.durable && hm_fs_sync_dir(t->parent, ".") != 0)
    rc = hm_fs_fail(err, t->real, "bring the folder above to the disk");
  if (t->old >= 0) hm_dir_retire(t->parent, t->temp, &d->old, temp, d->opt.threads, d->a);
  return rc;
}

static int check_paths(const hm_dir *d, const hm_site *s, hm_err *err) {
  for (size_t i = 0; i < s->n; i++)
    if (!hm_site_path_ok(s->files[i].path)) return bad_path(d, s->files[i].path, err);
  return 0;
}

int hm_dir_finish(hm_dir *d, const hm_site *s, hm_dir_counts *counts, hm_err *err) {
  hm_dir_plan plan;
  *counts = (hm_dir_counts){ 0 };
  if (check_paths(d, s, err) != 0) return -1;
  if (hm_dir_plan_make(d, s, &plan, err) != 0) return -1;
  hm_dir_compare(&plan, d->target.old, d->opt.threads);
  if ((plan.changes || d->target.old < 0) && replace(d, &plan, err) != 0) return -1;
  *counts = plan.counts;
  return 0;
}

void hm_dir_close(hm_dir *d) {
  if (!d) return;
  hm_dir_pump_stop(&d->tree.pump);
  int temp = atomic_load(&d->tree.fd);
  if (temp >= 0) close(temp);
  if (temp >= 0 && !d->swapped) hm_fs_remove(d->target.parent, d->target.temp);
  hm_dir_target_close(&d->target);
  pthread_mutex_destroy(&d->tree.lock);
  pthread_mutex_destroy(&d->lock);
  hm_arena_free(d->a);
  free(d);
}
