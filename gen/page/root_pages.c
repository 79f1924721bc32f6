/* Pages of the mirror's root: the front page, all names from A to Z, glossary, search.
 *
 * The front page: counts of disputes, conflicts that wait, findings and settled conflicts, each
 * with a link; the newest disputes; then the projects, those with most disputes first. When these
 * are too many for a page, it shows the first ones, and links to lists by name. Cost: reads each
 * conflict once; a sort of the projects.
 * From A to Z: projects, active entities, keys of the curated state. It replaces search for readers
 * without script. Cut as other lists are. Cost: a sort of the names. */
#include <stdlib.h>

#include "core/base/time.h"
#include "model.h"

enum { PROJECTS_SHOWN = 60, NEWEST_SHOWN = 3, PROJECT_BYTES = 500 };

/* --- the list of projects -------------------------------------------------------------------- */

static bool projects_are_long(const void *list, uint32_t from, uint32_t to) {
  const hm_keyed_items *s = list;
  size_t all = 0;
  for (uint32_t i = from; i < to; i++) {
    const hm_vproject *p = &s->v->projects[s->k[i].item];
    all += PROJECT_BYTES + hm_page_bytes(hm_str_sub(p->label, 0, 120)) +
        hm_page_bytes(hm_str_sub(s->v->snap->projects[p->snap].id, 0, 120));
  }
  return all > HM_LIST_BYTES;
}

hm_item_list *hm_project_list_new(const hm_view *v, hm_arena *a) {
  hm_keyed_item *k = hm_alloc_array(a, v->n_projects + 1, sizeof *k);
  hm_item_list *list = hm_alloc(a, sizeof *list);
  *list = (hm_item_list){ .path = HM_STR("README.md") };
  for (uint32_t i = 0; i < v->n_projects; i++)
    k[i] = (hm_keyed_item){ HM_EMPTY, v->projects[i].list_key, i };
  hm_item_list_fill(v, a, k, v->n_projects, HM_SPLIT_NAME, projects_are_long, HM_STR("projects/"),
                    list);
  return list;
}

/* --- tiles ------------------------------------------------------------------------ */

/* The newest beginning of a dispute, and the newest verdict, with the year of its archive. */
typedef struct {
  hm_str disputed, settled;
} last_days;

static last_days last_of(hm_model *m) {
  last_days last = { 0 };
  hm_time since = HM_TIME_MIN, settled = HM_TIME_MIN, t;
  hm_precision p;
  for (uint32_t i = 0; i < m->v->n_conflicts; i++) {
    const hm_vconflict *c = &m->v->conflicts[i];
    if (c->since > since) {
      since = c->since;
      last.disputed = hm_format_since(m->v, c, m->a);
    }
    if (!hm_conflict_is_settled(c) || !hm_time_parse(c->rec->resolved_at, &t, &p) || t < settled)
      continue;
    settled = t;
    last.settled = hm_str_sub(hm_time_iso(m->a, t), 0, 10);
  }
  return last;
}

static void put_tile(hm_model *m, hm_node *list, int64_t n, const char *one, const char *many,
                     hm_str path, hm_str anchor, hm_str day) {
  hm_node *item = hm_model_add_item(m, list);
  hm_model_set_count(m, item, "n", n);
  hm_model_set_text(m, item, "label", hm_str_c(n == 1 ? one : many));
  hm_model_set_url(m, item, "url", path, anchor);
  hm_model_set_date(m, item, "day", hm_str_sub(day, 0, 10));
}

static void put_tiles(hm_model *m, hm_node *top) {
  const hm_view_counts *n = &m->v->counts;
  last_days last = last_of(m);
  hm_node *list = hm_node_set_list(top, "tiles");
  hm_str conflicts = HM_STR("conflicts/README.md");
  put_tile(m, list, n->disputed, "disputed", "disputed", conflicts, HM_STR("disputed"),
           last.disputed);
  put_tile(m, list, n->signoff, "waiting for sign-off", "waiting for sign-off", conflicts,
           HM_STR("waiting-for-sign-off"), HM_EMPTY);
  put_tile(m, list, n->findings, "finding", "findings", HM_STR("findings/README.md"), HM_EMPTY,
           HM_EMPTY);
  put_tile(m, list, n->resolved + n->dismissed, "settled", "settled", conflicts, HM_STR("archive"),
           last.settled);
}

/* --- the newest disputes ------------------------------------------------------------ */

/* Lists the disputes that began last, the newest first; those of one time by name. */
static void put_newest(hm_model *m, hm_node *top) {
  const hm_view *v = m->v;
  uint32_t newest[NEWEST_SHOWN + 1], n = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    uint32_t conflict = v->by_project[i], at = n;
    if (!v->conflicts[conflict].dispute)
      continue;
    hm_time since = v->conflicts[conflict].since;
    for (; at > 0 && v->conflicts[newest[at - 1]].since < since; at--)
      newest[at] = newest[at - 1];
    newest[at] = conflict;
    if (n < NEWEST_SHOWN)
      n++;
  }
  hm_node *list = hm_node_set_list(hm_node_set_obj(top, "newest"), "conflicts");
  for (uint32_t i = 0; i < n; i++)
    hm_model_add_conflict_with_project(m, list, newest[i]);
  hm_node_set_bool(top, "has_newest", n > 0);
  hm_model_set_shown_of_all(m, top, "newest_cut", n, (uint64_t)v->counts.disputed);
}

/* --- projects ---------------------------------------------------------------------- */

static void put_project_line(hm_model *m, hm_node *list, const hm_vproject *p) {
  hm_node *item = hm_model_add_item(m, list);
  hm_str overview = HM_CAT(m->a, p->dir, HM_STR("README.md"));
  hm_model_set_text(m, item, "label", hm_link_label(m->a, p->label, 120));
  hm_model_set_url(m, item, "url", overview, HM_EMPTY);
  hm_model_set_url(m, item, "disputed_url", overview, HM_STR("disputed"));
  hm_model_set_url(m, item, "signoff_url", overview, HM_STR("waiting-for-sign-off"));
  hm_model_set_url(m, item, "findings_url", overview, HM_EMPTY);
  hm_model_set_short(m, item, "id", m->v->snap->projects[p->snap].id, 120);
  hm_model_set_count(m, item, "state", p->active[HM_STATE]);
  hm_model_set_count(m, item, "entities", p->active[HM_ENTITY]);
  hm_model_set_count(m, item, "memories", p->active[HM_MEMORY]);
  hm_model_set_count(m, item, "relations", p->active[HM_RELATION]);
  hm_model_set_count(m, item, "disputed", p->disputed);
  hm_model_set_count(m, item, "signoff", p->signoff);
  hm_model_set_count(m, item, "findings", p->f_to - p->f_from);
}

typedef struct {
  const hm_vproject *p;
  uint32_t at;
} ranked;

/* Most disputes first; what waits counts less, findings least; then in the order of names. */
static int by_rank(const void *x, const void *y) {
  const ranked *a = x, *b = y;
  int64_t d = b->p->disputed - a->p->disputed;
  if (!d)
    d = b->p->signoff - a->p->signoff;
  if (!d)
    d = (int64_t)(b->p->f_to - b->p->f_from) - (int64_t)(a->p->f_to - a->p->f_from);
  if (!d)
    d = (int64_t)a->at - (int64_t)b->at;
  return d < 0 ? -1 : d > 0;
}

static void put_projects(hm_model *m, hm_node *top, const hm_item_list *list, uint32_t from,
                         uint32_t to, uint32_t most) {
  ranked *r = hm_alloc_array(m->a, to - from + 1, sizeof *r);
  hm_node *projects = hm_node_set_list(top, "projects");
  uint32_t n = to - from, shown = n < most ? n : most;
  for (uint32_t i = 0; i < n; i++)
    r[i] = (ranked){ &m->v->projects[list->order[from + i]], i };
  if (n)
    qsort(r, n, sizeof *r, by_rank);
  for (uint32_t i = 0; i < shown; i++)
    put_project_line(m, projects, r[i].p);
}

void hm_page_projects_part(hm_model *m, hm_node *top) {
  const hm_item_list *list = m->p->data;
  const hm_item_list_part *p = &list->parts[m->p->from];
  hm_str title = hm_str_fmt(m->a, "Projects: %.*s", HM_FMT(p->label));
  hm_model_set_heading(m, top, title, title);
  put_projects(m, top, list, p->from, p->to, UINT32_MAX);
}

/* --- the page ------------------------------------------------------------------------ */

static void put_counts(hm_model *m, hm_node *top) {
  const hm_view_counts *n = &m->v->counts;
  const struct {
    const char *key;
    int64_t n;
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
  for (size_t i = 0; i < HM_COUNT(counts); i++)
    hm_model_set_count(m, top, counts[i].key, counts[i].n);
}

void hm_page_root(hm_model *m, hm_node *top) {
  const hm_item_list *list = m->p->data;
  hm_model_set_heading(
      m, top, m->v->opt.title,
      HM_STR("What our projects hold true, and where the recorded facts contradict each "
             "other"));
  put_counts(m, top);
  put_tiles(m, top);
  put_newest(m, top);
  hm_model_set_text(m, top, "facts", hm_format_fact_counts(m->a, m->v->counts.rows));
  hm_model_set_compared(m, top, &m->v->counts.compared);
  hm_model_set_parts(m, top, list);
  put_projects(m, top, list, 0, list->parts[list->n - 1].to,
               list->n > 1 ? PROJECTS_SHOWN : UINT32_MAX);
  hm_model_set_url(m, top, "findings_url", HM_STR("findings/README.md"), HM_EMPTY);
  hm_model_set_url(m, top, "conflicts_url", HM_STR("conflicts/README.md"), HM_EMPTY);
  hm_model_set_url(m, top, "pictures_url", hm_pictures_path(m->v, HM_NONE, m->a), HM_EMPTY);
  hm_model_set_newest_changes(m, top, HM_NONE);
}

/* --- all names, from A to Z ------------------------------------------------------------------ */

enum { ITEM_BYTES = 300, WHAT_BYTES = 60, WHERE_BYTES = 80 };

static bool is_named(const hm_view *v, uint32_t row) {
  hm_layer layer = v->snap->rows[row].layer;
  return (layer == HM_ENTITY || layer == HM_STATE) && v->rows[row].active && hm_view_listed(v, row);
}

static bool are_long(const void *list, uint32_t from, uint32_t to) {
  const hm_keyed_items *s = list;
  size_t all = 0;
  for (uint32_t i = from; i < to && all <= HM_LIST_BYTES; i++)
    all += ITEM_BYTES + hm_page_bytes(s->k[i].key);
  return all > HM_LIST_BYTES;
}

/* Items: rows, then projects behind the last of the rows. */
hm_item_list *hm_a_to_z_new(const hm_view *v, hm_arena *a) {
  uint32_t n = 0, n_rows = (uint32_t)v->snap->n_rows;
  hm_arena *tmp = hm_arena_new();
  hm_keyed_item *k = hm_alloc_array(tmp, n_rows + v->n_projects + 1, sizeof *k);
  for (uint32_t i = 0; i < n_rows; i++) {
    if (!is_named(v, i))
      continue;
    char layer[] = { (char)('0' + (int)v->snap->rows[i].layer), '/' };
    hm_str id = HM_CAT(tmp, (hm_str){ layer, sizeof layer }, v->snap->rows[i].id);
    k[n++] = (hm_keyed_item){ HM_EMPTY, hm_list_sort_key(tmp, hm_view_label(v, i, tmp), id), i };
  }
  for (uint32_t i = 0; i < v->n_projects; i++)
    k[n++] = (hm_keyed_item){ HM_EMPTY, v->projects[i].list_key, n_rows + i };
  hm_item_list *list = hm_alloc(a, sizeof *list);
  list->path = HM_STR("index-a-z.md");
  hm_item_list_fill(v, a, k, n, HM_SPLIT_NAME, are_long, HM_STR("index-a-z/"), list);
  hm_arena_free(tmp);
  return list;
}

static void put_named_row(hm_model *m, hm_node *list, uint32_t row) {
  const hm_view *v = m->v;
  const hm_group *g = &v->groups[v->parts[v->part_of[row]].group];
  hm_node *item = hm_model_add_item(m, list);
  hm_model_set_row_link_fields(m, item, row);
  hm_str what = HM_STR("curated value");
  if (g->layer == HM_ENTITY)
    what = g->kind ? hm_str_c(g->kind->one) : hm_str_trim(g->title);
  hm_model_set_short(m, item, "what", what, WHAT_BYTES);
  hm_model_set_short(m, item, "where", v->projects[g->project].label, WHERE_BYTES);
  hm_model_set_relation_marks(m, item, row);
}

static void put_named_project(hm_model *m, hm_node *list, uint32_t project) {
  const hm_vproject *p = &m->v->projects[project];
  hm_node *item = hm_model_add_item(m, list);
  hm_model_set_text(m, item, "label", hm_link_label(m->a, p->label, WHERE_BYTES));
  hm_model_set_url(m, item, "url", HM_CAT(m->a, p->dir, HM_STR("README.md")), HM_EMPTY);
  hm_model_set_raw(m, item, "what", HM_STR("project"));
  hm_model_set_raw(m, item, "where", HM_EMPTY);
  hm_node_set_list(item, "marks");
}

static void put_names(hm_model *m, hm_node *top, const hm_item_list *l,
                      const hm_item_list_part *p) {
  hm_node *list = hm_node_set_list(top, "names");
  uint32_t n_rows = (uint32_t)m->v->snap->n_rows;
  for (uint32_t i = p ? p->from : 0; p && i < p->to; i++) {
    if (l->order[i] < n_rows)
      put_named_row(m, list, l->order[i]);
    else
      put_named_project(m, list, l->order[i] - n_rows);
  }
}

void hm_page_a_to_z(hm_model *m, hm_node *top) {
  const hm_item_list *l = m->p->data;
  hm_model_set_heading(m, top, HM_STR("A to Z"),
                       HM_STR("All projects, entities and curated values by name"));
  hm_model_set_parts(m, top, l);
  put_names(m, top, l, l->n == 1 ? l->parts : NULL);
}

void hm_page_a_to_z_part(hm_model *m, hm_node *top) {
  const hm_item_list *l = m->p->data;
  const hm_item_list_part *p = &l->parts[m->p->from];
  hm_str title = hm_str_fmt(m->a, "A to Z: %.*s", HM_FMT(p->label));
  hm_model_set_heading(m, top, title, title);
  hm_model_set_parts(m, top, NULL);
  put_names(m, top, l, p);
}

/* --- pages that say the same in each mirror -------------------------------------------------- */

void hm_page_glossary(hm_model *m, hm_node *top) {
  hm_model_set_heading(m, top, HM_STR("Glossary"), HM_STR("What the words on these pages mean"));
}

void hm_page_search(hm_model *m, hm_node *top) {
  hm_model_set_heading(m, top, HM_STR("Search"), HM_STR("Find a fact, a name, a source or an id"));
  hm_model_set_url(m, top, "a_to_z_url", HM_STR("index-a-z.md"), HM_EMPTY);
}
