/* Rows to lists: by project, by kind, in the order in which pages show them.
 * Linear but for the sort inside each list. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/claim/claim.h"
#include "view_private.h"

/* A kind is a layer and what its rows are listed by; it has a number, so that rows are put together by numbers. */
typedef struct {
  hm_view *v;
  hm_arena *tmp;
  hm_map types;              /* type as written -> its kind */
  hm_map kind_of;            /* layer and key -> kind */
  hm_str *keys; uint32_t n_kinds, cap_kinds;   /* key of each kind */
  uint32_t *years;           /* kind of each year, and of none */
  uint32_t plain[HM_RELATION + 1];   /* kind of layers with one list */
  hm_map groups;             /* project and kind -> index */
  uint32_t cap_groups;
  uint32_t *group_of;        /* row -> group or HM_NONE */
} grouping;

/* The kind with this key, which is kept; types that fold alike share one. */
static uint32_t kind_new(grouping *g, hm_layer layer, hm_str key) {
  hm_str parts[] = { { (const char *)&layer, sizeof layer }, key };
  uint32_t kind = hm_map_add(&g->kind_of, hm_str_join(g->tmp, parts, 2), g->n_kinds);
  if (kind < g->n_kinds) return kind;
  if (g->n_kinds == g->cap_kinds) {
    g->cap_kinds = g->cap_kinds ? 2 * g->cap_kinds : 64;
    g->keys = hm_xrealloc(g->keys, g->cap_kinds * sizeof *g->keys);
  }
  g->keys[g->n_kinds++] = key;
  return kind;
}

static uint32_t type_kind(grouping *g, hm_str type) {
  uint32_t kind = hm_map_get(&g->types, type);
  if (kind == HM_NONE) kind = hm_map_add(&g->types, type, kind_new(g, HM_ENTITY, hm_entity_type_key(g->v->a, type)));
  return kind;
}

static uint32_t year_kind(grouping *g, uint16_t year) {
  if (g->years[year] == HM_NONE)
    g->years[year] = kind_new(g, HM_MEMORY, year == HM_UNDATED ? HM_STR("undated") : hm_str_fmt(g->v->a, "%04d", year));
  return g->years[year];
}

static uint32_t kind_of(grouping *g, uint32_t row) {
  const hm_row *r = &g->v->snap->rows[row];
  if (r->layer == HM_ENTITY) return type_kind(g, r->type);
  if (r->layer == HM_MEMORY) return year_kind(g, g->v->seen[row].year);
  if (g->plain[r->layer] == HM_NONE) g->plain[r->layer] = kind_new(g, r->layer, HM_EMPTY);
  return g->plain[r->layer];
}

static uint32_t group_new(grouping *g, uint32_t project, hm_layer layer, hm_str key, hm_str title) {
  hm_view *v = g->v;
  if (v->n_groups == g->cap_groups) {
    g->cap_groups = g->cap_groups ? 2 * g->cap_groups : 256;
    v->groups = hm_xrealloc(v->groups, g->cap_groups * sizeof *v->groups);
  }
  v->groups[v->n_groups] = (hm_group){ .project = project, .layer = layer, .key = key, .title = title,
                                       .kind = layer == HM_ENTITY ? hm_page_kind(key) : NULL };
  return v->n_groups++;
}

static uint32_t group_at(grouping *g, uint32_t project, uint32_t row) {
  const hm_row *r = &g->v->snap->rows[row];
  uint32_t pair[] = { project, kind_of(g, row) };
  hm_str key = { (const char *)pair, sizeof pair };
  uint32_t at = hm_map_get(&g->groups, key);
  if (at != HM_NONE) return at;
  at = group_new(g, project, r->layer, g->keys[pair[1]], r->type);
  hm_map_add(&g->groups, hm_str_dup(g->tmp, key), at);
  return at;
}

static void count_row(hm_group *gr, const hm_row *r) {
  if (r->status == HM_CANDIDATE) gr->candidates++;
  else if (r->status == HM_ACTIVE) gr->active++;
  else gr->history++;
}

static void assign(grouping *g) {
  hm_view *v = g->v;
  for (uint32_t i = 0; i < v->snap->n_rows; i++) {
    const hm_row *r = &v->snap->rows[i];
    uint32_t project = v->hidden[i] ? HM_NONE : v->project_of[v->seen[i].home];
    g->group_of[i] = project == HM_NONE ? HM_NONE : group_at(g, project, i);
    if (g->group_of[i] == HM_NONE) continue;
    hm_group *gr = &v->groups[g->group_of[i]];
    count_row(gr, r);
    if (hm_str_cmp(r->type, gr->title) < 0) gr->title = r->type;
    if (r->status == HM_CANDIDATE) g->group_of[i] = HM_NONE;
  }
}

/* State before entities before memories before relations, then by key. */
static int layer_rank(hm_layer l) {
  static const int rank[] = { 9, 2, 1, 0, 3 };
  return rank[l];
}

static int group_cmp(const hm_group *x, const hm_group *y) {
  if (x->project != y->project) return x->project < y->project ? -1 : 1;
  if (x->layer != y->layer) return layer_rank(x->layer) - layer_rank(y->layer);
  return hm_str_cmp(x->key, y->key);
}

static int by_group(const void *x, const void *y, void *groups) {
  const hm_group *all = groups;
  return group_cmp(&all[*(const uint32_t *)x], &all[*(const uint32_t *)y]);
}

static void sort_groups(grouping *g) {
  hm_view *v = g->v;
  uint32_t *perm = hm_alloc_array(g->tmp, v->n_groups + 1, sizeof *perm);
  uint32_t *place = hm_alloc_array(g->tmp, v->n_groups + 1, sizeof *place);
  for (uint32_t i = 0; i < v->n_groups; i++) perm[i] = i;
  qsort_r(perm, v->n_groups, sizeof *perm, by_group, v->groups);
  hm_group *sorted = hm_alloc_array(v->a, v->n_groups + 1, sizeof *sorted);
  for (uint32_t i = 0; i < v->n_groups; i++) {
    sorted[i] = v->groups[perm[i]];
    place[perm[i]] = i;
  }
  free(v->groups);
  v->groups = sorted;
  for (size_t i = 0; i < v->snap->n_rows; i++)
    if (g->group_of[i] != HM_NONE) g->group_of[i] = place[g->group_of[i]];
}

static void fill(grouping *g) {
  hm_view *v = g->v;
  uint32_t at = 0;
  for (uint32_t i = 0; i < v->n_groups; i++) {
    v->groups[i].from = v->groups[i].to = at;
    at += (uint32_t)(v->groups[i].active + v->groups[i].history);
  }
  v->n_listed = at;
  v->listed = hm_alloc_array(v->a, at + 1, sizeof *v->listed);
  for (uint32_t i = 0; i < v->snap->n_rows; i++)
    if (g->group_of[i] != HM_NONE) v->listed[v->groups[g->group_of[i]].to++] = i;
}

static void projects_of_groups(hm_view *v) {
  for (uint32_t i = 0, p = 0; p < v->n_projects; p++) {
    v->projects[p].g_from = i;
    for (; i < v->n_groups && v->groups[i].project == p; i++) {
      v->projects[p].active[v->groups[i].layer] += v->groups[i].active;
      v->projects[p].candidates += v->groups[i].candidates;
    }
    v->projects[p].g_to = i;
  }
}

static void grouping_init(grouping *g, hm_view *v) {
  *g = (grouping){ .v = v, .tmp = hm_arena_new() };
  hm_map_init(&g->types, g->tmp, 64);
  hm_map_init(&g->kind_of, g->tmp, 64);
  hm_map_init(&g->groups, g->tmp, 1024);
  g->years = hm_alloc_array(g->tmp, HM_UNDATED + 1, sizeof *g->years);
  memset(g->years, 0xff, (HM_UNDATED + 1) * sizeof *g->years);
  memset(g->plain, 0xff, sizeof g->plain);
  g->group_of = hm_alloc_array(g->tmp, v->snap->n_rows + 1, sizeof *g->group_of);
}

void hm_view_groups(hm_view *v) {
  grouping g;
  grouping_init(&g, v);
  assign(&g);
  sort_groups(&g);
  fill(&g);
  projects_of_groups(v);
  free(g.keys);
  hm_arena_free(g.tmp);
}

const hm_group *hm_view_group(const hm_view *v, uint32_t project, hm_layer layer, hm_str key) {
  const hm_vproject *p = &v->projects[project];
  hm_group want = { .project = project, .layer = layer, .key = key };
  uint32_t lo = p->g_from, hi = p->g_to;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    int c = group_cmp(&v->groups[mid], &want);
    if (c == 0) return &v->groups[mid];
    if (c < 0) lo = mid + 1;
    else hi = mid;
  }
  return NULL;
}
