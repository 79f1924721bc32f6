/* What pages there are, and what every page has. */
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "model.h"

typedef struct {
  const hm_view *v;
  hm_arena *a;
  hm_page *pages; size_t n, cap;
} listing;

static hm_page *add(listing *l, hm_str path, const char *tmpl, hm_page_fn *fn, uint32_t project, uint32_t from) {
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 256;
    l->pages = hm_xrealloc(l->pages, l->cap * sizeof *l->pages);
  }
  l->pages[l->n] = (hm_page){ .path = path, .tmpl = tmpl, .model = fn, .project = project, .from = from };
  return &l->pages[l->n++];
}

static hm_str in_folder(listing *l, uint32_t project, const char *name) {
  return hm_str_fmt(l->a, "%.*s%s", HM_FMT(l->v->projects[project].dir), name);
}

static const struct { const char *tmpl; hm_page_fn *fn; } families[] = {
  [HM_MEMORY] = { "memories", hm_page_list }, [HM_ENTITY] = { "entities", hm_page_list },
  [HM_STATE] = { "state", hm_page_state }, [HM_RELATION] = { "relations", hm_page_relations } };

static void add_group(listing *l, uint32_t g) {
  const hm_group *gr = &l->v->groups[g];
  bool log = gr->layer == HM_ENTITY && hm_str_is(gr->key, "decision"), split = gr->p_to - gr->p_from > 1;
  if (split) add(l, gr->path, "parts", hm_page_parts, gr->project, g);
  for (uint32_t i = gr->p_from; i < gr->p_to; i++) {
    add(l, l->v->parts[i].path, families[gr->layer].tmpl, families[gr->layer].fn, gr->project, i);
    if (log && split) add(l, l->v->parts[i].log_path, "decisions", hm_page_decisions, gr->project, i);
  }
}

static void add_project(listing *l, uint32_t p) {
  const hm_vproject *pr = &l->v->projects[p];
  bool layers[5] = { false };
  add(l, in_folder(l, p, "README.md"), "overview", hm_page_overview, p, 0);
  add(l, in_folder(l, p, "decisions.md"), "decisions", hm_page_decisions_index, p, 0);
  for (uint32_t g = pr->g_from; g < pr->g_to; g++) {
    layers[l->v->groups[g].layer] = true;
    add_group(l, g);
  }
  if (layers[HM_ENTITY]) add(l, in_folder(l, p, "entities/README.md"), "entities_index", hm_page_entities_index, p, 0);
  if (layers[HM_MEMORY]) add(l, in_folder(l, p, "memories/README.md"), "memories_index", hm_page_memories_index, p, 0);
  for (uint32_t i = pr->s_from; i < pr->s_to; i++) add(l, l->v->subsystem_path[i], "subsystem", hm_page_subsystem, p, i);
}

/* --- lists of conflicts -------------------------------------------------- */

static void add_parts(listing *l, const hm_clist *list, const char *tmpl, hm_page_fn *fn) {
  for (uint32_t i = 0; i < list->n; i++) add(l, list->parts[i].path, tmpl, fn, UINT32_MAX, i)->data = list;
}

static void add_conflicts(listing *l) {
  const hm_clist *open = hm_open_list(l->v, l->a);
  add(l, open->path, "conflicts", hm_page_conflicts, UINT32_MAX, 0)->data = open;
  if (open->n > 1) add_parts(l, open, "conflicts_part", hm_page_conflicts_part);
  uint32_t n;
  const hm_clist *years = hm_archive_lists(l->v, l->a, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (years[i].n > 1) add(l, years[i].path, "parts", hm_page_archive_index, UINT32_MAX, 0)->data = &years[i];
    add_parts(l, &years[i], "archive", hm_page_archive);
  }
  for (uint32_t i = 0; i < l->v->n_conflicts; i++)
    add(l, l->v->conflicts[i].path, "conflict", hm_page_conflict, l->v->conflicts[i].project, i);
}

static int by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_page *)x)->path, ((const hm_page *)y)->path);
}

static int raw_by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_raw_file *)x)->path, ((const hm_raw_file *)y)->path);
}

static int check_unique(const hm_pages *p, hm_err *err) {
  for (size_t i = 1; i < p->n; i++)
    if (hm_str_eq(p->pages[i - 1].path, p->pages[i].path))
      return hm_failf(err, HM_E_INTERNAL, "pages", "please report this", "two pages have the path %.*s", HM_FMT(p->pages[i].path));
  return 0;
}

int hm_pages_of(const hm_view *v, hm_arena *a, hm_pages **out, hm_err *err) {
  listing l = { .v = v, .a = a };
  const hm_clist *projects = hm_project_list(v, a);
  add(&l, projects->path, "root", hm_page_root, UINT32_MAX, 0)->data = projects;
  if (projects->n > 1) add_parts(&l, projects, "projects_part", hm_page_projects_part);
  for (uint32_t p = 0; p < v->n_projects; p++) add_project(&l, p);
  add_conflicts(&l);
  hm_pages *p = hm_alloc(a, sizeof *p);
  p->n = l.n;
  p->pages = hm_alloc_array(a, l.n, sizeof *p->pages);
  memcpy(p->pages, l.pages, l.n * sizeof *p->pages);
  free(l.pages);
  qsort(p->pages, p->n, sizeof *p->pages, by_path);
  hm_raws_of(v, a, p);
  qsort(p->raws, p->n_raws, sizeof *p->raws, raw_by_path);
  *out = p;
  return check_unique(p, err);
}

/* --- what every page has ------------------------------------------------ */

static void crumb(hm_pm *m, hm_tv *list, hm_str name, hm_str path) {
  hm_tv *c = hm_tv_obj(m->a);
  hm_tv_push(list, c);
  hm_tv_set_bool(c, "last", false);
  hm_tv_set_text(c, "name", hm_link_label(m->a, name, 60));
  hm_tv_set_url(c, "url", hm_path_link(m->a, m->p->path, path, HM_EMPTY));
}

/* The way down to this page, without it: mirror / project / list. */
static void crumbs(hm_pm *m, hm_tv *model) {
  hm_tv *list = hm_pm_list(m, model, "breadcrumbs");
  bool root = hm_str_is(m->p->path, "README.md");
  hm_tv_set_bool(model, "is_root", root);
  hm_tv_set_bool(model, "has_breadcrumbs", !root);
  if (root) return;
  crumb(m, list, m->v->opt.title, HM_STR("README.md"));
  if (hm_str_starts(m->p->path, "conflicts/")) {
    if (!hm_str_is(m->p->path, "conflicts/README.md")) crumb(m, list, HM_STR("Conflicts"), HM_STR("conflicts/README.md"));
    return;
  }
  if (m->p->project == UINT32_MAX) return;
  const hm_vproject *p = &m->v->projects[m->p->project];
  hm_str overview = hm_str_fmt(m->a, "%.*sREADME.md", HM_FMT(p->dir));
  if (!hm_str_eq(overview, m->p->path)) crumb(m, list, p->label, overview);
}

int hm_page_model(const hm_view *v, const hm_page *p, hm_arena *a, hm_tv **out, hm_err *err) {
  hm_pm m = { .v = v, .p = p, .a = a };
  hm_tv *model = hm_tv_obj(a);
  *out = model;
  hm_tv_set(model, "root", hm_tv_raw(a, hm_path_root(a, p->path)));
  hm_tv_set(model, "path", hm_tv_raw(a, p->path));
  hm_tv_set(model, "kind", hm_tv_raw(a, hm_str_c(p->tmpl)));
  crumbs(&m, model);
  if (p->model(&m, model, err)) return hm_err_within(err, "page %.*s", HM_FMT(p->path));
  hm_str digest = hm_str_fmt(a, "%012llx", (unsigned long long)(m.hash >> 16));
  hm_tv_set(model, "inputs_digest", hm_tv_raw(a, digest));
  hm_tv_set(model, "generated", hm_tv_raw(a, hm_str_fmt(a, "Generated by hmirror from facts with digest %.*s. Edits here are overwritten.", HM_FMT(digest))));
  return 0;
}
