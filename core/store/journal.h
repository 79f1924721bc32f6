/* The journal: who changed what, and when. Append-only. Design section 4.
 *
 * Each line's hash is SHA-256 over the hash of the line before (64 hex digits,
 * none for the first), seq in decimal, at, actor, verb, ref, before, after, why and
 * 16 random bytes, its salt, each with its length, as 64 hex digits. (A line from before version 9
 * has no salt; one without a salt and a reason is hashed without these.) A line that is
 * changed, removed from the middle or put in later no longer fits; that none was removed
 * from the end, and not all made anew, whoever noted a hash can tell (journal_proof.h).
 *
 * A redacted line keeps its hash and loses its salt: the chain stands, and nobody can guess from
 * the hash what the line said. A line of the journal says which lines were redacted. */
#ifndef HM_JOURNAL_H
#define HM_JOURNAL_H
#include "core/store/store.h"

/* Appends a line, inside the open write transaction. ref: "kind:id"; before,
 * after: the record as export writes it, or empty when there was, or is, none. */
int hm_journal_add(hm_store *s, const hm_actor *who, const char *verb, hm_str ref, hm_str before,
                   hm_str after, hm_err *err);
/* The record that ref ("kind:id", kind as in an export, no link) names, as
 * export writes it, in a; empty when there is none. */
int hm_journal_record(hm_store *s, hm_str ref, hm_arena *a, hm_str *json, hm_err *err);
/* Checks the chain from its first line. *lines: how many there are; *bad: seq
 * of the first line that does not fit and was not redacted, 0 when there is none. -1 only when the
 * store cannot be read. */
int hm_journal_verify(hm_store *s, int64_t *lines, int64_t *bad, hm_err *err);

/* The texts of a line. */
typedef struct { int64_t seq; hm_str ref, before, after, why, actor; } hm_journal_line;
/* Shows each line of this row, oldest first, without why; each: 0 goes on, -1 with err filled. *l
 * lives until it returns. */
int hm_journal_of(hm_store *s, hm_str ref,
                  int (*each)(void *ctx, const hm_journal_line *l, hm_err *err), void *ctx,
                  hm_err *err);
/* *yes: a line of this row has this verb. */
int hm_journal_has(hm_store *s, hm_str ref, const char *verb, bool *yes, hm_err *err);
typedef struct {
  int64_t broken;   /* the first line that did not fit its chain before, or 0 */
  int64_t rehashed; /* from this line on hashes were made anew, since it had no salt and no commit
                       can have seen them; or 0 */
} hm_journal_rewritten;
/* For hm_redact_journal alone, inside its write transaction: shows each line to `edit`, oldest
 * first, which returns 1 when it changed the texts (in a, which lives until it returns), 0 when
 * not, -1 with err filled. Then adds a line by `who` that names the lines which keep their hash;
 * one that did not fit before is none of them, so it goes on being found. */
int hm_journal_rewrite(hm_store *s,
                       int (*edit)(void *ctx, hm_journal_line *l, hm_arena *a, hm_err *err),
                       void *ctx, const hm_actor *who, hm_journal_rewritten *out, hm_err *err);
#endif
