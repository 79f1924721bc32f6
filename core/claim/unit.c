#include "core/claim/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/map.h"
#include "core/base/text.h"
#include "core/claim/unit_system.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct hm_units {
  hm_arena *a, *scratch;
  hm_map by_spelling;      /* index into units */
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
  if (!u) return;
  free(u->units);
  hm_arena_free(u->scratch);
  hm_arena_free(u->a);
  free(u);
}

void hm_units_expect(void) { hm_unit_system_begin(); }

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
  if (hm_number_double(out) == d) return true;
  *out = hm_number_of_double(d, 12, a);
  return fabs(hm_number_double(out) - d) <= fabs(d) * 2e-15;
}

static void find_exact(hm_unit *u, hm_arena *a) {
  hm_number scale;
  u->exact = u->scale > 0 && decimal_of(u->scale, &scale, a) && decimal_of(u->offset, &u->shift, a);
  if (!u->exact) return;
  for (size_t i = 0; i < scale.digits.n; i++)
    u->m = u->m * 10 + (uint64_t)(scale.digits.p[i] - '0');
  u->e = scale.exp - (int64_t)scale.digits.n;
}

static uint32_t add_unit(hm_units *u, hm_str spelling) {
  if (u->n == u->cap) {
    u->cap = u->cap * 2 + 16;
    u->units = hm_xrealloc(u->units, u->cap * sizeof *u->units);
  }
  hm_unit *x = &u->units[u->n];
  *x = (hm_unit){ .base = HM_EMPTY };
  x->known = hm_unit_system_read(spelling, u->a, &x->base, &x->scale, &x->offset);
  if (x->known) find_exact(x, u->a);
  hm_map_add(&u->by_spelling, hm_str_dup(u->a, spelling), (uint32_t)u->n);
  return (uint32_t)u->n++;
}

const hm_unit *hm_units_get(hm_units *u, hm_str spelling) {
  uint32_t i = hm_map_get(&u->by_spelling, spelling);
  if (i == HM_MAP_NONE) i = add_unit(u, spelling);
  return u->units[i].known ? &u->units[i] : NULL;
}

/* What NFKC would do to the characters that units are written with; not more,
 * since it would also make other text of what is no unit. */
static const struct { const char *from, *to; } compat[] = {
  { "\u00B5", "\u03BC" }, { "\u2126", "\u03A9" }, { "\u212B", "\u00C5" }, { "\u2103", "\u00B0C" },
  { "\u2109", "\u00B0F" },
  { "\u2070", "0" }, { "\u00B9", "1" }, { "\u00B2", "2" }, { "\u00B3", "3" }, { "\u2074", "4" },
  { "\u2075", "5" },
  { "\u2076", "6" }, { "\u2077", "7" }, { "\u2078", "8" }, { "\u2079", "9" }, { "\u207B", "-" },
  { "\u00B7", "." },   { "\u22C5", "." },   { "\u2212", "-" },   { "\uFF05", "%" },
  { "\u338F", "kg" },  { "\u338E", "mg" },  { "\u338D", "\u03BCg" },
  { "\u339C", "mm" }, { "\u339D", "cm" }, { "\u339E", "km" }, { "\u339B", "\u03BCm" },
  { "\u339A", "nm" },
  { "\u339F", "mm2" }, { "\u33A0", "cm2" }, { "\u33A1", "m2" },  { "\u33A2", "km2" },
  { "\u33A3", "mm3" }, { "\u33A4", "cm3" }, { "\u33A5", "m3" },
  { "\u3390", "Hz" },  { "\u3391", "kHz" }, { "\u3392", "MHz" }, { "\u3393", "GHz" },
  { "\u33A9", "Pa" },  { "\u33AA", "kPa" }, { "\u33AB", "MPa" }, { "\u33AC", "GPa" },
  { "\u33B3", "ms" },  { "\u33B2", "\u03BCs" }, { "\u33B1", "ns" },
  { "\u33B7", "mV" }, { "\u33B8", "kV" }, { "\u3383", "mA" }, { "\u33BD", "mW" },
  { "\u33BE", "kW" }, { "\u33BF", "MW" },
  { "\u3385", "KB" },  { "\u3386", "MB" },  { "\u3387", "GB" },
};

/* Steps over one character of s, putting what stands for it. */
static size_t put_compat(hm_buf *b, hm_str s) {
  for (size_t i = 0; i < COUNT(compat); i++)
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
  if (hm_text_repair(a, s).p != s.p) return HM_EMPTY;
  hm_buf b = { 0 };
  for (size_t i = 0; i < s.n;) i += put_compat(&b, hm_str_sub(s, i, s.n));
  hm_str out = hm_buf_keep(&b, a);
  hm_buf_free(&b);
  return out;
}

/* The letters of units beyond ASCII: Greek mu and omega, degree, angstrom, prime, double prime. */
static const char *const letters[] = { "\u03BC", "\u03A9", "\u00B0", "\u00C5", "\u2032", "\u2033" };

static size_t letter_at(hm_str s, size_t i) {
  if (i >= s.n) return 0;
  char c = s.p[i];
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%' || c == '\'' ||
      c == '"')
    return 1;
  for (size_t k = 0; (c & 0x80) && k < COUNT(letters); k++)
    if (hm_str_starts(hm_str_sub(s, i, s.n), letters[k])) return strlen(letters[k]);
  return 0;
}

/* Words that udunits2 reads as something else than a unit. */
static const char *const reserved[] = { "per", "since", "after", "from", "ref" };

static bool is_reserved(hm_str name) {
  for (size_t k = 0; k < COUNT(reserved); k++)
    if (name.n == strlen(reserved[k]) && strncasecmp(name.p, reserved[k], name.n) == 0) return true;
  return false;
}

static bool is_at(hm_str s, size_t i, const char *set) {
  return i < s.n && s.p[i] && strchr(set, s.p[i]);
}

/* The end of NAME[[^][-]DIGITS] at i, or 0. */
static size_t scan_factor(hm_str s, size_t i) {
  size_t from = i, n;
  while ((n = letter_at(s, i))) i += n;
  if (i == from || is_reserved(hm_str_sub(s, from, i))) return 0;
  size_t power = i + is_at(s, i, "^");
  power += is_at(s, power, "-");
  size_t end = power;
  while (is_at(s, end, "0123456789")) end++;
  return end > power ? end : i;
}

/* What is no expression goes no further: the library's parser loses memory over it. */
static bool is_expression(hm_str s) {
  int depth = 0;
  for (size_t i = 0; i < s.n;) {
    while (is_at(s, i, "(")) i++, depth++;
    i = scan_factor(s, i);
    if (!i) return false;
    while (is_at(s, i, ")")) i++, depth--;
    if (depth < 0) return false;
    if (i == s.n) return depth == 0;
    if (!is_at(s, i, ".*-/")) return false;
    i++;
  }
  return false;
}

hm_str hm_unit_spelling(hm_str s, hm_arena *a) {
  if (!s.n || s.n > HM_UNIT_TOKEN_MAX) return HM_EMPTY;
  bool ascii = true;
  for (size_t i = 0; i < s.n; i++) ascii &= !(s.p[i] & 0x80);
  if (!ascii) s = replace_compat(s, a);
  return is_expression(s) ? s : HM_EMPTY;
}
