#include "core/detect/claim_lists.h"

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
  SAID,
  DENIED
};

static size_t untyped_or(const hm_slot *s, uint32_t type) {
  return type == HM_SLOT_UNTYPED ? s->n_types : type;
}

/* What the lists of a family hold, and by what they part it; layer 0: any. "Open" are those that
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
  [SAID] = { 0, BY_SAID, false },
  [DENIED] = { 0, BY_SAID, false },
};

size_t hm_list_holding(const hm_slot *s, int family, const hm_slot_item *x) {
  bool denied = x->claim->value.denied;
  if (FAMILIES[family].by == BY_SAID)
    return s->n_said && denied == (family == DENIED) ? x->said : SIZE_MAX;
  if (denied || (int)x->claim->layer != FAMILIES[family].layer ||
      (FAMILIES[family].open && x->spared))
    return SIZE_MAX;
  if (FAMILIES[family].by == WHOLE) return 0;
  return FAMILIES[family].by == BY_PEERS ? x->peers : untyped_or(s, x->type);
}

static size_t count_lists(const hm_slot *s, int family) {
  if (FAMILIES[family].by == WHOLE) return 1;
  if (FAMILIES[family].by == BY_SAID) return s->n_said;
  return FAMILIES[family].by == BY_PEERS ? s->n_peers : (size_t)s->n_types + 1;
}

static void build(hm_list_family *out, const hm_slot *s, int family, const uint32_t *order,
                  size_t n, hm_arena *a) {
  out->n_lists = count_lists(s, family);
  out->first = hm_alloc_array(a, out->n_lists + 1, sizeof *out->first);
  for (size_t i = 0; i < n; i++) {
    size_t l = hm_list_holding(s, family, &s->items[order[i]]);
    if (l != SIZE_MAX) out->first[l + 1]++;
  }
  for (size_t l = 0; l < out->n_lists; l++) out->first[l + 1] += out->first[l];
  size_t total = out->first[out->n_lists], *at = hm_alloc_array(a, out->n_lists, sizeof *at);
  out->places = hm_alloc_array(a, total, sizeof *out->places);
  out->items = hm_alloc_array(a, total, sizeof *out->items);
  for (size_t i = 0; i < n && total; i++) {
    size_t l = hm_list_holding(s, family, &s->items[order[i]]);
    if (l == SIZE_MAX) continue;
    size_t to = out->first[l] + at[l]++;
    out->places[to] = (uint32_t)i;
    out->items[to] = order[i];
  }
}

void hm_claim_lists_of(hm_claim_lists *out, const hm_slot *slot, const uint32_t *order, size_t n,
                       hm_arena *a) {
  *out = (hm_claim_lists){ .slot = slot };
  for (int k = 0; k < HM_LIST_FAMILIES; k++) build(&out->families[k], slot, k, order, n, a);
}

int hm_lists_compared(const hm_claim_lists *l, const hm_slot_item *x,
                      hm_list_ref out[HM_LISTS_OF_ONE]) {
  bool untyped = x->type == HM_SLOT_UNTYPED, own_space = x->claim->memory_type.n > 0;
  bool denied = x->claim->value.denied;
  int n = 0;
  if (l->slot->n_said && (!denied || own_space)) out[n++] = (hm_list_ref){ DENIED, x->said };
  if (denied) {
    out[n++] = (hm_list_ref){ SAID, x->said };
    return n;
  }
  switch (x->claim->layer) {
    case HM_MEMORY:
      if (own_space) {
        out[n++] = (hm_list_ref){ MEMORIES_BY_PEERS, x->peers };
      } else {
        if (!x->spared) out[n++] = (hm_list_ref){ STATES, 0 };
        out[n++] = (hm_list_ref){ ENTITIES, 0 };
      }
      break;
    case HM_ENTITY:
      out[n++] = (hm_list_ref){ ENTITIES_BY_PEERS, x->peers };
      out[n++] = (hm_list_ref){ MEMORIES, 0 };
      if (x->spared) break;
      out[n++] = (hm_list_ref){ STATES_BY_TYPE, x->type };
      out[n++] = (hm_list_ref){ STATES_BY_TYPE, l->slot->n_types };
      break;
    case HM_STATE:
      out[n++] = (hm_list_ref){ STATES_BY_PEERS, x->peers };
      out[n++] = (hm_list_ref){ OPEN_MEMORIES, 0 };
      out[n++] = untyped ? (hm_list_ref){ OPEN_ENTITIES, 0 }
                         : (hm_list_ref){ OPEN_ENTITIES_BY_TYPE, x->type };
      break;
    default: break;
  }
  return n;
}
