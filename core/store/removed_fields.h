/* Fields that verdicts took out of their rows (`--field-only`).
 *
 * A property that loses leaves the row; the conflict's member keeps what it said, and `removed`.
 * That holds while the row lacks the field: a row that got it back, whoever gave it, has nothing
 * removed. Only entities have fields that can leave. For core/review, inside its open write
 * transaction; an import asks too. */
#ifndef HM_REMOVED_FIELDS_H
#define HM_REMOVED_FIELDS_H
#include "core/base/json.h"
#include "core/store/store.h"

typedef struct {
  hm_str field;
  hm_str value;   /* as JSON: from the journal, else as the member has it */
} hm_removed_field;

/* What verdicts took out of this entity and it lacks still, by name; in a. An entity that does not
 * exist has none. Reads its lines of the journal when there is one. */
int hm_removed_fields(hm_store *s, hm_str id, hm_arena *a, hm_removed_field **out, size_t *n,
                      hm_err *err);

/* Takes the fields of these members out of the properties of their entity, which is one row; a line
 * "remove" for it, and one for the conflict, whose members are marked. */
int hm_remove_fields(hm_store *s, hm_str conflict, const hm_member_rec *members, size_t n,
                     const hm_actor *who, hm_arena *a, hm_err *err);

/* Puts these fields back into the entity; a line "restore" for it, and one for each conflict whose
 * mark ends. */
int hm_restore_fields(hm_store *s, hm_str id, const hm_removed_field *fields, size_t n,
                      const hm_actor *who, hm_arena *a, hm_err *err);

/* Did a verdict take this field out, when it said this? value: as JSON. *is false where the field
 * said otherwise. For a row that lacks the field. */
int hm_removed_was(hm_store *s, hm_str id, hm_str field, const hm_json *value, bool *is,
                   hm_arena *a, hm_err *err);
#endif
