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
#include <string.h>

#include "core/base/ascii.h"
#include "core/value/value_impl.h"

enum { LONGEST = 96, PARTS_MAX = 5, SPANS_MAX = 8 };

typedef struct {
  unsigned v[PARTS_MAX];
  size_t n;
} version;

/* From a version (included) to one (not included). */
typedef struct {
  version from, to;
  bool endless;
} span;

typedef struct {
  span v[SPANS_MAX];
  size_t n;
} set;

/* --- versions -------------------------------------------------------------------------- */

static unsigned part(const version *v, size_t i) { return i < v->n ? v->v[i] : 0; }

/* A part that is absent is 0. */
static int compare(const version *a, const version *b) {
  for (size_t i = 0; i < PARTS_MAX; i++)
    if (part(a, i) != part(b, i))
      return part(a, i) < part(b, i) ? -1 : 1;
  return 0;
}

/* The first version behind all that begin with the first n numbers. */
static version next_of(const version *v, size_t n) {
  version next = { .n = n };
  for (size_t i = 0; i < n; i++)
    next.v[i] = part(v, i);
  if (n)
    next.v[n - 1]++;
  return next;
}

/* Reads "v1.2.3", "1.2.x" (*open: then any number follows); its bytes, or 0. */
static size_t read_version(hm_str s, version *out, bool *open) {
  size_t i = s.n && (s.p[0] | 0x20) == 'v';
  *out = (version){ 0 };
  *open = false;
  while (out->n < PARTS_MAX && hm_digit_at(s, i)) {
    size_t end = hm_skip_digits(s, i);
    unsigned n = 0;
    if (end - i > 8)
      return 0;
    for (; i < end; i++)
      n = n * 10 + (unsigned)(s.p[i] - '0');
    out->v[out->n++] = n;
    if (!hm_char_at(s, i, '.') || i + 1 >= s.n)
      break;
    char c = s.p[i + 1];
    bool any = (c == 'x' || c == 'X' || c == '*') && !hm_letter_at(s, i + 2);
    if (any) {
      *open = true;
      i += 2;
      while (hm_char_at(s, i, '.') && i + 1 < s.n && (s.p[i + 1] | 0x20) == 'x')
        i += 2;
      break;
    }
    if (!hm_is_digit(c))
      return 0;
    i++;
  }
  return out->n ? i : 0;
}

/* --- spans ------------------------------------------------------------------------------ */

static const span all = { .endless = true };

static bool is_empty(const span *s) { return !s->endless && compare(&s->from, &s->to) >= 0; }

static span both(const span *a, const span *b) {
  span s = { .endless = a->endless && b->endless };
  s.from = compare(&a->from, &b->from) > 0 ? a->from : b->from;
  if (a->endless)
    s.to = b->to;
  else
    s.to = b->endless || compare(&a->to, &b->to) < 0 ? a->to : b->to;
  return s;
}

/* Adds a span in order, and joins those that touch. */
static void add_span(set *s, span x) {
  size_t kept = 0;
  for (size_t i = 0; i < s->n; i++) {
    const span *y = &s->v[i];
    bool apart = (!x.endless && compare(&x.to, &y->from) < 0) ||
        (!y->endless && compare(&y->to, &x.from) < 0);
    if (apart) {
      s->v[kept++] = *y;
      continue;
    }
    if (compare(&y->from, &x.from) < 0)
      x.from = y->from;
    if (y->endless || (!x.endless && compare(&y->to, &x.to) > 0))
      x.to = y->to;
    x.endless = x.endless || y->endless;
  }
  s->n = kept;
  if (s->n == SPANS_MAX)
    return;
  size_t at = s->n++;
  for (; at && compare(&s->v[at - 1].from, &x.from) > 0; at--)
    s->v[at] = s->v[at - 1];
  s->v[at] = x;
}

/* --- bounds ------------------------------------------------------------------------------ */

typedef enum { AT_LEAST, ABOVE, AT_MOST, BELOW, CARET, TILDE, ALL_BUT_LAST, EXACT } bound_sign;

static const struct {
  const char *words;
  bound_sign sign;
} before[] = {
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
static const struct {
  const char *words;
  bound_sign sign;
} behind[] = {
  { "+", AT_LEAST },          { " or later", AT_LEAST },   { " or newer", AT_LEAST },
  { " or higher", AT_LEAST }, { " or above", AT_LEAST },   { " or greater", AT_LEAST },
  { " or more", AT_LEAST },   { " or up", AT_LEAST },      { " and later", AT_LEAST },
  { " and newer", AT_LEAST }, { " and higher", AT_LEAST }, { " and above", AT_LEAST },
  { " and up", AT_LEAST },    { " minimum", AT_LEAST },    { " or lower", AT_MOST },
  { " or older", AT_MOST },   { " or earlier", AT_MOST },  { " and below", AT_MOST },
};

static span span_of(bound_sign sign, const version *v, bool open) {
  span s = { .from = *v };
  size_t n = v->n;
  switch (sign) {
    case AT_LEAST:
      s.endless = true;
      break;
    case ABOVE:
      s.from = next_of(v, n);
      s.endless = true;
      break;
    case AT_MOST:
      s.from = (version){ 0 };
      s.to = next_of(v, n);
      break;
    case BELOW:
      s.from = (version){ 0 };
      s.to = *v;
      break;
    case CARET: {
      size_t i = 0;
      while (i + 1 < n && !v->v[i])
        i++;
      s.to = next_of(v, i + 1);
      break;
    }
    case TILDE:
      s.to = next_of(v, n > 2 ? 2 : n);
      break;
    case ALL_BUT_LAST:
      s.to = next_of(v, n > 1 && !open ? n - 1 : n);
      break;
    case EXACT:
      s.to = next_of(v, n);
      break;
  }
  return s;
}

/* Reads a bound at the beginning of s, *plain: a version without a sign. Its bytes, or 0. */
static size_t read_bound(hm_str s, span *out, bool *plain) {
  version v;
  bound_sign found = EXACT;
  bool open, has = false;
  size_t at = 0;
  for (size_t i = 0; i < HM_COUNT(before) && !has; i++) {
    if (!hm_value_starts_folded(s, before[i].words))
      continue;
    found = before[i].sign;
    at = strlen(before[i].words);
    has = true;
  }
  at = hm_skip_spaces(s, at);
  if (hm_value_starts_folded(hm_str_sub(s, at, s.n), "version "))
    at = hm_skip_spaces(s, at + sizeof "version " - 1);
  size_t n = read_version(hm_str_sub(s, at, s.n), &v, &open);
  if (!n)
    return 0;
  at += n;
  hm_str rest = hm_str_sub(s, at, s.n);
  for (size_t i = 0; i < HM_COUNT(behind) && !has; i++) {
    if (!hm_value_starts_folded(rest, behind[i].words))
      continue;
    found = behind[i].sign;
    at += strlen(behind[i].words);
    has = true;
  }
  if (at < s.n && (hm_is_alnum(s.p[at]) || strchr("._+", s.p[at])))
    return 0;
  *plain = !has && !open;
  *out = span_of(found, &v, open);
  return at;
}

/* The bytes of a joint of two bounds at the beginning of s. */
static size_t joint(hm_str s) {
  size_t at = hm_skip_spaces(s, 0);
  if (hm_char_at(s, at, ',') || hm_char_at(s, at, '&'))
    at = hm_skip_spaces(s, at + 1);
  if (hm_value_starts_folded(hm_str_sub(s, at, s.n), "and "))
    at = hm_skip_spaces(s, at + 4);
  return at;
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
  *out = all;
  *plain = false;
  if (read_dash(s, out))
    return true;
  while (s.n) {
    bool is_plain;
    size_t n = read_bound(s, &next, &is_plain);
    if (!n || (is_plain && (bounds || n < s.n)))
      return false;
    *plain = is_plain;
    *out = both(out, &next);
    bounds++;
    s = hm_str_sub(s, n, s.n);
    n = joint(s);
    if (s.n && !n)
      return false;
    s = hm_str_sub(s, n, s.n);
  }
  return bounds > 0 && !is_empty(out);
}

/* The bytes before the next joint of alternatives, and those of the joint. */
static size_t alternative_end(hm_str s, size_t *bytes) {
  static const char *const later[] = { "later", "newer", "higher", "above", "greater",
                                       "more",  "up",    "lower",  "older", "earlier" };
  for (size_t i = 0; i < s.n; i++) {
    hm_str rest = hm_str_sub(s, i, s.n);
    bool bars = hm_str_starts(rest, "||"), word = hm_value_starts_folded(rest, " or ");
    for (size_t k = 0; k < HM_COUNT(later) && word; k++)
      word = !hm_value_starts_folded(hm_str_sub(rest, 4, rest.n), later[k]);
    if (!bars && !word)
      continue;
    *bytes = bars ? 2 : 4;
    return i;
  }
  *bytes = 0;
  return s.n;
}

static bool read_set(hm_str s, set *out) {
  size_t alternatives = 0, bytes;
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
    if (!demand.v[i].endless)
      write_version(&b, &demand.v[i].to);
  }
  hm_value_set_text(out, s, r->a);
  out->key = hm_buf_take(&b, r->a);
  return true;
}

bool hm_values_meet_demand(const hm_value *a, const hm_value *b) {
  bool first = hm_value_is_demand(a);
  const hm_value *demand = first ? a : b, *used = first ? b : a;
  version v;
  bool open;
  set allowed;
  if (hm_value_is_demand(used) || used->kind != HM_V_TEXT)
    return false; /* equal sets have equal keys */
  hm_str text = hm_str_sub(used->norm, sizeof "text:" - 1, used->norm.n);
  if (!read_version(text, &v, &open))
    return false;
  read_set(hm_str_sub(demand->norm, sizeof "text:" - 1, demand->norm.n), &allowed);
  span is = { .from = v, .to = next_of(&v, v.n) };
  for (size_t i = 0; i < allowed.n; i++) {
    span common = both(&allowed.v[i], &is);
    if (!is_empty(&common))
      return true;
  }
  return false;
}
