/* The tree of a site with held files is the tree of the whole site: for any names, files that
 * become folders and back, folders that go, and kept paths. */
#include "gen/sink/git_impl.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/gen_sink_git_help.h"
#include "tests/unit/core_base_thorough.h"

static bool stands_in(const char *folder, const char *path) {
  size_t n = strlen(folder);
  return strncmp(folder, path, n) == 0 && path[n] == '/';
}

/* A file and a folder of one name cannot both be there. */
static bool fits(const maker *m, const char *path) {
  for (size_t i = 0; i < m->site.n; i++)
    if (stands_in(m->files[i].path.p, path) || stands_in(path, m->files[i].path.p)) return false;
  return true;
}

/* Names around '/', which git and bytes sort each in its own way where they are not a folder's. */
static const char *const pool[] = {
  "a", "a/b", "a/b/c", "a/b/c/d", "a/b-", "a/b.c", "a/b0", "a-", "a-b/c", "a.b", "a.b/c", "a0",
  "a0/x", "ab", "a/0", "b", "b/a/a", "b/a/b", "b/b/a", "b.md",
  "c/d/e/f/g", "c/d/e/f/h", "c/d.md", "c/d-e", "manifest.json", "z/1", "z/2", "z/3", "z/4", "zz",
  "kept/x", "kept/y", "k/kept", "k/other", "CNAME"
};
enum { POOL = sizeof pool / sizeof *pool };

static maker *random_site(uint64_t *random) {
  maker *m = maker_new();
  char text[16];
  size_t most = prng(random) % POOL;
  for (size_t i = 0; i < most; i++) {
    const char *path = pool[prng(random) % POOL];
    snprintf(text, sizeof text, "%d\n", (int)(prng(random) % 3));
    if (fits(m, path)) put(m, path, text);
  }
  return m;
}

static const hm_file *at(const maker *m, hm_str path) {
  for (size_t i = 0; i < m->site.n; i++)
    if (hm_str_eq(m->files[i].path, path)) return &m->files[i];
  return NULL;
}

/* The site as one that was built when `was` was known. */
static maker *after(const maker *now, const maker *was) {
  maker *m = maker_new();
  m->site.gone = hm_alloc_array(m->a, was->site.n, sizeof *m->site.gone);
  for (size_t i = 0; i < now->site.n; i++) {
    const hm_file *f = &now->files[i], *old = at(was, f->path);
    m->files[m->site.n] = *f;
    if (old && hm_str_eq(old->bytes, f->bytes))
      m->files[m->site.n].held = true, m->files[m->site.n].bytes.p = NULL;
    m->site.n++;
  }
  for (size_t i = 0; i < was->site.n; i++)
    if (!at(now, was->files[i].path)) m->site.gone[m->site.n_gone++] = was->files[i].path;
  return m;
}

/* The same publication as one of changes, into the repository, and of all files, into its copy. */
static hm_git_result both(place *p, const maker *now, const maker *was, char tree[41]) {
  hm_git_tip tip;
  hm_git_result r, all;
  hm_err err = { 0 };
  sh(p, "rm -rf copy.git && cp -r mirror.git copy.git");
  maker *m = after(now, was);
  p->opt.known_tree = tree;
  hm_git *g = begin(p, &tip);
  assert_true(tip.known);
  if (hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err) != 0) die(&err);
  hm_git_close(g);
  p->opt.known_tree = NULL;
  snprintf(p->repo, sizeof p->repo, "%s/copy.git", p->root);
  all = publish(p, now);
  snprintf(p->repo, sizeof p->repo, "%s/mirror.git", p->root);
  assert_string_equal(r.commit, all.commit);
  assert_string_equal(r.tree, all.tree);
  assert_int_equal(r.objects, all.objects);
  if (!p->opt.n_keep)
    assert_string_equal(
        sh(p, "ls mirror.git/objects/pack >a; ls copy.git/objects/pack | cmp - a && echo same"),
        "same");
  maker_free(m);
  return r;
}

static void walk(place *p, uint64_t seed, int steps) {
  uint64_t random = seed;
  maker *was = random_site(&random);
  put(was, "first", "");
  hm_git_result r = publish(p, was);
  for (int i = 0; i < steps; i++) {
    maker *now = random_site(&random);
    put(now, "number", hm_str_fmt(p->a, "%d", i).p);
    r = both(p, now, was, r.tree);
    maker_free(was);
    was = now;
  }
  sh(p, "git -C mirror.git fsck --strict");
  maker_free(was);
}

static void any_site_after_any_other(void **state) { walk(*state, 1, thorough() ? 150 : 10); }

static void with_kept_paths(void **state) {
  place *p = *state;
  static const char *const keep[] = { "kept/", "CNAME", "k/kept", "only/kept" };
  p->opt.keep = keep;
  p->opt.n_keep = 4;
  maker *m = maker_new();
  put(m, "README.md", "one\n");
  publish(p, m);
  by_hand(
      p, "mkdir -p kept/deep only && echo 1 > kept/deep/x && echo 2 > CNAME && echo 3 > only/kept");
  maker_free(m);
  walk(p, 2, thorough() ? 150 : 10);
  assert_string_equal(
      sh(p,
         "git -C mirror.git cat-file -p mirror:kept/deep/x; git -C mirror.git cat-file -p mirror:CNAME; git -C mirror.git cat-file -p mirror:only/kept"),
      "1\n2\n3");
}

/* Where folders stand in which something is kept. */
static void a_file_in_the_place_of_a_kept_one(void **state) {
  place *p = *state;
  static const char *const keep[] = { "a/kept" };
  p->opt.keep = keep;
  p->opt.n_keep = 1;
  maker *was = maker_new(), *now = maker_new();
  put(was, "a/x", "1");
  publish(p, was);
  by_hand(p, "echo 1 > a/kept");
  hm_git_result r = publish(p, was);
  put(now, "a", "2");
  maker *m = after(now, was);
  p->opt.known_tree = r.tree;
  hm_git_tip tip;
  hm_err err = { 0 };
  hm_git *g = begin(p, &tip);
  assert_int_equal(hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err), -1);
  assert_string_equal(err.what, "publish.keep");
  hm_git_close(g);
  maker_free(m);
  maker_free(was);
  maker_free(now);
}

static void what_is_held_must_be_there(void **state) {
  place *p = *state;
  maker *was = basic();
  hm_git_tip tip;
  hm_git_result r;
  hm_err err = { 0 };
  publish(p, was);
  maker *m = after(was, was);
  p->opt.known_tree = "0123456789012345678901234567890123456789";
  hm_git *g = begin(p, &tip);
  assert_int_equal(hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err), -1);
  assert_int_equal(err.code, HM_E_INTERNAL);
  hm_git_close(g);
  maker_free(m);
  maker_free(was);
}

/* A folder of thousands, in which one file changes: one blob, and the trees above it. */
static void a_long_folder(void **state) {
  place *p = *state;
  maker *was = maker_new();
  char path[64];
  for (int i = 0; i < 3000; i++) {
    snprintf(path, sizeof path, "conflicts/c%07x.md", i * 7919);
    was->files[was->site.n++] =
        (hm_file){ .path = hm_str_dup(was->a, hm_str_c(path)), .bytes = HM_STR("x\n") };
  }
  put(was, "README.md", "one\n");
  hm_git_result r = publish(p, was);
  for (int i = 0; i < 3; i++) {
    maker before = *was;
    snprintf(path, sizeof path, "conflicts/c%07x.md", i * 1499 * 7919);
    put(was, path, hm_str_fmt(p->a, "%d", i).p);
    r = both(p, was, &before, r.tree);
    assert_int_equal(r.objects, 4);
  }
  assert_holds(p, was);
  maker_free(was);
}

/* Of thousands of folders that are read no more is held than they are long. */
static void many_folders(void **state) {
  place *p = *state;
  enum { MANY = 2800 };
  hm_git_tip tip;
  hm_err err = { 0 };
  maker *m = maker_new();
  for (int i = 0; i < MANY; i++)
    m->files[m->site.n++] = (hm_file){ .path = hm_str_fmt(m->a, "projects/p%04d/README.md", i),
                                       .bytes = hm_str_fmt(m->a, "%d\n", i) };
  hm_git_result r = publish(p, m);
  p->opt.known_tree = r.tree;
  for (int i = 0; i < MANY; i++) m->files[i].bytes = hm_str_fmt(m->a, "%d, too\n", i);
  hm_git *g = begin(p, &tip);
  if (hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err) != 0) die(&err);
  assert_true(hm_arena_held(g->a) < 16 << 20);
  hm_git_close(g);
  assert_holds(p, m);
  maker_free(m);
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
    T(any_site_after_any_other),   T(with_kept_paths), T(a_file_in_the_place_of_a_kept_one),
    T(what_is_held_must_be_there), T(a_long_folder),   T(many_folders)
  };
  return cmocka_run_group_tests_name("gen_sink_tree", tests, NULL, NULL);
}
