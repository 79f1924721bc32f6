/* The files, folders and globs that a command names, with what git knows of them. */
#ifndef HM_TREE_WORDS_H
#define HM_TREE_WORDS_H
#include "core/notes/notes.h"
#include "core/tree/tree.h"
#include "gen/cli/cli.h"
#include "gen/sink/git_worktree.h"

/* --include and --exclude, for tables of options. */
#define HM_TREE_WORD_OPTIONS                                                                       \
  { "include", 0, "GLOB", "of folders, only files that match; may be given several times" }, {     \
    "exclude", 0, "GLOB", "without files and folders that match; may be given several times"       \
  }

typedef struct {
  hm_tree *tree;
  hm_tree_options options;
  hm_tree_git git;
  hm_worktrees *work;
} hm_cli_tree;

/* Lists them; all in cli->a. Free it also after an error. Errors as hm_tree_list. */
int hm_cli_list_tree(hm_cli *cli, const char *const *words, size_t n, hm_cli_tree *out);
void hm_cli_tree_free(hm_cli_tree *t);
/* Tells which files were not taken, and with `all` also those that were left out on purpose, and
 * how many parts of documents are no rows, by reason. t may be NULL. */
void hm_cli_note_unread(hm_cli *cli, const int64_t unread[HM_N_NOTES_UNREAD], const hm_tree *t,
                        bool all);
/* Does the command mean a document, a folder or a glob by this word? Other words are files of
 * records. */
bool hm_cli_word_is_tree(const char *word);
#endif
