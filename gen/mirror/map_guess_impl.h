/* Shared by the files of map_guess: which columns of a table have which role. */
#ifndef HM_MAP_GUESS_IMPL_H
#define HM_MAP_GUESS_IMPL_H
#include "gen/mirror/config.h"

typedef enum {
  R_ID,
  R_CONTENT,
  R_TYPE,
  R_PROJECT,
  R_SUBJECT,
  R_STATUS,
  R_LIVE,
  R_GONE,
  R_GONE_AT,
  R_CREATED,
  R_UPDATED,
  R_BEGIN,
  R_END,
  R_SUCCESSOR,
  R_CONFIDENCE,
  R_AGENT,
  R_NAME,
  R_KEY,
  R_VALUE,
  R_UNIT,
  R_FROM,
  R_TO,
  R_RELATION,
  R_DESCRIPTION,
  R_PROPERTIES,
  R_SOURCE,
  R_TAGS,
  N_ROLES
} hm_role;

/* Indexes of layers. */
enum { MEMORIES, ENTITIES, STATE, RELATIONS, PROJECTS };

typedef struct {
  hm_role role;
  const char *ours;
} field;
enum { FIELDS_MAX = 16, WORDS_MAX = 24 };

/* A layer, the roles that a table of it must have, and words in the names of its tables. */
typedef struct {
  const char *layer;
  hm_role needed[2];
  bool by_name; /* only a table whose name has such a word */
  field fields[FIELDS_MAX];
  const char *words[WORDS_MAX];
} hm_guess_shape;
extern const hm_guess_shape hm_guess_shapes[HM_GUESS_LAYERS];

/* A table as one layer. */
typedef struct {
  const hm_foreign_table *table;
  hm_str words; /* what the table is called: its name, or that of the file */
  const hm_foreign_column *columns[N_ROLES]; /* the column with the role, or NULL */
  int layer;                                 /* -1: none */
  int score;
} hm_guess_reading;

/* Reads the table as the layer that it fits best. rows: as of hm_guess_store_map. */
hm_guess_reading hm_guess_table_layer(const hm_foreign_table *t, hm_str rows, hm_arena *a);
/* The same for a table whose columns have no names that say anything: its only column of prose is
 * the text of memories. */
hm_guess_reading hm_guess_table_prose(const hm_foreign_table *t, hm_str rows, hm_arena *a);
/* False for a view, a log, a matrix and the like. */
bool hm_guess_may_hold_facts(const hm_foreign_table *t, hm_str rows, hm_arena *a);
/* The columns of a matrix, each an environment, and *key, the column that names the settings;
 * returns how many. Fewer than two: it is none. */
size_t hm_guess_matrix(const hm_foreign_table *t, const hm_foreign_column **key,
                       const hm_foreign_column **out, size_t most);
/* True when the column has a role. */
bool hm_guess_column_has_role(const hm_guess_reading *r, const hm_foreign_column *c);
/* True when a column that says when, by its name or its values, has no role. */
bool hm_guess_is_unread_time(const hm_guess_reading *r, const hm_foreign_column *c);
/* "created_at", "createdAt" and "CREATED-AT" are one name; z: without separators. */
bool hm_column_name_matches(hm_str name, const char *z);
/* True when the name has one of the words (n of them, or up to NULL). */
bool hm_column_name_has_word(hm_str name, const char *const *words, size_t n);
/* True for a name that can stand in a line of YAML and SQL. */
bool hm_column_name_is_writable(hm_str name, hm_arena *a);
bool hm_column_is_blob(const hm_foreign_column *c); /* it is known to hold BLOBs */

/* --- names and lists in SQL and YAML: map_guess_sql.c ----------------------------------------- */

void hm_map_put_name(hm_buf *b, hm_str name); /* a name of SQL, quoted unless it is plain */
void hm_map_put_yaml_name(hm_buf *b, hm_str name);
/* Items that are written one after another, in lines that begin with `indent`. */
typedef struct {
  hm_buf *b;
  const char *indent;
  size_t line;
  bool any;
} hm_map_items;
void hm_map_put_item(hm_map_items *i, hm_str item);
#endif
