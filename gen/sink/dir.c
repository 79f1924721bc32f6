/* The directory sink's calls: open finds, locks and scans the folder once; then files are put, and
 * finish swaps the new tree in. Removes the old tree, except foreign files. */
#include "gen/sink/dir.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/base/par.h"
#include "gen/sink/dir_impl.h"

/* --- the tree that was replaced --------------------------------------------------------------- */

typedef struct {
  int tree, now;
  const hm_dir_scan *known;
  const hm_dir_entry **files;
  size_t n; /* by folder */
  size_t *starts;
  size_t n_folders;  /* of each folder in files, and the end */
  atomic_bool stays; /* something could not be moved */
} retiring;

/* True if the entry is the one that the scan saw and linked into the new tree before the swap. */
static bool was_known(const hm_dir_scan *known, const hm_dir_entry *e) {
  const hm_dir_entry *k =
      known->n ? bsearch(e, known->e, known->n, sizeof *known->e, hm_dir_entry_compare) : NULL;
  return k && k->st.st_ino == e->st.st_ino && k->st.st_dev == e->st.st_dev;
}

static bool is_saved(const retiring *r, const hm_dir_entry *e) {
  if (r->known)
    return was_known(r->known, e);
  struct stat st;
  return r->now < 0 || fstatat(r->now, e->path.p, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void make_folders(int root, hm_str path) {
  char z[PATH_MAX];
  if (path.n >= sizeof z)
    return;
  memcpy(z, path.p, path.n + 1);
  for (char *p = strchr(z, '/'); p; p = strchr(p + 1, '/')) {
    *p = 0;
    mkdirat(root, z, 0777);
    *p = '/';
  }
}

/* Removes the files of one folder; never follows a symlink that somebody has just put there. */
static int empty_folder(void *ctx, size_t i, int worker) {
  retiring *r = ctx;
  (void)worker;
  hm_str parent = hm_fs_parent(r->files[r->starts[i]]->path);
  int dir = hm_fs_open_folder_at(r->tree, parent);
  for (size_t k = r->starts[i]; dir >= 0 && k < r->starts[i + 1]; k++) {
    const hm_dir_entry *e = r->files[k];
    const char *name = e->path.p + (parent.n ? parent.n + 1 : 0);
    if (e->ours || is_saved(r, e)) {
      unlinkat(dir, name, 0);
      continue;
    }
    make_folders(r->now, e->path);
    if (renameat(dir, name, r->now, e->path.p) != 0)
      atomic_store(&r->stays, true); /* for the next run */
  }
  if (dir >= 0)
    close(dir);
  return 0;
}

static int entry_by_folder(const void *x, const void *y) {
  const hm_dir_entry *a = *(const hm_dir_entry *const *)x, *b = *(const hm_dir_entry *const *)y;
  int c = hm_str_cmp(hm_fs_parent(a->path), hm_fs_parent(b->path));
  return c ? c : hm_str_cmp(a->path, b->path);
}

/* Manifests are removed last: with them, the next run can continue when this one is killed. */
static bool is_manifest(const hm_dir_manifest *m, hm_str path) {
  return hm_str_is(path, "manifest.json") ||
      (m->present && hm_map_get(&m->parts, path) != HM_MAP_NONE);
}

static void list_files(retiring *r, const hm_dir_scan *s, const hm_dir_manifest *m, hm_arena *a) {
  r->files = hm_alloc_array(a, s->n, sizeof *r->files);
  r->starts = hm_alloc_array(a, s->n + 1, sizeof *r->starts);
  for (size_t i = 0; i < s->n; i++)
    if (!S_ISDIR(s->e[i].st.st_mode) && !is_manifest(m, s->e[i].path))
      r->files[r->n++] = &s->e[i];
  if (r->n)
    qsort(r->files, r->n, sizeof *r->files, entry_by_folder);
  for (size_t i = 0; i < r->n; i++)
    if (i == 0 || !hm_str_eq(hm_fs_parent(r->files[i - 1]->path), hm_fs_parent(r->files[i]->path)))
      r->starts[r->n_folders++] = i;
  r->starts[r->n_folders] = r->n;
}

static void unlink_below(int tree, hm_str path, int flags) {
  hm_str parent = hm_fs_parent(path);
  int dir = hm_fs_open_folder_at(tree, parent);
  unlinkat(dir, path.p + (parent.n ? parent.n + 1 : 0), flags);
  if (dir >= 0)
    close(dir);
}

/* Empties one of our trees, which may hold foreign files. Leaves a tree that it cannot scan. */
static bool empty_tree(int tree, const char *name, const hm_dir_manifest *m, retiring *r,
                       int threads, hm_arena *a) {
  hm_dir_scan s;
  if (hm_dir_scan_tree(tree, name, a, &s, NULL) != 0)
    return false;
  hm_dir_mark_ours(&s, m);
  list_files(r, &s, m, a);
  hm_par_for(r->n_folders, threads, empty_folder, r, NULL);
  if (!atomic_load(&r->stays)) {
    /* All files that the manifests name are removed: the manifest's own parts. */
    for (size_t i = 0; m->present && i < s.n; i++)
      if (hm_map_get(&m->parts, s.e[i].path) != HM_MAP_NONE)
        unlink_below(tree, s.e[i].path, 0);
  }
  /* Walks backwards, since children stand after their folders. */
  for (size_t i = s.n; i-- > 0;)
    if (S_ISDIR(s.e[i].st.st_mode))
      unlink_below(tree, s.e[i].path, AT_REMOVEDIR);
  if (atomic_load(&r->stays))
    return false; /* and the manifests tell the next run what it is */
  unlinkat(tree, "manifest.json", 0);
  return true;
}

void hm_dir_remove_old(int parent, const char *name, const hm_dir_scan *known, int now, int threads,
                       hm_arena *a) {
  hm_dir_manifest m = { 0 };
  int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0)
    hm_dir_manifest_read(fd, a, &m);
  if (m.present || (fd >= 0 && known)) {
    retiring r = { .tree = fd, .now = now, .known = known };
    if (empty_tree(fd, name, &m, &r, threads, a))
      unlinkat(parent, name, AT_REMOVEDIR);
  } else {
    hm_fs_remove(parent, name);
  }
  if (fd >= 0)
    close(fd);
}

/* --- where it goes ------------------------------------------------------------------------- */

/* Splits "a/b/" into "a" and "b"; makes the folder before the last '/' if it does not exist. */
static int resolve_absent(hm_dir_target *t, const char *path, hm_err *err) {
  char head[PATH_MAX];
  size_t n = strlen(path);
  while (n > 1 && path[n - 1] == '/')
    n--;
  if (n == 0 || n >= sizeof head) {
    errno = n ? ENAMETOOLONG : ENOENT;
    return hm_fs_fail(err, path, "make the folder");
  }
  const char *slash = memrchr(path, '/', n);
  size_t h = slash ? (size_t)(slash - path) : 0;
  memcpy(head, path, h);
  head[h] = 0;
  if (h && hm_fs_mkdirs(head) != 0)
    return hm_fs_fail(err, head, "make the folder");
  if (!realpath(h ? head : slash ? "/" : ".", t->real))
    return hm_fs_fail(err, path, "find the folder above");
  size_t r = strlen(t->real), from = slash ? h + 1 : 0;
  if (r == 1)
    r = 0;
  if (r + 1 + n - from >= sizeof t->real) {
    errno = ENAMETOOLONG;
    return hm_fs_fail(err, path, "make the folder");
  }
  t->real[r] = '/';
  memcpy(t->real + r + 1, path + from, n - from);
  t->real[r + 1 + n - from] = 0;
  return 0;
}

static int resolve_path(hm_dir_target *t, const char *path, hm_err *err) {
  struct stat st;
  if (realpath(path, t->real)) {
    if (stat(t->real, &st) != 0)
      return hm_fs_fail(err, path, "look at it");
    if (!S_ISDIR(st.st_mode))
      return hm_fail(err, HM_E_OUTPUT, path, "it is not a folder",
                     "choose another folder for the output");
  } else if (errno != ENOENT) {
    return hm_fs_fail(err, path, "look at it");
  } else if (lstat(path, &st) == 0) {
    return hm_fail(err, HM_E_OUTPUT, path, "it is a symbolic link to nothing",
                   "remove the link or make its target");
  } else if (resolve_absent(t, path, err) != 0) {
    return -1;
  }
  t->base = strrchr(t->real, '/') + 1;
  if (!*t->base)
    return hm_fail(err, HM_E_OUTPUT, path, "the root folder cannot hold a mirror",
                   "choose another folder for the output");
  return 0;
}

static int open_parent(hm_dir_target *t, hm_err *err) {
  char head[PATH_MAX];
  size_t h = (size_t)(t->base - t->real);
  memcpy(head, t->real, h);
  head[h] = 0;
  t->parent = open(head, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return t->parent < 0 ? hm_fs_fail(err, head, "open the folder") : 0;
}

static bool is_left_over(const char *name, const char *base) {
  static const char mark[] = ".hmirror-";
  size_t n = strlen(base);
  if (strncmp(name, base, n) != 0 || strncmp(name + n, mark, sizeof mark - 1) != 0)
    return false;
  const char *digits = name + n + sizeof mark - 1;
  return *digits && strspn(digits, "0123456789") == strlen(digits);
}

static void remove_left_overs(hm_dir_target *t, hm_arena *a) {
  int fd = openat(t->parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *d = fd < 0 ? NULL : fdopendir(fd);
  if (!d) {
    if (fd >= 0)
      close(fd);
    return;
  }
  for (struct dirent *e; (e = readdir(d));)
    if (is_left_over(e->d_name, t->base))
      hm_dir_remove_old(t->parent, e->d_name, NULL, t->old, 1, a);
  closedir(d);
}

/* Resolves the path, makes missing parents, locks, removes left-overs of killed runs, opens. Close
 * it also after an error. */
static int target_open(hm_dir_target *t, const char *path, hm_arena *a, hm_err *err) {
  *t = (hm_dir_target){ .parent = -1, .old = -1, .lock.fd = -1 };
  char lock[NAME_MAX + 1], aside[NAME_MAX + 1];
  if (resolve_path(t, path, err) != 0 || open_parent(t, err) != 0)
    return -1;
  if (snprintf(lock, sizeof lock, "%s.hmirror-lock", t->base) >= (int)sizeof lock ||
      snprintf(t->temp, sizeof t->temp, "%s.hmirror-%ld", t->base, (long)getpid()) >=
          (int)sizeof t->temp) {
    errno = ENAMETOOLONG;
    return hm_fs_fail(err, path, "make a folder beside it");
  }
  if (hm_lock_take(&t->lock, t->parent, lock, path, HM_LOCK_WAIT_MS, err) != 0)
    return -1;
  /* A run without RENAME_EXCHANGE may have been killed between two renames. */
  if (snprintf(aside, sizeof aside, "%s.hmirror-0", t->base) < (int)sizeof aside &&
      faccessat(t->parent, t->base, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
    renameat(t->parent, aside, t->parent, t->base);
  t->old = openat(t->parent, t->base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (t->old < 0 && errno != ENOENT)
    return hm_fs_fail(err, path, "open the folder");
  remove_left_overs(t, a);
  return 0;
}

static void target_close(hm_dir_target *t) {
  hm_lock_release(&t->lock);
  if (t->old >= 0)
    close(t->old);
  if (t->parent >= 0)
    close(t->parent);
  t->old = t->parent = -1;
}

/* --- the swap ------------------------------------------------------------------- */

int hm_dir_swap_in_two(int parent, const char *temp, const char *base) {
  char aside[NAME_MAX + 1];
  if (snprintf(aside, sizeof aside, "%s.hmirror-0", base) >= (int)sizeof aside) {
    errno = ENAMETOOLONG;
    return -1;
  }
  if (renameat(parent, base, parent, aside) != 0)
    return -1;
  if (renameat(parent, temp, parent, base) != 0) {
    int eno = errno;
    renameat(parent, aside, parent, base);
    errno = eno;
    return -1;
  }
  return renameat(parent, aside, parent, temp);
}

static bool unsupported(int eno) { return eno == EINVAL || eno == ENOSYS || eno == EOPNOTSUPP; }

/* Swaps the temporary tree and the old one. */
static int swap_trees(const hm_dir_target *t, hm_err *err) {
  int rc;
  if (t->old < 0) {
    rc = renameat2(t->parent, t->temp, t->parent, t->base, RENAME_NOREPLACE);
    if (rc != 0 && unsupported(errno))
      rc = renameat(t->parent, t->temp, t->parent, t->base);
  } else {
    rc = renameat2(t->parent, t->temp, t->parent, t->base, RENAME_EXCHANGE);
    if (rc != 0 && unsupported(errno))
      rc = hm_dir_swap_in_two(t->parent, t->temp, t->base);
  }
  return rc == 0 ? 0 : hm_fs_fail(err, t->real, "put the new files in place");
}

/* --- the whole ----------------------------------------------------------------------------- */

static bool has_mode(const hm_dir_entry *e, mode_t mode) { return (e->st.st_mode & 07777) == mode; }

/* Lists our files that are as noted, and whether these are all of them. */
static void list_present(hm_dir *d) {
  hm_sink_files *s = &d->present;
  bool as_noted = true;
  s->files = hm_alloc_array(d->a, d->old.n, sizeof *s->files);
  for (size_t i = 0; i < d->old.n; i++) {
    const hm_dir_entry *e = &d->old.e[i];
    bool stands = e->noted && S_ISREG(e->st.st_mode) && has_mode(e, d->file_mode);
    if (!e->ours)
      continue;
    if (S_ISDIR(e->st.st_mode) ? !has_mode(e, d->folder_mode) : !e->noted)
      as_noted = false;
    if (stands)
      s->files[s->n++] = (hm_sink_file){ e->path, (uint64_t)e->st.st_size };
  }
  s->all = as_noted && s->n && s->n == d->opt.noted_files;
}

static int scan_folder(hm_dir *d, hm_err *err) {
  hm_dir_manifest m;
  hm_map_init(&d->old_at, d->a, 0);
  if (d->target.old < 0)
    return 0;
  if (hm_dir_scan_tree(d->target.old, d->path, d->a, &d->old, err) != 0)
    return -1;
  hm_dir_manifest_read(d->target.old, d->a, &m);
  if (!m.present && d->old.n)
    return hm_fail(err, HM_E_OUTPUT, d->path,
                   "the folder is not empty and has no manifest.json of hmirror",
                   "choose an empty folder, or empty this one");
  hm_dir_mark_ours(&d->old, &m);
  if (!d->opt.full)
    hm_dir_note_compare(&d->old, d->opt.note);
  for (size_t i = 0; i < d->old.n; i++)
    hm_map_add(&d->old_at, d->old.e[i].path, (uint32_t)i);
  list_present(d);
  return 0;
}

int hm_dir_open(const char *path, const hm_dir_options *opt, hm_dir **out, hm_err *err) {
  hm_dir *d = hm_xmalloc(sizeof *d);
  mode_t mask = umask(022);
  umask(mask); /* it cannot be asked for */
  *out = NULL;
  *d = (hm_dir){ .path = path,
                 .opt = *opt,
                 .a = hm_arena_new(),
                 .file_mode = (0666 & ~mask) | 0600,
                 .folder_mode = (0777 & ~mask) | 0700,
                 .target = { .parent = -1, .old = -1, .lock.fd = -1 } };
  atomic_init(&d->tree, -1);
  atomic_init(&d->failed, false);
  pthread_mutex_init(&d->lock, NULL);
  if (target_open(&d->target, path, d->a, err) != 0 || scan_folder(d, err) != 0) {
    hm_dir_close(d);
    return -1;
  }
  *out = d;
  return 0;
}

const hm_sink_files *hm_dir_present_files(const hm_dir *d) { return &d->present; }

void hm_dir_close(hm_dir *d) {
  if (!d)
    return;
  hm_dir_sync_stop(&d->sync);
  int tree = atomic_load(&d->tree);
  if (tree >= 0)
    close(tree);
  if (tree >= 0 && !d->swapped)
    hm_fs_remove(d->target.parent, d->target.temp);
  target_close(&d->target);
  pthread_mutex_destroy(&d->lock);
  hm_arena_free(d->a);
  free(d);
}

/* --- files ------------------------------------------------------------------- */

static int check_path(const hm_dir *d, hm_str path, hm_err *err) {
  if (hm_is_site_path(path))
    return 0;
  return hm_failf(err, HM_E_INTERNAL, d->path, NULL, "\"%.*s\" cannot be the name of a file",
                  HM_FMT(path));
}

static int put_file(hm_dir *d, const hm_file *f, hm_err *err) {
  if (check_path(d, f->path, err) != 0)
    return -1;
  uint32_t at = d->opt.full ? HM_MAP_NONE : hm_map_get(&d->old_at, f->path);
  if (at != HM_MAP_NONE && (d->old.e[at].same = hm_dir_has_bytes(d, &d->old.e[at], f)))
    return 0;
  return hm_dir_write(d, f->path, f->bytes, err);
}

int hm_dir_put_file(hm_dir *d, const hm_file *f, hm_err *err) {
  hm_err mine;
  if (!atomic_load(&d->failed) && put_file(d, f, &mine) == 0)
    return 0;
  pthread_mutex_lock(&d->lock);
  if (!atomic_load(&d->failed))
    d->err = mine;
  atomic_store(&d->failed, true);
  if (err)
    *err = d->err;
  pthread_mutex_unlock(&d->lock);
  return -1;
}

static int replace_folder(hm_dir *d, hm_dir_plan *plan, hm_err *err) {
  const hm_dir_target *t = &d->target;
  if (hm_dir_fill(d, plan, err) != 0 || swap_trees(t, err) != 0)
    return -1;
  d->swapped = true;
  int rc = 0;
  if (d->opt.durable && hm_fs_sync_dir(t->parent, ".") != 0)
    rc = hm_fs_fail(err, t->real, "bring the folder above to the disk");
  if (t->old >= 0)
    hm_dir_remove_old(t->parent, t->temp, &d->old, atomic_load(&d->tree), d->opt.threads, d->a);
  return rc;
}

int hm_dir_finish(hm_dir *d, const hm_site *s, hm_dir_counts *counts, hm_err *err) {
  hm_dir_plan plan;
  *counts = (hm_dir_counts){ 0 };
  for (size_t i = 0; i < s->n; i++)
    if (check_path(d, s->files[i].path, err) != 0)
      return -1;
  if (hm_dir_plan_make(d, s, &plan, err) != 0)
    return -1;
  if ((plan.changes || d->target.old < 0) && replace_folder(d, &plan, err) != 0)
    return -1;
  *counts = plan.counts;
  return 0;
}
