/* Where a store stands, and what was done to it since it stood elsewhere. Not for other folders.
 *
 * Every transaction that writes adds one to a counter in the file's header, whoever makes it; and one of ours leaves lines
 * in the journal, or a sweep's run. So when as many commits can be told by what they left as the counter counts, they all
 * are ours, and the journal names every row that they changed. What other programs write leaves no trace: then nobody can say.
 *
 * A copy that lived elsewhere may be put back over the file, with a counter that fits by chance. SQLite's own restore takes a new number for the
 * schema; and a sweep of the copy has another time than the one of that number here. */
#ifndef HM_TRACE_H
#define HM_TRACE_H
#include "core/store/claim_index.h"

typedef struct {
  bool known;              /* false: this store cannot be traced */
  uint64_t device, file;
  uint64_t written;        /* digest of the file's size and of when it was last changed */
  uint32_t commits;        /* the header's counter, which wraps around */
  int64_t schema;          /* the header's number of the schema, which is another one after each change of it */
  int64_t seq, run;        /* the last line of the journal, the last sweep */
  char hash[65];           /* of that line */
  uint64_t begun;          /* digest of when that sweep began */
} hm_trace;

/* Where s stands, inside a transaction that has not written yet. Not known: a foreign store, a WAL (whose commits are not
 * counted), a file that was moved away. */
int hm_trace_read(hm_store *s, hm_trace *out, hm_err *err);
/* The same place: nothing at all was written. */
bool hm_trace_same(const hm_trace *a, const hm_trace *b);
/* There was one commit in between, which left a sweep's run and no line in the journal. */
bool hm_trace_one_run_on(const hm_trace *was, const hm_trace *now);
/* What was changed; some of it perhaps twice. */
typedef struct { hm_row_keys rows, conflicts; } hm_trace_changes;   /* of conflicts, the layer says nothing */
/* *told: it is known which rows and conflicts were changed since `was`; ids in a, lists to be freed. At most max rows. Not told: other programs
 * wrote, or what was done is not about these alone. now: of hm_trace_read in the same transaction. */
int hm_trace_told(hm_store *s, const hm_trace *was, const hm_trace *now, size_t max, hm_arena *a, hm_trace_changes *out, bool *told, hm_err *err);
#endif
