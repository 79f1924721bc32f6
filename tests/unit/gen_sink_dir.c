/* The directory sink: all of the site or nothing, and nobody else's files lost. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/par.h"
#include "gen/sink/dir.h"
#include "gen/sink/dir_impl.h"

/* --- sites made by hand --------------------------------------------------- */

typedef struct { hm_arena *a; hm_file files[4096]; size_t n; hm_site site; } maker;

static int by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_file *)x)->path, ((const hm_file *)y)->path);
}

static void put(maker *m, const char *path, const char *bytes) {
  m->files[m->n++] = (hm_file){ .path = hm_str_dup(m->a, hm_str_c(path)), .bytes = hm_str_dup(m->a, hm_str_c(bytes)) };
}

static const hm_site *seal(maker *m) {
  hm_buf b = { 0 };
  hm_buf_c(&b, "{\"tool\":\"hmirror test\",\"files\":[");
  for (size_t i = 0; i < m->n; i++) hm_buf_fmt(&b, "%s{\"path\":\"%s\"}", i ? "," : "", m->files[i].path.p);
  hm_buf_c(&b, "]}");
  m->files[m->n++] = (hm_file){ .path = HM_STR("manifest.json"), .bytes = hm_buf_keep(&b, m->a) };
  hm_buf_free(&b);
  qsort(m->files, m->n, sizeof *m->files, by_path);
  m->site = (hm_site){ .files = m->files, .n = m->n };
  return &m->site;
}

static maker *maker_new(void) {
  maker *m = calloc(1, sizeof *m);
  m->a = hm_arena_new();
  return m;
}

static void maker_free(maker *m) {
  hm_arena_free(m->a);
  free(m);
}

static maker *basic(const char *index) {
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

static int setup(void **state) {
  place *p = calloc(1, sizeof *p);
  strcpy(p->root, "/tmp/hmirror-dir-XXXXXX");
  if (!mkdtemp(p->root)) return -1;
  snprintf(p->out, sizeof p->out, "%s/public", p->root);
  *state = p;
  return 0;
}

static int rm_one(const char *path, const struct stat *st, int type, struct FTW *f) {
  (void)st, (void)type, (void)f;
  return remove(path);
}

static int teardown(void **state) {
  place *p = *state;
  nftw(p->root, rm_one, 16, FTW_DEPTH | FTW_PHYS);
  free(p);
  return 0;
}

static const char *at(const place *p, const char *rel) {
  static char path[8][256];
  static int turn;
  char *out = path[turn++ % 8];
  snprintf(out, sizeof path[0], "%s/%s", p->out, rel);
  return out;
}

static char *slurp(const char *path) {
  static char text[4096];
  int fd = open(path, O_RDONLY);
  if (fd < 0) return NULL;
  ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  text[n > 0 ? n : 0] = 0;
  return text;
}

static void spit(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), strlen(text));
  close(fd);
}

static struct stat look_at(const char *path) {
  struct stat st;
  assert_int_equal(lstat(path, &st), 0);
  return st;
}

static bool same_file(struct stat a, struct stat b) {
  return a.st_ino == b.st_ino && a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

static size_t entries(const char *dir) {
  size_t n = 0;
  DIR *d = opendir(dir);
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d));)
    if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) n++;
  closedir(d);
  return n;
}

/* Some files are put before the site is complete, some come with it. */
static int into(const hm_site *s, const char *path, bool durable, int threads, hm_dir_counts *c, hm_err *err) {
  hm_dir_options opt = { .durable = durable, .threads = threads };
  hm_dir *d;
  *c = (hm_dir_counts){ 0 };
  if (hm_dir_open(path, &opt, &d, err) != 0) return -1;
  hm_file *files = calloc(s->n + 1, sizeof *files);
  int rc = 0;
  for (size_t i = 0; i < s->n; i++) {
    files[i] = s->files[i];
    if (i % 3 == 0 || hm_str_is(files[i].path, "manifest.json")) continue;
    if (rc == 0) rc = hm_dir_put(d, &files[i], err);
    files[i].bytes.p = NULL;
  }
  hm_site rest = { .files = files, .n = s->n };
  if (rc == 0) rc = hm_dir_finish(d, &rest, c, err);
  hm_dir_close(d);
  free(files);
  return rc;
}

static hm_dir_counts sink(const hm_site *s, const char *path) {
  hm_dir_counts c;
  hm_err err = { 0 };
  if (into(s, path, false, 4, &c, &err) != 0) {
    char line[2048];
    hm_err_line(&err, line, sizeof line);
    fail_msg("%s", line);
  }
  return c;
}

static hm_err refused(const hm_site *s, const char *path) {
  hm_dir_counts c;
  hm_err err = { 0 };
  assert_int_equal(into(s, path, false, 4, &c, &err), -1);
  return err;
}

/* --- tests ------------------------------------------------------------------ */

static void first_build(void **state) {
  place *p = *state;
  maker *m = basic("one");
  char deep[128];
  snprintf(deep, sizeof deep, "%s/a/b/c", p->root);
  hm_dir_counts c = sink(&m->site, deep);
  assert_int_equal(c.written, 5);
  assert_int_equal(c.kept + c.removed, 0);
  c = sink(&m->site, p->out);
  assert_int_equal(c.written, 5);
  assert_string_equal(slurp(at(p, "projects/p05/decisions.md")), "log");
  assert_int_equal(look_at(at(p, ".nojekyll")).st_size, 0);
  assert_int_equal(entries(p->root), 2);   /* no lock, no temporary tree left */
  maker_free(m);
}

static void empty_folder_is_taken(void **state) {
  place *p = *state;
  maker *m = basic("one");
  assert_int_equal(mkdir(p->out, 0700), 0);
  sink(&m->site, p->out);
  assert_int_equal(look_at(p->out).st_mode & 07777, 0755);
  assert_int_equal(entries(p->root), 1);
  maker_free(m);
}

static void unchanged_keeps_inode_and_time(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = basic("two");
  sink(&m->site, p->out);
  struct stat kept = look_at(at(p, "projects/p05/README.md")), changed = look_at(at(p, "README.md"));
  hm_dir_counts c = sink(&n->site, p->out);
  assert_int_equal(c.written, 1);
  assert_int_equal(c.kept, 4);
  assert_true(same_file(kept, look_at(at(p, "projects/p05/README.md"))));
  assert_false(same_file(changed, look_at(at(p, "README.md"))));
  assert_string_equal(slurp(at(p, "README.md")), "two");
  assert_int_equal(entries(p->root), 1);
  maker_free(m);
  maker_free(n);
}

static void nothing_changed_writes_nothing(void **state) {
  place *p = *state;
  maker *m = basic("one");
  sink(&m->site, p->out);
  struct stat dir = look_at(p->out), root = look_at(p->root);
  hm_dir_counts c = sink(&m->site, p->out);
  assert_int_equal(c.written + c.removed, 0);
  assert_int_equal(c.kept, 5);
  assert_true(same_file(dir, look_at(p->out)));   /* the folder was not swapped */
  assert_int_equal(root.st_ino, look_at(p->root).st_ino);
  maker_free(m);
}

static void hand_edit_is_restored(void **state) {
  place *p = *state;
  maker *m = basic("one");
  sink(&m->site, p->out);
  spit(at(p, "README.md"), "ONE");   /* same size */
  chmod(at(p, "projects/p05/decisions.md"), 0666);
  unlink(at(p, ".nojekyll"));
  hm_dir_counts c = sink(&m->site, p->out);
  assert_int_equal(c.written, 3);
  assert_string_equal(slurp(at(p, "README.md")), "one");
  assert_int_equal(look_at(at(p, "projects/p05/decisions.md")).st_mode & 07777, 0644);
  assert_int_equal(access(at(p, ".nojekyll"), F_OK), 0);
  maker_free(m);
}

static void removed_file_is_removed(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = maker_new();
  put(n, "README.md", "one");
  seal(n);
  sink(&m->site, p->out);
  hm_dir_counts c = sink(&n->site, p->out);
  assert_int_equal(c.removed, 3);
  assert_int_equal(entries(p->out), 2);   /* the folders of what went are gone too */
  maker_free(m);
  maker_free(n);
}

static void foreign_files_survive(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = maker_new();
  put(n, "README.md", "two");
  seal(n);
  sink(&m->site, p->out);
  spit(at(p, "CNAME"), "example.org");
  spit(at(p, "projects/p05/mine.txt"), "mine");
  mkdir(at(p, "notes"), 0750);
  mkdir(at(p, "notes/empty"), 0700);
  spit(at(p, "notes/todo"), "todo");
  assert_int_equal(symlink("/etc/passwd", at(p, "notes/link")), 0);
  assert_int_equal(mkfifo(at(p, "notes/pipe"), 0600), 0);
  struct stat cname = look_at(at(p, "CNAME")), notes = look_at(at(p, "notes"));
  sink(&n->site, p->out);
  assert_true(same_file(cname, look_at(at(p, "CNAME"))));
  assert_string_equal(slurp(at(p, "projects/p05/mine.txt")), "mine");
  assert_int_not_equal(access(at(p, "projects/p05/decisions.md"), F_OK), 0);
  assert_string_equal(slurp(at(p, "notes/todo")), "todo");
  assert_true(S_ISLNK(look_at(at(p, "notes/link")).st_mode));
  assert_true(S_ISFIFO(look_at(at(p, "notes/pipe")).st_mode));
  assert_int_equal(look_at(at(p, "notes")).st_mode, notes.st_mode);
  assert_int_equal(look_at(at(p, "notes")).st_mtim.tv_nsec, notes.st_mtim.tv_nsec);
  assert_int_equal(look_at(at(p, "notes/empty")).st_mode & 07777, 0700);
  assert_int_equal(entries(p->root), 1);
  maker_free(m);
  maker_free(n);
}

static void foreign_folder_is_refused(void **state) {
  place *p = *state;
  maker *m = basic("one");
  mkdir(p->out, 0755);
  spit(at(p, "thesis.tex"), "years of work");
  assert_int_equal(refused(&m->site, p->out).code, HM_E_OUTPUT);
  spit(at(p, "manifest.json"), "{\"name\":\"an app\",\"files\":[{\"path\":\"thesis.tex\"}]}");
  assert_int_equal(refused(&m->site, p->out).code, HM_E_OUTPUT);
  spit(at(p, "manifest.json"), "{\"tool\":\"hmirror");   /* cut short */
  assert_int_equal(refused(&m->site, p->out).code, HM_E_OUTPUT);
  assert_string_equal(slurp(at(p, "thesis.tex")), "years of work");
  assert_int_equal(entries(p->out), 2);
  assert_int_equal(entries(p->root), 1);
  maker_free(m);
}

static void foreign_file_in_the_way_is_refused(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = maker_new(), *o = maker_new();
  put(n, "notes", "a file of ours");
  seal(n);
  put(o, "CNAME/x", "a folder of ours");
  seal(o);
  sink(&m->site, p->out);
  mkdir(at(p, "notes"), 0755);
  spit(at(p, "notes/todo"), "todo");
  spit(at(p, "CNAME"), "example.org");
  hm_err err = refused(&n->site, p->out);
  assert_int_equal(err.code, HM_E_OUTPUT);
  assert_non_null(strstr(err.why, "notes"));
  err = refused(&o->site, p->out);
  assert_non_null(strstr(err.why, "CNAME"));
  assert_string_equal(slurp(at(p, "README.md")), "one");   /* all or nothing */
  assert_string_equal(slurp(at(p, "notes/todo")), "todo");
  maker_free(m);
  maker_free(n);
  maker_free(o);
}

static void file_becomes_folder_and_back(void **state) {
  place *p = *state;
  maker *m = maker_new(), *n = maker_new();
  put(m, "a", "file");
  seal(m);
  put(n, "a/b/c", "deeper");
  seal(n);
  sink(&m->site, p->out);
  sink(&n->site, p->out);
  assert_string_equal(slurp(at(p, "a/b/c")), "deeper");
  sink(&m->site, p->out);
  assert_string_equal(slurp(at(p, "a")), "file");
  maker_free(m);
  maker_free(n);
}

static void umask_does_not_matter(void **state) {
  place *p = *state;
  maker *m = basic("one");
  mode_t old = umask(0777);
  sink(&m->site, p->out);
  umask(old);
  assert_int_equal(look_at(at(p, "README.md")).st_mode & 07777, 0644);
  assert_int_equal(look_at(at(p, "projects/p05")).st_mode & 07777, 0755);
  assert_int_equal(look_at(p->out).st_mode & 07777, 0755);
  maker_free(m);
}

static void symlinks_do_not_redirect(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = basic("two");
  char victim[128], elsewhere[128];
  snprintf(victim, sizeof victim, "%s/victim", p->root);
  snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", p->root);
  spit(victim, "one");
  sink(&m->site, p->out);
  /* a file of ours replaced by a link to something with the very bytes */
  unlink(at(p, "README.md"));
  assert_int_equal(symlink(victim, at(p, "README.md")), 0);
  sink(&m->site, p->out);
  assert_true(S_ISREG(look_at(at(p, "README.md")).st_mode));
  assert_string_equal(slurp(victim), "one");
  assert_int_equal(look_at(victim).st_nlink, 1);
  /* a folder of ours replaced by a link */
  mkdir(elsewhere, 0755);
  rename(at(p, "projects/p05"), at(p, "../elsewhere/p05"));
  rmdir(at(p, "projects"));
  assert_int_equal(symlink(elsewhere, at(p, "projects")), 0);
  assert_int_equal(refused(&n->site, p->out).code, HM_E_OUTPUT);
  unlink(at(p, "projects"));
  sink(&n->site, p->out);
  assert_string_equal(slurp(at(p, "projects/p05/README.md")), "overview");
  assert_string_equal(slurp(at(p, "../elsewhere/p05/README.md")), "overview");
  maker_free(m);
  maker_free(n);
}

static void path_may_be_a_symlink(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = basic("two");
  char link[128];
  snprintf(link, sizeof link, "%s/current", p->root);
  sink(&m->site, p->out);
  assert_int_equal(symlink("public", link), 0);
  sink(&n->site, link);
  assert_true(S_ISLNK(look_at(link).st_mode));
  assert_string_equal(slurp(at(p, "README.md")), "two");
  unlink(link);
  assert_int_equal(symlink("nowhere", link), 0);
  assert_int_equal(refused(&n->site, link).code, HM_E_OUTPUT);
  assert_int_equal(refused(&n->site, at(p, "README.md")).code, HM_E_OUTPUT);
  maker_free(m);
  maker_free(n);
}

static void bad_names_are_refused(void **state) {
  place *p = *state;
  static const char *const bad[] = { "../x", "/etc/x", "a//b", "a/./b", ".git/config", "a/.GIT/b", "a b", "\xc3\xa4", "a/", "" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    maker *m = maker_new();
    put(m, bad[i], "x");
    seal(m);
    assert_int_equal(refused(&m->site, p->out).code, HM_E_INTERNAL);
    maker_free(m);
  }
  assert_int_equal(entries(p->root), 0);
}

static void hostile_manifest_removes_nothing_else(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = basic("two");
  char victim[128];
  snprintf(victim, sizeof victim, "%s/victim", p->root);
  spit(victim, "mine");
  sink(&m->site, p->out);
  spit(at(p, "manifest.json"), "{\"tool\":\"hmirror 9\",\"files\":[{\"path\":\"../victim\"},{\"path\":\"/etc/passwd\"},{\"path\":7},3,"
                               "{\"path\":\"README.md\"},{\"path\":\".nojekyll\"},{\"path\":\"projects/p05/README.md\"},"
                               "{\"path\":\"projects/p05/decisions.md\"}]}");
  sink(&n->site, p->out);
  assert_string_equal(slurp(victim), "mine");
  assert_string_equal(slurp(at(p, "README.md")), "two");
  maker_free(m);
  maker_free(n);
}

static void failure_leaves_the_target_alone(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = maker_new();
  put(n, "a", "file");
  put(n, "a/b", "and folder: cannot both be");
  seal(n);
  sink(&m->site, p->out);
  struct stat before = look_at(p->out);
  assert_int_equal(refused(&n->site, p->out).code, HM_E_OUTPUT);
  assert_true(same_file(before, look_at(p->out)));
  assert_string_equal(slurp(at(p, "README.md")), "one");
  assert_int_equal(entries(p->root), 1);
  maker_free(m);
  maker_free(n);
}

/* A build that ends between the first file and the last leaves nothing. */
static void unfinished_leaves_nothing(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = basic("two");
  hm_dir_options opt = { .durable = true, .threads = 1 };
  hm_dir *d;
  hm_err err = { 0 };
  sink(&m->site, p->out);
  assert_int_equal(hm_dir_open(p->out, &opt, &d, &err), 0);
  for (size_t i = 0; i < n->n; i++) assert_int_equal(hm_dir_put(d, &n->files[i], &err), 0);
  assert_int_equal(entries(p->root), 3);   /* the folder, the lock, the new tree */
  hm_dir_close(d);
  assert_string_equal(slurp(at(p, "README.md")), "one");
  assert_int_equal(entries(p->root), 1);
  maker_free(m);
  maker_free(n);
}

static void a_file_that_fails_fails_them_all(void **state) {
  place *p = *state;
  hm_dir_options opt = { .threads = 1 };
  hm_file file = { .path = HM_STR("a"), .bytes = HM_STR("x") }, below = { .path = HM_STR("a/b"), .bytes = HM_STR("x") };
  hm_file fine = { .path = HM_STR("c"), .bytes = HM_STR("x") }, outside = { .path = HM_STR("../c"), .bytes = HM_STR("x") };
  hm_dir *d;
  hm_err err, again;
  assert_int_equal(hm_dir_open(p->out, &opt, &d, &err), 0);
  assert_int_equal(hm_dir_put(d, &file, &err), 0);
  assert_int_equal(hm_dir_put(d, &below, &err), -1);
  assert_int_equal(err.code, HM_E_OUTPUT);
  assert_non_null(strstr(err.what, "public/a/b"));
  assert_int_equal(hm_dir_put(d, &fine, &again), -1);
  assert_string_equal(again.what, err.what);
  hm_dir_close(d);
  assert_int_equal(hm_dir_open(p->out, &opt, &d, &err), 0);
  assert_int_equal(hm_dir_put(d, &outside, &err), -1);
  assert_int_equal(err.code, HM_E_INTERNAL);
  hm_dir_close(d);
  assert_int_equal(entries(p->root), 0);
}

typedef struct { hm_dir *d; maker *m; } putting;

static int put_one(void *ctx, size_t i, int worker) {
  const putting *w = ctx;
  (void)worker;
  return hm_dir_put(w->d, &w->m->files[i], NULL);
}

/* Deep folders that all threads need at once, and enough bytes for the disk to be called on the way. */
static void many_threads_may_put(void **state) {
  place *p = *state;
  enum { N = 600, BYTES = 256 << 10 };
  maker *m = maker_new();
  hm_dir_options opt = { .durable = true, .threads = 4 };
  hm_dir_counts c;
  hm_dir *d;
  hm_err err;
  char name[64], *bytes = hm_alloc(m->a, BYTES + 1);
  memset(bytes, 'x', BYTES);
  for (int i = 0; i < N; i++) {
    snprintf(name, sizeof name, "p%d/q%d/r/f%d", i % 5, i % 3, i);
    put(m, name, i % 4 ? name : bytes);
  }
  assert_int_equal(hm_dir_open(p->out, &opt, &d, &err), 0);
  assert_int_equal(hm_par_for(m->n, 8, put_one, &(putting){ d, m }, NULL), 0);
  for (size_t i = 0; i < N; i++) m->files[i].bytes.p = NULL;
  seal(m);
  assert_int_equal(hm_dir_finish(d, &m->site, &c, &err), 0);
  hm_dir_close(d);
  assert_int_equal(c.written, N + 1);
  assert_int_equal(look_at(at(p, "p0/q1/r/f400")).st_size, BYTES);
  assert_string_equal(slurp(at(p, "p4/q2/r/f599")), "p4/q2/r/f599");
  maker_free(m);
}

static void durable_too(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = maker_new();
  hm_dir_counts c;
  hm_err err = { 0 };
  char name[32];
  assert_int_equal(into(&m->site, p->out, true, 1, &c, &err), 0);
  for (int i = 0; i < 200; i++) {   /* past the point where single files are synced */
    snprintf(name, sizeof name, "d%d/f%d", i % 7, i);
    put(n, name, name);
  }
  seal(n);
  assert_int_equal(into(&n->site, p->out, true, 4, &c, &err), 0);
  assert_string_equal(slurp(at(p, "d3/f10")), "d3/f10");
  maker_free(m);
  maker_free(n);
}

static void two_renames_do_as_well(void **state) {
  place *p = *state;
  maker *m = basic("one");
  sink(&m->site, p->out);
  int dir = open(p->root, O_RDONLY | O_DIRECTORY);
  assert_int_equal(mkdirat(dir, "new", 0755), 0);
  assert_int_equal(hm_dir_swap_in_two(dir, "new", "public"), 0);
  assert_int_equal(entries(p->out), 0);
  assert_int_equal(faccessat(dir, "new/README.md", F_OK, 0), 0);
  assert_int_equal(hm_dir_swap_in_two(dir, "absent", "public"), -1);   /* undone */
  assert_int_equal(errno, ENOENT);
  assert_int_equal(entries(p->out), 0);
  /* killed between the two: the next run puts the old tree back first */
  assert_int_equal(rmdir(p->out), 0);
  assert_int_equal(renameat(dir, "new", dir, "public.hmirror-0"), 0);
  hm_dir_counts c = sink(&m->site, p->out);
  assert_int_equal(c.kept, 5);
  assert_int_equal(entries(p->root), 1);
  close(dir);
  maker_free(m);
}

/* A file that appears in the old tree while the new one is made is not lost. */
static void latecomers_are_saved(void **state) {
  place *p = *state;
  maker *m = basic("one");
  hm_arena *a = hm_arena_new();
  hm_dir_scan none = { 0 };
  sink(&m->site, p->out);
  spit(at(p, "late.txt"), "late");
  mkdir(at(p, "x"), 0755);
  spit(at(p, "x/late.txt"), "late too");
  int dir = open(p->root, O_RDONLY | O_DIRECTORY);
  for (int killed = 0; killed < 2; killed++) {
    assert_int_equal(renameat(dir, "public", dir, "public.hmirror-77"), 0);
    assert_int_equal(mkdirat(dir, "public", 0755), 0);
    int now = openat(dir, "public", O_RDONLY | O_DIRECTORY);
    hm_dir_retire(dir, "public.hmirror-77", killed ? NULL : &none, now, 2, a);
    close(now);
    assert_string_equal(slurp(at(p, "x/late.txt")), "late too");
    assert_string_equal(slurp(at(p, "late.txt")), "late");
    assert_int_equal(entries(p->out), 2);
    assert_int_equal(entries(p->root), 1);
    spit(at(p, "manifest.json"), "{\"tool\":\"hmirror test\",\"files\":[]}");
  }
  close(dir);
  hm_arena_free(a);
  maker_free(m);
}

/* One whose place is taken waits, with the tree that it is in, for a run that can move it. */
static void latecomers_wait(void **state) {
  place *p = *state;
  maker *m = basic("one");
  hm_arena *a = hm_arena_new();
  hm_dir_scan none = { 0 };
  sink(&m->site, p->out);
  mkdir(at(p, "x"), 0755);
  spit(at(p, "x/late.txt"), "late");
  int dir = open(p->root, O_RDONLY | O_DIRECTORY);
  assert_int_equal(renameat(dir, "public", dir, "public.hmirror-77"), 0);
  assert_int_equal(mkdirat(dir, "public", 0755), 0);
  spit(at(p, "x"), "no folder");
  int now = openat(dir, "public", O_RDONLY | O_DIRECTORY);
  for (int run = 0; run < 2; run++) {
    hm_dir_retire(dir, "public.hmirror-77", run ? NULL : &none, now, 2, a);
    assert_int_equal(faccessat(dir, "public.hmirror-77/x/late.txt", F_OK, 0), 0);
    assert_int_equal(faccessat(dir, "public.hmirror-77/README.md", F_OK, 0), -1);
  }
  assert_int_equal(unlinkat(now, "x", 0), 0);
  hm_dir_retire(dir, "public.hmirror-77", NULL, now, 2, a);
  assert_string_equal(slurp(at(p, "x/late.txt")), "late");
  assert_int_equal(entries(p->root), 1);
  close(now);
  close(dir);
  hm_arena_free(a);
  maker_free(m);
}

static void lock_keeps_two_apart(void **state) {
  place *p = *state;
  hm_lock one, two;
  hm_err err;
  int dir = open(p->root, O_RDONLY | O_DIRECTORY);
  assert_int_equal(hm_lock_take(&one, dir, "x.lock", "x", 0, &err), 0);
  assert_false(one.died);
  assert_int_equal(hm_lock_take(&two, dir, "x.lock", "x", 50, &err), -1);
  assert_int_equal(err.code, HM_E_BUSY);
  char pid[32];
  snprintf(pid, sizeof pid, "process %ld", (long)getpid());
  assert_non_null(strstr(err.why, pid));
  hm_lock_release(&two);   /* not taken: nothing happens */
  assert_int_equal(entries(p->root), 1);
  hm_lock_release(&one);
  assert_int_equal(entries(p->root), 0);
  /* a holder that died is known, and keeps nobody out */
  assert_int_equal(hm_lock_take(&one, dir, "x.lock", "x", 0, &err), 0);
  close(one.fd);
  assert_int_equal(hm_lock_take(&two, dir, "x.lock", "x", 0, &err), 0);
  assert_true(two.died);
  hm_lock_release(&two);
  assert_int_equal(symlinkat("/etc/passwd", dir, "x.lock"), 0);
  assert_int_equal(hm_lock_take(&one, dir, "x.lock", "x", 0, &err), -1);
  assert_int_equal(err.code, HM_E_OUTPUT);
  close(dir);
}

static maker *many(const char *mark) {
  maker *m = maker_new();
  char name[64], text[64];
  for (int i = 0; i < 400; i++) {
    snprintf(name, sizeof name, "projects/p%d/page-%d.md", i % 10, i);
    snprintf(text, sizeof text, "%d %s", i, i % 3 ? mark : "same");
    put(m, name, text);
  }
  put(m, mark, "only in this one");
  seal(m);
  return m;
}

static bool tree_is(const place *p, const maker *m) {
  size_t n = 0;
  for (size_t i = 0; i < m->n; i++) {
    char *text = slurp(at(p, m->files[i].path.p));
    if (!text) return false;
    if (hm_str_is(m->files[i].path, "manifest.json")) continue;
    if (!hm_str_is(m->files[i].bytes, text)) return false;
    n++;
  }
  return n == m->n - 1;
}

static void kill_at_any_moment(void **state) {
  place *p = *state;
  maker *both[2] = { many("one"), many("two") };
  uint64_t seed = 42;
  sink(&both[0]->site, p->out);
  spit(at(p, "CNAME"), "example.org");
  int killed = 0;
  for (int i = 0; i < 60; i++) {
    pid_t child = fork();
    if (child == 0) {
      hm_dir_counts c;
      for (int k = 1;; k = !k) into(&both[k]->site, p->out, false, 2, &c, NULL);
    }
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    usleep((useconds_t)(seed >> 33) % 30000);
    kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    killed += WIFSIGNALED(status);
    bool one = tree_is(p, both[0]), two = tree_is(p, both[1]);
    assert_int_equal(one + two, 1);
    assert_string_equal(slurp(at(p, "CNAME")), "example.org");
    if (i % 5 == 4) {   /* left-overs of several runs */
      sink(&both[one]->site, p->out);
      assert_true(tree_is(p, both[one]));
      assert_int_equal(entries(p->root), 1);
      assert_string_equal(slurp(at(p, "CNAME")), "example.org");
    }
  }
  assert_int_equal(killed, 60);
  maker_free(both[0]);
  maker_free(both[1]);
}

/* Readers see one of the two sites at every moment. */
static void readers_never_see_half(void **state) {
  place *p = *state;
  maker *both[2] = { many("one"), many("two") };
  sink(&both[0]->site, p->out);
  pid_t child = fork();
  if (child == 0) {
    hm_dir_counts c;
    for (int k = 1;; k = !k) into(&both[k]->site, p->out, false, 2, &c, NULL);
  }
  struct timespec t0, t;
  clock_gettime(CLOCK_MONOTONIC, &t0);
  size_t misses = 0, looks = 0;
  do {
    int dir = open(p->out, O_RDONLY | O_DIRECTORY);
    if (dir < 0 || faccessat(dir, "manifest.json", F_OK, 0) != 0) misses += dir < 0;
    if (dir >= 0) close(dir);
    looks++;
    clock_gettime(CLOCK_MONOTONIC, &t);
  } while (t.tv_sec - t0.tv_sec < 1);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  assert_int_equal(misses, 0);
  assert_true(looks > 100);
  maker_free(both[0]);
  maker_free(both[1]);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
    T(first_build), T(empty_folder_is_taken), T(unchanged_keeps_inode_and_time), T(nothing_changed_writes_nothing),
    T(hand_edit_is_restored), T(removed_file_is_removed), T(foreign_files_survive), T(foreign_folder_is_refused),
    T(foreign_file_in_the_way_is_refused), T(file_becomes_folder_and_back), T(umask_does_not_matter),
    T(symlinks_do_not_redirect), T(path_may_be_a_symlink), T(bad_names_are_refused),
    T(hostile_manifest_removes_nothing_else), T(failure_leaves_the_target_alone), T(durable_too),
    T(unfinished_leaves_nothing), T(a_file_that_fails_fails_them_all), T(many_threads_may_put),
    T(two_renames_do_as_well), T(latecomers_are_saved), T(latecomers_wait),
    T(lock_keeps_two_apart), T(kill_at_any_moment), T(readers_never_see_half),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
