/* The page of an entity that has relations: what is in dispute about it, who held what when, in
 * both directions, what is recorded of it, and what the rules found.
 *
 * A page shows the first relations of each kind; the list of relations has all. */
#include "model.h"

enum { KINDS_SHOWN = 60, RELATIONS_SHOWN = 100, RELATIONS_BYTES = HM_PART_BYTES * 5 / 8 };

/* --- its relations ---------------------------------------------------------------- */

static void put_relation(hm_model *m, hm_node *list, const hm_relation_item *x) {
  const hm_row *r = &m->v->snap->rows[x->edge->via];
  bool out = x->edge->kind == HM_EDGE_REL_OUT;
  hm_node *item = hm_model_add_item(m, list);
  if (x->edge->other != HM_NONE)
    hm_model_set_row_link_fields(m, item, x->edge->other);
  else {
    hm_model_set_text(m, item, "label", hm_link_label(m->a, out ? r->to : r->from, 120));
    hm_node_set_bool(item, "url", false);
  }
  hm_model_set_relation_marks(m, item, x->edge->via);
  hm_model_set_period(m, item, "window", r);
  hm_model_set_text(m, item, "source", hm_model_format_sources(m, x->edge->via));
  hm_model_set_claim_kind(m, item, x->edge->via);
  hm_model_set_row_link(m, item, "relation", x->edge->via);
}

/* Lists relations by kind and direction, the first ones of each. */
static void put_relations(hm_model *m, hm_node *top, const hm_ventity *e,
                          const hm_relation_item *all) {
  hm_node *kinds = hm_node_set_list(top, "kinds");
  uint32_t shown = 0;
  for (uint32_t from = 0, to; from < e->n; from = to) {
    for (to = from + 1; to < e->n && hm_relation_item_kind_cmp(&all[from], &all[to]) == 0; to++)
      continue;
    if (shown++ == KINDS_SHOWN || hm_model_is_full(m, RELATIONS_BYTES))
      break;
    hm_str type = m->v->snap->rows[all[from].edge->via].type;
    hm_node *item = hm_model_add_item(m, kinds);
    hm_model_set_text(m, item, "type", hm_link_label(m->a, type.n ? type : HM_STR("untyped"), 120));
    hm_node_set_bool(item, "out", all[from].edge->kind == HM_EDGE_REL_OUT);
    hm_node *list = hm_node_set_list(item, "relations");
    bool windows = false, sources = false;
    uint32_t i = from;
    for (; i < to && i - from < RELATIONS_SHOWN && !hm_model_is_full(m, RELATIONS_BYTES); i++) {
      put_relation(m, list, &all[i]);
      windows = windows || hm_row_has_window(&m->v->snap->rows[all[i].edge->via]);
      sources = sources || hm_model_format_sources(m, all[i].edge->via).n;
    }
    hm_node_set_bool(item, "has_windows", windows);
    hm_node_set_bool(item, "has_sources", sources);
    hm_model_set_raw(m, item, "more", i < to ? hm_format_grouped_number(m->a, to - i) : HM_EMPTY);
  }
  hm_node_set_bool(top, "more_kinds", shown > KINDS_SHOWN);
  const hm_group *g = hm_view_group(m->v, m->p->project, HM_RELATION, HM_EMPTY);
  hm_model_set_url(m, top, "relations_url", g ? g->path : HM_EMPTY, HM_EMPTY);
}

/* --- what the rules found ------------------------------------ */

/* About a row: findings, and what is unknown. */
typedef struct {
  hm_node *lists[2];
  bool any[2];
  hm_map seen;
  int left;
} found;

static void put_findings_of(hm_model *m, found *f, uint32_t row) {
  size_t n;
  const hm_row_finding *of = hm_view_find_row_findings(m->v, row, &n);
  for (size_t i = 0; i < n && f->left >= 0; i++) {
    const hm_finding *x = m->v->findings[of[i].finding];
    if (!hm_add_row_if_new(&f->seen, m->a, of[i].finding) || f->left-- == 0)
      continue;
    bool gap = hm_finding_is_gap(x);
    hm_model_add_finding(m, f->lists[gap], x);
    f->any[gap] = true;
  }
}

static void put_findings(hm_model *m, hm_node *top, const hm_ventity *e,
                         const hm_relation_item *all) {
  found f = { .lists = { hm_node_set_list(top, "findings"), hm_node_set_list(top, "unknown") },
              .left = HM_REFS };
  hm_map_init(&f.seen, m->a, 16);
  put_findings_of(m, &f, e->row);
  for (uint32_t i = 0; i < e->n && f.left >= 0; i++)
    put_findings_of(m, &f, all[i].edge->via);
  hm_node_set_bool(top, "has_findings", f.any[0]);
  hm_node_set_bool(top, "has_unknown", f.any[1]);
  hm_node_set_bool(top, "more_findings", f.left < 0);
  hm_model_set_url(m, top, "findings_url", HM_STR("findings/README.md"), HM_EMPTY);
}

/* --- when it was ------------------------------------------------------------------ */

/* "1066 to 1087; since 1100" */
static void put_existence(hm_model *m, hm_node *top, uint32_t row) {
  const hm_window *w;
  bool happened;
  uint32_t n = hm_view_find_existence_windows(m->v, row, &w, &happened);
  hm_buf b = { 0 };
  for (uint32_t i = 0; i < n && i < HM_REFS; i++) {
    hm_str words = hm_format_window(m->a, hm_bound_text(m->a, &w[i].begin),
                                    w[i].moment ? HM_EMPTY : hm_bound_text(m->a, &w[i].end));
    if (i)
      hm_buf_c(&b, "; ");
    hm_buf_str(&b, w[i].moment ? hm_bound_text(m->a, &w[i].begin) : words);
  }
  hm_node_set_bool(top, "happened", happened);
  hm_model_set_text(m, top, "existed", hm_shorten(m->a, hm_buf_copy(&b, m->a), 400));
  hm_buf_free(&b);
}

/* --- the page ------------------------------------------------------------------------ */

void hm_page_entity(hm_model *m, hm_node *top) {
  const hm_view *v = m->v;
  const hm_ventity *e = &v->entities[m->p->from];
  const hm_row *r = &v->snap->rows[e->row];
  const hm_group *g = &v->groups[v->parts[v->part_of[e->row]].group];
  size_t n;
  const hm_relation_item *all = hm_view_list_relations(v, e, m->a, &n);
  hm_str label = hm_view_distinct_label(v, e->row, m->a);
  hm_str project = hm_shorten(m->a, v->projects[g->project].label, 120);
  hm_model_set_titles(m, top, label,
                      hm_str_fmt(m->a, "%.*s · %.*s", HM_FMT(label), HM_FMT(project)),
                      hm_str_fmt(m->a, "What is recorded about %.*s", HM_FMT(label)));
  hm_str type = g->kind ? hm_str_c(g->kind->one) : hm_group_title(g, m->a), anchor;
  hm_str home = hm_view_find_row_page(v, e->row, m->a, &anchor);
  hm_model_set_ref(m, top, "type", type, home, anchor);
  hm_model_set_text(m, top, "status",
                    r->status == HM_ACTIVE ? HM_EMPTY : hm_str_c(hm_status_name(r->status)));
  hm_model_set_claim_kind(m, top, e->row);
  hm_model_set_row_disputed(m, top, e->row, false); /* its fields have their markers */
  hm_model_set_timeline(m, top, e, NULL);
  put_existence(m, top, e->row);
  put_relations(m, top, e, all);
  hm_model_set_own_lines(m, top, e->row);
  hm_model_add_link_lines(m, hm_node_set_list(top, "links"), e->row);
  put_findings(m, top, e, all);
}
