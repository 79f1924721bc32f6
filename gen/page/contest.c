/* Conflicts as the mirror shows them: which are published, what they are
 * called, and where the markers stand. */
#include <stdlib.h>
#include <string.h>

#include "conflict_names.h"

uint32_t hm_view_project(const hm_view *v, hm_str id, bool *known) {
  size_t lo = 0, hi = v->snap->n_projects;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    int c = hm_str_cmp(v->snap->projects[mid].id, id);
    if (c == 0) {
      *known = true;
      return v->project_of[mid];
    }
    if (c < 0) lo = mid + 1;
    else hi = mid;
  }
  *known = false;
  return HM_NONE;
}

/* Shown and withheld claims: of the parties while there is a dispute, else of the recorded members.
 */
static void count_sides(const hm_view *v, hm_vconflict *c, size_t *shown, hm_arena *tmp) {
  *shown = 0;
  size_t n = c->dispute ? c->dispute->n : c->rec->n_members;
  for (size_t i = 0; i < n; i++) {
    const hm_claim *claim = c->dispute ? c->dispute->parties[i].claim : NULL;
    bool show = claim ? hm_view_claim_shown(v, claim->row, claim->field, tmp)
                      : hm_view_member_shown(v, &c->rec->members[i], tmp);
    *shown += show;
  }
  c->withheld = n - *shown;
}

/* --- which, where ------------------------------------------------------- */

static bool publish(const hm_view *v, const hm_conflict_rec *rec, const hm_dispute *dispute,
                    uint32_t project, bool known, hm_vconflict *c, hm_arena *tmp) {
  size_t shown;
  *c = (hm_vconflict){ .rec = rec, .project = project };
  if (project == HM_NONE && (known || v->opt.exclude.n_projects)) return false;
  c->dispute = dispute;
  count_sides(v, c, &shown, tmp);
  return shown > 0;
}

/* Conflicts are by slot key, so that those of one project come one after another. */
static void collect(hm_view *v, hm_arena *tmp) {
  const hm_plan *plan = v->sweep->plan;
  const hm_conflict_rec *last = NULL;
  uint32_t project = HM_NONE;
  bool known = false;
  v->conflicts = hm_alloc_array(v->a, plan->n_conflicts + 1, sizeof *v->conflicts);
  v->recs = hm_alloc_array(v->a, plan->n_conflicts + 1, sizeof *v->recs);
  for (size_t i = 0; i < plan->n_conflicts; i++) {
    const hm_conflict_rec *rec = &plan->conflicts[i];
    if (!last || !hm_str_eq(last->project, rec->project))
      project = hm_view_project(v, rec->project, &known);
    last = rec;
    bool shown =
        publish(v, rec, plan->disputes[i], project, known, &v->conflicts[v->n_conflicts], tmp);
    if (shown) v->recs[v->n_conflicts++] = rec;
  }
  hm_map_init(&v->conflict_at, v->a, v->n_conflicts);
  for (uint32_t i = 0; i < v->n_conflicts; i++) hm_map_add(&v->conflict_at, v->recs[i]->id, i);
}

static int by_row(const void *x, const void *y) {
  const hm_mark *a = x, *b = y;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return hm_str_cmp(a->field, b->field);
}

static void mark(hm_view *v, hm_arena *tmp) {
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

/* Not where the other side is withheld: that there is one would tell of it. */
static void mark_may_overlap(hm_view *v, hm_arena *tmp) {
  const hm_disputes *d = v->sweep->disputes;
  if (v->any_hidden || !d) return;
  v->may = hm_alloc_array(v->a, d->n_may + 1, sizeof *v->may);
  for (size_t i = 0; i < d->n_may; i++)
    if (hm_view_claim_shown(v, d->may[i]->row, d->may[i]->field, tmp))
      v->may[v->n_may++] = (hm_mark){ d->may[i]->row, d->may[i]->field, HM_NONE };
  if (v->n_may) qsort(v->may, v->n_may, sizeof *v->may, by_row);
}

static int by_loser(const void *x, const void *y) {
  const hm_settled *a = x, *b = y;
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

static void note_settled(hm_view *v, hm_settled *out, uint32_t i) {
  const hm_conflict_rec *rec = v->conflicts[i].rec;
  if (rec->status != HM_RESOLVED || rec->winner.n == 0) return;
  uint32_t winner = hm_snapshot_ref(v->snap, HM_ENTITY, rec->winner);
  if (winner == HM_NONE) return;
  for (size_t k = 0; k < rec->n_members; k++) {
    uint32_t row = hm_snapshot_row(v->snap, rec->members[k].layer, rec->members[k].id);
    if (row != HM_NONE && row != winner && at_the_verdict(v, row, rec))
      out[v->n_settled++] = (hm_settled){ row, winner, i };
  }
}

static void settle(hm_view *v) {
  size_t n = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    if (v->conflicts[i].rec->status == HM_RESOLVED) n += v->conflicts[i].rec->n_members;
  v->settled = hm_alloc_array(v->a, n + 1, sizeof *v->settled);
  for (uint32_t i = 0; i < v->n_conflicts; i++) note_settled(v, v->settled, i);
  qsort(v->settled, v->n_settled, sizeof *v->settled, by_loser);
}

/* Buckets of indexes by project; those of no project come last. */
static uint32_t *by_project(const hm_view *v, const uint32_t *project, uint32_t n, uint32_t *from,
                            hm_arena *a) {
  uint32_t *out = hm_alloc_array(a, n + 1, sizeof *out);
  memset(from, 0, (v->n_projects + 2) * sizeof *from);
  for (uint32_t i = 0; i < n; i++) from[(project[i] == HM_NONE ? v->n_projects : project[i]) + 1]++;
  for (uint32_t p = 0; p <= v->n_projects; p++) from[p + 1] += from[p];
  uint32_t *at = hm_alloc_array(a, v->n_projects + 2, sizeof *at);
  memcpy(at, from, (v->n_projects + 2) * sizeof *at);
  for (uint32_t i = 0; i < n; i++)
    out[at[project[i] == HM_NONE ? v->n_projects : project[i]]++] = i;
  return out;
}

static void share_conflicts(hm_view *v, hm_arena *tmp) {
  uint32_t *project = hm_alloc_array(tmp, v->n_conflicts + 1, sizeof *project);
  uint32_t *from = hm_alloc_array(tmp, v->n_projects + 2, sizeof *from);
  for (uint32_t i = 0; i < v->n_conflicts; i++) project[i] = v->conflicts[i].project;
  v->by_project = by_project(v, project, v->n_conflicts, from, v->a);
  for (uint32_t p = 0; p < v->n_projects; p++) {
    hm_vproject *pr = &v->projects[p];
    pr->c_from = from[p];
    pr->c_to = from[p + 1];
    pr->disputed = pr->signoff = 0;
    for (uint32_t i = pr->c_from; i < pr->c_to; i++) {
      const hm_vconflict *c = &v->conflicts[v->by_project[i]];
      pr->disputed += c->dispute != NULL;
      pr->signoff += c->rec->status == HM_OPEN && !c->dispute;
    }
  }
}

static void share_findings(hm_view *v, hm_arena *tmp) {
  size_t all = v->sweep->n_findings;
  uint32_t *project = hm_alloc_array(tmp, all + 1, sizeof *project);
  const hm_finding **shown = hm_alloc_array(tmp, all + 1, sizeof *shown);
  uint32_t *from = hm_alloc_array(tmp, v->n_projects + 2, sizeof *from);
  for (size_t i = 0; i < all; i++) {
    const hm_finding *f = &v->sweep->findings[i];
    bool known;
    uint32_t p = hm_view_project(v, f->project, &known);
    if ((p == HM_NONE && (known || v->any_hidden)) || !hm_view_finding_shown(v, f, tmp)) continue;
    project[v->n_findings] = p;
    shown[v->n_findings++] = f;
  }
  uint32_t *order = by_project(v, project, v->n_findings, from, tmp);
  v->findings = hm_alloc_array(v->a, v->n_findings + 1, sizeof *v->findings);
  for (uint32_t i = 0; i < v->n_findings; i++) v->findings[i] = shown[order[i]];
  for (uint32_t p = 0; p < v->n_projects; p++) {
    v->projects[p].f_from = from[p];
    v->projects[p].f_to = from[p + 1];
  }
}

void hm_view_contests(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  collect(v, tmp);
  hm_view_called(v, tmp);
  mark(v, tmp);
  mark_may_overlap(v, tmp);
  settle(v);
  share_conflicts(v, tmp);
  share_findings(v, tmp);
  hm_arena_free(tmp);
}
