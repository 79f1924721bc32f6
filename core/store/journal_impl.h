/* Between journal.c and journal_proof.c: lines as they stand, their hashes, and which of them
 * redactions name. */
#ifndef HM_JOURNAL_IMPL_H
#define HM_JOURNAL_IMPL_H
#include "core/store/journal.h"
#include "core/store/sql_impl.h"

enum { HM_SALT_BYTES = 16 };

typedef struct {
  int64_t seq;
  hm_str at, actor, verb, ref, before, after, why, salt, hash;
} hm_journal_row;

/* The reference of lines that say which lines a redaction rewrote, as JSON: [[3,3],[7,9]]. */
#define HM_JOURNAL_LINES_REF "journal:lines"
/* What the reference of the line begins with that names the store. */
#define HM_JOURNAL_STORE_REF "store:"

/* The hash of l behind the hash prev, as 64 hex digits. */
void hm_journal_hash(hm_str prev, const hm_journal_row *l, char out[65]);
/* Fresh random bytes. HM_E_STORE: the system gives none. */
int hm_journal_random(hm_store *s, unsigned char *out, size_t n, hm_err *err);
/* All lines, oldest first, also of a store of an older version. */
int hm_journal_rows(hm_store *s, hm_stmt **out, hm_err *err);
/* The statement's row; texts live until the next step, or in a. */
hm_journal_row hm_journal_row_read(hm_stmt *st, hm_arena *a);
/* Writes texts, salt and hash of the line with this number. */
int hm_journal_row_write(hm_store *s, const hm_journal_row *l, hm_err *err);

/* A range of lines that a line of the journal, `by`, says were redacted. */
typedef struct { int64_t from, to, by; hm_str at, actor, why; } hm_journal_mark;
/* All of them, in the order of the journal, in a. */
int hm_journal_marks(hm_store *s, hm_arena *a, hm_journal_mark **out, size_t *n, hm_err *err);
bool hm_journal_marked(const hm_journal_mark *m, size_t n, int64_t seq);
/* The id that the journal gives its store, in a; empty: none. */
int hm_journal_store(hm_store *s, hm_arena *a, hm_str *id, hm_err *err);
#endif
