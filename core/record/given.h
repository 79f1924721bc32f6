/* Whose the value of a row is, when it came, and what it was before: from what its sources say. */
#ifndef HM_GIVEN_H
#define HM_GIVEN_H
#include "core/record/row.h"
#include "core/sqlite/file.h"

/* What a value of the row was before. */
typedef struct {
  hm_str field;        /* a key; of a property "properties.NAME" */
  hm_str value, until; /* until: when it changed; or empty */
  hm_str source;       /* whose it was, a text or as source_refs has it; or empty */
  hm_str since;        /* when it came; of hm_find_past_value alone */
} hm_past_value;

typedef struct {
  hm_str by, at; /* whose it is, and since when; of several values those of the last change */
  hm_past_value *was;
  size_t n_was; /* by source, field, and time of change */
} hm_row_given;

/* Of the row ref, "kind:id"; of a row that is not there, and of anything else, it is empty. All in
 * a. Cost: two reads by key. */
int hm_row_given_read(hm_store *s, hm_str ref, hm_arena *a, hm_row_given *out, hm_err *err);

/* When a field of it changed last; empty: none did, as far as is known. */
hm_str hm_evidence_last_change(const hm_evidence *e);
/* When what the row says came: a memory's text, a state's value; of others their last change. */
hm_str hm_row_text_date(const hm_snapshot *s, uint32_t row);

/* The field of a record that the field of a conflict's member is: "content", "value",
 * "properties.mass". */
hm_str hm_member_record_field(const hm_row *r, hm_str field, hm_arena *a);
/* Whose a value was that the row had in the field of a conflict's member, and has no more. False:
 * it has it now, or nobody knows. */
bool hm_find_past_value(const hm_snapshot *s, uint32_t row, hm_str field, hm_str value, hm_arena *a,
                        hm_past_value *out);
#endif
