/* Data files of a project before and after, joined to pairs of rows. Pure.
 *
 * A line that stands in both, in whichever of the project's files, is the same row and gives no
 * pair; the others are joined by their ids. Order of calls: init; for each project add_file of
 * either side, then join; free. */
#ifndef HM_DATA_ROWS_H
#define HM_DATA_ROWS_H
#include "gen/history/differences.h"

/* --- paths --- */

/* "p05" of "projects/p05/state.md" and of "data/p05/state.jsonl"; empty for other paths. */
hm_str hm_project_folder(hm_str path);
/* True when `other` is below the same folder of a project, of the same of both. */
bool hm_is_beside(hm_str path, hm_str other);
/* A data file of rows. */
bool hm_is_list_data(hm_str path);

/* --- rows --- */

typedef struct { hm_str *v; size_t n, cap; } hm_data_lines;

typedef struct {
  hm_arena *a;
  hm_fact_pair *rows; size_t n, cap;   /* the rows that differ */
  hm_map by_key;
  hm_data_lines before, after;         /* of the project at hand */
  size_t active;                       /* active rows of all that came after */
} hm_data_rows;

/* Pairs and texts live in a; the arrays until free. */
void hm_data_rows_init(hm_data_rows *d, hm_arena *a);
void hm_data_rows_free(hm_data_rows *d);
/* The rows of a data file, without its first line, a slice of bytes. False: it is none, or of a
 * format that came later. Empty bytes are an empty file. */
bool hm_data_rows_of(hm_str bytes, hm_str *rows);
/* The next line from *at that is not empty; false when there is none. */
bool hm_data_next_line(hm_str s, size_t *at, hm_str *line);
/* Notes the lines of a file (as hm_data_rows_of gave them), which must live until join. */
void hm_data_rows_add(hm_data_rows *d, hm_str rows, bool after);
/* Joins what was noted, which is all of the project with this folder, and forgets it. */
void hm_data_rows_join(hm_data_rows *d, hm_str folder);
#endif
