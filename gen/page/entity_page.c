/* The page of an entity that has relations: what is in dispute about it, who held what when, in
 * both directions, what is recorded of it, and what the rules found.
 *
 * Every entity that a list shows and that an active relation leads from or to has one, but for
 * subsystems, which have pages of another kind. Relations stand by kind and direction, then by the
 * time at which they begin. A page shows the first of each; the list of relations has all.
 * Cost: for all pages together a sort of the edges. */
#include <stdlib.h>
#include <string.h>

#include "core/base/par.h"
#include "core/base/text.h"
#include "model.h"

enum { KINDS_SHOWN = 60, RELATIONS_SHOWN = 100 };
enum { RELATIONS_BYTES = HM_PART_BYTES * 5 / 8, LABEL_CUT = 200 };

/* --- which there are, and their paths ------------------------------------------ */

static bool is_relation_edge(const hm_edge *e) {
  return e->kind == HM_EDGE_REL_OUT || e->kind == HM_EDGE_REL_IN;
}

static uint32_t count_relations(const hm_view *v, uint32_t row) {
  uint32_t n = 0;
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1]; i++)
    n += is_relation_edge(&v->edges[i]);
  return n;
}

/* A property that shows a time is left out. */
static bool hides_times(const hm_view *v) {
  size_t n;
  const hm_time_word *words = hm_time_words(&n);
  hm_arena *tmp = v->n_props ? hm_arena_new() : NULL;
  bool hides = false;
  for (size_t i = 0; tmp && i < n && !hides; i++)
    hides = hm_view_prop_hidden(v, hm_str_c(words[i].name), tmp);
  hm_arena_free(tmp);
  return hides;
}

/* Where rows are left out, only what the entity itself says counts: eras and relations may be
 * among them. */
uint32_t hm_view_find_existence_windows(const hm_view *v, uint32_t row, const hm_window **out,
                                        bool *happened) {
  const hm_existence *x = hm_existence_find(&v->existences, row);
  *happened = false;
  if (!x || v->hides_times) return 0;
  if (v->any_hidden) {
    *out = x->stated;
    return x->stated && !x->by_era && !x->happened;
  }
  *happened = x->happened;
  *out = x->happened ? x->happened : x->windows;
  return x->happened ? 1 : x->n;
}

bool hm_view_window_end_shown(const hm_view *v, const hm_window *w) {
  const hm_existence *x = hm_existence_ending_window(&v->existences, w);
  if (!w->ends_with || (!v->any_hidden && !v->hides_times)) return true;
  uint32_t row = (uint32_t)(v->snap->first[HM_ENTITY] + w->ends_with - 1);
  return x && !v->hides_times && !v->hidden[row] && x->windows == x->stated;
}

static bool has_times(const hm_view *v, uint32_t row) {
  const hm_window *w;
  bool happened;
  if (hm_view_find_existence_windows(v, row, &w, &happened)) return true;
  for (uint32_t i = v->edge_from[row]; i < v->edge_from[row + 1]; i++) {
    if (!is_relation_edge(&v->edges[i])) continue;
    const hm_row *r = &v->snap->rows[v->edges[i].via];
    if (r->valid_from.n || r->valid_until.n) return true;
  }
  return false;
}

/* "projects/p/entities/person.md" has "projects/p/entities/person/aldric.md" below it. */
static void name_group(hm_view *v, const hm_group *g, uint32_t from, hm_arena *tmp) {
  static const char *const reserved[] = { "readme", "index", NULL };
  uint32_t n = v->n_entities - from;
  hm_named *names = hm_alloc_array(tmp, n + 1, sizeof *names);
  for (uint32_t i = 0; i < n; i++) {
    const hm_row *r = &v->snap->rows[v->entities[from + i].row];
    names[i] = (hm_named){ .name = r->name.n ? r->name : r->id, .id = r->id };
  }
  hm_make_slugs(names, n, reserved, tmp);
  for (uint32_t i = 0; i < n; i++)
    v->entities[from + i].path = HM_CAT(v->a, hm_str_sub(g->path, 0, g->path.n - 3), HM_STR("/"),
                                        names[i].slug, HM_STR(".md"));
}

void hm_view_build_existences(hm_view *v) {
  const hm_snapshot *s = v->snap;
  const hm_claims *claims = v->sweep->claims;
  if (claims && claims->lives) v->existences = *claims->lives;
  else if (s->first[HM_RELATION] < s->first[HM_RELATION + 1])
    hm_existences_build(s, v->rules, hm_par_cores(), v->a, &v->existences);
  v->hides_times = hides_times(v);
}

void hm_view_build_entities(hm_view *v) {
  const hm_snapshot *s = v->snap;
  size_t first = s->first[HM_ENTITY], all = s->first[HM_ENTITY + 1] - first;
  hm_arena *tmp = hm_arena_new();
  v->entities = hm_alloc_array(tmp, all + 1, sizeof *v->entities);
  v->entity_at = hm_alloc_array(v->a, all + 1, sizeof *v->entity_at);
  memset(v->entity_at, 0xff, (all + 1) * sizeof *v->entity_at);
  for (uint32_t g = 0; g < v->n_groups; g++) {
    uint32_t from = v->n_entities;
    if (v->groups[g].layer != HM_ENTITY) continue;
    for (uint32_t i = v->groups[g].from; i < v->groups[g].to; i++) {
      uint32_t row = v->listed[i], n = count_relations(v, row);
      if (!n || hm_view_subsystem_path(v, row).n) continue;
      v->entity_at[row - first] = v->n_entities;
      v->entities[v->n_entities++] = (hm_ventity){ .row = row, .n = n, .timed = has_times(v, row) };
    }
    name_group(v, &v->groups[g], from, tmp);
  }
  hm_ventity *kept = hm_alloc_array(v->a, v->n_entities + 1, sizeof *kept);
  memcpy(kept, v->entities, v->n_entities * sizeof *kept);
  v->entities = kept;
  hm_arena_free(tmp);
}

hm_str hm_view_entity_path(const hm_view *v, uint32_t row) {
  const size_t *first = v->snap->first;
  if (!v->n_entities || row < first[HM_ENTITY] || row >= first[HM_ENTITY + 1]) return HM_EMPTY;
  uint32_t at = v->entity_at[row - first[HM_ENTITY]];
  return at == HM_NONE ? HM_EMPTY : v->entities[at].path;
}

/* --- what is no fact ---------------------------------------------------------------- */

void hm_pm_set_claim_kind(hm_pm *m, hm_tv *o, uint32_t row) {
  hm_str kind = hm_view_claim_kind(m->v, row, m->a);
  if (kind.n) hm_pm_set_text(m, o, "claim_kind", kind);
  else hm_pm_set_bool(m, o, "claim_kind", false);
}

/* --- its relations ---------------------------------------------------------------- */

int hm_relation_item_kind_cmp(const hm_relation_item *a, const hm_relation_item *b) {
  if (a->edge->kind != b->edge->kind) return a->edge->kind == HM_EDGE_REL_OUT ? -1 : 1;
  return hm_str_cmp(a->type, b->type);
}

static int by_place(const void *x, const void *y) {
  const hm_relation_item *a = x, *b = y;
  int d = hm_relation_item_kind_cmp(a, b);
  if (d) return d;
  if (a->begins != b->begins) return a->begins < b->begins ? -1 : 1;
  d = hm_str_natural_cmp(a->label, b->label);
  return d ? d : (a->edge->via > b->edge->via) - (a->edge->via < b->edge->via);
}

const hm_relation_item *hm_pm_list_relations(hm_pm *m, const hm_ventity *e, size_t *count) {
  const hm_view *v = m->v;
  hm_relation_item *all = hm_alloc_array(m->a, e->n + 1, sizeof *all);
  hm_window w;
  size_t n = 0;
  for (uint32_t i = v->edge_from[e->row]; i < v->edge_from[e->row + 1]; i++) {
    const hm_edge *edge = &v->edges[i];
    if (!is_relation_edge(edge)) continue;
    const hm_row *r = &v->snap->rows[edge->via];
    hm_str label = edge->other != HM_NONE ? hm_view_label_source(v, edge->other)
        : edge->kind == HM_EDGE_REL_OUT   ? r->to
                                          : r->from;
    all[n++] =
        (hm_relation_item){ edge, hm_text_fold_name(m->a, r->type), hm_str_sub(label, 0, LABEL_CUT),
                            hm_view_find_row_window(v, edge->via, m->a, &w) ? w.may_from
                                                                            : HM_TIME_MIN };
  }
  qsort(all, n, sizeof *all, by_place);
  *count = n;
  return all;
}

static void put_relation(hm_pm *m, hm_tv *list, const hm_relation_item *x) {
  const hm_row *r = &m->v->snap->rows[x->edge->via];
  bool out = x->edge->kind == HM_EDGE_REL_OUT;
  hm_tv *item = hm_pm_add_item(m, list);
  if (hm_pm_note_whole_row(m, x->edge->via)) return;
  if (x->edge->other != HM_NONE) hm_pm_set_row_link_fields(m, item, x->edge->other);
  else {
    hm_pm_set_text(m, item, "label", hm_link_label(m->a, out ? r->to : r->from, 120));
    hm_pm_set_bool(m, item, "url", false);
  }
  hm_pm_set_relation_marks(m, item, x->edge->via);
  hm_pm_set_period(m, item, "window", r);
  hm_pm_set_text(m, item, "source", hm_pm_format_sources(m, x->edge->via));
  hm_pm_set_claim_kind(m, item, x->edge->via);
  hm_pm_set_row_link(m, item, "relation", x->edge->via);
}

/* By kind and direction, the first of each. */
static void put_relations(hm_pm *m, hm_tv *model, const hm_ventity *e,
                          const hm_relation_item *all) {
  hm_tv *kinds = hm_pm_set_list(m, model, "kinds");
  uint32_t shown = 0;
  for (uint32_t from = 0, to; from < e->n; from = to) {
    for (to = from + 1; to < e->n && hm_relation_item_kind_cmp(&all[from], &all[to]) == 0; to++)
      continue;
    if (shown++ == KINDS_SHOWN || hm_pm_is_full(m, RELATIONS_BYTES)) break;
    hm_str type = m->v->snap->rows[all[from].edge->via].type;
    hm_tv *item = hm_pm_add_item(m, kinds);
    hm_pm_set_text(m, item, "type", hm_link_label(m->a, type.n ? type : HM_STR("untyped"), 120));
    hm_pm_set_bool(m, item, "out", all[from].edge->kind == HM_EDGE_REL_OUT);
    hm_tv *list = hm_pm_set_list(m, item, "relations");
    bool windows = false, sources = false;
    uint32_t i = from;
    for (; i < to && i - from < RELATIONS_SHOWN && !hm_pm_is_full(m, RELATIONS_BYTES); i++) {
      put_relation(m, list, &all[i]);
      windows = windows || hm_row_has_window(&m->v->snap->rows[all[i].edge->via]);
      sources = sources || hm_pm_format_sources(m, all[i].edge->via).n;
    }
    hm_pm_set_bool(m, item, "has_windows", windows);
    hm_pm_set_bool(m, item, "has_sources", sources);
    hm_pm_set_raw(m, item, "more", i < to ? hm_format_grouped_number(m->a, to - i) : HM_EMPTY);
  }
  hm_pm_set_bool(m, model, "more_kinds", shown > KINDS_SHOWN);
  const hm_group *g = hm_view_group(m->v, m->p->project, HM_RELATION, HM_EMPTY);
  hm_pm_set_url(m, model, "relations_url", g ? g->path : HM_EMPTY, HM_EMPTY);
}

/* --- what is in dispute, and what the rules found ------------------------------------ */

static void put_disputes_of(hm_pm *m, hm_tv *list, uint32_t row, hm_map *seen, int *left) {
  size_t n;
  const hm_mark *marks = hm_view_marks(m->v, row, &n);
  for (size_t i = 0; i < n && *left >= 0; i++) {
    const hm_vconflict *c = &m->v->conflicts[marks[i].conflict];
    if (!hm_add_row_if_new(seen, m->a, marks[i].conflict) || (*left)-- == 0) continue;
    hm_tv *item = hm_pm_add_item(m, list);
    if (hm_pm_note_whole_conflict(m, marks[i].conflict)) continue;
    hm_pm_set_text(m, item, "label", hm_link_label(m->a, c->name, 300));
    hm_pm_set_url(m, item, "url", c->path, HM_EMPTY);
    hm_pm_set_date(m, item, "since", hm_pm_format_since(m, c->dispute));
  }
}

static void put_disputes(hm_pm *m, hm_tv *model, const hm_ventity *e, const hm_relation_item *all) {
  hm_tv *list = hm_pm_set_list(m, model, "disputes");
  hm_map seen;
  int left = HM_REFS;
  hm_map_init(&seen, m->a, 16);
  put_disputes_of(m, list, e->row, &seen, &left);
  for (uint32_t i = 0; i < e->n && left >= 0; i++)
    put_disputes_of(m, list, all[i].edge->via, &seen, &left);
  hm_pm_set_bool(m, model, "has_disputes", left < HM_REFS);
  hm_pm_set_bool(m, model, "more_disputes", left < 0);
  hm_pm_set_url(m, model, "conflicts_url", HM_STR("conflicts/README.md"), HM_EMPTY);
}

/* About a row: findings, and what is unknown. */
typedef struct {
  hm_tv *lists[2];
  bool any[2];
  hm_map seen;
  int left;
} found;

static void put_findings_of(hm_pm *m, found *f, uint32_t row) {
  size_t n;
  const hm_row_finding *of = hm_view_find_row_findings(m->v, row, &n);
  for (size_t i = 0; i < n && f->left >= 0; i++) {
    const hm_finding *x = m->v->findings[of[i].finding];
    if (!hm_add_row_if_new(&f->seen, m->a, of[i].finding) || f->left-- == 0) continue;
    bool gap = hm_finding_is_gap(x);
    hm_pm_add_finding(m, f->lists[gap], x);
    f->any[gap] = true;
  }
}

static void put_findings(hm_pm *m, hm_tv *model, const hm_ventity *e, const hm_relation_item *all) {
  found f = { .lists = { hm_pm_set_list(m, model, "findings"),
                         hm_pm_set_list(m, model, "unknown") },
              .left = HM_REFS };
  hm_map_init(&f.seen, m->a, 16);
  put_findings_of(m, &f, e->row);
  for (uint32_t i = 0; i < e->n && f.left >= 0; i++) put_findings_of(m, &f, all[i].edge->via);
  hm_pm_set_bool(m, model, "has_findings", f.any[0]);
  hm_pm_set_bool(m, model, "has_unknown", f.any[1]);
  hm_pm_set_bool(m, model, "more_findings", f.left < 0);
  hm_pm_set_url(m, model, "findings_url", HM_STR("findings/README.md"), HM_EMPTY);
}

/* --- when it was ------------------------------------------------------------------ */

/* "1066 to 1087; since 1100" */
static void put_existence(hm_pm *m, hm_tv *model, uint32_t row) {
  const hm_window *w;
  bool happened;
  uint32_t n = hm_view_find_existence_windows(m->v, row, &w, &happened);
  hm_buf b = { 0 };
  for (uint32_t i = 0; i < n && i < HM_REFS; i++) {
    hm_str words = hm_format_window(m->a, hm_bound_text(m->a, &w[i].begin),
                                    w[i].moment ? HM_EMPTY : hm_bound_text(m->a, &w[i].end));
    if (i) hm_buf_c(&b, "; ");
    hm_buf_str(&b, w[i].moment ? hm_bound_text(m->a, &w[i].begin) : words);
  }
  hm_pm_set_bool(m, model, "happened", happened);
  hm_pm_set_text(m, model, "existed", hm_shorten(m->a, hm_buf_copy(&b, m->a), 400));
  hm_buf_free(&b);
}

/* --- the page ------------------------------------------------------------------------ */

void hm_page_entity(hm_pm *m, hm_tv *model) {
  const hm_view *v = m->v;
  const hm_ventity *e = &v->entities[m->p->from];
  const hm_row *r = &v->snap->rows[e->row];
  const hm_group *g = &v->groups[v->parts[v->part_of[e->row]].group];
  size_t n;
  const hm_relation_item *all = hm_pm_list_relations(m, e, &n);
  hm_str label = hm_view_distinct_label(v, e->row, m->a);
  hm_pm_set_heading(m, model, label,
                    hm_str_fmt(m->a, "What is recorded about %.*s", HM_FMT(label)));
  hm_str type = g->kind ? hm_str_c(g->kind->one) : hm_group_title(m, g), anchor;
  hm_str home = hm_view_find_row_page(v, e->row, m->a, &anchor);
  hm_pm_set_ref(m, model, "type", type, home, anchor);
  hm_pm_set_text(m, model, "status",
                 r->status == HM_ACTIVE ? HM_EMPTY : hm_str_c(hm_status_name(r->status)));
  hm_pm_set_claim_kind(m, model, e->row);
  put_disputes(m, model, e, all);
  hm_pm_set_timeline(m, model, e, NULL);
  put_existence(m, model, e->row);
  put_relations(m, model, e, all);
  if (!hm_pm_note_whole_row(m, e->row)) hm_pm_set_own_lines(m, model, e->row);
  hm_pm_add_link_lines(m, hm_pm_set_list(m, model, "links"), e->row);
  put_findings(m, model, e, all);
}
