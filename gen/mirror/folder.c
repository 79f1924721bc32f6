#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "gen/mirror/files.h"

enum { DEEPEST = 16 };

typedef struct {
  hm_arena *a;
  char *root;          /* the folder without links; malloc */
  bool hidden;
  const hm_folder_limits *lim;
  hm_folder *out;
  size_t cap;
  hm_err *err;
} walk;

static int add(walk *w, const char *path, hm_str name) {
  if (w->out->n == w->lim->max_files)
    return hm_failf(w->err, HM_E_INPUT, path, "", "one file too many: at most %zu %s are read",
                    w->lim->max_files, w->lim->what);
  if (w->out->n == w->cap) {
    size_t cap = w->cap ? 2 * w->cap : 32;
    hm_folder_file *v = hm_alloc_array(w->a, cap, sizeof *v);
    if (w->out->n) memcpy(v, w->out->v, w->out->n * sizeof *v);
    w->out->v = v;
    w->cap = cap;
  }
  hm_folder_file *f = &w->out->v[w->out->n];
  *f = (hm_folder_file){ .name = name, .path = path };
  if (hm_file_read(w->a, path, w->lim->max_bytes, HM_E_INPUT, &f->bytes, w->err)) return -1;
  w->out->n++;
  return 0;
}

static bool passed_over(const walk *w, const char *name) {
  size_t n = strlen(name);
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return true;
  return (!w->hidden && name[0] == '.') || name[n - 1] == '~';
}

/* A link to a file elsewhere would publish what whoever made it only knew the name of. */
static bool leads_out(const walk *w, const char *path) {
  char *real = realpath(path, NULL);
  size_t n = strlen(w->root);
  bool out = !real || strncmp(real, w->root, n) != 0 || (real[n] != '/' && n > 1);
  free(real);
  return out;
}

static int enter(walk *w, const char *folder, const char *prefix, int depth);

static int visit(walk *w, const char *folder, const char *prefix, const char *entry, int depth) {
  const char *path = hm_path_join(w->a, folder, hm_str_dup(w->a, hm_str_c(entry)).p);
  hm_str name = hm_str_fmt(w->a, "%s%s", prefix, entry);
  struct stat link, st;
  if (lstat(path, &link) || stat(path, &st))
    return hm_fail(w->err, HM_E_INPUT, path, strerror(errno), hm_errno_fix(errno));
  if (S_ISLNK(link.st_mode) && S_ISREG(st.st_mode) && leads_out(w, path))
    return hm_fail(w->err, HM_E_INPUT, path, "a link to a file outside of its folder",
                   "put a copy there");
  if (S_ISREG(st.st_mode)) return add(w, path, name);
  if (!S_ISDIR(link.st_mode))
    return hm_fail(w->err, HM_E_INPUT, path, "neither a regular file nor a folder",
                   "move it elsewhere");
  return enter(w, path, hm_str_fmt(w->a, "%s/", name.p).p, depth + 1);
}

static int enter(walk *w, const char *folder, const char *prefix, int depth) {
  if (depth > DEEPEST)
    return hm_failf(w->err, HM_E_INPUT, folder, "", "folders are nested more than %d deep",
                    DEEPEST);
  DIR *d = opendir(folder);
  if (!d) return hm_fail(w->err, HM_E_INPUT, folder, strerror(errno), hm_errno_fix(errno));
  int rc = 0;
  struct dirent *e;
  while (!rc && (e = readdir(d)))
    if (!passed_over(w, e->d_name)) rc = visit(w, folder, prefix, e->d_name, depth);
  closedir(d);
  return rc;
}

static int by_name(const void *a, const void *b) {
  return hm_str_cmp(((const hm_folder_file *)a)->name, ((const hm_folder_file *)b)->name);
}

/* Who gives us a checkout must not choose what else of this machine is published. */
static bool is_link_out(hm_arena *a, const char *folder) {
  struct stat st;
  hm_str path = hm_str_c(folder);
  while (path.n > 1 && path.p[path.n - 1] == '/') path.n--;
  if (lstat(hm_str_z(a, path), &st) || !S_ISLNK(st.st_mode)) return false;
  const char *slash = memrchr(path.p, '/', path.n);
  hm_str parent = slash ? hm_str_sub(path, 0, (size_t)(slash - path.p) + 1) : HM_STR(".");
  char *above = realpath(hm_str_z(a, parent), NULL), *real = realpath(folder, NULL);
  size_t n = above ? strlen(above) : 0;
  bool out = !above || !real || strncmp(real, above, n) != 0 || (n > 1 && real[n] != '/');
  free(above);
  free(real);
  return out;
}

int hm_folder_read(hm_arena *a, const char *folder, bool must, bool hidden,
                   const hm_folder_limits *lim, hm_folder *out, hm_err *err) {
  walk w = { .a = a, .hidden = hidden, .lim = lim, .out = out, .err = err };
  struct stat st;
  *out = (hm_folder){ 0 };
  if (stat(folder, &st)) {
    if (errno == ENOENT && !must) return 0;
    return hm_fail(err, HM_E_INPUT, folder, strerror(errno), hm_errno_fix(errno));
  }
  if (!S_ISDIR(st.st_mode)) return hm_fail(err, HM_E_INPUT, folder, "not a folder", NULL);
  if (is_link_out(a, folder))
    return hm_fail(err, HM_E_INPUT, folder,
                   "a link to a folder outside of the one that it stands in",
                   "name that folder itself in mirror.yml, or put a copy there");
  w.root = realpath(folder, NULL);
  if (!w.root) return hm_fail(err, HM_E_INPUT, folder, strerror(errno), hm_errno_fix(errno));
  int rc = enter(&w, folder, "", 1);
  free(w.root);
  if (rc) return -1;
  if (out->n) qsort(out->v, out->n, sizeof *out->v, by_name);
  return 0;
}
