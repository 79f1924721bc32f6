/* What was read of one row, for who writes it or asks about it: a text that was read and
 * contradicts nothing is told apart from one that was not read. Pure. */
#ifndef HM_READING_H
#define HM_READING_H
#include "core/base/json.h"
#include "core/claim/claim.h"

typedef struct {
  hm_str slot;         /* for people: "p05 / spindle_speed", "... (winter)" */
  hm_str value, words; /* as written; the text from which it was read */
} hm_read_value;

typedef struct {
  hm_read_value *v;
  size_t n;
  hm_str unread; /* n is 0: why nothing was read, as words after "nothing was read: "; else empty */
} hm_row_reading;

/* Of a row of any status, as if it were active: claims are those of snap. In a, or borrowed from
 * both. Cost: the claims of the row; of a row that is not active, one more reading of it. */
int hm_row_reading_find(const hm_snapshot *snap, const hm_claims *claims, const hm_rules *rules,
                        uint32_t row, hm_arena *a, hm_row_reading *out, hm_err *err);
/* The same by claims that have those of the row, whatever its status is. */
void hm_row_reading_from_claims(const hm_snapshot *snap, const hm_claims *claims,
                                const hm_rules *rules, uint32_t row, hm_arena *a,
                                hm_row_reading *out);
/* Appends "read": [{"slot", "value", "words"}], "unread": why or null. */
void hm_row_reading_json(hm_jw *w, const hm_row_reading *r);
#endif
