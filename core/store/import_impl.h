/* What the files of the import share: the run, what a source said of a record, how a record
 * compares with that.
 *
 * Floors, lowest first: import_said.c, import_compare.c, import_record.c, import.c. */
#ifndef HM_IMPORT_IMPL_H
#define HM_IMPORT_IMPL_H
#include "core/store/import.h"
#include "core/store/records_impl.h"

/* One stream that is imported. */
typedef struct {
  hm_store *s;
  const hm_import_options *opt;
  hm_import_counts *counts;
  hm_arena *arena; /* of one line */
  bool is_late;    /* importing the lines that were put off to the end */
  hm_record_place place;
} hm_import_run;

/* Stores the record. *outcome: the count that it adds to. *put_off: it must wait for a later line;
 * nothing was stored. import_record.c */
int hm_import_record(hm_import_run *im, hm_record *r, bool *put_off, int64_t **outcome);
/* The same for a verdict. */
int hm_import_verdict(hm_import_run *im, const hm_json *json, int64_t **outcome);
/* The same for a world.yml. */
int hm_import_world_file(hm_import_run *im, const hm_json *json, int64_t **outcome);

/* --- other formats: import_format.c -------------------------------- */

enum { HM_IMPORT_HEAD = 4096 };
/* Guesses the format of a stream with an unreadable first line by its first HM_IMPORT_HEAD bytes,
 * else by the suffix of its name: "CSV", "a SQLite file"; and how to import it. False: unknown. */
bool hm_import_guess_format(hm_str name, hm_str head, const char **is, const char **way);

/* Called for each record in a line of another format, as the object of its JSON line, valid during
 * the call; `at` of a member is its column. NULL: the record is bad, see place->err. A non-zero
 * return ends the stream. */
typedef int hm_record_each(void *ctx, const hm_json *record);

/* --- lines of a knowledge graph: import_format.c -------------------------------------- */

/* Is it a line of the memory.jsonl of a memory server? */
bool hm_graph_is_line(hm_str text);
/* Calls each for its records; returns what `each` returned. text: valid UTF-8. */
int hm_graph_parse_line(hm_record_place *place, hm_str text, hm_record_each *each, void *ctx);

/* --- rows of a table: import_csv.c ------------------------------------------------ */

/* A stream of CSV with a header. The caller numbers the lines in place. */
typedef struct hm_csv hm_csv;
/* layer: from hm_csv_layer. Sets place->of_table. */
hm_csv *hm_csv_new(int layer, hm_record_place *place, hm_record_each *each, void *ctx);
void hm_csv_free(hm_csv *c);
/* Reads the next line: valid UTF-8, without line feed. -1: place->err is set, or `each` failed. */
int hm_csv_line(hm_csv *c, hm_str line);
/* Call after the last line. */
int hm_csv_end(hm_csv *c);

/* --- what sources said: import_said.c ------------------------------------------- */

typedef struct {
  uint32_t name;
  uint64_t digest;
} hm_said_field;

/* One source's statement; fields sorted by name. The source "" is the journal's last import before
 * the store recorded sources; it stands for every source without a statement since. */
typedef struct {
  hm_str source;
  hm_said_field *fields;
  size_t n;
} hm_source_said;

/* Markers in place of a digest: a redaction cleared the value; the source said null. */
enum { HM_SAID_CLEARED = 0, HM_SAID_NULL = 1 };

/* The name of field i, and of a member of its object. Members have the top bit, fields do not. */
uint32_t hm_said_name(const hm_kind *k, int i);
uint32_t hm_said_member_name(hm_str key);
bool hm_said_is_member(uint32_t name);

/* The digest of field i. For an object it only says that it is one; its members have their own. */
uint64_t hm_said_digest(const hm_kind *k, int i, const hm_cell *cells);
uint64_t hm_said_member_digest(const hm_json *v, hm_arena *a);

/* The statement's field of this name, or NULL. s may be NULL. */
const hm_said_field *hm_said_find(const hm_source_said *s, uint32_t name);
/* Sorts fields by name and removes duplicates. */
void hm_said_fields_sort(hm_source_said *s);

/* All statements about the record ref ("kind:id"), in a. */
int hm_said_load(hm_store *s, hm_str ref, hm_arena *a, hm_source_said **out, size_t *n,
                 hm_err *err);
/* Replaces the statement of its source. */
int hm_said_save(hm_store *s, hm_str ref, const hm_source_said *said, hm_arena *a, hm_err *err);

/* --- how a record compares: import_compare.c -------------------------------------- */

typedef struct {
  hm_source_said now; /* what the source says from now on */
  bool remember;      /* that differs from what was remembered */
  bool keeps_status;  /* its status differs from a verdict's */
  hm_import_kept_field *kept;
  size_t n_kept; /* in the arena of the call */
} hm_import_comparison;

/* Compares r, what opt->source says of the record ref, with earlier statements of that source, of
 * other sources and verdicts. before: the cells of its row if *known. Else before has the keys
 * only; if an imported row is gone, the journal's last line fills them and sets *known. Makes cells
 * of r that must not change absent, and an object what the row will hold. */
int hm_import_compare(hm_store *s, const hm_import_options *opt, hm_str ref, hm_record *r,
                      hm_cell *before, bool *known, hm_arena *a, hm_import_comparison *out,
                      hm_err *err);
#endif
