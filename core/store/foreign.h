/* Stores of other programs: read, never written. Design section 4.
 *
 * Such a file is attached read-only to a review file, an ordinary store of ours that
 * holds conflicts, verdicts, findings and the journal, and each of our tables of facts is
 * covered by a temporary view of theirs. So whatever reads a store reads
 * this one, and a transaction sees one state of both.
 *
 * A view takes the columns that their table has under our names (an absent one is NULL, or its
 * default), ids of any type as text, the rowid where there is no id,
 * `project_id` where there is no `project`; rows without an id are passed over. Their
 * views and triggers do not run; virtual tables are not read. */
#ifndef HM_FOREIGN_H
#define HM_FOREIGN_H
#include "core/store/store.h"

typedef struct { hm_str ours, theirs; } hm_store_column;

/* Where one of our tables comes from: a table of theirs with columns called otherwise, or a SELECT
 * whose result has columns with our names. */
typedef struct {
  hm_str layer; /* projects, project_aliases, memories, entities, project_state, relations, links */
  hm_str table, select;        /* one of them, or both empty: the table of the same name */
  const hm_store_column *columns; size_t n_columns;
} hm_store_map;

typedef struct {
  const char *path;
  const char *review;          /* the review file; NULL: only a store of ours will do */
  const hm_store_map *map; size_t n_map;   /* not for a store of ours */
  bool dated; hm_time epoch;   /* the time of this run, SOURCE_DATE_EPOCH; else it is the clock's */
  bool take; /* whatever store the review file is of: from now on it is of this one */
} hm_store_source;

/* As hm_store_open, and opens what is not ours as a foreign store. READ makes no review file:
 * without one nothing is recorded yet. More errors: no table that could be read, a table or a
 * column that the map names and the file lacks, a SELECT that does not run, does not read only, or
 * has no column id; a table without ids of any kind; text in UTF-16; a review file that holds
 * facts; a map for a store of ours. */
int hm_store_open_source(hm_store **out, const hm_store_source *src, hm_store_mode mode,
                         int busy_ms, hm_err *err);
/* The path of the foreign store that the review file is of, where that seems to be another one than
 * this; else NULL. Told by a note in the review file: the path of the store as given, and what its
 * tables and columns are called. */
const char *hm_store_review_of(const hm_store *s);
/* Facts of this store can only be read. */
bool hm_store_is_foreign(const hm_store *s);
/* 0, or -1 with HM_E_STATE that says that its facts are not ours to change, and the way out. */
int hm_store_may_change(const hm_store *s, hm_err *err);
#endif
