/* udunits2 keeps its status, its parser's state and its message handler in
 * variables of its own, so there is one system and one lock in a process. It is
 * loaded by the first quantity (5 to 8 ms) and kept: a sweep of few facts without
 * units does not pay for it, and no thread pays twice. */
#include "core/claim/unit_system.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <udunits2.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct {
  pthread_mutex_t lock;
  bool tried;
  ut_system *units;
} library = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* What udunits2 counts in no unit of its own, or reads otherwise (pH: picohenry). */
static const char *const base_units[] = { "B", "req", "user", "px", "pH" };

/* Read in this order, ahead of what the library's own table says (b: barn, mph:
 * milliphot, oz: fluid ounce). A name is found in any case; a symbol as it stands. */
static const struct { const char *spelling, *means; bool name; } ours[] = {
  { "byte", "B", true },          { "bytes", "B", true },
  { "bit", "0.125 B", true },     { "bits", "0.125 B", true },     { "b", "0.125 B", false },
  { "KB", "1000 B", false },      { "Kb", "125 B", false },        { "Kbit", "125 B", false },
  { "KiB", "1024 B", false },     { "MiB", "1048576 B", false },   { "GiB", "1073741824 B", false },
  { "TiB", "1099511627776 B", false }, { "PiB", "1125899906842624 B", false },
  { "bps", "0.125 B/s", false },  { "Kbps", "125 B/s", false },
  { "request", "req", true },     { "requests", "req", true },     { "reqs", "req", true },
  { "users", "user", true },      { "pixel", "px", true },         { "pixels", "px", true },
  { "hrs", "h", true },           { "mins", "min", true },
  { "deg", "degree", false },     { "RPM", "rpm", false },         { "Nm", "N.m", false },
  { "mph", "mile/h", false },     { "kph", "km/h", false },        { "kmh", "km/h", false },
  { "lbs", "lb", false },         { "oz", "0.028349523125 kg", false },
  { "Wh", "3600 J", false },      { "Ah", "3600 C", false },
  { "Kg", "kg", false },          { "KG", "kg", false },
  { "Km", "km", false },          { "KM", "km", false },
  { "KHz", "kHz", false },        { "Khz", "kHz", false },
  { "Mhz", "MHz", false },        { "Ghz", "GHz", false },
};

static void unmap(ut_system *s, const char *spelling) {
  ut_unmap_name_to_unit(s, spelling, UT_ASCII);
  ut_unmap_symbol_to_unit(s, spelling, UT_ASCII);
}

static bool add_base(ut_system *s, const char *symbol) {
  ut_unit *u = ut_new_base_unit(s);
  if (!u) return false;
  unmap(s, symbol);
  bool ok = ut_map_symbol_to_unit(symbol, UT_ASCII, u) == UT_SUCCESS &&
            ut_map_unit_to_symbol(u, symbol, UT_ASCII) == UT_SUCCESS;
  ut_free(u);
  return ok;
}

static bool add_ours(ut_system *s, const char *spelling, const char *means, bool name) {
  ut_unit *u = ut_parse(s, means, UT_ASCII);
  if (!u) return false;
  unmap(s, spelling);
  ut_status st = name ? ut_map_name_to_unit(spelling, UT_ASCII, u)
                      : ut_map_symbol_to_unit(spelling, UT_ASCII, u);
  ut_free(u);
  return st == UT_SUCCESS;
}

static ut_system *load(void) {
  ut_set_error_message_handler(ut_ignore);
  ut_system *s = ut_read_xml(NULL);
  if (!s) s = ut_new_system();   /* no database: bytes and the like still work */
  if (!s) return NULL;
  for (size_t i = 0; i < COUNT(base_units); i++) add_base(s, base_units[i]);
  for (size_t i = 0; i < COUNT(ours); i++)
    add_ours(s, ours[i].spelling, ours[i].means, ours[i].name);
  return s;
}

enum { FACTORS_MAX = 16 };

/* The base of a unit, as a visit of its structure finds it. */
typedef struct {
  ut_unit *base;                  /* a copy, ours to free */
  int n;
  const char *symbols[FACTORS_MAX];
  int powers[FACTORS_MAX];
} shape;

static ut_status add_factor(shape *s, const ut_unit *u, int power) {
  const char *symbol = ut_get_symbol(u, UT_ASCII);
  if (!symbol) symbol = ut_get_name(u, UT_ASCII);
  if (!symbol || s->n == FACTORS_MAX) return UT_VISIT_ERROR;
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
  for (int i = 0; i < n && st == UT_SUCCESS; i++) st = add_factor(s, factors[i], powers[i]);
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

static hm_str base_text(const shape *s, hm_arena *a) {
  hm_buf b = { 0 };
  for (int i = 0; i < s->n; i++) {
    if (i) hm_buf_ch(&b, '.');
    hm_buf_c(&b, s->symbols[i]);
    if (s->powers[i] != 1) hm_buf_fmt(&b, "%d", s->powers[i]);
  }
  if (!s->n) hm_buf_ch(&b, '1');
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

/* From two points of the line; the far one so that an offset does not cost the slope its digits. */
static bool read_line(ut_unit *from, ut_unit *to, double *scale, double *offset) {
  cv_converter *cv = ut_get_converter(from, to);
  if (!cv) return false;
  *offset = cv_convert_double(cv, 0.0);
  double far = *offset == 0 ? 1.0 : 1e6;
  *scale = (cv_convert_double(cv, far) - *offset) / far;
  cv_free(cv);
  return isfinite(*scale) && isfinite(*offset) && fabs(*scale) > 1e-200;
}

static bool read_unit(ut_unit *u, hm_arena *a, hm_str *base, double *scale, double *offset) {
  shape s = { 0 };
  bool ok = ut_accept_visitor(u, &visitor, &s) == UT_SUCCESS && s.base &&
      read_line(u, s.base, scale, offset);
  if (ok) *base = base_text(&s, a);
  ut_free(s.base);
  return ok;
}

static ut_system *loaded(void) {
  if (!library.tried) library.units = load();
  library.tried = true;
  return library.units;
}

static void *load_early(void *unused) {
  pthread_mutex_lock(&library.lock);
  loaded();
  pthread_mutex_unlock(&library.lock);
  return unused;
}

/* Nobody waits for the thread: it touches nothing but what stays. */
void hm_unit_system_begin(void) {
  pthread_t thread;
  pthread_mutex_lock(&library.lock);
  bool tried = library.tried;
  pthread_mutex_unlock(&library.lock);
  if (!tried && pthread_create(&thread, NULL, load_early, NULL) == 0) pthread_detach(thread);
}

bool hm_unit_system_read(hm_str spelling, hm_arena *a, hm_str *base, double *scale,
                         double *offset) {
  const char *z = hm_str_z(a, spelling);
  pthread_mutex_lock(&library.lock);
  ut_system *units = loaded();
  ut_unit *u = units ? ut_parse(units, z, UT_UTF8) : NULL;
  bool ok = u && read_unit(u, a, base, scale, offset);
  ut_free(u);
  pthread_mutex_unlock(&library.lock);
  return ok;
}
