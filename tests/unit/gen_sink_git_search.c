/* Which commits hold some bytes: what git grep says of each. */
#include "gen/sink/git_read.h"
#include "tests/unit/gen_sink_help.h"

static bool holds(void *ctx, hm_str bytes) { return hm_str_find(bytes, ctx) >= 0; }

static hm_git_hits search(place *p, const char *rev, const char *what) {
  hm_git_reader *g;
  hm_git_hits hits;
  char tip[41];
  hm_err err = { 0 };
  if (hm_git_reader_open(p->repo, &g, &err) != 0 || hm_git_resolve(g, rev, tip, &err) != 0)
    die(&err);
  if (hm_git_search(g, tip, holds, (void *)what, p->a, &hits, &err) != 0) die(&err);
  hm_git_reader_close(g);
  return hits;
}

static void where_it_is(void **state) {
  place *p = *state;
  maker *m = basic();
  publish(p, m);
  put(m, "projects/p05/README.md", "the hunter2 page\n");
  put(m, "a/b/c", "hunter2, too\n");
  publish(p, m);
  put(m, "README.md", "three\n");
  publish(p, m);
  put(m, "projects/p05/README.md", "clean\n");
  publish(p, m);
  put(m, "a/b/c", "clean\n");
  publish(p, m);
  hm_git_hits h = search(p, "mirror", "hunter2");
  assert_int_equal(h.commits, 5);
  assert_int_equal(h.n, 3);
  assert_string_equal(h.hits[0].commit.id, sh(p, "git -C mirror.git rev-parse mirror~1"));
  assert_string_equal(h.hits[2].commit.id, sh(p, "git -C mirror.git rev-parse mirror~3"));
  assert_int_equal(h.blobs, 2);
  assert_int_equal(h.n_paths, 2);
  assert_true(hm_str_is(h.paths[0], "a/b/c") && hm_str_is(h.paths[1], "projects/p05/README.md"));
  h = search(p, "mirror", "nowhere");
  assert_int_equal(h.n, 0);
  assert_int_equal(h.commits, 5);
  maker_free(m);
}

static void in_messages_and_names(void **state) {
  place *p = *state;
  maker *m = basic();
  publish(p, m);
  by_hand(p, "echo x > hunter2.md");
  publish(p, m);
  hm_git_hits h = search(p, "mirror", "hunter2");
  assert_int_equal(h.n, 1);
  assert_false(h.hits[0].in_message);
  assert_int_equal(h.n_paths, 1);
  h = search(p, "mirror", "by hand");
  assert_int_equal(h.n, 1);
  assert_true(h.hits[0].in_message);
  assert_int_equal(h.n_paths, 0);
  maker_free(m);
}

/* Commits of a side that was merged can be reached, too. */
static void over_all_parents(void **state) {
  place *p = *state;
  maker *m = basic();
  publish(p, m);
  sh(p,
     "git clone -q -b mirror mirror.git work && cd work && git config user.name a && git config user.email a@b && git checkout -q -b side &&"
     "echo hunter2 > s && git add s && git commit -q -m side && git rm -q s && git commit -q -m gone && git checkout -q mirror &&"
     "echo y > y && git add y && git commit -q -m main && git merge -q --no-ff -m merge side && git push -q origin mirror");
  hm_git_hits h = search(p, "mirror", "hunter2");
  assert_int_equal(h.commits, 5);
  assert_int_equal(h.n, 1);
  assert_string_equal(h.hits[0].commit.id, sh(p, "git -C work rev-parse side~1"));
  maker_free(m);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = { T(where_it_is), T(in_messages_and_names),
                                      T(over_all_parents) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
