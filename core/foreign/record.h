/* What a record is: its kind, the fields that it may have, and the place where it was read. The
 * import format and every file that is read as one become records (hmirror-facts(5)). */
#ifndef HM_RECORD_H
#define HM_RECORD_H
#include "core/base/err.h"
#include "core/base/json.h"

/* --- kinds and their fields ---------------------------------------------------------- */

typedef enum {
  HM_F_TEXT,
  HM_F_TIME,
  HM_F_CHOICE,
  HM_F_UNIT, /* a number from 0 to 1 */
  HM_F_SIGN, /* -1, 0, 1 */
  HM_F_BOOL,
  HM_F_STRINGS,    /* JSON array of strings */
  HM_F_OBJECT,     /* JSON object */
  HM_F_VALUE,      /* anything but an object; the next field is its HM_F_VALUE_KIND */
  HM_F_VALUE_KIND, /* a column without a key of its own */
  HM_F_SLOT_KEY,   /* JSON array of strings, at least one */
  /* Fields not stored in one column of the table: a project's aliases, a conflict's members, its
   * rule with the version. Their cells are JSON, or "rule/version". */
  HM_F_ALIASES,
  HM_F_MEMBERS,
  HM_F_RULE,
  HM_F_BOUND,  /* of a window: a time of core/base/time_text.h */
  HM_F_WINNERS /* a reference, or an array of several: hm_winners_parse */
} hm_field_type;

enum { HM_F_KEY = 1, HM_F_REQUIRED = 2 };
#define HM_MAX_FIELDS 24

typedef struct {
  const char *key;    /* in JSON; NULL: none */
  const char *column; /* NULL: not stored in one column */
  hm_field_type type;
  int flags;
  const char *dflt;           /* as in schema.sql; NULL: the default is NULL */
  const char *const *choices; /* of HM_F_CHOICE; ends with NULL */
  int since;                  /* first store version with the column; 0: all */
} hm_record_field;

typedef struct {
  const char *name, *table;
  char letter; /* first letter of a generated id; 0: id is required or there is none */
  int n;
  const hm_record_field *fields;
  int since; /* first store version with the table; 0: all */
} hm_kind;

typedef enum {
  HM_K_PROJECT,
  HM_K_MEMORY,
  HM_K_ENTITY,
  HM_K_STATE,
  HM_K_RELATION,
  HM_K_LINK,
  HM_K_CONFLICT,
  HM_K_ACKNOWLEDGEMENT,
  HM_K_FLAG,
  HM_K_PROPOSAL,
  HM_K_EVIDENCE,
  HM_N_KINDS
} hm_kind_index;
extern const hm_kind hm_kinds[HM_N_KINDS]; /* in the order of an export */

/* Are its records statements that somebody made at a time and nothing changes later? */
bool hm_kind_is_statement(hm_kind_index k);
/* HM_N_KINDS: unknown. */
hm_kind_index hm_kind_find(hm_str name);
/* The kind and *id of a reference "kind:id"; HM_N_KINDS if it names no kind of record with an
 * id. */
hm_kind_index hm_kind_parse_ref(hm_str ref, hm_str *id);
/* Index of the field with this key, or of this column, or -1. */
int hm_field_of_key(const hm_kind *k, hm_str key);
int hm_field_of_column(const hm_kind *k, const char *column);

/* --- where a record stands ------------------------------------------------------------ */

/* The place that messages name: FILE:LINE, or only name if number is 0. text: the line, for
 * FILE:LINE:COLUMN if err->at is set. of_table: err->at is a column of a table. */
typedef struct {
  const char *name;
  int64_t number;
  hm_str text;
  bool of_table;
  const struct hm_store *store; /* a bound may name one of its eras (hm_store_source) alone */
  hm_err *err;
} hm_record_place;

/* Prefixes the error with FILE:LINE or FILE:LINE:COLUMN (in characters, from 1), and the field if
 * not empty (which may quote a fact). Returns -1. */
int hm_record_error(const hm_record_place *p, hm_str field);
/* An error of this record. */
int hm_record_bad(const hm_record_place *p, const char *field, const char *why, const char *fix);

/* Called for each record in a line of another format, as the object of its JSON line, valid during
 * the call; `at` of a member is its column. NULL: the record is bad, see place->err. A non-zero
 * return ends the stream. */
typedef int hm_record_each(void *ctx, const hm_json *record);
#endif
