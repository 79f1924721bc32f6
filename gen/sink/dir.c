/* The directory sink from its first call to its last: the folder is looked at once, when it is
 * opened, then files come, and finish swaps the new tree in. */
#include "gen/sink/dir.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "gen/sink/dir_impl.h"

static bool has_mode(const hm_dir_entry *e, mode_t mode) { return (e->st.st_mode & 07777) == mode; }

/* What the note says of the files that are ours, and whether that is all of them. */
static void list_present(hm_dir *d) {
  hm_sink_files *s = &d->present;
  bool as_noted = true;
  s->files = hm_alloc_array(d->a, d->old.n, sizeof *s->files);
  for (size_t i = 0; i < d->old.n; i++) {
    const hm_dir_entry *e = &d->old.e[i];
    bool stands = e->noted && S_ISREG(e->st.st_mode) && has_mode(e, 0644);
    if (!e->ours) continue;
    if (S_ISDIR(e->st.st_mode) ? !has_mode(e, 0755) : !e->noted) as_noted = false;
    if (stands) s->files[s->n++] = (hm_sink_file){ e->path, (uint64_t)e->st.st_size };
  }
  s->all = as_noted && s->n && s->n == d->opt.noted_files;
}

static int look_at_folder(hm_dir *d, hm_err *err) {
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
  list_present(d);
  return 0;
}

int hm_dir_open(const char *path, const hm_dir_options *opt, hm_dir **out, hm_err *err) {
  hm_dir *d = hm_xmalloc(sizeof *d);
  *out = NULL;
  *d = (hm_dir){ .path = path,
                 .opt = *opt,
                 .a = hm_arena_new(),
                 .target = { .parent = -1, .old = -1, .lock.fd = -1 } };
  atomic_init(&d->tree, -1);
  atomic_init(&d->failed, false);
  pthread_mutex_init(&d->lock, NULL);
  if (hm_dir_target_open(&d->target, path, d->a, err) != 0 || look_at_folder(d, err) != 0) {
    hm_dir_close(d);
    return -1;
  }
  *out = d;
  return 0;
}

const hm_sink_files *hm_dir_present(const hm_dir *d) { return &d->present; }

void hm_dir_close(hm_dir *d) {
  if (!d) return;
  hm_dir_sync_stop(&d->sync);
  int tree = atomic_load(&d->tree);
  if (tree >= 0) close(tree);
  if (tree >= 0 && !d->swapped) hm_fs_remove(d->target.parent, d->target.temp);
  hm_dir_target_close(&d->target);
  pthread_mutex_destroy(&d->lock);
  hm_arena_free(d->a);
  free(d);
}

/* --- files ------------------------------------------------------------------- */

static int check_path(const hm_dir *d, hm_str path, hm_err *err) {
  if (hm_site_path_ok(path)) return 0;
  return hm_failf(err, HM_E_INTERNAL, d->path, NULL, "\"%.*s\" cannot be the name of a file",
                  HM_FMT(path));
}

static int put_file(hm_dir *d, const hm_file *f, hm_err *err) {
  if (check_path(d, f->path, err) != 0) return -1;
  uint32_t at = d->opt.full ? HM_MAP_NONE : hm_map_get(&d->old_at, f->path);
  if (at != HM_MAP_NONE && (d->old.e[at].same = hm_dir_has_bytes(d, &d->old.e[at], f))) return 0;
  return hm_dir_write(d, f->path, f->bytes, err);
}

int hm_dir_put(hm_dir *d, const hm_file *f, hm_err *err) {
  hm_err mine;
  if (!atomic_load(&d->failed) && put_file(d, f, &mine) == 0) return 0;
  pthread_mutex_lock(&d->lock);
  if (!atomic_load(&d->failed)) d->err = mine;
  atomic_store(&d->failed, true);
  if (err) *err = d->err;
  pthread_mutex_unlock(&d->lock);
  return -1;
}

static int replace_folder(hm_dir *d, hm_dir_plan *plan, hm_err *err) {
  const hm_dir_target *t = &d->target;
  if (hm_dir_fill(d, plan, err) != 0 || hm_dir_swap(t, err) != 0) return -1;
  d->swapped = true;
  int rc = 0;
  if (d->opt.durable && hm_fs_sync_dir(t->parent, ".") != 0)
    rc = hm_fs_fail(err, t->real, "bring the folder above to the disk");
  if (t->old >= 0)
    hm_dir_retire(t->parent, t->temp, &d->old, atomic_load(&d->tree), d->opt.threads, d->a);
  return rc;
}

int hm_dir_finish(hm_dir *d, const hm_site *s, hm_dir_counts *counts, hm_err *err) {
  hm_dir_plan plan;
  *counts = (hm_dir_counts){ 0 };
  for (size_t i = 0; i < s->n; i++)
    if (check_path(d, s->files[i].path, err) != 0) return -1;
  if (hm_dir_plan_make(d, s, &plan, err) != 0) return -1;
  if ((plan.changes || d->target.old < 0) && replace_folder(d, &plan, err) != 0) return -1;
  *counts = plan.counts;
  return 0;
}
