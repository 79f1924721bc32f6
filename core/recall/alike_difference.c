/* What differs in the words of two texts, and rows that are alike as JSON: alike.h.
 *
 * Two texts that are the same sentence about other things differ in nothing that could contradict:
 * "Vans are replaced after eight years", "Trailers are replaced after fifteen years". They share
 * half of the words of the shorter one, in their order, and each has a word of its own that is no
 * number, unit or name, and that means nothing which the other says. */
#include <stdlib.h>

#include "core/base/text.h"
#include "core/recall/alike_impl.h"

enum {
  TEXT_WORDS = 256, /* numbers or names of a text that are compared */
  SENTENCE = 64     /* words of a text whose order is compared */
};

const char hm_alike_advice[] =
    "No rule compared these with it: read them, and report those that cannot both be true "
    "(report_contradiction).";

/* --- what differs ------------------------------------------------------------------------------
 */

/* The numbers of a text, its names, and how many negators it has. */
typedef struct {
  uint32_t numbers[TEXT_WORDS], names[TEXT_WORDS];
  size_t n_numbers, n_names, negators;
  uint32_t order[SENTENCE]; /* its words */
  hm_str things[SENTENCE];  /* those that may be what it is about, else empty */
  size_t n_order;
} said;

static void add_once(uint32_t *v, size_t *n, uint32_t h) {
  for (size_t i = 0; i < *n; i++)
    if (v[i] == h)
      return;
  if (*n < TEXT_WORDS)
    v[(*n)++] = h;
}

static said *read_said(hm_str text, hm_arena *scratch) {
  said *s = hm_alloc(scratch, sizeof *s);
  hm_terms w = hm_terms_begin(text, scratch);
  size_t from, to;
  hm_str word;
  bool counted = false; /* behind a number: a unit */
  while (hm_terms_next(&w, &word, &from, &to)) {
    bool begins = !from || (from > 1 && memchr(".!?:", text.p[from - 2], 4));
    bool capital = from < text.n && text.p[from] >= 'A' && text.p[from] <= 'Z';
    s->negators += hm_term_is_negator(word);
    hm_str number = hm_term_number(word);
    if (number.n || hm_is_digit(word.p[0]))
      add_once(s->numbers, &s->n_numbers, (uint32_t)hm_str_hash(number.n ? number : word));
    else if (hm_text_has_digit(word) || (capital && !begins && !hm_term_is_function(word)))
      add_once(s->names, &s->n_names, (uint32_t)hm_str_hash(word)); /* "R04", too */
    bool is_number = number.n || hm_text_has_digit(word);
    bool is_thing = !is_number && !counted && !(capital && !begins) && !hm_term_is_function(word) &&
        !hm_term_is_light(word);
    if (s->n_order < SENTENCE) {
      s->order[s->n_order] = hm_alike_stem_hash(word);
      s->things[s->n_order++] = is_thing ? hm_str_dup(scratch, word) : HM_EMPTY;
    }
    counted = is_number;
  }
  return s;
}

static bool is_in(const uint32_t *v, size_t n, uint32_t h) {
  size_t i = 0;
  while (i < n && v[i] != h)
    i++;
  return i < n;
}

static bool sets_differ(const uint32_t *x, size_t n, const uint32_t *y, size_t m) {
  for (size_t i = 0; i < n; i++)
    if (!is_in(y, m, x[i]))
      return true;
  for (size_t i = 0; i < m; i++)
    if (!is_in(x, n, y[i]))
      return true;
  return false;
}

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
  size_t shorter = x->n_order < y->n_order ? x->n_order : y->n_order;
  return 2 * words_in_order(x, y) >= shorter && has_thing_of_its_own(x, y) &&
      has_thing_of_its_own(y, x);
}

hm_alike_difference hm_alike_difference_of(hm_str x, hm_str y, hm_arena *scratch) {
  const said *a = read_said(x, scratch), *b = read_said(y, scratch);
  if (is_about_another(a, b))
    return (hm_alike_difference){ 0 };
  return (hm_alike_difference){ .number = a->n_numbers && b->n_numbers &&
                                    sets_differ(a->numbers, a->n_numbers, b->numbers, b->n_numbers),
                                .negation = (a->negators ^ b->negators) & 1,
                                .name = a->n_names && b->n_names &&
                                    sets_differ(a->names, a->n_names, b->names, b->n_names) };
}

hm_str hm_alike_difference_words(hm_alike_difference d, hm_arena *a) {
  const struct {
    bool is;
    const char *word;
  } all[] = { { d.number, "number" }, { d.negation, "negation" }, { d.name, "name" } };
  hm_buf b = { 0 };
  for (size_t i = 0; i < HM_COUNT(all); i++)
    if (all[i].is)
      hm_buf_fmt(&b, "%s%s", b.n ? ", " : "", all[i].word);
  return b.n ? hm_buf_take(&b, a) : HM_STR("wording");
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
