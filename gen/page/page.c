/* What pages there are, and what every page has. */
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "model.h"

/* Pages in the order in which they were added. */
typedef struct {
  const hm_view *v;
  hm_arena *a;
  hm_page *pages; size_t n, cap;
} listing;

typedef struct { const hm_page *pages; size_t n; } run;   /* by path */

static hm_page *add(listing *l, hm_str path, const char *tmpl, hm_page_fn *fn, uint32_t project,
                    uint32_t from) {
  if (l->n == l->cap) {
    l->cap = l->cap ? 2 * l->cap : 256;
    l->pages = hm_xrealloc(l->pages, l->cap * sizeof *l->pages);
  }
  l->pages[l->n] =
      (hm_page){ .path = path, .tmpl = tmpl, .model = fn, .project = project, .from = from };
  return &l->pages[l->n++];
}

static hm_str in_folder(listing *l, uint32_t project, const char *name) {
  return hm_str_join(l->a, (hm_str[]){ l->v->projects[project].dir, hm_str_c(name) }, 2);
}

static const struct { const char *tmpl; hm_page_fn *fn; } families[] = {
  [HM_MEMORY] = { "memories", hm_page_list }, [HM_ENTITY] = { "entities", hm_page_list },
  [HM_STATE] = { "state", hm_page_state }, [HM_RELATION] = { "relations", hm_page_relations } };

static void add_group(listing *l, uint32_t g) {
  const hm_group *gr = &l->v->groups[g];
  bool log = gr->layer == HM_ENTITY && hm_str_is(gr->key, "decision"),
       split = gr->p_to - gr->p_from > 1;
  for (uint32_t k = 0; split && k <= gr->n_more; k++)
    add(l, k ? gr->more[k - 1] : gr->path, "parts", hm_page_parts, gr->project, g)->to = k;
  for (uint32_t i = gr->p_from; i < gr->p_to; i++) {
    add(l, l->v->parts[i].path, families[gr->layer].tmpl, families[gr->layer].fn, gr->project, i);
    if (log && split)
      add(l, l->v->parts[i].log_path, "decisions", hm_page_decisions, gr->project, i);
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
  if (layers[HM_ENTITY])
    add(l, in_folder(l, p, "entities/README.md"), "entities_index", hm_page_entities_index, p, 0);
  if (layers[HM_MEMORY])
    add(l, in_folder(l, p, "memories/README.md"), "memories_index", hm_page_memories_index, p, 0);
  for (uint32_t i = pr->s_from; i < pr->s_to; i++)
    add(l, l->v->subsystem_path[i], "subsystem", hm_page_subsystem, p, i);
}

/* --- lists of conflicts -------------------------------------------------- */

static void add_parts(listing *l, const hm_clist *list, const char *tmpl, hm_page_fn *fn) {
  for (uint32_t i = 0; i < list->n; i++)
    add(l, list->parts[i].path, tmpl, fn, UINT32_MAX, i)->data = list;
}

static void add_conflicts(listing *l) {
  const hm_clist *open = hm_open_list(l->v, l->a);
  add(l, open->path, "conflicts", hm_page_conflicts, UINT32_MAX, 0)->data = open;
  if (open->n > 1)
    add_parts(l, open, "conflicts_part", hm_page_conflicts_part);
  uint32_t n;
  const hm_clist *years = hm_archive_lists(l->v, l->a, &n);
  for (uint32_t i = 0; i < n; i++) {
    if (years[i].n > 1)
      add(l, years[i].path, "parts", hm_page_archive_index, UINT32_MAX, 0)->data = &years[i];
    add_parts(l, &years[i], "archive", hm_page_archive);
  }
  for (uint32_t i = 0; i < l->v->n_conflicts; i++) {
    const hm_vconflict *c = &l->v->conflicts[i];
    add(l, c->path, "conflict", hm_page_conflict, c->project, i);
  }
}

/* --- all of them by path ------------------------------------------------- */

static int by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_page *)x)->path, ((const hm_page *)y)->path);
}

/* pages[from, from + n) of that core are the project's, by path. */
typedef struct { int core; size_t from, n; } of_project;

typedef struct { const hm_view *v; listing *cores; of_project *of; } shared;

static int list_project(void *ctx, size_t p, int core) {
  shared *x = ctx;
  listing *l = &x->cores[core];
  if (!l->a) *l = (listing){ .v = x->v, .a = hm_arena_new() };
  size_t from = l->n;
  add_project(l, (uint32_t)p);
  qsort(l->pages + from, l->n - from, sizeof *l->pages, by_path);
  x->of[p] = (of_project){ core, from, l->n - from };
  return 0;
}

static int by_dir(const void *x, const void *y, void *projects) {
  const hm_vproject *p = projects;
  return hm_str_cmp(p[*(const uint32_t *)x].dir, p[*(const uint32_t *)y].dir);
}

/* Steps past what of r is before the page, or all of it, and appends that. */
static void put_before(run *r, const hm_page *page, hm_pages *out) {
  size_t n = 0;
  while (n < r->n && (!page || by_path(&r->pages[n], page) < 0)) n++;
  if (n) memcpy(out->pages + out->n, r->pages, n * sizeof *r->pages);
  out->n += n;
  *r = (run){ r->pages + n, r->n - n };
}

/* A project's pages stand in its folder, and nobody else's there; so they are put in their place
 * all at once. */
static void put_together(const shared *x, run others, hm_arena *tmp, hm_pages *out) {
  uint32_t n = x->v->n_projects, *order = hm_alloc_array(tmp, n + 1, sizeof *order);
  for (uint32_t i = 0; i < n; i++) order[i] = i;
  if (n) qsort_r(order, n, sizeof *order, by_dir, x->v->projects);
  for (uint32_t i = 0; i < n; i++) {
    const of_project *of = &x->of[order[i]];
    run project = { x->cores[of->core].pages + of->from, of->n };
    put_before(&others, project.pages, out);
    put_before(&project, NULL, out);
  }
  put_before(&others, NULL, out);
}

static void list_pages(const hm_view *v, hm_arena *a, hm_pages *out) {
  hm_arena *tmp = hm_arena_new();
  int cores = hm_par_cores();
  size_t failed;
  listing others = { .v = v, .a = a };
  shared x = { v, hm_alloc_array(tmp, (size_t)cores, sizeof *x.cores),
               hm_alloc_array(tmp, v->n_projects + 1, sizeof *x.of) };
  hm_par_for(v->n_projects, cores, list_project, &x, &failed);
  const hm_clist *projects = hm_project_list(v, a);
  add(&others, projects->path, "root", hm_page_root, UINT32_MAX, 0)->data = projects;
  if (projects->n > 1)
    add_parts(&others, projects, "projects_part", hm_page_projects_part);
  add_conflicts(&others);
  qsort(others.pages, others.n, sizeof *others.pages, by_path);
  size_t all = others.n;
  for (int c = 0; c < cores; c++) all += x.cores[c].n;
  out->pages = hm_alloc_array(a, all, sizeof *out->pages);
  put_together(&x, (run){ others.pages, others.n }, tmp, out);
  for (int c = 0; c < cores; c++) {
    free(x.cores[c].pages);
    if (x.cores[c].a) hm_arena_take(a, x.cores[c].a);
  }
  free(others.pages);
  hm_arena_free(tmp);
}

static int raw_by_path(const void *x, const void *y) {
  return hm_str_cmp(((const hm_raw_file *)x)->path, ((const hm_raw_file *)y)->path);
}

static int check_unique(const hm_pages *p, hm_err *err) {
  for (size_t i = 1; i < p->n; i++)
    if (hm_str_eq(p->pages[i - 1].path, p->pages[i].path))
      return hm_failf(err, HM_E_INTERNAL, "pages", "please report this",
                      "two pages have the path %.*s", HM_FMT(p->pages[i].path));
  return 0;
}

int hm_pages_of(const hm_view *v, hm_arena *a, hm_pages **out, hm_err *err) {
  hm_pages *p = hm_alloc(a, sizeof *p);
  list_pages(v, a, p);
  hm_raws_of(v, a, p);
  qsort(p->raws, p->n_raws, sizeof *p->raws, raw_by_path);
  *out = p;
  return check_unique(p, err);
}

/* --- what every page has ------------------------------------------------ */

static void crumb(hm_pm *m, hm_tv *list, hm_str name, hm_str path) {
  if (m->inputs) {
    hm_pm_note(m, hm_str_sub(name, 0, 500));   /* of which 60 bytes are shown */
    return;
  }
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
  hm_pm_flag(m, model, "is_root", root);
  hm_pm_flag(m, model, "has_breadcrumbs", !root);
  if (root) return;
  crumb(m, list, m->v->opt.title, HM_STR("README.md"));
  if (hm_str_starts(m->p->path, "conflicts/")) {
    if (!hm_str_is(m->p->path, "conflicts/README.md"))
      crumb(m, list, HM_STR("Conflicts"), HM_STR("conflicts/README.md"));
    return;
  }
  if (m->p->project == UINT32_MAX) return;
  const hm_vproject *p = &m->v->projects[m->p->project];
  hm_str overview = hm_str_fmt(m->a, "%.*sREADME.md", HM_FMT(p->dir));
  if (!hm_str_eq(overview, m->p->path)) crumb(m, list, p->label, overview);
}

/* What every page of these inputs shows. */
hm_hash128 hm_page_digest(const hm_page_inputs *x, const hm_page *p, hm_arena *scratch,
                          hm_buf *b) {
  hm_err err = { 0 };
  hm_pm m = { .v = hm_inputs_view(x), .p = p, .a = scratch, .inputs = b, .of = x,
              .nothing = hm_tv_obj(scratch) };
  hm_buf_clear(b);
  hm_pm_note(&m, p->path);
  crumbs(&m, m.nothing);
  return p->model(&m, m.nothing, &err) ? (hm_hash128){ 0 } : hm_inputs_sum(x, b);
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
  hm_tv_set(
      model, "generated",
      hm_tv_raw(a,
                hm_str_fmt(
                    a,
                    "Generated by hmirror from facts with digest %.*s. Edits here are overwritten.",
                    HM_FMT(digest))));
  return 0;
}
