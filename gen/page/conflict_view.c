/* Conflicts and findings as the mirror shows them: which are published, their files, and those of
 * each project. A conflict is published when a side of it shows. */
#include <string.h>

#include "core/base/time.h"
#include "core/detect/conflict.h"
#include "view_private.h"

/* --- files ----------------------------------------------------------------------- */

static void name_conflicts(hm_view *v, hm_arena *tmp) {
  static const char *const reserved[] = { "readme", "index",    "archive",
                                          "newest", "oldest",   "by-layer", NULL };
  uint32_t n = v->n_conflicts;
  hm_named *files = hm_alloc_array(tmp, n + 1, sizeof *files);
  for (uint32_t i = 0; i < n; i++)
    files[i] = (hm_named){ .name = v->conflicts[i].rec->id, .id = v->conflicts[i].rec->id };
  hm_make_slugs(files, n, reserved, v->a);
  for (uint32_t i = 0; i < n; i++) {
    hm_vconflict *c = &v->conflicts[i];
    c->path = HM_CAT(v->a, HM_STR("conflicts/"), files[i].slug, HM_STR(".md"));
    c->list_key = hm_list_sort_key(v->a, c->title, c->rec->id);
  }
}

/* --- which are published ------------------------------------------------------------------- */

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

bool hm_conflict_is_settled(const hm_vconflict *c) {
  return c->rec->status == HM_RESOLVED || c->rec->status == HM_DISMISSED;
}

/* Midnight is a date without a time of day more often than it is midnight. Where a row of the pair
 * that it comes from says only a year or month, so does this. */
hm_str hm_format_since(const hm_view *v, const hm_dispute *d, hm_arena *a) {
  if (!d || d->since == HM_TIME_MIN) return HM_EMPTY;
  for (int i = 0; i < 2 && d->first[i]; i++) {
    const hm_row *r = &v->snap->rows[d->first[i]->row];
    hm_str text = hm_str_trim(r->valid_from.n ? r->valid_from : r->created_at);
    hm_time t;
    hm_precision p;
    if (hm_time_parse(text, &t, &p) && p < HM_P_DAY && t == d->since) return text;
  }
  hm_str iso = hm_time_iso(a, d->since);
  return hm_str_ends(iso, "T00:00:00Z") ? hm_str_sub(iso, 0, 10) : iso;
}

/* Conflicts are by slot key, so that those of one project come one after another. One is published
 * when a side of it shows: a party while there is a dispute, else a recorded member. */
static void collect_conflicts(hm_view *v, hm_arena *tmp) {
  const hm_plan *plan = v->sweep->plan;
  const hm_conflict_rec *last = NULL;
  uint32_t project = HM_NONE;
  bool known = false;
  v->conflicts = hm_alloc_array(v->a, plan->n_conflicts + 1, sizeof *v->conflicts);
  v->recs = hm_alloc_array(v->a, plan->n_conflicts + 1, sizeof *v->recs);
  hm_map_init(&v->conflict_at, v->a, plan->n_conflicts);
  for (size_t i = 0; i < plan->n_conflicts; i++) {
    const hm_conflict_rec *rec = &plan->conflicts[i];
    const hm_dispute *d = plan->disputes[i];
    if (!last || !hm_str_eq(last->project, rec->project))
      project = hm_view_project(v, rec->project, &known);
    last = rec;
    if (project == HM_NONE && (known || v->opt.exclude.n_projects)) continue;
    size_t n = d ? d->n : rec->n_members, shown = 0;
    for (size_t k = 0; k < n; k++)
      shown += d ? hm_view_claim_shown(v, d->parties[k].claim->row, d->parties[k].claim->field, tmp)
                 : hm_view_member_shown(v, &rec->members[k], tmp);
    if (!shown) continue;
    v->conflicts[v->n_conflicts] =
        (hm_vconflict){ .rec = rec, .dispute = d, .project = project, .withheld = n - shown };
    hm_map_add(&v->conflict_at, rec->id, v->n_conflicts);
    v->recs[v->n_conflicts++] = rec;
  }
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
  hm_str *keys = hm_alloc_array(tmp, v->n_conflicts + 1, sizeof *keys);
  hm_piece *pieces = hm_alloc_array(tmp, v->n_projects + 1, sizeof *pieces);
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    keys[i] = v->conflicts[v->by_project[i]].rec->slot_key;
  for (uint32_t p = 0; p <= v->n_projects; p++)
    pieces[p] = (hm_piece){ .from = from[p], .to = from[p + 1] };
  hm_pieces_sort_naturally(keys, v->by_project, pieces, v->n_projects + 1, tmp);
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
    if (f->acked) {
      v->counts.acked++;
      continue;
    }
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

void hm_view_build_conflicts(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  collect_conflicts(v, tmp);
  hm_view_build_conflict_titles(v);
  name_conflicts(v, tmp);
  share_conflicts(v, tmp);
  share_findings(v, tmp);
  hm_arena_free(tmp);
}
