/* Units of measure (library: udunits2).
 *
 * udunits2 has its status, parser state and message handler in global variables, so a process has
 * one system and one lock. The first quantity loads it (5 to 8 ms), so a sweep without units does
 * not pay for it and no thread pays twice. Each hm_units looks up a spelling once. Add a unit, or a
 * spelling, as a row of `ours`. */
#include "core/value/unit.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <udunits2.h>

#include "core/base/text.h"

/* --- the library --------------------------------------------------------------------- */

static struct {
  pthread_mutex_t lock;
  bool tried;
  ut_system *units;
} library = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* What udunits2 counts in no unit of its own, or reads otherwise (%: 0.01; dB: a tenth of a byte).
 * VDC says more than V. C and F are a charge and a capacity, or a temperature: units of their own,
 * until something says which. */
static const char *const base_units[] = {
  "B", "C", "F", "cent", "req", "user", "px", "frame", "%", "dB", "VDC", "VAC", "ADC", "AAC",
};

/* Units of which none converts to another. Sources: ISO 4217; CLDR. */
static const char *const money_codes[] = {
  "USD", "EUR", "GBP", "JPY", "CNY", "CHF", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK",
  "PLN", "CZK", "HUF", "INR", "KRW", "BRL", "MXN", "ZAR", "SGD", "HKD", "RUB", "TRY",
  "ILS", "THB", "UAH", "VND", "EGP", "RON", "TWD", "AED", "SAR", "BTC", "CLP", "ISK",
};

const char *hm_money_code(hm_str s) {
  for (size_t i = 0; i < HM_COUNT(money_codes); i++)
    if (hm_str_is(s, money_codes[i]))
      return money_codes[i];
  return NULL;
}

/* Searched in this order, before the library's own table (b: barn, mph: milliphot, oz: fluid ounce,
 * rpm: radians). A name matches in any case, a symbol only as written. Sources: NIST SP 811;
 * IEC 80000-13, of lengths and volumes of the United States NIST Handbook 44. */
static const struct {
  const char *spelling, *means;
  bool name;
} ours[] = {
  { "byte", "B", true },
  { "bytes", "B", true },
  { "bit", "0.125 B", true },
  { "bits", "0.125 B", true },
  { "b", "0.125 B", false },
  { "KB", "1000 B", false },
  { "Kb", "125 B", false },
  { "Kbit", "125 B", false },
  { "KiB", "1024 B", false },
  { "MiB", "1048576 B", false },
  { "GiB", "1073741824 B", false },
  { "TiB", "1099511627776 B", false },
  { "PiB", "1125899906842624 B", false },
  { "Ki", "1024 B", false },
  { "Mi", "1048576 B", false },
  { "Gi", "1073741824 B", false },
  { "Ti", "1099511627776 B", false },
  { "Pi", "1125899906842624 B", false },
  { "millicore", "0.001", true },
  { "ko", "1000 B", false },
  { "Ko", "1000 B", false },
  { "Mo", "1000000 B", false },
  { "Go", "1000000000 B", false },
  { "To", "1000000000000 B", false },
  { "PS", "735.49875 W", false },
  { "Kibit", "128 B", false },
  { "Mibit", "131072 B", false },
  { "Gibit", "134217728 B", false },
  { "bps", "0.125 B/s", false },
  { "Bps", "B/s", false },
  { "KBps", "1000 B/s", false },
  { "Kbps", "125 B/s", false },
  { "mbps", "125000 B/s", false },
  { "request", "req", true },
  { "requests", "req", true },
  { "reqs", "req", true },
  { "users", "user", true },
  { "pixel", "px", true },
  { "pixels", "px", true },
  { "frames", "frame", true },
  { "fps", "frame/s", false },
  { "fpm", "frame/min", false },
  { "pcs", "1", false },
  { "pc", "1", false },
  { "piece", "1", true },
  { "pieces", "1", true },
  { "ea", "1", false },
  { "each", "1", true },
  { "item", "1", true },
  { "items", "1", true },
  { "unit", "1", true },
  { "units", "1", true },
  { "pH", "1", false },
  { "rev", "1", false },
  { "revs", "1", false },
  { "revolution", "1", true },
  { "revolutions", "1", true },
  { "rpm", "min-1", false },
  { "RPM", "min-1", false },
  { "rps", "s-1", false },
  { "percent", "%", true },
  { "pct", "%", false },
  { "permille", "0.1 %", true },
  { "ppm", "0.0001 %", false },
  { "ppb", "0.0000001 %", false },
  { "hrs", "h", true },
  { "mins", "min", true },
  { "secs", "s", true },
  { "wk", "week", false },
  { "wks", "week", false },
  { "db", "dB", false },
  { "kilos", "kg", false },
  { "gal", "gallon", false },
  { "yrs", "year", false },
  { "deg", "degree", false },
  { "Nm", "N.m", false },
  { "Ncm", "0.01 N.m", false },
  { "Nmm", "0.001 N.m", false },
  { "mph", "mile/h", false },
  { "kph", "km/h", false },
  { "kmh", "km/h", false },
  { "kn", "knot", false },
  { "lbs", "lb", false },
  { "oz", "0.028349523125 kg", false },
  { "'", "foot", false },
  { "\"", "inch", false },
  { "Wh", "3600 J", false },
  { "Ah", "3600 C", false },
  { "Kg", "kg", false },
  { "KG", "kg", false },
  { "Km", "km", false },
  { "KM", "km", false },
  { "KHz", "kHz", false },
  { "Khz", "kHz", false },
  { "Mhz", "MHz", false },
  { "Ghz", "GHz", false },
};

/* u is known by this spelling, and by no other meaning of it. Frees u, which may be NULL. */
static void map_unit(ut_system *s, ut_unit *u, const char *spelling, bool name, bool base) {
  if (!u)
    return;
  ut_unmap_name_to_unit(s, spelling, UT_ASCII);
  ut_unmap_symbol_to_unit(s, spelling, UT_ASCII);
  (name ? ut_map_name_to_unit : ut_map_symbol_to_unit)(spelling, UT_ASCII, u);
  if (base)
    ut_map_unit_to_symbol(u, spelling, UT_ASCII);
  ut_free(u);
}

static ut_system *load_units(void) {
  ut_set_error_message_handler(ut_ignore);
  ut_system *s = ut_read_xml(NULL);
  if (!s)
    s = ut_new_system(); /* no database: bytes and the like still work */
  if (!s)
    return NULL;
  for (size_t i = 0; i < HM_COUNT(base_units); i++)
    map_unit(s, ut_new_base_unit(s), base_units[i], false, true);
  for (size_t i = 0; i < HM_COUNT(money_codes); i++)
    map_unit(s, ut_new_base_unit(s), money_codes[i], false, true);
  for (size_t i = 0; i < HM_COUNT(ours); i++)
    map_unit(s, ut_parse(s, ours[i].means, UT_ASCII), ours[i].spelling, ours[i].name, false);
  return s;
}

enum { FACTORS_MAX = 16 };

/* The base of a unit, as a visit of its structure finds it. */
typedef struct {
  ut_unit *base; /* a copy, ours to free */
  int n;
  const char *symbols[FACTORS_MAX];
  int powers[FACTORS_MAX];
} shape;

static ut_status add_factor(shape *s, const ut_unit *u, int power) {
  const char *symbol = ut_get_symbol(u, UT_ASCII);
  if (!symbol)
    symbol = ut_get_name(u, UT_ASCII);
  if (!symbol || s->n == FACTORS_MAX)
    return UT_VISIT_ERROR;
  int i = s->n++;
  for (; i > 0 && strcmp(s->symbols[i - 1], symbol) > 0; i--) {
    s->symbols[i] = s->symbols[i - 1];
    s->powers[i] = s->powers[i - 1];
  }
  s->symbols[i] = symbol;
  s->powers[i] = power;
  return UT_SUCCESS;
}

static ut_status visit_basic(const ut_unit *u, void *arg) {
  shape *s = arg;
  s->base = ut_clone(u);
  return add_factor(s, u, 1);
}

static ut_status visit_product(const ut_unit *u, int n, const ut_unit *const *factors,
                               const int *powers, void *arg) {
  shape *s = arg;
  s->base = ut_clone(u);
  ut_status st = UT_SUCCESS;
  for (int i = 0; i < n && st == UT_SUCCESS; i++)
    st = add_factor(s, factors[i], powers[i]);
  return st;
}

static ut_status visit_galilean(const ut_unit *u, double scale, const ut_unit *under, double offset,
                                void *arg);

static ut_status refuse_timestamp(const ut_unit *u, const ut_unit *time, double origin, void *arg) {
  (void)u, (void)time, (void)origin, (void)arg;
  return UT_VISIT_ERROR;
}

static ut_status refuse_logarithmic(const ut_unit *u, double base, const ut_unit *ref, void *arg) {
  (void)u, (void)base, (void)ref, (void)arg;
  return UT_VISIT_ERROR;
}

static const ut_visitor visitor = { visit_basic, visit_product, visit_galilean, refuse_timestamp,
                                    refuse_logarithmic };

static ut_status visit_galilean(const ut_unit *u, double scale, const ut_unit *under, double offset,
                                void *arg) {
  (void)u, (void)scale, (void)offset;
  return ut_accept_visitor(under, &visitor, arg);
}

/* "kg.m.s-2". */
static hm_str base_text(const shape *s, hm_arena *a) {
  hm_buf b = { 0 };
  for (int i = 0; i < s->n; i++) {
    if (i)
      hm_buf_ch(&b, '.');
    hm_buf_c(&b, s->symbols[i]);
    if (s->powers[i] != 1)
      hm_buf_fmt(&b, "%d", s->powers[i]);
  }
  return s->n ? hm_buf_take(&b, a) : HM_STR("1");
}

/* From two points of the line; the far one so that an offset does not cost the slope its digits. */
static bool read_line(ut_unit *from, ut_unit *to, double *scale, double *offset) {
  cv_converter *cv = ut_get_converter(from, to);
  if (!cv)
    return false;
  *offset = cv_convert_double(cv, 0.0);
  double far = *offset == 0 ? 1.0 : 1e6;
  *scale = (cv_convert_double(cv, far) - *offset) / far;
  cv_free(cv);
  return isfinite(*scale) && isfinite(*offset) && fabs(*scale) > 1e-200;
}

/* Takes the lock and returns the library's units, loaded; NULL if it has none. */
static ut_system *lock_units(void) {
  pthread_mutex_lock(&library.lock);
  if (!library.tried)
    library.units = load_units();
  library.tried = true;
  return library.units;
}

static void *load_early(void *unused) {
  lock_units();
  pthread_mutex_unlock(&library.lock);
  return unused;
}

/* Nobody waits for the thread: it touches nothing but what stays. */
void hm_units_preload(void) {
  pthread_t thread;
  pthread_mutex_lock(&library.lock);
  bool tried = library.tried;
  pthread_mutex_unlock(&library.lock);
  if (!tried && pthread_create(&thread, NULL, load_early, NULL) == 0)
    pthread_detach(thread);
}

/* What a spelling means: base, scale and offset of out; base is in a. false: unknown, or no plain
 * unit (a time since, a logarithm). */
static bool read_unit(hm_str spelling, hm_arena *a, hm_unit *out) {
  const char *z = hm_str_z(a, spelling);
  shape s = { 0 };
  ut_system *units = lock_units();
  ut_unit *u = units ? ut_parse(units, z, UT_UTF8) : NULL;
  bool ok = u && ut_accept_visitor(u, &visitor, &s) == UT_SUCCESS && s.base &&
      read_line(u, s.base, &out->scale, &out->offset);
  if (ok)
    out->base = base_text(&s, a);
  ut_free(s.base);
  ut_free(u);
  pthread_mutex_unlock(&library.lock);
  return ok;
}

/* --- spellings ----------------------------------------------------------------------- */

struct hm_units {
  hm_arena *a, *scratch;
  hm_map by_spelling; /* index into units */
  hm_unit *units;
  size_t n, cap;
};

hm_units *hm_units_new(void) {
  hm_units *u = hm_xmalloc(sizeof *u);
  *u = (hm_units){ .a = hm_arena_new(), .scratch = hm_arena_new() };
  hm_map_init(&u->by_spelling, u->a, 64);
  return u;
}

void hm_units_free(hm_units *u) {
  if (!u)
    return;
  free(u->units);
  hm_arena_free(u->scratch);
  hm_arena_free(u->a);
  free(u);
}

hm_arena *hm_units_scratch(hm_units *u) {
  hm_arena_reset(u->scratch);
  return u->scratch;
}

/* 15 digits print every double that was written as a decimal; a product of
 * prefixes can be off in its last bits, but not when 12 digits come that near. */
static bool decimal_of(double d, hm_number *out, hm_arena *a) {
  if (fabs(d) < 9007199254740992.0 && d == floor(d))
    return *out = hm_number_of_double(d, 17, a), true;
  *out = hm_number_of_double(d, 15, a);
  if (hm_number_double(out) == d)
    return true;
  *out = hm_number_of_double(d, 12, a);
  return fabs(hm_number_double(out) - d) <= fabs(d) * 2e-15;
}

static void find_exact(hm_unit *u, hm_arena *a) {
  hm_number scale;
  u->exact = u->scale > 0 && decimal_of(u->scale, &scale, a) && decimal_of(u->offset, &u->shift, a);
  if (!u->exact)
    return;
  for (size_t i = 0; i < scale.digits.n; i++)
    u->m = u->m * 10 + (uint64_t)(scale.digits.p[i] - '0');
  u->e = scale.exp - (int64_t)scale.digits.n;
}

static uint32_t add_unit(hm_units *u, hm_str spelling) {
  u->units = hm_array_grow(u->units, u->n, &u->cap, sizeof *u->units);
  hm_unit *x = &u->units[u->n];
  *x = (hm_unit){ .base = HM_EMPTY };
  x->known = read_unit(spelling, u->a, x);
  if (x->known)
    find_exact(x, u->a);
  hm_map_add(&u->by_spelling, hm_str_dup(u->a, spelling), (uint32_t)u->n);
  return (uint32_t)u->n++;
}

const hm_unit *hm_units_get(hm_units *u, hm_str spelling) {
  uint32_t i = hm_map_get(&u->by_spelling, spelling);
  if (i == HM_MAP_NONE)
    i = add_unit(u, spelling);
  return u->units[i].known ? &u->units[i] : NULL;
}

/* NFKC for the characters of units only, since full NFKC would also change texts that are no
 * units. */
static const struct {
  const char *from, *to;
} compat[] = {
  { "\u00B5", "\u03BC" },  { "\u2126", "\u03A9" }, { "\u212B", "\u00C5" },  { "\u2103", "\u00B0C" },
  { "\u2109", "\u00B0F" }, { "\u2070", "0" },      { "\u00B9", "1" },       { "\u00B2", "2" },
  { "\u00B3", "3" },       { "\u2074", "4" },      { "\u2075", "5" },       { "\u2076", "6" },
  { "\u2077", "7" },       { "\u2078", "8" },      { "\u2079", "9" },       { "\u207B", "-" },
  { "\u00B7", "." },       { "\u22C5", "." },      { "\u2212", "-" },       { "\uFF05", "%" },
  { "\u338F", "kg" },      { "\u338E", "mg" },     { "\u338D", "\u03BCg" }, { "\u339C", "mm" },
  { "\u339D", "cm" },      { "\u339E", "km" },     { "\u339B", "\u03BCm" }, { "\u339A", "nm" },
  { "\u339F", "mm2" },     { "\u33A0", "cm2" },    { "\u33A1", "m2" },      { "\u33A2", "km2" },
  { "\u33A3", "mm3" },     { "\u33A4", "cm3" },    { "\u33A5", "m3" },      { "\u3390", "Hz" },
  { "\u3391", "kHz" },     { "\u3392", "MHz" },    { "\u3393", "GHz" },     { "\u33A9", "Pa" },
  { "\u33AA", "kPa" },     { "\u33AB", "MPa" },    { "\u33AC", "GPa" },     { "\u33B3", "ms" },
  { "\u33B2", "\u03BCs" }, { "\u33B1", "ns" },     { "\u33B7", "mV" },      { "\u33B8", "kV" },
  { "\u3383", "mA" },      { "\u33BD", "mW" },     { "\u33BE", "kW" },      { "\u33BF", "MW" },
  { "\u3385", "KB" },      { "\u3386", "MB" },     { "\u3387", "GB" },
};

/* Appends the replacement of the first character of s; returns that character's bytes. */
static size_t append_compat(hm_buf *b, hm_str s) {
  for (size_t i = 0; i < HM_COUNT(compat); i++)
    if (hm_str_starts(s, compat[i].from)) {
      hm_buf_c(b, compat[i].to);
      return strlen(compat[i].from);
    }
  size_t i = 0;
  hm_text_next(s, &i);
  hm_buf_add(b, s.p, i);
  return i;
}

static hm_str replace_compat(hm_str s, hm_arena *a) {
  if (hm_text_repair(a, s).p != s.p)
    return HM_EMPTY;
  hm_buf b = { 0 };
  for (size_t i = 0; i < s.n;)
    i += append_compat(&b, hm_str_sub(s, i, s.n));
  return hm_buf_take(&b, a);
}

/* The letters of units beyond ASCII: Greek mu and omega, degree, angstrom, prime, double prime. */
static const char *const letters[] = { "\u03BC", "\u03A9", "\u00B0", "\u00C5", "\u2032", "\u2033" };

static size_t letter_at(hm_str s, size_t i) {
  if (i >= s.n)
    return 0;
  char c = s.p[i];
  if (hm_is_letter(c) || c == '_' || c == '%' || c == '\'' || c == '"')
    return 1;
  for (size_t k = 0; (c & 0x80) && k < HM_COUNT(letters); k++)
    if (hm_str_starts(hm_str_sub(s, i, s.n), letters[k]))
      return strlen(letters[k]);
  return 0;
}

/* Words that udunits2 reads as something else than a unit. */
static const char *const reserved[] = { "per", "since", "after", "from", "ref" };

/* One of set stands at i. */
static bool is_at(hm_str s, size_t i, const char *set) {
  return i < s.n && s.p[i] && strchr(set, s.p[i]);
}

/* The end of NAME[[^][-]DIGITS] at i, or 0. */
static size_t scan_factor(hm_str s, size_t i) {
  size_t from = i, n;
  while ((n = letter_at(s, i)))
    i += n;
  if (i == from)
    return 0;
  for (size_t k = 0; k < HM_COUNT(reserved); k++)
    if (i - from == strlen(reserved[k]) && strncasecmp(s.p + from, reserved[k], i - from) == 0)
      return 0;
  size_t power = i + is_at(s, i, "^");
  power += is_at(s, power, "-");
  size_t end = power;
  while (is_at(s, end, "0123456789"))
    end++;
  if (power == i && end > i + 1)
    return 0; /* "h30": no power without ^ has two digits */
  return end > power ? end : i;
}

/* What is no expression goes no further: the library's parser loses memory over it. */
static bool is_expression(hm_str s) {
  int depth = 0;
  for (size_t i = 0; i < s.n;) {
    while (is_at(s, i, "("))
      i++, depth++;
    i = scan_factor(s, i);
    if (!i)
      return false;
    while (is_at(s, i, ")"))
      i++, depth--;
    if (depth < 0)
      return false;
    if (i == s.n)
      return depth == 0;
    if (!is_at(s, i, ".*-/"))
      return false;
    i++;
  }
  return false;
}

hm_str hm_unit_spelling(hm_str s, hm_arena *a) {
  if (!s.n || s.n > HM_UNIT_TOKEN_MAX)
    return HM_EMPTY;
  for (size_t i = 0; i < s.n; i++)
    if (s.p[i] & 0x80) {
      s = replace_compat(s, a);
      break;
    }
  return is_expression(s) ? s : HM_EMPTY;
}
