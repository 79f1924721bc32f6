/* Two values of which one says the other more exactly, or that may be one: both can hold.
 *
 *   people     "Dr. Dana Reyes" and "Dana Reyes", "J. Smith" and "John Smith", "Dr. Hofmann" and
 *              "Eva Hofmann"; not "Mr. Smith" and "Mrs. Smith"
 *   firms      "Acme Inc." and "Acme"; not "Acme GmbH" and "Acme AG"
 *   places     "Berlin, Germany" and "Berlin", where the slot is about a place or the table of
 *              containment.c knows both
 *   products   "Postgres 15.4" and "Postgres 15", "Postgres"
 *              "Apple M2" and "M2"
 *   acronyms   "CTO" and "Chief Technology Officer"
 *   roles      "senior engineer" and "engineer", where the slot is a role
 *   contacts   phones, numbers, streets, hosts, positions: value_contacts.c
 *   slots      what the name of the slot says of numbers, letters and codes: value_in_slot.c
 *   units      "30 Foo" and "30 s": a unit that nobody knows, no money, beside the same number
 *   sexes      "F" and "female"
 *   slots      "Class 3B" and "3B" of a safety class, "2nd floor" and 2 of a floor
 *   counts     "1,200 patients" and 1200; "54 years" and 54 of an age
 *   at least   "1,031+" and "1,400+" of tests, but not "2+" and "3+" of approvals
 *   units      500 of "timeout_ms" and 500 ms
 *   moments    "13.04.2026" and 2026-04-13, "9:10 AM, Dec 04" and 9:10: value_moment.c
 *   converted  "178 cm" and "5 ft 10 in": the same but for the rounding of one of them, at most
 *              1 %, between units of which none is a multiple of the other
 *
 * It reads normal forms and the name of the slot alone, so equal values get equal answers.
 * Cost: linear in the bytes of both. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/value/containment.h"
#include "core/value/value_impl.h"

enum { WORDS_MAX = 8 };

typedef struct {
  hm_str v[WORDS_MAX];
  size_t n;
} words;

static bool split(words *out, hm_str s) {
  out->n = 0;
  while (s.n) {
    if (out->n == WORDS_MAX)
      return false;
    hm_str word = hm_str_next_word(&s);
    if (word.n)
      out->v[out->n++] = word;
  }
  return out->n > 0;
}

/* Of two lists of words from those places on. */
static bool same_words(const words *a, size_t i, size_t m, const words *b, size_t k, size_t n) {
  if (m - i != n - k)
    return false;
  while (i < m && hm_str_eq(hm_value_without_stop(a->v[i]), hm_value_without_stop(b->v[k])))
    i++, k++;
  return i == m;
}

/* --- people ----------------------------------------------------------------------------------- */

/* Sources: Debrett's; Chicago Manual of Style; of German Duden. */
static const char *const TITLES[] = { "captain",   "chef",     "coach",   "dame",   "doctor",
                                      "dr",        "judge",    "maestro", "pastor", "prof",
                                      "professor", "reverend", "sir" };
static const char *const FORMS_OF_ADDRESS[] = { "mr", "mrs", "ms", "miss", "mx", "herr", "frau" };
static const char *const DEGREES[] = { "md", "m.d", "phd", "ph.d", "msc", "mba", "esq" };

/* A name without what is around it. */
typedef struct {
  words w;
  size_t from, to;
  hm_str address;
  bool titled, last_name_first;
} person;

/* "herbert, frank" as "frank herbert". */
static bool put_in_order(words *w) {
  hm_str last = w->v[0];
  if (w->n != 2 || !hm_str_ends(last, ",") || HM_IS_ANY(hm_value_without_stop(w->v[1]), DEGREES))
    return false;
  w->v[0] = w->v[1];
  w->v[1] = hm_value_without_stop(last);
  return true;
}

static bool read_person(person *p, hm_str s) {
  *p = (person){ 0 };
  if (!split(&p->w, s) || hm_text_has_digit(s))
    return false;
  p->last_name_first = put_in_order(&p->w);
  p->to = p->w.n;
  for (; p->from < p->to; p->from++) {
    hm_str word = hm_value_without_stop(p->w.v[p->from]);
    bool address = HM_IS_ANY(word, FORMS_OF_ADDRESS);
    if (!address && !HM_IS_ANY(word, TITLES))
      break;
    if (address)
      p->address = word;
  }
  while (p->to > p->from + 1 && HM_IS_ANY(hm_value_without_stop(p->w.v[p->to - 1]), DEGREES))
    p->to--;
  p->titled = p->from || p->to < p->w.n;
  return p->to > p->from;
}

/* "j." */
static bool is_initial(hm_str word) {
  return word.n == 2 && hm_is_letter(word.p[0]) && word.p[1] == '.';
}

/* One first name, or its first letter and a point. */
static bool may_be_one(hm_str x, hm_str y) {
  return hm_str_eq(x, y) || ((is_initial(x) || is_initial(y)) && x.p[0] == y.p[0]);
}

/* Names of two words or more: the last is the same, the first may be, and so are those between, of
 * which initials may be left out. */
static bool same_person(const person *a, const person *b) {
  size_t i = a->from, k = b->from, m = a->to - 1, n = b->to - 1;
  if (i == m || k == n ||
      !hm_str_eq(hm_value_without_stop(a->w.v[m]), hm_value_without_stop(b->w.v[n])))
    return false;
  if (!may_be_one(a->w.v[i++], b->w.v[k++]))
    return false;
  while (i < m || k < n) {
    if (i < m && k < n && may_be_one(a->w.v[i], b->w.v[k]))
      i++, k++;
    else if (i < m && is_initial(a->w.v[i]))
      i++;
    else if (k < n && is_initial(b->w.v[k]))
      k++;
    else
      return false;
  }
  return true;
}

/* "dr. hofmann" beside "eva hofmann". */
static bool is_surname_of(const person *a, const person *b) {
  return a->titled && a->to - a->from == 1 && b->to - b->from > 1 &&
      hm_str_eq(hm_value_without_stop(a->w.v[a->from]), hm_value_without_stop(b->w.v[b->to - 1]));
}

static bool people_agree(hm_str x, hm_str y) {
  person a, b;
  if (!read_person(&a, x) || !read_person(&b, y))
    return false;
  if (a.address.n && b.address.n && !hm_str_eq(a.address, b.address))
    return false;
  bool formal = a.titled || b.titled || a.last_name_first || b.last_name_first;
  if (formal && same_words(&a.w, a.from, a.to, &b.w, b.from, b.to))
    return true;
  return same_person(&a, &b) || is_surname_of(&a, &b) || is_surname_of(&b, &a);
}

/* --- firms, products -------------------------------------------------------------------------- */

/* The words of a firm before those that say what kind of one it is. Sources: ISO 20275;
 * Merriam-Webster. */
static size_t name_of_firm(const words *w) {
  static const char *const forms[] = {
    "inc",     "incorporated", "ltd", "limited", "llc", "llp", "plc", "corp", "corporation", "co",
    "company", "gmbh",         "ag",  "kg",      "se",  "sa",  "s.a", "sas",  "srl",         "spa",
    "s.p.a",   "bv",           "b.v", "nv",      "oy",  "ab",  "pty", "&"
  };
  size_t n = w->n;
  while (n > 1 && HM_IS_ANY(hm_value_without_stop(w->v[n - 1]), forms))
    n--;
  return n;
}

/* "acme, inc." beside "acme inc" and "acme". */
static bool firms_agree(const words *a, const words *b) {
  size_t m = name_of_firm(a), n = name_of_firm(b);
  if ((m == a->n && n == b->n) || !same_words(a, 0, m, b, 0, n))
    return false;
  return m == a->n || n == b->n || same_words(a, m, a->n, b, n, b->n);
}

/* "postgres 15.4" of "postgres 15" and of "postgres". */
static bool is_release_of(const words *more, const words *less) {
  hm_str last = more->v[more->n - 1];
  size_t name = more->n - 1;
  if (!name || !hm_is_version(last) || hm_is_digit(more->v[0].p[0]))
    return false;
  if (last.p[0] == '0' && last.n > 1 && last.p[1] != '.')
    return false; /* a number of things */
  if (less->n == name)
    return same_words(more, 0, name, less, 0, name);
  return less->n == more->n && same_words(more, 0, name, less, 0, name) &&
      hm_version_refines(last, less->v[name]);
}

/* "bsd-3-clause" of "bsd", which says nothing of its clauses. */
static bool is_clause_of(hm_str more, hm_str less) {
  return hm_str_is(less, "bsd") && hm_str_starts(more, "bsd") && hm_str_ends(more, "clause");
}

/* Is it a slot of the versions of a product in use, as "node" and "node_version"? */
static bool is_of_product(hm_str slot, hm_reading supports) {
  if (hm_str_ends(slot, "_version") || hm_str_ends(slot, "_release"))
    return hm_slot_reading(hm_str_sub(slot, 0, slot.n - strlen("_version"))) & HM_READ_VERSION;
  return !(supports & HM_READ_TEXT);
}

/* "3.11" of "python 3.11" in a slot of versions; of a product also 120.0.1 of 120 and 3.12.1
 * of 3.12. */
static bool is_version_of(hm_str slot, hm_reading supports, const words *more, const words *less) {
  hm_str last = more->v[more->n - 1], version = less->v[0];
  if (!(supports & HM_READ_VERSION) || less->n > 1 || more->n > 2)
    return false;
  bool named = more->n == 2 && hm_is_letter(more->v[0].p[0]) && hm_is_version(last);
  if (named && hm_str_eq(last, version))
    return true;
  return is_of_product(slot, supports) && (named || more->n == 1) && last.n > version.n &&
      hm_version_refines(last, version);
}

/* "m2" of "apple m2", but not of "not m2". */
static bool is_model_of(const words *more, const words *less) {
  static const char *const others[] = {
    "not", "no",  "non",    "pre",   "post",   "anti",  "ex",
    "old", "new", "former", "after", "before", "until", "since"
  };
  size_t added = more->n - less->n;
  bool letter = false, digit = false;
  if (more->n <= less->n || !same_words(more, added, more->n, less, 0, less->n))
    return false;
  for (size_t k = 0; k < added; k++)
    if (HM_IS_ANY(more->v[k], others) || hm_text_has_digit(more->v[k]))
      return false;
  for (size_t k = 0; k < less->n; k++) {
    digit = digit || hm_text_has_digit(less->v[k]);
    for (size_t i = 0; i < less->v[k].n; i++)
      letter = letter || hm_is_letter(less->v[k].p[i]);
  }
  return letter && digit;
}

/* "cto" of "chief technology officer". */
static bool is_acronym_of(const words *letters, const words *name) {
  static const char *const plain[] = { "up", "on", "in", "no", "ok", "go", "is", "it", "at", "to" };
  hm_str s = letters->v[0];
  if (letters->n != 1 || name->n < 2 || s.n != name->n || HM_IS_ANY(s, plain))
    return false;
  for (size_t i = 0; i < s.n; i++)
    if (!hm_is_lower(s.p[i]) || name->v[i].p[0] != s.p[i] || name->v[i].n < 3 ||
        hm_str_ends(name->v[i], ","))
      return false;
  return true;
}

/* --- places ----------------------------------------------------------------------------------- */

/* "berlin, germany" of "berlin" and, where the slot is about a place, of "germany". */
static bool is_place_in(hm_str more, hm_str less, bool of_place) {
  char a[HM_WORDING_MAX], b[HM_WORDING_MAX];
  const char *first = memchr(more.p, ',', more.n);
  if (!first || memchr(less.p, ',', less.n))
    return false;
  hm_str inner = hm_str_trim(hm_str_sub(more, 0, (size_t)(first - more.p)));
  hm_str outer = hm_str_trim(hm_str_behind_last(more, ','));
  if (of_place)
    return hm_str_eq(less, inner) || hm_str_eq(less, outer);
  return hm_str_eq(less, inner) &&
      hm_places_may_nest(hm_value_as_name(inner, a), hm_value_as_name(outer, b));
}

static bool places_agree(hm_reading supports, hm_str x, hm_str y) {
  char a[HM_WORDING_MAX], b[HM_WORDING_MAX];
  bool of_place = supports & (HM_READ_PLACE | HM_READ_TOWN);
  if (supports & HM_READ_PLACE &&
      hm_places_may_nest(hm_value_as_name(x, a), hm_value_as_name(y, b)))
    return true;
  return is_place_in(x, y, of_place) || is_place_in(y, x, of_place);
}

/* --- what the slot says already --------------------------------------------------------------- */

/* Without the "nd" of "2nd". */
static hm_str without_ordinal(hm_str s) {
  static const char *const ends[] = { "st", "nd", "rd", "th" };
  bool any = s.n > 2 && hm_is_digit(s.p[s.n - 3]) && HM_IS_ANY(hm_str_sub(s, s.n - 2, s.n), ends);
  return any ? hm_str_sub(s, 0, s.n - 2) : s;
}

/* "class 3b" of "3b" in a slot that ends in class, "2nd floor" of "2", "platform team". */
static bool repeats_slot(hm_str slot, hm_str more, hm_str less) {
  hm_str named = hm_str_behind_last(slot, '_'), rest = more, first = hm_str_next_word(&rest);
  hm_str last = hm_str_behind_last(more, ' ');
  if (!rest.n)
    return false;
  if (hm_str_eq(first, named) && hm_str_eq(rest, less))
    return true;
  hm_str before = hm_str_sub(more, 0, more.n - last.n - 1);
  return hm_str_eq(last, named) &&
      (hm_str_eq(before, less) || hm_str_eq(without_ordinal(before), less));
}

/* "1200 patients" of 1200, but "12 pairs" are not 12, and "six sigma" is a name. "30 foo" of 30 s,
 * where it is no money: what is counted may be a unit that nobody knows. */
static bool counts(const hm_value *text, const hm_value *v) {
  static const char *const several[] = { "pairs",   "packs",  "boxes",    "sets",      "dozens",
                                         "cases",   "crates", "cartons",  "rolls",     "reels",
                                         "bundles", "cents",  "hundreds", "thousands", "millions" };
  char line[HM_WORDING_MAX];
  if (text->kind != HM_V_TEXT || !hm_value_is_numeric(v))
    return false;
  hm_str noun = hm_value_wording(text, line), number = hm_str_next_word(&noun);
  hm_str unit = hm_str_is(hm_value_unit(v), "pcs") ? HM_EMPTY : hm_value_unit(v);
  if (!hm_str_eq(number, hm_value_number_text(v)))
    return false;
  for (size_t i = 0; i < noun.n; i++)
    if (!hm_is_lower(noun.p[i]) && !(unit.n && noun.p[i] & 0x80))
      return false;
  if (!unit.n)
    return (hm_str_ends(noun, "s") || hm_str_is(noun, "people")) && !HM_IS_ANY(noun, several);
  bool spelled_so = unit.n == noun.n && !strncasecmp(unit.p, noun.p, noun.n); /* "Mib", MiB */
  return noun.n > 2 && !hm_str_is(v->base, "1") && !spelled_so && !hm_money_code(v->base);
}

/* 500 of "timeout_ms" and 500 ms, 54 of an age and 54 years, 60 of a ttl and a minute: the last
 * words of the name say the unit of a number. */
static bool is_in_unit_of_slot(hm_str slot, const hm_value *number, const hm_value *quantity) {
  static const struct {
    const char *word, *base;
    double scale;
  } units[] = {
    { "ms", "s", 1e-3 },
    { "millis", "s", 1e-3 },
    { "milliseconds", "s", 1e-3 },
    { "sec", "s", 1 },
    { "secs", "s", 1 },
    { "seconds", "s", 1 },
    { "min", "s", 60 },
    { "mins", "s", 60 },
    { "minutes", "s", 60 },
    { "hours", "s", 3600 },
    { "days", "s", 86400 },
    { "bytes", "B", 1 },
    { "kb", "B", 1e3 },
    { "mb", "B", 1e6 },
    { "gb", "B", 1e9 },
    { "mib", "B", 1048576 },
    { "gib", "B", 1073741824 },
    { "mm", "m", 1e-3 },
    { "cm", "m", 1e-2 },
    { "km", "m", 1e3 },
    { "kg", "kg", 1 },
    { "hz", "s-1", 1 },
    { "mhz", "s-1", 1e6 },
    { "percent", "%", 1 },
    { "pct", "%", 1 },
    { "ttl", "s", 1 },
    { "maxage", "s", 1 },
    { "lifetime", "s", 1 },
    { "max_age", "s", 1 },
    { "age", "s", 31556925.9747 },
    { "keepalive_timeout", "s", 1 },
    { "client_body_timeout", "s", 1 },
    { "client_header_timeout", "s", 1 },
    { "proxy_connect_timeout", "s", 1 },
    { "proxy_read_timeout", "s", 1 },
    { "proxy_send_timeout", "s", 1 },
    { "send_timeout", "s", 1 },
    { "lock_timeout", "s", 1e-3 },
    { "deadlock_timeout", "s", 1e-3 },
    { "statement_timeout", "s", 1e-3 },
    { "idle_session_timeout", "s", 1e-3 },
    { "transaction_timeout", "s", 1e-3 },
    { "idle_in_transaction_session_timeout", "s", 1e-3 },
  };
  if (number->kind != HM_V_NUMBER || quantity->kind != HM_V_QUANTITY)
    return false;
  if (number->supports & HM_READ_BYTES && hm_str_is(quantity->base, "B") &&
      number->num == quantity->num)
    return true;
  for (size_t i = 0; i < HM_COUNT(units); i++) {
    double num = number->num * units[i].scale;
    if (hm_value_slot_ends_in(slot, units[i].word) && hm_str_is(quantity->base, units[i].base) &&
        fabs(num - quantity->num) <= 1e-9 * fabs(num))
      return true;
  }
  return false;
}

/* --- amounts ---------------------------------------------------------------------------------- */

/* The unit of v in base units, and what one of the last digit is that v states; 0: unknown. */
static double scale_of(const hm_value *v, double *last_digit) {
  hm_str s = hm_value_number_text(v);
  double stated = 0, scale = 0;
  hm_str_read_double(s, &stated);
  const char *point = memchr(s.p, '.', s.n);
  size_t decimals = point ? (size_t)(s.p + s.n - point) - 1 : 0;
  if (hm_str_is(v->base, "K"))
    scale = hm_str_find(hm_value_unit(v), "F") >= 0 ? 5.0 / 9 : 1;
  else if (stated != 0)
    scale = fabs(v->num / stated);
  *last_digit = scale * pow(10, -(double)decimals);
  return memchr(s.p, 'e', s.n) ? 0 : scale;
}

/* One amount of one dimension in units of two systems: they differ by no more than the rounding of
 * the more exact one. */
static bool is_rounded(const hm_value *a, const hm_value *b) {
  const double most = 0.01;
  if (a->kind != HM_V_QUANTITY || b->kind != HM_V_QUANTITY || !hm_str_eq(a->base, b->base))
    return false;
  if (hm_str_eq(hm_value_unit(a), hm_value_unit(b)))
    return false;
  double apart = fabs(a->num - b->num), last_a, last_b;
  if (!(apart <= most * fmax(fabs(a->num), fabs(b->num))))
    return false;
  double x = scale_of(a, &last_a), y = scale_of(b, &last_b);
  if (x <= 0 || y <= 0)
    return false;
  double ratio = fmax(x / y, y / x);
  bool multiple = fabs(ratio - round(ratio)) < 1e-9 * ratio && !hm_str_is(a->base, "K");
  return !multiple && apart <= fmin(last_a, last_b) / 2 * (1 + 1e-9);
}

/* --- two values ------------------------------------------------------------------------------- */

/* "1,031+ tests" and "1,400+ tests": counts of many things, each true of a larger one. Of a few
 * things a bound is a demand: "2+ approvals". */
static bool are_counts_from(hm_str slot, const hm_value *a, const hm_value *b) {
  const double many = 10;
  if (a->kind != HM_V_RANGE || b->kind != HM_V_RANGE || !isinf(a->most) || !isinf(b->most))
    return false;
  return a->num >= many && b->num >= many && hm_str_is(a->base, "1") && hm_str_is(b->base, "1") &&
      hm_str_ends(hm_str_behind_last(slot, '_'), "s");
}

/* "max. 200" and 200 of a capacity, which is a bound. */
static bool is_at_bound(hm_str slot, const hm_value *range, const hm_value *v) {
  bool of_bounds = hm_value_slot_ends_in(slot, "capacity") ||
      hm_value_slot_ends_in(slot, "limit") || hm_str_starts(slot, "max_");
  return of_bounds && range->kind == HM_V_RANGE && isinf(range->num) && hm_value_is_numeric(v) &&
      hm_str_eq(hm_value_base(v), range->base) && v->num == range->most;
}

/* One way, where a is the one that says more. */
static bool says_more(hm_str slot, const hm_value *a, const hm_value *b) {
  return is_at_bound(slot, a, b) || counts(a, b) || is_in_unit_of_slot(slot, a, b);
}

static bool is_written(const hm_value *v) { return v->kind == HM_V_TEXT || v->kind == HM_V_NUMBER; }

static bool words_say_more(hm_str slot, hm_reading supports, const words *a, const words *b) {
  return is_release_of(a, b) || is_version_of(slot, supports, a, b) || is_model_of(a, b) ||
      is_acronym_of(b, a) || /* "senior engineer" of "engineer": */
      (supports & HM_READ_ROLE && a->n > b->n && same_words(a, a->n - b->n, a->n, b, 0, b->n));
}

static bool texts_refine(hm_str slot, const hm_value *a, const hm_value *b) {
  char in_a[HM_WORDING_MAX], in_b[HM_WORDING_MAX];
  hm_reading supports = a->supports | b->supports;
  words v, w;
  if (a->kind != HM_V_TEXT && b->kind != HM_V_TEXT)
    return false;
  if (!is_written(a) || !is_written(b))
    return false;
  hm_str x = hm_value_wording(a, in_a), y = hm_value_wording(b, in_b);
  if (!x.n || !y.n)
    return false;
  if (hm_values_same_contact(slot, a, x, b, y) || repeats_slot(slot, x, y) ||
      repeats_slot(slot, y, x))
    return true;
  if (places_agree(supports, x, y) || people_agree(x, y) || is_clause_of(x, y) ||
      is_clause_of(y, x))
    return true;
  if (a->kind != b->kind)
    return false;
  if (!split(&v, x) || !split(&w, y))
    return false;
  return firms_agree(&v, &w) || words_say_more(slot, supports, &v, &w) ||
      words_say_more(slot, supports, &w, &v);
}

static bool may_be_moment(const hm_value *v) {
  return v->kind == HM_V_DATE || v->kind == HM_V_CLOCK || v->kind == HM_V_TEXT;
}

bool hm_values_refine(hm_str slot, const hm_value *a, const hm_value *b) {
  if (a->denied || b->denied || hm_value_has_parts(a) || hm_value_has_parts(b))
    return false;
  if (may_be_moment(a) && may_be_moment(b) && hm_values_same_moment(a, b))
    return true;
  return is_rounded(a, b) || are_counts_from(slot, a, b) || says_more(slot, a, b) ||
      says_more(slot, b, a) || texts_refine(slot, a, b) || hm_values_same_in_slot(slot, a, b);
}
