/* What differs in two texts, and rows that are alike as JSON: alike.h.
 *
 * What differs is told by readings: both have a value of one kind (alike_values.c), and each one
 * that the other has not; or names; or one denies, or says the opposite.
 *
 * Two texts that are the same sentence about other things differ in nothing that could contradict:
 * "Vans are replaced after eight years", "Trailers are replaced after fifteen years". They share
 * half of the words of the longer one, in their order, and each has a word of its own that is no
 * number, unit or name, and that means nothing which the other says. Neither do texts about two
 * things with numbers: "Truck 5", "Truck 11".
 *
 * A state has one value: what says all words of its key and none of the value differs in it. */
#include <stdlib.h>

#include "core/base/ascii.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/recall/alike_impl.h"

enum {
  NAMES = 64,    /* of a text that are compared */
  SENTENCE = 64, /* words of a text whose order is compared */
  SHOWN = 24     /* bytes of a value */
};

const char hm_alike_advice[] =
    "No rule compared these with it: read them, and report those that cannot both be true "
    "(report_contradiction).";

/* --- what a text says ---------------------------------------------------------------------------
 */

enum { FEW, OPEN, BY_HAND, PAID, INSIDE, KEPT, PAPER, COLD, TOGETHER };

/* Words that say the opposite of each other: of one pair, on either side. Sorted. */
typedef struct {
  const char *word;
  uint8_t pair;
  bool other;
} opposite;
static const opposite OPPOSITES[] = {
  { "accessible", OPEN, false },
  { "alone", TOGETHER, true },
  { "any", FEW, false },
  { "anybody", FEW, false },
  { "anyone", FEW, false },
  { "automatic", BY_HAND, false },
  { "automatically", BY_HAND, false },
  { "billed", PAID, false },
  { "charged", PAID, false },
  { "close", OPEN, true },
  { "closed", OPEN, true },
  { "closes", OPEN, true },
  { "cold", COLD, false },
  { "cool", COLD, false },
  { "deleted", KEPT, true },
  { "destroyed", KEPT, true },
  { "digital", PAPER, false },
  { "digitally", PAPER, false },
  { "discarded", KEPT, true },
  { "drained", KEPT, true },
  { "electronic", PAPER, false },
  { "electronically", PAPER, false },
  { "every", FEW, false },
  { "everybody", FEW, false },
  { "everyone", FEW, false },
  { "free", PAID, true },
  { "gratis", PAID, true },
  { "hand", BY_HAND, true },
  { "handwritten", PAPER, true },
  { "heated", COLD, true },
  { "hot", COLD, true },
  { "included", PAID, true },
  { "indoors", INSIDE, false },
  { "inside", INSIDE, false },
  { "invoiced", PAID, false },
  { "itself", BY_HAND, false },
  { "keep", KEPT, false },
  { "kept", KEPT, false },
  { "locked", OPEN, true },
  { "manual", BY_HAND, true },
  { "manually", BY_HAND, true },
  { "only", FEW, true },
  { "open", OPEN, false },
  { "opened", OPEN, false },
  { "opens", OPEN, false },
  { "outdoors", INSIDE, true },
  { "outside", INSIDE, true },
  { "paper", PAPER, true },
  { "retained", KEPT, false },
  { "separate", TOGETHER, true },
  { "separately", TOGETHER, true },
  { "shut", OPEN, true },
  { "stored", KEPT, false },
  { "thrown", KEPT, true },
  { "together", TOGETHER, false },
  { "warm", COLD, true },
  { "whichever", FEW, false },
  { "whole", FEW, false },
};

typedef struct {
  uint32_t names[NAMES];
  hm_str named[NAMES]; /* as written */
  size_t n_names, negators;
  uint32_t order[SENTENCE]; /* its words */
  hm_str things[SENTENCE];  /* those that may be what it is about, else empty */
  size_t n_order;
  unsigned sides[2]; /* of OPPOSITES, as bits */
  hm_alike_values values;
  hm_str value; /* of a state: what stands behind "slug_control: "; else empty */
  size_t n_key; /* words of its key, the first of order */
} said;

/* Does the word deny, or reject what follows it? */
static bool denies(hm_str word, hm_str next) {
  static const char *const words[] = { "banned", "except",  "forbidden", "prohibited",
                                       "refuse", "refused", "refuses" };
  return hm_term_is_negator(word) ||
      bsearch(&word, words, HM_COUNT(words), sizeof *words, hm_order_word) ||
      (hm_str_is(word, "instead") && hm_str_starts(next, " of ")) ||
      (hm_str_is(word, "rather") && hm_str_starts(next, " than "));
}

static bool is_in(const uint32_t *v, size_t n, uint32_t h) {
  size_t i = 0;
  while (i < n && v[i] != h)
    i++;
  return i < n;
}

/* Bytes of "slug_control: " at the beginning, as rows of states have it, or 0. */
static size_t key_bytes(hm_str text) {
  size_t n = 0;
  while (n < text.n && (hm_is_alnum(text.p[n]) || text.p[n] == '_' || text.p[n] == '-'))
    n++;
  return n && n + 1 < text.n && text.p[n] == ':' && text.p[n + 1] == ' ' ? n + 2 : 0;
}

static said *read_said(hm_str text, hm_arena *scratch) {
  said *s = hm_alloc(scratch, sizeof *s);
  hm_terms w = hm_terms_begin(text, scratch);
  size_t from, to;
  hm_str word;
  bool counted = false; /* behind a number: a unit */
  size_t key = key_bytes(text);
  s->value = key ? hm_str_sub(text, key, text.n) : HM_EMPTY;
  hm_alike_values_read(text, scratch, &s->values);
  while (hm_terms_next(&w, &word, &from, &to)) {
    bool begins = !from || (from > 1 && from != key && memchr(".!?:", text.p[from - 2], 4));
    bool capital = from < text.n && text.p[from] >= 'A' && text.p[from] <= 'Z';
    bool number = hm_term_number(word).n || hm_is_digit(word.p[0]);
    bool dated = capital && hm_alike_kinds(hm_str_sub(text, from ? from - 1 : 0, to), scratch);
    bool named = !number && !dated &&
        (hm_text_has_digit(word) || (capital && !begins && !hm_term_is_function(word))); /* "R04" */
    bool lacks = hm_str_is(word, "free") && from && text.p[from - 1] == '-'; /* "peat-free" */
    s->negators += lacks || denies(word, hm_str_sub(text, to, text.n));
    if (named && s->n_names < NAMES && !is_in(s->names, s->n_names, (uint32_t)hm_str_hash(word))) {
      s->named[s->n_names] = hm_str_sub(text, from, to);
      s->names[s->n_names++] = (uint32_t)hm_str_hash(word);
    }
    const opposite *side =
        bsearch(&word, OPPOSITES, HM_COUNT(OPPOSITES), sizeof *OPPOSITES, hm_order_word);
    if (side)
      s->sides[side->other] |= 1u << side->pair;
    bool is_number = number || hm_text_has_digit(word);
    bool is_thing = !is_number && !counted && !(capital && !begins) && !hm_term_is_function(word) &&
        !hm_term_is_light(word);
    if (s->n_order < SENTENCE) {
      s->order[s->n_order] = hm_alike_stem_hash(word);
      s->things[s->n_order++] = is_thing ? hm_str_dup(scratch, word) : HM_EMPTY;
      s->n_key += from < key;
    }
    counted = is_number;
  }
  for (size_t i = 0; i < s->values.n; i++) /* "three euros" and "free" */
    s->sides[0] |= (unsigned)!strcmp(s->values.v[i].kind, "money") << PAID;
  return s;
}

/* --- what differs ------------------------------------------------------------------------------
 */

/* The most words that both have in one order. */
static size_t words_in_order(const said *x, const said *y) {
  size_t most[SENTENCE + 1] = { 0 };
  for (size_t i = 0; i < x->n_order; i++) {
    size_t diagonal = 0;
    for (size_t k = 0; k < y->n_order; k++) {
      size_t above = most[k + 1];
      if (x->order[i] == y->order[k])
        most[k + 1] = diagonal + 1;
      else if (most[k] > above)
        most[k + 1] = most[k];
      diagonal = above;
    }
  }
  return most[y->n_order];
}

/* Is one of the things of x none of y, by no word that means nearly the same? */
static bool has_thing_of_its_own(const said *x, const said *y) {
  for (size_t i = 0; i < x->n_order; i++) {
    hm_str like[SENTENCE];
    size_t n = x->things[i].n ? hm_alike_words_like(x->things[i], like, SENTENCE) : 0, k = 0;
    bool shared = !x->things[i].n || is_in(y->order, y->n_order, x->order[i]);
    while (k < n && !shared)
      shared = is_in(y->order, y->n_order, hm_alike_stem_hash(like[k++]));
    if (!shared)
      return true;
  }
  return false;
}

static bool is_about_another(const said *x, const said *y) {
  size_t longer = x->n_order > y->n_order ? x->n_order : y->n_order;
  if (x->values.subject.n && hm_str_eq(x->values.subject, y->values.subject) &&
      x->values.subject_number != y->values.subject_number)
    return true;
  return 2 * words_in_order(x, y) > longer && has_thing_of_its_own(x, y) &&
      has_thing_of_its_own(y, x);
}

/* "30 days" is "a month"; years are years. */
static bool meets(const hm_alike_value *x, const hm_alike_value *y) {
  double room = !strcmp(x->kind, "duration") || !strcmp(x->kind, "interval") ? 1.02 : 1;
  return !strcmp(x->kind, y->kind) && x->first <= y->last * room && y->first <= x->last * room;
}

/* Have they the value both? Then it is what they are about ("winter tyres"). */
static bool has_itself(const hm_alike_values *v, const hm_alike_value *x) {
  size_t i = 0;
  while (i < v->n &&
         (strcmp(v->v[i].kind, x->kind) || v->v[i].first != x->first || v->v[i].last != x->last))
    i++;
  return i < v->n;
}

/* The first value of the kind of x that none of y meets; NULL: there is none. */
static const hm_alike_value *value_of_its_own(const hm_alike_values *x, const hm_alike_values *y,
                                              const char *kind) {
  for (size_t i = 0; i < x->n; i++) {
    size_t k = has_itself(y, &x->v[i]) ? y->n + 1 : 0;
    while (k < y->n && (!meets(&x->v[i], &y->v[k]) || has_itself(x, &y->v[k])))
      k++;
    if (k == y->n && !strcmp(x->v[i].kind, kind))
      return &x->v[i];
  }
  return NULL;
}

static hm_str name_of_its_own(const said *x, const said *y) {
  for (size_t i = 0; i < x->n_names; i++)
    if (!is_in(y->names, y->n_names, x->names[i]))
      return x->named[i];
  return HM_EMPTY;
}

/* Says y all words of the key of x, which are two at least, and none of its value? */
static bool has_other_value(const said *x, const said *y) {
  enum { KEY_LEAST = 2 };
  if (x->n_key < KEY_LEAST || y->value.n)
    return false;
  for (size_t i = 0; i < x->n_order; i++) {
    bool shared = is_in(y->order, y->n_order, x->order[i]);
    if (i < x->n_key ? !shared : shared && x->things[i].n)
      return false;
  }
  return x->n_order > x->n_key;
}

/* The texts borrow from what was read. */
static hm_alike_difference difference_of(const said *x, const said *y) {
  if (is_about_another(x, y))
    return (hm_alike_difference){ 0 };
  for (size_t i = 0; i < x->values.n; i++) {
    const char *kind = x->values.v[i].kind;
    const hm_alike_value *v = value_of_its_own(&x->values, &y->values, kind),
                         *w = value_of_its_own(&y->values, &x->values, kind);
    if (v && w)
      return (hm_alike_difference){ kind, v->said, w->said };
  }
  static const char *const spans[] = { "duration", "interval" }; /* "after five years each lot" */
  for (int i = 0; i < 2; i++) {
    const hm_alike_value *v = value_of_its_own(&x->values, &y->values, spans[i]),
                         *w = value_of_its_own(&y->values, &x->values, spans[1 - i]);
    if (v && w && v->first != w->first)
      return (hm_alike_difference){ spans[i], v->said, w->said };
  }
  if (!x->negators != !y->negators)
    return (hm_alike_difference){ .kind = "negation" };
  hm_str name = name_of_its_own(x, y), other = name_of_its_own(y, x);
  if (name.n && other.n)
    return (hm_alike_difference){ "name", name, other };
  unsigned mine = x->sides[0] & ~x->sides[1], against = x->sides[1] & ~x->sides[0];
  if ((mine & y->sides[1] & ~y->sides[0]) || (against & y->sides[0] & ~y->sides[1]))
    return (hm_alike_difference){ .kind = "opposite" };
  if (has_other_value(x, y) || has_other_value(y, x))
    return (hm_alike_difference){ .kind = "value" };
  return (hm_alike_difference){ 0 };
}

hm_alike_difference hm_alike_difference_of(hm_str x, hm_str y, hm_arena *a) {
  hm_arena *scratch = hm_arena_new();
  hm_alike_difference d = difference_of(read_said(hm_text_cut(x, HM_ALIKE_READ), scratch),
                                        read_said(hm_text_cut(y, HM_ALIKE_READ), scratch));
  d.here = hm_str_dup(a, hm_text_cut(d.here, SHOWN));
  d.there = hm_str_dup(a, hm_text_cut(d.there, SHOWN));
  hm_arena_free(scratch);
  return d;
}

hm_str hm_alike_difference_words(hm_alike_difference d, hm_arena *a) {
  if (!d.kind)
    return HM_STR("wording");
  return d.here.n ? hm_str_fmt(a, "%s: %.*s | %.*s", d.kind, HM_FMT(d.here), HM_FMT(d.there))
                  : hm_str_c(d.kind);
}

/* --- as JSON -----------------------------------------------------------------------------------
 */

/* So many bytes of each text that all of it fits. */
static size_t text_room(const hm_alike_row *v, size_t n) {
  enum { FRAME = 64, LEAST = 40 };
  size_t others = sizeof hm_alike_advice, room = HM_ALIKE_SHOWN;
  for (size_t i = 0; i < n; i++)
    others += FRAME + v[i].ref.n + v[i].date.n + (v[i].source.n < 40 ? v[i].source.n : 40);
  for (; room > LEAST; room -= 8) {
    size_t all = others;
    for (size_t i = 0; i < n; i++)
      all += v[i].text.n < room ? v[i].text.n : room;
    if (all <= HM_ALIKE_BYTES)
      break;
  }
  return room;
}

void hm_alike_json(hm_jw *j, const hm_alike_row *v, size_t n, hm_arena *a) {
  size_t room = text_room(v, n);
  hm_jw_arr(j, "alike");
  for (size_t i = 0; i < n; i++) {
    hm_str text = v[i].text;
    if (text.n > room + 3)
      text = HM_CAT(a, hm_text_cut(text, room), HM_STR("…"));
    hm_jw_obj(j, NULL);
    hm_jw_str(j, "row", v[i].ref);
    hm_jw_str(j, "text", text);
    if (v[i].source.n)
      hm_jw_str(j, "source", hm_text_cut(v[i].source, 40));
    if (v[i].date.n)
      hm_jw_str(j, "date", v[i].date);
    hm_jw_str(j, "differs", hm_alike_difference_words(v[i].differs, a));
    hm_jw_end(j);
  }
  hm_jw_end(j);
  if (n)
    hm_jw_str(j, "alike_advice", hm_str_c(hm_alike_advice));
}
