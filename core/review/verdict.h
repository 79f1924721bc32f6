/* A person's verdicts on a conflict or a row. Specification, "API shape" and "Supersession as a
 * conflict resolution tool"; design section 7. hmirror never gives a verdict by itself.
 *
 * Each call is one BEGIN IMMEDIATE transaction: it stores the whole verdict or nothing. If the
 * caller has a write transaction open, the call joins it and does not end it, so a dry run can
 * compare the store before and after. Every change has a line in the journal with who, when and
 * why. Then a sweep checks the slots of the changed rows' claims, before and after (write_check.h).
 *
 * Errors of all calls: HM_E_UNKNOWN: no such conflict or row; HM_E_STATE: its state forbids this,
 * and err->why says what the verdict was, by whom and when; HM_E_INPUT with hm_err.field: a bad
 * argument; HM_E_BUSY, HM_E_STORE. */
#ifndef HM_REVIEW_VERDICT_H
#define HM_REVIEW_VERDICT_H
#include "core/base/arena.h"
#include "core/review/write_check.h"
#include "core/store/verdict_lines.h"

/* Which rows the winners supersede: none; their opponents; every other member. */
typedef enum { HM_NO_ACTION, HM_SUPERSEDE_OPPONENTS, HM_SUPERSEDE_OTHERS, HM_N_ACTIONS } hm_action;
/* "no_action", "supersede_opponents", "supersede_others": as stored, and in JSON. */
const char *hm_action_name(hm_action a);
hm_action hm_action_parse(hm_str name); /* unknown: HM_NO_ACTION */
/* What is superseded of a losing row that also says other things. */
typedef enum {
  HM_SCOPE_UNSAID,
  HM_SCOPE_WHOLE_ROW,
  HM_SCOPE_FIELD_ONLY,
  HM_N_SCOPES
} hm_verdict_scope;
/* "", "whole_row", "field_only". Unknown: HM_SCOPE_UNSAID. */
const char *hm_verdict_scope_name(hm_verdict_scope s);
hm_verdict_scope hm_verdict_scope_parse(hm_str name);

/* How a conflict is resolved. */
typedef struct {
  const hm_str *winners; /* members, each "kind:id" or an id that only one member has; none only
                          * with HM_NO_ACTION; at most HM_WINNERS_MAX */
  size_t n_winners;
  hm_str
      from; /* of one winner: the source whose value stands, where its sources differ; or empty */
  hm_action action;
  hm_verdict_scope scope; /* for all losing rows; with HM_NO_ACTION: HM_SCOPE_UNSAID */
  bool link;              /* HM_NO_ACTION: add links `contradicts` between the sides */
  hm_str notes;
} hm_resolution;

typedef struct {
  hm_str ref, before, after;
} hm_row_change; /* "entity:e2", "active", "superseded by entity:e1" */
typedef struct {
  hm_str ref, why;
} hm_row_left; /* an unchanged member, and why, in words */
/* A claim of a superseded row in another slot, which ends, too. alone: no active row says the same
 * there. */
typedef struct {
  hm_str ref, slot, value;
  bool alone;
} hm_withdrawal;
/* A field that a verdict removed from a row. */
typedef struct {
  hm_str ref, field;
} hm_row_field;
/* Another row, of any status, with a losing value: in the conflict's slot, or (elsewhere) in a slot
 * of the project whose name ends with the same word. */
typedef struct {
  hm_str ref, status, slot, value;
  bool elsewhere;
} hm_assertion;
typedef struct {
  hm_str page, conflict;
  bool gained;
} hm_marker_change; /* page: path of its Markdown */

/* All that a verdict did, or would do. Texts and arrays in the arena of the call. */
typedef struct {
  const char *verb; /* resolve | dismiss | reopen | supersede | restore */
  bool dry_run;
  hm_str conflict, slot_key, title; /* empty for supersede and restore; title: hm_answers_title */
  hm_str status;                    /* of the conflict, after */
  hm_str by, at, notes;
  hm_str winner, action, scope; /* for a resolve; else empty; winner: hm_winners_parse */
  hm_row_change *changes;
  size_t n_changes;
  hm_row_left *left;
  size_t n_left;
  hm_link *links;
  size_t n_links; /* written between sides that stay */
  hm_str *opened;
  size_t n_opened; /* conflicts that the changes open: rows that still, or again, disagree */
  hm_str *revived;
  size_t n_revived; /* open conflicts that awaited sign-off and are disputed again */
  hm_str *quieted;
  size_t n_quieted; /* other open conflicts that were disputed and now await sign-off */
  hm_str *restorable;
  size_t n_restorable; /* for a reopen: rows that the verdict superseded and that stay so */
  hm_row_field *removed;
  size_t n_removed; /* for a reopen: fields that verdicts on it removed from rows and that stay
                     * so */
  /* Only of a dry run: */
  hm_withdrawal *withdrawn;
  size_t n_withdrawn;
  hm_assertion *others;
  size_t n_others;
  hm_str *warnings;
  size_t n_warnings; /* sentences: live secrets in what was written */
  hm_marker_change *markers;
  size_t n_markers; /* empty here; gen/site knows the pages (gen/site/verdict_dry_run.h) */
} hm_verdict_report;

/* Resolves an open conflict, disputed or awaiting sign-off. All verdicts with a winner use it, also
 * imported ones.
 *
 * Several members may win if they never contradict each other: two of three parents. If n values
 * may hold at once, the winners may have at most n values. A losing row is superseded by the first
 * winner, by reference, that it contradicts.
 *
 * HM_SUPERSEDE_OPPONENTS: the winner, which must be active, stays. It supersedes every other member
 * that contradicts it now. Members that agree with it, or never contradict it, stay; if they still
 * contradict each other, that is another conflict, see opened. HM_SUPERSEDE_OTHERS: every other
 * active member with a claim in this slot is superseded, also one that agrees with the winner,
 * unless it is disputed in another conflict of the slot. Members whose row is gone, not active, or
 * no longer disputed are left alone and listed. HM_NO_ACTION: no row changes, and the known values
 * stay quiet. With `link`, the first row of each value is linked as `contradicts` to the first rows
 * of the values that it contradicts; existing links stay.
 *
 * Scope, for a losing row that also claims other fields: HM_SCOPE_WHOLE_ROW supersedes it, see
 * withdrawn. HM_SCOPE_FIELD_ONLY removes the judged properties from each losing entity and keeps
 * the rest; a losing memory or state, which says nothing else, is superseded.
 *
 * Errors, with field: winner_member_id: missing, not a member, not active (HM_E_STATE), named
 * twice, contradicts another winner or itself by two fields, or would close a circle of
 * superseded_by (HM_E_STATE); resolution_notes; scope: missing though a losing row says other
 * things (err->why names both), or given with HM_NO_ACTION; link: with a winner's action, or more
 * than HM_LINK_SIDES values. */
enum { HM_LINK_SIDES = 20 };
int hm_review_resolve(hm_store *s, const hm_review *r, hm_str id, const hm_resolution *how,
                      hm_arena *a, hm_verdict_report *out, hm_err *err);
/* Dismisses an open conflict; no row changes. Field of errors: reason, which is required. */
int hm_review_dismiss(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                      hm_verdict_report *out, hm_err *err);
/* Reopens a settled conflict. Restores the rows that the verdict superseded and the fields that it
 * took out, as far as they are so still, and the values of sources that it ended; unless keep_rows:
 * then all of these are listed, the values in `left`. HM_E_STATE: it is open, was merged, or
 * another open conflict on its slot shares a member. Field of errors: reason. */
int hm_review_reopen(hm_store *s, const hm_review *r, hm_str id, hm_str reason, bool keep_rows,
                     hm_arena *a, hm_verdict_report *out, hm_err *err);
/* Supersedes older by newer; supersede.h says when this is allowed. Rows: "kind:id", or an id that
 * only one row has. */
int hm_review_supersede(hm_store *s, const hm_review *r, hm_str older, hm_str newer, hm_str notes,
                        hm_arena *a, hm_verdict_report *out, hm_err *err);
/* Makes a superseded or invalid row active again; or restores the fields that verdicts removed from
 * an active entity: this field, or all if empty. That may open a conflict (opened), or revive the
 * dispute of one that awaits sign-off (revived). Fields of errors: row; field: no verdict removed
 * it. */
int hm_review_restore(hm_store *s, const hm_review *r, hm_str row, hm_str field, hm_str notes,
                      hm_arena *a, hm_verdict_report *out, hm_err *err);

/* The report as one compact JSON object, keys as above; the lists of a dry run only then. conflict,
 * winner, action: null if empty; winner also if there are several, which `winners` lists; slot_key
 * only with a conflict. */
void hm_verdict_json(hm_buf *b, const hm_verdict_report *r, hm_arena *a);

/* --- imported verdicts: verdict_import.c -----------------------------------------------------
 *
 * An imported verdict applies to a conflict of its rule and slot whose contested time overlaps its
 * own and whose disputed claims all have values that it knew, in normal form or as written; if
 * there is none, to the conflict with its id, if that has no other values. It is carried out once,
 * like the local command, with the original person and time, and recorded: what a person undoes
 * later stays undone. A conflict stays open, with a report, if it has a value that the verdict did
 * not know, if the winner is gone, or if two verdicts on it disagree. A verdict that replaces
 * another is applied after it. A verdict that differs from the one given in this store changes
 * nothing and is reported. A verdict without its conflict waits. Design section 5. */

typedef enum {
  HM_SETTLED,
  HM_SETTLED_BEFORE,
  HM_SETTLE_WAITS,
  HM_SETTLE_UNFIT,
  HM_SETTLE_CONTESTED,
  HM_SETTLE_REPLACED
} hm_settling;

typedef struct {
  hm_settling what;
  hm_str verdict;  /* its id */
  hm_str conflict; /* its conflict in this store; empty: none */
  hm_str why;      /* UNFIT, CONTESTED: in words */
  bool news;       /* changed since the last time */
} hm_settled_verdict;

typedef struct {
  hm_settled_verdict *v;
  size_t n; /* one for each that waited, by id */
  size_t counts[HM_SETTLE_REPLACED + 1];
} hm_settled;

/* Carries out the waiting verdicts where possible, in one write transaction or the caller's.
 * Records the conflicts in their slots as a sweep would. Does nothing if none waits. Ignores
 * r->decided. Lives in a. */
int hm_review_settle_waiting(hm_store *s, const hm_review *r, hm_arena *a, hm_settled *out,
                             hm_err *err);
#endif
