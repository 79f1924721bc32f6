/* The front page: the projects, and how much is in doubt. */
#include "core/base/text.h"
#include "model.h"

static void put_project(hm_pm *m, hm_tv *list, const hm_vproject *p) {
  hm_tv *item = hm_pm_item(m, list);
  hm_pm_text(m, item, "label", hm_link_label(m->a, p->label, 120));
  hm_pm_url(m, item, "url", hm_str_fmt(m->a, "%.*sREADME.md", HM_FMT(p->dir)), HM_EMPTY);
  hm_pm_text(m, item, "id", hm_short(m->a, m->v->snap->projects[p->snap].id, 120));
  hm_pm_int(m, item, "state", p->active[HM_STATE]);
  hm_pm_int(m, item, "entities", p->active[HM_ENTITY]);
  hm_pm_int(m, item, "memories", p->active[HM_MEMORY]);
  hm_pm_int(m, item, "relations", p->active[HM_RELATION]);
  hm_pm_int(m, item, "disputed", p->disputed);
  hm_pm_int(m, item, "signoff", p->signoff);
}

static void put_counts(hm_pm *m, hm_tv *model) {
  const hm_view_counts *n = &m->v->counts;
  const struct { const char *key; int64_t n;
  } counts[] = { { "n_projects", n->projects },
                 { "n_state", n->rows[HM_STATE] },
                 { "n_entities", n->rows[HM_ENTITY] },
                 { "n_memories", n->rows[HM_MEMORY] },
                 { "n_relations", n->rows[HM_RELATION] },
                 { "n_candidates", n->candidates },
                 { "n_open", n->open_conflicts },
                 { "n_disputed", n->disputed },
                 { "n_signoff", n->signoff },
                 { "n_resolved", n->resolved },
                 { "n_dismissed", n->dismissed },
                 { "n_findings", n->findings } };
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    hm_pm_int(m, model, counts[i].key, counts[i].n);
}

static void put_findings(hm_pm *m, hm_tv *model) {
  hm_tv *list = hm_pm_list(m, model, "finding_projects");
  int left = HM_SHOWN;
  for (uint32_t p = 0; p < m->v->n_projects && left >= 0; p++) {
    const hm_vproject *pr = &m->v->projects[p];
    if (pr->f_from == pr->f_to || left-- <= 0) continue;
    hm_tv *item = hm_pm_item(m, list);
    hm_pm_text(m, item, "label", hm_link_label(m->a, pr->label, 120));
    hm_pm_url(m, item, "url", hm_str_fmt(m->a, "%.*sREADME.md", HM_FMT(pr->dir)),
              HM_STR("findings"));
    hm_pm_int(m, item, "count", pr->f_to - pr->f_from);
  }
  hm_pm_bool(m, model, "more_findings", left < 0);
}

static void put_projects(hm_pm *m, hm_tv *model, uint32_t from, uint32_t to) {
  hm_tv *projects = hm_pm_list(m, model, "projects");
  for (uint32_t i = from; i < to; i++) put_project(m, projects, &m->v->projects[i]);
}

int hm_page_projects_part(hm_pm *m, hm_tv *model, hm_err *err) {
  (void)err;
  const hm_clist *list = m->p->data;
  const hm_cpart *p = &list->parts[m->p->from];
  hm_str title = hm_str_fmt(m->a, "Projects: %.*s", HM_FMT(p->label));
  hm_pm_text(m, model, "heading", title);
  hm_pm_head(m, model, title, title);
  put_projects(m, model, p->from, p->to);
  return 0;
}

int hm_page_root(hm_pm *m, hm_tv *model, hm_err *err) {
  (void)err;
  hm_pm_text(m, model, "heading", m->v->opt.title);
  hm_pm_head(m, model, m->v->opt.title, HM_STR("What our projects hold true, and where the recorded facts contradict each other"));
  put_counts(m, model);
  const hm_clist *list = m->p->data;
  hm_pm_parts(m, model, list);
  if (list->n == 1) put_projects(m, model, 0, m->v->n_projects);
  put_findings(m, model);
  hm_pm_url(m, model, "conflicts_url", HM_STR("conflicts/README.md"), HM_EMPTY);
  return 0;
}
