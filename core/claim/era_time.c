/* Times in a world: which instants `3rd_age.year_345`, `3rd_age`, `current` and `about 1066` may
 * be.
 *
 * A unit of an era begins that number of units after the era's begin. An approximate time widens
 * its range by its tolerance, but not beyond the era that it names.
 * Cost: linear in the eras of the world.
 * Source: design section 6, "Time"; world.h. */
#include "core/base/json.h"
#include "core/claim/world_impl.h"

hm_time hm_era_later(const hm_era *e, hm_time t, int64_t n) {
  return e->axis ? t + n * HM_ERA_TICK : hm_time_shift(t, e->step, n);
}

static hm_time earlier_of(hm_time a, hm_time b) { return a < b ? a : b; }
static hm_time later_of(hm_time a, hm_time b) { return a > b ? a : b; }

/* All of it, as far as it is known. */
static void set_era(const hm_era *e, hm_bound *out) {
  out->first = e->first;
  out->last = e->last;
  out->era = e->unplaced;
  out->vague = true;
}

/* false: the era has no unit of this number. */
static bool set_unit(const hm_era *e, int number, hm_bound *out) {
  if (number < e->first_unit || number > e->last_unit)
    return false;
  set_era(e, out);
  if (!e->is_counted)
    return true;
  int k = number - e->first_unit;
  hm_time first = hm_era_later(e, e->begins.first, k);
  hm_time next = hm_era_later(e, e->begins.vague ? e->begins.last + 1 : e->begins.first, k + 1);
  out->vague = e->begins.vague;
  out->first = first;
  out->last = earlier_of(next - 1, e->last);
  return first <= e->last;
}

static bool read_era(const hm_world *w, const hm_time_text *t, hm_bound *out) {
  const hm_era *e = hm_world_era(w, t->era);
  if (!e && !t->unit.n && hm_era_name_eq(t->era, HM_STR("current"))) {
    hm_bound as_written = *out;
    *out = w->current;
    out->text = w->current.known ? as_written.text : NULL;
    out->text_n = as_written.text_n;
    return true;
  }
  if (!e)
    return false;
  out->axis = e->axis;
  if (!t->unit.n) {
    set_era(e, out);
    return true;
  }
  if (!hm_era_name_eq(t->unit, e->unit) || !set_unit(e, t->number, out))
    return false;
  hm_str unit = t->tolerance_unit, one = hm_str_sub(unit, 0, unit.n - hm_str_ends(unit, "s"));
  if (unit.n && !hm_era_name_eq(unit, e->unit) && !hm_era_name_eq(one, e->unit))
    return false;
  int around = t->has_tolerance ? t->tolerance : t->about ? w->allows.approximate : 0;
  if (!around || !e->is_counted)
    return true;
  out->first = later_of(e->first, hm_era_later(e, out->first, -around));
  out->last = earlier_of(e->last, hm_era_later(e, out->last + 1, around) - 1);
  out->vague = true;
  return true;
}

static bool read_date(const hm_world *w, const hm_time_text *t, hm_bound *out) {
  int around = t->has_tolerance ? t->tolerance : t->about ? hm_world_allows(w).approximate : 0;
  bool is_partial = t->precision <= HM_P_DAY;
  hm_precision unit = t->precision == HM_P_FRACTION ? HM_P_SECOND : t->precision;
  if (t->tolerance_unit.n && !hm_precision_parse(t->tolerance_unit, &unit))
    return false;
  out->first = t->first;
  out->last = t->is_range ? t->last
      : is_partial        ? hm_time_last_instant(t->first, t->precision)
                          : t->first;
  out->vague = t->is_range;
  if (!around)
    return true;
  out->first = later_of(HM_DATES_FIRST, hm_time_shift(out->first, unit, -around));
  out->last =
      earlier_of(HM_DATES_LAST, hm_time_shift(out->last + is_partial, unit, around) - is_partial);
  out->vague = true;
  return true;
}

static bool read_written(const hm_world *w, hm_str text, hm_bound *out) {
  hm_time_text t;
  if (!hm_time_text_parse(text, &t) || (!t.is_date && !w))
    return false;
  hm_str trimmed = hm_str_trim(text);
  if (t.is_date && t.era.n && w && hm_world_era(w, t.era))
    t.is_date = false;
  hm_bound b = { .known = true,
                 .precision = t.is_date ? t.precision : HM_P_YEAR,
                 .text = trimmed.p,
                 .text_n = (uint8_t)trimmed.n };
  if (!(t.is_date ? read_date(w, &t, &b) : read_era(w, &t, &b)))
    return false;
  *out = b;
  return true;
}

static void expand_era(const hm_world *w, hm_str until, hm_bound *begin, hm_bound *end) {
  hm_str name = hm_str_trim(until);
  const hm_era *e = begin->text ? hm_world_era(w, name) : NULL;
  if (!e || e->unplaced || !hm_era_name_eq((hm_str){ begin->text, begin->text_n }, name))
    return;
  *begin = e->begins;
  *end = e->ends;
}

/* --- bounds and windows ------------------------------------------------------------------- */

/* On which a row without bounds holds: the world's own where it has eras there. */
static uint16_t axis_of(const hm_world *w) { return w && w->has_own_axis ? w->axis : 0; }

bool hm_bound_parse(const hm_world *world, hm_str text, hm_bound *out) {
  *out = (hm_bound){ 0 };
  if (!hm_str_trim(text).n) {
    out->axis = axis_of(world);
    return true;
  }
  if (!hm_time_parse(text, &out->first, &out->precision))
    return read_written(world, text, out);
  out->known = true;
  out->last =
      out->precision <= HM_P_DAY ? hm_time_last_instant(out->first, out->precision) : out->first;
  return true;
}

hm_window_fault hm_bounds_parse(const hm_world *world, hm_str from, hm_str until, hm_bound *begin,
                                hm_bound *end) {
  if (!hm_bound_parse(world, from, begin))
    return HM_WINDOW_BAD_FROM;
  if (hm_time_is_present(until))
    *end = (hm_bound){ .axis = axis_of(world) };
  else if (!hm_bound_parse(world, until, end))
    return HM_WINDOW_BAD_UNTIL;
  if (world && end->text)
    expand_era(world, until, begin, end);
  return begin->known && end->known && begin->axis != end->axis ? HM_WINDOW_TWO_AXES : HM_WINDOW_OK;
}

hm_window_fault hm_window_parse(const hm_world *world, hm_str from, hm_str until, hm_time now,
                                hm_window *out) {
  hm_bound begin, end;
  hm_window_fault fault = hm_bounds_parse(world, from, until, &begin, &end);
  if (fault != HM_WINDOW_OK)
    return fault;
  uint16_t axis = begin.known || !end.known ? begin.axis : end.axis;
  if (world && world->current.known && world->current.axis == axis)
    now = world->current.last;
  return hm_window_of_bounds(&begin, &end, now, out) ? HM_WINDOW_OK : HM_WINDOW_INVERTED;
}

hm_fault_words hm_window_fault_words(hm_window_fault fault) {
  static const char a_time[] = "an ISO 8601 time, such as 2026-04 or 2026-04-02T09:00:00Z; or "
                               "44 BC, about 1066 ± 5, or a time of an era in world.yml";
  static const hm_fault_words words[] = {
    [HM_WINDOW_BAD_FROM] = { "valid_from is no time, so when this holds is not known", a_time },
    [HM_WINDOW_BAD_UNTIL] = { "valid_until is no time, so when this holds is not known", a_time },
    [HM_WINDOW_TWO_AXES] = { "valid_from and valid_until are of two calendars, so when this holds "
                             "is not known",
                             "two dates, or two times of eras that world.yml relates" },
    [HM_WINDOW_INVERTED] = { "valid_until is not after valid_from, so this holds at no time",
                             "valid_until after valid_from" },
  };
  return words[fault];
}

/* --- later ------------------------------------------------------------------------------ */

static const hm_era *next_on_axis(const hm_world *w, hm_time t) {
  for (size_t i = 0; i < w->n; i++)
    if (w->eras[i].on_own_axis && w->eras[i].last >= t)
      return &w->eras[i];
  return NULL;
}

/* The latest instant that may lie n units after t: each era of unknown length may have ended just
 * after t. */
static hm_time latest_later(const hm_world *w, hm_time t, int n) {
  hm_time rest = n * HM_ERA_TICK;
  for (const hm_era *e; (e = next_on_axis(w, t)); t = e->last + 1) {
    hm_time left = e->last + 1 - t;
    if (e->is_measured && left > rest)
      return t + rest;
    if (e->is_measured)
      rest -= left;
    else if (!next_on_axis(w, e->last + 1))
      break;
  }
  return t + rest;
}

/* The earliest: an era of unknown length goes on. */
static hm_time earliest_later(const hm_time t, int n) { return t + n * HM_ERA_TICK; }

hm_bound hm_bound_shift(const hm_world *w, const hm_bound *b, int n) {
  hm_bound out = *b;
  out.text = NULL;
  out.text_n = 0;
  if (!b->known || !n)
    return *b;
  if (!b->axis) {
    bool is_partial = b->last > b->first;
    out.first = hm_time_shift(b->first, HM_P_YEAR, n);
    out.last = hm_time_shift(b->last + is_partial, HM_P_YEAR, n) - is_partial;
    return out;
  }
  out.first = earliest_later(b->first, n);
  out.last = w ? latest_later(w, b->last, n) : earliest_later(b->last, n);
  out.vague = b->vague || out.last - out.first != b->last - b->first;
  return out;
}

/* --- a world ------------------------------------------------------------------------------ */

const hm_era *hm_world_era(const hm_world *w, hm_str name) {
  for (size_t i = 0; i < w->n; i++)
    if (hm_era_name_eq(w->eras[i].name, name))
      return &w->eras[i];
  return NULL;
}

hm_allowances hm_world_allows(const hm_world *w) {
  return w ? w->allows : (hm_allowances){ 10, 12, 1, false };
}
