/* Times of day: "9:00", "09:00:30", "9 am", "2:30 p.m.", "noon", "midnight", with a zone behind
 * ("Z", "UTC", "+02:00", "UTC+2", "CET").
 *
 * Hours and minutes of two digits, so 16:9 and 3:2 are none. Without a zone it is UTC, as in a
 * date; with one the time is the same instant of a day there. 24:00 is none.
 * Cost: linear, for texts of at most 32 bytes. */
#include <string.h>

#include "core/claim/value_impl.h"

enum { LONGEST = 32, ZONE_MAX = 14 };

static const int64_t SECOND = 1000000, MINUTE = 60000000, HOUR = INT64_C(3600000000),
                     DAY = INT64_C(86400000000);

static bool is_digit(hm_str s, size_t i) { return i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; }

/* Minutes east of UTC. */
static const struct { const char *name; int minutes; } zones[] = {
  { "z", 0 },      { "utc", 0 },     { "gmt", 0 },    { "cet", 60 },   { "cest", 120 },
  { "eet", 120 },  { "eest", 180 },  { "bst", 60 },   { "est", -300 }, { "edt", -240 },
  { "cst", -360 }, { "cdt", -300 },  { "mst", -420 }, { "mdt", -360 }, { "pst", -480 },
  { "pdt", -420 }, { "jst", 540 },
};

static size_t skip_spaces(hm_str s, size_t i) {
  while (i < s.n && s.p[i] == ' ') i++;
  return i;
}

/* One or two digits at *i, at most max. */
static bool take_number(hm_str s, size_t *i, int max, int *out) {
  size_t from = *i;
  *out = 0;
  while (is_digit(s, *i) && *i - from < 2) *out = *out * 10 + (s.p[(*i)++] - '0');
  return *i > from && !is_digit(s, *i) && *out <= max;
}

/* "+02:00", "+0200", "+2" at i to the end. */
static bool read_offset(hm_str s, size_t i, int *minutes) {
  int h = 0, m = 0;
  bool west = s.p[i] == '-';
  size_t from = ++i;
  for (; is_digit(s, i) && i - from < 2; i++) h = h * 10 + (s.p[i] - '0');
  if (i == from) return false;
  if (i < s.n && s.p[i] == ':') i++;
  size_t second = i;
  for (; is_digit(s, i) && i - second < 2; i++) m = m * 10 + (s.p[i] - '0');
  if (i < s.n || (i > second && i - second < 2) || h > ZONE_MAX || m > 59) return false;
  *minutes = (west ? -1 : 1) * (h * 60 + m);
  return true;
}

/* All of s from i on is a zone, or nothing. */
static bool read_zone(hm_str s, size_t i, int *minutes) {
  *minutes = 0;
  i = skip_spaces(s, i);
  if (i == s.n) return true;
  size_t end = i;
  char name[5] = { 0 };
  for (; end < s.n && (s.p[end] | 0x20) >= 'a' && (s.p[end] | 0x20) <= 'z'; end++) {
    if (end - i == sizeof name - 1) return false;
    name[end - i] = (char)(s.p[end] | 0x20);
  }
  bool named = end == i;
  for (size_t k = 0; !named && k < HM_COUNT(zones); k++)
    if (!strcmp(zones[k].name, name)) *minutes = zones[k].minutes, named = true;
  if (!named || end == s.n) return named;
  bool utc = end == i || !strcmp(name, "utc") || !strcmp(name, "gmt");
  return utc && (s.p[end] == '+' || s.p[end] == '-') && read_offset(s, end, minutes);
}

/* "am", "p.m." at *i: 0 or 12 hours in *half; stays where there is none. */
static bool take_half(hm_str s, size_t *i, int *half) {
  size_t at = skip_spaces(s, *i);
  if (at >= s.n) return false;
  char c = (char)(s.p[at] | 0x20);
  if (c != 'a' && c != 'p') return false;
  at++;
  bool dotted = at < s.n && s.p[at] == '.';
  at += dotted;
  if (at >= s.n || (s.p[at] | 0x20) != 'm') return false;
  at++;
  if (dotted && at < s.n && s.p[at] == '.') at++;
  if (at < s.n && s.p[at] != ' ' && s.p[at] != '+') return false;
  *half = c == 'p' ? 12 : 0;
  *i = at;
  return true;
}

static bool scan_word(hm_str s, hm_time *t, size_t *end) {
  static const struct { const char *word; int hour; } words[] = {
    { "noon", 12 }, { "midnight", 0 }, { "12 noon", 12 }, { "12 midnight", 0 },
  };
  for (size_t i = 0; i < HM_COUNT(words) && memchr("1mnMN", s.p[0], 5); i++) {
    size_t n = strlen(words[i].word), k = 0;
    char c = 0;
    if (s.n < n || (s.n > n && s.p[n] != ' ')) continue;
    for (; k < n; k++) {
      c = s.p[k];
      if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != words[i].word[k]) break;
    }
    if (k < n) continue;
    *t = words[i].hour * HOUR;
    *end = n;
    return true;
  }
  return false;
}

/* "9:00", "09:00:30.5", "9 am". */
static bool scan_digits(hm_str s, hm_time *t, hm_precision *p, size_t *end) {
  int h, m = 0, sec = 0, half = 0;
  int64_t fraction = 0;
  size_t i = 0;
  if (!take_number(s, &i, 23, &h)) return false;
  bool minutes = i < s.n && s.p[i] == ':';
  if (minutes) {
    size_t from = ++i;
    if (!take_number(s, &i, 59, &m) || i - from != 2) return false;
    if (i < s.n && s.p[i] == ':') {
      from = ++i;
      if (!take_number(s, &i, 59, &sec) || i - from != 2) return false;
      *p = HM_P_SECOND;
      if (i < s.n && s.p[i] == '.' && is_digit(s, i + 1)) {
        int64_t unit = SECOND;
        for (i++; is_digit(s, i); i++) fraction += (s.p[i] - '0') * (unit /= 10);
        if (fraction) *p = HM_P_FRACTION;
      }
    }
  }
  bool halved = take_half(s, &i, &half);
  if ((!minutes && !halved) || (halved && (h < 1 || h > 12))) return false;
  if (halved) h = h % 12 + half;
  *t = h * HOUR + m * MINUTE + sec * SECOND + fraction;
  *end = i;
  return true;
}

bool hm_clock_scan(hm_value *out, hm_str s, int64_t *shift) {
  size_t end;
  int minutes;
  out->precision = HM_P_MINUTE;
  if (!s.n || s.n > LONGEST) return false;
  if (!scan_word(s, &out->time, &end) && !scan_digits(s, &out->time, &out->precision, &end))
    return false;
  if (!read_zone(s, end, &minutes)) return false;
  *shift = -minutes * MINUTE;
  return true;
}

bool hm_read_clock(hm_value *out, hm_str s, hm_reader *r) {
  enum { DATE = sizeof "1970-01-01T" - 1, MINUTE_LEN = sizeof "09:00" - 1 };
  int64_t shift;
  if (!hm_clock_scan(out, s, &shift)) return false;
  out->time = ((out->time + shift) % DAY + DAY) % DAY;
  out->last = hm_time_last(out->time, out->precision);
  hm_str iso = hm_time_iso(r->scratch, out->time);
  size_t end = out->precision == HM_P_MINUTE ? DATE + MINUTE_LEN : iso.n - 1;
  hm_str text = hm_str_sub(iso, DATE, end);
  hm_str norm = HM_CAT(r->a, HM_STR("time:"), text);
  hm_value_set_forms(out, HM_V_CLOCK, norm, norm);
  return true;
}
