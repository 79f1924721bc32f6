/* The journal: what was changed, when, by whom. Append-only. Design section 4.
 *
 * Each line's hash is SHA-256 over the hash of the line before (64 hex digits,
 * none for the first), seq in decimal, at, actor, verb, ref, before, after and,
 * where there is one, why, each with its length, as 64 hex digits. A line that is
 * changed, removed from the middle or put in later no longer fits. */
#ifndef HM_JOURNAL_H
#define HM_JOURNAL_H
#include "core/store/store.h"

/* Appends a line, inside the open write transaction. ref: "kind:id"; before,
 * after: the record as export writes it, or empty when there was, or is, none. */
int hm_journal_add(hm_store *s, const hm_actor *who, const char *verb, hm_str ref, hm_str before, hm_str after, hm_err *err);
/* The record that ref ("kind:id", kind as in an export, no link) names, as
 * export writes it, in a; empty when there is none. */
int hm_journal_record(hm_store *s, hm_str ref, hm_arena *a, hm_str *json, hm_err *err);
/* Checks the chain from its first line. *lines: how many there are; *bad: seq
 * of the first line that does not fit, 0 when all do. -1 only when the store
 * cannot be read. */
int hm_journal_verify(hm_store *s, int64_t *lines, int64_t *bad, hm_err *err);
#endif
