/* Claims that can be compared are put together in lists, so that nobody is asked who cannot answer:
 *
 *   x is                          is compared with
 *   memory of its own space       all memories
 *   memory                        all states, all entities
 *   entity                        entities of equal `compare`, all memories, states of its type, untyped states
 *   state of a type               states of equal `compare`, all memories, entities of that type
 *   untyped state                 states of equal `compare`, all memories, all entities
 *
 * That is among those who deny nothing. Who denies something stands in lists of its own, by what it denies:
 * it is compared with those who say just that (in its own space also with those who deny it), and they with it.
 *
 * This is hm_claim_comparable for sets; tests hold the two together. */
#include "core/detect/finder.h"

enum { FEW = 32 };
typedef enum {
  BY_LAYER, STATES_BY_TYPE, STATES_BY_COMPARE, ENTITIES_BY_TYPE, ENTITIES_BY_COMPARE, SAID, DENIED, N_FAMILIES
} family_kind;
enum { TARGETS = 5 };

/* A partition of some of the claims into lists. */
typedef struct {
  size_t n_lists;
  size_t *first;       /* list l: places[first[l]] up to first[l + 1] */
  uint32_t *places;    /* ascending within a list */
  uint32_t *items;     /* the same as indices of slot->items */
  hm_tree **trees;     /* one a list */
} family;

struct hm_finder {
  const hm_slot *slot;
  const uint32_t *order;
  size_t n;
  family families[N_FAMILIES];   /* empty when there are few claims */
};

#define IN_NO_LIST SIZE_MAX

static size_t untyped_or(const hm_slot *s, uint32_t type) { return type == HM_SLOT_UNTYPED ? s->n_types : type; }

static size_t list_of(const hm_slot *s, family_kind k, const hm_slot_item *it) {
  hm_layer l = it->claim->layer;
  bool denied = it->claim->value.denied;
  if (k == SAID || k == DENIED) return s->n_said && denied == (k == DENIED) ? it->said : IN_NO_LIST;
  if (denied) return IN_NO_LIST;
  switch (k) {
    case BY_LAYER: return (size_t)l;
    case STATES_BY_COMPARE: return l == HM_STATE ? it->compare : IN_NO_LIST;
    case STATES_BY_TYPE: return l == HM_STATE ? untyped_or(s, it->type) : IN_NO_LIST;
    case ENTITIES_BY_TYPE: return l == HM_ENTITY ? it->type : IN_NO_LIST;
    case ENTITIES_BY_COMPARE: return l == HM_ENTITY ? it->compare : IN_NO_LIST;
    default: return IN_NO_LIST;
  }
}

static size_t count_lists(const hm_slot *s, family_kind k) {
  const size_t n[N_FAMILIES] = { HM_STATE + 1, (size_t)s->n_types + 1, s->n_compares, s->n_types, s->n_compares,
                                 s->n_said, s->n_said };
  return n[k];
}

static void fill(family *fam, const hm_finder *f, family_kind k, hm_arena *a) {
  size_t *at = hm_alloc_array(a, fam->n_lists, sizeof *at);
  for (size_t i = 0; i < f->n; i++) {
    size_t l = list_of(f->slot, k, &f->slot->items[f->order[i]]);
    if (l == IN_NO_LIST) continue;
    size_t to = fam->first[l] + at[l]++;
    fam->places[to] = (uint32_t)i;
    fam->items[to] = f->order[i];
  }
}

static void build_family(hm_finder *f, family_kind k, hm_arena *a) {
  family *fam = &f->families[k];
  fam->n_lists = count_lists(f->slot, k);
  fam->first = hm_alloc_array(a, fam->n_lists + 1, sizeof *fam->first);
  for (size_t i = 0; i < f->n; i++) {
    size_t l = list_of(f->slot, k, &f->slot->items[f->order[i]]);
    if (l != IN_NO_LIST) fam->first[l + 1]++;
  }
  for (size_t l = 0; l < fam->n_lists; l++) fam->first[l + 1] += fam->first[l];
  size_t n = fam->first[fam->n_lists];
  fam->places = hm_alloc_array(a, n, sizeof *fam->places);
  fam->items = hm_alloc_array(a, n, sizeof *fam->items);
  fam->trees = hm_alloc_array(a, fam->n_lists, sizeof *fam->trees);
  fill(fam, f, k, a);
  for (size_t l = 0; l < fam->n_lists; l++)
    if (fam->first[l + 1] > fam->first[l])
      fam->trees[l] = hm_tree_new(f->slot, fam->items + fam->first[l], fam->first[l + 1] - fam->first[l], a);
}

hm_finder *hm_finder_new(const hm_slot *slot, const uint32_t *order, size_t n, hm_arena *a) {
  hm_finder *f = hm_alloc(a, sizeof *f);
  *f = (hm_finder){ .slot = slot, .order = order, .n = n };
  if (n > FEW)
    for (int k = 0; k < N_FAMILIES; k++) build_family(f, (family_kind)k, a);
  return f;
}

typedef struct { family_kind kind; size_t list; } target;

/* Fills the lists that x is compared with; returns how many. */
static int targets_of(const hm_finder *f, const hm_slot_item *x, target t[TARGETS]) {
  int n = 0;
  bool denied = x->claim->value.denied;
  if (f->slot->n_said && (!denied || x->claim->memory_type.n)) t[n++] = (target){ DENIED, x->said };
  if (denied) {
    t[n++] = (target){ SAID, x->said };
    return n;
  }
  switch (x->claim->layer) {
    case HM_MEMORY:
      if (x->claim->memory_type.n) {
        t[n++] = (target){ BY_LAYER, HM_MEMORY };
      } else {
        t[n++] = (target){ BY_LAYER, HM_STATE };
        t[n++] = (target){ BY_LAYER, HM_ENTITY };
      }
      break;
    case HM_ENTITY:
      t[n++] = (target){ ENTITIES_BY_COMPARE, x->compare };
      t[n++] = (target){ BY_LAYER, HM_MEMORY };
      t[n++] = (target){ STATES_BY_TYPE, x->type };
      t[n++] = (target){ STATES_BY_TYPE, f->slot->n_types };
      break;
    case HM_STATE:
      t[n++] = (target){ STATES_BY_COMPARE, x->compare };
      t[n++] = (target){ BY_LAYER, HM_MEMORY };
      t[n++] = x->type == HM_SLOT_UNTYPED ? (target){ BY_LAYER, HM_ENTITY } : (target){ ENTITIES_BY_TYPE, x->type };
      break;
    default: break;
  }
  return n;
}

/* How many places of the list are below limit. */
static size_t places_below(const family *fam, size_t list, size_t limit) {
  size_t lo = fam->first[list], hi = fam->first[list + 1];
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (fam->places[mid] < limit) lo = mid + 1;
    else hi = mid;
  }
  return lo - fam->first[list];
}

static size_t foe_among_few(const hm_finder *f, const hm_slot_item *x, size_t limit) {
  for (size_t i = 0; i < limit && i < f->n; i++) {
    const hm_slot_item *y = &f->slot->items[f->order[i]];
    if (hm_claim_comparable(x->claim, y->claim) && hm_slot_clash(f->slot, x, y)) return i;
  }
  return HM_FINDER_NONE;
}

size_t hm_finder_foe(const hm_finder *f, const hm_slot_item *x, size_t limit) {
  if (f->n <= FEW) return foe_among_few(f, x, limit);
  target t[TARGETS];
  int n = targets_of(f, x, t);
  size_t best = limit;
  bool found = false;
  for (int i = 0; i < n; i++) {
    const family *fam = &f->families[t[i].kind];
    hm_tree *tree = fam->trees[t[i].list];
    if (!tree) continue;
    size_t got = hm_tree_clash(tree, x, best >= f->n ? HM_TREE_NONE : places_below(fam, t[i].list, best));
    if (got == HM_TREE_NONE) continue;
    best = fam->places[fam->first[t[i].list] + got];
    found = true;
  }
  return found ? best : HM_FINDER_NONE;
}

static bool meets_few(const hm_finder *f, const hm_slot_item *x) {
  for (size_t i = 0; i < f->n; i++) {
    const hm_claim *y = f->slot->items[f->order[i]].claim;
    if (hm_claim_comparable(x->claim, y) && hm_claim_overlap(x->claim, y)) return true;
  }
  return false;
}

bool hm_finder_meets(const hm_finder *f, const hm_slot_item *x) {
  if (f->n <= FEW) return meets_few(f, x);
  target t[TARGETS];
  int n = targets_of(f, x, t);
  for (int i = 0; i < n; i++) {
    hm_tree *tree = f->families[t[i].kind].trees[t[i].list];
    if (tree && hm_tree_overlap(tree, x)) return true;
  }
  return false;
}
