/* A tree for each list of claims (claim_lists.h), built when it is first asked; few claims are
 * asked one by one. */
#include "core/detect/clash_search.h"

#include "core/detect/claim_lists.h"
#include "core/detect/clash_tree.h"

enum { FEW = 32 };

struct hm_clash_search {
  const hm_slot *slot;
  const uint32_t *order;
  size_t n;
  hm_claim_lists lists;                    /* empty when there are few claims */
  hm_clash_tree **trees[HM_LIST_FAMILIES]; /* one a list, or NULL */
};

static void build_trees(hm_clash_search *f, int family, hm_arena *a) {
  const hm_list_family *fam = &f->lists.families[family];
  f->trees[family] = hm_alloc_array(a, fam->n_lists, sizeof *f->trees[family]);
  for (size_t l = 0; l < fam->n_lists; l++) {
    size_t from = fam->first[l], n = fam->first[l + 1] - from;
    if (n) f->trees[family][l] = hm_clash_tree_new(f->slot, fam->items + from, n, a);
  }
}

hm_clash_search *hm_clash_search_new(const hm_slot *slot, const uint32_t *order, size_t n,
                                     hm_arena *a) {
  hm_clash_search *f = hm_alloc(a, sizeof *f);
  *f = (hm_clash_search){ .slot = slot, .order = order, .n = n };
  if (n <= FEW) return f;
  hm_claim_lists_of(&f->lists, slot, order, n, a);
  for (int k = 0; k < HM_LIST_FAMILIES; k++) build_trees(f, k, a);
  return f;
}

/* How many places of the list are below limit. */
static size_t places_below(const hm_list_family *fam, size_t list, size_t limit) {
  size_t lo = fam->first[list], hi = fam->first[list + 1];
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (fam->places[mid] < limit) lo = mid + 1;
    else hi = mid;
  }
  return lo - fam->first[list];
}

static size_t first_of_few(const hm_clash_search *f, const hm_slot_item *x, size_t limit) {
  for (size_t i = 0; i < limit && i < f->n; i++)
    if (hm_slot_contradict(f->slot, x, &f->slot->items[f->order[i]])) return i;
  return HM_CLASH_NONE;
}

size_t hm_clash_first(const hm_clash_search *f, const hm_slot_item *x, size_t limit) {
  if (f->n <= FEW) return first_of_few(f, x, limit);
  hm_list_ref asked[HM_LISTS_OF_ONE];
  int n = hm_lists_compared(&f->lists, x, asked);
  size_t best = limit;
  bool found = false;
  for (int i = 0; i < n; i++) {
    const hm_list_family *fam = &f->lists.families[asked[i].family];
    hm_clash_tree *tree = f->trees[asked[i].family][asked[i].list];
    if (!tree) continue;
    size_t below = best >= f->n ? HM_CLASH_TREE_NONE : places_below(fam, asked[i].list, best);
    size_t got = hm_clash_tree_first(tree, x, below);
    if (got == HM_CLASH_TREE_NONE) continue;
    best = fam->places[fam->first[asked[i].list] + got];
    found = true;
  }
  return found ? best : HM_CLASH_NONE;
}
