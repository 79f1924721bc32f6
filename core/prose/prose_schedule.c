/* Recurring times of a thing: "open from 8:00 to 20:00", "on Tuesdays at 10:00".
 *
 * The day is part of the attribute's name: a time on Fridays does not contradict one on other days.
 */
#include <string.h>

#include "core/prose/prose_grammar.h"

/* --- hours and days --------------------------------------------------------------------------- */

/* "9am-5pm" in one word */
static bool is_joined_hours(const prose *p, size_t i) {
  hm_str s = p->t[i].low;
  const char *dash = s.n > 4 ? memchr(s.p + 1, '-', s.n - 2) : NULL;
  if (!dash)
    return false;
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
  bool from = prose_one_of(p, i, end, "from|between");
  if (from)
    i++;
  if (i >= end)
    return false;
  if (is_joined_hours(p, i))
    return *to = i + 1, true;
  if (!from || !prose_is_clock(p, i, end, to))
    return false;
  return prose_one_of(p, *to, end, "to|and|until") && prose_is_clock(p, *to + 1, end, to);
}

bool prose_read_hours(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  bool open = prose_is(p, i, end, "open"), free = prose_is(p, i, end, "available");
  size_t at = i + 1, to;
  if (!open && !free)
    return false;
  if (prose_one_of(p, at, end, "to work|for work"))
    at += 2;
  if (!is_hours(p, at, end, &to) || v->denied)
    return false;
  if (prose_one_of(p, at, end, "from|between"))
    at++;
  return prose_claim_attribute(p, np, v, open ? "opening_hours" : "available_hours", at, to, end);
}

/* Days from k on. on: "on" stands before them. */
static bool read_days_at(prose *p, const prose_np *of, size_t from, size_t k, size_t end, bool on) {
  prose_np days = *of, time = *of;
  prose_name name = { .n = 0 };
  prose_items items = { 0 };
  size_t first = k, to = k, hour;
  if (of->indefinite || !(of->subject.n + of->attribute.n))
    return false;
  for (; k < end && ((p->t[k].cls & C_AND) || prose_is_weekday(p, p->t[k].low)); k++) {
    if (p->t[k].cls & C_AND)
      continue;
    bool part = prose_one_of(p, k + 1, end, "mornings|evenings|afternoons|nights");
    bool many = hm_str_ends(p->t[k].low, "s");
    static const char weekly[] = /* what comes back each week, so that one day is a rule */
        "pickup|collection|standup|stand-up|practice|rehearsal|lesson|class|off-day";
    if (on && !many && !part && !prose_last_word_in(p, of, weekly))
      return false; /* one of them: an event */
    hm_str day = prose_singular(p, &p->t[k]);
    prose_add_word(&name, day);
    prose_items_add(p, &items, day);
    k += part;
    to = k + 1;
  }
  if (!items.n || items.n > 4)
    return false;
  bool at = prose_is(p, to, end, "at") && prose_is_clock(p, to + 1, end, &hour);
  if (!at && prose_is(p, to, end, "at") && to + 2 == end && p->t[to + 1].digit &&
      p->t[to + 1].s.n <= 2)
    at = true, hour = to + 2; /* "on Thursdays at 11" */
  bool only = first > 1 && prose_is(p, first - 2, first, "only");
  if (!at && !only && prose_is(p, to, end, "only"))
    only = true, to++; /* "on Mondays only" */
  if (!at && to < end)
    return false;
  prose_value v = { .shape = HM_SHAPE_SET, .from = from, .to = to, .also = !only, .only = only };
  v.value = prose_span(p, first, to);
  v.reading = prose_items_reading(p, &items);
  prose_set_attribute(&days, "days");
  prose_claim(p, &days, &v);
  if (!at)
    return true;
  v = (prose_value){ .from = from };
  prose_add_name(&time.qualifier, &name);
  prose_claim_attribute(p, &time, &v, "time", to + 1, hour, end);
  return true;
}

bool prose_read_schedule(prose *p, const prose_np *of, size_t from, size_t i, size_t end) {
  bool every = prose_is(p, i, end, "every"),
       on = prose_one_of(p, i, end, "on|to"); /* "moved to Thursdays" */
  return (every || on) && read_days_at(p, of, from, i + 1, end, on);
}
