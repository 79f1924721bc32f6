/* Single rows and conflicts written, each change a line of the journal; and what a record may hold.
 * For core/review, inside its open write transaction: checking afterwards is its business.
 */
#ifndef HM_RECORD_EDIT_H
#define HM_RECORD_EDIT_H
#include "core/base/json.h"
#include "core/store/store.h"

/* --- a row by a record: record_edit.c ----------------------------------------------------
 *
 * Records are those of an import (fields, checks), without `kind`. */

typedef struct {
  hm_str id;
  hm_str before, after;   /* the row as export writes it; before is empty for a new one */
  bool changed;           /* false: it said this already; nothing was written */
} hm_row_edited;

/* Adds a row. An absent id is made: the layer's letter, "-" and 16 hex digits of the digest of the
 * record, or, where a row has that, of the record and a number. Texts of out live in a. Errors:
 * HM_E_INPUT with field: an unknown key, a wrong type or value, something missing, a window that
 * ends before it begins; HM_E_STATE with field "id": there is such a row. Journaled as `verb`. */
int hm_store_add_row(hm_store *s, hm_layer layer, const hm_json *record, const char *verb,
               const hm_actor *who, hm_arena *a, hm_row_edited *out, hm_err *err);

/* Changes a row: keys that the patch has replace, null clears; the members of `properties` do the
 * same one by one, so that a patch of one property leaves the others (RFC 7396), unless what is
 * stored is no object. A row that changes gets updated_at from who->at, to the second, unless the
 * patch has it. Errors as above, the id being part of no patch, and HM_E_UNKNOWN: there is no such
 * row. */
int hm_row_patch(hm_store *s, hm_layer layer, hm_str id, const hm_json *patch, const char *verb,
                 const hm_actor *who, hm_arena *a, hm_row_edited *out, hm_err *err);

/* --- by columns: record_columns.c ------------------------------------------------------------- */

/* A column of a record by its name in schema.sql. value.p NULL: it is NULL, which is not the empty
 * text. */
typedef struct { const char *column; hm_str value; } hm_column;

/* Fills the values of these columns of the record that ref names: "kind:id", kind as in an export,
 * no link. The texts live in a. *found false when there is none, or no such kind. */
int hm_store_get_columns(hm_store *s, hm_str ref, hm_column *columns, size_t n, bool *found,
                     hm_arena *a, hm_err *err);
/* Writes these columns of the record and a line with this verb, unless it says all that already. No
 * record: HM_E_UNKNOWN. */
int hm_store_set_columns(hm_store *s, hm_str ref, const hm_column *columns, size_t n,
                         const char *verb, const hm_actor *who, hm_arena *a, hm_err *err);
/* A new record of these columns, the others at their defaults, and a line with this verb. The id is
 * in ref; that it is free is the caller's to know. */
int hm_store_insert_record(hm_store *s, hm_str ref, const hm_column *columns, size_t n,
                           const char *verb, const hm_actor *who, hm_arena *a, hm_err *err);
/* The id of the conflict with this id, else of the only one whose id begins so, in a. HM_E_UNKNOWN
 * when there is none, HM_E_INPUT when several begin so. */
int hm_store_find_conflict(hm_store *s, hm_str prefix, hm_arena *a, hm_str *id, hm_err *err);
/* The id of another conflict that is open on the slot of this one and shares a member with it, or
 * its rule and anchor, whatever its members are; empty when none is. */
int hm_store_open_rival(hm_store *s, hm_str id, hm_arena *a, hm_str *rival, hm_err *err);
/* References, in a, of the active relations SUPERSEDES or SUPERSEDED_BY that say that newer
 * superseded older; both "kind:id". Reads all relations. */
int hm_store_supersessions(hm_store *s, hm_str older, hm_str newer, hm_arena *a, hm_str **refs,
                           size_t *n, hm_err *err);

/* --- fields that leave their rows: record_columns.c ------------------------------------ */

/* Fields that verdicts took out of their rows (`--field-only`).
 *
 * A property that loses leaves the row; the conflict's member keeps what it said, and `removed`.
 * That holds while the row lacks the field: a row that got it back, whoever gave it, has nothing
 * removed. Only entities have fields that can leave. An import reads them, too. */
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
int hm_field_was_removed(hm_store *s, hm_str id, hm_str field, const hm_json *value, bool *is,
                         hm_arena *a, hm_err *err);

/* --- the shape of a record, as JSON Schema (2020-12): record_edit.c -------------------- */

typedef enum {
  HM_SCHEMA_STORED, /* as export writes it, with `kind`, and `as_stored` where another program wrote
                       what is odd */
  HM_SCHEMA_NEW,    /* as it is given to be added: without kind */
  HM_SCHEMA_PATCH   /* what may be changed: all but the id, each null to clear where that is allowed
                     */
} hm_schema_use;

/* One object, under key. STORED is left open for more members; the others are closed. */
void hm_record_schema(hm_jw *w, const char *key, hm_layer layer, hm_schema_use use);
#endif
