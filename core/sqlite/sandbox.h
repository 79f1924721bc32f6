/* Runs a SELECT of a user over hmirror's tables and functions, and allows nothing else.
 *
 * The tables live in a database in memory that holds only row numbers; a column is computed when it
 * is read. So no row is copied, no statement touches the store, and the dialect does not depend on
 * the engine that holds the facts. A statement reads the tables that it declared and calls
 * functions of a list (none depends on a clock, a random number or the machine). Limits on steps,
 * memory and result rows, counted the same on every machine, end it. */
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

/* TYPE: texts are compared by `fold`. indexed: statements may look rows up by it. */
typedef struct {
  const char *name;
  enum { HM_COLUMN_TEXT, HM_COLUMN_TYPE, HM_COLUMN_NUMBER } holds;
  bool indexed;
  int code; /* what the column is, to the table's cell */
} hm_sandbox_column;

typedef struct {
  const char *name;
  const hm_sandbox_column *columns;
  size_t n_columns;
  size_t n_rows;
  const void *ctx;
  /* Pure. scratch: for texts that are temporary. */
  hm_sandbox_cell (*cell)(const void *ctx, size_t row, int code, hm_arena *scratch);
} hm_sandbox_table;

typedef struct {
  const char *name;
  int least, most; /* arguments; at most HM_SANDBOX_ARGS */
  hm_sandbox_cell (*run)(const void *ctx, const hm_sandbox_cell *args, int n, hm_arena *scratch);
} hm_sandbox_function;
enum { HM_SANDBOX_ARGS = 6 };

/* Everything that statements may use. */
enum { HM_SANDBOX_TABLES = 32, HM_SANDBOX_COLUMNS = 63 };
typedef struct {
  const hm_sandbox_table *tables; /* of HM_SANDBOX_COLUMNS columns at most */
  size_t n_tables;                /* at most HM_SANDBOX_TABLES */
  const hm_sandbox_function *functions;
  size_t n_functions;
  const void *ctx;                                /* of the functions */
  hm_str (*fold)(hm_arena *scratch, hm_str type); /* types that fold alike are equal */
} hm_sandbox_world;

typedef struct hm_sandbox hm_sandbox;
/* Borrows from world, which must not change. */
hm_sandbox *hm_sandbox_new(const hm_sandbox_world *world);
void hm_sandbox_free(hm_sandbox *s);

typedef struct {
  const char *file;     /* name in messages, "rules/x.sql" */
  hm_str sql;           /* one SELECT; may have comments around it, and :row, which is NULL */
  uint32_t reads;       /* bit set of the tables that it declares */
  int64_t steps, bytes; /* limits */
  size_t rows;
} hm_sandbox_query;

typedef struct {
  uint32_t reads; /* bit set of the tables that it names */
  const char **columns;
  size_t n_columns;
  hm_sandbox_cell *cells;
  size_t n_rows; /* n_columns for each row */
  int64_t steps;
} hm_sandbox_result;

/* Compiles the query and fills reads and columns, in a. Unless `check` is set, runs it and fills
 * the rest. -1: err has file and line, why, and what to do (HM_E_INPUT). */
int hm_sandbox_run(hm_sandbox *s, const hm_sandbox_query *q, bool check, hm_arena *a,
                   hm_sandbox_result *out, hm_err *err);
#endif
