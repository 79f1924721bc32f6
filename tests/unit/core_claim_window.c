/* The windows of claims: a table of cases, and all small cases against the rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/claim/world.h"

static hm_arena *arena;

static hm_time at(const char *text) {
  hm_time t;
  hm_precision p;
  if (!*text) return HM_TIME_MAX;
  assert_true(hm_time_parse(hm_str_c(text), &t, &p));
  return t;
}

static hm_window window(const char *from, const char *until, const char *now) {
  hm_window w;
  assert_int_equal(hm_window_parse(NULL, hm_str_c(from), hm_str_c(until), at(now), &w),
                   HM_WINDOW_OK);
  return w;
}

/* --- what a window is ----------------------------------------------------------- */

#define NOW "2026-04-15T12:00:00Z"
#define AFTER_NOW "2026-04-15T12:00:00.000001Z"

/* NULL: never; "": open. Where the certain end is not after the begin, no instant is certain. */
typedef struct { const char *from, *until, *now, *c_from, *c_until, *m_from, *m_until; } shape;

static void the_certain_and_the_possible_window(void **unused) {
  (void)unused;
  const shape t[] = {
    /* both known */
    { "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", NOW,
      "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-01-01T00:00:00Z",
      "2026-02-01T00:00:00Z" },
    { "2026-01", "2026-03", NOW,
      "2026-01-31T23:59:59.999999Z", "2026-03-01T00:00:00Z", "2026-01-01T00:00:00Z",
      "2026-03-31T23:59:59.999999Z" },
    { "2026", "2026-03", NOW,
      "2026-03-31T23:59:59.999998Z", "2026-03-01T00:00:00Z", "2026-01-01T00:00:00Z",
      "2026-03-31T23:59:59.999999Z" },
    { "2026-03", "2026", NOW,
      "2026-03-31T23:59:59.999999Z", "2026-03-01T00:00:00.000001Z", "2026-03-01T00:00:00Z",
      "2026-12-31T23:59:59.999999Z" },
    { "2024-02", "2024-03", NOW,
      "2024-02-29T23:59:59.999999Z", "2024-03-01T00:00:00Z", "2024-02-01T00:00:00Z",
      "2024-03-31T23:59:59.999999Z" },
    /* a clock time is exact, whatever its precision */
    { "2026-04-02T09:00", "2026-04-02T10:00", NOW,
      "2026-04-02T09:00:00Z", "2026-04-02T10:00:00Z", "2026-04-02T09:00:00Z",
      "2026-04-02T10:00:00Z" },
    /* alike: the unit */
    { "1977-11", "1977-11", NOW,
      "1977-11-01T00:00:00Z", "1977-11-30T23:59:59.999999Z", "1977-11-01T00:00:00Z",
      "1977-11-30T23:59:59.999999Z" },
    { "2026", " 2026 ", NOW,
      "2026-01-01T00:00:00Z", "2026-12-31T23:59:59.999999Z", "2026-01-01T00:00:00Z",
      "2026-12-31T23:59:59.999999Z" },
    /* but of full times no instant */
    { "2026-04-02T09:00:00Z", "2026-04-02T11:00:00+02:00", NOW, NULL, NULL, NULL, NULL },
    /* no end: still, at now */
    { "2026-01-01T00:00:00Z", "", NOW, "2026-01-01T00:00:00Z", AFTER_NOW, "2026-01-01T00:00:00Z",
      "" },
    { NOW, "", NOW, NOW, AFTER_NOW, NOW, "" },
    { "2025", "", NOW, "2025-12-31T23:59:59.999999Z", AFTER_NOW, "2025-01-01T00:00:00Z", "" },
    { "2026-04", "", NOW, NOW, AFTER_NOW, "2026-04-01T00:00:00Z", "" },
    { "2026-05", "", NOW, "2026-05-31T23:59:59.999999Z", "", "2026-05-01T00:00:00Z", "" },
    { AFTER_NOW, "", NOW, AFTER_NOW, "", AFTER_NOW, "" },
    /* no begin: at the last instant that is known */
    { "", "2020", NOW, "2019-12-31T23:59:59.999999Z", "2020-01-01T00:00:00Z", "",
      "2020-12-31T23:59:59.999999Z" },
    { "", "2026-04", NOW,
      "2026-03-31T23:59:59.999999Z", "2026-04-01T00:00:00Z", "", "2026-04-30T23:59:59.999999Z" },
    { "", "2030-01-01T00:00:00Z", NOW, NOW, "2030-01-01T00:00:00Z", "", "2030-01-01T00:00:00Z" },
    { "", "", NOW, NOW, AFTER_NOW, "", "" },
    { " ", "\t", NOW, NOW, AFTER_NOW, "", "" },
    /* now lies after every bound */
    { "", "2030", "", "2029-12-31T23:59:59.999999Z", "2030-01-01T00:00:00Z", "",
      "2030-12-31T23:59:59.999999Z" },
    { "9999", "", "", "9999-12-31T23:59:59.999999Z", "", "9999-01-01T00:00:00Z", "" },
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    hm_window w = window(t[i].from, t[i].until, t[i].now);
    if (t[i].m_from) {
      assert_true(w.may_from == (*t[i].m_from ? at(t[i].m_from) : HM_TIME_MIN));
      assert_true(w.may_until == at(t[i].m_until));
    } else {
      assert_true(w.may_from == HM_TIME_MAX && w.may_until == HM_TIME_MIN);
    }
    assert_true(w.from == (t[i].c_from ? at(t[i].c_from) : HM_TIME_MAX));
    assert_true(w.until == (t[i].c_until ? at(t[i].c_until) : HM_TIME_MIN));
  }
}

static void an_inverted_window_holds_never(void **unused) {
  (void)unused;
  const char *t[][2] = { { "2026-05", "2026-04" }, { "2026", "2025" },
                         { "2026-04-02T09:00:01Z", "2026-04-02T09:00:00Z" },
                         { "2026-05-01", "2026-04" } };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    hm_str from = hm_str_c(t[i][0]), until = hm_str_c(t[i][1]);
    hm_bound begin, end;
    hm_window w, all = window("", "", NOW), wide = window("0000", "9999", NOW);
    assert_int_equal(hm_window_parse(NULL, from, until, at(NOW), &w), HM_WINDOW_INVERTED);
    assert_true(hm_bound_parse(NULL, from, &begin) && hm_bound_parse(NULL, until, &end));
    assert_false(hm_window_of_bounds(&begin, &end, at(NOW), &w));
    assert_true(w.from == HM_TIME_MAX && w.until == HM_TIME_MIN);
    assert_false(hm_window_overlap(&w, &all) || hm_window_may_overlap(&w, &all));
    assert_false(hm_window_overlap(&w, &wide) || hm_window_may_overlap(&w, &wide));
    assert_false(hm_window_overlap(&w, &w));
  }
}

static void what_is_no_time_is_told(void **unused) {
  (void)unused;
  hm_window w = { .from = 7 };
  hm_window_fault from = hm_window_parse(NULL, HM_STR("soon"), HM_STR("x"), at(NOW), &w);
  hm_window_fault until = hm_window_parse(NULL, HM_STR("2026"), HM_STR("2026-13"), at(NOW), &w);
  assert_int_equal(from, HM_WINDOW_BAD_FROM);
  assert_int_equal(until, HM_WINDOW_BAD_UNTIL);
  assert_true(w.from == 7);
}

/* --- two windows ------------------------------------------------------------------ */

typedef struct { const char *a_from, *a_until, *b_from, *b_until, *now; char expected; } pair;

/* '-' no overlap, '?' they may, '!' they do */
static void which_windows_overlap(void **unused) {
  (void)unused;
  const pair t[] = {
    /* what is over does not fight what holds */
    { "", "2020", "", "", NOW, '-' },
    { "", "2020-05-01T00:00:00Z", "", "", NOW, '-' },
    { "2019", "2020", "", "", NOW, '-' },
    { "", "", "", "", NOW, '!' },
    { "", "", "2020", "", NOW, '!' },
    { "2019", "", "2026-04", "", NOW, '!' },
    { "", "2030", "", "", NOW, '!' },
    { "", "", "", "", "", '!' },
    { "", "2020", "", "", "", '-' },
    /* handovers */
    { "", "2026-04", "2026-04", "", NOW, '-' },
    { "2020", "2026-04", "2026-04", "2027", NOW, '-' },
    { "2020", "2026-04-01T00:00:00Z", "2026-04-01T00:00:00Z", "", NOW, '-' },
    { "2020", "2026-04-01T00:00:00.000001Z", "2026-04-01T00:00:00Z", "", NOW, '!' },
    { "2020", "2026-04", "2026-04-10", "", NOW, '?' },
    { "2020", "2026-04-10", "2026-04", "", NOW, '?' },
    { "2020", "2026-05", "2026-04", "", NOW, '!' },
    { "2020", "2026-03", "2026-04", "", NOW, '-' },
    /* the same unit */
    { "1977-11", "1977-11", "1977-11", "1977-11", NOW, '!' },
    { "1970", "1977-11", "1977-11", "1977-11", NOW, '-' },
    { "1977-11", "1977-11", "1977-11", "1980", NOW, '-' },
    { "1977-11", "1977-11", "1977-11-10", "1980", NOW, '!' },
    { "1977-11", "1977-11", "1977", "1980", NOW, '?' },
    { "2026-04", "2026-05", "2026-04", "2026-05", NOW, '!' },
    /* one within the other, however its bounds are read */
    { "1998", "2035", "2015", "2015-02", NOW, '!' },
    { "1998", "2035", "2015-06", "2015", NOW, '!' },
    { "2015-02-10", "2016", "2015", "2015-02", NOW, '?' },
    { "2015", "2015-02", "2015", "2015-02", NOW, '?' },
    { "2015-02", "2016", "2015", "2015-02", NOW, '-' },
    { "2015-03", "", "2015", "2015-02", NOW, '-' },
    { "2014", "", "2015", "2015-02", NOW, '!' },
    /* a value replaced within its second */
    { "2026-04-02T09:00:00Z", "2026-04-02T09:00:00Z", "2026-04-02T09:00:00Z", "", NOW, '-' },
    { "2026-04-02T09:00:00Z", "2026-04-02T09:00:00Z", "2026-04", "2026-05", NOW, '-' },
    { "2026-04-02T09:00:00Z", "2026-04-02T09:00:00Z", "2025", "", NOW, '-' },
    { "2026-04-02T09:00:00Z", "2026-04-02T09:00:01Z", "2025", "", NOW, '!' },
    /* what comes */
    { "2027", "", "2027", "", NOW, '!' },
    { "2027", "", "", "", NOW, '?' },
    { "2027", "2028", "2020", "", NOW, '?' },
    { "2027", "", "", "2028", NOW, '!' },
    { "2027", "", "2020", "2026-12", NOW, '-' },
    /* nobody knows since when it held, but it does not hold now */
    { "", "2020", "2018", "2019", NOW, '?' },
    { "", "2020", "", "2021", NOW, '?' },
    { "", "2020-01-01T00:00:00Z", "", "2020-01-01T00:00:00Z", NOW, '!' },
    { "", "2020", "2018", "", NOW, '!' },
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    hm_window a = window(t[i].a_from, t[i].a_until, t[i].now);
    hm_window b = window(t[i].b_from, t[i].b_until, t[i].now);
    bool does = hm_window_overlap(&a, &b), may = hm_window_may_overlap(&a, &b);
    assert_true(does == hm_window_overlap(&b, &a) && may == hm_window_may_overlap(&b, &a));
    char got = does ? '!' : may ? '?' : '-';
    if (got != t[i].expected || (does && may)) print_message("case %zu: %c\n", i, got);
    assert_int_equal(got, t[i].expected);
    assert_false(does && may);
  }
}

/* --- the rules at their word, over all small windows --------------------------------- */

/* Ticks 0 to TICKS - 1; a bound is missing, a tick, one of the units of UNIT ticks, or vague. What
 * is open lies beyond. */
enum {
  TICKS = 12,
  UNIT = 3,
  VAGUE = 3,
  BOUNDS = 1 + TICKS + TICKS / UNIT + VAGUE,
  BEFORE = -1,
  BEYOND = TICKS + 2,
  LINE = BEYOND + 2
};

static hm_bound bound_number(int i) {
  if (i == 0) return (hm_bound){ 0 };
  if (i <= TICKS)
    return (hm_bound){ .known = true, .precision = HM_P_FRACTION, .first = i - 1, .last = i - 1 };
  if (i >= BOUNDS - VAGUE) {
    hm_time from = 2 * (i - (BOUNDS - VAGUE));
    return (hm_bound){ .known = true, .first = from, .last = from + 3, .vague = true };
  }
  hm_time first = (i - 1 - TICKS) * UNIT;
  return (
      hm_bound){ .known = true, .precision = HM_P_DAY, .first = first, .last = first + UNIT - 1 };
}

static bool same(const hm_bound *a, const hm_bound *b) {
  return a->known && b->known && a->first == b->first && a->last == b->last && a->vague == b->vague;
}

/* One choice of both unknown instants. */
typedef struct { int from, until; } choice;
typedef struct { choice v[LINE * LINE]; int n; bool pinned[LINE * LINE]; } choices;

/* All choices that the rules allow: those whose begin lies before their end. pinned: not those in which a missing begin lies before the
 * last instant that is known. */
static void choices_of(const hm_bound *b, const hm_bound *e, int now, choices *out) {
  out->n = 0;
  if (same(b, e) && !b->vague) {
    out->v[0] = (choice){ (int)b->first, (int)e->last };
    out->pinned[0] = true;
    out->n = b->first < e->last;
    return;
  }
  bool still = !e->known && (!b->known || b->first <= now);
  int end_first = e->known ? (int)e->first : still ? now + 1 : BEYOND;
  int end_last = e->known ? (int)e->last : BEYOND;
  int held = e->known && end_first - 1 < now ? end_first - 1 : now;   /* what has no begin */
  int begin_first = b->known ? (int)b->first : BEFORE, begin_last = b->known ? (int)b->last : held;
  if (still && begin_last > now) begin_last = now;
  for (int from = begin_first; from <= begin_last; from++)
    for (int until = end_first > from ? end_first : from + 1; until <= end_last; until++) {
      out->pinned[out->n] = b->known || from == held;
      out->v[out->n++] = (choice){ from, until };
    }
}

static bool holds(choice c, int t) { return c.from <= t && t < c.until; }

static bool certain_at(const choices *c, int t) {
  for (int i = 0; i < c->n; i++)
    if (!holds(c->v[i], t)) return false;
  return c->n > 0;
}

static bool share_an_instant(choice p, choice q) {
  int from = p.from > q.from ? p.from : q.from, until = p.until < q.until ? p.until : q.until;
  return from < until;
}

/* Whatever is chosen for each. */
static bool always_share_one(const choices *c, const choices *d) {
  for (int i = 0; i < c->n; i++)
    for (int k = 0; k < d->n; k++)
      if (!share_an_instant(c->v[i], d->v[k])) return false;
  return c->n && d->n;
}

typedef struct { hm_bound b, e; choices c; hm_window w; bool ok, at_now; } small;

/* Bounds alike are one instant: where one ends as the other begins no choice lets both hold. */
static bool some_choice(const small *x, const small *y) {
  if (same(&x->e, &y->b) || same(&y->e, &x->b)) return false;
  for (int i = 0; i < x->c.n; i++) {
    if (!x->b.known && x->at_now && !x->c.pinned[i]) continue;
    for (int k = 0; k < y->c.n; k++) {
      if (!y->b.known && y->at_now && !y->c.pinned[k]) continue;
      if (share_an_instant(x->c.v[i], y->c.v[k])) return true;
    }
  }
  return false;
}

static void check_one(const small *x) {
  bool one_instant = same(&x->b, &x->e) && x->b.first == x->b.last;
  assert_int_equal(x->ok, x->c.n || one_instant);
  for (int t = BEFORE; t < BEYOND; t++)
    assert_int_equal(x->ok && certain_at(&x->c, t), x->w.from <= t && t < x->w.until);
  if (x->ok) assert_int_equal(x->at_now, x->w.at_now);
}

static void check_two(const small *x, const small *y) {
  if (!x->ok || !y->ok) {
    assert_false(hm_window_overlap(&x->w, &y->w) || hm_window_may_overlap(&x->w, &y->w));
    return;
  }
  bool does = always_share_one(&x->c, &y->c);
  assert_int_equal(does, hm_window_overlap(&x->w, &y->w));
  assert_int_equal(!does && some_choice(x, y), hm_window_may_overlap(&x->w, &y->w));
}

/* What hm_window_inside says of one choice: of inner's bounds, which are one for a moment. */
static bool fits(const small *x, const small *y, bool moment, const int at[4]) {
  const hm_bound *bounds[] = { &x->b, &x->e, &y->b, &y->e };
  for (int i = 0; i < 2; i++) {
    if (!bounds[i]->known) continue;
    bool strictly = i == 0 || moment;
    if (y->b.known && !same(bounds[i], &y->b) && at[2] > at[i]) return false;
    if (y->e.known && !same(bounds[i], &y->e) && at[i] + strictly > at[3]) return false;
  }
  return true;
}

static hm_certainty inside_by_choices(const small *x, const small *y, bool moment) {
  const hm_bound *bounds[] = { &x->b, &x->e, &y->b, &y->e };
  int from[4], to[4], at[4];
  bool all = true, some = false;
  for (int i = 0; i < 4; i++) {
    from[i] = (int)bounds[i]->first;
    to[i] = (int)bounds[i]->last;
    const hm_bound *other = bounds[i ^ 1];
    if (same(bounds[i], other) && !other->vague && !(moment && i < 2))
      from[i] = to[i] = i % 2 ? to[i] : from[i];
  }
  for (at[0] = from[0]; at[0] <= to[0]; at[0]++)
    for (at[1] = moment ? at[0] : from[1]; at[1] <= (moment ? at[0] : to[1]); at[1]++)
      for (at[2] = from[2]; at[2] <= to[2]; at[2]++)
        for (at[3] = from[3]; at[3] <= to[3]; at[3]++) {
          bool ok = fits(x, y, moment, at);
          all = all && ok;
          some = some || ok;
        }
  return all ? HM_CERTAIN : some ? HM_POSSIBLE : HM_NO;
}

/* Bounds that are exact in one and together a unit in the other differ, as the unit's are exact. */
static void check_inside(const small *x, const small *y) {
  if (!x->ok || !y->ok) return;
  bool units = same(&x->b, &x->e) || same(&y->b, &y->e);
  if (!units) assert_int_equal(hm_window_inside(&x->w, &y->w), inside_by_choices(x, y, false));
  if (!x->b.known || same(&y->b, &y->e)) return;
  small moment = { .b = x->b, .e = x->b };
  hm_window_of_moment(&x->b, &moment.w);
  assert_int_equal(hm_window_inside(&moment.w, &y->w), inside_by_choices(&moment, y, true));
  bool all = true, some = false;
  for (hm_time t = x->b.first; t <= x->b.last; t++)
    for (hm_time u = y->b.first; u <= y->b.last; u++) {
      all = all && t < u;
      some = some || t < u;
    }
  hm_certainty before = !y->b.known || same(&x->b, &y->b) ? HM_NO
      : all                                               ? HM_CERTAIN
      : some                                              ? HM_POSSIBLE
                                                          : HM_NO;
  assert_int_equal(hm_bound_before(&x->b, &y->b), before);
}

static void all_small_windows_follow_the_rules(void **unused) {
  (void)unused;
  static small all[BOUNDS * BOUNDS];
  for (int now = 0; now < TICKS; now += 2) {
    size_t n = 0;
    for (int i = 0; i < BOUNDS; i++)
      for (int k = 0; k < BOUNDS; k++) {
        small *x = &all[n++];
        *x = (small){ .b = bound_number(i), .e = bound_number(k) };
        choices_of(&x->b, &x->e, now, &x->c);
        x->ok = hm_window_of_bounds(&x->b, &x->e, now, &x->w);
        x->at_now = x->ok && certain_at(&x->c, now);
        check_one(x);
      }
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < n; k++) {
        check_two(&all[i], &all[k]);
        if (!now) check_inside(&all[i], &all[k]);
      }
  }
}

/* --- the contested time ------------------------------------------------------------ */

static const char *text(const hm_bound *b) {
  return b->known ? hm_str_z(arena, hm_bound_text(arena, b)) : "";
}

static void the_contested_time_is_written_as_the_rows_write_it(void **unused) {
  (void)unused;
  const struct { const char *a_from, *a_until, *b_from, *b_until, *from, *until; } t[] = {
    { "2026-01", "", "2026-03-05T10:00:00Z", "", "2026-03-05T10:00:00Z", "" },
    { "2020", "2026-03", "2025-06", "", "2025-06", "2026-03" },
    { "", "", "2026-03", "", "", "" },
    { "1977-11", "1977-11", "1970", "", "1977-11", "1977-11" },
    { "2026-04", "", "", "2030", "", "" },
    { NOW, "", "", "2030", NOW, "" },
    { "2020", "2025", "2024-12-31T23:59:59Z", "2025-01-01T00:00:00Z", "2024-12-31T23:59:59Z",
      "2025-01-01T00:00:00Z" },
  };
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    hm_window a = window(t[i].a_from, t[i].a_until, NOW);
    hm_window b = window(t[i].b_from, t[i].b_until, NOW);
    const hm_window *ab[] = { &a, &b }, *ba[] = { &b, &a };
    hm_span s, u;
    assert_true(hm_windows_common_span(ab, 2, &s) && hm_windows_common_span(ba, 2, &u));
    assert_string_equal(text(&s.begin), t[i].from);
    assert_string_equal(text(&s.end), t[i].until);
    assert_true(s.from == u.from && s.until == u.until);
    assert_string_equal(text(&u.begin), t[i].from);
    assert_string_equal(text(&u.end), t[i].until);
  }
  /* none of its instants is certain */
  hm_window wide = window("1998", "2035", NOW), short_one = window("2015", "2015-02", NOW);
  hm_span both;
  assert_true(hm_windows_common_span((const hm_window *[]){ &wide, &short_one }, 2, &both));
  assert_string_equal(text(&both.begin), "2015");
  assert_string_equal(text(&both.end), "2015-02");
  assert_false(hm_windows_common_span((const hm_window *[]){ &short_one, &short_one }, 2, &both));
  hm_window over = window("", "2020", NOW), now = window("", "", NOW);
  hm_span s;
  assert_false(hm_windows_common_span((const hm_window *[]){ &over, &now }, 2, &s));
  assert_false(hm_windows_common_span(NULL, 0, &s));
}

static int setup(void **unused) { (void)unused; arena = hm_arena_new(); return 0; }
static int teardown(void **unused) { (void)unused; hm_arena_free(arena); return 0; }

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_certain_and_the_possible_window),
    cmocka_unit_test(an_inverted_window_holds_never),
    cmocka_unit_test(what_is_no_time_is_told),
    cmocka_unit_test(which_windows_overlap),
    cmocka_unit_test(all_small_windows_follow_the_rules),
    cmocka_unit_test(the_contested_time_is_written_as_the_rows_write_it),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
