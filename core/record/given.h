/* Whose the value of a row is, when it came, and what it was before: from what its sources say. */
#ifndef HM_GIVEN_H
#define HM_GIVEN_H
#include "core/sqlite/file.h"

/* What a value of the row was before. */
typedef struct {
  hm_str field;        /* a key; of a property "properties.NAME" */
  hm_str value, until; /* until: when it changed; or empty */
  hm_str source;       /* whose it was; or empty */
} hm_past_value;

typedef struct {
  hm_str by, at; /* whose it is, and since when; of several values those of the last change */
  hm_past_value *was;
  size_t n_was; /* by source, field, and time of change */
} hm_row_given;

/* Of the row ref, "kind:id"; of a row that is not there, and of anything else, it is empty. All in
 * a. Cost: two reads by key. */
int hm_row_given_read(hm_store *s, hm_str ref, hm_arena *a, hm_row_given *out, hm_err *err);
#endif
