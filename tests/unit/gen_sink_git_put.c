/* Files that are put before the publication: on many threads, more than stays in memory, onto a full
 * disk, and damaged while they wait. */
#include "tests/unit/gen_sink_git_help.h"

#include <signal.h>
#include <sys/resource.h>

#include "core/base/par.h"

static int put_one(void *ctx, size_t i, int worker) {
  hm_err err;
  hm_file *f = &((maker *)((void **)ctx)[1])->files[i];
  (void)worker;
  if (hm_git_put_file(((void **)ctx)[0], f, &err)) return -1;
  if (i % 3) f->bytes.p = NULL;   /* the others have their bytes still, as assets do */
  return 0;
}

static hm_git_result publish_put(place *p, maker *m) {
  hm_git_tip tip;
  hm_git_result r;
  hm_err err;
  hm_git *g = begin(p, &tip);
  assert_int_equal(hm_par_for(m->site.n, 4, put_one, (void *[]){ g, m }, NULL), 0);
  if (hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err)) die(&err);
  hm_git_close(g);
  return r;
}

/* What is put file by file becomes the same pack as what is published whole; of a site that the
 * branch has nothing is packed, not even what was put. */
static void files_that_were_put_make_the_same_pack(void **state) {
  place *p = *state;
  maker *whole = large("one"), *m = large("one"), *again = large("one"),
        *other = large("one");
  hm_git_result a = publish(p, whole);
  sh(p, "mv mirror.git whole.git");
  hm_git_result b = publish_put(p, m);
  assert_string_equal(a.commit, b.commit);
  assert_int_equal(a.objects, b.objects);
  assert_int_equal(a.files, b.files);
  sh(p, "cd whole.git/objects/pack && for f in *; do cmp $f ../../../mirror.git/objects/pack/$f; done");
  assert_holds(p, whole);
  assert_false(publish_put(p, again).created);
  put(other, "d1/e1/f1.md", "changed\n");
  assert_int_equal(publish_put(p, other).objects, 5);
  sh(p, "git -C mirror.git fsck --strict --full");
  maker_free(whole);
  maker_free(m);
  maker_free(again);
  maker_free(other);
}

/* Twelve megabytes of digits: what is deflated of them waits in files, which leave no name. */
static maker *noise(void) {
  enum { FILES = 60, DIGITS = 200 << 10 };
  maker *m = basic();
  char *text = malloc(DIGITS + 1), path[32];
  uint64_t x = 1;
  text[DIGITS] = 0;
  for (int i = 0; i < FILES; i++) {
    for (int k = 0; k < DIGITS; k++) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      text[k] = "0123456789abcdef"[x >> 60];
    }
    snprintf(path, sizeof path, "noise/%d.txt", i);
    put(m, path, text);
  }
  free(text);
  return m;
}

static void more_than_stays_in_memory_makes_the_same_pack(void **state) {
  place *p = *state;
  maker *whole = noise(), *m = noise();
  hm_git_result a = publish(p, whole);
  sh(p, "mv mirror.git whole.git");
  hm_git_result b = publish_put(p, m);
  assert_string_equal(a.commit, b.commit);
  sh(p, "cd whole.git/objects/pack && for f in *; do cmp $f ../../../mirror.git/objects/pack/$f; done");
  assert_string_equal(sh(p, "ls mirror.git/objects/pack | sed 's/.*[.]//' | sort"), "idx\npack");
  sh(p, "git -C mirror.git fsck --strict --full");
  assert_holds(p, whole);
  maker_free(whole);
  maker_free(m);
}

/* Of 3 MiB that nothing makes smaller: the next object is put behind it in a file. */
static hm_file noise_file(place *p) {
  enum { BYTES = 3 << 20 };
  char *bytes = hm_alloc(p->a, BYTES);
  uint64_t x = 1;
  for (size_t i = 0; i < BYTES; i++, x = x * 6364136223846793005u + 1442695040888963407u)
    bytes[i] = (char)(x >> 56);
  return (hm_file){ .path = HM_STR("noise"), .bytes = { bytes, BYTES } };
}

/* A disk that was full: the publication has no file that was not put, and says so. */
static void what_was_not_put_is_not_published(void **state) {
  place *p = *state;
  maker *m = large("one"), *lacking = maker_new();
  hm_file noise = noise_file(p);
  hm_err first = { 0 }, second = { 0 };
  hm_git_tip tip;
  hm_git_result r;
  struct rlimit was;
  hm_git *g = begin(p, &tip);
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){ noise.bytes.n / 2, was.rlim_max }), 0);
  int rc = hm_git_put_file(g, &noise, &first);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
  signal(SIGXFSZ, handler);
  assert_int_equal(rc, -1);
  assert_non_null(strstr(first.why, "write a pack"));
  put(lacking, "noise", "");
  lacking->files[0].bytes.p = NULL;
  assert_int_equal(hm_git_publish(g, &lacking->site, HM_STR(MESSAGE), &r, &second), -1);
  assert_string_equal(sh(p, "ls -A mirror.git/objects/pack"), "");
  hm_git_close(g);
  assert_true(publish_put(p, m).created);
  maker_free(m);
  maker_free(lacking);
}

/* Bytes of the file that waits for the pack, changed behind its back. */
static void damage_waiting_file(void) {
  char path[64], to[256];
  ssize_t n;
  int hit = 0;
  for (int fd = 3; fd < 64; fd++) {
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if ((n = readlink(path, to, sizeof to - 1)) < 0) continue;
    to[n] = 0;
    if (strstr(to, "hmirror.waiting")) hit += pwrite(fd, "damage", 6, 1000) == 6;
  }
  assert_int_equal(hit, 1);
}

static void what_waits_is_not_taken_damaged(void **state) {
  place *p = *state;
  maker *m = maker_new();
  hm_file noise = noise_file(p);
  hm_err err = { 0 };
  hm_git_tip tip;
  hm_git_result r;
  put(m, "noise", "");
  put(m, "second", "2");
  m->files[0].bytes = noise.bytes;
  hm_git *g = begin(p, &tip);
  for (int i = 0; i < 2; i++) assert_int_equal(hm_git_put_file(g, &m->files[i], &err), 0);
  m->files[0].bytes.p = m->files[1].bytes.p = NULL;
  damage_waiting_file();
  assert_int_equal(hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err), -1);
  assert_non_null(strstr(err.why, "write a pack"));
  assert_string_equal(sh(p, "ls -A mirror.git/objects/pack"), "");
  hm_git_close(g);
  maker_free(m);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
    T(files_that_were_put_make_the_same_pack),
    T(more_than_stays_in_memory_makes_the_same_pack),
    T(what_was_not_put_is_not_published),
    T(what_waits_is_not_taken_damaged),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
