/* Checks files that have no mirror: their rows stand in a store in memory, and what contradicts
 * each other is told with file and line of each side. Writes nothing. */
#ifndef HM_CHECK_FILES_H
#define HM_CHECK_FILES_H
#include "core/tree/tree.h"
#include "core/value/rules.h"
#include "gen/check/check.h"

/* What git knows of the files. */
typedef struct {
  void *ctx;
  /* The commit that last changed a line of a file, as hm_report_side.commit; empty: none. */
  hm_str (*changed)(void *ctx, const hm_tree_file *f, size_t line, hm_arena *a);
  /* The same of the commit that wrote the comment in the line. */
  hm_str (*written)(void *ctx, const hm_tree_file *f, size_t line, hm_arena *a);
  /* False where nobody knows that: its history is not there, or is too long. */
  bool (*reads)(void *ctx, const hm_tree_file *f);
  /* The same files in that commit, by the first digits of its id; NULL: that cannot be read. */
  const hm_tree *(*past)(void *ctx, hm_str commit, hm_arena *a);
} hm_check_git;

typedef struct {
  const hm_tree *tree; /* its notes and lists are read */
  const hm_rules *rules;
  hm_fail_on fail_on;
  const hm_tree *past; /* the same files as the baseline has them; NULL: there is none */
  hm_str baseline;     /* its commit */
  /* Which lines of `now` are not lines of `before`; of a baseline only. */
  void (*touched)(hm_str before, hm_str now, hm_arena *a, bool **touched, size_t *n);
  int threads;
  const hm_check_git *git; /* NULL: nobody asks it */
} hm_check_files_input;

/* The report lives in a: an item for each conflict, at its first side, with all its sides. A
 * conflict whose pairs are all settled by comments in the files is none; such a comment covers what
 * stood in the commit that wrote it, as far as git knows, and of a baseline what that had. A
 * conflict is fresh if it has a value that no conflict of its slot has in the baseline. Errors:
 * HM_E_INPUT, a file that cannot be read. */
int hm_check_files(const hm_check_files_input *in, hm_arena *a, hm_report **out, hm_err *err);
#endif
