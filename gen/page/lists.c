/* Lists: entity types, years of memories, the state, the relations, and the
 * indexes of what was cut. Every row that is listed anywhere is listed here. */
#include "core/base/text.h"
#include "model.h"

hm_str hm_group_title(hm_pm *m, const hm_group *g) {
  if (g->layer == HM_STATE) return HM_STR("Trusted state");
  if (g->layer == HM_RELATION) return HM_STR("Relations");
  if (g->layer == HM_MEMORY)
    return hm_str_is(g->key, "undated") ? HM_STR("Memories without a date")
                                        : hm_str_fmt(m->a, "Memories of %.*s", HM_FMT(g->key));
  if (g->kind) return hm_str_c(g->kind->many);
  return hm_link_label(m->a, hm_str_trim(g->title).n ? g->title : HM_STR("Without a type"), 120);
}

static void set_title(hm_pm *m, hm_tv *model, hm_str title) {
  hm_str project = hm_short(m->a, m->v->projects[m->p->project].label, 120);
  hm_pm_text(m, model, "heading", title);
  hm_pm_head(m, model, hm_str_fmt(m->a, "%.*s · %.*s", HM_FMT(title), HM_FMT(project)), hm_str_fmt(m->a, "%.*s of %.*s", HM_FMT(title), HM_FMT(project)));
}

/* Heading, and the way back to the index when this is a part of a list. */
static const hm_part *list_head(hm_pm *m, hm_tv *model) {
  const hm_part *p = &m->v->parts[m->p->from];
  const hm_group *g = &m->v->groups[p->group];
  hm_str title = hm_group_title(m, g);
  bool part = p->label.n > 0;
  set_title(m, model,
            part ? hm_str_fmt(m->a, "%.*s: %.*s", HM_FMT(title), HM_FMT(p->label)) : title);
  hm_pm_flag(m, model, "whole", !part);
  if (part) hm_pm_ref(m, model, "index", title, g->path, HM_EMPTY);
  else hm_pm_flag(m, model, "index", false);
  hm_pm_int(m, model, "candidates", part ? 0 : g->candidates);
  hm_pm_bool(m, model, "one_candidate", g->candidates == 1);
  hm_pm_bool(m, model, "empty", p->from == p->to);
  return p;
}

/* Of this part, so that the first history of a long list changes one part of it. */
static bool has_history(hm_pm *m, const hm_part *p) {
  const uint32_t *order = hm_pm_part_rows(m, p);
  uint32_t i = p->from;
  while (i < p->to && m->v->seen[order[i]].active) i++;
  return i < p->to;
}

static hm_str day_of(hm_str created) { return hm_text_cut(hm_str_trim(created), 10); }

static void memory_fields(hm_pm *m, hm_tv *item, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  hm_pm_text(m, item, "type", hm_short(m->a, r->type, 80));
  hm_pm_text(m, item, "day", hm_short(m->a, day_of(r->created_at), 20));
  hm_pm_value(m, item, "v", r->text, row, HM_STR("content"));
}

int hm_page_list(hm_pm *m, hm_tv *model, hm_err *err) {
  (void)err;
  const hm_part *p = list_head(m, model);
  hm_tv *rows = hm_pm_list(m, model, "rows"), *history = hm_pm_list(m, model, "history");
  const uint32_t *order = hm_pm_part_rows(m, p);
  for (uint32_t i = p->from; i < p->to; i++) {
    uint32_t row = order[i];
    if (hm_pm_whole_row(m, row)) continue;
    const hm_row *r = &m->v->snap->rows[row];
    hm_tv *item = hm_pm_row_item(m, r->status == HM_ACTIVE ? rows : history, row);
    if (r->layer == HM_MEMORY) memory_fields(m, item, row);
    else hm_pm_url(m, item, "page", hm_view_subsystem_path(m->v, row), HM_EMPTY);
    hm_pm_row_lines(m, item, row);
  }
  hm_pm_flag(m, model, "has_history", has_history(m, p));
  return 0;
}

/* --- state ------------------------------------------------------------- */

static void state_fields(hm_pm *m, hm_tv *item, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  const hm_row_detail *d = m->v->snap->details ? &m->v->snap->details[row] : NULL;
  hm_pm_value(m, item, "v", hm_pm_state_value(m, row), row, HM_STR("value"));
  hm_pm_text(m, item, "source", hm_pm_sources(m, row));
  hm_pm_text(m, item, "window", hm_pm_window(m, r));
  hm_pm_text(m, item, "confidence", d ? hm_short(m->a, d->confidence, 40) : HM_EMPTY);
  hm_pm_text(m, item, "recorded", hm_short(m->a, r->created_at, 60));
  hm_pm_text(m, item, "id", hm_short(m->a, r->id, 120));
  hm_pm_text(m, item, "category", hm_short(m->a, r->type, 120));
  hm_pm_chain_lines(m, hm_pm_list(m, item, "chain"), row);
}

/* A new heading where the folded category changes. */
int hm_page_state(hm_pm *m, hm_tv *model, hm_err *err) {
  (void)err;
  const hm_part *p = list_head(m, model);
  hm_tv *categories = hm_pm_list(m, model, "categories"),
        *history = hm_pm_list(m, model, "history"), *rows = NULL;
  hm_str last = HM_EMPTY;
  const uint32_t *order = hm_pm_part_rows(m, p);
  for (uint32_t i = p->from; i < p->to; i++) {
    uint32_t row = order[i];
    if (hm_pm_whole_row(m, row)) continue;
    const hm_row *r = &m->v->snap->rows[row];
    hm_tv *list = history;
    if (r->status == HM_ACTIVE) {
      hm_str folded = hm_text_name(m->a, r->type);
      if (!rows || !hm_str_eq(folded, last)) {
        hm_tv *c = hm_pm_item(m, categories);
        hm_pm_text(m, c, "name", r->type.n ? hm_short(m->a, r->type, 120) : HM_STR("No category"));
        rows = hm_pm_list(m, c, "rows");
        last = folded;
      }
      list = rows;
    }
    state_fields(m, hm_pm_row_item(m, list, row), row);
  }
  hm_pm_flag(m, model, "has_history", has_history(m, p));
  return 0;
}

/* --- relations --------------------------------------------------------- */

static void end_ref(hm_pm *m, hm_tv *o, const char *key, hm_str ref) {
  uint32_t row = hm_snapshot_ref(m->v->snap, HM_ENTITY, ref);
  if (row != HM_NONE && hm_view_listed(m->v, row)) hm_pm_row(m, o, key, row);
  else hm_pm_ref(m, o, key, ref, HM_EMPTY, HM_EMPTY);
}

int hm_page_relations(hm_pm *m, hm_tv *model, hm_err *err) {
  (void)err;
  const hm_part *p = list_head(m, model);
  hm_tv *rows = hm_pm_list(m, model, "rows"), *history = hm_pm_list(m, model, "history");
  const uint32_t *order = hm_pm_part_rows(m, p);
  for (uint32_t i = p->from; i < p->to; i++) {
    uint32_t row = order[i];
    if (hm_pm_whole_row(m, row)) continue;
    const hm_row *r = &m->v->snap->rows[row];
    hm_tv *item = hm_pm_row_item(m, r->status == HM_ACTIVE ? rows : history, row);
    hm_pm_text(m, item, "type", hm_short(m->a, r->type.n ? r->type : HM_STR("untyped"), 120));
    end_ref(m, item, "from", r->from);
    end_ref(m, item, "to", r->to);
    hm_pm_row_lines(m, item, row);
  }
  hm_pm_flag(m, model, "has_history", has_history(m, p));
  return 0;
}

/* --- indexes ----------------------------------------------------------- */

static void index_item(hm_pm *m, hm_tv *list, hm_str label, hm_str path, int64_t n,
                       int64_t history) {
  hm_tv *item = hm_pm_item(m, list);
  hm_pm_text(m, item, "label", hm_link_label(m->a, label, 120));
  hm_pm_url(m, item, "url", path, HM_EMPTY);
  hm_pm_int(m, item, "count", n);
  hm_pm_raw(m, item, "count_text", hm_str_fmt(m->a, "%lld", (long long)n));
  hm_pm_raw(m, item, "history_text", hm_str_fmt(m->a, "%lld", (long long)history));
}

int hm_page_parts(hm_pm *m, hm_tv *model, hm_err *err) {
  (void)err;
  const hm_group *g = &m->v->groups[m->p->from];
  set_title(m, model, hm_group_title(m, g));
  hm_tv *parts = hm_pm_list(m, model, "parts");
  const hm_part *p = m->v->parts;
  uint32_t from = g->p_from + m->p->to * HM_INDEX_PARTS, left = g->p_to - from;
  for (uint32_t i = from; i < from + (left < HM_INDEX_PARTS ? left : HM_INDEX_PARTS); i++)
    index_item(m, parts, p[i].label, p[i].path, p[i].to - p[i].from, 0);
  for (uint32_t k = 0; m->p->to == 0 && k < g->n_more; k++) {
    uint32_t first = g->p_from + (k + 1) * HM_INDEX_PARTS, end = first + HM_INDEX_PARTS;
    const hm_part *last = &p[(end < g->p_to ? end : g->p_to) - 1];
    hm_str label = hm_str_fmt(m->a, "%.*s … %.*s", HM_FMT(p[first].label), HM_FMT(last->label));
    index_item(m, parts, label, g->more[k], last->to - p[first].from, 0);
  }
  hm_pm_int(m, model, "candidates", g->candidates);
  hm_pm_bool(m, model, "one_candidate", g->candidates == 1);
  return 0;
}

static int layer_index(hm_pm *m, hm_tv *model, hm_layer layer, hm_str title) {
  const hm_vproject *p = &m->v->projects[m->p->project];
  set_title(m, model, title);
  hm_tv *lists = hm_pm_list(m, model, "lists");
  for (uint32_t i = p->g_from; i < p->g_to; i++) {
    const hm_group *g = &m->v->groups[i];
    if (g->layer == layer)
      index_item(m, lists, hm_group_title(m, g), g->path, g->active, g->history);
  }
  return 0;
}

int hm_page_entities_index(hm_pm *m, hm_tv *model, hm_err *err) {
  (void)err;
  return layer_index(m, model, HM_ENTITY, HM_STR("Entities"));
}

int hm_page_memories_index(hm_pm *m, hm_tv *model, hm_err *err) {
  (void)err;
  return layer_index(m, model, HM_MEMORY, HM_STR("Memories"));
}
