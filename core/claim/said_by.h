/* Which rows and properties say a time: collected while it is read, in bounded space.
 *
 * Who hides one of these hides the time (publish.exclude). A row is hidden by its project and type,
 * a relation also by those of the row that it leads to. So where there are too many to name, the
 * first of each such kind is named before all others, and nothing is shown that a longer list would
 * hide. With too many kinds or lists of words the time counts as unknown. */
#ifndef HM_SAID_BY_H
#define HM_SAID_BY_H
#include "core/store/row.h"

enum { HM_SAID_ROWS = 40, HM_SAID_KINDS = 18 };

typedef struct {
  hm_str words;       /* folded names of properties, "birth_date, death"; may be empty */
  const hm_str *rows; /* "kind:id" of relations and eras; above HM_SAID_KINDS of them the first of
                         each project and type comes first; at most HM_SAID_ROWS */
  uint32_t n, all;    /* named, and with those that are not */
} hm_said_by;

typedef struct {
  const hm_snapshot *snap;
  uint32_t rows[HM_SAID_ROWS], firsts[HM_SAID_KINDS], all;
  hm_str words[HM_SAID_KINDS];
  size_t n_firsts, n_words;
  bool too_many;
} hm_sources;

/* Notes a row. Work: at most HM_SAID_KINDS comparisons. */
void hm_sources_add_row(hm_sources *s, uint32_t row);
/* Notes names of properties; borrows them. */
void hm_sources_add_words(hm_sources *s, hm_str words);
/* What was noted, in a; NULL: there is too much of it, and nobody may be told the time. */
const hm_said_by *hm_sources_end(const hm_sources *s, hm_arena *a);
#endif
