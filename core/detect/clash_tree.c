#include "core/detect/clash_tree.h"

#include <string.h>

enum { BLOCK = 32 };
#define NOBODY UINT32_MAX

/* One size of block; the arrays run over all blocks. */
typedef struct {
  uint32_t *by_from;   /* places of each block by start of window */
  uint32_t *last;      /* [i]: of by_from up to i in the block, whose window ends last */
  uint32_t *other;     /* the same among those of another value than last[i], or NOBODY */
} level;

struct hm_clash_tree {
  const hm_slot *slot;
  const uint32_t *order;
  size_t n;
  hm_arena *a;
  hm_time *from, *until;
  uint32_t *value;
  level *levels; int n_levels;   /* level k has blocks of BLOCK << k; the top one has one block */
};

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void sort_block(const hm_clash_tree *t, uint32_t *v, size_t lo, size_t hi) {
  for (size_t i = lo; i < hi; i++) {
    size_t j = i;
    for (; j > lo && t->from[v[j - 1]] > t->from[i]; j--) v[j] = v[j - 1];
    v[j] = (uint32_t)i;
  }
}

static void merge_blocks(const hm_clash_tree *t, const uint32_t *from, uint32_t *to, size_t lo,
                         size_t mid, size_t hi) {
  size_t i = lo, j = mid;
  for (size_t k = lo; k < hi; k++)
    to[k] = j >= hi || (i < mid && t->from[from[i]] <= t->from[from[j]]) ? from[i++] : from[j++];
}

static void find_last(const hm_clash_tree *t, level *l, size_t lo, size_t hi) {
  uint32_t last = l->by_from[lo], other = NOBODY;
  for (size_t i = lo; i < hi; i++) {
    uint32_t p = l->by_from[i];
    bool same = t->value[p] == t->value[last];
    if (t->until[p] > t->until[last]) {
      if (!same) other = last;
      last = p;
    } else if (!same && (other == NOBODY || t->until[p] > t->until[other])) {
      other = p;
    }
    l->last[i] = last;
    l->other[i] = other;
  }
}

static void build_level(hm_clash_tree *t, int k) {
  size_t size = (size_t)BLOCK << k;
  for (size_t lo = 0; lo < t->n; lo += size) {
    size_t hi = least(lo + size, t->n);
    if (k == 0) sort_block(t, t->levels[0].by_from, lo, hi);
    else
      merge_blocks(t, t->levels[k - 1].by_from, t->levels[k].by_from, lo, least(lo + size / 2, hi),
                   hi);
    find_last(t, &t->levels[k], lo, hi);
  }
}

static int count_levels(size_t n) {
  int k = 1;
  while (((size_t)BLOCK << (k - 1)) < n) k++;
  return k;
}

/* On first use, as many a list is never asked. */
static void build(hm_clash_tree *t) {
  hm_arena *a = t->a;
  t->from = hm_alloc_array(a, t->n, sizeof *t->from);
  t->until = hm_alloc_array(a, t->n, sizeof *t->until);
  t->value = hm_alloc_array(a, t->n, sizeof *t->value);
  for (size_t i = 0; i < t->n; i++) {
    const hm_slot_item *it = &t->slot->items[t->order[i]];
    t->from[i] = it->claim->when.from;
    t->until[i] = it->claim->when.until;
    t->value[i] = it->value;
  }
  t->n_levels = count_levels(t->n);
  t->levels = hm_alloc_array(a, (size_t)t->n_levels, sizeof *t->levels);
  for (int k = 0; k < t->n_levels; k++) {
    level *l = &t->levels[k];
    l->by_from = hm_alloc_array(a, t->n, sizeof *l->by_from);
    l->last = hm_alloc_array(a, t->n, sizeof *l->last);
    l->other = hm_alloc_array(a, t->n, sizeof *l->other);
    build_level(t, k);
  }
}

hm_clash_tree *hm_clash_tree_new(const hm_slot *slot, const uint32_t *order, size_t n,
                                 hm_arena *a) {
  hm_clash_tree *t = hm_alloc(a, sizeof *t);
  *t = (hm_clash_tree){ .slot = slot, .order = order, .n = n, .a = a };
  return t;
}

/* Where in [lo, hi) of by_from the windows begin that begin after this end. */
static size_t starts_before(const hm_clash_tree *t, const level *l, size_t lo, size_t hi,
                            hm_time until) {
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (t->from[l->by_from[mid]] < until) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/* Does this block hold a claim that overlaps with x and has another value number? */
static bool may_clash(const hm_clash_tree *t, int k, size_t lo, size_t hi, const hm_slot_item *x) {
  const level *l = &t->levels[k];
  size_t end = starts_before(t, l, lo, hi, x->claim->when.until);
  if (end == lo) return false;
  uint32_t p = l->last[end - 1];
  if (t->value[p] == x->value) p = l->other[end - 1];
  return p != NOBODY && t->until[p] > x->claim->when.from;
}

static size_t scan(const hm_clash_tree *t, size_t lo, size_t hi, const hm_slot_item *x) {
  for (size_t i = lo; i < hi; i++)
    if (hm_slot_clash(t->slot, &t->slot->items[t->order[i]], x)) return i;
  return HM_CLASH_TREE_NONE;
}

/* As deep as there are levels. */
static size_t search(const hm_clash_tree *t, int k, size_t lo, const hm_slot_item *x,
                     size_t limit) {
  size_t size = (size_t)BLOCK << k, hi = least(lo + size, t->n);
  if (lo >= limit || !may_clash(t, k, lo, hi, x)) return HM_CLASH_TREE_NONE;
  if (k == 0) return scan(t, lo, least(hi, limit), x);
  size_t got = search(t, k - 1, lo, x, limit);
  if (got != HM_CLASH_TREE_NONE || lo + size / 2 >= t->n) return got;
  return search(t, k - 1, lo + size / 2, x, limit);
}

size_t hm_clash_tree_first(hm_clash_tree *t, const hm_slot_item *x, size_t limit) {
  limit = least(limit, t->n);
  if (t->n <= BLOCK) return scan(t, 0, limit, x);
  if (!t->levels) build(t);
  return search(t, t->n_levels - 1, 0, x, limit);
}
