/* When a conflict is contested, as far as pages may tell. What publish.exclude leaves out, a row or
 * a property that gives a relation its bounds, can be all that says since when claims contradict
 * each other, or until when. Such a time would give it away, so it is shown only where a published
 * claim says it, too. Cost: linear in the claims, and nothing where nothing is left out. */
#include "core/claim/relation.h"
#include "view_private.h"

bool hm_view_window_shown(const hm_view *v, const hm_window *w) {
  return !(w->of_props && v->hides_bounds) && hm_view_window_end_shown(v, w);
}

static bool shows_all_times(const hm_view *v) {
  return !v->any_hidden && !v->hides_times && !v->hides_bounds;
}

static bool begin_shown(const hm_view *v, const hm_claim *c) {
  return c->when && !v->hidden[c->row] && !(c->when->of_props && v->hides_bounds);
}

static bool end_shown(const hm_view *v, const hm_claim *c) {
  return begin_shown(v, c) && hm_view_window_shown(v, c->when);
}

static hm_time find_shown_since(const hm_view *v, const hm_dispute *d) {
  if (!d)
    return HM_TIME_MIN;
  if (shows_all_times(v))
    return d->since;
  for (size_t i = 0; i < d->n; i++) {
    const hm_claim *c = d->parties[i].claim;
    if (c->stands == d->since && begin_shown(v, c))
      return d->since;
  }
  return HM_TIME_MIN;
}

static bool is_same_bound(const hm_bound *x, const hm_bound *y) {
  return x->known && x->axis == y->axis && x->first == y->first && x->last == y->last;
}

static void set_window_of_dispute(const hm_view *v, hm_vconflict *c) {
  const hm_dispute *d = c->dispute;
  bool from = false, until = false;
  for (size_t i = 0; i < d->n && !(from && until); i++) {
    const hm_claim *x = d->parties[i].claim;
    from |= begin_shown(v, x) && is_same_bound(&x->when->begin, &d->begin);
    until |= end_shown(v, x) && is_same_bound(&x->when->end, &d->end);
  }
  if (!from)
    c->window_from = HM_EMPTY;
  if (!until)
    c->window_until = HM_EMPTY;
}

/* Nothing is contested any more: what was, its members say. The end of a relation may be that of
 * an existence. */
static void set_window_of_record(const hm_view *v, hm_vconflict *c, hm_arena *tmp) {
  bool from = false, until = false;
  if (!c->withheld && !hm_str_is(c->rec->slot_kind, "relation_slot"))
    return;
  for (size_t i = 0; i < c->rec->n_members && !(from && until); i++) {
    const hm_member_rec *m = &c->rec->members[i];
    uint32_t row = hm_snapshot_row(v->snap, m->layer, m->id);
    if (row == HM_NONE || !hm_view_member_shown(v, m, tmp))
      continue;
    const hm_row *r = &v->snap->rows[row];
    hm_str begin = r->valid_from, end = r->valid_until;
    if (r->layer == HM_RELATION && !v->hides_bounds)
      hm_relation_read_bounds(hm_world_find_by_row(v->snap, v->rules->worlds, row, tmp), r, tmp,
                              tmp, &begin, &end);
    from |= hm_str_eq(hm_str_trim(begin), c->window_from);
    until |= hm_str_eq(hm_str_trim(end), c->window_until);
  }
  if (!from)
    c->window_from = HM_EMPTY;
  if (!until)
    c->window_until = HM_EMPTY;
}

void hm_view_set_conflict_times(const hm_view *v, hm_vconflict *c, hm_arena *tmp) {
  c->since = find_shown_since(v, c->dispute);
  c->window_from = c->rec->window_from;
  c->window_until = c->rec->window_until;
  if (shows_all_times(v))
    return;
  if (c->dispute)
    set_window_of_dispute(v, c);
  else
    set_window_of_record(v, c, tmp);
}
