/* Publishes the files of a folder as they are, by the sink that hmirror publishes with:
 * publish_files FOLDER REPOSITORY. Beside a program that has the files already, too. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/base/par.h"
#include "gen/sink/git.h"

typedef struct { hm_arena *a; const char *root; hm_git *g; hm_file *f; size_t n, cap; } folder;

static void fail(const char *what) {
  perror(what);
  exit(2);
}

static void list(folder *d, const char *under) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", d->root, under);
  DIR *dir = opendir(path);
  if (!dir) fail(path);
  for (struct dirent *e; (e = readdir(dir));) {
    if (e->d_name[0] == '.' && (!e->d_name[1] || e->d_name[1] == '.')) continue;
    hm_str name = hm_str_fmt(d->a, "%s%s%s", under, *under ? "/" : "", e->d_name);
    if (e->d_type == DT_DIR) {
      list(d, name.p);
      continue;
    }
    if (d->n == d->cap)
      d->f = hm_xrealloc(d->f, (d->cap = d->cap ? 2 * d->cap : 1024) * sizeof *d->f);
    d->f[d->n++] = (hm_file){ .path = name };
  }
  closedir(dir);
}

static int put_one(void *ctx, size_t i, int worker) {
  folder *d = ctx;
  char path[4096];
  struct stat st;
  (void)worker;
  snprintf(path, sizeof path, "%s/%s", d->root, d->f[i].path.p);
  FILE *f = fopen(path, "rb");
  if (!f || fstat(fileno(f), &st)) fail(path);
  char *p = hm_xmalloc((size_t)st.st_size);
  if (fread(p, 1, (size_t)st.st_size, f) != (size_t)st.st_size) fail(path);
  fclose(f);
  d->f[i].bytes = (hm_str){ p, (size_t)st.st_size };
  if (hm_git_put_file(d->g, &d->f[i], &(hm_err){ 0 })) fail(path);
  d->f[i].bytes = (hm_str){ 0 };
  free(p);
  return 0;
}

static int by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_file *)x)->path, ((const hm_file *)y)->path);
}

int main(int argc, char **argv) {
  hm_err err;
  char line[1024];
  if (argc != 3) return 2;
  folder d = { .a = hm_arena_new(), .root = argv[1] };
  list(&d, "");
  qsort(d.f, d.n, sizeof *d.f, by_path);
  hm_site site = { .files = d.f, .n = d.n };
  hm_git_options opt = { .repo = argv[2],
                         .branch = "mirror",
                         .author_name = "b",
                         .author_email = "b@b",
                         .durable = true,
                         .threads = hm_par_cores() };
  hm_git_tip tip;
  hm_git_result done;
  if (hm_git_open(&opt, d.a, &d.g, &tip, &err) || hm_par_for(d.n, opt.threads, put_one, &d, NULL) ||
      hm_git_publish(d.g, &site, HM_STR("x\n\nMirror-Tool: bench\n"), &done, &err)) {
    hm_err_format_line(&err, line, sizeof line);
    fprintf(stderr, "publish_files: %s\n", line);
    return 2;
  }
  hm_git_close(d.g);
  return done.created ? 0 : 2;
}
