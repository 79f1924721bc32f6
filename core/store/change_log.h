/* The change log for later readers, and the queue of rows that wait for a judge.
 *
 * The change log is the table `changes` of schema.sql, with a line for each row that any program
 * added, changed or deleted. schema.sql says what a line means and when a stamp holds.
 *
 * hmirror runs no trigger of a file, so it writes its own lines. Past HM_LOG_LINES_MAX lines in one
 * transaction it writes one line, "anything may have changed", and stops: after an import of many
 * rows a reader reads the whole store anyway. All calls need an open transaction; calls that add or
 * remove lines need a write transaction. */
#ifndef HM_CHANGE_LOG_H
#define HM_CHANGE_LOG_H
#include "core/store/row.h"
#include "core/store/store.h"

enum { HM_LOG_LINES_MAX = 10000 };

/* What the id of a line names. The file stores these numbers. */
typedef enum {
  HM_LOG_ALL = 0,            /* no id: anything may have changed */
  HM_LOG_MEMORY = HM_MEMORY, /* a row's id; likewise the other layers */
  HM_LOG_ENTITY = HM_ENTITY,
  HM_LOG_STATE = HM_STATE,
  HM_LOG_RELATION = HM_RELATION,
  HM_LOG_PROJECT = 5,       /* the project's id */
  HM_LOG_PROJECT_NAMES = 6, /* likewise; rows may belong to another project now */
  HM_LOG_LINK_END = 7,      /* an end of a link, as the link has it */
  HM_LOG_SLOT = 8           /* the slot key of a conflict that changed */
} hm_log_layer;

/* How far a reader has read: the last line that it read, and the schema's version then. */
typedef struct {
  int64_t seq, nonce, schema;
} hm_log_stamp;

/* Adds one line to the log. Does not keep id. */
int hm_log_add(hm_store *s, hm_log_layer layer, hm_str id, hm_err *err);
/* Adds the slot key of a conflict and the rows of its recorded members, since its verdict counts in
 * every slot where one of these rows has a claim. */
int hm_log_add_conflict(hm_store *s, hm_str id, hm_str slot_key, hm_err *err);
/* The stamp of a reader that has read everything. Adds a line if the log is empty. */
int hm_log_make_stamp(hm_store *s, hm_log_stamp *out, hm_err *err);
/* The same without writing; *there is false if the log is empty. */
int hm_log_read_stamp(hm_store *s, hm_log_stamp *out, bool *there, hm_err *err);
/* *holds: the lines after the stamp name all changes since, and none has layer HM_LOG_ALL. */
int hm_log_stamp_holds(hm_store *s, const hm_log_stamp *stamp, bool *holds, hm_err *err);
/* Removes old lines; keeps the last HM_LOG_LINES_MAX. */
int hm_log_prune(hm_store *s, hm_err *err);
/* Removes all lines, since they may hold a redacted text. Earlier stamps no longer hold. */
int hm_log_clear(hm_store *s, hm_err *err);

/* --- rows that wait for a judge, in the order in which they were written ---------------------- */

enum { HM_JUDGE_TRIES = 3 }; /* unreadable answers to a row before it leaves the queue */

typedef struct {
  int64_t seq;
  hm_str ref;
} hm_queued;
/* Appends the row "kind:id" if the store is judged (hm_store_source); else does nothing. Call
 * inside a write transaction. */
int hm_judge_queue_add(hm_store *s, hm_str ref, hm_err *err);
/* The number of rows that wait; 0 in a store before HM_STORE_JUDGE_VERSION. */
int hm_judge_queue_count(hm_store *s, int64_t *n, hm_err *err);
/* The first rows that wait, at most `max`, in a. */
int hm_judge_queue_read(hm_store *s, size_t max, hm_arena *a, hm_queued **out, size_t *n,
                        hm_err *err);
/* Removes a row from the queue, unless it was written again since. With failed, removes it only
 * after HM_JUDGE_TRIES tries. *left: it was removed. */
int hm_judge_queue_done(hm_store *s, const hm_queued *q, bool failed, bool *left, hm_err *err);
#endif
