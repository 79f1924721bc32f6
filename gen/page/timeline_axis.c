/* The axis of a timeline: its calendar, its range, its breaks, and its ticks.
 * Cost: bars, and eras of the world. */
#include "gen/draw/draw.h"
#include "model.h"
#include "timeline_impl.h"

enum { STEPS = 6 };

/* --- the axis ------------------------------------------------------------------------- */

void hm_timeline_choose_axis(hm_timeline *t) {
  uint32_t n[HM_AXES_MAX + 1] = { 0 };
  for (size_t i = 0; i < t->n; i++)
    if (!t->bars[i].heading)
      n[t->bars[i].w.axis]++;
  for (uint16_t x = 0; x <= HM_AXES_MAX; x++)
    if (n[x] > n[t->axis])
      t->axis = x;
}

/* Only the limit of "before 1340" and "after 1340" has a place. */
static void widen(hm_timeline *t, const hm_bound *b, bool vague) {
  if (!b->known || b->vague != vague)
    return;
  bool none = t->lo > t->hi, limit = hm_bound_is_limit(b);
  hm_time first = limit && b->first == HM_DATES_FIRST ? b->last : b->first;
  hm_time last = limit && b->last == HM_DATES_LAST ? b->first : b->last;
  if (vague && !none &&
      (last < t->lo || first > t->hi || (__int128)last - first > 2 * ((__int128)t->hi - t->lo)))
    return;
  if (none || first < t->lo)
    t->lo = first;
  if (none || last > t->hi)
    t->hi = last;
}

/* The rest of eras of which nobody says how long they were, behind all that is drawn in them. */
static void find_breaks(hm_timeline *t) {
  const hm_era_place *eras;
  size_t n = t->axis ? hm_world_list_era_places(t->world, t->m->a, &eras) : 0;
  for (size_t i = 0; i < n && t->n_breaks < HM_TIMELINE_BREAKS; i++) {
    if (eras[i].is_measured || eras[i].last >= t->hi || eras[i].last < t->lo)
      continue;
    hm_time used = eras[i].first > t->lo ? eras[i].first : t->lo;
    for (size_t k = 0; k < t->n; k++) {
      const hm_bound *b[] = { &t->bars[k].w.begin, &t->bars[k].w.end };
      for (int e = 0; e < 2 && t->bars[k].w.axis == t->axis && !t->bars[k].heading; e++)
        if (b[e]->known && b[e]->last <= eras[i].last - eras[i].tick && b[e]->last > used)
          used = b[e]->last;
    }
    used += (used - t->lo) / 20 + 10 * eras[i].tick;
    if (used >= eras[i].last)
      continue;
    t->breaks[t->n_breaks].from = used;
    t->breaks[t->n_breaks++].until = eras[i].last;
  }
}

/* Without what the breaks leave out, from lo on. */
static __int128 length_to(const hm_timeline *t, hm_time at) {
  __int128 n = (__int128)at - t->lo;
  for (size_t i = 0; i < t->n_breaks; i++) {
    if (at <= t->breaks[i].from)
      break;
    n -= (__int128)(at < t->breaks[i].until ? at : t->breaks[i].until) - t->breaks[i].from;
  }
  return n;
}

int hm_timeline_place(const hm_timeline *t, hm_time at) {
  if (at <= t->lo)
    return 0;
  if (at >= t->hi)
    return HM_DRAW_WIDTH;
  return (int)(length_to(t, at) * HM_DRAW_WIDTH / length_to(t, t->hi));
}

bool hm_timeline_set_axis(hm_timeline *t) {
  const hm_time day = (hm_time)86400 * 1000000;
  t->lo = HM_TIME_MAX, t->hi = HM_TIME_MIN;
  /* What is exact, what is vague, and last the ends that no row gives. */
  for (int pass = 0; pass < 3; pass++)
    for (size_t i = 0; i < t->n; i++) {
      const hm_window *w = &t->bars[i].w;
      if (t->bars[i].heading || w->axis != t->axis)
        continue;
      if (pass < 2)
        widen(t, &w->begin, pass);
      if (pass < 2 ? !w->ends_with : !!w->ends_with)
        widen(t, &w->end, pass < 2 ? pass : w->end.vague);
    }
  if (t->lo > t->hi)
    return false;
  find_breaks(t);
  __int128 pad = length_to(t, t->hi) / 25;
  if (pad < 2)
    pad = t->axis ? 1 : day;
  __int128 lo = t->lo - pad, hi = t->hi + pad;
  t->lo = lo < -HM_TIME_MAX ? -HM_TIME_MAX : (hm_time)lo;
  t->hi = hi > HM_TIME_MAX - 1 ? HM_TIME_MAX - 1 : (hm_time)hi;
  return true;
}

/* --- its marks ------------------------------------------------------------------------- */

/* When the tick is too near the last one, skips it, unless it begins an era: then it replaces the
 * last one. */
static void add_tick(const hm_timeline *t, hm_timeline_ticks *k, hm_time at, hm_str label,
                     bool strong) {
  if (k->n == HM_DRAW_TICKS_MAX || at < t->lo || at > t->hi)
    return;
  int to = hm_timeline_place(t, at);
  bool near = k->n && to - k->v[k->n - 1].at < HM_DRAW_WIDTH / 8;
  if (near && !strong)
    return;
  k->n -= near;
  k->v[k->n++] = (hm_draw_tick){ to, label, strong };
}

/* The least of 1, 2, 5, 10, 20, ... of which at most STEPS fit. */
static int64_t nice_step(__int128 n) {
  static const int of[] = { 1, 2, 5 };
  int64_t power = 1;
  for (int i = 0;; i++) {
    if (i && i % 3 == 0)
      power *= 10;
    if (n / ((__int128)power * of[i % 3]) < STEPS || power > INT64_MAX / 100)
      return power * of[i % 3];
  }
}

static hm_str year_words(hm_arena *a, int year) {
  return year > 0 ? hm_str_fmt(a, "%d", year) : hm_str_fmt(a, "%d BC", 1 - year);
}

void hm_timeline_add_date_ticks(const hm_timeline *t, hm_timeline_ticks *k) {
  static const hm_precision units[] = { HM_P_YEAR, HM_P_MONTH, HM_P_DAY };
  static const size_t length[] = { 4, 7, 10 };
  const hm_time day = (hm_time)86400 * 1000000;
  static const int days[] = { 366, 31, 1 };
  int u = 0;
  while (u < 2 && (t->hi - t->lo) / (days[u] * day) < 3)
    u++;
  hm_arena *a = t->m->a;
  int64_t step = nice_step((t->hi - t->lo) / (days[u] * day) + 1);
  if (u == 1)
    step = step <= 3 ? step : step <= 6 ? 6 : 12;
  int year = hm_time_year(t->lo);
  hm_time first =
      hm_time_shift(0, HM_P_YEAR, year - 1970 - (u ? 0 : ((year % step) + step) % step));
  for (int64_t i = 0; i < 2000 && k->n < HM_DRAW_TICKS_MAX; i++) {
    hm_time at = hm_time_shift(first, units[u], i * step);
    if (at > t->hi)
      return;
    hm_str label = u ? hm_format_date(a, hm_str_sub(hm_time_iso(a, at), 0, length[u]))
                     : year_words(a, hm_time_year(at));
    add_tick(t, k, at, label, false);
  }
}

void hm_timeline_add_era_ticks(const hm_timeline *t, hm_timeline_ticks *k) {
  const hm_era_place *eras;
  hm_arena *a = t->m->a;
  size_t n = hm_world_list_era_places(t->world, a, &eras);
  for (size_t i = 0; i < n; i++) {
    const hm_era_place *e = &eras[i];
    if (e->last < t->lo || e->first > t->hi)
      continue;
    int64_t step = nice_step(length_to(t, t->hi) / e->tick + 1);
    hm_time from = t->lo > e->first ? t->lo : e->first;
    int64_t unit = e->first_unit + (from - e->first) / e->tick;
    hm_str name = hm_shorten(a, e->name, 30);
    add_tick(t, k, from, name, from == e->first);
    for (unit += (step - unit % step) % step; k->n < HM_DRAW_TICKS_MAX; unit += step) {
      hm_time at = e->first + (unit - e->first_unit) * e->tick;
      if (at > e->last || at > t->hi)
        break;
      bool skipped = false;
      for (size_t b = 0; b < t->n_breaks; b++)
        skipped |= at > t->breaks[b].from && at < t->breaks[b].until;
      if (skipped)
        break;
      add_tick(t, k, at, hm_str_fmt(a, "%.*s %lld", HM_FMT(e->unit), (long long)unit), false);
    }
  }
}
