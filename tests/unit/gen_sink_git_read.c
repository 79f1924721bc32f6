/* Reading commits: what it tells is what the real git tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gen/sink/git_read.h"
#include "tests/unit/gen_sink_help.h"

static hm_git_reader *reader(place *p) {
  hm_git_reader *g;
  hm_err err = { 0 };
  if (hm_git_reader_open(p->repo, &g, &err) != 0) die(&err);
  return g;
}

static const char *resolve(hm_git_reader *g, const char *rev) {
  static char id[4][41];
  static int i;
  hm_err err = { 0 };
  i = (i + 1) % 4;
  if (hm_git_resolve(g, rev, id[i], &err) != 0) die(&err);
  return id[i];
}

static hm_err unknown(hm_git_reader *g, const char *rev) {
  char id[41];
  hm_err err = { 0 };
  assert_int_equal(hm_git_resolve(g, rev, id, &err), -1);
  return err;
}

static void names(void **state) {
  place *p = *state;
  maker *m = basic();
  char first[41], second[41], id[41];
  hm_err err = { 0 };
  strcpy(first, publish(p, m).commit);
  put(m, "README.md", "two\n");
  strcpy(second, publish(p, m).commit);
  sh(p,
     "git -C mirror.git tag v1 %s && git -C mirror.git -c user.name=a -c user.email=a@b tag -a -m x v2 mirror",
     first);
  hm_git_reader *g = reader(p);
  assert_string_equal(resolve(g, "mirror"), second);
  assert_string_equal(resolve(g, "HEAD"), second);
  assert_string_equal(resolve(g, "mirror~1"), first);
  assert_string_equal(resolve(g, "v1"), first);
  assert_string_equal(resolve(g, "v2"), second);
  first[9] = 0;
  assert_memory_equal(resolve(g, first), first, 9);
  assert_int_equal(unknown(g, "nothing").code, HM_E_UNKNOWN);
  assert_int_equal(unknown(g, "mirror~9").code, HM_E_UNKNOWN);
  assert_int_equal(unknown(g, "mirror:README.md").code, HM_E_UNKNOWN);
  assert_int_equal(unknown(g, "").code, HM_E_UNKNOWN);
  assert_non_null(strstr(unknown(g, "..").why, "\"..\""));
  assert_int_equal(hm_git_branch_tip(g, "mirror", id, &err), 0);
  assert_string_equal(id, second);
  assert_int_equal(hm_git_branch_tip(g, "v1", id, &err), -1);
  assert_int_equal(err.code, HM_E_UNKNOWN);
  assert_int_equal(hm_git_branch_tip(g, "mirror~1", id, &err), -1);
  assert_int_equal(err.code, HM_E_UNKNOWN);
  hm_git_reader_close(g);
  maker_free(m);
}

static void places(void **state) {
  place *p = *state;
  hm_git_reader *g;
  hm_err err = { 0 };
  assert_int_equal(hm_git_reader_open(p->repo, &g, &err), -1);
  assert_null(g);
  assert_int_equal(err.code, HM_E_OUTPUT);
  assert_string_equal(err.why, "there is no repository");
  sh(p, "mkdir mirror.git");
  assert_int_equal(hm_git_reader_open(p->repo, &g, &err), -1);
  assert_non_null(strstr(err.why, "not a git repository"));
  sh(p, "git init -q ordinary && mkdir ordinary/below");
  snprintf(p->repo, sizeof p->repo, "%s/ordinary/below", p->root);
  assert_int_equal(hm_git_reader_open(p->repo, &g, &err), -1);   /* no search upwards */
  snprintf(p->repo, sizeof p->repo, "%s/ordinary", p->root);
  hm_git_reader_close(reader(p));
  hm_git_reader_close(NULL);
}

static void other_users(void **state) {
  place *p = *state;
  hm_git_reader *g;
  hm_err err = { 0 };
  if (geteuid() != 0) skip();   /* only root can make one */
  sh(p, "git init -q --bare mirror.git && chown -R 1234 mirror.git");
  setenv("HOME", p->root, 1);
  assert_int_equal(hm_git_reader_open(p->repo, &g, &err), -1);
  assert_int_equal(err.code, HM_E_OUTPUT);
  assert_non_null(strstr(err.why, "another user"));
}

static hm_str list(place *p, hm_git_reader *g, const char *from, const char *to) {
  hm_git_change *c;
  size_t n;
  hm_err err = { 0 };
  hm_buf b = { 0 };
  if (hm_git_changed_files(g, from, to, p->a, &c, &n, &err) != 0) die(&err);
  for (size_t i = 0; i < n; i++) {
    if (i) assert_true(hm_str_cmp(c[i - 1].path, c[i].path) < 0);
    hm_buf_fmt(&b, "%s%c\t%.*s", i ? "\n" : "",
               !*c[i].before      ? 'A'
                   : !*c[i].after ? 'D'
                                  : 'M',
               HM_FMT(c[i].path));
  }
  hm_str s = hm_buf_copy(&b, p->a);
  hm_buf_free(&b);
  return s;
}

static void differences(void **state) {
  place *p = *state;
  maker *m = basic();
  put(m, "a/b/c/d", "deep\n");
  put(m, "a/b.md", "beside\n");
  put(m, "a/b-x", "before it\n");
  put(m, "x", "a file, then a folder\n");
  put(m, "y/1", "a folder, then a file\n");
  publish(p, m);
  by_hand(
      p,
      "rm x && mkdir x && echo 1 > x/1 && rm -r y && echo 1 > y && echo z > a/b/c/e && echo 2 > a/b.md && rm projects/p050;"
      "chmod +x manifest.json; ln -s x link; mkdir -p n/o && echo p > n/o/p");
  hm_git_reader *g = reader(p);
  hm_str got = list(p, g, resolve(g, "mirror~1"), resolve(g, "mirror"));
  assert_string_equal(got.p,
                      sh(p, "git -C mirror.git diff --no-renames --name-status mirror~1 mirror"));
  got = list(p, g, resolve(g, "mirror"), resolve(g, "mirror~1"));
  assert_string_equal(got.p,
                      sh(p, "git -C mirror.git diff --no-renames --name-status mirror mirror~1"));
  assert_int_equal(list(p, g, resolve(g, "mirror"), resolve(g, "mirror")).n, 0);
  got = list(p, g, "", resolve(g, "mirror~1"));
  assert_string_equal(got.p,
                      sh(p, "git -C mirror.git ls-tree -r --format='A%%x09%%(path)' mirror~1"));
  hm_git_reader_close(g);
  maker_free(m);
}

static void files(void **state) {
  place *p = *state;
  maker *m = basic();
  publish(p, m);
  by_hand(p, "mkdir -p z; echo 1 > z/run; chmod +x z/run; ln -s run z/link");
  hm_git_reader *g = reader(p);
  hm_git_file *f;
  size_t n;
  hm_err err = { 0 };
  hm_buf b = { 0 };
  if (hm_git_commit_files(g, resolve(g, "mirror"), p->a, &f, &n, &err) != 0) die(&err);
  for (size_t i = 0; i < n; i++)
    hm_buf_fmt(&b, "%s%06o blob %s\t%.*s", i ? "\n" : "", f[i].mode, f[i].id, HM_FMT(f[i].path));
  assert_string_equal(hm_buf_copy(&b, p->a).p, sh(p, "git -C mirror.git ls-tree -r mirror"));
  hm_buf_free(&b);
  hm_git_reader_close(g);
  maker_free(m);
}

static void bytes(void **state) {
  place *p = *state;
  maker *m = basic();
  hm_str s;
  bool found;
  hm_err err = { 0 };
  hm_git_file *f;
  size_t n;
  put(m, "a/empty", "");
  publish(p, m);
  hm_git_reader *g = reader(p);
  const char *tip = resolve(g, "mirror");
  assert_int_equal(hm_git_read_blob(g, tip, HM_STR("projects/p05/README.md"), p->a, &s, &found,
                                    &err), 0);
  assert_true(found && hm_str_is(s, "overview\n"));
  assert_int_equal(hm_git_read_blob(g, tip, HM_STR("a/empty"), p->a, &s, &found, &err), 0);
  assert_true(found && s.n == 0);
  static const char *const none[] = { "projects/p05", "projects/p06/README.md", "README.md/x",
                                      "gone" };
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    assert_int_equal(hm_git_read_blob(g, tip, hm_str_c(none[i]), p->a, &s, &found, &err), 0);
    assert_false(found);
  }
  assert_int_equal(hm_git_commit_files(g, tip, p->a, &f, &n, &err), 0);
  assert_int_equal(hm_git_read_blob_id(g, f[0].id, p->a, &s, &err), 0);
  assert_true(hm_str_is(s, "one\n"));
  assert_int_equal(hm_git_read_blob_id(g, "0123456789012345678901234567890123456789", p->a, &s,
                                       &err), -1);
  assert_int_equal(err.code, HM_E_OUTPUT);
  hm_git_reader_close(g);
  maker_free(m);
}

static void names_in_a_folder(void **state) {
  place *p = *state;
  maker *m = basic();
  hm_str *names;
  size_t n;
  hm_err err = { 0 };
  publish(p, m);
  hm_git_reader *g = reader(p);
  assert_int_equal(hm_git_folder_names(g, resolve(g, "mirror"), "projects", p->a, &names, &n,
                                       &err), 0);
  assert_int_equal(n, 4);
  assert_true(hm_str_is(names[0], "p05-x") && hm_str_is(names[1], "p05.md") &&
              hm_str_is(names[2], "p05") && hm_str_is(names[3], "p050"));
  assert_int_equal(hm_git_folder_names(g, resolve(g, "mirror"), "projects/p050", p->a, &names, &n,
                                       &err), 0);
  assert_int_equal(n, 0);
  assert_int_equal(hm_git_folder_names(g, resolve(g, "mirror"), "gone", p->a, &names, &n, &err), 0);
  assert_int_equal(n, 0);
  hm_git_reader_close(g);
  maker_free(m);
}

typedef struct { hm_buf seen; int left; } walked;

static int see(void *ctx, const hm_git_commit *c, hm_err *err) {
  walked *w = ctx;
  if (w->left == 0) return hm_fail(err, HM_E_INTERNAL, "see", "asked to fail", "");
  hm_buf_fmt(&w->seen, "%s%s %s %lld %.*s %d", w->seen.n ? "\n" : "", c->id, c->parent,
             (long long)c->when, HM_FMT(c->author), c->ours);
  return --w->left == 1;
}

static void walks(void **state) {
  place *p = *state;
  maker *m = basic();
  walked w = { .left = 100 };
  hm_err err = { 0 };
  publish(p, m);
  by_hand(p, "echo x > README.md");
  put(m, "README.md", "two\n");
  publish(p, m);
  hm_git_reader *g = reader(p);
  assert_int_equal(hm_git_walk(g, resolve(g, "mirror"), see, &w, &err), 0);
  assert_string_equal(
      hm_buf_copy(&w.seen, p->a).p,
      sh(p,
         "git -C mirror.git log --first-parent --format='%%H %%P %%at %%an %%(trailers:key=Mirror-Tool,valueonly)' mirror"
         " | grep . | sed 's/ hmirror test$/ 1/; s/ a $/ a 0/'"));
  hm_buf_clear(&w.seen);
  w.left = 2;
  assert_int_equal(hm_git_walk(g, resolve(g, "mirror"), see, &w, &err), 0); /* ends when told to */
  assert_int_equal(w.left, 1);
  w.left = 0;
  assert_int_equal(hm_git_walk(g, resolve(g, "mirror"), see, &w, &err), -1);
  assert_string_equal(err.why, "asked to fail");
  hm_git_reader_close(g);
  /* a shallow clone ends where it ends */
  sh(p, "git clone -q --bare --depth 2 file://%s shallow.git", p->repo);
  snprintf(p->repo, sizeof p->repo, "%s/shallow.git", p->root);
  g = reader(p);
  hm_buf_clear(&w.seen);
  w.left = 100;
  assert_int_equal(hm_git_walk(g, resolve(g, "mirror"), see, &w, &err), 0);
  assert_int_equal(w.left, 98);
  hm_git_reader_close(g);
  hm_buf_free(&w.seen);
  maker_free(m);
}

static void damage_is_an_error(void **state) {
  place *p = *state;
  maker *m = basic();
  hm_git_file *f;
  hm_str s;
  size_t n;
  bool found;
  char tip[41];
  hm_err err = { 0 };
  strcpy(tip, publish(p, m).commit);
  sh(p,
     "cd mirror.git && mv objects/pack/*.pack ../whole && rm -f objects/pack/* && git unpack-objects -q <../whole");
  sh(p,
     "cd mirror.git/objects && rm -f $(git -C .. rev-parse mirror:README.md | sed 's,^..,&/,') $(git -C .. rev-parse mirror:projects | sed 's,^..,&/,')");
  hm_git_reader *g = reader(p);
  assert_int_equal(hm_git_commit_files(g, tip, p->a, &f, &n, &err), -1);
  assert_int_equal(err.code, HM_E_OUTPUT);
  assert_int_equal(hm_git_read_blob(g, tip, HM_STR("README.md"), p->a, &s, &found, &err), -1);
  assert_int_equal(hm_git_commit_files(g, "not an id", p->a, &f, &n, &err), -1);
  hm_git_reader_close(g);
  maker_free(m);
}

/* A commit object over the bound is refused before it is read. */
static void size_is_bounded(void **state) {
  place *p = *state;
  char id[41], tip[41];
  hm_git_commit c;
  hm_err err = { 0 };
  maker *m = basic();
  strcpy(tip, publish(p, m).commit);
  maker_free(m);
  strcpy(
      id,
      sh(p,
         "cd mirror.git && { git cat-file commit mirror; head -c 68000000 /dev/zero | tr '\\0' x; } | git hash-object -t commit -w --stdin"));
  hm_git_reader *g = reader(p);
  assert_int_equal(hm_git_commit_read(g, tip, p->a, &c, &err), 0);
  assert_int_equal(hm_git_commit_read(g, id, p->a, &c, &err), -1);
  assert_int_equal(err.code, HM_E_OUTPUT);
  assert_non_null(strstr(err.why, "over the limit"));
  hm_git_reader_close(g);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
    T(names),
    T(places),
    T(other_users),
    T(differences),
    T(files),
    T(bytes),
    T(names_in_a_folder),
    T(walks),
    T(damage_is_an_error),
    T(size_is_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
