/* Which files git ignores, beside the real git. */
#include <sys/stat.h>
#include "core/base/text.h"
#include "gen/sink/git_worktree.h"
#include "gen_sink_help.h"

static bool ignores(const hm_tree_git *git, const place *p, const char *path, bool folder) {
  return git->ignores(git->ctx, hm_str_fmt(p->a, "%s/%s", p->root, path).p, folder);
}

static void as_git_ignores(void **state) {
  place *p = *state;
  sh(p, "git init -q w && cd w && mkdir -p docs/old build/x kept sub && "
        "printf 'build/\\n*.tmp.md\\n/kept\\n' >.gitignore && printf '!kee[p].tmp.md\\n' >docs/.gitignore && "
        "touch a.md a.tmp.md docs/keep.tmp.md docs/x.tmp.md build/x/a.md kept/in.md kept/out.md && "
        "git add -f kept/in.md a.md");
  static const struct {
    const char *path;
    bool folder, ignored;
  } cases[] = {
    { "w/a.md", false, false },         { "w/a.tmp.md", false, true },
    { "w/docs", true, false },          { "w/docs/keep.tmp.md", false, false },
    { "w/docs/x.tmp.md", false, true }, { "w/build", true, true },
    { "w/build/x/a.md", false, true },  { "w/kept", true, false },
    { "w/kept/in.md", false, false },   { "w/kept/out.md", false, true },
    { "w/gone.tmp.md", false, true },   { "w", true, false },
    { "elsewhere/a.tmp.md", false, false },
  };
  hm_worktrees *w = hm_worktrees_new();
  hm_tree_git git = hm_worktrees_git(w);
  hm_str top = hm_str_fmt(p->a, "%s/w", p->root);
  assert_true(hm_str_eq(git.top(git.ctx, hm_str_fmt(p->a, "%s/docs/old", top.p).p, p->a), top));
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    if (ignores(&git, p, cases[i].path, cases[i].folder) != cases[i].ignored)
      fail_msg("%s", cases[i].path);
  hm_worktrees_free(w);
}

static void what_a_sparse_checkout_lacks(void **state) {
  place *p = *state;
  sh(p, "git init -q w && cd w && git config user.email a@b && git config user.name a && "
        "mkdir in out && touch in/a.md out/a.md && git add . && git commit -qm one && "
        "git sparse-checkout set in && test ! -e out/a.md");
  hm_worktrees *w = hm_worktrees_new();
  hm_tree_git git = hm_worktrees_git(w);
  assert_true(git.top(git.ctx, hm_str_fmt(p->a, "%s/w", p->root).p, p->a).n > 0);
  assert_true(git.held_back(git.ctx, hm_str_fmt(p->a, "%s/w/out/a.md", p->root).p));
  assert_false(git.held_back(git.ctx, hm_str_fmt(p->a, "%s/w/in/a.md", p->root).p));
  assert_false(git.held_back(git.ctx, hm_str_fmt(p->a, "%s/w/out/b.md", p->root).p));
  hm_worktrees_free(w);
}

static void no_repository(void **state) {
  place *p = *state;
  sh(p, "mkdir -p w/docs && mkfifo w/.git");
  hm_worktrees *w = hm_worktrees_new();
  hm_tree_git git = hm_worktrees_git(w);
  assert_true(git.top(git.ctx, hm_str_fmt(p->a, "%s/w/docs", p->root).p, p->a).n == 0);
  assert_false(ignores(&git, p, "w/docs/a.md", false));
  assert_false(git.held_back(git.ctx, hm_str_fmt(p->a, "%s/w/docs/a.md", p->root).p));
  hm_worktrees_free(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(as_git_ignores, setup, teardown),
    cmocka_unit_test_setup_teardown(what_a_sparse_checkout_lacks, setup, teardown),
    cmocka_unit_test_setup_teardown(no_repository, setup, teardown),
  };
  return cmocka_run_group_tests_name("git_worktree", tests, NULL, NULL);
}
