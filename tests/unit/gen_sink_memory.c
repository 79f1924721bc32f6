/* What is remembered of a long object gives the pieces that cutting it gives; and libgit2's look for collisions is waited for. */
#include "gen/sink/git_impl.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/gen_sink_git_help.h"

static void random_bytes(hm_buf *b, size_t n, uint64_t *random) {
  for (size_t i = 0; i < n; i++) hm_buf_fmt(b, "%x\n", (unsigned)(prng(random) & 0xffff));
}

/* Something goes, and something comes in its place. */
static void edit(hm_buf *b, uint64_t *random) {
  hm_buf out = { 0 };
  size_t at = b->n ? prng(random) % b->n : 0, gone = prng(random) % 3 ? prng(random) % 40 : prng(random) % 100000;
  if (gone > b->n - at) gone = b->n - at;
  hm_buf_add(&out, b->p, at);
  if (prng(random) % 4) random_bytes(&out, prng(random) % 3 ? prng(random) % 9 : prng(random) % 20000, random);
  hm_buf_add(&out, b->p + at + gone, b->n - at - gone);
  hm_buf_free(b);
  *b = out;
}

static hm_git_long *cut(hm_str bytes, const hm_git_memory *m, hm_arena *a) {
  hm_git_long *l = hm_git_long_new(bytes, a);
  hm_git_deflater *d = hm_git_deflater_new();
  l->key = HM_STR("x");
  hm_git_long_cut(l, hm_git_memory_find(m, l->key));
  for (size_t i = 0; i < l->n; i++)
    if (!l->pieces[i].deflated.n) assert_int_equal(hm_git_piece_deflate(d, &l->pieces[i]), 0);
  hm_git_deflater_free(d);
  return l;
}

static void remember(hm_git_memory *m, hm_git_long *l) {
  hm_git_object o = { .type = GIT_OBJECT_TREE, .bytes = l->bytes, .pieces = l };
  hm_git_object_sum(o.type, o.bytes, o.id.id);
  const hm_git_objects all = { .o = &o, .n = 1 };
  hm_git_memory_put(m, &all, NULL, 0);
}

/* How many pieces were made and not remembered. */
static size_t same(hm_str bytes, hm_git_memory *m) {
  hm_arena *a = hm_arena_new();
  hm_git_long *with = cut(bytes, m, a), *without = cut(bytes, NULL, a);
  size_t made = 0;
  assert_int_equal(with->n, without->n);
  for (size_t i = 0; i < with->n; i++) {
    assert_true(with->pieces[i].bytes.p == without->pieces[i].bytes.p && with->pieces[i].bytes.n == without->pieces[i].bytes.n);
    assert_true(hm_str_eq(with->pieces[i].deflated, without->pieces[i].deflated));
    made += with->pieces[i].from == NULL;
  }
  remember(m, with);
  hm_git_long_free(with);
  hm_git_long_free(without);
  hm_arena_free(a);
  return made;
}

static void pieces_after_edits(void **state) {
  (void)state;
  uint64_t random = 7;
  hm_git_memory *m = hm_git_memory_new();
  hm_buf b = { 0 };
  random_bytes(&b, 200000, &random);
  same(hm_buf_view(&b), m);
  assert_int_equal(same(hm_buf_view(&b), m), 0);
  for (int i = 0; i < 60; i++) {
    for (uint64_t n = prng(&random) % 4; n-- > 0;) edit(&b, &random);
    if (i % 20 == 19) b.n = 1000;
    same(hm_buf_view(&b), m);
    if (i % 20 == 19) random_bytes(&b, 200000, &random);
  }
  size_t n = b.n;
  random_bytes(&b, 1, &random);
  same(hm_buf_view(&b), m);
  b.p[n / 2] ^= 1;
  b.p[n / 4] ^= 1;
  assert_in_range(same(hm_buf_view(&b), m), 1, 6);
  hm_buf_free(&b);
  hm_git_memory_free(m);
}

static void bytes_of_a_tree(void **state) {
  (void)state;
  uint64_t random = 8;
  hm_git_memory *m = hm_git_memory_new();
  hm_arena *a = hm_arena_new();
  hm_buf b = { 0 };
  git_oid first, second;
  hm_str got;
  random_bytes(&b, 50000, &random);
  hm_git_object_sum(GIT_OBJECT_TREE, hm_buf_view(&b), first.id);
  same(hm_buf_view(&b), m);
  assert_true(hm_git_memory_tree(m, &first, a, &got) && hm_str_eq(got, hm_buf_view(&b)));
  edit(&b, &random);
  hm_git_object_sum(GIT_OBJECT_TREE, hm_buf_view(&b), second.id);
  same(hm_buf_view(&b), m);
  assert_false(hm_git_memory_tree(m, &first, a, &got));
  assert_true(hm_git_memory_tree(m, &second, a, &got) && hm_str_eq(got, hm_buf_view(&b)));
  assert_false(hm_git_memory_tree(NULL, &second, a, &got));
  hm_git_object o = { .id = first, .type = GIT_OBJECT_TREE, .bytes = HM_STR("made") };
  const hm_git_tree_read read[] = { { second, HM_STR("read") } };
  const hm_git_objects small = { .o = &o, .n = 1 };
  hm_git_memory *only_small = hm_git_memory_new();
  hm_git_memory_put(only_small, &small, read, 1);
  assert_true(hm_git_memory_tree(only_small, &first, a, &got) && hm_str_is(got, "made"));
  assert_true(hm_git_memory_tree(only_small, &second, a, &got) && hm_str_is(got, "read"));
  hm_git_memory_put(only_small, &small, NULL, 0);
  assert_false(hm_git_memory_tree(only_small, &second, a, &got));
  hm_git_memory_free(only_small);
  hm_buf_free(&b);
  hm_arena_free(a);
  hm_git_memory_free(m);
}

static void too_much_is_forgotten(void **state) {
  (void)state;
  hm_git_memory *m = hm_git_memory_new();
  hm_str bytes = { calloc(1, 97 << 20), 97 << 20 };
  hm_arena *a = hm_arena_new();
  hm_git_long *l = cut(bytes, m, a);
  remember(m, l);
  assert_null(hm_git_memory_find(m, HM_STR("x")));
  hm_git_long_free(l);
  l = cut(hm_str_sub(bytes, 0, 1 << 20), m, a);
  remember(m, l);
  assert_non_null(hm_git_memory_find(m, HM_STR("x")));
  hm_git_long_free(l);
  hm_arena_free(a);
  free((void *)(uintptr_t)bytes.p);
  hm_git_memory_free(m);
}

/* Files without an end, too many, with one thread; seen before, or not. */
static void looks_at_all(void **state) {
  (void)state;
  enum { FILES = HM_GIT_LOOKS + 3 };
  hm_file files[FILES];
  hm_git_look *l[FILES];
  git_libgit2_init();
  char *bytes = calloc(FILES, 1 << 20);
  for (int threads = 1; threads <= 4; threads += 3) {
    const hm_git_options opt = { .threads = threads };
    hm_git g = { .opt = &opt };
    for (int i = 0; i < FILES; i++) {
      bytes[i << 20] = (char)i;
      files[i] = (hm_file){ .path = HM_STR("conflicts.json"), .bytes = { bytes + (i << 20), 1 << 20 } };
      hm_git_sees(&g, &files[i]);
      l[i] = hm_git_look_at(&g, &files[i]);
      assert_true((l[i] != NULL) == (threads > 1 && i < HM_GIT_LOOKS));
    }
    for (int i = 0; i < FILES; i++) {
      git_oid id, sum;
      assert_int_equal(git_odb_hash(&id, files[i].bytes.p, files[i].bytes.n, GIT_OBJECT_BLOB), 0);
      for (int again = 0; l[i] && again < 2; again++) hm_git_look_sum(l[i], &sum);
      if (l[i]) assert_true(git_oid_equal(&id, &sum));
    }
    assert_int_equal(hm_git_looks_wait(&g), 0);
    assert_int_equal(hm_git_looks_wait(&g), 0);
    hm_git_looks_end(&g);
    assert_null(hm_git_look_at(&g, &files[0]));
    hm_git_sees(&g, &files[0]);
    hm_git_sees(&g, NULL);
    assert_null(hm_git_look_at(&g, &files[0]));
  }
  const hm_git_options opt = { .threads = 2 };
  hm_git g = { .opt = &opt };
  hm_git_sees(&g, &(hm_file){ .path = HM_STR("manifest.json"), .bytes = { bytes, 1 << 20 } });
  hm_git_sees(&g, &(hm_file){ .path = HM_STR("conflicts.json"), .bytes = { bytes, 100 } });
  for (int k = 0; k < HM_GIT_LOOKS; k++) assert_null(g.looks[k]);
  free(bytes);
  git_libgit2_shutdown();
}

/* A byte that changes between the sum and the look stands for a collision: nothing is published. */
static void what_a_look_finds_stops_the_publication(void **state) {
  place *p = *state;
  maker *m = basic();
  hm_git_tip tip;
  hm_git_result r;
  hm_err err = { 0 };
  git_oid sum;
  publish(p, m);
  char *before = strdup(sh(p, "git -C mirror.git rev-parse mirror; ls mirror.git/objects/pack")), *bytes = calloc(100, 1 << 20);
  hm_file *f = m->files;
  while (!hm_str_is(f->path, "conflicts.json")) f++;
  f->bytes = (hm_str){ bytes, 100 << 20 };
  hm_git *g = begin(p, &tip);
  hm_git_sees(g, f);
  hm_git_look_sum(hm_git_look_at(g, f), &sum);
  bytes[f->bytes.n - 1] = 1;
  assert_int_equal(hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err), -1);
  assert_non_null(strstr(err.why, "two sums of the same bytes differ"));
  hm_git_close(g);
  assert_string_equal(sh(p, "git -C mirror.git rev-parse mirror; ls mirror.git/objects/pack"), before);
  free(before);
  free(bytes);
  maker_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(pieces_after_edits), cmocka_unit_test(bytes_of_a_tree),
                                      cmocka_unit_test(too_much_is_forgotten), cmocka_unit_test(looks_at_all),
                                      cmocka_unit_test_setup_teardown(what_a_look_finds_stops_the_publication, setup, teardown) };
  return cmocka_run_group_tests_name("gen_sink_memory", tests, NULL, NULL);
}
