/* Which commit last changed each line, beside the real git. */
#include "gen/sink/git_blame.h"
#include "gen_sink_help.h"

/* A history of edits at the beginning, in the middle and at the end of two files, with a side branch
 * of each kind of merge, a renamed file and lines that are not committed. Each line is like no
 * other, so that no comparison of texts has a choice. */
static const char HISTORY[] =
    "git init -q -b main w && cd w && git config user.email a@b && git config user.name 'Kim Doe' && "
    "mkdir docs && seq 1 40 | sed 's/^/line /' >docs/a.md && cp docs/a.md other.md && "
    "n=0; commit() { n=$((n+1)); GIT_AUTHOR_DATE=\"2026-01-01T00:00:00Z\" GIT_COMMITTER_DATE=\"$((1767225600+n*60)) +0000\" "
    "git commit -qam \"commit $n\"; }; git add . && commit && "
    "for i in 1 2 3 4 5 6 7 8 9; do sed -i \"$((i*3))s/.*/edit $i/;$((i*2))d;\\$a end $i\" docs/a.md && "
    "sed -i \"1i head $i\" other.md && commit; done && "
    "git checkout -qb side HEAD~4 && sed -i '5s/.*/of the side/;7i in between' docs/a.md && commit && "
    "git checkout -q main && git -c core.editor=true merge -q side -m merge && "
    "git checkout -qb second && sed -i '9s/.*/second/' other.md && commit && git checkout -q main && "
    "git merge -q --no-ff second -m 'merge of the same' && "
    "git mv docs/a.md docs/b.md && sed -i '11s/.*/after the move/' docs/b.md && commit && "
    "sed -i '3s/.*/not committed/;20d;22i new' docs/b.md && echo untracked >docs/new.md";

static void as_git_blames(void **state) {
  place *p = *state;
  sh(p, HISTORY);
  sh(p, "cd w && for f in docs/b.md other.md; do git blame -s --abbrev=11 $f | sed \"s:^^::;s:^:$f :\" | cut -d' ' -f 1,2; done >../want");
  FILE *want = fopen(hm_str_fmt(p->a, "%s/want", p->root).p, "r");
  hm_worktrees *w = hm_worktrees_new();
  hm_git_blames *b = hm_git_blames_new(w);
  char file[64], before[64] = "", id[64];
  size_t line = 0, all = 0, none = 0;
  hm_str top = hm_str_fmt(p->a, "%s/w", p->root);
  while (fscanf(want, "%63s %11s%*[^\n]", file, id) == 2) {
    bool committed = strcmp(id, "00000000000") != 0;
    line = strcmp(file, before) == 0 ? line + 1 : 1;
    strcpy(before, file);
    hm_tree_file f = { .folder = top, .below = hm_str_c(file) };
    hm_str said = hm_git_blame_line(b, &f, line, p->a);
    all++;
    none += !committed;
    if (committed ? !hm_str_starts(said, id) : said.n > 0)
      fail_msg("%s:%zu: %.*s, git says %s", file, line, HM_FMT(said), id);
    assert_true(!committed || hm_str_ends(said, ", 2026-01-01, Kim Doe"));
  }
  fclose(want);
  assert_true(all > 60);
  assert_int_equal(none, 2);
  hm_tree_file untracked = { .folder = top, .below = HM_STR("docs/new.md") };
  assert_int_equal(hm_git_blame_line(b, &untracked, 1, p->a).n, 0);
  assert_true(hm_git_blame_reads(b, &untracked));
  hm_git_blames_free(b);
  hm_worktrees_free(w);
}

static void no_whole_history(void **state) {
  place *p = *state;
  sh(p, HISTORY);
  sh(p, "git clone -q --depth 1 file://$PWD/w shallow && mkdir plain && cp w/other.md plain");
  hm_worktrees *w = hm_worktrees_new();
  hm_git_blames *b = hm_git_blames_new(w);
  static const char *const folders[] = { "shallow", "plain" };
  for (size_t i = 0; i < HM_COUNT(folders); i++) {
    hm_tree_file f = { .folder = hm_str_fmt(p->a, "%s/%s", p->root, folders[i]), .below = HM_STR("other.md") };
    assert_int_equal(hm_git_blame_line(b, &f, 1, p->a).n, 0);
    assert_false(hm_git_blame_reads(b, &f));
  }
  hm_git_blames_free(b);
  hm_worktrees_free(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(as_git_blames, setup, teardown),
    cmocka_unit_test_setup_teardown(no_whole_history, setup, teardown),
  };
  return cmocka_run_group_tests_name("git_blame", tests, NULL, NULL);
}
