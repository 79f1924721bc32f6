/* What a file is by its name, names of sources, globs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "core/tree/tree.h"

static void kinds_by_name(void **state) {
  (void)state;
  static const struct {
    const char *path;
    hm_tree_kind kind;
  } cases[] = {
    { "a/README.md", HM_TREE_NOTES },
    { "README.MD", HM_TREE_NOTES },
    { ".cursor/rules/go.mdc", HM_TREE_NOTES },
    { ".clinerules", HM_TREE_NOTES },
    { "old.markdown", HM_TREE_NOTES },
    { ".md", HM_TREE_OTHER },
    { "notes.txt", HM_TREE_LIST },
    { "LICENSE", HM_TREE_MANIFEST },
    { "x/LICENSE-APACHE", HM_TREE_MANIFEST },
    { "LICENSE-APACHE-2.0", HM_TREE_MANIFEST },
    { "LICENCE-REPORT.sh", HM_TREE_OTHER },
    { "license.md", HM_TREE_MANIFEST },
    { "COPYING.txt", HM_TREE_MANIFEST },
    { "license.py", HM_TREE_OTHER },
    { "LICENSES.md", HM_TREE_NOTES },
    { "package.json", HM_TREE_MANIFEST },
    { "package.json.bak", HM_TREE_OTHER },
    { "crates/a/Cargo.toml", HM_TREE_MANIFEST },
    { "deploy/compose.yaml", HM_TREE_MANIFEST },
    { "docker-compose.yml", HM_TREE_MANIFEST },
    { "chart/values.yaml", HM_TREE_OTHER },
    { "a/.env.example", HM_TREE_MANIFEST },
    { "a/.env", HM_TREE_OTHER },
    { "a/variables.tf", HM_TREE_OTHER },
    { "values-prod.yaml", HM_TREE_OTHER },
    { "main.c", HM_TREE_OTHER },
    { "", HM_TREE_OTHER },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    if (hm_tree_kind_of(hm_str_c(cases[i].path)) != cases[i].kind) fail_msg("%s", cases[i].path);
}

static void lines_of_documents(void **state) {
  (void)state;
  static const char *const cases[][2] = {
    { "a/README.md:12", "a/README.md" },
    { "LICENSE:1", "LICENSE" },
    { "notes.txt:3", "notes.txt" },
    { "README.md", "" },
    { "README.md:", "" },
    { "README.md12", "" },
    { "meeting 10:30", "" },
    { ":3", "" },
    { "12", "" },
    { "", "" },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    if (!hm_str_is(hm_tree_line_path(hm_str_c(cases[i][0])), cases[i][1]))
      fail_msg("%s", cases[i][0]);
}

static void names_of_sources(void **state) {
  (void)state;
  static const char *const cases[][2] = {
    { "notes", "notes" },         { "/srv/notes", "notes" },   { "/srv/notes/", "notes" },
    { "./notes/a", "notes/a" },   { "../team/x", "team/x" },   { "../../x.md", "x.md" },
    { ".", "" },                  { "/", "" },                 { "a//b/./c", "a/b/c" },
    { "a/../b", "b" },            { "/srv/a/README.md", "README.md" },
  };
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_str got = hm_tree_source_name(a, hm_str_c(cases[i][0]));
    if (!hm_str_is(got, cases[i][1])) fail_msg("%s: %.*s", cases[i][0], HM_FMT(got));
  }
  hm_arena_free(a);
}

static void folders_as_they_are_written(void **state) {
  (void)state;
  static const char *const cases[][3] = {
    { "/srv/x", "/srv/x", "." },   { "/srv/x/docs/a", "/srv/x", "docs/a" },
    { "/srv", "/", "srv" },        { "/srv/x", "/srv/x/docs", ".." },
    { "/srv", "/srv/x/y", "../.." }, { "/srv/x", "/srv/xy", "/srv/x" },
    { "/srv/x", "/home", "/srv/x" }, { "/", "/srv", "/" },
  };
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_str got = hm_tree_folder_from(a, hm_str_c(cases[i][0]), hm_str_c(cases[i][1]));
    if (!hm_str_is(got, cases[i][2]))
      fail_msg("%s from %s: %.*s", cases[i][0], cases[i][1], HM_FMT(got));
  }
  hm_arena_free(a);
}

static void globs(void **state) {
  (void)state;
  static const struct {
    const char *pattern, *path;
    bool folder, matches;
  } cases[] = {
    { "*.md", "a.md", false, true },
    { "*.md", "x/y/a.md", false, true },
    { "*.md", "a.mdc", false, false },
    { "/*.md", "a.md", false, true },
    { "/*.md", "x/a.md", false, false },
    { "docs/*.md", "docs/a.md", false, true },
    { "docs/*.md", "docs/x/a.md", false, false },
    { "docs/*.md", "x/docs/a.md", false, false },
    { "docs/**/*.md", "docs/a.md", false, true },
    { "docs/**/*.md", "docs/x/y/a.md", false, true },
    { "docs/**", "docs/x/y", false, true },
    { "**/adr/*.md", "a/b/adr/1.md", false, true },
    { "**/adr/*.md", "adr/1.md", false, true },
    { "**/adr/*.md", "madr/1.md", false, false },
    { "**/adr/*.md", "a/adr/b/1.md", false, false },
    { "**/a/**/b", "x/a/a/c/b", false, true },
    { "old", "x/old", true, true },
    { "old/", "x/old", true, true },
    { "old/", "x/old", false, false },
    { "[0-9][0-9]?.md", "121.md", false, true },
    { "[!a-c].md", "b.md", false, false },
    { "[!a-c].md", "d.md", false, true },
    { "[a.md", "[a.md", false, true },
    { "a*b*c", "aXbYbc", false, true },
    { "a*b*c", "aXbYb", false, false },
    { "", "", false, true },
    { "?", "", false, false },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    if (hm_glob_match(hm_str_c(cases[i].pattern), hm_str_c(cases[i].path), cases[i].folder) !=
        cases[i].matches)
      fail_msg("%s: %s", cases[i].pattern, cases[i].path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(kinds_by_name),
    cmocka_unit_test(lines_of_documents),
    cmocka_unit_test(names_of_sources),
    cmocka_unit_test(folders_as_they_are_written),
    cmocka_unit_test(globs),
  };
  return cmocka_run_group_tests_name("tree_names", tests, NULL, NULL);
}
