/* What is watched, and the editions made of it: swapped while they are read, freed after. */
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
#include "gen/serve/preview.h"

typedef struct {
  char dir[64], file[96], store[96];
  atomic_int made, freed, told_well, told_badly, rings;
  atomic_bool fail, away;
  atomic_int slow_ms;
  hm_err err;
} world;

static void rest(int ms) {
  nanosleep(&(struct timespec){ ms / 1000, (ms % 1000) * 1000000L }, NULL);
}

static void put(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static int begin(void **state) {
  world *w = calloc(1, sizeof *w);
  strcpy(w->dir, "/tmp/hm-preview-XXXXXX");
  if (!mkdtemp(w->dir)) return -1;
  snprintf(w->file, sizeof w->file, "%s/a.mustache", w->dir);
  snprintf(w->store, sizeof w->store, "%s/s.db", w->dir);
  hm_store *s;
  if (hm_store_open(&s, w->store, HM_STORE_CREATE, 1000, &w->err)) return -1;
  hm_store_close(s);
  put(w->file, "one");
  rest(60);
  *state = w;
  return 0;
}

static int end(void **state) {
  world *w = *state;
  char path[128];
  const char *names[] = { "a.mustache", "s.db", "sub/b", "sub/c", "other.db", "new.db" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", w->dir, names[i]);
    unlink(path);
  }
  snprintf(path, sizeof path, "%s/sub", w->dir);
  rmdir(path);
  int rc = rmdir(w->dir);
  free(w);
  return rc;
}

/* --- inputs ------------------------------------------------------------------------- */

/* Looks until the answer is no longer that something moves. */
static hm_inputs_are settled(hm_inputs *in) {
  hm_inputs_are is = HM_INPUTS_MOVING;
  for (int i = 0; i < 100 && is == HM_INPUTS_MOVING; i++) {
    is = hm_inputs_look(in);
    rest(10);
  }
  return is;
}

#define changed(in) do { assert_int_equal(settled(in), HM_INPUTS_CHANGED); hm_inputs_take(in); \
                         assert_int_equal(hm_inputs_look(in), HM_INPUTS_STILL); } while (0)

static void files_and_folders(void **state) {
  world *w = *state;
  char sub[96], b[128], c[128];
  hm_inputs *in = hm_inputs_new();
  snprintf(sub, sizeof sub, "%s/sub", w->dir);
  snprintf(b, sizeof b, "%s/b", sub);
  snprintf(c, sizeof c, "%s/c", sub);
  assert_int_equal(hm_inputs_look(in), HM_INPUTS_STILL);
  hm_inputs_add(in, w->file);
  hm_inputs_add(in, sub);
  assert_int_equal(hm_inputs_look(in), HM_INPUTS_STILL);
  put(w->file, "two");                       /* as long as before */
  assert_int_equal(hm_inputs_look(in), HM_INPUTS_MOVING);
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
  hm_inputs_add(in, sub);                    /* a second time */
  assert_int_equal(hm_inputs_look(in), HM_INPUTS_STILL);
  hm_inputs_free(in);
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
  snprintf(other, sizeof other, "%s/other.db", w->dir);
  snprintf(new, sizeof new, "%s/new.db", w->dir);
  hm_inputs *in = hm_inputs_new();
  const hm_store_source source = { .path = w->store };
  hm_inputs_store(in, &source);
  assert_int_equal(hm_inputs_look(in), HM_INPUTS_STILL);
  write_to(w->store, HM_STORE_WRITE);
  changed(in);
  write_to(other, HM_STORE_CREATE);          /* another file in its place */
  rename(other, w->store);
  changed(in);
  write_to(w->store, HM_STORE_WRITE);
  changed(in);
  rename(w->store, new);                     /* away, and back */
  changed(in);
  rename(new, w->store);
  changed(in);
  put(w->store, "no store at all, but long enough to be looked at: ....................");
  assert_int_equal(settled(in), HM_INPUTS_CHANGED);
  hm_inputs_free(in);
}

static void an_absent_store_that_comes(void **state) {
  world *w = *state;
  char new[96];
  snprintf(new, sizeof new, "%s/new.db", w->dir);
  hm_inputs *in = hm_inputs_new();
  const hm_store_source source = { .path = new };
  hm_inputs_store(in, &source);
  assert_int_equal(hm_inputs_look(in), HM_INPUTS_STILL);
  write_to(new, HM_STORE_CREATE);
  changed(in);
  hm_inputs_free(in);
}

/* --- editions -------------------------------------------------------------------------- */

static const hm_site site = { .n = 0 };

static int make(void *ctx, hm_inputs *in, hm_edition *out, hm_err *err) {
  world *w = ctx;
  hm_inputs_add(in, w->file);
  rest(w->slow_ms);
  if (w->fail) return hm_fail(err, HM_E_INPUT, "a.mustache:1", "broken", "mend it");
  *out = (hm_edition){ .site = &site, .own = malloc(1) };
  w->made++;
  return 0;
}

static void unmake(void *ctx, hm_edition *e) {
  world *w = ctx;
  free(e->own);
  w->freed++;
}

static void told(void *ctx, const hm_edition *e, const hm_err *problem, double seconds) {
  world *w = ctx;
  assert_true(seconds >= 0 && (e == NULL) == (problem != NULL));
  if (problem) w->told_badly++;
  else w->told_well++;
}

static void ring(void *ctx) { ((world *)ctx)->rings++; }
static bool looks(void *ctx) { return !((world *)ctx)->away; }

static hm_preview *start(world *w) {
  const hm_press press = { .ctx = w, .make = make, .free = unmake, .told = told };
  const hm_onlooker who = { .ctx = w, .changed = ring, .looks = looks };
  hm_preview *p;
  const hm_store_source source = { .path = w->store };
  assert_int_equal(hm_preview_start(&press, &source, &who, &p, &w->err), 0);
  return p;
}

static void wait_for(atomic_int *what, int least) {
  for (int i = 0; i < 3000 && *what < least; i++) rest(10);   /* a busy machine takes its time */
  assert_true(*what >= least);
}

static void a_change_makes_an_edition_and_readers_keep_theirs(void **state) {
  world *w = *state;
  hm_preview *p = start(w);
  char part[128];
  snprintf(part, sizeof part, "%s/part", w->dir);
  assert_int_equal(w->made, 1);
  hm_reading old = hm_preview_take(p);
  const void *own = old.edition->own;
  assert_null(old.problem);
  put(part, "three");
  rename(part, w->file); /* at once: this thread may have to wait between opening and writing */
  wait_for(&w->rings, 1);
  assert_int_equal(w->made, 2);
  assert_int_equal(w->freed, 0);             /* somebody reads it still */
  hm_reading new = hm_preview_take(p);
  assert_ptr_not_equal(new.edition->own, own);
  assert_ptr_equal(old.edition->own, own);
  hm_preview_give(p, &old);
  assert_int_equal(w->freed, 1);
  hm_preview_give(p, &new);
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
    put(w->file, i % 2 ? "five" : "four");
    rest(150);
  }
  rest(150);
  assert_int_equal(w->made, 1);
  for (int i = 0; i < 3000 && w->made == 1; i++) {   /* somebody comes, and sees it as it is now */
    hm_reading at = hm_preview_take(p);
    hm_preview_give(p, &at);
    rest(10);
  }
  assert_true(w->made >= 2);
  put(w->file, "and goes on looking");
  wait_for(&w->rings, 2);
  hm_preview_stop(p);
  assert_int_equal(w->made, w->freed);
}

static void a_failed_build_leaves_the_edition_before_it(void **state) {
  world *w = *state;
  hm_preview *p = start(w);
  w->fail = true;
  for (int i = 1; i <= 2; i++) {             /* failing twice is no other thing */
    assert_true(hm_preview_renew(p, 30000));
    hm_reading at = hm_preview_take(p);
    assert_non_null(at.edition);
    assert_string_equal(at.problem->why, "broken");
    hm_preview_give(p, &at);
    assert_int_equal(w->told_badly, i);
  }
  assert_int_equal(w->freed, 0);
  w->fail = false;
  assert_true(hm_preview_renew(p, 30000));
  hm_reading at = hm_preview_take(p);
  assert_null(at.problem);
  assert_int_equal(w->freed, 1);
  hm_preview_give(p, &at);
  hm_preview_stop(p);
  assert_int_equal(w->freed, 2);
}

static void the_first_build_may_fail(void **state) {
  world *w = *state;
  w->fail = true;
  hm_preview *p = start(w);
  hm_reading at = hm_preview_take(p);
  assert_null(at.edition);
  assert_string_equal(at.problem->what, "a.mustache:1");
  hm_preview_give(p, &at);
  w->fail = false;
  put(w->file, "mended");
  wait_for(&w->made, 1);
  wait_for(&w->told_well, 1);
  assert_true(hm_preview_renew(p, 30000));
  at = hm_preview_take(p);
  assert_non_null(at.edition);
  assert_null(at.problem);
  hm_preview_give(p, &at);
  hm_preview_stop(p);
  assert_int_equal(w->made, w->freed);
}

static void renewing_waits_for_a_build_that_began_later(void **state) {
  world *w = *state;
  hm_preview *p = start(w);
  int before = w->made;
  w->slow_ms = 150;
  assert_false(hm_preview_renew(p, 20));     /* too impatient */
  assert_true(hm_preview_renew(p, 30000));
  assert_true(w->made >= before + 1);
  hm_preview_stop(p);
  assert_int_equal(w->made, w->freed);
}

typedef struct { hm_preview *p; atomic_bool stop; atomic_int reads; } reader;

static void *read_on(void *arg) {
  reader *r = arg;
  while (!r->stop) {
    hm_reading at = hm_preview_take(r->p);
    if (at.edition->own) r->reads++;
    hm_preview_give(r->p, &at);
  }
  return NULL;
}

static void many_readers_while_editions_change(void **state) {
  world *w = *state;
  reader r = { .p = start(w) };
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, read_on, &r);
  for (int i = 0; i < 20 || (r.reads <= 100 && i < 2000); i++)
    assert_true(hm_preview_renew(r.p, 30000));
  r.stop = true;
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  assert_true(r.reads > 100);
  hm_preview_stop(r.p);
  assert_int_equal(w->made, w->freed);
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void) {
  const struct CMUnitTest tests[] = {
    T(files_and_folders),
    T(the_store),
    T(an_absent_store_that_comes),
    T(a_change_makes_an_edition_and_readers_keep_theirs),
    T(nothing_is_made_while_nobody_looks),
    T(a_failed_build_leaves_the_edition_before_it),
    T(the_first_build_may_fail),
    T(renewing_waits_for_a_build_that_began_later),
    T(many_readers_while_editions_change),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
