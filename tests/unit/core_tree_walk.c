/* Which files a command names: folders, globs, links, what git ignores, what cannot be read. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "core/tree/manifest.h"

typedef struct {
  hm_arena *a;
  char dir[64], before[4096];
  hm_err err;
  hm_tree_options opt;
  hm_tree *tree;
} world;

static int setup(void **state) {
  world *w = calloc(1, sizeof *w);
  strcpy(w->dir, "/tmp/tree-XXXXXX");
  if (!w || !getcwd(w->before, sizeof w->before) || !mkdtemp(w->dir) || chmod(w->dir, 0755) ||
      chdir(w->dir))
    return -1;
  w->a = hm_arena_new();
  *state = w;
  return 0;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *f) {
  (void)st, (void)flag, (void)f;
  return remove(path);
}

static int teardown(void **state) {
  world *w = *state;
  int rc = chdir(w->before) | nftw(w->dir, remove_one, 64, FTW_DEPTH | FTW_PHYS);
  hm_arena_free(w->a);
  free(w);
  return rc;
}

static void put(const char *path, const char *text) {
  char part[4096];
  for (const char *p = strchr(path, '/'); p; p = strchr(p + 1, '/')) {
    snprintf(part, sizeof part, "%.*s", (int)(p - path), path);
    mkdir(part, 0755);
  }
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static int list(world *w, const char *words) {
  hm_str v[8];
  size_t n = 0;
  for (const char *p = words; *p && n < 8;) {
    size_t len = strcspn(p, " ");
    v[n++] = (hm_str){ p, len };
    p += len + (p[len] == ' ');
  }
  return hm_tree_list(w->a, v, n, &w->opt, &w->tree, &w->err);
}

/* The sources of the files, and behind a bar those left out with why. */
static const char *found(world *w) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < w->tree->n_files; i++)
    hm_buf_fmt(&b, "%s%.*s", i ? " " : "", HM_FMT(w->tree->files[i].source));
  for (size_t i = 0; i < w->tree->n_skips; i++)
    hm_buf_fmt(&b, " | %.*s %s", HM_FMT(w->tree->skips[i].source),
               hm_tree_skip_words(w->tree->skips[i].reason));
  return hm_buf_take(&b, w->a).p;
}

static void expect(world *w, const char *words, const char *files) {
  if (list(w, words)) fail_msg("%s: %s: %s", words, w->err.what, w->err.why);
  assert_string_equal(hm_str_z(w->a, hm_str_c(found(w))), files);
}

static void expect_error(world *w, const char *words, const char *why) {
  assert_int_equal(list(w, words), -1);
  assert_int_equal(w->err.code, HM_E_INPUT);
  if (!strstr(w->err.why, why)) fail_msg("%s: %s: %s", words, w->err.what, w->err.why);
}

/* --- names ---------------------------------------------------------------------------- */

static void one_name_from_everywhere(void **state) {
  world *w = *state;
  put("notes/b/README.md", "b");
  put("notes/a.md", "a");
  put("notes/a.txt", "no notes in a folder");
  put("notes/main.c", "");
  put("notes/b/LICENSE", "MIT");
  expect(w, "notes", "notes/a.md notes/b/LICENSE notes/b/README.md");
  expect(w, "notes/", "notes/a.md notes/b/LICENSE notes/b/README.md");
  char words[128];
  snprintf(words, sizeof words, "%s/notes", w->dir);
  expect(w, words, "notes/a.md notes/b/LICENSE notes/b/README.md");
  snprintf(words, sizeof words, "%s/notes/b/README.md", w->dir);
  expect(w, words, "README.md");
  expect(w, ".", "notes/a.md notes/b/LICENSE notes/b/README.md");
  assert_string_equal(w->tree->files[0].path.p, "notes/a.md");
  expect(w, "notes/a.txt ./notes/a.md", "notes/a.md notes/a.txt");
}

static void words_in_any_order(void **state) {
  world *w = *state;
  put("n/b/x.md", "");
  put("n/a.md", "");
  expect(w, "n/b n/b/x.md n n/a.md", "n/a.md n/b/x.md");
  expect(w, "n/a.md n n/b/x.md n/b", "n/a.md n/b/x.md");
}

static void by_globs(void **state) {
  world *w = *state;
  put("n/b/x.md", "");
  put("n/a.md", "");
  put("n/a.c", "");
  expect(w, "n/*.md", "n/a.md");
  expect(w, "n/*", "n/a.c n/a.md");
  expect(w, "n/**/*.md", "n/a.md n/b/x.md");
  expect_error(w, "n/*.rst", "matches no file");
  expect_error(w, "m/*.md", "matches no file");
  w->opt.include = &HM_STR("*.c");
  w->opt.n_include = 1;
  expect(w, "n", "n/a.c");
  w->opt.n_include = 0;
  w->opt.exclude = &HM_STR("b/");
  w->opt.n_exclude = 1;
  expect(w, "n", "n/a.md | n/b is excluded");
  expect(w, "n n/b/x.md", "n/a.md n/b/x.md | n/b is excluded");
}

static void words_that_are_wrong(void **state) {
  world *w = *state;
  expect_error(w, "absent.md", "No such file");
  put("a/x.md", "");
  put("b/x.md", "");
  char words[200];
  snprintf(words, sizeof words, "%s/a/x.md %s/b/x.md", w->dir, w->dir);
  expect_error(w, words, "same source");
}

/* --- what is not read ------------------------------------------------------------------- */

static void links_lead_nowhere(void **state) {
  world *w = *state;
  put("in/a.md", "");
  put("out/secret.md", "");
  assert_int_equal(symlink("../out", "in/docs") | symlink("../out/secret.md", "in/l.md") |
                       symlink("/etc", "etc") | symlink("in/a.md", "near.md"),
                   0);
  expect(w, "in", "in/a.md | in/docs is a symbolic link | in/l.md is a symbolic link");
  expect_error(w, "etc", "out of this folder");
  expect_error(w, "etc/*", "out of this folder");
  expect_error(w, "in/docs/../../etc/passwd", "No such file");
  expect(w, "near.md", "near.md");
  /* A folder that becomes a link between the walk and the reading */
  put("in/sub/b.md", "inside");
  put("out/b.md", "outside");
  expect(w, "in/sub", "in/sub/b.md");
  hm_str text = HM_EMPTY;
  assert_int_equal(hm_tree_read(&w->tree->files[0], w->a, &text, &w->err), 0);
  assert_true(hm_str_is(text, "inside"));
  assert_int_equal(rename("in/sub", "in/gone") | symlink("../out", "in/sub"), 0);
  assert_int_equal(hm_tree_read(&w->tree->files[0], w->a, &text, &w->err), -1);
}

static void what_cannot_be_read(void **state) {
  world *w = *state;
  put("n/a\nb.md", "");
  put("n/\xFF.md", "");
  put("n/ok.md", "");
  put("n/shut/x.md", "");
  put("n/shut.md", "");
  put("n/node_modules/x.md", "");
  put("n/.git/x.md", "");
  put("n/large.md", "");
  assert_int_equal(truncate("n/large.md", HM_TREE_FILE_MAX + 1) | mkfifo("n/pipe.md", 0644), 0);
  assert_int_equal(chmod("n/shut", 0) | chmod("n/shut.md", 0), 0);
  bool root = geteuid() == 0;
  if (root) assert_int_equal(seteuid(65534), 0);
  int rc = list(w, "n");
  if (root) assert_int_equal(seteuid(0), 0);
  assert_int_equal(rc | chmod("n/shut", 0755), 0);
  assert_string_equal(
      found(w), "n/ok.md | n/a\nb.md has a name with a control character or invalid UTF-8"
                " | n/large.md has more than 1 MiB | n/node_modules is a folder of another program"
                " | n/pipe.md is not a file | n/shut cannot be read | n/shut.md cannot be read"
                " | n/\xFF.md has a name with a control character or invalid UTF-8");
}

static void deep_folders(void **state) {
  world *w = *state;
  char path[512] = "n";
  for (int i = 0; i < HM_TREE_DEPTH + 3; i++)
    strcat(path, "/d");
  strcat(path, "/x.md");
  put(path, "");
  put("n/y.md", "");
  assert_int_equal(list(w, "n"), 0);
  assert_int_equal(w->tree->n_files, 1);
  assert_int_equal(w->tree->n_skips, 1);
  assert_int_equal(w->tree->skips[0].reason, HM_TREE_SKIP_DEEP);
}

/* --- git --------------------------------------------------------------------------------- */

static hm_str top_of(void *ctx, const char *path, hm_arena *a) {
  (void)path;
  return hm_str_dup(a, hm_str_c(ctx));
}

static bool ignores(void *ctx, const char *path, bool folder) {
  (void)ctx;
  hm_str s = hm_str_c(path);
  return folder ? hm_str_ends(s, "/build") : hm_str_ends(s, ".tmp.md") || strstr(path, "/build/");
}

static bool held_back(void *ctx, const char *path) {
  (void)ctx;
  return hm_str_ends(hm_str_c(path), "/sparse.md");
}

static void what_git_knows(void **state) {
  world *w = *state;
  const hm_tree_git git = { w->dir, top_of, ignores, held_back, NULL, NULL };
  w->opt.git = &git;
  put("LICENSE", "MIT");
  put("package.json", "{}");
  put("README.md", "");
  put("n/a.md", "");
  put("n/a.tmp.md", "");
  put("n/build/x.md", "");
  expect(w, "n", "LICENSE n/a.md package.json | n/a.tmp.md is ignored by git"
                 " | n/build is ignored by git");
  /* What is named itself is meant */
  expect(w, "n/build n/a.tmp.md", "LICENSE n/a.tmp.md n/build/x.md package.json");
  w->opt.only_named = true;
  expect(w, "n/a.md", "n/a.md");
}

static void what_a_folder_covers(void **state) {
  world *w = *state;
  const hm_tree_git git = { w->dir, NULL, ignores, held_back, NULL, NULL };
  const hm_str exclude = HM_STR("old/");
  w->opt = (hm_tree_options){ .git = &git, .exclude = &exclude, .n_exclude = 1 };
  put("n/a.md", "");
  put("n/old/a.md", "");
  assert_int_equal(symlink("/etc", "n/out"), 0);
  assert_int_equal(list(w, "n"), 0);
  static const struct {
    const char *source;
    bool covered;
  } cases[] = {
    { "n/a.md", true },        { "n/gone.md", true },       { "n/x/y/gone.md", true },
    { "n/old/b.md", false },   { "n/x/old/b.md", false },   { "n/out/b.md", false },
    { "n/sparse.md", false },  { "n/build/b.md", false },   { "n/b.tmp.md", false },
    { "n/b.c", false },        { "m/b.md", false },         { "nn/b.md", false },
    { "n", false },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    if (hm_tree_covers(w->tree, hm_str_c(cases[i].source), w->a) != cases[i].covered)
      fail_msg("%s", cases[i].source);
  assert_int_equal(list(w, "n/a.md"), 0);
  assert_false(hm_tree_covers(w->tree, HM_STR("n/gone.md"), w->a));
  assert_int_equal(list(w, "n/*.md"), 0);
  assert_true(hm_tree_covers(w->tree, HM_STR("n/gone.md"), w->a));
  assert_false(hm_tree_covers(w->tree, HM_STR("n/x/gone.md"), w->a));
}

/* --- what the tree knows ------------------------------------------------------------------ */

static void states_of_files(void **state) {
  world *w = *state;
  put("LICENSE-APACHE", "Licensed under the Apache License, Version 2.0");
  put("LICENSE-MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy. "
                     "The software is provided \"as is\"");
  put("sub/COPYING", "Mozilla Public License Version 2.0");
  put("sub/package.json", "{");
  put("sub/.nvmrc", "20");
  assert_int_equal(list(w, "."), 0);
  static const char *const expected[] = { "LICENSE-APACHE license = [\"Apache-2.0\",\"MIT\"]",
                                          "LICENSE-MIT", "sub/.nvmrc node version = \"20\"",
                                          "sub/COPYING license = \"MPL-2.0\"", NULL };
  assert_int_equal(w->tree->n_files, HM_COUNT(expected));
  for (size_t i = 0; i < w->tree->n_files; i++) {
    const hm_tree_file *f = &w->tree->files[i];
    hm_tree_state *v;
    size_t n, bad_line;
    assert_int_equal(hm_tree_states(w->tree, f, w->a, &v, &n, &bad_line, &w->err), 0);
    assert_int_equal(bad_line, expected[i] ? 0 : 1);
    hm_str got = f->source;
    for (size_t k = 0; k < n; k++)
      got = HM_CAT(w->a, got, HM_STR(" "), v[k].key, HM_STR(" = "), v[k].value);
    if (expected[i]) assert_string_equal(got.p, expected[i]);
  }
}

#define TREE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
/* --- what a tree has ---------------------------------------------------------------------- */

static void tracked(void *ctx, const char *top, hm_arena *a, hm_str **out, size_t *n) {
  static const hm_str paths[] = { HM_STR("sub"), HM_STR("docs/guides.md"), HM_STR("README.md"),
                                  HM_STR("more/setup.md") };
  assert_string_equal(top, (const char *)ctx);
  *out = hm_alloc_array(a, HM_COUNT(paths), sizeof *paths);
  memcpy(*out, paths, sizeof paths);
  *n = HM_COUNT(paths);
}

/* 'h': it has the path, 'l': it lacks it, '?': nobody knows. */
static void expect_presence(const hm_tree_files *f, const char *path, char wanted) {
  static const char signs[] = {
    [HM_TREE_HAS] = 'h', [HM_TREE_LACKS] = 'l', [HM_TREE_UNSURE] = '?'
  };
  char got = signs[hm_tree_files_ask(f, hm_str_c(path))];
  if (got != wanted)
    fail_msg("%s: %c, not %c", path, got, wanted);
}

static void what_a_work_tree_has(void **state) {
  world *w = *state;
  const hm_tree_git git = { w->dir, top_of, ignores, held_back, tracked, NULL };
  w->opt.git = &git;
  put("docs/a.md", "");
  put("new.md", "");
  assert_int_equal(list(w, "docs"), 0);
  const hm_tree_files *f =
      hm_tree_files_around(w->tree, hm_str_fmt(w->a, "%s/docs", w->dir));
  assert_non_null(f);
  assert_string_equal(hm_tree_files_top(f).p, w->dir);
  expect_presence(f, "README.md", 'h');
  expect_presence(f, "docs", 'h');
  expect_presence(f, "docs/guides.md", 'h'); /* tracked, though it is not here */
  expect_presence(f, "new.md", 'h');         /* here, though it is not tracked */
  expect_presence(f, "docs/guide.md", 'l');
  expect_presence(f, "doc", 'l');
  expect_presence(f, "sub/x.md", '?');   /* of another repository, or behind a link */
  expect_presence(f, "x/a.tmp.md", '?'); /* ignored */
  size_t n;
  assert_string_equal(hm_tree_files_named(f, HM_STR("setup.md"), &n)[0].p, "more/setup.md");
  assert_int_equal(n, 1);
  hm_tree_files_named(f, HM_STR("setups.md"), &n);
  assert_int_equal(n, 0);
  assert_true(hm_str_is(hm_tree_files_nearest(f, HM_STR("docs/guide.md"), w->a), "docs/guides.md"));
  assert_int_equal(hm_tree_files_nearest(f, HM_STR("guide.md"), w->a).n, 0);
  const hm_str then = hm_str_fmt(w->a, "%s/docs/old.md", w->dir);
  hm_tree *past;
  hm_tree_list_past(w->tree, &then, 1, w->a, &past);
  f = hm_tree_files_around(past, hm_str_c(w->dir));
  expect_presence(f, "docs/old.md", 'h');
  expect_presence(f, "new.md", 'l');
}

static void what_is_a_program(void **state) {
  static const char *const programs[] = { "a.bash", "a.c", "b/a.mjs", "a.ML", "a.d.ts", "a.zsh" };
  static const char *const others[] = { "a.md", "a", "c", ".c/a", "a.json", "a.bashrc" };
  (void)state;
  for (size_t i = 0; i < HM_COUNT(programs); i++)
    assert_true(hm_tree_is_source(hm_str_c(programs[i])));
  for (size_t i = 0; i < HM_COUNT(others); i++)
    assert_false(hm_tree_is_source(hm_str_c(others[i])));
}

static void what_a_folder_has(void **state) {
  world *w = *state;
  const hm_str exclude = HM_STR("old/"), dir = hm_str_fmt(w->a, "%s/n", w->dir);
  w->opt = (hm_tree_options){ .exclude = &exclude, .n_exclude = 1 };
  put("n/a.md", "");
  put("n/b.png", "");
  assert_int_equal(list(w, "n"), 0);
  assert_null(hm_tree_files_around(w->tree, dir)); /* documents alone */
  put("n/src/x.c", "");
  put("n/old/a.md", "");
  put("n/node_modules/a.md", "");
  assert_int_equal(symlink("/etc", "n/out"), 0);
  assert_int_equal(list(w, "n"), 0);
  const hm_tree_files *f = hm_tree_files_around(w->tree, dir);
  assert_non_null(f);
  expect_presence(f, "b.png", 'h');
  expect_presence(f, "src/x.c", 'h');
  expect_presence(f, "src/y.c", 'l');
  expect_presence(f, "old/b.md", '?');
  expect_presence(f, "node_modules/b.md", '?');
  expect_presence(f, "out/passwds", '?');
  assert_null(hm_tree_files_around(w->tree, hm_str_c(w->dir)));
  assert_int_equal(list(w, "n/a.md n/src/*"), 0);
  assert_null(hm_tree_files_around(w->tree, dir)); /* nobody has looked at all of it */
}

int main(void) {
  const struct CMUnitTest tests[] = {
    TREE(one_name_from_everywhere), TREE(words_in_any_order), TREE(by_globs),
    TREE(words_that_are_wrong),     TREE(links_lead_nowhere), TREE(what_cannot_be_read),
    TREE(states_of_files),      TREE(deep_folders),             TREE(what_git_knows),     TREE(what_a_folder_covers),
    TREE(what_a_work_tree_has), TREE(what_a_folder_has), TREE(what_is_a_program),
  };
  return cmocka_run_group_tests_name("tree_walk", tests, NULL, NULL);
}
