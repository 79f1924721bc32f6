/* Reads rows from the mirror's data files (gen/page/data.c writes them), and joins a project's data
 * files before and after to pairs of rows. Pure. */
#ifndef HM_FACT_H
#define HM_FACT_H
#include "core/claim/claim.h"

/* A shown field of a row. */
typedef struct {
  hm_str name;   /* "content", "value", a property's; else the page's word for it: "Source" */
  hm_str value;  /* as a reader of the page sees it */
  hm_str whole;  /* path of the whole value when it was cut, or empty */
  hm_str refers; /* the name of the entity that it refers to, or empty */
  bool own;      /* a field of the row; else something known about it */
} hm_fact_field;

typedef struct {
  hm_str ref; /* "entity:p05-e14" */
  hm_str key; /* unique: ref, or for a cut id the path of the whole id */
  hm_layer layer;
  hm_str folder; /* of its project */
  hm_str id, type;
  hm_str name;     /* entity: its name; state: its key; relation: "Leg PART_OF Frame" */
  hm_str status;   /* "active" unless the line has another */
  hm_str from, to; /* relation: references, or as written */
  hm_str by;       /* reference or name of what superseded it or it graduated to, or empty */
  hm_fact_field *shown;
  size_t n;
  hm_str rest; /* path of all properties when not all are shown, or empty */
} hm_fact;

/* Parses a line, into a. Returns false when it is no row: broken, the first line, an unknown
 * kind. */
bool hm_fact_parse_line(hm_str line, hm_str folder, hm_arena *a, hm_fact *out);
/* True when the line is that of an active row; does not parse it. */
bool hm_fact_line_is_active(hm_str line);
/* The field shown under this name (own or not), or NULL. */
const hm_fact_field *hm_fact_find_field(const hm_fact *f, hm_str name, bool own);
/* The same for many look-ups in one fact: uses a map, in a, when the fact shows many fields. */
typedef struct {
  const hm_fact *fact;
  bool mapped;
  hm_map by_name[2];
} hm_fact_index;
void hm_fact_index_init(const hm_fact *f, hm_arena *a, hm_fact_index *out);
const hm_fact_field *hm_fact_index_find_field(const hm_fact_index *x, hm_str name, bool own);

/* A claim of a mirror's row, by the rules of a sweep, made from what pages show of the row. */
typedef struct {
  hm_str field;  /* as hm_fact_field.name */
  hm_str key;    /* of the slot, as in conflicts */
  hm_str called; /* as in hm_event */
  hm_str value;  /* as shown; of a memory the part that is the value, of a relation its name */
} hm_fact_claim;

typedef struct {
  hm_fact_claim *v;
  size_t n;
} hm_fact_claims;

/* project(ctx, folder): the id of the project with this folder. */
typedef struct {
  hm_str (*project)(void *ctx, hm_str folder);
  void *ctx;
} hm_folders;

/* Sets out[i] to the claims of facts[i], or to those that it would have if it were active; in a. A
 * fact may occur in several versions. Names of entities that a property refers to are those shown
 * beside it. Assumes that the ends of a relation have the types for which its kind claims. */
int hm_fact_build_claims(const hm_fact *const *facts, size_t n, const hm_folders *folders,
                         const hm_rules *rules, hm_arena *a, hm_fact_claims **out, hm_err *err);

/* --- pairs of rows ---------------------------------------------------------------------------- */

/* A line that both sides have, in any of the project's files, is the same row and gives no pair;
 * other lines are joined by their ids. Order of calls: init; for each project add both sides, then
 * join; free. */

/* "p05" of "projects/p05/state.md" and of "data/p05/state.jsonl"; empty for other paths. */
hm_str hm_project_folder(hm_str path);
/* True when `other` is below the same project folder as path, in the same of "projects/" and
 * "data/". */
bool hm_same_project_folder(hm_str path, hm_str other);
/* True for the path of a data file of rows. */
bool hm_is_data_file(hm_str path);

/* A row before and after; NULL on the side that lacks it, never both NULL. */
typedef struct {
  const hm_fact *before, *after;
} hm_fact_pair;

typedef struct {
  hm_str *v;
  size_t n, cap;
} hm_data_lines;

typedef struct {
  hm_arena *a;
  hm_fact_pair *rows;
  size_t n, cap; /* the rows that differ */
  hm_map by_key;
  hm_data_lines before, after; /* of the current project */
  size_t active;               /* number of active rows on the side `after` */
} hm_data_rows;

/* Pairs and texts live in a; the arrays until free. */
void hm_data_rows_init(hm_data_rows *d, hm_arena *a);
void hm_data_rows_free(hm_data_rows *d);
/* Sets *rows to the rows of a data file, without its first line, a slice of bytes. Returns false
 * when bytes are no data file or have a newer format. Empty bytes are an empty file. */
bool hm_data_file_find_rows(hm_str bytes, hm_str *rows);
/* Finds the next line from *at that is not empty; returns false when there is none. */
bool hm_data_next_line(hm_str s, size_t *at, hm_str *line);
/* Adds the lines of a file (from hm_data_file_find_rows), which must live until join. */
void hm_data_rows_add(hm_data_rows *d, hm_str rows, bool after);
/* Joins the added lines, which must be all of the project with this folder, and drops them. */
void hm_data_rows_join(hm_data_rows *d, hm_str folder);
#endif
