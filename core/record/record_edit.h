/* Writes single rows and conflicts, each with a line of the journal; and the schema of a record.
 * For core/review, inside its open write transaction; core/review does the checks afterwards. */
#ifndef HM_RECORD_EDIT_H
#define HM_RECORD_EDIT_H
#include "core/base/json.h"
#include "core/record/row.h"
#include "core/sqlite/file.h"

/* --- a row by a record: record_edit.c ----------------------------------------------------
 *
 * Records are those of an import (fields, checks), without `kind`. */

typedef struct {
  hm_str id;
  hm_str before, after; /* the row as export writes it; before: empty for a new one */
  bool changed;         /* false: the row was the same already; nothing was written */
} hm_row_edited;

/* Adds a row. Makes an absent id: the layer's letter, "-" and 16 hex digits of the digest of the
 * record, or, if that is taken, of the record and a number. Texts of out live in a. Errors:
 * HM_E_INPUT with field: an unknown key, a wrong type or value, something missing,
 * hm_record_check; HM_E_STATE with field "id": the row exists. Journaled as `verb`. */
int hm_store_add_row(hm_store *s, hm_layer layer, const hm_json *record, const char *verb,
                     const hm_actor *who, hm_arena *a, hm_row_edited *out, hm_err *err);

/* Changes a row: a key of the patch replaces the value, null clears it. The members of `properties`
 * are patched one by one (RFC 7396), unless the stored value is not an object. A changed row gets
 * updated_at from who->at, to the second, unless the patch has it. Errors as above; a patch must
 * not have an id; HM_E_UNKNOWN: no such row. */
int hm_row_patch(hm_store *s, hm_layer layer, hm_str id, const hm_json *patch, const char *verb,
                 const hm_actor *who, hm_arena *a, hm_row_edited *out, hm_err *err);

/* A value that a verdict ends: of a field (a key, or "properties.NAME"), by a source. */
typedef struct {
  hm_layer layer;
  hm_str id, field, source;
  hm_str conflict; /* the verdict's; with it the value can come back */
} hm_row_ending;
/* The value is over, as who judges; the row follows from the others, and is journaled as `verb`. */
int hm_row_end_said(hm_store *s, const hm_row_ending *end, const char *verb, const hm_actor *who,
                    hm_arena *a, hm_row_edited *out, hm_err *err);

/* Values of this row that verdicts on the conflict ended; in a. */
typedef struct {
  hm_str source, field, value;
} hm_row_revived;
int hm_row_list_ended(hm_store *s, hm_layer layer, hm_str id, hm_str conflict, hm_arena *a,
                      hm_row_revived **out, size_t *n, hm_err *err);
/* Takes them back, journaled as `verb`; the list is empty, and nothing is written, if none are. */
int hm_row_revive_said(hm_store *s, hm_layer layer, hm_str id, hm_str conflict, const char *verb,
                       const hm_actor *who, hm_arena *a, hm_row_revived **out, size_t *n,
                       hm_err *err);

/* --- by columns: record_columns.c ------------------------------------------------------------- */

/* A column of a record by its name in schema.sql. value.p NULL means NULL, not the empty text. */
typedef struct {
  const char *column;
  hm_str value;
} hm_column;

/* Fills the values of these columns of the record ref: "kind:id", kind as in an export, not a link.
 * The texts live in a. *found is false if there is no such record or kind. */
int hm_store_get_columns(hm_store *s, hm_str ref, hm_column *columns, size_t n, bool *found,
                         hm_arena *a, hm_err *err);
/* What superseded_by of a row of this layer names, as "kind:id" in full: a bare id, or one that
 * only looks like a reference, is of the same layer. Empty if by is. In a. */
int hm_store_successor(hm_store *s, hm_layer layer, hm_str by, hm_arena *a, hm_str *out,
                       hm_err *err);
/* Writes these columns of the record and a line with this verb, unless nothing changes.
 * HM_E_UNKNOWN: no such record. */
int hm_store_set_columns(hm_store *s, hm_str ref, const hm_column *columns, size_t n,
                         const char *verb, const hm_actor *who, hm_arena *a, hm_err *err);
/* Inserts a record with these columns and defaults for the others, and a line with this verb. ref
 * has the id; the caller makes sure that it is free. */
int hm_store_insert_record(hm_store *s, hm_str ref, const hm_column *columns, size_t n,
                           const char *verb, const hm_actor *who, hm_arena *a, hm_err *err);
/* The id of the conflict with this id, else of the only one whose id begins with it, in a.
 * HM_E_UNKNOWN: none; HM_E_INPUT: several. */
int hm_store_find_conflict(hm_store *s, hm_str prefix, hm_arena *a, hm_str *id, hm_err *err);
/* The id of another open conflict on the slot of this one that shares a member, or has the same
 * rule and anchor; empty if there is none. */
int hm_store_open_rival(hm_store *s, hm_str id, hm_arena *a, hm_str *rival, hm_err *err);
/* References, in a, of the active relations SUPERSEDES or SUPERSEDED_BY by which newer superseded
 * older; both are "kind:id". Reads all relations. */
int hm_store_supersessions(hm_store *s, hm_str older, hm_str newer, hm_arena *a, hm_str **refs,
                           size_t *n, hm_err *err);

/* --- fields that verdicts remove: record_columns.c ------------------------------------ */

/* Fields that verdicts removed from their rows (`--field-only`).
 *
 * The losing property is removed from the row; the conflict's member keeps its value and is marked
 * `removed`. The mark counts only while the row lacks the field: once anybody restores it, it is
 * not removed. Only entities have removable fields. Imports read them, too. */
typedef struct {
  hm_str field;
  hm_str value; /* as JSON: from the journal, else as the member has it */
} hm_removed_field;

/* The fields that verdicts removed from this entity and that it still lacks, by name; in a. None if
 * the entity does not exist. Reads its journal lines if there is such a field. */
int hm_removed_fields(hm_store *s, hm_str id, hm_arena *a, hm_removed_field **out, size_t *n,
                      hm_err *err);

/* Removes the fields of these members, all of one entity, from its properties and marks the
 * members. Adds a journal line "remove" for the entity and one for the conflict. */
int hm_remove_fields(hm_store *s, hm_str conflict, const hm_member_rec *members, size_t n,
                     const hm_actor *who, hm_arena *a, hm_err *err);

/* Restores these fields of the entity. Adds a journal line "restore" for it and one for each
 * conflict whose mark ends. */
int hm_restore_fields(hm_store *s, hm_str id, const hm_removed_field *fields, size_t n,
                      const hm_actor *who, hm_arena *a, hm_err *err);

/* --- the shape of a record, as JSON Schema (2020-12): record_edit.c -------------------- */

typedef enum {
  HM_SCHEMA_STORED, /* as export writes it, with `kind`, and `as_stored` for invalid values of
                     * another program */
  HM_SCHEMA_NEW,    /* a record to add: without kind */
  HM_SCHEMA_PATCH   /* a patch: all keys but the id, each may be null where clearing is allowed */
} hm_schema_use;

/* One object, under key. STORED allows additional members; the others do not. */
void hm_record_schema(hm_jw *w, const char *key, hm_layer layer, hm_schema_use use);
#endif
