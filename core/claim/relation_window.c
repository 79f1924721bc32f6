/* When a relation holds whose row leaves a bound open.
 *
 * What a row without an end says ended at the latest when one of its two ends did: a reign with the
 * death of the ruler, a membership with the faction (existence.h says when). What ended was still
 * where it was and what it was a part of, so a ruin stays in its country. Without a begin, too,
 * only the other end counts: a ruler who is dead ruled some time before; but who is dead and was in
 * two factions, by rows without any time, was in them at one time, as the living are. A begin that
 * is missing lies not before that of either end. Cost: O(1) a relation.
 * Source: lore consistency engine, categories A and B. */
#include "core/claim/relation_window.h"

static const hm_existence *end_at(const hm_existences *lives, uint32_t row) {
  const hm_existence *x = hm_existence_of(lives, row);
  return x && (x->n || x->in_use) ? x : NULL;
}

static void begin_after(hm_window *w, const hm_existence *x) {
  const hm_bound *begin = hm_existence_bound(x, false);
  if (begin) hm_window_begin_after(w, begin);
}

/* by_own: the end of the subject counts, too, where no begin is given. */
static void cut_to_lives(const hm_existences *lives, const hm_existence *subject,
                         const hm_existence *other, bool stays, bool by_own, hm_window *w) {
  hm_bound own = stays ? (hm_bound){ 0 } : hm_existence_end(subject, w->axis);
  hm_bound others = hm_existence_end(other, w->axis);
  bool by_other = others.known && (!own.known || others.first < own.first);
  const hm_existence *x = by_other ? other : subject;
  if (by_other || w->begin.known || by_own)
    hm_window_cut(w, by_other ? &others : &own, (uint32_t)(x - lives->of), w);
}

/* An end `current` is given. */
static bool says_end(const hm_row *r) { return hm_str_trim(r->valid_until).n > 0; }

bool hm_relation_is_open(const hm_row *r) {
  return !says_end(r) || !hm_str_trim(r->valid_from).n;
}

void hm_relation_window_of_claim(const hm_existences *lives, const hm_relation_kind *k,
                                 const hm_row *r, uint32_t subject, uint32_t other,
                                 hm_window *w) {
  if (!hm_relation_is_open(r) || !hm_relation_asks_lives(k)) return;
  const hm_existence *x = end_at(lives, subject), *y = end_at(lives, other);
  bool stays = k->nests && x && x->is == HM_IS_PLACE;
  if ((x || y) && !says_end(r)) cut_to_lives(lives, x, y, stays, false, w);
  begin_after(w, x);
  begin_after(w, y);
}

void hm_relation_window_of_row(const hm_existences *lives, const hm_relation_kinds *kinds,
                               uint32_t row, hm_window *w) {
  const hm_snapshot *snap = lives->snap;
  const hm_row *r = &snap->rows[row];
  if (!hm_relation_is_open(r)) return;
  const hm_relation_kind *k = hm_relation_kind_find(kinds, r->type);
  uint32_t from = hm_snapshot_named(snap, row, HM_NAMES_FROM);
  uint32_t to = hm_snapshot_named(snap, row, HM_NAMES_TO);
  if (k && k->subject != HM_SUBJECT_BOTH) {
    bool of_to = k->subject == HM_SUBJECT_TO;
    hm_relation_window_of_claim(lives, k, r, of_to ? to : from, of_to ? from : to, w);
    return;
  }
  if (says_end(r) || (k ? !hm_relation_asks_lives(k) : !w->begin.known)) return;
  const hm_existence *x = end_at(lives, from), *y = end_at(lives, to);
  hm_window cut = *w;
  if (x || y) cut_to_lives(lives, x, y, false, true, &cut);
  if (!k) cut.may_from = w->may_from, cut.may_until = w->may_until;
  *w = cut;
}
