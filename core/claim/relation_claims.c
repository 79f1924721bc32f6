/* Relations to claims: what a relation says of the end that it speaks of, and what lies in what.
 *
 * relation.c has the kinds and reads the ends; here are the row's window and its place in the
 * chunk. A relation that claims nothing has no bad window.
 *
 * What a row without an end says ended at the latest when one of its two ends did: a reign with the
 * death of the ruler, a membership with the faction (existence.h says when). What ended was still
 * where it was and what it was a part of, so a ruin stays in its country. Without a begin, too,
 * only the other end counts: a ruler who is dead ruled some time before; but who is dead and was in
 * two factions, by rows without any time, was in them at one time, as the living are. A begin that
 * is missing lies not before that of either end. Cost: O(1) a relation.
 * Source: lore consistency engine, categories A and B. */
#include "core/claim/claim_impl.h"

static const hm_relation_kind *kind_of_relation(reader *r) {
  hm_str type = r->row->type;
  if (type.p != r->type.p || type.n != r->type.n) {
    r->type = type;
    r->kind = hm_relation_kind_find(hm_relation_kinds_of(r->rules), type);
  }
  return r->kind;
}

/* --- the existence of the ends ------------------------------------------------------------ */

typedef struct {
  const hm_existence *subject, *other; /* NULL: nothing is known of it */
} ends;

static const hm_existence *end_of(const reader *r, hm_naming end) {
  uint32_t row = hm_snapshot_named(r->snap, (uint32_t)(r->row - r->snap->rows), end);
  const hm_existence *x = hm_existence_of(r->lives, row);
  return x && (x->n || x->in_use) ? x : NULL;
}

static void cut_to_lives(const reader *r, const hm_relation_kind *k, const ends *e, hm_window *w) {
  bool stays = k->nests && e->subject && e->subject->is == HM_IS_PLACE;
  hm_bound own = stays ? (hm_bound){ 0 } : hm_existence_end(e->subject, w->axis);
  hm_bound other = hm_existence_end(e->other, w->axis);
  bool by_other = other.known && (!own.known || other.first < own.first);
  const hm_existence *x = by_other ? e->other : e->subject;
  if (by_other || w->begin.known)
    hm_window_cut(w, by_other ? &other : &own, (uint32_t)(x - r->lives->of), w);
  const hm_bound *own_begin = hm_existence_bound(e->subject, false);
  const hm_bound *other_begin = hm_existence_bound(e->other, false);
  if (own_begin) hm_window_begin_after(w, own_begin);
  if (other_begin) hm_window_begin_after(w, other_begin);
}

/* The window of a claim that speaks of one end, and has the other one as its value. */
static const hm_window *window_of_claim(reader *r, const hm_relation_kind *k,
                                        const hm_window *stated, hm_str field) {
  bool open = !hm_str_trim(r->row->valid_from).n || !hm_str_trim(r->row->valid_until).n;
  bool from = hm_str_is(field, "to");
  if (!r->lives || !open || !hm_relation_asks_lives(k)) return stated;
  const hm_existence *of[] = { end_of(r, HM_NAMES_FROM), end_of(r, HM_NAMES_TO) };
  hm_window w = *stated;
  if (!of[0] && !of[1]) return stated;
  cut_to_lives(r, k, &(ends){ of[!from], of[from] }, &w);
  if (w.ends_with == stated->ends_with && w.may_from == stated->may_from) return stated;
  hm_window *own = hm_alloc(r->a, sizeof *own);
  *own = w;
  return own;
}

/* --- claims --------------------------------------------------------------------------------- */

void hm_row_read_relation(reader *r) {
  const hm_relation_kind *k = kind_of_relation(r);
  hm_relation_claim said[HM_RELATION_CLAIMS];
  hm_inclusion in;
  size_t n = k ? hm_relation_read(said, r->snap, r->row, k, r->a, r->scratch) : 0;
  bool nests = k && hm_relation_inclusion(&in, r->snap, r->row, k);
  if ((!n && !nests) || !hm_row_read_window(r)) return;
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
