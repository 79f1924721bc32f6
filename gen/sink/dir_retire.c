#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/sink/dir_impl.h"

typedef struct {
  int tree, now;
  const hm_dir_scan *known;
  hm_str dir; int dir_fd;    /* the folder of the tree that is being emptied */
} retiring;

static int by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_dir_entry *)x)->path, ((const hm_dir_entry *)y)->path);
}

/* The entry is what was seen, and linked to the new tree, before the swap. */
static bool was_known(const hm_dir_scan *known, const hm_dir_entry *e) {
  const hm_dir_entry *k = known->n ? bsearch(e, known->e, known->n, sizeof *known->e, by_path) : NULL;
  return k && k->st.st_ino == e->st.st_ino && k->st.st_dev == e->st.st_dev;
}

static bool is_saved(const retiring *r, const hm_dir_entry *e) {
  if (r->known) return was_known(r->known, e);
  struct stat st;
  return r->now < 0 || fstatat(r->now, e->path.p, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void make_parents(int root, char *path) {
  for (char *p = strchr(path, '/'); p; p = strchr(p + 1, '/')) {
    *p = 0;
    mkdirat(root, path, 0755);
    *p = '/';
  }
}

/* The open folder of the entry; never through a symlink that somebody has just put there. */
static int folder_of(retiring *r, hm_str path) {
  hm_str dir = hm_fs_parent(path);
  if (r->dir_fd >= 0 && hm_str_eq(dir, r->dir)) return r->dir_fd;
  if (r->dir_fd >= 0) close(r->dir_fd);
  r->dir = dir;
  return r->dir_fd = hm_fs_dir_at(r->tree, dir);
}

/* What cannot be moved stays where it is, for the next run. */
static void save(const retiring *r, int dir, const char *name, hm_str path, hm_arena *a) {
  make_parents(r->now, hm_str_z(a, path));
  renameat(dir, name, r->now, path.p);
}

/* Children stand after their folders, so the way back meets them first. The
 * manifest goes last: with it, a next run can take up where this one was killed. */
static void empty(retiring *r, const hm_dir_scan *s, hm_arena *a) {
  for (size_t i = s->n; i-- > 0;) {
    const hm_dir_entry *e = &s->e[i];
    if (hm_str_is(e->path, "manifest.json")) continue;
    int dir = folder_of(r, e->path);
    const char *name = e->path.p + (r->dir.n ? r->dir.n + 1 : 0);
    if (S_ISDIR(e->st.st_mode)) unlinkat(dir, name, AT_REMOVEDIR);
    else if (e->ours || is_saved(r, e)) unlinkat(dir, name, 0);
    else save(r, dir, name, e->path, a);
  }
  if (r->dir_fd >= 0) close(r->dir_fd);
}

void hm_dir_retire(int parent, const char *name, const hm_dir_scan *known, int now, hm_arena *a) {
  hm_dir_manifest m;
  hm_dir_scan s;
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0) {
    hm_dir_manifest_read(fd, a, &m);
    if ((m.present || known) && hm_dir_scan_tree(fd, name, a, &s, NULL) == 0) {
      hm_dir_mark_ours(&s, &m);
      empty(&(retiring){ .tree = fd, .now = now, .known = known, .dir_fd = -1 }, &s, a);
      unlinkat(fd, "manifest.json", 0);
      close(fd);
      unlinkat(parent, name, AT_REMOVEDIR);
      return;
    }
    close(fd);
  }
  hm_fs_remove(parent, name);
}
