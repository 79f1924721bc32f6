/* Finds the claims of a slot that contradict each other, directly or through others.
 *
 * Connected components without looking at all pairs: unreached claims are in sets. A reached claim
 * removes from the sets, one by one, the claims that it contradicts, and these are reached next. A
 * query either removes one claim or ends the search of its claim, so there are at most two queries
 * a claim and list. A finished claim leaves no claim in the sets that it contradicts; so a claim
 * with the same value and kind, whose window lies inside, needs no search.
 *
 * A set is a tree over its claims by the start of their windows. Each node holds the claim below it
 * whose window ends last, and the one that ends last among claims of any other value. A query and a
 * removal cost O(log n); values with different numbers that are compatible are skipped one at a
 * time. */
#include "core/claim/story.h"
#include "core/detect/slot_claims.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

/* Places of leaves, in the order of starts, or NOWHERE. */
typedef struct {
  uint32_t last, other;
} node;

typedef struct {
  const hm_slot_claims *slot;
  uint32_t *items;
  size_t n;      /* by start of window */
  size_t leaves; /* a power of two */
  node *nodes;   /* node i has the children 2i and 2i + 1 */
} window_set;

static const hm_slot_item *at(const window_set *w, uint32_t place) {
  return &w->slot->items[w->items[place]];
}

static bool ends_later(const window_set *w, uint32_t a, uint32_t b) {
  return b == NOWHERE ||
      (a != NOWHERE && at(w, a)->claim->when->until > at(w, b)->claim->when->until);
}

/* Adds a claim to a node. */
static void take(const window_set *w, node *k, uint32_t place) {
  if (place == NOWHERE)
    return;
  bool same = k->last != NOWHERE && at(w, place)->value == at(w, k->last)->value;
  if (ends_later(w, place, k->last)) {
    if (!same)
      k->other = k->last;
    k->last = place;
  } else if (!same && ends_later(w, place, k->other)) {
    k->other = place;
  }
}

/* Goes through the four candidates of both children: one of them ends last among other values. */
static void join(window_set *w, size_t i) {
  node k = w->nodes[2 * i], right = w->nodes[2 * i + 1];
  take(w, &k, right.last);
  take(w, &k, right.other);
  w->nodes[i] = k;
}

static int by_start(const void *x, const void *y, void *slot) {
  const hm_slot_claims *s = slot;
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  hm_time f = s->items[a].claim->when->from, g = s->items[b].claim->when->from;
  if (f != g)
    return f < g ? -1 : 1;
  return (a > b) - (a < b);
}

/* items: indices of slot->items, copied. Lives in a. */
static window_set *set_new(const hm_slot_claims *slot, const uint32_t *items, size_t n,
                           hm_arena *a) {
  window_set *w = hm_alloc(a, sizeof *w);
  *w = (window_set){ .slot = slot, .n = n, .leaves = 1 };
  while (w->leaves < n)
    w->leaves *= 2;
  w->items = hm_alloc_array(a, n, sizeof *w->items);
  for (size_t i = 0; i < n; i++)
    w->items[i] = items[i];
  if (n)
    qsort_r(w->items, n, sizeof *w->items, by_start, (void *)slot);
  w->nodes = hm_alloc_array(a, 2 * w->leaves, sizeof *w->nodes);
  for (size_t i = 0; i < w->leaves; i++)
    w->nodes[w->leaves + i] = (node){ i < n ? (uint32_t)i : NOWHERE, NOWHERE };
  for (size_t i = w->leaves; i-- > 1;)
    join(w, i);
  return w;
}

/* How many begin before this instant. */
static size_t starting_before(const window_set *w, hm_time until) {
  size_t lo = 0, hi = w->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (at(w, (uint32_t)mid)->claim->when->from < until)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* Below node i, whose leaves are `size` from `lo` on, among those from `first` up to `end`. */
static uint32_t search_set(const window_set *w, size_t i, size_t lo, size_t size, size_t first,
                           size_t end, const hm_slot_item *x) {
  const node *k = &w->nodes[i];
  if (lo >= end || lo + size <= first || k->last == NOWHERE)
    return NOWHERE;
  uint32_t p = at(w, k->last)->value == x->value ? k->other : k->last;
  if (p == NOWHERE || at(w, p)->claim->when->until <= x->claim->when->from)
    return NOWHERE;
  if (size == 1)
    return hm_claims_clash(w->slot, at(w, p), x) ? p : NOWHERE;
  uint32_t got = search_set(w, 2 * i, lo, size / 2, first, end, x);
  if (got != NOWHERE)
    return got;
  return search_set(w, 2 * i + 1, lo + size / 2, size / 2, first, end, x);
}

/* An item of the set that clashes with x, or NOWHERE; the caller checks that they are comparable.
 * *next: the place to search from, 0 at first; set to the place after the result, so that removing
 * all items that clash with x skips each compatible one once. */
static uint32_t set_any(const window_set *w, const hm_slot_item *x, size_t *next) {
  uint32_t p = search_set(w, 1, 0, w->leaves, *next, starting_before(w, x->claim->when->until), x);
  if (p == NOWHERE)
    return p;
  *next = (size_t)p + 1;
  return w->items[p];
}

static size_t place_of(const window_set *w, uint32_t item) {
  size_t lo = 0, hi = w->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (by_start(&w->items[mid], &item, (void *)w->slot) < 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

static void set_remove(window_set *w, uint32_t item) {
  size_t i = w->leaves + place_of(w, item);
  w->nodes[i].last = NOWHERE;
  for (i /= 2; i; i /= 2)
    join(w, i);
}

enum { FEW = 32, ASKERS = 3 };

/* A claim whose search is finished: its window and, for a text, its row and time. */
typedef struct {
  hm_time from, until, at;
  uint32_t row;
} asker;
/* Finished claims of one value and kind. Those of texts have different rows and times. */
typedef struct {
  asker v[ASKERS];
  size_t n;
} asked;

typedef struct {
  const hm_slot_claims *s;
  uint32_t *of; /* of each item: its component, or NOWHERE */
  uint32_t *queue;
  size_t head, n_queue;
  hm_claim_lists lists;
  window_set **sets[HM_LIST_FAMILIES];
  hm_numbering kinds, words;
  asked *asked; /* by kind */
  hm_arena *a;
} search;

static void reach(search *q, uint32_t item, uint32_t component) {
  q->of[item] = component;
  q->queue[q->n_queue++] = item;
}

/* --- few claims ----------------------------------------------------------------- */

static void expand_among_few(search *q, uint32_t item) {
  const hm_slot_claims *s = q->s;
  for (uint32_t k = 0; k < s->n; k++)
    if (q->of[k] == NOWHERE && hm_claims_contradict(s, &s->items[item], &s->items[k]))
      reach(q, k, q->of[item]);
}

/* --- many ------------------------------------------------------------------------ */

static void build_sets(search *q) {
  uint32_t *all = hm_alloc_array(q->a, q->s->n, sizeof *all);
  for (size_t i = 0; i < q->s->n; i++)
    all[i] = (uint32_t)i;
  hm_claim_lists_build(&q->lists, q->s, all, q->s->n, q->a);
  for (int k = 0; k < HM_LIST_FAMILIES; k++) {
    const hm_list_family *f = &q->lists.families[k];
    q->sets[k] = hm_alloc_array(q->a, f->n_lists, sizeof *q->sets[k]);
    for (size_t l = 0; l < f->n_lists; l++) {
      size_t from = f->first[l], n = f->first[l + 1] - from;
      if (n)
        q->sets[k][l] = set_new(q->s, f->items + from, n, q->a);
    }
  }
  hm_numbering_init(&q->kinds, q->a);
  hm_numbering_init(&q->words, q->a);
  q->asked = hm_alloc_array(q->a, q->s->n, sizeof *q->asked);
}

static void take_out(search *q, uint32_t item) {
  for (int k = 0; k < HM_LIST_FAMILIES; k++) {
    size_t l = hm_claim_list_find(q->s, k, &q->s->items[item]);
    if (l != SIZE_MAX)
      set_remove(q->sets[k][l], item);
  }
}

/* All that the answers depend on besides the window, row and time, as a key. */
static asked *asked_by_kind(search *q, const hm_slot_item *x) {
  enum { OF_ALL = 5, WORDS = 9, OF_TEXTS = WORDS + 4 };
  uint32_t *k = hm_alloc_array(q->a, OF_ALL + OF_TEXTS, sizeof *k);
  const hm_story_claim *t = x->claim->said;
  size_t n = 0;
  k[n++] = (uint32_t)x->claim->layer;
  k[n++] = x->norm;
  k[n++] = x->type;
  k[n++] = x->peers;
  k[n++] = x->spared;
  if (t) {
    const hm_str words[WORDS] = { t->text,          t->agent,       t->scope,
                                  t->key,           t->version,     t->claim.qualifier,
                                  t->claim.reading, t->claim.value, x->claim->field };
    for (size_t i = 0; i < WORDS; i++)
      k[n++] = hm_numbering_add(&q->words, words[i]);
    k[n++] = (uint32_t)t->claim.shape;
    k[n++] = (uint32_t)(t->claim.only | t->claim.also << 1 | t->compared << 2 | t->about << 3 |
                        t->several << 4);
    uint64_t said = hm_claim_is_age(x->claim) ? (uint64_t)t->at : 0;
    k[n++] = (uint32_t)said;
    k[n++] = (uint32_t)(said >> 32);
  }
  return &q->asked[hm_numbering_add(&q->kinds, (hm_str){ (const char *)k, n * sizeof *k })];
}

static bool lies_inside(const asker *x, const asker *y) {
  return y->from <= x->from && x->until <= y->until;
}

/* Texts of one row, or of one author and time, are not compared. Three askers differ in both, so
 * each claim was compared with at least one of them. */
static bool is_answered(const asked *k, const asker *own, size_t needed) {
  for (size_t i = 0; i < k->n; i++)
    if (!lies_inside(own, &k->v[i]))
      return false;
  return k->n == needed;
}

/* Replaces one with a narrower window if there is no free place. */
static void note_asker(asked *k, const asker *own, size_t needed, bool authored) {
  size_t to = k->n < needed ? k->n : 0;
  while (k->n == needed && to < needed && !lies_inside(&k->v[to], own))
    to++;
  bool differs = to < needed;
  for (size_t i = 0; i < k->n && needed > 1; i++) {
    bool one_time = authored && own->at != HM_TIME_MIN && k->v[i].at == own->at;
    if (i != to && (k->v[i].row == own->row || one_time))
      differs = false;
  }
  if (!differs)
    return;
  k->v[to] = *own;
  if (to == k->n)
    k->n++;
}

static void expand(search *q, uint32_t item) {
  const hm_slot_item *x = &q->s->items[item];
  const hm_claim *c = x->claim;
  /* Sets of relations agree by their bounds, whichever window lies inside. */
  bool alone = c->layer == HM_RELATION && c->value.kind == HM_V_SET;
  asked none = { 0 }, *before = alone ? &none : asked_by_kind(q, x);
  asker own = { c->when->from, c->when->until, c->said ? c->said->at : HM_TIME_MIN, c->row };
  size_t needed = c->said ? ASKERS : 1; /* see is_answered */
  if (is_answered(before, &own, needed))
    return;
  hm_list_ref lists[HM_LISTS_OF_ONE];
  int n = hm_claim_lists_find_compared(&q->lists, x, lists);
  for (int i = 0; i < n; i++) {
    window_set *set = q->sets[lists[i].family][lists[i].list];
    size_t next = 0;
    uint32_t got;
    while (set && (got = set_any(set, x, &next)) != NOWHERE) {
      take_out(q, got);
      reach(q, got, q->of[item]);
    }
  }
  note_asker(before, &own, needed, c->said && c->said->agent.n);
}

/* --- in order --------------------------------------------------------------------- */

/* Drops components of one claim; numbers the others by their first member. */
static void gather(search *q, uint32_t n_found, hm_slot_components *out) {
  const hm_slot_claims *s = q->s;
  size_t *sizes = hm_alloc_array(q->a, n_found, sizeof *sizes), total = 0;
  uint32_t *number = hm_alloc_array(q->a, n_found, sizeof *number);
  for (size_t i = 0; i < s->n; i++)
    sizes[q->of[i]]++;
  out->first = hm_alloc_array(q->a, (size_t)n_found + 1, sizeof *out->first);
  for (uint32_t c = 0; c < n_found; c++) {
    number[c] = NOWHERE;
    if (sizes[c] < 2)
      continue;
    number[c] = (uint32_t)out->n;
    out->first[out->n++] = total;
    total += sizes[c];
  }
  out->first[out->n] = total;
  out->items = hm_alloc_array(q->a, total, sizeof *out->items);
  size_t *at = hm_alloc_array(q->a, out->n, sizeof *at);
  for (uint32_t i = 0; i < s->n; i++) {
    uint32_t c = number[q->of[i]];
    if (c != NOWHERE)
      out->items[out->first[c] + at[c]++] = i;
  }
}

void hm_slot_components_build(hm_slot_components *out, const hm_slot_claims *s, hm_arena *a) {
  search q = { .s = s,
               .a = a,
               .of = hm_alloc_array(a, s->n, sizeof *q.of),
               .queue = hm_alloc_array(a, s->n, sizeof *q.queue) };
  bool few = s->n <= FEW;
  uint32_t n = 0;
  *out = (hm_slot_components){ 0 };
  for (size_t i = 0; i < s->n; i++)
    q.of[i] = NOWHERE;
  if (!few)
    build_sets(&q);
  for (uint32_t i = 0; i < s->n; i++) {
    if (q.of[i] != NOWHERE)
      continue;
    if (!few)
      take_out(&q, i);
    reach(&q, i, n++);
    while (q.head < q.n_queue) {
      uint32_t item = q.queue[q.head++];
      if (few)
        expand_among_few(&q, item);
      else
        expand(&q, item);
    }
  }
  gather(&q, n, out);
}
