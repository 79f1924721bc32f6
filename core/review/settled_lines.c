/* Comments that settle lines, as verdicts: settled_lines.h. A dismissal covers the values that its
 * conflict had (core/detect/verdict_cover.c), so a new value opens another one. */
#include "core/review/settled_lines.h"

#include "core/base/par.h"
#include "core/base/text.h"
#include "core/review/verdict.h"
#include "core/sweep/sweep.h"

static bool names_value(const hm_notes_settled *line, const hm_claim *other, hm_arena *a) {
  hm_str value = hm_text_fold_name(a, other->value.raw);
  for (size_t i = 0; i < line->n_against; i++)
    if (hm_str_eq(hm_text_fold_name(a, line->against[i]), value))
      return true;
  return !line->n_against;
}

bool hm_settled_lines_cover(const hm_snapshot *snap, const hm_dispute *d, const hm_rules *rules,
                            const hm_settled_line *lines, size_t n,
                            bool (*knows)(void *ctx, const hm_settled_line *line,
                                          const hm_claim *other),
                            void *ctx, bool *sides, hm_arena *scratch) {
  const hm_settled_line **of = hm_alloc_array(scratch, d->n + 1, sizeof *of);
  bool any = false;
  for (size_t i = 0; i < d->n; i++) {
    hm_str ref = hm_row_ref(scratch, &snap->rows[d->parties[i].claim->row]);
    for (size_t k = 0; k < n && !of[i]; k++)
      if (hm_str_eq(lines[k].ref, ref))
        of[i] = &lines[k];
    sides[i] = of[i] != NULL;
    any |= sides[i];
  }
  if (!any)
    return false;
  const hm_opponents *o = hm_opponents_new(snap, d, rules, scratch);
  for (size_t x = 0; x < d->n; x++)
    for (size_t y = 0; y < d->n; y++) {
      const hm_claim *mine = d->parties[x].claim, *other = d->parties[y].claim;
      if (x == y || (sides[y] && !sides[x]) || !hm_opponents_contradict(o, x, y))
        continue;
      bool covered = sides[x] && names_value(of[x]->line, other, scratch) &&
          (!knows || knows(ctx, of[x], other));
      covered |= sides[y] && names_value(of[y]->line, mine, scratch) &&
          (!knows || knows(ctx, of[y], mine));
      if (!covered)
        return false;
    }
  return true;
}

static const hm_settled_line *line_of(const hm_sweep *w, const hm_dispute *d,
                                      const hm_settled_line *lines, size_t n, hm_arena *a) {
  for (size_t i = 0; i < d->n; i++) {
    hm_str ref = hm_row_ref(a, &w->snap->rows[d->parties[i].claim->row]);
    for (size_t k = 0; k < n; k++)
      if (hm_str_eq(lines[k].ref, ref))
        return &lines[k];
  }
  return NULL;
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
                            const hm_settled_line *lines, size_t n, hm_arena *a, size_t *dismissed,
                            hm_err *err) {
  hm_arena *scratch = hm_arena_new();
  int rc = 0;
  for (size_t i = 0; i < w->plan->n_conflicts && !rc; i++) {
    const hm_dispute *d = w->plan->disputes[i];
    const hm_conflict_rec *c = &w->plan->conflicts[i];
    hm_verdict_report report;
    hm_arena_reset(scratch);
    const hm_settled_line *line = d ? line_of(w, d, lines, n, scratch) : NULL;
    if (!line || c->status != HM_OPEN || was_settled(w, c->slot_key, line->note))
      continue;
    bool *sides = hm_alloc_array(scratch, d->n, sizeof *sides);
    if (!hm_settled_lines_cover(w->snap, d, r->rules, lines, n, NULL, NULL, sides, scratch))
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
  bool mine;
  *dismissed = 0;
  if (!n)
    return 0;
  if (hm_store_txn(s, true, &mine, err))
    return -1;
  int rc = hm_sweep_run_all(s, &opt, a, &w, err) ||
          settle_conflicts(s, r, &w, lines, n, a, dismissed, err)
      ? -1
      : 0;
  hm_sweep_free(&w);
  return hm_store_txn_end(s, mine, rc, err);
}
