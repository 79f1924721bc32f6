/* Certain and possible windows and their comparison: window.h has the rules. */
#include "core/value/window.h"

void hm_axis_range(uint16_t axis, hm_time *first, hm_time *until) {
  static const hm_time span = INT64_C(20000000000000000); /* room for all eras of world_eras.c */
  *first = axis ? HM_TIME_MIN + 1000 + (axis - 1) * span : HM_TIME_MIN;
  *until = axis ? *first + span : HM_TIME_MAX;
}

hm_str hm_bound_text(hm_arena *a, const hm_bound *b) {
  static const size_t lengths[] = { [HM_P_YEAR] = 4, [HM_P_MONTH] = 7, [HM_P_DAY] = 10 };
  if (!b->known)
    return HM_EMPTY;
  if (b->text)
    return hm_str_dup(a, (hm_str){ b->text, b->text_n });
  hm_str iso = hm_time_iso(a, b->first);
  return b->precision <= HM_P_DAY ? hm_str_sub(iso, 0, lengths[b->precision]) : iso;
}

bool hm_bound_is_limit(const hm_bound *b) {
  return b->known && b->vague && (b->first == HM_DATES_FIRST || b->last == HM_DATES_LAST);
}

static bool alike(const hm_bound *a, const hm_bound *b) {
  return a->known && b->known && a->first == b->first && a->last == b->last && a->era == b->era &&
      a->vague == b->vague;
}

/* The latest instant at which it begins, the earliest at which it ends. */
static void set_certain(hm_window *w, hm_time from, hm_time until, hm_time now) {
  w->from = from;
  w->until = until;
  w->at_now = from <= now && now < until;
}

static hm_time earlier(hm_time a, hm_time b) { return a < b ? a : b; }
static hm_time later(hm_time a, hm_time b) { return a > b ? a : b; }

static void hold_for_certain_never(hm_window *w) {
  w->from = HM_TIME_MAX;
  w->until = HM_TIME_MIN;
  w->at_now = false;
}

bool hm_window_of_bounds(const hm_bound *begin, const hm_bound *end, hm_time now, hm_window *out) {
  bool by_begin = begin->known || !end->known;
  hm_window *w = out;
  hm_time from, until, axis_first, axis_until;
  *w = (hm_window){ .axis = by_begin ? begin->axis : end->axis, .begin = *begin, .end = *end };
  hm_axis_range(w->axis, &axis_first, &axis_until);
  if (now < axis_first || now >= axis_until)
    now = axis_until - 1; /* room for the one after it */
  w->may_from = begin->known ? begin->first : axis_first;
  w->may_until = end->known ? end->last : axis_until;
  bool two_axes = begin->known && end->known && begin->axis != end->axis;
  bool is_unit = alike(begin, end) && !begin->vague;
  if (two_axes || w->may_from >= w->may_until) {
    /* Nothing, neither certain nor possible. */
    hold_for_certain_never(w);
    w->may_from = HM_TIME_MAX;
    w->may_until = HM_TIME_MIN;
    return is_unit;
  }
  if (is_unit) {
    from = w->may_from;
    until = w->may_until;
  } else if (begin->known && end->known) {
    from = earlier(begin->last, end->last - 1);
    until = later(end->first, begin->first + 1);
  } else {
    bool begun = !begin->known || begin->first <= now;
    until = end->known ? end->first : begun ? now + 1 : axis_until;
    from = begin->known ? begin->last : until - 1;
    if (from > now && (!begin->known || (!end->known && begun)))
      from = now;
  }
  set_certain(w, from, until, now);
  return true;
}

void hm_window_of_moment(const hm_bound *at, hm_window *out) {
  *out = (hm_window){ .may_from = at->first,
                      .may_until = at->last + 1,
                      .moment = true,
                      .axis = at->axis,
                      .begin = *at,
                      .end = *at };
  set_certain(out, at->last, at->first + 1, HM_TIME_MIN);
}

bool hm_window_cut(const hm_window *w, const hm_bound *end, uint32_t existence, hm_window *out) {
  bool dated = w->begin.known;
  if (w->end.known || !end->known || end->axis != w->axis)
    return false;
  if (dated && hm_bound_before(end, &w->begin) == HM_CERTAIN)
    return false;
  hm_window cut = *w;
  cut.end = *end;
  cut.ends_with = existence + 1;
  cut.may_until = later(end->last, w->may_from + 1);
  if (dated)
    set_certain(&cut, earlier(w->from, cut.may_until - 1),
                later(earlier(end->first, w->until), w->begin.first + 1), w->until - 1);
  else if (end->first <= w->from) /* else it holds now, and ends later */
    hold_for_certain_never(&cut);
  cut.at_now = cut.at_now && w->at_now;
  *out = cut;
  return true;
}

bool hm_window_cut_to_past(const hm_window *w, const hm_bound *end, uint32_t existence,
                           hm_window *out) {
  hm_window cut;
  if (w->begin.known || !hm_window_cut(w, end, existence, &cut) || cut.at_now)
    return false;
  cut.sometime = true;
  *out = cut;
  return true;
}

void hm_window_begin_after(hm_window *w, const hm_bound *begin) {
  bool later = begin->known && begin->axis == w->axis && begin->first > w->may_from;
  if (later && !w->begin.known && begin->first < w->may_until)
    w->may_from = begin->first;
}

bool hm_window_overlap(const hm_window *a, const hm_window *b) {
  return a->from < b->until && b->from < a->until;
}

/* The first instant that counts for a possible overlap, and the one after the last. */
static hm_time counted_from(const hm_window *w) {
  bool limit = w->begin.first == HM_DATES_FIRST && hm_bound_is_limit(&w->begin);
  return limit ? w->begin.last : !w->begin.known && w->at_now ? w->from : w->may_from;
}

static hm_time counted_until(const hm_window *w) {
  bool limit = w->end.last == HM_DATES_LAST && hm_bound_is_limit(&w->end);
  return limit ? w->end.first : w->may_until;
}

/* May the one end when the other begins? */
static bool may_touch(const hm_window *a, const hm_window *b) {
  bool meet = b->begin.first <= a->end.last && a->end.first <= b->begin.last;
  return alike(&a->end, &b->begin) || (a->ends_with && b->begin.known && meet);
}

/* Some time before the end of an existence: that is no news about others. */
static bool is_past(const hm_window *w) {
  return w->ends_with && !w->begin.known && !w->at_now && !w->sometime;
}

bool hm_window_may_overlap(const hm_window *a, const hm_window *b) {
  if (hm_window_overlap(a, b) || a->axis != b->axis)
    return false;
  if (may_touch(a, b) || may_touch(b, a) || is_past(a) || is_past(b))
    return false;
  return counted_from(a) < counted_until(b) && counted_from(b) < counted_until(a);
}

hm_certainty hm_window_overlap_certainty(const hm_window *a, const hm_window *b) {
  if (hm_window_overlap(a, b))
    return HM_CERTAIN;
  return hm_window_may_overlap(a, b) ? HM_POSSIBLE : HM_NO;
}

/* --- inside, before ------------------------------------------------------------- */

hm_certainty hm_bound_before(const hm_bound *a, const hm_bound *b) {
  if (!a->known || !b->known || a->axis != b->axis || alike(a, b))
    return HM_NO;
  if (a->last < b->first)
    return HM_CERTAIN;
  bool limit = hm_bound_is_limit(a) || hm_bound_is_limit(b);
  return a->first < b->last && !limit ? HM_POSSIBLE : HM_NO;
}

bool hm_bounds_differ(const hm_bound *a, const hm_bound *b) {
  return hm_bound_before(a, b) == HM_CERTAIN || hm_bound_before(b, a) == HM_CERTAIN;
}

/* Is a before b, or alike, or, if not strictly, at it? A missing bound is no objection. */
static hm_certainty is_before(const hm_bound *a, const hm_bound *b, bool strictly) {
  if (!a->known || !b->known || alike(a, b) || a->last + strictly <= b->first)
    return HM_CERTAIN;
  if (a->first + strictly > b->last)
    return HM_NO;
  return hm_bound_is_limit(a) || hm_bound_is_limit(b) ? HM_CERTAIN : HM_POSSIBLE;
}

/* The begin and the end, which are exact where both together mean a unit. */
static void bounds_of(const hm_window *w, hm_bound *begin, hm_bound *end) {
  *begin = w->begin;
  *end = w->end;
  if (w->moment || begin->vague || !alike(begin, end))
    return;
  begin->last = begin->first;
  end->first = end->last;
}

hm_certainty hm_window_inside(const hm_window *inner, const hm_window *outer) {
  hm_bound i[2], o[2];
  bounds_of(inner, &i[0], &i[1]);
  bounds_of(outer, &o[0], &o[1]);
  if ((!i[0].known && !i[1].known) || (!o[0].known && !o[1].known))
    return HM_CERTAIN;
  if (inner->axis != outer->axis)
    return HM_POSSIBLE;
  hm_certainty answer = HM_CERTAIN;
  for (int k = 0; k < 2; k++) {
    bool is_instant = k == 0 || inner->moment; /* not one before which something ends */
    hm_certainty after_begin = is_before(&o[0], &i[k], false);
    hm_certainty before_end = is_before(&i[k], &o[1], is_instant);
    if (after_begin < answer)
      answer = after_begin;
    if (before_end < answer)
      answer = before_end;
  }
  return answer;
}

/* Does b come before a? */
static hm_certainty in_order(const hm_bound *a, const hm_bound *b) {
  return HM_CERTAIN - hm_bound_before(b, a);
}

static bool may_be_one(const hm_bound *a, const hm_bound *b) {
  return a->known && b->known && !hm_bounds_differ(a, b);
}

/* Does the unit that a says hold b? */
static bool holds(const hm_bound *a, const hm_bound *b) {
  return b->known && !a->vague && a->first <= b->first && b->last <= a->last;
}

static bool is_one_unit(const hm_window *w) {
  return holds(&w->begin, &w->end) && holds(&w->end, &w->begin);
}

/* What began or ended with it was there: of a bound that may be the same instant nobody is told. */
static hm_certainty is_all_in(hm_window time, const hm_window *w) {
  hm_bound unknown = { .axis = time.axis };
  bool began_with_it = may_be_one(&time.begin, &w->begin);
  bool ended_with_it = may_be_one(&time.end, &w->end);
  if (is_one_unit(&time))
    time.begin.last = time.begin.first, time.end.first = time.end.last;
  if (began_with_it)
    time.begin = unknown;
  if (ended_with_it)
    time.end = unknown;
  return hm_window_inside(&time, w);
}

hm_certainty hm_window_was_there(const hm_window *time, bool throughout, const hm_window *w) {
  if (throughout)
    return is_all_in(*time, w);
  hm_certainty begun = in_order(&w->begin, &time->end), lasts = in_order(&time->begin, &w->end);
  bool unit = is_one_unit(time) && begun && lasts;
  if (unit && holds(&time->begin, &w->begin))
    begun = HM_CERTAIN;
  if (unit && holds(&time->begin, &w->end))
    lasts = HM_CERTAIN;
  return begun < lasts ? begun : lasts;
}

/* --- the contested time -------------------------------------------------------- */

/* Of begins at one certain instant an exact one is taken; else a missing one leaves it unknown. */
static int begin_rank(const hm_bound *b) { return !b->known ? 1 : b->first == b->last ? 2 : 0; }

static bool later_begin(const hm_span *s, const hm_window *w) {
  if (w->from != s->from)
    return w->from > s->from;
  int d = begin_rank(&w->begin) - begin_rank(&s->begin);
  return d ? d > 0 : w->begin.first > s->begin.first;
}

/* Of ends at one certain instant: one that is known, of the smaller unit. */
static bool earlier_end(const hm_span *s, const hm_window *w) {
  if (w->until != s->until)
    return w->until < s->until;
  if (w->end.known != s->end.known)
    return w->end.known;
  return w->end.last < s->end.last;
}

bool hm_windows_common_span(const hm_window *const *w, size_t n, hm_span *out) {
  if (n < 2)
    return false;
  hm_span s = { w[0]->begin, w[0]->end, w[0]->from, w[0]->until };
  size_t last = 0; /* the one that begins last */
  for (size_t i = 1; i < n; i++) {
    if (later_begin(&s, w[i]))
      s.begin = w[i]->begin, s.from = w[i]->from, last = i;
    if (earlier_end(&s, w[i]))
      s.end = w[i]->end, s.until = w[i]->until;
  }
  for (size_t i = 0; i < n; i++)
    if (i != last && !hm_window_overlap(w[i], w[last]))
      return false;
  *out = s;
  return true;
}
