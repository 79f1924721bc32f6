/* Which claims are compared, whether they disagree, and the key of their slot: see claim.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/sort.h"
#include "core/claim/claim.h"
#include "core/value/containment.h"
#include "core/claim/existence.h"
#include "core/claim/sentence_values.h"
#include "core/claim/story.h"
#include "core/value/value.h"

/* What stands before the first separator: of an entity its type, of a state the one that its
 * category names. */
static hm_str type_of(const hm_claim *c) {
  const char *end = c->compare.n ? memchr(c->compare.p, 0x1f, c->compare.n) : NULL;
  return end ? hm_str_sub(c->compare, 0, (size_t)(end - c->compare.p)) : c->compare;
}

static bool state_speaks_of(const hm_claim *state, const hm_claim *entity) {
  hm_str type = type_of(state);
  return !type.n || hm_str_eq(type, type_of(entity));
}

static bool may_compare_in_layer(const hm_claim *a, const hm_claim *b) {
  if (a->layer != HM_MEMORY)
    return a->thing == b->thing && hm_str_eq(a->compare, b->compare);
  if (a->value.denied != b->value.denied)
    return true;
  return a->compare.n && b->compare.n && !a->value.denied;
}

/* A line of a log is about its own time; one of several values contradicts only claims that exclude
 * others, or that deny it. */
static bool may_contradict(const hm_story_claim *x, const hm_story_claim *y) {
  if (x->log)
    return false;
  return !x->claim.also || (y && (y->claim.denied || (y->claim.only && !y->claim.also)));
}

/* "pytest for unit tests" of a text that names another for browser tests speaks of no others. */
static bool speaks_of_part(const hm_story_claim *x, const hm_story_claim *y) {
  return x && x->several && !(y && y->claim.qualifier.n);
}

/* A text whose slot has its own words speaks with no other text there; and "the cache is Memcached"
 * says nothing of a cache of 256 MB. */
static bool may_meet_spelled(const hm_claim *spelled, const hm_claim *other) {
  static const hm_value_kind amounts[] = { HM_V_NUMBER, HM_V_QUANTITY, HM_V_RANGE };
  if (!spelled->said || !spelled->said->spelled)
    return true;
  hm_value_kind kinds[] = { spelled->value.kind, other->value.kind };
  for (int i = 0; i < 2; i++)
    for (size_t k = 1; k < HM_COUNT(amounts); k++)
      if (kinds[i] == amounts[k])
        kinds[i] = amounts[0];
  return !other->said && kinds[0] == kinds[1];
}

/* May claims of two texts be compared, as far as only texts say? No if: one is a line of a log; one
 * adds to others and the other does not exclude others; their qualifiers differ; one has a
 * qualifier and its text says another value of the slot, too, and the other has none; they are of
 * one row, or of one agent, scope and time and no statuses; one is in the slot of its own words; or
 * the config forbids comparing texts. If one is no text, yes, unless the other adds to others, is
 * one of several, or is in the slot of its own words and has a value of another kind. */
static bool texts_comparable(const hm_claim *a, const hm_claim *b) {
  const hm_story_claim *x = a->said, *y = b->said;
  if (!may_meet_spelled(a, b) || !may_meet_spelled(b, a))
    return false;
  if (speaks_of_part(x, y) || speaks_of_part(y, x))
    return false;
  if ((x && !may_contradict(x, y)) || (y && !may_contradict(y, x)))
    return false;
  if (!x || !y)
    return true;
  hm_str p = x->claim.qualifier, q = y->claim.qualifier;
  bool one_row = a->row == b->row, one_said = one_row && hm_str_eq(a->source, b->source);
  if (!x->compared || one_said || (p.n && q.n && !hm_str_eq(p, q)))
    return false;
  bool one_author = x->agent.n && hm_str_eq(x->agent, y->agent) && hm_str_eq(x->scope, y->scope);
  one_author = one_author && x->claim.shape != HM_SHAPE_STATUS;
  return one_row || !(one_author && x->at == y->at && x->at != HM_TIME_MIN);
}

static size_t count_parts(const hm_value *v) { return v->n_items ? v->n_items : 1; }

/* What people write for one amount: "55" for "55 years", "0.8" for "80 %", "8192 MiB", "8 GB". */
static bool same_amount(const hm_value *a, const hm_value *b) {
  static const double powers[] = { 1.024, 1.048576, 1.073741824, 1.099511627776 };
  if (a->kind == HM_V_QUANTITY && b->kind == HM_V_NUMBER)
    return same_amount(b, a);
  if (a->denied || b->denied || b->kind != HM_V_QUANTITY)
    return false;
  if (a->kind == HM_V_NUMBER) {
    hm_str bare = hm_str_sub(a->norm, sizeof "number:" - 1, a->norm.n);
    hm_str with = hm_str_sub(b->norm, sizeof "quantity:" - 1, b->norm.n);
    bool same = with.n > bare.n && with.p[bare.n] == ' ' && !memcmp(with.p, bare.p, bare.n);
    return same ||
        (hm_str_ends(b->norm, " %") && fabs(b->num / 100 - a->num) <= 1e-9 * fabs(a->num));
  }
  if (a->kind != HM_V_QUANTITY || !hm_str_eq(a->base, b->base) || a->num == 0 || b->num == 0)
    return false;
  double ratio = a->num > b->num ? a->num / b->num : b->num / a->num;
  for (size_t i = 0; i < HM_COUNT(powers); i++)
    if (hm_str_is(a->base, "B") && fabs(ratio - powers[i]) < 1e-9)
      return true;
  return false;
}

/* A text that names a value by another spelling than the other: "GF PTFE" for "GF-PTFE",
 * "PostgreSQL" for "Postgres". */
static bool same_words(const hm_claim *a, const hm_claim *b) {
  const hm_value *x = &a->value, *y = &b->value;
  if (!a->said && b->said)
    return same_words(b, a);
  if (!a->said || x->kind != HM_V_TEXT || y->kind != HM_V_TEXT || x->denied || y->denied)
    return false;
  if (x->cased && y->cased)
    return false;
  if (b->said)
    return hm_str_eq(a->said->key, b->said->key);
  return hm_text_has_same_letters(a->said->claim.reading, y->raw) ||
      hm_text_has_same_letters(a->said->claim.value, y->raw);
}

static bool is_amount(const hm_value *v) {
  return v->kind == HM_V_NUMBER || v->kind == HM_V_QUANTITY || v->kind == HM_V_RANGE;
}

/* "Tags: red" beside "Tags: blue": one adds to the other, unless one denies or excludes it, or they
 * count ("max 3 reviewers"). */
static bool adds_to(const hm_claim *a, const hm_claim *b) {
  bool only = (a->said && a->said->claim.only) || (b->said && b->said->claim.only);
  return a->several && b->several && !only && !a->value.denied && !b->value.denied &&
      !is_amount(&a->value) && !is_amount(&b->value) &&
      !(a->value.kind == HM_V_OBJECT && b->value.kind == HM_V_OBJECT);
}

bool hm_claim_values_agree(const hm_claim *a, const hm_claim *b, const hm_tolerance *tol) {
  bool only = a->said && a->said->claim.only, other = b->said && b->said->claim.only;
  if (!hm_values_are_compatible(&a->value, &b->value, tol))
    return same_words(a, b) || hm_sentence_values_agree(a, b) || hm_value_change_settles(a, b) ||
        (a->said && b->said && same_amount(&a->value, &b->value));
  if (!only && !other)
    return true;
  size_t n = count_parts(&a->value), m = count_parts(&b->value);
  return !(only && m > n) && !(other && n > m);
}

bool hm_claim_comparable(const hm_claim *a, const hm_claim *b) {
  if (!texts_comparable(a, b) || adds_to(a, b))
    return false;
  /* Who denies something speaks of nothing else. */
  if ((a->value.denied || b->value.denied) &&
      !hm_str_eq(hm_value_undenied_key(&a->value), hm_value_undenied_key(&b->value)))
    return false;
  if (a->space.n)
    return true;
  if (a->layer == b->layer)
    return may_compare_in_layer(a, b);
  if (a->layer == HM_STATE && b->layer == HM_ENTITY)
    return state_speaks_of(a, b);
  if (a->layer == HM_ENTITY && b->layer == HM_STATE)
    return state_speaks_of(b, a);
  return true;
}

static bool has_word(hm_str text, hm_str word) {
  for (size_t i = 0; i < text.n;) {
    const char *space = memchr(text.p + i, ' ', text.n - i);
    size_t end = space ? (size_t)(space - text.p) : text.n;
    if (hm_str_eq(hm_str_sub(text, i, end), word))
      return true;
    i = end + 1;
  }
  return false;
}

/* Has `more` every word of `less`? */
static bool refines(hm_str more, hm_str less) {
  for (size_t i = 0; i < less.n;) {
    const char *space = memchr(less.p + i, ' ', less.n - i);
    size_t end = space ? (size_t)(space - less.p) : less.n;
    if (!has_word(more, hm_str_sub(less, i, end)))
      return false;
    i = end + 1;
  }
  return true;
}

/* "dec 18 to jan 4", and the same with ", 2027" behind it. */
static bool adds_year(hm_str more, hm_str less) {
  enum { YEAR = 6 }; /* ", 2027" */
  if (more.n != less.n + YEAR)
    return false;
  if (memcmp(more.p, less.p, less.n) || memcmp(more.p + less.n, ", ", 2))
    return false;
  for (size_t i = less.n + 2; i < more.n; i++)
    if (more.p[i] < '0' || more.p[i] > '9')
      return false;
  return true;
}

/* "About 200 ms", and what is at most a quarter more or less; of temperatures three kelvin. */
static bool is_about(const hm_claim *a, const hm_claim *b) {
  const hm_value *x = &a->value, *y = &b->value;
  bool about = (a->said && a->said->about) || (b->said && b->said->about);
  bool numbers = x->kind == HM_V_NUMBER && y->kind == HM_V_NUMBER;
  if (!numbers && (x->kind != HM_V_QUANTITY || y->kind != HM_V_QUANTITY))
    return false;
  if (!about || x->denied || y->denied || !hm_str_eq(x->base, y->base))
    return false;
  double most = hm_str_is(x->base, "K") ? 3 : fmin(fabs(x->num), fabs(y->num)) / 4;
  return fabs(x->num - y->num) <= most * (1 + 1e-9);
}

static const double SECONDS_A_YEAR = 31556925.9747; /* as the unit has it */

static bool read_years(const hm_value *v, double *years) {
  *years = v->kind == HM_V_NUMBER ? v->num : v->num / SECONDS_A_YEAR;
  return !v->denied &&
      (v->kind == HM_V_NUMBER || (v->kind == HM_V_QUANTITY && hm_str_is(v->base, "s")));
}

bool hm_claim_is_age(const hm_claim *c) {
  return c->said && c->said->at != HM_TIME_MIN &&
      (hm_str_is(c->name, "age") || hm_str_ends(c->name, "_age"));
}

/* "Is 41 years old" and, a year later, "is 42 years old". */
static bool has_aged(const hm_claim *a, const hm_claim *b) {
  double x, y;
  if (!hm_claim_is_age(a) || !hm_claim_is_age(b))
    return false;
  if (!read_years(&a->value, &x) || !read_years(&b->value, &y))
    return false;
  double passed = ((double)b->said->at - (double)a->said->at) / 1e6 / SECONDS_A_YEAR;
  return fabs(y - x - passed) <= 1;
}

/* "Kreuzberg" of a text that says "lives in Kreuzberg, Berlin", and "Berlin". */
static bool says_where(const hm_claim *small, hm_str large) {
  hm_str text = small->said->text, name = small->said->claim.value;
  if (!name.n || !large.n || text.n < name.n + 2 + large.n)
    return false;
  for (size_t i = 0; i <= text.n - name.n - 2 - large.n; i++) {
    const char *p = text.p + i;
    if (!memcmp(p, name.p, name.n) && !memcmp(p + name.n, ", ", 2) &&
        !memcmp(p + name.n + 2, large.p, large.n))
      return true;
  }
  return false;
}

/* For two texts on a place: may one lie in the other? */
static bool places_nest(const hm_claim *a, const hm_claim *b) {
  static const char *const ends[] = { "residence", "location",     "origin",     "home",
                                      "hometown",  "headquarters", "birthplace", "destination" };
  if (!a->said || !b->said || a->value.denied || b->value.denied)
    return false;
  bool place = false;
  for (size_t i = 0; i < HM_COUNT(ends); i++)
    place |= hm_str_ends(a->name, ends[i]);
  size_t is = sizeof "is:" - 1;
  hm_str x = a->said->key, y = b->said->key;
  if (!place || x.n <= is || y.n <= is)
    return false;
  return hm_places_may_nest(hm_str_sub(x, is, x.n), hm_str_sub(y, is, y.n)) ||
      says_where(a, b->said->claim.value) || says_where(b, a->said->claim.value);
}

/* "15 March" in a text, and 2026-03-15. */
static bool is_day_of(const hm_claim *text, const hm_claim *date) {
  const hm_value *v = &date->value;
  if (!text->said || text->value.denied || v->denied)
    return false;
  if (v->kind != HM_V_DATE || v->precision != HM_P_DAY || v->norm.n < 6)
    return false;
  const char *p = v->norm.p + v->norm.n - 5; /* of "date:2026-03-15" */
  char key[40];
  snprintf(key, sizeof key, "is:day_%d_of_month_%d", (p[3] - '0') * 10 + p[4] - '0',
           (p[0] - '0') * 10 + p[1] - '0');
  return hm_str_is(text->said->key, key);
}

/* Does a name, or its end, say that it is a time: "born", "keep_date_of_foundation"? */
static bool names_time(hm_str name) {
  for (size_t i = 0; i < name.n; i++)
    if ((!i || name.p[i - 1] == '_') && hm_time_word_find(hm_str_sub(name, i, name.n)))
      return true;
  return false;
}

/* A word that stands in times alone: "44 BC", "late 12th century", "ca. 1200". 1340s may be
 * seconds. */
static bool has_time_word(hm_str text) {
  static const char *const words[] = { "ad", "after", "bc", "bce",     "before",
                                       "c",  "ca",    "ce", "century", "circa" };
  char word[8];
  size_t n = 0;
  for (size_t i = 0; i <= text.n; i++) {
    char c = i < text.n ? text.p[i] : ' ';
    if (hm_is_letter(c)) {
      if (n < sizeof word)
        word[n++] = hm_ascii_lower(c);
      continue;
    }
    for (size_t k = 0; n && k < HM_COUNT(words); k++)
      if (hm_str_is((hm_str){ word, n }, words[k]))
        return true;
    n = 0;
  }
  return false;
}

/* "C301": a letter and digits are a code, and no time about the year 301. */
static bool is_code(hm_str s) {
  s = hm_str_trim(s);
  return s.n > 1 && hm_ascii_lower(s.p[0]) == 'c' && hm_is_digit(s.p[1]);
}

/* "1340s" and 1345, "AD 72" and "72 CE", in a slot of a time, or by their words: some time of one
 * can be one of the other. Eras of a world are not read: an era and a year of it are two values. */
static bool same_time(const hm_claim *a, const hm_claim *b) {
  enum { LONGEST = 64 };
  hm_str s = a->value.raw, t = b->value.raw;
  hm_bound x, y;
  if (s.n > LONGEST || t.n > LONGEST || a->value.denied || b->value.denied)
    return false;
  if (is_code(s) || is_code(t))
    return false;
  if (!has_time_word(s) && !has_time_word(t) && !hm_time_word_find(a->field) &&
      !hm_time_word_find(b->field) && !names_time(a->name))
    return false;
  if (!hm_bound_parse(NULL, s, &x) || !hm_bound_parse(NULL, t, &y))
    return false;
  return x.known && y.known && !hm_bounds_differ(&x, &y);
}

static bool has_digit(hm_str s) {
  size_t i = 0;
  while (i < s.n && (s.p[i] < '0' || s.p[i] > '9'))
    i++;
  return i < s.n;
}

/* "upload_limit", "max_frame_mass": its values are bounds, so "10 MB" is "at most 10 MB" there. */
static bool is_of_bounds(hm_str slot) {
  static const char *const words[] = { "cap", "ceiling", "floor", "limit",
                                       "max", "maximum", "min",   "minimum" };
  for (size_t from = 0, i = 0; i <= slot.n; i++) {
    if (i < slot.n && slot.p[i] != '_')
      continue;
    hm_str word = hm_str_sub(slot, from, i);
    from = i + 1;
    for (size_t k = 0; k < HM_COUNT(words); k++)
      if (hm_str_is(word, words[k]))
        return true;
  }
  return false;
}

/* A text's value in a range that another row gives, or the other way round. */
static bool is_in_range(const hm_claim *a, const hm_claim *b) {
  const hm_value *x = &a->value, *y = &b->value;
  if (!a->said && !b->said)
    return false;
  if (!hm_value_in_range(x, y) && !hm_value_in_range(y, x))
    return false;
  const hm_value *range = x->kind == HM_V_RANGE ? x : y;
  return (isfinite(range->num) && isfinite(range->most)) || !is_of_bounds(a->name);
}

static bool lies_in(const hm_claim *a, const hm_claim *b, size_t among) {
  size_t work = hm_containment_work_limit(among);
  return hm_containment_holds_throughout(a->containment, a->value.raw, b->value.raw, a->when,
                                         b->when, &work);
}

/* "4.18" and "4" of texts whose slot_rule says that it is a version, or of one and a state. */
static bool is_same_version(const hm_claim *a, const hm_claim *b) {
  bool texts = a->layer == HM_MEMORY && (b->layer == HM_MEMORY || b->layer == HM_STATE);
  bool stated = (texts || (a->layer == HM_STATE && b->layer == HM_MEMORY)) && !a->said && !b->said;
  return stated && hm_str_ends(a->name, "_version") &&
      hm_version_refines(a->value.raw, b->value.raw);
}

bool hm_claim_refines(const hm_claim *a, const hm_claim *b, size_t among) {
  const hm_value *x = &a->value, *y = &b->value;
  bool windows = a->layer == HM_RELATION && x->kind == HM_V_SET && y->kind == HM_V_SET;
  if (windows)
    return !hm_bounds_differ(&a->when->begin, &b->when->begin) &&
        !hm_bounds_differ(&a->when->end, &b->when->end);
  if (a->said && b->said && hm_version_refines(a->said->version, b->said->version))
    return true;
  if (is_same_version(a, b) || is_in_range(a, b))
    return true;
  /* "Marlin" and "2.1.2": a slot that is both a firmware and its version
   * (hm_slot_one_name) */
  bool name_and_version = hm_str_ends(a->name, "firmware") && !x->denied && !y->denied &&
      has_digit(x->raw) != has_digit(y->raw);
  if (is_about(a, b) || has_aged(a, b) || same_time(a, b) || name_and_version)
    return true;
  bool only = (a->said && a->said->claim.only) || (b->said && b->said->claim.only);
  if (!only && a->layer != HM_RELATION && hm_values_refine(a->name, x, y))
    return true;
  if (is_day_of(a, b) || is_day_of(b, a) || places_nest(a, b))
    return true;
  if (a->containment)
    return lies_in(a, b, among) || lies_in(b, a, among);
  if (a->layer != HM_MEMORY || b->layer != HM_MEMORY || !a->compare.n || !b->compare.n)
    return false;
  if (x->kind != HM_V_TEXT || y->kind != HM_V_TEXT)
    return false;
  if (only)
    return false; /* "en, de only" leaves no room for more words */
  size_t kind = sizeof "text:" - 1;
  hm_str s = hm_str_sub(x->norm, kind, x->norm.n), t = hm_str_sub(y->norm, kind, y->norm.n);
  if (adds_year(s, t) || adds_year(t, s))
    return true;
  return s.n < t.n ? refines(t, s) : refines(s, t);
}

bool hm_claims_share_slot(const hm_claim *a, const hm_claim *b) {
  return a->project == b->project && hm_str_eq(a->name, b->name) && hm_str_eq(a->space, b->space);
}

bool hm_claim_overlap(const hm_claim *a, const hm_claim *b) {
  return hm_window_overlap(a->when, b->when);
}

bool hm_claim_may_overlap(const hm_claim *a, const hm_claim *b) {
  return hm_window_may_overlap(a->when, b->when);
}

bool hm_claim_disagree(const hm_claim *a, const hm_claim *b, const hm_rules *r, size_t among) {
  if (!hm_claim_comparable(a, b) || !hm_claim_overlap(a, b))
    return false;
  if (hm_claim_values_agree(a, b, NULL) || hm_claim_refines(a, b, among))
    return false;
  const hm_tolerance *tol = hm_rules_tolerance(r, a->name);
  return !tol || !hm_claim_values_agree(a, b, tol);
}

hm_str hm_claim_slot_key(hm_arena *a, const hm_snapshot *snap, const hm_claim *c) {
  hm_buf b = { 0 };
  hm_buf_ch(&b, '[');
  hm_json_write_str(&b, snap->projects[c->project].id);
  if (c->space.n) {
    hm_buf_ch(&b, ',');
    hm_json_write_str(&b, c->space);
  }
  hm_buf_ch(&b, ',');
  hm_json_write_str(&b, c->name);
  hm_buf_ch(&b, ']');
  return hm_buf_take(&b, a);
}

hm_str hm_claim_title(hm_arena *a, const hm_snapshot *snap, const hm_claim *c) {
  return hm_slot_title(a, hm_claim_slot_key(a, snap, c), c->called);
}
