/* The sides of a dispute that a verdict keeps are linked: one row a value, `contradicts` from the
 * one of higher trust to each that contradicts it. Cost: the square of at most HM_LINK_SIDES
 * values. Source: design section 7. */
#include "core/detect/conflict.h"
#include "core/review/verdict_impl.h"
#include "core/store/links.h"

int hm_verdict_link_sides(hm_verdict_run *v, const hm_sweep *look, const hm_dispute *d,
                          hm_str why) {
  size_t sides[HM_LINK_SIDES], n = 0;
  hm_actor who = v->who;
  hm_map seen;
  who.why = why;
  hm_map_init(&seen, v->a, HM_LINK_SIDES);
  for (size_t i = 0; i < d->n; i++) {
    hm_str key = d->parties[i].claim->value.key;
    if (hm_map_get(&seen, key) != HM_MAP_NONE) continue;
    if (n == HM_LINK_SIDES) {
      hm_failf(v->err, HM_E_INPUT, "link",
               "leave it out, or link the rows that matter by an import",
               "the conflict has more than %d values", HM_LINK_SIDES);
      return hm_err_at_field(v->err, HM_STR("link"));
    }
    hm_map_add(&seen, key, (uint32_t)i);
    sides[n++] = i;
  }
  hm_opponents *o = hm_opponents_new(look->snap, d, v->r->rules, v->a);
  v->out->links = hm_alloc_array(v->a, n * n / 2 + 1, sizeof *v->out->links);
  for (size_t i = 0; i < n; i++)
    for (size_t k = i + 1; k < n; k++) {
      const hm_claim *x = d->parties[sides[i]].claim, *y = d->parties[sides[k]].claim;
      bool added;
      if (x->row == y->row || !hm_opponents_are(o, sides[i], sides[k])) continue;
      hm_link link = { hm_row_ref(v->a, &look->snap->rows[x->row]),
                       hm_row_ref(v->a, &look->snap->rows[y->row]), HM_STR("contradicts") };
      if (hm_store_add_link(v->s, &link, true, &who, &added, v->a, v->err)) return -1;
      if (added) v->out->links[v->out->n_links++] = link;
    }
  return 0;
}
