/* What a person decides about a conflict or a row. Specification, "API shape" and "Supersession as a conflict resolution
 * tool"; design section 7. Nothing here is ever called by the program on its own account.
 *
 * Each call is one BEGIN IMMEDIATE transaction: all of the verdict is stored, or none. Inside a transaction for writing that the
 * caller has open it takes part in that one and does not end it, so that a dry run can look at the store before and
 * after. Every change is a line of the journal with who, when and why; then the detector looks at the slots that the
 * changed rows claim or claimed (touch.h).
 *
 * Errors of all: HM_E_UNKNOWN: no such conflict or row; HM_E_STATE: it is not in the state for this; then why says what
 * the verdict was, by whom and when; HM_E_INPUT with hm_err.field: what was asked for; HM_E_BUSY, HM_E_STORE. */
#ifndef HM_REVIEW_VERDICT_H
#define HM_REVIEW_VERDICT_H
#include "core/base/arena.h"
#include "core/review/review.h"

typedef enum { HM_NO_ACTION, HM_SUPERSEDE_OTHERS } hm_action;

enum { HM_NOTES_MAX = 64 * 1024 };   /* bytes of notes or a reason; they are trimmed */

typedef struct { hm_str ref, before, after; } hm_row_change;      /* "entity:e2", "active", "superseded by entity:e1" */
typedef struct { hm_str ref, why; } hm_row_left;                  /* a member that is not changed, and why in words */
/* What a superseded row says in other slots and will say no more. alone: no row that stays active says the same there. */
typedef struct { hm_str ref, slot, value; bool alone; } hm_withdrawal;
/* Another row, of any status, that says a value that loses: in the conflict's slot, or (elsewhere) in a slot of the project
 * whose name ends in the same word. */
typedef struct { hm_str ref, status, slot, value; bool elsewhere; } hm_assertion;
typedef struct { hm_str page, conflict; bool gained; } hm_marker_change;   /* page: path of its Markdown */

/* All that a verdict did, or would do. Texts and arrays in the arena of the call. */
typedef struct {
  const char *verb;              /* resolve | dismiss | reopen | supersede | restore */
  bool dry_run;
  hm_str conflict, slot_key;     /* empty for supersede and restore */
  hm_str status;                 /* of the conflict, after */
  hm_str by, at, notes;
  hm_str winner, action;         /* of a resolve; else empty */
  hm_row_change *changes; size_t n_changes;
  hm_row_left *left; size_t n_left;
  hm_str *opened; size_t n_opened;        /* conflicts that the changes open: rows still, or again, disagree */
  hm_str *revived; size_t n_revived;      /* open conflicts that awaited sign-off and are disputed again */
  hm_str *quieted; size_t n_quieted;      /* other open conflicts that were disputed and now await sign-off */
  hm_str *restorable; size_t n_restorable;   /* of a reopen: rows that the verdict superseded and that are so still */
  /* Only of a dry run: */
  hm_withdrawal *withdrawn; size_t n_withdrawn;
  hm_assertion *others; size_t n_others;
  hm_marker_change *markers; size_t n_markers;   /* left empty here: pages are gen/site's (site/trial.h) */
} hm_verdict_report;

/* Settles an open conflict, disputed or awaiting sign-off. winner: a member, "kind:id" or an id that one member alone
 * has; empty only with HM_NO_ACTION.
 *
 * HM_SUPERSEDE_OTHERS: the winner, which must be active, stays so. Every other member that is in dispute now is
 * superseded by it, also one that says what the winner says: the specification lets one row of a slot stand. Members whose row is
 * gone, is not active, or is in dispute no more are left alone and listed. A member of several fields is superseded as
 * a row: see withdrawn.
 * HM_NO_ACTION: no row changes, and what was known now stays quiet.
 *
 * Fields of errors: winner_member_id, resolution_notes. HM_E_STATE also when the winner is not active or its circle of
 * superseded_by would close. */
int hm_review_resolve(hm_store *s, const hm_review *r, hm_str id, hm_str winner, hm_action action, hm_str notes,
                      hm_arena *a, hm_verdict_report *out, hm_err *err);
/* Settles an open conflict as none; no row changes. Field: reason, which must be there. */
int hm_review_dismiss(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a, hm_verdict_report *out, hm_err *err);
/* Opens a settled conflict again; rows stay as they are. HM_E_STATE when it is open, was merged, or another is open on its slot that shares a member. Field: reason. */
int hm_review_reopen(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a, hm_verdict_report *out, hm_err *err);
/* supersede.h says who may give way to whom. Rows: "kind:id", or an id that one row alone has. */
int hm_review_supersede(hm_store *s, const hm_review *r, hm_str older, hm_str newer, hm_str notes, hm_arena *a,
                        hm_verdict_report *out, hm_err *err);
/* Makes a superseded or invalid row active again; that may open a conflict (opened), or revive the dispute of one that awaits sign-off (revived). */
int hm_review_restore(hm_store *s, const hm_review *r, hm_str row, hm_str notes, hm_arena *a, hm_verdict_report *out, hm_err *err);

/* The report as one compact JSON object, keys as above; the lists of a dry run only then. conflict, winner, action: null
 * where empty; slot_key only with a conflict. */
void hm_verdict_json(hm_buf *b, const hm_verdict_report *r, hm_arena *a);
#endif
