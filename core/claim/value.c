/* Normal forms of values: value.h has the table of classes.
 *
 * A text is tried as boolean, date, number and quantity, in the order of its first characters, and
 * is else folded. Cost: linear in the bytes. Arrays and other JSON are value_json.c; what
 * contradicts what is value_compare.c; numbers are number.c, units unit.c. */
#include "core/claim/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/redaction.h"
#include "core/base/text.h"
#include "core/claim/value_impl.h"

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }
static bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* prefix, x, sep, y in one piece. */
static hm_str joined(hm_arena *a, const char *prefix, hm_str x, const char *sep, hm_str y) {
  size_t np = strlen(prefix), ns = strlen(sep);
  char *p = hm_alloc(a, np + x.n + ns + y.n + 1), *at = p;
  at = (char *)mempcpy(at, prefix, np);
  if (x.n) at = (char *)mempcpy(at, x.p, x.n);
  at = (char *)mempcpy(at, sep, ns);
  if (y.n) at = (char *)mempcpy(at, y.p, y.n);
  return (hm_str){ p, (size_t)(at - p) };
}

void hm_value_set_forms(hm_value *out, hm_value_kind kind, hm_str norm, hm_str key) {
  out->kind = kind;
  out->norm = norm;
  out->key = key;
}

#define TEXT_PREFIX "text:"
enum { TEXT_PREFIX_LEN = sizeof TEXT_PREFIX - 1 };

/* hm_text_value behind the prefix, without its copy, for what most values are:
 * ASCII. Returns an empty slice when s is not. */
static hm_str ascii_norm(hm_arena *a, hm_str s) {
  char *p = hm_alloc(a, s.n + TEXT_PREFIX_LEN + 1), *from = p + TEXT_PREFIX_LEN, *at = from;
  memcpy(p, TEXT_PREFIX, TEXT_PREFIX_LEN);
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (c & 0x80) return HM_EMPTY;
    if (!is_space(c)) *at++ = lower(c);
    else if (at > from && at[-1] != ' ') *at++ = ' ';
  }
  if (at > from && at[-1] == ' ') at--;
  if (at > from && at[-1] == '.') at--;
  if (at > from && at[-1] == ' ') at--;
  return (hm_str){ p, (size_t)(at - p) };
}

/* A value of nothing but white space of any kind is none; a lone full stop is a text. */
static void set_text(hm_value *out, hm_str trimmed, hm_arena *a) {
  hm_str norm = ascii_norm(a, trimmed);
  if (!norm.n) norm = joined(a, TEXT_PREFIX, hm_text_value(a, trimmed), "", HM_EMPTY);
  if (norm.n == TEXT_PREFIX_LEN) {
    if (!hm_str_ends(trimmed, ".")) return;
    norm = HM_STR("text:.");
  }
  hm_value_set_forms(out, HM_V_TEXT, norm, norm);
}

static bool folds_to(hm_str s, const char *word) {
  size_t i = 0;
  while (i < s.n && word[i] && lower(s.p[i]) == word[i]) i++;
  return i == s.n && !word[i];
}

static bool read_bool(hm_value *out, hm_str s) {
  bool yes = folds_to(s, "true");
  if (!yes && !folds_to(s, "false")) return false;
  hm_str norm = yes ? HM_STR("bool:true") : HM_STR("bool:false");
  hm_value_set_forms(out, HM_V_BOOL, norm, norm);
  return true;
}

static bool read_date(hm_value *out, hm_str s, hm_arena *a) {
  enum { MONTH = 7, DAY = 10, MINUTE = 16 };
  if (s.n < MONTH || s.p[4] != '-' || !hm_time_parse(s, &out->time, &out->precision)) return false;
  hm_str iso = hm_time_iso(a, out->time);
  const char *end = "";
  if (out->precision == HM_P_MONTH) iso = hm_str_sub(iso, 0, MONTH);
  if (out->precision == HM_P_DAY) iso = hm_str_sub(iso, 0, DAY);
  if (out->precision == HM_P_MINUTE) iso = hm_str_sub(iso, 0, MINUTE), end = "Z";
  hm_str norm = joined(a, "date:", iso, end, HM_EMPTY);
  hm_value_set_forms(out, HM_V_DATE, norm, norm);
  return true;
}

/* n of unit u in base units: exact when the unit is, else 12 digits of it. */
static hm_number to_base(const hm_number *n, const hm_unit *u, hm_arena *a) {
  hm_number base;
  if (u->exact) {
    hm_number_scale(&base, n, u->m, u->e, a);
    if (hm_number_add(&base, &base, &u->shift, a)) return base;
  }
  double d = u->scale * hm_number_double(n) + u->offset;
  return isfinite(d) ? hm_number_of_double(d, 12, a) : *n;
}

/* A double must hold the value: two that are lost in it would look equal. */
static bool fits_double(const hm_number *n, double d) {
  return isfinite(d) && (fabs(d) > 1e-290 || !n->digits.n);
}

static bool set_quantity(hm_value *out, const hm_number *n, const hm_unit *u, hm_str spelling,
                         hm_arena *scratch, hm_arena *a) {
  hm_number base = to_base(n, u, scratch);
  double stated = hm_number_double(n), exact = hm_number_double(&base),
         num = u->scale * stated + u->offset;
  if (!isfinite(num) || !fits_double(n, stated) || !fits_double(&base, exact)) return false;
  hm_str norm = joined(a, "quantity:", hm_number_text(scratch, n), " ", spelling);
  hm_str key = joined(a, "quantity:", hm_number_text(scratch, &base), " ", u->base);
  hm_value_set_forms(out, HM_V_QUANTITY, norm, key);
  out->num = u->exact ? exact : num;
  out->base = hm_str_sub(key, key.n - u->base.n, key.n);
  return true;
}

/* After the number: spaces, U+00A0 or a thin U+202F, then one token. */
static hm_str skip_gap(hm_str s) {
  if (hm_str_starts(s, "\u00A0")) return hm_str_sub(s, 2, s.n);
  if (hm_str_starts(s, "\u202F")) return hm_str_sub(s, 3, s.n);
  size_t i = 0;
  while (i < s.n && s.p[i] == ' ') i++;
  return hm_str_sub(s, i, s.n);
}

static bool read_numeric(hm_value *out, hm_str s, hm_units *u, hm_arena *a) {
  hm_arena *scratch = hm_units_scratch(u);
  hm_number n;
  size_t used = hm_number_scan(&n, s, scratch);
  if (!used) return false;
  if (used == s.n) {
    hm_str norm = joined(a, "number:", hm_number_text(scratch, &n), "", HM_EMPTY);
    hm_value_set_forms(out, HM_V_NUMBER, norm, norm);
    out->num = hm_number_double(&n);
    return true;
  }
  hm_str spelling = hm_unit_spelling(skip_gap(hm_str_sub(s, used, s.n)), scratch);
  const hm_unit *unit = spelling.n ? hm_units_get(u, spelling) : NULL;
  return unit && set_quantity(out, &n, unit, spelling, scratch, a);
}

/* Anything but a text: a next class of values is tried here, by its first character. */
static bool read_special(hm_value *out, hm_str s, hm_units *u, hm_arena *a) {
  enum { LONGEST_WIDE = 96 };
  if (s.n > 1 && s.p[s.n - 1] == '.') s = hm_str_trim(hm_str_sub(s, 0, s.n - 1));
  /* Wide digits ("４６８") and the like are few; they are read in their compatible form. */
  if ((s.p[0] & 0x80) && s.n <= LONGEST_WIDE) s = hm_text_value(a, s);
  if (!s.n) return false;
  char c = lower(s.p[0]);
  if (c == 't' || c == 'f') return read_bool(out, s);
  if (!is_digit(c) && !(c & 0x80) && c != '-' && c != '+' && c != '.') return false;
  return read_date(out, s, a) || read_numeric(out, s, u, a);
}

void hm_value_init(hm_value *out, hm_str raw) {
  *out = (hm_value){
    .raw = raw, .norm = HM_EMPTY, .key = HM_EMPTY, .base = HM_EMPTY, .named = HM_EMPTY
  };
}

void hm_value_of_text(hm_value *out, hm_str raw, bool as_text, hm_units *u, hm_arena *a) {
  hm_value_init(out, raw);
  hm_str s = hm_str_trim(raw);
  if (s.n && s.p[0] == '[' && hm_is_redacted(s)) return;
  if (!s.n || (!as_text && read_special(out, s, u, a))) return;
  hm_value_init(out, raw);
  set_text(out, s, a);
}

hm_str hm_value_id(hm_str text) {
  enum { LONGEST = 64 };
  hm_str s = hm_str_trim(text);
  bool letter = false;
  if (s.n > 1 && s.p[s.n - 1] == '.') s.n--;
  bool said = hm_str_starts(s, "entity:");
  if (said) s = hm_str_sub(s, sizeof "entity:" - 1, s.n);
  if (!s.n || s.n > LONGEST) return HM_EMPTY;
  for (size_t i = 0; i < s.n; i++) {
    letter = letter || is_letter(s.p[i]);
    if (!is_letter(s.p[i]) && !is_digit(s.p[i]) && (!s.p[i] || !strchr("._:/-", s.p[i])))
      return HM_EMPTY;
  }
  return said || letter ? s : HM_EMPTY;
}

void hm_value_read(hm_value *out, hm_str raw, bool as_text, const hm_value_reading *by, hm_units *u,
                   hm_arena *a) {
  hm_value_init(out, raw);
  out->silent = hm_value_is_silence(raw, by ? by->rules : NULL, hm_units_scratch(u));
  if (out->silent) return;
  hm_value_of_text(out, raw, as_text, u, a);
  hm_str id = by && by->name_of && out->kind == HM_V_TEXT ? hm_value_id(raw) : HM_EMPTY;
  hm_str name = id.n ? by->name_of(by->ctx, id) : HM_EMPTY;
  hm_value named;
  if (!name.n) return;
  hm_value_of_text(&named, name, as_text, u, a);
  if (named.kind == HM_V_NONE) return;
  named.raw = raw;
  named.named = name;
  *out = named;
}

/* --- denials and parts -------------------------------------------------------------- */

#define DENIAL "not:"
enum { DENIAL_LEN = sizeof DENIAL - 1 };

void hm_value_deny(hm_value *v, hm_arena *a) {
  v->denied = true;
  v->raw = joined(a, DENIAL " ", v->raw, "", HM_EMPTY);
  v->key = joined(a, DENIAL, v->key, "", HM_EMPTY);
  v->norm = joined(a, DENIAL, v->norm, "", HM_EMPTY);
}

hm_str hm_value_undenied_raw(const hm_value *v) {
  return v->denied ? hm_str_sub(v->raw, DENIAL_LEN + 1, v->raw.n) : v->raw;
}
hm_str hm_value_undenied_key(const hm_value *v) {
  return v->denied ? hm_str_sub(v->key, DENIAL_LEN, v->key.n) : v->key;
}

bool hm_value_numeric(const hm_value *v) {
  return v->kind == HM_V_NUMBER || v->kind == HM_V_QUANTITY;
}

/* Behind "number:" or "quantity:", up to the unit. */
static hm_str number_in(hm_str form) {
  const char *colon = memchr(form.p, ':', form.n);
  hm_str s = hm_str_sub(form, colon ? (size_t)(colon - form.p) + 1 : 0, form.n);
  const char *space = memchr(s.p, ' ', s.n);
  return space ? hm_str_sub(s, 0, (size_t)(space - s.p)) : s;
}

hm_str hm_value_number_text(const hm_value *v) { return number_in(v->norm); }
hm_str hm_value_base_text(const hm_value *v) { return number_in(v->key); }
hm_str hm_value_base(const hm_value *v) { return v->kind == HM_V_QUANTITY ? v->base : HM_STR("1"); }

hm_str hm_value_unit(const hm_value *v) {
  const char *space = v->kind == HM_V_QUANTITY ? memchr(v->norm.p, ' ', v->norm.n) : NULL;
  return space ? hm_str_sub(v->norm, (size_t)(space - v->norm.p) + 1, v->norm.n) : HM_EMPTY;
}
