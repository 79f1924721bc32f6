/* The list of what a part claims. */
#include "core/passage/passage_impl.h"

static void add(note_claims *c, hm_str slot, hm_str value, note_family family, bool by_words) {
  slot = hm_str_trim(slot);
  value = hm_str_trim(value);
  if (!slot.n || !value.n)
    return;
  for (size_t i = 0; i < c->n; i++)
    if (hm_str_eq(c->v[i].slot, slot) && hm_str_eq(c->v[i].value, value))
      return;
  c->v = hm_array_grow_in(c->a, c->v, c->n, &c->cap, sizeof *c->v);
  c->v[c->n++] = (note_claim){ slot, value, by_words, family };
}

void note_claims_add(note_claims *c, hm_str slot, hm_str value, note_family family) {
  add(c, slot, value, family, false);
}

void note_claims_add_words(note_claims *c, hm_str slot, hm_str value, note_family family) {
  add(c, slot, value, family, true);
}

void note_claims_keep(note_claims *c) {
  size_t kept = 0;
  for (size_t i = 0; i < c->n; i++)
    if (c->v[i].family != NOTE_DROPPED)
      c->v[kept++] = c->v[i];
  c->n = kept;
}
