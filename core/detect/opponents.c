#include "core/detect/opponents.h"

#include "core/detect/slot.h"

/* Items are in the order of parties, as both are in member order. */
struct hm_opponents { const hm_dispute *d; hm_slot slot; };

hm_opponents *hm_opponents_new(const hm_snapshot *snap, const hm_dispute *d, const hm_rules *rules,
                               hm_arena *a) {
  hm_opponents *o = hm_alloc(a, sizeof *o);
  const hm_claim **claims = hm_alloc_array(a, d->n, sizeof *claims);
  for (size_t i = 0; i < d->n; i++) claims[i] = d->parties[i].claim;
  o->d = d;
  hm_slot_of(&o->slot, snap, claims, d->n, rules, a);
  for (size_t i = 0; i < d->n; i++) o->slot.items[i].spared = d->parties[i].spared;
  return o;
}

bool hm_opponents_are(const hm_opponents *o, size_t x, size_t y) {
  return hm_slot_contradict(&o->slot, &o->slot.items[x], &o->slot.items[y]);
}

void hm_opponents_of_row(const hm_opponents *o, uint32_t row, bool *out) {
  const hm_dispute *d = o->d;
  for (size_t i = 0; i < d->n; i++) out[i] = false;
  for (size_t w = 0; w < d->n; w++) {
    if (d->parties[w].claim->row != row) continue;
    for (size_t i = 0; i < d->n; i++) out[i] = out[i] || hm_opponents_are(o, w, i);
  }
}
