/* The directory sink: all of the site or nothing, whatever fails, dies, waits or looks at it
 * meanwhile. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "core/base/par.h"
#include "tests/unit/gen_sink_dir_help.h"

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
  for (size_t i = 0; i < n->n; i++) assert_int_equal(hm_dir_put_file(d, &n->files[i], &err), 0);
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
  hm_file file = { .path = HM_STR("a"), .bytes = HM_STR("x") },
          below = { .path = HM_STR("a/b"), .bytes = HM_STR("x") };
  hm_file fine = { .path = HM_STR("c"), .bytes = HM_STR("x") },
          outside = { .path = HM_STR("../c"), .bytes = HM_STR("x") };
  hm_dir *d;
  hm_err err, again;
  assert_int_equal(hm_dir_open(p->out, &opt, &d, &err), 0);
  assert_int_equal(hm_dir_put_file(d, &file, &err), 0);
  assert_int_equal(hm_dir_put_file(d, &below, &err), -1);
  assert_int_equal(err.code, HM_E_OUTPUT);
  assert_non_null(strstr(err.what, "public/a/b"));
  assert_int_equal(hm_dir_put_file(d, &fine, &again), -1);
  assert_string_equal(again.what, err.what);
  hm_dir_close(d);
  assert_int_equal(hm_dir_open(p->out, &opt, &d, &err), 0);
  assert_int_equal(hm_dir_put_file(d, &outside, &err), -1);
  assert_int_equal(err.code, HM_E_INTERNAL);
  hm_dir_close(d);
  assert_int_equal(entries(p->root), 0);
}

typedef struct { hm_dir *d; maker *m; } putting;

static int put_one(void *ctx, size_t i, int worker) {
  const putting *w = ctx;
  (void)worker;
  return hm_dir_put_file(w->d, &w->m->files[i], NULL);
}

/* Deep folders that all threads need at once, and enough bytes for the disk to be called on the
 * way. */
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
    hm_dir_remove_old(dir, "public.hmirror-77", killed ? NULL : &none, now, 2, a);
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
    hm_dir_remove_old(dir, "public.hmirror-77", run ? NULL : &none, now, 2, a);
    assert_int_equal(faccessat(dir, "public.hmirror-77/x/late.txt", F_OK, 0), 0);
    assert_int_equal(faccessat(dir, "public.hmirror-77/README.md", F_OK, 0), -1);
  }
  assert_int_equal(unlinkat(now, "x", 0), 0);
  hm_dir_remove_old(dir, "public.hmirror-77", NULL, now, 2, a);
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

static int setup_in_memory(void **state) {
  return setup_in(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", state);
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
  struct stat st;
  ino_t seen = 0;
  size_t misses = 0, swaps = 0;
  while (swaps < 50) {
    int dir = open(p->out, O_RDONLY | O_DIRECTORY);
    if (dir < 0 || faccessat(dir, "manifest.json", F_OK, 0) != 0) misses += dir < 0;
    if (dir >= 0 && fstat(dir, &st) == 0 && st.st_ino != seen) {
      seen = st.st_ino;
      swaps++;
    }
    if (dir >= 0) close(dir);
  }
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  assert_int_equal(misses, 0);
  maker_free(both[0]);
  maker_free(both[1]);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
    T(failure_leaves_the_target_alone),
    T(unfinished_leaves_nothing),
    T(a_file_that_fails_fails_them_all),
    T(many_threads_may_put),
    T(durable_too),
    T(two_renames_do_as_well),
    T(latecomers_are_saved),
    T(latecomers_wait),
    T(lock_keeps_two_apart),
    T(kill_at_any_moment),
    cmocka_unit_test_setup_teardown(readers_never_see_half, setup_in_memory, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
