/* Readers of files of other programs: lines in, records out. None of them knows a store. */
#ifndef HM_READERS_H
#define HM_READERS_H
#include <stdio.h>
#include "core/foreign/record.h"

#define HM_RECORD_MAX_LINE ((size_t)256 << 20)

/* --- formats by their first bytes: file_format.c ------------------------------------- */

enum { HM_FORMAT_HEAD = 4096 };
/* Guesses the format of a file that is not JSON Lines by its first HM_FORMAT_HEAD bytes, else by
 * the suffix of its name: "CSV", "a SQLite file"; and how to import it. False: unknown. */
bool hm_format_guess(hm_str name, hm_str head, const char **is, const char **way);
/* The way for the file at path ("-": standard input, and the way as it is), in a: a command that
 * works when it is pasted. */
hm_str hm_format_fill(hm_arena *a, const char *way, hm_str path);

typedef enum { HM_UTF_8, HM_LATIN_1, HM_WINDOWS_1252, HM_ENCODINGS } hm_encoding;
/* "utf-8", "latin1", "windows-1252". */
const char *hm_encoding_name(hm_encoding e);

/* --- lines: lines.c -------------------------------------------------------------------------- */

typedef struct {
  FILE *in;
  bool skips;     /* what is too much of a line is dropped, and the next line can be had */
  int64_t number; /* of the line that was read last, from 1 */
  bool too_long;  /* that line is longer than HM_RECORD_MAX_LINE: its text is cut there */
  char head[HM_FORMAT_HEAD];
  size_t n_head; /* how the stream begins */
  hm_buf line;
  size_t at, n;
  char chunk[1 << 16];
} hm_lines;

/* 1: *line is the next one, without its line break, and until the next call; 0: the end; -1: a
 * read failed, errno says why. */
int hm_lines_next(hm_lines *l, hm_str *line);
/* Converts the line to UTF-8, in b if it must be rewritten, and drops the stream's byte order mark.
 * Refuses invalid bytes instead of replacing them, since that would store a changed fact as if
 * somebody had said it. */
int hm_line_decode(const hm_record_place *p, hm_encoding encoding, hm_str *line, hm_buf *b);

/* --- a JSON document: json_document.c ---------------------------------------------------- */

/* A value in the list of this name (empty: of the document itself), the n-th of all. text: as it is
 * written, until the call returns. A non-zero return ends the document. */
typedef int hm_json_element(void *ctx, hm_str list, hm_str text, int64_t n);
/* Calls each for the elements of a list, or of the lists of an object. The caller numbers the lines
 * in place. */
typedef struct hm_json_document hm_json_document;
hm_json_document *hm_json_document_new(hm_record_place *place, hm_json_element *each, void *ctx);
void hm_json_document_free(hm_json_document *d);
/* Reads the next line: valid UTF-8, without line feed. -1: place->err is set, or `each` failed. */
int hm_json_document_line(hm_json_document *d, hm_str line);
/* Call after the last line. */
int hm_json_document_end(hm_json_document *d);
/* How many elements it had so far. */
int64_t hm_json_document_count(const hm_json_document *d);
/* Does a stream with this first line, which begins so, hold one document, and not an object a line?
 */
bool hm_json_begins_document(hm_str line, hm_str head);
/* What stands behind this member of an object, to the end of the text; empty: it has none, or is no
 * object. */
hm_str hm_json_peek(hm_str object, const char *key);

/* --- records of programs that are known: memory_graph.c, mem0.c, beads.c --------------------- */

/* Is it an entity or a relation of the memory.jsonl of a memory server? */
bool hm_graph_is_line(hm_str text);
/* Calls each for its records; returns what `each` returned. text: valid UTF-8. list: the list that
 * it stands in, "entities" or "relations", else its type says which it is. */
int hm_graph_parse_line(hm_record_place *place, hm_str text, hm_str list, hm_record_each *each,
                        void *ctx);
/* The same for a memory of mem0. */
bool hm_mem0_is_line(hm_str text);
int hm_mem0_parse_line(hm_record_place *place, hm_str text, hm_record_each *each, void *ctx);
/* The same for an issue of beads. */
bool hm_beads_is_line(hm_str text);
int hm_beads_parse_line(hm_record_place *place, hm_str text, hm_record_each *each, void *ctx);

/* --- rows of a table: csv.c --------------------------------------------------------------- */

/* The number by which hm_csv_new knows this layer: memory, entity, project_state, relation,
 * project, or the name of its table. HM_E_USAGE: no such layer. */
int hm_csv_layer(const char *name, int *layer, hm_err *err);

/* A stream of CSV with a header. The caller numbers the lines in place. */
typedef struct hm_csv hm_csv;
/* layer: from hm_csv_layer, or HM_CSV_CELLS: each row is an object of its cells by the names of the
 * header, and a column without a name is called column_N. Sets place->of_table. */
enum { HM_CSV_CELLS = -1 };
hm_csv *hm_csv_new(int layer, hm_record_place *place, hm_record_each *each, void *ctx);
void hm_csv_free(hm_csv *c);
/* Reads the next line: valid UTF-8, without line feed. -1: place->err is set, or `each` failed. */
int hm_csv_line(hm_csv *c, hm_str line);
/* Call after the last line. */
int hm_csv_end(hm_csv *c);

/* --- rows of any file: file_rows.c --------------------------------------------------------- */

/* A row of the list of this name (empty: of the file itself), valid during the call. A non-zero
 * return ends the file. */
typedef int hm_file_row(void *ctx, hm_str list, const hm_json *row);
/* Calls each for the rows of a file of CSV, JSON Lines or JSON: the elements of its list, or of the
 * lists of its object. An element that is no object is the one cell `content` of its row. Sets
 * place->number. -1: place->err says what and where. */
int hm_file_rows_read(FILE *in, hm_record_place *place, hm_encoding encoding, hm_file_row *each,
                      void *ctx);
/* What a file is by its first row: records that an import takes as they are, rows that want a map
 * (also a file of a kind that has none, which reading it tells), JSON whose first row cannot be
 * read, or none of these. */
typedef enum { HM_FILE_OTHER, HM_FILE_RECORDS, HM_FILE_ROWS, HM_FILE_BROKEN } hm_file_rows_is;
hm_file_rows_is hm_file_rows_kind(FILE *in, const char *name);
#endif
