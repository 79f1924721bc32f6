/* Links of a row to others, and of others to it, as lines. A row that is left out has no link here;
 * one that is in dispute is marked. */
#include "model.h"

bool hm_edge_is_link(const hm_edge *e) {
  return e->kind == HM_EDGE_LINK_OUT || e->kind == HM_EDGE_LINK_IN;
}

void hm_pm_link_line(hm_pm *m, hm_tv *lines, const hm_edge *e) {
  hm_tv *line = hm_pm_line(m, lines, "");
  hm_pm_short(m, line, "name", m->v->snap->links[e->via].rel, 80);
  hm_tv *rel = hm_pm_obj(m, line, "rel");
  hm_pm_bool(m, rel, "out", e->kind == HM_EDGE_LINK_OUT);
  hm_pm_bool(m, rel, "link", true);
  hm_pm_row_marks(m, rel, e->other);
  hm_pm_bool(m, rel, "claim_kind", false);
  hm_tv *ref = hm_pm_item(m, hm_pm_list(m, line, "refs"));
  hm_pm_row_fields(m, ref, e->other);
  hm_pm_text(m, ref, "note", HM_EMPTY);
  hm_pm_raw(m, ref, "sep", HM_STR(" "));
}

void hm_pm_more_links(hm_pm *m, hm_tv *lines) {
  hm_pm_line_text(m, lines, "More links", HM_STR("hmirror neighbors lists them all"));
}

void hm_pm_link_lines(hm_pm *m, hm_tv *lines, uint32_t row) {
  int left = HM_REFS;
  for (uint32_t i = m->v->edge_from[row]; i < m->v->edge_from[row + 1] && left >= 0; i++) {
    if (!hm_edge_is_link(&m->v->edges[i])) continue;
    if (left-- > 0) hm_pm_link_line(m, lines, &m->v->edges[i]);
    else hm_pm_more_links(m, lines);
  }
}
