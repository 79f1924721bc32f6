/* The directory sink: what changes is written, what is the same stays, and nobody else's files are
 * lost. */
#include "tests/unit/gen_sink_dir_help.h"

static void first_build(void **state) {
  place *p = *state;
  maker *m = basic("one");
  char deep[128];
  snprintf(deep, sizeof deep, "%s/a/b/c", p->root);
  hm_dir_counts c = sink(&m->site, deep);
  assert_int_equal(c.written, 5);
  assert_int_equal(c.kept + c.removed, 0);
  c = sink(&m->site, p->out);
  assert_int_equal(c.written, 5);
  assert_string_equal(slurp(at(p, "projects/p05/decisions.md")), "log");
  assert_int_equal(look_at(at(p, ".nojekyll")).st_size, 0);
  assert_int_equal(entries(p->root), 2);   /* no lock, no temporary tree left */
  maker_free(m);
}

static void empty_folder_is_taken(void **state) {
  place *p = *state;
  maker *m = basic("one");
  assert_int_equal(mkdir(p->out, 0700), 0);
  sink(&m->site, p->out);
  assert_int_equal(look_at(p->out).st_mode & 07777, 0755);
  assert_int_equal(entries(p->root), 1);
  maker_free(m);
}

static void unchanged_keeps_inode_and_time(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = basic("two");
  sink(&m->site, p->out);
  struct stat kept = look_at(at(p, "projects/p05/README.md")),
              changed = look_at(at(p, "README.md"));
  hm_dir_counts c = sink(&n->site, p->out);
  assert_int_equal(c.written, 1);
  assert_int_equal(c.kept, 4);
  assert_true(same_file(kept, look_at(at(p, "projects/p05/README.md"))));
  assert_false(same_file(changed, look_at(at(p, "README.md"))));
  assert_string_equal(slurp(at(p, "README.md")), "two");
  assert_int_equal(entries(p->root), 1);
  maker_free(m);
  maker_free(n);
}

static void nothing_changed_writes_nothing(void **state) {
  place *p = *state;
  maker *m = basic("one");
  sink(&m->site, p->out);
  struct stat dir = look_at(p->out), root = look_at(p->root);
  hm_dir_counts c = sink(&m->site, p->out);
  assert_int_equal(c.written + c.removed, 0);
  assert_int_equal(c.kept, 5);
  assert_true(same_file(dir, look_at(p->out)));   /* the folder was not swapped */
  assert_int_equal(root.st_ino, look_at(p->root).st_ino);
  maker_free(m);
}

static void hand_edit_is_restored(void **state) {
  place *p = *state;
  maker *m = basic("one");
  sink(&m->site, p->out);
  spit(at(p, "README.md"), "ONE");   /* same size */
  chmod(at(p, "projects/p05/decisions.md"), 0666);
  unlink(at(p, ".nojekyll"));
  hm_dir_counts c = sink(&m->site, p->out);
  assert_int_equal(c.written, 3);
  assert_string_equal(slurp(at(p, "README.md")), "one");
  assert_int_equal(look_at(at(p, "projects/p05/decisions.md")).st_mode & 07777, 0644);
  assert_int_equal(access(at(p, ".nojekyll"), F_OK), 0);
  maker_free(m);
}

static void removed_file_is_removed(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = maker_new();
  put(n, "README.md", "one");
  seal(n);
  sink(&m->site, p->out);
  hm_dir_counts c = sink(&n->site, p->out);
  assert_int_equal(c.removed, 3);
  assert_int_equal(entries(p->out), 2);   /* the folders of what went are gone too */
  maker_free(m);
  maker_free(n);
}

static void foreign_files_survive(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = maker_new();
  put(n, "README.md", "two");
  seal(n);
  sink(&m->site, p->out);
  spit(at(p, "CNAME"), "example.org");
  spit(at(p, "projects/p05/mine.txt"), "mine");
  mkdir(at(p, "notes"), 0750);
  mkdir(at(p, "notes/empty"), 0700);
  spit(at(p, "notes/todo"), "todo");
  assert_int_equal(symlink("/etc/passwd", at(p, "notes/link")), 0);
  assert_int_equal(mkfifo(at(p, "notes/pipe"), 0600), 0);
  struct stat cname = look_at(at(p, "CNAME")), notes = look_at(at(p, "notes"));
  sink(&n->site, p->out);
  assert_true(same_file(cname, look_at(at(p, "CNAME"))));
  assert_string_equal(slurp(at(p, "projects/p05/mine.txt")), "mine");
  assert_int_not_equal(access(at(p, "projects/p05/decisions.md"), F_OK), 0);
  assert_string_equal(slurp(at(p, "notes/todo")), "todo");
  assert_true(S_ISLNK(look_at(at(p, "notes/link")).st_mode));
  assert_true(S_ISFIFO(look_at(at(p, "notes/pipe")).st_mode));
  assert_int_equal(look_at(at(p, "notes")).st_mode, notes.st_mode);
  assert_int_equal(look_at(at(p, "notes")).st_mtim.tv_nsec, notes.st_mtim.tv_nsec);
  assert_int_equal(look_at(at(p, "notes/empty")).st_mode & 07777, 0700);
  assert_int_equal(entries(p->root), 1);
  maker_free(m);
  maker_free(n);
}

static void foreign_folder_is_refused(void **state) {
  place *p = *state;
  maker *m = basic("one");
  mkdir(p->out, 0755);
  spit(at(p, "thesis.tex"), "years of work");
  assert_int_equal(refused(&m->site, p->out).code, HM_E_OUTPUT);
  spit(at(p, "manifest.json"), "{\"name\":\"an app\",\"files\":[{\"path\":\"thesis.tex\"}]}");
  assert_int_equal(refused(&m->site, p->out).code, HM_E_OUTPUT);
  spit(at(p, "manifest.json"), "{\"tool\":\"hmirror");   /* cut short */
  assert_int_equal(refused(&m->site, p->out).code, HM_E_OUTPUT);
  assert_string_equal(slurp(at(p, "thesis.tex")), "years of work");
  assert_int_equal(entries(p->out), 2);
  assert_int_equal(entries(p->root), 1);
  maker_free(m);
}

static void foreign_file_in_the_way_is_refused(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = maker_new(), *o = maker_new();
  put(n, "notes", "a file of ours");
  seal(n);
  put(o, "CNAME/x", "a folder of ours");
  seal(o);
  sink(&m->site, p->out);
  mkdir(at(p, "notes"), 0755);
  spit(at(p, "notes/todo"), "todo");
  spit(at(p, "CNAME"), "example.org");
  hm_err err = refused(&n->site, p->out);
  assert_int_equal(err.code, HM_E_OUTPUT);
  assert_non_null(strstr(err.why, "notes"));
  err = refused(&o->site, p->out);
  assert_non_null(strstr(err.why, "CNAME"));
  assert_string_equal(slurp(at(p, "README.md")), "one");   /* all or nothing */
  assert_string_equal(slurp(at(p, "notes/todo")), "todo");
  maker_free(m);
  maker_free(n);
  maker_free(o);
}

static void file_becomes_folder_and_back(void **state) {
  place *p = *state;
  maker *m = maker_new(), *n = maker_new();
  put(m, "a", "file");
  seal(m);
  put(n, "a/b/c", "deeper");
  seal(n);
  sink(&m->site, p->out);
  sink(&n->site, p->out);
  assert_string_equal(slurp(at(p, "a/b/c")), "deeper");
  sink(&m->site, p->out);
  assert_string_equal(slurp(at(p, "a")), "file");
  maker_free(m);
  maker_free(n);
}

/* Also over a site that another one made, and but for the owner's rights. */
static void umask_holds(void **state) {
  place *p = *state;
  maker *m = basic("one");
  static const struct { mode_t mask, file, folder; } cases[] = {
    { 022, 0644, 0755 }, { 077, 0600, 0700 }, { 002, 0664, 0775 }, { 0777, 0600, 0700 },
    { 027, 0640, 0750 },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    mode_t old = umask(cases[i].mask);
    sink(&m->site, p->out);
    assert_int_equal(umask(old), cases[i].mask);
    assert_int_equal(look_at(at(p, "README.md")).st_mode & 07777, cases[i].file);
    assert_int_equal(look_at(at(p, "projects/p05")).st_mode & 07777, cases[i].folder);
    assert_int_equal(look_at(p->out).st_mode & 07777, cases[i].folder);
  }
  maker_free(m);
}

static void symlinks_do_not_redirect(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = basic("two");
  char victim[128], elsewhere[128];
  snprintf(victim, sizeof victim, "%s/victim", p->root);
  snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", p->root);
  spit(victim, "one");
  sink(&m->site, p->out);
  /* a file of ours replaced by a link to something with the very bytes */
  unlink(at(p, "README.md"));
  assert_int_equal(symlink(victim, at(p, "README.md")), 0);
  sink(&m->site, p->out);
  assert_true(S_ISREG(look_at(at(p, "README.md")).st_mode));
  assert_string_equal(slurp(victim), "one");
  assert_int_equal(look_at(victim).st_nlink, 1);
  /* a folder of ours replaced by a link */
  mkdir(elsewhere, 0755);
  rename(at(p, "projects/p05"), at(p, "../elsewhere/p05"));
  rmdir(at(p, "projects"));
  assert_int_equal(symlink(elsewhere, at(p, "projects")), 0);
  assert_int_equal(refused(&n->site, p->out).code, HM_E_OUTPUT);
  unlink(at(p, "projects"));
  sink(&n->site, p->out);
  assert_string_equal(slurp(at(p, "projects/p05/README.md")), "overview");
  assert_string_equal(slurp(at(p, "../elsewhere/p05/README.md")), "overview");
  maker_free(m);
  maker_free(n);
}

static void path_may_be_a_symlink(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = basic("two");
  char link[128];
  snprintf(link, sizeof link, "%s/current", p->root);
  sink(&m->site, p->out);
  assert_int_equal(symlink("public", link), 0);
  sink(&n->site, link);
  assert_true(S_ISLNK(look_at(link).st_mode));
  assert_string_equal(slurp(at(p, "README.md")), "two");
  unlink(link);
  assert_int_equal(symlink("nowhere", link), 0);
  assert_int_equal(refused(&n->site, link).code, HM_E_OUTPUT);
  assert_int_equal(refused(&n->site, at(p, "README.md")).code, HM_E_OUTPUT);
  maker_free(m);
  maker_free(n);
}

static void bad_names_are_refused(void **state) {
  place *p = *state;
  static const char *const bad[] = { "../x",     "/etc/x", "a//b",     "a/./b", ".git/config",
                                     "a/.GIT/b", "a b",    "\xc3", "a/",    "" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    maker *m = maker_new();
    put(m, bad[i], "x");
    seal(m);
    assert_int_equal(refused(&m->site, p->out).code, HM_E_INTERNAL);
    maker_free(m);
  }
  assert_int_equal(entries(p->root), 0);
}

static void hostile_manifest_removes_nothing_else(void **state) {
  place *p = *state;
  maker *m = basic("one"), *n = basic("two");
  char victim[128];
  snprintf(victim, sizeof victim, "%s/victim", p->root);
  spit(victim, "mine");
  sink(&m->site, p->out);
  spit(
      at(p, "manifest.json"),
      "{\"tool\":\"hmirror 9\",\"files\":[{\"path\":\"../victim\"},{\"path\":\"/etc/passwd\"},{\"path\":7},3,"
      "{\"path\":\"README.md\"},{\"path\":\".nojekyll\"},{\"path\":\"projects/p05/README.md\"},"
      "{\"path\":\"projects/p05/decisions.md\"}]}");
  sink(&n->site, p->out);
  assert_string_equal(slurp(victim), "mine");
  assert_string_equal(slurp(at(p, "README.md")), "two");
  maker_free(m);
  maker_free(n);
}

/* What stands there is told once, when the folder is opened: files as they were noted, and whether
 * that is the whole site. */
static void tells_what_stands_there(void **state) {
  place *p = *state;
  maker *m = basic("one");
  hm_dir_options opt = { .threads = 2 };
  hm_dir_counts c;
  hm_buf note = { 0 };
  hm_dir *d;
  hm_err err = { 0 };
  for (int run = 0; run < 3; run++) {
    opt.note = hm_buf_view(&note);
    opt.noted_files = m->site.n;
    if (run == 2) spit(at(p, "README.md"), "edit");
    assert_int_equal(hm_dir_open(p->out, &opt, &d, &err), 0);
    const hm_sink_files *s = hm_dir_present_files(d);
    assert_int_equal(s->n, run == 0 ? 0 : m->site.n - (run == 2));
    assert_int_equal(s->all, run == 1);
    for (size_t i = 0; i < s->n; i++) {
      assert_true(i == 0 || hm_str_cmp(s->files[i - 1].path, s->files[i].path) < 0);
      assert_false(run == 2 && hm_str_is(s->files[i].path, "README.md"));
      for (size_t k = 0; k < m->site.n; k++)
        if (hm_str_eq(m->files[k].path, s->files[i].path)) {
          assert_int_equal(s->files[i].size, m->files[k].bytes.n);
          m->files[k].held = true;
        }
    }
    assert_int_equal(hm_dir_finish(d, &m->site, &c, &err), 0);
    assert_int_equal(c.written, run == 0 ? m->site.n : run == 2);
    hm_buf_clear(&note);
    assert_int_equal(hm_dir_write_note(d, &m->site, &note, &err), 0);
    hm_dir_close(d);
    for (size_t k = 0; k < m->site.n; k++) m->files[k].held = false;
  }
  assert_string_equal(slurp(at(p, "README.md")), "one");
  spit(at(p, "README.md"), "edit");
  for (size_t k = 0; k < m->site.n; k++) m->files[k].held = true;
  opt.note = hm_buf_view(&note);
  assert_int_equal(hm_dir_open(p->out, &opt, &d, &err), 0);
  assert_int_equal(hm_dir_finish(d, &m->site, &c, &err), -1);   /* held, and not as it was noted */
  assert_int_equal(err.code, HM_E_INTERNAL);
  hm_dir_close(d);
  hm_buf_free(&note);
  maker_free(m);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
    T(tells_what_stands_there),
    T(first_build),
    T(empty_folder_is_taken),
    T(unchanged_keeps_inode_and_time),
    T(nothing_changed_writes_nothing),
    T(hand_edit_is_restored),
    T(removed_file_is_removed),
    T(foreign_files_survive),
    T(foreign_folder_is_refused),
    T(foreign_file_in_the_way_is_refused),
    T(file_becomes_folder_and_back),
    T(umask_holds),
    T(symlinks_do_not_redirect),
    T(path_may_be_a_symlink),
    T(bad_names_are_refused),
    T(hostile_manifest_removes_nothing_else),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
