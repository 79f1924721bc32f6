/* Reading and writing the user's files within bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "gen/mirror/files.h"

typedef struct { hm_arena *a; char dir[64]; } box;
static const hm_folder_limits limits = { "test files", 3, 10 };

static int setup(void **state) {
  box *b = calloc(1, sizeof *b);
  b->a = hm_arena_new();
  strcpy(b->dir, "/tmp/hm-files-XXXXXX");
  *state = b;
  return mkdtemp(b->dir) ? 0 : -1;
}

static const char *at(box *b, const char *name) { return hm_path_join(b->a, b->dir, name); }

static void put(box *b, const char *name, const char *text) {
  hm_err err;
  assert_int_equal(hm_make_parent_folders(b->a, at(b, name), &err), 0);
  assert_int_equal(hm_file_write(at(b, name), hm_str_c(text), &err), 0);
}

static int remove_tree(box *b, const char *folder) {
  hm_folder all;
  hm_err err;
  const hm_folder_limits any = { "files", 100, 1000 };
  if (hm_folder_read(b->a, folder, true, true, &any, &all, &err) == 0)
    for (size_t i = 0; i < all.n; i++) unlink(all.v[i].path);
  unlink(at(b, "link"));
  unlink(at(b, "b~"));
  rmdir(at(b, "sub/deep"));
  rmdir(at(b, "sub"));
  return rmdir(folder);
}

static int teardown(void **state) {
  box *b = *state;
  int rc = remove_tree(b, b->dir);
  hm_arena_free(b->a);
  free(b);
  return rc;
}

static void joined(void **state) {
  box *b = *state;
  assert_string_equal(hm_path_join(b->a, "", "x"), "x");
  assert_string_equal(hm_path_join(b->a, ".", "x"), "x");
  assert_string_equal(hm_path_join(b->a, "d", "x"), "d/x");
  assert_string_equal(hm_path_join(b->a, "d/", "x"), "d/x");
  assert_string_equal(hm_path_join(b->a, "d", "/x"), "/x");
}

static void written_and_read(void **state) {
  box *b = *state;
  hm_str got;
  hm_err err;
  put(b, "sub/deep/a", "one");
  put(b, "sub/deep/a", "two");
  assert_int_equal(hm_file_read(b->a, at(b, "sub/deep/a"), 3, HM_E_INPUT, &got, &err), 0);
  assert_true(hm_str_is(got, "two"));
  assert_int_equal(hm_file_read(b->a, at(b, "sub/deep/a"), 2, HM_E_INPUT, &got, &err), -1);
  assert_int_equal(hm_file_read(b->a, b->dir, 2, HM_E_INPUT, &got, &err), -1);
  assert_string_equal(err.why, "not a regular file");
  assert_int_equal(hm_file_write(at(b, "no/where"), HM_EMPTY, &err), -1);
  assert_int_equal(err.code, HM_E_OUTPUT);
}

static void permissions_stay(void **state) {
  box *b = *state;
  struct stat st;
  put(b, "a", "old");
  assert_int_equal(chmod(at(b, "a"), 0600), 0);
  put(b, "a", "new");
  assert_int_equal(stat(at(b, "a"), &st), 0);
  assert_int_equal(st.st_mode & 0777, 0600);
}

static void tells_what_to_do(void **state) {
  box *b = *state;
  hm_err err;
  hm_str got;
  assert_int_equal(hm_file_read(b->a, at(b, "none"), 9, HM_E_INPUT, &got, &err), -1);
  assert_string_equal(err.fix, "check the path");
  assert_int_equal(hm_file_write("/dev/full", HM_STR("x"), &err), -1);
  assert_string_equal(err.fix, "free some space and run it again");
}

/* What fails leaves the old file and no other. */
static void abandoned(void **state) {
  box *b = *state;
  hm_file_out f;
  hm_err err;
  hm_str got;
  hm_folder all;
  put(b, "a", "old");
  assert_int_equal(hm_file_begin(&f, at(b, "a"), &err), 0);
  fputs("new", f.out);
  assert_int_equal(hm_file_end(&f, false, &err), -1);
  assert_int_equal(hm_file_read(b->a, at(b, "a"), 9, HM_E_INPUT, &got, &err), 0);
  assert_true(hm_str_is(got, "old"));
  assert_int_equal(hm_folder_read(b->a, b->dir, true, true, &limits, &all, &err), 0);
  assert_int_equal(all.n, 1);
}

/* A link is written through, and a device in place. */
static void links_and_devices(void **state) {
  box *b = *state;
  hm_err err;
  struct stat st;
  put(b, "a", "old");
  assert_int_equal(symlink("a", at(b, "link")), 0);
  put(b, "link", "new");
  assert_int_equal(lstat(at(b, "link"), &st), 0);
  assert_true(S_ISLNK(st.st_mode));
  hm_str got;
  assert_int_equal(hm_file_read(b->a, at(b, "a"), 9, HM_E_INPUT, &got, &err), 0);
  assert_true(hm_str_is(got, "new"));
  assert_int_equal(hm_file_write("/dev/full", HM_STR("x"), &err), -1);
  assert_string_equal(err.why, "No space left on device");
}

static void folders(void **state) {
  box *b = *state;
  hm_folder f;
  hm_err err;
  put(b, "b", "1");
  put(b, "sub/a", "2");
  put(b, "b~", "backup");
  put(b, ".hidden", "3");
  assert_int_equal(hm_folder_read(b->a, b->dir, true, false, &limits, &f, &err), 0);
  assert_int_equal(f.n, 2);
  assert_true(hm_str_is(f.v[0].name, "b") && hm_str_is(f.v[1].name, "sub/a") &&
              hm_str_is(f.v[1].bytes, "2"));
  assert_int_equal(hm_folder_read(b->a, b->dir, true, true, &limits, &f, &err), 0);
  assert_true(f.n == 3 && hm_str_is(f.v[0].name, ".hidden"));
  put(b, "c", "4");
  assert_int_equal(hm_folder_read(b->a, b->dir, true, true, &limits, &f, &err), -1);
  assert_int_equal(hm_folder_read(b->a, at(b, "none"), false, true, &limits, &f, &err), 0);
  assert_int_equal(f.n, 0);
  assert_int_equal(hm_folder_read(b->a, at(b, "none"), true, true, &limits, &f, &err), -1);
  assert_int_equal(hm_folder_read(b->a, at(b, "b"), true, true, &limits, &f, &err), -1);
  assert_string_equal(err.why, "not a folder");
}

static void what_no_folder_may_hold(void **state) {
  box *b = *state;
  hm_folder f;
  hm_err err;
  assert_int_equal(symlink(".", at(b, "link")), 0);
  assert_int_equal(hm_folder_read(b->a, b->dir, true, true, &limits, &f, &err), -1);
  assert_string_equal(err.why, "neither a regular file nor a folder");
  unlink(at(b, "link"));
  put(b, "big", "12345678901");
  assert_int_equal(hm_folder_read(b->a, b->dir, true, true, &limits, &f, &err), -1);
  unlink(at(b, "big"));
  assert_int_equal(mkfifo(at(b, "link"), 0600), 0);
  assert_int_equal(hm_folder_read(b->a, b->dir, true, true, &limits, &f, &err), -1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
int main(void) {
  const struct CMUnitTest tests[] = {
    TEST(joined),    TEST(written_and_read),  TEST(permissions_stay), TEST(tells_what_to_do),
    TEST(abandoned), TEST(links_and_devices), TEST(folders),          TEST(what_no_folder_may_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
