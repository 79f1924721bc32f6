/* The story of one slot: which of its claims of prose were overtaken, and which values came back.
 *
 * Pure: claims in, their states out. Two claims meet unless both have a qualifier and these differ.
 * Two that meet and have different values are members of one reversal, ambiguous where both hold,
 * else settled.
 *
 * y overtakes x where y is later, meets x and differs from it, and
 *   - y says in words, outside its value, that something changed or was decided, or it names the
 *     value of x as left ("9090, not 8080"), or
 *   - the row of x is superseded by the row of y, or
 *   - one named agent wrote both in one scope, more than the session gap apart, or
 *   - y is a higher version, more than 30 days later, or
 *   - y is a line of a dated log, or a count: its later value is an update, or
 *   - both say how far a thing is (status), one agent or one source wrote both, and y is an hour
 *     later or more, or
 *   - y is a return (below).
 * Within a session (one agent, one scope, within the gap) a later claim also overtakes an earlier
 * one, but leaves no value.
 *
 * The first later claim that meets x and differs, by any writer, or that names x as left, leaves
 * the value x. z is a return if it has no word of change or decision, a y that differs from z left
 * an earlier claim of the same value before z, and no claim between y and z has the value with such
 * a word. Within a session no value is left and none returns, unless by such a word: z is the last
 * claim of its session, and y is not in that session. Counts never return. A later claim that meets
 * a return and has a word of change or decision ends it; nothing else does. A claim of a retired
 * row is no return. The open returns of a slot that meet are one reversal, with all claims from the
 * first left one to the last return.
 *
 * Words of a claim that an agent wrote itself (via) count only for claims of the same named agent:
 * they overtake no other's claim, do not make another's return a decision, and end a reversal only
 * if all its claims are that agent's.
 *
 * A claim without a time is overtaken only if its row is superseded, or by words: by a claim that
 * says that something changed or names its value as left, where it does neither itself and no
 * other named agent wrote it. A line of a log without a time claims nothing. A claim with `also`
 * meets none. A claim with an end needs no story: windows compare it. Source: the narrative
 * detective of Engram. */
#ifndef HM_ARC_H
#define HM_ARC_H
#include "core/base/str.h"
#include "core/base/time.h"

#define HM_ARC_NONE UINT32_MAX
#define HM_ARC_HOUR ((hm_time)3600 * 1000000)

typedef struct {
  hm_time at;   /* when it was true, else when written; HM_TIME_MIN: unknown */
  hm_str agent; /* empty: none */
  hm_str scope;
  hm_str origin;    /* of a status without an agent: where it is from; empty: unknown */
  hm_str qualifier; /* empty: meets any */
  hm_str version;   /* of a version, as read: "14.2"; else empty */
  uint32_t value;   /* equal numbers: the same value */
  uint32_t left;    /* the number of the value that it says was left, or HM_ARC_NONE */
  uint32_t row, by; /* its row, and the row that supersedes that; HM_ARC_NONE: none */
  bool retired;     /* its row is superseded */
  bool settles;     /* has a word of change or decision outside its value */
  bool via;         /* an agent wrote it: its words settle only claims of the same named agent */
  bool also, log, status, count, ends;
} hm_arc_claim;

typedef enum {
  HM_ARC_HOLDS,
  HM_ARC_WORDS,
  HM_ARC_SUPERSEDED,
  HM_ARC_AGENT,
  HM_ARC_VERSION,
  HM_ARC_UPDATE,
  HM_ARC_PROGRESS,
  HM_ARC_RETURN,
  HM_ARC_SESSION,
  HM_ARC_UNDATED, /* a line of a log without a time */
  HM_N_ARC_STATES
} hm_arc_state;
/* "holds", "words", "superseded", ... */
const char *hm_arc_state_name(hm_arc_state s);
/* "it says that something changed or was decided"; "" for HM_ARC_HOLDS. */
const char *hm_arc_state_reason(hm_arc_state s);

/* by: the claim that overtook it first; HM_ARC_NONE: none of the slot. */
typedef struct {
  hm_arc_state state;
  uint32_t by;
} hm_arc_end;

/* Members in order: by time, then as given. */
typedef struct {
  const uint32_t *members;
  size_t n;
} hm_reversal;

typedef struct {
  const hm_arc_claim *claims;
  size_t n;
  hm_arc_end *ends;      /* as claims */
  uint32_t *reversal_of; /* as claims: its reversal, or HM_ARC_NONE */
  hm_reversal *reversals;
  size_t n_reversals;
} hm_arc;

/* differ: can the values of two claims with different `value` not both hold? */
typedef struct {
  bool (*differ)(void *ctx, uint32_t x, uint32_t y);
  void *ctx;
  hm_time gap; /* of a session */
} hm_arc_rules;

/* Borrows claims; everything else is in a. Cost: O(n^2). */
void hm_find_overtaken_claims(hm_arc *out, const hm_arc_claim *claims, size_t n,
                              const hm_arc_rules *rules, hm_arena *a);

/* May these two be compared? No if their qualifiers differ, one is `also`, or they are of one row,
 * or of one agent, scope and time. */
bool hm_arc_comparable(const hm_arc_claim *x, const hm_arc_claim *y);

#endif
