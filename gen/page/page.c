/* Lists all pages, and sets what every page's model has. */
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"
#include "model.h"

typedef struct {
  const hm_view *v;
  hm_arena *a;
  hm_page *pages;
  size_t n, cap;
} listing;

static hm_page *add_page(listing *l, hm_str path, const char *tmpl, hm_page_fn *fn,
                         uint32_t project, uint32_t from) {
  if (l->n == l->cap)
    l->pages = hm_xrealloc(l->pages, (l->cap = 2 * l->cap + 256) * sizeof *l->pages);
  l->pages[l->n] =
      (hm_page){ .path = path, .tmpl = tmpl, .model = fn, .project = project, .from = from };
  return &l->pages[l->n++];
}

static void add_group_pages(listing *l, uint32_t at) {
  static const struct {
    const char *tmpl;
    hm_page_fn *fn;
  } families[] = { [HM_MEMORY] = { "memories", hm_page_list },
                   [HM_ENTITY] = { "entities", hm_page_list },
                   [HM_STATE] = { "state", hm_page_state },
                   [HM_RELATION] = { "relations", hm_page_list } };
  const hm_group *g = &l->v->groups[at];
  bool log = g->layer == HM_ENTITY && hm_str_is(g->key, "decision"),
       split = g->p_to - g->p_from > 1;
  for (uint32_t k = 0; split && k <= g->n_more; k++)
    add_page(l, k ? g->more[k - 1] : g->path, "parts", hm_page_parts, g->project, at)->to = k;
  for (uint32_t i = g->p_from; i < g->p_to; i++) {
    const hm_list_part *p = &l->v->parts[i];
    add_page(l, p->path, families[g->layer].tmpl, families[g->layer].fn, g->project, i);
    if (log && split)
      add_page(l, p->log_path, "decisions", hm_page_decisions, g->project, i);
  }
}

static void add_project_pages(listing *l, uint32_t p, const hm_source_list *sources) {
  const hm_vproject *pr = &l->v->projects[p];
  const struct {
    const char *path, *tmpl;
    hm_page_fn *fn;
    bool there;
  } own[] = { { "README.md", "overview", hm_page_overview, true },
              { "decisions.md", "decisions", hm_page_decisions_index, true },
              { "entities/README.md", "entities_index", hm_page_entities_index,
                hm_view_has_layer(l->v, p, HM_ENTITY) },
              { "memories/README.md", "memories_index", hm_page_memories_index,
                hm_view_has_layer(l->v, p, HM_MEMORY) } };
  for (size_t i = 0; i < HM_COUNT(own); i++)
    if (own[i].there)
      add_page(l, HM_CAT(l->a, pr->dir, hm_str_c(own[i].path)), own[i].tmpl, own[i].fn, p, 0)
          ->data = sources;
  if (hm_project_has_changes(l->v, p))
    add_page(l, HM_CAT(l->a, pr->dir, HM_STR("changes.md")), "changes", hm_page_changes, p, 0);
  for (uint32_t g = pr->g_from; g < pr->g_to; g++)
    add_group_pages(l, g);
  for (uint32_t i = pr->s_from; i < pr->s_to; i++)
    add_page(l, l->v->subsystem_path[i], "subsystem", hm_page_subsystem, p, i);
  for (hm_graph_kind k = 0; k < HM_GRAPHS; k++)
    if (pr->graphs[k].edges)
      add_page(l, hm_graph_path(l->v, p, k, l->a), "graph", hm_page_graph, p, k);
  hm_str pictures = hm_pictures_path(l->v, p, l->a);
  if (pictures.n)
    add_page(l, pictures, "pictures", hm_page_pictures, p, 0);
}

/* The page of a list, and those of its parts if it has several. tmpl NULL: only its parts. */
static void add_list_pages(listing *l, const hm_item_list *list, const char *tmpl, hm_page_fn *fn,
                           const char *part_tmpl, hm_page_fn *part_fn) {
  if (tmpl)
    add_page(l, list->path, tmpl, fn, UINT32_MAX, 0)->data = list;
  for (uint32_t i = 0; (list->n > 1 || list->is_apart || !tmpl) && i < list->n; i++)
    add_page(l, list->parts[i].path, part_tmpl, part_fn, UINT32_MAX, i)->data = list;
}

/* The open conflicts in each order, and the settled ones by year. */
static void add_conflict_lists(listing *l, const hm_conflict_index *x) {
  static const struct {
    const char *path, *tmpl;
    hm_page_fn *fn;
  } orders[] = { { "conflicts/newest.md", "conflicts_by_date", hm_page_conflicts_newest },
                 { "conflicts/oldest.md", "conflicts_by_date", hm_page_conflicts_oldest },
                 { "conflicts/by-layer.md", "conflicts_by_layer", hm_page_conflicts_by_layer } };
  const hm_item_list *open = hm_get_open_conflict_list(x), *list;
  add_list_pages(l, open, "conflicts", hm_page_conflicts, "conflicts_part", hm_page_conflicts_part);
  for (size_t i = 0; hm_conflicts_have_other_orders(x) && i < HM_COUNT(orders); i++)
    add_page(l, hm_str_c(orders[i].path), orders[i].tmpl, orders[i].fn, UINT32_MAX, 0)->data = x;
  for (uint32_t i = 0; (list = hm_get_ordered_conflict_list(x, i)) != NULL; i++)
    for (uint32_t k = 0; (list->n > 1 || list->is_apart) && k < list->n; k++)
      add_page(l, list->parts[k].path, "conflicts_part", hm_page_conflicts_part, UINT32_MAX, k)
          ->data = list;
  for (uint32_t i = 0; i < open->n_years; i++)
    add_list_pages(l, &open->years[i], open->years[i].n > 1 ? "parts" : NULL, hm_page_archive_index,
                   "archive", hm_page_archive);
}

static void add_candidate_pages(listing *l, const hm_candidate_index *x) {
  for (uint32_t p = 0; p < l->v->n_projects; p++) {
    const hm_item_list *list = hm_candidate_list(x, p);
    if (!list)
      continue;
    add_page(l, list->path, "candidates", hm_page_candidates, p, 0)->data = x;
    for (uint32_t i = 0; list->n > 1 && i < list->n; i++) {
      hm_page *part = add_page(l, list->parts[i].path, "candidates", hm_page_candidates, p, i);
      part->data = x;
      part->to = 1;
    }
  }
}

static void list_pages(const hm_view *v, const hm_source_list *sources,
                       const hm_candidate_index *candidates, hm_arena *a, hm_pages *p) {
  listing l = { .v = v, .a = a };
  for (uint32_t i = 0; i < v->n_projects; i++)
    add_project_pages(&l, i, sources);
  for (uint32_t i = 0; i < v->n_entities; i++)
    add_page(&l, v->entities[i].path, "entity", hm_page_entity,
             v->groups[v->parts[v->part_of[v->entities[i].row]].group].project, i);
  add_list_pages(&l, hm_project_list_new(v, a), "root", hm_page_root, "projects_part",
                 hm_page_projects_part);
  add_conflict_lists(&l, hm_conflict_index_new(v, a));
  add_candidate_pages(&l, candidates);
  add_list_pages(&l, hm_source_item_list(sources), "sources", hm_page_sources, "sources",
                 hm_page_sources_part);
  if (hm_pictures_path(v, HM_NONE, a).n)
    add_page(&l, hm_pictures_path(v, HM_NONE, a), "pictures", hm_page_pictures, UINT32_MAX, 0);
  add_list_pages(&l, hm_a_to_z_new(v, a), "a_to_z", hm_page_a_to_z, "a_to_z", hm_page_a_to_z_part);
  add_page(&l, HM_STR("glossary.md"), "glossary", hm_page_glossary, UINT32_MAX, 0);
  if (v->opt.search)
    add_page(&l, HM_STR("search.md"), "search", hm_page_search, UINT32_MAX, 0);
  const hm_finding_lists *f = v->finding_lists;
  add_page(&l, HM_STR("findings/README.md"), "findings", hm_page_findings, UINT32_MAX, 0)->data = f;
  for (uint32_t i = 0; i < hm_count_finding_rule_lists(f); i++) {
    const hm_item_list *list = hm_get_finding_rule_list(f, i);
    add_list_pages(&l, list, list->n > 1 ? "parts" : NULL, hm_page_findings_parts, "findings_part",
                   hm_page_findings_part);
  }
  if (v->changes)
    add_page(&l, HM_STR("changes.md"), "changes", hm_page_changes, UINT32_MAX, 0);
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    add_page(&l, v->conflicts[i].path, "conflict", hm_page_conflict, v->conflicts[i].project, i);
  p->pages = hm_alloc_array(a, l.n, sizeof *p->pages);
  memcpy(p->pages, l.pages, l.n * sizeof *p->pages);
  p->n = l.n;
  free(l.pages);
  qsort(p->pages, p->n, sizeof *p->pages, hm_order_str);
}

int hm_list_pages(const hm_view *v, hm_arena *a, hm_pages **out, hm_err *err) {
  hm_pages *p = *out = hm_alloc(a, sizeof *p);
  const hm_source_list *sources = hm_source_list_new(v, a);
  hm_candidate_index *candidates;
  if (hm_candidate_index_new(v, a, &candidates, err))
    return -1;
  list_pages(v, sources, candidates, a, p);
  hm_list_non_page_files(v, sources, a, p);
  qsort(p->raws, p->n_raws, sizeof *p->raws, hm_order_str);
  for (size_t i = 1; i < p->n; i++)
    if (hm_str_eq(p->pages[i - 1].path, p->pages[i].path))
      return hm_failf(err, HM_E_INTERNAL, "pages", "please report this",
                      "two pages have the path %.*s", HM_FMT(p->pages[i].path));
  return 0;
}

/* --- what every page has ------------------------------------------------ */

static void crumb(hm_model *m, hm_node *list, hm_str name, hm_str path) {
  hm_node *c = hm_node_new_obj(m->a);
  hm_node_push(list, c);
  hm_node_set_bool(c, "last", false);
  hm_node_set_text(c, "name", hm_link_label(m->a, name, 60));
  hm_node_set_url(c, "url", hm_path_link(m->a, m->p->path, path, HM_EMPTY));
}

/* The way down to this page, without it: mirror / project / list. */
static void crumbs(hm_model *m, hm_node *top) {
  hm_node *list = hm_node_set_list(top, "breadcrumbs");
  bool root = hm_str_is(m->p->path, "README.md");
  hm_node_set_bool(top, "is_root", root);
  hm_node_set_bool(top, "has_breadcrumbs", !root);
  if (root)
    return;
  crumb(m, list, m->v->opt.title, HM_STR("README.md"));
  static const struct {
    const char *folder, *index, *name;
  } indexes[] = { { "conflicts/", "conflicts/README.md", "Conflicts" },
                  { "findings/", "findings/README.md", "Findings" },
                  { "pictures/", "pictures/README.md", "Pictures" },
                  { "index-a-z/", "index-a-z.md", "A to Z" },
                  { "sources/", "sources/README.md", "Sources" } };
  for (size_t i = 0; i < HM_COUNT(indexes); i++) {
    if (!hm_str_starts(m->p->path, indexes[i].folder))
      continue;
    if (!hm_str_is(m->p->path, indexes[i].index))
      crumb(m, list, hm_str_c(indexes[i].name), hm_str_c(indexes[i].index));
    return;
  }
  if (m->p->project == UINT32_MAX)
    return;
  const hm_vproject *p = &m->v->projects[m->p->project];
  hm_str overview = hm_str_fmt(m->a, "%.*sREADME.md", HM_FMT(p->dir));
  if (!hm_str_eq(overview, m->p->path))
    crumb(m, list, p->label, overview);
}

hm_node *hm_page_model(const hm_view *v, const hm_page *p, hm_arena *a) {
  hm_model m = { .v = v, .p = p, .a = a };
  hm_node *top = hm_node_new_obj(a);
  hm_node_set(top, "root", hm_node_new_raw(a, hm_path_to_root(a, p->path)));
  hm_node_set(top, "path", hm_node_new_raw(a, p->path));
  hm_node_set(top, "kind", hm_node_new_raw(a, hm_str_c(p->tmpl)));
  crumbs(&m, top);
  p->model(&m, top);
  hm_node_set(top, "generated",
              hm_node_new_raw(a,
                              HM_STR("Generated by hmirror from recorded facts. Edits here are "
                                     "overwritten.")));
  return top;
}
