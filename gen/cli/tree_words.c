/* Words of the command line as a tree of files: tree_words.h. */
#include "gen/cli/tree_words.h"

#include <string.h>
#include <sys/stat.h>

/* Can it be read, through no link of what its file names? */
static bool is_own_file(const hm_notes_import *x, hm_arena *a) {
  struct stat st = { 0 };
  bool own = true;
  for (size_t i = x->named; i <= x->word.n && own; i++) {
    if (i < x->word.n && x->word.p[i] != '/')
      continue;
    const char *path = hm_str_z(a, hm_str_sub(x->word, 0, i));
    own = i == x->named || (lstat(path, &st) == 0 && !S_ISLNK(st.st_mode));
  }
  return own && S_ISREG(st.st_mode);
}

/* Also takes the documents that files for agents import, and those that these import. Where they
 * do not go with the others, they are left out. */
static int add_imports(hm_cli *cli, const hm_str *given, size_t n, hm_cli_tree *out) {
  enum { DEEP = 5 };
  hm_str *words = hm_alloc_array(cli->a, n + 1, sizeof *words);
  hm_notes_import *more;
  const size_t n_given = n;
  memcpy(words, given, n * sizeof *words);
  for (int depth = 0; depth < DEEP; depth++) {
    size_t n_more, added = 0;
    hm_tree *with;
    hm_err none = { 0 };
    if (hm_notes_list_imports(out->tree, words + n_given, n - n_given, cli->a, &more, &n_more,
                              &cli->err))
      return -1;
    hm_str *all = hm_alloc_array(cli->a, n + n_more + 1, sizeof *all);
    memcpy(all, words, n * sizeof *all);
    for (size_t i = 0; i < n_more; i++)
      if (is_own_file(&more[i], cli->a))
        all[n + added++] = more[i].word;
    if (!added || hm_tree_list(cli->a, all, n + added, &out->options, &with, &none))
      return 0;
    out->tree = with;
    words = all;
    n += added;
  }
  return 0;
}

int hm_cli_list_tree(hm_cli *cli, const char *const *words, size_t n, hm_cli_tree *out) {
  hm_str *given = hm_alloc_array(cli->a, n, sizeof *given), *include, *exclude;
  *out = (hm_cli_tree){ .work = hm_worktrees_new() };
  for (size_t i = 0; i < n; i++)
    given[i] = hm_str_c(words[i]);
  out->git = hm_worktrees_git(out->work);
  out->options.git = &out->git;
  out->options.n_include = hm_args_list(&cli->args, "include", cli->a, &include);
  out->options.n_exclude = hm_args_list(&cli->args, "exclude", cli->a, &exclude);
  out->options.include = include;
  out->options.only_named = hm_cli_get_option(cli, "source"); /* one file has one source */
  out->options.exclude = exclude;
  if (hm_tree_list(cli->a, given, n, &out->options, &out->tree, &cli->err))
    return -1;
  if (!out->options.only_named && add_imports(cli, given, n, out))
    return -1;
  return hm_notes_drop_copies(out->tree, cli->a, &cli->err);
}

void hm_cli_tree_free(hm_cli_tree *t) {
  hm_worktrees_free(t->work);
  t->work = NULL;
}

void hm_cli_note_unread(hm_cli *cli, const int64_t unread[HM_N_NOTES_UNREAD], const hm_tree *t,
                        bool all) {
  hm_str out = HM_EMPTY;
  for (int k = 0; k < HM_N_NOTES_UNREAD; k++)
    if (unread[k])
      out = HM_CAT(cli->a, out, out.n ? HM_STR(", ") : HM_EMPTY,
                   hm_str_c(hm_format_thousands(cli->a, unread[k])), HM_STR(" "),
                   hm_str_c(hm_notes_unread_words((hm_notes_unread)k)));
  if (out.n && all)
    hm_note(cli, "not read: %.*s", HM_FMT(out));
  for (size_t i = 0; t && i < t->n_skips; i++)
    if (all || t->skips[i].reason <= HM_TREE_SKIP_PATTERNS)
      hm_cli_warn(cli, "%s %s", hm_terminal_line(cli->a, t->skips[i].path, 200),
                  hm_tree_skip_words(t->skips[i].reason));
}

bool hm_cli_word_is_tree(const char *word) {
  struct stat st;
  hm_tree_kind kind = hm_tree_kind_of(hm_str_c(word));
  if (strcmp(word, "-") == 0)
    return false;
  if (kind == HM_TREE_NOTES || kind == HM_TREE_LIST)
    return true;
  return stat(word, &st) ? hm_glob_is(hm_str_c(word)) : S_ISDIR(st.st_mode);
}
