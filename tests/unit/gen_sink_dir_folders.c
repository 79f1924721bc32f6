/* Manifests in more than one file, the folders' of before and today's parts: what they name is
 * ours, and nothing else. */
#include "gen/site/manifest.h"
#include "gen_sink_dir_help.h"

enum { FILES_MAX = 4096 };
static uint32_t names_of[FILES_MAX];   /* of a folder's manifest how many files it names; else 0 */

static void put_manifest(maker *m, const char *folder) {
  hm_buf b = { 0 };
  uint32_t names = 0;
  size_t n = strlen(folder);
  hm_buf_fmt(&b, "{\"folder\":\"%s\",\"files\":[", folder);
  for (size_t i = 0; i < m->n; i++)
    if (hm_str_starts(m->files[i].path, folder) && m->files[i].path.p[n] == '/')
      hm_buf_fmt(&b, "%s{\"path\":\"%s\"}", names++ ? "," : "", m->files[i].path.p);
  hm_buf_c(&b, "]}");
  put(m, hm_str_fmt(m->a, "%s/manifest.json", folder).p, hm_str_z(m->a, hm_buf_view(&b)));
  names_of[m->n - 1] = names;
  hm_buf_free(&b);
}

static bool is_named_below(const maker *m, hm_str path) {
  for (size_t i = 0; i < m->n; i++) {
    hm_str folder = hm_manifest_folder(m->files[i].path);
    if (names_of[i] && !hm_str_eq(path, m->files[i].path) &&
        hm_str_eq(folder, hm_manifest_folder(path)))
      return true;
  }
  return false;
}

static const hm_site *seal_root(maker *m) {
  hm_buf b = { 0 };
  hm_buf_c(&b, "{\"tool\":\"hmirror test\",\"files\":[{\"path\":\"\"}");
  for (size_t i = 0; i < m->n; i++) {
    if (is_named_below(m, m->files[i].path)) continue;
    hm_buf_fmt(&b, ",{\"path\":\"%s\"", m->files[i].path.p);
    if (names_of[i]) hm_buf_fmt(&b, ",\"files\":%u", names_of[i]);
    hm_buf_ch(&b, '}');
  }
  hm_buf_c(&b, "]}");
  put(m, "manifest.json", hm_str_z(m->a, hm_buf_view(&b)));
  hm_buf_free(&b);
  memset(names_of, 0, sizeof names_of);
  qsort(m->files, m->n, sizeof *m->files, by_path);
  m->site = (hm_site){ .files = m->files, .n = m->n };
  return &m->site;
}

static maker *large(const char *text) {
  maker *m = maker_new();
  put(m, "README.md", "root");
  put(m, "conflicts/c1.md", "all sides");
  put(m, "projects/p/README.md", text);
  put(m, "projects/p/lists/old.md", "old");
  put(m, "projects/q/README.md", "q");
  put_manifest(m, "conflicts");
  put_manifest(m, "projects/p");
  put_manifest(m, "projects/q");
  seal_root(m);
  return m;
}

/* The same, as an index of parts: those of the project in one, all others in another. */
static maker *in_parts(const char *text) {
  maker *m = maker_new();
  hm_buf b[2] = { { 0 }, { 0 } };
  put(m, "README.md", "root");
  put(m, "projects/p/README.md", text);
  put(m, "projects/p/lists/old.md", "old");
  for (size_t i = 0; i < m->n; i++)
    hm_buf_fmt(&b[i == 0], "%s{\"path\":\"%s\"}", b[i == 0].n ? "," : "{\"files\":[",
               m->files[i].path.p);
  for (int i = 0; i < 2; i++) {
    hm_buf_c(&b[i], "]}");
    put(m, i ? "manifest/1f.json" : "manifest/0.json", hm_str_z(m->a, hm_buf_view(&b[i])));
    hm_buf_free(&b[i]);
  }
  put(m, "manifest.json",
      "{\"tool\":\"hmirror test\",\"parts\":[{\"path\":\"manifest/0.json\"},"
      "{\"path\":\"manifest/1f.json\"}]}");
  qsort(m->files, m->n, sizeof *m->files, by_path);
  m->site = (hm_site){ .files = m->files, .n = m->n };
  return m;
}

static bool there(const place *p, const char *path) { return access(at(p, path), F_OK) == 0; }

/* --- both ways over the threshold ---------------------------------------------------- */

static void split_and_whole_follow_each_other(void **state) {
  place *p = *state;
  maker *m = large("one"), *n = basic("two");
  for (int i = 0; i < 2; i++) {
    assert_int_equal(sink(&m->site, p->out).removed, i ? 3 : 0);
    assert_true(there(p, "projects/p/manifest.json"));
    hm_dir_counts c = sink(&m->site, p->out);
    assert_int_equal(c.written + c.removed, 0);
    assert_int_equal(sink(&n->site, p->out).removed, 7);
    assert_false(there(p, "projects/p/manifest.json") || there(p, "projects/q") ||
                 there(p, "conflicts"));
  }
  maker_free(m);
  maker_free(n);
}

static void parts_and_whole_follow_each_other(void **state) {
  place *p = *state;
  maker *m = in_parts("one"), *o = large("three"), *n = basic("two");
  for (int i = 0; i < 2; i++) {
    assert_int_equal(sink(&m->site, p->out).removed, i ? 3 : 0);
    hm_dir_counts c = sink(&m->site, p->out);
    assert_int_equal(c.written + c.removed, 0);
    spit(at(p, "manifest/2.json"), "mine");
    assert_int_equal(sink(&o->site, p->out).removed, 2);   /* the parts */
    assert_int_equal(sink(&m->site, p->out).removed, 5);   /* the folders' manifests, c1, q */
    assert_int_equal(sink(&n->site, p->out).removed, 4);
    assert_string_equal(slurp(at(p, "manifest/2.json")), "mine");
    assert_false(there(p, "manifest/0.json") || there(p, "projects/p"));
  }
  maker_free(m);
  maker_free(n);
  maker_free(o);
}

static void lost_part_makes_its_files_foreign(void **state) {
  place *p = *state;
  maker *m = in_parts("one"), *n = in_parts("two");
  sink(&m->site, p->out);
  spit(at(p, "manifest/0.json"), "{");
  hm_err err = refused(&n->site, p->out);
  assert_int_equal(err.code, HM_E_OUTPUT);
  assert_non_null(strstr(err.why, "projects/p/"));
  assert_string_equal(slurp(at(p, "projects/p/README.md")), "one");
  maker_free(m);
  maker_free(n);
}

static void what_is_not_named_stays(void **state) {
  place *p = *state;
  maker *m = large("one"), *n = basic("two");
  sink(&m->site, p->out);
  spit(at(p, "projects/p/mine.txt"), "mine");
  spit(at(p, "projects/p/lists/manifest.json"),
       "{\"folder\":\"projects/p\",\"files\":[{\"path\":\"projects/p/mine.txt\"}]}");
  assert_int_equal(sink(&n->site, p->out).removed, 7);
  assert_string_equal(slurp(at(p, "projects/p/mine.txt")), "mine");
  assert_true(there(p, "projects/p/lists/manifest.json"));
  maker_free(m);
  maker_free(n);
}

/* --- manifests that are not as they were made ----------------------------------------- */

static void hostile_folder_names_only_its_own(void **state) {
  place *p = *state;
  maker *m = large("one"), *n = basic("two");
  char victim[128];
  snprintf(victim, sizeof victim, "%s/victim", p->root);
  spit(victim, "mine");
  sink(&m->site, p->out);
  mkdir(at(p, "projects/mine"), 0755);
  spit(at(p, "projects/mine/README.md"), "mine");
  spit(at(p, "mine.txt"), "mine");
  spit(
      at(p, "projects/p/manifest.json"),
      "{\"folder\":\"projects/p\",\"files\":[{\"path\":\"projects/p/README.md\"},{\"path\":\"projects/p/lists/old.md\"},"
      "{\"path\":\"mine.txt\"},{\"path\":\"projects/mine/README.md\"},{\"path\":\"projects/p/../mine/README.md\"},{\"path\":\"projects/p/../../../victim\"}]}");
  assert_int_equal(sink(&n->site, p->out).removed, 7);
  assert_string_equal(slurp(victim), "mine");
  assert_string_equal(slurp(at(p, "mine.txt")), "mine");
  assert_string_equal(slurp(at(p, "projects/mine/README.md")), "mine");
  maker_free(m);
  maker_free(n);
}

static void link_is_not_followed(void **state) {
  place *p = *state;
  maker *m = large("one"), *n = basic("two");
  char other[128];
  snprintf(other, sizeof other, "%s/other", p->root);
  sink(&m->site, p->out);
  assert_int_equal(mkdir(other, 0755), 0);
  assert_int_equal(rename(at(p, "projects/q"), strcat(other, "/q")), 0);
  assert_int_equal(symlink(other, at(p, "projects/q")), 0);
  sink(&n->site, p->out);
  assert_int_equal(readlink(at(p, "projects/q"), (char[256]){ 0 }, 256), (ssize_t)strlen(other));
  assert_string_equal(slurp(strcat(other, "/README.md")), "q");
  maker_free(m);
  maker_free(n);
}

/* Without it nobody knows whose the folder's files are: they are not written over. */
static void lost_manifest_makes_its_files_foreign(void **state) {
  place *p = *state;
  static const char *const broken[] = {
    NULL, "{", "{\"folder\":\"projects/q\",\"files\":[]}",
    "{\"tool\":\"hmirror test\",\"files\":[{\"path\":\"projects/p/README.md\"}]}"
  };
  maker *m = large("one"), *n = large("two");
  sink(&m->site, p->out);
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    if (broken[i]) spit(at(p, "projects/p/manifest.json"), broken[i]);
    else assert_int_equal(unlink(at(p, "projects/p/manifest.json")), 0);
    hm_err err = refused(&n->site, p->out);
    assert_int_equal(err.code, HM_E_OUTPUT);
    assert_non_null(strstr(err.why, "projects/p/"));
    assert_string_equal(slurp(at(p, "projects/p/README.md")), "one");
    assert_int_equal(entries(p->root), 1);
  }
  maker_free(m);
  maker_free(n);
}

/* --- a tree that was left ---------------------------------------------------------------- */

/* One whose removal was begun goes on: nothing of ours is taken for somebody's. */
static void left_tree_is_removed(void **state) {
  place *p = *state;
  static const char *const gone[][4] = { { 0 },
                                         { "README.md", "conflicts/c1.md", 0 },
                                         { "README.md", "conflicts/c1.md",
                                           "conflicts/manifest.json", "projects/p/README.md" } };
  maker *m = large("one"), *n = basic("two");
  hm_arena *a = hm_arena_new();
  int dir = open(p->root, O_RDONLY | O_DIRECTORY);
  for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
    sink(&n->site, p->out);
    assert_int_equal(renameat(dir, "public", dir, "new"), 0);
    sink(&m->site, p->out);
    for (size_t k = 0; k < 4 && gone[i][k]; k++) assert_int_equal(unlink(at(p, gone[i][k])), 0);
    spit(at(p, "projects/p/late.txt"), "late");
    assert_int_equal(renameat(dir, "public", dir, "public.hmirror-77"), 0);
    assert_int_equal(renameat(dir, "new", dir, "public"), 0);
    sink(&n->site, p->out);
    assert_int_equal(entries(p->root), 1);
    assert_string_equal(slurp(at(p, "projects/p/late.txt")), "late");
    assert_false(there(p, "projects/p/lists") || there(p, "projects/q") || there(p, "conflicts") ||
                 there(p, "projects/p/manifest.json"));
    nftw(p->out, rm_one, 16, FTW_DEPTH | FTW_PHYS);
  }
  close(dir);
  hm_arena_free(a);
  maker_free(m);
  maker_free(n);
}

/* While something in it cannot be moved, its manifests stay, for the run that can. */
static void tree_that_stays_keeps_its_manifests(void **state) {
  place *p = *state;
  maker *m = large("one");
  hm_arena *a = hm_arena_new();
  int dir = open(p->root, O_RDONLY | O_DIRECTORY);
  sink(&m->site, p->out);
  mkdir(at(p, "x"), 0755);
  spit(at(p, "x/late.txt"), "late");
  assert_int_equal(renameat(dir, "public", dir, "public.hmirror-77"), 0);
  assert_int_equal(mkdirat(dir, "public", 0755), 0);
  spit(at(p, "x"), "no folder");
  int now = openat(dir, "public", O_RDONLY | O_DIRECTORY);
  for (int run = 0; run < 2; run++) {
    hm_dir_remove_old(dir, "public.hmirror-77", NULL, now, 2, a);
    assert_int_equal(faccessat(dir, "public.hmirror-77/projects/p/manifest.json", F_OK, 0), 0);
    assert_int_equal(faccessat(dir, "public.hmirror-77/projects/p/README.md", F_OK, 0), -1);
  }
  assert_int_equal(unlinkat(now, "x", 0), 0);
  hm_dir_remove_old(dir, "public.hmirror-77", NULL, now, 2, a);
  assert_int_equal(entries(p->root), 1);
  close(now);
  close(dir);
  hm_arena_free(a);
  maker_free(m);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
    T(split_and_whole_follow_each_other),     T(what_is_not_named_stays),
    T(parts_and_whole_follow_each_other),     T(lost_part_makes_its_files_foreign),
    T(hostile_folder_names_only_its_own),     T(link_is_not_followed),
    T(lost_manifest_makes_its_files_foreign), T(left_tree_is_removed),
    T(tree_that_stays_keeps_its_manifests),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
