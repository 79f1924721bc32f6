/* The git sink: locks, kills, and packs that others made, looked at with the real git. */
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <utime.h>

#include "tests/unit/gen_sink_git_help.h"

static void live_lock_is_waited_for_then_busy(void **state) {
  place *p = *state;
  maker *m = basic();
  publish(p, m);
  char lock[128];
  snprintf(lock, sizeof lock, "%s/hmirror.lock", p->repo);
  int fd = open(lock, O_RDWR | O_CREAT, 0644);
  assert_int_equal(flock(fd, LOCK_EX), 0);
  hm_err err = refused(p);
  assert_int_equal(err.code, HM_E_BUSY);
  assert_non_null(strstr(err.what, "hmirror.lock"));
  close(fd);
  publish(p, m);
  maker_free(m);
}

static void stale_ref_lock_is_cleared(void **state) {
  place *p = *state;
  maker *m = basic();
  publish(p, m);
  char lock[128];
  snprintf(lock, sizeof lock, "%s/refs/heads/mirror.lock", p->repo);
  close(open(lock, O_WRONLY | O_CREAT, 0644));
  utime(lock, &(struct utimbuf){ 1, 1 });   /* long ago: nobody's */
  put(m, "README.md", "two\n");
  publish(p, m);
  sh(p,
     "echo 99999 > mirror.git/hmirror.lock; touch mirror.git/refs/heads/mirror.lock; touch -d @1 mirror.git/objects/pack/pack_git2_1");
  put(m, "README.md", "three\n");   /* our dead process's */
  publish(p, m);
  assert_holds(p, m);
  assert_string_equal(sh(p, "ls mirror.git/objects/pack mirror.git/refs/heads | grep -v ^pack-"),
                      "mirror.git/objects/pack:\n\nmirror.git/refs/heads:\nmirror");
  maker_free(m);
}

/* Killed after it named the index, before it named the pack. Another program may be at that very
 * place now, so without a dead holder of our lock only an old index goes. */
static void index_without_a_pack(void **state) {
  static const char lone[] = "pack-0123456789012345678901234567890123456789.idx";
  place *p = *state;
  maker *m = large("zero");
  const char *at = hm_str_fmt(p->a, "mirror.git/objects/pack/%s", lone).p, *made;
  publish(p, m);
  for (int died = 0; died < 2; died++)
    for (int old = 0; old < 2; old++) {
      made = hm_str_fmt(p->a, "touch %s %s; %s", old ? "-d @1" : "", at,
                        died ? "echo 99999 > mirror.git/hmirror.lock" : "true").p;
      sh(p, made);
      put(m, "mark", made);
      publish(p, m);
      assert_string_equal(sh(p, hm_str_fmt(p->a, "ls %s 2>/dev/null | wc -l", at).p), died || old ? "0" : "1");
    }
  assert_holds(p, m);
  maker_free(m);
}

static void packed_refs_and_gc(void **state) {
  place *p = *state;
  maker *m = large("one");
  publish(p, m);
  put(m, "mark", "two");
  publish(p, m);
  sh(p, "git -C mirror.git gc -q --prune=now && git -C mirror.git pack-refs --all");
  assert_false(publish(p, m).created);
  put(m, "mark", "three");
  publish(p, m);
  assert_holds(p, m);
  assert_string_equal(sh(p, "git -C mirror.git log --oneline mirror | wc -l"), "3");
  maker_free(m);
}

static void kill_at_any_moment(void **state) {
  place *p = *state;
  maker *m = large("zero");
  uint64_t seed = 7;
  publish(p, m);
  for (int i = 0; i < 40; i++) {
    pid_t child = fork();
    if (child == 0) {
      char mark[32];
      hm_git_tip tip;
      hm_git_result r;
      for (int k = 0;; k++) {
        snprintf(mark, sizeof mark, "%d.%d", i, k);
        for (size_t f = 0; f < m->site.n;
             f += k % 2 ? 1 : 50) /* large packs and small ones in turn */
          m->files[f].bytes = hm_str_fmt(m->a, "%s %zu", mark, f);
        hm_git *g;
        if (hm_git_open(&p->opt, p->a, &g, &tip, NULL) == 0)
          hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, NULL);
        hm_git_close(g);
      }
    }
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    usleep((useconds_t)(seed >> 33) % 40000);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    sh(p, "git -C mirror.git rev-parse -q --verify mirror^{tree}");
    if (i % 5 == 4) {
      char mark[32];
      snprintf(mark, sizeof mark, "after %d", i);
      put(m, "mark", mark);
      assert_true(publish(p, m).created);
      assert_string_equal(sh(p, "git -C mirror.git cat-file -p mirror:mark"), mark);
    }
  }
  assert_holds(p, m);
  assert_string_equal(sh(p, "ls mirror.git/objects/pack | grep tmp_ || true"), "");
  maker_free(m);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
    T(live_lock_is_waited_for_then_busy),
    T(stale_ref_lock_is_cleared),
    T(index_without_a_pack),
    T(packed_refs_and_gc),
    T(kill_at_any_moment),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
