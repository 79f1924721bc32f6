/* Under which key the slot of an imported verdict stands now. */
#ifndef HM_VERDICT_SLOTS_H
#define HM_VERDICT_SLOTS_H
#include "core/claim/rules.h"
#include "core/store/verdict_lines.h"

/* Sets the slot_key of those waiting verdicts (state HM_VERDICT_WAITS) that name it by an older
 * one; their ids and records stay. Inside a transaction, in which it only reads. In a.
 * Errors: those of the store. */
int hm_verdicts_to_slots_of_now(hm_store *s, const hm_rules *rules, hm_known_verdict *v, size_t n,
                                hm_arena *a, hm_err *err);
#endif
