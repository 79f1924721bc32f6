/* The story of one slot: which of its claims of prose were overtaken, and which values came back.
 *
 * Pure: claims in, their states out. Two claims meet unless both have a qualifier and these differ.
 * Of two that meet and differ one holds (hm_arc_relate_claims): settled, reversal, ambiguity.
 *
 * y overtakes x where y is later, meets x and differs from it, and
 *   - y says in words, outside its value, that something changed or was decided, or
 *   - the row of x is superseded by the row of y, or
 *   - one named agent wrote both in one scope, more than the session gap apart, or
 *   - y is a higher version, more than 30 days later, or
 *   - y is a line of a dated log, or a count: its later value is an update, or
 *   - y is a return (below).
 * Of one agent in one scope within the gap, a session, the later overtakes the earlier too, but
 * nothing was left by that.
 *
 * A value x is left by the first later claim that meets it and differs, whoever wrote it, or that
 * names it as left. z is a return where it says no word of change or decision, and an earlier claim
 * of the same value was left, before z, by a y that differs from z, and nobody said the value with
 * such a word between y and z. A session neither leaves nor returns, unless it has such a word: z
 * is the last word of its own, and y is not in it. Counts never return. A
 * return is over once a later claim that meets it has a word of change or decision, and is none
 * where its own row is retired; nothing else ends it. The open returns of a slot that meet are one
 * reversal, which holds all claims from the first that was left to the last return.
 *
 * Words of a claim that came by an agent's own way (via) count for claims of the same named agent
 * alone: they overtake no other's, make no return of another's a decision, and end a reversal only
 * where all its claims are that agent's.
 *
 * A claim without a time overtakes nobody and nobody overtakes it, but for its row being
 * superseded. A line of a log without one says nothing. `also` meets nobody, and a claim that says
 * until when it holds needs no story: windows compare it.
 * Source: the narrative detective of Engram. */
#ifndef HM_ARC_H
#define HM_ARC_H
#include "core/base/str.h"
#include "core/base/time.h"

#define HM_ARC_NONE UINT32_MAX

typedef struct {
  hm_time at;        /* when it was true, else written; HM_TIME_MIN: nobody knows */
  hm_str agent;      /* empty: nobody in particular */
  hm_str scope;
  hm_str qualifier;  /* empty: meets any */
  hm_str version;    /* of a version, as it is read: "14.2"; else empty */
  uint32_t value;    /* claims of one number say the same */
  uint32_t wording;  /* claims of one number differ from the same others; 0: unknown */
  uint32_t left;     /* the number of the value that it says was left; HM_ARC_NONE */
  uint32_t row, by;  /* its row, and the row that supersedes that; HM_ARC_NONE: none */
  bool retired;      /* its row is superseded */
  bool settles;      /* has a word of change or decision outside its value */
  bool via;          /* by an agent's own way: its words settle what the same named agent said */
  bool also, log, count, ends;
} hm_arc_claim;

typedef enum {
  HM_ARC_HOLDS,
  HM_ARC_WORDS,
  HM_ARC_SUPERSEDED,
  HM_ARC_AGENT,
  HM_ARC_VERSION,
  HM_ARC_UPDATE,
  HM_ARC_RETURN,
  HM_ARC_SESSION,
  HM_ARC_UNDATED, /* a line of a log that has no time */
  HM_N_ARC_STATES
} hm_arc_state;
/* "holds", "words", "superseded", ... */
const char *hm_arc_state_name(hm_arc_state s);
/* "it says that something changed or was decided"; of one that holds "". */
const char *hm_arc_state_reason(hm_arc_state s);

/* by: who overtook it first, HM_ARC_NONE: nobody of the slot. */
typedef struct { hm_arc_state state; uint32_t by; } hm_arc_end;

/* Members in order: by time, then as given. */
typedef struct { const uint32_t *members; size_t n; } hm_reversal;

typedef struct {
  const hm_arc_claim *claims; size_t n;
  const uint32_t *order;     /* all claims by time, those without one last */
  hm_arc_end *ends;          /* as claims */
  uint32_t *reversal_of;     /* as claims: the reversal that holds it, or HM_ARC_NONE */
  hm_reversal *reversals; size_t n_reversals;
} hm_arc;

/* How claims differ: values that cannot both hold, for claims whose numbers are not the same. */
typedef struct {
  bool (*differ)(void *ctx, uint32_t x, uint32_t y);
  void *ctx;
  hm_time gap;    /* of a session */
} hm_arc_rules;

/* Borrows claims; everything else in a. Work: O(n log n), but for claims that meet and do not
 * differ though their numbers do, for sessions, for many qualifiers beside none, and for words of
 * claims that have `via`. */
void hm_find_overtaken_claims(hm_arc *out, const hm_arc_claim *claims, size_t n,
                              const hm_arc_rules *rules, hm_arena *a);

typedef enum { HM_ARC_SETTLED, HM_ARC_REVERSAL, HM_ARC_AMBIGUITY } hm_arc_relation;
/* Of two claims that meet and differ. */
hm_arc_relation hm_arc_relate_claims(const hm_arc *arc, uint32_t x, uint32_t y);
/* Do words of change of y, if it has any, count for x? */
bool hm_arc_words_apply(const hm_arc_claim *y, const hm_arc_claim *x);
/* May these two be compared at all? Not where qualifiers differ, one is `also`, they are of one
 * row, or of one agent, scope and time. */
bool hm_arc_comparable(const hm_arc_claim *x, const hm_arc_claim *y);

/* --- of arc.c, for arc_walk.c ---------------------------------------------------------- */

/* x is overtaken when y comes, if nobody overtook it before. */
typedef struct { uint32_t y, x; hm_arc_state why; } arc_overtake;
typedef struct { uint32_t row, claim; } arc_row;
struct arc_pools;

/* Claims that have a time and take part, by place: in order. */
typedef struct {
  hm_arc *arc;
  const hm_arc_rules *rules;
  hm_arena *a;
  uint32_t *order; size_t n;   /* by place: the claim */
  const arc_row *rows;         /* of all claims */
  struct arc_pools *pools;
  uint32_t *left;              /* by place: who overtook it first; NONE */
  bool *gone;                  /* by place: its value was left */
  hm_arc_state *why;           /* and how */
  uint32_t *session;           /* who overtook it first in its session; NONE */
  uint32_t *returns;           /* where it is a return, the first place that was left; NONE */
} arc_work;

/* Are they of one named agent, in one scope? */
bool arc_one_author(const hm_arc_claim *x, const hm_arc_claim *y);
/* Claims by row; the first of a row, or NULL. */
const arc_row *arc_rows_of(const hm_arc *arc, hm_arena *a);
const arc_row *arc_rows_find(const arc_row *rows, size_t n, uint32_t row);
/* What explicit supersession and versions overtake, by y. */
void arc_find_overtaken(const arc_work *w, const arc_overtake **out, size_t *n);
/* Fills reversals and reversal_of. */
void arc_find_reversals(arc_work *w);
#endif
