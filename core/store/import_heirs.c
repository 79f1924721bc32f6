/* Rows that took the place of rows that a document has no more, as hm_notes_find_heirs finds them.
 */
#include "core/notes/notes.h"
#include "core/record/record_edit.h"
#include "core/store/import_impl.h"

/* *is: it is a memory of the store. */
static int read_gone_row(hm_store *s, hm_str ref, hm_notes_row *out, bool *is, hm_arena *a,
                         hm_err *err) {
  hm_column c[] = { { "content", HM_EMPTY }, { "slot_rule", HM_EMPTY } };
  *is = false;
  if (!hm_str_starts(ref, "memory:"))
    return 0;
  if (hm_store_get_columns(s, ref, c, HM_COUNT(c), is, a, err))
    return -1;
  *out = (hm_notes_row){ .id = hm_str_sub(ref, sizeof "memory:" - 1, ref.n),
                         .text = c[0].value,
                         .rule = c[1].value.p ? c[1].value : HM_EMPTY };
  return 0;
}

/* *heir: the entity of a record of a decision whose file has another name now; empty: ref is none.
 */
static int find_decision_heir(hm_import_run *im, hm_str ref, hm_str *heir, hm_arena *a) {
  const hm_import_options *opt = im->opt;
  hm_column c[] = { { "name", HM_EMPTY } };
  bool is = false;
  *heir = HM_EMPTY;
  if (!opt->moved_to || !opt->moved_source.n ||
      !hm_str_eq(ref, HM_CAT(a, HM_STR("entity:"), hm_notes_decision_id(opt->notes, a))))
    return 0;
  hm_str now = HM_CAT(a, HM_STR("entity:"), hm_notes_decision_id(opt->moved_source, a));
  if (hm_store_get_columns(im->s, now, c, HM_COUNT(c), &is, a, im->place.err))
    return -1;
  *heir = is ? now : HM_EMPTY;
  return 0;
}

int hm_import_find_heirs(hm_import_run *im, const hm_map *named, const hm_str *had, size_t n_had,
                         hm_arena *a, hm_import_heirs *out) {
  const hm_notes_told *told = im->opt->moved_to ? im->opt->moved_to : im->opt->told;
  hm_map_init(&out->rows, a, 8);
  if (!im->opt->notes.n || !n_had)
    return 0;
  hm_notes_row *gone = hm_alloc_array(a, n_had + 1, sizeof *gone);
  bool *fresh = hm_alloc_array(a, told->n_rows + 1, sizeof *fresh), is;
  uint32_t *heir = hm_alloc_array(a, n_had + 1, sizeof *heir);
  hm_str *refs = hm_alloc_array(a, told->n_rows + 2, sizeof *refs);
  hm_str decision;
  size_t n = 0, n_fresh = 0;
  hm_map rows;
  hm_map_init(&rows, a, n_had);
  out->refs = refs;
  for (size_t i = 0; i < n_had; i++) {
    hm_map_add(&rows, had[i], 0);
    if (hm_map_get(named, had[i]) != HM_MAP_NONE)
      continue;
    if (read_gone_row(im->s, had[i], &gone[n], &is, a, im->place.err))
      return -1;
    n += is;
    if (find_decision_heir(im, had[i], &decision, a))
      return -1;
    if (decision.n) {
      refs[told->n_rows] = decision;
      hm_map_add(&out->rows, had[i], (uint32_t)told->n_rows);
    }
  }
  for (size_t i = 0; i < told->n_rows; i++) {
    refs[i] = HM_CAT(a, HM_STR("memory:"), told->rows[i].id);
    fresh[i] = hm_map_get(&rows, refs[i]) == HM_MAP_NONE;
    n_fresh += fresh[i];
  }
  if (!n || !n_fresh)
    return 0;
  hm_notes_find_heirs(im->opt->notes, gone, n, told->rows, fresh, told->n_rows, heir);
  for (size_t i = 0; i < n; i++)
    if (heir[i] != UINT32_MAX)
      hm_map_add(&out->rows, HM_CAT(a, HM_STR("memory:"), gone[i].id), heir[i]);
  return 0;
}
