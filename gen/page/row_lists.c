/* Groups rows into lists, by project and kind, and sorts each list.
 *
 * Cost: linear without the sorting; a list is sorted when it is first used, since a run that makes
 * few pages needs few lists. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/base/time.h"
#include "core/tree/tree.h"
#include "view_private.h"

/* --- kinds of lists -------------------------------------------------------------------------- */

static const hm_page_type entity_types[] = {
  { "analysismodel", "analysis-model", "Analysis model", "Analysis models" },
  { "artifact", "artifact", "Artifact", "Artifacts" },
  { "component", "component", "Component", "Components" },
  { "constraint", "constraint", "Constraint", "Constraints" },
  { "decision", "decision", "Decision", "Decisions" },
  { "material", "material", "Material", "Materials" },
  { "parameter", "parameter", "Parameter", "Parameters" },
  { "project", "project", "Project", "Project entities" },
  { "requirement", "requirement", "Requirement", "Requirements" },
  { "result", "result", "Result", "Results" },
  { "subsystem", "subsystem", "Subsystem", "Subsystems" },
  { "validationclaim", "validation-claim", "Validation claim", "Validation claims" },
};

const hm_page_type *hm_page_kind(hm_str type_key) {
  for (size_t i = 0; i < HM_COUNT(entity_types); i++)
    if (hm_str_is(type_key, entity_types[i].key))
      return &entity_types[i];
  return NULL;
}

hm_str hm_group_title(const hm_group *g, hm_arena *a) {
  if (g->layer == HM_STATE)
    return HM_STR("Curated state");
  if (g->layer == HM_RELATION)
    return HM_STR("Relations");
  if (g->layer == HM_MEMORY)
    return hm_str_is(g->key, "undated") ? HM_STR("Memories without a date")
                                        : hm_str_fmt(a, "Memories of %.*s", HM_FMT(g->key));
  if (g->kind)
    return hm_str_c(g->kind->many);
  return hm_link_label(a, hm_str_trim(g->title).n ? g->title : HM_STR("Without a type"), 120);
}

/* --- rows to lists --------------------------------------------------------------------------- */

/* Of each kind: the project in which it was met last, from 1, and its list there. */
typedef struct {
  uint32_t project, list;
} last_list;

static hm_group new_group(const hm_view *v, uint32_t project, const hm_row *r, uint32_t kind) {
  hm_group g = { .project = project, .layer = r->layer, .key = HM_EMPTY, .title = HM_EMPTY };
  if (r->layer == HM_MEMORY)
    g.key = kind == HM_KIND_YEARS + HM_UNDATED ? HM_STR("undated")
                                               : hm_str_fmt(v->a, "%04u", kind - HM_KIND_YEARS);
  if (r->layer != HM_ENTITY)
    return g;
  g.key = v->types[kind - HM_KIND_TYPES];
  g.kind = hm_page_kind(g.key);
  if (!g.kind)
    g.title = r->type;
  return g;
}

/* State before entities before memories before relations, then by key. */
static int by_group(const void *x, const void *y) {
  static const int rank[] = { 9, 2, 1, 0, 3 }; /* by layer */
  const hm_group *a = x, *b = y;
  int d = rank[a->layer] - rank[b->layer];
  return d ? d : hm_str_natural_cmp(a->key, b->key);
}

/* The lists of one project, from v->groups[p->g_from] on. They get their room in view.listed at the
 * place of the project's rows. */
static void group_project(hm_view *v, uint32_t project, last_list *kinds, uint32_t *cap) {
  hm_vproject *p = &v->projects[project];
  const uint32_t *rows = v->homes + v->home_from[p->snap];
  uint32_t n = v->home_from[p->snap + 1] - v->home_from[p->snap], at = v->home_from[p->snap];
  p->g_from = v->n_groups;
  for (uint32_t i = 0; i < n; i++) {
    hm_view_row x = v->rows[rows[i]];
    const hm_row *r = &v->snap->rows[rows[i]];
    if (v->hidden[rows[i]])
      continue;
    if (kinds[x.kind].project != project + 1) {
      kinds[x.kind] = (last_list){ project + 1, v->n_groups };
      if (v->n_groups == *cap)
        v->groups = hm_xrealloc(v->groups, (*cap = 2 * *cap + 256) * sizeof *v->groups);
      v->groups[v->n_groups] = new_group(v, project, r, x.kind);
      v->groups[v->n_groups++].from = x.kind;
    }
    hm_group *g = &v->groups[kinds[x.kind].list];
    g->candidates += x.candidate;
    g->active += x.active;
    g->history += !x.candidate && !x.active;
    if (g->layer == HM_ENTITY && !g->kind && hm_str_cmp(r->type, g->title) < 0)
      g->title = r->type;
  }
  p->g_to = v->n_groups;
  if (p->g_to > p->g_from)
    qsort(v->groups + p->g_from, p->g_to - p->g_from, sizeof *v->groups, by_group);
  for (uint32_t i = p->g_from; i < p->g_to; i++) {
    hm_group *g = &v->groups[i];
    kinds[g->from].list = i;
    g->from = g->to = at;
    at += (uint32_t)(g->active + g->history);
    p->active[g->layer] += g->active;
    p->candidates += g->candidates;
  }
  for (uint32_t i = 0; i < n; i++)
    if (!v->hidden[rows[i]] && !v->rows[rows[i]].candidate)
      v->listed[v->groups[kinds[v->rows[rows[i]].kind].list].to++] = rows[i];
}

void hm_view_build_groups(hm_view *v) {
  uint32_t cap = 0;
  hm_arena *tmp = hm_arena_new();
  last_list *kinds = hm_alloc_array(tmp, HM_KIND_TYPES + v->n_types, sizeof *kinds);
  v->listed = hm_alloc_array(v->a, v->snap->n_rows + 1, sizeof *v->listed);
  for (uint32_t p = 0; p < v->n_projects; p++)
    group_project(v, p, kinds, &cap);
  hm_group *groups = hm_alloc_array(v->a, v->n_groups + 1, sizeof *groups);
  if (v->n_groups)
    memcpy(groups, v->groups, v->n_groups * sizeof *groups);
  free(v->groups);
  hm_arena_free(tmp);
  v->groups = groups;
  v->by_bytes = hm_alloc_array(v->a, v->snap->n_rows + 1, sizeof *v->by_bytes);
  v->ordered = hm_alloc_array(v->a, v->snap->n_rows + 1, sizeof *v->ordered);
  v->leading = hm_alloc_array(v->a, v->snap->n_rows + 1, sizeof *v->leading);
}

/* Compares names by their bytes, which are what a reader sees. */
void hm_view_mark_same_names(hm_view *v) {
  hm_arena *tmp = hm_arena_new();
  for (uint32_t p = 0; p < v->n_projects; p++) {
    hm_map first; /* name -> the first row that has it */
    uint32_t n = 0;
    for (uint32_t g = v->projects[p].g_from; g < v->projects[p].g_to; g++)
      if (v->groups[g].layer == HM_ENTITY)
        n += v->groups[g].to - v->groups[g].from;
    if (n < 2)
      continue;
    hm_map_init(&first, tmp, n);
    for (uint32_t g = v->projects[p].g_from; g < v->projects[p].g_to; g++)
      for (uint32_t i = v->groups[g].from; i < v->groups[g].to; i++) {
        uint32_t row = v->listed[i], twin;
        if (v->groups[g].layer != HM_ENTITY || !v->rows[row].active)
          continue;
        twin = hm_map_add(&first, hm_view_label_source(v, row), row);
        if (twin == row)
          continue;
        bool same = v->rows[twin].kind == v->rows[row].kind;
        if (same)
          v->rows[twin].twin_id = v->rows[row].twin_id = true;
        else
          v->rows[twin].twin_type = v->rows[row].twin_type = true;
      }
    hm_arena_reset(tmp);
  }
  hm_arena_free(tmp);
}

bool hm_view_has_layer(const hm_view *v, uint32_t project, hm_layer layer) {
  const hm_vproject *p = &v->projects[project];
  for (uint32_t i = p->g_from; i < p->g_to; i++)
    if (v->groups[i].layer == layer)
      return true;
  return false;
}

const hm_group *hm_view_group(const hm_view *v, uint32_t project, hm_layer layer, hm_str key) {
  const hm_vproject *p = &v->projects[project];
  if (p->g_from == p->g_to)
    return NULL;
  return bsearch(&(hm_group){ .layer = layer, .key = key }, v->groups + p->g_from,
                 p->g_to - p->g_from, sizeof *v->groups, by_group);
}

/* --- the order inside a list --------------------------------------------------------------- */

hm_str hm_view_row_key(const hm_view *v, uint32_t row, hm_arena *a) {
  const hm_row *r = &v->snap->rows[row];
  hm_str nul = { "", 1 };
  hm_time t;
  hm_precision p;
  switch (r->layer) {
    case HM_MEMORY:
      /* Notes by their documents; not by their lines, which a new one moves. */
      if (hm_time_parse(r->created_at, &t, &p))
        return HM_CAT(a, hm_time_iso(a, t), nul, r->id);
      return HM_CAT(a, hm_text_fold_name(a, hm_tree_line_path(hm_row_file_line(r, a))), nul, r->id);
    case HM_STATE:
    case HM_RELATION:
      return HM_CAT(a, hm_text_fold_name(a, r->type), HM_STR("\1"),
                    hm_text_fold_name(a, r->layer == HM_STATE ? r->name : r->from), nul, r->id);
    default:
      return HM_CAT(a, hm_text_fold_name(a, r->name.n ? r->name : r->id), nul, r->id);
  }
}

const uint32_t *hm_view_leading_rows(const hm_view *v, const hm_group *g) {
  bool cut = g->p_to - g->p_from > 1 && g->layer != HM_MEMORY;
  return cut ? v->leading : v->ordered;
}
