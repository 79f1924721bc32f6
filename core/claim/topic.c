/* Which topics of documents are one: topic.h.
 *
 * A noun weighs two, a verb one. Topics are one in either of two ways:
 *
 *   by share    from LEAST_SHARE of the weight of each, and from BOTH_SHARES of the two together.
 *               One shared noun is enough only where neither has another, and for times where the
 *               verbs are the same, too: sessions expire and are refreshed
 *   by rarity   the words that both say, each by how few topics have it, outweigh the nouns that
 *               one alone says; more so where each says one that the other does not, and less where
 *               the values are near each other, as drift is small */
#include "core/claim/topic.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"
#include "core/base/word_forms.h"

enum { WORDS = 16, MORE = 96, PAIRS = 32, TOPICS_OF_WORD = 300 };
enum { LEAST_SHARE = 50, BOTH_SHARES = 140, MOST = 60 }; /* of 100, of 200 */
enum { RARE = 4 };                                       /* rarity of a word of few topics */
enum { CLOSE = 2, NEAR = 4, FAR = 40, FEW = 4 };         /* ratios of values */
enum { NUMBER = 1 };                                     /* the kind of what is counted */

typedef struct {
  uint64_t v;
  unsigned weight, rarity;
} topic_word;

typedef struct {
  hm_claim *claim;
  uint64_t document, series, form, scopes, kind;
  bool timed, named, row, literal, example;
  bool identifier; /* its slot is a name, whose words it has */
  topic_word words[WORDS];
  size_t n;
  uint64_t more[MORE]; /* also those of families */
  size_t n_more, n_families;
  uint64_t families[4];
  struct {
    uint64_t first, of;
  } pairs[PAIRS];
  size_t n_pairs;
} topic;

/* --- forms of words ----------------------------------------------------------------------------
 */

/* Adds the words of a slot or a hint: "tile", "+tile", "retina>tile". */
static void add_forms(hm_word_forms *f, hm_str word) {
  if (word.n && strchr("(+^=@", word.p[0]))
    word = hm_str_sub(word, 1, word.n);
  const char *pair = word.n ? memchr(word.p, '>', word.n) : NULL;
  size_t first = pair ? (size_t)(pair - word.p) : word.n;
  hm_word_forms_add(f, hm_str_sub(word, 0, first));
  if (pair)
    hm_word_forms_add(f, hm_str_sub(word, first + 1, word.n));
}

static void find_forms(hm_word_forms *f, const hm_claims *c, hm_arena *a) {
  hm_word_forms_init(f, a);
  for (size_t i = 0; i < c->n; i++)
    for (hm_str rest = c->claims[i].topic, word; (word = hm_str_next_word(&rest)).n;)
      add_forms(f, word);
  hm_word_forms_find(f, a);
}

/* --- reading -------------------------------------------------------------------------------- */

/* Dimensions that are compared with each other have one kind. */
static uint64_t kind_of(hm_str dimension) {
  bool number = hm_str_is(dimension, "count") || hm_str_is(dimension, "times");
  return number ? NUMBER : hm_str_hash(dimension);
}

static void add_word(topic *t, uint64_t word, unsigned weight) {
  if (t->n < WORDS)
    t->words[t->n++] = (topic_word){ word, weight, RARE };
}

static void read_hint(topic *t, hm_str hint, const hm_word_forms *f) {
  hm_str word = hm_str_sub(hint, 1, hint.n);
  uint64_t hash = hm_word_forms_hash(f, word);
  const char *pair = memchr(hint.p, '>', hint.n);
  switch (hint.p[0]) {
    case '+':
      if (t->n_more < MORE)
        t->more[t->n_more++] = hash;
      break;
    case '^':
      for (size_t i = 0; i < t->n; i++)
        if (t->words[i].v == hash)
          t->words[i].weight = 1;
      break;
    case '@':
      for (size_t i = 0; i < t->n; i++)
        if (t->words[i].v == hash)
          t->words[i--] = t->words[--t->n];
      t->scopes = hm_hash_mix(t->scopes, hm_str_hash(word));
      break;
    case '#':
      t->named = true;
      t->kind = hm_str_hash(HM_STR("name"));
      if (t->n_families < HM_COUNT(t->families))
        t->families[t->n_families++] = hm_str_hash(word);
      break;
    case '~':
      t->kind = kind_of(word);
      t->timed = hm_str_is(word, "duration") || hm_str_is(word, "interval");
      break;
    case '|':
      t->row = true;
      break;
    case '!':
      t->example = true;
      break;
    case '/':
      t->document = hm_str_hash(word);
      break;
    case '&':
      t->form = hm_str_hash(word);
      break;
    case '%':
      t->series = hm_str_hash(word);
      break;
    default:
      if (pair && t->n_pairs < PAIRS) {
        t->pairs[t->n_pairs].first =
            hm_word_forms_hash(f, hm_str_sub(hint, 0, (size_t)(pair - hint.p)));
        t->pairs[t->n_pairs++].of =
            hm_word_forms_hash(f, hm_str_sub(hint, (size_t)(pair + 1 - hint.p), hint.n));
      }
  }
}

/* "SLOT (HINTS)". */
static void read_topic(topic *t, hm_claim *c, const hm_word_forms *f) {
  ptrdiff_t open = hm_str_find(c->topic, " (");
  hm_str slot = hm_str_sub(c->topic, 0, (size_t)open), word;
  hm_str hints = hm_str_sub(c->topic, (size_t)open + 2, c->topic.n - 1), rest = hints;
  *t = (topic){ .claim = c };
  while ((word = hm_str_next_word(&slot)).n)
    if (slot.n)
      add_word(t, hm_word_forms_hash(f, word), 2);
    else {
      t->kind = kind_of(word);
      t->timed =
          hm_str_is(word, "duration") || hm_str_is(word, "interval") || hm_str_is(word, "time");
      t->named = hm_str_is(word, "name");
      t->literal = hm_str_is(word, "value");
    }
  if ((t->n == 1 && hm_str_find(hints, "=") >= 0) ||
      hm_str_find(hints, "~") >= 0) { /* a name: its words are what it is about */
    t->n = 0;
    t->identifier = true;
    while ((word = hm_str_next_word(&rest)).n)
      if (word.p[0] == '=')
        add_word(t, hm_word_forms_hash(f, hm_str_sub(word, 1, word.n)), 2);
  }
  while ((word = hm_str_next_word(&hints)).n)
    read_hint(t, word, f);
  static const char *const periods[] = { "interv", "frequenc", "period" };
  for (size_t i = 0; i < HM_COUNT(periods) && t->kind == hm_str_hash(HM_STR("duration")); i++)
    for (size_t k = 0; k < t->n; k++)
      if (t->words[k].v == hm_word_forms_hash(f, hm_str_c(periods[i]))) {
        t->kind = hm_str_hash(HM_STR("interval"));
        t->words[k] = t->words[--t->n];
        break;
      }
}

/* --- likeness --------------------------------------------------------------------------------- */

static bool has_word(const topic *t, uint64_t word) {
  for (size_t i = 0; i < t->n; i++)
    if (t->words[i].v == word)
      return true;
  return false;
}

static bool is_noun(const topic *t, uint64_t word) {
  for (size_t i = 0; i < t->n; i++)
    if (t->words[i].v == word)
      return t->words[i].weight > 1;
  return false;
}

static bool stands_around(const topic *t, uint64_t word) {
  for (size_t i = 0; i < t->n_more; i++)
    if (t->more[i] == word)
      return true;
  return false;
}

/* The part of what t says that other says, too, of 100. *nouns, *verbs: words that both say;
 * *other_nouns, *other_verbs: what t alone says. */
static unsigned share_of(const topic *t, const topic *other, size_t *nouns, size_t *other_nouns,
                         size_t *other_verbs) {
  unsigned all = 0, shared = 0;
  *nouns = *other_nouns = *other_verbs = 0;
  for (size_t i = 0; i < t->n; i++) {
    const topic_word *w = &t->words[i];
    bool said = has_word(other, w->v);
    all += w->weight;
    bool around = said || stands_around(other, w->v);
    if (around)
      shared += w->weight;
    if (said && (w->weight > 1 || is_noun(other, w->v)))
      ++*nouns;
    if (!around)
      ++*(w->weight > 1 ? other_nouns : other_verbs);
  }
  return all ? shared * 100 / all : 0;
}

/* Has t a word before a shared one that the other does not know: "retina tiles" and "tiles"? */
static bool is_another_thing(const topic *t, const topic *other) {
  for (size_t i = 0; i < t->n_pairs; i++) {
    uint64_t first = t->pairs[i].first;
    if (has_word(other, t->pairs[i].of) && has_word(t, first) && has_word(t, t->pairs[i].of) &&
        !has_word(other, first) && !stands_around(other, first))
      return true;
  }
  return false;
}

static bool share_family(const topic *x, const topic *y) {
  for (size_t i = 0; i < x->n_families; i++)
    for (size_t k = 0; k < y->n_families; k++)
      if (x->families[i] == y->families[k])
        return true;
  return false;
}

/* Says the row of a table what the other one says with one more noun, which it belongs to: "family"
 * and "family ticket"? */
static bool is_row_of(const topic *row, const topic *other) {
  for (size_t i = 0; row->row && i < other->n_pairs; i++)
    if (has_word(row, other->pairs[i].first) && !has_word(row, other->pairs[i].of))
      return true;
  return false;
}

/* Is it the row of a table, or a setting, whose name says all? */
static bool is_named(const topic *t) { return t->row || t->identifier; }

/* Are the values of one dimension? A setting does not say whether its time is one of a series. */
static bool has_kind_of(const topic *x, const topic *y) {
  uint64_t duration = hm_str_hash(HM_STR("duration")), interval = hm_str_hash(HM_STR("interval"));
  return x->kind == y->kind || (is_named(x) && x->kind == duration && y->kind == interval) ||
      (is_named(y) && y->kind == duration && x->kind == interval);
}

static bool has_all_words(const topic *x, const topic *y) {
  size_t i = 0;
  while (i < y->n && has_word(x, y->words[i].v))
    i++;
  return i == y->n;
}

/* Says the head of x's column what the other does not say? */
static bool has_own_head(const topic *x, const topic *y) {
  for (size_t i = 0; i < x->n; i++)
    if (x->words[i].weight < 2 && !has_word(y, x->words[i].v) && !stands_around(y, x->words[i].v))
      return true;
  return false;
}

/* Have the keys of two rows a word of their own in common? */
static bool share_key(const topic *x, const topic *y) {
  for (size_t i = 0; i < x->n; i++)
    if (x->words[i].weight > 1 && is_noun(y, x->words[i].v))
      return true;
  return false;
}

/* May they be one, whatever their words are? */
static bool may_be_one(const topic *x, const topic *y) {
  if (!has_kind_of(x, y) || x->document == y->document || x->scopes != y->scopes ||
      x->claim->project != y->claim->project || x->claim->row == y->claim->row ||
      (x->form && x->form == y->form) || (x->example && y->example))
    return false;
  if (x->row && y->row && ((has_own_head(x, y) && has_own_head(y, x)) || !share_key(x, y)))
    return false;
  /* RUN_QUEUE_SIZE is not EVENT_QUEUE_SIZE */
  if (x->identifier && y->identifier && !(has_all_words(x, y) && has_all_words(y, x)))
    return false;
  /* and "5 chunks" are no MAX_CHUNK_LENGTH */
  if (x->kind == NUMBER &&
      ((x->identifier && !has_all_words(y, x)) || (y->identifier && !has_all_words(x, y))))
    return false;
  bool own = x->kind == NUMBER || x->literal || (x->row && y->row);
  if (own && x->series && x->series == y->series)
    return false;
  return !x->named || !(x->n_families || y->n_families) || share_family(x, y);
}

/* The greater of two amounts of one unit by the other; 0: they have none. */
static double ratio_of(const hm_value *x, const hm_value *y) {
  bool numbers = x->kind == HM_V_NUMBER || x->kind == HM_V_QUANTITY;
  bool same = numbers && x->kind == y->kind && hm_str_eq(x->base, y->base);
  double ratio = same && y->num ? x->num / y->num : 0;
  return ratio <= 0 ? 0 : ratio < 1 ? 1 / ratio : ratio;
}

/* How near they are by their share, of 200; 0: they are not one. */
static unsigned likeness_by_share(const topic *x, const topic *y) {
  size_t nouns, nouns_y, other_x, other_y, verbs_x, verbs_y;
  unsigned of_x = share_of(x, y, &nouns, &other_x, &verbs_x);
  unsigned of_y = share_of(y, x, &nouns_y, &other_y, &verbs_y);
  if (!nouns || of_x < LEAST_SHARE || of_y < LEAST_SHARE || of_x + of_y < BOTH_SHARES)
    return 0;
  if (nouns == 1 && other_x == 1 && (is_row_of(y, x) || (y->row && of_x >= MOST)))
    other_x = 0;
  if (nouns == 1 && other_y == 1 && (is_row_of(x, y) || (x->row && of_y >= MOST)))
    other_y = 0;
  if (nouns == 1 &&
      (other_x || other_y || (x->timed && !is_named(x) && !is_named(y) && (verbs_x || verbs_y))))
    return 0;
  /* "120 dimmers" and, elsewhere, "12 dimmers" */
  if (x->kind == NUMBER && !x->identifier && !y->identifier &&
      ratio_of(&x->claim->value, &y->claim->value) > (nouns == 1 ? CLOSE : NEAR))
    return 0;
  return of_x + of_y;
}

/* Are the values as near as drift leaves them: "1.14" and "1.12", "8:00-12:00" and "8:00-13:00"? */
static bool are_near(const topic *x, const topic *y, double ratio) {
  hm_str a = x->claim->value.raw, b = y->claim->value.raw;
  bool parted = false;
  if (ratio > 0)
    return ratio <= (x->kind == NUMBER ? CLOSE : NEAR) && x->kind != hm_str_hash(HM_STR("port"));
  for (size_t i = 0; i < a.n && i < b.n && a.p[i] == b.p[i]; i++)
    parted |= a.p[i] == '.' || a.p[i] == '-';
  return parted;
}

/* Is it less than a day? Such times are of something that happens, those of days and years of what
 * lasts, for which each language has several verbs. */
static bool is_short(const hm_value *v) { return v->kind != HM_V_QUANTITY || v->num < 86400; }

/* The same by how rare the words are that both say. */
static unsigned likeness_by_rarity(const topic *x, const topic *y) {
  unsigned shared = 0, own_x = 0, own_y = 0, need;
  size_t nouns = 0, verbs = 0;
  for (size_t i = 0; i < x->n; i++) {
    const topic_word *w = &x->words[i];
    bool noun = w->weight > 1 || is_noun(y, w->v);
    if (has_word(y, w->v)) {
      shared += w->rarity * (noun ? 2 : 1);
      /* a row is about its key, not about the head of its column */
      nouns += noun && w->rarity > 0 && (w->weight > 1 || !x->row) && (is_noun(y, w->v) || !y->row);
    } else if (!stands_around(y, w->v))
      w->weight > 1 ? own_x++ : verbs++;
  }
  for (size_t i = 0; i < y->n; i++)
    if (!has_word(x, y->words[i].v) && !stands_around(x, y->words[i].v))
      y->words[i].weight > 1 ? own_y++ : verbs++;
  if (nouns == 1 && verbs && x->timed && !is_named(x) && !is_named(y) &&
      (is_short(&x->claim->value) || is_short(&y->claim->value)))
    return 0;
  double ratio = ratio_of(&x->claim->value, &y->claim->value);
  /* "two paths", "three paths": of few things there are many kinds */
  bool few = x->claim->value.num <= FEW && y->claim->value.num <= FEW;
  need = 2 + own_x + own_y + 2 * (own_x < own_y ? own_x : own_y) + (ratio > FAR) +
      (x->kind == NUMBER ? ratio > CLOSE || few : x->named) - are_near(x, y, ratio);
  return nouns && shared >= need * RARE
      ? LEAST_SHARE + shared * LEAST_SHARE / (shared + need * RARE)
      : 0;
}

/* How near they are; 0: they are not one. */
static unsigned likeness(const topic *x, const topic *y) {
  if (!may_be_one(x, y) || is_another_thing(x, y) || is_another_thing(y, x))
    return 0;
  unsigned share = likeness_by_share(x, y);
  return share ? share : likeness_by_rarity(x, y);
}

/* --- pairs ------------------------------------------------------------------------------------ */

typedef struct {
  uint64_t word;
  uint32_t topic;
} entry;

static int by_word(const void *x, const void *y) {
  const entry *a = x, *b = y;
  if (a->word != b->word)
    return a->word < b->word ? -1 : 1;
  return (a->topic > b->topic) - (a->topic < b->topic);
}

/* y is one with x. */
typedef struct {
  uint32_t x, y;
  uint64_t document; /* of y */
  unsigned likeness;
  bool agrees;
} match;

static int by_document(const void *x, const void *y) {
  const match *a = x, *b = y;
  if (a->x != b->x)
    return a->x < b->x ? -1 : 1;
  if (a->document != b->document)
    return a->document < b->document ? -1 : 1;
  if (a->likeness != b->likeness)
    return a->likeness > b->likeness ? -1 : 1;
  return (a->y > b->y) - (a->y < b->y);
}

typedef struct {
  topic *v;
  size_t n;
  match *matches;
  size_t n_matches, cap;
} topics;

static void compare(topics *t, uint32_t x, uint32_t y) {
  unsigned near = likeness(&t->v[x], &t->v[y]);
  if (!near)
    return;
  bool agrees = hm_claim_values_agree(t->v[x].claim, t->v[y].claim, NULL);
  const match both[] = { { x, y, t->v[y].document, near, agrees },
                         { y, x, t->v[x].document, near, agrees } };
  for (size_t i = 0; i < 2; i++) {
    t->matches = hm_array_grow(t->matches, t->n_matches, &t->cap, sizeof *t->matches);
    t->matches[t->n_matches++] = both[i];
  }
}

/* Of RARE, of a word that n topics have. */
static unsigned rarity_of(size_t n) { return n <= 4 ? RARE : n <= 8 ? 3 : n <= 16 ? 2 : n <= 32; }

/* Each pair of topics that share a word is compared once: at the first word that they share. */
static void find_matches(topics *t, hm_arena *a) {
  size_t n = 0;
  entry *v = hm_alloc_array(a, t->n * WORDS, sizeof *v);
  for (size_t i = 0; i < t->n; i++)
    for (size_t k = 0; k < t->v[i].n; k++)
      v[n++] = (entry){ t->v[i].words[k].v, (uint32_t)i };
  if (n)
    qsort(v, n, sizeof *v, by_word);
  for (size_t from = 0, to; from < n; from = to) {
    for (to = from; to < n && v[to].word == v[from].word; to++) {
    }
    for (size_t i = from; i < to; i++)
      for (size_t k = 0; k < t->v[v[i].topic].n; k++)
        if (t->v[v[i].topic].words[k].v == v[i].word)
          t->v[v[i].topic].words[k].rarity = rarity_of(to - from);
  }
  uint32_t *met = hm_alloc_array(a, t->n, sizeof *met);
  for (size_t i = 0; i < t->n; i++)
    for (size_t k = 0; k < t->v[i].n; k++) {
      entry own = { t->v[i].words[k].v, (uint32_t)i };
      size_t at = hm_lower_bound(v, n, sizeof *v, &own, by_word), first = at;
      while (first && v[first - 1].word == own.word && at - first < TOPICS_OF_WORD)
        first--;
      for (; first < at; first++)
        if (met[v[first].topic] != (uint32_t)i + 1) {
          met[v[first].topic] = (uint32_t)i + 1;
          compare(t, v[first].topic, (uint32_t)i);
        }
    }
}

/* Takes out matches of a topic with a document, but the nearest; all, where the document says the
 * same elsewhere, or says different things of topics as near. */
static void keep_nearest(topics *t) {
  size_t kept = 0;
  if (t->n_matches)
    qsort(t->matches, t->n_matches, sizeof *t->matches, by_document);
  for (size_t i = 0, end; i < t->n_matches; i = end) {
    const match *first = &t->matches[i];
    size_t nearest = i;
    bool keep = true;
    for (end = i; end < t->n_matches && t->matches[end].x == first->x &&
         t->matches[end].document == first->document;
         end++) {
      keep &= !t->matches[end].agrees;
      if (t->matches[end].likeness < first->likeness)
        continue;
      nearest = end;
      keep &= end == i ||
          hm_claim_values_agree(t->v[first->y].claim, t->v[t->matches[end].y].claim, NULL);
    }
    for (size_t k = i; keep && k <= nearest; k++)
      t->matches[kept++] = t->matches[k];
  }
  t->n_matches = kept;
}

static bool is_kept(const topics *t, uint32_t x, uint32_t y) {
  size_t lo = 0, hi = t->n_matches;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (t->matches[mid].x < x)
      lo = mid + 1;
    else
      hi = mid;
  }
  for (; lo < t->n_matches && t->matches[lo].x == x; lo++)
    if (t->matches[lo].y == y)
      return true;
  return false;
}

/* --- one slot -----------------------------------------------------------------------------------
 */

static uint32_t root_of(uint32_t *parent, uint32_t i) {
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

static bool has_better_name(const topic *x, const topic *y) {
  hm_str a = x->claim->name, b = y->claim->name;
  if (x->identifier != y->identifier)
    return x->identifier;
  return a.n != b.n ? a.n < b.n : hm_str_cmp(a, b) < 0;
}

/* Is the topic too small for its slot to say what it is about: "two paths", "3 tests" in each of a
 * series of documents? Then other values of that slot contradict it only where they are one by
 * their words, too. */
static bool is_weak(const topic *t) {
  size_t nouns = 0;
  for (size_t i = 0; i < t->n; i++)
    nouns += t->words[i].weight > 1;
  bool plain = t->kind == NUMBER || (t->named && !t->n_families);
  return (plain && !t->identifier && (nouns < 2 || t->series)) ||
      ((t->literal || t->row) && t->series) || t->example;
}

typedef hm_str key_of(const topic *t, hm_arena *a);

static hm_str series_key(const topic *t, hm_arena *a) {
  return hm_str_fmt(a, "%llx", (unsigned long long)t->series);
}

static hm_str form_key(const topic *t, hm_arena *a) {
  return hm_str_fmt(a, "%llx %.*s", (unsigned long long)t->form, HM_FMT(t->claim->name));
}

/* Finds the keys that topics of several documents have. */
static void find_shared(hm_map *shared, const topics *t, key_of *key, hm_arena *a) {
  hm_map first;
  hm_map_init(&first, a, t->n);
  hm_map_init(shared, a, 64);
  for (uint32_t i = 0; i < t->n; i++) {
    uint32_t at = hm_map_add(&first, key(&t->v[i], a), i);
    if (t->v[at].document != t->v[i].document)
      hm_map_add(shared, key(&t->v[i], a), 0);
  }
}

static void join(topics *t, hm_arena *a) {
  uint32_t *parent = hm_alloc_array(a, t->n, sizeof *parent);
  bool *joined = hm_alloc_array(a, t->n, sizeof *joined);
  const topic **best = hm_alloc_array(a, t->n, sizeof *best);
  hm_str *names = hm_alloc_array(a, t->n, sizeof *names);
  hm_map forms; /* slots of several documents of one form */
  find_shared(&forms, t, form_key, a);
  for (uint32_t i = 0; i < t->n; i++)
    parent[i] = i;
  for (size_t i = 0; i < t->n_matches; i++) {
    const match *m = &t->matches[i];
    if (m->x > m->y || !is_kept(t, m->y, m->x))
      continue;
    parent[root_of(parent, m->x)] = root_of(parent, m->y);
    joined[m->x] = joined[m->y] = true;
  }
  for (uint32_t i = 0; i < t->n; i++) {
    uint32_t root = root_of(parent, i);
    if (!best[root] || has_better_name(&t->v[i], best[root])) {
      best[root] = &t->v[i];
      names[root] = t->v[i].claim->name;
    }
  }
  for (uint32_t i = 0; i < t->n; i++) {
    hm_claim *c = t->v[i].claim;
    bool of_form = t->v[i].form && hm_map_get(&forms, form_key(&t->v[i], a)) != HM_MAP_NONE;
    if (!joined[i] && (of_form || is_weak(&t->v[i])))
      c->compare = HM_EMPTY;
    c->name = names[root_of(parent, i)];
    c->hash = hm_hash_mix(hm_hash_mix(c->project, hm_str_hash(c->space)), hm_str_hash(c->name));
  }
}

void hm_topics_join(hm_claims *c) {
  topics t = { 0 };
  size_t n = 0;
  for (size_t i = 0; i < c->n; i++)
    n += c->claims[i].topic.n > 0;
  if (n < 2)
    return;
  hm_arena *scratch = hm_arena_new();
  hm_word_forms forms;
  find_forms(&forms, c, scratch);
  t.v = hm_alloc_array(scratch, n, sizeof *t.v);
  for (size_t i = 0; i < c->n; i++)
    if (c->claims[i].topic.n)
      read_topic(&t.v[t.n++], &c->claims[i], &forms);
  hm_map series; /* in a folder of its own, "docs/tools.md" is of none */
  find_shared(&series, &t, series_key, scratch);
  for (size_t i = 0; i < t.n; i++)
    if (hm_map_get(&series, series_key(&t.v[i], scratch)) == HM_MAP_NONE)
      t.v[i].series = 0;
  find_matches(&t, scratch);
  keep_nearest(&t);
  join(&t, scratch);
  free(t.matches);
  hm_arena_free(scratch);
}

bool hm_row_has_topic(const hm_row *row) {
  return row->layer == HM_MEMORY && hm_str_find(row->slot_rule, ") = ") >= 0;
}
