/* The list of what a part claims. */
#include "core/notes/notes_impl.h"

void note_claims_add(note_claims *c, hm_str slot, hm_str value, note_family family) {
  note_claims_add_topic(c, slot, HM_EMPTY, value, family);
}

void note_claims_add_topic(note_claims *c, hm_str slot, hm_str hints, hm_str value,
                           note_family family) {
  slot = hm_str_trim(slot);
  value = hm_str_trim(value);
  if (!slot.n || !value.n)
    return;
  for (size_t i = 0; i < c->n; i++)
    if (hm_str_eq(c->v[i].slot, slot) && hm_str_eq(c->v[i].value, value))
      return;
  c->v = hm_array_grow_in(c->a, c->v, c->n, &c->cap, sizeof *c->v);
  c->v[c->n++] = (note_claim){ slot, value, hints, family };
}

void note_claims_keep(note_claims *c) {
  size_t kept = 0;
  for (size_t i = 0; i < c->n; i++)
    if (c->v[i].family != NOTE_DROPPED)
      c->v[kept++] = c->v[i];
  c->n = kept;
}
