/* Values of attributes: quantities, versions, names; prose_values.c has the order of all kinds.
 *
 * A name is taken only where the attribute has names ("owner", "region"), or is one of a code
 * ("TR-85"). What a thing is like ("slow", "ready") is no value. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/claim/prose_impl.h"

/* --- quantities -------------------------------------------------------------------------- */

/* What a number says of a thing that has no attribute: money is its cost. NULL: nothing certain. */
static const char *attribute_of_unit(const prose *p, const prose_np *np, const prose_quantity *q) {
  static const char *const lasting[] = { "build",   "commute", "meeting", "trip",    "flight",
                                         "session", "run",     "backup",  "workout", "drive",
                                         "ride",    "walk",    "standup", "sprint",  "course",
                                         "class",   "shift" };
  if (q->unit == UNIT_MONEY) return "cost";
  if (q->unit == UNIT_MASS) return "mass";
  if (q->unit == UNIT_OTHER && hm_str_find(q->value, "square ") > 0) return "area";
  if (q->unit == UNIT_TIME && prose_last_word_in(p, np, lasting, HM_COUNT(lasting)))
    return "duration";
  return NULL;
}

/* "30 s in staging and 60 s in production" */
static bool parts_values(const prose *p, size_t i, size_t end) {
  return prose_is(p, i, end, "for") || prose_is(p, i, end, "in");
}

/* "... and 60 s for the worker" */
static void read_second(prose *p, const prose_np *np, const prose_value *v, size_t i, size_t end) {
  prose_quantity q;
  if (!prose_is(p, i, end, "and") && !(i && p->t[i - 1].stop == ',')) return;
  size_t from = prose_is(p, i, end, "and") ? i + 1 : i;
  if (!prose_read_quantity(p, &q, from, end) || !parts_values(p, q.to, end)) return;
  prose_np other = *np;
  prose_value w = { .shape = v->shape, .from = v->from, .value = q.value, .reading = q.reading };
  w.to = q.to;
  if (prose_read_tail(p, &other, &w, q.to, end) && (other.subject.n || other.qualifier.n))
    prose_claim(p, &other, &w);
}

bool prose_claim_quantity(prose *p, prose_np *np, prose_value *v, const prose_quantity *q,
                          size_t end, const char *attribute) {
  if (attribute) prose_set_attribute(np, attribute);
  v->shape = HM_SHAPE_QUANTITY;
  v->value = q->value;
  v->reading = q->reading;
  v->to = q->to;
  prose_name *a = &np->attribute;
  /* "API rate limits are", "rate limiting is set to" */
  if (q->unit == UNIT_RATE && a->n &&
      (hm_str_is(a->w[a->n - 1], "limits") || hm_str_is(a->w[a->n - 1], "limiting")))
    a->w[a->n - 1] = HM_STR("limit");
  bool rate = np->attribute.n &&
      (hm_str_is(np->attribute.w[np->attribute.n - 1], "limit") ||
       hm_str_is(np->attribute.w[np->attribute.n - 1], "budget")); /* that is a limit itself */
  if (q->limit && !np->limit && !rate) np->limit = q->limit;
  if (rate && q->unit == UNIT_RATE &&
      (np->attribute.n == 1 || hm_str_is(np->attribute.w[0], "request"))) {
    np->attribute = (prose_name){ 0 };
    prose_add_words(&np->attribute, "rate_limit");
  }
  if (rate) np->limit = LIMIT_NONE;
  prose_add_name(&np->qualifier, &q->per);
  /* "is 50 items": what a known measure counts */
  size_t at = q->to;
  if (q->plain && np->known_measure && at + 2 == end && !p->t[at - 1].stop && !p->t[at].stop &&
      p->t[at].upper && !p->t[at].cls && hm_str_ends(p->t[at + 1].low, "s"))
    at = end; /* "is 20,000 GPU hours" */
  if (q->plain && np->known_measure && at < end && !p->t[at - 1].stop &&
      !(p->t[at].cls & ~C_MEASURE) && !p->t[at].capital && hm_str_ends(p->t[at].low, "s") &&
      !p->t[at].owns)
    at++;
  prose_np before = *np;
  prose_value first = *v;
  size_t second = at;
  while (second < end && !prose_is(p, second, end, "and")) second++;
  prose_quantity other;
  bool two = second + 1 < end && prose_read_quantity(p, &other, second + 1, end);
  if (two && !parts_values(p, other.to, end)) return false;
  if (!prose_read_tail(p, np, v, at, two ? second : end)) return false;
  prose_claim(p, np, v);
  if (two) read_second(p, &before, &first, second, end);
  return true;
}

/* "The default value is 4": nobody knows of what. */
static bool is_vague(const prose *p, const prose_np *np) {
  if (p->about.n) return false;
  static const char *const words[] = { "value",  "number",  "option", "setting", "example",
                                       "result", "default", "type",   "name",    "title" };
  if (np->subject.n + np->attribute.n != 1) return false;
  hm_str word = np->subject.n ? np->subject.w[0] : np->attribute.w[0];
  return prose_word_in(word, words, HM_COUNT(words));
}

/* "180 cm tall", "42 mm thick": what the adjective behind a length measures; q->to is stepped on.
 */
const char *prose_dimension_of(const prose *p, prose_quantity *q, size_t end) {
  static const struct {
    const char *word, *attribute;
  } sizes[] = { { "deep", "depth" },  { "high", "height" },     { "long", "length" },
                { "tall", "height" }, { "thick", "thickness" }, { "wide", "width" } };
  static const char *const in[] = { "depth", "diameter", "height", "length", "weight", "width" };
  for (size_t k = 0; k < HM_COUNT(in) && prose_is(p, q->to, end, "in"); k++)
    if (prose_is(p, q->to + 1, end, in[k])) return q->to += 2, in[k]; /* "12 m in diameter" */
  if (q->unit != UNIT_OTHER && q->unit != UNIT_TIME) return NULL;
  for (size_t k = 0; k < HM_COUNT(sizes); k++) {
    if (!prose_is(p, q->to, end, sizes[k].word)) continue;
    bool time = q->unit == UNIT_TIME;
    if (time && strcmp(sizes[k].word, "long") != 0) return NULL;
    q->to++;
    return time ? "duration" : sizes[k].attribute;
  }
  return NULL;
}

/* "warmup is 2,000 steps": a number, one noun, and nothing else. */
static bool counts_only(const prose *p, const prose_np *np, const prose_quantity *q, size_t end) {
  const prose_word *t = &p->t[q->to];
  return q->to + 1 == end && !q->range && !q->limit &&
      !(t->cls & ~(C_HEADING | C_MEASURE | C_NAMED | C_KIND | C_PERSON)) && !t->digit &&
      !t->capital && !t->aside && hm_str_ends(t->low, "s") && !hm_str_ends(t->low, "ss") &&
      !hm_str_ends(p->t[np->last].low, "s") && np->words;
}

bool prose_read_quantity_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  prose_quantity q;
  if (!prose_read_quantity(p, &q, i, end) || np->value || is_vague(p, np)) return false;
  bool old = prose_is(p, q.to, end, "old");
  if (old && !np->person && !hm_str_ends(q.reading, "years")) return false;
  if (old && q.unit == UNIT_TIME && !np->known_measure) {
    q.to++;
    if (hm_str_ends(q.reading, " years")) q.reading = hm_str_sub(q.reading, 0, q.reading.n - 6);
    return !np->indefinite && prose_claim_quantity(p, np, v, &q, end, "age");
  }
  const char *size = prose_dimension_of(p, &q, end);
  if (size && !np->indefinite && (!np->known_measure || !np->subject.n))
    return prose_claim_quantity(p, np, v, &q, end, size);
  if (q.times || np->indefinite) return false;
  if (np->person && !np->known_measure)
    return q.plain && !q.range && q.reading.n == 2 && q.limit == LIMIT_NONE &&
        prose_claim_quantity(p, np, v, &q, end, "age");
  const char *attribute = NULL;
  static const char *const papers[] = { "quote",   "invoice", "receipt", "refund", "purchase",
                                        "payment", "order",   "bill",    "offer" };
  if (q.unit == UNIT_MONEY && !q.per.n && prose_last_word_in(p, np, papers, HM_COUNT(papers)))
    return false; /* another of them says another sum */
  if (q.plain && !np->known_measure && !np->known_name && !np->limit && counts_only(p, np, &q, end))
    return prose_read_count(p, np, v, i, end, K_NEED);
  if (!np->known_measure && !np->limit) {
    if (q.plain) return false;
    attribute = np->known_name ? NULL : attribute_of_unit(p, np, &q);
    size_t words =
        np->subject.n + np->attribute.n + (np->qualifier.n > 0 && !prose_is_notion(p, np->last));
    if (!attribute && (words < 2 || (words < 3 && np->user))) return false;
    if (!attribute && q.unit == UNIT_PERCENT && !np->known_name) return false;
    if (!attribute) { prose_attribute_from_subject(np); }
  } else {
    prose_attribute_from_subject(np);
  }
  return prose_claim_quantity(p, np, v, &q, end, attribute);
}

/* --- versions ------------------------------------------------------------------------------ */

size_t prose_product_at(prose *p, size_t i, size_t end, hm_str *name, size_t *version) {
  static const char *const no_product[] = { "version", "release", "chapter", "phase",  "step",
                                            "level",   "route",   "line",    "page",   "episode",
                                            "season",  "part",    "day",     "week",   "port",
                                            "pep",     "issue",   "size",    "bus",    "stage",
                                            "sprint",  "room",    "ticket",  "section",
                                            "iso",     "rfc",     "ieee",    "din" };
  prose_match m;
  if (i + 1 >= end) return 0;
  bool known = prose_value_at(p, i, end, &m);
  size_t at = known ? m.to : i + 1;
  hm_str number = at < end ? p->t[at].s : HM_EMPTY; /* "3.12+" */
  if (known && hm_str_ends(number, "+")) number = hm_str_sub(number, 0, number.n - 1);
  if (at >= end || p->t[at - 1].stop || !prose_is_version(number)) return 0;
  if (!known && p->t[at].s.n > 3 && !memchr(p->t[at].s.p, '.', p->t[at].s.n))
    return 0; /* "RPMI 1640" is one name */
  if (!known) {
    const prose_word *t = &p->t[i];
    if ((!t->capital && !t->upper) || t->cls || t->digit || t->owns) return 0;
    if (prose_word_in(t->low, no_product, HM_COUNT(no_product))) return 0;
    m.name = t->low;
  }
  if (known && prose_match_has(&m, prose_family_by_name(p, "indentation"))) return 0;
  prose_quantity q;
  if (prose_read_quantity(p, &q, at, end) && q.unit != UNIT_NONE) return 0;
  *name = m.name;
  *version = at;
  return at + 1;
}

/* Is [the rest of] the phrase only a noun for what the product is: "our database"? */
static bool is_kind(const prose *p, const prose_np *np, size_t i, size_t end) {
  prose_match m;
  bool place = np->subject.n == 1 &&
      (hm_str_is(np->subject.w[0], "production") || hm_str_is(np->subject.w[0], "staging"));
  return np->family >= 0 && (!np->subject.n || place) && prose_value_at(p, i, end, &m) &&
      prose_match_has(&m, np->family);
}

/* Do the words say that word i is a version: "version 3", "v3", "at 2.3.0", "bumped to 4.0"? */
static bool is_tagged(const prose *p, size_t i) {
  hm_str s = p->t[i].s;
  const char *dot = memchr(s.p, '.', s.n);
  bool two = dot && memchr(dot + 1, '.', (size_t)(s.p + s.n - dot - 1));
  if (prose_is(p, i - 1, i, "version") || p->t[i].first == 'v') return true;
  if (two && prose_is(p, i - 1, i, "at")) return true;
  static const char *const to[] = { "bumped to", "pinned to", "locked to" };
  return dot && i > 1 && prose_one_of(p, i - 2, i, to, HM_COUNT(to));
}

/* Is the thing a version: "firmware", "MSRV"? Then its name needs no "version" behind it. */
static bool is_version_itself(const prose *p, const prose_np *np, size_t i, size_t end) {
  static const char *const words[] = { "firmware", "msrv" };
  size_t at = prose_is(p, i, end, "version") ? i + 1 : i;
  return np->subject.n + np->attribute.n > 1 && at < end && prose_is_version(p->t[at].s) &&
      ((np->attribute.n && hm_str_is(np->attribute.w[np->attribute.n - 1], "firmware")) ||
       prose_last_word_in(p, np, words, HM_COUNT(words)));
}

/* "is a Postgres 15 instance" */
static bool read_instance(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  static const char *const things[] = { "instance", "cluster", "server", "database", "node" };
  hm_str product;
  size_t version;
  size_t to = prose_is(p, i, end, "a") ? prose_product_at(p, i + 1, end, &product, &version) : 0;
  if (!to || !prose_one_of(p, to, end, things, HM_COUNT(things)) || !is_kind(p, np, i + 1, end))
    return false;
  prose_np whole = *np;
  whole.attribute = (prose_name){ 0 };
  prose_add_word(&whole.attribute, product);
  prose_add_words(&whole.attribute, "version");
  prose_value w = *v;
  w.value = w.reading = p->t[version].s;
  w.to = to + 1;
  return prose_claim_with_tail(p, &whole, &w, to + 1, end);
}

/* "Postgres 14, 15 and 16", behind the first of them */
static bool lists_versions(const prose *p, size_t i, size_t end) {
  return i < end && (p->t[i - 1].stop == ',' || prose_is(p, i, end, "and")) &&
      (prose_is_version(p->t[i].s) || (i + 1 < end && prose_is_version(p->t[i + 1].s)));
}

/* "3.12+", "10 and up" are minima, "v2" is 2: the word behind. */
static size_t read_signs(const prose *p, prose_np *np, prose_value *v, size_t to, size_t end) {
  static const char *const more[] = { "or later", "or newer", "or higher", "or above",
                                      "and up",   "and later", "and newer" };
  for (size_t k = 0; k < HM_COUNT(more); k++)
    if (to + 2 == end && prose_are(p, to, end, more[k])) np->limit = LIMIT_MIN, to += 2;
  if (hm_str_ends(v->reading, "+")) {
    np->limit = LIMIT_MIN;
    v->value = v->reading = hm_str_sub(v->reading, 0, v->reading.n - 1);
  }
  if (v->reading.n > 1 && (v->reading.p[0] == 'v' || v->reading.p[0] == 'V'))
    v->reading = hm_str_sub(v->reading, 1, v->reading.n);
  return to;
}

bool prose_read_version(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  hm_str product;
  size_t version, to;
  prose_np saved = *np;
  bool named = np->attribute.n && (hm_str_is(np->attribute.w[np->attribute.n - 1], "version"));
  bool itself = is_version_itself(p, np, i, end); /* "the firmware is 2.3" */
  v->shape = HM_SHAPE_VERSION;
  if (np->person || np->indefinite) return false;
  if (read_instance(p, np, v, i, end)) return true;
  if ((to = prose_product_at(p, i, end, &product, &version)) != 0) {
    if (named) {
      prose_name family = np->subject;
      np->attribute = (prose_name){ 0 };
      if (family.n == 1 &&
          (hm_str_is(family.w[0], "database") || hm_str_is(family.w[0], "db") ||
           hm_str_eq(family.w[0], product)))
        np->subject = (prose_name){ 0 };
    } else if (is_kind(p, np, i, end)) { /* "our [production] database" */
      np->attribute = (prose_name){ 0 };
    } else {
      prose_make_all_subject(np);
    }
    prose_add_word(&np->attribute, product);
    prose_add_words(&np->attribute, "version");
    v->value = v->reading = p->t[version].s;
  } else {
    if (i < end && prose_is(p, i, end, "version")) i++;
    if (i >= end || !prose_is_version(p->t[i].s)) return false;
    bool tagged = i && is_tagged(p, i);
    if (!named && !tagged && !itself) return false;
    v->value = v->reading = p->t[i].s;
    to = i + 1;
    prose_match m;
    if (named && np->subject.n && np->last > 0 && prose_value_at(p, np->last - 1, np->last, &m))
      np->subject.w[np->subject.n - 1] = m.name;      /* "Node.js version" is that of Node */
    if (prose_is(p, to, end, "of") && to + 1 < end) { /* "version 2 of the protocol" */
      size_t of = prose_has(p, to + 1, end, C_ARTICLE) ? to + 2 : to + 1;
      if (of + 1 != end && !(of < end && p->t[of].stop)) return false;
      prose_set_attribute(np, "");
      prose_add_word(&np->attribute, p->t[of].low);
      prose_add_words(&np->attribute, "version");
      to = of + 1;
    } else if (itself) {
      prose_attribute_from_subject(np);
    } else if (!named) {
      prose_set_attribute(np, "version");
    }
  }
  to = read_signs(p, np, v, to, end);
  v->to = to;
  if (lists_versions(p, to, end)) return true;
  prose_np second = saved;
  prose_value w = { .from = v->from, .denied = v->denied };
  bool two = prose_is(p, to, end, "and") && prose_product_at(p, to + 1, end, &product, &version);
  if (!prose_read_tail(p, np, v, to, two ? to : end)) return false;
  prose_claim(p, np, v);
  if (two) prose_read_version(p, &second, &w, to + 1, end);
  return true;
}

/* --- names -------------------------------------------------------------------------------- */

/* Attributes whose values are plain words: "the retry policy is exponential". */
static bool has_plain_words(const prose *p, const prose_np *np) {
  static const char *const words[] = {
    "policy",     "strategy", "mode",        "level",      "theme", "color",  "colour",    "branch",
    "dialect",    "food",     "sport",       "hobby",      "drink", "flavor", "algorithm", "layout",
    "convention", "scheme",   "environment", "medication", "breed", "diet"
  };
  const prose_word *t = &p->t[np->last]; /* "maxmemory-policy is allkeys-lru" */
  for (size_t k = 0; k < HM_COUNT(words) && !t->cls && memchr(t->low.p, '-', t->low.n); k++)
    if (hm_str_ends(t->low, words[k])) return true;
  return prose_last_word_in(p, np, words, HM_COUNT(words));
}

static bool ends_as_state(hm_str w) {
  return hm_str_ends(w, "ing") || hm_str_ends(w, "ed") || hm_str_ends(w, "ly") ||
      hm_str_ends(w, "able") || hm_str_ends(w, "ible");
}

bool prose_looks_coded(const prose_word *t) {
  bool digit = false, letter = false, join = false;
  for (size_t i = 0; i < t->s.n; i++) {
    char c = t->s.p[i];
    digit = digit || hm_is_digit(c);
    letter = letter || hm_is_upper(c);
    join = join || c == '-' || c == '_' || c == '/';
    if (c == ':' || c == '%' || c == '$' || c == '(') return false;
  }
  return letter && (digit || join) && t->s.n <= 24 && !hm_str_ends(t->low, "-based") &&
      !hm_str_ends(t->low, "-ish") && !hm_str_ends(t->low, "-like") &&
      !hm_str_ends(t->low, "-aware");
}

/* States elsewhere: "the build is green". */
static bool is_color(const prose *p, const prose_np *np, const prose_word *t) {
  static const char *const words[] = { "color", "colour" };
  return (hm_str_is(t->low, "green") || hm_str_is(t->low, "red")) &&
      prose_last_word_in(p, np, words, HM_COUNT(words));
}

/* "My skin type is normal": a type whose values are adjectives. */
static bool is_looks(const prose *p, const prose_np *np) {
  static const char *const of[] = { "body", "hair", "skin" };
  bool named = np->subject.n && prose_is(p, np->last, np->last + 1, "type");
  return named && prose_one_of(p, np->last - 1, np->last, of, HM_COUNT(of));
}

static bool name_words(const prose *p, const prose_np *np, size_t i, size_t stop, bool plain) {
  const uint64_t refused =
      C_PRONOUN | C_BE | C_WAS | C_HAVE | C_NOT | C_COND | C_TAIL | C_AND | C_APPROX;
  bool looks = is_looks(p, np);
  if (looks && stop == i + 1 && !(p->t[i].cls & refused)) return true;
  if (!plain && !prose_looks_named(&p->t[i]) && !prose_looks_named(&p->t[stop - 1])) return false;
  for (size_t k = i; k < stop; k++) {
    const prose_word *t = &p->t[k];
    bool name = t->capital || t->upper || (t->digit && t->s.n > 3);
    if ((t->cls & refused) && !name) return false;
    if ((t->cls & C_PREP) && !t->capital) return false;
    if (is_color(p, np, t)) continue;
    if ((t->cls & (C_STATE | C_UNSURE | C_SEVERAL)) && !t->capital) return false;
    if (!t->capital && ends_as_state(t->low) && stop - i == 1) return false;
    if (memchr(t->s.p, '(', t->s.n) || t->first == '<') return false; /* a call, a placeholder */
    if (t->owns && k + 1 == stop) return false;
    if (!t->capital && hm_str_ends(t->low, "ly") && t->low.n > 4) return false;
  }
  return true;
}

/* "Her teacher is Rachel", not "is French": [from, stop) is the name of a person. */
static bool is_first_name(const prose *p, const prose_np *np, size_t from, size_t stop) {
  const prose_word *last = &p->t[stop - 1];
  if (np->subject.n + np->attribute.n <= 1 || stop - from > 2) return false;
  if (!p->t[from].capital || !last->capital || last->digit || last->cls) return false;
  return !hm_str_ends(last->low, "an") && !hm_str_ends(last->low, "ish") &&
      !hm_str_ends(last->low, "ese") && !prose_is_version(last->s);
}

/* No name but a count ("is 3 directories deep") or the first of a list ("BLAKE2, CMAC and HMAC").
 */
static bool counts_or_lists(prose *p, const prose_np *np, size_t from, size_t stop, size_t end) {
  prose_quantity count;
  const prose_word *last = &p->t[stop - 1];
  if (stop - from > 1 && !p->t[from + 1].capital && !np->limit &&
      prose_read_quantity(p, &count, from, stop))
    return true;
  return last->stop == ',' && stop < end && prose_looks_named(&p->t[stop]) && !p->t[stop].cls &&
      (stop + 1 >= end || p->t[stop].stop || prose_has(p, stop + 1, end, C_AND));
}

bool prose_read_name_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, char by) {
  bool article =
      prose_is(p, i, end, "the") || prose_is(p, i, end, "a") || prose_is(p, i, end, "an");
  size_t from = article ? i + 1 : i, stop = prose_tail_start(p, from, end);
  size_t tail = stop;
  if (from >= end || stop - from > 6 || np->indefinite || np->fresh || np->value || is_vague(p, np))
    return false;
  const prose_word *last = &p->t[stop - 1];
  if (counts_or_lists(p, np, from, stop, end)) return false;
  bool model = prose_has(p, np->last, np->last + 1, C_MODEL) && !np->known_name;
  bool favourite = false;
  if (np->attribute.n) favourite = hm_str_starts(np->attribute.w[0], "favo") && np->attribute.n > 1;
  for (size_t k = 0; k < np->subject.n; k++)
    favourite = favourite || hm_str_is(np->subject.w[k], "favorite") ||
        hm_str_is(np->subject.w[k], "favourite");
  bool plain = by == ':' || by == '=' || favourite || has_plain_words(p, np);
  const char *attribute = NULL;
  v->shape = HM_SHAPE_ATTRIBUTE;
  if (prose_is(p, np->last, np->last + 1, "status") && last->capital && stop - from <= 2 &&
      last->stop != ':') {
    v->shape = HM_SHAPE_STATUS;
  } else if ((np->known_name && !np->person) || favourite || np->limit == LIMIT_DEFAULT) {
    if (np->family >= 0 && hm_str_is(prose_family_name(p, np->family), "language")) return false;
    /* "theme: improve styling" says what was done */
    if (by == ':' && !p->about.n && np->words < 2 && stop - from > 1 && !prose_looks_named(last))
      return false;
    bool group = prose_is(p, i, end, "the") && stop > from + 1 &&
        (prose_is(p, stop - 1, end, "team") || prose_is(p, stop - 1, end, "squad"));
    if (!name_words(p, np, from, stop, plain) || (article && !prose_looks_named(last) && !group))
      return false;
    if (!np->subject.n && !p->about.n && by == 'i' && np->attribute.n == 1 && np->family < 0 &&
        prose_is(p, np->last, np->last + 1, "type"))
      return false;
    if (np->family >= 0 || (last->digit == false && prose_looks_named(last) && by != 'n'))
      v->shape = HM_SHAPE_ATTRIBUTE;
  } else if (model) {
    if (!p->t[from].capital && !p->t[from].digit) return false;
    if (stop > from + 1 &&
        (prose_is(p, stop - 1, end, "series") || prose_is(p, stop - 1, end, "laptop")))
      stop--; /* "a Dell XPS 13 laptop" */
    if (!name_words(p, np, from, stop, false)) return false;
    attribute = "model";
  } else if (np->person && by == 'i') {
    if (article || !is_first_name(p, np, from, stop)) return false;
    attribute = "name";
  } else if (stop - from == 1 && prose_looks_coded(last) && !np->person && !article) {
    if (hm_str_is(last->low, "p0") || prose_is_version(last->s)) return false;
    prose_attribute_from_subject(np);
  } else {
    return false;
  }
  if (attribute) prose_set_attribute(np, attribute);
  prose_attribute_from_subject(np);
  v->value = prose_span(p, from, stop);
  v->to = tail;
  return prose_claim_with_tail(p, np, v, tail, end);
}
