/* One subsystem: what it is, what it is part of, what is in it, and what
 * speaks of it. */
#include "core/base/text.h"
#include "model.h"

enum { NAMED_MAX = 500, SCAN_MAX = 20 * NAMED_MAX, FIELDS_BYTES = 16 << 10 };

static bool is_type(hm_pm *m, uint32_t row, const char *key) {
  return hm_str_is(m->v->groups[m->v->parts[m->v->part_of[row]].group].key, key);
}

static bool is_active(hm_pm *m, uint32_t row) { return m->v->snap->rows[row].status == HM_ACTIVE; }

typedef struct {
  hm_pm *m;
  hm_map seen;
  hm_tv *parents, *children, *components, *named, *history;
  int left, scan;
} around;

static bool first_of(hm_map *seen, hm_arena *a, uint32_t row) {
  hm_str key = { (const char *)&row, sizeof row };
  if (hm_map_get(seen, key) != HM_NONE) return false;
  hm_map_add(seen, hm_str_dup(a, key), 1);
  return true;
}

static bool first_seen(around *s, uint32_t row) { return first_of(&s->seen, s->m->a, row); }

static void ref_item(around *s, hm_tv *list, uint32_t row) {
  hm_tv *item = hm_pm_item(s->m, list);
  hm_pm_row_fields(s->m, item, row);
  hm_str page = hm_view_subsystem_path(s->m->v, row);
  if (page.n) hm_pm_url(s->m, item, "url", page, HM_EMPTY);
}

static hm_str kind_label(hm_pm *m, uint32_t row) {
  const hm_group *g = &m->v->groups[m->v->parts[m->v->part_of[row]].group];
  return g->kind              ? hm_str_c(g->kind->one)
      : g->layer == HM_ENTITY ? hm_short(m->a, g->title, 80)
                              : hm_str_c(hm_layer_kind(g->layer));
}

/* A row stands on the page of each subsystem that it belongs to, so a big one stands there by its
 * name alone. */
static void put_fields(around *s, hm_tv *lines, uint32_t row) {
  if (s->m->v->snap->rows[row].props.n <= FIELDS_BYTES) hm_pm_field_lines(s->m, lines, row);
  else hm_pm_line_text(s->m, lines, "More", HM_STR("see its own entry"));
}

/* The row's fields under a heading of their own. */
static void full_item(around *s, hm_tv *list, uint32_t row) {
  if (s->m->inputs) hm_pm_note(s->m, kind_label(s->m, row));
  if (hm_pm_whole_row(s->m, row)) return;
  hm_tv *item = hm_pm_row_item(s->m, list, row), *lines = hm_pm_list(s->m, item, "lines");
  hm_pm_text(s->m, item, "kind_label", kind_label(s->m, row));
  hm_pm_bool(s->m, item, "past", !is_active(s->m, row));
  put_fields(s, lines, row);
  hm_pm_chain_lines(s->m, lines, row);
  hm_pm_source_line(s->m, lines, row);
}

static void take(around *s, const hm_edge *e, bool out) {
  uint32_t row = e->other;
  if (hm_pm_is_full(s->m, HM_PART_BYTES)) s->left = 0;
  if (row == HM_NONE || s->left <= 0 || !first_seen(s, row)) return;
  s->left--;
  if (!is_active(s->m, row)) full_item(s, s->history, row);
  else if (hm_pm_is_part_of(s->m, e) && is_type(s->m, row, "subsystem"))
    ref_item(s, out ? s->parents : s->children, row);
  else if (hm_pm_is_part_of(s->m, e) && is_type(s->m, row, "component"))
    full_item(s, s->components, row);
  else full_item(s, s->named, row);
}

static bool is_out(hm_edge_kind k) {
  return k == HM_EDGE_REL_OUT || k == HM_EDGE_PART_OUT || k == HM_EDGE_NAME_OUT;
}
static bool is_in(hm_edge_kind k) {
  return k == HM_EDGE_REL_IN || k == HM_EDGE_PART_IN || k == HM_EDGE_NAME_IN;
}

/* What speaks of a component of this subsystem speaks of the subsystem. A component may be part of
 * many subsystems, and be spoken of by many rows, many times: there is an end to what a page looks
 * at. */
static void take_component(around *s, uint32_t component) {
  const hm_view *v = s->m->v;
  for (uint32_t k = v->edge_from[component];
       k < v->edge_from[component + 1] && s->left > 0 && s->scan > 0; k++, s->scan--) {
    const hm_edge *e = &v->edges[k];
    if (is_in(e->kind) && !hm_pm_is_part_of(s->m, e)) take(s, e, false);
  }
}

static void take_components(around *s, uint32_t row) {
  const hm_view *v = s->m->v;
  hm_map expanded;
  hm_map_init(&expanded, s->m->a, 32);
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1]; i++) {
    const hm_edge *e = &v->edges[i];
    if (!is_in(e->kind) || e->other == HM_NONE || !hm_pm_is_part_of(s->m, e) ||
        !is_type(s->m, e->other, "component"))
      continue;
    if (first_of(&expanded, s->m->a, e->other)) take_component(s, e->other);
  }
}

int hm_page_subsystem(hm_pm *m, hm_tv *model, hm_err *err) {
  (void)err;
  const hm_view *v = m->v;
  uint32_t row = v->subsystems[m->p->from];
  hm_str label = hm_view_label(v, row, m->a);
  hm_pm_text(m, model, "heading", label);
  hm_pm_head(m, model, hm_str_fmt(m->a, "%.*s · %.*s", HM_FMT(label),
                            HM_FMT(hm_short(m->a, v->projects[m->p->project].label, 120))), hm_str_fmt(m->a, "The subsystem %.*s", HM_FMT(label)));
  if (!m->inputs) hm_tv_about(model,
              hm_str_fmt(m->a, "entity:%.*s", HM_FMT(hm_short(m->a, v->snap->rows[row].id, 80))));
  around s = { .m = m, .left = NAMED_MAX, .scan = SCAN_MAX };
  hm_map_init(&s.seen, m->a, 32);
  first_seen(&s, row);
  s.parents = hm_pm_list(m, model, "parents");
  s.children = hm_pm_list(m, model, "children");
  s.components = hm_pm_list(m, model, "components");
  s.named = hm_pm_list(m, model, "named");
  s.history = hm_pm_list(m, model, "history");
  if (!hm_pm_whole_row(m, row)) hm_pm_row_lines(m, model, row);
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1]; i++)
    if (is_out(v->edges[i].kind) || is_in(v->edges[i].kind))
      take(&s, &v->edges[i], is_out(v->edges[i].kind));
  take_components(&s, row);
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1]; i++)
    if (v->edges[i].kind == HM_EDGE_OLDER) take(&s, &v->edges[i], false);
  hm_pm_bool(m, model, "more", s.left <= 0 || s.scan <= 0);
  hm_pm_row(m, model, "row", row);
  return 0;
}
