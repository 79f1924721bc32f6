/* The lock file of writers: who waits for whom, what the message says, and what may stand there. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include "core/base/par.h"
#include "tests/unit/core_store_help.h"

static const char *lock_path(world *w) { return hm_str_fmt(w->a, "%s.lock", w->path).p; }

static off_t size_of(const char *path) {
  struct stat st;
  return stat(path, &st) ? -1 : st.st_size;
}

static hm_store *second_writer(world *w, int busy_ms) {
  hm_store *s;
  ok(w, hm_store_open(&s, w->path, HM_STORE_WRITE, busy_ms, &w->err));
  return s;
}

static void it_is_held_by_a_writing_transaction(void **state) {
  world *w = *state;
  struct stat store, lock;
  create(w);
  assert_false(hm_store_lacks_lock(w->s));
  ok(w, hm_store_begin(w->s, true, &w->err));
  assert_true(size_of(lock_path(w)) > 0);
  ok(w, hm_store_commit(w->s, &w->err));
  assert_int_equal(size_of(lock_path(w)), 0);
  ok(w, hm_store_begin(w->s, true, &w->err));
  hm_store_rollback(w->s);
  assert_int_equal(size_of(lock_path(w)), 0);
  ok(w, hm_store_begin(w->s, false, &w->err));
  assert_int_equal(size_of(lock_path(w)), 0);
  hm_store_rollback(w->s);
  assert_int_equal(stat(w->path, &store) | stat(lock_path(w), &lock), 0);
  assert_int_equal(store.st_mode & 0777, lock.st_mode & 0777);
}

/* The second one is in the same process; flock does not mind. */
static void who_holds_it_too_long_is_named(void **state) {
  world *w = *state;
  create(w);
  hm_store *other = second_writer(w, 20);
  ok(w, hm_store_begin(w->s, true, &w->err));
  int64_t since = hm_clock_ms();
  assert_int_equal(hm_store_begin(other, true, &w->err), -1);
  assert_true(hm_clock_ms() - since >= 12 * 20);
  assert_int_equal(w->err.code, HM_E_BUSY);
  assert_non_null(strstr(line_of(w), hm_str_fmt(w->a, ": %ld core_store_lock", (long)getpid()).p));
  assert_false(hm_store_in_txn(other));
  ok(w, hm_store_commit(w->s, &w->err));
  /* Whoever gave up holds nothing. */
  ok(w, hm_store_begin(w->s, true, &w->err));
  ok(w, hm_store_commit(w->s, &w->err));
  ok(w, hm_store_begin(other, true, &w->err));
  hm_store_close(other);
}

static void *commit_soon(void *ctx) {
  world *w = ctx;
  usleep(100 * 1000);
  return hm_store_commit(w->s, NULL) ? ctx : NULL;
}

static void who_waits_goes_on_when_the_other_is_done(void **state) {
  world *w = *state;
  pthread_t t;
  void *failed;
  create(w);
  hm_store *other = second_writer(w, 5000);
  ok(w, hm_store_begin(w->s, true, &w->err));
  pthread_create(&t, NULL, commit_soon, w);
  ok(w, hm_store_begin(other, true, &w->err));
  pthread_join(t, &failed);
  assert_null(failed);
  hm_store_close(other);
}

/* By a link to the store it is the same lock. */
static void it_is_beside_what_a_link_leads_to(void **state) {
  world *w = *state;
  char link[128];
  create(w);
  snprintf(link, sizeof link, "%s/link.db", w->dir);
  assert_int_equal(symlink("s.db", link), 0);
  hm_store *other;
  ok(w, hm_store_open(&other, link, HM_STORE_WRITE, 1, &w->err));
  ok(w, hm_store_begin(w->s, true, &w->err));
  assert_int_equal(hm_store_begin(other, true, &w->err), -1);
  assert_int_equal(w->err.code, HM_E_BUSY);
  hm_store_close(other);
}

static void a_dry_run_makes_none(void **state) {
  world *w = *state;
  create(w);
  unlink(lock_path(w));
  open_mode(w, HM_STORE_TRY);
  ok(w, hm_store_begin(w->s, true, &w->err));
  hm_store_rollback(w->s);
  assert_int_equal(size_of(lock_path(w)), -1);
}

static void what_is_no_file_is_told(void **state) {
  world *w = *state;
  const char *path = lock_path(w);
  create(w);
  for (int what = 0; what < 3; what++) {
    unlink(path);
    assert_int_equal(what == 0   ? mkdir(path, 0777)
                         : what == 1 ? mkfifo(path, 0666)
                                     : symlink("facts", path),
                     0);
    assert_int_equal(hm_store_begin(w->s, true, &w->err), -1);
    assert_int_equal(w->err.code, HM_E_STORE);
    assert_non_null(strstr(line_of(w), ".lock is no regular file"));
    assert_false(hm_store_in_txn(w->s));
    rmdir(path);
  }
  assert_int_equal(size_of(hm_str_fmt(w->a, "%s/facts", w->dir).p), -1);
  unlink(path);
  ok(w, hm_store_begin(w->s, true, &w->err));
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(it_is_held_by_a_writing_transaction),
    T(who_holds_it_too_long_is_named),
    T(who_waits_goes_on_when_the_other_is_done),
    T(it_is_beside_what_a_link_leads_to),
    T(a_dry_run_makes_none),
    T(what_is_no_file_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
