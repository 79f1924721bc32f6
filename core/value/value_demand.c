/* Demands on a version, as sets: ">=3.10 and <3.14", "18+", "22.x", "^18 || ^20", "3.10 - 3.14".
 *
 *   demand    alternatives, between || or "or"
 *   alternative  bounds that all hold, between commas, "and" or spaces; or two versions and a dash
 *   bound     a sign and a version, or a version and + or "or later"; .x and .* are any number
 *
 * A set is a list of spans of versions, each from its first version to the first one that is no
 * longer in it. A version stands for all that begin with it: <=3.14 allows 3.14.2, and 20 may be
 * allowed where >=20.11 is asked. ^ keeps the first number that is not 0, ~ the first two, ~= and
 * ~> all but the last. The key of a demand has its spans, so equal sets are equal values:
 * "demand:18..20,22..". Cost: linear in the text, which has at most 96 bytes. */
#include <limits.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/value/value_impl.h"

enum { LONGEST = 96, PARTS_MAX = 5, SPANS_MAX = 8 };

typedef struct {
  unsigned v[PARTS_MAX];
  size_t n;
} version;

/* From a version (included) to one (not included), or to ENDLESS. */
typedef struct {
  version from, to;
} span;

typedef struct {
  span v[SPANS_MAX];
  size_t n;
} set;

/* --- versions -------------------------------------------------------------------------- */

/* A part that is absent is 0. */
static int compare(const version *a, const version *b) {
  size_t i = 0;
  while (i + 1 < PARTS_MAX && a->v[i] == b->v[i])
    i++;
  return (a->v[i] > b->v[i]) - (a->v[i] < b->v[i]);
}

/* The first version behind all that begin with the first n numbers. */
static version next_of(const version *v, size_t n) {
  version next = { .n = n };
  memcpy(next.v, v->v, n * sizeof *v->v);
  next.v[n - 1]++;
  return next;
}

/* Reads "v1.2.3", "1.2.x" (*open: then any number follows); its bytes, or 0. */
static size_t read_version(hm_str s, version *out, bool *open) {
  size_t i = hm_value_starts_folded(s, "v"), end;
  *out = (version){ 0 };
  *open = false;
  while (out->n < PARTS_MAX && (end = hm_skip_digits(s, i)) > i) {
    if (end - i > 8)
      return 0;
    out->v[out->n++] = (unsigned)hm_value_whole(s, i, end);
    i = end;
    if (!hm_char_at(s, i, '.') || i + 1 >= s.n)
      break;
    *open = memchr("xX*", s.p[i + 1], 3) && !hm_letter_at(s, i + 2);
    if (*open) {
      for (i += 2; hm_value_starts_folded(hm_str_sub(s, i, s.n), ".x");)
        i += 2;
      break;
    }
    if (!hm_digit_at(s, ++i))
      return 0;
  }
  return out->n ? i : 0;
}

/* --- spans ------------------------------------------------------------------------------ */

static const version ENDLESS = { .v = { UINT_MAX }, .n = 1 };

static bool is_empty(const span *s) { return compare(&s->from, &s->to) >= 0; }

static const version *lesser(const version *a, const version *b) {
  return compare(a, b) < 0 ? a : b;
}

static const version *greater(const version *a, const version *b) {
  return compare(a, b) < 0 ? b : a;
}

static span both(const span *a, const span *b) {
  return (span){ *greater(&a->from, &b->from), *lesser(&a->to, &b->to) };
}

/* Adds a span in order, and joins those that touch. */
static void add_span(set *s, span x) {
  size_t kept = 0;
  for (size_t i = 0; i < s->n; i++) {
    const span *y = &s->v[i];
    if (compare(&x.to, &y->from) < 0 || compare(&y->to, &x.from) < 0)
      s->v[kept++] = *y;
    else
      x = (span){ *lesser(&x.from, &y->from), *greater(&x.to, &y->to) };
  }
  size_t at = kept;
  for (; at && compare(&s->v[at - 1].from, &x.from) > 0; at--)
    s->v[at] = s->v[at - 1];
  s->v[at] = x;
  s->n = kept + 1;
}

/* --- bounds ------------------------------------------------------------------------------ */

typedef enum { AT_LEAST, ABOVE, AT_MOST, BELOW, CARET, TILDE, ALL_BUT_LAST, EXACT } bound_sign;

typedef struct {
  const char *words;
  bound_sign sign;
} phrase_of_sign;

/* Sources: npm; PEP 440, RubyGems; in words Node.js and Debian. */
static const phrase_of_sign before[] = {
  { ">=", AT_LEAST },
  { "=>", AT_LEAST },
  { "<=", AT_MOST },
  { "=<", AT_MOST },
  { "~=", ALL_BUT_LAST },
  { "~>", ALL_BUT_LAST },
  { "==", EXACT },
  { "=", EXACT },
  { ">", ABOVE },
  { "<", BELOW },
  { "^", CARET },
  { "~", TILDE },
  { "at least ", AT_LEAST },
  { "minimum of ", AT_LEAST },
  { "minimum ", AT_LEAST },
  { "min. ", AT_LEAST },
  { "min ", AT_LEAST },
  { "at most ", AT_MOST },
  { "up to ", AT_MOST },
  { "below ", BELOW },
};
static const phrase_of_sign behind[] = {
  { "+", AT_LEAST },          { " or later", AT_LEAST },   { " or newer", AT_LEAST },
  { " or higher", AT_LEAST }, { " or above", AT_LEAST },   { " or greater", AT_LEAST },
  { " or more", AT_LEAST },   { " or up", AT_LEAST },      { " and later", AT_LEAST },
  { " and newer", AT_LEAST }, { " and higher", AT_LEAST }, { " and above", AT_LEAST },
  { " and up", AT_LEAST },    { " minimum", AT_LEAST },    { " or lower", AT_MOST },
  { " or older", AT_MOST },   { " or earlier", AT_MOST },  { " and below", AT_MOST },
};

static span span_of(bound_sign sign, const version *v, bool open) {
  size_t n = v->n, kept = n;
  if (sign == CARET)
    for (kept = 1; kept < n && !v->v[kept - 1];)
      kept++;
  if (sign == TILDE && n > 2)
    kept = 2;
  if (sign == ALL_BUT_LAST && n > 1 && !open)
    kept = n - 1;
  span s = { *v, next_of(v, kept) };
  if (sign == ABOVE)
    s.from = s.to;
  if (sign == AT_LEAST || sign == ABOVE)
    s.to = ENDLESS;
  if (sign == BELOW)
    s.to = *v;
  if (sign == AT_MOST || sign == BELOW)
    s.from = (version){ 0 };
  return s;
}

/* The bytes of a phrase at the beginning of s, and its sign; 0: there is none. */
static size_t read_sign(hm_str s, const phrase_of_sign *rows, size_t n, bound_sign *sign) {
  for (size_t i = 0; i < n; i++)
    if (hm_value_starts_folded(s, rows[i].words)) {
      *sign = rows[i].sign;
      return strlen(rows[i].words);
    }
  return 0;
}

/* Reads a bound at the beginning of s, *plain: a version without a sign. Its bytes, or 0. */
static size_t read_bound(hm_str s, span *out, bool *plain) {
  version v;
  bound_sign sign = EXACT;
  bool open;
  size_t phrase = read_sign(s, before, HM_COUNT(before), &sign), at = hm_skip_spaces(s, phrase);
  if (hm_value_starts_folded(hm_str_sub(s, at, s.n), "version "))
    at = hm_skip_spaces(s, at + sizeof "version " - 1);
  size_t n = read_version(hm_str_sub(s, at, s.n), &v, &open);
  if (!n)
    return 0;
  at += n;
  if (!phrase)
    phrase = read_sign(hm_str_sub(s, at, s.n), behind, HM_COUNT(behind), &sign), at += phrase;
  if (at < s.n && (hm_is_alnum(s.p[at]) || strchr("._+", s.p[at])))
    return 0;
  *plain = !phrase && !open;
  *out = span_of(sign, &v, open);
  return at;
}

/* The bytes of a joint of two bounds at the beginning of s. */
static size_t joint(hm_str s) {
  size_t at = hm_skip_spaces(s, 0);
  if (hm_char_at(s, at, ',') || hm_char_at(s, at, '&'))
    at = hm_skip_spaces(s, at + 1);
  return at + (hm_value_starts_folded(hm_str_sub(s, at, s.n), "and ") ? 4 : 0);
}

/* "3.10 - 3.14", "20 to 22", "18-20" */
static bool read_dash(hm_str s, span *out) {
  version from, to;
  bool open;
  size_t at = read_version(s, &from, &open);
  size_t n = at ? hm_skip_spaces(s, at) : 0;
  if (!at || open)
    return false;
  hm_str rest = hm_str_sub(s, n, s.n);
  size_t dash = hm_str_starts(rest, "-") ? 1 : hm_value_starts_folded(rest, "to ") ? 2 : 0;
  size_t behind_dash = hm_skip_spaces(rest, dash);
  bool spaced = n > at && behind_dash > dash;
  rest = hm_str_sub(rest, behind_dash, rest.n);
  if (!dash || read_version(rest, &to, &open) != rest.n || compare(&from, &to) >= 0)
    return false;
  if (!spaced && from.n != to.n) /* a package: "5.15-1044" */
    return false;
  *out = (span){ .from = from, .to = next_of(&to, to.n) };
  return true;
}

/* *plain: the alternative is a version and nothing else. */
static bool read_alternative(hm_str s, span *out, bool *plain) {
  span next;
  size_t bounds = 0;
  s = hm_str_trim(s);
  *plain = false;
  if (read_dash(s, out))
    return true;
  for (*out = (span){ .to = ENDLESS }; s.n; bounds++) {
    size_t n = read_bound(s, &next, plain), between = joint(hm_str_sub(s, n, s.n));
    if (!n || (n < s.n && !between) || (*plain && (bounds || n < s.n)))
      return false;
    *out = both(out, &next);
    s = hm_str_trim(hm_str_sub(s, n + between, s.n));
  }
  return bounds > 0 && !is_empty(out);
}

/* The bytes before the next joint of alternatives, and those of the joint. */
static size_t alternative_end(hm_str s, size_t *bytes) {
  bound_sign unused;
  for (size_t i = 0; i < s.n; i++) {
    hm_str rest = hm_str_sub(s, i, s.n);
    *bytes = hm_str_starts(rest, "||") ? 2
        : hm_value_starts_folded(rest, " or ") &&
            !read_sign(rest, behind, HM_COUNT(behind), &unused)
        ? 4
        : 0;
    if (*bytes)
      return i;
  }
  return s.n;
}

static bool read_set(hm_str s, set *out) {
  size_t alternatives = 0, bytes = 0;
  bool plain = false;
  *out = (set){ 0 };
  if (!s.n || s.n > LONGEST)
    return false;
  for (; s.n; alternatives++) {
    span x;
    size_t end = alternative_end(s, &bytes);
    if (alternatives == SPANS_MAX || !read_alternative(hm_str_sub(s, 0, end), &x, &plain))
      return false;
    add_span(out, x);
    s = hm_str_sub(s, end + bytes, s.n);
  }
  return alternatives > 1 || !plain;
}

/* --- values ------------------------------------------------------------------------------ */

static const char demand_key[] = "demand:";

bool hm_value_is_demand(const hm_value *v) { return hm_str_starts(v->key, demand_key); }

static void write_version(hm_buf *b, const version *v) {
  size_t n = v->n;
  while (n > 1 && !v->v[n - 1])
    n--;
  for (size_t i = 0; i < n; i++)
    hm_buf_fmt(b, "%s%u", i ? "." : "", v->v[i]);
}

bool hm_value_read_demand(hm_value *out, hm_str s, hm_reader *r) {
  set demand;
  if (!read_set(s, &demand))
    return false;
  hm_buf b = { 0 };
  hm_buf_c(&b, demand_key);
  for (size_t i = 0; i < demand.n; i++) {
    hm_buf_c(&b, i ? "," : "");
    write_version(&b, &demand.v[i].from);
    hm_buf_c(&b, "..");
    if (compare(&demand.v[i].to, &ENDLESS))
      write_version(&b, &demand.v[i].to);
  }
  hm_value_set_text(out, s, r->a);
  out->key = hm_buf_take(&b, r->a);
  return true;
}

/* Do they begin at one version, as far as both say it: "1.23" and "1.23.6", but not "18", "18.17"?
 */
static bool begin_alike(const version *a, const version *b) {
  size_t n = a->n < b->n ? a->n : b->n;
  return compare(a, b) == 0 || (n > 1 && !memcmp(a->v, b->v, n * sizeof *a->v));
}

/* "2.x" beside ">=2.0.25": who names a series says nothing of where in it. */
static bool is_series_of(const hm_value *series, const set *its, const set *other) {
  hm_str text = hm_value_without_class(series->norm);
  bool open = hm_str_ends(text, ".x") || hm_str_ends(text, ".*");
  const version *from = &other->v[0].from;
  return open && its->n == 1 && other->n == 1 && compare(&its->v[0].from, from) <= 0 &&
      compare(from, &its->v[0].to) < 0;
}

/* ">=3.10,<4" and "3.10+": who says from where on says nothing of the end, if more than what the
 * first version names lies between. */
static bool ends_alike(const hm_value *a, const hm_value *b) {
  set x, y;
  read_set(hm_value_without_class(a->norm), &x);
  read_set(hm_value_without_class(b->norm), &y);
  if (is_series_of(a, &x, &y) || is_series_of(b, &y, &x))
    return true;
  bool first = !compare(&x.v[0].to, &ENDLESS);
  const span *open = first ? &x.v[0] : &y.v[0], *other = first ? &y.v[0] : &x.v[0];
  if (x.n != 1 || y.n != 1 || compare(&open->to, &ENDLESS) ||
      !begin_alike(&open->from, &other->from))
    return false;
  version next = next_of(&open->from, open->from.n < 2 ? open->from.n : 2);
  return compare(&other->to, &next) > 0;
}

bool hm_values_meet_demand(const hm_value *a, const hm_value *b) {
  bool first = hm_value_is_demand(a);
  const hm_value *demand = first ? a : b, *used = first ? b : a;
  version v;
  bool open;
  set allowed;
  if (hm_value_is_demand(used))
    return ends_alike(a, b); /* equal sets have equal keys */
  if (used->kind != HM_V_TEXT)
    return false;
  if (!read_version(hm_value_without_class(used->norm), &v, &open))
    return false;
  read_set(hm_value_without_class(demand->norm), &allowed);
  span is = { .from = v, .to = next_of(&v, v.n) };
  for (size_t i = 0; i < allowed.n; i++) {
    span common = both(&allowed.v[i], &is);
    if (!is_empty(&common))
      return true;
  }
  return false;
}
