/* The sink reads its own packs itself: to take deflated pieces from them, and conflicts.json. What stands there is checked. */
#include <fcntl.h>
#include <sys/stat.h>

#include "gen/sink/git_impl.h"
#include "tests/unit/gen_sink_git_help.h"

/* A long file whose line `changed` says something else. */
static void put_long(maker *m, const char *path, int changed) {
  char line[80];
  hm_buf b = { 0 };
  for (int i = 0; i < 20000; i++) {
    int n = i == changed ? 12345 : i;
    snprintf(line, sizeof line, "{\"path\":\"pages/%d\",\"sha256\":\"%08x%08x%08x\"},\n", i, n * 2654435761u, n * 40503u, (unsigned)n << 9);
    hm_buf_c(&b, line);
  }
  hm_buf_ch(&b, 0);
  put(m, path, b.p);
  hm_buf_free(&b);
}

static git_oid id_of(place *p, const char *path) {
  git_oid id;
  assert_int_equal(git_oid_fromstr(&id, sh(p, "git -C mirror.git rev-parse mirror:%s", path)), 0);
  return id;
}

static hm_str bytes_of(const maker *m, const char *path) {
  for (size_t i = 0; i < m->site.n; i++)
    if (hm_str_is(m->files[i].path, path)) return m->files[i].bytes;
  return HM_EMPTY;
}

enum { LIMIT = 1 << 28 };

static bool reads(place *p, const char *path, hm_str wanted) {
  hm_git_tip tip;
  git_oid id = id_of(p, path);
  hm_str got;
  hm_git *g = begin(p, &tip);
  bool ok = hm_git_own_read(g, &id, GIT_OBJECT_BLOB, LIMIT, p->a, &got);
  assert_false(hm_git_own_read(g, &id, GIT_OBJECT_BLOB, wanted.n - 1, p->a, &got));
  hm_git_close(g);
  if (ok) assert_true(hm_str_eq(got, wanted));
  return ok;
}

static void each_object_is_found(void **state) {
  place *p = *state;
  maker *m = basic();
  put_long(m, "manifest.json", 0);
  publish(p, m);
  put_long(m, "manifest.json", 7);
  put(m, "later", "x");
  publish(p, m);
  for (size_t i = 0; i < m->site.n; i++)
    if (m->files[i].bytes.n) assert_true(reads(p, m->files[i].path.p, m->files[i].bytes));
  assert_holds(p, m);
  maker_free(m);
}

/* The second pack has all pieces but one or two from the first. */
static void pieces_are_taken_over(void **state) {
  place *p = *state;
  maker *m = basic();
  put_long(m, "manifest.json", 0);
  publish(p, m);
  put_long(m, "manifest.json", 9999);
  publish(p, m);
  assert_holds(p, m);
  git_oid id = id_of(p, "manifest.json"), before = id_of(p, "manifest.json");
  assert_int_equal(git_oid_fromstr(&before, sh(p, "git -C mirror.git rev-parse mirror~1:manifest.json")), 0);
  hm_git_tip tip;
  hm_git_own now, then;
  hm_git *g = begin(p, &tip);
  assert_true(hm_git_own_find(g, &id, &now) && hm_git_own_find(g, &before, &then));
  hm_git_long *l = hm_git_long_new(bytes_of(m, "manifest.json"), p->a);
  size_t same = 0;
  hm_git_long_cut(l, NULL);
  hm_git_long_reuse(&l, 1, &then.stream, 1, 2);
  for (size_t i = 0; i < l->n; i++) same += l->pieces[i].deflated.n > 0;
  assert_true(l->n > 20 && same >= l->n - 2);
  hm_git_close(g);
  maker_free(m);
}

/* What is published next does not come from there. */
static void what_is_damaged_is_not_used(void **state) {
  place *p = *state;
  maker *m = basic();
  put_long(m, "conflicts.json", 0);
  hm_git_result r = publish(p, m);
  p->opt.known_tree = r.tree;
  assert_true(reads(p, "conflicts.json", bytes_of(m, "conflicts.json")));
  sh(p, "chmod u+w mirror.git/objects/pack/*.pack && printf '\\377\\377\\377' | dd of=$(echo mirror.git/objects/pack/*.pack) bs=1 seek=100000 conv=notrunc status=none");
  assert_false(reads(p, "conflicts.json", bytes_of(m, "conflicts.json")));
  put_long(m, "conflicts.json", 15000);
  publish(p, m);
  assert_true(reads(p, "conflicts.json", bytes_of(m, "conflicts.json")));
  sh(p, "git -C mirror.git cat-file blob mirror:conflicts.json >now && git hash-object now | grep -qx $(git -C mirror.git rev-parse mirror:conflicts.json)");
  maker_free(m);
}

static void lists_that_lie(void **state) {
  place *p = *state;
  static const char *const lies[] = { "", "x", "\\n\\n\\n", "pack-../../../../../etc/passwd\\n", "pack-0000000000000000000000000000000000000000\\n",
                                      "pack-zz00000000000000000000000000000000000000\\n", "pack-00" };
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    maker *m = basic();
    put_long(m, "manifest.json", (int)i);
    publish(p, m);
    sh(p, "printf '%s' > mirror.git/hmirror.packs", lies[i]);
    put_long(m, "manifest.json", 5000 + (int)i);
    publish(p, m);
    assert_holds(p, m);
    maker_free(m);
  }
}

static void cut_off_indexes(void **state) {
  place *p = *state;
  maker *m = basic();
  hm_arena *a = hm_arena_new();
  publish(p, m);
  git_oid id = id_of(p, "README.md");
  int dir = open(hm_str_fmt(p->a, "%s/objects/pack", p->repo).p, O_RDONLY | O_DIRECTORY);
  hm_str idx;
  assert_int_equal(hm_fs_read_at(dir, sh(p, "basename mirror.git/objects/pack/*.idx"), 1 << 20, p->a, &idx), 0);
  uint64_t at, next;
  assert_true(hm_git_idx_find(idx, &id, &at, &next));
  for (size_t n = 0; n < idx.n; n++) {
    hm_str cut = hm_str_dup(a, hm_str_sub(idx, 0, n));
    if (hm_git_idx_find(cut, &id, &at, &next)) assert_true(n > idx.n - 40);
    hm_arena_reset(a);
  }
  close(dir);
  hm_arena_free(a);
  maker_free(m);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* To ask whether an object is there, once for each delta of a pack, does not look at all of them each time. */
static void only_the_next_one_costs(void **state) {
  enum { N = 200000, ASKED = 4000 };
  (void)state;
  static const unsigned char sum[20];
  hm_idx_entry *e = hm_xmalloc(N * sizeof *e);
  hm_buf idx = { 0 };
  uint64_t at, next;
  for (uint32_t i = 0; i < N; i++) {
    e[i] = (hm_idx_entry){ .offset = 12 + i };
    for (int k = 0; k < 4; k++) e[i].id.id[k] = (unsigned char)(i >> 8 * (3 - k));
  }
  hm_git_idx_bytes(e, N, sum, &idx);
  double began = seconds();
  for (uint32_t i = 0; i < ASKED; i++) {
    assert_true(hm_git_idx_find(hm_buf_view(&idx), &e[i * 7].id, &at, NULL));
    assert_int_equal(at, 12 + i * 7);
  }
  double alone = seconds() - began;
  began = seconds();
  for (uint32_t i = 0; i < ASKED / 40; i++) {
    assert_true(hm_git_idx_find(hm_buf_view(&idx), &e[i].id, &at, &next));
    assert_int_equal(next, at + 1);
  }
  double with_next = seconds() - began;
  if (alone > with_next) fail_msg("%d in %.4f s, and %d with the next one in %.4f s", ASKED, alone, ASKED / 40, with_next);
  hm_buf_free(&idx);
  free(e);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = { T(each_object_is_found), T(pieces_are_taken_over), T(what_is_damaged_is_not_used), T(lists_that_lie),
                                      T(cut_off_indexes),
                                      T(only_the_next_one_costs) };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
