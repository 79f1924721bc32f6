/* The tree that was replaced is removed, but for what is somebody else's. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/par.h"
#include "gen/sink/dir_impl.h"

typedef struct {
  int tree, now;
  const hm_dir_scan *known;
  const hm_dir_entry **files; size_t n;        /* by folder */
  size_t *starts; size_t n_folders;            /* of each folder in files, and the end */
  atomic_bool stays;                           /* something could not be moved */
} retiring;

static int entry_by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_dir_entry *)x)->path, ((const hm_dir_entry *)y)->path);
}

/* True if the entry is the one that the scan saw and linked into the new tree before the swap. */
static bool was_known(const hm_dir_scan *known, const hm_dir_entry *e) {
  const hm_dir_entry *k =
      known->n ? bsearch(e, known->e, known->n, sizeof *known->e, entry_by_path) : NULL;
  return k && k->st.st_ino == e->st.st_ino && k->st.st_dev == e->st.st_dev;
}

static bool is_saved(const retiring *r, const hm_dir_entry *e) {
  if (r->known) return was_known(r->known, e);
  struct stat st;
  return r->now < 0 || fstatat(r->now, e->path.p, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void make_folders(int root, hm_str path) {
  char z[PATH_MAX];
  if (path.n >= sizeof z) return;
  memcpy(z, path.p, path.n + 1);
  for (char *p = strchr(z, '/'); p; p = strchr(p + 1, '/')) {
    *p = 0;
    mkdirat(root, z, 0755);
    *p = '/';
  }
}

/* What cannot be moved stays where it is, for the next run. */
static void save_file(retiring *r, int dir, const char *name, hm_str path) {
  make_folders(r->now, path);
  if (renameat(dir, name, r->now, path.p) != 0) atomic_store(&r->stays, true);
}

/* The files of one folder, which is never reached through a symlink that somebody has just put
 * there. */
static int empty_folder(void *ctx, size_t i, int worker) {
  retiring *r = ctx;
  (void)worker;
  hm_str parent = hm_fs_parent(r->files[r->starts[i]]->path);
  int dir = hm_fs_dir_at(r->tree, parent);
  for (size_t k = r->starts[i]; dir >= 0 && k < r->starts[i + 1]; k++) {
    const hm_dir_entry *e = r->files[k];
    const char *name = e->path.p + (parent.n ? parent.n + 1 : 0);
    if (e->ours || is_saved(r, e)) unlinkat(dir, name, 0);
    else save_file(r, dir, name, e->path);
  }
  if (dir >= 0) close(dir);
  return 0;
}

static int entry_by_folder(const void *x, const void *y) {
  const hm_dir_entry *a = *(const hm_dir_entry *const *)x, *b = *(const hm_dir_entry *const *)y;
  int c = hm_str_cmp(hm_fs_parent(a->path), hm_fs_parent(b->path));
  return c ? c : hm_str_cmp(a->path, b->path);
}

/* Manifests go last: with them, a next run can take up where this one was killed. */
static bool is_manifest(const hm_dir_manifest *m, hm_str path) {
  return hm_str_is(path, "manifest.json") ||
      (m->present && hm_map_get(&m->parts, path) != HM_MAP_NONE);
}

static void list_files(retiring *r, const hm_dir_scan *s, const hm_dir_manifest *m, hm_arena *a) {
  r->files = hm_alloc_array(a, s->n, sizeof *r->files);
  r->starts = hm_alloc_array(a, s->n + 1, sizeof *r->starts);
  for (size_t i = 0; i < s->n; i++)
    if (!S_ISDIR(s->e[i].st.st_mode) && !is_manifest(m, s->e[i].path)) r->files[r->n++] = &s->e[i];
  if (r->n) qsort(r->files, r->n, sizeof *r->files, entry_by_folder);
  for (size_t i = 0; i < r->n; i++)
    if (i == 0 || !hm_str_eq(hm_fs_parent(r->files[i - 1]->path), hm_fs_parent(r->files[i]->path)))
      r->starts[r->n_folders++] = i;
  r->starts[r->n_folders] = r->n;
}

static void unlink_below(int tree, hm_str path, int flags) {
  hm_str parent = hm_fs_parent(path);
  int dir = hm_fs_dir_at(tree, parent);
  unlinkat(dir, path.p + (parent.n ? parent.n + 1 : 0), flags);
  if (dir >= 0) close(dir);
}

/* All that they name is gone. */
static void remove_manifest_parts(int tree, const hm_dir_scan *s, const hm_dir_manifest *m) {
  for (size_t i = 0; m->present && i < s->n; i++)
    if (hm_map_get(&m->parts, s->e[i].path) != HM_MAP_NONE) unlink_below(tree, s->e[i].path, 0);
}

/* Children stand after their folders, so the way back meets them first. */
static void remove_folders(int tree, const hm_dir_scan *s) {
  for (size_t i = s->n; i-- > 0;)
    if (S_ISDIR(s->e[i].st.st_mode)) unlink_below(tree, s->e[i].path, AT_REMOVEDIR);
}

/* A tree of ours, which may hold what is somebody else's. What cannot be seen through is left as it
 * is. */
static bool empty_tree(int tree, const char *name, const hm_dir_manifest *m, retiring *r,
                       int threads, hm_arena *a) {
  hm_dir_scan s;
  if (hm_dir_scan_tree(tree, name, a, &s, NULL) != 0) return false;
  hm_dir_mark_ours(&s, m);
  list_files(r, &s, m, a);
  hm_par_for(r->n_folders, threads, empty_folder, r, NULL);
  if (!atomic_load(&r->stays)) remove_manifest_parts(tree, &s, m);
  remove_folders(tree, &s);
  if (atomic_load(&r->stays)) return false;   /* and the manifests tell the next run what it is */
  unlinkat(tree, "manifest.json", 0);
  return true;
}

void hm_dir_retire(int parent, const char *name, const hm_dir_scan *known, int now, int threads,
                   hm_arena *a) {
  hm_dir_manifest m = { 0 };
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0) hm_dir_manifest_read(fd, a, &m);
  if (m.present || (fd >= 0 && known)) {
    retiring r = { .tree = fd, .now = now, .known = known };
    if (empty_tree(fd, name, &m, &r, threads, a)) unlinkat(parent, name, AT_REMOVEDIR);
  } else {
    hm_fs_remove(parent, name);
  }
  if (fd >= 0) close(fd);
}
