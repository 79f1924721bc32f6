/* Forms behind "is" that are no row of a table: "is rebuilt every 6 hours", "are deleted after 30
 * days", "are retried up to 5 times", "is open from 8:00 to 20:00", "is at https://...", "is on
 * Tuesdays at 10:00", "is 32-year-old", "is using X for Y", "was raised to 60 s"; and "founded".
 *
 * A day is a part of the name of a time: what holds on Fridays says nothing of the other days. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/claim/prose_impl.h"

/* --- hours and days ------------------------------------------------------------------------ */

/* "9am-5pm" in one word */
static bool is_joined_hours(const prose *p, size_t i) {
  hm_str s = p->t[i].low;
  const char *dash = s.n > 4 ? memchr(s.p + 1, '-', s.n - 2) : NULL;
  if (!dash) return false;
  prose_word halves[2] = { p->t[i], p->t[i] };
  halves[0].low = halves[0].s = hm_str_sub(s, 0, (size_t)(dash - s.p));
  halves[1].low = halves[1].s = hm_str_sub(s, (size_t)(dash - s.p) + 1, s.n);
  prose half = *p;
  half.t = halves;
  half.n = 2;
  size_t to;
  return prose_is_clock(&half, 0, 1, &to) && prose_is_clock(&half, 1, 2, &to);
}

/* "from 9 am to 5 pm", "9am-5pm" at i; *to: behind it. */
static bool is_hours(const prose *p, size_t i, size_t end, size_t *to) {
  bool from = prose_is(p, i, end, "from") || prose_is(p, i, end, "between");
  if (from) i++;
  if (i >= end) return false;
  if (is_joined_hours(p, i)) return *to = i + 1, true;
  if (!from || !prose_is_clock(p, i, end, to)) return false;
  return (prose_is(p, *to, end, "to") || prose_is(p, *to, end, "and") ||
          prose_is(p, *to, end, "until")) &&
      prose_is_clock(p, *to + 1, end, to);
}

static bool claim_time(prose *p, prose_np *np, prose_value *v, const char *attribute, size_t i,
                       size_t to, size_t end) {
  prose_set_attribute(np, attribute);
  return prose_claim_span(p, np, v, i, to, end);
}

/* "open from 8:00 to 20:00", "available [to work] from 9 am to 5 pm" at i. */
static bool read_hours(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  bool open = prose_is(p, i, end, "open"), free = prose_is(p, i, end, "available");
  size_t at = i + 1, to;
  if (!open && !free) return false;
  if (prose_are(p, at, end, "to work") || prose_are(p, at, end, "for work")) at += 2;
  if (!is_hours(p, at, end, &to) || v->denied) return false;
  if (prose_is(p, at, end, "from") || prose_is(p, at, end, "between")) at++;
  return claim_time(p, np, v, open ? "opening_hours" : "available_hours", at, to, end);
}

/* "Wednesday mornings" */
static bool is_part_of_day(const prose *p, size_t i, size_t end) {
  return prose_is(p, i, end, "mornings") || prose_is(p, i, end, "evenings") ||
      prose_is(p, i, end, "afternoons") || prose_is(p, i, end, "nights");
}

/* What comes back each week, so that one day is a rule and no event. */
static bool is_weekly(const prose *p, const prose_np *np) {
  static const char *const words[] = { "pickup",    "collection", "standup", "stand-up", "practice",
                                       "rehearsal", "lesson",     "class",   "off-day" };
  return prose_last_word_in(p, np, words, HM_COUNT(words));
}

/* Days from k on; bare: no "on" stands before them, and each ends in s: "Mondays 10:00". */
static bool read_days_at(prose *p, const prose_np *of, size_t from, size_t k, size_t end, bool on,
                         bool bare) {
  prose_np days = *of, time = *of;
  prose_name name = { .n = 0 };
  prose_items items = { 0 };
  size_t first = k, to = k, hour, clock_at;
  if (of->indefinite || !(of->subject.n + of->attribute.n)) return false;
  for (; k < end && ((p->t[k].cls & C_AND) || prose_is_weekday(p, p->t[k].low)); k++) {
    if (p->t[k].cls & C_AND) continue;
    bool part = is_part_of_day(p, k + 1, end), many = hm_str_ends(p->t[k].low, "s");
    if (on && !many && !part && !is_weekly(p, of)) return false; /* one of them: an event */
    hm_str day = prose_singular(p, &p->t[k]);
    prose_add_word(&name, day);
    prose_items_add(p, &items, day);
    k += part;
    to = k + 1;
  }
  if (!items.n || items.n > 4) return false;
  bool at = prose_is(p, to, end, "at") && prose_is_clock(p, to + 1, end, &hour);
  if (!at && prose_is(p, to, end, "at") && to + 2 == end && p->t[to + 1].digit &&
      p->t[to + 1].s.n <= 2)
    at = true, hour = to + 2; /* "on Thursdays at 11" */
  clock_at = to + 1;
  if (!at && bare && (prose_is_clock(p, to, end, &hour) || is_hours(p, to, end, &hour))) {
    at = true, clock_at = to; /* "Mondays 10:00", "Sundays 02:00-04:00 UTC" */
    if (hour + 1 == end && p->t[hour].upper) hour++;
  }
  bool only = !bare && first > 1 && prose_is(p, first - 2, first, "only");
  if (!at && !only && prose_is(p, to, end, "only")) only = true, to++; /* "on Mondays only" */
  if (!at && to < end) return false;
  prose_value v = { .shape = HM_SHAPE_SET, .from = from, .to = to, .also = !only, .only = only };
  v.value = prose_span(p, first, to);
  v.reading = prose_items_reading(p, &items);
  prose_set_attribute(&days, "days");
  prose_claim(p, &days, &v);
  if (!at) return true;
  v = (prose_value){ .from = from };
  prose_add_name(&time.qualifier, &name);
  claim_time(p, &time, &v, "time", clock_at, hour, end);
  return true;
}

bool prose_read_days(prose *p, const prose_np *of, size_t from, size_t i, size_t end) {
  return prose_is_weekday(p, p->t[i].low) && hm_str_ends(p->t[i].low, "s") &&
      read_days_at(p, of, from, i, end, true, true);
}

bool prose_read_schedule(prose *p, const prose_np *of, size_t from, size_t i, size_t end) {
  bool every = prose_is(p, i, end, "every"),
       on = prose_is(p, i, end, "on") || prose_is(p, i, end, "to"); /* "moved to Thursdays" */
  return (every || on) && read_days_at(p, of, from, i + 1, end, on, false);
}

/* --- every, after, times --------------------------------------------------------------------- */

/* Participles of what happens to a thing by itself, after a while. */
static const char *const happens[] = {
  "archived", "cancelled",    "canceled",   "cleared",    "closed",    "collected", "compacted",
  "deleted",  "disconnected", "dropped",    "evicted",    "expired",   "flushed",   "invalidated",
  "killed",   "locked",       "logged out", "purged",     "refreshed", "released",  "removed",
  "renewed",  "restarted",    "rotated",    "terminated", "unlocked"
};

static bool read_after(prose *p, prose_np *np, prose_value *v, size_t at, size_t end) {
  size_t after = prose_are(p, at, end, "logged out") ? at + 2 : at + 1;
  prose_quantity q;
  if (!prose_is(p, after, end, "after") || np->person ||
      !prose_one_of(p, at, end, happens, HM_COUNT(happens)) ||
      !prose_read_quantity(p, &q, after + 1, end) || q.unit != UNIT_TIME)
    return false;
  hm_str attribute = HM_CAT(p->a, p->t[at].low, HM_STR("_after"));
  prose_claim_quantity(p, np, v, &q, end, hm_str_z(p->a, attribute));
  return true;
}

/* "nightly at 01:30", "every day at 6 am" at `at`: a time that comes back. */
static bool read_daily(prose *p, prose_np *np, prose_value *v, size_t at, size_t end) {
  static const char *const often[] = { "daily", "every day", "every night", "nightly" };
  static const char *const done[] = { "executed", "made",    "performed", "run",
                                      "sent",     "started", "taken" };
  bool part = prose_one_of(p, at, end, done, HM_COUNT(done)) || hm_str_ends(p->t[at].low, "ed");
  size_t to, from = part ? at + 1 : at, n = prose_one_of(p, from, end, often, HM_COUNT(often));
  if (from == at || !prose_is(p, from + n, end, "at") || np->person || np->indefinite ||
      !prose_is_clock(p, from + n + 1, end, &to))
    return false;
  bool own = !prose_one_of(p, at, end, done, HM_COUNT(done)); /* "generated daily at" */
  hm_str attribute = HM_CAT(p->a, p->t[at].low, HM_STR("_time"));
  return claim_time(p, np, v, own ? hm_str_z(p->a, attribute) : "start_time", from + n + 1, to,
                    end);
}

/* "reports are sent every Monday at 9am", "bins are emptied on Tuesdays" at `at`. */
static bool read_done_on(prose *p, const prose_np *np, size_t from, size_t at, size_t end) {
  static const char *const also[] = { "held", "run", "sent", "taken" };
  prose_np done = *np;
  bool held = prose_is(p, at, end, "held");
  if ((!hm_str_ends(p->t[at].low, "ed") && !prose_one_of(p, at, end, also, HM_COUNT(also))) ||
      p->t[at].stop || (p->t[at].cls & (C_STATE | C_MOVED | C_UNSURE | C_ON | C_OFF)))
    return false;
  if (!held) {
    prose_make_all_subject(&done);
    prose_add_word(&done.subject, p->t[at].low);
  }
  return prose_read_schedule(p, &done, from, at + 1, end);
}

/* "checkpoints are saved every 500 steps" at `at`: by a count. */
static bool read_every_count(prose *p, prose_np *np, prose_value *v, size_t at, size_t end) {
  prose_quantity q;
  if (!prose_is(p, at + 1, end, "every") || !hm_str_ends(p->t[at].low, "ed") || np->person ||
      np->indefinite || !prose_read_quantity(p, &q, at + 2, end) || !q.plain || q.range ||
      q.to + 1 != end || p->t[q.to].cls & ~(C_HEADING | C_MEASURE) ||
      !hm_str_ends(p->t[q.to].low, "s"))
    return false;
  hm_str attribute = HM_CAT(p->a, p->t[at].low, HM_STR("_every_"), p->t[q.to].low);
  q.to++;
  return prose_claim_quantity(p, np, v, &q, end, hm_str_z(p->a, attribute));
}

static bool read_every(prose *p, prose_np *np, prose_value *v, size_t at, size_t end) {
  static const char *const also[] = { "due", "rebuilt", "reset", "run", "sent", "taken" };
  prose_quantity q;
  /* "the rotation is every 60 days" */
  if (prose_is(p, at, end, "every") && !np->person && prose_read_quantity(p, &q, at + 1, end) &&
      q.unit == UNIT_TIME)
    return prose_claim_quantity(p, np, v, &q, end, "interval");
  if (read_daily(p, np, v, at, end) || read_every_count(p, np, v, at, end)) return true;
  if (!prose_is(p, at + 1, end, "every") ||
      !(hm_str_ends(p->t[at].low, "ed") || prose_one_of(p, at, end, also, HM_COUNT(also))))
    return false;
  if (!prose_read_quantity(p, &q, at + 2, end) || q.unit != UNIT_TIME) return false;
  prose_claim_quantity(p, np, v, &q, end, "interval");
  return true;
}

bool prose_read_times(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  prose_quantity q;
  if (!prose_read_quantity(p, &q, i, end) || !q.times || q.per.n || q.range) return false;
  return prose_claim_quantity(p, np, v, &q, end, "retries");
}

/* --- units that name what they measure ------------------------------------------------------ */

static const struct {
  const char *unit, *attribute;
} measures[] = {
  { "a", "current" },
  { "amps", "current" },
  { "bar", "pressure" },
  { "c", "temperature" },
  { "celsius", "temperature" },
  { "fahrenheit", "temperature" },
  { "fps", "frame_rate" },
  { "ghz", "frequency" },
  { "hz", "frequency" },
  { "khz", "frequency" },
  { "km/h", "speed" },
  { "kpa", "pressure" },
  { "kw", "power" },
  { "m/s", "speed" },
  { "ma", "current" },
  { "mbar", "pressure" },
  { "mhz", "frequency" },
  { "mm/s", "speed" },
  { "mpa", "pressure" },
  { "mph", "speed" },
  { "mv", "voltage" },
  { "mw", "power" },
  { "nm", "wavelength" },
  { "pa", "pressure" },
  { "psi", "pressure" },
  { "rpm", "speed" },
  { "um/s", "speed" },
  { "v", "voltage" },
  { "volts", "voltage" },
  { "w", "power" },
  { "watts", "power" },
  { "\xc2\xb0\x63", "temperature" },
  { "\xc2\xb0\x66", "temperature" },
};

bool prose_read_at_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                         const char *how) {
  prose_quantity q;
  if (np->person || np->indefinite || np->value || !prose_read_quantity(p, &q, i, end) || q.plain ||
      q.per.n || q.unlimited)
    return false;
  const prose_word *last = &p->t[q.to - 1];
  size_t from = 0; /* "633nm" */
  while (last->digit && from < last->low.n && !hm_is_lower(last->low.p[from]) &&
         (unsigned char)last->low.p[from] < 0x80)
    from++;
  hm_str unit = hm_str_sub(last->low, from, last->low.n);
  size_t k = 0;
  /* and no nanometres */
  if (hm_str_ends(last->s, "Nm") || hm_str_ends(last->low, "n\xc2\xb7m"))
    return prose_claim_quantity(p, np, v, &q, end, how ? "rated_torque" : "torque");
  while (k < HM_COUNT(measures) && !hm_str_is(unit, measures[k].unit)) k++;
  if (k == HM_COUNT(measures)) /* "rated for 900 kg" */
    return how && q.unit != UNIT_TIME && q.unit != UNIT_MONEY &&
        prose_claim_quantity(p, np, v, &q, end, how);
  hm_str attribute = how ? HM_CAT(p->a, hm_str_c(how), HM_STR("_"), hm_str_c(measures[k].attribute))
                         : hm_str_c(measures[k].attribute);
  /* "the laser wavelength runs at 633 nm" */
  if (np->attribute.n && !how &&
      hm_str_is(np->attribute.w[np->attribute.n - 1], measures[k].attribute))
    return prose_claim_quantity(p, np, v, &q, end, NULL);
  return prose_claim_quantity(p, np, v, &q, end, hm_str_z(p->a, attribute));
}

/* --- places -------------------------------------------------------------------------------- */

/* "[served] at https://api.example.org/v2" */
static bool read_url(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  static const char *const how[] = { "available", "hosted", "served", "reachable", "located" };
  if (prose_one_of(p, i, end, how, HM_COUNT(how))) i++;
  if (!prose_is(p, i, end, "at") || i + 2 != end || np->person || v->denied) return false;
  if (hm_str_find(p->t[i + 1].s, "://") < 1 || np->indefinite) return false;
  if (hm_str_starts(p->t[i + 1].s, "<")) return false; /* a link's signs */
  return claim_time(p, np, v, "url", i + 1, i + 2, end);
}

/* "The office is in Berlin": places that are in one town. */
static bool read_town(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  static const char *const words[] = { "factory", "headquarters", "hq",       "lab",
                                       "office",  "offices",      "warehouse" };
  prose_match m;
  if (!prose_is(p, i, end, "in") || v->denied || np->indefinite || np->person) return false;
  size_t stop = prose_tail_start(p, i + 1, end);
  if (!prose_one_of(p, np->last, np->last + 1, words, HM_COUNT(words)) || stop == i + 1 ||
      stop > i + 4 || prose_value_at(p, i + 1, end, &m))
    return false;
  for (size_t k = i + 1; k < stop; k++)
    if (!p->t[k].capital || (p->t[k].cls & C_DAY) || p->t[k].digit) return false;
  return claim_time(p, np, v, "location", i + 1, stop, end);
}

/* "was founded in 1998" at i. */
static bool read_founded(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  static const char *const how[] = { "founded", "established" };
  if (!prose_one_of(p, i, end, how, HM_COUNT(how)) || !prose_is(p, i + 1, end, "in")) return false;
  if (i + 3 != end || !p->t[i + 2].digit || p->t[i + 2].s.n != 4 || np->indefinite) return false;
  return claim_time(p, np, v, "founding_year", i + 2, i + 3, end);
}

/* --- all of them --------------------------------------------------------------------------- */

/* "is [a] 32-year-old engineer" */
static bool read_age(prose *p, prose_np *np, prose_value *v, size_t at, size_t end) {
  size_t age = prose_has(p, at, end, C_ARTICLE) ? at + 1 : at;
  if (!np->person || age >= end || !p->t[age].digit || !hm_str_ends(p->t[age].low, "-year-old"))
    return false;
  v->shape = HM_SHAPE_QUANTITY;
  v->value = hm_str_sub(p->t[age].s, 0, p->t[age].s.n - 9);
  v->to = age + 1;
  prose_set_attribute(np, "age");
  prose_claim(p, np, v);
  return true;
}

bool prose_read_special(prose *p, prose_np *np, prose_value *v, size_t i, size_t at, size_t end,
                        bool past) {
  typedef bool (*reader)(prose *, prose_np *, prose_value *, size_t, size_t);
  static const reader readers[] = { read_every, read_after, read_hours,          read_age,
                                    read_url,   read_town,  prose_read_allergies };
  /* A number is no word of them, and most values are one */
  if (p->t[at].digit && !hm_str_ends(p->t[at].low, "ed") &&
      !hm_str_ends(p->t[at].low, "-year-old"))
    return false;
  prose_np saved = *np;
  prose_value clean = *v;
  for (size_t k = 0; !past && !v->denied && k < HM_COUNT(readers); k++) {
    if (readers[k](p, np, v, at, end)) return true;
    *np = saved;
    *v = clean;
  }
  if (past && (read_founded(p, np, v, at, end) || prose_read_birth(p, np, v, at, end))) return true;
  if (!past && !v->denied && prose_is(p, at, end, "retried") &&
      prose_read_times(p, np, v, at + 1, end))
    return true;
  *np = saved;
  *v = clean;
  size_t days = prose_is(p, at, end, "only") ? at + 1 : at;
  if (!past && !v->denied && !np->person &&
      (prose_read_schedule(p, np, i, days, end) || read_done_on(p, np, i, at, end)))
    return true;
  bool user =
      np->user || np->subject.n == 0 || (np->subject.n == 1 && hm_str_is(np->subject.w[0], "user"));
  if (prose_is(p, at, end, "using") && !v->denied && user) {
    prose_read_use(p, i, at + 1, end);
    return true;
  }
  bool to = prose_is(p, at + 1, end, "to") || prose_is(p, at + 1, end, "from");
  if (!(p->t[at].cls & C_MOVED) || !to || v->denied) return false;
  prose_read_moved(p, np, v, at + 1, end);
  return true;
}
