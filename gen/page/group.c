/* Rows to lists: by project, by kind. Linear but for the sort of each project's lists. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "view_private.h"

/* One core's own. */
typedef struct {
  hm_arena *a;               /* what becomes part of the view */
  uint32_t *met,
      *place; /* of each kind: the project in which it was met last, from 1, and its list there */
  hm_group *groups;
  uint32_t n, cap; /* of the projects that this core did; a project's stand together */
} grouper;

typedef struct {
  int core;
  uint32_t from, n;
} made; /* lists of a project: groups[from, from + n) of that core */

typedef struct { hm_view *v; grouper *cores; made *of; } grouping;

static hm_str kind_key(const hm_view *v, uint32_t kind, hm_layer layer, hm_arena *a) {
  if (layer == HM_ENTITY) return v->types[kind - HM_KIND_TYPES];
  if (layer != HM_MEMORY) return HM_EMPTY;
  return kind == HM_KIND_YEARS + HM_UNDATED ? HM_STR("undated")
                                            : hm_str_fmt(a, "%04u", kind - HM_KIND_YEARS);
}

/* from: the kind, until the lists are filled. */
static void group_new(const hm_view *v, grouper *g, uint32_t project, const hm_row *r,
                      uint32_t kind) {
  if (g->n == g->cap)
    g->groups = hm_xrealloc(g->groups, (g->cap = g->cap ? 2 * g->cap : 256) * sizeof *g->groups);
  hm_str key = kind_key(v, kind, r->layer, g->a);
  const hm_page_type *known = r->layer == HM_ENTITY ? hm_page_kind(key) : NULL;
  g->groups[g->n++] = (hm_group){ .project = project,
                                  .layer = r->layer,
                                  .key = key,
                                  .kind = known,
                                  .from = kind,
                                  .title = r->layer == HM_ENTITY && !known ? r->type : HM_EMPTY };
}

static void find_groups(const hm_view *v, grouper *g, uint32_t project, const uint32_t *rows,
                        uint32_t n) {
  uint32_t first = g->n;
  for (uint32_t i = 0; i < n; i++) {
    if (v->hidden[rows[i]]) continue;
    hm_seen x = v->seen[rows[i]];
    if (g->met[x.kind] != project + 1) {
      g->met[x.kind] = project + 1;
      g->place[x.kind] = g->n - first;
      group_new(v, g, project, &v->snap->rows[rows[i]], x.kind);
    }
    hm_group *gr = &g->groups[first + g->place[x.kind]];
    gr->candidates += x.candidate;
    gr->active += x.active;
    gr->history += !x.candidate && !x.active;
    bool invented = gr->layer == HM_ENTITY && !gr->kind;
    if (invented && hm_str_cmp(v->snap->rows[rows[i]].type, gr->title) < 0)
      gr->title = v->snap->rows[rows[i]].type;
  }
}

/* --- their order ------------------------------------------------------------ */

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

static int by_group(const void *x, const void *y) { return group_cmp(x, y); }

/* Lists get their room in the place of their project's rows, which begins at `at`. */
static void place_groups(grouper *g, hm_vproject *p, hm_group *groups, uint32_t n, uint32_t at) {
  if (n) qsort(groups, n, sizeof *groups, by_group);
  for (uint32_t i = 0; i < n; i++) {
    g->place[groups[i].from] = i;
    groups[i].from = groups[i].to = at;
    at += (uint32_t)(groups[i].active + groups[i].history);
    p->active[groups[i].layer] += groups[i].active;
    p->candidates += groups[i].candidates;
  }
}

static void fill(hm_view *v, const grouper *g, hm_group *groups, const uint32_t *rows, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!v->hidden[rows[i]] && !v->seen[rows[i]].candidate)
      v->listed[groups[g->place[v->seen[rows[i]].kind]].to++] = rows[i];
}

static int group_project(void *ctx, size_t i, int core) {
  grouping *x = ctx;
  hm_view *v = x->v;
  uint32_t p = (uint32_t)i;
  grouper *g = &x->cores[core];
  uint32_t snap = v->projects[p].snap, at = v->home_from[snap], n = v->home_from[snap + 1] - at,
           first = g->n;
  size_t kinds = HM_KIND_TYPES + v->n_types;
  if (!g->a) {
    g->a = hm_arena_new();
    g->met = hm_alloc_array(g->a, kinds, sizeof *g->met);
    g->place = hm_alloc_array(g->a, kinds, sizeof *g->place);
  }
  find_groups(v, g, p, v->homes + at, n);
  x->of[p] = (made){ core, first, g->n - first };
  place_groups(g, &v->projects[p], g->groups + first, g->n - first, at);
  fill(v, g, g->groups + first, v->homes + at, n);
  return 0;
}

/* --- put together ------------------------------------------------------------ */

static void gather(grouping *x) {
  hm_view *v = x->v;
  uint32_t all = 0;
  for (uint32_t p = 0; p < v->n_projects; p++) all += x->of[p].n;
  v->groups = hm_alloc_array(v->a, all + 1, sizeof *v->groups);
  for (uint32_t p = 0; p < v->n_projects; p++) {
    const made *m = &x->of[p];
    v->projects[p].g_from = v->n_groups;
    if (m->n)
      memcpy(v->groups + v->n_groups, x->cores[m->core].groups + m->from, m->n * sizeof *v->groups);
    v->projects[p].g_to = v->n_groups += m->n;
  }
}

void hm_view_groups(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  int cores = hm_par_cores();
  size_t failed;
  grouping x = { .v = v,
                 .cores = hm_alloc_array(tmp, (size_t)cores, sizeof *x.cores),
                 .of = hm_alloc_array(tmp, v->n_projects + 1, sizeof *x.of) };
  v->listed = hm_alloc_array(v->a, v->snap->n_rows + 1, sizeof *v->listed);
  hm_par_for(v->n_projects, cores, group_project, &x, &failed);
  gather(&x);
  for (int c = 0; c < cores; c++) {
    free(x.cores[c].groups);
    if (x.cores[c].a) hm_arena_take(v->a, x.cores[c].a);
  }
  hm_arena_free(tmp);
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
