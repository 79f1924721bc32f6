/* A question, read once: its words, how much each is worth, and which rows have enough of them
 * (recall.h).
 *
 * A word is worth the more the rarer it is, most where no row has it. The words of every question
 * ("good", "time") are worth nothing unless it has no others, and no more is the time that it
 * names, which is a filter. The word behind "which", "what", "who", "how" says what kind of answer
 * is wanted, which the answer seldom says again ("Which font": "Headings are set in Inter"): it is
 * worth a little less, and nothing where it names a kind that is looked for itself ("what colour").
 * The parts of an identifier are had by rows that have them all. A word has the rows of its family,
 * too ("supplies", "supplier"), and of words that mean nearly the same (alike_words.c), but a row
 * with none of the words of a question or a sentence is none; an entity has the names of its
 * properties.
 *
 * A question is answered by a row that has half of it, or three of its words that few rows have. So
 * "Who translated the Odyssey?" is not answered by "The app is translated into nine languages". A
 * list of words, which is no question, finds what has a quarter of them, a sentence a third. A row
 * must also have what may be an answer of the kind that is asked for (answer_kind.h), and one of
 * the names in it. What lacks the word that the question is about needs more of the others, most
 * where it tells of another deed: "is tuned by Mr. Kvapil" does not answer who insures the piano.
 * What lacks the verb of "when" and "where", or what is counted, is no answer: "open until dusk"
 * tells not when it was built; nor is groomer 2 one, where groomer 9 is asked for.
 * What lacks the noun behind "which" says most of the others itself, two at least: of "Which soap
 * is used for the fleece?" the fleece is not enough; nor are the names in any question.
 *
 * A row also has the words in the name of its project: in the project Peru, "population: 34
 * million" answers "What is the population of Peru?". */
#include <math.h>
#include <stdlib.h>

#include "core/recall/alike_impl.h"
#include "core/recall/recall.h"

static const double K1 = 1.2, B = 0.75, TIMES_BY_PROJECT = 0.5;
static const double OF_QUESTION = 0.52, OF_LIST = 0.25, OF_SENTENCE = 0.34, KIND_OF_ANSWER = 0.7,
                    OF_OTHER = 0.75, OF_ANSWERED = 0.45;
enum {
  ENOUGH = 3,
  START = 5,   /* letters by which a word meets the name of a property: "directed", "director" */
  PRIOR = 100, /* in a store of few rows all words are worth about the same */
  BY_LIKE = 1 << 30, /* times that it has a word that means nearly the same, and not the word */
  BY_PROJECT = 0     /* times that a row has a word of its project's name */
};

/* The first word of a project's name that is this one, or n_names. */
static size_t find_name(const hm_recall_index *x, uint64_t hash) {
  size_t at = 0, end = x->n_names;
  while (at < end) {
    size_t half = at + (end - at) / 2;
    if (x->names[half].hash < hash)
      at = half + 1;
    else
      end = half;
  }
  return at < x->n_names && x->names[at].hash == hash ? at : x->n_names;
}

/* Of each project how many words of its name the text lacks: "garden furniture" does not name the
 * project Garden centre. */
static int *count_missing(const hm_recall_index *x, hm_str text, hm_arena *a) {
  int *missing = hm_alloc_array(a, x->snap->n_projects + 1, sizeof *missing);
  hm_terms w = hm_terms_begin(text, a);
  hm_str word;
  for (size_t i = 0; i < x->n_names; i++)
    missing[x->names[i].project]++;
  while (x->n_names && hm_terms_next(&w, &word, NULL, NULL)) {
    uint64_t hash = hm_corpus_find_word(x->corpus, word, a).hash;
    for (size_t i = find_name(x, hash); i < x->n_names && x->names[i].hash == hash; i++)
      missing[x->names[i].project]--;
  }
  return missing;
}

/* Adds the rows of projects that are named by the word: by a name, or with all others of theirs. */
static void add_named(const hm_recall_index *x, const int *missing, hm_recall_word *w,
                      hm_arena *a) {
  size_t at = find_name(x, w->word.hash), n = 0, next = 0;
  if (at == x->n_names)
    return;
  bool *named = hm_alloc_array(a, x->snap->n_projects + 1, sizeof *named);
  for (; at < x->n_names && x->names[at].hash == w->word.hash; at++)
    named[x->names[at].project] = w->named || missing[x->names[at].project] <= 0;
  hm_corpus_posting *all = hm_alloc_array(a, x->n + 1, sizeof *all);
  for (uint32_t i = 0; i < x->n; i++) {
    if (next < w->n && w->with[next].text == i)
      all[n++] = w->with[next++];
    else if (named[x->snap->rows[i].project])
      all[n++] = (hm_corpus_posting){ i, BY_PROJECT };
  }
  w->with = all;
  w->n = n;
}

/* Adds the rows that have another word to those that have this one or its family. */
static void add_relative(const hm_recall_index *x, hm_recall_word *w, hm_str other, bool like,
                         hm_arena *a) {
  const hm_corpus_posting *with;
  hm_corpus_word found = hm_corpus_find_word(x->corpus, other, a);
  size_t more = hm_corpus_texts_with_stem(x->corpus, found.stem, &with), n = 0, i = 0, k = 0;
  if (!more || found.hash == w->word.hash || found.function)
    return;
  hm_corpus_posting *all = hm_alloc_array(a, w->n_family + more, sizeof *all);
  while (i < w->n_family || k < more) {
    if (i < w->n_family && (k == more || w->family[i].text <= with[k].text)) {
      k += k < more && with[k].text == w->family[i].text;
      all[n++] = w->family[i++];
    } else {
      all[n] = with[k++];
      all[n].times = like ? BY_LIKE : all[n].times;
      n++;
    }
  }
  w->family = all;
  w->n_family = n;
}

/* "The web shop" meets "our online store". A word that the text says, too, stands for itself alone:
 * of "the car wash for the vans" a van is no car. */
static void add_like(const hm_recall_index *x, hm_recall_word *w, hm_str word, hm_str text,
                     hm_arena *a) {
  hm_str like[64], other;
  size_t n = hm_alike_words_like(word, like, HM_COUNT(like));
  for (size_t i = 0; i < n; i++) {
    uint32_t hash = hm_alike_stem_hash(like[i]);
    hm_terms t = hm_terms_begin(text, a);
    bool said = false;
    while (!said && hm_terms_next(&t, &other, NULL, NULL))
      said = hm_alike_stem_hash(other) == hash;
    if (!said)
      add_relative(x, w, like[i], true, a);
  }
}

/* "Who supplies" meets "supplier", "delivery" meets "delivers". */
static void add_family(const hm_recall_index *x, hm_recall_word *w, hm_str word, hm_arena *a) {
  static const char *const endings[] = { "al", "er", "ery", "ion", "is", "ment", "or", "y" };
  enum { ROOT = 3 };
  hm_str stem = hm_str_dup(a, hm_term_stem(NULL, a, word));
  for (size_t i = 0; i < HM_COUNT(endings); i++) {
    hm_str end = hm_str_c(endings[i]);
    if (stem.n >= ROOT)
      add_relative(x, w, HM_CAT(a, stem, end), false, a);
    if (word.n < end.n + ROOT || !hm_str_eq(hm_str_sub(word, word.n - end.n, word.n), end))
      continue;
    hm_str root = hm_str_sub(word, 0, word.n - end.n);
    if (hm_term_is_function(root)) /* "mayor" */
      continue;
    add_relative(x, w, root, false, a);
    add_relative(x, w, HM_CAT(a, root, HM_STR("e")), false, a);
  }
}

/* --- the question -------------------------------------------------------------------------------
 */

/* A question in the making. */
typedef struct {
  const hm_recall_index *x;
  hm_str text;
  const int *missing; /* of each project words of its name */
  hm_recall_word *v;
  size_t n, cap;
  bool asks, content, heavy, grammar;
} reading;

/* Rarest first; the hash makes it total. */
static int by_rarity(const void *x, const void *y) {
  const hm_recall_word *a = x, *b = y;
  if (a->n != b->n)
    return a->n < b->n ? -1 : 1;
  return (a->word.hash > b->word.hash) - (a->word.hash < b->word.hash);
}

/* Returns its place; a word that is there already counts once. share: how much of what its rarity
 * is worth it counts. */
static size_t add_word(reading *r, hm_str word, double share, bool named, bool key, bool noun,
                       hm_arena *a) {
  hm_recall_word w = { .word = hm_corpus_find_word(r->x->corpus, word, a),
                       .start = hm_str_dup(a, hm_str_sub(word, 0, START)),
                       .worth = share,
                       .named = named,
                       .key = key,
                       .noun = noun };
  for (size_t i = 0; i < r->n; i++)
    if (r->v[i].word.hash == w.word.hash)
      return i;
  w.n = hm_corpus_texts_with_stem(r->x->corpus, w.word.stem, &w.with);
  add_named(r->x, r->missing, &w, a);
  w.family = w.with;
  w.n_family = w.n;
  if (share > 0 && !named && !w.word.function)
    add_family(r->x, &w, hm_str_dup(a, word), a);
  if (share > 0 && !named && !w.word.function)
    add_like(r->x, &w, hm_str_dup(a, word), r->text, a);
  r->v = hm_array_grow_in(a, r->v, r->n, &r->cap, sizeof *r->v);
  r->v[r->n] = w;
  r->content |= !w.word.function;
  r->grammar |= w.word.function;
  r->heavy |= !w.word.function && share > 0;
  return r->n++;
}

static bool has_row(const hm_recall_word *w, uint32_t row) {
  size_t at = 0, end = w->n_family;
  while (at < end) {
    size_t half = at + (end - at) / 2;
    if (w->family[half].text < row)
      at = half + 1;
    else
      end = half;
  }
  return at < w->n_family && w->family[at].text == row;
}

/* The parts of "TYPE_CHECKING", "3.12" are had by the rows that have both. */
static void join(hm_recall_word *x, hm_recall_word *y, hm_arena *a) {
  hm_recall_word *both[] = { x, y }, before[] = { *x, *y };
  for (size_t i = 0; i < 2 && x != y; i++) {
    hm_corpus_posting *kept = hm_alloc_array(a, before[i].n_family + 1, sizeof *kept);
    size_t n = 0;
    for (size_t k = 0; k < before[i].n_family; k++)
      if (has_row(&before[1 - i], before[i].family[k].text))
        kept[n++] = before[i].family[k];
    both[i]->with = both[i]->family = kept;
    both[i]->n = both[i]->n_family = n;
  }
}

static void read_words(reading *r, hm_str text, hm_answer_wanted wanted, hm_arena *a) {
  hm_terms w = hm_terms_begin(text, a);
  hm_str word, when = hm_recall_time_asked(text);
  size_t from, to, end = 0, before = 0;
  bool kind = false;
  while (hm_terms_next(&w, &word, &from, &to)) {
    bool dated = when.n && text.p + from >= when.p && text.p + from < when.p + when.n;
    /* "the Keep", and not "VAT" or "Mondays" */
    bool named =
        end && hm_is_upper(text.p[from]) && from + 1 < to && !hm_is_upper(text.p[from + 1]);
    /* "needed", "took", but not "goods" */
    bool form = word.p[word.n - 1] != 's' && hm_term_is_light(hm_term_stem(NULL, a, word));
    bool light =
        dated || text.p + from == wanted.word.p || ((hm_term_is_light(word) || form) && !named);
    bool joined = end && from == end + 1 && (text.p[end] == '_' || text.p[end] == '.');
    bool key = text.p + from == wanted.key.p;
    size_t at = add_word(r, word,
                         light              ? 0
                             : kind && !key ? KIND_OF_ANSWER
                                            : 1,
                         named && !dated && !kind && !hm_answer_kind_is_time(word), key,
                         text.p + from == wanted.noun.p, a);
    r->v[at].must |= text.p + from == wanted.must.p;
    if (joined)
      join(&r->v[before], &r->v[at], a);
    r->asks |= hm_term_asks(word, !end);
    kind =
        hm_term_asks(word, false) || (kind && (hm_str_is(word, "many") || hm_str_is(word, "much")));
    before = at;
    end = to;
  }
}

void hm_recall_query_parse(const hm_recall_index *x, hm_str text, hm_arena *a,
                           hm_recall_query *out) {
  double all = (double)hm_corpus_text_count(x->corpus);
  hm_str trimmed = hm_str_trim(text);
  reading r = { .x = x,
                .text = text,
                .missing = count_missing(x, text, a),
                .asks = trimmed.n && trimmed.p[trimmed.n - 1] == '?' };
  *out = (hm_recall_query){ 0 };
  hm_vector_from_question(x->corpus, text, a, &out->vector);
  int8_t *asked_by = hm_alloc(a, sizeof out->vector);
  memcpy(asked_by, &out->vector, sizeof out->vector);
  hm_recall_query_set_vectors(out, x->matrix, asked_by);
  const hm_answer_wanted wanted = hm_answer_wanted_by(text, a);
  read_words(&r, text, wanted, a);
  if (r.n)
    qsort(r.v, r.n, sizeof *r.v, by_rarity);
  out->asks = r.asks;
  out->states = r.grammar;
  out->text = text;
  out->wanted = wanted;
  bool measured = wanted.kind >= HM_ANSWER_AMOUNT && wanted.kind <= HM_ANSWER_TIME;
  out->share = !r.asks && r.grammar                 ? OF_SENTENCE
      : !r.asks                                     ? OF_LIST
      : measured || wanted.kind == HM_ANSWER_COLOUR ? OF_ANSWERED
                                                    : OF_QUESTION;
  out->words = r.v;
  for (size_t i = 0; i < r.n; i++) {
    hm_recall_word w = r.v[i];
    if (r.content && w.word.function)
      continue;
    /* Okapi's: how rare a word is. */
    w.rarity = log(1 + (all - (double)w.n + 0.5) / ((double)w.n + 0.5));
    w.worth = (r.heavy ? w.worth : 1) * log((all + PRIOR) / ((double)w.n + 1));
    out->words[out->n++] = w;
  }
}

/* --- the rows ----------------------------------------------------------------------------------
 */

double *hm_recall_word_scores(const hm_recall_index *x, const hm_recall_query *q, hm_arena *a) {
  double texts = (double)hm_corpus_text_count(x->corpus);
  double average = texts > 0 ? (double)hm_corpus_word_count(x->corpus) / texts : 1;
  double *scores = hm_alloc_array(a, x->n + 1, sizeof *scores);
  for (size_t i = 0; i < q->n; i++) {
    const hm_recall_word *w = &q->words[i];
    for (size_t k = 0; k < w->n; k++) {
      double tf = w->with[k].times == BY_PROJECT ? TIMES_BY_PROJECT : w->with[k].times;
      double length = (double)hm_corpus_text_length(x->corpus, w->with[k].text);
      scores[w->with[k].text] +=
          w->rarity * tf * (K1 + 1) / (tf + K1 * (1 - B + B * length / average));
    }
  }
  return scores;
}

/* Has an entity a property that tells how old it is, and not only since when it has an office? */
static bool tells_age(const hm_row *r) {
  static const char *const names[] = {
    "age\"", "birth", "born", "built", "founded", "made", "year"
  };
  size_t i = 0;
  while (i < HM_COUNT(names) && hm_str_find(r->props, names[i]) < 0)
    i++;
  return i < HM_COUNT(names);
}

/* The value of a state may be anybody; relations are about other rows, and at a time, and tell no
 * measure. */
static bool has_kind(const hm_recall_index *x, const hm_recall_query *q, uint32_t row,
                     hm_arena *scratch) {
  hm_layer layer = x->snap->rows[row].layer;
  bool anybody = q->wanted.kind == HM_ANSWER_AGENT || q->wanted.kind == HM_ANSWER_NAME ||
      q->wanted.kind == HM_ANSWER_PLACE;
  bool measured = q->wanted.kind >= HM_ANSWER_AMOUNT && q->wanted.kind <= HM_ANSWER_COST &&
      q->wanted.kind != HM_ANSWER_LONG && !hm_str_is(q->wanted.word, "many");
  if (layer == HM_RELATION && q->wanted.kind == HM_ANSWER_AGE)
    return false;
  if (layer == HM_ENTITY && q->wanted.kind == HM_ANSWER_AGE && !tells_age(&x->snap->rows[row]))
    return false;
  return (layer == HM_RELATION && !measured) || (layer != HM_MEMORY && anybody) ||
      hm_answer_fits(&q->wanted, q->text, x->texts[row], scratch);
}

/* Who ruled a place stands in relations, which do not say it again, and a dispute of them is told
 * with the place. */
static bool says_by_relations(const hm_recall_index *x, const hm_recall_query *q, uint32_t row) {
  hm_layer layer = x->snap->rows[row].layer;
  return layer == HM_RELATION || (layer == HM_ENTITY && q->wanted.kind == HM_ANSWER_AGENT);
}

/* The share that a row needs which lacks what the question is about. */
static double without_key(const hm_recall_index *x, const hm_recall_query *q, uint32_t row,
                          hm_arena *scratch) {
  if (says_by_relations(x, q, row))
    return q->share;
  if (q->wanted.kind != HM_ANSWER_AGENT)
    return OF_OTHER;
  return hm_answer_names_agent(q->text, x->texts[row], scratch) ? OF_ANSWERED : OF_OTHER;
}

/* What a row has of a question. */
typedef struct {
  double all, own; /* the worth of its words; of those that it says itself */
  uint8_t words;   /* those that few rows have, at most ENOUGH */
  uint8_t others;  /* those of own that are not the noun, at most ENOUGH */
  bool name, key, noun, must, besides_name, besides_key;
} had;

static void add_had(had *h, const hm_recall_word *w, bool itself, bool few) {
  h->all += w->worth;
  h->own += itself ? w->worth : 0;
  h->words += few && h->words < ENOUGH;
  h->others += itself && !w->noun && w->worth > 0 && h->others < ENOUGH;
  h->name |= w->named;
  h->key |= w->key;
  h->noun |= w->noun && itself;
  h->must |= w->must;
  h->besides_name |= !w->named && w->worth > 0;
  h->besides_key |= !w->key && w->worth > 0;
}

/* Adds what an entity has of the question by the names of its properties, beside its text. */
static void add_properties(const hm_recall_index *x, const hm_recall_query *q, uint32_t row,
                           hm_arena *scratch, had *h) {
  const hm_row *r = &x->snap->rows[row];
  double own = h->own;
  hm_json *props;
  if (r->layer != HM_ENTITY || !r->props.n || hm_json_parse(scratch, r->props, &props, NULL))
    return;
  for (size_t i = 0; i < q->n; i++) {
    const hm_recall_word *w = &q->words[i];
    const hm_json *c = props->child;
    if (w->start.n < START - 1 || has_row(w, row))
      continue;
    while (c && hm_str_find(hm_text_fold_name(scratch, c->key), hm_str_z(scratch, w->start)) < 0)
      c = c->next;
    if (c)
      add_had(h, w, true, false);
  }
  h->own = own;
}

/* Is the number that the text has behind the word ("groomers 2 and 9") this one? True, too, if it
 * has none there. */
static bool has_numbered(hm_str text, hm_str noun, hm_str number, hm_arena *scratch) {
  enum { NEAR = 4 };
  hm_terms w = hm_terms_begin(text, scratch);
  hm_str word;
  uint32_t stem = hm_alike_stem_hash(noun);
  size_t behind = NEAR;
  bool other = false;
  while (hm_terms_next(&w, &word, NULL, NULL)) {
    if (behind < NEAR && hm_str_eq(word, number))
      return true;
    other |= !behind && hm_is_digit(word.p[0]);
    bool between = hm_is_digit(word.p[0]) || hm_term_is_function(word);
    behind = hm_alike_stem_hash(word) == stem ? 0 : between ? behind + 1 : NEAR;
  }
  return !other;
}

/* Has the text of a row the numbers of the question where they stand behind their nouns: is
 * "groomer 9" in it, and not only another groomer? */
static bool has_numbers(hm_str question, hm_str text, hm_arena *scratch) {
  hm_terms w = hm_terms_begin(question, scratch);
  hm_str word, before = HM_EMPTY;
  while (hm_terms_next(&w, &word, NULL, NULL)) {
    word = hm_str_dup(scratch, word);
    if (before.n && hm_is_digit(word.p[0]) && !hm_is_digit(before.p[0]) &&
        !hm_term_is_function(before) && !hm_answer_kind_is_time(before) &&
        !has_numbered(text, before, word, scratch))
      return false;
    before = word;
  }
  return true;
}

/* Has the row enough of the question? asked: what a row has that has all of it, its own without the
 * noun. */
static bool has_enough(const hm_recall_index *x, const hm_recall_query *q, uint32_t row,
                       const had *h, const had *asked, hm_arena *scratch) {
  enum { OTHERS = 2 };
  double least = asked->key && !h->key ? without_key(x, q, row, scratch)
      : h->words >= ENOUGH             ? OF_LIST
                                       : q->share;
  if (h->all < least * asked->all || (asked->key && h->besides_key != asked->besides_key))
    return false;
  if (q->asks && asked->must && !h->must && x->snap->rows[row].layer != HM_RELATION)
    return false;
  if (q->asks && asked->name && asked->besides_name && !h->besides_name &&
      !says_by_relations(x, q, row))
    return false;
  return !q->asks || !asked->noun || h->noun ||
      (h->others >= OTHERS && h->own >= OF_OTHER * asked->own);
}

/* Is the end of a relation, "e1" or "entity:e1", this entity? */
static bool is_end(hm_str end, hm_str id) {
  return hm_str_eq(end.n > id.n ? hm_str_sub(end, end.n - id.n, end.n) : end, id);
}

/* Who did something to an entity is told by a property, or by a relation that fits, too. */
static bool is_told(const hm_recall_index *x, const bool *fits, const hm_row *entity) {
  for (size_t i = x->snap->first[HM_RELATION]; i < x->snap->first[HM_RELATION + 1]; i++) {
    const hm_row *r = &x->snap->rows[i];
    if (fits[i] && (is_end(r->from, entity->id) || is_end(r->to, entity->id)))
      return true;
  }
  return false;
}

void hm_recall_find_fitting(const hm_recall_index *x, const hm_recall_query *q, hm_arena *a,
                            double **shares, bool **fits) {
  had *rows = hm_alloc_array(a, x->n + 1, sizeof *rows), asked = { 0 };
  double *own = hm_alloc_array(a, x->n + 1, sizeof *own);
  hm_arena *scratch = hm_arena_new();
  *fits = hm_alloc_array(a, x->n + 1, sizeof **fits);
  for (size_t i = 0; i < q->n; i++) {
    hm_recall_word w = q->words[i];
    bool counts = w.worth > 0 && w.n_family < x->n / 4;
    w.named &= q->asks;
    w.key &= w.worth > 0;
    w.noun &= w.worth > 0;
    w.must &= w.worth > 0;
    add_had(&asked, &w, !w.noun, counts);
    asked.noun |= w.noun;
    for (size_t k = 0; k < w.n_family; k++) {
      bool itself = w.family[k].times != BY_PROJECT && w.family[k].times != BY_LIKE;
      add_had(&rows[w.family[k].text], &w, itself, counts);
    }
  }
  for (size_t i = 0; i < x->n; i++) {
    had *h = &rows[i];
    own[i] = asked.all > 0 ? h->own / asked.all : 0;
    if (asked.all <= 0 || h->all < OF_LIST * asked.all || h->name != asked.name ||
        ((q->asks || q->states) && h->own <= 0))
      continue;
    if (q->asks)
      add_properties(x, q, (uint32_t)i, scratch, h);
    (*fits)[i] = has_enough(x, q, (uint32_t)i, h, &asked, scratch) &&
        has_kind(x, q, (uint32_t)i, scratch) &&
        (!q->asks || has_numbers(q->text, x->texts[i], scratch));
    hm_arena_reset(scratch);
  }
  for (size_t i = 0; asked.key && q->wanted.kind == HM_ANSWER_AGENT && i < x->n; i++)
    if ((*fits)[i] && !rows[i].key && x->snap->rows[i].layer == HM_ENTITY)
      (*fits)[i] = is_told(x, *fits, &x->snap->rows[i]);
  hm_arena_free(scratch);
  *shares = own;
}
