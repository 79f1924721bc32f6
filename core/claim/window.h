/* When a claim holds: what its two bounds say for certain, and what they leave open.
 *
 * A window is half-open, [begin, end). Each bound is one of
 *   exact     a date with a clock time: that instant
 *   partial   a year, month or day: some instant of that unit, nobody knows which
 *   missing   empty text
 * Instants are microseconds. The bounds and `now` (hm_snapshot.now) give two windows:
 *
 *   certain   [from, until): the instants at which the claim holds, whatever the unknown
 *             instants are
 *   possible  [may_from, may_until): those at which it holds for some choice of them
 *
 *   bounds                       certain from                  certain until
 *   known begin, known end       last instant of the begin     first instant of the end
 *   known begin that can be      the same, but now at the      just after now: it holds
 *     at or before now, no end   latest                        still
 *   known begin after now,       last instant of the begin     open: it holds from its
 *     no end                                                   beginning on
 *   no begin, known end          the earlier of now and the    first instant of the end
 *                                instant before certain until
 *   neither                      now                           just after now
 *
 * Where from >= until nothing is certain. The possible window goes from the first instant of
 * the begin to the last instant of the end, open where a bound is missing.
 *
 * Begin and end alike (1977-11 to 1977-11) mean the unit: from its first to its last instant,
 * for certain; alike and exact: that instant. A window is inverted, and claims nothing, when
 * no choice puts the begin before the end.
 *
 * Two claims overlap certainly when their certain windows share an instant. They may overlap
 * when they do not certainly, but do for some choice of the unknown instants. There, an end and
 * a begin of the same unit are the same instant: bounds alike touch, as exact ones do. And a
 * claim that holds at now, whose begin is missing, counts from now on: that nobody knows when
 * it began is no news about others. */
#ifndef HM_WINDOW_H
#define HM_WINDOW_H
#include "core/base/arena.h"
#include "core/base/time.h"

typedef struct {
  bool known;
  hm_precision precision;
  hm_time first, last;           /* equal for an exact bound; both 0 when not known */
} hm_bound;

typedef struct {
  hm_time from, until;           /* certain; HM_TIME_MAX and HM_TIME_MIN where nothing is */
  hm_time may_from, may_until;   /* possible; HM_TIME_MIN and HM_TIME_MAX where open */
  bool at_now;                   /* it certainly holds at now */
  hm_bound begin, end;           /* as written */
} hm_window;

typedef enum {
  HM_WINDOW_OK, HM_WINDOW_BAD_FROM, HM_WINDOW_BAD_UNTIL, HM_WINDOW_INVERTED
} hm_window_fault;

/* Reads a bound; empty text and white space are a missing one. false: it is no time. */
bool hm_bound_read(hm_str text, hm_bound *out);
/* As it was written, with its precision: "2026-04", "2026-04-02T09:00:00Z"; empty when
 * missing. In a. */
hm_str hm_bound_text(hm_arena *a, const hm_bound *b);

/* The window of two bounds. false: it is inverted, and *out overlaps nobody. now: HM_TIME_MAX
 * lies after every bound. */
bool hm_window_of(const hm_bound *begin, const hm_bound *end, hm_time now, hm_window *out);
/* The same from the texts of the bounds. *out is set for HM_WINDOW_OK only. */
hm_window_fault hm_window_read(hm_str from, hm_str until, hm_time now, hm_window *out);

/* Symmetric, both. At most one of them holds. */
bool hm_window_overlap(const hm_window *a, const hm_window *b);
bool hm_window_may_overlap(const hm_window *a, const hm_window *b);

/* The time that claims contest, for people: the bounds as their rows write them. A begin that
 * is not known is unknown, an end that is not known is open. from, until: its certain instants,
 * by which spans are compared. */
typedef struct { hm_bound begin, end; hm_time from, until; } hm_span;

/* What all n certain windows share. false, and *out is left alone: nothing, or n is 0. Any
 * order of w gives the same. */
bool hm_span_common(const hm_window *const *w, size_t n, hm_span *out);
#endif
