/* Runs a SELECT of a user over hmirror's tables and functions, and allows nothing else.
 *
 * The tables are arrays in memory: no row is copied, and the dialect does not depend on the engine
 * that holds the facts. A statement reads the tables that it declared and calls functions of a list
 * (none depends on a clock, a random number or the machine). Limits on steps, memory and result
 * rows, counted the same on every machine, end it. Connections share tables and their indexes, so
 * statements can run in any number of threads. */
#ifndef HM_SANDBOX_H
#define HM_SANDBOX_H
#include "core/base/err.h"
#include "core/base/str.h"

/* A value. temporary: its text is valid only until the next one is read. */
typedef struct {
  enum { HM_CELL_NULL, HM_CELL_TEXT, HM_CELL_INT, HM_CELL_REAL } type;
  bool temporary;
  hm_str text;
  int64_t number;
  double real;
} hm_sandbox_cell;

static inline hm_sandbox_cell hm_sandbox_cell_int(int64_t n) {
  return (hm_sandbox_cell){ .type = HM_CELL_INT, .number = n };
}
/* NULL for an empty text. */
static inline hm_sandbox_cell hm_sandbox_cell_text(hm_str s) {
  return (hm_sandbox_cell){ .type = s.n ? HM_CELL_TEXT : HM_CELL_NULL, .text = s };
}

/* same: estimate for query plans of how many rows of a large table share a text; 0: a fixed part of
 * all rows; HM_SAME_NONE: the column has no index. TYPE: texts are compared by `fold`. */
enum { HM_SAME_NONE = -1 };
typedef struct {
  const char *name;
  enum { HM_COLUMN_TEXT, HM_COLUMN_TYPE, HM_COLUMN_NUMBER } holds;
  int same;
  bool of_now; /* its values depend on now */
} hm_sandbox_column;

typedef struct {
  const char *name;
  const hm_sandbox_column *columns;
  size_t n_columns;
  size_t n_rows;
  const void *ctx;
  /* Pure, from any thread. scratch: for texts that are temporary. */
  hm_sandbox_cell (*cell)(const void *ctx, size_t row, size_t column, hm_arena *scratch);
} hm_sandbox_table;

typedef struct {
  const char *name;
  int least, most; /* arguments; at most HM_SANDBOX_ARGS */
  bool of_now;
  hm_sandbox_cell (*run)(const void *ctx, const hm_sandbox_cell *args, int n, hm_arena *scratch);
} hm_sandbox_function;
enum { HM_SANDBOX_ARGS = 6 };

/* For tables that hold only the rows read so far. */
enum { HM_SANDBOX_ALL_ROWS = -1 };
typedef struct {
  void *ctx;
  /* Can rows be requested by the text of this column? */
  bool (*finds)(void *ctx, size_t table, size_t column);
  /* Does the table hold every row with this text in the column (HM_SANDBOX_ALL_ROWS: every row)? If
   * false, it notes the missing rows, and the result of this run is not final. */
  bool (*holds)(void *ctx, size_t table, int column, hm_str text);
} hm_sandbox_lookups;

/* Everything that statements may use. */
enum { HM_SANDBOX_TABLES = 32, HM_SANDBOX_COLUMNS = 63 };
typedef struct {
  const hm_sandbox_table *tables; /* of HM_SANDBOX_COLUMNS columns at most */
  size_t n_tables;                /* at most HM_SANDBOX_TABLES */
  const hm_sandbox_function *functions;
  size_t n_functions;
  const void *ctx;                                /* of the functions */
  hm_str (*fold)(hm_arena *scratch, hm_str type); /* types that fold alike are equal */
  const hm_sandbox_lookups *lookups;              /* NULL: the tables hold all their rows */
} hm_sandbox_world;

typedef struct hm_sandbox hm_sandbox;
/* Borrows from world, which must not change. Makes indexes at first use. */
hm_sandbox *hm_sandbox_new(const hm_sandbox_world *world);
void hm_sandbox_free(hm_sandbox *s);

typedef struct {
  const char *file;     /* name in messages, "rules/x.sql" */
  hm_str sql;           /* one SELECT; may have comments around it */
  uint32_t reads;       /* bit set of the tables that it declares */
  const hm_str *row;    /* :row, or NULL; if given, "(:row IS NULL OR x)" is compiled as "(x)" */
  int64_t steps, bytes; /* limits */
  size_t rows;
} hm_sandbox_query;

typedef struct {
  uint32_t reads;                            /* bit set of the tables that it names */
  uint64_t reads_columns[HM_SANDBOX_TABLES]; /* bit set of the columns, per table */
  bool reads_now, takes_row;
  const char **columns;
  size_t n_columns;
  hm_sandbox_cell *cells;
  size_t n_rows; /* n_columns for each row */
  int64_t steps;
} hm_sandbox_result;

/* Compiles the query and fills reads, reads_columns, reads_now, takes_row and columns, in a. Unless
 * `check` is set, runs it and fills the rest. The result depends only on the columns that it reads
 * and on the number of rows of its tables. Thread-safe. -1: err has file and line, why, and what to
 * do (HM_E_INPUT). */
int hm_sandbox_run(hm_sandbox *s, const hm_sandbox_query *q, bool check, hm_arena *a,
                   hm_sandbox_result *out, hm_err *err);
#endif
