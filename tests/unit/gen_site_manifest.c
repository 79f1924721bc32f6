/* Large sites, whose folders have manifests of their own. */
#include <stdio.h>

#include "core/base/digest.h"
#include "gen_site_help.h"

enum {
  FILES = 17,
  FILL = HM_MANIFEST_MAX - FILES
}; /* FILES: of `pages` in both forms and what is there besides, without manifests */

static const fake_page pages[] = {
  { "README.md", "root\n" },
  { "conflicts/c1.md", "all sides\n" },
  { "conflicts/c2.md", "signed off soon\n" },
  { "projects/p/README.md", "- 4.8 kg [\u26A0 disputed](../../conflicts/c1.md#x)\n" },
  { "projects/p/decisions.md", "[log](README.md)\n" },
  { "projects/q/README.md", "q\n" },
  { "projects/q/state.md", "state\n" },
};
enum { PAGES = 7 };

typedef struct { hm_template_file f[HM_MANIFEST_MAX + 8]; size_t n; } statics;

static statics *fill(size_t n) {
  statics *s = calloc(1, sizeof *s);
  for (size_t i = 0; i < n; i++) {
    char *name = malloc(32);
    snprintf(name, 32, "s/%zu.txt", i);
    s->f[s->n++] = (hm_template_file){ hm_str_c(name), HM_STR("x"), HM_EMPTY };
  }
  return s;
}

static void put(statics *s, const char *name, const char *bytes) {
  s->f[s->n++] = (hm_template_file){ hm_str_c(strdup(name)), hm_str_c(bytes), HM_EMPTY };
}

static void empty(statics *s) {
  for (size_t i = 0; i < s->n; i++) free((void *)(uintptr_t)s->f[i].name.p);
  free(s);
}

static bool holds(void *ctx, const hm_file *f) {
  (void)ctx, (void)f;
  return true;
}

static hm_site *make(const fake_page *p, size_t n, const statics *st, const hm_known *known,
                     int threads) {
  hm_site_options opt = { .threads = threads,
                          .markdown = true,
                          .html = true,
                          .statics = st->f,
                          .n_statics = st->n,
                          .known = known,
                          .holds = known ? holds : NULL };
  hm_site *s;
  hm_err err = { 0 };
  if (build(p, n, &opt, "", &s, &err) != 0) fail_msg("%s: %s", err.what, err.why);
  return s;
}

static const hm_file *at(const hm_site *s, const char *path) {
  return hm_site_file(s, hm_str_c(path));
}

static void check_row(const hm_site *s, const hm_manifest_row *r, hm_map *seen, hm_arena *a) {
  uint32_t next = (uint32_t)seen->n;
  assert_int_equal(hm_map_add(seen, r->path, next), next);
  const hm_file *f = hm_site_file(s, r->path);
  assert_non_null(f);
  assert_int_equal(r->names, f->names);
  if (f->bytes.p) assert_true(hm_str_eq(r->sha256, hm_digest_hex(a, f->bytes, 64)));
}

/* Each file stands in one manifest, once, and in the right one. Returns how many folders have one.
 */
static size_t check(const hm_site *s) {
  hm_arena *a = hm_arena_new();
  hm_manifest root, below;
  hm_map seen;
  size_t folders = 0;
  hm_map_init(&seen, a, 0);
  assert_true(hm_manifest_read(at(s, "manifest.json")->bytes, HM_EMPTY, a, &root));
  for (size_t i = 0; i < root.n; i++) {
    check_row(s, &root.rows[i], &seen, a);
    if (!root.rows[i].names) continue;
    folders++;
    assert_true(hm_manifest_read(hm_site_file(s, root.rows[i].path)->bytes,
                                 hm_manifest_folder(root.rows[i].path), a, &below));
    assert_int_equal(below.n, root.rows[i].names);
    for (size_t k = 0; k < below.n; k++) check_row(s, &below.rows[k], &seen, a);
  }
  assert_int_equal(seen.n, s->n - 1);
  hm_arena_free(a);
  return folders;
}

/* What a build that knows made is what one that does not makes. */
static void same_sites(const hm_site *x, const hm_site *y) {
  assert_int_equal(x->n, y->n);
  assert_true(hm_str_eq(x->digest, y->digest));
  for (size_t i = 0; i < x->n; i++) {
    assert_true(hm_str_eq(x->files[i].path, y->files[i].path));
    assert_memory_equal(x->files[i].sha256, y->files[i].sha256, 32);
    assert_int_equal(x->files[i].bytes.n, y->files[i].bytes.n);
    assert_int_equal(x->files[i].names, y->files[i].names);
  }
}

/* --- the threshold ------------------------------------------------------------------ */

static void only_large_sites_are_split(void **state) {
  (void)state;
  for (int more = -1; more <= 1; more++) {
    statics *st = fill((size_t)(FILL + more));
    hm_site *s = make(pages, PAGES, st, NULL, 2);
    bool split = more > 0;
    assert_int_equal(s->n, HM_MANIFEST_MAX + more + 1 + (split ? 3 : 0));
    assert_int_equal(check(s), split ? 3 : 0);
    assert_int_equal(at(s, "conflicts/manifest.json") != NULL, split);
    assert_int_equal(at(s, "projects/q/manifest.json") != NULL, split);
    if (split) assert_int_equal(at(s, "projects/q/manifest.json")->names, 4);
    hm_site_free(s);
    empty(st);
  }
}

static void threshold_is_crossed_both_ways(void **state) {
  (void)state;
  statics *small = fill(FILL), *large = fill(FILL + 1);
  hm_site *s = make(pages, PAGES, small, NULL, 1);
  for (int i = 0; i < 4; i++) {
    statics *st = i % 2 ? small : large;
    hm_site *now = make(pages, PAGES, st, &s->known, 1 + i),
            *full = make(pages, PAGES, st, NULL, 1);
    same_sites(now, full);
    assert_int_equal(now->n_gone, i % 2 ? 4 : 0);   /* three manifests and a static file */
    if (i % 2) assert_true(hm_str_is(now->gone[0], "conflicts/manifest.json"));
    hm_site_free(full);
    hm_site_free(s);
    s = now;
  }
  hm_site_free(s);
  empty(small);
  empty(large);
}

/* --- a change ------------------------------------------------------------------------ */

/* Of the site that p is now, after one of `pages`: are these manifests as they were? */
static void after(const fake_page *p, size_t n, const statics *before, const statics *st,
                  bool conflicts, bool of_p, bool of_q) {
  hm_site *was = make(pages, PAGES, before, NULL, 1), *now = make(p, n, st, &was->known, 3),
          *full = make(p, n, st, NULL, 1);
  same_sites(now, full);
  check(full);
  assert_int_equal(at(now, "conflicts/manifest.json")->held, conflicts);
  assert_int_equal(at(now, "projects/p/manifest.json")->held, of_p);
  assert_int_equal(at(now, "projects/q/manifest.json")->held, of_q);
  assert_false(at(now, "manifest.json")->held);
  hm_site_free(full);
  hm_site_free(now);
  hm_site_free(was);
}

static void a_change_touches_its_folder_alone(void **state) {
  (void)state;
  statics *st = fill(FILL + 1);
  fake_page p[PAGES];
  memcpy(p, pages, sizeof p);
  after(p, PAGES, st, st, true, true, true);
  p[6].text = "another state\n";
  after(p, PAGES, st, st, true, true, false);
  p[6] = pages[6];
  p[1].text = "all sides, once more\n";
  after(p, PAGES, st, st, false, true, true);
  empty(st);
}

static void what_came_and_went_is_seen(void **state) {
  (void)state;
  statics *st = fill(FILL + 8);
  fake_page p[PAGES + 1];
  memcpy(p, pages, sizeof pages);
  after(p, PAGES - 1, st, st, true, true, false);
  p[6].path = "projects/q/other.md";                 /* as many as before */
  after(p, PAGES, st, st, true, true, false);
  p[6] = pages[6];
  p[7] = (fake_page){ "projects/q/z.md", "z\n" };
  after(p, PAGES + 1, st, st, true, true, false);
  empty(st);
}

static void static_files_in_folders_count(void **state) {
  (void)state;
  statics *none = fill(FILL + 1), *one = fill(FILL + 1), *other = fill(FILL + 1);
  put(one, "projects/q/map.png", "a map");
  put(other, "projects/q/map.png", "another");
  after(pages, PAGES, one, one, true, true, true);
  after(pages, PAGES, one, other, true, true, false);
  after(pages, PAGES, none, one, true, true, false);
  after(pages, PAGES, one, none, true, true, false);
  empty(none);
  empty(one);
  empty(other);
}

/* --- a file of the user's of that name --------------------------------------------------- */

static void the_users_own_is_no_manifest(void **state) {
  (void)state;
  static const char *const names[] = { "projects/q/manifest.json", "projects/q/manifest.json/x" };
  static const char poser[] =
      "{\"folder\":\"projects/q\",\"files\":[{\"path\":\"projects/q/mine\",\"sha256\":\"\",\"bytes\":1}]}\n";
  statics *none = fill(FILL + 1);
  for (int i = 0; i < 2; i++) {
    statics *st = fill(FILL + 1);
    put(st, names[i], poser);
    put(st, "apps/manifest.json", poser);
    put(st, "projects/q/sub/manifest.json", poser);
    hm_site *s = make(pages, PAGES, st, NULL, 1), *next = make(pages, PAGES, none, &s->known, 1),
            *full = make(pages, PAGES, none, NULL, 1);
    assert_int_equal(check(s), 2);
    assert_int_equal(at(s, names[i])->names, 0);
    assert_null(at(s, i ? "projects/q/manifest.json" : "projects/q/manifest.json/x"));
    same_sites(next, full);
    assert_false(at(next, "projects/q/manifest.json")->held);
    hm_site_free(full);
    hm_site_free(next);
    hm_site_free(s);
    empty(st);
  }
  empty(none);
}

/* --- read from outside -------------------------------------------------------------------- */

static void hostile_manifests_are_bounded(void **state) {
  (void)state;
  static const char *const none[] = {
    "", "{", "[]", "{}", "{\"files\":{}}", "{\"files\":[],\"folder\":\"projects/p\"}"
  };
  static const char root[] =
      "{\"tool\":\"hmirror 9\",\"files\":[3,{\"path\":7},{\"path\":\"\"},{\"path\":\"projects/../manifest.json\",\"files\":2},"
      "{\"path\":\"apps/manifest.json\",\"files\":2},{\"path\":\"projects/p/sub/manifest.json\",\"files\":2},{\"path\":\"projects/p/manifest.json\",\"files\":-2},"
      "{\"path\":\"projects/p/manifest.json\",\"files\":\"2\"},{\"path\":\"projects/p/manifest.json\",\"files\":99999999999999999999},"
      "{\"path\":\"projects/p/manifest.json\",\"sha256\":\"aa\",\"files\":2},{\"path\":\"conflicts/manifest.json\",\"files\":1}]}";
  static const char below[] =
      "{\"folder\":\"projects/p\",\"files\":[{\"path\":\"projects/p/x\"},{\"path\":\"projects/q/x\"},{\"path\":\"README.md\"},"
      "{\"path\":\"projects/p\"},{\"path\":\"projects/p/manifest.json\",\"files\":4}]}";
  hm_arena *a = hm_arena_new();
  hm_manifest m;
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    assert_false(hm_manifest_read(hm_str_c(none[i]), HM_EMPTY, a, &m));
  assert_true(hm_manifest_read(HM_STR(root), HM_EMPTY, a, &m));
  assert_int_equal(m.n, 8);
  for (size_t i = 0; i < m.n; i++) assert_int_equal(m.rows[i].names, i == 6 ? 2 : i == 7 ? 1 : 0);
  assert_false(hm_manifest_read(HM_STR(below), HM_EMPTY, a, &m));
  assert_false(hm_manifest_read(HM_STR(below), HM_STR("projects/q"), a, &m));
  assert_true(hm_manifest_read(HM_STR(below), HM_STR("projects/p"), a, &m));
  assert_int_equal(m.n, 2);
  for (size_t i = 0; i < m.n; i++) assert_int_equal(m.rows[i].names, 0);
  hm_arena_free(a);
}

static void folders_of_paths(void **state) {
  (void)state;
  static const char *const of[][2] = { { "projects/p/README.md", "projects/p" },
                                       { "projects/p/a/b.md", "projects/p" },
                                       { "projects/a-c.md", "" },
                                       { "data/p/state.jsonl", "data/p" },
                                       { "data/p/entities/lens.jsonl", "data/p" },
                                       { "data/0a.txt", "" },
                                       { "conflicts/c1.md", "conflicts" },
                                       { "conflicts/archive/2026.md", "conflicts" },
                                       { "conflicts.json", "" },
                                       { "README.md", "" },
                                       { "", "" },
                                       { "x/projects/p/y", "" },
                                       { "projects/p", "" } };
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    assert_true(hm_str_is(hm_manifest_folder(hm_str_c(of[i][0])), of[i][1]));
}

int main(void) {
#define T(f) cmocka_unit_test_setup(f, setup)
  const struct CMUnitTest tests[] = {
    T(only_large_sites_are_split),        T(threshold_is_crossed_both_ways),
    T(a_change_touches_its_folder_alone), T(what_came_and_went_is_seen),
    T(static_files_in_folders_count),     T(the_users_own_is_no_manifest),
    T(hostile_manifests_are_bounded),     T(folders_of_paths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
