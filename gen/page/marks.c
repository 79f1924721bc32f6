/* Marks on rows, found by row number: markers of disputes, possible overlaps, traces of conflicts
 * that are not in dispute, verdicts against the row, findings.
 *
 * A settled conflict leaves a trace on each value that it was about, as long as the row is active
 * and its claim there is unchanged; pages show that of the latest verdict. A conflict that awaits
 * sign-off leaves a trace as long as the row has any claim there. A value in dispute has its marker
 * and no trace. Cost: the parties of disputes; the members of other conflicts, with a search of
 * claims each. */
#include <stdlib.h>

#include "core/claim/claim.h"
#include "core/detect/conflict.h"
#include "view_private.h"

/* --- by row ---------------------------------------------------------------------------------- */

size_t hm_find_first_of_row(const void *sorted, size_t n, size_t size, uint32_t row) {
  size_t lo = 0, hi = n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (*(const uint32_t *)((const char *)sorted + mid * size) < row) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

static const hm_mark *marks_of(const hm_mark *marks, size_t n_marks, uint32_t row, size_t *n) {
  size_t from = hm_find_first_of_row(marks, n_marks, sizeof *marks, row), to = from;
  while (to < n_marks && marks[to].row == row) to++;
  *n = to - from;
  return *n ? &marks[from] : NULL;
}

const hm_mark *hm_view_marks(const hm_view *v, uint32_t row, size_t *n) {
  return marks_of(v->marks, v->n_marks, row, n);
}

const hm_mark *hm_view_may_marks(const hm_view *v, uint32_t row, size_t *n) {
  return marks_of(v->may, v->n_may, row, n);
}

const hm_mark *hm_view_past_conflict_marks(const hm_view *v, uint32_t row, size_t *n) {
  return marks_of(v->traces, v->n_traces, row, n);
}

static int by_row(const void *x, const void *y) {
  const hm_mark *a = x, *b = y;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  int d = hm_str_cmp(a->field, b->field);
  return d ? d : (a->conflict > b->conflict) - (a->conflict < b->conflict);
}

/* The first one: a field can take part in several conflicts. */
static const hm_mark *find_mark(const hm_mark *marks, size_t n, uint32_t row, hm_str field) {
  const hm_mark least = { row, field, 0 };
  size_t lo = 0, hi = n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (by_row(&marks[mid], &least) < 0) lo = mid + 1;
    else hi = mid;
  }
  return lo < n && marks[lo].row == row && hm_str_eq(marks[lo].field, field) ? &marks[lo] : NULL;
}

uint32_t hm_view_find_field_dispute(const hm_view *v, uint32_t row, hm_str field) {
  const hm_mark *m = find_mark(v->marks, v->n_marks, row, field);
  return m ? m->conflict : HM_NONE;
}

bool hm_view_may_overlap(const hm_view *v, uint32_t row, hm_str field) {
  return find_mark(v->may, v->n_may, row, field);
}

uint32_t hm_view_find_deciding_conflict(const hm_view *v, uint32_t row, uint32_t winner) {
  size_t i = hm_find_first_of_row(v->settled, v->n_settled, sizeof *v->settled, row);
  for (; i < v->n_settled && v->settled[i].row == row; i++)
    if (v->settled[i].winner == winner) return v->settled[i].conflict;
  return HM_NONE;
}

/* --- markers of disputes --------------------------------------------------------------------- */

static void mark_fields(hm_view *v, hm_arena *tmp) {
  size_t n = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    n += v->conflicts[i].dispute ? v->conflicts[i].dispute->n : 0;
  v->marks = hm_alloc_array(v->a, n + 1, sizeof *v->marks);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_dispute *d = v->conflicts[i].dispute;
    for (size_t k = 0; d && k < d->n; k++) {
      const hm_claim *c = d->parties[k].claim;
      if (hm_view_claim_shown(v, c->row, c->field, tmp))
        v->marks[v->n_marks++] = (hm_mark){ c->row, c->field, i };
    }
  }
  qsort(v->marks, v->n_marks, sizeof *v->marks, by_row);
}

/* Does not mark a field when the other side is withheld, since the mark would reveal it. */
static void mark_may_overlap(hm_view *v, hm_arena *tmp) {
  const hm_disputes *d = v->sweep->disputes;
  if (v->any_hidden || !d) return;
  v->may = hm_alloc_array(v->a, d->n_may + 1, sizeof *v->may);
  for (size_t i = 0; i < d->n_may; i++)
    if (hm_view_claim_shown(v, d->may[i]->row, d->may[i]->field, tmp))
      v->may[v->n_may++] = (hm_mark){ d->may[i]->row, d->may[i]->field, HM_NONE };
  if (v->n_may) qsort(v->may, v->n_may, sizeof *v->may, by_row);
}

/* --- traces ---------------------------------------------------------------------------------- */

static bool leaves_trace(const hm_view *v, const hm_vconflict *c) {
  bool open = c->rec->status == HM_OPEN;
  if (c->dispute || c->rec->status == HM_MERGED) return false;
  return !open || !hm_rule_is_off(v->rules, hm_conflict_rule(c->rec));
}

/* Does the row claim in this field what the member says, or, of one that awaits sign-off,
 * anything? */
static bool still_claims(const hm_view *v, uint32_t row, const hm_member_rec *m, bool open) {
  const hm_claims *all = v->sweep->claims;
  size_t i = all ? hm_find_first_of_row(all->claims, all->n, sizeof *all->claims, row) : 0;
  for (; all && i < all->n && all->claims[i].row == row; i++)
    if (hm_str_eq(all->claims[i].field, m->field))
      return open || (m->normal.n ? hm_str_eq(all->claims[i].value.norm, m->normal)
                                  : hm_str_eq(all->claims[i].value.raw, m->value));
  return false;
}

/* Sorts by row and field, then those that await sign-off first, then the latest verdict. */
static int by_trace(const void *first, const void *second, void *ctx) {
  const hm_mark *a = first, *b = second;
  const hm_view *v = ctx;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  int d = hm_str_cmp(a->field, b->field);
  if (d) return d;
  const hm_conflict_rec *x = v->conflicts[a->conflict].rec, *y = v->conflicts[b->conflict].rec;
  if ((x->status == HM_OPEN) != (y->status == HM_OPEN)) return x->status == HM_OPEN ? -1 : 1;
  d = hm_str_cmp(y->resolved_at, x->resolved_at);
  return d ? d : hm_str_cmp(x->id, y->id);
}

static void mark_past_conflicts(hm_view *v, hm_arena *tmp) {
  size_t n = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    n += leaves_trace(v, &v->conflicts[i]) ? v->conflicts[i].rec->n_members : 0;
  v->traces = hm_alloc_array(v->a, n + 1, sizeof *v->traces);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_conflict_rec *rec = v->conflicts[i].rec;
    if (!leaves_trace(v, &v->conflicts[i])) continue;
    for (size_t k = 0; k < rec->n_members; k++) {
      const hm_member_rec *m = &rec->members[k];
      uint32_t row = hm_snapshot_row(v->snap, m->layer, m->id);
      if (row == HM_NONE || v->snap->rows[row].status != HM_ACTIVE || m->removed ||
          !hm_view_claim_shown(v, row, m->field, tmp) ||
          hm_view_find_field_dispute(v, row, m->field) != HM_NONE ||
          !still_claims(v, row, m, rec->status == HM_OPEN))
        continue;
      v->traces[v->n_traces++] = (hm_mark){ row, m->field, i };
    }
  }
  if (v->n_traces) qsort_r(v->traces, v->n_traces, sizeof *v->traces, by_trace, v);
}

/* --- verdicts -------------------------------------------------------------------------------- */

static int by_loser(const void *x, const void *y) {
  const hm_settled_row *a = x, *b = y;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return (a->conflict > b->conflict) - (a->conflict < b->conflict);
}

/* The row gave way at the time of the verdict, as far as the two times say: then it was because of
 * it, and not of what somebody did before or after. */
static bool at_the_verdict(const hm_view *v, uint32_t row, const hm_conflict_rec *rec) {
  hm_str at = v->snap->details ? v->snap->details[row].superseded_at : HM_EMPTY,
         decided = rec->resolved_at;
  size_t n = at.n < decided.n ? at.n : decided.n;
  return hm_str_eq(hm_str_sub(at, 0, n), hm_str_sub(decided, 0, n));
}

/* Who lost against whom, and by which conflict. */
static void note_settled(hm_view *v) {
  size_t cap = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_conflict_rec *rec = v->conflicts[i].rec;
    hm_str *winners;
    size_t n = rec->status == HM_RESOLVED ? hm_winners_parse(v->a, rec->winner, &winners) : 0;
    for (size_t k = 0; k < n * rec->n_members; k++) {
      const hm_member_rec *m = &rec->members[k % rec->n_members];
      uint32_t winner = hm_snapshot_ref(v->snap, HM_ENTITY, winners[k / rec->n_members]);
      uint32_t row = hm_snapshot_row(v->snap, m->layer, m->id);
      if (winner == HM_NONE || row == HM_NONE || row == winner || !at_the_verdict(v, row, rec))
        continue;
      v->settled = hm_array_grow_in(v->a, v->settled, v->n_settled, &cap, sizeof *v->settled);
      v->settled[v->n_settled++] = (hm_settled_row){ row, winner, i };
    }
  }
  if (v->n_settled) qsort(v->settled, v->n_settled, sizeof *v->settled, by_loser);
}

void hm_view_build_marks(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  mark_fields(v, tmp);
  mark_may_overlap(v, tmp);
  mark_past_conflicts(v, tmp);
  note_settled(v);
  hm_arena_free(tmp);
}

/* --- findings -------------------------------------------------------------------------------- */

static int by_found_row(const void *x, const void *y) {
  const hm_row_finding *a = x, *b = y;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return (a->finding > b->finding) - (a->finding < b->finding);
}

void hm_view_build_finding_rows(hm_view *v) {
  size_t n = 0;
  for (uint32_t i = 0; i < v->n_findings; i++) n += v->findings[i]->n_rows;
  v->found = hm_alloc_array(v->a, n + 1, sizeof *v->found);
  for (uint32_t i = 0; i < v->n_findings; i++)
    for (size_t k = 0; k < v->findings[i]->n_rows; k++) {
      uint32_t row = hm_snapshot_ref(v->snap, HM_ENTITY, v->findings[i]->rows[k]);
      if (row != HM_NONE) v->found[v->n_found++] = (hm_row_finding){ row, i };
    }
  if (v->n_found) qsort(v->found, v->n_found, sizeof *v->found, by_found_row);
}

const hm_row_finding *hm_view_find_row_findings(const hm_view *v, uint32_t row, size_t *n) {
  size_t from = hm_find_first_of_row(v->found, v->n_found, sizeof *v->found, row), to = from;
  while (to < v->n_found && v->found[to].row == row) to++;
  *n = to - from;
  return &v->found[from];
}
