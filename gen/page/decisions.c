/* The decision log: what was decided, what superseded what, and why. */
#include "core/base/text.h"
#include "model.h"

enum { OTHERS_SHOWN = 500 };

static void set_title(hm_pm *m, hm_tv *model, hm_str label) {
  hm_str project = hm_short(m->a, m->v->projects[m->p->project].label, 120);
  hm_pm_text(m, model, "heading",
             label.n ? hm_str_fmt(m->a, "Decision log: %.*s", HM_FMT(label))
                     : HM_STR("Decision log"));
  hm_pm_head(m, model, hm_str_fmt(m->a, "Decision log · %.*s", HM_FMT(project)), hm_str_fmt(m->a, "What was decided in %.*s, what superseded what, and why", HM_FMT(project)));
}

static void decision(hm_pm *m, hm_tv *list, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  hm_tv *item = hm_pm_row_item(m, list, row), *lines = hm_pm_list(m, item, "lines");
  if (r->status != HM_ACTIVE)
    hm_pm_line_text(m, lines, "Status", hm_str_c(hm_status_name(r->status)));
  hm_pm_field_lines(m, lines, row);
  hm_pm_chain_lines(m, lines, row);
  for (uint32_t i = m->v->edge_from[row];
       i < m->v->edge_from[row + 1] && i < m->v->edge_from[row] + HM_REFS; i++) {
    const hm_edge *e = &m->v->edges[i];
    if (e->kind != HM_EDGE_REL_OUT || e->other == HM_NONE) continue;
    hm_pm_relation_line(m, lines, e);
  }
  hm_pm_line_text(m, lines, "Recorded", hm_short(m->a, r->created_at, 60));
  hm_pm_source_line(m, lines, row);
}

static void put_part(hm_pm *m, hm_tv *model, const hm_part *p) {
  hm_tv *rows = hm_pm_list(m, model, "rows"), *history = hm_pm_list(m, model, "history");
  bool any = false;
  const uint32_t *order = p ? hm_pm_part_rows(m, p) : NULL;
  for (uint32_t i = p ? p->from : 0; p && i < p->to; i++) {
    bool active = m->v->snap->rows[order[i]].status == HM_ACTIVE;
    any = any || !active;
    if (hm_pm_whole_row(m, order[i])) continue;
    decision(m, active ? rows : history, order[i]);
  }
  hm_pm_flag(m, model, "has_history", any);
}

int hm_page_decisions(hm_pm *m, hm_tv *model, hm_err *err) {
  (void)err;
  const hm_part *p = &m->v->parts[m->p->from];
  set_title(m, model, p->label);
  hm_pm_flag(m, model, "whole", false);
  hm_pm_flag(m, model, "has_parts", false);
  hm_pm_list(m, model, "others");
  hm_pm_flag(m, model, "has_others", false);
  hm_pm_ref(m, model, "index", HM_STR("Decision log"),
            hm_str_fmt(m->a, "%.*sdecisions.md", HM_FMT(m->v->projects[m->p->project].dir)),
            HM_EMPTY);
  put_part(m, model, p);
  return 0;
}

/* --- supersessions outside the decisions ------------------------------------ */

static void other(hm_pm *m, hm_tv *list, uint32_t row, const hm_edge *e) {
  hm_tv *item = hm_pm_item(m, list);
  const hm_row_detail *d = m->v->snap->details ? &m->v->snap->details[row] : NULL;
  uint32_t conflict;
  hm_str why = hm_pm_reason(m, row, e->other, e->via, &conflict);
  hm_pm_row(m, item, "older", row);
  hm_pm_row(m, item, "newer", e->other);
  hm_pm_text(m, item, "day", d ? hm_short(m->a, d->superseded_at, 60) : HM_EMPTY);
  hm_pm_text(m, item, "why", hm_short(m->a, why, 400));
  if (conflict != HM_NONE) hm_pm_because(m, item, conflict);
  else hm_pm_flag(m, item, "by", false);
}

static void put_others(hm_pm *m, hm_tv *model) {
  const hm_view *v = m->v;
  const hm_vproject *p = &v->projects[m->p->project];
  hm_tv *list = hm_pm_list(m, model, "others");
  int left = OTHERS_SHOWN;
  for (uint32_t k = p->g_from; k < p->g_to && left >= 0; k++) {
    const hm_group *g = &v->groups[k];
    if (g->history == 0 || hm_str_is(g->key, "decision")) continue;
    const uint32_t *order = hm_pm_rows(m, g, g->history <= left);
    for (uint32_t i = g->from; i < g->to && left >= 0; i++) {
      uint32_t row = order[i];
      for (uint32_t n = v->edge_from[row]; n < v->edge_from[row + 1]; n++) {
        if (v->edges[n].kind != HM_EDGE_NEWER || v->edges[n].other == HM_NONE) continue;
        if (hm_pm_is_full(m, HM_PART_BYTES)) left = 0;
        if (left-- > 0 && !hm_pm_whole_row(m, row)) other(m, list, row, &v->edges[n]);
        break;
      }
    }
  }
  hm_pm_bool(m, model, "has_others", left < OTHERS_SHOWN);
  hm_pm_bool(m, model, "more_others", left < 0);
}

int hm_page_decisions_index(hm_pm *m, hm_tv *model, hm_err *err) {
  (void)err;
  const hm_view *v = m->v;
  const hm_group *g = hm_view_group(v, m->p->project, HM_ENTITY, HM_STR("decision"));
  set_title(m, model, HM_EMPTY);
  bool whole = !g || g->p_to - g->p_from == 1;
  hm_pm_bool(m, model, "whole", whole);
  hm_pm_flag(m, model, "index", false);
  hm_pm_bool(m, model, "has_parts", !whole);
  hm_tv *parts = hm_pm_list(m, model, "parts");
  uint32_t end = !g || g->p_to - g->p_from < HM_INDEX_PARTS ? g ? g->p_to : 0
                                                            : g->p_from + HM_INDEX_PARTS;
  for (uint32_t i = g ? g->p_from : 0; !whole && i < end; i++) {
    hm_tv *item = hm_pm_item(m, parts);
    hm_pm_text(m, item, "label", hm_link_label(m->a, v->parts[i].label, 120));
    hm_pm_url(m, item, "url", v->parts[i].log_path, HM_EMPTY);
    hm_pm_int(m, item, "count", v->parts[i].to - v->parts[i].from);
  }
  if (g && end < g->p_to) {
    hm_tv *item = hm_pm_item(m, parts);
    hm_pm_text(m, item, "label", HM_STR("all decisions"));
    hm_pm_url(m, item, "url", g->path, HM_EMPTY);
    hm_pm_int(m, item, "count", g->to - g->from);
  }
  put_part(m, model, whole && g ? &v->parts[g->p_from] : NULL);
  put_others(m, model);
  return 0;
}
