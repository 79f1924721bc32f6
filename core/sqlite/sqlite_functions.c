/* SQL functions that every connection has.
 *
 * repaired(text): valid UTF-8. time_text(value, unit): a time as ISO 8601.
 * instr, replace, trim, ltrim, rtrim: as SQLite's, but linear in their texts. SQLite's are
 * quadratic and no limit stops them, so a view of a small file could block its reader for hours.
 *
 * A number is a time in the unit of the map, else by its size: the ranges of the units for the
 * years 1990 to 2099 do not overlap. 0 is no time. A number outside these ranges stays as it is,
 * without a guess: 20240402 may be a date or a second of 1970. A number of four digits is a year,
 * unless the map gives a unit. Source: hmirror-config(5), store.map. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/sqlite/sqlite_impl.h"

/* --- times ---------------------------------------------------------------------------- */

typedef struct {
  const char *name;
  double scale;
  int64_t times, over;
  bool julian;
} unit;

/* Microseconds = number * scale = number * times / over. */
static const unit UNITS[] = {
  { "", 0, 0, 1, false },
  { "seconds", 1e6, 1000000, 1, false },
  { "milliseconds", 1e3, 1000, 1, false },
  { "microseconds", 1, 1, 1, false },
  { "nanoseconds", 1e-3, 1, 1000, false },
  { "julian", 86400e6, 0, 1, true },
};

#define SECOND INT64_C(1000000)
static const hm_time YEAR_1990 = 631152000 * SECOND, YEAR_2100 = 4102444800 * SECOND,
                     YEAR_0 = -62167219200 * SECOND, YEAR_10000 = 253402300800 * SECOND;

int hm_time_unit_of(hm_str name) {
  for (size_t i = 1; i < HM_COUNT(UNITS); i++)
    if (hm_str_is(name, UNITS[i].name))
      return (int)i;
  return name.n ? -1 : 0;
}

typedef struct {
  bool real;
  int64_t whole;
  double d;
} number;

/* A Julian day is a double near 2.5 million, precise to milliseconds only. */
static bool time_in(number v, const unit *u, hm_time *out) {
  const double unix_epoch = 2440587.5;
  if (v.real || u->julian) {
    double t = u->julian ? rint((v.d - unix_epoch) * 86400e3) * 1e3 : rint(v.d * u->scale);
    if (!(t >= (double)YEAR_0 && t < (double)YEAR_10000))
      return false;
    *out = (hm_time)t;
    return true;
  }
  if (v.whole > INT64_MAX / u->times || v.whole < INT64_MIN / u->times)
    return false;
  *out = v.whole * u->times / u->over;
  return *out >= YEAR_0 && *out < YEAR_10000;
}

/* In the one unit in which it is a time of these years. */
static bool time_by_size(number v, hm_time *out) {
  for (size_t i = 1; i < HM_COUNT(UNITS); i++)
    if (time_in(v, &UNITS[i], out) && *out >= YEAR_1990 && *out < YEAR_2100)
      return true;
  return false;
}

/* A number, or a text of digits, and perhaps a fraction: of more digits than a year has. */
static bool number_of(sqlite3_value *v, number *out) {
  int type = sqlite3_value_type(v);
  *out = (number){ type == SQLITE_FLOAT, sqlite3_value_int64(v), sqlite3_value_double(v) };
  if (type != SQLITE_TEXT)
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
  const char *p = (const char *)sqlite3_value_text(v);
  size_t n = (size_t)sqlite3_value_bytes(v), digits = p ? strspn(p, "0123456789") : 0;
  if (digits < 5 || digits > 18 || n > 40)
    return false;
  out->real = digits < n && p[digits] == '.';
  if (out->real)
    digits += 1 + strspn(p + digits + 1, "0123456789");
  return digits == n;
}

static void time_text(sqlite3_context *ctx, int n, sqlite3_value **args) {
  int told = sqlite3_value_int(args[1]);
  number v;
  hm_time t;
  (void)n;
  bool is_number = number_of(args[0], &v);
  if (is_number && v.d == 0)
    return; /* NULL */
  if (!is_number ||
      !(told > 0 && told < (int)HM_COUNT(UNITS) ? time_in(v, &UNITS[told], &t)
                                                : time_by_size(v, &t))) {
    sqlite3_result_value(ctx, args[0]);
    return;
  }
  hm_arena *a = hm_arena_new();
  hm_str iso = hm_time_iso(a, t);
  sqlite3_result_text(ctx, iso.p, (int)iso.n, SQLITE_TRANSIENT);
  hm_arena_free(a);
}

/* --- texts ---------------------------------------------------------------------------- */

static hm_str text_of(sqlite3_value *v) {
  const char *p = (const char *)sqlite3_value_text(v);
  return p ? (hm_str){ p, (size_t)sqlite3_value_bytes(v) } : HM_EMPTY;
}

static bool any_null(int n, sqlite3_value **args) {
  for (int i = 0; i < n; i++)
    if (sqlite3_value_type(args[i]) == SQLITE_NULL)
      return true;
  return false;
}

static void repaired(sqlite3_context *ctx, int n, sqlite3_value **args) {
  hm_str s = text_of(args[0]);
  hm_arena *a = hm_arena_new();
  hm_str valid = hm_text_repair(a, s);
  (void)n;
  if (valid.p == s.p)
    sqlite3_result_value(ctx, args[0]);
  else
    sqlite3_result_text64(ctx, valid.p, valid.n, SQLITE_TRANSIENT, SQLITE_UTF8);
  hm_arena_free(a);
}

/* In characters from 1, of two BLOBs in bytes; 0: not there. */
static void instr(sqlite3_context *ctx, int n, sqlite3_value **args) {
  if (any_null(n, args))
    return;
  bool blobs =
      sqlite3_value_type(args[0]) == SQLITE_BLOB && sqlite3_value_type(args[1]) == SQLITE_BLOB;
  if (blobs)
    sqlite3_value_blob(args[0]), sqlite3_value_blob(args[1]);
  hm_str in = blobs ? (hm_str){ sqlite3_value_blob(args[0]), (size_t)sqlite3_value_bytes(args[0]) }
                    : text_of(args[0]),
         what = blobs
      ? (hm_str){ sqlite3_value_blob(args[1]), (size_t)sqlite3_value_bytes(args[1]) }
      : text_of(args[1]);
  const char *at = what.n ? memmem(in.n ? in.p : "", in.n, what.p, what.n) : in.p;
  sqlite3_int64 place = at || !what.n ? 1 : 0;
  for (const char *p = in.p; at && p < at; p++)
    place += blobs || (*p & 0xc0) != 0x80;
  sqlite3_result_int64(ctx, place);
}

static void replace(sqlite3_context *ctx, int n, sqlite3_value **args) {
  if (any_null(n - 1, args))
    return;
  hm_str in = text_of(args[0]), what = text_of(args[1]), by = text_of(args[2]);
  if (what.n && any_null(n, args))
    return;
  size_t most = (size_t)sqlite3_limit(sqlite3_context_db_handle(ctx), SQLITE_LIMIT_LENGTH, -1);
  hm_buf b = { 0 };
  const char *p = in.p, *end = in.p + in.n, *at;
  while (what.n && b.n <= most && (at = memmem(p, (size_t)(end - p), what.p, what.n))) {
    hm_buf_add(&b, p, (size_t)(at - p));
    hm_buf_str(&b, by);
    p = at + what.n;
  }
  hm_buf_add(&b, p, (size_t)(end - p));
  if (b.failed || b.n > most)
    sqlite3_result_error_toobig(ctx);
  else
    sqlite3_result_text64(ctx, b.p ? b.p : "", b.n, SQLITE_TRANSIENT, SQLITE_UTF8);
  hm_buf_free(&b);
}

enum { TRIM_LEFT = 1, TRIM_RIGHT = 2, TRIM_SET = 100 };

/* The bytes of the first (or last) character of s if it is in the set, else 0. */
static size_t at_edge(hm_str s, hm_str set, bool end) {
  for (size_t i = 0, next; i < set.n; i = next) {
    for (next = i + 1; next < set.n && (set.p[next] & 0xc0) == 0x80;)
      next++;
    size_t n = next - i;
    if (n <= s.n && memcmp(set.p + i, end ? s.p + s.n - n : s.p, n) == 0)
      return n;
  }
  return 0;
}

static void trim(sqlite3_context *ctx, int n, sqlite3_value **args) {
  int sides = (int)(intptr_t)sqlite3_user_data(ctx);
  if (any_null(n, args))
    return;
  hm_str s = text_of(args[0]), set = text_of(args[1]);
  set.n = strnlen(set.p, set.n); /* as SQLite's */
  if (set.n > TRIM_SET) {
    sqlite3_result_error(ctx, "trim: more than 100 bytes to trim", -1);
    return;
  }
  for (size_t k; sides & TRIM_LEFT && (k = at_edge(s, set, false));)
    s.p += k, s.n -= k;
  for (size_t k; sides & TRIM_RIGHT && (k = at_edge(s, set, true));)
    s.n -= k;
  sqlite3_result_text64(ctx, s.p, s.n, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* --- all of them ---------------------------------------------------------------------- */

void hm_sqlite_add_functions(sqlite3 *db) {
  static const struct {
    const char *name;
    int n, flags;
    intptr_t data;
    void (*run)(sqlite3_context *, int, sqlite3_value **);
  } functions[] = {
    { "repaired", 1, SQLITE_DIRECTONLY, 0, repaired },
    { "time_text", 2, SQLITE_INNOCUOUS, 0, time_text },
    { "instr", 2, SQLITE_INNOCUOUS, 0, instr },
    { "replace", 3, SQLITE_INNOCUOUS, 0, replace },
    { "trim", 2, SQLITE_INNOCUOUS, TRIM_LEFT | TRIM_RIGHT, trim },
    { "ltrim", 2, SQLITE_INNOCUOUS, TRIM_LEFT, trim },
    { "rtrim", 2, SQLITE_INNOCUOUS, TRIM_RIGHT, trim },
  };
  for (size_t i = 0; i < HM_COUNT(functions); i++)
    sqlite3_create_function_v2(db, functions[i].name, functions[i].n,
                               SQLITE_UTF8 | SQLITE_DETERMINISTIC | functions[i].flags,
                               (void *)functions[i].data, functions[i].run, NULL, NULL, NULL);
}
