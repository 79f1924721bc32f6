/* Finds the field to redact and its values. Not for other folders. */
#ifndef HM_REDACT_TARGET_H
#define HM_REDACT_TARGET_H
#include "core/base/json.h"
#include "core/base/redaction.h"
#include "core/prose/prose.h"
#include "core/review/supersede.h"
#include "core/record/record_edit.h"

typedef enum { HM_TEXT_PLAIN, HM_TEXT_STRINGS, HM_TEXT_OBJECT, HM_TEXT_VALUE } hm_text_kind;
typedef struct {
  const char *column;
  hm_text_kind kind;
} hm_text_column;

/* Columns of a layer with texts of people, the main one first. Ends with column NULL. */
const hm_text_column *hm_text_columns(hm_layer layer);

typedef struct {
  hm_named_row row;
  const hm_text_column *column;
  hm_str property; /* member of the column `properties`; empty: the whole column */
} hm_redact_field;

/* Finds the row and the field. Errors as hm_review_redact. */
int hm_redact_find_field(hm_store *s, hm_str ref, hm_str name, hm_arena *a, hm_redact_field *out,
                         hm_err *err);
/* Collects every text of the field, or, with earlier, its former texts in the journal; for a memory
 * also the claimed values, by these families (NULL: the shipped ones), since conflicts quote them.
 * Skips redaction marks. */
int hm_redact_collect_values(hm_store *s, const hm_redact_field *f, bool earlier,
                             const hm_families *families, hm_needles *out, hm_arena *a,
                             hm_err *err);
/* Is this field all that the row says? */
bool hm_redact_field_is_all(const hm_redact_field *f);
#endif
