/* What is watched: files, folders and the store, whoever writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "gen/mirror/watch.h"
#include "tests/unit/gen_mirror_watch_help.h"

typedef struct {
  watched_folder at;
  hm_err err;
} world;

static int begin(void **state) {
  world *w = calloc(1, sizeof *w);
  if (watched_folder_make(&w->at, &w->err)) return -1;
  *state = w;
  return 0;
}

static int end(void **state) {
  world *w = *state;
  int rc = watched_folder_remove(&w->at);
  free(w);
  return rc;
}

/* --- looking ------------------------------------------------------------------------- */

/* Looks until the answer is no longer that something moves. */
static hm_watch_state settled(hm_watcher *in) {
  hm_watch_state is = HM_WATCH_MOVING;
  for (int i = 0; i < 100 && is == HM_WATCH_MOVING; i++) {
    is = hm_watcher_poll(in);
    rest(10);
  }
  return is;
}

#define changed(in) do { assert_int_equal(settled(in), HM_WATCH_CHANGED); hm_watcher_accept(in); \
                         assert_int_equal(hm_watcher_poll(in), HM_WATCH_STILL); } while (0)

static void files_and_folders(void **state) {
  world *w = *state;
  char sub[96], b[128], c[128];
  hm_watcher *in = hm_watcher_new();
  snprintf(sub, sizeof sub, "%s/sub", w->at.dir);
  snprintf(b, sizeof b, "%s/b", sub);
  snprintf(c, sizeof c, "%s/c", sub);
  assert_int_equal(hm_watcher_poll(in), HM_WATCH_STILL);
  hm_watcher_add_path(in, w->at.file);
  hm_watcher_add_path(in, sub);
  assert_int_equal(hm_watcher_poll(in), HM_WATCH_STILL);
  put(w->at.file, "two");                       /* as long as before */
  assert_int_equal(hm_watcher_poll(in), HM_WATCH_MOVING);
  changed(in);
  mkdir(sub, 0755);
  changed(in);
  put(b, "x");
  changed(in);
  rename(b, c);
  changed(in);
  chmod(c, 0600);
  changed(in);
  unlink(c);
  changed(in);
  hm_watcher_add_path(in, sub); /* a second time */
  assert_int_equal(hm_watcher_poll(in), HM_WATCH_STILL);
  hm_watcher_free(in);
}

static void write_to(const char *path, hm_store_mode mode) {
  hm_store *s;
  hm_err err;
  assert_int_equal(hm_store_open(&s, path, mode, 1000, &err), 0);
  assert_int_equal(hm_store_begin(s, true, &err), 0);
  const hm_sweep_run run = { .started_at = HM_STR("2026-01-01T00:00:00Z"),
                             .finished_at = HM_STR("2026-01-01T00:00:00Z") };
  assert_int_equal(hm_store_put_run(s, &run, &err), 0);
  assert_int_equal(hm_store_commit(s, &err), 0);
  hm_store_close(s);
}

static void the_store(void **state) {
  world *w = *state;
  char other[96], new[96];
  snprintf(other, sizeof other, "%s/other.db", w->at.dir);
  snprintf(new, sizeof new, "%s/new.db", w->at.dir);
  hm_watcher *in = hm_watcher_new();
  const hm_store_source source = { .path = w->at.store };
  hm_watcher_add_store(in, &source);
  assert_int_equal(hm_watcher_poll(in), HM_WATCH_STILL);
  write_to(w->at.store, HM_STORE_WRITE);
  changed(in);
  write_to(other, HM_STORE_CREATE);          /* another file in its place */
  rename(other, w->at.store);
  changed(in);
  write_to(w->at.store, HM_STORE_WRITE);
  changed(in);
  rename(w->at.store, new);                     /* away, and back */
  changed(in);
  rename(new, w->at.store);
  changed(in);
  put(w->at.store, "no store at all, but long enough to be looked at: ....................");
  assert_int_equal(settled(in), HM_WATCH_CHANGED);
  hm_watcher_free(in);
}

static void an_absent_store_that_comes(void **state) {
  world *w = *state;
  char new[96];
  snprintf(new, sizeof new, "%s/new.db", w->at.dir);
  hm_watcher *in = hm_watcher_new();
  const hm_store_source source = { .path = new };
  hm_watcher_add_store(in, &source);
  assert_int_equal(hm_watcher_poll(in), HM_WATCH_STILL);
  write_to(new, HM_STORE_CREATE);
  changed(in);
  hm_watcher_free(in);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(files_and_folders),
    T(the_store),
    T(an_absent_store_that_comes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
