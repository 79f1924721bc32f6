/* When a claim, a thing or an event was: what its two bounds say for certain, and what they leave
 * open; and what that says of two of them.
 *
 * A window is half-open, [begin, end). Each bound is one of
 *   exact     a date with a clock time: that instant
 *   partial   a year, month, day, unit of an era: some instant of that unit, nobody knows which
 *   vague     an approximate time, an era: some instant of its range, and no unit at all
 *   missing   empty text
 * Instants are microseconds on one of several axes: that of dates, and one for each world whose
 * eras no date places (world.h). `now` is hm_snapshot.now, or the present of the world. The bounds
 * and now give two windows:
 *
 *   certain   [from, until): from the latest instant at which it can begin to the earliest at
 *             which it can end, where its begin lies before its end. It holds there whatever the
 *             unknown instants are; where from >= until it holds at no instant for certain
 *   possible  [may_from, may_until): the instants at which it holds for some choice of them
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
 * The possible window goes from the first instant of the begin to the last instant of the end, open
 * where a bound is missing.
 *
 * Begin and end alike (1977-11 to 1977-11) mean the unit: from its first to its last instant,
 * for certain; alike and exact: no instant, as of a value replaced within its second; alike and
 * vague: some time in the range. A window is inverted, and claims nothing, when no choice puts the
 * begin before the end.
 *
 * Two claims overlap certainly when they share an instant for every choice of the unknown
 * instants: each begins, at the latest, before the other ends, at the earliest. That need not be
 * one instant: [2015, 2015-02) overlaps [1998, 2035) whenever in 2015 it began. They may overlap
 * when they do not certainly, but do for some choice of the unknown instants. There, an end and
 * a begin of the same unit are the same instant: bounds alike touch, as exact ones do. The end
 * of an existence that stands for a missing end touches every begin that can be that instant. And
 * a claim that holds at now, whose begin is missing, counts from now on: that nobody knows when it
 * began is no news about others.
 *
 * Rules ask "when did this thing exist" by hm_window_parse (world.h) of what it was born and died
 * by, or was founded and dissolved by; "when was this event" by hm_window_of_moment of its time, or
 * hm_window_parse where it has two; and then hm_window_inside. HM_NO is a contradiction,
 * HM_POSSIBLE what a person may want to know, HM_CERTAIN is nothing to tell. Which of two came
 * first is hm_bound_before; "more than n years later" is hm_bound_before after hm_bound_shift
 * (world.h). */
#ifndef HM_WINDOW_H
#define HM_WINDOW_H
#include "core/base/arena.h"
#include "core/base/time.h"

typedef struct {
  bool known;
  hm_precision precision;
  hm_time first, last; /* equal for an exact bound; both 0 when not known */
  uint16_t axis;       /* 0: of dates; else of a world; also where it is not known */
  uint16_t era;        /* 1 + the era of which no more is known than its range; or 0 */
  bool vague;
  uint8_t text_n;
  const char *text; /* as written, where that is no ISO 8601; borrowed */
} hm_bound;

typedef struct {
  hm_time from, until;         /* certain, if from < until; HM_TIME_MAX and HM_TIME_MIN where it
                                * overlaps nothing for certain */
  hm_time may_from, may_until; /* possible; HM_TIME_MIN and HM_TIME_MAX where open */
  bool at_now;                 /* it certainly holds at now */
  bool moment;                 /* hm_window_of_moment */
  bool of_props;               /* a relation's, by its properties */
  bool sometime;               /* nobody gives a bound, and what it held in has ended */
  uint16_t axis;
  uint32_t ends_with;  /* 0: its own end. Else nobody gives it: `end` is of an existence,
                          1 + its place in hm_existences.of (hm_window_cut) */
  hm_bound begin, end; /* as written */
} hm_window;

typedef enum { HM_NO, HM_POSSIBLE, HM_CERTAIN } hm_certainty;

/* The instants of an axis, [first, until): HM_TIME_MIN and HM_TIME_MAX for that of dates. Those of
 * other axes lie before every date, so that certain windows on two axes share none. */
enum { HM_AXES_MAX = 256 };
void hm_axis_range(uint16_t axis, hm_time *first, hm_time *until);

/* Is only a limit known, as of "before 1340" and "after 1340"? What lies beyond is no objection to
 * anything and no news: who died after 1340 may have been there in 1350. */
bool hm_bound_is_limit(const hm_bound *b);

/* As it was written, with its precision: "2026-04", "2026-04-02T09:00:00Z", "c. 1066"; empty when
 * missing. In a. */
hm_str hm_bound_text(hm_arena *a, const hm_bound *b);

/* The window of two bounds. false: it is inverted, or they are on two axes, and *out overlaps
 * nobody; nor does that of two equal instants. now: HM_TIME_MAX, or an instant of another axis,
 * lies after every bound. */
bool hm_window_of_bounds(const hm_bound *begin, const hm_bound *end, hm_time now, hm_window *out);
/* What happened at one instant, of which the bound says what is known. */
void hm_window_of_moment(const hm_bound *at, hm_window *out);

/* The window, whose end nobody gives, of what lasts until `end` at the latest: that of the
 * existence at this place. It ends there, for certain before the first instant that `end` may be.
 * Without a begin nothing is certain any more, and nothing worth telling possible, once `end` is
 * past: it held at some time before. false, and *out is left alone: its end is given or lies on
 * another axis, or `end` is not known or certainly before the begin. */
bool hm_window_cut(const hm_window *w, const hm_bound *end, uint32_t existence, hm_window *out);
/* The window, of which nobody gives a bound, of what held at some time in what has ended: as
 * hm_window_cut, but that two may have held at one time is worth telling. false: it has not ended.
 */
bool hm_window_cut_to_past(const hm_window *w, const hm_bound *end, uint32_t existence,
                           hm_window *out);
/* Nobody gives its begin, which lies not before `begin`: nothing is possible before. */
void hm_window_begin_after(hm_window *w, const hm_bound *begin);

/* Symmetric, both. At most one of them holds. */
bool hm_window_overlap(const hm_window *a, const hm_window *b);
bool hm_window_may_overlap(const hm_window *a, const hm_window *b);
/* Both as one answer. Windows on two axes: HM_NO. Of moments ask hm_window_inside. */
hm_certainty hm_window_overlap_certainty(const hm_window *a, const hm_window *b);
/* Was inner within outer? Only bounds that are given are compared, each of inner with each of
 * outer: a missing one is no objection. Certain: for every choice of the unknown instants;
 * possible: for some. Bounds alike are the same instant, and inside: who dies in the year of a
 * battle was there. Windows on two axes: HM_POSSIBLE. */
hm_certainty hm_window_inside(const hm_window *inner, const hm_window *outer);
/* Was there, at this time, what existed in the window w; throughout: in all of it, else in some of
 * it? As hm_window_inside for both bounds, but a bound of the time that may be the same instant as
 * that of w is no objection, nor is a unit at some of which it was there: who died in July 1890 was
 * there in 1890. */
hm_certainty hm_window_was_there(const hm_window *time, bool throughout, const hm_window *w);
/* Do both give an instant, on one axis, and can it not be the same? */
bool hm_bounds_differ(const hm_bound *a, const hm_bound *b);
/* Is the instant of a before that of b? Alike: HM_NO. Missing, or on two axes: HM_NO. */
hm_certainty hm_bound_before(const hm_bound *a, const hm_bound *b);

/* The time that claims contest, for people: the bounds as their rows write them. A begin that
 * is not known is unknown, an end that is not known is open. from, until: its certain instants,
 * by which spans are compared. */
typedef struct {
  hm_bound begin, end;
  hm_time from, until;
} hm_span;

/* The time of n windows, two or more, that overlap each other for certain: from the last begin to
 * the first end. false, and *out is left alone: two of them do not. Any
 * order of w gives the same. */
bool hm_windows_common_span(const hm_window *const *w, size_t n, hm_span *out);
#endif
