/* Builds are swapped while they are read, and freed after; the page that is asked for is rendered
 * before the others; what fails leaves the build before it. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "gen/http/preview.h"
#include "tests/unit/gen_mirror_watch_help.h"

typedef struct {
  watched_folder at;
  atomic_int made, freed, told_well, told_badly, rings;
  atomic_int rendered, wholes, ended;   /* pages; sites that were rendered as a whole, or not */
  atomic_bool fail, fail_whole, fail_page, away, hold;
  atomic_int slow_ms;
  atomic_int fails_as_a_whole;          /* the number of this build */
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

/* --- builds ---------------------------------------------------------------------------- */

enum { PAGES = 1000 };

static hm_file files[] = { { .path = { "a.html", 6 }, .bytes = { "whole", 5 } },
                           { .path = { "data.json", 9 }, .bytes = { "{}", 2 } } };
static const hm_site site = { .files = files, .n = 2 };

static int begin_build(void *ctx, hm_watcher *in, hm_preview_build *out, hm_err *err) {
  world *w = ctx;
  hm_watcher_add_path(in, w->at.file);
  rest(w->slow_ms);
  if (w->fail) return hm_fail(err, HM_E_INPUT, "a.mustache:1", "broken", "mend it");
  int *number = malloc(sizeof *number);
  *number = ++w->made;
  *out = (hm_preview_build){ .own = number };
  return 0;
}

static int render_file(void *ctx, const hm_preview_build *b, hm_str path, hm_arena *a, hm_file *out,
                       hm_err *err) {
  world *w = ctx;
  (void)a;
  assert_non_null(b->own);
  if (hm_str_ends(path, ".json")) return HM_FILE_LATER;
  if (!hm_str_ends(path, ".html")) return HM_FILE_ABSENT;
  if (w->fail_page) return hm_fail(err, HM_E_INPUT, "a.html", "no such value", "mend it");
  w->rendered++;
  *out = (hm_file){ .path = path, .bytes = HM_STR("one page") };
  return HM_FILE_READY;
}

static int finish_build(void *ctx, const hm_preview_build *b, const hm_preview_build *before,
                        bool (*proceed)(void *), void *p, const hm_site **out, hm_err *err) {
  world *w = ctx;
  assert_non_null(b->own);
  assert_true((before != NULL) == (w->wholes > 0) && (!before || before->own));
  for (int i = 0; i < PAGES; i++) {
    while (w->hold && proceed(p)) rest(5);
    if (!proceed(p)) {
      w->ended++;
      return -1;
    }
    w->rendered++;
  }
  if (w->fail_whole || *(int *)b->own == w->fails_as_a_whole)
    return hm_fail(err, HM_E_INPUT, "b.md", "no marker", "mend it");
  *out = &site;
  w->wholes++;
  return 0;
}

static void free_build(void *ctx, hm_preview_build *b) {
  world *w = ctx;
  free(b->own);
  w->freed++;
}

static void report(void *ctx, const hm_preview_build *b, const hm_err *problem, double seconds) {
  world *w = ctx;
  assert_true(seconds >= 0 && (b == NULL) == (problem != NULL));
  if (problem) w->told_badly++;
  else w->told_well++;
}

static void ring(void *ctx) { ((world *)ctx)->rings++; }
static bool looks(void *ctx) { return !((world *)ctx)->away; }

static hm_preview *start(world *w) {
  const hm_preview_builder builder = { .ctx = w, .begin = begin_build, .file = render_file,
                                       .finish = finish_build, .free = free_build,
                                       .report = report };
  const hm_preview_listener who = { .ctx = w, .changed = ring, .looks = looks };
  hm_preview *p;
  const hm_store_source source = { .path = w->at.store };
  assert_int_equal(hm_preview_start(&builder, &source, &who, &p, &w->err), 0);
  return p;
}

static void wait_for(atomic_int *what, int least) {
  for (int i = 0; i < 3000 && *what < least; i++) rest(10);   /* a busy machine takes its time */
  assert_true(*what >= least);
}

static void a_change_makes_an_build_and_readers_keep_theirs(void **state) {
  world *w = *state;
  hm_preview *p = start(w);
  char part[128];
  snprintf(part, sizeof part, "%s/part", w->at.dir);
  assert_int_equal(w->made, 1);
  hm_preview_ref old = hm_preview_acquire(p);
  const void *own = old.build->own;
  assert_null(old.problem);
  put(part, "three");
  rename(part, w->at.file); /* at once: this thread may have to wait between opening and writing */
  wait_for(&w->rings, 1);
  assert_int_equal(w->made, 2);
  assert_int_equal(w->freed, 0);             /* somebody reads it still */
  hm_preview_ref new = hm_preview_acquire(p);
  assert_ptr_not_equal(new.build->own, own);
  assert_ptr_equal(old.build->own, own);
  hm_preview_release(p, &old);
  wait_for(&w->freed, 1);                    /* once the new one is whole */
  hm_preview_release(p, &new);
  rest(250);
  assert_int_equal(w->made, 2);              /* nothing changed: nothing is made */
  hm_preview_stop(p);
  assert_int_equal(w->freed, 2);
}

static void nothing_is_made_while_nobody_looks(void **state) {
  world *w = *state;
  w->away = true;
  hm_preview *p = start(w);
  for (int i = 0; i < 3; i++) {
    put(w->at.file, i % 2 ? "five" : "four");
    rest(150);
  }
  rest(150);
  assert_int_equal(w->made, 1);
  for (int i = 0; i < 3000 && w->made == 1; i++) {   /* somebody comes, and sees it as it is now */
    hm_preview_ref at = hm_preview_acquire(p);
    hm_preview_release(p, &at);
    rest(10);
  }
  assert_true(w->made >= 2);
  put(w->at.file, "and goes on looking");
  wait_for(&w->rings, 2);
  hm_preview_stop(p);
  assert_int_equal(w->made, w->freed);
}

static void a_failed_build_leaves_the_build_before_it(void **state) {
  world *w = *state;
  hm_preview *p = start(w);
  w->fail = true;
  for (int i = 1; i <= 2; i++) {             /* failing twice is no other thing */
    assert_true(hm_preview_rebuild(p, 30000));
    hm_preview_ref at = hm_preview_acquire(p);
    assert_non_null(at.build);
    assert_string_equal(at.problem->why, "broken");
    hm_preview_release(p, &at);
    assert_int_equal(w->told_badly, i);
  }
  assert_int_equal(w->freed, 0);
  w->fail = false;
  assert_true(hm_preview_rebuild(p, 30000));
  hm_preview_ref at = hm_preview_acquire(p);
  assert_null(at.problem);
  wait_for(&w->freed, 1);
  hm_preview_release(p, &at);
  hm_preview_stop(p);
  assert_int_equal(w->freed, 2);
}

static void the_first_build_may_fail(void **state) {
  world *w = *state;
  w->fail = true;
  hm_preview *p = start(w);
  hm_preview_ref at = hm_preview_acquire(p);
  assert_null(at.build);
  assert_string_equal(at.problem->what, "a.mustache:1");
  hm_preview_release(p, &at);
  w->fail = false;
  put(w->at.file, "mended");
  wait_for(&w->made, 1);
  wait_for(&w->told_well, 1);
  assert_true(hm_preview_rebuild(p, 30000));
  at = hm_preview_acquire(p);
  assert_non_null(at.build);
  assert_null(at.problem);
  hm_preview_release(p, &at);
  hm_preview_stop(p);
  assert_int_equal(w->made, w->freed);
}

static void renewing_waits_for_a_build_that_began_later(void **state) {
  world *w = *state;
  hm_preview *p = start(w);
  int before = w->made;
  w->slow_ms = 150;
  assert_false(hm_preview_rebuild(p, 20));     /* too impatient */
  assert_true(hm_preview_rebuild(p, 30000));
  assert_true(w->made >= before + 1);
  hm_preview_stop(p);
  assert_int_equal(w->made, w->freed);
}

static int get(hm_preview *p, const char *path, hm_str *bytes, hm_err *err) {
  hm_preview_ref at = hm_preview_acquire(p);
  hm_arena *a = hm_arena_new();
  hm_file f;
  int rc = hm_preview_file(p, &at, hm_str_c(path), a, &f, err);
  if (rc == HM_FILE_READY) *bytes = f.bytes;   /* constant in this test */
  hm_preview_release(p, &at);
  hm_arena_free(a);
  return rc;
}

/* When the first page after a change is answered, one page has been rendered and not all. */
static void the_page_that_is_asked_for_is_rendered_first(void **state) {
  world *w = *state;
  hm_preview *p = start(w);
  hm_str bytes;
  wait_for(&w->wholes, 1);
  assert_int_equal(w->rendered, PAGES);
  w->rendered = 0;
  put(w->at.file, "changed");
  wait_for(&w->rings, 1);
  assert_int_equal(w->wholes, 1);
  assert_int_equal(get(p, "a.html", &bytes, &w->err), HM_FILE_READY);
  assert_true(hm_str_is(bytes, "one page"));
  assert_int_equal(w->rendered, 1);
  assert_int_equal(get(p, "a.png", &bytes, &w->err), HM_FILE_ABSENT);
  wait_for(&w->wholes, 2);                   /* and then the rest, by itself */
  assert_int_equal(w->rendered, 1 + PAGES);
  for (int i = 0; i < 100 && !hm_str_is(bytes, "whole"); i++) {
    assert_int_equal(get(p, "a.html", &bytes, &w->err), HM_FILE_READY);
    rest(10);
  }
  assert_true(hm_str_is(bytes, "whole"));    /* nothing is rendered twice */
  hm_preview_stop(p);
  assert_int_equal(w->made, w->freed);
}

static void a_change_ends_what_is_still_rendering(void **state) {
  world *w = *state;
  hm_str bytes;
  w->hold = true;                            /* the rest takes for ever */
  hm_preview *p = start(w);
  for (int i = 1; i <= 3; i++) {
    assert_true(hm_preview_rebuild(p, 30000));
    assert_int_equal(get(p, "a.html", &bytes, &w->err), HM_FILE_READY);
  }
  assert_int_equal(w->wholes, 0);
  assert_int_equal(w->rendered, 3);
  w->hold = false;
  assert_int_equal(get(p, "data.json", &bytes, &w->err), HM_FILE_READY);   /* waits for the whole */
  assert_int_equal(w->wholes, 1);
  hm_preview_stop(p);
  assert_int_equal(w->made, w->freed);
}

static void a_page_that_fails_leaves_the_build_before_it(void **state) {
  world *w = *state;
  hm_str bytes;
  hm_preview *p = start(w);
  wait_for(&w->wholes, 1);
  w->fail_page = w->fail_whole = true;
  assert_true(hm_preview_rebuild(p, 30000));
  assert_int_equal(get(p, "a.html", &bytes, &w->err), HM_FILE_READY);
  assert_true(hm_str_is(bytes, "whole"));    /* the last one that could be rendered */
  hm_preview_ref at = hm_preview_acquire(p);
  assert_string_equal(at.problem->what, "b.md");
  assert_non_null(at.build);
  hm_preview_release(p, &at);
  assert_int_equal(w->told_badly, 1);
  assert_true(w->rings >= 2);                /* the change, and that it failed */
  w->fail_page = w->fail_whole = false;
  assert_true(hm_preview_rebuild(p, 30000));
  at = hm_preview_acquire(p);
  assert_null(at.problem);
  hm_preview_release(p, &at);
  hm_preview_stop(p);
  assert_int_equal(w->made, w->freed);
}

/* Nothing was rendered as a whole yet, but readers have seen the build before it. */
static void a_page_that_fails_leaves_a_build_that_is_not_whole(void **state) {
  world *w = *state;
  hm_str bytes;
  w->hold = true;
  w->fails_as_a_whole = 2;
  hm_preview *p = start(w);
  assert_int_equal(get(p, "a.html", &bytes, &w->err), HM_FILE_READY);
  assert_true(hm_preview_rebuild(p, 30000));
  w->hold = false;
  wait_for(&w->told_badly, 1);
  wait_for(&w->wholes, 1);                   /* the first one, by itself */
  assert_int_equal(get(p, "data.json", &bytes, &w->err), HM_FILE_READY);
  hm_preview_ref at = hm_preview_acquire(p);
  assert_string_equal(at.problem->what, "b.md");
  assert_int_equal(*(int *)at.build->own, 1);
  hm_preview_release(p, &at);
  assert_true(hm_preview_rebuild(p, 30000));
  wait_for(&w->wholes, 2);
  at = hm_preview_acquire(p);
  assert_null(at.problem);
  hm_preview_release(p, &at);
  hm_preview_stop(p);
  assert_int_equal(w->made, w->freed);
}

static void the_first_whole_may_fail(void **state) {
  world *w = *state;
  hm_str bytes;
  w->fail_page = w->fail_whole = true;
  hm_preview *p = start(w);
  assert_int_equal(get(p, "a.html", &bytes, &w->err), HM_FILE_ABSENT);
  hm_preview_ref at = hm_preview_acquire(p);
  assert_null(at.build);
  assert_string_equal(at.problem->what, "b.md");
  hm_preview_release(p, &at);
  hm_preview_stop(p);
  assert_int_equal(w->made, w->freed);
}

typedef struct { hm_preview *p; atomic_bool stop; atomic_int reads; } reader;

static void *read_on(void *arg) {
  reader *r = arg;
  while (!r->stop) {
    hm_preview_ref at = hm_preview_acquire(r->p);
    if (at.build->own) r->reads++;
    hm_preview_release(r->p, &at);
  }
  return NULL;
}

static void many_readers_while_builds_change(void **state) {
  world *w = *state;
  reader r = { .p = start(w) };
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, read_on, &r);
  for (int i = 0; i < 20 || (r.reads <= 100 && i < 2000); i++)
    assert_true(hm_preview_rebuild(r.p, 30000));
  r.stop = true;
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  assert_true(r.reads > 100);
  hm_preview_stop(r.p);
  assert_int_equal(w->made, w->freed);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(a_change_makes_an_build_and_readers_keep_theirs),
    T(nothing_is_made_while_nobody_looks),
    T(a_failed_build_leaves_the_build_before_it),
    T(the_first_build_may_fail),
    T(renewing_waits_for_a_build_that_began_later),
    T(the_page_that_is_asked_for_is_rendered_first),
    T(a_change_ends_what_is_still_rendering),
    T(a_page_that_fails_leaves_the_build_before_it),
    T(a_page_that_fails_leaves_a_build_that_is_not_whole),
    T(the_first_whole_may_fail),
    T(many_readers_while_builds_change),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
