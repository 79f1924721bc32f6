/* What the tests of the directory sink share: sites made by hand, and a folder to work in. */
#ifndef GEN_SINK_DIR_HELP_H
#define GEN_SINK_DIR_HELP_H
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "gen/sink/dir.h"
#include "gen/sink/dir_impl.h"

/* --- sites made by hand --------------------------------------------------- */

typedef struct { hm_arena *a; hm_file files[4096]; size_t n; hm_site site; } maker;

static int by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_file *)x)->path, ((const hm_file *)y)->path);
}

static inline void put(maker *m, const char *path, const char *bytes) {
  m->files[m->n++] = (hm_file){ .path = hm_str_dup(m->a, hm_str_c(path)),
                                .bytes = hm_str_dup(m->a, hm_str_c(bytes)) };
}

static inline const hm_site *seal(maker *m) {
  hm_buf b = { 0 };
  hm_buf_c(&b, "{\"tool\":\"hmirror test\",\"files\":[");
  for (size_t i = 0; i < m->n; i++)
    hm_buf_fmt(&b, "%s{\"path\":\"%s\"}", i ? "," : "", m->files[i].path.p);
  hm_buf_c(&b, "]}");
  m->files[m->n++] = (hm_file){ .path = HM_STR("manifest.json"), .bytes = hm_buf_copy(&b, m->a) };
  hm_buf_free(&b);
  qsort(m->files, m->n, sizeof *m->files, by_path);
  m->site = (hm_site){ .files = m->files, .n = m->n };
  return &m->site;
}

static inline maker *maker_new(void) {
  maker *m = calloc(1, sizeof *m);
  m->a = hm_arena_new();
  return m;
}

static inline void maker_free(maker *m) {
  hm_arena_free(m->a);
  free(m);
}

static inline maker *basic(const char *index) {
  maker *m = maker_new();
  put(m, ".nojekyll", "");
  put(m, "README.md", index);
  put(m, "projects/p05/README.md", "overview");
  put(m, "projects/p05/decisions.md", "log");
  seal(m);
  return m;
}

/* --- a folder to work in --------------------------------------------------- */

typedef struct { char root[64]; char out[80]; } place;

static inline int setup_in(const char *folder, void **state) {
  place *p = calloc(1, sizeof *p);
  snprintf(p->root, sizeof p->root, "%s/hmirror-dir-XXXXXX", folder);
  if (!mkdtemp(p->root)) return -1;
  snprintf(p->out, sizeof p->out, "%s/public", p->root);
  *state = p;
  return 0;
}

static inline int setup(void **state) { return setup_in("/tmp", state); }

static int rm_one(const char *path, const struct stat *st, int type, struct FTW *f) {
  (void)st, (void)type, (void)f;
  return remove(path);
}

static inline int teardown(void **state) {
  place *p = *state;
  nftw(p->root, rm_one, 16, FTW_DEPTH | FTW_PHYS);
  free(p);
  return 0;
}

static inline const char *at(const place *p, const char *rel) {
  static char path[8][256];
  static int turn;
  char *out = path[turn++ % 8];
  snprintf(out, sizeof path[0], "%s/%s", p->out, rel);
  return out;
}

static inline char *slurp(const char *path) {
  static char text[4096];
  int fd = open(path, O_RDONLY);
  if (fd < 0) return NULL;
  ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  text[n > 0 ? n : 0] = 0;
  return text;
}

static inline void spit(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), strlen(text));
  close(fd);
}

static inline struct stat look_at(const char *path) {
  struct stat st;
  assert_int_equal(lstat(path, &st), 0);
  return st;
}

static inline bool same_file(struct stat a, struct stat b) {
  return a.st_ino == b.st_ino && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
      a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

static inline size_t entries(const char *dir) {
  size_t n = 0;
  DIR *d = opendir(dir);
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) n++;
  closedir(d);
  return n;
}

/* Some files are put before the site is complete, some come with it. */
static inline int into(const hm_site *s, const char *path, bool durable, int threads,
                       hm_dir_counts *c, hm_err *err) {
  hm_dir_options opt = { .durable = durable, .threads = threads };
  hm_dir *d;
  *c = (hm_dir_counts){ 0 };
  if (hm_dir_open(path, &opt, &d, err) != 0) return -1;
  hm_file *files = calloc(s->n + 1, sizeof *files);
  int rc = 0;
  for (size_t i = 0; i < s->n; i++) {
    files[i] = s->files[i];
    if (i % 3 == 0 || hm_str_is(files[i].path, "manifest.json")) continue;
    if (rc == 0) rc = hm_dir_put_file(d, &files[i], err);
    files[i].bytes.p = NULL;
  }
  hm_site rest = { .files = files, .n = s->n };
  if (rc == 0) rc = hm_dir_finish(d, &rest, c, err);
  hm_dir_close(d);
  free(files);
  return rc;
}

static inline hm_dir_counts sink(const hm_site *s, const char *path) {
  hm_dir_counts c;
  hm_err err = { 0 };
  if (into(s, path, false, 4, &c, &err) != 0) {
    char line[2048];
    hm_err_format_line(&err, line, sizeof line);
    fail_msg("%s", line);
  }
  return c;
}

static inline hm_err refused(const hm_site *s, const char *path) {
  hm_dir_counts c;
  hm_err err = { 0 };
  assert_int_equal(into(s, path, false, 4, &c, &err), -1);
  return err;
}
#endif
