/* Certain and possible windows of claims: window.h has the rules. */
#include "core/claim/window.h"

/* Now as an instant: after every bound when there is none, and with room for the one after it. */
static hm_time now_instant(hm_time now) { return now < HM_TIME_MAX ? now : HM_TIME_MAX - 1; }

bool hm_bound_read(hm_str text, hm_bound *out) {
  hm_bound b = { 0 };
  if (hm_str_trim(text).n) {
    if (!hm_time_parse(text, &b.first, &b.precision)) return false;
    b.known = true;
    b.last = b.precision <= HM_P_DAY ? hm_time_last(b.first, b.precision) : b.first;
  }
  *out = b;
  return true;
}

hm_str hm_bound_text(hm_arena *a, const hm_bound *b) {
  static const size_t lengths[] = { [HM_P_YEAR] = 4, [HM_P_MONTH] = 7, [HM_P_DAY] = 10 };
  if (!b->known) return HM_EMPTY;
  hm_str iso = hm_time_iso(a, b->first);
  return b->precision <= HM_P_DAY ? hm_str_sub(iso, 0, lengths[b->precision]) : iso;
}

static bool alike(const hm_bound *a, const hm_bound *b) {
  return a->known && b->known && a->first == b->first && a->last == b->last;
}

static void set_certain(hm_window *w, hm_time from, hm_time until, hm_time now) {
  bool empty = from >= until;
  w->from = empty ? HM_TIME_MAX : from;
  w->until = empty ? HM_TIME_MIN : until;
  w->at_now = !empty && from <= now && now < until;
}

bool hm_window_of(const hm_bound *begin, const hm_bound *end, hm_time now, hm_window *out) {
  hm_window w = { .may_from = begin->known ? begin->first : HM_TIME_MIN,
                  .may_until = end->known ? end->last : HM_TIME_MAX, .begin = *begin, .end = *end };
  hm_time from, until;
  now = now_instant(now);
  if (alike(begin, end)) {
    if (w.may_from == w.may_until) w.may_until++;
    from = w.may_from;
    until = w.may_until;
  } else {
    bool begun = !begin->known || begin->first <= now;
    until = end->known ? end->first : begun ? now + 1 : HM_TIME_MAX;
    from = begin->known ? begin->last : until - 1;
    if (from > now && (!begin->known || (!end->known && begun))) from = now;
  }
  if (w.may_from >= w.may_until) {
    w.may_from = HM_TIME_MAX;
    w.may_until = HM_TIME_MIN;
    from = until = 0;
  }
  set_certain(&w, from, until, now);
  *out = w;
  return w.may_from < w.may_until;
}

hm_window_fault hm_window_read(hm_str from, hm_str until, hm_time now, hm_window *out) {
  hm_bound begin, end;
  hm_window w;
  if (!hm_bound_read(from, &begin)) return HM_WINDOW_BAD_FROM;
  if (!hm_bound_read(until, &end)) return HM_WINDOW_BAD_UNTIL;
  if (!hm_window_of(&begin, &end, now, &w)) return HM_WINDOW_INVERTED;
  *out = w;
  return HM_WINDOW_OK;
}

bool hm_window_overlap(const hm_window *a, const hm_window *b) {
  return a->from < b->until && b->from < a->until;
}

/* The first instant that counts for a possible overlap. */
static hm_time told_from(const hm_window *w) {
  return !w->begin.known && w->at_now ? w->from : w->may_from;
}

bool hm_window_may_overlap(const hm_window *a, const hm_window *b) {
  if (hm_window_overlap(a, b)) return false;
  if (alike(&a->end, &b->begin) || alike(&b->end, &a->begin)) return false;
  return told_from(a) < b->may_until && told_from(b) < a->may_until;
}

/* --- the contested time -------------------------------------------------------- */

/* Of begins at one certain instant an exact one tells it, else a missing one leaves it unknown. */
static int begin_rank(const hm_bound *b) { return !b->known ? 1 : b->first == b->last ? 2 : 0; }

static bool later_begin(const hm_span *s, const hm_window *w) {
  if (w->from != s->from) return w->from > s->from;
  int d = begin_rank(&w->begin) - begin_rank(&s->begin);
  return d ? d > 0 : w->begin.first > s->begin.first;
}

/* Of ends at one certain instant: one that is known, of the smaller unit. */
static bool earlier_end(const hm_span *s, const hm_window *w) {
  if (w->until != s->until) return w->until < s->until;
  if (w->end.known != s->end.known) return w->end.known;
  return w->end.last < s->end.last;
}

bool hm_span_common(const hm_window *const *w, size_t n, hm_span *out) {
  if (!n) return false;
  hm_span s = { w[0]->begin, w[0]->end, w[0]->from, w[0]->until };
  for (size_t i = 1; i < n; i++) {
    if (later_begin(&s, w[i])) s.begin = w[i]->begin, s.from = w[i]->from;
    if (earlier_end(&s, w[i])) s.end = w[i]->end, s.until = w[i]->until;
  }
  if (s.from >= s.until) return false;
  *out = s;
  return true;
}
