/* Records as JSON without the value. Not for other folders. */
#ifndef HM_REDACT_JSON_H
#define HM_REDACT_JSON_H
#include "core/base/json.h"
#include "core/store/redact.h"

bool hm_redact_is(const hm_str *refs, size_t n, hm_str ref);
/* May this row's own texts, or what is said of them, stay? */
bool hm_redact_stays(const hm_redaction *r, hm_str ref);
/* A member of a conflict without the value; true when it held it. value, normal: as recorded, or
 * empty. */
bool hm_redact_member(const hm_redaction *r, hm_str ref, hm_str *value, hm_str *normal,
                      hm_arena *a);
/* The name of the slot holds the value. */
bool hm_redact_slot_holds(const hm_redaction *r, hm_str slot_key, hm_arena *a);
/* The slot key with a name that is made from the id of the conflict. */
hm_str hm_redact_slot_key(hm_str slot_key, hm_str conflict, hm_arena *a);
/* The record that ref names, as a line of the journal has it; false when it does not hold the
 * value. What is no JSON and holds it becomes the mark. */
bool hm_redact_record(const hm_redaction *r, hm_str ref, hm_str *json, hm_arena *a);
/* A JSON text holds one of the values in a string, or as a number. */
bool hm_redact_json_holds(const hm_needles *values, hm_str json, hm_arena *a);
#endif
