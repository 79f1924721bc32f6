#include "core/review/succession.h"

#include "core/claim/claim.h"
#include "core/claim/slot.h"

/* A state whose category is "decision" is no Decision. */
static bool is_of_type(const hm_snapshot *snap, uint32_t row, hm_str type, hm_arena *a) {
  const hm_row *r = &snap->rows[row];
  if (!type.n) return true;
  return (r->layer == HM_ENTITY || !hm_entity_type_find(type)) &&
      hm_str_eq(hm_entity_type_key(a, r->type), type);
}

static bool gave_way(const hm_snapshot *snap, uint32_t row, uint32_t winner) {
  const hm_row *r = &snap->rows[row];
  return row != winner && r->status == HM_SUPERSEDED &&
      hm_snapshot_ref(snap, r->layer, r->superseded_by) == winner;
}

/* A row can be a member by several fields, one after the other. */
static void read_rows(hm_succession *s, const hm_snapshot *snap, hm_str type, hm_arena *a,
                      hm_arena *tmp) {
  const hm_conflict_rec *c = s->conflict;
  s->rows = hm_alloc_array(a, c->n_members, sizeof *s->rows);
  for (size_t i = 0; i < c->n_members; i++) {
    uint32_t row = hm_snapshot_row(snap, c->members[i].layer, c->members[i].id);
    if (row == HM_MAP_NONE || (s->n && s->rows[s->n - 1] == row)) continue;
    if (gave_way(snap, row, s->winner) && is_of_type(snap, row, type, tmp)) s->rows[s->n++] = row;
  }
}

size_t hm_successions_of(const hm_snapshot *snap, const hm_conflict_rec *const *conflicts, size_t n,
                         hm_str type, hm_arena *a, hm_succession **out) {
  size_t found = 0;
  hm_arena *tmp = hm_arena_new();
  type = type.n ? hm_entity_type_key(a, type) : type;
  *out = hm_alloc_array(a, n, sizeof **out);
  for (size_t i = 0; i < n; i++) {
    const hm_conflict_rec *c = conflicts[i];
    if (c->status != HM_RESOLVED || !c->winner.n) continue;
    hm_succession *s = &(*out)[found];
    *s = (hm_succession){ .conflict = c, .winner = hm_snapshot_ref(snap, HM_ENTITY, c->winner) };
    if (s->winner == HM_MAP_NONE || !is_of_type(snap, s->winner, type, tmp)) continue;
    read_rows(s, snap, type, a, tmp);
    found += s->n > 0;
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
  return found;
}
