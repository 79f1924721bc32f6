/* The git sink, looked at with the real git: what it commits, and what it refuses. */
#include "tests/unit/gen_sink_git_help.h"

static void creates_and_commits(void **state) {
  place *p = *state;
  maker *m = basic();
  hm_git_tip tip;
  hm_git *g = begin(p, &tip);
  assert_false(tip.exists);
  hm_git_close(g);
  hm_git_result r = publish(p, m);
  assert_true(r.created);
  assert_int_equal(r.objects, m->site.n + 4 + 1);   /* four trees and the commit */
  assert_string_equal(sh(p, "git -C mirror.git rev-parse mirror HEAD | sort -u"), r.commit);
  assert_string_equal(
      sh(p, "git -C mirror.git log -1 --format='%%an <%%ae> %%at %%cn %%ct%%n%%B' mirror"),
      "Mirror <mirror@example.org> 1775120400 Mirror 1775120400\nMirror of 1 project\n\nMirror-Tool: hmirror test");
  assert_string_equal(sh(p, "git -C mirror.git ls-tree -r mirror | cut -c1-6 | sort -u"), "100644");
  assert_non_null(strstr(sh(p, "git -C mirror.git show --stat mirror"), "projects/p05/README.md"));
  assert_string_equal(sh(p, "ls -A"), "mirror.git");
  assert_string_equal(sh(p, "ls mirror.git | grep hmirror || true"), "");
  assert_holds(p, m);
  maker_free(m);
}

static void packs_what_is_new(void **state) {
  place *p = *state;
  maker *m = large("one");
  p->opt.durable = true;
  hm_git_result r = publish(p, m);
  assert_true(r.objects > 300);
  assert_string_equal(sh(p, "ls mirror.git/objects/pack | sed 's/.*[.]//' | sort"), "idx\npack");
  assert_string_equal(sh(p, "stat -c %%a mirror.git/objects/pack/* | sort -u"), "444");
  sh(p,
     "git -C mirror.git verify-pack mirror.git/objects/pack/*.idx 2>/dev/null || git verify-pack mirror.git/objects/pack/*.idx");
  /* the pack's name and the index are what git itself would have made */
  sh(p,
     "cp mirror.git/objects/pack/*.pack t.pack && git index-pack --strict t.pack && cmp t.idx mirror.git/objects/pack/*.idx");
  assert_holds(p, m);
  put(m, "d1/e1/f1.md", "changed\n");
  r = publish(p, m);
  assert_int_equal(r.objects, 5);   /* blob, three trees, commit: everything else is as it was */
  assert_string_equal(sh(p, "ls mirror.git/objects/pack | wc -l"), "4");
  assert_int_equal(r.packs, 2);
  assert_string_equal(sh(p, "git -C mirror.git count-objects | cut -d' ' -f1"), "0");
  assert_string_equal(sh(p, "git -C mirror.git log --oneline mirror | wc -l"), "2");
  assert_string_equal(sh(p, "git -C mirror.git show --format= --name-only mirror"), "d1/e1/f1.md");
  assert_holds(p, m);
  maker_free(m);
}

static void equal_tree_is_no_commit(void **state) {
  place *p = *state;
  maker *m = basic();
  hm_git_result a = publish(p, m);
  sh(p, "find mirror.git -type f | sort | xargs sha1sum > before");
  hm_git_result b = publish(p, m);
  assert_false(b.created);
  assert_int_equal(b.objects, 0);
  assert_string_equal(a.commit, b.commit);
  sh(p, "find mirror.git -type f | sort | xargs sha1sum | cmp - before");
  maker_free(m);
}

static void same_input_same_commit(void **state) {
  place *p = *state;
  maker *m = large("same");
  char first[41];
  strcpy(first, publish(p, m).commit);
  snprintf(p->repo, sizeof p->repo, "%s/second.git", p->root);
  p->opt.threads = 1;
  assert_string_equal(publish(p, m).commit, first);
  assert_string_equal(
      sh(p,
         "(cd mirror.git/objects/pack; ls) > a; (cd second.git/objects/pack; ls) | cmp - a && echo same"),
      "same");
  maker_free(m);
}

static void removes_and_moves(void **state) {
  place *p = *state;
  maker *m = basic(), *n = maker_new();
  put(n, "README.md", "one\n");
  put(n, "projects", "a file where a folder was\n");
  put(n, "moved/README.md", "overview\n");
  publish(p, m);
  publish(p, n);
  assert_holds(p, n);
  publish(p, m);
  assert_holds(p, m);
  maker_free(m);
  maker_free(n);
}

/* Every file of the tip is known by its bytes, and nothing else is. */
static void knows_what_the_tip_has(void **state) {
  place *p = *state;
  maker *m = large("one");
  hm_git_tip tip;
  hm_arena *a = hm_arena_new();
  hm_git *g = begin(p, &tip);
  assert_false(hm_git_tip_has(g, m->files[0].path, m->files[0].bytes, a));
  hm_git_close(g);
  publish(p, m);
  g = begin(p, &tip);
  for (size_t i = 0; i < m->site.n; i++)
    assert_true(hm_git_tip_has(g, m->files[i].path, m->files[i].bytes, a));
  assert_false(hm_git_tip_has(g, HM_STR("d1/e1/f1.md"), HM_STR("changed\n"), a));
  assert_false(hm_git_tip_has(g, HM_STR("d1/e1/f1.md"), HM_EMPTY, a));
  assert_false(hm_git_tip_has(g, HM_STR("d1/e1/none.md"), HM_EMPTY, a));
  assert_false(hm_git_tip_has(g, HM_STR("d1/e1"), HM_EMPTY, a));
  hm_git_close(g);
  hm_arena_free(a);
  maker_free(m);
}

static void tells_of_the_tip(void **state) {
  place *p = *state;
  maker *m = basic();
  hm_git_tip tip;
  publish(p, m);
  hm_git *g = begin(p, &tip);
  assert_true(tip.exists);
  assert_true(hm_str_is(tip.conflicts_json, "{\"conflicts\":[],\"count\":0}\n"));
  assert_true(hm_str_is(tip.manifest_json, "{}\n"));
  assert_int_equal(tip.n_edited, 0);
  hm_git_close(g);
  maker_free(m);
}

static void hand_edits_are_restored_and_told(void **state) {
  place *p = *state;
  maker *m = basic();
  hm_git_tip tip;
  hm_git_result r;
  publish(p, m);
  by_hand(p, "echo vandal > README.md && mkdir -p x && echo y > x/y");
  by_hand(p, "rm projects/p050");
  hm_git *g = begin(p, &tip);
  assert_int_equal(tip.n_edited, 3);
  assert_true(hm_str_is(tip.edited[0], "README.md"));
  assert_true(hm_str_is(tip.edited[1], "projects/p050"));
  assert_true(hm_str_is(tip.edited[2], "x/y"));
  hm_err err = { 0 };
  if (hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err) != 0) die(&err);
  hm_git_close(g);
  assert_int_equal(r.edited, 3);
  assert_true(r.created);
  assert_holds(p, m);
  assert_string_equal(sh(p, "git -C mirror.git log --oneline mirror | wc -l"), "4");
  g = begin(p, &tip);
  assert_int_equal(tip.n_edited, 0);
  hm_git_close(g);
  maker_free(m);
}

static void keeps_what_is_to_be_kept(void **state) {
  place *p = *state;
  maker *m = basic();
  const char *keep[] = { "CNAME", "static/", "./a/b/keep", "README.md", "absent" };
  hm_git_tip tip;
  p->opt.keep = keep;
  p->opt.n_keep = 5;
  publish(p, m);
  by_hand(
      p,
      "echo example.org > CNAME; mkdir -p static/x a/b; echo 1 > static/x/run; chmod +x static/x/run; ln -s x static/l;"
      "echo k > a/b/keep; echo n > a/b/not; echo mine > README.md; echo g > gone.txt; rm projects/p050");
  hm_git *g = begin(p, &tip);
  assert_int_equal(tip.n_edited, 3);   /* a/b/not, gone.txt, projects/p050 */
  hm_git_close(g);
  publish(p, m);
  assert_string_equal(
      sh(p, "git -C mirror.git ls-tree -r --name-only mirror"),
      "CNAME\nREADME.md\na/b/keep\nconflicts.json\nmanifest.json\nprojects/p05-x/README.md\nprojects/p05.md\n"
      "projects/p05/README.md\nprojects/p050\nstatic/l\nstatic/x/run");
  assert_string_equal(sh(p, "git -C mirror.git cat-file -p mirror:README.md"), "mine");
  assert_string_equal(sh(p, "git -C mirror.git ls-tree mirror:static/x | cut -c1-6"), "100755");
  assert_string_equal(sh(p, "git -C mirror.git ls-tree mirror:static | cut -c1-6 | sort"),
                      "040000\n120000");
  sh(p, "git -C mirror.git fsck --strict");
  assert_false(publish(p, m).created);
  put(m, "a", "in the way of a/b/keep");
  hm_git_result r;
  hm_err err = { 0 };
  g = begin(p, &tip);
  assert_int_equal(hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err), -1);
  assert_int_equal(err.code, HM_E_OUTPUT);
  hm_git_close(g);
  keep[0] = "../x";
  assert_int_equal(refused(p).code, HM_E_USAGE);
  maker_free(m);
}

static void moved_branch_is_an_error(void **state) {
  place *p = *state;
  maker *m = basic();
  hm_git_tip tip;
  hm_git_result r;
  publish(p, m);
  for (int gone = 0; gone < 2; gone++) {
    hm_err err = { 0 };
    hm_git *g = begin(p, &tip);
    if (gone) sh(p, "git -C mirror.git update-ref -d refs/heads/mirror");
    else by_hand(p, "echo other > other");
    put(m, "README.md", gone ? "three\n" : "two\n");
    char before[64];
    strcpy(before, sh(p, "git -C mirror.git rev-parse -q --verify mirror || echo none"));
    assert_int_equal(hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err), -1);
    assert_int_equal(err.code, HM_E_MOVED);
    assert_string_equal(sh(p, "git -C mirror.git rev-parse -q --verify mirror || echo none"),
                        before);
    hm_git_close(g);
  }
  /* made by somebody between open and publish */
  hm_err err = { 0 };
  hm_git *g = begin(p, &tip);
  assert_false(tip.exists);
  sh(p,
     "cd mirror.git && t=$(git mktree < /dev/null) && git update-ref refs/heads/mirror $(git -c user.name=a -c user.email=b commit-tree -m x $t)");
  assert_int_equal(hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err), -1);
  assert_int_equal(err.code, HM_E_MOVED);
  hm_git_close(g);
  assert_true(publish(p, m).created);   /* on top of an empty commit of somebody: nothing is lost */
  maker_free(m);
}

static void checked_out_branch_is_refused(void **state) {
  place *p = *state;
  maker *m = basic();
  sh(p, "git init -q -b mirror work");
  snprintf(p->repo, sizeof p->repo, "%s/work", p->root);
  assert_int_equal(refused(p).code, HM_E_OUTPUT);   /* unborn, yet checked out */
  sh(p, "cd work && git -c user.name=a -c user.email=b commit -q --allow-empty -m x");
  hm_err err = refused(p);
  assert_non_null(strstr(err.why, "mirror"));
  p->opt.branch = "other";
  publish(p, m);
  sh(p, "git -C work worktree add -q ../linked other");
  assert_int_equal(refused(p).code, HM_E_OUTPUT);
  snprintf(p->repo, sizeof p->repo, "%s/linked",
           p->root); /* the same repository, seen from there */
  assert_int_equal(refused(p).code, HM_E_OUTPUT);
  p->opt.branch = "mirror";
  assert_int_equal(refused(p).code, HM_E_OUTPUT);
  p->opt.branch = "third/one";
  publish(p, m);
  assert_string_equal(sh(p, "git -C work status --porcelain"), "");
  p->opt.branch = "third";   /* cannot stand beside third/one */
  hm_git_tip tip;
  hm_git_result r;
  hm_git *g = begin(p, &tip);
  assert_int_equal(hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err), -1);
  assert_int_equal(err.code, HM_E_OUTPUT);
  hm_git_close(g);
  maker_free(m);
}

static void names_and_places_are_checked(void **state) {
  place *p = *state;
  static const char *const bad[] = { "a..b",   "-x", "",     "a b",  "x.lock",
                                     "HEAD~1", "/a", "a//b", "a\x01" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    p->opt.branch = bad[i];
    hm_err err = refused(p);
    if (err.code != HM_E_USAGE) fail_msg("branch '%s' was taken", bad[i]);
  }
  assert_string_equal(sh(p, "ls -A"), "");
  p->opt.branch = "mirror";
  sh(p, "mkdir mirror.git && echo thesis > mirror.git/file");
  assert_int_equal(refused(p).code, HM_E_OUTPUT);
  assert_string_equal(sh(p, "ls -A . mirror.git"), ".:\nmirror.git\n\nmirror.git:\nfile");
  sh(p, "rm -r mirror.git && echo x > mirror.git");
  assert_int_equal(refused(p).code, HM_E_OUTPUT);
  sh(p, "rm mirror.git && mkdir mirror.git");   /* empty: ours to fill */
  maker *m = basic();
  publish(p, m);
  assert_holds(p, m);
  maker_free(m);
}

static void somebodys_branch_is_refused(void **state) {
  place *p = *state;
  maker *m = basic();
  sh(p,
     "git init -q -b mirror work && cd work && echo years > thesis && git add . && git -c user.name=a -c user.email=b commit -q -m x && "
     "git clone -q --bare . ../mirror.git");
  hm_err err = refused(p);
  assert_int_equal(err.code, HM_E_OUTPUT);
  assert_non_null(strstr(err.why, "thesis"));
  const char *keep[] = { "thesis" };
  p->opt.keep = keep;
  p->opt.n_keep = 1;
  publish(p, m);
  assert_string_equal(sh(p, "git -C mirror.git cat-file -p mirror:thesis"), "years");
  maker_free(m);
}

static void other_users_repository_is_named(void **state) {
  place *p = *state;
  if (geteuid() != 0) skip();   /* only root can make one */
  maker *m = basic();
  publish(p, m);
  sh(p, "chown -R 1234 mirror.git");
  setenv("HOME", p->root, 1);
  hm_err err = refused(p);
  assert_int_equal(err.code, HM_E_OUTPUT);
  assert_non_null(strstr(err.why, "another user"));
  sh(p, "printf '[safe]\\n\\tdirectory = %s\\n' > .gitconfig", p->repo);
  assert_false(publish(p, m).created);
  maker_free(m);
}

static void bad_site_is_refused(void **state) {
  place *p = *state;
  static const char *const bad[] = {
    "../x", "/x", "a//b", ".git/hooks/x", "a/.Git/x", "a/../b", ""
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    maker *m = maker_new();
    hm_git_tip tip;
    hm_git_result r;
    hm_err err = { 0 };
    put(m, bad[i], "x");
    hm_git *g = begin(p, &tip);
    assert_int_equal(hm_git_publish(g, &m->site, HM_STR(MESSAGE), &r, &err), -1);
    assert_int_equal(err.code, HM_E_INTERNAL);
    hm_git_close(g);
    maker_free(m);
  }
}

static void people_and_messages_are_cleaned(void **state) {
  place *p = *state;
  maker *m = basic();
  hm_git_tip tip;
  hm_git_result r;
  hm_err err = { 0 };
  p->opt.author_name = " A <evil>\nparent 0000 ";
  p->opt.author_email = "a>\nb";
  p->opt.when = -5;
  hm_git *g = begin(p, &tip);
  if (hm_git_publish(g, &m->site, HM_STR("a\0b\xff\n\n\n"), &r, &err) != 0) die(&err);
  hm_git_close(g);
  sh(p, "git -C mirror.git fsck --strict");
  assert_string_equal(sh(p, "git -C mirror.git log -1 --format='%%an|%%ae|%%at|%%B' mirror"),
                      "A evilparent 0000|ab|0|a b\xef\xbf\xbd");
  maker_free(m);
}

static void users_config_does_not_matter(void **state) {
  place *p = *state;
  maker *m = basic();
  put(m, "crlf", "a\r\nb\n");
  char plain[41];
  strcpy(plain, publish(p, m).commit);
  sh(p,
     "printf '[core]\\n\\tautocrlf = true\\n\\tcompression = 0\\n[commit]\\n\\tgpgsign = true\\n[user]\\n\\tname = x\\n' > conf && "
     "mkdir home && cp conf home/.gitconfig");
  setenv("HOME", hm_str_fmt(p->a, "%s/home", p->root).p, 1);
  snprintf(p->repo, sizeof p->repo, "%s/second.git", p->root);
  assert_string_equal(publish(p, m).commit, plain);
  assert_holds(p, m);
  maker_free(m);
}

int main(void) {
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
    T(creates_and_commits),
    T(packs_what_is_new),
    T(equal_tree_is_no_commit),
    T(same_input_same_commit),
    T(removes_and_moves),
    T(knows_what_the_tip_has), T(tells_of_the_tip),
    T(hand_edits_are_restored_and_told),
    T(keeps_what_is_to_be_kept),
    T(moved_branch_is_an_error),
    T(checked_out_branch_is_refused),
    T(names_and_places_are_checked),
    T(somebodys_branch_is_refused),
    T(other_users_repository_is_named),
    T(bad_site_is_refused),
    T(people_and_messages_are_cleaned),
    T(users_config_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
