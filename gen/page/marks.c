/* Marks on rows, found by row number: markers of disputes, possible overlaps, traces of conflicts
 * that are not in dispute, verdicts against the row, findings.
 *
 * A settled conflict leaves a trace on each value that it was about, as long as the row is active
 * and its claim there is unchanged; pages show that of the latest verdict. A conflict that awaits
 * sign-off leaves a trace as long as the row has any claim there. A value in dispute has its marker
 * and no trace. Cost: the parties of disputes; the members of other conflicts, with a search of
 * claims each. */
#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"
#include "core/claim/claim.h"
#include "core/claim/story.h"
#include "core/detect/conflict.h"
#include "view_private.h"

/* --- by row ---------------------------------------------------------------------------------- */

size_t hm_find_first_of_row(const void *sorted, size_t n, size_t size, uint32_t row) {
  return hm_lower_bound(sorted, n, size, &row, hm_order_u32);
}

static const hm_mark *marks_of(const hm_mark *marks, size_t n_marks, uint32_t row, size_t *n) {
  size_t from = hm_find_first_of_row(marks, n_marks, sizeof *marks, row), to = from;
  while (to < n_marks && marks[to].row == row)
    to++;
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

static int by_place(const void *x, const void *y) {
  const hm_mark *a = x, *b = y;
  if (a->row != b->row)
    return a->row < b->row ? -1 : 1;
  return hm_str_cmp(a->place, b->place);
}

static int by_row(const void *x, const void *y) {
  const hm_mark *a = x, *b = y;
  int d = by_place(a, b);
  if (!d)
    d = hm_str_cmp(a->field, b->field);
  return d ? d : (a->conflict > b->conflict) - (a->conflict < b->conflict);
}

static const hm_mark *find_place(const hm_mark *marks, size_t all, uint32_t row, hm_str place,
                                 size_t *n) {
  const hm_mark least = { .row = row, .place = place };
  size_t lo = hm_lower_bound(marks, all, sizeof *marks, &least, by_place);
  for (*n = 0; lo + *n < all && by_place(&marks[lo + *n], &least) == 0;)
    ++*n;
  return *n ? &marks[lo] : NULL;
}

const hm_mark *hm_view_find_place_marks(const hm_view *v, uint32_t row, hm_str place, size_t *n) {
  return find_place(v->marks, v->n_marks, row, place, n);
}

bool hm_view_is_disputed(const hm_view *v, uint32_t row, hm_str place) {
  size_t n;
  return place.n && hm_view_find_place_marks(v, row, place, &n) != NULL;
}

bool hm_view_may_overlap(const hm_view *v, uint32_t row, hm_str place) {
  size_t n;
  return find_place(v->may, v->n_may, row, place, &n);
}

/* The place of a claim on pages. */
static hm_str place_of(const hm_claim *c) {
  if (c->layer == HM_MEMORY && hm_str_is(c->space, HM_ROW_SPACE)) /* what else sources say of it */
    return HM_STR("content");
  const char *colon = c->said ? memrchr(c->field.p, ':', c->field.n) : NULL;
  if (!colon)
    return c->field;
  size_t at = (size_t)(colon - c->field.p);
  hm_str slot = hm_str_sub(c->field, at + 1, c->field.n);
  const char *again = memchr(slot.p, '#', slot.n);
  if (again)
    slot.n = (size_t)(again - slot.p);
  bool further = c->said->spelled || hm_str_eq(slot, c->said->claim.slot);
  return further ? hm_str_sub(c->field, 0, at) : c->field;
}

uint32_t hm_view_find_deciding_conflict(const hm_view *v, uint32_t row, uint32_t winner) {
  size_t i = hm_find_first_of_row(v->settled, v->n_settled, sizeof *v->settled, row);
  for (; i < v->n_settled && v->settled[i].row == row; i++)
    if (v->settled[i].winner == winner)
      return v->settled[i].conflict;
  return HM_NONE;
}

/* --- markers of disputes --------------------------------------------------------------------- */

static bool is_shown_claim(const void *ctx, const hm_claim *c) {
  hm_arena *tmp = hm_arena_new();
  bool shown = hm_view_claim_shown(ctx, c, tmp);
  hm_arena_free(tmp);
  return shown;
}

static bool is_hidden_prop(const void *ctx, hm_str name, hm_arena *a) {
  return hm_view_prop_hidden(ctx, name, a);
}

/* Where something is left out, the name of a slot that gives it away leads to no row. */
static void find_concerns(hm_view *v, hm_arena *tmp) {
  const hm_dispute **of = hm_alloc_array(tmp, v->n_conflicts + 1, sizeof *of);
  const hm_belongs_filter f = { .active = true,
                                .hidden = v->hidden,
                                .prop_hidden = v->any_hidden ? is_hidden_prop : NULL,
                                .ctx = v };
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    of[i] = v->conflicts[i].dispute;
    if (!of[i] || v->conflicts[i].named)
      continue;
    hm_dispute *nameless = hm_alloc(tmp, sizeof *nameless);
    *nameless = *of[i];
    nameless->slot_key = HM_EMPTY;
    of[i] = nameless;
  }
  hm_concerns_collect(hm_belongs_new(v->snap, &f, tmp), v->snap, of, v->n_conflicts,
                      v->any_hidden ? is_shown_claim : NULL, v, v->a, &v->concerns);
}

static void mark_fields(hm_view *v, hm_arena *tmp) {
  size_t n = v->concerns.n;
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    n += v->conflicts[i].dispute ? v->conflicts[i].dispute->n : 0;
  v->marks = hm_alloc_array(v->a, n + 1, sizeof *v->marks);
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_dispute *d = v->conflicts[i].dispute;
    for (size_t k = 0; d && k < d->n; k++) {
      const hm_claim *c = d->parties[k].claim;
      if (hm_view_claim_shown(v, c, tmp))
        v->marks[v->n_marks++] = (hm_mark){ c->row, c->field, i, place_of(c) };
    }
  }
  for (size_t i = 0; i < v->concerns.n; i++) {
    const hm_concern *c = &v->concerns.by_row[i];
    if (c->kind == HM_CONCERNS_SUBJECT)
      v->marks[v->n_marks++] = (hm_mark){ c->row, HM_EMPTY, c->dispute, HM_EMPTY };
  }
  qsort(v->marks, v->n_marks, sizeof *v->marks, by_row);
}

uint32_t hm_view_list_inside(const hm_view *v, uint32_t row, hm_arena *a, uint32_t **out) {
  size_t n;
  uint32_t found = 0;
  const hm_concern *c = hm_concerns_of_row(&v->concerns, row, &n);
  if (out)
    *out = hm_alloc_array(a, n + 1, sizeof **out);
  for (size_t i = 0; i < n; i++) {
    if (c[i].kind != HM_CONCERNS_INSIDE)
      continue;
    if (out)
      (*out)[found] = c[i].dispute;
    found++;
  }
  return found;
}

uint32_t hm_view_count_inside(const hm_view *v, uint32_t row) {
  return hm_view_list_inside(v, row, NULL, NULL);
}

/* Does not mark a field when the other side is withheld, since the mark would reveal it. */
static void mark_may_overlap(hm_view *v, hm_arena *tmp) {
  const hm_disputes *d = v->sweep->disputes;
  if (v->any_hidden || !d)
    return;
  v->may = hm_alloc_array(v->a, d->n_may + 1, sizeof *v->may);
  for (size_t i = 0; i < d->n_may; i++) {
    const hm_claim *c = d->may[i];
    if (hm_view_claim_shown(v, c, tmp))
      v->may[v->n_may++] = (hm_mark){ c->row, c->field, HM_NONE, place_of(c) };
  }
  if (v->n_may)
    qsort(v->may, v->n_may, sizeof *v->may, by_row);
}

/* --- traces ---------------------------------------------------------------------------------- */

static bool leaves_trace(const hm_view *v, const hm_vconflict *c) {
  bool open = c->rec->status == HM_OPEN;
  if (c->dispute || c->rec->status == HM_MERGED)
    return false;
  return !open || !hm_rule_is_off(v->rules, hm_conflict_rule(c->rec));
}

/* The claim of the row in this field, if it says what the member says, or, of one that awaits
 * sign-off, anything; or NULL. */
static const hm_claim *claim_still_there(const hm_view *v, uint32_t row, const hm_member_rec *m,
                                         bool open) {
  const hm_claims *all = v->sweep->claims;
  size_t i = all ? hm_find_first_of_row(all->claims, all->n, sizeof *all->claims, row) : 0;
  for (; all && i < all->n && all->claims[i].row == row; i++) {
    const hm_claim *c = &all->claims[i];
    if (!hm_str_eq(c->field, m->field))
      continue;
    bool same =
        m->normal.n ? hm_str_eq(c->value.norm, m->normal) : hm_str_eq(c->value.raw, m->value);
    return open || same ? c : NULL;
  }
  return NULL;
}

static bool is_in_dispute(const hm_view *v, const hm_claim *c) {
  size_t n;
  const hm_mark *marks = hm_view_find_place_marks(v, c->row, place_of(c), &n);
  for (size_t i = 0; i < n; i++)
    if (hm_str_eq(marks[i].field, c->field))
      return true;
  return false;
}

/* Sorts by row and place, then those that await sign-off first, then the latest verdict. */
static int by_trace(const void *first, const void *second, void *ctx) {
  const hm_mark *a = first, *b = second;
  const hm_view *v = ctx;
  int d = by_place(a, b);
  if (d)
    return d;
  const hm_conflict_rec *x = v->conflicts[a->conflict].rec, *y = v->conflicts[b->conflict].rec;
  if ((x->status == HM_OPEN) != (y->status == HM_OPEN))
    return x->status == HM_OPEN ? -1 : 1;
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
    if (!leaves_trace(v, &v->conflicts[i]))
      continue;
    for (size_t k = 0; k < rec->n_members; k++) {
      const hm_member_rec *m = &rec->members[k];
      uint32_t row = hm_snapshot_row(v->snap, m->layer, m->id);
      if (row == HM_NONE || v->snap->rows[row].status != HM_ACTIVE || m->removed ||
          !hm_view_member_shown(v, m, tmp))
        continue;
      const hm_claim *c = claim_still_there(v, row, m, rec->status == HM_OPEN);
      if (c && !is_in_dispute(v, c))
        v->traces[v->n_traces++] = (hm_mark){ row, m->field, i, place_of(c) };
    }
  }
  if (v->n_traces)
    qsort_r(v->traces, v->n_traces, sizeof *v->traces, by_trace, v);
}

/* --- verdicts -------------------------------------------------------------------------------- */

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
      v->settled[v->n_settled++] = (hm_settled_row){ row, i, winner };
    }
  }
  if (v->n_settled)
    qsort(v->settled, v->n_settled, sizeof *v->settled, hm_order_u32_pair);
}

void hm_view_build_marks(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  find_concerns(v, tmp);
  mark_fields(v, tmp);
  mark_may_overlap(v, tmp);
  mark_past_conflicts(v, tmp);
  note_settled(v);
  hm_arena_free(tmp);
}

/* --- findings -------------------------------------------------------------------------------- */

void hm_view_build_finding_rows(hm_view *v) {
  size_t n = 0;
  for (uint32_t i = 0; i < v->n_findings; i++)
    n += v->findings[i]->n_rows;
  v->found = hm_alloc_array(v->a, n + 1, sizeof *v->found);
  for (uint32_t i = 0; i < v->n_findings; i++)
    for (size_t k = 0; k < v->findings[i]->n_rows; k++) {
      uint32_t row = hm_snapshot_ref(v->snap, HM_ENTITY, v->findings[i]->rows[k]);
      if (row != HM_NONE)
        v->found[v->n_found++] = (hm_row_finding){ row, i };
    }
  if (v->n_found)
    qsort(v->found, v->n_found, sizeof *v->found, hm_order_u32_pair);
}

const hm_row_finding *hm_view_find_row_findings(const hm_view *v, uint32_t row, size_t *n) {
  size_t from = hm_find_first_of_row(v->found, v->n_found, sizeof *v->found, row), to = from;
  while (to < v->n_found && v->found[to].row == row)
    to++;
  *n = to - from;
  return &v->found[from];
}
