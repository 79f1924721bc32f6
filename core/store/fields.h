/* What a record of each kind is made of: one table for import, export and the
 * journal. Not for other folders. */
#ifndef HM_FIELDS_H
#define HM_FIELDS_H
#include "core/base/json.h"

typedef enum {
  HM_F_TEXT, HM_F_TIME, HM_F_CHOICE,
  HM_F_UNIT,        /* a number from 0 to 1 */
  HM_F_SIGN,        /* -1, 0, 1 */
  HM_F_BOOL,
  HM_F_STRINGS,     /* JSON array of strings */
  HM_F_OBJECT,      /* JSON object */
  HM_F_VALUE,       /* anything but an object; the next field is its HM_F_VALUE_KIND */
  HM_F_VALUE_KIND,  /* a column without a key of its own */
  HM_F_SLOT_KEY,    /* JSON array of strings, at least one */
  /* Fields that are kept elsewhere than in a column of the table (side.c). */
  HM_F_ALIASES, HM_F_MEMBERS, HM_F_RULE
} hm_field_type;

enum { HM_F_KEY = 1, HM_F_REQUIRED = 2 };
#define HM_MAX_FIELDS 24

typedef struct {
  const char *key;              /* in JSON; NULL: has none */
  const char *column;           /* NULL: kept elsewhere */
  hm_field_type type;
  int flags;
  const char *dflt;             /* as in schema.sql; NULL: absent is NULL */
  const char *const *choices;   /* HM_F_CHOICE, ends with NULL */
  int since;                    /* version of the store that brought the column; 0: the first */
} hm_field;

typedef struct {
  const char *name, *table;
  char letter; /* of an id made from the record; 0: id is required or there is none */
  int n;
  const hm_field *fields;
} hm_kind;

typedef enum {
  HM_K_PROJECT,
  HM_K_MEMORY,
  HM_K_ENTITY,
  HM_K_STATE,
  HM_K_RELATION,
  HM_K_LINK,
  HM_K_CONFLICT,
  HM_N_KINDS
} hm_kind_index;
extern const hm_kind hm_kinds[HM_N_KINDS];   /* in the order of an export */

/* HM_N_KINDS when there is none. */
hm_kind_index hm_kind_of(hm_str name);
/* Index of the field with this key, or of that column; -1. */
int hm_field_of_key(const hm_kind *k, hm_str key);
int hm_field_of_column(const hm_kind *k, hm_str column);

/* --- cells: the values of one record ------------------------------------ */

typedef enum { HM_CELL_ABSENT, HM_CELL_NULL, HM_CELL_TEXT } hm_cell_state;
typedef struct { hm_cell_state state; hm_str text; } hm_cell;   /* text: as the column holds it */

/* Reads v as field k->fields[i] into cells[i]; the text lives in a or is
 * borrowed from v. -1 with why and fix; the caller knows what. */
int hm_cell_read(const hm_kind *k, int i, const hm_json *v, hm_cell *cells, hm_arena *a,
                 hm_err *err);
/* The record as one compact JSON object: kind, then the fields in their order,
 * absent and NULL ones left out. What the store holds but hm_cell_read would
 * refuse (another program wrote it) follows under "as_stored", by column. */
void hm_record_put(hm_buf *b, const hm_kind *k, const hm_cell *cells, hm_arena *a);
/* Reads the object under "as_stored": strings and nulls, taken as they are. */
int hm_as_stored_read(const hm_kind *k, const hm_json *v, hm_cell *cells, hm_err *err);
#endif
