/* A sweep's result to what pages see. */
#include "view_private.h"

#include <stdlib.h>

#include "core/base/text.h"
#include "core/claim/gap.h"

bool hm_view_listed(const hm_view *v, uint32_t row) {
  hm_seen x = v->seen[row];
  return !x.candidate && !v->hidden[row] && v->project_of[x.home] != HM_NONE;
}

static int by_number(const void *x, const void *y) {
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

/* Active Subsystem rows of each project have pages of their own. By number, since a list is in this
 * order or in that. */
static void list_subsystems(hm_view *v) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < v->n_groups; i++)
    if (v->groups[i].layer == HM_ENTITY && hm_str_is(v->groups[i].key, "subsystem"))
      all += (uint32_t)v->groups[i].active;
  v->subsystems = hm_alloc_array(v->a, all + 1, sizeof *v->subsystems);
  for (uint32_t p = 0; p < v->n_projects; p++) {
    const hm_group *g = hm_view_group(v, p, HM_ENTITY, HM_STR("subsystem"));
    v->projects[p].s_from = v->n_subsystems;
    for (uint32_t i = g ? g->from : 0; g && i < g->to; i++)
      if (v->snap->rows[v->listed[i]].status == HM_ACTIVE)
        v->subsystems[v->n_subsystems++] = v->listed[i];
    v->projects[p].s_to = v->n_subsystems;
    qsort(v->subsystems + v->projects[p].s_from, v->n_subsystems - v->projects[p].s_from,
          sizeof *v->subsystems, by_number);
  }
}

static void name_subsystems(hm_view *v) {
  static const char *const reserved[] = { "readme", "index", NULL };
  hm_arena *tmp = hm_arena_new();
  v->subsystem_path = hm_alloc_array(v->a, v->n_subsystems + 1, sizeof *v->subsystem_path);
  hm_map_init(&v->subsystem_at, v->a, v->n_subsystems);
  for (uint32_t p = 0; p < v->n_projects; p++) {
    uint32_t from = v->projects[p].s_from, n = v->projects[p].s_to - from;
    hm_named *names = hm_alloc_array(tmp, n + 1, sizeof *names);
    for (uint32_t i = 0; i < n; i++) {
      const hm_row *r = &v->snap->rows[v->subsystems[from + i]];
      names[i] = (hm_named){ .name = r->name.n ? r->name : r->id, .id = r->id };
    }
    hm_slugs(names, n, reserved, tmp);
    for (uint32_t i = 0; i < n; i++) {
      v->subsystem_path[from + i] = hm_str_fmt(v->a, "%.*ssubsystems/%.*s.md",
                                               HM_FMT(v->projects[p].dir), HM_FMT(names[i].slug));
      hm_map_add(&v->subsystem_at, v->snap->rows[v->subsystems[from + i]].id, from + i);
    }
  }
  hm_arena_free(tmp);
}

hm_str hm_view_subsystem_path(const hm_view *v, uint32_t row) {
  if (v->snap->rows[row].layer != HM_ENTITY || v->hidden[row]) return HM_EMPTY;
  uint32_t i = hm_map_get(&v->subsystem_at, v->snap->rows[row].id);
  return i == HM_NONE ? HM_EMPTY : v->subsystem_path[i];
}

hm_str hm_view_home(const hm_view *v, uint32_t row, hm_arena *a, hm_str *anchor) {
  *anchor = hm_view_anchor(v, row, a);
  return hm_view_listed(v, row) ? v->parts[v->part_of[row]].path : HM_EMPTY;
}

static void count_conflict(hm_view_counts *n, const hm_vconflict *c) {
  n->resolved += c->rec->status == HM_RESOLVED;
  n->dismissed += c->rec->status == HM_DISMISSED;
  n->open_conflicts += c->rec->status == HM_OPEN;
  n->disputed += c->dispute != NULL;
  n->signoff += c->rec->status == HM_OPEN && !c->dispute;
}

static bool is_shown(void *ctx, const hm_claim *c) {
  const hm_view *v = ctx;
  hm_arena *tmp = v->any_hidden ? hm_arena_new() : NULL;
  bool shown = !tmp || hm_view_claim_shown(v, c->row, c->field, tmp);
  if (tmp) hm_arena_free(tmp);
  return shown;
}

/* What is left out neither leaves a gap nor fills one. */
static void count_gaps(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  hm_gap *gaps;
  size_t n;
  hm_gaps_of(v->snap, v->sweep->claims, is_shown, v, tmp, &gaps, &n);
  for (size_t i = 0; i < n; i++) {
    uint32_t p = v->project_of[gaps[i].project];
    if (p == HM_NONE) continue;
    v->projects[p].gaps++;
    v->counts.gaps++;
  }
  hm_arena_free(tmp);
}

void hm_view_count(hm_view *v) {
  hm_view_counts *n = &v->counts;
  n->projects = v->n_projects;
  n->findings = v->n_findings;
  for (uint32_t p = 0; p < v->n_projects; p++) {
    n->candidates += v->projects[p].candidates;
    for (int l = HM_MEMORY; l <= HM_RELATION; l++) n->rows[l] += v->projects[p].active[l];
  }
  for (uint32_t i = 0; i < v->n_conflicts; i++) count_conflict(n, &v->conflicts[i]);
  count_gaps(v);
}

static hm_view_options with_defaults(const hm_view_options *opt) {
  hm_view_options o = *opt;
  if (!o.list_limit) o.list_limit = 500;
  if (!o.value_limit) o.value_limit = 2000;
  if (!o.title.n) o.title = HM_STR("Human Mirror");
  return o;
}

int hm_view_new(const hm_sweep *sweep, const hm_rules *rules, const hm_view_options *opt,
                hm_arena *a, hm_view **out, hm_err *err) {
  hm_view *v = hm_alloc(a, sizeof *v);
  *v = (hm_view){
    .sweep = sweep, .snap = sweep->snap, .rules = rules, .opt = with_defaults(opt), .a = a
  };
  v->project_of = hm_alloc_array(a, v->snap->n_projects + 1, sizeof *v->project_of);
  hm_view_scan(v);
  if (hm_view_exclude(v, err)) return -1;
  hm_view_projects(v);
  hm_view_groups(v);
  hm_view_edges(v);
  hm_view_contests(v);
  hm_view_parts(v);
  hm_view_anchors(v);
  list_subsystems(v);
  name_subsystems(v);
  if (hm_view_past(v, err)) return -1;
  hm_view_longs(v);
  hm_view_count(v);
  *out = v;
  return 0;
}

const hm_view_options *hm_view_options_of(const hm_view *v) { return &v->opt; }
const hm_view_counts *hm_view_counts_of(const hm_view *v) { return &v->counts; }
const hm_sweep *hm_view_sweep(const hm_view *v) { return v->sweep; }
const bool *hm_view_hidden(const hm_view *v) { return v->hidden; }

const hm_conflict_rec **hm_view_conflicts(const hm_view *v, size_t *n) {
  *n = v->n_conflicts;
  return v->recs;
}

hm_str hm_view_project_path(const hm_view *v, hm_str id, hm_arena *a) {
  bool known;
  uint32_t p = hm_view_project(v, id, &known);
  return p == HM_NONE ? HM_EMPTY : hm_str_fmt(a, "%.*sREADME.md", HM_FMT(v->projects[p].dir));
}

const hm_finding **hm_view_findings(const hm_view *v, size_t *n) {
  *n = v->n_findings;
  return v->findings;
}

/* Most often it is one of the plan's, and none before it is left out. */
static const hm_vconflict *published(const hm_view *v, const hm_conflict_rec *c) {
  uintptr_t first = (uintptr_t)v->sweep->plan->conflicts,
            guess = ((uintptr_t)c - first) / sizeof *c;
  if ((uintptr_t)c >= first && guess < v->n_conflicts && v->recs[guess] == c)
    return &v->conflicts[guess];
  for (uint32_t lo = 0, hi = v->n_conflicts; lo < hi;) {
    uint32_t mid = lo + (hi - lo) / 2;
    const hm_conflict_rec *at = v->recs[mid];
    int d = hm_str_cmp(at->slot_key, c->slot_key);
    if (d == 0) d = hm_str_cmp(at->id, c->id);
    if (d == 0) return &v->conflicts[mid];
    if (d < 0) lo = mid + 1;
    else hi = mid;
  }
  return NULL;
}

hm_str hm_view_conflict_path(const hm_view *v, const hm_conflict_rec *c, hm_arena *a) {
  const hm_vconflict *p = published(v, c);
  return p ? hm_str_dup(a, p->path) : HM_EMPTY;
}

hm_str hm_conflict_title(const hm_view *v, const hm_conflict_rec *c, hm_arena *a) {
  const hm_vconflict *p = published(v, c);
  return p ? hm_str_dup(a, p->title) : HM_EMPTY;
}
