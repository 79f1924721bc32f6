/* A project on one page: what it is, what is in doubt, what is held true. Each section shows at
 * most HM_SHOWN rows, fewer when the page would be too long, with a link to the rest. */
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/detect/sql_rule.h"
#include "model.h"

/* The elements of each type's slot: they say what a value is about, not what it is. Written as X,
 * X_id or X_name. */
static const struct {
  const char *type;
  const char *names[3];
} elements[] = {
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
  if (!hm_str_starts(property, element))
    return false;
  hm_str rest = hm_str_sub(property, strlen(element), property.n);
  return rest.n == 0 || hm_str_is(rest, "_id") || hm_str_is(rest, "_name");
}

/* True for the properties that only say what a value is about (decision_target, parameter_name). */
static bool is_element(const hm_group *g, hm_str property) {
  for (size_t t = 0; t < HM_COUNT(elements); t++) {
    if (!hm_str_is(g->key, elements[t].type))
      continue;
    for (size_t i = 0; i < 3 && elements[t].names[i]; i++)
      if (is_named(property, elements[t].names[i]))
        return true;
  }
  return false;
}

/* --- the rows of a section ------------------------------------------------------- */

/* Active rows of a list, until there are enough of them: more. */
typedef struct {
  const hm_group *g;
  const uint32_t *order;
  uint32_t at;
  int left;
  uint64_t shown, all;
  size_t end;
  bool more;
} section;

static section section_of(const hm_model *m) {
  return (section){ .left = HM_SHOWN, .end = hm_model_section_end(m) };
}

/* Goes on with this list; NULL: with none. */
static void section_list(hm_model *m, section *s, const hm_group *g) {
  s->g = g;
  s->at = g ? g->from : 0;
  s->order = g ? hm_view_leading_rows(m->v, g) : NULL;
  s->all += g ? (uint64_t)g->active : 0;
}

/* The next row to show; HM_NONE at the end of the list. */
static uint32_t section_row(hm_model *m, section *s) {
  while (s->g && s->at < s->g->to && !s->more) {
    uint32_t row = s->order[s->at++];
    if (!m->v->rows[row].active)
      continue;
    s->more = s->left-- <= 0 || hm_model_is_full(m, s->end);
    s->shown += !s->more;
    if (!s->more)
      return row;
  }
  return HM_NONE;
}

/* --- fields of entities as a table ------------------------------------------------ */

/* A dispute about the entity is marked at its name, one of a field at the value. True if it has a
 * source. */
static bool put_field(hm_model *m, hm_node *rows, uint32_t row, const hm_json *p) {
  hm_node *item = hm_model_add_item(m, rows);
  hm_str source = p ? hm_model_format_refs(m, hm_view_origin(m->v, row, p->key, NULL, m->a).refs)
                    : hm_model_format_sources(m, row);
  hm_model_set_row_link_fields(m, item, row);
  hm_model_set_subject_marks(m, item, row);
  hm_model_set_text(m, item, "name", hm_format_field_name(m->a, p ? p->key : HM_EMPTY));
  hm_model_set_text(m, item, "source", source);
  hm_model_set_period(m, item, "window", &m->v->snap->rows[row]);
  if (p)
    hm_model_set_value(m, item, hm_format_json(p, m->a), row, p->key);
  else
    hm_node_set_bool(item, "v", false);
  return source.n > 0;
}

/* {rows: [{label, url, name, v, window, source}], lists: [{label, url}], any, has_fields,
 * has_sources} at key: the fields of the active rows of groups for which want says so. False: there
 * is none. */
static bool put_fields(hm_model *m, hm_node *top, const char *key, uint32_t project,
                       bool (*want)(const hm_group *g)) {
  const hm_vproject *pr = &m->v->projects[project];
  hm_node *table = hm_node_set_obj(top, key), *rows = hm_node_set_list(table, "rows"),
          *lists = hm_node_set_list(table, "lists");
  section s = section_of(m);
  bool any = false, first = true, fields = false, sources = false;
  for (uint32_t i = pr->g_from; i < pr->g_to; i++) {
    const hm_group *g = &m->v->groups[i];
    if (g->layer != HM_ENTITY || !want(g) || g->active + g->history == 0)
      continue;
    any = any || g->active > 0;
    hm_node *list = hm_model_add_item(m, lists);
    hm_model_set_text(m, list, "label", hm_group_title(g, m->a));
    hm_model_set_url(m, list, "url", g->path, HM_EMPTY);
    hm_model_set_raw(m, list, "sep", first ? HM_STR(" ") : HM_STR(" · "));
    first = false;
    section_list(m, &s, g);
    for (uint32_t row; (row = section_row(m, &s)) != HM_NONE;) {
      const hm_json *props = hm_view_props(m->v, row, m->a);
      size_t left = hm_view_count_fitting_props(m->v, row, props, m->a);
      bool shown = false;
      for (const hm_json *p = props ? props->child : NULL; p && left; p = p->next, left--) {
        bool marked = hm_view_is_disputed(m->v, row, p->key);
        if (!marked && (p->type == HM_JSON_NULL || is_element(g, p->key)))
          continue;
        sources |= put_field(m, rows, row, p);
        shown = true;
      }
      fields |= shown;
      if (!shown)
        sources |= put_field(m, rows, row, NULL);
    }
  }
  hm_node_set_bool(table, "more", s.more);
  hm_model_set_shown_of_all(m, table, "cut", s.shown, s.all);
  hm_node_set_bool(table, "any", any);
  hm_node_set_bool(table, "has_fields", fields);
  hm_node_set_bool(table, "has_sources", sources);
  return any;
}

/* --- the overview -------------------------------------------------------------------------- */

enum { FINDINGS_SHOWN = 15, EPISODIC_SCAN = 20000, GRAPH_NODES = 30 };

static bool is_requirement(const hm_group *g) {
  return hm_str_is(g->key, "requirement") || hm_str_is(g->key, "constraint");
}
static bool is_material(const hm_group *g) { return hm_str_is(g->key, "material"); }
static bool is_parameter(const hm_group *g) { return hm_str_is(g->key, "parameter"); }
static bool is_result(const hm_group *g) {
  return hm_str_is(g->key, "analysismodel") || hm_str_is(g->key, "result") ||
      hm_str_is(g->key, "validationclaim");
}
static bool is_component(const hm_group *g) { return hm_str_is(g->key, "component"); }
/* Whatever no other section shows, so that nothing is lost. */
static bool is_other(const hm_group *g) {
  return !is_requirement(g) && !is_material(g) && !is_parameter(g) && !is_result(g) &&
      !is_component(g) && !hm_str_is(g->key, "decision") && !hm_str_is(g->key, "subsystem");
}

/* --- header and health ---------------------------------------------------- */

static void put_header(hm_model *m, hm_node *top, const hm_vproject *p) {
  const hm_project *s = &m->v->snap->projects[p->snap];
  hm_str label = hm_shorten(m->a, p->label, 200);
  hm_model_set_titles(m, top, label.n ? label : HM_STR("unnamed"), label,
                      s->description.n
                          ? hm_shorten(m->a, s->description, 160)
                          : hm_str_fmt(m->a, "What is recorded about %.*s", HM_FMT(label)));
  hm_model_set_short(m, top, "id", s->id, 200);
  hm_buf b = { 0 };
  for (size_t i = 0; i < s->n_aliases && i < 50; i++) {
    if (i)
      hm_buf_c(&b, ", ");
    hm_buf_str(&b, hm_shorten(m->a, s->aliases[i], 100));
  }
  hm_model_set_text(m, top, "aliases", hm_buf_copy(&b, m->a));
  hm_buf_free(&b);
  hm_model_set_plain_value(m, top, "about", s->description);
  hm_node_set_bool(top, "has_about", hm_str_trim(s->description).n > 0);
}

static void put_conflicts(hm_model *m, hm_node *top, const hm_vproject *p) {
  uint32_t *disputed = hm_alloc_array(m->a, p->c_to - p->c_from + 1, sizeof *disputed);
  hm_node *signoff = hm_node_set_list(hm_node_set_obj(top, "signoff"), "conflicts");
  size_t end = hm_model_section_end(m), n = 0, shown = 0;
  for (uint32_t i = p->c_from; i < p->c_to; i++)
    if (m->v->conflicts[m->v->by_project[i]].dispute)
      disputed[n++] = m->v->by_project[i];
  hm_model_set_disputed(m, top, disputed, n, end);
  for (uint32_t i = p->c_from; i < p->c_to && !hm_model_is_full(m, end); i++) {
    const hm_vconflict *c = &m->v->conflicts[m->v->by_project[i]];
    if (c->rec->status != HM_OPEN || c->dispute || shown == HM_SHOWN)
      continue;
    hm_model_add_conflict_of_project(m, signoff, m->v->by_project[i]);
    shown++;
  }
  hm_node_set_bool(top, "has_signoff", p->signoff > 0);
  hm_node_set_bool(top, "more_signoff", shown < (uint64_t)p->signoff);
  hm_model_set_shown_of_all(m, top, "signoff_cut", shown, (uint64_t)p->signoff);
}

/* The rule in SQL that found it, where it has a section of its own here; else NULL. */
static const hm_sql_rule *section_rule(const hm_view *v, const hm_finding *f) {
  const hm_sql_rule *r = hm_sql_rule_named(v->rules->sql, f->rule);
  return r && r->section.n ? r : NULL;
}

/* A section for each rule that asks for one and found something. */
static void put_rule_sections(hm_model *m, hm_node *top, const hm_vproject *p) {
  const hm_sql_rules *rules = m->v->rules->sql;
  hm_node *sections = hm_node_set_list(top, "sections");
  for (size_t k = 0; rules && k < rules->n; k++) {
    hm_node *one = NULL, *list = NULL;
    int left = FINDINGS_SHOWN;
    size_t end = hm_model_section_end(m);
    if (!rules->rules[k].section.n)
      continue;
    for (uint32_t i = p->f_from; i < p->f_to && left >= 0; i++) {
      const hm_finding *f = m->v->findings[i];
      if (!hm_str_eq(f->rule, rules->rules[k].id))
        continue;
      if (!one) {
        one = hm_model_add_item(m, sections);
        hm_model_set_text(m, one, "title", rules->rules[k].section);
        list = hm_node_set_list(one, "items");
      }
      if (hm_model_is_full(m, end))
        left = 0;
      if (left-- > 0)
        hm_model_add_finding(m, list, f);
    }
    if (one)
      hm_node_set_bool(one, "more", left < 0);
  }
}

static int by_weight(const void *x, const void *y) {
  return hm_finding_cmp(*(const hm_finding *const *)x, *(const hm_finding *const *)y);
}

static const hm_finding **sorted_findings(hm_model *m, const hm_vproject *p) {
  size_t n = p->f_to - p->f_from;
  const hm_finding **all = hm_alloc_array(m->a, n + 1, sizeof *all);
  for (size_t i = 0; i < n; i++)
    all[i] = m->v->findings[p->f_from + i];
  if (n)
    qsort(all, n, sizeof *all, by_weight);
  return all;
}

static void put_findings(hm_model *m, hm_node *top, const hm_vproject *p) {
  enum { PLAIN, GAPS, STALE, KINDS };
  static const char *const keys[KINDS] = { "findings", "unknown", "stale" };
  hm_node *lists[KINDS];
  uint64_t shown[KINDS] = { 0 }, all[KINDS] = { 0 };
  for (int k = 0; k < KINDS; k++)
    lists[k] = hm_node_set_list(top, keys[k]);
  size_t end = hm_model_section_end(m);
  const hm_finding **sorted = sorted_findings(m, p);
  for (uint32_t i = 0; i < p->f_to - p->f_from; i++) {
    const hm_finding *f = sorted[i];
    if (section_rule(m->v, f))
      continue;
    int k = hm_finding_is_gap(f) ? GAPS : hm_str_is(f->rule, "story/stale") ? STALE : PLAIN;
    if (all[k]++ == shown[k] && shown[k] < FINDINGS_SHOWN && !hm_model_is_full(m, end)) {
      hm_model_add_finding(m, lists[k], f);
      shown[k]++;
    }
  }
  uint64_t n = shown[PLAIN] + shown[STALE], of = all[PLAIN] + all[STALE];
  hm_node_set_bool(top, "more_findings", n < of);
  hm_node_set_bool(top, "more_unknown", shown[GAPS] < all[GAPS]);
  hm_model_set_shown_of_all(m, top, "findings_cut", n, of);
  hm_model_set_shown_of_all(m, top, "unknown_cut", shown[GAPS], all[GAPS]);
  hm_node_set_bool(top, "has_findings", of > 0);
  hm_node_set_bool(top, "unknown_any", all[GAPS] > 0 || p->gaps);
  hm_model_set_url(m, top, "findings_url", HM_STR("findings/README.md"), HM_EMPTY);
  put_rule_sections(m, top, p);
  if (p->gaps)
    hm_model_set_text(m, top, "gaps", hm_format_count_phrase(m->a, p->gaps, "value", "values"));
}

/* --- lists to go to -------------------------------------------------------- */

static bool has_decisions(const hm_view *v, uint32_t project) {
  const hm_group *g = hm_view_group(v, project, HM_ENTITY, HM_STR("decision"));
  return g && g->active + g->history;
}

static void put_lists(hm_model *m, hm_node *top, uint32_t project) {
  static const struct {
    hm_layer layer;
    const char *label, *name;
  } lists[] = { { HM_STATE, "Curated state", "state.md" },
                { 0, "Decision log", "decisions.md" },
                { HM_ENTITY, "Entities", "entities/README.md" },
                { HM_MEMORY, "Memories", "memories/README.md" },
                { HM_RELATION, "Relations", "relations.md" },
                { 0, "Pictures", "pictures/README.md" } };
  bool pictures = hm_pictures_path(m->v, project, m->a).n > 0;
  hm_node *list = hm_node_set_list(top, "lists");
  bool first = true;
  for (size_t i = 0; i < HM_COUNT(lists); i++) {
    if (lists[i].layer && !hm_view_has_layer(m->v, project, lists[i].layer))
      continue;
    if (i + 1 == HM_COUNT(lists) && !pictures)
      continue;
    if (i == 1 && !has_decisions(m->v, project))
      continue;
    hm_node *item = hm_model_add_item(m, list);
    hm_model_set_text(m, item, "label", hm_str_c(lists[i].label));
    hm_model_set_url(m, item, "url",
                     HM_CAT(m->a, m->v->projects[project].dir, hm_str_c(lists[i].name)), HM_EMPTY);
    hm_model_set_raw(m, item, "sep", first ? HM_STR(" ") : HM_STR(" · "));
    first = false;
  }
  hm_node_set_bool(top, "has_lists", !first);
}

/* --- curated state ---------------------------------------------------------- */

static bool put_state(hm_model *m, hm_node *top, uint32_t project) {
  const hm_view *v = m->v;
  const hm_group *g = hm_view_group(v, project, HM_STATE, HM_EMPTY);
  hm_node *rows = hm_node_set_list(top, "state");
  hm_model_set_url(m, top, "state_url", g ? g->path : HM_EMPTY, HM_EMPTY);
  section s = section_of(m);
  section_list(m, &s, g);
  uint32_t windows = 0, n = 0;
  for (uint32_t row; (row = section_row(m, &s)) != HM_NONE;) {
    const hm_row *r = &v->snap->rows[row];
    hm_node *item = hm_model_add_row_item(m, rows, row);
    windows += hm_row_has_window(r);
    n++;
    hm_model_set_short(m, item, "category", r->type, 120);
    hm_model_set_value(m, item, hm_view_state_value(m->v, row, m->a), row, HM_STR("value"));
    hm_model_set_text(m, item, "source", hm_model_format_sources(m, row));
    hm_model_set_period(m, item, "window", r);
  }
  hm_node_set_bool(top, "has_windows", hm_wants_column(windows, n));
  hm_node_set_bool(top, "more_state", s.more);
  hm_model_set_shown_of_all(m, top, "state_cut", s.shown, s.all);
  return g && g->active;
}

/* --- decisions ---------------------------------------------------------------- */

/* AFFECTS, USES, USES_MATERIAL, APPLIES_TO, or a property that names a subsystem or a component. */
static bool is_effect(hm_model *m, const hm_edge *e) {
  if (e->kind == HM_EDGE_NAME_OUT || e->kind == HM_EDGE_PART_OUT)
    return true;
  if (e->kind != HM_EDGE_REL_OUT)
    return false;
  hm_str type = hm_text_fold_name(m->a, m->v->snap->rows[e->via].type);
  return hm_str_starts(type, "affect") || hm_str_starts(type, "use") || hm_str_starts(type, "appl");
}

static void affected(hm_model *m, hm_node *list, uint32_t row) {
  const hm_view *v = m->v;
  uint32_t seen[HM_REFS];
  int n = 0;
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1] && n < HM_REFS; i++) {
    const hm_edge *e = &v->edges[i];
    int k = 0;
    if (e->other == HM_NONE || !is_effect(m, e))
      continue;
    while (k < n && seen[k] != e->other)
      k++;
    if (k < n)
      continue;
    hm_node *ref = hm_model_add_item(m, list);
    hm_model_set_row_link_fields(m, ref, e->other);
    hm_model_set_raw(m, ref, "sep", n ? HM_STR(", ") : HM_STR("; affects "));
    seen[n++] = e->other;
  }
}

static bool put_decisions(hm_model *m, hm_node *top, uint32_t project) {
  const hm_view *v = m->v;
  hm_node *list = hm_node_set_list(top, "decisions");
  const hm_group *g = hm_view_group(v, project, HM_ENTITY, HM_STR("decision"));
  section s = section_of(m);
  section_list(m, &s, g);
  for (uint32_t row; (row = section_row(m, &s)) != HM_NONE;) {
    hm_node *item = hm_model_add_row_item(m, list, row);
    const hm_json *props = hm_view_props(v, row, m->a), *value = hm_json_get(props, "value"),
                  *target = hm_json_get(props, "decision_target");
    hm_node_set_bool(item, "has_value", value != NULL);
    hm_str text = value ? hm_format_json(value, m->a) : HM_EMPTY;
    hm_model_set_value(m, item, text, row, HM_STR("value"));
    hm_model_set_text(m, item, "target",
                      target ? hm_shorten(m->a, hm_format_json(target, m->a), 120) : HM_EMPTY);
    hm_model_set_period(m, item, "window", &v->snap->rows[row]);
    affected(m, hm_node_set_list(item, "affects"), row);
  }
  hm_node_set_bool(top, "more_decisions", s.more);
  hm_model_set_shown_of_all(m, top, "decisions_cut", s.shown, s.all);
  hm_model_set_url(m, top, "decisions_url",
                   hm_str_fmt(m->a, "%.*sdecisions.md", HM_FMT(v->projects[project].dir)),
                   HM_EMPTY);
  hm_node_set_bool(top, "has_decisions", has_decisions(v, project));
  return g && g->active;
}

/* --- memories ------------------------------------------------------------------ */

/* Episodes are history: they stand in the lists by year. */
static bool put_memories(hm_model *m, hm_node *top, const hm_vproject *p) {
  const hm_view *v = m->v;
  hm_node *list = hm_node_set_list(top, "memories"), *years = hm_node_set_list(top, "years");
  int left = HM_SHOWN, scan = EPISODIC_SCAN;
  uint64_t shown = 0;
  bool first_year = true;
  size_t end = hm_model_section_end(m);
  for (uint32_t k = p->g_from; k < p->g_to; k++) {
    const hm_group *g = &v->groups[k];
    if (g->layer != HM_MEMORY)
      continue;
    hm_node *year = hm_model_add_item(m, years);
    hm_model_set_text(m, year, "label",
                      hm_str_is(g->key, "undated") ? HM_STR("without a date") : g->key);
    hm_model_set_url(m, year, "url", g->path, HM_EMPTY);
    hm_model_set_raw(m, year, "sep", first_year ? HM_STR(" ") : HM_STR(" · "));
    first_year = false;
    const uint32_t *order = hm_view_leading_rows(v, g);
    for (uint32_t i = g->from; i < g->to && left > 0 && scan-- > 0; i++) {
      const hm_row *r = &v->snap->rows[order[i]];
      if (r->status != HM_ACTIVE || hm_str_is(r->type, "episodic"))
        continue;
      if (hm_model_is_full(m, end))
        left = 1;
      left--;
      shown++;
      hm_node *item = hm_model_add_row_item(m, list, order[i]);
      hm_model_set_text(m, item, "type", hm_link_label(m->a, r->type, 80));
      hm_model_set_value(m, item, r->text, order[i], HM_STR("content"));
      hm_model_set_period(m, item, "window", r);
      hm_model_set_overtaken(m, item, order[i]);
    }
  }
  hm_model_set_shown_of_all(m, top, "memories_cut", shown,
                            shown ? (uint64_t)p->active[HM_MEMORY] : 0);
  hm_node_set_bool(top, "has_memories", p->active[HM_MEMORY] > 0);
  return p->active[HM_MEMORY] > 0;
}

/* Sets the summary before all sections. */
static void put_summary(hm_model *m, hm_node *top, const hm_vproject *p) {
  hm_doubts n = { .disputed = p->disputed, .signoff = p->signoff };
  for (uint32_t i = p->f_from; i < p->f_to; i++) {
    bool gap = hm_finding_is_gap(m->v->findings[i]);
    n.unknown += gap;
    n.findings += !gap;
  }
  hm_model_set_text(m, top, "doubt", hm_format_doubt_counts(m->a, &n));
  hm_model_set_text(m, top, "facts", hm_format_fact_counts(m->a, p->active));
  hm_model_set_compared(m, top, &p->compared);
  hm_node_set_bool(top, "in_doubt", p->disputed > 0);
  hm_model_set_candidates(m, top, p->candidates, m->p->project);
}

/* The drawing of its relations where one sees it at one look; else the page of pictures has it. */
static void put_graph(hm_model *m, hm_node *top, uint32_t project) {
  const hm_vproject *p = &m->v->projects[project];
  bool small = hm_graph_is_drawn(m->v, project, HM_GRAPH_RELATIONS) &&
      p->graphs[HM_GRAPH_RELATIONS].nodes <= GRAPH_NODES;
  hm_node *list = hm_node_set_list(top, "graphs");
  if (small)
    hm_model_add_graph_item(m, list, project, HM_GRAPH_RELATIONS);
}

void hm_page_overview(hm_model *m, hm_node *top) {
  uint32_t project = m->p->project;
  const hm_vproject *p = &m->v->projects[project];
  put_header(m, top, p);
  put_lists(m, top, project);
  put_summary(m, top, p);
  put_conflicts(m, top, p);
  put_findings(m, top, p);
  hm_model_set_newest_changes(m, top, project);
  put_graph(m, top, project);
  hm_section_name sections[] = { { "subsystems", false },
                                 { "curated state", false },
                                 { "decisions", false },
                                 { "requirements and constraints", false },
                                 { "materials", false },
                                 { "parameters", false },
                                 { "results and validation", false },
                                 { "components", false },
                                 { "other entities", false },
                                 { "memories", false },
                                 { "sources", false } },
                  *at = sections;
  (at++)->empty = !hm_model_set_subsystem_tree(m, top, project);
  hm_node_set_bool(top, "tree_any", !sections[0].empty);
  (at++)->empty = !put_state(m, top, project);
  hm_node_set_bool(top, "has_state", !sections[1].empty);
  (at++)->empty = !put_decisions(m, top, project);
  (at++)->empty = !put_fields(m, top, "requirements", project, is_requirement);
  (at++)->empty = !put_fields(m, top, "materials", project, is_material);
  (at++)->empty = !put_fields(m, top, "parameters", project, is_parameter);
  (at++)->empty = !put_fields(m, top, "results", project, is_result);
  (at++)->empty = !put_fields(m, top, "components", project, is_component);
  (at++)->empty = !put_fields(m, top, "other", project, is_other);
  (at++)->empty = !put_memories(m, top, p);
  at->empty = !hm_model_set_project_sources(m, top, project);
  hm_node_set_bool(top, "any_sources", !at->empty);
  hm_model_set_empty_sections(m, top, sections, HM_COUNT(sections));
}
