/* Relations to claims: what a relation says of the end that it speaks of, and what lies in what.
 *
 * relation.c has the kinds and reads the ends; here are the row's window and its place in the
 * chunk. A relation that claims nothing has no bad window.
 * Where the row leaves a bound open, relation_window.c says when it holds. Cost: O(1) a relation.
 * Source: lore consistency engine, categories A and B. */
#include "core/claim/claim_impl.h"
#include "core/claim/relation_bounds.h"
#include "core/claim/relation_window.h"

static const hm_relation_kind *kind_of_relation(reader *r) {
  hm_str type = r->row->type;
  if (type.p != r->type.p || type.n != r->type.n) {
    r->type = type;
    r->kind = hm_relation_kind_find(hm_relation_kinds_of(r->rules), type);
  }
  return r->kind;
}

/* The window of a claim that speaks of one end, and has the other one as its value. */
static const hm_window *window_of_claim(reader *r, const hm_relation_kind *k,
                                        const hm_window *stated, hm_str field) {
  bool from = hm_str_is(field, "to");
  hm_window w = *stated;
  if (!r->lives || !hm_relation_is_open(r->row) || !hm_relation_asks_lives(k)) return stated;
  uint32_t row = (uint32_t)(r->row - r->snap->rows);
  uint32_t ends[] = { hm_snapshot_named(r->snap, row, HM_NAMES_FROM),
                      hm_snapshot_named(r->snap, row, HM_NAMES_TO) };
  hm_relation_window_of_claim(r->lives, k, r->row, ends[!from], ends[from], &w);
  if (w.ends_with == stated->ends_with && w.may_from == stated->may_from) return stated;
  hm_window *own = hm_alloc(r->a, sizeof *own);
  *own = w;
  return own;
}

/* Of a row without bounds whose properties give some; where they are inverted, they say nothing. */
static void read_window_of_props(reader *r) {
  const hm_row *row = r->row;
  hm_str from, until;
  if (row->valid_from.n || row->valid_until.n || row->props.n <= 2) return;
  const hm_world *world =
      hm_world_of(r->snap, r->rules->worlds, (uint32_t)(row - r->snap->rows), r->scratch);
  if (!hm_relation_bounds(world, row, r->a, r->scratch, &from, &until)) return;
  hm_window *w = hm_alloc(r->a, sizeof *w);
  if (hm_window_read(world, from, until, r->snap->now, w) != HM_WINDOW_OK) return;
  w->of_props = true;
  r->proto.when = w;
  if (w->begin.known && !w->begin.axis && !w->begin.vague) r->proto.stands = w->begin.first;
}

/* --- claims --------------------------------------------------------------------------------- */

void hm_row_read_relation(reader *r) {
  const hm_relation_kind *k = kind_of_relation(r);
  hm_relation_claim said[HM_RELATION_CLAIMS];
  hm_inclusion in;
  size_t n = k ? hm_relation_read(said, r->snap, r->row, k, r->a, r->scratch) : 0;
  bool nests = k && hm_relation_inclusion(&in, r->snap, r->row, k);
  if ((!n && !nests) || !hm_row_read_window(r)) return;
  read_window_of_props(r);
  const hm_window *stated = r->proto.when;
  if (nests) {
    in.when = stated;
    hm_inclusions_add(&r->out->inclusions, in);
  }
  if (k && hm_relation_values_nest(k)) r->proto.lies = r->lies;
  for (size_t i = 0; i < n; i++) {
    if (k->window) {
      said[i].value = hm_relation_window_value(stated, r->a);
      said[i].field = HM_STR("valid_from");
    }
    r->proto.when = window_of_claim(r, k, stated, said[i].field);
    r->proto.project = said[i].project;
    r->proto.space = said[i].space;
    hm_row_says(r, said[i].name, said[i].field, HM_EMPTY, &said[i].value);
  }
}
