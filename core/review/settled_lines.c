/* Comments that settle lines, as verdicts: settled_lines.h. A dismissal covers the values that its
 * conflict had (core/detect/verdict_cover.c), so a new value opens another one. */
#include "core/review/settled_lines.h"

#include "core/base/par.h"
#include "core/base/text.h"
#include "core/review/verdict.h"
#include "core/sweep/sweep.h"

void hm_settled_lines_index(hm_settled_lines *l, const hm_settled_line *v, size_t n, hm_arena *a) {
  *l = (hm_settled_lines){ .v = v, .n = n };
  hm_map_init(&l->at, a, n);
  for (size_t i = 0; i < n; i++)
    hm_map_add(&l->at, v[i].ref, (uint32_t)i);
}

bool hm_settled_lines_of(const hm_settled_lines *l, const hm_snapshot *snap, const hm_dispute *d,
                         const hm_settled_line **of, hm_arena *scratch) {
  bool any = false;
  for (size_t i = 0; i < d->n; i++) {
    hm_str ref = hm_row_ref(scratch, &snap->rows[d->parties[i].claim->row]);
    uint32_t at = hm_map_get(&l->at, ref);
    of[i] = at == HM_MAP_NONE ? NULL : &l->v[at];
    any |= of[i] != NULL;
  }
  return any;
}

bool hm_settled_line_names(const hm_settled_line *line, hm_str value, hm_arena *a) {
  const hm_notes_settled *said = line->line;
  for (size_t i = 0; i < said->n_against; i++)
    if (hm_str_eq(hm_text_fold_name(a, said->against[i]), value))
      return true;
  return !said->n_against;
}

bool hm_settled_lines_cover(const hm_snapshot *snap, const hm_dispute *d, const hm_rules *rules,
                            const hm_settled_line *const *of,
                            bool (*knows)(void *ctx, const hm_settled_line *line,
                                          const hm_claim *own, const hm_claim *other),
                            void *ctx, bool *open, hm_arena *scratch) {
  bool all = d->n <= HM_SETTLED_PARTIES;
  for (size_t i = 0; i < d->n && open; i++)
    open[i] = !all;
  if (!all)
    return false;
  const hm_opponents *o = hm_opponents_new(snap, d, rules, scratch);
  hm_str *values = hm_alloc_array(scratch, d->n, sizeof *values);
  for (size_t i = 0; i < d->n; i++)
    values[i] = hm_text_fold_name(scratch, d->parties[i].claim->value.raw);
  for (size_t x = 0; x < d->n; x++)
    for (size_t y = 0; y < d->n; y++) {
      if (x == y || (of[y] && !of[x]) || !hm_opponents_contradict(o, x, y))
        continue;
      bool covered = of[x] && hm_settled_line_names(of[x], values[y], scratch) &&
          (!knows || knows(ctx, of[x], d->parties[x].claim, d->parties[y].claim));
      covered |= of[y] && hm_settled_line_names(of[y], values[x], scratch) &&
          (!knows || knows(ctx, of[y], d->parties[y].claim, d->parties[x].claim));
      all &= covered;
      if (!covered && !open)
        return false;
      if (!covered)
        open[x] = open[y] = true;
    }
  return all;
}

/* Did this comment settle a conflict of the slot before? */
static bool was_settled(const hm_sweep *w, hm_str slot_key, hm_str note) {
  for (size_t i = 0; i < w->plan->n_conflicts; i++) {
    const hm_conflict_rec *c = &w->plan->conflicts[i];
    if (c->status != HM_OPEN && hm_str_eq(c->slot_key, slot_key) && hm_str_eq(c->resolution, note))
      return true;
  }
  return false;
}

static int settle_conflicts(hm_store *s, const hm_review *r, const hm_sweep *w,
                            const hm_settled_lines *lines, hm_arena *a, size_t *dismissed,
                            hm_err *err) {
  hm_arena *scratch = hm_arena_new();
  int rc = 0;
  for (size_t i = 0; i < w->plan->n_conflicts && !rc; i++) {
    const hm_dispute *d = w->plan->disputes[i];
    const hm_conflict_rec *c = &w->plan->conflicts[i];
    hm_verdict_report report;
    if (!d || c->status != HM_OPEN)
      continue;
    hm_arena_reset(scratch);
    const hm_settled_line **of = hm_alloc_array(scratch, d->n, sizeof *of), *line = NULL;
    if (!hm_settled_lines_of(lines, w->snap, d, of, scratch))
      continue;
    for (size_t k = 0; !line; k++)
      line = of[k];
    if (was_settled(w, c->slot_key, line->note) ||
        !hm_settled_lines_cover(w->snap, d, r->rules, of, NULL, NULL, NULL, scratch))
      continue;
    rc = hm_review_dismiss(s, r, c->id, line->note, a, &report, err);
    ++*dismissed;
  }
  hm_arena_free(scratch);
  return rc;
}

int hm_review_settle_lines(hm_store *s, const hm_review *r, const hm_settled_line *lines, size_t n,
                           hm_arena *a, size_t *dismissed, hm_err *err) {
  hm_sweep_options opt = { .rules = r->rules,
                           .threads = hm_par_cores(),
                           .details = true,
                           .without_sql = true,
                           .record = true,
                           .skip_run = true,
                           .who = r->who };
  hm_sweep w = { 0 };
  hm_settled_lines found;
  bool mine;
  *dismissed = 0;
  if (!n)
    return 0;
  if (hm_store_txn(s, true, &mine, err))
    return -1;
  hm_settled_lines_index(&found, lines, n, a);
  int rc =
      hm_sweep_run_all(s, &opt, a, &w, err) || settle_conflicts(s, r, &w, &found, a, dismissed, err)
      ? -1
      : 0;
  hm_sweep_free(&w);
  return hm_store_txn_end(s, mine, rc, err);
}
