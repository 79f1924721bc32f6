/* Verdicts as lines for export and import, and the imported ones: table verdicts. Design section 5.
 *
 * A line has the decision on a conflict, by whom, when and why, and the conflict's rule, slot,
 * contested time and members with their values. Its id is a digest of the decision, so a verdict
 * that arrives twice is one verdict. `replaces` names the earlier verdicts on the same conflict.
 * The keys are those of a conflict's record. */
#ifndef HM_VERDICT_LINES_H
#define HM_VERDICT_LINES_H
#include <stdio.h>

#include "core/base/json.h"
#include "core/store/store.h"

typedef struct hm_verdict_line {
  hm_str id;                        /* "v" and 16 hex digits; hm_verdict_line_id */
  hm_str conflict;                  /* the id where it was decided */
  hm_str rule, slot_key;            /* "slot/1"; empty: only the conflict's id is known */
  hm_str window_from, window_until; /* as in hm_conflict_rec */
  hm_str status;                    /* resolved | dismissed | reopened */
  hm_str action, winner, winner_source, scope, notes, by,
      at; /* empty: not said; winner: hm_winners_parse */
  hm_member_rec *members;
  size_t n_members;
  hm_str *replaces;
  size_t n_replaces;                        /* ids, sorted */
  const struct hm_verdict_line *taken_back; /* of a reopened one: the decision that it took back,
                                             * without its slot and members; NULL: not known */
} hm_verdict_line;

/* The rule without its version: "slot/crowd" of "slot/crowd/1". */
hm_str hm_verdict_rule_name(hm_str rule);
/* "v" and 16 hex digits of the digest of rule, slot, what was decided, by whom, when and why. */
hm_str hm_verdict_line_id(const hm_verdict_line *v, hm_arena *a);
/* Appends the line as one compact JSON object: keys in a fixed order, without absent ones. */
void hm_verdict_line_json(hm_buf *b, const hm_verdict_line *v, hm_arena *a);
/* Reads such a line and computes its id. HM_E_INPUT with hm_err.field. *out borrows from v and
 * lives in a. */
int hm_verdict_line_parse(const hm_json *v, hm_arena *a, hm_verdict_line *out, hm_err *err);
/* Do its winners supersede other rows? */
bool hm_verdict_line_supersedes(const hm_verdict_line *v);
/* The first member in this row, or NULL. */
const hm_member_rec *hm_verdict_line_member(const hm_verdict_line *v, hm_str ref);
/* The value of one of its winners in normal form, from the line's members; empty: not known. */
hm_str hm_verdict_line_value(const hm_verdict_line *v, hm_str winner);
/* True if two verdicts decide the same outcome, whoever gave them. Winners are compared by
 * value. */
bool hm_verdict_lines_agree(const hm_verdict_line *x, const hm_verdict_line *y, hm_arena *a);

/* --- imported verdicts ------------------------------------------------ */

/* APPLIED: carried out once; stays so even if undone later. REPLACED: by a later one. */
typedef enum { HM_VERDICT_WAITS, HM_VERDICT_APPLIED, HM_VERDICT_REPLACED } hm_verdict_state;

typedef struct {
  hm_verdict_line line;
  hm_str record; /* the line's JSON */
  hm_verdict_state state;
  hm_str target;  /* the conflict in this store; empty: none yet */
  hm_str against; /* the local verdict (id) that this one met; empty: none */
  hm_str why;     /* why it waits, other than for the conflict to exist */
} hm_known_verdict;

/* Adds a verdict, inside a write transaction; journaled as an import of "verdict:ID". *added: it
 * was not known. */
int hm_store_add_verdict(hm_store *s, const hm_verdict_line *v, const hm_actor *who, hm_arena *a,
                         bool *added, hm_err *err);
/* All, by id, in a. None in a store of an older version. */
int hm_verdicts_all(hm_store *s, hm_arena *a, hm_known_verdict **out, size_t *n, hm_err *err);
/* *any: a verdict waits. */
int hm_verdicts_waiting(hm_store *s, bool *any, hm_err *err);
/* Writes state, target, against and why. */
int hm_verdicts_mark(hm_store *s, const hm_known_verdict *v, hm_err *err);

/* The decisions on a conflict in this store, oldest first, from the journal; without members. In
 * a. */
int hm_verdict_history(hm_store *s, hm_str conflict, hm_arena *a, hm_verdict_line **out, size_t *n,
                       hm_err *err);

/* All human decisions: the verdicts in force, one line each, and the waiting ones, sorted by slot,
 * contested time, conflict and id; then acknowledgements and flags (remarks.h) by id. The same
 * verdicts give the same bytes in every store. */
int hm_export_verdicts(hm_store *s, FILE *out, hm_err *err);
#endif
