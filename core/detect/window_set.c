#include "core/detect/window_set.h"

#include <stdlib.h>

/* Places of leaves, in the order of starts; NONE: nobody. */
typedef struct { uint32_t last, other; } node;

struct hm_window_set {
  const hm_slot *slot;
  uint32_t *items; size_t n;     /* by start of window */
  size_t leaves;                 /* a power of two */
  node *nodes;                   /* node i has the children 2i and 2i + 1 */
};

static const hm_slot_item *at(const hm_window_set *w, uint32_t place) {
  return &w->slot->items[w->items[place]];
}

static bool ends_later(const hm_window_set *w, uint32_t a, uint32_t b) {
  return b == HM_WINDOW_NONE ||
      (a != HM_WINDOW_NONE && at(w, a)->claim->when.until > at(w, b)->claim->when.until);
}

/* Takes a claim into what a node knows. */
static void take(const hm_window_set *w, node *k, uint32_t place) {
  if (place == HM_WINDOW_NONE) return;
  bool same = k->last != HM_WINDOW_NONE && at(w, place)->value == at(w, k->last)->value;
  if (ends_later(w, place, k->last)) {
    if (!same) k->other = k->last;
    k->last = place;
  } else if (!same && ends_later(w, place, k->other)) {
    k->other = place;
  }
}

/* The four of both children in turn: whoever of another value ends last is among them. */
static void join(hm_window_set *w, size_t i) {
  node k = w->nodes[2 * i], right = w->nodes[2 * i + 1];
  take(w, &k, right.last);
  take(w, &k, right.other);
  w->nodes[i] = k;
}

static int by_start(const void *x, const void *y, void *slot) {
  const hm_slot *s = slot;
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  hm_time f = s->items[a].claim->when.from, g = s->items[b].claim->when.from;
  if (f != g) return f < g ? -1 : 1;
  return (a > b) - (a < b);
}

hm_window_set *hm_window_set_new(const hm_slot *slot, const uint32_t *items, size_t n,
                                 hm_arena *a) {
  hm_window_set *w = hm_alloc(a, sizeof *w);
  *w = (hm_window_set){ .slot = slot, .n = n, .leaves = 1 };
  while (w->leaves < n) w->leaves *= 2;
  w->items = hm_alloc_array(a, n, sizeof *w->items);
  for (size_t i = 0; i < n; i++) w->items[i] = items[i];
  if (n) qsort_r(w->items, n, sizeof *w->items, by_start, (void *)slot);
  w->nodes = hm_alloc_array(a, 2 * w->leaves, sizeof *w->nodes);
  for (size_t i = 0; i < w->leaves; i++)
    w->nodes[w->leaves + i] = (node){ i < n ? (uint32_t)i : HM_WINDOW_NONE, HM_WINDOW_NONE };
  for (size_t i = w->leaves; i-- > 1;) join(w, i);
  return w;
}

/* How many begin before this instant. */
static size_t starting_before(const hm_window_set *w, hm_time until) {
  size_t lo = 0, hi = w->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (at(w, (uint32_t)mid)->claim->when.from < until) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/* Below node i, whose leaves are `size` from `lo` on, among those from `first` up to `end`. */
static uint32_t search(const hm_window_set *w, size_t i, size_t lo, size_t size, size_t first,
                       size_t end, const hm_slot_item *x) {
  const node *k = &w->nodes[i];
  if (lo >= end || lo + size <= first || k->last == HM_WINDOW_NONE) return HM_WINDOW_NONE;
  uint32_t p = at(w, k->last)->value == x->value ? k->other : k->last;
  if (p == HM_WINDOW_NONE || at(w, p)->claim->when.until <= x->claim->when.from)
    return HM_WINDOW_NONE;
  if (size == 1) return hm_slot_clash(w->slot, at(w, p), x) ? p : HM_WINDOW_NONE;
  uint32_t got = search(w, 2 * i, lo, size / 2, first, end, x);
  if (got != HM_WINDOW_NONE) return got;
  return search(w, 2 * i + 1, lo + size / 2, size / 2, first, end, x);
}

uint32_t hm_window_set_any(const hm_window_set *w, const hm_slot_item *x, size_t *next) {
  uint32_t p = search(w, 1, 0, w->leaves, *next, starting_before(w, x->claim->when.until), x);
  if (p == HM_WINDOW_NONE) return p;
  *next = (size_t)p + 1;
  return w->items[p];
}

static size_t place_of(const hm_window_set *w, uint32_t item) {
  size_t lo = 0, hi = w->n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (by_start(&w->items[mid], &item, (void *)w->slot) < 0) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

void hm_window_set_remove(hm_window_set *w, uint32_t item) {
  size_t i = w->leaves + place_of(w, item);
  w->nodes[i].last = HM_WINDOW_NONE;
  for (i /= 2; i; i /= 2) join(w, i);
}
