/* Finds the first claim of a slot that contradicts a given one, without reading them all.
 *
 * Claims are in lists, so that only comparable ones are searched (slot_claims.h). Each list has a
 * tree of blocks of claims. A block has its claims by the start of their windows and, for every
 * prefix of that order, the claim whose window ends last, and the one that ends last among those
 * with another value. So it takes O(log n) to tell whether a block has a claim that overlaps a
 * window and has another value. If different numbers mean incompatible values (text, numbers,
 * booleans) the first clash is found in O(log^2 n); values that differ but are compatible (a year
 * and a day in it, a set and a part of it) are skipped one at a time. A tree is built at its first
 * query; a few claims are compared one by one. */
#include "core/detect/slot_claims.h"

#include <string.h>

enum {
  STATES,
  STATES_BY_TYPE,
  STATES_BY_PEERS,
  ENTITIES,
  OPEN_ENTITIES,
  OPEN_ENTITIES_BY_TYPE,
  ENTITIES_BY_PEERS,
  MEMORIES,
  OPEN_MEMORIES,
  MEMORIES_BY_PEERS,
  OWN_SPACE,
  SAID,
  DENIED
};

static size_t untyped_or(const hm_slot_claims *s, uint32_t type) {
  return type == HM_SLOT_UNTYPED ? s->n_types : type;
}

/* What the lists of a family hold, and by what key they split it. Layer 0: any layer. "Open" claims
 * are not spared. */
static const struct {
  int layer;
  enum { WHOLE, BY_TYPE, BY_PEERS, BY_SAID } by;
  bool open;
} FAMILIES[HM_LIST_FAMILIES] = {
  [STATES] = { HM_STATE, WHOLE, false },
  [STATES_BY_TYPE] = { HM_STATE, BY_TYPE, false },
  [STATES_BY_PEERS] = { HM_STATE, BY_PEERS, false },
  [ENTITIES] = { HM_ENTITY, WHOLE, false },
  [OPEN_ENTITIES] = { HM_ENTITY, WHOLE, true },
  [OPEN_ENTITIES_BY_TYPE] = { HM_ENTITY, BY_TYPE, true },
  [ENTITIES_BY_PEERS] = { HM_ENTITY, BY_PEERS, false },
  [MEMORIES] = { HM_MEMORY, WHOLE, false },
  [OPEN_MEMORIES] = { HM_MEMORY, WHOLE, true },
  [MEMORIES_BY_PEERS] = { HM_MEMORY, BY_PEERS, false },
  [OWN_SPACE] = { 0, WHOLE, false },
  [SAID] = { 0, BY_SAID, false },
  [DENIED] = { 0, BY_SAID, false },
};

size_t hm_claim_list_find(const hm_slot_claims *s, int family, const hm_slot_item *x) {
  bool denied = x->claim->value.denied;
  if (FAMILIES[family].by == BY_SAID)
    return s->n_said && denied == (family == DENIED) ? x->said : SIZE_MAX;
  if (family == OWN_SPACE)
    return denied || !x->claim->space.n ? SIZE_MAX : 0;
  if (denied || (int)x->claim->layer != FAMILIES[family].layer ||
      (FAMILIES[family].open && x->spared))
    return SIZE_MAX;
  if (FAMILIES[family].by == WHOLE)
    return 0;
  return FAMILIES[family].by == BY_PEERS ? x->peers : untyped_or(s, x->type);
}

static size_t count_lists(const hm_slot_claims *s, int family) {
  if (FAMILIES[family].by == WHOLE)
    return 1;
  if (FAMILIES[family].by == BY_SAID)
    return s->n_said;
  return FAMILIES[family].by == BY_PEERS ? s->n_peers : (size_t)s->n_types + 1;
}

static void build_family(hm_list_family *out, const hm_slot_claims *s, int family,
                         const uint32_t *order, size_t n, hm_arena *a) {
  out->n_lists = count_lists(s, family);
  out->first = hm_alloc_array(a, out->n_lists + 1, sizeof *out->first);
  for (size_t i = 0; i < n; i++) {
    size_t l = hm_claim_list_find(s, family, &s->items[order[i]]);
    if (l != SIZE_MAX)
      out->first[l + 1]++;
  }
  for (size_t l = 0; l < out->n_lists; l++)
    out->first[l + 1] += out->first[l];
  size_t total = out->first[out->n_lists], *at = hm_alloc_array(a, out->n_lists, sizeof *at);
  out->places = hm_alloc_array(a, total, sizeof *out->places);
  out->items = hm_alloc_array(a, total, sizeof *out->items);
  for (size_t i = 0; i < n && total; i++) {
    size_t l = hm_claim_list_find(s, family, &s->items[order[i]]);
    if (l == SIZE_MAX)
      continue;
    size_t to = out->first[l] + at[l]++;
    out->places[to] = (uint32_t)i;
    out->items[to] = order[i];
  }
}

void hm_claim_lists_build(hm_claim_lists *out, const hm_slot_claims *slot, const uint32_t *order,
                          size_t n, hm_arena *a) {
  *out = (hm_claim_lists){ .slot = slot };
  for (int k = 0; k < HM_LIST_FAMILIES; k++)
    build_family(&out->families[k], slot, k, order, n, a);
}

int hm_claim_lists_find_compared(const hm_claim_lists *l, const hm_slot_item *x,
                                 hm_list_ref out[HM_LISTS_OF_ONE]) {
  bool untyped = x->type == HM_SLOT_UNTYPED, own_space = x->claim->space.n > 0;
  bool denied = x->claim->value.denied;
  int n = 0;
  if (l->slot->n_said && (!denied || own_space))
    out[n++] = (hm_list_ref){ DENIED, x->said };
  if (denied) {
    out[n++] = (hm_list_ref){ SAID, x->said };
    return n;
  }
  if (own_space) {
    out[n++] = (hm_list_ref){ OWN_SPACE, 0 };
    return n;
  }
  switch (x->claim->layer) {
    case HM_MEMORY:
      if (x->claim->compare.n)
        out[n++] = (hm_list_ref){ MEMORIES_BY_PEERS, x->peers };
      if (!x->spared)
        out[n++] = (hm_list_ref){ STATES, 0 };
      out[n++] = (hm_list_ref){ ENTITIES, 0 };
      break;
    case HM_ENTITY:
      out[n++] = (hm_list_ref){ ENTITIES_BY_PEERS, x->peers };
      out[n++] = (hm_list_ref){ MEMORIES, 0 };
      if (x->spared)
        break;
      out[n++] = (hm_list_ref){ STATES_BY_TYPE, x->type };
      out[n++] = (hm_list_ref){ STATES_BY_TYPE, l->slot->n_types };
      break;
    case HM_STATE:
      out[n++] = (hm_list_ref){ STATES_BY_PEERS, x->peers };
      out[n++] = (hm_list_ref){ OPEN_MEMORIES, 0 };
      out[n++] = untyped ? (hm_list_ref){ OPEN_ENTITIES, 0 }
                         : (hm_list_ref){ OPEN_ENTITIES_BY_TYPE, x->type };
      break;
    default:
      break;
  }
  return n;
}

enum { BLOCK = 32 };
#define NOBODY UINT32_MAX

/* One size of block; the arrays run over all blocks. */
typedef struct {
  uint32_t *by_from; /* places of each block by start of window */
  uint32_t *last;    /* [i]: of by_from up to i in the block, whose window ends last */
  uint32_t *other;   /* the same among those of another value than last[i], or NOBODY */
} level;

typedef struct {
  const hm_slot_claims *slot;
  const uint32_t *order;
  size_t n;
  hm_arena *a;
  hm_time *from, *until;
  uint32_t *value;
  level *levels;
  int n_levels; /* level k has blocks of BLOCK << k; the top one has one block */
} clash_tree;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void sort_block(const clash_tree *t, uint32_t *v, size_t lo, size_t hi) {
  for (size_t i = lo; i < hi; i++) {
    size_t j = i;
    for (; j > lo && t->from[v[j - 1]] > t->from[i]; j--)
      v[j] = v[j - 1];
    v[j] = (uint32_t)i;
  }
}

static void merge_blocks(const clash_tree *t, const uint32_t *from, uint32_t *to, size_t lo,
                         size_t mid, size_t hi) {
  size_t i = lo, j = mid;
  for (size_t k = lo; k < hi; k++)
    to[k] = j >= hi || (i < mid && t->from[from[i]] <= t->from[from[j]]) ? from[i++] : from[j++];
}

static void find_last(const clash_tree *t, level *l, size_t lo, size_t hi) {
  uint32_t last = l->by_from[lo], other = NOBODY;
  for (size_t i = lo; i < hi; i++) {
    uint32_t p = l->by_from[i];
    bool same = t->value[p] == t->value[last];
    if (t->until[p] > t->until[last]) {
      if (!same)
        other = last;
      last = p;
    } else if (!same && (other == NOBODY || t->until[p] > t->until[other])) {
      other = p;
    }
    l->last[i] = last;
    l->other[i] = other;
  }
}

static void build_level(clash_tree *t, int k) {
  size_t size = (size_t)BLOCK << k;
  for (size_t lo = 0; lo < t->n; lo += size) {
    size_t hi = least(lo + size, t->n);
    if (k == 0)
      sort_block(t, t->levels[0].by_from, lo, hi);
    else
      merge_blocks(t, t->levels[k - 1].by_from, t->levels[k].by_from, lo, least(lo + size / 2, hi),
                   hi);
    find_last(t, &t->levels[k], lo, hi);
  }
}

static int count_levels(size_t n) {
  int k = 1;
  while (((size_t)BLOCK << (k - 1)) < n)
    k++;
  return k;
}

/* On first use, as many a list is never asked. */
static void build_tree(clash_tree *t) {
  hm_arena *a = t->a;
  t->from = hm_alloc_array(a, t->n, sizeof *t->from);
  t->until = hm_alloc_array(a, t->n, sizeof *t->until);
  t->value = hm_alloc_array(a, t->n, sizeof *t->value);
  for (size_t i = 0; i < t->n; i++) {
    const hm_slot_item *it = &t->slot->items[t->order[i]];
    t->from[i] = it->claim->when->from;
    t->until[i] = it->claim->when->until;
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

static clash_tree *tree_new(const hm_slot_claims *slot, const uint32_t *order, size_t n,
                            hm_arena *a) {
  clash_tree *t = hm_alloc(a, sizeof *t);
  *t = (clash_tree){ .slot = slot, .order = order, .n = n, .a = a };
  return t;
}

/* Where in [lo, hi) of by_from the windows begin that begin after this end. */
static size_t starts_before(const clash_tree *t, const level *l, size_t lo, size_t hi,
                            hm_time until) {
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (t->from[l->by_from[mid]] < until)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* Does this block hold a claim that overlaps with x and has another value number? */
static bool may_clash(const clash_tree *t, int k, size_t lo, size_t hi, const hm_slot_item *x) {
  const level *l = &t->levels[k];
  size_t end = starts_before(t, l, lo, hi, x->claim->when->until);
  if (end == lo)
    return false;
  uint32_t p = l->last[end - 1];
  if (t->value[p] == x->value)
    p = l->other[end - 1];
  return p != NOBODY && t->until[p] > x->claim->when->from;
}

static size_t scan_list(const clash_tree *t, size_t lo, size_t hi, const hm_slot_item *x) {
  for (size_t i = lo; i < hi; i++)
    if (hm_claims_clash(t->slot, &t->slot->items[t->order[i]], x))
      return i;
  return HM_CLASH_NONE;
}

/* As deep as there are levels. */
static size_t search_tree(const clash_tree *t, int k, size_t lo, const hm_slot_item *x,
                          size_t limit) {
  size_t size = (size_t)BLOCK << k, hi = least(lo + size, t->n);
  if (lo >= limit || !may_clash(t, k, lo, hi, x))
    return HM_CLASH_NONE;
  if (k == 0)
    return scan_list(t, lo, least(hi, limit), x);
  size_t got = search_tree(t, k - 1, lo, x, limit);
  if (got != HM_CLASH_NONE || lo + size / 2 >= t->n)
    return got;
  return search_tree(t, k - 1, lo + size / 2, x, limit);
}

static size_t tree_first(clash_tree *t, const hm_slot_item *x, size_t limit) {
  limit = least(limit, t->n);
  if (t->n <= BLOCK)
    return scan_list(t, 0, limit, x);
  if (!t->levels)
    build_tree(t);
  return search_tree(t, t->n_levels - 1, 0, x, limit);
}

enum { FEW = 32 };

struct hm_clash_search {
  const hm_slot_claims *slot;
  const uint32_t *order;
  size_t n;
  hm_claim_lists lists;                 /* empty when there are few claims */
  clash_tree **trees[HM_LIST_FAMILIES]; /* one a list, or NULL */
};

static void build_trees(hm_clash_search *f, int family, hm_arena *a) {
  const hm_list_family *fam = &f->lists.families[family];
  f->trees[family] = hm_alloc_array(a, fam->n_lists, sizeof *f->trees[family]);
  for (size_t l = 0; l < fam->n_lists; l++) {
    size_t from = fam->first[l], n = fam->first[l + 1] - from;
    if (n)
      f->trees[family][l] = tree_new(f->slot, fam->items + from, n, a);
  }
}

hm_clash_search *hm_clash_search_new(const hm_slot_claims *slot, const uint32_t *order, size_t n,
                                     hm_arena *a) {
  hm_clash_search *f = hm_alloc(a, sizeof *f);
  *f = (hm_clash_search){ .slot = slot, .order = order, .n = n };
  if (n <= FEW)
    return f;
  hm_claim_lists_build(&f->lists, slot, order, n, a);
  for (int k = 0; k < HM_LIST_FAMILIES; k++)
    build_trees(f, k, a);
  return f;
}

/* How many places of the list are below limit. */
static size_t places_below(const hm_list_family *fam, size_t list, size_t limit) {
  size_t lo = fam->first[list], hi = fam->first[list + 1];
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (fam->places[mid] < limit)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo - fam->first[list];
}

static size_t first_of_few(const hm_clash_search *f, const hm_slot_item *x, size_t limit) {
  for (size_t i = 0; i < limit && i < f->n; i++)
    if (hm_claims_contradict(f->slot, x, &f->slot->items[f->order[i]]))
      return i;
  return HM_CLASH_NONE;
}

size_t hm_clash_first(const hm_clash_search *f, const hm_slot_item *x, size_t limit) {
  if (f->n <= FEW)
    return first_of_few(f, x, limit);
  hm_list_ref asked[HM_LISTS_OF_ONE];
  int n = hm_claim_lists_find_compared(&f->lists, x, asked);
  size_t best = limit;
  bool found = false;
  for (int i = 0; i < n; i++) {
    const hm_list_family *fam = &f->lists.families[asked[i].family];
    clash_tree *tree = f->trees[asked[i].family][asked[i].list];
    if (!tree)
      continue;
    size_t below = best >= f->n ? HM_CLASH_NONE : places_below(fam, asked[i].list, best);
    size_t got = tree_first(tree, x, below);
    if (got == HM_CLASH_NONE)
      continue;
    best = fam->places[fam->first[asked[i].list] + got];
    found = true;
  }
  return found ? best : HM_CLASH_NONE;
}
