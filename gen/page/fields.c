/* Fields of entities as a table, for sections of the overview. */
#include <string.h>

#include "model.h"

/* The elements of each type's slot: they say what a value is about, not what it is. Written as X,
 * X_id or X_name. */
static const struct { const char *type; const char *names[3]; } elements[] = {
  { "decision", { "decision_target", "decision_field" } },
  { "requirement", { "requirement_key" } },
  { "constraint", { "constraint_target", "constraint_kind" } },
  { "material", { "component" } },
  { "parameter", { "parameter_scope", "parameter" } },
  { "analysismodel", { "subsystem", "model" } },
  { "result", { "analysis_model", "result_key" } },
  { "validationclaim", { "claim_key" } },
  { "component", { "subsystem", "component" } },
  { "subsystem", { "subsystem" } },
};

static bool is_named(hm_str property, const char *element) {
  if (!hm_str_starts(property, element)) return false;
  hm_str rest = hm_str_sub(property, strlen(element), property.n);
  return rest.n == 0 || hm_str_is(rest, "_id") || hm_str_is(rest, "_name");
}

bool hm_is_element(const hm_group *g, hm_str property) {
  for (size_t t = 0; t < sizeof elements / sizeof *elements; t++) {
    if (!hm_str_is(g->key, elements[t].type)) continue;
    for (size_t i = 0; i < 3 && elements[t].names[i]; i++)
      if (is_named(property, elements[t].names[i])) return true;
  }
  return false;
}

typedef struct { hm_pm *m; const hm_group *g; hm_tv *rows; uint32_t row; int *left; } table;

static hm_tv *table_row(table *t, hm_str name) {
  hm_tv *item = hm_pm_item(t->m, t->rows);
  hm_pm_row_fields(t->m, item, t->row);
  hm_pm_text(t->m, item, "name", hm_short(t->m->a, name, 120));
  hm_pm_text(t->m, item, "source", hm_pm_sources(t->m, t->row));
  hm_pm_flag(t->m, item, "v", false);
  return item;
}

static void add_row(table *t) {
  bool any = false;
  const hm_json *props = hm_view_props(t->m->v, t->row, t->m->a);
  size_t left = hm_view_props_fit(t->m->v, t->row, props, t->m->a);
  for (const hm_json *p = props ? props->child : NULL; p && left; p = p->next, left--) {
    bool marked = hm_view_mark(t->m->v, t->row, p->key) != HM_NONE;
    if (!marked && (p->type == HM_JSON_NULL || hm_is_element(t->g, p->key))) continue;
    hm_pm_value(t->m, table_row(t, p->key), "v", hm_json_text(p, t->m->a), t->row, p->key);
    any = true;
  }
  if (!any) table_row(t, HM_EMPTY);
}

static void add_group(hm_pm *m, hm_tv *section, hm_tv *rows, hm_tv *lists, const hm_group *g,
                      int *left, bool first) {
  table t = { .m = m, .g = g, .rows = rows, .left = left };
  hm_tv *list = hm_pm_item(m, lists);
  hm_pm_text(m, list, "label", hm_group_title(m, g));
  hm_pm_url(m, list, "url", g->path, HM_EMPTY);
  hm_pm_raw(m, list, "sep", first ? HM_STR(" ") : HM_STR(" · "));
  size_t end = hm_pm_section(m);
  const uint32_t *order = hm_pm_rows(m, g, g->active <= *left);
  for (uint32_t i = g->from; i < g->to; i++) {
    if (m->v->snap->rows[order[i]].status != HM_ACTIVE) continue;
    if ((*left)-- <= 0 || hm_pm_is_full(m, end)) {
      *left = 0;
      hm_pm_flag(m, section, "more", true);
      return;
    }
    t.row = order[i];
    if (!hm_pm_whole_row(m, t.row)) add_row(&t);
  }
}

void hm_pm_fields(hm_pm *m, hm_tv *model, const char *key, uint32_t project,
                  bool (*want)(const hm_group *g)) {
  const hm_vproject *p = &m->v->projects[project];
  hm_tv *section = hm_pm_obj(m, model, key), *rows = hm_pm_list(m, section, "rows"),
        *lists = hm_pm_list(m, section, "lists");
  int left = HM_SHOWN;
  hm_pm_flag(m, section, "more", false);
  bool any = false, first = true;
  for (uint32_t i = p->g_from; i < p->g_to; i++) {
    const hm_group *g = &m->v->groups[i];
    if (g->layer != HM_ENTITY || !want(g) || g->active + g->history == 0) continue;
    any = any || g->active > 0;
    add_group(m, section, rows, lists, g, &left, first);
    first = false;
  }
  hm_pm_bool(m, section, "any", any);
}
