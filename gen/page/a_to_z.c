/* All that has a name, from A to Z: projects, entities that are active, keys of the curated state.
 * It is what a reader without a script has in place of search. Cut as other lists are. Cost: a sort
 * of the names. */
#include <stdlib.h>

#include "core/base/text.h"
#include "model.h"

enum { ITEM_BYTES = 300, WHAT_BYTES = 60, WHERE_BYTES = 80 };

static bool is_named(const hm_view *v, uint32_t row) {
  hm_layer layer = v->snap->rows[row].layer;
  return (layer == HM_ENTITY || layer == HM_STATE) && v->seen[row].active && hm_view_listed(v, row);
}

static int by_key(const void *x, const void *y) {
  return hm_str_cmp(((const hm_keyed *)x)->key, ((const hm_keyed *)y)->key);
}

static bool are_long(const void *list, uint32_t from, uint32_t to) {
  const hm_sorted *s = list;
  size_t all = 0;
  for (uint32_t i = from; i < to && all <= HM_LIST_BYTES; i++)
    all += ITEM_BYTES + hm_page_bytes(s->k[i].key);
  return all > HM_LIST_BYTES;
}

/* Items: rows, then projects behind the last of the rows. */
hm_clist *hm_a_to_z_of(const hm_view *v, hm_arena *a) {
  uint32_t n = 0, n_rows = (uint32_t)v->snap->n_rows;
  hm_keyed *k = hm_alloc_array(a, n_rows + v->n_projects + 1, sizeof *k);
  for (uint32_t i = 0; i < n_rows; i++) {
    if (!is_named(v, i)) continue;
    hm_str id = hm_str_fmt(a, "%d/%.*s", v->snap->rows[i].layer, HM_FMT(v->snap->rows[i].id));
    k[n++] = (hm_keyed){ HM_EMPTY, hm_list_key(a, hm_view_label(v, i, a), id), i };
  }
  for (uint32_t i = 0; i < v->n_projects; i++)
    k[n++] = (hm_keyed){ HM_EMPTY, v->projects[i].list_key, n_rows + i };
  qsort(k, n, sizeof *k, by_key);
  hm_clist *list = hm_alloc(a, sizeof *list);
  list->path = HM_STR("index-a-z.md");
  hm_list_items(v, a, k, n, HM_SPLIT_NAME, are_long, HM_STR("index-a-z/"), list);
  return list;
}

static void put_row(hm_pm *m, hm_tv *list, uint32_t row) {
  const hm_view *v = m->v;
  const hm_group *g = &v->groups[v->parts[v->part_of[row]].group];
  hm_tv *item = hm_pm_item(m, list);
  hm_pm_row_fields(m, item, row);
  hm_str what = HM_STR("curated value");
  if (g->layer == HM_ENTITY) what = g->kind ? hm_str_c(g->kind->one) : hm_str_trim(g->title);
  hm_pm_short(m, item, "what", what, WHAT_BYTES);
  hm_pm_short(m, item, "where", v->projects[g->project].label, WHERE_BYTES);
  hm_pm_relation_marks(m, item, row);
}

static void put_project(hm_pm *m, hm_tv *list, uint32_t project) {
  const hm_vproject *p = &m->v->projects[project];
  hm_tv *item = hm_pm_item(m, list);
  hm_pm_text(m, item, "label", hm_link_label(m->a, p->label, WHERE_BYTES));
  hm_pm_url(m, item, "url", HM_CAT(m->a, p->dir, HM_STR("README.md")), HM_EMPTY);
  hm_pm_raw(m, item, "what", HM_STR("project"));
  hm_pm_raw(m, item, "where", HM_EMPTY);
  hm_pm_list(m, item, "marks");
}

static void put_part(hm_pm *m, hm_tv *model, const hm_clist *l, const hm_cpart *p) {
  hm_tv *list = hm_pm_list(m, model, "names");
  uint32_t n_rows = (uint32_t)m->v->snap->n_rows;
  for (uint32_t i = p ? p->from : 0; p && i < p->to; i++) {
    if (l->order[i] < n_rows) put_row(m, list, l->order[i]);
    else put_project(m, list, l->order[i] - n_rows);
  }
}

void hm_page_a_to_z(hm_pm *m, hm_tv *model) {
  const hm_clist *l = m->p->data;
  hm_pm_text(m, model, "heading", HM_STR("A to Z"));
  hm_pm_head(m, model, HM_STR("A to Z"),
             HM_STR("All projects, entities and curated values by name"));
  hm_pm_parts(m, model, l);
  put_part(m, model, l, l->n == 1 ? l->parts : NULL);
}

void hm_page_a_to_z_part(hm_pm *m, hm_tv *model) {
  const hm_clist *l = m->p->data;
  const hm_cpart *p = &l->parts[m->p->from];
  hm_str title = hm_str_fmt(m->a, "A to Z: %.*s", HM_FMT(p->label));
  hm_pm_text(m, model, "heading", title);
  hm_pm_head(m, model, title, title);
  hm_pm_list(m, model, "parts");
  hm_pm_bool(m, model, "has_parts", false);
  put_part(m, model, l, p);
}

/* --- pages that say the same in each mirror ------------------------------------------ */

void hm_page_glossary(hm_pm *m, hm_tv *model) {
  hm_pm_text(m, model, "heading", HM_STR("Glossary"));
  hm_pm_head(m, model, HM_STR("Glossary"), HM_STR("What the words on these pages mean"));
}

void hm_page_search(hm_pm *m, hm_tv *model) {
  hm_pm_text(m, model, "heading", HM_STR("Search"));
  hm_pm_head(m, model, HM_STR("Search"), HM_STR("Find a fact, a name, a source or an id"));
  hm_pm_url(m, model, "a_to_z_url", HM_STR("index-a-z.md"), HM_EMPTY);
}
