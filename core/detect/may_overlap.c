#include "core/detect/may_overlap.h"

#include "core/base/text.h"
#include "core/detect/finding.h"

enum { VALUE_MAX = 80 };

bool hm_slot_may_overlap(const hm_slot *s, bool *out) {
  bool any = false;
  for (size_t i = 0; i < s->n; i++) out[i] = false;
  if (s->n > HM_MAY_OVERLAP_MAX) return false;
  for (size_t i = 0; i < s->n; i++)
    for (size_t k = i + 1; k < s->n; k++) {
      const hm_slot_item *a = &s->items[i], *b = &s->items[k];
      if (a->value == b->value || !hm_claim_may_overlap(a->claim, b->claim) ||
          !hm_slot_comparable(a, b))
        continue;
      if (hm_value_compatible(&a->claim->value, &b->claim->value, s->tol)) continue;
      out[i] = out[k] = any = true;
    }
  return any;
}

static hm_str quoted(hm_arena *a, hm_str value) {
  hm_str cut = hm_text_cut(
      hm_text_repair(a, hm_str_sub(value, 0, value.n < 4 * VALUE_MAX ? value.n : 4 * VALUE_MAX)),
      VALUE_MAX);
  return HM_CAT(a, HM_STR("\""), cut, cut.n < value.n ? HM_STR("…\"") : HM_STR("\""));
}

static size_t first_of_another_value(const hm_claim *const *claims, size_t n) {
  size_t i = 1;
  while (i + 1 < n && hm_str_eq(claims[i]->value.norm, claims[0]->value.norm)) i++;
  return i;
}

hm_finding hm_may_overlap_finding(const hm_snapshot *snap, hm_str slot_key,
                                  const hm_claim *const *claims, size_t n, hm_arena *a) {
  hm_finding f = { .kind = HM_STR("possible_overlap"),
                   .severity = HM_STR("info"),
                   .rule = HM_STR("slot/overlap"),
                   .project = snap->projects[claims[0]->project].id,
                   .expected = HM_STR("bounds that say which held when"),
                   .actual = HM_EMPTY };
  f.rows = hm_alloc_array(a, n, sizeof *f.rows);
  for (size_t i = 0; i < n; i++)
    if (!i || claims[i]->row != claims[i - 1]->row)
      f.rows[f.n_rows++] = hm_row_ref(a, &snap->rows[claims[i]->row]);
  f.message =
      HM_CAT(a, hm_slot_title(a, slot_key), HM_STR(": "), quoted(a, claims[0]->value.raw),
             HM_STR(" and "), quoted(a, claims[first_of_another_value(claims, n)]->value.raw),
             HM_STR(" may hold at one time: their bounds do not say"));
  return f;
}
