#include "core/detect/cover.h"

#include <string.h>

#include "core/detect/finder.h"
#include "core/detect/numbering.h"

/* Which settled conflicts knew a claim as it is now: ascending indices. Held as a list for all parties in one. */
typedef struct { uint32_t *v; size_t n, cap; } verdicts;

typedef struct {
  hm_slot slot;            /* of the parties that disagree */
  verdicts *known;         /* of each item */
  uint32_t *group;         /* of each item: items of one group are known to the same verdicts */
  uint32_t n_groups;
  uint32_t *sample;        /* of each group: one of its items */
  hm_arena *scratch;
} cover;

hm_str hm_member_key(hm_arena *a, hm_layer layer, hm_str id, hm_str field) {
  size_t n = sizeof id.n + 1 + id.n + field.n;
  char *p = hm_alloc(a, n ? n : 1), *at = p;
  *at++ = (char)layer;
  memcpy(at, &id.n, sizeof id.n);
  at += sizeof id.n;
  if (id.n) memcpy(at, id.p, id.n);
  if (field.n) memcpy(at + id.n, field.p, field.n);
  return (hm_str){ p, n };
}

static void load_fighters(cover *c, const hm_snapshot *snap, const hm_dispute *d, const hm_rules *rules) {
  const hm_claim **claims = hm_alloc_array(c->scratch, d->n, sizeof *claims);
  size_t n = 0;
  for (size_t i = 0; i < d->n; i++)
    if (d->parties[i].disagrees) claims[n++] = d->parties[i].claim;
  hm_slot_of(&c->slot, snap, claims, n, rules, c->scratch);
  c->known = hm_alloc_array(c->scratch, n, sizeof *c->known);
}

static void note(cover *c, verdicts *v, uint32_t quiet) {
  if (v->n == v->cap) {
    size_t cap = v->cap ? v->cap * 2 : 2;
    uint32_t *more = hm_alloc_array(c->scratch, cap, sizeof *more);
    if (v->n) memcpy(more, v->v, v->n * sizeof *more);
    *v = (verdicts){ more, v->n, cap };
  }
  if (v->n == 0 || v->v[v->n - 1] != quiet) v->v[v->n++] = quiet;
}

static hm_str key_of(const cover *c, const hm_snapshot *snap, const hm_claim *claim) {
  return hm_member_key(c->scratch, claim->layer, snap->rows[claim->row].id, claim->field);
}

/* Fills known. Returns true when one verdict knows them all. */
static bool read_verdicts(cover *c, const hm_snapshot *snap, const hm_conflict_rec *const *quiet, size_t n_quiet) {
  hm_map at;
  hm_map_init(&at, c->scratch, c->slot.n);
  for (size_t i = 0; i < c->slot.n; i++) hm_map_add(&at, key_of(c, snap, c->slot.items[i].claim), (uint32_t)i);
  for (size_t q = 0; q < n_quiet; q++) {
    size_t matched = 0;
    for (size_t m = 0; m < quiet[q]->n_members; m++) {
      const hm_member_rec *rec = &quiet[q]->members[m];
      uint32_t i = hm_map_get(&at, hm_member_key(c->scratch, rec->layer, rec->id, rec->field));
      if (i == HM_MAP_NONE || !hm_str_eq(c->slot.items[i].claim->value.norm, rec->normal)) continue;
      size_t before = c->known[i].n;
      note(c, &c->known[i], (uint32_t)q);
      matched += c->known[i].n > before;
    }
    if (matched == c->slot.n) return true;
  }
  return false;
}

static bool all_known(const cover *c) {
  for (size_t i = 0; i < c->slot.n; i++)
    if (!c->known[i].n) return false;
  return true;
}

static void form_groups(cover *c) {
  hm_numbering g;
  hm_numbering_init(&g, c->scratch);
  c->group = hm_alloc_array(c->scratch, c->slot.n, sizeof *c->group);
  c->sample = hm_alloc_array(c->scratch, c->slot.n, sizeof *c->sample);
  for (size_t i = 0; i < c->slot.n; i++) {
    const verdicts *v = &c->known[i];
    c->group[i] = hm_numbering_of(&g, (hm_str){ (const char *)v->v, v->n * sizeof *v->v });
    c->sample[c->group[i]] = (uint32_t)i;
  }
  c->n_groups = g.n;
}

static bool share_verdict(const verdicts *a, const verdicts *b) {
  for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
    if (a->v[i] == b->v[j]) return true;
    if (a->v[i] < b->v[j]) i++;
    else j++;
  }
  return false;
}

/* Does anyone of this group disagree with a claim that no verdict knew together with it? */
static bool group_has_new_foe(const cover *c, uint32_t group) {
  bool *apart = hm_alloc_array(c->scratch, c->n_groups, sizeof *apart);
  for (uint32_t g = 0; g < c->n_groups; g++)
    apart[g] = !share_verdict(&c->known[c->sample[group]], &c->known[c->sample[g]]);
  uint32_t *others = hm_alloc_array(c->scratch, c->slot.n, sizeof *others);
  size_t n = 0;
  for (size_t i = 0; i < c->slot.n; i++)
    if (apart[c->group[i]]) others[n++] = (uint32_t)i;
  if (!n) return false;
  hm_finder *f = hm_finder_new(&c->slot, others, n, c->scratch);
  for (size_t i = 0; i < c->slot.n; i++)
    if (c->group[i] == group && hm_finder_foe(f, &c->slot.items[i], n) != HM_FINDER_NONE) return true;
  return false;
}

bool hm_dispute_covered(const hm_snapshot *snap, const hm_dispute *d, const hm_rules *rules,
                        const hm_conflict_rec *const *quiet, size_t n_quiet, hm_arena *scratch) {
  if (!n_quiet) return false;
  cover c = { .scratch = scratch };
  load_fighters(&c, snap, d, rules);
  if (read_verdicts(&c, snap, quiet, n_quiet)) return true;
  if (!all_known(&c)) return false;
  form_groups(&c);
  for (uint32_t g = 0; g < c.n_groups; g++)
    if (group_has_new_foe(&c, g)) return false;
  return true;
}
