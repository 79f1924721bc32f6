/* Lists: entity types, years of memories, the state, the relations, the decision log, and the
 * indexes of split lists. Every fact that is listed anywhere is listed here. A long list begins
 * with places to jump to. Candidates are no facts: each project has a page for them alone. */
#include "core/base/par.h"
#include "core/base/text.h"
#include "core/record/given.h"
#include "core/review/candidates.h"
#include "model.h"

static void set_title(hm_model *m, hm_node *top, hm_str title) {
  hm_str project = hm_shorten(m->a, m->v->projects[m->p->project].label, 120);
  hm_model_set_titles(m, top, title,
                      hm_str_fmt(m->a, "%.*s · %.*s", HM_FMT(title), HM_FMT(project)),
                      hm_str_fmt(m->a, "%.*s of %.*s", HM_FMT(title), HM_FMT(project)));
}

/* before, after: the parts beside this one. */
static void put_neighbours(hm_model *m, hm_node *top, const hm_list_part *p, bool log) {
  const hm_group *g = &m->v->groups[p->group];
  const hm_list_part *first = &m->v->parts[g->p_from], *last = &m->v->parts[g->p_to - 1];
  const struct {
    const char *key;
    const hm_list_part *to;
  } sides[] = { { "before", p > first ? p - 1 : NULL }, { "after", p < last ? p + 1 : NULL } };
  for (size_t i = 0; i < HM_COUNT(sides); i++) {
    if (sides[i].to)
      hm_model_set_ref(m, top, sides[i].key, sides[i].to->label,
                       log ? sides[i].to->log_path : sides[i].to->path, HM_EMPTY);
    else
      hm_node_set_bool(top, sides[i].key, false);
  }
}

/* Heading, and the way back to the index when this is a part of a list. */
static const hm_list_part *list_head(hm_model *m, hm_node *top) {
  const hm_list_part *p = &m->v->parts[m->p->from];
  const hm_group *g = &m->v->groups[p->group];
  hm_str title = hm_group_title(g, m->a);
  bool part = p->label.n > 0;
  set_title(m, top, part ? hm_str_fmt(m->a, "%.*s: %.*s", HM_FMT(title), HM_FMT(p->label)) : title);
  hm_node_set_bool(top, "whole", !part);
  if (part)
    hm_model_set_ref(m, top, "index", title, g->path, HM_EMPTY);
  else
    hm_node_set_bool(top, "index", false);
  put_neighbours(m, top, p, false);
  hm_model_set_candidates(m, top, part ? 0 : g->candidates, m->p->project);
  hm_node_set_bool(top, "empty", p->from == p->to);
  return p;
}

/* Which columns its rows need is known after its last row. */
static void end_category(hm_categories *c) {
  if (!c->item)
    return;
  hm_node_set_bool(c->item, "has_windows", hm_wants_column(c->windows, c->n));
  hm_node_set_bool(c->item, "has_confidences", c->confidences);
  c->n = c->windows = 0;
  c->confidences = false;
}

static hm_node *start_category(hm_model *m, hm_categories *c, uint32_t row) {
  hm_str type = m->v->snap->rows[row].type, folded = hm_text_fold_name(m->a, type);
  if (c->rows && hm_str_eq(folded, c->last))
    return c->rows;
  end_category(c);
  hm_node *item = c->item = hm_model_add_item(m, c->categories);
  hm_model_set_short(m, item, "name", type.n ? type : HM_STR("No category"), 120);
  c->last = folded;
  return c->rows = hm_node_set_list(item, "rows");
}

static void end_ref(hm_model *m, hm_node *o, const char *key, hm_str ref) {
  uint32_t row = hm_snapshot_ref(m->v->snap, HM_ENTITY, ref);
  if (row != HM_NONE && hm_view_listed(m->v, row))
    hm_model_set_row_link(m, o, key, row);
  else
    hm_model_set_ref(m, o, key, ref, HM_EMPTY, HM_EMPTY);
}

static void fill_list_row(hm_model *m, hm_node *item, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  if (r->layer == HM_MEMORY) {
    hm_model_set_short(m, item, "type", r->type, 80);
    hm_model_set_date(m, item, "day",
                      hm_view_origin(m->v, row, HM_STR("content"), NULL, m->a).date);
    hm_model_set_value(m, item, r->text, row, HM_STR("content"));
  } else if (r->layer == HM_RELATION) {
    hm_model_set_short(m, item, "type", r->type.n ? r->type : HM_STR("untyped"), 120);
    end_ref(m, item, "from", r->from);
    end_ref(m, item, "to", r->to);
  } else {
    hm_str page = hm_view_subsystem_path(m->v, row);
    hm_model_set_url(m, item, "page", page.n ? page : hm_view_entity_path(m->v, row), HM_EMPTY);
  }
  hm_model_set_row_lines(m, item, row);
}

static void fill_state_row(hm_model *m, hm_node *item, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  const hm_row_detail *d = hm_view_detail(m->v, row);
  hm_model_set_value(m, item, hm_view_state_value(m->v, row, m->a), row, HM_STR("value"));
  hm_model_set_text(m, item, "source", hm_model_format_sources(m, row));
  hm_model_set_source_url(m, item, d ? d->source_refs : HM_EMPTY, hm_model_row_is_gone(m, row));
  hm_model_set_period(m, item, "window", r);
  hm_model_set_short(m, item, "confidence", d ? d->confidence : HM_EMPTY, 40);
  hm_model_set_date(m, item, "recorded", hm_view_origin(m->v, row, HM_EMPTY, NULL, m->a).date);
  hm_model_set_short(m, item, "id", r->id, 120);
  hm_model_set_short(m, item, "category", r->type, 120);
  hm_model_set_earlier_values(m, item, row);
  hm_model_add_finding_refs(m, hm_node_set_list(item, "findings"), row, HM_STR(" Finding: "));
  hm_node *chain = hm_node_set_list(item, "chain");
  hm_model_add_earlier_values_line(m, chain, row);
  hm_model_add_supersession_lines(m, chain, row);
}

static void fill_decision(hm_model *m, hm_node *item, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  const uint32_t *from = &m->v->edge_from[row];
  hm_node *lines = hm_node_set_list(item, "lines");
  if (r->status != HM_ACTIVE)
    hm_model_add_text_line(m, lines, "Status", hm_view_status_text(m->v, row, m->a));
  hm_model_add_standing_lines(m, lines, row, true);
  hm_model_add_field_lines(m, lines, row);
  hm_model_add_earlier_values_line(m, lines, row);
  hm_model_add_supersession_lines(m, lines, row);
  for (uint32_t i = from[0]; i < from[1] && i < from[0] + HM_REFS; i++)
    if (m->v->edges[i].kind == HM_EDGE_REL_OUT && m->v->edges[i].other != HM_NONE)
      hm_model_add_relation_line(m, lines, &m->v->edges[i]);
  hm_model_add_date_line(m, lines, "Recorded", hm_row_text_date(m->v->snap, row));
  hm_model_add_source_line(m, lines, row);
}

/* --- where a reader jumps to ---------------------------------------------------------------- */
/* The first row of each letter, of each ten of numbers ("PEP 310"), of each month. It follows from
 * the rows that the page shows and their order, which its inputs have. */
enum { FEWEST_ROWS = 25, FEWEST = 3, MOST = 60, HEAD_BYTES = 24 };

/* "PEP 310" of "PEP 312: Simple Implicit Lambda"; empty: no number stands near its beginning. */
static hm_str ten_of(hm_arena *a, hm_str name) {
  size_t from = 0, to;
  uint64_t n = 0;
  while (from < name.n && from < HEAD_BYTES && !hm_is_digit(name.p[from]))
    from++;
  for (to = from; to < name.n && to < from + 9 && hm_is_digit(name.p[to]); to++)
    n = 10 * n + (uint64_t)(name.p[to] - '0');
  if (to == from)
    return HM_EMPTY;
  return hm_str_fmt(a, "%.*s%llu", (int)from, name.p, (unsigned long long)(n / 10 * 10));
}

static hm_str letter_of(hm_arena *a, hm_str name) {
  size_t end = 0;
  if (!name.n)
    return HM_EMPTY;
  hm_text_next(name, &end);
  if (end > 1)
    return hm_str_sub(name, 0, end);
  return hm_str_fmt(a, "%c", hm_ascii_upper(name.p[0]));
}

static hm_str place_of(hm_model *m, uint32_t row, bool numbered) {
  const hm_row *r = &m->v->snap->rows[row];
  hm_str month = hm_str_sub(hm_str_trim(r->created_at), 0, 7);
  if (r->layer == HM_MEMORY)
    return hm_format_date(m->a, month);
  hm_str name = hm_view_label(m->v, row, m->a);
  return numbered ? ten_of(m->a, name) : letter_of(m->a, name);
}

/* The rows that lead a place; at most MOST, or none at all. */
static size_t find_jumps(hm_model *m, const hm_list_part *p, const uint32_t *order, bool numbered,
                         uint32_t *rows, hm_str *labels) {
  size_t n = 0;
  hm_map seen;
  hm_map_init(&seen, m->a, MOST);
  for (uint32_t i = p->from; i < p->to; i++) {
    if (!m->v->rows[order[i]].active)
      continue;
    hm_str place = place_of(m, order[i], numbered);
    if (!place.n)
      return 0;
    if (hm_map_add(&seen, place, (uint32_t)n) != n)
      continue;
    if (n == MOST)
      return 0;
    labels[n] = place;
    rows[n++] = order[i];
  }
  return n < FEWEST ? 0 : n;
}

static void put_jumps(hm_model *m, hm_node *top, const hm_list_part *p, const uint32_t *order) {
  uint32_t rows[MOST], n_active = 0, n_disputed = 0;
  hm_str labels[MOST];
  hm_node *list = hm_node_set_list(top, "jumps");
  uint32_t n_rows = p ? p->to - p->from : 0;
  for (uint32_t i = 0; i < n_rows; i++) {
    uint32_t row = order[p->from + i];
    size_t n_marks;
    if (!m->v->rows[row].active)
      continue;
    hm_view_marks(m->v, row, &n_marks);
    n_active++;
    n_disputed += n_marks > 0;
  }
  hm_model_set_count(m, top, "n_active", n_active);
  hm_model_set_count(m, top, "n_disputed", n_disputed);
  hm_model_set_count(m, top, "n_history", n_rows - n_active);
  size_t n = 0;
  if (n_active >= FEWEST_ROWS)
    n = find_jumps(m, p, order, true, rows, labels);
  if (n_active >= FEWEST_ROWS && !n)
    n = find_jumps(m, p, order, false, rows, labels);
  for (size_t i = 0; i < n; i++) {
    hm_node *item = hm_model_add_item(m, list);
    hm_model_set_text(m, item, "label", hm_link_label(m->a, labels[i], 40));
    hm_model_set_url(m, item, "url", m->p->path, hm_view_anchor(m->v, rows[i], m->a));
    hm_model_set_raw(m, item, "sep", i ? HM_STR(" · ") : HM_STR(" "));
  }
  hm_node_set_bool(top, "has_jumps", n > 0);
}

/* --- lists -------------------------------------------------------------------------------- */

/* The rows of a part, with history in a separate list; NULL: none. Each part says by itself whether
 * it has history, so the first history of a long list changes one part. State is grouped by
 * category. */
static void put_rows(hm_model *m, hm_node *top, const hm_list_part *p,
                     void (*fill)(hm_model *m, hm_node *item, uint32_t row)) {
  hm_categories c = { 0 };
  hm_node *rows = NULL, *history = NULL;
  if (fill == fill_state_row)
    c.categories = hm_node_set_list(top, "categories");
  else
    rows = hm_node_set_list(top, "rows");
  history = hm_node_set_list(top, "history");
  const uint32_t *order = m->v->ordered;
  bool any = false;
  for (uint32_t i = p ? p->from : 0; p && i < p->to; i++) {
    bool active = m->v->rows[order[i]].active;
    const hm_row_detail *d = hm_view_detail(m->v, order[i]);
    any = any || !active;
    hm_node *list = !active ? history : rows ? rows : start_category(m, &c, order[i]);
    c.n += active;
    c.windows += active && hm_row_has_window(&m->v->snap->rows[order[i]]);
    c.confidences = c.confidences || (active && d && d->confidence.n);
    fill(m, hm_model_add_row_item(m, list, order[i]), order[i]);
  }
  hm_node_set_bool(top, "has_history", any);
  end_category(&c);
  put_jumps(m, top, p, order);
}

void hm_page_list(hm_model *m, hm_node *top) { put_rows(m, top, list_head(m, top), fill_list_row); }

void hm_page_state(hm_model *m, hm_node *top) {
  put_rows(m, top, list_head(m, top), fill_state_row);
}

/* --- indexes ----------------------------------------------------------- */

static void index_item(hm_model *m, hm_node *list, hm_str label, hm_str path, int64_t n,
                       int64_t history) {
  hm_node *item = hm_model_add_item(m, list);
  hm_model_set_text(m, item, "label", hm_link_label(m->a, label, 120));
  hm_model_set_url(m, item, "url", path, HM_EMPTY);
  hm_model_set_count(m, item, "count", n);
  hm_model_set_raw(m, item, "count_text", hm_format_grouped_number(m->a, (uint64_t)n));
  hm_model_set_raw(m, item, "history_text", hm_format_grouped_number(m->a, (uint64_t)history));
}

void hm_page_parts(hm_model *m, hm_node *top) {
  const hm_group *g = &m->v->groups[m->p->from];
  set_title(m, top, hm_group_title(g, m->a));
  hm_node *parts = hm_node_set_list(top, "parts");
  const hm_list_part *p = m->v->parts;
  uint32_t from = g->p_from + m->p->to * HM_INDEX_PARTS, left = g->p_to - from;
  for (uint32_t i = from; i < from + (left < HM_INDEX_PARTS ? left : HM_INDEX_PARTS); i++)
    index_item(m, parts, p[i].label, p[i].path, p[i].to - p[i].from, 0);
  for (uint32_t k = 0; m->p->to == 0 && k < g->n_more; k++) {
    uint32_t first = g->p_from + (k + 1) * HM_INDEX_PARTS, end = first + HM_INDEX_PARTS;
    const hm_list_part *last = &p[(end < g->p_to ? end : g->p_to) - 1];
    hm_str label = hm_str_fmt(m->a, "%.*s … %.*s", HM_FMT(p[first].label), HM_FMT(last->label));
    index_item(m, parts, label, g->more[k], last->to - p[first].from, 0);
  }
  hm_model_set_candidates(m, top, g->candidates, m->p->project);
}

static void layer_index(hm_model *m, hm_node *top, hm_layer layer, hm_str title) {
  const hm_vproject *p = &m->v->projects[m->p->project];
  set_title(m, top, title);
  hm_node *lists = hm_node_set_list(top, "lists");
  for (uint32_t i = p->g_from; i < p->g_to; i++) {
    const hm_group *g = &m->v->groups[i];
    if (g->layer == layer)
      index_item(m, lists, hm_group_title(g, m->a), g->path, g->active, g->history);
  }
}

void hm_page_entities_index(hm_model *m, hm_node *top) {
  layer_index(m, top, HM_ENTITY, HM_STR("Entities"));
}

void hm_page_memories_index(hm_model *m, hm_node *top) {
  layer_index(m, top, HM_MEMORY, HM_STR("Memories"));
}

/* --- the decision log ---------------------------------------------------------------------- */

enum { OTHERS_SHOWN = 500 };

static void set_log_title(hm_model *m, hm_node *top, hm_str label) {
  hm_str project = hm_shorten(m->a, m->v->projects[m->p->project].label, 120);
  hm_str heading = HM_STR("Decision log");
  if (label.n)
    heading = HM_CAT(m->a, heading, HM_STR(": "), label);
  hm_model_set_titles(
      m, top, heading, hm_str_fmt(m->a, "%.*s · %.*s", HM_FMT(heading), HM_FMT(project)),
      hm_str_fmt(m->a, "What was decided in %.*s, what superseded what, and why", HM_FMT(project)));
}

void hm_page_decisions(hm_model *m, hm_node *top) {
  const hm_list_part *p = &m->v->parts[m->p->from];
  set_log_title(m, top, p->label);
  hm_node_set_bool(top, "whole", false);
  hm_node_set_bool(top, "has_parts", false);
  hm_node_set_list(top, "others");
  hm_node_set_bool(top, "has_others", false);
  hm_model_set_ref(m, top, "index", HM_STR("Decision log"),
                   hm_str_fmt(m->a, "%.*sdecisions.md", HM_FMT(m->v->projects[m->p->project].dir)),
                   HM_EMPTY);
  put_neighbours(m, top, p, true);
  put_rows(m, top, p, fill_decision);
}

/* --- supersessions outside the decisions ------------------------------------ */

static void put_other_supersession(hm_model *m, hm_node *list, uint32_t row, const hm_edge *e) {
  hm_node *item = hm_model_add_item(m, list);
  const hm_row_detail *d = hm_view_detail(m->v, row);
  uint32_t conflict;
  hm_str why = hm_model_format_reason(m, row, e, &conflict);
  hm_model_set_row_link(m, item, "older", row);
  hm_model_set_row_link(m, item, "newer", e->other);
  hm_model_set_date(m, item, "day", d ? d->superseded_at : HM_EMPTY);
  hm_model_set_short(m, item, "why", why, 400);
  if (conflict != HM_NONE)
    hm_model_set_deciding_conflict(m, item, conflict);
  else
    hm_node_set_bool(item, "by", false);
}

/* Is it one that a reader would call so? A line that only moved says the same; a line of a document
 * that states nothing of now, as the status and the date of a record, was only edited. */
static bool is_told_supersession(const hm_model *m, uint32_t row, uint32_t newer) {
  const hm_row *r = &m->v->snap->rows[row], *by = &m->v->snap->rows[newer];
  if (r->layer != HM_MEMORY || !hm_row_file_line(r, m->a).n)
    return true;
  return !hm_str_is(r->type, "episodic") &&
      !hm_str_eq(hm_text_fold_value(m->a, r->text), hm_text_fold_value(m->a, by->text));
}

static void put_other_supersessions(hm_model *m, hm_node *top) {
  const hm_view *v = m->v;
  const hm_vproject *p = &v->projects[m->p->project];
  hm_node *list = hm_node_set_list(top, "others");
  int left = OTHERS_SHOWN;
  for (uint32_t k = p->g_from; k < p->g_to && left >= 0; k++) {
    const hm_group *g = &v->groups[k];
    if (g->history == 0 || hm_str_is(g->key, "decision"))
      continue;
    const uint32_t *order = hm_view_leading_rows(v, g);
    for (uint32_t i = g->from; i < g->to && left >= 0; i++) {
      uint32_t row = order[i];
      for (uint32_t n = v->edge_from[row]; n < v->edge_from[row + 1]; n++) {
        uint32_t newer = v->edges[n].other;
        if (v->edges[n].kind != HM_EDGE_NEWER || newer == HM_NONE ||
            !is_told_supersession(m, row, newer))
          continue;
        if (hm_model_is_full(m, HM_PART_BYTES))
          left = 0;
        if (left-- > 0)
          put_other_supersession(m, list, row, &v->edges[n]);
        break;
      }
    }
  }
  hm_node_set_bool(top, "has_others", left < OTHERS_SHOWN);
  hm_node_set_bool(top, "more_others", left < 0);
}

void hm_page_decisions_index(hm_model *m, hm_node *top) {
  const hm_view *v = m->v;
  const hm_group *g = hm_view_group(v, m->p->project, HM_ENTITY, HM_STR("decision"));
  set_log_title(m, top, HM_EMPTY);
  bool whole = !g || g->p_to - g->p_from == 1;
  hm_node_set_bool(top, "whole", whole);
  hm_node_set_bool(top, "index", false);
  hm_node_set_bool(top, "before", false);
  hm_node_set_bool(top, "after", false);
  hm_node_set_bool(top, "has_parts", !whole);
  hm_node *parts = hm_node_set_list(top, "parts");
  uint32_t end =
      !g || g->p_to - g->p_from < HM_INDEX_PARTS ? g ? g->p_to : 0 : g->p_from + HM_INDEX_PARTS;
  for (uint32_t i = g ? g->p_from : 0; !whole && i < end; i++) {
    hm_node *item = hm_model_add_item(m, parts);
    hm_model_set_text(m, item, "label", hm_link_label(m->a, v->parts[i].label, 120));
    hm_model_set_url(m, item, "url", v->parts[i].log_path, HM_EMPTY);
    hm_model_set_count(m, item, "count", v->parts[i].to - v->parts[i].from);
  }
  if (g && end < g->p_to) {
    hm_node *item = hm_model_add_item(m, parts);
    hm_model_set_text(m, item, "label", HM_STR("all decisions"));
    hm_model_set_url(m, item, "url", g->path, HM_EMPTY);
    hm_model_set_count(m, item, "count", g->to - g->from);
  }
  put_rows(m, top, whole && g ? &v->parts[g->p_from] : NULL, fill_decision);
  put_other_supersessions(m, top);
}

/* --- candidates: rows that wait for a person, and what each would contradict ---------------- */

enum {
  LINE_BYTES = 400,
  TEXT_SHOWN = 400,
  OPPONENTS_SHOWN = 10,
  ITEM_BYTES = 600,
  OTHER_BYTES = 500
};

struct hm_candidate_index {
  hm_candidate *seen; /* all that are published, by row */
  size_t n;
  hm_item_list *lists; /* of each project; n 0: it has none. Items: of seen */
};

/* What the row says, without what is left out. */
static hm_str line_of(const hm_view *v, uint32_t row, hm_arena *a) {
  const hm_row *r = &v->snap->rows[row];
  if (r->layer == HM_STATE)
    return HM_CAT(a, r->name, HM_STR(": "), hm_view_state_value(v, row, a));
  return hm_row_line(v->snap, v->hidden, row, hm_view_props(v, row, a), a);
}

static bool are_long(const void *list, uint32_t from, uint32_t to) {
  const hm_keyed_items *s = list;
  size_t all = 0;
  for (uint32_t i = from; i < to && all <= HM_LIST_BYTES; i++)
    all += ITEM_BYTES + hm_page_bytes(s->k[i].key) + OPPONENTS_SHOWN * OTHER_BYTES;
  return all > HM_LIST_BYTES;
}

static void list_project(const hm_view *v, hm_candidate_index *x, uint32_t project, hm_arena *a) {
  hm_arena *tmp = hm_arena_new();
  hm_keyed_item *k = hm_alloc_array(tmp, x->n + 1, sizeof *k);
  hm_item_list *list = &x->lists[project];
  uint32_t n = 0;
  for (uint32_t i = 0; i < x->n; i++) {
    uint32_t row = x->seen[i].row;
    if (v->project_of[v->rows[row].home] != project)
      continue;
    hm_str line = hm_shorten(tmp, line_of(v, row, tmp), LINE_BYTES);
    k[n++] =
        (hm_keyed_item){ HM_EMPTY,
                         hm_list_sort_key(tmp, line, hm_row_ref(tmp, &v->snap->rows[row])), i };
  }
  hm_str dir = v->projects[project].dir;
  list->path = HM_CAT(a, dir, HM_STR("candidates.md"));
  if (n)
    hm_item_list_fill(v, a, k, n, HM_SPLIT_NAME, are_long, HM_CAT(a, dir, HM_STR("candidates/")),
                      list);
  hm_arena_free(tmp);
}

int hm_candidate_index_new(const hm_view *v, hm_arena *a, hm_candidate_index **out, hm_err *err) {
  hm_candidate_index *x = *out = hm_alloc(a, sizeof *x);
  x->lists = hm_alloc_array(a, v->n_projects + 1, sizeof *x->lists);
  uint32_t *rows = hm_alloc_array(a, (size_t)v->counts.candidates + 1, sizeof *rows);
  for (uint32_t i = 0; i < v->snap->n_rows; i++)
    if (v->rows[i].candidate && !v->hidden[i] && v->project_of[v->rows[i].home] != HM_NONE &&
        x->n < (size_t)v->counts.candidates)
      rows[x->n++] = i;
  if (!x->n)
    return 0;
  if (hm_candidates_look(v->snap, v->sweep->claims, v->rules, rows, x->n, hm_par_cores(), a,
                         &x->seen, err))
    return -1;
  for (uint32_t p = 0; p < v->n_projects; p++)
    if (v->projects[p].candidates)
      list_project(v, x, p, a);
  return 0;
}

const hm_item_list *hm_candidate_list(const hm_candidate_index *x, uint32_t project) {
  return x->lists[project].n ? &x->lists[project] : NULL;
}

void hm_model_set_candidates(hm_model *m, hm_node *o, int64_t n, uint32_t project) {
  hm_model_set_count(m, o, "candidates", n);
  hm_node_set_bool(o, "one_candidate", n == 1);
  const hm_vproject *p = &m->v->projects[project];
  hm_str path = p->candidates ? HM_CAT(m->a, p->dir, HM_STR("candidates.md")) : HM_EMPTY;
  hm_model_set_url(m, o, "candidates_url", path, HM_EMPTY);
}

static hm_str what_of(const hm_row *r) {
  static const char *const words[] = { [HM_MEMORY] = "Memory",
                                       [HM_ENTITY] = "Entity",
                                       [HM_STATE] = "Curated value",
                                       [HM_RELATION] = "Relation" };
  return hm_str_c(words[r->layer]);
}

/* What it would contradict, of what is published. */
static void put_opponents(hm_model *m, hm_node *item, const hm_candidate *c) {
  const hm_view *v = m->v;
  hm_node *list = hm_node_set_list(item, "contradicts");
  size_t shown = 0, all = 0;
  for (size_t i = 0; i < c->n; i++) {
    const hm_would_contradict *x = &c->v[i];
    if (!hm_view_row_is_whole(v, x->row) || !hm_view_field_shown(v, x->row, x->field, m->a) ||
        !hm_view_row_is_whole(v, c->row) || !hm_view_field_shown(v, c->row, x->own_field, m->a) ||
        all++ >= OPPONENTS_SHOWN)
      continue;
    hm_node *other = hm_model_add_item(m, list);
    hm_model_set_row_link_fields(m, other, x->row);
    hm_model_set_short(m, other, "value", x->value, TEXT_SHOWN);
    shown++;
  }
  hm_model_set_shown_of_all(m, item, "contradicts_cut", shown, all);
}

static void put_candidate(hm_model *m, hm_node *list, const hm_candidate *c) {
  const hm_row *r = &m->v->snap->rows[c->row];
  hm_node *item = hm_model_add_item(m, list);
  hm_model_set_text(m, item, "what", what_of(r));
  hm_model_set_short(m, item, "text", line_of(m->v, c->row, m->a), TEXT_SHOWN);
  hm_model_set_text(m, item, "source", hm_model_format_sources(m, c->row));
  hm_model_set_short(m, item, "id", hm_row_ref(m->a, r), 200);
  bool whole = hm_view_row_is_whole(m->v, c->row);
  hm_model_set_short(m, item, "unread", whole ? c->reading.unread : HM_EMPTY, TEXT_SHOWN);
  put_opponents(m, item, c);
}

void hm_page_candidates(hm_model *m, hm_node *top) {
  const hm_candidate_index *x = m->p->data;
  const hm_item_list *l = &x->lists[m->p->project];
  const hm_item_list_part *p = m->p->to || l->n == 1 ? &l->parts[m->p->from] : NULL;
  hm_str of = hm_shorten(m->a, m->v->projects[m->p->project].label, 120);
  hm_str title = HM_CAT(m->a, HM_STR("Candidates of "), of);
  if (p && p->label.n)
    title = HM_CAT(m->a, title, HM_STR(": "), p->label);
  hm_model_set_heading(m, top, title, title);
  hm_model_set_parts(m, top, p ? NULL : l);
  hm_node *list = hm_node_set_list(top, "rows");
  for (uint32_t i = p ? p->from : 0; p && i < p->to; i++)
    put_candidate(m, list, &x->seen[l->order[i]]);
}
