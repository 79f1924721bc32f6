/* Records (core/foreign/record.h) as JSON and as columns: for import, export, the journal and every
 * write.
 *
 * Floors, lowest first: record_json.c, record_tables.c, journal.c, record_read.c, evidence.c,
 * record_edit.c, record_columns.c, then core/store/remarks.c. */
#ifndef HM_RECORDS_H
#define HM_RECORDS_H
#include "core/foreign/record.h"
#include "core/sqlite/sql.h"
#include "core/record/row.h"
#include "core/sqlite/file.h"

/* --- cells: record_json.c --------------------------------------------------------- */

typedef enum { HM_CELL_ABSENT, HM_CELL_NULL, HM_CELL_TEXT } hm_cell_state;
typedef struct {
  hm_cell_state state;
  hm_str text;
} hm_cell; /* text: as the column holds it */

/* The text of the field with this column or key; empty if it has none or there is no such field. */
hm_str hm_cell_text(const hm_kind *k, const hm_cell *cells, const char *name);
/* The default of an absent cell in a new record. */
static inline hm_cell hm_cell_default(const hm_record_field *f) {
  return f->dflt ? (hm_cell){ HM_CELL_TEXT, hm_str_c(f->dflt) }
                 : (hm_cell){ HM_CELL_NULL, HM_EMPTY };
}

/* --- as JSON: record_json.c ------------------------------------------------------ */

/* Can text be the bound of a window? A word alone only if the store knows an era of that name. s
 * may be NULL. */
bool hm_bound_is_time(const hm_store *s, hm_str text);
/* Reads v as field k->fields[i] into cells[i]; the text lives in a or borrows from v. -1 with why
 * and fix set; the caller sets what. */
int hm_cell_parse(const hm_kind *k, int i, const hm_json *v, hm_cell *cells, hm_arena *a,
                  hm_err *err);
/* Appends the record as one compact JSON object: kind, then the fields in order, without absent and
 * NULL ones. Values that hm_cell_parse would refuse (another program wrote them) follow under
 * "as_stored", by column. */
void hm_record_put(hm_buf *b, const hm_kind *k, const hm_cell *cells, hm_arena *a);
hm_str hm_record_json(const hm_kind *k, const hm_cell *cells, hm_arena *a); /* the same, in a */
/* Reads the object under "as_stored": strings and nulls, unchecked. */
int hm_as_stored_read(const hm_kind *k, const hm_json *v, hm_cell *cells, hm_err *err);

/* Merges the objects `old` and `patch`: the members of old in order, then new ones. choose returns
 * which of the two to write, the patch's (NULL: it has none) or the old one (NULL: it is new);
 * NULL: neither. */
hm_str hm_json_merge(const hm_json *old, const hm_json *patch,
                     const hm_json *(*choose)(void *ctx, const hm_json *now, const hm_json *was),
                     void *ctx, hm_arena *a);
/* The value as compact JSON with sorted members; top: without null members at the top level. Empty
 * if it would exceed 2 GB. */
hm_str hm_json_sorted(const hm_json *v, bool top, hm_arena *a);

/* --- cells of more than one text: record_json.c ---------------------------------- */

/* The canonical text of a cell from a list, which this sorts. */
hm_str hm_aliases_text(hm_str *list, size_t n, hm_arena *a);
hm_str hm_members_text(hm_member_rec *list, size_t n, hm_arena *a);
/* "slot/1": a name, a slash, digits. The offset of the slash, or -1. */
ptrdiff_t hm_rule_slash(hm_str rule);

/* Reads the members in such a cell, in its order; none if empty. */
int hm_members_parse_cell(hm_str cell, hm_member_rec **out, size_t *n, hm_arena *a, hm_err *err);
/* Writes one object per member, inside an array. seen: also what a sweep recorded (flagged,
 * conflicts_with, removed). */
void hm_members_put(hm_jw *w, const hm_member_rec *list, size_t n, bool seen);

/* --- tables: record_tables.c ------------------------------------------------------------ */

/* Sets the error that two rows of a layer of a foreign store share an id; returns -1. */
int hm_fail_duplicate_row(const hm_store *s, const char *layer, hm_str id, hm_err *err);
/* Loads the record whose key cells are set. The texts live in a. */
int hm_record_load(hm_store *s, hm_kind_index k, hm_cell *cells, bool *found, hm_arena *a,
                   hm_err *err);
/* Inserts the record, or overwrites all cells of the one with its keys; adds it to the change
 * log. */
int hm_record_save(hm_store *s, hm_kind_index k, const hm_cell *cells, bool is_new, hm_arena *a,
                   hm_err *err);
/* The record as a source says it: without defaults, which mean the same, and without when it was
 * used last; in a. */
hm_str hm_record_said_json(const hm_kind *k, const hm_cell *cells, hm_arena *a);
/* A hash of all that the record says, but for when it was used last. */
int64_t hm_record_digest(const hm_kind *k, const hm_cell *cells, hm_arena *a);
/* A statement for all records of a kind, sorted by key, for hm_records_read_row. */
int hm_records_select_all(hm_store *s, hm_kind_index k, hm_stmt **out, hm_err *err);
/* Reads the cells of the statement's row; also loads those not stored in its columns. */
int hm_records_read_row(hm_store *s, hm_kind_index k, hm_stmt *st, hm_cell *cells, hm_arena *a,
                        hm_err *err);

/* Reads a member from the columns from `first` on: HM_MEMBER_COLUMNS, or in a store before version
 * 3, or 11, those of that version. False: the member's kind is not a layer. */
#define HM_MEMBER_COLUMNS_OF(removed, source)                                                      \
  "member_kind, member_id, field, value_detected, value_normal, flagged, conflicts_with, " removed \
  ", " source
#define HM_MEMBER_COLUMNS HM_MEMBER_COLUMNS_OF("removed", "source")
#define HM_MEMBER_COLUMNS_V2 HM_MEMBER_COLUMNS_OF("0", "''")
#define HM_MEMBER_COLUMNS_V10 HM_MEMBER_COLUMNS_OF("removed", "''")
bool hm_member_from_row(hm_stmt *st, int first, hm_member_rec *m, hm_arena *a);
/* All members of a conflict in their order. */
int hm_conflict_members_load(hm_store *s, hm_str conflict, hm_member_rec **out, size_t *n,
                             hm_arena *a, hm_err *err);
/* The verdict in a conflict's cells, without members (verdict_lines.c). Borrows from the cells. */
struct hm_verdict_line;
void hm_verdict_from_cells(const hm_cell *cells, struct hm_verdict_line *out);
/* The records of a conflict in a line of the journal: of a long one only the members that came,
 * moved or went, and under "rest" how many others there are, with the SHA-256 of their texts. */
void hm_conflict_line_shorten(hm_str *before, hm_str *after, hm_arena *a);
/* The whole record after a line, in a. known: the record before it, which is taken apart; NULL:
 * none, as before the first line. NULL: the line has none. */
hm_json *hm_conflict_line_read(hm_json *known, hm_str before, hm_str after, hm_arena *a);
/* Writes one member, new or known. */
int hm_member_save(hm_store *s, hm_str conflict, const hm_member_rec *m, hm_err *err);

/* --- a record given as JSON: record_read.c ------------------------------------------ */

/* One line, parsed. */
typedef struct {
  hm_kind_index index;
  const hm_kind *kind;
  const hm_json *verdict; /* the line is one of `export --verdicts`; nothing else is set */
  const hm_json *world;   /* it holds a world.yml; nothing else is set */
  hm_str sorted;          /* as JSON: sorted keys, no null members at the top */
  hm_cell cells[HM_MAX_FIELDS + 1]; /* absent where the line has no such key */
} hm_record;

/* Understands an object as a record of this kind: its cells, and nothing else of r. */
int hm_record_read(const hm_record_place *p, hm_kind_index kind, const hm_json *json, hm_record *r,
                   hm_arena *a);
/* Fills r->sorted. */
int hm_record_sort(const hm_record_place *p, const hm_json *json, hm_record *r, hm_arena *a);
/* Reads one object, from a line or a row of a table. Fills the key cells, also for absent keys. */
int hm_record_from_json(const hm_record_place *p, const hm_json *json, hm_record *r, hm_arena *a);
/* Parses one line, then does the same. */
int hm_record_parse(const hm_record_place *p, hm_str line, hm_record *r, hm_arena *a);
/* The cells to store: those of the line over those of `before` (NULL: a new record). Errors: a
 * required field is missing. */
int hm_record_merge(const hm_record_place *p, const hm_record *r, const hm_cell *before,
                    hm_cell *after);

/* Refuses what a writer can correct at once: a text that must say something and is blank, and a
 * window that ends before it begins. r: what is given; after: the row with it. An import stores it
 * and tells it. */
int hm_record_check(const hm_record_place *p, const hm_record *r, const hm_cell *after);
#endif
