#include "core/claim/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/text.h"
#include "core/claim/unit_system.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct hm_units {
  hm_arena *a;
  hm_map by_spelling;      /* index into units */
  hm_unit *units;
  size_t n, cap;
};

hm_units *hm_units_new(void) {
  hm_units *u = hm_xmalloc(sizeof *u);
  *u = (hm_units){ .a = hm_arena_new() };
  hm_map_init(&u->by_spelling, u->a, 64);
  return u;
}

void hm_units_free(hm_units *u) {
  if (!u) return;
  free(u->units);
  hm_arena_free(u->a);
  free(u);
}

/* 15 digits print every double that was written as a decimal; a product of
 * prefixes can be off in its last bits, but not when 12 digits come that near. */
static bool decimal_of(double d, hm_number *out, hm_arena *a) {
  if (fabs(d) < 9007199254740992.0 && d == floor(d)) return *out = hm_number_of_double(d, 17, a), true;
  *out = hm_number_of_double(d, 15, a);
  if (hm_number_double(out) == d) return true;
  *out = hm_number_of_double(d, 12, a);
  return fabs(hm_number_double(out) - d) <= fabs(d) * 2e-15;
}

static void find_exact(hm_unit *u, hm_arena *a) {
  hm_number scale;
  u->exact = u->scale > 0 && decimal_of(u->scale, &scale, a) && decimal_of(u->offset, &u->shift, a);
  if (!u->exact) return;
  for (size_t i = 0; i < scale.digits.n; i++) u->m = u->m * 10 + (uint64_t)(scale.digits.p[i] - '0');
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

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80); }
static bool may_begin(char c) { return is_letter(c) || c == '%' || c == '\'' || c == '"'; }
static bool may_follow(char c) { return may_begin(c) || (c >= '0' && c <= '9') || (c && strchr("/^*.-()", c)); }

/* What NFKC would do to the characters that units are written with; not more,
 * since it would also make other text of what is no unit. */
static const struct { const char *from, *to; } compat[] = {
  { "\u00B5", "\u03BC" }, { "\u2126", "\u03A9" }, { "\u212B", "\u00C5" }, { "\u2103", "\u00B0C" }, { "\u2109", "\u00B0F" },
  { "\u00B2", "2" },   { "\u00B3", "3" },   { "\u00B7", "." },   { "\u22C5", "." },   { "\u2212", "-" },   { "\uFF05", "%" },
  { "\u338F", "kg" },  { "\u338E", "mg" },  { "\u338D", "\u03BCg" },
  { "\u339C", "mm" },  { "\u339D", "cm" },  { "\u339E", "km" },  { "\u339B", "\u03BCm" }, { "\u339A", "nm" },
  { "\u339F", "mm2" }, { "\u33A0", "cm2" }, { "\u33A1", "m2" },  { "\u33A2", "km2" },
  { "\u33A3", "mm3" }, { "\u33A4", "cm3" }, { "\u33A5", "m3" },
  { "\u3390", "Hz" },  { "\u3391", "kHz" }, { "\u3392", "MHz" }, { "\u3393", "GHz" },
  { "\u33A9", "Pa" },  { "\u33AA", "kPa" }, { "\u33AB", "MPa" }, { "\u33AC", "GPa" },
  { "\u33B3", "ms" },  { "\u33B2", "\u03BCs" }, { "\u33B1", "ns" },
  { "\u33B7", "mV" },  { "\u33B8", "kV" },  { "\u3383", "mA" },  { "\u33BD", "mW" },  { "\u33BE", "kW" },  { "\u33BF", "MW" },
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

hm_str hm_unit_spelling(hm_str s, hm_arena *a) {
  if (!s.n || s.n > HM_UNIT_TOKEN_MAX || !may_begin(s.p[0])) return HM_EMPTY;
  bool ascii = true;
  for (size_t i = 0; i < s.n; i++) {
    if (!may_follow(s.p[i])) return HM_EMPTY;
    ascii &= !(s.p[i] & 0x80);
  }
  return ascii ? s : replace_compat(s, a);
}
