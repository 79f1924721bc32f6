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

/* --- the archive: settled conflicts by year ----------------------------- */

typedef struct { hm_str year; uint32_t conflict; } dated;

static int by_year(const void *x, const void *y) {
  const dated *a = x, *b = y;
  int c = hm_str_cmp(a->year, b->year);
  return c ? c : (a->conflict > b->conflict) - (a->conflict < b->conflict);
}

static void add_archive(listing *l) {
  const hm_view *v = l->v;
  dated *d = hm_alloc_array(l->a, v->n_conflicts + 1, sizeof *d);
  uint32_t *order = hm_alloc_array(l->a, v->n_conflicts + 1, sizeof *order), n = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    if (v->conflicts[i].rec->status != HM_OPEN) d[n++] = (dated){ hm_archive_year(v->conflicts[i].rec, l->a), i };
  qsort(d, n, sizeof *d, by_year);
  for (uint32_t i = 0; i < n; i++) order[i] = d[i].conflict;
  for (uint32_t from = 0, to; from < n; from = to) {
    for (to = from + 1; to < n && hm_str_eq(d[from].year, d[to].year); to++) continue;
    hm_str path = hm_str_fmt(l->a, "conflicts/archive/%.*s.md", HM_FMT(d[from].year));
    hm_page *p = add(l, path, "archive", hm_page_archive, UINT32_MAX, from);
    p->to = to;
    p->data = order;
  }
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
  add(&l, HM_STR("README.md"), "root", hm_page_root, UINT32_MAX, 0);
  add(&l, HM_STR("conflicts/README.md"), "conflicts", hm_page_conflicts, UINT32_MAX, 0);
  for (uint32_t p = 0; p < v->n_projects; p++) add_project(&l, p);
  for (uint32_t i = 0; i < v->n_conflicts; i++) add(&l, v->conflicts[i].path, "conflict", hm_page_conflict, v->conflicts[i].project, i);
  add_archive(&l);
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
