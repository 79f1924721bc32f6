/* A person's verdicts on a conflict or a row. Specification, "API shape" and "Supersession as a
 * conflict resolution tool"; design section 7. The program never gives a verdict by itself.
 *
 * Each call is one BEGIN IMMEDIATE transaction: it stores all of the verdict, or nothing. If the
 * caller has a write transaction open, the call joins it and does not end it, so a dry run can
 * compare the store before and after. Every change is a line of the journal with who, when and why;
 * then the detector sweeps the slots that the changed rows claim or claimed (write_check.h).
 *
 * Errors of all: HM_E_UNKNOWN: no such conflict or row; HM_E_STATE: it is not in the state for
 * this; then why says what the verdict was, by whom and when; HM_E_INPUT with hm_err.field: what
 * was asked for; HM_E_BUSY, HM_E_STORE. */
#ifndef HM_REVIEW_VERDICT_H
#define HM_REVIEW_VERDICT_H
#include "core/base/arena.h"
#include "core/review/write_check.h"
#include "core/store/verdict_lines.h"

/* Which rows give way to the winners: none; their opponents; every other member. */
typedef enum { HM_NO_ACTION, HM_SUPERSEDE_OPPONENTS, HM_SUPERSEDE_OTHERS, HM_N_ACTIONS } hm_action;
/* "no_action", "supersede_opponents", "supersede_others": as stored, and in JSON. */
const char *hm_action_name(hm_action a);
hm_action hm_action_parse(hm_str name); /* of another name: HM_NO_ACTION */
/* What gives way of a row that also says other things. */
typedef enum {
  HM_SCOPE_UNSAID,
  HM_SCOPE_WHOLE_ROW,
  HM_SCOPE_FIELD_ONLY,
  HM_N_SCOPES
} hm_verdict_scope;
/* "", "whole_row", "field_only"; of another name: HM_SCOPE_UNSAID. */
const char *hm_verdict_scope_name(hm_verdict_scope s);
hm_verdict_scope hm_verdict_scope_parse(hm_str name);

/* How a conflict is resolved. */
typedef struct {
  const hm_str *winners; /* members, each "kind:id" or an id that one member alone has; none only
                            with HM_NO_ACTION; at most HM_WINNERS_MAX */
  size_t n_winners;
  hm_action action;
  hm_verdict_scope scope;    /* for all rows that give way; with HM_NO_ACTION: HM_SCOPE_UNSAID */
  bool link;                 /* HM_NO_ACTION: a link `contradicts` between the sides */
  hm_str notes;
} hm_resolution;

enum { HM_NOTES_MAX = 64 * 1024 };   /* bytes of notes or a reason; they are trimmed */

typedef struct {
  hm_str ref, before, after;
} hm_row_change; /* "entity:e2", "active", "superseded by entity:e1" */
typedef struct {
  hm_str ref, why;
} hm_row_left; /* a member that is not changed, and why in words */
/* What a superseded row says in other slots and will say no more. alone: no row that stays active
 * says the same there. */
typedef struct { hm_str ref, slot, value; bool alone; } hm_withdrawal;
/* A field that a verdict took out of a row. */
typedef struct { hm_str ref, field; } hm_row_field;
/* Another row, of any status, that says a value that loses: in the conflict's slot, or (elsewhere)
 * in a slot of the project whose name ends in the same word. */
typedef struct { hm_str ref, status, slot, value; bool elsewhere; } hm_assertion;
typedef struct {
  hm_str page, conflict;
  bool gained;
} hm_marker_change; /* page: path of its Markdown */

/* All that a verdict did, or would do. Texts and arrays in the arena of the call. */
typedef struct {
  const char *verb;              /* resolve | dismiss | reopen | supersede | restore */
  bool dry_run;
  hm_str conflict, slot_key;     /* empty for supersede and restore */
  hm_str status;                 /* of the conflict, after */
  hm_str by, at, notes;
  hm_str winner, action, scope; /* of a resolve; else empty; winner: hm_winners_parse */
  hm_row_change *changes; size_t n_changes;
  hm_row_left *left; size_t n_left;
  hm_link *links; size_t n_links; /* between sides that stay, that were written */
  hm_str *opened;
  size_t n_opened; /* conflicts that the changes open: rows still, or again, disagree */
  hm_str *revived;
  size_t n_revived; /* open conflicts that awaited sign-off and are disputed again */
  hm_str *quieted;
  size_t n_quieted; /* other open conflicts that were disputed and now await sign-off */
  hm_str *restorable;
  size_t n_restorable; /* of a reopen: rows that the verdict superseded and that are so still */
  hm_row_field *removed;
  size_t n_removed; /* of a reopen: fields that verdicts on it took out of rows and that are so
                       still */
  /* Only of a dry run: */
  hm_withdrawal *withdrawn; size_t n_withdrawn;
  hm_assertion *others; size_t n_others;
  hm_marker_change *markers;
  size_t n_markers; /* left empty here: pages are gen/site's (gen/site/verdict_dry_run.h) */
} hm_verdict_report;

/* Settles an open conflict, disputed or awaiting sign-off. Every verdict with a winner is applied
 * here, also an imported one.
 *
 * Several members may win where they contradict each other at no time: two of three parents. Where
 * n values may hold at once, no more than n of theirs may. A row that gives way, gives way to the
 * first of them, by reference, that it contradicts.
 *
 * HM_SUPERSEDE_OPPONENTS: the winner, which must be active, stays so. Every other member that
 * contradicts it now gives way to it: it is superseded. Members that agree with it, or contradict
 * it at no time, stay; where they go on contradicting each other that is another conflict, see
 * opened. HM_SUPERSEDE_OTHERS: every other active member that says something in this slot gives
 * way, also one that says what the winner says, unless it is in dispute in another conflict of the
 * slot. Members whose row is gone, is not active, or is in dispute no more are left alone and
 * listed. HM_NO_ACTION: no row changes, and what was known now stays quiet. With `link` one row a
 * value, the first that says it, is linked as `contradicts` with those of the values that it
 * contradicts; links that are there stay as they are.
 *
 * Scope: a row that gives way and claims other fields than those that were judged is superseded
 * with HM_SCOPE_WHOLE_ROW, see withdrawn. With HM_SCOPE_FIELD_ONLY the judged properties leave each
 * entity that gives way, and the rest of it stays; a memory or a state, which says nothing else,
 * is superseded.
 *
 * Errors, with field: winner_member_id: no member, not one, not active (HM_E_STATE), named twice,
 * its own fields or it and another winner contradict each other; its circle of superseded_by would
 * close (HM_E_STATE); resolution_notes; scope: none is said and a row that gives way says other
 * things (why names it and them), or it is said with HM_NO_ACTION; link: with a winner's action, or
 * more than HM_LINK_SIDES values. */
enum { HM_LINK_SIDES = 20 };
int hm_review_resolve(hm_store *s, const hm_review *r, hm_str id, const hm_resolution *how,
                      hm_arena *a, hm_verdict_report *out, hm_err *err);
/* Settles an open conflict as none; no row changes. Field: reason, which must be there. */
int hm_review_dismiss(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                      hm_verdict_report *out, hm_err *err);
/* Opens a settled conflict again; rows stay as they are. HM_E_STATE when it is open, was merged, or
 * another is open on its slot that shares a member. Field: reason. */
int hm_review_reopen(hm_store *s, const hm_review *r, hm_str id, hm_str reason, hm_arena *a,
                     hm_verdict_report *out, hm_err *err);
/* supersede.h says who may give way to whom. Rows: "kind:id", or an id that one row alone has. */
int hm_review_supersede(hm_store *s, const hm_review *r, hm_str older, hm_str newer, hm_str notes,
                        hm_arena *a, hm_verdict_report *out, hm_err *err);
/* Makes a superseded or invalid row active again; or gives an active entity back what verdicts took
 * out of it: this field, or all where it is empty. That may open a conflict (opened), or revive the
 * dispute of one that awaits sign-off (revived). Fields of errors: row; field: no verdict took it
 * out. */
int hm_review_restore(hm_store *s, const hm_review *r, hm_str row, hm_str field, hm_str notes,
                      hm_arena *a, hm_verdict_report *out, hm_err *err);

/* The report as one compact JSON object, keys as above; the lists of a dry run only then. conflict,
 * winner, action: null where empty; winner also where there are several, which `winners` lists;
 * slot_key only with a conflict. */
void hm_verdict_json(hm_buf *b, const hm_verdict_report *r, hm_arena *a);

/* --- imported verdicts: verdict_import.c -----------------------------------------------------
 *
 * An imported verdict is about a conflict of its rule and slot whose contested time meets its own
 * and whose claims in dispute all say values that it knew, in normal form or as written; where
 * there is none, about the conflict with its id, if that knows no other values. It is carried out
 * once, as the verb would, by whom and when it was decided, and is remembered: what a person undoes
 * later stays undone. A conflict stays open, with a report, if it has a value that the verdict did
 * not know, if the winner is gone, or if two verdicts on it disagree. A verdict that names another
 * as replaced is applied after it. A verdict that differs from the one given in this store changes
 * nothing and is reported. A verdict without its conflict waits. Design section 5. */

typedef enum {
  HM_SETTLED, HM_SETTLED_BEFORE, HM_SETTLE_WAITS, HM_SETTLE_UNFIT, HM_SETTLE_CONTESTED,
  HM_SETTLE_REPLACED
} hm_settling;

typedef struct {
  hm_settling what;
  hm_str verdict;       /* its id */
  hm_str conflict;      /* the one that it is about here; empty: none */
  hm_str why;           /* UNFIT, CONTESTED: in words */
  bool news;            /* it was not so the last time */
} hm_settled_verdict;

typedef struct {
  hm_settled_verdict *v; size_t n;   /* of each that waited, by id */
  size_t counts[HM_SETTLE_REPLACED + 1];
} hm_settled;

/* Carries out what can be, in one write transaction, or in the caller's. Conflicts in the slots
 * of waiting verdicts are recorded as by a sweep. Nothing waits: nothing is done. r->decided is
 * not looked at. Lives in a. */
int hm_review_settle_waiting(hm_store *s, const hm_review *r, hm_arena *a, hm_settled *out,
                             hm_err *err);
#endif
