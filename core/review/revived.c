#include "core/review/revived.h"

/* The claims of all rows that were not changed. */
static hm_claims without_changed(const hm_revival *r) {
  const hm_sweep *w = r->sweep;
  bool *changed = hm_alloc_array(r->a, w->snap->n_rows, sizeof *changed);
  hm_claims rest = *w->claims;
  rest.claims = hm_alloc_array(r->a, w->claims->n, sizeof *rest.claims);
  rest.n = 0;
  for (size_t i = 0; i < r->changed->n; i++) {
    uint32_t row = r->changed->v[i].layer
        ? hm_snapshot_row(w->snap, r->changed->v[i].layer, r->changed->v[i].id)
        : HM_MAP_NONE;
    if (row != HM_MAP_NONE) changed[row] = true;
  }
  for (size_t i = 0; i < w->claims->n; i++)
    if (!changed[w->claims->claims[i].row]) rest.claims[rest.n++] = w->claims->claims[i];
  return rest;
}

static bool has_party(const hm_dispute *d, const hm_claim *c) {
  for (size_t i = 0; i < d->n; i++)
    if (d->parties[i].claim->row == c->row && hm_str_eq(d->parties[i].claim->field, c->field))
      return true;
  return false;
}

/* Without some rows a dispute may fall apart, but each part is between parties of it. */
int hm_revived(hm_revival *r, const hm_dispute *d, bool *revived, hm_err *err) {
  if (!r->without) {
    hm_claims *rest = hm_alloc(r->a, sizeof *rest);
    *rest = without_changed(r);
    if (hm_disputes_of(r->sweep->snap, rest, r->rules, 1, r->a, &r->without, err)) return -1;
  }
  size_t n;
  const hm_dispute *rest = hm_disputes_on(r->without, d->slot_key, &n);
  *revived = true;
  for (size_t i = 0; i < n && *revived; i++) *revived = !has_party(d, rest[i].parties[0].claim);
  return 0;
}
