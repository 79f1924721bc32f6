/* Dates, periods and numbers for people: "2 Apr 2026" of 2026-04-02T15:00:00Z, "Apr 2026" of
 * 2026-04, "12,345".
 *
 * Every page writes them through here. The exact time goes with it, for the datetime of <time>. A
 * text that is no plain date stays as it is, times of other calendars too; so does what a fact says
 * as its value, which nobody may write otherwise. A day is that of the text, whatever its zone. */
#include <string.h>

#include "core/base/time.h"
#include "gen/render/escape.h"
#include "model.h"

enum { DATE_BYTES = 60 };

static bool is_digits(hm_str s, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (s.p[i] < '0' || s.p[i] > '9') return false;
  return true;
}

/* As HTML reads it in a datetime: the text itself where that has the form of one, else the instant
 * in UTC. Empty: no date, or one of a year that HTML does not know. */
static hm_str exact_of(hm_arena *a, hm_str s) {
  hm_time t;
  hm_precision p;
  if (!hm_time_parse(s, &t, &p) || hm_str_starts(s, "0000")) return HM_EMPTY;
  return p <= HM_P_DAY ? s : hm_time_to_second(a, hm_time_iso(a, t));
}

hm_str hm_date_words(hm_arena *a, hm_str s) {
  static const char months[] = "Jan\0Feb\0Mar\0Apr\0May\0Jun\0Jul\0Aug\0Sep\0Oct\0Nov\0Dec";
  if (s.n < 7 || !is_digits(s, 0, 4) || s.p[4] != '-' || !is_digits(s, 5, 7)) return s;
  int month = (s.p[5] - '0') * 10 + s.p[6] - '0', day = 0;
  if (month < 1 || month > 12) return s;
  const char *name = months + 4 * (month - 1);
  if (s.n == 7) return hm_str_fmt(a, "%s %.4s", name, s.p);
  if (s.n < 10 || s.p[7] != '-' || !is_digits(s, 8, 10)) return s;
  day = (s.p[8] - '0') * 10 + s.p[9] - '0';
  return hm_str_fmt(a, "%d %s %.4s", day, name, s.p);
}

void hm_pm_date(hm_pm *m, hm_tv *o, const char *key, hm_str text) {
  text = hm_str_trim(text);
  if (!text.n) {
    hm_pm_bool(m, o, key, false);
    return;
  }
  hm_tv *date = hm_pm_obj(m, o, key);
  hm_str exact = exact_of(m->a, text);
  hm_str words = exact.n ? hm_date_words(m->a, text) : hm_short(m->a, text, DATE_BYTES);
  if (hm_str_eq(words, exact)) exact = HM_EMPTY;   /* a year says all of it */
  hm_pm_raw(m, date, "exact", exact);
  hm_pm_text(m, date, "words", words);
}

bool hm_row_has_window(const hm_row *r) {
  return hm_str_trim(r->valid_from).n || hm_str_trim(r->valid_until).n;
}

void hm_pm_period(hm_pm *m, hm_tv *o, const char *key, const hm_row *r) {
  hm_str from = hm_str_trim(r->valid_from), until = hm_str_trim(r->valid_until);
  if (!from.n && !until.n) {
    hm_pm_bool(m, o, key, false);
    return;
  }
  hm_tv *period = hm_pm_obj(m, o, key);
  hm_pm_date(m, period, "from", from);
  hm_pm_date(m, period, "until", until);
}

hm_str hm_grouped(hm_arena *a, uint64_t n) {
  char out[32], *p = out + sizeof out;
  int digits = 0;
  do {
    if (digits && digits % 3 == 0) *--p = ',';
    *--p = (char)('0' + n % 10);
    digits++;
  } while (n /= 10);
  return hm_str_dup(a, (hm_str){ p, (size_t)(out + sizeof out - p) });
}

hm_str hm_counted(hm_arena *a, uint64_t n, const char *one, const char *many) {
  return hm_str_fmt(a, "%.*s %s", HM_FMT(hm_grouped(a, n)), n == 1 ? one : many);
}
