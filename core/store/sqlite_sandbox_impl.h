/* Shared by the two files of the sandbox. */
#ifndef HM_SQLITE_SANDBOX_IMPL_H
#define HM_SQLITE_SANDBOX_IMPL_H
#include <pthread.h>
#include <stdatomic.h>

#include "core/store/sandbox.h"
#include "core/store/sqlite_impl.h"

/* Rows of a table by the text of a column: those of value v are rows[first[v]] up to, not
 * including, rows[first[v + 1]], ascending. */
typedef struct {
  atomic_bool ready;    /* the index is built; read without the lock */
  pthread_mutex_t lock; /* held while it is built */
  hm_arena *a;
  hm_map values;
  uint32_t *first, *rows;
} hm_sandbox_index;

struct hm_sandbox {
  const hm_sandbox_world *world;
  hm_sandbox_index *indexes; /* of all columns of all tables */
  size_t n_indexes, first_index[HM_SANDBOX_TABLES];
};

/* One statement that runs. */
typedef struct hm_sandbox_run_state {
  hm_sandbox *s;
  const hm_sandbox_query *q;
  hm_arena *scratch;
  int64_t steps;
  int64_t until; /* nanoseconds of processor time of this thread */
  uint32_t reads;
  uint64_t reads_columns[HM_SANDBOX_TABLES];
  bool reads_now;
  bool declares;     /* SQLite is reading the declaration of a table */
  const char *over;  /* the limit that was passed */
  char refused[160]; /* what the authorizer refused */
} hm_sandbox_state;

/* Longer texts are cut, since a fact must not make a rule fail. HM_SANDBOX_BYTES_A_STEP bytes read
 * or made count as a step. */
enum { HM_SANDBOX_TEXT = 1 << 18, HM_SANDBOX_BYTES_A_STEP = 64 };

/* Notes that the statement reads this column. SQLite's authorizer reports the columns that the text
 * names; the query plan also those that a NATURAL JOIN compares. */
void hm_sandbox_note_column(hm_sandbox_state *st, size_t table, int column);
void hm_sandbox_result_cell(sqlite3_context *ctx, const hm_sandbox_cell *c);
/* Registers all tables with a connection. Returns 0 or SQLite's code. */
int hm_sandbox_add_tables(sqlite3 *db, hm_sandbox_state *state);
#endif
