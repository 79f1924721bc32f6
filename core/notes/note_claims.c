/* What a part of a document claims, where its form says it: a setting, a port, a package manager,
 * a label of a stack. Sentences are read as prose (core/prose), by whom the row is read. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

void note_claims_add(note_claims *c, hm_str slot, hm_str value) {
  slot = hm_str_trim(slot);
  value = hm_str_trim(value);
  if (!slot.n || !value.n)
    return;
  for (size_t i = 0; i < c->n; i++)
    if (hm_str_eq(c->v[i].slot, slot) && hm_str_eq(c->v[i].value, value))
      return;
  c->v = hm_array_grow_in(c->a, c->v, c->n, &c->cap, sizeof *c->v);
  c->v[c->n++] = (note_claim){ slot, value };
}

void note_claims_read(note_claims *out, const note_context *c, const hm_doc_part *p) {
  if (c->past || p->quoted)
    return;
  note_versions_read(out, c, p->text);
}
