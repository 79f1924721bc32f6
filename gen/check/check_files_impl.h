/* What the two halves of hm_check_files share: the files in a store and what they contradict
 * (check_files.c); what comments in them and a baseline settle (check_settled.c). Not for others.
 */
#ifndef HM_CHECK_FILES_IMPL_H
#define HM_CHECK_FILES_IMPL_H
#include "core/review/settled_lines.h"
#include "core/sweep/sweep.h"
#include "gen/check/check_files.h"

/* What a state of the files has. */
typedef struct {
  hm_map disputed; /* slot and value of each party of a conflict */
  hm_map claimed;  /* slot and value, and text and value, of each claim */
  hm_map settled;  /* row and comment of each settled line */
  hm_map found;    /* what each finding says, and each of its sides */
  hm_map files;    /* source -> index of its file */
} known_values;

/* Values against which a line is settled, each once. */
typedef struct {
  hm_str *v;
  size_t n, cap;
} settled_values;

typedef struct {
  const hm_check_files_input *in;
  const hm_tree *tree; /* of in, the one that is read */
  hm_arena *a;
  hm_store *store;
  hm_sweep sweep;
  hm_map files, paths; /* source, path -> index of its file */
  hm_decisions *records;
  hm_notes_manifests *manifests;
  hm_scripts scripts;
  hm_report *report;
  hm_report_list findings;
  const known_values *past; /* of the baseline; NULL: there is none */
  hm_settled_line *lines;
  hm_report_settled *settled; /* of each line */
  settled_values *against;    /* of each line */
  const known_values **stood; /* of each line, what there was when it was written; NULL: unknown */
  hm_settled_lines found;     /* lines, after the sweep */
  size_t n_lines, cap_lines, cap_settled, cap_limits;
  const hm_families *families; /* by which documents are read, which no mirror is asked for */
  hm_arena *scratch, *keys;    /* keys: while one is looked up */
  hm_err *err;
} files_check;

/* After the sweep: all that its files have, in c->a. */
void known_values_read(files_check *c, known_values *out);
/* Has a party of this dispute that is not quiet a value that no dispute of its slot has in the
 * baseline? */
bool known_values_lack(const files_check *c, const hm_dispute *d, const bool *quiet);
/* Sets which sides, sorted by path, are on lines that the baseline has, too. */
int check_mark_untouched(files_check *c, hm_report_side *v, size_t n);
/* The commits in which comments without values were written, each once, of lines that take part in
 * a dispute or a finding. */
size_t settled_list_commits(files_check *c, hm_str **commits);
/* What there was in that commit; NULL: nobody knows. */
void settled_stood(files_check *c, hm_str commit, const known_values *then);
/* Do comments of the files settle the dispute? Sets, with room for d->n, which parties are settled
 * lines that contradict none against which they are not settled, and notes the values against which
 * lines are. */
bool settled_covers(files_check *c, const hm_dispute *d, bool *quiet);
/* Has the baseline the finding? */
bool known_values_find(const files_check *c, const hm_report_item *item);
/* Do they settle the finding? */
bool settled_covers_finding(files_check *c, const hm_report_item *item);
/* Tells the report against what lines are settled. */
void settled_tell(files_check *c);
#endif
